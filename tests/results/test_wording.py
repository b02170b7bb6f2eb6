"""Whole sentences: what a reader takes away."""

import re

import numpy as np
import pytest

from nbcompare import (
    Experiment,
    check_conditions,
    compare,
    compare_cv,
    compare_pair,
    compare_ranks,
    compare_stochastic,
    datasets,
    sensitivity,
)
from nbcompare.words import P_LAWS, PAIR_TESTS, PAIRWISE_TESTS

AS_BEFORE = {"ranking": "friedman", "pairs": "ranks", "adjust": "holm", "method": "normal"}
BY_WILCOXON = "tests of pairs by Wilcoxon's signed-rank test"
ALONE = "it uses the scores of the two alone, and {n} data sets are enough for it to reject"


def of(scores, **options):
    return compare(Experiment.from_array(scores, direction="minimize"), **options)


def test_rejection():
    first = (
        "Five algorithms were compared on 32 data sets (error, lower is better).",
        "The null hypothesis that all algorithms perform equally is rejected at α = 0.05 "
        "(Friedman's χ² corrected for ties 30.34 with 4 df, p = 4.17e-06; Iman and Davenport's F "
        "9.63 with 4 and 124 df, p = 8.14e-07; Kendall's W = 0.24).",
        "A1 has the best average rank, 2.14, followed by A2 (2.55), A3 (2.78), A4 (3.45) and A5 "
        "(4.08).",
    )
    data = datasets.load("otero2013_simulated")
    assert compare(data).sentences == (
        *first,
        "Of 10 pairwise comparisons by Wilcoxon's signed-rank tests, 3 are significant after "
        "Bergmann–Hommel's adjustment (differences with simultaneous 95 % intervals): A1 is better "
        "than A5 by 0.115 (0.065 to 0.170; p = 4.07e-05), A2 is better than A5 by 0.095 (0.025 to "
        "0.160; p = 0.0021) and A3 is better than A5 by 0.060 (0.015 to 0.145; p = 0.0031).",
        "No significant difference was found among A1, A2, A3 and A4, nor between A4 and A5. This "
        "does not mean that they perform equally.",
        f"Design: Friedman's ranks; {BY_WILCOXON} ({ALONE.format(n=32)}); Bergmann–Hommel's "
        "adjustment, which rejects most for all pairs.",
    )
    assert compare(data, **AS_BEFORE).sentences == (
        *first,
        "Of 10 pairwise comparisons, 4 are significant after Holm's adjustment: A1 is better than "
        "A5 (p = 8.97e-06), A2 is better than A5 (p = 0.000929), A1 is better than A4 (p = 0.0070) "
        "and A3 is better than A5 (p = 0.0070).",
        "No significant difference was found among A1, A2 and A3, nor among A2, A3 and A4, nor "
        "between A4 and A5. This does not mean that they perform equally.",
        "Design, as asked: Friedman's ranks; tests of pairs by the difference of their average "
        "ranks; Holm's adjustment.",
    )


def test_no_rejection():
    result = of([[1, 2, 3], [3, 2, 1], [1, 3, 2]])
    assert result.sentences == (
        "Three algorithms were compared on 3 data sets (scores, lower is better).",
        "The null hypothesis that all algorithms perform equally is not rejected at α = 0.05 "
        "(Friedman's χ² corrected for ties 0.67 with 2 df, exact p = 0.9444; Iman and Davenport's "
        "F 0.25 with 2 and 4 df, exact p = 0.9444; Kendall's W = 0.11).",
        "A1 has the best average rank, 1.67, followed by A3 (2.00) and A2 (2.33).",
        "Of 3 pairwise comparisons, none is significant after Bergmann–Hommel's adjustment.",
        "No significant difference was found among A1, A3 and A2. This does not mean that they "
        "perform equally.",
        "Design: Friedman's ranks; tests of pairs by the difference of their average ranks (with "
        "3 data sets and 3 hypotheses, Wilcoxon's test could reject none); Bergmann–Hommel's "
        "adjustment, which rejects most for all pairs.",
    )
    normal = of([[1, 2, 3], [3, 2, 1], [1, 3, 2]], method="normal")
    assert normal.sentences[1].endswith(
        "(Friedman's χ² corrected for ties 0.67 with 2 df, p = 0.7165; Iman and Davenport's F 0.25 "
        "with 2 and 4 df, p = 0.7901; Kendall's W = 0.11)."
    )


