"""Performance profiles: how often every algorithm is within some distance of the best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from nbcompare._arrays import FloatArray
from nbcompare._options import AUTO, MINIMIZE
from nbcompare._render import format_rounded, plural
from nbcompare._validation import shown
from nbcompare.experiment import Experiment, is_frame
from nbcompare.plots._curves import (
    Curve,
    draw_curves,
    finish,
    in_color,
    joined,
    listed,
    small_panels,
)
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot
from nbcompare.plots._profiles import (
    RATIO,
    Costs,
    checked_limit,
    costs_of,
    distances,
    profile_of,
    way_of,
)
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.plots._ticks import number_text, number_ticks
from nbcompare.plots._wording import highlighted
from nbcompare.results import Description, RunAggregates
from nbcompare.results.aggregates import Profiles

_MOST_POWERS = 250.0  # of ten, in the largest factor that an axis can have
_BEYOND = 1.04  # the axis goes on after the last step by this share of its length
_LEAST_BINARY, _MOST_BINARY = 2.8, 1024.0  # ends of axes of factors with powers of two


@figure
def performance_profiles(
    data: Experiment | Description | RunAggregates,
    *,
    by: str = AUTO,
    as_error: bool = False,
    up_to: float | None = None,
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
    it is not within any distance of the best.

    Profiles compare with the best of *these* algorithms. At each factor, the highest curve is that
    of the algorithm that is most often within it. The order of the lower curves says less: if an
    algorithm is taken away, others are the best in its place, and two curves can change places
    (Gould and Scott 2016). To compare two algorithms, draw the profiles of these two.

    **Of repeated runs** (the result of :func:`nbcompare.aggregate_runs`), a curve gives the share
    of runs with a score above each threshold (below it, if lower is better), with a confidence
    band. There is no best one in these, so that an algorithm does not change the curves of others.

    Parameters
    ----------
    data : Experiment, Description or RunAggregates
        At least two algorithms; folds and runs are averaged in an experiment.
    by : {"auto", "ratio", "difference"}
        How scores are compared with the best. "auto" is the ratio if all scores are positive and
        lower is better on all data sets, or else the difference.
    as_error : bool, default False
        Draw 1 minus the score of a measure from 0 to 1 of which higher is better, such as the error
        rate instead of the accuracy.
    up_to : float, optional
        End of the axis: a factor above 1, or a difference. By default the largest one there is.
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
        If a ratio or an error rate was asked for, and a score has none; if scores are intervals, or
        there is one algorithm only.

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
    >>> plot.alt.partition("first: ")[2].split("; ")
    ['barrier: best on 2 of 3 data sets, within a factor of 2 on 2',
     'simplex: best on 1 of 3 data sets, within a factor of 2 on 3.']
    """
    given: object = data  # which may be of another class
    if isinstance(given, Experiment | Description):
        costs = costs_of(given, as_error=_checked_flag(as_error))
        way, why = way_of(costs, by)
        limit = checked_limit(up_to, way)
        named = highlighted(highlight, costs.algorithms)
        sheet = small_panels(ax, [""], title=title)
        return _draw(sheet, named, *_of_scores(sheet.ax, costs, way, why, limit), "steps-post")
    if hasattr(given, "profiles"):
        result = cast("RunAggregates", given)
        _refuse(by=by != AUTO, as_error=as_error is not False, up_to=up_to is not None)
        if result.profiles is None:
            raise ValueError(f"`data` has no profiles: {result.withheld}")
        named = highlighted(highlight, result.algorithms)
        sheet = small_panels(ax, [""], title=title)
        return _draw(sheet, named, *_of_runs(sheet.ax, result, result.profiles), "default")
    remedy = "Pass nbc.describe(frame, direction=...)" if is_frame(given) else "Pass an Experiment"
    raise TypeError(
        "plots.performance_profiles takes an Experiment, its Description or RunAggregates; got "
        f"{type(given).__name__}. {remedy}, or nbc.aggregate_runs(experiment) for the shares of "
        "repeated runs above each score."
    )


def _checked_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"`as_error` must be True or False; got {shown(value)}.")
    return value


def _refuse(**given: bool) -> None:
    for name, is_given in given.items():
        if is_given:
            raise ValueError(
                f"`{name}` is about scores and their best, and the profiles of repeated runs have "
                "none. Leave it out, or pass the Experiment."
            )


def _draw(
    sheet: Sheet,
    highlight: frozenset[str] | None,
    curves: Sequence[Curve],
    labels: tuple[str, str],
    caption: Sequence[str],
    alt: str,
    drawstyle: str,
) -> Plot:
    """Draw the curves on axes whose x axis is ready."""
    scale = sheet.ax.xaxis.get_transform()
    means = [np.diff(scale.transform(curve.x)) @ curve.y[:-1] for curve in curves]
    best_first = [curves[i].name for i in np.argsort(means)[::-1]]
    chosen, colored = in_color(best_first, "largest mean shares", highlight)
    sheet.caption(joined(*caption, colored))
    draw_curves(sheet, sheet.ax, curves, chosen, drawstyle=drawstyle)
    sheet.ax.set_ylim(-0.02, 1.02)
    return finish(sheet, curves, chosen, labels, alt)


