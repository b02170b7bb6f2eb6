"""From tables to histories: long and wide, dataframes and files, and what is refused."""

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.histories import Histories

LONG = pd.DataFrame(
    {
        "problem": ["f1", "f1", "f1", "f1", "f2", "f2", "f2", "f2"],
        "algorithm": ["DE", "DE", "SA", "SA"] * 2,
        "run": [1, 1, 1, 1, 1, 1, 1, 1],
        "evaluations": [50, 100] * 4,
        "value": [4.0, 1.0, 5.0, 5.0, 3.0, 2.0, 8.0, 6.0],
    }
)
WIDE = pd.DataFrame(
    {
        "problem": ["f1", "f1", "f2", "f2"],
        "algorithm": ["DE", "SA", "DE", "SA"],
        "50": [4.0, 5.0, 3.0, 8.0],
        "100": [1.0, 5.0, 2.0, 6.0],
    }
)
VALUES = [[[4.0, 1.0], [5.0, 5.0]], [[3.0, 2.0], [8.0, 6.0]]]


def read(table, **options):
    return Histories.from_frame(table, direction="minimize", **options)


def test_runs_are_numbered_in_the_order_of_their_labels():
    table = pd.concat([WIDE.assign(run=run, **{"100": run / 10}) for run in (10, 9)])
    assert read(table).values[0, 0, :, 1].tolist() == [0.9, 1.0]


def test_rows_of_a_wide_table_are_runs_unless_a_column_tells():
    table = pd.concat([WIDE, WIDE.assign(**{"50": 9.0})])
    histories = read(table)
    assert histories.n_runs.tolist() == [[2, 2], [2, 2]]
    assert histories.values[0, 0].tolist() == [[4.0, 1.0], [9.0, 1.0]]
    with pytest.raises(
        nbc.DataError,
        match=r"^frame, row 5 \('f1'\), column '50': evaluation 50 of problem 'f1', algorithm "
        r"'DE', run '1' is in another row already",
    ):
        read(table.assign(run=1))


def test_columns_of_a_wide_table_in_any_order_and_with_gaps():
    table = WIDE[["100", "algorithm", "50", "problem"]].rename(columns={"50": "5e1"})
    assert read(table).fingerprint == read(WIDE).fingerprint
    table = table.assign(**{"200": [0.5, 4.0, np.nan, np.nan]})
    histories = read(table, n_points=2)
    assert histories.evaluations.tolist() == [[100, 200], [50, 100]]
    assert histories.values[0, :, 0].tolist() == [[1.0, 0.5], [5.0, 4.0]]


def test_row_names_are_no_values(tmp_path):
    for table in (LONG, WIDE):
        path = tmp_path / "logs.csv"
        table.to_csv(path, index=True)
        assert Histories.read(path, direction="minimize").values[:, :, 0].tolist() == VALUES
    indexed = WIDE.set_index("problem")
    assert read(indexed).values[:, :, 0].tolist() == VALUES
    shuffled = WIDE.iloc[[2, 0, 1, 3]]
    assert read(shuffled).fingerprint == read(WIDE).fingerprint


# ----------------------------------------------------------------------------- optimum


def test_optimum_from_a_column_a_number_or_a_mapping():
    column = LONG.assign(best=[1.0] * 4 + [2.0] * 4)
    by_column = read(column, optimum="best")
    assert by_column.optimum.tolist() == [1.0, 2.0]
    assert read(LONG, optimum={"f2": 2, "f1": 1}).fingerprint == by_column.fingerprint
    assert read(column.rename(columns={"best": "optimum"})).fingerprint == by_column.fingerprint
    other = read(column.rename(columns={"best": "optimum"}), optimum=0)
    assert other.optimum.tolist() == [0.0, 0.0]
    wide = read(WIDE.assign(optimum=[1.0, 1.0, 2.0, 2.0]))
    assert wide.fingerprint == by_column.fingerprint


@pytest.mark.parametrize(
    ("best", "message"),
    [
        (
            [1.0, 0.0] + [1.0] * 6,
            r"^frame, row 2 \('f1'\), column 'best' must hold one optimum per problem; got 0\.0 "
            r"after 1\.0\.$",
        ),
        (
            [1.0] * 7 + [np.nan],
            r"^frame, row 8 \('f2'\), column 'best' must be a number; the cell is empty\.$",
        ),
        (
            [2.0] * 8,
            r"^`optimum` of problem 'f1' is 2, but a value is better: 1 for problem 'f1', "
            r"algorithm 'DE', run '1' at evaluation 100\.$",
        ),
    ],
)
def test_refused_columns_of_optima(best, message):
    with pytest.raises(nbc.DataError, match=message):
        read(LONG.assign(best=best), optimum="best")


# ----------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (
            LONG.drop(columns="value"),
            {},
            r"^frame: no column of numbers is free to hold the values\.\n(.*\n)+ `value` must name",
        ),
        (LONG.drop(columns="evaluations"), {}, r"^frame: nothing says which column counts ev"),
        (
            LONG.drop(columns="run").iloc[[0, 0]],
            {},
            r"Pass run= to name the column that tells runs apart\.$",
        ),
        (
            WIDE[["problem", "algorithm"]],
            {},
            r"^frame: nothing says which column counts evaluations, in a .* named by its evaluatio",
        ),
        (
            WIDE.rename(columns={"50": "0"}),
            {},
            r"^frame, row 1 \('f1'\), column '0': .* positive and at most 1e\+300; got 0\.$",
        ),
        (WIDE.assign(**{"100": "x"}), {}, r"^frame, row 1 \('f1'\), column '100' must be a number"),
        (LONG, {"problem": "f"}, r"^`problem` must name a column of frame, one of 'problem', "),
        (
            WIDE,
            {"direction": "maximize"},
            r"^frame, row 1 \('f1'\), column '100': a history must not get worse; problem 'f1', "
            r"algorithm 'DE', run '1' does at evaluation 100: 1 after 4\.",
        ),
    ],
)  # fmt: skip
def test_refused_tables(table, options, message):
    with pytest.raises(ValueError, match=message):
        Histories.from_frame(table, **{"direction": "minimize"} | options)


def test_refused_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="`path` must name a file; there is no"):
        Histories.read(tmp_path / "absent.csv", direction="minimize")
    with pytest.raises(ValueError, match=r"^`direction` must be .* got None\.$"):
        Histories.read(tmp_path / "logs.csv")
    with pytest.raises(ValueError, match=r"^`decimal` must be"):
        Histories.read(tmp_path / "logs.csv", direction="minimize", decimal="!")
    with pytest.raises(TypeError, match=r"^`path` must be a str or Path; got int\. What is in mem"):
        Histories.read(3, direction="minimize")


def test_values_before_the_first_evaluation():
    rows = [
        (problem, algorithm, step, 10.0 - step / 1000)
        for problem in ("f1", "f2")
        for algorithm in ("DE", "PSO")
        for step in range(0, 5000, 1000)
    ]
    frame = pd.DataFrame(rows, columns=["problem", "algorithm", "evaluations", "value"])
    histories = Histories.from_frame(frame, direction="minimize")
    later = Histories.from_frame(frame[frame.evaluations > 0], direction="minimize")
    np.testing.assert_array_equal(histories.values, later.values)
    np.testing.assert_array_equal(histories.evaluations, later.evaluations)
    assert [note.code for note in histories.notes] == ["starts"]
