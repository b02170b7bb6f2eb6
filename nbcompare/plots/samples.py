"""Figures of single scores: histograms with normal quantiles, and the runs of an algorithm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from textwrap import shorten
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from nbcompare._options import BETTER
from nbcompare._render import format_number, format_p, plural, stated_p
from nbcompare._validation import (
    DataError,
    check_count,
    check_labels,
    check_name,
)
from nbcompare._validation import listed as named
from nbcompare.experiment import Experiment
from nbcompare.plots._curves import runs_text
from nbcompare.plots._live import Mark, marked
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import ACCENT, FULL, LIGHT, Sheet, figure, room
from nbcompare.plots._text import line_height, listed, number_ticks, text_width, wrapped
from nbcompare.results import Conditions
from nbcompare.results.conditions import Sample

_WIDTH, _HEIGHT = 4.8, 1.1  # of the figure with a sample in a row, and of each of its axes
_MOST_IN_ONE_BLOCK, _MOST_SAMPLES = 4, 24
_TALL, _FRAME = 2.6, 0.9  # inches: of the axes of boxplots, and what stands beside them
_COLUMN = 0.16  # inches that a mark has at most
_BOX, _STRIP, _APART = 1.6, 1.4, 1.2  # in columns of that width: box, runs, space between folds
_UPRIGHT = 1.1  # inches of a line of upright names
# Markers of the other algorithms, and whether they are filled
_SHAPES = (("D", False), ("^", True), ("s", False), ("v", True), ("P", False), ("X", True))
_BOXPLOT: Mapping[str, Any] = MappingProxyType(
    {
        "boxprops": {"facecolor": LIGHT, "edgecolor": "0.2", "linewidth": 0.9},
        "whiskerprops": {"color": "0.2", "linewidth": 0.9},
        "medianprops": {"color": "black", "linewidth": 1.8, "solid_capstyle": "butt"},
        "patch_artist": True,
        "showfliers": False,
        "showcaps": False,
        "manage_ticks": False,
    }
)
_GOLDEN = (5**0.5 - 1) / 2


# ----------------------------------------------------------------------------- conditions


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
        If a name is not in the data, a data set has no runs or folds, there are more than 24
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
        tests = [sample.tests["shapiro-wilk"] for sample in samples]
        p = [math.inf if test is None else test.log10_pvalue for test in tests]
        samples = [samples[i] for i in np.argsort(p, kind="stable")[:worst]]
    if len(samples) > _MOST_SAMPLES:
        raise ValueError(
            f"`algorithm` must name one of the {len(samples)} algorithms, because at most "
            f"{_MOST_SAMPLES} can be drawn at once. Check fewer of them with "
            "experiment.select(algorithms=...), draw them one by one, or those that fit worst with "
            "worst=6."
        )
    n = len(samples)
    blocks = 2 if n > _MOST_IN_ONE_BLOCK and room(FULL) > _WIDTH else 1
    width = FULL if blocks == 2 else _WIDTH
    sheet = Sheet(ax, width=width, panels=2 * n, abreast=2 * blocks, title=title)
    sheet.parts |= {"axes": list(sheet.axes), "densities": [], "lines": []}
    where = f" on {dataset}" if dataset is not None else ""
    sizes = sorted({len(sample.values) for sample in samples})
    size = plural(sizes[0], "score") if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} scores"
    sheet.caption(
        f"Shapiro–Wilk test of normality, α = {conditions.alpha:g}; {size}{where}",
        f"{n} of {n_known} algorithms, those that a normal distribution fits worst" * (n < n_known),
    )
    sheet.bare("top", "right")
    labels = [conditions.design.measure or "score", "count", "normal quantile", ""]
    told = []
    for number, sample in enumerate(samples):
        left, right = sheet.axes[2 * number : 2 * number + 2]
        mark = _sample(sheet, left, right, conditions, sample)
        axes = left.xaxis, left.yaxis, right.xaxis, right.yaxis
        for axis, label in zip(axes, labels, strict=True):
            number_ticks(axis, most=4, whole=label == "count")
            if label and (number >= n - blocks or not sheet.own):
                text = shorten(label, 20, placeholder="…")
                sheet.axis_label(axis, text, share=0.4 / blocks)
        mean, deviation = format_number(sample.mean), format_number(sample.deviation)
        told.append(f"{mark.title}; mean {mean}, standard deviation {deviation}")
    what = "Histograms with the fitted normal density, and normal Q–Q plots"
    return sheet.plot(what, f"{listed(told, '. ', 8)}.", height=_HEIGHT)


def _sample(sheet: Sheet, left: Axes, right: Axes, conditions: Conditions, given: Sample) -> Mark:
    """Draw the histogram and the Q-Q plot of a sample, and return what a page says of it."""
    values, mean, deviation, test = (
        given.values,
        given.mean,
        given.deviation,
        given.tests["shapiro-wilk"],
    )
    found = said = "test not possible"
    if test is not None:
        p = stated_p(format_p(test.pvalue, test.log10_pvalue))
        word = "significant" if conditions.rejects(test) else "not significant"
        found, said = f"{p}, {word}", f"departure from normality {word} (Shapiro–Wilk, {p})"
    text = f"{given.algorithm}: {plural(len(values), 'score')}; {said}"
    mark = Mark(text, (given.algorithm,))
    edges, counts = given.histogram
    margin = 0.06 * float(edges[-1] - edges[0])
    low, high = float(edges[0]) - margin, float(edges[-1]) + margin
    style: dict[str, Any] = {"facecolor": LIGHT, "edgecolor": "0.35", "linewidth": 0.7}
    bars = left.bar(edges[:-1], counts, np.diff(edges), align="edge", **style)
    sheet.add("bars", list(bars), mark)
    quantiles = given.normal_quantiles
    reach = max(2.0, 1.08 * float(quantiles[-1]))
    if 0 < deviation * deviation < math.inf:  # a power would be an error beyond
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
    wide = (1.4 if sheet.own else 0.8) * sheet.width * sheet.down / len(sheet.axes)
    text = wrapped(given.algorithm, wide, bold=True)
    style = {"coords": "axes fraction", "ha": "left", "va": "bottom", "ax": left}
    sheet.text("tests", (0, 1), found, mark, shift=(0, 4), **style).set_in_layout(not sheet.own)
    up, bold = 5 + 1.4 * sheet.size, dict[str, Any](fontweight="bold")
    if sheet.own:
        bold |= {"fontsize": sheet.size, "parse_math": False}
        sheet.add("names", left.set_title(text, loc="left", pad=up, **bold), mark)
    else:
        sheet.text("names", (0, 1), text, mark, shift=(0, up), **bold, **style)
    return mark


# ----------------------------------------------------------------------- runs fold by fold


@figure
def fold_boxplots(
    experiment: Experiment,
    algorithm: str,
    others: Iterable[str] | None = None,
    *,
    dataset: str | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw a boxplot of an algorithm's runs in every fold, with the means of others.

    The figure shows what a mean hides: runs that failed, two modes, folds that differ. Every
    run is a grey dot beside its box. A box extends from the lower to the upper quartile (linear
    interpolation) with a line at the median; whiskers extend to the outermost run within 1.5
    times the length of the box. A filled circle on the box is the mean of the runs. The other
    algorithms are drawn to the right, at their mean over the runs in the fold.

    Parameters
    ----------
    experiment : Experiment
        Experiment with several runs of the algorithm.
    algorithm : str
        Algorithm whose runs are drawn.
    others : iterable of str, optional
        Up to 6 other algorithms. By default, the first 6 that have a score on the data set,
        or all of them if they are fewer.
    dataset : str, optional
        Data set to draw. It may be omitted if there is only one.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``boxes`` and ``medians`` (one per fold, in order), ``whiskers`` (two
        per fold), ``runs`` (one per fold), ``means``, ``others`` (one per other algorithm),
        ``folds`` (names of the folds, if there are several), ``axis``, ``caption`` and ``legend``.
        Folds are at 0, 1, 2 and so on; the y axis is in units of the measure.

    Raises
    ------
    TypeError
        If ``experiment`` is not an Experiment, or ``others`` is not a list of names.
    ValueError
        If a name is not in the experiment, or that of another one with scores there; if no data
        set is given and there are several; or if there are more than 6 others.
    DataError
        If scores are intervals, or no fold of the data set has several runs of the algorithm.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos,
    Figures 4 to 7.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> rng = np.random.default_rng(0)
    >>> scores = np.full((1, 2, 10, 30), 0.5)
    >>> scores[0, 0] = rng.normal(0.4, 0.05, size=(10, 30))
    >>> experiment = nbc.Experiment.from_array(
    ...     scores, direction="minimize", algorithms=["SAP", "linear"])
    >>> plot = nbc.plots.fold_boxplots(experiment, "SAP")
    >>> len(plot.artists["boxes"]), len(plot.artists["runs"][0].get_xdata())
    (10, 30)
    """
    place = _checked_dataset(experiment, dataset)
    if experiment.turned:  # a data set alone has its own direction
        experiment, place = experiment.select(datasets=[experiment.datasets[place]]), 0
    names = _checked_algorithms(experiment, algorithm, others, place)
    scores = experiment.scores[place, [experiment.algorithms.index(name) for name in names]]
    there = np.flatnonzero(np.isfinite(scores[0]).any(axis=-1))
    folds = [experiment.folds[fold] if len(experiment.folds) > 1 else "" for fold in there]
    runs = [[row[np.isfinite(row)] for row in of_one[there]] for of_one in scores]
    means = [[float(row.mean()) if row.size else np.nan for row in of_one] for of_one in runs]
    unit = 1 / (_BOX + _STRIP + _APART + len(names) - 1)  # of a fold, which is 1 wide
    sheet = Sheet(ax, width=_FRAME + max(1.8, len(folds) * _COLUMN / unit), title=title)
    ax = sheet.ax
    kinds = ["runs", *["mean"] * (len(names) - 1)]
    about = [
        [Mark(f"{kind} of {name}{fold and f', fold {fold}'}", (name,)) for fold in folds]
        for kind, name in zip(kinds, names, strict=True)
    ]
    x = np.arange(len(folds)) - 0.5 + unit * _APART / 2
    drawn = ax.boxplot(runs[0], positions=x + unit * _BOX / 2, widths=0.8 * unit * _BOX, **_BOXPLOT)
    for part in ("boxes", "whiskers", "medians"):
        sheet.add(part, drawn[part])
    dots: dict[str, Any] = {"color": "0.35", "alpha": 0.6, "markersize": 2.6, "markeredgewidth": 0}
    for box, mark, start, values in zip(drawn["boxes"], about[0], x, runs[0], strict=True):
        marked(box, mark)
        # runs with the same score are drawn side by side
        aside = _BOX + _STRIP * (0.1 + 0.7 * ((np.arange(len(values)) * _GOLDEN) % 1))
        sheet.add("runs", ax.plot(start + unit * aside, np.sort(values), "o", **dots))
    size = max(3.2, 5 * min(1.0, (sheet.width - _FRAME) * unit / len(folds) / _COLUMN) ** 0.5)
    middle = sheet.add("means", ax.plot(x + unit * _BOX / 2, means[0], "ko", markersize=size - 0.5))
    entries: list[tuple[str, Artist]] = [
        (f"runs of {algorithm}", Patch(facecolor=LIGHT, edgecolor="0.2")),
        ("their mean", middle[0]),
    ]
    for number, (shape, filled) in enumerate(_SHAPES[: len(names) - 1], start=1):
        seen = np.isfinite(means[number])
        at = x[seen] + unit * (_BOX + _STRIP + number - 0.5)
        face = "black" if filled else "white"
        how: dict[str, Any] = {"color": "black", "markerfacecolor": face, "markersize": size}
        points = ax.plot(at, np.array(means[number])[seen], shape, linestyle="none", **how)
        sheet.add("others", points, [about[number][fold] for fold in np.flatnonzero(seen)])
        entries.append((names[number], points[0]))
    ax.set_xlim(-0.5, len(folds) - 0.5)
    ax.set_xticks(np.arange(1, len(folds)) - 0.5, minor=True)
    ax.tick_params(which="minor", length=0)
    ax.grid(axis="x", which="minor", color="0.9", linewidth=0.6)
    ax.grid(axis="y", color="0.9", linewidth=0.6)
    ax.set_axisbelow(True)
    sheet.bare("top", "right")
    _name_folds(sheet, folds)
    measure = f"{experiment.measure or 'score'}, {BETTER[experiment.direction]}"
    sheet.axis_label(ax.yaxis, measure, share=0.9 * _TALL / sheet.width)
    sheet.legend(*entries)
    sizes = runs_text([len(row) for row in runs[0]])
    sizes += f" in each of {len(folds)} folds" if folds != [""] else ""
    some = f"with {len(names) - 1} of {experiment.n_algorithms - 1} other algorithms"
    sheet.caption(
        f"{algorithm} on {experiment.datasets[place]}, {sizes}",
        some if len(names) < experiment.n_algorithms else "",
    )
    told = []
    for name, of in zip(names, means, strict=True):
        texts = [format_number(float(f"{mean:.4g}")) for mean in of]
        by_fold = [" ".join(filter(None, both)) for both in zip(folds, texts, strict=True)]
        told.append(f"{name}: {listed(by_fold)}")
    means_of = "Means by fold" if folds != [""] else "Means"
    return sheet.plot(f"Boxplots of {measure}", f"{means_of}: {'; '.join(told)}.", height=_TALL)


