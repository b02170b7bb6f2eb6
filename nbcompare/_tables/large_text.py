"""Large text files, read by polars.

What comes back is what the careful reader would give; whenever that is not certain, nothing
does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import codecs
import csv
import mmap
from collections.abc import Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from nbcompare._arrays import FloatArray
from nbcompare._tables.columns import Held, Text, coded, empty_gaps, is_blank
from nbcompare._tables.lines import check_cells, is_compressed, opened
from nbcompare._tables.origin import free_bytes
from nbcompare._tables.text_format import TextFormat
from nbcompare._validation import DataError

_BLOCK = 2**23  # bytes in which a line ends
_HEAD = 10_000  # rows that are kept as they stand
_SAMPLE = 1_000  # rows from which the others are guessed
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
        frame = _read(layout, data, quote)
        values = _numbers(frame, text)
        frame = _checked(frame, [*values], data, layout, quote)
    except (MemoryError, DataError):
        raise
    except (Exception, pl.exceptions.PanicException):  # which is not an Exception
        return None
    columns: list[Held] = []
    for cells in frame:
        numbers = values[cells.name][: len(cells)] if cells.name in values else None
        head = () if numbers is None else cells.head(_HEAD).fill_null("").to_list()
        columns.append(Text(partial(coded, cells), text, numbers, head))
    return columns


def _numbers(frame: pl.DataFrame, text: TextFormat) -> dict[str, FloatArray]:
    """Return the numbers in columns that hold nothing else."""
    found = {}
    for cells in frame:
        numbers = _cast(cells.head(_SAMPLE), text)
        if numbers is not None and len(cells) > _SAMPLE:
            numbers = _cast(cells, text)
        if numbers is not None:
            found[cells.name] = numbers.to_numpy(writable=True)
            empty_gaps(found[cells.name], text)
    return found


def _cast(texts: pl.Series, text: TextFormat) -> pl.Series | None:
    """Return plain numbers; None if a cell is not a number, such as nan, inf, NA, or a mistake."""
    if text.decimal == "," or texts.null_count() == len(texts):
        return None
    numbers = texts.cast(pl.Float64, strict=False)
    are_all = numbers.null_count() == texts.null_count() and isfinite(numbers.sum())
    return numbers if are_all else None


def _bytes_of(layout: Layout) -> _Data:
    """Return what a file holds; refuse lines that may be longer than memory can bear."""
    if not is_compressed(layout.file):
        with layout.file.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    blocks = []
    left = free_bytes()
    with opened(layout.file) as stream:
        while data := stream.read(_BLOCK):
            if b"\n" not in data:
                raise _UnsureError
            blocks.append(data)
            if left is not None and 3 * len(blocks) * _BLOCK > left:  # to be joined and read
                raise MemoryError
    return b"".join(blocks)


def _check_size(data: _Data, layout: Layout) -> None:
    """Refuse more cells than may be read, and what does not fit: polars would end the process."""
    parts = np.frombuffer(data, dtype=np.uint8)
    starts = range(0, len(parts), _BLOCK)
    n_rows = sum(int(np.count_nonzero(parts[at : at + _BLOCK] == 10)) for at in starts)
    n_cells = (n_rows + 1) * layout.width
    check_cells(n_cells, layout.file.name)
    free = free_bytes()
    if free is not None and n_cells * _OF_A_CELL > free:
        raise MemoryError


def _read(layout: Layout, data: _Data, quote: str | None) -> pl.DataFrame:
    return pl.read_csv(
        data if isinstance(data, bytes) else layout.file,
        has_header=False,
        skip_lines=layout.header_lines,
        separator=layout.separator,
        quote_char=quote,
        schema=dict.fromkeys(map(str, range(layout.width)), pl.String),
        glob=False,
    )


def _quotation(data: _Data, separator: str) -> str | None:
    """Return the quotation mark; refuse one anywhere but around cells, and odd ends of lines."""
    carriages = b"\r" in data if isinstance(data, bytes) else data.find(b"\r") >= 0
    is_quoted = data.find(b'"') >= 0
    if not is_quoted and not carriages:
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


def _checked(
    frame: pl.DataFrame, numbers: Sequence[str], data: _Data, layout: Layout, quote: str | None
) -> pl.DataFrame:
    """Return the rows down to the last with a cell in it.

    Refuse other blank rows and short ones, cells over several lines, and cells that are very long,
    which no column of numbers holds.
    """
    start = 0
    for _ in range(layout.header_lines):
        start = data.find(b"\n", start) + 1
    text = pl.exclude(numbers)
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
