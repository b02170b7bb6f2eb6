"""Tests of pairs by signs and signed ranks, exact with ties, and the triples test of symmetry."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import laws
from nbcompare.stats.laws import ALTERNATIVES
from nbcompare.stats.pairwise import columns_with_sizes, pair_blocks
from nbcompare.stats.rankings import check_scale, ranks_of_rows

ZEROS = ("demsar", "split", "wilcox", "pratt")
# Up to this many nonzero differences, p is exact by default.
MOST_EXACT = 300
# The normal law tells tails within this factor, apart from the steps of the exact law.
_TRUSTED = 1.5
# Of how many equal ranks a sum must be worth: with 7 the normal law has failed, with 8 not yet.
_FEWEST = 10
# Pairs are processed in blocks of about this many differences.
_BLOCK_ELEMENTS = 40_000
# Of so many rows and more, tails with sums of up to so much are counted together.
_MANY, _SHORT = 16, 1_000


class SignedRanks(NamedTuple):
    """Result of the signed-rank test, with one entry per pair of algorithms.

    ``statistic`` is the sum of the signed ranks, positive where the first is better. ``r_plus``
    and ``r_minus`` are the sums of ranks where the first is better and where it is worse.
    ``n_used`` is the number of differences that were ranked. ``exact`` says whether p is exact and
    not a normal approximation.
    """

    statistic: FloatArray
    r_plus: FloatArray
    r_minus: FloatArray
    n_used: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    exact: BoolArray


class SignedRank(NamedTuple):
    """Result of the signed-rank test of one vector of differences; see :class:`SignedRanks`."""

    statistic: float
    r_plus: float
    r_minus: float
    n_used: int
    pvalue: float
    log10_pvalue: float
    exact: bool


def signed_ranks(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    zeros: str = "demsar",
    method: str = "auto",
    alternative: str = "two-sided",
    scale: npt.ArrayLike | None = None,
) -> SignedRanks:
    r"""Perform Wilcoxon's signed-rank test of each pair of algorithms.

    The differences of two algorithms are ranked by their size, with mid-ranks for ties. Under the
    null hypothesis each difference has either sign with probability 1/2. All :math:`2^m` choices of
    signs of the m nonzero differences, with their actual ranks, are counted by dynamic programming,
    so that p is exact with ties too.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    zeros : {"demsar", "split", "wilcox", "pratt"}
        How data sets on which the two tie are handled. ``demsar``: their ranks, the lowest, are
        split evenly between both sums, and one is dropped first if their number is odd (Demšar
        2006, p. 7, where the second sum is misprinted). ``split``: the same, but none is dropped.
        ``wilcox``: all are dropped before ranking. ``pratt``: all are ranked, then dropped. Zeros
        keep their place in the null distribution, so ``split`` and ``pratt`` differ in the sums,
        but not in p.
    method : {"auto", "exact", "normal"}
        ``auto`` is exact up to 300 nonzero differences, and uses the normal approximation beyond,
        with the variance of the tied ranks and without continuity correction. ``exact`` is
        possible up to 1,000.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any. Differences are
        tied, or zero, if they differ only by rounding noise of that magnitude.

    Returns
    -------
    SignedRanks
        Arrays of shape (n_pairs,). If a pair ties on all data sets, p is 1.

    Raises
    ------
    ValueError
        If an option is unknown, a number is not finite, or an exact p is requested for more than
        1,000 differences.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1,
    80-83. Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank
    procedures. Journal of the American Statistical Association 54, 655-667.

    Examples
    --------
    In Table 2 of Demšar (2006), C4.5 is compared with C4.5+m by AUC. Two data sets are tied; the
    paper has R+ = 93, R- = 12, and C4.5+m is better.

    >>> one = np.array([.763, .599, .954, .628, .882, .936, .661, .583, .775, 1., .94, .619, .972,
    ...                 .957])
    >>> two = np.array([.768, .591, .971, .661, .888, .931, .668, .583, .838, 1., .962, .666, .981,
    ...                 .978])
    >>> test = signed_ranks(-np.column_stack([two, one]), np.array([0]), np.array([1]))
    >>> test.r_plus, test.r_minus, test.pvalue.round(4)
    (array([93.]), array([12.]), array([0.0078]))
    """
    _check_options(zeros, method, alternative)
    columns, sizes = columns_with_sizes(scores, scale)
    parts = [
        _test(
            columns[first[block]] - columns[second[block]],
            np.maximum(sizes[first[block]], sizes[second[block]]),
            zeros,
            method,
            alternative,
        )
        for block in list(pair_blocks(len(first), columns.shape[1], _BLOCK_ELEMENTS)) or [slice(0)]
    ]
    return SignedRanks(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def signed_rank(
    differences: npt.ArrayLike,
    *,
    zeros: str = "demsar",
    method: str = "auto",
    alternative: str = "two-sided",
    scale: npt.ArrayLike | None = None,
) -> SignedRank:
    """Perform Wilcoxon's signed-rank test of one vector of differences first minus second.

    Parameters
    ----------
    differences : array_like, shape (n_datasets,)
        Differences, negative where the first is better.
    zeros, method, alternative
        See :func:`signed_ranks`.
    scale : array_like, optional
        Magnitude of the scores from which the differences were computed.

    Returns
    -------
    SignedRank
        Result with numbers in place of arrays.

    Examples
    --------
    Of 32 choices of signs, these and the opposite ones are the most extreme:

    >>> signed_rank([-1, -2, -3, -4, -5]).pvalue
    0.0625
    """
    _check_options(zeros, method, alternative)
    array = check_finite(differences, "differences", ndim=1)
    size = np.abs(array) if scale is None else check_scale(scale, array.shape)
    test = _test(array[np.newaxis], size[np.newaxis], zeros, method, alternative)
    return SignedRank(*(column[0].item() for column in test))


def _check_options(zeros: str, method: str, alternative: str) -> None:
    check_choice(zeros, "zeros", ZEROS)
    check_choice(method, "method", laws.METHODS)
    check_choice(alternative, "alternative", laws.ALTERNATIVES)


def _test(
    differences: FloatArray,
    sizes: FloatArray,
    zeros: str,
    method: str,
    alternative: str,
) -> SignedRanks:
    """Test each row; ``sizes`` are the magnitudes that determine rounding noise."""
    n = differences.shape[1]
    signed, n_zero, n_dropped = _signed_doubled_ranks(differences, sizes, zeros)
    minus = np.maximum(signed, 0).sum(axis=1)  # a positive difference means that the first is worse
    plus = minus - signed.sum(axis=1)
    shared = np.zeros(len(n_zero))
    if zeros in ("demsar", "split"):
        kept = n_zero - n_dropped
        shared = kept * (kept + 1) / 4
    used = n - n_zero
    exact = is_exact(used, method)
    p, log10_p = np.empty((2, len(signed)))
    if exact.any():
        p[exact], log10_p[exact] = _exact_tails(
            signed[exact], plus[exact], minus[exact], used[exact], alternative
        )
    if not exact.all():
        rest = ~exact
        z = (minus - plus)[rest] / np.sqrt(np.square(signed[rest].astype(np.float64)).sum(axis=1))
        p[rest], log10_p[rest] = normal_tails(z, alternative)
    return SignedRanks(
        (plus - minus) / 2, plus / 2 + shared, minus / 2 + shared, n - n_dropped, p, log10_p, exact
    )


class Bounds(NamedTuple):
    """Bounds of two-sided p-values, with one entry per pair.

    ``statistic`` is that of the test. Where ``least`` and ``most`` are equal, p is on the same side
    of all levels as they are.
    """

    statistic: FloatArray
    least: FloatArray
    most: FloatArray


def signed_rank_bounds(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    levels: tuple[float, float],
    *,
    scale: npt.ArrayLike | None = None,
) -> Bounds:
    """Return between which numbers p of :func:`signed_ranks` is, much faster than p itself.

    Parameters
    ----------
    scores, first, second, scale
        See :func:`signed_ranks`.
    levels : tuple of 2 float
        The smallest and the largest level with which p will be compared.

    Returns
    -------
    Bounds
        Arrays of shape (n_pairs,).
    """
    columns, sizes = columns_with_sizes(scores, scale)
    parts = []
    for block in pair_blocks(len(first), columns.shape[1], _BLOCK_ELEMENTS):
        one, other = first[block], second[block]
        signed, _, _ = _signed_doubled_ranks(
            columns[one] - columns[other], np.maximum(sizes[one], sizes[other]), "demsar"
        )
        parts.append(Bounds(-signed.sum(axis=1) / 2, *normal_bounds(signed, levels)))
    return Bounds(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _signed_doubled_ranks(
    differences: FloatArray, sizes: FloatArray, zeros: str
) -> tuple[IntArray, IntArray, IntArray]:
    """Return twice the signed ranks as integers, and the numbers of zeros, and of those dropped."""
    size = np.abs(differences)
    zero = size <= NOISE * sizes
    n_zero = np.count_nonzero(zero, axis=1)
    if n_zero.any():
        size[zero] = 0.0
        sizes = np.where(zero, 0.0, sizes)  # large tied scores must not tie small differences
    doubled = (2 * ranks_of_rows(size, sizes)).astype(np.int64) if size.size else size.astype(int)
    dropped = n_zero % 2 if zeros == "demsar" else n_zero * (zeros == "wilcox")
    # zeros have the lowest ranks, so dropping some lowers all other ranks by their number
    doubled -= 2 * dropped[:, np.newaxis]
    np.negative(doubled, out=doubled, where=differences < 0)
    if n_zero.any():
        doubled[zero] = 0
    return doubled, n_zero, dropped


def is_exact(used: IntArray, method: str) -> BoolArray:
    """Return for which numbers of nonzero differences p is exact."""
    none: BoolArray = used == 0
    if method == "normal":
        return none  # p is 1 if no difference is left
    if method == "exact":
        if used.max(initial=0) > laws.MOST_RANKS:
            raise ValueError(
                f"`method` must be 'auto' or 'normal' for more than {laws.MOST_RANKS:,} "
                f"differences; got 'exact' for {used.max():,}."
            )
        return np.ones(used.shape, dtype=np.bool_)
    few: BoolArray = used <= MOST_EXACT
    return few


def normal_bounds(signed: IntArray, levels: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return bounds of the exact two-sided p of sums of signed ranks: 0 and 0 below both levels.

    The steps of the exact law are at most twice the largest rank: the normal approximation is
    taken half a step to either side, and beyond that it is trusted within a factor, unless few
    ranks make up the sum, whose tails are then much shorter.
    """
    squares = np.square(signed.astype(np.float64))
    total = squares.sum(axis=1)
    known, few = total > 0, total**2 < _FEWEST * np.square(squares).sum(axis=1)
    spread = np.sqrt(np.where(known, total, 1.0))
    z, step = np.abs(signed.sum(axis=1)) / spread, np.abs(signed).max(axis=1, initial=0) / spread
    most = np.minimum(2 * scipy.special.ndtr(step - z) * _TRUSTED, 1.0)
    least = 2 * scipy.special.ndtr(-step - z) / _TRUSTED
    most, least = np.where(few, 1.0, most), np.where(few, 0.0, least)
    below, above = known & (most < levels[0]), ~known | (least > levels[1])
    least = np.where(above, 1.0, np.where(least < levels[0], 0.0, least))
    return least, np.where(below, 0.0, np.where(above, 1.0, most))


