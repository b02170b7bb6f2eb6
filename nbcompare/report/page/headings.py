"""Headings, the contents made from them, and captions: their levels, numbers, ids and links.

All of this is done at export, so that a page without a script has the same contents.

A table with a caption is "Table 3" and a figure with one, or one to which Markdown refers, is
"Figure 2", in the order of the page. The id is
``tab-`` or ``fig-`` and a name: the ``label`` in the metadata of the cell, else the section of the
result (``comparison.section("hypotheses")`` is ``tab-hypotheses``), else the id of the cell. A
second table or figure with the same name gets ``-2`` at its end. In Markdown,
``[Table](#tab-hypotheses)`` becomes a link that reads "Table 3", and so does
``[](#tab-hypotheses)``; a link with other words keeps them. A ``caption`` in the metadata of an
output or its cell is the caption of a figure, or of a table without one.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from nbformat import NotebookNode

from nbcompare._validation import distinct
from nbcompare.results import Rows

if TYPE_CHECKING:
    from nbformat import NotebookNode


_HEADING_TAG = re.compile(r"(</?h)([1-5])(?=[\s>])", re.IGNORECASE)
_TITLE = re.compile(r"<h1\b[^>]*>(.*?)</h1>", re.DOTALL | re.IGNORECASE)
# a heading in a comment does not count
_HEADING = re.compile(
    r"<!--.*?-->|<h(?P<level>[2-6])\b(?P<attributes>[^>]*)>(?P<text>.*?)</h(?P=level)>",
    re.DOTALL | re.IGNORECASE,
)
_ID = re.compile(r"""\bid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_ID_IN_TAG = re.compile(r"""(<[^>]*?)\s+id\s*=\s*(?:"[^"]*"|'[^']*')""", re.IGNORECASE)
_NOT_IN_LINKS = re.compile(r"</?(?:a|img)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_DEEPEST = 3  # the deepest level that is listed
_FEWEST = 2  # headings that make a table of contents worthwhile


class Heading(NamedTuple):
    """A heading of the page; its text is HTML that is allowed inside a link."""

    level: int
    identity: str
    text: str


def plain(markup: str) -> str:
    """Return the text of HTML on one line.

    Examples
    --------
    >>> plain("<em>a</em> &lt; b")
    'a < b'
    """
    return " ".join(html.unescape(_TAG.sub("", markup)).split())


def rendered_markdown(nb: NotebookNode) -> Iterator[tuple[NotebookNode, str]]:
    """Yield the places of rendered Markdown, as pairs of a mapping and a key."""
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            yield cell, "source"
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}):
                yield output.data, "text/markdown"


def first_title(nb: NotebookNode) -> str | None:
    """Return the HTML of the first heading of level 1, wherever it is."""
    for place, key in rendered_markdown(nb):
        if match := _TITLE.search(place[key]):
            return match[1]
    return None


def demote(nb: NotebookNode, *, titled: bool) -> None:
    """Turn further titles into headings, and lower the headings below them: a page has one title.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The notebook, with rendered Markdown; changed in place.
    titled : bool
        Whether the title has already been taken out of it.
    """
    shift = 0

    def move(tag: re.Match[str]) -> str:
        nonlocal shift, titled
        level = int(tag[2])
        if level == 1 and not tag[1].startswith("</"):
            shift, titled = int(titled), True
        return f"{tag[1]}{level + shift}"

    for place, key in rendered_markdown(nb):
        place[key] = _HEADING_TAG.sub(move, place[key])


def settle(nb: NotebookNode) -> list[Heading]:
    """Give every heading a unique id and a link to itself.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The notebook, with rendered Markdown; changed in place. Ids from Markdown are kept, so that
        links of the notebook still work.

    Returns
    -------
    list of Heading
        The headings in the order of the page.
    """
    headings: list[Heading] = []
    used: set[str] = set()

    def settled(match: re.Match[str]) -> str:
        if match["level"] is None:
            return match[0]
        text, attributes = match["text"], match["attributes"]
        words = plain(text)
        if not words:
            return match[0]
        own = _ID.search(attributes)
        wanted = html.unescape(next(filter(None, own.groups()), "")) if own else ""
        identity = distinct(wanted or quote(words.replace(" ", "-")), used, "-")
        used.add(identity)
        level = int(match["level"])
        headings.append(Heading(level, identity, _without_links(text)))
        # the link is beside the heading, so that a screen reader reads only its words
        rest = _ID.sub("", attributes).rstrip()
        name = html.escape(identity)
        return (
            f'<div class="heading"><h{level} id="{name}"{rest}>{text}</h{level}>'
            f'<a class="anchor" href="#{name}" aria-label="Link to: {html.escape(words)}">'
            '<span aria-hidden="true">#</span></a></div>'
        )

    for place, key in rendered_markdown(nb):
        place[key] = _HEADING.sub(settled, place[key])
    return headings


