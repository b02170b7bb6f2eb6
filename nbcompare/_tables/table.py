"""Tables of named columns, errors that name a cell, and the calls that read them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables import memory
from nbcompare._tables.columns import (
    TRUTH,
    Coded,
    Codes,
    Columns,
    Said,
    Signs,
    coded_numbers,
    is_blank,
    is_number,
    natural_order,
    recoded,
    said_by,
    sorted_numbers,
)
from nbcompare._tables.doubt import Unsettled, Way
from nbcompare._tables.lines import STANDARD_INPUT
from nbcompare._tables.text_format import (
    PLAIN,
    Advice,
    Column,
    TextFormat,
    advice,
    numeral,
)
from nbcompare._validation import DataError, clean_label, did_you_mean, listed, shown

# Objects of these classes are no labels: their text is Python code.
_NO_LABELS = (bytes, bytearray, list, tuple, dict, set, frozenset, np.ndarray)

_SAMPLE = 50  # cells of which one is True or False in a column of these
_LONGEST_WORD = 40  # characters of a cell that may stand for a missing number
_LIKE_NUMBER = re.compile(r"[^\w<>\u2264\u2265]*\d")  # how no word begins, but for > 1h
_FRACTION = re.compile(r"[-+]?\d*[.,]\d+")

_Arguments = ParamSpec("_Arguments")
_Made = TypeVar("_Made")


class Beside(NamedTuple):
    """What stands beside the scores of a column, row by row; NaN where nothing does.

    Attributes
    ----------
    deviation : ndarray of float
        Standard deviations.
    inside : ndarray of float
        Numbers in brackets.
    is_plain : ndarray of bool
        Whether the number in brackets looks like a rank or a count.
    cells : ndarray of object
        The cells as they were written, in case they turn out to be labels.
    """

    deviation: FloatArray
    inside: FloatArray
    is_plain: BoolArray
    cells: Column

    def part(self, rows: IntArray) -> Beside:
        """Return what stands beside the scores of some rows."""
        return Beside._make(column[rows] for column in self)


@dataclass(frozen=True, slots=True)
class RawTable:
    """Columns of equal length under clean names, and the name of their source.

    :class:`Columns` says what is in a column. Cells of text keep what stands in them, beside the
    numbers that they say: :meth:`numbers` returns these, :meth:`labels` those.
    """

    source: str
    columns: Mapping[str, Column]
    index: str | None = None  # the column that was a dataframe's own row labels
    text: TextFormat | None = None  # how a text file was read; None for other sources
    percents: Mapping[str, BoolArray] = field(default_factory=dict)  # rows with a percent sign
    kept: IntArray | None = None  # the rows of the source that these are; None for all
    beside: Mapping[str, Beside] = field(default_factory=dict)  # of columns of printed scores
    ignorable: Collection[str] = ()  # "row", "data set", "column": what a caller may leave out
    notes: tuple[tuple[str, str], ...] = ()  # codes and texts: how cells were understood
    is_own: bool = False  # whether nobody else holds the columns, so that they need no copy
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of names of columns
    level_names: tuple[str | None, ...] = ()  # what these levels are called
    has_numbers_as_names: bool = False  # whether a dataframe has them: 0.5 itself, not its text

    def __post_init__(self) -> None:
        """Let the columns find the numbers in their text."""
        if not isinstance(self.columns, Columns):
            object.__setattr__(self, "columns", Columns(self.columns))

    @property
    def _columns(self) -> Columns:
        return cast(Columns, self.columns)

    @property
    def n_rows(self) -> int:
        """Number of rows below the header."""
        return self._columns.n_rows

    @property
    def counts_rows(self) -> bool:
        """Whether the dataframe's own row labels are no more than numbers without a name."""
        return self.index == "" and not self.is_text("")

    def is_text(self, name: str) -> bool:
        """Whether the column holds anything but numbers; True and False are 1 and 0."""
        held = self._columns.held[name]
        if isinstance(held, np.ndarray):
            return held.dtype == object
        return self._columns.said(name) is None

    def is_only_text(self, name: str) -> bool:
        """Whether the column holds text, and no number at all."""
        return self.is_text(name) and all(
            value is None or isinstance(value, str) for value in self.cells(name)
        )

    def is_bool(self, name: str) -> bool:
        """Whether every cell of the column that is not empty is True or False."""
        said = self._columns.said(name)
        return said is not None and said.is_truth

    def cells(self, name: str) -> Iterable[Any]:
        """Return what stands in a column, each text once if they are kept by number."""
        coded = self._columns.coded(name)
        return self.columns[name] if coded is None else coded.cells

    def without(self, names: Collection[str]) -> RawTable:
        """Return the table without some columns; a dataframe's row labels may be one of them."""
        if not names:
            return self
        return replace(
            self,
            columns=self._columns.without(names),
            index=None if self.index in names else self.index,
            beside={name: it for name, it in self.beside.items() if name not in names},
        )

    def part(self, rows: IntArray) -> RawTable:
        """Return the table with these rows only; messages count them as in the source."""
        columns = self._columns.part(rows)
        signs = self.percents
        if not isinstance(signs, Signs):
            signs = {name: them[rows] for name, them in signs.items()}
        return replace(
            self,
            columns=columns,
            percents=_with_signs(signs, columns),
            beside={name: it.part(rows) for name, it in self.beside.items()},
            kept=rows if self.kept is None else self.kept[rows],
        )

    def read_as(self, text: TextFormat, names: Iterable[str]) -> RawTable:
        """Return the table with the text in these columns read in another format."""
        held = {name: self._columns.held[name] for name in names}
        columns = self._columns | {
            name: column.with_text(text)
            for name, column in held.items()
            if not isinstance(column, np.ndarray)
        }
        return replace(
            self, columns=columns, text=text, percents=_with_signs(self.percents, columns)
        )

    def with_numbers(self, names: Collection[str]) -> RawTable:
        """Return a part of the table whose numbers were text for the sake of rows that are gone.

        A dataframe has its numbers as text in a column where any cell was none.
        """
        if self.kept is None:
            return self
        read: dict[str, Column] = {}
        for name in names if self.text is None else ():
            column = self.columns[name]
            if column.dtype == object and all(
                cell is None or is_number(cell) or isinstance(cell, str) for cell in column
            ):
                said = said_by(column.tolist(), PLAIN)
                if said is not None and said[1:] == Said(said.values)[1:]:  # plain ones
                    read[name] = said.values
        return replace(self, columns=self._columns | read) if read else self

    def row_number(self, row: int) -> int:
        """Return the number of a row in the source: from 1, below the header."""
        return (row if self.kept is None else int(self.kept[row])) + 1

    def numbers(self, name: str, labels: str | None = None, ways: Iterable[Way] = ()) -> FloatArray:
        """Return the column as finite floats, NaN where empty; else an error that names the cell.

        Parameters
        ----------
        name : str
            The column.
        labels : str, optional
            The column whose label the error repeats, to make the row easy to find.
        ways : iterable of mapping of str to object
            Arguments that may end an error about text in the column.
        """
        column = self.columns[name]
        if self.is_text(name) and (row := self._first_wrong(column)) is not None:
            told = advice(column[row], self.text)
            if not any(told):
                missing = _as_missing(column[row])
                out = self._ways_out(row, name, labels)
                told = missing._replace(ways=(*ways, *missing.ways, *out))
            raise Unsettled(
                f"{self.cell(row, name, labels)} must be a number; got {shown(column[row])}.",
                **told._asdict(),
            )
        self.refuse_mixed_percents([name], labels)
        floats: FloatArray = column.astype(np.float64, copy=False)
        with np.errstate(over="ignore", invalid="ignore"):  # a sum is finite only if all are
            surely_finite = bool(np.isfinite(floats.sum()))
        if not surely_finite and (infinite := np.flatnonzero(np.isinf(floats))).size:
            row = int(infinite[0])
            raise Unsettled(
                f"{self.cell(row, name, labels)} must be finite; got {floats[row]!s}.",
                [{"missing_words": [str(floats[row])]}, *self._ways_out(row, name, labels)],
                "Leave the cell empty if there is no result.",
            )
        return floats

    def refuse_mixed_percents(
        self, names: Sequence[str], labels: str | None = None, ways: Iterable[Way] = ()
    ) -> None:
        """Refuse scores of which some have a percent sign and some do not."""
        if not any(name in self.percents for name in names):
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
            raise Unsettled(
                f"{first[True]} has a percent sign, {first[False]} has none.",
                ways,
                "Write all scores in one unit.",
            )

    def refuse_other_decimal_mark(self, name: str) -> None:
        """Refuse a column of text whose first cell is a number but for its decimal mark."""
        for row, value in enumerate(self.columns[name]):
            if self.text is not None and any(told := advice(value, self.text)):
                raise Unsettled(
                    f"{self.cell(row, name)} holds text; got {shown(value)}.", **told._asdict()
                )
            if value is not None:
                return

    def labels(self, name: str) -> list[str]:
        """Return the column as labels, one per row, none blank."""
        codes, labels = self.compact_labels(name)
        if len(labels) == len(codes):
            return labels
        rows: list[str] = np.array(labels, dtype=object)[codes].tolist()
        return rows

    def coded_labels(self, name: str) -> tuple[IntArray, list[str]]:
        """Return the column as numbers of labels, and the labels in order of first appearance."""
        codes, labels = self.compact_labels(name)
        return codes.astype(np.int64, copy=False), labels

    def compact_labels(self, name: str) -> tuple[Codes, list[str]]:
        """Return what :meth:`coded_labels` does, the numbers perhaps as shorter integers."""
        if name in self.beside:
            return self._as_written(name).compact_labels(name)
        held = self._columns.held[name]
        if not isinstance(held, np.ndarray):
            return self._cleaned_codes(name, held.coded)
        if held.dtype != object:
            if held.dtype.kind == "f" and (empty := np.isnan(held)).any():
                self._refuse_label(name, int(np.argmax(empty)))
            codes, values = coded_numbers(held)
            return codes, [clean_label(value) for value in values]
        number: defaultdict[str, int] = defaultdict()
        number.default_factory = number.__len__  # a new label gets the next number
        labels = [
            "" if value is None or isinstance(value, _NO_LABELS) else clean_label(value)
            for value in held
        ]
        if "" in labels:
            self._refuse_label(name, labels.index(""))
        numbers = np.fromiter(map(number.__getitem__, labels), dtype=np.int64, count=len(labels))
        return numbers, list(number)

    def whole_numbers(self, name: str) -> tuple[Codes, npt.NDArray[Any]] | None:
        """Return a column of whole numbers coded in their order; None if it holds others."""
        held = self._columns.held[name]
        if name in self.beside or not isinstance(held, np.ndarray):
            return None
        return sorted_numbers(held)

    def _as_written(self, name: str) -> RawTable:
        """Return the table with a column of printed scores as text again: ``1 (10)``."""
        return replace(self, columns={name: self.beside[name].cells}, beside={})

    def _cleaned_codes(self, name: str, coded: Coded) -> tuple[Codes, list[str]]:
        """Return codes of clean labels; cells that differ in white space only are one label."""
        labels = cast(list[str], coded.cells)
        if not coded.is_clean:
            labels = ["" if is_blank(cell) else clean_label(cell) for cell in coded.cells]
        if not TRUTH.keys().isdisjoint(labels[:_SAMPLE]) and self.is_bool(name):
            labels = [str(TRUTH[label] == 1) if label in TRUTH else label for label in labels]
        elif coded.is_clean:
            return coded.codes, labels
        if "" in labels:  # the cell is empty, or has invisible characters only
            empty = np.array([not label for label in labels], dtype=np.bool_)
            self._refuse_label(name, int(np.argmax(empty[coded.codes])))
        distinct = list(dict.fromkeys(labels))
        if len(distinct) == len(labels):
            return coded.codes, labels
        place = {label: number for number, label in enumerate(distinct)}
        return np.array([place[label] for label in labels], dtype=np.int64)[coded.codes], distinct

    def _ways_out(self, row: int, name: str, labels: str | None) -> list[Way]:
        """Return how to leave out the row or the column of a cell."""
        label = None if labels is None else self._columns.cell(labels, row)
        ways: list[Way] = []
        if not is_blank(label) and {"row", "data set"} & set(self.ignorable):
            ways.append({"ignore_rows": [clean_label(label)]})
        if name and "column" in self.ignorable:
            ways.append({"ignore": [name]})
        return ways

    def cell(self, row: int, name: str, labels: str | None = None) -> str:
        """Say where a cell is: ``scores.csv, row 3 ('iris'), column 'C4.5'``.

        Rows are counted from 1, below the header.
        """
        label = None if labels is None else self._columns.cell(labels, row)
        beside = "" if is_blank(label) else f" ({shown(clean_label(label))})"
        unnamed = "the index" if self.index == name else "the column without a name"
        column = f"column {name!r}" if name else unnamed
        return f"{self.source}, row {self.row_number(row)}{beside}, {column}"

    def _first_wrong(self, column: Column) -> int | None:
        """Return the row of the first cell that is no number at all, else of the first in doubt."""
        texts = [
            row for row, value in enumerate(column) if value is not None and not is_number(value)
        ]
        if self.text is None or not texts:
            return texts[0] if texts else None  # a column of labels may be empty
        wrong = (
            row
            for row in texts
            if not isinstance(column[row], str) or not numeral(column[row], self.text)
        )
        return next(wrong, texts[0])

    def refuse_objects(self, name: str) -> None:
        """Refuse a column with a cell that is neither a number nor text, such as a list."""
        held = self._columns.held[name]
        if not isinstance(held, np.ndarray) or held.dtype != object:
            return
        row = next((row for row, cell in enumerate(held) if isinstance(cell, _NO_LABELS)), None)
        if row is not None:
            raise Unsettled(
                f"{self.cell(row, name)} holds {shown(held[row])}, which is neither a score nor a "
                "label.",
                [{"ignore": [name]}],
                advice(held[row], self.text).remedy,
            )

    def _refuse_label(self, name: str, row: int) -> None:
        value = self._columns.cell(name, row)
        got = (
            "the cell is empty. Write the label, or delete the row"
            if is_blank(value)
            else f"got {shown(value)}"
        )
        raise DataError(f"{self.cell(row, name)} must be a label; {got}.")


