"""Large text files of plain cells at the speed of pyarrow, if it is there.

What comes back is what the careful reader would give; whenever that is not certain,
nothing does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._tables.columns import Coded, is_blank, united
from nbcompare._tables.lines import opened
from nbcompare._tables.text_format import Column, TextFormat, numeral, plain_number

FAST_FROM = 2**20  # bytes; smaller files are read quickly enough
# pyarrow refuses rows of more than two blocks, so that no cell exceeds the limit of the csv module.
_BLOCK = 2**16
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
    positions = [str(position) for position in range(len(names))]
    try:
        # decompressed as for the careful reader, so that both refuse the same damaged files
        with opened(path) as stream:
            table = csv.read_csv(
                stream,
                read_options=csv.ReadOptions(
                    column_names=positions, skip_rows=header_lines, block_size=_BLOCK
                ),
                parse_options=csv.ParseOptions(delimiter=separator, quote_char=False),
                convert_options=csv.ConvertOptions(
                    column_types={
                        position: labelled if of_text else pa.float64()
                        for position, of_text in zip(positions, is_text, strict=True)
                    },
                    null_values=list(text.missing_spellings),
                    strings_can_be_null=False,
                    decimal_point=text.decimal,
                ),
            )
    except (pa.ArrowException, OSError, ValueError, EOFError, zlib.error):
        return None
    if not any(is_text) and all(not table.column(position)[-1].is_valid for position in positions):
        return None  # the last row may hold separators only, which is no row at the end of a file
    columns: dict[str, Column | Coded] = {}
    for name, position, of_text in zip(names, positions, is_text, strict=True):
        chunked = table.column(position)
        column = _labels(chunked, name in labels, text) if of_text else _numbers(chunked)
        if column is None:
            return None
        columns[name] = column
    return columns


def _numbers(chunked: Any) -> FloatArray | None:
    """Return a column of numbers; None if pyarrow takes for NaN what is no missing word."""
    numbers: FloatArray = chunked.to_numpy()
    return numbers if np.isnan(numbers).sum() == chunked.null_count else None


def _labels(chunked: Any, holds_labels: bool, text: TextFormat) -> Coded | None:
    """Return a column of text; None if a cell is blank, oddly quoted, or perhaps a number."""
    parts = []
    for chunk in chunked.chunks:
        cells = [_unquoted(cell) for cell in chunk.dictionary.to_pylist()]
        if any(is_blank(cell) or '"' in cell for cell in cells):
            return None
        parts.append((chunk.indices.to_numpy(), cells))
    if not parts:
        return None
    column = united(parts)
    unsaid = replace(text, thousands=None)
    if not holds_labels and any(numeral(cell, unsaid) for cell in column.cells if cell):
        return None
    return column


def _unquoted(cell: str) -> str:
    cell = cell.lstrip(" ")  # as the csv module skips it
    return cell[1:-1] if _QUOTED.fullmatch(cell) else cell
