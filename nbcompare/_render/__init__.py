"""One table, every rendering: text, HTML, LaTeX, Typst, Markdown, each escaped for its target.

Standard library only. A result describes itself once, as parts made of plain text;
names of algorithms are untrusted and are escaped where the target is known, here.
"""

from nbcompare._render.numbers import (
    format_number,
    format_numbers,
    format_p,
    format_rounded,
    plural,
)
from nbcompare._render.parts import MOST_ROWS, Column, Note, Notes, Part, Prose, Table
from nbcompare._render.rich import Rich, parts_of

__all__ = [
    "MOST_ROWS",
    "Column",
    "Note",
    "Notes",
    "Part",
    "Prose",
    "Rich",
    "Table",
    "format_number",
    "format_numbers",
    "format_p",
    "format_rounded",
    "parts_of",
    "plural",
]
