"""Divide a page into its pieces, each with a digest: figures, captions, cells, tables, prose.

Every visible thing of a page, and every setting, belongs to one piece. The digests are of a
canonical form: white space between elements, the order of attributes and the way in which
characters are written do not count, so that a tool that keeps the content keeps the digests.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby

from nbcompare.report.page.markup import Element
from nbcompare.report.page.templates import digest_of_code, known_code

__all__ = ["DIGESTS", "KINDS", "RESULTS", "Piece", "part_width", "pieces", "words_of"]

# The ids of the scripts that hold the results of a page, and the digests of its pieces
RESULTS, DIGESTS = "nbcompare-results", "nbcompare-digests"
# By kind, what several are called
KINDS = {
    "title": "titles",
    "author line": "author lines",
    "date": "dates",
    "line on the data": "lines on the data",
    "abstract": "paragraphs of the abstract",
    "version statement": "version statements",
    "table of contents": "entries of the contents",
    "heading": "headings",
    "paragraph": "paragraphs and list items",
    "figure": "figures",
    "caption": "captions",
    "alternative text": "alternative texts",
    "code cell": "code cells",
    "printed output": "printed outputs",
    "table": "tables",
    "note": "notes",
    "reference": "references",
    "label": "labels",
    "page setting": "page settings",
    "style sheet": "style sheets",
    "script": "scripts",
    "embedded data": "embedded data",
    "empty element": "empty elements",
}
# Letters of the short digests that say where a piece was changed; the whole has a full digest.
_SHORT = 8
_FRAME = 32
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_WITH_PIECES = """
html head body header footer nav main section article aside div p ul ol li dl dt dd table details
summary figure figcaption pre blockquote title meta link base script style svg iframe object embed
canvas video audio form hr
"""
_BLOCKS = _HEADINGS | frozenset(_WITH_PIECES.split())
_SETTINGS = frozenset(("meta", "link", "base"))
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DATA_URI = re.compile(r"data:[^,]*;base64,(.*)", re.DOTALL)
_LONGEST_LABEL = 60

_Token = tuple[str, str]  # "start", "end" or "text", and which


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of a page.

    Attributes
    ----------
    kind : str
        One of ``KINDS``.
    label : str
        Its number or its first words, by which a reader finds it; may be empty.
    content : str
        SHA-256 of what it is: for a figure of its bytes, else of its canonical form.
    frame : str
        Digest of the elements around it, which may hide it.
    parts : tuple of str
        Short digests of sentences, lines of code, or rows (first the text, then the markup).
    under : str
        The nearest heading above it.
    texts : tuple of str
        The words of each part; empty if the piece was read from digests.
    element : Element or None
        Where it is on the page; None if the piece was read from digests.
    """

    kind: str
    label: str
    content: str
    frame: str
    parts: tuple[str, ...] = ()
    under: str = ""
    texts: tuple[str, ...] = ()
    element: Element | None = None


def pieces(root: Element) -> list[Piece]:
    """Divide a page into its pieces, in order."""
    walk = _Walk()
    walk.block(root, "")
    return walk.found


def part_width(kind: str) -> int:
    """Return the number of letters of each short digest of a piece of a kind."""
    return 2 * _SHORT if kind == "table" else _SHORT


def words_of(nodes: Iterable[Element | str]) -> str:
    """Return the text of nodes on one line, whatever the white space between their elements."""
    return " ".join(text for kind, text in _tokens(nodes) if kind == "text")


