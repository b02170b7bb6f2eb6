"""Pieces of HTML on the screen of a builder, and the snapshot that stays in its cell."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from nbcompare._options import SNAPSHOT
from nbcompare._render import Note, Notes, Part, Prose, html, latex, markdown, text, typst
from nbcompare.report.page.templates import template_folder

_LONGEST_TEXT = 700  # letters of what stands open on the screen
LEAST_SHARE = 0.7  # of a figure's size: smaller, its text would not be read

_PICTURES = ("image/svg+xml", "image/png", "application/pdf")
_HERE = Path(__file__).parent
_FOR_READERS = re.compile(r"^\s*//.*\n|^\s*/\*(?:[^*]|\*(?!/))*\*/\n|^[ ]+", re.MULTILINE)


@cache
def assets(shared: tuple[str, ...], own: tuple[str, ...]) -> str:
    """Return scripts or styles: those that pages of reports share with builders, and others."""
    templates = template_folder() / "nbcompare"
    files = [*(templates / name for name in shared), *(_HERE / name for name in own)]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return _FOR_READERS.sub("", text)  # each first display sends all of it


def paragraphs(sentences: Sequence[str]) -> str:
    """Return sentences as paragraphs."""
    return "".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences)


def rendered(parts: Sequence[Part]) -> str:
    """Return parts of a result, in an element that Jupyter styles."""
    return f'<div class="jp-RenderedHTMLCommon">{html.render(parts)}</div>'


def told(found: Sequence[str], whole: Sequence[str]) -> str:
    """Return what was found; the whole text follows, folded up, if there is more of it."""
    shown = list(found)
    while len(shown) > 1 and len(" ".join(shown)) > _LONGEST_TEXT:
        shown.pop()
    text = rendered([Prose(tuple(shown))])
    if shown != list(whole):
        text += (
            "<details><summary>Full text, as for a paper</summary>"
            f"{rendered([Prose(tuple(whole))])}</details>"
        )
    return text


def width_of(picture: str) -> float:
    """Return the width in pixels of an SVG that matplotlib wrote."""
    width = re.search(r'<svg[^>]* width="([\d.]+)pt"', picture)
    return float(width[1]) / 0.75 if width else 0.0


def address(picture: str) -> str:
    """Return an SVG as the address of a picture."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}"


def figure(picture: str, alt: str) -> str:
    """Return an SVG with its text alternative; it scrolls, also by keys, if it is too wide.

    Where scripts run, its parts say what they are.
    """
    least = f"min-width:{LEAST_SHARE * width_of(picture):.0f}px"
    shown = f'<img src="{address(picture)}" alt="{html.escape(alt)}" style="{least}">'
    script = assets(("pointing.js",), ("still.js",))
    return f'<figure tabindex="0">{shown}</figure><script>{{{script}}}</script>'


# ------------------------------------------------------------------------------- the snapshot


def class_of(identity: str) -> str:
    """Return the class of elements that the live widget hides."""
    return f"{SNAPSHOT}-{identity}"


def hiding(identity: str) -> str:
    """Return style that hides the snapshot while the widget is there."""
    child = ".jp-OutputArea-child"
    mark = class_of(identity)
    return f".{mark}{{display:none}}{child}:has(.{mark}){{display:none}}"


def figure_bundle(
    identity: str, bundle: dict[str, Any], drawing: str, alt: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the figure for notebooks (hidden while the widget lives) and for exports.

    Both have the ``drawing`` if there is one: its text is text, so that it is short.
    """
    svg = drawing or bundle["image/svg+xml"]
    data: dict[str, Any] = {
        "text/plain": alt,
        "text/html": _wrapped(identity, _lonely(identity) + figure(svg, alt)),
        # LaTeX takes the PDF; nbconvert would else call Inkscape
        **{kind: bundle[kind] for kind in _PICTURES if kind in bundle},
        "image/svg+xml": svg,
    }
    return data, _metadata(identity, alt)


def text_bundle(
    identity: str, parts: Sequence[Part], code: str = "", title: str = "", *, alone: bool = False
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return parts, and the code and the title of the builder that showed them, in every format.

    ``alone``, without a figure, they hide what a notebook says of a widget that is gone.
    """
    content, shown, written = [*parts], rendered(parts), ""
    if title:
        last = Prose((f"This is the last state of {title}; run the cell again to change it.",))
        content.append(last)
        shown += f"<p><i>{html.escape(last.sentences[0])}</i></p>"
    if code:
        written = f"<pre><code>{html.escape(code)}</code></pre>"
    data = {
        "text/plain": f"{text.render(parts)}\n\n{code}".rstrip(),
        "text/html": _wrapped(identity, (_lonely(identity) if alone else "") + shown + written),
        "text/markdown": f"{markdown.render(content)}\n\n```python\n{code}\n```",
        "text/latex": latex.render(content),
        "text/x-typst": typst.render(content),
    }
    if not code:
        del data["text/markdown"]
    return data, _metadata(identity)


def note_bundle(identity: str, sentences: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return sentences in the place of a result."""
    return text_bundle(identity, [Notes(tuple(Note("message", each) for each in sentences))])


def _wrapped(identity: str, content: str) -> str:
    return f'<div class="nbcompare-snapshot {class_of(identity)}">{content}</div>'


def _lonely(identity: str) -> str:
    """Return style that hides what a notebook says in the place of a widget that is gone."""
    child = ".jp-OutputArea-child"
    mark = f".{class_of(identity)}"
    gone = f"{child}:has(+ {child} {mark}):not(:has(.nbcompare-builder)):not(:has({mark}))"
    style = assets(("pointing.css",), ("tips.css", "still.css"))
    return f"<style>{gone}{{display:none}}{style}</style>"


def _metadata(identity: str, alt: str = "") -> dict[str, Any]:
    alts = {kind: {"alt": alt} for kind in ("image/svg+xml", "image/png")} if alt else {}
    return {SNAPSHOT: identity, **alts}
