"""DataBuilder driven through its traits and its controls, without a page."""

import base64
import gc
import itertools
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from traitlets import TraitError

import nbcompare as nbc
from nbcompare import _messages
from nbcompare.widgets import _data_settings, _elements
from nbcompare.widgets._data_model import NOTHING, WHICH, Source, changed, source_of_copy

FOREIGN = Path(__file__).parent.parent / "foreign"
LAYOUT = FOREIGN / "layout"
TABLES = sorted(
    path
    for path in FOREIGN.rglob("*.*")
    if path.suffix in (".csv", ".json", ".jsonl") and path.parent.name != "one-file-per-run"
    if "logs" not in path.parts
)


def frame():
    return pd.DataFrame(
        {
            "dataset": ["iris", "wine", "zoo", "adult"],
            "size": [150, 178, 101, 48842],
            "A": [0.9, 0.8, 0.7, 0.6],
            "B": [0.8, 0.7, 0.75, 0.5],
        }
    )


def take(builder, label):
    """Do what the button of this name does."""
    ways = [way for found in builder._model.findings() for way in found.ways]
    (way,) = [way for way in ways if way.label == label]
    for name, value in changed(builder._model, way.changes).items():
        setattr(builder, name, value)


def run(code, **names):
    space = dict(names)
    exec(code, space)
    return space["experiment"]


def texts(builder):
    return [found.text for found in builder._model.findings()]


# ------------------------------------------------------------------------- what is understood


def test_a_clean_table_needs_only_what_is_better():
    builder = nbc.DataBuilder(LAYOUT / "atari.csv")
    assert texts(builder) == [WHICH]
    with pytest.raises(nbc.DataError, match="direction"):
        _ = builder.experiment
    builder.direction = "maximize"
    assert texts(builder) == []
    expected = nbc.Experiment.read(LAYOUT / "atari.csv", direction="maximize")
    assert builder.experiment.fingerprint == expected.fingerprint
    assert builder.result is builder.experiment


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_the_same_is_understood_as_by_reading(path):
    """Whatever the file: the experiment or the error is that of ``Experiment.read``."""
    for direction in (None, "maximize"):
        builder = nbc.DataBuilder(path, **({"direction": direction} if direction else {}))
        try:
            expected = nbc.Experiment.read(path, direction=direction)
        except (ValueError, TypeError) as error:
            with pytest.raises(type(error), match=f"^{re.escape(str(error))}$"):
                _ = builder.experiment
        else:
            assert builder.experiment.fingerprint == expected.fingerprint
            notes = [note.text for note in expected.notes]
            assert [note.text for note in builder.experiment.notes] == notes
            assert run(builder.code).fingerprint == expected.fingerprint


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_ways_on_lead_on(path):
    """Every way that is offered is taken, and none leads back to the message that offered it.

    The advice of an error was tried: with it the table is read.
    """
    seen, waiting = set(), [{}]
    while waiting:
        settings = waiting.pop()
        key = repr(sorted(settings.items()))
        if key in seen or len(seen) > 40:
            continue
        seen.add(key)
        builder = nbc.DataBuilder(path, **{"direction": "maximize", **settings})
        for found in builder._model.findings():
            if found.kind == "settled":
                continue
            for way in found.ways:
                after = changed(builder._model, way.changes)
                other = nbc.DataBuilder(path, **{"direction": "maximize", **settings, **after})
                error = builder._model.preview.error
                if way.changes in getattr(error, "advice", ()):
                    assert other.experiment.n_algorithms, way.label
                assert found.text not in texts(other), (way.label, found.text)
                waiting.append({**settings, **after})
    assert seen


@pytest.mark.slow
def test_no_python_is_in_what_is_said():
    """Arguments have buttons, or are called as their controls are."""
    for path in TABLES:
        for settings in ({}, {"direction": "maximize"}):
            for text in texts(nbc.DataBuilder(path, **settings)):
                assert not _messages.ways_in(text), text
                assert "`" not in text
                assert "Pass " not in text


