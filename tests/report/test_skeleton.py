"""Every report has the same skeleton, and its findings speak for all of its analyses."""

import re

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.report.notebook.synthesis import decisions, other_leader, relation

DEMSAR = nbc.datasets.load("demsar2006")


def runs(n=8, k=3, folds=1, repeats=6, spread=0.05, seed=0):
    means = 0.4 + 0.05 * np.arange(k)[:, None, None] + 0.1 * np.arange(n)[:, None, None, None]
    scores = np.random.default_rng(seed).normal(means, spread, (n, k, folds, repeats))
    return nbc.Experiment.from_array(scores.round(4), direction="minimize")


def logs():
    values = np.minimum.accumulate(np.random.default_rng(0).random((6, 2, 3, 20)), axis=3)
    return nbc.Histories.from_array(values, direction="minimize")


def cells(notebook):
    return {cell.id: cell.source for cell in notebook.cells}


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
