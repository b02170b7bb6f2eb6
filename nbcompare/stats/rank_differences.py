"""Tests of pairs by rank sums: the law of a difference, and the conditional exchange test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, LockedArrays
from nbcompare._validation import check_choice, check_finite, check_probability, check_real
from nbcompare.stats import laws
from nbcompare.stats._difference_bands import REACH, Bands
from nbcompare.stats.pairwise import pair_blocks
from nbcompare.stats.posthoc import PairTests
from nbcompare.stats.rankings import RANKINGS
from nbcompare.stats.signed_rank import Bounds, is_exact, normal_bounds, normal_tails, tied_tails

# Tests whose :meth:`DifferenceLaw.cost` is above this take more than about 0.2 s; the normal law is
# then accurate enough for most purposes. A count, so that the same table always gets the same p.
BUDGET = 4e6
# Larger rank scores might not be exact when they are added.
_LARGEST = 2.0**45
# Probabilities are rounded to the nearest possible one if the logarithm of the number of choices is
# at most this, so that p is not above a level that it meets.
_MOST_COUNTED = 33 * math.log(2)
# A difference that is this close to a multiple of the step, relative to its size, is that multiple.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DifferenceLaw(LockedArrays):
    r"""Law of the difference D of two column sums if values are exchangeable within each row.

    It is the same for every pair of columns. See :func:`difference_law`.

    Attributes
    ----------
    patterns : ndarray of int, shape (n_patterns, n_algorithms)
        Distinct sorted rows in units of ``step``, measured from their least value. Rows whose
        values are all equal are left out.
    repeats : ndarray of int, shape (n_patterns,)
        How many rows have each pattern.
    step : float
        Every possible difference is a multiple of this.
    """

    patterns: IntArray
    repeats: IntArray
    step: float

    def __repr__(self) -> str:
        return f"<DifferenceLaw: {len(self.patterns)} patterns, from 0 to {self.largest:g}>"

    @property
    def largest(self) -> float:
        """The largest possible difference; 0 if every row is constant."""
        return int(self.patterns[:, -1] @ self.repeats) * self.step

    def cost(self, differences: npt.ArrayLike) -> float:
        """Count operations to find the p-values of these differences: patterns x bands x size.

        Parameters
        ----------
        differences : array_like
            Differences of column sums, of any shape.

        Returns
        -------
        float
            Number of evaluations of characteristic functions: about 30 ns each. It is found
            before any of them is computed and depends on the table alone. The number of bands is
            bounded by that of distinct differences.

        Examples
        --------
        >>> law = difference_law([[1, 2, 3, 4, 5]] * 30)
        >>> law.cost([60, 90, 120]) < BUDGET
        True
        """
        distances, _ = self._distances(differences)
        distinct = int(np.count_nonzero(distances))
        if distinct == 0:
            return 0.0
        n_rows = self._bands.n_rows
        # Bands are 4 standard deviations wide, which become smaller towards the largest difference.
        beyond = max(0.0, float(distances[-1]) / self._bands.deviation - REACH) / (2 * REACH)
        most = 1 + math.ceil(min(1.5 * beyond, math.pi * math.sqrt(n_rows) / (2 * REACH)))
        return min(distinct, most) * self._bands.evaluations()

    def pvalues(self, differences: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        r"""Compute two-sided p-values, :math:`\min(1, 2 P(D \ge |d|))`, and their log10.

        Parameters
        ----------
        differences : array_like
            Differences d of column sums, of any shape.

        Returns
        -------
        pvalue, log10_pvalue : ndarray of float
            Accurate to about 12 digits however small they are; p is 1 where d is 0. Equal
            distances have equal p-values, whatever the other differences are.

        Raises
        ------
        ValueError
            If a difference is not finite, or larger than possible for this law.

        Examples
        --------
        Three of 6 times 6 draws differ by 3 or more:

        >>> law = difference_law([[1, 2, 3], [1, 2, 3]])
        >>> law.pvalues([0, 3, -4])[0].round(4)
        array([1.    , 0.2778, 0.0556])
        """
        distances, places = self._distances(differences)
        return self._two_sided(distances, places)

    def one_sided(self, differences: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        r"""Compute one-sided p-values, :math:`P(D \ge d)`, and their log10.

        Parameters
        ----------
        differences : array_like
            Differences d of column sums, of any shape; positive in favour of the alternative.

        Returns
        -------
        pvalue, log10_pvalue : ndarray of float
            As accurate as :meth:`pvalues`; p is 1 where d is the least possible difference.

        Raises
        ------
        ValueError
            If a difference is not finite, or larger than possible for this law.

        Examples
        --------
        Of 6 times 6 draws, 5 differ by 3 or more, and 1 by 4:

        >>> law = difference_law([[1, 2, 3], [1, 2, 3]])
        >>> (law.one_sided([4, 3, 0, -3, -4])[0] * 36).round(9).tolist()
        [1.0, 5.0, 23.0, 35.0, 36.0]
        """
        array = check_finite(differences, "differences")
        distances, places = self._distances(differences)
        p, log10_p = self._two_sided(distances, places)
        # what is not in favour is the complement of the next larger difference in favour
        most = round(self.largest / self.step)
        further, places = np.unique(np.minimum(distances + 1, most)[places], return_inverse=True)
        rest = self._two_sided(further, places.reshape(array.shape))[0] / 2
        rest = np.where(np.abs(array) > self.largest - self.step / 2, 0.0, rest)
        logs = np.where(array > 0, log10_p - math.log10(2.0), np.log1p(-rest) / math.log(10.0))
        return np.where(array > 0, p / 2, 1.0 - rest), logs

    def _two_sided(self, distances: IntArray, places: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return p and its log10 by ascending distances in steps, one for each of ``places``."""
        logs = np.zeros(len(distances))
        some = distances > 0
        if some.any():
            logs[some] = self._bands.log_tails(distances[some]) + math.log(2.0)
        pvalue, log10_pvalue = laws.from_log(logs)
        k = self.patterns.shape[1]
        n_rows = int(self.repeats.sum())
        if 0 < n_rows * math.log(k * (k - 1)) <= _MOST_COUNTED:
            # p is half a count over the number of choices: round it to the nearest
            half = (k * (k - 1)) ** n_rows / 2
            pvalue = np.minimum(np.rint(pvalue * half) / half, 1.0)
            log10_pvalue = np.log10(pvalue)
        return pvalue[places], log10_pvalue[places]

    def tests(self, sums: npt.ArrayLike, first: IntArray, second: IntArray) -> PairTests:
        """Test differences of column sums.

        Parameters
        ----------
        sums : array_like, shape (n_algorithms,)
            Column sums of the scores of which this is the law.
        first, second : ndarray of int, shape (n_pairs,)
            Indices of the algorithms of each pair.

        Returns
        -------
        PairTests
            Tests with ``statistic = sums[second] - sums[first]``, positive if the first is better.

        Raises
        ------
        ValueError
            If there is not one finite sum per algorithm, or a difference is larger than possible
            for this law.

        Examples
        --------
        >>> scores = np.array([[1, 2, 3]] * 3)
        >>> tests = difference_law(scores).tests(scores.sum(axis=0), [0, 0, 1], [1, 2, 2])
        >>> tests.statistic, tests.pvalue.round(4)
        (array([3., 6., 3.]), array([0.3056, 0.0093, 0.3056]))
        """
        totals = check_finite(sums, "sums", ndim=1)
        if len(totals) != self.patterns.shape[1]:
            raise ValueError(
                f"`sums` must have one sum per algorithm, {self.patterns.shape[1]}; "
                f"got {len(totals)}."
            )
        statistic = totals[second] - totals[first]
        return PairTests(statistic, *self.pvalues(statistic))

    def critical_difference(self, level: float) -> float | None:
        """Return the smallest difference whose two-sided p-value is at most ``level``.

        Parameters
        ----------
        level : float
            Level of one test, for example alpha divided by the number of pairs (Bonferroni).

        Returns
        -------
        float or None
            A multiple of ``step``, in units of column sums: p is at most ``level`` if and only if
            a distance is not smaller. None if even the largest possible one has a larger p.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.

        Examples
        --------
        Of four data sets, with two algorithms, even agreement of all has p = 0.125:

        >>> law = difference_law([[1, 2]] * 4)
        >>> law.critical_difference(0.05), law.critical_difference(0.125)
        (None, 4.0)
        """
        bound = check_probability(level, "level")
        if len(self.patterns) == 0:
            return None
        rung, accepted, rejected, span = 0, 0, 0, self._bands.span
        while accepted < span and not rejected:
            reach = min(span, max(accepted + 1, math.floor(self._bands.top(rung))))
            if self._is_rejected(reach, bound):
                rejected = reach
            else:
                accepted, rung = reach, rung + 1
        if not rejected:
            return None
        # all differences up to `accepted` have a larger p
        while rejected - accepted > 1:
            middle = (accepted + rejected) // 2
            if self._is_rejected(middle, bound):
                rejected = middle
            else:
                accepted = middle
        if self.patterns.shape[1] == 2:  # the sum takes every other value only
            rejected += (span - rejected) % 2
        return rejected * self.step

    def _is_rejected(self, distance: int, level: float) -> bool:
        return bool(self.pvalues(distance * self.step)[0] <= level)

    def _distances(self, differences: npt.ArrayLike) -> tuple[IntArray, IntArray]:
        """Return ascending distinct distances in steps, and where each difference is among them."""
        array = np.abs(check_finite(differences, "differences"))
        if array.size and array.max() > self.largest * (1 + _ROUNDING):
            raise ValueError(
                f"`differences` must not exceed the largest possible one, {self.largest:g}; "
                f"got {array.max():g}. They are differences of column sums, not of averages."
            )
        steps = np.ceil(array / self.step * (1 - _ROUNDING)).astype(np.int64)
        distances, places = np.unique(steps, return_inverse=True)
        return distances, places.reshape(array.shape)

    @cached_property
    def _bands(self) -> Bands:
        return Bands(self.patterns, self.repeats)


