"""The Report: its sections, its notebook, and data that come from anywhere."""

import dataclasses
import datetime
import re

import nbformat
import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare._options import SECTIONS
from nbcompare.report.collect import report_of
from nbcompare.report.notebook import source as sources
from nbcompare.report.notebook.source import Source

DEMSAR = nbc.datasets.load("demsar2006")


def small(n=6, k=3, **more):
    scores = np.random.default_rng(0).normal(size=(n, k)).round(3)
    return nbc.Experiment.from_array(scores, direction="minimize", **more)


def with_runs(n=1, folds=6):
    runs = np.random.default_rng(1).normal([[[0.4]], [[0.6]], [[0.42]]], 0.04, (n, 3, folds, 8))
    runs[:, 2, :, 1:] = np.nan
    return nbc.Experiment.from_array(runs, direction="minimize", algorithms=["X", "Y_m", "Z"])


def logs():
    values = np.minimum.accumulate(np.random.default_rng(0).random((6, 2, 3, 20)), axis=3)
    return nbc.Histories.from_array(values, direction="minimize")


def headings_of(notebook, level=2):
    lines = [cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown"]
    return [line[level + 1 :] for line in lines if line.startswith("#" * level + " ")]


def run(notebook):
    """Run the cells here, as a reader may; what each shows must display itself."""
    nbformat.validate(notebook)
    namespace = {"display": lambda *_: None}
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.id not in ("import", "references-code"):
            *lines, last = cell.source.splitlines()
            exec("\n".join(lines), namespace)
            assert eval(last, namespace)._repr_mimebundle_()
        elif cell.cell_type == "code":
            exec(cell.source, namespace)
    return namespace


# ---------------------------------------------------------------------------------- sections


def test_other_questions_are_told_without_python():
    costs = dataclasses.replace(DEMSAR, direction="minimize")
    notebook = nbc.Report(costs, sections=["design"]).to_notebook()
    cell = next(cell.source for cell in notebook.cells if "'questions'" in cell.source)
    found = run(notebook)["recommendation"]
    assert "profiles" in {each.code for each in found.questions}
    told = str(eval(cell, {"recommendation": found}))
    assert all(each.asks.split()[0] in told for each in found.questions)
    assert "nbc." not in told
    # where nothing else can be asked, nothing is said
    values = DEMSAR.mean_scores.copy()
    values[0, 0] = -np.inf
    failed = nbc.Experiment.from_array(values, direction="maximize", infinite="no success")
    notebook = nbc.Report(failed, sections=["design"]).to_notebook()
    assert not any("'questions'" in cell.source for cell in notebook.cells)


def test_questions_of_histories():
    notebook = nbc.Report(histories=logs(), sections=["questions"]).to_notebook()
    assert headings_of(notebook) == ["Which questions can the histories answer?"]
    assert run(notebook)["questions"].to_json() == nbc.recommend_histories(logs()).to_json()
    with pytest.raises(ValueError, match="section 'questions' needs histories of runs"):
        nbc.Report(DEMSAR, sections=["questions"])


def test_sections_and_headings_of_a_comparison():
    notebook = nbc.Report(DEMSAR).to_notebook()
    nbformat.validate(notebook)
    assert headings_of(notebook, 1) == ["Comparison of algorithms on demsar2006"]
    assert headings_of(notebook) == [
        "Findings",
        "Which algorithms differ?",
        "How firm is this?",
        "Data",
        "Methods",
    ]
    assert headings_of(notebook, 3) == ["Differences of the pairs, with intervals"]
    assert not any("nbcompare_fold" in cell.metadata for cell in notebook.cells)
    full = nbc.Report(DEMSAR, full=True).to_notebook()
    assert headings_of(full)[:5] == headings_of(notebook)
    assert headings_of(full)[5:] == ["Appendix", "References"]
    assert headings_of(full, 3) == [
        "Differences of the pairs, with intervals",
        "Which procedures reject?",
        "How designs were varied",
        "Average ranks",
        "Is there any difference?",
        "All hypotheses",
        "How this was computed",
        "Conditions of parametric tests",
        "Which tests suit the data?",
        "How large are the differences?",
    ]
    assert headings_of(full, 4) == ["How the differences were estimated"]
    assert notebook == nbc.Report(DEMSAR).to_notebook()  # ids are fixed


def test_the_answer_comes_first_and_the_appendix_is_folded():
    cells = nbc.Report(DEMSAR, full=True).to_notebook().cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert code[1].source.endswith("sensitivity.section('findings')")
    assert code[2].source.endswith(
        "nbc.plots.overview(comparison, width='single-column', title=False)"
    )
    folded = [cell.id for cell in cells if "nbcompare_fold" in cell.metadata]
    texts = {cell.id: cell.metadata.get("nbcompare_fold") for cell in cells}
    assert texts["data-datasets-code"] == "Scores on each data set"
    start = [cell.id for cell in cells].index("appendix")
    after = [cell.id for cell in cells[start + 1 :] if not cell.id.startswith("references")]
    assert after == [name for name in folded if name in after]
    assert {texts[name] for name in after} == {"Ranks, tests, conditions, alternatives and options"}
    assert "appendix" not in folded
    assert "findings" not in folded
    # the author's own text is never folded, and stands before the appendix
    own = nbc.Report(DEMSAR, full=True).add("A remark.")
    assert own.sections[own.sections.index("text-1") + 1] == "appendix"
    late = own.remove("text-1").add("A remark.", after="conditions").to_notebook().cells
    levels = {cell.id: cell.source.split(" ")[0] for cell in late if cell.cell_type == "markdown"}
    assert (levels["conditions"], levels["design"]) == ("###", "##")


@pytest.mark.parametrize(("n_algorithms", "is_beside"), [(12, True), (13, False)])
def test_the_diagram_of_many_algorithms_stands_below_the_findings(n_algorithms, is_beside):
    experiment = nbc.Experiment.from_array(
        np.random.default_rng(0).normal(size=(8, n_algorithms)), direction="minimize"
    )
    cells = nbc.Report(experiment, sections=["findings"]).to_notebook().cells
    (diagram,) = [cell for cell in cells if "plots.overview(" in cell.source]
    assert ("nbcompare-beside" in diagram.metadata.get("tags", ())) == is_beside
    assert ("width='single-column'" in diagram.source) == is_beside


@pytest.mark.parametrize(
    ("compare", "shown"),
    [
        ({}, "sensitivity.section('findings')"),
        ({"control": "C4.5", "alpha": 0.1}, "sensitivity.section('findings')"),
        ({"margin": 0.05}, "comparison.section('findings')"),
        ({"pairs": "ranks"}, "comparison.section('findings')"),
    ],
)
def test_firmness_is_told_where_the_design_is_the_primary_one(compare, shown):
    report = nbc.Report(DEMSAR, compare=compare)
    assert ("sensitivity" in report.sections) == ("pairs" not in compare)
    cells = {cell.id: cell.source for cell in report.to_notebook().cells}
    assert cells["findings-code"].endswith(shown)
    large = nbc.Report(small(n=400, k=6))
    assert "sensitivity" not in large.sections


@pytest.mark.slow
def test_a_section_shows_in_full_what_no_other_section_shows():
    alone = nbc.Report(DEMSAR, sections=["comparison"]).to_notebook()
    assert headings_of(alone, 3) == [
        "Differences of the pairs, with intervals",
        "How this was computed",
    ]
    assert "\ncomparison" in next(c.source for c in alone.cells if c.id == "comparison-code")
    of_ranks = nbc.Report(nbc.compare_ranks({"A": 1.2, "B": 1.8}, 20))
    assert of_ranks.sections == ("findings", "comparison", "methods")
    assert run(of_ranks.to_notebook())["comparison"].design.fingerprint is None


def test_a_comparison_shows_the_differences_where_there_are_intervals():
    heading = "Differences of the pairs, with intervals"

    def shown(**options):
        notebook = nbc.Report(DEMSAR, sections=["comparison"], **options).to_notebook()
        return heading in headings_of(notebook, 3), "\n".join(c.source for c in notebook.cells)

    there, text = shown(compare={"margin": 0.05})
    assert there
    assert "nbc.plots.interval_forest(comparison, title=False)" in text
    assert "inside the margin" in text
    assert "margin=0.05" in text
    assert shown(compare={"control": "C4.5"})[0]
    assert not shown(compare={"pairs": "ranks"})[0]
    assert not shown(compare={"intervals": "none"})[0]
    many = nbc.Report(small(k=7, n=14), sections=["comparison"]).to_notebook()
    assert heading not in headings_of(many, 3)


def test_a_margin_is_in_the_unit_of_one_measure():
    measures = {"AUC": DEMSAR, "error": DEMSAR}
    with pytest.raises(ValueError, match="`margin` must be left out of a report on several"):
        nbc.Report(measures, compare={"margin": 0.05})
    with pytest.raises(ValueError, match="`rope` must be left out of a report on several"):
        nbc.Report(measures, bayesian={"rope": 0.05})
    with pytest.raises(ValueError, match="`target` must be left out of a report on several"):
        nbc.Report(measures, aggregates={"target": 1})
    nbc.Report({"AUC": DEMSAR}, compare={"margin": 0.05})


@pytest.mark.parametrize(
    ("data", "full"),
    [
        (
            {"experiment": small(), "compare": {"control": "best"}},
            "findings comparison sensitivity data methods"
            " appendix conditions design signs contrast references",
        ),
        (
            {"experiment": small(k=2), "bayesian": {"rope": 0}},
            "findings comparison pair bayesian sensitivity data methods"
            " appendix conditions design contrast references",
        ),
        (
            {"experiment": with_runs(4)},
            "findings comparison +stochastic +aggregates sensitivity data methods"
            " appendix conditions design contrast references",
        ),
        (
            {"experiment": with_runs(4), "stochastic": {}, "aggregates": {}},
            "findings comparison stochastic aggregates sensitivity data methods"
            " appendix conditions design contrast references",
        ),
        (
            {"experiment": with_runs()},
            "findings cv +aggregates data methods appendix references",
        ),
        (
            {"experiment": with_runs(), "stochastic": {}},
            "findings stochastic +aggregates data methods appendix references",
        ),
        (
            {"histories": logs()},
            "findings convergence histories methods appendix references",
        ),
    ],
)
def test_default_sections_suit_the_data(data, full):
    """What has a plus, the appendix and what follows it are only there in full."""
    assert " ".join(nbc.Report(**data, full=True).sections) == full.replace("+", "")
    short, *_ = full.split(" appendix")
    expected = [name for name in short.split() if not name.startswith("+")]
    assert list(nbc.Report(**data).sections) == expected


@pytest.mark.slow
def test_every_section_runs_in_any_order():
    """Each cell makes the variables that no cell before it has made."""
    report = nbc.Report(
        dataclasses.replace(with_runs(6), domains=("a", "b", "a", "b", "a", "b")),
        histories=logs(),
        compare={"control": "X", "adjust": ["holm", "finner"]},
        stochastic={"procedure": "bootstrap-a"},
        convergence={"cutpoints": 5},
        bayesian={"rope": 0.01, "n_samples": 100},
        targets={"targets": "quantiles"},
        aggregates={"target": 0.3, "n_resamples": 50},
        plan={"largest": 3, "adjust": "holm"},
        sections=[
            name for name in reversed(SECTIONS) if name not in ("pair", "cv", "items", "runs")
        ],
    )
    namespace = run(report.to_notebook())
    assert namespace["bayesian"].control == "X"
    assert namespace["aggregates"].target == 0.3
    assert namespace["comparison"].adjust == ("holm", "finner")
    assert (namespace["plan"].largest, namespace["plan"].design.options["control"]) == (3, "X")
    assert namespace["all_pairs"].control is None
    assert namespace["stochastic"].procedure == "bootstrap-a"
    assert namespace["convergence"].cutpoints.shape == (6, 5)
    assert namespace["signs"].control == "X"


@pytest.mark.slow
def test_probabilities_are_told_with_a_region_of_equivalence_only():
    assert "bayesian" not in nbc.Report(DEMSAR).sections
    for given in ({}, {"bayesian": {}}, {"bayesian": {"threshold": 0.9}}):
        with pytest.raises(ValueError, match=r"section 'bayesian' needs `rope`.* rope=0\.01"):
            nbc.Report(DEMSAR, sections=["bayesian"], **given)
    with pytest.raises(ValueError, match="section 'bayesian' needs scores"):
        nbc.Report(histories=logs(), bayesian={"rope": 1})
    report = nbc.Report(DEMSAR, compare={"control": "best"}, bayesian={"rope": 0.01})
    notebook = report.to_notebook()
    namespace = run(notebook)
    assert namespace["bayesian"].control == namespace["comparison"].control == "C4.5+m+cf"
    assert namespace["bayesian"].rope == 0.01
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "which are the primary analysis" in text
    assert "bayesian.section('findings')" in text
    assert "bayesian.section('methods', after=[sensitivity" in text
    assert r"\mathrm{Dirichlet}" not in text
    alone = nbc.Report(DEMSAR, bayesian={"rope": 0.01}, sections=["bayesian"]).to_notebook()
    assert any(r"\mathrm{Dirichlet}" in cell.source for cell in alone.cells)


@pytest.mark.slow
def test_fixed_targets_where_optima_are_known_or_targets_given():
    data = dataclasses.replace(logs(), optimum=np.zeros(6))
    report = nbc.Report(histories=data)
    assert "targets" in report.sections
    notebook = report.to_notebook()
    namespace = run(notebook)
    assert namespace["fixed_targets"].n_targets == 51
    assert "targets" not in nbc.Report(histories=logs()).sections
    with pytest.raises(ValueError, match=r"section 'targets' needs `targets`.*'quantiles'"):
        nbc.Report(histories=logs(), sections=["targets"])
    chosen = nbc.Report(histories=logs(), targets={"targets": "quantiles"})
    assert "targets" in chosen.sections
    assert run(chosen.to_notebook())["fixed_targets"].chosen == "quantiles"
    with pytest.raises(ValueError, match="section 'targets' needs"):
        nbc.Report(DEMSAR, targets={"targets": [1]}, sections=["targets"])


def test_fixed_targets_may_be_the_only_answer():
    data = dataclasses.replace(logs(), optimum=np.zeros(6))
    sections = ["findings", "targets", "methods"]
    notebook = nbc.Report(histories=data, sections=sections).to_notebook()
    namespace = run(notebook)
    assert "convergence" not in namespace
    assert headings_of(notebook)[1] == "How long does it take to reach targets?"


@pytest.mark.slow
def test_infinite_scores_are_written_into_the_notebook():
    data = nbc.datasets.load("convergence_de")
    times = nbc.fixed_targets(data, precisions=[1e-8]).to_experiment()
    report = nbc.Report(times, full=True)
    assert not {"conditions", "contrast", "sensitivity", "signs"} & set(report.sections)
    namespace = run(report.to_notebook())
    assert namespace["experiment"].fingerprint == times.fingerprint
    assert namespace["comparison"].to_json() == nbc.compare(times).to_json()


@pytest.mark.slow
def test_probabilities_that_were_computed_before_the_report():
    found = {"first": nbc.compare(DEMSAR), "chances": nbc.compare_bayesian(DEMSAR, rope=0.01)}
    notebook = report_of(found, {"demsar": DEMSAR}).to_notebook()
    cells = {cell.id: cell.source for cell in notebook.cells}
    assert "which are the primary analysis" in cells["chances"]
    assert "chances = nbc.compare_bayesian(demsar, rope=0.01)" in cells["chances-code"]
    assert run(notebook)["chances"].to_json() == found["chances"].to_json()
    alone = report_of({"chances": found["chances"]}, {"demsar": DEMSAR})
    assert alone.sections[:2] == ("chances-findings", "chances")
    run(alone.to_notebook())
    drawn = nbc.compare_bayesian(DEMSAR, rope=0.01, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="were drawn without a seed"):
        report_of({"drawn": drawn}, {"demsar": DEMSAR})


@pytest.mark.slow
def test_probabilities_may_be_the_only_answer():
    sections = ["findings", "bayesian", "methods"]
    notebook = nbc.Report(DEMSAR, bayesian={"rope": 0.01}, sections=sections).to_notebook()
    namespace = run(notebook)
    assert "comparison" not in namespace
    cells = {cell.id: cell.source for cell in notebook.cells}
    assert "bayesian.section('findings')" in cells["findings-code"]
    assert "the primary analysis" not in "\n".join(cells.values())
    assert headings_of(notebook)[1] == "How probable is it that an algorithm is better?"


@pytest.mark.slow
def test_probabilities_on_the_folds_of_one_data_set():
    scores = np.random.default_rng(0).normal(size=(1, 3, 20))
    folds = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["X", "Y", "Z"])
    with pytest.raises(ValueError, match=r"`ratio`.*must be given"):
        nbc.Report(folds, bayesian={"rope": 0.1}).to_notebook()
    report = nbc.Report(folds, bayesian={"rope": 0.1}, cv={"ratio": 1 / 9})
    result = run(report.to_notebook())["bayesian"]
    assert (result.test, result.ratio) == ("correlated-t", 1 / 9)


