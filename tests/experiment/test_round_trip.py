"""What went out comes in again, and the fingerprint tells the same results from others."""

import dataclasses

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nbcompare._validation import clean_label
from nbcompare.experiment import Experiment

QUICK = settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
ROLES = {"dataset", "algorithm", "score", "fold", "run", "lower", "upper"}
LABELS = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    .map(clean_label)
    .filter(lambda label: label and label.casefold() not in ROLES)
)
SCORES = st.floats(allow_nan=False, allow_infinity=False, width=64)


@st.composite
def experiments(draw, *, most_folds=3, most_runs=3):
    shape = draw(
        st.tuples(
            st.integers(1, 4),
            st.integers(1, 3),
            st.integers(1, most_folds),
            st.integers(1, most_runs),
        )
    )
    scores = draw(hnp.arrays(np.float64, shape, elements=SCORES | st.just(np.nan)))
    missing = np.isnan(scores).all(axis=(2, 3))
    assume(not missing.all(axis=0).any() and not missing.all(axis=1).any())
    return Experiment.from_array(
        scores,
        direction=draw(st.sampled_from(["maximize", "minimize"])),
        datasets=draw(st.lists(LABELS, min_size=shape[0], max_size=shape[0], unique=True)),
        algorithms=draw(st.lists(LABELS, min_size=shape[1], max_size=shape[1], unique=True)),
    )


def same(one, other):
    assert one.fingerprint == other.fingerprint
    return True


def is_plain(experiment):
    """Whether a wide table, which knows of no folds and runs, says it all."""
    return experiment.folds == ("1",) and experiment.n_runs == 1


def settled(experiment, layout):
    """What is said of a table: names may be numbers, and such as those of folds."""
    names = {"keep": experiment.algorithms, "keep_rows": experiment.datasets}
    if layout == "long":
        return names | {role: role for role in ("dataset", "algorithm", "fold", "run", "score")}
    return names | {"algorithms": experiment.algorithms, "datasets": experiment.datasets}


def again(frame, experiment, **arguments):
    return Experiment.from_frame(frame, direction=experiment.direction, **arguments)


@pytest.mark.slow
@QUICK
@given(experiment=experiments())
def test_long_frames_come_back(experiment):
    frame = experiment.to_frame("long")
    known = settled(experiment, "long")
    back = again(frame, experiment, **known)
    assert same(back, experiment)
    assert same(again(frame.sample(frac=1, random_state=0), experiment, **known), experiment)
    assert same(again(frame[frame.columns[::-1]], experiment, **known), experiment)
    assert same(again(pl.from_pandas(frame), experiment, **known), experiment)
    assert same(again(pa.Table.from_pandas(frame), experiment, **known), experiment)
    assert set(back.datasets) == set(experiment.datasets)


@pytest.mark.slow
@QUICK
@given(experiment=experiments(most_folds=1, most_runs=1))
def test_wide_frames_come_back(experiment):
    frame = experiment.to_frame("wide")
    known = settled(experiment, "wide")
    back = again(frame, experiment, **known)
    assert (back.datasets, back.algorithms) == (experiment.datasets, experiment.algorithms)
    np.testing.assert_array_equal(back.scores, experiment.scores)
    assert same(back, experiment)
    assert same(again(frame[frame.columns[::-1]].iloc[::-1], experiment, **known), experiment)
    assert same(again(frame.reset_index(), experiment, **known), experiment)
    assert same(again(frame.astype("Float64"), experiment, **known), experiment)


