"""Pairs of algorithms: wins, ties and losses, and rank-biserial correlations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare._validation import check_finite
from nbcompare.stats.rankings import LARGEST, midranks, with_sizes


def columns_with_sizes(
    scores: npt.ArrayLike, scale: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return scores with a row per algorithm, and magnitudes that determine their noise.

    Both may be divided by 4, because ranks of differences have no unit.
    """
    array, sizes = with_sizes(check_finite(scores, "scores", ndim=2), scale)
    columns, sizes = np.ascontiguousarray(array.T), np.ascontiguousarray(sizes.T)
    if columns.size and max(columns.max(), -columns.min()) > LARGEST:
        columns, sizes = columns / 4, sizes / 4  # prevents infinite differences
    return columns, sizes


def pair_blocks(n_pairs: int, n_datasets: int, n_elements: int) -> Iterator[slice]:
    """Split pairs into blocks of about ``n_elements`` differences, which fit into the cache."""
    step = max(1, n_elements // max(1, n_datasets))
    return (slice(start, start + step) for start in range(0, n_pairs, step))


# Pairs are processed in blocks of about this many differences.
_BLOCK_ELEMENTS = 20_000


class Wins(NamedTuple):
    """Numbers of data sets on which the first algorithm of each pair wins, ties and loses."""

    wins: IntArray
    ties: IntArray
    losses: IntArray


def win_tie_loss(ranks: npt.ArrayLike, first: IntArray, second: IntArray) -> Wins:
    """Count on how many data sets the first algorithm of each pair beats the second.

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        Mid-ranks within data sets, which determine the ties.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.

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
    # Twice a mid-rank is an integer, and small integer types are compared fastest.
    k = array.shape[1]
    kind = np.int8 if k <= 63 else np.int16 if k <= 16_000 else np.int64
    wins, losses = np.zeros((2, len(first)), dtype=np.int64)
    doubled = np.ascontiguousarray((2 * array).astype(kind).T)
    for block in pair_blocks(len(first), len(array), _BLOCK_ELEMENTS):
        one, two = doubled[first[block]], doubled[second[block]]
        wins[block] = np.count_nonzero(one < two, axis=1)
        losses[block] = np.count_nonzero(one > two, axis=1)
    return Wins(wins, len(array) - wins - losses, losses)


def rank_biserial(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    scale: npt.ArrayLike | None = None,
) -> FloatArray:
    """Compute the matched-pairs rank-biserial correlation, an effect size in [-1, 1].

    It is the sum of the ranks of the differences that favour the first algorithm, minus the sum of
    those that favour the second, divided by their total (Kerby 2014). Data sets with ties are left
    out; the correlation is 0 if all data sets are tied.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    ndarray of float, shape (n_pairs,)
        Correlations, positive if the first algorithm is better.

    Examples
    --------
    Differences 0.1, 0.2, 0.3 in favour of the first (ranks 1 to 3), 0.4 against it:

    >>> scores = [[0.1, 0.2], [0.1, 0.3], [0.1, 0.4], [0.5, 0.1]]
    >>> rank_biserial(scores, np.array([0]), np.array([1])).round(2)
    array([0.2])
    """
    columns, sizes = columns_with_sizes(scores, scale)
    effects = np.empty(len(first))
    for block in pair_blocks(len(first), columns.shape[1], _BLOCK_ELEMENTS):
        one, other = first[block], second[block]
        size = np.maximum(sizes[one], sizes[other])
        gain = columns[other] - columns[one]  # positive where the first is better
        tied = np.abs(gain) <= NOISE * size
        gain[tied] = 0.0
        size[tied] = 0.0  # tied large scores must not tie small differences
        # ties have the lowest ranks, so leaving them out lowers all other ranks by their number
        n_tied = tied.sum(axis=1)
        rank = midranks(np.abs(gain), scale=size) - n_tied[:, np.newaxis]
        favourable = np.where(gain > 0, rank, 0.0).sum(axis=1)
        effects[block] = _correlation(favourable, gain.shape[1] - n_tied)
    return effects


def _correlation(favourable: FloatArray, n_untied: IntArray) -> FloatArray:
    """Return ranks in favour minus ranks against, divided by the total of 1 to n_untied."""
    total = n_untied * (n_untied + 1) / 2
    effects = np.zeros(len(total))
    np.divide(2 * favourable - total, total, out=effects, where=total > 0)
    return effects
