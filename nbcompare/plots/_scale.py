"""Scale of an axis of scores: positions of scores, and round numbers as labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.ticker import MaxNLocator

from nbcompare._arrays import FloatArray

_MARGIN = 0.06  # extends the scale beyond the outermost scores by this share
_MOST_DECADES = 6


class Scale:
    """Linear or logarithmic scale from 0 to 1 with a margin at both ends."""

    def __init__(self, scores: FloatArray, *, log: bool, margin: float = _MARGIN) -> None:
        self.log = log
        self.unit = 1.0 if log else unit_of(float(np.abs(scores).max()))
        low, high = (float(self._moved(end)) for end in (scores.min(), scores.max()))
        spread = high - low
        if spread <= 1e-12 * max(abs(low), abs(high)):  # only rounding noise
            spread = abs(high) or 1.0
        self.low, self.high = low - margin * spread, high + margin * spread

    def _moved(self, scores: FloatArray | float) -> FloatArray | float:
        return np.log10(scores) if self.log else scores / self.unit

    def share(self, scores: FloatArray) -> FloatArray:
        """Return positions of scores: 0 at the lower end, 1 at the upper."""
        return np.asarray((self._moved(scores) - self.low) / (self.high - self.low))

    def ticks(self) -> list[tuple[float, str]]:
        """Return positions and labels of about half a dozen round numbers."""
        ticks = self._decades() or self._low_decades() if self.log else self._round_numbers()
        inside = [(place, label) for place, label in ticks if self.low <= place <= self.high]
        return [((place - self.low) / (self.high - self.low), label) for place, label in inside]

    def _decades(self) -> list[tuple[float, str]]:
        """Return powers of ten, if at least three of them are on the scale."""
        first, last = math.ceil(self.low), math.floor(self.high)
        if last - first < 2:
            return []
        step = -(-(last - first + 1) // _MOST_DECADES)
        return [(decade, _power(1.0, decade)) for decade in range(first, last + 1, step)]

    def _low_decades(self) -> list[tuple[float, str]]:
        """Return round numbers for a logarithmic scale that has too few powers of ten."""
        shift = math.floor(self.low)  # prevents overflow with enormous and tiny scores
        values = _round_between(10.0 ** (self.low - shift), 10.0 ** (self.high - shift))
        if -5 <= shift <= 6:
            factor = 10.0**shift
            labels = _labels([value * factor for value in values])
        else:
            labels = [_power(value, shift) for value in values]
        return [
            (math.log10(value) + shift, label) for value, label in zip(values, labels, strict=True)
        ]

    def _round_numbers(self) -> list[tuple[float, str]]:
        values = _round_between(self.low, self.high)
        return list(zip(values, _labels(values), strict=True))

    @property
    def suffix(self) -> str:
        """Text of the factor by which the labels are to be multiplied; empty for 1."""
        return times(self.unit)


def unit_of(largest: float, decades: int = 290) -> float:
    """Return 1 if numbers are within this many decades of 1, else a power of ten as their unit.

    Numbers below the smallest representable power of ten are a few multiples of 5e-324.
    """
    if largest == 0 or 10.0**-decades < largest < 10.0**decades:
        return 1.0
    return 10.0 ** max(_decade(largest), -323)


def times(unit: float) -> str:
    """Return the text of the factor by which labels of an axis are multiplied; empty for 1."""
    return "" if unit == 1.0 else f" (× {unit!r})"


def _decade(value: float) -> int:
    return math.floor(math.log10(value)) if value > 0 else 0


def _round_between(low: float, high: float) -> list[float]:
    locator = MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10])
    return [float(value) for value in locator.tick_values(low, high) if low <= value <= high]


def _power(value: float, exponent: int) -> str:
    if -5 <= exponent <= 5:
        return f"{value * 10.0**exponent:g}"
    return f"{value:g}e{exponent:+03d}"


def _labels(values: Sequence[float]) -> list[str]:
    """Format ticks with as many digits as distinguish them from their neighbours."""
    largest = max(map(abs, values), default=0.0) or 1.0
    step = min((b - a for a, b in pairwise(values)), default=largest)
    decimals = next((d for d in range(8) if abs(round(step, d) - step) < step / 1e6), 8)
    if largest < 1e6 and decimals <= 6:
        style = f".{decimals}f"
    else:
        style = f".{min(_decade(largest) - _decade(step) + 2, 15)}g"
    return [
        "0" if abs(value) < step / 1e6 else format(value, style).replace("-", "−", value < 0)
        for value in values
    ]