@pytest.mark.slow
@QUICK
@given(
    experiment=experiments(),
    marks=st.sampled_from(
        [(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), (",", ",")]
    ),
    quoting=st.sampled_from([0, 1, 2]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_files_come_back(tmp_path, experiment, marks, quoting, encoding):
    separator, decimal = marks
    path = tmp_path / "scores.csv"
    options = {"separator": separator, "decimal": decimal, "direction": experiment.direction}
    if encoding == "utf-16":
        options["encoding"] = encoding
    for layout in ("long", "wide"):
        if layout == "wide" and not is_plain(experiment):
            continue
        experiment.to_frame(layout).to_csv(
            path, index=layout == "wide", sep=separator, decimal=decimal, quoting=quoting,
            encoding=encoding,
        )  # fmt: skip
        assert same(Experiment.read(path, **options, **settled(experiment, layout)), experiment)


@pytest.mark.slow
@QUICK
@given(experiment=experiments())
def test_parquet_comes_back(tmp_path, experiment):
    path = tmp_path / "scores.parquet"
    experiment.to_frame("long").to_parquet(path)
    known = settled(experiment, "long")
    assert same(Experiment.read(path, direction=experiment.direction, **known), experiment)
    if is_plain(experiment):
        experiment.to_frame("wide").to_parquet(path)
        found = settled(experiment, "wide")
        assert same(Experiment.read(path, direction=experiment.direction, **found), experiment)


def test_intervals_come_back(tmp_path):
    lower = np.array([[[[1.0, np.nan]], [[2.0, 3.0]]]])
    experiment = Experiment(
        lower=lower, upper=lower + 0.5, datasets=("x",), algorithms=("A", "B"), folds=("1",),
        direction="minimize",
    )  # fmt: skip
    frame = experiment.to_frame("long")
    assert same(again(frame, experiment), experiment)
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert same(Experiment.read(tmp_path / "t.csv", direction="minimize"), experiment)


# ------------------------------------------------------------------------ the fingerprint

SCALARS = np.array([[[[1.0, 2.0]], [[3.0, 4.0]]], [[[5.0, 6.0]], [[7.0, np.nan]]]])


def made(scores=SCALARS, direction="maximize", datasets=("x", "y"), algorithms=("A", "B"), **more):
    return Experiment.from_array(
        scores, direction=direction, datasets=datasets, algorithms=algorithms, **more
    )


def test_fingerprints_are_stable():
    assert made().fingerprint == (
        "sha256:8486ee9c507cc01a89e2b1048530b6592722a61c44b3c58924ec3481d371a6bf"
    )


def test_fingerprints_forget_order_and_words_about_the_scores():
    one = made().fingerprint
    assert made(SCALARS[::-1], datasets=("y", "x")).fingerprint == one
    assert made(SCALARS[:, ::-1], algorithms=("B", "A")).fingerprint == one
    assert made(measure="AUC").fingerprint == one
    assert dataclasses.replace(made(), citation="Someone").fingerprint == one
    padded = np.concatenate([SCALARS, np.full_like(SCALARS, np.nan)], axis=3)
    assert made(padded).fingerprint == one
    assert made(padded[..., ::-1][..., [1, 0, 3, 2]]).fingerprint == one
    zero = np.where(SCALARS == 1, 0.0, SCALARS)
    assert made(zero).fingerprint == made(np.where(zero == 0, -0.0, zero)).fingerprint


def test_fingerprints_of_folds_in_another_order():
    folds = np.arange(12.0).reshape(2, 2, 3)
    one = made(folds)
    parts = {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
    lower = one.lower[:, :, [2, 0, 1]]
    other = Experiment(**parts | {"lower": lower, "upper": lower, "folds": ("3", "1", "2")})
    assert other.fingerprint == one.fingerprint
    renamed = Experiment(**parts | {"folds": ("1", "2", "4")})
    assert renamed.fingerprint != one.fingerprint


def test_fingerprints_differ():
    swapped = SCALARS.copy()
    swapped[0, 0, 0] = swapped[0, 0, 0, ::-1]
    others = [
        made(),
        made(direction="minimize"),
        made(datasets=("x", "z")),
        made(datasets=("y", "x")),
        made(algorithms=("A", "C")),
        made(algorithms=("B", "A")),
        made(datasets=("A", "B"), algorithms=("x", "y")),
        made(swapped),
        made(np.nextafter(SCALARS, 9.0)),
        made(np.nan_to_num(SCALARS, nan=0.0)),
        made(SCALARS[..., :1]),
        made(SCALARS.swapaxes(2, 3)),  # runs as folds
        made(SCALARS[:1], datasets=("x",)),
        made(SCALARS[:, :1], algorithms=("A",)),
    ]
    assert len({experiment.fingerprint for experiment in others}) == len(others)


def test_two_runs_are_no_interval():
    runs = Experiment.from_array([[[[1.0, 2.0]]]], direction="maximize", algorithms=["A"])
    ends = Experiment(
        lower=np.array([[[[1.0]]]]), upper=np.array([[[[2.0]]]]), datasets=("1",),
        algorithms=("A",), folds=("1",), direction="maximize",
    )  # fmt: skip
    degenerate = dataclasses.replace(ends, upper=ends.lower.copy())
    one = dataclasses.replace(ends, upper=ends.lower)
    prints = {e.fingerprint for e in (runs, ends, degenerate, one)}
    assert len(prints) == 4


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [20_000])
def test_many_rows_of_every_shape_agree(tmp_path, n_rows):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        rng.random((n_rows, 4)).round(3),
        index=pd.Index([f"d{i:05}" for i in range(n_rows)], name="dataset"),
        columns=list("ABCD"),
    )
    wide = Experiment.from_frame(frame, direction="maximize")
    long = frame.reset_index().melt("dataset", var_name="algorithm", value_name="score")
    assert Experiment.from_frame(long, direction="maximize").fingerprint == wide.fingerprint
    long.to_csv(tmp_path / "long.csv", index=False)
    frame.to_csv(tmp_path / "wide.csv", quoting=1)
    for name in ("long.csv", "wide.csv"):
        read = Experiment.read(tmp_path / name, direction="maximize")
        assert read.fingerprint == wide.fingerprint