def levelled(levels, runs=8, n=9, spread=0.04):
    noise = np.random.default_rng(2).normal(0, spread, (n, len(levels), 1, runs))
    return nbc.Experiment.from_array(
        noise + np.asarray(levels)[:, np.newaxis, np.newaxis],
        direction="maximize",
        algorithms=["X", "Y", "Z"][: len(levels)],
    )


@pytest.mark.slow
def test_typical_scores_stand_with_the_findings():
    data = levelled([0.4, 0.5, 0.6])
    notebook = nbc.Report(data, aggregates={"target": 0.7}).to_notebook()
    assert run(notebook)["aggregates"].target == 0.7
    cells = {cell.id: cell.source for cell in notebook.cells}
    assert "say how large the typical score of a run is" in " ".join(cells["aggregates"].split())
    assert cells["findings-aggregates-code"].endswith("aggregates.section('findings')")
    # alone, their figure is below them, for it is too wide to stand beside
    alone = nbc.Report(data, sections=["findings", "aggregates", "methods"]).to_notebook()
    assert "comparison" not in run(alone)
    (figure,) = [cell for cell in alone.cells if "interval_estimates" in cell.source]
    assert figure.source == "nbc.plots.interval_estimates(aggregates, title=False)"
    assert "tags" not in figure.metadata


