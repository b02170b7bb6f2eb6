"""Row numbers that a program saved as a column beside the data."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import takewhile

from nbcompare._tables.columns import is_number
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
    names = [name for name in table.columns if name != table.index]
    left_out = list(takewhile(lambda it: it not in named and _counts_rows(table, it), names))
    others = names[len(left_out) :]
    if not left_out or not any(
        name in named or name.casefold() in label_names or _is_text(table, name) for name in others
    ):
        return table
    told = f"Columns {listed(left_out)} only count the rows. They were left out."
    if len(left_out) == 1:
        what = f"Column {left_out[0]!r}" if left_out[0] else "The first column, without a name,"
        told = f"{what} only counts the rows. It was left out."
    return replace(table.without(left_out), notes=(*table.notes, ("saved-index", told)))


def _is_text(table: RawTable, name: str) -> bool:
    text = table.held.text(name)
    return text is not None and not any(map(is_number, text.read_cells))


def _counts_rows(table: RawTable, name: str) -> bool:
    if not _NAME.fullmatch(name):
        return False
    column = table.columns[name]
    rows = map(str, range(table.n_rows)) if column.dtype == object else range(table.n_rows)
    return bool(column.tolist() == list(rows))
