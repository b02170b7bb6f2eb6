"""What stands in the first row, what is said of the design, and help for every word."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, PageTrendBuilder
from nbcompare.widgets._controls import Choice
from nbcompare.words import PROCEDURES, RANKINGS


def every_builder():
    load = nbc.datasets.load
    return (
        CDDiagramBuilder(load("demsar2006")),
        FuzzyPValueBuilder(load("stochastic_regression")),
        PageTrendBuilder(load("convergence_de"), optimum_tolerance=1e-8),
    )


@pytest.fixture
def grouped(demsar):
    """Return an experiment whose data sets have domains, not side by side."""
    domains = tuple("medicine" if i % 3 == 0 else f"<b>{i % 3}" for i in range(14))
    return dataclasses.replace(demsar, domains=domains)


@pytest.mark.slow
def test_help_has_a_sentence_for_each_word():
    for builder in every_builder():
        screen = builder._live.open().controls
        for control in screen.values():
            if type(control) is not Choice or not control.setting.effects:
                continue
            (_, first), *words = control.help
            for text in (first, *(text for _, text in words)):
                assert text == text.strip()
                assert text.endswith(".")
                assert text[0].isupper() or text.startswith("p-values"), text
            for _, text in words:  # a verb begins it
                assert not text.startswith(("Of ", "In ", "On ", "With ", "To ", "The ", "A ")), (
                    text
                )


@pytest.mark.slow
def test_the_design_is_told_and_what_was_changed(demsar):
    builder = CDDiagramBuilder(demsar)
    screen = builder._live.open()
    assert screen.design.value == (
        "As usual: ranking: Friedman; pairs: Wilcoxon; adjustment: Holm; p-values: exact"
    )
    assert screen.more.remark == ""
    builder.ranking = "quade"
    builder.adjust = ["holm", "finner"]
    builder.datasets = demsar.datasets[:9]
    builder.alpha = 0.1  # it is in sight
    assert screen.more.remark == "ranking: Quade; adjustment: Holm, Finner; data sets: 9 of 14"
    builder._live.open()
    assert screen.design.value.startswith("Changed: ranking: Quade; ")
    assert "; adjustment: Holm, Finner; " in screen.design.value
    builder.ranking, builder.adjust, builder.control = "auto", "auto", "C4.5"
    builder._live.open()
    assert screen.design.value.startswith("As usual: ranking: Friedman; ")
    assert screen.more.remark == "data sets: 9 of 14"


@pytest.mark.slow
def test_what_is_recommended_is_no_change(make):
    builder = CDDiagramBuilder(make(6, 3, missing=[(0, 1)]))
    assert builder.missing == "skillings-mack"
    assert builder._live.open().more.remark == ""
    builder.missing = "drop"
    assert builder._live.open().more.remark == "missing scores: leave out the data set"


@pytest.mark.slow
def test_what_is_left_open_says_what_it_stands_for(demsar):
    builder = CDDiagramBuilder(demsar)
    controls = builder._live.open().controls
    for name, word in (
        ("ranking", RANKINGS[builder.result.ranking].label),
        ("adjust", PROCEDURES[builder.result.adjust[0]].label),
    ):
        assert controls[name].chosen == f"auto: {word}"
    builder.control = "C4.5"
    builder._live.open()
    assert controls["adjust"].chosen == "auto: Holm"
    builder.adjust = None
    builder._live.open()
    assert controls["adjust"].chosen == "none: raw p-values"
    assert "auto (as recommended)" in controls["adjust"].options
    fuzzy, page = every_builder()[1:]
    controls = fuzzy._live.open().controls
    assert fuzzy.result.test == "sign"
    assert controls["test"].chosen == "default: sign test"
    assert controls["coverage"].placeholder == f"default: {fuzzy.result.coverage:g}"
    controls = page._live.open().controls
    assert controls["alpha"].placeholder == "default: 0.05"
    assert controls["null"].chosen == "default: exchange null"


@pytest.mark.slow
def test_domains_are_groups_of_names(grouped, demsar):
    builder = CDDiagramBuilder(grouped)
    checks = builder._live.open().controls["datasets"]
    groups = dict(checks.groups)
    assert list(groups) == ["medicine", "<b>1", "<b>2"]
    assert groups["medicine"] == [0, 3, 6, 9, 12]
    checks.arrive({"ticked": groups["<b>1"]})
    assert builder.datasets == tuple(grouped.datasets[i] for i in (1, 4, 7, 10, 13))
    assert CDDiagramBuilder(demsar)._live.open().controls["datasets"].groups == []
    assert builder._live.open().controls["algorithms"].groups == []


def test_thousands_of_names_are_one_widget():
    rng = np.random.default_rng(0)
    data = nbc.Experiment.from_array(rng.normal(size=(3000, 3)), direction="maximize")
    screen = CDDiagramBuilder(data, datasets=data.datasets[:2000])._live.open()
    checks = screen.controls["datasets"]
    assert checks.text == "2,000 of 3,000 (n = 2,000)"
    assert len(checks.names) == 3000
