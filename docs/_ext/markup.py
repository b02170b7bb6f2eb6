"""Plain text as Markdown, and its tables, headings, code and contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

# What Markdown would read as more than text
_MARKS = re.compile(r"([\\`*_\[\]<>$|{}~])")


def plain(text: object) -> str:
    """Return text for a place in Markdown where none of it is markup."""
    return _MARKS.sub(r"\\\1", " ".join(str(text).split()))


def capital(text: str) -> str:
    """Return text that begins with a capital."""
    return text[:1].upper() + text[1:]


def code(text: object) -> str:
    """Return text as code within a line, for a cell of a table, too."""
    words = " ".join(str(text).split()).replace("|", "\\|")
    marks = "``" if "`" in words else "`"
    return f"{marks}{words}{marks}" if words else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose cells are Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def heading(label: str, text: str, *, level: int = 2) -> str:
    """Return a heading in Markdown under a label, by which any page can refer to it."""
    return f"({label})=\n{'#' * level} {text}"


def contents(pages: Iterable[str], caption: str = "") -> str:
    """Return a table of contents for the menu, which a page does not show."""
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join([":::{toctree}", *options, "", *pages, ":::"])


def block(language: str, text: str) -> str:
    """Return code as a block."""
    return f"```{language}\n{text.strip()}\n```"


def replaced(source: str, name: str, make: Callable[[str], str]) -> str:
    """Return the source of a page with what is made of ``WHAT`` in each ``:::{name} WHAT :::``.

    The closing marks stand in the next line. What is made is Markdown of the page, so that its
    headings are headings of the page and its links are checked like all others.
    """
    place = re.compile(rf"^:::\{{{name}\}} (.+)\n:::$", re.MULTILINE)
    return place.sub(lambda found: make(found[1]), source)
