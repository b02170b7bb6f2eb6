"""Independent runs on one data set: rank-sum tests, effect sizes with intervals.

The test of a pair is :func:`~nbcompare.stats.runs.rank_sums`. Samples are scores of runs,
smaller is better; their numbers may differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite, check_probability
from nbcompare.stats import laws, shift
from nbcompare.stats.proportions import farthest
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
    check_choice(method, "method", laws.METHODS)
    check_choice(alternative, "alternative", laws.ALTERNATIVES)


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
        whole, unit = laws.in_units(ordered - ordered[0])
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
            laws.sums_of_samples(self.ranks, self.size, at)
            if self.tied
            else laws.untied_sums_of_samples(self.size, rest)
        )
        low, lower = float(below[at]), float(below[at - 1]) if at else 0.0
        if alternative != "two-sided":
            complement = (alternative == "better") != self.low_is_better
            return laws.of_samples(lower if complement else low, n_choices, complement=complement)
        # With ties the distribution may be skewed, so the tail beyond the mean may be smaller.
        smaller = min(low, n_choices - lower)
        return laws.of_samples(2 * smaller, n_choices)


# Sums of ranks that may be formed for an exact p, about 0.4 seconds.
_MOST_SUMS = 8_000_000
_LARGEST_CODE = 1 << 62


class Superiority(NamedTuple):
    """Vargha and Delaney's effect sizes with the ends of their intervals, one entry per pair."""

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray


def vargha_delaney(
    samples: Sequence[npt.ArrayLike],
    first: IntArray,
    second: IntArray,
    *,
    confidence: float = 0.95,
) -> Superiority:
    r"""Estimate how often a run of the first algorithm is better than one of the second.

    The effect size :math:`\hat A_{12}` is the share of pairs of runs in which the first is better,
    where ties count half (Vargha and Delaney 2000). The interval holds all values A with

    .. math:: |\hat A - A| \le t \sqrt{r\,V(A)}, \qquad V(A) = \frac{A(1 - A)}{mn} \left(1 +
        \left(\frac{m + n}{2} - 1\right) \left(\frac{1 - A}{2 - A} + \frac{A}{1 + A}\right)\right),

    Newcombe's (2006) method 5, times the ratio r of the variance of the placements (DeLong, DeLong
    and Clarke-Pearson 1988) to :math:`V(\hat A)`, which is at least the correction of ranks for
    ties, and with a quantile of Student's t with the degrees of freedom of Brunner and Munzel
    (2000). The interval stays within 0 and 1, and has a width where no runs overlap.

    Parameters
    ----------
    samples : sequence of array_like
        Scores of the runs of each algorithm, at least 2, smaller is better.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    confidence : float, default 0.95
        Confidence level.

    Returns
    -------
    Superiority
        Arrays of shape (n_pairs,): above 1/2 where the first is better.

    Raises
    ------
    ValueError
        If a sample has fewer than 2 scores, or a number is not finite.

    Notes
    -----
    Nominal 0.95 covers 0.94 to 1.00, most above 0.95 (simulated: 3 to 100 runs, also unequal
    numbers; normal laws with equal and unequal variances, skewed and tied ones), where the
    placements alone, with t, cover 0.63 to 0.98, and method 5 alone 0.82 to 1.00.

    References
    ----------
    Vargha, A. and Delaney, H. D. (2000). A critique and improvement of the CL common language
    effect size statistics of McGraw and Wong. Journal of Educational and Behavioral Statistics 25,
    101-132.
    Newcombe, R. G. (2006). Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic. Part 2. Statistics in Medicine 25, 559-573.
    Brunner, E. and Munzel, U. (2000). The nonparametric Behrens-Fisher problem. Biometrical Journal
    42, 17-25.

    Examples
    --------
    In 23 of 25 pairs of runs the first is better:

    >>> found = vargha_delaney([[1, 2, 3, 4, 7], [5, 6, 8, 9, 10]], np.array([0]), np.array([1]))
    >>> [end.round(3).item() for end in found]
    [0.92, 0.463, 0.992]
    """
    level = check_probability(confidence, "confidence")
    checked = [_at_least_two(sample, f"samples[{j}]") for j, sample in enumerate(samples)]
    facts = [
        _placements(checked[i], checked[j])
        for i, j in zip(first.tolist(), second.tolist(), strict=True)
    ]
    estimate, variance, df, least, m, n = np.array(facts).reshape(len(facts), 6).T

    def variance_at(value: FloatArray) -> FloatArray:
        pull = (1 - value) / (2 - value) + value / (1 + value)
        return np.asarray(value * (1 - value) * (1 + ((m + n) / 2 - 1) * pull) / (m * n))

    inside = np.clip(estimate, 0.5 / (m * n), 1 - 0.5 / (m * n))
    ratio = np.maximum(variance / variance_at(inside), least)
    reach = scipy.special.stdtrit(df, (1 - level) / 2) ** 2 * ratio

    def within(value: FloatArray) -> BoolArray:
        return np.asarray(np.square(value - estimate) <= reach * variance_at(value))

    return Superiority(estimate, farthest(estimate, 0.0, within), farthest(estimate, 1.0, within))


