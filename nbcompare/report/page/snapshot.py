"""Show the last state of widgets on a page without live widgets.

Live widgets would need the bundle ``embed.js`` of ``@jupyter-widgets/html-manager``, which comes
from the network or npm and with no Python package. The page shows what the saved state contains:
texts, pictures, captured outputs, and the values of controls.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output

from nbcompare._options import SNAPSHOT

__all__ = ["STATE", "VIEW", "show_widgets", "widget_state"]

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
_RICHER = ("text/html", "text/markdown", "image/")
_PREFIX = "IPY_MODEL_"
_TEXTS = ("HTMLModel", "HTMLMathModel", "LabelModel")
# the style sheet of the live widget, whose elements the page does not have
_STYLE_SHEET = re.compile(r"<style\b[^>]*>.*?</style>", re.DOTALL | re.IGNORECASE)


def widget_state(nb: NotebookNode) -> dict[str, Any]:
    """Return the state of widgets that was saved in the notebook, by model; may be empty."""
    widgets = nb.metadata.get("widgets")
    saved = widgets.get(STATE) if isinstance(widgets, Mapping) else None
    models = saved.get("state") if isinstance(saved, Mapping) else None
    return dict(models) if isinstance(models, Mapping) else {}


def show_widgets(nb: NotebookNode, state: Mapping[str, Any]) -> None:
    """Replace widgets by what they showed last.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The notebook, changed in place. An output with a picture or a table beside its widget keeps
        that; a widget without a saved state keeps its text.
    state : mapping
        The state, from :func:`widget_state`.
    """
    for cell in nb.cells:
        if "outputs" in cell:
            cell.outputs = _without_builders(cell.outputs)
            if state:
                cell.outputs = [shown for output in cell.outputs for shown in _shown(output, state)]


def _without_builders(outputs: list[Any]) -> list[Any]:
    """Leave out widgets that are followed by their last view, which builders add."""
    left = [SNAPSHOT in output.get("metadata", {}) for output in outputs]
    for output, is_left in zip(outputs, left, strict=True):
        if is_left:
            _for_a_page(output.get("data", {}))
    return [
        output
        for place, output in enumerate(outputs)
        if not (VIEW in output.get("data", {}) and any(left[place + 1 : place + 2]))
    ]


def _for_a_page(data: dict[str, Any]) -> None:
    """Remove what hides the still view in a notebook while its widget is live."""
    if "image/svg+xml" in data:
        data.pop("text/html", None)
    elif "text/html" in data:
        data["text/html"] = _STYLE_SHEET.sub("", data["text/html"])


def _shown(output: NotebookNode, state: Mapping[str, Any]) -> list[NotebookNode]:
    data = output.get("data", {})
    view = data.get(VIEW)
    if not isinstance(view, Mapping) or any(kind.startswith(_RICHER) for kind in data):
        return [output]
    parts = list(_parts(str(view.get("model_id")), state, frozenset()))
    return _joined(parts) or [output]


def _parts(model: str, state: Mapping[str, Any], above: frozenset[str]) -> Iterator[Any]:
    """Yield what a widget and those inside it show: lines of text, and outputs."""
    known = state.get(model)
    if not isinstance(known, Mapping) or model in above:  # a box inside itself
        return
    name, values = str(known.get("model_name", "")), known.get("state") or {}
    for child in values.get("children") or ():
        yield from _parts(str(child).removeprefix(_PREFIX), state, above | {model})
    if name == "OutputModel":
        # a captured output may be another widget
        for output in values.get("outputs") or ():
            yield from _shown(from_dict(output), state)
    elif name in _TEXTS:
        value = str(values.get("value") or "")
        yield html.escape(value) if name == "LabelModel" else _STYLE_SHEET.sub("", value)
    elif name == "ImageModel":
        yield from _image(known, values)
    elif line := _control(values):
        yield line


def _image(known: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[NotebookNode]:
    for buffer in known.get("buffers") or ():
        if buffer.get("path") == ["value"] and buffer.get("encoding") == "base64":
            kind = f"image/{values.get('format') or 'png'}"
            yield new_output("display_data", data={kind: buffer.get("data", "")})


def _control(values: Mapping[str, Any]) -> str:
    """Return the value of a control as ``description: value``; empty if it has none."""
    value = values.get("value")
    options = values.get("_options_labels")
    if isinstance(options, list) and isinstance(values.get("index"), int):
        value = options[values["index"]] if values["index"] < len(options) else None
    description = str(values.get("description") or "").rstrip(": ")
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if value is None or isinstance(value, Mapping):
        return ""
    if isinstance(value, list):
        value = " to ".join(map(str, value))
    shown = html.escape(str(value))
    return f"{html.escape(description)}: {shown}" if description else shown


def _joined(parts: list[Any]) -> list[NotebookNode]:
    """Join successive lines into one output."""
    outputs: list[NotebookNode] = []
    lines: list[str] = []

    def finish() -> None:
        if lines:
            content = "".join(f"<p>{line}</p>" for line in lines)
            markup = f'<div class="widget-snapshot">{content}</div>'
            outputs.append(new_output("display_data", data={"text/html": markup}))
            lines.clear()

    for part in parts:
        if isinstance(part, str):
            lines.append(part)
        else:
            finish()
            outputs.append(part)
    finish()
    return outputs
