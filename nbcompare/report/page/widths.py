"""How an HTML output is set: wide tables small, and what brings its own colours on white."""

from __future__ import annotations

import html
import re

__all__ = ["layout"]

_LANDSCAPE = 16  # more columns than this are printed on a page of their own, sideways
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b([^>]*)>((?:(?!<t[dh]\b|</t[dhr]\b).)*)", re.DOTALL | re.IGNORECASE)
_NUMBER_CELL = re.compile(r"\bnum\b")
_TAG = re.compile(r"<[^>]*>")
# HTML that brings colours or draws by itself expects the white page that notebooks have
_OWN_COLOURS = re.compile(
    r"(?:background|color)\s*:|bgcolor=|<(?:script|svg|canvas|iframe|object|embed)\b", re.IGNORECASE
)
# A letter of the fonts used takes up to 0.62 of their size.
_LETTER = 0.62
# On the screen the text is 784 pixels wide, a table's type 14 and the padding of a cell 24
# (all as in the style sheet): one that takes more is set in small type.
_PIXELS, _TYPE, _SPACE = 784, 14, 24
_LABEL = 24  # letters of a text that are best kept on one line; more may be broken
_LONG_WORD = re.compile(rf"\S{{{_LABEL + 1},}}")
# A page of A4 is 493 points wide between its margins, 741 sideways; the padding of a cell takes
# this share of the size of its type there.
_UPRIGHT, _UPRIGHT_PADDING = 490, 0.8
_SIDEWAYS, _SIDEWAYS_PADDING = 720, 0.5
# Upright a text may be broken; sideways all must fit, however small.
_SMALLEST, _LARGEST, _LARGEST_SIDEWAYS = 6.0, 8.5, 6.5
_LEAST = 1.0  # points; the style sheet has a class for every half point from here on


def layout(markup: str) -> str:
    """How the container of an HTML output sets it.

    Parameters
    ----------
    markup : str
        HTML; the first row of a table tells how many columns it has.

    Returns
    -------
    str
        Classes: ``wide`` for small type, ``landscape`` for a page sideways in print,
        ``long-words`` and ``long-headers`` if words must be broken to fit, ``card`` for what
        brings colours; ``fit-4-5`` for the size of type, here 4.5 points, at which wide tables fit
        a printed page.

    Examples
    --------
    >>> row = "<tr><td>iris</td>" + 40 * "<td>0.4512</td>" + "</tr>"
    >>> layout(f"<table>{row}</table>"), layout("<table></table>")
    ('wide landscape fit-4', '')
    """
    names: list[str] = []
    sizes: list[float] = []
    for table in _TABLE.findall(markup):
        rows = _ROW.findall(table)
        heads, bodies = _letters(rows)
        columns = len(heads)
        letters = sum(map(max, heads, bodies))
        is_wide = _LETTER * _TYPE * letters + _SPACE * columns > _PIXELS
        if columns > _LANDSCAPE:
            names += ["wide", "landscape"]
            size = _SIDEWAYS / (_LETTER * sum(bodies) + _SIDEWAYS_PADDING * columns)
            sizes.append(min(_LARGEST_SIDEWAYS, size))
        elif is_wide:
            names.append("wide")
            size = _UPRIGHT / (_LETTER * letters + _UPRIGHT_PADDING * columns)
            sizes.append(min(_LARGEST, max(_SMALLEST, size)))
        long = [row for row in rows if any(_LONG_WORD.search(t) for _, t in _CELL.findall(row))]
        if long:
            names.append("long-words")
        if any(_is_header(row) for row in long):
            names.append("long-headers")
    if _OWN_COLOURS.search(markup):
        names.append("card")
    if sizes:
        size = max(_LEAST, int(min(sizes) * 2) / 2)
        names.append(f"fit-{size:g}".replace(".", "-"))
    return " ".join(dict.fromkeys(names))


def _letters(rows: list[str]) -> tuple[list[int], list[int]]:
    """The most letters in the header and in the body of each column."""
    columns = len(_CELL.findall(rows[0])) if rows else 0
    heads, bodies = [1] * columns, [1] * columns
    for row in rows:
        cells = _CELL.findall(row)
        if len(cells) != columns:  # it spans several
            continue
        widths = heads if _is_header(row) else bodies
        for column, (attributes, content) in enumerate(cells):
            letters = len(html.unescape(_TAG.sub("", content)).strip())
            if not _NUMBER_CELL.search(attributes):
                letters = min(letters, _LABEL)
            widths[column] = max(widths[column], letters)
    return heads, bodies


def _is_header(row: str) -> bool:
    return "<td" not in row.lower()
