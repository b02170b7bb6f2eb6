"""Typst rendering: text becomes string literals, which Typst never reads as markup.

A table is self-contained: it needs no preamble, and its settings apply to it alone. Typst
omits letters that the font lacks; when PDF/UA is requested, it reports an error instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from nbcompare._render.numbers import with_minus
from nbcompare._render.parts import Column, Notes, Part, Prose, Strong, Table

# In a table, words longer than this may be broken after every `_PIECE` letters.
_LONGEST_WORD = 24
_PIECE = 12
# About this many letters fit on a line; wider tables are set smaller, then split.
_MOST_CHARACTERS = 84
_LEAST_SIZE = 0.6
_WRAPPED = 18
_LITERATURE = """#set text(size: 0.84em)
#set par(hanging-indent: 1.5em, leading: 0.5em, spacing: 0.55em)"""
_WHOLE = 16  # rows of a table that stays on one page
_GAP = 2


def literal(text: str) -> str:
    r"""Return text as a Typst string literal.

    Examples
    --------
    >>> print(literal('#let x = "1"; *_'))
    "#let x = \"1\"; *_"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def render(parts: Sequence[Part]) -> str:
    """Return the parts as Typst markup."""
    return "\n\n".join(_render_part(part) for part in parts) + "\n"


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return f"#{literal(with_minus(' '.join(part.sentences)))}"
    if isinstance(part, Notes):
        if part.is_literature:
            items = "\n\n".join(f"#{literal(note.text)}" for note in part.notes)
            return f"#[\n{_LITERATURE}\n{items}\n]"
        return "\n".join(f"- #{literal(with_minus(note.text))}" for note in part.notes)
    most = int(_MOST_CHARACTERS / _LEAST_SIZE)
    return "\n\n".join(map(_table, part.pieces(_widths(part), most)))


def _table(table: Table) -> str:
    """Return a table with booktabs-like rules, a repeated header and breaks between rows."""
    align = ", ".join("right" if column.number else "left" for column in table.columns)
    header = ", ".join(_content(column.short or column.header) for column in table.columns)
    lines = [
        "table(",
        f"  columns: {len(table.columns)},",
        f"  align: ({align},),",
        "  stroke: none,",
        "  inset: (x: 0.5em, y: 0.35em),",
        "  table.hline(stroke: 0.08em),",
        f"  table.header(repeat: true, {header}, table.hline(stroke: 0.05em)),",
        *("  " + ", ".join(map(_cell, row, table.columns)) + "," for row in table.rows),
    ]
    if table.remainder:
        lines.append(
            f"  table.cell(colspan: {len(table.columns)}, {literal('… ' + table.remainder)}),"
        )
    body = "\n".join([*lines, "  table.hline(stroke: 0.08em),", ")"])
    return "\n".join(["#[", *_rules(table), f"#{_captioned(table, body)}", "]"])


def _rules(table: Table) -> list[str]:
    """Return the settings that apply to this table only."""
    rules = [
        "#set par(justify: false)",
        f"#show figure: set block(breakable: {str(len(table.rows) > _WHOLE).lower()})",
        "#show figure: set figure.caption(position: top)",
        "#set table.cell(breakable: false)",
    ]
    size = _size(table)
    return [*rules, f"#show table: set text(size: {size:.2f}em)"] if size < 1 else rules


def _captioned(table: Table, body: str) -> str:
    if not table.caption:
        return body
    label = f" #label({literal(table.label)})" if table.label else ""
    return f"figure(caption: {literal(table.caption)}, kind: table, {body}){label}"


def _widths(table: Table) -> list[int]:
    return [_GAP + width for width in table.widths(_WRAPPED, _WRAPPED, headers_wrap=True)]


def _size(table: Table) -> float:
    """Return the font size, smaller than 1 if the columns would not fit on a line."""
    share = math.floor(100 * _MOST_CHARACTERS / sum(_widths(table))) / 100
    return max(_LEAST_SIZE, min(1.0, share))


def _cell(text: str, column: Column) -> str:
    content = _content(with_minus(text) if column.number else text)
    return f"strong({content})" if isinstance(text, Strong) else content


def _content(text: str) -> str:
    """Return text as a string; long words get invisible places where a line may break."""
    if max(map(len, text.split(" "))) <= _LONGEST_WORD:
        return literal(text)
    pieces: list[str] = []
    for word in text.split(" "):
        if len(word) <= _LONGEST_WORD:
            pieces.append(literal(word))
        else:
            cut = [word[i : i + _PIECE] for i in range(0, len(word), _PIECE)]
            pieces.append(" + h(0.01pt) + ".join(map(literal, cut)))
    return ' + " " + '.join(pieces)
