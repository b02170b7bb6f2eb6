"""The Experiment itself: what it is made of, what it answers, and that it never changes."""

import copy
import dataclasses
import pickle
import re

import numpy as np
import pandas as pd
import pytest

from nbcompare._validation import DataError
from nbcompare.experiment import Experiment

NAN = np.nan
FIELDS = ("lower", "upper", "datasets", "algorithms", "folds", "direction", "measure", "citation")


def refuses(error, message):
    return pytest.raises(error, match=f"^{re.escape(message)}$")


@pytest.fixture
def experiment():
    scores = [[[[1.0, 3.0]], [[5.0, NAN]]], [[[2.0, 4.0]], [[7.0, 8.0]]], [[[0, 0]], [[NAN, NAN]]]]
    made = Experiment.from_array(
        scores,
        direction="minimize",
        datasets=["x", "y", "z"],
        algorithms=["A", "B"],
        measure="error",
    )
    return dataclasses.replace(made, citation="Someone (2020)")


@pytest.fixture
def intervals():
    return Experiment(
        lower=np.array([[[[1.0]], [[2.0]]]]),
        upper=np.array([[[[1.5]], [[2.0]]]]),
        datasets=("x",),
        algorithms=("A", "B"),
        folds=("1",),
        direction="maximize",
    )


# ------------------------------------------------------------------------- from an array


def test_from_array(experiment):
    assert experiment.lower is experiment.upper is experiment.scores
    assert experiment.scores.shape == (3, 2, 1, 2)
    assert (experiment.n_datasets, experiment.n_algorithms) == (3, 2)
    assert (experiment.n_folds, experiment.n_runs) == (1, 2)
    default = Experiment.from_array([[1, 2], [3, 4]], direction="maximize")
    assert (default.datasets, default.algorithms, default.folds) == (
        ("1", "2"),
        ("A1", "A2"),
        ("1",),
    )
    folds = Experiment.from_array(np.ones((1, 2, 3)), direction="maximize")
    assert (folds.folds, folds.n_runs) == (("1", "2", "3"), 1)


def test_arrays_are_copied():
    given = np.array([[1.0, 2.0]])
    experiment = Experiment.from_array(given, direction="maximize")
    given[0, 0] = 9.0
    assert experiment.mean_scores.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([1, 2], ValueError, "`scores` must have 2 to 4 dimensions; got an array of shape (2,)."),
        ([["a"]], ValueError, "`scores` must be an array of real numbers; got [['a']]."),
        ([[1], [1, 2]], ValueError,
         "`scores` must be an array of real numbers; got [[1], [1, 2]]."),
        ([[True, False]], ValueError, "`scores` must be numbers; got True and False."),
        (np.ma.masked_invalid([[1, NAN]]), ValueError,
         "`scores` must be a plain array; got a masked array."),
        ([[1, np.inf]], DataError,
         "scores must be finite, unless infinite='no success', or other words, says what for; "
         "that of algorithm 'A2' on data set '1' is wrong."),
        ([[1, NAN]], DataError, "every algorithm must have at least one score; 'A2' has none."),
        ([[1, 2], [NAN, NAN]], DataError,
         "every data set must have at least one score; '2' has none."),
        (np.empty((0, 2)), DataError,
         "every algorithm must have at least one score; 'A1' has none."),
        (np.empty((2, 0)), DataError, "every data set must have at least one score; '1' has none."),
        (np.empty((1, 1, 1, 0)), DataError,
         "every data set must have at least one score; '1' has none."),
    ],
)  # fmt: skip
def test_wrong_arrays(scores, error, message):
    with refuses(error, message):
        Experiment.from_array(scores, direction="maximize")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"direction": "up"}, ValueError,
         "`direction` must be 'maximize' or 'minimize'; got 'up'."),
        ({"algorithms": ["A"]}, ValueError,
         "`algorithms` must have one label per algorithm in `scores`, 2; got 1."),
        ({"algorithms": "AB"}, TypeError, "`algorithms` must be a list of names; got 'AB'."),
        ({"algorithms": 3}, TypeError, "`algorithms` must be a list of names; got 3."),
        ({"algorithms": ["A", " A"]}, DataError,
         "`algorithms` must be distinct; got 'A' at positions 1 and 2."),
        ({"datasets": [None]}, DataError, "`datasets` must not be blank; label 1 is."),
        ({"measure": 3}, TypeError, "`measure` must be text; got 3."),
    ],
)  # fmt: skip
def test_wrong_arguments(arguments, error, message):
    with refuses(error, message):
        Experiment.from_array([[1, 2]], **{"direction": "maximize"} | arguments)


