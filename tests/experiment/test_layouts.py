"""Wide and long tables, told by arguments or recognised without guessing."""

import re

import numpy as np
import pandas as pd
import pytest

from nbcompare import compare
from nbcompare._validation import DataError
from nbcompare.experiment import Experiment


@pytest.fixture
def read(tmp_path):
    def from_text(content, **arguments):
        path = tmp_path / "t.csv"
        path.write_text(content, encoding="utf-8")
        return Experiment.read(path, **{"direction": "maximize"} | arguments)

    return from_text


def refuses(error, message):
    # how to leave out what is wrong: see tests/foreign/test_cells.py
    rest = (
        r"( Pass (missing_words|ignore_rows|ignore)=.*\.)?"
        r"( Write the number alone, or leave the cell empty if there is no result\.)?"
    )
    return pytest.raises(error, match=f"^{re.escape(message)}{rest}$")


def scores(experiment):
    return experiment.scores[:, :, 0, 0].tolist()


NAN = pytest.approx(np.nan, nan_ok=True)

# ------------------------------------------------------------------------------- wide


@pytest.mark.parametrize(
    ("content", "arguments", "datasets"),
    [
        ("dataset,A,B\nx,1,2\ny,3,4\n", {}, ("x", "y")),
        ("A,B,DataSet\n1,2,x\n3,4,y\n", {}, ("x", "y")),
        (",A,B\n07,1,2\n7,3,4\n", {}, ("07", "7")),
        ("problem,A,B\nx,1,2\nNA,3,4\n", {}, ("x", "NA")),
        ("problem,A,B\n007,1,2\n7,3,4\n", {"dataset": "problem"}, ("007", "7")),
        (" problem ,A,B\n1,1,2\n2,3,4\n", {"dataset": " problem "}, ("1", "2")),
        ("A,B\n1,2\n3,4\n", {}, ("1", "2")),
    ],
)
def test_wide(read, content, arguments, datasets):
    experiment = read(content, **arguments)
    assert (experiment.datasets, experiment.algorithms) == (datasets, ("A", "B"))
    assert scores(experiment) == [[1.0, 2.0], [3.0, 4.0]]
    assert (experiment.n_folds, experiment.n_runs, experiment.measure) == (1, 1, None)


def test_missing_scores(read):
    experiment = read("dataset,A,B\nx,NA,2\ny,3,?\n")
    assert scores(experiment) == [[NAN, 2.0], [3.0, NAN]]
    assert experiment.missing.tolist() == [[True, False], [False, True]]


def test_one_algorithm_is_read_but_not_compared(read):
    experiment = read("dataset,A\nx,1\ny,2\n")
    assert repr(experiment) == "<Experiment: 1 algorithm on 2 data sets, maximize>"
    with pytest.raises(ValueError, match=r"at least|two|2"):
        compare(experiment)


