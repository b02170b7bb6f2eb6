"""Axes and curves of one problem, drawn at a given position of the canvas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.artist import Artist

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number
from nbcompare.plots._axes import Box, draw_axes, draw_band
from nbcompare.plots._curves import Curve, Panel, Style, spread
from nbcompare.plots._labels import SMALL_SIZE
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas
from nbcompare.plots._style import PAD

# All lengths in inches, all font sizes in points.
FLOOR = 0.22  # space below the axis for errors of 0
LEAD = 0.3  # space between the end of a curve and its label
MARK = 4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Settings that all frames of a drawing share."""

    width: float  # of the axes
    height: float
    title: float  # height of the titles
    styles: Sequence[Style]  # indexed by algorithm, like `labels` and `sizes` (heights)
    labels: Sequence[str]
    names: Sequence[str]
    sizes: Sequence[float]
    several: bool  # whether there are several frames
    cutpoints: int | None
    artists: dict[str, list[Artist]] = field(
        default_factory=lambda: {
            "curves": [],
            "bands": [],
            "marks": [],
            "ends": [],
            "labels": [],
            "cutpoints": [],
            "problems": [],
            "axis": [],
        }
    )


class Frame:
    """Panel whose axes have their upper left corner at a given position."""

    def __init__(self, canvas: Canvas, panel: Panel, left: float, top: float, sheet: Sheet) -> None:
        self.canvas, self.panel, self.sheet = canvas, panel, sheet
        self.left, self.top = left, top
        self.right, self.bottom = left + sheet.width, top + sheet.height
        self.floor = self.bottom + (FLOOR if panel.floor else 0.0)

    def draw(self, title: str) -> None:
        sheet, canvas = self.sheet, self.canvas
        if title:
            x, y = (self.left + self.right) / 2, self.top - sheet.title / 2
            style = {"ha": "center", "fontweight": "bold", "linespacing": 1.1}
            sheet.artists["problems"].append(canvas.text(x, y, title, SMALL_SIZE, **style))
        self._draw_axis()
        self._draw_cutpoints()
        for curve in self.panel.curves:
            self._draw_band(curve)
        for curve in self.panel.curves:
            self._draw_curve(curve)
            self.draw_beside(curve)
        self._draw_labels()

    def lead(self, curve: Curve) -> float:
        """Return a number that is larger for curves whose labels are higher, of equal ends."""
        return self.panel.end(curve)

    def draw_beside(self, curve: Curve) -> None:
        """Draw what belongs to a curve of a certain kind of figure."""

    def x(self, evaluations: FloatArray) -> FloatArray:
        """Return horizontal positions."""
        shares = self.panel.x.share(evaluations)
        return self.left + (self.right - self.left) * shares

    def y(self, values: FloatArray) -> FloatArray:
        """Return vertical positions; on a logarithmic axis, 0 lies on the floor."""
        heights = self.bottom - (self.bottom - self.top) * self.panel.heights(values)
        return np.where(np.isnan(heights), self.floor, heights)

    def _draw_axis(self) -> None:
        box = Box(self.left, self.right, self.top, self.bottom, self.floor)
        drawn = draw_axes(self.canvas, box, self.panel.x.ticks(), ticks(self.panel))
        self.sheet.artists["axis"] += drawn

    def _draw_cutpoints(self) -> None:
        count = self.sheet.cutpoints or 0
        places = self.panel.evaluations[-1] * np.arange(1, count + 1) / max(count, 1)
        # a logarithmic axis may begin after the first cut-points
        there = places[places >= self.panel.evaluations[0]] if self.panel.x.log else places
        for x in self.x(there).tolist():
            style = {"color": "0.6", "linestyle": (0, (1, 2)), "zorder": 1}
            line = self.canvas.line((x, x), (self.top, self.floor), 0.7, **style)
            self.sheet.artists["cutpoints"].append(line)

    def _draw_band(self, curve: Curve) -> None:
        if curve.band is None:
            return
        last = self.panel.end(curve) + 1
        x = self.x(self.panel.evaluations[:last])
        low, high = (self.y(side[:last]) for side in curve.band)
        color = self.sheet.styles[curve.number].color
        band = draw_band(self.canvas, x, low, high, color, self._alpha())
        self.sheet.artists["bands"].append(marked(band, self.about(curve)))

    def about(self, curve: Curve) -> Mark:
        """Return what a page says of a curve."""
        name, last = self.sheet.names[curve.number], format_number(float(curve.median[-1]))
        return Mark(f"{name} on {self.panel.problem}: median {last} at the end", (name,))

    def _alpha(self) -> float:
        """Return the opacity of bands, which is lower if many overlap."""
        return min(0.15, 0.9 / len(self.panel.curves))

    def _draw_curve(self, curve: Curve) -> None:
        sheet, style = self.sheet, self.sheet.styles[curve.number]
        last = self.panel.end(curve)
        x = self.x(self.panel.evaluations[: last + 1])
        y = self.y(curve.median[: last + 1])
        drawn = draw_line(self.canvas, x, y, style)
        sheet.artists["curves"].append(marked(drawn, self.about(curve)))
        # marks are at regular positions, shifted a little from curve to curve
        wanted = self.left + sheet.width * (np.arange(4) + stagger(curve.number)) / 4
        places = wanted[(wanted > x[0]) & (wanted < x[-1])]
        marks = draw_marks(self.canvas, places, np.interp(places, x, y), style)
        sheet.artists["marks"].append(marked(marks, self.about(curve)))
        if curve.median[last] <= 0 and self.panel.y.log:
            end = draw_marks(self.canvas, x[-1:], y[-1:], style, size=MARK + 2)
            sheet.artists["ends"].append(end)

    def _draw_labels(self) -> None:
        sheet, canvas = self.sheet, self.canvas
        curves = self.panel.curves
        # of curves that end on the floor, the one that reached it first gets the lowest label
        ends = [float(self.y(curve.median[[-1]])[0]) - 1e-6 * self.lead(curve) for curve in curves]
        sizes = [sheet.sizes[curve.number] for curve in curves]
        places = spread(ends, sizes, (self.top - 0.04, self.floor + 0.04))
        for curve, end, y in zip(curves, ends, places, strict=True):
            style = sheet.styles[curve.number]
            x = (self.right, self.right + LEAD - PAD)
            canvas.line(x, (end, y), 0.7, color=style.color)
            if not sheet.several:
                draw_marks(canvas, np.array(x[1:]), np.array([y]), style)
            label = sheet.labels[curve.number]
            text = canvas.text(self.right + LEAD, y, label, SMALL_SIZE, ha="left", linespacing=1.0)
            sheet.artists["labels"].append(marked(text, self.about(curve)))


def ticks(panel: Panel) -> list[tuple[float | None, str]]:
    """Return positions and labels of ticks; the position of 0 on the floor is None."""
    ticks: list[tuple[float | None, str]] = list(panel.y.ticks())
    return [(None, "0"), *ticks] if panel.floor else ticks


def stagger(number: int) -> float:
    """Return a share of the distance between marks that differs for neighbouring curves."""
    return 0.15 + 0.7 * (number * 0.382 % 1)


def draw_line(
    canvas: Canvas, x: Sequence[float] | FloatArray, y: Sequence[float] | FloatArray, style: Style
) -> Artist:
    dashes = (0, style.dashes) if style.dashes else "solid"
    return canvas.line(tuple(x), tuple(y), 1.6, color=style.color, linestyle=dashes, zorder=3)


def draw_marks(
    canvas: Canvas, x: FloatArray, y: FloatArray, style: Style, size: float = MARK
) -> Artist:
    return canvas.ax.plot(
        x,
        y,
        linestyle="none",
        marker=style.shape,
        markersize=size * canvas.scale,
        markerfacecolor=style.color if style.filled else "white",
        markeredgecolor=style.color,
        markeredgewidth=canvas.scale,
        clip_on=False,
        zorder=4,
    )[0]
