r"""Cells of papers: a score, and what is printed around it.

A number may have a deviation (``0.76 ± 0.02``), brackets (``0.763 (4)``), the dollars of LaTeX, or
a mark of the best (``**0.91**``), which is no part of the score: it is named, not dropped.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

import numpy as np

from nbcompare._tables import text_format
from nbcompare._tables.text_format import PLAIN, TextFormat, numeral

_LONGEST_PRINTED = 100  # characters, so that no search takes long
_PRINTED = re.compile(
    r"(?P<mean>[^()±]+)(?:±(?P<deviation>[^()±]+))?(?:\((?P<inside>[^()±]+)\))?(?P<sign>%?)"
)
_SPACES_OF_LATEX = re.compile(r"\\[,;:! ]|~|\$|\{\}")
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])|\+/?[-\u2212]")


def parts_of(cell: str) -> tuple[str, str, str] | None:
    """Return a score, its deviation and what stands in brackets, as text; None if it is bare.

    Examples
    --------
    >>> parts_of("0.76 ± 0.02"), parts_of(r"$0.763$ (4)"), parts_of("0.76")
    (('0.76', '0.02', ''), ('0.763', '', '4'), None)
    """
    if len(cell) > _LONGEST_PRINTED:
        return None
    plain = _PLUS_MINUS.sub("±", _SPACES_OF_LATEX.sub(" ", cell).replace("\\%", "%")).strip()
    found = _PRINTED.fullmatch(plain)
    if found is None or found["mean"].strip() == cell.strip():
        return None
    mean, deviation, inside = (
        (found[name] or "").strip() for name in ("mean", "deviation", "inside")
    )
    if found["sign"]:
        deviation = f"{deviation}%" if deviation else ""
        mean = mean if deviation else f"{mean}%"
    return mean, deviation, inside


# What papers put on the best score, or on one that differs significantly
_MARK = re.compile(
    r"\\(?:textbf|mathbf|boldsymbol|bm|underline|textit|emph|bfseries|bf|d?dagger|ast|star)(?![a-z])"
    r"|\*+|__|</?(?:b|strong|u|em|i)>|[†‡§↑↓▲▼]|[-+=≈~]$"
)
_FRAME = re.compile(r"[{}^$]|\\(?:left|right)(?![a-z])")


def mark_in(cell: str, text: TextFormat) -> str | None:
    r"""Return the mark of the best beside a number; None if there is none.

    Examples
    --------
    >>> mark_in(r"\textbf{0.91}", PLAIN), mark_in("**0.91**", PLAIN), mark_in("B*", PLAIN)
    ('\\textbf', '**', None)
    """
    mark = _MARK.search(cell.strip()) if len(cell) <= _LONGEST_PRINTED else None
    if mark is None or not any(character.isdigit() for character in cell):
        return None
    bare = _FRAME.sub("", _MARK.sub("", cell.strip())).strip()
    parts = parts_of(bare) or (bare,)
    return mark[0] if all(numeral(part, text) for part in parts if part) and parts[0] else None


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
    mark = mark_in(cell, text or PLAIN)
    if mark is not None:
        # by hand, since repr would double the backslash of LaTeX
        return f" Take the mark '{mark}' out of the cells: it is no part of a score."
    parts = parts_of(cell)
    return text_format.advice(parts[0] if parts else cell, text)
