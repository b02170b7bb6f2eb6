"""Dataframes of pandas, polars and pyarrow, in every dtype that holds numbers or labels."""

import datetime
import re
from decimal import Decimal
from fractions import Fraction

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import nbcompare as nbc
from nbcompare._validation import DataError
from nbcompare.experiment import Experiment
from nbcompare.histories import Histories

BASE = {"dataset": ["x", "y"], "A": [1.0, 2.0], "B": [3.0, 4.0]}
NAN = pytest.approx(np.nan, nan_ok=True)


def refuses(error, message):
    return pytest.raises(error, match=re.escape(message))


def of(frame, **arguments):
    return Experiment.from_frame(frame, direction="maximize", **arguments)


def column_a(frame, **arguments):
    return of(frame, **arguments).scores[:, 0, 0, 0].tolist()


class Odd:
    columns = None


@pytest.mark.parametrize(
    "frame",
    [BASE, [[1, 2]], np.eye(2), None, "t.csv", pd.Series([1]), pl.Series([1]), Odd(),
     pa.RecordBatch.from_pydict(BASE)],
    ids=lambda frame: type(frame).__name__,
)  # fmt: skip
def test_what_is_no_dataframe(frame):
    remedy = {
        "Series": " Its .to_frame() is a dataframe.",
        "list": " Make one by pandas.DataFrame(...).",
        "ndarray": " Experiment.from_array takes arrays.",
        "str": " Experiment.read takes files.",
    }.get(type(frame).__name__, "")
    with refuses(TypeError, f"; got {type(frame).__name__}.{remedy}"):
        of(frame)


@pytest.mark.parametrize("read", [Experiment.from_frame, Histories.from_frame])
@pytest.mark.parametrize("through", [lambda frame: frame, nw.from_native])
def test_lazy_frames_are_to_be_collected(read, through):
    lazy = through(pl.LazyFrame(BASE))
    with refuses(TypeError, "got a lazy polars LazyFrame. Call its .collect() first."):
        read(lazy, direction="maximize")
    assert (
        of(through(pl.LazyFrame(BASE)).collect()).fingerprint == of(pd.DataFrame(BASE)).fingerprint
    )


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pd.array([1, None], dtype="Int64"), [1.0, NAN]),
        (pd.array([1.5, None], dtype="Float64"), [1.5, NAN]),
        (pd.array([1, None], dtype=pd.ArrowDtype(pa.int64())), [1.0, NAN]),
        (pd.array([1, 2], dtype=pd.ArrowDtype(pa.int64())), [1.0, 2.0]),
        (pd.array([0.5, None], dtype=pd.ArrowDtype(pa.float64())), [0.5, NAN]),
        (pd.arrays.SparseArray([0.0, 1.0]), [0.0, 1.0]),
        (pd.Categorical([1.5, np.nan]), [1.5, NAN]),
        (np.array([1, None], dtype=object), [1.0, NAN]),
        (np.array([1, pd.NA], dtype=object), [1.0, NAN]),
        (np.array([1, ""], dtype=object), [1.0, NAN]),
        (np.array([1, 2], dtype=np.uint8), [1.0, 2.0]),
        (np.array([0.1, 2], dtype=np.float32), [0.1, 2.0]),
        (np.array([1, 2], dtype=np.longdouble), [1.0, 2.0]),
        ([Decimal("1.5"), Decimal("NaN")], [1.5, NAN]),
        ([Fraction(1, 2), 1], [0.5, 1.0]),
        ([2**53 + 1, 2**63 - 1], [2.0**53, 2.0**63]),
        ([2**70, 1], [2.0**70, 1.0]),
        ([-0.0, 1e-300], [-0.0, 1e-300]),
    ],
)
def test_dtypes_of_pandas(column, expected):
    assert column_a(pd.DataFrame(BASE | {"A": column})) == expected


