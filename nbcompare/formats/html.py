"""A table of a web page.

The parser of the standard library reads it, since that of pandas needs further packages and makes
numbers of labels.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import takewhile

from nbcompare._validation import DataError
from nbcompare.formats.given import Given, Imported
from nbcompare.formats.grid import LONGEST, Cell, read_grid

_CELLS = ("td", "th")
_NO_TAG = re.compile(r"<(?!/?[a-zA-Z][^<>]*>)")  # over many of them the parser takes hours


def read(given: Given) -> Imported:
    """Return the only table; its header are the first rows that have no other cells than th."""
    first, *others = given.content(most=LONGEST).split("<!--")
    content = first + "".join(part.partition("-->")[2] for part in others)
    page = _Page()
    page.feed(_NO_TAG.sub("&lt;", content))
    page.close()
    page.handle_endtag("table")  # which may be missing
    if page.n_tables != 1:
        raise DataError(f"{given.name} must hold one table in HTML; got {page.n_tables}.")
    rows = [(cells, is_header) for cells, is_header in page.rows if cells]
    n_header = sum(1 for _ in takewhile(lambda row: row[1], rows))
    return read_grid(given, [cells for cells, _ in rows], n_header or 1)


class _Page(HTMLParser):
    """The rows of all tables, and whether each has no other cells than those of a header."""

    def __init__(self) -> None:
        super().__init__()
        self.n_tables = 0
        self.rows: list[tuple[list[Cell], bool]] = []
        self._cell: Cell | None = None
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in (*_CELLS, "tr", "table"):
            self._end_cell()
        self.n_tables += tag == "table"
        if tag == "tr" or (tag in _CELLS and not self.rows):
            self.rows.append(([], True))
        if tag in _CELLS:
            spans = {name: value for name, value in attrs if value and value.isdecimal()}
            columns, rows = (int(spans.get(name, "1")[:6]) or 1 for name in ("colspan", "rowspan"))
            self._cell = Cell("", columns, rows)
            self.rows[-1] = (self.rows[-1][0], self.rows[-1][1] and tag == "th")
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in (*_CELLS, "tr", "table"):
            self._end_cell()

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._text.append(data)

    def _end_cell(self) -> None:
        if self._cell is not None:
            self.rows[-1][0].append(self._cell._replace(text="".join(self._text).strip()))
            self._cell, self._text = None, []
