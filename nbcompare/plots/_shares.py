"""Curves of shares over an axis, one per algorithm, with their names at the right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._axes import Box, draw_axes, draw_band
from nbcompare.plots._curves import Style, spread
from nbcompare.plots._frame import draw_line, draw_marks, stagger
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    WRAP,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.plots._style import MARGIN, PAD, TICK
from nbcompare.results import Labelled

# All lengths in inches, all font sizes in points.
_WIDTH, _HEIGHT = 4.6, 3.2
_NAME_LINE = 0.15
_ROOM = 0.97  # share of the height that a share of 1 has
_SAMPLE, _APART = 0.3, 0.1  # piece of a curve before its name, and the space around it
_FEW = 12  # of more algorithms, names have longer lines, so that the list is no taller
_LONG_WRAP = 64
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_OTHERS = "0.75"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareCurve:
    """Curve of an algorithm; ``x`` are positions from 0 to 1 along the axis."""

    name: str
    x: FloatArray
    share: FloatArray
    band: tuple[FloatArray, FloatArray] | None = None  # lower and upper ends at each x
    about: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareAxis:
    """Labels of the two axes, and the ticks of the lower one, as positions from 0 to 1."""

    across: str
    upright: str
    ticks: Sequence[tuple[float, str]]


def steps(x: FloatArray, share: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the corners of a step function that takes each share from its x on, up to 1.

    Examples
    --------
    >>> corners = steps(np.array([0.0, 0.4]), np.array([0.5, 1.0]))
    >>> [side.tolist() for side in corners]
    [[0.0, 0.4, 0.4, 1.0], [0.5, 0.5, 1.0, 1.0]]
    """
    return np.append(np.repeat(x, 2)[1:], 1.0), np.repeat(share, 2)


def draw_shares(
    curves: Sequence[ShareCurve],
    axis: ShareAxis,
    *,
    caption: Sequence[str],
    alt: str,
    highlight: Collection[str] | None = None,
    ax: Axes | None = None,
) -> Plot:
    """Draw curves; if some are highlighted, the others are grey and have no names.

    The names stand near the ends of the curves, or, where curves end together, in the order of
    their mean shares.
    """
    return _Shares(curves, axis, highlight).draw(ax, caption, alt)


