"""``nbcompare tables``: everything as LaTeX tables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nbcompare import _commands
from nbcompare.cli._data import Answer, command, experiment
from nbcompare.cli._signals import in_order

if TYPE_CHECKING:
    from nbcompare.cli._data import Commands

_TABLE_OPTIONS = ("control", "pairs", "formulas", "missing")


def add_commands(commands: Commands) -> None:
    """Add the command."""
    tables = command(
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
    _commands.add_arguments(tables.add_argument_group("what to compute"), _TABLE_OPTIONS)
    tables.set_defaults(command=_tables, parser=tables)


def _tables(given: argparse.Namespace) -> Answer:
    scores = experiment(given)
    from nbcompare._files import check_target, write_whole
    from nbcompare.report.tables import latex_tables

    if given.output is not None:
        check_target(given.output)
    text = latex_tables(
        scores,
        fragment=given.fragment,
        **_commands.given(given, (*_TABLE_OPTIONS, "title", "rankings")),
    )
    if given.output is None:
        return Answer(text.removesuffix("\n"))
    with in_order():
        write_whole(given.output, text)
    return Answer(str(given.output), is_all=False)
