"""Tests of the assumptions of parametric tests: normality and equal variances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_real
from nbcompare.stats import _normality, laws

# Sample sizes for which each test is defined.
LILLIEFORS_LEAST = 5
SHAPIRO_LEAST, SHAPIRO_MOST = 3, 5000  # Royston's approximation
DAGOSTINO_LEAST = 8  # for the distribution of the skewness
LEVENE_LEAST = 3  # two values have equal deviations

# Stephens' p-values above 0.1 are polynomials of the modified statistic, constant first; each
# applies up to one of these ends.
_STEPHENS = np.array(
    [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [2.76773, -19.828315, 80.709644, -138.55152, 81.218052],
        [-4.901232, 40.662806, -97.490286, 94.029866, -32.355711],
        [6.198765, -19.558097, 23.186922, -12.234627, 2.423045],
    ]
)
_STEPHENS_ENDS = np.array([0.302, 0.5, 0.9])

# A test returns statistic and natural logarithm of p for standardized samples, one per row.
_Test = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


class NormalityTest(NamedTuple):
    """Result for many samples; NaN where a sample is constant or its size is unsuitable."""

    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray


class VarianceTest(NamedTuple):
    """Result for many tables; NaN where a sample of the table is too small."""

    statistic: FloatArray
    df: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray


def lilliefors(samples: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> NormalityTest:
    r"""Test normality by Kolmogorov and Smirnov's statistic for estimated mean and variance.

    :math:`D = \max_i \max(i/n - \Phi(z_{(i)}),\ \Phi(z_{(i)}) - (i-1)/n)` for the standardized
    sample. The p-value is Dallal and Wilkinson's approximation (1986) of Lilliefors' distribution
    (1967), which is made for p up to 0.1, and Stephens' approximation (1974) above. The
    distribution for a known mean and variance would give far too large p-values.

    Parameters
    ----------
    samples : array_like, shape (..., n)
        Samples, one per row, in any unit; NaN pads rows with fewer values.
    scale : array_like, shape (...,), optional
        Magnitude of the numbers from which the values were computed, if any: a sample that
        varies by rounding noise only is constant. By default, the magnitude of the values.

    Returns
    -------
    NormalityTest
        Result of shape (...). NaN for constant samples and samples of fewer than 5 values.

    Raises
    ------
    ValueError
        If a value is infinite.

    References
    ----------
    Dallal, G. E. and Wilkinson, L. (1986). An analytic approximation to the distribution of
    Lilliefors's test statistic for normality. The American Statistician 40, 294-296.

    Examples
    --------
    Six values at 1 and one at 9 are far from normal:

    >>> result = lilliefors([1, 1, 1, 1, 1, 1, 9])
    >>> result.statistic.round(3).item(), result.pvalue.round(6).item()
    (0.504, 5e-06)
    """
    return _of_samples(samples, scale, _lilliefors, LILLIEFORS_LEAST)


def shapiro_wilk(samples: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> NormalityTest:
    """Test normality by Shapiro and Wilk's W, with Royston's approximation (1995).

    W compares the variance implied by the ordered values of a normal sample with the variance of
    the sample; small W is evidence against normality. Ties make the test reject more often.

    Parameters
    ----------
    samples, scale
        See :func:`lilliefors`.

    Returns
    -------
    NormalityTest
        Result; NaN for constant samples and those of fewer than 3 or more than 5000 values.

    References
    ----------
    Shapiro, S. S. and Wilk, M. B. (1965). An analysis of variance test for normality
    (complete samples). Biometrika 52, 591-611.

    Examples
    --------
    The weights of 11 men in pounds, from that paper (W = 0.79, p. 606):

    >>> result = shapiro_wilk([148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236])
    >>> result.statistic.round(2).item(), result.pvalue.round(4).item()
    (0.79, 0.0067)
    """
    return _of_samples(samples, scale, _normality.shapiro_wilk, SHAPIRO_LEAST, SHAPIRO_MOST)


def dagostino_pearson(
    samples: npt.ArrayLike, *, scale: npt.ArrayLike | None = None
) -> NormalityTest:
    """Test normality by D'Agostino and Pearson's combination of skewness and kurtosis.

    K squared is the sum of the squares of both, each transformed to normality. Its distribution
    is chi-squared with 2 degrees of freedom, which is rough below 20 values. Ties have little
    effect on it.

    Parameters
    ----------
    samples, scale
        See :func:`lilliefors`.

    Returns
    -------
    NormalityTest
        Result; NaN for constant samples and samples of fewer than 8 values.

    References
    ----------
    D'Agostino, R. and Pearson, E. S. (1973). Tests for departure from normality. Biometrika
    60, 613-622.

    Examples
    --------
    >>> result = dagostino_pearson([148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236])
    >>> result.statistic.round(3).item(), result.pvalue.round(4).item()
    (13.034, 0.0015)
    """
    return _of_samples(samples, scale, _dagostino_pearson, DAGOSTINO_LEAST)


def levene(samples: npt.ArrayLike, *, center: str = "mean") -> VarianceTest:
    r"""Test whether samples have equal variances, by Levene's or Brown and Forsythe's test.

    The statistic is the F of a one-way analysis of variance of the absolute deviations from the
    centre of each sample: its mean (Levene 1960) or its median (Brown and Forsythe 1974), which
    keeps the level for skewed samples too.

    Parameters
    ----------
    samples : array_like, shape (..., k, n)
        Tables of k samples in one unit; NaN pads samples with fewer values.
    center : {"mean", "median"}
        Centre from which deviations are measured.

    Returns
    -------
    VarianceTest
        Result of shape (...), with ``df`` of shape (..., 2): k - 1, and the number of values
        minus k. If no sample varies in its deviations, F is infinite and p is 0, or F is 0 and p
        is 1 if all deviations are equal. NaN if a sample has fewer than 3 values.

    Raises
    ------
    ValueError
        If there are fewer than 2 samples, or a value is infinite.

    References
    ----------
    Brown, M. B. and Forsythe, A. B. (1974). Robust tests for the equality of variances.
    Journal of the American Statistical Association 69, 364-367.

    Examples
    --------
    Deviations 1 0 1 and 3 0 3, their means 2/3 and 2: F = (8/3 / 1) / (20/3 / 4).

    >>> result = levene([[1, 2, 3], [2, 5, 8]], center="median")
    >>> result.statistic.round(3).item(), result.df, result.pvalue.round(3).item()
    (1.6, array([1., 4.]), 0.275)
    """
    check_choice(center, "center", ("mean", "median"))
    array = _check_samples(samples)
    if array.ndim < 2 or array.shape[-2] < 2:
        raise ValueError(
            f"`samples` must hold at least 2 samples (rows) in each table; "
            f"got an array of shape {array.shape}."
        )
    tables = array.reshape(-1, *array.shape[-2:])
    statistic, log_p = np.full((2, len(tables)), np.nan)
    df = np.full((len(tables), 2), np.nan)
    for place, table in enumerate(tables):
        known = ~np.isnan(table)
        sizes = known.sum(axis=1)
        if sizes.min() >= LEVENE_LEAST:
            df[place] = len(table) - 1, sizes.sum() - len(table)
            statistic[place] = _levene(table, known, sizes, df[place], center)
            log_p[place] = laws.f_logsf(float(statistic[place]), *map(float, df[place]))
    shape = array.shape[:-2]
    pvalue, log10_pvalue = laws.from_log(log_p.reshape(shape))
    return VarianceTest(
        statistic.reshape(shape),
        df.reshape(*shape, 2),
        np.asarray(pvalue),
        np.asarray(log10_pvalue),
    )


# ------------------------------------------------------------------------------ samples


def _check_samples(samples: npt.ArrayLike) -> FloatArray:
    array = check_real(samples, "samples")
    if array.ndim == 0:
        raise ValueError("`samples` must have at least 1 dimension; got a single number.")
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise ValueError(
            "`samples` must hold finite numbers, or NaN as padding; "
            f"got {float(array[where])!r} at index {where}."
        )
    return array


def _of_samples(
    samples: npt.ArrayLike,
    scale: npt.ArrayLike | None,
    test: _Test,
    least: int,
    most: int | None = None,
) -> NormalityTest:
    """Test standardized samples of equal size together; NaN where the test is undefined."""
    array = _check_samples(samples)
    shape = array.shape[:-1]
    rows = array.reshape(math.prod(shape), array.shape[-1])  # also for empty samples
    sizes = None if scale is None else np.broadcast_to(np.asarray(scale), shape).reshape(-1)
    counts = (~np.isnan(rows)).sum(axis=1)
    statistic, log_p = np.full((2, len(rows)), np.nan)
    for count in np.unique(counts):
        if count < least or (most is not None and count > most):
            continue
        alike = np.flatnonzero(counts == count)
        block = rows[alike]
        block = block[~np.isnan(block)].reshape(-1, count)
        varied = _varied(block, None if sizes is None else sizes[alike])
        if varied.any():
            place = alike[varied]
            statistic[place], log_p[place] = test(_standardised(block[varied]))
    pvalue, log10_pvalue = laws.from_log(log_p.reshape(shape))
    return NormalityTest(statistic.reshape(shape), np.asarray(pvalue), np.asarray(log10_pvalue))


def _varied(block: FloatArray, sizes: FloatArray | None) -> BoolArray:
    """Return which rows vary by more than rounding noise."""
    low, high = block.min(axis=1), block.max(axis=1)
    size = np.maximum(np.abs(low), np.abs(high)) if sizes is None else sizes
    return np.asarray(high / 2 - low / 2 > NOISE / 2 * size)  # the range may overflow


def _standardised(block: FloatArray) -> FloatArray:
    """Centre each row on its middle value and scale it to 1, as the tests have no unit."""
    exponents = np.frexp(np.abs(block).max(axis=1, keepdims=True))[1]
    centred = np.ldexp(block, -exponents)
    centred -= np.sort(centred, axis=1)[:, block.shape[1] // 2, np.newaxis]
    centred /= np.abs(centred).max(axis=1, keepdims=True)
    return np.asarray(centred)


# -------------------------------------------------------------------------------- tests


def _lilliefors(block: FloatArray) -> tuple[FloatArray, FloatArray]:
    n = block.shape[1]
    ordered = np.sort(block, axis=1)
    z = ordered - ordered.mean(axis=1, keepdims=True)
    z /= ordered.std(axis=1, ddof=1, keepdims=True)
    below = scipy.special.ndtr(z)
    steps = np.arange(n + 1) / n
    distance = np.maximum(steps[1:] - below, below - steps[:-1]).max(axis=1)
    return distance, lilliefors_logp(distance, n)


def lilliefors_logp(distance: FloatArray, n: int) -> FloatArray:
    """Return the natural logarithm of p of Lilliefors' statistic for n values.

    Examples
    --------
    The 5 % point of 20 values, 0.192 by simulation:

    >>> np.exp(lilliefors_logp(np.array([0.192]), 20)).round(3)
    array([0.052])
    """
    log_p = _dallal_wilkinson(distance, n)
    return np.where(log_p > math.log(0.1), _stephens(distance, n), log_p)


def _dallal_wilkinson(distance: FloatArray, n: int) -> FloatArray:
    """Return log p, converting the statistic to that of 100 values if there are more."""
    if n > 100:
        distance, n = distance * (n / 100) ** 0.49, 100
    log_p: FloatArray = (
        -7.01256 * distance**2 * (n + 2.78019)
        + 2.99587 * distance * math.sqrt(n + 2.78019)
        - 0.122119
        + 0.974598 / math.sqrt(n)
        + 1.67997 / n
    )
    return log_p


def _stephens(distance: FloatArray, n: int) -> FloatArray:
    modified = distance * (math.sqrt(n) - 0.01 + 0.85 / math.sqrt(n))
    pieces = _STEPHENS[np.searchsorted(_STEPHENS_ENDS, modified)]
    powers = modified[:, np.newaxis] ** np.arange(5)
    # the polynomial may take any value where it is not used
    pvalue = np.clip((pieces * powers).sum(axis=1), np.finfo(np.float64).tiny, 1.0)
    return np.asarray(np.log(pvalue))


def _dagostino_pearson(block: FloatArray) -> tuple[FloatArray, FloatArray]:
    statistic = _normality.dagostino_pearson(block)
    return statistic, -statistic / 2  # chi-squared with 2 degrees of freedom


def _levene(
    table: FloatArray, known: BoolArray, sizes: IntArray, df: FloatArray, center: str
) -> float:
    """Return F of the absolute deviations, with rounding noise set to zero."""
    values = np.where(known, table, 0.0)
    values = np.ldexp(values, -math.frexp(float(np.abs(values).max()))[1])
    centres = [getattr(np, center)(row[there]) for row, there in zip(values, known, strict=True)]
    deviations = np.where(known, np.abs(values - np.array(centres)[:, np.newaxis]), 0.0)
    means = deviations.sum(axis=1) / sizes
    effects = means - deviations.sum() / sizes.sum()
    residuals = np.where(known, deviations - means[:, np.newaxis], 0.0)
    noise = NOISE * float(sizes.max())  # values are at most 1
    between = 0.0 if np.abs(effects).max() <= noise else float((sizes * effects**2).sum())
    within = 0.0 if np.abs(residuals).max() <= noise else float((residuals**2).sum())
    if within == 0:
        return math.inf if between else 0.0
    return between / within * float(df[1] / df[0])
