"""Ticks of axes of scores: as many as there is room for, with their numbers in full."""

from __future__ import annotations

import math

from matplotlib.axis import Axis, YAxis
from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullLocator, ScalarFormatter

from nbcompare.plots._text import text_width

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_APART = 0.12  # inches between numbers
_STEPS = (1, 2, 2.5, 5, 10)


class _InFull(ScalarFormatter):
    """Numbers with equally many decimals, and never a factor or an offset in a corner."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        has_factor = super().get_offset()
        return self.fix_minus(f"{x:.12g}") if has_factor else super().__call__(x, pos)

    def get_offset(self) -> str:
        return ""


def number_ticks(axis: Axis, *, most: int = 6, whole: bool = False) -> None:
    """Set ticks at round numbers between the limits, as many as fit."""
    low, high = sorted(map(float, axis.get_view_interval()))
    inches = axis.axes.get_window_extent().width / axis.axes.figure.dpi
    numbers = _InFull(useOffset=False)
    axis.set_major_formatter(numbers)
    axis.set_minor_locator(NullLocator())
    if axis.get_scale() == "log" and high / 3 > low:
        decades = LogLocator(subs=(1,) if high / 100 > low else (1, 2, 5), numticks=most)
        powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
        some = FixedLocator([10.0**power for power in powers[:: len(powers) // most + 1]])
        # beyond the axis, where Matplotlib looks for ticks too, there may be no numbers
        axis.set_major_locator(some if high > 1e200 or high / 1e100 > low else decades)
        axis.set_major_formatter(number_text)
        return
    for bins in range(most, 0, -1):
        locator = MaxNLocator(bins, steps=_STEPS, integer=whole)
        axis.set_major_locator(locator)
        ticks = [tick for tick in locator.tick_values(low, high) if low <= tick <= high]
        widths = [text_width(text) + _APART for text in numbers.format_ticks(ticks)]
        if isinstance(axis, YAxis) or sum(widths) <= inches:
            return


def number_text(value: float, _: object = None) -> str:
    """Return a number, with a power of ten if it is large or small.

    Examples
    --------
    >>> [number_text(value) for value in (0, 0.02, 5000, 1e6, 2e-8)]
    ['0', '0.02', '5,000', '10⁶', '2·10⁻⁸']
    """
    if not value or 1e-3 <= abs(value) < 1e6:
        return f"{value:,.6g}".replace("-", "−")
    digits, _, power = f"{value:.3e}".partition("e")
    factor = f"{float(digits):g}·".removeprefix("1·").replace("-", "−")
    return f"{factor}10{str(int(power)).translate(_SUPERSCRIPTS)}"


def unit_of(largest: float, decades: int = 290) -> float:
    """Return 1 if numbers are within this many decades of 1, else a power of ten as their unit.

    Numbers below the smallest representable power of ten are a few multiples of 5e-324.
    """
    if largest == 0 or 10.0**-decades < largest < 10.0**decades:
        return 1.0
    return 10.0 ** max(math.floor(math.log10(largest)), -323)


def times(unit: float) -> str:
    """Return the text of the factor by which labels of an axis are multiplied; empty for 1."""
    return "" if unit == 1.0 else f" (× {unit!r})"
