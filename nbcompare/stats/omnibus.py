"""Omnibus tests of any difference among algorithms: rank tests on complete tables.

The approximations by chi-squared and F become too small where agreement is nearly perfect, because
a statistic may be as large as it gets, or infinite, while the probability of that is not 0. No
p-value of a corrected formula is therefore below the exact probability of perfect agreement, so
that more agreement never raises p. (:mod:`~nbcompare.stats.exact_omnibus` has exact p-values.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_count, check_finite, check_probability
from nbcompare.stats import laws
from nbcompare.stats.rankings import row_sums, sums_of_squares

# "corrected" is the correct formula, "printed" that of the papers, without tie correction.
FORMULAS = ("corrected", "printed")
_LN10 = math.log(10.0)


class OmnibusTest(NamedTuple):
    """Result of an omnibus test: statistic, degrees of freedom, p and log10 p."""

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float

    def critical_value(self, alpha: float) -> float | None:
        """Return the smallest significant statistic by the chi-squared or F law.

        Parameters
        ----------
        alpha : float
            Significance level.

        Returns
        -------
        float or None
            Quantile of the law; None where p is not that of the law but that of perfect
            agreement, and is on the other side of ``alpha``.

        Examples
        --------
        García and Herrera (2008), 5 algorithms on 30 data sets, print 9.488 and 2.45:

        >>> chi2 = OmnibusTest(39.647, (4.0,), 5.1e-08, -7.29)
        >>> f = OmnibusTest(14.309, (4.0, 116.0), 1.6e-09, -8.8)
        >>> round(chi2.critical_value(0.05), 3), round(f.critical_value(0.05), 2)
        (9.488, 2.45)
        """
        level = check_probability(alpha, "alpha")
        first, *second = self.df
        law = (
            scipy.special.fdtri(first, second[0], 1 - level)
            if second
            else scipy.special.chdtri(first, level)
        )
        value = float(law)
        return value if (self.statistic >= value) == (self.pvalue <= level) else None


class FriedmanTests(NamedTuple):
    """Friedman's test, Iman and Davenport's form of it, and Kendall's coefficient."""

    friedman: OmnibusTest
    iman_davenport: OmnibusTest
    kendalls_w: float


class _Sums(NamedTuple):
    """Ranks with the sums of squares of rank sums, and of ranks, around their means."""

    ranks: FloatArray
    between: float
    within: float

    def within_by(self, formulas: str) -> float:
        """Return the sum of squares of ranks; if printed, that of untied ones."""
        n, k = self.ranks.shape
        return n * _untied(k) if formulas == "printed" else self.within


def friedman(ranks: npt.ArrayLike, *, formulas: str = "corrected") -> OmnibusTest:
    r"""Perform Friedman's test on ranks within data sets.

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        Mid-ranks within each data set (see :func:`nbcompare.stats.rankings.midranks`).
    formulas : {"corrected", "printed"}
        ``corrected`` divides by the variance of the tied ranks (Conover 1999, section
        5.8); ``printed`` is Friedman's own formula for untied ranks,
        :math:`\chi^2_F = \frac{12n}{k(k+1)} [\sum_j R_j^2 - \frac{k(k+1)^2}{4}]`
        (Demšar 2006, p. 11).

    Returns
    -------
    OmnibusTest
        Chi-squared test with k - 1 degrees of freedom. If all data are tied, there is no
        evidence of a difference: the statistic is 0 and p is 1. By the corrected formula, p is
        at least the exact probability that all data sets rank the algorithms in the same way.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, or numbers are not mid-ranks.

    Examples
    --------
    Three judges rank four wines in the same order, except for one exchange:

    >>> result = friedman([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]])
    >>> round(result.statistic, 1), result.df, round(result.pvalue, 4)
    (8.2, (3,), 0.0421)
    """
    check_choice(formulas, "formulas", FORMULAS)
    return _friedman(_checked_sums(ranks), formulas)