@dataclass
class _Walk:
    found: list[Piece] = field(default_factory=list)
    under: str = ""
    n_code: int = 0

    def block(self, element: Element, around: str) -> None:
        """Add the pieces of an element that is no part of a line."""
        tag = element.tag
        if tag in ("script", "style"):
            self._code_of_page(element, around)
        elif tag in _SETTINGS:
            self._setting(element, around)
        elif tag == "pre":
            self._lines(element, _frame(around, element))
        elif tag == "table":
            self._table(element, _frame(around, element))
        elif tag == "svg":
            self._drawing(element, around)
        else:
            self._container(element, _frame(around, element))

    def _container(self, element: Element, frame: str) -> None:
        before = len(self.found)
        for is_block, nodes in groupby(element.children, _is_block):
            if is_block:
                for node in nodes:
                    if isinstance(node, Element):
                        self.block(node, frame)
            else:
                self._run(list(nodes), element, frame)
        if len(self.found) == before and element.tag not in ("", "html", "head", "body"):
            self._add("empty element", element.tag, _hash([]), frame, element)

    def _run(self, nodes: list[Element | str], element: Element, frame: str) -> None:
        """Add a line of text with what is in it; pictures in it are pieces of their own."""
        pictures = [
            picture
            for node in nodes
            if isinstance(node, Element)
            for picture in ([node] if node.tag == "img" else node.elements("img"))
        ]
        for picture in pictures:
            self._picture(picture, frame)
        tokens = _tokens(nodes, without_pictures=True)
        if not tokens or len(tokens) == 2 * len(pictures):  # nothing but pictures
            return
        text = words_of(nodes)
        kind = _kind(element)
        if kind == "heading":
            self.under = text[:_LONGEST_LABEL]
        sentences = tuple(_SENTENCE.split(text)) if text else ()
        label = ""
        if kind == "caption":
            label, sentences = _number_near(element), (text,)
        if kind == "heading":
            label = self.under
        self._add(kind, label, _hash(tokens), frame, element, sentences)

    def _picture(self, picture: Element, frame: str) -> None:
        label = _number_near(picture)
        start = _start(picture, without=("src", "alt"))
        around = _hash([frame, start])[:_FRAME]
        source = _DATA_URI.fullmatch(picture.get("src"))
        content = _hash_bytes(picture.get("src").encode("utf-8", "surrogatepass"))
        if source is not None:
            with suppress(ValueError):  # not base64, so no picture that a browser shows
                content = _hash_bytes(base64.b64decode("".join(source[1].split()), validate=True))
        self._add("figure", label, content, around, picture)
        if alt := " ".join(picture.get("alt").split()):
            self._add("alternative text", label, _hash([alt]), frame, picture, (alt,))

    def _drawing(self, drawing: Element, frame: str) -> None:
        """Add a drawing that is part of the page, and the text that stands for it."""
        label = _number_near(drawing)
        self._add("figure", label, _hash(_tokens([drawing], unnamed=drawing)), frame, drawing)
        if alt := " ".join(drawing.get("aria-label").split()):
            self._add("alternative text", label, _hash([alt]), frame, drawing, (alt,))

    def _lines(self, element: Element, frame: str) -> None:
        """Add a piece whose white space counts."""
        is_code = any("source" in around.classes for around in element.above())
        self.n_code += is_code
        tokens = _tokens(element.children, exact=True)
        if tokens and tokens[0][0] == "text":  # browsers ignore a line end at the start
            tokens[0] = ("text", tokens[0][1].removeprefix("\n"))
        text = "".join(text for kind, text in tokens if kind == "text")
        lines = tuple(line.rstrip() for line in text.strip("\n").split("\n"))
        kind = "code cell" if is_code else "printed output"
        self._add(kind, str(self.n_code) if is_code else "", _hash(tokens), frame, element, lines)

    def _table(self, table: Element, frame: str) -> None:
        inside: list[Element | str] = []
        for child in table.children:
            if isinstance(child, Element) and child.tag == "caption":
                self._container(child, _frame(frame, child))
            else:
                inside.append(child)
        rows = list(table.elements("tr"))
        texts = tuple(words_of(row.children) for row in rows)
        parts = tuple(
            _hash([text])[:_SHORT] + _hash([_start(row.parent or row), *_tokens([row])])[:_SHORT]
            for row, text in zip(rows, texts, strict=True)
        )
        content = _hash(_tokens(inside))
        label = _number_near(table)
        self.found.append(Piece("table", label, content, frame, parts, self.under, texts, table))

    def _code_of_page(self, element: Element, around: str) -> None:
        if element.get("id") == DIGESTS:
            return
        text = "".join(map(str, element.children))
        at_end = element.parent is not None and element.parent.tag == "body"
        if element.tag == "script" and at_end and digest_of_code(text) in known_code():
            return  # our own; whether it is known is checked elsewhere
        kind = "style sheet" if element.tag == "style" else "script"
        text = text.strip()
        if "json" in element.get("type"):
            kind = "embedded data"
            with suppress(ValueError, RecursionError):  # other programs write it in another form
                text = json.dumps(json.loads(text), sort_keys=True)
        self._add(kind, element.get("id"), _hash([text]), _frame(around, element), element)

    def _setting(self, element: Element, around: str) -> None:
        name = element.get("name")
        kinds = {"generator": "version statement", "author": "author line"}
        label = name or element.get("http-equiv") or element.tag
        self._add(
            kinds.get(name, "page setting"),
            "" if name in kinds else label,
            _hash([_start(element)]),
            around,
            element,
            (element.get("content"),),
        )

    def _add(
        self,
        kind: str,
        label: str,
        content: str,
        frame: str,
        element: Element,
        texts: Sequence[str] = (),
    ) -> None:
        parts = tuple(_hash([text])[:_SHORT] for text in texts)
        self.found.append(
            Piece(kind, label, content, frame, parts, self.under, tuple(texts), element)
        )


