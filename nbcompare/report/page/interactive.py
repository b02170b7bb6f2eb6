"""Widgets and interactive figures: their last view or picture, or a box that says how to have one.

A page loads nothing. Altair, Plotly and others bring a program from the network, which would leave
an error in red or an empty place; widgets need a kernel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import NotebookNode, from_dict

from nbcompare._options import SNAPSHOT

__all__ = ["PICTURES", "show_picture", "show_widgets"]

_STATE = "application/vnd.jupyter.widget-state+json"
_VIEW = "application/vnd.jupyter.widget-view+json"
_RICHER = ("text/html", "text/markdown", "image/")

PICTURES = ("image/svg+xml", "image/png", "image/jpeg", "image/webp", "image/gif")
# Data for programs of the notebook's own; by a part of the type, how its library makes pictures
_DATA = re.compile(r"application/(?:vnd\.)?(vega|plotly|bokeh|holoviews|geo)", re.IGNORECASE)
_ADVICE = {
    "vega": 'install `vl-convert-python`, write `alt.renderers.enable("svg")` and run it again',
    "plotly": 'install `kaleido`, end the cell with `fig.show(renderer="svg")` and run it again',
}
_ELSE = "save it as an image in the notebook, and show the image"
_KNOWN = re.compile(r"\b(vega|plotly)", re.IGNORECASE)
_STYLE = re.compile(r"<style\b[^>]*>.*?</style>", re.DOTALL | re.IGNORECASE)
_SCRIPT = re.compile(r"<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
# Ways in which a script loads a program: by an address, or by the loader of the classic notebook
_LOADS = re.compile(
    r"<script\b[^>]*\bsrc\s*=\s*[\"']?(?:https?:)?//"
    r"|\b(?:import\s*\(?|from)\s*[\"']https?://"
    r"|\brequire(?:js)?(?:\.config)?\s*\(\s*[\[{]",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"[\"']https?://[^\"'\s]*(?:cdn|unpkg|jspm|esm\.sh)", re.IGNORECASE)
_INSIDE = "plotly.js v"  # the program itself, which names addresses that it rarely needs
# What can be seen without the script
_SHOWS = re.compile(
    r"<(?:td|th|img|svg|iframe|video|audio|input|button|p|li|h[1-6])\b", re.IGNORECASE
)
_HOLDER = re.compile(r"<(?:div|figure|canvas)\b", re.IGNORECASE)


def show_widgets(nb: NotebookNode) -> None:
    """Replace widgets by their last view, which builders add, or by the outputs that they caught.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The notebook, changed in place. Other widgets keep their text.
    """
    saved = nb.metadata.get("widgets")
    saved = saved.get(_STATE) if isinstance(saved, Mapping) else None
    state = saved.get("state") if isinstance(saved, Mapping) else None
    for cell in nb.cells:
        if "outputs" in cell:
            cell.outputs = _without_builders(cell.outputs)
            if isinstance(state, Mapping):
                cell.outputs = [each for output in cell.outputs for each in _caught(output, state)]


def _without_builders(outputs: list[Any]) -> list[Any]:
    """Leave out widgets that are followed by their last view, which builders add."""
    left = [SNAPSHOT in output.get("metadata", {}) for output in outputs]
    for output, is_left in zip(outputs, left, strict=True):
        if is_left:
            _for_a_page(output.get("data", {}))
    return [
        output
        for place, output in enumerate(outputs)
        if not (_VIEW in output.get("data", {}) and any(left[place + 1 : place + 2]))
    ]


def _for_a_page(data: dict[str, Any]) -> None:
    """Remove what hides the still view in a notebook while its widget is live."""
    if "image/svg+xml" in data:
        data.pop("text/html", None)
    elif "text/html" in data:
        data["text/html"] = _STYLE.sub("", data["text/html"])


def _caught(output: NotebookNode, state: Mapping[str, Any]) -> list[NotebookNode]:
    """Return the outputs that a widget shows, if its state was saved and it shows some."""
    data = output.get("data", {})
    view = data.get(_VIEW)
    if not isinstance(view, Mapping) or any(kind.startswith(_RICHER) for kind in data):
        return [output]
    return list(_outputs(str(view.get("model_id")), state, frozenset())) or [output]


def _outputs(model: str, state: Mapping[str, Any], above: frozenset[str]) -> Iterator[NotebookNode]:
    known = state.get(model)
    values = known.get("state") if isinstance(known, Mapping) else None
    if not isinstance(values, Mapping) or model in above:  # a box inside itself
        return
    for child in values.get("children") or ():
        yield from _outputs(str(child).removeprefix("IPY_MODEL_"), state, above | {model})
    for output in values.get("outputs") or ():
        yield from _caught(from_dict(output), state)


def show_picture(output: Any) -> bool:
    """Reduce an interactive figure that the page cannot run to its picture, or to a box.

    Parameters
    ----------
    output : nbformat.NotebookNode
        An output with data; changed in place. One that brings its whole program stays.

    Returns
    -------
    bool
        Whether anything is to be shown: not if it only loads what other figures need.
    """
    data = output.data
    markup, script = (str(data.get(kind, "")) for kind in ("text/html", "application/javascript"))
    program, static = markup + script, _SCRIPT.sub("", markup)
    has_data = any(_DATA.match(kind) and "load" not in kind for kind in data)
    has_markup = "<script" in markup.lower()
    loads = _LOADS.search(program) or (_INSIDE not in program and _ADDRESS.search(program))
    if _SHOWS.search(static) or ((has_markup or script) and not loads):
        return True
    if not has_data:
        if script or not has_markup:
            return True
        if not _HOLDER.search(static):
            return False
    # its text is the name of an object, which says nothing of the picture
    pictures = {kind: data[kind] for kind in PICTURES if kind in data}
    output.data = pictures or {"text/markdown": _box(data, program)}
    return True


def _box(data: Mapping[str, Any], program: str) -> str:
    """Say in Markdown what is missing and how to have it."""
    found = _KNOWN.search(" ".join(kind for kind in data if _DATA.match(kind)) or program)
    advice = _ADVICE[found[1].lower()] if found else _ELSE
    return (
        f"> **This figure is interactive, and this page shows pictures.** To see it here, {advice}."
    )