def _with_signs(known: Mapping[str, BoolArray], columns: Columns) -> Mapping[str, BoolArray]:
    """Return the percent signs in columns of text, with those that cells have by their format."""
    signs = Signs(columns)
    if isinstance(known, Signs):
        return signs
    return {
        name: known[name] | signs[name] if name in signs and name in known else either[name]
        for either in (known, signs)
        for name in either
    }


def _as_missing(cell: object) -> Advice:
    """Say how to read a cell as missing; nothing unless it is a word."""
    if not isinstance(cell, str) or len(cell) > _LONGEST_WORD or numeral(cell, PLAIN):
        return Advice()
    if _LIKE_NUMBER.match(cell):  # 0.708[3] has a score in it, which must not go missing
        told = "Write the number alone, or leave the cell empty if there is no result."
        return Advice((), told)
    words = [clean_label(cell)]
    told = f"If it says that there is no result, pass missing_words={words}."
    return Advice(({"missing_words": words},), "", told)


def check_header(names: Iterable[object], source: str, told: str = "") -> list[str]:
    """Return clean names; refuse one that comes twice, and a blank one past the first column."""
    seen: dict[str, int] = {}
    for position, raw in enumerate(names, start=1):
        name = "" if is_blank(raw) else clean_label(raw)
        if not name and position > 1:
            raise DataError(
                f"{source}: column {position} has no name. Give it one, or delete the column if "
                f"it is empty.{told}"
            )
        if name in seen:
            raise DataError(
                f"{source}: column names must be distinct; got {shown(name)} "
                f"in columns {seen[name]} and {position}.{_if_a_score(name)}"
            )
        seen[name] = position
    return list(seen)


