"""Boxes of interval-valued data: checks, ends of rank statistics, and the range of a paired t.

Rows of differences d form boxes l <= d <= u; t grows with S / sqrt(Q), where S is the sum of d
and Q the sum of its squares. Neither of the two searches is random.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

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


# A vertex that would change the square of t by a smaller share need not be found. If the bounds
# leave this many choices open, a vertex within the coarse share is accepted.
_PRECISION = 1e-12
_COARSE_PRECISION = 1e-9
_MOST_CHOICES = 1 << 14
# Sums that differ by less than this share of their reach are treated as equal.
_SAME = 1e-13
# Below this, SciPy's incomplete beta function loses digits or underflows.
_SMALLEST_DIRECT = 1e-280


def range_of_p(box: Box) -> IntervalP:
    """Return the ends of the two-sided p of rows of differences."""
    box = settled(box)
    lower, upper = box.lower, box.upper
    least, most = sums(box)
    noise = _noise(box)
    # the greatest and least distance from 0 of the t of any selection
    far, near = np.zeros(len(lower)), np.zeros(len(lower))
    points = (lower == upper).all(axis=1)
    for low, high, may_be_positive, is_positive in (
        (lower, upper, most > 0, least > 0),
        (-upper, -lower, least < 0, most < 0),
    ):
        one_fits = (low.max(axis=1) - high.min(axis=1) <= noise) & (high.min(axis=1) > 0)
        far[may_be_positive & one_fits] = np.inf
        rows = may_be_positive & ~one_fits & ~points
        far[rows] = np.maximum(far[rows], greatest_t(low[rows], high[rows]))
        constant = high.max(axis=1) - low.min(axis=1) <= noise
        near[is_positive & constant] = np.inf
        rows = is_positive & ~constant & ~points
        near[rows] = least_t(low[rows], high[rows])
        rows = is_positive & ~constant & points
        far[rows] = near[rows] = t_of(low[rows])
    df = lower.shape[1] - 1
    return IntervalP(_tail(np.maximum(far, near), df), _tail(near, df))


def settled(box: Box) -> Box:
    """Replace ends that are only noise by 0, so that they are not treated as differences.

    The box is rescaled so that squares and sums do not overflow; t has no unit.
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


def _tail(statistic: FloatArray, df: int) -> FloatArray:
    """Return two-sided p, using that t squared has an F distribution."""
    p = np.asarray(scipy.special.fdtrc(1, df, np.square(statistic)))
    for where in np.flatnonzero((p <= _SMALLEST_DIRECT) & np.isfinite(statistic)):
        p[where] = math.exp(laws.f_logsf(float(statistic[where]) ** 2, 1, df))
    capped: FloatArray = np.clip(p, TINY, 1.0)
    return capped


def t_of(differences: FloatArray) -> FloatArray:
    """Return t for each row, none of which may be constant."""
    n = differences.shape[1]
    means = differences.mean(axis=1)
    squares = np.square(differences - means[:, np.newaxis]).sum(axis=1)
    statistic: FloatArray = means * math.sqrt(n * (n - 1)) / np.sqrt(squares)
    return statistic


