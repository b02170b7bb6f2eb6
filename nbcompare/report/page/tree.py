"""Read HTML as a well-formed tree, however carelessly it was written, and its tables as grids.

Printed pages are made of HTML: `nbcompare.report.page.content.ReportPreprocessor` prepares a page
of it, and the outputs of notebooks contain HTML of all kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import NamedTuple

_BLOCKS = """
address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption
figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary
table tbody td tfoot th thead tr ul
"""
_EMPTY = "area base br col embed hr img input link meta param source track wbr"
BLOCKS = frozenset(_BLOCKS.split())
_VOID = frozenset(_EMPTY.split())
# By start tag: the open elements that it closes, and those at which closing stops
_CELLS, _ROWS = {"td", "th"}, {"td", "th", "tr", "caption", "colgroup"}
_SECTIONS = {*_ROWS, "thead", "tbody", "tfoot"}
_ENDS: dict[str, tuple[set[str], set[str]]] = {
    "td": (_CELLS, {"tr", "table"}),
    "th": (_CELLS, {"tr", "table"}),
    "tr": (_ROWS, {"thead", "tbody", "tfoot", "table"}),
    "thead": (_SECTIONS, {"table"}),
    "tbody": (_SECTIONS, {"table"}),
    "tfoot": (_SECTIONS, {"table"}),
    "li": ({"li"}, {"ul", "ol", "table", "td", "th"}),
    "dt": ({"dt", "dd"}, {"dl", "table", "td", "th"}),
    "dd": ({"dt", "dd"}, {"dl", "table", "td", "th"}),
    "option": ({"option"}, {"select"}),
}
_KEEPS_P = {"table", "td", "th", "li", "div", "blockquote", "dd", "body", "caption"}
_DEEPEST = 60  # nested elements; deeper ones lose their tags and keep their text
_SPACES = re.compile(r"[ \t\n\r\f]+")


@dataclass(eq=False)
class Node:
    """An element: its name, its attributes and its contents."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def get(self, name: str) -> str:
        """Return an attribute, or an empty string if there is none."""
        return self.attributes.get(name, "")

    @property
    def classes(self) -> list[str]:
        """The classes of the element."""
        return self.get("class").split()

    def elements(self) -> Iterator[Node]:
        """Yield the elements directly within."""
        return (child for child in self.children if isinstance(child, Node))

    def nodes(self) -> Iterator[Node]:
        """Yield all elements within, in order."""
        for child in self.elements():
            yield child
            yield from child.nodes()

    def text(self) -> str:
        """Return the text within, unchanged."""
        pieces = []
        for child in self.children:
            if isinstance(child, str):
                pieces.append(child)
            elif child.tag == "br":
                pieces.append("\n")
            elif child.tag not in ("script", "style"):
                pieces.append(child.text())
        return "".join(pieces)

    def line(self) -> str:
        """Return the text within on one line."""
        return _SPACES.sub(" ", self.text()).strip(" ")

    def holds_blocks(self) -> bool:
        """Whether the element is more than a run of text."""
        return any(node.tag in BLOCKS for node in self.nodes())


def parse(markup: str) -> Node:
    """Read HTML; open tags are closed where browsers close them.

    Examples
    --------
    >>> table = parse("<table><tr><th>a<th>b<tr><td>1<td>2</table>").children[0]
    >>> [(cell.tag, cell.text()) for row in table.children for cell in row.children]
    [('th', 'a'), ('th', 'b'), ('td', '1'), ('td', '2')]
    """
    builder = _Builder()
    builder.feed(markup)
    builder.close()
    return builder.root


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("body")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        ended, fence = _ENDS.get(tag, (set(), set()))
        if ended:
            self._end_implied(ended, fence)
        elif tag in BLOCKS:
            self._end_implied({"p"}, _KEEPS_P)
        node = Node(tag, {name: value or "" for name, value in attrs})
        if len(self._open) > _DEEPEST:
            return
        self._open[-1].children.append(node)
        if tag not in _VOID:
            self._open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if (
            tag not in _VOID and tag not in BLOCKS
        ):  # browsers read <span/> as an open span, but <x/>
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for position in range(len(self._open) - 1, 0, -1):
            if self._open[position].tag == tag:
                del self._open[position:]
                return
            if self._open[position].tag in ("table", "td", "th") and tag not in _SECTIONS | {
                "table"
            }:
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def _end_implied(self, ended: set[str], fence: set[str]) -> None:
        """Close the open elements up to the outermost that has to end."""
        first = len(self._open)
        for position in range(len(self._open) - 1, 0, -1):
            if self._open[position].tag in fence:
                break
            if self._open[position].tag in ended:
                first = position
        del self._open[first:]


