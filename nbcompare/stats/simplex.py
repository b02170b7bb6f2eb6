"""Counts of draws of three shares near the points of a triangular lattice, for a figure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._validation import check_count, check_finite


def lattice_counts(shares: npt.ArrayLike, steps: int) -> IntArray:
    """Count the draws that are nearest to each point of a triangular lattice.

    The points have shares that are multiples of 1/steps and add up to 1. They are in the order of
    their first share, then of their third one.

    Parameters
    ----------
    shares : array_like, shape (n_draws, 3)
        Shares of at least 0; each row adds up to 1.
    steps : int
        Steps of the lattice from one corner to another, at least 1.

    Returns
    -------
    ndarray of int, shape ((steps + 1)(steps + 2)/2,)
        Numbers of draws, which add up to n_draws.

    Examples
    --------
    >>> lattice_counts([[0, 1, 0], [0.1, 0.1, 0.8], [0.9, 0.1, 0]], 2)
    array([1, 0, 1, 0, 0, 1])
    """
    array = check_finite(shares, "shares", ndim=2)
    scaled: FloatArray = array * check_count(steps, "steps", least=1)
    nearest = np.rint(scaled)
    # the coordinate that was rounded most makes the three add up again
    rows = np.arange(len(array))
    most = np.abs(nearest - scaled).argmax(axis=1)
    nearest[rows, most] += steps - nearest.sum(axis=1)
    points = np.clip(nearest, 0, steps).astype(np.int64)
    first, third = points[:, 0], points[:, 2]
    places = first * (steps + 1) - first * (first - 1) // 2 + third
    return np.bincount(places, minlength=(steps + 1) * (steps + 2) // 2)
