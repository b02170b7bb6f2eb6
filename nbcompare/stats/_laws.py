"""Null distributions of rank tests: counts of choices of ranks by their sum.

The counts are found by dynamic programming. They are sums of positive terms, so that they are
exact up to 2**53 and relatively accurate beyond, however far in the tail.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray, locked

ALTERNATIVES = ("two-sided", "better", "worse")
METHODS = ("auto", "exact", "normal")
# Counts of subsets of more ranks than this would exceed the largest float.
MOST_RANKS = 1000
# The exact distribution of untied ranks is used up to this product of two sample sizes.
MOST_PRODUCT = 22_500
_AT_HAND = 30_000  # numbers of a table
_LOG10_2 = math.log10(2.0)
_LN10 = math.log(10.0)


class Tail(NamedTuple):
    """P-values and their common logarithms."""

    pvalue: FloatArray
    log10_pvalue: FloatArray


def in_units(doubled: IntArray) -> tuple[IntArray, int]:
    """Divide doubled ranks by their common divisor (2 without ties), and return both."""
    unit = max(1, int(np.gcd.reduce(doubled)) if doubled.size else 1)
    return doubled // unit, unit


def sums_of_subsets(ranks: IntArray, most: int) -> FloatArray:
    """Count the subsets of ``ranks`` with a sum of at most 0, 1, ..., ``most``."""
    counts, others = np.zeros((2, most + 1))  # without a rank and with it, in turn
    counts[0] = 1.0
    reach = 0  # the largest sum so far, which stays small for long as small ranks come first
    for rank in np.sort(ranks).tolist():
        if rank > most:
            break
        reach = min(reach + rank, most)
        others[:rank] = counts[:rank]
        with_it = others[rank : reach + 1]
        np.add(counts[rank : reach + 1], counts[: reach + 1 - rank], out=with_it)
        counts, others = others, counts
    return np.cumsum(counts)


def sums_of_subsets_each(ranks: IntArray, most: IntArray) -> Iterator[tuple[IntArray, FloatArray]]:
    """Count the subsets of the ranks in each row, as :func:`sums_of_subsets` does of one.

    Parameters
    ----------
    ranks : ndarray of int, shape (n_rows, n_ranks)
        Ascending in each row; zeros are no ranks.
    most : ndarray of int, shape (n_rows,)
        The largest sum that is wanted in each row.

    Yields
    ------
    tuple of ndarray
        Some of the rows, and for each of them the numbers of subsets with a sum of at most 0, 1,
        ..., as far as any of them wants.
    """
    order, start = np.argsort(most, kind="stable"), 0
    while start < len(order):
        # rows that want about as much, in tables that a processor has at hand
        width = int(most[order[start]]) + 1
        rows = order[start : start + max(1, _AT_HAND // width)]
        rows = rows[most[rows] < 1.5 * width + 30]
        start += len(rows)
        yield rows, _sums_of_rows(ranks[rows], most[rows])


def _sums_of_rows(ranks: IntArray, most: IntArray) -> FloatArray:
    n_rows, width = len(ranks), int(most.max(initial=0)) + 1
    counts = np.zeros((n_rows, width))
    counts[:, 0] = 1.0
    # how many equal ones stand before each rank in its row
    before = np.zeros(ranks.shape, dtype=np.int64)
    for place in range(1, ranks.shape[1]):
        same = ranks[:, place] == ranks[:, place - 1]
        before[:, place] = np.where(same, before[:, place - 1] + 1, 0)
    row, column = np.nonzero((ranks > 0) & (ranks <= most[:, np.newaxis]))
    # a rank is added to all rows that have it, then once more to those that have it twice
    step = ranks[row, column] * (ranks.shape[1] + 1) + before[row, column]
    order = np.argsort(step, kind="stable")
    row, step = row[order], step[order]
    begins = np.flatnonzero(np.diff(step, prepend=-1)).tolist()
    for begin, end in pairwise([*begins, len(step)]):
        rank, having = int(step[begin]) // (ranks.shape[1] + 1), row[begin:end]
        counts[having, rank:] += counts[having, : width - rank]
    return np.cumsum(counts, axis=1)


@lru_cache(maxsize=32)
def untied_sums_of_subsets(n: int) -> FloatArray:
    """Count the subsets of ranks 1 to n by their sum, up to the middle of the distribution."""
    return locked(sums_of_subsets(np.arange(1, n + 1), n * (n + 1) // 4))


def sums_of_samples(ranks: IntArray, size: int, most: int) -> FloatArray:
    """Count subsets of ``size`` ranks whose sum exceeds the least by at most 0, 1, ..., most.

    Sums of j ranks are measured from the sum of the j smallest: the j-th rank chosen adds the
    amount by which it exceeds the j-th smallest.
    """
    ordered = np.sort(ranks).tolist()
    counts = np.zeros((size + 1, most + 1))
    counts[0, 0] = 1.0
    reach = [0] * (size + 1)  # the largest sum so far, or ``most``
    for seen, rank in enumerate(ordered):
        # subsets too small to become complete need not be followed
        fewest = max(0, size - (len(ordered) - seen))
        for chosen in range(min(seen, size - 1), fewest - 1, -1):
            added = rank - ordered[chosen]
            if added > most:
                continue
            end = min(reach[chosen] + added, most)
            counts[chosen + 1, added : end + 1] += counts[chosen, : end + 1 - added]
            reach[chosen + 1] = max(reach[chosen + 1], end)
    return np.cumsum(counts[size])


@lru_cache(maxsize=32)
def untied_sums_of_samples(smaller: int, larger: int) -> FloatArray:
    """Count the orders of two samples with at most 0, 1, ... inversions, up to the middle."""
    ranks = np.arange(smaller + larger)
    return locked(sums_of_samples(ranks, smaller, smaller * larger // 2))


def of_subsets(below: FloatArray, at: IntArray, total: int, n: int, *, two_sided: bool) -> Tail:
    """Return P(sum <= at) for a random subset of ``n`` ranks with the sum ``total``.

    ``below`` holds the cumulative counts as far as needed: up to ``at``, or up to its mirror
    image if ``at`` is beyond the middle. ``two_sided`` doubles a tail and caps it at 1.
    """
    place = smaller_sums(at, total)
    counts = np.where(place >= 0, below[np.maximum(place, 0)], 0.0)
    return tails_of_counts(counts, 2 * at >= total, n, two_sided=two_sided)


def smaller_sums(at: IntArray, total: IntArray | int) -> IntArray:
    """Return the sums up to which subsets are counted: the larger tail is one minus the other."""
    return np.where(2 * at >= total, total - at - 1, at)


def tails_of_counts(
    counts: FloatArray, upper: BoolArray, n: IntArray | int, *, two_sided: bool
) -> Tail:
    """Return the tails of numbers of subsets of ``n`` ranks, one minus these where ``upper``."""
    power = np.asarray(n, dtype=np.intc)
    if two_sided:
        p = np.where(upper, 1.0, np.ldexp(counts, 1 - power))
        logs = np.log10(np.maximum(counts, 1.0)) - (n - 1) * _LOG10_2
        return Tail(np.minimum(p, 1.0), np.where(upper, 0.0, np.minimum(logs, 0.0)))
    rest = np.ldexp(counts, -power)
    logs = np.where(
        upper, np.log1p(-rest) / _LN10, np.log10(np.maximum(counts, 1.0)) - n * _LOG10_2
    )
    return Tail(np.where(upper, 1.0 - rest, rest), logs)


def of_samples(count: float, n_choices: int, *, complement: bool = False) -> Tail:
    """Return the share of ``count`` in equally likely choices (at most 1), or one minus it."""
    share = min(1.0, count / n_choices)
    if complement:
        return Tail(np.asarray(1.0 - share), np.asarray(math.log1p(-share) / _LN10))
    log10_p = min(0.0, math.log10(count) - math.log10(n_choices))
    return Tail(np.asarray(share), np.asarray(log10_p))
