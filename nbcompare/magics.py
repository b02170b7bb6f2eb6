"""``%compare`` and its kin: parse the line, call one public function, display its result."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn, cast

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.display import display

from nbcompare import _options, analysis, plots
from nbcompare._render import Rich
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories

_COMMANDS = {command.name: command for command in _options.COMMANDS}
# What shows the result at a glance
_FIGURES: Mapping[str, Callable[[Any], plots.Plot]] = {
    "compare": plots.overview,
    "compare_pair": plots.pair_scatter,
    "contrast_estimation": plots.contrast_matrix,
    "check_conditions": plots.histogram_qq,
    "compare_stochastic": plots.overview,
    "page_trend": plots.trend_heatmap,
}
# How a dataframe is read, by what the function takes
_FRAME_OPTIONS = {
    "experiment": ("direction", *_options.COLUMN_OPTIONS, "measure"),
    "histories": ("direction", *_options.HISTORY_OPTIONS, "measure"),
}
_CLASSES: Mapping[str, type[Experiment] | type[Histories]] = {
    "experiment": Experiment,
    "histories": Histories,
}
_CALLED = {"experiment": "an Experiment", "histories": "a Histories"}


class _LineParser(argparse.ArgumentParser):
    """Complains in one line, and never ends the session."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}")


def _parser(command: _options.Command) -> _LineParser:
    parser = _LineParser(prog=f"%{command.name}", add_help=False, allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help=f"{_CALLED[command.takes]} or a dataframe")
    for argument, meaning in command.arguments.items():
        parser.add_argument(argument, metavar=argument.upper(), help=meaning)
    _options.add_arguments(parser, command.options)
    parser.add_argument("--as", dest="target", metavar="NAME", help="bind the result to this name")
    frame = parser.add_argument_group("for a dataframe")
    _options.add_arguments(frame, _FRAME_OPTIONS[command.takes])
    return parser


# What the line may say of the report itself
_DOCUMENT = ("title", "authors", "abstract", "date")


def _report_parser() -> _LineParser:
    parser = _LineParser(prog="%nbreport", add_help=False, allow_abbrev=False)
    parser.add_argument(
        "words",
        nargs="+",
        metavar="FILE_OR_NAME",
        help="files to write (.html, .ipynb), and the results to report (default: all), or a "
        "Report",
    )
    parser.add_argument("--title", help="of the report")
    parser.add_argument(
        "--author", dest="authors", action="append", help="may be given again", metavar="NAME"
    )
    parser.add_argument("--abstract", metavar="TEXT", help="a summary, in Markdown")
    parser.add_argument("--date", help="as it shall be read")
    parser.add_argument(
        "--timeout",
        type=float,
        default=_options.LONGEST_CELL,
        metavar="SECONDS",
        help="longest time for one cell (default: %(default)g)",
    )
    return parser


