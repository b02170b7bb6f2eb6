"""The same data get one answer at every door; where doors must differ, the result says why."""

import dataclasses

import numpy as np
import pytest
from doors import (
    KINDS,
    MORE_KINDS,
    OVER_DATASETS,
    answer_of,
    beside,
    contradictions,
    counted,
    experiment,
)

import nbcompare as nbc


@pytest.mark.parametrize("kind", [*KINDS, *MORE_KINDS])
def test_every_door(kind):
    assert not list(contradictions(kind, 0))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, *MORE_KINDS])
def test_every_door_of_more_experiments(kind):
    counts, examples = counted([kind], range(1, 13))
    assert not examples, counts


@pytest.mark.weekly
@pytest.mark.parametrize("kind", [*KINDS, *MORE_KINDS])
def test_every_door_of_many_experiments(kind):
    counts, examples = counted([kind], range(1000, 1300))
    assert not examples, counts


@pytest.mark.parametrize("kind", OVER_DATASETS)
@pytest.mark.parametrize("side", ["better", "worse"])
def test_one_sided_questions(kind, side):
    for seed in range(3):
        data = experiment(kind, seed)
        options = {"alternative": side} | ({"missing": "drop"} if data.losses.any else {})
        pair = nbc.compare_pair(data, "A", "B", **options)
        tests = nbc.compare(data, control="A", **options).hypotheses
        assert tests.pvalue[0] == pytest.approx(pair.pvalue, rel=1e-9)
        assert tests.rejected[0] == pair.rejected


def test_contradictions_are_found():
    result = nbc.compare(experiment("one scale", 3))
    answer, tests = answer_of(result), result.hypotheses
    changes = {
        "p": {"low": 2 * answer.low, "high": 2 * answer.high},
        "decision": {"decided": "inconclusive"},
        "direction": {"better": "B" if answer.better == "A" else "A"},
        "estimate": {"upper": answer.upper + 1},
    }
    for way, change in changes.items():
        assert list(answer.contradictions(answer._replace(**change))) == [way]
    assert list(answer.contradictions(answer._replace(lower=None))) == ["estimate"]
    other = dataclasses.replace(tests, rejected=~tests.rejected)
    turned = dataclasses.replace(result, hypotheses=other)
    assert list(answer.contradictions(answer_of(turned))) == ["decision"]


def test_runs_say_why_they_decide_otherwise_than_means():
    found = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scores = rng.normal(0, 1, (8, 3, 1, 6)) + np.array([0, 0.3, 0.6])[:, None, None]
        data = nbc.Experiment.from_array(scores.round(2), direction="minimize")
        result, means = nbc.compare_stochastic(data), nbc.compare(data, adjust="holm")
        notes = [note.text for note in result.notes if note.code == "means"]
        assert bool(notes) == bool(beside(result, means))
        for text in notes:
            found += 1
            assert text.startswith("A comparison of the mean scores ")
            assert "another test, and does not use how much the runs vary." in text
    assert found
    numbers = nbc.compare_stochastic(data, procedure="bootstrap-a")
    assert numbers.overall is not None
    two = data.select(algorithms=["A1", "A2"])
    for procedure in ("bootstrap-a", "bootstrap-b"):
        assert nbc.compare_stochastic(two, procedure=procedure).overall is None


def test_folds_say_why_they_decide_otherwise_than_the_corrected_test():
    data = experiment("folds", 0)
    text = next(note.text for note in nbc.compare_stochastic(data).notes if note.code == "folds")
    assert "the corrected resampled t test allows for it" in text
