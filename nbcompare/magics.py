"""``%compare``: parse the line, call one public function, display its result."""

from __future__ import annotations

import argparse
import shlex
from typing import Any, NoReturn, cast

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.display import display

from nbcompare import _options
from nbcompare.analysis import compare
from nbcompare.experiment import Experiment
from nbcompare.plots import cd_diagram
from nbcompare.results import Comparison

_FRAME_OPTIONS = ("direction", *_options.COLUMN_OPTIONS, "measure")


class _LineParser(argparse.ArgumentParser):
    """Complains in one line, and never ends the session."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}")


def _compare_parser() -> _LineParser:
    parser = _LineParser(prog="%compare", add_help=False, allow_abbrev=False)
    parser.add_argument("name", metavar="NAME", help="an Experiment or a dataframe")
    _options.add_arguments(parser, _options.COMPARE_OPTIONS)
    parser.add_argument("--as", dest="target", metavar="NAME", help="bind the result to this name")
    frame = parser.add_argument_group("for a dataframe")
    _options.add_arguments(frame, _FRAME_OPTIONS)
    return parser


@magics_class
class ComparisonMagics(Magics):
    """Magics that compare algorithms."""

    @line_magic("compare")
    def compare(self, line: str) -> Comparison | None:
        """Compare the algorithms of an Experiment or dataframe; show the CD diagram."""
        parser = _compare_parser()
        try:
            given = parser.parse_args(shlex.split(line))
        except ValueError as error:  # a quotation mark without its pair
            raise UsageError(f"%compare: {error}") from None
        if given.target is not None and not given.target.isidentifier():
            raise UsageError(
                f"%compare: --as needs a name that Python accepts; got {given.target!r}."
            )
        try:
            experiment = self._experiment(given)
            result = compare(experiment, **_options.given(given, _options.COMPARE_OPTIONS))
        except (ValueError, TypeError) as error:
            raise UsageError(f"%compare: {error}") from None
        display(cd_diagram(result))
        if given.target is None:
            return result  # displayed by the cell, unless it is assigned
        self._namespace[given.target] = result
        return None

    compare.__doc__ = f"{compare.__doc__}\n\n{_compare_parser().format_help()}"

    @property
    def _namespace(self) -> dict[str, Any]:
        return cast("dict[str, Any]", cast(InteractiveShell, self.shell).user_ns)

    def _experiment(self, given: argparse.Namespace) -> Experiment:
        if given.name not in self._namespace:
            raise UsageError(
                f"%compare: there is no {given.name!r} here; "
                "name an Experiment or a dataframe of this notebook."
            )
        found = self._namespace[given.name]
        reading = _options.given(given, _FRAME_OPTIONS)
        if isinstance(found, Experiment):
            if reading:
                raise UsageError(
                    f"%compare: --{next(iter(reading))} is for a dataframe; "
                    f"{given.name} is an Experiment already."
                )
            return found
        if "direction" not in reading:
            raise UsageError(
                f"%compare: {given.name} is not an Experiment; for a dataframe add "
                "--direction maximize (higher is better) or --direction minimize."
            )
        return Experiment.from_frame(found, **reading)


def register(shell: InteractiveShell) -> None:
    """Add the magics to a shell."""
    shell.register_magics(ComparisonMagics)
