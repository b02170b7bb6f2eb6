"""The command ``plan``, and a report with a plan."""

import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.cli import main

SHORT = ["--largest", "8", "--plan-for", "datasets"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with scores.csv, in which C is clearly better than A."""
    monkeypatch.chdir(tmp_path)
    noise = np.random.default_rng(2).normal(0, 0.02, (9, 3)).round(3)
    scores = noise + np.array([0.7, 0.705, 0.78])
    rows = [f"d{i},{','.join(map(str, row.round(3)))}" for i, row in enumerate(scores)]
    (tmp_path / "scores.csv").write_text("\n".join(["dataset,A,B,C", *rows]))
    return tmp_path


@pytest.mark.slow
def test_what_it_says_is_for_a_shell(folder, capsys):
    assert main(["plan", "scores.csv", "--direction", "maximize", *SHORT]) == 0
    said = " ".join(capsys.readouterr().out.split())
    made = nbc.plan(nbc.Experiment.read("scores.csv", direction="maximize"), largest=8)
    assert said.startswith(made.summary)
    assert not re.search(r"\w\(\)|\b[a-z_]+=|`|nbc\.", said)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--power", "1"], 1, "--power must be a number between 0 and 1, exclusive; got 1.0."),
        (["--largest", "1"], 1, "--largest must be a whole number of at least 2; got 1."),
        (["--powr", "0.9"], 2, "there is no option --powr. Did you mean --power?"),
        (["--missing", "worst"], 2, "--missing must be 'raise' or 'drop'; got 'worst'."),
    ],
)
def test_what_is_refused(folder, capsys, options, code, message):
    size = [] if "--largest" in options else ["--largest", "4"]
    line = ["plan", "scores.csv", "--direction", "maximize", *size, *options]
    if code == 2:
        with pytest.raises(SystemExit, match="2"):
            main(line)
    else:
        assert main(line) == code
    assert message in " ".join(capsys.readouterr().err.split())


def on_a_terminal(*line):
    """Start the command with standard error on a terminal, and return it with that."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-m", "nbcompare", *line],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    return process, ours


@pytest.mark.weekly
@pytest.mark.posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_bar_tells_of_progress_until_an_interrupt(number):
    # it takes more than the seconds before there is a bar
    process, terminal = on_a_terminal("plan", "--example", "otero2013_auc", "--largest", "500")
    told = ""
    while "/s]" not in told:  # ends with an error if the command ends without a bar
        told += os.read(terminal, 1000).decode("utf-8", "replace")
    process.send_signal(number)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out == ""
    while not told.rstrip().endswith("nothing was written"):
        told += os.read(terminal, 1000).decode("utf-8", "replace")
    os.close(terminal)
    # in a line of its own: the bar is gone
    assert told.rstrip().rpartition("\r")[2] == "nbcompare: interrupted; nothing was written"


# ---------------------------------------------------------------------------- the report


@pytest.mark.slow
def test_a_report_with_a_plan_holds(folder, capsys):
    line = ["report", "scores.csv", "--direction", "maximize", "--control", "A"]
    assert main([*line, "--power", "0.7", "--largest", "8", "-o", "r.html", "-o", "r.ipynb"]) == 0
    notebook = json.loads((folder / "r.ipynb").read_text())
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    code = "".join(cells["findings-plan-code"]["source"])
    assert "plan = nbc.plan(experiment, control='A', power=0.7, largest=8)" in code
    outputs = [out for cell in notebook["cells"] for out in cell.get("outputs", ())]
    assert not [out for out in outputs if "widget" in str(out.get("data", {}).keys())]
    assert "nbc.plots.planning_curve(plan, title=False)" in "".join(
        cells["plan-planning-curve-code"]["source"]
    )
    capsys.readouterr()
    assert main(["verify", "r.html", "--data", "scores.csv", "--direction", "maximize"]) == 0
