"""Repeated runs as numbers or intervals, and fuzzy p-values of nested ones.

Runs are on the last axis; NaN pads cells with fewer runs than others. The ends of a statistic
of interval-valued runs are the statistics of all lower and of all upper ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_probability,
    check_real,
    shown,
)
from nbcompare.stats.permutation import generator

INTERVALS = ("central", "shortest")  # these have a coverage
ENCODINGS = (*INTERVALS, "range", "mean", "median", "interquartile-mean", "mode")
# A share of 0.1 of 30 runs is 3 runs, but not in floating point.
_SLACK = 1e-9
# Means of resamples are computed in blocks of about this many values.
_BLOCK_ELEMENTS = 2_000_000


class Consolidated(NamedTuple):
    """Ends of intervals, which are equal where the runs become a number."""

    low: FloatArray
    high: FloatArray


def consolidate(
    lower: npt.ArrayLike, upper: npt.ArrayLike, encoding: str, coverage: float | None = None
) -> Consolidated:
    r"""Reduce the runs of each cell to a number or an interval.

    Parameters
    ----------
    lower, upper : array_like, shape (..., n_runs)
        Scores of the runs, or their ends if they are interval-valued themselves; NaN pads
        cells with fewer runs than others.
    encoding : {"central", "shortest", "range", "mean", "median", "interquartile-mean", "mode"}
        ``central``: the quantiles at :math:`(1-c)/2` and :math:`1-(1-c)/2`, linear between
        runs. ``shortest``: the shortest interval that contains at least :math:`\lceil cm
        \rceil` of the m runs, or the lowest of several such intervals. ``range``: the least and
        greatest run. Numbers: ``mean``, ``median``, ``interquartile-mean`` (the mean without the
        floor(m/4) lowest and as many of the highest runs), and ``mode``, the half-sample mode:
        the shortest interval that contains half of the runs, then half of those inside it, and so
        on, to the middle of two runs or of equal ones; of several such intervals, the lowest.
    coverage : float, optional
        Share c of the runs, in (0, 1], for ``central`` and ``shortest``.

    Returns
    -------
    Consolidated
        Two arrays of shape (...), in units of the scores. NaN for a cell without runs; a cell
        with one run becomes that value with every encoding.

    Raises
    ------
    ValueError
        If the encoding is unknown, the coverage is outside (0, 1], missing or superfluous,
        scores are infinite, a lower end is above its upper end, or shortest intervals or modes of
        interval-valued runs are requested.

    References
    ----------
    Robertson, T. and Cryer, J. D. (1974). An iterative procedure for estimating the mode. Journal
    of the American Statistical Association 69, 1012-1016, for the mode.

    Otero, J., Sánchez, L., Couso, I. and Palacios, A. (2013), sections 2 and 3.2; the quantiles of
    Otero, Sánchez and Couso (2010), section 2.2.

    Examples
    --------
    Ten runs, two of which are trapped:

    >>> runs = [0.20, 0.21, 0.22, 0.22, 0.23, 0.24, 0.24, 0.25, 0.60, 0.65]
    >>> for encoding in ("central", "shortest"):
    ...     low, high = consolidate(runs, runs, encoding, 0.8)
    ...     print(low.round(3), high.round(3))
    0.209 0.605
    0.2 0.25
    >>> [consolidate(runs, runs, word).low.round(3).item() for word in ENCODINGS[3:]]
    [0.306, 0.235, 0.233, 0.22]
    """
    check_choice(encoding, "encoding", ENCODINGS)
    share = _check_share(encoding, coverage)
    low, high = _check_runs(lower, upper)
    if encoding in ("shortest", "mode"):
        if not np.array_equal(low, high, equal_nan=True):
            raise ValueError(
                "`encoding` must be 'central', 'range', 'mean', 'median' or 'interquartile-mean' "
                f"for interval-valued runs; got {encoding!r}."
            )
        ordered = np.sort(low, axis=-1)
        return _shortest(ordered, share) if encoding == "shortest" else _mode(ordered)
    if encoding == "mean":
        return Consolidated(mean_over(low), mean_over(high))
    if encoding == "median":
        return Consolidated(*(_quantile(np.sort(ends, axis=-1), 0.5) for ends in (low, high)))
    if encoding == "interquartile-mean":
        return Consolidated(*(mean_over(_middle_half(np.sort(e, axis=-1))) for e in (low, high)))
    tails = np.array([0.0 if encoding == "range" else (1 - share) / 2])
    cuts = _central(low, high, tails)
    return Consolidated(cuts.low[0], cuts.high[0])


def central_cuts(
    lower: npt.ArrayLike, upper: npt.ArrayLike, coverages: npt.ArrayLike
) -> Consolidated:
    """Compute central intervals for every coverage, the cuts of a fuzzy set.

    The cut at membership 1 - c is the interval between the quantiles at (1-c)/2 and 1-(1-c)/2, so
    that it contains the cuts of all smaller coverages. Shortest intervals need not be nested.

    Parameters
    ----------
    lower, upper : array_like, shape (..., n_runs)
        See :func:`consolidate`.
    coverages : array_like, shape (n_levels,)
        Coverages in (0, 1], in ascending order.

    Returns
    -------
    Consolidated
        Two arrays of shape (n_levels, ...) with nested intervals.

    Raises
    ------
    ValueError
        If coverages are out of order or outside (0, 1], or scores are invalid.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010), section 2.2.

    Examples
    --------
    >>> cuts = central_cuts(np.arange(11), np.arange(11), [0.2, 0.5, 1.0])
    >>> cuts.low, cuts.high
    (array([4. , 2.5, 0. ]), array([ 6. ,  7.5, 10. ]))
    """
    shares = check_coverages(coverages)
    return _central(*_check_runs(lower, upper), (1 - shares) / 2)


def bootstrap_mean_cuts(
    values: npt.ArrayLike,
    coverages: npt.ArrayLike,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = 0,
) -> Consolidated:
    """Compute percentile intervals of the bootstrapped mean of the runs for every coverage.

    Each resample draws as many runs as a cell has, with replacement. The same resamples are used
    for all coverages, so that the cuts are nested, and for all cells, so that the cuts of a cell
    do not depend on the other cells.

    Parameters
    ----------
    values : array_like, shape (..., n_runs)
        Scores of the runs; NaN pads cells with fewer runs than others.
    coverages : array_like, shape (n_levels,)
        Coverages in (0, 1], in ascending order.
    n_resamples : int, default 2000
                Number of resamples, at least 1.
    rng : None, int or numpy Generator, default 0
        Seed or source of the resamples; by default, the same resamples at every call.

    Returns
    -------
    Consolidated
        Two arrays of shape (n_levels, ...), in units of the scores; quantiles are linear
        between resamples. NaN for a cell without runs; a cell with one run is a point.

    Raises
    ------
    ValueError
        If coverages are out of order or outside (0, 1], scores are infinite, ``n_resamples`` is
        below 1, or ``rng`` is invalid.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010), section 1.1. Efron, B. and Tibshirani, R. J.
    (1993). An Introduction to the Bootstrap. Chapman and Hall, chapter 13.

    Examples
    --------
    The mean of 30 runs is known more precisely than the next run:

    >>> runs = np.random.default_rng(1).normal(0.2, 0.02, 30)
    >>> low, high = bootstrap_mean_cuts(runs, [0.5, 0.9])
    >>> (high - low).round(4)
    array([0.004 , 0.0097])
    """
    shares = check_coverages(coverages)
    count = check_count(n_resamples, "n_resamples", least=1)
    draws_from = generator(rng)
    runs, _ = _check_runs(values, values, ("values", "values"))
    ordered = np.sort(runs, axis=-1).reshape(-1, runs.shape[-1])
    n_runs = np.count_nonzero(~np.isnan(ordered), axis=1)
    draws = draws_from.random((count, runs.shape[-1]))
    low, high = np.full((2, len(shares), len(ordered)), np.nan)
    for m in np.unique(n_runs[n_runs > 0]).tolist():
        weights = _weights(draws[:, :m], m)
        cells = np.flatnonzero(n_runs == m)
        step = max(1, _BLOCK_ELEMENTS // count)
        for start in range(0, len(cells), step):
            block = cells[start : start + step]
            # relative to the least run, so that equal runs have no spread; halved, which is
            # exact, so that the spread of huge runs does not overflow
            halves = ordered[block, :m] / 2
            least = halves[:, :1]
            means = least + (halves / m - least / m) @ weights
            cuts = _central(means, means, (1 - shares) / 2)
            low[:, block], high[:, block] = 2 * cuts.low, 2 * cuts.high
    shape = (len(shares), *runs.shape[:-1])
    return Consolidated(low.reshape(shape), high.reshape(shape))


def check_coverages(coverages: npt.ArrayLike) -> FloatArray:
    """Check that coverages are in (0, 1] and in ascending order."""
    array = check_real(coverages, "coverages")
    if array.ndim != 1 or not array.size:
        raise ValueError(
            f"`coverages` must have 1 dimension and at least 1 entry; got shape {array.shape}."
        )
    outside = ~((array > 0) & (array <= 1))
    if outside.any():
        where = int(np.flatnonzero(outside)[0])
        raise ValueError(
            "`coverages` must be above 0 and at most 1; "
            f"got {float(array[where])!r} at index {where}."
        )
    falls = np.flatnonzero(np.diff(array) <= 0)
    if falls.size:
        at = int(falls[0])
        raise ValueError(
            f"`coverages` must ascend; got {float(array[at])!r} before {float(array[at + 1])!r} "
            f"at index {at + 1}."
        )
    return array


def _check_share(encoding: str, coverage: float | None) -> float:
    """Return the coverage of an encoding that has one, and 1 for the others."""
    if encoding not in INTERVALS:
        if coverage is not None:
            raise ValueError(
                f"`coverage` must be None for the encoding {encoding!r}, which has none; "
                f"got {shown(coverage)}."
            )
        return 1.0
    number = None if isinstance(coverage, bool) else coverage
    if number is None or not isinstance(number, int | float | np.number) or not 0 < number <= 1:
        raise ValueError(
            "`coverage` must be a number above 0 and at most 1 for the encoding "
            f"{encoding!r}; got {shown(coverage)}."
        )
    return float(number)


def _check_runs(
    lower: npt.ArrayLike, upper: npt.ArrayLike, names: tuple[str, str] = ("lower", "upper")
) -> tuple[FloatArray, FloatArray]:
    low = _check_cells(lower, names[0])
    if upper is lower:
        return low, low
    high = _check_cells(upper, names[1])
    if low.shape != high.shape:
        raise ValueError(
            f"`{names[0]}` and `{names[1]}` must have the same shape; "
            f"got {low.shape} and {high.shape}."
        )
    wrong = (low > high) | (np.isnan(low) != np.isnan(high))
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            f"`{names[0]}` must not be above `{names[1]}`, and must be NaN where that is; got "
            f"{float(low[where])!r} and {float(high[where])!r} at index {where}."
        )
    return low, high


def _check_cells(value: npt.ArrayLike, name: str) -> FloatArray:
    array = check_real(value, name)
    if not array.ndim or not array.shape[-1]:
        raise ValueError(
            f"`{name}` must hold at least 1 run along its last axis; got shape {array.shape}."
        )
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise DataError(
            f"`{name}` must hold finite numbers, or NaN where there is no run; got "
            f"{float(array[where])!r} at index {where}."
        )
    return array


def _central(low: FloatArray, high: FloatArray, tails: FloatArray) -> Consolidated:
    """Return quantiles of the lower ends at falling tails, and of the upper ends from above."""
    below, above = np.sort(low, axis=-1), np.sort(-high, axis=-1)  # padding comes last
    cuts = [np.stack([_quantile(ends, float(tail)) for tail in tails]) for ends in (below, above)]
    # rounding errors of linear interpolation must not break the nesting
    widening, mirrored = (np.minimum.accumulate(ends, axis=0) for ends in cuts)
    return Consolidated(widening, np.maximum(-mirrored, widening[0]))


def _quantile(ordered: FloatArray, share: float) -> FloatArray:
    """Return quantiles of sorted runs, linear between runs; NaN at the end is ignored."""
    last = np.maximum(np.count_nonzero(~np.isnan(ordered), axis=-1) - 1, 0)
    place = last * share
    whole = np.rint(place)
    place = np.where(np.abs(place - whole) <= _SLACK, whole, place)
    left = np.floor(place).astype(np.int64)
    start, stop = _at(ordered, left), _at(ordered, np.minimum(left + 1, last))
    part = place - left
    # interpolated from the nearer run: exact at both, and symmetric
    step = 2 * np.minimum(part, 1 - part) * (stop / 2 - start / 2)
    return np.asarray(np.where(part < 0.5, start + step, stop - step))


def _shortest(ordered: FloatArray, share: float) -> Consolidated:
    counts = np.count_nonzero(~np.isnan(ordered), axis=-1)
    held = np.maximum(np.ceil(counts * share - _SLACK), 1).astype(np.int64)[..., np.newaxis]
    first = np.arange(ordered.shape[-1])
    last = np.minimum(first + held - 1, ordered.shape[-1] - 1)
    stop = np.take_along_axis(ordered, last, axis=-1)
    fits = first + held <= counts[..., np.newaxis]
    width = np.where(fits, stop / 2 - ordered / 2, np.inf)
    noise = NOISE / 2 * np.where(fits, np.maximum(np.abs(stop), np.abs(ordered)), 0.0)
    lowest = (width <= width.min(axis=-1, keepdims=True) + noise).argmax(axis=-1)
    return Consolidated(_at(ordered, lowest), _at(stop, lowest))


def _mode(ordered: FloatArray) -> Consolidated:
    """Return the half-sample mode of sorted runs."""
    counts = np.count_nonzero(~np.isnan(ordered), axis=-1)
    while (counts > 2).any():
        half = _shortest(ordered, 0.5)
        low, high = (ends[..., np.newaxis] for ends in half)
        outside = (counts > 2)[..., np.newaxis] & ((ordered < low) | (ordered > high))
        if not outside.any():  # all that are left are equal
            break
        ordered = np.sort(np.where(outside, np.nan, ordered), axis=-1)
        counts = np.count_nonzero(~np.isnan(ordered), axis=-1)
    middle = _quantile(ordered, 0.5)
    return Consolidated(middle, middle)


def _middle_half(ordered: FloatArray) -> FloatArray:
    """Return sorted runs with NaN in place of a quarter at either end."""
    counts = np.count_nonzero(~np.isnan(ordered), axis=-1)[..., np.newaxis]
    places = np.arange(ordered.shape[-1])
    return np.where((places >= counts // 4) & (places < counts - counts // 4), ordered, np.nan)


def _at(values: FloatArray, places: IntArray) -> FloatArray:
    found: FloatArray = np.take_along_axis(values, places[..., np.newaxis], axis=-1)[..., 0]
    return found


def _weights(draws: FloatArray, m: int) -> FloatArray:
    """Return how often each of m runs is drawn, with shape (m, n_resamples)."""
    picks = np.minimum((draws * m).astype(np.int64), m - 1)
    places = picks + m * np.arange(len(picks))[:, np.newaxis]
    counts = np.bincount(places.reshape(-1), minlength=m * len(picks))
    return np.ascontiguousarray(counts.reshape(-1, m).T, dtype=np.float64)


class FuzzySummary(NamedTuple):
    """Summary of fuzzy p-values, with one entry per hypothesis.

    ``possibility`` and ``necessity`` are those of p <= alpha, from 0 to 1. ``turning`` is the
    smallest coverage at which the outcome is inconclusive, NaN if there is none. ``misbehaving``
    is approximately the share of runs that changes the conclusion, NaN if ``turning`` is.
    ``midpoint`` is that of the expected interval.
    """

    possibility: FloatArray
    necessity: FloatArray
    turning: FloatArray
    misbehaving: FloatArray
    midpoint: FloatArray


def summarise(
    low: npt.ArrayLike, high: npt.ArrayLike, coverages: npt.ArrayLike, alpha: float
) -> FuzzySummary:
    r"""Summarize fuzzy p-values by possibility, necessity, turning coverage and midpoint.

    The interval p-value at coverage c is the cut of the fuzzy p-value at membership
    h = 1 - c. With its ends :math:`p_-(h)` and :math:`p_+(h)`,

    .. math::

        \Pi = \sup \{h: p_-(h) \le \alpha\}, \quad
        N = 1 - \sup \{h: p_+(h) > \alpha\}

    (0 and 1 if there is no such h), and the midpoint of the expected interval is
    :math:`\int_0^1 (p_-(h) + p_+(h))/2 \, dh`.

    Parameters
    ----------
    low, high : array_like, shape (..., n_levels)
        Ends of p, raw or adjusted, at each coverage. The cuts widen with the coverage.
    coverages : array_like, shape (n_levels,)
        Coverages in (0, 1], in ascending order with any spacing.
    alpha : float
        Significance level.

    Returns
    -------
    FuzzySummary
        Arrays of shape (...). ``turning`` is the smallest of the given coverages with
        :math:`p_- \le \alpha < p_+`. ``misbehaving`` is (1 - turning)/2, the quantile beyond which
        runs change the conclusion.

    Raises
    ------
    ValueError
        If p-values are outside [0, 1], a lower end is above its upper end, shapes do not match,
        coverages are out of order or outside (0, 1], or alpha is not a probability.

    Notes
    -----
    Suprema are over the given levels. The narrowest cut represents all narrower ones, down to the
    median, so that its membership is treated as 1: a hypothesis that is rejected at every coverage
    has possibility and necessity 1. N > 0 implies that the possibility is 1. If the conclusion
    changes at c, then N = c if the narrowest cut is rejected, and possibility = 1 - c if it is
    not. The integral uses the trapezoid rule between the levels; beyond the narrowest and the
    widest level, p is assumed to be constant.

    The midpoint orders fuzzy p-values. It is not itself a valid p-value, because it need not be
    uniform, or larger, under the null hypothesis. The share of misbehaving runs is rough: runs are
    assumed to misbehave in one direction and equally often on each block. If they misbehave at
    random, the worst block decides, and the share is too large: 0.07, 0.17, 0.32 and 0.45 for
    shares of 0.03, 0.10, 0.20 and 0.33 of 30 runs in each of 10 folds (simulated).

    References
    ----------
    Couso, I. and Sánchez, L. (2008). Defuzzification of fuzzy p-values. Soft Methods for
    Handling Variability and Imprecision, Advances in Soft Computing 48, 126-132. Otero, J.,
    Sánchez, L. and Couso, I. (2010), section 3.2.

    Examples
    --------
    The hypothesis is rejected by the runs around the median, and the outcome is inconclusive once
    80 % of the runs are included: about one run in ten misbehaves.

    >>> summary = summarise([0.01, 0.008, 0.004], [0.02, 0.06, 0.3], [0.4, 0.8, 1.0], 0.05)
    >>> summary.possibility.item(), summary.necessity.item()
    (1.0, 0.8)
    >>> [figure.round(4).item() for figure in summary[2:]]
    [0.8, 0.1, 0.0344]
    """
    level = check_probability(alpha, "alpha")
    shares = check_coverages(coverages)
    lower, upper = check_real(low, "low"), check_real(high, "high")
    _check_ends(lower, upper, len(shares))
    membership = np.append(1.0, 1 - shares[1:])
    possible, refutable = lower <= level, upper > level
    least = _first(possible & refutable)
    turning = np.where(least >= 0, shares[least], np.nan)
    return FuzzySummary(
        np.where(possible.any(axis=-1), membership[_first(possible)], 0.0),
        np.asarray(1 - np.where(refutable.any(axis=-1), membership[_first(refutable)], 0.0)),
        turning,
        np.asarray((1 - turning) / 2),
        _integral((lower + upper) / 2, shares),
    )


def _check_ends(low: FloatArray, high: FloatArray, n_levels: int) -> None:
    for array, name in ((low, "low"), (high, "high")):
        if not array.ndim or array.shape[-1] != n_levels:
            raise ValueError(
                f"`{name}` must have as many entries along its last axis as there are coverages, "
                f"{n_levels}; got shape {array.shape}."
            )
        outside = ~((array >= 0) & (array <= 1))
        if outside.any():
            where = tuple(int(i) for i in np.argwhere(outside)[0])
            raise ValueError(
                f"`{name}` must hold p-values from 0 to 1; got {float(array[where])!r} "
                f"at index {where}."
            )
    if low.shape != high.shape:
        raise ValueError(
            f"`low` and `high` must have the same shape; got {low.shape} and {high.shape}."
        )
    if (low > high).any():
        where = tuple(int(i) for i in np.argwhere(low > high)[0])
        raise ValueError(
            f"`low` must not be above `high`; got {float(low[where])!r} and "
            f"{float(high[where])!r} at index {where}."
        )


def _first(marks: BoolArray) -> IntArray:
    """Return the index of the first mark along the last axis, -1 if there is none."""
    return np.asarray(np.where(marks.any(axis=-1), marks.argmax(axis=-1), -1), dtype=np.int64)


def _integral(values: FloatArray, shares: FloatArray) -> FloatArray:
    """Integrate over (0, 1] by the trapezoid rule, constant outside the given places."""
    places = np.concatenate([[0.0], shares, [1.0]])
    padded = np.concatenate([values[..., :1], values, values[..., -1:]], axis=-1)
    return np.asarray(np.trapezoid(padded, places, axis=-1))
