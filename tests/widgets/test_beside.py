"""The Bayesian comparison beside the one by ranks."""

import numpy as np
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare._render import html
from nbcompare.widgets import CDDiagramBuilder
from nbcompare.widgets._beside import differences

GAPS = [(0, 1), (3, 1), (3, 2)]


@pytest.fixture
def builder(demsar):
    return CDDiagramBuilder(demsar, margin=0.01, bayesian=True)


def run(code):
    space = {}
    exec(code, space)
    return space


def screen_of(builder):
    acts = []
    screen = builder._screen_kind(
        "Builder", builder._model, lambda *act: acts.append(act), lambda: None
    )
    return screen, acts


def test_it_is_off_at_first_and_changes_nothing(demsar):
    builder = CDDiagramBuilder(demsar, margin=0.01)
    assert builder.bayesian is False
    assert builder.bayesian_result is None
    assert "bayesian" not in builder.code
    assert builder._model.answers() == (builder.result,)
    assert builder._model.remarks() == ()


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 0.01},
        {"margin": 0},
        {"margin": 0.02, "control": "C4.5+m"},
        {"margin": 0.02, "control": "best", "algorithms": ("C4.5", "C4.5+m", "C4.5+cf")},
        {"margin": 0.01, "missing": "drop", "view": "posterior"},
    ],
)
def test_both_results_are_those_of_the_functions_and_of_the_code(demsar, options):
    builder = CDDiagramBuilder(demsar, bayesian=True, **options)
    asked = {**options, "rope": options["margin"]}
    data = demsar.select(algorithms=asked.pop("algorithms", None))
    asked.pop("view", None)
    tests = {name: value for name, value in asked.items() if name != "rope"}
    tests["margin"] = tests["margin"] or None
    result = nbc.compare(data, **tests)
    assert builder.result.to_json() == result.to_json()
    del asked["margin"]
    if "control" in asked:
        asked["control"] = result.control
    expected = nbc.compare_bayesian(data, **asked)
    assert builder.bayesian_result.to_json() == expected.to_json()
    space = run(builder.code)
    assert space["result"].to_json() == result.to_json()
    assert space["bayesian"].to_json() == expected.to_json()
    again = CDDiagramBuilder(demsar, **builder.settings)
    assert again.settings == builder.settings
    assert again.code == builder.code


def test_a_control_from_the_data_is_the_same_in_both(demsar):
    builder = CDDiagramBuilder(demsar, margin=0.01, bayesian=True, control="best")
    assert builder.bayesian_result.control == builder.result.control == "C4.5+m+cf"
    assert "bayesian = nbc.compare_bayesian(experiment, rope=0.01, control=result.control)" in (
        builder.code
    )


def test_it_needs_a_margin(demsar):
    builder = CDDiagramBuilder(demsar)
    with pytest.raises(TraitError, match="`bayesian` must not be True here: it needs a margin"):
        builder.bayesian = True
    with pytest.raises(TraitError, match="`view` must not be 'posterior' here: the Bayesian"):
        builder.view = "posterior"
    with pytest.raises(TraitError, match="`bayesian` must be True or False; got 1"):
        builder.bayesian = 1
    with builder.hold():
        builder.margin, builder.bayesian, builder.view = 0.02, True, "posterior"
    builder.margin = None
    assert (builder.bayesian, builder.view) == (False, "cd")
    assert [notice.partition(":")[0] for notice in builder._model.choices.notices] == [
        "Bayesian is now “off”, not “on”",
        "Figure is now “CD diagram”, not “matrix of probabilities”",
    ]


def test_tests_by_average_ranks_have_no_margin_but_zero(demsar):
    builder = CDDiagramBuilder(demsar, pairs="ranks", margin=0, bayesian=True)
    assert builder.result.to_json() == nbc.compare(demsar, pairs="ranks").to_json()
    assert builder.bayesian_result.rope == 0
    with pytest.raises(TraitError, match=r"`margin` must not be 0\.01 here"):
        builder.margin = 0.01


