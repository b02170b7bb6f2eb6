"""Mid-ranks, in which differences by rounding noise are ties, and rankings based on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite

_EPS = np.finfo(np.float64).eps
# The difference of two larger numbers might overflow.
LARGEST = np.finfo(np.float64).max / 4
# Scores with at most this many decimals are converted to integers of at most this size.
_MOST_DECIMALS = 6
_LARGEST_WHOLE = 2.0**31
_FEW_SCORES = 1_000
# Rows are ranked in blocks that fit into the processor's cache.
_BLOCK_ELEMENTS = 80_000


def midranks(
    values: npt.ArrayLike, *, axis: int = -1, scale: npt.ArrayLike | None = None
) -> FloatArray:
    """Rank values in ascending order along an axis, with mid-ranks for ties.

    Values are tied if they differ by rounding noise only: sorted neighbours whose gap is at most
    ``8 eps`` times their scale are joined. For example, ``0.3 - 0.1`` and ``0.2`` are tied here,
    and ``1e-12`` and ``1e-10`` are not, regardless of the other values in the row.

    Parameters
    ----------
    values : array_like
        Finite numbers, of any shape.
    axis : int, default -1
        Axis along which to rank.
    scale : array_like, optional
        For values that were computed (differences, residuals, means), the magnitude of the
        numbers from which they were computed, broadcast against ``values``. By default, the
        values are treated as exact readings, and their own magnitude is their scale.

    Returns
    -------
    ndarray of float
        Ranks from 1, of the shape of ``values``, in multiples of one half. An empty array has
        no ranks.

    Raises
    ------
    ValueError
        If a value or scale is not a finite number, or the scale does not broadcast.

    Examples
    --------
    Two values share the ranks 2 and 3:

    >>> midranks([0.9, 0.7, 0.8, 0.8])
    array([4. , 1. , 2.5, 2.5])

    A difference of two readings near 0.3 carries their rounding noise:

    >>> midranks([0.3 - 0.1, 0.2, 0.1], scale=0.3)
    array([2.5, 2.5, 1. ])
    """
    array = check_finite(values, "values")
    if array.ndim == 0:
        raise ValueError("`values` must have at least 1 dimension; got a single number.")
    if array.size == 0:
        return np.empty(array.shape)
    rows, shape = _as_rows(array, axis)
    scales = None
    if scale is not None:
        scales = _as_rows(check_scale(scale, array.shape), axis)[0]
    return np.moveaxis(ranks_of_rows(rows, scales).reshape(shape), -1, axis)


def ranks_of_rows(rows: FloatArray, scales: FloatArray | None) -> FloatArray:
    """Return mid-ranks within each row, of contiguous rows that are not empty."""
    ranks = np.empty(rows.shape)
    step = max(1, _BLOCK_ELEMENTS // rows.shape[1])
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        _rank_block(rows[block], None if scales is None else scales[block], out=ranks[block])
    return ranks


def check_scale(scale: npt.ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Check magnitudes and broadcast them to an array of this shape."""
    magnitude = np.abs(check_finite(scale, "scale"))
    try:
        return np.broadcast_to(magnitude, shape)
    except ValueError:
        raise ValueError(
            f"`scale` must broadcast against values of shape {shape}; "
            f"got an array of shape {magnitude.shape}."
        ) from None


def whole_numbers(scores: FloatArray) -> FloatArray:
    """Multiply scores with few decimals by a power of ten, so that differences are exact."""
    largest = np.abs(scores).max(initial=0.0)
    powers = 10.0 ** np.arange(_MOST_DECIMALS + 1)
    powers = powers[powers <= _LARGEST_WHOLE / max(largest, 1.0)]
    few = scores.reshape(-1)[:_FEW_SCORES, np.newaxis]  # mostly enough to see that some are none
    for power in powers[_are_whole(few * powers).all(axis=0)]:
        if _are_whole(scaled := scores * power).all():
            whole: FloatArray = np.rint(scaled)
            return whole
    return scores


