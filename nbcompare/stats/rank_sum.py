"""Rank-sum test of Mann, Whitney and Wilcoxon for independent samples, exact with ties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import _laws
from nbcompare.stats.rankings import check_scale, midranks
from nbcompare.stats.signed_rank import normal_tails

# Additions above which "auto" uses the normal approximation, and cells that "exact" may take.
_MOST_WORK = 2.5e8
_MOST_OF_ALL_PAIRS = 2.5e9  # for tied samples; untied ones share their law
_MOST_CELLS = 2e7
_MOST_CHOICES = 1e300


class RankSum(NamedTuple):
    """Result of the rank-sum test: U, effect size, p, log10 p, and whether p is exact.

    ``statistic`` is U, the number of pairs of a score of the first and a score of the second in
    which the first is better, where ties count one half. ``effect_size`` is 2U/(mn) - 1, the
    rank-biserial correlation, which is positive if the first is better.
    """

    statistic: float
    effect_size: float
    pvalue: float
    log10_pvalue: float
    exact: bool


def rank_sum(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
    scale: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
) -> RankSum:
    r"""Perform the rank-sum test of two independent samples (Mann and Whitney 1947).

    All scores are ranked together, with mid-ranks for ties. Under the null hypothesis, every choice
    of m of these ranks is equally likely for the first sample. The choices are counted by dynamic
    programming, so that p is exact with ties too.

    Parameters
    ----------
    first, second : array_like, shape (m,) and (n,)
        Samples with at least one score each, smaller is better.
    method : {"auto", "exact", "normal"}
        ``auto`` is exact up to about 120 scores in each sample (or more, if one of them is
        small), and uses the normal approximation beyond, with the variance of the tied ranks and
        without continuity correction. ``exact`` is possible up to about 300 in each.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.
    scale : tuple of two array_like, optional
        Magnitudes of the numbers from which the scores of each sample were computed.

    Returns
    -------
    RankSum
        Result; if all scores are tied, p is 1.

    Raises
    ------
    ValueError
        If an option is unknown, a sample is empty, a number is not finite, or samples are too
        large for an exact p that was requested.

    References
    ----------
    Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables
    is stochastically larger than the other. Annals of Mathematical Statistics 18, 50-60.

    Examples
    --------
    The smallest p for two samples of 10 scores is that of two of C(20, 10) choices:

    >>> test = rank_sum(range(10), range(10, 20))
    >>> test.statistic, test.effect_size, round(test.pvalue, 9)
    (100.0, 1.0, 1.0825e-05)
    """
    _check_options(method, alternative)
    samples = check_sample(first, "first"), check_sample(second, "second")
    sizes = None
    if scale is not None:
        sizes = np.concatenate(
            [check_scale(one, sample.shape) for one, sample in zip(scale, samples, strict=True)]
        )
    return _test(*samples, sizes, method, alternative, _MOST_WORK)


class RankSums(NamedTuple):
    """Result of :func:`rank_sums`: as :class:`RankSum`, with one entry per pair."""

    statistic: FloatArray
    effect_size: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    exact: BoolArray


def rank_sums(
    samples: Sequence[npt.ArrayLike],
    first: IntArray,
    second: IntArray,
    *,
    method: str = "auto",
    alternative: str = "two-sided",
) -> RankSums:
    """Perform the rank-sum test of each pair of independent samples.

    Parameters
    ----------
    samples : sequence of array_like
        Scores of the runs of each algorithm, at least one, smaller is better. The numbers of runs
        may differ.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    method, alternative
        As for :func:`rank_sum`. With many pairs that have ties, ``auto`` is exact for smaller
        samples only: for 1,225 pairs, up to about 45 runs of each.

    Returns
    -------
    RankSums
        Arrays of shape (n_pairs,).

    Raises
    ------
    ValueError
        As for :func:`rank_sum`.

    Examples
    --------
    >>> runs = [[1, 2, 3, 4], [5, 6, 7, 8], [3, 4, 5, 6, 7]]
    >>> test = rank_sums(runs, np.array([0, 0, 1]), np.array([1, 2, 2]))
    >>> test.pvalue.round(4), test.statistic
    (array([0.0286, 0.0794, 0.254 ]), array([16. , 18. ,  4.5]))
    """
    _check_options(method, alternative)
    checked = [check_sample(sample, f"samples[{j}]") for j, sample in enumerate(samples)]
    most = min(_MOST_WORK, _MOST_OF_ALL_PAIRS / max(1, len(first)))
    tests = [
        _test(checked[i], checked[j], None, method, alternative, most)
        for i, j in zip(first.tolist(), second.tolist(), strict=True)
    ]
    columns = np.array(tests, dtype=np.float64).reshape(len(tests), 5).T
    u, effect, p, log10_p, exact = columns
    return RankSums(u, effect, p, log10_p, exact.astype(np.bool_))


def check_sample(values: npt.ArrayLike, argument: str) -> FloatArray:
    """Return a sample of at least one number."""
    sample = check_finite(values, argument, ndim=1)
    if not sample.size:
        raise ValueError(f"`{argument}` must hold at least 1 score; got none.")
    return sample


def _check_options(method: str, alternative: str) -> None:
    check_choice(method, "method", _laws.METHODS)
    check_choice(alternative, "alternative", _laws.ALTERNATIVES)


def _test(
    first: FloatArray,
    second: FloatArray,
    sizes: FloatArray | None,
    method: str,
    alternative: str,
    most_of_tied: float,
) -> RankSum:
    ranks = midranks(np.concatenate([first, second]), scale=sizes)
    m, n = len(first), len(second)
    count = m + n
    worse = float(ranks[:m].sum()) - m * (m + 1) / 2
    spread = float(np.square(ranks - (count + 1) / 2).sum())
    statistic, effect = m * n - worse, 1 - 2 * worse / (m * n)
    if spread == 0:
        return RankSum(statistic, effect, 1.0, 0.0, True)
    law = _Law.of(ranks, m)
    if method == "exact" and not law.feasible(_MOST_CELLS * max(m, n)):
        raise ValueError(
            f"`method` must be 'auto' or 'normal' for samples as large as these; "
            f"got 'exact' for {m:,} and {n:,} scores."
        )
    most = most_of_tied if law.tied else _MOST_WORK
    exact = method == "exact" or (method == "auto" and law.feasible(most))
    if exact:
        p, log10_p = law.tail(alternative)
    else:
        z = (worse - m * n / 2) / math.sqrt(m * n * spread / (count * (count - 1)))
        p, log10_p = normal_tails(np.asarray(z), alternative)
    return RankSum(statistic, effect, float(p), float(log10_p), exact)


class _Law(NamedTuple):
    """Distribution of the sum of ``size`` ranks, from its nearer end to the observed sum.

    ``ranks`` are those of both samples in integer units, and ``size`` is the size of the smaller
    sample; the ranks are reversed if its sum is above the mean. ``at`` is that sum, measured from
    the least. ``low_is_better`` says whether small sums mean that the first sample is better.
    """

    ranks: IntArray
    size: int
    at: int
    low_is_better: bool
    tied: bool

    @classmethod
    def of(cls, ranks: FloatArray, m: int) -> _Law:
        """Return the distribution of the sum of the first ``m`` ranks, or of the others."""
        doubled = (2 * ranks).astype(np.int64)
        n = len(doubled) - m
        turned, inside = m > n, doubled[:m]
        if turned:
            inside = doubled[m:]
        size, low_is_better = len(inside), not turned
        if inside.sum() * len(doubled) > size * doubled.sum():
            highest = doubled.max()
            doubled, inside, low_is_better = highest - doubled, highest - inside, turned
        ordered = np.sort(doubled)
        whole, unit = _laws.in_units(ordered - ordered[0])
        at = int(inside.sum() - ordered[:size].sum()) // unit
        return cls(whole, size, at, low_is_better, bool((np.diff(ordered) == 0).any()))

    def feasible(self, most: float) -> bool:
        """Return whether the work is at most ``most`` and the counts do not overflow."""
        count = len(self.ranks)
        if (count - self.size) * self.size * (self.at + 1) > most:
            return False
        return math.comb(count, self.size) < _MOST_CHOICES

    def tail(self, alternative: str) -> tuple[FloatArray, FloatArray]:
        """Return the p-value and its logarithm."""
        n_choices = math.comb(len(self.ranks), self.size)
        at, rest = self.at, len(self.ranks) - self.size
        below = (
            _laws.sums_of_samples(self.ranks, self.size, at)
            if self.tied
            else _laws.untied_sums_of_samples(self.size, rest)
        )
        low, lower = float(below[at]), float(below[at - 1]) if at else 0.0
        if alternative != "two-sided":
            complement = (alternative == "better") != self.low_is_better
            return _laws.of_samples(lower if complement else low, n_choices, complement=complement)
        # With ties the distribution may be skewed, so the tail beyond the mean may be smaller.
        smaller = min(low, n_choices - lower)
        return _laws.of_samples(2 * smaller, n_choices)
