"""A plan in reports: when it is there, and what it shares with the comparison."""

import dataclasses
import functools

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare._commands import BY_SECTION
from nbcompare._options import default
from nbcompare.report import verify
from nbcompare.report.collect import report_of
from nbcompare.study import plan as plan_of

SCORES = nbc.Experiment.from_array(
    np.random.default_rng(2).normal(0, 0.02, (9, 3)).round(3) + np.array([0.7, 0.705, 0.78]),
    direction="maximize",
    algorithms=["A", "B", "C"],
)


def cells_of(report):
    return {cell["id"]: "".join(cell["source"]) for cell in report.to_notebook()["cells"]}


@pytest.fixture
def calls(monkeypatch):
    """The plans that are computed; a report leaves that to its export."""
    made = []

    @functools.wraps(plan_of)
    def counted(*given, **options):
        made.append(options)
        return plan_of(*given, **options)

    monkeypatch.setattr(nbc, "plan", counted)
    return made


def with_gap():
    values = SCORES.mean_scores.copy()
    values[3, 1] = np.nan
    return nbc.Experiment.from_array(values, direction="maximize")


FOLDS = nbc.Experiment.from_array(
    np.random.default_rng(3).normal(0, 0.02, (1, 2, 10)) + np.array([0.7, 0.72])[:, None],
    direction="maximize",
)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (SCORES, {"plan": {"power": 1.5}}, "`power` must be a number between 0 and 1"),
        (SCORES, {"plan": {"largest": 1}}, "`largest` must be a whole number of at least 2"),
        (SCORES, {"plan": {"margin": 1}}, "`plan` must hold options of a plan, .*'margin'"),
        (
            with_gap(),
            {"plan": {}},
            "has no score for 'A2 on 4'.* missing='drop' leaves out the data set",
        ),
        (
            with_gap(),
            {"plan": {}, "compare": {"missing": "skillings-mack"}},
            "has no score for 'A2 on 4'.* missing='drop' leaves out the data set",
        ),
        (SCORES, {"plan": {"unit": "foo"}}, "`unit` must be 'auto', .* or 'items'; got 'foo'"),
        (SCORES, {"plan": {"unit": "folds"}}, "a single data set .*; got 9.* unit='datasets'"),
        (SCORES, {"plan": {"unit": "runs"}}, "several runs .*; got 1.* unit='datasets'"),
        (SCORES, {"plan": {"missing": "worst"}}, "`missing` must be 'raise' or 'drop'; got 'wors"),
        (SCORES, {"plan": {"adjust": ["holm", "x"]}}, "`adjust` must be 'bonferroni', .*; got 'x'"),
        (SCORES, {"plan": {"control": "D"}}, "`control` must be one of 'A', 'B' and 'C'; got 'D'"),
        (SCORES, {"plan": {"ratio": 0.1}}, "`ratio` must be left out unless folds .*; got 0.1"),
        (SCORES, {"plan": {"prior": False}}, "`prior` must be a .*number .*; got False"),
        (FOLDS, {"plan": {"unit": "datasets"}}, "at least 2 data sets .*; got 1.* unit='folds'"),
        (FOLDS, {"plan": {"ranking": "quade"}}, "`ranking` must be left out with one data set"),
        (FOLDS, {"plan": {"missing": "drop"}}, "`missing` must be left out with one data set"),
    ],
)
def test_mistakes_are_told_before_anything_is_computed(data, options, message, calls):
    with pytest.raises(ValueError, match=message):
        nbc.Report(data, **options)
    assert calls == []


def test_defaults_may_be_spelled_out():
    options = {name.rpartition(".")[2]: default(name) for name in BY_SECTION["plan"].options}
    assert options["ratio"] is options["n_jobs"] is options["control"] is None
    for data in (SCORES, FOLDS):
        assert "plan" in nbc.Report(data, plan=options).sections
    listed = nbc.Report(SCORES, plan={"adjust": ["holm", "finner"], "control": "best"})
    assert "plan" in listed.sections


@pytest.mark.parametrize(
    "name",
    ["compare", "stochastic", "convergence", "cv", "bayesian", "targets", "aggregates", "plan"],
)
def test_options_are_a_mapping(name):
    with pytest.raises(TypeError, match=f"`{name}` must be a mapping of options.*; got True"):
        nbc.Report(SCORES, **{name: True})


def test_it_needs_scores():
    logs = nbc.Histories.from_array(20 - np.arange(48.0).reshape(2, 2, 2, 6), direction="minimize")
    with pytest.raises(ValueError, match="section 'plan' needs scores"):
        nbc.Report(histories=logs, sections=["plan"])


@pytest.mark.slow
def test_a_report_of_results():
    data = {"scores": SCORES}
    planned = nbc.plan(SCORES, control="A", largest=4)
    results = {"tested": nbc.compare(SCORES, control="A"), "planned": planned}
    cells = cells_of(report_of(results, data))
    assert "planned.section('findings')" in cells["tested-findings-plan-code"]
    assert cells["planned-code"] == "planned.section('pairs')"
    assert "planned.section('methods', after=[tested])" in cells["tested-methods-plan-code"]
    assert "planned-planning-curve-code" in cells
    # a plan by itself has its figure beside its findings, once
    alone = cells_of(report_of({"planned": planned}, data))
    assert "nbc.plan(scores, largest=4, control='A')" in alone["planned-findings-code"]
    assert sum("planning_curve" in code for code in alone.values()) == 1
    # what is reported was computed again at once
    changed = dataclasses.replace(planned, n_pilot=10)
    with pytest.raises(ValueError, match="n_pilot"):
        report_of({"planned": changed}, data)


@pytest.mark.slow
def test_the_page_holds_until_it_is_changed(tmp_path):
    report = nbc.Report(SCORES, plan={"largest": 40}, sections=["findings", "comparison", "plan"])
    (page,) = report.export(tmp_path / "page.html")
    text = page.read_text(encoding="utf-8")
    assert verify(page, data=SCORES).holds
    needed = nbc.plan(SCORES, largest=40).needed.n[0]
    assert needed > 0
    page.write_text(text.replace(f">{needed}<", f">{needed - 1}<"), encoding="utf-8")
    assert not verify(page, data=SCORES).holds


def test_intervals_and_infinite_scores_are_refused():
    values = SCORES.mean_scores.copy()
    values[0, 0] = -np.inf
    failed = nbc.Experiment.from_array(values, direction="maximize", infinite="no success")
    with pytest.raises(
        ValueError, match=r"`pilot` must hold finite scores to be drawn from; some are infinite"
    ):
        nbc.Report(failed, plan={})
