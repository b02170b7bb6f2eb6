"""What stays in the cell when nothing moves the widgets: figure, text and code as they were."""

from __future__ import annotations

from typing import Any

from nbcompare._options import SNAPSHOT
from nbcompare._render import Note, Notes, Prose, html, latex, markdown, text, typst
from nbcompare.widgets import _html


def class_of(identity: str) -> str:
    """The class that the live widget hides."""
    return f"{SNAPSHOT}-{identity}"


def hiding(identity: str) -> str:
    """Style that hides the snapshot while the widget is there."""
    child = ".jp-OutputArea-child"
    mark = class_of(identity)
    return f".{mark}{{display:none}}{child}:has(.{mark}){{display:none}}"


def figure_bundle(
    identity: str, picture: str, bundle: dict[str, Any], alt: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The figure for notebooks (hidden while the widget lives) and for exports."""
    data = {
        "text/plain": alt,
        "text/html": _wrapped(identity, _lonely(identity) + _html.figure(picture, alt)),
        "image/svg+xml": picture,
        **{kind: bundle[kind] for kind in ("image/png",) if kind in bundle},
    }
    return data, _metadata(identity, alt)


def text_bundle(
    identity: str, title: str, result: Any, code: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the result says, and the code that gives it."""
    parts = result._parts()
    last = Prose((f"As {title} last stood; run the cell again to change it.",))
    content = [*parts, last]
    shown = f"{_html.rendered(parts)}<p><i>{html.escape(last.sentences[0])}</i></p>"
    data = {
        "text/plain": f"{text.render(parts)}\n\n{code}",
        "text/html": _wrapped(identity, shown + _html.code(code, buttons=False)),
        "text/markdown": f"{markdown.render(content)}\n\n```python\n{code}\n```",
        "text/latex": latex.render(content),
        "text/x-typst": typst.render(content),
    }
    return data, _metadata(identity)


def note_bundle(identity: str, sentences: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Why there is no result."""
    parts = [Notes(tuple(Note("message", sentence) for sentence in sentences))]
    data = {
        "text/plain": text.render(parts),
        "text/html": _wrapped(identity, html.render(parts)),
        "text/latex": latex.render(parts),
        "text/x-typst": typst.render(parts),
    }
    return data, _metadata(identity)


def _wrapped(identity: str, content: str) -> str:
    return f'<div class="nbcompare-snapshot {class_of(identity)}">{content}</div>'


def _lonely(identity: str) -> str:
    """Style that takes away what a notebook says in the place of a widget that is gone."""
    child = ".jp-OutputArea-child"
    mark = f".{class_of(identity)}"
    gone = f"{child}:has(+ {child} {mark}):not(:has(.nbcompare-builder)):not(:has({mark}))"
    return f"<style>{gone}{{display:none}}{_html.STYLE}</style>"


def _metadata(identity: str, alt: str = "") -> dict[str, Any]:
    alts = {kind: {"alt": alt} for kind in ("image/svg+xml", "image/png")} if alt else {}
    return {SNAPSHOT: identity, **alts}