def test_integers_of_8_bits_on_more_rows_than_they_count():
    rows = np.arange(300)
    scores = {"A": np.sin(rows), "B": np.cos(rows)}
    frame = pd.DataFrame({"seed": (rows % 100).astype(np.int8)} | scores)
    with refuses(DataError, "column 'seed' may name the runs, or hold scores."):
        of(frame)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pl.Series([1, None], dtype=pl.Int32), [1.0, NAN]),
        (pl.Series([1, 2], dtype=pl.UInt8), [1.0, 2.0]),
        (pl.Series([2**70, 1], dtype=pl.Int128), [2.0**70, 1.0]),
        (pl.Series([1.5, float("nan")]), [1.5, NAN]),
        (pl.Series([1.5, None]), [1.5, NAN]),
        (pl.Series(["1.25", "2"]).cast(pl.Decimal(10, 2)), [1.25, 2.0]),
        (pl.Series([0.5, 1], dtype=pl.Float32), [0.5, 1.0]),
    ],
)
def test_dtypes_of_polars(column, expected):
    assert column_a(pl.DataFrame(BASE | {"A": column})) == expected
    if column.dtype != pl.Int128:  # which Arrow does not have
        assert column_a(pl.DataFrame(BASE | {"A": column}).to_arrow()) == expected


@pytest.mark.parametrize(
    "column",
    [
        np.array([True, 1.0], dtype=object),
        np.array([np.True_, 1.0], dtype=object),
        ["1", "2"],
        ["high", 2],
        pd.Categorical(["1", "2"]),
        [1j, 2],
        pd.to_datetime(["2020-01-01", "2020-01-02"]),
        pd.to_timedelta([1, 2], unit="s"),
        [[1, 2], [3]],
        [np.array([1, 2]), None],
        [b"1", b"2"],
        [{"a": 1}, None],
        [datetime.date(2020, 1, 1), None],
    ],
    ids=str,
)
def test_columns_of_pandas_that_are_no_scores(column):
    with pytest.raises(DataError, match=r"'A' (must be a number; got|holds .* neither a score)"):
        of(pd.DataFrame(BASE | {"A": column}))


@pytest.mark.parametrize(
    "column", [["1", "2"], [[1], [2]], [{"a": 1}, {"a": 2}], [b"a", b"b"]], ids=str
)
@pytest.mark.parametrize("library", [pl.DataFrame, pa.table])
def test_columns_that_are_no_scores(library, column):
    remedy = {list: "as explode of pandas does", dict: "as json_normalize of pandas does"}
    with pytest.raises(DataError, match=remedy.get(type(column[0]), "column 'A'")):
        of(library(BASE | {"A": column}))


@pytest.mark.parametrize("value", [np.inf, -np.inf, Decimal("Infinity"), 10**400])
def test_infinite_scores(value):
    message = "row 2 ('y'), column 'A' must be finite; got "
    with refuses(DataError, message) as caught:
        of(pd.DataFrame(BASE | {"A": np.array([1, value], dtype=object)}))
    assert {"ignore_rows": ["y"]} in caught.value.advice


def test_cells_that_their_own_library_cannot_compare():
    with pytest.raises(DataError, match=r"^frame, column 'A' cannot be read: InvalidOperation"):
        of(pd.DataFrame(BASE | {"A": [Decimal("sNaN"), 1]}))