def _kind(element: Element) -> str:
    """Name what a line of text is, by the elements around it."""
    around = [element, *element.above()]
    tags = [one.tag for one in around]
    classes = [name for one in around for name in one.classes]
    if "header" in tags:
        known = {
            "authors": "author line",
            "date": "date",
            "about": "line on the data",
            "abstract": "abstract",
        }
        return next((known[name] for name in classes if name in known), "title")
    for tag, kind in (
        ("title", "title"),
        ("footer", "version statement"),
        ("nav", "table of contents"),
        ("figcaption", "caption"),
        ("caption", "caption"),
        ("summary", "label"),
    ):
        if tag in tags:
            return kind
    if _HEADINGS.intersection(tags):
        return "heading"
    if "heading" in element.classes:
        return "label"  # the link of a heading to itself
    if "nbcompare-notes" in classes:
        return "note"
    return "reference" if "references" in classes else "paragraph"


def _number_near(element: Element) -> str:
    """Return the number that the page gives to a figure or table, such as "Figure 2"."""
    for around in (element, *element.above()):
        if around.tag in ("figure", "table"):
            for caption in around.elements("figcaption", "caption"):
                for number in caption.elements("span"):
                    if "number" in number.classes:
                        return words_of(number.children).rstrip(".")[:_LONGEST_LABEL]
            return ""
    return ""


def _is_block(node: Element | str) -> bool:
    if isinstance(node, str):
        return False
    return node.tag in _BLOCKS or any(True for _ in node.elements(*_BLOCKS))


def _tokens(
    nodes: Iterable[Element | str],
    *,
    exact: bool = False,
    without_pictures: bool = False,
    unnamed: Element | None = None,
) -> list[_Token]:
    """Write nodes in a canonical form, as tags and the texts between them.

    The alternative text of the element ``unnamed`` is left out.
    """
    found: list[_Token] = []
    waiting: list[Element | str | _Token] = [*reversed(list(nodes))]
    texts: list[str] = []

    def finish() -> None:
        joined = "".join(texts)
        if text := joined.replace("\r\n", "\n") if exact else " ".join(joined.split()):
            found.append(("text", text))
        texts.clear()

    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            texts.append(node)
            continue
        finish()
        if isinstance(node, tuple):
            found.append(node)
            continue
        hidden: tuple[str, ...] = ()
        if without_pictures and node.tag == "img":
            hidden = ("src", "alt")
        if node is unnamed:
            hidden = ("aria-label",)
        found.append(("start", _start(node, without=hidden)))
        waiting.append(("end", node.tag))
        waiting.extend(reversed(node.children))
    finish()
    return found


def _start(element: Element, without: Sequence[str] = ()) -> str:
    """Write the start of an element, with its attributes in a canonical form."""
    written = []
    for name, value in sorted(element.attributes.items()):
        if name in without:
            continue
        in_order = " ".join(sorted(value.split())) if name == "class" else value
        written.append(f"{name}={json.dumps(in_order)}")
    return f"<{' '.join([element.tag, *written])}>"


def _frame(around: str, element: Element) -> str:
    return _hash([around, _start(element)])[:_FRAME]


def _hash(tokens: Sequence[str | _Token]) -> str:
    return _hash_bytes(json.dumps(list(tokens)).encode())


def _hash_bytes(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
