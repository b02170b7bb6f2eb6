"""Markdown rendering: pipe tables, with all punctuation in names escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nbcompare._render.parts import Notes, Part, Prose, Strong, Table

# Written as entities, these characters are seen neither by programs that look for formulas
# before Markdown is parsed (Jupyter, nbconvert) nor by those that split a row into cells.
_ENTITIES = str.maketrans(
    {mark: f"&#{ord(mark)};" for mark in "\\$|`"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
)
_SPECIAL = re.compile(r"([*_{}\[\]!~^@:]|(?<![&])#)")
# Lists, headings and rules at the start of a paragraph; `_SMART`: "smart" dashes and ellipses.
_LINE_START = re.compile(r"^(\s*\d*)([-+.)=%])")
_WIDEST = 40  # dashes under a header
_SMART = re.compile(r"(?<=[-.])([-.])|(['\"])")


def escape(text: str) -> str:
    r"""Escape text so that Markdown shows it literally in any position.

    Examples
    --------
    >>> print(escape("#let x = 1; *_ <b>"))
    \#let x = 1; \*\_ &lt;b&gt;
    """
    return _LINE_START.sub(r"\1\\\2", _inline(text))


def _inline(text: str) -> str:
    """Escape text that follows other text on its line, as in a cell."""
    return _SMART.sub(r"\\\1\2", _SPECIAL.sub(r"\\\1", text.translate(_ENTITIES)))


def render(parts: Sequence[Part]) -> str:
    """Return the parts as Markdown with pipe tables."""
    return "\n\n".join(_render_part(part) for part in parts) + "\n"


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return escape(" ".join(part.sentences))
    if isinstance(part, Notes):
        return "\n".join(f"- {escape(note.text)}" for note in part.notes)
    return _table(part)


def _table(table: Table) -> str:
    rules = [_rule(table, index) for index in range(len(table.columns))]
    rows = [[column.header for column in table.columns], *table.rows]
    lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join(rules) + " |")
    if table.remainder:
        lines += ["", escape(f"… {table.remainder}")]
    if table.caption:
        lines = [escape(table.caption), "", *lines]
    return "\n".join(lines)


def _cell(text: str) -> str:
    # bold text neither begins nor ends with a space, and is not empty
    bold = isinstance(text, Strong) and text and text == text.strip()
    return f"**{_inline(text)}**" if bold else _inline(text)


def _rule(table: Table, index: int) -> str:
    """Return as many dashes as the column is wide; pandoc and Quarto wrap long lines by them."""
    texts = [table.columns[index].header, *(row[index] for row in table.rows)]
    dashes = "-" * min(max(3, *map(len, texts)), _WIDEST)
    return f"{dashes}:" if table.columns[index].number else f":{dashes}"
