"""How people write numbers in text: decimal marks, thousands, percent signs.

A plain number is digits with a decimal mark. What else a table writes is read where it
can mean one thing only; ``1,234`` may be a thousand or a bit more than one, so it waits
for an argument, or for a ``1,234.5`` elsewhere in the table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray

# What people write for "no result", in any case. Labels are never read this way: a data set
# may be called NA.
MISSING_TOKENS = frozenset({"", "na", "n/a", "nan", "+nan", "-nan", "null", "none", "?", "-"})
_NUMBER = re.compile(r"[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
_MINUS = "\u2212"
# The same mark in several widths: no-break, thin and narrow no-break spaces; curly apostrophe.
_SPELLED = {" ": " \u00a0\u2009\u202f", "'": "'\u2019", ",": ",", ".": "."}
_SPELLS = {spelling: mark for mark, spellings in _SPELLED.items() for spelling in spellings}

Column = npt.NDArray[Any]


class Numeral(NamedTuple):
    """A cell that says a number."""

    value: float
    is_percent: bool = False
    mark: str = ""  # what separates its thousands
    is_doubtful: bool = False  # the mark may be a decimal mark


def plain_number(cell: str, decimal: str) -> float | None:
    """A cell as a float, NaN if it says that there is none, None if it is no plain number."""
    text = cell.strip().replace(_MINUS, "-")
    if text.casefold() in MISSING_TOKENS:
        return np.nan
    if decimal == ",":
        if "." in text:
            return None
        text = text.replace(",", ".")
    return float(text) if _NUMBER.fullmatch(text) else None


def numeral(cell: str, decimal: str, thousands: str | None) -> Numeral | None:
    """A cell as a number however it is written, None if it is text."""
    text = cell.strip().replace(_MINUS, "-")
    bare = text.removesuffix("%").rstrip()
    value = plain_number(bare, decimal)
    if value is not None:
        # a lone sign is no number
        return None if value != value and bare != text else Numeral(value, bare != text)
    grouped = _grouped(decimal, thousands).fullmatch(bare)
    if grouped is None:
        return None
    spelling = grouped["mark"]
    digits = grouped[0].replace(spelling, "").replace(decimal, ".")
    in_doubt = (
        thousands is None
        and spelling in ",."
        and grouped["fraction"] is None
        and bare.count(spelling) == 1
    )
    return Numeral(float(digits), bare != text, _SPELLS[spelling], in_doubt)


@lru_cache
def _grouped(decimal: str, thousands: str | None) -> re.Pattern[str]:
    """Three digits to a group; the first has one to three and no leading zero."""
    marks = "".join(_SPELLED[mark] for mark in ([thousands] if thousands else _SPELLED))
    marks = marks.replace(decimal, "")
    return re.compile(
        rf"[-+]?[1-9]\d{{0,2}}(?P<mark>[{re.escape(marks)}])\d{{3}}((?P=mark)\d{{3}})*"
        rf"(?P<fraction>{re.escape(decimal)}\d+)?",
        re.ASCII,
    )


def read_numerals(
    columns: Mapping[str, Column],
    labels: Collection[str],
    decimal: str,
    thousands: str | None,
) -> tuple[dict[str, Column], dict[str, BoolArray]]:
    """The columns, those that write numbers only as floats; the percent signs of these.

    A column with anything else in it stays text, and so does one in doubt.
    """
    written = {
        name: numerals
        for name, column in columns.items()
        if column.dtype == object
        and name not in labels
        and (numerals := _numerals(column, decimal, thousands)) is not None
    }
    settled = {
        each.mark for numerals in written.values() for each in numerals if not each.is_doubtful
    }
    read = dict(columns)
    percents = {}
    for name, numerals in written.items():
        if all(each.mark in settled for each in numerals if each.is_doubtful):
            read[name] = np.array([each.value for each in numerals], dtype=np.float64)
            percents[name] = np.array([each.is_percent for each in numerals], dtype=np.bool_)
    return read, percents


def _numerals(column: Column, decimal: str, thousands: str | None) -> list[Numeral] | None:
    """Every cell as a number, None as soon as one is none or if all are empty."""
    numerals = []
    for cell in column:
        read = numeral(cell, decimal, thousands) if isinstance(cell, str) else _as_it_is(cell)
        if read is None:
            return None
        numerals.append(read)
    return numerals if any(each.value == each.value for each in numerals) else None


def _as_it_is(cell: float | None) -> Numeral:
    return Numeral(np.nan if cell is None else cell)


def advice(cell: object, decimal: str | None, thousands: str | None) -> str:
    """Which argument would make a number of the cell, as the end of an error message."""
    if not isinstance(cell, str):
        return ""
    if decimal is None:
        is_text = _fraction(".").fullmatch(cell) or _says_more(numeral(cell, ".", None))
        return " The column holds text; turn it into numbers first." if is_text else ""
    other, name = (",", "comma") if decimal == "." else (".", "point")
    number = cell.strip().removesuffix("%").rstrip()
    if not _fraction(other).fullmatch(number):
        return ""
    told = f" If the {name} is a decimal mark, pass decimal={other!r}"
    read = numeral(number, decimal, None)
    if thousands is None and read is not None and read.is_doubtful:
        return f"{told}; if it separates thousands, pass thousands={other!r}."
    return f"{told}."


def _says_more(read: Numeral | None) -> bool:
    """Whether more than digits make the number."""
    return read is not None and (read.is_percent or bool(read.mark))


@lru_cache
def _fraction(mark: str) -> re.Pattern[str]:
    return re.compile(rf"[-+\u2212]?\d*{re.escape(mark)}\d+")
