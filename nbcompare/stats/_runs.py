"""Largest exhaustive sets when p falls with the distance on a line, in polynomial time."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray

# Less than any number of pairs: not possible.
_NEVER = np.int64(-(10**9))


def most_pairs_by_position(
    positions: FloatArray,
    distances: FloatArray,
    classes: IntArray,
    thresholds: FloatArray,
    log10: bool,
) -> FloatArray:
    """For each pair the largest threshold times size of an exhaustive set with the pair in it.

    ``distances`` are the distinct ones, ascending, ``thresholds`` their p-values, descending;
    ``classes`` which of them each pair has. At a distance d groups have a diameter of at most
    d. Thresholds are visited by the best that any pair could get from them, and the search
    ends when that is no more than every pair has.
    """
    k = len(positions)
    order = np.argsort(positions, kind="stable")
    first, second = np.triu_indices(k, 1)
    place = np.empty(k, dtype=np.int64)
    place[order] = np.arange(k)
    left, right = np.minimum(place[first], place[second]), np.maximum(place[first], place[second])
    apart = np.zeros((k, k), dtype=np.int64)
    apart[left, right] = apart[right, left] = classes
    np.fill_diagonal(apart, -1)
    # a number of pairs within reach that rounding cannot change: classes are compared
    bounds = _products(thresholds, _most_pairs(apart, np.arange(len(distances))), log10)
    one = 0.0 if log10 else 1.0
    best = np.full(len(classes), -math.inf)
    for reach in np.argsort(-bounds, kind="stable").tolist():
        gains = (classes <= reach) & (best < min(bounds[reach], one))
        if gains.any():
            sizes = most_pairs_with(apart <= reach)[left, right]
            found = _products(thresholds[reach], sizes, log10)
            best[gains] = np.maximum(best[gains], found[gains])
    return best


def most_pairs_with(near: BoolArray) -> IntArray:
    """Largest number of pairs in groups of a partition that keeps u and v together, all u < v.

    ``near`` tells which of k points in order on a line may share a group. The best group is
    {u, v} and a run of consecutive points (possibly none); the other points are in
    consecutive groups. The answer is meaningless for u and v that may not share a group.

    Below, L[u, a] is the best of the points before a, R[v, b] that of the points from b on,
    each without u or v.
    """
    k = len(near)
    before = _without_one(near)
    behind = _without_one(near[::-1, ::-1])[::-1, ::-1]  # behind[v, b], b from 0 to k
    # no point is left out before (from) itself
    whole_before, whole_behind = before[k - 1].copy(), behind[0].copy()
    whole_before[k] = whole_behind[0] = _whole(near)
    start, stop = np.ogrid[:k, :k]
    run = np.where(start <= stop, stop - start + 1, 0)
    u = start
    ends = near & (start <= stop)
    # both in the run
    value = np.where(ends, _pairs(run) + whole_before[:k, np.newaxis] + whole_behind[1:], _NEVER)
    best = _inner(value)
    # u in the run and v behind it; then the mirror image
    best = np.maximum(best, _one_outside(near, run, whole_before, behind))
    mirrored = _one_outside(near[::-1, ::-1], run, whole_behind[::-1], before[::-1, ::-1])
    best = np.maximum(best, mirrored[::-1, ::-1].T)
    # the run strictly between them: first the best start after u for every end, then the end
    starts = np.where(
        (u[:, :, np.newaxis] < start) & (start <= stop),
        _pairs(run + 2) + before[:, :k, np.newaxis],
        _NEVER,
    ).max(axis=1)
    between = starts[:, :, np.newaxis] + behind[:, 1:].T
    ordered = np.arange(k)[:, np.newaxis] < np.arange(k)
    best = np.maximum(best, np.where(ordered, between, _NEVER).max(axis=1))
    # no run: groups of the others end between u and v, or one goes past both
    border = np.arange(k + 1)
    split = before[:, np.newaxis, :] + behind[np.newaxis, :, :]
    inside = (border > u[:, :, np.newaxis]) & (border <= np.arange(k)[:, np.newaxis])
    best = np.maximum(best, 1 + np.where(inside, split, _NEVER).max(axis=2))
    past = np.where(
        ends & (run >= 3),
        _pairs(run - 2) + whole_before[:k, np.newaxis] + whole_behind[1:],
        _NEVER,
    )
    result: IntArray = np.maximum(best, 1 + _inner(past, strict=True))
    return result


def _one_outside(
    near: BoolArray, run: IntArray, whole_before: IntArray, behind: IntArray
) -> IntArray:
    """With u in the run [a..b] and v behind it: a group of b - a + 2 from a to v."""
    k = len(near)
    a, b, v = np.ogrid[:k, :k, :k]
    value = np.where(
        (a <= b) & (b < v) & near[:, np.newaxis, :],
        _pairs(run + 1)[:, :, np.newaxis]
        + whole_before[:k, np.newaxis, np.newaxis]
        + behind[:, 1:].T,
        _NEVER,
    )
    value = np.maximum.accumulate(value, axis=0)  # a <= u
    value = np.maximum.accumulate(value[:, ::-1], axis=1)[:, ::-1]  # b >= u
    points = np.arange(k)
    best: IntArray = value[points, points]
    return best


def _inner(value: IntArray, *, strict: bool = False) -> IntArray:
    """The largest value[a, b] with a <= u and b >= v, for all u and v; a < u, b > v if strict."""
    best = np.maximum.accumulate(value, axis=0)
    best = np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1]
    if not strict:
        return best
    shifted = np.full_like(best, _NEVER)
    shifted[1:, :-1] = best[:-1, 1:]
    return shifted


def _whole(near: BoolArray) -> IntArray:
    """The best of all points."""
    best: IntArray = _most_pairs(np.where(near, 0, 1), np.zeros(1, dtype=np.int64))[0]
    return best


def _most_pairs(apart: IntArray, reach: IntArray) -> IntArray:
    """Largest number of pairs in consecutive groups, for each reach."""
    k = len(apart)
    best = np.zeros((k + 1, len(reach)), dtype=np.int64)
    for end in range(1, k + 1):
        starts = np.arange(end)
        pairs = _pairs(end - starts)
        allowed = apart[:end, end - 1, np.newaxis] <= reach
        best[end] = np.where(allowed, best[:end] + pairs[:, np.newaxis], _NEVER).max(axis=0)
    every: IntArray = best[k]
    return every


def _without_one(near: BoolArray) -> IntArray:
    """best[u, a]: of the points before a except u, in consecutive groups."""
    k = len(near)
    best = np.zeros((k, k + 1), dtype=np.int64)
    left_out = np.arange(k)[:, np.newaxis]
    for end in range(1, k + 1):
        starts = np.arange(end)
        sizes = end - starts - ((starts <= left_out) & (left_out < end))
        values = np.where(near[:end, end - 1], best[:, :end] + _pairs(sizes), _NEVER)
        best[:, end] = values.max(axis=1)
    return best


def _pairs(size: npt.NDArray[np.int64]) -> IntArray:
    count: IntArray = size * (size - 1) // 2
    return count


def _products(thresholds: FloatArray, sizes: IntArray, log10: bool) -> FloatArray:
    """Of sizes that are at least 1, or meaningless."""
    counts = np.maximum(sizes, 1).astype(np.float64)
    product: FloatArray = thresholds + np.log10(counts) if log10 else thresholds * counts
    return product
