"""One report of several measures, and its verification."""

import dataclasses

import nbformat
import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.report import verify
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.report.notebook.source import load_again
from nbcompare.results import Labelled

DIRECTIONS = {"accuracy": "maximize", "log loss": "minimize"}


def table(n=6, seed=0):
    rng = np.random.default_rng(seed)
    accuracy = rng.uniform(0.6, 0.9, (n, 3)).round(3) + np.array([0.0, 0.02, 0.05])
    return pd.DataFrame(
        {
            "dataset": np.repeat([f"d{i}" for i in range(n)], 3),
            "algorithm": ["A", "B", "C"] * n,
            "accuracy": accuracy.ravel(),
            "log loss": (2 - accuracy + rng.normal(0, 0.02, (n, 3))).ravel().round(4),
        }
    )


def both(frame=None):
    frame = table() if frame is None else frame
    return nbc.Experiment.read_measures(frame, measures=list(DIRECTIONS), direction=DIRECTIONS)


def cells_of(notebook, namespace):
    """Run the cells, and return what each displays."""
    shown = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            *lines, last = cell.source.split("\n")
            try:
                compile(last, "cell", "eval")
            except SyntaxError:
                exec(cell.source, namespace)
                continue
            exec("\n".join(lines), namespace)
            shown.append(eval(last, namespace))
    return shown


@pytest.mark.slow
def test_every_section_is_told_of_each_measure():
    report = nbc.Report(both(), compare={"control": "A"}, sections=["comparison", "signs"])
    assert report.sections == (
        "measures", "comparison_accuracy", "signs_accuracy", "comparison_log_loss",
        "signs_log_loss",
    )  # fmt: skip
    notebook = report.to_notebook()
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for words in (
        "Which algorithms differ? (accuracy)",
        "Which algorithms differ? (log loss)",
        "accuracy (higher is better); log loss (lower is better)",
        "Nothing is adjusted over the measures",
    ):
        assert words in text
    namespace = {}
    cells_of(notebook, namespace)
    for name, experiment in both().items():
        alone = nbc.compare(experiment, control="A")
        found = namespace[f"comparison_{name.replace(' ', '_')}"]
        assert found.to_json() == alone.to_json()
    assert "comparison_log_loss" not in report.remove("comparison_log_loss").sections
    with pytest.raises(ValueError, match="must be among the `sections`"):
        report.add("contrast")


def test_measures_with_names_that_look_alike():
    one, two = both().values()
    report = nbc.Report({"F1": one, "f1": two, "***": one}, sections=["data"])
    assert report.sections == ("measures", "data_f1", "data_f1_2", "data_measure")
    texts = [cell.source for cell in report.to_notebook().cells]
    assert "\\*\\*\\*" in texts[2]
    assert any(text.startswith(r"## Data (\*\*\*)") for text in texts)


@pytest.mark.slow
def test_the_standard_report_has_an_overview_a_page_of_each_and_the_methods_once():
    report = nbc.Report(both(table(12)), compare={"pairs": "ranks"})
    assert report.sections == (
        "measures", "findings_accuracy", "comparison_accuracy", "findings_log_loss",
        "comparison_log_loss", "methods_accuracy", "methods_log_loss",
    )  # fmt: skip
    notebook = report.to_notebook()
    titles = [c.source.splitlines()[0] for c in notebook.cells if c.source.startswith("## ")]
    assert titles == [
        "## Measures",
        "## Findings (accuracy)",
        "## Which algorithms differ? (accuracy)",
        "## Findings (log loss)",
        "## Which algorithms differ? (log loss)",
        "## Methods",
    ]
    assert "The other measures were compared in the same way." in notebook.cells[-2].source
    begun = [c.source for c in notebook.cells if "nbcompare-page" in c.metadata.get("tags", [])]
    assert begun == ["## Findings (accuracy)", "## Findings (log loss)"]
    (overview,) = [c.source for c in notebook.cells if c.source.startswith("## Measures")]
    for measure, experiment in both(table(12)).items():
        result = nbc.compare(experiment, pairs="ranks")
        best = result.ordered[0]
        assert f"| {measure} | {best} ({result.average_ranks[best]:.2f}) | " in overview
    shown = cells_of(notebook, {})
    names = [text.get_text() for text in shown[0].artists["columns"]]
    assert names == ["accuracy", "log loss"]
    # other methods have their own paragraph
    frame = table()
    frame.loc[0, "log loss"] = np.nan
    other = nbc.Report(both(frame), compare={"missing": "drop"}).to_notebook()
    titles = [c.source.splitlines()[0] for c in other.cells if c.source.startswith("## Methods")]
    assert titles == ["## Methods (accuracy)", "## Methods (log loss)"]


