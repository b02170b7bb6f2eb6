"""Large text files: polars takes them apart into cells of text, a block of lines at a time.

What comes back is what the careful reader would give; whenever that is not certain, nothing
does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import codecs
import csv
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from nbcompare._tables.columns import Coded, Codes, Held, Written, coded, is_blank
from nbcompare._tables.lines import opened
from nbcompare._tables.text_format import TextFormat

_BLOCK = 2**23  # bytes
_STRETCH = 2**16  # bytes in which separators are counted
_FEW = 8  # rows for each cell of a column that is kept by its cells
_MOST = 2**16  # cells of a block in such a column
_SAMPLE = 2**12  # rows


class _UnsureError(ValueError):
    """It takes more care to read this file."""


def columns_of(
    path: Path, width: int, *, header_lines: int, separator: str, text: TextFormat
) -> list[Held] | None:
    """Return the columns of a file; None if it takes more care to read them.

    Parameters
    ----------
    path : Path
        The file, which may be compressed.
    width : int
        Number of columns, at least 2.
    header_lines : int
        Lines above the first row.
    separator : str
        The mark between cells, whether it was given or found.
    text : TextFormat
        How the file is written.
    """
    growing = [_Growing() for _ in range(width)]
    try:
        for lines in _blocks(path, header_lines):
            for column, cells in zip(growing, _cells(lines, width, separator), strict=True):
                column.add(cells)
        return [column.done(text) for column in growing]
    except MemoryError:
        raise
    except (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,  # which is no Exception
        OSError,
        EOFError,
        ValueError,
        zlib.error,
    ):
        return None


def _blocks(path: Path, n_skipped: int) -> Iterator[bytes]:
    """Yield whole lines, without those of the header, and without blank ones at the end."""
    with opened(path) as stream:
        begun = b""
        data = stream.read(_BLOCK)
        while data:
            following = stream.read(_BLOCK)
            end = data.rfind(b"\n") + 1 if following else len(data)
            if not end:
                raise _UnsureError
            lines = b"".join((begun, memoryview(data)[:end]))
            begun = data[end:]
            if n_skipped:
                start = 0
                for _ in range(n_skipped):
                    start = lines.index(b"\n", start) + 1
                _refuse_carriages(lines[:start])
                lines, n_skipped = lines[start:], 0
            if lines.startswith(codecs.BOM_UTF8):  # polars would drop it
                raise _UnsureError
            if not following and lines.endswith((b"\n\n", b"\n\r\n")):
                lines = lines.rstrip(b"\r\n") + b"\n"
            yield lines
            data = following


def _cells(lines: bytes, width: int, separator: str) -> pl.DataFrame:
    """Return the cells of some lines as text; an error unless they are surely as they stand."""
    _refuse_carriages(lines)
    longest = csv.field_size_limit() // 2
    stretches = range(0, len(lines) - longest, longest)
    if any(lines.find(b"\n", start, start + longest) < 0 for start in stretches):
        raise _UnsureError
    is_quoted = b'"' in lines
    frame = pl.read_csv(
        lines,
        has_header=False,
        separator=separator,
        quote_char='"' if is_quoted else None,
        schema=dict.fromkeys(map(str, range(width)), pl.String),
    )
    n_separators = _count(lines, separator.encode())
    if is_quoted:
        # Quotation marks stand around cells and nowhere else, and no line ends between them.
        mark = separator.encode()
        opened_by, closed_by = (mark + b'"', b'\n"'), (b'"' + mark, b'"\n', b'"\r')
        n_open = lines.startswith(b'"') + sum(map(lines.count, opened_by))
        n_closed = lines.endswith(b'"') + sum(map(lines.count, closed_by))
        n_lines = lines.count(b"\n") + (not lines.endswith(b"\n"))
        if not lines.count(b'"') == 2 * n_open == 2 * n_closed or frame.height != n_lines:
            raise _UnsureError
        for cells in frame:
            if cells.str.contains('["\n]').any():
                raise _UnsureError
            n_separators -= int(cells.str.count_matches(separator, literal=True).sum())
    # polars refuses rows with too many cells, and fills those with too few
    if n_separators != frame.height * (width - 1) or all(map(is_blank, frame.row(-1))):
        raise _UnsureError
    return frame


def _refuse_carriages(lines: bytes) -> None:
    """Refuse carriage returns that end a line by themselves."""
    if b"\r" in lines and lines.count(b"\r") != lines.count(b"\r\n"):
        raise _UnsureError


def _count(lines: bytes, mark: bytes) -> int:
    data = np.frombuffer(lines, np.uint8)
    return sum(
        int(np.count_nonzero(data[start : start + _STRETCH] == mark[0]))
        for start in range(0, len(data), _STRETCH)
    )


class _Growing:
    """A column that comes in blocks: by its cells as long as these are few, else as text."""

    def __init__(self) -> None:
        self._blocks: list[Codes] = []
        self._known: dict[str | None, int] = {}
        self._texts: list[pl.Series] = []

    def add(self, texts: pl.Series) -> None:
        """Take the cells of a block."""
        sample = [] if self._texts else texts.head(_SAMPLE).to_list()
        if 2 * len(set(sample)) < len(sample):
            block = coded(texts)
            if len(block.cells) <= min(_MOST, len(texts) // _FEW):
                places = [self._known.setdefault(cell, len(self._known)) for cell in block.cells]
                kind = np.int16 if len(self._known) < 2**15 else np.int32
                known: Codes = np.array(places, dtype=kind)
                self._blocks.append(known.take(block.codes))
                return
        cells = pl.Series(list(self._known), dtype=pl.String)
        self._texts += [cells.gather(codes) for codes in self._blocks]
        self._blocks = []
        self._texts.append(texts)

    def done(self, text: TextFormat) -> Coded | Written:
        """Return the whole column."""
        if self._texts:
            return Written(pl.concat(self._texts), text)
        return Coded(np.concatenate(self._blocks), list(self._known), text)
