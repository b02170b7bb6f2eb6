"""Boxes of interval-valued data: checks, and the ends of statistics of ranks, signs and sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare._validation import check_finite
from nbcompare.stats import laws
from nbcompare.stats.laws import IntervalP
from nbcompare.stats.rankings import check_scale, midranks
from nbcompare.stats.signed_rank import MOST_EXACT, binomial_logcdf, normal_tails

# Rows are processed in blocks of about this many values.
_BLOCK_ELEMENTS = 80_000
# Returned in place of a p-value that is too small for a float.
TINY = float(np.finfo(np.float64).tiny)


class Box(NamedTuple):
    """Rows of intervals, and the magnitudes that determine the rounding noise of their ends."""

    lower: FloatArray
    upper: FloatArray
    scale: FloatArray | None  # None: the magnitudes of the ends themselves

    @property
    def sizes(self) -> tuple[FloatArray, FloatArray]:
        """Magnitudes of the lower and of the upper ends."""
        if self.scale is None:
            return np.abs(self.lower), np.abs(self.upper)
        return self.scale, self.scale

    def rows(self, which: slice | npt.NDArray[np.bool_]) -> Box:
        """Return some of the rows."""
        return Box(*(None if array is None else array[which] for array in self))  # type: ignore[arg-type]


class Range(NamedTuple):
    """Ends and mean of a rank statistic for each row, all doubled, as ties give halves."""

    low: IntArray
    high: IntArray
    centre: int


def check_box(
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    scale: npt.ArrayLike | None = None,
    names: tuple[str, str] = ("lower", "upper"),
    what: str = "blocks",
) -> tuple[Box, tuple[int, ...]]:
    """Check ends of intervals; return their rows and the shape of the leading axes."""
    low, high = (
        check_finite(value, name) for value, name in zip((lower, upper), names, strict=True)
    )
    if low.shape != high.shape:
        raise ValueError(
            f"`{names[0]}` and `{names[1]}` must have the same shape; "
            f"got {low.shape} and {high.shape}."
        )
    n = low.shape[-1] if low.ndim else 0
    if n < 2:
        raise ValueError(f"`{names[0]}` must hold at least 2 {what} along its last axis; got {n}.")
    sizes = None if scale is None else check_scale(scale, low.shape)
    if (low > high).any():
        noise = NOISE * np.maximum(np.abs(low), np.abs(high) if sizes is None else sizes)
        wrong = low - noise > high
        if wrong.any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise ValueError(
                f"`{names[0]}` must not be above `{names[1]}`; got {float(low[where])!r} and "
                f"{float(high[where])!r} at index {where}."
            )
        low, high = np.minimum(low, high), np.maximum(low, high)
    rows = [None if array is None else array.reshape(-1, n) for array in (low, high, sizes)]
    return Box(*rows), low.shape[:-1]  # type: ignore[arg-type]


def check_samples(
    xl: npt.ArrayLike,
    xu: npt.ArrayLike,
    yl: npt.ArrayLike,
    yu: npt.ArrayLike,
    scale: tuple[npt.ArrayLike, npt.ArrayLike] | None,
    names: tuple[str, str, str, str] = ("xl", "xu", "yl", "yu"),
) -> tuple[Box, Box, tuple[int, ...]]:
    """Check two samples; return both with as many rows, and the shape of the leading axes."""
    x_scale, y_scale = scale or (None, None)
    x, x_shape = check_box(xl, xu, x_scale, names[:2], "scores")
    y, y_shape = check_box(yl, yu, y_scale, names[2:], "scores")
    try:
        shape = np.broadcast_shapes(x_shape, y_shape)
    except ValueError:
        raise ValueError(
            f"`{names[0]}` and `{names[2]}` must have leading axes that broadcast against each "
            f"other; got {x_shape} and {y_shape}."
        ) from None
    return _spread(x, x_shape, shape), _spread(y, y_shape, shape), shape


def _spread(box: Box, old: tuple[int, ...], new: tuple[int, ...]) -> Box:
    if old == new:
        return box
    n = box.lower.shape[1]
    arrays = [
        None if rows is None else np.broadcast_to(rows.reshape(*old, n), (*new, n)).reshape(-1, n)
        for rows in box
    ]
    return Box(*arrays)  # type: ignore[arg-type]


def in_blocks(test: Callable[[slice], IntervalP], length: int, shape: tuple[int, ...]) -> IntervalP:
    """Test rows of ``length`` values in blocks that fit into the processor's cache."""
    count, step = math.prod(shape), max(1, _BLOCK_ELEMENTS // length)
    parts = [test(slice(start, start + step)) for start in range(0, max(count, 1), step)]
    low, high = (np.concatenate(ends).reshape(shape) for ends in zip(*parts, strict=True))
    return IntervalP(low, high)


# ------------------------------------------------------------------ statistics


def signed_ranks(box: Box) -> Range:
    """Return the range of the rank sum of positive differences, with zeros split evenly."""
    n = box.lower.shape[1]
    ends = [_signed_rank(d, box.scale) for d in (box.lower, box.upper)]
    return Range(*_ordered(*ends), n * (n + 1) // 2)


def signs(box: Box) -> Range:
    """Return the range of the number of positive differences, with zeros split evenly."""
    ends = [
        box.lower.shape[1]
        + np.count_nonzero(d > NOISE * size, axis=1)
        - np.count_nonzero(d < -NOISE * size, axis=1)
        for d, size in zip((box.lower, box.upper), box.sizes, strict=True)
    ]
    return Range(*_ordered(*ends), box.lower.shape[1])


def rank_sums(x: Box, y: Box) -> Range:
    """Return the range of the number of pairs with a greater x, counting ties one half."""
    least = _rank_sum(x.lower, y.upper, x.scale, y.scale)
    most = _rank_sum(x.upper, y.lower, x.scale, y.scale)
    return Range(*_ordered(least, most), x.lower.shape[1] * y.lower.shape[1])


def side_of(statistic: Range) -> IntArray:
    """Return -1 for ranges that lie below the centre, 1 for those above it, otherwise 0."""
    above = (statistic.low > statistic.centre).astype(np.int64)
    return np.asarray(above - (statistic.high < statistic.centre))


def _ordered(least: IntArray, most: IntArray) -> tuple[IntArray, IntArray]:
    # Ties depend on rounding noise, so a rise by nothing but noise may break a tie.
    return np.minimum(least, most), np.maximum(least, most)


def _signed_rank(differences: FloatArray, scale: FloatArray | None) -> IntArray:
    size = np.abs(differences)
    if scale is not None:
        zero = size <= NOISE * scale
        differences, size = np.where(zero, 0.0, differences), np.where(zero, 0.0, size)
        scale = np.where(zero, 0.0, scale)  # large tied scores must not tie small differences
    weights = 1.0 + np.sign(differences)
    return np.asarray((midranks(size, scale=scale) * weights).sum(axis=1), dtype=np.int64)


def _rank_sum(
    x: FloatArray, y: FloatArray, x_scale: FloatArray | None, y_scale: FloatArray | None
) -> IntArray:
    m = x.shape[1]
    scale = None
    if x_scale is not None and y_scale is not None:
        scale = np.concatenate([x_scale, y_scale], axis=1)
    ranks = midranks(np.concatenate([x, y], axis=1), scale=scale)
    return np.asarray(2 * ranks[:, :m].sum(axis=1) - m * (m + 1), dtype=np.int64)


# ------------------------------------------------------------------------ laws


def p_of(statistic: Range, tail: Callable[[IntArray], FloatArray]) -> IntervalP:
    """Return the ends of p, which falls with the distance of the statistic from its centre.

    ``tail`` returns p for statistics up to the centre.
    """
    low, high, centre = statistic
    near_low, near_high = np.minimum(low, 2 * centre - low), np.minimum(high, 2 * centre - high)
    inside = (low <= centre) & (centre <= high)
    nearest = np.where(inside, centre, np.maximum(near_low, near_high))
    return IntervalP(tail(np.minimum(near_low, near_high)), tail(nearest))


def signed_rank_tail(n: int) -> Callable[[IntArray], FloatArray]:
    """Return a function from twice W+, up to its centre, to two-sided p; n untied differences."""
    total = n * (n + 1) // 2
    if n > MOST_EXACT:
        return _normal_tail(total, n * (n + 1) * (2 * n + 1) / 24)
    return _exact_tail(np.ldexp(laws.untied_sums_of_subsets(n), 1 - n))


def rank_sum_tail(m: int, n: int) -> Callable[[IntArray], FloatArray]:
    """Return a function from twice U, up to its centre, to two-sided p, for untied samples."""
    if m * n > laws.MOST_PRODUCT or m + n > laws.MOST_RANKS:
        return _normal_tail(m * n, m * n * (m + n + 1) / 12)
    counts = laws.untied_sums_of_samples(min(m, n), max(m, n))
    return _exact_tail(2.0 * counts / math.comb(m + n, m))


def sign_tail(n: int) -> Callable[[IntArray], FloatArray]:
    """Return a function from twice S to two-sided p; an odd number of zeros drops a block."""

    def tail(doubled: IntArray) -> FloatArray:
        logs = math.log(2.0) + binomial_logcdf(doubled // 2, n - doubled % 2)
        return np.maximum(laws.from_log(logs)[0], TINY)

    return tail


def _exact_tail(table: FloatArray) -> Callable[[IntArray], FloatArray]:
    """Look up p in a table for 0, 1, ... up to the middle, rounding halves to the larger p."""
    capped = np.clip(table, TINY, 1.0)
    return lambda doubled: capped[np.minimum((doubled + 1) // 2, len(capped) - 1)]


def _normal_tail(centre: int, variance: float) -> Callable[[IntArray], FloatArray]:
    def tail(doubled: IntArray) -> FloatArray:
        z = (doubled - centre) / (2 * math.sqrt(variance))
        return np.maximum(normal_tails(z, "two-sided").pvalue, TINY)

    return tail


# ------------------------------------------------------------------------ sums


def settled(box: Box) -> Box:
    """Replace ends that are only noise by 0, so that they are not treated as differences.

    The box is rescaled so that sums do not overflow; their signs have no unit.
    """
    box = _of_moderate_size(box)
    noise = _noise(box)[:, np.newaxis]
    lower, upper = (np.where(np.abs(e) <= noise, 0.0, e) for e in (box.lower, box.upper))
    return Box(lower, upper, np.maximum(*box.sizes))


def _noise(box: Box) -> FloatArray:
    """Return the rounding noise of the largest number in each row."""
    largest: FloatArray = np.maximum(*box.sizes).max(axis=1)
    return NOISE * largest


def _of_moderate_size(box: Box) -> Box:
    largest = max((float(np.abs(a).max(initial=0.0)) for a in box if a is not None), default=0.0)
    if not largest or 1e-50 < largest < 1e50:
        return box
    power = -math.frexp(largest)[1]
    return Box(*(None if a is None else np.ldexp(a, power) for a in box))  # type: ignore[arg-type]


def sums(box: Box) -> tuple[FloatArray, FloatArray]:
    """Return the sums of the lower and of the upper ends, 0 where they are rounding noise."""
    ends = zip((box.lower, box.upper), box.sizes, strict=True)
    least, most = (_sum(values, size) for values, size in ends)
    return least, most


def _sum(values: FloatArray, size: FloatArray) -> FloatArray:
    total: FloatArray = values.sum(axis=1)
    return np.where(np.abs(total) <= NOISE * size.sum(axis=1), 0.0, total)