def test_what_is_said_is_about_the_place_and_not_the_file():
    said = texts(nbc.DataBuilder(FOREIGN / "cells" / "last_digits.csv"))[0]
    assert said.startswith("Row 1 ('x'), column 'A' has the score 0.76 and 3 in brackets")
    said = texts(nbc.DataBuilder(FOREIGN / "cells" / "either.json"))[0]
    assert said.startswith("either.json holds an object of objects")
    (found,) = nbc.DataBuilder(FOREIGN / "measures" / "metric_column.csv")._model.findings()
    assert found.text.startswith("Column 'metric' must be settled")
    assert "\n" not in found.text


def test_the_advice_of_an_error_is_on_buttons_in_plain_words(tmp_path):
    rows = ["dataset,algorithm,split,seed,score"]
    rng = np.random.default_rng(1)
    rows += [
        f"{d},{a},{split},{seed},{rng.uniform(0.5, 0.9):.4f}"
        for d in ("x", "y", "z")
        for a in "AB"
        for split in ("test", "dev")
        for seed in range(3)
    ]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(rows))
    builder = nbc.DataBuilder(path, direction="maximize")
    (found,) = builder._model.findings()
    assert [way.label for way in found.ways][:1] == ["Only rows with split = test"]
    assert "Algorithms are in columns algorithm and split" in [way.label for way in found.ways]
    take(builder, "Only rows with split = test")
    assert builder.where == {"split": "test"}
    assert builder.experiment.n_runs == 3
    assert 'where={"split": "test"}' in builder.code
    assert run(builder.code).fingerprint == builder.experiment.fingerprint
    chosen = [found for found in builder._model.findings() if found.kind == "settled"]
    assert [found.text for found in chosen] == ["Chosen: only rows with split = test."]
    builder.where = chosen[0].ways[0].changes["where"]
    take(builder, "Algorithms are in columns algorithm and split")
    assert builder.algorithm == ("algorithm", "split")
    assert builder.experiment.algorithms == ("A / test", "A / dev", "B / test", "B / dev")
    assert run(builder.code).fingerprint == builder.experiment.fingerprint


@pytest.mark.parametrize(
    ("way", "label"),
    [
        ({"ignore": ["n_train"]}, "Leave out n_train"),
        ({"ignore_rows": ["Mean", "Mean rank"]}, "Leave out rows “Mean” and “Mean rank”"),
        ({"keep": ["rank"]}, "Keep rank as scores"),
        ({"run": "seed"}, "Runs are in column seed"),
        ({"where": {"split": "test", "k": "ab"}}, "Only rows with split = test and k = ab"),
        ({"where": {"k": ["1", "5"]}}, "Only rows with k = 1 or 5"),
        (
            {"status": "state", "ok": ["ok"], "failed": "par10", "cutoff": 5000.0},
            "Failed runs (state other than ok or 5000 and beyond) count as ten times the cutoff",
        ),
        ({"cutoff": 60, "failed": "drop"},
         "Failed runs (60 and beyond) are left out with their data sets"),
        ({"algorithm": "", "transpose": True},
         "Algorithms are in column (without a name); rows are algorithms, columns are data sets"),
        ({"columns": "{algorithm}_fold{fold}"},
         "Names of columns are made like “{algorithm}_fold{fold}”"),
        ({"decimal": ","}, "The comma is the decimal mark"),
        ({"format": "weka"}, "Format of the file: weka"),
    ],
)  # fmt: skip
def test_arguments_in_plain_words(way, label):
    assert _data_settings.label_of(way) == label


def test_an_average_row_and_a_column_of_sizes(tmp_path):
    path = tmp_path / "messy.csv"
    rows = ["dataset,size,A,B,C"]
    rng = np.random.default_rng(0)
    scores = np.round(rng.uniform(0.6, 0.9, (8, 3)), 3)
    rows += [
        f"d{row},{100 + 37 * row},{','.join(map(str, line))}" for row, line in enumerate(scores)
    ]
    rows.append(f"Average,,{','.join(f'{mean:.3f}' for mean in scores.mean(axis=0))}")
    path.write_text("\n".join(rows))
    builder = nbc.DataBuilder(path, direction="maximize")
    with pytest.raises(nbc.DataError):
        _ = builder.experiment
    labels = [way.label for found in builder._model.findings() for way in found.ways]
    take(builder, next(label for label in labels if label.startswith("Leave out")))
    np.testing.assert_array_equal(builder.experiment.mean_scores, scores)
    assert builder.ignore_rows == ("Average",)
    assert builder.ignore == ("size",)
    assert run(builder.code).fingerprint == builder.experiment.fingerprint
    settled = [found for found in builder._model.findings() if found.kind == "settled"]
    assert [found.text for found in settled] == [
        "Chosen: leave out size.",
        "Chosen: leave out row Average.",
    ]
    builder.ignore = changed(builder._model, settled[0].ways[0].changes)["ignore"]
    assert builder.ignore == ()


