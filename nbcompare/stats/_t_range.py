"""Greatest and least t of a paired test over a box of differences.

Rows of differences d form boxes l <= d <= u; t grows with S / sqrt(Q), where S is the sum of d
and Q the sum of its squares. Neither of the two searches is random.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from nbcompare._arrays import NOISE, FloatArray, IntArray
from nbcompare.stats import tails
from nbcompare.stats._boxes import TINY, Box
from nbcompare.stats.tails import IntervalP

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
        p[where] = math.exp(tails.f_logsf(float(statistic[where]) ** 2, 1, df))
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
