"""Proportions: intervals of one, and of the difference of two on the same items."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._validation import check_finite, check_probability

_HALVINGS = 60  # of an interval of width 2: as exact as a float


class PairedDifference(NamedTuple):
    """Differences of proportions, with the ends of their intervals, of one shape."""

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray


def paired_difference(
    first_only: npt.ArrayLike,
    second_only: npt.ArrayLike,
    n_items: npt.ArrayLike,
    *,
    confidence: float = 0.95,
) -> PairedDifference:
    r"""Estimate the difference of two proportions on the same items, with Tango's interval.

    The interval holds all differences that the score test does not reject. With b items on which
    the first alone succeeds, c on which the second alone does, and n in all, the statistic is

    .. math:: z(\Delta) = \frac{b - c - n\Delta}{\sqrt{n(2\tilde q + \Delta(1 - \Delta))}},

    where :math:`\tilde q`, the probability that the second alone succeeds, is the maximum of the
    likelihood for that difference (Tango 1998, equations 6 to 8). Unlike Wald's interval it stays
    within -1 and 1, and it holds its level near 0 and 1 and for few items.

    Parameters
    ----------
    first_only, second_only : array_like of int
        Numbers of items on which only the first, or only the second, succeeds.
    n_items : array_like of int
        Numbers of items, with those on which both succeed or both fail.
    confidence : float, default 0.95
        Confidence level.

    Returns
    -------
    PairedDifference
        First minus second, and the ends, of the common shape.

    Raises
    ------
    ValueError
        If there is no item, or a count is negative or larger than the number of items.

    References
    ----------
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions
    for the paired-sample design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    Of 75 items, one model alone solves 14, and the other alone 1:

    >>> found = paired_difference(14, 1, 75)
    >>> found.estimate.round(3).item(), found.lower.round(3).item(), found.upper.round(3).item()
    (0.173, 0.085, 0.279)
    """
    b, c, n = np.broadcast_arrays(
        check_finite(first_only, "first_only"),
        check_finite(second_only, "second_only"),
        check_finite(n_items, "n_items"),
    )
    level = check_probability(confidence, "confidence")
    if (n < 1).any() or (np.minimum(b, c) < 0).any() or (b + c > n).any():
        raise ValueError(
            "`first_only` and `second_only` must be counts of at most `n_items`, of which there is "
            f"at least 1; got {b.tolist()}, {c.tolist()} and {n.tolist()}."
        )
    z = float(scipy.special.ndtri((1 + level) / 2))
    estimate = (b - c) / n

    def within(difference: FloatArray) -> BoolArray:
        return np.asarray(np.abs(_statistic(b, c, n, difference)) <= z)

    return PairedDifference(
        np.asarray(estimate), farthest(estimate, -1.0, within), farthest(estimate, 1.0, within)
    )


def farthest(
    estimate: FloatArray, end: float, within: Callable[[FloatArray], BoolArray]
) -> FloatArray:
    """Return the values farthest from the estimates, towards ``end``, that are ``within``.

    A value that is not within must have none beyond it that is.
    """
    inside, outside = np.array(estimate), np.full(estimate.shape, end)
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        kept = within(middle)
        inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
    return np.asarray(inside)


def _statistic(b: FloatArray, c: FloatArray, n: FloatArray, difference: FloatArray) -> FloatArray:
    slope = (2 * n - b + c) * difference - b - c
    constant = -c * difference * (1 - difference)
    q = (np.sqrt(np.maximum(slope * slope - 8 * n * constant, 0.0)) - slope) / (4 * n)
    variance = n * (2 * q + difference * (1 - difference))
    gap = b - c - n * difference
    safe = np.where(variance > 0, variance, 1.0)
    return np.where(
        variance > 0, gap / np.sqrt(safe), np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    )


class BinomialInterval(NamedTuple):
    """Ends of confidence intervals of probabilities."""

    lower: FloatArray
    upper: FloatArray


def clopper_pearson(
    successes: npt.ArrayLike, trials: npt.ArrayLike, confidence: float = 0.95
) -> BinomialInterval:
    """Return the intervals of Clopper and Pearson (1934), which cover at least ``confidence``.

    Parameters
    ----------
    successes : array_like
        Numbers of successes. They need not be whole: the mean over several results of each trial
        of whether it was a success has at most the variance of a single one, so that its interval
        covers at least as often.
    trials : array_like
        Numbers of trials; without any, the interval is from 0 to 1.
    confidence : float
        Coverage, at least; both tails have half of the rest.

    Returns
    -------
    BinomialInterval
        ``lower`` and ``upper``, quantiles of beta distributions.

    Raises
    ------
    ValueError
        If there are more successes than trials, or a number is negative.

    Examples
    --------
    >>> clopper_pearson([0, 5, 100], 100).upper.round(4).tolist()
    [0.0362, 0.1128, 1.0]
    """
    level = check_probability(confidence, "confidence")
    good, all_trials = np.broadcast_arrays(
        check_finite(successes, "successes"), check_finite(trials, "trials")
    )
    if (good < 0).any() or (good > all_trials).any():
        raise ValueError("`successes` must be from 0 to the number of `trials`.")
    bad, tail = all_trials - good, (1 - level) / 2
    # at the ends of the scale the beta distributions have no second parameter
    low = scipy.special.betaincinv(np.maximum(good, 1e-300), bad + 1, tail)
    high = scipy.special.betainccinv(good + 1, np.maximum(bad, 1e-300), tail)
    return BinomialInterval(np.where(good > 0, low, 0.0), np.where(bad > 0, high, 1.0))
