"""Columns that are recognised by usual names, and the arguments that say what is to be read."""

import re

import numpy as np
import pandas as pd
import pytest

from nbcompare import Experiment
from nbcompare._messages import Speech
from nbcompare._validation import DataError


@pytest.fixture
def read(tmp_path):
    def from_text(content, **arguments):
        path = tmp_path / "t.csv"
        path.write_text(content, encoding="utf-8")
        return Experiment.read(path, **{"direction": "maximize"} | arguments)

    return from_text


def refuses(message, error=DataError):
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def values(experiment):
    return experiment.scores.tolist()


# ------------------------------------------------------------------------------- names


@pytest.mark.parametrize("dataset", ["dataset_name", "Data Set", "problem", "Task", "game", "task"])
@pytest.mark.parametrize("algorithm", ["classifier_name", "Method", "model", "FRAMEWORK"])
@pytest.mark.parametrize("score", ["accuracy", "Test Acc", "rmse", "anything"])
def test_long_tables_by_usual_names(read, dataset, algorithm, score):
    rows = "x,A,1.5\nx,B,2\ny,A,3\ny,B,4\n"
    experiment = read(f"{dataset},{algorithm},{score}\n{rows}")
    assert values(experiment) == [[[[1.5]], [[2.0]]], [[[3.0]], [[4.0]]]]
    assert (experiment.datasets, experiment.algorithms) == (("x", "y"), ("A", "B"))
    assert experiment.measure == score


@pytest.mark.parametrize(
    ("name", "folds", "runs"),
    [
        *((name, ("4", "9"), ("1",)) for name in ("Fold", "split", "cv", "fold_id")),
        *((name, ("1",), ("4", "9")) for name in ("seed", "Random Seed", "repeat", "run", "trial")),
    ],
)
def test_folds_and_runs_by_usual_names(read, name, folds, runs):
    long = read(f"task,model,{name},acc\nx,A,4,1\nx,A,9,2\nx,B,9,4\nx,B,4,3\n")
    wide = read(f"task,{name},A,B\nx,4,1,3\nx,9,2,4\n")
    for experiment in (long, wide):
        assert (experiment.datasets, experiment.algorithms) == (("x",), ("A", "B"))
        assert (experiment.folds, experiment.runs) == (folds, runs)
        assert experiment.scores[0].reshape(2, 2).tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_wide_tables_with_folds_and_runs(read):
    content = "set,fold,seed,A,B\nx,1,7,1,2\nx,1,8,3,4\nx,2,8,5,6\ny,1,7,7,8\ny,1,9,,10\n"
    experiment = read(content)
    assert (experiment.datasets, experiment.folds) == (("x", "y"), ("1", "2"))
    assert experiment.runs == ("7", "8", "9")
    long = pd.read_csv(pd.io.common.StringIO(content)).melt(
        ["set", "fold", "seed"], var_name="method", value_name="score"
    )
    same = Experiment.from_frame(
        long.dropna(), direction="maximize", dataset="set", fold="fold", run="seed"
    )
    assert same.fingerprint == experiment.fingerprint
    np.testing.assert_array_equal(same.run_codes, experiment.run_codes)


@pytest.mark.parametrize(
    "content",
    [
        "fold,A,B\n1,.5,.6\n2,.7,.8\n",
        "cv,A,B\n0,.5,.6\n1,.7,.8\n",
        "split,A,B\na,.5,.6\nb,.7,.8\n",
        ",fold,A,B\n0,1,.5,.6\n1,2,.7,.8\n",
    ],
)
def test_a_column_of_folds_alone_makes_one_data_set(read, content):
    experiment = read(content)
    assert (experiment.datasets, experiment.algorithms) == (("1",), ("A", "B"))
    assert experiment.scores[0, :, :, 0].tolist() == [[0.5, 0.7], [0.6, 0.8]]
    frame = pd.DataFrame({"A": [0.5, 0.7], "B": [0.6, 0.8]}, index=pd.Index([1, 2], name="fold"))
    by_index = Experiment.from_frame(frame, direction="maximize")
    assert (by_index.n_datasets, by_index.folds) == (1, ("1", "2"))


def test_algorithms_that_are_called_like_a_role(read):
    assert read("problem,model,baseline\nx,1,2\ny,3,4\n").algorithms == ("model", "baseline")
    assert read("problem,seed,A\nx,1.5,2\ny,3.5,4\n").algorithms == ("seed", "A")
    for options in ({"keep": ["fold"]}, {"algorithms": ["fold", "A"]}):
        kept = read("problem,fold,A\nx,1,2\ny,3,4\n", **options)
        assert (kept.algorithms, kept.n_folds) == (("fold", "A"), 1)
    assert read("problem,score,A\nx,1,2\ny,3,4\n", keep=["score"]).algorithms == ("score", "A")


