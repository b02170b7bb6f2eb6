"""Three ways to rank a table: within data sets, aligned over all of them, weighted by range."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats.ranking import has_ties, midranks, with_sizes

RANKINGS = ("friedman", "aligned", "quade")
# Sums and differences of larger scores might overflow.
_LARGEST = 1e290


class Ranking(NamedTuple):
    """Scores by rank, one per cell, and the average ranks that follow from them.

    Attributes
    ----------
    scores : ndarray of float, shape (n_datasets, n_algorithms)
        What the tests add up by column. Multiples of a quarter: their sums are exact.
    average_ranks : ndarray of float, shape (n_algorithms,)
        The lower, the better.
    unit : float
        A difference of two column sums divided by this is one of average ranks.
    tied : bool
        Whether any ranks are shared.
    """

    scores: FloatArray
    average_ranks: FloatArray
    unit: float
    tied: bool


def rank(
    scores: npt.ArrayLike, ranking: str = "friedman", *, scale: npt.ArrayLike | None = None
) -> Ranking:
    """Rank a table of scores by one of the three rankings.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Smaller is better.
    ranking : {"friedman", "aligned", "quade"}
        See :func:`friedman_ranking`, :func:`aligned_ranking`, :func:`quade_ranking`.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        For an unknown ranking, or scores that are not a table of finite numbers.
    """
    functions = {
        "friedman": friedman_ranking,
        "aligned": aligned_ranking,
        "quade": quade_ranking,
    }
    return functions[check_choice(ranking, "ranking", RANKINGS)](scores, scale=scale)


def friedman_ranking(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:
    """Rank within each data set; the average rank is the mean over data sets.

    Parameters
    ----------
    scores, scale
        As in :func:`rank`.

    Examples
    --------
    >>> friedman_ranking([[0.1, 0.2, 0.2], [0.3, 0.2, 0.1]]).average_ranks
    array([2.  , 2.25, 1.75])
    """
    ranks = midranks(check_finite(scores, "scores", ndim=2), scale=scale)
    return Ranking(ranks, ranks.mean(axis=0), float(len(ranks)), has_ties(ranks))


def aligned_ranking(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:
    """Take each data set's mean from its scores, then rank all of them together.

    Aligned ranks (Hodges and Lehmann 1962) run from 1 to nk and keep how far apart
    scores are across data sets, which ranks within each data set forget. Residuals
    whose gap is rounding noise of the scores they come from are tied.

    Parameters
    ----------
    scores, scale
        As in :func:`rank`.

    Examples
    --------
    Residuals -0.1, 0.1 and -0.3, 0.3; in all the ranks are 2, 3, 1, 4:

    >>> aligned_ranking([[0.4, 0.6], [0.1, 0.7]]).scores
    array([[2., 3.],
           [1., 4.]])
    """
    array, sizes = _computable(scores, scale)
    k = array.shape[1]
    # k times the residuals: free of the division, and exact where the scores are whole
    residuals = k * array - array.sum(axis=1, keepdims=True)
    scales = np.broadcast_to(k * sizes.max(axis=1, keepdims=True), array.shape)
    flat = midranks(residuals.reshape(-1), scale=scales.reshape(-1))
    ranks = flat.reshape(array.shape)
    return Ranking(ranks, ranks.mean(axis=0), float(len(ranks)), has_ties(flat))


def quade_ranking(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:
    r"""Rank within each data set, and weight data sets by the rank of their range.

    A data set with a large range between its best and worst score counts for more
    (Quade 1979). The scores are :math:`S_{ij} = Q_i (r_{ij} - (k+1)/2)`, the average
    ranks :math:`T_j = \sum_i Q_i r_{ij} / (n(n+1)/2)`, from 1 to k.

    Parameters
    ----------
    scores, scale
        As in :func:`rank`.

    Examples
    --------
    Ranges 0.2 and 0.6, so the second data set counts twice:

    >>> result = quade_ranking([[0.6, 0.4], [0.1, 0.7]])
    >>> result.scores
    array([[ 0.5, -0.5],
           [-1. ,  1. ]])
    >>> result.average_ranks.round(3)
    array([1.333, 1.667])
    """
    raw = check_finite(scores, "scores", ndim=2)
    ranks = midranks(raw, scale=scale)
    array, sizes = _computable(raw, scale)
    ranges, scales = np.ptp(array, axis=1), sizes.max(axis=1)
    # A tie of large scores is no reason to join its range of nothing with small ranges.
    nothing = (ranks == ranks[:, :1]).all(axis=1)
    ranges[nothing] = 0.0
    scales[nothing] = 0.0
    weights = midranks(ranges, scale=scales)
    n, k = ranks.shape
    weighted = weights[:, np.newaxis] * (ranks - (k + 1) / 2)
    unit = n * (n + 1) / 2
    averages = weighted.sum(axis=0) / unit + (k + 1) / 2
    return Ranking(weighted, averages, unit, has_ties(ranks) or has_ties(weights))


def sums_of_squares(scores: FloatArray) -> tuple[float, float]:
    """Of the column sums around their mean, and of the scores around their row means.

    For scores by rank only multiples of 1/16 are added, so the order of rows and
    columns leaves no trace in the result.
    """
    deviations = scores - scores.mean()
    columns, rows = deviations.sum(axis=0), deviations.sum(axis=1)
    within = float(np.square(deviations).sum()) - float(np.square(rows).sum()) / scores.shape[1]
    return float(np.square(columns).sum()), max(within, 0.0)


def _computable(
    scores: npt.ArrayLike, scale: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Scores and magnitudes as :func:`with_sizes`, small enough that no sum overflows."""
    array, sizes = with_sizes(check_finite(scores, "scores", ndim=2), scale)
    if array.size and sizes.max() > _LARGEST:
        array, sizes = array * 2.0**-64, sizes * 2.0**-64
    return array, sizes