def _exact_tails(
    signed: IntArray, plus: IntArray, minus: IntArray, used: IntArray, alternative: str
) -> laws.Tail:
    """Return exact p of rows of signed doubled ranks; equal null distributions are shared."""
    at = {"two-sided": np.minimum(plus, minus), "better": minus, "worse": plus}[alternative]
    total = plus + minus
    two_sided = alternative == "two-sided"
    p, log10_p = np.empty((2, len(signed)))
    # Ties lower the sum of squares, and zeros that keep their rank raise the sum.
    squares = np.square(signed).sum(axis=1)
    untied = (total == used * (used + 1)) & (3 * squares == 2 * total * (2 * used + 1))
    for n in np.unique(used[untied]).tolist():
        rows = np.flatnonzero(untied & (used == n))
        below = laws.untied_sums_of_subsets(n)
        tail = laws.of_subsets(below, at[rows] // 2, n * (n + 1) // 2, n, two_sided=two_sided)
        p[rows], log10_p[rows] = tail
    if not untied.all():
        rest = ~untied
        ranks = np.sort(np.abs(signed[rest]), axis=1)
        p[rest], log10_p[rest] = tied_tails(
            ranks, at[rest], total[rest], used[rest], two_sided=two_sided
        )
    return laws.Tail(p, log10_p)


def tied_tails(
    weights: IntArray, at: IntArray, totals: IntArray, used: IntArray, *, two_sided: bool
) -> laws.Tail:
    """Return exact p of sums of random signs times whole numbers; equal rows share their law.

    ``weights`` of each row are sorted, the ``used`` ones last after zeros, with the sum ``totals``;
    p is the probability that those with one sign have the sum ``at`` or less.
    """
    p, log10_p = np.empty((2, len(weights)))
    most = np.maximum(laws.smaller_sums(at, totals), 0)
    short = (most <= _SHORT) & (len(weights) >= _MANY)
    if short.any():
        p[short], log10_p[short] = _short_tails(
            weights[short], at[short], totals[short], used[short], two_sided=two_sided
        )
    alike: dict[bytes, list[int]] = {}
    for row in np.flatnonzero(~short).tolist():
        alike.setdefault(weights[row].tobytes(), []).append(row)
    for sharing in alike.values():
        one, rows = sharing[0], np.array(sharing)
        n, whole = int(used[one]), int(totals[one])
        law = weights[one, weights.shape[1] - n :].astype(np.int32).tobytes()
        p[rows], log10_p[rows] = _tied_tails(law, tuple(at[rows].tolist()), whole, n, two_sided)
    return laws.Tail(p, log10_p)


def _short_tails(
    weights: IntArray, at: IntArray, totals: IntArray, used: IntArray, *, two_sided: bool
) -> laws.Tail:
    """Return the same of many rows that need few sums, which are counted together."""
    units = np.maximum(np.gcd.reduce(weights, axis=1), 1)
    weights, places, wholes = weights // units[:, np.newaxis], at // units, totals // units
    wanted, counts = laws.smaller_sums(places, wholes), np.zeros(len(weights))
    for rows, below in laws.sums_of_subsets_each(weights, np.maximum(wanted, 0)):
        there = rows[wanted[rows] >= 0]
        counts[there] = below[wanted[rows] >= 0, wanted[there]]
    return laws.tails_of_counts(counts, 2 * places >= wholes, used, two_sided=two_sided)


@lru_cache(maxsize=2048)  # one who tries levels and adjustments asks for the same tails again
def _tied_tails(
    doubled: bytes, at: tuple[int, ...], total: int, n: int, two_sided: bool
) -> laws.Tail:
    """Return exact p of sums of signs of the same ranks, which are doubled 32-bit integers."""
    law, unit = laws.in_units(np.frombuffer(doubled, dtype=np.int32).astype(np.int64))
    places, whole = np.array(at) // unit, total // unit
    most = int(np.minimum(places, np.maximum(whole - places - 1, 0)).max())
    below = laws.sums_of_subsets(law, most)
    return laws.of_subsets(below, places, whole, n, two_sided=two_sided)


def normal_tails(z: FloatArray, alternative: str) -> laws.Tail:
    """Return p-values of normal statistics that are negative where the first is better."""
    if alternative == "two-sided":
        return laws.Tail(*laws.from_log(laws.normal_two_sided_logp(z)))
    return laws.Tail(*laws.from_log(scipy.special.log_ndtr(z if alternative == "better" else -z)))


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
    return SignTest(won - lost, used, *laws.from_log(logs))


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
    return laws.f_logsf((n - at) / (at + 1), 2 * (at + 1), 2 * (n - at))


def check_counts(value: npt.ArrayLike, argument: str) -> IntArray:
    """Return a vector of whole numbers from 0."""
    array = check_finite(value, argument, ndim=1)
    if (array < 0).any() or (array % 1 != 0).any():
        raise ValueError(f"`{argument}` must hold whole numbers from 0; got {array.tolist()}.")
    return array.astype(np.int64)


LEAST = 10  # differences below which the test cannot say anything
_MOST = 100  # differences whose triples are all looked at


class SymmetryTest(NamedTuple):
    """Result of the triples test: positive where the differences have the longer upper tail."""

    statistic: float
    pvalue: float


_NOTHING = SymmetryTest(0.0, 1.0)


def triples(differences: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> SymmetryTest:
    r"""Test whether differences are symmetric about a centre that is not known.

    Of any three differences the middle one is nearer to the smallest, nearer to the largest, or in
    the middle. The statistic is the share of triples of the first kind minus that of the second,
    divided by its standard error by the jackknife,

    .. math:: V = \frac{U}{S}, \qquad
        S^2 = \frac{9(n - 1)}{n(n - 3)^2} \sum_i (U_i - U)^2,

    with U the mean over all triples and :math:`U_i` that over those with the i-th difference. p is
    two-sided by Student's law with n/2 degrees of freedom.

    Parameters
    ----------
    differences : array_like, shape (n,)
        Independent differences, in any unit. Triples whose middle is in the middle, as where all
        three tie, count for neither side.
    scale : array_like, shape (n,), optional
        Magnitudes of the numbers that were subtracted, which determine the rounding noise; by
        default, those of the differences.

    Returns
    -------
    SymmetryTest
        Statistic and p; 0 and 1 for fewer than 10 differences, and if no triple is on a side. If
        all are on the same side the statistic is infinite and p is 0.

    Raises
    ------
    ValueError
        If a difference is not finite.

    Notes
    -----
    Randles et al. estimate the variance in another way and take the normal law, which rejects more
    often than stated below 30 differences: at 0.05, of 20 normal ones in 0.048, of 20 from two
    clusters in 0.130. Of 3,000 tables from each of ten symmetric laws (normal, uniform, Laplace,
    t with 2 degrees of freedom, Cauchy, two clusters, rounded, three values, most of them 0, with
    variances that differ), p at most 0.01 came in 0.000 to 0.050 at n = 15 to 30, and in 0.002 to
    0.024 at n = 100; of gamma differences with shape 2 in 0.38 at n = 30 and 0.97 at n = 100.

    More than 100 differences are represented by 100 of their quantiles at regular places, which
    have the same triples but for the grid, with the standard error of all.

    References
    ----------
    Randles, R. H., Fligner, M. A., Policello, G. E. and Wolfe, D. A. (1980). An asymptotically
    distribution-free test for symmetry versus asymmetry. Journal of the American Statistical
    Association 75, 168-172.

    Examples
    --------
    Of twelve differences half are 0, and the others lie the farther apart the larger they are:

    >>> test = triples([0, 0, 0, 0, 0, 0, 1, 2, 3, 5, 8, 13])
    >>> round(test.statistic, 2), round(test.pvalue, 4)
    (5.88, 0.0011)
    """
    values = check_finite(differences, "differences")
    if values.ndim != 1:
        raise ValueError(f"`differences` must have 1 dimension; got shape {values.shape}.")
    sizes = np.abs(values) if scale is None else check_scale(scale, values.shape)
    n = len(values)
    if n < LEAST:
        return _NOTHING
    largest = math.frexp(float(np.abs(values).max()))[1] + 2
    x = _quantiles(np.sort(np.ldexp(values, -largest)))  # sums of three cannot overflow
    means = _means_of_triples(x, 4 * NOISE * float(np.ldexp(sizes.max(), -largest)))
    centre = float(means.mean())
    spread = float(np.square(means - centre).mean()) * 9 * (n - 1) / (n - 3) ** 2
    if spread <= 0:
        return SymmetryTest(math.copysign(math.inf, centre), 0.0) if centre else _NOTHING
    statistic = centre / math.sqrt(spread)
    return SymmetryTest(statistic, float(2 * scipy.special.stdtr(n / 2, -abs(statistic))))


def _quantiles(ordered: FloatArray) -> FloatArray:
    """Return the ordered values, or quantiles at regular places if there are many."""
    n = len(ordered)
    if n <= _MOST:
        return ordered
    places = (2 * np.arange(_MOST) + 1) * n
    below, above = -(-places // (2 * _MOST)) - 1, places // (2 * _MOST)
    return np.asarray((ordered[below] + ordered[above]) / 2)


def _means_of_triples(x: FloatArray, noise: float) -> FloatArray:
    """Return, for each of the ordered values, the mean sign of the triples that it is part of."""
    n = len(x)
    low, high = np.triu_indices(n, 1)
    middle = (x[low] + x[high]) / 2
    # of the values between the two, those before ``near`` are nearer to the lower one
    near = np.clip(np.searchsorted(x, middle - noise, "left"), low + 1, high)
    far = np.clip(np.searchsorted(x, middle + noise, "right"), low + 1, high)
    signs = (near - low - 1) - (high - far)
    total = _count(low, n, signs) + _count(high, n, signs)
    steps = _count(low + 1, n) - _count(near, n) - _count(far, n) + _count(high, n)
    total += np.cumsum(steps)  # what each value adds as the middle one
    return np.asarray(total / ((n - 1) * (n - 2) / 2))


def _count(places: IntArray, n: int, weights: IntArray | None = None) -> FloatArray:
    return np.bincount(places, weights, minlength=n + 1)[:n].astype(np.float64)
