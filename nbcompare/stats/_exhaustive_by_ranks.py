"""Largest exhaustive sets in polynomial time if p falls with the distance on a line."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray

# Counts of pairs are stored in 32 bits, so that many fit into the processor's cache.
_Counts = npt.NDArray[np.int32]
# Smaller than any number of pairs: marks what is impossible.
_NEVER = np.int32(-(10**9))
_CHUNK = 1 << 19  # counts processed at a time


def most_pairs_by_position(
    positions: FloatArray, classes: IntArray, thresholds: FloatArray, log10: bool
) -> tuple[IntArray, IntArray]:
    """Find for each pair the exhaustive set containing it with the largest threshold times size.

    ``thresholds`` are the p-values of the distinct distances, in ascending order of distance and
    so in descending order of p; ``classes`` are the indices of the distances of the pairs.
    Within reach d, groups have a diameter of at most d. The sizes of the sets and the indices of
    their reaches are returned.

    A pair may use every reach from its own distance on. Its own is tried first, then the others in
    the order of the best that any pair could get from them, until that is no better than what the
    pair has. Most pairs need hardly more than one attempt.
    """
    line = _Points(positions, classes, len(thresholds))
    bounds = np.minimum(_products(thresholds, line.most(), log10), 0.0 if log10 else 1.0)
    sizes, reaches = line.together(np.arange(len(classes)), classes), classes.copy()
    best = _products(thresholds[reaches], sizes, log10)
    ranked = np.argsort(-bounds, kind="stable")
    left = [
        iter(ranked[(ranked > own) & (bounds[ranked] > reached)].tolist())
        for own, reached in zip(classes, best, strict=True)
    ]
    waiting = np.arange(len(classes))
    while len(waiting):
        tried = np.array([next(left[pair], -1) for pair in waiting])
        ceiling = np.where(tried >= 0, bounds[tried], -math.inf)
        going = ceiling > best[waiting]
        waiting, tried = waiting[going], tried[going]
        found = line.together(waiting, tried)
        products = _products(thresholds[tried], found, log10)
        better = products > best[waiting]
        gaining = waiting[better]
        best[gaining], sizes[gaining] = products[better], found[better]
        reaches[gaining] = tried[better]
    return sizes, reaches


class _Points:
    """Points on a line, with the class of the distance of each pair."""

    def __init__(self, positions: FloatArray, classes: IntArray, n_classes: int) -> None:
        self.k = k = len(positions)
        self.n_classes = n_classes
        place = np.empty(k, dtype=np.int64)
        place[np.argsort(positions, kind="stable")] = np.arange(k)
        first, second = (place[index] for index in np.triu_indices(k, 1))
        # positions of both points of each pair in the order of the line
        self.left, self.right = np.minimum(first, second), np.maximum(first, second)
        apart = np.full((k, k), -1, dtype=np.int64)
        apart[self.left, self.right] = apart[self.right, self.left] = classes
        self.apart = apart

    def most(self) -> _Counts:
        """Return the largest number of pairs in consecutive groups for each reach."""
        every = np.concatenate([_consecutive(self._near(part)) for part in self._parts()])
        most: _Counts = every[:, self.k]
        return most

    def together(self, pairs: IntArray, reaches: IntArray) -> IntArray:
        """Return the most pairs in groups within a reach that keep a given pair together.

        The best group consists of {u, v} and a run [a..b] of consecutive points, possibly
        empty; the other points are in consecutive groups to the left and right of the run. The
        reach must be at least the distance of the pair.
        """
        sizes = np.empty(len(pairs), dtype=np.int64)
        step = max(1, _CHUNK // self.k**2)
        for start in range(0, len(pairs), step):
            part = slice(start, start + step)
            near = self._near(reaches[part])
            left, right = self.left[pairs[part]], self.right[pairs[part]]
            sizes[part] = most_pairs_within_reach(near, left, right)
        return sizes

    def _near(self, reaches: IntArray) -> BoolArray:
        """Return which points may share a group, with shape (n_reaches, k, k)."""
        near: BoolArray = self.apart <= reaches[:, np.newaxis, np.newaxis]
        return near

    def _parts(self) -> Iterator[IntArray]:
        step = max(1, _CHUNK // self.k**2)
        for start in range(0, self.n_classes, step):
            yield np.arange(start, min(start + step, self.n_classes))


def most_pairs_within_reach(near: BoolArray, left: IntArray, right: IntArray) -> _Counts:
    """Return the most pairs of points in groups that keep u and v together, for n problems.

    ``near``, of shape (n, k, k), says which points, in the order of a line, may share a group.
    The points u < v are ``left`` and ``right``, of shape (n,).
    """
    n, k = near.shape[:2]
    points = np.arange(k)
    mirrored = near[:, ::-1, ::-1]
    # best counts of the points before a and of those from b on, with and without u or v
    before, behind = _consecutive(near), _consecutive(mirrored)[:, ::-1]
    without_u = _consecutive(near, left)
    without_v = _consecutive(mirrored, k - 1 - right)[:, ::-1]
    u, v = left[:, np.newaxis], right[:, np.newaxis]
    rest_left = np.where(points <= u, before[:, :k], without_u[:, :k])
    rest_right = np.where(points >= v, behind[:, 1:], without_v[:, 1:])
    # a run that meets the stretch from u to v; its group, with both ends, is within reach
    a, b = points[:, np.newaxis], points
    span = np.minimum(points, u)[:, :, np.newaxis], np.maximum(points, v)[:, np.newaxis]
    allowed = near[np.arange(n)[:, np.newaxis, np.newaxis], *span] & (a <= b)
    allowed &= (points >= u)[:, np.newaxis] & (points <= v)[:, :, np.newaxis]
    added = (points > u).astype(np.int32)[:, :, np.newaxis] + (points < v)[:, np.newaxis]
    size = (b - a + 1).astype(np.int32) + added
    value = size * (size - 1) // 2
    value += rest_left[:, :, np.newaxis]
    value += rest_right[:, np.newaxis]
    best = np.where(allowed, value, _NEVER).max(axis=(1, 2))
    # no run: groups of the others end between u and v ...
    border = np.arange(k + 1)
    split = np.where((border > u) & (border <= v), without_u + without_v, _NEVER).max(axis=1)
    # ... or one goes past both
    outside = (points < u)[:, :, np.newaxis] & (points > v)[:, np.newaxis] & near
    others = np.maximum(b - a - 1, 0).astype(np.int32)
    past = before[:, :k, np.newaxis] + behind[:, np.newaxis, 1:] + others * (others - 1) // 2
    past = np.where(outside, past, _NEVER).max(axis=(1, 2))
    largest: _Counts = np.maximum(best, 1 + np.maximum(split, past))
    return largest


def _consecutive(near: BoolArray, left_out: IntArray | None = None) -> _Counts:
    """Return as [i, a] the most pairs in consecutive groups of the points before a but one."""
    n, k = near.shape[:2]
    best = np.zeros((n, k + 1), dtype=np.int32)
    absent = np.full((n, 1), k) if left_out is None else left_out[:, np.newaxis]
    for end in range(1, k + 1):
        starts = np.arange(end)
        sizes = (end - starts - ((starts <= absent) & (absent < end))).astype(np.int32)
        values = best[:, :end] + sizes * (sizes - 1) // 2
        best[:, end] = np.where(near[:, :end, end - 1], values, _NEVER).max(axis=1)
    return best


def _products(thresholds: FloatArray, sizes: npt.NDArray[np.integer], log10: bool) -> FloatArray:
    """Return thresholds times sizes, with sizes of at least 1."""
    counts = np.maximum(sizes, 1).astype(np.float64)
    product: FloatArray = thresholds + np.log10(counts) if log10 else thresholds * counts
    return product
