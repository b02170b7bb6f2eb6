"""Performance profiles: how often every algorithm is within some distance of the best."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import NOISE, BoolArray, FloatArray, mean_over
from nbcompare._options import AUTO, MAXIMIZE, MINIMIZE, better
from nbcompare._render import format_rounded, plural
from nbcompare._validation import DataError, check_choice
from nbcompare.experiment import Experiment, is_frame
from nbcompare.plots._curves import Curve, Curves, joined
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import figure
from nbcompare.plots._text import number_text, number_ticks, spans_decades
from nbcompare.plots._wording import highlighted
from nbcompare.results import Description, RunAggregates

_RATIO, _DIFFERENCE = "ratio", "difference"
_MOST_POWERS = 250.0  # of ten, in the largest factor that an axis can have
_LARGEST = 1e300  # of costs whose differences must be numbers
_BEYOND = 1.04  # the axis goes on after the last step by this share of its length


class _Drawing(NamedTuple):
    """Curves on axes whose x axis is ready, and the sentences about them."""

    curves: list[Curve]
    labels: tuple[str, str]
    caption: list[str]
    drawstyle: str


@figure()
def performance_profiles(
    data: Experiment | Description | RunAggregates,
    *,
    by: str = AUTO,
    highlight: Iterable[str] | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw how often each algorithm is within some distance of the best, or above some score.

    **Of scores** (an experiment, or the result of :func:`nbcompare.describe`), these are the
    profiles of Dolan and Moré. A curve gives, for every factor from 1 on, the share of the data
    sets on which the cost of the algorithm is at most this factor of that of the best one. At the
    left end this is the share of data sets on which it is the best; all algorithms that tie for
    the best count. At the right end it is the share on which it is on the axis at all. Higher
    curves are better.

    A ratio makes sense for costs, such as times and errors: positive numbers of which lower is
    better. Of other scores, a curve gives the share of data sets on which an algorithm is at most a
    **difference** worse than the best, in units of the measure; these must mean the same on all
    data sets. The caption says which it is.

    The share is always one of all data sets: where an algorithm has no score, or an infinite cost,
    it is not within any distance of the best. Read failed runs with ``failed="missing"`` for that:
    with ``"par2"`` or ``"worst"`` they count as solved, some factor later.

    Profiles compare with the best of *these* algorithms. At each factor, the highest curve is that
    of the algorithm that is most often within it. The order of the lower curves says less: if an
    algorithm is taken away, others are the best in its place, and two curves can change places
    (Gould and Scott 2016). To compare two algorithms, draw the profiles of these two.

    **Of repeated runs** (the result of :func:`nbcompare.aggregate_runs`), a curve gives the share
    of runs with a score above each threshold (below it, if lower is better), with a confidence
    band. There is no best one in these, so that an algorithm does not change the curves of others.
    Scores that are positive over three decades or more, such as errors, have a logarithmic axis.

    Parameters
    ----------
    data : Experiment, Description or RunAggregates
        At least two algorithms; folds and runs are averaged in an experiment.
    by : {"auto", "ratio", "difference"}
        How scores are compared with the best. "auto" is the ratio if all scores are positive and
        lower is better on all data sets, or else the difference.
    highlight : list of str, optional
        Algorithms to draw in colour; all others are grey and not named. By default all, or of more
        than 12 algorithms the 6 with the largest mean shares, because curves could not be told
        apart.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (in the order of the algorithms), ``bands`` (of runs),
        ``labels`` (names at their ends) and ``legend``, where other symbols are explained, or names
        that have no room beside the axes. The x axis is in factors, differences or scores, the y
        axis in shares.

    Raises
    ------
    TypeError
        If ``data`` is none of these.
    ValueError
        If an option has a value that it may not have, or does not belong to such data.
    DataError
        If a ratio was asked for, and a score has none; if scores are intervals, or there is one
        algorithm only.

    References
    ----------
    Dolan, E. D. and Moré, J. J. (2002). Benchmarking optimization software with performance
    profiles. Mathematical Programming 91, 201-213.
    Gould, N. and Scott, J. (2016). A note on performance profiles for benchmarking software. ACM
    Transactions on Mathematical Software 43 (2), 15:1-15:5.

    Examples
    --------
    One algorithm is the best on two of three data sets, the other one never far from the best:

    >>> import nbcompare as nbc
    >>> seconds = nbc.Experiment.from_array(
    ...     [[3.0, 2.0], [5.0, 4.0], [1.0, 5.0]], direction="minimize", measure="seconds",
    ...     algorithms=["simplex", "barrier"])
    >>> plot = nbc.plots.performance_profiles(seconds)
    >>> plot.alt.partition("). ")[2].split(". ")
    ['simplex: best on 1 of 3 data sets, within a factor of 2 on 3',
     'barrier: best on 2 of 3 data sets, within a factor of 2 on 2.']
    """
    given: object = data  # which may be of another class
    sheet = Curves(ax, [""], title=title)
    if isinstance(given, Experiment | Description):
        drawn = _of_scores(sheet.ax, _costs_of(given), by)
    elif hasattr(given, "profiles"):
        if by != AUTO:
            raise ValueError(
                "`by` is about scores and their best, and the profiles of repeated runs have none. "
                "Leave it out, or pass the Experiment."
            )
        drawn = _of_runs(sheet.ax, cast("RunAggregates", given))
    else:
        remedy = "nbc.describe(frame, direction=...)" if is_frame(given) else "an Experiment"
        raise TypeError(
            "plots.performance_profiles takes an Experiment, its Description or RunAggregates; got "
            f"{type(given).__name__}. Pass {remedy}, or nbc.aggregate_runs(experiment) for the "
            "shares of repeated runs above each score."
        )
    curves = drawn.curves
    scale = sheet.ax.xaxis.get_transform()
    means = [np.diff(scale.transform(curve.x)) @ curve.y[:-1] for curve in curves]
    best_first = [curves[i].name for i in np.argsort(means)[::-1]]
    named = highlighted(highlight, tuple(curve.name for curve in curves))
    colored = sheet.color(best_first, "largest mean shares", named)
    sheet.caption(joined(*drawn.caption, colored))
    sheet.draw(sheet.ax, curves, drawstyle=drawn.drawstyle)
    sheet.ax.set_ylim(-0.02, 1.02)
    return sheet.finish(drawn.labels, "Performance profiles")