def test_control():
    data = datasets.load("demsar2006")
    last = (
        "C4.5+cf does not differ significantly from C4.5. This does not mean that they "
        "perform equally."
    )
    assert compare(data, control="C4.5").sentences[3:] == (
        "Of 3 comparisons with C4.5 by Wilcoxon's signed-rank tests, 2 are significant after "
        "Holm's adjustment (differences with simultaneous 95 % intervals): C4.5+m is better than "
        "C4.5 by 0.0130 (0.0005 to 0.0320; p = 0.0234) and C4.5+m+cf is better than C4.5 by "
        "0.0200 (0.0025 to 0.0425; p = 0.0249).",
        last,
        f"Design: Friedman's ranks; {BY_WILCOXON} ({ALONE.format(n=14)}); Holm's adjustment, "
        "which keeps the family-wise error however the tests depend on one another.",
    )
    assert compare(data, control="C4.5", **AS_BEFORE).sentences[3:5] == (
        "Of 3 comparisons with C4.5, 2 are significant after Holm's adjustment: C4.5+m+cf is "
        "better than C4.5 (p = 0.0261) and C4.5+m is better than C4.5 (p = 0.0271).",
        last,
    )
    dunn = compare(datasets.load("demsar2006"), control="C4.5+cf", adjust="bonferroni")
    assert dunn.sentences[3] == (
        "Of 3 comparisons with C4.5+cf by Wilcoxon's signed-rank tests, none is significant after "
        "Bonferroni–Dunn's adjustment."
    )


def test_one_of_several():
    result = compare(datasets.load("demsar2006"), control="C4.5", alpha=0.0265, **AS_BEFORE)
    assert result.sentences[3] == (
        "Of 3 comparisons with C4.5, 1 is significant after Holm's adjustment: C4.5+m+cf is "
        "better than C4.5 (p = 0.0261)."
    )


@pytest.mark.parametrize("control", [None, "C4.5"])
def test_two_algorithms(control):
    two = datasets.load("demsar2006").select(algorithms=["C4.5", "C4.5+m"])
    design = (
        f"Design: {BY_WILCOXON} (it needs no normal differences and finds more than the sign "
        "test); Holm's adjustment, which leaves the p of a single hypothesis as it is."
    )
    assert compare(two, control=control).sentences[2:] == (
        "C4.5+m has the best average rank, 1.21, followed by C4.5 (1.79).",
        "The difference between C4.5 and C4.5+m is significant (Wilcoxon's signed-rank test, "
        "p = 0.0078): C4.5+m is better by 0.0130 (95 % interval 0.0030 to 0.0275).",
        design,
    )
    assert compare(two, control=control, alpha=0.005).sentences[3:] == (
        "No significant difference was found between C4.5 and C4.5+m (Wilcoxon's signed-rank test, "
        "p = 0.0078).",
        design,
    )
    assert compare(two, control=control, **AS_BEFORE).sentences[2:4] == (
        "C4.5+m has the best average rank, 1.21, followed by C4.5 (1.79).",
        "The difference between C4.5 and C4.5+m is significant (test of average ranks, "
        "p = 0.0209).",
    )
    assert compare(two, control=control, alpha=0.01, **AS_BEFORE).sentences[3:4] == (
        "No significant difference was found between C4.5 and C4.5+m (test of average ranks, "
        "p = 0.0209).",
    )


@pytest.mark.parametrize("control", [None, "A1"])
def test_forty_algorithms_are_counted_not_listed(control):
    scores = np.random.default_rng(0).random((30, 40)) + np.arange(40) * 0.05
    result = of(scores, control=control)
    rejected = int(result.hypotheses.rejected.sum())
    family, adjustment, why = (
        ("780 pairwise comparisons", "Shaffer", "because Bergmann and Hommel's takes too long for "
         "40 algorithms")
        if control is None
        else ("39 comparisons with A1", "Holm", "which keeps the family-wise error however the "
              "tests depend on one another")
    )  # fmt: skip
    last = (
        f"No significant difference was found within each of {len(result.groups)} groups of "
        "algorithms; the diagram shows the groups. This does not mean that they perform equally."
        if control is None
        else "A2 does not differ significantly from A1. This does not mean that they perform "
        "equally."
    )
    assert result.sentences[2:] == (
        "A1 has the best average rank, 3.03, A39 the worst, 37.03.",
        f"Of {family} by Wilcoxon's signed-rank tests, {rejected} are significant after "
        f"{adjustment}'s adjustment; the table lists them.",
        last,
        f"Design: Friedman's ranks; {BY_WILCOXON} ({ALONE.format(n=30)}); {adjustment}'s "
        f"adjustment, {why}.",
    )
    before = of(scores, control="A1", **AS_BEFORE)
    kept = int((~before.hypotheses.rejected).sum())
    assert kept > 2
    assert before.sentences[4] == f"{kept} algorithms do not differ significantly from A1."