def iman_davenport(ranks: npt.ArrayLike, *, formulas: str = "corrected") -> OmnibusTest:
    r"""Perform Iman and Davenport's test, the less conservative F form of Friedman's test.

    :math:`F_F = (n-1)\chi^2_F / (n(k-1) - \chi^2_F)`; with tied ranks and the corrected
    :math:`\chi^2_F` it is the analysis of variance of the ranks (Iman and Davenport 1980).

    Parameters
    ----------
    ranks, formulas
        See :func:`friedman`.

    Returns
    -------
    OmnibusTest
        F test with k - 1 and (k - 1)(n - 1) degrees of freedom. If all data sets rank the
        algorithms in the same way, the statistic is infinite, and p is the exact probability of
        this under independent random orders, ``(1/k!)^(n-1)`` without ties. No p of the
        corrected formula is smaller: the F distribution knows no bound of the statistic, and with
        12 data sets that agree on 4 algorithms except for one exchange, it would give 4.7e-25
        where perfect agreement has 6.6e-16. With ``printed`` it does.

    Raises
    ------
    ValueError
        See :func:`friedman`.

    Examples
    --------
    >>> result = iman_davenport([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]])
    >>> round(result.statistic, 2), result.df
    (20.5, (3, 6))

    Perfect agreement of 3 data sets on 2 algorithms has probability 1/4:

    >>> round(iman_davenport([[1, 2], [1, 2], [1, 2]]).pvalue, 12)
    0.25
    """
    check_choice(formulas, "formulas", FORMULAS)
    return _iman_davenport(_checked_sums(ranks), formulas)


def friedman_tests(
    ranks: npt.ArrayLike,
    *,
    formulas: str = "corrected",
    squares: tuple[float, float] | None = None,
) -> FriedmanTests:
    """Perform both tests and compute Kendall's coefficient, in the time of one test.

    Parameters
    ----------
    ranks, formulas
        See :func:`friedman`.
    squares : tuple of float, optional
        What :func:`~nbcompare.stats.rankings.sums_of_squares` returns for these ranks, if it is
        known. The ranks are not checked then.

    Returns
    -------
    FriedmanTests
        Results of :func:`friedman`, :func:`iman_davenport` and :func:`kendalls_w`.

    Raises
    ------
    ValueError
        See :func:`friedman`.

    Examples
    --------
    >>> tests = friedman_tests([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]])
    >>> round(tests.friedman.statistic, 1), round(tests.iman_davenport.statistic, 1)
    (8.2, 20.5)
    """
    check_choice(formulas, "formulas", FORMULAS)
    sums = _checked_sums(ranks) if squares is None else _Sums(np.asarray(ranks), *squares)
    return FriedmanTests(
        _friedman(sums, formulas), _iman_davenport(sums, formulas), _kendalls_w(sums)
    )


def _friedman(sums: _Sums, formulas: str) -> OmnibusTest:
    k = sums.ranks.shape[1]
    within = sums.within_by(formulas)
    test = _chi_squared((k - 1) * sums.between / within if sums.between else 0.0, k)
    return test if formulas == "printed" else _floored(test, sums.ranks, within, _untied(k))


def _iman_davenport(sums: _Sums, formulas: str) -> OmnibusTest:
    array = sums.ranks
    n, k = array.shape
    alike = bool((array[1] == array[0]).all() and (array == array[0]).all())
    all_tied = alike and bool((array[0] == array[0, 0]).all())
    if alike and formulas == "printed" and len(set(array[0])) == k:
        return _perfect_agreement_untied(n, k)
    between, within = sums.between, sums.within_by(formulas)
    if alike and not all_tied and formulas == "corrected":
        return _floored(_f_test(math.inf, n, k), array, within, _untied(k))
    test = _f_test((n - 1) * between / (n * within - between) if between else 0.0, n, k)
    return test if formulas == "printed" else _floored(test, array, within, _untied(k))


