"""Histograms with the fitted normal density, beside normal quantile-quantile plots."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from nbcompare._render import format_number, format_p, plural, stated_p
from nbcompare._validation import check_count
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Plot, check_result, text_width
from nbcompare.plots._scale import times, unit_of
from nbcompare.results import Conditions, Labelled
from nbcompare.results.conditions import Sample

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 10.0
_SMALL_SIZE = 8.5
_TICK_SIZE = 7.5
_WIDTH, _HEIGHT = 2.3, 1.35  # size of one axes of a pair
_LEFT = 0.45  # space for the tick labels of the counts
_TICKS = 0.26  # tick labels below the axes
_LABEL = 0.2  # axis labels below the lowest row
_LINE = 0.165
_VERDICT = 0.3  # line below a name, and space above the axes
_MARGIN = 0.12
_GAP = 0.16
_WRAP = 62  # characters per line of a name
# More rows than this are set in two blocks side by side, still more in three.
_MOST_IN_ONE_BLOCK, _MOST_IN_TWO = 6, 32
_MOST_SAMPLES = 48
_MOST_TOLD = 8


def histogram_qq(
    conditions: Conditions,
    algorithm: str | None = None,
    dataset: str | None = None,
    *,
    worst: int | None = None,
    axes: Iterable[Axes] | None = None,
) -> Plot:
    """Draw a histogram and a normal Q-Q plot of the scores of each algorithm.

    The curve on the histogram is the count expected in each class under a normal distribution
    with the mean and standard deviation of the sample; the line of the Q-Q plot shows the same
    distribution. Normally distributed scores lie near the line.

    Parameters
    ----------
    conditions : Conditions
        Result of :func:`nbcompare.check_conditions`.
    algorithm : str, optional
        Algorithm to draw; by default all of them, in a row each.
    dataset : str, optional
        Data set whose scores of runs and folds are drawn; by default, the mean scores of all
        data sets.
    worst : int, optional
        Draw only so many algorithms, those with the smallest p of the Shapiro-Wilk test first;
        algorithms for which the test is not possible come last.
    axes : matplotlib axes, optional
        Two axes for each algorithm, alternately for histogram and Q-Q plot, such as
        ``figure.subplots(n_algorithms, 2)``. By default, a new figure.

    Returns
    -------
    Plot
        Plot whose ``ax`` is the first histogram, with the artists ``axes`` (all of them, in
        order), ``bars``, ``densities``, ``points``, ``lines`` and ``names``.

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
    drawing = _Drawing(conditions, samples, n_known)
    if axes is None:
        return drawing.on_its_own()
    return drawing.on_axes(axes)