@pytest.mark.parametrize(
    ("content", "arguments", "error", "message"),
    [
        (
            "dataset,A,B\n",
            {},
            DataError,
            "t.csv has no rows, so there is no data set to compare on.",
        ),
        (
            "dataset\nx\n",
            {},
            DataError,
            "t.csv has no column of scores beside 'dataset'. "
            "Cells must be separated by a comma, a semicolon or a tab.",
        ),
        (
            "dataset,A\nx,1\ny,two\n",
            {},
            DataError,
            "t.csv, row 2 ('y'), column 'A' must be a number; got 'two'.",
        ),
        (
            "problem,A\n7,1\ntwo,2\n",
            {},
            DataError,
            "t.csv, row 2, column 'problem' must be a number; got 'two'. "
            "Pass dataset='problem' if it names data sets.",
        ),
        (
            "dataset,A\nx,1\n x ,2\n",
            {},
            DataError,
            "t.csv, row 2, column 'dataset': data set 'x' is in row 1 already. Pass fold= or run= "
            "to name the column that tells repetitions apart; without one, delete the row if it "
            "is a copy, or number the repetitions in a column 'run'.",
        ),
        (
            "dataset,A,B\nx,1,2\ny,,NA\n",
            {},
            DataError,
            "every data set must have at least one score; 'y' has none.",
        ),
        (
            "dataset,A,B\nx,1,\ny,2,NA\n",
            {},
            DataError,
            "every algorithm must have at least one score; 'B' has none.",
        ),
        (
            "name,group,A\nx,y,1\n",
            {},
            DataError,
            "t.csv: columns 'name' and 'group' hold text, so the table may be long. Pass "
            "dataset=, algorithm= and score= for a row per score. For a column per algorithm, name "
            "the column of data sets and leave out the others, such as dataset='name' with "
            "ignore=['group'].",
        ),
        *(
            (
                f"id,A\n{first},0.5\n{second},0.7\n",
                {},
                DataError,
                "t.csv: column 'id' counts its rows, so it may number the data sets or hold "
                "scores. Pass dataset='id' if it numbers them; otherwise add a column 'dataset'.",
            )
            for first, second in ((1, 2), (2, 1), (0, 1), (1, 0))
        ),
        (
            "dataset,run,A,B\nx,1,2,3\ny,2,3,4\n",
            {},
            DataError,
            "t.csv: column 'run' may name runs, or hold the scores of an algorithm. Pass run='run' "
            "if it names runs, ignore=['run'] to leave it out, or keep=['run'] if it holds scores.",
        ),
        (
            "algorithm,score,dataset\n1,2,x\n2,3,x\n",
            {},
            None,
            (("1", "2"), ("x",)),
        ),
        (
            "dataset,A\nx,1\n",
            {"dataset": "data"},
            ValueError,
            "`dataset` must name a column of t.csv, one of 'dataset' and 'A'; got 'data'. "
            "Did you mean 'dataset'?",
        ),
        (
            "dataset,A\nx,1\n",
            {"direction": "max"},
            ValueError,
            "`direction` must be 'maximize' or 'minimize'; got 'max'. Did you mean 'maximize'?",
        ),
        (
            "dataset,A\nx,1\n",
            {"decimal": ";"},
            ValueError,
            "`decimal` must be '.' or ','; got ';'.",
        ),
        (
            "dataset,A\nx,1\n",
            {"separator": "|"},
            ValueError,
            "`separator` must be ',', ';' or '\\t'; got '|'.",
        ),
        ("dataset,A\nx,1\n", {"measure": 3}, TypeError, "`measure` must be text; got 3."),
    ],
)
def test_ambiguous_and_wrong_tables(read, content, arguments, error, message):
    if error is None:
        experiment = read(content, **arguments)
        assert (experiment.algorithms, experiment.datasets) == message
    else:
        with refuses(error, message):
            read(content, **arguments)


# ------------------------------------------------------------------------------- long

LONG = "dataset,algorithm,score\nx,A,1\nx,B,2\ny,A,3\ny,B,4\n"


@pytest.mark.parametrize(
    ("content", "arguments", "measure"),
    [
        (LONG, {}, None),
        (LONG.replace("algorithm", "ALGORITHM").replace("score", "Score"), {}, None),
        (LONG.replace("score", "error"), {"score": "error"}, "error"),
        (LONG.replace("score", "error"), {"score": "error", "measure": "loss"}, "loss"),
        (
            LONG.replace("dataset", "task").replace("algorithm", "method"),
            {"dataset": "task", "algorithm": "method"},
            None,
        ),
        (LONG.replace("score", "score,seconds").replace("\n", ",9\n").replace(
            "seconds,9", "seconds"), {}, None),
    ],
)  # fmt: skip
def test_long(read, content, arguments, measure):
    experiment = read(content, **arguments)
    assert (experiment.datasets, experiment.algorithms) == (("x", "y"), ("A", "B"))
    assert scores(experiment) == [[1.0, 2.0], [3.0, 4.0]]
    assert experiment.measure == measure


def test_columns_may_be_called_like_another_role(read):
    content = "dataset,algorithm,run,score\nx,A,1,7\nx,B,2,8\n"
    assert scores(read(content, score="run")) == [[1.0, 2.0]]
    fold_is_dataset = read(content.replace("dataset", "fold"), dataset="fold", score="score")
    assert (fold_is_dataset.datasets, fold_is_dataset.folds) == (("x",), ("1",))
    ends = "dataset,algorithm,lower,upper,score\nx,A,1,2,1.5\nx,B,3,4,3.5\n"
    assert scores(read(ends, score="score")) == [[1.5, 3.5]]
    intervals = read(ends, lower="lower", upper="upper")
    assert intervals.upper[:, :, 0, 0].tolist() == [[2.0, 4.0]]


def test_without_data_sets(read):
    experiment = read("algorithm,score\nA,1\nB,2\n")
    assert (experiment.datasets, scores(experiment)) == (("1",), [[1.0, 2.0]])


