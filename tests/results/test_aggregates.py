"""What aggregates of runs say: numbers as exact as their intervals, and the user's direction."""

import re

import numpy as np
import pytest

import nbcompare as nbc

CV = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"), n_resamples=200)


def made(scores, direction="maximize", **more):
    return nbc.Experiment.from_array(np.asarray(scores)[:, :, np.newaxis], direction=direction)


def noise(k, shift=0.3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(6, k, 10)) + shift * np.arange(k)[:, np.newaxis]


def test_sentences_are_in_the_units_of_the_measure():
    assert CV.ordered[0] == "5-NN"
    assert CV.sentences[0].startswith(
        "The interquartile means of all runs are, best first (error, lower is better, 95 % "
        "intervals): 5-NN 0.0766, random forest 0.084"
    )
    assert all(re.match("[A-Z]", sentence) for sentence in CV.sentences)
    text = " ".join(str(CV.section(name)) for name in CV.sections if name != "references")
    assert not re.search("signific|p-value|hypothes|reject", text)


def test_of_many_algorithms_the_best_and_the_worst_are_named():
    result = nbc.aggregate_runs(made(noise(9)), n_resamples=50)
    first = result.sentences[0]
    assert first.startswith("Of 9 algorithms, the best interquartile means of all runs are")
    assert sum(name in first for name in result.algorithms) == 4
    assert f"the worst is {result.ordered[-1]}" in first


def test_another_leader_is_told():
    scores = noise(2, 1.0)
    scores[0, 0, 0] = 1000
    result = nbc.aggregate_runs(made(scores), scale="one", n_resamples=50)
    assert result.ordered[0] == "A2"
    assert result.sentences[1].startswith(
        "Other aggregates have another algorithm ahead: A1 by the mean"
    )


def test_two_that_are_alike():
    result = nbc.aggregate_runs(made(noise(2, 0)), n_resamples=100)
    assert "which includes one half" in " ".join(result.sentences)


def test_open_pairs_are_counted():
    scores = np.concatenate([noise(2, 0), noise(1, 0) + 9, noise(1, 0) + 20], axis=1)
    result = nbc.aggregate_runs(made(scores), n_resamples=100)
    assert (
        "For five of the six pairs, the interval of this probability excludes one half; for the "
        "other one (A2 and A1)"
        in " ".join(result.sentences)
        or "other one (A1 and A2)" in " ".join(result.sentences)
    )


def test_frames():
    frame = CV.to_frame()
    assert list(frame.columns) == ["algorithm", "aggregate", "estimate", "lower", "upper"]
    assert len(frame) == 5 * 3
    pairs = CV.to_frame("improvement")
    assert len(pairs) == 10
    assert (pairs.probability >= 0.5).all()
    profiles = CV.to_frame("profiles")
    assert len(profiles) == CV.profiles.share.size
    with pytest.raises(ValueError, match="`what` must be"):
        CV.to_frame("cuts")
    with pytest.raises(ValueError, match="`b` must be one of"):
        CV.better_than("LDA", "x")


@pytest.mark.parametrize(("value", "shown"), [(0.5, "0.50"), (0.5004, "0.5004"), (1, "1.00"),
                                              (0.9999, "0.9999"), (0.73, "0.73")])  # fmt: skip
def test_a_probability_seems_extreme_only_if_it_is(value, shown):
    assert CV.chance(value) == shown


def test_decimals_follow_the_intervals():
    wide = nbc.aggregate_runs(made(noise(2) * 1e5), n_resamples=50)
    assert "." not in wide.told("mean", 0).split(" ")[0]
    tiny = nbc.aggregate_runs(made(0.9 + noise(2) * 1e-5), n_resamples=50)
    assert len(tiny.told("mean", 0).split(" ")[0]) >= 8


def test_methods_have_numbered_literature():
    flat = " ".join(str(CV.section("methods")).split())
    assert "on the same data set [1]. The 95 % intervals" in flat
    assert "[1] Agarwal, R." in flat
    assert "[2] Efron" in flat
