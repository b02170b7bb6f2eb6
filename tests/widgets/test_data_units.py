"""What a row is, in a DataBuilder: controls, and buttons for the ways on."""

import numpy as np
import pandas as pd
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare import DataBuilder
from nbcompare.widgets._data_settings import label_of

ANSWERS = pd.DataFrame(
    (np.random.default_rng(0).random((60, 3)) < [0.6, 0.65, 0.7]).astype(float), columns=list("ABC")
)


def test_rows_of_zeros_and_ones_are_asked_about_and_settled_by_a_button():
    builder = DataBuilder(ANSWERS, direction="maximize")
    (found,) = [it for it in builder._model.findings() if it.ways]
    assert [way.label for way in found.ways] == [
        "Rows are items of one benchmark",
        "Rows are data sets",
    ]
    for name, value in found.ways[0].changes.items():
        setattr(builder, name, value)
    assert builder.experiment.unit == "items"


def test_items_and_clusters_are_columns():
    frame = ANSWERS.assign(question=range(60), passage=[f"p{i // 5}" for i in range(60)])
    builder = DataBuilder(frame, direction="maximize", item="question", cluster="passage")
    assert builder.experiment.clusters.shape == (1, 60)


def test_patterns_of_rows_are_checked_and_named():
    builder = DataBuilder(ANSWERS, direction="maximize")
    assert (
        label_of({"rows": "{dataset}_{fold}"}) == "Names of rows are made like “{dataset}_{fold}”"
    )
    builder.rows = "{dataset}_{fold}"
    assert builder.rows == "{dataset}_{fold}"


def items(k=3):
    return nbc.Experiment.from_array(
        (np.random.default_rng(2).random((80, k)) < np.linspace(0.4, 0.8, k)).astype(float),
        direction="maximize",
        unit="items",
    )


RUNS = nbc.Experiment.from_array(
    np.random.default_rng(3).normal(size=(1, 3, 1, 8)), direction="minimize"
)
FOLDS = nbc.Experiment.from_array(
    np.random.default_rng(4).normal(size=(1, 3, 10, 1)), direction="minimize"
)


@pytest.mark.parametrize("data", [items(), RUNS, FOLDS], ids=lambda data: data.unit)
def test_every_unit_has_a_builder_that_gives_what_compare_gives(data):
    builder = nbc.WithinBuilder(data, control=data.algorithms[1])
    assert builder.result.to_json() == nbc.compare(data, control=data.algorithms[1]).to_json()
    assert builder.figure.alt
    details = builder._model.details()
    assert " and ".join(details.pair) + ": difference " in details.shown[0]
    builder.control = None
    builder.adjust = "shaffer"
    assert builder.result.to_json() == nbc.compare(data, adjust="shaffer").to_json()
    with pytest.raises(TraitError, match="by average ranks"):
        builder.adjust = "nemenyi"


def test_the_better_one_stands_first_against_a_control_too():
    model = nbc.WithinBuilder(items(), control="A1")._model  # the worst
    assert model.result.hypotheses.first == ("A1", "A1")
    assert all(": A3 – A1" in text or ": A2 – A1" in text for _, text in model.details().entries)
    assert "difference 0." in model.details().shown[0]


def test_each_builder_refuses_what_the_other_compares():
    with pytest.raises(nbc.DataError, match=r"got items\. WithinBuilder compares these"):
        nbc.CDDiagramBuilder(items())
    with pytest.raises(nbc.DataError, match=r"14 data sets\. CDDiagramBuilder compares these"):
        nbc.WithinBuilder(nbc.datasets.load("demsar2006"))
    with pytest.raises(TypeError, match=r"plots\.interval_forest draws"):
        nbc.plots.cd_diagram(nbc.compare(items()))
    with pytest.raises(TypeError, match=r"got Sensitivity, which plots\.sensitivity draws"):
        nbc.plots.pvalue_matrix(nbc.sensitivity(nbc.datasets.load("demsar2006")))


@pytest.mark.slow
async def test_the_tabs_follow_the_unit(drawn):
    builder = DataBuilder(ANSWERS, direction="maximize", unit="items")
    tabs = builder._live.open().tabs
    await drawn(builder)
    assert tabs.element.titles == ("Data", "Comparison", "Plan", "Report")
    tabs.select("Comparison")
    compared = tabs.builder("Comparison")
    assert isinstance(compared, nbc.WithinBuilder)
    assert tabs.element.children[1].children[0].value == ""  # nothing is recommended by ranks
    compared.control = "B"
    tabs.select("Report")
    assert tabs.builder("Report").compare == {"control": "B"}
    builder.unit = "datasets"
    await drawn(builder)
    tabs.select("Comparison")
    assert isinstance(tabs.builder("Comparison"), nbc.CDDiagramBuilder)
