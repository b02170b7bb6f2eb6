"""Wilcoxon's signed-rank test for many pairs at once, exact with ties and zeros."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import _laws, tails
from nbcompare.stats.pairwise import columns_with_sizes, pair_blocks
from nbcompare.stats.rankings import check_scale, midranks

ZEROS = ("demsar", "split", "wilcox", "pratt")
# Up to this many nonzero differences, p is exact by default.
MOST_EXACT = 300
# The normal law tells tails within this factor, apart from the steps of the exact law.
_TRUSTED = 1.5
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
    levels: tuple[float, float] | None = None,
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
    levels : tuple of 2 float, optional
        The smallest and the largest level with which p will be compared. A two-sided p that is
        surely below the smallest or above the largest, with a wide margin, is then that of the
        normal approximation, which is on the same side of all levels.

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
            levels if alternative == "two-sided" else None,
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
    check_choice(method, "method", _laws.METHODS)
    check_choice(alternative, "alternative", _laws.ALTERNATIVES)


def _test(
    differences: FloatArray,
    sizes: FloatArray,
    zeros: str,
    method: str,
    alternative: str,
    levels: tuple[float, float] | None = None,
) -> SignedRanks:
    """Test each row; ``sizes`` are the magnitudes that determine rounding noise."""
    n = differences.shape[1]
    zero = np.abs(differences) <= NOISE * sizes
    n_zero = np.count_nonzero(zero, axis=1)
    signed, n_dropped = _signed_doubled_ranks(differences, sizes, zero, n_zero, zeros)
    minus = np.maximum(signed, 0).sum(axis=1)  # a positive difference means that the first is worse
    plus = minus - signed.sum(axis=1)
    shared = np.zeros(len(n_zero))
    if zeros in ("demsar", "split"):
        kept = n_zero - n_dropped
        shared = kept * (kept + 1) / 4
    used = n - n_zero
    exact = is_exact(used, method)
    if levels is not None:
        exact &= ~is_sure(signed, minus - plus, *levels)
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


def _signed_doubled_ranks(
    differences: FloatArray, sizes: FloatArray, zero: BoolArray, n_zero: IntArray, zeros: str
) -> tuple[IntArray, IntArray]:
    """Return twice the signed ranks as integers, and the numbers of zeros dropped."""
    size = np.abs(differences)
    if n_zero.any():
        size[zero] = 0.0
        sizes = np.where(zero, 0.0, sizes)  # large tied scores must not tie small differences
    doubled = (2 * midranks(size, scale=sizes)).astype(np.int64) if size.size else size.astype(int)
    dropped = {"demsar": n_zero % 2, "wilcox": n_zero}.get(zeros, np.zeros_like(n_zero))
    # zeros have the lowest ranks, so dropping some lowers all other ranks by their number
    doubled -= 2 * dropped[:, np.newaxis]
    np.negative(doubled, out=doubled, where=differences < 0)
    if n_zero.any():
        doubled[zero] = 0
    return doubled, dropped


def is_exact(used: IntArray, method: str) -> BoolArray:
    """Return for which numbers of nonzero differences p is exact."""
    none: BoolArray = used == 0
    if method == "normal":
        return none  # p is 1 if no difference is left
    if method == "exact":
        if used.max(initial=0) > _laws.MOST_RANKS:
            raise ValueError(
                f"`method` must be 'auto' or 'normal' for more than {_laws.MOST_RANKS:,} "
                f"differences; got 'exact' for {used.max():,}."
            )
        return np.ones(used.shape, dtype=np.bool_)
    few: BoolArray = used <= MOST_EXACT
    return few


def is_sure(signed: IntArray, sums: IntArray, lowest: float, highest: float) -> BoolArray:
    """Return where the exact two-sided p is surely below or above both levels.

    The steps of the exact law are at most twice the largest rank: the normal approximation is
    taken half a step to either side, and beyond that it is trusted within a factor.
    """
    spread = np.sqrt(np.square(signed.astype(np.float64)).sum(axis=1))
    known = spread > 0
    spread = np.where(known, spread, 1.0)
    z, step = np.abs(sums) / spread, np.abs(signed).max(axis=1, initial=0) / spread
    most = 2 * scipy.special.ndtr(step - z) * _TRUSTED
    least = 2 * scipy.special.ndtr(-step - z) / _TRUSTED
    sure: BoolArray = known & ((most < lowest) | (least > highest))
    return sure


def _exact_tails(
    signed: IntArray, plus: IntArray, minus: IntArray, used: IntArray, alternative: str
) -> _laws.Tail:
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
        below = _laws.untied_sums_of_subsets(n)
        tail = _laws.of_subsets(below, at[rows] // 2, n * (n + 1) // 2, n, two_sided=two_sided)
        p[rows], log10_p[rows] = tail
    if not untied.all():
        rest = ~untied
        ranks = np.sort(np.abs(signed[rest]), axis=1)
        p[rest], log10_p[rest] = tied_tails(
            ranks, at[rest], total[rest], used[rest], two_sided=two_sided
        )
    return _laws.Tail(p, log10_p)


def tied_tails(
    weights: IntArray, at: IntArray, totals: IntArray, used: IntArray, *, two_sided: bool
) -> _laws.Tail:
    """Return exact p of sums of random signs times whole numbers; equal rows share their law.

    ``weights`` of each row are sorted, the ``used`` ones last after zeros, with the sum ``totals``;
    p is the probability that those with one sign have the sum ``at`` or less.
    """
    p, log10_p = np.empty((2, len(weights)))
    most = np.maximum(_laws.smaller_sums(at, totals), 0)
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
    return _laws.Tail(p, log10_p)


def _short_tails(
    weights: IntArray, at: IntArray, totals: IntArray, used: IntArray, *, two_sided: bool
) -> _laws.Tail:
    """Return the same of many rows that need few sums, which are counted together."""
    units = np.maximum(np.gcd.reduce(weights, axis=1), 1)
    weights, places, wholes = weights // units[:, np.newaxis], at // units, totals // units
    wanted, counts = _laws.smaller_sums(places, wholes), np.zeros(len(weights))
    for rows, below in _laws.sums_of_subsets_each(weights, np.maximum(wanted, 0)):
        there = rows[wanted[rows] >= 0]
        counts[there] = below[wanted[rows] >= 0, wanted[there]]
    return _laws.tails_of_counts(counts, 2 * places >= wholes, used, two_sided=two_sided)


@lru_cache(maxsize=2048)  # one who tries levels and adjustments asks for the same tails again
def _tied_tails(
    doubled: bytes, at: tuple[int, ...], total: int, n: int, two_sided: bool
) -> _laws.Tail:
    """Return exact p of sums of signs of the same ranks, which are doubled 32-bit integers."""
    law, unit = _laws.in_units(np.frombuffer(doubled, dtype=np.int32).astype(np.int64))
    places, whole = np.array(at) // unit, total // unit
    most = int(np.minimum(places, np.maximum(whole - places - 1, 0)).max())
    below = _laws.sums_of_subsets(law, most)
    return _laws.of_subsets(below, places, whole, n, two_sided=two_sided)


def normal_tails(z: FloatArray, alternative: str) -> _laws.Tail:
    """Return p-values of normal statistics that are negative where the first is better."""
    if alternative == "two-sided":
        return _laws.Tail(*tails.from_log(tails.normal_two_sided_logp(z)))
    return _laws.Tail(*tails.from_log(scipy.special.log_ndtr(z if alternative == "better" else -z)))
