"""Figures of two algorithms: their scores on each data set, and what a posterior says of them."""

from __future__ import annotations

import math
from textwrap import shorten
from typing import Any, NamedTuple, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.transforms import Affine2DBase, AffineDeltaTransform

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import format_p, format_rounded, plural, stated_p
from nbcompare._validation import DataError, check_choice
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import ACCENT, LIGHT, TINT, Sheet, figure
from nbcompare.plots._text import number_ticks, wrapped
from nbcompare.results import BayesianComparison, PairComparison
from nbcompare.results.bayesian import FIRST, SECOND, pair_text
from nbcompare.results.hypotheses import EQUIVALENT
from nbcompare.words import PAIR_TESTS

_WIDTH = 4.4  # of the figure, in inches, and of its axes at most
_MARGIN = 0.06  # extends the axes beyond the outermost scores by this share
# Of points on which the first is better, the second is, and of ties
_POINTS: tuple[dict[str, Any], ...] = (
    {"marker": "o", "color": ACCENT},
    {"marker": "s", "color": "#d55e00", "markerfacecolor": "white"},
    {"marker": "x", "color": "0.35"},
)
_TRIANGLE = 4.4  # inches, width of the figure
_WIDE, _HEIGHT = 4.8, 1.6  # of the figure and its axes, with a density
_TALL = math.sqrt(3) / 2  # height of a triangle of side 1
_CORNERS = np.array([[1.0, 0.0], [0.0, 0.0], [0.5, _TALL]])  # of a, of b and of equivalence
_COLORS = LinearSegmentedColormap.from_list("draws", ["#deebf7", "#6baed6", "#08306b"])
_BAND = "0.89"
_REACH, _N_POINTS = 4.5, 301  # a density extends so many scales beyond its middle
_BORDER: dict[str, Any] = {"color": "0.25", "linewidth": 0.9, "linestyle": (0, (4, 2))}


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
    p = format_p(float(pair.pvalue), float(pair.log10_pvalue))
    better = [f"● {pair.first} better: {pair.wins}", f"□ {pair.second} better: {pair.losses}"]
    sheet.caption(
        f"{design.better}; {n}{f', {pair.ties} tied (×)' if pair.ties else ''}",
        f"{stated_p(p)} ({PAIR_TESTS[pair.test].label})",
        "; ".join(better) if design.turned else "",
    )
    ax.set(xscale=scale, yscale=scale)
    ax.margins(_MARGIN)
    about = []
    for row, name in enumerate(names):
        first, second = map(format_rounded, scores[row].tolist())
        text = f"{name}: {pair.first} {first}, {pair.second} {second}"
        about.append(Mark(text, (), dataset=name))
    for chosen, style in zip(_outcomes(pair, scores), _POINTS, strict=True):
        points = ax.plot(*places[chosen].T, linestyle="none", markersize=5.5, zorder=4, **style)
        sheet.add("points", points, [about[row] for row in np.flatnonzero(chosen)])
    limits = [*ax.get_xlim(), *ax.get_ylim()]
    low, high = min(limits), max(limits)
    ax.set(xlim=(low, high), ylim=(low, high))
    sheet.add("diagonal", ax.axline((low, low), (high, high), color="0.4", linewidth=1.0))
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
    found = f"{pair.first} is better on {pair.wins}, {pair.second} on {pair.losses}"
    found += f", {pair.ties} tied."
    return sheet.plot(what, found, height=min(inches, _WIDTH), is_equal=True)


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


# -------------------------------------------------------------------------- posterior distribution


class _Pair(NamedTuple):
    """A pair as it is drawn: ``a`` at the right, whether it is the first of the result or not."""

    result: BayesianComparison
    row: int
    a: str
    b: str
    turned: bool
    mark: Mark  # what a page says of the pair

    @property
    def counts(self) -> FloatArray:
        """How many draws are at each point of the lattice."""
        draws = self.result.draws
        return np.zeros(0) if draws is None else draws[self.row].astype(np.float64)


