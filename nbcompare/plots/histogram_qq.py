"""Histograms with the fitted normal density, beside normal quantile-quantile plots."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import format_number, format_p, plural, stated_p
from nbcompare._validation import check_count
from nbcompare.plots._colors import ACCENT, LIGHT
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import MOST_INCHES, Plot, check_result
from nbcompare.plots._sheet import FULL, Sheet, figure, room
from nbcompare.plots._text import wrapped
from nbcompare.plots._ticks import number_ticks, times, unit_of
from nbcompare.results import Conditions
from nbcompare.results.conditions import Sample

_WIDTH, _HEIGHT = 4.8, 1.1  # of the figure with a sample in a row, and of each of its axes
_MOST_IN_ONE_BLOCK, _MOST_SAMPLES, _MOST_TOLD = 4, 48, 8
_ROW = 1.65  # inches, about


@figure
def histogram_qq(
    conditions: Conditions,
    algorithm: str | None = None,
    dataset: str | None = None,
    *,
    worst: int | None = None,
    title: bool = True,
    ax: Iterable[Axes] | None = None,
) -> Plot:
    """Draw a histogram and a normal Q-Q plot of the scores of each algorithm.

    The curve on the histogram is the count expected in each class under a normal distribution
    with the mean and standard deviation of the sample; the line of the Q-Q plot shows the same
    distribution. Normally distributed scores lie near the line. The p is that of the
    Shapiro-Wilk test.

    Parameters
    ----------
    conditions : Conditions
        Result of :func:`nbcompare.check_conditions`.
    algorithm : str, optional
        Algorithm to draw; by default all of them.
    dataset : str, optional
        Data set whose scores of runs and folds are drawn; by default, the mean scores of all
        data sets.
    worst : int, optional
        Draw only so many algorithms, those with the smallest p of the Shapiro-Wilk test first;
        algorithms for which the test is not possible come last.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : iterable of matplotlib.axes.Axes, optional
        Two axes for each algorithm, alternately for histogram and Q-Q plot, such as
        ``figure.subplots(n_algorithms, 2)``. By default, a new figure.

    Returns
    -------
    Plot
        Plot whose ``ax`` is the first histogram, with the artists ``axes`` (all of them, in
        order), ``bars``, ``densities``, ``points``, ``lines``, ``names`` and ``tests`` (their
        outcomes). Scores are in units of the measure.

    Raises
    ------
    ValueError
        If a name is not in the data, a data set has no runs or folds, there are more than 48
        algorithms to draw, or the number of axes is wrong.

    References
    ----------
    Blom, G. (1958). Statistical Estimates and Transformed Beta-Variables. Wiley.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.check_conditions(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.histogram_qq(result, "C4.5")
    >>> len(plot.artists["axes"]), len(plot.artists["points"][0].get_xdata())
    (2, 14)
    """
    check_result(conditions, "histogram_qq", Conditions)
    samples = conditions.select(algorithm, dataset)
    n_known = len(samples)
    if worst is not None:
        check_count(worst, "worst", least=1)
        samples = sorted(samples, key=_fit)[:worst]
    if len(samples) > _MOST_SAMPLES:
        raise ValueError(
            f"`algorithm` must name one of the {len(samples)} algorithms, because at most "
            f"{_MOST_SAMPLES} can be drawn at once. Check fewer of them with "
            "experiment.select(algorithms=...), draw them one by one, or those that fit worst with "
            "worst=6."
        )
    wide = len(samples) > _MOST_IN_ONE_BLOCK and room(FULL) > _WIDTH
    blocks = 2 if wide else 1
    most = int(blocks * MOST_INCHES / _ROW)
    if ax is None and len(samples) > most:  # in a narrow figure
        samples = sorted(samples, key=_fit)[:most]
    some = f"{len(samples)} of {n_known} algorithms, those that a normal distribution fits worst"
    some = some if len(samples) < n_known else ""
    width, panels = FULL if wide else _WIDTH, 2 * len(samples)
    sheet = Sheet(ax, width=width, panels=panels, abreast=2 * blocks, title=title)
    sheet.parts |= {"axes": list(sheet.axes), "densities": [], "lines": []}
    sheet.caption(*_caption(conditions, samples), some)
    sheet.bare("top", "right")
    labels = [conditions.design.measure or "score", "count", "normal quantile", ""]
    for number, sample in enumerate(samples):
        left, right = sheet.axes[2 * number : 2 * number + 2]
        _sample(sheet, left, right, conditions, sample)
        axes = left.xaxis, left.yaxis, right.xaxis, right.yaxis
        for axis, label in zip(axes, labels, strict=True):
            number_ticks(axis, most=4, whole=label == "count")
            if label and (number >= len(samples) - blocks or not sheet.own):
                text = textwrap.shorten(label, 20, placeholder="…")
                sheet.axis_label(axis, text, share=0.4 / blocks)
    return sheet.plot(_alt(conditions, samples, some), height=_HEIGHT)


def _sample(sheet: Sheet, left: Axes, right: Axes, conditions: Conditions, given: Sample) -> None:
    """Draw the histogram and the Q-Q plot of a sample."""
    abreast = len(sheet.axes) / sheet.down
    unit = unit_of(float(np.abs(given.values).max()))
    values, mean, deviation = given.values / unit, given.mean / unit, given.deviation / unit
    edges, counts = replace(given, values=values, deviation=deviation).histogram
    margin = 0.06 * float(edges[-1] - edges[0])
    low, high = float(edges[0]) - margin, float(edges[-1]) + margin
    mark = Mark(f"{given.algorithm}: {_verdict(conditions, given)}", (given.algorithm,))
    style: dict[str, Any] = {"facecolor": LIGHT, "edgecolor": "0.35", "linewidth": 0.7}
    bars = left.bar(edges[:-1], counts, np.diff(edges), align="edge", **style)
    sheet.add("bars", list(bars), mark)
    quantiles = given.normal_quantiles
    reach = max(2.0, 1.08 * float(quantiles[-1]))
    if deviation > 0:
        normal, x = NormalDist(mean, deviation), np.linspace(low, high, 101)
        density = len(values) * np.diff(edges)[0] * np.array([normal.pdf(at) for at in x.tolist()])
        sheet.add("densities", left.plot(x, density, color="0.15", linewidth=1.3))
        ends = [mean - reach * deviation, mean + reach * deviation]
        sheet.add("lines", right.plot([-reach, reach], ends, color="0.45", linewidth=1, zorder=1))
    style = {"markersize": 3.6, "markerfacecolor": "white", "markeredgecolor": ACCENT}
    sheet.add("points", right.plot(quantiles, values, "o", **style), mark)
    left.set_xlim(low, high)
    right.set(xlim=(-reach, reach), ylim=(low, high))
    # a title may be wider than its axes, for the layout: it stands above both
    wide = (1.4 if sheet.own else 0.8) * sheet.width / abreast
    text = wrapped(given.algorithm + times(unit), wide, bold=True)
    style = {"coords": "axes fraction", "ha": "left", "va": "bottom", "ax": left}
    test = sheet.text("tests", (0, 1), _test(conditions, given), mark, shift=(0, 4), **style)
    test.set_in_layout(not sheet.own)
    up, bold = 5 + 1.4 * sheet.size, dict[str, Any](fontweight="bold")
    if sheet.own:
        bold |= {"fontsize": sheet.size, "parse_math": False}
        sheet.add("names", left.set_title(text, loc="left", pad=up, **bold), mark)
    else:
        sheet.text("names", (0, 1), text, mark, shift=(0, up), **bold, **style)


def _fit(sample: Sample) -> float:
    test = sample.tests["shapiro-wilk"]
    return math.inf if test is None else test.log10_pvalue


def _test(conditions: Conditions, sample: Sample) -> str:
    test = sample.tests["shapiro-wilk"]
    if test is None:
        return "test not possible"
    word = "significant" if conditions.rejects(test) else "not significant"
    return f"{stated_p(format_p(test.pvalue, test.log10_pvalue))}, {word}"


def _verdict(conditions: Conditions, sample: Sample) -> str:
    n, (p, _, word) = len(sample.values), _test(conditions, sample).partition(", ")
    found = f"departure from normality {word} (Shapiro–Wilk, {p})"
    return f"{plural(n, 'score')}; {found if word else f'Shapiro–Wilk {p}'}"


def _caption(conditions: Conditions, samples: Sequence[Sample]) -> list[list[str]]:
    least, most = (end(len(sample.values) for sample in samples) for end in (min, max))
    n = plural(most, "score") if least == most else f"{least} to {most} scores"
    where = "" if samples[0].dataset is None else f" on {samples[0].dataset}"
    return [[f"Shapiro–Wilk test of normality, α = {conditions.alpha:g};", f"{n}{where}"]]


def _alt(conditions: Conditions, samples: Sequence[Sample], some: str) -> str:
    where = f"over {plural(conditions.design.n_datasets, 'data set')}"
    if samples[0].dataset is not None:
        where = f"on data set {samples[0].dataset}"
    found = [
        f"{sample.algorithm}: mean {format_number(sample.mean)}, standard deviation "
        f"{format_number(sample.deviation)}, {_verdict(conditions, sample)}."
        for sample in samples
    ]
    if len(samples) > _MOST_TOLD:
        significant = sum(conditions.rejects(sample.tests["shapiro-wilk"]) for sample in samples)
        found = [
            f"The departure from normality is significant for {significant} of {len(samples)} "
            "algorithms (Shapiro–Wilk)."
        ]
    text = (
        "Histograms with the fitted normal density, and normal Q–Q plots, of the scores "
        f"{where} (α = {conditions.alpha:g}){f': {some}' if some else ''}."
    )
    return " ".join([text, *found])