def difference_law(scores: npt.ArrayLike, *, ranking: str = "friedman") -> DifferenceLaw:
    r"""Find the exact law of a difference of rank sums under the null hypothesis.

    The null hypothesis is that in every data set all orders of the k rank scores are equally
    likely. The difference of the sums of two algorithms is then a sum over data sets of
    independent draws, each from the k(k - 1) ordered differences of the rank scores of that data
    set, and its law is the same for every pair. Ties are part of it: it is the permutation law of
    the rank scores as they are. Where only the two algorithms of a pair perform equally and others
    do not, a test by it may be somewhat liberal or conservative, as that by the normal law.

    For Friedman's ranks without ties these are the probabilities of Eisinga et al. (2017), and for
    two algorithms those of the sign test without tied data sets. The law is inverted from its
    characteristic function, tilted as for a saddlepoint approximation (Daniels 1954), but without
    approximation.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        ``scores`` of a ranking (see :func:`nbcompare.stats.rankings.rank`): mid-ranks within each
        data set, aligned ranks, or Quade's weighted ranks.
    ranking : {"friedman", "aligned", "quade"}
        Ranking from which the scores come: multiples of 1/2, for Quade of 1/4.

    Returns
    -------
    DifferenceLaw

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, or no data set, or a number is not a rank score.

    References
    ----------
    Daniels, H. E. (1954). Saddlepoint approximations in statistics. Annals of Mathematical
    Statistics 25, 631-650.

    Eisinga, R., Heskes, T., Pelzer, B. and Te Grotenhuis, M. (2017). Exact p-values for pairwise
    comparison of Friedman rank sums, with application to comparing classifiers. BMC
    Bioinformatics 18, 68.

    Examples
    --------
    Five wins and two ties of two algorithms; the ties do not count:

    >>> law = difference_law([[1, 2]] * 5 + [[1.5, 1.5]] * 2)
    >>> law, law.pvalues(5)[0].item()
    (<DifferenceLaw: 1 patterns, from 0 to 5>, 0.0625)
    """
    array = check_finite(scores, "scores", ndim=2)
    check_choice(ranking, "ranking", tuple(RANKINGS))
    n, k = array.shape
    if n < 1 or k < 2:
        raise ValueError(
            "`scores` must have at least 1 row and 2 columns, which are data sets and algorithms; "
            f"got an array of shape {array.shape}."
        )
    parts = RANKINGS[ranking].parts
    multiples = array * parts
    whole = np.rint(multiples)
    wrong = (whole != multiples) | (np.abs(multiples) > _LARGEST)
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"`scores` must be rank scores of ranking={ranking!r}, multiples of 1/{parts}; "
            f"got {float(array[where])!r} at index {where}."
        )
    rows = np.sort(whole.astype(np.int64), axis=1)
    rows -= rows[:, :1]
    rows = rows[rows[:, -1] > 0]
    divisor = max(1, int(np.gcd.reduce(rows, axis=None))) if len(rows) else 1
    rows //= divisor
    if (rows == rows[:1]).all():
        patterns, repeats = rows[:1], np.full(min(1, len(rows)), len(rows))
    else:
        patterns, repeats = np.unique(rows, axis=0, return_counts=True)
    return DifferenceLaw(patterns=patterns, repeats=repeats, step=divisor / parts)


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
    check_choice(method, "method", laws.METHODS)
    check_choice(alternative, "alternative", laws.ALTERNATIVES)
    whole = _whole(ranks)
    parts = [
        _test(whole[:, second[block]] - whole[:, first[block]], method, alternative)
        for block in list(pair_blocks(len(first), len(whole), _BLOCK_ELEMENTS)) or [slice(0)]
    ]
    return Exchanges(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def exchange_bounds(
    ranks: npt.ArrayLike, first: IntArray, second: IntArray, levels: tuple[float, float]
) -> Bounds:
    """Return between which numbers p of :func:`exchange_tests` is, much faster than p itself.

    Parameters
    ----------
    ranks, first, second
        See :func:`exchange_tests`.
    levels : tuple of 2 float
        The smallest and the largest level with which p will be compared.

    Returns
    -------
    Bounds
        Arrays of shape (n_pairs,).
    """
    whole = _whole(ranks)
    parts = []
    for block in pair_blocks(len(first), len(whole), _BLOCK_ELEMENTS):
        signed = _signed(whole[:, second[block]] - whole[:, first[block]])
        parts.append(Bounds(signed.sum(axis=1) / _PARTS, *normal_bounds(signed, levels)))
    return Bounds(*(np.concatenate(column) for column in zip(*parts, strict=True)))


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


def _signed(gains: FloatArray) -> IntArray:
    return np.nan_to_num(gains.T, nan=0.0).astype(np.int64)


def _test(gains: FloatArray, method: str, alternative: str) -> Exchanges:
    """Test pairs, of which each has a column of differences, positive where the first is better."""
    signed = _signed(gains)
    plus = np.maximum(signed, 0).sum(axis=1)
    minus = plus - signed.sum(axis=1)
    used = np.count_nonzero(signed, axis=1)
    exact = is_exact(used, method)
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