def _if_a_score(name: str) -> str:
    """Say what to do about a name that is a score, to end an error message."""
    if not _FRACTION.fullmatch(name):
        return ""
    return " The first line seems to hold scores; add a line with names above it."


# ------------------------------------------------------------------ columns that a caller names


def find_column(table: RawTable, role: str, name: object) -> str:
    """Return the column of that name, or raise an error that lists those there are."""
    if isinstance(name, str | int) and clean_label(name) in table.columns:
        return clean_label(name)
    raise ValueError(
        f"`{role}` must name a column of {table.source}, one of {listed(table.columns)}; "
        f"got {shown(name)}.{did_you_mean(name, table.columns) if isinstance(name, str) else ''}"
    )


def codes_of(table: RawTable, column: str | None) -> tuple[IntArray, list[str]]:
    """Return rows as numbers of labels, and the labels; without a column, one label for all."""
    if column is None:
        return np.zeros(table.n_rows, dtype=np.int64), ["1"]
    return table.coded_labels(column)


def compact_codes(table: RawTable, column: str | None) -> tuple[Codes, list[str]]:
    """Return what :func:`codes_of` does, the numbers perhaps as shorter integers."""
    if column is None:
        return np.zeros(table.n_rows, dtype=np.int32), ["1"]
    return table.compact_labels(column)


