"""Prepare outputs for a page: images, wide tables, and a view of what needs a script.

A page loads nothing. Altair, Plotly and others bring a program from the network, which would leave
an error in red or an empty place; widgets need a kernel.
"""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nbformat import NotebookNode

from nbcompare._options import SNAPSHOT
from nbcompare._render.rich import lightened
from nbcompare.report.page.headings import plain

# A warning of Python: "path:line: XWarning: message", and the line of code that led to it
_WARNING = re.compile(
    r"^(?:<[^<>\n]+>|[^\s:][^\n:]*|[A-Za-z]:[\\/][^\n:]*):\d+: (?:\w+\.)*\w*Warning:[^\n]*(?:\n|\Z)"
    r"(?:(?:(?!\ \ \S)(?![^\n]*Warning:)[^\n]*\n){0,12}\ \ (?=\S)[^\n]*(?:\n|\Z))?",
    re.MULTILINE,
)
_LARGEST_FILE = 50_000_000  # bytes; a page is read into memory several times

_LARGEST_PDF = 300_000  # characters; those of our figures have about 30,000
_BASE64 = re.compile(r"[A-Za-z0-9+/]+=*")

_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LANDSCAPE = 16  # tables with more columns are printed on a landscape page of their own
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
# HTML with its own colours or drawings expects the white page of a notebook
_OWN_COLOURS = re.compile(
    r"(?:background|color)\s*:|bgcolor=|<(?:script|svg|canvas|iframe|object|embed)\b", re.IGNORECASE
)
# On the screen, the text is 784 pixels wide, a letter about 8 and the padding of a cell 24 pixels,
# as in the style sheet; a table that needs more is set in small type.
_PIXELS, _LETTER, _SPACE = 784, 8, 24
_MOST_LETTERS = 24  # of a cell on a line; longer text takes several
_ROW, _CELL = re.compile(r"<tr\b", re.IGNORECASE), re.compile(r"<t[hd]\b", re.IGNORECASE)
_LONG_WORD = re.compile(r"\S{25}")  # others stay on one line


def svg_uri(svg: str) -> str:
    """Encode an SVG drawing as a ``data:`` URI.

    Parameters
    ----------
    svg : str
        The drawing's markup.

    Returns
    -------
    str
        The URI. The ids of a drawing in an image are its own: two figures on a page cannot refer to
        each other's clip paths. A figure from a dark notebook is light again.
    """
    svg = lightened(svg)
    svg = _XML_DECLARATION.sub("", svg)  # it may name an encoding other than the one written here
    if "xmlns=" not in svg:  # HTML needs no namespace, an image does
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def pdf_of_figure(data: Mapping[str, Any]) -> str:
    """Return the PDF of a figure, in base64, which a page keeps for readers who save the figure.

    Parameters
    ----------
    data : mapping
        The representations of an output.

    Returns
    -------
    str
        Empty if the output is no drawing, or has no PDF or a large one.
    """
    pdf = "".join(str(data.get("application/pdf") or "").split())
    is_fine = "image/svg+xml" in data and len(pdf) <= _LARGEST_PDF and _BASE64.fullmatch(pdf)
    return pdf if is_fine else ""


def without_warnings(text: str) -> str:
    r"""Leave the warnings of Python, which name paths of a machine, out of what a cell printed.

    Examples
    --------
    >>> without_warnings("start\n/tmp/a.py:3: UserWarning: old\n  warn('old')\nend\n")
    'start\nend\n'
    """
    return _WARNING.sub("", text)


