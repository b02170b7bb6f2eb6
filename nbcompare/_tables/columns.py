"""Columns of a table: arrays of numbers, and text that may say numbers.

Text keeps its cells as they stand. They are read as numbers on request, so
that a label 007 stays 007, and NA stays NA.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from functools import cached_property
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables.text_format import PLAIN, Column, TextFormat, numeral, plain_number

if TYPE_CHECKING:
    import polars as pl

Codes = npt.NDArray[np.signedinteger[Any]]
Coding = tuple[Codes, Sequence[Any]]

_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")
FEW = 2**16  # whole numbers that may lie between the least and the largest of any column
_MOST_CHOICES = 2**15
SAMPLE = 1_000  # first cells of a column, from which the others are guessed
_MANY = 10_000  # cells from which on it pays to let polars read them
_LONG = 8  # rows with the same cell
_LARGEST = 2**63 - 1
TRUTH = {"True": 1.0, "true": 1.0, "TRUE": 1.0, "False": 0.0, "false": 0.0, "FALSE": 0.0}


def is_number(value: object) -> bool:
    """Tell whether a cell holds a real number; True and False are none."""
    return isinstance(value, numbers.Real | Decimal) and not isinstance(value, bool | np.bool_)


def is_blank(value: object) -> bool:
    """Tell whether there is nothing in a cell but, perhaps, white space."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