def test_empty_columns():
    for frame in (
        pd.DataFrame(BASE | {"A": [None, None]}),
        pl.DataFrame(BASE | {"A": [None, None]}),
        pa.table(BASE | {"A": pa.nulls(2)}),
    ):
        with refuses(DataError, "frame: column 'A' has no score at all."):
            of(frame)


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        ([3.0, 4.0], ("3", "4")),
        ([3.5, 4.0], ("3.5", "4")),
        ([2**53, 2**53 + 1], ("9007199254740992", "9007199254740993")),
        (np.array([127, -128], dtype=np.int8), ("127", "-128")),
        (np.array([2**64 - 1, 7], dtype=np.uint64), ("18446744073709551615", "7")),
        ([2**63 - 1, -(2**63)], ("9223372036854775807", "-9223372036854775808")),
        (["007", "7"], ("007", "7")),
        (["NA", "None"], ("NA", "None")),
        ([" a  b", "a\nc"], ("a b", "a c")),
        ([True, False], ("True", "False")),
        ([Decimal("1.50"), Decimal("2")], ("1.5", "2")),
        (pd.Categorical(["y", "x"]), ("y", "x")),
        (pd.array(["x", "y"], dtype="string"), ("x", "y")),
        (pd.array(["x", "y"], dtype=pd.ArrowDtype(pa.string())), ("x", "y")),
        (np.array([3.0, "a"], dtype=object), ("3", "a")),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), ("2020-01-01", "2020-01-02")),
        (
            pd.to_datetime(["2020-01-01 12:00", "2020-01-02 00:00"]),
            ("2020-01-01 12:00:00", "2020-01-02"),
        ),
        ([datetime.date(2020, 1, 1), "x"], ("2020-01-01", "x")),
        (pd.period_range("2020-01", "2020-02", freq="M"), ("2020-01", "2020-02")),
    ],
    ids=str,
)
def test_labels_of_pandas(column, labels):
    frame = pd.DataFrame(BASE | {"dataset": column})
    assert of(frame).datasets == labels
    assert of(frame.set_index("dataset")).datasets == labels


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (pl.Series(["y", "x"], dtype=pl.Categorical), ("y", "x")),
        (pl.Series(["y", "x"], dtype=pl.Enum(["x", "y"])), ("y", "x")),
        (pl.Series([datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]),
         ("2020-01-01", "2020-01-02")),
        (pl.Series([datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2)]),
         ("2020-01-01", "2020-01-02")),
        (pl.Series([2**53, 2**53 + 1]), ("9007199254740992", "9007199254740993")),
    ],
)  # fmt: skip
def test_labels_of_polars_and_pyarrow(column, labels):
    frame = pl.DataFrame(BASE | {"dataset": column})
    assert of(frame).datasets == labels
    assert of(frame.to_arrow()).datasets == labels


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT, "", "  "], ids=repr)
def test_labels_that_are_missing(gap):
    column = np.array(["x", gap], dtype=object)
    message = (
        "frame, row 2, column 'dataset' must be a label; the cell is empty. "
        "Write the label, or delete the row."
    )
    with refuses(DataError, message):
        of(pd.DataFrame(BASE | {"dataset": column}))
    with refuses(DataError, message):
        of(pd.DataFrame(BASE | {"dataset": [3.0, np.nan]}))
    with refuses(
        DataError,
        "frame, row 2, the index must be a label; the cell is empty. "
        "Write the label, or delete the row.",
    ):
        of(pd.DataFrame({"A": [1.0, 2.0]}, index=column))


@pytest.mark.parametrize("value", [b"x", [1], {"a": 1}], ids=repr)
def test_labels_that_are_none(value):
    with refuses(DataError, f"frame, row 1, column 'dataset' must be a label; got {value!r}."):
        of(pd.DataFrame(BASE | {"dataset": [value, "x"]}))


# ----------------------------------------------------------------------- pandas' own labels


def frame_with(index, columns=("A", "B")):
    return pd.DataFrame([[1.0, 3.0], [2.0, 4.0]], index=index, columns=list(columns))


@pytest.mark.parametrize(
    ("index", "datasets"),
    [
        (["x", "y"], ("x", "y")),
        (pd.Index(["x", "y"], name="problem"), ("x", "y")),
        (pd.CategoricalIndex(["x", "y"]), ("x", "y")),
        ([7, 3], ("7", "3")),
        ([7.0, 3.0], ("7", "3")),
        (pd.RangeIndex(2), ("1", "2")),
        (pd.RangeIndex(5, 7), ("1", "2")),
        (pd.RangeIndex(5, 7, name="id"), ("5", "6")),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), ("2020-01-01", "2020-01-02")),
    ],
    ids=repr,
)
def test_the_index_names_data_sets_unless_it_only_counts(index, datasets):
    frame = frame_with(index).rename(columns={"A": "C4.5"}) + 0.25
    experiment = of(frame)
    assert (experiment.datasets, experiment.algorithms) == (datasets, ("C4.5", "B"))


@pytest.mark.parametrize("name", ["dataset", "problem"])
def test_rows_left_over_by_a_filter_do_not_name_data_sets(name):
    frame = pd.DataFrame(
        {name: list("vwxyz"), "A": [1.0, 2, 3, 4, 5]}, index=pd.Index([0, 1, 2, 3, 4])
    ).drop(index=[0, 2])
    frame.index = pd.Index(list(frame.index))
    assert not isinstance(frame.index, pd.RangeIndex)
    assert of(frame).datasets == ("w", "y", "z")
    assert of(frame).algorithms == ("A",)
    assert of(frame, dataset=name).algorithms == ("A",)


