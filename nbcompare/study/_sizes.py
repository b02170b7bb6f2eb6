"""Search for the least numbers with which wanted powers are reached, by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import NamedTuple

import numpy as np
from scipy import optimize, special

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare.results import Shares
from nbcompare.results.plan import Needed, RisingPower
from nbcompare.stats.binomial import clopper_pearson

# Numbers of the first round grow by this factor, with so many experiments each
_GROWTH, _FIRST_LOOK = 1.5, 120
# Below, every number is looked at by itself, because the power of exact tests grows in jumps
_FEW = 20
ENOUGH = 2_500  # experiments around an answer
_SURE = 0.9999  # confidence that a number needs no more of them
_WINDOW = 1.2  # numbers that differ from an answer by this factor at most tell its power
_SPREAD = (0.9, 1.0, 1.1)  # times an answer that is not certain yet
_SHARES = (0.15, 0.35, 0.7, 1.0)  # of the experiments, that rounds of the search add up to
_MOST_ROUNDS = 12

# Simulates experiments of each of several numbers, and returns in which of them each target was
# found: an array by number, experiment and target
Simulate = Callable[[Sequence[int], int], BoolArray]


class Tallies:
    """Experiments by number, and how many of them found each target."""

    def __init__(self, n_targets: int) -> None:
        self._n_targets = n_targets
        self._trials: dict[int, int] = {}
        self._found: dict[int, IntArray] = {}

    def add(self, sizes: Sequence[int], found: BoolArray) -> None:
        """Count more experiments."""
        for size, part in zip(sizes, found, strict=True):
            none = np.zeros(self._n_targets, dtype=np.int64)
            self._found[size] = self._found.get(size, none) + part.sum(axis=0)
            self._trials[size] = self._trials.get(size, 0) + len(part)

    @property
    def sizes(self) -> IntArray:
        """The numbers that were simulated, ascending."""
        return np.array(sorted(self._trials), dtype=np.int64)

    @property
    def trials(self) -> IntArray:
        """How many experiments of each."""
        return np.array([self._trials[size] for size in self.sizes.tolist()], dtype=np.int64)

    @property
    def trials_by_size(self) -> dict[int, int]:
        """How many experiments there are, by number."""
        return dict(self._trials)

    @property
    def found(self) -> IntArray:
        """How many found each target, in an array by number and target."""
        rows = [self._found[size] for size in self.sizes.tolist()]
        return np.array(rows, dtype=np.int64).reshape(len(rows), self._n_targets)


class Curve(NamedTuple):
    """Power near an answer, by whole number, with its interval."""

    sizes: IntArray
    power: FloatArray
    lower: FloatArray
    upper: FloatArray


class Search:
    """The search for one or several targets at once, of which each experiment has an outcome."""

    def __init__(
        self,
        simulate: Simulate,
        n_targets: int,
        *,
        least: int,
        largest: int,
        pilot: int,
        power: float,
        confidence: float,
        enough: int = ENOUGH,
    ) -> None:
        self._simulate = simulate
        self._least, self._largest, self._pilot = least, largest, pilot
        self._power, self._confidence, self._enough = power, confidence, enough
        self.tallies = Tallies(n_targets)
        self._targets = range(n_targets)

    def run(self) -> list[Needed]:
        """Simulate until the answers are known, and return one for each target."""
        for sizes in self._looks():
            self._add(sizes, _FIRST_LOOK)
            if all(self._is_clear(target) for target in self._targets):
                break
        for share in _SHARES:
            self._refine(round(share * self._enough))
        return [self._needed(target) for target in self._targets]

    def _add(self, sizes: Sequence[int], times: int) -> None:
        self.tallies.add(sizes, self._simulate(sizes, times))

    def _looks(self) -> Iterator[list[int]]:
        """Yield growing numbers, first those up to twice the pilot's, then one after the other."""
        sizes = [self._least]
        while sizes[-1] < self._largest:
            more = max(sizes[-1] + 1, math.ceil(sizes[-1] * _GROWTH))
            sizes.append(min(more, self._largest))
        first = [size for size in sizes if size <= 2 * self._pilot] or sizes[:1]
        yield first
        for size in sizes[len(first) :]:
            yield [size]

    def _is_clear(self, target: int) -> bool:
        """Tell whether the largest number so far has more than the wanted power."""
        found, trials = self.tallies.found[-1, target], self.tallies.trials[-1]
        return bool(clopper_pearson(found, trials, self._confidence).lower > self._power)

    # -------------------------------------------------------------------- answers

    def _refine(self, enough: int) -> None:
        """Simulate around each answer until so many experiments tell it."""
        for _ in range(_MOST_ROUNDS):
            wanted: dict[int, int] = {}
            for target in self._targets:
                for size, times in self._lacking(target, enough):
                    wanted[size] = max(wanted.get(size, 0), times)
            if not wanted:
                return
            # numbers that need as many experiments are simulated together
            for times in sorted(set(wanted.values())):
                self._add([size for size in sorted(wanted) if wanted[size] == times], times)

    def _lacking(self, target: int, enough: int) -> Iterator[tuple[int, int]]:
        """Yield numbers near the answer, and how many more experiments they need."""
        n = self._answer(target)
        known = self.tallies.trials_by_size
        if n is None:
            last = int(self.tallies.sizes[-1])
            if last < self._largest:  # the first look ended too early, by chance
                yield min(math.ceil(last * _GROWTH), self._largest), _FIRST_LOOK
            elif self._direct(target).upper[-1] >= self._power and known[last] < enough:
                yield last, enough - known[last]
            return
        if n <= _FEW:
            low, high = self._open(self._direct(target), n)
            surely = self._direct(target, _SURE)
            clear = set(surely.sizes[(surely.lower > self._power) | (surely.upper < self._power)])
            for size in range(max(low, self._least), min(high, self._largest) + 1):
                if known.get(size, 0) < enough and size not in clear:
                    yield size, enough - known.get(size, 0)
            return
        near = sorted({min(round(n * factor), self._largest) for factor in _SPREAD})
        there = sum(times for size, times in known.items() if n / _WINDOW <= size <= n * _WINDOW)
        if there < enough:
            for size in near:
                yield size, math.ceil((enough - there) / len(near))

    def _open(self, curve: Curve, n: int) -> tuple[int, int]:
        """Return the numbers around an answer outside which the power is surely another one."""
        upper = dict(zip(curve.sizes.tolist(), curve.upper.tolist(), strict=True))
        lower = dict(zip(curve.sizes.tolist(), curve.lower.tolist(), strict=True))
        low, high = n - 1, n
        while upper.get(low, 0.0) >= self._power:
            low -= 1
        while lower.get(high, 1.0) < self._power:
            high += 1
        return low, high

    def _direct(self, target: int, confidence: float | None = None) -> Curve:
        """Return the power at every number that was simulated."""
        found, trials = self.tallies.found[:, target], self.tallies.trials
        ends = clopper_pearson(found, trials, confidence or self._confidence)
        return Curve(self.tallies.sizes, found / trials, ends.lower, ends.upper)

    def _answer(self, target: int) -> int | None:
        """Return the least number with the wanted power; None if it is beyond the largest."""
        direct, trials = self._direct(target), self.tallies.trials
        shares = rising(direct.power, trials)
        if shares[-1] < self._power:
            return None
        place = int(np.argmax(shares >= self._power))
        n = int(direct.sizes[place])
        if place:
            below = int(direct.sizes[place - 1])
            part = (self._power - shares[place - 1]) / (shares[place] - shares[place - 1])
            n = math.ceil(round(below * (n / below) ** part, 9))
        if n <= _FEW:
            return n
        for _ in range(_MOST_ROUNDS):
            curve = self._smooth(target, n)
            if curve is None:
                return n
            above = curve.sizes[curve.power >= self._power]
            found = max(int(above[0]) if len(above) else int(curve.sizes[-1]), _FEW + 1)
            if found == n or found > self._largest:
                break
            n = found
        return n

    def _smooth(self, target: int, n: int) -> Curve | None:
        """Return the power around a number; None if it cannot be told from numbers nearby.

        It is a logistic curve over the logarithm of the number. The interval is that of as many
        experiments as would tell a single share as surely.
        """
        sizes, trials, found = self.tallies.sizes, self.tallies.trials, self.tallies.found
        near = (sizes >= n / _WINDOW) & (sizes <= n * _WINDOW)
        if near.sum() < 2:
            return None
        places = np.arange(math.ceil(n / _WINDOW), math.floor(n * _WINDOW) + 1)
        fit = _logistic(np.log(sizes[near] / n), found[near, target], trials[near])
        if fit is None:
            return None
        power, variance = _predicted(*fit, np.log(places / n))
        alike = power * (1 - power) / variance
        ends = clopper_pearson(power * alike, alike, self._confidence)
        return Curve(places, power, ends.lower, ends.upper)

    def _needed(self, target: int) -> Needed:
        n = self._answer(target)
        direct = self._direct(target)
        if n is None:
            return needed_of(0, _first_open(direct, self._power), 0, direct, -1)
        curve = direct if n <= _FEW else self._smooth(target, n)
        if curve is None:
            curve = direct
            n = int(direct.sizes[np.searchsorted(direct.sizes, n)])
        low, high = self._open(curve, n)
        # beyond what tells the answer, the numbers that were simulated end the interval
        if low < curve.sizes[0]:
            under = direct.sizes[(direct.sizes <= low) & (direct.upper < self._power)]
            low = int(under[-1]) if len(under) else self._least - 1
        if high > curve.sizes[-1]:
            over = direct.sizes[(direct.sizes >= high) & (direct.lower >= self._power)]
            high = int(over[0]) if len(over) else self._largest + 1
        ends = (max(low + 1, self._least), high if high <= self._largest else 0)
        at = int(np.searchsorted(curve.sizes, n))
        return needed_of(n, *ends, curve, min(at, len(curve.sizes) - 1))