@pytest.mark.parametrize(
    ("data", "there"),
    [
        (lambda: levelled([0.4, 0.6]), True),
        (lambda: levelled([0.4, 0.6], runs=3), True),
        (lambda: levelled([0.4, 0.6], runs=2), False),  # whose intervals show next to nothing
        (lambda: levelled([0.4, 0.6], runs=1), False),
        (lambda: levelled([0.4, 0.5, 0.6], runs=30, n=150), False),  # slow
    ],
)
def test_runs_are_aggregated_unasked_where_it_is_quick_and_of_use(data, there):
    assert "aggregates" not in nbc.Report(data()).sections
    assert ("aggregates" in nbc.Report(data(), full=True).sections) == there
    if data().n_runs > 1:
        asked = nbc.Report(data(), aggregates={"n_resamples": 20})
        assert "aggregates" in asked.sections
        assert not any("typical scores" in text for text in asked.picked)


@pytest.mark.slow
def test_scores_on_several_scales_are_told_without_a_figure_of_aggregates():
    data = levelled([0.4, 0.6])
    scores = data.scores * 10.0 ** np.arange(9).reshape(-1, 1, 1, 1)
    wide = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["X", "Y"])
    notebook = nbc.Report(wide, aggregates={}).to_notebook()
    cells = {cell.id: cell.source for cell in notebook.cells}
    assert "aggregates-interval-estimates-code" not in cells
    assert "aggregates-improvement-matrix" in cells
    assert "option baseline" in str(run(notebook)["aggregates"])
    alone = nbc.Report(wide, sections=["findings", "aggregates"]).to_notebook()
    run(alone)
    shown = {cell.id: cell.source for cell in alone.cells}
    assert shown["findings-improvement-matrix-code"].endswith(
        "improvement_matrix(aggregates, title=False)"
    )
    names = list(map(str, range(1, 10)))
    ends = {name: (0, 10.0**i) for i, name in enumerate(names)}
    pooled = nbc.Report(wide, aggregates={"baseline": ends}).to_notebook()
    assert "aggregates-interval-estimates-code" in {cell.id for cell in pooled.cells}
    assert run(pooled)["aggregates"].mean.estimate == pytest.approx([0.4, 0.6], abs=0.05)


