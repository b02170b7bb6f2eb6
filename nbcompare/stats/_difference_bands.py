"""Upper tails of a sum of differences, one drawn from each row, by exponential tilting.

The mass of a sum is an integral of its characteristic function, which rounding leaves with an
absolute error of 1e-16 of the largest mass. Tails are therefore computed for tilted laws, whose
probabilities are multiplied by ``exp(theta x)`` such that the bulk lies where the tail begins:
``log P(D >= d) = K(theta) - theta d + log sum_{x >= d} p_theta(x) exp(-theta (x - d))``, with K the
cumulant generating function. Each tilted law serves a band of sums around its mean.

A tilted law needs few points. Its masses beyond a window of about twenty standard deviations are
negligible, so that as many frequencies are enough; and where the characteristic function is
negligible, it need not be computed. No factor of it exceeds 1 and none changes faster than the
standard deviation of its row, so that a coarse grid proves where that is.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray

ComplexArray = npt.NDArray[np.complex128]

# A band reaches this many standard deviations to both sides of the mean of the tilted law. There,
# a mass is about an eighth of the largest one, so that almost no digits are lost.
REACH = 2.0
# Of tails that are smaller than this beside what is added up, fewer than 11 digits are right.
_WEAK = 1e-4
_EPS = float(np.finfo(np.float64).eps)
# Logarithm of what is negligible beside the largest mass.
_NEGLIGIBLE = 46.0
# Distances of other tilts, in reciprocal standard deviations, that bound what lies outside of a
# window: sqrt(2 * 46) is the best for a normal law, less where the tail is heavier.
_BOUNDS = (9.0, 4.5, 2.0)
# The factor of a row differs by at most about this much from the nearest point of the coarse
# grid, and by less if few rows must multiply to something negligible.
_CHANGE = 0.45
_LEAST_CHANGE = 0.01
# Rows are added as matrices if all their different values are at most so many times those of one.
_FEW_LEVELS = 20
# After so many rows, few frequencies are left. Each of the values of all rows is then looked up for
# these, which takes as long as so many points of a transform.
_MOST_ROWS = 100
_ONE_BY_ONE = 25
# A grid that has not fewer points than this is no faster than all frequencies.
_COARSER = 2
# Rows are worked on in chunks: small ones at first, after which few frequencies may be left, then
# of so many values; and so many values times frequencies at once.
_FEW_ROWS = 8
_CHUNK = 1 << 12
_BLOCK = 1 << 18


class Tilt(NamedTuple):
    """Law of ``span - D`` for a tilt: what the sum falls short of the largest possible one."""

    theta: float
    log_mass: float  # K(theta) - theta * span
    mean: float
    deviation: float
    masses: FloatArray  # of each row
    deviations: FloatArray

    def band(self, span: int) -> tuple[float, float]:
        """Return the least and the largest sum that are computed with this tilt."""
        reach = REACH * self.deviation
        return span - self.mean - reach, span - self.mean + reach


class _Waves(NamedTuple):
    """Inversion of the characteristic function of a tilted law."""

    roots: _Roots  # frequencies are multiples of 2 pi / size
    numbers: IntArray  # of the frequencies at which the function is not negligible
    values: ComplexArray  # the function there, by a geometric sum, weighted
    ends: ComplexArray  # what that sum leaves out beyond the window
    top: int  # the largest sum in the window


class _Chunk(NamedTuple):
    """Rows that are evaluated together."""

    rows: slice
    levels: IntArray  # distinct values
    places: IntArray  # positions of the values of the rows among these

    def sums(self, waves: ComplexArray, weights: FloatArray) -> ComplexArray:
        """Add waves of the levels, shape (n_frequencies, n_levels), weighted, by row."""
        count, k = self.places.shape
        size = len(self.levels)
        if size > _FEW_LEVELS * k:
            return np.asarray(np.einsum("fpk,pk->fp", waves[:, self.places], weights))
        places = (self.places + size * np.arange(count)[:, np.newaxis]).ravel()
        by_level = np.bincount(places, weights.ravel(), minlength=count * size)
        matrix = by_level.reshape(count, size).T
        return np.asarray(waves.real @ matrix + 1j * (waves.imag @ matrix))


class Bands:
    """Upper tails of the law of a sum; a ladder of tilts, which is built as far as needed.

    ``rows`` holds sorted whole numbers, the least of each row 0 and the largest positive;
    ``repeats`` says how often each row occurs.
    """

    def __init__(self, rows: IntArray, repeats: IntArray) -> None:
        order = np.argsort(-rows[:, -1], kind="stable")  # long rows decide soonest
        self._values, self._repeats = rows[order], repeats[order]
        self._tops = self._values[:, -1]
        self._short = self._tops[:, np.newaxis] - self._values
        self._choices = math.log(rows.shape[1] * (rows.shape[1] - 1))
        self._powers = [
            np.stack([np.ones(each.shape), each, np.square(each, dtype=np.float64)])
            for each in (self._short, self._values)
        ]
        self.span = int(self._tops @ self._repeats)
        self.n_rows = int(self._repeats.sum())
        self._ladder = [self._tilt(0.0)]
        self._waves: dict[int, _Waves] = {}

    @property
    def deviation(self) -> float:
        """The standard deviation of the sum."""
        return self._ladder[0].deviation

    @cached_property
    def log_largest(self) -> float:
        """The logarithm of the probability of the largest sum."""
        lows = (self._values == 0).sum(axis=1)
        highs = (self._short == 0).sum(axis=1)
        return float(self._repeats @ (np.log(lows * highs) - self._choices))

    def evaluations(self) -> float:
        """Count factors of the characteristic function in one band, in transforms of one point."""
        count, k = self._values.shape
        window = min(2 * self.span + 1, 20 * self.deviation)
        points = min(window, float(self._coarse_grid(self._ladder[0])))
        return float(min(count, _MOST_ROWS) * points + _ONE_BY_ONE * count * k)

    def log_tails(self, sums: IntArray) -> FloatArray:
        """Return log P(D >= d) for ascending sums d from 1 to the largest one."""
        logs = np.empty(len(sums))
        begin = rung = 0
        while begin < len(sums):
            if sums[begin] == self.span:
                logs[begin:] = self.log_largest
                break
            top = self.top(rung)
            end = int(np.searchsorted(sums, min(top, self.span - 1), side="right"))
            if end > begin:
                logs[begin:end] = self._in_band(rung, sums[begin:end])
            begin, rung = end, rung + 1
        return logs

    def top(self, rung: int) -> float:
        """Return the largest sum that is computed with a tilt of the ladder."""
        while len(self._ladder) <= rung:
            self._ladder.append(self._next())
        return self._ladder[rung].band(self.span)[1]

    def _tilt(self, theta: float) -> Tilt:
        """Compute moments under a tilt, of the amounts by which differences fall short.

        The difference of two values falls short of the largest one by the sum of what the first
        falls short and the second exceeds the least. A value is not paired with itself.
        """
        k = self._values.shape[1]
        short, above = ((power * np.exp(-theta * power[1])).sum(axis=2) for power in self._powers)
        itself = k * np.exp(-theta * self._tops)
        masses = short[0] * above[0] - itself
        means = (short[1] * above[0] + short[0] * above[1] - itself * self._tops) / masses
        squares = (
            short[2] * above[0]
            + 2 * short[1] * above[1]
            + short[0] * above[2]
            - itself * np.square(self._tops, dtype=np.float64)
        ) / masses
        variances = np.maximum(squares - means**2, 0.0)
        return Tilt(
            theta,
            float(self._repeats @ (np.log(masses) - self._choices)),
            float(self._repeats @ means),
            math.sqrt(float(self._repeats @ variances)),
            masses,
            np.sqrt(variances),
        )

    def _next(self) -> Tilt:
        """Find a tilt whose band begins where the last one ends, or slightly before."""
        last = self._ladder[-1]
        end = last.band(self.span)[1]
        low, high = last.theta, math.inf
        theta = low + 2 * REACH / last.deviation
        while True:
            found = self._tilt(theta)
            excess = found.band(self.span)[0] - end
            if -found.deviation / 2 <= excess <= 0:
                return found
            if excess > 0:
                high = theta
            else:
                low = theta
            theta -= (excess / found.deviation + 0.25) / found.deviation
            if not low < theta < high:
                theta = 2 * low if high == math.inf else (low + high) / 2

    def _in_band(self, rung: int, sums: IntArray) -> FloatArray:
        tilt = self._ladder[rung]
        if rung not in self._waves:
            self._waves[rung] = self._inversion(tilt)
        logs, weak = self._of_tilt(tilt, self._waves[rung], sums)
        for place in np.flatnonzero(weak):
            # few rows with large values: the tilted law has gaps, and this one needs its own
            own = self._centred(int(sums[place]))
            here = slice(place, place + 1)
            logs[here] = self._of_tilt(own, self._inversion(own), sums[here])[0]
        return logs

    def _centred(self, mean: int) -> Tilt:
        """Find the tilt with this mean of the sum."""
        from scipy import optimize  # imported here, because it takes longer than a comparison

        def excess(theta: float) -> float:
            return self.span - self._tilt(theta).mean - mean

        high = 1.0 / self.deviation
        while excess(high) < 0:
            high *= 2
        return self._tilt(float(optimize.brentq(excess, 0.0, high, rtol=1e-6)))

    def _of_tilt(self, tilt: Tilt, waves: _Waves, sums: IntArray) -> tuple[FloatArray, BoolArray]:
        """Return log P(D >= d) by a tilt, and where rounding errors are not small beside it."""
        tails = np.empty(len(sums))
        step = max(1, _BLOCK // max(1, len(waves.numbers)))
        for start in range(0, len(sums), step):
            block = sums[start : start + step, np.newaxis]
            phases = waves.roots.at(waves.numbers * block)
            left = np.exp(-tilt.theta * (waves.top + 1 - block))
            tails[start : start + step] = (waves.values * (phases - left * waves.ends)).real.sum(
                axis=1
            )
        largest = np.abs(waves.values).sum()
        if tilt.theta == 0:  # the frequency 0, whose geometric sum has equal terms
            tails += (waves.top + 1 - sums) / waves.roots.size
            largest += 1.0
        weak = tails < _WEAK * largest
        tails = np.maximum(tails, _EPS * largest)
        return tilt.log_mass + tilt.theta * (self.span - sums) + np.log(tails), weak

    def _inversion(self, tilt: Tilt) -> _Waves:
        """Find the window of a tilted law, and its characteristic function."""
        least, largest = self._window(tilt)
        size = int(scipy.fft.next_fast_len(largest - least + 1, real=True))
        roots = _Roots(size)
        numbers, function = self._function(tilt, roots)
        weights = np.where((numbers == 0) | (2 * numbers == size), 1.0, 2.0) / size
        exponents = -tilt.theta + 2j * math.pi / size * numbers
        if tilt.theta == 0:
            zero = numbers == 0
            weights[zero], exponents[zero] = 0.0, 1.0
        values = weights * function / -np.expm1(exponents)
        top = self.span - least
        return _Waves(roots, numbers, values, roots.at(numbers * (top + 1)), top)

    def _window(self, tilt: Tilt) -> tuple[int, int]:
        """Return bounds of the shortfall, outside of which a tilted law is negligible."""
        enough = _NEGLIGIBLE + math.log1p(tilt.deviation)
        reach = [math.inf, math.inf]
        for slope in (bound / tilt.deviation for bound in _BOUNDS):
            for side, step in enumerate((slope, -slope)):
                theta = abs(tilt.theta + step)
                # logarithm of the mean of exp(step (D - mean)), by Chernoff's inequality
                grown = self._tilt(theta).log_mass - tilt.log_mass + step * tilt.mean
                grown += (theta - tilt.theta - step) * self.span
                reach[side] = min(reach[side], (grown + enough) / slope)
        least = max(0, math.floor(tilt.mean - reach[0]))
        return least, min(2 * self.span, math.ceil(tilt.mean + reach[1]))

    def _function(self, tilt: Tilt, roots: _Roots) -> tuple[IntArray, ComplexArray]:
        """Return numbers of frequencies, and the function where it is not negligible.

        On a coarse grid only bounds are computed, until they leave few frequencies. These are then
        evaluated one by one, as are those of the full grid for the rows that are left.
        """
        size = roots.size
        negligible = math.exp(-_NEGLIGIBLE) / (1 + tilt.deviation)
        grid = self._coarse_grid(tilt)
        if _COARSER * grid > size:
            grid = size
        coarse = grid < size
        product = np.ones(grid // 2 + 1, dtype=np.float64 if coarse else np.complex128)
        left, done = np.arange(len(product)), 0
        for done, chunk in enumerate(self._chunks, 1):  # noqa: B007
            step = max(1, _BLOCK // grid)
            for start in range(chunk.rows.start, chunk.rows.stop, step):
                rows = slice(start, min(start + step, chunk.rows.stop))
                factors = self._on_grid(tilt, rows, grid)
                if coarse:
                    near = tilt.deviations[rows, np.newaxis] * (math.pi / grid)
                    factors = np.minimum(np.abs(factors) + near, 1.0)
                product *= _multiplied(factors, self._repeats[rows])
            left = np.flatnonzero(np.abs(product) > negligible)
            if len(left) * self._values.shape[1] < len(product):
                break
        if not coarse:
            return self._one_by_one(tilt, roots, left, product[left], done, negligible)
        # frequencies at most half a step from a point that is left, in whole numbers
        first = np.maximum(-((1 - 2 * left) * size // (2 * grid)), 0)
        last = np.minimum((2 * left + 1) * size // (2 * grid), size // 2)
        counts = last - first + 1
        starts = np.repeat(first - np.append(0, np.cumsum(counts)[:-1]), counts)
        numbers = np.unique(starts + np.arange(len(starts)))
        return self._one_by_one(tilt, roots, numbers, np.ones(len(numbers)), 0, negligible)

    def _coarse_grid(self, tilt: Tilt) -> int:
        """Return how many points of a coarse grid leave few frequencies."""
        # the product of all factors must become negligible, and most are about 1 / k
        change = math.exp(-80 / self.n_rows) - 1.5 / self._values.shape[1]
        change = min(_CHANGE, max(_LEAST_CHANGE, change))
        typical = tilt.deviation / math.sqrt(self.n_rows)
        return int(scipy.fft.next_fast_len(math.ceil(math.pi * typical / change) + 1, real=True))

    def _on_grid(self, tilt: Tilt, rows: slice, grid: int) -> ComplexArray:
        """Compute factors at multiples of ``2 pi / grid`` by Fourier transforms.

        The function of the difference of two values is the product of those of the values, minus
        the part of values that are paired with themselves. A factor ``exp(i t top)`` is left out.
        """
        count = rows.stop - rows.start
        places = self._short[rows] % grid + grid * np.arange(count)[:, np.newaxis]
        one, other = (
            scipy.fft.rfft(
                np.bincount(
                    places.ravel(), np.exp(-tilt.theta * each).ravel(), minlength=count * grid
                ).reshape(count, grid)
            )
            for each in (self._short[rows], self._values[rows])
        )
        # the transforms have the opposite sign in the exponent
        return self._factors(tilt, rows, other.T, one.T).T

    def _factors(
        self, tilt: Tilt, rows: slice, one: ComplexArray, other: ComplexArray
    ) -> ComplexArray:
        itself = self._values.shape[1] * np.exp(-tilt.theta * self._tops[rows])
        factors: ComplexArray = (one * other.conj() - itself) / tilt.masses[rows]
        return factors

    def _one_by_one(
        self,
        tilt: Tilt,
        roots: _Roots,
        numbers: IntArray,
        product: npt.NDArray[Any],
        done: int,
        negligible: float,
    ) -> tuple[IntArray, ComplexArray]:
        """Multiply by factors of rows not done; drop frequencies as they become negligible."""
        product = product.astype(np.complex128)
        for chunk in self._chunks[done:]:
            short = np.exp(-tilt.theta * self._short[chunk.rows])
            above = np.exp(-tilt.theta * self._values[chunk.rows])
            step = max(1, _BLOCK // chunk.places.size)
            for start in range(0, len(numbers), step):
                block = slice(start, start + step)
                waves = roots.at(numbers[block, np.newaxis] * chunk.levels)
                one, other = (chunk.sums(waves, each) for each in (short, above))
                factors = self._factors(tilt, chunk.rows, one, other)
                product[block] *= _multiplied(factors.T, self._repeats[chunk.rows])
            kept = np.abs(product) > negligible
            numbers, product = numbers[kept], product[kept]
        return numbers, product

    @cached_property
    def _chunks(self) -> list[_Chunk]:
        most = max(_FEW_ROWS, _CHUNK // self._values.shape[1])
        chunks = []
        start = 0
        while start < len(self._short):
            stop = min(start + (_FEW_ROWS if start < 4 * _FEW_ROWS else most), len(self._short))
            short = self._short[start:stop]
            levels, places = np.unique(short, return_inverse=True)
            chunks.append(_Chunk(slice(start, stop), levels, places.reshape(short.shape)))
            start = stop
        return chunks


class _Roots:
    """Powers of ``exp(2 pi i / size)``, as products of two that are looked up."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._bits = (size.bit_length() + 1) // 2
        self._low = (1 << self._bits) - 1
        self._tables = [
            np.exp(2j * math.pi / size * (np.arange(count) * unit))
            for unit, count in ((1, self._low + 1), (self._low + 1, (size >> self._bits) + 1))
        ]

    def at(self, powers: IntArray) -> ComplexArray:
        """Return the roots; whole turns are left out."""
        powers = powers % self.size
        fine, coarse = self._tables
        roots: ComplexArray = fine[powers & self._low] * coarse[powers >> self._bits]
        return roots


def _multiplied(factors: npt.NDArray[Any], repeats: IntArray) -> npt.NDArray[Any]:
    """Multiply factors of rows, shape (n_rows, ...), each to the power of its repeats."""
    if (repeats > 1).any():
        factors = factors ** repeats[:, np.newaxis]
    return np.asarray(np.multiply.reduce(factors, axis=0))
