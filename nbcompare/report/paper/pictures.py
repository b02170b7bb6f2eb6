"""Read the pictures of a printed page: their type, size and file name."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import re
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from PIL import Image

from nbcompare.report.page.outputs import svg_uri

__all__ = ["PIXEL", "Picture", "picture", "static_svg"]

PIXEL = 0.55  # points; pictures for screens are drawn at 100 dots per inch, with large letters
_KINDS = {
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
_URI = re.compile(r"data:(?P<kind>[\w/+.-]+)[^,]*?(?P<base64>;base64)?,(?P<data>.*)", re.DOTALL)
_SVG = re.compile(r"<svg\b.*?</svg\s*>", re.DOTALL | re.IGNORECASE)
_SVG_TAG = re.compile(r"<svg\b[^>]*>", re.IGNORECASE)
_LENGTH = re.compile(r"\s*([0-9.]+(?:e[+-]?\d+)?)\s*(pt|px|in|cm|mm|pc|em|ex|)\s*", re.IGNORECASE)
_UNITS = {
    "pt": 1.0,
    "in": 72.0,
    "cm": 72 / 2.54,
    "mm": 72 / 25.4,
    "pc": 12.0,
    "em": 12.0,
    "ex": 6.0,
}


class Picture(NamedTuple):
    """A picture.

    Attributes
    ----------
    name : str
        The name of its file, a digest, so that equal pictures share a file.
    data : bytes
        The contents of the file.
    width : float or None
        The width in points, if it is known.
    height : float or None
        The height in points, if it is known.
    """

    name: str
    data: bytes
    width: float | None
    height: float | None


def picture(uri: str, asked: Mapping[str, Any] | None = None) -> Picture | None:
    """Read a ``data:`` URI.

    Parameters
    ----------
    uri : str
        The URI of an ``<img>``.
    asked : mapping, optional
        The ``width`` and ``height`` in pixels that the notebook or the tag requests.

    Returns
    -------
    Picture or None
        The picture; None if it is not of a type that can be printed.

    Examples
    --------
    >>> from nbcompare.report.page.outputs import svg_uri
    >>> drawing = picture(svg_uri('<svg width="30" height="2in"/>'))
    >>> drawing.width, drawing.height, drawing.name.endswith(".svg")
    (16.5, 144.0, True)
    """
    match = _URI.fullmatch(uri.strip())
    if match is None or match["kind"].lower() not in _KINDS:
        return None
    kind = _KINDS[match["kind"].lower()]
    try:
        data = base64.b64decode(match["data"]) if match["base64"] else None
    except (binascii.Error, ValueError):
        return None
    data = unquote_to_bytes(match["data"]) if data is None else data
    width, height = _svg_size(data) if kind == "svg" else _pixel_size(data)
    width, height = _asked(asked or {}, width, height)
    name = f"{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
    return Picture(name, data, width, height)


def static_svg(markup: str, alt: str = "Figure") -> str:
    """Turn the drawings in HTML into images; their contents are not HTML."""
    return _SVG.sub(lambda match: f'<img alt="{alt}" src="{svg_uri(match[0])}">', markup)


def _asked(
    asked: Mapping[str, Any], width: float | None, height: float | None
) -> tuple[float | None, float | None]:
    """Return the requested sizes; one that is missing follows from the proportions."""
    wide, high = _length(asked.get("width")), _length(asked.get("height"))
    if wide and not high and width and height:
        high = wide * height / width
    if high and not wide and width and height:
        wide = high * width / height
    return (wide, high) if wide and high else (width, height)


def _length(value: object) -> float | None:
    match = _LENGTH.fullmatch(str(value or ""))
    size = float(match[1]) * _UNITS.get(match[2].lower(), PIXEL) if match else 0.0
    return size if size > 0 else None


def _svg_size(data: bytes) -> tuple[float | None, float | None]:
    tag = _SVG_TAG.search(data.decode("utf-8", "replace"))
    if tag is None:
        return None, None
    sizes = []
    for name in ("width", "height"):
        found = re.search(rf"""\s{name}\s*=\s*["']([^"']*)["']""", tag[0])
        sizes.append(_length(found[1]) if found else None)
    box = re.search(r"""viewBox\s*=\s*["']([^"']*)["']""", tag[0], re.IGNORECASE)
    corners = re.split(r"[\s,]+", box[1].strip()) if box else []
    if not all(sizes) and len(corners) == 4:
        pixels = [size and size / PIXEL for size in sizes]
        asked = dict(zip(("width", "height"), pixels, strict=True))
        return _asked(asked, _length(corners[2]), _length(corners[3]))
    return sizes[0], sizes[1]


def _pixel_size(data: bytes) -> tuple[float | None, float | None]:
    """Read the size of a raster image from its header; Typst says whether the rest is sound."""
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(io.BytesIO(data)) as image:
            width, height = image.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None, None
    return width * PIXEL, height * PIXEL
