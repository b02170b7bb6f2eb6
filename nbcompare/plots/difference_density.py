"""Densities of the scores of two algorithms, and of their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._colors import ACCENT, LIGHT
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.plots._text import wrapped
from nbcompare.plots._ticks import number_ticks, times, unit_of
from nbcompare.plots._wording import means, signed
from nbcompare.plots.pair_scatter import p_and_test
from nbcompare.results import PairComparison

_WIDTH, _HEIGHT = 4.8, 1.45  # of the figure, and of each of its axes
_FILLS = LIGHT, "#f6d3bd"  # where the first is better, and where the second is
_STYLES: tuple[dict[str, Any], ...] = (
    {"color": ACCENT, "linestyle": "-"},
    {"color": "#d55e00", "linestyle": (0, (4, 2))},
    {"color": "0.15", "linestyle": "-"},
)
_RUG = 0.11  # of the height of the axes
_NOTHING = 1e-12  # differences no larger than this share of the scores are rounding noise
_REACH = 3.0  # a density extends beyond the data by this many bandwidths
_N_POINTS = 241


@figure
def difference_density(
    pair: PairComparison, *, title: bool = True, ax: Iterable[Axes] | None = None
) -> Plot:
    """Draw the densities of the scores of two algorithms, and of their paired differences.

    The upper panel shows the distribution of the scores of each algorithm over the data sets,
    the lower panel that of their differences, which is what a paired test examines: two
    algorithms may have the same scores overall and differ on every data set, or differ on a
    few only. Each short line is a data set. Densities are smoothed with normal kernels
    (bandwidth by Scott's rule), so that they extend beyond the data; their heights can be
    compared within a panel only. Values that are all equal have no density and are drawn as a
    vertical line.

    Parameters
    ----------
    pair : PairComparison
        Result of :func:`nbcompare.compare_pair`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : iterable of matplotlib.axes.Axes, optional
        Two axes to draw on, for the scores and for the differences. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``densities`` (first, second, differences), ``rugs`` (in the same
        order), ``zero`` (the line at which both are equal), ``sides`` (which algorithm is
        better on either side of that line, and how often), ``fills``, ``axis`` and ``legend``.
        The x axes are in units of the measure, the y axes in densities.

    References
    ----------
    Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013). Bootstrap analysis of multiple
    repetitions of experiments using an interval-valued multiple comparison procedure.
    Journal of Computer and System Sciences, Figure 4.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pair = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    >>> plot = nbc.plots.difference_density(pair)
    >>> [text.get_text() for text in plot.artists["sides"]]
    ['C4.5 better: 2', 'C4.5+m better: 10']
    """
    check_result(pair, "difference_density", PairComparison)
    sheet = Sheet(ax, width=_WIDTH, panels=2, title=title)
    above, below = sheet.axes
    scores = np.asarray(pair.scores, dtype=np.float64)
    size = float(np.abs(scores).max())
    unit = unit_of(size, decades=150)  # densities square the scores
    scores, least = scores / unit, _NOTHING * size / unit
    gains = pair.design.gain_signs * (scores[:, 0] - scores[:, 1])
    n = plural(len(gains), "data set")
    alike = f"All differences are {_range(signed, gains * unit)}." if np.ptp(gains) <= least else ""
    sheet.caption([f"{n}, {pair.ties} tied;", p_and_test(pair)], alike)
    first = _panel(sheet, above, scores.T, least, _STYLES[:2])[0]
    above.fill_between(*first, color=_FILLS[0], alpha=0.6, linewidth=0, zorder=1)
    ((x, height),) = _panel(sheet, below, gains[np.newaxis], least, _STYLES[2:])
    for part, color in zip((np.maximum(x, 0), np.minimum(x, 0)), _FILLS, strict=True):
        fill = below.fill_between(part, height, color=color, linewidth=0, zorder=1)
        sheet.add("fills", fill)
    sheet.add("zero", below.axvline(0, color="0.15", linewidth=1.2, zorder=4))
    better = [f"{pair.second} better: {pair.losses}", f"{pair.first} better: {pair.wins}"]
    for end, side, text in zip((0.0, 1.0), ("left", "right"), better, strict=True):
        lines = wrapped(text, 0.45 * sheet.breadth())
        style: dict[str, Any] = {"coords": "axes fraction", "ha": side, "va": "bottom"}
        sheet.text("sides", (end, 1.0), lines, shift=(0, 3), ax=below, **style)
    measure = f"{pair.design.measure or 'score'}, {pair.design.better}"
    difference = pair.design.minus(pair.first, pair.second)
    for panel, label in ((above, measure), (below, difference)):
        sheet.axis_label(panel.xaxis, label + times(unit))
        sheet.axis_label(panel.yaxis, "density")
        number_ticks(panel.xaxis)
    sheet.legend([Line2D([], [], **style) for style in _STYLES[:2]], [pair.first, pair.second])
    return sheet.plot(_alt(pair, scores * unit, gains * unit), height=_HEIGHT)


def _panel(
    sheet: Sheet, ax: Axes, samples: FloatArray, least: float, styles: Sequence[dict[str, Any]]
) -> list[tuple[FloatArray, FloatArray]]:
    """Draw densities with their rugs below, and return them."""
    curves = [_density(values, least) for values in samples]
    highest = max((float(height.max()) for x, height in curves if len(x) > 2), default=1.0)
    rug: dict[str, Any] = {"marker": "|", "markersize": 6.5, "transform": ax.get_xaxis_transform()}
    low = _RUG * (len(samples) - 0.5)
    for number, ((x, height), style) in enumerate(zip(curves, styles, strict=True)):
        height = height if len(x) > 2 else highest * height
        sheet.add("densities", ax.plot(x, height, linewidth=1.5, zorder=3, **style))
        at = np.full(samples.shape[1], low - _RUG * number)
        sheet.add("rugs", ax.plot(samples[number], at, **rug, **style | {"linestyle": "none"}))
    ax.axhline(0, color="0.6", linewidth=0.5, zorder=2)
    base = low + 0.8 * _RUG  # the density of 0, as a share of the height
    ax.set(ylim=(-base / (1 - base) * 1.04 * highest, 1.04 * highest), yticks=[])
    sheet.bare("top", "left", "right", ax=ax)
    return curves


def _density(values: FloatArray, least: float) -> tuple[FloatArray, FloatArray]:
    """Return places and heights; of values that are spread no more than that a line, 1 high."""
    low, spread = float(values.min()), float(np.ptp(values))
    if spread <= least:
        return np.full(2, np.median(values)), np.array([0.0, 1.0])
    from scipy.stats import gaussian_kde  # slow to import

    kernel = gaussian_kde((values - low) / spread)
    reach = _REACH * float(kernel.covariance[0, 0]) ** 0.5
    at = np.linspace(-reach, 1 + reach, _N_POINTS)
    return low + spread * at, kernel(at) / spread


def _range(style: Callable[[list[float]], list[str]], values: FloatArray) -> str:
    low, high = style([float(values.min()), float(values.max())])
    return low if low == high else f"{low} to {high}"


def _alt(pair: PairComparison, scores: FloatArray, gains: FloatArray) -> str:
    one, other = (_range(means, values) for values in scores.T)
    median = ""
    if pair.median_difference is not None:  # differences of several scales have none
        median = f", median {signed([pair.median_difference])[0]}"
    return (
        f"Densities of {pair.design.measure or 'scores'} ({pair.design.better}) over "
        f"{plural(len(gains), 'data set')}: {pair.first} {one}; {pair.second} {other}. Below, the "
        f"density of the differences, {pair.design.minus(pair.first, pair.second)}: "
        f"{_range(signed, gains)}{median}. {pair.first} is better on {pair.wins}, {pair.second} "
        f"on {pair.losses}, {pair.ties} tied."
    )