class _Shares:
    """Drawing that is measured first and then drawn."""

    def __init__(
        self, curves: Sequence[ShareCurve], axis: ShareAxis, highlight: Collection[str] | None
    ) -> None:
        self.curves, self.axis = curves, axis
        self.named = [
            number
            for number, curve in enumerate(curves)
            if highlight is None or curve.name in highlight
        ]
        wrap = WRAP if len(self.named) <= _FEW else _LONG_WRAP
        self.labels = {number: wrapped(curves[number].name, wrap) for number in self.named}
        self.sizes = [_NAME_LINE * (label.count("\n") + 1) for label in self.labels.values()]
        self.height = max(_HEIGHT, sum(self.sizes))
        self.left = self.right = self.top = self.bottom = 0.0  # of the axes, known when drawn

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None, caption: Sequence[str], alt: str) -> Plot:
        upright = wrapped(self.axis.upright, 44)
        across = wrapped(self.axis.across, 60)
        others = self._others()
        names = [text_width(label, SMALL_SIZE) for label in (*self.labels.values(), others)]
        lead = LINE * (upright.count("\n") + 1) + PAD
        lead += max(text_width(f"{tick:g}", SMALL_SIZE) for tick in _TICKS) + TICK + PAD
        content = lead + _WIDTH + 2 * _APART + _SAMPLE + max(names)
        # hinting makes small letters a little wider than measured
        total = max(1.01 * content, caption_width(caption)) + 2 * MARGIN
        self.left = (total - content) / 2 + lead
        self.right = self.left + _WIDTH
        self.top = MARGIN + caption_height(caption) + 0.12
        self.bottom = self.top + self.height
        below = TICK + LINE * (across.count("\n") + 2) + 0.06
        if others:
            below = max(below, LINE + 2 * PAD)
        canvas = Canvas.of_size(total, self.bottom + below + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        artists: dict[str, tuple[Artist, ...]] = {
            "axis": self._draw_axis(canvas, upright, across, self.left - lead),
            "bands": self._draw_bands(canvas),
            "curves": self._draw_curves(canvas),
            "marks": self._draw_marks(canvas),
            "labels": self._draw_labels(canvas, others),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), alt, shown=ax is None)  # type: ignore[arg-type]

    def _x(self, places: FloatArray) -> FloatArray:
        return self.left + _WIDTH * places

    def _y(self, shares: FloatArray) -> FloatArray:
        return self.bottom - self.height * _ROOM * shares

    def _others(self) -> str:
        n = len(self.curves) - len(self.named)
        return plural(n, "other algorithm") if n else ""

    def _draw_axis(
        self, canvas: Canvas, upright: str, across: str, edge: float
    ) -> tuple[Artist, ...]:
        left, right, bottom = self.left, self.right, self.bottom
        box = Box(left, right, self.top, bottom, bottom)
        shares = [(_ROOM * tick, f"{tick:g}") for tick in _TICKS]
        artists = draw_axes(canvas, box, self.axis.ticks, shares)
        lines = LINE * (upright.count("\n") + 1)
        x, y = edge + lines / 2, (self.top + bottom) / 2
        artists.append(canvas.text(x, y, upright, SMALL_SIZE, ha="center", rotation=90))
        x, y = (left + right) / 2, bottom + TICK + LINE * (1 + (across.count("\n") + 1) / 2) + 0.04
        artists.append(canvas.text(x, y, across, SMALL_SIZE, ha="center", linespacing=1.1))
        return tuple(artists)

    def _draw_bands(self, canvas: Canvas) -> tuple[Artist, ...]:
        bands = []
        alpha = min(0.18, 0.9 / max(len(self.named), 1))  # lower if many overlap
        for number in self.named:
            curve = self.curves[number]
            if curve.band is None:
                continue
            low, high = (self._y(side) for side in curve.band)
            band = draw_band(canvas, self._x(curve.x), low, high, Style.of(number).color, alpha)
            bands.append(marked(band, curve.about))
        return tuple(bands)

    def _draw_curves(self, canvas: Canvas) -> tuple[Artist, ...]:
        """Draw the curves in the order of the algorithms, the named ones above the others."""
        lines = []
        for number, curve in enumerate(self.curves):
            x, y = self._x(curve.x), self._y(curve.share)
            if number in self.labels:
                line = draw_line(canvas, x, y, Style.of(number))
            else:
                line = canvas.line(tuple(x), tuple(y), 0.8, color=_OTHERS, zorder=2)
            lines.append(marked(line, curve.about))
        return tuple(lines)

    def _draw_marks(self, canvas: Canvas) -> tuple[Artist, ...]:
        """Draw marks at regular positions, shifted a little from curve to curve."""
        artists = []
        for number in self.named:
            curve = self.curves[number]
            wanted = (np.arange(4) + stagger(number)) / 4
            wanted = wanted[(wanted >= curve.x[0]) & (wanted <= curve.x[-1])]
            before = np.searchsorted(curve.x, wanted, side="right") - 1
            after = np.minimum(before + 1, len(curve.x) - 1)
            # between the corners of steps, shares do not change
            width = np.maximum(curve.x[after] - curve.x[before], 1e-12)
            part = np.clip((wanted - curve.x[before]) / width, 0, 1)
            shares = curve.share[before] + part * (curve.share[after] - curve.share[before])
            drawn = draw_marks(canvas, self._x(wanted), self._y(shares), Style.of(number))
            artists.append(marked(drawn, curve.about))
        return tuple(artists)

    def _draw_labels(self, canvas: Canvas, others: str) -> tuple[Artist, ...]:
        ends = [self.curves[number].share[-1] for number in self.named]
        means = [_mean(self.curves[number]) for number in self.named]
        # of curves that end together, the one that is higher before has the higher label
        wanted = [
            float(self._y(np.array(end))) - 1e-3 * mean
            for end, mean in zip(ends, means, strict=True)
        ]
        places = spread(wanted, self.sizes, (self.top - 0.04, self.bottom + 0.04))
        artists: list[Artist] = []
        x = self.right + _APART
        for number, y in zip(self.named, places, strict=True):
            style, about = Style.of(number), self.curves[number].about
            marked(draw_line(canvas, (x, x + _SAMPLE), (y, y), style), about)
            middle = np.array([x + _SAMPLE / 2])
            marked(draw_marks(canvas, middle, np.array([y]), style), about)
            text = canvas.text(
                x + _SAMPLE + _APART,
                y,
                self.labels[number],
                SMALL_SIZE,
                ha="left",
                linespacing=1.0,
            )
            artists.append(marked(text, about))
        if others:
            y = self.bottom + PAD + LINE / 2
            canvas.line((x, x + _SAMPLE), (y, y), 0.8, color=_OTHERS)
            artists.append(
                canvas.text(x + _SAMPLE + _APART, y, others, SMALL_SIZE, ha="left", color="0.35")
            )
        return tuple(artists)


def _mean(curve: ShareCurve) -> float:
    """Return the mean share over the axis."""
    return float(np.sum(np.diff(curve.x) * (curve.share[1:] + curve.share[:-1]) / 2))
