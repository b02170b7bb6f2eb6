"""Largest exhaustive sets for any p-values, by dynamic programming over sets of algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray

# 3^k steps: 17 algorithms take some seconds and 100 MB, and each further one triples that.
MOST_ALGORITHMS = 17
_MEMORY = 1 << 25  # bytes of the counts of families that are searched together

_Counts = npt.NDArray[np.uint8]


def most_pairs_of_any_kind(
    classes: IntArray, k: int, thresholds: Sequence[FloatArray], log10: bool
) -> Iterator[tuple[IntArray, IntArray]]:
    """Find for each pair the exhaustive set containing it with the largest threshold times size.

    Several families of p-values of all pairs of k algorithms are searched together, which costs
    little more than one of them if there are few algorithms. ``thresholds`` are the distinct
    p-values of each family in ascending order, and ``classes``, of shape (families, pairs), the
    index of the p-value of each pair. At threshold t only pairs with p >= t may share a group, so
    groups are cliques. Yielded are, by family, the sizes of the sets and the indices of their
    thresholds.
    """
    most = max(map(len, thresholds))
    step = max(1, _MEMORY // (most << k))
    for start in range(0, len(classes), step):
        part = slice(start, start + step)
        yield from _searched(classes[part], k, thresholds[part], log10)


def _searched(
    classes: IntArray, k: int, thresholds: Sequence[FloatArray], log10: bool
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the sizes and thresholds of each family, all of which are searched at once.

    A set of algorithms is represented by the bits of a number. ``most[s, t]`` are, by family, the
    largest numbers of pairs inside the groups of a partition of s at threshold t. A clique is
    allowed at every threshold up to its smallest p, so all thresholds are processed together.
    """
    n_families = len(classes)
    n_thresholds = max(map(len, thresholds))
    sets = np.arange(1 << k)
    size, smallest = _sizes_and_smallest(classes, k, n_thresholds)
    inside = (size * (size - 1) // 2).astype(np.uint8)
    widest, narrowest = smallest.max(axis=1) + 1, smallest.min(axis=1) + 1
    columns = np.arange(n_thresholds)[:, np.newaxis]
    most: _Counts = np.zeros((1 << k, n_thresholds, n_families), dtype=np.uint8)
    half = k // 2
    low, high = _subsets(half), [rows << half for rows in _subsets(k - half)]
    for highest in range(k):
        bit = 1 << highest
        others = (bit - 1) ^ sets[:bit]
        # combine the group of the highest member with every set that may remain
        for group in range(bit):
            clique = bit | group
            used = int(widest[clique])
            rest = int(others[group])
            remaining = (high[rest >> half][:, np.newaxis] | low[rest & ((1 << half) - 1)]).ravel()
            target = most[:, :used]
            whole = remaining | clique
            pairs = inside[clique]
            if narrowest[clique] < used:
                # a family that does not allow the clique keeps its members apart, which it may
                pairs = np.where(columns[:used] <= smallest[clique], pairs, np.uint8(0))
            target[whole] = np.maximum(target[whole], target[remaining] + pairs)
    # the whole partition, if one of its groups is this clique
    total = most[::-1] + inside[:, np.newaxis, np.newaxis]
    total[columns > smallest[:, np.newaxis, :]] = 0
    for member in range(k):  # the largest over all cliques that contain some algorithms
        halves = total.reshape(-1, 2, 1 << member, n_thresholds, n_families)
        np.maximum(halves[:, 0], halves[:, 1], out=halves[:, 0])
    first, second = np.triu_indices(k, 1)
    together = total[1 << first | 1 << second]
    for family, values in enumerate(thresholds):
        yield _best(together[:, : len(values), family].astype(np.int64), values, log10)


def _sizes_and_smallest(classes: IntArray, k: int, n_thresholds: int) -> tuple[IntArray, IntArray]:
    """Return the size of each set, and by family the class of the smallest p inside it."""
    first, second = np.triu_indices(k, 1)
    class_of = np.full((k, k, len(classes)), n_thresholds, dtype=np.int64)
    class_of[first, second] = class_of[second, first] = classes.T
    size = np.zeros(1 << k, dtype=np.int64)
    smallest = np.full((1 << k, len(classes)), n_thresholds - 1)
    for new in range(k):
        bit = 1 << new
        # class of the smallest p between the new algorithm and each set of those before
        nearest = np.full((bit, len(classes)), n_thresholds - 1)
        for algorithm in range(new):
            part = 1 << algorithm
            nearest[part : 2 * part] = np.minimum(nearest[:part], class_of[algorithm, new])
        size[bit : 2 * bit] = size[:bit] + 1
        smallest[bit : 2 * bit] = np.minimum(smallest[:bit], nearest)
    return size, smallest


def _best(sizes: IntArray, thresholds: FloatArray, log10: bool) -> tuple[IntArray, IntArray]:
    """Return for each pair the size with the largest product, and its threshold.

    The smallest threshold allows every set; where the size is 0, none with the pair is allowed.
    """
    counts = np.maximum(sizes, 1)
    products = thresholds + np.log10(counts) if log10 else thresholds * counts
    chosen = np.argmax(np.where(sizes > 0, products, -np.inf), axis=1)
    return sizes[np.arange(len(sizes)), chosen], chosen


def _subsets(k: int) -> list[IntArray]:
    """Return the subsets of each subset of k elements."""
    found = [np.zeros(1, dtype=np.int64)]
    for whole in range(1, 1 << k):
        top = 1 << (whole.bit_length() - 1)
        without = found[whole ^ top]
        found.append(np.concatenate([without, without | top]))
    return found
