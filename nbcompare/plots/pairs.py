"""Figure of two algorithms: their scores on each data set."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import format_p, plural, stated_p
from nbcompare._validation import DataError, check_choice, check_count
from nbcompare.plots._live import Mark
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import ACCENT, TINT, Sheet, figure
from nbcompare.plots._text import number_ticks, wrapped
from nbcompare.plots._wording import means
from nbcompare.results import PairComparison
from nbcompare.words import PAIR_TESTS

_WIDTH = 4.4  # of the figure, in inches, and of its axes at most
_MARGIN = 0.06  # extends the axes beyond the outermost scores by this share
# Of points on which the first is better, the second is, and of ties
_POINTS: tuple[dict[str, Any], ...] = (
    {"marker": "o", "color": ACCENT},
    {"marker": "s", "color": "#d55e00", "markerfacecolor": "white"},
    {"marker": "x", "color": "0.35"},
)
_NEAR = 4.0  # points from the middle of a point within which there is no name
_REACHES = (7.0, 11.0, 17.0, 26.0, 38.0)  # points from the middle of a point to its name
# Where a name stands first, beside a point above the diagonal; below it, on the other side
_WAYS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (-1, -1), (1, 0), (0, -1), (1, -1))


def _p_and_test(pair: PairComparison) -> str:
    """Return the p-value of a pair and its test: ``p = 0.0078 (Wilcoxon signed-rank test)``."""
    p = format_p(float(pair.pvalue), float(pair.log10_pvalue))
    return f"{stated_p(p)} ({PAIR_TESTS[pair.test].label})"


def _counts(pair: PairComparison) -> str:
    return (
        f"{pair.first} is better on {pair.wins}, {pair.second} on {pair.losses}, {pair.ties} tied."
    )


@figure
def pair_scatter(
    pair: PairComparison,
    *,
    scale: str = "linear",
    label: int = 0,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the scores of two algorithms against each other, with the line of equal scores.

    The vertical axis shows the score of the first algorithm, the horizontal axis that of the
    second, on the same scale. Filled circles are data sets on which the first is better, hollow
    squares those on which the second is better, and crosses are ties. The side of the diagonal
    on which the first algorithm is better is tinted, unless that differs between data sets.

    Parameters
    ----------
    pair : PairComparison
        Result of :func:`nbcompare.compare_pair`.
    scale : {"linear", "log"}
        Scale of both axes. ``log`` requires scores above 0.
    label : int, default 0
        How many data sets to name: those farthest from the diagonal on the scale drawn, of
        equally distant ones the first in the data. A name that has no room beside its point is
        left out.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``points`` (one per outcome: first better, second better, tied),
        ``diagonal``, ``regions`` (texts above and beside, which say who is better on that side of
        the diagonal, and how often), ``tint``, ``labels`` (names of data sets), ``axis`` and
        ``caption``. Both axes are in units of the measure.

    Raises
    ------
    DataError
        If ``scale`` is "log" and a score is not above 0.
    ValueError
        If ``scale`` is not one of these words, or ``label`` is not an integer of at least 0.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pair = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> plot = nbc.plots.pair_scatter(pair, label=1)
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['lymphography']
    """
    check_result(pair, "pair_scatter", PairComparison)
    log = check_choice(scale, "scale", ("linear", "log")) == "log"
    count = check_count(label, "label", least=0)
    scores, design = np.asarray(pair.scores, dtype=np.float64), pair.design
    if log and not (scores > 0).all():
        row, column = (int(i) for i in np.argwhere(~(scores > 0))[0])
        raise DataError(
            '`scale` must be "linear" unless all scores are above 0; the score of '
            f"{(pair.first, pair.second)[column]!r} on {design.datasets[row]!r} is "
            f"{float(scores[row, column])!r}."
        )
    places = scores[:, ::-1]
    sheet = Sheet(ax, width=_WIDTH, title=title)
    ax, names = sheet.ax, design.datasets
    n = plural(design.n_datasets, "data set")
    better = [f"● {pair.first} better: {pair.wins}", f"□ {pair.second} better: {pair.losses}"]
    sheet.caption(
        f"{design.better}; {n}{f', {pair.ties} tied (×)' if pair.ties else ''}",
        _p_and_test(pair),
        "; ".join(better) if design.turned else "",
    )
    low, high = _limits(places, log=log)
    ax.set(xscale=scale, yscale=scale, xlim=(low, high), ylim=(low, high))
    sheet.add("diagonal", ax.axline((low, low), (high, high), color="0.4", linewidth=1.0))
    about = []
    for row, name in enumerate(names):
        first, second = (means([float(score)])[0] for score in scores[row])
        text = f"{name}: {pair.first} {first}, {pair.second} {second}"
        about.append(Mark(text, (), dataset=name))
    for chosen, style in zip(_outcomes(pair, scores), _POINTS, strict=True):
        points = ax.plot(*places[chosen].T, linestyle="none", markersize=5.5, zorder=4, **style)
        sheet.add("points", points, [about[row] for row in np.flatnonzero(chosen)])
    for axis, name in ((ax.yaxis, pair.first), (ax.xaxis, pair.second)):
        measure = shorten(design.measure or "score", 40, placeholder="…")
        sheet.axis_label(axis, f"{measure} of {name}", share=0.7)
        number_ticks(axis)
    if not design.turned:  # else no side of the diagonal belongs to one algorithm alone
        maximize, room = design.direction == MAXIMIZE, sheet.breadth() - 0.5
        over, beside = (wrapped(text, room) for text in better[:: 1 if maximize else -1])
        known: dict[str, Any] = {"coords": "axes fraction", "ha": "left", "va": "bottom"}
        sheet.text("regions", (0.0, 1.0), over, shift=(0, 4), **known)
        sheet.text("regions", (1.0, 0.0), beside, shift=(4, 0), rotation=90, **known)
        ends = low, high
        tint = ax.fill_between(ends, ends, ends[maximize], color=TINT, linewidth=0, zorder=0)
        sheet.add("tint", tint)
    inches = sheet.breadth()
    number_ticks(ax.xaxis, inches=inches)  # again, for the width that is left
    drawn = np.log10(places) if log else places
    distance = np.abs(drawn[:, 0] - drawn[:, 1])
    # rounding keeps equally distant points in the order of the data
    order = np.argsort(-(distance / (distance.max() or 1.0)).round(12), kind="stable")
    farthest = [int(row) for row in order[:count]]
    for row in farthest:
        text = wrapped(names[row], 0.35 * sheet.width)
        sheet.text("labels", tuple(places[row]), text, ha="center", zorder=5)
    if farthest:
        ax.add_artist(_Leaders(ax, sheet.parts["labels"], places))
    far = f"Farthest from the diagonal: {'; '.join(about[row].title for row in farthest)}."
    what = f"Scatter of {design.measure or 'scores'} of {pair.first} against {pair.second}"
    found = [_counts(pair), *([far] if farthest else [])]
    return sheet.plot(what, *found, height=min(inches, _WIDTH), is_equal=True)


