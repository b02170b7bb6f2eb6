"""Curves of several algorithms: their styles, which are in colour, and names at their ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox, IdentityTransform

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import FULL, Sheet, room, sample
from nbcompare.plots._text import line_height, number_ticks, wrapped

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
_LEADER = 16.0  # points between the end of a curve and its name


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


def draw_curves(
    sheet: Sheet, ax: Axes, curves: Sequence[Curve], chosen: Collection[str], **more: Any
) -> None:
    """Draw curves, those that are not chosen in grey."""
    sheet.add("bands", [])
    for curve in curves:
        style = (style_of(curve.number) if curve.name in chosen else _OTHERS) | more
        if len(curve.x) <= _FEW:
            style.pop("markevery", None)
        if curve.band is not None and curve.name in chosen:
            alpha = min(0.16, 0.8 / len(chosen))  # lower if many overlap
            known: dict[str, Any] = {"color": style["color"], "alpha": alpha, "linewidth": 0}
            sheet.add("bands", ax.fill_between(curve.x, *curve.band, **known), curve.about)
        sheet.add("curves", ax.plot(curve.x, curve.y, **style), curve.about)


def scale_numbers(ax: Axes, low: float, high: float, *, log: bool) -> None:
    """Set an x axis of evaluations or sizes."""
    ax.set(xscale="log" if log else "linear", xlim=(low, high))
    number_ticks(ax.xaxis, whole=True)


def finish(
    sheet: Sheet,
    curves: Sequence[Curve],
    chosen: Collection[str],
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
    several, abreast = len(sheet.axes) > 1, sheet.abreast
    if not sheet.own:
        height = float(sheet.ax.get_window_extent().height / sheet.figure.dpi)
    height = height or (_SMALL if several else _LARGE)
    for number, ax in enumerate(sheet.axes):
        if not sheet.own or number >= len(sheet.axes) - abreast:
            sheet.axis_label(ax.xaxis, labels[0], share=0.7 / abreast)
        if not sheet.own or number % abreast == 0:
            sheet.axis_label(ax.yaxis, labels[1], share=height / sheet.width)
    sheet.bare("top", "right")
    of = {c.name: (c, line) for c, line in zip(curves, sheet.parts["curves"], strict=True)}
    named = [(curve, cast("Line2D", line)) for curve, line in of.values() if curve.name in chosen]
    rows = sum(wrapped(c.name, _NAMES * sheet.width).count("\n") + 1 for c, _ in named)
    entries: list[Any] = []
    if several or 1.05 * rows * line_height() > (_TALLEST if sheet.own else height):
        for curve, line in named:
            about = Mark(curve.name, (curve.name,)) if several else curve.about
            entries.append((curve.name, line, about))
    elif named:
        _name_ends(sheet, named)
    entries += (explained or {}).items()
    if others := len(of) - len(named):
        grey = sample(_OTHERS["color"], linewidth=_OTHERS["linewidth"])
        entries.append((plural(others, f"other {what}"), grey))
    sheet.legend(*entries)
    return sheet.plot(*told, sheet.said("curves", most=_MOST_TOLD), height=height)


def _name_ends(sheet: Sheet, named: Sequence[tuple[Curve, Line2D]]) -> None:
    """Write the name of each curve beside its end, with its marker, apart from one another."""
    x, y = (axis.get_transform() for axis in (sheet.ax.xaxis, sheet.ax.yaxis))
    ends = [(curve.x[-1], curve.y[-1]) for curve, _ in named]
    # of curves that end together, the one that was higher before stands higher
    areas = [np.nansum(np.diff(x.transform(c.x)) * y.transform(c.y)[:-1]) for c, _ in named]
    nudge = 1e-6 * np.ptp(y.transform(sheet.ax.get_ylim())) * np.argsort(np.argsort(areas))
    at = y.inverted().transform(y.transform(np.array([end for _, end in ends])) + nudge)
    labels, marks = [], []
    for (curve, line), (place, _), end in zip(named, ends, at.tolist(), strict=True):
        text = wrapped(curve.name, _NAMES * sheet.width)
        style: dict[str, Any] = {"shift": (_LEADER, 0.0), "ha": "left"}
        label = sheet.text("labels", (float(place), end), text, curve.about, **style)
        label.set_in_layout(False)  # what stands for them does not depend on their places
        labels.append(label)
        mark = Line2D([], [], linestyle="none", transform=IdentityTransform(), clip_on=False)
        mark.set(color=line.get_color(), marker=line.get_marker(), markersize=line.get_markersize())
        mark.set(markerfacecolor=line.get_markerfacecolor(), in_layout=False)
        sheet.ax.add_artist(mark)
        marks.append(mark)
    sheet.ax.add_artist(Leaders(labels, [line.get_color() for _, line in named], marks))
    rows = sum(label.get_text().count("\n") + 1 for label in labels)
    sheet.least = max(sheet.least, 1.05 * rows * line_height() + 0.02 * len(labels))


class Leaders(LineCollection):
    """Lines from ends of curves to names, which move apart for the limits that the axes have."""

    def __init__(
        self, labels: Sequence[Annotation], colors: Sequence[Any], marks: Sequence[Line2D]
    ) -> None:
        super().__init__([], colors=list(colors), linewidths=0.7, transform=IdentityTransform())
        self.labels, self.marks = labels, marks
        self.set_zorder(-10)  # drawn before the labels
        self.set_clip_on(False)  # else the layout passes over it

    def get_tightbbox(self, renderer: Any = None) -> Bbox:
        """Return the room that the labels take beside the axes, for the layout."""
        box, points, ends = self._measured()
        ends[:, 0] = np.minimum(ends[:, 0], box.x1)
        wide = [Text.get_window_extent(label, renderer).width for label in self.labels]
        right = max(end + _LEADER * points + it for end, it in zip(ends[:, 0], wide, strict=True))
        middle = (box.y0 + box.y1) / 2
        return Bbox.from_extents(ends[:, 0].max(), middle, right, middle + 1)

    get_window_extent = get_tightbbox

    def _measured(self) -> tuple[Bbox, float, FloatArray]:
        """Return the box of the axes, a point in pixels, and the ends of the curves."""
        ax = cast("Axes", self.axes)
        points = cast("Figure", ax.get_figure(root=True)).dpi / 72
        return ax.bbox, points, ax.transData.transform([label.xy for label in self.labels])

    def draw(self, renderer: Any) -> None:
        box, points, places = self._measured()
        true_xs, ends = places.T
        xs = np.minimum(true_xs, box.x1)  # the names stay beside axes that a reader cuts
        sizes = [Text.get_window_extent(it, renderer).height + points for it in self.labels]
        # never higher or lower than the axes, if all have room there
        spare = max(0.0, sum(sizes) - box.height) / 2
        heights = spread(list(ends), sizes, (box.y0 - spare, box.y1 + spare))
        gap = (_LEADER - 9) * points
        for label, mark, back, x, end, at in zip(
            self.labels, self.marks, xs - true_xs, xs, ends, heights, strict=True
        ):
            label.set_position((_LEADER + back / points, (at - end) / points))
            mark.set_data([x + gap + 2.5 * points], [at])
        self.set_segments(
            [((x, y), (x + gap, at)) for x, y, at in zip(xs, ends, heights, strict=True)]
        )
        super().draw(renderer)


def spread(
    wanted: Sequence[float], sizes: Sequence[float], ends: tuple[float, float]
) -> list[float]:
    """Return middles near those wanted, so that items of these sizes do not overlap.

    Neighbours that would touch are moved as a group, by as little as possible.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], [0.2, 0.2, 0.2], (0.0, 1.0))
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
    return [float(value) for value in found]


def joined(*parts: str) -> str:
    """Return a line of a caption of the parts that are not empty."""
    return "; ".join(filter(None, parts))


def runs_text(counts: Any) -> str:
    """Say how many runs there are, where numbers may differ."""
    least, most = int(np.min(counts)), int(np.max(counts))
    return plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