@pytest.mark.slow
def test_aggregates_that_were_computed_before_the_report():
    data = levelled([0.4, 0.6])
    found = {"tests": nbc.compare_stochastic(data), "typical": nbc.aggregate_runs(data, target=1)}
    notebook = report_of(found, {"data": data}).to_notebook()
    cells = {cell.id: cell.source for cell in notebook.cells}
    assert "typical = nbc.aggregate_runs(data, target=1.0)" in cells["typical-code"]
    assert run(notebook)["typical"].to_json() == found["typical"].to_json()
    drawn = nbc.aggregate_runs(data, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="were drawn without a seed"):
        report_of({"drawn": drawn}, {"data": data})


def test_one_data_set_by_its_folds():
    scores = np.random.default_rng(0).normal(size=(1, 3, 20))
    folds = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["X", "Y", "Z"])
    report = nbc.Report(folds, compare={"control": "X"}, cv={"ratio": 1 / 9})
    assert "cv" in report.sections
    namespace = run(report.to_notebook())
    expected = nbc.compare_cv(folds, control="X", ratio=1 / 9)
    assert namespace["cv"].to_json() == expected.to_json()
    with pytest.raises(ValueError, match=r"`ratio`.*must be given"):
        nbc.Report(folds, sections=["cv"]).to_notebook()
    with pytest.raises(ValueError, match=r"section 'cv' compares .* one data set; there are 5"):
        nbc.Report(with_runs(5), sections=["cv"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("experiment", "compare"),
    [
        (small(k=2), {}),
        (small(), {"ranking": "quade", "formulas": "printed", "control": "best"}),
        (DEMSAR, {"pairs": "t", "adjust": "auto", "alpha": 0.1}),
    ],
)
def test_every_cell_of_a_comparison_runs(experiment, compare):
    namespace = run(nbc.Report(experiment, compare=compare).to_notebook())
    expected = nbc.compare(experiment, **compare)
    assert namespace["comparison"].to_json() == expected.to_json()


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["drop", "skillings-mack"])
def test_gaps(missing):
    scores = np.random.default_rng(3).normal(size=(7, 3))
    scores[2, 1] = np.nan
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    report = nbc.Report(experiment, compare={"missing": missing, "control": "A1"}, full=True)
    notebook = report.to_notebook()
    assert ("signs" in report.sections) == (missing == "drop")
    text = "\n".join(cell.source for cell in notebook.cells)
    assert ("$SM" in text) == (missing == "skillings-mack")
    run(notebook)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"procedure": "fuzzy"}, ["membership"]),
        ({"procedure": "interval", "control": "Z"}, ["interval_forest"]),
        ({}, ["section('overall')", "interval_forest"]),
    ],
)
def test_repeated_runs_on_one_data_set(options, shown):
    notebook = nbc.Report(with_runs(), stochastic=options, full=True).to_notebook()
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for part in shown:
        assert part in code
    found = run(notebook)["stochastic"]
    assert found.to_json() == nbc.compare_stochastic(with_runs(), **options).to_json()


