"""References and long lists of every kind of result; its texts are in texts.md."""

import dataclasses
import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import Experiment, datasets
from nbcompare.words import CITATIONS

OTERO = datasets.load("otero2013_simulated")
RUNS = datasets.load("stochastic_cv")
CURVES = datasets.load("convergence_de")
DEMSAR = datasets.load("demsar2006")


def told(result, section="findings"):
    return " ".join(str(result.section(section)).split())


def folds(seed=0, means=(0.8, 0.83, 0.9, 0.9), n=10, **more):
    scores = np.random.default_rng(seed).normal(np.array(means)[:, None], 0.03, (len(means), n))
    names = ["1-NN", "NB", "SVM", "RF", "CN2"][: len(means)]
    return Experiment.from_array(scores.round(3)[None], direction="maximize", measure="accuracy",
                                 algorithms=names, datasets=["iris"], **more)  # fmt: skip


def grouped(**options):
    groups = tuple("ab"[place % 2] for place in range(32))
    return nbc.compare_by(dataclasses.replace(OTERO, domains=groups), **options)


# -------------------------------------------------------------------------------- references

RESULTS = {
    "ranks": lambda: nbc.compare(DEMSAR),
    "runs": lambda: nbc.compare_stochastic(RUNS),
    "interval": lambda: nbc.compare_stochastic(RUNS, procedure="interval"),
    "fuzzy": lambda: nbc.compare_stochastic(RUNS, procedure="fuzzy", adjust=["holm", "hommel"]),
    "bootstrapped": lambda: nbc.compare_stochastic(
        RUNS, procedure="fuzzy", encoding="bootstrap-mean"
    ),
    "convergence": lambda: nbc.compare_convergence(CURVES, optimum_tolerance=1e-8),
    "raw": lambda: nbc.compare_convergence(CURVES, differences="raw", adjust=None),
    "folds": lambda: nbc.compare_cv(folds(), ratio=1 / 9),
    "two": lambda: nbc.compare_cv("1-NN", "SVM", experiment=folds(), test="classical"),
    "sensitivity": lambda: nbc.sensitivity(DEMSAR),
    "groups": grouped,
}


@pytest.fixture(scope="module")
def results():
    return {name: make() for name, make in RESULTS.items()}


def numbers_in(text):
    return [int(n) for group in re.findall(r"\[((?:\d+(?:, )?)+)\]", text)
            for n in group.split(", ")]  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
def test_references_are_numbered_in_the_order_of_the_text(results, name):
    text = str(results[name].section("methods"))
    paragraph, *listed = text.split("Note: ")
    order = list(dict.fromkeys(numbers_in(paragraph)))
    assert order == list(range(1, len(listed) + 1))
    for number, item in enumerate(listed, 1):
        shown = " ".join(item.split())
        assert shown.removeprefix(f"[{number}] ") in {*results[name].references}
        assert shown.removeprefix(f"[{number}] ") in {*CITATIONS.values()}


def test_the_numbers_go_on_in_a_second_paragraph(results):
    first, second = results["ranks"], results["runs"]
    n = len(str(first.section("methods")).split("Note: ")) - 1
    text = str(second.section("methods", after=first))
    paragraph, *listed = text.split("Note: ")
    # what the first has cited, Holm, keeps its number and is not listed again
    holm = int(re.search(r"Holm procedure \[(\d+)\]", told(first, "methods"))[1])
    assert list(dict.fromkeys(numbers_in(paragraph))) == [n + 1, holm]
    assert [item[: len(str(n)) + 3].strip("[] ") for item in listed] == [str(n + 1)]
    groups = str(results["groups"].section("methods", after=[first]))
    wilcoxon = re.search(r"Wilcoxon's signed-rank test \[(\d+)\]",
                         told(first, "methods"))[1]  # fmt: skip
    assert f"signed-rank test [{wilcoxon}]" in " ".join(groups.split())
    assert "Note: " not in groups
    with pytest.raises(ValueError, match="`after` is for the section 'methods'; got 'pairs'"):
        first.section("pairs", after=second)
    with pytest.raises(ValueError, match="`name` must be 'findings'"):
        second.section("methods after nobody2000")


@pytest.mark.parametrize("name", RESULTS)
def test_findings_are_whole_sentences_and_survive_json(results, name):
    result = results[name]
    for section in ("findings", "methods"):
        text = told(result, section)
        assert "  " not in text
        assert not re.search(r"\b(None|nan|inf)\b|[;,]\s*[.;]|\.\.|\( ", text)
        again = nbc.results.from_json(result.to_json())
        assert told(again, section) == text


@pytest.mark.parametrize("make", [nbc.compare_stochastic, lambda e: nbc.compare_cv(e, ratio=0.1)])
def test_many_pairs_are_cut_established_ones_first(make):
    means = np.linspace(0.5, 0.9, 8)
    scores = np.random.default_rng(5).normal(means[:, None], 0.05, (8, 10))
    result = make(Experiment.from_array(scores[None], direction="maximize"))
    lines = str(result.section("pairs")).splitlines()
    assert "the first 20 of 28" in lines[0]
    shown = [not re.search(r"not rejected|no$", line) for line in lines[3:]]
    assert shown == sorted(shown, reverse=True)
    assert len(shown) == 20
