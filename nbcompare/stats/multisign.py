"""Multiple sign test of algorithms against a control."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray, locked
from nbcompare._validation import check_choice, check_count, check_finite, check_probability
from nbcompare.stats.pairwise import win_tie_loss
from nbcompare.stats.posthoc import against_control
from nbcompare.stats.rankings import midranks

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
            g = _count_law(quantiles, two_sided, rows) / one[:, np.newaxis]
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


def _count_law(quantiles: FloatArray, two_sided: bool, rows: IntArray) -> FloatArray:
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


ALTERNATIVES = ("two-sided", "better", "worse")
# Largest number of dimensions of the points for the numerical distribution.
_MOST_DATASETS = 20_000


class SignCounts(NamedTuple):
    """Numbers of data sets on which algorithms win, lose and tie against the control."""

    plus: IntArray
    minus: IntArray
    ties: IntArray


class MultipleSignTest(NamedTuple):
    """Result of the test for each algorithm against the control; shape (n_algorithms - 1,).

    ``r`` is the number of signs against the alternative; ``critical_value`` is the largest
    significant r, -1 if there is none; ``standard_error`` is that of ``pvalue``, 0 where it is
    exact.
    """

    plus: IntArray
    minus: IntArray
    ties: IntArray
    n_used: IntArray
    r: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    standard_error: FloatArray
    critical_value: IntArray
    rejected: BoolArray


def sign_counts(
    scores: npt.ArrayLike, control: int, *, scale: npt.ArrayLike | None = None
) -> SignCounts:
    """Count the signs of every algorithm against the control.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better.
    control : int
        Index of the column of the control.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    SignCounts
        Three arrays of shape (n_algorithms - 1,), in the order of the columns without the
        control. A plus sign means that the algorithm is better than the control.

    Raises
    ------
    ValueError
        If scores are not a table of finite numbers of at least 2 algorithms, or ``control`` is not
        the index of a column.

    Examples
    --------
    >>> counts = sign_counts([[1, 2, 3], [1, 0, 1], [5, 6, 4]], control=0)
    >>> counts.plus.tolist(), counts.minus.tolist(), counts.ties.tolist()
    ([1, 1], [2, 1], [0, 1])
    """
    array = check_finite(scores, "scores", ndim=2)
    k = array.shape[1]
    if k < 2:
        raise ValueError(f"`scores` must hold at least 2 algorithms (columns); got {k}.")
    column = check_count(control, "control", least=0)
    if column >= k:
        raise ValueError(f"`control` must be a column of `scores`, 0 to {k - 1}; got {column}.")
    one, other = against_control(k, column)
    counts = win_tie_loss(midranks(array, scale=scale), other, one)
    return SignCounts(counts.wins, counts.losses, counts.ties)


def sign_pvalues(n: int, m: int, *, alternative: str = "two-sided") -> SignLaw:
    r"""Compute P(min_j r_j <= r), the p-value of one count among those of m algorithms.

    r_j is the number of data sets on which algorithm j has the sign that is evidence against the
    alternative; for a two-sided test, the less frequent sign. If all orders of the control and the
    m algorithms are equally likely on each of n data sets, then, given the control's quantile
    :math:`U_i` on each data set, the signs of different algorithms are independent. The
    probability is therefore :math:`E_U[1 - (1 - g(U))^m]`, where g is that of one
    Poisson-binomial count.

    The distribution is computed exactly, by counting, for m <= 2, and for m = 3 up to 120 data
    sets. Otherwise the expectation is computed over 8 scrambled Sobol sequences of 16,384 points
    each with a fixed seed (fewer points for more than 150 data sets), with the exact distributions
    of one and of two counts as control variates and as bounds. The standard error is estimated
    from the 8 sequences, and is at least p/1000 (or half the room between the bounds): near
    p = 0.05 it is about 0.0001 or less up to 150 data sets and 29 algorithms, and 0.0006 for 1,000
    data sets.

    Parameters
    ----------
    n : int
        Number of data sets without ties, at least 0.
    m : int
        Number of algorithms compared with the control, at least 1.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis. Both one-sided directions have the same distribution.

    Returns
    -------
    SignLaw
        ``pvalue``, ``log10_pvalue`` and ``standard_error``, read-only arrays over r = 0,
        1, ..., n (two-sided: n // 2), in non-decreasing order.

    Raises
    ------
    ValueError
        If ``n`` or ``m`` is not a whole number or too small, if ``n`` is above 20,000 and ``m``
        above 2, or if the alternative is unknown.

    References
    ----------
    Steel, R. G. D. (1959). A multiple comparison sign test: treatments versus control.
    Journal of the American Statistical Association 54, 767-775.
    Rhyne, A. L. and Steel, R. G. D. (1965). Tables for a treatments versus control
    multiple comparisons sign test. Technometrics 7, 293-306.

    Examples
    --------
    A control and 3 algorithms on 24 data sets; then one algorithm, the ordinary sign test:

    >>> sign_pvalues(24, 3, alternative="better").pvalue[6:8].round(4)
    array([0.0317, 0.0849])
    >>> sign_pvalues(14, 1).pvalue[3].round(4)  # 2 (1 + 14 + 91 + 364) / 2^14
    np.float64(0.0574)
    """
    n_datasets, others = check_count(n, "n", least=0), check_count(m, "m", least=1)
    check_choice(alternative, "alternative", ALTERNATIVES)
    if n_datasets > _MOST_DATASETS and others > 2:
        raise ValueError(
            f"`n` must be a whole number of at most {_MOST_DATASETS} for more than 2 algorithms; "
            f"got {n_datasets}."
        )
    return sign_law(n_datasets, others, alternative == "two-sided")


def critical_value(
    n: int, m: int, alpha: float = 0.05, *, alternative: str = "two-sided"
) -> int | None:
    """Return the largest r with P(min_j r_j <= r) <= alpha; None if even 0 is too likely.

    Parameters
    ----------
    n, m, alternative
        See :func:`sign_pvalues`.
    alpha : float, default 0.05
        Family-wise significance level.

    Returns
    -------
    int or None
        Number of data sets; an algorithm whose count r is at most this differs significantly.

    Raises
    ------
    ValueError
        If ``alpha`` is not between 0 and 1, or :func:`sign_pvalues` raises it.

    Examples
    --------
    >>> critical_value(24, 3, alternative="better"), critical_value(24, 3)
    (6, 5)
    >>> critical_value(5, 1) is None  # 2/2^5 = 0.0625
    True
    """
    level = check_probability(alpha, "alpha")
    found = _critical(sign_pvalues(n, m, alternative=alternative), level)
    return None if found < 0 else found


def multiple_sign_test(
    scores: npt.ArrayLike,
    control: int,
    *,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    scale: npt.ArrayLike | None = None,
) -> MultipleSignTest:
    """Compare every algorithm with the control by the multiple sign test.

    Ties with the control are split evenly between plus and minus; if their number is odd, one is
    left out, and the distribution for one data set less is used for that algorithm. All counts are
    then integers, and for a single algorithm this is the sign test of Demšar (2006). The test is
    conservative: for algorithms that perform equally, scores with 2, 3 or 5 equally likely values
    led to no more rejections than untied scores, for 10 to 30 data sets and 1 to 5 algorithms
    besides the control (simulated).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better.
    control : int
        Index of the column of the control.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis about the **control**: it differs from an algorithm, is better
        than it (few plus signs), or is worse (few minus signs).
    alpha : float, default 0.05
        Family-wise significance level.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    MultipleSignTest
        Results in the order of the columns without the control. ``pvalue`` is adjusted for the
        number of algorithms: P(min_j r_j <= r).

    Examples
    --------
    The control is better than one algorithm on 9 of 10 data sets, and than the other on 5:

    >>> scores = np.array([[0, 1, 1]] * 5 + [[0, 1, -1]] * 4 + [[0, -1, -1]])
    >>> result = multiple_sign_test(scores, 0, alternative="better")
    >>> result.r.tolist(), result.pvalue.round(4).tolist(), result.critical_value.tolist()
    ([1, 5], [0.0207, 0.8055], [1, 1])
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_probability(alpha, "alpha")
    counts = sign_counts(scores, control, scale=scale)
    half, odd = np.divmod(counts.ties, 2)
    n_used = sum(counts) - odd
    plus, minus = counts.plus + half, counts.minus + half
    r = {"two-sided": np.minimum(plus, minus), "better": plus, "worse": minus}[alternative]
    m = len(r)
    p, log10_p, error = np.empty((3, m))
    critical = np.empty(m, dtype=np.int64)
    for n in np.unique(n_used).tolist():
        law = sign_pvalues(n, m, alternative=alternative)
        here = n_used == n
        p[here], log10_p[here] = law.pvalue[r[here]], law.log10_pvalue[r[here]]
        error[here] = law.standard_error[r[here]]
        critical[here] = _critical(law, level)
    rejected = p <= level
    return MultipleSignTest(*counts, n_used, r, p, log10_p, error, critical, rejected)


def _critical(law: SignLaw, alpha: float) -> int:
    return int(np.searchsorted(law.pvalue, alpha, side="right")) - 1
