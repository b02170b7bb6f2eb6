"""What the cells of a table say of its columns: which repeat, which follow from which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables import Codes, RawTable, find_column, is_blank
from nbcompare._validation import Distinct, positions

_SAMPLE = 20_000  # rows that refute most of what is false
_PARTS = (slice(_SAMPLE), slice(None))
_FEW_CELLS = 500  # cells that tell words from numbers
_FEW_BLOCKS = 20  # data sets that refute most of what is false
_MOST_LEVELS = 20  # distinct numbers up to which a column of numbers may hold settings
# A correlation, and how many standard deviations it is from 0, from which scores follow an order
_CLEAR, DRIFT = 0.5, 4.0
_ROWS_PER_LEVEL, _ROWS_PER_WHOLE_LEVEL = 3, 2
_NUMBERED = re.compile(r"(?P<stem>\D*?)[\s_-]*(?P<number>\d+)")
_LIKE_NUMBER = re.compile(r"[^\w]*\d")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?!\d)")
_NUMBER = re.compile(r"[-+\u2212]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?\s*%?", re.IGNORECASE)
_LARGEST = np.finfo(np.float64).max
_LONG = 1_000_000  # rows beyond which distinct floats are counted in a sample


class Facts:
    """Facts of the columns of one table, each computed when it is first asked for."""

    def __init__(self, table: RawTable) -> None:
        self.table = table
        self._coded: dict[str, tuple[Codes, Sequence[str]]] = {}
        self._groups: dict[tuple[str, ...], Codes] = {}
        self._are_numeric: dict[str, bool] = {}
        self._are_whole: dict[str, bool] = {}
        self._hold_words: dict[str, bool] = {}

    def is_numeric(self, name: str) -> bool:
        """Tell whether every cell that is not empty is a number."""
        if name not in self._are_numeric:
            self._are_numeric[name] = not self.table.is_text(name)
        return self._are_numeric[name]

    def holds_words(self, name: str) -> bool:
        """Tell whether a column holds text or dates, and not only what begins like a number."""
        if name not in self._hold_words:
            self._hold_words[name] = not self.is_numeric(name) and self._are_words(name)
        return self._hold_words[name]

    def _are_words(self, name: str) -> bool:
        text = self.table.text_of(name)
        some = () if text is None else text.read(text.cells[:_FEW_CELLS])
        cells = [cell for cell in some if cell is not None]
        if not cells or not all(isinstance(cell, str) for cell in cells):
            return False
        if any(map(_NUMBER.fullmatch, cells)):
            return False
        return not all(map(_LIKE_NUMBER.match, cells)) or all(map(_DATE.match, cells))

    def is_empty(self, name: str) -> bool:
        """Tell whether no cell holds anything."""
        text = self.table.text_of(name)
        if text is not None:
            return all(map(is_blank, text.cells))
        column = self.table.distinct(name)
        return column.dtype.kind == "f" and all(np.isnan(column[rows]).all() for rows in _PARTS)

    def values(self, name: str, rows: slice = slice(None)) -> FloatArray | Codes:
        """Return numbers as they are, and numbers of labels otherwise; equal ones are the same."""
        if self.is_numeric(name):
            return _comparable(self.table[name][rows])
        return self.codes(name)[0][rows]

    def codes(self, name: str) -> tuple[Codes, Sequence[str]]:
        """Return the column as numbers of labels, and the labels; that of an empty cell is ''."""
        if name not in self._coded:
            self._coded[name] = self.table.coded_labels(name, may_be_empty=True)
        return self._coded[name]

    def labels(self, name: str) -> list[str]:
        """Return the distinct labels in order of appearance, without the empty one."""
        return [label for label in self.codes(name)[1] if label]

    def n_distinct(self, name: str) -> int:
        """Return how many different cells there are; of long columns of floats, in a sample."""
        column = self.table[name] if self.is_numeric(name) else None
        if column is not None and column.dtype.kind == "f":
            part = column if len(column) <= _LONG else column[:_SAMPLE]
            return len(np.unique(part))
        return len(self.codes(name)[1])

    def group(self, names: Sequence[str]) -> Codes:
        """Return the number of the group of rows that agree in these columns, for every row."""
        key = tuple(names)
        if key not in self._groups:
            number: Codes = np.zeros(self.table.n_rows, dtype=np.int64)
            size = 1
            if key:
                number, size = self.codes(key[0])[0], len(self.codes(key[0])[1])
            for name in key[1:]:
                codes, labels = self.codes(name)
                number, size = number.astype(np.int64) * len(labels) + codes, size * len(labels)
                if size > 4 * self.table.n_rows + _SAMPLE:
                    distinct, number = np.unique(number, return_inverse=True)
                    size = len(distinct)
            self._groups[key] = number
        return self._groups[key]

    def joined_labels(self, names: Sequence[str]) -> tuple[Codes, Sequence[str]]:
        """Return rows as numbers of labels, those of several columns joined, and the labels."""
        if len(names) == 1:
            codes, labels = self.codes(names[0])
            if isinstance(labels, Distinct) or "" not in labels:
                return codes, labels
            return self.table.coded_labels(names[0])  # which says where a label is empty
        columns = [self.table.labels(name) for name in names]
        _, first, place = np.unique(self.group(names), return_index=True, return_inverse=True)
        order = np.argsort(first)
        labels = [" / ".join(column[row] for column in columns) for row in first[order].tolist()]
        rank: IntArray = np.argsort(order)
        return rank[place], labels

    def is_key(self, names: Sequence[str]) -> bool:
        """Tell whether no two rows agree in all of these columns."""
        if len(names) < 2:
            return len(self.codes(names[0])[1] if names else [""]) >= self.table.n_rows
        return bool(np.bincount(self.group(names)).max(initial=0) < 2)

    def repeats(self, name: str) -> bool:
        """Tell whether a label stands in several rows."""
        return len(self.codes(name)[1]) < self.table.n_rows

    def follows(self, name: str, names: Sequence[str]) -> bool:
        """Tell whether a column is a function of others: equal there, equal here."""
        group = self.group(names)
        return all(first_change(self.values(name, rows), group[rows]) is None for rows in _PARTS)

    def is_constant(self, name: str) -> bool:
        """Tell whether all cells are the same, or empty."""
        if not self.is_numeric(name):
            return len(self.codes(name)[1]) < 2
        numbers = self.table.distinct(name)
        parts = (_comparable(numbers[rows]) for rows in _PARTS)
        return all(bool((values == values[:1]).all()) for values in parts)

    def is_copy(self, name: str, other: str) -> bool:
        """Tell whether two columns hold the same in every row."""
        if self.is_numeric(name) != self.is_numeric(other):
            return False
        same = self.is_numeric(name) or self.codes(name)[1] == self.codes(other)[1]
        return same and np.array_equal(self.values(name), self.values(other))

    def numbers_rows(self, name: str) -> bool:
        """Tell whether a column counts its rows: 0, 1, ... or 1, 2, ..."""
        if self.is_numeric(name):
            return counts(self.table[name])
        is_counter = self.numbers_as_text(name) and not self.repeats(name)
        return is_counter and counts(np.array(self.labels(name), dtype=np.float64))

    def is_whole(self, name: str) -> bool:
        """Tell whether a column holds whole numbers in every row."""
        if self.table.is_text(name):
            return False
        column = self.table.distinct(name)
        if column.dtype.kind in "iu":
            return True
        if column.size and np.floor(column[0]) != column[0]:
            return False
        if name not in self._are_whole:
            with np.errstate(invalid="ignore"):
                parts = (column[rows] for rows in _PARTS)
                self._are_whole[name] = all((np.floor(part) == part).all() for part in parts)
        return self._are_whole[name]

    def has_levels(self, name: str) -> bool:
        """Tell whether a column has few different cells, as settings have and measurements not."""
        if not self.is_numeric(name) or self.table.is_bool(name):
            return True
        rows = _ROWS_PER_WHOLE_LEVEL if self.is_whole(name) else _ROWS_PER_LEVEL
        return self.n_distinct(name) <= min(_MOST_LEVELS, self.table.n_rows / rows)

    def numbers_as_text(self, name: str) -> bool:
        """Tell whether a dataframe has whole numbers as text, as an index of several levels has."""
        if self.is_numeric(name):
            return False
        return all(label.isdecimal() for label in self.codes(name)[1] if label)

    def may_label(self, name: str) -> bool:
        """Tell whether a column may hold labels: text, or whole numbers in every row."""
        return not self.is_numeric(name) or self.is_whole(name)


def rows_with(table: RawTable, where: Mapping[str, Sequence[str]]) -> RawTable:
    """Return the rows with one of these labels in each column, with a note on how many they are."""
    if not where:
        return table
    rows = np.ones(table.n_rows, dtype=np.bool_)
    for name, wanted in where.items():
        codes, labels = table.coded_labels(find_column(table, "where", name))
        rows &= np.isin(codes, positions(wanted, tuple(labels), f"where[{name!r}]"))
    if rows.all():
        return table
    if not rows.any():
        raise ValueError(f"`where` must leave at least one row of {table.source}; it leaves none.")
    conditions = " and ".join(f"{name} {' or '.join(labels)}" for name, labels in where.items())
    told = f"{int(rows.sum()):,} of {len(rows):,} rows were read: {conditions}."
    part = table.part(np.flatnonzero(rows))
    return replace(part, notes=(*part.notes, ("where", told)))


def _comparable(numbers: FloatArray | Codes) -> FloatArray | Codes:
    """Return numbers of which a gap equals itself, and no infinite score."""
    if numbers.dtype.kind != "f":
        return numbers
    return np.where(np.isnan(numbers), np.inf, np.clip(numbers, -_LARGEST, _LARGEST))


def first_change(values: FloatArray | Codes, group: Codes) -> tuple[int, int] | None:
    """Return a row with another value than the first row of its group, and that row.

    None says that the rows of each group have one value.
    """
    first = np.zeros(int(group.max(initial=0)) + 1, dtype=np.int64)
    first[group[::-1]] = np.arange(len(group))[::-1]
    before = first[group]
    differs = values[before] != values
    if not differs.any():
        return None
    row = int(np.argmax(differs))
    return row, int(before[row])


def counts(column: FloatArray | IntArray) -> bool:
    """Tell whether numbers are 0, 1, ... or 1, 2, ... in this order."""
    if not len(column) or column[0] not in (0, 1):
        return False
    start = int(column[0])  # beyond which integers of 8 bits do not count far
    parts = (column[rows] for rows in _PARTS)
    return all(bool((it == np.arange(start, start + len(it))).all()) for it in parts)


def are_numbered(labels: Sequence[str]) -> bool:
    """Tell whether labels differ by a number alone.

    Examples
    --------
    >>> are_numbered(["seed0", "seed1"]), are_numbered(["3", "1"]), are_numbered(["acc", "f1"])
    (True, True, False)
    """
    found = [_NUMBERED.fullmatch(label) for label in labels]
    return all(found) and len({each["stem"].casefold() for each in found if each}) == 1


def levels_differ(scores: FloatArray, levels: Codes, blocks: Codes) -> bool:
    """Tell whether one level has higher scores than another in all blocks, beyond chance.

    Runs of a stochastic algorithm, and folds of different data sets, have no such order; scores
    on training and on test sets, or of two measures, have.

    Parameters
    ----------
    scores : ndarray of float
        A score per row; NaN where there is none.
    levels, blocks : ndarray of int
        The level of each row, and the data set in which levels are compared.
    """
    n_levels = int(levels.max()) + 1
    if not 2 <= n_levels <= _MOST_LEVELS:
        return False
    table = _means(scores, levels, blocks)
    with np.errstate(all="ignore"):  # sums beyond the largest float agree with none
        signs: FloatArray = np.sign(table[:, :, np.newaxis] - table[:, np.newaxis, :])
    known: BoolArray = ~np.isnan(signs) & (signs != 0)
    n_known = known.sum(axis=0)
    agree = np.abs(np.where(known, signs, 0).sum(axis=0)) == n_known
    n_pairs = n_levels * (n_levels - 1)
    return bool((agree & (n_pairs * 0.5**n_known < 1e-3)).any())


def levels_drift(
    scores: FloatArray, levels: Codes, order: FloatArray, blocks: Codes, least: float = DRIFT
) -> bool:
    """Tell whether scores rise or fall with the numbers of the levels, clearly and beyond chance.

    Those of steps of a run do; numbers of folds and of runs say next to nothing.

    Parameters
    ----------
    scores, levels, blocks : ndarray
        As for :func:`levels_differ`.
    order : ndarray of float, shape (n_levels,)
        The number of each level.
    least : float
        Standard deviations from which it is beyond chance.
    """
    n_levels, n_blocks = int(levels.max()) + 1, int(blocks.max()) + 1
    # several algorithms have scores at each step
    if n_levels < 3 or n_levels * n_blocks > len(scores):
        return False
    few = np.flatnonzero(blocks < max(_FEW_BLOCKS, n_blocks * _SAMPLE // len(scores)))
    parts: list[Any] = [few] if 2 * len(few) < len(scores) else []
    middle = (n_levels - 1) / 2
    away = np.argsort(np.argsort(order)) - middle
    for rows in (*parts, slice(None)):
        table = _means(scores[rows], levels[rows], blocks[rows])
        table = table[~np.isnan(table).any(axis=1)]
        ranks = np.argsort(np.argsort(table, axis=1), axis=1).astype(np.float64)
        ranks[table.min(axis=1) == table.max(axis=1)] = middle
        rises = abs(((ranks @ away) / (away @ away)).sum())  # Spearman's correlations
        if len(table) and 2 * rises <= _CLEAR * len(table):
            return False
    beyond = rises * ((n_levels - 1) / max(len(table), 1)) ** 0.5
    return bool(rises > _CLEAR * len(table) and beyond > least)


def _means(scores: FloatArray, levels: Codes, blocks: Codes) -> FloatArray:
    """Return the mean score of each level in each block, shape (n_blocks, n_levels)."""
    n_levels, n_blocks = int(levels.max()) + 1, int(blocks.max()) + 1
    there = ~np.isnan(scores)
    cell = (blocks.astype(np.int64) * n_levels + levels)[there]
    size = n_blocks * n_levels
    total = np.bincount(cell, scores[there], minlength=size)
    count = np.bincount(cell, minlength=size)
    means = np.full(size, np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means.reshape(n_blocks, n_levels)