@pytest.mark.parametrize(
    ("content", "message", "ways"),
    [
        (
            "task,problem,method,acc\nx,p,A,1\nx,p,B,2\n",
            "columns 'task' and 'problem' may both name the data sets. Pass dataset='task' or "
            "dataset='problem'.",
            [{"dataset": "task"}, {"dataset": "problem"}],
        ),
        (
            "task,model,method,acc\nx,A,m,1\nx,B,n,2\n",
            "columns 'model' and 'method' may both name the algorithms. Pass algorithm='model' or "
            "algorithm='method'.",
            [{"algorithm": "model"}, {"algorithm": "method"}],
        ),
        (
            "task,method,acc,f1,auc\nx,A,1,2,3\nx,B,2,3,4\n",
            "columns 'acc', 'f1' and 'auc' may hold the scores. Pass score='acc', score='f1' or "
            "score='auc'.",
            [{"score": "acc"}, {"score": "auc"}],
        ),
        (
            "task,method,seed,repeat,acc\nx,A,1,1,2\nx,B,2,2,3\n",
            "columns 'seed' and 'repeat' may both name the runs. Pass run='seed' or run='repeat'.",
            [{"run": "seed"}, {"ignore": ["repeat"]}],
        ),
        (
            "task,method,A,B\nx,m,1,2\ny,n,3,4\n",
            "column 'method' seems to name algorithms, and columns 'A' and 'B' may hold their "
            "scores. Pass score='A' or score='B' if there is a row per score, or "
            "ignore=['method'] if there is a column per algorithm.",
            [{"score": "A"}, {"ignore": ["method"]}],
        ),
        (
            "method,iris,wine\nA,1,2\nB,3,4\n",
            "column 'method' seems to name algorithms, one per row, so columns 'iris' and 'wine' "
            "may be data sets. Pass transpose=True if they are, or dataset='method' if the rows "
            "are data sets. If one column holds all scores, pass algorithm='method' and name that "
            "column by `score`.",
            [
                {"transpose": True},
                {"dataset": "method"},
                {"algorithm": "method", "score": "iris"},
            ],
        ),
        (
            "fold,A,B\n.81,.5,.6\n.82,.7,.8\n",
            "column 'fold' may name folds, or hold the scores of an algorithm. Pass fold='fold' if "
            "it names folds, ignore=['fold'] to leave it out, or keep=['fold'] if it holds scores.",
            [{"fold": "fold"}, {"ignore": ["fold"]}, {"keep": ["fold"]}],
        ),
        (
            "dataset,seed,A\nx,1,2\ny,2,4\n",
            "column 'seed' may name runs, or hold the scores of an algorithm. Pass run='seed' if "
            "it names runs, ignore=['seed'] to leave it out, or keep=['seed'] if it holds scores.",
            [{"run": "seed"}, {"ignore": ["seed"]}, {"keep": ["seed"]}],
        ),
        (
            "task,method,n_train\nx,A,100\nx,B,100\n",
            "the only column of numbers, 'n_train', does not seem to hold scores. Pass "
            "score='n_train' if it does.",
            [{"score": "n_train"}],
        ),
        (
            "split,model,acc\ntest,A,1\ntrain,A,2\n",
            "rows 1 and 2 both hold the score of algorithm 'A'. Pass dataset= or fold= or run= to "
            "name the column that tells repetitions apart; without one, delete the row if it is a "
            "copy, or number the repetitions in a column 'run'.",
            [{"fold": "split"}, {"dataset": "split"}],
        ),
    ],
)  # fmt: skip
def test_what_may_be_read_in_two_ways(read, content, message, ways):
    with refuses(f"t.csv: {message}"):
        read(content)
    for way in ways:
        assert read(content, **way).n_algorithms >= 1


def test_a_measure_among_other_columns_is_noted(read):
    experiment = read("task,method,acc,acc_std,epochs\nx,A,1,9,10\nx,B,2,8,10\n")
    assert values(experiment) == [[[[1.0]], [[2.0]]]]
    (note,) = experiment.notes
    assert (
        note.text == "The scores are those of column 'acc'; 'acc_std' and 'epochs' were left out."
    )


# ---------------------------------------------------------------- what is to be read

