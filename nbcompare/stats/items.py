"""Tests and intervals for algorithms on the same items, such as questions or images.

Under the null hypothesis of a sign-flip test every choice of signs of the differences is equally
likely. The saddlepoint approximation of the tail keeps its relative accuracy however far out
(Daniels 1987; Robinson 1982 for permutation tests). A few numbers that outweigh all others make
the law lumpy: the signs of those are listed, and the saddlepoint is that of the rest.

Scores of 0 and 1 on independent items go to McNemar's test and Cochran's Q; all other scores, and
items in clusters, to tests that flip the signs of differences. Here rows are algorithms or pairs,
items are on the last axis, and gains are positive where the first is better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite, check_probability
from nbcompare.stats import laws
from nbcompare.stats.exact_omnibus import exact_pvalue
from nbcompare.stats.lattice import sum_tails
from nbcompare.stats.laws import ALTERNATIVES
from nbcompare.stats.omnibus import friedman
from nbcompare.stats.pairwise import pair_blocks
from nbcompare.stats.rankings import midranks, whole_numbers
from nbcompare.stats.signed_rank import binomial_logcdf, check_counts, tied_tails

# Up to this many numbers, all choices of signs are listed.
_MOST_LISTED = 24
# Additions that all laws of whole numbers of one call may take, about half a second.
_MOST_WORK = 4e8
_MOST_TOTAL = 2.0**31
_MOST_STEPS = 100
_SLACK = 1e-6  # of whole numbers that were computed
# Numbers with a larger share of the variance outweigh others; the signs of so many are listed.
_OUTWEIGHS, _MOST_OUTWEIGHING = 0.04, 5
# Below this, in standard deviations, the correction of the saddlepoint is its limit.
_CENTRE = 1e-5
_LN10 = math.log(10.0)


class FlipTails(NamedTuple):
    """Natural logarithms of P(S >= at), and whether they are exact."""

    log_p: FloatArray
    exact: BoolArray


def flip_tails(numbers: FloatArray, at: FloatArray, noise: FloatArray) -> FlipTails:
    """Return the log probabilities that the numbers of each row with random signs sum to ``at``.

    Parameters
    ----------
    numbers : ndarray of float, shape (n_rows, n)
        Numbers; their signs do not matter, nor do zeros.
    at : ndarray of float, shape (n_rows,)
        Sum that is to be reached, or exceeded, of each row.
    noise : ndarray of float, shape (n_rows,)
        Sums that differ by at most this are equal; 0 for whole numbers.

    Returns
    -------
    FlipTails
        Arrays of shape (n_rows,).
    """
    sizes = np.abs(numbers)
    used = np.count_nonzero(sizes, axis=1)
    totals = sizes.sum(axis=1)
    whole = (sizes == np.rint(sizes)).all(axis=1) & (totals < _MOST_TOTAL)
    units = np.ones(len(sizes), dtype=np.int64)
    units[whole] = np.maximum(np.gcd.reduce(sizes[whole].astype(np.int64), axis=1), 1)
    work = used * totals / units
    counted = whole & (used <= laws.MOST_RANKS) & (work <= _MOST_WORK / max(1, len(sizes)))
    listed = ~counted & (used <= _MOST_LISTED)
    log_p = np.zeros(len(sizes))
    if counted.any():
        weights = np.sort(sizes[counted], axis=1).astype(np.int64)
        log_p[counted] = _counted(weights, at[counted], used[counted])
    for row in np.flatnonzero(listed).tolist():
        some = sizes[row][sizes[row] > 0]
        signs = np.stack([some, -some], axis=-1)
        scale = noise[row] / (8 * np.finfo(np.float64).eps * len(some))
        tails = sum_tails(signs, at[row], scale=np.full(signs.shape, scale))
        log_p[row] = math.log(float(tails.upper_high))
    rest = ~(counted | listed)
    if rest.any():
        spans = np.where(whole, 2.0 * units, 0.0)[rest]
        log_p[rest] = _saddlepoint(sizes[rest], at[rest], spans)
    return FlipTails(log_p, counted | listed)


def _counted(weights: IntArray, at: FloatArray, used: IntArray) -> FloatArray:
    """Return log tails of whole numbers: the sum of those with a minus is at most so much."""
    totals = weights.sum(axis=1)
    minus = np.floor((totals - at) / 2 + _SLACK).astype(np.int64)
    places = np.clip(minus, 0, totals)
    found = tied_tails(weights, places, totals, used, two_sided=False)
    return np.where(minus < 0, -np.inf, found.log10_pvalue * _LN10)


def _saddlepoint(sizes: FloatArray, at: FloatArray, spans: FloatArray) -> FloatArray:
    """Return log tails by the saddlepoint; ``spans`` are the steps of laws on a lattice, or 0."""
    logs = np.empty(len(sizes))
    shares = np.square(sizes.max(axis=1)) / np.square(sizes).sum(axis=1)
    plain = np.flatnonzero(shares <= _OUTWEIGHS)
    logs[plain] = _log_upper(sizes[plain], at[plain], spans[plain])
    lumpy = np.flatnonzero(shares > _OUTWEIGHS)
    if len(lumpy):
        ordered = np.sort(sizes[lumpy], axis=1)
        rest, largest = ordered[:, :-_MOST_OUTWEIGHING], ordered[:, -_MOST_OUTWEIGHING:]
        choices = np.array(list(itertools.product((-1.0, 1.0), repeat=largest.shape[1])))
        each = [_log_upper(rest, at[lumpy] - largest @ signs, spans[lumpy]) for signs in choices]
        logs[lumpy] = scipy.special.logsumexp(each, axis=0) - math.log(len(choices))
    return logs


def _log_upper(sizes: FloatArray, at: FloatArray, spans: FloatArray) -> FloatArray:
    """Return log P(S >= at); of a negative sum, the complement is what exceeds its size."""
    spread = np.sqrt(np.square(sizes).sum(axis=1))
    numbers, reached, steps = sizes / spread[:, np.newaxis], np.abs(at) / spread, spans / spread
    below = at < 0
    logs = _log_tail(numbers, reached, np.where(below, -steps, steps))
    return np.where(below, np.log1p(-np.exp(np.minimum(logs, -1e-300))), logs)


def _log_tail(numbers: FloatArray, at: FloatArray, steps: FloatArray) -> FloatArray:
    """Return log P(S >= at), or log P(S > at) where ``steps`` are negative, for unit variance."""
    total = numbers.sum(axis=1)
    least = np.where(numbers > 0, numbers, np.inf).min(axis=1)
    log_least = -np.count_nonzero(numbers, axis=1) * math.log(2.0)
    inside = at < total - least  # beyond, all signs are the same, or there is no such sum
    t = _saddle(numbers, np.where(inside, at, 0.0))
    x = t[:, np.newaxis] * numbers
    # log cosh, without loss near 0 and without overflow
    half = np.sinh(np.minimum(x, 1.0) / 2)
    log_cosh = np.where(
        x < 1, np.log1p(2 * half * half), x + np.log1p(np.exp(-2 * x)) - math.log(2)
    )
    w = np.sqrt(np.maximum(2 * (t * at - log_cosh.sum(axis=1)), 0.0))
    variance = np.square(numbers / np.cosh(np.minimum(x, 300.0))).sum(axis=1)
    on_lattice = steps != 0
    safe = np.where(on_lattice, steps, 1.0)
    slope = np.where(on_lattice, -np.expm1(-np.minimum(safe * t, 300.0)) / safe, t)
    far = inside & (w > _CENTRE)
    safe_w, ratio = np.where(far, w, 1.0), np.where(far, slope * np.sqrt(variance), 1.0)
    root = np.where(far, w + np.log(ratio / safe_w) / safe_w, w - steps / 2)
    outside = np.where(at > total * (1 + 1e-12), -np.inf, log_least)
    return np.where(inside, np.maximum(scipy.special.log_ndtr(-root), log_least), outside)


def _saddle(numbers: FloatArray, at: FloatArray) -> FloatArray:
    """Solve sum a tanh(t a) = at for t by Newton's method, which comes from below."""
    t = at.copy()  # as the variance is 1, the slope is at most 1
    active = np.flatnonzero(at > 0)
    for _ in range(_MOST_STEPS):
        if not len(active):
            break
        some = numbers[active]
        bent = np.tanh(t[active, np.newaxis] * some)
        missing = at[active] - (some * bent).sum(axis=1)
        slope = np.square(some).sum(axis=1) - np.square(some * bent).sum(axis=1)
        left = (missing > 1e-13 * at[active]) & (slope > 0)
        active = active[left]
        t[active] += missing[left] / slope[left]
    return t