def test_missing_scores_are_treated_as_the_function_can(make):
    data = make(9, 3, missing=GAPS)
    builder = CDDiagramBuilder(data)
    for word in ("skillings-mack", "drop", "worst"):
        fill = "A1" if word == "worst" else None
        options = {"missing": word, "fill": fill, "margin": 0.5}
        builder.settings = {name: value for name, value in options.items() if value is not None}
        reason = builder._model.choices.reason("bayesian", True)
        try:
            nbc.compare_bayesian(data, rope=0.5, missing=word, fill=fill)
        except ValueError:
            assert "it needs every score, and some are missing" in reason
        else:
            assert reason is None
            builder.bayesian = True
            expected = nbc.compare_bayesian(data, rope=0.5, missing=word, fill=fill)
            assert builder.bayesian_result.to_json() == expected.to_json()


def test_a_person_who_switches_it_on_sees_it_and_can_go_back(demsar):
    builder = CDDiagramBuilder(demsar, margin=0.01)
    builder._live.open().controls["bayesian"].widget.arrive({"index": 1})
    assert (builder.bayesian, builder.view) == (True, "posterior")
    assert builder.next_steps()["undo"] == "Figure and Bayesian"
    builder.view = "bars"
    settings = builder.settings
    builder.undo()
    builder.undo()
    assert (builder.bayesian, builder.view) == (False, "cd")
    builder.redo()
    assert (builder.bayesian, builder.view) == (True, "posterior")
    builder.settings = {}
    assert builder.bayesian_result is None
    builder.settings = settings
    assert settings == {"margin": 0.01, "bayesian": True, "view": "bars"}


# ------------------------------------------------------------------------------- the screen


def test_the_control_says_what_it_needs(demsar):
    builder = CDDiagramBuilder(demsar)
    screen, acts = screen_of(builder)
    switch, margin = screen.controls["bayesian"].widget, screen.controls["margin"].widget
    reason = (
        "it needs a margin, which is its region of practical equivalence; 0 stands for no such "
        "region"
    )
    assert (switch.label, switch.chosen, switch.off) == ("Bayesian", "off", [(1, reason)])
    builder.margin = 0
    screen.refresh()
    assert switch.off == []
    assert margin.value == "0"
    assert margin.note == ["0: only for the Bayesian comparison, without a region of equivalence"]
    switch.index = 1
    assert acts == [("bayesian", True)]


@pytest.mark.slow
def test_the_screen_shows_both_answers_and_where_they_differ(builder):
    builder.view = "posterior"
    screen, _ = screen_of(builder)
    screen.show()
    screen.finish()
    bayesian = builder.bayesian_result
    (remark,) = builder._model.remarks()
    shown = screen.sentences.value
    for sentence in (*builder.result.sentences, *bayesian.findings, remark):
        assert html.escape(sentence) in shown
    assert builder.figure.alt == nbc.plots.posterior_matrix(bayesian).alt
    assert "Probabilities that one algorithm of a pair" in screen.tables.content
    assert "nothing is adjusted for the number of pairs" in shown
    assert screen.more.remark == "margin: 0.01; Bayesian: on"
    assert screen.design.value.startswith("Changed: ")  # by the margin
    left = screen.bundles("Builder", "identity")
    assert left[0][0]["text/plain"] == builder.figure.alt
    assert remark in " ".join(left[1][0]["text/plain"].split())
    assert "nbc.compare_bayesian(" in left[1][0]["text/plain"]
    screen.save.name.value = ""
    screen.save.suggest()
    assert screen.save.name.value == "posterior_matrix.pdf"


def test_a_cell_of_the_matrix_offers_the_distribution_of_its_pair(builder):
    builder.view = "posterior"
    model = builder._model
    (pick, *_) = model.picks(model.choices.state(), ("C4.5", "C4.5+cf"))
    assert (pick.label, pick.setting, pick.value, pick.at_once) == (
        "Show this pair",
        "pair",
        ("C4.5", "C4.5+cf"),
        True,
    )
    builder.pair = pick.value
    shown = model.details().shown
    bayesian = builder.bayesian_result
    simplex = nbc.plots.posterior_simplex(bayesian, "C4.5+cf", "C4.5")
    assert simplex.alt in [getattr(each, "alt", "") for each in shown]
    assert [text for text in shown if str(text).startswith("C4.5+cf – C4.5: C4.5+cf is better ")]
    builder.bayesian = False
    assert simplex.alt not in [getattr(each, "alt", "") for each in model.details().shown]