def test_each_measure_is_read_again_from_the_file(tmp_path):
    table().to_csv(tmp_path / "scores.csv", index=False)
    found = nbc.Experiment.read_measures(
        tmp_path / "scores.csv", measures=list(DIRECTIONS), direction=DIRECTIONS
    )
    notebook = nbc.Report(found, sections=["data"]).to_notebook(tmp_path)
    codes = [cell.source for cell in notebook.cells if "read_measures" in cell.source]
    assert len(codes) == 2
    for code, experiment in zip(codes, found.values(), strict=True):
        code = next(line for line in code.splitlines() if "read_measures" in line)
        variable = code.partition(" = ")[0]
        code = code.replace("'scores.csv'", repr(str(tmp_path / "scores.csv")))
        assert load_again(code, variable).fingerprint == experiment.fingerprint
    changed = table(seed=1)
    changed.to_csv(tmp_path / "scores.csv", index=False)  # which no longer holds these data
    notebook = nbc.Report(found, sections=["data"]).to_notebook(tmp_path)
    assert not any("read_measures" in cell.source for cell in notebook.cells)


def page_of(results, path):
    outputs = [nbformat.v4.new_output("display_data", one._repr_mimebundle_()) for one in results]
    cells = [nbformat.v4.new_code_cell("show", outputs=[output]) for output in outputs]
    notebook = nbformat.v4.new_notebook(cells=cells)
    path.write_text(ReportHTMLExporter().from_notebook_node(notebook)[0], "utf-8")
    return path


def test_verify_takes_the_measure_of_each_result(tmp_path):
    found = both()
    page = page_of([nbc.compare(one) for one in found.values()], tmp_path / "r.html")
    assert verify(page, data=found).holds
    table().to_csv(tmp_path / "scores.csv", index=False)
    assert verify(page, data=tmp_path / "scores.csv", reading={"measures": list(DIRECTIONS)}).holds
    swapped = dict(zip(found, reversed(found.values()), strict=True))
    swapped = {name: dataclasses.replace(one, measure=name) for name, one in swapped.items()}
    assert not verify(page, data=swapped).holds


def test_verify_takes_directions_from_the_report(tmp_path):
    frame = table().pivot_table(index="dataset", columns="algorithm", values="accuracy")
    frame.to_csv(tmp_path / "scores.csv")
    turned = nbc.Experiment.from_frame(frame, direction={"d2": "minimize", None: "maximize"})
    page = page_of([nbc.compare(turned)], tmp_path / "r.html")
    assert verify(page, data=tmp_path / "scores.csv").holds
    assert not verify(page, data=tmp_path / "scores.csv", reading={"direction": "maximize"}).holds


def test_verify_takes_groups(tmp_path):
    frame = table(8).pivot_table(index="dataset", columns="algorithm", values="accuracy")
    experiment = nbc.Experiment.from_frame(
        frame, direction="maximize", domain={f"d{i}": "xy"[i % 2] for i in range(8)}
    )
    result = nbc.compare_by(experiment, across=True)
    views = [result, *map(result.section, ("groups", "ranks", "hypotheses", "methods"))]
    page = page_of(views, tmp_path / "r.html")
    assert verify(page, data=experiment).holds
    other = dataclasses.replace(experiment, domains=experiment.domains[::-1])
    assert not verify(page, data=other).holds
    plain = dataclasses.replace(experiment, domains=None)
    assert "no groups of data sets" in str(verify(page, data=plain))


def test_groups_of_another_version(tmp_path):
    """The version and the words of every group may differ, its numbers may not."""
    frame = table(8).pivot_table(index="dataset", columns="algorithm", values="accuracy")
    experiment = nbc.Experiment.from_frame(
        frame, direction="maximize", domain={f"d{i}": "xy"[i % 2] for i in range(8)}
    )
    result = nbc.compare_by(experiment, control="best")

    def older(one, **more):
        note = dataclasses.replace(one.notes[-1], text="In other words.")
        design = dataclasses.replace(one.design, version="0.0.9")
        return dataclasses.replace(one, design=design, notes=(*one.notes[:-1], note), **more)

    groups = {name: older(one) for name, one in result.groups.items()}
    page = page_of([older(result, groups=Labelled(groups))], tmp_path / "r.html")
    assert verify(page, data=experiment).holds
    wrong = dataclasses.replace(groups["x"], standard_error=1.0)
    changed = older(result, groups=Labelled({**groups, "x": wrong}))
    page = page_of([changed], tmp_path / "r.html")
    problems = verify(page, data=experiment).all_problems
    assert any("groups['x'].standard_error is 1.0" in problem for problem in problems)
