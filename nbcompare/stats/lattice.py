"""Exact distribution of a sum of independent choices, instead of random resampling.

The statistic of the bootstrap and permutation tests is a sum of terms, each drawn independently
from a row of values, so that its null distribution is a convolution. It is built here by adding
shifted copies: every probability is a sum of positive terms and is therefore accurate relative to
its own size, however far in the tail. (A Fourier transform would leave an absolute error
everywhere, and subtraction from one would lose small probabilities.)
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, LockedArrays
from nbcompare._validation import check_count, check_finite, shown
from nbcompare.stats._sums_of_choices import (
    MOST_POINTS,
    WholeSum,
    choices_of,
    common_step,
    listed_law,
    listed_tails,
    scaled_by,
)
from nbcompare.stats.rankings import check_scale

# Number of points of the grid to which data are rounded if they have no common grid.
POINTS = 1 << 20
# Bounds of the additions for a distribution and the length of a list: about 2 s and 10 MB.
_MOST_ADDITIONS = 2.0**31
_MOST_LISTED = 1 << 17
# This many additions are always acceptable, even if listing all sums would be cheaper.
_CHEAP = 1e6
# Listing, sorting and looking up one sum takes as long as this many additions.
_LISTING = 1e3
# An observed sum this close to a grid point, in steps, may be treated as that point.
_MOST_SLACK = 0.25
# Rounding errors of sums of probabilities are smaller than this.
_ROUNDED = 1e-12
_EPS = float(np.finfo(np.float64).eps)


class SumTails(NamedTuple):
    """Brackets of both tails of a sum, each of which includes the observed value.

    Attributes
    ----------
    lower_low, lower_high : ndarray of float
        P(S <= observed) lies between these two.
    upper_low, upper_high : ndarray of float
        P(S >= observed) lies between these two.
    """

    lower_low: FloatArray
    lower_high: FloatArray
    upper_low: FloatArray
    upper_high: FloatArray


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Law(LockedArrays):
    """Distribution of a sum of independent choices.

    Attributes
    ----------
    values : ndarray of float, shape (n_sums,)
        Possible sums in ascending order.
    pmf : ndarray of float, shape (n_sums,)
        Probabilities of the sums, each accurate relative to its own size.
    spread : float
        Largest difference between a true sum and its value: 0 unless the rows had to be rounded
        to a ``step`` that was given.
    noise : float
        Sums that differ by at most this are treated as equal.
    """

    values: FloatArray
    pmf: FloatArray
    spread: float
    noise: float

    def __repr__(self) -> str:
        return f"<Law: {len(self.values)} sums from {self.values[0]:g} to {self.values[-1]:g}>"

    def cdf(self, x: npt.ArrayLike) -> FloatArray:
        """Return P(S <= x), summed from the smallest value up.

        Parameters
        ----------
        x : array_like
            Numbers of any shape; a sum that differs from one by ``noise`` at most counts as equal.

        Returns
        -------
        ndarray of float
            Probabilities, of the shape of ``x``.
        """
        places = np.searchsorted(self.values, np.asarray(x) + self.noise, side="right")
        return np.asarray(np.minimum(np.append(0.0, np.cumsum(self.pmf))[places], 1.0))

    def sf(self, x: npt.ArrayLike) -> FloatArray:
        """Return P(S >= x), including x, summed from the largest value down.

        Parameters
        ----------
        x : array_like
            Numbers of any shape; a sum that differs from one by ``noise`` at most counts as equal.

        Returns
        -------
        ndarray of float
            Probabilities, of the shape of ``x``.
        """
        places = np.searchsorted(self.values, np.asarray(x) - self.noise, side="left")
        upper = np.append(np.cumsum(self.pmf[::-1])[::-1], 0.0)
        return np.asarray(np.minimum(upper[places], 1.0))

    def quantile(self, q: npt.ArrayLike) -> FloatArray:
        """Return the smallest value with P(S <= value) >= q.

        Parameters
        ----------
        q : array_like
            Probabilities from 0 to 1, of any shape.

        Returns
        -------
        ndarray of float
            Elements of ``values``, of the shape of ``q``.

        Raises
        ------
        ValueError
            If a probability is not a number from 0 to 1.
        """
        levels = check_finite(q, "q")
        if ((levels < 0) | (levels > 1)).any():
            raise ValueError(f"`q` must be from 0 to 1; got {shown(levels.tolist())}.")
        below = np.cumsum(self.pmf)
        above = np.append(np.cumsum(self.pmf[:0:-1])[::-1], 0.0)  # P(S > value)
        from_below = np.searchsorted(below, levels * (1 - _ROUNDED))
        # the first value with at most probability 1 - q above it
        from_above = len(above) - np.searchsorted(
            above[::-1], (1 - levels) * (1 + _ROUNDED), "right"
        )
        places = np.where(levels <= 0.5, from_below, from_above)
        return np.asarray(self.values[np.clip(places, 0, len(self.values) - 1)])


def law_of_sum(
    rows: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    repeats: int = 1,
    step: float | None = None,
    scale: npt.ArrayLike | None = None,
) -> Law:
    """Compute the distribution of S, the sum of one value drawn from each row.

    Parameters
    ----------
    rows : array_like, shape (n_rows, n_values)
        Rows, from each of which one value is drawn independently.
    weights : array_like, shape (n_rows, n_values) or (n_values,), optional
        Non-negative weights; only their ratios within a row matter. By default, all are equal.
    repeats : int, default 1
        Number of values drawn from every row, with replacement.
    step : float, optional
        Values are rounded to the nearest multiple of this step. By default, the distribution is
        exact, which requires a common grid of the rows, up to rounding noise, or few sums.
    scale : array_like, optional
        Magnitude of the numbers from which the values were computed; see :func:`sum_tails`.

    Returns
    -------
    Law
        Distribution with ``values``, ``pmf``, and the methods ``cdf``, ``sf`` and ``quantile``.
        Values with a probability below 1e-600 are left out.

    Raises
    ------
    ValueError
        If the shapes do not match, a value is not a finite number, weights are negative or all 0
        in a row, the sums overflow, or the distribution would have more than 2**22 points or take
        more than 2**31 additions.

    Examples
    --------
    Three dice:

    >>> law = law_of_sum([[1, 2, 3, 4, 5, 6]], repeats=3)
    >>> law.sf([17, 18]) * 6**3
    array([4., 1.])
    >>> law.quantile([0.05, 0.5])
    array([ 6., 10.])
    """
    table = check_rows(rows)
    if table.ndim != 2:
        raise ValueError(f"`rows` must have 2 dimensions; got an array of shape {table.shape}.")
    shares = check_weights(weights, table.shape)
    times = check_count(repeats, "repeats", least=1)
    sizes = None if scale is None else check_scale(scale, table.shape)
    choices = choices_of(table, np.zeros(1), shares, times, sizes)
    noise, spread = float(choices.noise.sum()) * times, 0.0
    if step is None:
        unit = common_step(choices.offsets, choices.noise, times)
    else:
        unit = float(scaled_by(np.array([_check_step(step)]), choices.exponent)[0])
        length = float(np.ptp(choices.offsets, axis=1).sum()) * times
        if length >= MOST_POINTS * unit:
            raise ValueError(_too_large("it would have more than 2**22 points"))
        errors = np.abs(choices.offsets - np.rint(choices.offsets / unit) * unit)
        spread = float(errors.max(axis=1, initial=0.0).sum()) * times
    if unit is not None:
        whole = WholeSum(np.rint(choices.offsets / unit), choices.shares, times)
        if whole.additions > _MOST_ADDITIONS:
            raise ValueError(_too_large("it would take more than 2**31 additions"))
        places, pmf = whole.law()
        sums = places * unit
    elif _n_sums(table.shape[1], len(choices.offsets) * times) <= _MOST_LISTED:
        sums, pmf = listed_law(choices.offsets, choices.shares, times, noise)
    else:
        raise ValueError(_too_large("the rows have no common grid"))
    centred = np.asarray(sums, dtype=np.float64) - float(choices.targets[0])
    with np.errstate(over="ignore"):  # reported below
        sums = scaled_by(centred, -choices.exponent)
    if not np.isfinite(sums).all():
        raise ValueError("`rows` must have finite sums; these sums are too large.")
    spread, noise = scaled_by(np.array([spread, noise]), -choices.exponent).tolist()
    return Law(values=sums, pmf=pmf, spread=spread, noise=noise)


def _n_sums(n_values: int, n_terms: int) -> float:
    """Return the number of choices of one value for each term, or a number far too large."""
    return float(n_values) ** min(n_terms, 60)


def _too_large(reason: str) -> str:
    return (
        f"the distribution of the sum of `rows` is too large: {reason}. Round to a larger `step`, "
        "or use `sum_tails`, which brackets single probabilities."
    )


def _check_step(step: object) -> float:
    if isinstance(step, numbers.Real) and 0 < float(step) < math.inf:
        return float(step)
    raise ValueError(f"`step` must be a positive number; got {shown(step)}.")


def sum_tails(
    rows: npt.ArrayLike,
    observed: npt.ArrayLike = 0.0,
    *,
    weights: npt.ArrayLike | None = None,
    repeats: int = 1,
    scale: npt.ArrayLike | None = None,
    points: int = POINTS,
) -> SumTails:
    """Compute P(S <= observed) and P(S >= observed) for a sum S of one value from each row.

    The result is exact, with equal ends, if the data have a common grid (decimals, or multiples of
    any other number, up to rounding noise) or if there are few rows. Otherwise terms are rounded
    down and up to a grid, which gives a strict bracket.

    Parameters
    ----------
    rows : array_like, shape (..., n_rows, n_values)
        Rows, from each of which one value is drawn independently. A row with fewer values
        repeats them, or gives the others the weight 0.
    observed : array_like, default 0
        Observed sums, of any shape for a single table of rows, otherwise broadcast against the
        leading axes of ``rows``. Without a common grid, the bracket is narrower if the rows are
        centred so that the observed choice in each row and the observed sum are 0.
    weights : array_like, shape (..., n_rows, n_values) or (n_values,), optional
        Non-negative weights; only their ratios within a row matter. By default, all are equal.
    repeats : int, default 1
        Number of values drawn from every row, with replacement.
    scale : array_like, optional
        Magnitude of the numbers from which the values were computed, broadcast against
        ``rows``: for differences, that of the scores. By default, the largest magnitude in each
        row. A sum equals an observed one if they differ by at most 8 eps times the sum of the
        scales of the rows; such a sum is counted in both tails.
    points : int, default 2**20
        Number of grid points for rounded data, at most 2**22. The bracket narrows in proportion:
        for 64 rows of 5 normal values and a tail of 3e-4, its ends are 0.4 % apart, computed in
        0.1 to 0.2 seconds; with 2**18 points 1.2 %, in 0.02.

    Returns
    -------
    SumTails
        Arrays of the shape of ``observed`` or of the leading axes. A probability below 2.2e-308,
        the smallest normal number, is returned as that number, which is an upper bound.

    Raises
    ------
    ValueError
        If the shapes do not match, a value is not a finite number, or weights are negative or all
        0 in a row.

    Notes
    -----
    A distribution takes up to 2**22 points, 100 MB, and about two seconds. Data on a grid that
    would require more are rounded to ``points`` as well.

    References
    ----------
    Otero et al. (2013), equations (9) and (18)-(19), resample instead.

    Examples
    --------
    The signs of the differences 0.1, 0.2 and 0.4 are flipped: 1 of 8 sums is at least 0.7.

    >>> tails = sum_tails([[0.1, -0.1], [0.2, -0.2], [0.4, -0.4]], 0.7)
    >>> float(tails.upper_low), float(tails.upper_high), float(tails.lower_low)
    (0.125, 0.125, 1.0)
    """
    table = check_rows(rows)
    shares = check_weights(weights, table.shape)
    times = check_count(repeats, "repeats", least=1)
    most = check_count(points, "points", least=2)
    if most > MOST_POINTS:
        raise ValueError(f"`points` must be at most {MOST_POINTS}, 2**22; got {most}.")
    sizes = None if scale is None else check_scale(scale, table.shape)
    sums = check_finite(observed, "observed")
    leading = table.shape[:-2]
    if not leading:
        ends = _tails_of_table(table, sums.reshape(-1), shares, times, sizes, most)
        return SumTails(*(np.asarray(end.reshape(sums.shape)) for end in ends))
    try:
        sums = np.broadcast_to(sums, leading)
    except ValueError:
        raise ValueError(
            f"`observed` must broadcast against the leading axes {leading} of `rows`; "
            f"got an array of shape {sums.shape}."
        ) from None
    found = np.empty((4, *leading))
    for index in np.ndindex(leading):
        found[:, *index] = _tails_of_table(
            table[index],
            sums[index].reshape(1),
            None if shares is None else shares[index],
            times,
            None if sizes is None else sizes[index],
            most,
        )[:, 0]
    return SumTails(*found)


def check_rows(rows: npt.ArrayLike) -> FloatArray:
    """Check rows of values; there must be at least one row and one value."""
    table = check_finite(rows, "rows")
    if table.ndim < 2 or 0 in table.shape[-2:]:
        raise ValueError(
            "`rows` must have the shape (..., n_rows, n_values) with at least 1 row and 1 value; "
            f"got an array of shape {table.shape}."
        )
    return table


def check_weights(weights: npt.ArrayLike | None, shape: tuple[int, ...]) -> FloatArray | None:
    """Normalize weights to sum to 1 in each row; None if all are equal."""
    if weights is None:
        return None
    given = check_finite(weights, "weights")
    try:
        shares = np.broadcast_to(given, shape)
    except ValueError:
        raise ValueError(
            f"`weights` must broadcast against rows of shape {shape}; "
            f"got an array of shape {given.shape}."
        ) from None
    largest = shares.max(axis=-1, keepdims=True)
    if (shares < 0).any() or (largest <= 0).any():
        raise ValueError(
            "`weights` must not be negative, nor all 0 in a row; "
            f"got {shown(given[()] if given.ndim == 0 else given.tolist())}."
        )
    shares = shares / largest  # sums of tiny or huge weights might underflow or overflow
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


def _tails_of_table(
    table: FloatArray,
    sums: FloatArray,
    shares: FloatArray | None,
    repeats: int,
    sizes: FloatArray | None,
    points: int,
) -> FloatArray:
    """Return the four ends, shape (4, n_sums)."""
    choices = choices_of(table, sums, shares, repeats, sizes)
    offsets, targets = choices.offsets, choices.targets
    slack = float(choices.noise.sum()) * repeats
    n_listed = _n_sums(offsets.shape[1], math.ceil(len(offsets) * repeats / 2))
    step = common_step(offsets, choices.noise, repeats)
    if step is not None:
        offsets, targets = np.rint(offsets / step), targets / step
        # Integers have no rounding noise, but the observed sums have some.
        slack = slack / step + 8 * _EPS * float(np.abs(targets).max(initial=0.0))
        slack = min(slack, _MOST_SLACK)
        law = WholeSum(offsets, choices.shares, repeats)
        if law.additions <= min(_MOST_ADDITIONS, max(_CHEAP, _LISTING * n_listed * len(targets))):
            return law.tails(targets, slack)[[0, 0, 1, 1]]
    if n_listed <= _MOST_LISTED:
        return listed_tails(offsets, choices.shares, repeats, targets, slack)[[0, 0, 1, 1]]
    return _bracket(offsets, choices.shares, repeats, targets, slack, points)


def _bracket(
    offsets: FloatArray,
    shares: FloatArray | None,
    repeats: int,
    targets: FloatArray,
    slack: float,
    points: int,
) -> FloatArray:
    """Return the four ends from the distributions of terms rounded down and rounded up."""
    affordable = int(4 * _MOST_ADDITIONS / (offsets.size * repeats))
    span = float(np.ptp(offsets, axis=1).sum()) * repeats
    step = span / max(2, min(points, affordable))
    scaled = offsets / step
    error = 4 * _EPS * np.abs(scaled)  # rounding error of the division
    down, up = np.floor(scaled - error), np.ceil(scaled + error)
    slack = slack / step + 4 * _EPS * float(np.abs(targets).max(initial=0.0)) / step
    lower_high, upper_low = WholeSum(down, shares, repeats).tails(targets / step, slack)
    lower_low, upper_high = WholeSum(up, shares, repeats).tails(targets / step, slack)
    return np.stack([lower_low, lower_high, upper_low, upper_high])
