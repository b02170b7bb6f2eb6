"""Write HTML as the markup of a typesetter: what the writers of Typst and LaTeX have in common.

Pandoc reads all HTML of a document in one pass. What it would lose, or what a typesetter has
functions of its own for (formulas, pictures, code, references), stands there as a mark, in whose
place the markup is put afterwards.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from copy import copy
from itertools import pairwise, product
from typing import Any
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag

from nbcompare._render import with_minus
from nbcompare.report.paper.pictures import Picture, picture, static_svg

__all__ = ["NOT_TEXT", "Writer", "shown_size"]

# Elements that show nothing on paper, and those that cannot be printed
_NAMES = """
button datalist noscript script select style template textarea title
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
# By element: those that its start tag ends, if their end tags were left out
_ENDS = {
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
    "li": ("li",),
}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# Attributes that pandoc is to read
_READ = frozenset(["align", "colspan", "href", "id", "rowspan", "start", "style", "type"])
_HEADINGS = [f"h{level}" for level in range(1, 7)]
_BOXES = ["article", "div", "figcaption", "figure", "footer", "header", "main", "nav", "section"]
_BLOCKS = [*_HEADINGS, *_BOXES, "blockquote", "dl", "hr", "ol", "p", "pre", "table", "ul"]
_LISTS = ("ul", "ol")
_SAME = {"kbd": "code", "cite": "em", "dfn": "em"}  # which pandoc writes as plain text
_NUMBER = re.compile(r"[<>≤≥~±]?\s*[-+−]?[\d.,  ]*\d[\d.,]*(?:e[+-]?\d+)?\s*%?(?:\s*±.*)?", re.I)
_RIGHT = re.compile(r"text-align\s*:\s*right", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|mailto:|ftp://)", re.IGNORECASE)
# No character of text; and three for private use, of which marks are made
NOT_TEXT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\uf8f0-\uf8f2\ufdd0-\ufdef\ufffe\uffff]"
)
_LABEL = re.compile(r'<caption id="([^"]*)"><span class="number">\w+ (\d+)\.</span>')
_MARK, _END = re.compile("\uf8f0(\\d+)\uf8f1"), "\uf8f2"
_INDENT = 26.0  # points by which a list or a quotation is indented
_INLINE_IMAGE = 60.0  # points; higher pictures get a paragraph of their own
_CELL_IMAGE = 150.0
_LANDSCAPE_HEIGHT = 310.0  # points; of a picture that is wider than high
_LONGEST_OUTPUT = 400  # lines of printed output; the middle of more is left out
_LARGEST, _SMALL, _SMALLEST = 9.0, 6.5, 4.5  # points; the type of tables, whole and in parts
_PAD = 7.0  # points between two cells
_PIECE = 20  # letters that stay together
_IDEOGRAPH = re.compile("[\u2e80-\ud7ff]")
_WIDEST_SPAN = 100  # columns or rows
_LONG_WORD = re.compile("[^\\s\uf8f0-\uf8f2]{15,}")
_PART = re.compile(r"[^\W_]{1,14}[\W_]{0,2}|[\W_]{1,3}")
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_OVERSTRIKE = re.compile(r"[^\n\x08]\x08")
_RETURN = re.compile(r"^[^\n]*\r(?!$)", re.MULTILINE)
_MOST_KEPT = 25  # lines of code that are kept on the page of their output

Size = tuple[float, float]  # in points


