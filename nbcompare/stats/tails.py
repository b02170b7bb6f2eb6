"""Tail probabilities that do not underflow, and interval p-values."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray
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
        Observed value, finite; up to 0 the probability is 1.
    df1, df2 : float
        Degrees of freedom of the numerator and of the denominator, above 0.

    Returns
    -------
    float
        Natural logarithm of the probability.
    """
    if statistic <= 0:
        return 0.0
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
