"""Drawings for a dark notebook, and for paper again."""

from __future__ import annotations

__all__ = ["DARK", "darkened", "lightened"]

# White becomes a soft black, black a soft white, and a colour keeps its hue: each channel c of
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
    """A drawing as matplotlib writes it, light on black."""
    return svg.replace(_FIRST, _FILTER, 1)


def lightened(svg: str) -> str:
    """The drawing as it was before it was darkened; any other as it is."""
    return svg.replace(_FILTER, _FIRST, 1)