class Writer:
    """A writer of the content of a page as the markup of a typesetter.

    A subclass says how each piece is written: those that are declared here as functions.

    Parameters
    ----------
    stem : str
        The name of the document, with which the names of its files begin.

    Attributes
    ----------
    target : str
        The format, as pandoc calls it.
    boxes : tuple of str
        The boxes of tasks that are open, and done.
    start, new_page, plain_caption : str
        The beginning of what is kept with a picture, of a page, and of a table whose caption has
        no number.
    cut : str
        A place at which a word may be broken.
    letter, ideograph : float
        The width of a letter by its size, and that of an ideograph in letters.
    deepest_list : int
        Lists that may stand in each other.
    wraps : bool
        Whether the typesetter finds the widths of columns in which text is wrapped.
    introduction : tuple of str
        What stands around a paragraph that is kept with what follows.
    left_out : Counter
        What cannot be printed, and how often.
    pictures : dict of str to Picture
        The pictures by the names of their files.
    files : dict of str to bytes
        Files beside the document.
    is_tall : bool
        Whether the last picture is so high that code is not kept on its page.
    is_introduced : bool
        Whether the last text introduces what follows.
    """

    target: str
    width, height, columns = 470.0, 690.0, 96  # points of the text, letters of code on a line
    letter, ideograph, deepest_list, wraps = 0.55, 2, 20, True
    boxes: tuple[str, str]
    start, new_page, plain_caption = "", "", ""
    cut: str
    introduction: tuple[str, str]
    escape: Callable[[str], str]
    reference: Callable[[str], tuple[str, str]]
    in_type: Callable[[float], tuple[str, str]]
    formula: Callable[..., str]
    inline_picture: Callable[[Picture, str, Size], str]
    block_picture: Callable[[Picture, str, Size], str]
    figure: Callable[[Picture, str, Size, tuple[str, str, str]], str]
    lines: Callable[..., str]
    native: Callable[[str], str]
    numbered: Callable[[str, Sequence[tuple[str, int]]], str]
    numbered_caption: Callable[[Tag], str]
    mended: Callable[[str], str]
    finish: Callable[[dict[str, Any]], None]

    def __init__(self, stem: str = "report") -> None:
        self.stem = re.sub(r"[^A-Za-z0-9]+", "-", stem).strip("-") or "report"
        self.left_out: Counter[str] = Counter()
        self.pictures: dict[str, Picture] = {}
        self.files: dict[str, bytes] = {}
        self.is_tall = self.is_introduced = False
        self._level = 0
        self._given: set[str] = set()
        self._written: list[str] = []  # markup by the numbers of marks
        self._pages: dict[int, str] = {}  # HTML that pandoc is to read, too

    # ------------------------------------------------------------------ whole pieces

    def html(self, markup: str, *, introduces: bool = False) -> str:
        """Return a mark for HTML; text that ``introduces`` what follows is kept with it."""
        self.is_introduced = introduces
        page = BeautifulSoup(static_svg(text_of(markup)), "html.parser")
        self._close(page)
        self._remove(page)
        self._keep(page, introduces=introduces)
        self._replace(page)
        for table in page.find_all("table"):
            self._table(table)
        self._headings(page)
        self._break_words(page)
        for tag in page.find_all(True):  # pandoc writes others as code of Typst or LaTeX
            tag.attrs = {name: value for name, value in tag.attrs.items() if name in _READ}
        text = str(page).strip()
        return self.read(text) if text else ""

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
        asked: Mapping[str, Any],
        label: tuple[str, str, str] = ("", "", ""),
    ) -> str | None:
        """Write a single picture, with its id, number and caption; None if it cannot be shown."""
        found = self._picture(uri, asked)
        if found is None:
            return None
        size = shown_size(found, self.width, self.height)
        identity, number, caption = map(text_of, label)
        if not number:
            return self.block_picture(found, text_of(alt), size)
        before = "" if self.is_introduced else self.start + "\n"
        about = (self._anchor(identity), number, caption)
        return before + self.figure(found, text_of(alt), size, about)

    def result(self, source: str, shown: str) -> str:
        """Write a result in its own markup, with the ids and numbers that its HTML has."""
        labels = [(self._anchor(name), int(number)) for name, number in _LABEL.findall(shown)]
        return self.native(self.numbered(source, labels))

    def filled(self, texts: Iterable[str]) -> list[str]:
        """Return texts with markup in the places of marks; pandoc reads all HTML at once."""
        pages = "".join(f"{page}<p>{_END}</p>" for page in self._pages.values())
        *made, _ = pandoc(pages, self.target).split(_END) if pages else [""]
        for number, markup in zip(self._pages, made, strict=True):
            self._written[number] = self.mended(markup.strip())
        self._pages.clear()

        def fill(found: re.Match[str]) -> str:
            return _MARK.sub(fill, self._written[int(found[1])])

        return [_MARK.sub(fill, text) for text in texts]

    def read(self, page: str) -> str:
        """Return a mark for HTML that is ready for pandoc."""
        self._pages[len(self._written)] = page
        return self._mark("")

    # ------------------------------------------------------------------ what pandoc is to read

    def _mark(self, markup: str) -> str:
        """Return a mark that stands for markup."""
        self._written.append(markup)
        return f"\uf8f0{len(self._written) - 1}\uf8f1"

    @staticmethod
    def _close(page: BeautifulSoup) -> None:
        """Put cells, rows and items beside those that were left open before them."""
        for tag in page.find_all([*_ENDS]):
            ends = _ENDS[tag.name]
            fence = {*ends, "table", *_LISTS}
            while (around := _around(tag, fence)) is not None and around.name in ends:
                around.insert_after(tag)

    def _remove(self, page: BeautifulSoup) -> None:
        """Remove what paper cannot show, and count what a page would show."""
        for tag in page.find_all(_is_removed):
            if not tag.decomposed:
                if tag.name in _UNPRINTABLE:
                    self.left_out[_UNPRINTABLE[tag.name]] += 1
                tag.decompose()
        for tag in page.find_all([*_SAME]):
            tag.name = _SAME[tag.name]
        for tag in page.find_all(_BOXES):  # which would part headings from what follows
            if tag.find(_BLOCKS) is None:
                tag.name = "p"
            else:
                tag.unwrap()
        for tag in reversed(page.find_all("table")):
            if tag.find_parent("table"):
                tag.replace_with(" ".join(tag.get_text(" ").split()))
        for tag in page.find_all(_LISTS):
            if len(tag.find_parents(_LISTS)) >= self.deepest_list:
                for item in tag.find_all("li", recursive=False):
                    item.name = "div"
                    item.insert(0, "• ")
                tag.unwrap()

    def _keep(self, page: BeautifulSoup, *, introduces: bool) -> None:
        """Keep paragraphs with the formula, or with what else they introduce."""
        blocks = [child for child in page.children if isinstance(child, Tag)]
        leading = [
            one for one, other in pairwise(blocks) if one.name == "p" and _is_equation(other)
        ]
        if introduces and blocks and blocks[-1].name == "p":
            leading.append(blocks[-1])
        for block in leading:
            block.insert(0, self._mark(self.introduction[0]))
            block.append(self._mark(self.introduction[1]))
        if introduces and self.start:
            start = page.new_tag("p")
            start.append(self._mark(self.start))
            place = len(blocks)
            while place and (
                blocks[place - 1] in leading[-1:] or blocks[place - 1].name in _HEADINGS
            ):
                place -= 1
            page.append(start) if place == len(blocks) else blocks[place].insert_before(start)

    def _replace(self, page: BeautifulSoup) -> None:
        """Put marks in the places of what has markup of its own."""
        for tag in page.find_all(["math", "code", "pre", "img", "input", "a"]):
            is_plain_code = tag.name == "code" and not _has_class(tag, "tex")
            if tag.decomposed or is_plain_code or tag.find_parent(["pre", "math"]):
                continue
            if tag.name == "a":
                self._link(tag)
                continue
            if tag.name == "math":
                display = tag.get("display") == "block"
                shown = self.formula(_of(tag, "alttext"), display=display)
            elif tag.name == "code":
                shown = self._unread_formula(tag.get_text())
            elif tag.name == "pre":
                kind = "output" if _has_class(tag, "output") else "code"
                columns = self.columns // 3 if tag.find_parent("table") else self.columns
                shown = self.lines(_printed(tag.get_text()), kind, columns=columns)
            elif tag.name == "img":
                shown = self._image(tag)
            else:
                is_task = tag.get("type") == "checkbox"
                shown = self.boxes["checked" in tag.attrs] if is_task else ""
            tag.replace_with(self._mark(shown))

    def _link(self, tag: Tag) -> None:
        """Write a link within the document; pandoc writes those that lead out of it."""
        target = _of(tag, "href")
        # what is repeated on every page has no links
        is_repeated = tag.find_parent(["th", *_HEADINGS]) is not None
        if target.startswith("#") and not is_repeated:
            before, after = self.reference(unquote(target[1:]))
            tag.insert(0, self._mark(before))
            tag.append(self._mark(after))
        if is_repeated or not _ADDRESS.match(target):
            tag.unwrap()

    def _image(self, tag: Tag) -> str:
        alt = _of(tag, "alt") or "Figure"
        found = self._picture(_of(tag, "src"), tag.attrs)
        if found is None:
            return self.escape(f"[{alt}]")
        if tag.find_parent("table"):
            return self.inline_picture(found, alt, shown_size(found, _CELL_IMAGE, _CELL_IMAGE))
        inside = len(tag.find_parents([*_LISTS, "dd", "blockquote"]))
        size = shown_size(found, max(self.width - _INDENT * inside, self.width / 2), self.height)
        is_small = (found.height or _INLINE_IMAGE + 1) <= _INLINE_IMAGE
        return (self.inline_picture if is_small else self.block_picture)(found, alt, size)

    def _unread_formula(self, source: str) -> str:
        """Write a formula that the page shows as its source."""
        for delimiter, display in (("$$", True), ("$", False)):
            inside = source[len(delimiter) : -len(delimiter)]
            if source == delimiter + inside + delimiter and inside.strip():
                return self.formula(inside, display=display, doubtful=True)
        return self.formula(source, display=True, doubtful=True)

    def _headings(self, page: BeautifulSoup) -> None:
        """Number the levels of headings from 1 without a gap, and keep their ids alone."""
        for tag in page.find_all(_HEADINGS):
            if tag.find_parent("table") or not tag.get_text().strip():
                tag.name = "p"
                continue
            # the title is the only heading of level 1, and no level is skipped
            self._level = min(max(1, int(tag.name[1]) - 1), self._level + 1)
            tag.name = f"h{self._level}"
        for tag in page.find_all(id=True):
            name = self._anchor(_of(tag, "id")) if tag.name in ("table", *_HEADINGS) else ""
            if name:
                tag["id"] = name
            else:
                del tag["id"]

    def _break_words(self, page: BeautifulSoup) -> None:
        """Let long words be broken, without a hyphen."""
        cut = self._mark(self.cut)
        for part in page.find_all(string=_LONG_WORD):
            text = _LONG_WORD.sub(lambda word: cut.join(_PART.findall(word[0])), part)
            if (code := part.parent) is not None and code.name == "code":
                *pieces, text = text.split(cut)  # there are no marks within code
                for piece in pieces:
                    first = Tag(name="code")
                    first.append(piece)
                    code.insert_before(first, cut)
            part.replace_with(text)

    def _table(self, table: Tag, size: float | None = None) -> None:
        """Set the type of a table so that words fit its columns, and numbers to the right."""
        words: Counter[int] = Counter()
        lines: Counter[int] = Counter()
        for cell, columns in _cells(table):
            text = " ".join(cell.get_text().split())
            is_number = _NUMBER.fullmatch(text) is not None
            for column in columns:
                words[column] = max(2, words[column])
            if len(columns) == 1:
                text = _IDEOGRAPH.sub("\\g<0>" * self.ideograph, text)
                pieces = [text] if is_number else [word[:_PIECE] for word in text.split()]
                words[columns[0]] = max(words[columns[0]], *map(len, pieces), 0)
                lines[columns[0]] = max(lines[columns[0]], len(text))
            style = f"{cell.parent and cell.parent.get('style')} {cell.get('style')}"
            if is_number or _RIGHT.search(style) or _has_class(cell, "num"):
                cell["style"] = "text-align: right"
            for part in [*cell.strings]:
                part.replace_with(with_minus(part))
        room = self.width - _PAD * len(words)
        fitting = room / (self.letter * max(1, words.total()))
        if size is None and fitting < _SMALLEST:
            self._cut(table, words)
            return
        size = min(_LARGEST, max(fitting, _SMALLEST)) if size is None else size
        if not self.wraps and lines.total() * self.letter * size > room:
            self._share(table, words, lines, room / (self.letter * size))
        before, after = self.in_type(size)
        if (caption := table.caption) is not None:
            table["id"] = _of(caption, "id")
            if caption.span is not None and _has_class(caption.span, "number"):
                before += self.numbered_caption(caption.span)
            else:
                before += self.plain_caption
        for place, markup in ((table.insert_before, before), (table.insert_after, after)):
            around = Tag(name="p")
            around.append(self._mark(markup))
            place(around)

    @staticmethod
    def _share(table: Tag, words: Counter[int], lines: Counter[int], room: float) -> None:
        """Give columns the widths of their longest words, and more to those with long lines."""
        for known in table.find_all("colgroup"):
            known.decompose()
        more = {column: max(0, lines[column] - least) for column, least in words.items()}
        rest = (room - words.total()) / max(1, sum(more.values()))
        group = Tag(name="colgroup")
        for column in sorted(words):
            share = (words[column] + rest * more[column]) / room
            group.append(Tag(name="col", attrs={"style": f"width: {100 * share:.2f}%"}))
        if table.caption is not None:
            table.caption.insert_after(group)
        else:
            table.insert(0, group)

    def _cut(self, table: Tag, longest: Counter[int]) -> None:
        """Put a table that is too wide below each other in parts, each with the labels of rows."""
        parts: list[list[int]] = []
        room = 0.0
        for column in range(1, len(longest)):
            needed = longest[column] * self.letter * _SMALL + _PAD
            if needed > room:
                parts.append([0])
                room = self.width - longest[0] * self.letter * _SMALL - _PAD
            parts[-1].append(column)
            room -= needed
        for part in reversed(parts):
            piece = copy(table)
            for cell, columns in _cells(piece):
                if shown := len(set(part).intersection(columns)):
                    cell["colspan"] = str(shown)
                else:
                    cell.decompose()
            if part is not parts[0] and piece.caption is not None:
                piece.caption.decompose()
            table.insert_after(piece)
            self._table(piece, _SMALL)
        table.decompose()

    def _picture(self, uri: str, asked: Mapping[str, Any]) -> Picture | None:
        found = picture(uri, asked)
        if found is None:
            remote = uri.lower().startswith(("http:", "https:", "//"))
            what = "a picture from the network" if remote else "a picture that cannot be read"
            self.left_out[f"{what}: {uri[:80]}" if not uri.startswith("data:") else what] += 1
            return None
        self.pictures[found.name] = found
        return found

    def _anchor(self, identity: str) -> str:
        """Return an id, or an empty string if it has been used before."""
        identity = unquote(identity)  # as links to it are
        if not identity or identity in self._given:
            return ""
        self._given.add(identity)
        return identity


