"""Largest exhaustive sets for any p-values, by dynamic programming over sets of algorithms."""

from __future__ import annotations

import numpy as np

from nbcompare._arrays import FloatArray, IntArray

# 3^k steps: 17 algorithms take some twenty seconds and 200 MB, and each further one triples that.
MOST_ALGORITHMS = 17
_CHUNK = 1 << 24  # bytes of intermediate results


def most_pairs_of_any_kind(
    classes: IntArray, k: int, thresholds: FloatArray, log10: bool
) -> tuple[IntArray, IntArray]:
    """Find for each pair the exhaustive set containing it with the largest threshold times size.

    ``thresholds`` are the distinct p-values in ascending order, and ``classes`` the index of the
    p-value of each pair. At threshold t only pairs with p >= t may share a group, so groups are
    cliques. The sizes of the sets and the indices of their thresholds are returned.

    A set of algorithms is represented by the bits of a number. ``most[s, t]`` is the largest
    number of pairs inside the groups of a partition of s at threshold t. A clique is allowed at
    every threshold up to its smallest p, so all thresholds are processed together.
    """
    first, second = np.triu_indices(k, 1)
    class_of = np.full((k, k), len(thresholds), dtype=np.int64)
    class_of[first, second] = class_of[second, first] = classes
    sets = np.arange(1 << k)
    size = np.zeros(1 << k, dtype=np.int64)
    smallest = np.full(1 << k, len(thresholds) - 1)  # class of the smallest p inside a set
    # class of the smallest p between an algorithm and a set
    nearest = np.full((k, 1 << k), len(thresholds) - 1)
    for new in range(k):
        bit = 1 << new
        for algorithm in range(k):
            nearest[algorithm, bit : 2 * bit] = np.minimum(
                nearest[algorithm, :bit], class_of[algorithm, new]
            )
        size[bit : 2 * bit] = size[:bit] + 1
        smallest[bit : 2 * bit] = np.minimum(smallest[:bit], nearest[new, :bit])
    inside = (size * (size - 1) // 2).astype(np.uint8)
    most = np.zeros((1 << k, len(thresholds)), dtype=np.uint8)
    half = k // 2
    low, high = _subsets(half), [rows << half for rows in _subsets(k - half)]
    for highest in range(k):
        bit = 1 << highest
        others = (bit - 1) ^ sets[:bit]
        # combine the group of the highest member with every set that may remain
        for group in range(bit):
            clique = bit | group
            used = int(smallest[clique]) + 1
            rest = int(others[group])
            remaining = (high[rest >> half][:, np.newaxis] | low[rest & ((1 << half) - 1)]).ravel()
            target = most[:, :used]
            whole = remaining | clique
            target[whole] = np.maximum(target[whole], target[remaining] + inside[clique])
    return _best(most, inside, smallest, thresholds, log10, k)


def _best(
    most: np.ndarray[tuple[int, int], np.dtype[np.uint8]],
    inside: np.ndarray[tuple[int], np.dtype[np.uint8]],
    smallest: IntArray,
    thresholds: FloatArray,
    log10: bool,
    k: int,
) -> tuple[IntArray, IntArray]:
    """Return the largest size and its threshold for each pair, over groups that contain it."""
    sets = np.arange(1 << k)
    every = (1 << k) - 1
    best = np.empty((2, k * (k - 1) // 2), dtype=np.int64)
    columns = np.arange(len(thresholds))
    step = max(1, _CHUNK // len(thresholds))
    for pair, (i, j) in enumerate(zip(*np.triu_indices(k, 1), strict=True)):
        both = 1 << int(i) | 1 << int(j)
        cliques = sets[sets & both == both]
        size = np.zeros(len(thresholds), dtype=np.int64)
        for start in range(0, len(cliques), step):
            part = cliques[start : start + step]
            sizes = most[every ^ part] + inside[part, np.newaxis]
            sizes[columns > smallest[part, np.newaxis]] = 0
            np.maximum(size, sizes.max(axis=0), out=size)
        some = np.flatnonzero(size)  # the other thresholds are impossible
        values, counts = thresholds[some], size[some]
        products = values + np.log10(counts) if log10 else values * counts
        chosen = some[np.argmax(products)]
        best[:, pair] = size[chosen], chosen
    return best[0], best[1]


def _subsets(k: int) -> list[IntArray]:
    """Return the subsets of each subset of k elements."""
    found = [np.zeros(1, dtype=np.int64)]
    for whole in range(1, 1 << k):
        top = 1 << (whole.bit_length() - 1)
        without = found[whole ^ top]
        found.append(np.concatenate([without, without | top]))
    return found
