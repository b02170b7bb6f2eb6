"""A first line of scores that was read as the names of columns.

A file that was written without a header has its first data set there, which would be lost without
a word, and algorithms that are called 0.708 and 0.76.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nbcompare._tables import PLAIN, RawTable, numeral, parts_of
from nbcompare._validation import DataError, listed

_MOST = 8  # names that an error spells out
# pandas calls the second column of a name 0.76 by 0.76.1
_TWICE = re.compile(r"(.*[.,]\d+)\.\d+")


def refuse_scores_as_names(table: RawTable, names: Sequence[str], settled: Sequence[str]) -> None:
    """Refuse names of all columns of scores that are numbers with a fraction, as the scores are.

    Whole numbers may well be names, and so may any number that a dataframe has as a number.

    Parameters
    ----------
    table : RawTable
        The table, whose cells are numbers where they can be.
    names : sequence of str
        Its columns of scores.
    settled : sequence of str
        Those that the caller named.
    """
    if table.has_numbers_as_names or set(names) <= set(settled):
        return
    found = False
    for name in names:  # the first name is a word in nearly all tables
        is_fraction = _is_fraction(table, name)
        if is_fraction is None:
            return
        found |= is_fraction
    if not found or not any(_has_fractions(table, name) for name in names):
        return
    remedy = (
        "Add a line with names above it"
        if table.text is not None
        else "Read the file again without a header (pandas.read_csv with header=None), and name "
        "the columns"
    )
    kept = f"keep={list(names)!r}" if len(names) <= _MOST else "keep= with all of these names,"
    raise DataError(
        f"{table.source}: the first line seems to hold scores, for the columns are called "
        f"{listed(names, most=3)}. {remedy}, or pass {kept} if they are names."
    )


def _is_fraction(table: RawTable, name: str) -> bool | None:
    """Tell whether a name is a number with a fraction; None if it is no number."""
    twice = _TWICE.fullmatch(name)
    text = table.text or PLAIN
    score = (parts_of(name) or (name,))[0]
    read = numeral(score, text)
    if read is None and twice is not None:
        score = twice[1]
        read = numeral(score, text)
    if read is None:
        return None
    return text.decimal_mark in score and not read.mark


def _has_fractions(table: RawTable, name: str) -> bool:
    column = table.columns[name]
    if column.dtype == object:
        column = np.array([cell for cell in column if isinstance(cell, float)], dtype=np.float64)
    there = column[np.isfinite(column)]
    return bool((there != np.floor(there)).any())
