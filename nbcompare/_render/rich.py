"""Rich displays of results, and drawings for dark notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nbcompare._render import html, latex, markdown, text, typst
from nbcompare._render.parts import Part

__all__ = ["DARK", "darkened", "lightened"]

# White becomes a soft black, black a soft white, and colours keep their hue: each channel c of
# a colour with luminance L becomes c + 1 - 2 L, in the range from _LEAST to 1 - _LEAST.
_LEAST = 0.07
_LUMINANCE = (0.2126, 0.7152, 0.0722)
DARK = tuple(
    (
        *((1 - 2 * _LEAST) * ((row == column) - 2 * _LUMINANCE[column]) for column in range(3)),
        1 - _LEAST,
    )
    for row in range(3)
)
_NUMBERS = "  ".join(f"{r:.6g} {g:.6g} {b:.6g} 0 {add:.6g}" for r, g, b, add in DARK)
_FIRST = '<g id="figure_1">'
_FILTER = (
    '<filter id="nbcompare-dark" x="0" y="0" width="1" height="1" '
    'color-interpolation-filters="sRGB">'
    f'<feColorMatrix values="{_NUMBERS}  0 0 0 1 0"/></filter>'
    '<g id="figure_1" filter="url(#nbcompare-dark)">'
)


def darkened(svg: str) -> str:
    """Return an SVG that Matplotlib wrote with a filter that makes it light on dark."""
    return svg.replace(_FIRST, _FILTER, 1)


def lightened(svg: str) -> str:
    """Return a darkened SVG without its filter; any other SVG is returned unchanged."""
    return svg.replace(_FILTER, _FIRST, 1)


class Rich:
    """Mixin that displays ``_parts()``: a MIME bundle for Jupyter, plain text for ``str()``."""

    __slots__ = ()

    def _parts(self) -> Sequence[Part]:
        """Return the parts that the object displays."""
        raise TypeError(f"{type(self).__name__} does not say what it shows")

    def __str__(self) -> str:
        return text.render(self._parts())

    def _documents(self) -> dict[str, Any]:
        """Return further JSON documents for the bundle, by MIME type, for programs to read."""
        return {}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:  # Jupyter passes include, exclude
        parts = self._parts()
        return {
            "text/plain": text.render(parts),
            "text/html": html.render(parts),
            "text/markdown": markdown.render(parts),
            "text/latex": latex.render_display(parts),
            "text/x-typst": typst.render(parts),
            **self._documents(),
        }
