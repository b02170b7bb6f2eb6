"""Tests that assume normality: paired t test and repeated-measures analysis of variance."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import laws
from nbcompare.stats.laws import ALTERNATIVES
from nbcompare.stats.rankings import whole_numbers, with_sizes


class PairedT(NamedTuple):
    """Result of the paired t test, with one entry per pair of algorithms.

    ``statistic`` is t, positive where the first is better. ``effect_size`` is Cohen's d_z, the
    mean difference divided by the standard deviation, positive where the first is better.
    ``identical`` is True where all differences are equal, so that their standard deviation is
    zero.
    """

    statistic: FloatArray
    df: int
    effect_size: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    identical: BoolArray


def paired_t(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    alternative: str = "two-sided",
    scale: npt.ArrayLike | None = None,
) -> PairedT:
    """Perform the paired t test of each pair of algorithms (Student 1908).

    It assumes differences that are comparable across data sets and normally distributed, which is
    seldom true for scores (Demšar 2006, section 3.1.2).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores on at least 2 data sets, smaller is better.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any. Differences are
        identical if they differ only by rounding noise of that magnitude.

    Returns
    -------
    PairedT
        Result with n - 1 degrees of freedom. If all differences are the same number, t and d_z
        are infinite, p is 0 and its logarithm minus infinity (for the opposite one-sided test, p
        is 1); if all are zero, t and d_z are 0 and p is 1 for every alternative.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets, a number is not finite, or an option is unknown.

    Examples
    --------
    >>> test = paired_t([[1, 2], [3, 5], [2, 5], [4, 5]], np.array([0]), np.array([1]))
    >>> test.statistic.round(3), test.df, test.pvalue.round(4)
    (array([3.656]), 3, array([0.0354]))
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    array = check_finite(scores, "scores", ndim=2)
    n = len(array)
    if n < 2:
        raise ValueError(f"`scores` must hold at least 2 data sets (rows); got {n}.")
    array, sizes = with_sizes(array, scale)
    largest = float(max(np.abs(array).max(initial=0.0), sizes.max(initial=0.0)))
    # t has no unit, so scores can be scaled to prevent overflow of squares
    if largest and not 1e-50 < largest < 1e50:
        power = -math.frexp(largest)[1]
        array, sizes = np.ldexp(array, power), np.ldexp(sizes, power)
    differences = array[:, first] - array[:, second]
    noise = NOISE * np.maximum(sizes.max(axis=0)[first], sizes.max(axis=0)[second])
    means = differences.mean(axis=0)
    identical = np.ptp(differences, axis=0) <= noise
    zero = identical & (np.abs(means) <= noise)
    # scaled pair by pair, because squares of tiny differences may underflow
    units = np.abs(differences).max(axis=0)
    units[units == 0] = 1.0
    deviations = (differences / units).std(axis=0, ddof=1) * units
    deviations[identical] = 1.0
    effects = np.where(zero, 0.0, np.where(identical, np.copysign(np.inf, means), means))
    effects = effects / deviations
    statistic = effects * math.sqrt(n)
    logs = np.where(zero, 0.0, log_tails(statistic, n - 1, alternative))
    p, log10_p = laws.from_log(logs)
    return PairedT(-statistic + 0.0, n - 1, -effects + 0.0, p, log10_p, identical)


def log_tails(statistic: FloatArray, df: int, alternative: str) -> FloatArray:
    """Return log p of t statistics, using that t squared has an F distribution."""
    both = laws.f_logsf_each(np.square(statistic), 1, df)
    if alternative == "two-sided":
        return both
    agrees = statistic <= 0 if alternative == "better" else statistic >= 0
    return np.where(agrees, both - math.log(2.0), np.log1p(-np.exp(both) / 2))


class RepeatedMeasures(NamedTuple):
    """Result: F, degrees of freedom times epsilon, p, log10 p, Greenhouse-Geisser epsilon."""

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
    epsilon: float


def repeated_measures_anova(scores: npt.ArrayLike) -> RepeatedMeasures:
    r"""Perform a repeated-measures analysis of variance, with a row for each data set.

    :math:`F` is the mean square between algorithms divided by the mean square of the residuals
    after the means of algorithms and data sets. If the differences of algorithms have unequal
    variances, which is usual, both degrees of freedom are multiplied by
    :math:`\epsilon = \mathrm{tr}(S)^2 / ((k-1)\,\mathrm{tr}(S^2))`, S the double-centred
    covariance matrix (Greenhouse and Geisser 1959).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores in any direction.

    Returns
    -------
    RepeatedMeasures
        Result with k - 1 and (k - 1)(n - 1) degrees of freedom, times epsilon, which is from
        1/(k - 1) to 1. If algorithms differ by the same amount on all data sets, F is infinite, p
        is 0 and epsilon is 1; if they do not differ at all, F is 0 and p is 1.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, or a number is not finite.

    Examples
    --------
    For two algorithms, F is the square of the paired t, here 3.656:

    >>> result = repeated_measures_anova([[1, 2], [3, 5], [2, 5], [4, 5]])
    >>> round(result.statistic, 3), result.df, result.epsilon
    (13.364, (1.0, 3.0), 1.0)
    """
    array = check_finite(scores, "scores", ndim=2)
    n, k = array.shape
    if n < 2 or k < 2:
        raise ValueError(
            f"`scores` must hold at least 2 data sets (rows) and 2 algorithms (columns); "
            f"got shape {array.shape}."
        )
    effects, residuals = _effects_and_residuals(_of_ordinary_size(array))
    between = n * float(np.square(effects).sum())
    within = float(np.square(residuals).sum())
    df = (float(k - 1), float((k - 1) * (n - 1)))
    if within == 0:
        if between == 0:
            return RepeatedMeasures(0.0, df, 1.0, 0.0, 1.0)
        return RepeatedMeasures(math.inf, df, 0.0, -math.inf, 1.0)
    products = residuals.T @ residuals  # n - 1 times the double-centred covariance
    trace = float(np.trace(products))
    epsilon = trace**2 / ((k - 1) * float(np.square(products).sum()))
    epsilon = min(max(epsilon, 1 / (k - 1)), 1.0)
    statistic = (n - 1) * between / within
    shrunk = (df[0] * epsilon, df[1] * epsilon)
    p, log10_p = laws.from_log(np.asarray(laws.f_logsf(statistic, *shrunk)))
    return RepeatedMeasures(statistic, shrunk, float(p), float(log10_p), epsilon)


def _of_ordinary_size(scores: FloatArray) -> FloatArray:
    """Scale scores to integers if they have few decimals, else near 1, as F has no unit."""
    whole = whole_numbers(scores)
    largest = float(np.abs(whole).max())
    if whole is not scores or 1e-50 < largest < 1e50 or largest == 0:
        return whole
    return np.ldexp(scores, -math.frexp(largest)[1])


def _effects_and_residuals(scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return effects and residuals times nk, exact for integers, with noise set to zero."""
    n, k = scores.shape
    noise = NOISE * n * k * float(np.abs(scores).max())
    total = scores.sum()
    columns = k * scores.sum(axis=0)
    effects = columns - total
    residuals = n * k * scores - n * scores.sum(axis=1, keepdims=True) - effects
    # n k x - n (row sum) - k (column sum) + total
    for values in (effects, residuals):
        if np.abs(values).max() <= noise:
            values[...] = 0.0
    return effects, residuals
