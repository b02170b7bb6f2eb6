"""Plain text as Markdown, and tables and lists in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# What Markdown would read as more than text
_MARKS = re.compile(r"([\\`*_\[\]<>$|{}~])")


def plain(text: object) -> str:
    """Return text for a place in Markdown where none of it is markup."""
    return _MARKS.sub(r"\\\1", " ".join(str(text).split()))


def code(text: object) -> str:
    """Return text as code within a line, for a cell of a table, too."""
    words = " ".join(str(text).split()).replace("|", "\\|")
    marks = "``" if "`" in words else "`"
    return f"{marks}{words}{marks}" if words else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose cells are Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def block(language: str, text: str) -> str:
    """Return code as a block."""
    return f"```{language}\n{text.strip()}\n```"
