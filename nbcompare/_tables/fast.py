"""Large text files of plain cells at the speed of pyarrow, if it is there.

What comes back is what the careful reader would give; whenever that is not certain,
nothing does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from nbcompare._tables import arrow
from nbcompare._tables.columns import Coded, is_blank
from nbcompare._tables.lines import opened
from nbcompare._tables.text_format import Column, TextFormat, numeral, plain_number

FAST_FROM = 2**20  # bytes; smaller files are read quickly enough
_BLOCK = 2**21  # bytes
_MOST_WORKERS = 4  # one thread takes what they have made, which is as much work as parsing by four
# No cell may exceed the limit of the csv module; if a line ends in every stretch of this length,
# none is as long as two of them.
_STRETCH = 2**16
_Parsed = TypeVar("_Parsed")
_QUOTED = re.compile(r'"[^"]*"')


def columns_of(
    path: Path,
    names: Sequence[str],
    labels: Collection[str],
    first_row: Sequence[str],
    *,
    header_lines: int,
    separator: str,
    text: TextFormat,
) -> dict[str, Column | Coded] | None:
    """Return the columns of a file of plain cells; None if it takes more care to read them.

    The separator is that of the file, whether it was given or found.
    """
    if (
        path.stat().st_size < FAST_FROM
        or not text.is_utf8
        or len(names) < 2
        or len(first_row) != len(names)
    ):
        return None
    try:
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
        from pyarrow import csv  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return None
    is_text = [
        name in labels or plain_number(cell, text) is None
        for name, cell in zip(names, first_row, strict=True)
    ]
    kinds = [pa.string() if of_text else pa.float64() for of_text in is_text]
    positions = [str(position) for position in range(len(names))]
    parse_options = csv.ParseOptions(delimiter=separator, quote_char=False)
    convert_options = csv.ConvertOptions(
        column_types=dict(zip(positions, kinds, strict=True)),
        null_values=list(text.missing_spellings),
        strings_can_be_null=False,
        decimal_point=text.decimal_mark,
        check_utf8=False,  # of every cell; each that is another one becomes Python text
    )

    def parsed(lines: memoryview, n_skipped: int) -> list[Any]:
        read_options = csv.ReadOptions(
            use_threads=False,
            block_size=len(lines) + 1,
            skip_rows=n_skipped,
            column_names=positions,
        )
        table = csv.read_csv(pa.BufferReader(lines), read_options, parse_options, convert_options)
        batches: list[Any] = table.to_batches()
        return batches

    growing: list[arrow.Growing] = []
    ends_in_nothing = False
    try:
        for n_bytes, batches in _in_parts(path, parsed, header_lines, pa.cpu_count()):
            for batch in batches:
                if not growing:
                    growing = arrow.growing(kinds, _expected(path, n_bytes, batch.num_rows))
                for column, cells in zip(growing, batch.columns, strict=True):
                    column.add(cells)
                ends_in_nothing = not any(cells[-1].is_valid for cells in batch.columns)
        if ends_in_nothing or not growing:
            return None  # the last row may hold separators only, which is no row at the end
        columns: dict[str, Column | Coded] = {}
        for name in names:
            done = _done(growing.pop(0), name in labels, text)
            if done is None:
                return None
            columns[name] = done
    except MemoryError:
        raise  # that of pyarrow is an ArrowException too
    except (pa.ArrowException, OSError, ValueError, EOFError, zlib.error):
        return None
    except RuntimeError:  # no thread can be started
        return None
    return columns


def _done(column: arrow.Growing, holds_labels: bool, text: TextFormat) -> Column | Coded | None:
    """Return a whole column; None if it takes more care to read it."""
    if isinstance(column, arrow.Labels):
        return _labels(column, holds_labels, text)
    numbers = column.done()
    with np.errstate(over="ignore", invalid="ignore"):  # a sum is a number only if all are
        if column.n_gaps == 0 and not np.isnan(numbers.sum()):
            return numbers
    # pyarrow takes for NaN what is no missing word
    return numbers if np.count_nonzero(np.isnan(numbers)) == column.n_gaps else None


def _expected(path: Path, n_bytes: int, n_rows: int) -> int:
    """Return a number of rows that is probably enough, from those in the first part."""
    size = path.stat().st_size
    return n_rows if size <= n_bytes else int(1.02 * n_rows * size / n_bytes) + 1


# ------------------------------------------------------------------------ parts of a file


def _in_parts(
    path: Path, parsed: Callable[[memoryview, int], _Parsed], n_skipped: int, n_threads: int
) -> Iterator[tuple[int, _Parsed]]:
    """Parse the parts of a file, some of them at the same time, and yield what comes of each.

    Parameters
    ----------
    path : Path
        Decompressed as for the careful reader, so that both refuse the same damaged files.
    parsed : callable
        What is made of some lines, of which as many as said are left out. It keeps no part of
        the memory in which they are.
    n_skipped : int
        The lines at the begin of the file to leave out.
    n_threads : int
        How many may be parsed at the same time.

    Yields
    ------
    int
        Number of bytes of the part.
    object
        What comes of it.
    """
    n_workers = min(n_threads, _MOST_WORKERS)
    free = [bytearray(_BLOCK) for _ in range(n_workers + 1)]
    busy: deque[tuple[bytearray, int, Future[_Parsed]]] = deque()
    begun = b""
    with opened(path) as stream, ThreadPoolExecutor(n_workers) as workers:
        while True:
            buffer = free.pop()
            n_bytes, begun = _fill(buffer, begun, cast(io.BufferedIOBase, stream))
            if not n_bytes:
                break
            if n_skipped == 0 and buffer.startswith(codecs.BOM_UTF8):
                raise ValueError("pyarrow would drop a mark that is not at the begin of the file")
            lines = memoryview(buffer)[:n_bytes]
            busy.append((buffer, n_bytes, workers.submit(parsed, lines, n_skipped)))
            n_skipped = 0
            if not free:
                buffer, n_bytes, made = busy.popleft()
                yield n_bytes, made.result()
                free.append(buffer)
        for _, n_bytes, made in busy:
            yield n_bytes, made.result()


def _fill(buffer: bytearray, begun: bytes, stream: io.BufferedIOBase) -> tuple[int, bytes]:
    """Read lines into a buffer, the first of which has begun.

    Returns
    -------
    int
        Where the last line ends, 0 at the end of the file.
    bytes
        The begin of the next line.

    Raises
    ------
    ValueError
        If a line may hold a cell that is too long.
    """
    data = memoryview(buffer)
    n_bytes = len(begun)
    data[:n_bytes] = begun
    while n_read := stream.readinto(data[n_bytes:]):  # of nothing, once the buffer is full
        n_bytes += n_read
    for start in range(0, n_bytes - _STRETCH + 1, _STRETCH):
        if not _ends_line(buffer, start, start + _STRETCH):
            raise ValueError("a line may hold a cell that is too long")
    if n_bytes < len(buffer):  # at the end of the file
        return n_bytes, b""
    end = (buffer.rfind(b"\n") + 1) or (buffer.rfind(b"\r") + 1)
    if not end:
        raise ValueError("a line is too long")
    return end, bytes(data[end:])


def _ends_line(data: bytearray, start: int, end: int) -> bool:
    return data.find(b"\n", start, end) >= 0 or data.find(b"\r", start, end) >= 0


def _labels(text_column: arrow.Labels, holds_labels: bool, text: TextFormat) -> Coded | None:
    """Return a column of text; None if a cell is blank, oddly quoted, or perhaps a number."""
    column = text_column.done()
    if not column.cells or (not column.is_clean and None in column.cells):
        return None
    cells = cast(Sequence[str], column.cells)
    if not text_column.is_plain:
        bare = _unquoted(cells)
        if bare is None:
            return None
        if bare is not cells:
            cells, column = bare, Coded(column.codes, bare)
    if not column.is_clean and any(map(is_blank, cells)):
        return None
    unsaid = replace(text, thousands=None)
    if not holds_labels and any(numeral(cell, unsaid) for cell in cells):
        return None
    return column


def _unquoted(cells: Sequence[str]) -> Sequence[str] | None:
    """Return the text in the cells, None if there are quotation marks in it."""
    lines = "\n".join(cells)
    n_marks = lines.count('"')
    if not n_marks and "\n " not in f"\n{lines}":
        return cells
    if n_marks == 2 * len(cells) and lines.startswith('"') and lines.endswith('"'):
        bare: Sequence[str] = lines[1:-1].split('"\n"')
        if len(bare) == len(cells):  # each cell has a mark at its begin and end, and no other
            return bare
    bare = [_one_unquoted(cell.lstrip(" ")) for cell in cells]  # as the csv module skips it
    return None if any('"' in cell for cell in bare) else bare


def _one_unquoted(cell: str) -> str:
    return cell[1:-1] if _QUOTED.fullmatch(cell) else cell
