"""Curves of several algorithms: their styles, which are in colour, and names at their ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

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
    needed = _LINE * rows * line_height()
    entries: list[Any] = []
    if several or needed > (_TALLEST if sheet.own else height):
        for curve, line in named:
            about = Mark(curve.name, (curve.name,)) if several else curve.about
            entries.append((curve.name, line, about))
    elif named:
        height = max(height, needed)
        _name_ends(sheet, named, height)
    entries += (explained or {}).items()
    if others := len(of) - len(named):
        grey = sample(_OTHERS["color"], linewidth=_OTHERS["linewidth"])
        entries.append((plural(others, f"other {what}"), grey))
    sheet.legend(*entries)
    return sheet.plot(*told, sheet.said("curves", most=_MOST_TOLD), height=height)


def _name_ends(sheet: Sheet, named: Sequence[tuple[Curve, Line2D]], height: float) -> None:
    """Write the name of each curve beside its end, with its marker, apart from one another.

    ``height`` is that of the axes in inches.
    """
    ax, texts = sheet.ax, [wrapped(curve.name, _NAMES * sheet.width) for curve, _ in named]
    x, y = ax.xaxis.get_transform(), ax.yaxis.get_transform()
    low, high = y.transform(ax.get_ylim())
    ends = 72 * height * (y.transform([curve.y[-1] for curve, _ in named]) - low) / (high - low)
    # of curves that end together, the one that was higher before stands higher
    areas = [np.nansum(np.diff(x.transform(c.x)) * y.transform(c.y)[:-1]) for c, _ in named]
    wanted = ends + 1e-4 * np.argsort(np.argsort(areas))
    sizes = [72 * _LINE * (text.count("\n") + 1) * line_height() for text in texts]
    # never higher or lower than the axes, if all have room there
    spare = max(0.0, sum(sizes) - 72 * height) / 2
    places = spread(wanted.tolist(), sizes, (-spare, 72 * height + spare))
    for (curve, line), text, up in zip(named, texts, places - ends, strict=True):
        at, shift = (1.0, float(curve.y[-1])), (_LEADER, float(up))
        leader: dict[str, Any] = {"arrowstyle": "-", "color": line.get_color(), "linewidth": 0.7}
        leader |= {"shrinkA": 9.0, "shrinkB": 0.0, "relpos": (0.0, 0.5)}
        style: dict[str, Any] = {"coords": ("axes fraction", "data"), "annotation_clip": True}
        style |= {"shift": shift, "ha": "left", "arrowprops": leader}
        sheet.text("labels", at, text, curve.about, **style)
        beside = offset_copy(ax.get_yaxis_transform(), sheet.figure, shift[0] - 6.5, up, "points")
        mark = style_of(curve.number, linestyle="none", markevery=None)
        ax.plot(*at, transform=beside, clip_on=False, **mark)


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
