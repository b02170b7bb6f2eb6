"""Percent signs, thousands and typeset minus signs in text files, and what is in doubt."""

import gzip
import io
import re
import sys

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbcompare import _tables
from nbcompare._validation import DataError
from nbcompare.experiment import Experiment

QUICK = settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
COMMA = "If the comma is a decimal mark, pass decimal=','"
POINT = "If the point is a decimal mark, pass decimal='.'"


@pytest.fixture
def read(tmp_path):
    def read(*rows, header="dataset;A;B", **options):
        path = tmp_path / "t.csv"
        path.write_text("\n".join([header, *rows]), encoding="utf-8")
        return Experiment.read(path, direction="maximize", **options)

    return read


def refuses(error, message):
    # how to leave out what is wrong: see tests/foreign/test_cells.py
    rest = (
        r"( If it says that there is no result, pass missing_words=\[.*\]\.| Write the number "
        r"alone, or leave the cell empty if there is no result\.)?( To leave out .*)?"
    )
    return pytest.raises(error, match=f"^{re.escape(message)}{rest}$")


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        (["x;93.5%;91%", "y;80%;7e1%"], {}, [[93.5, 91], [80, 70]]),
        (["x;93,5 %;91\u00a0%", "y;80\u202f%;+.7%"], {"decimal": ","}, None),
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
    if expected is None:
        with refuses(DataError, "t.csv, row 2 ('y'), column 'B' must be a number; got '+.7%'. "
                     f"{POINT}."):  # fmt: skip
            read(*rows, **options)
    else:
        assert read(*rows, **options).mean_scores.tolist() == expected


@pytest.mark.parametrize("missing", ["", "NA", "?", "-", "\u2212"])
def test_a_percent_sign_or_none_is_missing(read, missing):
    experiment = read(f"x;93.5%;{missing}", f"y;{missing};91%")
    np.testing.assert_array_equal(experiment.mean_scores, [[93.5, np.nan], [np.nan, 91]])


def test_a_column_without_a_name_of_its_own_holds_labels_still(read):
    experiment = read("10%;1;2", "5%;3;4", header="share;A;B", dataset="share")
    assert experiment.datasets == ("10%", "5%")
    assert read("10%;1;2", "5%;3;4").datasets == ("10%", "5%")


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (
            ["x;93.5%;0.91", "y;80%;0.7"],
            {},
            "t.csv, row 1 ('x'), column 'A' (93.5%) has a percent sign, "
            "t.csv, row 1 ('x'), column 'B' (0.91) has none. Write all scores in one unit.",
        ),
        (
            ["x;93.5%;91%", "y;;70"],
            {},
            "t.csv, row 1 ('x'), column 'B' (91%) has a percent sign, "
            "t.csv, row 2 ('y'), column 'B' (70) has none. Write all scores in one unit.",
        ),
        (
            ["x;1,234;2,345", "y;7;3"],
            {},
            "t.csv, row 1 ('x'), column 'A' must be a number; got '1,234'. "
            f"{COMMA}; if it separates thousands, pass thousands=','.",
        ),
        (
            ["x;1.234;2,345", "y;7;3"],
            {"decimal": ","},
            "t.csv, row 1 ('x'), column 'A' must be a number; got '1.234'. "
            f"{POINT}; if it separates thousands, pass thousands='.'.",
        ),
        (
            ["x;93,5%;2%", "y;7%;3%"],
            {},
            f"t.csv, row 1 ('x'), column 'A' must be a number; got '93,5%'. {COMMA}.",
        ),
        (
            ["x;93.5%;2%", "y;bad;3%"],
            {},
            "t.csv, row 2 ('y'), column 'A' must be a number; got 'bad'.",
        ),
        (
            ["x;1,234;2", "y;bad;3"],
            {},
            "t.csv, row 2 ('y'), column 'A' must be a number; got 'bad'.",
        ),
        *(
            ([f"x;{cell};1", "y;1;1"], {"thousands": mark},
             f"t.csv, row 1 ('x'), column 'A' must be a number; got {cell!r}.{told}")
            for cell, mark, told in [
                ("12,34", ",", f" {COMMA}."),
                ("0,123", ",", f" {COMMA}."),
                ("1234,567", ",", f" {COMMA}."),
                ("1,234,56", ",", ""),
                ("1'234,567", None, ""),
                ("1 234", ",", ""),
                ("1'234", " ", ""),
                ("12 34", None, ""),
                ("1.234,5", None, " If the comma is a decimal mark, pass decimal=','."),
                ("1 2 %", None, ""),
                ("5%%", None, ""),
                ("NA%", None, ""),
            ]
        ),
    ],
)  # fmt: skip
def test_what_is_in_doubt_or_wrong(read, rows, options, message):
    with refuses(DataError, message):
        read(*rows, **options)