def friedman_from_averages(average_ranks: npt.ArrayLike, n_datasets: int) -> OmnibusTest:
    """Perform Friedman's test on average ranks alone, such as those printed in a paper.

    The ties are unknown without the ranks themselves, so the formula for untied ranks is used.

    Parameters
    ----------
    average_ranks : array_like, shape (n_algorithms,)
        Average ranks, which may be rounded; their mean must be near (k + 1)/2.
    n_datasets : int
        Number of data sets over which the ranks were averaged.

    Returns
    -------
    OmnibusTest
        See :func:`friedman`; p is at least the probability of perfect agreement without ties.

    Raises
    ------
    ValueError
        If the numbers cannot be average ranks, or there are fewer than 2 data sets.

    Examples
    --------
    García and Herrera (2008), 30 data sets; they print 39.647:

    >>> result = friedman_from_averages([2.1, 3.25, 2.2, 4.3333, 3.1167], 30)
    >>> round(result.statistic, 2)
    39.65
    """
    averages, n = check_average_ranks(average_ranks, n_datasets)
    k = len(averages)
    test = _chi_squared(_statistic_from_averages(averages, n), k)
    return _at_least(test, _log_perfect_untied(n, k))


def iman_davenport_from_averages(average_ranks: npt.ArrayLike, n_datasets: int) -> OmnibusTest:
    """Perform Iman and Davenport's test on average ranks alone, such as those printed in a paper.

    The ties are unknown without the ranks themselves, so the formula for untied ranks is used.

    Parameters
    ----------
    average_ranks, n_datasets
        See :func:`friedman_from_averages`.

    Returns
    -------
    OmnibusTest
        See :func:`iman_davenport`. If the average ranks are those of perfect agreement, the
        statistic is infinite, and p is ``(1/k!)^(n-1)``; no other p is smaller.

    Raises
    ------
    ValueError
        If the numbers cannot be average ranks, or there are fewer than 2 data sets.

    Examples
    --------
    >>> result = iman_davenport_from_averages([2.1, 3.25, 2.2, 4.3333, 3.1167], 30)
    >>> round(result.statistic, 2), result.df
    (14.31, (4, 116))
    """
    averages, n = check_average_ranks(average_ranks, n_datasets)
    k = len(averages)
    chi2, highest = _statistic_from_averages(averages, n), n * (k - 1)
    if chi2 >= highest * (1 - 1e-12):
        return _perfect_agreement_untied(n, k)
    test = _f_test((n - 1) * chi2 / (highest - chi2), n, k)
    return _at_least(test, _log_perfect_untied(n, k))


def kendalls_w(ranks: npt.ArrayLike) -> float:
    r"""Compute Kendall's coefficient of concordance, the effect size of Friedman's test.

    :math:`W = \chi^2_F / (n(k-1))`, with Friedman's statistic corrected for ties, is the share of
    the variance of the ranks that the algorithms explain: 1 if all data sets rank them in the same
    way, and 0 if all average ranks are equal (Kendall and Babington Smith 1939).

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        Mid-ranks within each data set (see :func:`nbcompare.stats.rankings.midranks`). Aligned
        ranks and Quade's scores have no such coefficient: where all data sets agree on the order,
        the same ratio would depend on how large the differences in each of them are.

    Returns
    -------
    float
        From 0 to 1; 0 if all data are tied.

    Raises
    ------
    ValueError
        See :func:`friedman`.

    Examples
    --------
    >>> round(kendalls_w([[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 3, 4]]), 4)
    0.9111

    Ties do not lower the agreement:

    >>> kendalls_w([[1.5, 1.5, 3], [1.5, 1.5, 3]])
    1.0
    """
    return _kendalls_w(_checked_sums(ranks))


def _kendalls_w(sums: _Sums) -> float:
    return min(sums.between / (len(sums.ranks) * sums.within), 1.0) if sums.between else 0.0


def kendalls_w_from_averages(average_ranks: npt.ArrayLike) -> float:
    """Compute Kendall's coefficient of concordance from average ranks alone.

    The number of data sets is not needed. Ties are unknown, and lower the coefficient.

    Parameters
    ----------
    average_ranks : array_like, shape (n_algorithms,)
        See :func:`friedman_from_averages`.

    Returns
    -------
    float
        From 0 to 1; see :func:`kendalls_w`.

    Raises
    ------
    ValueError
        If the numbers cannot be average ranks.

    Examples
    --------
    >>> round(kendalls_w_from_averages([2.1, 3.25, 2.2, 4.3333, 3.1167]), 4)
    0.3304
    """
    averages, n = check_average_ranks(average_ranks, 2)
    return _statistic_from_averages(averages, n) / (n * (len(averages) - 1))


