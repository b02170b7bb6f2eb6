"""Tables of named columns, and errors that name a cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, has_infinities
from nbcompare._tables.columns import (
    TRUTH,
    Codes,
    Held,
    Said,
    Text,
    coded_numbers,
    column_of_objects,
    is_blank,
    is_number,
    numbered,
)
from nbcompare._tables.lines import check_width
from nbcompare._tables.text_format import (
    PLAIN,
    Advice,
    Column,
    TextFormat,
    Unsettled,
    Way,
    advice,
    numeral,
)
from nbcompare._validation import (
    DataError,
    Distinct,
    are_clean,
    clean_label,
    did_you_mean,
    listed,
    shown,
)

# Objects of these classes are no labels: their text is Python code.
_NO_LABELS = (bytes, bytearray, list, tuple, dict, set, frozenset, np.ndarray)

_LONGEST_WORD = 40  # characters of a cell that may stand for a missing number
_LONGEST_NAME = 700  # letters of the name of a column, which messages repeat
_LIKE_NUMBER = re.compile(r"[^\w<>\u2264\u2265]*\d")  # how no word begins, but for > 1h
_MOST_TOLD = 5  # cells that a note on edits names
EDITED = "edited"  # the code of that note
_MATRIX = re.compile(r"\s*[-+]?\d[\d.eE+-]*(?:\s+[-+]?\d[\d.eE+-]*)+\s*")
_FRACTION = re.compile(r"[-+]?\d*[.,]\d+")


@dataclass(frozen=True)
class RawTable:
    """Columns of equal length under clean names, and the name of their source.

    Cells of text keep what stands in them, beside the numbers that they say: :meth:`numbers`
    returns these, :meth:`labels` those. ``table[name]`` is a column row by row: an array of floats
    (NaN where a cell is empty) or of integers, or else of objects, None where a cell is empty, with
    floats for the numbers that stand among its text.
    """

    source: str
    columns: Mapping[str, Held]  # of which text is decoded only on first access
    index: str | None = None  # the column that was a dataframe's own row labels
    text: TextFormat | None = None  # how a text file was read; None for other sources
    kept: IntArray | None = None  # the rows of the source that these are; None for all
    files: Mapping[str, int] = field(default_factory=dict)  # which it is made of, by their lengths
    ignorable: Collection[str] = ()  # "row", "data set", "column": what a caller may leave out
    notes: tuple[tuple[str, str], ...] = ()  # codes and texts: how cells were understood
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of names of columns
    level_names: tuple[str | None, ...] = ()  # what these levels are called
    has_numbers_as_names: bool = False  # whether a dataframe has them: 0.5 itself, not its text

    def __post_init__(self) -> None:
        """Keep objects as text, each once."""
        held = {
            name: column_of_objects(it.tolist(), None)
            if isinstance(it, np.ndarray) and it.dtype == object
            else it
            for name, it in self.columns.items()
        }
        object.__setattr__(self, "columns", held)

    def __getitem__(self, name: str) -> Column:
        held = self.columns[name]
        if isinstance(held, np.ndarray):
            return held
        said = self.said(name)
        return held.decoded if said is None else held.by_row(said.values)

    def distinct(self, name: str) -> Column:
        """Return what a column of numbers holds, perhaps each number once."""
        said = self.said(name)
        return self[name] if said is None else said.values

    def with_columns(self, others: Mapping[str, Held], **changes: Any) -> RawTable:
        """Return the table with some columns replaced."""
        return replace(self, columns={**self.columns, **others}, **changes)

    def said(self, name: str) -> Said | None:
        """Return the numbers that a column of text says; None if it says others, or holds them."""
        held = self.columns[name]
        said = held.said if isinstance(held, Text) else None
        if said is None or set(said.doubtful) <= set(said.settled):
            return said
        return said if set(said.doubtful) <= self._settled else None

    @cached_property
    def _settled(self) -> set[str]:
        """Marks of thousands that can be nothing else, in any column."""
        found = (it.said for it in self.columns.values() if isinstance(it, Text))
        return {mark for said in found if said is not None for mark in said.settled}

    def text_of(self, name: str) -> Text | None:
        """Return a column of text; None for a column of numbers."""
        held = self.columns[name]
        return None if isinstance(held, np.ndarray) or self.said(name) else held

    def cell_of(self, name: str, row: int) -> Any:
        """Return the cell of a row as it stands."""
        held = self.columns[name]
        return held[row] if isinstance(held, np.ndarray) else held.cell(row)

    @property
    def n_rows(self) -> int:
        """Number of rows below the header."""
        return len(next(iter(self.columns.values()), ()))

    @property
    def counts_rows(self) -> bool:
        """Whether the dataframe's own row labels are no more than numbers without a name."""
        return self.index == "" and not self.is_text("")

    def is_text(self, name: str) -> bool:
        """Whether the column holds anything but numbers; True and False are 1 and 0."""
        return self.text_of(name) is not None

    def is_bool(self, name: str) -> bool:
        """Whether every cell of the column that is not empty is True or False."""
        said = self.said(name)
        return said is not None and said.is_truth

    def without(self, names: Collection[str]) -> RawTable:
        """Return the table without some columns; a dataframe's row labels may be one of them."""
        if not names:
            return self
        return replace(
            self,
            columns={name: held for name, held in self.columns.items() if name not in names},
            index=None if self.index in names else self.index,
        )

    def part(self, rows: IntArray) -> RawTable:
        """Return the table with these rows only; messages count them as in the source."""
        parts: dict[str, Held] = {}
        for name, held in self.columns.items():
            part = held[rows]
            if isinstance(part, Text) and part.text is None and any(map(is_number, part.cells)):
                # perhaps only numbers are left
                part = column_of_objects(part.tolist(), None)
            parts[name] = part
        return replace(
            self,
            columns=parts,
            kept=rows if self.kept is None else self.kept[rows],
        )

    def read_as(self, text: TextFormat, names: Iterable[str]) -> RawTable:
        """Return the table with the text in these columns read in another format."""
        held = {name: self.columns[name] for name in names}
        read = {name: it.with_text(text) for name, it in held.items() if isinstance(it, Text)}
        return self.with_columns(read, text=text)

    def edited(self, edits: Iterable[tuple[int, str, str]]) -> RawTable:
        """Return the table with other text in some cells, and a note that says so.

        Parameters
        ----------
        edits : iterable of (int, str, str)
            Row, from 1 below the header, column, and what is to stand there; nothing if it is
            blank.
        """
        changed: dict[str, list[Any]] = {}
        told = []
        for row, name, text in edits:
            if name not in self.columns or row > self.n_rows:
                raise ValueError(
                    f"`edits` must name cells of {self.source}, which has {self.n_rows} rows and "
                    f"the columns {listed(self.columns)}; got row {row}, column {shown(name)}."
                )
            held = self.columns[name]
            cells = changed.setdefault(name, held.tolist())
            before = self.cell_of(name, row - 1)
            before = before.item() if isinstance(before, np.generic) else before
            was = "an empty cell" if is_blank(before) else shown(before)
            told.append(f"row {row}, column {shown(name)}: {shown(text)} in the place of {was}")
            cells[row - 1] = text if self.text or not text.strip() else _of_frame(text, cells)
        if not told:
            return self
        what = "1 cell was edited" if len(told) == 1 else f"{len(told)} cells were edited"
        more = f"; and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
        note = f"{self.source}: {what} ({'; '.join(told[:_MOST_TOLD])}{more})."
        columns = {name: column_of_objects(cells, self.text) for name, cells in changed.items()}
        return self.with_columns(columns, notes=(*self.notes, (EDITED, note)))

    def with_numbers(self, names: Collection[str]) -> RawTable:
        """Return a part of the table whose numbers were text for the sake of rows that are gone.

        A dataframe has its numbers as text in a column where any cell was none.
        """
        read: dict[str, Held] = {}
        for name in names if self.text is None and self.kept is not None else ():
            held = self.columns[name]
            text = held.with_text(PLAIN) if isinstance(held, Text) else None
            if text and text.said and text.said[1:] == Said(text.said.values)[1:]:  # plain ones
                read[name] = text
        return self.with_columns(read) if read else self

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
        column = self[name]
        if self.is_text(name) and (row := self._first_wrong(column)) is not None:
            told = advice(column[row], self.text)
            if not any(told):
                missing = _as_missing(column[row])
                out = self._ways_out(row, name, labels)
                if 2 * sum(isinstance(cell, str) for cell in column) > len(column):
                    out.reverse()  # it is the column rather than the row
                told = missing._replace(ways=(*ways, *missing.ways, *out))
            raise Unsettled(
                f"{self.cell(row, name, labels)} must be a number; got {shown(column[row])}.",
                **told._asdict(),
                cell=(self.row_number(row), name),
            )
        self.refuse_mixed_percents([name], labels)
        floats: FloatArray = column.astype(np.float64, copy=False)
        if has_infinities(floats):
            row = int(np.argmax(np.isinf(floats)))
            raise Unsettled(
                f"{self.cell(row, name, labels)} must be finite; got {floats[row]!s}.",
                [{"missing_words": [str(floats[row])]}, *self._ways_out(row, name, labels)],
                "Leave the cell empty if there is no result.",
                cell=(self.row_number(row), name),
            )
        return floats

    def percents(self, name: str) -> BoolArray | None:
        """Return which cells of a column of numbers have a percent sign; None if none has."""
        held, said = self.columns[name], self.said(name)
        signs = None if said is None else said.signs
        return held.by_row(signs) if signs is not None and isinstance(held, Text) else None

    def refuse_mixed_percents(
        self, names: Sequence[str], labels: str | None = None, ways: Iterable[Way] = ()
    ) -> None:
        """Refuse scores of which some have a percent sign and some do not."""
        signs = [self.percents(name) for name in names]
        if all(each is None for each in signs):
            return
        values = np.column_stack([self[name].astype(np.float64) for name in names])
        no_sign = np.zeros(self.n_rows, dtype=np.bool_)
        have = np.column_stack([no_sign if each is None else each for each in signs])
        first = []
        for are_so in (have, ~have):
            for row, column in np.argwhere(are_so & ~np.isnan(values))[:1].tolist():
                cell, sign = self.cell(row, names[column], labels), "%" * bool(have[row, column])
                first.append(f"{cell} ({values[row, column]:.15g}{sign})")
        if len(first) == 2:
            raise Unsettled(
                f"{first[0]} has a percent sign, {first[1]} has none.",
                ways,
                "Write all scores in one unit.",
            )

    def labels(self, name: str) -> list[str]:
        """Return the column as labels, one per row, none blank."""
        codes, labels = self.coded_labels(name)
        if len(labels) == len(codes):
            return list(labels)
        rows: list[str] = np.array(labels, dtype=object)[codes].tolist()
        return rows

    def coded_labels(self, name: str, *, may_be_empty: bool = False) -> tuple[Codes, Sequence[str]]:
        """Return the column as numbers of labels, and the labels in order of first appearance.

        The label of an empty cell is an error, or ''.
        """
        held = self.columns[name]
        codes: Codes
        cells: Sequence[Any]
        if isinstance(held, Text):
            codes, cells = held.codes, held.cells
        else:
            codes, values = coded_numbers(held)
            cells = [None if value != value else value for value in values.tolist()]
        if are_clean(cells) and (len(cells) > len(TRUTH) or TRUTH.keys().isdisjoint(cells)):
            return codes, Distinct(cells)
        odd = (type(None), *_NO_LABELS)
        labels = ["" if isinstance(cell, odd) else clean_label(cell) for cell in cells]
        if not TRUTH.keys().isdisjoint(labels) and self.is_bool(name):
            labels = [str(TRUTH[label] == 1) if label in TRUTH else label for label in labels]
        if "" in labels and not may_be_empty:  # the cell is empty, or has invisible characters only
            empty = np.array([not label for label in labels], dtype=np.bool_)
            self._refuse_label(name, int(np.argmax(empty[codes])))
        numbers, distinct = numbered(labels)
        # cells that differ in white space only are one label
        return (codes, labels) if len(distinct) == len(labels) else (numbers[codes], distinct)

    def _ways_out(self, row: int, name: str, labels: str | None) -> list[Way]:
        """Return how to leave out the row or the column of a cell."""
        label = None if labels is None else self.cell_of(labels, row)
        ways: list[Way] = []
        if not is_blank(label) and {"row", "data set"} & set(self.ignorable):
            ways.append({"ignore_rows": [clean_label(label)]})
        if name and "column" in self.ignorable:
            ways.append({"ignore": [name]})
        return ways

    def cell(self, row: int, name: str, labels: str | None = None) -> str:
        """Say where a cell is: ``scores.csv, row 3 ('iris'), column 'C4.5'``.

        Rows are counted from 1, below the header of the file.
        """
        source, number = self.source, self.row_number(row)
        for file, length in self.files.items():
            if number <= length:
                source = file
                break
            number -= length
        label = None if labels is None else self.cell_of(labels, row)
        beside = "" if is_blank(label) else f" ({shown(clean_label(label))})"
        unnamed = "the index" if self.index == name else "the column without a name"
        column = f"column {name!r}" if name else unnamed
        return f"{source}, row {number}{beside}, {column}"

    def _first_wrong(self, column: Column) -> int | None:
        """Return the first row whose cell is not a number at all, else the first in doubt."""
        texts = [row for row, it in enumerate(column) if it is not None and not is_number(it)]
        for row in texts if self.text is not None else ():
            if not isinstance(column[row], str) or not numeral(column[row], self.text or PLAIN):
                return row
        return texts[0] if texts else None  # a column of labels may be empty

    def refuse_objects(self, name: str) -> None:
        """Refuse a column with a cell that is neither a number nor text, such as a list."""
        text = self.text_of(name)
        for place, cell in enumerate(() if text is None or text.text else text.cells):
            if isinstance(cell, _NO_LABELS):
                raise Unsettled(
                    f"{self.cell(place, name)} holds {shown(cell)}, which is neither a score nor "
                    "a label.",
                    [{"ignore": [name]}],
                    advice(cell, self.text).remedy,
                )

    def _refuse_label(self, name: str, row: int) -> None:
        value = self.cell_of(name, row)
        got = (
            "the cell is empty. Write the label, or delete the row"
            if is_blank(value)
            else f"got {shown(value)}"
        )
        place = self.row_number(row), name
        raise Unsettled(f"{self.cell(row, name)} must be a label; {got}.", cell=place)