@magics_class
class ComparisonMagics(Magics):
    """Magics that compare algorithms: one for each function, and one that reports."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        # Made of dataframes that lines name: a report computes results again from these.
        self._made: dict[str, Experiment | Histories] = {}

    @line_magic("compare")
    def compare(self, line: str) -> Rich | None:
        """Compare the algorithms of an Experiment or dataframe; show the CD diagram."""
        return self._run("compare", line)

    @line_magic("compare_pair")
    def compare_pair(self, line: str) -> Rich | None:
        """Compare two algorithms exactly; show them against each other."""
        return self._run("compare_pair", line)

    @line_magic("multiple_sign_test")
    def multiple_sign_test(self, line: str) -> Rich | None:
        """Compare a control with all others by wins and losses."""
        return self._run("multiple_sign_test", line)

    @line_magic("contrast_estimation")
    def contrast_estimation(self, line: str) -> Rich | None:
        """Estimate how far apart the algorithms are."""
        return self._run("contrast_estimation", line)

    @line_magic("check_conditions")
    def check_conditions(self, line: str) -> Rich | None:
        """Check what parametric tests need."""
        return self._run("check_conditions", line)

    @line_magic("compare_stochastic")
    def compare_stochastic(self, line: str) -> Rich | None:
        """Compare algorithms that give another score at every run."""
        return self._run("compare_stochastic", line)

    @line_magic("page_trend")
    def page_trend(self, line: str) -> Rich | None:
        """Test which optimiser converges faster; show the heat map."""
        return self._run("page_trend", line)

    @line_magic("recommend")
    def recommend(self, line: str) -> Rich | None:
        """Say which tests suit the data."""
        return self._run("recommend", line)

    @line_magic("nbreport")
    def nbreport(self, line: str) -> None:
        """Export the results of this notebook as a report; see the help of its options.

        Results are those that names are bound to. The report computes each of them again, in
        a kernel of its own, from the Experiment or Histories that it was computed from, which
        must be bound to a name too.
        """
        from nbcompare.report.collect import data_in, named, report_of, results_in
        from nbcompare.report.execute import ReportError
        from nbcompare.report.make import FORMATS
        from nbcompare.report.report import Report

        try:
            given = _report_parser().parse_args(shlex.split(line))
            outputs = [word for word in given.words if word.lower().endswith(FORMATS)]
            names = [word for word in given.words if word not in outputs]
            document = {key: value for key in _DOCUMENT if (value := getattr(given, key))}
            if not outputs:
                raise ValueError(f"name a file to write, which ends in {' or '.join(FORMATS)}.")
            report = self._namespace.get(names[0]) if len(names) == 1 else None
            if isinstance(report, Report):
                report = replace(report, **document)
            else:
                results = named(names, self._namespace) if names else results_in(self._namespace)
                if not results:
                    raise ValueError(
                        "there are no results to report: bind one to a name, as in "
                        "comparison = nbc.compare(experiment)."
                    )
                data = {**self._made, **data_in(self._namespace)}
                report = report_of(results, data, **document)
            for path in report.export(*outputs, timeout=given.timeout):
                print(path)
        except (ValueError, TypeError, OSError, ReportError) as error:
            raise UsageError(f"%nbreport: {error}") from None

    nbreport.__doc__ = f"{nbreport.__doc__}\n\n{_report_parser().format_help()}"

    def _run(self, name: str, line: str) -> Rich | None:
        command = _COMMANDS[name]
        magic = f"%{name}"
        parser = _parser(command)
        try:
            given = parser.parse_args(shlex.split(line))
        except ValueError as error:  # a quotation mark without its pair
            raise UsageError(f"{magic}: {error}") from None
        if given.target is not None and not given.target.isidentifier():
            raise UsageError(
                f"{magic}: --as needs a name that Python accepts; got {given.target!r}."
            )
        try:
            data = self._data(given, command)
            named = [getattr(given, argument) for argument in command.arguments]
            options = _options.given(given, command.options)
            result: Rich = getattr(analysis, command.function)(data, *named, **options)
        except (ValueError, TypeError) as error:
            raise UsageError(f"{magic}: {error}") from None
        if name in _FIGURES:
            display(_FIGURES[name](result))
        if given.target is None:
            return result  # displayed by the cell, unless it is assigned
        self._namespace[given.target] = result
        return None

    for _name, _command in _COMMANDS.items():
        _method = locals()[_name]
        _method.__doc__ = f"{_method.__doc__}\n\n{_parser(_command).format_help()}"
    del _name, _command, _method

    @property
    def _namespace(self) -> dict[str, Any]:
        return cast("dict[str, Any]", cast(InteractiveShell, self.shell).user_ns)

    def _data(self, given: argparse.Namespace, command: _options.Command) -> Any:
        """What the line names, made of a dataframe if it is one."""
        wanted, called, magic = _CLASSES[command.takes], _CALLED[command.takes], f"%{command.name}"
        if given.name not in self._namespace:
            raise UsageError(
                f"{magic}: there is no {given.name!r} here; "
                f"name {called} or a dataframe of this notebook."
            )
        found = self._namespace[given.name]
        reading = _options.given(given, _FRAME_OPTIONS[command.takes])
        if isinstance(found, wanted):
            if reading:
                raise UsageError(
                    f"{magic}: --{next(iter(reading))} is for a dataframe; "
                    f"{given.name} is {called} already."
                )
            return found
        if isinstance(found, tuple(_CLASSES.values())):
            raise UsageError(
                f"{magic}: it takes {called} or a dataframe; {given.name} is of class "
                f"{type(found).__name__}."
            )
        if "direction" not in reading:
            raise UsageError(
                f"{magic}: {given.name} is not {called}; for a dataframe add "
                "--direction maximize (higher is better) or --direction minimize."
            )
        made = wanted.from_frame(found, **reading)
        self._keep(f"{given.name}_{command.takes}", made)
        return made

    def _keep(self, name: str, made: Experiment | Histories) -> None:
        """Keep data under a name, with a number if other data have it."""
        wish, number = name, 1
        while name in self._made and self._made[name].fingerprint != made.fingerprint:
            number += 1
            name = f"{wish}_{number}"
        self._made[name] = made


def register(shell: InteractiveShell) -> None:
    """Add the magics to a shell."""
    shell.register_magics(ComparisonMagics)
