"""Aggregates of runs and running times, against SciPy, loops, and coverage of intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbcompare.stats.aggregates import aggregate, expected_running_times, restarted, steps_of_runs

FEW = {"n_resamples": 20}


def table(n, k, runs, *, seed=0, ties=False, ragged=False):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, k, runs)) + 0.3 * np.arange(k)[:, np.newaxis]
    if ties:
        values = np.round(values)
    if ragged:
        values[rng.random(values.shape) < 0.3] = np.nan
        values[..., 0] = np.nan_to_num(values[..., 0])
    return values


def by_loops(x, y):
    """The probability that a run of x is better than one of y, data set by data set."""
    shares = []
    for ours, theirs in zip(x, y, strict=True):
        won = [
            (a > b) + 0.5 * (a == b)
            for a in ours[~np.isnan(ours)]
            for b in theirs[~np.isnan(theirs)]
        ]
        shares.append(sum(won) / len(won))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_improvement_is_what_loops_count(ties, ragged):
    runs = table(7, 4, 5, ties=ties, ragged=ragged, seed=3)
    found = aggregate(runs, **FEW).improvement
    for i in range(4):
        for j in range(4):
            expected = 0.5 if i == j else by_loops(runs[:, i], runs[:, j])
            assert found.estimate[i, j] == pytest.approx(expected, abs=1e-12)
    assert found.estimate + found.estimate.T == pytest.approx(np.ones((4, 4)))


def plain_bootstrap(runs, count, rng):
    """Interquartile means of resamples without one run, drawn and sorted one after the other."""
    found = []
    for _ in range(count):
        some = [np.delete(own, rng.integers(len(own))) for own in runs]
        drawn = [rng.choice(own, len(own) + 1) for own in some]
        found.append(stats.trim_mean(np.concatenate(drawn), 0.25))
    tail = stats.norm.sf(stats.t.isf(0.025, sum(len(own) - 1 for own in runs)))
    return np.quantile(found, (tail, 1 - tail))


@pytest.mark.slow
def test_the_bootstrap_is_stratified():
    runs = table(5, 2, 8, seed=9) + 10 * np.arange(5)[:, np.newaxis, np.newaxis]
    found = aggregate(runs, n_resamples=4000).interquartile_mean
    expected = plain_bootstrap(runs[:, 1], 4000, np.random.default_rng(1))
    got = [found.lower[1], found.upper[1]]
    width = expected[1] - expected[0]
    assert got == pytest.approx(expected, abs=0.08 * width)


@pytest.mark.parametrize("n_runs", [1, 3, 7, 30])
def test_runs_that_are_alike_have_intervals_without_length(n_runs):
    random = np.random.default_rng(4)
    alike = np.repeat(random.normal(size=(13, 1, 1)), n_runs, axis=2)
    found = aggregate(
        np.concatenate([alike, random.normal(size=(13, 1, n_runs))], axis=1), target=0.1
    )
    for part in found[:4]:
        assert part.lower[0] == part.estimate[0] == part.upper[0]
        assert (part.lower[1] < part.upper[1]) == (n_runs > 1)


@pytest.mark.parametrize("shape", [(1, 2), (1, 3), (2, 2), (4, 2), (4, 3)])
def test_intervals_of_few_runs_are_those_of_student(shape):
    """With 2 runs on one data set, percentiles contained the mean in half of 400 simulations."""
    rng = np.random.default_rng(0)
    runs = rng.normal(size=(shape[0], 60, shape[1]))
    found = aggregate(runs, n_resamples=2000).mean
    error = np.sqrt(runs.var(axis=2, ddof=1).sum(axis=0) / shape[1]) / shape[0]
    half = stats.t.ppf(0.975, shape[0] * (shape[1] - 1)) * error
    assert (found.upper - found.lower) / 2 == pytest.approx(half, rel=0.1)
    assert np.mean((found.lower <= 0) & (found.upper >= 0)) > 0.85


def test_runs_that_do_not_overlap_may_be_so_by_chance():
    found = aggregate([[[1.0, 2.0], [3.0, 4.0]]], n_resamples=200)
    assert found.apart.tolist() == [[False, True], [True, False]]
    low = found.improvement.lower[1, 0]
    # with that probability of improvement, two independent pairs of runs are wins so seldom
    assert low**2 == pytest.approx(0.025)
    alone = aggregate([[[1.0, 2.0], [3.0, np.nan]]], n_resamples=200).improvement
    assert alone.lower[1, 0] == pytest.approx(low)
    exact = aggregate([[[1.0, 1.0], [3.0, 3.0]]], n_resamples=200).improvement
    assert exact.lower[1, 0] == exact.upper[1, 0] == 1


# ------------------------------------------------------------------------------- fixed targets


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
