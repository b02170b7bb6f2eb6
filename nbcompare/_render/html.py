"""HTML: semantic tables with scoped headers, hardly any style of their own."""

from __future__ import annotations

import html
from collections.abc import Sequence

from nbcompare._display import USUAL, current
from nbcompare._render.parts import Notes, Part, Prose, Table

# Only alignment is inline: it must survive notebooks and exports that strip style sheets.
_RIGHT = ' class="num" style="text-align:right"'
_LEFT = ' style="text-align:left"'
_START = '<div class="nbcompare tex2jax_ignore mathjax_ignore"'


def escape(text: str) -> str:
    """Text that a browser shows as it stands; ``$`` starts no mathematics in the source."""
    return html.escape(text).replace("$", "&#36;")


def render(parts: Sequence[Part]) -> str:
    r"""The parts as one ``<div>``, in which MathJax looks for no formulas.

    MathJax reads the page, where ``&#36;`` is a ``$`` again: only the classes keep it off
    names such as ``$x$`` and ``\(x\)`` (its version 2 knows the one, 3 the other).
    Unusual digits are said, for the program that compares a report with its data.
    """
    inner = "".join(_render_part(part) for part in parts)
    digits = current().digits
    said = "" if digits == USUAL.digits else f' data-nbcompare-digits="{digits}"'
    return f"{_START}{said}>{inner}</div>"


def with_classes(markup: str) -> str:
    """What :func:`render` made, for a page with a style sheet: classes, and no inline style.

    HTML that others made stays as it is.
    """
    if not markup.startswith(_START):
        return markup
    return markup.replace(_RIGHT, ' class="num"').replace(_LEFT, ' class="text"')


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
