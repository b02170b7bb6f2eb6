r"""Cells of papers: a score, and what is printed around it.

A number may have a deviation (``0.76 ± 0.02``), brackets (``0.763 (4)``), the dollars of LaTeX, or
a mark of the best (``**0.91**``, ``\textbf{0.91}``), which is no part of the score.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from nbcompare._tables.text_format import PLAIN, TextFormat, numeral

_LONGEST_PRINTED = 100  # characters, so that no search takes long
# What papers put on the best score, or on one that differs significantly
_MARK = re.compile(
    r"(?P<color>\\(?:cell|row|text)?color)(?:\[\w*\])?\{[^{}]*\}"
    r"|\\(?:textbf|mathbf|boldsymbol|bm|bfseries|bf|underline|uline|textit|emph|textsuperscript"
    r"|d?dagger|ast|star|bullet|circ|uparrow|downarrow)(?![a-zA-Z])"
    r"|\*+|__|</?(?:b|strong|u|em|i|mark|sup)(?:\s[^<>]*)?>|[†‡§¶•◦★☆↑↓⇑⇓▲▼△▽]"
)
_ENDINGS = ("+", "-", "=", "≈", "~")  # which may say that a score is better, worse or the same
# Where a mark or a frame was, so that what stood on both sides does not become one number
_GAP = "\0"
_FRAME = re.compile(r"[{}^$]|\\(?:left|right)(?![a-zA-Z])")
_SPACE = re.compile(r"\\[,;:! ]|(?<=\S)~(?=\S)")
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])|\+/?[-\u2212]")
_PRINTED = re.compile(
    r"(?P<mean>[^()±]+)(?:±(?P<deviation>[^()±]+))?(?:\((?P<inside>[^()±]+)\))?(?P<sign>[\0 ]*%?)"
)
_NUMBER = re.compile(r"([-+\u2212]?)[\0 ]*(.*?)[\0 ]*(%?)\Z")


def marks_in(cell: str) -> list[str]:
    r"""Return the marks around a number, each once; none in a cell that is too long for one.

    Examples
    --------
    >>> marks_in(r"\textbf{0.91}*"), marks_in("<b>0.91</b>"), marks_in("0.91a")
    (['\\textbf', '*'], ['<b>'], [])
    """
    found = _MARK.finditer(cell) if len(cell) <= _LONGEST_PRINTED else ()
    marks = (each["color"] or each[0] for each in found)
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
        _NUMBER.sub(r"\1\2\3", (found[name] or "").strip(_GAP + " "), count=1)
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


# -------------------------------------------------------------------------------- advice


def advice(cell: object, text: TextFormat | None) -> str:
    """Say what would make a number of the cell, to end an error message; perhaps nothing."""
    if isinstance(cell, datetime.date | datetime.time):
        return " It is a date: give the cell the format of a number, and type the number again."
    if isinstance(cell, Mapping):
        return (
            " Write each of its values to a column of its own, as json_normalize of pandas does, "
            "and name the one that holds the scores."
        )
    if isinstance(cell, list | tuple | np.ndarray):
        return (
            " Write each of its scores to a row of its own, as explode of pandas does, and number "
            "them in a column 'fold' or 'run'."
        )
    if not isinstance(cell, str):
        return ""
    ending = cell.strip().endswith(_ENDINGS) and cell.strip()[-1]
    bare = cell.strip()[:-1] if ending else cell
    marks = marks_in(cell) or [ending]
    if marks[0] and (printed(bare, text or PLAIN) or (ending and numeral(bare, text or PLAIN))):
        # by hand, since repr would double the backslash of LaTeX
        return f" Take the mark '{ending or marks[0]}' out of the cells: it is no part of a score."
    number = (parts_of(cell) or (cell,))[0].strip().removesuffix("%").rstrip()
    read = numeral(number, text or PLAIN)
    other, name = (".", "point") if text and text.decimal == "," else (",", "comma")
    swapped = numeral(number, TextFormat(decimal=other))
    has_other_mark = re.fullmatch(rf"[-+\u2212]?\d*{re.escape(other)}\d+", number) or (
        swapped and {",", "."} <= set(number)
    )
    if has_other_mark and (read is None or read.is_doubtful):
        how, pass_ = f"pass decimal={other!r}", "pass"
        if text is None:  # whoever made the dataframe can say so where the file was read
            how, pass_ = "read the file again with decimal=',', as pandas.read_csv takes it", "with"
        thousands = f"; if it separates thousands, {pass_} thousands={other!r}" if read else ""
        return f" If the {name} is a decimal mark, {how}{thousands}."
    if text is None and read and (read.is_percent or read.mark or "." in number or "%" in cell):
        return " The column holds text; turn it into numbers first."
    if text and text.decimal is text.thousands is None and swapped and swapped.mark == ".":
        return " If the point separates thousands, pass thousands='.'."
    return ""