_NUMBER = re.compile(r"[<>≤≥~±]?\s*[-+−]?[\d.,  ]*\d[\d.,]*(?:e[+-]?\d+)?\s*%?(?:\s*±.*)?", re.I)
_ALIGN = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)
_MOST_SPAN = 1000
_PARTS = ("thead", "tbody", "tfoot")  # in the order of print
# Letters that are narrow or wide in the serif fonts of both outputs
_NARROW, _WIDE = frozenset("iljtfrI.,:;!'|()[]-/ "), frozenset("mwMW@%—")
PAD = 3.5  # points on either side of a cell
_SIZES = (9.0, 8.0, 7.0, 6.5)
_LONG = 60  # rows; a longer table with wrapped text is set in small type
_SPLIT_SIZE = 7.0
PIECE = 14  # letters of a word that stay together in a narrow column
_MUCH = 1.25  # factor by which headers may widen a table before they are turned
_FIRST_SHARE = 0.3  # share of the page's width for the labels of rows of a table that is cut


@dataclass(frozen=True)
class Cell:
    """A cell, with its place and its span."""

    node: Node
    row: int
    column: int
    rows: int
    columns: int
    header: bool
    align: str

    @property
    def text(self) -> str:
        """The text of the cell on one line."""
        return self.node.line()


