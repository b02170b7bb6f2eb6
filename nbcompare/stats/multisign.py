"""Multiple sign test of algorithms against a control."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_count, check_finite, check_probability
from nbcompare.stats._multisign_law import SignLaw, sign_law
from nbcompare.stats.pairwise import win_tie_loss
from nbcompare.stats.posthoc import against_control
from nbcompare.stats.rankings import midranks

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
