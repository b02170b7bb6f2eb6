"""What went out comes in again."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nbcompare._validation import clean_label
from nbcompare.histories import Histories

QUICK = settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
# True and False are one label in any case
LABELS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).map(clean_label)
LABELS = LABELS.filter(lambda label: label and label.casefold() not in ("true", "false"))
# an algorithm may be called NULL or 7
ROLES = {"problem": "problem", "algorithm": "algorithm"}
VALUES = st.floats(allow_nan=False, allow_infinity=False, width=64)
POINTS = st.one_of(st.integers(1, 10**9).map(float), st.floats(1e-6, 1e12, allow_subnormal=False))


@st.composite
def all_histories(draw, *, same_points=False):
    shape = draw(st.tuples(*(st.integers(1, most) for most in (3, 3, 3, 4))))
    values = -np.sort(-draw(hnp.arrays(np.float64, shape, elements=VALUES)), axis=3)
    values[~draw(hnp.arrays(np.bool_, shape[:3]))] = np.nan
    missing = np.isnan(values).all(axis=(2, 3))
    assume(not missing.all(axis=0).any() and not missing.all(axis=1).any())
    evaluations = [
        sorted(draw(st.lists(POINTS, min_size=shape[3], max_size=shape[3], unique=True)))
        for _ in range(shape[0])
    ]
    if same_points:
        evaluations = evaluations[0]
    flip = draw(st.booleans())
    optimum = draw(st.none() | st.just(np.nanmin(values, axis=(1, 2, 3))))
    return Histories.from_array(
        -values if flip else values,
        direction="maximize" if flip else "minimize",
        evaluations=evaluations,
        problems=draw(st.lists(LABELS, min_size=shape[0], max_size=shape[0], unique=True)),
        algorithms=draw(st.lists(LABELS, min_size=shape[1], max_size=shape[1], unique=True)),
        optimum=None if optimum is None else (-optimum if flip else optimum),
    )


def again(frame, histories):
    back = Histories.from_frame(frame, direction=histories.direction)
    assert back.fingerprint == histories.fingerprint
    assert back.notes == ()
    return back


@pytest.mark.slow
@QUICK
@given(histories=all_histories())
def test_frames_come_back(histories):
    frame = histories.to_frame()
    back = again(frame, histories)
    assert (back.problems, set(back.algorithms)) == (
        histories.problems,
        set(histories.algorithms),
    )
    again(frame.sample(frac=1, random_state=0), histories)
    again(frame[frame.columns[::-1]], histories)
    again(pl.from_pandas(frame), histories)
    again(pa.Table.from_pandas(frame), histories)


@pytest.mark.slow
@QUICK
@given(histories=all_histories(), marks=st.sampled_from([(",", "."), (";", ","), ("\t", ".")]))
def test_files_come_back(tmp_path, histories, marks):
    separator, decimal = marks
    path = tmp_path / "logs.csv"
    histories.to_frame().to_csv(path, index=False, sep=separator, decimal=decimal)
    back = Histories.read(
        path, direction=histories.direction, separator=separator, decimal=decimal, **ROLES
    )
    assert back.fingerprint == histories.fingerprint
    histories.to_frame().to_parquet(path.with_suffix(".parquet"))
    back = Histories.read(path.with_suffix(".parquet"), direction=histories.direction)
    assert back.fingerprint == histories.fingerprint


@pytest.mark.slow
@QUICK
@given(histories=all_histories(same_points=True))
def test_wide_frames_come_back(histories):
    frame = histories.to_frame().assign(evaluations=lambda rows: rows["evaluations"].map(repr))
    wide = frame.pivot(
        index=["problem", "algorithm", "run"], columns="evaluations", values="value"
    ).reset_index()
    if histories.optimum is not None:
        optima = dict(zip(histories.problems, histories.optimum.tolist(), strict=True))
        wide["optimum"] = wide["problem"].map(optima)
    again(wide, histories)
