"""Expected running times and steps of runs, against loops over runs."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.aggregates import expected_running_times, restarted, steps_of_runs


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
    steps = steps_of_runs(found, np.where(np.isinf(found).any(axis=3), budgets, math.nan))
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


@given(hits(), st.integers(0, 99))
def test_restarts_go_on_where_runs_missed_and_others_did_not(drawn, seed):
    found, budgets = drawn
    for p, a in np.ndindex(budgets.shape[:2]):
        there = ~np.isnan(budgets[p, a])
        mine, spent = found[p, a, there], budgets[p, a, there]
        times = restarted(mine, spent, np.random.default_rng(seed))
        for t in range(mine.shape[1]):
            succeeded = np.isfinite(mine[:, t])
            np.testing.assert_array_equal(times[succeeded, t], mine[succeeded, t])
            assert (np.isfinite(times[:, t]) == succeeded.any()).all()
            assert (times[~succeeded, t] > spent[~succeeded]).all()
        order = np.random.default_rng(seed).permutation(len(mine))
        again = restarted(mine[order], spent[order], np.random.default_rng(seed))
        np.testing.assert_array_equal(np.sort(again, axis=0), np.sort(times, axis=0))


def test_restarts_follow_their_law():
    """COCO's example of simulated run lengths: one success at 1, and failures of these lengths.

    A time is the sum of lengths until the success is drawn; shares of small sums by enumeration.
    """
    lengths = [1.0, 2.0, 4.0, 2.0, 6.0, 100.0]
    hits = np.array([[1.0], *[[math.inf]] * 5])
    law = {0.0: 1.0}  # of the sum of failures so far, all of them still failing
    shares = dict.fromkeys([1.0, 3.0, 5.0, 7.0, 9.0], 0.0)
    for _ in range(6):
        for total, share in law.items():
            if total + 1 in shares:
                shares[total + 1] += share / 6
        law = {
            total: sum(law.get(total - failed, 0.0) / 6 for failed in lengths[1:])
            for total in {before + failed for before in law for failed in lengths[1:]}
        }
    n = 4000
    drawn = np.concatenate(
        [
            restarted(hits, np.array(lengths), np.random.default_rng(seed)).ravel()
            for seed in range(n)
        ]
    )
    for total, share in shares.items():
        assert abs((drawn == total).mean() - share) < 5 * math.sqrt(share / (6 * n))
    expected = expected_running_times(hits[np.newaxis, np.newaxis], np.array([[lengths]]))
    assert expected.expected.item() == 115.0
    assert abs(drawn.mean() - 115.0) < 5 * drawn.std() / math.sqrt(len(drawn))