def _of_frame(text: str, column: Sequence[Any]) -> Any:
    """Return what is typed into a column of a dataframe: a number where it has any."""
    typed = numeral(text, PLAIN)
    if typed is None or not any(map(is_number, column)):
        return text
    are_whole = all(type(cell) is int for cell in column)
    return int(typed.value) if are_whole and typed.value.is_integer() else typed.value


def _as_missing(cell: object) -> Advice:
    """Say how to read a cell as missing; nothing unless it is a word."""
    if not isinstance(cell, str) or len(cell) > _LONGEST_WORD or numeral(cell, PLAIN):
        return Advice()
    if _LIKE_NUMBER.match(cell):  # 0.708[3] has a score in it, which must not go missing
        return Advice((), "Write the number alone, or leave the cell empty if there is no result.")
    return Advice(({"missing_words": [clean_label(cell)]},))


def check_header(names: Iterable[object], source: str, told: str = "") -> list[str]:
    """Return clean names; refuse one that comes twice, and a blank one past the first column."""
    names = [*names]
    check_width(len(names), source)
    if len(names) == 1 and _MATRIX.fullmatch(str(names[0])):
        raise DataError(
            f"{source}: the first line holds numbers, where the names of columns must be. "
            "In Python, numpy.loadtxt reads a matrix without names, for from_array."
        )
    seen: dict[str, int] = {}
    for position, raw in enumerate(names, start=1):
        name = "" if is_blank(raw) else clean_label(raw)
        if not name and position > 1:
            raise DataError(
                f"{source}: column {position} has no name. Give it one, or delete the column if "
                f"it is empty.{told}"
            )
        if len(name) > _LONGEST_NAME:
            raise DataError(
                f"{source}: the name of column {position} must have at most {_LONGEST_NAME} "
                f"characters, and has {len(name):,}; it begins {shown(name)}. Is it one?{told}"
            )
        if name in seen:
            is_score = _FRACTION.fullmatch(name)
            rest = " The first line seems to hold scores; add a line with names above it."
            raise DataError(
                f"{source}: column names must be distinct; got {shown(name)} "
                f"in columns {seen[name]} and {position}.{rest if is_score else ''}"
            )
        seen[name] = position
    return list(seen)


