"""Prepare outputs for a page: images are embedded, and the size of tables is determined."""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nbcompare._render.rich import lightened
from nbcompare.report.page.grid import grid, widths_of
from nbcompare.report.page.tree import parse

__all__ = [
    "alternative_text",
    "file_uri",
    "layout",
    "pdf_of_figure",
    "svg_uri",
    "without_warnings",
]

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
# On the screen, the text is 784 pixels wide, the type of a table 14 and the padding of a cell 24
# pixels (as in the style sheet); a table that needs more is set in small type.
_PIXELS, _TYPE, _SPACE = 784, 14, 24
_SANS = 1.15  # its letters are wider than those of the serif fonts of print
_LABEL = 24  # letters of a word that stay on one line
# A page of A4 is 493 points wide between its margins, 741 in landscape; the padding of a cell is
# given as a multiple of the size of its type.
_UPRIGHT, _UPRIGHT_PADDING = 490, 0.8
_SIDEWAYS, _SIDEWAYS_PADDING = 720, 0.5
# In portrait, text may be broken; in landscape, everything must fit, however small.
_SMALLEST, _LARGEST, _LARGEST_SIDEWAYS = 6.0, 8.5, 6.5
_LEAST = 1.0  # points; the style sheet has a class for every half point from here


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


def layout(markup: str) -> str:
    """Determine the classes of the container of an HTML output.

    Parameters
    ----------
    markup : str
        HTML; the first row of a table determines its number of columns.

    Returns
    -------
    str
        Classes: ``wide`` for small type, ``landscape`` for a landscape page in print,
        ``long-words`` and ``long-headers`` if words must be broken to fit, ``card`` for HTML with
        its own colours, ``fit-4-5`` for the size of type, here 4.5 points, at which wide tables fit
        a printed page.

    Examples
    --------
    >>> row = "<tr><td>iris</td>" + 40 * "<td>0.4512</td>" + "</tr>"
    >>> layout(f"<table>{row}</table>"), layout("<table></table>")
    ('wide landscape fit-4', '')
    """
    names: list[str] = []
    sizes: list[float] = []
    for source in _TABLE.findall(markup):
        table = grid(next(parse(source).elements()))
        if table is None:
            continue
        needed, bodies = (_SANS * sum(widths) for widths in widths_of(table))
        columns = table.n_columns
        if columns > _LANDSCAPE:
            names += ["wide", "landscape"]
            size = _SIDEWAYS / (bodies + _SIDEWAYS_PADDING * columns)
            sizes.append(min(_LARGEST_SIDEWAYS, size))
        elif needed * _TYPE + _SPACE * columns > _PIXELS:
            names.append("wide")
            size = _UPRIGHT / (needed + _UPRIGHT_PADDING * columns)
            sizes.append(min(_LARGEST, max(_SMALLEST, size)))
        long = [cell for cell in table.cells if any(len(w) > _LABEL for w in cell.text.split())]
        if long:
            names.append("long-words")
        if any(cell.row < table.n_header for cell in long):
            names.append("long-headers")
    if _OWN_COLOURS.search(markup):
        names.append("card")
    if sizes:
        size = max(_LEAST, int(min(sizes) * 2) / 2)
        names.append(f"fit-{size:g}".replace(".", "-"))
    return " ".join(dict.fromkeys(names))