def natural_order(labels: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return keys that sort 2 before 10, and f2 before f10."""
    if all(map(_NUMBER.fullmatch, labels)):
        return [(float(label), label) for label in labels]
    # text and digits alternate, so that numbers are compared with numbers
    split = [_DIGITS.split(label) for label in labels]
    parts = [[int(part) if i % 2 else part for i, part in enumerate(each)] for each in split]
    return list(zip(parts, labels, strict=True))


def naturally_sorted(labels: Sequence[str]) -> list[str]:
    """Return labels in their natural order.

    Examples
    --------
    >>> naturally_sorted(["f10", "f2"])
    ['f2', 'f10']
    """
    keys = dict(zip(labels, natural_order(labels), strict=True))
    return sorted(labels, key=keys.__getitem__)


def as_float(cell: Any) -> float:
    """Return a number as a float, infinite if it is too large for one."""
    try:
        return float(cell)
    except OverflowError:
        return math.inf if cell > 0 else -math.inf


# ----------------------------------------------------------------------------- cells of text


class Said(NamedTuple):
    """The numbers that all cells of a column say, NaN where one is empty.

    Attributes
    ----------
    values : ndarray of float
        A number for each cell.
    signs : ndarray of bool
        Which have a percent sign; None if none has.
    settled, doubtful : set of str
        Marks of thousands that can be nothing else, and marks that may be decimal marks.
    is_truth : bool
        Whether the cells are True and False.
    """

    values: FloatArray
    signs: BoolArray | None = None
    settled: Collection[str] = frozenset()
    doubtful: Collection[str] = frozenset()
    is_truth: bool = False


def read_numbers(cells: Sequence[Any], text: TextFormat) -> Said | None:
    """Read cells as numbers; None if any of them is none."""
    if len(cells) > SAMPLE and read_numbers(cells[:SAMPLE], text) is None:
        return None
    values = _plain_numbers(cells, text)
    signs = np.zeros(len(cells), dtype=np.bool_)
    marks: dict[bool, set[str]] = {False: set(), True: set()}  # of thousands, by whether in doubt
    odd = np.flatnonzero(~np.isfinite(values)).tolist()
    truths = [TRUTH.get(str(cells[place]).strip()) for place in odd]
    is_truth = len(odd) == len(cells) and any(truth is not None for truth in truths)
    for place, truth in zip(odd, truths, strict=True):
        cell = cells[place]
        one = numeral(cell, text) if isinstance(cell, str) else None
        is_gap = cell is None or (one is not None and one.value != one.value)
        if is_truth and truth is not None:
            values[place] = truth
        elif not is_gap and (is_truth or (one is None and not is_number(cell))):
            return None
        elif one is not None:
            values[place], signs[place] = one.value, one.is_percent
            marks[one.is_doubtful] |= {one.mark} - {""}
    if not is_truth:
        values = empty_gaps(values, text)
    return Said(values, signs if signs.any() else None, marks[False], marks[True], is_truth)


def _plain_numbers(cells: Sequence[Any], text: TextFormat) -> FloatArray:
    """Return the numbers among cells that are written plainly, NaN for any other cell."""
    if len(cells) >= _MANY and set(map(type, cells)) <= {str, type(None)}:
        import polars as pl

        texts = pl.Series(cells, dtype=pl.String)
        if text.decimal == ",":
            texts = texts.str.replace_all(".", "_", literal=True)  # which is not a number
            texts = texts.str.replace_all(",", ".", literal=True)
        return texts.cast(pl.Float64, strict=False).to_numpy(writable=True)
    read = [
        plain_number(cell, text)
        if isinstance(cell, str)
        else as_float(cell)
        if is_number(cell)
        else None
        for cell in cells
    ]
    return np.array(read, dtype=np.float64)


def empty_gaps(values: FloatArray, text: TextFormat) -> FloatArray:
    """Return numbers without those that stand for a missing one."""
    for number in text.missing_numbers:
        values = np.where(values == number, np.nan, values)
    return values


class Text:
    """A column of which row i holds ``cells[codes[i]]``.

    Parameters
    ----------
    load : callable
        Returns the codes, and the cells in order of first appearance, none of them twice; an
        empty one is None or blank.
    text : TextFormat, optional
        How numbers are written in the cells; None if text is text, as in a dataframe.
    values : ndarray of float, optional
        What the cells say, row by row, if that is known.
    head : sequence of str
        The first cells, if they are known.
    """

    def __init__(
        self,
        load: Callable[[], Coding],
        text: TextFormat | None = None,
        values: FloatArray | None = None,
        head: Sequence[Any] = (),
    ) -> None:
        self._load, self.text, self._values, self._head = load, text, values, head

    def __len__(self) -> int:
        return len(self.codes if self._values is None else self._values)

    @cached_property
    def _coding(self) -> Coding:
        return self._load()

    @property
    def codes(self) -> Codes:
        """Places in the cells, row by row."""
        return self._coding[0]

    @property
    def cells(self) -> Sequence[Any]:
        """The cells as they stand, each once."""
        return self._coding[1]

    @cached_property
    def said(self) -> Said | None:
        """The numbers of the cells, or of the rows where these are known; None if any is none."""
        if self._values is not None:
            return Said(self._values)
        return None if self.text is None else read_numbers(self.cells, self.text)

    def by_row(self, said: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what is said of the cells row by row."""
        return said if self._values is not None else said[self.codes]

    def read(self, cells: Sequence[Any]) -> list[Any]:
        """Return cells with floats for the numbers among the text, None for empty ones."""
        cells = [
            None if is_blank(cell) else cell.lstrip(" ") if isinstance(cell, str) else cell
            for cell in cells
        ]
        if self.text is None:
            return cells
        read = [plain_number(it, self.text) if isinstance(it, str) else it for it in cells]
        read = [math.nan if it in self.text.missing_numbers else it for it in read]
        if not any(is_number(value) and value == value for value in read):
            return cells  # NA is a label
        return [
            cell if value is None else None if value != value else value
            for cell, value in zip(cells, read, strict=True)
        ]

    @cached_property
    def decoded(self) -> Column:
        """The cells row by row."""
        cells = np.empty(len(self.cells), dtype=object)
        for place, cell in enumerate(self.read(self.cells)):  # of which a list may be one
            cells[place] = cell
        decoded: Column = cells[self.codes]
        return decoded

    def with_text(self, text: TextFormat) -> Text:
        """Return the column to be read in another format."""
        values, marks = None, (text.decimal_mark, text.thousands)
        is_same = self.text is not None and (self.text.decimal_mark, self.text.thousands) == marks
        if is_same and self._values is not None:
            values = empty_gaps(self._values, text)
        return Text(lambda: self._coding, text, values, self._head)

    def first_cells(self, count: int) -> list[Any]:
        """Return the cells of the first rows as they stand."""
        if self._values is not None and len(self._head) >= min(count, len(self)):
            return list(self._head[:count])
        return [self.cells[code] for code in self.codes[:count].tolist()]

    def tolist(self) -> list[Any]:
        """Return the cells row by row as they stand."""
        return [self.cells[code] for code in self.codes.tolist()]

    def cell(self, row: int) -> Any:
        """Return the cell of a row as it stands."""
        return self._head[row] if row < len(self._head) else self.cells[int(self.codes[row])]

    def __getitem__(self, rows: IntArray) -> Text:
        """Return some rows, without the cells that none of them holds."""

        def load() -> Coding:
            codes, order = by_appearance(self.codes[rows], len(self.cells))
            return codes, [self.cells[place] for place in order.tolist()]

        return Text(load, self.text, None if self._values is None else self._values[rows])


Held = Column | Text


def column_of_objects(cells: Sequence[Any], text: TextFormat | None) -> Held:
    """Return a column of Python objects; numbers in its text, if a format is given, are read."""
    values = [None if is_blank(cell) else cell for cell in cells]
    if all(type(cell) is int and abs(cell) <= _LARGEST for cell in values):
        return np.array(values, dtype=np.int64)  # labels may be larger than floats can tell apart
    if all(cell is None or is_number(cell) for cell in values):
        return np.array([math.nan if cell is None else as_float(cell) for cell in values])
    if all(cell is None or isinstance(cell, bool | np.bool_) for cell in values):
        text = PLAIN  # True and False say their numbers
    elif not all(cell is None or isinstance(cell, str) or is_number(cell) for cell in values):
        return Text(lambda: (np.arange(len(values)), values))
    codes, kinds = numbered([(type(cell), cell) for cell in values])
    return Text(lambda: (codes, [cell for _, cell in kinds]), text)


def stacked(columns: Sequence[Held]) -> Held:
    """Return columns of several tables one below the other."""
    arrays = [column for column in columns if isinstance(column, np.ndarray)]
    if len(arrays) == len(columns):
        return np.concatenate(arrays)
    cells = [cell for column in columns for cell in column.tolist()]
    texts = [column.text for column in columns if isinstance(column, Text)]
    return column_of_objects(cells, texts[-1])


# --------------------------------------------------------------------------------- codes


def numbered(cells: Iterable[Any]) -> tuple[IntArray, list[Any]]:
    """Return the number of each cell, and the cells by first appearance, each once."""
    places: dict[Any, int] = {}
    codes = [places.setdefault(cell, len(places)) for cell in cells]
    return np.array(codes, dtype=np.int64), list(places)


def choices_of(cells: pl.Series) -> pl.Enum | None:
    """Return the labels that repeat in the first cells of a column, if there are few others.

    None says that another label may well follow, for one of them was seen once.
    """
    import polars as pl

    there = cells.drop_nulls()
    if not len(there) or there.unique_counts().min() == 1:
        return None
    labels = there.unique(maintain_order=True)
    return pl.Enum(labels) if labels.len() < _MOST_CHOICES else None


def are_in_order(cells: pl.Series) -> bool:
    """Tell whether most of the first cells are like the one before, as in sorted rows."""
    first = cells.head(SAMPLE).to_list()
    return len(cells) > SAMPLE and sum(map(ne, first, first[1:])) <= SAMPLE / _LONG


def coded(texts: pl.Series) -> Coding:
    """Code a column of polars by its cells; null is a cell without characters."""
    import polars as pl

    if isinstance(texts.dtype, pl.Enum):
        return _coded_choices(texts.to_physical(), texts.dtype.categories.to_list())
    texts = texts.fill_null("")
    if are_in_order(texts):
        same = texts.rle()
        codes, known = coded(same.struct.field("value"))
        return codes.repeat(same.struct.field("len").to_numpy()), known
    first = texts.head(FEW)
    cells = first.unique(maintain_order=True)
    # what has different hashes is different
    if len(cells) == len(first) and texts.hash().n_unique() == len(texts):
        return np.arange(len(texts), dtype=np.int32), texts.to_list()
    found = texts.cast(pl.Enum(cells), strict=False)
    if found.null_count():  # what the first rows do not hold
        cells = texts.unique(maintain_order=True)
        found = texts.cast(pl.Enum(cells))
    return _coded_choices(found.to_physical(), cells.to_list())


def _coded_choices(places: pl.Series, cells: list[str]) -> Coding:
    """Code a column by the places of its cells, which may be in another order."""
    if places.null_count():
        places, cells = places.cast(int).fill_null(len(cells)), [*cells, ""]
    small = np.int16 if len(cells) < 2**15 else np.int32
    codes: Codes = places.to_numpy()
    codes = codes.view(small) if codes.itemsize == small().itemsize else codes.astype(small)
    codes, order = by_appearance(codes, len(cells))
    return codes, [cells[place] for place in order.tolist()]


def floats_of(columns: Sequence[pl.Series]) -> FloatArray:
    """Return columns of floats of polars as the rows of one array, NaN for null."""
    import polars as pl

    if not columns:
        return np.empty((0, 0))
    return pl.concat(columns).to_numpy().reshape(len(columns), -1)


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
        The new numbers.
    order : ndarray of int
        The old number of each label that is in a row.
    """
    for rows in (codes[:FEW], codes):  # the first may hold all labels
        first = np.full(n_labels, len(codes))
        begins = np.flatnonzero(rows[1:] != rows[:-1])[::-1] + 1  # few, in sorted rows
        first[rows[begins]] = begins
        first[rows[:1]] = 0
        n_found = np.count_nonzero(first < len(codes))
        if n_found == n_labels:
            break
    order = np.argsort(first, kind="stable")[:n_found]
    if np.array_equal(order, np.arange(n_labels)):
        return codes, order
    place = np.zeros(n_labels, dtype=codes.dtype)
    place[order] = np.arange(n_found)
    return place[codes], order


def coded_numbers(column: npt.NDArray[Any]) -> tuple[Codes, npt.NDArray[Any]]:
    """Return numbers of the distinct numbers in a column, and these by first appearance."""
    is_whole = column.dtype.kind in "iu" and len(column) > 0
    span = int(column.max()) - int(column.min()) + 1 if is_whole else 0
    if not is_whole or span > max(2 * len(column), FEW):
        values, found = np.unique(column, return_inverse=True)
        codes, order = by_appearance(found, len(values))
        return codes, values[order]
    least, small = column.min(), np.int16 if span < 2**15 else np.int32
    away: Codes = np.empty(len(column), dtype=small)
    np.subtract(column, least, out=away, dtype=np.int64, casting="unsafe")
    codes, order = by_appearance(away, span)
    wide = np.uint64 if column.dtype == np.uint64 else np.int64
    return codes, order.astype(wide) + wide(least)