# Digits of a difference that rounding of the scores leaves as they are.
_DIGITS = 12
_NOISE = 1e-12
_POWERS = 300  # of ten, which floats have
# Least common multiples of sizes of benchmarks up to this keep sums whole.
_LARGEST_MULTIPLE = 1_000_000_000
# Pairs are processed in blocks of about this many numbers.
_BLOCK_ELEMENTS = 4_000_000

Clusters = Sequence[npt.ArrayLike | None]


class McNemar(NamedTuple):
    """Result of McNemar's test, with one entry per pair.

    ``statistic`` is the number of items on which the first alone succeeds, minus that on which the
    second alone does.
    """

    statistic: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray


def mcnemar(
    first_only: npt.ArrayLike,
    second_only: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    mid_p: bool = False,
) -> McNemar:
    """Perform McNemar's exact test of each pair on items that are right or wrong.

    If both are as often right, either is the one that is right on an item where the other is not
    with probability 1/2. Items on which both are right, or both wrong, say nothing.

    Parameters
    ----------
    first_only, second_only : array_like of int, shape (n_pairs,)
        Numbers of items on which only the first, or only the second, succeeds.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.
    mid_p : bool, default False
        Whether the observed counts count half. The exact test rejects less often than its level
        says; this one comes closer to it, and may exceed it a little.

    Returns
    -------
    McNemar
        Arrays of shape (n_pairs,). Without an item on which the two differ, p is 1.

    Raises
    ------
    ValueError
        If counts are not non-negative integers of one shape, or the alternative is unknown.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12, 153-157.
    Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for binary matched-pairs
    data: mid-p and asymptotic are better than exact conditional. BMC Medical Research Methodology
    13, 91.

    Examples
    --------
    Of 21 children 7 respond before a treatment alone, and 1 after it alone (Fagerland et al. 2013,
    table 1):

    >>> mcnemar([1], [7]).pvalue.round(4), mcnemar([1], [7], mid_p=True).pvalue.round(4)
    (array([0.0703]), array([0.0391]))
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    won, lost = (
        check_counts(value, name)
        for value, name in ((first_only, "first_only"), (second_only, "second_only"))
    )
    if won.shape != lost.shape:
        raise ValueError(
            f"`first_only` and `second_only` must have the same shape; got {won.shape} and "
            f"{lost.shape}."
        )
    n = won + lost
    at = {"two-sided": np.minimum(won, lost), "better": lost, "worse": won}[alternative]
    logs = binomial_logcdf(at, n)
    if mid_p:
        log_choices = (
            scipy.special.gammaln(n + 1)
            - scipy.special.gammaln(at + 1)
            - scipy.special.gammaln(n - at + 1)
        )
        logs = logs + np.log1p(-np.exp(log_choices - n * math.log(2.0) - logs) / 2)
        logs = np.where(n == 0, 0.0, logs)
    if alternative == "two-sided":
        logs = np.where(won == lost, 0.0, math.log(2.0) + logs)
    return McNemar(won - lost, *laws.from_log(logs))


class CochranQ(NamedTuple):
    """Result of Cochran's test: Q, degrees of freedom, p, log10 p, and whether p is exact."""

    statistic: float
    df: int
    pvalue: float
    log10_pvalue: float
    exact: bool


