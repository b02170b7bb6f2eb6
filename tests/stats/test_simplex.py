"""Counts near the points of a triangular lattice, against the nearest of all points."""

import numpy as np
import pytest

from nbcompare.stats.bayesian import lattice_counts


def points(steps):
    """Shares of the points, in the order of the first share, then of the third."""
    return np.array(
        [
            (i, steps - i - j, j) for i in range(steps + 1) for j in range(steps + 1 - i)
        ]
    ) / steps  # fmt: skip


@pytest.mark.parametrize("steps", [1, 2, 5, 24])
def test_each_draw_counts_at_the_nearest_point(steps):
    shares = np.random.default_rng(steps).dirichlet([0.4, 1, 0.7], size=3000)
    places = points(steps)
    away = ((shares[:, np.newaxis] - places) ** 2).sum(axis=2)
    expected = np.bincount(away.argmin(axis=1), minlength=len(places))
    assert lattice_counts(shares, steps).tolist() == expected.tolist()


def test_the_points_themselves_and_shares_with_rounding_noise():
    places = points(7)
    assert lattice_counts(places, 7).tolist() == [1] * len(places)
    noisy = np.array([[1 + 1e-16, -1e-16, 0], [0, 0, 1]])
    assert lattice_counts(noisy, 3).tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