def _of_scores(
    ax: Axes, costs: Costs, way: str, why: str, limit: float | None
) -> tuple[list[Curve], tuple[str, str], list[str], str]:
    """Set the x axis; return curves, names of the axes, caption and alternative text."""
    distance = distances(costs, way)  # logarithms of factors
    far = distance[np.isfinite(distance)]
    largest = _BEYOND * float(far.max(initial=0.0))
    start, end = 0.0, limit or largest or 1.0
    if way == RATIO:
        start, end = 1.0, limit or (10 ** min(largest, _MOST_POWERS) if largest else 2.0)
        ax.set_xscale("log")
        ticks = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]) if end < _LEAST_BINARY else None
        base = 2 if end <= _MOST_BINARY else 10
        ax.xaxis.set(major_locator=ticks or LogLocator(base), minor_locator=NullLocator())
        ax.xaxis.set_major_formatter(number_text)
    ax.set_xlim(start, end)
    if way != RATIO:
        number_ticks(ax.xaxis)
    reach = np.log10(end) if way == RATIO else end
    middle = _middle(ax)
    curves = []
    for number, (name, own) in enumerate(zip(costs.algorithms, distance.T, strict=True)):
        at, shares = profile_of(own)
        at, shares = at[at <= reach], shares[at <= reach]
        x = np.append(10**at if way == RATIO else at, end)
        y = np.append(shares, shares[-1])
        about = Mark(_standing(name, own, middle, way, costs.lacks), (name,))
        curves.append(Curve(name, number, x, y, about))
    n, k = costs.values.shape
    size, reason = f"{plural(k, 'algorithm')} on {plural(n, 'data set')}", why or costs.better
    more = _caveats(
        costs, way, f"{limit:g}" if limit else number_text(end), int((far > reach).sum())
    )
    how = "factor of the best" if way == RATIO else "difference to the best"
    order = np.argsort(-(distance == 0).sum(axis=0), kind="stable").tolist()
    told = "; ".join([f"{how} on each data set ({reason})", *more])
    alt = (
        f"Performance profiles of {size} ({told}). Most often the best first: "
        f"{listed([curves[i].about.title for i in order], '; ')}."
    )
    return curves, (_across(costs, way), "share of data sets"), [size, reason, *more], alt


def _of_runs(
    ax: Axes, result: RunAggregates, profiles: Profiles
) -> tuple[list[Curve], tuple[str, str], list[str], str]:
    """Set the x axis; return curves, names of the axes, caption and alternative text."""
    side = "below" if result.direction == MINIMIZE else "above"
    # the alternative text is about the threshold at which the algorithms differ most
    place = int(np.ptp(profiles.share, axis=0).argmax())
    threshold = format_rounded(float(profiles.thresholds[place]))
    curves = []
    for number, (name, *rows) in enumerate(
        zip(result.algorithms, profiles.share, profiles.lower, profiles.upper, strict=True)
    ):
        share, low, high = (f"{100 * row[place]:.3g} %" for row in rows)
        about = Mark(f"{name}: {share} of the runs {side} {threshold} ({low} to {high})", (name,))
        band = np.array(rows[1:])
        curves.append(Curve(name, number, profiles.thresholds, rows[0], about, band))
    first, last = profiles.thresholds[[0, -1]].tolist()
    if last > first:  # runs that are equal but for rounding noise may have equal thresholds
        ax.set_xlim(first, last)
        number_ticks(ax.xaxis)
    caption = [
        f"repeated runs on {plural(result.design.n_datasets, 'data set')}, which count equally",
        f"bands hold with confidence {100 * result.confidence:g} % at each score by itself",
    ]
    order = np.argsort(-profiles.share[:, place], kind="stable").tolist()
    alt = (
        f"Performance profiles of {plural(len(curves), 'algorithm')} ({'; '.join(caption)}). "
        f"{listed([curves[i].about.title for i in order], '; ')}."
    )
    labels = f"{result.measure}, {result.better}", f"share of runs {side} the score"
    return curves, labels, caption, alt


def _middle(ax: Axes) -> float:
    """Return the tick near the middle of the axis, for words; NaN if there is none."""
    scale, (low, high) = ax.xaxis.get_transform(), ax.get_xlim()
    ticks = [tick for tick in ax.xaxis.get_majorticklocs() if low < tick <= high * (1 + 1e-9)]
    half = scale.transform([low, high]).mean()
    return min(ticks, key=lambda tick: abs(scale.transform([tick])[0] - half), default=np.nan)


def _across(costs: Costs, way: str) -> str:
    if way == RATIO:
        return f"{costs.what} as a factor of the best"
    if costs.is_error or not costs.higher.any():
        return f"{costs.what} above the best"
    return f"{costs.what} below the best" if costs.higher.all() else f"{costs.what} from the best"


def _caveats(costs: Costs, way: str, end: str, n_beyond: int) -> list[str]:
    """Return phrases on what must be known to read the curves, and on what is not drawn."""
    n, k = costs.values.shape
    lines = []
    if way != RATIO:
        lines.append("differences must mean the same on all data sets")
    if k > 2:
        lines.append(f"without one of these {k}, others may change places")
    if n_missing := int((~costs.there).sum()):
        how = "missing" if costs.lacks == "score" else "missing or infinite"
        lines.append(
            f"{plural(n_missing, 'score')} of {n * k:,} "
            f"{'is' if n_missing == 1 else 'are'} {how}, and count as never that near"
        )
    if n_beyond:
        lines.append(f"the axis ends at {end}; {plural(n_beyond, 'score')} beyond it")
    return lines


def _standing(name: str, distance: FloatArray, middle: float, way: str, lacks: str) -> str:
    """Say on how many data sets an algorithm is the best, near it, or has no score."""
    n = len(distance)
    text = f"{name}: best on {int((distance == 0).sum())} of {plural(n, 'data set')}"
    if np.isfinite(middle):
        near = (distance <= (np.log10(middle) if way == RATIO else middle) * (1 + 1e-9)).sum()
        tick = number_text(middle)
        text += f", within {f'a factor of {tick}' if way == RATIO else f'{tick} of it'} on {near}"
    never = int(np.isinf(distance).sum())
    return text + (f", no {lacks} on {never}" if never else "")
