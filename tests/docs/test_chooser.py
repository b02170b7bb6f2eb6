"""The page that leads to a call says what `recommend` does with data of that kind."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.words import QUESTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "chooser.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(extension):
    """The page with what stands in it once the site is built."""
    filled = extension("markup").replaced(PAGE, "generated", extension("generated").made)
    return extension("ways")._PLACE.sub("", filled)


@pytest.mark.parametrize(("k", "control"), [(2, None), (3, None), (3, "A1")])
@pytest.mark.parametrize("lost", ["some scores", "some folds", "both"])
def test_what_is_missing_is_treated_as_the_table_says(lost, k, control):
    scores = np.random.default_rng(k).normal(size=(12, k, 3))
    if lost != "some scores":
        scores[0, 0, 0] = scores[1, 1, 1] = np.nan
    if lost != "some folds":
        scores[-1, 0] = scores[-2, 1] = np.nan
    experiment = nbc.Experiment.from_array(
        scores, direction="maximize", algorithms=[f"A{i}" for i in range(1, k + 1)]
    )
    (row,) = re.findall(rf"^\| {lost}\b.*$", PAGE, re.MULTILINE)
    *_, two, more = re.findall(r'missing="([\w-]+)"', row.replace("the same", row.split("|")[2]))
    assert nbc.recommend(experiment, control=control).missing == (two if k == 2 else more)


def test_every_question_of_recommend_is_on_the_page(text):
    for name, question in QUESTIONS.items():
        assert text.count(f"(question-{name})=") == 1
        for typed in filter(None, (question.call, question.magic, question.command)):
            assert f"`{typed}`" in text


def test_calls_have_arguments_that_functions_and_builders_take(text):
    typed = re.findall(r"`nbc\.(\w+)\((experiment|histories)(, [^`]*)?\)`", text)
    assert len(typed) > 10
    for name, _, keywords in typed:
        given = set(re.findall(r"(\w+)=", keywords))
        found = getattr(nbc, name)
        if isinstance(found, type):
            assert given <= set(found.class_trait_names()), name
        else:
            assert given <= set(inspect.signature(found).parameters), name
