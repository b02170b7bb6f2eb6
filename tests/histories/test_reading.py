"""Tables of logs as programs write them: names, filters, columns of runs, raw curves, advice."""

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.experiment import ReadingError
from nbcompare.histories import Histories


def curves(names, problems=("f1", "f2"), algorithms=("A", "B"), runs=(1, 2, 3), points=4):
    """Values that always get less, in columns of these names; the run counts from 1."""
    rows = [
        (problem, algorithm, run, 10 * j, 100 * p + 10 * a + run + 8 / j)
        for p, problem in enumerate(problems)
        for a, algorithm in enumerate(algorithms)
        for run in runs
        for j in range(1, points + 1)
    ]
    return pd.DataFrame(rows, columns=names)


PLAIN = curves(["problem", "algorithm", "run", "evaluations", "value"])


def read(table, **options):
    return Histories.from_frame(table, **{"direction": "minimize"} | options)


def left_out(histories):
    return [note.text for note in histories.notes if note.code == "columns"]


def advice_of(table, **options):
    """The advice of the error, each of which is typed."""
    with pytest.raises(ReadingError) as raised:
        read(table, **options)
    assert raised.value.advice
    for way in raised.value.advice:
        assert isinstance(read(table, **{**options, **way}), Histories)
    return [dict(way) for way in raised.value.advice], str(raised.value)


# --------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "names",
    [
        ["env", "algo", "seed", "timesteps", "episode_reward"],
        ["function", "optimizer", "run_id", "FE", "fitness"],
        ["instance", "Solver", "trial", "iteration", "best_so_far"],
        ["Task", "model", "Random State", "epoch", "val_loss"],
        ["problem", "algorithm", "run", "nfev", "anything"],
    ],
)
def test_names_of_other_programs(names, tmp_path):
    table = curves(names)
    histories = read(table)
    assert histories.fingerprint == read(PLAIN).fingerprint
    assert histories.measure == names[-1]
    table.to_csv(tmp_path / "logs.csv", index=False)
    assert Histories.read(tmp_path / "logs.csv", direction="minimize").fingerprint == (
        histories.fingerprint
    )


def test_what_counts_evaluations_comes_before_what_counts_steps():
    table = PLAIN.rename(columns={"evaluations": "FE"})
    table["iteration"] = table["FE"] // 10
    histories = read(table)
    assert histories.budgets.tolist() == [40.0, 40.0]
    assert left_out(histories) == [
        "The values are those of column 'value'; 'iteration' was left out."
    ]
    assert read(table, evaluations="iteration").budgets.tolist() == [4.0, 4.0]
    steps = table.rename(columns={"FE": "step"})
    ways, _ = advice_of(steps)
    assert ways == [{"evaluations": "step"}, {"evaluations": "iteration"}]


def test_algorithms_that_are_numbers():
    table = PLAIN.assign(algorithm=PLAIN["algorithm"].map({"A": 1, "B": 2}))
    assert read(table).algorithms == ("1", "2")


def test_labels_of_several_columns_are_joined():
    table = PLAIN.assign(config=np.where(PLAIN["algorithm"] == "A", "x", "y"), dim=5)
    histories = read(table, algorithm=["algorithm", "config"], problem=["problem", "dim"])
    assert histories.algorithms == ("A / x", "B / y")
    assert histories.problems == ("f1 / 5", "f2 / 5")
    np.testing.assert_array_equal(histories.values, read(PLAIN).values)
    assert read(table, run=["run"]).fingerprint == read(PLAIN).fingerprint
    with pytest.raises(ValueError, match=r"^`problem` and `algorithm` must name different columns"):
        read(table, problem=["problem", "config"], algorithm=["algorithm", "config"])


# ----------------------------------------------------------------------- every column counts


def test_columns_that_do_not_matter():
    table = PLAIN.assign(
        machine="m1",
        dimension=PLAIN["problem"].map({"f1": 2, "f2": 30}),
        version=PLAIN["algorithm"].map({"A": "1.0", "B": "0.3"}),
        seed=PLAIN["run"] * 17,
        copied=PLAIN["evaluations"],
        id=[f"row {i}" for i in range(len(PLAIN))],
        comment=None,
    )
    histories = read(table)
    assert histories.fingerprint == read(PLAIN).fingerprint
    assert histories.notes == ()


