"""Values that are missing in logs, and runs by the labels that the file gives them."""

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.histories import Histories

NAN = np.nan
LOGS = pd.DataFrame(
    [
        ("sphere", algorithm, run, evaluations, value)
        for algorithm, start in (("DE", 9.0), ("SA", 8.0))
        for run in (0, 1)
        for evaluations, value in zip(
            [10, 20, 30, 40, 50], start - np.arange(5) - run / 3, strict=True
        )
    ],
    columns=["problem", "algorithm", "run", "evaluations", "value"],
)


def without(*rows):
    table = LOGS.copy()
    table.loc[list(rows), "value"] = NAN
    return table


def read(table, **options):
    return Histories.from_frame(table, **{"direction": "minimize", "n_points": 5} | options)


def missing(histories):
    return [note.text for note in histories.notes if note.code == "missing-values"]


def wide(table):
    index = ["problem", "algorithm", "run"]
    return table.pivot(index=index, columns="evaluations", values="value").reset_index()


# ------------------------------------------------------------------------- missing values


@pytest.mark.parametrize("shape", [lambda table: table, wide])
def test_values_within_runs(shape):
    histories = read(shape(without(1, 2, 6)))
    assert missing(histories) == ["3 values of 2 of 4 runs are missing; the value before stands."]
    np.testing.assert_array_equal(histories.values[0, 0, 0], [9, 9, 9, 6, 5])
    assert missing(read(shape(without(1)))) == [
        "1 value of 1 of 4 runs is missing; the value before stands."
    ]
    assert missing(read(shape(LOGS))) == []


def test_the_first_value_of_a_run():
    histories = read(without(0))
    assert missing(histories) == []  # the note on a late start says it
    assert [note.code for note in histories.notes] == ["late-start"]


def test_the_last_values_of_a_run():
    table = without(3, 4)
    for short in (table, wide(table), LOGS.drop(index=[3, 4])):
        with pytest.raises(nbc.DataError, match=r"run '0' stops at evaluation 30 of 50\. Pass"):
            read(short)
    for options in ({"early": "carry"}, {"budget": 50}):
        histories = read(table, **options)
        told = "2 values of 1 of 4 runs are missing; the value before stands."
        assert missing(histories) == [told]
        np.testing.assert_array_equal(histories.values[0, 0, 0], [9, 8, 7, 7, 7])
    assert missing(read(wide(table), budget=50)) == []  # cells at the end of a shorter run


def test_both_and_runs_without_any_value():
    histories = read(without(1, 4, *range(5, 10)), early="carry")
    assert missing(histories) == ["2 values of 1 of 3 runs are missing; the value before stands."]
    assert histories.n_runs.tolist() == [[1, 2]]


def test_rows_that_are_blank_are_no_missing_values():
    table = LOGS.copy()
    table.loc[len(table)] = ["sphere", "SA", 1, NAN, NAN]
    assert missing(read(table)) == []


def test_values_that_a_file_leaves_out(tmp_path, capsys):
    path = tmp_path / "logs.csv"
    others = [LOGS.assign(problem=f"f{i}", value=LOGS.value + i) for i in range(3)]
    pd.concat([without(1, 2), *others]).to_csv(path, index=False)
    assert main(["page-trend", str(path), "--direction", "minimize", "--cutpoints", "5"]) == 0
    told = " ".join(" ".join(capsys.readouterr()).split())
    assert "2 values of 1 of 16 runs are missing" in told


# ------------------------------------------------------------------------- labels of runs


def test_runs_have_the_labels_of_the_file(tmp_path):
    with pytest.raises(nbc.DataError, match=r"is better: 4 for .* run '1' at evaluation 50\.$"):
        read(LOGS.assign(value=LOGS.value.where(LOGS.index != 9, 4.0)), optimum=4.5)
    seeds = LOGS.assign(run="seed " + (LOGS.run + 7).astype(str))
    path = tmp_path / "logs.csv"
    seeds.to_csv(path, index=False)
    with pytest.raises(nbc.DataError, match=r"run 'seed 7' at evaluation 50\.$"):
        Histories.read(path, direction="minimize", optimum=5.5)
    with pytest.raises(nbc.DataError, match="run 'seed 7' at evaluation 50"):
        read(wide(seeds), optimum=5.5)


def test_the_order_of_labels_is_not_that_of_rows():
    turned = LOGS.assign(run=LOGS.run.map({0: 10, 1: 2}))
    with pytest.raises(nbc.DataError, match=r"4\.66667 for .* run '2' at evaluation 50\.$"):
        read(turned, optimum=4.8)
    shuffled = turned.sample(frac=1, random_state=1)
    with pytest.raises(nbc.DataError, match=r"4\.66667 for .* run '2' at evaluation 50\.$"):
        read(shuffled, optimum=4.8)


def test_runs_without_labels_are_numbered():
    table = LOGS[LOGS.run == 0].drop(columns="run")
    with pytest.raises(nbc.DataError, match="algorithm 'SA', run 1 at evaluation 50"):
        read(table, optimum=4.5)
    with pytest.raises(nbc.DataError, match=r"algorithm 'A1', run 2 at evaluation 2"):
        Histories.from_array([[[[3.0, 2.0], [3.0, 1.0]]]], direction="minimize", optimum=1.5)


def test_values_have_six_digits_in_messages():
    table = LOGS.assign(value=LOGS.value.where(LOGS.index != 2, 1234.56789))
    with pytest.raises(nbc.DataError, match=r"run '0' does at evaluation 30: 1234\.57 after 8\."):
        read(table)
