"""Percent signs, thousands and typeset minus signs in text files, and what is in doubt."""

import gzip
import io
import sys

import numpy as np
import openpyxl
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
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
HEADER = "dataset;A;B"
LEAVE_OUT = [{"ignore_rows": ["x"]}]  # one algorithm would be left without the column


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        (["x;93.5%;91%", "y;80%;7e1%"], {}, [[93.5, 91], [80, 70]]),
        (["x;93,5 %;91\u00a0%", "y;80\u202f%;+,7%"], {"decimal": ","}, [[93.5, 91], [80, 0.7]]),
        (["x;\u22121.5;2", "y;1e\u22123;-4"], {}, [[-1.5, 2], [0.001, -4]]),
        (["x;1,234.5;2,345", "y;7;1,234,567"], {}, [[1234.5, 2345], [7, 1234567]]),
        (["x;1.234,5;2.345", "y;7;0,5"], {"decimal": ","}, [[1234.5, 2345], [7, 0.5]]),
        (["x;1,234;2,345", "y;7;3"], {"thousands": ","}, [[1234, 2345], [7, 3]]),
        (["x;1.234;2.345", "y;7;3"], {"decimal": ",", "thousands": "."}, [[1234, 2345], [7, 3]]),
        (["x;1 234;2\u202f345.5", "y;7\u00a0000;3\u2009111"], {}, [[1234, 2345.5], [7000, 3111]]),
        (["x;1'234;2\u2019345", "y;7;\u22123'111.25"], {}, [[1234, 2345], [7, -3111.25]]),
        (["x;1'234;2", "y;7;3"], {"thousands": "'"}, [[1234, 2], [7, 3]]),
        (["x;1.816;418", "y;12.500;3,5"], {"thousands": "."}, [[1816, 418], [12500, 3.5]]),
        (["x;1.816;418", "y;12.500;3"], {"decimal": "."}, [[1.816, 418], [12.5, 3]]),
        (["x;1,234%;2,345.5%", "y;7%;3%"], {}, [[1234, 2345.5], [7, 3]]),
    ],
)
def test_numbers_as_people_write_them(read, rows, options, expected):
    assert read(HEADER, *rows, **options).mean_scores.tolist() == expected


def test_decimal_commas_in_columns_of_many_different_cells(read):
    """So many are not read one by one; a point is no decimal mark there either."""
    values = np.random.default_rng(0).permutation(12_000)[:, np.newaxis] / [8, 16] + 0.5
    cells = [[f"{number}".replace(".", ",") for number in row] for row in values.tolist()]
    cells[3000][1], cells[5000][0] = "1.234,5", "NA"
    values[3000, 1], values[5000, 0] = 1234.5, np.nan
    rows = [f"d{i};{one};{other}" for i, (one, other) in enumerate(cells)]
    experiment = read(HEADER, *rows, decimal=",", thousands=".")
    np.testing.assert_array_equal(experiment.mean_scores, values)
    rows[7000] = "d7000;0.25;0,5"
    with pytest.raises(
        DataError, match=r"row 7001 \('d7000'\), column 'A' must be a number; got '0\.25'"
    ):
        read(HEADER, *rows, decimal=",")


@pytest.mark.parametrize("missing", ["", "NA", "?", "-", "\u2212"])
def test_a_percent_sign_or_none_is_missing(read, missing):
    experiment = read(HEADER, f"x;93.5%;{missing}", f"y;{missing};91%")
    np.testing.assert_array_equal(experiment.mean_scores, [[93.5, np.nan], [np.nan, 91]])


def test_a_column_without_a_name_of_its_own_holds_labels_still(read):
    experiment = read("share;A;B", "10%;1;2", "5%;3;4", dataset="share")
    assert experiment.datasets == ("10%", "5%")
    assert read(HEADER, "10%;1;2", "5%;3;4").datasets == ("10%", "5%")


@pytest.mark.parametrize(
    ("cells", "options", "got", "advice"),
    [
        ("1,234;2,345", {}, "1,234", [{"decimal": ","}, {"thousands": ","}]),
        (
            "1.234;2,345",
            {"decimal": ","},
            "1.234",
            [{"decimal": ".", "thousands": ","}, {"thousands": "."}],
        ),
        ("93,5;2", {}, "93,5", [{"decimal": ","}]),
        ("1.234,5;2", {}, "1.234,5", [{"decimal": ","}]),
        ("1.234.567;2", {}, "1.234.567", [{"thousands": "."}]),
        ("bad;2", {}, "bad", [{"missing_words": ["bad"]}, *LEAVE_OUT]),
        ("12,34;2", {"thousands": ","}, "12,34", [{"decimal": ",", "thousands": None}]),
        *((f"{cell};2", {}, cell, LEAVE_OUT) for cell in ("1'234,567", "12 34", "5%%", "0.7 s")),
        *((f"{cell};2", {"thousands": ","}, cell, LEAVE_OUT) for cell in ("1,234,56", "1 234")),
    ],
)
def test_cells_that_are_no_numbers(read, cells, options, got, advice):
    with pytest.raises(
        DataError, match=r"row 1 \('x'\), column 'A' must be a number; got"
    ) as caught:
        read(HEADER, f"x;{cells}", "y;7;3", **options)
    assert got in str(caught.value)
    assert list(caught.value.advice) == advice


