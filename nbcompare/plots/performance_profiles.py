"""Performance profiles: how often every algorithm is within some distance of the best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._options import AUTO, MINIMIZE
from nbcompare._render import format_rounded, plural
from nbcompare._validation import shown
from nbcompare.experiment import Experiment, is_frame
from nbcompare.plots._labels import highlighted, wrapped
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot
from nbcompare.plots._profiles import (
    RATIO,
    Costs,
    Reach,
    checked_limit,
    costs_of,
    distances,
    profile_of,
    told_of,
    unit_of_differences,
    way_of,
)
from nbcompare.plots._scale import Scale
from nbcompare.plots._shares import ShareAxis, ShareCurve, draw_shares, steps
from nbcompare.results import Description, Design

_WRAP = 88
_MOST_TOLD = 12  # most algorithms in the alternative text


class RunShares(Protocol):
    """Shares of runs with a score beyond each threshold, with bands."""

    @property
    def thresholds(self) -> FloatArray:
        """The thresholds, increasing, shape (n_thresholds,)."""

    @property
    def share(self) -> FloatArray:
        """The shares, shape (n_algorithms, n_thresholds)."""

    @property
    def lower(self) -> FloatArray:
        """The lower ends of the bands."""

    @property
    def upper(self) -> FloatArray:
        """The upper ends of the bands."""


@runtime_checkable
class HasProfiles(Protocol):
    """A result of repeated runs that has their performance profiles."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, in the order of the profiles."""

    @property
    def measure(self) -> str:
        """What the thresholds are values of."""

    @property
    def direction(self) -> str:
        """Whether shares are of runs above each threshold (``maximize``) or below it."""

    @property
    def better(self) -> str:
        """The direction in words."""

    @property
    def confidence(self) -> float:
        """Confidence level of the bands at each threshold."""

    @property
    def design(self) -> Design:
        """The data and options."""

    @property
    def profiles(self) -> RunShares | None:
        """The profiles; None if the scores of different data sets are not pooled."""

    @property
    def withheld(self) -> str:
        """Why they are not, as a sentence; empty if they are."""