def greatest_t(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the greatest t of each row, given that the sum of its upper ends is positive.

    No positive constant may fit into the row. For a given sum, the squares are least where d is
    a constant clipped to the intervals. Along that path t rises and then falls; it turns where
    the sum of d (d - c) changes sign, between two ends found by bisection.
    """
    ends = np.sort(np.maximum(np.concatenate([lower, upper], axis=1), 0.0), axis=1)
    rows = np.arange(len(ends))
    left = np.zeros(len(ends), dtype=np.int64)
    right = np.full(len(ends), ends.shape[1])
    for _ in range(ends.shape[1].bit_length()):
        middle = (left + right) // 2
        constant = ends[rows, middle][:, np.newaxis]
        d = np.clip(constant, lower, upper)
        rising = (d.sum(axis=1) <= 0) | ((d * (d - constant)).sum(axis=1) >= 0)
        left, right = np.where(rising, middle, left), np.where(rising, right, middle)
    start = ends[rows, left][:, np.newaxis]
    stop = ends[rows, np.minimum(left + 1, ends.shape[1] - 1)][:, np.newaxis]
    clipped = np.where((upper <= start) | (lower >= stop), np.clip(start, lower, upper), 0.0)
    total, squares = clipped.sum(axis=1), np.square(clipped).sum(axis=1)
    best = np.array(start[:, 0])
    np.divide(squares, total, out=best, where=total > 0)
    return t_of(np.clip(np.clip(best[:, np.newaxis], start, stop), lower, upper))


def least_t(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the least t of each row, given that the sum of its lower ends is positive.

    It is attained where every d is at an end, because the sets of d with V / S^2 up to some
    bound are convex (V: sum of the squared deviations from the mean). For a given sum, the
    squares are greatest where, except for one d between its ends, those with the greatest l + u
    are raised to their upper end. The relaxation bounds the cost of every other choice; all
    choices that it does not rule out are examined. The result is infinite for a constant row of
    points.
    """
    n = lower.shape[1]
    best = np.zeros(len(lower))
    rows = np.arange(len(lower))
    while rows.size:  # until the bounds for the best value rule out a better one
        relaxed = _Relaxation.of(lower[rows], upper[rows], best[rows])
        best[rows] = _search(relaxed)
        rows = rows[best[rows] > relaxed.best * (1 + _PRECISION)]
    with np.errstate(divide="ignore"):
        statistic: FloatArray = np.sqrt((n - 1) / (n * best))
    return statistic


class _Relaxation(NamedTuple):
    """Bounds on V - best S^2 for each row, where ``best`` is the greatest known V / S^2.

    E is the sum of d around ``centre``. Raising every d with l + u above ``threshold`` leads to
    ``base``, next to the sum ``target`` of the relaxation. Any other choice has

        V - best S^2 = slack - (sum of its costs) - curvature (E - target)^2.
    """

    n: int
    best: FloatArray
    centre: FloatArray
    curvature: FloatArray
    target: FloatArray
    threshold: FloatArray
    slack: FloatArray
    highest: FloatArray  # sum of squares - threshold E of the base
    base: FloatArray
    costs: FloatArray  # costs of deviating from the base, (rows, n)
    steps: FloatArray  # resulting changes of the sum
    tolerance: FloatArray

    @classmethod
    def of(cls, lower: FloatArray, upper: FloatArray, known: FloatArray) -> _Relaxation:
        n_rows, n = lower.shape
        rows = np.arange(n_rows)
        # centred, so that squares of large differences do not lose digits
        centre = (lower / 2 + upper / 2).mean(axis=1)
        low, high = lower - centre[:, np.newaxis], upper - centre[:, np.newaxis]
        order = np.argsort(-(low + high), axis=1, kind="stable")
        low, high = np.take_along_axis(low, order, 1), np.take_along_axis(high, order, 1)
        width, slope = high - low, high + low
        sums, squares = np.empty((2, n_rows, n + 1))
        sums[:, 0], squares[:, 0] = low.sum(axis=1), np.square(low).sum(axis=1)
        sums[:, 1:] = sums[:, :1] + np.cumsum(width, axis=1)
        squares[:, 1:] = squares[:, :1] + np.cumsum(width * slope, axis=1)
        spread = np.maximum(squares - np.square(sums) / n, 0.0)
        total = n * centre[:, np.newaxis] + sums
        ratios = spread / np.square(total)
        best_at = ratios.argmax(axis=1)
        best = np.maximum(known, ratios[rows, best_at])

        curvature = 1 / n + best
        vertex = -best * n * centre / curvature
        gain = slope - 2 * curvature[:, np.newaxis] * (sums[:, 1:] - vertex[:, np.newaxis])
        last = np.minimum((gain > 0).sum(axis=1), n - 1)
        start, stop = sums[rows, last], sums[rows, last + 1]
        target = np.clip(vertex + slope[rows, last] / (2 * curvature), start, stop)
        threshold = 2 * curvature * (target - vertex)
        relaxed = squares[rows, last] + slope[rows, last] * (target - start)
        slack = (
            relaxed
            - curvature * np.square(target - vertex)
            - best * n * np.square(centre) / curvature
        )
        above = slope - threshold[:, np.newaxis]
        raised = above > 0
        return cls(
            n,
            best,
            centre,
            curvature,
            target,
            threshold,
            slack,
            relaxed - threshold * target,
            sums[:, 0] + np.where(raised, width, 0.0).sum(axis=1),
            width * np.abs(above),
            np.where(raised, -width, width),
            _PRECISION * spread[rows, best_at],
        )

    def ratios(self, box: IntArray, cost: FloatArray, total: FloatArray) -> FloatArray:
        """Return V / S^2 of choices in these rows."""
        squares = self.highest[box] - cost + self.threshold[box] * total
        spread = squares - np.square(total) / self.n
        ratios: FloatArray = spread / np.square(self.n * self.centre[box] + total)
        return ratios


def _search(relaxed: _Relaxation) -> FloatArray:
    """Return a greater V / S^2 than the best for each row, or the best if there is none.

    Choices of the d that deviate from the base are extended in parallel, one d at a time, while
    their bound is better than the best of them.
    """
    best = np.array(relaxed.best)
    deviates = (relaxed.costs < relaxed.slack[:, np.newaxis]) & (relaxed.steps != 0)
    searched = np.flatnonzero(relaxed.slack > relaxed.tolerance)
    if not searched.size:
        return best
    one = _Relaxation(relaxed.n, *(column[searched] for column in relaxed[1:]))
    # costly deviations come first, because most of them are soon ruled out
    order = np.argsort(np.where(deviates[searched], -one.costs, np.inf), axis=1, kind="stable")
    counts = deviates[searched].sum(axis=1)
    costs, steps = (np.take_along_axis(values, order, 1) for values in (one.costs, one.steps))
    steps[np.arange(steps.shape[1]) >= counts[:, np.newaxis]] = 0.0
    # how far the remaining deviations can still move the sum up and down
    up, down = (_after(np.maximum(side, 0.0)) for side in (steps, -steps))

    budget, tolerance = np.array(one.slack), np.array(one.tolerance)
    box = np.arange(len(searched))
    cost, total = np.zeros(len(box)), np.array(one.base)
    for level in range(int(counts.max()) + 1):
        off = total - one.target[box]
        np.minimum.at(budget, box, cost + one.curvature[box] * np.square(off))
        np.maximum.at(best, searched[box], one.ratios(box, cost, total))
        missed = np.maximum(np.maximum(off - down[box, level], -off - up[box, level]), 0.0)
        bound = cost + one.curvature[box] * np.square(missed)
        going_on = (level < counts[box]) & (bound < (budget - tolerance)[box])
        box, cost, total = box[going_on], cost[going_on], total[going_on]
        if not box.size:
            break
        cost = np.concatenate([cost, cost + costs[box, level]])
        total = np.concatenate([total, total + steps[box, level]])
        box = np.concatenate([box, box])
        if len(box) > _MOST_CHOICES:
            reach = (up + down)[:, 0]
            box, cost, total = _joined(box, cost, total, _SAME * reach)
            crowded = np.bincount(box, minlength=len(searched)) > _MOST_CHOICES
            if crowded.any():
                coarse = one.tolerance[crowded] * (_COARSE_PRECISION / _PRECISION)
                tolerance[crowded] = coarse
                same = np.where(crowded, 1 / _MOST_CHOICES, _SAME) * reach
                box, cost, total = _joined(box, cost, total, same)
    return best


def _after(steps: FloatArray) -> FloatArray:
    """Return the sums of the values from each position on, with a final 0."""
    sums = np.zeros((len(steps), steps.shape[1] + 1))
    sums[:, :-1] = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    return sums


def _joined(
    box: IntArray, cost: FloatArray, total: FloatArray, same: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Keep, among the choices of a box with the same sum, the one that costs least."""
    place = np.rint(total / same[box])
    order = np.lexsort((cost, place, box))
    box, cost, total, place = box[order], cost[order], total[order], place[order]
    first = np.append(True, (np.diff(box) != 0) | (np.diff(place) != 0))
    return box[first], cost[first], total[first]
