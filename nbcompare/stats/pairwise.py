"""Pairs of algorithms: wins, ties and losses, and rank-biserial correlations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
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
# More data sets than this are counted pair by pair, in blocks of so many that stay in the cache.
_MANY_DATASETS, _BLOCK_DATASETS = 2_000, 16_384
# Whole differences are counted by value, if there are at most this many values per data set.
_VALUES_PER_DATASET = 4


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
    if len(array) <= _MANY_DATASETS:
        doubled = np.ascontiguousarray((2 * array).astype(kind).T)
        for block in pair_blocks(len(first), len(array), _BLOCK_ELEMENTS):
            one, two = doubled[first[block]], doubled[second[block]]
            wins[block] = np.count_nonzero(one < two, axis=1)
            losses[block] = np.count_nonzero(one > two, axis=1)
        return Wins(wins, len(array) - wins - losses, losses)
    pairs = list(enumerate(zip(first.tolist(), second.tolist(), strict=True)))
    for start in range(0, len(array), _BLOCK_DATASETS):
        part = array[start : start + _BLOCK_DATASETS]
        doubled = np.ascontiguousarray((2 * part).astype(kind).T)
        for pair, (i, j) in pairs:
            wins[pair] += np.count_nonzero(doubled[i] < doubled[j])
            losses[pair] += np.count_nonzero(doubled[i] > doubled[j])
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
    reach = _reach(columns) if scale is None else None
    if reach is not None:
        places = (columns - columns.min()).astype(np.int64)
        for pair, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            effects[pair] = _effect_of_whole(places[j] - places[i], reach)
        return effects
    limits = sizes.min(axis=1), sizes.max(axis=1)
    for block in pair_blocks(len(first), columns.shape[1], _BLOCK_ELEMENTS):
        effects[block] = _effects(columns, sizes, limits, first[block], second[block])
    return effects


def _reach(columns: FloatArray) -> int | None:
    """Return a bound of whole differences that are best counted by value, else None."""
    n = columns.shape[1]
    if n <= _MANY_DATASETS:  # many pairs are sorted at once
        return None
    least, most = float(columns.min()), float(columns.max())
    reach = most - least
    if 2 * reach + 1 > _VALUES_PER_DATASET * n or NOISE * max(most, -least) > 0.25:
        return None  # too many values, or the noise of large numbers could join some
    return int(reach) if (columns == np.rint(columns)).all() else None


def _effect_of_whole(gain: IntArray, reach: int) -> float:
    """Compute the rank-biserial correlation of whole differences from their numbers by value."""
    gain += reach
    counts = np.bincount(gain, minlength=2 * reach + 1)
    better, worse = counts[reach + 1 :], counts[:reach][::-1]
    both = better + worse
    # the sum of mid-ranks is counted in halves, so that it is exact
    twice = 2 * np.cumsum(both) - both + 1
    favourable = float(better @ twice) / 2
    return float(_correlation(np.array([favourable]), np.array([both.sum()]))[0])


def _effects(
    columns: FloatArray,
    sizes: FloatArray,
    limits: tuple[FloatArray, FloatArray],
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """Compute rank-biserial correlations without looking up the size of every score.

    The ``limits``, the smallest and the largest size of each column, usually decide whether a gap
    between two differences is noise. Pairs with a gap for which they do not are left to
    :func:`_careful_effects`.
    """
    gain = columns[second] - columns[first]  # positive where the first is better
    least, most = limits
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
    # a product of matrices would start threads, which cost more than they save here
    places = np.arange(1, length + 1)
    sums: FloatArray = np.einsum("ij,j->i", marked, places).astype(np.float64)
    # Positions, alternately, at which ties begin and end in the flat block
    edges = np.flatnonzero(np.diff(joined.reshape(-1), append=False))
    if edges.size == 0:
        return sums
    begins, ends = edges[::2], edges[1::2]
    # Tied values lose the distance of their position from the middle of the tie.
    weights = marked.astype(np.float64)
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
