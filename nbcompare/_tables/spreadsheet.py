"""Sheets of .xlsx files.

What a program would have to compute or to guess is refused: formulas whose results were not saved,
a sheet among several, what is hidden, and merged cells, unless they are in one column or in the
header, which then has several rows. A percent format is a percent sign.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from nbcompare._tables.columns import is_blank
from nbcompare._tables.lines import check_bytes, check_cells, checked_file
from nbcompare._tables.table import RawTable, check_header, joined_levels, name_index, table_of
from nbcompare._tables.text_format import TextFormat, numeral
from nbcompare._validation import (
    DataError,
    because,
    clean_label,
    did_you_mean,
    listed,
    named,
    shown,
)

# A quarter of a minute, unless the user has set limits: a sheet takes 20 times as long as CSV
_MOST_BYTES = 2**27  # of the unpacked parts
_MOST_CELLS = 2**21
_MOST_ROWS = 2**20  # that any spreadsheet has
_BLOCK = 2**24  # bytes
_YES = ("1", "true", "t")
_CELL = re.compile(rb"<(?:\w+:)?c[\s>]")
_UNMARKED = re.compile(r'"[^"]*"|\\.')  # text in a format, of which a percent sign is no percent
# In the XML of a sheet: what is hidden or merged, and a formula without a result
_SAYS_MORE = re.compile(
    rb"hidden\s*=\s*[\"'][1t]|mergeCell\b"
    rb"|(?:</(?:\w+:)?f|<(?:\w+:)?f\b[^<>]*/)>(?!\s*<(?:\w+:)?v>[^<])"
)
_PERCENTS = (
    "Cells with a percent format are read as they are shown: a cell that shows 93.5% is 93.5."
)


def read_sheet(file: Path, sheet: str | None, text: TextFormat) -> RawTable:
    """Read a sheet: the first row with a cell in it has the names of the columns."""
    if sheet is not None and not isinstance(sheet, str):
        raise TypeError(f"`sheet` must be the name of a sheet; got {shown(sheet)}.")
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ImportError(
            "reading .xlsx files needs openpyxl: pip install 'nbcompare[excel]'"
        ) from None
    with _explained(file):
        says_more = _look_through(file)
        with closing(load_workbook(file, read_only=True, data_only=True)) as book:
            name = _chosen(book, sheet, file.name)
            found = _Sheet(book[name], file.name)
            if says_more:
                found.settle(_Hints(file, book[name]._worksheet_path))  # noqa: SLF001 - no other way
    return found.table(text)


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Explain what keeps a file from being read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about pictures, rules and styles that are not read
        try:
            yield
        except (DataError, PermissionError, MemoryError):
            raise
        except Exception as error:  # openpyxl raises errors of many classes
            raise DataError(
                f"{file.name} is not a readable .xlsx file{because(error)}. "
                "A file with a password must be saved without one."
            ) from None


def _look_through(file: Path) -> bool:
    """Tell whether values say not all of the sheets; refuse a file of which the parts are large.

    No part is longer than it says.
    """
    size, says_more, n_cells = checked_file(file), False, 0
    with zipfile.ZipFile(file) as parts:
        total = sum(part.file_size for part in parts.infolist())
        check_bytes(total, file.name, size, _MOST_BYTES)
        names = [name for name in parts.namelist() if "worksheets/" in name]
        for name in names:
            content = parts.read(name)
            for start in range(0, len(content), _BLOCK):
                n_cells += len(_CELL.findall(content, start, start + _BLOCK))
                check_cells(n_cells, file.name, _MOST_CELLS)
            says_more = says_more or bool(_SAYS_MORE.search(content))
    return says_more or not names


def _chosen(book: Any, sheet: str | None, source: str) -> str:
    """Return the sheet that was asked for, or the only one with data."""
    names: list[str] = [each.title for each in book.worksheets]
    if sheet is not None and sheet not in names:
        raise DataError(
            f"`sheet` must be a sheet of {source}, one of {listed(names)}; got "
            f"{shown(sheet)}.{did_you_mean(sheet, names)}"
        )
    if sheet is not None:
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
    sheet.reset_dimensions()  # some programs write wrong ones
    rows = zip(range(_MOST_ROWS), sheet.iter_rows(values_only=True), strict=False)
    return any(not is_blank(cell) for _, row in rows for cell in row)


class _Hints:
    """What the XML of a sheet says beside values; openpyxl would make a cell of each empty one.

    Attributes
    ----------
    unsaved : str
        The first cell with a formula without a saved result; empty if there is none.
    rows, columns : list
        Hidden ones: numbers of rows, first and last columns.
    merged : dict
        Bounds (left, top, right, bottom) of merged cells by their names.
    """

    def __init__(self, file: Path, part: str) -> None:
        from openpyxl.utils import range_boundaries

        self.unsaved = ""
        self.rows: list[int] = []
        self.columns: list[tuple[int, int]] = []
        self.merged: dict[str, tuple[int, int, int, int]] = {}
        number, inside = 0, None
        with zipfile.ZipFile(file) as parts, parts.open(part) as stream:
            for event, element in ElementTree.iterparse(stream, ("start", "end")):
                name, about = element.tag.rpartition("}")[2], element.attrib
                if event == "start":
                    inside = element if name == "sheetData" else inside
                    number = int(about.get("r", number + 1)) if name == "row" else number
                elif name == "row":
                    if about.get("hidden") in _YES:
                        self.rows.append(number)
                    if not self.unsaved:
                        self.unsaved = next(filter(None, map(_unsaved, element)), "")
                    if inside is not None:
                        inside.clear()  # what was read
                elif name == "col" and about.get("hidden") in _YES:
                    self.columns.append((int(about["min"]), int(about["max"])))
                elif name == "mergeCell":
                    self.merged[about["ref"]] = range_boundaries(about["ref"])


def _unsaved(cell: ElementTree.Element) -> str:
    """Return the name of a cell with a formula without a saved result, nothing of another."""
    texts = {one.tag.rpartition("}")[2]: one.text for one in cell}
    return cell.get("r", "in a row") if "f" in texts and not texts.get("v") else ""


class _Percent(str):
    """What a cell with a percent format shows."""

    __slots__ = ()


class _Sheet:
    """The cells of a sheet as a grid, without empty rows and what is empty around it."""

    def __init__(self, sheet: Any, source: str) -> None:
        self._source, self._name = source, f"sheet {sheet.title!r}"
        self._n_header = 1  # rows
        self._notes: list[tuple[str, str]] = []
        self._level_names: tuple[str | None, ...] = ()
        self._merged: list[str] = []  # below the header
        rows: dict[int, list[Any]] = {}
        width = 0
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(), start=1):
            row = [_value(cell) for cell in cells]
            while row and row[-1] is None:
                row.pop()
            if row:
                rows[number], width = row, max(width, len(row))
            check_cells(width * len(rows), source, _MOST_CELLS)
            if number > _MOST_ROWS:
                raise DataError(
                    f"{source}: {self._name} has more than {_MOST_ROWS:,} rows, the most that any "
                    "spreadsheet has. Save the table as CSV or Parquet."
                )
        if not rows:
            raise DataError(f"{source}: {self._name} is empty.")
        full = [[*row, *[None] * (width - len(row))] for row in rows.values()]
        first = min(next(i for i, cell in enumerate(row) if cell is not None) for row in full)
        self._grid = np.array(full, dtype=object)[:, first:]
        self._rows, self._columns = np.array(list(rows)), np.arange(first, width) + 1

    def settle(self, hints: _Hints) -> None:
        """Take what values do not tell: results that were not saved, hidden and merged cells."""
        if hints.unsaved:
            raise DataError(
                f"{self._source}: cell {hints.unsaved} of {self._name} holds a formula, "
                "and the file does not say its result. Open and save it in a spreadsheet "
                "program, or replace formulas by their values."
            )
        self._refuse_hidden(hints)
        merged = sorted(hints.merged.items(), key=lambda it: (it[1][0] == it[1][2], it[1][1]))
        for cells, bounds in merged:
            self._fill(cells, *bounds)  # wide ones first, which tell the header

    def _refuse_hidden(self, hints: _Hints) -> None:
        from openpyxl.utils import get_column_letter

        is_hidden = np.zeros(len(self._columns), dtype=np.bool_)
        for first, last in hints.columns:
            is_hidden |= (first <= self._columns) & (self._columns <= last)
        rows = self._rows[np.isin(self._rows, hints.rows)]
        letters = list(map(get_column_letter, self._columns[is_hidden]))
        hidden = [
            f"{noun}{'s' if len(each) > 1 else ''} {named(each)}"
            for noun, each in (("row", list(map(str, rows))), ("column", letters))
            if each
        ]
        if hidden:
            raise DataError(
                f"{self._source}: {self._name} hides {' and '.join(hidden)}. In the "
                "spreadsheet program, show what is hidden (clear the filter, if there is one), or "
                "delete it."
            )

    def _fill(self, cells: str, left: int, top: int, right: int, bottom: int) -> None:
        """Fill merged cells: down a column, or to the right in a header of several rows."""
        first, end = map(int, np.searchsorted(self._rows, [top, bottom + 1]))
        values = self._grid[first:end, slice(*np.searchsorted(self._columns, [left, right + 1]))]
        value = next((cell for cell in values.flat if cell is not None), None)
        if value is None or values.size == 1:
            return
        is_wide, in_header = values.shape[1] > 1, first < self._n_header
        if is_wide and in_header:
            self._n_header = max(self._n_header, end + 1)
        last = self._grid[self._n_header - 1 : self._n_header].flat  # row of the header
        holds_scores = any(
            (isinstance(cell, float) and cell % 1) or isinstance(cell, _Percent) for cell in last
        )
        if end > self._n_header or holds_scores if in_header else is_wide:
            raise DataError(
                f"{self._source}: cells {cells} of {self._name} are merged. Unmerge them, and "
                "give each cell its own value."
            )
        values[:] = value
        if not in_header:
            self._merged.append(cells)

    def table(self, text: TextFormat) -> RawTable:
        """Return what stands below the header, in columns under the names in it."""
        header = self._header(text)
        names = check_header(
            map(joined_levels, header),
            self._source,
            " The names must be in the first row: delete what stands above or beside the table.",
        )
        cells = self._grid[self._n_header :]
        percents = np.frompyfunc(lambda cell: isinstance(cell, _Percent), 1, 1)(cells).astype(bool)
        cells[percents] = [str(it).replace(".", text.decimal_mark) for it in cells[percents]]
        columns = dict(zip(names, cells.T.tolist(), strict=True))
        if percents.any():
            self._notes.append(("percent-format", _PERCENTS))
        if self._merged:
            told = f"Merged cells ({named(self._merged)}) are read as if each held their value."
            self._notes.append(("merged-cells", told))
        made = table_of(self._source, columns, text=text)
        levels = dict(zip(names, header, strict=True)) if len(header[0]) > 1 else {}
        return replace(made, notes=tuple(self._notes), levels=levels, level_names=self._level_names)

    def _header(self, text: TextFormat) -> list[tuple[str, ...]]:
        """Return the labels of each column by level, without a title over all of them."""
        first, second = self._grid[0], self._grid[1:2].ravel().tolist()
        n_labels = sum(cell is not None for cell in first)
        are_names = [isinstance(cell, str) and not numeral(cell, text) for cell in second]
        if self._n_header == 1 and 1 < n_labels < len(first) and are_names and all(are_names):
            self._n_header = 2  # the first names groups of the names in the second
            for place in range(1, len(first)):
                first[place] = first[place - 1] if first[place] is None else first[place]
        levels = [list(map(_label, row)) for row in self._grid[: self._n_header]]
        for title in levels[:-1]:
            if len(title) > 1 and len(set(title)) == 1:
                levels.remove(title)
                told = f"The title {title[0]!r} above the table was left out."
                self._notes.append(("title", told))
        below = [_label(cell) for cell in self._grid[self._n_header : self._n_header + 1].flat]
        level_names = name_index(levels, below) if self._n_header > 1 else None
        if level_names is not None:
            self._n_header, self._level_names = self._n_header + 1, level_names
        return list(zip(*levels, strict=True))


def _value(cell: Any) -> Any:
    value = None if is_blank(cell.value) else cell.value
    if isinstance(value, int | float) and _is_percent(cell.number_format):
        # as decimals, so that 0.07 is 7 as it is shown, not 7.000000000000001
        return _Percent(f"{Decimal(repr(value)).scaleb(2):f}%")
    return value


def _label(cell: Any) -> str:
    return "" if is_blank(cell) else clean_label(cell)


@lru_cache
def _is_percent(number_format: str) -> bool:
    return "%" in _UNMARKED.sub("", number_format)
