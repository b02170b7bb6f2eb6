"""Means and medians of numbers that NaN pads, without overflow."""

from __future__ import annotations

import numpy as np

from nbcompare._arrays import FloatArray


def mean_over(array: FloatArray) -> FloatArray:
    """Mean over the last axis of what is there; NaN where nothing is."""
    there = ~np.isnan(array)
    count = there.sum(axis=-1)
    numbers = np.where(there, array, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        total = numbers.sum(axis=-1)
    mean = np.full(total.shape, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    overflown = (count > 0) & ~np.isfinite(total)
    if overflown.any():  # the mean of huge numbers is in range, though their sum is not
        # a quarter, for shares that are rounded up may add up to more than the largest number
        shares = numbers[overflown] / 4 / count[overflown, np.newaxis]
        largest = np.finfo(np.float64).max / 4
        mean[overflown] = np.clip(shares.sum(axis=-1), -largest, largest) * 4
    return mean


def median_over(array: FloatArray) -> FloatArray:
    """Median over the last axis of what is there; NaN where nothing is."""
    ordered = np.sort(array, axis=-1)  # NaN comes last
    count = (~np.isnan(array)).sum(axis=-1)
    middles = [
        np.take_along_axis(ordered, np.maximum(place, 0)[..., np.newaxis], axis=-1)[..., 0]
        for place in ((count - 1) // 2, count // 2)
    ]
    low, high = middles[0], np.where(count > 0, middles[1], np.nan)
    return np.where(low == high, low, low / 2 + high / 2)  # halves first: no sum overflows
