"""Read HTML as a well-formed tree, however carelessly the HTML was written.

Printed pages are made of HTML: `nbcompare.report.page.content.ReportPreprocessor` prepares a page
of it, and the outputs of notebooks contain HTML of all kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

__all__ = ["BLOCKS", "Node", "parse"]

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
