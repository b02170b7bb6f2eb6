"""The frozen object that every figure function returns, and the canvas it draws on."""

from __future__ import annotations

import io
import math
import re
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Polygon
from matplotlib.textpath import text_to_path

from nbcompare._display import current
from nbcompare._render.rich import darkened
from nbcompare.plots._style import darkened_png

_PNG_DPI = 144
MOST_INCHES = 40.0  # a larger drawing shrinks: its picture would fill the memory
# Names are drawn as they stand (no mathematics in $...$); glyphs become paths, so that a
# figure looks the same without its fonts, and two runs give the same bytes.
SVG_STYLE: dict[Any, Any] = {"svg.hashsalt": "nbcompare", "svg.fonttype": "path"}
# Matplotlib's settings and Python's filters of warnings belong to the process, and drawing changes
# a figure for a moment: threads take turns.
TURN = threading.RLock()
_SHEET = re.compile(r' *<defs>\s*<style type="text/css">\*\{([^}"]*)\}</style>\s*</defs>\n')


@dataclass(frozen=True, slots=True, repr=False)
class Plot:
    """A figure that displays itself.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        Made outside pyplot, so it is shown once and needs no closing.
    ax : matplotlib.axes.Axes
        To add to it, or change it.
    artists : mapping of str to tuple of matplotlib artists
        The drawn parts by name.
    alt : str
        What the picture says, in words.
    shown : bool
        Whether to display as a picture; not when drawn on axes that were given.
    narrower : callable or None
        Draws the same for a page of so many inches, as near to it as it can; None if it
        can only be scaled.
    """

    figure: Figure
    ax: Axes
    artists: Mapping[str, tuple[Artist, ...]]
    alt: str
    shown: bool = True
    narrower: Callable[[float], Plot] | None = None

    def __repr__(self) -> str:
        return f"<Plot: {self.alt}>"

    def _repr_mimebundle_(
        self, **_: Any
    ) -> dict[str, str | bytes] | tuple[dict[str, str | bytes], dict[str, dict[str, str]]]:
        if not self.shown:
            return {"text/plain": self.alt}
        png = png_of(self.figure, _PNG_DPI)
        data: dict[str, str | bytes] = {
            "text/plain": self.alt,
            "image/svg+xml": self.drawing(),
            "image/png": darkened_png(png) if _is_dark() else png,
            # for LaTeX: nbconvert would call Inkscape to make one of the SVG
            "application/pdf": pdf_of(self.figure, 3),
        }
        return data, {kind: {"alt": self.alt} for kind in ("image/svg+xml", "image/png")}

    def drawing(self) -> str:
        """The figure as SVG, as a notebook of the theme in :func:`nbcompare.set_options` has it."""
        svg = svg_of(self.figure)
        return darkened(svg) if _is_dark() else svg


def _is_dark() -> bool:
    return current().theme == "dark"


@contextmanager
def settings(changed: dict[Any, Any]) -> Iterator[None]:
    """Draw with settings of Matplotlib, in one thread at a time."""
    with TURN, mpl.rc_context(changed):
        yield


def png_of(figure: Figure, dpi: float, **metadata: str) -> bytes:
    """The figure as PNG."""
    file = io.BytesIO()
    with TURN:
        figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None, **metadata})
    return file.getvalue()


def svg_of(figure: Figure, **metadata: str) -> str:
    """The figure as SVG, whose style stays its own where a page takes it in."""
    file = io.StringIO()
    with settings(SVG_STYLE):
        figure.savefig(file, format="svg", metadata={"Date": None, **metadata})
    # Matplotlib's style sheet is for "*", which would be everything on that page
    text, sheet = file.getvalue(), _SHEET.search(file.getvalue())
    if sheet is None:
        return text
    without = text[: sheet.start()] + text[sheet.end() :]
    return without.replace("<svg ", f'<svg style="{sheet[1]}" ', 1)