@dataclass(frozen=True)
class Grid:
    """A table: its cells in order, and the number of header rows."""

    cells: tuple[Cell, ...]
    n_rows: int
    n_columns: int
    n_header: int
    caption: Node | None = None

    def part(self, columns: Sequence[int]) -> Grid:
        """Return the table with some of the columns."""
        kept = []
        for cell in self.cells:
            own = range(cell.column, cell.column + cell.columns)
            places = [place for place, column in enumerate(columns) if column in own]
            if places:
                kept.append(replace(cell, column=places[0], columns=len(places)))
        return replace(self, cells=tuple(kept), n_columns=len(columns))

    def height(self, widths: Sequence[float] | None, size: float) -> float:
        """Estimate the height in points.

        Parameters
        ----------
        widths : sequence of float, or None
            The widths of the columns, in points; None if no text is wrapped.
        size : float
            The size of the type, in points.
        """
        lines = [1.0] * self.n_rows
        for cell in self.cells:
            if widths and cell.columns == 1:
                needed = -(-letters_wide(cell.text) * size // widths[cell.column])
                lines[cell.row] = max(lines[cell.row], needed)
        return sum(1.1 * size * n + 3 for n in lines)


class Fit(NamedTuple):
    """The layout of a table.

    Attributes
    ----------
    size : float
        The size of the type, in points.
    upright : bool
        Whether the headers of the columns are turned upright.
    widths : tuple of float, or None
        The widths of the columns, in points; None if each is as wide as its text.
    parts : tuple of tuple of int
        The columns of each part, which are printed below each other; one part if all columns fit.
    """

    size: float
    upright: bool
    widths: tuple[float, ...] | None
    parts: tuple[tuple[int, ...], ...]


def grid(table: Node) -> Grid | None:
    """Read a ``<table>``; None if it has no cells."""
    rows = sorted(_rows(table), key=lambda row: _PARTS.index(row[0]))
    caption = next((child for child in table.elements() if child.tag == "caption"), None)
    taken: dict[tuple[int, int], bool] = {}
    cells: list[Cell] = []
    n_header = _header_rows(rows)
    n_columns = 0
    for number, (part, row) in enumerate(rows):
        last = n_header if number < n_header else len(rows)
        column = 0
        for node in row:
            while (number, column) in taken:
                column += 1
            wide, high = _span(node, "colspan"), min(_span(node, "rowspan"), last - number)
            high = _free_rows(taken, number, column, high)
            wide = next((w for w in range(1, wide) if (number, column + w) in taken), wide)
            taken |= {(number + r, column + c): True for r in range(high) for c in range(wide)}
            align = _align(node, header=number < n_header)
            header = part == "thead" or node.tag == "th"
            cells.append(Cell(node, number, column, high, wide, header, align))
            column += wide
            n_columns = max(n_columns, column)
    if not cells:
        return None
    found = Grid(tuple(cells), len(rows), n_columns, n_header, caption)
    return _aligned(found)


def fit(table: Grid, page: float, ideograph: float = 1.0) -> Fit:
    """Fit a table to the width of the page.

    Small type comes first, then long text in lines, then headers that stand upright; a table
    that is still too wide is cut into parts, each with the labels of the rows.

    Parameters
    ----------
    table : Grid
        The table.
    page : float
        The width of the text, in points.
    ideograph : float
        The width of an ideograph in multiples of the size of its type.
    """
    whole = (tuple(range(table.n_columns)),)
    headers, words, natural, least = _letters(table, ideograph)
    flat = [max(pair) for pair in zip(natural, headers, strict=True)]
    narrow = [max(pair) for pair in zip(least, words, strict=True)]
    pads = 2 * PAD * table.n_columns
    if sum(flat) * _SIZES[0] + pads <= page:
        return Fit(_SIZES[0], upright=False, widths=None, parts=whole)
    unbroken = [max(pair) for pair in zip(natural, words, strict=True)]
    ways = (
        (unbroken, flat, _SIZES[:3], False),  # only headers are wrapped
        (narrow, flat, _SIZES if table.n_rows <= _LONG else _SIZES[2:], False),
        (least, natural, _SIZES, True),
    )
    for low, high, sizes, upright in ways:
        for size in sizes:
            if sum(low) * size + pads <= page:
                widths = _shared(low, high, size, page - pads)
                return Fit(size, upright, widths, whole)
    low = least if sum(narrow) > _MUCH * sum(least) else narrow  # otherwise they need not be turned
    return _cut_up(table, low, natural, page, upright=low is least)


def letters_wide(text: str, ideograph: float = 1.0) -> float:
    """Return the width of text in multiples of the size of its type, rounded up if in doubt."""
    width = 0.0
    for letter in text:
        if letter in _NARROW:
            width += 0.35
        elif letter in _WIDE:
            width += 0.93
        elif letter.isupper():
            width += 0.73
        elif letter > "\u2e7f":
            width += ideograph
        else:
            width += 0.54
    return width


# ----------------------------------------------------------------------------------- inside


def _cut_up(
    table: Grid, least: Sequence[float], natural: Sequence[float], page: float, *, upright: bool
) -> Fit:
    size = _SPLIT_SIZE
    most = (page * _FIRST_SHARE) / size
    label = max(least[0], min(natural[0], most))
    room = page - label * size - 2 * PAD
    widths = [label * size]
    parts: list[list[int]] = [[0]]
    used = 0.0
    for column in range(1, table.n_columns):
        own = min(max(least[column], min(natural[column], most)) * size, room - 2 * PAD)
        if used + own + 2 * PAD > room and len(parts[-1]) > 1:
            parts.append([0])
            used = 0.0
        parts[-1].append(column)
        widths.append(own)
        used += own + 2 * PAD
    return Fit(size, upright=upright, widths=tuple(widths), parts=tuple(map(tuple, parts)))


def _shared(
    low: Sequence[float], high: Sequence[float], size: float, room: float
) -> tuple[float, ...]:
    """Give each column its minimum width, and divide the rest among those that need more."""
    need = [width * size for width in low]
    wish = [max(0.0, top - bottom) * size for top, bottom in zip(high, low, strict=True)]
    spare = room - sum(need)
    share = min(1.0, spare / sum(wish)) if sum(wish) else 0.0
    return tuple(width + share * more for width, more in zip(need, wish, strict=True))


def _letters(
    table: Grid, ideograph: float
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return, by column, the widths of the headers and of the cells, and the minimum of both."""
    headers, words, natural, least = ([1.2] * table.n_columns for _ in range(4))
    for cell in table.cells:
        if cell.columns > 1:
            continue
        width = letters_wide(cell.text, ideograph)
        pieces = [letters_wide(word[:PIECE], ideograph) for word in cell.text.split()]
        shortest = width if _NUMBER.fullmatch(cell.text) else max(pieces, default=0.0)
        if cell.row < table.n_header:
            headers[cell.column] = max(headers[cell.column], width)
            words[cell.column] = max(words[cell.column], shortest)
            continue
        # a wrapped cell of many words needs more than its longest word
        shortest = max(shortest, min(width, 6.0))
        natural[cell.column] = max(natural[cell.column], width)
        least[cell.column] = max(least[cell.column], shortest)
    return headers, words, natural, least


def _rows(table: Node, part: str = "tbody") -> Iterator[tuple[str, list[Node]]]:
    """Yield the rows, each with the part of the table that it belongs to."""
    for child in table.elements():
        if child.tag in _PARTS:
            yield from _rows(child, child.tag)
        elif child.tag == "tr":
            if cells := [cell for cell in child.elements() if cell.tag in ("td", "th")]:
                for cell in cells:
                    cell.attributes.setdefault("data-row-style", child.get("style"))
                yield part, cells
        elif child.tag in ("td", "th"):
            yield part, [child]


def _header_rows(rows: list[tuple[str, list[Node]]]) -> int:
    """Count the rows that repeat on every page: the head, else first rows of headers only."""
    n_head = sum(part == "thead" for part, _ in rows)
    if not n_head:
        only = [all(cell.tag == "th" for cell in row) for _, row in rows]
        n_head = only.index(False) if False in only else 0
    return n_head if n_head < len(rows) else 0


def _span(node: Node, name: str) -> int:
    value = node.get(name).strip()
    return max(1, min(int(value), _MOST_SPAN)) if value.isascii() and value.isdigit() else 1


def _free_rows(taken: dict[tuple[int, int], bool], row: int, column: int, wanted: int) -> int:
    return next((r for r in range(1, wanted) if (row + r, column) in taken), wanted)


def _align(node: Node, *, header: bool) -> str:
    for style in (node.get("style"), node.get("data-row-style")):
        if match := _ALIGN.search(style):
            return match[1].lower()
    if node.get("align") in ("left", "right", "center"):
        return node.get("align")
    if "num" in node.classes:
        return "right"
    if "text" in node.classes or (node.tag == "th" and not header):
        return "left"
    return ""


def _aligned(table: Grid) -> Grid:
    """Align numbers to the right, and so the header of a column of numbers."""
    numeric: dict[int, list[bool]] = {}
    for cell in table.cells:
        if cell.row >= table.n_header and cell.columns == 1 and not cell.align and cell.text:
            numeric.setdefault(cell.column, []).append(bool(_NUMBER.fullmatch(cell.text)))
    right = {column for column, numbers in numeric.items() if all(numbers)}
    cells = (
        cell if cell.align else replace(cell, align="right" if cell.column in right else "left")
        for cell in table.cells
    )
    return replace(table, cells=tuple(cells))
