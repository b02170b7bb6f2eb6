"""Columns of a table, and what their cells say.

A column of a text file keeps its cells as they stand. They are read as numbers when somebody asks
for numbers, so that a label 007 stays 007, and NA stays NA.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from operator import ne
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables.text_format import Column, Numeral, TextFormat, numeral, plain_number
from nbcompare._validation import are_clean

if TYPE_CHECKING:
    import polars as pl

Codes = npt.NDArray[np.signedinteger[Any]]

_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")
_STRETCH = 2**16  # rows that are looked through at a time
_EXACT = 2**53  # whole numbers up to here are exact as floats
_AT_ONCE = 8  # columns
_LONG = 8  # rows with the same cell
_SAMPLE = 1_000  # cells from which the others are guessed
TRUTH = {"True": 1.0, "true": 1.0, "TRUE": 1.0, "False": 0.0, "false": 0.0, "FALSE": 0.0}


def is_number(value: object) -> bool:
    """Tell whether a cell holds a real number; True and False are none."""
    return isinstance(value, numbers.Real | Decimal | np.floating | np.integer) and not isinstance(
        value, bool | np.bool_
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


def objects(cells: Collection[Any]) -> Column:
    """Return an array of objects, of which a list may be one."""
    column = np.empty(len(cells), dtype=object)
    for row, cell in enumerate(cells):
        column[row] = cell
    return column


# ----------------------------------------------------------------------------- cells of text


class Said(NamedTuple):
    """The numbers that all cells of a column say, NaN where one is empty.

    Attributes
    ----------
    values : ndarray of float
        A number for each cell, or for each row.
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


def said_by(cells: Sequence[Any], text: TextFormat) -> Said | None:
    """Read cells as numbers; None if any of them is none."""
    if (quick := _floats(cells, text)) is not None:
        return Said(_without_gaps(quick, text))
    read = [numeral(cell, text) if isinstance(cell, str) else _as_it_is(cell) for cell in cells]
    if None not in read:
        found = cast(list[Numeral], read)
        marked = [each for each in found if each.mark]
        signs = np.array([each.is_percent for each in found], dtype=np.bool_)
        return Said(
            _without_gaps(np.array([each.value for each in found], dtype=np.float64), text),
            signs if signs.any() else None,
            {each.mark for each in marked if not each.is_doubtful},
            {each.mark for each in marked if each.is_doubtful},
        )
    truths = [
        TRUTH.get(str(cell).strip(), np.nan if one is not None and one.value != one.value else None)
        for cell, one in zip(cells, read, strict=True)
    ]
    return None if None in truths else Said(np.array(truths, dtype=np.float64), is_truth=True)


def _floats(cells: Sequence[Any], text: TextFormat) -> FloatArray | None:
    """Return cells of plain digits as floats; None if there may be anything else."""
    if text.decimal_mark != "." or not cells or set(map(type, cells)) != {str}:
        return None
    together = "".join(cells)
    if not together.isascii() or "_" in together:  # float() would read 1_0 as 10
        return None
    try:
        return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        return None


def _without_gaps(values: FloatArray, text: TextFormat) -> FloatArray:
    """Empty the numbers that stand for a missing one."""
    for number in text.missing_numbers:
        values[values == number] = np.nan
    return values


def _as_it_is(cell: Any) -> Numeral | None:
    if cell is None:
        return Numeral(np.nan)
    return Numeral(as_float(cell)) if is_number(cell) else None


def as_float(cell: Any) -> float:
    """Return a number as a float, infinite if it is too large for one."""
    try:
        return float(cell)
    except OverflowError:
        return np.inf if cell > 0 else -np.inf