def test_a_table_in_doubt_has_no_labels_made_of_its_scores(read):
    doubt = f"holds text; got '1,234'. {COMMA}; if it separates thousands, pass thousands=','."
    with refuses(DataError, f"t.csv, row 1, column 'A' {doubt}"):
        read("x;1,234;2,345", header="label;A;B")
    with refuses(
        DataError, f"t.csv, row 1, column 'A' {doubt} Pass dataset='A' if it names data sets."
    ):
        read("1,234;2", "2,345;3", header="A;B")
    with refuses(
        DataError,
        "t.csv, row 1, column 'share' (10%) has a percent sign, t.csv, row 1, column 'A' (1) has "
        "none. Write all scores in one unit. Pass dataset='share' if it names data sets.",
    ):
        read("10%;1;2", "5%;3;4", header="share;A;B")


def test_long_tables(read):
    header = "dataset;algorithm;score;seconds"
    rows = ["x;A;90%;1", "x;B;80.5%;2"]
    assert read(*rows, header=header).mean_scores.tolist() == [[90, 80.5]]
    with refuses(
        DataError,
        "t.csv, row 1 ('x'), column 'score' (90%) has a percent sign, "
        "t.csv, row 3 ('y'), column 'score' (0.8) has none. Write all scores in one unit.",
    ):
        read(*rows, "y;A;0.8;3", header=header)
    with refuses(
        DataError,
        "t.csv, row 1 ('x'), column 'upper' (90%) has a percent sign, "
        "t.csv, row 1 ('x'), column 'lower' (0.8) has none. Write all scores in one unit.",
    ):
        read("x;A;0.8;90%", header="dataset;algorithm;lower;upper")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"thousands": ".", "decimal": "."},
            "`thousands` must differ from `decimal`; got '.' for both.",
        ),
        ({"decimal": ";"}, "`decimal` must be '.' or ','; got ';'."),
        ({"thousands": "_"}, "`thousands` must be ',', '.', ' ' or \"'\"; got '_'."),
    ],
)
def test_wrong_marks(read, options, message):
    with refuses(ValueError, message):
        read("x;1;2", **options)


@pytest.mark.parametrize("cell", ["93.5%", "1,234.5", "1'234"])
def test_text_in_a_dataframe_stays_text(cell):
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [cell, "2"], "B": [1.0, 2.0]})
    with refuses(
        DataError,
        f"frame, row 1 ('x'), column 'A' must be a number; got {cell!r}. "
        "The column holds text; turn it into numbers first.",
    ):
        Experiment.from_frame(frame, direction="maximize")


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
def test_what_was_grouped_is_read(tmp_path, values, marks, percent, minus):
    decimal, thousands = marks
    swap = str.maketrans({",": thousands, ".": decimal, "-": minus})
    rows = [
        ";".join([f"d{i}", *(f"{value:,.2f}".translate(swap) + percent for value in row)])
        for i, row in enumerate(values)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["dataset;A;B", *rows]), encoding="utf-8")
    experiment = Experiment.read(path, direction="minimize", decimal=decimal)
    assert experiment.mean_scores.tolist() == [[float(value) for value in row] for row in values]


# ------------------------------------------------------------- what a dataframe has as text


@pytest.mark.parametrize("index", [None, 0])
def test_decimal_commas_in_a_dataframe(index):
    text = "dataset;A;B\nx;0,708;0,7\ny;0,5;0,61\n"
    frame = pd.read_csv(io.StringIO(text), sep=";", index_col=index)
    with refuses(
        DataError,
        "frame, row 1 ('x'), column 'A' must be a number; got '0,708'. If the comma is a decimal "
        "mark, read the file again with decimal=',', as pandas.read_csv takes it.",
    ):
        Experiment.from_frame(frame, direction="maximize")
    read_again = pd.read_csv(io.StringIO(text), sep=";", index_col=index, decimal=",")
    assert Experiment.from_frame(read_again, direction="maximize").n_datasets == 2


@pytest.mark.parametrize(
    ("cell", "thousands"), [("1,234", True), ("1.234,5", False), ("-0,5", False), ("0,5%", False)]
)
def test_commas_that_may_separate_thousands(cell, thousands):
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [cell, "2"], "B": [1.0, 2.0]})
    with pytest.raises(DataError, match="read the file again with decimal=','") as caught:
        Experiment.from_frame(frame, direction="maximize")
    assert ("with thousands=','" in str(caught.value)) == thousands
    assert "missing_words" not in str(caught.value)


@pytest.mark.parametrize("cell", ["0.708[3]", "0.7 s", "[0.7]", "0.7/0.8", "~0.7x"])
def test_text_that_holds_a_number_is_not_missing(read, cell):
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [cell, "2"], "B": [1.0, 2.0]})
    for refused in (
        lambda: Experiment.from_frame(frame, direction="maximize"),
        lambda: read(f"x;{cell};1", "y;2;2"),
    ):
        with pytest.raises(
            DataError, match="Write the number alone, or leave the cell empty"
        ) as it:
            refused()
        assert "missing_words" not in str(it.value)


# ---------------------------------------------------------------- thousands that nobody can tell


