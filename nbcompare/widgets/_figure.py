"""LiveFigure: a figure whose parts say what they are, and can be chosen by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from matplotlib.lines import Line2D

from nbcompare._display import current
from nbcompare.plots import Plot
from nbcompare.report.page.figures import Figures
from nbcompare.widgets._elements import Element
from nbcompare.widgets._html import LEAST_SHARE, address, width_of
from nbcompare.widgets._model import Pick

_MOST_LETTERS = 3_000_000  # of a drawing; a page would become slow
_DPI = 96  # pixels of a page in an inch
_SHRINKS = 0.85  # to this share of its size, a figure is scaled rather than drawn anew

# What can be done with a part that is about some algorithms and a data set
Offer = Callable[[tuple[str, ...], str], Sequence[Pick]]


def _nothing(_names: tuple[str, ...], _dataset: str) -> Sequence[Pick]:
    return ()


class LiveFigure(Element):
    """A figure in the page of a notebook, with text as text; a picture where that cannot be.

    Call :meth:`show` to draw, and :meth:`offer` to say what can be done with its parts.

    Parameters
    ----------
    on_pick : callable
        Told of what a person chose to do.
    """

    kind = "figure"
    # Drawing as SVG, and the theme that was chosen for figures; or the address of a picture
    drawing: Mapping[str, Any] = {}
    # Lists of what can be done, and for each mark of the drawing the place of its list
    picks: Mapping[str, Any] = {}
    selected: Sequence[str] = ()  # the names of the pair that is looked at
    room: float = 0.0  # pixels that the page has for its width, 0 until the page says so
    heard: ClassVar[Mapping[str, Any]] = {"room": (int, float)}

    def __init__(self, on_pick: Callable[[Pick], None] = lambda _: None) -> None:
        super().__init__(act=self._fit)
        self._on_pick = on_pick
        self._shown: Plot | None = None
        self._width = 0.0  # for which it was drawn anew, in pixels; 0 for its own
        self._offer: Offer = _nothing
        self._number = 0  # of drawings
        # The algorithms and the data set, if any, that each mark is about
        self._marks: list[tuple[tuple[str, ...], str]] = []
        self._offered: list[Sequence[Pick]] = []

    def show(self, plot: Plot) -> None:
        """Draw a figure in the place of the last one, unless it is the same."""
        if plot is not self._shown:
            self._shown, self._offer = plot, _nothing
            self._draw(plot)

    def _fit(self, _room: float) -> None:
        """Draw the figure anew if it can be narrower, so that its texts stay as large as they are.

        Else it shrinks to some extent, and then it can be scrolled.
        """
        if self._shown is not None and self._width != self._wanted(self._shown):
            self._draw(self._shown)
            self.offer(self._offer)

    def _wanted(self, plot: Plot) -> float:
        """Return the width in pixels for which a figure is to be drawn anew; 0 for its own."""
        is_wide = self.room < _SHRINKS * plot.figure.get_size_inches()[0] * _DPI
        return float(self.room) if self.room and is_wide and plot.narrower is not None else 0.0

    def _draw(self, whole: Plot) -> None:
        self._width = self._wanted(whole)
        narrow = whole.narrower(self._width / _DPI) if whole.narrower and self._width else None
        plot = narrow or whole
        record = plot.record()
        drawing = None if record is None else self._drawn(record, plot.alt)
        if drawing is None or record is None:
            self._marks, drawing = [], _picture(plot)
        else:
            names = record["names"]
            self._marks = [
                (tuple(names[one] for one in mark["of"]), str(mark.get("dataset", "")))
                for mark in record["marks"]
            ]
        self._offered = []
        self._number += 1
        drawing["number"] = self._number
        drawing["level"] = _level_in(plot)
        self.picks, self.drawing = {}, drawing

    def as_picture(self) -> str:
        """Return the drawing as a picture by itself, whose text is text; empty without one."""
        svg = str(self.drawing.get("svg", ""))
        return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def offer(self, picks: Offer) -> None:
        """Say what can be done with each part, by the algorithms and data set that it is about."""
        self._offer = picks
        self._offered = [picks(*about) if any(about) else () for about in self._marks]
        # most parts are offered the same: each list is sent once
        lists: dict[tuple[Any, ...], int] = {}
        of = [
            lists.setdefault(
                tuple((one.label, one.refusal, one.at_once) for one in offer), len(lists)
            )
            for offer in self._offered
        ]
        self.picks = {"lists": [list(map(list, entries)) for entries in lists], "of": of}

    def hear(self, message: dict[str, Any], buffers: Sequence[Any]) -> None:
        """Take a choice, unless the figure has changed since it was offered."""
        match message:
            case {"level": float(level)} if 0 < level < 1:
                self._on_pick(Pick("", "alpha", level))
            case {"pick": [int(drawn), int(place), int(number)]} if drawn == self._number:
                offered = self._offered[place] if 0 <= place < len(self._offered) else ()
                if 0 <= number < len(offered) and not offered[number].refusal:
                    self._on_pick(offered[number])

    def _drawn(self, record: dict[str, Any], alt: str) -> dict[str, Any] | None:
        try:
            svg = Figures(prefix=f"f{self.id}-").drawing(record, alt)
        except ValueError:  # larger than a page should hold
            return None
        if len(svg) > _MOST_LETTERS:
            return None
        return {
            "svg": svg,
            "theme": current().theme,
            "least": round(LEAST_SHARE * width_of(svg)),
        }


def _level_in(plot: Plot) -> dict[str, float]:
    """Return where the line of alpha stands on an axis of p, in points; empty without one.

    ``decade`` is the length of a factor of ten.
    """
    lines = [it for it in plot.artists.get("line", ()) if isinstance(it, Line2D)]
    ax = lines[0].axes if lines else None
    if ax is None or ax.get_xscale() != "log":
        return {}
    alpha = float(np.asarray(lines[0].get_xdata())[0])
    (x, _), (further, _) = ax.transData.transform([(alpha, 0.0), (10 * alpha, 0.0)])
    height = plot.figure.bbox.height
    places = {"x": x, "decade": further - x, "top": height - ax.bbox.y1, "end": height - ax.bbox.y0}
    points = 72 / plot.figure.dpi
    return {"alpha": alpha} | {name: float(place) * points for name, place in places.items()}


def _picture(plot: Plot) -> dict[str, Any]:
    """Return a figure as a picture, which is all there is of one with too many parts."""
    svg = plot.drawing()
    return {
        "picture": address(svg),
        "alt": plot.alt,
        "least": round(LEAST_SHARE * width_of(svg)),
    }
