"""Tests of faster convergence: Page's trend test, and a test under exchanges of algorithms.

Derrac et al. (2014) rank the differences of two algorithms at several cut-points of their runs
within each problem, and test whether the ranks increase. Smaller is better: values are the best
so far of a function to be minimized.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_finite,
    check_probability,
    check_real,
    shown,
)
from nbcompare.stats import _laws, _trend_laws, tails
from nbcompare.stats.omnibus import FORMULAS
from nbcompare.stats.rankings import check_scale, midranks

# Largest numbers of cut-points for which "auto" and "exact" count arrangements.
MOST_CUTPOINTS = 14
_MOST_EXACT_CUTPOINTS = 16
# Longest distributions of L for "auto" and "exact", in halves: at most 0.5 and 3 seconds.
_MOST_SPAN, _MOST_EXACT_SPAN = 1 << 16, 1 << 18
# The same for sums of signs.
_MOST_SIGNED, _MOST_EXACT_SIGNED = 1 << 22, 1 << 24


class PageTest(NamedTuple):
    """Tests of an increasing trend, one per pair of algorithms.

    Attributes
    ----------
    statistic : ndarray of float
        Page's L.
    pvalue, log10_pvalue : ndarray of float
        Probability of an L at least as large, and its common logarithm.
    method : str
        Method by which p was computed, ``exact`` or ``normal``.
    """

    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    method: str


def convergence_ranks(
    difference: npt.ArrayLike,
    a_reached: npt.ArrayLike | None = None,
    b_reached: npt.ArrayLike | None = None,
    *,
    scale: npt.ArrayLike | None = None,
) -> FloatArray:
    """Rank the differences of two algorithms over the cut-points of each problem.

    If A converges faster, the lag of B grows, and so do the ranks. Once an algorithm has reached
    the optimum, its lead can only shrink, so that the alternative version (Derrac et al. 2014)
    gives the remaining cut-points the ranks of a trend in its favour.

    Parameters
    ----------
    difference : array_like, shape (..., n_problems, c)
        Value of B minus value of A, the best so far at each cut-point, to be minimized.
    a_reached, b_reached : array_like of int, shape (..., n_problems), optional
        First cut-point, counted from 1, at which A and B have reached the optimum; c + 1 if they
        never reach it. Reaching it only at the last cut-point, c, is treated as never. If these
        are omitted, the ranks are those of the basic version.
    scale : array_like, optional
        Magnitude of the values from which the differences were computed, broadcast against
        ``difference``. Differences are tied if they differ only by rounding noise of that
        magnitude; by default, it is their own magnitude.

    Returns
    -------
    ndarray of float, shape (..., n_problems, c)
        If neither is first, the mid-ranks of the differences. If A is first, at cut-point t, the
        rank is j at each cut-point j from t on, and the cut-points before t have the mid-ranks of
        their differences. If B is first, the ranks are c + 1 - j from t on, and before t the
        mid-ranks of the differences there plus c - t + 1. Exchanging A and B gives c + 1 minus
        the ranks.

    Raises
    ------
    ValueError
        If there are fewer than 2 cut-points, a number is not finite, only one of ``a_reached``
        and ``b_reached`` is given, cut-points do not exist, or shapes do not match.

    References
    ----------
    Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). Analyzing
    convergence performance of evolutionary algorithms: a statistical approach. Information
    Sciences 289, 41-58.

    Examples
    --------
    A is at the optimum from cut-point 3 on, so that B, which has not reached it, catches up. This
    is not evidence in favour of B:

    >>> difference = [[2.0, 4.0, 3.0, 2.0, 1.0]]
    >>> convergence_ranks(difference)
    array([[2.5, 5. , 4. , 2.5, 1. ]])
    >>> convergence_ranks(difference, a_reached=[3], b_reached=[6])
    array([[1., 2., 3., 4., 5.]])
    """
    values = check_finite(difference, "difference")
    _check_shape(values, "difference")
    sizes = np.abs(values) if scale is None else check_scale(scale, values.shape)
    ranks = midranks(values, scale=sizes)
    if (a_reached is None) != (b_reached is None):
        given, missing = ("a", "b") if b_reached is None else ("b", "a")
        raise ValueError(
            f"`{missing}_reached` must be given together with `{given}_reached`; got None."
        )
    if a_reached is None or b_reached is None:
        return ranks
    of_a = _check_reached(a_reached, "a_reached", values.shape)
    of_b = _check_reached(b_reached, "b_reached", values.shape)
    _put_alternative_ranks(ranks, values, sizes, of_a, of_b)
    return ranks


def page(ranks: npt.ArrayLike, *, method: str = "auto", formulas: str = "corrected") -> PageTest:
    r"""Perform Page's test of ranks that increase from one column to the next.

    The statistic is :math:`L = \sum_j j R_j`, with the rank sum :math:`R_j` of column j. Under the
    null hypothesis, all arrangements of the ranks of a row are equally likely, and rows are
    independent. This is not true for the histories of two algorithms, where each cut-point depends
    on the previous one; use :func:`exchange` for these.

    Parameters
    ----------
    ranks : array_like, shape (..., n, c)
        Mid-ranks 1 to c within each of n rows, with columns in the order of the expected trend.
        At least 1 row and 2 columns.
    method : {"auto", "exact", "normal"}
        ``exact`` counts the arrangements of the mid-ranks of each row, including ties, and
        convolves the rows: up to 16 columns, if n c (c - 1) (c + 1) / 3 is at most 2**18
        (n = 794 for c = 10). ``auto`` does so up to 14 columns and 2**16 (n = 198 for c = 10),
        and uses the normal approximation beyond.
    formulas : {"corrected", "printed"}
        ``corrected``: the normal approximation has the variance of the tied ranks,
        :math:`\sum_i [\sum_j (r_{ij} - \frac{c+1}{2})^2] \frac{c(c+1)}{12}`. ``printed``: the
        statistic of Derrac et al. (2014), with a continuity correction and the variance of
        untied ranks, :math:`Z = \frac{12(L - 0.5) - 3nc(c+1)^2}{c(c+1)\sqrt{n(c-1)}}`, which
        ``auto`` then always uses.

    Returns
    -------
    PageTest
        Arrays of the shape of the leading axes. If all ranks are tied, there is no trend and p is
        1 (with the printed Z, a little more than 0.5).

    Raises
    ------
    ValueError
        If an option is unknown, a row does not hold mid-ranks 1 to c, or there are too many ranks
        for an exact p that was requested.

    Notes
    -----
    Counting the arrangements of a row takes up to 1 second and 150 MB for 16 columns, 0.1 and 30
    for 14, 0.002 and 1 for 10. The counts are cached: rows with the same ties, and their mirror
    images, have the same distribution. Probabilities are sums of positive terms, so that p is
    accurate relative to its own size; if p underflows, log10 p does not.

    References
    ----------
    Page, E. B. (1963). Ordered hypotheses for multiple treatments: a significance test for
    linear ranks. Journal of the American Statistical Association 58, 216-230. Derrac et al.
    (2014), see :func:`convergence_ranks`.

    Examples
    --------
    Three rows in perfect order are one arrangement in 6**3:

    >>> test = page([[1, 2, 3], [1, 2, 3], [1, 2, 3]])
    >>> float(test.statistic), round(1 / float(test.pvalue)), test.method
    (42.0, 216, 'exact')
    """
    array = _check_ranks(ranks)
    check_choice(method, "method", _laws.METHODS)
    check_choice(formulas, "formulas", FORMULAS)
    n, c = array.shape[-2:]
    statistic, excess = _statistics(array)
    size = n * c * (c * c - 1) // 3
    limits = (_MOST_EXACT_CUTPOINTS, _MOST_EXACT_SPAN)
    if method == "exact" and (c > limits[0] or size > limits[1]):
        raise ValueError(
            "`method` must be 'auto' or 'normal' for ranks of this shape; "
            f"got 'exact' for {n:,} rows of {c:,} ranks."
        )
    few = _are_few(n, c) and formulas == "corrected"
    if method == "exact" or (method == "auto" and few):
        return PageTest(statistic, *_trend_laws.page_tails(array, excess), "exact")
    if formulas == "printed":
        z = (12 * (statistic - 0.5) - 3 * n * c * (c + 1) ** 2) / (
            c * (c + 1) * math.sqrt(n * (c - 1))
        )
        return PageTest(statistic, *tails.from_log(scipy.special.log_ndtr(-z)), "normal")
    spread = np.square(array - (c + 1) / 2).sum(axis=(-2, -1)) * c * (c + 1) / 12
    return PageTest(statistic, *_normal(excess.sum(axis=-1) / 2, spread), "normal")


def critical_l(n: int, c: int, alpha: float, *, formulas: str = "corrected") -> float | None:
    """Return the smallest L of n rows of c untied ranks that Page's test finds significant.

    Parameters
    ----------
    n, c : int
        Numbers of rows, at least 1, and of columns, at least 2.
    alpha : float
        Significance level of a single test.
    formulas : {"corrected", "printed"}
        As in :func:`page`, whose ``method="auto"`` this is: exact for few rows, else normal.

    Returns
    -------
    float or None
        A whole number; None if even the largest possible L is not significant.

    Raises
    ------
    ValueError
        If a number or the word is not one of these.

    References
    ----------
    Page (1963), Table 2, for up to 12 rows and 3 to 8 columns at 0.05, 0.01 and 0.001.

    Examples
    --------
    >>> critical_l(4, 5, 0.05), critical_l(2, 3, 0.01)
    (197.0, None)
    """
    check_count(n, "n", least=1)
    check_count(c, "c", least=2)
    level = check_probability(alpha, "alpha")
    check_choice(formulas, "formulas", FORMULAS)
    mean, most = n * c * (c + 1) ** 2 / 4, n * c * (c + 1) * (2 * c + 1) / 6
    if formulas == "printed" or not _are_few(n, c):
        spread = c * (c + 1) * math.sqrt(n * (c - 1)) / 12
        least = (
            mean + float(scipy.special.ndtri(1 - level)) * spread + 0.5 * (formulas == "printed")
        )
        return float(math.ceil(least)) if least <= most else None
    codes = _trend_laws.patterns(np.tile(np.arange(1.0, c + 1), (n, 1)))

    def is_significant(total: int) -> bool:
        p, _ = _trend_laws.upper_tails(c, codes, np.array([2 * (total - mean)]))
        return bool(p[0] <= level)

    possible = range(math.ceil(mean), int(most) + 1)
    place = bisect_left(possible, True, key=is_significant)
    return float(possible[place]) if place < len(possible) else None


def exchange(ranks: npt.ArrayLike, *, method: str = "auto") -> PageTest:
    r"""Test convergence histories for increasing ranks under exchanges of the two algorithms.

    If two algorithms converge equally, they may be exchanged on any problem. This replaces its
    ranks r by c + 1 - r, and reverses the sign of what it adds to L about the mean
    :math:`c(c+1)^2/4`. Under the null hypothesis L is therefore a sum with independent signs, all
    :math:`2^n` choices of which are counted. Nothing is assumed about the dependence among the
    cut-points of a run, whereas Page's own null hypothesis does not allow for it.

    Parameters
    ----------
    ranks : array_like, shape (..., n_problems, c)
        Ranks such as those from :func:`convergence_ranks`: mid-ranks 1 to c within each problem,
        for at least 1 problem and 2 cut-points.
    method : {"auto", "exact", "normal"}
        ``exact`` counts by dynamic programming, up to 1,000 problems, if
        n c (c - 1) (c + 1) / 6 is at most 2**24, which takes 130 MB. ``auto`` does so up to 2**22
        (50 problems with 79 cut-points), and uses the normal approximation beyond, with the
        variance of the signs and without continuity correction.

    Returns
    -------
    PageTest
        Arrays of the shape of the leading axes. If no problem shows a trend, p is 1.

    Raises
    ------
    ValueError
        See :func:`page`.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments, section 21, for exchanges as a null
    hypothesis; L as in :func:`page`.

    Examples
    --------
    The ranks increase on 4 problems of 5, and decrease on the one with the weakest trend: of 32
    choices of signs, 2 have at least this sum.

    >>> growing, falling = [1, 2, 3, 4, 5], [2, 4, 5, 1, 3]
    >>> test = exchange([growing] * 4 + [falling])
    >>> float(test.statistic), float(test.pvalue)
    (264.0, 0.0625)
    """
    array = _check_ranks(ranks)
    check_choice(method, "method", _laws.METHODS)
    n, c = array.shape[-2:]
    statistic, excess = _statistics(array)
    size = n * c * (c * c - 1) // 6
    if method == "exact" and (n > _laws.MOST_RANKS or size > _MOST_EXACT_SIGNED):
        raise ValueError(
            "`method` must be 'auto' or 'normal' for ranks of this shape; "
            f"got 'exact' for {n:,} problems with {c:,} cut-points."
        )
    few = n <= _laws.MOST_RANKS and size <= _MOST_SIGNED
    if method == "exact" or (method == "auto" and few):
        return PageTest(statistic, *_trend_laws.exchange_tails(excess), "exact")
    return PageTest(
        statistic, *_normal(excess.sum(axis=-1), np.square(excess).sum(axis=-1)), "normal"
    )


def _are_few(n: int, c: int) -> bool:
    """Return whether the arrangements of so many ranks are counted by default."""
    return c <= MOST_CUTPOINTS and n * c * (c * c - 1) // 3 <= _MOST_SPAN


def _check_shape(array: FloatArray, argument: str) -> None:
    if array.ndim < 2 or array.shape[-2] < 1 or array.shape[-1] < 2:
        raise ValueError(
            f"`{argument}` must have the shape (..., n_problems, n_cutpoints) with at least "
            f"1 problem and 2 cut-points; got an array of shape {array.shape}."
        )


def _check_ranks(ranks: npt.ArrayLike) -> FloatArray:
    array = check_finite(ranks, "ranks")
    _check_shape(array, "ranks")
    wrong = (midranks(array) != array).any(axis=-1)
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            f"`ranks` must hold the mid-ranks 1 to {array.shape[-1]} of each problem; "
            f"got {shown(array[where].tolist())} at index {where}."
        )
    return array


def _check_reached(reached: npt.ArrayLike, argument: str, shape: tuple[int, ...]) -> IntArray:
    """Check first cut-points at the optimum; c, which changes no ranks, becomes c + 1."""
    array = check_real(reached, argument)
    if array.shape != shape[:-1]:
        raise ValueError(
            f"`{argument}` must have the shape {shape[:-1]}, one cut-point per problem; "
            f"got an array of shape {array.shape}."
        )
    never = shape[-1] + 1
    wrong = ~((array >= 1) & (array <= never) & (array == np.floor(array)))
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            f"`{argument}` must hold whole numbers from 1 to {never}, which means never; "
            f"got {float(array[where])!r} at index {where}."
        )
    return np.where(array == never - 1, never, array).astype(np.int64)


def _put_alternative_ranks(
    ranks: FloatArray, values: FloatArray, sizes: FloatArray, of_a: IntArray, of_b: IntArray
) -> None:
    """Overwrite the ranks of problems on which one algorithm reached the optimum first."""
    c = ranks.shape[-1]
    first = np.minimum(of_a, of_b)
    growing = np.arange(1.0, c + 1)
    for reached in np.unique(first[of_a != of_b]).tolist():
        earlier = reached - 1
        for leads, later, offset in (
            (of_a < of_b, growing, 0),
            (of_b < of_a, growing[::-1], c - earlier),
        ):
            rows = leads & (first == reached)
            ranks[rows, earlier:] = later[earlier:]
            before = midranks(values[rows, :earlier], scale=sizes[rows, :earlier])
            ranks[rows, :earlier] = before + offset


def _statistics(ranks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return L, and twice the contribution of each row to L minus its mean, as integers."""
    c = ranks.shape[-1]
    rows = ranks @ np.arange(1.0, c + 1)
    return np.asarray(rows.sum(axis=-1)), 2 * rows - c * (c + 1) ** 2 / 2


def _normal(deviation: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return upper tails; p is 1 where nothing varies and the observed value is certain."""
    varies = variance > 0
    z = deviation / np.sqrt(np.where(varies, variance, 1.0))
    return tails.from_log(np.where(varies, scipy.special.log_ndtr(-z), 0.0))
