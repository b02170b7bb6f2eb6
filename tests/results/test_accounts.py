"""Findings and methods of comparisons by runs, of convergence, on one data set and by group."""

import dataclasses
import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import Experiment, Histories, __version__, datasets
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


def logs(**more):
    values = np.minimum.accumulate(np.random.default_rng(0).random((6, 3, 3, 20)) + 0.1, axis=3)
    return Histories.from_array(values, direction="minimize", **more)


# ---------------------------------------------------------------------------- repeated runs


def test_findings_of_single_runs():
    text = told(nbc.compare_stochastic(OTERO))
    mean = float(OTERO.lower.mean(axis=(2, 3))[:, OTERO.algorithms.index("A1")].mean())
    assert text.startswith(
        f"A1 has the best mean of the five algorithms on 32 data sets ({mean:.3f}; error, lower "
        "is better). A1 and A2 are significantly better than A5 (adjusted p at most 0.0099); no "
        "significant difference was found between any other two. The largest significant "
        "difference of means, A1 over A5, is 0.112 (error); this procedure has no confidence "
        "interval for it. Compared with the mean of all algorithms, A1 is significantly better and "
        "A5 is significantly worse."
    )
    means = OTERO.lower.mean(axis=(0, 2, 3))
    assert f"{means[4] - means[0]:.3f}" == "0.112"


def test_findings_of_runs_say_why_pairs_and_the_mean_of_all_disagree():
    result = nbc.compare_stochastic(RUNS)
    text = told(result)
    assert "No algorithm differs significantly from the mean of all, although pairs do" in text
    # the p that is quoted is the largest upper end of those that are rejected
    ends = [high for high, outcome in zip(result.hypotheses.decisive[1], result.hypotheses.outcome,
                                          strict=True) if outcome == "significant"]  # fmt: skip
    assert f"adjusted p at most {max(ends):.4f}" in text
    assert "the middle 10 % of the runs" in text
    assert "is 0.0580 to 0.0702 (error), depending on the runs" in text


def test_findings_of_inconclusive_comparisons():
    result = nbc.compare_stochastic(RUNS, procedure="fuzzy")
    outcomes = result.hypotheses.outcome
    assert outcomes.count("inconclusive") == 6
    text = told(result)
    assert "six of the ten comparisons are inconclusive" in text
    assert "Of the ten conclusions, nine hold only if some of the runs are disregarded." in text
    # whose intervals overlap, from the ends of the means
    end = result.mean_high["5-NN"]
    close = [name for name, low in result.mean_low.items() if low < end and name != "5-NN"]
    assert sorted(close) == ["neural network", "random forest", "random tree"]
    assert "random forest, neural network and random tree may have a better mean" in text
    few = told(nbc.compare_stochastic(RUNS, procedure="interval", coverage=0.3))
    assert "Inconclusive are 5-NN against random tree, random forest against random tree and" in few


def test_findings_of_runs_against_a_control_and_of_two():
    control = nbc.compare_stochastic(RUNS, procedure="interval", coverage=0.1,
                                     control="random tree")  # fmt: skip
    assert ("The control, random tree, has a mean of 0.177 to 0.189, behind three others.") in told(
        control
    )
    assert "significantly better than the control, random tree (adjusted p at most" in told(control)
    one = RUNS.select(datasets=["iris"], algorithms=RUNS.algorithms[:2])
    text = told(nbc.compare_stochastic(one, procedure="interval"))
    assert "on ten folds of the data set iris" in text
    assert "The comparison of neural network and random forest is inconclusive (p = [" in text
    assert text.startswith("The folds of one data set are not independent")


def test_means_over_several_scales_are_not_compared():
    data = datasets.load("stochastic_regression")
    ranks = told(nbc.compare_stochastic(data))
    assert "quadratic has the best mean relative rank of the three algorithms" in ranks
    text = told(nbc.compare_stochastic(data, procedure="interval"))
    assert "which are not on one scale, so that means over them do not say which" in text
    assert "best mean" not in text
    assert "no difference, however clear, can be significant" in text