def _are_whole(numbers: FloatArray) -> BoolArray:
    whole = np.rint(numbers)
    return np.asarray(np.abs(numbers - whole) <= 2 * _EPS * np.abs(whole))


def with_sizes(scores: FloatArray, scale: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Return scores to add and subtract, and magnitudes that determine their noise."""
    if scale is not None:
        return scores, check_scale(scale, scores.shape)
    exact = whole_numbers(scores)
    return exact, np.abs(exact)


def has_ties(ranks: FloatArray) -> bool:
    """Return whether any row of mid-ranks has ties, which lower the sum of squares."""
    length = ranks.shape[-1]
    untied = length * (length + 1) * (2 * length + 1) / 6
    if ranks.ndim == 2:
        return bool((np.einsum("ij,ij->i", ranks, ranks) < untied).any())
    return bool(np.square(ranks).sum() < untied)


def _as_rows(array: FloatArray, axis: int) -> tuple[FloatArray, tuple[int, ...]]:
    moved = np.moveaxis(array, axis, -1)
    return np.ascontiguousarray(moved).reshape(-1, moved.shape[-1]), moved.shape


def _rank_block(rows: FloatArray, scales: FloatArray | None, *, out: FloatArray) -> None:
    """Rank the rows of one block into ``out``."""
    length = rows.shape[1]
    ranks = out.reshape(-1)
    order = np.argsort(rows, axis=1) + np.arange(0, rows.size, length).reshape(-1, 1)
    ordered = rows.take(order, mode="clip")
    with np.errstate(over="ignore"):  # a gap that overflows is not noise
        gaps = _neighbours(np.subtract, ordered)
    if scales is None:
        joined = gaps <= NOISE * _neighbours(np.maximum, np.abs(ordered))
    else:
        joined = gaps <= NOISE * scales.max()
        if (joined != (gaps <= NOISE * scales.min())).any():  # the scales of the values matter
            ordered_scales = _ordered_scales(scales, order, ordered)
            joined = gaps <= NOISE * _neighbours(np.maximum, ordered_scales)
    joined[:, -1] = False
    ranks[order] = _shared_ranks(joined) if joined.any() else np.arange(1.0, length + 1)


def _ordered_scales(scales: FloatArray, order: IntArray, ordered: FloatArray) -> FloatArray:
    """Return scales of sorted values, with the largest for equal values in any order."""
    ordered_scales: FloatArray = scales.take(order, mode="clip")
    equal = _neighbours(np.equal, ordered)
    if (equal & _neighbours(np.not_equal, ordered_scales)).any():
        largest = _largest_of_equal(ordered_scales.reshape(-1), equal.reshape(-1))
        ordered_scales = largest.reshape(ordered.shape)
    return ordered_scales


def _largest_of_equal(scales: FloatArray, equal: BoolArray) -> FloatArray:
    """Replace scales of equal neighbours by the largest; ``equal`` marks those before an equal."""
    begins = np.flatnonzero(np.append(True, ~equal[:-1]))
    largest = np.maximum.reduceat(scales, begins)
    return np.repeat(largest, np.diff(begins, append=scales.size))


def _neighbours(operate: Callable[..., npt.NDArray[Any]], rows: npt.NDArray[Any]) -> Any:
    """Apply ``operate(right neighbour, value)`` in each row; 0 or False for the last value.

    One operation over the flat block is several times faster than one per row. The last column,
    which is compared with the next row there, is reset.
    """
    flat = rows.reshape(-1)
    results = operate(flat[1:], flat[:-1])
    marks = np.zeros(rows.shape, dtype=results.dtype)
    marks.reshape(-1)[:-1] = results
    marks[:, -1] = 0
    return marks


def _shared_ranks(joined: BoolArray) -> FloatArray:
    """Return mid-ranks of sorted rows; ``joined`` marks ties with the right neighbour."""
    length = joined.shape[1]
    # the smallest integer type that holds twice a position, to move less memory
    kind = np.uint8 if length <= 127 else np.int16 if length <= 16_000 else np.int64
    positions = np.arange(length, dtype=kind).reshape(-1, 1)
    ties = np.ascontiguousarray(joined.T)  # positions first: each step is one long operation
    first = np.empty(ties.shape, dtype=kind)
    first[0] = 0
    np.multiply(~ties[:-1], positions[1:], out=first[1:])
    last = ties * kind(length - 1)
    np.maximum(last, positions, out=last)
    np.maximum.accumulate(first, axis=0, out=first)
    np.minimum.accumulate(last[::-1], axis=0, out=last[::-1])
    first += last
    ranks = np.ascontiguousarray(first.T) * 0.5
    ranks += 1.0
    return ranks


# Sums and differences of larger scores might overflow.
_LARGEST = 1e290
_EXACT = 2.0**53  # smaller whole numbers, and their sums, are not rounded


class Ranking(NamedTuple):
    """Ranking of a table: rank scores of the cells, and the average ranks.

    Attributes
    ----------
    scores : ndarray of float, shape (n_datasets, n_algorithms)
        Rank scores that tests sum by column. They are multiples of 1/4, so sums are exact.
    average_ranks : ndarray of float, shape (n_algorithms,)
        Average ranks, lower is better.
    unit : float
        Divisor that converts differences of column sums to differences of average ranks.
    tied : bool
        Whether any ranks are shared.
    sums : ndarray of float, shape (n_algorithms,)
        Column sums of the rank scores.
    """

    scores: FloatArray
    average_ranks: FloatArray
    unit: float
    tied: bool
    sums: FloatArray


def rank(
    scores: npt.ArrayLike, ranking: str = "friedman", *, scale: npt.ArrayLike | None = None
) -> Ranking:
    """Rank a table of scores.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores, smaller is better.
    ranking : {"friedman", "aligned", "quade"}
        Ranking; see :func:`friedman_ranking`, :func:`aligned_ranking`, :func:`quade_ranking`.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If the ranking is unknown, or scores are not a table of finite numbers.
    """
    check_choice(ranking, "ranking", tuple(RANKINGS))
    return RANKINGS[ranking].rank(scores, scale=scale)


def friedman_ranking(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:
    """Rank within each data set, and average the ranks over data sets.

    Parameters
    ----------
    scores, scale
        See :func:`rank`.

    Returns
    -------
    Ranking
        ``scores`` are mid-ranks within each data set, from 1 to k, and ``average_ranks`` are their
        means.

    Raises
    ------
    ValueError
        If scores are not a table of finite numbers.

    Examples
    --------
    >>> friedman_ranking([[0.1, 0.2, 0.2], [0.3, 0.2, 0.1]]).average_ranks
    array([2.  , 2.25, 1.75])
    """
    array = check_finite(scores, "scores", ndim=2)
    sizes = None if scale is None else check_scale(scale, array.shape)
    ranks = ranks_of_rows(np.ascontiguousarray(array), sizes) if array.size else array
    sums, n = ranks.sum(axis=0), float(len(ranks))
    return Ranking(ranks, sums / n, n, has_ties(ranks), sums)


def aligned_ranking(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:
    """Subtract the mean of each data set from its scores, then rank all of them together.

    Aligned ranks (Hodges and Lehmann 1962) range from 1 to nk. They reflect the size of differences
    across data sets, which ranks within data sets ignore.

    Residuals are tied if they differ by rounding noise only, and each data set has noise of its
    own: 8 eps times its largest magnitude. Residuals of two data sets are tied within the smaller
    noise of the two, so a data set of large scores, whose residuals are known roughly, does not
    tie the residuals of the others.

    Parameters
    ----------
    scores, scale
        See :func:`rank`.

    Returns
    -------
    Ranking
        ``scores`` are the aligned ranks, with mid-ranks for ties, and ``average_ranks`` are their
        means over the data sets.

    Raises
    ------
    ValueError
        If scores are not a table of finite numbers.

    Examples
    --------
    The residuals are -0.1, 0.1 and -0.3, 0.3, and their ranks are 2, 3, 1, 4:

    >>> aligned_ranking([[0.4, 0.6], [0.1, 0.7]]).scores
    array([[2., 3.],
           [1., 4.]])
    """
    array, sizes = _computable(scores, scale)
    k = array.shape[1]
    # k times the residuals needs no division, and is exact for integer scores
    residuals = k * array - array.sum(axis=1, keepdims=True)
    ranks = _ranks_of_all(residuals, k * sizes.max(axis=1)) if array.size else residuals
    sums, n = ranks.sum(axis=0), float(len(ranks))
    return Ranking(ranks, sums / n, n, has_ties(ranks.reshape(-1)), sums)


def _ranks_of_all(values: FloatArray, sizes: FloatArray) -> FloatArray:
    """Rank the values of all rows together; each row has its own size, and so its own noise."""
    order, gaps = _in_order(values)
    joined = gaps <= NOISE * sizes.min()
    if (joined != (gaps <= NOISE * sizes.max())).any():  # the rows matter
        settled = _without_noise_in_rows(values, sizes)
        if settled is not values:
            order, gaps = _in_order(settled)
        size = sizes.take(order // values.shape[1])
        equal = gaps == 0
        if (equal[:-1] & (size[1:] != size[:-1])).any():
            size = _largest_of_equal(size, equal)
        joined[:-1] = gaps[:-1] <= NOISE * np.minimum(size[1:], size[:-1])
        joined[-1] = False
    ranks = np.empty(values.shape)
    ranks.reshape(-1)[order] = _shared_ranks(joined[np.newaxis])[0]
    return ranks


def _in_order(values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return flat positions that sort all values, and the gap to the next, infinite at the end."""
    order = np.argsort(values, axis=None)
    gaps = values.take(order)
    with np.errstate(over="ignore"):  # a gap that overflows is not noise
        np.subtract(gaps[1:], gaps[:-1], out=gaps[:-1])
    gaps[-1] = np.inf
    return order, gaps


def _without_noise_in_rows(values: FloatArray, sizes: FloatArray) -> FloatArray:
    """Replace values of a row that differ by its noise by the middle between their ends.

    Otherwise values of other rows that lie between them would break the tie.
    """
    with np.errstate(over="ignore"):
        close = np.diff(np.sort(values, axis=1), axis=1) <= NOISE * sizes[:, np.newaxis]
    rows = np.flatnonzero(close.any(axis=1))
    kept = values[rows]
    ranks = midranks(kept, scale=sizes[rows, np.newaxis])
    settled = np.empty_like(kept)
    for column in range(values.shape[1]):
        tied = ranks == ranks[:, column : column + 1]
        ends = np.where(tied, kept, np.inf).min(axis=1), np.where(tied, kept, -np.inf).max(axis=1)
        # residuals that are all tied are zero
        settled[:, column] = np.where(tied.all(axis=1), 0.0, ends[0] / 2 + ends[1] / 2)
    if (settled == kept).all():
        return values
    values = values.copy()
    values[rows] = settled
    return values


def quade_ranking(scores: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Ranking:
    r"""Rank within each data set, and weight data sets by the rank of their range.

    A data set with a large range between its best and worst score has more weight (Quade 1979).
    The rank scores are :math:`S_{ij} = Q_i (r_{ij} - (k+1)/2)`, and the average ranks are
    :math:`T_j = \sum_i Q_i r_{ij} / (n(n+1)/2)`, from 1 to k.

    Parameters
    ----------
    scores, scale
        See :func:`rank`.

    Returns
    -------
    Ranking
        ``scores`` are the rank scores, and ``average_ranks`` the average ranks; ties share the mean
        of their ranks.

    Raises
    ------
    ValueError
        If scores are not a table of finite numbers.

    Examples
    --------
    The ranges are 0.2 and 0.6, so the second data set counts twice:

    >>> result = quade_ranking([[0.6, 0.4], [0.1, 0.7]])
    >>> result.scores
    array([[ 0.5, -0.5],
           [-1. ,  1. ]])
    >>> result.average_ranks.round(3)
    array([1.333, 1.667])
    """
    raw = check_finite(scores, "scores", ndim=2)
    ranks = midranks(raw, scale=scale)
    array, sizes = _computable(raw, scale)
    ranges, scales = np.ptp(array, axis=1), sizes.max(axis=1)
    # Tied large scores, with a range of zero, must not be tied with small ranges.
    nothing = (ranks == ranks[:, :1]).all(axis=1)
    ranges[nothing] = 0.0
    scales[nothing] = 0.0
    weights = midranks(ranges, scale=scales)
    n, k = ranks.shape
    weighted = weights[:, np.newaxis] * (ranks - (k + 1) / 2)
    unit = n * (n + 1) / 2
    sums = weighted.sum(axis=0)
    averages = sums / unit + (k + 1) / 2
    return Ranking(weighted, averages, unit, has_ties(ranks) or has_ties(weights), sums)


def sums_of_squares(scores: FloatArray) -> tuple[float, float]:
    """Return sums of squares of column sums around their mean, and of scores around row means.

    For rank scores only multiples of 1/16 are added, so the result does not depend on the order of
    rows and columns.
    """
    k = scores.shape[1]
    largest = max(float(scores.max()), -float(scores.min()))
    if 16 * scores.size * largest**2 < _EXACT:  # no sum of squares is rounded
        by_column = scores.sum(axis=0)
        mean = float(by_column.sum()) / scores.size
        columns, rows = by_column - len(scores) * mean, row_sums(scores) - k * mean
        squares = float(np.einsum("ij,ij->", scores, scores)) - scores.size * mean**2
    else:
        mean = float(scores.mean())
        deviations = scores - mean
        columns, rows = deviations.sum(axis=0), deviations.sum(axis=1)
        squares = float(np.square(deviations).sum())
    within = squares - float(np.square(rows).sum()) / k
    return float(np.square(columns).sum()), max(within, 0.0)


def row_sums(scores: FloatArray) -> FloatArray:
    """Return the sum of each row, several times as fast as ``sum(axis=1)`` for short rows."""
    return np.asarray(np.einsum("ij->i", scores))


def _computable(
    scores: npt.ArrayLike, scale: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return scores and magnitudes of :func:`with_sizes`, scaled so that no sum overflows."""
    array, sizes = with_sizes(check_finite(scores, "scores", ndim=2), scale)
    if array.size and sizes.max() > _LARGEST:
        array, sizes = array * 2.0**-64, sizes * 2.0**-64
    return array, sizes


class RankingMethod(NamedTuple):
    """Functions that compute a ranking.

    Attributes
    ----------
    rank : callable
        Function from scores and their scale to a :class:`Ranking`.
    unit : callable
        Function from n data sets to the divisor that turns sums of ranks into average ranks.
    printed_error : callable
        Function from k algorithms and n data sets to the standard error of a difference of
        average ranks according to the papers.
    parts : int
        Its rank scores are multiples of 1 over this.
    """

    rank: Callable[..., Ranking]
    unit: Callable[[int], float]
    printed_error: Callable[[int, int], float]
    parts: int = 2


RANKINGS: Mapping[str, RankingMethod] = MappingProxyType(
    {
        "friedman": RankingMethod(
            friedman_ranking,
            unit=float,
            printed_error=lambda k, n: math.sqrt(k * (k + 1) / (6 * n)),
        ),
        "aligned": RankingMethod(
            aligned_ranking,
            unit=float,
            printed_error=lambda k, n: math.sqrt(k * (n * k + 1) / 6),
        ),
        "quade": RankingMethod(
            quade_ranking,
            unit=lambda n: n * (n + 1) / 2,
            printed_error=lambda k, n: math.sqrt(
                k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1))
            ),
            parts=4,
        ),
    }
)
