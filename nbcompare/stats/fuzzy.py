"""Fuzzy p-values: summaries of a nested family of interval p-values at one level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_probability, check_real
from nbcompare.stats.consolidate import check_coverages


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