def test_methods_of_runs():
    assert told(nbc.compare_stochastic(RUNS), "methods").startswith(
        "We compared five algorithms on ten data sets by error (lower is better), with one to 30 "
        "runs per fold. The runs of each fold were represented by the central interval of coverage "
        "0.1 (linear quantiles), whose ends were averaged over ten folds; the scores of LDA and "
        "5-NN, with one run each, stayed points. Each algorithm was compared with the mean of all "
        "by the Bootstrap-B test [1], which permutes the algorithms within data sets. All ten "
        "pairs of algorithms were compared by the same test with sign flips of their differences "
        "(exact p-values, two-sided), adjusting the p-values for the ten hypotheses with the Holm "
        "procedure [2] at a family-wise error rate of 0.05. A p-value is then an interval: a "
        "difference is significant if the whole interval of the adjusted p is at most 0.05, and "
        f"inconclusive if only a part of it is. Computed with nbcompare {__version__}."
    )
    fuzzy = told(nbc.compare_stochastic(RUNS, procedure="fuzzy"), "methods")
    assert "A p-value is then a fuzzy set, whose interval at coverage 0.9 decides" in fuzzy
    drawn = nbc.compare_stochastic(RUNS, method="resampling", n_resamples=99, rng=1)
    assert "(p-values from 99 random draws, two-sided)" in told(drawn, "methods")


# ------------------------------------------------------------------------------ convergence


def test_who_is_ahead_at_the_end():
    result = nbc.compare_convergence(CURVES, optimum_tolerance=1e-8)
    assert "(2.80; error, lower is better), before CMA-ES (basic) (2.88)" in told(result)
    # the average ranks from the values themselves, floored at the tolerance
    ends = np.maximum(CURVES.values[..., -1].mean(axis=2), 1e-8)
    ranks = [(row[:, None] > row).sum(axis=1) + ((row[:, None] == row).sum(axis=1) + 1) / 2
             for row in ends]  # fmt: skip
    means = dict(zip(CURVES.algorithms, np.mean(ranks, axis=0), strict=True))
    assert [f"{means[name]:.2f}" for name in ("jDE", "CMA-ES (basic)")] == ["2.80", "2.88"]


def test_a_trend_in_favour_of_who_is_behind_is_no_headline():
    raw = nbc.compare_convergence(CURVES, differences="raw", version="basic")
    tests = raw.tests["basic"]
    assert max(tests.wins) == tests.wins[CURVES.algorithms.index("random search")]
    text = told(raw)
    assert text.startswith("At the end of the runs, jDE has the best average rank")
    behind = sum(raw.final_ranks[row] > raw.final_ranks[column]
                 for row, column in np.argwhere(tests.rejected))  # fmt: skip
    assert f"In {behind} pairs, the trend is in favour of the algorithm that is behind" in text
    assert "favour of random search" not in text.partition("trend is in favour")[0]
    both = told(nbc.compare_convergence(CURVES, differences="raw"))
    assert "Not firm: on 15 of the 42 ordered pairs, basic and alternative ranks decide" in both


# ------------------------------------------------------------------------------ one data set


def test_findings_on_one_data_set():
    data = folds()
    result = nbc.compare_cv(data, ratio=1 / 9)
    scores = data.lower[0, :, :, 0]
    apart = scores[3] - scores[0]
    text = told(result)
    assert text.startswith(
        f"RF has the best mean of the four algorithms on the data set iris, over 10 folds "
        f"({scores[3].mean():.3f}; accuracy, higher is better). RF and SVM are significantly "
        "better than NB and 1-NN (adjusted p at most "
    )
    assert f"RF over 1-NN, is {apart.mean():.4f} (accuracy), with a simultaneous 95 %" in text
    # 1 + n times the ratio
    assert "the variance of a mean difference as 2.11 times that of independent test sets" in text
    assert text.endswith("are about this data set alone, and say nothing about others.")
    alike = told(nbc.compare_cv(folds(means=(0.8, 0.8)), ratio=1 / 9))
    assert "No significant difference was found between" in alike
    assert "The estimated difference of means is " in alike
    control = told(nbc.compare_cv(data, ratio=1 / 9, control="SVM"))
    assert "significantly worse than the control, SVM" in control