def pandoc(page: str, target: str) -> str:
    """Convert HTML; pandoc reads no file and no address."""
    import pypandoc

    line = [str(pypandoc.get_pandoc_path()), "--sandbox", "--wrap=none", "-f", "html", "-t", target]
    done = subprocess.run(line, input=page.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def shown_size(found: Picture, width: float, height: float) -> Size:
    """Return the size of a picture in points, reduced to the space that is available."""
    wide, high = found.width or width, found.height or width * 0.6
    most = min(height, _LANDSCAPE_HEIGHT) if wide > high else height
    scale = min(1.0, width / wide, most / high)
    return wide * scale, high * scale


def lines_of_caption(caption: str, width: float) -> int:
    """Estimate how many lines a caption takes."""
    return 1 + int(len(caption) * Writer.letter * _LARGEST // width)


def text_of(text: str) -> str:
    """Return text without what is no character of it."""
    return NOT_TEXT.sub("\N{REPLACEMENT CHARACTER}", text)


def _of(tag: Tag, name: str) -> str:
    """Return an attribute of an element; empty if there is none."""
    return str(tag.get(name) or "")


def _cells(table: Tag) -> list[tuple[Tag, range]]:
    """Return the cells of a table, each with its columns."""
    cells: list[tuple[Tag, range]] = []
    taken: set[tuple[int, int]] = set()
    for number, row in enumerate(table.find_all("tr")):
        column = 0
        for cell in row.find_all(["td", "th"], recursive=False):
            while (number, column) in taken:
                column += 1
            columns = range(column, column + _span(cell, "colspan"))
            rows = range(number, number + _span(cell, "rowspan"))
            taken.update(product(rows, columns))
            cells.append((cell, columns))
            column = columns.stop
    return cells


def _span(cell: Tag, name: str) -> int:
    found = re.match(r"\s*\d{1,3}", _of(cell, name))
    return min(max(1, int(found[0])), _WIDEST_SPAN) if found else 1


def _around(tag: Tag, names: Container[str]) -> Tag | None:
    """Return the nearest element around another one that has one of these names."""
    return next((parent for parent in tag.parents if parent.name in names), None)


def _has_class(tag: Tag, name: str) -> bool:
    return name in (tag.get("class") or ())


def _is_removed(tag: Tag) -> bool:
    """Whether an element is hidden, or cannot be printed."""
    is_hidden = tag.has_attr("hidden") or _HIDDEN.search(_of(tag, "style")) is not None
    return is_hidden or tag.name in {*_SILENT, *_UNPRINTABLE} or _has_class(tag, "anchor")


def _is_equation(tag: Tag) -> bool:
    """Whether a paragraph is nothing but a displayed formula."""
    only = tag.contents[0] if tag.name == "p" and len(tag.contents) == 1 else None
    return isinstance(only, Tag) and _has_class(only, "equation")


def _text_of_terminal(text: str) -> str:
    """Return what a terminal would show in the end, without its colours."""
    text = _ANSI.sub("", text.replace("\r\n", "\n"))
    while _OVERSTRIKE.search(text):
        text = _OVERSTRIKE.sub("", text)
    return _RETURN.sub("", text).replace("\r", "")


def _printed(text: str) -> str:
    return text_of(text.expandtabs(4).replace("\r\n", "\n")).strip("\n")