# ---------------------------------------------------------------------------------- scores


class _Costs(NamedTuple):
    """Scores turned so that lower is better; NaN where there is none."""

    values: FloatArray
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    measure: str
    better: str  # which of the measure are better, in words
    higher: BoolArray  # data sets on which higher scores are better

    def no_ratio(self) -> str:
        """Return why costs have no ratio; empty if they have one."""
        if self.higher.all():
            return "higher is better"
        if self.higher.any():
            name = self.datasets[int(np.argmax(self.higher))]
            return f"higher is better on some data sets, such as {name}"
        low = np.argwhere(np.isfinite(self.values) & (self.values <= 0))
        if not len(low):
            return ""
        row, column = (int(i) for i in low[0])
        kind = "0" if self.values[row, column] == 0 else "negative"
        return f"the score of {self.algorithms[column]} on {self.datasets[row]} is {kind}"

    def distances(self, by: str) -> FloatArray:
        """Return how far each cost is from the best of its data set; infinite if there is none.

        Ratios are given as their logarithms to the base 10, which do not overflow. A best cost,
        and one that differs from it by rounding noise, has distance 0.
        """
        there = np.isfinite(self.values)
        size = np.where(there, np.clip(self.values, -_LARGEST, _LARGEST), np.inf)
        best = size.min(axis=1, keepdims=True)
        noise = NOISE * np.maximum(np.abs(size), np.abs(best))
        tied = there & (
            np.subtract(size, best, out=np.full_like(size, np.inf), where=there) <= noise
        )
        if by == _RATIO:
            size = np.log10(size, out=np.full_like(size, np.inf), where=there)
        best = size.min(axis=1, keepdims=True)
        found = np.subtract(size, best, out=np.full_like(size, np.inf), where=there)
        return np.where(tied, 0.0, found)


def _costs_of(data: Experiment | Description) -> _Costs:
    """Return the costs of the algorithms on the data sets, the means of their folds and runs."""
    if isinstance(data, Experiment):
        is_interval, given, measure = data.is_interval, data.given[0], data.measure
        higher = np.array([way == MAXIMIZE for way in data.ways])
        datasets, algorithms = data.datasets, data.algorithms
        is_better = better(data.direction, data.turned)
        given = mean_over(mean_over(given))
    else:
        is_interval, given, design = data.upper_scores is not None, data.scores, data.design
        datasets, algorithms, measure = design.datasets, design.algorithms, design.measure
        higher, is_better = design.gain_signs > 0, design.better
    if is_interval:
        raise DataError(
            "`data` holds interval-valued scores, which have no profile. To draw that of their "
            "midpoints, make an Experiment of those."
        )
    if len(algorithms) < 2:
        raise DataError(
            f"`data` must hold at least 2 algorithms to compare; got {len(algorithms)}."
        )
    costs = np.where(higher[:, np.newaxis], -given, given)
    return _Costs(costs, datasets, algorithms, measure or "score", is_better, higher)


