"""Post-hoc tests after a rank test: pairs, critical differences, groups without differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray, locked
from nbcompare._validation import check_choice, check_count, check_finite, check_probability
from nbcompare.stats import laws
from nbcompare.stats.omnibus import FORMULAS
from nbcompare.stats.rankings import RANKINGS, sums_of_squares


class PairTests(NamedTuple):
    """Statistics, positive where the first is better, p and log10 p of pairs.

    ``method`` says how p was computed: ``exact``, ``normal`` or ``t``.
    """

    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    method: str = "normal"


def all_pairs(k: int) -> tuple[IntArray, IntArray]:
    """Return the indices of the first and second algorithm of each of the k(k - 1)/2 pairs.

    Parameters
    ----------
    k : int
        Number of algorithms, at least 2.

    Returns
    -------
    first, second : ndarray of int, shape (k (k - 1) / 2,)
        Indices from 0, with ``first < second``: the pairs of algorithm 0 come first, then the
        others of algorithm 1, and so on. Read-only.

    Raises
    ------
    ValueError
        If ``k`` is not a whole number of at least 2.

    Examples
    --------
    >>> [pair.tolist() for pair in all_pairs(3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    return _all_pairs(check_count(k, "k", least=2))


@lru_cache(maxsize=2)
def _all_pairs(k: int) -> tuple[IntArray, IntArray]:
    first, second = np.triu_indices(k, 1)
    return locked(first), locked(second)


def against_control(k: int, control: int) -> tuple[IntArray, IntArray]:
    """Return indices of the pairs of the control, which comes first, with other algorithms.

    Parameters
    ----------
    k : int
        Number of algorithms including the control, at least 2.
    control : int
        Index of the control, from 0.

    Returns
    -------
    first, second : ndarray of int, shape (k - 1,)
        The index of the control, repeated, and those of the other algorithms in ascending order.

    Raises
    ------
    ValueError
        If ``k`` is not a whole number of at least 2.
    IndexError
        If there is no algorithm ``control``.

    Examples
    --------
    >>> [pair.tolist() for pair in against_control(3, 1)]
    [[1, 1], [0, 2]]
    """
    others = np.delete(np.arange(check_count(k, "k", least=2)), control)
    return np.full(k - 1, control), others


def pairs(k: int, control: int | None) -> tuple[IntArray, IntArray]:
    """Return indices of the pairs of a control with other algorithms; of all pairs without one.

    Parameters
    ----------
    k : int
        Number of algorithms, at least 2.
    control : int or None
        Index of the control, from 0.

    Returns
    -------
    first, second : ndarray of int
        As :func:`against_control`, or :func:`all_pairs`, returns them.

    Raises
    ------
    ValueError
        If ``k`` is not a whole number of at least 2.
    IndexError
        If there is no algorithm ``control``.

    Examples
    --------
    >>> [pair.tolist() for pair in pairs(3, None)]
    [[0, 0, 1], [1, 2, 2]]
    """
    return all_pairs(k) if control is None else against_control(k, control)


def standard_error(
    ranks: npt.ArrayLike,
    *,
    formulas: str = "corrected",
    ranking: str = "friedman",
    squares: tuple[float, float] | None = None,
) -> float:
    r"""Compute the standard error of a difference of average ranks under the null hypothesis.

    Parameters
    ----------
    ranks : array_like, shape (n_datasets, n_algorithms)
        ``scores`` of a ranking (see :func:`nbcompare.stats.rankings.rank`): mid-ranks within each
        data set, aligned ranks, or Quade's weighted ranks.
    formulas : {"corrected", "printed"}
        ``corrected`` is the permutation standard error, including ties:
        :math:`\sqrt{2V/(k-1)}` with V the sum of squared deviations of the ranks from
        their row means, divided by n (Quade: n(n + 1)/2) like average ranks.

        ``printed`` is :math:`\sqrt{k(k+1)/(6n)}` for Friedman (Demšar 2006, p. 12), which is
        equal to ``corrected`` without ties, :math:`\sqrt{k(nk+1)/6}` for aligned ranks and
        :math:`\sqrt{k(k+1)(2n+1)(k-1) / (18n(n+1))}` for Quade. The latter two are wrongly
        scaled: for 5 algorithms that perform equally on 30 data sets, they find a significant
        pair at level 0.05 with probability 0.076 and 0.004.
    ranking : {"friedman", "aligned", "quade"}
        Ranking from which ``ranks`` come.
    squares : tuple of float, optional
        What :func:`~nbcompare.stats.rankings.sums_of_squares` returns for these ranks, if it is
        known. The ranks are not checked then.

    Returns
    -------
    float
        Standard error in units of average ranks; 0 if all algorithms are tied on every data set.

    Examples
    --------
    >>> round(standard_error([[1, 2, 3], [1, 2, 3], [1, 3, 2]]), 4)
    0.8165
    >>> round(standard_error([[2, 3], [1, 4]], ranking="aligned"), 4)
    1.5811
    """
    array = check_finite(ranks, "ranks", ndim=2) if squares is None else np.asarray(ranks)
    check_choice(formulas, "formulas", FORMULAS)
    check_choice(ranking, "ranking", tuple(RANKINGS))
    n, k = map(int, array.shape)
    if formulas == "printed":
        return RANKINGS[ranking].printed_error(k, n)
    _, within = sums_of_squares(array) if squares is None else squares
    return math.sqrt(2 * within / (k - 1)) / RANKINGS[ranking].unit(n)


def untied_standard_error(k: int, n_datasets: int) -> float:
    """Return ``sqrt(k(k + 1)/(6n))``, the standard error if only average ranks are known.

    Parameters
    ----------
    k : int
        Number of algorithms.
    n_datasets : int
        Number of data sets over which the ranks were averaged, at least 1.

    Returns
    -------
    float
        Standard error of a difference of two average ranks, in units of these.

    Raises
    ------
    ValueError
        If ``n_datasets`` is not a whole number of at least 1.

    Examples
    --------
    Example of García and Herrera (2008), 5 algorithms on 30 data sets:

    >>> round(untied_standard_error(5, 30), 3)
    0.408
    """
    return math.sqrt(k * (k + 1) / (6 * check_count(n_datasets, "n_datasets", least=1)))


def rank_tests(
    average_ranks: npt.ArrayLike, error: float, first: IntArray, second: IntArray
) -> PairTests:
    """Test differences of average ranks by normal statistics.

    Parameters
    ----------
    average_ranks : array_like, shape (n_algorithms,)
        Average ranks, lower is better. Sums of ranks may be given instead; they have no rounding
        errors, so that equal differences have equal p-values.
    error : float
        Standard error of a difference; 0 means that all average ranks are tied.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.

    Returns
    -------
    PairTests
        Tests with ``statistic = (R_second - R_first)/error``, positive if the first is better.

    Examples
    --------
    Demšar (2006), C4.5 (3.143) against C4.5+m (2.000), standard error 0.488:

    >>> tests = rank_tests([3.143, 2.0], 0.488, *against_control(2, 0))
    >>> tests.statistic.round(3), tests.pvalue.round(3)
    (array([-2.342]), array([0.019]))
    """
    averages = check_finite(average_ranks, "average_ranks", ndim=1)
    difference = averages[second] - averages[first]
    statistic = difference / error if error > 0 else np.zeros(len(difference))
    return PairTests(statistic, *laws.from_log(laws.normal_two_sided_logp(statistic)))


def one_sided(tests: PairTests, alternative: str) -> PairTests:
    """Return one-sided p-values for two-sided ones of a continuous symmetric law.

    Parameters
    ----------
    tests : PairTests
        Tests with two-sided p-values.
    alternative : {"better", "worse"}
        Alternative hypothesis: the first is better, or is worse.

    Returns
    -------
    PairTests
        The same statistics; p is half the two-sided one where they favour the alternative, and
        one minus that elsewhere.

    Examples
    --------
    >>> tests = rank_tests([1.0, 2.96, 1.0], 1.0, *against_control(3, 0))
    >>> one_sided(tests, "better").pvalue.round(3), one_sided(tests, "worse").pvalue.round(3)
    (array([0.025, 0.5  ]), array([0.975, 0.5  ]))
    """
    check_choice(alternative, "alternative", ("better", "worse"))
    half, sign = tests.pvalue / 2, 1 if alternative == "better" else -1
    favours = sign * tests.statistic > 0
    logs = np.where(favours, tests.log10_pvalue, np.log1p(-half) / math.log(10.0))
    return tests._replace(
        pvalue=np.where(favours, half, 1.0 - half),
        log10_pvalue=logs - np.where(favours, math.log10(2.0), 0.0),
    )


def nemenyi_pvalues(statistic: npt.ArrayLike, k: int) -> tuple[FloatArray, FloatArray]:
    """Return Nemenyi's adjusted p-values and their log10 for z statistics of k algorithms.

    They come from the studentized range with infinite degrees of freedom at ``sqrt(2) |z|``
    (Demšar 2006, p. 12). The Nemenyi procedure of the SCI2S programs is m p, that is Bonferroni.

    Parameters
    ----------
    statistic : array_like
        Differences of average ranks in standard errors, of any shape; their signs do not matter.
    k : int
        Number of algorithms, at least 2.

    Returns
    -------
    pvalue, log10_pvalue : ndarray of float
        Adjusted p-values, which may underflow to 0, and their common logarithms, which do not; of
        the shape of ``statistic``.

    Raises
    ------
    ValueError
        If a statistic is not finite, or ``k`` is not a whole number of at least 2.

    Examples
    --------
    For two algorithms there is only one hypothesis, so the p-value is not changed:

    >>> nemenyi_pvalues([1.959964], 2)[0].round(6)
    array([0.05])
    """
    z = np.abs(check_finite(statistic, "statistic"))
    return laws.from_log(laws.studentized_range_logsf(math.sqrt(2.0) * z, k))


def nemenyi_quantile(k: int, alpha: float = 0.05) -> float:
    r"""Compute Nemenyi's critical value :math:`q_\alpha`, the studentized range over sqrt(2).

    The degrees of freedom are infinite, as in Demšar (2006, Table 5a).

    Parameters
    ----------
    k : int
        Number of algorithms, at least 2.
    alpha : float
        Family-wise significance level.

    Returns
    -------
    float
        Critical value in standard errors; multiplied by these, it is the critical difference.

    Examples
    --------
    >>> [round(nemenyi_quantile(k), 3) for k in (2, 5, 10)]
    [1.96, 2.728, 3.164]
    """
    level = check_probability(alpha, "alpha")
    return laws.studentized_range_isf(level, check_count(k, "k", least=2)) / math.sqrt(2.0)


def bonferroni_dunn_quantile(k: int, alpha: float = 0.05) -> float:
    """Compute the Bonferroni-Dunn critical value, the normal quantile at ``alpha/(2(k - 1))``.

    See Demšar (2006, Table 5b). The table prints 2.724 for k = 9 at 0.05; 2.734 is correct.

    Parameters
    ----------
    k : int
        Number of algorithms including the control, at least 2.
    alpha : float
        Family-wise significance level.

    Returns
    -------
    float
        Critical value in standard errors.

    Examples
    --------
    >>> [round(bonferroni_dunn_quantile(k), 3) for k in (2, 5, 10)]
    [1.96, 2.498, 2.773]
    """
    level = check_probability(alpha, "alpha")
    return bonferroni_quantile(check_count(k, "k", least=2) - 1, level)


def bonferroni_quantile(n_hypotheses: int, alpha: float = 0.05) -> float:
    """Return the two-sided normal quantile at ``alpha/n_hypotheses``.

    Parameters
    ----------
    n_hypotheses : int
        Number of hypotheses, at least 1.
    alpha : float, default 0.05
        Family-wise significance level.

    Returns
    -------
    float
        Critical value of each ``|z|``, in standard errors.

    Raises
    ------
    ValueError
        If ``n_hypotheses`` is not a whole number of at least 1, or ``alpha`` is not between 0 and
        1.

    Examples
    --------
    >>> round(bonferroni_quantile(10), 4)
    2.807
    """
    level = check_probability(alpha, "alpha")
    return -float(
        scipy.special.ndtri(level / (2 * check_count(n_hypotheses, "n_hypotheses", least=1)))
    )


class TooManyGroupsError(ValueError):
    """Raised if there are more groups than can be displayed."""


def maximal_groups(different: npt.ArrayLike, *, most: int = 200) -> tuple[tuple[int, ...], ...]:
    """Find all maximal sets of algorithms in which no pair differs significantly.

    Two algorithms share a group exactly if they do not differ significantly, and no group is
    part of another one. If p falls with the distance of average ranks, the groups are intervals
    of the rank axis; other tests of pairs can lead to any pattern.

    Parameters
    ----------
    different : array_like of bool, shape (k, k)
        True where a pair differs significantly; symmetric, the diagonal is ignored.
    most : int, default 200
        Largest number of groups, because patterns other than intervals can have exponentially
        many groups.

    Returns
    -------
    tuple of tuple of int
        Groups of at least 1 algorithm, as ascending indices, in lexical order.

    Raises
    ------
    ValueError
        If the matrix is not square and symmetric.
    TooManyGroupsError
        If there are more than ``most`` groups; a subclass of ValueError.

    Examples
    --------
    Algorithms 0 and 2 differ significantly, and 1 lies between them:

    >>> maximal_groups([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    ((0, 1), (1, 2))
    """
    matrix = np.asarray(different, dtype=np.bool_)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (matrix != matrix.T).any():
        raise ValueError(
            f"`different` must be a square symmetric matrix; got an array of shape {matrix.shape}."
        )
    alike = ~matrix
    np.fill_diagonal(alike, True)
    intervals = _intervals(alike)
    if intervals is not None:
        return intervals
    np.fill_diagonal(alike, False)
    # A set of algorithms is stored as the bits of a number, so intersection is one operation.
    neighbours = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in alike]
    groups: list[int] = []
    for group in _maximal_cliques(neighbours, 0, (1 << len(matrix)) - 1, 0):
        if len(groups) == most:
            raise TooManyGroupsError(
                f"the pairs make more than {most} groups; show them as a matrix."
            )
        groups.append(group)
    return tuple(sorted(tuple(_members(group)) for group in groups))


def _intervals(alike: BoolArray) -> tuple[tuple[int, ...], ...] | None:
    """Return the groups if each is a run of consecutive algorithms, otherwise None."""
    k = len(alike)
    if k == 0:
        return ()
    # the last partner of each algorithm, and whether all algorithms up to it are partners too
    last = k - 1 - np.argmax(alike[:, ::-1], axis=1)
    if (np.triu(alike).sum(axis=1) != last - np.arange(k) + 1).any() or (np.diff(last) < 0).any():
        return None
    starts = np.flatnonzero(np.diff(last, prepend=-1) > 0)
    return tuple(tuple(range(start, last[start] + 1)) for start in starts.tolist())


def _maximal_cliques(
    neighbours: list[int], chosen: int, candidates: int, excluded: int
) -> Iterator[int]:
    """Search maximal cliques by Bron and Kerbosch's algorithm with Tomita's pivot."""
    if not candidates:
        if not excluded:
            yield chosen
        return
    pivot = max(
        _members(candidates | excluded),
        key=lambda vertex: (candidates & neighbours[vertex]).bit_count(),
    )
    for vertex in _members(candidates & ~neighbours[pivot]):
        near = neighbours[vertex]
        yield from _maximal_cliques(
            neighbours, chosen | 1 << vertex, candidates & near, excluded & near
        )
        candidates &= ~(1 << vertex)
        excluded |= 1 << vertex


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
