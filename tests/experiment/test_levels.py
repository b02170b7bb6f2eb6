"""Labels of several levels: seeds are runs; statistics and measures are no folds."""

import re

import numpy as np
import pandas as pd
import pytest

from nbcompare import DataError, Experiment
from nbcompare._messages import Speech
from nbcompare.experiment._no_folds import held

DATASETS = [f"d{i}" for i in range(4)]
ALGORITHMS = ["SVM", "kNN", "C4.5"]
VALUES = np.random.default_rng(5).random((4, 3, 3)).round(3)


def of(frame, **options):
    return Experiment.from_frame(frame, direction="maximize", **options)


def levelled(labels, names=(None, None)):
    """Return scores of algorithms, with these labels under each."""
    columns = pd.MultiIndex.from_product([ALGORITHMS, labels], names=names)
    values = VALUES[:, :, : len(labels)].reshape(4, -1)
    return pd.DataFrame(values, index=pd.Index(DATASETS, name="dataset"), columns=columns)


def refuses(*words):
    return pytest.raises(DataError, match=".*".join(map(re.escape, words)))


# ----------------------------------------------------------------- statistics and measures

NO_FOLDS = [
    (["mean", "std"], "statistics"),
    (["Mean", "SD"], "statistics"),
    (["avg", "stderr"], "statistics"),
    (["median", "min", "max"], "statistics"),
    (["mean", "count"], "statistics"),
    (["mean", "sem"], "statistics"),
    (["acc_mean", "acc_std"], "statistics"),
    (["mean_accuracy", "std_accuracy"], "statistics"),
    (["acc", "f1"], "measures"),
    (["Accuracy", "Loss"], "measures"),
    (["precision", "recall", "F1"], "measures"),
    (["RMSE", "error"], "measures"),
    (["f1_macro", "roc_auc"], "measures"),
    (["accuracy", "time"], "measures"),
    (["top1", "top5"], "measures"),
    (["accuracy"], "measures"),
    (["train", "test"], "parts of the data"),
]


@pytest.mark.parametrize(("labels", "kind"), NO_FOLDS)
@pytest.mark.parametrize("names", [(None, None), ("algorithm", "fold"), ("model", "seed")])
def test_no_folds_under_any_name(labels, kind, names):
    frame = levelled(labels, names)
    level = 1 if names[1] is None else repr(names[1])
    for one, where in ((frame, level), (frame.swaplevel(axis=1), 0 if level == 1 else level)):
        with refuses(f"level {where} of the column labels holds {kind}", "frame.xs(") as caught:
            of(one)
        assert "columns.names" not in str(caught.value)
        (call,) = re.findall(r"frame\.(xs\(.*\))\.$", str(caught.value))
        alone = eval(f"frame.{call}", {"frame": one})
        assert (of(alone).n_folds, of(alone).n_runs, of(alone).algorithms) == (1, 1, (*ALGORITHMS,))


@pytest.mark.parametrize("name", ["metric", "Measure", "statistic"])
@pytest.mark.parametrize("options", [{}, {"fold": "name"}, {"run": "name"}])
def test_a_level_that_is_called_like_a_measure(name, options):
    options = dict.fromkeys(options, name)
    frame = levelled(["hits", "misses"], ("algorithm", name))
    with refuses(f"level '{name}' of the column labels holds", "frame.xs('hits', axis=1, level="):
        of(frame, **options)
    rows = frame.stack(name, future_stack=True)
    with refuses(f"level '{name}' of the row labels holds", f"frame.xs('hits', level='{name}')"):
        of(rows, **options)


def test_the_mean_is_what_is_advised():
    with refuses("frame.xs('mean', axis=1, level=1)"):
        of(levelled(["std", "mean"]))
    with refuses("frame.xs('test', axis=1, level='split')"):
        of(levelled(["train", "test"], ("algorithm", "split")))


def test_rows_of_statistics():
    rows = levelled(["mean", "std"], ("algorithm", None)).stack(1, future_stack=True)
    with refuses("level 1 of the row labels holds statistics", "frame.xs('mean', level=1)"):
        of(rows)
    assert of(rows.xs("mean", level=1)).n_datasets == 4


def test_the_only_level_of_columns():
    frame = levelled(["mean", "std"], ("algorithm", "fold")).stack("algorithm", future_stack=True)
    with refuses(
        "level 'fold' of the column labels holds statistics", "frame['mean'].reset_index()"
    ):
        of(frame)
    assert of(frame["mean"].reset_index(), score="mean").n_algorithms == 3


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 2],
        ["seed0", "seed1"],
        ["fold1", "fold2", "fold3"],
        ["f1", "f2", "f3"],
        ["score 1", "score 2"],
        ["result a", "result_b"],
        ["a", "b", "n"],
        [0.5],
    ],
)
def test_what_may_be_folds_or_runs(labels):
    assert held([str(label) for label in labels]) is None
    experiment = of(levelled(labels, ("algorithm", "fold")))
    assert experiment.n_folds == len(labels)
    assert of(levelled(labels, ("algorithm", "run"))).n_runs == len(labels)