@figure(BayesianComparison)
def posterior_simplex(
    result: BayesianComparison, a: str, b: str, *, title: bool = True, ax: Axes | None = None
) -> Plot:
    """Draw the posterior distribution behind the probabilities of one pair.

    Over data sets, each draw divides a whole among three regions: ``a`` is better, the two are
    practically equivalent, ``b`` is better. The triangle shows where draws lie: near a corner,
    the region of that corner has most of the share. Dashed lines separate the parts in which each
    region has the largest share, and the probability of a region is that of its part. Without a
    region of equivalence the triangle is a line, on which the share of ``a`` has a histogram. On
    the folds of one data set, the density of the expected difference is drawn, with the region of
    equivalence as a band.

    Parameters
    ----------
    result : BayesianComparison
        Result of :func:`nbcompare.compare_bayesian`.
    a, b : str
        The two algorithms, in either order; ``a`` stands at the right.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells`` (hexagons, darker where there are more draws) or
        ``density``, ``borders`` (between the regions), ``regions`` (their texts: ``a``, ``b``,
        equivalence if there is such a region), ``axis`` (outline of the triangle, or names of the
        axes) and ``caption``. The triangle has the corners (1, 0) of ``a``, (0, 0) of ``b`` and
        (0.5, 0.866) of equivalence, with a margin around them; a density is in units of the
        measure, a histogram in shares.

    Raises
    ------
    ValueError
        If the two are not a pair of the result, or the result has too many pairs to hold draws.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18(77), 1-36, Figure 5.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare_bayesian(nbc.datasets.load("demsar2006"), rope=0.01)
    >>> plot = nbc.plots.posterior_simplex(result, "C4.5+m+cf", "C4.5")
    >>> [" ".join(text.get_text().split()) for text in plot.artists["regions"]]
    ['C4.5+m+cf is better: 0.962', 'C4.5 is better: < 0.001', 'practically equivalent: 0.037']
    """
    row, turned = result.pair(a, b)
    names = result.first[row], result.second[row]
    pair = _Pair(result, row, a, b, turned, Mark(pair_text(result, row), names, pair=True))
    if result.spread is None and result.draws is None:
        raise ValueError(
            f"`result` must have at most 300 pairs to hold draws for a figure of one; got "
            f"{len(result)}. Compare the two alone, which gives the same probabilities: "
            f"experiment.select(algorithms={[a, b]!r})."
        )
    is_triangle = bool(result.rope) and result.spread is None
    sheet = Sheet(ax, width=_TRIANGLE if is_triangle else _WIDE, title=title)
    about = [f"{result.record.label}, {result.where}"]
    if is_triangle:
        what = "Triangle of draws of the shares of three regions"
        about.append(f"{int(pair.counts.sum()):,} draws (darker: more)")
        _triangle(sheet, pair)
    elif result.spread is None:
        what = f"Histogram of draws of the share of {a}"
        about.append(f"{int(pair.counts.sum()):,} draws")
        _line(sheet, pair, *_shares(pair))
    else:
        what = f"Density of the expected difference of {result.design.measure or 'scores'}"
        _line(sheet, pair, *_difference(pair, float(result.spread[row])))
    if result.rope:
        about.append(f"differences up to {result.region} are equivalent")
    sheet.caption("; ".join(about))
    texts = _regions(sheet, pair, corners=is_triangle)
    height = _TALL * min(sheet.breadth(), _TRIANGLE) if is_triangle else _HEIGHT
    return sheet.plot(
        f"{what} for {a} and {b}",
        f"{texts}. Claim: {result.claim(row)}.",
        height=height,
        is_equal=is_triangle,
    )


def _regions(sheet: Sheet, pair: _Pair, *, corners: bool) -> str:
    """Write the probability of each region at its corner, or above the density; return them."""
    result, row, a, b, turned, _ = pair
    one, other = float(result.first_better[row]), float(result.second_better[row])
    one, other = (other, one) if turned else (one, other)
    texts = [f"{a} is better: {result.chance(one)}", f"{b} is better: {result.chance(other)}"]
    if result.rope:
        texts.append(f"practically equivalent: {result.chance(float(result.equivalent[row]))}")
    claimed = {FIRST: int(turned), SECOND: int(not turned), EQUIVALENT: 2}
    bold = claimed.get(result.decision[row])
    side = sheet.width
    if corners and not sheet.own:  # a triangle may be narrower than the axes
        side = min(side, 0.7 * sheet.ax.get_window_extent().height / sheet.figure.dpi / _TALL)
    lines = [
        wrapped(text.replace("< ", "<\u00a0").replace("> ", ">\u00a0"), share * side, bold=True)
        for text, share in zip(texts, (0.46, 0.46, 0.8), strict=False)
    ]
    high = 1.25 * sheet.size * max(text.count("\n") + 1 for text in lines[:2])
    at_edge: dict[str, Any] = {"va": "top" if corners else "bottom"}
    y, up, over = (0.0, -4.0, 4.0) if corners else (1.0, 4.0, high + 4)
    places = (1.0, y, up, "right"), (0.0, y, up, "left"), (0.5, 1.0, over, "center")
    for number, (text, (x, y, up, ha)) in enumerate(zip(lines, places, strict=False)):
        style = at_edge | {"ha": ha, "fontweight": "bold" if number == bold else "normal"}
        at, shift = (x, y), (0.0, up)
        sheet.text("regions", at, text, pair.mark, shift=shift, coords="axes fraction", **style)
        at_edge = {"va": "bottom"} if number == 1 else at_edge
    return "; ".join(texts)