def needed_of(n: int, lower: int, upper: int, curve: Curve, at: int) -> Needed:
    """Return the record of one answer."""
    return Needed(
        n=np.array([n]),
        lower=np.array([lower]),
        upper=np.array([upper]),
        power=curve.power[[at]],
        power_lower=curve.lower[[at]],
        power_upper=curve.upper[[at]],
    )


def joined(parts: Sequence[Needed]) -> Needed:
    """Return several answers as one record."""
    names = [field.name for field in fields(Needed)]
    return Needed(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    )


def of_rows(answers: Needed, rows: IntArray) -> Needed:
    """Return some of the answers of a record."""
    return Needed(**{field.name: getattr(answers, field.name)[rows] for field in fields(Needed)})


def rising_power(found: Shares) -> RisingPower:
    """Return curves that do not fall."""
    trials = found.trials.astype(np.int64)
    columns = [
        rising(share, of) if of.any() else share
        for share, of in zip(found.share.T, trials.T, strict=True)
    ]
    power = np.array(columns).T
    upper = np.minimum.accumulate(found.upper[::-1])[::-1]
    return RisingPower(
        power=power,
        lower=np.minimum(np.maximum.accumulate(found.lower), power),
        upper=np.maximum(upper, power),
    )


def _first_open(curve: Curve, power: float) -> int:
    """Return the first number whose interval includes the power; 0 if there is none."""
    there = curve.sizes[curve.upper >= power]
    return int(there[0]) if len(there) else 0


