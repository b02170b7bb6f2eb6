"""Named columns and the errors that say where in them something is wrong."""

from __future__ import annotations

import numbers
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables.coded import Coded, Columns
from nbcompare._tables.numerals import advice, numeral
from nbcompare._validation import DataError, clean_label, shown

# Text of these would be Python code, or one of many ways to write the same thing.
_NO_LABELS = (bytes, bytearray, list, tuple, dict, set, frozenset, np.ndarray)

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class RawTable:
    """Columns of equal length under clean names, and where they came from.

    A column of numbers is an array of floats (NaN where a cell is empty) or of integers.
    Any other column is an object array, None where a cell is empty; numbers that stand
    among its text are Python floats.
    """

    source: str
    columns: Mapping[str, Column]
    index: str | None = None  # the column that was a dataframe's own row labels
    decimal: str | None = None  # the decimal mark that a text file was read with
    thousands: str | None = None  # what separates thousands there, if that was said
    percents: Mapping[str, BoolArray] = field(default_factory=dict)  # rows with a percent sign

    @property
    def n_rows(self) -> int:
        """Number of rows below the header."""
        if isinstance(self.columns, Columns):
            return self.columns.n_rows
        return len(next(iter(self.columns.values()))) if self.columns else 0

    @property
    def counts_rows(self) -> bool:
        """Whether the dataframe's own row labels are no more than numbers without a name."""
        return self.index == "" and not self.is_text("")

    def is_text(self, name: str) -> bool:
        """Whether the column holds anything but numbers."""
        return self._coded(name) is not None or self.columns[name].dtype == object

    def is_only_text(self, name: str) -> bool:
        """Whether the column holds text, and no number at all."""
        column = self.columns[name]
        return self.is_text(name) and all(
            value is None or isinstance(value, str) for value in column
        )

    def numbers(self, name: str, labels: str | None = None, remedy: str = "") -> FloatArray:
        """The column as finite floats, NaN where empty; else an error that names the cell.

        Parameters
        ----------
        name : str
            The column.
        labels : str, optional
            The column whose label the error repeats, to make the row easy to find.
        remedy : str
            What the error says about text in the column.
        """
        column = self.columns[name]
        if self.is_text(name) and (row := self._first_wrong(column)) is not None:
            raise DataError(
                f"{self.cell(row, name, labels)} must be a number; got {shown(column[row])}."
                f"{advice(column[row], self.decimal, self.thousands) or remedy}"
            )
        self.refuse_mixed_percents([name], labels)
        floats: FloatArray = column.astype(np.float64, copy=False)
        infinite = np.flatnonzero(np.isinf(floats))
        if infinite.size:
            row = int(infinite[0])
            raise DataError(
                f"{self.cell(row, name, labels)} must be finite; got {floats[row]!s}. "
                "Leave the cell empty if there is no result."
            )
        return floats

    def refuse_mixed_percents(
        self, names: Sequence[str], labels: str | None = None, remedy: str = ""
    ) -> None:
        """Refuse scores of which some have a percent sign and some do not."""
        if not self.percents:
            return
        first: dict[bool, str] = {}
        for name in names:
            signs = self.percents.get(name, np.zeros(self.n_rows, dtype=np.bool_))
            there = ~np.isnan(self.columns[name].astype(np.float64, copy=False))
            for sign in (True, False):
                if sign not in first and (rows := np.flatnonzero(there & (signs == sign))).size:
                    value = float(self.columns[name][rows[0]])
                    cell = self.cell(int(rows[0]), name, labels)
                    first[sign] = f"{cell} ({value:.15g}{'%' if sign else ''})"
        if len(first) == 2:
            raise DataError(
                f"{first[True]} has a percent sign, {first[False]} has none. "
                f"Write all scores in one unit.{remedy}"
            )

    def refuse_other_decimal_mark(self, name: str, remedy: str = "") -> None:
        """Refuse a column of text whose first cell is a number but for its decimal mark."""
        for row, value in enumerate(self.columns[name]):
            if self.decimal is not None and (told := advice(value, self.decimal, self.thousands)):
                raise DataError(
                    f"{self.cell(row, name)} holds text; got {shown(value)}.{told}{remedy}"
                )
            if value is not None:
                return

    def labels(self, name: str) -> list[str]:
        """The column as labels, one per row, none blank."""
        column = self.columns[name]
        if column.dtype != object:
            values, places = np.unique(column, return_inverse=True)
            if column.dtype.kind == "f" and np.isnan(column).any():
                self._refuse_label(name, int(np.argmax(np.isnan(column))))
            cleaned = np.array([clean_label(value) for value in values], dtype=object)
            return list(cleaned[places])
        if set(map(type, column)) == {str}:
            cleaned_once = _CleanedOnce()
            labels = list(map(cleaned_once.__getitem__, column))
            if "" in cleaned_once.values():
                self._refuse_label(name, labels.index(""))
            return labels
        labels = [
            "" if value is None or isinstance(value, _NO_LABELS) else clean_label(value)
            for value in column
        ]
        if "" in labels:
            self._refuse_label(name, labels.index(""))
        return labels

    def coded_labels(self, name: str) -> tuple[IntArray, list[str]]:
        """The column as numbers of labels, and the labels in order of first appearance."""
        coded = self._coded(name)
        if coded is not None:
            return self._cleaned_codes(name, coded)
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__  # a new label gets the next number
        labels = self.labels(name)
        codes = np.fromiter(map(number.__getitem__, labels), dtype=np.int64, count=len(labels))
        return codes, list(number)

    def _coded(self, name: str) -> Coded | None:
        return self.columns.coded(name) if isinstance(self.columns, Columns) else None

    def _cleaned_codes(self, name: str, coded: Coded) -> tuple[IntArray, list[str]]:
        """Codes of clean labels; cells that differ in white space only are one label."""
        labels = [clean_label(cell) for cell in coded.cells]
        if "" in labels:  # of characters that cannot be seen
            self._refuse_label(name, int(np.argmax(coded.codes == labels.index(""))))
        distinct = list(dict.fromkeys(labels))
        if len(distinct) == len(labels):
            return coded.codes, labels
        place = {label: number for number, label in enumerate(distinct)}
        return np.array([place[label] for label in labels], dtype=np.int64)[coded.codes], distinct

    def cell(self, row: int, name: str, labels: str | None = None) -> str:
        """``scores.csv, row 3 ('iris'), column 'C4.5'``; the row below the header is row 1."""
        label = None if labels is None else self.columns[labels][row]
        beside = "" if is_blank(label) else f" ({shown(clean_label(label))})"
        unnamed = "the index" if self.index == name else "the column without a name"
        return f"{self.source}, row {row + 1}{beside}, {f'column {name!r}' if name else unnamed}"

    def _first_wrong(self, column: Column) -> int | None:
        """The row of the first cell that is no number at all, else of the first in doubt."""
        texts = [
            row for row, value in enumerate(column) if value is not None and not is_number(value)
        ]
        if self.decimal is None or not texts:
            return texts[0] if texts else None  # a column of labels may be empty
        wrong = (row for row in texts if not numeral(column[row], self.decimal, self.thousands))
        return next(wrong, texts[0])

    def _refuse_label(self, name: str, row: int) -> None:
        value = self.columns[name][row]
        got = "the cell is empty" if is_blank(value) else f"got {shown(value)}"
        raise DataError(f"{self.cell(row, name)} must be a label; {got}.")


class _CleanedOnce(dict[str, str]):
    """Clean labels by raw ones: in a long table, most stand in many rows."""

    def __missing__(self, raw: str) -> str:
        label = self[raw] = clean_label(raw)
        return label


def check_header(names: Iterable[object], source: str) -> list[str]:
    """Clean names; the same twice is refused, and a blank one past the first column."""
    seen: dict[str, int] = {}
    for position, raw in enumerate(names, start=1):
        name = "" if is_blank(raw) else clean_label(raw)
        if not name and position > 1:
            raise DataError(f"{source}: column {position} has no name.")
        if name in seen:
            raise DataError(
                f"{source}: column names must be distinct; got {shown(name)} "
                f"in columns {seen[name]} and {position}."
            )
        seen[name] = position
    return list(seen)


def is_number(value: object) -> bool:
    """Whether a cell holds a real number; True and False are none."""
    return isinstance(value, numbers.Real | Decimal | np.floating | np.integer) and not isinstance(
        value, bool
    )


def is_blank(value: object) -> bool:
    """Whether there is nothing in a cell but, perhaps, white space."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
