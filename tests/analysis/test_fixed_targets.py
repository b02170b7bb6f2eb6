"""Fixed targets from histories to sentences, and comparisons of expected running times."""

import math

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import DataError

DE = nbc.datasets.load("convergence_de")


def histories(seed=0, shape=(6, 3, 5), n_points=9, **options):
    rng = np.random.default_rng(seed)
    values = 20.0 - rng.integers(0, 4, (*shape, n_points)).cumsum(axis=-1)
    values[:, 0] += 15  # the first algorithm hardly ever reaches what the others do
    given = {"direction": "minimize", "evaluations": 10 * np.arange(1, n_points + 1), **options}
    return nbc.Histories.from_array(values, algorithms=["slow", "B", "C"], **given)


def loop(data, p, a, target):
    """The expected running time and the successes, run by run."""
    spent, successes = 0.0, 0
    for values in data.values[p, a]:
        hits = [
            at for at, value in zip(data.evaluations[p], values, strict=True) if value <= target
        ]
        spent += hits[0] if hits else data.budgets[p]
        successes += bool(hits)
    return (spent / successes if successes else math.inf), successes


def test_expected_running_times_are_those_of_a_loop():
    data = histories()
    result = nbc.fixed_targets(data, targets=[15, 4, 10])
    np.testing.assert_array_equal(result.targets[0], [15, 10, 4])
    for p, a in np.ndindex(6, 3):
        for t, target in enumerate(result.targets[p]):
            expected = loop(data, p, a, target)
            assert (result.ert[p, a, t], result.successes[p, a, t]) == expected
    shares = [result.successes[:, a].sum() / (6 * 5 * 3) for a in range(3)]
    np.testing.assert_allclose(result.reached, shares)
    frame = result.to_frame()
    assert len(frame) == 6 * 3 * 3
    np.testing.assert_array_equal(frame["ert"], result.ert.ravel())


# ---------------------------------------------------------- expected running times as scores


def test_infinite_times_rank_last_and_tie():
    result = nbc.fixed_targets(DE, precisions=[1e-8])
    experiment = result.to_experiment()
    comparison = nbc.compare(experiment)
    times = result.ert[..., 0]
    ranks = stats.rankdata(np.where(np.isinf(times), 1e300, times), axis=1)
    np.testing.assert_allclose(
        [comparison.average_ranks[name] for name in DE.algorithms], ranks.mean(axis=0)
    )
    assert (comparison.ranking, comparison.pairs) == ("friedman", "exchange")
    told = " ".join(note.text for note in comparison.notes)
    n = int(np.isinf(result.ert).sum())
    assert f"{n} of 266 scores are infinite (no success)" in told
    assert comparison.omnibus["friedman"].statistic == pytest.approx(
        stats.friedmanchisquare(*ranks.T).statistic
    )


def test_infinite_times_are_as_any_number_beyond_all_others():
    """Whatever finite number stands for the infinite ones, order alone counts."""
    experiment = nbc.fixed_targets(DE, precisions=[1e-8]).to_experiment()
    scores = np.array(experiment.lower[:, :, 0, 0])
    scores[np.isinf(scores)] = 1e12
    finite = nbc.Experiment.from_array(
        scores, direction="minimize", algorithms=DE.algorithms, datasets=DE.problems
    )
    one = nbc.compare(experiment)
    other = nbc.compare(finite, pairs="exchange", adjust=one.adjust)
    np.testing.assert_array_equal(one.hypotheses.pvalue, other.hypotheses.pvalue)


def test_infinite_scores_of_a_caller_must_be_the_worst():
    scores = [[1, 2, math.inf], [1, 3, 2]]
    experiment = nbc.Experiment.from_array(scores, direction="minimize", infinite="timeout")
    assert experiment.n_infinite == 1
    with pytest.raises(DataError, match=r"\(timeout\) must be the worst"):
        nbc.Experiment.from_array(scores, direction="maximize", infinite="timeout")
    with pytest.raises(DataError, match="infinite='no success'"):
        nbc.Experiment.from_array(scores, direction="minimize")


# ------------------------------------------------------------------------------- notes


def test_a_comparison_knows_of_targets_from_the_data():
    data = histories()
    found = nbc.fixed_targets(data, targets="quantiles")
    told = nbc.compare(found.to_experiment()).notes
    assert "targets-from-data" in {note.code for note in told}


def test_a_problem_without_runs_is_an_error_unless_it_is_left_out():
    data = histories()
    values = np.array(data.values)
    values[2, 1] = np.nan
    gap = nbc.Histories.from_array(
        values, direction="minimize", evaluations=data.evaluations[0], algorithms=data.algorithms
    )
    with pytest.raises(DataError, match=r"no run of 'B on 3'.*missing='drop'"):
        nbc.fixed_targets(gap, targets=[10])
    kept = nbc.fixed_targets(gap, targets=[10], missing="drop")
    assert kept.problems == ("1", "2", "4", "5", "6")
    assert kept.design.left_out == ("3",)
