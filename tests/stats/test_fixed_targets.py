"""Expected running times and hits, against loops over runs."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.fixed_targets import expected_running_times, hits_by_point


@st.composite
def hits(draw):
    """Hits on a grid of points, with runs that never hit and cells with fewer runs."""
    shape = tuple(draw(st.integers(1, 3)) for _ in range(4))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    points = np.sort(rng.choice(np.arange(1, 200), (shape[0], 6), replace=False), axis=1)
    points = points.astype(float)
    found = np.empty(shape)
    for p in range(shape[0]):
        found[p] = rng.choice([*points[p], math.inf], shape[1:])
    for p in range(shape[0]):
        for a in range(shape[1]):
            found[p, a, rng.integers(1, shape[2] + 1) :] = math.nan
    return found, points


@given(hits())
def test_running_times_are_sums_over_runs(drawn):
    found, points = drawn
    budgets = points[:, -1]
    times = expected_running_times(found, budgets)
    for p, a, t in np.ndindex(found.shape[0], found.shape[1], found.shape[3]):
        spent, successes = 0.0, 0
        for r in range(found.shape[2]):
            hit = found[p, a, r, t]
            if math.isnan(hit):
                continue
            if math.isinf(hit):
                spent += budgets[p]
            else:
                spent += hit
                successes += 1
        expected = spent / successes if successes else math.inf
        assert times.successes[p, a, t] == successes
        assert times.expected[p, a, t] == expected


@given(hits())
def test_hits_are_counted_at_their_points(drawn):
    found, points = drawn
    counted = hits_by_point(found, points)
    for p, a in np.ndindex(found.shape[:2]):
        for place, point in enumerate(points[p]):
            assert counted[p, a, place] == (found[p, a] == point).sum()
    assert counted.sum() == np.isfinite(found).sum()


@given(hits(), st.floats(0.1, 50))
def test_a_longer_unit_of_evaluations_makes_all_times_longer_alike(drawn, factor):
    found, points = drawn
    times = expected_running_times(found, points[:, -1])
    longer = expected_running_times(found * factor, points[:, -1] * factor)
    np.testing.assert_allclose(longer.expected, times.expected * factor, rtol=1e-12)
    np.testing.assert_array_equal(longer.successes, times.successes)
