"""Text files with a header, and a separator between cells.

The csv module reads every file, with errors that say what is wrong where. A large file goes to
polars first, which is twenty times as fast, and to the csv module if anything in it is odd.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nbcompare._tables.columns import Coding, Held, Text
from nbcompare._tables.lines import LONGEST_ROW, TEXT_SUFFIXES, check_cells, suffix_of, too_long
from nbcompare._tables.table import RawTable, check_header, joined_levels, name_index
from nbcompare._tables.text_format import PLAIN, TextFormat, numeral
from nbcompare._validation import DataError, clean_label, listed, shown

SEPARATORS = (",", ";", "\t")
LARGE = 2**18  # bytes; smaller files are read within the time that it takes to import polars
_LONGEST_RECORD = 100  # lines, if the quoted cells of the header hold line breaks
_BLOCK_ROWS = 2**15
_MOST_EMPTY = 2**24  # characters of empty rows, a million rows of sixteen separators
_SAYS_SEPARATOR = re.compile(r"sep=([,;\t])", re.IGNORECASE)
_WHITE = " \t\n\r\v\f"
# Words in errors of the csv module, and in one that is raised among them here.
_IS_OPEN = "unexpected end"
_LONG_CELL = "larger than field limit"
_TOO_LONG = "longer than a row may be"


def read_delimited(
    lines: Iterator[str], source: str, file: Path | None, text: TextFormat
) -> RawTable:
    """Read the lines of a file, or of standard input, which is not a file."""
    header = _record(lines).removeprefix("\ufeff")
    said = _SAYS_SEPARATOR.fullmatch(header.strip("\r\n"))
    if said:  # Excel writes and reads such a line above the header
        header = _record(lines)
        text = text if text.separator else replace(text, separator=said[1])
    comments, header, lines = _without_comments(header, lines)
    if not header.strip():
        raise DataError(
            f"{source} has no header: its first line is empty. Add the names of the columns."
        )
    first_row = _record(lines)
    preset = None if file is None else TEXT_SUFFIXES[suffix_of(file)]
    separator = text.separator or preset or _separator(header, first_row, source)
    head = _Header([_header_cells(header, separator, source)], (), [header])
    if not head.is_whole:
        head, first_row = _of_several_levels(head, first_row, lines, separator)
    names = check_header(
        map(joined_levels, zip(*head.levels, strict=True)) if head.levels[1:] else head.levels[0],
        source,
        " The names must be in the first line.",
    )
    others = [mark for mark in SEPARATORS if mark in header]
    if text.separator is None and preset and len(names) == 1 and others:
        raise DataError(
            f"{source}: no {preset!r} separates the names in the header, "
            f"though it holds {listed(others)}. Pass separator= to settle it."
        )
    held: Sequence[Held] | None = None
    is_large = file is not None and file.stat().st_size >= LARGE
    if file is not None and is_large and text.is_utf8 and len(names) > 1:
        from nbcompare._tables import large_text  # which imports polars

        above = [*head.lines, *comments]
        n_lines = sum(max(1, line.count("\n")) for line in above) + bool(said)
        layout = large_text.Layout(file, len(names), n_lines, separator)
        held = large_text.columns_of(layout, text)
    if not held:
        rest = _without_end(chain(io.StringIO(first_row), lines), separator, source)
        held = _cell_by_cell(_rows(rest, separator, len(names), source), len(names), source, text)
    notes = (("comments", "Lines above the header that begin with # were left out."),)
    made = RawTable(
        source, dict(zip(names, held, strict=True)), text=text, notes=notes if comments else ()
    )
    if not head.levels[1:]:
        return made
    levels = dict(zip(names, zip(*head.levels, strict=True), strict=True))
    return replace(made, levels=levels, level_names=head.level_names)


def _without_comments(header: str, lines: Iterator[str]) -> tuple[list[str], str, Iterator[str]]:
    """Return lines of comments, the header below them, and what follows.

    A header may begin with the mark of comments, too: it has as many cells as the row below them.
    """
    marked = [header]
    while marked[-1].startswith("#"):
        marked.append(_record(lines))
    widths = [max(_n_cells(line, mark) for mark in SEPARATORS) for line in marked]
    place = widths.index(widths[-1])
    return marked[:place], marked[place], chain(marked[place + 1 :], lines)


def _record(lines: Iterator[str]) -> str:
    """Return the lines of the next row: quoted cells may hold line breaks."""
    text = next(lines, "")
    for _ in range(_LONGEST_RECORD):
        if len(text) > LONGEST_ROW or not any(_n_cells(text, mark) < 0 for mark in SEPARATORS):
            break
        text += next(lines, "")
    return text


def _cells(record: str, separator: str) -> list[str]:
    return next(_split(io.StringIO(record), separator), [])


def _n_cells(text: str, separator: str) -> int:
    """Return how many cells a row has, fewer than none if one of them does not end."""
    try:
        return len(_cells(text, separator))
    except csv.Error as error:  # quotation marks in the wrong places for this separator
        return -1 if _IS_OPEN in str(error) else 0


def _separator(header: str, first_row: str, source: str) -> str:
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


def _header_cells(text: str, separator: str, source: str) -> list[str]:
    """Return the cells of the header, of which there must be one."""
    try:
        cells = _cells(text, separator)
    except csv.Error as error:
        raise _malformed(f"{source}, the header", error) from None
    if not cells:
        raise DataError(
            f"{source} has no header: its first line names no column. Add the names of the columns."
        )
    return cells


class _Header(NamedTuple):
    """Labels of the columns on each level, names of these levels, and the lines that say both."""

    levels: list[list[str]]
    level_names: tuple[str | None, ...]
    lines: list[str]

    @property
    def is_whole(self) -> bool:
        """Whether the first level names every column, each differently."""
        names = self.levels[0]
        return len({*names}) == len(names) and all(names[1:])


def _of_several_levels(
    head: _Header, first_row: str, lines: Iterator[str], separator: str
) -> tuple[_Header, str]:
    """Return the header with the level that may stand below it, and the row that follows it.

    Names that repeat, or have gaps, are groups of the names in the row below them, if these are no
    numbers, or if the names of the index stand below them, where pandas writes these.
    """
    groups = list(map(clean_label, head.levels[0]))
    for place in range(2, len(groups)):
        groups[place] = groups[place] or groups[place - 1]
    labels, next_row = _labels(first_row, separator), _record(lines)
    levels = [groups, labels]
    are_distinct = len(labels) == len(groups) == len({*zip(*levels, strict=False)})
    if are_distinct and all(groups[1:]) and all(labels[1:]):
        level_names = name_index(levels, _labels(next_row, separator))
        said = [*head.lines, first_row]
        if level_names is not None:
            return _Header(levels, level_names, [*said, next_row]), _record(lines)
        if not any(label and numeral(label, PLAIN) for label in labels):
            first = (groups[0], labels[0])
            if all(first) and first[0] != first[1]:  # so that it names the levels, and no column
                groups[0] = labels[0] = ""
                return _Header(levels, first, said), next_row
            return _Header(levels, (), said), next_row
    return head, first_row + next_row


def _labels(record: str, separator: str) -> list[str]:
    try:
        return list(map(clean_label, _cells(record, separator)))
    except csv.Error:  # which is told when the row is read
        return []


def _without_end(lines: Iterable[str], separator: str, source: str) -> Iterator[str]:
    """Yield lines, without those at the end of the file that hold no cell's text."""
    empty = _WHITE + separator  # spreadsheets write rows of separators
    held: list[str] = []
    n_held = 0
    for line in lines:
        if line.strip(empty):
            yield from held
            yield line
            held, n_held = [], 0
            continue
        held.append(sys.intern(line))  # they are equal: one string is enough
        n_held += len(line)
        if n_held > _MOST_EMPTY:
            raise DataError(
                f"{source} has more than {_MOST_EMPTY:,} characters of empty rows, one "
                "after the other. Delete these rows."
            )


