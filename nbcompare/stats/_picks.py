"""One number picked at random from each data set: tables to pick from, tails of the sum.

What the tests of :mod:`~nbcompare.stats.bootstrap` have in common. The law of the sum is exact
(:mod:`~nbcompare.stats.lattice`), or that of random permutations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import DataError, check_choice, check_count, check_finite
from nbcompare.stats.lattice import SumTails, sum_tails
from nbcompare.stats.permutation import METHODS, blocks, generator
from nbcompare.stats.ranking import NOISE, check_scale, whole_numbers

# Sums of larger scores might overflow; they are taken smaller by this factor.
_LARGEST, _SMALLER = 2.0**900, 2.0**-200
# A law that all algorithms share is tried first, at little cost if the data are on no grid.
_FEW_POINTS = 16

Source = np.random.Generator | int | None


class Table(NamedTuple):
    """Ends of scores, and the scale of each data set."""

    lower: FloatArray
    upper: FloatArray
    scale: FloatArray  # (n,)


class Draws(NamedTuple):
    """How many random permutations to draw, and from where."""

    n_resamples: int
    source: np.random.Generator


def check_table(
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    scale: npt.ArrayLike | None,
    low_name: str = "lower",
    high_name: str = "upper",
) -> Table:
    """Ends of scores, by data set and algorithm, at least 2 of each."""
    low = check_finite(lower, low_name, ndim=2)
    high = check_finite(upper, high_name, ndim=2)
    if low.shape != high.shape:
        raise ValueError(
            f"`upper` must have the shape of `lower`; got arrays of shapes {low.shape} and "
            f"{high.shape}."
        )
    if min(low.shape) < 2:
        raise ValueError(
            f"`{low_name}` must hold at least 2 data sets (rows) and 2 algorithms (columns); "
            f"got an array of shape {low.shape}."
        )
    if (low > high).any():
        row, column = (int(i) for i in np.argwhere(low > high)[0])
        raise DataError(
            "`lower` must not be above `upper`; "
            f"got {low[row, column]} above {high[row, column]} at index {(row, column)}."
        )
    if scale is None:  # decimals as whole numbers: their differences are free of noise
        low, high = whole_numbers(np.stack([low, high]))
        size = np.maximum(np.abs(low), np.abs(high)).max(axis=1)
    else:
        size = check_scale(scale, low.shape).max(axis=1)
    if max(np.abs(low).max(), np.abs(high).max()) > _LARGEST:
        low, high, size = low * _SMALLER, high * _SMALLER, size * _SMALLER
    return Table(low, high, size)


def check_draws(method: str, n_resamples: int, rng: Source) -> Draws | None:
    """What to resample with; None for exact laws."""
    if check_choice(method, "method", METHODS) == "exact":
        return None
    return Draws(check_count(n_resamples, "n_resamples", least=1), generator(rng))


def tails_of_picks(
    values: FloatArray, centres: FloatArray, scale: FloatArray, draws: Draws | None
) -> SumTails:
    """Tails of the sum of one value from each data set, at the sum of centres of each algorithm."""
    if draws is None:
        # One law serves all algorithms; off a grid, the centred ones have narrower brackets.
        shared = sum_tails(
            values, centres.sum(axis=0), scale=scale[:, np.newaxis], points=_FEW_POINTS
        )
        if (shared.lower_low == shared.lower_high).all():
            return shared
    return tails_at_zero(centred(values, centres), scale, draws)


def tails_at_zero(terms: FloatArray, scale: FloatArray, draws: Draws | None) -> SumTails:
    """Tails of the sum over n of terms[a, i, j] for random j, at 0, for each algorithm a."""
    if draws is None:
        return sum_tails(terms, 0.0, scale=scale[:, np.newaxis])
    k, n, _ = terms.shape
    noise = NOISE * float(scale.sum())
    counts = np.ones((2, k))  # the observed permutation counts
    flat = terms.reshape(-1)
    places = k * (np.arange(n)[:, np.newaxis] + n * np.arange(k))
    for size in blocks(draws.n_resamples, n * k):
        order = np.broadcast_to(np.arange(k), (size, n, k))
        sums = flat.take(draws.source.permuted(order, axis=2) + places).sum(axis=1)
        counts[0] += (sums <= noise).sum(axis=0)
        counts[1] += (sums >= -noise).sum(axis=0)
    lower, upper = counts / (draws.n_resamples + 1)
    return SumTails(lower, lower, upper, upper)


def centred(values: FloatArray, centres: FloatArray) -> FloatArray:
    """Each data set from the centre of each algorithm, shape (k, n, k)."""
    return np.asarray(values[np.newaxis] - centres.T[:, :, np.newaxis])
