"""Prepare outputs for a page: images are embedded, and the size of tables is determined."""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nbcompare._render.rich import lightened
from nbcompare.report.page.headings import plain

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