def pdf_of(figure: Figure, font_type: int, **metadata: str) -> bytes:
    """The figure as PDF with fonts in it: 42 for TrueType, 3 for outlines, which is faster."""
    file = io.BytesIO()
    with settings({"pdf.fonttype": font_type}):
        figure.savefig(file, format="pdf", metadata={"CreationDate": None, **metadata})
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class Canvas:
    """Axes measured in inches, y downwards from the top; text shrinks where space is short."""

    ax: Axes
    scale: float

    @classmethod
    def of_size(cls, width: float, height: float, ax: Axes | None) -> Canvas:
        """Take a new figure of just this size, or fit the drawing into the axes given."""
        if ax is None:
            shrink = min(1.0, MOST_INCHES / max(width, height))
            there = (width * shrink, height * shrink)
            figure = Figure(figsize=there, facecolor="white")
            ax = figure.add_axes((0, 0, 1, 1))
        else:
            box, dpi = ax.get_window_extent(), ax.figure.dpi
            there = (box.width / dpi, box.height / dpi)
        scale = min(1.0, there[0] / width, there[1] / height)
        spare = (there[0] / scale - width) / 2
        ax.set_xlim(-spare, width + spare)
        ax.set_ylim(there[1] / scale, 0)
        ax.axis("off")
        return cls(ax, scale)

    def text(self, x: float, y: float, text: str, size: float, **options: Any) -> Artist:
        """Text as it stands, vertically centred on y."""
        style: dict[str, Any] = {"va": "center", "color": "black", "parse_math": False} | options
        return self.ax.text(x, y, text, fontsize=size * self.scale, **style)

    def line(
        self, x: tuple[float, ...], y: tuple[float, ...], width: float, **options: Any
    ) -> Artist:
        """Draw a line through points, its width in points."""
        style: dict[str, Any] = {"color": "black", "solid_capstyle": "butt", "clip_on": False}
        style |= options
        return self.ax.plot(x, y, linewidth=width * self.scale, **style)[0]

    def polygon(self, points: Sequence[tuple[float, float]], width: float, **style: Any) -> Artist:
        """Draw a filled outline through points, the outline's width in points."""
        shape = Polygon(points, linewidth=width * self.scale, clip_on=False, **style)
        return self.ax.add_patch(shape)

    def box(
        self, x: tuple[float, float], y: tuple[float, float], width: float, **style: Any
    ) -> Artist:
        """Draw a filled rectangle between two places each way."""
        corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
        return self.polygon(corners, width, **style)

    def markers(
        self,
        x: Sequence[float],
        y: Sequence[float],
        shape: str,
        size: float,
        *,
        filled: bool,
        half: bool = False,
    ) -> Artist:
        """Draw a marker at each point, its size in points; ``half`` fills its left half."""
        return self.ax.plot(
            x,
            y,
            marker=shape,
            markersize=size * self.scale,
            markerfacecolor="black" if filled or half else "white",
            markerfacecoloralt="white",
            fillstyle="left" if half else "full",
            markeredgecolor="black",
            markeredgewidth=self.scale,
            linestyle="none",
            clip_on=False,
            zorder=5,
        )[0]

    def marker(self, x: float, y: float, shape: str, size: float, *, filled: bool) -> Artist:
        """Draw one marker."""
        return self.markers((x,), (y,), shape, size, filled=filled)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of the longest line in inches, at a font size in points."""
    font = FontProperties(size=size, weight="bold" if bold else "normal")
    lines = [line for line in text.split("\n") if line]
    with TURN, warnings.catch_warnings():
        # of letters that the font lacks Matplotlib warns when they are drawn
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        sizes = [text_to_path.get_text_width_height_descent(s, font, ismath=False) for s in lines]
    return max((width for width, _, _ in sizes), default=0.0) / 72


def lines_within(words: Sequence[str], apart: str, width: float, size: float) -> list[str]:
    """Words on as few lines as fit in so many inches; a longer word has a line of its own."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{apart}{word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def tick_step(span: float) -> int:
    """Distance of labelled ticks, 1, 2, 5, 10, ..., for at most a dozen of them."""
    power = int(10 ** max(0, math.floor(math.log10(max(span, 1) / 12))))
    return next(power * step for step in (1, 2, 5, 10, 20) if span / (power * step) <= 12)
