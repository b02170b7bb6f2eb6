"""Builders of every analysis, made from its record."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare._commands import ANALYSES

ITEMS = nbc.Experiment.from_array(
    np.random.default_rng(1).integers(0, 2, size=(60, 3)), direction="maximize", unit="items"
)
RUNS = nbc.Experiment.from_array(
    np.random.default_rng(2).normal(size=(20, 2)), direction="maximize", unit="runs"
)
FOLDS = nbc.Experiment.from_array(
    np.random.default_rng(3).normal(size=(10, 3)), direction="maximize", unit="folds"
)
GROUPED = dataclasses.replace(
    nbc.Experiment.from_array(
        np.random.default_rng(4).normal(size=(14, 3)), direction="maximize", unit="datasets"
    ),
    domains=("a",) * 7 + ("b",) * 7,
)
# Data that suit each function, and settings that it needs or takes
SUITED = {
    "compare_by": (GROUPED, {"across": True}),
    "compare_cv": (FOLDS, {"alpha": 0.1}),
    "compare_items": (ITEMS, {"control": "A1"}),
    "compare_runs": (RUNS, {"alpha": 0.1}),
    "compare_bayesian": ("demsar2006", {"rope": 0.01}),
    "compare_stochastic": ("stochastic_regression", {"alpha": 0.1}),
    "aggregate_runs": ("stochastic_regression", {"n_resamples": 50, "scale": "one"}),
    "fixed_targets": ("convergence_de", {"precisions": "1, 0.01"}),
    "compare_convergence": ("convergence_de", {"cutpoints": 5}),
    "compare_pair": ("demsar2006", {"pair": ("C4.5", "C4.5+m+cf")}),
    "multiple_sign_test": ("demsar2006", {"control": "C4.5"}),
    "rank_intervals": ("demsar2006", {"confidence": 0.9}),
    "contrast_estimation": ("demsar2006", {"confidence": 0.9}),
    "plan": ("demsar2006", {"largest": 5, "algorithms": ("C4.5", "C4.5+m")}),
}


@pytest.mark.parametrize("function", [record.function for record in ANALYSES])
def test_its_code_gives_the_same_result(function):
    data, settings = SUITED.get(function, ("demsar2006", {"alpha": 0.1}))
    data = nbc.datasets.load(data) if isinstance(data, str) else data
    if isinstance(data, nbc.Histories):
        data = data.select(problems=data.problems[:6])
    builder = nbc.builder(function, data, **settings)
    space = {"experiment": data, "histories": data}
    lines = [line for line in builder.code.splitlines() if " = nbc.datasets" not in line]
    exec("\n".join(lines), space)
    assert space["result"].to_json() == builder.result.to_json()
    builder.open()
    screen = builder._live.screen
    assert screen.sentences.value
    assert "not taken" not in screen.message.value
    builder.close()


def test_what_an_analysis_lacks_is_said_and_chosen_there():
    builder = nbc.builder("compare_bayesian", nbc.datasets.load("demsar2006"))
    builder.open()
    screen = builder._live.screen
    assert "“Region of equivalence” must be given" in screen.message.value
    screen.controls["rope"].arrive({"value": 0.01})
    builder._live.draw()
    assert screen.message.value == ""
    assert "rope" in builder.code
    builder.close()


def test_other_functions_and_settings_are_refused():
    with pytest.raises(ValueError, match=r"`function` must be .*; got 'compare_all'"):
        nbc.builder("compare_all", ITEMS)
    with pytest.raises(TypeError, match="ItemComparisonBuilder has no setting 'rope'"):
        nbc.builder("compare_items", ITEMS, rope=1)


@pytest.mark.slow
def test_what_is_written_and_what_is_selected_is_refused_in_plain_words():
    histories = nbc.datasets.load("convergence_de")
    with pytest.raises(ValueError, match="`targets` must be written as NUMBER,NUMBER; got 'abc'"):
        nbc.builder("fixed_targets", histories, targets="abc")
    demsar = nbc.datasets.load("demsar2006")
    builder = nbc.builder("compare_pair", demsar, algorithms=["C4.5"])
    builder.open()
    told = "The second algorithm must be another algorithm than the first algorithm"
    assert told in builder._live.screen.message.value
    builder.close()


def test_compare_goes_by_the_unit():
    assert isinstance(nbc.builder("compare", ITEMS), nbc.WithinBuilder)
    assert isinstance(nbc.builder("compare", nbc.datasets.load("demsar2006")), nbc.CDDiagramBuilder)
