"""HTML rendering: semantic tables with scoped headers and almost no inline style."""

from __future__ import annotations

import html
from collections.abc import Sequence

from nbcompare._display import USUAL, current
from nbcompare._render.letters import BDI, isolated
from nbcompare._render.parts import Notes, Part, Prose, Strong, Table

# Alignment alone is inline, as it must survive notebooks and exports that strip style sheets.
_RIGHT = ' class="num" style="text-align:right"'
_LEFT = ' style="text-align:left"'
_START = '<div class="nbcompare tex2jax_ignore mathjax_ignore"'


def escape(text: str) -> str:
    """Escape text so that a browser shows it literally and ``$`` starts no mathematics."""
    return html.escape(text).replace("$", "&#36;")


def _escape_names(text: str) -> str:
    """Escape text in which Arabic and Hebrew names are isolated from what is beside them."""
    return isolated(text, escape, BDI)


def render(parts: Sequence[Part]) -> str:
    r"""Return the parts as one ``<div>``, in which MathJax looks for no formulas.

    MathJax reads the parsed page, where ``&#36;`` is a ``$`` again, so only the classes keep it
    away from names such as ``$x$`` and ``\(x\)`` (version 2 knows the one class, version 3 the
    other). A number of digits other than the default is stated in an attribute, which the
    program that compares a report with its data reads.
    """
    inner = "".join(_render_part(part) for part in parts)
    digits = current().digits
    said = "" if digits == USUAL.digits else f' data-nbcompare-digits="{digits}"'
    return f"{_START}{said}>{inner}</div>"


def with_classes(markup: str) -> str:
    """Return what :func:`render` made with classes in place of its inline style.

    This is for a page with a style sheet. Any other HTML is returned unchanged.
    """
    if not markup.startswith(_START):
        return markup
    return markup.replace(_RIGHT, ' class="num"').replace(_LEFT, ' class="text"')


def _render_part(part: Part) -> str:
    if isinstance(part, Prose):
        return f"<p>{_escape_names(' '.join(part.sentences))}</p>"
    if isinstance(part, Notes):
        items = "".join(f"<li>{_escape_names(note.text)}</li>" for note in part.notes)
        return f'<ul class="nbcompare-notes">{items}</ul>'
    return _table(part)


def _table(table: Table) -> str:
    header = "".join(
        f'<th scope="col"{_RIGHT if column.number else _LEFT}>{_escape_names(column.header)}</th>'
        for column in table.columns
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row"{_LEFT}>{_cell(cell)}</th>'
            if position == 0
            else f"<td{_RIGHT if table.columns[position].number else _LEFT}>{_cell(cell)}</td>"
            for position, cell in enumerate(row)
        )
        + "</tr>"
        for row in table.rows
    )
    caption = f"<caption>{_escape_names(table.caption)}</caption>" if table.caption else ""
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


def _cell(text: str) -> str:
    return (
        f"<strong>{_escape_names(text)}</strong>"
        if isinstance(text, Strong)
        else _escape_names(text)
    )