def aligned(ranks: npt.ArrayLike, *, formulas: str = "corrected") -> OmnibusTest:
    r"""Perform Friedman's test on aligned ranks (Hodges and Lehmann 1962).

    With the rank sums :math:`\hat R_{\cdot j}` of algorithms and
    :math:`\hat R_{i \cdot}` of data sets, the statistic is
    :math:`T = \frac{(k-1) [\sum_j \hat R_{\cdot j}^2 - \frac{kn^2}{4} (kn+1)^2]}
    {\sum_{i,j} \hat r_{ij}^2 - \frac{1}{k} \sum_i \hat R_{i \cdot}^2}`.

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        Aligned ranks, 1 to nk (see :func:`nbcompare.stats.rankings.aligned_ranking`).
    formulas : {"corrected", "printed"}
        ``corrected`` is the formula above; ``printed`` replaces the sum of squares of the
        ranks by that of untied ranks, :math:`kn(kn+1)(2kn+1)/6`.

    Returns
    -------
    OmnibusTest
        Chi-squared test with k - 1 degrees of freedom; statistic 0 and p 1 if all data are tied.
        By the corrected formula, p is at least the exact probability that the aligned ranks of
        all data sets are in the same order.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, or numbers are not aligned ranks.

    Examples
    --------
    The rank sums are 3 and 7 for algorithms, 5 and 5 for data sets:
    (9 + 49 - 50) / (30 - 50/2) = 1.6.

    >>> result = aligned([[2, 3], [1, 4]])
    >>> round(result.statistic, 12), result.df
    (1.6, (1,))
    """
    array = _check_aligned(ranks)
    check_choice(formulas, "formulas", FORMULAS)
    between, within = sums_of_squares(array)
    count, k = array.size, array.shape[1]
    if formulas == "printed":
        untied = count * (count + 1) * (2 * count + 1) / 6
        within += untied - float(np.square(array).sum())
    test = _chi_squared((k - 1) * between / within if between else 0.0, k)
    return test if formulas == "printed" else _floored(test, array, within, k * count**2 / 4)


def quade(scores: npt.ArrayLike, *, formulas: str = "corrected") -> OmnibusTest:
    r"""Perform Quade's test, which gives data sets with a large range more weight (Quade 1979).

    With :math:`A_2 = \sum_{i,j} S_{ij}^2` and :math:`B = \frac{1}{n} \sum_j S_j^2`,
    :math:`F = (n-1) B / (A_2 - B)` (Conover 1999, section 5.8).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        :math:`S_{ij} = Q_i (r_{ij} - (k+1)/2)` (see
        :func:`nbcompare.stats.rankings.quade_ranking`).
    formulas : {"corrected", "printed"}
        ``corrected`` is the formula above; ``printed`` uses the closed form
        :math:`A_2 = n(n+1)(2n+1)k(k+1)(k-1)/72`, which is valid without ties only.

    Returns
    -------
    OmnibusTest
        F test with k - 1 and (k - 1)(n - 1) degrees of freedom. If all data sets rank the
        algorithms in the same way and all ranges are tied, the statistic is infinite, and p is
        the exact probability of this under independent random orders, ``(1/k!)^(n-1)`` without
        ties in the data sets. By the corrected formula, p is at least the probability that all
        data sets rank the algorithms in the same way. If all data are tied, the statistic is 0
        and p is 1.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, or a row does not sum to 0.

    Examples
    --------
    A2 = 0.5 + 2, B = 0.25: F = 0.25 / 2.25.

    >>> result = quade([[0.5, -0.5], [-1, 1]])
    >>> round(result.statistic, 4), result.df
    (0.1111, (1, 1))
    """
    array = check_table(scores, "scores")
    check_choice(formulas, "formulas", FORMULAS)
    wrong = np.flatnonzero(array.sum(axis=1) != 0)
    if wrong.size:
        raise ValueError(
            f"`scores` must hold Quade's weighted ranks, which sum to 0 in each row; "
            f"row {wrong[0]} holds {array[wrong[0]].tolist()}. Rank with quade_ranking() first."
        )
    n, k = array.shape
    alike = bool((array[1] == array[0]).all() and (array == array[0]).all())
    between, within = sums_of_squares(array)
    if formulas == "corrected" and alike and array[0].any():
        return _floored(_f_test(math.inf, n, k), array, within, n**2 * _untied(k))
    if formulas == "printed":
        within = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    test = _f_test((n - 1) * between / (n * within - between) if between else 0.0, n, k)
    return test if formulas == "printed" else _floored(test, array, within, n**2 * _untied(k))


