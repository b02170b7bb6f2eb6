"""Chart of rows with names on the left, a common axis, and columns of text on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.results import Labelled

# All lengths in inches, all font sizes in points.
NAME_SIZE = 10.0
BAND = "#eeeeee"
_MARGIN = 0.12
_PAD = 0.08
_TICK = 0.05
_APART = 0.16  # space between columns
_BETWEEN = 0.14  # space between rows; versions of Matplotlib differ in the height of lines
_WIDTH = 4.2  # width of the axis
_WRAP_LABEL = 64


class Axis(Protocol):
    """Axis that gives the positions of values and of labelled ticks."""

    def share(self, values: FloatArray) -> FloatArray:
        """Return positions of values: 0 at the left end, 1 at the right."""

    def ticks(self) -> list[tuple[float, str]]:
        """Return positions and labels of the ticks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChart:
    """Everything around the rows of a chart, which is measured first and then drawn."""

    names: Sequence[str]
    columns: Sequence[tuple[str, Sequence[str]]]  # header and a text per row
    axis: Axis
    label: str  # label of the axis
    least_height: float  # least height of a row
    caption: Sequence[str]
    legend: Legend
    bold: frozenset[int] = frozenset()
    line: tuple[float, str] | None = None  # value and label of a vertical line
    tint: str = ""  # colour left of that line
    band: float = 0.0  # half the width of a band around that line
    small_ticks: Sequence[float] = ()
    about: Sequence[Mark] = ()  # what a page says of each row

    def open(self, ax: Axes | None) -> OpenChart:
        """Draw everything except the rows themselves."""
        names = max(
            text_width(name, NAME_SIZE, bold=row in self.bold)
            for row, name in enumerate(self.names)
        )
        widths = [
            max(text_width(text, SMALL_SIZE) for text in (header, *texts))
            for header, texts in self.columns
        ]
        x0 = _MARGIN + names + _PAD
        label = wrapped(self.label, _WRAP_LABEL)
        right = x0 + _WIDTH + sum(width + _APART for width in widths)
        total = max(right, x0 + _WIDTH + self._end() + 0.02) + _MARGIN
        total = max(total, caption_width(self.caption) + 2 * _MARGIN)
        total = max(total, self.legend.least_width + 2 * _MARGIN)
        total = max(total, x0 + (_WIDTH + text_width(label, SMALL_SIZE)) / 2 + _MARGIN)
        room = total - 2 * _MARGIN
        y0 = _MARGIN + caption_height(self.caption) + LINE + 0.12
        tops = np.cumsum([y0, *map(self._height, range(len(self.names)))]).tolist()
        below = tops[-1] + _TICK + LINE * (2 + label.count("\n")) + 0.12
        canvas = Canvas.of_size(total, below + self.legend.height(room) + _MARGIN, ax)
        chart = OpenChart(canvas, self.axis, x0, tops, self.about)
        draw_caption(canvas, self.caption, total / 2, _MARGIN)
        chart.artists["names"] = self._draw_names(chart)
        chart.artists["columns"] = self._draw_columns(chart, widths)
        chart.artists["line"] = self._draw_line(chart)
        chart.artists["axis"] = self._draw_axis(chart, label)
        chart.artists["legend"] = self.legend.draw(canvas, _MARGIN, below, room)
        return chart

    def _height(self, row: int) -> float:
        texts = (self.names[row], *(texts[row] for _, texts in self.columns))
        return max(self.least_height, LINE * (max(t.count("\n") for t in texts) + 1) + _BETWEEN)

    def _end(self) -> float:
        """Return how far the last label extends beyond the axis."""
        return max(
            (text_width(t, SMALL_SIZE) / 2 for x, t in self.axis.ticks() if x > 0.9), default=0.0
        )

    def _draw_names(self, chart: OpenChart) -> tuple[Artist, ...]:
        return tuple(
            chart.told(
                row,
                chart.canvas.text(
                    chart.left - _PAD,
                    chart.middle(row),
                    name,
                    NAME_SIZE,
                    ha="right",
                    fontweight="bold" if row in self.bold else None,
                    linespacing=1.1,
                ),
            )
            for row, name in enumerate(self.names)
        )

    def _draw_columns(self, chart: OpenChart, widths: Sequence[float]) -> tuple[Artist, ...]:
        artists, x = [], chart.right + _APART
        header = chart.tops[0] - LINE / 2 - 0.02
        for (title, texts), width in zip(self.columns, widths, strict=True):
            artists.append(chart.canvas.text(x, header, title, SMALL_SIZE, ha="left"))
            artists += [
                chart.told(
                    row, chart.canvas.text(x, chart.middle(row), text, SMALL_SIZE, ha="left")
                )
                for row, text in enumerate(texts)
            ]
            x += width + _APART
        return tuple(artists)

    def _draw_line(self, chart: OpenChart) -> tuple[Artist, ...]:
        if self.line is None:
            return ()
        value, text = self.line
        x, y = chart.x(value), (chart.tops[0] - 0.02, chart.tops[-1])
        artists: list[Artist] = []
        if self.tint:
            style = {"facecolor": self.tint, "edgecolor": "none"}
            artists.append(chart.canvas.box((chart.left, x), y, 0.0, zorder=0, **style))
        if self.band:
            edges = chart.x(value - self.band), chart.x(value + self.band)
            style = {"facecolor": BAND, "edgecolor": "none"}
            artists.append(chart.canvas.box(edges, y, 0.0, zorder=0, **style))
        artists.append(chart.canvas.line((x, x), y, 1.2, linestyle=(0, (4, 2)), zorder=4))
        half = text_width(text, SMALL_SIZE) / 2
        middle = min(max(x, chart.left + half), chart.right - half)
        above = chart.tops[0] - LINE / 2 - 0.02
        artists.append(chart.canvas.text(middle, above, text, SMALL_SIZE, ha="center"))
        return tuple(artists)

    def _draw_axis(self, chart: OpenChart, label: str) -> tuple[Artist, ...]:
        canvas, y = chart.canvas, chart.tops[-1]
        artists = [canvas.line((chart.left, chart.right), (y, y), 0.8)]
        for top in chart.tops[1:-1]:
            ends = (chart.left, chart.right)
            artists.append(canvas.line(ends, (top, top), 0.4, color="0.88", zorder=0.5))
        for share in self.small_ticks:
            x = chart.left + _WIDTH * share
            artists.append(canvas.line((x, x), (y, y + _TICK / 2), 0.5))
        taken = -np.inf  # right end of the last label drawn
        for share, text in self.axis.ticks():
            x, half = chart.left + _WIDTH * share, text_width(text, SMALL_SIZE) / 2
            artists.append(canvas.line((x, x), (y, y + _TICK), 0.8))
            up = (chart.tops[0], y)
            artists.append(canvas.line((x, x), up, 0.4, color="0.88", zorder=0.5))
            if x - half > taken:
                artists.append(canvas.text(x, y + _TICK + LINE / 2, text, SMALL_SIZE, ha="center"))
                taken = x + half + 0.05
        below = y + _TICK + LINE * (1 + (label.count("\n") + 1) / 2) + 0.02
        middle = (chart.left + chart.right) / 2
        artists.append(canvas.text(middle, below, label, SMALL_SIZE, ha="center"))
        return tuple(artists)


@dataclass(slots=True)
class OpenChart:
    """Chart whose rows are yet to be drawn."""

    canvas: Canvas
    axis: Axis
    left: float
    tops: list[float]  # tops of the rows, and the bottom of the last
    about: Sequence[Mark] = ()
    artists: dict[str, tuple[Artist, ...]] = field(default_factory=dict)

    @property
    def right(self) -> float:
        """Right end of the axis."""
        return self.left + _WIDTH

    def x(self, value: float) -> float:
        """Return the horizontal position of a value."""
        return self.left + _WIDTH * float(self.axis.share(np.array([value]))[0])

    def middle(self, row: int) -> float:
        """Return the vertical middle of a row."""
        return (self.tops[row] + self.tops[row + 1]) / 2

    def told(self, row: int, artist: Artist) -> Artist:
        """Mark a part of a row with what a page says of the row, and return it."""
        return marked(artist, self.about[row]) if self.about else artist

    def close(self, alt: str, *, shown: bool) -> Plot:
        """Return the finished chart as a plot."""
        ax = self.canvas.ax
        return Plot(ax.figure, ax, Labelled(self.artists), alt, shown=shown)  # type: ignore[arg-type]