class Coded:
    """A column of which row i holds ``cells[codes[i]]``.

    Parameters
    ----------
    codes : ndarray of int
        Places in the cells.
    cells : sequence
        In order of first appearance, none of them twice; an empty one is None or blank.
    text : TextFormat, optional
        How numbers are written in the cells; None if text is text, as in a dataframe.
    """

    def __init__(self, codes: Codes, cells: Sequence[Any], text: TextFormat | None = None) -> None:
        self.codes, self.cells, self.text = codes, cells, text

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def coded(self) -> Coded:
        """The column itself, as one that is kept row by row has to be coded first."""
        return self

    @cached_property
    def is_clean(self) -> bool:
        """Whether the cells are clean labels."""
        return are_clean(self.cells)

    @cached_property
    def of_cells(self) -> Said | None:
        """What the cells say."""
        if self.text is None or _is_text(self.cells[:_SAMPLE], self.text):
            return None
        return said_by(self.cells, self.text)

    @cached_property
    def said(self) -> Said | None:
        """The numbers row by row; None if any cell is none."""
        found = self.of_cells
        if found is None:
            return None
        signs = None if found.signs is None else found.signs[self.codes]
        return found._replace(values=found.values[self.codes], signs=signs)

    def with_numbers(self) -> Coded:
        """Return a column of text with floats for the numbers among it, None for empty cells."""
        cells = [None if is_blank(cell) else cell for cell in self.cells]
        if self.text is None:
            return Coded(self.codes, cells)
        cells = [cell.lstrip(" ") if isinstance(cell, str) else cell for cell in cells]
        read = [plain_number(cell, self.text) if isinstance(cell, str) else cell for cell in cells]
        read = [np.nan if it in self.text.missing_numbers else it for it in read]
        if any(is_number(value) and value == value for value in read):
            cells = [
                old if new is None else None if new != new else new
                for old, new in zip(cells, read, strict=True)
            ]
        return Coded(self.codes, cells)

    def decoded(self) -> Column:
        """Return the cells row by row."""
        return objects(self.cells)[self.codes]

    def with_text(self, text: TextFormat) -> Coded:
        """Return the column to be read in another format."""
        return Coded(self.codes, self.cells, text)

    def cell(self, row: int) -> Any:
        """Return the cell of a row as it stands."""
        return self.cells[int(self.codes[row])]

    def part(self, rows: IntArray) -> Coded:
        """Return some rows, without the cells that none of them holds."""
        codes, order = by_appearance(self.codes[rows], len(self.cells))
        return Coded(codes, [self.cells[place] for place in order.tolist()], self.text)


def _is_text(cells: Sequence[Any], text: TextFormat) -> bool:
    """Tell whether some cells, and so the column, are no numbers."""
    return any(
        isinstance(cell, str) and numeral(cell, text) is None and cell.strip() not in TRUTH
        for cell in cells
    )


class Written:
    """A column of a large text file, of which nearly all cells differ; read by polars."""

    def __init__(self, texts: pl.Series, text: TextFormat) -> None:
        self.texts, self.text = texts, text

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def coded(self) -> Coded:
        """The column by its cells."""
        return coded(self.texts, self.text)

    @cached_property
    def is_text(self) -> bool:
        """Whether the first cells hold text."""
        return _is_text(self.texts.head(_SAMPLE).to_list(), self.text)

    def read(self, values: FloatArray) -> Said | None:
        """Say what the cells are, of which these are the plain numbers, NaN for any other cell."""
        with np.errstate(over="ignore", invalid="ignore"):  # a sum is finite only if all are
            if np.isfinite(values.sum()):
                return Said(_without_gaps(values, self.text))
        odd = np.flatnonzero(~np.isfinite(values))
        said = coded(self.texts.gather(odd), self.text).said
        if said is None or (said.is_truth and len(odd) < len(values)):
            return None
        values[odd] = said.values
        signs = None
        if said.signs is not None:
            signs = np.zeros(len(values), dtype=np.bool_)
            signs[odd] = said.signs
        return said._replace(values=_without_gaps(values, self.text), signs=signs)

    def with_text(self, text: TextFormat) -> Written:
        """Return the column to be read in another format."""
        return Written(self.texts, text)

    def cell(self, row: int) -> Any:
        """Return the cell of a row as it stands."""
        return self.texts[row]

    def part(self, rows: IntArray) -> Written:
        """Return some rows."""
        return Written(self.texts.gather(rows), self.text)


