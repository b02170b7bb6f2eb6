"""Expected running times against plain loops, and tests of them where some are infinite."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare import DataError, Histories


@st.composite
def histories(draw):
    n, k, runs, points = (draw(st.integers(1, most)) for most in (3, 4, 4, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = np.minimum.accumulate(rng.integers(0, 9, (n, k, runs, points)), axis=-1)
    evaluations = np.cumsum(rng.integers(1, 9, (n, points)), axis=1)
    values = values.astype(float)
    for p in range(n):
        for a in range(k):
            values[p, a, rng.integers(1, runs + 1) :] = np.nan
    return Histories.from_array(values, evaluations=evaluations, direction="minimize")


TARGETS = [0, 2, 3, 6]


def by_loops(data, targets):
    """Return running times, successes and all hits, computed run by run."""
    times, hits = {}, []
    for p, problem in enumerate(data.problems):
        for a, algorithm in enumerate(data.algorithms):
            for target in targets:
                total, successes = 0.0, 0
                for r in range(data.n_runs[p, a]):
                    for at, value in zip(data.evaluations[p], data.values[p, a, r], strict=True):
                        if value <= target:
                            total, successes = total + at, successes + 1
                            hits.append((problem, algorithm, at))
                            break
                    else:
                        total += data.evaluations[p, -1]
                ert = total / successes if successes else math.inf
                times[problem, algorithm, float(target)] = ert, successes
    return times, hits


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(histories())
def test_running_times_and_distributions_are_those_of_loops(data):
    result = nbc.fixed_targets(data, targets=TARGETS)
    times, hits = by_loops(data, TARGETS)
    frame = result.to_frame()
    assert len(frame) == len(times)
    for row in frame.itertuples():
        expected, successes = times[row.problem, row.algorithm, row.target]
        assert (row.ert, row.successes) == (pytest.approx(expected), successes)
    for a, algorithm in enumerate(data.algorithms):
        points, shares = result.distribution(algorithm)
        total = data.n_runs[:, a].sum() * len(TARGETS)
        own = [at for _, name, at in hits if name == algorithm]
        assert points.tolist() == sorted(set(own))
        for at, share in zip(points, shares, strict=True):
            assert share == pytest.approx(sum(hit <= at for hit in own) / total)
    assert "NaN" not in result.to_json()
    assert "nan" not in str(result)


@settings(max_examples=30, deadline=None)
@given(histories())
def test_names_direction_and_a_transform_of_evaluations(data):
    result = nbc.fixed_targets(data, targets=TARGETS)
    turned = Histories.from_array(-data.values, evaluations=data.evaluations, direction="maximize")
    again = nbc.fixed_targets(turned, targets=[-value for value in TARGETS])
    np.testing.assert_array_equal(again.ert, result.ert)
    np.testing.assert_array_equal(again.hits, result.hits)
    order = data.algorithms[::-1]
    relabelled = nbc.fixed_targets(data.select(algorithms=order), targets=TARGETS)
    np.testing.assert_array_equal(relabelled.ert[:, ::-1], result.ert)
    # shares depend on the order of evaluations alone, and what is reached on nothing of them
    squared = Histories.from_array(
        data.values, evaluations=data.evaluations**2, direction="minimize"
    )
    moved = nbc.fixed_targets(squared, targets=TARGETS)
    np.testing.assert_array_equal(moved.hits, result.hits)
    np.testing.assert_array_equal(moved.successes, result.successes)


@settings(max_examples=40, deadline=None)
@given(histories(), st.integers(1, 60))
def test_values_at_a_number_of_evaluations_are_those_of_a_loop(data, number):
    if number < data.evaluations[:, 0].max():
        with pytest.raises(DataError, match=r"problem .* run 1 has no value by evaluation"):
            data.at(number, early="carry")
        return
    if number > data.budgets.min():
        with pytest.raises(DataError, match=r"problem .* end at evaluation .* early='carry'"):
            data.at(number)
    found = data.at(number, early="carry")
    assert (found.datasets, found.direction) == (data.problems, "minimize")
    for p in range(data.n_problems):
        for a in range(data.n_algorithms):
            for r in range(data.n_runs[p, a]):
                known = [
                    value
                    for at, value in zip(data.evaluations[p], data.values[p, a, r], strict=True)
                    if at <= number
                ]
                assert found.scores[p, a, 0, r] == known[-1]
