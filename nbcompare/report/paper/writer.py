"""Write the tree of a page as markup: what the writers of Typst and LaTeX have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import unquote

from nbcompare.report.page.tree import BLOCKS, Fit, Grid, Node, fit, grid, parse
from nbcompare.report.paper.pictures import Picture, picture, static_svg

__all__ = ["NOT_TEXT", "Writer", "shown_size"]

_STYLES = {
    "b": "strong",
    "strong": "strong",
    "i": "emphasis",
    "em": "emphasis",
    "cite": "emphasis",
    "dfn": "emphasis",
    "var": "emphasis",
    "s": "strike",
    "del": "strike",
    "strike": "strike",
    "u": "underline",
    "ins": "underline",
    "sub": "sub",
    "sup": "super",
}
_CODE = ("code", "kbd", "samp", "tt")
# Elements that show nothing by themselves, and those that cannot be printed
_NAMES = """
area base col colgroup datalist head link map meta noscript param script source style template title
track wbr
"""
_SILENT = frozenset(_NAMES.split())
_UNPRINTABLE = {
    "iframe": "a frame",
    "video": "a video",
    "audio": "a sound",
    "canvas": "a drawing made by a script",
    "object": "an embedded object",
    "embed": "an embedded object",
    "svg": "a drawing",
}
_CONTROLS = frozenset(["button", "select", "textarea"])
_REFERENCE = re.compile(r"\[\d+\] ")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LONG_WORD = re.compile(r"\S{15,}")
_PIECE = re.compile(r"[^\W_]{1,14}[\W_]{0,2}|[\W_]{1,3}")
_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")  # of a number, not within a name or a date
_SPACES = re.compile(r"[ \t\n\r\f]+")
NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_INDENT = 26.0  # points by which a list or a quotation is indented
_INLINE_IMAGE = 60.0  # points; higher pictures get a paragraph of their own
_CELL_IMAGE = 150.0
_LANDSCAPE_HEIGHT = 310.0  # points; of a picture that is wider than high
_LONGEST_OUTPUT = 400  # lines of printed output; the middle of more is left out
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_OVERSTRIKE = re.compile(r"[^\n\x08]\x08")
_RETURN = re.compile(r"^[^\n]*\r(?!$)", re.MULTILINE)
_MOST_KEPT = 25  # lines of code that are kept on the page of their output


class Writer:
    """A writer of the content of a page as the markup of a typesetter.

    A subclass says how each piece is written, of pieces that are already written: those that are
    declared here as functions.

    Parameters
    ----------
    stem : str
        The name of the document, with which the names of its files begin.

    Attributes
    ----------
    width, height : float
        The size of the text of a page, in points.
    columns : int
        The number of characters of code on a line.
    cut, line_break, rule, new_page : str
        Markup for a place at which a word may be broken, for the end of a line, for a line across
        the page and for the end of a page.
    boxes : tuple of str
        Those before a task that is to be done, and before one that is done.
    start : str
        The mark before what is kept on one page with the picture that follows.
    left_out : collections.Counter
        Descriptions of what could not be shown, with counts.
    pictures : dict of str to Picture
        The pictures that the markup refers to, by file name.
    files : dict of str to bytes
        What is to lie beside the document, by name.
    is_tall : bool
        Whether the last picture takes up much of a page.
    is_introduced : bool
        Whether what was written last is kept on one page with what follows.
    """

    width, height, columns = 470.0, 450.0, 94  # fits A4 and US letter
    cut: str
    line_break: str
    rule: str
    new_page: str
    boxes: tuple[str, str]
    start: str
    # text, and pieces within a line
    escape: Callable[[str], str]
    styled: Callable[[str, str], str]
    inline_code: Callable[[str], str]
    link: Callable[[str, str], str]
    reference: Callable[[str, str], str]
    formula: Callable[..., str]  # of TeX, displayed or not; a doubtful one may be none
    inline_picture: Callable[[Picture, str], str]
    # blocks
    block_picture: Callable[[Picture, str], str]
    figure: Callable[[Picture, str, str, str, str], str]  # with its id, number and caption
    paragraph: Callable[[str], str]
    heading: Callable[[int, str, str], str]
    listing: Callable[[Sequence[str], int | None], str]  # numbered if there is a first number
    sources: Callable[[Sequence[str]], str]  # references, which begin with their numbers
    quote: Callable[[str], str]
    introduction: Callable[[str], str]  # kept with what follows
    lines: Callable[..., str]  # code or printed output
    table: Callable[[Grid, dict[Node, str], Fit, tuple[str, str, str]], str]
    ideograph = 1.0  # width of an ideograph in multiples of the size of the type
    letters = 1.0  # factor by which the letters of the typesetter's font are wider than assumed

    def __init__(self, stem: str = "report") -> None:
        self.stem = re.sub(r"[^A-Za-z0-9]+", "-", stem).strip("-") or "report"
        self.left_out: Counter[str] = Counter()
        self.pictures: dict[str, Picture] = {}
        self.files: dict[str, bytes] = {}
        self.is_tall = self.is_introduced = False
        self._level = 0
        self._given: set[str] = set()
        self._in_cell = self._repeats = False
        self._inside = 0  # lists and quotations that are open

    # ------------------------------------------------------------------ whole pieces

    def html(self, markup: str, *, introduces: bool = False) -> str:
        """Write HTML as blocks; text that ``introduces`` what follows is kept with it."""
        self.is_introduced = introduces
        return self.flow(parse(static_svg(markup)).children, introduces=introduces)

    def line(self, markup: str) -> str:
        """Write HTML that is only a line of text."""
        return self.inline(parse(markup).children).strip()

    def line_of_text(self, text: str) -> str:
        """Write text that is not HTML."""
        return self.inline([text])

    def code(self, source: str, language: str, *, introduces: bool = False) -> str:
        """Write the code of a cell; it is kept with what it ``introduces``."""
        kept = introduces and source.count("\n") < _MOST_KEPT
        return self.lines(_printed(source), "code", language, introduces=kept)

    def printed(self, text: str, kind: str = "output") -> str:
        """Write what a cell printed; ``kind`` is "output", "messages" or "error"."""
        if not text.strip():
            return ""
        lines = _printed(_text_of_terminal(text)).split("\n")
        if hidden := max(0, len(lines) - _LONGEST_OUTPUT):
            self.left_out["lines in the middle of long printed output"] += hidden
            half = _LONGEST_OUTPUT // 2
            lines[half : half + hidden] = [f"[… {hidden} lines left out …]"]
        return self.lines("\n".join(lines), kind)

    def image(
        self,
        uri: str,
        alt: str,
        asked: dict[str, object],
        label: tuple[str, str, str] = ("", "", ""),
    ) -> str | None:
        """Write a single picture, with its id, number and caption; None if it cannot be shown."""
        found = self._picture(uri, asked)
        if found is None:
            return None
        identity, number, caption = label
        if not number:
            return self.block_picture(found, alt)
        before = "" if self.is_introduced else self.start + "\n"
        return before + self.figure(found, alt, self.anchor(identity), number, caption)

    # ------------------------------------------------------------------------ blocks

    def flow(self, children: Iterable[Node | str], *, introduces: bool = False) -> str:
        """Write blocks, and runs of text between them as paragraphs."""
        children = [c for c in children if isinstance(c, Node) or c.strip() or c == " "]
        blocks: list[str] = []
        run: list[Node | str] = []
        together = 0  # blocks before those that are kept on one page with what follows

        def finish() -> None:
            nonlocal together
            content = self.inline(run).strip()
            run.clear()
            if content:
                blocks.append(self.paragraph(content))
                together = len(blocks)

        for child, following in zip(children, [*children, None][1:], strict=True):
            if isinstance(child, Node) and (child.tag in BLOCKS or child.holds_blocks()):
                finish()
                block = self._block(child)
                leads = introduces if following is None else _is_equation(following)
                if leads and child.tag == "p" and block:
                    block = self.introduction(block)
                elif not _is_heading(child):
                    together = len(blocks) + 1
                blocks.append(block)
            else:
                run.append(child)
        finish()
        if introduces:
            blocks.insert(together, self.start)
        return "\n\n".join(block for block in blocks if block.strip())

    def _block(self, node: Node) -> str:
        if self._is_hidden(node):
            return ""
        tag = node.tag
        if tag in _HEADINGS:
            return self._heading(node)
        if tag == "pre":
            kind = "code" if "output" not in node.classes else "output"
            return self.lines(_printed(node.text()), kind)
        if tag == "table":
            return self._table(node)
        if tag in ("ul", "ol", "dd", "blockquote"):
            self._inside += 1
            is_list = tag in ("ul", "ol")
            block = self._list(node) if is_list else self.quote(self.flow(node.children))
            self._inside -= 1
            return block
        if tag == "dt":
            return self.flow([Node("p", children=[Node("strong", children=node.children)])])
        if tag == "hr":
            return self.rule
        if tag == "p":
            image = self._lone_image(node)
            return self.flow(node.children) if image is None else image
        return self.flow(node.children)

    def _heading(self, node: Node) -> str:
        before, self._repeats = self._repeats, True  # in the contents and in headers of pages
        content = self.inline(node.children).strip()
        self._repeats = before
        if not content:
            return ""
        if self._in_cell:
            return self.paragraph(self.styled("strong", content))
        # The title is the only heading of level 1, and no level is skipped.
        self._level = min(max(1, _HEADINGS[node.tag] - 1), self._level + 1)
        return self.heading(self._level, self.anchor(node.get("id")), content)

    def _list(self, node: Node) -> str:
        items = [
            self.flow(child.children) if isinstance(child, Node) else self.inline([child])
            for child in node.children
            if isinstance(child, Node) or child.strip()
        ]
        items = [item for item in items if item.strip()]
        if not items:
            return ""
        if node.tag == "ul" and _REFERENCE.match(node.line()):
            return self.sources(items)
        start = node.get("start")
        first = int(start) if start.isascii() and start.isdigit() else 1
        return self.listing(items, first if node.tag == "ol" else None)

    def _lone_image(self, node: Node) -> str | None:
        """Return the picture of a paragraph that contains nothing else."""
        rest = [c for c in node.children if isinstance(c, Node) or c.strip()]
        if len(rest) != 1 or not isinstance(rest[0], Node) or rest[0].tag != "img":
            return None
        image = rest[0]
        found = self._picture(image.get("src"), image.attributes)
        if found is None:
            return None
        return self.block_picture(found, image.get("alt") or "Figure")

    def _table(self, node: Node) -> str:
        table = grid(node)
        if table is None:
            return self.flow(node.elements())
        nested, self._in_cell = self._in_cell, True
        contents = {}
        for cell in table.cells:
            self._repeats = cell.row < table.n_header
            contents[cell.node] = self.flow(cell.node.children).strip()
        self._in_cell, self._repeats = nested, False
        caption, identity, number = "", "", ""
        if table.caption is not None:
            children = list(table.caption.children)
            if children and isinstance(children[0], Node) and "number" in children[0].classes:
                number = children.pop(0).text()  # type: ignore[union-attr]
            caption = self.inline(children).strip()
            identity = self.anchor(table.caption.get("id"))
        width = self.width * 0.45 if nested else self._room()
        fitted = fit(table, width / self.letters, self.ideograph)
        return self.table(table, contents, fitted, (identity, number, caption))

    # ------------------------------------------------------------------------ inline

    def inline(self, children: Iterable[Node | str]) -> str:
        """Write a run of text."""
        pieces = []
        for child in children:
            if isinstance(child, str):
                pieces.append(self.text(NOT_TEXT.sub("\N{REPLACEMENT CHARACTER}", _flat(child))))
            else:
                pieces.append(self._inline(child))
        return "".join(pieces)

    def _inline(self, node: Node) -> str:
        tag = node.tag
        if self._is_hidden(node):
            return ""
        if tag == "math":
            return self.formula(node.get("alttext"), display=node.get("display") == "block")
        if tag in _CODE:
            if "tex" in node.classes:
                return self._unread_formula(node.text())
            return self.inline_code(_flat(node.text()))
        if tag == "br":
            return self.line_break
        if tag == "img":
            return self._inline_image(node)
        if tag == "input":
            if node.get("type") == "checkbox":
                return self.boxes["checked" in node.attributes]
            return ""
        content = self.inline(node.children)
        if tag == "a" and content.strip():
            return self._link(node.get("href"), content)
        if tag == "q":
            return self.text("“") + content + self.text("”")
        if tag in _STYLES and content.strip():
            return self.styled(_STYLES[tag], content)
        return content

    def _link(self, target: str, content: str) -> str:
        if self._repeats:  # repeated on every page; only one copy could be the target
            return content
        if target.startswith("#"):
            return self.reference(unquote(target[1:]), content)
        if target.lower().startswith(("http://", "https://", "mailto:", "ftp://")):
            return self.link(NOT_TEXT.sub("", target), content)
        return content

    def _inline_image(self, node: Node) -> str:
        alt = node.get("alt") or "Figure"
        found = self._picture(node.get("src"), node.attributes)
        if found is None:
            return self.inline([f"[{alt}]"])
        if self._in_cell or (found.height or _INLINE_IMAGE + 1) <= _INLINE_IMAGE:
            return self.inline_picture(found, alt)
        return self.block_picture(found, alt)

    def _unread_formula(self, source: str) -> str:
        """Write a formula that the page shows as its source."""
        for delimiter, display in (("$$", True), ("$", False)):
            inside = source[len(delimiter) : -len(delimiter)]
            if source == delimiter + inside + delimiter and inside.strip():
                return self.formula(inside, display=display, doubtful=True)
        return self.formula(source, display=True, doubtful=True)

    def _is_hidden(self, node: Node) -> bool:
        if node.tag in _UNPRINTABLE:
            self.left_out[_UNPRINTABLE[node.tag]] += 1
            return True
        if node.tag in _SILENT or node.tag in _CONTROLS or "anchor" in node.classes:
            return True
        return "hidden" in node.attributes or bool(_HIDDEN.search(node.get("style")))

    def _picture(self, uri: str, asked: dict[str, str] | dict[str, object]) -> Picture | None:
        found = picture(uri, asked)
        if found is None:
            remote = uri.lower().startswith(("http:", "https:", "//"))
            what = "a picture from the network" if remote else "a picture that cannot be read"
            self.left_out[f"{what}: {uri[:80]}" if not uri.startswith("data:") else what] += 1
            return None
        self.pictures[found.name] = found
        return found

    def anchor(self, identity: str) -> str:
        """Return an id, or an empty string if it has been used before."""
        identity = unquote(identity)  # as links to it are
        if not identity or identity in self._given:
            return ""
        self._given.add(identity)
        return identity

    def size_of(self, found: Picture) -> tuple[float, float]:
        """Return the size at which a picture is shown."""
        if self._in_cell:
            return shown_size(found, _CELL_IMAGE, _CELL_IMAGE)
        return shown_size(found, self._room(), self.height)

    def _room(self) -> float:
        """Return the width of what stands here, in points."""
        return max(self.width - _INDENT * self._inside, self.width / 2)

    # ------------------------------------------------------------- what a typesetter writes

    def native(self, source: str) -> str:
        """Write raw markup of the typesetter."""
        return source

    def finish(self, printed: dict[str, Any]) -> None:
        """Add the pictures and what else the exporter needs besides the markup, and warnings."""
        printed["pictures"] = {name: found.data for name, found in self.pictures.items()}

    def text(self, text: str) -> str:
        """Write text; a long word may be broken, without a hyphen."""
        if self._in_cell:
            text = _MINUS.sub("−", text)
        pieces = []
        end = 0
        for word in _LONG_WORD.finditer(text):
            pieces.append(self.escape(text[end : word.start()]))
            pieces.append(self.cut.join(map(self.escape, _PIECE.findall(word[0]))))
            end = word.end()
        return "".join([*pieces, self.escape(text[end:])])


def shown_size(found: Picture, width: float, height: float) -> tuple[float, float]:
    """Return the size of a picture in points, reduced to the space that is available."""
    wide, high = found.width or width, found.height or width * 0.6
    most = min(height, _LANDSCAPE_HEIGHT) if wide > high else height
    scale = min(1.0, width / wide, most / high)
    return wide * scale, high * scale


def _is_heading(node: Node) -> bool:
    return node.tag in _HEADINGS or "heading" in node.classes


def _is_equation(node: Node | str) -> bool:
    """Whether a paragraph is nothing but a displayed formula."""
    if isinstance(node, str) or node.tag != "p" or len(node.children) != 1:
        return False
    (only,) = node.children
    return isinstance(only, Node) and "equation" in only.classes


def _flat(text: str) -> str:
    return _SPACES.sub(" ", text)


def _text_of_terminal(text: str) -> str:
    """Return what a terminal would show in the end, without its colours."""
    text = _ANSI.sub("", text.replace("\r\n", "\n"))
    while _OVERSTRIKE.search(text):
        text = _OVERSTRIKE.sub("", text)
    return _RETURN.sub("", text).replace("\r", "")


def _printed(text: str) -> str:
    shown = NOT_TEXT.sub("\N{REPLACEMENT CHARACTER}", text.expandtabs(4).replace("\r\n", "\n"))
    return shown.strip("\n")
