"""Large text files of plain cells at the speed of pyarrow, if it is there.

What comes back is what the careful reader would give; whenever that is not certain,
nothing does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from nbcompare._tables import arrow
from nbcompare._tables.columns import Coded, is_blank
from nbcompare._tables.lines import is_compressed, opened
from nbcompare._tables.text_format import Column, TextFormat, numeral, plain_number

FAST_FROM = 2**20  # bytes; smaller files are read quickly enough
_BLOCK = 2**21  # bytes
# No cell may exceed the limit of the csv module. pyarrow refuses rows of more than two blocks; a
# line without an end in any stretch of this length is shorter than two of them.
_STRETCH = 2**16
_SHORT = 2**12
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
    labelled = pa.dictionary(pa.int32(), pa.string())
    kinds = [labelled if of_text else pa.float64() for of_text in is_text]
    positions = [str(position) for position in range(len(names))]
    options = {
        "parse_options": csv.ParseOptions(delimiter=separator, quote_char=False),
        "convert_options": csv.ConvertOptions(
            column_types=dict(zip(positions, kinds, strict=True)),
            null_values=list(text.missing_spellings),
            strings_can_be_null=False,
            decimal_point=text.decimal,
        ),
    }
    growing: list[arrow.Growing] = []
    ends_in_nothing = False
    try:
        # decompressed as for the careful reader, so that both refuse the same damaged files
        with _opened(path) as (stream, block_size):
            options["read_options"] = csv.ReadOptions(
                column_names=positions, skip_rows=header_lines, block_size=block_size
            )
            for batch in csv.open_csv(stream, **options):
                if not growing:
                    n_expected = _expected(path, block_size, batch.num_rows)
                    growing = arrow.growing(kinds, n_expected, by_first_row=True)
                for column, cells in zip(growing, batch.columns, strict=True):
                    column.add(cells)
                if batch.num_rows:
                    ends_in_nothing = not any(cells[-1].is_valid for cells in batch.columns)
    except MemoryError:
        raise  # that of pyarrow is an ArrowException too
    except (pa.ArrowException, OSError, ValueError, EOFError, zlib.error):
        return None
    if ends_in_nothing or not growing:
        return None  # the last row may hold separators only, which is no row at the end of a file
    columns: dict[str, Column | Coded] = {}
    for name in names:
        done = _done(growing.pop(0), name in labels, text)
        if done is None:
            return None
        columns[name] = done
    return columns


def _done(column: arrow.Growing, holds_labels: bool, text: TextFormat) -> Column | Coded | None:
    """Return a whole column; None if it takes more care to read it."""
    if isinstance(column, arrow.Labels):
        return _labels(column.done(), holds_labels, text)
    numbers = column.done()
    # pyarrow takes for NaN what is no missing word
    return numbers if np.count_nonzero(np.isnan(numbers)) == column.n_gaps else None


def _expected(path: Path, block_size: int, n_rows: int) -> int:
    """Return a number of rows that is probably enough, from those in the first block."""
    size = path.stat().st_size
    return n_rows if size <= block_size else int(1.02 * n_rows * size / block_size) + 1


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, int]]:
    """Open a file for pyarrow, and tell the size of its blocks."""
    if is_compressed(path):
        with opened(path) as stream:
            yield stream, min(_BLOCK, _STRETCH)
    elif min(_BLOCK, _STRETCH) < _BLOCK and _has_long_line(path):
        raise ValueError("a line may hold a cell that is too long")
    else:
        yield str(path), _BLOCK


def _has_long_line(path: Path) -> bool:
    """Tell whether a stretch of a file holds no end of a line."""
    with path.open("rb", buffering=0) as stream:
        for start in range(0, path.stat().st_size - _STRETCH + 1, _STRETCH):
            stream.seek(start)
            begin = stream.read(_SHORT)  # in nearly all files, this is enough
            if not _ends_line(begin) and not _ends_line(stream.read(_STRETCH - _SHORT)):
                return True
    return False


def _ends_line(data: bytes) -> bool:
    return b"\n" in data or b"\r" in data


def _labels(column: Coded, holds_labels: bool, text: TextFormat) -> Coded | None:
    """Return a column of text; None if a cell is blank, oddly quoted, or perhaps a number."""
    if not column.cells or None in column.cells:
        return None
    cells = _unquoted(cast(Sequence[str], column.cells))
    if cells is None:
        return None
    if cells is not column.cells:
        column = Coded(column.codes, cells)
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