def test_a_clock_is_left_out_with_a_note_once_the_values_are_known():
    random = np.random.default_rng(0)
    table = PLAIN.assign(seconds=PLAIN["evaluations"] * 0.01 + random.random(len(PLAIN)) * 1e-3)
    assert left_out(read(table)) == [
        "The values are those of column 'value'; 'seconds' was left out."
    ]
    measured = table.assign(distance=random.random(len(table)))
    assert left_out(read(measured)) == [
        "The values are those of column 'value'; 'seconds' and 'distance' were left out."
    ]
    unknown = measured.rename(columns={"value": "yield"})
    ways, message = advice_of(unknown)
    assert {"value": "yield"} in ways
    assert "columns 'yield' and 'distance' may hold the values" in message
    assert read(unknown, value="yield").measure == "yield"


def test_two_losses_are_asked_about():
    table = PLAIN.rename(columns={"value": "val_loss"}).assign(loss=PLAIN["value"] / 2)
    ways, _ = advice_of(table)
    assert ways == [{"value": "val_loss"}, {"value": "loss"}]


def test_a_column_of_splits_is_settled_by_a_filter():
    table = pd.concat(
        [PLAIN.assign(split="train"), PLAIN.assign(split="test", value=PLAIN["value"] + 1)]
    )
    ways, message = advice_of(table)
    assert ways[:2] == [{"where": {"split": "train"}}, {"where": {"split": "test"}}]
    assert "column 'split' must be settled" in message
    histories = read(table, where={"split": "test"})
    np.testing.assert_array_equal(histories.values, read(PLAIN).values + 1)
    assert [note.text for note in histories.notes if note.code == "where"] == [
        "48 of 96 rows were read: split test."
    ]
    with pytest.raises(ValueError, match=r"^`where\['split'\]` must be .* got 'dev'"):
        read(table, where={"split": "dev"})


def test_a_setting_that_changes_among_runs():
    runs = PLAIN.groupby(["problem", "algorithm", "run"]).ngroup()
    table = PLAIN.assign(run=runs, config=np.where(runs % 2, "a", "b"))  # a run is of one setting
    ways, _ = advice_of(table)
    assert {"algorithm": ["algorithm", "config"]} in ways
    assert {"ignore": ["config"]} in ways
    # runs that all algorithms have may differ in what is the same for all of them
    assert read(PLAIN.assign(config=np.where(PLAIN["run"] % 2, "a", "b"))).notes == ()


def test_a_column_that_tells_runs_apart_and_has_another_name():
    ways, _ = advice_of(PLAIN.rename(columns={"run": "attempt_no"}))
    assert ways[0] == {"run": "attempt_no"}


def test_functions_with_instances_and_dimensions():
    table = pd.concat([PLAIN.assign(instance=i, dim=d) for i in (1, 2) for d in (2, 5)])
    table = table.rename(columns={"problem": "function"})
    ways, _ = advice_of(table)
    assert {"problem": ["function", "instance", "dim"]} in ways
    assert len(read(table, problem=["function", "dim", "instance"]).problems) == 8


def test_without_problem_or_algorithm():
    for role in ("problem", "algorithm"):
        ways, message = advice_of(PLAIN.rename(columns={role: "what"}))
        assert f"nothing says which column names the {role}s" in message
        assert ways == [{role: "what"}]


def test_words_among_values_name_the_cell():
    table = PLAIN.astype({"value": object})
    table.loc[3, "value"] = "crash"
    with pytest.raises(nbc.DataError, match=r"row 4 \('f1'\), column 'value' must be a number"):
        read(table)
    assert read(table, missing_words=["crash"], early="carry").n_runs.tolist() == [[3, 3]] * 2


def test_columns_are_left_out_by_name():
    table = PLAIN.assign(phase=np.where(PLAIN["evaluations"] < 20, "warm-up", "search"))
    ways, _ = advice_of(table)
    assert ways[0] == {"ignore": ["phase"]}
    with pytest.raises(ValueError, match=r"^`ignore` must be one of "):
        read(table, ignore=["phases"])
    with pytest.raises(ValueError, match="`value` and `ignore` must not name the same"):
        read(table, ignore=["value"], value="value")


# ------------------------------------------------------------------------- runs as columns


