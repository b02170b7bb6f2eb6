"""Null distributions of rank tests, tails that do not underflow, and interval p-values.

The counts are found by dynamic programming. They are sums of positive terms, so that they are
exact up to 2**53 and relatively accurate beyond, however far in the tail.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray, locked
from nbcompare._validation import check_count, check_finite, check_probability


class IntervalP(NamedTuple):
    """Ends of a p-value over all selections from interval-valued data.

    Attributes
    ----------
    p_low, p_high : ndarray of float
        ``0 < p_low <= p_high <= 1``.
    """

    p_low: FloatArray
    p_high: FloatArray


_LN10 = math.log(10.0)
# Below this, SciPy's incomplete gamma and beta functions lose digits or underflow.
_SMALLEST_DIRECT = 1e-280
# Step of the trapezoid rule, in standard deviations of one normal variable.
_STEP = 1 / 8
_MOST_TERMS = 100_000


def from_log(log_p: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return p and log10 p from the natural logarithm of p, capped at p = 1.

    Parameters
    ----------
    log_p : array_like
        Natural logarithms of p, of any shape; those above 0 count as 0.

    Returns
    -------
    pvalue, log10_pvalue : ndarray of float
        p, which may underflow to 0, and its common logarithm, which does not; of the shape of
        ``log_p``.
    """
    capped = np.minimum(np.asarray(log_p, dtype=np.float64), 0.0)
    with np.errstate(under="ignore"):  # p may underflow to 0, but its logarithm is kept
        return np.exp(capped), capped / _LN10


def normal_two_sided_logp(z: npt.ArrayLike) -> FloatArray:
    """Return the log of the two-sided standard normal p-value of ``z``.

    Parameters
    ----------
    z : array_like
        Standard normal statistics, of any shape; their signs do not matter.

    Returns
    -------
    ndarray of float
        Natural logarithms of the p-values, of the shape of ``z``.

    Examples
    --------
    >>> round(float(normal_two_sided_logp(50.0)) / math.log(10), 3)
    -544.665
    """
    return np.asarray(
        math.log(2.0) + scipy.special.log_ndtr(-np.abs(np.asarray(z, dtype=np.float64)))
    )


def chi2_logsf(statistic: float, df: float) -> float:
    """Return log P(X >= statistic) for chi-squared X with ``df`` degrees of freedom.

    Parameters
    ----------
    statistic : float
        Observed value, finite; up to 0 the probability is 1.
    df : float
        Degrees of freedom, above 0.

    Returns
    -------
    float
        Natural logarithm of the probability.
    """
    if statistic <= 0:
        return 0.0
    shape, x = df / 2, statistic / 2
    direct = float(scipy.special.gammaincc(shape, x))
    if direct > _SMALLEST_DIRECT:
        return math.log(direct)
    return (
        -x
        + shape * math.log(x)
        - float(scipy.special.gammaln(shape))
        - math.log(_gamma_fraction(shape, x))
    )


def f_logsf(statistic: float, df1: float, df2: float) -> float:
    """Return log P(X >= statistic) for F-distributed X with ``df1`` and ``df2`` degrees of freedom.

    Parameters
    ----------
    statistic : float
        Observed value; up to 0 the probability is 1.
    df1, df2 : float
        Degrees of freedom of the numerator and of the denominator, above 0.

    Returns
    -------
    float
        Natural logarithm of the probability.
    """
    if statistic <= 0:
        return 0.0
    if statistic == math.inf:
        return -math.inf
    direct = float(scipy.special.fdtrc(df1, df2, statistic))
    if direct > _SMALLEST_DIRECT:
        return math.log(direct)
    a, b = df2 / 2, df1 / 2
    odds = df1 * statistic / df2  # (1 - x) / x of the incomplete beta function I_x(a, b)
    log_front = -a * math.log1p(odds) - b * math.log1p(1 / odds) - math.log(a)
    return (
        log_front
        - float(scipy.special.betaln(a, b))
        + math.log(_beta_fraction(a, b, 1 / (1 + odds)))
    )


def f_logsf_each(statistics: FloatArray, df1: float, df2: float) -> FloatArray:
    """Return what :func:`f_logsf` returns of each of several values, which are not negative."""
    direct = np.asarray(scipy.special.fdtrc(df1, df2, statistics))
    logs = np.asarray(np.log(np.maximum(direct, _SMALLEST_DIRECT)))
    for place in map(tuple, np.argwhere(direct <= _SMALLEST_DIRECT)):
        logs[place] = f_logsf(float(statistics[place]), df1, df2)
    return logs


