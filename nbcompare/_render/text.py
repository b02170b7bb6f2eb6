"""Plain-text rendering: aligned columns and wrapped prose."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from nbcompare._render.letters import isolated
from nbcompare._render.parts import Column, Notes, Part, Prose, Strong, Table

_WIDTH = 88


def render(parts: Sequence[Part]) -> str:
    """Return the parts as text for a terminal."""
    return isolated("\n\n".join(_render_part(part) for part in parts))


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return _wrapped(" ".join(part.sentences))
    if isinstance(part, Notes):
        return "\n".join(_wrapped(note.text, "Note: ") for note in part.notes)
    return _table(part)


def _wrapped(text: str, start: str = "") -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,  # names stay in one piece
    )


def _table(table: Table) -> str:
    header = tuple(column.header for column in table.columns)
    rows = [tuple(map(_cell, row, table.columns)) for row in table.rows]
    widths = [max(map(_width, cells)) for cells in zip(header, *rows, strict=True)]
    lines = [table.caption] if table.caption else []
    if lines and any(isinstance(cell, Strong) for row in table.rows for cell in row):
        lines[0] += "; an asterisk stands for bold"
    for row in (header, tuple("-" * width for width in widths), *rows):
        cells = [
            _pad(cell, width, right=column.number)
            for cell, width, column in zip(row, widths, table.columns, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    if table.remainder:
        lines.append(f"... {table.remainder}")
    return "\n".join(lines)


def _cell(text: str, column: Column) -> str:
    """Put an asterisk to a cell that stands out, where it leaves the column aligned."""
    if not isinstance(text, Strong):
        return text
    return f"*{text}" if column.number else f"{text}*"


def _pad(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space


def _width(cell: str) -> int:
    """Return the width in a terminal: two for wide East Asian characters, none for marks."""
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in cell
        if unicodedata.category(char) not in ("Mn", "Me", "Cf")
    )
