"""Tests of faster convergence: Page's trend test, and a test under exchanges of algorithms.

Only positive terms are added, so that probabilities are accurate relative to their own size.
Where they would underflow, the distribution is tilted towards the observed value.

Derrac et al. (2014) rank the differences of two algorithms at several cut-points of their runs
within each problem, and test whether the ranks increase. Smaller is better: values are the best
so far of a function to be minimized.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import FloatArray, IntArray, locked
from nbcompare._validation import (
    DataError,
    check_choice,
    check_count,
    check_finite,
    check_probability,
    check_real,
    shown,
)
from nbcompare.stats import laws
from nbcompare.stats.omnibus import FORMULAS
from nbcompare.stats.rankings import check_scale, midranks
from nbcompare.stats.signed_rank import tied_tails

# Distributions are convolved in blocks of this many masses.
_BLOCK = 512
# Below this, terms of a probability may have underflowed.
_SMALLEST_DIRECT = 1e-280
# Tilted masses below this share of a probability are negligible.
_NO_MASS = 1e-40
# This tilt multiplies the mass one step away by e**-40.
_STEEPEST = 40.0


class Centred(NamedTuple):
    """Distribution symmetric about 0: masses on a grid with steps of ``step`` halves of L."""

    step: int
    masses: FloatArray

    @property
    def span(self) -> int:
        """Distance from the least to the largest value, in halves of L."""
        return self.step * (len(self.masses) - 1)

    @property
    def values(self) -> FloatArray:
        """Positions of the masses, in halves of L."""
        return np.asarray(self.step * np.arange(len(self.masses)) - self.span / 2)


def patterns(ranks: FloatArray) -> IntArray:
    """Encode the ties in each row of mid-ranks: bit j means that rank j + 1 begins a new value.

    A row and its mirror image, c + 1 minus its ranks, share the distribution and the code.
    """
    ordered = np.sort((2 * ranks).astype(np.int16), axis=-1)
    begins = ordered[..., 1:] != ordered[..., :-1]
    bits = 1 << np.arange(begins.shape[-1])
    return np.asarray(np.minimum(begins @ bits, begins @ bits[::-1]))


def page_tails(ranks: FloatArray, excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(L >= observed) and its logarithm for each pair; equal ties share a distribution.

    Parameters
    ----------
    ranks : ndarray of float, shape (..., n, c)
        Mid-ranks of each row.
    excess : ndarray of float, shape (..., n)
        Twice the contribution of each row to L minus its mean, integers.
    """
    leading, (n, c) = excess.shape[:-1], ranks.shape[-2:]
    codes = np.sort(patterns(ranks).reshape(-1, n), axis=1)
    observed = excess.sum(axis=-1).reshape(-1)
    p, log10_p = np.empty((2, len(observed)))
    for sharing in _alike(codes):
        p[sharing], log10_p[sharing] = upper_tails(c, codes[sharing[0]], observed[sharing])
    return p.reshape(leading), log10_p.reshape(leading)


