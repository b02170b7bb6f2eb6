"""Distributions of sums of choices, one from each row of values, on a common grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, FloatArray, IntArray

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

    def law(self) -> tuple[IntArray, FloatArray]:
        """Return the possible sums in ascending order and their probabilities."""
        start, law = self._law()
        possible = np.flatnonzero(law)
        return self.least + (start + possible) * self.unit, _unscaled(law[possible])

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


def listed_law(
    offsets: FloatArray, shares: FloatArray | None, repeats: int, slack: float
) -> tuple[FloatArray, FloatArray]:
    """Return the possible sums, joined if equal up to noise, and their probabilities."""
    order = np.repeat(np.arange(len(offsets)), repeats)
    sums, masses = _listed(offsets, shares, order)
    first = np.flatnonzero(np.append(True, np.diff(sums) > slack))
    if masses is None:
        return sums[first], np.diff(first, append=len(sums)) / len(sums)
    return sums[first], np.ldexp(np.add.reduceat(masses, first), -(_MASS_EXPONENT // 2))


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
