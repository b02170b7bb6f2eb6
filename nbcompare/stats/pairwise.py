"""Pairs of algorithms: wins, ties, losses, and how large a difference is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import check_finite
from nbcompare.stats.ranking import NOISE, midranks


class Wins(NamedTuple):
    """On how many data sets the first of each pair wins, ties, loses."""

    wins: IntArray
    ties: IntArray
    losses: IntArray


def win_tie_loss(ranks: npt.ArrayLike, first: IntArray, second: IntArray) -> Wins:
    """Count on how many data sets the first algorithm of each pair beats the second.

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        Mid-ranks within data sets: what is tied there is tied here.
    first, second : ndarray of int, shape (n_pairs,)
        The algorithms of each pair.

    Returns
    -------
    Wins
        Three arrays of shape (n_pairs,), which sum to the number of data sets.

    Examples
    --------
    >>> counts = win_tie_loss([[1, 2], [1.5, 1.5], [2, 1]], np.array([0]), np.array([1]))
    >>> [int(count[0]) for count in counts]
    [1, 1, 1]
    """
    array = check_finite(ranks, "ranks", ndim=2)
    # Twice a mid-rank is a whole number, and small ones are compared fastest.
    doubled = np.ascontiguousarray((2 * array).astype(np.int32).T)
    one, two = doubled[first], doubled[second]
    wins = np.count_nonzero(one < two, axis=1)
    losses = np.count_nonzero(one > two, axis=1)
    return Wins(wins, len(array) - wins - losses, losses)


def rank_biserial(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    scale: npt.ArrayLike | None = None,
) -> FloatArray:
    """Matched-pairs rank-biserial correlation of each pair, an effect size in [-1, 1].

    The sum of the ranks of the differences that favour the first algorithm, minus the
    sum of those that favour the second, over their total (Kerby 2014). Data sets on
    which the two tie are left out; 0 if they tie on all.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Smaller is better.
    first, second : ndarray of int, shape (n_pairs,)
        The algorithms of each pair.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were.

    Returns
    -------
    ndarray of float, shape (n_pairs,)
        Positive if the first algorithm is better.

    Examples
    --------
    Differences 0.1, 0.2, 0.3 in favour of the first (ranks 1 to 3), 0.4 against it:

    >>> scores = [[0.1, 0.2], [0.1, 0.3], [0.1, 0.4], [0.5, 0.1]]
    >>> rank_biserial(scores, np.array([0]), np.array([1])).round(2)
    array([0.2])
    """
    array = check_finite(scores, "scores", ndim=2)
    magnitude = np.abs(array) if scale is None else np.broadcast_to(scale, array.shape)
    columns, sizes = array.T, np.asarray(magnitude, dtype=np.float64).T
    size = np.maximum(sizes[first], sizes[second])
    gain = columns[second] - columns[first]  # positive: the first is better
    tied = np.abs(gain) <= NOISE * size
    gain[tied] = 0.0
    # Ties rank lowest, so leaving them out lowers every other rank by their number.
    rank = midranks(np.abs(gain), scale=size) - tied.sum(axis=1, keepdims=True)
    rank[tied] = 0.0
    total = rank.sum(axis=1)
    effect = np.zeros(len(total))
    np.divide((np.sign(gain) * rank).sum(axis=1), total, out=effect, where=total > 0)
    return effect
