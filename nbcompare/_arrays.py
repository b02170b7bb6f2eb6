"""Read-only arrays, and means and medians that skip missing values."""

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

# Numbers whose distance is below this multiple of their scale differ by noise only.
NOISE = 8 * np.finfo(np.float64).eps
_MOST_DIGITS = 9  # after the point
_MOST_PARTS = 1000  # denominator of a fraction that a number may stand for
_MOST_TERMS = 20
_MOST_REPRS = 1_000_000  # numbers with more digits, which are written one by one

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def locked(array: _Array) -> _Array:
    """Return a read-only copy, or the array itself if nobody can write to its data."""
    owner = array if array.base is None else array.base
    if isinstance(owner, np.ndarray) and not (array.flags.writeable or owner.flags.writeable):
        return array
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def digest(described: Mapping[str, Any], arrays: Iterable[FloatArray]) -> str:
    """Return a SHA-256 digest of a description and of arrays, the same on every machine."""
    total = hashlib.sha256(json.dumps(described).encode("ascii"))
    for array in arrays:
        # -0.0 and 0.0 must give the same digest, and so must all bit patterns of NaN
        plain = np.where(np.isnan(array), np.nan, array + 0.0)
        total.update(plain.astype("<f8").tobytes())
    return f"sha256:{total.hexdigest()}"


class LockedArrays:
    """Base of frozen dataclasses whose arrays are read-only, also after unpickling."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Replace the array in every field by a read-only one."""
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, locked(value))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make every array of an unpickled state read-only."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)


def are_tied(one: FloatArray, other: FloatArray) -> BoolArray:
    """Return where numbers, infinite ones too, are equal or differ by rounding noise."""
    with np.errstate(invalid="ignore", over="ignore"):  # of infinite and of huge numbers
        near = np.abs(one - other) <= NOISE * np.maximum(np.abs(one), np.abs(other))
    return np.asarray((one == other) | (near & np.isfinite(one) & np.isfinite(other)))


def has_gaps(array: FloatArray) -> bool:
    """Tell whether a number of a finite array is missing: NaN."""
    with np.errstate(over="ignore", invalid="ignore"):  # a sum is a number only if all are
        return bool(np.isnan(array.sum())) and bool(np.isnan(array).any())


def has_infinities(array: FloatArray) -> bool:
    """Tell whether a number of an array is infinite."""
    with np.errstate(over="ignore", invalid="ignore"):  # a sum is finite only if all numbers are
        return not np.isfinite(array.sum()) and bool(np.isinf(array).any())


def mean_over(array: FloatArray) -> FloatArray:
    """Return the mean over the last axis without NaN; NaN where all values are NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = array.sum(axis=-1)
    if array.shape[-1] and np.isfinite(total).all():  # only if every value is
        return np.asarray(total / array.shape[-1])
    there = ~np.isnan(array)
    count = there.sum(axis=-1)
    numbers = np.where(there, array, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        total = numbers.sum(axis=-1)
    mean = np.full(total.shape, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    overflown = (count > 0) & ~np.isfinite(total)
    if overflown.any():  # the sum of huge numbers can overflow although their mean does not
        # shares are quartered, because rounded up they may add up to more than the largest number
        shares = numbers[overflown] / 4 / count[overflown, np.newaxis]
        largest = np.finfo(np.float64).max / 4
        mean[overflown] = np.clip(shares.sum(axis=-1), -largest, largest) * 4
    return mean


def median_over(array: FloatArray) -> FloatArray:
    """Return the median over the last axis without NaN; NaN where all values are NaN."""
    ordered = np.sort(array, axis=-1)  # NaN is sorted last
    count = (~np.isnan(array)).sum(axis=-1)
    middles = [
        np.take_along_axis(ordered, np.maximum(place, 0)[..., np.newaxis], axis=-1)[..., 0]
        for place in ((count - 1) // 2, count // 2)
    ]
    low, high = middles[0], np.where(count > 0, middles[1], np.nan)
    # the values are halved before they are added, because their sum could overflow
    return np.where(low == high, low, low / 2 + high / 2)


def widened(array: npt.NDArray[Any]) -> FloatArray:
    """Return floats of any width as the simplest numbers that they stand for.

    The nearest number to 0.82 with 32 bits becomes 0.82, not 0.8199999928474426, and that to
    62/75 becomes 62/75, so that scores, and differences of scores, are tied that were tied before
    they were stored. A mean that was computed with 32 bits may be a step or two away from its
    fraction. Every other number becomes its shortest decimal.

    Examples
    --------
    >>> widened(np.array([0.82, 62 / 75, 123456789.0], dtype=np.float32)).tolist()
    [0.82, 0.8266666666666667, 123456790.0]
    """
    wide: FloatArray = array.astype(np.float64, copy=False)
    if array.dtype.kind != "f" or array.dtype.itemsize >= wide.itemsize:
        return wide
    exact = 2.0 ** (np.finfo(array.dtype).nmant + 1)  # larger numbers have zeros for last digits
    found = wide.copy(order="C")
    numbers, given, flat = array.ravel(), wide.ravel(), found.reshape(-1)
    finite = np.flatnonzero(np.isfinite(numbers))

    def as_decimals(left: IntArray, most: float) -> IntArray:
        """Let numbers be decimals with fewer digits; return where those are that have more."""
        for digits in range(_MOST_DIGITS):
            rounded = np.round(given[left], digits)
            fits = (rounded.astype(array.dtype) == numbers[left]) & (np.abs(rounded) < exact)
            fits &= np.abs(rounded) * 10.0**digits < most
            flat[left[fits]] = rounded[fits]
            left = left[~fits]
            if not left.size:
                break
        return left

    # numbers of so many digits all have a float of their own; those of others were computed
    if not as_decimals(finite, 10.0 ** np.finfo(array.dtype).precision).size:
        return found
    with np.errstate(over="ignore"):  # of the largest one
        steps = np.spacing(np.abs(numbers[finite]))
    fractions, fits = _fractions(given[finite], steps)
    flat[finite[fits]] = fractions[fits]
    left = as_decimals(finite[~fits], np.inf)
    if left.size <= _MOST_REPRS:
        flat[left] = [float(str(value)) for value in numbers[left]]
    return found


def _fractions(numbers: FloatArray, steps: npt.NDArray[Any]) -> tuple[FloatArray, BoolArray]:
    """Return the simplest fraction within two steps of each number, and where one is.

    No other fraction is so near that has as small a denominator.
    """
    tolerance = 2 * steps.astype(np.float64)
    most = np.minimum(_MOST_PARTS, np.sqrt(0.25 / tolerance))
    size, sign = np.abs(numbers), np.sign(numbers)
    rest, whole = size, np.floor(size)
    before, below = np.ones_like(size), np.zeros_like(size)
    above, parts = whole, np.ones_like(size)
    found, fits = numbers.copy(), np.zeros(size.shape, dtype=np.bool_)
    with np.errstate(all="ignore"):  # of fractions that were found
        for _ in range(_MOST_TERMS):  # of the continued fraction, of which the next one is taken
            near = ~fits & (np.abs(above / parts - size) <= tolerance) & (parts <= most)
            found[near], fits = (sign * above / parts)[near], fits | near
            rest = 1 / (rest - whole)
            whole = np.floor(rest)
            before, above = above, whole * above + before
            below, parts = parts, whole * parts + below
    return found, fits
