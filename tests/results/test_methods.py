"""The paragraph on methods that can be pasted into a paper."""

import re

import numpy as np
import pytest

from nbcompare import Experiment, __version__, compare, compare_ranks, datasets
from nbcompare.results.methods import methods
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES, RANKINGS, cited

DEMSAR = datasets.load("demsar2006")


def test_demsar():
    assert methods(compare(DEMSAR)).text == (
        "We compared four algorithms on 14 data sets by AUC (higher is better), as described by "
        "Demšar [1] and, for all pairs, by García and Herrera [2]. With Friedman's ranks, the null "
        "hypothesis that all algorithms perform equally was tested by Friedman's χ² [3] and Iman "
        "and Davenport's F [4] (corrected for ties [5], exact p-values). All six pairs of "
        "algorithms were compared by Wilcoxon's signed-rank test [6] (exact p-values, two-sided), "
        "adjusting the p-values for the six hypotheses with the Bergmann–Hommel procedure [7] at a "
        "family-wise error rate of 0.05. Differences were estimated by the Hodges–Lehmann shift "
        "[8], with confidence intervals that hold simultaneously at 95 % (99.17 % each). Effect "
        "sizes are matched-pairs rank-biserial correlations [9]. Computed with nbcompare "
        f"{__version__}."
    )


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
        unused = set(result.references) - set(cited(found.keys))
        # a single hypothesis needs no adjustment, whose procedure the result names all the same
        adjusted = {key for name in result.adjust for key in PROCEDURES[name].cites}
        assert unused == (set(cited(adjusted)) if len(result.hypotheses) == 1 else set())
        assert set(cited(found.keys)) <= set(result.references)
        numbers = [int(n) for group in re.findall(r"\[([\d, ]+)\]", found.text)
                   for n in group.split(",")]  # fmt: skip
        assert list(dict.fromkeys(numbers)) == list(range(1, len(found.keys) + 1))
        shown = " ".join(str(result.section("methods")).split())
        assert found.text in shown
        for reference in found.references:
            assert reference in shown


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (compare(DEMSAR, margin=0.05), "lies strictly inside ±0.05 (AUC)"),
        (compare(gaps(), missing="drop"), "Missing scores: 1 data set left out: 3."),
        (compare(gaps(), missing="skillings-mack"), "One score was missing: each data set ranked"),
        (compare(DEMSAR, adjust=None), "at the significance level 0.05 without adjustment"),
        (compare(DEMSAR, formulas="printed"), "(not corrected for ties)"),
        (compare(DEMSAR, adjust="benjamini-yekutieli"), "at a false discovery rate of 0.05"),
        (
            compare(DEMSAR, adjust=["holm", "finner"], control="C4.5"),
            "with the Holm procedure [6] at a family-wise error rate of 0.05; for comparison, the "
            "p-values were also adjusted by Finner [7].",
        ),
        (
            compare(DEMSAR.select(algorithms=["C4.5", "C4.5+m"])),
            "The two were compared by Wilcoxon's signed-rank test [2] (exact p-values, two-sided) "
            "at the significance level 0.05.",
        ),
        (compare_ranks({"A": 1.2, "B": 1.8}, 10), "by their published average ranks, as described"),
    ],
)
def test_what_was_done_is_said(result, text):
    assert text in methods(result).text
