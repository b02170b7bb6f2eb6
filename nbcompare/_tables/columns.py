"""Columns that a caller names, and labels as numbers in an order that rows do not decide."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nbcompare._arrays import IntArray
from nbcompare._tables.table import RawTable
from nbcompare._validation import clean_label, listed, shown

_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")


def find_column(table: RawTable, role: str, name: object) -> str:
    """The column of that name, or an error that lists those there are."""
    if isinstance(name, str | int) and clean_label(name) in table.columns:
        return clean_label(name)
    raise ValueError(
        f"`{role}` must name a column of {table.source}, one of {listed(table.columns)}; "
        f"got {shown(name)}."
    )


def refuse_two_roles(columns: Mapping[str, str]) -> None:
    """Refuse a column that is to be two things."""
    role_of: dict[str, str] = {}
    for role, name in columns.items():
        if name in role_of:
            raise ValueError(
                f"`{role_of[name]}` and `{role}` must name different columns; "
                f"got {shown(name)} for both."
            )
        role_of[name] = role


def codes_of(table: RawTable, column: str | None) -> tuple[IntArray, list[str]]:
    """Rows as numbers of labels, and the labels; without a column, one label for all."""
    if column is None:
        return np.zeros(table.n_rows, dtype=np.int64), ["1"]
    return table.coded_labels(column)


def sorted_codes(table: RawTable, column: str | None) -> tuple[IntArray, list[str]]:
    """Labels in their natural order, so that the order of rows does not matter."""
    codes, labels = codes_of(table, column)
    order = sorted(range(len(labels)), key=natural_order(labels).__getitem__)
    place = np.empty(len(labels), dtype=np.int64)
    place[order] = np.arange(len(labels))
    return place[codes], [labels[i] for i in order]


def natural_order(labels: Sequence[str]) -> list[tuple[Any, ...]]:
    """Keys that sort 2 before 10, and f2 before f10."""
    if all(_NUMBER.fullmatch(label) for label in labels):
        return [(float(label), label) for label in labels]
    return [
        (
            # text and digits take turns, so that like is compared with like
            [int(part) if i % 2 else part for i, part in enumerate(_DIGITS.split(label))],
            label,
        )
        for label in labels
    ]