def test_folds_are_in_their_natural_order(read):
    rows = [("x", a, f, int(f) * (1 if a == "A" else 10)) for a in "AB" for f in ["10", "2", "1"]]
    text = "dataset,algorithm,fold,score\n" + "".join(f"{d},{a},{f},{s}\n" for d, a, f, s in rows)
    experiment = read(text)
    assert experiment.folds == ("1", "2", "10")
    assert experiment.scores[0, :, :, 0].tolist() == [[1, 2, 10], [10, 20, 100]]
    for folds, ordered in (
        (("f10", "f9", "f1"), ("f1", "f9", "f10")),
        (("b", "a", "A"), ("A", "a", "b")),
        (("1.5", "-2", "1e1"), ("-2", "1.5", "1e1")),
        (("nan", "2", "10"), ("2", "10", "nan")),
        (("02", "2", "1"), ("1", "02", "2")),
        (("2020-10-01", "2020-9-01"), ("2020-9-01", "2020-10-01")),
    ):
        lines = "".join(f"x,A,{fold},1\n" for fold in folds)
        assert read(f"dataset,algorithm,fold,score\n{lines}").folds == ordered


def test_runs_are_numbered_in_the_order_of_their_labels_and_padded(read):
    content = (
        "dataset,algorithm,run,score\nx,A,30,3\nx,A,4,1\nx,B,100,5\ny,A,9,6\ny,B,1,7\ny,B,2,\n"
    )
    experiment = read(content)
    assert experiment.n_runs == 2
    assert experiment.scores[:, :, 0].tolist() == [
        [[1.0, 3.0], [5.0, NAN]],
        [[6.0, NAN], [7.0, NAN]],
    ]
    assert experiment.mean_scores.tolist() == [[2.0, 5.0], [6.0, 7.0]]


def test_folds_with_runs(read):
    content = "dataset,algorithm,fold,run,score\nx,A,1,1,1\nx,A,1,2,3\nx,A,2,1,10\nx,B,2,1,4\n"
    experiment = read(content)
    assert experiment.scores.shape == (1, 2, 2, 2)
    assert experiment.mean_scores.tolist() == [[6.0, 4.0]]  # folds count the same
    assert repr(experiment) == "<Experiment: 2 algorithms on 1 data set, 2 folds, 2 runs, maximize>"


def test_intervals(read):
    experiment = read("dataset,algorithm,lower,upper\nx,A,1,2\nx,B,3,3\ny,A,,\ny,B,1,1\n")
    assert experiment.is_interval
    assert experiment.lower[:, :, 0, 0].tolist() == [[1.0, 3.0], [NAN, 1.0]]
    assert experiment.upper[:, :, 0, 0].tolist() == [[2.0, 3.0], [NAN, 1.0]]
    with refuses(DataError, "the scores are intervals. Use `lower` and `upper`."):
        _ = experiment.scores
    with refuses(DataError, "the scores are intervals, which have no mean. Use to_frame('long')."):
        experiment.to_frame()
    assert "[1, 2]" in str(experiment)


