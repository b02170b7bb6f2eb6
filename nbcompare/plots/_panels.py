"""Curves of several panels with one legend, or of one with labels at their ends: the layout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare.plots._curves import Panel, Style
from nbcompare.plots._frame import FLOOR, LEAD, Frame, Sheet, draw_line, draw_marks, ticks
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.plots._style import MARGIN, PAD, TICK
from nbcompare.results import Labelled

# All lengths in inches, all font sizes in points.
_ONE, _SEVERAL = (4.6, 3.2), (2.5, 1.9)  # width and height of a panel
_ABREAST = 3  # panels in a row
_NAME_LINE, _NUMBER_LINE = 0.15, 0.13
WRAP = 64  # characters per line of a caption or a legend


class Panels(ABC):
    """Drawing of curves that is measured first and then drawn; subclasses have the words."""

    frame: type[Frame] = Frame

    def __init__(
        self, panels: Sequence[Panel], names: Sequence[str], cutpoints: int | None = None
    ) -> None:
        self.panels, self.names, self.cutpoints = panels, names, cutpoints
        self.several = len(panels) > 1
        if self.several:
            labels = [str(number + 1) for number in range(len(names))]
            line, (width, least) = _NUMBER_LINE, _SEVERAL
        else:
            labels = [wrapped(name) for name in names]
            line, (width, least) = _NAME_LINE, _ONE
        sizes = [line * (label.count("\n") + 1) for label in labels]
        self.titles = [wrapped(p.problem) if self.several else "" for p in panels]
        title = LINE * max(t.count("\n") + 1 for t in self.titles) if self.several else 0.0
        self.sheet = Sheet(
            width=width,
            height=max(least, sum(sizes)),
            title=title,
            styles=[Style.of(number) for number in range(len(names))],
            labels=labels,
            names=names,
            sizes=sizes,
            several=self.several,
            cutpoints=cutpoints,
        )
        floor = FLOOR if any(panel.floor for panel in panels) else 0.0
        numbers = max(text_width(text, SMALL_SIZE) for p in panels for _, text in ticks(p))
        beside = LEAD + max(text_width(label, SMALL_SIZE) for label in labels)
        # half the last label of the axis may extend beyond it
        last = max(text_width(text, SMALL_SIZE) for p in panels for _, text in p.x.ticks()) / 2
        self.left = numbers + TICK + PAD
        self.pitch = self.left + width + max(beside, last) + PAD
        self.fall = title + self.sheet.height + floor + TICK + LINE + 0.14

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self.caption(), Legend(self.legend())
        upright = wrapped(self.measure(), 42 if self.several else 52)
        above = MARGIN + caption_height(caption) + 0.1
        abreast = min(_ABREAST, len(self.panels)) if len(self.panels) != 4 else 2
        down = -(-len(self.panels) // abreast)
        turned = LINE * (upright.count("\n") + 1) + PAD
        content = turned + self.pitch * abreast
        # hinting makes small letters a little wider than measured
        total = max(content, caption_width(caption), 1.04 * legend.least_width) + 2 * MARGIN
        x0 = MARGIN + turned + (total - 2 * MARGIN - content) / 2
        tall = max(self.fall * down, text_width(upright, SMALL_SIZE) + 0.1)
        bottom = above + tall + LINE - 0.06
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, bottom + 0.1 + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        for number, panel in enumerate(self.panels):
            row, column = divmod(number, abreast)
            left = x0 + self.pitch * column + self.left
            frame = self.frame(
                canvas, panel, left, above + self.fall * row + self.sheet.title, self.sheet
            )
            frame.draw(self.titles[number])
        x, y = x0 - turned / 2, above + tall / 2
        axis = self.sheet.artists["axis"]
        axis.append(canvas.text(x, y, upright, SMALL_SIZE, ha="center", rotation=90))
        x = (
            x0
            + (self.pitch * abreast + self.left - (self.pitch - self.left - self.sheet.width)) / 2
        )
        y = bottom - LINE / 2
        axis.append(canvas.text(x, y, self.across(), SMALL_SIZE, ha="center"))
        artists = {name: tuple(found) for name, found in self.sheet.artists.items()}
        artists["legend"] = legend.draw(canvas, MARGIN, bottom + 0.1, room)
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self.alt(), shown=ax is None)  # type: ignore[arg-type]

    def named(self) -> list[Entry]:
        """Return the entries that name the curves, where numbers stand for them in the panels."""
        if not self.several:
            return []
        texts = [wrapped(f"{i}  {name}", WRAP) for i, name in enumerate(self.names, start=1)]
        return [
            Entry(text, _SampleOf(style), Mark(name, (name,)))
            for text, style, name in zip(texts, self.sheet.styles, self.names, strict=True)
        ]

    # -------------------------------------------------------------------------- words

    @abstractmethod
    def caption(self) -> list[str]:
        """Return the lines above the drawing."""

    @abstractmethod
    def legend(self) -> list[Entry]:
        """Return the entries below the drawing."""

    @abstractmethod
    def measure(self) -> str:
        """Name the vertical axis."""

    @abstractmethod
    def across(self) -> str:
        """Name the horizontal axis."""

    @abstractmethod
    def alt(self) -> str:
        """Return the alternative text."""


class _SampleOf:
    """Function that draws a piece of a curve in the legend."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def __call__(self, canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
        line = draw_line(canvas, (x - 0.12, x + 0.12), (y, y), self.style)
        return [line, draw_marks(canvas, np.array([x]), np.array([y]), self.style)]
