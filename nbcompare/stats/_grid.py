"""Rows of values on one scale, and the grid that they are on, for sums of choices."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare.stats.ranking import NOISE

# The longest law: it takes 100 MB while it is computed.
MOST_POINTS = 1 << 22
_EPS = float(np.finfo(np.float64).eps)


class Choices(NamedTuple):
    """Rows that vary, on a scale of at most 1, and what the sum is compared with."""

    offsets: FloatArray  # (n, n_values), from the reference value of each row
    shares: FloatArray | None
    targets: FloatArray  # observed sums of offsets
    noise: FloatArray  # (n,) rounding noise of each row
    exponent: int  # the scale is 2**exponent


def choices_of(
    table: FloatArray,
    sums: FloatArray,
    shares: FloatArray | None,
    repeats: int,
    sizes: FloatArray | None,
) -> Choices:
    """The choices that matter, scaled, and counted from a reference value in each row."""
    if shares is not None:  # what is never drawn has no magnitude
        likeliest = shares.argmax(axis=1)[:, np.newaxis]
        table = np.where(shares > 0, table, np.take_along_axis(table, likeliest, axis=1))
    magnitude = np.abs(table).max(axis=1)
    size = magnitude if sizes is None else np.maximum(magnitude, sizes.max(axis=1))
    # A power of two, so that nothing is rounded, and that nothing overflows
    exponent = -int(np.frexp(size.max())[1]) - 1
    values = scaled_by(table, exponent)
    noise = NOISE * scaled_by(size, exponent)
    with np.errstate(over="ignore"):  # beyond the largest sum it does not matter how far
        targets = np.clip(scaled_by(sums, exponent), -len(table) * repeats, len(table) * repeats)
    # Rows that hold 0 were centred there on purpose; others are counted from their least value.
    near = np.abs(values) <= noise[:, np.newaxis]
    values = np.where(near, 0.0, values)
    reference = np.where(near.any(axis=1), 0.0, values.min(axis=1))
    offsets = values - reference[:, np.newaxis]
    targets = targets - repeats * math.fsum(reference.tolist())
    varied = np.ptp(offsets, axis=1) > noise
    constant = repeats * math.fsum(offsets[~varied, 0].tolist())
    if shares is not None:
        shares = shares[varied]
    return Choices(offsets[varied], shares, targets - constant, noise[varied], exponent)


def scaled_by(values: FloatArray, exponent: int) -> FloatArray:
    """``values * 2**exponent``, in two steps: the factor itself may be beyond the numbers."""
    half = exponent // 2
    return np.asarray(np.ldexp(np.ldexp(values, half), exponent - half))


def common_step(offsets: FloatArray, noise: FloatArray, repeats: int) -> float | None:
    """The number that all offsets are multiples of, up to noise; None if there is none.

    Euclid's algorithm for all offsets at once: the step is replaced by the smallest remainder,
    at most half of it, until no remainder is left. The offsets are replaced by their remainders
    too, or the error of a step would be multiplied by the size of all of them every time.
    """
    if offsets.size == 0:
        return 1.0
    least = float(np.ptp(offsets, axis=1).sum()) * repeats / MOST_POINTS
    # Multiples add up the noise of a step, which stays far below this.
    negligible = least / 16
    values = np.unique(np.abs(offsets))
    values = values[values > 0]
    if noise.max() > negligible or values[0] < negligible:
        return None
    step, rest = float(values[0]), values
    while step >= least:
        remainders = np.abs(rest - np.rint(rest / step) * step)
        left = remainders[remainders > negligible]
        if left.size == 0:
            break
        rest = np.append(left, step)
        step = float(left.min())
    else:
        return None
    for _ in range(2):  # the step that fits best
        multiples = np.rint(values / step)
        step = float(values @ multiples / (multiples @ multiples))
    errors = np.abs(values - np.rint(values / step) * step)
    return step if (errors <= noise.max() + 4 * _EPS * values).all() else None