WIDE = "dataset,A,B,C\nx,1,2,oops\ny,3,4,5\nz,bad,6,7\n"
LONG = "dataset,algorithm,score\n" + "".join(
    f"{row[0]},{a},{cell}\n"
    for row in (line.split(",") for line in WIDE.splitlines()[1:])
    for a, cell in zip("ABC", row[1:], strict=True)
)


@pytest.mark.parametrize("content", [WIDE, LONG])
@pytest.mark.parametrize(
    ("options", "datasets", "algorithms", "scores"),
    [
        (
            {"algorithms": ["B", "A"], "datasets": ["y", "x"]},
            ("y", "x"),
            ("B", "A"),
            [[4, 3], [2, 1]],
        ),
        ({"datasets": ["y"]}, ("y",), ("A", "B", "C"), [[3, 4, 5]]),
        ({"algorithms": ["B"]}, ("x", "y", "z"), ("B",), [[2], [4], [6]]),
        ({"ignore_rows": ["x", "z"]}, ("y",), ("A", "B", "C"), [[3, 4, 5]]),
    ],
)
def test_only_what_is_asked_for_is_read(
    read, tmp_path, content, options, datasets, algorithms, scores
):
    experiment = read(content, **options)
    frame = pd.read_csv(tmp_path / "t.csv")
    for made in (experiment, Experiment.from_frame(frame, direction="maximize", **options)):
        assert (made.datasets, made.algorithms) == (datasets, algorithms)
        assert made.mean_scores.tolist() == scores


def test_rows_keep_their_numbers(read):
    with pytest.raises(DataError, match=r"row 3 \('z'\), column 'A' must be a number; got 'bad'"):
        read(WIDE, ignore_rows=["x"])
    numbered = read("A,B\n1,2\n3,4\n5,7\n", ignore_rows=["1"])
    assert (numbered.datasets, values(numbered)[0]) == (("2", "3"), [[[3.0]], [[4.0]]])
    with pytest.raises(DataError, match="rows 2 and 3 both hold the score"):
        read("dataset,algorithm,score\nx,A,1\ny,A,1\ny,A,2\n", ignore_rows=["x"])


def test_transposed_tables(read):
    content = ",iris,wine,notes\nkNN,1,2,a\nSVM,3,4,b\nmean,2,3,c\n"
    options = {"transpose": True, "ignore": ["notes"], "ignore_rows": ["mean"]}
    experiment = read(content, **options)
    assert (experiment.datasets, experiment.algorithms) == (("iris", "wine"), ("kNN", "SVM"))
    assert experiment.mean_scores.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    some = read(content, transpose=True, datasets=["wine"], algorithms=["SVM", "kNN"])
    assert some.mean_scores.tolist() == [[4.0, 2.0]]
    named = read(content.replace(",iris", "who,iris", 1), algorithm="who", **options)
    assert named.fingerprint == experiment.fingerprint
    with refuses(
        "`score` must be None with transpose=True, where rows are algorithms and columns data "
        "sets; got 'wine'.",
        ValueError,
    ):
        read(content, score="wine", transpose=True)


@pytest.mark.parametrize("content", [WIDE, LONG])
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
        ({"keep": ["A"], "ignore": ["A"]}, "`keep` and `ignore` must not name the same; got 'A'"),
        ({"keep_rows": ["x"], "ignore_rows": ["x"]}, "`keep_rows` and `ignore_rows` must not name"),
        ({"algorithms": ["A"], "ignore": ["A"]}, "`algorithms` and `ignore` must not name the"),
        ({"datasets": ["x"], "ignore_rows": ["x"]}, "`datasets` and `ignore_rows` must not name"),
        ({"dataset": "dataset", "ignore": ["dataset"]}, "`dataset` and `ignore` must not name the"),
        ({"dataset": "dataset", "keep": ["dataset"]}, "`dataset` and `keep` must not name the sam"),
        ({"ignore_rows": ["x", "y", "z"]}, "`ignore_rows` must leave at least one row of t.csv"),
    ],
)
def test_names_that_do_not_fit(read, content, options, message):
    if options.get("keep") == ["A"] or options.get("ignore") == ["A"]:
        content = WIDE
    with pytest.raises(ValueError, match=message):
        read(content, **options)


def test_advice_in_the_words_of_a_command_line():
    speech = Speech({"ignore": "--ignore", "keep_rows": "--keep-rows", "transpose": "--transpose"})
    assert speech.says("Pass ignore=['n train', \"it's\"] to leave it out") == (
        "Pass --ignore 'n train' --ignore 'it'\"'\"'s' to leave it out"
    )
    assert speech.says("or keep_rows=['a, b'], or transpose=True.") == (
        "or --keep-rows 'a, b', or --transpose."
    )
