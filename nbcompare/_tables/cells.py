"""What the cells of a text file say: numbers, labels, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._tables.numerals import plain_number
from nbcompare._tables.table import Column, is_blank


class GrowingColumn:
    """A column that comes in blocks; what it holds is known only at the end."""

    def __init__(self, holds_labels: bool, decimal: str) -> None:
        self._holds_labels = holds_labels
        self._decimal = decimal
        self._blocks: list[Column] = []
        self._known = _Shared()
        self.is_text = holds_labels

    def add(self, cells: Sequence[str] | FloatArray) -> None:
        """Take the cells of a block."""
        if isinstance(cells, np.ndarray):
            self._blocks.append(cells)
            return
        if not self._holds_labels:
            numbers = _numbers(cells, self._decimal)
            if numbers is not None:
                self._blocks.append(numbers)
                return
        self.is_text = True
        column = np.empty(len(cells), dtype=object)
        column[:] = list(map(self._known.__getitem__, cells))
        self._blocks.append(column)

    def done(self) -> Column:
        """The whole column."""
        if not self._blocks:
            return np.empty(0, dtype=object if self.is_text else np.float64)
        if self._holds_labels or not self.is_text:
            return np.concatenate(self._blocks)
        return _with_numbers(self._blocks, self._decimal)


class _Shared(dict[str, str | None]):
    """Text by itself, so that equal cells share one string; None for blank ones."""

    def __missing__(self, cell: str) -> str | None:
        kept = self[cell] = None if is_blank(cell) else cell
        return kept


def _numbers(cells: Sequence[str], decimal: str) -> FloatArray | None:
    """The cells as floats, None if there is any text among them."""
    together = "".join(cells)
    if decimal == "." and together.isascii() and "_" not in together:  # float() reads 1_0 as 10
        try:
            return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
        except ValueError:
            pass
    floats = [plain_number(cell, decimal) for cell in cells]
    return None if None in floats else np.array(floats, dtype=np.float64)


def _with_numbers(blocks: Sequence[Column], decimal: str) -> Column:
    """A column with any number in it holds scores: the rest are missing tokens, or mistakes."""
    cells: list[Any] = list(chain.from_iterable(block.tolist() for block in blocks))
    parsed = [plain_number(cell, decimal) if isinstance(cell, str) else cell for cell in cells]
    if any(isinstance(value, float) and value == value for value in parsed):
        cells = [
            cell if value is None else value for cell, value in zip(cells, parsed, strict=True)
        ]
    column = np.empty(len(cells), dtype=object)
    column[:] = [None if cell != cell else cell for cell in cells]
    return column
