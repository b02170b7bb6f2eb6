"""Tests of two algorithms on the folds of one data set: 5x2cv, corrected t, t or Wilcoxon."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import NOISE, BoolArray, FloatArray
from nbcompare._validation import check_choice, check_finite, check_probability, check_real, shown
from nbcompare.stats import conditions, laws, parametric, signed_rank
from nbcompare.stats.laws import ALTERNATIVES
from nbcompare.stats.rankings import with_sizes


class FoldTest(NamedTuple):
    """Result with one entry per set of folds.

    ``statistic`` is t, positive where the first is better, or F; ``df`` holds the degrees of
    freedom of t or F.
    """

    statistic: FloatArray
    df: tuple[int, ...]
    pvalue: FloatArray
    log10_pvalue: FloatArray


class Classical(NamedTuple):
    """Result with one entry per set of folds.

    ``normality`` is the p-value of the goodness-of-fit test, NaN where it is undefined. ``is_t``
    says whether the t test was used instead of Wilcoxon's test. ``statistic`` is t or the sum of
    the signed ranks, positive where the first is better. ``exact`` says whether Wilcoxon's p is
    exact; it is False for t.
    """

    statistic: FloatArray
    is_t: BoolArray
    normality: FloatArray
    df: int
    pvalue: FloatArray
    log10_pvalue: FloatArray
    exact: BoolArray


def five_by_two_t(
    differences: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    scale: npt.ArrayLike | None = None,
) -> FoldTest:
    r"""Perform Dietterich's t test of five replications of two-fold cross-validation.

    :math:`t = p_1^{(1)} / \sqrt{\frac15 \sum_i s_i^2}`, with
    :math:`s_i^2 = (p_i^{(1)} - p_i^{(2)})^2 / 2`, has approximately Student's t distribution with 5
    degrees of freedom (Dietterich 1998, section 3.5). Its numerator is the first of the ten
    differences, so that the result depends on which fold comes first.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Differences first minus second, smaller is better: replications, and their two folds.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse.
    scale : array_like, optional
        Magnitude of the scores from which the differences were computed, broadcast against
        them. Values that differ by rounding noise of that magnitude are treated as equal.

    Returns
    -------
    FoldTest
        Result of shape (...). If the two folds agree in every replication, t is infinite and p is
        0 (1 for the opposite one-sided test), or t is 0 and p is 1 if the first difference is
        zero too.

    Raises
    ------
    ValueError
        If the shape is wrong, numbers are not finite, or the alternative is unknown.

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised
    classification learning algorithms. Neural Computation 10, 1895-1923.

    Examples
    --------
    Both folds differ by 2 in each replication, so every variance is 2 and t = -3 / sqrt 2:

    >>> test = five_by_two_t([[-3, -1], [-2, 0], [-3, -1], [1, -1], [-2, 0]])
    >>> test.statistic.round(4).item(), test.df, test.pvalue.round(4).item()
    (2.1213, (5,), 0.0874)
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    array, noise = _five_by_two(differences, scale)
    variance, level = _variances(array, noise)
    first = array[..., 0, 0]
    return _t_test(first, np.sqrt(variance / 5), 5, level, np.abs(first) <= noise, alternative)