def contents(headings: Sequence[Heading]) -> str:
    """Write the headings of the two upper levels as nested lists of links.

    Parameters
    ----------
    headings : sequence of Heading
        The headings in the order of the page.

    Returns
    -------
    str
        HTML; empty if there are fewer than two headings.

    Examples
    --------
    >>> print(contents([Heading(2, "a", "A"), Heading(3, "b", "B"), Heading(2, "c", "C")]))
    <ol>
    <li><a href="#a">A</a>
    <ol>
    <li><a href="#b">B</a></li>
    </ol></li>
    <li><a href="#c">C</a></li>
    </ol>
    """
    listed = [heading for heading in headings if heading.level <= _DEEPEST]
    if len(listed) < _FEWEST:
        return ""
    items: list[str] = []
    for is_deep, run in groupby(listed, key=lambda heading: heading.level == _DEEPEST):
        links = [f'<a href="#{html.escape(one.identity)}">{one.text}</a>' for one in run]
        if is_deep and items:
            items[-1] += f"\n{_list(links)}"
        else:
            items += links
    return _list(items)


def _list(items: Sequence[str]) -> str:
    return "\n".join(["<ol>", *(f"<li>{item}</li>" for item in items), "</ol>"])


def _without_links(markup: str) -> str:
    return _ID_IN_TAG.sub(r"\1", _NOT_IN_LINKS.sub("", markup)).strip()


_TABLE = re.compile(
    r"(?P<table><table\b[^>]*)>(?P<between>\s*)(?P<caption><caption\b[^>]*>)?", re.IGNORECASE
)
_TABLE_ENVIRONMENT = re.compile(r"\\begin\{(table\*?|longtable)\}.*?\\end\{\1\}", re.DOTALL)
_TABULAR = re.compile(r"\\begin\{(?:tabular|array)")
_REFERENCE = re.compile(
    r'<a href="#(?P<id>(?:tab|fig)-[^"]*)"(?P<rest>[^>]*)>(?P<text>.*?)</a>', re.DOTALL
)
_WORDS = re.compile(r"(?:tables?|tab\.|figures?|figs?\.?)", re.IGNORECASE)
# after brackets a name may follow, which may begin in lower case
_SENTENCE_END = re.compile(
    r"(?<=\)\.)\s+|(?<=[.!?])(?<!\bvs\.)(?<!\bal\.)(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z])"
)
_LISTING = re.compile(r":\s(?![^(]*\))")  # not in brackets
_LONGEST_CAPTION = 120
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_HEADERS = re.compile(r"<(?P<part>thead|tbody)\b[^>]*>.*?</(?P=part)>", re.DOTALL | re.IGNORECASE)
_HEADER_CELL = re.compile(r"<th\b(?![^>]*\bscope\s*=)", re.IGNORECASE)
_SCOPES = {"thead": "col", "tbody": "row"}


class Labels:
    """The numbers of tables and figures, in the order of the page.

    Parameters
    ----------
    tables : bool
        Whether to number tables; not if the markup of the numbers would be removed.
    """

    def __init__(self, *, tables: bool = True) -> None:
        self._tables = tables
        self._numbers = {"Table": 0, "Figure": 0}
        self._labels: dict[str, str] = {}
        self._asked: set[str] = set()  # ids to which Markdown refers

    def label(self, nb: NotebookNode) -> list[str]:
        """Label the outputs of a notebook, and resolve references to them.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            Prepared: each output has the one representation that is shown. Changed in place.

        Returns
        -------
        list of str
            Ids to which Markdown refers and which do not exist.
        """
        for place, key in rendered_markdown(nb):
            self._asked |= {html.unescape(one["id"]) for one in _REFERENCE.finditer(place[key])}
        for cell in nb.cells:
            unused = _caption(
                cell.metadata
            )  # the caption of the cell, for its first figure or bare table
            for output in cell.get("outputs", []):
                if not self._label(output, cell, _caption(output.get("metadata", {})) or unused):
                    continue
                unused = ""
        return self._refer(nb)

    def _label(self, output: NotebookNode, cell: NotebookNode, caption: str) -> bool:
        """Label what an output shows, and return whether the caption was used."""
        data = output.get("data", {})
        markup = data.get("text/html")
        if any(kind.startswith("image/") for kind in data):
            known = output.metadata.nbcompare
            caption = caption or _first_sentence(output.metadata.get("alt", ""))
            known["caption"] = f"{caption} {_note(output)}".strip()
            known["id"], known["label"] = self._next(
                "Figure", _names(cell, output), always=bool(known["caption"])
            )
            return True
        if not self._tables or markup is None or not _may_be_labelled(markup, output):
            return False
        used = numbered = False
        names = _names(cell, output)

        def labelled(match: re.Match[str]) -> str:
            nonlocal used, numbered, names
            table, start = match["table"], match["caption"]
            end = ""
            if not start:
                if used or not caption:
                    return f"{table}>{match['between']}"
                used, start, end = True, "<caption>", f"{html.escape(caption)}</caption>"
            identity, label = self._next("Table", names)
            names = names[:1] if numbered else [identity.removeprefix("tab-")]
            numbered = True  # further tables of the output get the name of the first
            start = f'<caption id="{html.escape(identity)}"{start[len("<caption") :]}'
            return f'{table}>{match["between"]}{start}<span class="number">{label}.</span> {end}'

        own = output.metadata.nbcompare
        markup = described(markup, own.get("latex"), own.get("left_out") or ())
        data["text/html"] = _TABLE.sub(labelled, markup)
        return used

    def _next(self, kind: str, names: list[str], *, always: bool = True) -> tuple[str, str]:
        """Give one more table or figure the first name that is free, and a number.

        It has no number if it need not have one and no reference asks for it.
        """
        prefix = "tab" if kind == "Table" else "fig"
        names = [f"{prefix}-{name}" for name in names or [str(self._numbers[kind] + 1)]]
        more = (f"{names[0]}-{number}" for number in count(2))
        identity = next(name for name in chain(names, more) if name not in self._labels)
        label = ""
        if always or identity in self._asked:
            self._numbers[kind] += 1
            label = f"{kind} {self._numbers[kind]}"
        self._labels[identity] = label
        return identity, label

    def _refer(self, nb: NotebookNode) -> list[str]:
        missing: list[str] = []

        def referring(match: re.Match[str]) -> str:
            label = self._labels.get(html.unescape(match["id"]))
            text = match["text"].strip()
            if label is None:
                missing.append(html.unescape(match["id"]))
                return match[0]
            if text and not _WORDS.fullmatch(text):
                return match[0]
            kind, number = label.split()
            text = f"{text or kind}\N{NO-BREAK SPACE}{number}"
            return f'<a href="#{match["id"]}"{match["rest"]}>{text}</a>'

        for place, key in rendered_markdown(nb):
            place[key] = _REFERENCE.sub(referring, place[key])
        return missing


