"""Confidence intervals of probabilities that were estimated by counting."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_finite, check_probability


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