def five_by_two_f(differences: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> FoldTest:
    r"""Perform Alpaydin's F test of five replications of two-fold cross-validation.

    :math:`F = \sum_{ij} (p_i^{(j)})^2 / (2 \sum_i s_i^2)` has approximately the F distribution with
    10 and 5 degrees of freedom (Alpaydin 1999, equation 3.1). All ten differences are squared and
    treated equally, so that there is no one-sided test.

    Parameters
    ----------
    differences, scale
        See :func:`five_by_two_t`.

    Returns
    -------
    FoldTest
        Result of shape (...). If the two folds agree in every replication, F is infinite and p is
        0, or F is 0 and p is 1 if all differences are zero.

    References
    ----------
    Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised classification
    learning algorithms. Neural Computation 11, 1885-1892.

    Examples
    --------
    The sum of the squares is 30, that of the five variances 10:

    >>> test = five_by_two_f([[-3, -1], [-2, 0], [-3, -1], [1, -1], [-2, 0]])
    >>> test.statistic.item(), test.df, test.pvalue.round(4).item()
    (1.5, (10, 5), 0.3425)
    """
    array, noise = _five_by_two(differences, scale)
    variance, level = _variances(array, noise)
    zero = (np.abs(array) <= noise[..., np.newaxis, np.newaxis]).all(axis=(-2, -1))
    squares = np.square(array).sum(axis=(-2, -1))
    divisor = np.where(level, 1.0, 2 * variance)
    f = np.where(level, np.where(zero, 0.0, np.inf), squares / divisor)
    p, log10_p = laws.from_log(laws.f_logsf_each(f, 10, 5))
    return FoldTest(f, (10, 5), np.asarray(p), np.asarray(log10_p))


def corrected_t(
    differences: npt.ArrayLike,
    ratio: float,
    *,
    alternative: str = "two-sided",
    scale: npt.ArrayLike | None = None,
) -> FoldTest:
    r"""Perform the corrected resampled t test of Nadeau and Bengio.

    :math:`t = \bar d / \sqrt{(1/n + n_2/n_1)\, s^2}` with n - 1 degrees of freedom, where
    :math:`n_2/n_1` is the size of a test set divided by that of a training set. Training sets
    overlap, so that the differences are correlated and :math:`s^2/n` underestimates the variance
    of their mean (Nadeau and Bengio 2003, section 3).

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Differences first minus second, smaller is better, for at least 2 folds or repetitions.
    ratio : float
        Size of a test set divided by that of a training set: 1/(k-1) for k folds, 1/9 if a tenth
        is held out. A ratio of 0 gives the uncorrected paired t test.
    alternative, scale
        See :func:`five_by_two_t`.

    Returns
    -------
    FoldTest
        Result of shape (...). If all differences are the same number, t is infinite and p is 0 (1
        for the opposite one-sided test); if all are zero, t is 0 and p is 1.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, numbers are not finite, the ratio is negative, or
        the alternative is unknown.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239-281. Bouckaert, R. R. and Frank, E. (2004). Evaluating the replicability of
    significance tests for comparing learning algorithms. In PAKDD 2004, 3-12. Springer.

    Examples
    --------
    Mean -2.5 and variance 5/3 of 4 folds, whose test sets are a third of the training sets:
    t = -2.5 / sqrt((1/4 + 1/3) 5/3).

    >>> test = corrected_t([-1, -2, -3, -4], 1 / 3)
    >>> test.statistic.round(4).item(), test.df, test.pvalue.round(4).item()
    (2.5355, (3,), 0.085)
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    means, error, level, noise, n, _ = _corrected(differences, ratio, scale)
    return _t_test(means, error, n - 1, level, np.abs(means) <= noise, alternative)


def corrected_t_interval(
    differences: npt.ArrayLike,
    ratio: float,
    *,
    level: float = 0.05,
    scale: npt.ArrayLike | None = None,
) -> tuple[FloatArray, FloatArray]:
    r"""Return the confidence interval of the mean difference that belongs to :func:`corrected_t`.

    :math:`\bar d \pm t_{n-1,\,1-\alpha/2} \sqrt{(1/n + n_2/n_1)\, s^2}`: the means that the test
    does not reject at the level.

    Parameters
    ----------
    differences, ratio, scale
        See :func:`corrected_t`.
    level : float, default 0.05
        Probability that an interval misses its mean. With 0.05/m, m intervals hold together with
        probability 0.95 at least.

    Returns
    -------
    lower, upper : ndarray of float, shape (...)
        Ends of the intervals, both the mean itself where the differences do not vary.

    Raises
    ------
    ValueError
        If :func:`corrected_t` raises it, or if the level is not inside (0, 1).

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239-281.

    Examples
    --------
    >>> lower, upper = corrected_t_interval([-1, -2, -3, -4], 1 / 3)
    >>> lower.round(4).item(), upper.round(4).item()
    (-5.6379, 0.6379)
    """
    missed = check_probability(level, "level")
    means, error, is_level, _, n, power = _corrected(differences, ratio, scale)
    reach = -scipy.special.stdtrit(n - 1, missed / 2) * np.where(is_level, 0.0, error)
    return np.ldexp(means - reach, power), np.ldexp(means + reach, power)


def corrected_t_threshold(n: int, ratio: float, level: float) -> float:
    """Return the standardised mean from which :func:`corrected_t` rejects at a level.

    The standardised mean is the mean of n differences, divided by their standard deviation.

    Parameters
    ----------
    n : int
        Number of differences, at least 2.
    ratio : float
        Size of a test set divided by that of a training set, at least 0.
    level : float
        Significance level of the two-sided test.

    Returns
    -------
    float
        Threshold of the absolute value of the standardised mean.

    Raises
    ------
    ValueError
        If the level is not between 0 and 1, or the ratio is negative.

    Examples
    --------
    >>> round(corrected_t_threshold(10, 1 / 9, 0.05), 3)
    1.039
    """
    quantile = -scipy.special.stdtrit(n - 1, check_probability(level, "level") / 2)
    return float(quantile) * math.sqrt(1 / n + check_ratio(ratio))


def classical(
    differences: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    scale: npt.ArrayLike | None = None,
) -> Classical:
    """Perform the t test if normality is not rejected, otherwise Wilcoxon's signed-rank test.

    In this classical combination (Sánchez, Otero and Alcalá 2006, Figure 1), a goodness-of-fit test
    decides. The paper does not name it; here it is Shapiro and Wilk's. The combination is not the
    best of both tests: normality is sometimes not rejected for differences that are not normal, to
    which the t test is then applied.

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Differences first minus second, smaller is better, for at least 2 folds.
    alternative, scale
        See :func:`five_by_two_t`.
    alpha : float, default 0.05
        If the p-value of the goodness-of-fit test is at most this, Wilcoxon's test is used. It is
        also used where that test is undefined, namely for differences that are all equal, for
        exactly 2 differences and for more than 5,000.

    Returns
    -------
    Classical
        Result of shape (...). Zeros are handled as by default in
        :func:`~nbcompare.stats.signed_rank.signed_ranks`.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, numbers are not finite, or an option is unknown.

    References
    ----------
    Sánchez, L., Otero, J. and Alcalá, J. (2006). Assessing the differences in accuracy
    between GFSs with bootstrap tests.

    Examples
    --------
    An outlying fold leads to Wilcoxon's test for the second set:

    >>> test = classical([[-1, -2, -3, -4, -5, -6], [-1, -2, -3, -4, -5, -600]])
    >>> test.is_t, test.pvalue.round(4)
    (array([ True, False]), array([0.0059, 0.0312]))
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_probability(alpha, "alpha")
    array = check_finite(differences, "differences")
    if array.ndim == 0 or array.shape[-1] < 2:
        raise ValueError(
            "`differences` must hold at least 2 differences on the last axis; "
            f"got an array of shape {array.shape}."
        )
    array, sizes = with_sizes(array, scale)
    shape, n = array.shape[:-1], array.shape[-1]
    rows, size = array.reshape(-1, n), sizes.reshape(-1, n)
    normality = conditions.shapiro_wilk(rows, scale=size.max(axis=1, initial=0.0)).pvalue
    is_t = normality > level  # False for NaN
    # the tests need columns of scores: the differences and a column of zeros
    columns = np.column_stack([rows.T, np.zeros(n)])
    scales = np.column_stack([size.T, np.zeros(n)])
    pairs = np.arange(len(rows)), np.full(len(rows), len(rows))
    t = parametric.paired_t(columns, *pairs, alternative=alternative, scale=scales)
    ranks = signed_rank.signed_ranks(columns, *pairs, alternative=alternative, scale=scales)
    return Classical(
        np.where(is_t, t.statistic, ranks.statistic).reshape(shape),
        is_t.reshape(shape),
        normality.reshape(shape),
        n - 1,
        np.where(is_t, t.pvalue, ranks.pvalue).reshape(shape),
        np.where(is_t, t.log10_pvalue, ranks.log10_pvalue).reshape(shape),
        (ranks.exact & ~is_t).reshape(shape),
    )


def check_ratio(ratio: object) -> float:
    """Check the size of a test set divided by that of a training set, which is at least 0."""
    value = check_real(ratio, "ratio")  # type: ignore[arg-type]
    if value.ndim or not (np.isfinite(value) and value >= 0):
        raise ValueError(
            "`ratio`, the size of a test set over that of a training set, must be a number from "
            f"0; got {shown(ratio)}."
        )
    return float(value)


# ------------------------------------------------------------------------------ helpers


def _corrected(
    differences: npt.ArrayLike, ratio: float, scale: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray, BoolArray, FloatArray, int, int]:
    """Return means, corrected errors, where these are 0, noise, n, and the power of 2 of the unit.

    The unit keeps squares from overflowing.
    """
    correction = check_ratio(ratio)
    array, noise, power = _prepared(differences, scale, 1)
    n = array.shape[-1]
    if n < 2:
        raise ValueError(f"`differences` must hold at least 2 differences; got {n}.")
    level = np.asarray(np.ptp(array, axis=-1) <= noise)
    error = np.sqrt((1 / n + correction) * array.var(axis=-1, ddof=1))
    return array.mean(axis=-1), error, level, noise, n, power


def _prepared(
    differences: npt.ArrayLike, scale: npt.ArrayLike | None, n_axes: int
) -> tuple[FloatArray, FloatArray, int]:
    """Return differences in a unit whose squares do not overflow, their noise, and its power."""
    array = check_finite(differences, "differences")
    if array.ndim < n_axes:
        raise ValueError(
            f"`differences` must have at least {n_axes} dimension{'s' if n_axes > 1 else ''}; "
            f"got an array of shape {array.shape}."
        )
    array, sizes = with_sizes(array, scale)
    largest = float(max(np.abs(array).max(initial=0.0), sizes.max(initial=0.0)))
    power = 0
    if largest and not 1e-50 < largest < 1e50:
        power = math.frexp(largest)[1]
        array, sizes = np.ldexp(array, -power), np.ldexp(sizes, -power)
    noise = NOISE * sizes.max(axis=tuple(range(-n_axes, 0)), initial=0.0)
    return array, np.asarray(noise), power


def _five_by_two(
    differences: npt.ArrayLike, scale: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    shape = np.shape(differences)
    if shape[-2:] != (5, 2):
        raise ValueError(
            "`differences` must have shape (..., 5, 2), five replications of two folds; "
            f"got {shape}."
        )
    return _prepared(differences, scale, 2)[:2]


def _variances(array: FloatArray, noise: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return the sum of the five variances, and whether all of them are zero."""
    gaps = array[..., 0] - array[..., 1]
    level = (np.abs(gaps) <= noise[..., np.newaxis]).all(axis=-1)
    return np.asarray(np.square(gaps).sum(axis=-1) / 2), np.asarray(level)


def _t_test(
    estimate: FloatArray,
    error: FloatArray,
    df: int,
    level: BoolArray,
    zero: BoolArray,
    alternative: str,
) -> FoldTest:
    """Test an estimate by its error, where ``level`` marks zero errors, ``zero`` zero estimates."""
    divisor = np.where(level, 1.0, error)
    infinite = np.where(zero, 0.0, np.copysign(np.inf, estimate))
    statistic = np.where(level, infinite, estimate / divisor)
    logs = parametric.log_tails(statistic, df, alternative)
    p, log10_p = laws.from_log(np.where(level & zero, 0.0, logs))
    return FoldTest(-statistic + 0.0, (df,), np.asarray(p), np.asarray(log10_p))