# The test of any difference that goes with each ranking
OF_RANKING: Mapping[str, Callable[..., OmnibusTest]] = MappingProxyType(
    {"friedman": friedman, "aligned": aligned, "quade": quade}
)


def check_average_ranks(average_ranks: npt.ArrayLike, n_datasets: int) -> tuple[FloatArray, int]:
    """Check that average ranks are possible: from 1 to k, with a mean of (k + 1)/2."""
    averages = check_finite(average_ranks, "average_ranks", ndim=1)
    n = check_count(n_datasets, "n_datasets", least=2)
    k = len(averages)
    if k < 2:
        raise ValueError(f"`average_ranks` must hold at least 2 algorithms; got {k}.")
    if averages.min() < 1 or averages.max() > k:
        raise ValueError(
            f"`average_ranks` of {k} algorithms must lie from 1 to {k}; "
            f"got {averages.min():g} to {averages.max():g}."
        )
    if abs(averages.mean() - (k + 1) / 2) > 0.01:  # rounding to two digits may cause this
        raise ValueError(
            f"`average_ranks` of {k} algorithms must average {(k + 1) / 2:g}; "
            f"these average {averages.mean():.4g}. Is an algorithm missing or a rank mistyped?"
        )
    # On each data set the ranks of the best j algorithms sum to at least 1 + 2 + ... + j.
    counts = np.arange(1, k + 1)
    lowest = counts * (counts + 1) / 2
    too_low = np.flatnonzero(np.cumsum(np.sort(averages)) < lowest - 0.01 * counts)
    if too_low.size:
        count = int(too_low[0]) + 1
        raise ValueError(
            f"`average_ranks` are impossible: those of the best {count} algorithms must sum to at "
            f"least {lowest[count - 1]:g}; got {np.sort(averages)[:count].sum():g}."
        )
    return averages, n


def check_table(values: npt.ArrayLike, argument: str) -> FloatArray:
    """Check a table of finite numbers with at least 2 data sets and 2 algorithms."""
    array = check_finite(values, argument, ndim=2)
    n, k = array.shape
    if n < 2 or k < 2:
        raise ValueError(
            f"`{argument}` must hold at least 2 data sets (rows) and 2 algorithms (columns); "
            f"got shape {array.shape}."
        )
    return array


def _check_aligned(ranks: npt.ArrayLike) -> FloatArray:
    array = check_table(ranks, "ranks")
    count = array.size
    if array.min() < 1 or array.max() > count or array.sum() != count * (count + 1) / 2:
        raise ValueError(
            f"`ranks` must hold mid-ranks 1 to {count} of all scores together; these run from "
            f"{array.min():g} to {array.max():g} and sum to {array.sum():g}. "
            "Rank with aligned_ranking() first."
        )
    return array


def _check_ranks(ranks: npt.ArrayLike) -> FloatArray:
    array = check_table(ranks, "ranks")
    k = array.shape[1]
    bad = row_sums(array) != k * (k + 1) / 2
    if array.min() < 1 or array.max() > k:
        bad |= (array < 1).any(axis=1) | (array > k).any(axis=1)
    if bad.any():
        wrong = np.flatnonzero(bad)
        raise ValueError(
            f"`ranks` must hold mid-ranks 1 to {k} in each row; "
            f"row {wrong[0]} holds {array[wrong[0]].tolist()}. Rank scores with midranks() first."
        )
    return array