@pytest.mark.parametrize(
    ("content", "arguments", "error", "message"),
    [
        (
            "dataset,algorithm,score\nx,A,1\nx,B,2\nx,A,3\n",
            {},
            DataError,
            "t.csv: rows 1 and 3 both hold the score of dataset 'x', algorithm 'A'. Pass fold= "
            "or run= to name the column that tells repetitions apart; without one, delete the row "
            "if it is a copy, or number the repetitions in a column 'run'.",
        ),
        (
            "dataset,algorithm,fold,score\nx,A,1,1\nx,A,1,2\n",
            {},
            DataError,
            "t.csv: rows 1 and 2 both hold the score of dataset 'x', algorithm 'A', fold '1'. "
            "Pass run= to name the column that tells repetitions apart; without one, delete the "
            "row if it is a copy, or number the repetitions in a column 'run'.",
        ),
        (
            "dataset,algorithm,fold,run,score\nx,A,1,1,1\nx,A,1,1,2\n",
            {},
            DataError,
            "t.csv: rows 1 and 2 both hold the score of dataset 'x', algorithm 'A', fold '1', "
            "run '1'. Take out one of them.",
        ),
        (
            "dataset,algorithm,score\nx,A,1\nx,B,two\n",
            {},
            DataError,
            "t.csv, row 2 ('x'), column 'score' must be a number; got 'two'.",
        ),
        (
            "dataset,algorithm,score\nx,A,1\nx,,2\n",
            {},
            DataError,
            "t.csv, row 2, column 'algorithm' must be a label; the cell is empty. "
            "Write the label, or delete the row.",
        ),
        (
            "dataset,algorithm,score\nx,A,1\nx,B,\n",
            {},
            DataError,
            "every algorithm must have at least one score; 'B' has none.",
        ),
        (
            "dataset,algorithm,lower,upper\nx,A,1,2\nx,B,3,2.5\n",
            {},
            DataError,
            "t.csv, row 2 ('x'), column 'lower' must not exceed the upper end; got 3.0 above 2.5.",
        ),
        (
            "dataset,algorithm,lower,upper\nx,A,1,2\nx,B,,2.5\n",
            {},
            DataError,
            "t.csv, row 2 ('x'), column 'lower' must be a number; the cell is empty though the "
            "other end of the interval is given.",
        ),
        (
            "dataset,algorithm,lower,upper,score\nx,A,1,2,1\n",
            {},
            DataError,
            "t.csv: scores are either one column (`score`) or two ends (`lower` and `upper`); "
            "got 'lower', 'score' and 'upper'.",
        ),
        (
            "dataset,algorithm,lo\nx,A,1\n",
            {"lower": "lo"},
            DataError,
            "t.csv: scores are either one column (`score`) or two ends (`lower` and `upper`); "
            "got 'lo'.",
        ),
        (
            "dataset,algorithm,notes\nx,A,good\n",
            {"algorithm": "algorithm"},
            DataError,
            "t.csv: `score` must name the column of scores in a long table (or `lower` and "
            "`upper` those of interval scores); the columns are 'dataset', 'algorithm' and "
            "'notes'.",
        ),
        (
            "dataset,name,score\nx,A,1\n",
            {"score": "score"},
            DataError,
            "t.csv: `algorithm` must name the column of algorithms in a long table; the columns "
            "are 'dataset', 'name' and 'score'.",
        ),
        (
            "dataset,algorithm,score\nx,A,1\n",
            {"score": "algorithm", "algorithm": "algorithm"},
            ValueError,
            "`algorithm` and `score` must name different columns; got 'algorithm' for both.",
        ),
        (
            "dataset,algorithm,score\nx,A,1\n",
            {"score": ["score"]},
            ValueError,
            "`score` must name a column of t.csv, one of 'dataset', 'algorithm' and 'score'; "
            "got ['score'].",
        ),
    ],
)
def test_wrong_long_tables(read, content, arguments, error, message):
    with refuses(error, message):
        read(content, **arguments)


def test_frames_with_an_algorithm_column_of_numbers():
    frame = pd.DataFrame({"dataset": ["x", "x"], "algorithm": [1, 2], "score": [0.1, 0.2]})
    with refuses(
        DataError,
        "frame: column 'algorithm' holds numbers, so the table may be long (a row per score) or "
        "wide (a column per algorithm). Pass algorithm= and score= if it is long; rename the "
        "column if it is wide.",
    ):
        Experiment.from_frame(frame, direction="minimize")
    experiment = Experiment.from_frame(
        frame, direction="minimize", algorithm="algorithm", score="score"
    )
    assert experiment.algorithms == ("1", "2")


def test_an_array_that_would_be_nearly_empty():
    n = 3_000
    names = [f"{i}" for i in range(n)]
    frame = pd.DataFrame({"dataset": names, "algorithm": names, "score": np.ones(n)})
    with refuses(
        DataError,
        "frame: 3000 data sets, 3000 algorithms, 1 folds and 1 runs make 9,000,000 cells for "
        "3,000 scores. Does one of dataset=, algorithm=, fold= name the wrong column?",
    ):
        Experiment.from_frame(frame, direction="minimize")


def test_decimal_commas_that_nobody_mentioned(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("label;a;b\nf1;0,5;0,6\nf2;0,7;0,8\n")
    with pytest.raises(DataError) as caught:
        Experiment.read(path, direction="maximize")
    assert str(caught.value) == (
        "scores.csv, row 1, column 'a' holds text; got '0,5'. "
        "If the comma is a decimal mark, pass decimal=','."
    )
    read = Experiment.read(path, direction="maximize", decimal=",")
    assert read.mean_scores.tolist() == [[0.5, 0.6], [0.7, 0.8]]
