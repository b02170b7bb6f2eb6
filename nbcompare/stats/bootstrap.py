"""Bootstrap tests: A and B, by one random number from each data set, and of tilted samples.

The distribution of the sum is exact (:mod:`~nbcompare.stats.lattice`), or that of random
permutations.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._validation import DataError, check_choice, check_count, check_finite
from nbcompare.stats.lattice import SumTails, sum_tails
from nbcompare.stats.laws import ALTERNATIVES, IntervalP
from nbcompare.stats.omnibus import FORMULAS
from nbcompare.stats.permutation import (
    METHODS,
    blocks,
    check_vectors,
    generator,
    permutation_test,
    pvalues,
    sign_flips,
)
from nbcompare.stats.rankings import check_scale, whole_numbers

# Sums of larger scores might overflow, so they are multiplied by the second factor.
_LARGEST, _SMALLER = 2.0**900, 2.0**-200
# A distribution shared by all algorithms is tried first; this limits its cost off a grid.
_FEW_POINTS = 16

Source = np.random.Generator | int | None


class Scores(NamedTuple):
    """Ends of the scores, and the scale of each data set."""

    lower: FloatArray
    upper: FloatArray
    scale: FloatArray  # (n,)


class Draws(NamedTuple):
    """Number of random permutations and their source."""

    n_resamples: int
    source: np.random.Generator


def check_table(
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    scale: npt.ArrayLike | None,
    low_name: str = "lower",
    high_name: str = "upper",
) -> Scores:
    """Check ends of scores of at least 2 data sets and 2 algorithms; return them as a table."""
    low = check_finite(lower, low_name, ndim=2)
    high = check_finite(upper, high_name, ndim=2)
    if low.shape != high.shape:
        raise ValueError(
            f"`upper` must have the shape of `lower`; got arrays of shapes {low.shape} and "
            f"{high.shape}."
        )
    if min(low.shape) < 2:
        raise ValueError(
            f"`{low_name}` must hold at least 2 data sets (rows) and 2 algorithms (columns); "
            f"got an array of shape {low.shape}."
        )
    if (low > high).any():
        row, column = (int(i) for i in np.argwhere(low > high)[0])
        raise DataError(
            "`lower` must not be above `upper`; "
            f"got {low[row, column]} above {high[row, column]} at index {(row, column)}."
        )
    if scale is None:  # decimals become integers, whose differences have no rounding noise
        low, high = whole_numbers(np.stack([low, high]))
        size = np.maximum(np.abs(low), np.abs(high)).max(axis=1)
    else:
        size = check_scale(scale, low.shape).max(axis=1)
    if max(np.abs(low).max(), np.abs(high).max()) > _LARGEST:
        low, high, size = low * _SMALLER, high * _SMALLER, size * _SMALLER
    return Scores(low, high, size)


def check_draws(method: str, n_resamples: int, rng: Source) -> Draws | None:
    """Return how to resample; None for exact distributions."""
    if check_choice(method, "method", METHODS) == "exact":
        return None
    return Draws(check_count(n_resamples, "n_resamples", least=1), generator(rng))


def tails_of_picks(
    values: FloatArray, centres: FloatArray, scale: FloatArray, draws: Draws | None
) -> SumTails:
    """Return tails of the sum of one value from each data set, at the sum of each centre."""
    if draws is None:
        # One distribution serves all algorithms, but off a grid centring gives narrower brackets.
        shared = sum_tails(
            values, centres.sum(axis=0), scale=scale[:, np.newaxis], points=_FEW_POINTS
        )
        if (shared.lower_low == shared.lower_high).all():
            return shared
    return tails_at_zero(centred(values, centres), scale, draws)


def tails_at_zero(terms: FloatArray, scale: FloatArray, draws: Draws | None) -> SumTails:
    """Return tails at 0 of the sum over i of terms[a, i, j], j random, for each algorithm a."""
    if draws is None:
        return sum_tails(terms, 0.0, scale=scale[:, np.newaxis])
    k, n, _ = terms.shape
    noise = NOISE * float(scale.sum())
    counts = np.ones((2, k))  # the observed permutation is counted too
    # Each algorithm picks the term of a random one on each data set, as a permutation does; by
    # size, so that the order of the algorithms does not matter, nor the direction of the scores.
    side = np.where(terms.sum(axis=(1, 2), keepdims=True) < 0, -1.0, 1.0)
    flat = (np.sort(terms * side, axis=2) * side).reshape(k, n * k)
    places = k * np.arange(n)
    for size in blocks(draws.n_resamples, n * k):
        picks = draws.source.integers(0, k, (size, n)) + places
        sums = flat.take(picks, axis=1).sum(axis=2)
        counts[0] += (sums <= noise).sum(axis=1)
        counts[1] += (sums >= -noise).sum(axis=1)
    lower, upper = counts / (draws.n_resamples + 1)
    return SumTails(lower, lower, upper, upper)


def centred(values: FloatArray, centres: FloatArray) -> FloatArray:
    """Subtract the centre of each algorithm from each data set, shape (k, n, k)."""
    return np.asarray(values[np.newaxis] - centres.T[:, :, np.newaxis])


def bootstrap_a(
    scores: npt.ArrayLike,
    *,
    method: str = "exact",
    n_resamples: int = 10_000,
    rng: Source = None,
    scale: npt.ArrayLike | None = None,
) -> IntervalP:
    r"""Compare the mean score of each algorithm with that of all algorithms by Bootstrap-A.

    Under the null hypothesis the scores of each data set may be permuted among the
    algorithms, independently of other data sets. The mean of an algorithm is then the mean of
    one random score from each data set, where all k scores are equally likely (equation 9).
    :math:`p = \min(1, 2 \min\{P(S \le s), P(S \ge s)\})`, where s is the observed sum.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores of at least 2 data sets and 2 algorithms, in any direction.
    method : {"exact", "resampling"}
        ``exact`` uses the distribution of the sum. ``resampling`` uses ``n_resamples`` random
        choices of a score on each data set, as permutations give them in the paper, and the
        observed one: (count + 1)/(n_resamples + 1). The paper's count/n_resamples can be 0, and
        rejects true hypotheses too often.
    n_resamples : int, default 10_000
        Number of resamples; ignored if the method is ``exact``.
    rng : None, int or numpy Generator
        Seed or source of the random permutations; None gives different ones each time.
    scale : array_like, optional
        Magnitude of the numbers from which the scores were computed, if any. Sums that differ
        by rounding noise of that magnitude are treated as equal.

    Returns
    -------
    IntervalP
        One p-value per algorithm, not adjusted for their number. The ends are equal if the
        scores are on a common grid, such as decimals, or the data sets are few; otherwise p lies
        between them, and they are less than 1 % apart for 64 data sets and p around 0.001.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, or a score is not finite.

    References
    ----------
    Otero et al. (2013), section 3.1, equations (7) to (9).

    Examples
    --------
    The third is worst on both data sets: 1 of the 9 choices has a sum of at least 6.

    >>> bootstrap_a([[1, 2, 3], [2, 1, 3]]).p_high.round(3)
    array([0.667, 0.667, 0.222])
    """
    table = check_table(scores, scores, scale, "scores", "scores")
    draws = check_draws(method, n_resamples, rng)
    tails = tails_of_picks(table.lower, table.lower, table.scale, draws)
    return _two_sided(tails, tails)


def bootstrap_a_pairs(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    method: str = "exact",
    n_resamples: int = 10_000,
    rng: Source = None,
    scale: npt.ArrayLike | None = None,
) -> IntervalP:
    """Test whether two algorithms have the same mean, the post-hoc test of Bootstrap-A.

    On each data set the two scores may be exchanged, so that their difference takes either sign.
    This is the test of :func:`~nbcompare.stats.permutation.sign_flips`. Equation 10 of the paper,
    which uses the mean of the second algorithm, gives the same p.

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Scores of at least 2 data sets and 2 algorithms.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    method, n_resamples, rng, scale
        See :func:`bootstrap_a`.

    Returns
    -------
    IntervalP
        One p-value per pair, not adjusted for their number.

    Raises
    ------
    ValueError
        See :func:`bootstrap_a`.

    Examples
    --------
    The first is better on all four data sets, which 1 of 16 exchanges would give:

    >>> scores = [[1, 2], [1, 3], [1, 4], [1, 5]]
    >>> bootstrap_a_pairs(scores, np.array([0]), np.array([1])).p_high
    array([0.125])
    """
    table = check_table(scores, scores, scale, "scores", "scores")
    return _flipped(table, first, second, method, n_resamples, rng)


def bootstrap_b(
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    *,
    formulas: str = "corrected",
    method: str = "exact",
    n_resamples: int = 10_000,
    rng: Source = None,
    scale: npt.ArrayLike | None = None,
) -> IntervalP:
    r"""Compare interval-valued scores of each algorithm with those of all by Bootstrap-B.

    With ``formulas="corrected"``, p ranges over the p-values of Bootstrap-A for all tables with
    one number from each interval. The score that algorithm a draws on data set i differs from its
    own score by 0 if it draws its own, and otherwise by at least
    :math:`D^-_{ij} = q^-_{ij} - q^+_{ia}` and at most :math:`D^+_{ij} = q^+_{ij} - q^-_{ia}`:

    .. math:: p_{low} = 2 \min\{P(\textstyle\sum D^- \ge 0), P(\sum D^+ \le 0)\}, \quad
        p_{high} = \min(1, 2 \min\{P(\textstyle\sum D^+ \ge 0), P(\sum D^- \le 0)\})

    With ``formulas="printed"``, resampled ends :math:`Q^{*\pm}` are compared with observed ones as
    in equations (18) to (23), so that the observed mean and the resampled one, which contain the
    same scores, may use different numbers from the same interval:

    .. math:: p_{low} = 2 \min\{P(Q^{*-} \ge \hat q^+), P(Q^{*+} \le \hat q^-)\}, \quad
        p_{high} = \min(1, 2 \min\{P(Q^{*+} \ge \hat q^-), P(Q^{*-} \le \hat q^+)\})

    The hypothesis is rejected if ``p_high <= alpha``, and inconclusive if only ``p_low <= alpha``.

    Parameters
    ----------
    lower, upper : array_like, shape (n_datasets, n_algorithms)
        Ends of the scores of at least 2 data sets and 2 algorithms; numbers have equal ends.
    formulas : {"corrected", "printed"}
        Which of the two formulas to use.
    method : {"exact", "resampling"}
        See :func:`bootstrap_a`.
    n_resamples, rng, scale
        See :func:`bootstrap_a`.

    Returns
    -------
    IntervalP
        One p-value per algorithm, not adjusted for their number; for numbers, the result of
        :func:`bootstrap_a`. The corrected ``p_low`` is attained by some table, and ``p_high`` is
        an upper bound, because a single table need not be the worst for both tails. With
        ``printed``, a ``p_low`` of 0 is returned as 4.5e-308, twice the smallest normal number.

    Raises
    ------
    ValueError
        If there are fewer than 2 data sets or algorithms, shapes do not match, numbers are not
        finite, or a lower end is above the upper one.

    Notes
    -----
    Equations (22) and (23) require a probability of less than alpha/2, where a resampled mean
    that equals the observed one is counted in (23) only. Here it is counted in both tails, and
    alpha/2 itself is sufficient.

    References
    ----------
    Otero et al. (2013), section 3.2, equations (11) to (23).

    Examples
    --------
    The third has an interval on the first data set; 1 or 2 of 9 choices are as high:

    >>> lower = [[1, 2, 1.5], [2, 1, 3]]
    >>> upper = [[1, 2, 3.0], [2, 1, 3]]
    >>> test = bootstrap_b(lower, upper)
    >>> test.p_low.round(3), test.p_high.round(3)
    (array([0.667, 0.667, 0.222]), array([0.889, 0.889, 0.444]))
    """
    check_choice(formulas, "formulas", FORMULAS)
    table = check_table(lower, upper, scale)
    draws = check_draws(method, n_resamples, rng)
    if (table.lower == table.upper).all():
        tails = tails_of_picks(table.lower, table.lower, table.scale, draws)
        return _two_sided(tails, tails)
    if formulas == "printed":
        least, most = _printed_tails(table.lower, table.upper, table.scale, draws)
        return _two_sided(least, most)
    own = np.eye(table.lower.shape[1], dtype=np.bool_)[:, np.newaxis, :]
    least = tails_at_zero(np.where(own, 0.0, centred(table.lower, table.upper)), table.scale, draws)
    most = tails_at_zero(np.where(own, 0.0, centred(table.upper, table.lower)), table.scale, draws)
    return _two_sided(least, most)


def bootstrap_b_pairs(
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    formulas: str = "corrected",
    method: str = "exact",
    n_resamples: int = 10_000,
    rng: Source = None,
    scale: npt.ArrayLike | None = None,
) -> IntervalP:
    """Compare pairs of algorithms with interval-valued scores, the post-hoc test of Bootstrap-B.

    With ``formulas="corrected"``, the signs of the interval-valued differences are flipped
    (:func:`~nbcompare.stats.permutation.sign_flips`): p ranges over all choices from the
    intervals, and does not depend on the order of the pair. With ``formulas="printed"``,
    equations (24) to (29) are used: on each data set the resampled algorithm takes the interval
    of either algorithm, and the ends of its mean are compared with those of the first.

    Parameters
    ----------
    lower, upper : array_like, shape (n_datasets, n_algorithms)
        Ends of the scores of at least 2 data sets and 2 algorithms.
    first, second : ndarray of int, shape (n_pairs,)
        Indices of the algorithms of each pair.
    formulas, method, n_resamples, rng, scale
        See :func:`bootstrap_b`.

    Returns
    -------
    IntervalP
        One p-value per pair, not adjusted for their number.

    Raises
    ------
    ValueError
        See :func:`bootstrap_b`.

    References
    ----------
    Otero et al. (2013), equations (24) to (29); a symmetric form is their future work.

    Examples
    --------
    >>> lower, upper = [[1, 2], [1, 3], [1, 4], [1, 5]], [[1.5, 2], [1, 3], [6, 4], [1, 5]]
    >>> bootstrap_b_pairs(lower, upper, np.array([0]), np.array([1]))
    IntervalP(p_low=array([0.125]), p_high=array([0.5]))
    """
    check_choice(formulas, "formulas", FORMULAS)
    table = check_table(lower, upper, scale)
    if formulas == "corrected" or (table.lower == table.upper).all():
        return _flipped(table, first, second, method, n_resamples, rng)
    draws = check_draws(method, n_resamples, rng)
    ends = np.empty((2, len(first)))
    for index, pair in enumerate(zip(first, second, strict=True)):
        columns = np.array(pair)
        tails = _printed_tails(table.lower[:, columns], table.upper[:, columns], table.scale, draws)
        both = _two_sided(*tails)
        ends[:, index] = both.p_low[0], both.p_high[0]
    return IntervalP(*ends)


def _printed_tails(
    lower: FloatArray, upper: FloatArray, scale: FloatArray, draws: Draws | None
) -> tuple[SumTails, SumTails]:
    """Return tails of resampled lower ends at observed upper ends, and the reverse."""
    return (
        tails_of_picks(lower, upper, scale, draws),
        tails_of_picks(upper, lower, scale, draws),
    )


def _flipped(
    table: Scores, first: IntArray, second: IntArray, method: str, n_resamples: int, rng: Source
) -> IntervalP:
    return sign_flips(
        (table.lower[:, first] - table.upper[:, second]).T,
        (table.upper[:, first] - table.lower[:, second]).T,
        method=method,
        n_resamples=n_resamples,
        rng=rng,
        scale=np.broadcast_to(table.scale, (len(first), len(table.scale))),
    )


def _two_sided(least: SumTails, most: SumTails) -> IntervalP:
    """Return p-values from the tails of the least and of the greatest possible sums."""
    low = np.minimum(least.upper_low, most.lower_low)
    high = np.minimum(most.upper_high, least.lower_high)
    return IntervalP(np.minimum(1.0, 2 * low), np.minimum(1.0, 2 * high))


# A larger tilt, in units of the range, puts all weight on one value of each sample.
_LARGEST_TILT = 2.0**60


class Tilted(NamedTuple):
    """Result of the test with one entry per pair of samples.

    The other entries are those of :class:`~nbcompare.stats.permutation.Permutation`. ``tilt`` is
    lambda in the reciprocal unit of the scores, NaN where there is no tilt. ``weights_x`` and
    ``weights_y``, of shape (..., n), are the probabilities with which the values are drawn; they
    are equal where there is no tilt. ``fallback`` is True where there is no tilt, and p is that of
    the permutation test.
    """

    statistic: FloatArray
    p_low: FloatArray
    p_high: FloatArray
    tilt: FloatArray
    weights_x: FloatArray
    weights_y: FloatArray
    fallback: BoolArray


def tilted_test(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: str = "two-sided",
    method: str = "exact",
    n_resamples: int = 10_000,
    rng: np.random.Generator | int | None = None,
) -> Tilted:
    r"""Perform the bootstrap test of two means from exponentially tilted samples.

    Values of x are drawn with probabilities :math:`p_{1i} \propto e^{-\lambda x_i}`, those of y
    with :math:`p_{2i} \propto e^{\lambda y_i}`. These are the weights closest to equal ones, in the
    sense of Kullback and Leibler, for which both samples have the same mean. The p-value is the
    probability that the difference of the means of n draws each is as extreme as the observed one
    (Sánchez, Otero and Alcalá 2006, section 2.1.2). Equation (6) of the paper prints the same sign
    for both samples and an extra factor, and its second step prints the weights of the first
    sample; the weights used here follow from its equations (3) and (4).

    Parameters
    ----------
    x, y : array_like, shape (..., n)
        Scores of the first and the second algorithm, smaller is better. They are treated as
        independent samples, even if both were measured on the same folds.
    alternative : {"two-sided", "better", "worse"}
        Alternative hypothesis: the first differs, is better, or is worse. Two-sided p is
        twice the smaller tail, at most 1.
    method : {"exact", "resampling"}
        ``exact`` uses the distribution of the sum. ``resampling`` uses ``n_resamples`` random
        samples and the observed ones, as in the paper.
    n_resamples, rng
        See :func:`~nbcompare.stats.permutation.sign_flips`.

    Returns
    -------
    Tilted
        Result of shape (...); ``p_low`` and ``p_high`` are equal for data on a common grid. If the
        ranges of x and y do not overlap, no weights give equal means: ``fallback`` is True and p
        is that of :func:`~nbcompare.stats.permutation.permutation_test` of x - y. If all values of
        x and y are the same number, p is 1.

    Raises
    ------
    ValueError
        If samples differ in shape, a number is not finite, or an option is unknown.

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap, chapter 16.
    Chapman and Hall.

    Examples
    --------
    Weights that fall in x and rise in y give both samples the mean 2.5:

    >>> test = tilted_test([1, 2, 3], [2, 3, 4])
    >>> (test.weights_x @ [1, 2, 3]).round(9).item(), (test.weights_y @ [2, 3, 4]).round(9).item()
    (2.5, 2.5)
    >>> test.statistic.item(), test.p_low.round(4).item()
    (-1.0, 0.1598)
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    check_choice(method, "method", METHODS)
    ours, theirs = check_vectors(x, "x"), check_vectors(y, "y")
    if ours.shape != theirs.shape:
        raise ValueError(
            f"`y` must have the shape of `x`; got arrays of shapes {ours.shape} and {theirs.shape}."
        )
    count = check_count(n_resamples, "n_resamples", least=1)
    source = generator(rng) if method == "resampling" else None
    shape, n = ours.shape[:-1], ours.shape[-1]
    pairs = zip(ours.reshape(-1, n), theirs.reshape(-1, n), strict=True)
    results = [_tilted(one, other, alternative, count, source) for one, other in pairs]
    columns = [np.array(column) for column in zip(*results, strict=True)]
    return Tilted(*(column.reshape(shape + column.shape[1:]) for column in columns))


