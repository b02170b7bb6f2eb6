"""Rank test for tables with missing scores: Skillings and Mack's form of Friedman's test."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_real
from nbcompare.stats import laws
from nbcompare.stats.posthoc import PairTests
from nbcompare.stats.rankings import check_scale, midranks


class SkillingsMack(NamedTuple):
    """Result of the test, with the statistics that :func:`pair_tests` needs.

    ``log_least`` is the natural logarithm of the probability of the observed orders or their
    reverse, than which no p is smaller.
    """

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
    rank_sums: FloatArray
    covariance: FloatArray
    log_least: float
    tied: bool = False


def skillings_mack(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> SkillingsMack:
    r"""Perform Skillings and Mack's test, which is Friedman's for tables with missing scores.

    In each data set the observed scores are ranked, with mid-ranks for ties. A data set with
    :math:`k_i \ge 2` scores adds :math:`\sqrt{12/(k_i+1)} (r_{ij} - (k_i+1)/2)` to the rank sum of
    each algorithm, and adds the covariance of these terms under all orders of its ranks, ties
    included (Skillings and Mack 1981). Whether a score is missing must not depend on how good it
    would have been.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better; NaN where missing.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    SkillingsMack
        Chi-squared test whose degrees of freedom are the rank of the covariance: k - 1 if the
        data sets link all algorithms. Without missing scores the statistic is that of Friedman's
        test corrected for ties. If all data are tied, the statistic is 0 and p is 1. No p is
        smaller than the exact probability of the observed orders or their reverse, which have the
        same statistic.

    Raises
    ------
    ValueError
        If fewer than 2 data sets have 2 scores, or an algorithm is in none of these.

    Examples
    --------
    >>> result = skillings_mack([[1, 2, 3], [1, np.nan, 2], [1, 3, 2], [np.nan, 1, 2]])
    >>> round(result.statistic, 4), result.df
    (4.2499, (2,))
    """
    array = check_real(scores, "scores")
    if array.ndim != 2:
        raise ValueError(f"`scores` must have 2 dimensions; got an array of shape {array.shape}.")
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise ValueError(
            f"`scores` must hold finite numbers, or NaN where missing; "
            f"got {float(array[where])!r} at index {where}."
        )
    observed = ~np.isnan(array)
    used = np.flatnonzero(observed.sum(axis=1) >= 2)
    if len(used) < 2:
        raise ValueError(
            f"`scores` must hold at least 2 data sets (rows) with 2 scores or more; "
            f"got {len(used)}."
        )
    absent = np.flatnonzero(~observed[used].any(axis=0))
    if absent.size:
        raise ValueError(
            f"`scores` must hold every algorithm (column) beside another one at least once; "
            f"column {absent[0]} never is."
        )
    scales = None if scale is None else check_scale(scale, array.shape)
    k = array.shape[1]
    rank_sums, covariance, log_orders, any_tied = np.zeros(k), np.zeros((k, k)), 0.0, False
    for row in used:
        here = np.flatnonzero(observed[row])
        count = len(here)
        ranks = midranks(array[row, here], scale=None if scales is None else scales[row, here])
        deviations = ranks - (count + 1) / 2
        weight = 12 / (count + 1)
        rank_sums[here] += np.sqrt(weight) * deviations
        variance = weight * float(np.square(deviations).sum()) / (count - 1)
        covariance[np.ix_(here, here)] += variance * (np.eye(count) - 1 / count)
        tied = np.unique(ranks, return_counts=True)[1]
        any_tied |= bool((tied > 1).any())
        log_orders += float(
            scipy.special.gammaln(count + 1) - scipy.special.gammaln(tied + 1).sum()
        )
    # The null space of a sum of I - J/k_i has one dimension per set of linked algorithms.
    n_sets, _ = _linked(covariance != 0)
    df = k - n_sets
    if df == 0:
        return SkillingsMack(0.0, (k - 1,), 1.0, 0.0, rank_sums, covariance, 0.0, any_tied)
    values, vectors = np.linalg.eigh(covariance)
    projected = rank_sums @ vectors[:, -df:]
    statistic = float((np.square(projected) / values[-df:]).sum())
    least = math.log(2.0) - log_orders
    p, log10_p = laws.from_log(np.asarray(max(laws.chi2_logsf(statistic, df), least)))
    return SkillingsMack(
        statistic, (df,), float(p), float(log10_p), rank_sums, covariance, least, any_tied
    )


def pair_tests(result: SkillingsMack, first: IntArray, second: IntArray) -> PairTests:
    r"""Test pairs of algorithms in a table with missing scores by normal statistics.

    Rank sums of algorithms that were observed on different data sets may differ even if these
    algorithms perform equally, if they differ from the others. The effects
    :math:`\theta = \Sigma^+ A` take into account which algorithms share data sets, like the
    intra-block estimates of an incomplete design:

    .. math:: z = (\theta_v - \theta_u) / \sqrt{\Sigma^+_{uu} + \Sigma^+_{vv} - 2 \Sigma^+_{uv}}

    Parameters
    ----------
    result : SkillingsMack
        Result of :func:`skillings_mack` for the table.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.

    Returns
    -------
    PairTests
        Statistics that are positive where the first is better, and p-values, none of which
        is smaller than that of the observed orders or their reverse. Without missing scores
        the statistics are those after Friedman's test, corrected for ties. If two
        algorithms are linked only by data sets on which all scores are tied, there is no
        evidence of a difference, and z is 0.

    Notes
    -----
    Suppose that of 5 algorithms on 40 data sets two perform equally and are better than the others
    by twice the standard deviation, and that one of the two is missing on half of the data sets.
    At a nominal 0.05, the difference of rank sums divided by its standard error finds a difference
    between the two with probability 0.75, this test with 0.003 (measured); if all perform equally,
    the probabilities are 0.041 and 0.046.

    Examples
    --------
    >>> table = skillings_mack([[1, 2, 3], [1, np.nan, 2], [1, 3, 2], [np.nan, 1, 2]])
    >>> pair_tests(table, np.array([0, 0, 1]), np.array([1, 2, 2])).statistic.round(3)
    array([1.389, 2.035, 0.514])
    """
    effects, inverse, parts = _effects(result)
    variance = inverse[first, first] + inverse[second, second] - 2 * inverse[first, second]
    linked = parts[first] == parts[second]
    statistic = np.zeros(len(first))
    np.divide(effects[second] - effects[first], np.sqrt(variance), out=statistic, where=linked)
    log_p = np.maximum(laws.normal_two_sided_logp(statistic), result.log_least)
    return PairTests(statistic, *laws.from_log(log_p))


def average_ranks(scores: npt.ArrayLike, result: SkillingsMack) -> FloatArray:
    """Compute average ranks adjusted for the algorithms with which each one shares data sets.

    These are the effects of :func:`pair_tests` on the scale of average ranks, around (k + 1)/2.
    Without missing scores they are Friedman's average ranks.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Table of scores, NaN where missing.
    result : SkillingsMack
        Result of :func:`skillings_mack` for that table.

    Returns
    -------
    ndarray of float, shape (n_algorithms,)
        Adjusted average ranks, of which the smallest is the best.

    Examples
    --------
    >>> scores = [[1, 2, 3], [1, np.nan, 2], [1, 3, 2], [np.nan, 1, 2]]
    >>> average_ranks(scores, skillings_mack(scores)).round(3)
    array([1.109, 2.252, 2.638])
    """
    counts = _observed(scores).sum(axis=1)
    k = len(result.rank_sums)
    effects, _, _ = _effects(result)
    comparisons = float(np.maximum(counts - 1, 0).sum())
    unit = float(np.trace(result.covariance)) / (np.sqrt(12 / (k + 1)) * comparisons)
    averages: FloatArray = (k + 1) / 2 + effects * unit
    return averages


def unlinked(scores: npt.ArrayLike) -> tuple[int, int] | None:
    """Find two algorithms that no chain of shared data sets links.

    Two algorithms share a data set if both have a score there. Unlinked ones cannot be compared.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Table of scores, NaN where missing.

    Returns
    -------
    tuple of int, or None
        Indices of two such algorithms, of which the first is 0; None if all are linked.

    Examples
    --------
    >>> unlinked([[1, 2, np.nan, np.nan], [np.nan, np.nan, 1, 2]])
    (0, 2)
    """
    observed = _observed(scores).astype(np.float64)  # products of integers are slow
    _, parts = _linked(observed.T @ observed > 0)
    others = np.flatnonzero(parts != parts[0])
    return (0, int(others[0])) if len(others) else None


def _observed(scores: npt.ArrayLike) -> BoolArray:
    return np.asarray(~np.isnan(np.asarray(scores, dtype=np.float64)), dtype=np.bool_)


def _linked(beside: BoolArray) -> tuple[int, IntArray]:
    """Return the number of sets of linked algorithms, and the set of each algorithm."""
    from scipy.sparse import csgraph  # imported here, because it takes longer than a comparison

    n_sets, labels = csgraph.connected_components(beside, directed=False)
    return int(n_sets), labels.astype(np.int64)


def _effects(result: SkillingsMack) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return effects of the algorithms, their covariance, and labels of linked ones."""
    covariance = result.covariance
    n_parts, parts = _linked(covariance != 0)
    values, vectors = np.linalg.eigh(covariance)
    kept = vectors[:, n_parts:]
    inverse: FloatArray = (kept / values[n_parts:]) @ kept.T
    return inverse @ result.rank_sums, inverse, parts