def _at_least_two(values: npt.ArrayLike, argument: str) -> FloatArray:
    sample = check_sample(values, argument)
    if len(sample) < 2:
        raise ValueError(f"`{argument}` must hold at least 2 scores; got 1.")
    return sample


def _placements(first: FloatArray, second: FloatArray) -> tuple[float, ...]:
    """Return the effect size, its variance by placements with df, tie correction and sizes."""
    m, n = len(first), len(second)
    ranks = midranks(np.concatenate([first, second]))
    # how many of the other sample are above each score
    of_first = 1 - (ranks[:m] - midranks(ranks[:m])) / n
    of_second = (ranks[m:] - midranks(ranks[m:])) / m
    parts = np.array([of_first.var(ddof=1) / m, of_second.var(ddof=1) / n])
    variance = float(parts.sum())
    estimate = float(of_first.mean())
    if variance == 0:  # the samples do not overlap, or all scores are tied
        return estimate, 0.0, m + n - 2.0, 1.0, m, n
    df = variance**2 / float(np.square(parts) @ (1 / np.array([m - 1.0, n - 1.0])))
    untied = (m + n) * ((m + n) ** 2 - 1) / 12
    spread = float(np.square(ranks - (m + n + 1) / 2).sum())
    return estimate, variance, df, spread / untied, m, n


class Shifts(NamedTuple):
    """Hodges-Lehmann estimates: as :class:`~nbcompare.stats.shift.Shift`, one entry per pair."""

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    coverage: FloatArray
    exact: BoolArray


def shifts(
    samples: Sequence[npt.ArrayLike],
    first: IntArray,
    second: IntArray,
    *,
    confidence: float = 0.95,
) -> Shifts:
    """Estimate by how much runs of the first algorithm are better, with rank-sum intervals.

    Parameters
    ----------
    samples, first, second, confidence
        As for :func:`vargha_delaney`; one score of each algorithm is enough.

    Returns
    -------
    Shifts
        Median differences of a run of the second and one of the first, positive where the first is
        better, with intervals (see :func:`~nbcompare.stats.shift.two_sample_shift`).

    Raises
    ------
    ValueError
        If a sample is empty, or a number is not finite.

    Examples
    --------
    >>> found = shifts([[1, 2, 3, 4], [5, 6, 8, 9]], np.array([0]), np.array([1]))
    >>> found.estimate, found.lower, found.upper, found.coverage.round(3)
    (array([4.5]), array([1.]), array([8.]), array([0.971]))
    """
    found = [
        shift.two_sample_shift(samples[j], samples[i], confidence)
        for i, j in zip(first.tolist(), second.tolist(), strict=True)
    ]
    columns = np.array(found, dtype=np.float64).reshape(len(found), 5).T
    estimate, lower, upper, coverage, exact = columns
    return Shifts(estimate, lower, upper, coverage, exact.astype(np.bool_))


class KruskalWallis(NamedTuple):
    """Result of Kruskal and Wallis' test: H, degrees of freedom, p, log10 p, whether p is exact."""

    statistic: float
    df: int
    pvalue: float
    log10_pvalue: float
    exact: bool


