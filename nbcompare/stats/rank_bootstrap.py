"""Percentile intervals of average ranks, over resamples of the data sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_count, check_probability
from nbcompare.stats.permutation import blocks, generator
from nbcompare.stats.rankings import rank


class RankIntervals(NamedTuple):
    """Average ranks with the ends of their intervals, one entry per algorithm."""

    average_ranks: FloatArray
    lower: FloatArray
    upper: FloatArray


def rank_intervals(
    scores: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = 0,
    scale: npt.ArrayLike | None = None,
) -> RankIntervals:
    """Compute percentile intervals of Friedman's average ranks (Efron and Tibshirani 1993).

    The data sets are drawn with replacement. Since ranks within a data set do not depend on the
    others, a resample is how often each rank of an algorithm is drawn. Its interval depends on
    these ranks alone, not on the order of the data sets and algorithms.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better; ties share the mean of their ranks.
    confidence : float, default 0.95
        Nominal coverage of each interval by itself.
    n_resamples : int, default 2000
        Number of resamples, at least 1.
    rng : None, int or numpy Generator, default 0
        Seed or source of the resamples; the default gives the same intervals every time.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    RankIntervals
        Three arrays of shape (n_algorithms,).

    Examples
    --------
    >>> scores = [[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3], [1, 2, 3], [1, 2, 3]]
    >>> found = rank_intervals(scores)
    >>> found.average_ranks.round(2), found.lower.round(2), found.upper.round(2)
    (array([1.17, 2.  , 2.83]), array([1. , 1.5, 2.5]), array([1.5, 2.5, 3. ]))
    """
    level = check_probability(confidence, "confidence")
    count = check_count(n_resamples, "n_resamples", least=1)
    seed = generator(rng).integers(2**63)
    ranks = rank(scores, scale=scale).scores
    n, k = ranks.shape
    lower, upper = np.zeros((2, k))
    ends = ((1 - level) / 2, (1 + level) / 2)
    for place, own in enumerate(ranks.T):
        source = np.random.default_rng(seed)  # the same random numbers for every algorithm
        values, times = np.unique(own, return_counts=True)
        drawn = [
            source.multinomial(n, times / n, size=size) @ values
            for size in blocks(count, len(values))
        ]
        lower[place], upper[place] = np.quantile(np.concatenate(drawn) / n, ends)
    return RankIntervals(ranks.mean(axis=0), lower, upper)
