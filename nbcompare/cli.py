"""``nbcompare`` on the command line: parse, call one function, say what went wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare import _options
from nbcompare._version import __version__

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories

    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_TABLE_OPTIONS = ("control", "pairs", "formulas", "missing")
_TEXT_OPTIONS = ("decimal", "thousands", "separator")
_READ_OPTIONS = ("direction", *_options.COLUMN_OPTIONS, "measure", *_TEXT_OPTIONS)
_HISTORY_OPTIONS = ("direction", *_options.HISTORY_OPTIONS, "measure", *_TEXT_OPTIONS)
# What a report on scores and histories reads of histories alone; it shares the rest.
_OF_HISTORIES_ALONE = tuple(name for name in _HISTORY_OPTIONS if name not in _READ_OPTIONS)
_TREND_OPTIONS = ("cutpoints", "optimum_tolerance", "aggregate", "differences", "null")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 1 if it failed, 2 if it was called wrongly."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return int(given.command(given))
    except KeyboardInterrupt:
        print("nbcompare: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (ValueError, TypeError, ImportError, RuntimeError, OSError) as error:
        print(f"nbcompare: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nbcompare", description="Compare algorithms over data sets, and report it."
    )
    parser.add_argument("--version", action="version", version=f"nbcompare {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    report = _command(
        commands,
        "report",
        "turn a table of results into a report",
        "nbcompare report scores.csv --direction maximize --control C4.5 -o report.html",
    )
    report.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        help="report.html (one page, no network needed) or report.ipynb",
    )
    _options.add_arguments(report.add_argument_group("what to compute"), _options.COMPARE_OPTIONS)
    logs = report.add_argument_group("how optimisers converge, beside or instead of scores")
    logs.add_argument(
        "--histories",
        type=Path,
        metavar="FILE",
        help="logs of runs (.csv, .tsv, .parquet, or an IOHprofiler folder)",
    )
    _options.add_arguments(logs, (*_OF_HISTORIES_ALONE, *_TREND_OPTIONS))
    report.set_defaults(command=_report, parser=report)
    tables = _command(
        commands,
        "tables",
        "write all ranks, tests and adjusted p-values as LaTeX tables",
        "nbcompare tables scores.csv --direction maximize --control C4.5 > tables.tex",
    )
    tables.add_argument(
        "-o", "--output", type=Path, help="file to write (default: standard output)"
    )
    tables.add_argument(
        "--fragment", action="store_true", help="only the tables, to include into a paper"
    )
    tables.add_argument("--title", default=argparse.SUPPRESS, help="of the document")
    tables.add_argument(
        "--rankings",
        type=lambda text: text.split(","),
        default=argparse.SUPPRESS,
        help="of friedman, aligned, quade, separated by commas (default: all)",
    )
    _options.add_arguments(tables.add_argument_group("what to compute"), _TABLE_OPTIONS)
    tables.set_defaults(command=_tables, parser=tables)
    for what in _options.COMMANDS:
        shown = _command(commands, what.name.replace("_", "-"), what.help, arguments=what)
        _options.add_arguments(shown.add_argument_group("what to compute"), what.options)
        shown.set_defaults(command=_show, parser=shown, what=what)
    return parser


def _command(
    commands: _Commands,
    name: str,
    what: str,
    example: str | None = None,
    *,
    arguments: _options.Command | None = None,
) -> argparse.ArgumentParser:
    """A command that takes a table of scores, or logs of runs."""
    parser = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=example and f"example: {example}",
    )
    histories = arguments is not None and arguments.takes == "histories"
    table = (
        "logs of runs (.csv, .tsv, .parquet, long or wide; or an IOHprofiler folder)"
        if histories
        else "table of scores (.csv, .tsv, .parquet), wide or long"
    )
    parser.add_argument("data", nargs="?", type=Path, help=table)
    for argument, meaning in (arguments.arguments if arguments else {}).items():
        parser.add_argument(f"--{argument}", required=True, metavar="NAME", help=meaning)
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    _options.add_arguments(
        parser.add_argument_group("how to read the table"),
        _HISTORY_OPTIONS if histories else _READ_OPTIONS,
    )
    return parser


def _check_source(
    given: argparse.Namespace,
    options: tuple[str, ...] = _READ_OPTIONS,
    what: str = "table of scores",
) -> dict[str, Any]:
    """The options of reading, if they and the source go together."""
    reading = _options.given(given, options)
    if (given.data is None) == (given.example is None):
        given.parser.error(f"give either a {what} or --example NAME")
    if given.example is not None and reading:
        given.parser.error(f"--{_flag(next(iter(reading)))} is for a {what}, not for --example")
    if given.data is not None and "direction" not in reading and not given.data.is_dir():
        _need_direction(given, what)
    return reading


def _need_direction(given: argparse.Namespace, what: str) -> None:
    noun = what.rpartition(" ")[2]
    given.parser.error(
        f"--direction is required with a {what}: maximize if higher {noun} are better, minimize "
        "if lower"
    )


def _flag(option: str) -> str:
    return option.replace("_", "-")


def _experiment(given: argparse.Namespace) -> Experiment:
    reading = _check_source(given)
    if given.example is not None:
        from nbcompare.datasets import load_experiment

        return load_experiment(given.example)
    from nbcompare.experiment import Experiment

    return Experiment.read(given.data, **reading)


def _histories(given: argparse.Namespace) -> Histories:
    reading = _check_source(given, _HISTORY_OPTIONS, "file of values")
    if given.example is not None:
        from nbcompare.datasets import load_histories

        return load_histories(given.example)
    from nbcompare.histories import Histories

    return Histories.read(given.data, **reading)


def _report(given: argparse.Namespace) -> int:
    from nbcompare.report import make_report

    logs: dict[str, Any] = {}
    if given.histories is None:
        alone = _options.given(given, _OF_HISTORIES_ALONE)
        if alone:
            given.parser.error(f"--{_flag(next(iter(alone)))} is for --histories")
        reading = _check_source(given)
    else:
        logs = _options.given(given, _HISTORY_OPTIONS)
        if "direction" not in logs and not given.histories.is_dir():
            _need_direction(given, "file of values")
        # they are about the histories, unless a table of scores shares them
        reading = _check_source(given) if given.data is not None else {}
    make_report(
        given.output,
        _options.given(given, _options.COMPARE_OPTIONS),
        data=given.data,
        reading=reading,
        example=given.example,
        histories=given.histories,
        history_reading=logs,
        trend=_options.given(given, _TREND_OPTIONS),
    )
    print(given.output)
    return 0


def _tables(given: argparse.Namespace) -> int:
    experiment = _experiment(given)
    from nbcompare.report.files import check_target, write_whole
    from nbcompare.report.tables import latex_tables

    if given.output is not None:
        check_target(given.output)
    text = latex_tables(
        experiment,
        fragment=given.fragment,
        **_options.given(given, (*_TABLE_OPTIONS, "title", "rankings")),
    )
    if given.output is None:
        print(text, end="")
        return 0
    write_whole(given.output, text)
    print(given.output)
    return 0


def _show(given: argparse.Namespace) -> int:
    """Print the result of one public function."""
    what: _options.Command = given.what
    data = _histories(given) if what.takes == "histories" else _experiment(given)
    from nbcompare import analysis

    named = [getattr(given, name) for name in what.arguments]
    result = getattr(analysis, what.function)(data, *named, **_options.given(given, what.options))
    print(result)
    return 0
