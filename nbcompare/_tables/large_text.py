"""Large text files, read by polars.

What comes back is what the careful reader would give; whenever that is not certain, nothing
does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import codecs
import csv
import mmap
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from nbcompare._tables.columns import (
    SAMPLE,
    Coding,
    Held,
    Text,
    coded,
    empty_gaps,
    floats_of,
    is_blank,
)
from nbcompare._tables.lines import check_cells, is_compressed, opened
from nbcompare._tables.origin import require_bytes
from nbcompare._tables.text_format import TextFormat
from nbcompare._validation import DataError

_BEGIN = 2**18  # bytes of the rows from which the others are guessed
_BLOCK = 2**23  # bytes in which a line ends
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
        start = _start(data, layout)
        begin = bytes(data[start : data.rfind(b"\n", start, start + _BEGIN) + 1])
        head = _read(begin, layout._replace(header_lines=0), quote)
        numeric = [] if text.decimal == "," else [it.name for it in head if _may_be_scores(it)]
        frame = _checked(_with_numbers(read, numeric), data, layout, quote)
    except (MemoryError, DataError):
        raise
    except (Exception, pl.exceptions.PanicException):  # which is not an Exception
        return None
    numbers = frame.select(pl.col(pl.Float64))
    floats = floats_of(numbers.get_columns())
    empty_gaps(floats, text)
    columns: list[Held] = [Text(partial(coded, cells), text) for cells in frame]
    for name, values in zip(numbers.columns, floats, strict=True):
        load = partial(_coded_again, read, int(name), len(values))
        first = [cell or "" for cell in head[name].head(SAMPLE).to_list()]
        columns[int(name)] = Text(load, text, values, first)
    return columns


def _may_be_scores(cells: pl.Series) -> bool:
    """Tell whether a column holds numbers with fractions, or many different ones.

    Others, such as numbers of runs, are read as numbers once they are coded.
    """
    numbers = _numbers(cells)
    if numbers is None:
        return False
    return bool((numbers.to_numpy() % 1 > 0).any()) or 2 * cells.n_unique() > len(cells)


def _with_numbers(read: Callable[..., pl.DataFrame], names: Sequence[str]) -> pl.DataFrame:
    """Return all rows, with numbers in those of some columns that hold nothing else."""
    with suppress(pl.exceptions.ComputeError):
        frame = read(numbers=names)
        if all(_numbers(frame[name]) is not None for name in names):
            return frame
    frame = read()
    found = (_numbers(frame[name]) for name in names)
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
        starts = range(0, len(parts), _BLOCK)
        n_rows = sum(int(np.count_nonzero(parts[at : at + _BLOCK] == 10)) for at in starts)
        check((n_rows + 1) * layout.width)


def _read(
    source: bytes | Path,
    layout: Layout,
    quote: str | None,
    *,
    numbers: Sequence[str] = (),
    columns: list[int] | None = None,
) -> pl.DataFrame:
    """Return cells as they stand, or as numbers in some columns."""
    schema = {str(i): pl.Float64 if str(i) in numbers else pl.String for i in range(layout.width)}
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
    start = _start(data, layout)
    text = pl.col(pl.String)
    longest = frame.select(text.str.len_bytes().max().fill_null(0)).rows() or [(0,)]
    # polars would drop a mark of the order of bytes
    is_marked = data[start : start + 3] == codecs.BOM_UTF8
    if is_marked or max(longest[0], default=0) > csv.field_size_limit():
        raise _UnsureError
    n_inside = 0
    if quote:
        if any(frame.select(text.str.contains('["\n]').any()).row(0)):
            raise _UnsureError
        inside = frame.select(text.str.count_matches(layout.separator, literal=True).sum())
        n_inside = sum(inside.row(0))
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