def test_a_mean_beside_folds_is_no_fold():
    with refuses("holds statistics ('1', '2' and 'mean')"):
        of(levelled(["1", "2", "mean"], ("algorithm", "fold")))


# ------------------------------------------------------------------------- names of levels


@pytest.mark.parametrize("name", ["seed", "Seed", "repetition", "trial", "random_state", "run"])
@pytest.mark.parametrize("algorithm", ["algorithm", "model", "Classifier"])
def test_seeds_are_runs(name, algorithm):
    frame = levelled([0, 1, 2], (algorithm, name))
    for one in (
        frame,
        frame.swaplevel(axis=1),
        frame.stack(name, future_stack=True),
        frame.stack(algorithm, future_stack=True),
        frame.rename_axis("problem").stack(name, future_stack=True),
        frame.rename_axis("problem").swaplevel(axis=1),
    ):
        found = of(one)
        assert (found.n_folds, found.n_runs, found.runs) == (1, 3, ("0", "1", "2"))
        np.testing.assert_array_equal(found.select(algorithms=ALGORITHMS).scores[:, :, 0], VALUES)


def test_splits_are_folds_and_what_an_argument_names_is_that():
    frame = levelled([1, 2, 3], ("method", "split"))
    assert of(frame).n_folds == 3
    assert of(frame, run="split").n_runs == 3
    assert of(levelled([1, 2, 3], ("method", "seed")), fold="seed").n_folds == 3


def test_pivot_tables():
    long = levelled([0, 1, 2], ("model", "seed")).stack(["model", "seed"], future_stack=True)
    long = long.rename("accuracy").reset_index()
    for table in (
        long.pivot_table(index=["dataset", "seed"], columns="model", values="accuracy"),
        long.pivot_table(index="dataset", columns=["seed", "model"], values="accuracy"),
        long.pivot_table(index=["dataset", "model"], columns="seed", values="accuracy"),
        long.set_index(["dataset", "model", "seed"]),
    ):
        found = of(table).select(algorithms=ALGORITHMS)
        np.testing.assert_array_equal(found.scores[:, :, 0], VALUES)
    with refuses("level 0 of the column labels holds measures", "frame.xs('accuracy', axis=1"):
        of(long.pivot_table(index="dataset", columns="model", values=["accuracy"]))


def test_two_levels_of_one_word_are_not_guessed():
    columns = pd.MultiIndex.from_product(
        [ALGORITHMS, [0, 1], [5, 6]], names=["algorithm", "seed", "trial"]
    )
    frame = pd.DataFrame(np.arange(12.0)[np.newaxis], index=["x"], columns=columns)
    with refuses("Pass fold='seed' if that is what it holds") as caught:
        of(frame, run="trial")
    assert "Name" not in str(caught.value)
    with refuses("Pass fold='seed', run='trial' if that is what they hold"):
        of(frame)
    found = of(frame, fold="seed", run="trial")
    assert (found.n_folds, found.n_runs) == (2, 2)


def test_levels_that_have_names_are_not_to_be_named():
    with refuses(
        "'algorithm' ('SVM', 'kNN' and 'C4.5'); 'x' ('0' and '1'). Pass fold='x' or run='x' if "
        "that is what it holds"
    ) as caught:
        of(levelled([0, 1], ("algorithm", "x")))
    assert "Name" not in str(caught.value)
    assert of(levelled([0, 1], ("algorithm", "x")), run="x").n_runs == 2
    with refuses("Pass algorithm='y', fold='x' or run='x' if that is what they hold"):
        of(levelled([0, 1], ("y", "x")))


def test_a_text_column_of_algorithms_and_a_score_called_model():
    """Only text may name algorithms: the scores of one may stand under any name."""
    frame = pd.DataFrame(
        {"model": [0.5, 0.6], "agent": [0.7, 0.8]},
        index=pd.MultiIndex.from_product([["x", "y"], [1]], names=["dataset", "fold"]),
    )
    assert of(frame).algorithms == ("model", "agent")


def test_advice_on_levels_stays_as_pandas_takes_it():
    """A magic takes dataframes, and tells messages in its own words."""
    told = "as by frame.xs('mean', axis=1, level='fold')."
    assert Speech({"fold": "--fold"}).says(told) == told
