"""Row numbers that a program saved as a column beside the data."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from nbcompare._tables.table import RawTable
from nbcompare._validation import listed

_NAME = re.compile(r"|index|unnamed: 0(\.\d+)?", re.IGNORECASE)


def without_saved_index(
    table: RawTable, named: Collection[str], label_names: Collection[str]
) -> RawTable:
    """Return the table without first columns that only count the rows, which others name.

    Parameters
    ----------
    table : RawTable
        Such a column has no name, as pandas writes it, or is called ``index`` or ``Unnamed: 0``;
        it holds 0, 1, ... in this order. A note says that it was left out.
    named : collection of str
        Columns that the caller named; they stay.
    label_names : collection of str
        What columns of labels are called, in lower case. Without a column of labels or of text
        there is nothing else that could name the rows, so the column stays.
    """
    left_out = []
    names = [name for name in table.columns if name != table.index]
    for name in names:
        if name in named or not _NAME.fullmatch(name) or not _counts_rows(table, name):
            break
        left_out.append(name)
    others = [name for name in names if name not in left_out]
    if not left_out or not any(
        name in named or name.casefold() in label_names or table.is_only_text(name)
        for name in others
    ):
        return table
    if len(left_out) > 1:
        note = f"Columns {listed(left_out)} only count the rows. They were left out."
    else:
        told = f"Column {left_out[0]!r}" if left_out[0] else "The first column, without a name,"
        note = f"{told} only counts the rows. It was left out."
    return replace(table.without(left_out), notes=(*table.notes, ("saved-index", note)))


def _counts_rows(table: RawTable, name: str) -> bool:
    column = table.columns[name]
    if column.dtype != object:
        return np.array_equal(column, np.arange(table.n_rows))
    return all(cell == str(row) for row, cell in enumerate(column))
