"""Merging: the union of data sets and algorithms, and no result silently replaced."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbcompare._validation import DataError
from nbcompare.experiment import Experiment

QUICK = settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def experiment(scores, datasets="xy", algorithms="AB", upper=None, **parts):
    """A small one; a letter is a label."""
    lower = np.array(scores, dtype=float)
    lower = lower.reshape(lower.shape + (1,) * (4 - lower.ndim))
    ends = lower if upper is None else np.array(upper, dtype=float).reshape(lower.shape)
    labels = {"datasets": tuple(datasets), "algorithms": tuple(algorithms)}
    folds = parts.pop("folds", tuple(str(f + 1) for f in range(lower.shape[2])))
    parts = {"direction": "maximize"} | parts
    return Experiment(lower=lower, upper=ends, folds=folds, **labels, **parts)


BASE = experiment([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("other", "datasets", "algorithms", "expected"),
    [
        (experiment([[5], [6]], "yx", "C"), "xy", "ABC", [[1, 2, 6], [3, 4, 5]]),
        (experiment([[5, 6]], "z", "BA"), "xyz", "AB", [[1, 2], [3, 4], [6, 5]]),
        (experiment([[5]], "z", "C"), "xyz", "ABC",
         [[1, 2, np.nan], [3, 4, np.nan], [np.nan, np.nan, 5]]),
        (experiment([[4, 7], [np.nan, 8]], "yx", "BC"), "xy", "ABC", [[1, 2, 8], [3, 4, 7]]),
        (BASE, "xy", "AB", [[1, 2], [3, 4]]),
    ],
)  # fmt: skip
def test_labels_and_scores(other, datasets, algorithms, expected):
    both = BASE.merge(other)
    assert (both.datasets, both.algorithms) == (tuple(datasets), tuple(algorithms))
    np.testing.assert_array_equal(both.mean_scores, expected)


def test_nothing_to_merge_with():
    assert BASE.merge().fingerprint == BASE.fingerprint


def test_folds_are_matched_by_label_and_runs_padded():
    one = experiment([[[[1, 2], [3, 4]]]], "x", "A", folds=("2", "10"))
    other = experiment([[[[5], [6]]]], "x", "B", folds=("10", "1"))
    both = one.merge(other)
    assert both.folds == ("1", "2", "10")
    np.testing.assert_array_equal(
        both.scores[0],
        [
            [[np.nan, np.nan], [1, 2], [3, 4]],
            [[6, np.nan], [np.nan, np.nan], [5, np.nan]],
        ],
    )
    named = one.merge(one.select())
    assert named.folds == ("2", "10")


def test_a_number_among_intervals_is_an_interval_of_no_width():
    intervals = experiment([[1], [2]], algorithms="C", upper=[[3], [2]])
    both = BASE.merge(intervals)
    assert both.is_interval
    assert both.lower[:, :, 0, 0].tolist() == [[1, 2, 1], [3, 4, 2]]
    assert both.upper[:, :, 0, 0].tolist() == [[1, 2, 3], [3, 4, 2]]
    assert not BASE.merge(BASE).is_interval
    same = experiment([[2], [4]], algorithms="B", upper=[[2], [4]])
    assert BASE.merge(same).upper[:, :, 0, 0].tolist() == [[1, 2], [3, 4]]


def test_captions():
    def measured(measure, citation):
        return experiment([[1]], "x", "A", measure=measure, citation=citation)

    parts = [measured(None, "a"), measured("AUC", None), measured(None, "b"), measured("AUC", "a")]
    together = parts[0].merge(*parts[1:])
    assert (together.measure, together.citation) == ("AUC", "a; b")
    assert parts[0].merge(parts[2]).merge(parts[2]).citation == "a; b"
    assert measured(None, None).merge(measured(None, None)).citation is None


@pytest.mark.parametrize(
    ("others", "words"),
    [
        (
            [experiment([[5]], "z", "A"), experiment([[9.5]], "x", "B")],
            "algorithm 'B' on data set 'x' has two results: 2.0 and, in experiment 3 of those",
        ),
        (
            [experiment([[5]], "z", "A"), experiment([[7]], "z", "A")],
            "algorithm 'A' on data set 'z' has two results: 5.0 and, in experiment 3",
        ),
        ([experiment([[[[1, 7]]]], "x", "A")], "'A' on data set 'x' has two results in run 2: nan"),
        (
            [experiment([[[[2]]]], "x", "B", folds=("f",))],
            "'B' on data set 'x' has two results in fold '1': 2.0",
        ),
        (
            [experiment([[2]], "x", "B", upper=[[3]])],
            "'B' on data set 'x' has two results: 2.0 and, in experiment 2 of those to merge, 3.0",
        ),
        ([experiment([[2]], "z", "B", direction="minimize")], "must have one direction"),
        (
            [
                experiment([[2]], "z", "B", measure="AUC"),
                experiment([[2]], "u", "B", measure="accuracy"),
            ],
            "must have one measure; got 'AUC' and 'accuracy'",
        ),
    ],
)
def test_what_cannot_be_merged(others, words):
    with pytest.raises(DataError, match=re.escape(words)):
        BASE.merge(*others)


def test_only_experiments_are_merged():
    with pytest.raises(TypeError, match="`others` must be Experiments; got list"):
        BASE.merge([[1, 2]])


@st.composite
def parts_of_a_whole(draw):
    """Several experiments that agree where they overlap: selections from one."""
    n, k, n_folds, n_runs = (draw(st.integers(1, most)) for most in (4, 4, 3, 2))
    scores = st.sampled_from([-0.0, 0.0, 1.0, 2.5, np.nan])
    size = n * k * n_folds * n_runs
    values = np.array(draw(st.lists(scores, min_size=size, max_size=size)))
    lower = values.reshape(n, k, n_folds, n_runs)
    upper = lower + 1 if draw(st.booleans()) else None
    names = [draw(st.permutations("abcd"[:n])), draw(st.permutations("PQRS"[:k]))]
    folds = tuple(draw(st.permutations(["1", "2", "10"][:n_folds])))
    chosen = st.lists(
        st.tuples(
            st.lists(st.sampled_from(names[0]), min_size=1, unique=True),
            st.lists(st.sampled_from(names[1]), min_size=1, unique=True),
        ),
        min_size=1,
        max_size=4,
    )
    parts = []
    for datasets, algorithms in draw(chosen):
        rows = [names[0].index(name) for name in datasets]
        columns = [names[1].index(name) for name in algorithms]
        some = np.ix_(rows, columns)
        try:
            part = experiment(
                lower[some], datasets, algorithms, None if upper is None else upper[some],
                folds=folds, citation=draw(st.sampled_from([None, "s", "t", "s; t"])),
            )  # fmt: skip
        except DataError:  # a data set or an algorithm without any score
            continue
        parts.append(part)
    return parts


def looks(one):
    return one.fingerprint, one.datasets, one.algorithms, one.folds, one.measure, one.citation


@pytest.mark.slow
@QUICK
@given(parts=parts_of_a_whole().filter(bool), data=st.data())
def test_the_way_of_merging_does_not_matter(parts, data):
    first, *rest = parts
    whole = first.merge(*rest)
    one_by_one = first
    for part in rest:
        one_by_one = one_by_one.merge(part)
    from_the_end = parts[-1]
    for part in parts[-2::-1]:
        from_the_end = part.merge(from_the_end)
    assert looks(one_by_one) == looks(from_the_end) == looks(whole)
    other_order = data.draw(st.permutations(parts))
    assert other_order[0].merge(*other_order[1:]).fingerprint == whole.fingerprint
    for part in parts:
        back = whole.select(datasets=part.datasets, algorithms=part.algorithms)
        known = np.ix_(
            [whole.datasets.index(name) for name in part.datasets],
            [whole.algorithms.index(name) for name in part.algorithms],
        )
        if (whole.missing[known] == part.missing).all():  # no other part filled its gaps
            assert back.fingerprint == part.fingerprint


def test_labels_of_runs_are_matched():
    def made(algorithm, runs):
        rows = [(d, algorithm, run, 1.0 + run) for d in ("x", "y") for run in runs]
        frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "score"])
        return Experiment.from_frame(frame, direction="maximize")

    both = made("A", [1, 2, 10]).merge(made("B", [2, 10]))
    assert both.runs == ("1", "2", "10")
    long = both.to_frame("long")
    assert (long["score"] == 1.0 + long["run"].astype(int)).all()
    assert both.incomplete == ()
    assert both.fewer_runs == ("B",)


def test_labels_of_runs_are_those_of_the_experiment_that_has_the_cell():
    def made(rows):
        frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "score"])
        return Experiment.from_frame(frame, direction="maximize")

    one = made([("x", "A", 1, 1.0), ("x", "A", 2, 2.0), ("y", "B", 1, 3.0), ("y", "B", 2, 3.5)])
    other = made([("x", "B", 5, 4.0), ("x", "B", 7, 5.0), ("y", "A", 5, 6.0), ("y", "A", 7, 6.5)])
    long = one.merge(other).to_frame("long").set_index(["dataset", "algorithm"])
    assert long.loc[("x", "A"), "run"].astype(int).tolist() == [1, 2]
    assert long.loc[("x", "B"), "run"].astype(int).tolist() == [5, 7]
    assert long.loc[("y", "A"), "score"].tolist() == [6.0, 6.5]
