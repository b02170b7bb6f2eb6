"""Undo, redo, what is recommended, and choices that come back."""

import inspect

import numpy as np
import pytest
import traitlets

import nbcompare as nbc
from nbcompare.widgets import (
    CDDiagramBuilder,
    FuzzyPValueBuilder,
    PageTrendBuilder,
    PlanBuilder,
    ReportBuilder,
)
from nbcompare.widgets._builder import MOST_STEPS


def state(builder):
    return {name: getattr(builder, name) for name in builder._order}


def told(builder):
    return builder._model.choices.notices


def test_each_change_is_a_step_back_and_forth(demsar):
    builder = CDDiagramBuilder(demsar)
    seen = [state(builder)]
    for name, value in (
        ("ranking", "quade"),
        ("alpha", 0.1),
        ("datasets", demsar.datasets[:9]),
        ("pair", demsar.algorithms[:2]),
        ("view", "bars"),
    ):
        setattr(builder, name, value)
        seen.append(state(builder))
    for expected in seen[-2::-1]:
        builder.undo()
        assert state(builder) == expected
    assert builder.result.to_json() == nbc.compare(demsar).to_json()
    builder.undo()  # there is nothing before
    assert state(builder) == seen[0]
    for expected in seen[1:]:
        builder.redo()
        assert state(builder) == expected
    builder.redo()
    assert state(builder) == seen[-1]


def test_a_new_change_ends_what_could_be_done_again(demsar):
    builder = CDDiagramBuilder(demsar)
    builder.alpha = 0.1
    builder.undo()
    builder.alpha = 0.2
    assert builder.next_steps()["redo"] == ""
    builder.redo()
    assert builder.alpha == 0.2
    builder.alpha = 0.2  # no change, no step
    builder.undo()
    assert (builder.alpha, builder.next_steps()["undo"]) == (0.05, "")


def test_what_gives_way_goes_back_with_what_it_gave_way_to(demsar):
    builder = CDDiagramBuilder(demsar, adjust="shaffer")
    builder.control = "C4.5"
    assert builder.adjust == "auto"
    builder.undo()
    assert (builder.control, builder.adjust) == (None, "shaffer")
    assert told(builder) == [
        "Undone. Control is now “none: all pairs”, not “C4.5”. Adjustment is now “Shaffer”, not "
        "“auto (as recommended)”."
    ]
    builder.redo()
    assert (builder.control, builder.adjust) == ("C4.5", "auto")
    assert told(builder)[0].startswith("Done again. Control is now “C4.5”")


def test_only_so_many_steps_are_kept(demsar):
    builder = CDDiagramBuilder(demsar)
    levels = np.linspace(0.01, 0.5, MOST_STEPS + 20).tolist()
    for level in levels:
        builder.alpha = level
    for _ in levels:
        builder.undo()
    assert builder.alpha == levels[-1 - MOST_STEPS]


def test_other_data_begin_without_steps(demsar, make):
    builder = CDDiagramBuilder(demsar)
    builder.algorithms = demsar.algorithms[:3]
    builder.experiment = make(8, 3)
    builder.undo()
    assert builder.algorithms == ("A1", "A2", "A3")
    builder.alpha = 0.1
    builder.undo()
    assert builder.alpha == 0.05


def test_observers_hear_of_each_setting_once(demsar):
    builder = CDDiagramBuilder(demsar, adjust="shaffer")
    builder.control = "C4.5"
    heard = []
    builder.observe(lambda change: heard.append((change.name, change.new)))
    builder.undo()
    assert sorted(heard, key=str) == [("adjust", "shaffer"), ("control", None)]


# ------------------------------------------------------------------- what is recommended


def test_recommended_is_the_design_of_recommend_in_one_step(demsar, make):
    data = make(16, 4, missing=[(0, 1), (3, 2)])
    builder = CDDiagramBuilder(data, control="A2", alpha=0.1, datasets=data.datasets[:12])
    with builder.hold():
        builder.missing, builder.ranking, builder.pairs = "drop", "quade", "t"
        builder.adjust, builder.formulas = ["finner", "holm"], "printed"
    before = state(builder)
    builder.use_recommended()
    part = data.select(datasets=data.datasets[:12])
    advice = nbc.recommend(part, control="A2", alpha=0.1)
    expected = nbc.compare(part, **advice.options)
    found = builder.result
    assert (found.ranking, found.pairs, found.adjust) == (
        expected.ranking,
        expected.pairs,
        expected.adjust,
    )
    assert builder.missing == advice.missing == "skillings-mack"
    assert found.hypotheses.pvalue.tolist() == expected.hypotheses.pvalue.tolist()
    assert (builder.control, builder.alpha, builder.datasets) == ("A2", 0.1, part.datasets)
    (text,) = told(builder)
    assert text.startswith("The design is as recommended.")
    assert "Ranking is now “auto (as recommended)”, not “Quade”." in text
    builder.undo()
    assert state(builder) == before