@pytest.mark.parametrize(("before", "pattern"), [("run", "run{run}"), ("", "{run}")])
def test_a_column_for_each_run(before, pattern):
    table = PLAIN.assign(run=before + PLAIN["run"].astype(str)).rename(
        columns={"evaluations": "FE"}
    )
    index = ["problem", "algorithm", "FE"]
    wide = table.pivot(index=index, columns="run", values="value").reset_index()
    histories = read(wide, columns=pattern)
    assert histories.fingerprint == read(PLAIN).fingerprint
    assert histories.measure is None
    ways, _ = advice_of(wide)
    assert ways == [{"columns": pattern}]
    wide.iloc[3, -1] = np.nan  # the last value of one run
    with pytest.raises(ReadingError, match=r"run '3' stops at evaluation 30 of 40\. Pass"):
        read(wide, columns=pattern)
    assert read(wide, columns=pattern, early="carry").values[0, 0, 2].tolist() == pytest.approx(
        [11, 7, 5 + 2 / 3, 5 + 2 / 3]
    )


def test_columns_for_algorithms_and_runs():
    index = ["problem", "evaluations"]
    wide = PLAIN.pivot(index=index, columns=["algorithm", "run"], values="value")
    wide.columns = [f"{algorithm}_{run}" for algorithm, run in wide.columns]
    histories = read(wide.reset_index(), columns="{algorithm}_{run}")
    assert histories.fingerprint == read(PLAIN).fingerprint
    named = wide.add_prefix("y ").reset_index().rename(columns={"evaluations": "n"})
    again = read(named, columns="y {algorithm}_{run}", evaluations="n")
    assert again.fingerprint == histories.fingerprint


def test_a_column_for_each_number_of_evaluations_with_a_prefix():
    index = ["problem", "algorithm", "run"]
    wide = PLAIN.pivot(index=index, columns="evaluations", values="value")
    plain = wide.reset_index()
    assert read(plain).fingerprint == read(PLAIN).fingerprint
    prefixed = wide.add_prefix("fe").reset_index()
    assert read(prefixed, columns="fe{evaluations}").fingerprint == read(PLAIN).fingerprint
    ways, _ = advice_of(prefixed)
    assert ways == [{"columns": "fe{evaluations}"}]
    with pytest.raises(nbc.DataError, match="'x' must be a number of evaluations"):
        read(prefixed.rename(columns={"fe10": "fex"}), columns="fe{evaluations}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": "run"}, r"^`columns` must hold some of \{problem\}, \{algorithm\}, \{run\}"),
        ({"columns": "{fold}"}, r"^`columns` must hold some of "),
        ({"columns": "x{run}"}, r"^`columns` must match names of columns of frame, which are"),
        ({"columns": "{run}", "run": "run"}, r"^`run` must be None, since `columns` says where"),
        ({"columns": "{run}", "value": "value"}, r"^`value` must be None, since `columns` says"),
        ({"values": "all"}, r"^`values` must be 'best' or 'raw'; got 'all'\."),
        ({"values": "raw", "worse": "keep-best"}, r"^`worse` must be left out with values='raw'"),
        ({"where": {"split": "a"}}, r"^`where` must name a column of frame"),
    ],
)
def test_refused_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        read(PLAIN, **options)


# ------------------------------------------------------------------------------ raw curves


def rewards(points=(10, 20, 50, 60)):
    """Learning curves that go up and down, three algorithms on four tasks."""
    random = np.random.default_rng(3)
    rows = [
        (f"task {p}", algorithm, seed, step, random.normal(a, 1))
        for p in range(4)
        for a, algorithm in enumerate("ABC")
        for seed in (1, 2, 3)
        for step in points
    ]
    return pd.DataFrame(rows, columns=["env", "algo", "seed", "timesteps", "episode_reward"])


def test_raw_values_stay_as_they_are():
    table = rewards()
    ways, message = advice_of(table, direction="maximize")
    assert ways == [{"worse": "keep-best"}, {"values": "raw"}]
    assert "a history must not get worse" in message
    histories = read(table, direction="maximize", values="raw")
    assert histories.is_raw
    expected = table["episode_reward"].to_numpy().reshape(4, 3, 3, 4)
    np.testing.assert_array_equal(histories.values, expected)
    assert "raw values" in repr(histories)
    assert histories.select(algorithms=["B", "A"]).is_raw
    best = read(table, direction="maximize", worse="keep-best")
    assert not best.is_raw
    assert best.fingerprint != histories.fingerprint
    np.testing.assert_array_equal(best.values, np.maximum.accumulate(expected, axis=3))


