"""Read a page as a browser does, and list the places where that is in doubt.

Programs differ in how they read careless HTML, and a page may be written so that a browser shows
what another program does not see. This module reads markup that all programs read in the same way;
whatever else a page holds is remembered as a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

__all__ = ["Element", "Markup", "read_markup"]

_EMPTY = "area base br col embed hr img input link meta source track wbr"
_VOID = frozenset(_EMPTY.split())
# A regular start tag: no quotation mark is missing, and attributes do not touch.
_NAME = r"[a-zA-Z][a-zA-Z0-9:-]*"
_ATTRIBUTE = r"""\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`/]+))?"""
_START = re.compile(rf"<{_NAME}(?:{_ATTRIBUTE})*\s*/?>")
_WHERE_IT_ENDS = "programs may differ on where a comment ends"
_COMMENT = re.compile(r"(?!-)(?:[^<>-]|-(?!-))*(?<!-)")
_DEEPEST = 256  # browsers stop at 512 nested elements
_MOST = 2_000_000  # elements; a report has some thousands
_FOREIGN = ("math", "svg")  # where any element may close itself in its start tag


@dataclass(eq=False)
class Element:
    """An element of a page.

    Attributes
    ----------
    tag : str
        Its name; empty for the page as a whole.
    attributes : dict of str to str
        Their values, empty for those without one.
    parent : Element or None
        The element around it.
    line : int
        The line of the page where it starts.
    children : list of Element and str
        Elements and text, in order.
    """

    tag: str
    attributes: dict[str, str]
    parent: Element | None
    line: int
    children: list[Element | str] = field(default_factory=list)

    def get(self, name: str) -> str:
        """Return an attribute, or an empty string if there is none."""
        return self.attributes.get(name, "")

    @property
    def classes(self) -> list[str]:
        """The classes, as a list."""
        return self.get("class").split()

    def elements(self, *tags: str) -> Iterator[Element]:
        """Yield the elements within, in order: all, or those with some names."""
        waiting = [iter(self.children)]
        while waiting:
            child = next(waiting[-1], None)
            if child is None:
                waiting.pop()
            elif isinstance(child, Element):
                if not tags or child.tag in tags:
                    yield child
                waiting.append(iter(child.children))

    def above(self) -> Iterator[Element]:
        """Yield the elements around this one, the innermost first."""
        around = self.parent
        while around is not None:
            yield around
            around = around.parent

    def text(self) -> str:
        """Return the text within on one line, with words of different elements kept apart."""
        pieces: list[str] = []
        waiting = [iter(self.children)]
        while waiting:
            child = next(waiting[-1], None)
            if child is None:
                waiting.pop()
            elif isinstance(child, str):
                pieces.append(child)
            else:
                waiting.append(iter(child.children))
        return " ".join(" ".join(pieces).split())


@dataclass(frozen=True)
class Markup:
    """A page that was read.

    Attributes
    ----------
    root : Element
        Holds the whole page.
    doubts : tuple of str
        The places where programs may read the page differently, and why; empty for a page from
        our template.
    """

    root: Element
    doubts: tuple[str, ...]


def read_markup(text: str) -> Markup:
    """Read a page of HTML.

    Raises
    ------
    ValueError
        If its elements are too many, or nested too deeply.

    Examples
    --------
    >>> read_markup("<p class=a>One <b>two</b></p>").root.text()
    'One two'
    >>> read_markup("<p>One <b>two</p>").doubts
    ('line 1: <b> is not closed before </p>',)
    """
    reader = _Reader()
    if "\x00" in text:
        reader.doubt("the page holds characters of value 0")
    if "<!-->" in text or "<!--->" in text:  # ends for browsers and, since 2025, for Python
        reader.doubt(_WHERE_IT_ENDS)
    reader.feed(text)
    reader.end()
    return Markup(reader.root, tuple(dict.fromkeys(reader.doubts)))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {}, None, 1)
        self.doubts: list[str] = []
        self._open = [self.root]
        self._n_elements = 0

    def doubt(self, what: str) -> None:
        self.doubts.append(f"line {self.getpos()[0]}: {what}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs)
        if tag not in _VOID:
            self._open.append(self._last)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        foreign = any(element.tag in _FOREIGN for element in self._open)
        self._start(tag, attrs)
        if tag not in _VOID and not foreign:
            self.doubt(f"<{tag}/> closes itself")

    def handle_endtag(self, tag: str) -> None:
        if self._open[-1].tag == tag:
            self._open.pop()
            return
        place = next((i for i in range(len(self._open) - 1, 0, -1) if self._open[i].tag == tag), 0)
        if not place:
            self.doubt(f"</{tag}> closes nothing")
            return
        self.doubt(f"<{self._open[-1].tag}> is not closed before </{tag}>")
        del self._open[place:]

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        if not _COMMENT.fullmatch(data):
            self.doubt(_WHERE_IT_ENDS)

    def handle_decl(self, decl: str) -> None:
        if decl.lower() != "doctype html" or self._n_elements:
            self.doubt(f"<!{decl[:20]}> is no part of a page")

    def unknown_decl(self, data: str) -> None:
        self.doubt(f"<![{data[:20]}]> is no part of a page")

    def handle_pi(self, data: str) -> None:
        self.doubt(f"<?{data[:20]}> is no part of a page")

    def end(self) -> None:
        """Note what is still open at the end of the page."""
        if "<" in self.rawdata:
            self.doubt("a tag or a comment is not closed")
        self.close()
        if len(self._open) > 1:
            self.doubt(f"<{self._open[-1].tag}> is not closed")

    def _start(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        self._n_elements += 1
        if len(self._open) > _DEEPEST or self._n_elements > _MOST:
            what = f"within {_DEEPEST} others" if len(self._open) > _DEEPEST else f"after {_MOST:,}"
            raise ValueError(
                f"`page` must be a report; got one with an element {what} (line {line}), which no "
                "report has."
            )
        if not _START.fullmatch(self.get_starttag_text() or ""):
            self.doubt(f"programs may differ on where the tag <{tag}> ends")
        attributes = {name: value or "" for name, value in attrs}
        if len(attributes) < len(attrs):
            self.doubt(f"<{tag}> has an attribute twice")
        self._last = Element(tag, attributes, self._open[-1], line)
        self._open[-1].children.append(self._last)
