"""Gallery of figures: every figure is in it, and three lines draw it."""

import ast

import pytest

from nbcompare import plots


@pytest.fixture(scope="module")
def entries(extension):
    return extension("gallery").ENTRIES


def test_every_figure_is_shown_once(entries):
    functions = [
        name
        for name in plots.__all__
        if getattr(getattr(plots, name), "__annotations__", {}).get("return") == "Plot"
    ]
    assert len(functions) > 20
    assert sorted(entry.name for entry in entries) == sorted(functions)


def test_three_lines_end_with_the_figure(entries):
    for entry in entries:
        assert entry.code.count("\n") == 2, entry.name
        last = ast.parse(entry.code).body[-1].value
        assert ast.unparse(last.func) == f"nbc.plots.{entry.name}"


def test_questions_differ_and_sentences_are_those_of_the_reference(entries):
    assert len({entry.question for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.question.endswith("?")
        assert entry.summary.endswith(".")
        assert "\n" not in entry.summary


def test_page_has_both_pictures_of_each_figure(entries, extension):
    page = extension("gallery").page({entry.name: f"What {entry.name} shows" for entry in entries})
    for entry in entries:
        for theme in ("light", "dark"):
            assert page.count(f"{entry.name}-{theme}.svg") == 2  # a thumbnail and the figure
        assert entry.code in page