def _logistic(
    x: FloatArray, found: IntArray, trials: IntArray
) -> tuple[FloatArray, FloatArray] | None:
    """Return intercept and slope of a logistic regression, and their covariances.

    Half a success and half a failure are added at each place, so that it exists.
    """
    design = np.column_stack([np.ones_like(x), x])
    good, of = found + 0.5, trials + 1.0
    share = good.sum() / of.sum()
    at = np.array([math.log(share / (1 - share)), 0.0])
    for _ in range(50):
        p = special.expit(design @ at)
        information = design.T @ (design * (of * p * (1 - p))[:, np.newaxis])
        step = np.linalg.solve(information, design.T @ (good - of * p))
        at = at + step
        if np.abs(step).max() < 1e-10:
            break
    if at[1] <= 0:  # noise: nothing near tells where the power is reached
        return None
    return at, np.linalg.inv(information)


def _predicted(
    at: FloatArray, covariance: FloatArray, x: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the shares of a logistic regression, and their variances."""
    design = np.column_stack([np.ones_like(x), x])
    p = special.expit(design @ at)
    return p, (p * (1 - p)) ** 2 * np.einsum("ij,jk,ik->i", design, covariance, design)


def rising(shares: FloatArray, weights: IntArray) -> FloatArray:
    """Return the rising numbers nearest to these, by pooling neighbours that fall."""
    return np.asarray(optimize.isotonic_regression(shares, weights=weights).x)
