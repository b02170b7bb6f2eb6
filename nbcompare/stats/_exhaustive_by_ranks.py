"""Largest exhaustive sets when p falls with the distance on a line, in polynomial time."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray

# Counts of pairs, small so that many fit into the processor's cache.
_Counts = npt.NDArray[np.int32]
# Less than any number of pairs: not possible.
_NEVER = np.int32(-(10**9))
_CHUNK = 1 << 19  # counts worked on at a time


def most_pairs_by_position(
    positions: FloatArray, classes: IntArray, thresholds: FloatArray, log10: bool
) -> tuple[IntArray, IntArray]:
    """For each pair an exhaustive set with the pair in it, of the largest threshold times size.

    ``thresholds`` are the p-values of the distinct distances, these ascending and so the
    p-values descending; ``classes`` which of them each pair has. Within reach d, groups have a
    diameter of at most d. Returned are the sizes of the sets and the reaches.

    A pair may take every reach from its own on. Its own is tried first, the others by the best
    that any pair could get from them, until that is no more than the pair has: hardly more than
    one each.
    """
    line = _Line(positions, classes, len(thresholds))
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


class _Line:
    """Points on a line, with the distances of pairs by class."""

    def __init__(self, positions: FloatArray, classes: IntArray, n_classes: int) -> None:
        self.k = k = len(positions)
        self.n_classes = n_classes
        place = np.empty(k, dtype=np.int64)
        place[np.argsort(positions, kind="stable")] = np.arange(k)
        first, second = (place[index] for index in np.triu_indices(k, 1))
        # places of each pair in order on the line
        self.left, self.right = np.minimum(first, second), np.maximum(first, second)
        apart = np.full((k, k), -1, dtype=np.int64)
        apart[self.left, self.right] = apart[self.right, self.left] = classes
        self.apart = apart

    def most(self) -> _Counts:
        """Largest number of pairs in consecutive groups, for each reach."""
        every = np.concatenate([_consecutive(self._near(part)) for part in self._parts()])
        most: _Counts = every[:, self.k]
        return most

    def together(self, pairs: IntArray, reaches: IntArray) -> IntArray:
        """Largest number of pairs of points in groups that keep a pair together within a reach.

        The best group is {u, v} and a run [a..b] of consecutive points (possibly none); the
        other points are in consecutive groups, left and right of the run. The reach must be
        at least the distance of the pair.
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
        """Which points may share a group: shape (n_reaches, k, k)."""
        near: BoolArray = self.apart <= reaches[:, np.newaxis, np.newaxis]
        return near

    def _parts(self) -> Iterator[IntArray]:
        step = max(1, _CHUNK // self.k**2)
        for start in range(0, self.n_classes, step):
            yield np.arange(start, min(start + step, self.n_classes))


def most_pairs_within_reach(near: BoolArray, left: IntArray, right: IntArray) -> _Counts:
    """Most pairs of points in groups that keep u and v together; n problems at once.

    ``near``, shape (n, k, k), tells which points in order on a line may share a group, u < v
    are ``left`` and ``right``, shape (n,).
    """
    n, k = near.shape[:2]
    points = np.arange(k)
    mirrored = near[:, ::-1, ::-1]
    # the best of the points before a, and of those from b on, whole and without u or v
    before, behind = _consecutive(near), _consecutive(mirrored)[:, ::-1]
    without_u = _consecutive(near, left)
    without_v = _consecutive(mirrored, k - 1 - right)[:, ::-1]
    u, v = left[:, np.newaxis], right[:, np.newaxis]
    rest_left = np.where(points <= u, before[:, :k], without_u[:, :k])
    rest_right = np.where(points >= v, behind[:, 1:], without_v[:, 1:])
    # a run that touches the stretch from u to v, the group of it and both ends within reach
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
    """best[i, a]: most pairs of the points before a in consecutive groups, one point left out."""
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
    """Of sizes that are at least 1."""
    counts = np.maximum(sizes, 1).astype(np.float64)
    product: FloatArray = thresholds + np.log10(counts) if log10 else thresholds * counts
    return product
