"""Plans for the items of a benchmark, and for runs on one data set."""

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare.analysis.decisions import decisions_on_folds, decisions_within


def items(n=60, seed=0, **options):
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=(n, 1))
    scores = (hard + rng.normal(size=(n, 2)) < [0, 1.2]).astype(float)
    return nbc.Experiment.from_array(scores, direction="maximize", unit="items", **options)


@pytest.mark.slow
@pytest.mark.parametrize("control", [None, "A1"])
@pytest.mark.parametrize("kind", ["right or wrong", "graded", "runs"])
def test_decisions_are_those_of_the_comparison(kind, control):
    rng = np.random.default_rng(1)
    for _ in range(20):
        if kind == "runs":
            scores = rng.normal([0, 0.8, 1.2], 1, (10, 3))
        elif kind == "graded":
            scores = rng.normal([0, 0.2, 0.5], 1, (80, 3))
        else:
            scores = (rng.random((80, 3)) < [0.4, 0.5, 0.7]).astype(float)
        data = nbc.Experiment.from_array(
            scores, direction="minimize", unit="runs" if kind == "runs" else "items"
        )
        tests = nbc.compare(data, control=control).hypotheses
        found = decisions_within(data, control, "auto", 0.05)
        expected = {
            frozenset(pair): bool(no)
            for *pair, no in zip(tests.first, tests.second, tests.rejected, strict=True)
        }
        for i, j, no in zip(found.first, found.second, found.rejected[0], strict=True):
            pair = frozenset([data.algorithms[i], data.algorithms[j]])
            p = next(
                tests.adjusted[next(iter(tests.adjusted))][row]
                for row, names in enumerate(zip(tests.first, tests.second, strict=True))
                if frozenset(names) == pair
            )
            if abs(p - 0.05) > 0.005:  # by t and exactly, p differs a little
                assert expected[pair] == bool(no)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("options", [{}, {"control": "A1"}, {"adjust": None}, {"adjust": "holm"}])
def test_decisions_on_folds_are_those_of_the_comparison(options, direction):
    rng, asked = np.random.default_rng(2), {"control": None, "adjust": "auto", **options}
    tables = rng.normal([0, 0.8, 1.2, 1.2], 1, (20, 10, 4))
    tables[0] = np.round(tables[0])  # ties
    tables[1, :, 1] = tables[1, :, 0]
    tables[2, :, 1] = tables[2, :, 0] + 1  # without any variance
    drawn = [
        nbc.Experiment.from_array(table.T[np.newaxis], direction=direction) for table in tables
    ]
    found = decisions_on_folds(drawn, asked["control"], asked["adjust"], 0.05, 1 / 9)
    for at, data in enumerate(drawn):
        tests = nbc.compare_cv(data, **asked, ratio=1 / 9).hypotheses
        expected = {
            frozenset([(one, bool(no and gain > 0)), (other, bool(no and gain < 0))])
            for one, other, no, gain in zip(
                tests.first, tests.second, tests.rejected, tests.statistic, strict=True
            )
        }
        names = data.algorithms
        assert expected == {
            frozenset([(names[i], bool(no and gain > 0)), (names[j], bool(no and gain < 0))])
            for i, j, no, gain in zip(
                found.first, found.second, found.rejected[at], found.statistic[at], strict=True
            )
        }
    assert 0 < found.rejected.mean() < 1


def test_marks_of_which_some_are_negative_are_no_right_and_wrong_answers():
    scores = np.random.default_rng(3).choice([-1.0, 0, 1], (80, 2), p=[0.2, 0.3, 0.5])
    data = nbc.Experiment.from_array(scores, direction="maximize", unit="items")
    found = decisions_within(data, None, "auto", 0.05)
    assert found.statistic[0, 0] == pytest.approx(stats.ttest_rel(*scores.T).statistic)


@pytest.mark.slow
def test_items_are_planned_by_default_and_the_power_is_reached():
    pilot = items()
    plan = nbc.plan(pilot)
    assert (plan.unit, plan.n_pilot) == ("items", 60)
    assert plan.largest == 500
    rng = np.random.default_rng(2)
    found = []
    for _ in range(300):
        hard = rng.normal(size=(plan.n, 1))
        scores = (hard + rng.normal(size=(plan.n, 2)) < [0, 1.2]).astype(float)
        wins = [(scores[:, 0] > scores[:, 1]).sum(), (scores[:, 0] < scores[:, 1]).sum()]
        found.append(stats.binomtest(wins[1], sum(wins)).pvalue <= 0.05)
    assert np.mean(found) > 0.5  # of the population of this pilot, which it does not know


@pytest.mark.slow
def test_clusters_are_what_is_planned():
    plan = nbc.plan(items(clusters=np.arange(60) // 4), prior=0)
    assert plan.n_pilot == 15
    assert "clusters" in [note.code for note in plan.notes]


@pytest.mark.slow
def test_runs_of_one_data_set_are_compared_by_the_rank_sum_test():
    rng = np.random.default_rng(3)
    runs = nbc.Experiment.from_array(
        rng.normal([0, 1.5], 1, (8, 2)), direction="minimize", unit="runs"
    )
    plan = nbc.plan(runs, largest=9)
    assert plan.unit == "runs"
    assert "rank-sum test" in plan.tests
    told = f"{plan.sentences} {plan}"
    assert "runs of each algorithm" in told
    assert "fold" not in told


def test_what_is_refused():
    folds = nbc.Experiment.from_array(np.ones((5, 2)), direction="minimize", unit="folds")
    with pytest.raises(nbc.DataError, match="holds folds, of which unit='items' plans none"):
        nbc.plan(folds, unit="items")
    with pytest.raises(nbc.DataError, match="holds items, of which unit='folds' plans none"):
        nbc.plan(items(), unit="folds")
    two = nbc.Experiment.from_array(np.ones((2, 2, 9)), direction="maximize", unit="items")
    with pytest.raises(nbc.DataError, match="a single benchmark to plan for its items; got 2"):
        nbc.plan(two, unit="items")
