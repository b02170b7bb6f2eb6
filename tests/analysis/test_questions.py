"""Which questions data can answer, at the boundary of every condition."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.words import QUESTIONS


def scores(n=12, k=3, folds=1, runs=1, *, factor=1.0, seed=1):
    made = np.random.default_rng(seed).uniform(1, 2, (n, k, folds, runs))
    return made * factor ** np.arange(n)[:, None, None, None]


def of(values, direction="maximize", **more):
    made = nbc.Experiment.from_array(values, direction=direction)
    return dataclasses.replace(made, **more)


def asked(experiment, **options):
    return {each.code: each for each in nbc.recommend(experiment, **options).questions}


def lost(values, place):
    values[place] = np.nan
    return values


SMALL = {"how-many"}  # of any data where algorithms differ
PLAIN = {"equivalence", "margin", *SMALL}
FOLDS = {"one-data-set", "one-data-set-equivalence"}
RUNS = {"runs", "typical-run", "one-data-set-runs"}
ONE_RUN = scores(runs=3)
ONE_RUN[:, 0, :, 1:] = np.nan  # by an algorithm without a seed


@pytest.mark.parametrize(
    ("experiment", "expected"),
    [
        (of(scores()), PLAIN),
        # on several scales, a difference that does not matter is not one number
        (of(scores(factor=10.0)), SMALL),
        # where no algorithm differs from another there is nothing to plan for
        (of(np.ones((6, 3, 1, 1))), {"equivalence"}),
        # 3 hypotheses: Wilcoxon's test has a finite interval from 7 data sets on
        (of(scores(7)), PLAIN),
        (of(scores(6)), {"equivalence", *SMALL}),
        (of(scores(), "minimize"), PLAIN | {"profiles"}),
        (of(scores() - 1.5, "minimize"), PLAIN),
        (of(scores(), "minimize", turned=("3",)), SMALL),  # in no common unit
        (of(scores(), domains=("a", "b") * 6), PLAIN | {"groups"}),
        (of(scores(), domains=("a",) * 12), PLAIN),
        (of(scores(), domains=tuple(map(str, range(12)))), PLAIN),
        (of(scores(folds=5)), PLAIN | FOLDS),
        (of(scores(runs=3)), PLAIN | RUNS),
        (of(ONE_RUN), PLAIN | RUNS - {"one-data-set-runs"}),
        # runs of the folds may be repetitions or random seeds
        (of(scores(folds=5, runs=3)), PLAIN | RUNS - {"one-data-set-runs"}),
        (of(scores(folds=40), unit="items"), PLAIN - {"margin", "how-many"} | {"items"}),
        # a single run of an algorithm that has more of them elsewhere
        (of(lost(scores(runs=3), (0, 0, 0, slice(1, None)))), PLAIN),
        (of(scores(factor=10.0, runs=3)), RUNS | SMALL),
        (of(scores(k=2)), PLAIN),
    ],
)
def test_the_facts_decide(experiment, expected):
    assert set(asked(experiment)) == expected


def test_what_was_said_is_said_again():
    data = of(scores(runs=2), domains=("a", "b") * 6)
    found = asked(data, control="A2", alpha=0.1, scale="one")
    assert found["equivalence"].call == (
        "nbc.compare_bayesian(experiment, rope=ROPE, control='A2')"
    )
    said = "control='A2', alpha=0.1, scale='one'"
    assert found["margin"].call == f"nbc.compare(experiment, margin=MARGIN, {said})"
    assert found["groups"].call == f"nbc.compare_by(experiment, {said})"
    assert found["groups"].magic == "%compare_by experiment --control A2 --alpha 0.1 --scale one"
    assert found["runs"].command == (
        "nbcompare compare-stochastic SCORES --control A2 --alpha 0.1 --scale one"
    )
    assert found["typical-run"].call == "nbc.aggregate_runs(experiment, scale='one')"
    assert asked(of(scores()))["margin"].call == "nbc.compare(experiment, margin=MARGIN)"


def test_what_the_data_need_is_said():
    # scores on several scales are put between two baselines
    found = asked(of(scores(factor=10.0, runs=3)))["typical-run"]
    assert found.call == "nbc.aggregate_runs(experiment, baseline=(LOW, HIGH))"
    assert found.magic == "%aggregate_runs experiment --baseline LOW,HIGH"
    # more than 10 folds do not show how they were made
    found = asked(of(scores(folds=11)))["one-data-set"]
    assert found.call == "nbc.compare_cv(experiment, dataset=DATASET, ratio=RATIO)"
    assert asked(of(scores(folds=10)))["one-data-set"].call.endswith("dataset=DATASET)")


def test_missing_scores():
    # tables with gaps are compared on the complete data sets where a function takes nothing else
    found = asked(of(lost(scores(), (0, 0))))
    assert "missing='drop')" in found["equivalence"].call
    assert "missing='skillings-mack')" in found["margin"].call
    gaps = scores(12)
    gaps[np.arange(12), np.arange(12) % 3] = np.nan
    assert "equivalence" not in asked(of(gaps))
    found = asked(of(lost(scores(folds=4), (0, 0, 1))))
    # which a plan does not take, as long as data sets are left
    assert found.pop("how-many").call == "nbc.plan(experiment, missing='drop')"
    assert {name: "missing='drop-folds'" in each.call for name, each in found.items()} == (
        dict.fromkeys(({*PLAIN, *FOLDS} - SMALL), True)
    )


def test_names_are_quoted():
    names = ["it's", 'b"c', "ROPE"]
    data = nbc.Experiment.from_array(scores()[..., 0, 0], direction="maximize", algorithms=names)
    found = asked(data, control="it's")["equivalence"]
    assert found.call == 'nbc.compare_bayesian(experiment, rope=ROPE, control="it\'s")'
    assert found.magic.endswith("""--control 'it'"'"'s'""")
    # a name is no word for the reader to choose
    result = nbc.recommend(data, control="ROPE")
    assert "ROPE, MARGIN: the largest difference" in str(result)
    assert "control='ROPE'" in str(result)


def test_what_a_recommendation_shows():
    result = nbc.recommend(of(scores(runs=2), "minimize"))
    text = " ".join(str(result).split())
    for each in result.questions:
        assert f"{each.asks} {each.text} ({each.cited})" in text
        assert each.code_to_type in text
        assert each.cited.split()[0] in str(result.references)
    # the recommendation comes first, and the call for it last
    assert text.index(result.questions[0].asks) > text.index(result.reasons[-1].text)
    assert text.endswith(result.call)


def test_scores_that_are_infinite_answer_no_other_question():
    values = scores()
    values[0, 0] = -np.inf
    infinite = nbc.Experiment.from_array(values, direction="maximize", infinite="no success")
    none = nbc.recommend(infinite)
    assert none.questions == ()
    assert "Other questions" not in str(none)


def test_every_question_is_tried_here():
    tried = {*PLAIN, *FOLDS, *RUNS, "items", "profiles", "groups"}
    assert tried == {name for name, record in QUESTIONS.items() if record.of == "experiment"}


def test_items_are_compared_without_a_choice_and_the_call_works():
    data = of(scores(folds=40), unit="items")
    result = nbc.recommend(data, alpha=0.1)
    assert str(result).startswith("Items are compared on each benchmark and over all")
    assert result.call == "compare(experiment, alpha=0.1)"
    assert (
        nbc.compare(data, **result.options).to_json()
        == nbc.compare_items(data, alpha=0.1).to_json()
    )
    with pytest.raises(nbc.DataError, match="single benchmark to plan for its items"):
        nbc.plan(data)
