"""Format of a text table: the marks of its numbers, its separator, its encoding, its gaps.

A plain number is digits with a decimal mark. Other ways to write numbers are read where they
can mean one thing only; ``1,234`` may be a thousand or a bit more than one, so it waits for an
argument, or for a ``1,234.5`` elsewhere in the table.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray
from nbcompare._options import OPTIONS, default
from nbcompare._validation import check_labels

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
    decimal : {".", ","} or None
        Decimal mark; None: a point, unless it may as well separate thousands.
    thousands : {",", ".", " ", "'"} or None
        Mark between groups of three digits; None: only where it can be nothing else.
    separator : {",", ";", tab} or None
        Separator of cells; None: found from the header and the first row.
    encoding : str
        Encoding of the file, by a name that Python knows.
    missing : frozenset of str
        Words in lower case that stand for a missing number.
    """

    decimal: str | None = default("decimal")
    thousands: str | None = default("thousands")
    separator: str | None = default("separator")
    encoding: str = default("text.encoding")
    missing: frozenset[str] = MISSING_WORDS

    def __post_init__(self) -> None:
        """Check the marks and the encoding."""
        for name in ("decimal", "thousands", "separator"):
            if getattr(self, name) is not None:
                OPTIONS[name].check(getattr(self, name), name)
        if self.thousands == "." and self.decimal is None:
            object.__setattr__(self, "decimal", ",")  # what else would mark it
        if self.thousands is not None and self.thousands == self.decimal:
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
    def decimal_mark(self) -> str:
        """The decimal mark, whether anybody said it or not."""
        return self.decimal or "."

    @property
    def is_utf8(self) -> bool:
        """Whether the encoding is UTF-8, with or without a byte-order mark."""
        return codecs.lookup(self.encoding).name in ("utf-8", "utf-8-sig")

    @cached_property
    def missing_spellings(self) -> tuple[str, ...]:
        """Words for a missing number in every case, as other parsers want them listed.

        Of long words, only the usual cases: the careful reader knows the others.
        """
        usual = {how(word) for word in self.missing for how in (str, str.upper, str.title)}
        short = [word for word in self.missing if len(word) <= _SHORT]
        pairs = [[{letter, letter.upper()} for letter in word] for word in short]
        every = {"".join(letters) for word in pairs for letters in product(*word)}
        return tuple(sorted(usual | every | {word.capitalize() for word in self.missing}))


PLAIN = TextFormat()


def missing_with(words: Iterable[str]) -> frozenset[str]:
    """Return all words for a missing number, with those of a caller, which may be numbers."""
    given = check_labels(words, "missing_words")
    return MISSING_WORDS | {word.casefold() for word in given}


def numbers_among(words: Iterable[str]) -> set[float]:
    """Return the numbers among some words, whichever their decimal mark is."""
    formats = [TextFormat(decimal=mark, missing=frozenset()) for mark in ".,"]
    read = (plain_number(word, text) for word in words for text in formats)
    return {number for number in read if number is not None}


class Numeral(NamedTuple):
    """A cell that says a number."""

    value: float
    is_percent: bool = False
    mark: str = ""  # what separates its thousands
    is_doubtful: bool = False  # the mark may be a decimal mark


def plain_number(cell: str, text: TextFormat) -> float | None:
    """Read a cell as a float: NaN if it says that there is none, None if it is no plain number."""
    word = cell.strip().replace(_MINUS, "-")
    digits = word
    if text.decimal == ",":
        digits = "" if "." in word else word.replace(",", ".")
    if _NUMBER.fullmatch(digits):
        return float(digits)  # which may be missing all the same: see `without_words`
    return np.nan if word.casefold() in text.missing else None


def numeral(cell: str, text: TextFormat) -> Numeral | None:
    """Read a cell as a number however it is written; None if it is text."""
    whole = cell.strip().replace(_MINUS, "-")
    bare = whole.removesuffix("%").rstrip()
    value = plain_number(bare, text)
    if value is not None:
        # a lone sign is no number
        return None if value != value and bare != whole else Numeral(value, bare != whole)
    grouped = _grouped(text.decimal_mark, text.thousands).fullmatch(bare)
    if grouped is None:
        return None
    spelling = grouped["mark"]
    digits = grouped[0].replace(spelling, "").replace(text.decimal_mark, ".")
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
        read = (
            numeral(cell, text)
            if isinstance(cell, str)
            else Numeral(np.nan if cell is None else cell)
        )
        if read is None:
            return None
        numerals.append(read)
    return numerals if any(each.value == each.value for each in numerals) else None
