"""Posterior probabilities that one of two algorithms is better, or that they are equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare._validation import check_count, check_finite, check_real
from nbcompare.stats.permutation import generator
from nbcompare.stats.rankings import check_scale

PRIOR = 0.5  # weight of the pseudo-observation of the signed-rank test
_BLOCK = 25_000  # numbers that are handled at once, which fit into the processor's cache
_FEWEST = 16  # draws in a block
_STEPS, _REACH = 200, 4.5  # nodes of a quadrature on either side, and how far out they go
_EQUAL = 1e-12  # shares of the whole that differ by less are equal


class Posterior(NamedTuple):
    """Probabilities of three regions, with one entry per pair.

    ``first`` is the probability that the first is better by more than the region of practical
    equivalence, ``second`` that the second is, and ``equal`` that neither is; they add up to 1.
    ``standard_error`` holds the Monte Carlo standard errors of these three, shape (3, n_pairs),
    and is 0 where nothing was sampled.
    """

    first: FloatArray
    equal: FloatArray
    second: FloatArray
    standard_error: FloatArray


def signed_rank(
    gains: npt.ArrayLike,
    rope: float,
    *,
    n_samples: int = 50_000,
    rng: np.random.Generator | int | None = 0,
    scale: npt.ArrayLike | None = None,
    progress: Callable[[int], object] | None = None,
) -> Posterior:
    r"""Perform the Bayesian signed-rank test of each pair (Benavoli et al. 2014 and 2017).

    The differences :math:`z_1, \dots, z_n` and a pseudo-observation :math:`z_0 = 0` have weights
    :math:`w \sim \mathrm{Dirichlet}(1/2, 1, \dots, 1)`. In a draw, the share of the first algorithm
    is the sum of :math:`w_i w_j` over all i and j with :math:`z_i + z_j > 2 r`, that of the second
    the same with :math:`z_i + z_j < -2 r`, and that of equivalence the rest. The probability of a
    region is the share of the draws in which its share is the largest.

    Sums exactly at an edge lie in the region of equivalence, as in the paper; without a region, a
    sum of 0 is half a gain and half a loss. The draws are the same for all pairs, and belong to the
    differences in their order by size, so that that of the data sets does not matter. Exchanging
    the two algorithms exchanges the probabilities.

    Parameters
    ----------
    gains : array_like, shape (n_pairs, n_datasets)
        Differences, positive where the first is better.
    rope : float
        Half the width of the region of practical equivalence, at least 0, in units of the gains.
    n_samples : int, default 50000
        Number of draws.
    rng : None, int or numpy Generator, default 0
        Seed or source of the draws.
    scale : array_like, optional
        Magnitude of the numbers from which the gains were computed, broadcast against them;
        sums that differ by rounding noise of that magnitude are treated as equal.
    progress : callable, optional
        Told after each block how many draws it had.

    Returns
    -------
    Posterior
        Arrays of shape (n_pairs,).

    Raises
    ------
    ValueError
        If numbers are not finite, or ``rope`` or ``n_samples`` is out of range.

    References
    ----------
    Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F. (2014). A Bayesian
    Wilcoxon signed-rank test based on the Dirichlet process. Proceedings of the 31st
    International Conference on Machine Learning, 1026-1034.
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18(77), 1-36.

    Examples
    --------
    >>> found = signed_rank([[3, 4, 2, 5, 1, 0, 3, 2]], rope=1)
    >>> found.first.round(2), found.equal.round(2), found.second.round(2)
    (array([0.97]), array([0.03]), array([0.]))
    """
    array, edge, noise = _checked(gains, rope, scale)
    count = check_count(n_samples, "n_samples", least=1)
    counts = np.zeros((3, len(array)))
    layouts = [_Layout.of(row, edge, level) for row, level in zip(array, noise, strict=True)]
    for own, prior in _weights(array.shape[1], count, generator(rng)):
        for pair, layout in enumerate(layouts):
            shares = layout.shares(own, prior)
            largest = shares >= shares.max(axis=0) - _EQUAL
            counts[:, pair] += (largest / largest.sum(axis=0)).sum(axis=1)
        if progress is not None:
            progress(own.shape[1])
    balanced = [layout.side == 0 for layout in layouts]
    counts = np.where(balanced, (counts + counts[::-1]) / 2, counts)  # neither is the first
    probabilities = counts / count
    errors = np.sqrt(probabilities * (1 - probabilities) / count)
    first, equal, second = probabilities
    return Posterior(first, equal, second, errors)


def signed_rank_shares(
    gains: npt.ArrayLike,
    rope: float,
    *,
    n_samples: int,
    rng: np.random.Generator | int | None = 0,
    scale: npt.ArrayLike | None = None,
) -> FloatArray:
    """Return the shares of the three regions in draws of the signed-rank test of one pair.

    Parameters
    ----------
    gains : array_like, shape (n_datasets,)
        Differences, positive where the first is better.
    rope, n_samples, rng, scale
        See :func:`signed_rank`.

    Returns
    -------
    ndarray of float, shape (n_samples, 3)
        Shares of the first, of equivalence, and of the second; each row adds up to 1.

    Examples
    --------
    >>> shares = signed_rank_shares([3, 4, 2, 5, 1, 0, 3, 2], 1, n_samples=1000)
    >>> shares.shape, shares.mean(axis=0).round(1)
    ((1000, 3), array([0.8, 0.2, 0. ]))
    """
    array, edge, noise = _checked(np.asarray(gains, dtype=np.float64)[np.newaxis], rope, scale)
    layout = _Layout.of(array[0], edge, noise[0])
    drawn = [
        layout.shares(own, prior)
        for own, prior in _weights(array.shape[1], n_samples, generator(rng))
    ]
    shares: FloatArray = np.concatenate(drawn, axis=1).T
    return shares


class _Layout(NamedTuple):
    """Which sums of two gains of a pair lie beyond the edges, in the order of the gains."""

    side: int  # the gains are turned if it is -1, and look the same turned if it is 0
    # for each gain, from where on another adds up to > edge; without a region, twice: what ties
    # lies between the two, and counts half
    above: tuple[IntArray, IntArray]
    below: tuple[IntArray, IntArray]  # the same, up to where another adds up to < -edge
    alone: FloatArray  # (2, n) of each gain with the pseudo-observation: above, below
    origin: float  # of the pseudo-observation with itself, on either side

    @classmethod
    def of(cls, gains: FloatArray, edge: float, noise: float) -> _Layout:
        ordered = np.sort(gains)
        lead = ordered + ordered[::-1]
        side = int(next(iter(np.sign(lead[np.abs(lead) > noise])), 0))
        if side < 0:
            ordered = -ordered[::-1]
        below_edge, upto_edge = _counts_below(ordered, edge - ordered, noise)
        above = (upto_edge if edge else below_edge, upto_edge)
        below_edge, upto_edge = _counts_below(ordered, -edge - ordered, noise)
        below = (below_edge, below_edge if edge else upto_edge)
        alone = np.stack([_beyond(ordered, edge, noise), _beyond(-ordered, edge, noise)])
        return cls(side, above, below, alone, _on_edge(edge))

    def shares(self, own: FloatArray, prior: FloatArray) -> FloatArray:
        """Return the shares of first, equal and second; ``own`` has shape (n, draws)."""
        sums = np.zeros((len(own) + 1, own.shape[1]))
        np.cumsum(own, axis=0, out=sums[1:])
        whole = sums[-1] + prior
        gained = sums[-1] * sums[-1]
        gained -= np.einsum("ij,ij->j", own, _middle(sums, self.above))
        lost = np.einsum("ij,ij->j", own, _middle(sums, self.below))
        alone = self.alone @ own
        ends = self.origin * prior * prior
        gained += 2 * prior * alone[0] + ends
        lost += 2 * prior * alone[1] + ends
        square = whole * whole
        shares: FloatArray = np.stack([gained, square - gained - lost, lost]) / square
        return shares[::-1] if self.side < 0 else shares


def _counts_below(
    ordered: FloatArray, edges: FloatArray, noise: float
) -> tuple[IntArray, IntArray]:
    """Return how many values lie below each edge, and how many not above it."""
    low: IntArray = np.searchsorted(ordered, edges - noise, side="left")
    high: IntArray = np.searchsorted(ordered, edges + noise, side="right")
    return low, high


def _middle(sums: FloatArray, places: tuple[IntArray, IntArray]) -> FloatArray:
    """Return cumulative sums up to an edge; what lies between the two places counts half."""
    low, high = places
    if (low == high).all():
        return sums[low]
    return (sums[low] + sums[high]) / 2


def _on_edge(edge: float) -> float:
    """Return how much a value on an edge counts to what is beyond it.

    It lies in the region of equivalence; without a region, the two edges are one, and it is a tie.
    """
    return 0.0 if edge else 0.5


def _beyond(values: FloatArray, edge: float, noise: float | FloatArray) -> FloatArray:
    """Return 1 for values above an edge, and 0 below."""
    on_edge = np.where(values >= edge - noise, _on_edge(edge), 0.0)
    return np.where(values > edge + noise, 1.0, on_edge)


def _weights(
    n: int, count: int, source: np.random.Generator
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield blocks of weights, (n, draws), and of those of the pseudo-observation; unscaled."""
    step = max(_FEWEST, _BLOCK // max(1, n))
    for start in range(0, count, step):
        size = min(step, count - start)
        yield source.standard_exponential((n, size)), source.standard_gamma(PRIOR, size)


def _checked(
    gains: npt.ArrayLike, rope: float, scale: npt.ArrayLike | None
) -> tuple[FloatArray, float, FloatArray]:
    """Return the gains, the edge of sums of two of them, and the noise of these by pair."""
    array = check_finite(gains, "gains", ndim=2)
    half = check_rope(rope)
    sizes = np.abs(array) if scale is None else check_scale(scale, array.shape)
    largest = np.maximum(sizes.max(axis=1, initial=0.0), half)
    return array, 2 * half, 2 * NOISE * largest


def check_rope(rope: float) -> float:
    """Return half the width of the region of equivalence, which must be 0 or more."""
    half = float(check_real(rope, "rope"))
    if half < 0:
        raise ValueError(f"`rope` must be 0 or a positive number; got {half:g}.")
    return half


# ------------------------------------------------------------------------- the sign test


def sign_counts(
    gains: npt.ArrayLike, rope: float, *, scale: npt.ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Count on how many data sets the first of each pair is better, neither is, or the second is.

    Parameters
    ----------
    gains, rope, scale
        As for :func:`signed_rank`. Gains exactly at an edge lie in the region of practical
        equivalence; without one, a gain of 0 is a tie.

    Returns
    -------
    tuple of three ndarray of float, shape (n_pairs,)
        Counts for :func:`sign`, or without a region for :func:`sign_without_region`.

    Examples
    --------
    >>> [part.tolist() for part in sign_counts([[3, 1, 0.5, 0, -2]], 1)]
    [[1.0], [3.0], [1.0]]
    """
    array, edge, noise = _checked(gains, rope, scale)
    least = edge / 2 + noise[:, np.newaxis] / 2
    first, second = ((turned > least).sum(axis=1) * 1.0 for turned in (array, -array))
    return first, array.shape[1] - first - second, second


def sign(first: npt.ArrayLike, equal: npt.ArrayLike, second: npt.ArrayLike) -> Posterior:
    r"""Perform the Bayesian sign test of each pair, exactly (Benavoli et al. 2017, section 4.1).

    The probabilities :math:`\theta` that the first gains more than the region of practical
    equivalence, that it loses more, and that it does neither on a data set have the distribution
    Dirichlet(first, equal + 1, second). The probability of a region is that its :math:`\theta` is
    the largest: one integral of laws of the gamma distribution, where the paper samples.

    Parameters
    ----------
    first, equal, second : array_like of float, shape (n_pairs,)
        On how many data sets the first is better, neither is, and the second is better.

    Returns
    -------
    Posterior
        Arrays of shape (n_pairs,); the standard errors are 0.

    Raises
    ------
    ValueError
        If counts are negative or their shapes differ.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18(77), 1-36.

    Examples
    --------
    >>> found = sign([9], [4], [1])
    >>> found.first.round(3), found.equal.round(3), found.second.round(3)
    (array([0.866]), array([0.133]), array([0.001]))
    """
    counts = [
        check_finite(value, name, ndim=1)
        for value, name in ((first, "first"), (equal, "equal"), (second, "second"))
    ]
    if len({part.shape for part in counts}) > 1:
        shapes = ", ".join(str(part.shape) for part in counts)
        raise ValueError(f"`first`, `equal` and `second` must have the same shape; got {shapes}.")
    if any((part < 0).any() for part in counts):
        raise ValueError("`first`, `equal` and `second` must hold numbers from 0.")
    shapes_of = [counts[0], counts[1] + 1.0, counts[2]]
    found = np.stack([_largest(shapes_of[i], shapes_of[i - 1], shapes_of[i - 2]) for i in range(3)])
    return Posterior(found[0], found[1], found[2], np.zeros_like(found))


def sign_without_region(
    first: npt.ArrayLike, equal: npt.ArrayLike, second: npt.ArrayLike
) -> Posterior:
    """Perform the Bayesian sign test without a region of equivalence, exactly.

    Ties and the prior count half on each side, so that the probability of the first has a beta
    distribution; that of equivalence is 0.

    Parameters
    ----------
    first, equal, second : array_like of float, shape (n_pairs,)
        Wins, ties and losses of the first.

    Returns
    -------
    Posterior
        Arrays of shape (n_pairs,).

    Examples
    --------
    >>> sign_without_region([11], [0], [3]).first.round(3)
    array([0.986])
    """
    won, tied, lost = (np.asarray(part, dtype=np.float64) for part in (first, equal, second))
    half = (tied + 1) / 2
    gained, turned = (
        np.asarray(tail(won + half, lost + half, 0.5), dtype=np.float64)
        for tail in (scipy.special.betaincc, scipy.special.betainc)
    )
    return Posterior(gained, np.zeros_like(gained), turned, np.zeros((3, *gained.shape)))


def sign_shares(
    first: float,
    equal: float,
    second: float,
    *,
    region: bool,
    n_samples: int,
    rng: np.random.Generator | int | None = 0,
) -> FloatArray:
    """Return draws of the shares of three regions from the law of the sign test of one pair.

    Parameters
    ----------
    first, equal, second : float
        Counts, as for :func:`sign`.
    region : bool
        Whether there is a region of equivalence; else ties and the prior count half on each side,
        as in :func:`sign_without_region`.
    n_samples, rng
        Number of draws, and their seed or source.

    Returns
    -------
    ndarray of float, shape (n_samples, 3)
        Shares of the first, of equivalence, and of the second; each row adds up to 1.

    Examples
    --------
    >>> sign_shares(9, 4, 1, region=True, n_samples=1000).mean(axis=0).round(1)
    array([0.6, 0.3, 0.1])
    """
    half = 0.0 if region else (equal + 1) / 2
    shapes = [first + half, equal + 1 if region else 0.0, second + half]
    drawn = generator(rng).standard_gamma(shapes, (check_count(n_samples, "n_samples", least=1), 3))
    shares: FloatArray = drawn / drawn.sum(axis=1, keepdims=True)
    return shares


def _largest(own: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the probability that the first of three gamma variables is the largest.

    It is the mean of F(one) F(other) over the law of the first, by the double exponential rule
    over its quantiles.
    """
    steps = np.arange(-_STEPS, _STEPS + 1) / _STEPS * _REACH
    turned = np.pi / 2 * np.sinh(steps)
    # the share below a node, and that above it, of which the smaller one is exact
    low, high = scipy.special.expit(2 * turned), scipy.special.expit(-2 * turned)
    weights = np.pi * np.cosh(steps) * low * high * (_REACH / _STEPS)
    shape = np.maximum(own, np.finfo(np.float64).tiny)[:, np.newaxis]
    at = np.where(
        low < 0.5, scipy.special.gammaincinv(shape, low), scipy.special.gammainccinv(shape, high)
    )
    below = [
        np.where(
            part[:, np.newaxis] > 0,
            scipy.special.gammainc(np.maximum(part, 1e-300)[:, np.newaxis], at),
            1.0,
        )
        for part in (one, other)
    ]
    found: FloatArray = (weights * below[0] * below[1]).sum(axis=1)
    return np.where(own > 0, found, 0.0)


# ------------------------------------------------------------------------- one data set


def correlated_t(
    mean: npt.ArrayLike,
    deviation: npt.ArrayLike,
    n: int,
    ratio: float,
    rope: float,
) -> Posterior:
    r"""Perform the Bayesian correlated t test of each pair (Corani and Benavoli 2015).

    The mean difference has a Student distribution with n - 1 degrees of freedom around the observed
    mean, whose squared scale is :math:`(1/n + \rho/(1 - \rho)) s^2`. The correlation
    :math:`\rho` of the differences is the share of the data that is in a test set, so that
    :math:`\rho/(1 - \rho)` is the ratio of the sizes of test set and training set.

    Parameters
    ----------
    mean, deviation : array_like, shape (n_pairs,)
        Means of the differences, positive where the first is better, and their standard
        deviations (divisor n - 1).
    n : int
        Number of differences, at least 2.
    ratio : float
        Size of a test set over that of a training set.
    rope : float
        Half the width of the region of practical equivalence, at least 0.

    Returns
    -------
    Posterior
        Arrays of shape (n_pairs,); the standard errors are 0. If the differences do not vary,
        the mean is known; on an edge it lies in the region.

    Raises
    ------
    ValueError
        If numbers are not finite or out of range.

    References
    ----------
    Corani, G. and Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
    algorithms on multiple data sets. Machine Learning 100, 285-304.

    Examples
    --------
    >>> found = correlated_t([0.02], [0.03], 100, 1 / 9, 0.01)
    >>> found.first.round(3), found.equal.round(3), found.second.round(3)
    (array([0.83]), array([0.168]), array([0.002]))
    """
    centre, spread = (
        check_finite(mean, "mean", ndim=1),
        check_finite(deviation, "deviation", ndim=1),
    )
    count, half = check_count(n, "n", least=2), check_rope(rope)
    share = check_real(ratio, "ratio")
    if share < 0:
        raise ValueError(f"`ratio` must be 0 or a positive number; got {share:g}.")
    scale = np.sqrt(1 / count + share) * spread
    gained, lost = (_beyond_edge(turned, scale, count - 1, half) for turned in (centre, -centre))
    return Posterior(gained, np.maximum(0.0, 1 - gained - lost), lost, np.zeros((3, len(gained))))


def _beyond_edge(centre: FloatArray, scale: FloatArray, df: int, edge: float) -> FloatArray:
    distance = centre - edge
    known = np.where(distance > 0, 1.0, np.where(distance < 0, 0.0, _on_edge(edge)))
    varies = scale > 0
    t = np.divide(distance, scale, out=np.zeros_like(distance), where=varies)
    return np.where(varies, scipy.special.stdtr(df, t), known)


def lattice_counts(shares: npt.ArrayLike, steps: int) -> IntArray:
    """Count the draws that are nearest to each point of a triangular lattice.

    The points have shares that are multiples of 1/steps and add up to 1. They are in the order of
    their first share, then of their third one.

    Parameters
    ----------
    shares : array_like, shape (n_draws, 3)
        Shares of at least 0; each row adds up to 1.
    steps : int
        Steps of the lattice from one corner to another, at least 1.

    Returns
    -------
    ndarray of int, shape ((steps + 1)(steps + 2)/2,)
        Numbers of draws, which add up to n_draws.

    Examples
    --------
    >>> lattice_counts([[0, 1, 0], [0.1, 0.1, 0.8], [0.9, 0.1, 0]], 2)
    array([1, 0, 1, 0, 0, 1])
    """
    array = check_finite(shares, "shares", ndim=2)
    scaled: FloatArray = array * check_count(steps, "steps", least=1)
    nearest = np.rint(scaled)
    # the coordinate that was rounded most makes the three add up again
    rows = np.arange(len(array))
    most = np.abs(nearest - scaled).argmax(axis=1)
    nearest[rows, most] += steps - nearest.sum(axis=1)
    points = np.clip(nearest, 0, steps).astype(np.int64)
    first, third = points[:, 0], points[:, 2]
    places = first * (steps + 1) - first * (first - 1) // 2 + third
    return np.bincount(places, minlength=(steps + 1) * (steps + 2) // 2)
