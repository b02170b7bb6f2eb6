"""Projects: the same back from the file, the same file again, and nothing taken on trust."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.project import Example, File

SCORES = "data;size;A;B\niris;150;0,9;0,8\nwine;178;0,8;0,7\nzoo;101;0,7;0,75\n"
READING = {"direction": "maximize", "ignore": ["size"], "decimal": ","}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(SCORES, encoding="utf-8")
    return tmp_path


def changed(path, edit):
    """Write the parts of a project again, with a change."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    edit(parts)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def about(**changes):
    """An edit of what a project says of itself."""

    def edit(parts):
        said = json.loads(parts["project.json"])
        parts["project.json"] = json.dumps({**said, **changes}).encode()

    return edit


def test_a_file_is_kept_as_it_is_with_what_was_said_of_it(folder):
    experiment = nbc.Experiment.read("scores.csv", **READING)
    path = nbc.Project(experiment, settings={"Comparison": {"alpha": 0.1}}).save("a.nbcompare")
    Path("scores.csv").unlink()
    project = nbc.open_project(path)
    assert project.given == {"experiment": File("scores.csv", SCORES.encode(), READING)}
    assert project.experiment.fingerprint == experiment.fingerprint
    assert project.experiment.schema == experiment.schema
    assert project.settings == {"Comparison": {"alpha": 0.1}}
    assert project.histories is None
    assert sorted(each.name for each in folder.iterdir()) == ["a.nbcompare"]


def test_a_file_that_has_changed_since_is_not_taken_for_the_data(folder):
    experiment = nbc.Experiment.read("scores.csv", **READING)
    Path("scores.csv").write_text(SCORES.replace("0,9", "0,95"), encoding="utf-8")
    project = nbc.open_project(nbc.Project(experiment).save("a.nbcompare"))
    assert project.given["experiment"] is project.experiment
    assert project.experiment.fingerprint == experiment.fingerprint


@pytest.mark.parametrize("name", ["stochastic_cv", "otero2013_auc", "demsar2006"])
def test_an_experiment_comes_back_whole(name, tmp_path):
    experiment = replace(nbc.datasets.load_experiment(name), citation="Somebody, 2026")
    path = nbc.Project(experiment).save(tmp_path / "a.nbcompare")
    again = nbc.open_project(path).experiment
    assert again.fingerprint == experiment.fingerprint
    assert str(again) == str(experiment)
    for field in ("datasets", "algorithms", "folds", "runs", "citation", "notes", "schema"):
        assert getattr(again, field) == getattr(experiment, field)


def test_data_with_everything_that_a_table_can_say(tmp_path):
    scores = np.array([[0.5, np.nan], [-0.0, 1e-300], [0.1 + 0.2, np.inf], [1.0, 2.0]])
    timed = nbc.Experiment.from_array(scores, direction="minimize", infinite="timeout")
    timed = replace(timed, domains=("a", "a", "b", "b"), deviations=np.ones((4, 2)))
    answers = {"item": ["q1", "q2", "q3"], "p": ["x", "x", "y"], "A": [0, 1, 1], "B": [1, 1, 0]}
    items = nbc.Experiment.from_frame(
        pd.DataFrame(answers), direction="maximize", item="item", cluster="p"
    )
    for experiment in (timed, items):
        path = nbc.Project(experiment).save(tmp_path / "a.nbcompare")
        again = nbc.open_project(path).experiment
        assert again.fingerprint == experiment.fingerprint
        assert again.domains == experiment.domains
        assert np.array_equal(again.lower, experiment.lower, equal_nan=True)


def test_histories_come_back_with_what_was_logged(tmp_path):
    histories = replace(nbc.datasets.load_histories("convergence_de"), measure="error")
    path = nbc.Project(histories=histories).save(tmp_path / "a.nbcompare")
    again = nbc.open_project(path).histories
    assert again.fingerprint == histories.fingerprint
    assert again.problems == histories.problems
    example = nbc.datasets.load_histories("convergence_de")
    assert nbc.Project(histories=example).given == {"histories": Example("convergence_de")}


def test_results_come_back_and_another_version_names_itself(tmp_path):
    result = nbc.compare(nbc.datasets.load("demsar2006"))
    path = nbc.Project(results={"Comparison": result}).save(tmp_path / "a.nbcompare")
    assert nbc.open_project(path).results["Comparison"].to_json() == result.to_json()
    changed(path, lambda parts: parts.update({"results/1.json": b'{"schema": 99}'}))
    with pytest.raises(ValueError, match=r"a\.nbcompare has a result 'Comparison' that nbcompare"):
        _ = nbc.open_project(path).results


def test_the_same_project_gives_the_same_bytes(folder):
    experiment = nbc.Experiment.read("scores.csv", **READING)
    project = nbc.Project(experiment, settings={"Runs": {}}, page="Runs")
    first = project.save("a.nbcompare").read_bytes()
    assert nbc.open_project("a.nbcompare").save("b.nbcompare").read_bytes() == first


