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


def test_a_margin_is_in_the_unit_of_one_measure():
    measures = {"AUC": DEMSAR, "error": DEMSAR}
    with pytest.raises(ValueError, match="`margin` must be left out of a report on several"):
        nbc.Report(measures, compare={"margin": 0.05})
    with pytest.raises(ValueError, match="`rope` must be left out of a report on several"):
        nbc.Report(measures, bayesian={"rope": 0.05})
    with pytest.raises(ValueError, match="`target` must be left out of a report on several"):
        nbc.Report(measures, aggregates={"target": 1})
    nbc.Report({"AUC": DEMSAR}, compare={"margin": 0.05})


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


FOLDS = nbc.Experiment.from_array(
    np.random.default_rng(0).normal(size=(1, 3, 20)), direction="maximize"
)
DRAWN = nbc.compare_bayesian(DEMSAR, rope=0.01, n_samples=50, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda r: nbc.Report(), "a report needs an `experiment`, `histories`, or both"),
        (lambda r: nbc.Report(3), "`experiment` must be an Experiment; got int"),
        (lambda r: nbc.Report(DEMSAR, histories=DEMSAR), "`histories` must be of class Histories"),
        (lambda r: r.add("comparson"), "`section` must be .*got 'comparson'. Did you mean"),
        (lambda r: r.add("convergence"), "section 'convergence' needs histories of runs"),
        (lambda r: r.add("signs"), "section 'signs' needs a control"),
        (lambda r: r.add("bayesian"), r"section 'bayesian' needs `rope`.* rope=0\.01"),
        (lambda r: nbc.Report(histories=logs(), bayesian={"rope": 1}), "'bayesian' needs scores"),
        (lambda r: nbc.Report(histories=logs()).add("targets"), "needs `targets`.*'quantiles'"),
        (lambda r: r.add("targets"), "section 'targets' needs"),
        (lambda r: nbc.Report(with_runs(5), sections=["cv"]), "'cv' compares .* there are 5"),
        (lambda r: nbc.Report(FOLDS, sections=["cv"]).to_notebook(), "`ratio`.*must be given"),
        (lambda r: report_of({"x": DRAWN}, {"data": DEMSAR}), "were drawn without a seed"),
        (lambda r: nbc.Report({"a": DEMSAR}).add("contrast"), "must be among the `sections`"),
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
        nbc.Experiment.from_array(
            [[1.5, np.inf], [2.5, 3.0]], direction="minimize", infinite="no success"
        ),
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


# --------------------------------------------------------------------- the head of a report


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