def test_own_text_is_named_placed_moved_and_removed():
    report = nbc.Report(DEMSAR, sections=["data", "comparison", "references"])
    told = report.add("## Setting\n\n100 *trees*.", after="data").add("A remark.")
    assert told.sections == ("data", "text-1", "comparison", "text-2", "references")
    assert told.move("text-2", before="data").sections[0] == "text-2"
    assert told.move("data", after="comparison").sections[1:3] == ("comparison", "data")
    assert told.remove("text-1", "comparison").sections == ("data", "text-2", "references")
    assert report.sections == ("data", "comparison", "references")
    named = told.remove("text-1").add("Another.", name="end", after="references")
    assert named.sections[-1] == "end"
    cells = named.to_notebook().cells
    assert [cell.source for cell in cells if cell.id in ("text-2", "end")] == [
        "A remark.",
        "Another.",
    ]
    again = nbc.Report(DEMSAR, sections=["# My own words", "data", "Some more."])
    assert again.sections == ("text-1", "data", "text-2")


def test_a_side_is_that_of_the_control():
    compare = {"control": "C4.5", "alternative": "worse", "scale": "one"}
    text = str(
        nbc.Report(DEMSAR, compare=compare, sections=["comparison", "all-pairs", "signs"])
        .to_notebook()
        .cells
    )
    calls = re.findall(r"nbc\.(?:compare|multiple_sign_test)\([^)]*\)", text)
    assert [("alternative" in call) for call in calls] == [True, False, True], calls


