"""What the README shows: every block of code runs, on tables such as it names."""

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare import study
from nbcompare.cli import main

ROOT = Path(__file__).parents[1]
DATA = ROOT / "nbcompare" / "datasets"
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.slow


def long_table(scores, **more):
    table = scores.rename_axis("dataset").reset_index()
    table = table.melt("dataset", var_name="algorithm", value_name="score")
    return table.assign(**more)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files that the README names."""
    monkeypatch.chdir(tmp_path)
    scores = nbc.datasets.load("demsar2006").to_frame()
    field = dict(zip(scores.index, ["medicine", "games"] * 7, strict=True))
    table = long_table(scores)
    table.assign(field=table["dataset"].map(field)).to_csv("scores.csv", index=False)
    with pd.ExcelWriter("scores.xlsx") as book:
        scores.to_excel(book, sheet_name="test", index_label="dataset")
    scores.rename({"wine": "kddcup"}).to_csv("mixed.csv")
    measures = [
        long_table(scores, metric="accuracy"),
        long_table(-np.log(scores), metric="logloss"),
    ]
    pd.concat(measures).to_csv("long.csv", index=False)
    shots = [long_table(scores + n / 1000, n_shots=n) for n in (0, 5)]
    pd.concat(shots).rename(columns={"algorithm": "model"}).to_csv("llm.csv", index=False)
    folds = {f"{name}_fold{i}": scores[name] + i / 1000 for name in scores for i in range(3)}
    pd.DataFrame(folds).rename_axis("dataset").to_csv("folds.csv")
    times = long_table(scores * 1000, runstatus="ok")
    times.loc[::5, ["score", "runstatus"]] = [5000.0, "timeout"]
    times.to_csv("sat.csv", index=False)
    Path("results").mkdir()
    long_table(scores).to_parquet("results/part.parquet")
    runs = pd.read_csv(DATA / "stochastic_cv.csv")
    answers = np.random.default_rng(0).integers(0, 2, (40, 3))
    pd.DataFrame(answers, columns=["A", "B", "C"]).assign(
        question=[f"q{i}" for i in range(40)], passage=[f"p{i // 4}" for i in range(40)]
    ).to_csv("answers.csv", index=False)
    runs.replace({"neural network": "MLP"}).to_csv("runs.csv", index=False)
    shutil.copy(DATA / "convergence_de.csv.gz", "logs.csv.gz")
    pd.read_csv("logs.csv.gz").to_csv("logs.csv", index=False)
    return tmp_path


def test_python(folder, ipython, monkeypatch):
    def few(*arguments, effects, **options):
        """The study of the README, with one experiment for each of two effects."""
        assert options.pop("n_jobs") == -1
        return run(*arguments, effects=effects[:2], repetitions=1, **options)

    run = study.run
    monkeypatch.setattr(study, "run", few)
    ipython.user_ns["logs"] = nbc.Histories.read("logs.csv", direction="minimize", optimum=0.0)
    blocks = [code for language, code in BLOCKS if language == "python"]
    assert len(blocks) > 10
    for code in blocks:
        done = ipython.run_cell(code)
        assert done.success, code
    names = ipython.user_ns
    assert names["comparison"].control == "C4.5"
    assert {"report.html", "cd.pdf"} <= {path.name for path in folder.iterdir()}
    # what version 0.1 did by default, as the README says
    (old,) = (code for code in blocks if 'method="normal"' in code)
    before = eval(old, names)
    assert (before.ranking, before.pairs, before.adjust) == ("friedman", "ranks", ("holm",))


def test_commands(folder, capsys):
    (lines,) = (
        [shlex.split(line, comments=True) for line in code.splitlines()]
        for language, code in BLOCKS
        if language == "sh" and "venv" not in code
    )
    assert [line[:2] for line in lines] == [
        ["nbcompare", "report"],
        ["nbcompare", "verify"],
        ["nbcompare", "plan"],
    ]
    for line in lines:
        assert main(line[1:]) == 0, (line, capsys.readouterr().err)
    printed = capsys.readouterr().out
    assert "The report holds" in printed
    assert (folder / "report.html").stat().st_size > 100_000


def test_files_that_are_named_exist():
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)
    assert len(linked) > 10
    assert [name for name in linked if not (ROOT / name).exists()] == []