class _Drawing:
    """Drawing of all rows, which are measured, placed and drawn."""

    def __init__(self, conditions: Conditions, samples: Sequence[Sample], n_known: int) -> None:
        self.result = conditions
        self.samples = samples
        self.n_known = n_known  # of which these are drawn
        self.artists: dict[str, list[Artist]] = {
            name: [] for name in ("axes", "bars", "densities", "points", "lines", "names")
        }

    def on_its_own(self) -> Plot:
        """Draw the rows on a new figure, in two or three blocks if there are many."""
        titles = [self._title(sample, _WRAP) for sample in self.samples]
        n_blocks = 1 + sum(len(self.samples) > most for most in (_MOST_IN_ONE_BLOCK, _MOST_IN_TWO))
        n_rows = math.ceil(len(self.samples) / n_blocks)
        headers = [
            _LINE * max(title.count("\n") + 1 for title in titles[row::n_rows]) + _VERDICT
            for row in range(n_rows)
        ]
        heights = [header + _HEIGHT + _TICKS + _GAP for header in headers]
        middle = max(
            text_width(label, _TICK_SIZE)
            for sample in self.samples
            for label in _ticks(*_limits(_in_unit(sample)), _HEIGHT, upright=True)[1]
        )
        pair = _LEFT + _WIDTH + 0.2 + middle + 0.12 + _WIDTH
        block = max(pair, *(text_width(title, _NAME_SIZE, bold=True) for title in titles))
        width = 2 * _MARGIN + n_blocks * block + (n_blocks - 1) * 3 * _GAP
        height = 2 * _MARGIN + sum(heights) + _LABEL
        figure = Figure(figsize=(width, height), facecolor="white")
        for place, sample in enumerate(self.samples):
            column, row = divmod(place, n_rows)
            left = _MARGIN + column * (block + 3 * _GAP)
            top = _MARGIN + sum(heights[:row])
            lowest = row == n_rows - 1 or place == len(self.samples) - 1
            bottom = top + headers[row] + _HEIGHT
            x = left + _LEFT
            pair_axes = []
            for start in (x, x + _WIDTH + 0.2 + middle + 0.12):
                box = (start / width, 1 - bottom / height, _WIDTH / width, _HEIGHT / height)
                pair_axes.append(figure.add_axes(box))
            text: dict[str, Any] = {"color": "black", "parse_math": False, "va": "top"}
            name = figure.text(
                left / width,
                1 - top / height,
                titles[place],
                fontsize=_NAME_SIZE,
                fontweight="bold",
                linespacing=1.1,
                **text,
            )
            figure.text(
                left / width,
                1 - (bottom - _HEIGHT - _VERDICT + 0.05) / height,
                self._verdict(sample, times(_unit(sample))),
                fontsize=_SMALL_SIZE,
                **text,
            )
            self.artists["names"].append(name)
            marked(name, self._about(sample))
            self._draw(sample, pair_axes[0], pair_axes[1], (_WIDTH, _HEIGHT), labelled=lowest)
        return self._plot(shown=True)

    def on_axes(self, axes: Iterable[Axes]) -> Plot:
        """Draw into axes that were given."""
        given = list(np.asarray(axes, dtype=object).reshape(-1))
        if len(given) != 2 * len(self.samples) or not all(isinstance(ax, Axes) for ax in given):
            raise ValueError(
                f"`axes` must hold 2 axes for each algorithm, {2 * len(self.samples)}; "
                f"got {len(given)}."
            )
        for sample, left, right in zip(self.samples, given[::2], given[1::2], strict=True):
            box, dpi = left.get_window_extent(), left.figure.dpi
            size = (box.width / dpi, box.height / dpi)
            title = self._title(sample, max(8, int(size[0] * 10))) + times(_unit(sample))
            style: dict[str, Any] = {"color": "black", "parse_math": False, "loc": "left"}
            self.artists["names"].append(
                left.set_title(title, fontsize=_SMALL_SIZE, fontweight="bold", **style)
            )
            self._draw(sample, left, right, size, labelled=True)
        return self._plot(shown=False)

    # ------------------------------------------------------------------------ drawing

    def _draw(
        self, sample: Sample, left: Axes, right: Axes, size: tuple[float, float], *, labelled: bool
    ) -> None:
        sample = _in_unit(sample)
        low, high = _limits(sample)
        measure = self.result.design.measure or "score"
        edges, counts = sample.histogram
        bars = left.bar(
            edges[:-1],
            counts,
            np.diff(edges),
            align="edge",
            facecolor="0.82",
            edgecolor="0.35",
            linewidth=0.7,
        )
        self.artists["bars"] += bars
        for bar in bars:
            marked(bar, self._about(sample))
        highest = float(counts.max())
        if sample.deviation > 0:
            x, density = _expected(sample, low, high, float(edges[1] - edges[0]))
            self.artists["densities"] += left.plot(x, density, color="black", linewidth=1.3)
            highest = max(highest, max(density))
        _dress(left, size, (low, high), (0.0, 1.08 * highest), whole=True)
        quantiles = sample.normal_quantiles
        reach = max(2.0, 1.08 * float(quantiles[-1]))
        if sample.deviation > 0:
            ends = [sample.mean - reach * sample.deviation, sample.mean + reach * sample.deviation]
            self.artists["lines"] += right.plot(
                [-reach, reach], ends, color="0.45", linewidth=1.0, zorder=1
            )
        points = right.plot(
            quantiles,
            sample.values,
            linestyle="none",
            marker="o",
            markersize=3.6,
            markerfacecolor="white",
            markeredgecolor="black",
            markeredgewidth=0.8,
        )
        self.artists["points"] += [marked(point, self._about(sample)) for point in points]
        _dress(right, size, (-reach, reach), (low, high))
        self.artists["axes"] += [left, right]
        if labelled:
            style: dict[str, Any] = {
                "fontsize": _SMALL_SIZE,
                "color": "black",
                "labelpad": 2,
                "parse_math": False,
            }
            left.set_xlabel(textwrap.shorten(measure, 40, placeholder="…"), **style)
            right.set_xlabel("normal quantile", **style)

    def _plot(self, *, shown: bool) -> Plot:
        axes = self.artists["axes"]
        artists = Labelled({name: tuple(found) for name, found in self.artists.items()})
        first = axes[0]
        return Plot(first.figure, first, artists, self._alt(), shown=shown)  # type: ignore[arg-type]

    # -------------------------------------------------------------------------- words

    def _title(self, sample: Sample, wrap: int) -> str:
        text = "\n".join(textwrap.wrap(sample.algorithm, wrap, break_on_hyphens=False))
        return text or sample.algorithm

    def _about(self, sample: Sample) -> Mark:
        told = f"{sample.algorithm}: {self._verdict(sample)}"
        return Mark(told, (sample.algorithm,))

    def _verdict(self, sample: Sample, unit: str = "") -> str:
        test = sample.tests["shapiro-wilk"]
        scores = f"{plural(len(sample.values), 'score')}{unit}"
        if test is None:
            return f"{scores}; Shapiro–Wilk test not possible"
        p = format_p(test.pvalue, test.log10_pvalue)
        verdict = "rejected" if self.result.rejects(test) else "not rejected"
        return f"{scores}; normality {verdict} (Shapiro–Wilk, {stated_p(p)})"

    def _alt(self) -> str:
        dataset = self.samples[0].dataset
        where = (
            f"over {plural(self.result.design.n_datasets, 'data set')}"
            if dataset is None
            else f"on data set {dataset}"
        )
        text = (
            "Histograms with the fitted normal density, and normal Q–Q plots, of the scores "
            f"{where} (α = {self.result.alpha:g})."
        )
        if len(self.samples) < self.n_known:
            some = f"{len(self.samples)} of {self.n_known} algorithms"
            text = f"{text[:-1]}: {some}, those that a normal distribution fits worst."
        told = [
            f"{sample.algorithm}: mean {format_number(sample.mean)}, standard deviation "
            f"{format_number(sample.deviation)}, {self._verdict(sample)}."
            for sample in self.samples
        ]
        if len(told) <= _MOST_TOLD:
            return " ".join([text, *told])
        rejected = sum(self.result.rejects(s.tests["shapiro-wilk"]) for s in self.samples)
        return (
            f"{text} Normality is rejected for {rejected} of {len(told)} algorithms (Shapiro–Wilk)."
        )


