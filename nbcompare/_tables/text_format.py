"""Format of a text table: the marks of its numbers, its separator, its encoding, its gaps.

A plain number is digits with a decimal mark. Other ways to write numbers are read where they
can mean one thing only; ``1,234`` may be a thousand or a bit more than one, so it waits for an
argument, or for a ``1,234.5`` elsewhere in the table.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray
from nbcompare._options import OPTIONS, default
from nbcompare._validation import check_labels, shown

# What people write for "no result", in any case. Labels are never read this way: a data set
# may be called NA.
MISSING_WORDS = frozenset({"", "na", "n/a", "nan", "+nan", "-nan", "null", "none", "?", "-"})
_NUMBER = re.compile(r"[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
_MINUS = "\u2212"
_SHORT = 4  # letters, which have 16 spellings
# The same mark in several widths: no-break, thin and narrow no-break spaces; curly apostrophe.
_SPELLED = {" ": " \u00a0\u2009\u202f", "'": "'\u2019", ",": ",", ".": "."}
_SPELLS = {spelling: mark for mark, spellings in _SPELLED.items() for spelling in spellings}

Column = npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class TextFormat:
    """The format of a text table, checked; every reader of text takes this one record.

    Attributes
    ----------
    decimal : {".", ","}
        Decimal mark.
    thousands : {",", ".", " ", "'"} or None
        Mark between groups of three digits; None: only where it can be nothing else.
    separator : {",", ";", tab} or None
        Separator of cells; None: found from the header and the first row.
    encoding : str
        Encoding of the file, by a name that Python knows.
    missing : frozenset of str
        Words in lower case that stand for a missing number.
    """

    decimal: str = default("decimal")
    thousands: str | None = default("thousands")
    separator: str | None = default("separator")
    encoding: str = default("text.encoding")
    missing: frozenset[str] = MISSING_WORDS

    def __post_init__(self) -> None:
        """Check the marks and the encoding."""
        OPTIONS["decimal"].check(self.decimal, "decimal")
        for name, mark in (("thousands", self.thousands), ("separator", self.separator)):
            if mark is not None:
                OPTIONS[name].check(mark, name)
        if self.thousands == self.decimal:
            raise ValueError(
                f"`thousands` must differ from `decimal`; got {self.thousands!r} for both."
            )
        try:
            "".encode(self.encoding)
        except (LookupError, TypeError, ValueError):
            raise ValueError(
                f"`encoding` must be one that Python knows, such as 'utf-8'; got {self.encoding!r}."
            ) from None

    @property
    def is_utf8(self) -> bool:
        """Whether the encoding is UTF-8, with or without a byte-order mark."""
        return codecs.lookup(self.encoding).name in ("utf-8", "utf-8-sig")

    @cached_property
    def missing_spellings(self) -> tuple[str, ...]:
        """Words for a missing number in every case, as other parsers want them listed.

        Of long words, only the usual cases: the careful reader knows the others.
        """
        spellings = set()
        for word in self.missing:
            spellings |= {word, word.upper(), word.capitalize(), word.title()}
            if len(word) <= _SHORT:
                pairs = ({letter, letter.upper()} for letter in word)
                spellings |= {"".join(letters) for letters in product(*pairs)}
        return tuple(sorted(spellings))


PLAIN = TextFormat()


def missing_with(words: Iterable[str]) -> frozenset[str]:
    """Return all words for a missing number, with those of a caller; refuse numbers among them."""
    given = check_labels(words, "missing_words")
    for word in given:
        if plain_number(word, PLAIN) is not None and word.casefold() not in MISSING_WORDS:
            raise ValueError(
                f"`missing_words` must be words; got {shown(word)}, a number. Leave the cells of "
                "missing scores empty."
            )
    return MISSING_WORDS | {word.casefold() for word in given}


class Numeral(NamedTuple):
    """A cell that says a number."""

    value: float
    is_percent: bool = False
    mark: str = ""  # what separates its thousands
    is_doubtful: bool = False  # the mark may be a decimal mark


def plain_number(cell: str, text: TextFormat) -> float | None:
    """Read a cell as a float: NaN if it says that there is none, None if it is no plain number."""
    digits = cell.strip().replace(_MINUS, "-")
    if digits.casefold() in text.missing:
        return np.nan
    if text.decimal == ",":
        if "." in digits:
            return None
        digits = digits.replace(",", ".")
    return float(digits) if _NUMBER.fullmatch(digits) else None


def numeral(cell: str, text: TextFormat) -> Numeral | None:
    """Read a cell as a number however it is written; None if it is text."""
    whole = cell.strip().replace(_MINUS, "-")
    bare = whole.removesuffix("%").rstrip()
    value = plain_number(bare, text)
    if value is not None:
        # a lone sign is no number
        return None if value != value and bare != whole else Numeral(value, bare != whole)
    grouped = _grouped(text.decimal, text.thousands).fullmatch(bare)
    if grouped is None:
        return None
    spelling = grouped["mark"]
    digits = grouped[0].replace(spelling, "").replace(text.decimal, ".")
    in_doubt = (
        text.thousands is None
        and spelling in ",."
        and grouped["fraction"] is None
        and bare.count(spelling) == 1
    )
    return Numeral(float(digits), bare != whole, _SPELLS[spelling], in_doubt)


@lru_cache
def _grouped(decimal: str, thousands: str | None) -> re.Pattern[str]:
    """Return a pattern: three digits to a group, one to three in the first, no leading zero."""
    marks = "".join(_SPELLED[mark] for mark in ([thousands] if thousands else _SPELLED))
    marks = marks.replace(decimal, "")
    return re.compile(
        rf"[-+]?[1-9]\d{{0,2}}(?P<mark>[{re.escape(marks)}])\d{{3}}((?P=mark)\d{{3}})*"
        rf"(?P<fraction>{re.escape(decimal)}\d+)?",
        re.ASCII,
    )


def read_numerals(
    columns: Mapping[str, Column], labels: Collection[str], text: TextFormat
) -> tuple[dict[str, Column], dict[str, BoolArray]]:
    """Return the columns, those that write numbers only as floats, and their percent signs.

    A column with anything else in it stays text, and so does one in doubt.
    """
    written = {
        name: numerals
        for name, column in columns.items()
        if column.dtype == object
        and name not in labels
        and (numerals := _numerals(column, text)) is not None
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


def _numerals(column: Column, text: TextFormat) -> list[Numeral] | None:
    """Read every cell as a number; None as soon as one is none, or if all are empty."""
    numerals = []
    for cell in column:
        read = numeral(cell, text) if isinstance(cell, str) else _as_it_is(cell)
        if read is None:
            return None
        numerals.append(read)
    return numerals if any(each.value == each.value for each in numerals) else None


def _as_it_is(cell: float | None) -> Numeral:
    return Numeral(np.nan if cell is None else cell)


def advice(cell: object, text: TextFormat | None) -> str:
    """Say which argument would make a number of the cell, to end an error message."""
    if not isinstance(cell, str):
        return ""
    if text is None:
        number = cell.strip().removesuffix("%").rstrip()
        read = numeral(number, PLAIN)
        if _has_decimal_comma(number) and (read is None or read.is_doubtful):
            # whoever made the dataframe can say so where the file was read
            thousands = "; if it separates thousands, with thousands=','" if read else ""
            return (
                " If the comma is a decimal mark, read the file again with decimal=',', as "
                f"pandas.read_csv takes it{thousands}."
            )
        is_text = _fraction(".").fullmatch(cell) or _says_more(numeral(cell, PLAIN))
        return " The column holds text; turn it into numbers first." if is_text else ""
    other, name = (",", "comma") if text.decimal == "." else (".", "point")
    number = cell.strip().removesuffix("%").rstrip()
    if not _fraction(other).fullmatch(number):
        swapped = numeral(number, replace(text, decimal=other, thousands=None))
        if swapped is None or not {",", "."} <= set(number):  # as in 1.234,5
            return ""
    told = f" If the {name} is a decimal mark, pass decimal={other!r}"
    read = numeral(number, replace(text, thousands=None))
    if text.thousands is None and read is not None and read.is_doubtful:
        return f"{told}; if it separates thousands, pass thousands={other!r}."
    return f"{told}."


def _has_decimal_comma(number: str) -> bool:
    """Tell whether a number has a comma as the decimal mark, perhaps with points: ``1.234,5``."""
    if _fraction(",").fullmatch(number):
        return True
    swapped = numeral(number, replace(PLAIN, decimal=","))
    return swapped is not None and {",", "."} <= set(number)


def _says_more(read: Numeral | None) -> bool:
    """Tell whether more than digits make the number."""
    return read is not None and (read.is_percent or bool(read.mark))


@lru_cache
def _fraction(mark: str) -> re.Pattern[str]:
    return re.compile(rf"[-+\u2212]?\d*{re.escape(mark)}\d+")
