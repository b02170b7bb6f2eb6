"""Expected running times and steps of runs, against loops over runs."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.fixed_targets import expected_running_times, steps_of_runs


@st.composite
def hits(draw):
    """Hits of runs that all have a budget of their own; some never hit, some are not there."""
    shape = tuple(draw(st.integers(1, 3)) for _ in range(4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    budgets = rng.integers(1, 40, shape[:3]).astype(float)
    found = rng.integers(1, 60, shape).astype(float)
    found[found > budgets[..., np.newaxis]] = math.inf
    for p, a in np.ndindex(shape[:2]):
        gone = int(rng.integers(1, shape[2] + 1))
        found[p, a, gone:] = budgets[p, a, gone:] = math.nan
    return found, budgets


@given(hits())
def test_running_times_are_sums_over_runs(drawn):
    found, budgets = drawn
    times = expected_running_times(found, budgets)
    for p, a, t in np.ndindex(found.shape[0], found.shape[1], found.shape[3]):
        spent, successes = 0.0, 0
        for r in range(found.shape[2]):
            hit = found[p, a, r, t]
            if math.isnan(hit):
                continue
            if math.isinf(hit):
                spent += budgets[p, a, r]
            else:
                spent += hit
                successes += 1
        expected = spent / successes if successes else math.inf
        assert times.successes[p, a, t] == successes
        assert times.expected[p, a, t] == expected


@given(hits())
def test_steps_count_hits_and_ends_where_they_are(drawn):
    found, budgets = drawn
    steps = steps_of_runs(found, budgets)
    expected = {}
    for p, a, r in np.ndindex(budgets.shape):
        for hit in found[p, a, r]:
            if math.isfinite(hit):
                expected.setdefault((p, a, hit), [0, 0])[0] += 1
        if any(math.isinf(hit) for hit in found[p, a, r]):
            expected.setdefault((p, a, budgets[p, a, r]), [0, 0])[1] += 1
    keys = [(*cell, at) for cell, at in zip(steps.cells.tolist(), steps.evaluations, strict=True)]
    assert keys == sorted(expected)
    counts = np.column_stack([steps.hits, steps.ended]).tolist()
    assert dict(zip(keys, counts, strict=True)) == expected


@given(hits(), st.floats(0.1, 50))
def test_a_longer_unit_of_evaluations_makes_all_times_longer_alike(drawn, factor):
    found, budgets = drawn
    times = expected_running_times(found, budgets)
    longer = expected_running_times(found * factor, budgets * factor)
    np.testing.assert_allclose(longer.expected, times.expected * factor, rtol=1e-12)
    np.testing.assert_array_equal(longer.successes, times.successes)