def doubt(tmp_path, rows, header="dataset;A;B", name="t.csv", **options):
    path = tmp_path / name
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    table = _tables.read(path, labels=["dataset"], text=_tables.TextFormat(**options))
    names = [name for name in table.columns if name != "dataset"]
    return _tables.doubtful_thousands(table, names)


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        (["x;1.816;418", "y;12.500;7"], "row 1, column 'A' holds '1.816'"),
        (["x;418;-3", "y;7;\u2212123.456", "z;1.000;2"], "row 2, column 'B' holds '\u2212123.456'"),
        (["x;1.816%;418%", "y;12.500%;7%"], "row 1, column 'A' holds '1.816%'"),
        (["x;1.816*;418", "y;**12.500**;"], "row 1, column 'A' holds '1.816'"),
        (["x;NA;418", "y;1.816;12.500"], "row 2, column 'A' holds '1.816'"),
    ],
)
def test_points_that_may_separate_thousands(rows, where, tmp_path):
    told = doubt(tmp_path, rows)
    assert told.startswith(f"t.csv, {where}, and other scores are whole, such as '")
    assert told.endswith(
        "If the point is a decimal mark, pass decimal='.'; if it separates thousands, pass "
        "thousands='.'."
    )
    assert doubt(tmp_path, rows, decimal=".") is None
    assert doubt(tmp_path, rows, thousands=".") is None
    assert doubt(tmp_path, rows, thousands=" ") is None


@pytest.mark.parametrize(
    "rows",
    [
        ["x;1.816;418", "y;12.500;0.91"],  # in the other column
        ["x;1.816;418", "y;12.500;12.5"],
        ["x;1.816;418", "y;12.500;-0.816"],
        ["x;1.816;418", "y;12.500;1234.567"],
        ["x;1.816;418", "y;12.500;1,234.567"],
        ["x;1.816;418", "y;7;3"],  # one fraction alone
        ["x;1.816;2.418", "y;12.500;3.125"],  # none is whole
        ["x;1.816 ± 0.100;418", "y;12.500;3"],
        ["x;418;1", "y;12;3"],
        ["x;1.816;418", "y;12.500;1.5e3"],
    ],
)
def test_points_that_are_decimal_marks(rows, tmp_path):
    assert doubt(tmp_path, rows) is None


def test_only_columns_of_scores_tell(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("dataset;A;B;size\nx;1.816;418;0.5\ny;12.500;7;0.25\n")
    table = _tables.read(path, labels=["dataset"])
    assert _tables.doubtful_thousands(table, ["A", "B"]) is not None
    assert _tables.doubtful_thousands(table, ["A", "B", "size"]) is None


def test_large_and_compressed_files_and_standard_input(tmp_path, monkeypatch):
    n = 120_000
    rows = "".join(f"d{i};{i % 900 + 1}.{i % 1000:03};{i}\n" for i in range(n))
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(f"dataset;A;B\n{rows}".encode()))
    table = _tables.read(path, labels=["dataset"])
    assert "row 1, column 'A' holds '1.000'" in _tables.doubtful_thousands(table, ["A", "B"])
    piped = io.TextIOWrapper(io.BytesIO(f"dataset;A;B\n{rows}".encode()))
    monkeypatch.setattr(sys, "stdin", piped)
    table = _tables.read("-", labels=["dataset"])
    assert "row 1, column 'A' holds '1.000'" in _tables.doubtful_thousands(table, ["A", "B"])


def test_text_in_sheets_and_json_is_doubted_and_numbers_are_not(tmp_path):
    book = openpyxl.Workbook()
    for row in (["dataset", "A", "B"], ["x", "1.816", 418], ["y", "12.500", "7"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    table = _tables.read(tmp_path / "t.xlsx", labels=["dataset"])
    assert "column 'A' holds '1.816'" in _tables.doubtful_thousands(table, ["A", "B"])
    (tmp_path / "t.json").write_text(
        '{"dataset": ["x", "y"], "A": ["1.816", "12.500"], "B": [4, 7]}'
    )
    table = _tables.read(tmp_path / "t.json", labels=["dataset"])
    assert "column 'A' holds '1.816'" in _tables.doubtful_thousands(table, ["A", "B"])
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [1.816, 12.125], "B": [418, 7]})
    assert _tables.doubtful_thousands(_tables.from_frame(frame), ["A", "B"]) is None
    frame.to_parquet(tmp_path / "t.parquet")
    table = _tables.read(tmp_path / "t.parquet", labels=["dataset"])
    assert _tables.doubtful_thousands(table, ["A", "B"]) is None


def test_millions_with_points(read):
    with refuses(
        DataError,
        "t.csv, row 1 ('x'), column 'A' must be a number; got '1.234.567'. If the point separates "
        "thousands, pass thousands='.'.",
    ):
        read("x;1.234.567;2", "y;7;3")
    made = read("x;1.234.567;2", "y;7;3", thousands=".")
    assert made.mean_scores.tolist() == [[1234567, 2], [7, 3]]
