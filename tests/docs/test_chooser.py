"""The page of choices says what `recommend` and `compare` do with data of that kind."""

import inspect
import re

import pytest

import nbcompare as nbc
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, QUESTIONS

LOSSES = ("complete", "gaps", "folds", "both")
AIMS = ("two", "pairs", "control")
MOST_COMPARED = 15  # algorithms, whose comparison is quick


@pytest.fixture(scope="module")
def situations(extension):
    return extension("situations")


@pytest.fixture(scope="module")
def chooser(extension):
    return extension("chooser")


def situation_of(situations, loss, aim):
    (found,) = (it for it in situations.SITUATIONS if (it.loss.name, it.aim.name) == (loss, aim))
    return found


def test_every_kind_of_situation_has_a_leaf(situations):
    names = {(it.loss.name, it.aim.name) for it in situations.SITUATIONS}
    assert names == {(loss, aim) for loss in LOSSES for aim in AIMS}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("aim", AIMS)
def test_recommend_says_of_such_data_what_the_page_says(situations, chooser, loss, aim):
    situation = situation_of(situations, loss, aim)
    typed = chooser.options_of(situation)
    for row in situation.rows():
        for one_scale in row.scales:
            for k in {row.fewest, row.most}:
                n = situation.n_datasets(k)
                data = situation.data(k, n, one_scale=one_scale, seed=k)
                said = nbc.recommend(data, control=situation.aim.control)
                found = (said.missing, said.ranking, said.pairs, said.adjust)
                assert found == tuple(row.outcome), (one_scale, k, n)
                assert typed.get("missing", "raise") == said.missing


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("aim", AIMS)
def test_what_is_typed_computes_what_the_page_says(situations, chooser, loss, aim):
    situation = situation_of(situations, loss, aim)
    options = chooser.options_of(situation)
    if situation.aim.control:
        options["control"] = situation.aim.control
    for row in situation.rows():
        if row.fewest > MOST_COMPARED:
            continue
        for one_scale in row.scales:
            n = situation.n_datasets(row.fewest)
            data = situation.data(row.fewest, n, one_scale=one_scale)
            design = nbc.compare(data, **options)
            assert design.ranking == row.outcome.ranking
            assert design.pairs == row.outcome.pairs
            assert tuple(design.hypotheses.adjusted) == (row.outcome.adjust,)


@pytest.mark.parametrize("one_scale", [True, False])
def test_one_data_set_more_or_less_changes_whether_the_test_can_reject(situations, one_scale):
    situation = situation_of(situations, "complete", "pairs")
    for k in (3, 5, 10):
        n = situations.fewest_for_wilcoxon(k * (k - 1) // 2)
        for rows in (n - 1, n):
            data = situation.data(k, rows, one_scale=one_scale)
            never = [note for note in nbc.compare(data).notes if note.code == "never-significant"]
            assert bool(never) == (rows < n)
            reasons = nbc.recommend(data).reasons
            assert ("powerless" in {reason.code for reason in reasons}) == (rows < n)


@pytest.mark.parametrize("k", [3, 5, 10])
@pytest.mark.parametrize("strength", ["adequate", "strong"])
def test_the_strength_of_a_design_begins_where_the_page_says(situations, k, strength):
    n = situations.fewest_of_strength(k, strength)
    situation = situation_of(situations, "complete", "pairs")
    order = ("weak", "adequate", "strong")
    before, here = (
        order.index(nbc.recommend(situation.data(k, rows, one_scale=True)).strength)
        for rows in (n - 1, n)
    )
    assert before < order.index(strength) <= here


@pytest.mark.slow
def test_every_answer_leads_somewhere_and_every_place_is_led_to(chooser):
    text = chooser.page()
    labels = re.findall(r"^\((\S+)\)=$", text, re.MULTILINE)
    assert len(labels) == len(set(labels))
    targets = set(re.findall(r"\(#((?:choose|question)-[\w-]+)\)", text))
    assert targets <= set(labels)
    # the first question is where one begins
    assert {it for it in labels if it.startswith("choose-")} - targets == {"choose-data"}


@pytest.mark.slow
def test_every_question_of_recommend_is_on_the_page(chooser):
    text = chooser.page()
    for name, question in QUESTIONS.items():
        assert text.count(f"(question-{name})=") == 1
        assert f"`{question.call}`" in text
        for typed in filter(None, (question.magic, question.command)):
            assert f"`{typed}`" in text


@pytest.mark.slow
def test_the_words_of_the_tables_are_those_of_the_records(chooser):
    text = chooser.page()
    for word in ("wilcoxon", "exchange"):
        assert f"| [{PAIRWISE_TESTS[word].recommended}](#stat-{word}) |" in text
    for word in ("holm", "shaffer", "bergmann-hommel"):
        assert f"| [{PROCEDURES[word].label}](#stat-{word}) |" in text


@pytest.mark.slow
def test_gaps_and_lost_folds_are_also_told_as_failures(situations, chooser):
    text = chooser.page()
    for loss in ("gaps", "folds"):
        for aim in AIMS:
            situation = situation_of(situations, loss, aim)
            (leaf,) = re.findall(rf"^\({situation.label}\)=$(.*?)^\(", text, re.M | re.DOTALL)
            assert '[`missing="worst"`](#stat-missing-worst)' in leaf
            assert "(howto/missing.md)" in leaf
            experiment = situation.data(situation.aim.fewest, 12, one_scale=True)
            counted = nbc.compare(experiment, missing=chooser.FAILED)
            assert counted.design.treated == "worst"


def test_reasons_for_two_algorithms_on_several_scales_name_no_others(situations):
    said = {
        why.rule.code: why.rule.text
        for why in situation_of(situations, "complete", "two").reasons()
        if not why.facts.one_scale
    }
    assert "exchange-within" in said
    assert not any("other algorithms" in text for text in said.values())


@pytest.mark.slow
def test_calls_have_arguments_that_functions_and_builders_take(chooser):
    typed = re.findall(r"`nbc\.(\w+)\((experiment|histories)(, [^`]*)?\)`", chooser.page())
    assert len(typed) > 30
    for name, _, keywords in typed:
        given = set(re.findall(r"(\w+)=", keywords))
        found = getattr(nbc, name)
        if isinstance(found, type):
            assert given <= set(found.class_trait_names()), name
        else:
            assert given <= set(inspect.signature(found).parameters), name
