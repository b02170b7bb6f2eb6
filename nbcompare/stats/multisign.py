"""The multiple sign test: which algorithms differ from a control, by signs alone."""

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
# The points of the numerical law have this many dimensions at most.
_MOST_DATASETS = 20_000


class SignCounts(NamedTuple):
    """On how many data sets an algorithm is better than the control, worse, and tied with it."""

    plus: IntArray
    minus: IntArray
    ties: IntArray


class MultipleSignTest(NamedTuple):
    """Each algorithm against the control; arrays of shape (n_algorithms - 1,).

    ``r`` counts the signs against the alternative;
    ``critical_value`` is the largest r that is significant, -1 if none is;
    ``standard_error`` is that of ``pvalue``, 0 where it is exact.
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
        Smaller is better.
    control : int
        Column of the control.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were.

    Returns
    -------
    SignCounts
        Three arrays of shape (n_algorithms - 1,), in the order of the columns without
        the control. Plus means that the algorithm is better than the control.

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
    r"""P(min_j r_j <= r), by which one count among those of m algorithms is judged.

    r_j is the number of data sets on which algorithm j has the sign that speaks against
    the alternative; two-sided, the less frequent sign. If the control and the m
    algorithms are in any order with the same probability on each of n data sets, then
    given the control's quantile :math:`U_i` on each, the signs of different algorithms
    are independent, so that the probability is :math:`E_U[1 - (1 - g(U))^m]` with g
    that of one Poisson-binomial count.

    The law is exact for m <= 2, and for m = 3 up to 120 data sets, by counting. Beyond,
    the expectation is taken over 8 scrambled Sobol sequences of 16,384 points each with
    a fixed seed (fewer points for more than 150 data sets), with the exact laws of one
    and of two counts as control variates and as bounds. The standard error comes from
    the 8 sequences, and is not given as less than p/1000 (or half the room between the
    bounds): near p = 0.05 it is some 0.0001 or less up to 150 data sets and 29 algorithms,
    0.0006 for 1,000 data sets.

    Parameters
    ----------
    n : int
        Number of data sets without ties, at least 0.
    m : int
        Number of algorithms compared with the control, at least 1.
    alternative : {"two-sided", "better", "worse"}
        Both directions have the same law.

    Returns
    -------
    SignLaw
        ``pvalue``, ``log10_pvalue`` and ``standard_error``, read-only arrays over r = 0,
        1, ..., n (two-sided: n // 2), never decreasing.

    References
    ----------
    Steel, R. G. D. (1959). A multiple comparison sign test: treatments versus control.
    Journal of the American Statistical Association 54, 767-775.
    Rhyne, A. L. and Steel, R. G. D. (1965). Tables for a treatments versus control
    multiple comparisons sign test. Technometrics 7, 293-306.

    Examples
    --------
    24 data sets, 3 algorithms and a control; then one algorithm, the ordinary sign test:

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
    """The largest count r with P(min_j r_j <= r) <= alpha; None if even 0 is too likely.

    Parameters
    ----------
    n, m, alternative
        As in :func:`sign_pvalues`.
    alpha : float, default 0.05
        Family-wise significance level.

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
    """Compare every algorithm with the control by the number of data sets it is better on.

    Ties with the control are split evenly between plus and minus; of an odd number one
    is left out, and that algorithm is judged by the law of one data set less. Then all
    counts are whole, and of one algorithm this is the sign test of Demšar (2006). It
    errs on the side of not rejecting: between algorithms that are alike, scores in 2, 3
    or 5 equally likely values were rejected no more often than untied ones, for 10 to
    30 data sets and 1 to 5 algorithms beside the control (simulated).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Smaller is better.
    control : int
        Column of the control.
    alternative : {"two-sided", "better", "worse"}
        What is to be shown of the **control**: that it differs from an algorithm, is
        better than it (few plus signs), or worse (few minus signs).
    alpha : float, default 0.05
        Family-wise significance level.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were.

    Returns
    -------
    MultipleSignTest
        In the order of the columns without the control. ``pvalue`` is adjusted for the
        number of algorithms: P(min_j r_j <= r).

    Examples
    --------
    The control is better on 9 of 10 data sets than one algorithm, on 5 than the other:

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
