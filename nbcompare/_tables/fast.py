"""Large text files of plain cells at the speed of pyarrow, if it is there.

What comes back is what the careful reader would give; whenever that is not certain,
nothing does, and the careful reader goes to work and says what is wrong where.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from nbcompare._arrays import FloatArray
from nbcompare._tables.coded import Coded, united
from nbcompare._tables.numerals import numeral, plain_number
from nbcompare._tables.table import Column, is_blank

FAST_FROM = 2**20  # bytes; what is smaller is read in no time anyway
_BLOCK = 2**20
_PLAIN_ENCODINGS = ("utf-8", "utf-8-sig", "utf8", "ascii")
_QUOTED = re.compile(r'"[^"]*"')


def columns_of(
    path: Path,
    names: Sequence[str],
    labels: Collection[str],
    first_row: Sequence[str],
    *,
    header_lines: int,
    separator: str,
    decimal: str,
    encoding: str,
    missing: Sequence[str],
) -> dict[str, Column | Coded] | None:
    """The columns of a file of plain cells, None if it takes more care to read them."""
    if (
        path.stat().st_size < FAST_FROM
        or encoding.lower() not in _PLAIN_ENCODINGS
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
        name in labels or plain_number(cell, decimal) is None
        for name, cell in zip(names, first_row, strict=True)
    ]
    text = pa.dictionary(pa.int32(), pa.string())
    positions = [str(position) for position in range(len(names))]
    try:
        table = csv.read_csv(
            path,
            read_options=csv.ReadOptions(
                column_names=positions, skip_rows=header_lines, block_size=_BLOCK
            ),
            parse_options=csv.ParseOptions(delimiter=separator, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types={
                    position: text if of_text else pa.float64()
                    for position, of_text in zip(positions, is_text, strict=True)
                },
                null_values=list(missing),
                strings_can_be_null=False,
                decimal_point=decimal,
            ),
        )
    except (pa.ArrowException, OSError, ValueError):
        return None
    columns: dict[str, Column | Coded] = {}
    for name, position, of_text in zip(names, positions, is_text, strict=True):
        chunked = table.column(position)
        column = _text(chunked, name in labels, decimal) if of_text else _numbers(chunked)
        if column is None:
            return None
        columns[name] = column
    return columns


def _numbers(chunked: Any) -> FloatArray:
    numbers: FloatArray = chunked.to_numpy()
    return numbers


def _text(chunked: Any, holds_labels: bool, decimal: str) -> Coded | None:
    """A column of text; None if a cell is blank, oddly quoted, or perhaps a number."""
    parts = []
    for chunk in chunked.chunks:
        cells = [_unquoted(cell) for cell in chunk.dictionary.to_pylist()]
        if any(is_blank(cell) or '"' in cell for cell in cells):
            return None
        parts.append((chunk.indices.to_numpy(), cells))
    if not parts:
        return None
    column = united(parts)
    if not holds_labels and any(numeral(cell, decimal, None) for cell in column.cells if cell):
        return None
    return column


def _unquoted(cell: str) -> str:
    cell = cell.lstrip(" ")  # as the csv module skips it
    return cell[1:-1] if _QUOTED.fullmatch(cell) else cell
