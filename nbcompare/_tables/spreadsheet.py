"""Sheets of .xlsx files.

What a program would have to compute or to guess is refused: formulas whose results were not saved,
merged cells, a sheet among several. A percent format is a percent sign.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nbcompare._tables.cells import table_of
from nbcompare._tables.columns import is_blank
from nbcompare._tables.table import RawTable, check_header
from nbcompare._tables.text_format import TextFormat
from nbcompare._validation import DataError, did_you_mean, listed, shown

_MOST_BYTES = 2**29  # of the unpacked parts: a small file can hold gigabytes
_MOST_ROWS = 2**20  # that any spreadsheet has
_MOST_CELLS = 2**23
_UNMARKED = re.compile(r'"[^"]*"|\\.')  # text in a format, of which a percent sign is no percent


def read_sheet(
    file: Path, sheet: str | None, *, labels: Collection[str], text: TextFormat
) -> RawTable:
    """Read a sheet: the first row with a cell in it has the names of the columns."""
    if sheet is not None and not isinstance(sheet, str):
        raise TypeError(f"`sheet` must be the name of a sheet; got {shown(sheet)}.")
    _refuse_bomb(file)
    with _workbook(file) as book:
        name = _chosen(book, sheet, file.name)
        found = _cells(book, name, file.name)
    rows = found.rows
    used = sorted({c for row in rows for c, cell in enumerate(row) if cell is not None})
    if not used:
        raise DataError(f"{file.name}: sheet {name!r} is empty.")
    first, width = used[0], used[-1] + 1 - used[0]
    if any(len(row) < first + width or None in row[first:] for row in rows):
        with _workbook(file, values=False) as book:
            _refuse_unsaid(book, name, file.name, found)
    names = rows[0][first:]
    if len(names) < width:
        raise DataError(
            f"{file.name}: the first row of sheet {name!r} names {len(names)} columns, but there "
            f"are cells in {width}. Name every column in the first row, and delete what stands "
            "above or beside the table."
        )
    clean = check_header(names, file.name)
    if len(rows) * width > _MOST_CELLS:
        raise _too_large(file.name)
    columns = {
        column: [row[c] if c < len(row) else None for row in rows[1:]]
        for c, column in enumerate(clean, start=first)
    }
    percents = {
        column: np.array([(r, c) in found.percents for r in range(1, len(rows))], dtype=np.bool_)
        for c, column in enumerate(clean, start=first)
        if any(at == c for _, at in found.percents)
    }
    notes: tuple[tuple[str, str], ...] = ()
    if percents:
        notes = (
            (
                "percent-format",
                "Cells with a percent format are read as they are shown: a cell that shows 93.5% "
                "is 93.5.",
            ),
        )
    return table_of(file.name, columns, labels=labels, text=text, percents=percents, notes=notes)


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


def _refuse_bomb(file: Path) -> None:
    """Refuse a file of which the parts are too large; no part is longer than it says."""
    import zipfile

    try:
        with zipfile.ZipFile(file) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise _unreadable(file, error) from None
    if size > _MOST_BYTES:
        raise _too_large(file.name)


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
    shown_ones = [each for each in book.worksheets if each.sheet_state == "visible"]
    filled: list[str] = [each.title for each in shown_ones if _has_data(each)]
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


class _Cells(NamedTuple):
    """The rows of a sheet with a cell in them, without empty cells at the end.

    Attributes
    ----------
    rows : list of list
        The cells, None where one is empty.
    numbers : list of int
        The number of each row in the sheet, from 1.
    percents : set of (int, int)
        Row and column of cells with a percent format.
    """

    rows: list[list[Any]]
    numbers: list[int]
    percents: set[tuple[int, int]]


def _cells(book: Any, name: str, source: str) -> _Cells:
    sheet: Any = book[name]
    sheet.reset_dimensions()  # some programs write wrong ones
    found = _Cells([], [], set())
    n_cells = 0
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        if number > _MOST_ROWS or n_cells > _MOST_CELLS:
            raise _too_large(source)
        row = [None if is_blank(cell.value) else cell.value for cell in cells]
        while row and row[-1] is None:
            row.pop()
        if not row:
            continue
        for column, value in enumerate(row):
            if isinstance(value, int | float) and _is_percent(cells[column].number_format):
                found.percents.add((len(found.rows), column))
                # as decimals, so that 0.07 is 7 as it is shown, not 7.000000000000001
                row[column] = float(Decimal(repr(value)).scaleb(2))
        n_cells += len(row)
        found.rows.append(row)
        found.numbers.append(number)
    return found


@lru_cache
def _is_percent(number_format: str) -> bool:
    return "%" in _UNMARKED.sub("", number_format)


def _refuse_unsaid(book: Any, name: str, source: str, found: _Cells) -> None:
    """Refuse merged cells, and formulas without a saved result, where there are empty cells."""
    sheet: Any = book[name]
    for merged in sorted(map(str, sheet.merged_cells.ranges)):
        raise DataError(
            f"{source}: cells {merged} of sheet {name!r} are merged. Unmerge them, and give each "
            "cell its own value."
        )
    saved = dict(zip(found.numbers, found.rows, strict=True))
    for cells in sheet.iter_rows():
        for cell in cells:
            row = saved.get(cell.row, [])
            is_empty = len(row) < cell.column or row[cell.column - 1] is None
            if is_empty and cell.data_type == "f":
                raise DataError(
                    f"{source}: cell {cell.coordinate} of sheet {name!r} holds a formula, and the "
                    "file does not say its result. Open and save it in a spreadsheet program, or "
                    "replace formulas by their values."
                )
