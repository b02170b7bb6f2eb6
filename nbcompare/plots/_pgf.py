"""Figures as drawing commands for LaTeX's package pgf, in the fonts of the paper.

Matplotlib has TeX measure every text. Here the places come from the figure itself, so that no
TeX is needed to write a figure: LaTeX aligns what it sets at the same points.
"""
# mypy: disallow-untyped-calls=False
# (the renderers of Matplotlib carry no annotations)

from __future__ import annotations

import io
from typing import Any

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_pgf import RendererPgf
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from nbcompare._render import latex
from nbcompare.plots._plot import settings

_HEADER = r"""%% {title}
%% Needs \usepackage{{pgf}}; \input this file, in a figure environment.
\begingroup%
\makeatletter%
\begin{{pgfpicture}}%
\pgfpathrectangle{{\pgfpointorigin}}{{\pgfqpoint{{{width:f}in}}{{{height:f}in}}}}%
\pgfusepath{{use as bounding box, clip}}%
"""
_FOOTER = r"""\end{pgfpicture}%
\makeatother%
\endgroup%
"""


def pgf_of(figure: Figure, title: str) -> str:
    """The figure as a pgfpicture."""
    file = io.StringIO()
    width, height = (float(inches) for inches in figure.get_size_inches())
    file.write(_HEADER.format(title=title, width=width, height=height))
    with settings({"pgf.rcfonts": False}):
        figure.draw(_Renderer(figure, file))
    file.write(_FOOTER)
    return file.getvalue()


class _Renderer(RendererPgf):
    """Text that LaTeX can set is escaped for it; other text is drawn as outlines."""

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | str = False,
        mtext: Text | None = None,
    ) -> None:
        """Set a line of text; mathematics stays as it is."""
        if not ismath and latex.unknown_letters(s):
            self._draw_outlines(gc, x, y, s, prop, angle)
            return
        text = s if ismath else latex.escape(s)
        super().draw_text(gc, x, y, text, prop, angle, ismath, mtext)

    def _draw_outlines(
        self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float
    ) -> None:
        path = TextPath((0, 0), s, size=prop.get_size_in_points(), prop=prop)
        scale = self.points_to_pixels(1.0)
        place = Affine2D().scale(scale).rotate_deg(angle).translate(x, y)
        gc.set_linewidth(0.0)
        self.draw_path(gc, path, place, rgbFace=gc.get_rgb())

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: bool | str
    ) -> tuple[float, float, float]:
        """Give the measures of the figure's own font, which is wider than most of a paper."""
        return RendererBase.get_text_width_height_descent(self, s, prop, ismath)  # type: ignore[arg-type]

    def draw_image(self, *_: Any, **__: Any) -> None:
        """Refuse what would be a file beside the file."""
        raise ValueError("`plot` has an image in it, which .pgf cannot hold; save it as .pdf.")
