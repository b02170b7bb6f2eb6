"""Files of any format; text files with a header, cell by cell or, if large, by polars.

The csv module reads every file, with errors that say what is wrong where. A large file goes to
polars first, which is twenty times as fast, and to the csv module if anything in it is odd.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

import numpy as np

from nbcompare._tables.columns import Codes, Coding, Columns, Held, Text
from nbcompare._tables.frames import from_parquet
from nbcompare._tables.lines import (
    PARQUET_SUFFIXES,
    SEPARATORS,
    STANDARD_INPUT,
    TEXT_SUFFIXES,
    find_separator,
    header_cells,
    is_compressed,
    lines_of,
    malformed,
    opened_text,
    record,
    rows_of,
    standard_input,
    suffix_of,
)
from nbcompare._tables.records import read_json, read_records
from nbcompare._tables.spreadsheet import read_sheet
from nbcompare._tables.table import RawTable, check_header
from nbcompare._tables.text_format import PLAIN, TextFormat
from nbcompare._validation import DataError, listed, shown

_LINE_SUFFIXES = (".jsonl", ".ndjson")  # a record in each line
_JSON_SUFFIXES = (".json", *_LINE_SUFFIXES)
_SHEET_SUFFIXES = (".xlsx", ".xlsm")
# What the name of a readable file ends in; text may be compressed, and has one of these at its end
SUFFIXES = (*TEXT_SUFFIXES, *_JSON_SUFFIXES, *_SHEET_SUFFIXES, *PARQUET_SUFFIXES)
COMPRESSED_SUFFIXES = (".gz", ".zst")
LARGE = 2**18  # bytes; smaller files are read within the time that it takes to import polars
_STDIN_NAME = "standard input"
_BLOCK_ROWS = 2**15
_MOST_EMPTY = 2**24  # characters of empty rows, a million rows of sixteen separators
_SAYS_SEPARATOR = re.compile(r"sep=([,;\t])", re.IGNORECASE)
_WHITE = " \t\n\r\v\f"


def read(path: str | Path, *, text: TextFormat = PLAIN, sheet: str | None = None) -> RawTable:
    """Read a file of any format, or standard input.

    Parameters
    ----------
    path : str or Path
        The suffix tells the format: one of ``SUFFIXES``, text also with .gz or .zst. ``-`` is
        text from standard input.
    text : TextFormat
        How a text file is written. Parquet files need no such thing.
    sheet : str, optional
        Sheet of a spreadsheet.
    """
    if str(path) == STANDARD_INPUT:
        _refuse_sheet(sheet, _STDIN_NAME)
        with standard_input(text.encoding, _STDIN_NAME) as stream:
            return _Reader(lines_of(stream, _STDIN_NAME), _STDIN_NAME, None, text).table()
    file = _existing(path)
    suffix = suffix_of(file)
    if suffix in _SHEET_SUFFIXES:
        return read_sheet(file, sheet, text)
    _refuse_sheet(sheet, file.name)
    if suffix in PARQUET_SUFFIXES:
        return from_parquet(file)
    with opened_text(file, text.encoding) as stream:
        if suffix in _JSON_SUFFIXES:
            of_json = read_records if suffix in _LINE_SUFFIXES else read_json
            return of_json(stream, file.name, text)
        return _Reader(lines_of(stream, file.name), file.name, file, text).table()


def _refuse_sheet(sheet: str | None, source: str) -> None:
    if sheet is not None:
        raise ValueError(f"`sheet` must be None, since {source} is no spreadsheet (.xlsx).")


def _existing(path: str | Path) -> Path:
    if not isinstance(path, str | Path):
        raise TypeError(f"`path` must be a str or Path; got {type(path).__name__}.")
    file = Path(path)
    known = (*TEXT_SUFFIXES, *_JSON_SUFFIXES) if is_compressed(file) else SUFFIXES
    if suffix_of(file) not in known:
        raise DataError(f"`path` must end in one of {', '.join(SUFFIXES)}; got {file.name!r}.")
    if file.is_dir():
        raise IsADirectoryError(f"`path` must name a file; {str(path)!r} is a directory.")
    if not file.exists():
        raise FileNotFoundError(f"`path` must name a file; there is no {str(path)!r}.")
    return file


class _Reader:
    """One pass over a text file, or over standard input, which is no file."""

    def __init__(
        self, lines: Iterator[str], source: str, file: Path | None, text: TextFormat
    ) -> None:
        self._lines, self._source, self._file, self._text = lines, source, file, text
        self._n_rows = 0
        header = record(lines).removeprefix("\ufeff")
        said = _SAYS_SEPARATOR.fullmatch(header.strip("\r\n"))
        if said:  # Excel writes and reads such a line above the header
            header = record(lines)
            text = text if text.separator else replace(text, separator=said[1])
            self._text = text
        self._header_lines = max(1, header.count("\n")) + bool(said)
        if not header.strip():
            raise DataError(
                f"{self._source} has no header: its first line is empty. "
                "Add the names of the columns."
            )
        first_row = record(lines)
        self._read_ahead = list(io.StringIO(first_row))
        preset = None if file is None else TEXT_SUFFIXES[suffix_of(file)]
        self._separator = (
            text.separator or preset or find_separator(header, first_row, self._source)
        )
        cells = header_cells(header, self._separator, self._source)
        self._names = check_header(cells, self._source, " The names must be in the first line.")
        others = [mark for mark in SEPARATORS if mark in header]
        if text.separator is None and preset and len(self._names) == 1 and others:
            raise DataError(
                f"{self._source}: no {preset!r} separates the names in the header, "
                f"though it holds {listed(others)}. Pass separator= to settle it."
            )

    def table(self) -> RawTable:
        """Read the columns."""
        held = self._all_at_once() or self._cell_by_cell()
        columns = Columns(dict(zip(self._names, held, strict=True)))
        return RawTable(self._source, columns, text=self._text, is_own=True)

    def _all_at_once(self) -> Sequence[Held] | None:
        """Read every column, if the file is large and nothing in it is odd."""
        is_large = self._file is not None and self._file.stat().st_size >= LARGE
        width = len(self._names)
        if self._file is None or not is_large or not self._text.is_utf8 or width < 2:
            return None
        from nbcompare._tables import large_text  # which imports polars

        layout = large_text.Layout(self._file, width, self._header_lines, self._separator)
        return large_text.columns_of(layout, self._text)

    def _cell_by_cell(self) -> Sequence[Held]:
        places: list[dict[str, int]] = [{} for _ in self._names]
        codes: list[list[Codes]] = [[np.empty(0, dtype=np.int32)] for _ in self._names]
        for rows in self._rows():
            for cells, known, column in zip(zip(*rows, strict=True), places, codes, strict=True):
                numbers = (known.setdefault(cell, len(known)) for cell in cells)
                column.append(np.fromiter(numbers, np.int32, len(cells)))
        return [
            Text(partial(_together, parts, list(known)), self._text)
            for known, parts in zip(places, codes, strict=True)
        ]

    def _rows(self) -> Iterator[list[list[str]]]:
        """Yield rows, some at a time, with as many cells as there are names."""
        width = len(self._names)
        lines = self._without_end(chain(self._read_ahead, self._lines))
        rows = rows_of(lines, self._separator)
        block = [[""]]
        while block:
            block = []
            try:
                block.extend(islice(rows, _BLOCK_ROWS))
            except csv.Error as error:
                row = self._n_rows + len(block) + 1
                raise malformed(f"{self._source}, row {row}", error) from None
            finally:  # report the first mistake first
                if set(map(len, block)) - {width}:
                    self._refuse_widths(block)
            self._n_rows += len(block)
            if block:
                yield block

    def _without_end(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines, without those at the end of the file that hold no cell's text."""
        empty = _WHITE + self._separator  # spreadsheets write rows of separators
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
                    f"{self._source} has more than {_MOST_EMPTY:,} characters of empty rows, one "
                    "after the other. Delete these rows."
                )

    def _refuse_widths(self, block: Sequence[Sequence[str]]) -> None:
        width = len(self._names)
        for row, cells in enumerate(block, start=self._n_rows + 1):
            if len(cells) != width:
                note = (
                    " Delete lines above the header, if there are any."
                    if row == 1 and len(cells) > width
                    else " Delete the row if it is a note."
                    if len(cells) == 1
                    else ""
                )
                raise DataError(
                    f"{self._source}, row {row} has {_counted(len(cells), 'cell')} for the "
                    f"{_counted(width, 'name')} in the header; "
                    f"got {shown(self._separator.join(cells))}. Quote a cell that holds "
                    f"{self._separator!r}; an empty cell keeps its separator.{note}"
                )


def _together(parts: Sequence[Codes], cells: list[str]) -> Coding:
    return np.concatenate(parts), cells


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