def test_labels_are_cleaned():
    experiment = Experiment.from_array(
        [[1, 2]], direction="maximize", datasets=[3.0], algorithms=[" a\n b", "\x1bc"],
        measure=" log\tloss ",
    )  # fmt: skip
    assert (experiment.datasets, experiment.algorithms) == (("3",), ("a b", "c"))
    assert experiment.measure == "log loss"
    assert Experiment.from_array([[1]], direction="maximize", measure=" ").measure is None


# ---------------------------------------------------------------------- from its parts


def test_parts_fit_together(intervals):
    parts = {name: getattr(intervals, name) for name in FIELDS}
    assert intervals.is_interval
    with refuses(
        ValueError,
        "`lower` and `upper` must have one cell per data set, algorithm, fold and run, "
        "(1, 2, 1, n_runs); got shapes (1, 2) and (1, 2, 1, 1).",
    ):
        Experiment(**parts | {"lower": np.ones((1, 2))})
    with refuses(
        DataError,
        "`lower` must not exceed `upper`; that of algorithm 'A' on data set 'x' is wrong.",
    ):
        Experiment(**parts | {"lower": parts["upper"] + 1})
    with refuses(
        DataError,
        "`lower` and `upper` must both be given or both be missing; "
        "that of algorithm 'B' on data set 'x' is wrong.",
    ):
        Experiment(**parts | {"lower": np.array([[[[1.0]], [[NAN]]]])})
    with refuses(
        DataError, "`upper` must be finite; that of algorithm 'B' on data set 'x' is wrong."
    ):
        Experiment(**parts | {"upper": np.array([[[[1.5]], [[np.inf]]]])})


def test_holes_among_the_runs_are_closed():
    scores = np.full((2, 2, 3, 4), NAN)
    scores[0, :, 0, 1] = 1.0
    scores[0, 0, 0, 3] = 2.0
    scores[1, :, 2, 3] = 3.0
    experiment = Experiment.from_array(scores, direction="maximize")
    assert experiment.folds == ("1", "3")
    assert experiment.n_runs == 2
    np.testing.assert_array_equal(experiment.scores[0, :, 0], [[1.0, 2.0], [1.0, NAN]])
    np.testing.assert_array_equal(experiment.scores[1, :, 1], [[3.0, NAN], [3.0, NAN]])
    both = Experiment(
        lower=scores, upper=scores + 1, datasets=("x", "y"), algorithms=("A", "B"),
        folds=("1", "2", "3"), direction="maximize",
    )  # fmt: skip
    np.testing.assert_array_equal(both.upper, experiment.scores + 1)


# ------------------------------------------------------------------------------ answers


def test_means(experiment):
    np.testing.assert_array_equal(experiment.mean_scores, [[2.0, 5.0], [3.0, 7.5], [0.0, NAN]])
    assert experiment.missing.tolist() == [[False, False], [False, False], [False, True]]
    folds = np.array([[[[1.0, 3.0], [10.0, NAN]], [[NAN, NAN], [4.0, 8.0]]]])
    means = Experiment.from_array(folds, direction="maximize").mean_scores
    assert means.tolist() == [[6.0, 6.0]]  # runs first: folds count the same


def test_means_of_huge_scores_do_not_overflow():
    experiment = Experiment.from_array(
        [[[[1.5e308, 1.5e308]], [[-0.0, -0.0]]]], direction="maximize"
    )
    assert experiment.mean_scores.tolist() == [[1.5e308, 0.0]]


def test_repr(experiment, intervals):
    assert repr(experiment) == (
        "<Experiment: 2 algorithms on 3 data sets, 2 runs, error, minimize>"
    )
    assert repr(intervals) == "<Experiment: 2 algorithms on 1 data set, intervals, maximize>"


def test_str(experiment, intervals):
    assert str(experiment).splitlines() == [
        "Mean error (lower is better)",
        "data set  A        B",
        "--------  -  -------",
        "x         2      5.0",
        "y         3      7.5",
        "z         0  missing",
    ]
    assert str(intervals).splitlines()[-1] == "x         [1, 1.5]  2"
    one = Experiment.from_array([[1, 2]], direction="maximize", measure="nDCG")
    assert str(one).startswith("nDCG (higher is better)\n")
    assert str(Experiment.from_array([[1, 2]], direction="maximize")).startswith("Scores (high")


def test_display_of_many_data_sets():
    experiment = Experiment.from_array(np.ones((1_021, 2)), direction="maximize")
    assert str(experiment).endswith("... and 1,001 more rows; to_frame() returns all rows")
    assert experiment._repr_mimebundle_()["text/html"].count("<tr>") == 22
    assert len(experiment.to_frame()) == 1_021


# -------------------------------------------------------------------------- selecting


