"""Rows that hold the score of the same run: what to do about them."""

import pandas as pd
import pytest

from nbcompare import DataError, Experiment, Histories
from nbcompare.cli import main

COPY = "delete the row if it is a copy, or number the repetitions in a column 'run'."
LONG = pd.DataFrame(
    {"dataset": ["x"] * 3, "algorithm": ["A", "B", "A"], "accuracy": [0.1, 0.2, 0.3]}
)
LOGS = pd.DataFrame(
    {"problem": "f", "algorithm": ["A", "A", "B", "B"], "evaluations": [5, 9] * 2,
     "value": [3.0, 2.0, 5.0, 1.0]}
)  # fmt: skip


def of(frame):
    return Experiment.from_frame(frame, direction="minimize")


def refused(frame):
    with pytest.raises(DataError) as caught:
        of(frame)
    return str(caught.value)


def test_a_copy_or_a_column_of_runs():
    wide = pd.DataFrame({"dataset": ["x", "y", "x"], "A": [0.1, 0.2, 0.1], "B": [0.3, 0.4, 0.3]})
    for frame in (LONG, wide):
        told = refused(frame)
        assert told.endswith(f"Pass fold= or run= to name the column that tells repetitions apart; "
                             f"without one, {COPY}")  # fmt: skip
        assert "Histories" not in told
        numbered = frame.assign(run=[1, 1, 2])  # as it says
        assert of(numbered).n_runs == 2
    assert of(wide.iloc[:2]).n_datasets == 2


def test_with_a_column_of_runs():
    told = refused(LONG.assign(run=1))
    assert told.endswith("or number the repetitions in a column 'fold'.")
    wide = pd.DataFrame({"dataset": ["x", "x"], "run": [1, 1], "A": [0.1, 0.2], "B": [0.3, 0.4]})
    assert refused(wide).endswith("or number the repetitions in a column 'fold'.")
    told = refused(LONG.assign(run=1, fold=1))
    assert told.endswith("fold '1', run '1'. Take out one of them.")


def test_transposed_tables():
    wide = pd.DataFrame({"algorithm": ["A", "A"], "x": [0.1, 0.2], "y": [0.3, 0.4]})
    with pytest.raises(DataError, match="Give each a name of its own, or delete the row if it is"):
        Experiment.from_frame(wide, direction="maximize", transpose=True)


@pytest.mark.parametrize("name", ["evaluations", "FEs", "Iteration", "time_step", "generation"])
def test_logs_of_optimisers(name):
    table = LOGS.rename(columns={"evaluations": name})
    told = refused(table)
    assert told.endswith(
        f"If these are logs of optimisers, a row for each value of {name!r}, Histories.read(path) "
        "reads them."
    )
    found = Histories.from_frame(table, direction="minimize", evaluations=name)
    assert found.values[0, :, 0].tolist() == [[3.0, 2.0], [5.0, 1.0]]


def test_logs_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "logs.csv"
    LOGS.to_csv(path, index=False)
    assert main(["compare", str(path), "--direction", "minimize"]) == 1
    assert "of 'evaluations', nbcompare page-trend reads them." in capsys.readouterr().err


def test_tables_that_are_scanned(tmp_path):
    path = tmp_path / "t.parquet"
    LONG.to_parquet(path)
    with pytest.raises(DataError, match=r"Pass fold= or run= .* Take out copies\. Logs of opt"):
        Experiment.scan(path, direction="minimize")
