"""Rank-sum test of Mann, Whitney and Wilcoxon for two samples, exact with ties."""

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

# Additions above which "auto" uses the normal approximation, and cells that "exact" may take.
_MOST_WORK = 2.5e8
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