def test_methods_on_one_data_set():
    assert told(nbc.compare_cv(folds(), ratio=1 / 9), "methods").startswith(
        "We compared four algorithms on the data set iris alone by accuracy (higher is better), on "
        "10 folds. All six pairs of algorithms were compared by the corrected resampled t test "
        "[1, 2] (two-sided, nine degrees of freedom, test sets 0.111 times the size of the "
        "training sets), adjusting the p-values for the six hypotheses with the Shaffer procedure "
        "[3] at a family-wise error rate of 0.05. Mean differences over the test sets are given "
        "with confidence intervals that hold simultaneously at 95 % (Bonferroni) by the same t "
        f"distribution. Computed with nbcompare {__version__}."
    )


def test_two_algorithms_on_one_data_set():
    data = folds()
    scores = data.lower[0, :, :, 0]
    wins = int((scores[2] > scores[0]).sum())
    result = nbc.compare_cv("1-NN", "SVM", experiment=data, test="corrected-t", ratio=1 / 9)
    assert told(result).startswith(
        "On the data set iris, SVM has a better mean than 1-NN, by "
        f"{(scores[2] - scores[0]).mean():.4g} (accuracy, higher is better), and is better on "
        f"{wins} of 10 folds. SVM is significantly better than 1-NN (corrected resampled t test, "
    )
    assert f"interval of the difference of means is from {-result.upper:.4g} to " in told(result)
    classical = nbc.compare_cv("1-NN", "SVM", experiment=data, test="classical")
    assert "by the paired t test [1] (two-sided, Student's t distribution), chosen by" in told(
        classical, "methods"
    )
    side = nbc.compare_cv("1-NN", "SVM", experiment=data, test="permutation", alternative="better")
    assert "It is not shown that 1-NN is better than SVM (one-sided permutation test, p" in told(
        side
    )


# ----------------------------------------------------------------------------------- groups


def grouped(**options):
    groups = tuple("ab"[place % 2] for place in range(32))
    return nbc.compare_by(dataclasses.replace(OTERO, domains=groups), **options)


def test_findings_and_methods_of_groups():
    result = grouped()
    text = told(result)
    assert text.startswith("Of the two groups of data sets, ")
    for name, one in result.groups.items():
        assert f"in {name}" in text or "in all two" in text
        found = int(one.hypotheses.rejected.sum())
        assert text.count(f" in {name}") >= found or f"{found} of 10 in {name}" in text
    assert "p-values are adjusted within each group, not over the groups" in text
    assert "over all 20 hypotheses" in told(grouped(across=True))
    paragraph = told(result, "methods")
    assert "within each of two groups of data sets: a (16) and b (16)." in paragraph
    assert "adjusting the p-values for the ten hypotheses within each group with the" in paragraph
    # the groups may need another test than all data sets together, which is named
    several = grouped(scale="several")
    assert {one.pairs for one in several.groups.values()} == {"exchange"}
    paragraph = " ".join(str(several.section("methods", after=nbc.compare(OTERO))).split())
    assert "pairs were compared by the exchange test [" in paragraph


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


def test_intervals_that_were_given(tmp_path):
    low = np.random.default_rng(0).random((12, 3)) + 0.4 * np.arange(3)
    rows = [f"d{row},{'ABC'[column]},{low[row, column]},{low[row, column] + 0.2}"
            for row in range(12) for column in range(3)]  # fmt: skip
    (tmp_path / "x.csv").write_text("\n".join(["dataset,algorithm,lower,upper", *rows]))
    data = Experiment.read(tmp_path / "x.csv", direction="minimize")
    result = nbc.compare_stochastic(data, procedure="interval")
    best = low.mean(axis=0)[0]
    assert told(result).startswith(f"A has the best mean of the three algorithms on 12 data sets ("
                                   f"{best:.2f} to {best + 0.2:.2f}; scores, lower")  # fmt: skip
    assert "depending on the values in the intervals" in told(result)
    assert "runs" not in told(result)
    paragraph = told(result, "methods")
    assert "Scores are intervals, and it is not known which of their values hold. All" in paragraph
    assert "for all values from these intervals" in paragraph
    report = nbc.Report(data)
    assert report.picked == (
        "The data are intervals, so the algorithms are compared for all values in these.",
    )
    assert report.advice == ""