def joined_levels(labels: Iterable[str]) -> str:
    """Return the name of a column whose header has a label on each of several levels."""
    return " / ".join(dict.fromkeys(filter(None, labels)))


def name_index(levels: Sequence[list[str]], below: Sequence[str]) -> tuple[str | None, ...] | None:
    """Give the index of a header of several levels its names, if the row below holds these.

    pandas writes the names of an index below all levels, and those of the levels beside them, which
    are returned.
    """
    n_index = below.index("") if "" in below else 0
    above = [[level[place] for level in levels] for place in range(n_index)]
    are_beside = all(not any(each) or (all(each) and len(set(each)) > 1) for each in above)
    if not n_index or not are_beside or any(below[n_index:]) or len(below) != len(levels[0]):
        return None
    names = above[-1] if all(above[-1]) else ()
    for level in levels:
        level[:n_index] = below[:n_index] if level is levels[0] else [""] * n_index
    return tuple(names)


def table_of(source: str, columns: Mapping[str, Sequence[Any]], *, text: TextFormat) -> RawTable:
    """Return the table of Python objects under clean names; text is read as in a text file."""
    names = check_header(columns, source)
    held = {
        name: column_of_objects(it, text) for name, it in zip(names, columns.values(), strict=True)
    }
    return RawTable(source, held, text=text)


def find_column(table: RawTable, role: str, name: object) -> str:
    """Return the column of that name, or raise an error that lists those there are."""
    if isinstance(name, str | int) and clean_label(name) in table.columns:
        return clean_label(name)
    raise ValueError(
        f"`{role}` must name a column of {table.source}, one of {listed(table.columns)}; "
        f"got {shown(name)}.{did_you_mean(name, table.columns) if isinstance(name, str) else ''}"
    )
