"""Headings: their levels, ids and anchors, and the table of contents made from them.

All of this is done at export, so that a page without a script has the same contents.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = [
    "Heading",
    "contents",
    "demote",
    "first_title",
    "plain",
    "rendered_markdown",
    "settle",
]

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
        identity = _free(wanted or quote(words.replace(" ", "-")), used)
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


def _free(wanted: str, used: set[str]) -> str:
    name, number = wanted, 1
    while name in used:
        number += 1
        name = f"{wanted}-{number}"
    used.add(name)
    return name
