"""Pilots as people bring them: a table of a German spreadsheet, and the folds of one data set."""

import re
import shlex
from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.results import from_json

HERE = Path(__file__).parent / "plan"


def line(name, *more):
    return ["plan", str(HERE / name), "--largest", "6", *more]


def said(capsys):
    out, err = capsys.readouterr()
    return " ".join(f"{out} {err}".split())


@pytest.mark.slow
def test_a_spreadsheet_with_a_gap(capsys):
    asked = line("pilot_semicolons.csv")
    assert main(asked) == 1
    (decimal,) = re.findall(r"Pass (--decimal \S+)\.", said(capsys))
    asked += shlex.split(decimal)
    with pytest.raises(SystemExit, match="2"):
        main(asked)
    assert "--direction is required with a table of scores: maximize if" in said(capsys)
    asked += ["--direction", "maximize"]
    assert main(asked) == 1
    told = said(capsys)
    assert "'Random Forest on ecoli'" in told
    assert "--missing drop" in told
    assert main([*asked, "--missing", "drop", "--json"]) == 0
    made = from_json(capsys.readouterr().out)
    pilot = nbc.Experiment.read(HERE / "pilot_semicolons.csv", decimal=",", direction="maximize")
    assert made.to_json() == nbc.plan(pilot, missing="drop", largest=6).to_json()
    assert (made.n_pilot, made.design.left_out) == (7, ("ecoli",))
    assert "small-pilot" in {note.code for note in made.notes}


@pytest.mark.slow
def test_the_folds_of_one_data_set(capsys):
    asked = line("folds.csv", "--direction", "maximize")
    assert main([*asked, "--plan-for", "datasets"]) == 1
    (folds,) = re.findall(r"with (--plan-for \w+) or", said(capsys))
    assert main([*asked, *folds.split(), "--json"]) == 0
    made = from_json(capsys.readouterr().out)
    assert (made.unit, made.n_pilot) == ("folds", 10)
