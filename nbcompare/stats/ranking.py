"""Mid-ranks that survive floating point, fast enough for millions of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._validation import check_finite

# Two numbers closer than this multiple of their scale differ by rounding noise only.
NOISE = 8 * np.finfo(np.float64).eps
# Rows are ranked in blocks that stay in the processor's cache.
_BLOCK_ELEMENTS = 80_000
# Up to this row length the column number fits into mantissa bits that sorting can spare.
_LONGEST_PACKED_ROW = 1024
_MAGNITUDE_BITS = np.int64(0x7FFF_FFFF_FFFF_FFFF)


def midranks(
    values: npt.ArrayLike, *, axis: int = -1, scale: npt.ArrayLike | None = None
) -> FloatArray:
    """Rank values ascending along an axis; ties share the mean of their ranks.

    Values are tied when they differ by rounding noise only: sorted neighbours whose
    gap is at most ``8 eps`` times their scale are joined. ``0.3 - 0.1`` and ``0.2`` are
    one value here, ``1e-12`` and ``1e-10`` are two, whatever else stands in the row.

    Parameters
    ----------
    values : array_like
        Finite numbers, of any shape.
    axis : int, default -1
        The axis along which to rank.
    scale : array_like, optional
        For values that were computed (differences, residuals, means): the magnitude of
        the numbers they were computed from, broadcast against ``values``. By default
        the values are taken as read, and their own magnitude is their scale.

    Returns
    -------
    ndarray of float
        Ranks from 1, of the shape of ``values``; multiples of one half.

    Raises
    ------
    ValueError
        If a value or scale is not a finite number, or the scale does not broadcast.

    Examples
    --------
    Two values share the ranks 2 and 3:

    >>> midranks([0.9, 0.7, 0.8, 0.8])
    array([4. , 1. , 2.5, 2.5])

    A difference of two readings near 0.3 carries their rounding noise:

    >>> midranks([0.3 - 0.1, 0.2, 0.1], scale=0.3)
    array([2.5, 2.5, 1. ])
    """
    array = check_finite(values, "values")
    if array.ndim == 0:
        raise ValueError("`values` must have at least 1 dimension; got a single number.")
    rows, shape = _as_rows(array, axis)
    scales = None
    if scale is not None:
        full = np.broadcast_to(np.abs(check_finite(scale, "scale")), array.shape)
        scales = _as_rows(full, axis)[0]
    ranks = np.empty(rows.shape)
    step = max(1, _BLOCK_ELEMENTS // max(1, rows.shape[1]))
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        _rank_block(rows[block], None if scales is None else scales[block], out=ranks[block])
    return np.moveaxis(ranks.reshape(shape), -1, axis)


def has_ties(ranks: FloatArray) -> bool:
    """Whether any row of mid-ranks holds a tie: ties lower the sum of squares."""
    length = ranks.shape[-1]
    untied = length * (length + 1) * (2 * length + 1) / 6
    return bool((np.square(ranks).sum(axis=-1) < untied).any())


def _as_rows(array: FloatArray, axis: int) -> tuple[FloatArray, tuple[int, ...]]:
    moved = np.moveaxis(array, axis, -1)
    return np.ascontiguousarray(moved).reshape(-1, moved.shape[-1]), moved.shape


def _rank_block(rows: FloatArray, scales: FloatArray | None, *, out: FloatArray) -> None:
    """Rank the rows of one block into ``out``."""
    length = rows.shape[1]
    ranks = out.reshape(-1)
    if scales is None and length <= _LONGEST_PACKED_ROW:
        order, close = _packed_sort(rows)
        if not close.any():
            ranks[order] = np.arange(1.0, length + 1)
            return
        equal = _neighbours(np.equal, rows.take(order, mode="clip"))
        if not (close & ~equal).any():
            ranks[order] = _shared_ranks(equal)
            return
        # some values differ by noise, or by so little that packing may have exchanged them
    order = np.argsort(rows, axis=1) + _row_starts(rows)
    ordered = rows.take(order, mode="clip")
    magnitude = np.abs(ordered) if scales is None else scales.take(order, mode="clip")
    allowed = NOISE * np.maximum(magnitude[:, 1:], magnitude[:, :-1])
    joined = np.zeros(rows.shape, dtype=np.bool_)
    joined[:, :-1] = np.diff(ordered, axis=1) <= allowed
    ranks[order] = _shared_ranks(joined)


def _packed_sort(rows: FloatArray) -> tuple[IntArray, BoolArray]:
    """Flat positions that sort each row, and which values stand close to their right neighbour.

    Sorting numbers is several times faster than sorting positions, so the column number
    rides in the lowest bits of each number. The order of values marked close is not
    reliable: their gap is within rounding noise, or was lost with those bits.
    """
    length = rows.shape[1]
    low_bits = np.int64((1 << (length - 1).bit_length()) - 1)
    numbers = rows.view(np.int64)
    keys = numbers >> 63  # negative numbers sort by falling magnitude
    keys &= _MAGNITUDE_BITS
    keys ^= numbers
    keys &= ~low_bits
    keys |= np.arange(length)
    keys.sort(axis=1)
    # Noise is at most 32 units in the last place. Unsigned: the difference cannot overflow.
    reach = np.uint64(32 + low_bits)
    close = _neighbours(lambda right, left: right - left <= reach, keys.view(np.uint64))
    keys &= low_bits
    keys += _row_starts(rows)
    return keys, close


def _row_starts(rows: FloatArray) -> IntArray:
    return np.arange(0, rows.size, rows.shape[1]).reshape(-1, 1)


def _neighbours(compare: Callable[..., BoolArray], ordered: npt.NDArray[Any]) -> BoolArray:
    """Mark each value by comparing its right neighbour with it; the last column stays False.

    One comparison over the flat block, with the last column (which meets the next row
    there) struck out, is several times faster than one per row.
    """
    marks = np.zeros(ordered.shape, dtype=np.bool_)
    flat = ordered.reshape(-1)
    marks.reshape(-1)[:-1] = compare(flat[1:], flat[:-1])
    marks[:, -1] = False
    return marks


def _shared_ranks(joined: BoolArray) -> FloatArray:
    """Mid-ranks of sorted rows, told which values are tied with their right neighbour."""
    length = joined.shape[1]
    # the smallest integers that hold twice a position: less memory to move
    kind = np.uint8 if length <= 127 else np.int16 if length <= 16_000 else np.int64
    positions = np.arange(length, dtype=kind).reshape(-1, 1)
    ties = np.ascontiguousarray(joined.T)  # positions outside: each step is one long operation
    first = np.empty(ties.shape, dtype=kind)
    first[0] = 0
    np.multiply(~ties[:-1], positions[1:], out=first[1:])
    last = ties * kind(length - 1)
    np.maximum(last, positions, out=last)
    for position in range(1, length):
        np.maximum(first[position], first[position - 1], out=first[position])
    for position in range(length - 2, -1, -1):
        np.minimum(last[position], last[position + 1], out=last[position])
    first += last
    ranks = np.ascontiguousarray(first.T) * 0.5
    ranks += 1.0
    return ranks
