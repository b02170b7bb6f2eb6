"""Margins as people type them: in another unit than the scores, and for data on several scales."""

from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare import DataError, Experiment
from nbcompare.cli import main

HERE = Path(__file__).parent / "margin"
SHARES = ["compare", str(HERE / "shares.csv"), "--direction", "maximize"]
SECONDS = ["compare", str(HERE / "seconds.csv"), "--direction", "minimize", "--decimal", ","]


def said(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_a_percentage_point_where_scores_are_shares(capsys):
    data = Experiment.read(HERE / "shares.csv", direction="maximize")
    wide = nbc.compare(data, margin=1)
    assert set(wide.hypotheses.outcome) <= {"equivalent", "different but negligible"}
    note = next(note.text for note in wide.notes if note.code == "margin-too-wide")
    assert "of which the largest is 0.083" in note
    assert "0.01 for one percentage point" in note
    assert main([*SHARES, "--margin", "1"]) == 0
    assert "0.01 for one percentage point if scores are shares" in said(capsys)
    assert main([*SHARES, "--margin", "0.01"]) == 0
    assert "percentage point" not in said(capsys)
    narrow = nbc.compare(data, margin=0.01)
    assert "margin-too-wide" not in {note.code for note in narrow.notes}
    assert "inconclusive" in narrow.hypotheses.outcome


def test_seconds_on_several_scales(capsys):
    data = Experiment.read(HERE / "seconds.csv", direction="minimize", decimal=",")
    with pytest.raises(DataError, match="pairs='exchange' without a margin"):
        nbc.compare(data, margin=1.0)
    assert nbc.compare(data, pairs="exchange").hypotheses.outcome is None
    assert main([*SECONDS, "--margin", "1"]) == 1
    message = capsys.readouterr().err
    assert "--margin must be left out here" in message
    assert "--pairs exchange without a margin" in message
    assert "scale can state it: one" in message
    assert main([*SECONDS, "--margin", "1", "--scale", "one"]) == 0
    assert "decision" in said(capsys)
    assert main([*SECONDS, "--pairs", "exchange"]) == 0
    assert "decision" not in said(capsys)


@pytest.mark.parametrize("typed", ["1%", "0,01", "one", ""])
def test_what_is_no_number(capsys, typed):
    with pytest.raises(SystemExit):
        main([*SHARES, f"--margin={typed}"])
    assert f"--margin must be a number; got '{typed}'." in capsys.readouterr().err