def _split(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
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


def _rows(lines: Iterable[str], separator: str, width: int, source: str) -> Iterator[list[str]]:
    """Yield rows with as many cells as there are names."""
    rows = _split(lines, separator)
    for number in count(1):
        where = f"{source}, row {number}"
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise _malformed(where, error) from None
        if row is None:
            return
        if len(row) != width:
            note = " Delete the row if it is a note." if len(row) == 1 else ""
            if number == 1 and len(row) > width:
                note = " Delete lines above the header, if there are any."
            raise DataError(
                f"{where} has {_counted(len(row), 'cell')} for the {_counted(width, 'name')} in "
                f"the header; got {shown(separator.join(row))}. Quote a cell that holds "
                f"{separator!r}; an empty cell keeps its separator.{note}"
            )
        yield row


def _cell_by_cell(
    rows: Iterator[list[str]], width: int, source: str, text: TextFormat
) -> list[Held]:
    """Return columns of which each cell is kept once."""
    places: list[dict[str, int]] = [{} for _ in range(width)]
    codes = [array("i") for _ in range(width)]
    n_rows = 0
    while block := list(islice(rows, _BLOCK_ROWS)):
        n_rows += len(block)
        check_cells(n_rows * width, source)
        for cells, known, numbers in zip(zip(*block, strict=True), places, codes, strict=True):
            numbers.extend([known.setdefault(cell, len(known)) for cell in cells])

    def coding(column: int) -> Coding:
        return np.array(codes[column], dtype=np.int32), list(places[column])

    return [Text(partial(coding, column), text) for column in range(width)]


def _malformed(where: str, error: csv.Error) -> DataError:
    """Return an error that says what the csv module found wrong with a row."""
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


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
