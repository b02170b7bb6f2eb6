"""Curves of several algorithms: their styles, which are in colour, and names at their ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import FULL, Sheet, room, sample
from nbcompare.plots._text import line_height, number_ticks, text_width, wrapped

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
_MOST_TOLD = 24  # curves in an alternative text
_LEADER, _LINE = 16.0, 1.1  # points between a curve and its name, and a line of the names


class Curve(NamedTuple):
    """Curve of an algorithm, its number among all, what a page says of it, and its band."""

    name: str
    number: int
    x: FloatArray
    y: FloatArray
    about: Mark
    band: FloatArray | None = None  # lower and upper ends


def style_of(number: int, **more: Any) -> dict[str, Any]:
    """Return how Matplotlib draws a curve; marks are shifted a little from curve to curve."""
    color, dashes = _COLORS[number % 7], _DASHES[number % 6]
    return {
        "color": color,
        "linestyle": (0, dashes) if dashes else "-",
        "linewidth": 1.6,
        "marker": _SHAPES[number % 6],
        "markersize": 4.5,
        "markerfacecolor": color if number // 6 % 2 == 0 else "white",
        "markevery": (0.04 + 0.2 * (number * 0.382 % 1), 0.25),
    } | more


class Curves(Sheet):
    """Sheet with a panel for each of some names, and curves of which some are in colour.

    Parameters
    ----------
    ax : Axes, iterable of Axes or None
        Where to draw.
    panels : sequence of str
        Their names, which are titles if there are several.
    title : bool
        Whether the caption is written.
    width : float, optional
        Width of a new figure in inches.
    abreast : int, optional
        How many panels stand in a row.
    """

    def __init__(
        self,
        ax: Axes | Iterable[Axes] | None,
        panels: Sequence[str],
        *,
        title: bool,
        width: float | None = None,
        abreast: int | None = None,
    ) -> None:
        n = len(panels)
        width = width or (_WIDTH if n == 1 else 2.5 * min(n, 3))
        abreast = abreast or (2 if n == 4 else min(n, 3, int(room(FULL) / 1.7)))
        super().__init__(ax, width=width, panels=n, abreast=abreast, title=title)
        for panel, name in zip(self.axes, panels, strict=True):
            if name and n > 1:
                self.panel_title(panel, name)
        self.chosen: Collection[str] = ()
        self.drawn: list[Curve] = []

    def color(
        self, best_first: Sequence[str], what_best: str, highlight: Iterable[str] | None = None
    ) -> str:
        """Choose the curves in colour, of too many the best, and return a phrase about them."""
        if highlight is not None or len(best_first) <= _MOST:
            self.chosen = frozenset(best_first if highlight is None else highlight)
            return ""
        self.chosen = frozenset(best_first[:_BEST])
        return f"in colour: the {_BEST} {what_best}"

    def draw(self, ax: Axes, curves: Sequence[Curve], **more: Any) -> None:
        """Draw curves, those that are not chosen in grey."""
        self.drawn += curves
        self.add("bands", [])
        for curve in curves:
            style = (style_of(curve.number) if curve.name in self.chosen else _OTHERS) | more
            if len(curve.x) <= _FEW:
                style.pop("markevery", None)
            if curve.band is not None and curve.name in self.chosen:
                alpha = min(0.16, 0.8 / len(self.chosen))  # lower if many overlap
                known: dict[str, Any] = {"color": style["color"], "alpha": alpha, "linewidth": 0}
                self.add("bands", ax.fill_between(curve.x, *curve.band, **known), curve.about)
            self.add("curves", ax.plot(curve.x, curve.y, **style), curve.about)

    def finish(
        self,
        labels: tuple[str, str],
        *told: str,
        height: float | None = None,
        explained: Mapping[str, Artist] | None = None,
        what: str = "algorithm",
    ) -> Plot:
        """Name the axes and the chosen curves, explain other symbols, and return the plot.

        Of panels of a new figure, the outer axes have names. Those of curves are in the legend if
        there are several panels, or too many of them; else at their last points.
        """
        several = len(self.axes) > 1
        height = height or (_SMALL if several else _LARGE)
        if not self.own:
            height = float(self.ax.get_window_extent().height / self.figure.dpi)
        for number, ax in enumerate(self.axes):
            if not self.own or number >= len(self.axes) - self.abreast:
                self.axis_label(ax.xaxis, labels[0], share=0.7 / self.abreast)
            if not self.own or number % self.abreast == 0:
                self.axis_label(ax.yaxis, labels[1], share=height / self.width)
        self.bare("top", "right")
        of = {c.name: (c, it) for c, it in zip(self.drawn, self.parts["curves"], strict=True)}
        named = [(curve, line) for curve, line in of.values() if curve.name in self.chosen]
        rows = sum(wrapped(c.name, _NAMES * self.width).count("\n") + 1 for c, _ in named)
        needed = _LINE * rows * line_height()
        entries: list[Any] = []
        if several or needed > (_TALLEST if self.own else height):
            for curve, line in named:
                about = Mark(curve.name, (curve.name,)) if several else curve.about
                entries.append((curve.name, line, about))
        elif named:
            height = max(height, needed)
            _name_ends(self, [curve for curve, _ in named], height)
        entries += (explained or {}).items()
        if others := len(of) - len(named):
            grey = sample(_OTHERS["color"], linewidth=_OTHERS["linewidth"])
            entries.append((plural(others, f"other {what}"), grey))
        self.legend(*entries)
        return self.plot(*told, self.said("curves", most=_MOST_TOLD), height=height)


def scale_numbers(ax: Axes, low: float, high: float, *, log: bool) -> None:
    """Set an x axis of evaluations or sizes."""
    ax.set(xscale="log" if log else "linear", xlim=(low, high))
    number_ticks(ax.xaxis, whole=True)


def _name_ends(sheet: Sheet, curves: Sequence[Curve], height: float) -> None:
    """Write the name of each curve beside its end, with its marker, apart from one another.

    ``height`` is that of the axes in inches.
    """
    ax, texts = sheet.ax, [wrapped(curve.name, _NAMES * sheet.width) for curve in curves]
    x, y = ax.xaxis.get_transform(), ax.yaxis.get_transform()
    low, high = y.transform(ax.get_ylim())
    ends = 72 * height * (y.transform([curve.y[-1] for curve in curves]) - low) / (high - low)
    # of curves that end together, the one that was higher before stands higher
    areas = [np.nansum(np.diff(x.transform(c.x)) * y.transform(c.y)[:-1]) for c in curves]
    wanted = ends + 1e-4 * np.argsort(np.argsort(areas))
    sizes = [72 * _LINE * (text.count("\n") + 1) * line_height() for text in texts]
    places = spread(wanted.tolist(), sizes, (0.0, 72 * height))
    widest = max(texts, key=text_width)  # the layout needs no other one, and is faster without
    for curve, text, up in zip(curves, texts, places - ends, strict=True):
        at, shift = (1.0, float(curve.y[-1])), (_LEADER, float(up))
        mark = style_of(curve.number, linestyle="none", markevery=None)
        leader: dict[str, Any] = {"arrowstyle": "-", "color": mark["color"], "linewidth": 0.7}
        leader |= {"shrinkA": 9.0, "shrinkB": 0.0, "relpos": (0.0, 0.5)}
        style: dict[str, Any] = {"coords": ("axes fraction", "data"), "annotation_clip": True}
        style |= {"shift": shift, "ha": "left", "arrowprops": leader}
        label = sheet.text("labels", at, text, curve.about, **style)
        label.set_in_layout(text == widest)
        beside = offset_copy(ax.get_yaxis_transform(), sheet.figure, shift[0] - 6.5, up, "points")
        ax.plot(*at, transform=beside, clip_on=False, in_layout=False, **mark)


def spread(
    wanted: Sequence[float], sizes: Sequence[float], ends: tuple[float, float]
) -> FloatArray:
    """Return middles near those wanted, so that items of these sizes do not overlap.

    Neighbours that would touch are moved as a group, by as little as possible.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], [0.2, 0.2, 0.2], (0.0, 1.0)).tolist()
    [0.4, 0.6, 0.9]
    """
    from scipy.optimize import isotonic_regression  # slow to import

    order = np.argsort(np.asarray(wanted, dtype=np.float64), kind="stable")
    size = np.asarray(sizes, dtype=np.float64)[order]
    before = np.concatenate([[0.0], np.cumsum(size)[:-1]])
    # middles less the room of those before them must not decrease
    starts = isotonic_regression(np.asarray(wanted)[order] - before - size / 2).x
    starts = np.clip(starts, ends[0], max(ends[0], ends[1] - size.sum()))
    found = np.empty(len(order))
    found[order] = (starts + before + size / 2).round(9)
    return found


def joined(*parts: str) -> str:
    """Return a line of a caption of the parts that are not empty."""
    return "; ".join(filter(None, parts))


def runs_text(counts: Any) -> str:
    """Say how many runs there are, where numbers may differ."""
    least, most = int(np.min(counts)), int(np.max(counts))
    return plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