def test_all_pairs_beside_a_control_is_another_comparison():
    notebook = nbc.Report(
        DEMSAR, compare={"control": "C4.5", "alpha": 0.1}, sections=["comparison", "all-pairs"]
    ).to_notebook()
    code = "\n".join(cell.source for cell in notebook.cells)
    assert "comparison = nbc.compare(experiment, control='C4.5', alpha=0.1)" in code
    assert "all_pairs = nbc.compare(experiment, alpha=0.1)" in code
    shared = nbc.Report(DEMSAR, sections=["all-pairs", "comparison"]).to_notebook()
    code = "\n".join(cell.source for cell in shared.cells)
    assert code.count("nbc.compare(") == 1
    assert "nbc.plots.multi_comparison_matrix(comparison, title=False)" in code


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda r: nbc.Report(), "a report needs an `experiment`, `histories`, or both"),
        (lambda r: nbc.Report(3), "`experiment` must be an Experiment; got int"),
        (lambda r: nbc.Report(DEMSAR, histories=DEMSAR), "`histories` must be of class Histories"),
        (lambda r: r.add("comparson"), "`section` must be .*got 'comparson'. Did you mean"),
        (lambda r: r.add("convergence"), "section 'convergence' needs histories of runs"),
        (lambda r: r.add("signs"), "section 'signs' needs a control"),
        (lambda r: r.add("pair"), "section 'pair' compares two algorithms; there are 4"),
        (lambda r: r.add("data"), "must not have a name twice; got 'data' again"),
        (lambda r: r.add("x y", after="signs"), "`after` must be .*got 'signs'"),
        (lambda r: r.add("x y", after="data", before="data"), "by `after` or by `before`"),
        (lambda r: r.add("x y", name="data"), "`name` must be a word that is not the name of"),
        (lambda r: r.remove("signs"), "`name` must be .*got 'signs'"),
        (lambda r: r.move("data"), "by `after` or by `before`"),
        (lambda r: nbc.Report(DEMSAR, sections="data"), "`sections` must be a list of names"),
        (lambda r: nbc.Report(DEMSAR, authors=3), "`authors` must be a list of names; got 3"),
        (lambda r: nbc.Report(DEMSAR, abstract=3), "`abstract` must be text; got 3"),
        (
            lambda r: nbc.Report(DEMSAR, compare={"control": "nobody"}).to_notebook(),
            "`control` must be one of",
        ),
    ],
)
def test_mistakes(mistake, message):
    with pytest.raises((ValueError, TypeError), match=message):
        mistake(nbc.Report(DEMSAR))


def test_the_day_of_the_export_is_printed_when_asked_for():
    def date(report):
        return report.to_notebook().metadata.get("date")

    report = nbc.Report(DEMSAR, sections=["data"], date="today")
    assert report.date == "today"
    before = datetime.date.today()
    printed = date(report)
    assert before <= datetime.date.fromisoformat(printed) <= datetime.date.today()
    assert date(dataclasses.replace(report, date="2026-05-01")) == "2026-05-01"
    assert date(dataclasses.replace(report, date="Today, in May")) == "Today, in May"
    assert date(dataclasses.replace(report, date=None)) is None


def test_metadata():
    report = nbc.Report(
        DEMSAR,
        histories=logs(),
        title="A & B",
        authors=["Ada", "Grace"],
        abstract="We *compare*.",
        date=datetime.date(2026, 5, 1),
        sections=["data"],
    )
    notebook = report.to_notebook()
    assert notebook.cells[0].source == "# A &amp; B"  # as Markdown
    assert {**notebook.metadata, "kernelspec": None} == {
        "kernelspec": None,
        "language_info": {"name": "python"},
        "title": "A & B",
        "authors": [{"name": "Ada"}, {"name": "Grace"}],
        "date": "2026-05-01",
        "abstract": "We *compare*.",
        "nbcompare": {
            "version": nbc.__version__,
            "prints_code": False,
            "fingerprint": DEMSAR.fingerprint,
            "histories_fingerprint": logs().fingerprint,
        },
    }
    assert repr(report) == "<Report: 'A & B', 1 section>"


# -------------------------------------------------------------------------------------- data


def code_of(data, folder):
    return Source(data, "made").code(folder)


def test_a_file_is_read_again_by_its_path(tmp_path):
    path = tmp_path / "scores.v1.csv"
    path.write_text("name;A;B\nx;1,5;2\ny;2;1,25\n", encoding="utf-8")
    options = {"direction": "minimize", "dataset": "name", "decimal": ","}
    experiment = nbc.Experiment.read(str(path), **options)
    code = code_of(experiment, tmp_path / "out")
    assert code == (
        "made = nbc.Experiment.read('../scores.v1.csv', direction='minimize', dataset='name', "
        "decimal=',')"
    )
    assert nbc.Report(experiment)._title == "Comparison of algorithms on scores"
    assert "io.StringIO" in code_of(experiment.select(algorithms=["B", "A"]), tmp_path)