class _OneTilted(NamedTuple):
    statistic: float
    p_low: float
    p_high: float
    tilt: float
    weights_x: FloatArray
    weights_y: FloatArray
    fallback: bool


def _tilted(
    x: FloatArray,
    y: FloatArray,
    alternative: str,
    n_resamples: int,
    rng: np.random.Generator | None,
) -> _OneTilted:
    """Test one pair of samples, by resampling if there is an ``rng``."""
    n = len(x)
    equal = np.full(n, 1 / n)
    size = np.maximum(np.abs(x), np.abs(y))
    statistic = float(np.mean(x - y))
    noise = NOISE * float(size.max())
    if max(x.max(), y.max()) - min(x.min(), y.min()) <= noise:
        return _OneTilted(0.0, 1.0, 1.0, 0.0, equal, equal, False)
    tilt = _tilt(x, y, noise)
    if tilt is None:
        test = permutation_test(
            x - y,
            alternative=alternative,
            method="exact" if rng is None else "resampling",
            n_resamples=n_resamples,
            rng=rng,
            scale=size,
        )
        p_low, p_high = float(test.p_low), float(test.p_high)
        return _OneTilted(statistic, p_low, p_high, math.nan, equal, equal, True)
    weights = _weights(x, -tilt), _weights(y, tilt)
    x, y = whole_numbers(np.stack([x, y]))
    observed = float(np.sum(x) - np.sum(y))
    if rng is None:
        scale = np.abs(np.stack([x, y])).max(axis=1, keepdims=True)
        tails = sum_tails(
            np.stack([x, -y]), observed, weights=np.stack(weights), repeats=n, scale=scale
        )
    else:
        tails = _random_samples(x, y, weights, observed, n_resamples, rng)
    p_low, p_high = map(float, pvalues(tails, alternative))
    return _OneTilted(statistic, p_low, p_high, tilt, *weights, False)


