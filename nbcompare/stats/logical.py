"""Adjusted p-values of all pairs from logical relations between the hypotheses.

If A = B and B = C, then A = C. The sets of hypotheses that can be exactly the true ones
(exhaustive sets) are therefore the pairs inside the groups of a partition of the algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray, locked
from nbcompare._validation import check_count, check_finite, check_probability, check_pvalues
from nbcompare.stats._exhaustive_any import MOST_ALGORITHMS as MOST_ALGORITHMS
from nbcompare.stats._exhaustive_any import most_pairs_of_any_kind
from nbcompare.stats._exhaustive_by_ranks import most_pairs_by_position

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