def test_what_takes_long_is_computed_elsewhere(make):
    builder = CDDiagramBuilder(make(60, 8), margin=0.1, bayesian=True)
    model = builder._model
    assert model.estimate() > 1
    builder.bayesian = False
    assert model.estimate() < 1
    alone = builder.result
    builder.bayesian = True
    task = model.task()
    assert task.known is alone  # it is not computed again


# ------------------------------------------------------------------------ where they differ


def verdicts(result, bayesian):
    """What each of the two finds of every pair, by a second way."""
    table, claims = result.to_frame(), bayesian.to_frame()
    p, found = table[result.adjust[0]], {}
    for row, pair in enumerate(zip(table["first"], table["second"], strict=True)):
        better = None
        if p[row] <= result.alpha:
            # the one with the smaller average rank, or more wins
            better = pair[0] if table["effect_size"][row] > 0 else pair[1]
        alike = "outcome" in table and table["outcome"][row] in (
            "equivalent",
            "different but negligible",
        )
        same = claims["first"].isin(pair) & claims["second"].isin(pair)
        (claimed,) = claims[same].to_dict("records")
        word = claimed["decision"]
        claim = claimed.get({"first better": "first", "second better": "second"}.get(word))
        both_alike = alike and word == "equivalent"
        found[pair] = both_alike or (better == claim and alike == (word == "equivalent"))
    return found


@pytest.mark.parametrize("margin", [0, 0.1, 0.4, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_differing_pairs_are_named(seed, margin):
    rng = np.random.default_rng(seed)
    scores = rng.normal([0, 0.2, 0.5, 0.5], 0.5, size=(14, 4))
    data = nbc.Experiment.from_array(scores, direction="maximize")
    builder = CDDiagramBuilder(data, margin=margin, bayesian=True, alpha=0.1)
    found = verdicts(builder.result, builder.bayesian_result)
    differing = [pair for pair, agree in found.items() if not agree]
    told = builder._model.remarks()
    if not differing:
        assert told == ()
        return
    (sentence,) = told
    assert sentence.startswith(
        f"The tests and the probabilities differ about {len(differing)} of 6 pairs, since they "
        "ask different things: "
    )
    for a, b in differing[:3]:
        assert f"{a} and {b} (tests: " in sentence
    assert sentence.count("(tests: ") == min(3, len(differing))
    assert (f"and {len(differing) - 3} more." in sentence) == (len(differing) > 3)


def test_the_sentence_names_both_verdicts(builder):
    assert builder._model.remarks() == (
        "The tests and the probabilities differ about 2 of 6 pairs, since they ask different "
        "things: C4.5+m and C4.5 (tests: C4.5+m better; probabilities: no claim); C4.5+m+cf and "
        "C4.5 (tests: no difference found; probabilities: C4.5+m+cf better).",
    )


def test_a_difference_that_is_significant_and_negligible_is_no_contradiction():
    rng = np.random.default_rng(1)
    base = rng.normal(size=30)
    scores = np.stack([base, base + 0.02 + 0.005 * rng.normal(size=30)], axis=1)
    data = nbc.Experiment.from_array(scores, direction="maximize")
    result, bayesian = nbc.compare(data, margin=0.5), nbc.compare_bayesian(data, rope=0.5)
    assert result.hypotheses.outcome == ("different but negligible",)
    assert bayesian.decision == ("equivalent",)
    assert differences(result, bayesian) == ()
    # without a margin of the tests it is one
    (told,) = differences(nbc.compare(data), bayesian)
    assert "(tests: A2 better; probabilities: equivalent)" in told


def test_algorithms_may_be_called_as_what_is_found():
    scores = np.random.default_rng(2).normal([0.0, 3.0], size=(9, 2))
    data = nbc.Experiment.from_array(
        scores, direction="maximize", algorithms=["none", "equivalent"]
    )
    assert differences(nbc.compare(data), nbc.compare_bayesian(data, rope=0.01)) == ()
    (told,) = differences(nbc.compare(data), nbc.compare_bayesian(data, rope=50))
    assert "equivalent and none (tests: equivalent better; probabilities: equivalent)" in told
