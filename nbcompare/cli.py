"""``nbcompare`` on the command line: parse, call one function, say what went wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from nbcompare import _options
from nbcompare._version import __version__

_READ_OPTIONS = ("direction", *_options.COLUMN_OPTIONS, "measure", "decimal", "separator")


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
    report = commands.add_parser(
        "report",
        help="turn a table of results into a report",
        description="Turn a table of results into a report.",
        epilog="example: nbcompare report scores.csv --direction maximize --control C4.5 "
        "-o report.html",
    )
    report.add_argument(
        "data", nargs="?", type=Path, help="table of scores (.csv, .tsv, .parquet), wide or long"
    )
    report.add_argument("--example", metavar="NAME", help="a bundled table instead of a file")
    report.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        help="report.html (one page, no network needed) or report.ipynb",
    )
    _options.add_arguments(report.add_argument_group("what to compute"), _options.COMPARE_OPTIONS)
    _options.add_arguments(report.add_argument_group("how to read the table"), _READ_OPTIONS)
    report.set_defaults(command=_report, parser=report)
    return parser


def _report(given: argparse.Namespace) -> int:
    from nbcompare.report import make_report

    reading = _options.given(given, _READ_OPTIONS)
    if (given.data is None) == (given.example is None):
        given.parser.error("give either a table of scores or --example NAME")
    if given.example is not None and reading:
        given.parser.error(f"--{next(iter(reading))} is for a table of scores, not for --example")
    if given.data is not None and "direction" not in reading:
        given.parser.error(
            "--direction is required with a table of scores: maximize if higher scores are "
            "better, minimize if lower"
        )
    make_report(
        given.output,
        _options.given(given, _options.COMPARE_OPTIONS),
        data=given.data,
        reading=reading,
        example=given.example,
    )
    print(given.output)
    return 0
