"""Images of a page: drawings as ``data:`` URIs, and what they show in words."""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nbcompare._render.rich import lightened

__all__ = ["alternative_text", "file_uri", "svg_uri"]

_LARGEST_FILE = 50_000_000  # bytes: a page is read into memory, again and again

_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


def svg_uri(svg: str) -> str:
    """Encode an SVG drawing as a ``data:`` URI.

    Parameters
    ----------
    svg : str
        The drawing's markup.

    Returns
    -------
    str
        The URI. As an image, a drawing keeps its ids to itself: two figures on a page cannot
        refer to each other's clip paths. A figure of a dark notebook is white again.
    """
    svg = lightened(svg)
    svg = _XML_DECLARATION.sub("", svg)  # it may name another encoding than the one written here
    if "xmlns=" not in svg:  # HTML does without, an image does not
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def file_uri(url: str, folder: str | None) -> str | None:
    """Encode an image in the folder of a notebook as a ``data:`` URI.

    Parameters
    ----------
    url : str
        As the notebook has it.
    folder : str, optional
        Where the notebook stands; without it nothing is read.

    Returns
    -------
    str or None
        The URI. None for what is no image, is too large or cannot be read, and for what lies
        outside the folder: a notebook from elsewhere must not carry that off.
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
    except (OSError, ValueError, RuntimeError):  # no right to read it, no name at all, a loop
        return None
    return f"data:{mime_type};base64,{base64.b64encode(content).decode()}"


def alternative_text(output: Mapping[str, Any], mime_type: str) -> str:
    """Say in words what an image output shows.

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