def _name_folds(sheet: Sheet, folds: Sequence[str]) -> None:
    """Write the names of the folds, if there are several; if they are long, upright or of some."""
    if folds == [""]:
        sheet.ax.set_xticks([])
        return
    room = (sheet.width - _FRAME) / len(folds)
    upright = max(map(text_width, folds)) + 0.06 > room
    width = _UPRIGHT if upright else room
    lines = max(wrapped(name, width).count("\n") + 1 for name in folds)
    at = range(0, len(folds), math.ceil(1.1 * lines * line_height() / room) if upright else 1)
    style: dict[str, Any] = {"rotation": 90 if upright else 0, "share": width / sheet.width}
    sheet.names("folds", sheet.ax.xaxis, [folds[fold] for fold in at], at=at, **style)
    sheet.axis_label(sheet.ax.xaxis, "fold")


def _checked_dataset(experiment: object, dataset: str | None) -> int:
    """Return the place of the data set that was named, or of the only one."""
    if not isinstance(experiment, Experiment):
        raise TypeError(
            f"`experiment` must be an Experiment; got {type(experiment).__name__}. "
            "Make one with Experiment.from_frame(frame, direction=...)."
        )
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, which have no quartiles; "
            "interval_forest draws the means of intervals."
        )
    if dataset is None and experiment.n_datasets > 1:
        raise ValueError(
            f"`dataset` must name one of the {experiment.n_datasets} data sets, because their "
            f"scores may be on different scales: {named(experiment.datasets)}."
        )
    name = experiment.datasets[0] if dataset is None else dataset
    return experiment.datasets.index(check_name(name, "dataset", experiment.datasets))


def _checked_algorithms(
    experiment: Experiment, algorithm: str, others: Iterable[str] | None, place: int
) -> tuple[str, ...]:
    """Return the algorithm, which has several runs in a fold, and others with a score."""
    known, where = experiment.algorithms, experiment.datasets[place]
    check_name(algorithm, "algorithm", known)
    counts = np.isfinite(experiment.scores[place]).sum(axis=-1).max(axis=-1)
    if (own := int(counts[known.index(algorithm)])) < 2:
        several = [name for name, count in zip(known, counts, strict=True) if count > 1]
        raise DataError(
            f"`algorithm` must have several runs in a fold to make a box; {algorithm!r} on "
            f"{where!r} has {own or 'none'}. Those that have: {named(several) or 'none'}."
        )
    there = tuple(
        name for name, count in zip(known, counts, strict=True) if count and name != algorithm
    )
    if others is None:
        return (algorithm, *there[: len(_SHAPES)])
    names = tuple(check_name(name, "others", there) for name in check_labels(others, "others"))
    if len(names) > len(_SHAPES):
        raise ValueError(
            f"`others` must name at most {len(_SHAPES)} algorithms, because no more marks can be "
            f"told apart; got {len(names)}."
        )
    return (algorithm, *names)
