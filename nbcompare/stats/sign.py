"""Sign test of the numbers of data sets on which each of two algorithms is better."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import tails
from nbcompare.stats._laws import ALTERNATIVES


class SignTest(NamedTuple):
    """Result of the sign test, with one entry per pair.

    ``statistic`` is the number of wins minus losses, positive where the first is better.
    ``n_used`` is the number of data sets used.
    """

    statistic: IntArray
    n_used: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray


def sign_test(
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
) -> SignTest:
    """Perform the exact sign test of each pair from its wins, ties and losses.

    Ties are split evenly between wins and losses, and one is dropped if their number is odd
    (Demšar 2006, p. 8). Under the null hypothesis, the remaining wins are binomial with probability
    1/2. The critical values in his Table 4 are based on a normal approximation: for 11 wins of 14
    it rejects at 0.05, although the exact p is 0.057.

    Parameters
    ----------
    wins, ties, losses : array_like of int, shape (n_pairs,)
        Counts for the first algorithm of each pair; see
        :func:`~nbcompare.stats.pairwise.win_tie_loss`.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.

    Returns
    -------
    SignTest
        Arrays of shape (n_pairs,). If no data set is left, p is 1.

    Raises
    ------
    ValueError
        If counts are not non-negative integers, or the alternative is unknown.

    Examples
    --------
    >>> test = sign_test([11, 2], [0, 2], [3, 10])
    >>> test.statistic, test.n_used, test.pvalue.round(3)
    (array([ 8, -8]), array([14, 14]), array([0.057, 0.057]))
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    won, tied, lost = (
        check_counts(value, name)
        for value, name in ((wins, "wins"), (ties, "ties"), (losses, "losses"))
    )
    if not won.shape == tied.shape == lost.shape:
        raise ValueError(
            f"`wins`, `ties` and `losses` must have the same shape; "
            f"got {won.shape}, {tied.shape} and {lost.shape}."
        )
    half = tied // 2
    won, lost = won + half, lost + half
    used = won + lost
    at = {"two-sided": np.minimum(won, lost), "better": lost, "worse": won}[alternative]
    logs = binomial_logcdf(at, used)
    if alternative == "two-sided":
        logs = np.where(2 * at >= used, 0.0, math.log(2.0) + logs)
    return SignTest(won - lost, used, *tails.from_log(logs))


def binomial_logcdf(at: IntArray, n: IntArray) -> FloatArray:
    """Return log P(X <= at) for binomial X with ``n`` trials and probability 1/2."""
    places, inverse = np.unique(np.stack([at, n]), axis=1, return_inverse=True)
    logs = np.array([_logcdf(*pair) for pair in places.T.tolist()])
    return logs[inverse.reshape(-1)].reshape(np.shape(at))


def _logcdf(at: int, n: int) -> float:
    if at >= n:
        return 0.0
    if 2 * at > n:  # near 1, the complement is more accurate
        return math.log1p(-math.exp(_logcdf(n - at - 1, n)))
    # the same incomplete beta function as for the F distribution
    return tails.f_logsf((n - at) / (at + 1), 2 * (at + 1), 2 * (n - at))


def check_counts(value: npt.ArrayLike, argument: str) -> IntArray:
    """Return a vector of whole numbers from 0."""
    array = check_finite(value, argument, ndim=1)
    if (array < 0).any() or (array % 1 != 0).any():
        raise ValueError(f"`{argument}` must hold whole numbers from 0; got {array.tolist()}.")
    return array.astype(np.int64)
