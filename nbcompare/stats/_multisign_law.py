"""Null distribution of the multiple sign test: the smallest of the counts of m algorithms."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from nbcompare._arrays import FloatArray, IntArray, locked

_LN10 = math.log(10.0)
# Up to this many data sets the joint counts of three algorithms fit into one array.
_MOST_JOINT = 120
# Number of independently scrambled sets of quasi-random points, and points per set.
_SETS, _LOG2_POINTS, _FEWEST_LOG2 = 8, 14, 6
_SEED = 1965
# Beyond this many data sets, fewer points are used, so that the work stays the same.
_FULL_POINTS_UP_TO = 150
_BLOCK_POINTS = 1024
# Standard errors are at least this share of p, or this share of the room between the bounds.
_LEAST_ERROR, _LEAST_OF_ROOM = 1e-3, 0.5
# Bounds with a smaller relative distance are as good as the value between them.
_TIGHT = 1e-9
# Below this, a probability equals the sum over single algorithms to all digits.
_NO_OVERLAP = 1e-60
# Smaller binomial weights add nothing to probabilities above `_NO_OVERLAP`.
_NO_WEIGHT = 1e-90


class SignLaw(NamedTuple):
    """Distribution of the smallest of m counts: P(smallest <= r) for r = 0, 1, ...

    ``standard_error`` is that of ``pvalue``; it is 0 where ``pvalue`` is exact up to rounding.
    """

    pvalue: FloatArray
    log10_pvalue: FloatArray
    standard_error: FloatArray


@lru_cache(maxsize=64)
def sign_law(n: int, m: int, two_sided: bool) -> SignLaw:
    """Return the distribution for n >= 0 data sets and m >= 1 algorithms besides the control."""
    one, log10_one = _one(n, two_sided)
    p, error = one.copy(), np.zeros(len(one))
    if m > 1:
        two = _two(n, two_sided)
        if m == 2:
            p = 2 * one - two
        elif m == 3 and n <= _MOST_JOINT:
            p = 3 * one - 3 * two + _three(n, two_sided)
        else:
            p, error = _many(n, m, two_sided, one, two)
    log10_p = np.empty(len(one))
    far = one < _NO_OVERLAP
    log10_p[far] = math.log10(m) + log10_one[far]
    log10_p[~far] = np.log10(np.minimum(p[~far], 1.0))
    p[far] = np.power(10.0, log10_p[far])
    p[-1], log10_p[-1] = 1.0, 0.0  # the largest possible count
    p = np.maximum.accumulate(np.minimum(p, 1.0))
    log10_p = np.maximum.accumulate(log10_p)
    return SignLaw(locked(p), locked(log10_p), locked(error))


def _one(n: int, two_sided: bool) -> tuple[FloatArray, FloatArray]:
    """Return P(count of one algorithm <= r) and its common logarithm, from integers."""
    # the two-sided test counts the less frequent sign: all n signs or none, and so on
    term = total = 2 if two_sided else 1
    whole = 2**n
    last = n // 2 if two_sided else n
    p, log10_p = np.ones(last + 1), np.zeros(last + 1)
    for r in range(last):
        p[r] = total / whole
        log10_p[r] = math.log10(total) - n * math.log10(2.0) if p[r] < 1e-300 else math.log10(p[r])
        term = term * (n - r) // (r + 1)
        total += term
    return p, log10_p


def _two(n: int, two_sided: bool) -> FloatArray:
    """Return P(counts of two algorithms <= r).

    Two algorithms have the same sign with probability 2/3, namely if the control is not the
    middle one of three. Given whether the signs agree, either sign is equally likely.
    """
    largest = _largest_of_two(n, 1 / 3)
    if not two_sided:
        return np.minimum(np.cumsum(largest), 1.0)
    # the plus sign of one and the minus sign of the other coincide with probability 1/3
    tails = np.cumsum(largest + _largest_of_two(n, 2 / 3))[: n // 2 + 1]
    p = np.minimum(2 * tails, 1.0)
    p[-1] = 1.0
    return p


def _largest_of_two(n: int, differ: float) -> FloatArray:
    """Return the distribution of max(S, T) for sums of n signs with this chance to differ."""
    law = np.zeros(n + 1)
    weights = _binomial(n, differ)
    for count in np.flatnonzero(weights > _NO_WEIGHT).tolist():
        # on `count` data sets one of the two has the sign, on the others both or neither
        apart, common = _binomial(count, 0.5), _binomial(n - count, 0.5)
        low = (count + 1) // 2
        folded = 2 * apart[low:]
        if count % 2 == 0:
            folded[0] /= 2
        used = np.flatnonzero(common > _NO_WEIGHT)
        here = np.convolve(common[used[0] : used[-1] + 1], folded)
        start = low + used[0]
        law[start : start + len(here)] += weights[count] * here
    return law


def _binomial(n: int, p: float) -> FloatArray:
    i = np.arange(n + 1.0)
    choose = (
        scipy.special.gammaln(n + 1.0)
        - scipy.special.gammaln(i + 1)
        - scipy.special.gammaln(n - i + 1)
    )
    with np.errstate(under="ignore"):
        return np.asarray(
            np.exp(choose + scipy.special.xlogy(i, p) + scipy.special.xlog1py(n - i, -p))
        )


def _three(n: int, two_sided: bool) -> FloatArray:
    """Return P(counts of three algorithms <= r), from an array over their joint counts."""
    joint = np.zeros((n + 1,) * 3)
    joint[0, 0, 0] = 1.0
    for i in range(n):
        before = joint[: i + 1, : i + 1, : i + 1].copy()
        joint[: i + 1, : i + 1, : i + 1] = 0.0
        for signs in itertools.product((0, 1), repeat=3):
            # the control has any of 4 ranks, and the algorithms before it are any of that number
            weight = 1 / (4 * math.comb(3, sum(signs)))
            joint[tuple(slice(sign, sign + i + 1) for sign in signs)] += weight * before
    counts = np.arange(n + 1)
    if two_sided:
        counts = np.minimum(counts, n - counts)
    largest = np.maximum(np.maximum(counts[:, None, None], counts[:, None]), counts)
    return np.cumsum(np.bincount(largest.ravel(), weights=joint.ravel()))


# ----------------------------------------------------------------- many algorithms


def _many(
    n: int, m: int, two_sided: bool, one: FloatArray, two: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return estimates and standard errors, within the bounds from one and two counts."""
    lowest, highest = _bounds(m, one, two)
    p, error = highest.copy(), np.zeros(len(one))
    rows = np.flatnonzero((highest - lowest > _TIGHT * highest) & (one > _NO_OVERLAP))
    if rows.size:
        estimate, spread = _estimates(n, m, two_sided, rows, one[rows], two[rows])
        p[rows] = np.clip(estimate, lowest[rows], highest[rows])
        # far in the tail all sets miss the same rare quantiles and agree too closely
        room = highest[rows] - lowest[rows]
        least = np.minimum(_LEAST_ERROR * p[rows], _LEAST_OF_ROOM * room)
        error[rows] = np.clip(spread, least, room)
    return p, error


