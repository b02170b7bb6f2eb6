"""The rank test for tables with gaps: Skillings and Mack's form of Friedman's test."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csgraph

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_real
from nbcompare.stats import tails
from nbcompare.stats.ranking import check_scale, midranks


class SkillingsMack(NamedTuple):
    """The test, and what comparisons of pairs are made from.

    ``z = (rank_sums[u] - rank_sums[v]) / sqrt(c[u, u] + c[v, v] - 2 c[u, v])`` with c the
    covariance; lower rank sums are better.
    """

    statistic: float
    df: tuple[float, ...]
    pvalue: float
    log10_pvalue: float
    rank_sums: FloatArray
    covariance: FloatArray


def skillings_mack(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> SkillingsMack:
    r"""Skillings and Mack's test, Friedman's for tables with missing scores.

    In each data set the observed scores are ranked, ties sharing the mean of their
    ranks. A data set with :math:`k_i \ge 2` of them adds
    :math:`\sqrt{12/(k_i+1)} (r_{ij} - (k_i+1)/2)` to the rank sum of each algorithm, and
    the covariance of that under all orders of its ranks, ties included (Skillings and
    Mack 1981). What is missing must not depend on how good it would have been.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Smaller is better; NaN where missing.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were.

    Returns
    -------
    SkillingsMack
        Chi-squared with as many degrees of freedom as the covariance has ranks: k - 1
        if the data sets link all algorithms. Without gaps it is Friedman's test
        corrected for ties. Statistic 0, p 1 if all data are tied.

    Raises
    ------
    ValueError
        For fewer than 2 data sets with 2 scores, or an algorithm in none of these.

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
    rank_sums, covariance = np.zeros(k), np.zeros((k, k))
    for row in used:
        here = np.flatnonzero(observed[row])
        count = len(here)
        ranks = midranks(array[row, here], scale=None if scales is None else scales[row, here])
        deviations = ranks - (count + 1) / 2
        weight = 12 / (count + 1)
        rank_sums[here] += np.sqrt(weight) * deviations
        variance = weight * float(np.square(deviations).sum()) / (count - 1)
        covariance[np.ix_(here, here)] += variance * (np.eye(count) - 1 / count)
    # A sum of I - J/k_i: its null space has one dimension per set of linked algorithms.
    n_sets, _ = csgraph.connected_components(covariance != 0, directed=False)
    df = k - int(n_sets)
    if df == 0:
        return SkillingsMack(0.0, (k - 1,), 1.0, 0.0, rank_sums, covariance)
    values, vectors = np.linalg.eigh(covariance)
    projected = rank_sums @ vectors[:, -df:]
    statistic = float((np.square(projected) / values[-df:]).sum())
    p, log10_p = tails.from_log(np.asarray(tails.chi2_logsf(statistic, df)))
    return SkillingsMack(statistic, (df,), float(p), float(log10_p), rank_sums, covariance)
