"""Tables in the shapes that people have: read right, or refused with the words to type next."""

import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nbcompare import Experiment
from nbcompare._validation import DataError
from nbcompare.cli import main

FOLDER = Path(__file__).parent / "layout"


def read(name, **options):
    return Experiment.read(FOLDER / name, direction="maximize", **options)


def plain(name, **options):
    """The file as pandas reads it."""
    return pd.read_csv(FOLDER / name, **options)


def bakeoff():
    return plain("bakeoff.csv", index_col=0).iloc[:10]


def same(experiment, frame):
    """The wide frame is what was read, whatever the order of rows and columns."""
    made = experiment.to_frame()
    assert sorted(made.columns) == sorted(map(str, frame.columns))
    assert sorted(made.index) == sorted(map(str, frame.index))
    frame = frame.rename(index=str, columns=str).loc[made.index, made.columns]
    np.testing.assert_allclose(made.to_numpy(), frame.to_numpy(dtype=float), rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "options", "frame"),
    [
        ("atari.csv", {}, lambda: plain("atari.csv", index_col="game")),
        (
            "atari.csv",
            {"ignore": ["Random", "Human"]},
            lambda: plain("atari.csv", index_col="game")[["DQN", "Rainbow"]],
        ),
        ("index_unnamed.csv", {}, bakeoff),
        ("transposed.csv", {"transpose": True}, bakeoff),
        (
            "transposed_unnamed.csv",
            {"transpose": True},
            lambda: plain("transposed_unnamed.csv", index_col=0).T,
        ),
        (
            "seeds_wide.csv",
            {},
            lambda: plain("seeds_wide.csv").groupby("dataset").mean().drop(columns="seed"),
        ),
        *(
            (name, more, lambda: plain("seeds_long.csv").pivot_table("acc", "dataset", "model"))
            for name, more in (("seeds_long.csv", {"score": "acc"}), ("spelled.csv", {}))
        ),
        ("bakeoff.csv", {"datasets": ["Wine", "Car"]}, lambda: bakeoff().loc[["Wine", "Car"]]),
    ],
)
def test_read_right(name, options, frame):
    same(read(name, **options), frame())


def test_seeds_are_runs_with_their_labels():
    for name, measure in (("seeds_wide.csv", None), ("seeds_long.csv", "acc")):
        experiment = read(name, score=measure)
        assert (experiment.n_folds, experiment.runs) == (1, ("0", "1", "2"))
        assert experiment.measure == measure
        first = plain("seeds_wide.csv").query("dataset == 'SVHN' and seed == 1")["ViT"].item()
        at = experiment.datasets.index("SVHN"), experiment.algorithms.index("ViT")
        assert experiment.scores[at][0, 1] == first
    (note,) = read("seeds_long.csv", score="acc").notes
    assert "'train_time'" in note.text


def test_a_table_of_folds_is_one_data_set():
    experiment = read("folds.csv")
    assert (experiment.datasets, experiment.folds) == (("1",), ("0", "1", "2"))
    frame = plain("folds.csv", index_col="fold")
    np.testing.assert_array_equal(experiment.scores[0, :, :, 0].T, frame.to_numpy())


def test_results_of_the_automl_benchmark():
    experiment = read("automl_results.csv", score="result", ignore=["info"])
    frame = plain("automl_results.csv")
    assert experiment.datasets == ("kr-vs-kp", "adult", "phoneme")
    assert experiment.algorithms == ("RandomForest", "AutoGluon", "TunedRandomForest")
    assert experiment.folds == ("0", "1", "2")
    wide = frame.pivot_table("result", "task", ["framework", "fold"])
    for d, task in enumerate(experiment.datasets):
        for a, framework in enumerate(experiment.algorithms):
            for f, fold in enumerate(experiment.folds):
                there = (framework, int(fold)) in wide.columns
                expected = wide.loc[task, (framework, int(fold))] if there else np.nan
                assert experiment.scores[d, a, f, 0] == pytest.approx(expected, nan_ok=True)
    assert int(np.isnan(experiment.scores).sum()) == 1


# the words that the error says, on the command line; typed, they read these algorithms
REFUSED = [
    (
        "bakeoff.csv",
        "row 'Average accuracy' holds the means of the others; row 'Average rank' holds the "
        "average ranks of the others; row 'Wins' holds the numbers of wins of the others",
        "--ignore-rows 'Average accuracy' --ignore-rows 'Average rank' --ignore-rows Wins",
    ),
    (
        "bakeoff_wins.csv",
        "row 11 ('W/T/L vs ED'), column 'DTW' must be a number; got '8/0/2'",
        "--ignore-rows 'W/T/L vs ED'",
    ),
    ("bakeoff_sizes.csv", "column 'n_train' holds", "--ignore n_train"),
    ("transposed.csv", "column 'method' seems to name algorithms", "--transpose"),
    (
        "automl_results.csv",
        "columns 'result', 'duration'",
        "--score result --ignore info",
    ),
]


@pytest.mark.parametrize(("name", "what", "words"), REFUSED)
def test_refused_with_the_words_to_type_next(name, what, words, capsys):
    with pytest.raises(DataError) as caught:
        read(name)
    assert what in str(caught.value)
    line = ["compare", str(FOLDER / name), "--direction", "maximize", "--missing", "drop"]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert what in said
    assert words in said
    typed = shlex.split(words)
    assert main([*line, *typed]) == 0
    shown = capsys.readouterr().out
    for algorithm in ("AutoGluon",) if "automl" in name else ("ED", "DTW", "BOSS", "ST", "COTE"):
        assert algorithm in shown
    assert "n_train" not in shown


def test_what_is_not_selected_need_not_be_a_number(capsys):
    line = ["compare", str(FOLDER / "bakeoff_wins.csv"), "--direction", "maximize"]
    chosen = [part for name in ("Beef", "Car", "Ham") for part in ("--datasets", name)]
    assert main([*line, *chosen]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "of the five algorithms on three data sets" in told
    frame = plain("bakeoff_wins.csv")  # pandas has text in all these columns
    made = Experiment.from_frame(frame, direction="maximize", ignore_rows=["W/T/L vs ED"])
    same(made, bakeoff())


def test_a_leaderboard_is_one_data_set():
    experiment = read("leaderboard.csv", algorithm="Team", score="Score")
    assert experiment.algorithms == ("stackers", "boosted trees", "lone wolf", "baseline")
    assert experiment.scores[0, :, 0, 0].tolist() == [0.91234, 0.91187, 0.90551, 0.80012]


def test_what_was_refused_is_read_with_the_arguments():
    rows = ["Average accuracy", "Average rank", "Wins"]
    same(read("bakeoff.csv", ignore_rows=rows), bakeoff())
    assert read("bakeoff.csv", keep_rows=rows).datasets[-3:] == tuple(rows)
    same(read("bakeoff_sizes.csv", ignore=["n_train"]), bakeoff())
    same(read("bakeoff_sizes.csv", algorithms=["ED", "COTE"]), bakeoff()[["ED", "COTE"]])
    assert read("bakeoff_sizes.csv", keep=["n_train"]).algorithms[0] == "n_train"
    same(read("index_named.csv"), bakeoff())
    assert "'Unnamed: 0' only counts the rows" in read("index_named.csv").notes[0].text
    same(read("notes.csv", dataset="name", ignore=["notes"]), bakeoff())


def test_a_transposed_table_without_a_name_is_read_with_a_note():
    notes = {note.code: note.text for note in read("transposed_unnamed.csv").notes}
    assert "pass transpose=True" in notes["transposed"]
