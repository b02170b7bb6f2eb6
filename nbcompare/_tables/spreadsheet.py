"""Sheets of .xlsx files.

What a program would have to compute or to guess is refused: formulas whose results were not saved,
cells merged over several columns, a sheet among several, and rows and columns that are hidden. A
percent format is a percent sign.
"""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._tables.cells import table_of
from nbcompare._tables.columns import is_blank
from nbcompare._tables.table import RawTable, check_header
from nbcompare._tables.text_format import TextFormat, numeral
from nbcompare._validation import (
    DataError,
    check_choice,
    clean_label,
    did_you_mean,
    listed,
    named,
    shown,
)

_MOST_BYTES = 2**29  # of the unpacked parts: a small file can hold gigabytes
_MOST_ROWS = 2**20  # that any spreadsheet has
_MOST_CELLS = 2**23
_UNMARKED = re.compile(r'"[^"]*"|\\.')  # text in a format, of which a percent sign is no percent
_PERCENTS = (
    "Cells with a percent format are read as they are shown: a cell that shows 93.5% is 93.5."
)
_STRUCTURE = re.compile(rb"hidden\s*=\s*[\"'][1t]|mergeCell\b")  # in the XML of a sheet


def read_sheet(
    file: Path,
    sheet: str | None,
    *,
    labels: Collection[str],
    text: TextFormat,
    hidden: str | None = None,
) -> RawTable:
    """Read a sheet: the first row with a cell in it has the names of the columns.

    Parameters
    ----------
    file : Path
        The workbook.
    sheet : str or None
        One of its sheets; None for the only one with data.
    labels, text
        As :func:`nbcompare._tables.read` takes them.
    hidden : {"read", "leave out"} or None
        What to do with hidden rows and columns; None refuses them.
    """
    if sheet is not None and not isinstance(sheet, str):
        raise TypeError(f"`sheet` must be the name of a sheet; got {shown(sheet)}.")
    if hidden is not None:
        check_choice(hidden, "hidden", ("read", "leave out"))
    has_structure = _look_through(file)
    with _workbook(file) as book:
        name = _chosen(book, sheet, file.name)
        found = _Sheet(book[name], file.name)
    if has_structure or found.has_gaps:
        with _workbook(file, values=False) as book:
            found.settle(book[name], hidden)
    return found.table(labels, text)


@contextmanager
def _workbook(file: Path, *, values: bool = True) -> Iterator[Any]:
    """Open a file; its values row by row, or its formulas and merged cells all at once."""
    try:
        import openpyxl
    except ImportError:
        raise ImportError(
            "reading .xlsx files needs openpyxl: pip install 'nbcompare[excel]'"
        ) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about pictures, rules and styles that are not read
        try:
            book = openpyxl.load_workbook(file, read_only=values, data_only=values)
            try:
                yield book
            finally:
                book.close()
        except (DataError, PermissionError, MemoryError):
            raise
        except Exception as error:  # openpyxl raises errors of many classes
            raise _unreadable(file, error) from None


def _unreadable(file: Path, error: Exception) -> DataError:
    reason = " ".join(str(error).replace(str(file), file.name).split()) or type(error).__name__
    return DataError(
        f"{file.name} is not a readable .xlsx file: {reason}. A file with a password must be "
        "saved without one."
    )


def _look_through(file: Path) -> bool:
    """Tell whether a sheet may hide or merge cells; refuse a file of which the parts are large.

    No part is longer than it says.
    """
    try:
        with zipfile.ZipFile(file) as parts:
            if sum(part.file_size for part in parts.infolist()) > _MOST_BYTES:
                raise _too_large(file.name)
            sheets = [name for name in parts.namelist() if "worksheets/" in name]
            return not sheets or any(_STRUCTURE.search(parts.read(name)) for name in sheets)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise _unreadable(file, error) from None


def _too_large(source: str) -> DataError:
    return DataError(
        f"{source} is too large for a spreadsheet to be read: at most {_MOST_CELLS:,} cells and "
        f"{_MOST_BYTES:,} bytes when unpacked. Save the table as CSV or Parquet."
    )


def _chosen(book: Any, sheet: str | None, source: str) -> str:
    """Return the sheet that was asked for, or the only one with data."""
    names: list[str] = [each.title for each in book.worksheets]
    if sheet is not None:
        if sheet not in names:
            raise DataError(
                f"`sheet` must be a sheet of {source}, one of {listed(names)}; got "
                f"{shown(sheet)}.{did_you_mean(sheet, names)}"
            )
        return sheet
    visible = [each for each in book.worksheets if each.sheet_state == "visible"]
    filled: list[str] = [each.title for each in visible if _has_data(each)]
    if len(filled) > 1:
        raise DataError(
            f"{source}: sheets {listed(filled)} hold data. Pass sheet={filled[0]!r}, for instance."
        )
    if not filled:
        raise DataError(f"{source} holds no data: every sheet is empty.")
    return filled[0]