def test_select(experiment):
    part = experiment.select(algorithms=["B"], datasets=iter(["y", "x"]))
    assert (part.datasets, part.algorithms) == (("y", "x"), ("B",))
    np.testing.assert_array_equal(part.scores[:, 0, 0], [[7.0, 8.0], [5.0, NAN]])
    assert (part.direction, part.measure, part.citation) == ("minimize", "error", "Someone (2020)")
    assert experiment.select().fingerprint == experiment.fingerprint
    assert experiment.select(datasets=["x"], algorithms=["B"]).n_runs == 1


def test_select_of_intervals(intervals):
    part = intervals.select(algorithms=["B"])
    assert part.is_interval
    assert part.upper.tolist() == [[[[2.0]]]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"algorithms": ["C"]}, ValueError, "`algorithms` must be one of 'A' and 'B'; got 'C'."),
        ({"algorithms": [0]}, ValueError, "`algorithms` must be one of 'A' and 'B'; got 0."),
        ({"datasets": [["x"]]}, ValueError,
         "`datasets` must be one of 'x', 'y' and 'z'; got ['x']."),
        ({"algorithms": "A"}, TypeError, "`algorithms` must be a list of names; got 'A'."),
        ({"algorithms": 3}, TypeError, "`algorithms` must be a list of names; got 3."),
        ({"datasets": []}, ValueError,
         "`datasets` must name at least one of 'x', 'y' and 'z'; got none."),
        ({"datasets": ["x", "x"]}, DataError,
         "`datasets` must be distinct; got 'x' at positions 1 and 2."),
        ({"datasets": ["z"]}, DataError,
         "every algorithm must have at least one score; 'B' has none."),
    ],
)  # fmt: skip
def test_wrong_selections(experiment, arguments, error, message):
    with refuses(error, message):
        experiment.select(**arguments)


def test_select_among_very_many():
    experiment = Experiment.from_array(np.ones((100_000, 1)), direction="maximize")
    assert experiment.select(datasets=experiment.datasets[::2]).n_datasets == 50_000
    with pytest.raises(ValueError, match=r"and 99992 more; got 'no'\.$"):
        experiment.select(datasets=["no"])


# -------------------------------------------------------------------- never to be changed


def again_by_pickle(experiment):
    return pickle.loads(pickle.dumps(experiment))


def again_with_citation(experiment):
    return dataclasses.replace(experiment, citation="Other")


@pytest.mark.parametrize(
    "again", [lambda e: e, again_by_pickle, copy.copy, copy.deepcopy, again_with_citation]
)
@pytest.mark.parametrize("kind", ["experiment", "intervals"])
def test_frozen_and_read_only(request, kind, again):
    original = request.getfixturevalue(kind)
    assert original.fingerprint  # cached, so that it travels along
    assert original.missing is original.missing
    if not original.is_interval:
        assert original.mean_scores is original.mean_scores
    other = again(original)
    assert other.is_interval == original.is_interval
    assert other.fingerprint == original.fingerprint
    arrays = ["lower", "upper", "missing", *([] if original.is_interval else ["mean_scores"])]
    for name in arrays:
        np.testing.assert_array_equal(getattr(other, name), getattr(original, name))
        assert not getattr(other, name).flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            getattr(other, name)[0, 0] = 0
    for name in FIELDS:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(other, name, None)


def test_replace_keeps_the_scores(experiment):
    other = again_with_citation(experiment)
    assert other.citation == "Other"
    assert other.lower is experiment.lower is other.upper


def test_frames_are_copies(experiment):
    wide = experiment.to_frame()
    wide.iloc[0, 0] = 9.0
    assert experiment.mean_scores[0, 0] == 2.0


# ------------------------------------------------------------------------- going out


def test_wide_frame(experiment):
    expected = pd.DataFrame(
        {"A": [2.0, 3.0, 0.0], "B": [5.0, 7.5, NAN]},
        index=pd.Index(["x", "y", "z"], name="dataset"),
    )
    pd.testing.assert_frame_equal(experiment.to_frame("wide"), expected)
    with refuses(ValueError, "`layout` must be 'wide' or 'long'; got 'tall'."):
        experiment.to_frame("tall")


def test_long_frame(experiment, intervals):
    frame = experiment.to_frame("long")
    assert list(frame) == ["dataset", "algorithm", "fold", "run", "score"]
    assert frame.to_numpy().tolist() == [
        ["x", "A", "1", 1, 1.0],
        ["x", "A", "1", 2, 3.0],
        ["x", "B", "1", 1, 5.0],
        ["y", "A", "1", 1, 2.0],
        ["y", "A", "1", 2, 4.0],
        ["y", "B", "1", 1, 7.0],
        ["y", "B", "1", 2, 8.0],
        ["z", "A", "1", 1, 0.0],
        ["z", "A", "1", 2, 0.0],
    ]
    assert intervals.to_frame("long").to_numpy().tolist() == [
        ["x", "A", "1", 1, 1.0, 1.5],
        ["x", "B", "1", 1, 2.0, 2.0],
    ]