def sorted_codes(table: RawTable, column: str | None) -> tuple[Codes, list[str]]:
    """Code the labels in their natural order, so that the order of rows does not matter."""
    if column is not None and (numbered := table.whole_numbers(column)) is not None:
        places, values = numbered
        return places, [clean_label(value) for value in values]
    codes, labels = compact_codes(table, column)
    order = sorted(range(len(labels)), key=natural_order(labels).__getitem__)
    if order == list(range(len(labels))):
        return codes, labels
    place = np.empty(len(labels), dtype=codes.dtype)
    place[order] = np.arange(len(labels))
    return recoded(codes, place), [labels[i] for i in order]


# ---------------------------------------------------------------- the call that read a table


class Origin(NamedTuple):
    """A call that made an object.

    Attributes
    ----------
    function : str
        Name by which users of the package call it: ``Experiment.read``, ``datasets.load``.
    source : Path or str
        Argument of the call: a file or folder, in full, or the name of a bundled example.
    options : mapping
        Keyword arguments of the call.
    stamp : tuple of int
        State of the file then; see :func:`stamp_of`.
    item : str or None
        Which of the objects that the call made, if it made several by name.
    """

    function: str
    source: Path | str
    options: Mapping[str, Any]
    stamp: tuple[int, ...] = ()
    item: str | None = None

    @property
    def picked(self) -> str:
        """Return what follows the call in code, to take the one of several objects."""
        return "" if self.item is None else f"[{self.item!r}]"


