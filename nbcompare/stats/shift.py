"""Estimates and confidence intervals of the shift between two algorithms for each test."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import check_finite, check_probability
from nbcompare.stats import laws
from nbcompare.stats.rankings import LARGEST
from nbcompare.stats.signed_rank import binomial_logcdf

# Up to this many sums of two numbers are listed; among more, those needed are searched for.
_MOST_SUMS = 2_000
# By this power of what is left, a guess is moved so that it errs on one side.
_MOVED = 0.75
# A level of 0.1 is 1 - 0.9, but not in floating point.
_SLACK = 1e-12


class Shift(NamedTuple):
    """Estimate with its confidence interval and the coverage of the interval.

    ``coverage`` is at least the confidence requested; if no pair of ends attains it, the ends are
    infinite and the coverage is 1. ``exact`` says whether the coverage is exact and not a normal
    approximation.
    """

    estimate: float
    lower: float
    upper: float
    coverage: float
    exact: bool


def hodges_lehmann(differences: npt.ArrayLike, confidence: float = 0.95) -> Shift:
    r"""Compute the median of the Walsh averages with the interval of the signed-rank test.

    The averages :math:`(d_i + d_j)/2, i \le j`, are sorted, and as many are left out at either end
    as the null distribution of the signed ranks of n untied differences allows (Hodges and Lehmann
    1963). For untied nonzero differences, the interval excludes zero exactly if the two-sided test
    rejects at 1 - confidence. With ties the interval is conservative, and may therefore differ from
    the test, which takes ties into account. Zeros are treated like other differences: no data set
    is left out, regardless of how the test handles zeros.

    Parameters
    ----------
    differences : array_like, shape (n,)
        At least one difference. The interval is exact up to n = 1,000, and uses the normal
        approximation of the signed ranks beyond. Memory grows with n alone.
    confidence : float, default 0.95
        Least coverage of the interval.

    Returns
    -------
    Shift
        Estimate and interval in the unit of the differences.

    Raises
    ------
    ValueError
        If there are no differences, numbers are not finite or beyond 4.49e307, or the
        confidence is outside (0, 1).

    References
    ----------
    Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests.
    Annals of Mathematical Statistics 34, 598-611.

    Examples
    --------
    For six differences, leaving out the two outermost averages covers 1 - 2/64:

    >>> hodges_lehmann([1.0, 2.0, 4.0, 7.0, 8.0, 9.0])
    Shift(estimate=5.0, lower=1.0, upper=9.0, coverage=0.96875, exact=True)

    Five differences are too few for 95 %:

    >>> hodges_lehmann([1.0, 2.0, 4.0, 7.0, 8.0])
    Shift(estimate=4.5, lower=-inf, upper=inf, coverage=1.0, exact=True)
    """
    values, level = _checked(differences, confidence)
    n = len(values)
    count = n * (n + 1) // 2
    exact = n <= laws.MOST_RANKS
    if exact:
        left_out, outside = _left_out(np.ldexp(laws.untied_sums_of_subsets(n), 1 - n), level)
    else:
        left_out, outside = _left_out_normal(count / 2, n * (n + 1) * (2 * n + 1) / 24, level)
    sums = _Sums(values, values, np.arange(n))
    return _shift(sums, count, left_out, outside, 2.0, exact)


def two_sample_shift(
    first: npt.ArrayLike, second: npt.ArrayLike, confidence: float = 0.95
) -> Shift:
    """Compute the median of all differences first minus second with the rank-sum interval.

    This is the estimate of :func:`hodges_lehmann` for independent samples.

    Parameters
    ----------
    first, second : array_like, shape (m,) and (n,)
        Samples with at least one score each. The interval is exact up to a product mn of 22,500,
        and uses the normal approximation of the rank sum beyond.
    confidence : float, default 0.95
        Least coverage of the interval.

    Returns
    -------
    Shift
        Estimate and interval in the unit of the scores.

    Raises
    ------
    ValueError
        If a sample is empty, numbers are not finite or beyond 4.49e307, or the confidence is
        outside (0, 1).

    Examples
    --------
    >>> shift = two_sample_shift([8, 9, 12, 15], [1, 3, 4, 6, 7], confidence=0.9)
    >>> shift.estimate, shift.lower, shift.upper, round(shift.coverage, 4)
    (6.5, 2.0, 11.0, 0.9365)
    """
    one, level = _checked(first, confidence, "first")
    two, _ = _checked(second, confidence, "second")
    m, n = sorted((len(one), len(two)))
    exact = m * n <= laws.MOST_PRODUCT and m + n <= laws.MOST_RANKS
    if exact:
        choices = math.comb(m + n, m)
        tails = 2.0 * laws.untied_sums_of_samples(m, n) / choices
        left_out, outside = _left_out(tails, level)
    else:
        left_out, outside = _left_out_normal(m * n / 2, m * n * (m + n + 1) / 12, level)
    sums = _Sums(one, -two[::-1], np.zeros(len(one), dtype=np.int64))
    return _shift(sums, m * n, left_out, outside, 1.0, exact)


def median_shift(differences: npt.ArrayLike, confidence: float = 0.95) -> Shift:
    """Compute the median difference with the interval of the sign test.

    Parameters
    ----------
    differences : array_like, shape (n,)
        At least one difference; none is left out.
    confidence : float, default 0.95
        Least coverage of the interval.

    Returns
    -------
    Shift
        Estimate and interval in the unit of the differences.

    Raises
    ------
    ValueError
        If there are no differences, numbers are not finite or beyond 4.49e307, or the
        confidence is outside (0, 1).

    Examples
    --------
    >>> median_shift([1.0, 2.0, 4.0, 7.0, 8.0, 9.0])
    Shift(estimate=5.5, lower=1.0, upper=9.0, coverage=0.96875, exact=True)
    """
    values, level = _checked(differences, confidence)
    n = len(values)
    at = np.arange((n + 1) // 2)
    tails = 2 * np.exp(binomial_logcdf(at, np.full_like(at, n)))
    left_out, outside = _left_out(tails, level)
    # the sums of each number with zero
    sums = _Sums(values, np.zeros(1), np.zeros(n, dtype=np.int64))
    return _shift(sums, n, left_out, outside, 1.0, True)


def mean_shift(differences: npt.ArrayLike, confidence: float = 0.95) -> Shift:
    """Compute the mean difference with the interval from Student's t distribution.

    Parameters
    ----------
    differences : array_like, shape (n,)
        At least two differences; for one, the ends are infinite.
    confidence : float, default 0.95
        Coverage of the interval if the differences are normally distributed.

    Returns
    -------
    Shift
        Estimate and interval in the unit of the differences.

    Raises
    ------
    ValueError
        If there are no differences, numbers are not finite or beyond 4.49e307, or the
        confidence is outside (0, 1).

    Examples
    --------
    >>> shift = mean_shift([-1.0, -2.0, -3.0, -1.0])
    >>> shift.estimate, round(shift.lower, 3), round(shift.upper, 3)
    (-1.75, -3.273, -0.227)
    """
    values, level = _checked(differences, confidence)
    n = len(values)
    power = math.frexp(float(np.abs(values).max()))[1]  # sums and squares must not overflow
    scaled = np.ldexp(values, -power)
    mean = math.ldexp(float(scaled.mean()), power)
    if n < 2:
        return Shift(mean, -math.inf, math.inf, 1.0, True)
    error = math.ldexp(float(scaled.std(ddof=1)) / math.sqrt(n), power)
    reach = -float(scipy.special.stdtrit(n - 1, level / 2)) * error
    return Shift(mean, mean - reach, mean + reach, confidence, True)


def _checked(
    values: npt.ArrayLike, confidence: float, argument: str = "differences"
) -> tuple[FloatArray, float]:
    """Return sorted values, and the probability of an interval that does not cover."""
    array = check_finite(values, argument, ndim=1)
    if not array.size:
        raise ValueError(f"`{argument}` must hold at least 1 number; got none.")
    if np.abs(array).max() > LARGEST:
        raise ValueError(f"`{argument}` must hold numbers up to {LARGEST:.3g} in size.")
    return np.sort(array), 1.0 - check_probability(confidence, "confidence")


def _left_out(tails: FloatArray, level: float) -> tuple[int, float]:
    """Return how many values may be left out at either end, and the probability of missing.

    ``tails[c]`` is the probability that the interval misses if c + 1 are left out at either end.
    """
    most = int(np.searchsorted(tails, level * (1 + _SLACK), side="right"))
    return most, float(tails[most - 1]) if most else 0.0


def _left_out_normal(mean: float, variance: float, level: float) -> tuple[int, float]:
    deviation = math.sqrt(variance)
    most = max(0, math.floor(mean - deviation * -float(scipy.special.ndtri(level / 2))))
    return most, 2 * float(scipy.special.ndtr((most - mean) / deviation)) if most else 0.0


class _Sums(NamedTuple):
    """Sums of each number in ``rows`` with the numbers in ``columns`` from its ``start`` on.

    Rows and columns are sorted.
    """

    rows: FloatArray
    columns: FloatArray
    start: IntArray

    def smallest(self, k: int) -> tuple[float, float]:
        """Return the k-th smallest sum, counted from 1, and the next one, infinite if none is left.

        The sums are not listed: a guess, from how many are left between two bounds, is moved by a
        little so that it leaves out almost all on the side where more are; a guess that does not
        even halve what is left is followed by the middle of the bounds.
        """
        low, high = self.start, np.full(len(self.rows), len(self.columns))
        least = float(self.rows[0] + self.columns[0])
        most = float(self.rows[-1] + self.columns[-1])
        left, bisect = int((high - low).sum()), True
        while left > max(_MOST_SUMS, len(self.rows)):
            middle = least + (most - least) / 2
            if bisect:
                there = np.flatnonzero(low < high)
                first, last = self.columns[low[there]], self.columns[high[there] - 1]
                equal = (self.rows[there] + last).max()
                if equal == (self.rows[there] + first).min() or middle in (least, most):
                    return float(equal), float(equal) if k < left else self._next(high)
            else:
                rank = k - left**_MOVED if 2 * k > left else k + left**_MOVED
                guess = least + (most - least) * (min(max(rank / left, 0.0), 1.0))
                middle = guess if least < guess < most else middle
            below = np.searchsorted(self.columns, middle - self.rows, side="right")
            below = np.minimum(np.maximum(below, low), high)
            count = int((below - low).sum())
            if k <= count:
                high, most = below, middle
            else:
                k, low, least = k - count, below, middle
            before, left = left, count if high is below else left - count
            bisect = not bisect and 2 * left > before
        sizes = high - low
        row = np.repeat(np.arange(len(self.rows)), sizes)
        within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        sums = self.rows[row] + self.columns[low[row] + within]
        if k == left:
            return float(sums.max()), self._next(high)
        found = np.partition(sums, (k - 1, k))
        return float(found[k - 1]), float(found[k])

    def _next(self, start: IntArray) -> float:
        """Return the smallest sum with a column from ``start`` on; infinite if there is none."""
        row = np.flatnonzero(start < len(self.columns))
        return float((self.rows[row] + self.columns[start[row]]).min(initial=np.inf))


def _shift(
    sums: _Sums, count: int, left_out: int, outside: float, parts: float, exact: bool
) -> Shift:
    """Return the median and outer order statistics of the sums, divided by ``parts``."""
    middle, after = (value / parts for value in sums.smallest((count + 1) // 2))
    estimate = middle if count % 2 else middle / 2 + after / 2
    if not left_out:
        return Shift(estimate, -math.inf, math.inf, 1.0, exact)
    lower, upper = sums.smallest(left_out)[0], sums.smallest(count + 1 - left_out)[0]
    return Shift(estimate, lower / parts, upper / parts, 1.0 - outside, exact)
