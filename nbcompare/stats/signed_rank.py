"""Wilcoxon's signed-ranks test: exact with ties and zeros, for many pairs at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import _laws, tails
from nbcompare.stats.pairwise import columns_with_sizes, pair_blocks
from nbcompare.stats.rankings import NOISE, check_scale, midranks

ZEROS = ("demsar", "split", "wilcox", "pratt")
# Up to this many differences other than zero, p is exact unless told otherwise.
MOST_EXACT = 300
# Pairs are taken in pair_blocks of about this many differences.
_BLOCK_ELEMENTS = 40_000


class SignedRanks(NamedTuple):
    """One entry per pair of algorithms.

    ``statistic``: the sum of the signed ranks, positive where the first is better.
    ``r_plus``, ``r_minus``: sums of ranks where the first is better and where it is worse.
    ``n_used``: how many differences were ranked. ``exact``: whether p is, rather than a normal
    approximation.
    """

    statistic: FloatArray
    r_plus: FloatArray
    r_minus: FloatArray
    n_used: IntArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    exact: BoolArray


class SignedRank(NamedTuple):
    """One vector of differences; as :class:`SignedRanks`."""

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
    r"""Wilcoxon's signed-ranks test of each pair of algorithms.

    The differences of two algorithms are ranked by their size, ties sharing the mean of
    their ranks, and under the null hypothesis each takes either sign with probability
    1/2. All :math:`2^m` choices of signs, of the m differences other than zero with the
    very ranks they have, are counted by dynamic programming: p is exact with ties too.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Smaller is better.
    first, second : ndarray of int, shape (n_pairs,)
        The algorithms of each pair.
    zeros : {"demsar", "split", "wilcox", "pratt"}
        What becomes of data sets on which the two tie. ``demsar``: their ranks, the
        lowest, are shared evenly between both sums; of an odd number one is dropped first
        (Demšar 2006, p. 7, where the second sum is misprinted). ``split``: none is
        dropped. ``wilcox``: all are dropped before ranking. ``pratt``: all are ranked, then
        dropped. Zeros keep their place in the null law, so ``split`` and ``pratt`` differ in
        the sums, not in p.
    method : {"auto", "exact", "normal"}
        ``auto``: exact up to 300 differences other than zero, beyond that the normal
        approximation with the variance of the tied ranks and without continuity correction.
        ``exact`` goes up to 1,000.
    alternative : {"two-sided", "better", "worse"}
        Whether the first differs, is better, or is worse. Two-sided p is twice the smaller
        tail, at most 1.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were. Differences
        are tied, or zero, when rounding noise of that magnitude is all there is between them.

    Returns
    -------
    SignedRanks
        Arrays of shape (n_pairs,). If a pair ties on all data sets, p is 1.

    Raises
    ------
    ValueError
        For an unknown option, numbers that are not finite, or more than 1,000 differences
        where exact ones are asked for.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1,
    80-83. Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank
    procedures. Journal of the American Statistical Association 54, 655-667.

    Examples
    --------
    Demšar (2006), Table 2: C4.5 against C4.5+m, errors from the printed AUC. Two data sets
    are tied; the paper has R+ = 93, R- = 12, and C4.5+m is better.

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
    """Wilcoxon's signed-ranks test of one vector of differences, first minus second.

    Parameters
    ----------
    differences : array_like, shape (n_datasets,)
        Negative where the first is better.
    zeros, method, alternative
        As in :func:`signed_ranks`.
    scale : array_like, optional
        Magnitude of the scores that the differences are differences of.

    Returns
    -------
    SignedRank
        Numbers rather than arrays.

    Examples
    --------
    Of 32 choices of signs, these and their opposite are the most extreme:

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
    differences: FloatArray, sizes: FloatArray, zeros: str, method: str, alternative: str
) -> SignedRanks:
    """Tests of the rows; ``sizes`` are what their rounding noise goes by."""
    n = differences.shape[1]
    zero = np.abs(differences) <= NOISE * sizes
    n_zero = np.count_nonzero(zero, axis=1)
    signed, n_dropped = _signed_doubled_ranks(differences, sizes, zero, n_zero, zeros)
    minus = np.maximum(signed, 0).sum(axis=1)  # first minus second is positive: it is worse
    plus = minus - signed.sum(axis=1)
    shared = np.zeros(len(n_zero))
    if zeros in ("demsar", "split"):
        kept = n_zero - n_dropped
        shared = kept * (kept + 1) / 4
    used = n - n_zero
    exact = _is_exact(used, method)
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
    """Twice the ranks, whole numbers, with the signs of the differences; and how many drop."""
    size = np.abs(differences)
    if n_zero.any():
        size[zero] = 0.0
        sizes = np.where(zero, 0.0, sizes)  # large tied scores: no reason to join small differences
    doubled = (2 * midranks(size, scale=sizes)).astype(np.int64) if size.size else size.astype(int)
    dropped = {"demsar": n_zero % 2, "wilcox": n_zero}.get(zeros, np.zeros_like(n_zero))
    # zeros rank lowest, so dropping some lowers every other rank by their number
    doubled -= 2 * dropped[:, np.newaxis]
    np.negative(doubled, out=doubled, where=differences < 0)
    if n_zero.any():
        doubled[zero] = 0
    return doubled, dropped


def _is_exact(used: IntArray, method: str) -> BoolArray:
    none: BoolArray = used == 0
    if method == "normal":
        return none  # nothing to approximate: p is 1
    if method == "exact":
        if used.max(initial=0) > _laws.MOST_RANKS:
            raise ValueError(
                f"`method` must be 'auto' or 'normal' for more than {_laws.MOST_RANKS:,} "
                f"differences; got 'exact' for {used.max():,}."
            )
        return np.ones(used.shape, dtype=np.bool_)
    few: BoolArray = used <= MOST_EXACT
    return few


def _exact_tails(
    signed: IntArray, plus: IntArray, minus: IntArray, used: IntArray, alternative: str
) -> _laws.Tail:
    """Exact p of rows of signed doubled ranks; rows with one null law share it."""
    at = {"two-sided": np.minimum(plus, minus), "better": minus, "worse": plus}[alternative]
    total = plus + minus
    two_sided = alternative == "two-sided"
    p, log10_p = np.empty((2, len(signed)))
    # Ties lower the sum of squares, zeros that keep their rank raise the sum.
    squares = np.square(signed).sum(axis=1)
    untied = (total == used * (used + 1)) & (3 * squares == 2 * total * (2 * used + 1))
    for n in np.unique(used[untied]).tolist():
        rows = np.flatnonzero(untied & (used == n))
        below = _laws.untied_sums_of_subsets(n)
        tail = _laws.of_subsets(below, at[rows] // 2, n * (n + 1) // 2, n, two_sided=two_sided)
        p[rows], log10_p[rows] = tail
    ranks = np.sort(np.abs(signed), axis=1)
    alike: dict[bytes, list[int]] = {}
    for row in np.flatnonzero(~untied).tolist():
        alike.setdefault(ranks[row].tobytes(), []).append(row)
    for sharing in alike.values():
        one, rows = sharing[0], np.array(sharing)
        n = int(used[one])
        law, unit = _laws.in_units(ranks[one, ranks.shape[1] - n :])
        places, whole = at[rows] // unit, int(total[one]) // unit
        most = int(np.minimum(places, np.maximum(whole - places - 1, 0)).max())
        below = _laws.sums_of_subsets(law, most)
        p[rows], log10_p[rows] = _laws.of_subsets(below, places, whole, n, two_sided=two_sided)
    return _laws.Tail(p, log10_p)


def normal_tails(z: FloatArray, alternative: str) -> _laws.Tail:
    """P-values of standard normal statistics that are negative where the first is better."""
    if alternative == "two-sided":
        return _laws.Tail(*tails.from_log(tails.normal_two_sided_logp(z)))
    return _laws.Tail(*tails.from_log(special.log_ndtr(z if alternative == "better" else -z)))
