"""One report of several measures, and its verification."""

import dataclasses

import nbformat
import numpy as np
import pandas as pd

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
