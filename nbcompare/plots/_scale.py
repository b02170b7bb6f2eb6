"""Units for axes of huge and tiny numbers."""

from __future__ import annotations

import math


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