# ----------------------------------------------------------------------------------- settings


def test_settings_are_checked_as_the_reader_checks_them():
    builder = nbc.DataBuilder(frame())
    for name, value in {
        "direction": "up",
        "score": ["A", "B"],
        "columns": "{dataset}_{what}",
        "where": "split",
        "failed": "best",
        "cutoff": "soon",
        "transpose": "yes",
        "ignore": 3,
        "brackets": "sd",
        "decimal": ";",
    }.items():
        with pytest.raises((ValueError, TraitError), match=name):
            setattr(builder, name, value)
    with pytest.raises(TypeError, match="no setting 'colour'"):
        nbc.DataBuilder(frame(), colour="red")
    builder.dataset = "nothing"  # which the table decides
    with pytest.raises(ValueError, match="`dataset` must name a column of frame"):
        _ = builder.experiment


def test_what_is_typed_is_spelled_as_on_the_command_line(opened):
    builder, screen = opened(frame())
    for name, text, value in (
        ("where", 'split=test; "k=1;2"; n=a,b', {"split": "test", "k": "1;2", "n": ["a", "b"]}),
        ("ok", "ok; done", ("ok", "done")),
        ("cutoff", "5000", 5000.0),
        ("columns", "{algorithm}_{fold}", "{algorithm}_{fold}"),
    ):
        field = screen.controls[name]
        field.arrive({"value": text})
        assert getattr(builder, name) == value
        assert field.value == text
        field.arrive({"value": ""})
        assert getattr(builder, name) == builder.traits()[name].default_value
    field = screen.controls["where"]
    field.arrive({"value": "split"})
    assert builder.where is None
    assert "must be a column and its labels" in screen.message.value


def test_several_columns_are_shown_joined(opened):
    builder, screen = opened(frame())
    builder.algorithm = ["size", "A"]
    screen.show()
    shown = screen.controls["algorithm"]
    assert shown.options[shown.index] == "size / A"
    shown.arrive({"index": shown.options.index("B")})
    assert builder.algorithm == "B"


def test_sources_that_there_are_not():
    with pytest.raises(FileNotFoundError, match=r"there is no 'nowhere\.csv'"):
        nbc.DataBuilder("nowhere.csv")
    with pytest.raises(
        TypeError, match="`source` must be a file, a dataframe, an Experiment or Histories"
    ):
        nbc.DataBuilder(3)
    with pytest.raises(ValueError, match="example"):
        nbc.DataBuilder(example="nothing")
    with pytest.raises(ValueError, match="give one of them"):
        nbc.DataBuilder(frame(), example="demsar2006")


def test_another_table_begins_anew():
    builder = nbc.DataBuilder(frame(), direction="maximize", ignore=["size"], measure="AUC")
    builder.source = LAYOUT / "folds.csv"
    assert (builder.direction, builder.ignore, builder.measure) == (None, (), None)
    assert builder.column_names[0] == "fold"
    builder.source = None
    assert texts(builder) == [NOTHING]


def test_examples_and_experiments_are_taken_as_they_are():
    builder = nbc.DataBuilder(example="demsar2006")
    assert builder.experiment == nbc.datasets.load("demsar2006") or (
        builder.experiment.fingerprint == nbc.datasets.load("demsar2006").fingerprint
    )
    assert run(builder.code).fingerprint == builder.experiment.fingerprint
    mine = nbc.Experiment.from_array([[1, 2], [3, 1]], direction="minimize")
    assert nbc.DataBuilder(mine).experiment is mine


