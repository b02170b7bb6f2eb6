"""Figures as drawing commands for the LaTeX package pgf, in the fonts of the paper.

Matplotlib's own backend measures every text with TeX. Here, the positions come from the figure
itself, so that writing a figure needs no TeX: LaTeX aligns its text at the same points.
"""

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

# mypy: disallow-untyped-calls=False
# (the renderers of Matplotlib carry no annotations)


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
    """Return the figure as a pgfpicture."""
    file = io.StringIO()
    width, height = (float(inches) for inches in figure.get_size_inches())
    file.write(_HEADER.format(title=title, width=width, height=height))
    with settings({"pgf.rcfonts": False}):
        figure.draw(_Renderer(figure, file))
    file.write(_FOOTER)
    return file.getvalue()


class _Renderer(RendererPgf):
    """Renderer that escapes text for LaTeX, and draws text that LaTeX cannot set as outlines."""

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
        """Draw a line of text; mathematics is passed on unchanged."""
        if not ismath and (latex.unknown_letters(s) or latex.packages(latex.escape(s))):
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
        """Return the size in the figure's own font, which is wider than most fonts of papers."""
        return RendererBase.get_text_width_height_descent(self, s, prop, ismath)  # type: ignore[arg-type]

    def draw_image(self, *_: Any, **__: Any) -> None:
        """Refuse images, which would need a second file."""
        raise ValueError("`plot` contains an image, which .pgf cannot hold; save it as .pdf.")
