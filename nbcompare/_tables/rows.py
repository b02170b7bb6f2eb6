"""Rows of cells by the csv module, within limits, and what is wrong with them in our words."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from nbcompare._tables.lines import LONGEST_ROW, Lines, too_long
from nbcompare._validation import DataError, listed

SEPARATORS = (",", ";", "\t")
_LONGEST_RECORD = 100  # lines, if the quoted cells of the header hold line breaks
# In errors of the csv module, and in one of ours that stands among them.
_IS_OPEN = "unexpected end"
_LONG_CELL = "larger than field limit"
_TOO_LONG = "longer than a row may be"


def record(lines: Lines) -> str:
    """Return the lines of the next row: quoted cells may hold line breaks."""
    text = lines.one()
    for _ in range(_LONGEST_RECORD):
        if len(text) > LONGEST_ROW or not any(_is_open(text, mark) for mark in SEPARATORS):
            break
        text += lines.one()
    return text


def _is_open(header: str, separator: str) -> bool:
    try:
        next(rows_of(io.StringIO(header), separator), None)
    except csv.Error as error:
        return _IS_OPEN in str(error)
    return False


def header_cells(text: str, separator: str, source: str) -> list[str]:
    """Return the cells of the header, of which there must be one."""
    try:
        cells = next(rows_of(io.StringIO(text), separator), [])
    except csv.Error as error:
        raise malformed(f"{source}, the header", error) from None
    if not cells:
        raise DataError(f"{source} has no header: its first line names no column.")
    return cells


def find_separator(header: str, first_row: str, source: str) -> str:
    """Return the mark that makes as many cells of the first row as of the header."""
    possible = [mark for mark in SEPARATORS if _n_cells(header, mark) > 1]
    if len(possible) < 2:
        return possible[0] if possible else ","
    found = [mark for mark in possible if _n_cells(first_row, mark) == _n_cells(header, mark)]
    if len(found) != 1:
        raise DataError(
            f"{source}: the header could be separated by {listed(found or possible)}. "
            "Pass separator= to settle it."
        )
    return found[0]


def _n_cells(text: str, separator: str) -> int:
    try:
        return len(next(rows_of(io.StringIO(text), separator), ()))
    except csv.Error:
        return 0  # quotation marks in the wrong places for this separator


def rows_of(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Yield rows of cells, without blank lines."""
    n_characters = 0

    def counted() -> Iterator[str]:
        nonlocal n_characters
        for line in lines:
            n_characters += len(line)
            if n_characters > LONGEST_ROW:
                raise csv.Error(_TOO_LONG)
            yield line

    for row in csv.reader(counted(), delimiter=separator, strict=True, skipinitialspace=True):
        n_characters = 0
        if len(row) > 1 or (row and row[0].strip()):
            yield row


def malformed(where: str, error: csv.Error) -> DataError:
    """Return what the csv module has against a row, as an error in our words."""
    told = str(error)
    if told == _TOO_LONG:
        return too_long(where)
    if _LONG_CELL in told:
        return DataError(
            f"{where}: a cell has more than {csv.field_size_limit():,} characters. "
            "Check that every quotation mark is closed."
        )
    what = (
        "text follows the closing quotation mark of a cell"
        if "expected after" in told
        else "a quotation mark opens a cell that does not end"
    )
    return DataError(f"{where}: {what}. Inside a quoted cell, write a quotation mark twice.")


def has_long_cell(lines: Sequence[str], separator: str) -> bool:
    """Tell whether there is a cell that the csv module would refuse."""
    most = csv.field_size_limit()
    return any(len(line) > most and max(map(len, line.split(separator))) > most for line in lines)