# Kept beside the objects, not in them: experiments from two files may be equal.
_ORIGINS: WeakKeyDictionary[Any, Origin] = WeakKeyDictionary()


def remember(made: object, origin: Origin) -> None:
    """Keep where an object is from for as long as the object is there."""
    _ORIGINS[made] = origin


def origin_of(made: object) -> Origin | None:
    """Return where an object is from; None for what was changed, selected, or made otherwise."""
    return _ORIGINS.get(made)


def remembered(read: Callable[_Arguments, _Made]) -> Callable[_Arguments, _Made]:
    """Let the classmethod ``read(path, **options)`` remember its arguments."""

    @wraps(read)
    def remembering(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Made:
        named = dict(options)
        given = arguments[1] if len(arguments) > 1 else named.pop("path", None)
        with memory.explained(Path(str(given))):
            made = read(*arguments, **options)
        if str(given) == STANDARD_INPUT:
            return made  # which cannot be read again
        path = Path(str(given)).resolve()
        origin = Origin(f"{type(made).__name__}.read", path, named, stamp_of(path))
        remember(made, origin)
        return made

    return remembering


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return size and time of change of a file, or of all in a folder: others once it changes."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    states = [file.stat() for file in files if file.is_file()]
    return tuple(number for state in states for number in (state.st_size, state.st_mtime_ns))