def side_by_side(columns: Mapping[str, Written], n_rows: int) -> dict[str, Said | None]:
    """Read what columns say, into the rows of one array, so that nobody has to copy them."""
    import polars as pl

    columns = {name: column for name, column in columns.items() if not column.is_text}
    values = np.empty((len(columns), n_rows))
    for start in range(0, len(columns), _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        texts = pl.DataFrame(
            [column.texts.alias(name) for name, column in list(columns.items())[rows]]
        )
        every = pl.all()
        if next(iter(columns.values())).text.decimal == ",":
            every = every.str.replace_all(".", "_", literal=True)  # which is no number
            every = every.str.replace_all(",", ".", literal=True)
        read = texts.select(every.cast(pl.Float64, strict=False))
        for row, numbers_of_one in zip(values[rows], read, strict=True):
            row[:] = numbers_of_one.to_numpy()
    return {
        name: column.read(row) for (name, column), row in zip(columns.items(), values, strict=True)
    }


def coded(texts: pl.Series, text: TextFormat | None = None) -> Coded:
    """Code a column of polars by its cells, of which null is one."""
    import polars as pl

    sample = texts.head(_SAMPLE).to_list()
    if len(texts) > _SAMPLE >= _LONG * sum(map(ne, sample, sample[1:])):  # as in sorted rows
        starts = texts.ne_missing(texts.shift())
        starts[0] = True
        runs = coded(texts.filter(starts), text)
        places = np.append(np.flatnonzero(starts.to_numpy()), len(texts))
        return Coded(runs.codes.repeat(np.diff(places)), runs.cells, text)
    cells = texts.unique(maintain_order=True)
    if len(cells) == len(texts):
        return Coded(np.arange(len(texts), dtype=np.int32), cells.to_list(), text)
    codes = texts.cast(pl.Enum(cells.drop_nulls())).to_physical()
    if cells.null_count():  # what comes after the gap is one further on
        gap = cells.is_null().arg_max()
        codes = codes.cast(pl.Int64)
        codes = (codes + (codes >= gap).cast(pl.Int64)).fill_null(gap)
    kind = np.int16 if len(cells) < 2**15 else np.int32
    return Coded(codes.to_numpy().astype(kind), cells.to_list(), text)


Held = Column | Coded | Written


class Columns(Mapping[str, Column]):
    """Columns by name, of which text is decoded only when somebody looks at it.

    A column of numbers is an array of floats (NaN where a cell is empty) or of integers. Any
    other column is an object array, None where a cell is empty; numbers that stand among its text
    are floats.
    """

    def __init__(self, held: Mapping[str, Held]) -> None:
        self._held = dict(held.held if isinstance(held, Columns) else held)
        self._arrays: dict[str, Column] = {}
        self._text: dict[str, Coded] = {}
        self._settled: Collection[str] | None = None
        self._block: dict[str, Said | None] | None = None

    @property
    def held(self) -> Mapping[str, Held]:
        """The columns as they are kept."""
        return self._held

    def __getitem__(self, name: str) -> Column:
        held = self._held[name]
        if isinstance(held, np.ndarray):
            return held
        if name not in self._arrays:
            said = self.said(name)
            self._arrays[name] = self._coded(name).decoded() if said is None else said.values
        return self._arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __or__(self, others: Mapping[str, Held]) -> Columns:
        """Return these columns, some of them replaced."""
        return Columns({**self._held, **others})

    def said(self, name: str) -> Said | None:
        """Return the numbers that a column of text says; None if it says others, or holds them."""
        said = self._said(name)
        if said is not None and not set(said.doubtful) <= set(said.settled):
            if self._settled is None:
                found = (self._said(other) for other in self._held)
                self._settled = {mark for one in found if one is not None for mark in one.settled}
            if not set(said.doubtful) <= set(self._settled):
                return None
        return said

    def _said(self, name: str) -> Said | None:
        held = self._held[name]
        if isinstance(held, np.ndarray):
            return None
        if not isinstance(held, Written):
            return held.said
        if self._block is None:
            written = {it: one for it, one in self._held.items() if isinstance(one, Written)}
            self._block = side_by_side(written, self.n_rows)
        return self._block.get(name)

    def coded(self, name: str) -> Coded | None:
        """Return a column of text by its cells, numbers among them read; None for any other."""
        is_array = isinstance(self._held[name], np.ndarray)
        return None if is_array or self.said(name) is not None else self._coded(name)

    def _coded(self, name: str) -> Coded:
        if name not in self._text:
            self._text[name] = cast(Coded | Written, self._held[name]).coded.with_numbers()
        return self._text[name]

    def cell(self, name: str, row: int) -> Any:
        """Return the cell of a row as it stands."""
        held = self._held[name]
        return held[row] if isinstance(held, np.ndarray) else held.cell(row)

    def without(self, names: Collection[str]) -> Columns:
        """Return the other columns."""
        return Columns({name: held for name, held in self._held.items() if name not in names})

    def part(self, rows: IntArray) -> Columns:
        """Return some rows of all columns; a column of which only numbers are left holds them."""
        return Columns(
            {
                name: _numbers_again(it[rows]) if isinstance(it, np.ndarray) else it.part(rows)
                for name, it in self._held.items()
            }
        )

    @property
    def n_rows(self) -> int:
        """Length of every column."""
        return len(next(iter(self._held.values()), ()))


class Signs(Mapping[str, BoolArray]):
    """The percent signs in columns of text, found when somebody asks for them."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> BoolArray:
        said = self._columns.said(name) if name in self._columns else None
        if said is None or said.signs is None:
            raise KeyError(name)
        return said.signs

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._columns if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


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
    found = sorted_numbers(column, exact=False)
    codes, values = found or np.unique(column, return_inverse=True)[::-1]
    codes, order = by_appearance(codes, len(values))
    return codes, values[order]


def sorted_numbers(
    column: npt.NDArray[Any], *, exact: bool = True
) -> tuple[Codes, npt.NDArray[Any]] | None:
    """Return what :func:`coded_numbers` does, the numbers in order.

    None if they are no whole numbers, lie far apart, or their order as labels may be another one.
    """
    near = _near_each_other(column)
    if near is None:
        return None
    away, least, n_values = near
    if exact and max(abs(int(least)), abs(int(least) + n_values)) > _EXACT:
        return None
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