def _bounds(m: int, one: FloatArray, two: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return Dawson and Sankoff's lower and Hunter and Worsley's upper bound of a union."""
    first, second = m * one, math.comb(m, 2) * two
    overlap = np.divide(2 * second, first, out=np.zeros(len(one)), where=one > _NO_OVERLAP)
    size = 1 + np.floor(overlap)
    lowest = 2 * first / (size + 1) - 2 * second / (size * (size + 1))
    highest = np.clip(first - (m - 1) * two, one, 1.0)
    return np.clip(lowest, one, highest), highest


def _estimates(
    n: int, m: int, two_sided: bool, rows: IntArray, one: FloatArray, two: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Estimate E[1 - (1 - g)^m] over the control's quantiles for the counts in ``rows``.

    Given the control's quantile on every data set, the signs of different algorithms are
    independent, and g is the probability that one of them has at most that many. The
    expectations of g and of its square are known and serve as control variates.
    """
    from scipy.stats import qmc  # imported here, because it takes half a second

    log2 = _LOG2_POINTS
    while log2 > _FEWEST_LOG2 and 2**log2 * n**2 > 2**_LOG2_POINTS * _FULL_POINTS_UP_TO**2:
        log2 -= 1
    means = np.zeros((_SETS, 3, len(rows)))
    products = np.zeros((3, 3, len(rows)))
    for place, seed in enumerate(np.random.SeedSequence(_SEED).spawn(_SETS)):
        points = qmc.Sobol(n, seed=np.random.default_rng(seed)).random_base2(log2)
        for start in range(0, len(points), _BLOCK_POINTS):
            quantiles = np.ascontiguousarray(points[start : start + _BLOCK_POINTS].T)
            g = _given_quantiles(quantiles, two_sided, rows) / one[:, np.newaxis]
            values = np.stack([_some(g * one[:, np.newaxis], m), g, g * g])
            means[place] += values.sum(axis=2) / len(points)
            products += np.einsum("arp,brp->abr", values, values) / (len(points) * _SETS)
    centre = means.mean(axis=0)
    covariance = products - centre[:, np.newaxis] * centre
    known = np.stack([np.ones(len(rows)), two / np.square(one)])
    estimates = np.empty((_SETS, len(rows)))
    for row in range(len(rows)):
        slope = np.linalg.lstsq(covariance[1:, 1:, row], covariance[1:, 0, row], rcond=1e-12)[0]
        estimates[:, row] = means[:, 0, row] - slope @ (means[:, 1:, row].T - known[:, row, None])
    return estimates.mean(axis=0), estimates.std(axis=0, ddof=1) / math.sqrt(_SETS)


def _given_quantiles(quantiles: FloatArray, two_sided: bool, rows: IntArray) -> FloatArray:
    """Return P(count <= r) for each point, given the control's quantiles (data sets by points)."""
    n, points = quantiles.shape
    law = np.zeros((n + 1, points))
    law[0] = 1.0
    moved = np.empty((n, points))
    for i, plus in enumerate(quantiles):
        np.multiply(law[: i + 1], plus, out=moved[: i + 1])
        law[: i + 1] *= 1.0 - plus
        law[1 : i + 2] += moved[: i + 1]
    below = np.cumsum(law[: rows[-1] + 1], axis=0)[rows]
    if two_sided:
        # the largest count in `rows` is below n/2, so the two tails do not overlap
        below += np.cumsum(law[: n - rows[-1] - 1 : -1], axis=0)[rows]
    return np.asarray(np.minimum(below, 1.0))


def _some(g: FloatArray, m: int) -> FloatArray:
    """Return 1 - (1 - g)^m without cancellation."""
    return np.asarray(-np.expm1(m * np.log1p(-np.minimum(g, 1 - 2**-53))))
