"""Adjusted p-values of all pairs from logical relations between the hypotheses.

If A = B and B = C, then A = C. The sets of hypotheses that can be exactly the true ones
(exhaustive sets) are therefore the pairs inside the groups of a partition of the algorithms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, locked
from nbcompare._validation import check_count, check_finite, check_probability, check_pvalues

# 3^k steps: 17 algorithms take some seconds and 100 MB, and each further one triples that.
MOST_ALGORITHMS = 17
_MEMORY = 1 << 25  # bytes of the counts of families that are searched together

_Sizes = npt.NDArray[np.uint8]


def most_pairs_of_any_kind(
    classes: IntArray, k: int, thresholds: Sequence[FloatArray], log10: bool
) -> Iterator[tuple[IntArray, IntArray]]:
    """Find for each pair the exhaustive set containing it with the largest threshold times size.

    Several families of p-values of all pairs of k algorithms are searched together, which costs
    little more than one of them if there are few algorithms. ``thresholds`` are the distinct
    p-values of each family in ascending order, and ``classes``, of shape (families, pairs), the
    index of the p-value of each pair. At threshold t only pairs with p >= t may share a group, so
    groups are cliques. Yielded are, by family, the sizes of the sets and the indices of their
    thresholds.
    """
    most = max(map(len, thresholds))
    step = max(1, _MEMORY // (most << k))
    for start in range(0, len(classes), step):
        part = slice(start, start + step)
        yield from _searched(classes[part], k, thresholds[part], log10)


def _searched(
    classes: IntArray, k: int, thresholds: Sequence[FloatArray], log10: bool
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the sizes and thresholds of each family, all of which are searched at once.

    A set of algorithms is represented by the bits of a number. ``most[s, t]`` are, by family, the
    largest numbers of pairs inside the groups of a partition of s at threshold t. A clique is
    allowed at every threshold up to its smallest p, so all thresholds are processed together.
    """
    n_families = len(classes)
    n_thresholds = max(map(len, thresholds))
    sets = np.arange(1 << k)
    size, smallest = _sizes_and_smallest(classes, k, n_thresholds)
    inside = (size * (size - 1) // 2).astype(np.uint8)
    widest, narrowest = smallest.max(axis=1) + 1, smallest.min(axis=1) + 1
    columns = np.arange(n_thresholds)[:, np.newaxis]
    most: _Sizes = np.zeros((1 << k, n_thresholds, n_families), dtype=np.uint8)
    half = k // 2
    low, high = _subsets(half), [rows << half for rows in _subsets(k - half)]
    for highest in range(k):
        bit = 1 << highest
        others = (bit - 1) ^ sets[:bit]
        # combine the group of the highest member with every set that may remain
        for group in range(bit):
            clique = bit | group
            used = int(widest[clique])
            rest = int(others[group])
            remaining = (high[rest >> half][:, np.newaxis] | low[rest & ((1 << half) - 1)]).ravel()
            target = most[:, :used]
            whole = remaining | clique
            pairs = inside[clique]
            if narrowest[clique] < used:
                # a family that does not allow the clique keeps its members apart, which it may
                pairs = np.where(columns[:used] <= smallest[clique], pairs, np.uint8(0))
            target[whole] = np.maximum(target[whole], target[remaining] + pairs)
    # the whole partition, if one of its groups is this clique
    total = most[::-1] + inside[:, np.newaxis, np.newaxis]
    total[columns > smallest[:, np.newaxis, :]] = 0
    for member in range(k):  # the largest over all cliques that contain some algorithms
        halves = total.reshape(-1, 2, 1 << member, n_thresholds, n_families)
        np.maximum(halves[:, 0], halves[:, 1], out=halves[:, 0])
    first, second = np.triu_indices(k, 1)
    together = total[1 << first | 1 << second]
    for family, values in enumerate(thresholds):
        yield _best(together[:, : len(values), family].astype(np.int64), values, log10)


def _sizes_and_smallest(classes: IntArray, k: int, n_thresholds: int) -> tuple[IntArray, IntArray]:
    """Return the size of each set, and by family the class of the smallest p inside it."""
    first, second = np.triu_indices(k, 1)
    class_of = np.full((k, k, len(classes)), n_thresholds, dtype=np.int64)
    class_of[first, second] = class_of[second, first] = classes.T
    size = np.zeros(1 << k, dtype=np.int64)
    smallest = np.full((1 << k, len(classes)), n_thresholds - 1)
    for new in range(k):
        bit = 1 << new
        # class of the smallest p between the new algorithm and each set of those before
        nearest = np.full((bit, len(classes)), n_thresholds - 1)
        for algorithm in range(new):
            part = 1 << algorithm
            nearest[part : 2 * part] = np.minimum(nearest[:part], class_of[algorithm, new])
        size[bit : 2 * bit] = size[:bit] + 1
        smallest[bit : 2 * bit] = np.minimum(smallest[:bit], nearest)
    return size, smallest


def _best(sizes: IntArray, thresholds: FloatArray, log10: bool) -> tuple[IntArray, IntArray]:
    """Return for each pair the size with the largest product, and its threshold.

    The smallest threshold allows every set; where the size is 0, none with the pair is allowed.
    """
    counts = np.maximum(sizes, 1)
    products = thresholds + np.log10(counts) if log10 else thresholds * counts
    chosen = np.argmax(np.where(sizes > 0, products, -np.inf), axis=1)
    return sizes[np.arange(len(sizes)), chosen], chosen


def _subsets(k: int) -> list[IntArray]:
    """Return the subsets of each subset of k elements."""
    found = [np.zeros(1, dtype=np.int64)]
    for whole in range(1, 1 << k):
        top = 1 << (whole.bit_length() - 1)
        without = found[whole ^ top]
        found.append(np.concatenate([without, without | top]))
    return found


# Counts of pairs are stored in 32 bits, so that many fit into the processor's cache.
_Counts = npt.NDArray[np.int32]
# Smaller than any number of pairs: marks what is impossible.
_NEVER = np.int32(-(10**9))
_CHUNK = 1 << 19  # counts processed at a time


def most_pairs_by_position(
    positions: FloatArray, classes: IntArray, thresholds: FloatArray, log10: bool
) -> tuple[IntArray, IntArray]:
    """Find for each pair the exhaustive set containing it with the largest threshold times size.

    ``thresholds`` are the p-values of the distinct distances, in ascending order of distance and
    so in descending order of p; ``classes`` are the indices of the distances of the pairs.
    Within reach d, groups have a diameter of at most d. The sizes of the sets and the indices of
    their reaches are returned.

    A pair may use every reach from its own distance on. Its own is tried first, then the others in
    the order of the best that any pair could get from them, until that is no better than what the
    pair has. Most pairs need little more than one attempt.
    """
    line = _Points(positions, classes, len(thresholds))
    bounds = np.minimum(_products(thresholds, line.most(), log10), 0.0 if log10 else 1.0)
    sizes, reaches = line.together(np.arange(len(classes)), classes), classes.copy()
    best = _products(thresholds[reaches], sizes, log10)
    ranked = np.argsort(-bounds, kind="stable")
    left = [
        iter(ranked[(ranked > own) & (bounds[ranked] > reached)].tolist())
        for own, reached in zip(classes, best, strict=True)
    ]
    waiting = np.arange(len(classes))
    while len(waiting):
        tried = np.array([next(left[pair], -1) for pair in waiting])
        ceiling = np.where(tried >= 0, bounds[tried], -math.inf)
        going = ceiling > best[waiting]
        waiting, tried = waiting[going], tried[going]
        found = line.together(waiting, tried)
        products = _products(thresholds[tried], found, log10)
        better = products > best[waiting]
        gaining = waiting[better]
        best[gaining], sizes[gaining] = products[better], found[better]
        reaches[gaining] = tried[better]
    return sizes, reaches


class _Points:
    """Points on a line, with the class of the distance of each pair."""

    def __init__(self, positions: FloatArray, classes: IntArray, n_classes: int) -> None:
        self.k = k = len(positions)
        self.n_classes = n_classes
        place = np.empty(k, dtype=np.int64)
        place[np.argsort(positions, kind="stable")] = np.arange(k)
        first, second = (place[index] for index in np.triu_indices(k, 1))
        # positions of both points of each pair in the order of the line
        self.left, self.right = np.minimum(first, second), np.maximum(first, second)
        apart = np.full((k, k), -1, dtype=np.int64)
        apart[self.left, self.right] = apart[self.right, self.left] = classes
        self.apart = apart

    def most(self) -> _Counts:
        """Return the largest number of pairs in consecutive groups for each reach."""
        every = np.concatenate([_consecutive(self._near(part)) for part in self._parts()])
        most: _Counts = every[:, self.k]
        return most

    def together(self, pairs: IntArray, reaches: IntArray) -> IntArray:
        """Return the most pairs in groups within a reach that keep a given pair together.

        The best group consists of {u, v} and a run [a..b] of consecutive points, possibly
        empty; the other points are in consecutive groups to the left and right of the run. The
        reach must be at least the distance of the pair.
        """
        sizes = np.empty(len(pairs), dtype=np.int64)
        step = max(1, _CHUNK // self.k**2)
        for start in range(0, len(pairs), step):
            part = slice(start, start + step)
            near = self._near(reaches[part])
            left, right = self.left[pairs[part]], self.right[pairs[part]]
            sizes[part] = most_pairs_within_reach(near, left, right)
        return sizes

    def _near(self, reaches: IntArray) -> BoolArray:
        """Return which points may share a group, with shape (n_reaches, k, k)."""
        near: BoolArray = self.apart <= reaches[:, np.newaxis, np.newaxis]
        return near

    def _parts(self) -> Iterator[IntArray]:
        step = max(1, _CHUNK // self.k**2)
        for start in range(0, self.n_classes, step):
            yield np.arange(start, min(start + step, self.n_classes))


def most_pairs_within_reach(near: BoolArray, left: IntArray, right: IntArray) -> _Counts:
    """Return the most pairs of points in groups that keep u and v together, for n problems.

    ``near``, of shape (n, k, k), says which points, in the order of a line, may share a group.
    The points u < v are ``left`` and ``right``, of shape (n,).
    """
    n, k = near.shape[:2]
    points = np.arange(k)
    mirrored = near[:, ::-1, ::-1]
    # best counts of the points before a and of those from b on, with and without u or v
    before, behind = _consecutive(near), _consecutive(mirrored)[:, ::-1]
    without_u = _consecutive(near, left)
    without_v = _consecutive(mirrored, k - 1 - right)[:, ::-1]
    u, v = left[:, np.newaxis], right[:, np.newaxis]
    rest_left = np.where(points <= u, before[:, :k], without_u[:, :k])
    rest_right = np.where(points >= v, behind[:, 1:], without_v[:, 1:])
    # a run that meets the stretch from u to v; its group, with both ends, is within reach
    a, b = points[:, np.newaxis], points
    span = np.minimum(points, u)[:, :, np.newaxis], np.maximum(points, v)[:, np.newaxis]
    allowed = near[np.arange(n)[:, np.newaxis, np.newaxis], *span] & (a <= b)
    allowed &= (points >= u)[:, np.newaxis] & (points <= v)[:, :, np.newaxis]
    added = (points > u).astype(np.int32)[:, :, np.newaxis] + (points < v)[:, np.newaxis]
    size = (b - a + 1).astype(np.int32) + added
    value = size * (size - 1) // 2
    value += rest_left[:, :, np.newaxis]
    value += rest_right[:, np.newaxis]
    best = np.where(allowed, value, _NEVER).max(axis=(1, 2))
    # no run: groups of the others end between u and v ...
    border = np.arange(k + 1)
    split = np.where((border > u) & (border <= v), without_u + without_v, _NEVER).max(axis=1)
    # ... or one goes past both
    outside = (points < u)[:, :, np.newaxis] & (points > v)[:, np.newaxis] & near
    others = np.maximum(b - a - 1, 0).astype(np.int32)
    past = before[:, :k, np.newaxis] + behind[:, np.newaxis, 1:] + others * (others - 1) // 2
    past = np.where(outside, past, _NEVER).max(axis=(1, 2))
    largest: _Counts = np.maximum(best, 1 + np.maximum(split, past))
    return largest


def _consecutive(near: BoolArray, left_out: IntArray | None = None) -> _Counts:
    """Return as [i, a] the most pairs in consecutive groups of the points before a but one."""
    n, k = near.shape[:2]
    best = np.zeros((n, k + 1), dtype=np.int32)
    absent = np.full((n, 1), k) if left_out is None else left_out[:, np.newaxis]
    for end in range(1, k + 1):
        starts = np.arange(end)
        sizes = (end - starts - ((starts <= absent) & (absent < end))).astype(np.int32)
        values = best[:, :end] + sizes * (sizes - 1) // 2
        best[:, end] = np.where(near[:, :end, end - 1], values, _NEVER).max(axis=1)
    return best


def _products(thresholds: FloatArray, sizes: npt.NDArray[np.integer], log10: bool) -> FloatArray:
    """Return thresholds times sizes, with sizes of at least 1."""
    counts = np.maximum(sizes, 1).astype(np.float64)
    product: FloatArray = thresholds + np.log10(counts) if log10 else thresholds * counts
    return product


_EPS = float(np.finfo(np.float64).eps)
# Largest relative rounding difference between p-values of equal rank differences.
_ROUNDING = 1e-9


def shaffer(pmatrix: npt.ArrayLike, *, log10: bool = False) -> FloatArray:
    """Adjust p-values by Shaffer's static procedure, Holm's with logically related hypotheses.

    With p in ascending order, the i-th adjusted p is the maximum over j <= i of t_j p_j, where t_j
    is the largest possible number of true hypotheses if at least j - 1 are false.

    Parameters
    ----------
    pmatrix : array_like, shape (k, k)
        Symmetric matrix of the p-values of all pairs; the diagonal is ignored.
    log10 : bool, default False
        Whether p-values are given and returned as common logarithms.

    Returns
    -------
    ndarray of float, shape (k, k)
        Symmetric matrix of adjusted p-values; 1 (in logarithms 0) on the diagonal.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric, or holds numbers that are no p-values.

    References
    ----------
    Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures.
    Journal of the American Statistical Association 81, 826-831.

    Examples
    --------
    With three pairs, one false hypothesis leaves at most one true one: 3 p, then 1 p.

    >>> shaffer([[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]])
    array([[1.  , 0.03, 0.03],
           [0.03, 1.  , 0.04],
           [0.03, 0.04, 1.  ]])
    """
    pvalues, k = _check_matrix(pmatrix, log10)
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.maximum.accumulate(
        _times(pvalues[order], np.array(shaffer_counts(k), dtype=np.float64), log10)
    )
    return _square(adjusted, k, log10)


@lru_cache(maxsize=256)
def shaffer_counts(k: int) -> tuple[int, ...]:
    """Return Shaffer's t: how many hypotheses can be true if at least 0, 1, 2, ... are false.

    Each one is the largest of the numbers S(k) of pairs inside the groups of a partition of k
    algorithms that leaves room for the false ones; S(k) is the union over j of C(j, 2) + S(k - j).

    Parameters
    ----------
    k : int
        Number of algorithms, at least 2.

    Returns
    -------
    tuple of int
        One number for each of the k(k - 1)/2 hypotheses, in the order of ascending p-values; the
        numbers do not increase.

    Raises
    ------
    ValueError
        If ``k`` is not a whole number of at least 2.

    Examples
    --------
    >>> shaffer_counts(5)
    (10, 6, 6, 6, 6, 4, 4, 3, 2, 1)
    """
    count = check_count(k, "k", least=2)
    pairs = count * (count - 1) // 2
    possible = _possible_counts(count)
    counts = []
    best = 0
    for room in range(1, pairs + 1):
        if possible >> room & 1:
            best = room
        counts.append(best)
    return tuple(reversed(counts))


def shaffer_alphas(k: int, alpha: float = 0.05) -> FloatArray:
    """Return the levels ``alpha/t_i`` of Shaffer's procedure for the ordered p-values.

    Parameters
    ----------
    k : int
        Number of algorithms, at least 2.
    alpha : float, default 0.05
        Family-wise significance level.

    Returns
    -------
    ndarray of float, shape (k (k - 1) / 2,)
        Level of each hypothesis, in the order of ascending p-values. The first hypothesis whose p
        is above its level is retained, and so are all that follow it.

    Raises
    ------
    ValueError
        If ``k`` is not a whole number of at least 2, or ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> shaffer_alphas(4).round(4)
    array([0.0083, 0.0167, 0.0167, 0.0167, 0.025 , 0.05  ])
    """
    level = check_probability(alpha, "alpha")
    return level / np.array(shaffer_counts(k), dtype=np.float64)


def bergmann_hommel(
    pmatrix: npt.ArrayLike,
    ranks: npt.ArrayLike | None = None,
    monotone: bool = False,
    *,
    log10: bool = False,
) -> FloatArray:
    """Adjust p-values by Bergmann and Hommel's procedure, Bonferroni on exhaustive sets.

    The adjusted p of a pair is the maximum, over the exhaustive sets I that contain the pair, of
    the size of I times the smallest p in I. It is computed exactly without enumerating the sets:
    among those whose smallest p is at least a threshold, only the largest matters.

    Parameters
    ----------
    pmatrix : array_like, shape (k, k)
        Symmetric matrix of the p-values of all pairs; the diagonal is ignored.
    ranks : array_like, shape (k,), optional
        Average ranks or sums of ranks, if p falls with their distance, as after a Friedman test:
        the problem is then polynomial. Without ranks, the work grows like 3^k.
    monotone : bool, default False
        Whether to take the running maximum in the order of p, as KEEL and scmamp do. The
        procedure itself may reject a pair and not another pair with a smaller p; the running
        maximum prevents this.
    log10 : bool, default False
        Whether p-values are given and returned as common logarithms.

    Returns
    -------
    ndarray of float, shape (k, k)
        Symmetric matrix of adjusted p-values; 1 (in logarithms 0) on the diagonal. Equal
        p-values of equal rank differences have equal adjusted p-values.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric or holds numbers that are not p-values, if
        there are more than 17 algorithms and no ``ranks``, or if p does not fall with the
        distance of the ranks.

    References
    ----------
    Bergmann, B. and Hommel, G. (1988). Improvements of general multiple test procedures for
    redundant systems of hypotheses. In Multiple Hypotheses Testing, 100-115. Springer.

    Examples
    --------
    With three pairs, either all hypotheses can be true or any single one:

    >>> bergmann_hommel([[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]])
    array([[1.  , 0.03, 0.03],
           [0.03, 1.  , 0.04],
           [0.03, 0.04, 1.  ]])
    """
    pvalues, k = _check_matrix(pmatrix, log10)
    sizes, chosen, classes = _largest_sets(pvalues, k, ranks, log10)
    return _square(_adjusted(pvalues, sizes, chosen, classes, monotone, log10), k, log10)


def bergmann_hommel_with_logs(
    pmatrix: npt.ArrayLike,
    log10_pmatrix: npt.ArrayLike,
    ranks: npt.ArrayLike | None = None,
    monotone: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Adjust p-values and their logarithms by Bergmann and Hommel's procedure in one search.

    Parameters
    ----------
    pmatrix, log10_pmatrix : array_like, shape (k, k)
        P-values of all pairs, which may have underflowed to 0, and their common logarithms.
    ranks, monotone
        See :func:`bergmann_hommel`, which computes either of the two results.

    Returns
    -------
    adjusted, log10_adjusted : ndarray of float, shape (k, k)
        Symmetric matrices of adjusted p-values and of their common logarithms; 1 and 0 on the
        diagonal.

    Raises
    ------
    ValueError
        If :func:`bergmann_hommel` raises it, or the two matrices differ in size.

    Examples
    --------
    >>> p = np.array([[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]])
    >>> adjusted, logs = bergmann_hommel_with_logs(p, np.log10(p))
    >>> adjusted[0], logs[0].round(3)
    (array([1.  , 0.03, 0.03]), array([ 0.   , -1.523, -1.523]))
    """
    pvalues, logs, k = _check_both(pmatrix, log10_pmatrix)
    return _both(pvalues, logs, k, _largest_sets(logs, k, ranks, True), monotone)


def bergmann_hommel_of_each(
    pmatrices: npt.ArrayLike, log10_pmatrices: npt.ArrayLike, monotone: bool = False
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Adjust the p-values of several families by themselves, faster than one after the other.

    The families are searched together: 100 families of 12 algorithms take about as long as 8.

    Parameters
    ----------
    pmatrices, log10_pmatrices : array_like, shape (families, k, k)
        P-values of all pairs by family, and their common logarithms.
    monotone
        See :func:`bergmann_hommel`.

    Yields
    ------
    tuple of ndarray of float, shape (k, k)
        By family, what :func:`bergmann_hommel_with_logs` returns.

    Raises
    ------
    ValueError
        As :func:`bergmann_hommel` raises it.

    Examples
    --------
    >>> one = np.array([[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]])
    >>> both = np.stack([one, one / 10])
    >>> [adjusted[0].round(3).tolist() for adjusted, _ in bergmann_hommel_of_each(
    ...     both, np.log10(both))]
    [[1.0, 0.03, 0.03], [1.0, 0.003, 0.003]]
    """
    families = [
        _check_both(plain, logs)
        for plain, logs in zip(np.asarray(pmatrices), np.asarray(log10_pmatrices), strict=True)
    ]
    if not families:
        return
    k = families[0][2]
    found = _sets_of_any_kind([logs for _, logs, _ in families], k, True)
    for (pvalues, logs, _), sets in zip(families, found, strict=True):
        yield _both(pvalues, logs, k, sets, monotone)


# For each pair, size and class of its best exhaustive set, and its own class
_Sets = tuple[IntArray, IntArray, IntArray]


def _largest_sets(pvalues: FloatArray, k: int, ranks: npt.ArrayLike | None, log10: bool) -> _Sets:
    """Return the best exhaustive set of each pair."""
    if ranks is None:
        return next(_sets_of_any_kind([pvalues], k, log10))
    positions = check_finite(ranks, "ranks", ndim=1)
    if len(positions) != k:
        raise ValueError(
            f"`ranks` must have one number for each of the {k} algorithms; got {len(positions)}."
        )
    classes = _distance_classes(positions)
    thresholds = _thresholds_by_distance(pvalues, classes, log10)
    return *most_pairs_by_position(positions, classes, thresholds, log10), classes


def _sets_of_any_kind(families: Sequence[FloatArray], k: int, log10: bool) -> Iterator[_Sets]:
    """Yield the best exhaustive set of each pair, by family of p-values."""
    if k > MOST_ALGORITHMS:
        raise ValueError(
            f"`pmatrix` must have at most {MOST_ALGORITHMS} algorithms; got {k}. If p falls "
            "with the distance of average ranks, pass these as `ranks`, which has no such "
            "limit; for other tests use shaffer or holm."
        )
    distinct = [np.unique(pvalues, return_inverse=True) for pvalues in families]
    classes = np.array([own for _, own in distinct])
    found = most_pairs_of_any_kind(classes, k, [values for values, _ in distinct], log10)
    for own, (sizes, chosen) in zip(classes, found, strict=True):
        yield sizes, chosen, own


def _both(
    pvalues: FloatArray, logs: FloatArray, k: int, sets: _Sets, monotone: bool
) -> tuple[FloatArray, FloatArray]:
    return (
        _square(_adjusted(pvalues, *sets, monotone, False), k, False),
        _square(_adjusted(logs, *sets, monotone, True), k, True),
    )


def _adjusted(
    pvalues: FloatArray,
    sizes: IntArray,
    chosen: IntArray,
    classes: IntArray,
    monotone: bool,
    log10: bool,
) -> FloatArray:
    thresholds = np.full(int(classes.max()) + 1, -np.inf)
    np.maximum.at(thresholds, classes, pvalues)
    adjusted = np.maximum(_times(thresholds[chosen], sizes.astype(np.float64), log10), pvalues)
    if not monotone:
        return adjusted
    order = np.argsort(thresholds[classes], kind="stable")
    adjusted[order] = np.maximum.accumulate(adjusted[order])
    # equal p-values get the largest of their adjusted p-values
    top = np.full(len(thresholds), -np.inf)
    np.maximum.at(top, classes, adjusted)
    return top[classes]


def _distance_classes(positions: FloatArray) -> IntArray:
    """Return the index of the distance of each pair among the distinct ones, ascending."""
    first, second = np.triu_indices(len(positions), 1)
    distance = np.abs(positions[first] - positions[second])
    order = np.argsort(distance, kind="stable")
    ascending = distance[order]
    noise = 8 * _EPS * float(np.abs(positions).max())
    starts = np.diff(ascending, prepend=-np.inf) > noise
    classes = np.empty(len(distance), dtype=np.int64)
    classes[order] = np.cumsum(starts) - 1
    return classes


def _thresholds_by_distance(pvalues: FloatArray, classes: IntArray, log10: bool) -> FloatArray:
    """Return the p-value of each distance, which must fall as the distance grows."""
    n_classes = int(classes.max()) + 1
    highest, lowest = np.full(n_classes, -np.inf), np.full(n_classes, np.inf)
    np.maximum.at(highest, classes, pvalues)
    np.minimum.at(lowest, classes, pvalues)
    if log10:
        finite = np.maximum(lowest, -np.finfo(np.float64).max)
        ceiling = np.where(np.isinf(lowest), lowest, finite * (1 - _ROUNDING) + _ROUNDING)
    else:
        ceiling = lowest * (1 + _ROUNDING)
    if (highest > ceiling).any() or (highest[1:] > ceiling[:-1]).any():
        raise ValueError(
            "`ranks` must be those from which the p-values were computed: p must be the same for "
            "equal differences of ranks and fall as they grow. Omit `ranks` for other tests."
        )
    return highest


def _possible_counts(k: int) -> int:
    """Return S(k) as the bits of a number."""
    counts = [1]
    for size in range(1, k + 1):
        bits = 0
        for j in range(1, size + 1):
            bits |= counts[size - j] << j * (j - 1) // 2
        counts.append(bits)
    return counts[k]


def _times(pvalues: FloatArray, factors: FloatArray, log10: bool) -> FloatArray:
    return pvalues + np.log10(factors) if log10 else pvalues * factors


def _check_both(
    pmatrix: npt.ArrayLike, log10_pmatrix: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, int]:
    """Check p-values and their logarithms; return both, and k."""
    pvalues, k = _check_matrix(pmatrix, False)
    logs, same = _check_matrix(log10_pmatrix, True)
    if same != k:
        raise ValueError(
            f"`log10_pmatrix` must have as many algorithms as `pmatrix`, {k}; got {same}."
        )
    return pvalues, logs, k


@lru_cache(maxsize=32)
def _above_diagonal(k: int) -> tuple[IntArray, IntArray]:
    """Return the rows and the columns of what stands above the diagonal, row by row."""
    first, second = np.triu_indices(k, 1)
    return locked(first), locked(second)


def _check_matrix(pmatrix: npt.ArrayLike, log10: bool) -> tuple[FloatArray, int]:
    """Check a matrix of p-values; return those above the diagonal, row by row, and k."""
    matrix = np.asarray(pmatrix)
    k = len(matrix) if matrix.ndim == 2 else 0
    if matrix.ndim != 2 or matrix.shape[1] != k or k < 2:
        raise ValueError(
            "`pmatrix` must be a square matrix of at least 2 rows; "
            f"got an array of shape {matrix.shape}."
        )
    upper = _above_diagonal(k)
    pvalues = check_pvalues(matrix[upper], "pmatrix above the diagonal", log10=log10)
    differs = np.flatnonzero(matrix.T[upper] != pvalues)
    if len(differs):
        i, j = int(upper[0][differs[0]]), int(upper[1][differs[0]])
        raise ValueError(
            f"`pmatrix` must be symmetric; got {float(matrix[i, j])!r} at index {(i, j)} and "
            f"{float(matrix[j, i])!r} at index {(j, i)}."
        )
    return pvalues.copy(), k


def _square(adjusted: FloatArray, k: int, log10: bool) -> FloatArray:
    one = 0.0 if log10 else 1.0
    matrix = np.full((k, k), one)
    upper = _above_diagonal(k)
    matrix[upper] = np.minimum(adjusted, one)
    return np.where(np.tri(k, dtype=bool), matrix.T, matrix)
