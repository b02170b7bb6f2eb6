"""Format of a text table, and doubts about a table or a cell, with what may settle them.

A plain number is digits with a decimal mark. Other ways to write numbers are read where they
can mean one thing only; ``1,234`` may be a thousand or a bit more than one, so it waits for an
argument, or for a ``1,234.5`` elsewhere in the table.
"""

from __future__ import annotations

import codecs
import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._options import OPTIONS, default
from nbcompare._validation import DataError, check_labels, shown

# What people write for "no result", in any case. Labels are never read this way: a data set
# may be called NA.
MISSING_WORDS = frozenset({"", "na", "n/a", "nan", "+nan", "-nan", "null", "none", "?", "-"})
_NUMBER = re.compile(r"[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
_MINUS = "\u2212"
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
    def missing_numbers(self) -> frozenset[float]:
        """The numbers among the words for a missing number."""
        return frozenset(numbers_among(self.missing))


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
        # a lone sign is not a number
        return None if value != value and bare != whole else Numeral(value, bare != whole)
    grouped = _grouped(text.decimal_mark, text.thousands).fullmatch(bare)
    if grouped is None:
        return None
    spelling = grouped["mark"]
    digits = grouped[0].replace(spelling, "").replace(text.decimal_mark, ".")
    may_be_fraction = spelling in ",." and grouped["fraction"] is None and bare.count(spelling) == 1
    in_doubt = text.thousands is None and may_be_fraction
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


# ---------------------------------------------------------------------- cells of papers

_LONGEST_PRINTED = 100  # characters, so that no search takes long
# What papers put on the best score, or on one that differs significantly
_MARK = re.compile(
    r"(?P<color>\\(?:cell|row|text)?color)(?:\[\w*\])?\{[^{}]*\}"
    r"|\\(?:textbf|mathbf|boldsymbol|bm|bfseries|bf|underline|uline|textit|emph|textsuperscript"
    r"|d?dagger|ast|star|bullet|circ|uparrow|downarrow)(?![a-zA-Z])"
    r"|\*+|__|</?(?:b|strong|u|em|i|mark|sup)(?:\s[^<>]*)?>|[†‡§¶•◦★☆↑↓⇑⇓▲▼△▽]"
    # a confidence interval: 0.85 [0.83, 0.87]
    r"|(?<=[\d%\s])\[(?P<low>[^][,;]+)[,;](?P<high>[^][,;]+)\]\s*\Z"
    # the outcome of a test against another algorithm, as PlatEMO prints it
    r"|(?:(?<=\))|(?<=\s))\$?(?:[-+=≈≃∼~\u2212]|\\(?:approx|sim|simeq)(?![a-zA-Z]))\$?\s*\Z"
)
# Where a mark or a frame was, so that what stood on both sides does not become one number
_GAP = "\0"
_FRAME = re.compile(r"[{}^$]|\\(?:left|right)(?![a-zA-Z])")
_SPACE = re.compile(r"\\[,;:! ]|(?<=\S)~(?=\S)")
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])|\+/?[-\u2212]")
_PRINTED = re.compile(
    r"(?P<mean>[^()±]+)(?:±(?P<deviation>[^()±]+))?(?:\((?P<inside>[^()±]+)\))?(?P<sign>[\0 ]*%?)"
)
_SIGNED = re.compile(r"([-+\u2212]?)[\0 ]*(.*?)[\0 ]*(%?)\Z")


def marks_in(cell: str) -> list[str]:
    r"""Return the marks around a number, each once; none in a cell that is too long for one.

    Examples
    --------
    >>> marks_in(r"\textbf{0.91}*"), marks_in("<b>0.91</b>"), marks_in("0.91a")
    (['\\textbf', '*'], ['<b>'], [])
    >>> marks_in("2.2e-1 (3e-3) -"), marks_in("2.2e-1 (3e-3) $\\approx$"), marks_in("2.2e-1")
    (['-'], ['\\approx'], [])
    """
    found = _MARK.finditer(cell) if len(cell) <= _LONGEST_PRINTED else ()
    marks = ("[ , ]" if each["low"] else each["color"] or each[0].strip("$ ") for each in found)
    return list(dict.fromkeys(mark for mark in marks if not mark.startswith("</")))


def parts_of(cell: str) -> tuple[str, str, str] | None:
    """Return a score, its deviation and what stands in brackets, as text; None if it is bare.

    Examples
    --------
    >>> parts_of("0.76 ± 0.02"), parts_of(r"$0.763$ (4)"), parts_of("0.76")
    (('0.76', '0.02', ''), ('0.763', '', '4'), None)
    """
    if len(cell) > _LONGEST_PRINTED:
        return None
    plain = _FRAME.sub(_GAP, _MARK.sub(_GAP, cell.replace("\\%", "%")))
    found = _PRINTED.fullmatch(_PLUS_MINUS.sub("±", _SPACE.sub(" ", plain)).strip("\0 \t\n"))
    if found is None or found["mean"].strip() == cell.strip():
        return None
    mean, deviation, inside = (
        _SIGNED.sub(r"\1\2\3", (found[name] or "").strip(_GAP + " "), count=1)
        for name in ("mean", "deviation", "inside")
    )
    if "%" in found["sign"]:
        deviation = f"{deviation}%" if deviation else ""
        mean = mean if deviation else f"{mean}%"
    return mean, deviation, inside


class Printed(NamedTuple):
    """A cell of a score and what stands beside it, NaN where nothing does."""

    mean: float
    deviation: float = np.nan
    inside: float = np.nan
    is_plain: bool = False  # whether what is in brackets looks like a count: no fraction, or a sign
    is_percent: bool = False


def printed(cell: str, text: TextFormat) -> Printed | None:
    """Read a cell with more than a number in it; None if it is another.

    Examples
    --------
    >>> printed("0.76 ± 0.02", PLAIN)[:2], printed("**12.5%** (3)", PLAIN)[::2]
    ((0.76, 0.02), (12.5, 3.0, True))
    >>> printed("iris (3)", PLAIN) is None
    True
    """
    parts = parts_of(cell)
    if parts is None:
        return None
    numbers = [numeral(part, text) if part else None for part in parts]
    for part, number in zip(parts, numbers, strict=True):
        if part and (number is None or number.is_doubtful or number.value != number.value):
            return None
    mean, deviation, inside = (np.nan if one is None else one.value for one in numbers)
    if deviation < 0 or mean != mean:
        return None
    bare = parts[2].lstrip("+-\u2212")
    is_plain = bare != parts[2] or not set(f"{text.decimal_mark}eE") & set(bare)
    is_percent = any(one is not None and one.is_percent for one in numbers[:2])
    return Printed(mean, deviation, inside, is_plain, is_percent)


Way = Mapping[str, Any]


class Unsettled(DataError):  # noqa: N818 - the reading goes on, with other arguments
    """A doubt, with untried ways to settle it.

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
        "Lists cannot be columns. If these are scores, write each to a row of its own, as explode "
        "of pandas does, and number them in a column 'fold' or 'run'; if not, leave the column "
        "out. Scores within records need json_normalize of pandas first.",
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
