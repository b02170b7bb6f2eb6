"""FuzzyPValueBuilder: its rules, its code, and the runs behind a pair."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare.widgets import FuzzyPValueBuilder


def runs(n_datasets, n_runs=4, k=3):
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(n_datasets, k, 4, n_runs)) + np.arange(k)[:, None, None]
    if n_runs > 1:
        scores[:, 0, :, 1:] = np.nan  # a deterministic one
    return nbc.Experiment.from_array(scores, direction="minimize")


WORDS = {
    "procedure": ("bootstrap-a", "bootstrap-b", "interval", "fuzzy"),
    "encoding": (None, "central", "shortest", "mean", "bootstrap-mean"),
    "test": (None, "sign"),
    "coverage": (None, 0.5),
    "blocks": ("auto", "datasets", "folds"),
    "formulas": ("corrected", "printed"),
}
PAIRED = {
    "control": (None, "A2"),
    "adjust": (None, "holm", "nemenyi", "shaffer", "auto"),
    "procedure": ("bootstrap-a", "bootstrap-b"),
    "missing": ("raise", "drop", "interval"),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", [WORDS, PAIRED])
@pytest.mark.parametrize(("n_datasets", "n_runs"), [(6, 3), (1, 3), (6, 1)])
def test_available_is_what_compare_stochastic_accepts(
    offered_or_accepted, n_datasets, n_runs, words
):
    data = runs(n_datasets, n_runs)
    compare = functools.partial(nbc.compare_stochastic, data)
    assert offered_or_accepted(FuzzyPValueBuilder(data), compare, words) == []


def test_begins_as_the_data_are():
    assert FuzzyPValueBuilder(runs(5)).procedure == "fuzzy"
    assert FuzzyPValueBuilder(runs(5, 1)).procedure == "interval"


def test_draws_take_long_and_have_controls_of_their_own():
    builder = FuzzyPValueBuilder(nbc.datasets.load("stochastic_regression"))
    screen = builder._live.open()
    boxes = [screen.controls[name] for name in ("n_resamples", "rng")]
    assert builder._model.estimate() < 0.1
    assert [box.is_shown for box in boxes] == [False, False]
    builder.n_resamples = 40  # it can be set all the same
    builder.procedure = "bootstrap-b"  # others are exact
    builder.method = "resampling"
    assert [box.is_shown for box in boxes] == [True, True]
    few = builder._model.estimate()
    builder.n_resamples = 10_000
    assert builder._model.estimate() > few


def test_intervals_are_fuzzy_without_runs():
    point = runs(6, 1)
    data = replace(point, upper=point.lower + 0.1)
    builder = FuzzyPValueBuilder(data)
    builder.procedure = "fuzzy"
    expected = nbc.compare_stochastic(data, procedure="fuzzy")
    assert builder.result.to_json() == expected.to_json()
    with pytest.raises(TraitError, match="`encoding` must not be 'bootstrap-mean' here: interval"):
        builder.encoding = "bootstrap-mean"


def test_another_procedure_leaves_what_goes_with_it():
    builder = FuzzyPValueBuilder(runs(5), encoding="bootstrap-mean", test="sign", coverage=0.5)
    builder.procedure = "bootstrap-a"
    assert (builder.encoding, builder.test, builder.coverage) == (None, None, None)
    assert [notice.split(" is now ")[0] for notice in builder._model.choices.notices] == [
        "Test",
        "Encoding",
        "Coverage",
    ]
    assert builder.result.encoding == "mean"


@pytest.mark.slow
def test_the_p_value_of_a_pair():
    builder = FuzzyPValueBuilder(runs(6))
    screen = builder._live.open()
    builder.pair = ("A1", "A3")
    told, figure = builder._model.details().shown
    outcome = builder.result.to_frame().set_index(["first", "second"]).outcome[("A1", "A3")]
    assert told.startswith("A1 and A3: difference ")
    assert told.endswith(f"; outcome {outcome}.")
    assert figure.alt == nbc.plots.membership(builder.result, rows=[("A1", "A3")]).alt
    builder._live.open()
    assert told in screen.told.value
    for name in ("procedure", "test", "encoding", "blocks", "method", "view"):
        assert len(screen.controls[name].options) > 1
