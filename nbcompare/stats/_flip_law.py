"""Law of a sum of numbers with random signs: exact where that is cheap, else by its saddlepoint.

Under the null hypothesis of a sign-flip test every choice of signs of the differences is equally
likely. The saddlepoint approximation of the tail keeps its relative accuracy however far out
(Daniels 1987; Robinson 1982 for permutation tests). A few numbers that outweigh all others make
the law lumpy: the signs of those are listed, and the saddlepoint is that of the rest.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import scipy

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare.stats import _laws
from nbcompare.stats.lattice import sum_tails
from nbcompare.stats.signed_rank import tied_tails

# Up to this many numbers, all choices of signs are listed.
_MOST_LISTED = 24
# Additions that all laws of whole numbers of one call may take, about half a second.
_MOST_WORK = 4e8
_MOST_TOTAL = 2.0**31
_MOST_STEPS = 100
_SLACK = 1e-6  # of whole numbers that were computed
# Numbers with a larger share of the variance outweigh others; the signs of so many are listed.
_OUTWEIGHS, _MOST_OUTWEIGHING = 0.04, 5
# Below this, in standard deviations, the correction of the saddlepoint is its limit.
_CENTRE = 1e-5
_LN10 = math.log(10.0)


class FlipTails(NamedTuple):
    """Natural logarithms of P(S >= at), and whether they are exact."""

    log_p: FloatArray
    exact: BoolArray


def flip_tails(numbers: FloatArray, at: FloatArray, noise: FloatArray) -> FlipTails:
    """Return the log probabilities that the numbers of each row with random signs sum to ``at``.

    Parameters
    ----------
    numbers : ndarray of float, shape (n_rows, n)
        Numbers; their signs do not matter, nor do zeros.
    at : ndarray of float, shape (n_rows,)
        Sum that is to be reached, or exceeded, of each row.
    noise : ndarray of float, shape (n_rows,)
        Sums that differ by at most this are equal; 0 for whole numbers.

    Returns
    -------
    FlipTails
        Arrays of shape (n_rows,).
    """
    sizes = np.abs(numbers)
    used = np.count_nonzero(sizes, axis=1)
    totals = sizes.sum(axis=1)
    whole = (sizes == np.rint(sizes)).all(axis=1) & (totals < _MOST_TOTAL)
    units = np.ones(len(sizes), dtype=np.int64)
    units[whole] = np.maximum(np.gcd.reduce(sizes[whole].astype(np.int64), axis=1), 1)
    work = used * totals / units
    counted = whole & (used <= _laws.MOST_RANKS) & (work <= _MOST_WORK / max(1, len(sizes)))
    listed = ~counted & (used <= _MOST_LISTED)
    log_p = np.zeros(len(sizes))
    if counted.any():
        weights = np.sort(sizes[counted], axis=1).astype(np.int64)
        log_p[counted] = _counted(weights, at[counted], used[counted])
    for row in np.flatnonzero(listed).tolist():
        some = sizes[row][sizes[row] > 0]
        signs = np.stack([some, -some], axis=-1)
        scale = noise[row] / (8 * np.finfo(np.float64).eps * len(some))
        tails = sum_tails(signs, at[row], scale=np.full(signs.shape, scale))
        log_p[row] = math.log(float(tails.upper_high))
    rest = ~(counted | listed)
    if rest.any():
        spans = np.where(whole, 2.0 * units, 0.0)[rest]
        log_p[rest] = _saddlepoint(sizes[rest], at[rest], spans)
    return FlipTails(log_p, counted | listed)


def _counted(weights: IntArray, at: FloatArray, used: IntArray) -> FloatArray:
    """Return log tails of whole numbers: the sum of those with a minus is at most so much."""
    totals = weights.sum(axis=1)
    minus = np.floor((totals - at) / 2 + _SLACK).astype(np.int64)
    places = np.clip(minus, 0, totals)
    found = tied_tails(weights, places, totals, used, two_sided=False)
    return np.where(minus < 0, -np.inf, found.log10_pvalue * _LN10)


def _saddlepoint(sizes: FloatArray, at: FloatArray, spans: FloatArray) -> FloatArray:
    """Return log tails by the saddlepoint; ``spans`` are the steps of laws on a lattice, or 0."""
    logs = np.empty(len(sizes))
    shares = np.square(sizes.max(axis=1)) / np.square(sizes).sum(axis=1)
    plain = np.flatnonzero(shares <= _OUTWEIGHS)
    logs[plain] = _log_upper(sizes[plain], at[plain], spans[plain])
    lumpy = np.flatnonzero(shares > _OUTWEIGHS)
    if len(lumpy):
        ordered = np.sort(sizes[lumpy], axis=1)
        rest, largest = ordered[:, :-_MOST_OUTWEIGHING], ordered[:, -_MOST_OUTWEIGHING:]
        choices = np.array(list(itertools.product((-1.0, 1.0), repeat=largest.shape[1])))
        each = [_log_upper(rest, at[lumpy] - largest @ signs, spans[lumpy]) for signs in choices]
        logs[lumpy] = scipy.special.logsumexp(each, axis=0) - math.log(len(choices))
    return logs


def _log_upper(sizes: FloatArray, at: FloatArray, spans: FloatArray) -> FloatArray:
    """Return log P(S >= at); of a negative sum, the complement is what exceeds its size."""
    spread = np.sqrt(np.square(sizes).sum(axis=1))
    numbers, reached, steps = sizes / spread[:, np.newaxis], np.abs(at) / spread, spans / spread
    below = at < 0
    logs = _log_tail(numbers, reached, np.where(below, -steps, steps))
    return np.where(below, np.log1p(-np.exp(np.minimum(logs, -1e-300))), logs)


def _log_tail(numbers: FloatArray, at: FloatArray, steps: FloatArray) -> FloatArray:
    """Return log P(S >= at), or log P(S > at) where ``steps`` are negative, for unit variance."""
    total = numbers.sum(axis=1)
    least = np.where(numbers > 0, numbers, np.inf).min(axis=1)
    log_least = -np.count_nonzero(numbers, axis=1) * math.log(2.0)
    inside = at < total - least  # beyond, all signs are the same, or there is no such sum
    t = _saddle(numbers, np.where(inside, at, 0.0))
    x = t[:, np.newaxis] * numbers
    # log cosh, without loss near 0 and without overflow
    half = np.sinh(np.minimum(x, 1.0) / 2)
    log_cosh = np.where(
        x < 1, np.log1p(2 * half * half), x + np.log1p(np.exp(-2 * x)) - math.log(2)
    )
    w = np.sqrt(np.maximum(2 * (t * at - log_cosh.sum(axis=1)), 0.0))
    variance = np.square(numbers / np.cosh(np.minimum(x, 300.0))).sum(axis=1)
    on_lattice = steps != 0
    safe = np.where(on_lattice, steps, 1.0)
    slope = np.where(on_lattice, -np.expm1(-np.minimum(safe * t, 300.0)) / safe, t)
    far = inside & (w > _CENTRE)
    safe_w, ratio = np.where(far, w, 1.0), np.where(far, slope * np.sqrt(variance), 1.0)
    root = np.where(far, w + np.log(ratio / safe_w) / safe_w, w - steps / 2)
    outside = np.where(at > total * (1 + 1e-12), -np.inf, log_least)
    return np.where(inside, np.maximum(scipy.special.log_ndtr(-root), log_least), outside)


def _saddle(numbers: FloatArray, at: FloatArray) -> FloatArray:
    """Solve sum a tanh(t a) = at for t by Newton's method, which comes from below."""
    t = at.copy()  # as the variance is 1, the slope is at most 1
    active = np.flatnonzero(at > 0)
    for _ in range(_MOST_STEPS):
        if not len(active):
            break
        some = numbers[active]
        bent = np.tanh(t[active, np.newaxis] * some)
        missing = at[active] - (some * bent).sum(axis=1)
        slope = np.square(some).sum(axis=1) - np.square(some * bent).sum(axis=1)
        left = (missing > 1e-13 * at[active]) & (slope > 0)
        active = active[left]
        t[active] += missing[left] / slope[left]
    return t
