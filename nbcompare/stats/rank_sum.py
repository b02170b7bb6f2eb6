"""The rank-sum test of Mann, Whitney and Wilcoxon: two samples, exact with ties."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import _laws
from nbcompare.stats.rankings import check_scale, midranks
from nbcompare.stats.signed_rank import normal_tails

# Additions after which "auto" turns to the normal approximation, and memory that "exact" takes.
_MOST_WORK = 2.5e8
_MOST_CELLS = 2e7
_MOST_CHOICES = 1e300


class RankSum(NamedTuple):
    """U, the effect size, p, log10 p, and whether p is exact.

    ``statistic`` is U: in how many pairs of a score of the first and one of the second the
    first is better, ties counting one half. ``effect_size`` is 2U/(mn) - 1, the rank-biserial
    correlation: positive if the first is better.
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
    r"""Rank-sum test of two independent samples (Mann and Whitney 1947).

    All scores are ranked together, ties sharing the mean of their ranks; under the null
    hypothesis every choice of as many of these ranks is as likely to be the first
    sample's. They are counted by dynamic programming, so p is exact with ties too.

    Parameters
    ----------
    first, second : array_like, shape (m,) and (n,)
        Smaller is better; at least one score each.
    method : {"auto", "exact", "normal"}
        ``auto``: exact up to about 120 scores in each sample (or more, if one of them is
        small), beyond that the normal approximation with the variance of the tied ranks
        and without continuity correction. ``exact`` goes up to about 300 in each.
    alternative : {"two-sided", "better", "worse"}
        Whether the first differs, is better, or is worse. Two-sided p is twice the smaller
        tail, at most 1.
    scale : tuple of two array_like, optional
        Magnitudes of the numbers that the scores of each sample were computed from.

    Returns
    -------
    RankSum
        If all scores are tied, p is 1.

    Raises
    ------
    ValueError
        For an unknown option, an empty sample, numbers that are not finite, or samples too
        large for an exact p where one is asked for.

    References
    ----------
    Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables
    is stochastically larger than the other. Annals of Mathematical Statistics 18, 50-60.

    Examples
    --------
    The smallest p of 10 scores on either side, two of C(20, 10) choices:

    >>> test = rank_sum(range(10), range(10, 20))
    >>> test.statistic, test.effect_size, round(test.pvalue, 9)
    (100.0, 1.0, 1.0825e-05)
    """
    check_choice(method, "method", _laws.METHODS)
    check_choice(alternative, "alternative", _laws.ALTERNATIVES)
    samples = check_finite(first, "first", ndim=1), check_finite(second, "second", ndim=1)
    for name, sample in zip(("first", "second"), samples, strict=True):
        if not sample.size:
            raise ValueError(f"`{name}` must hold at least 1 score; got none.")
    sizes = None
    if scale is not None:
        sizes = np.concatenate(
            [check_scale(one, sample.shape) for one, sample in zip(scale, samples, strict=True)]
        )
    ranks = midranks(np.concatenate(samples), scale=sizes)
    m, n = map(len, samples)
    worse = float(ranks[:m].sum()) - m * (m + 1) / 2
    p, log10_p, exact = _test(ranks, m, worse, method, alternative)
    return RankSum(m * n - worse, 1 - 2 * worse / (m * n), float(p), float(log10_p), exact)


def _test(
    ranks: FloatArray, m: int, worse: float, method: str, alternative: str
) -> tuple[FloatArray, FloatArray, bool]:
    count = len(ranks)
    n = count - m
    spread = float(np.square(ranks - (count + 1) / 2).sum())
    if spread == 0:
        return np.asarray(1.0), np.asarray(0.0), True
    law = _Law.of(ranks, m)
    if method == "exact" and not law.feasible(_MOST_CELLS * max(m, n)):
        raise ValueError(
            f"`method` must be 'auto' or 'normal' for samples as large as these; "
            f"got 'exact' for {m:,} and {n:,} scores."
        )
    if method == "exact" or (method == "auto" and law.feasible(_MOST_WORK)):
        return *law.tail(alternative), True
    z = (worse - m * n / 2) / math.sqrt(m * n * spread / (count * (count - 1)))
    return *normal_tails(np.asarray(z), alternative), False


class _Law(NamedTuple):
    """The sum of ``size`` of the ranks, from its nearer end to the observed sum ``at``.

    ``ranks`` are those of both samples, in whole units, ``size`` how many the smaller one
    has; turned round if its sum is above the mean. ``at`` is that sum, counted from the
    least. ``low_is_better``: whether small sums mean that the first sample is better.
    """

    ranks: IntArray
    size: int
    at: int
    low_is_better: bool
    tied: bool

    @classmethod
    def of(cls, ranks: FloatArray, m: int) -> _Law:
        """The law of the sum of the first ``m`` of all ``ranks``, or of the others'."""
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
        """Whether it takes less work than ``most``, and its counts are floats."""
        count = len(self.ranks)
        if (count - self.size) * self.size * (self.at + 1) > most:
            return False
        return math.comb(count, self.size) < _MOST_CHOICES

    def tail(self, alternative: str) -> tuple[FloatArray, FloatArray]:
        """P-value and its logarithm."""
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
        # Tied ranks may be skew, so the end beyond the mean may still be the likelier one.
        smaller = min(low, n_choices - lower)
        return _laws.of_samples(2 * smaller, n_choices)
