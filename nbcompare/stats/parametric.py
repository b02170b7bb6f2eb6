"""The parametric omnibus test: analysis of variance with repeated measures."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_finite
from nbcompare.stats import tails
from nbcompare.stats.ranking import NOISE, whole_numbers


class RepeatedMeasures(NamedTuple):
    """F, degrees of freedom times epsilon, p, log10 p, Greenhouse and Geisser's epsilon."""

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
    epsilon: float


def repeated_measures_anova(scores: npt.ArrayLike) -> RepeatedMeasures:
    r"""Analysis of variance of scores, one row of repeated measures per data set.

    :math:`F` is the mean square between algorithms over that of what the means of
    algorithms and data sets leave. Where the differences of algorithms have unequal
    variances, which is the rule, both degrees of freedom shrink by
    :math:`\epsilon = \mathrm{tr}(S)^2 / ((k-1)\,\mathrm{tr}(S^2))`, S the double-centred
    covariance matrix (Greenhouse and Geisser 1959).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        In whichever direction.

    Returns
    -------
    RepeatedMeasures
        With k - 1 and (k - 1)(n - 1) degrees of freedom, times epsilon, which is from
        1/(k - 1) to 1. If algorithms differ by the same on all data sets, F is infinite,
        p 0 and epsilon 1; if they do not differ at all, F is 0 and p 1.

    Raises
    ------
    ValueError
        For fewer than 2 data sets or 2 algorithms, or numbers that are not finite.

    Examples
    --------
    For two algorithms F is the square of the paired t, here 3.656:

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
    p, log10_p = tails.from_log(np.asarray(tails.f_logsf(statistic, *shrunk)))
    return RepeatedMeasures(statistic, shrunk, float(p), float(log10_p), epsilon)


def _of_ordinary_size(scores: FloatArray) -> FloatArray:
    """Scores as whole numbers if they have few decimals, else near 1: F has no unit."""
    whole = whole_numbers(scores)
    largest = float(np.abs(whole).max())
    if whole is not scores or 1e-50 < largest < 1e50 or largest == 0:
        return whole
    return np.ldexp(scores, -math.frexp(largest)[1])


def _effects_and_residuals(scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of algorithms, and of cells, each times nk: exact for whole numbers; noise is zero."""
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