def test_raw_values_come_back():
    histories = read(rewards(), direction="maximize", values="raw")
    again = read(histories.to_frame(), direction="maximize", values="raw")
    assert again.fingerprint == histories.fingerprint
    array = Histories.from_array(
        histories.values, direction="maximize", evaluations=histories.evaluations, is_raw=True,
        problems=histories.problems, algorithms=histories.algorithms,
    )  # fmt: skip
    assert array.fingerprint == histories.fingerprint


def test_a_direction_that_is_the_other_one_is_offered():
    ways, _ = advice_of(PLAIN, direction="maximize")
    assert ways[0] == {"direction": "minimize"}


def test_raw_values_at_a_step():
    table = rewards()
    experiment = read(table, direction="maximize", values="raw").at(50)
    expected = table.loc[table["timesteps"] == 50, "episode_reward"].to_numpy().reshape(4, 3, 3)
    np.testing.assert_array_equal(experiment.scores[:, :, 0], expected)
    assert experiment.measure == "episode_reward after 50 evaluations"
    assert nbc.compare(experiment).design.n_datasets == 4


def test_area_under_raw_curves():
    table = rewards()
    experiment = read(table, direction="maximize", values="raw").area()
    values = table["episode_reward"].to_numpy().reshape(4, 3, 3, 4)
    points = [10, 20, 50, 60]
    expected = np.trapezoid(values, points, axis=3) / 50
    np.testing.assert_allclose(experiment.scores[:, :, 0], expected, rtol=1e-14)
    assert experiment.measure == "mean episode_reward from 10 to 60 evaluations"
    assert (experiment.datasets, experiment.direction) == (
        tuple(f"task {p}" for p in range(4)),
        "maximize",
    )


def test_area_by_hand_with_a_range_for_each_problem():
    histories = Histories.from_array(
        [[[4.0, 2.0, 0.0]], [[6.0, 6.0, 3.0]]], direction="minimize",
        evaluations=[[1, 3, 4], [10, 20, 50]],
    )  # fmt: skip
    experiment = histories.area()
    # (2 * 3 + 1 * 1) / 3 and (10 * 6 + 30 * 4.5) / 40
    assert experiment.scores.ravel().tolist() == pytest.approx([7 / 3, 4.875], rel=1e-15)
    assert experiment.measure == "mean best value over the evaluations"
    with pytest.raises(nbc.DataError, match=r"^an area needs at least 2 points"):
        Histories.from_array([[[1.0]]], direction="minimize").area()


def test_missing_cells_stay_missing_in_areas():
    values = np.array([[[[1.0, 3.0], [5.0, 5.0]], [[0.0, 2.0], [np.nan, np.nan]]]])
    experiment = Histories.from_array(values, direction="maximize").area()
    assert experiment.scores[0, 0, 0].tolist() == [2.0, 5.0]
    assert experiment.scores[0, 1, 0, 0] == 1.0
    assert np.isnan(experiment.scores[0, 1, 0, 1])


def test_regular_points_of_raw_curves_begin_where_all_runs_have_begun():
    table = pd.DataFrame(
        [("t", "A", 1, e, e) for e in range(5, 105)]
        + [("t", "A", 2, e, -e) for e in range(4, 105)],
        columns=["env", "algo", "seed", "step", "reward"],
    )
    histories = read(table, direction="maximize", values="raw", n_points=9)
    points = 5 + 11 * np.arange(1, 10)
    assert histories.evaluations[0].tolist() == points.tolist()
    assert histories.values[0, 0].tolist() == [points.tolist(), (-points).tolist()]
    assert not [note for note in histories.notes if note.code == "late-start"]


def test_what_needs_the_best_so_far_refuses_raw_curves():
    histories = read(rewards(), direction="maximize", values="raw")
    for ask in (
        nbc.compare_convergence,
        lambda data: nbc.fixed_targets(data, targets=[1.0]),
        lambda data: data.targets([1.0]),
        lambda data: nbc.Report(histories=data),
    ):
        with pytest.raises(
            nbc.DataError,
            match=r"must have the best values so far; these histories are raw .*area\(\) the mean",
        ):
            ask(histories)
    assert nbc.plots.convergence_curves(histories, "task 0") is not None


# ------------------------------------------------------------------------- command line
