"""Confidence intervals of average ranks, from Student's law with two data sets added."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_probability
from nbcompare.stats.rankings import rank

_ADDED = 2  # data sets on which every rank is equally likely


class RankIntervals(NamedTuple):
    """Average ranks with the ends of their intervals, one entry per algorithm."""

    average_ranks: FloatArray
    lower: FloatArray
    upper: FloatArray


def rank_intervals(
    scores: npt.ArrayLike, *, confidence: float = 0.95, scale: npt.ArrayLike | None = None
) -> RankIntervals:
    """Compute confidence intervals of Friedman's average ranks.

    The interval is Student's (1908) for the mean of n + 2 ranks: those of the n data sets, and of
    2 more on which every rank from 1 to k is equally likely, as Agresti and Coull (1998) add
    successes and failures to a proportion. It ends at 1 and k, and includes the average rank.
    Student's interval of the n ranks alone has no width where an algorithm has the same rank
    everywhere.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better, on at least 2 data sets; ties share the mean of their ranks.
    confidence : float, default 0.95
        Nominal coverage of each interval by itself.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    RankIntervals
        Three arrays of shape (n_algorithms,).

    Raises
    ------
    ValueError
        If the confidence is not between 0 and 1.

    Examples
    --------
    >>> scores = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> found = rank_intervals(scores)
    >>> found.average_ranks.round(2), found.lower.round(2), found.upper.round(2)
    (array([1.17, 2.  , 2.83]), array([1.  , 1.42, 2.06]), array([1.94, 2.58, 3.  ]))
    """
    level = check_probability(confidence, "confidence")
    ranks = rank(scores, scale=scale).scores
    n, k = ranks.shape
    own = ranks.mean(axis=0)
    middle, size = (k + 1) / 2, n + _ADDED
    center = (n * own + _ADDED * middle) / size
    squares = ((ranks - center) ** 2).sum(axis=0)
    squares += _ADDED * ((k**2 - 1) / 12 + (middle - center) ** 2)
    half = scipy.special.stdtrit(size - 1, (1 + level) / 2) * np.sqrt(squares / (size - 1) / size)
    lower = np.minimum(np.maximum(center - half, 1.0), own)
    upper = np.maximum(np.minimum(center + half, float(k)), own)
    return RankIntervals(own, lower, upper)