def cochran_q(scores: npt.ArrayLike) -> CochranQ:
    r"""Perform Cochran's Q test of any difference among algorithms that are right or wrong.

    With :math:`T_j` successes of algorithm j and :math:`L_i` on item i,

    .. math:: Q = \frac{(k - 1) \sum_j (k T_j - \sum_i L_i)^2}{k \sum_i L_i (k - L_i)},

    which is Friedman's statistic of these scores, with the correction for ties. The exact p counts
    all ways in which the successes of each item may belong to the algorithms. Its hypothesis is
    that all algorithms can be exchanged, and not only that they succeed equally often: where four
    of five algorithms are nearly the same and the fifth succeeds as often on other items, it
    rejects in 0.12 of tables (measured, 100 items, level 0.05).

    Parameters
    ----------
    scores : array_like, shape (n_algorithms, n_items)
        Scores of at least 2 algorithms on at least 2 items, with two different values at most.

    Returns
    -------
    CochranQ
        The test with k - 1 degrees of freedom. For two algorithms p is that of McNemar's exact
        test; for more it is exact up to some hundred items on which they differ (see
        :func:`~nbcompare.stats.exact_omnibus.exact_pvalue`), and by the chi-squared law beyond. If
        no item tells algorithms apart, Q is 0 and p is 1.

    Raises
    ------
    ValueError
        If there are fewer than 2 algorithms or items, or more than two different scores.

    References
    ----------
    Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37,
    256-266.

    Examples
    --------
    Four media, on which diphtheria bacilli grow or not, with 69 specimens (Cochran 1950, table 1,
    has Q = 8.05 and p = 0.045 by chi-squared):

    >>> rows = [[1, 1, 1, 1], [1, 1, 0, 1], [0, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0]]
    >>> media = np.repeat(rows, [4, 2, 3, 1, 59], axis=0).T
    >>> test = cochran_q(media)
    >>> round(test.statistic, 2), test.df, round(test.pvalue, 4), test.exact
    (8.05, 3, 0.0527, True)
    """
    array = check_finite(scores, "scores", ndim=2)
    k, n = array.shape
    if k < 2 or n < 2:
        raise ValueError(
            "`scores` must hold at least 2 algorithms (rows) and 2 items (columns); got shape "
            f"{array.shape}."
        )
    low, high = array.min(), array.max()
    if ((array != low) & (array != high)).any():
        raise ValueError(
            f"`scores` must hold two different numbers at most, such as 0 and 1; got more, from "
            f"{low:g} to {high:g}."
        )
    success = (array != low).astype(np.float64)
    of_item = success.sum(axis=0)
    ranks = midranks(success[:, (of_item > 0) & (of_item < k)].T)
    if len(ranks) < 2:  # a single item on which some succeed says as little as none
        ranks = np.vstack([ranks, np.full((2, k), (k + 1) / 2)])
    test = friedman(ranks)
    if k == 2:
        one, other = (success[0] > success[1]).sum(), (success[0] < success[1]).sum()
        pair = mcnemar([one], [other])
        return CochranQ(test.statistic, 1, pair.pvalue.item(), pair.log10_pvalue.item(), True)
    exact = exact_pvalue(ranks)
    p, log10_p = test[-2:] if exact is None else exact[:2]
    return CochranQ(test.statistic, k - 1, p, log10_p, exact is not None)