def _limits(scores: FloatArray, *, log: bool) -> tuple[float, float]:
    """Return the ends of both axes: those of the scores and a margin."""
    ends = np.array([scores.min(), scores.max()])
    low, high = (np.log10(ends) if log else ends).tolist()
    spread = high - low
    if spread <= 1e-12 * max(abs(low), abs(high)):  # only rounding noise
        spread = 1.0 if log else abs(high) or 1.0
    low, high = low - _MARGIN * spread, high + _MARGIN * spread
    return (10.0 ** max(low, -307.0), 10.0 ** min(high, 308.0)) if log else (low, high)


def _outcomes(pair: PairComparison, scores: FloatArray) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Return where each algorithm is better, and ties: those counted are the closest pairs."""
    first, second = scores.T
    largest = np.maximum(np.abs(first), np.abs(second))
    largest[largest == 0] = 1.0
    gap = np.abs(first / largest - second / largest)
    tied = np.zeros(len(gap), dtype=np.bool_)
    tied[np.argsort(gap, kind="stable")[: int(pair.ties)]] = True
    better = (first > second) == (pair.design.gain_signs > 0)
    return ~tied & better, ~tied & ~better, tied


class _Leaders(LineCollection):
    """Lines from points to names, which move where they lie on nothing whenever they are drawn."""

    def __init__(self, ax: Axes, labels: Sequence[Any], points: FloatArray) -> None:
        super().__init__([], colors="0.5", linewidths=0.6, transform=IdentityTransform())
        self.inside, self.labels, self.points = ax, labels, points
        self.set_zorder(3.5)
        for artist in (self, *labels):
            artist.set_in_layout(False)

    def draw(self, renderer: Any) -> None:
        ax, pixels, lines = self.inside, renderer.points_to_pixels(1.0), []
        points = ax.transData.transform(self.points)
        taken = np.hstack([points - _NEAR * pixels, points + _NEAR * pixels])
        for label in self.labels:
            at = ax.transData.transform(label.xy)
            label.set_visible(True)  # a hidden one has no size
            half = np.array(Text.get_window_extent(label, renderer).size) / 2
            found = _free(at, half, taken, np.array(ax.bbox.extents), pixels)
            label.set_visible(len(found) > 0)
            for middle in found[:1]:
                label.set_position((middle - at) / pixels)
                taken = np.vstack([taken, np.hstack([middle - half, middle + half])])
                lines.append((at, np.clip(at, middle - half, middle + half)))
        self.set_segments(lines)
        super().draw(renderer)


def _free(
    at: FloatArray, half: FloatArray, taken: FloatArray, inside: FloatArray, pixels: float
) -> FloatArray:
    """Return the middles of free boxes of this size beside a point, the nearest first."""
    side = 1 if at[1] - inside[1] > at[0] - inside[0] else -1  # away from the diagonal
    ways = [side * np.array(way) * (half + r * pixels) for r in _REACHES for way in _WAYS]
    middles: FloatArray = at + np.array(ways)
    low: FloatArray = middles - half - pixels
    high: FloatArray = middles + half + pixels
    within = ((low > inside[:2] + pixels) & (high < inside[2:] - pixels)).all(axis=1)
    beyond = np.maximum(taken[:, :2] - high[:, np.newaxis], low[:, np.newaxis] - taken[:, 2:])
    free: FloatArray = middles[within & (beyond.max(axis=2) > 0).all(axis=1)]
    return free