@pytest.mark.parametrize("change", ["later", "other", "gone", "broken"])
def test_a_file_that_changed_since_is_not_trusted(tmp_path, change):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,A,B\nx,1,2\ny,2,1\n", encoding="utf-8")
    experiment = nbc.Experiment.read(path, direction="minimize")
    if change == "gone":
        path.unlink()
    else:
        text = {"later": "dataset,A,B\nx,1.0,2\ny,2,1\n", "other": "dataset,A,B\nx,1,2\ny,2,3\n"}
        path.write_text(text.get(change, "rubbish"), encoding="utf-8")
    code = code_of(experiment, tmp_path)
    assert ("nbc.Experiment.read('scores.csv'" in code) == (change == "later")
    made = sources.load_again(code.replace("'scores.csv'", repr(str(path))), "made")
    assert made.fingerprint == experiment.fingerprint


def test_bundled_data_are_loaded_by_name(tmp_path):
    assert code_of(DEMSAR, tmp_path) == "made = nbc.datasets.load('demsar2006')"


HOSTILE = ["NA", 'a "q" """x', "c\\d", "ü, ß", "nan", "1", "'", "{x}", "#", "score"]


@pytest.mark.parametrize(
    "data",
    [
        small(len(HOSTILE), datasets=HOSTILE, algorithms=HOSTILE[:3], measure="error"),
        small(3, 10, algorithms=HOSTILE),
        small(3, 3, algorithms=["dataset", "run", "lower"]),
        nbc.Experiment.from_array(
            [[np.nan, 1 / 3, 1e-300], [0.1, 2.5e17, -0.0], [1, 2, 3]], direction="maximize"
        ),
        with_runs(2),
        nbc.Experiment.from_frame(
            pd.DataFrame(
                {"dataset": ["b", "b", "a"], "algorithm": ["z", "y", "y"]}
                | {"lower": [0.1, 0.2, 0.3], "upper": [0.15, 0.2, 0.4]}
            ),
            direction="minimize",
        ),
        DEMSAR.select(datasets=["iris", "wine"]),
        logs(),
    ],
    ids=repr,
)
def test_data_from_no_file_stand_in_the_notebook(tmp_path, data):
    code = code_of(data, tmp_path)
    made = sources.load_again(code, "made")
    assert made.fingerprint == data.fingerprint
    for name in ("datasets", "problems", "algorithms", "folds", "measure", "citation"):
        assert getattr(made, name, None) == getattr(data, name, None)
    for name in ("lower", "upper", "values", "evaluations"):
        if hasattr(data, name):
            np.testing.assert_array_equal(getattr(made, name), getattr(data, name))


@pytest.mark.slow
def test_large_data_from_no_file_stand_beside_every_report(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_MOST_INSIDE", 50)
    experiment = small(measure="loss")
    report = nbc.Report(experiment, sections=["data"])
    with pytest.raises(ValueError, match="too long for a cell; export"):
        report.to_notebook()
    (tmp_path / "other").mkdir()
    written = report.export(tmp_path / "a.ipynb", tmp_path / "other" / "b.ipynb")
    name = f"experiment-{experiment.fingerprint[7:19]}.csv"
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "a.ipynb",
        name,
        "other/b.ipynb",
        f"other/{name}",
    ]
    for path in written[::2]:
        notebook = nbformat.read(path, as_version=4)
        code = notebook.cells[3].source.splitlines()[0]
        assert re.fullmatch(rf"experiment = nbc\.Experiment\.read\('{name}', .*\)", code)
        assert "loss" in notebook.cells[3].outputs[0]["data"]["text/html"]
        made = sources.load_again(code.replace(name, str(path.with_name(name))), "experiment")
        assert made.fingerprint == experiment.fingerprint


@pytest.mark.slow
def test_a_report_is_written_to_several_folders(tmp_path):
    """Paths to the data are seen from where each notebook stands; outputs are the same."""
    path = tmp_path / "scores.csv"
    path.write_text("dataset,A,B\nx,1,2\ny,2,1\nz,1,3\n", encoding="utf-8")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    report = nbc.Report(nbc.Experiment.read(path, direction="minimize"), sections=["data", "pair"])
    outputs = [tmp_path / "a.html", tmp_path / "b.ipynb", tmp_path / "deep" / "er" / "c.ipynb"]
    assert report.export(*outputs) == tuple(outputs)
    near, far = (nbformat.read(output, as_version=4) for output in outputs[1:])
    assert "read('scores.csv'" in near.cells[3].source
    assert "read('../../scores.csv'" in far.cells[3].source
    assert [cell.get("outputs") for cell in near.cells] == [
        cell.get("outputs") for cell in far.cells
    ]
    assert all(cell.outputs for cell in near.cells[3:] if cell.cell_type == "code")
    assert str(tmp_path) not in outputs[0].read_text(encoding="utf-8")


def test_references_are_those_of_the_sections_that_are_there():
    report = nbc.Report(DEMSAR, compare={"control": "C4.5"}, full=True)

    def cited(report):
        (code,) = [
            cell.source for cell in report.to_notebook().cells if "'references'" in cell.source
        ]
        return re.findall(r"(\w+)\.section", code)

    shown = ["comparison", "sensitivity", "description", "conditions", "recommendation", "signs"]
    assert sorted(cited(report)) == sorted([*shown, "contrast"])
    # signs need the control of a comparison, which is then not shown
    about = ("findings", "comparison", "methods", "appendix", "sensitivity", "conditions")
    assert cited(report.remove(*about)) == ["description", "recommendation", "signs", "contrast"]


