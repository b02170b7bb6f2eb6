"""The data and options of a result, whose fingerprint is computed when it is looked at."""

import copy
import pickle

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.experiment import Experiment, _experiment

SCORES = np.random.default_rng(0).random((300, 5)).round(2)


def of_scores(scores=SCORES):
    return Experiment.from_array(scores, direction="maximize")


def test_a_comparison_computes_no_fingerprint(monkeypatch):
    asked = []

    def fingerprint_of(experiment):
        asked.append(experiment)
        return "sha256:ab"

    monkeypatch.setattr(_experiment, "fingerprint_of", fingerprint_of)
    experiment = of_scores()
    result = nbc.compare(experiment)
    assert asked == []
    assert [result.design.fingerprint for _ in range(2)] == ["sha256:ab"] * 2
    assert asked == [experiment]


def test_the_fingerprint_is_that_of_the_data_that_were_compared():
    assert nbc.compare(of_scores()).design.fingerprint == of_scores().fingerprint
    gap = SCORES.copy()
    gap[0, 0] = np.nan
    result = nbc.compare(of_scores(gap), missing="drop")
    left = of_scores().select(datasets=[str(i) for i in range(2, 301)])
    assert result.design.fingerprint == left.fingerprint != of_scores().fingerprint


@pytest.mark.parametrize("is_writeable", [True, False])
def test_what_becomes_of_the_array_does_not_change_it(is_writeable):
    scores = SCORES.copy()
    scores.flags.writeable = is_writeable
    result = nbc.compare(of_scores(scores))
    scores.flags.writeable = True
    scores[:] = 0.0
    assert result.design.fingerprint == of_scores().fingerprint
    assert result.hypotheses.wins.tolist() == nbc.compare(of_scores()).hypotheses.wins.tolist()


def test_copies_and_pickles_hold_no_scores():
    result = nbc.compare(of_scores())
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(nbc.compare(of_scores()))):
        assert again.design.fingerprint == of_scores().fingerprint
        assert again.design == result.design
    assert len(pickle.dumps(result)) < SCORES.nbytes


def test_a_result_read_from_json_has_the_fingerprint():
    result = nbc.compare(of_scores())
    again = nbc.results.from_json(result.to_json())
    assert again.design.fingerprint == result.design.fingerprint == of_scores().fingerprint
