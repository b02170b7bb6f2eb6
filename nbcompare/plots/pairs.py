"""Figure of two algorithms: their scores on each data set."""

from __future__ import annotations

from textwrap import shorten
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import format_p, plural, stated_p
from nbcompare._validation import DataError, check_choice
from nbcompare.plots._plot import Mark, Plot
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


def _p_and_test(pair: PairComparison) -> str:
    """Return the p-value of a pair and its test: ``p = 0.0078 (Wilcoxon signed-rank test)``."""
    p = format_p(float(pair.pvalue), float(pair.log10_pvalue))
    return f"{stated_p(p)} ({PAIR_TESTS[pair.test].label})"


def _counts(pair: PairComparison) -> str:
    return (
        f"{pair.first} is better on {pair.wins}, {pair.second} on {pair.losses}, {pair.ties} tied."
    )


@figure(PairComparison)
def pair_scatter(
    pair: PairComparison,
    *,
    scale: str = "linear",
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
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``points`` (one per outcome: first better, second better, tied),
        ``diagonal``, ``regions`` (texts above and beside, which say who is better on that side of
        the diagonal, and how often), ``tint``, ``axis`` and ``caption``. Both axes are in units of
        the measure, so that ``plot.ax.annotate`` names a data set.

    Raises
    ------
    DataError
        If ``scale`` is "log" and a score is not above 0.
    ValueError
        If ``scale`` is not one of these words.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pair = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> plot = nbc.plots.pair_scatter(pair)
    >>> [len(points.get_xdata()) for points in plot.artists["points"]]
    [10, 2, 2]
    """
    log = check_choice(scale, "scale", ("linear", "log")) == "log"
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
    what = f"Scatter of {design.measure or 'scores'} of {pair.first} against {pair.second}"
    return sheet.plot(what, _counts(pair), height=min(inches, _WIDTH), is_equal=True)


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
