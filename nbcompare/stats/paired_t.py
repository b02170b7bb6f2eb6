"""The paired t test, for many pairs of algorithms at once."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_choice, check_finite
from nbcompare.stats import tails
from nbcompare.stats._laws import ALTERNATIVES
from nbcompare.stats.ranking import NOISE, with_sizes

# Below this the incomplete beta function of SciPy loses digits or underflows.
_SMALLEST_DIRECT = 1e-280


class PairedT(NamedTuple):
    """One entry per pair of algorithms.

    ``statistic``: t, negative where the first is better. ``effect_size``: Cohen's d_z, the
    mean difference over its standard deviation, positive where the first is better.
    ``identical``: all differences are one and the same, so that their standard deviation
    is zero.
    """

    statistic: FloatArray
    df: int
    effect_size: FloatArray
    pvalue: FloatArray
    log10_pvalue: FloatArray
    identical: BoolArray


def paired_t(
    scores: npt.ArrayLike,
    first: IntArray,
    second: IntArray,
    *,
    alternative: str = "two-sided",
    scale: npt.ArrayLike | None = None,
) -> PairedT:
    """Paired t test of each pair of algorithms (Student 1908).

    It asks for differences that are comparable across data sets and normally distributed,
    which scores seldom are (Demšar 2006, section 3.1.2).

    Parameters
    ----------
    scores : array_like, shape (n_datasets, n_algorithms)
        Smaller is better; at least 2 data sets.
    first, second : ndarray of int, shape (n_pairs,)
        The algorithms of each pair.
    alternative : {"two-sided", "better", "worse"}
        Whether the first differs, is better, or is worse.
    scale : array_like, optional
        Magnitude of the numbers the scores were computed from, if they were. Differences
        are identical when rounding noise of that magnitude is all there is between them.

    Returns
    -------
    PairedT
        With n - 1 degrees of freedom. If all differences are one and the same number: t
        and d_z are infinite, p is 0 and its logarithm minus infinity (one-sided on the other
        side: p is 1); if all are zero, t and d_z are 0 and p is 1 whatever the
        alternative.

    Raises
    ------
    ValueError
        For fewer than 2 data sets, numbers that are not finite, or an unknown alternative.

    Examples
    --------
    >>> test = paired_t([[1, 2], [3, 5], [2, 5], [4, 5]], np.array([0]), np.array([1]))
    >>> test.statistic.round(3), test.df, test.pvalue.round(4)
    (array([-3.656]), 3, array([0.0354]))
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    array = check_finite(scores, "scores", ndim=2)
    n = len(array)
    if n < 2:
        raise ValueError(f"`scores` must hold at least 2 data sets (rows); got {n}.")
    array, sizes = with_sizes(array, scale)
    largest = float(max(np.abs(array).max(initial=0.0), sizes.max(initial=0.0)))
    if largest and not 1e-50 < largest < 1e50:  # t has no unit, and squares must not overflow
        power = -math.frexp(largest)[1]
        array, sizes = np.ldexp(array, power), np.ldexp(sizes, power)
    differences = array[:, first] - array[:, second]
    noise = NOISE * np.maximum(sizes.max(axis=0)[first], sizes.max(axis=0)[second])
    means = differences.mean(axis=0)
    identical = np.ptp(differences, axis=0) <= noise
    zero = identical & (np.abs(means) <= noise)
    # in a unit of their own, for beside other pairs these may be tiny, and squares vanish
    units = np.abs(differences).max(axis=0)
    units[units == 0] = 1.0
    deviations = (differences / units).std(axis=0, ddof=1) * units
    deviations[identical] = 1.0
    effects = np.where(zero, 0.0, np.where(identical, np.copysign(np.inf, means), means))
    effects = effects / deviations
    statistic = effects * math.sqrt(n)
    logs = np.where(zero, 0.0, log_tails(statistic, n - 1, alternative))
    p, log10_p = tails.from_log(logs)
    return PairedT(statistic, n - 1, -effects + 0.0, p, log10_p, identical)


def log_tails(statistic: FloatArray, df: int, alternative: str) -> FloatArray:
    """Log p of t statistics: t squared is an F variable."""
    both = np.full(statistic.shape, -np.inf)
    finite = np.isfinite(statistic)
    squares = np.square(statistic[finite])
    direct = np.asarray(special.fdtrc(1, df, squares))
    logs = np.log(np.maximum(direct, _SMALLEST_DIRECT))
    for where in np.flatnonzero(direct <= _SMALLEST_DIRECT):
        logs[where] = tails.f_logsf(float(squares[where]), 1, df)
    both[finite] = logs
    if alternative == "two-sided":
        return both
    agrees = statistic <= 0 if alternative == "better" else statistic >= 0
    return np.where(agrees, both - math.log(2.0), np.log1p(-np.exp(both) / 2))