def file_uri(url: str, folder: str | None) -> str | None:
    """Encode an image in the folder of a notebook as a ``data:`` URI.

    Parameters
    ----------
    url : str
        The URL in the notebook.
    folder : str, optional
        The folder of the notebook; without it nothing is read.

    Returns
    -------
    str or None
        The URI. None for a file that is not an image, is too large, cannot be read, or is outside
        the folder: a notebook from elsewhere must not copy such files into the page.
    """
    if folder is None:
        return None
    try:
        root = Path(folder).resolve()
        file = (root / unquote(url)).resolve()
        mime_type, encoding = mimetypes.guess_type(file.name)
        wanted = (mime_type or "").startswith("image/") and encoding is None
        if not (wanted and file.is_relative_to(root) and file.is_file()):
            return None
        if file.stat().st_size > _LARGEST_FILE:
            return None
        content = file.read_bytes()
    except (OSError, ValueError, RuntimeError):  # no permission, an invalid name, a loop of links
        return None
    return f"data:{mime_type};base64,{base64.b64encode(content).decode()}"


def alternative_text(output: Mapping[str, Any], mime_type: str) -> str:
    """Describe what an image output shows.

    Parameters
    ----------
    output : mapping
        A ``display_data`` or ``execute_result`` output.
    mime_type : str
        The image's type.

    Returns
    -------
    str
        The ``alt`` of the output's metadata, else its plain text, else "Figure". Not escaped.

    Examples
    --------
    >>> alternative_text({"data": {"text/plain": "<Figure size 640x480>"}}, "image/png")
    'Figure'
    """
    metadata = output.get("metadata") or {}
    own = metadata.get(mime_type)
    for candidate in (own.get("alt") if isinstance(own, Mapping) else None, metadata.get("alt")):
        if isinstance(candidate, str) and candidate.strip():
            return candidate.strip()
    text = str(output.get("data", {}).get("text/plain", "")).strip()
    return "Figure" if not text or text.startswith("<") else text


def layout(markup: str) -> dict[str, Any]:
    """Determine how an HTML output is set.

    Parameters
    ----------
    markup : str
        HTML.

    Returns
    -------
    dict
        ``css_class`` has the classes of its container: ``wide`` for small type, ``landscape`` for
        a landscape page in print, ``long-words`` and ``long-headers`` if words must be broken to
        fit, and ``card`` for HTML with its own colours. ``columns`` is the number of columns.

    Examples
    --------
    >>> row = "<tr><td>iris</td>" + 40 * "<td>0.4512</td>" + "</tr>"
    >>> layout(f"<table>{row}</table>")
    {'css_class': 'wide landscape', 'columns': 41}
    """
    names: dict[str, None] = {}
    most = 0
    for table in _TABLE.findall(markup):
        rows = [[f"<td{cell}" for cell in _CELL.split(row)[1:]] for row in _ROW.split(table)]
        lengths = ([min(len(plain(cell)), _MOST_LETTERS) for cell in row] for row in rows)
        widths = [max(column) for column in zip_longest(*lengths, fillvalue=0)]
        columns = len(widths)
        most = max(most, columns)
        if sum(widths) * _LETTER + columns * _SPACE > _PIXELS or columns > _LANDSCAPE:
            names["wide"] = None
        if columns > _LANDSCAPE:
            names["landscape"] = None
        head = table.partition("<tbody")[0] if "<thead" in table else ""
        for name, part in (("long-words", table), ("long-headers", head)):
            if _LONG_WORD.search(plain(_CELL.sub(" <td", part))):
                names[name] = None
    if _OWN_COLOURS.search(markup):
        names["card"] = None
    return {"css_class": " ".join(names), "columns": most}


_VIEW = "application/vnd.jupyter.widget-view+json"

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
    """Leave out widgets that are followed by their last view, which builders add.

    Parameters
    ----------
    nb : nbformat.NotebookNode
        The notebook, changed in place. Other widgets keep their text.
    """
    for cell in nb.cells:
        outputs = cell.get("outputs", [])
        left = [SNAPSHOT in output.get("metadata", {}) for output in outputs]
        for output, is_left in zip(outputs, left, strict=True):
            if is_left:
                _for_a_page(output.get("data", {}))
        if any(left):
            cell.outputs = [
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