def _triangle(sheet: Sheet, pair: _Pair) -> None:
    """Draw a hexagon at each point of the lattice of shares that has draws."""
    ax, counts = sheet.ax, pair.counts
    steps = (math.isqrt(8 * len(counts) + 1) - 3) // 2
    # in the order of the share of the first, then of that of the second
    one, other = np.array([(i, j) for i in range(steps + 1) for j in range(steps + 1 - i)]).T
    own = (other, one) if pair.turned else (one, other)
    shares = np.stack([*own, steps - one - other], axis=1) / steps
    there = np.flatnonzero(counts)
    angles = np.pi / 6 + np.pi / 3 * np.arange(6)
    cells = PolyCollection(
        [np.stack([np.cos(angles), np.sin(angles)], axis=1) / steps / math.sqrt(3)],
        offsets=shares[there] @ _CORNERS,
        offset_transform=AffineDeltaTransform(cast("Affine2DBase", ax.transData)),
        facecolors=_COLORS(np.sqrt(counts[there] / counts.max())),
        linewidths=0,
        zorder=2,
    )
    ax.add_collection(cells, autolim=False)
    sheet.add("cells", cells, [pair.mark] * len(there))
    middle = _CORNERS.mean(axis=0)
    outer = middle + (_CORNERS - middle) * (steps + 2) / steps  # hexagons at the edges are inside
    for edge in (outer + np.roll(outer, 1, axis=0)) / 2:
        sheet.add("borders", ax.plot(*np.stack([middle, edge]).T, zorder=4, **_BORDER))
    style: dict[str, Any] = {"facecolor": "none", "edgecolor": "0.15", "clip_on": False}
    sheet.add("axis", ax.fill(*outer.T, linewidth=1.2, zorder=5, **style))
    ax.set(xlim=(outer[1, 0], outer[0, 0]), ylim=(outer[0, 1], outer[2, 1]))
    ax.axis("off")


def _shares(pair: _Pair) -> tuple[FloatArray, FloatArray, list[float], str]:
    """Return the histogram of the share of ``a``, where there is no region of equivalence."""
    counts = pair.counts[::-1] if pair.turned else pair.counts
    steps = len(counts) - 1
    edges = np.clip((np.arange(steps + 2) - 0.5) / steps, 0, 1)
    density = counts / counts.sum() / np.diff(edges)
    name = f"share of the comparisons of data sets in favour of {pair.a}"
    return np.repeat(edges, 2), np.pad(np.repeat(density, 2), 1), [0.5], name


def _difference(pair: _Pair, spread: float) -> tuple[FloatArray, FloatArray, list[float], str]:
    """Return the density of the expected difference on the folds of a data set."""
    result, row, a, b, turned, _ = pair
    mean = 0.0 if result.mean_difference is None else float(result.mean_difference[row])
    mean, rope = -mean if turned else mean, result.rope
    measure = f" ({result.design.measure})" if result.design.measure else ""
    name = f"{result.design.minus(a, b)}{measure}; {result.design.better}"
    borders = [-rope, rope] if rope else [0.0]
    if not spread:
        return np.array([mean, mean]), np.array([0.0, 1.0]), borders, name
    from scipy.stats import t  # slow to import

    x = mean + spread * np.linspace(-_REACH, _REACH, _N_POINTS)
    return x, t.pdf(x, result.n_differences - 1, mean, spread), borders, name


def _line(
    sheet: Sheet, pair: _Pair, x: FloatArray, height: FloatArray, borders: list[float], name: str
) -> None:
    """Draw a density with the values that separate the regions."""
    ax = sheet.ax
    fill = ax.fill_between(x, height, color=LIGHT, alpha=0.85, linewidth=0, zorder=2)
    curve = ax.plot(x, height, color="0.15", linewidth=1.5, zorder=3)
    sheet.add("density", [*curve, fill], pair.mark)
    sheet.add("borders", [ax.axvline(at, zorder=4, **_BORDER) for at in borders])
    if len(borders) == 2:
        sheet.add("borders", ax.axvspan(*borders, color=_BAND, linewidth=0, zorder=1))
    ax.set(ylim=(0, 1.05 * float(height.max())), yticks=[])
    sheet.bare("top", "left", "right")
    sheet.axis_label(ax.yaxis, "density")
    sheet.axis_label(ax.xaxis, name)
    number_ticks(ax.xaxis)