def studentized_range_logsf(q: npt.ArrayLike, k: int) -> FloatArray:
    """Return log P(range of ``k`` independent standard normals > ``q``), with infinite df.

    The survival function itself is integrated, on nodes centred for each ``q``, and summed in logs,
    so that it is as accurate at 1e-300 as at 0.05:
    ``k * int phi(u) Phi(u)^(k-1) (1 - (1 - Phi(u - q) / Phi(u))^(k-1)) du``.

    Parameters
    ----------
    q : array_like
        Ranges in standard deviations, of any shape; negative ones count as 0.
    k : int
        Number of normal variables, at least 2.

    Returns
    -------
    ndarray of float
        Natural logarithms of the probabilities, of the shape of ``q``.

    Raises
    ------
    ValueError
        If a range is not finite, or ``k`` is not a whole number of at least 2.

    Examples
    --------
    The 5 % point for 3 algorithms, which is 3.314 in every table:

    >>> float(np.exp(studentized_range_logsf(3.3145, 3)).round(5))
    0.05
    """
    count = check_count(k, "k", least=2)
    return _range_logsf(np.maximum(check_finite(q, "q"), 0.0), count)


@lru_cache(maxsize=256)
def studentized_range_isf(alpha: float, k: int) -> float:
    """Return the ``q`` that the range of ``k`` normals exceeds with probability ``alpha``.

    Parameters
    ----------
    alpha : float
        Probability, between 0 and 1.
    k : int
        Number of normal variables, at least 2.

    Returns
    -------
    float
        The range in standard deviations, the inverse of :func:`studentized_range_logsf`.

    Raises
    ------
    ValueError
        If ``alpha`` is not between 0 and 1, or ``k`` is not a whole number of at least 2.
    """
    from scipy import optimize  # imported here, because it takes longer than a comparison

    target = math.log(check_probability(alpha, "alpha"))
    count = check_count(k, "k", least=2)
    # The Bonferroni bound over all pairs is an upper bound for q.
    highest = math.sqrt(2.0) * -float(scipy.special.ndtri(alpha / (count * (count - 1)))) + 1.0
    return float(
        optimize.brentq(
            lambda q: float(_range_logsf(np.asarray(q), count)) - target, 0.0, highest, xtol=1e-13
        )
    )


def _range_logsf(q: FloatArray, k: int) -> FloatArray:
    # The integrand is bell-shaped with its peak between q/2 and the expected largest of k
    # normals. The trapezoid rule converges geometrically for such functions.
    largest = -float(scipy.special.ndtri(1 / (2 * k)))
    steps = np.arange(-9.0, largest + 9.0, _STEP)
    u = q[..., np.newaxis] / 2 + steps
    log_below = scipy.special.log_ndtr(u)
    log_ratio = np.minimum(scipy.special.log_ndtr(u - q[..., np.newaxis]) - log_below, 0.0)
    with np.errstate(divide="ignore", under="ignore"):
        # log(1 - (1 - ratio)^(k-1)); where the ratio is tiny that is log((k-1) ratio)
        some = -np.expm1((k - 1) * np.log1p(-np.exp(log_ratio)))
        log_some = np.where(log_ratio < -600.0, math.log(k - 1) + log_ratio, np.log(some))
    terms = (k - 1) * log_below + log_some - 0.5 * u * u
    constant = math.log(k * _STEP / math.sqrt(2 * math.pi))
    return np.minimum(constant + scipy.special.logsumexp(terms, axis=-1), 0.0)


def _gamma_fraction(shape: float, x: float) -> float:
    """Return the continued fraction of ``x^shape e^-x / Gamma(shape, x)``."""
    return _lentz(
        x + 1 - shape,
        lambda i: -i * (i - shape),
        lambda i: x + 2 * i + 1 - shape,
    )


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function for x below its mean."""

    def numerator(i: int) -> float:
        m = i // 2
        if i % 2:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))

    return 1 / _lentz(1.0, numerator, lambda _: 1.0)


def _lentz(b0: float, a: Callable[[int], float], b: Callable[[int], float]) -> float:
    """Compute the continued fraction ``b0 + a(1)/(b(1) + a(2)/(b(2) + ...))`` by Lentz' method."""
    value = c = b0
    d = 0.0
    for i in range(1, _MOST_TERMS):
        d = 1 / (b(i) + a(i) * d)
        c = b(i) + a(i) / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    raise ArithmeticError("a tail probability did not converge; please report the data")


ALTERNATIVES = ("two-sided", "better", "worse")
METHODS = ("auto", "exact", "normal")
# Counts of subsets of more ranks than this would exceed the largest float.
MOST_RANKS = 1000
# The exact distribution of untied ranks is used up to this product of two sample sizes.
MOST_PRODUCT = 22_500
_AT_HAND = 30_000  # numbers of a table
_LOG10_2 = math.log10(2.0)


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
