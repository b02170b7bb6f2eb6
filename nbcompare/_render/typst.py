"""Typst: text goes in as string literals, which Typst never reads as markup."""

from __future__ import annotations

from collections.abc import Sequence

from nbcompare._render.parts import Notes, Part, Prose, Table


def literal(text: str) -> str:
    r"""Text as a Typst string.

    Examples
    --------
    >>> print(literal('#let x = "1"; *_'))
    "#let x = \"1\"; *_"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def render(parts: Sequence[Part]) -> str:
    """The parts as Typst markup."""
    return "\n\n".join(_render_part(part) for part in parts) + "\n"


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return f"#{literal(' '.join(part.sentences))}"
    if isinstance(part, Notes):
        return "\n".join(f"- #{literal(note.text)}" for note in part.notes)
    return _table(part)


def _table(table: Table) -> str:
    align = ", ".join("right" if column.number else "left" for column in table.columns)
    header = ", ".join(literal(column.header) for column in table.columns)
    lines = [
        "table(",
        f"  columns: {len(table.columns)},",
        f"  align: ({align},),",
        f"  table.header({header}),",
        *("  " + ", ".join(map(literal, row)) + "," for row in table.rows),
    ]
    if table.remainder:
        lines.append(
            f"  table.cell(colspan: {len(table.columns)}, {literal('… ' + table.remainder)}),"
        )
    body = "\n".join(lines) + "\n)"
    if not table.caption:
        return f"#{body}"
    return f"#figure(caption: {literal(table.caption)}, kind: table, {body})"
