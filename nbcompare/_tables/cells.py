"""Cells that arrive as Python objects, from a spreadsheet or JSON, become the columns of a table.

Text is read as in a text file: numbers, percent signs and words for a missing score may stand in
it. Numbers that are there already stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._tables.columns import (
    Coded,
    Columns,
    Held,
    Signs,
    as_float,
    is_blank,
    is_number,
    objects,
)
from nbcompare._tables.table import RawTable
from nbcompare._tables.text_format import PLAIN, Column, TextFormat

_LARGEST = 2**63 - 1


def table_of(
    source: str,
    columns: Mapping[str, Sequence[Any]],
    *,
    text: TextFormat,
    percents: Mapping[str, BoolArray] | None = None,
    notes: tuple[tuple[str, str], ...] = (),
) -> RawTable:
    """Return the table of these cells, of which some may have the format of a percent sign."""
    held = Columns({name: held_of(cells, text) for name, cells in columns.items()})
    signs = dict(Signs(held))
    for name, of_format in (percents or {}).items():
        signs[name] = signs.get(name, np.zeros(len(of_format), np.bool_)) | of_format
    return RawTable(source, held, text=text, percents=signs, notes=notes)


def held_of(cells: Sequence[Any], text: TextFormat | None) -> Held:
    """Return a column of Python objects; numbers in its text, if a format is given, are read."""
    values = [None if is_blank(cell) else cell for cell in cells]
    kinds = set(map(type, values)) - {type(None)}
    if kinds and kinds <= {bool, np.bool_}:
        text = PLAIN  # True and False say their numbers
    elif str not in kinds or text is None or not all(map(_is_text_or_number, values)):
        return column_of(values)
    places: dict[Any, int] = {}
    codes = [places.setdefault((type(value), value), len(places)) for value in values]
    return Coded(np.array(codes, dtype=np.int64), [cell for _, cell in places], text)


def column_of(values: Sequence[Any]) -> Column:
    """Return an array of numbers if they are all numbers or None, otherwise one of objects."""
    if all(type(cell) is int and abs(cell) <= _LARGEST for cell in values):
        return np.array(values, dtype=np.int64)  # labels may be larger than floats can tell apart
    if all(cell is None or is_number(cell) for cell in values):
        return np.array([math.nan if cell is None else as_float(cell) for cell in values])
    return objects(values)


def _is_text_or_number(value: Any) -> bool:
    return value is None or isinstance(value, str) or is_number(value)
