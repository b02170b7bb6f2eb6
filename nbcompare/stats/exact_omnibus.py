"""Exact omnibus tests of rank scores, over all orders of the scores within all data sets.

Under the null hypothesis every order of the scores of a data set is equally likely. Algorithms are
then exchangeable, so that only the **sorted** column sums matter, and their law is built by adding
one data set after the other and merging equal sums. Three things keep the work small:

- If the rows still to come look the same from above and from below, as untied ranks do, sums and
  their mirror image are one.
- Where few sums are equal (aligned ranks), data sets are added from both ends, and the two laws
  meet in the middle. There nothing is merged: a product of matrices counts the orders in which two
  sums together reach the observed statistic, about 32 while one sum is added and merged.
- The law depends on the rows, not on which algorithm is where, and the latest ones are kept.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray, locked
from nbcompare._validation import check_count
from nbcompare.stats.omnibus import check_table

# This many pairs of sums are counted in the time of one that is added and merged.
_COUNTED_AT_ONCE = 32
# A row takes at least the time of this many sums.
_PER_ROW = 2_000
# Sums are worked on in blocks that fit into the processor's cache.
_BLOCK = 1 << 15
# Codes of sums are below this, and squares of sums are exact as floats.
_LARGEST_CODE = 1 << 62
_LARGEST_SQUARE = 2.0**52
# Probabilities whose logarithm may be lower than this are kept as logarithms.
_LOWEST_LOG = -600.0
_LN10 = math.log(10.0)
_Row = tuple[int, ...]


class ExactP(NamedTuple):
    """Exact p-value of an omnibus test.

    Attributes
    ----------
    pvalue, log10_pvalue : float
        P-value, which may underflow to 0, and its common logarithm, which does not.
    expansions : int
        Work that it took: sums that were formed and merged, or the like.
    """

    pvalue: float
    log10_pvalue: float
    expansions: int


def exact_pvalue(scores: npt.ArrayLike, *, most: int = 2_000_000) -> ExactP | None:
    r"""Compute the exact p-value of Friedman's test, its form by aligned ranks, or Quade's test.

    It is the probability that the sum of squares of column sums is at least the observed one if
    the scores of each row are put into a random order, independently and all orders equally likely.
    With mid-ranks that is Friedman's and equally Iman and Davenport's test, because one statistic
    is a rising function of the other; with Quade's scores :math:`S_{ij}` it is Quade's. Ties are
    part of the law.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Mid-ranks, aligned ranks or Quade's scores (the ``scores`` of
        :func:`nbcompare.stats.rankings.rank`), which are multiples of 1/4.
    most : int, default 2_000_000
        Most expansions, which are counted before they are made. An expansion is a sum of
        column sums and one order of a row; 32 of those that are only counted are one, and each
        row is 2,000 more. The count depends on the values in the rows, never on their order
        or on a clock: all tables with these rows are tested exactly, or none.

    Returns
    -------
    ExactP or None
        None if it would take more. Rows whose scores are all equal do not matter; if there are
        fewer than two others, p is 1.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, a number is not finite or not a
        multiple of 1/4, or ``most`` is not a positive whole number.

    Notes
    -----
    Two million expansions take 0.03 to 0.15 seconds. Without ties they reach 148 x 3, 32 x 4,
    11 x 5 and 5 x 6 data sets and algorithms by Friedman's ranks, 32 x 3, 11 x 4 and 6 x 5 by
    Quade's scores, and 14 x 3, 7 x 4 and 4 x 5 by aligned ranks. The probabilities are sums of
    positive terms, which are accurate relative to their own size however small they are.

    References
    ----------
    Friedman (1937) and Kendall (1970, appendix table 5) list the smallest cases.

    Examples
    --------
    Seven of 36 orders of the second and third row agree as much as these, where Iman and
    Davenport's approximation gives 0.0494:

    >>> result = exact_pvalue([[1, 2, 3], [1, 2, 3], [2, 1, 3]])
    >>> round(result.pvalue, 6), round(result.pvalue * 36)
    (0.194444, 7)

    A million data sets are too many:

    >>> import numpy as np
    >>> exact_pvalue(np.tile([1, 2, 3], (1_000_000, 1))) is None
    True
    """
    budget = check_count(most, "most", least=1)
    array = np.asarray(scores)
    most_rows = budget // _PER_ROW + 2
    head = 4 * most_rows
    for part in (array[:head], array) if array.ndim == 2 and len(array) > head else (array,):
        # the first rows are enough to refuse most large tables
        table = check_table(part, "scores")
        table = table[_untied(table)]
        if len(table) > most_rows:
            return None
    whole = _whole(table)
    if len(whole) < 2:
        return ExactP(1.0, 0.0, 0)
    sums = whole.sum(axis=0)
    if float(sums.sum()) ** 2 > _LARGEST_SQUARE:
        return None
    halves = _halves(tuple(sorted(map(tuple, np.sort(whole, axis=1).tolist()))), budget)
    if halves is None:
        return None
    log_p = _log_reaching(halves, float(np.square(sums).sum()))
    return ExactP(math.exp(log_p), log_p / _LN10, halves.expansions)


def _untied(array: FloatArray) -> BoolArray:
    """Return which rows have different scores."""
    return np.asarray((array != array[:, :1]).any(axis=1))


def _whole(array: FloatArray) -> IntArray:
    """Return rows as whole numbers with the minimum 0, as small as possible."""
    fourfold = 4 * array
    whole = np.rint(fourfold)
    if (fourfold != whole).any():
        row, column = (int(i) for i in np.argwhere(fourfold != whole)[0])
        raise ValueError(
            f"`scores` must hold rank scores, which are multiples of 1/4; got "
            f"{float(array[row, column])!r}. Rank with rank() first, and pass its scores."
        )
    rows = (whole - whole.min(axis=1, keepdims=True, initial=np.inf)).astype(np.int64)
    return np.asarray(rows // max(1, int(np.gcd.reduce(rows, axis=None, initial=0))))


class _Law(NamedTuple):
    """Sorted column sums, shape (k, n_sums), and their probabilities or the logarithms of these."""

    sums: IntArray
    weights: FloatArray


class _Halves(NamedTuple):
    """Laws of the sums of two parts of the rows, and the work that they take together."""

    first: _Law
    second: _Law
    in_logs: bool
    expansions: int


@lru_cache(maxsize=16)
def _halves(rows: tuple[_Row, ...], most: int) -> _Halves | None:
    """Return the laws of two parts of these sorted rows, or None if it takes too much work."""
    counts = {row: _n_orders(row) for row in set(rows)}
    # Rows with many orders come first, while there are few sums; one of each part costs nothing.
    ordered = sorted(rows, key=lambda row: (-counts[row], row))
    n_orders = [counts[row] for row in ordered]
    work = _PER_ROW * len(rows)
    if work + sum(n_orders[1:]) > most:
        return None
    in_logs = sum(map(math.log, n_orders[1:])) > -_LOWEST_LOG
    arrays = [np.array(row) for row in ordered]
    # rows after this one look the same from above and from below
    lopsided = [place for place, row in enumerate(arrays) if (row + row[::-1] != row[-1]).any()]
    mirrored_from = max(lopsided, default=0)
    certain = np.zeros(1) if in_logs else np.ones(1)
    first, second = (_Law(row[:, np.newaxis], certain) for row in (arrays[0], arrays[-1]))
    start, stop = 1, len(rows) - 1
    placed = n_orders[-1]  # all orders of all sums of the second part
    to_come = sum(n_orders[start:stop])
    merging = True
    while True:
        n_first, n_second = len(first.weights), len(second.weights)
        final = placed + n_first * placed // _COUNTED_AT_ONCE
        # rows do not make the number of sums smaller, so that there is at least this to do
        if work + min(n_first, n_second) * to_come + final > most:
            return None
        if start == stop:
            return _Halves(first, second, in_logs, work + final)
        cheap = n_second * n_orders[stop - 1]
        if cheap <= _COUNTED_AT_ONCE or (not merging and cheap <= n_first * n_orders[start]):
            stop -= 1
            work += cheap
            to_come -= n_orders[stop]
            second = _add(second, arrays[stop], in_logs)
            placed = sum(_n_orders(tuple(sums)) for sums in second.sums.T.tolist())
            continue
        if merging and work + n_first * to_come + final > most:
            return None
        expanded = n_first * n_orders[start]
        work += expanded
        to_come -= n_orders[start]
        first = _add(first, arrays[start], in_logs, mirrored=start >= mirrored_from)
        merging = len(first.weights) <= expanded / 2
        start += 1


def _add(law: _Law, row: IntArray, in_logs: bool, *, mirrored: bool = False) -> _Law:
    """Add a row in random order to sorted sums, and merge mirror images too if they may be."""
    k, n_sums = law.sums.shape
    orders = _placed(row[:, np.newaxis])[0].T.astype(np.int32)
    n_orders = orders.shape[1]
    low, high = law.sums.min(axis=1), law.sums.max(axis=1) + row[-1]
    total = int(law.sums[:, 0].sum() + row.sum())
    # a mirror image around the mean has whole sums if twice the mean is whole
    centre, rest = divmod(2 * total, k)
    mirrored = mirrored and not rest
    if mirrored:
        low, high = np.minimum(low, centre - high[::-1]), np.maximum(high, centre - low[::-1])
    code = _Code(low, high, total)
    codes = np.empty((code.n_words, n_sums * n_orders), dtype=np.int64)
    step = max(1, _BLOCK // n_orders)
    for begin in range(0, n_sums, step):
        some = law.sums[:, begin : begin + step, np.newaxis].astype(np.int32)
        sums = (some + orders[:, np.newaxis, :]).reshape(k, -1)
        _sort_columns(sums)
        block = codes[:, begin * n_orders :][:, : sums.shape[1]]
        code.write(sums, block)
        if mirrored and code.n_words == 1:
            others = np.empty_like(block)
            code.write(centre - sums[::-1], others)
            np.minimum(block, others, out=block)
    each = law.weights - math.log(n_orders) if in_logs else law.weights / n_orders
    found, weights = _merged(codes, np.repeat(each, n_orders), code.size, in_logs)
    return _Law(code.read(found), weights)


class _Code:
    """One-to-one codes of sorted sums: whole numbers, or several where one would be too large."""

    def __init__(self, low: IntArray, high: IntArray, total: int) -> None:
        self.low, self.total = low.tolist(), total
        self.lengths = (high - low + 1).tolist()
        self.words: list[list[int]] = [[]]
        self.size = 1
        for place, length in enumerate(self.lengths[:-1]):  # the last sum follows from the others
            if self.size * length > _LARGEST_CODE:
                self.words.append([])
                self.size = 1
            self.words[-1].append(place)
            self.size *= length
        self.n_words = len(self.words)

    def write(self, sums: npt.NDArray[np.int32], out: IntArray) -> None:
        for word, places in zip(out, self.words, strict=True):
            word[:] = sums[places[0]]
            word -= self.low[places[0]]
            for place in places[1:]:
                word *= self.lengths[place]
                word += sums[place]
                word -= self.low[place]

    def read(self, codes: IntArray) -> IntArray:
        sums = np.empty((len(self.low), codes.shape[1]), dtype=np.int64)
        for word, places in zip(codes, self.words, strict=True):
            for place in places[::-1]:
                word, digit = np.divmod(word, self.lengths[place])
                sums[place] = digit + self.low[place]
        sums[-1] = self.total - sums[:-1].sum(axis=0)
        return sums


def _merged(
    codes: IntArray, weights: FloatArray, size: int, in_logs: bool
) -> tuple[IntArray, FloatArray]:
    """Return different codes and the sums of their weights."""
    if len(codes) > 1 or in_logs or size > max(4 * len(weights), _BLOCK):
        return _merged_in_order(codes, weights, in_logs)
    box = np.asarray(np.bincount(codes[0], weights, size), dtype=np.float64)
    found = np.flatnonzero(box).astype(np.int64)
    return found[np.newaxis], box[found]


def _merged_in_order(
    codes: IntArray, weights: FloatArray, in_logs: bool
) -> tuple[IntArray, FloatArray]:
    order = np.argsort(codes[0]) if len(codes) == 1 else np.lexsort(codes)
    codes, weights = codes[:, order], weights[order]
    begins = np.flatnonzero(np.append(True, (codes[:, 1:] != codes[:, :-1]).any(axis=0)))
    if not in_logs:
        return codes[:, begins], np.add.reduceat(weights, begins)
    highest = np.maximum.reduceat(weights, begins)
    weights = weights - np.repeat(highest, np.diff(begins, append=len(weights)))
    return codes[:, begins], highest + np.log(np.add.reduceat(np.exp(weights), begins))


def _log_reaching(halves: _Halves, observed: float) -> float:
    """Return the log probability that the sum of squares of sums is at least ``observed``."""
    first, second, in_logs, _ = halves
    sums = first.sums.astype(np.float64)
    squares = np.square(sums).sum(axis=0)
    groups: dict[_Row, list[int]] = {}  # sums with the same ties
    for place, column in enumerate(second.sums.T.tolist()):
        groups.setdefault(_tie_sizes(column), []).append(place)
    terms: list[float] = []
    for places in groups.values():
        n_orders = _n_orders(tuple(second.sums[:, places[0]].tolist()))
        # products of this size are not spread over threads, which would cost more than it saves
        width = min(len(squares), max(1, _BLOCK // n_orders))
        step = max(1, _BLOCK // (n_orders * width))
        for begin in range(0, len(places), step):
            some = second.sums[:, places[begin : begin + step]]
            placed = _placed(some).astype(np.float64)
            needed = (observed - np.square(some).sum(axis=0))[:, np.newaxis]
            weights = second.weights[places[begin : begin + step]]
            for left in range(0, len(squares), width):
                here = slice(left, left + width)
                reached = (placed.reshape(-1, len(sums)) @ sums[:, here]).reshape(
                    len(placed), n_orders, -1
                ) >= ((needed - squares[here]) / 2)[:, np.newaxis]
                share = np.add.reduce(
                    reached.view(np.uint8), axis=1, dtype=np.min_scalar_type(n_orders)
                )
                if in_logs:
                    row, column = np.nonzero(share)
                    logs = np.log(share[row, column] / n_orders)
                    terms.extend((weights[row] + first.weights[here][column] + logs).tolist())
                else:
                    shares = np.multiply(share, first.weights[here]).sum(axis=1) / n_orders
                    terms.append(float((weights * shares).sum()))
    log_p = float(scipy.special.logsumexp(terms)) if in_logs else math.log(math.fsum(terms))
    return min(log_p, 0.0)


def _tie_sizes(row: list[int] | _Row) -> _Row:
    """Return how often each value occurs in a sorted row."""
    return tuple(len(list(equal)) for _, equal in itertools.groupby(row))


def _n_orders(row: _Row) -> int:
    """Return the number of distinct orders of a sorted row."""
    return math.factorial(len(row)) // math.prod(map(math.factorial, _tie_sizes(row)))


def _placed(sums: IntArray) -> IntArray:
    """Return the orders, shape (n_sums, n_orders, k), of sorted sums with the same ties."""
    sizes = _tie_sizes(sums[:, 0].tolist())
    values = sums[np.cumsum(sizes) - 1]
    return np.asarray(values.T[:, _orders(sizes)])


@lru_cache(maxsize=8)
def _orders(sizes: _Row) -> npt.NDArray[np.int8]:
    """Return the distinct orders of values, of which each occurs as often as its size says."""
    known = {(0,) * len(sizes): np.empty((1, 0), dtype=np.int8)}

    def orders(left: _Row) -> npt.NDArray[np.int8]:
        if left not in known:
            parts = []
            for value, count in enumerate(left):
                if count:
                    rest = orders((*left[:value], count - 1, *left[value + 1 :]))
                    parts.append(np.insert(rest, 0, value, axis=1))
            known[left] = np.concatenate(parts)
        return known[left]

    return locked(orders(sizes))


@lru_cache(maxsize=64)
def _exchanges(k: int) -> tuple[tuple[int, int], ...]:
    """Return the places that Batcher's odd-even merge sort compares (Knuth, algorithm 5.2.2M)."""
    pairs: list[tuple[int, int]] = []
    block = 1 << max(0, (k - 1).bit_length() - 1)
    top, step = block, block
    while step:
        reach, skip, wanted = top, step, 0
        while True:
            pairs.extend((i, i + skip) for i in range(k - skip) if i & step == wanted)
            if reach == step:
                break
            skip, reach, wanted = reach - step, reach // 2, step
        step //= 2
    return tuple(pairs)


def _sort_columns(sums: npt.NDArray[np.int32]) -> None:
    """Sort each column in place, all of them at once."""
    for upper, lower in _exchanges(len(sums)):
        least = np.minimum(sums[upper], sums[lower])
        np.maximum(sums[upper], sums[lower], out=sums[lower])
        sums[upper] = least
