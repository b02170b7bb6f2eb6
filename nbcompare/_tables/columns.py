"""Columns of cells: as they grow from blocks of text, and as numbers of the few labels in them."""

from __future__ import annotations

import numbers
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._tables.text_format import Column, TextFormat, plain_number

_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")
_STRETCH = 2**16  # rows that are looked through at a time
_EXACT = 2**53  # whole numbers up to here are exact as floats


def is_number(value: object) -> bool:
    """Tell whether a cell holds a real number; True and False are none."""
    return isinstance(value, numbers.Real | Decimal | np.floating | np.integer) and not isinstance(
        value, bool
    )


def is_blank(value: object) -> bool:
    """Tell whether there is nothing in a cell but, perhaps, white space."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


def natural_order(labels: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return keys that sort 2 before 10, and f2 before f10."""
    if all(_NUMBER.fullmatch(label) for label in labels):
        return [(float(label), label) for label in labels]
    return [
        (
            # text and digits alternate, so that numbers are compared with numbers
            [int(part) if i % 2 else part for i, part in enumerate(_DIGITS.split(label))],
            label,
        )
        for label in labels
    ]


# --------------------------------------------------------------- labels by their numbers


Codes = npt.NDArray[np.signedinteger[Any]]


class Coded(NamedTuple):
    """A column of which row i holds ``cells[codes[i]]``.

    Cells are in order of first appearance; an empty one is None. ``is_clean`` says that they are
    known to be clean labels, none of them twice.
    """

    codes: Codes
    cells: Sequence[str | None]
    is_clean: bool = False

    def decoded(self) -> Column:
        """Return the cells row by row."""
        cells = np.empty(len(self.cells), dtype=object)
        cells[:] = self.cells
        return cells[self.codes]

    def part(self, rows: IntArray) -> Coded:
        """Return some rows, without the cells that none of them holds."""
        used, first, codes = np.unique(self.codes[rows], return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty(len(used), dtype=np.int64)
        place[order] = np.arange(len(used))
        return Coded(place[codes], tuple(self.cells[int(used[i])] for i in order))


class Columns(Mapping[str, Column]):
    """Columns by name, of which coded ones are decoded only when somebody looks at them."""

    def __init__(self, held: Mapping[str, Column | Coded]) -> None:
        self._held = dict(held)
        self._decoded: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        held = self._held[name]
        if not isinstance(held, Coded):
            return held
        if name not in self._decoded:
            self._decoded[name] = held.decoded()
        return self._decoded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def coded(self, name: str) -> Coded | None:
        """Return the column as it is kept; None if that is row by row."""
        held = self._held[name]
        return held if isinstance(held, Coded) else None

    def without(self, names: Collection[str]) -> Columns:
        """Return the other columns."""
        return Columns({name: held for name, held in self._held.items() if name not in names})

    def part(self, rows: IntArray) -> Columns:
        """Return some rows of all columns; a column of which only numbers are left holds them."""
        return Columns(
            {
                name: held.part(rows) if isinstance(held, Coded) else _numbers_again(held[rows])
                for name, held in self._held.items()
            }
        )

    @property
    def n_rows(self) -> int:
        """Length of every column."""
        held = next(iter(self._held.values()), ())
        return len(held.codes if isinstance(held, Coded) else held)


def _numbers_again(column: Column) -> Column:
    """Return a column as floats if no other row than those that are gone held text."""
    if column.dtype != object or not all(value is None or is_number(value) for value in column):
        return column
    floats = np.array([np.nan if value is None else value for value in column], dtype=np.float64)
    return column if bool(np.isnan(floats).all()) else floats


def by_appearance(codes: Codes, n_labels: int) -> tuple[Codes, IntArray]:
    """Number labels by their first appearance in the rows.

    Parameters
    ----------
    codes : ndarray of int
        Numbers of labels, from 0 to ``n_labels`` - 1, row by row.
    n_labels : int
        Number of labels, of which some may be in no row.

    Returns
    -------
    codes : ndarray of int
        The new numbers; the given array if nothing changes.
    order : ndarray of int
        The old number of each label that is in a row.
    """
    seen = np.zeros(n_labels, dtype=np.bool_)
    found = [np.empty(0, dtype=np.int64)]
    n_left = n_labels
    for start in range(0, len(codes), _STRETCH):
        if not n_left:
            break
        stretch = codes[start : start + _STRETCH]
        new = stretch[~seen[stretch]]
        if new.size:
            labels, first = np.unique(new, return_index=True)
            seen[labels] = True
            n_left -= len(labels)
            found.append(labels[np.argsort(first)].astype(np.int64))
    order = np.concatenate(found)
    if np.array_equal(order, np.arange(n_labels)):
        return codes, order
    place = np.zeros(n_labels, dtype=codes.dtype)
    place[order] = np.arange(len(order))
    return recoded(codes, place), order


def recoded(codes: Codes, place: Codes) -> Codes:
    """Return ``place[codes]``, a part at a time, since NumPy makes 64-bit integers of codes."""
    new = np.empty(len(codes), dtype=place.dtype)
    for start in range(0, len(codes), _STRETCH):
        part = slice(start, start + _STRETCH)
        np.take(place, codes[part], out=new[part], mode="clip")
    return new


def coded_numbers(column: npt.NDArray[Any]) -> tuple[Codes, npt.NDArray[Any]]:
    """Return numbers of the distinct numbers in a column, and these by first appearance."""
    near = _near_each_other(column)
    if near is not None:
        away, least, n_values = near
        codes, order = by_appearance(away, n_values)
        return codes, order.astype(least.dtype) + least
    import pandas as pd

    codes, values = pd.factorize(column)
    return codes, np.asarray(values)


def sorted_numbers(column: npt.NDArray[Any]) -> tuple[Codes, npt.NDArray[Any]] | None:
    """Return what :func:`coded_numbers` does, the numbers in order.

    None if they are no whole numbers, lie far apart, or their order as labels may be another one.
    """
    near = _near_each_other(column)
    if near is None or max(abs(int(near[1])), abs(int(near[1]) + near[2])) > _EXACT:
        return None
    away, least, n_values = near
    there = np.zeros(n_values, dtype=np.bool_)
    for start in range(0, len(away), _STRETCH):
        there[away[start : start + _STRETCH]] = True
    used = np.flatnonzero(there)
    if len(used) < n_values:
        away = recoded(away, np.cumsum(there, dtype=away.dtype) - away.dtype.type(1))
    return away, used.astype(least.dtype) + least


def _near_each_other(column: npt.NDArray[Any]) -> tuple[Codes, np.integer[Any], int] | None:
    """Return how far whole numbers are above the least, that one, and how many may be there.

    None if there are so many that a table by number would be large.
    """
    if column.dtype.kind not in "iu" or not len(column):
        return None
    wide = column.dtype if column.dtype.itemsize == 8 else np.dtype(np.int64)
    least = wide.type(column.min())
    spread = int(column.max()) - int(least)
    if spread >= min(max(2 * len(column), _STRETCH), 2**31 - 1):
        return None
    kind = np.int16 if spread < 2**15 - 1 else np.int32
    away: Codes = np.empty(len(column), dtype=kind)
    np.subtract(column, least, out=away, dtype=wide, casting="unsafe")
    return away, least, spread + 1


# ------------------------------------------------------------------------ blocks of text


class GrowingColumn:
    """A column that comes in blocks; what it holds is known only at the end."""

    def __init__(self, holds_labels: bool, text: TextFormat) -> None:
        self._holds_labels = holds_labels
        self._text = text
        self._blocks: list[Column] = []
        self._known = _Shared()
        self.is_text = holds_labels

    def add(self, cells: Sequence[str] | FloatArray) -> None:
        """Take the cells of a block."""
        if isinstance(cells, np.ndarray):
            self._blocks.append(cells)
            return
        if not self._holds_labels:
            floats = _numbers(cells, self._text)
            if floats is not None:
                self._blocks.append(floats)
                return
        self.is_text = True
        column = np.empty(len(cells), dtype=object)
        column[:] = list(map(self._known.__getitem__, cells))
        self._blocks.append(column)

    def done(self) -> Column:
        """Return the whole column."""
        if not self._blocks:
            return np.empty(0, dtype=object if self.is_text else np.float64)
        if self._holds_labels or not self.is_text:
            return np.concatenate(self._blocks)
        return _with_numbers(self._blocks, self._text)


class _Shared(dict[str, str | None]):
    """Text by itself, so that equal cells share one string; None for blank ones."""

    def __missing__(self, cell: str) -> str | None:
        kept = self[cell] = None if is_blank(cell) else cell
        return kept


def _numbers(cells: Sequence[str], text: TextFormat) -> FloatArray | None:
    """Return the cells as floats; None if there is any text among them."""
    together = "".join(cells)
    # float() would read 1_0 as 10
    if text.decimal_mark == "." and together.isascii() and "_" not in together:
        try:
            return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
        except ValueError:
            pass
    floats = [plain_number(cell, text) for cell in cells]
    return None if None in floats else np.array(floats, dtype=np.float64)


def _with_numbers(blocks: Sequence[Column], text: TextFormat) -> Column:
    """Join blocks; where any cell is a number they hold scores, the rest is missing or wrong."""
    cells: list[Any] = list(chain.from_iterable(block.tolist() for block in blocks))
    parsed = [plain_number(cell, text) if isinstance(cell, str) else cell for cell in cells]
    if any(isinstance(value, float) and value == value for value in parsed):
        cells = [
            cell if value is None else value for cell, value in zip(cells, parsed, strict=True)
        ]
    column = np.empty(len(cells), dtype=object)
    column[:] = [None if cell != cell else cell for cell in cells]
    return column