def exchange_tails(excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(L >= observed) and its logarithm if each row may be its mirror image.

    ``excess`` is that of :func:`page_tails`. Random signs of its absolute values have a sum at
    least as large as observed if the sum of those that become negative is at most that of the
    observed negative ones.
    """
    leading = excess.shape[:-1]
    signed = excess.astype(np.int64).reshape(-1, excess.shape[-1])
    sizes = np.sort(np.abs(signed), axis=1)
    at, used = np.maximum(-signed, 0).sum(axis=1), np.count_nonzero(sizes, axis=1)
    p, log10_p = tied_tails(sizes, at, sizes.sum(axis=1), used, two_sided=False)
    return p.reshape(leading), log10_p.reshape(leading)


def upper_tails(c: int, codes: IntArray, excess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return P(L >= observed) and its common logarithm for rows with the ties in ``codes``.

    Parameters
    ----------
    c : int
        Number of ranks in a row.
    codes : ndarray of int, shape (n_rows,)
        Code of each row from :func:`patterns`.
    excess : ndarray of float, shape (n_observed,)
        Twice the difference of L and its mean, integers.
    """
    counts = Counter(codes.tolist())
    inner, outer = _two_sums(_powers(c, counts))
    above = np.append(np.cumsum(outer.masses[::-1])[::-1], 0.0)
    # Each mass of one sum is combined with the values of the other that reach the observed L.
    p = np.array([above[_first_at_least(e - inner.values, outer)] @ inner.masses for e in excess])
    p = np.minimum(p, 1.0)
    far = p < _SMALLEST_DIRECT
    with np.errstate(divide="ignore"):
        log10_p = np.log10(p)
    for index in np.flatnonzero(far):
        log10_p[index] = _tilted_tail(c, counts, float(excess[index])) / math.log(10.0)
        p[index] = 10.0 ** log10_p[index]
    return p, log10_p


def row_power(c: int, code: int, count: int) -> Centred:
    """Return the distribution of a sum of ``count`` rows with the same ties."""
    return row_law(c, code) if count == 1 else _several_rows(c, code, count)


@lru_cache(maxsize=64)
def _several_rows(c: int, code: int, count: int) -> Centred:
    half = count // 2
    return _added(row_power(c, code, half), row_power(c, code, count - half))


@lru_cache(maxsize=4096)
def row_law(c: int, code: int) -> Centred:
    """Return the distribution of twice L of one row about its mean, over all arrangements.

    Ranks are assigned to the places from the first on, and a state holds how many of each tied
    value have been used. There are up to 2**c states, which take 30 MB for c = 14 and 150 MB for
    c = 16.
    """
    sizes = _sizes(c, code)
    last = np.cumsum(sizes)
    doubled = 2 * last - sizes + 1  # twice the mid-ranks of the tied values
    step = int(np.gcd.reduce(doubled - doubled[0]))  # 0 if all are tied
    counts = _arrangements(sizes, (doubled - doubled[0]) // max(step, 1))
    return Centred(step, locked(counts / counts.sum()))


def _sizes(c: int, code: int) -> IntArray:
    begins = [0, *(j + 1 for j in range(c - 1) if code >> j & 1), c]
    return np.asarray(np.diff(begins))


class _States(NamedTuple):
    """States of an arrangement: the number of each tied value used, as digits of a number."""

    sizes: IntArray
    values: IntArray
    radix: IntArray
    used: IntArray  # (n_states, n_values)
    layers: list[IntArray]  # states for each number of ranks placed
    within: IntArray  # index of each state within its layer

    @classmethod
    def of(cls, sizes: IntArray, values: IntArray) -> _States:
        ends = np.cumprod(sizes + 1)
        radix = ends // (sizes + 1)
        used = np.arange(ends[-1])[:, np.newaxis] // radix % (sizes + 1)
        placed = used.sum(axis=1)
        layers = [np.flatnonzero(placed == count) for count in range(int(sizes.sum()) + 1)]
        within = np.empty(len(used), dtype=np.int64)
        for layer in layers:
            within[layer] = np.arange(len(layer))
        return cls(sizes, values, radix, used, layers, within)


class _Layer(NamedTuple):
    """Counts of arrangements by state and sum; the first column has the sum ``least``."""

    least: int
    counts: FloatArray


def _arrangements(sizes: IntArray, values: IntArray) -> FloatArray:
    """Count the arrangements by the sum over j of (j - 1) value_j, from least to largest."""
    states, layer = _States.of(sizes, values), _Layer(0, np.ones((1, 1)))
    for count in range(int(sizes.sum())):
        layer = _with_one_more(states, layer, count)
    counts: FloatArray = layer.counts[0]
    return counts


def _with_one_more(states: _States, layer: _Layer, count: int) -> _Layer:
    """Extend arrangements of ``count`` ranks by a rank at place count + 1."""
    ascending = np.repeat(states.values, states.sizes)
    least, largest = _reach(ascending, count + 1)
    here, length = states.layers[count], largest - least + 1
    counts = np.zeros((len(states.layers[count + 1]), length))
    for group, value in enumerate(states.values.tolist()):
        free = np.flatnonzero(states.used[here, group] < states.sizes[group])
        targets = states.within[here[free] + states.radix[group]]
        # no arrangement lies beyond the reach, so only zeros are cut off
        start = layer.least + count * value - least
        first, end = max(0, -start), min(layer.counts.shape[1], length - start)
        counts[targets, start + first : start + end] += layer.counts[free, first:end]
    return _Layer(least, counts)


def _reach(ascending: IntArray, count: int) -> tuple[int, int]:
    """Return the least and the largest sum of ``count`` ranks in the first places."""
    places = np.arange(count)
    most = ascending[len(ascending) - count :]
    return int(places[::-1] @ ascending[:count]), int(places @ most)


def _powers(c: int, counts: Counter[int]) -> list[Centred]:
    """Return a distribution for each pattern of ties, or two if there is only one pattern."""
    parts = list(counts.items())
    if len(parts) == 1 and parts[0][1] > 1:
        [(code, count)] = parts
        parts = [(code, count // 2), (code, count - count // 2)]
    return [row_power(c, code, count) for code, count in parts]


def _alike(rows: IntArray) -> list[IntArray]:
    """Return the indices of equal rows, grouped."""
    groups: dict[bytes, list[int]] = {}
    for index, row in enumerate(np.ascontiguousarray(rows)):
        groups.setdefault(row.tobytes(), []).append(index)
    return [np.array(group) for group in groups.values()]


def _two_sums(laws: list[Centred]) -> tuple[Centred, Centred]:
    """Combine distributions into two sums of similar span, which saves the last convolution.

    Those with even steps are added first, because they share a coarser grid.
    """
    sums = [Centred(0, np.ones(1)), Centred(0, np.ones(1))]
    spans = [0, 0]
    for law in sorted(laws, key=lambda law: (law.step % 2, -law.span)):
        to = int(spans[1] < spans[0])
        sums[to] = _added(sums[to], law)
        spans[to] += law.span
    return sums[1], sums[0]


def _added(one: Centred, other: Centred) -> Centred:
    """Return the distribution of a sum, whose upper half mirrors the lower one."""
    step = math.gcd(one.step, other.step)
    first, second = (_on_grid(law, step) for law in (one, other))
    length = len(first) + len(second) - 1
    half = (length + 1) // 2
    lower = _product(first, second, half)
    return Centred(step, locked(np.append(lower, lower[: length // 2][::-1])))


def _product(first: FloatArray, second: FloatArray, length: int) -> FloatArray:
    """Return the first ``length`` terms of a convolution, in blocks that fit into the cache."""
    total = np.zeros(length)
    shorter, longer = sorted((first[:length], second[:length]), key=len)
    for begin in range(0, len(shorter), _BLOCK):
        part = np.convolve(longer[: length - begin], shorter[begin : begin + _BLOCK])
        end = min(length, begin + len(part))
        total[begin:end] += part[: end - begin]
    return total


def _on_grid(law: Centred, step: int) -> FloatArray:
    if law.step == step or len(law.masses) == 1:
        return law.masses
    finer = np.zeros(law.span // step + 1)
    finer[:: law.step // step] = law.masses
    return finer


def _first_at_least(least: FloatArray, law: Centred) -> IntArray:
    """Return the index of the first value of at least ``least``, or the length if none is."""
    # values are multiples of one half, so a margin of a quarter is safe
    places = np.ceil((least + law.span / 2 - 0.25) / max(law.step, 1))
    return np.asarray(np.clip(places, 0, len(law.masses)).astype(np.int64))


def _tilted_tail(c: int, counts: Counter[int], observed: float) -> float:
    """Return the log of P(sum >= observed) far above the mean.

    Masses are multiplied by exp(tilt * value), which moves the mean near the observed value.
    """
    from scipy import optimize  # imported here, because it takes longer than a comparison

    laws = [(row_law(c, code), count) for code, count in counts.items()]

    def beyond(tilt: float) -> float:
        """Return by how much the mean of the tilted sum exceeds the observed value."""
        means = (count * float(_tilted(law, tilt)[0] @ law.values) for law, count in laws)
        return math.fsum(means) - observed

    steepest = _STEEPEST
    tilt = optimize.brentq(beyond, 0.0, steepest) if beyond(steepest) > 0 else steepest
    log_p = tilt * (math.fsum(count * law.span / 2 for law, count in laws) - observed)
    start, masses = 0.0, np.ones(1)
    step = math.gcd(*(law.step for law, _ in laws))
    for law, count in laws:
        tilted, log_total = _tilted(law, tilt)
        row = _on_grid(Centred(law.step, tilted), step)
        for _ in range(count):
            masses = np.convolve(masses, row)
            start -= law.span / 2
            kept = np.flatnonzero(masses >= _NO_MASS)
            start += step * int(kept[0])
            masses = masses[kept[0] : kept[-1] + 1]
        log_p += count * log_total
    surplus = start + step * np.arange(len(masses)) - observed
    inside = surplus > -0.25
    return log_p + math.log(float(masses[inside] @ np.exp(-tilt * surplus[inside])))


def _tilted(law: Centred, tilt: float) -> tuple[FloatArray, float]:
    """Return masses times exp(tilt * value), normalized to sum to 1, and the log of their sum.

    The factor is scaled to be 1 for the largest value.
    """
    masses = law.masses * np.exp(tilt * (law.values - law.span / 2))
    total = float(masses.sum())
    return masses / total, math.log(total)


# Largest numbers of cut-points for which "auto" and "exact" count arrangements.
MOST_CUTPOINTS = 14
_MOST_EXACT_CUTPOINTS = 16
# Longest distributions of L for "auto" and "exact", in halves: at most 0.5 and 3 seconds.
_MOST_SPAN, _MOST_EXACT_SPAN = 1 << 16, 1 << 18
# The same for sums of signs.
_MOST_SIGNED, _MOST_EXACT_SIGNED = 1 << 22, 1 << 24


class PageTest(NamedTuple):
    """Tests of an increasing trend, one per pair of algorithms.

    Attributes
    ----------
    statistic : ndarray of float
        Page's L.
    pvalue, log10_pvalue : ndarray of float
        Probability of an L at least as large, and its common logarithm.
    method : str
        Method by which p was computed, ``exact`` or ``normal``.
    """

    statistic: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    method: str


def convergence_ranks(
    difference: npt.ArrayLike,
    a_reached: npt.ArrayLike | None = None,
    b_reached: npt.ArrayLike | None = None,
    *,
    scale: npt.ArrayLike | None = None,
) -> FloatArray:
    """Rank the differences of two algorithms over the cut-points of each problem.

    If A converges faster, the lag of B grows, and so do the ranks. Once an algorithm has reached
    the optimum, its lead can only shrink, so that the alternative version (Derrac et al. 2014)
    gives the remaining cut-points the ranks of a trend in its favour.

    Parameters
    ----------
    difference : array_like, shape (..., n_problems, c)
        Value of B minus value of A, the best so far at each cut-point, to be minimized.
    a_reached, b_reached : array_like of int, shape (..., n_problems), optional
        First cut-point, counted from 1, at which A and B have reached the optimum; c + 1 if they
        never reach it. Reaching it only at the last cut-point, c, is treated as never. If these
        are omitted, the ranks are those of the basic version.
    scale : array_like, optional
        Magnitude of the values from which the differences were computed, broadcast against
        ``difference``. Differences are tied if they differ only by rounding noise of that
        magnitude; by default, it is their own magnitude.

    Returns
    -------
    ndarray of float, shape (..., n_problems, c)
        If neither is first, the mid-ranks of the differences. If A is first, at cut-point t, the
        rank is j at each cut-point j from t on, and the cut-points before t have the mid-ranks of
        their differences. If B is first, the ranks are c + 1 - j from t on, and before t the
        mid-ranks of the differences there plus c - t + 1. Exchanging A and B gives c + 1 minus
        the ranks.

    Raises
    ------
    ValueError
        If there are fewer than 2 cut-points, a number is not finite, only one of ``a_reached``
        and ``b_reached`` is given, cut-points do not exist, or shapes do not match.

    References
    ----------
    Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). Analyzing
    convergence performance of evolutionary algorithms: a statistical approach. Information
    Sciences 289, 41-58.

    Examples
    --------
    A is at the optimum from cut-point 3 on, so that B, which has not reached it, catches up. This
    is not evidence in favour of B:

    >>> difference = [[2.0, 4.0, 3.0, 2.0, 1.0]]
    >>> convergence_ranks(difference)
    array([[2.5, 5. , 4. , 2.5, 1. ]])
    >>> convergence_ranks(difference, a_reached=[3], b_reached=[6])
    array([[1., 2., 3., 4., 5.]])
    """
    values = check_finite(difference, "difference")
    _check_shape(values, "difference")
    sizes = np.abs(values) if scale is None else check_scale(scale, values.shape)
    ranks = midranks(values, scale=sizes)
    if (a_reached is None) != (b_reached is None):
        given, missing = ("a", "b") if b_reached is None else ("b", "a")
        raise ValueError(
            f"`{missing}_reached` must be given together with `{given}_reached`; got None."
        )
    if a_reached is None or b_reached is None:
        return ranks
    of_a = _check_reached(a_reached, "a_reached", values.shape)
    of_b = _check_reached(b_reached, "b_reached", values.shape)
    _put_alternative_ranks(ranks, values, sizes, of_a, of_b)
    return ranks


def page(ranks: npt.ArrayLike, *, method: str = "auto", formulas: str = "corrected") -> PageTest:
    r"""Perform Page's test of ranks that increase from one column to the next.

    The statistic is :math:`L = \sum_j j R_j`, with the rank sum :math:`R_j` of column j. Under the
    null hypothesis, all arrangements of the ranks of a row are equally likely, and rows are
    independent. This is not true for the histories of two algorithms, where each cut-point depends
    on the previous one; use :func:`exchange` for these.

    Parameters
    ----------
    ranks : array_like, shape (..., n, c)
        Mid-ranks 1 to c within each of n rows, with columns in the order of the expected trend.
        At least 1 row and 2 columns.
    method : {"auto", "exact", "normal"}
        ``exact`` counts the arrangements of the mid-ranks of each row, including ties, and
        convolves the rows: up to 16 columns, if n c (c - 1) (c + 1) / 3 is at most 2**18
        (n = 794 for c = 10). ``auto`` does so up to 14 columns and 2**16 (n = 198 for c = 10),
        and uses the normal approximation beyond.
    formulas : {"corrected", "printed"}
        ``corrected``: the normal approximation has the variance of the tied ranks,
        :math:`\sum_i [\sum_j (r_{ij} - \frac{c+1}{2})^2] \frac{c(c+1)}{12}`. ``printed``: the
        statistic of Derrac et al. (2014), with a continuity correction and the variance of
        untied ranks, :math:`Z = \frac{12(L - 0.5) - 3nc(c+1)^2}{c(c+1)\sqrt{n(c-1)}}`, which
        ``auto`` then always uses.

    Returns
    -------
    PageTest
        Arrays of the shape of the leading axes. If all ranks are tied, there is no trend and p is
        1 (with the printed Z, a little more than 0.5).

    Raises
    ------
    ValueError
        If an option is unknown, a row does not hold mid-ranks 1 to c, or there are too many ranks
        for an exact p that was requested.

    Notes
    -----
    Counting the arrangements of a row takes up to 1 second and 150 MB for 16 columns, 0.1 and 30
    for 14, 0.002 and 1 for 10. The counts are cached: rows with the same ties, and their mirror
    images, have the same distribution. Probabilities are sums of positive terms, so that p is
    accurate relative to its own size; if p underflows, log10 p does not.

    References
    ----------
    Page, E. B. (1963). Ordered hypotheses for multiple treatments: a significance test for
    linear ranks. Journal of the American Statistical Association 58, 216-230. Derrac et al.
    (2014), see :func:`convergence_ranks`.

    Examples
    --------
    Three rows in perfect order are one arrangement in 6**3:

    >>> test = page([[1, 2, 3], [1, 2, 3], [1, 2, 3]])
    >>> float(test.statistic), round(1 / float(test.pvalue)), test.method
    (42.0, 216, 'exact')
    """
    array = _check_ranks(ranks)
    check_choice(method, "method", laws.METHODS)
    check_choice(formulas, "formulas", FORMULAS)
    n, c = array.shape[-2:]
    statistic, excess = _statistics(array)
    size = n * c * (c * c - 1) // 3
    limits = (_MOST_EXACT_CUTPOINTS, _MOST_EXACT_SPAN)
    if method == "exact" and (c > limits[0] or size > limits[1]):
        raise ValueError(
            "`method` must be 'auto' or 'normal' for ranks of this shape; "
            f"got 'exact' for {n:,} rows of {c:,} ranks."
        )
    few = _are_few(n, c) and formulas == "corrected"
    if method == "exact" or (method == "auto" and few):
        return PageTest(statistic, *page_tails(array, excess), "exact")
    if formulas == "printed":
        z = (12 * (statistic - 0.5) - 3 * n * c * (c + 1) ** 2) / (
            c * (c + 1) * math.sqrt(n * (c - 1))
        )
        return PageTest(statistic, *laws.from_log(scipy.special.log_ndtr(-z)), "normal")
    spread = np.square(array - (c + 1) / 2).sum(axis=(-2, -1)) * c * (c + 1) / 12
    return PageTest(statistic, *_normal(excess.sum(axis=-1) / 2, spread), "normal")


def critical_l(n: int, c: int, alpha: float, *, formulas: str = "corrected") -> float | None:
    """Return the smallest L of n rows of c untied ranks that Page's test finds significant.

    Parameters
    ----------
    n, c : int
        Numbers of rows, at least 1, and of columns, at least 2.
    alpha : float
        Significance level of a single test.
    formulas : {"corrected", "printed"}
        As in :func:`page`, whose ``method="auto"`` this is: exact for few rows, else normal.

    Returns
    -------
    float or None
        A whole number; None if even the largest possible L is not significant.

    Raises
    ------
    ValueError
        If a number or the word is not one of these.

    References
    ----------
    Page (1963), Table 2, for up to 12 rows and 3 to 8 columns at 0.05, 0.01 and 0.001.

    Examples
    --------
    >>> critical_l(4, 5, 0.05), critical_l(2, 3, 0.01)
    (197.0, None)
    """
    check_count(n, "n", least=1)
    check_count(c, "c", least=2)
    level = check_probability(alpha, "alpha")
    check_choice(formulas, "formulas", FORMULAS)
    mean, most = n * c * (c + 1) ** 2 / 4, n * c * (c + 1) * (2 * c + 1) / 6
    if formulas == "printed" or not _are_few(n, c):
        spread = c * (c + 1) * math.sqrt(n * (c - 1)) / 12
        least = (
            mean + float(scipy.special.ndtri(1 - level)) * spread + 0.5 * (formulas == "printed")
        )
        return float(math.ceil(least)) if least <= most else None
    codes = patterns(np.tile(np.arange(1.0, c + 1), (n, 1)))

    def is_significant(total: int) -> bool:
        p, _ = upper_tails(c, codes, np.array([2 * (total - mean)]))
        return bool(p[0] <= level)

    possible = range(math.ceil(mean), int(most) + 1)
    place = bisect_left(possible, True, key=is_significant)
    return float(possible[place]) if place < len(possible) else None


def exchange(ranks: npt.ArrayLike, *, method: str = "auto") -> PageTest:
    r"""Test convergence histories for increasing ranks under exchanges of the two algorithms.

    If two algorithms converge equally, they may be exchanged on any problem. This replaces its
    ranks r by c + 1 - r, and reverses the sign of what it adds to L about the mean
    :math:`c(c+1)^2/4`. Under the null hypothesis L is therefore a sum with independent signs, all
    :math:`2^n` choices of which are counted. Nothing is assumed about the dependence among the
    cut-points of a run, whereas Page's own null hypothesis does not allow for it.

    Parameters
    ----------
    ranks : array_like, shape (..., n_problems, c)
        Ranks such as those from :func:`convergence_ranks`: mid-ranks 1 to c within each problem,
        for at least 1 problem and 2 cut-points.
    method : {"auto", "exact", "normal"}
        ``exact`` counts by dynamic programming, up to 1,000 problems, if
        n c (c - 1) (c + 1) / 6 is at most 2**24, which takes 130 MB. ``auto`` does so up to 2**22
        (50 problems with 79 cut-points), and uses the normal approximation beyond, with the
        variance of the signs and without continuity correction.

    Returns
    -------
    PageTest
        Arrays of the shape of the leading axes. If no problem shows a trend, p is 1.

    Raises
    ------
    ValueError
        See :func:`page`.

    References
    ----------
    Fisher, R. A. (1935). The Design of Experiments, section 21, for exchanges as a null
    hypothesis; L as in :func:`page`.

    Examples
    --------
    The ranks increase on 4 problems of 5, and decrease on the one with the weakest trend: of 32
    choices of signs, 2 have at least this sum.

    >>> growing, falling = [1, 2, 3, 4, 5], [2, 4, 5, 1, 3]
    >>> test = exchange([growing] * 4 + [falling])
    >>> float(test.statistic), float(test.pvalue)
    (264.0, 0.0625)
    """
    array = _check_ranks(ranks)
    check_choice(method, "method", laws.METHODS)
    n, c = array.shape[-2:]
    statistic, excess = _statistics(array)
    size = n * c * (c * c - 1) // 6
    if method == "exact" and (n > laws.MOST_RANKS or size > _MOST_EXACT_SIGNED):
        raise ValueError(
            "`method` must be 'auto' or 'normal' for ranks of this shape; "
            f"got 'exact' for {n:,} problems with {c:,} cut-points."
        )
    few = n <= laws.MOST_RANKS and size <= _MOST_SIGNED
    if method == "exact" or (method == "auto" and few):
        return PageTest(statistic, *exchange_tails(excess), "exact")
    return PageTest(
        statistic, *_normal(excess.sum(axis=-1), np.square(excess).sum(axis=-1)), "normal"
    )


def _are_few(n: int, c: int) -> bool:
    """Return whether the arrangements of so many ranks are counted by default."""
    return c <= MOST_CUTPOINTS and n * c * (c * c - 1) // 3 <= _MOST_SPAN


def _check_shape(array: FloatArray, argument: str) -> None:
    if array.ndim < 2 or array.shape[-2] < 1 or array.shape[-1] < 2:
        raise ValueError(
            f"`{argument}` must have the shape (..., n_problems, n_cutpoints) with at least "
            f"1 problem and 2 cut-points; got an array of shape {array.shape}."
        )


def _check_ranks(ranks: npt.ArrayLike) -> FloatArray:
    array = check_finite(ranks, "ranks")
    _check_shape(array, "ranks")
    wrong = (midranks(array) != array).any(axis=-1)
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            f"`ranks` must hold the mid-ranks 1 to {array.shape[-1]} of each problem; "
            f"got {shown(array[where].tolist())} at index {where}."
        )
    return array


def _check_reached(reached: npt.ArrayLike, argument: str, shape: tuple[int, ...]) -> IntArray:
    """Check first cut-points at the optimum; c, which changes no ranks, becomes c + 1."""
    array = check_real(reached, argument)
    if array.shape != shape[:-1]:
        raise ValueError(
            f"`{argument}` must have the shape {shape[:-1]}, one cut-point per problem; "
            f"got an array of shape {array.shape}."
        )
    never = shape[-1] + 1
    wrong = ~((array >= 1) & (array <= never) & (array == np.floor(array)))
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            f"`{argument}` must hold whole numbers from 1 to {never}, which means never; "
            f"got {float(array[where])!r} at index {where}."
        )
    return np.where(array == never - 1, never, array).astype(np.int64)


def _put_alternative_ranks(
    ranks: FloatArray, values: FloatArray, sizes: FloatArray, of_a: IntArray, of_b: IntArray
) -> None:
    """Overwrite the ranks of problems on which one algorithm reached the optimum first."""
    c = ranks.shape[-1]
    first = np.minimum(of_a, of_b)
    growing = np.arange(1.0, c + 1)
    for reached in np.unique(first[of_a != of_b]).tolist():
        earlier = reached - 1
        for leads, later, offset in (
            (of_a < of_b, growing, 0),
            (of_b < of_a, growing[::-1], c - earlier),
        ):
            rows = leads & (first == reached)
            ranks[rows, earlier:] = later[earlier:]
            before = midranks(values[rows, :earlier], scale=sizes[rows, :earlier])
            ranks[rows, :earlier] = before + offset


def _statistics(ranks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return L, and twice the contribution of each row to L minus its mean, as integers."""
    c = ranks.shape[-1]
    rows = ranks @ np.arange(1.0, c + 1)
    return np.asarray(rows.sum(axis=-1)), 2 * rows - c * (c + 1) ** 2 / 2


def _normal(deviation: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return upper tails; p is 1 where nothing varies and the observed value is certain."""
    varies = variance > 0
    z = deviation / np.sqrt(np.where(varies, variance, 1.0))
    return laws.from_log(np.where(varies, scipy.special.log_ndtr(-z), 0.0))
