"""``nbcompare verify``: whether a report still holds."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbcompare import _commands
from nbcompare.cli._data import HISTORY_OPTIONS, OF_HISTORIES_ALONE, READ_OPTIONS, Answer

if TYPE_CHECKING:
    from nbcompare.cli._data import Commands


def add_commands(commands: Commands) -> None:
    """Add the command."""
    what = "compute the results of an HTML report again, and say whether it still holds"
    parser = commands.add_parser(
        "verify",
        help=what,
        description=f"{what[0].upper()}{what[1:]}. The exit code is 0 if it does, 1 if it does "
        "not, 2 if that cannot be said, as where the page has scripts of others.",
        epilog="example: nbcompare verify report.html --data scores.csv",
    )
    parser.add_argument("page", type=Path, metavar="REPORT", help="report.html")
    parser.add_argument(
        "--data", type=Path, metavar="FILE", help="table of scores (.csv, .tsv, .parquet)"
    )
    parser.add_argument(
        "--histories",
        type=Path,
        metavar="FILE",
        help="logs of runs (.csv, .tsv, .parquet, or an IOHprofiler folder)",
    )
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    _commands.add_arguments(
        parser.add_argument_group("how to read the files, as it was for the report"),
        (*READ_OPTIONS, *OF_HISTORIES_ALONE),
    )
    parser.set_defaults(command=_verify, parser=parser)


def _verify(given: argparse.Namespace) -> Answer:
    """Say whether the report holds, and where it does not."""
    from nbcompare.report import verify

    try:
        found = verify(
            given.page,
            **_sources(given),
            reading=_commands.given(given, READ_OPTIONS),
            history_reading=_commands.given(given, HISTORY_OPTIONS),
        )
    except (ValueError, OSError, MemoryError) as error:
        # arguments are options here
        text = str(error)
        for name in ("data", "histories"):
            text = text.replace(f"`{name}`", f"--{name}")
        given.parser.error(text)
    code = 0 if found.holds else 1 if found.all_problems else 2
    return Answer(str(found), code, unsaid=2, is_all=False)


def _sources(given: argparse.Namespace) -> dict[str, Any]:
    """Files of scores and histories, or an example."""
    sources = {"data": given.data, "histories": given.histories}
    if given.example is None:
        return sources
    from nbcompare import datasets
    from nbcompare.histories import Histories

    example = datasets.load(given.example)
    name = "histories" if isinstance(example, Histories) else "data"
    if sources[name] is not None:
        given.parser.error(f"give either --{name} or --example {given.example}")
    return sources | {name: example}