def described(markup: str, latex: str | None, left_out: Sequence[Rows] = ()) -> str:
    """Add to tables the scopes of their headers, and what a copy of them needs.

    That is the LaTeX of each table, if it is known, and the rows that it leaves out.
    """
    sources = iter(_latex_tables(latex, _TABLE.findall(markup)))
    rests = iter(left_out)

    def with_source(match: re.Match[str]) -> str:
        start, source, rest = match["table"], next(sources, ""), next(rests, ())
        if source:
            start += f' data-latex="{html.escape(source)}"'
        if rest:  # in single quotes, as JSON is full of double ones
            rows = json.dumps(rest, ensure_ascii=False, separators=(",", ":"))
            escaped = html.escape(rows, quote=False).replace("'", "&#x27;")
            start += f" data-left-out='{escaped}'"
        return start + match[0][len(match["table"]) :]

    return _TABLE.sub(with_source, _with_scopes(markup))


def _caption(metadata: Mapping[str, Any]) -> str:
    caption = metadata.get("caption")
    return " ".join(caption.split()) if isinstance(caption, str) else ""


def _note(output: NotebookNode) -> str:
    """Return what a figure says of itself, such as that letters could not be drawn."""
    abouts = (output.metadata.get(kind) for kind in output.data)
    notes = [about.get("note") for about in abouts if isinstance(about, Mapping)]
    return " ".join(" ".join(note.split()) for note in notes if isinstance(note, str))


def _may_be_labelled(markup: str, output: NotebookNode) -> bool:
    """Whether an output is a table of the page, and not one that a script works on."""
    lower = markup.lower()
    isolated = output.metadata.get("text/html", {}).get("isolated")
    return "<table" in lower and "<script" not in lower and not isolated


def _names(cell: NotebookNode, output: NotebookNode) -> list[str]:
    """Return the names that a table or figure may have, the best first."""
    label = cell.metadata.get("label")
    label = re.sub(r"\A(?:tab|tbl|fig)-", "", label) if isinstance(label, str) else ""
    section = output.metadata.nbcompare.get("section") or ""
    identity = str(cell.get("id", "")).removesuffix("-code")
    names = (_NOT_IN_NAMES.sub("-", name).strip("-") for name in (label, section, identity))
    return [name for name in names if name]


def _first_sentence(alt: str) -> str:
    """Return the sentence that says what a picture is; empty if there is none."""
    lines = alt.strip().splitlines()
    sentence = _SENTENCE_END.split(lines[0])[0] if lines else ""
    if len(sentence) > _LONGEST_CAPTION:  # the sentence continues with a list of what can be seen
        listing = _LISTING.search(sentence)
        sentence = f"{sentence[: listing.start()]}." if listing else sentence
    return "" if sentence == "Figure" else sentence


def _latex_tables(latex: str | None, tables: list[Any]) -> list[str]:
    """Return the LaTeX of each table, if they can be matched."""
    if not latex:
        return []
    environments = [match[0] for match in _TABLE_ENVIRONMENT.finditer(latex)]
    if len(environments) == len(tables):
        return environments
    alone = len(tables) == 1 and not environments and len(_TABULAR.findall(latex)) == 1
    return [latex.strip()] if alone else []


def _with_scopes(markup: str) -> str:
    """Add the scopes of header cells to tables without them, such as those of pandas."""

    def scoped(part: re.Match[str]) -> str:
        return _HEADER_CELL.sub(f'<th scope="{_SCOPES[part["part"].lower()]}"', part[0])

    return _HEADERS.sub(scoped, markup)
