"""Exact distribution of a sum of independent choices, instead of random resampling.

The statistic of the bootstrap and permutation tests is a sum of terms, each drawn independently
from a row of values, so that its null distribution is a convolution. It is built here by adding
shifted copies: every probability is a sum of positive terms and is therefore accurate relative to
its own size, however far in the tail. (A Fourier transform would leave an absolute error
everywhere, and subtraction from one would lose small probabilities.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare._validation import check_count, check_finite, shown
from nbcompare.stats.rankings import check_scale

# The longest distribution, which takes 100 MB while it is computed.
MOST_POINTS = 1 << 22
_EPS = float(np.finfo(np.float64).eps)


class Choices(NamedTuple):
    """Rows that vary, scaled to at most 1, and the values with which their sum is compared."""

    offsets: FloatArray  # (n, n_values), relative to the reference value of each row
    shares: FloatArray | None
    targets: FloatArray  # observed sums of offsets
    noise: FloatArray  # (n,) rounding noise of each row
    exponent: int  # the scale is 2**exponent


def choices_of(
    table: FloatArray,
    sums: FloatArray,
    shares: FloatArray | None,
    repeats: int,
    sizes: FloatArray | None,
) -> Choices:
    """Return the rows that vary, scaled and relative to a reference value in each row."""
    if shares is not None:  # values that are never drawn do not count for the magnitude
        likeliest = shares.argmax(axis=1)[:, np.newaxis]
        table = np.where(shares > 0, table, np.take_along_axis(table, likeliest, axis=1))
    magnitude = np.abs(table).max(axis=1)
    size = magnitude if sizes is None else np.maximum(magnitude, sizes.max(axis=1))
    # Scaling by a power of two rounds nothing, and prevents overflow.
    exponent = -int(np.frexp(size.max())[1]) - 1
    values = scaled_by(table, exponent)
    noise = NOISE * scaled_by(size, exponent)
    with np.errstate(over="ignore"):  # how far a target lies beyond the largest sum does not matter
        targets = np.clip(scaled_by(sums, exponent), -len(table) * repeats, len(table) * repeats)
    # Rows that hold 0 were centred on purpose; others are measured from their least value.
    near = np.abs(values) <= noise[:, np.newaxis]
    values = np.where(near, 0.0, values)
    reference = np.where(near.any(axis=1), 0.0, values.min(axis=1))
    offsets = values - reference[:, np.newaxis]
    targets = targets - repeats * math.fsum(reference.tolist())
    varied = np.ptp(offsets, axis=1) > noise
    constant = repeats * math.fsum(offsets[~varied, 0].tolist())
    if shares is not None:
        shares = shares[varied]
    return Choices(offsets[varied], shares, targets - constant, noise[varied], exponent)


def scaled_by(values: FloatArray, exponent: int) -> FloatArray:
    """Return ``values * 2**exponent``, in two steps because the factor itself may overflow."""
    half = exponent // 2
    return np.asarray(np.ldexp(np.ldexp(values, half), exponent - half))


def common_step(offsets: FloatArray, noise: FloatArray, repeats: int) -> float | None:
    """Return the number of which all offsets are multiples, up to noise; None if there is none.

    This is Euclid's algorithm for all offsets at once: the step is replaced by the smallest
    remainder, which is at most half of it, until no remainder is left. The offsets are replaced
    by their remainders too; otherwise the error of a step would be multiplied by their size.
    """
    if offsets.size == 0:
        return 1.0
    least = float(np.ptp(offsets, axis=1).sum()) * repeats / MOST_POINTS
    # The noise of a step adds up in its multiples, but stays far below this.
    negligible = least / 16
    values = np.unique(np.abs(offsets))
    values = values[values > 0]
    if noise.max() > negligible or values[0] < negligible:
        return None
    step, rest = float(values[0]), values
    while step >= least:
        remainders = np.abs(rest - np.rint(rest / step) * step)
        left = remainders[remainders > negligible]
        if left.size == 0:
            break
        rest = np.append(left, step)
        step = float(left.min())
    else:
        return None
    for _ in range(2):  # improve the fit of the step
        multiples = np.rint(values / step)
        step = float(values @ multiples / (multiples @ multiples))
    errors = np.abs(values - np.rint(values / step) * step)
    return step if (errors <= noise.max() + 4 * _EPS * values).all() else None


# Distributions are added in blocks that fit into the processor's cache.
_CHUNK = 1 << 15
# For at most this many observed sums, it is faster to compute only what each one needs.
_FEW_TARGETS = 2
_SMALLEST = float(np.finfo(np.float64).tiny)
# Masses are multiplied by 2**1000 and dropped below 2**-1000, far below the smallest float.
_MASS_EXPONENT = 1000
_NOTHING = 2.0**-_MASS_EXPONENT


class _Row(NamedTuple):
    """Distinct values of a row in ascending order, and their probabilities."""

    places: tuple[int, ...]
    shares: tuple[float, ...]


class WholeSum:
    """Distribution of a sum of integers, ``repeats`` of them drawn from each row."""

    def __init__(self, rows: FloatArray, shares: FloatArray | None, repeats: int) -> None:
        """Measure each row from its least value, in units of the common divisor."""
        even = [1] * rows.shape[1]
        found = [
            _distinct(row, even if shares is None else shares[index].tolist())
            for index, row in enumerate(rows.astype(np.int64).tolist())
        ]
        self.least = sum(row.places[0] for row in found) * repeats
        self.unit = math.gcd(*(place - row.places[0] for row in found for place in row.places)) or 1
        distinct = [
            _Row(tuple((place - row.places[0]) // self.unit for place in row.places), row.shares)
            for row in found
        ]
        # With short rows first, the distribution stays short for long.
        distinct.sort(key=lambda row: row.places[-1])
        self.rows = [row for row in distinct for _ in range(repeats)]
        self.span = sum(row.places[-1] for row in self.rows)
        # estimated for a distribution half as long as the span, for half of the rows
        self.additions = sum(len(row.places) for row in self.rows) * self.span / 4

    def tails(self, targets: FloatArray, slack: float) -> FloatArray:
        """Return P(S <= target) and P(S >= target) up to ``slack``, shape (2, n_targets)."""
        below = np.floor((np.floor(targets + slack) - self.least) / self.unit)
        above = np.ceil((np.ceil(targets - slack) - self.least) / self.unit)
        # how far a target lies beyond the support does not matter
        below, above = (np.clip(end, -1, self.span + 1).astype(np.int64) for end in (below, above))
        if len(targets) <= _FEW_TARGETS:
            ends = [self._tails_of_one(int(b), int(a)) for b, a in zip(below, above, strict=True)]
            masses = np.array(ends).reshape(-1, 2).T
        else:
            start, law = self._law()
            lower = np.append(0.0, np.cumsum(law))
            upper = np.append(np.cumsum(law[::-1])[::-1], 0.0)
            masses = np.stack(
                [
                    lower[np.clip(below - start + 1, 0, len(law))],
                    upper[np.clip(above - start, 0, len(law))],
                ]
            )
        return _probabilities(masses)

    def _law(self) -> tuple[int, FloatArray]:
        start, law = 0, np.array([2.0**_MASS_EXPONENT])
        for row in self.rows:
            start, law = _trimmed(start, _added(law, row))
        return start, law

    def _tails_of_one(self, below: int, above: int) -> tuple[float, float]:
        """Return the masses of both tails, dropping sums as soon as their side is certain."""
        start, law, left = 0, np.array([2.0**_MASS_EXPONENT]), self.span
        lower = upper = 0.0
        for row in (None, *self.rows):
            if row is not None:
                law = _added(law, row)
                left -= row.places[-1]
            # some sums stay below whatever is added, others are above already
            first = min(max(above - left - start, 0), len(law))
            last = min(max(below + 1 - start, first), len(law))
            lower += float(law[:first].sum())
            upper += float(law[last:].sum())
            if first >= last:
                return lower, upper
            start, law = _trimmed(start + first, law[first:last])
        equal = float(law.sum())
        return lower + equal, upper + equal


def _distinct(row: list[int], weights: Sequence[float]) -> _Row:
    """Return the distinct values in ascending order and their probabilities."""
    mass: dict[int, float] = {}
    for place, weight in zip(row, weights, strict=True):
        if weight > 0:
            mass[place] = mass.get(place, 0) + weight
    total = sum(mass.values())
    places = sorted(mass)
    return _Row(tuple(places), tuple(mass[place] / total for place in places))


def _added(law: FloatArray, row: _Row) -> FloatArray:
    """Add a row to a distribution, as shifted copies, in blocks that fit into the cache."""
    places, shares = row
    even = len(set(shares)) == 1
    length = len(law) + places[-1]
    total = np.zeros(length)
    for begin in range(0, length, _CHUNK):
        end = min(begin + _CHUNK, length)
        for place, share in zip(places, shares, strict=True):
            first, last = max(begin, place), min(end, place + len(law))
            if first < last:
                part = law[first - place : last - place]
                total[first:last] += part if even else part * share
        if even:
            total[begin:end] *= shares[0]
    return total


def _trimmed(start: int, law: FloatArray) -> tuple[int, FloatArray]:
    """Drop the ends of a distribution that are too small to affect any probability."""
    if len(law) and law[0] >= _NOTHING and law[-1] >= _NOTHING:
        return start, law
    kept = np.flatnonzero(law >= _NOTHING)
    if kept.size == 0:
        return start, law[:0]
    return start + int(kept[0]), law[kept[0] : kept[-1] + 1]


def _probabilities(masses: FloatArray) -> FloatArray:
    """Convert masses times 2**1000 to probabilities that are at most 1 and never 0."""
    return np.clip(_unscaled(masses), _SMALLEST, 1.0)


def _unscaled(masses: FloatArray) -> FloatArray:
    return np.asarray(np.ldexp(masses, -_MASS_EXPONENT))


def listed_tails(
    offsets: FloatArray, shares: FloatArray | None, repeats: int, targets: FloatArray, slack: float
) -> FloatArray:
    """Return both tails, from all sums of one half of the rows and of the other half."""
    order = np.repeat(np.arange(len(offsets)), repeats)
    half = (len(order) + 1) // 2
    sums, masses = _listed(offsets, shares, order[:half])
    others, other_masses = _listed(offsets, shares, order[half:])
    places = [
        (
            np.searchsorted(others, target - sums + slack, side="right"),
            np.searchsorted(others, target - sums - slack, side="left"),
        )
        for target in targets
    ]
    if masses is None or other_masses is None:  # equally likely sums can be counted
        counts = [(below.sum(), (len(others) - above).sum()) for below, above in places]
        shares_of_all = np.array(counts).reshape(-1, 2).T / (len(sums) * len(others))
        return np.clip(shares_of_all, _SMALLEST, 1.0)
    lower = np.append(0.0, np.cumsum(other_masses))
    upper = np.append(np.cumsum(other_masses[::-1])[::-1], 0.0)
    ends = [(masses @ lower[below], masses @ upper[above]) for below, above in places]
    return _probabilities(np.array(ends).reshape(-1, 2).T)


def _listed(
    offsets: FloatArray, shares: FloatArray | None, order: IntArray
) -> tuple[FloatArray, FloatArray | None]:
    """Return all sums of these rows in ascending order, and masses times the root of 2**1000.

    The masses are None if all values of a row, and so all sums, are equally likely.
    """
    sums, masses = np.zeros(1), np.array([2.0 ** (_MASS_EXPONENT // 2)])
    for index in order:
        sums = np.add.outer(sums, offsets[index]).reshape(-1)
        if shares is not None:
            masses = np.multiply.outer(masses, shares[index]).reshape(-1)
    if shares is None:
        return np.sort(sums), None
    ranked = np.argsort(sums)
    return sums[ranked], masses[ranked]


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


def _n_sums(n_values: int, n_terms: int) -> float:
    """Return the number of choices of one value for each term, or a number far too large."""
    return float(n_values) ** min(n_terms, 60)


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
