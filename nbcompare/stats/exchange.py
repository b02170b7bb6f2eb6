"""The conditional exchange test of whether swapping two algorithms changes nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_real
from nbcompare.stats import _laws
from nbcompare.stats.pairwise import pair_blocks
from nbcompare.stats.signed_rank import is_exact, is_sure, normal_tails, tied_tails

_PARTS = 4  # rank scores are multiples of 1 over this, by any ranking
# Pairs are processed in blocks of about this many differences
_BLOCK_ELEMENTS = 40_000


class Exchanges(NamedTuple):
    """Result of the exchange test, with one entry per pair of algorithms.

    ``statistic`` is the difference of the rank sums on the data sets with a rank of both, positive
    where the first is better. ``n_used`` is the number of data sets on which the two differ, and
    ``exact`` says whether p is exact and not a normal approximation.
    """

    statistic: FloatArray
    n_used: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    exact: BoolArray


def exchange_tests(
    ranks: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
    levels: tuple[float, float] | None = None,
) -> Exchanges:
    r"""Test for each pair of algorithms whether the two can be exchanged, given the others.

    On each data set the ranks of all algorithms are known but for who of the two has which: a swap
    of their scores exchanges their ranks and leaves the others. If swapping the two changes
    nothing in the joint law of all scores, each difference :math:`d_i` of their ranks has either
    sign with probability 1/2, and p is the share of the :math:`2^m` choices of signs of the m
    nonzero ones with a sum as far from 0. The other algorithms are weights only: they change the
    power of the test of a pair, and never its level. It needs no common scale. Of two algorithms
    alone it is the sign test.

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        Ranks, lower is better, by any ranking (see :func:`nbcompare.stats.rankings.rank`): within
        data sets, aligned, or Quade's; multiples of 1/4. NaN where an algorithm has no score: a
        pair is compared on the data sets with a rank of both.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    method : {"auto", "exact", "normal"}
        ``auto`` is exact up to 300 nonzero differences, ``exact`` is possible up to 1,000.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is twice the
        smaller tail, at most 1.
    levels : tuple of 2 float, optional
        As for :func:`nbcompare.stats.signed_rank.signed_ranks`.

    Returns
    -------
    Exchanges
        Arrays of shape (n_pairs,). If a pair ties on all data sets, p is 1.

    Raises
    ------
    ValueError
        If an option is unknown, a rank is infinite or no multiple of 1/4, or an exact p is asked
        for with more than 1,000 differences.

    References
    ----------
    Pesarin, F. and Salmaso, L. (2010). Permutation Tests for Complex Data. Wiley.

    Examples
    --------
    Of four data sets, the first algorithm is two ranks ahead on three, and one behind on the last.
    A sum of 5 or more has 2 of the 16 choices of signs:

    >>> ranks = np.array([[1, 3, 2], [1, 3, 2], [1, 3, 2], [2, 1, 3]])
    >>> test = exchange_tests(ranks, np.array([0]), np.array([1]))
    >>> test.statistic.item(), test.pvalue.item()
    (5.0, 0.25)
    """
    check_choice(method, "method", _laws.METHODS)
    check_choice(alternative, "alternative", _laws.ALTERNATIVES)
    whole = _whole(ranks)
    sides = levels if alternative == "two-sided" else None
    parts = [
        _test(whole[:, second[block]] - whole[:, first[block]], method, alternative, sides)
        for block in list(pair_blocks(len(first), len(whole), _BLOCK_ELEMENTS)) or [slice(0)]
    ]
    return Exchanges(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _whole(ranks: npt.ArrayLike) -> FloatArray:
    """Return ranks times 4, which are whole numbers; NaN stays."""
    array = check_real(ranks, "ranks")
    scaled = array * _PARTS
    known = ~np.isnan(scaled)
    if array.ndim != 2 or not (np.isfinite(scaled) == known).all():
        raise ValueError(
            "`ranks` must be a table of numbers, or NaN, of shape (n_datasets, n_algorithms); got "
            f"an array of shape {array.shape}."
        )
    if (np.rint(scaled) != scaled)[known].any():
        raise ValueError(f"`ranks` must be multiples of 1/{_PARTS}, as ranks with ties are.")
    return scaled


def _test(
    gains: FloatArray, method: str, alternative: str, levels: tuple[float, float] | None
) -> Exchanges:
    """Test pairs, of which each has a column of differences, positive where the first is better."""
    signed = np.nan_to_num(gains.T, nan=0.0).astype(np.int64)
    plus = np.maximum(signed, 0).sum(axis=1)
    minus = plus - signed.sum(axis=1)
    used = np.count_nonzero(signed, axis=1)
    exact = is_exact(used, method)
    if levels is not None:
        exact &= ~is_sure(signed, minus - plus, *levels)
    p, log10_p = np.empty((2, len(signed)))
    if exact.any():
        weights = np.sort(np.abs(signed[exact]), axis=1)
        at = {"two-sided": np.minimum(plus, minus), "better": minus, "worse": plus}[alternative]
        p[exact], log10_p[exact] = tied_tails(
            weights,
            at[exact],
            (plus + minus)[exact],
            used[exact],
            two_sided=alternative == "two-sided",
        )
    if not exact.all():
        rest = ~exact
        z = (minus - plus)[rest] / np.sqrt(np.square(signed[rest].astype(np.float64)).sum(axis=1))
        p[rest], log10_p[rest] = normal_tails(z, alternative)
    return Exchanges((plus - minus) / _PARTS, used, p, log10_p, exact)
