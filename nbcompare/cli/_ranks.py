"""The command ``compare-ranks``: average ranks in a file, such as a paper prints them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nbcompare import _commands
from nbcompare._commands import RANKS_OPTIONS, OptionParser
from nbcompare._options import TEXT_OPTIONS
from nbcompare._validation import DataError, listed
from nbcompare.cli._data import JSON_HELP, Answer, Command, add_options, speech

if TYPE_CHECKING:
    from nbcompare._messages import Speech
    from nbcompare._tables import RawTable
    from nbcompare.results import Comparison

_OPTIONS = ("n_datasets", *RANKS_OPTIONS)
_READING = (*TEXT_OPTIONS, "sheet")
_LAYOUT = "a header and two columns, algorithm and average rank"


def command(written: Callable[[Comparison, Speech, argparse.Namespace], str]) -> Command:
    """Return the command; ``written`` says how a shell shows a result."""

    def show(given: argparse.Namespace) -> Answer:
        options = _commands.given(given, _OPTIONS)
        if "n_datasets" not in options:
            given.parser.error("--n-datasets is required: how many data sets were ranked")
        if str(given.data) == "-":
            given.parser.error("average ranks are read from a file, not from standard input")
        words = speech(_commands.flags((*_READING, *_OPTIONS))).about(given.data.name)
        with words.telling():
            from nbcompare import analysis

            result = analysis.compare_ranks(_read(given), **options)
        if given.json:
            return Answer(result.to_json())
        return Answer(written(result, words.about(*result.design.algorithms), given))

    return Command(
        "compare-ranks",
        "compare algorithms by average ranks, such as those printed in a paper",
        "FILE --n-datasets N [options]",
        _add,
        show,
        "nbcompare compare-ranks ranks.csv --n-datasets 30 --control C4.5",
    )


def _add(parser: OptionParser) -> None:
    parser.add_argument(
        "data", type=Path, metavar="FILE", help=f"table (.csv, .tsv, .xlsx) with {_LAYOUT}"
    )
    parser.add_argument("--json", action="store_true", help=JSON_HELP)
    add_options(parser, "how to read the table", _READING)
    add_options(parser, "what to compute", _OPTIONS)


def _read(given: argparse.Namespace) -> dict[str, float]:
    """Return the average ranks in a file, by algorithm."""
    from nbcompare import _tables

    text = _tables.TextFormat(**_commands.given(given, TEXT_OPTIONS))
    sheet = _commands.given(given, ("sheet",))
    table = _tables.read(given.data, text=text, **sheet)
    names = _columns(table)
    ranks = table.numbers(names[1], names[0])
    found: dict[str, float] = {}
    for row, (algorithm, rank) in enumerate(zip(table.labels(names[0]), ranks, strict=True)):
        if algorithm in found:
            raise DataError(f"{table.cell(row, names[0])}: {algorithm!r} is there twice.")
        if rank != rank:
            raise DataError(f"{table.cell(row, names[1], names[0])} must be a number; it is empty.")
        found[algorithm] = float(rank)
    return found


def _columns(table: RawTable) -> tuple[str, str]:
    """Return the column of the algorithms and that of the ranks, in either order."""
    names = list(table.columns)
    if len(names) != 2:
        raise DataError(f"{table.source} must have {_LAYOUT}; the columns are {listed(names)}.")
    if any(_is_number(name) for name in names):
        raise DataError(
            f"{table.source} must have {_LAYOUT}; its first line, {listed(names)}, seems to be a "
            "row already. Add a line such as algorithm,rank above it."
        )
    first, second = names
    text = [table.is_text(name) for name in names]
    called = ["rank" in name.casefold() for name in names]
    turned = text == [False, True] or (text[0] == text[1] and called == [True, False])
    return (second, first) if turned else (first, second)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