@pytest.mark.posix  # Windows cannot store these files
@pytest.mark.parametrize(
    ("name", "plain"), [("nul.csv", "_nul.csv"), ("a:b.csv", "b.csv"), ("a\\b.csv", "b.csv")]
)
def test_a_project_has_names_that_every_system_can_store(folder, name, plain):
    (folder / "scores.csv").rename(name)
    path = nbc.Project(nbc.Experiment.read(name, **READING)).save("a.nbcompare")
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("project.json"))["data"]["experiment"]["file"] == plain
    there = nbc.open_project(path).experiment
    assert there.fingerprint == nbc.Experiment.read(name, **READING).fingerprint


def test_what_a_project_does_not_take(tmp_path):
    with pytest.raises(TypeError, match="`experiment` must be an Experiment; got 3"):
        nbc.Project(3)
    with pytest.raises(TypeError, match="`settings` must be those of builders by page"):
        nbc.Project(settings={"alpha": 0.05})
    with pytest.raises(ValueError, match=r"`path` must end in \.nbcompare; got 'a\.zip'"):
        nbc.Project().save("a.zip")
    with pytest.raises(ValueError, match="`settings` must be values of JSON"):
        nbc.Project(settings={"Report": {"date": object()}}).save(tmp_path / "a.nbcompare")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (about(form="zip"), "it is another file"),
        (about(version=True), "must say which version of projects it is; got True"),
        (about(version=2), "got version 2. Install a later nbcompare"),
        (about(settings=[1]), r"must have `settings` as an object; got \[1\]"),
        (about(settings={"Report": 1}), "must have `Report` as an object; got 1"),
        (about(data={"shell": {}}), "must have `data` of 'experiment' and 'histories'"),
        (about(data={"experiment": {"part": "../a.csv"}}), r"must have a part '\.\./a\.csv'"),
        (about(results={"Comparison": "results/9.json"}), "must have a part 'results/9.json'"),
        (lambda parts: parts.update({"../evil.py": b"x"}), "only parts of a project; got"),
        (lambda parts: parts.update({"model.pkl": b"x"}), "only parts of a project; got"),
        (lambda parts: parts.pop("project.json"), "it is another file"),
        (lambda parts: parts.update({"project.json": b"["}), "must be JSON"),
        (lambda parts: parts.update({"project.json": b"[" * 99999}), "must be JSON"),
        (lambda parts: parts.update({"project.json": b"{}" + b" " * 2**27}), "must have at most"),
    ],
)
def test_a_project_of_somebody_else_is_refused_with_a_reason(folder, edit, message):
    path = nbc.Project(nbc.Experiment.read("scores.csv", **READING)).save("a.nbcompare")
    changed(path, edit)
    with pytest.raises(ValueError, match=message) as error:
        nbc.open_project(path)
    assert "a.nbcompare" in str(error.value)
    assert sorted(each.name for each in folder.iterdir()) == ["a.nbcompare", "scores.csv"]


@pytest.mark.parametrize(
    "name", ["../scores.csv", "/etc/scores.csv", "a\\b.csv", "..", "", "run.py", "a\n.csv", 3]
)
def test_a_table_stays_in_the_folder_where_it_is_read(folder, name):
    path = nbc.Project(nbc.Experiment.read("scores.csv", **READING)).save("a.nbcompare")
    data = {"experiment": {"part": "data/experiment.csv", "file": name, "reading": {}}}
    changed(path, about(data=data))
    with pytest.raises(ValueError, match="whose name is in no folder"):
        nbc.open_project(path)


def test_arguments_and_data_that_do_not_fit_are_errors_when_they_are_read(folder):
    path = nbc.Project(nbc.Experiment.read("scores.csv", **READING)).save("a.nbcompare")
    part = {"part": "data/experiment.csv", "file": "scores.csv", "reading": {"path": "/etc"}}
    changed(path, about(data={"experiment": part}))
    with pytest.raises(ValueError, match=r"a\.nbcompare cannot be read: .*path"):
        _ = nbc.open_project(path).experiment
    nbc.Project(replace(nbc.datasets.load_experiment("demsar2006"))).save(path)
    changed(path, lambda parts: parts.update({"experiment.json": b'{"lower": 1}'}))
    with pytest.raises(ValueError, match=r"a\.nbcompare cannot be read: its experiment must fit"):
        nbc.open_project(path)


def test_a_small_file_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path, monkeypatch):
    path = tmp_path / "bomb.nbcompare"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in range(9):
            archive.writestr(f"data/{part}", bytes(2**26))
    assert path.stat().st_size < 2**20
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(ValueError, match=r"at most 536,870,912 bytes when unpacked; got 603"):
        nbc.open_project(path)


def test_files_that_are_no_projects(tmp_path):
    path = tmp_path / "a.nbcompare"
    path.write_text("no zip")
    with pytest.raises(ValueError, match=r"a\.nbcompare must be a project of nbcompare: File is"):
        nbc.open_project(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("project.json", "{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("project.json", "{}")
    with pytest.raises(ValueError, match="each once; got 2 with 1 names"):
        nbc.open_project(path)
    whole = nbc.Project(nbc.datasets.load("demsar2006")).save(path).read_bytes()
    path.write_bytes(whole.replace(b"project.json", b"projekt.json", 1))
    with pytest.raises(ValueError, match="must be a project of nbcompare"):
        nbc.open_project(path)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        nbc.open_project(tmp_path / "b.nbcompare")