def _checked_sums(ranks: npt.ArrayLike) -> _Sums:
    array = _check_ranks(ranks)
    return _Sums(array, *sums_of_squares(array))


def _untied(k: int) -> float:
    """Return the sum of squares of ranks 1 to k around their mean, the most that mid-ranks have."""
    return k * (k + 1) * (k - 1) / 12


def _statistic_from_averages(averages: FloatArray, n: int) -> float:
    k = len(averages)
    # Rounded averages need not sum to exactly k(k + 1)/2, so their own mean is subtracted.
    # Rounding must not raise the statistic above that of perfect agreement.
    squares = float(np.square(averages - averages.mean()).sum())
    return min(12 * n * squares / (k * (k + 1)), float(n * (k - 1)))


def _chi_squared(statistic: float, k: int) -> OmnibusTest:
    return _test(statistic, (k - 1,), laws.chi2_logsf(statistic, k - 1))


def _f_test(statistic: float, n: int, k: int) -> OmnibusTest:
    df = (k - 1, (k - 1) * (n - 1))
    log_p = laws.f_logsf(statistic, *df)
    return _test(statistic, df, log_p)


def _perfect_agreement_untied(n: int, k: int) -> OmnibusTest:
    return _at_least(_f_test(math.inf, n, k), _log_perfect_untied(n, k))


def _log_perfect_untied(n: int, k: int) -> float:
    return -(n - 1) * float(scipy.special.gammaln(k + 1))


def _floored(test: OmnibusTest, scores: FloatArray, within: float, largest: float) -> OmnibusTest:
    """Raise p to the probability of perfect agreement, if it is smaller.

    ``within`` is the sum of squares of all rows, and ``largest`` the most that one row may have.
    """
    k = scores.shape[1]
    # So many rows are not tied throughout, at least, and each of these has k orders or more. This
    # bound settles all but nearly perfect agreement, without another look at the table.
    n_untied = math.ceil(within / largest * (1 - 1e-12))
    if test.log10_pvalue * _LN10 >= float(scipy.special.gammaln(k + 1)) - n_untied * math.log(k):
        return test
    return _at_least(test, _log_perfect(scores))


def _at_least(test: OmnibusTest, log_p: float) -> OmnibusTest:
    if test.log10_pvalue * _LN10 >= log_p:
        return test
    return _test(test.statistic, test.df, log_p)


def _log_perfect(scores: FloatArray) -> float:
    """Return the log of the probability that all rows, in random orders, are in the same order.

    Of all orders of row i, a_i are distinct. All rows agree if they are sorted and their columns
    are then exchanged together, which gives k! / prod_c m_c! tables, where m_c columns are equal.
    """
    ordered = np.sort(scores, axis=1)
    equal = ordered[:, 1:] == ordered[:, :-1]
    n, k = scores.shape
    logs = np.log(np.arange(1, k + 1))
    log_ties = _n_th_equals(equal) @ logs
    log_equal_columns = _n_th_equals(equal.all(axis=0, keepdims=True)) @ logs
    return float((log_ties - log_equal_columns) - (n - 1) * scipy.special.gammaln(k + 1))


def _n_th_equals(equal: BoolArray) -> IntArray:
    """Count the values that are the first, second, ... of their equals in sorted rows with ties."""
    k = equal.shape[1] + 1
    equal = equal[equal.any(axis=1)]  # rows without ties add only values that are the first
    place = np.zeros(len(equal), dtype=np.int64)
    counts = np.bincount(place, minlength=k)
    for with_left in equal.T:
        place = (place + 1) * with_left
        counts += np.bincount(place, minlength=k)
    return counts


def _test(statistic: float, df: tuple[float, ...], log_p: float) -> OmnibusTest:
    p, log10_p = laws.from_log(np.asarray(log_p))
    return OmnibusTest(float(statistic), df, float(p), float(log10_p))
