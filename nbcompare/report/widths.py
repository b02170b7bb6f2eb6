"""How an HTML output is set: wide tables small, and what brings its own colours on white."""

from __future__ import annotations

import html
import re

__all__ = ["css_class", "fitting_size"]

_WIDE = 8  # more columns than this are set in small type,
_LANDSCAPE = 16  # and more than this are printed on a page of their own, sideways
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b[^>]*>((?:(?!<t[dh]\b|</t[dhr]\b).)*)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
# HTML that brings colours or draws by itself expects the white page that notebooks have
_OWN_COLOURS = re.compile(
    r"(?:background|color)\s*:|bgcolor=|<(?:script|svg|canvas|iframe|object|embed)\b", re.IGNORECASE
)
# A page of A4 sideways is 741 points wide between its margins; a letter of the fonts used takes
# 0.62 of their size, and the padding of a cell 0.5 (both as in the style sheet).
_POINTS, _LETTER, _PADDING = 720, 0.62, 0.5
_LABEL = 24  # letters of a row's label, which may be broken into lines
_LARGEST = 6.5


def css_class(markup: str) -> str:
    """Classes of the container of an HTML output."""
    names = []
    columns = _columns(markup)
    if columns > _WIDE:
        names.append("wide")
    if columns > _LANDSCAPE:
        names.append("landscape")
    if _OWN_COLOURS.search(markup):
        names.append("card")
    return " ".join(names)


def fitting_size(markup: str) -> float | None:
    """Size of type in points at which a very wide table fits a page, its headers upright.

    Examples
    --------
    >>> row = "<tr><td>iris</td>" + 40 * "<td>0.4512</td>" + "</tr>"
    >>> fitting_size(f"<table>{row}</table>"), fitting_size("<table></table>")
    (4.1, None)
    """
    columns = _columns(markup)
    if columns <= _LANDSCAPE:
        return None
    widths = [1] * columns
    for row in _ROW.findall(markup):
        cells = _CELL.findall(row)
        if len(cells) != columns or "<td" not in row.lower():  # headers stand upright
            continue
        for column, cell in enumerate(cells):
            letters = len(html.unescape(_TAG.sub("", cell)).strip())
            widths[column] = max(widths[column], letters)
    widths[0] = min(widths[0], _LABEL)
    size = _POINTS / (_LETTER * sum(widths) + _PADDING * columns)
    return min(_LARGEST, int(size * 10) / 10)


def _columns(markup: str) -> int:
    first = _ROW.search(markup)
    return len(_CELL.findall(first[0])) if first else 0
