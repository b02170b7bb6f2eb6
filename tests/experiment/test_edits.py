"""Cells that are edited: what is read in the place of what a table has, and what is said of it."""

from pathlib import Path

import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.cli import main

TEXT = "dataset,A,B\nx,0.5,0.6\ny,0.7,0.8\nz,0.65,abc\n"
EDITS = [(3, "B", "0.7"), (1, "A", "")]


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(TEXT)
    return "a.csv"


def test_an_edit_is_a_change_on_top_of_the_source(table):
    experiment = nbc.Experiment.read(table, direction="maximize", edits=EDITS)
    expected = nbc.Experiment.from_frame(
        pd.DataFrame({"dataset": [*"xyz"], "A": [None, 0.7, 0.65], "B": [0.6, 0.8, 0.7]}),
        direction="maximize",
    )
    assert experiment.fingerprint == expected.fingerprint
    assert [note.text for note in experiment.notes if note.code == "edited"] == [
        "a.csv: 2 cells were edited (row 3, column 'B': '0.7' in the place of 'abc'; row 1, column "
        "'A': '' in the place of '0.5')."
    ]
    assert Path(table).read_text() == TEXT


def test_numbers_of_a_dataframe_stay_numbers_and_labels_stay_labels():
    frame = pd.DataFrame({"dataset": [*"xyz"], "A": [0.5, 0.7, 0.65], "B": [1, 2, 3]})
    experiment = nbc.Experiment.from_frame(
        frame, direction="maximize", edits=[(2, "dataset", "007"), (2, "A", "0.71"), (3, "B", "4")]
    )
    assert experiment.datasets == ("x", "007", "z")
    assert experiment.mean_scores.tolist() == [[0.5, 1], [0.71, 2], [0.65, 4]]


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([(4, "A", "1")], r"a\.csv, which has 3 rows .* got row 4, column 'A'"),
        ([(1, "C", "1")], "got row 1, column 'C'"),
        ([(0, "A", "1")], "counted from 1"),
        ([(1, "A", 0.5)], r"such as \[\(3, 'C4.5', '0.91'\)\]; got \(1, 'A', 0.5\)"),
        ("1:A=2", "be a list"),
    ],
)
def test_edits_of_no_cell_are_refused(table, edits, said):
    with pytest.raises(ValueError, match=f"`edits` must .*{said}"):
        nbc.Experiment.read(table, direction="maximize", edits=edits)


def test_an_error_names_its_cell(table):
    with pytest.raises(nbc.experiment.ReadingError) as caught:
        nbc.Experiment.read(table, direction="maximize", edits=[(1, "A", "none")])
    assert caught.value.cell == (3, "B")


def test_a_log_of_runs_and_a_command_line_take_them(table, tmp_path, capsys):
    logs = "problem,algorithm,run,evaluations,value\n" + "".join(
        f"p,{name},1,{at},{value}\n"
        for name, first in (("DE", 9), ("SA", 8))
        for at, value in ((1, first), (2, first - 1))
    )
    (tmp_path / "log.csv").write_text(logs)
    read = nbc.Histories.read("log.csv", direction="minimize", edits=[(2, "value", "3")])
    assert read.values[0, 0, 0].tolist() == [9, 3]
    assert main(["read", table, "--direction", "maximize", "--edit", "3:B=0.7"]) == 0
    assert "--edit 3:B=0.7" in capsys.readouterr().out