def _tilt(x: FloatArray, y: FloatArray, noise: float) -> float | None:
    """Find lambda for which the weighted means are equal; None if the ranges do not overlap.

    With lambda, the weighted mean of x falls and that of y rises, from one end of their ranges to
    the other, so that they cross once. Values are first scaled by their range.
    """
    from scipy import optimize  # imported here, because it takes longer than a comparison

    if min(y.max() - x.min(), x.max() - y.min()) <= noise:
        return None
    low = min(x.min(), y.min())
    span = max(x.max(), y.max()) - low
    u, v = (x - low) / span, (y - low) / span

    def gap(tilt: float) -> float:
        return float(_weights(u, -tilt) @ u - _weights(v, tilt) @ v)

    here = gap(0.0)
    if abs(here) <= noise / span:
        return 0.0
    end = math.copysign(1.0, here)
    while gap(end) * here > 0:
        end *= 2
        if abs(end) > _LARGEST_TILT:
            return None
    root = float(optimize.brentq(gap, min(0.0, end), max(0.0, end), xtol=1e-15, rtol=1e-15))
    return root / float(span)


def _weights(values: FloatArray, tilt: float) -> FloatArray:
    """Return weights proportional to ``exp(tilt * values)``."""
    exponents = tilt * (values - (values.max() if tilt > 0 else values.min()))
    with np.errstate(under="ignore"):
        weights = np.exp(exponents)
    return np.asarray(weights / weights.sum())


def _random_samples(
    x: FloatArray,
    y: FloatArray,
    weights: tuple[FloatArray, FloatArray],
    observed: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> SumTails:
    n = len(x)
    noise = NOISE * n * float(np.abs(x).max() + np.abs(y).max())
    counts = np.ones(2)
    # by size, so that the order of the samples does not matter
    (x, p), (y, q) = (
        (values[order], own[order])
        for values, own, order in zip((x, y), weights, map(np.argsort, (x, y)), strict=True)
    )
    for block in blocks(n_resamples, 2 * n):
        ones = rng.choice(x, (block, n), p=p).sum(axis=1)
        others = rng.choice(y, (block, n), p=q).sum(axis=1)
        counts[0] += np.count_nonzero(ones - others <= observed + noise)
        counts[1] += np.count_nonzero(ones - others >= observed - noise)
    lower, upper = counts / (n_resamples + 1)
    return SumTails(*map(np.asarray, (lower, lower, upper, upper)))
