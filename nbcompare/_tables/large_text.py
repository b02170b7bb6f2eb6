"""Large text files, read by polars.

What comes back is what the careful reader would give; whenever that is not certain, nothing
does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import codecs
import csv
import mmap
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import polars as pl

from nbcompare._tables.columns import (
    SAMPLE,
    Coding,
    Held,
    Text,
    choices_of,
    coded,
    empty_gaps,
    floats_of,
    is_blank,
)
from nbcompare._tables.lines import check_cells, is_compressed, opened
from nbcompare._tables.origin import require_bytes
from nbcompare._tables.text_format import TextFormat
from nbcompare._validation import DataError

_BEGIN = 2**20  # bytes of the first rows, from which the others are guessed
_PART, _APART, _MOST_PARTS = 2**12, 2**18, 2**11  # bytes of rows between, and between these
_BLOCK = 2**23  # bytes in which a line ends
_CACHED = 2**18  # bytes that stay in the processor's cache
_OF_A_CELL = 32  # bytes: a view of its text, a number, and what polars takes on the way
_Data = bytes | mmap.mmap


class _UnsureError(ValueError):
    """It takes more care to read this file."""


class Layout(NamedTuple):
    """A file, its number of columns, the lines of its header, and the mark between its cells."""

    file: Path
    width: int
    header_lines: int
    separator: str


def columns_of(layout: Layout, text: TextFormat) -> list[Held] | None:
    """Return the columns of a file; None if it takes more care to read them."""
    try:
        data = _bytes_of(layout)
        _check_size(data, layout)
        quote = _quotation(data, layout.separator)
        read = partial(_read, data if isinstance(data, bytes) else layout.file, layout, quote)
        begin = _read(_sample(data, layout), layout._replace(header_lines=0), quote)
        kinds = {cells.name: _type_of(cells, layout.separator, text) for cells in begin}
        frame = _checked(_with_kinds(read, kinds), data, layout, quote)
    except (MemoryError, DataError):
        raise
    except (Exception, pl.exceptions.PanicException):  # which is not an Exception
        return None
    numbers = frame.select(pl.col(pl.Float64))
    floats = empty_gaps(floats_of(numbers.get_columns()), text)
    columns: list[Held] = [Text(partial(coded, cells), text) for cells in frame]
    for name, values in zip(numbers.columns, floats, strict=True):
        load = partial(_coded_again, read, int(name), len(values))
        first = [cell or "" for cell in begin[name].head(SAMPLE).to_list()]
        columns[int(name)] = Text(load, text, values, first)
    return columns


def _sample(data: _Data, layout: Layout) -> bytes:
    """Return the first rows, and some from everywhere, so that few labels are in none of them."""
    start = _start(data, layout)
    parts = [data[start : data.rfind(b"\n", start, start + _BEGIN) + 1]]
    for at in range(start + _BEGIN, len(data), max(_APART, len(data) // _MOST_PARTS)):
        first = data.find(b"\n", at, at + _PART) + 1
        parts.append(data[first : data.rfind(b"\n", first, at + _PART) + 1] if first else b"")
    return b"".join(parts)


def _type_of(cells: pl.Series, separator: str, text: TextFormat) -> pl.DataType:
    """Return as what a column is read: numbers, a choice of labels that repeat, or any text.

    Whole numbers that repeat, such as those of runs, are read as numbers once they are coded.
    """
    numbers = None if text.decimal == "," else _numbers(cells)
    is_long = 2 * cells.n_unique() > len(cells)
    if numbers is not None and (is_long or (numbers.to_numpy() % 1 > 0).any()):
        return pl.Float64()
    choices = None if is_long else choices_of(cells)
    if choices is None:
        return pl.String()
    are_plain = all(it and {'"', "\n", separator}.isdisjoint(it) for it in choices.categories)
    return choices if are_plain else pl.String()


def _with_kinds(
    read: Callable[..., pl.DataFrame], kinds: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    """Return all rows, with numbers and labels in those columns that hold nothing else."""
    numeric = [name for name, kind in kinds.items() if kind == pl.Float64]
    with suppress(pl.exceptions.PolarsError):  # of a cell that is none of these
        frame = read(kinds=kinds)
        if all(_numbers(frame[name]) is not None for name in numeric):
            return frame
    frame = read()
    found = (_numbers(frame[name]) for name in numeric)
    return frame.with_columns(it for it in found if it is not None)


def _coded_again(read: Callable[..., pl.DataFrame], column: int, n_rows: int) -> Coding:
    """Code the cells of a column of numbers as they stand, for somebody looks at them."""
    return coded(read(columns=[column]).to_series()[:n_rows])


def _numbers(cells: pl.Series) -> pl.Series | None:
    """Return plain numbers; None if a cell is not a number, such as nan, inf, NA, or a mistake."""
    if cells.null_count() == len(cells):
        return None
    numbers = cells.cast(pl.Float64, strict=False)
    are_all = numbers.null_count() == cells.null_count() and isfinite(numbers.sum())
    return numbers if are_all else None


def _bytes_of(layout: Layout) -> _Data:
    """Return what a file holds; refuse lines that may be longer than memory can bear."""
    if not is_compressed(layout.file):
        require_bytes(layout.file.stat().st_size, layout.file.name)
        with layout.file.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    blocks = []
    with opened(layout.file) as stream:
        while data := stream.read(_BLOCK):
            if b"\n" not in data:
                raise _UnsureError
            blocks.append(data)
            # to be joined and read
            require_bytes(2 * len(blocks) * _BLOCK, layout.file.name)
    return b"".join(blocks)


def _check_size(data: _Data, layout: Layout) -> None:
    """Refuse more cells than may be read, or than memory holds."""

    def check(n_cells: int) -> None:
        check_cells(n_cells, layout.file.name)
        require_bytes(n_cells * _OF_A_CELL, layout.file.name)

    try:
        check(len(data) + 1)  # each cell has a mark behind it
    except (DataError, MemoryError):
        parts = np.frombuffer(data, dtype=np.uint8)
        starts = range(0, len(parts), _CACHED)
        n_rows = sum(int(np.count_nonzero(parts[at : at + _CACHED] == 10)) for at in starts)
        check((n_rows + 1) * layout.width)


def _read(
    source: bytes | Path,
    layout: Layout,
    quote: str | None,
    *,
    kinds: Mapping[str, pl.DataType] = MappingProxyType({}),
    columns: list[int] | None = None,
) -> pl.DataFrame:
    """Return cells as they stand, or as they are read in some columns."""
    schema = {str(i): kinds.get(str(i), pl.String()) for i in range(layout.width)}
    return pl.read_csv(
        source,
        has_header=False,
        skip_lines=layout.header_lines,
        separator=layout.separator,
        quote_char=quote,
        schema=schema,
        columns=columns,
        glob=False,
    )


def _quotation(data: _Data, separator: str) -> str | None:
    """Return the quotation mark; refuse one anywhere but around cells, and odd ends of lines."""
    is_quoted = data.find(b'"') >= 0
    if not is_quoted and data.find(b"\r") < 0:
        return None
    lines = bytes(data)
    if lines.count(b"\r") != lines.count(b"\r\n"):
        raise _UnsureError
    if not is_quoted:
        return None
    mark = separator.encode()
    opened_by, closed_by = (mark + b'"', b'\n"'), (b'"' + mark, b'"\n', b'"\r')
    n_open = lines.startswith(b'"') + sum(map(lines.count, opened_by))
    n_closed = lines.endswith(b'"') + sum(map(lines.count, closed_by))
    if not lines.count(b'"') == 2 * n_open == 2 * n_closed:
        raise _UnsureError
    return '"'


def _start(data: _Data, layout: Layout) -> int:
    """Return where the first row begins."""
    start = 0
    for _ in range(layout.header_lines):
        start = data.find(b"\n", start) + 1
    return start


def _checked(frame: pl.DataFrame, data: _Data, layout: Layout, quote: str | None) -> pl.DataFrame:
    """Return the rows down to the last with a cell in it.

    Refuse other blank rows and short ones, cells over several lines, and cells that are very long,
    which no column of numbers holds.
    """
    start, texts = _start(data, layout), frame.select(pl.col(pl.String)).get_columns()
    # polars would drop a mark of the order of bytes
    is_marked = data[start : start + 3] == codecs.BOM_UTF8
    if is_marked or any((it.str.len_bytes() > csv.field_size_limit()).any() for it in texts):
        raise _UnsureError
    n_inside = 0
    if quote:
        if any(it.str.contains('["\n]').any() for it in texts):
            raise _UnsureError
        n_inside = sum(
            int(it.str.count_matches(layout.separator, literal=True).sum()) for it in texts
        )
    n_rows = frame.height
    while n_rows and frame.row(n_rows - 1).count(None) == frame.width:
        n_rows -= 1
    if not n_rows or all(map(is_blank, frame.row(n_rows - 1))):
        raise _UnsureError
    kept = frame[:n_rows]
    # polars refuses rows with too many cells, but for an empty one at the very end, and fills those
    # with too few
    if kept[:, -1].null_count() or data[-1:] == layout.separator.encode():
        n_separators = bytes(data[start:]).count(layout.separator.encode()) - n_inside
        if n_rows < frame.height or n_separators != n_rows * (layout.width - 1):
            raise _UnsureError
    return kept
