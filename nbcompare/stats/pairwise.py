"""Pairs of algorithms: wins, ties and losses, and rank-biserial correlations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_finite
from nbcompare.stats.rankings import LARGEST, NOISE, midranks, with_sizes


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
    kind = np.int16 if array.shape[1] <= 16_000 else np.int64
    doubled = np.ascontiguousarray((2 * array).astype(kind).T)
    wins, losses = np.empty((2, len(first)), dtype=np.int64)
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
        effects[block] = _effects(columns, sizes, first[block], second[block])
    return effects


def _effects(
    columns: FloatArray, sizes: FloatArray, first: IntArray, second: IntArray
) -> FloatArray:
    """Compute rank-biserial correlations without looking up the size of every score.

    The smallest and the largest size in the two columns usually decide whether a gap between two
    differences is noise. Pairs with a gap for which they do not are left to
    :func:`_careful_effects`.
    """
    gain = columns[second] - columns[first]  # positive where the first is better
    least, most = sizes.min(axis=1), sizes.max(axis=1)
    # The bit lost below is at most eps times a difference, hence 2 eps times a size.
    noise = NOISE / 2 * np.maximum(least[first], least[second])[:, np.newaxis]
    clear = NOISE * 2 * np.maximum(most[first], most[second])[:, np.newaxis]
    # Sort absolute differences; the lowest bit marks those that favour the first.
    favours = gain > 0
    bits = np.abs(gain, out=gain).view(np.int64)
    bits &= ~1
    bits |= favours
    bits.sort(axis=1)
    favours = (bits & 1).astype(np.bool_)
    bits &= ~1
    # gap of each difference from the next smaller one, for the first from zero
    gaps, flat = np.empty_like(gain), gain.reshape(-1)
    np.subtract(flat[1:], flat[:-1], out=gaps.reshape(-1)[1:])
    gaps[:, 0] = gain[:, 0]
    joined = gaps <= noise
    n_tied = np.count_nonzero(gain <= noise, axis=1)
    unclear = np.count_nonzero(gain <= clear, axis=1) != n_tied
    unclear |= np.count_nonzero(gaps <= clear, axis=1) != np.count_nonzero(joined, axis=1)
    favours &= gain > noise
    joined[:, 0] = False
    favourable = _rank_sums(favours, joined) - n_tied * np.count_nonzero(favours, axis=1)
    effects = _correlation(favourable, gain.shape[1] - n_tied)
    if unclear.any():
        effects[unclear] = _careful_effects(columns, sizes, first[unclear], second[unclear])
    return effects


def _rank_sums(marked: BoolArray, joined: BoolArray) -> FloatArray:
    """Sum the mid-ranks of the marked values in each sorted row.

    ``joined`` tells which values are tied with their left neighbour in the row.
    """
    n_rows, length = joined.shape
    weights = marked.astype(np.float64)
    sums = weights @ np.arange(1.0, length + 1)
    # Positions, alternately, at which ties begin and end in the flat block
    edges = np.flatnonzero(np.diff(joined.reshape(-1), append=False))
    if edges.size == 0:
        return sums
    begins, ends = edges[::2], edges[1::2]
    # Tied values lose the distance of their position from the middle of the tie.
    before = np.zeros(joined.size + 1)
    np.cumsum(weights, out=before[1:])
    count = before[ends + 1] - before[begins]
    weights.reshape(-1)[:] *= np.arange(joined.size)
    np.cumsum(weights, out=before[1:])
    place = before[ends + 1] - before[begins]
    gained = count * (begins + ends) / 2 - place
    return sums + np.bincount(begins // length, weights=gained, minlength=n_rows)


def _careful_effects(
    columns: FloatArray, sizes: FloatArray, first: IntArray, second: IntArray
) -> FloatArray:
    size = np.maximum(sizes[first], sizes[second])
    gain = columns[second] - columns[first]
    tied = np.abs(gain) <= NOISE * size
    gain[tied] = 0.0
    size[tied] = 0.0  # tied large scores must not tie small differences
    # Ties have the lowest ranks, so leaving them out lowers all other ranks by their number.
    n_tied = tied.sum(axis=1)
    rank = midranks(np.abs(gain), scale=size) - n_tied[:, np.newaxis]
    return _correlation(np.where(gain > 0, rank, 0.0).sum(axis=1), gain.shape[1] - n_tied)


def _correlation(favourable: FloatArray, n_untied: IntArray) -> FloatArray:
    """Return ranks in favour minus ranks against, divided by the total of 1 to n_untied."""
    total = n_untied * (n_untied + 1) / 2
    effects = np.zeros(len(total))
    np.divide(2 * favourable - total, total, out=effects, where=total > 0)
    return effects
