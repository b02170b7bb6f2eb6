"""HTML: semantic tables with scoped headers, hardly any style of their own."""

from __future__ import annotations

import html
from collections.abc import Sequence

from nbcompare._render.parts import Notes, Part, Prose, Table

# Only alignment is inline: it must survive notebooks and exports that strip style sheets.
_RIGHT = ' class="num" style="text-align:right"'
_LEFT = ' style="text-align:left"'


def escape(text: str) -> str:
    """Text that a browser shows as it stands; ``$`` does not start mathematics."""
    return html.escape(text).replace("$", "&#36;")


def render(parts: Sequence[Part]) -> str:
    """The parts as one ``<div class="nbcompare">``."""
    return f'<div class="nbcompare">{"".join(_render_part(part) for part in parts)}</div>'


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return f"<p>{escape(' '.join(part.sentences))}</p>"
    if isinstance(part, Notes):
        items = "".join(f"<li>{escape(note.text)}</li>" for note in part.notes)
        return f'<ul class="nbcompare-notes">{items}</ul>'
    return _table(part)


def _table(table: Table) -> str:
    header = "".join(
        f'<th scope="col"{_RIGHT if column.number else _LEFT}>{escape(column.header)}</th>'
        for column in table.columns
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row"{_LEFT}>{escape(cell)}</th>'
            if position == 0
            else f"<td{_RIGHT if table.columns[position].number else _LEFT}>{escape(cell)}</td>"
            for position, cell in enumerate(row)
        )
        + "</tr>"
        for row in table.rows
    )
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    foot = (
        f'<tfoot><tr><td colspan="{len(table.columns)}"{_LEFT}>'
        f"… {escape(table.remainder)}</td></tr></tfoot>"
        if table.remainder
        else ""
    )
    return (
        f'<table class="nbcompare">{caption}<thead><tr>{header}</tr></thead>'
        f"<tbody>{body}</tbody>{foot}</table>"
    )
