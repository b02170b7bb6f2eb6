"""Arrays that nobody changes behind a result's back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def locked(array: _Array) -> _Array:
    """A read-only copy; an array that is read-only and owns its data is its own copy."""
    if not array.flags.writeable and array.flags.owndata:
        return array
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def digest(described: Mapping[str, Any], arrays: Iterable[FloatArray]) -> str:
    """``sha256:...`` of a description and of numbers, the same on every machine."""
    total = hashlib.sha256(json.dumps(described).encode("ascii"))
    for array in arrays:
        # -0.0 and 0.0 are one number; NaN has one pattern of bits only
        plain = np.where(np.isnan(array), np.nan, array + 0.0)
        total.update(plain.astype("<f8").tobytes())
    return f"sha256:{total.hexdigest()}"


class LockedArrays:
    """Base of frozen dataclasses with arrays: read-only, also once unpickled."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Lock every array that a field holds."""
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, locked(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Lock every array of the state that comes out of a pickle."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)


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
