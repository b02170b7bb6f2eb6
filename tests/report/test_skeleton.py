"""Every report has the same skeleton, and its findings speak for all of its analyses."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.report.collect import report_of
from nbcompare.report.notebook.synthesis import (
    decisions,
    other_leader,
    relation,
    within_groups,
)

DEMSAR = nbc.datasets.load("demsar2006")
OTERO = nbc.datasets.load("otero2013_simulated")


def runs(n=8, k=3, folds=1, repeats=6, spread=0.05, seed=0):
    means = 0.4 + 0.05 * np.arange(k)[:, None, None] + 0.1 * np.arange(n)[:, None, None, None]
    scores = np.random.default_rng(seed).normal(means, spread, (n, k, folds, repeats))
    return nbc.Experiment.from_array(scores.round(4), direction="minimize")


def one_data_set(k=3, folds=10, repeats=1):
    scores = (
        np.random.default_rng(2).normal(size=(1, k, folds, repeats)) + np.arange(k)[:, None, None]
    )
    return nbc.Experiment.from_array(scores.round(3), direction="minimize", datasets=["iris"])


def logs():
    values = np.minimum.accumulate(np.random.default_rng(0).random((6, 2, 3, 20)), axis=3)
    return nbc.Histories.from_array(values, direction="minimize")


def chapters(notebook):
    lines = [cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown"]
    return [line[3:] for line in lines if line.startswith("## ")]


def cells(notebook):
    return {cell.id: cell.source for cell in notebook.cells}


REPORTS = {
    "comparison": lambda: nbc.Report(DEMSAR),
    "control": lambda: nbc.Report(DEMSAR, compare={"control": "C4.5"}),
    "runs": lambda: nbc.Report(runs(), stochastic={}),
    "fuzzy": lambda: nbc.Report(one_data_set(repeats=5), stochastic={"procedure": "fuzzy"}),
    "folds": lambda: nbc.Report(one_data_set(), cv={"ratio": 1 / 9}),
    "folds and runs": lambda: nbc.Report(one_data_set(repeats=4), cv={"ratio": 0.1}, stochastic={}),
    "histories": lambda: nbc.Report(histories=logs()),
    "both": lambda: nbc.Report(runs(), histories=logs(), stochastic={}),
    "full": lambda: nbc.Report(runs(), histories=logs(), full=True),
    "ranks": lambda: nbc.Report(nbc.compare_ranks({"A": 1.2, "B": 2.2, "C": 2.6}, 20)),
    "groups": lambda: nbc.Report(dataclasses.replace(DEMSAR, domains=tuple("ab" * 7))),
    "results": lambda: report_of(
        {"runs": nbc.compare_stochastic(runs()), "means": nbc.compare(runs())}, {"data": runs()}
    ),
    "two of a kind": lambda: report_of(
        {"one": nbc.compare(DEMSAR), "two": nbc.compare(DEMSAR, adjust="holm")}, {"data": DEMSAR}
    ),
    "by group": lambda: report_of(
        {"field": nbc.compare_by(dataclasses.replace(OTERO, domains=tuple("ab" * 16)))},
        {"data": dataclasses.replace(OTERO, domains=tuple("ab" * 16))},
    ),
    "varied": lambda: report_of({"varied": nbc.sensitivity(DEMSAR)}, {"data": DEMSAR}),
}


QUICK = ("comparison", "folds", "histories", "ranks")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in REPORTS],
)
def test_findings_come_first_and_methods_last_before_the_appendix(name):
    notebook = REPORTS[name]().to_notebook()
    told = chapters(notebook)
    assert told[0].startswith("Findings")
    last = ["Methods", "Appendix", "References"] if name == "full" else ["Methods"]
    assert told[-len(last) :] == last
    assert not {*told[: -len(last)]} & {"Methods", "Appendix", "References"}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[1].source.endswith(".section('findings')")
    assert code[1].metadata["tags"] == ["nbcompare-findings"]
    # others are too wide to stand beside the findings, and would be cut off there
    is_narrow = "nbc.plots.overview" in code[2].source
    assert (code[2].metadata.get("tags") == ["nbcompare-beside"]) == is_narrow
    # every cell runs, and shows something
    namespace = {"display": lambda *_: None}
    for cell in code:
        *lines, shown = cell.source.splitlines()
        if cell.id == "import" or cell.id.startswith("references"):
            exec(cell.source, namespace)
        else:
            exec("\n".join(lines), namespace)
            assert eval(shown, namespace)._repr_mimebundle_()
    chapter, titles = "", []
    for line in [line for cell in notebook.cells if cell.cell_type == "markdown"
                 for line in cell.source.splitlines() if line.startswith("#")]:  # fmt: skip
        chapter = line if line.startswith("## ") else chapter
        titles.append((chapter, line))
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("runs", ["comparison", "stochastic"]),
        ("folds and runs", ["cv", "stochastic"]),
        ("both", ["comparison", "stochastic", "convergence"]),
        ("results", ["means", "runs"]),
        ("two of a kind", ["one", "two"]),
    ],
)
def test_findings_and_methods_speak_for_all_analyses(name, kinds):
    code = [cell.source.splitlines()[-1] for cell in REPORTS[name]().to_notebook().cells
            if cell.cell_type == "code"]  # fmt: skip
    code = [line.replace("sensitivity", "comparison") for line in code]
    told = [line.partition(".section")[0] for line in code if line.endswith(".section('findings')")]
    assert told[: len(kinds)] == kinds
    assert len(set(told)) == len(told)
    methods = [line for line in code if ".section('methods'" in line]
    assert [line.partition(".section")[0] for line in methods][: len(kinds)] == kinds
    for place, line in enumerate(methods):
        before = [line.partition(".section")[0] for line in methods[:place]]
        after = f", after=[{', '.join(before)}]" if place else ""
        assert line.endswith(f".section('methods'{after})")


# ----------------------------------------------------------------- picked because of the data


def test_runs_are_compared_beside_the_means_in_full_reports():
    assert "stochastic" not in nbc.Report(runs()).sections
    report = nbc.Report(runs(), compare={"control": "A1", "alpha": 0.1}, full=True)
    assert report.sections[:4] == ("findings", "comparison", "stochastic", "aggregates")
    made = "\n".join(cells(report.to_notebook()).values())
    assert "nbc.compare_stochastic(experiment, alpha=0.1, control='A1')" in made
    # chosen from the data, the control is that of the primary comparison
    best = nbc.Report(runs(), compare={"control": "best"}, full=True).to_notebook()
    control = nbc.compare(runs(), control="best").control
    assert f"nbc.compare_stochastic(experiment, control='{control}')" in "\n".join(
        cells(best).values()
    )


def test_runs_are_not_compared_unasked_where_that_may_fail_or_take_long():
    single = runs()
    lower = single.lower.copy()
    lower[0, 1, 0, 1:] = np.nan  # one run here, several elsewhere: no interval
    gaps = nbc.Experiment.from_array(lower, direction="minimize")
    many = runs(k=13)
    for data in (gaps, many, DEMSAR):
        report = nbc.Report(data, compare={"missing": "worst"} if data is gaps else {}, full=True)
        assert "stochastic" not in report.sections
    fixed = single.lower.copy()
    fixed[:, 1, 0, 1:] = np.nan  # deterministic
    report = nbc.Report(nbc.Experiment.from_array(fixed, direction="minimize"), full=True)
    assert "stochastic" in report.sections
    report.to_notebook()


def test_one_data_set():
    many = np.random.default_rng(1).random((1, 3, 20))
    report = nbc.Report(nbc.Experiment.from_array(many, direction="minimize"))
    assert report.picked == (
        "The data are one data set with 20 folds, so the algorithms are compared over its folds.",
    )
    assert report.advice.startswith("With `ratio`, the size of a test set over that of a training")
    for options in ({}, {"cv": {"ratio": 1 / 9}}):
        known = nbc.Report(one_data_set(), **options)
        assert known.sections == ("findings", "cv", "data", "methods")
        assert known.picked == (
            "The data are one data set with 10 folds, so the algorithms are not ranked: their "
            "scores on its folds are compared by the corrected resampled t test.",
        )
        assert known.advice == ""
    asked = nbc.Report(one_data_set(repeats=5), stochastic={}, aggregates={})
    assert asked.picked == ()


# ------------------------------------------------------------------------------ no Python


@pytest.mark.slow
@pytest.mark.parametrize("name", ["comparison", "control", "runs", "folds", "histories", "both"])
def test_no_python_in_what_a_report_says(name):
    notebook = REPORTS[name]().to_notebook()
    namespace = {}
    python = re.compile(r"\w+=['\w]|\w\.\w+\(|compare\(|`")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            prose = re.sub(r"\$\$?.*?\$\$?", "", cell.source, flags=re.DOTALL)
            assert not python.search(prose), cell.source
        elif cell.id.startswith(("import", "references", "histories", "data-scores")):
            exec(cell.source, namespace)
        else:
            *lines, shown = cell.source.splitlines()
            exec("\n".join(lines), namespace)
            bundle = eval(shown, namespace)._repr_mimebundle_()
            if not isinstance(bundle, tuple):  # as figures give
                assert not python.search(bundle["text/plain"]), bundle["text/plain"]


# ------------------------------------------------------------------------------ synthesis


def test_decisions_are_those_of_the_tests():
    result = nbc.compare(DEMSAR)
    found = decisions(result)
    assert len(found) == 6
    for (one, other), side in found.items():
        assert one < other
        frame = result.to_frame()
        row = frame[frame[["first", "second"]].isin([one, other]).all(axis=1)].iloc[0]
        better = row["first"] if row["statistic"] > 0 else row["second"]
        assert (side == 0) == (not row["rejected"])
        if side:
            assert better == (one if side > 0 else other)
    fuzzy = nbc.compare_stochastic(nbc.datasets.load("stochastic_cv"), procedure="fuzzy")
    assert sorted(map(str, decisions(fuzzy).values())) == ["0"] * 4 + ["None"] * 6
    assert decisions(nbc.describe(DEMSAR)) == {}


def test_two_analyses_that_agree_or_not():
    data = nbc.datasets.load("stochastic_cv")
    means = nbc.compare(data)
    same = relation("comparison", means, "stochastic", nbc.compare_stochastic(data))
    assert same.startswith("The comparison by means is the primary analysis and the answer; the")
    assert same.endswith("Both decide alike on all 10 pairs.")
    fuzzy = nbc.compare_stochastic(data, procedure="fuzzy")
    one, other = decisions(means), decisions(fuzzy)
    differ = sum(one[pair] != other[pair] for pair in one)
    text = relation("comparison", means, "stochastic", fuzzy)
    assert f"The two decide otherwise on {differ} of 10 pairs: they are different tests" in text
    assert ", and the second accepts a difference only if" in text
    strict = nbc.compare(data, adjust="bonferroni", alpha=1e-6)
    text = relation("comparison", strict, "stochastic", nbc.compare_stochastic(data))
    assert "on 3 of 10 pairs (" in text
    told = "5-NN – random tree): they are different tests"
    assert told in text.replace("\\", "")
    assert "the second accepts" not in text  # it finds more
    assert relation("comparison", means, "convergence", None).startswith("The histories of the run")


@pytest.mark.slow
def test_who_reaches_most_targets_is_named_if_another_one_is_ahead():
    histories = nbc.datasets.load("convergence_de")
    ahead, targets = nbc.compare_convergence(histories), nbc.fixed_targets(histories)
    first, second = targets.ordered[0], ahead.algorithms[int(np.argmin(ahead.final_ranks))]
    assert first != second
    shares = dict(zip(targets.algorithms, targets.reached, strict=True))
    text = (
        f"By another measure, {first} leads: its runs reach {100 * shares[first]:.1f} % of all "
        f"targets, those of {second} {100 * shares[second]:.1f} %."
    )
    assert other_leader(ahead, targets) == text
    report = nbc.Report(histories=histories)
    assert cells(report.to_notebook())["findings-beside"] == text
    two = histories.select(algorithms=[first, histories.algorithms[-1]])
    agreed = nbc.compare_convergence(two), nbc.fixed_targets(two)
    assert agreed[0].ordered == agreed[1].ordered
    assert other_leader(*agreed) == ""


def test_nobody_leads_by_targets_who_had_more_evaluations():
    runs = {"A": [(1, 9.0), (9, 8.0), (400, 0.5)], "B": [(1, 9.0), (9, 2.0), (100, 1.5)]}
    rows = [(p, name, *log) for p in "pqr" for name, logs in runs.items() for log in logs]
    frame = pd.DataFrame(rows, columns=["problem", "algorithm", "evaluations", "value"])
    histories = nbc.Histories.from_frame(frame, direction="minimize")
    ahead = nbc.compare_convergence(histories, cutpoints=4)
    targets = nbc.fixed_targets(histories, targets=[5, 1])
    assert (ahead.final_ranks.tolist(), targets.ordered[0]) == ([2, 1], "A")
    assert other_leader(ahead, targets) == ""


def test_a_group_that_reverses_the_answer_is_not_silent():
    scores = np.random.default_rng(0).normal(size=(30, 3)) * 0.1
    scores[:22, 0] -= 2.0
    scores[22:, 0] += 2.0  # a group in which the first is the worst
    data = nbc.Experiment.from_array(scores, direction="minimize",
                                     algorithms=["good", "bad", "*ugly*"])  # fmt: skip
    split = dataclasses.replace(data, domains=("most",) * 22 + ("few",) * 8)
    told = " ".join(within_groups(nbc.compare(data, pairs="ranks"), nbc.compare_by(split)))
    assert "The direction is reversed in groups: " in told
    assert "\\*ugly\\* over good in few" in told
    assert "Of 2 significant differences, 2 are significant within one of the 2 groups" in told
    text = cells(nbc.Report(split, compare={"pairs": "ranks"}).to_notebook())
    assert told in text["groups"]


def test_what_the_findings_say_alone_has_no_chapter_in_a_short_report():
    equal = np.random.default_rng(0).normal(size=(12, 3))
    data = nbc.Experiment.from_array(equal, direction="maximize")
    assert "How firm is this?" not in chapters(nbc.Report(data).to_notebook())
    assert "How firm is this?" in chapters(nbc.Report(data, full=True).to_notebook())
    assert "How firm is this?" in chapters(nbc.Report(DEMSAR).to_notebook())
    many = nbc.Experiment.from_array(
        np.random.default_rng(0).normal(np.arange(14), 1, (14, 14)), direction="maximize"
    )
    notebook = nbc.Report(many).to_notebook()
    assert cells(notebook)["findings-code"].endswith("sensitivity.section('findings')")
    assert "How firm is this?" not in chapters(notebook)  # too many pairs for a figure


def test_one_data_set_has_no_table_of_scores_over_data_sets():
    notebook = nbc.Report(one_data_set(), cv={"ratio": 1 / 9}).to_notebook()
    assert "Data" in chapters(notebook)
    assert "data-code" not in cells(notebook)


def test_a_short_report_has_curves_of_histories_and_no_table_of_all_problems():
    code = cells(nbc.Report(histories=logs()).to_notebook())
    assert "histories-code" not in code
    assert "histories-convergence-curves-code" in code
    assert "histories-code" in cells(nbc.Report(histories=logs(), full=True).to_notebook())


def test_groups_are_told_in_the_findings():
    code = cells(nbc.Report(dataclasses.replace(DEMSAR, domains=tuple("ab" * 7))).to_notebook())
    assert code["findings-groups-code"].endswith(".section('findings')")
    assert "groups-hypotheses-code" not in code  # nothing differs within a group


def test_only_the_best_of_many_algorithms_are_in_a_short_report():
    scores = np.random.default_rng(0).normal(size=(6, 61))
    data = nbc.Experiment.from_array(scores, direction="maximize")
    code = cells(nbc.Report(data).to_notebook())
    assert code["data-code"].endswith("description.section('best')")
    assert not any("plots" in source for source in code.values())


def test_findings_use_the_sensitivity_analysis_of_the_same_comparison():
    results = {"mine": nbc.compare(DEMSAR), "varied": nbc.sensitivity(DEMSAR)}
    source = cells(report_of(results, {"data": DEMSAR}).to_notebook())
    assert source["mine-findings-code"].endswith("varied.section('findings')")
    other = {"mine": nbc.compare(DEMSAR, pairs="ranks"), "varied": nbc.sensitivity(DEMSAR)}
    source = cells(report_of(other, {"data": DEMSAR}).to_notebook())
    assert source["mine-findings-code"].endswith("mine.section('findings')")


@pytest.mark.slow
def test_a_page_of_two_analyses_is_verified(tmp_path):
    page = tmp_path / "report.html"
    data = runs()
    nbc.Report(data, stochastic={}).export(page)
    text = page.read_text(encoding="utf-8")
    assert 'data-nbcompare-section="methods after ' in text
    assert nbc.report.verify(page, data=data).holds
    changed = re.sub(r"\[(\d)\]", r"[9\1]", text)
    assert changed != text
    page.write_text(changed, encoding="utf-8")
    assert not nbc.report.verify(page, data=data).holds


@pytest.mark.parametrize(
    ("n", "k", "options", "there"),
    [
        (14, 4, {}, True),
        (40, 8, {}, True),
        (41, 2, {}, False),
        (33, 10, {}, False),
        (14, 4, {"sections": ["data"]}, False),
    ],
)
def test_a_map_of_ranks_stands_below_the_data_where_it_is_readable(n, k, options, there):
    scores = np.random.default_rng(4).normal(size=(n, k))
    data = nbc.Experiment.from_array(scores, direction="maximize")
    cells = nbc.Report(data, **options).to_notebook().cells
    codes = [cell.source for cell in cells if cell.cell_type == "code"]
    figure = "nbc.plots.rank_heatmap(description, title=False)"
    assert (figure in codes) == there
    if there:
        assert codes[codes.index(figure) - 1].endswith("description.section('algorithms')")
