"""Files of any format; text files with a header, cell by cell or, if plain, at full speed.

Rows are taken in blocks. A block of bare cells, as many in each row as the header has
names, goes through the parser of pandas, which is ten times as fast as Python; any other
block goes through the csv module and gets the errors that say what is wrong where.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._tables import fast
from nbcompare._tables.columns import Coded, Columns, GrowingColumn
from nbcompare._tables.frames import from_parquet
from nbcompare._tables.lines import (
    PARQUET_SUFFIXES,
    SEPARATORS,
    STANDARD_INPUT,
    TEXT_SUFFIXES,
    Lines,
    find_separator,
    has_long_cell,
    header_cells,
    is_compressed,
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
from nbcompare._tables.text_format import PLAIN, Column, TextFormat, read_numerals
from nbcompare._validation import DataError, clean_label, listed, shown

_LINE_SUFFIXES = (".jsonl", ".ndjson")  # a record in each line
_JSON_SUFFIXES = (".json", *_LINE_SUFFIXES)
_SHEET_SUFFIXES = (".xlsx", ".xlsm")
# What the name of a readable file ends in; text may be compressed, and has one of these at its end
SUFFIXES = (*TEXT_SUFFIXES, *_JSON_SUFFIXES, *_SHEET_SUFFIXES, *PARQUET_SUFFIXES)
COMPRESSED_SUFFIXES = (".gz", ".zst")
# So few are read carefully within the time that it takes to import pandas.
_FEW_LETTERS = 100_000
# The parser of pandas reads True and False, in any of their spellings, as 1 and 0, and NUL as the
# end of a cell. It drops a byte-order mark at the beginning of its text.
_NOT_FOR_PANDAS = ("rue", "RUE", "alse", "ALSE", "\0")
_STDIN_NAME = "standard input"
_BLOCK_ROWS = 2**15
_MOST_EMPTY = 2**24  # characters of empty rows, a million rows of sixteen separators
_SAYS_SEPARATOR = re.compile(r"sep=([,;\t])", re.IGNORECASE)
_WHITE = " \t\n\r\v\f"


def read(
    path: str | Path, *, labels: Collection[str], text: TextFormat = PLAIN, sheet: str | None = None
) -> RawTable:
    """Read a file of any format, or standard input.

    Parameters
    ----------
    path : str or Path
        The suffix tells the format: one of ``SUFFIXES``, text also with .gz or .zst. ``-`` is
        text from standard input.
    labels : collection of str
        Columns that hold labels: read as text as they stand, ``007`` and ``NA`` included.
        Compared without regard to case.
    text : TextFormat
        How a text file is written. Parquet files need no such thing.
    sheet : str, optional
        Sheet of a spreadsheet.
    """
    if str(path) == STANDARD_INPUT:
        _refuse_sheet(sheet, _STDIN_NAME)
        with standard_input(text.encoding, _STDIN_NAME) as stream:
            return _Reader(Lines(stream, _STDIN_NAME), None, text).table(labels)
    file = _existing(path)
    suffix = suffix_of(file)
    if suffix in _SHEET_SUFFIXES:
        return read_sheet(file, sheet, labels=labels, text=text)
    _refuse_sheet(sheet, file.name)
    if suffix in PARQUET_SUFFIXES:
        return from_parquet(file)
    with opened_text(file, text.encoding) as stream:
        if suffix in _JSON_SUFFIXES:
            of_json = read_records if suffix in _LINE_SUFFIXES else read_json
            return of_json(stream, file.name, labels=labels, text=text)
        return _Reader(Lines(stream, file.name), file, text).table(labels)


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

    def __init__(self, lines: Lines, file: Path | None, text: TextFormat) -> None:
        self._lines = lines
        self._file = file
        self._source = lines.source
        self._text = text
        self._n_rows = 0
        self._first_lines: list[str] = []
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

    def table(self, labels: Collection[str]) -> RawTable:
        """Read the columns, those of ``labels`` and a first one without a name as text."""
        known = {clean_label(label).casefold() for label in labels} | {""}
        plain = self._all_at_once({name for name in self._names if name.casefold() in known})
        if plain is not None:
            return RawTable(
                self._source, Columns(plain), text=self._text, is_own=True, written=self._written
            )
        columns = [GrowingColumn(name.casefold() in known, self._text) for name in self._names]
        for block in self._blocks(columns):
            for column, cells in zip(columns, block, strict=True):
                column.add(cells)
        done = {name: column.done() for name, column in zip(self._names, columns, strict=True)}
        held = {name for name in done if name.casefold() in known}
        read, percents = read_numerals(done, held, self._text)
        return RawTable(
            self._source, read, text=self._text, percents=percents, written=self._written
        )

    def _written(self) -> Iterator[dict[str, str]]:
        """Yield rows as they are written, from the begin of the file again."""
        lines: AbstractContextManager[Iterable[str]] = nullcontext(self._first_lines)
        n_skipped = 0
        if self._file is not None:
            lines, n_skipped = opened_text(self._file, self._text.encoding), self._header_lines
        with lines as them:
            for cells in rows_of(islice(them, n_skipped, None), self._separator):
                yield dict(zip(self._names, cells, strict=False))

    def _all_at_once(self, labels: Collection[str]) -> dict[str, Column | Coded] | None:
        """Read every column, if the file is large and plain."""
        if self._file is None:
            return None
        try:
            first_row = next(rows_of(list(self._read_ahead), self._separator), [])
        except csv.Error:
            return None
        return fast.columns_of(
            self._file,
            self._names,
            labels,
            first_row,
            header_lines=self._header_lines,
            separator=self._separator,
            text=self._text,
        )

    def _blocks(
        self, columns: Sequence[GrowingColumn]
    ) -> Iterator[Iterable[Sequence[str] | FloatArray]]:
        """Yield blocks of columns: text as lists, numbers as arrays where they are plain."""
        n_separators = len(self._names) - 1
        blocks = self._with_text()
        for lines in blocks:
            text = "".join(lines)
            if '"' in text:
                text = _without_needless_quotes(text, self._separator)
                if '"' in text:  # from here on, a line break may be inside a cell
                    yield from self._cell_by_cell(chain(lines, chain.from_iterable(blocks)))
                    return
                lines = list(io.StringIO(text))
            plain = None
            if (
                n_separators
                and {line.count(self._separator) for line in lines} == {n_separators}
                and not has_long_cell(lines, self._separator)
            ):
                plain = self._at_full_speed(text, columns)
            if plain is None:
                yield from self._cell_by_cell(lines)
            else:
                self._n_rows += len(lines)
                yield plain

    def _with_text(self) -> Iterator[list[str]]:
        """Yield blocks of lines, without those at the end of the file that hold no cell's text."""
        empty = _WHITE + self._separator  # spreadsheets write rows of separators
        held: list[str] = []
        n_held = 0
        first = self._read_ahead + self._lines.block()
        if self._file is None:
            self._first_lines = first  # which cannot be read again
        for lines in chain([first], iter(self._lines.block, [])):
            n_lines = len(lines)
            while n_lines and not lines[n_lines - 1].strip(empty):
                n_lines -= 1
            if n_lines:
                yield held + lines[:n_lines]
                held, n_held = [], 0
            # the lines are equal: one string is enough
            held.extend(map(sys.intern, lines[n_lines:]))
            n_held += sum(map(len, lines[n_lines:]))
            if n_held > _MOST_EMPTY:
                raise DataError(
                    f"{self._source} has more than {_MOST_EMPTY:,} characters of empty rows, one "
                    "after the other. Delete these rows."
                )

    def _cell_by_cell(self, lines: Iterable[str]) -> Iterator[list[tuple[str, ...]]]:
        width = len(self._names)
        rows = rows_of(lines, self._separator)
        at_end = False
        while not at_end:
            block: list[list[str]] = []
            try:
                block.extend(islice(rows, _BLOCK_ROWS))
            except csv.Error as error:
                row = self._n_rows + len(block) + 1
                raise malformed(f"{self._source}, row {row}", error) from None
            finally:  # report the first mistake first
                if set(map(len, block)) - {width}:
                    self._refuse_widths(block)
            at_end = len(block) < _BLOCK_ROWS
            self._n_rows += len(block)
            if block:
                yield list(zip(*block, strict=True))

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

    def _at_full_speed(
        self, text: str, columns: Sequence[GrowingColumn]
    ) -> list[Sequence[str] | FloatArray] | None:
        """Parse the block by pandas; None where that would be wrong."""
        if "pandas" not in sys.modules and len(text) <= _FEW_LETTERS:
            return None  # importing pandas takes longer than reading them carefully
        import pandas as pd

        if any(each in text for each in _NOT_FOR_PANDAS) or text.startswith("\ufeff"):
            return None
        is_text = [column.is_text for column in columns]
        options: dict[str, Any] = {
            "header": None,
            "names": list(range(len(columns))),
            "index_col": False,
            "sep": self._separator,
            "decimal": self._text.decimal_mark,
            "dtype": {i: object if one else np.float64 for i, one in enumerate(is_text)},
            "na_values": {
                i: list(self._text.missing_spellings) for i, one in enumerate(is_text) if not one
            },
            "keep_default_na": False,
            "skipinitialspace": True,
            "quoting": csv.QUOTE_NONE,
            "low_memory": False,
        }
        if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
            options["float_precision"] = "round_trip"  # 0.1 is 0.1, so that ties stay ties
        try:
            frame = pd.read_csv(io.StringIO(text), **options)
        except ValueError:
            return None
        return [
            frame[i].tolist() if one else np.array(frame[i].to_numpy(), dtype=np.float64)
            for i, one in enumerate(is_text)
        ]


def _without_needless_quotes(text: str, separator: str) -> str:
    """Return the text with ``"x"`` as ``x`` where that is the whole of a plain cell.

    A cell of several lines keeps its quotation marks: the first has none to match in its line.
    So does one that begins with a space, which would be lost without them.
    """
    # the lookbehind comes after the mark, since a search for one character is fast
    quoted = rf'"(?<![^\n{separator}]")(?! )([^"\n{separator}]*)"(?![^\n{separator}])'
    return re.sub(quoted, r"\1", text)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