def kruskal_wallis(samples: Sequence[npt.ArrayLike]) -> KruskalWallis:
    r"""Test whether any of several independent samples differ, by ranks of all scores together.

    With rank sums :math:`R_j` of :math:`n_j` scores, N in all, and mid-ranks :math:`r_i` for ties,

    .. math:: H = (N - 1) \frac{\sum_j n_j (R_j/n_j - (N + 1)/2)^2}{\sum_i (r_i - (N + 1)/2)^2}.

    Under the null hypothesis all ways in which the ranks may belong to the samples are equally
    likely.

    Parameters
    ----------
    samples : sequence of array_like
        Scores of the runs of each of at least 2 algorithms, at least one of each.

    Returns
    -------
    KruskalWallis
        The test with k - 1 degrees of freedom. For two samples p is that of
        :func:`~nbcompare.stats.runs.rank_sum`; for more it is exact for small samples (3 with
        8 scores, 4 with 4, and more with ties), and by the chi-squared law beyond, which rejects a
        little less often than its level says (0.033 for 10 samples of 5, 0.049 for 4 of 30, at
        0.05). If all scores are tied, H is 0 and p is 1.

    Raises
    ------
    ValueError
        If there are fewer than 2 samples, one is empty, or a number is not finite.

    References
    ----------
    Kruskal, W. H. and Wallis, W. A. (1952). Use of ranks in one-criterion variance analysis.
    Journal of the American Statistical Association 47, 583-621.

    Examples
    --------
    Of the 1,680 ways to form three groups of three, 6 are as far apart as these:

    >>> test = kruskal_wallis([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    >>> round(test.statistic, 2), round(test.pvalue * 1680, 9), test.exact
    (7.2, 6.0, True)
    """
    checked = [check_sample(sample, f"samples[{j}]") for j, sample in enumerate(samples)]
    k = len(checked)
    if k < 2:
        raise ValueError(f"`samples` must hold at least 2 samples; got {k}.")
    sizes = np.array([len(sample) for sample in checked])
    ranks = midranks(np.concatenate(checked))
    count = len(ranks)
    spread = float(np.square(ranks - (count + 1) / 2).sum())
    if spread == 0:
        return KruskalWallis(0.0, k - 1, 1.0, 0.0, True)
    sums = np.add.reduceat(ranks, np.cumsum(sizes) - sizes)
    between = float((np.square(sums - sizes * (count + 1) / 2) / sizes).sum())
    statistic = (count - 1) * between / spread
    if k == 2:
        test = rank_sum(*checked)
        return KruskalWallis(statistic, 1, test.pvalue, test.log10_pvalue, test.exact)
    exact = _exact_share((2 * ranks).astype(np.int64), sizes, (2 * sums).astype(np.int64))
    log_p = laws.chi2_logsf(statistic, k - 1) if exact is None else math.log(exact)
    p, log10_p = laws.from_log(np.asarray(log_p))
    return KruskalWallis(statistic, k - 1, float(p), float(log10_p), exact is not None)


def _exact_share(ranks: IntArray, sizes: IntArray, observed: IntArray) -> float | None:
    """Return the share of assignments with a statistic as large; None if it takes too long.

    One rank after the other is given to a sample, and equal numbers and sums of ranks so far are
    one. The last sample follows from the others.
    """
    order = np.argsort(sizes, kind="stable")
    sizes, observed = sizes[order], observed[order]
    k = len(sizes)
    ordered = np.sort(ranks)
    # digits of a code: how many ranks each sample but the last has so far, and their sum
    radices = [digit for n in sizes[:-1] for digit in (int(n) + 1, int(ordered[-n:].sum()) + 1)]
    units = [math.prod(radices[:place]) for place in range(len(radices) + 1)]
    if units[-1] > _LARGEST_CODE or _least_sums(sizes, ordered) > _MOST_SUMS:
        return None
    codes, weights, work = np.zeros(1, dtype=np.int64), np.ones(1), 0

    def digit(place: int) -> IntArray:
        return np.asarray(codes // units[place] % radices[place])

    for placed, rank in enumerate(ordered.tolist()):
        work += k * len(codes)
        if work > _MOST_SUMS:
            return None
        held = [digit(2 * j) for j in range(k - 1)]
        steps = [units[2 * j] + rank * units[2 * j + 1] for j in range(k - 1)]
        rooms = [n < size for n, size in zip(held, sizes, strict=False)]
        rooms.append(placed - np.sum(held, axis=0) < sizes[-1])
        moved = [codes[room] + step for room, step in zip(rooms, [*steps, 0], strict=True)]
        each = np.concatenate([weights[room] for room in rooms])
        codes, inverse = np.unique(np.concatenate(moved), return_inverse=True)
        weights = np.bincount(inverse.reshape(-1), each).astype(np.float64)
    sums = [digit(2 * j + 1) for j in range(k - 1)]
    sums.append(int(ordered.sum()) - np.sum(sums, axis=0))
    # whole numbers: a multiple of the sum of squared rank sums divided by sizes
    factors = math.lcm(*sizes.tolist()) // sizes
    squares = sum(factor * np.square(part) for factor, part in zip(factors, sums, strict=True))
    reached = squares >= (factors * np.square(observed)).sum()
    return float(weights[reached].sum() / weights.sum())


def _least_sums(sizes: IntArray, ordered: IntArray) -> float:
    """Return how many sums there are at least, for samples that are surely too large.

    Samples have each choice of numbers of ranks so far. Of n out of p untied ranks there are
    n (p - n) + 1 sums.
    """
    choices = float(len(sizes) * np.prod(sizes + 1.0))
    if choices > _MOST_SUMS or (np.diff(ordered) == 0).any():
        return choices
    numbers = np.indices((sizes + 1).tolist()).reshape(len(sizes), -1)
    sums = numbers[0] * (numbers.sum(axis=0) - numbers[0]) + 1
    return float(len(sizes) * sums.sum())