def _of_scores(ax: Axes, costs: _Costs, by: str) -> _Drawing:
    """Set the x axis, and return the profiles."""
    check_choice(by, "by", (AUTO, _RATIO, _DIFFERENCE))
    why = costs.no_ratio()
    if by == _RATIO and why:
        raise DataError(f"`by` must not be {_RATIO!r}, because {why}. Pass by={_DIFFERENCE!r}.")
    is_ratio = not why and by != _DIFFERENCE
    distance = costs.distances(_RATIO if is_ratio else _DIFFERENCE)  # logarithms of factors
    largest = _BEYOND * float(distance.max(where=np.isfinite(distance), initial=0.0))
    n, k = distance.shape
    caption = [f"{plural(k, 'algorithm')} on {plural(n, 'data set')}"]
    if is_ratio:
        end = 10 ** min(largest, _MOST_POWERS) if largest else 2.0
        ax.set(xscale="log", xlim=(1.0, end))
        caption.append(f"all scores are positive, {costs.better}")
        label = f"{costs.measure} as a factor of the best"
    else:
        end = largest or 1.0
        ax.set_xlim(0.0, end)
        caption += [f"no ratio, because {why}"] if why and by == AUTO else [costs.better]
        caption.append("differences must mean the same on all data sets")
        side = "from" if costs.higher.any() else "above"
        label = f"{costs.measure} {'below' if costs.higher.all() else side} the best"
    number_ticks(ax.xaxis)
    if k > 2:
        caption.append(f"without one of these {k}, others may change places")
    lack = "finite score" if np.isinf(costs.values).any() else "score"
    if missing := int(np.isinf(distance).sum()):
        how = "missing" if lack == "score" else "missing or infinite"
        caption.append(
            f"{plural(missing, 'score')} of {n * k:,} {'is' if missing == 1 else 'are'} {how}, and "
            "count as never that near"
        )
    curves, middle = [], _middle(ax)
    for number, (name, own) in enumerate(zip(costs.algorithms, distance.T, strict=True)):
        near = own[own <= (_MOST_POWERS if is_ratio else end)]
        at, counts = np.unique(np.append(0.0, near), return_counts=True)
        shares = (np.cumsum(counts) - 1) / n  # 0 was counted once too often
        x = np.append(10**at if is_ratio else at, end)
        text = f"{name}: best on {int((own == 0).sum())} of {plural(n, 'data set')}"
        if np.isfinite(middle):
            close = (own <= (np.log10(middle) if is_ratio else middle) * (1 + 1e-9)).sum()
            tick = number_text(middle)
            text += f", within {f'a factor of {tick}' if is_ratio else f'{tick} of it'} on {close}"
        if never := int(np.isinf(own).sum()):
            text += f", no {lack} on {never}"
        curves.append(Curve(name, number, x, np.append(shares, shares[-1]), Mark(text, (name,))))
    return _Drawing(curves, (label, "share of data sets"), caption, "steps-post")


def _middle(ax: Axes) -> float:
    """Return the tick near the middle of the axis, for words; NaN if there is none."""
    scale, (low, high) = ax.xaxis.get_transform(), ax.get_xlim()
    ticks = [tick for tick in ax.xaxis.get_majorticklocs() if low < tick <= high * (1 + 1e-9)]
    half = scale.transform([low, high]).mean()
    return min(ticks, key=lambda tick: abs(scale.transform([tick])[0] - half), default=np.nan)


# ------------------------------------------------------------------------------------ runs


def _of_runs(ax: Axes, result: RunAggregates) -> _Drawing:
    """Set the x axis, and return the shares of runs."""
    profiles = result.profiles
    if profiles is None:
        raise ValueError(f"`data` has no profiles: {result.withheld}")
    side = "below" if result.direction == MINIMIZE else "above"
    # what is told is about the threshold at which the algorithms differ most
    place = int(np.ptp(profiles.share, axis=0).argmax())
    threshold = format_rounded(float(profiles.thresholds[place]))
    curves, at = [], profiles.thresholds
    if len(at) > 2 and spans_decades(at[1:-1]):  # the first one is below all runs
        at = np.append(at[1] / 2, at[1:])
        ax.set_xscale("log")
    for number, (name, *rows) in enumerate(
        zip(result.algorithms, profiles.share, profiles.lower, profiles.upper, strict=True)
    ):
        share, low, high = (f"{100 * row[place]:.3g} %" for row in rows)
        about = Mark(f"{name}: {share} of the runs {side} {threshold} ({low} to {high})", (name,))
        band = np.array(rows[1:])
        curves.append(Curve(name, number, at, rows[0], about, band))
    first, last = at[[0, -1]].tolist()
    if last > first:  # runs that are equal but for rounding noise may have equal thresholds
        ax.set_xlim(first, last)
        number_ticks(ax.xaxis)
    caption = [
        f"repeated runs on {plural(result.design.n_datasets, 'data set')}, which count equally",
        f"bands hold with confidence {100 * result.confidence:g} % at each score by itself",
    ]
    labels = f"{result.measure}, {result.better}", f"share of runs {side} the score"
    return _Drawing(curves, labels, caption, "default")