class SignFlips(NamedTuple):
    """Mean differences and sign-flip tests, with one entry per pair.

    ``difference`` is the mean gain, positive where the first is better; over several benchmarks,
    the mean of their means. ``error`` is its standard error, and ``lower`` and ``upper`` are the
    ends of its interval. ``statistic`` is the sum of the gains divided by its standard deviation
    over all choices of signs. ``exact`` says whether p counts the choices of signs and is not a
    saddlepoint approximation of their share.
    """

    difference: FloatArray
    error: FloatArray
    lower: FloatArray
    upper: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    exact: BoolArray


def sign_flip(
    gains: Sequence[npt.ArrayLike],
    clusters: Clusters,
    *,
    confidence: float = 0.95,
    alternative: str = "two-sided",
) -> SignFlips:
    r"""Test whether mean gains are further from 0 than with random signs, and estimate them.

    If swapping the two algorithms changes nothing, the gain of an item, or the sum of gains in a
    cluster of items that depend on each other, has either sign with probability 1/2, and

    .. math:: z = \frac{\sum_g D_g}{\sqrt{\sum_g D_g^2}}

    with the sum :math:`D_g` of each cluster (or gain of each item) is compared with all choices of
    signs. The sum of squares is the same for all, so that this is the test of the studentised mean
    too, and with many clusters it holds its level for equal means alone, whatever the shape of the
    gains. Where their shape is skewed it takes many: of gains with exponential laws, with half of
    the variance between clusters, it rejects up to 0.10 at 10 to 20 clusters and 0.08 at 50
    (measured, clusters of unequal sizes, level 0.05).

    Parameters
    ----------
    gains : sequence of array_like, each of shape (n_pairs, n_items)
        What the first algorithm of each pair is better by on the items of each benchmark. Several
        benchmarks have the same weight, whatever their numbers of items.
    clusters : sequence of array_like of int, or None
        For each benchmark the cluster of each item, such as a passage that several questions are
        about; None if all items are independent.
    confidence : float, default 0.95
        Confidence level of the intervals.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.

    Returns
    -------
    SignFlips
        Arrays of shape (n_pairs,). If all gains of a pair are 0, its statistic is 0 and p is 1. G
        clusters have :math:`2^G` choices of signs: with fewer than 6 no two-sided p is below 0.05.

    Raises
    ------
    ValueError
        If an option is unknown, a number is not finite, or a benchmark has fewer than 2 items or
        clusters.

    See Also
    --------
    cluster_errors : the standard error.

    Notes
    -----
    All choices of signs are counted if there are up to 24 gains (or clusters) other than 0, or if
    they are decimals whose sums are few; else their share is approximated by the saddlepoint, which
    keeps its relative accuracy far out in the tail. The intervals are the mean plus and minus
    quantiles of Student's t times the error. Its degrees of freedom are the number of clusters
    minus 1 if all have the same size, and fewer otherwise: those of Bell and McCaffrey (2002) for
    the correlation within clusters that the gains have (Imbens and Kolesár 2016). Over benchmarks
    Welch's formula joins them.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments, section 21.
    Miller, E. (2024). Adding error bars to evals. arXiv 2411.00640, sections 2.2 and 4.
    Robinson, J. (1982). Saddlepoint approximations for permutation tests and confidence intervals.
    Journal of the Royal Statistical Society B 44, 91-101.
    Bell, R. M. and McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression
    with multi-stage samples. Survey Methodology 28, 169-181.
    Imbens, G. W. and Kolesár, M. (2016). Robust standard errors in small samples: some practical
    advice. Review of Economics and Statistics 98, 701-712.

    Examples
    --------
    All six gains favour the first: 2 of 64 choices of signs are as extreme.

    >>> test = sign_flip([[[0.1, 0.3, 0.2, 0.1, 0.4, 0.1]]], [None])
    >>> test.difference.round(3), test.pvalue, test.exact
    (array([0.2]), array([0.03125]), array([ True]))

    If these are six questions on three passages, 2 of 8 choices are:

    >>> sign_flip([[[0.1, 0.3, 0.2, 0.1, 0.4, 0.1]]], [[1, 1, 2, 2, 3, 3]]).pvalue
    array([0.25])
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_probability(confidence, "confidence")
    parts = _parts(gains, clusters, "gains")
    spreads = [_spread(part) for part in parts]
    variances = np.array([of_part.variance for of_part in spreads])
    difference = np.mean([part.values.mean(axis=1) for part in parts], axis=0)
    error = np.sqrt(variances.sum(axis=0)) / len(parts)
    most = variances.max(axis=0)
    shares = variances / np.where(most > 0, most, 1.0)
    each = np.array([of_part.df for of_part in spreads])
    joined = np.where(most > 0, (np.square(shares) / each).sum(axis=0), 1.0)
    df = np.where(most > 0, np.square(shares.sum(axis=0)) / joined, each.sum(axis=0))
    reach = -scipy.special.stdtrit(df, (1 - level) / 2) * error
    sums = _sums(parts)
    blocked = list(pair_blocks(len(sums), sums.shape[1], _BLOCK_ELEMENTS)) or [slice(0)]
    tests = [_flip_tests(sums[block], alternative) for block in blocked]
    statistic, logs, exact = (np.concatenate(column) for column in zip(*tests, strict=True))
    p, log10_p = laws.from_log(logs)
    lower, upper = difference - reach, difference + reach
    return SignFlips(difference, error, lower, upper, statistic, p, log10_p, exact)


def cluster_errors(values: npt.ArrayLike, clusters: npt.ArrayLike | None) -> FloatArray:
    r"""Compute standard errors of means over items that are independent or in clusters.

    Without clusters this is the standard deviation divided by :math:`\sqrt n`. With clusters, of
    :math:`n_g` items each, it is

    .. math:: \frac{1}{n} \sqrt{\sum_g \frac{(\sum_{i \in g} (d_i - \bar d))^2}{1 - n_g / n}},

    whose denominator corrects for the residuals being smaller than errors: the variance is
    unbiased for independent clusters of the same size, where it is G/(G - 1) for G clusters.

    Parameters
    ----------
    values : array_like, shape (n_rows, n_items)
        Scores of each algorithm, or gains of each pair.
    clusters : array_like of int, shape (n_items,), or None
        The cluster of each item; None if all items are independent.

    Returns
    -------
    ndarray of float, shape (n_rows,)
        Standard errors, in the unit of the values.

    Raises
    ------
    ValueError
        If there are fewer than 2 items or clusters, or shapes do not match.

    References
    ----------
    Miller, E. (2024). Adding error bars to evals. arXiv 2411.00640, equation 4, without the
    correction. Bell, R. M. and McCaffrey, D. F. (2002). Survey Methodology 28, 169-181.

    Examples
    --------
    >>> cluster_errors([[1, 1, 0, 0, 1, 0]], None).round(4)
    array([0.2236])
    >>> cluster_errors([[1, 1, 0, 0, 1, 0]], [1, 1, 2, 2, 3, 3]).round(4)
    array([0.2887])
    """
    (part,) = _parts([values], [clusters], "values")
    return np.asarray(np.sqrt(_spread(part).variance))


def detectable_difference(
    error: npt.ArrayLike, *, alpha: float = 0.05, power: float = 0.8
) -> FloatArray:
    r"""Compute the difference that a two-sided test finds with the given probability.

    It is :math:`(z_{1 - \alpha/2} + z_{power})` standard errors (Miller 2024, section 5). Errors
    shrink with the root of the number of items: those of n items, times :math:`\sqrt{n/m}`, are
    those of m.

    Parameters
    ----------
    error : array_like
        Standard errors of differences. Of 0/1 scores that differ on a share :math:`\psi` of n
        items that is :math:`\sqrt{\psi/n}` if the difference is small.
    alpha : float, default 0.05
        Level of the test; divided by the number of pairs, for Bonferroni's.
    power : float, default 0.8
        Probability of finding the difference.

    Returns
    -------
    ndarray of float
        Differences, in the unit of the errors.

    Raises
    ------
    ValueError
        If an error is negative, or a probability is not between 0 and 1.

    Examples
    --------
    Two models that differ on a fifth of 1,000 questions:

    >>> float(detectable_difference((0.2 / 1000) ** 0.5).round(4))
    0.0396
    """
    errors = check_finite(error, "error")
    if (errors < 0).any():
        raise ValueError(f"`error` must not be negative; got {errors.min():g}.")
    level, wanted = check_probability(alpha, "alpha"), check_probability(power, "power")
    return np.asarray((scipy.special.ndtri(1 - level / 2) + scipy.special.ndtri(wanted)) * errors)


class _Part(NamedTuple):
    """Values on the items of a benchmark; ``starts`` of the clusters of items, or None."""

    values: FloatArray
    starts: IntArray | None

    @property
    def sizes(self) -> FloatArray:
        """Numbers of items of each cluster."""
        n = self.values.shape[1]
        return np.ones(n) if self.starts is None else np.diff(self.starts, append=n) * 1.0

    def summed(self, values: FloatArray) -> FloatArray:
        """Sum over the items of each cluster."""
        return values if self.starts is None else np.add.reduceat(values, self.starts, axis=1)


def _parts(values: Sequence[npt.ArrayLike], clusters: Clusters, argument: str) -> tuple[_Part, ...]:
    if len(values) != len(clusters) or not len(values):
        raise ValueError(
            f"`clusters` must have one entry per benchmark in `{argument}`, of which there is at "
            f"least 1; got {len(clusters)} and {len(values)}."
        )
    parts = tuple(map(_part, values, clusters, itertools.repeat(argument)))
    if len({len(part.values) for part in parts}) > 1:
        raise ValueError(
            f"`{argument}` must have the same number of rows for each benchmark; got "
            f"{[len(part.values) for part in parts]}."
        )
    return parts


def _part(values: npt.ArrayLike, clusters: npt.ArrayLike | None, argument: str) -> _Part:
    array = check_finite(values, argument, ndim=2)
    n = array.shape[1]
    if clusters is None:
        part = _Part(array, None)
    else:
        labels = np.asarray(clusters)
        if labels.shape != (n,):
            raise ValueError(
                f"`clusters` must hold one label per item, {n}; got shape {labels.shape}."
            )
        codes = np.unique(labels, return_inverse=True)[1].reshape(-1)
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        part = _Part(array[:, order], starts)
    if len(part.sizes) < 2:
        noun = "items" if clusters is None else "clusters of items"
        raise ValueError(
            f"`{argument}` must hold at least 2 {noun} of each benchmark; got {len(part.sizes)}."
        )
    return part


class _Spread(NamedTuple):
    """Variances of the means of the rows, and their degrees of freedom."""

    variance: FloatArray
    df: FloatArray


def _spread(part: _Part) -> _Spread:
    values, sizes = part.values, part.sizes
    n = values.shape[1]
    share = sizes / n
    weight = 1 / (1 - share)
    alike = np.square(sizes).sum() > n
    variance, df = np.empty((2, len(values)))
    for block in pair_blocks(len(values), n, _BLOCK_ELEMENTS):
        centred = values[block] - values[block].mean(axis=1, keepdims=True)
        squares = np.square(part.summed(centred))
        variance[block] = squares @ weight / n**2
        df[block] = len(sizes) - 1
        if alike:
            # of a correlation rho in clusters, sums vary as n_g (1 + (n_g - 1) rho)
            total = np.square(centred).sum(axis=1)
            surplus = n * squares.sum(axis=1) / np.where(total > 0, total, 1.0) - n
            rho = np.clip(surplus / (np.square(sizes).sum() - n), 0.0, 1.0)[:, np.newaxis]
            df[block] = _degrees(sizes * (1 + (sizes - 1) * rho), share, weight)
    return _Spread(variance, df)


def _degrees(of_sums: FloatArray, share: FloatArray, weight: FloatArray) -> FloatArray:
    """Return degrees of freedom of the weighted squares of residuals of sums of clusters.

    Rows of ``of_sums`` are variances V of the sums. The squares are a quadratic form M of these,
    and their degrees of freedom tr(MV)^2 / tr(MVMV).
    """
    lever = weight * share
    centre = float(lever @ share)
    diagonal, off = weight - 2 * lever + centre, centre - lever
    whole = of_sums.sum(axis=1) * (of_sums @ np.square(off) + of_sums @ np.square(lever))
    whole -= 2 * (of_sums @ lever) * (of_sums @ off)
    own = np.square(of_sums) @ (np.square(diagonal) - np.square(off - lever))
    return np.asarray(np.square(of_sums @ diagonal) / (whole + own))


def _sums(parts: tuple[_Part, ...]) -> FloatArray:
    """Return sums of clusters without a unit, benchmarks side by side with the same weight.

    They are whole numbers if the values are decimals.
    """
    values = np.hstack([part.values for part in parts])
    largest = float(np.abs(values).max(initial=0.0))
    # a power of ten as the unit keeps decimals
    power = min(max(math.floor(math.log10(largest)), -_POWERS), _POWERS) if largest else 0
    rounded = whole_numbers(np.round(values / 10.0**power, _DIGITS))
    counts = [part.values.shape[1] for part in parts]
    multiple = math.lcm(*counts)
    whole = multiple <= _LARGEST_MULTIPLE
    shares = [(multiple // n) if whole else counts[0] / n for n in counts]
    found = np.split(rounded, np.cumsum(counts)[:-1], axis=1)
    return np.hstack(
        [share * part.summed(some) for part, some, share in zip(parts, found, shares, strict=True)]
    )


def _noise(sums: FloatArray) -> FloatArray:
    """Return differences of sums that are rounding noise; whole numbers have none."""
    whole = (sums == np.rint(sums)).all(axis=1)
    return np.where(whole, 0.0, _NOISE * np.abs(sums).sum(axis=1))


def _cleared(sums: FloatArray) -> FloatArray:
    """Return sums with zeros in place of noise."""
    sizes = np.abs(sums)
    return np.where(sizes <= _NOISE * sizes.max(axis=1, initial=0.0, keepdims=True), 0.0, sums)


def _flip_tests(sums: FloatArray, alternative: str) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return statistics, log p and whether p is exact, of rows of sums of clusters."""
    sums = _cleared(sums)
    spread = np.sqrt(np.square(sums).sum(axis=1))
    known = spread > 0
    statistic, logs = np.zeros((2, len(sums)))
    exact = np.ones(len(sums), dtype=np.bool_)
    total = sums.sum(axis=1)
    at = {"two-sided": np.abs(total), "better": total, "worse": -total}[alternative][known]
    statistic[known] = total[known] / spread[known]
    logs[known], exact[known] = flip_tails(sums[known], at, _noise(sums[known]))
    return statistic, logs + (math.log(2.0) if alternative == "two-sided" else 0.0), exact
