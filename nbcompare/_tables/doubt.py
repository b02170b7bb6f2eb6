"""Doubts about a table or a cell: what is the matter, and arguments that may settle it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nbcompare._tables.text_format import (
    PLAIN,
    TextFormat,
    marks_in,
    numeral,
    parts_of,
    printed,
)
from nbcompare._validation import DataError, shown

Way = Mapping[str, Any]


class Unsettled(DataError):  # noqa: N818 - the reading goes on, with other arguments
    """A doubt, with ways on that nobody has tried yet.

    Parameters
    ----------
    text : str
        What is the matter, in sentences.
    ways : iterable of mapping of str to object
        Arguments that may settle it, the likeliest first.
    remedy : str
        What else can be done, if none of them helps.
    columns : sequence
        What was understood of each column, for a reader who must see it.
    cell : (int, str), optional
        Where it is about one cell: row, from 1 below the header, and column.
    """

    def __init__(
        self,
        text: str,
        ways: Iterable[Way] = (),
        remedy: str = "",
        columns: Sequence[Any] = (),
        cell: tuple[int, str] | None = None,
    ) -> None:
        self.text, self.ways, self.remedy, self.columns = text, tuple(ways), remedy, columns
        self.cell = cell
        super().__init__(" ".join(filter(None, (text, offered(map(written, self.ways)), remedy))))


def offered(ways: Iterable[str]) -> str:
    """Return the sentence that offers alternatives; each may hold commas."""
    words = list(ways)
    mark = "; or " if len(words) > 2 or any(", " in way for way in words) else " or "
    return f"Pass {mark.join(words)}." if words else ""


def written(way: Way) -> str:
    """Return arguments as a caller writes them."""
    return ", ".join(f"{name}={_value(value)}" for name, value in way.items())


def _value(value: Any) -> str:
    value = list(value) if isinstance(value, tuple) else value
    return repr(value) if isinstance(value, dict | list) else shown(value)


# --------------------------------------------------------------------------------- cells


class Advice(NamedTuple):
    """What would make a number of a cell, as :class:`Unsettled` takes it; perhaps nothing."""

    ways: tuple[Way, ...] = ()
    remedy: str = ""


_OBJECTS: tuple[tuple[Any, str], ...] = (
    (
        datetime.date | datetime.time,
        "It is a date: give the cell the format of a number, and type the number again.",
    ),
    (
        Mapping,
        "Write each of its values to a column of its own, as json_normalize of pandas does, and "
        "name the one that holds the scores.",
    ),
    (
        list | tuple | np.ndarray,
        "Write each of its scores to a row of its own, as explode of pandas does, and number them "
        "in a column 'fold' or 'run'.",
    ),
)


def advice(cell: object, text: TextFormat | None) -> Advice:
    """Say what would make a number of the cell."""
    if not isinstance(cell, str):
        return Advice((), next((told for kind, told in _OBJECTS if isinstance(cell, kind)), ""))
    if printed(cell, text or PLAIN) and (marks := marks_in(cell)):
        # by hand, since repr would double the backslash of LaTeX
        told = f"Take the mark '{marks[0]}' out of the cells: it is no part of a score."
        return Advice((), told)
    number = (parts_of(cell) or (cell,))[0].strip().removesuffix("%").rstrip()
    read = numeral(number, text or PLAIN)
    other, name = (".", "point") if text and text.decimal == "," else (",", "comma")
    swapped = numeral(number, TextFormat(decimal=other))
    has_other_mark = re.fullmatch(rf"[-+\u2212]?\d*{re.escape(other)}\d+", number) or (
        swapped and {",", "."} <= set(number)
    )
    if has_other_mark and (read is None or read.is_doubtful):
        if text is None:  # whoever made the dataframe can say so where the file was read
            last = f"; if it separates thousands, with thousands={other!r}." if read else "."
            told = f"If the {name} is a decimal mark, read the file again with decimal=',', as "
            return Advice((), f"{told}pandas.read_csv takes it{last}")
        decimal: dict[str, str | None] = {"decimal": other}
        if text.thousands == other:
            decimal["thousands"] = None
        return Advice((decimal, {"thousands": other})[: 2 if read else 1])
    if text is None and read and (read.is_percent or read.mark or "." in number or "%" in cell):
        return Advice((), "The column holds text; turn it into numbers first.")
    if text and text.decimal is text.thousands is None and swapped and swapped.mark == ".":
        return Advice(({"thousands": "."},))
    return Advice()
