"""Vargha and Delaney's A12, the probability that one run is better than another, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_finite, check_probability

_HALVINGS = 60  # of an interval of width 1: as exact as a float


class Superiority(NamedTuple):
    """Estimates of A12, with the ends of their intervals, one for each pair of samples."""

    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray


def superiority(
    samples: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]], *, confidence: float = 0.95
) -> Superiority:
    r"""Estimate how probable it is that a score of one sample is above one of another.

    A tie counts one half, so that A12 is the statistic of Mann and Whitney over the number of
    pairs. The interval holds all values :math:`\theta` with

    .. math:: |\hat\theta - \theta| \le t\, \sqrt{V(\theta)\, \max(1, S^2 / V(\hat\theta))},
        \quad V(\theta) = \frac{\theta (1 - \theta)}{mn} \left[1 + h \left(
        \frac{1 - \theta}{2 - \theta} + \frac{\theta}{1 + \theta}\right)\right],
        \quad h = \frac{m + n}{2} - 1,

    Newcombe's variance (2006, method 5) with the quantile of Student's t and, where the variance
    :math:`S^2` that the placements of the scores show (Brunner and Munzel 2000) is larger, that
    many times as much: his interval alone covers 0.81 of samples of 5 and 30 whose standard
    deviations differ fivefold, at a nominal 0.95. In simulations of this package with 5 to 100
    scores, normal ones, rounded ones and deviations that differ up to tenfold, this one covers
    0.948 or more.

    Parameters
    ----------
    samples : sequence of tuple of two array_like, shapes (m,) and (n,)
        Pairs of samples, of at least 2 scores each; higher is better.
    confidence : float, default 0.95
        Confidence level.

    Returns
    -------
    Superiority
        Arrays of shape (n_pairs,). The interval of an estimate of 0 or 1 is not empty.

    Raises
    ------
    ValueError
        If a sample has fewer than 2 scores, or one that is not finite.

    References
    ----------
    Vargha, A. and Delaney, H. D. (2000). A critique and improvement of the CL common language
    effect size statistics of McGraw and Wong. Journal of Educational and Behavioral Statistics 25,
    101-132, equation 14.
    Newcombe, R. G. (2006). Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic. Part 2. Statistics in Medicine 25, 559-573.

    Examples
    --------
    >>> found = superiority([([8, 9, 12, 15], [1, 3, 9, 6, 7])])
    >>> found.estimate.round(3).item(), found.lower.round(3).item(), found.upper.round(3).item()
    (0.925, 0.439, 0.994)
    """
    level = check_probability(confidence, "confidence")
    parts = [_placements(*pair) for pair in samples]
    theta, m, n, variance, freedom = np.array(parts, dtype=np.float64).reshape(-1, 5).T
    # of samples that do not overlap, the variance is that of half a pair that does
    inside = np.clip(theta, 0.5 / (m * n), 1 - 0.5 / (m * n))
    wider = np.maximum(1.0, variance / _variance(inside, m, n))
    reach = np.asarray(special.stdtrit(freedom, (1 + level) / 2) * np.sqrt(wider), np.float64)
    ends = [_end(theta, far, m, n, reach) for far in (0.0, 1.0)]
    return Superiority(theta, ends[0], ends[1])


def _placements(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[float, ...]:
    """Return A12, the sizes, the variance by Brunner and Munzel, and its degrees of freedom."""
    one = np.sort(check_finite(first, "samples", ndim=1))
    other = np.sort(check_finite(second, "samples", ndim=1))
    m, n = len(one), len(other)
    if min(m, n) < 2:
        raise ValueError(f"`samples` must hold at least 2 scores each; got {m} and {n}.")
    below = (np.searchsorted(other, one, "left") + np.searchsorted(other, one, "right")) / (2 * n)
    above = 1 - (np.searchsorted(one, other, "left") + np.searchsorted(one, other, "right")) / (
        2 * m
    )
    parts = float(below.var(ddof=1)) / m, float(above.var(ddof=1)) / n
    total = sum(parts)
    if total == 0:
        return float(below.mean()), m, n, 0.0, m + n - 2
    freedom = total**2 / (parts[0] ** 2 / (m - 1) + parts[1] ** 2 / (n - 1))
    return float(below.mean()), m, n, total, freedom


def _variance(theta: FloatArray, m: FloatArray, n: FloatArray) -> FloatArray:
    h = (m + n) / 2 - 1
    spread = 1 + h * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return np.asarray(theta * (1 - theta) * spread / (m * n))


def _end(
    theta: FloatArray, far: float, m: FloatArray, n: FloatArray, reach: FloatArray
) -> FloatArray:
    """Return the value between the estimate and ``far`` that is as far as the interval reaches."""
    inside, outside = theta.copy(), np.full(theta.shape, far)
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        within = np.abs(middle - theta) <= reach * np.sqrt(_variance(middle, m, n))
        inside, outside = np.where(within, middle, inside), np.where(within, outside, middle)
    return outside