@pytest.mark.parametrize(
    ("rows", "one", "other"),
    [
        (["dataset;A;B", "x;93.5%;0.91", "y;80%;0.7"], "'A' (93.5%)", "'B' (0.91)"),
        (["dataset;A;B", "x;93.5%;91%", "y;;70"], "'B' (91%)", "'B' (70)"),
        (["dataset;algorithm;lower;upper", "x;A;0.8;90%"], "'upper' (90%)", "'lower' (0.8)"),
        (["dataset;algorithm;score", "x;A;9%", "x;B;8"], "'score' (9%)", "'score' (8)"),
    ],
)
def test_percent_signs_on_some_scores(read, rows, one, other):
    with pytest.raises(DataError) as caught:
        read(*rows)
    assert f"column {one} has a percent sign" in str(caught.value)
    assert f"column {other} has none" in str(caught.value)


def test_labels_may_be_percentages(read):
    with pytest.raises(DataError, match=r"'share' \(10%\) has a percent sign") as caught:
        read("share;A;B", "10%;1;2", "5%;3;4")
    assert caught.value.advice == ({"dataset": "share"},)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thousands": ".", "decimal": "."}, "`thousands` must differ from `decimal`; got '.'"),
        ({"decimal": ";"}, "`decimal` must be '.' or ','; got ';'"),
        ({"thousands": "_"}, "`thousands` must be ',', '.', ' ' or .* got '_'"),
    ],
)
def test_wrong_marks(read, options, message):
    with pytest.raises(ValueError, match=message):
        read(HEADER, "x;1;2", **options)


@pytest.mark.slow
@QUICK
@given(
    values=st.lists(
        st.tuples(*[st.decimals(-(10**9), 10**9, places=2)] * 2), min_size=1, max_size=5
    ),
    marks=st.sampled_from([(".", ","), (",", "."), (".", " "), (",", "'"), (".", "\u202f")]),
    percent=st.sampled_from(["", "%", " %"]),
    minus=st.sampled_from("-\u2212"),
)
def test_what_was_grouped_is_read(read, values, marks, percent, minus):
    decimal, thousands = marks
    swap = str.maketrans({",": thousands, ".": decimal, "-": minus})
    rows = [
        ";".join([f"d{i}", *(f"{value:,.2f}".translate(swap) + percent for value in row)])
        for i, row in enumerate(values)
    ]
    keep = [f"d{i}" for i in range(len(rows))]  # numbers that are drawn may hold anything
    experiment = read(HEADER, *rows, decimal=decimal, keep=["A", "B"], keep_rows=keep)
    assert experiment.mean_scores.tolist() == [[float(value) for value in row] for row in values]


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("93.5%", "The column holds text; turn it into numbers first"),
        ("1'234", "The column holds text; turn it into numbers first"),
        ("0,708", "read the file again with decimal=','"),
        ("1,234", "if it separates thousands, with thousands=','"),
        ("0.7/0.8", "Write the number alone, or leave the cell empty"),
    ],
)
def test_text_in_a_dataframe_stays_text(cell, told):
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [cell, "2"], "B": [1.0, 2.0]})
    with pytest.raises(DataError, match=r"row 1 \('x'\), column 'A' must be a number") as caught:
        Experiment.from_frame(frame, direction="maximize")
    assert told in str(caught.value)
    assert "missing_words" not in str(caught.value)


# ---------------------------------------------------------------- thousands that nobody can tell

DOUBTFUL = ["x;1.816;418", "y;12.500;7"]


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        (DOUBTFUL, "row 1, column 'A' holds '1.816'"),
        (["x;418;-3", "y;7;\u2212123.456", "z;1.000;2"], "row 2, column 'B' holds '\u2212123.456'"),
        (["x;1.816%;418%", "y;12.500%;7%"], "row 1, column 'A' holds '1.816%'"),
        (["x;1.816*;418", "y;**12.500**;"], "row 1, column 'A' holds '1.816'"),
        (["x;NA;418", "y;1.816;12.500"], "row 2, column 'A' holds '1.816'"),
    ],
)
def test_points_that_may_separate_thousands(read, rows, where):
    with pytest.raises(DataError) as caught:
        read(HEADER, *rows)
    assert f"{where}, and other scores are whole" in str(caught.value)
    assert caught.value.advice == ({"decimal": "."}, {"thousands": "."})


@pytest.mark.parametrize(
    "rows",
    [
        ["x;1.816;418", "y;12.500;0.91"],  # in the other column
        ["x;1.816;418", "y;12.500;1,234.567"],
        ["x;1.816;418", "y;7;3"],  # one fraction alone
        ["x;1.816;2.418", "y;12.500;3.125"],  # none is whole
        ["x;1.816 \u00b1 0.100;418", "y;12.500;3"],
        ["x;1.816;418", "y;12.500;1.5e3"],
    ],
)
def test_points_that_are_decimal_marks(read, rows):
    assert 1.816 in read(HEADER, *rows).mean_scores


def test_points_in_other_files(tmp_path, monkeypatch):
    text = "\n".join([HEADER, *DOUBTFUL])
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    book = openpyxl.Workbook()
    for row in (["dataset", "A", "B"], ["x", "1.816", 418], ["y", "12.500", "7"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    json = '{"dataset": ["x", "y"], "A": ["1.816", "12.500"], "B": [4, 7]}'
    (tmp_path / "t.json").write_text(json)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    for path in (*(tmp_path / f"t.{end}" for end in ("csv.gz", "xlsx", "json")), "-"):
        with pytest.raises(DataError, match=r"row 1, column 'A' holds '1\.816'"):
            Experiment.read(path, direction="maximize")
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [1.816, 12.125], "B": [418, 7]})
    assert Experiment.from_frame(frame, direction="maximize").n_datasets == 2
    frame.to_parquet(tmp_path / "t.parquet")
    assert Experiment.read(tmp_path / "t.parquet", direction="maximize").n_datasets == 2
