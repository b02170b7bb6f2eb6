"""Largest exhaustive sets for any p-values, by dynamic programming over sets of algorithms."""

from __future__ import annotations

import numpy as np

from nbcompare._arrays import FloatArray, IntArray

# 3^k steps: 17 take some twenty seconds and 200 MB, each further algorithm three times as long.
MOST_ALGORITHMS = 17
_CHUNK = 1 << 24  # bytes of intermediate results


def most_pairs_of_any_kind(
    classes: IntArray, k: int, thresholds: FloatArray, log10: bool
) -> tuple[IntArray, IntArray]:
    """For each pair an exhaustive set with the pair in it, of the largest threshold times size.

    ``thresholds`` are the distinct p-values, ascending, ``classes`` which of them each pair
    has. At threshold t only pairs with p >= t may share a group: groups are cliques. Returned
    are the sizes of the sets and the thresholds.

    A set of algorithms is the bits of a number. ``most[s, t]`` is the largest number of pairs
    inside the groups of a partition of s at threshold t. A clique serves every threshold up to
    its smallest p, so all thresholds are worked on together.
    """
    first, second = np.triu_indices(k, 1)
    class_of = np.full((k, k), len(thresholds), dtype=np.int64)
    class_of[first, second] = class_of[second, first] = classes
    sets = np.arange(1 << k)
    size = np.zeros(1 << k, dtype=np.int64)
    smallest = np.full(1 << k, len(thresholds) - 1)  # class of the smallest p inside a set
    nearest = np.full((k, 1 << k), len(thresholds) - 1)  # and of the smallest p to an algorithm
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
        # the group of the highest member of a set, then every set of what may remain
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
    """Each pair's group, the best partition of the others, the best threshold."""
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
        some = np.flatnonzero(size)  # the others are not possible
        values, counts = thresholds[some], size[some]
        products = values + np.log10(counts) if log10 else values * counts
        chosen = some[np.argmax(products)]
        best[:, pair] = size[chosen], chosen
    return best[0], best[1]


def _subsets(k: int) -> list[IntArray]:
    """The subsets of each subset of k things."""
    found = [np.zeros(1, dtype=np.int64)]
    for whole in range(1, 1 << k):
        top = 1 << (whole.bit_length() - 1)
        without = found[whole ^ top]
        found.append(np.concatenate([without, without | top]))
    return found
