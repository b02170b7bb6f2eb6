"""Cells that arrive as Python objects, from a spreadsheet or JSON, become the columns of a table.

Text is read as in a text file: numbers, percent signs and words for a missing score may stand in
it. Numbers that are there already stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._tables.columns import is_blank, is_number
from nbcompare._tables.table import RawTable
from nbcompare._tables.text_format import Column, TextFormat, plain_number, read_numerals
from nbcompare._validation import clean_label

_LARGEST = 2**63 - 1


def table_of(
    source: str,
    columns: Mapping[str, Sequence[Any]],
    *,
    labels: Collection[str],
    text: TextFormat,
    percents: Mapping[str, BoolArray] | None = None,
    notes: tuple[tuple[str, str], ...] = (),
) -> RawTable:
    """Return the table of these cells; columns of ``labels`` stay as they stand."""
    known = {clean_label(label).casefold() for label in labels} | {""}
    held = {name for name in columns if name.casefold() in known}
    made = {name: _column(cells, name in held, text) for name, cells in columns.items()}
    others = {name for name, column in made.items() if not _is_text_or_numbers(column)}
    read, signs = read_numerals(made, held | others, text)
    for name, of_format in (percents or {}).items():
        if read[name].dtype != object:
            signs[name] = signs.get(name, np.zeros(len(of_format), np.bool_)) | of_format
    return RawTable(
        source,
        read,
        text=text,
        percents=signs,
        notes=notes,
        written=lambda: (
            dict(zip(columns, map(_written, cells), strict=True))
            for cells in zip(*columns.values(), strict=True)
        ),
    )


def _column(cells: Sequence[Any], holds_labels: bool, text: TextFormat) -> Column:
    values = [None if is_blank(cell) else cell for cell in cells]
    if holds_labels or all(cell is None or is_number(cell) for cell in values):
        return column_of(values)
    parsed = [plain_number(cell, text) if isinstance(cell, str) else cell for cell in values]
    if any(is_number(cell) and cell == cell for cell in parsed):
        values = [
            old if new is None else None if new != new else new
            for old, new in zip(values, parsed, strict=True)
        ]
    return column_of(values)


def _written(cell: Any) -> str:
    return f"{cell:.15g}" if is_number(cell) else str(cell)


def column_of(values: Sequence[Any]) -> Column:
    """Return an array of numbers if they are all numbers or None, otherwise one of objects."""
    if all(type(cell) is int and abs(cell) <= _LARGEST for cell in values):
        return np.array(values, dtype=np.int64)  # labels may be larger than floats can tell apart
    if all(cell is None or is_number(cell) for cell in values):
        return np.array([math.nan if cell is None else _as_float(cell) for cell in values])
    column = np.empty(len(values), dtype=object)
    for row, cell in enumerate(values):  # one by one: a list in a cell stays a list
        column[row] = cell
    return column


def _is_text_or_numbers(column: Column) -> bool:
    return column.dtype != object or all(
        cell is None or isinstance(cell, str) or is_number(cell) for cell in column
    )


def _as_float(cell: Any) -> float:
    try:
        return float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf
