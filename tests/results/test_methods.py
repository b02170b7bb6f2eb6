"""The paragraph on methods that can be pasted into a paper."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from nbcompare import Experiment, compare, compare_by, compare_ranks, datasets
from nbcompare.report.notebook.prose import omnibus_text
from nbcompare.results.texts import Cited
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, RANKINGS, cited

DEMSAR = datasets.load("demsar2006")


def methods(result):
    cite = Cited()
    text = " ".join(filter(None, result._methods(cite)))
    lists = result.section("methods").parts[1:]
    references = [note.text for part in lists for note in part.notes]
    return SimpleNamespace(text=text, keys=cite.keys, references=references)


def made(scores, **more):
    return Experiment.from_array(scores, direction="maximize", **more)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_ties_are_told_where_there_are_ties(ranking):
    scores = np.random.default_rng(3).normal(size=(12, 3))
    tied = np.where(np.arange(12)[:, np.newaxis] == 4, 0.5, scores)
    options = {"ranking": ranking, "pairs": "ranks"}
    by = {
        (name, formulas): compare(made(table), formulas=formulas, **options)
        for name, table in (("apart", scores), ("tied", tied))
        for formulas in ("corrected", "printed")
    }
    for (name, formulas), result in by.items():
        assert result.tied == (name == "tied")
        told = {"corrected": "corrected for ties", "printed": "not corrected for ties"}[formulas]
        text, table = methods(result).text, dict(result.section("method").parts[0].rows)
        assert (told in text) == ("ties" in text) == result.tied
        assert table.get("formulas", "").endswith(told) == result.tied
        assert ("Conover" in " ".join(result.references)) == (told in text and formulas[0] == "c")
        explained = omnibus_text(result)
        assert "FORM" not in explained
        assert ("corrected for ties" in explained) == (result.tied and formulas == "corrected")
    # nothing is known of published ranks
    assert compare_ranks({"A": 1.2, "B": 1.8, "C": 3}, 10).tied is None


def test_ties_beside_missing_scores():
    scores = np.random.default_rng(3).normal(size=(12, 3))
    scores[0, 0] = np.nan
    for tied in (False, True):
        scores[5, 1:] = (1.0, 1.0) if tied else (1.0, 2.0)
        result = compare(made(scores), missing="skillings-mack")
        assert result.tied is tied
        assert ("corrected for ties" in methods(result).text) is tied
        assert ("corrected for ties" in omnibus_text(result)) is tied


def test_ties_of_any_group_are_told():
    scores = np.random.default_rng(3).normal(size=(12, 3))
    scores[11] = 0.5
    for n, told in ((12, True), (10, False)):
        by = {str(i): "ab"[i > 6] for i in range(1, n + 1)}
        assert (
            "corrected for ties" in " ".join(compare_by(made(scores[:n]), by=by).sentences)
        ) is told


def test_unequal_numbers_of_folds_and_runs_are_told():
    scores = np.random.default_rng(3).normal(size=(12, 3, 4, 5))
    for kept, told in (
        ((4, 5), "means over four folds and five runs"),
        ((4, 3), "means over four folds and three to five runs"),
        ((2, 5), "means over two to four folds and five runs"),
    ):
        table = scores.copy()
        table[:6, :, kept[0] :] = np.nan
        table[:, 1, :, kept[1] :] = np.nan
        result = compare(made(table))
        assert told in methods(result).text
        assert dict(result.section("method").parts[0].rows)["scores"].endswith(
            told.replace("four", "4").replace("five", "5").replace("three", "3").replace("two", "2")
        )
        assert (note := next(n.text for n in result.notes if n.code == "averaged"))
        assert ("3 to 5 runs" in note, "2 to 4 folds" in note) == (kept[1] == 3, kept[0] == 2)
        again = type(result).from_json(result.to_json())
        assert again.sentences == result.sentences


def gaps():
    scores = np.random.default_rng(0).normal(size=(9, 3)) + np.arange(3)
    scores[2, 1] = np.nan
    return Experiment.from_array(scores, direction="minimize")


def designs():
    yield from (compare(DEMSAR, adjust=name) for name in (None, *PROCEDURES) if name != "nemenyi")
    yield from (compare(DEMSAR, ranking=name, pairs="ranks", adjust="holm") for name in RANKINGS)
    yield from (compare(DEMSAR, pairs=name, control="C4.5", adjust="holm")
                for name in PAIRWISE_TESTS)  # fmt: skip
    yield compare(DEMSAR.select(algorithms=["C4.5", "C4.5+m"]))
    yield compare(DEMSAR, margin=0.05, formulas="printed", intervals="pairwise")
    yield compare(gaps(), missing="drop")
    yield compare_ranks({"A": 1.2, "B": 2.3, "C": 2.5}, 10, control="A", adjust=["holm", "finner"])


def test_the_references_are_those_of_the_result_and_are_numbered_in_the_order_of_the_text():
    for result in designs():
        found = methods(result)
        assert set(result.references) == set(cited(found.keys))
        assert set(cited(found.keys)) <= set(result.references)
        numbers = [int(n) for group in re.findall(r"\[([\d, ]+)\]", found.text)
                   for n in group.split(",")]  # fmt: skip
        assert list(dict.fromkeys(numbers)) == list(range(1, len(found.keys) + 1))
        shown = " ".join(str(result.section("methods")).split())
        assert found.text in shown
        for reference in found.references:
            assert reference in shown