def _has_data(sheet: Any) -> bool:
    sheet.reset_dimensions()
    rows = zip(range(_MOST_ROWS), sheet.iter_rows(values_only=True), strict=False)
    return any(not is_blank(cell) for _, row in rows for cell in row)


class _Sheet:
    """The cells of a sheet as a grid, without empty rows and what is empty around it."""

    def __init__(self, sheet: Any, source: str) -> None:
        self._name, self._source = sheet.title, source
        self._depth = 1  # rows of the header
        self._merged: list[str] = []
        self._notes: list[tuple[str, str]] = []
        rows: dict[int, list[Any]] = {}
        percents: list[tuple[int, int]] = []
        width = 0
        sheet.reset_dimensions()  # some programs write wrong ones
        for number, cells in enumerate(sheet.iter_rows(), start=1):
            row = [None if is_blank(cell.value) else cell.value for cell in cells]
            while row and row[-1] is None:
                row.pop()
            for column, value in enumerate(row):
                if isinstance(value, int | float) and _is_percent(cells[column].number_format):
                    percents.append((len(rows), column))
                    # as decimals, so that 0.07 is 7 as it is shown, not 7.000000000000001
                    row[column] = float(Decimal(repr(value)).scaleb(2))
            if row:
                rows[number], width = row, max(width, len(row))
            if number > _MOST_ROWS or width * len(rows) > _MOST_CELLS:
                raise _too_large(source)
        if not rows:
            raise DataError(f"{source}: sheet {self._name!r} is empty.")
        grid = np.full((len(rows), width), None, dtype=object)
        signs = np.zeros(grid.shape, dtype=np.bool_)
        for place, row in enumerate(rows.values()):
            grid[place, : len(row)] = row
        for cell in percents:
            signs[cell] = True
        first = int(np.not_equal(grid, None).any(axis=0).argmax())
        self._grid, self._signs = grid[:, first:], signs[:, first:]
        self._rows, self._columns = np.array(list(rows)), np.arange(first, width) + 1

    @property
    def has_gaps(self) -> bool:
        """Whether any cell of the grid is empty."""
        return bool(np.equal(self._grid, None).any())

    def settle(self, sheet: Any, hidden: str | None) -> None:
        """Take what values do not tell: results that were not saved, hidden and merged cells."""
        places = dict(zip(self._rows.tolist(), self._grid, strict=True))
        left = int(self._columns[0])
        for cell in chain.from_iterable(sheet.iter_rows()):
            if cell.data_type == "f":
                saved = places.get(cell.row, ())[max(0, cell.column - left) :]
                if cell.column < left or not len(saved) or saved[0] is None:
                    raise DataError(
                        f"{self._source}: cell {cell.coordinate} of sheet {self._name!r} holds a "
                        "formula, and the file does not say its result. Open and save it in a "
                        "spreadsheet program, or replace formulas by their values."
                    )
        self._settle_hidden(sheet, hidden)
        merged = sheet.merged_cells.ranges
        for each in sorted(merged, key=lambda it: (it.min_col == it.max_col, it.min_row)):
            self._fill(str(each), *each.bounds)  # wide ones first, which tell the header

    def _settle_hidden(self, sheet: Any, hidden: str | None) -> None:
        rows = np.isin(self._rows, [n for n, it in sheet.row_dimensions.items() if it.hidden])
        columns = np.zeros(len(self._columns), dtype=np.bool_)
        for each in sheet.column_dimensions.values():
            if each.hidden:
                columns |= (each.min <= self._columns) & (self._columns <= each.max)
        hidden_ones = (
            _stretches("row", self._rows[rows], str),
            _stretches("column", self._columns[columns], _letter),
        )
        what = " and ".join(filter(None, hidden_ones))
        if not what:
            return
        if hidden is None:
            raise DataError(
                f"{self._source}, sheet {self._name!r}: hidden {what}. In the spreadsheet program, "
                "show what is hidden (clear the filter, if there is one), or delete it; or pass "
                "hidden='read' or hidden='leave out'."
            )
        self._notes.append(("hidden", f"Hidden {what}: {hidden.replace('leave', 'left')}."))
        if hidden == "leave out":
            self._grid, self._signs = (
                cells[~rows][:, ~columns] for cells in (self._grid, self._signs)
            )
            self._rows, self._columns = self._rows[~rows], self._columns[~columns]
            if not self._grid.size:
                raise DataError(f"{self._source}: all cells of sheet {self._name!r} are hidden.")

    def _fill(self, cells: str, left: int, top: int, right: int, bottom: int) -> None:
        """Fill merged cells: down a column, or to the right in a header of several rows."""
        rows = slice(*np.searchsorted(self._rows, [top, bottom + 1]))
        columns = slice(*np.searchsorted(self._columns, [left, right + 1]))
        values, signs = self._grid[rows, columns], self._signs[rows, columns]
        value = next((cell for cell in values.flat if cell is not None), None)
        if value is None or values.size < 2:
            return
        is_wide, in_header = values.shape[1] > 1, rows.start < self._depth
        if is_wide and in_header:
            self._depth = max(self._depth, rows.stop + 1)
        if rows.stop > self._depth if in_header else is_wide:
            raise DataError(
                f"{self._source}: cells {cells} of sheet {self._name!r} are merged. Unmerge them, "
                "and give each cell its own value."
            )
        values[:], signs[:] = value, signs.any()
        if not in_header:
            self._merged.append(cells)

    def table(self, labels: Collection[str], text: TextFormat) -> RawTable:
        """Return what stands below the header, in columns under the names in it."""
        self._spread_first_row(text)
        header = self._header()
        n_named = max(
            (place for place, (name, *_) in enumerate(header, start=1) if name), default=0
        )
        if self._depth == 1 and n_named < len(header):
            raise DataError(
                f"{self._source}: the first row of sheet {self._name!r} names {n_named} columns, "
                f"but there are cells in {len(header)}. Name every column in the first row, and "
                "delete what stands above or beside the table."
            )
        names = check_header(
            (" / ".join(dict.fromkeys(filter(None, each))) for each in header), self._source
        )
        signs = dict(zip(names, self._signs[self._depth :].T, strict=True))
        percents = {name: rows for name, rows in signs.items() if rows.any()}
        if percents:
            self._notes.append(("percent-format", _PERCENTS))
        if self._merged:
            told = f"Merged cells ({named(self._merged)}) are read as if each had their value."
            self._notes.append(("merged-cells", told))
        columns = dict(zip(names, self._grid[self._depth :].T.tolist(), strict=True))
        made = table_of(
            self._source,
            columns,
            labels=labels,
            text=text,
            percents=percents,
            notes=tuple(self._notes),
        )
        has_levels = len(header[0]) > 1
        return replace(made, levels=dict(zip(names, header, strict=True)) if has_levels else {})

    def _spread_first_row(self, text: TextFormat) -> None:
        """Take a first row with gaps, above one of names, for a level that names groups of them."""
        first, second = self._grid[0], self._grid[1:2].flat
        n_labels = np.count_nonzero(np.not_equal(first, None))
        are_names = [isinstance(cell, str) and not numeral(cell, text) for cell in second]
        if self._depth == 1 and 1 < n_labels < len(first) and are_names and all(are_names):
            self._depth = 2
            for place in range(1, len(first)):
                first[place] = first[place - 1] if first[place] is None else first[place]

    def _header(self) -> list[tuple[str, ...]]:
        """Return the labels of each column by level, without a title over all of them."""
        levels = [
            ["" if is_blank(cell) else clean_label(cell) for cell in row]
            for row in self._grid[: self._depth]
        ]
        for title in levels[:-1]:
            if len(title) > 1 and len(set(title)) == 1:
                levels.remove(title)
                self._notes.append(
                    ("title", f"The title {title[0]!r} above the table was left out.")
                )
        header = list(zip(*levels, strict=True))
        below = self._grid[self._depth : self._depth + 1].ravel().tolist()
        n_index = below.index(None) if None in below else 0
        if (
            self._depth > 1
            and n_index
            and all(isinstance(cell, str) for cell in below[:n_index])
            and not any(cell is not None for cell in below[n_index:])
            and all(all(each) or not any(each) for each in header[:n_index])
        ):  # pandas writes the names of the index below all levels
            self._depth += 1
            none = ("",) * (len(levels) - 1)
            header[:n_index] = [(*none, clean_label(cell)) for cell in below[:n_index]]
        return header


def _stretches(noun: str, numbers: IntArray, spell: Callable[[int], str]) -> str:
    """Name rows or columns: ``rows 3, 7 to 9``; nothing if there are none."""
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    spelled = [
        " to ".join(dict.fromkeys(spell(int(end)) for end in (part[0], part[-1])))
        for part in parts
        if part.size
    ]
    return f"{noun}{'s' if len(numbers) > 1 else ''} {named(spelled)}" if spelled else ""


def _letter(number: int) -> str:
    """Return the letters of a column: A to Z, AA, ..."""
    rest, last = divmod(number - 1, 26)
    return f"{_letter(rest) if rest else ''}{chr(65 + last)}"


@lru_cache
def _is_percent(number_format: str) -> bool:
    return "%" in _UNMARKED.sub("", number_format)
