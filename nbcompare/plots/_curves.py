"""Curves of several algorithms: their styles, which are in colour, and their names."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import FULL, Sheet, room, sample
from nbcompare.plots._text import line_height, wrapped
from nbcompare.plots._ticks import number_text

# Okabe and Ito's colours without yellow, which is hard to see on white. Seven colours and six
# dash patterns give 42 combinations; the marks distinguish twelve curves without colour.
_COLORS = ("#0072b2", "#d55e00", "#000000", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_DASHES = ((), (5, 2), (1.5, 1.5), (7, 2, 1.5, 2), (9, 3), (3, 1.5, 1, 1.5, 1, 1.5))
_SHAPES = "os^Dv*"
_OTHERS: dict[str, Any] = {"color": "0.75", "linewidth": 0.8, "zorder": 1.5}
_MOST, _BEST = 12, 6  # curves in colour; of more, only the best
_FEW = 9  # points of a curve that all have marks
_WIDTH = 5.4  # of figures of one panel, in inches
_SMALL, _LARGE = 1.7, 2.6  # height of axes, of several panels and of one
_NAMES, _TALLEST = 0.3, 4.6  # share of the width for names beside curves, and inches of them


class Style(NamedTuple):
    """Colour, dashes and marks that distinguish a curve from others."""

    color: str
    dashes: tuple[float, ...]
    shape: str
    filled: bool
    number: int

    @classmethod
    def of(cls, i: int) -> Style:
        """Return the style of a curve, numbered from 0."""
        return cls(_COLORS[i % 7], _DASHES[i % 6], _SHAPES[i % 6], i // 6 % 2 == 0, i)

    def drawn(self) -> dict[str, Any]:
        """Return how Matplotlib draws the curve; marks are shifted a little from curve to curve."""
        return {
            "color": self.color,
            "linestyle": (0, self.dashes) if self.dashes else "-",
            "linewidth": 1.6,
            "marker": self.shape,
            "markersize": 4.5,
            "markerfacecolor": self.color if self.filled else "white",
            "markevery": (0.04 + 0.2 * (self.number * 0.382 % 1), 0.25),
        }


class Curve(NamedTuple):
    """Curve of an algorithm, its number among all, what a page says of it, and its band."""

    name: str
    number: int
    x: FloatArray
    y: FloatArray
    about: Mark
    band: FloatArray | None = None  # lower and upper ends


def in_color(
    best_first: Sequence[str], what_best: str, highlight: Iterable[str] | None = None
) -> tuple[frozenset[str], str]:
    """Return the names to draw in colour, of too many the best, and a phrase for the caption."""
    if highlight is not None or len(best_first) <= _MOST:
        return frozenset(best_first if highlight is None else highlight), ""
    return frozenset(best_first[:_BEST]), f"in colour: the {_BEST} {what_best}"


def small_panels(ax: Axes | Iterable[Axes] | None, names: Sequence[str], *, title: bool) -> Sheet:
    """Return a sheet with a panel for each name, or a larger one for a single name."""
    n = len(names)
    abreast = 2 if n == 4 else min(n, 3, int(room(FULL) / 1.7))
    width = _WIDTH if n == 1 else 2.5 * min(n, 3)
    sheet = Sheet(ax, width=width, panels=n, abreast=abreast, title=title)
    for panel, name in zip(sheet.axes, names if n > 1 else (), strict=n > 1):
        sheet.panel_title(panel, name)
    return sheet


def axes_height(sheet: Sheet) -> float:
    """Return how high axes are, or will be, in inches."""
    if sheet.own:
        return _LARGE if len(sheet.axes) == 1 else _SMALL
    return float(sheet.ax.get_window_extent().height / sheet.figure.dpi)


def draw_curves(
    sheet: Sheet, ax: Axes, curves: Sequence[Curve], chosen: Collection[str], **more: Any
) -> None:
    """Draw curves, those that are not chosen in grey."""
    sheet.add("bands", [])
    for curve in curves:
        style = (Style.of(curve.number).drawn() if curve.name in chosen else _OTHERS) | more
        if len(curve.x) <= _FEW:
            style.pop("markevery", None)
        if curve.band is not None and curve.name in chosen:
            alpha = min(0.16, 0.8 / len(chosen))  # lower if many overlap
            known: dict[str, Any] = {"color": style["color"], "alpha": alpha, "linewidth": 0}
            sheet.add("bands", ax.fill_between(curve.x, *curve.band, **known), curve.about)
        sheet.add("curves", ax.plot(curve.x, curve.y, **style), curve.about)


def scale_evaluations(ax: Axes, low: float, high: float, *, log: bool) -> None:
    """Set the axis of evaluations, with round numbers between powers of ten that are few."""
    inches = ax.get_window_extent().width / ax.get_figure(root=True).dpi  # type: ignore[union-attr]
    if log:
        ax.set_xscale("log")
        decades = math.log10(high / low)
        steps = (1, 2, 5) if 1.5 * decades < inches else (1, 3)[: 1 + (decades < inches)]
        ax.xaxis.set(major_locator=LogLocator(subs=steps), minor_locator=NullLocator())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(max(int(inches / 0.7), 2)))
    ax.xaxis.set_major_formatter(number_text)
    ax.set_xlim(low, high)


def finish(
    sheet: Sheet,
    curves: Sequence[Curve],
    chosen: Collection[str],
    labels: tuple[str, str],
    alt: str,
    *,
    height: float | None = None,
    explained: Mapping[str, Artist] | None = None,
    ends: Mapping[str, tuple[float, float]] | None = None,
    what: str = "algorithm",
) -> Plot:
    """Name the axes and the chosen curves, explain other symbols, and return the plot.

    Of panels of a new figure, the outer axes have names. Those of curves are in the legend if
    there are several panels, or too many of them; else at their last points, or the ends given.
    """
    several, abreast = len(sheet.axes) > 1, math.ceil(len(sheet.axes) / sheet.down)
    height = height if height and sheet.own else axes_height(sheet)
    for number, ax in enumerate(sheet.axes):
        if not sheet.own or number >= len(sheet.axes) - abreast:
            sheet.axis_label(ax.xaxis, labels[0], share=0.7 / abreast)
        if not sheet.own or number % abreast == 0:
            sheet.axis_label(ax.yaxis, labels[1], share=height / sheet.width)
    sheet.bare("top", "right")
    of = {c.name: (c, line) for c, line in zip(curves, sheet.parts["curves"], strict=True)}
    named = [(curve, line) for curve, line in of.values() if curve.name in chosen]
    rows = sum(wrapped(c.name, _NAMES * sheet.width).count("\n") + 1 for c, _ in named)
    most = _TALLEST if sheet.own else height
    entries: list[tuple[str, Artist, Mark | None]] = []
    if several or 1.05 * rows * line_height() > most:
        for curve, line in named:
            about = Mark(curve.name, (curve.name,)) if several else curve.about
            entries.append((curve.name, line, about))
    else:
        _name_ends(sheet, named, ends or {})
    entries += [(text, artist, None) for text, artist in (explained or {}).items()]
    if others := len(of) - len(named):
        grey = sample(_OTHERS["color"], linewidth=_OTHERS["linewidth"])
        entries.append((plural(others, f"other {what}"), grey, None))
    texts, handles, marks = zip(*entries, strict=True) if entries else ((), (), ())
    sheet.legend(handles, texts, marks)
    return sheet.plot(alt, height=height)


def _name_ends(
    sheet: Sheet,
    named: Sequence[tuple[Curve, Any]],
    given: Mapping[str, tuple[float, float]],
) -> None:
    x, y = (axis.get_transform() for axis in (sheet.ax.xaxis, sheet.ax.yaxis))
    ends = [given.get(curve.name, (curve.x[-1], curve.y[-1])) for curve, _ in named]
    # of curves that end together, the one that was higher before stands higher
    areas = [np.nansum(np.diff(x.transform(c.x)) * y.transform(c.y)[:-1]) for c, _ in named]
    nudge = 1e-6 * np.ptp(y.transform(sheet.ax.get_ylim())) * np.argsort(np.argsort(areas))
    at = y.inverted().transform(y.transform(np.array([end for _, end in ends])) + nudge)
    sheet.end_labels(
        [(float(place), float(end)) for (place, _), end in zip(ends, at, strict=True)],
        [curve.name for curve, _ in named],
        [line.get_color() for _, line in named],
        [curve.about for curve, _ in named],
        share=_NAMES,
        lines=[line for _, line in named],
    )


def joined(*parts: str) -> str:
    """Return a line of a caption of the parts that are not empty."""
    return "; ".join(filter(None, parts))


def listed(items: Sequence[str], apart: str = ", ", most: int = 12) -> str:
    """Join words of an alternative text, of which there may be too many."""
    more = [f"{len(items) - most} more"] if len(items) > most else []
    return apart.join([*items[:most], *more])


def runs_text(counts: Any) -> str:
    """Say how many runs there are, where numbers may differ."""
    least, most = int(np.min(counts)), int(np.max(counts))
    return plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