# --------------------------------------------------------------------- the head of a report


def codes_of(report):
    return [c.source.splitlines()[-1] for c in report.to_notebook().cells if c.cell_type == "code"]


def test_a_report_begins_with_the_description():
    report = nbc.Report(DEMSAR, sections=["data"], compare={"alpha": 0.1})
    # with one score each, the description shows the scores themselves
    assert codes_of(report) == ["import nbcompare as nbc", "description"]
    namespace = run(report.to_notebook())
    assert namespace["description"].to_json() == nbc.describe(DEMSAR, alpha=0.1).to_json()
    runs = np.random.default_rng(1).normal(size=(3, 2, 1, 8)).round(3)
    repeated = nbc.Experiment.from_array(runs, direction="minimize")
    report = nbc.Report(repeated, sections=["data"])
    assert codes_of(report)[1:] == ["description", "experiment"]
    assert headings_of(report.to_notebook(), 3)[-1] == "Scores"


def test_a_description_that_is_there_is_not_shown_twice():
    from nbcompare.report.collect import report_of

    results = {"mine": nbc.describe(DEMSAR, alpha=0.2), "ranks": nbc.compare(DEMSAR)}
    report = report_of(results, {"data": DEMSAR})
    assert report.sections == ("ranks-findings", "ranks", "mine", "ranks-methods")
    code = "\n".join(c.source for c in report.to_notebook().cells)
    assert code.count("nbc.describe(") == 1
    assert "mine = nbc.describe(data, alpha=0.2)" in code
    other = report_of({"ranks": results["ranks"]}, {"data": DEMSAR})
    assert other.sections == ("ranks-findings", "ranks", "data", "ranks-methods")
    assert "description = nbc.describe(data)" in "\n".join(
        c.source for c in other.to_notebook().cells
    )


def test_the_comparison_by_means_is_the_primary_analysis():
    scores = np.random.default_rng(3).random((6, 3, 1, 4)).round(2)
    data = nbc.Experiment.from_array(scores, direction="minimize")
    texts = {
        cell.id: cell.source
        for cell in nbc.Report(data, stochastic={}).to_notebook().cells
        if cell.cell_type == "markdown"
    }
    assert "by means is the primary analysis and the answer" in texts["findings-stochastic"]
    alone = nbc.Report(data, stochastic={}, sections=["stochastic"]).to_notebook()
    assert not any("primary" in cell.source for cell in alone.cells)


def test_what_is_stated_of_the_scales_holds_for_all_sections():
    scores = (
        np.random.default_rng(4).random((8, 3, 1, 4)) * 10.0 ** np.arange(8)[:, None, None, None]
    )
    data = nbc.Experiment.from_array(scores, direction="minimize")
    sections = ["design", "comparison", "sensitivity", "contrast", "stochastic"]
    names = ("recommend", "compare", "sensitivity", "contrast_estimation", "compare_stochastic")
    for stochastic, last in ((None, "one"), ({"scale": "several"}, "several")):
        stated = nbc.Report(
            data, compare={"scale": "one"}, stochastic=stochastic, sections=sections
        ).to_notebook()
        for name in names:
            (call,) = (cell.source for cell in stated.cells if f"nbc.{name}(" in cell.source)
            word = last if name == "compare_stochastic" else "one"
            assert f"scale='{word}'" in call.replace('"', "'")


def test_it_is_told_how_a_file_was_read_and_what_was_left_out(tmp_path, monkeypatch):
    rows = [
        f"d{d},{name},{split},{'timeout' if name == 'C' and not d % 3 else 'ok'},0.{d}{i}{k}"
        for d in range(1, 8)
        for i, name in enumerate("ABC", 3)
        for k, split in enumerate(("test", "dev"))
    ]
    path = tmp_path / "file.csv"
    path.write_text("\n".join(["dataset,algorithm,split,state,score", *rows]))
    failures = {"status": "state", "ok": ["ok"], "failed": "worst"}
    experiment = nbc.Experiment.read(
        path, direction="maximize", where={"split": "test"}, **failures
    )
    report = nbc.Report(experiment, sections=["data"])
    (told,) = [
        cell.source.replace("\\", "")
        for cell in report.to_notebook().cells
        if cell.source.startswith("## Data")
    ]
    assert "file.csv: 7 data sets" in told
    assert "21 of 42 rows. Only rows with split test. 2 failed runs count as the worst" in told
    monkeypatch.chdir(tmp_path)
    code = Source(experiment, "experiment").code(tmp_path)
    assert "where={'split': 'test'}" in code
    assert sources.load_again(code, "experiment").fingerprint == experiment.fingerprint
    of_frame = nbc.Report(nbc.Experiment.from_frame(experiment.to_frame(), direction="maximize"))
    assert not any("in columns" in cell.source for cell in of_frame.to_notebook().cells)