def test_one_group_of_very_many_is_counted():
    result = of(np.random.default_rng(0).random((5, 50)))
    assert result.sentences[-2] == (
        "No significant difference was found within one group of 50 algorithms; the diagram shows "
        "the groups. This does not mean that they perform equally."
    )


def test_all_alike():
    assert of(np.ones((4, 3))).sentences[1:4] == (
        "The null hypothesis that all algorithms perform equally is not rejected at α = 0.05 "
        "(Friedman's χ² corrected for ties 0.00 with 2 df, exact p = 1; Iman and Davenport's F "
        "0.00 with 2 and 6 df, exact p = 1; Kendall's W = 0.00).",
        "All algorithms have the same average rank, 2.00.",
        "Of 3 pairwise comparisons, none is significant after Bergmann–Hommel's adjustment.",
    )


def test_shared_best_rank_and_folds_and_no_adjustment():
    result = of(np.tile([[1.0], [1.0], [3.0]], (6, 1, 5)), adjust=None)
    assert result.sentences[0] == (
        "Three algorithms were compared on 6 data sets (scores, lower is better; means over 5 "
        "folds)."
    )
    assert result.sentences[2:4] == (
        "A1 and A2 share the best average rank, 1.50.",
        "Of 3 pairwise comparisons, 2 are significant without adjustment: A1 is better than A3 "
        "(p = 0.0027) and A2 is better than A3 (p = 0.0027).",
    )


def test_average_ranks_alone():
    ranks = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}
    assert compare_ranks(ranks, 30, control="C4.5").sentences[:2] == (
        "Five algorithms were compared by their average ranks over 30 data sets.",
        "The null hypothesis that all algorithms perform equally is rejected at α = 0.05 "
        "(Friedman's χ² 39.65 with 4 df, p = 5.12e-08; Iman and Davenport's F 14.31 with 4 and "
        "116 df, p = 1.59e-09; Kendall's W = 0.33).",
    )


# ------------------------------------------------------------------- p below all numbers


def far_apart(n=2000):
    """Four algorithms that differ on every data set, nearly by the same amount."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(n, 1)) + np.arange(4.0) + rng.normal(scale=1e-3, size=(n, 4))
    return Experiment.from_array(scores, direction="maximize")


def runs_apart():
    scores = np.random.default_rng(0).normal(scale=1e-9, size=(1, 2, 200, 3))
    scores[:, 1] += 1
    return Experiment.from_array(scores, direction="maximize")


@pytest.mark.parametrize(
    "result",
    [
        *(lambda how=how: compare(far_apart(), **how) for how in (
            {"pairs": "t"}, {"pairs": "wilcoxon"}, {"adjust": "nemenyi"}, {"adjust": "rom"},
            {"adjust": "bergmann-hommel"}, {"formulas": "printed"}, {"control": "A4"},
        )),
        *(lambda test=test: compare_pair(far_apart(), "A1", "A4", test=test)
          for test in PAIR_TESTS),
        lambda: check_conditions(far_apart()),
        *(lambda how=how: compare_stochastic(runs_apart(), test="t", **how)
          for how in ({"procedure": "interval"}, {"procedure": "fuzzy"})),
        lambda: compare_cv(
            np.ones(20), np.zeros(20), test="corrected-t", ratio=1 / 19, direction="maximize"
        ),
    ],
)  # fmt: skip
def test_no_sentence_says_that_p_is_0(result):
    made = result()
    for text in (*getattr(made, "sentences", ()), str(made), repr(made)):
        assert not re.search(r"p = 0(?![.\d])", text)
        assert "p = <" not in text


def test_a_p_below_all_numbers_is_told_by_a_bound():
    result = compare_stochastic(runs_apart(), test="t", procedure="interval")
    assert "A2 is better than A1 (p < 1e-300)" in " ".join(result.sentences)
    assert r"\textless{}" in result.to_latex()
    assert "&lt; 1e-300" in result._repr_mimebundle_()["text/html"]


def test_every_way_to_compute_p_of_pairs_has_words():
    for test in PAIRWISE_TESTS.values():
        assert all(re.fullmatch("exact p|p by .+", P_LAWS[word]) for word in test.methods)
    assert P_LAWS["t"] == "p by Student's t"
    result = sensitivity(datasets.load("demsar2006"))
    rows = [name for name, _ in result._method()]
    assert len(rows) == len(set(rows))
    assert rows[0] == "primary design"
    assert rows[-3:] == ["data sets", "nbcompare", "data fingerprint"]