def _fit(sample: Sample) -> float:
    test = sample.tests["shapiro-wilk"]
    return math.inf if test is None else test.log10_pvalue


def _unit(sample: Sample) -> float:
    return unit_of(float(np.abs(sample.values).max()))


def _in_unit(sample: Sample) -> Sample:
    """Scale a sample to a range in which Matplotlib can distinguish its values."""
    unit = _unit(sample)
    return replace(
        sample,
        values=sample.values / unit,
        mean=sample.mean / unit,
        deviation=sample.deviation / unit,
    )


def _expected(
    sample: Sample, low: float, high: float, width: float
) -> tuple[list[float], list[float]]:
    """Return expected counts in classes of this width, along the axis."""
    normal, factor = NormalDist(), len(sample.values) * width / sample.deviation
    x = np.linspace(low, high, 101).tolist()
    return x, [factor * normal.pdf((value - sample.mean) / sample.deviation) for value in x]


def _limits(sample: Sample) -> tuple[float, float]:
    """Return limits of the axis of scores: the histogram with a small margin."""
    edges, _ = sample.histogram
    low, high = float(edges[0]), float(edges[-1])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def _dress(
    ax: Axes,
    size: tuple[float, float],
    x: tuple[float, float],
    y: tuple[float, float],
    *,
    whole: bool = False,
) -> None:
    """Set limits, ticks and colours of axes, independently of the current style."""
    ax.set_facecolor("white")
    ax.set_xlim(*x)
    ax.set_ylim(*y)
    ax.grid(visible=False)
    ax.tick_params(
        which="both", colors="black", labelcolor="black", labelsize=_TICK_SIZE, length=3, width=0.8
    )
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set(color="black", linewidth=0.8)
    _set_ticks(ax.xaxis, *_ticks(*x, size[0]))
    _set_ticks(ax.yaxis, *_ticks(*y, size[1], upright=True, whole=whole))


def _set_ticks(axis: Axis, places: list[float], labels: list[str]) -> None:
    axis.set_ticks(places, labels=labels, parse_math=False)


def _ticks(
    low: float, high: float, length: float, *, upright: bool = False, whole: bool = False
) -> tuple[list[float], list[str]]:
    """Return round numbers and their labels, as many as fit on an axis of this length."""
    for most in (5, 4, 3, 2):
        locator = MaxNLocator(most, integer=whole, steps=[1, 2, 5, 10])
        places = [float(tick) for tick in locator.tick_values(low, high) if low <= tick <= high]
        labels = _tick_labels(places)
        taken = (
            len(labels) * 0.24
            if upright
            else sum(text_width(label, _TICK_SIZE) + 0.14 for label in labels)
        )
        if taken <= length:
            break
    return places, labels


def _tick_labels(places: list[float]) -> list[str]:
    """Format ticks with as many digits as distinguish neighbours."""
    if len(places) < 2:
        return [f"{place:g}" for place in places]
    step = places[1] - places[0]
    largest = max(map(abs, places))
    places = [0.0 if abs(place) < step / 1e6 else place for place in places]
    if largest < 1e5 and step > 1e-5:
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        return [f"{place:.{decimals}f}" for place in places]
    digits = 2 + max(0, math.floor(math.log10(largest / step)))
    return [f"{place:.{digits}g}" for place in places]