def test_recommended_where_it_is_so_already(demsar):
    builder = CDDiagramBuilder(demsar)
    builder.use_recommended()
    assert told(builder)[0].endswith("The settings are so already.")
    assert builder.next_steps()["undo"] == ""


# ------------------------------------------------------------------------------ settings


def builders():
    demsar = nbc.datasets.load("demsar2006")
    return {
        "cd": (CDDiagramBuilder, demsar),
        "fuzzy": (FuzzyPValueBuilder, nbc.datasets.load("stochastic_regression")),
        "trend": (PageTrendBuilder, nbc.datasets.load("convergence_de")),
        "plan": (PlanBuilder, demsar),
        "report": (ReportBuilder, demsar),
    }


CHANGES = {
    "cd": {
        "control": "C4.5",
        "adjust": ("holm", "finner"),
        "alpha": 0.1,
        "datasets": ("lung cancer", "mushroom"),
        "pair": ("C4.5", "C4.5+m"),
        "view": "matrix",
    },
    "fuzzy": {"procedure": "interval", "coverage": 0.9, "view": "outcome", "alpha": 0.1},
    "trend": {"cutpoints": 7, "version": "alternative", "pair": ("jDE", "random search")},
    "plan": {"power": 0.9, "prior": 4.0, "largest": 60, "n_jobs": 2, "pair": ("C4.5", "C4.5+m")},
    "report": {
        "title": "A <b>title</b>",
        "authors": ("One, Two", "Three"),
        "sections": ("data", "Own *text*.", "comparison"),
        "titles": {"comparison": "Main"},
        "control": "C4.5",
        "formats": (".html", ".tex"),
        "path": "out/mine",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CHANGES)
def test_settings_make_the_same_builder_again_and_can_be_set(kind):
    make, data = builders()[kind]
    builder = make(data)
    assert builder.settings == {}
    with builder.hold():
        for name, value in CHANGES[kind].items():
            setattr(builder, name, value)
    settings = builder.settings
    assert set(settings) == set(CHANGES[kind])
    assert state(make(data, **settings)) == state(builder)
    other = make(data)
    other.settings = settings
    assert state(other) == state(builder)
    assert other.settings == settings
    other.undo()
    assert other.settings == {}
    builder.settings = {}  # as it began
    assert state(builder) == state(make(data))


def test_settings_begin_with_what_is_advised_for_the_data(make):
    gaps = make(6, 3, missing=[(0, 1)])
    builder = CDDiagramBuilder(gaps)
    assert (builder.missing, builder.settings) == ("skillings-mack", {})
    builder.missing = "drop"
    assert builder.settings == {"missing": "drop"}
    builder.settings = {"alpha": 0.1}
    assert (builder.missing, builder.alpha) == ("skillings-mack", 0.1)
    # the default of the function, which is not the builder's
    fuzzy = FuzzyPValueBuilder(nbc.datasets.load("stochastic_regression"))
    assert fuzzy.procedure == "fuzzy"
    default = inspect.signature(nbc.compare_stochastic).parameters["procedure"].default
    fuzzy.procedure = default
    assert fuzzy.settings == {"procedure": default}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0.1, "colour": "red"}, "CDDiagramBuilder has no setting 'colour'; it has "),
        ({"alpha": 0.1, "view": "pie"}, "`view` must be 'cd', "),
        ({"alpha": 0.1, "control": "C4.5", "adjust": "nemenyi"}, "`adjust` must not be 'nemenyi'"),
        ({"alpha": 0.1, "control": "CN2"}, "`control` must be one of"),
        ("alpha", "`settings` must be a dictionary"),
    ],
)
def test_settings_that_are_refused_change_nothing(demsar, settings, message):
    builder = CDDiagramBuilder(demsar, adjust="shaffer", datasets=demsar.datasets[:9])
    builder.control = "C4.5+m"
    before = state(builder)
    with pytest.raises(ValueError, match=message):
        builder.settings = settings
    assert state(builder) == before


# -------------------------------------------------------------------------------- buttons


# ------------------------------------------------------------------------- two builders


def test_two_builders_share_a_selection(demsar):
    one = CDDiagramBuilder(demsar)
    other = CDDiagramBuilder(demsar, pairs="ranks", control="C4.5")
    linked = traitlets.link((one, "algorithms"), (other, "algorithms"))
    part = demsar.algorithms[1:]
    one.algorithms = part
    assert (other.algorithms, other.control) == (part, None)
    assert other.result.to_json() == (
        nbc.compare(demsar.select(algorithms=part), pairs="ranks").to_json()
    )
    other.algorithms = demsar.algorithms[:3]
    assert one.algorithms == demsar.algorithms[:3]
    one.undo()
    assert one.algorithms == other.algorithms == part
    other.undo()  # each has its own steps
    assert one.algorithms == other.algorithms == demsar.algorithms[:3]
    linked.unlink()
    one.algorithms = None
    assert other.algorithms == demsar.algorithms[:3]
