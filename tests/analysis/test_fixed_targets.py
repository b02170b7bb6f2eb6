"""Expected running times against plain loops, and tests of them where some are infinite."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare import DataError, Experiment, Histories


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
        with pytest.raises(DataError, match=r"run 1 ends at evaluation .* early='carry'"):
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


# ------------------------------------------------------------------- what is infinite


def table(n=12, k=4, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.lognormal(5, 1, (n, k))
    scores[rng.random((n, k)) < 0.35] = np.inf
    return scores


def test_infinite_scores_are_ranked_last_and_tie():
    scores = table()
    data = Experiment.from_array(scores, direction="minimize", infinite="no success")
    finite = Experiment.from_array(np.where(np.isinf(scores), 1e9, scores), direction="minimize")
    result = nbc.compare(data)
    expected = nbc.compare(finite, pairs="ranks")
    assert result.pairs == "ranks"
    assert result.average_ranks == expected.average_ranks
    np.testing.assert_array_equal(result.hypotheses.pvalue, expected.hypotheses.pvalue)
    assert result.mean_scores is None
    assert not result.hypotheses.has_effects
    (note,) = (note.text for note in result.notes if note.code == "infinite")
    assert note.startswith(f"{np.isinf(scores).sum()} of 48 scores are infinite (no success)")
    signs = nbc.multiple_sign_test(data, "A1")
    plain = nbc.multiple_sign_test(finite, "A1")
    np.testing.assert_array_equal(signs.pvalue, plain.pvalue)
    for shown in (result, signs, nbc.rank_intervals(data, n_resamples=20), nbc.recommend(data)):
        assert "NaN" not in shown.to_json()
        json.loads(shown.to_json())
        assert not re.search(r"\b(nan|inf)\b", str(shown))
    assert "no success" in str(data)


@pytest.mark.parametrize(
    "call",
    [
        lambda data: nbc.compare(data, pairs="wilcoxon"),
        lambda data: nbc.compare(data, pairs="t"),
        lambda data: nbc.compare(data, ranking="quade"),
        lambda data: nbc.compare(data, margin=1.0),
        lambda data: nbc.compare(data, scale="one"),
        lambda data: nbc.compare_pair(data, "A1", "A2"),
        nbc.contrast_estimation,
        nbc.check_conditions,
        nbc.compare_stochastic,
        nbc.sensitivity,
        nbc.describe,
        lambda data: nbc.compare_bayesian(data, rope=1),
    ],
)
def test_what_needs_more_than_the_order_refuses(call):
    data = Experiment.from_array(table(), direction="minimize", infinite="no success")
    with pytest.raises(ValueError, match=r"infinite.*order alone is known"):
        call(data)


def test_infinite_scores_must_be_announced_and_the_worst():
    with pytest.raises(DataError, match="infinite='no success'"):
        Experiment.from_array([[1, np.inf], [2, 1]], direction="minimize")
    with pytest.raises(DataError, match="must be the worst"):
        Experiment.from_array([[1, -np.inf]], direction="minimize", infinite="no success")
    with pytest.raises(DataError, match="one for each data set and algorithm"):
        Experiment.from_array([[[1, np.inf], [2, 1]]], direction="minimize", infinite="no success")


def test_one_target_of_each_problem_makes_an_experiment():
    data = nbc.datasets.load("convergence_de")
    result = nbc.fixed_targets(data, precisions=[1, 1e-8])
    found = result.to_experiment(1)
    np.testing.assert_array_equal(found.lower[:, :, 0, 0], result.ert[:, :, 0])
    assert found.direction == "minimize"
    for wrong, words in (([1, 2], "not independent"), (3, "one of the 2 targets")):
        with pytest.raises(ValueError, match=words):
            result.to_experiment(wrong)
    chosen = nbc.fixed_targets(data, targets="quantiles")
    assert "targets-from-data" in {n.code for n in nbc.compare(chosen.to_experiment()).notes}


# ----------------------------------------------------------------------- what is refused


def test_targets_that_make_no_sense():
    plain = Histories.from_array([[[5.0, 2.0], [4.0, 3.0]]], direction="minimize")
    for given_, words in (
        ({}, r"targets=\.\.\. .* optimum=\.\.\. .* targets='quantiles'"),
        ({"precisions": [1]}, "optima of the problems are not known"),
        ({"targets": [1], "precisions": [1]}, "`precisions` must be left out"),
        ({"targets": "deciles"}, "'quantiles'; got 'deciles'"),
        ({"targets": [1, 1]}, "different numbers"),
        ({"targets": {"2": [1]}}, "every problem; got none for '1'"),
    ):
        with pytest.raises(ValueError, match=words):
            nbc.fixed_targets(plain, **given_)
    gap = Histories.from_array(
        [[[5.0, 2.0], [4.0, 3.0]], [[5.0, 2.0], [np.nan] * 2]], direction="minimize"
    )
    with pytest.raises(DataError, match=r"no run of 'A2 on 2'\. .*missing='drop'"):
        nbc.fixed_targets(gap, targets=[3])
    assert nbc.fixed_targets(gap, targets=[3], missing="drop").problems == ("1",)


def test_points_that_are_far_apart_are_told():
    values = [[[5.0, 2.0, 1.0]]]
    coarse = Histories.from_array(values, evaluations=[100, 200, 300], direction="minimize")
    fine = Histories.from_array(values, evaluations=[1, 2, 3], direction="minimize")
    for data, told in ((coarse, True), (fine, False)):
        notes = {note.code for note in nbc.fixed_targets(data, targets=[2]).notes}
        assert ("coarse-points" in notes) is told