def test_an_index_beside_a_column_of_data_sets():
    frame = pd.DataFrame(BASE, index=["p", "q"])
    with refuses(DataError, "data sets may be named by the index or by column 'dataset'"):
        of(frame)
    assert of(frame, dataset="dataset").datasets == ("x", "y")
    named = pd.DataFrame({"task": ["x", "y"], "A": [1.0, 2.0]}, index=pd.Index([4, 2], name="id"))
    assert (of(named, dataset="task").datasets, of(named, dataset="task").algorithms) == (
        ("x", "y"),
        ("A",),
    )
    assert of(named.drop(columns="task"), dataset="id").datasets == ("4", "2")
    with refuses(
        DataError,
        "frame: the column 'dataset' stands beside an index of the same name. "
        "Call reset_index(drop=True), or rename one of them.",
    ):
        of(pd.DataFrame(BASE, index=pd.Index([1, 5], name="dataset")))


def test_long_frames_with_an_index():
    frame = pd.DataFrame({"algorithm": ["A", "B"], "score": [1.0, 2.0]}, index=["x", "x"])
    assert of(frame).datasets == ("x",)
    assert of(frame.reset_index(drop=True)).datasets == ("1",)
    shuffled = pd.DataFrame(
        {"dataset": ["x", "x"], "algorithm": ["A", "B"], "score": [1.0, 2.0]}, index=[9, 4]
    )
    assert of(shuffled).datasets == ("x",)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("A", "A"), "names must be distinct; got 'A' in columns 1 and 2."),
        (("A", " A"), "names must be distinct; got 'A' in columns 1 and 2."),
        ((1, "1"), "names must be distinct; got '1' in columns 1 and 2."),
        *((("A", gap), "frame: column 2 has no name.") for gap in ("", None, np.nan)),
    ],
)
def test_wrong_column_names(columns, message):
    with refuses(DataError, message):
        of(frame_with(pd.RangeIndex(2), columns))


def test_wrong_column_names_of_pyarrow():
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["A", "A"])
    with refuses(DataError, "frame: column names must be distinct; got 'A' in columns 1 and 2."):
        of(table)


@pytest.mark.parametrize(
    ("columns", "algorithms"),
    [
        ((0, 1), ("0", "1")),
        ((1.0, 2.5), ("1", "2.5")),
        (("A", ("a", "b")), ("A", "('a', 'b')")),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), ("2020-01-01", "2020-01-02")),
        (pd.CategoricalIndex(["A", "B"]), ("A", "B")),
    ],
)
def test_column_names_that_are_no_text(columns, algorithms):
    frame = frame_with(["x", "y"])
    frame.columns = pd.Index(columns, tupleize_cols=False)
    assert of(frame).algorithms == algorithms


def test_columns_named_by_position():
    frame = pd.DataFrame({0: ["x", "y"], 1: [1.0, 2.0]})
    assert of(frame, dataset=0).datasets == of(frame, dataset="0").datasets == ("x", "y")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame(), "frame has no columns."),
        (pl.DataFrame(), "frame has no columns."),
        (pd.DataFrame({"dataset": [], "A": []}),
         "frame has no rows, so there is nothing to compare."),
        (pd.DataFrame(index=["x"]), "frame has no column of scores."),
        (pd.DataFrame({"dataset": ["x"]}), "frame has no column of scores beside 'dataset'."),
    ],
)  # fmt: skip
def test_empty_frames(frame, message):
    with refuses(DataError, message):
        of(frame)


def test_a_mapping_of_lists_is_made_a_dataframe():
    scores = {"A": [0.1, 0.2, 0.4], "B": [0.3, 0.4, 0.1]}
    for given in (scores, {name: np.array(each) for name, each in scores.items()}):
        with pytest.raises(TypeError, match=r"got dict\..* make a dataframe: pandas\.DataFrame"):
            nbc.compare(given, direction="maximize")
    assert nbc.compare(pd.DataFrame(scores), direction="maximize").notes  # as it says
