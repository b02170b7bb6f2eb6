"""Wide and long tables, told by arguments or recognised without guessing."""

import re

import numpy as np
import pandas as pd
import pytest

from nbcompare import compare
from nbcompare._validation import DataError
from nbcompare.experiment import Experiment


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
    ("content", "arguments", "message"),
    [
        ("dataset,A,B\n", {}, "t.csv has no rows, so there is nothing to compare."),
        ("dataset\nx\n", {}, "t.csv has no column of scores beside 'dataset'. Cells must be"),
        ("dataset,A\nx,1\ny,two\n", {}, "row 2 ('y'), column 'A' must be a number; got 'two'."),
        ("dataset,A\nx,1\n x ,2\n", {}, "rows 1 and 2 both hold the scores of dataset 'x'."),
        ("dataset,A,B\nx,1,2\ny,,NA\n", {}, "row 'y' has no score at all."),
        ("dataset,A,B\nx,1,\ny,2,NA\n", {}, "column 'B' has no score at all."),
        ("dataset,A\nx,1\n", {"dataset": "data"}, "got 'data'. Did you mean 'dataset'?"),
        ("dataset,A\nx,1\n", {"direction": "max"}, "got 'max'. Did you mean 'maximize'?"),
        ("dataset,A\nx,1\n", {"separator": "|"}, "`separator` must be ',', ';' or '\\t'; got"),
        ("dataset,A\nx,1\n", {"measure": 3}, "`measure` must be text; got 3."),
        (
            "dataset,algorithm,score\nx,A,1\nx,B,2\nx,A,3\n",
            {},
            "rows 1 and 3 both hold the score of dataset 'x', algorithm 'A'. Delete the row if it "
            "is a copy; if runs were repeated, number them in a column 'run'.",
        ),
        (
            "dataset,algorithm,fold,run,score\nx,A,1,1,1\nx,A,1,1,2\n",
            {"fold": "fold", "run": "run"},
            "dataset 'x', algorithm 'A', fold '1', run '1'. Take out one of them.",
        ),
        (
            "problem,algorithm,FEs,value\nx,A,1,1\nx,A,2,2\n",
            {"score": "value"},
            "a row for each value of 'FEs', Histories.read(path) reads them.",
        ),
        ("dataset,algorithm,score\nx,A,1\nx,B,two\n", {}, "row 2 ('x'), column 'score' must be a"),
        ("dataset,algorithm,score\nx,A,1\nx,,2\n", {}, "row 2, column 'algorithm' must be a label"),
        ("dataset,algorithm,score\nx,A,1\nx,B,\n", {}, "algorithm 'B' has no score"),
        (
            "dataset,algorithm,lower,upper\nx,A,1,2\nx,B,3,2.5\n",
            {},
            "`lower` must not exceed `upper`; that of algorithm 'B' on data set 'x' is wrong.",
        ),
        (
            "dataset,algorithm,lower,upper\nx,A,1,2\nx,B,,2.5\n",
            {},
            "`lower` and `upper` must both be given or both be missing; that of algorithm 'B'",
        ),
        ("dataset,algorithm,lo\nx,A,1\n", {"lower": "lo"}, "`upper` must name a column too"),
        ("dataset,algorithm,notes\nx,A,good\n", {"algorithm": "algorithm"}, "no column holds num"),
        (
            "dataset,algorithm,score\nx,A,1\n",
            {"score": "algorithm", "algorithm": "algorithm"},
            "`algorithm` and `score` must name different columns; got 'algorithm' for both.",
        ),
        ("dataset,algorithm,score\nx,A,1\n", {"score": ["score"]}, "`score` must name one column"),
        ("method,x\nA,1\n", {"score": "x", "transpose": True}, "`score` must be None with"),
        ("dataset,A\nx,1\n", {"dataset": "dataset", "ignore": ["dataset"]}, "`dataset` and"),
    ],
)  # fmt: skip
def test_wrong_tables(read, content, arguments, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
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
    with pytest.raises(DataError, match="the scores are intervals"):
        _ = experiment.scores
    with pytest.raises(DataError, match="intervals, which have no mean"):
        experiment.to_frame()
    assert "[1, 2]" in str(experiment)


def test_an_array_that_would_be_nearly_empty():
    n = 3_000
    names = [f"{i}" for i in range(n)]
    frame = pd.DataFrame({"dataset": names, "algorithm": names, "score": np.ones(n)})
    with pytest.raises(DataError, match=r"make 9,000,000 cells for 3,000 scores"):
        Experiment.from_frame(frame, direction="minimize", score="score")


# ---------------------------------------------------------------- what is to be read

WIDE = "dataset,A,B,C\nx,1,2,oops\ny,3,4,5\nz,bad,6,7\n"
SAME = "dataset,algorithm,score\n" + "".join(
    f"{row[0]},{a},{cell}\n"
    for row in (line.split(",") for line in WIDE.splitlines()[1:])
    for a, cell in zip("ABC", row[1:], strict=True)
)


@pytest.mark.parametrize("content", [WIDE, SAME])
@pytest.mark.parametrize(
    ("options", "datasets", "algorithms", "expected"),
    [
        ({"algorithms": ["B", "A"], "datasets": ["y", "x"]}, "yx", "BA", [[4, 3], [2, 1]]),
        ({"datasets": ["y"]}, "y", "ABC", [[3, 4, 5]]),
        ({"algorithms": ["B"]}, "xyz", "B", [[2], [4], [6]]),
        ({"ignore_rows": ["x", "z"]}, "y", "ABC", [[3, 4, 5]]),
    ],
)
def test_only_what_is_asked_for_is_read(read, content, options, datasets, algorithms, expected):
    made = read(content, **options)
    assert (made.datasets, made.algorithms) == (tuple(datasets), tuple(algorithms))
    assert made.mean_scores.tolist() == expected


def test_rows_keep_their_numbers(read):
    with pytest.raises(DataError, match=r"row 3 \('z'\), column 'A' must be a number; got 'bad'"):
        read(WIDE, ignore_rows=["x"])
    numbered = read("A,B\n1,2\n3,4\n5,7\n", ignore_rows=["1"])
    assert (numbered.datasets, scores(numbered)) == (("2", "3"), [[3.0, 4.0], [5.0, 7.0]])


def test_transposed_tables(read):
    content = ",iris,wine,notes\nkNN,1,2,a\nSVM,3,4,b\nmean,2,3,c\n"
    options = {"transpose": True, "ignore_rows": ["mean"]}
    experiment = read(content, **options)
    assert (experiment.datasets, experiment.algorithms) == (("iris", "wine"), ("kNN", "SVM"))
    assert experiment.mean_scores.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    some = read(content, transpose=True, datasets=["wine"], algorithms=["SVM", "kNN"])
    assert some.mean_scores.tolist() == [[4.0, 2.0]]
    named = read(content.replace(",iris", "who,iris", 1), algorithm="who", **options)
    assert named.fingerprint == experiment.fingerprint


@pytest.mark.parametrize("content", [WIDE, SAME])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ignore": ["dataest"]}, "`ignore` must be one of .*Did you mean 'dataset'"),
        ({"keep": ["X"]}, "`keep` must be one of .*; got 'X'"),
        ({"ignore_rows": ["X"]}, "`ignore_rows` must be one of 'x', 'y' and 'z'; got 'X'. Did you"),
        ({"keep_rows": ["w"]}, "`keep_rows` must be one of 'x', 'y' and 'z'; got 'w'"),
        ({"algorithms": ["A", "a"]}, "`algorithms` must be one of 'A', 'B' and 'C'; got 'a'. Did"),
        ({"datasets": ["w"]}, "`datasets` must be one of 'x', 'y' and 'z'; got 'w'"),
        ({"datasets": []}, "`datasets` must name at least one; got none"),
        ({"keep_rows": ["x"], "ignore_rows": ["x"]}, "`keep_rows` and `ignore_rows` must not name"),
        ({"datasets": ["x"], "ignore_rows": ["x"]}, "`datasets` and `ignore_rows` must not name"),
        ({"ignore_rows": ["x", "y", "z"]}, "`ignore_rows` must leave at least one row of t.csv"),
    ],
)
def test_names_that_do_not_fit(read, content, options, message):
    with pytest.raises(ValueError, match=message):
        read(content, **options)