def performance_profiles(
    data: Experiment | Description | HasProfiles,
    *,
    by: str = AUTO,
    as_error: bool = False,
    up_to: float | None = None,
    highlight: Iterable[str] | None = None,
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
        Algorithms to draw in colour; all others are grey and share a label.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (in the order of the algorithms), ``bands`` (of runs),
        ``marks`` (on the curves), ``labels`` (names) and ``axis``.

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
        named = highlighted(highlight, costs.algorithms)
        return _of_scores(costs, by, up_to, named, ax)
    if isinstance(given, HasProfiles):
        _refuse(by=by != AUTO, as_error=as_error is not False, up_to=up_to is not None)
        return _of_runs(given, highlighted(highlight, given.algorithms), ax)
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


# ------------------------------------------------------------------------------- of scores


def _of_scores(
    costs: Costs,
    by: str,
    up_to: float | None,
    highlight: frozenset[str] | None,
    ax: Axes | None,
) -> Plot:
    way, why = way_of(costs, by)
    limit = checked_limit(up_to, way)
    distance = distances(costs, way)
    reach = Reach(distance, way, unit_of_differences(costs), limit)
    middle = reach.middle()
    curves, told = [], []
    for name, own in zip(costs.algorithms, distance.T, strict=True):
        places, shares = profile_of(own)
        inside = places <= reach.end
        x, y = steps(reach.share(places[inside]), shares[inside])
        told.append(told_of(name, own, middle, way, costs.lacks))
        curves.append(ShareCurve(name=name, x=x, share=y, about=Mark(told[-1], (name,))))
    caption = _caption(costs, way, why, "" if up_to is None else f"{up_to:g}", reach.n_beyond)
    axis = ShareAxis(
        across=f"{_across(costs, way)}{reach.suffix}",
        upright="share of data sets",
        ticks=reach.ticks(),
    )
    order = np.argsort(-(distance == 0).sum(axis=0), kind="stable").tolist()
    alt = _alt(caption, "Most often the best first: ", [told[place] for place in order])
    return draw_shares(curves, axis, caption=_lines(caption), alt=alt, highlight=highlight, ax=ax)


def _across(costs: Costs, way: str) -> str:
    if way == RATIO:
        return f"{costs.what} as a factor of the best"
    if costs.is_error or not costs.higher.any():
        return f"{costs.what} above the best"
    return f"{costs.what} below the best" if costs.higher.all() else f"{costs.what} from the best"


def _caption(costs: Costs, way: str, why: str, end: str, n_beyond: int) -> list[str]:
    """Return phrases on what is drawn and why, and on what is not."""
    n, k = costs.values.shape
    how = "factor of the best" if way == RATIO else "difference to the best"
    lines = [
        f"Performance profiles of {plural(k, 'algorithm')} on {plural(n, 'data set')}",
        f"{how} on each data set ({why or costs.better})",
    ]
    if way != RATIO:
        lines.append("differences must mean the same on all data sets")
    if k > 2:
        lines.append(
            f"compared with the best of these {k}: without one of them, others may change places"
        )
    n_missing = int((~costs.there).sum())
    if n_missing:
        how = "missing" if costs.lacks == "score" else "missing or infinite"
        lines.append(
            f"{plural(n_missing, 'score')} of {n * k:,} "
            f"{'is' if n_missing == 1 else 'are'} {how}, and count as never that near"
        )
    if n_beyond:
        lines.append(f"the axis ends at {end}; {plural(n_beyond, 'score')} beyond it")
    return lines


# --------------------------------------------------------------------------------- of runs


def _of_runs(result: HasProfiles, highlight: frozenset[str] | None, ax: Axes | None) -> Plot:
    profiles = result.profiles
    if profiles is None:
        raise ValueError(f"`data` has no profiles: {result.withheld}")
    first, last = profiles.thresholds[[0, -1]]
    # runs that are equal but for rounding noise may have equal thresholds
    scale = Scale(profiles.thresholds, log=False, margin=0.0 if last > first else 0.06)
    x = scale.share(profiles.thresholds)
    side = "below" if result.direction == MINIMIZE else "above"
    # the alternative text tells of the threshold at which the algorithms differ most
    place = int(np.ptp(profiles.share, axis=0).argmax())
    threshold = format_rounded(float(profiles.thresholds[place]))
    curves = []
    for name, *rows in zip(
        result.algorithms, profiles.share, profiles.lower, profiles.upper, strict=True
    ):
        share, low, high = (f"{100 * row[place]:.3g} %" for row in rows)
        told = f"{name}: {share} of the runs {side} {threshold} ({low} to {high})"
        about = Mark(told, (name,))
        curves.append(
            ShareCurve(name=name, x=x, share=rows[0], band=(rows[1], rows[2]), about=about)
        )
    caption = [
        f"Performance profiles of {plural(len(curves), 'algorithm')} over repeated runs on "
        f"{plural(result.design.n_datasets, 'data set')}",
        "data sets count equally; "
        f"bands hold with confidence {100 * result.confidence:g} % at each score by itself",
    ]
    axis = ShareAxis(
        across=f"{result.measure}{scale.suffix}, {result.better}",
        upright=f"share of runs {side} the score",
        ticks=scale.ticks(),
    )
    order = np.argsort(-profiles.share[:, place], kind="stable").tolist()
    alt = _alt(caption, "", [curves[row].about.title for row in order])
    return draw_shares(curves, axis, caption=_lines(caption), alt=alt, highlight=highlight, ax=ax)


# ----------------------------------------------------------------------------------- words


def _lines(caption: Sequence[str]) -> list[str]:
    return [line for text in caption for line in wrapped(text, _WRAP).split("\n")]


def _alt(caption: Sequence[str], order: str, told: Sequence[str]) -> str:
    more = len(told) - _MOST_TOLD
    listed = [*told[:_MOST_TOLD], *([f"{more} more"] if more > 0 else [])]
    return f"{caption[0]} ({'; '.join(caption[1:])}). {order}{'; '.join(listed)}."