def test_a_file_that_changes_is_read_again(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\n")
    builder = nbc.DataBuilder(path, direction="maximize")
    assert builder.experiment.datasets == ("x", "y")
    path.write_text("dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\nz,0.25,0.5\n")
    assert builder.experiment.datasets == ("x", "y", "z")
    path.unlink()
    with pytest.raises((ValueError, OSError)):
        _ = builder.experiment
    assert len(texts(builder)) == 1


def test_text_formats(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("dataset;A;B\nx;0,5;0,61\ny;0,75;0,8\n")
    builder = nbc.DataBuilder(path, direction="maximize")
    take(builder, "The comma is the decimal mark")
    assert builder.experiment.mean_scores.tolist() == [[0.5, 0.61], [0.75, 0.8]]
    assert 'decimal=","' in builder.code
    # of a dataframe, none of this is said
    builder.source = frame().drop(columns="size")
    builder.direction, builder.decimal = "maximize", ","
    assert builder.experiment.n_datasets == 4


def test_sheets(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for name, value in (("one", 0.5), ("two", 0.7)):
        sheet = book.create_sheet(name)
        for line in (["dataset", "A", "B"], ["x", value, 0.9], ["y", 0.1, value]):
            sheet.append(line)
    book.remove(book["Sheet"])
    book.save(tmp_path / "a.xlsx")
    builder = nbc.DataBuilder(tmp_path / "a.xlsx", direction="maximize")
    take(builder, "Sheet: one")
    assert builder.experiment.mean_scores[0, 0] == 0.5
    assert run(builder.code).fingerprint == builder.experiment.fingerprint


# --------------------------------------------------------------------------------- the screen


@pytest.fixture
def opened():
    made = []

    def opened(*arguments, **settings):
        builder = nbc.DataBuilder(*arguments, **settings)
        made.append(builder)
        return builder, builder._live.open()

    yield opened
    for builder in made:
        builder.close()


def titles(screen):
    return list(screen.tabs.element.titles)


@pytest.mark.slow
def test_tabs_suit_the_data_and_follow_it(opened):
    builder, screen = opened(LAYOUT / "seeds_long.csv", score="acc", direction="maximize")
    assert titles(screen) == ["Data", "Comparison", "Probabilities", "Runs", "Plan", "Report"]
    screen.go.click()
    comparison = screen.tabs.builder("Comparison")
    assert isinstance(comparison, nbc.CDDiagramBuilder)
    said = screen.tabs._boxes["Comparison"].children[0].value
    assert nbc.recommend(builder.experiment).sentences[0] in said.replace("&#x27;", "'").replace(
        "&#39;", "'"
    )
    screen.tabs.select("Runs")
    assert isinstance(screen.tabs.builder("Runs"), nbc.FuzzyPValueBuilder)
    screen.tabs.select("Comparison")
    builder.ignore_rows = ["MNIST"]
    screen.show()
    assert comparison.experiment is builder.experiment
    assert "MNIST" not in comparison.experiment.datasets
    builder.source = LAYOUT / "atari.csv"
    builder.direction = "maximize"
    screen.show()
    assert titles(screen) == ["Data", "Comparison", "Probabilities", "Plan", "Report"]
    assert screen.tabs.element.index == 0
    screen.tabs.select("Comparison")
    assert screen.tabs.builder("Comparison") is comparison
    assert comparison.experiment.datasets[0] == "Alien"


@pytest.mark.slow
def test_code_of_the_tabs_is_whole(opened):
    builder, screen = opened(LAYOUT / "seeds_long.csv", score="acc", direction="maximize")
    for title in ("Comparison", "Runs"):
        screen.tabs.select(title)
        code = screen.tabs.builder(title).code
        assert "Experiment.read" in screen.tabs.builder(title)._live.screen.code.value
        space = {}
        exec(code, space)
        assert space["experiment"].fingerprint == builder.experiment.fingerprint
        assert space["result"].to_json() == screen.tabs.builder(title).result.to_json()
    screen.tabs.select("Report")
    assert "nbc.Experiment.read(" in screen.tabs.builder("Report").code


@pytest.mark.slow
def test_the_report_is_of_what_is_compared(opened):
    builder, screen = opened(LAYOUT / "bakeoff.csv", direction="maximize")
    take(builder, "Leave out rows “Average accuracy”, “Average rank” and “Wins”")
    screen.show()
    screen.tabs.select("Report")
    report = screen.tabs.builder("Report")
    assert report.experiment is builder.experiment
    assert report.compare == {}
    screen.tabs.select("Comparison")
    comparison = screen.tabs.builder("Comparison")
    comparison.control = "COTE"
    comparison.algorithms = ["ED", "DTW", "COTE"]
    comparison.adjust = "finner"
    screen.tabs.select("Report")
    assert report.experiment.algorithms == ("ED", "DTW", "COTE")
    assert report.compare == {"control": "COTE", "adjust": "finner"}
    space = {}
    exec(report.code.partition("report = ")[0], space)
    assert space["experiment"].fingerprint == report.experiment.fingerprint
    # what is changed in the report stays, until the comparison changes
    report.alpha = 0.1
    screen.tabs.select("Data")
    screen.tabs.select("Report")
    assert report.alpha == 0.1
    builder.ignore_rows = (*builder.ignore_rows, "Beef")
    screen.show()
    assert "Beef" not in report.experiment.datasets


def test_the_report_has_what_is_set_for_other_analyses(opened):
    _, screen = opened(example="demsar2006")
    screen.tabs.select("Probabilities")
    probable = screen.tabs.builder("Probabilities")
    screen.tabs.select("Report")
    report = screen.tabs.builder("Report")
    assert report.bayesian is None
    probable.rope = 0.01
    probable.control = "C4.5"
    screen.tabs.select("Comparison")
    screen.tabs.select("Report")
    assert report.bayesian == {"rope": 0.01, "control": "C4.5"}
    assert "bayesian" in report.sections
    screen.tabs.select("Comparison")
    screen.tabs.builder("Comparison").algorithms = ["C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    screen.tabs.select("Report")
    assert report.experiment.n_algorithms == 3
    assert report.bayesian == {"rope": 0.01}


def test_a_missing_direction_is_marked(opened):
    builder, screen = opened(LAYOUT / "atari.csv")
    assert "nbcompare-undecided" in screen._said.classes
    builder.direction = "minimize"
    screen.show()
    assert "nbcompare-undecided" not in screen._said.classes


def test_a_column_may_say_what_is_better(opened):
    builder, screen = opened(FOREIGN / "measures" / "automl_wide.csv")
    assert builder.direction is None
    assert "kddcup" in builder.experiment.turned
    assert "nbcompare-undecided" not in screen._said.classes
    shown = screen.controls["direction"]
    assert shown.options[shown.index] == "as the column says"


def test_names_of_others_are_text(opened, tmp_path):
    path = tmp_path / "a.csv"
    bad = "<img src=x onerror=alert(1)>"
    path.write_text(f"dataset,{bad},B\n{bad},0.5,0.6\ny,0.7,0.8\n")
    _, screen = opened(path, direction="maximize")
    shown = [screen.scores.value, screen.understood.value]
    assert not any("<img" in text for text in shown)
    assert bad in [name for name, *_ in screen.head.columns]  # which the page puts in as text


def test_what_stays_in_the_cell(opened):
    builder, screen = opened(LAYOUT / "atari.csv", direction="maximize")
    (data, _), _ = builder._live.bundles(screen)
    assert "Experiment.read" in data["text/plain"]
    builder.direction = None
    screen.show()
    builder._live._notify(None)
    (data, _), _ = builder._live.bundles(screen)
    assert "There is no experiment to show" in data["text/plain"]


def test_a_file_is_chosen_by_its_name(opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\n", encoding="utf-8")
    for name in ("c.csv.gz", "d.txt", ".hidden.csv", "notes.md", "e.JSON"):
        Path(name).touch()
    Path("folder.csv").mkdir()
    builder, screen = opened()
    assert texts(builder) == [NOTHING]
    assert screen.source.file.options[1:] == ("a.csv", "c.csv.gz", "d.txt", "e.JSON")
    screen.source.file.arrive({"index": screen.source.file.options.index("a.csv")})
    assert builder.column_names == ("dataset", "A", "B")
    assert 'read("a.csv")' in builder.code
    screen.source.example.arrive({"index": 1})
    assert builder.experiment.n_datasets == 14


# --------------------------------------------------------------------------------- the upload


def upload(monkeypatch, most=_elements.MOST_BYTES):
    done, sent = [], []
    field = _elements.Upload(done.append, (".csv", ".csv.gz"), most)
    monkeypatch.setattr(field, "send", lambda content, buffers=(): sent.append(content))
    return field, done, sent


def send(field, name, parts, number=1, size=None):
    size = sum(map(len, parts)) if size is None else size
    field.hear({"kind": "begin", "number": number, "name": name, "size": size}, [])
    for offset, part in zip(itertools.accumulate([0, *map(len, parts)]), parts, strict=False):
        text = base64.b64encode(part).decode()
        field.hear({"kind": "part", "number": number, "offset": offset, "text": text}, [])


def test_an_upload_comes_in_parts(monkeypatch):
    field, done, sent = upload(monkeypatch)
    send(field, "a.csv", [b"dataset,A\n", b"x,0.5\n"])
    assert done[0].read_bytes() == b"dataset,A\nx,0.5\n"
    assert [answer["kind"] for answer in sent] == ["next", "next", "done"]
    assert sent[1]["offset"] == 10
    send(field, "b.csv", [b"1"], number=2)
    assert [path.name for path in done] == ["a.csv", "b.csv"]
    field.hear({"kind": "begin", "number": 3, "name": "c.csv", "size": 9}, [])
    coming = field._coming
    field.close()
    assert not coming.exists()


def test_the_copy_of_a_file_goes_with_the_source(tmp_path):
    copy = tmp_path / "upload" / "a.csv"
    copy.parent.mkdir()
    copy.write_text("dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\n")
    builder = nbc.DataBuilder()
    builder.data = source_of_copy(copy)
    builder.direction = "maximize"
    assert builder.experiment.algorithms == ("A", "B")
    assert copy.exists()
    builder.data = None
    gc.collect()
    assert not copy.parent.exists()


def test_a_failed_upload_leaves_the_last_file(monkeypatch):
    field, done, sent = upload(monkeypatch, most=100)
    send(field, "a.csv", [b"12"])
    send(field, "b.csv", [b"1"], number=2, size=101)
    assert sent[-1]["text"].startswith("b.csv has 101 bytes, and at most 100 bytes can be uploaded")
    send(field, "c.pdf", [b"1"], number=3)
    assert sent[-1]["text"] == "c.pdf is not a table: its name must end in .csv, .csv.gz."
    send(field, "d.csv", [], number=4)
    assert sent[-1]["text"] == "d.csv is empty."
    assert done == [done[0]]
    assert done[0].exists()
    field.close()


def test_names_of_uploads_stay_in_their_folder(monkeypatch):
    field, done, _ = upload(monkeypatch)
    for number, name in enumerate(("../../etc/a.csv", "C:\\x\\b.csv", "/c?.csv"), start=1):
        send(field, name, [b"1"], number=number)
        assert done[-1].name == ("a.csv", "b.csv", "c_.csv")[number - 1]
        assert done[-1].parent.name.startswith("nbcompare-")
    field.close()


def test_parts_of_an_older_upload_are_left_alone(monkeypatch):
    field, done, sent = upload(monkeypatch)
    field.hear({"kind": "begin", "number": 1, "name": "a.csv", "size": 2}, [])
    field.hear({"kind": "begin", "number": 2, "name": "b.csv", "size": 2}, [])
    field.hear({"kind": "part", "number": 1, "offset": 0, "text": "eHg="}, [])
    field.hear({"kind": "part", "number": 2, "offset": 1, "text": "eA=="}, [])
    assert not done
    field.hear({"kind": "part", "number": 2, "offset": 0, "text": "eXk="}, [])
    assert done[0].read_bytes() == b"yy"
    assert sent[-1]["number"] == 2
    field.close()


def test_code_and_reports_of_an_upload(opened, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\n")
    builder, screen = opened()
    builder.data = Source(path, uploaded="a.csv")
    builder.direction = "maximize"
    screen.show()
    screen.tabs.select("Report")
    report = screen.tabs.builder("Report")
    assert report.title == "Comparison of algorithms on a"
    builder.data = Source(path, uploaded="b.csv")
    builder.direction = "maximize"
    screen.show()
    screen.tabs.select("Report")
    assert report.title == "Comparison of algorithms on b"
    builder.data = Source(path, uploaded="a.csv")
    builder.direction = "maximize"
    screen.show()
    screen.tabs.select("Report")
    report.title = "Mine"
    builder.measure = "AUC"
    screen.show()
    assert (report.title, report.experiment.measure) == ("Mine", "AUC")
    builder.measure = None
    assert str(tmp_path) not in builder.code
    assert 'nbc.Experiment.read("a.csv", direction="maximize")' in builder.code
    # the copy goes, so a report brings the scores along
    experiment = builder.experiment
    path.unlink()
    notebook = str(nbc.Report(experiment).to_notebook())
    assert str(tmp_path) not in notebook
    assert "from_frame" in notebook


# ------------------------------------------------------------------------------- the downloads


def test_files_that_were_written_are_handed_out_and_no_others(monkeypatch, tmp_path):
    said, sent = [], []
    field = _elements.Downloads(said.extend)
    monkeypatch.setattr(
        field, "send", lambda content, buffers=None: sent.append((content, buffers))
    )
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    field.hear({"place": 0}, [])
    assert sent == []
    files = (tmp_path / "a.pdf", tmp_path / "b.html")
    field.offer({path.name: path.read_bytes for path in files})
    assert field.names == ["a.pdf", "b.html"]
    for place in (2, -1, "../a.pdf", None):
        field.hear({"place": place}, [])
    assert sent == []
    field.hear({"place": 0}, [])
    assert sent == [({"name": "a.pdf", "kind": "application/pdf"}, [b"%PDF"])]
    field.hear({"place": 1}, [])
    assert said == [f"{files[1]}: no such file or directory."]


@pytest.mark.parametrize(
    "pasted",
    [
        "data\tA\tB\niris\t0.9\t0.8\nwine\t0.7\t0.6",
        "data,A,B\niris,0.9,0.8\nwine,0.7,0.6",
        "| data | A | B |\n|:--|--:|--:|\n| iris | **0.9** | 0.8 |\n| wine | 0.7 | 0.6 |",
        "<table><tr><th>data<th>A<th>B<tr><td>iris<td>0.9<td>0.8<tr><td>wine<td>0.7<td>0.6</table>",
        r"\begin{tabular}{l@{\quad}rr} \toprule data & A & B \\ \midrule iris & 0.9 & 0.8 \\ "
        r"wine & 0.7 & 0.6 \\ \bottomrule \end{tabular}",
    ],
    ids=["spreadsheet", "csv", "markdown", "html", "latex"],
)
def test_a_table_is_pasted(pasted):
    builder = nbc.DataBuilder()
    builder.open()
    source = builder._live.screen.source
    assert source.intro.is_shown
    source.paste.arrive({"value": pasted})
    builder.direction = "maximize"
    builder._live.draw()
    assert builder.experiment.datasets == ("iris", "wine")
    assert builder.experiment.algorithms == ("A", "B")
    np.testing.assert_array_equal(builder.experiment.mean_scores, [[0.9, 0.8], [0.7, 0.6]])
    assert not source.intro.is_shown
    builder.close()


def test_what_a_column_is_can_be_said_above_it(opened, tmp_path):
    path = tmp_path / "long.csv"
    rows = [f"{d},{a},{0.5 + 0.1 * i},{i}" for d in "xyz" for i, a in enumerate(("A", "B"))]
    path.write_text("\n".join(["task,model,value,size", *rows]))
    builder, screen = opened(path, direction="maximize")
    words = screen.head.words

    def say(column, word):
        place = [name for name, *_ in screen.head.columns].index(column)
        screen.head.hear({"column": place, "word": words.index(word)}, ())
        screen.show()
        return [words[said] for _, _, said, *_ in screen.head.columns]

    assert say("task", "data sets")[0] == "data sets"
    say("model", "algorithms")
    say("size", "left out")
    assert (builder.dataset, builder.algorithm, builder.ignore) == ("task", "model", ("size",))
    assert say("size", "scores")[3] == "scores"
    assert (builder.score, builder.ignore) == ("size", ())
    assert say("value", "scores") == ["data sets", "algorithms", "scores", "as recognised"]
    say("size", "left out")
    assert builder.experiment.algorithms == ("A", "B")
    builder.undo()
    assert builder.ignore == ()
    screen.head.hear({"column": 99, "word": 1}, ())
    screen.head.hear({"column": 0, "word": "x"}, ())
    assert builder.dataset == "task"
