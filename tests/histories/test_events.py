"""Runs as they were logged, each with its own budget: what is computed from them, against loops."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.histories import Histories
from nbcompare.report.notebook.source import load_again, written

COLUMNS = ["problem", "algorithm", "run", "evaluations", "value"]
# A reaches 1e-8 twice, and fails after 100,000 evaluations; B had 2,000 evaluations a run
COCO = {
    ("f1", "A", 1): [(1, 9.0), (77, 0.3), (140, 9e-9)],
    ("f1", "A", 2): [(1, 9.0), (230, 1e-8)],
    ("f1", "A", 3): [(1, 9.0), (50, 0.2), (100_000, 0.2)],
    ("f1", "B", 1): [(1, 8.0), (1700, 1e-9)],
    ("f1", "B", 2): [(1, 8.0), (2000, 0.1)],
    ("f1", "B", 3): [(1, 8.0), (900, 0.4), (2000, 0.4)],
}


def frame(runs):
    rows = [(*run, *log) for run, logs in runs.items() for log in logs]
    return pd.DataFrame(rows, columns=COLUMNS)


def read(runs, **options):
    return Histories.from_frame(frame(runs), **{"direction": "minimize"} | options)


@st.composite
def logs(draw):
    """Improving logs of a few runs that end anywhere."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    runs, algorithms = {}, "ABC"[: draw(st.integers(1, 3))]
    for problem in "pq"[: draw(st.integers(1, 2))]:
        for algorithm in algorithms:
            for run in range(1, int(rng.integers(1, 5)) + 1):
                spent = np.sort(rng.choice(np.arange(1, 60), rng.integers(1, 7), replace=False))
                values = 9.0 - rng.integers(0, 4, len(spent)).cumsum()
                runs[problem, algorithm, run] = list(
                    zip(spent.tolist(), values.tolist(), strict=True)
                )
    return runs


def spent_and_hit(logged, target):
    """Evaluations of a run up to the hit, or all that it had; and whether it hit."""
    for evaluations, value in logged:
        if value <= target:
            return evaluations, True
    return logged[-1][0], False


def test_coco_expects_these_running_times():
    data = read(COCO, optimum=0, optimum_tolerance=1e-8)
    result = nbc.fixed_targets(data, precisions=[1e-8])
    assert result.ert[0, :, 0].tolist() == [50_185.0, 5_700.0]
    assert result.successes[0, :, 0].tolist() == [2, 1]
    assert result.budgets.tolist() == [[100_000.0, 2_000.0]]
    assert data.budgets.tolist() == [2_000.0]  # Page's test compares no further
    assert [note.code for note in result.notes if note.code != "unreached"] == [
        "budgets", "reached-early",
    ]  # fmt: skip
    points, shares = result.distribution("A")
    assert points.tolist() == [140.0, 230.0]
    np.testing.assert_allclose(shares, [1 / 3, 2 / 3])


def test_a_success_beyond_the_budget_of_another_algorithm():
    late = {**COCO, ("f1", "A", 3): [(1, 9.0), (99_999, 0.0), (100_000, 0.0)]}
    result = nbc.fixed_targets(read(late, optimum=0, early="carry"), precisions=[1e-8])
    assert result.ert[0, 0, 0] == (140 + 230 + 99_999) / 3
    assert result.distribution("A")[0].tolist() == [140.0, 230.0, 99_999.0]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(runs=logs(), n_points=st.sampled_from([None, 1, 3]))
def test_running_times_are_those_of_loops_over_the_logs(runs, n_points):
    data = read(runs, early="carry", n_points=n_points)
    targets = [8, 5, 2, -3]
    found, hits = nbc.fixed_targets(data, targets=targets), []
    table = data.targets(targets).to_frame()
    for row in found.to_frame().itertuples():
        mine = [
            spent_and_hit(logged, row.target)
            for (problem, algorithm, _), logged in runs.items()
            if (problem, algorithm) == (row.problem, row.algorithm)
        ]
        successes = sum(hit for _, hit in mine)
        total = sum(spent for spent, _ in mine)
        assert (row.successes, row.runs) == (successes, len(mine))
        assert row.ert == (total / successes if successes else math.inf)
        rows = table[
            (table.problem == row.problem)
            & (table.algorithm == row.algorithm)
            & (table.target == row.target)
        ]
        assert list(zip(rows.evaluations, rows.reached, strict=True)) == mine
        hits += [(row.algorithm, spent) for spent, hit in mine if hit]
    for algorithm in data.algorithms:
        points, shares = found.distribution(algorithm)
        own = [at for name, at in hits if name == algorithm]
        total = sum(name == algorithm for _, name, _ in runs) * len(targets)
        assert points.tolist() == sorted(set(own))
        for at, share in zip(points, shares, strict=True):
            assert share == pytest.approx(sum(hit <= at for hit in own) / total)


@settings(max_examples=40, deadline=None)
@given(runs=logs(), count=st.integers(1, 12))
def test_values_at_cutpoints_and_at_a_number_are_those_of_loops(runs, count):
    data = read(runs, early="carry")
    for p, problem in enumerate(data.problems):
        for a, algorithm in enumerate(data.algorithms):
            for r in range(data.n_runs[p, a]):
                logged = runs[problem, algorithm, r + 1]
                for j, value in enumerate(data.at_cutpoints(count)[p, a, r], start=1):
                    upto = [v for e, v in logged if e * count <= j * data.budgets[p]]
                    assert value == (upto or [logged[0][1]])[-1]
    number = max(logged[0][0] for logged in runs.values())
    if number <= data.budgets.min():
        scores = data.at(number).scores
        for (problem, algorithm, run), logged in runs.items():
            place = data.problems.index(problem), data.algorithms.index(algorithm), 0, run - 1
            assert scores[place] == [v for e, v in logged if e <= number][-1]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(runs=logs(), n_points=st.sampled_from([None, 4]), seed=st.integers(0, 99))
def test_they_come_back_from_tables_reports_and_pickles(runs, n_points, seed):
    data = read(runs, early="carry", n_points=n_points)
    shuffled = data.to_frame().sample(frac=1, random_state=seed)
    again = Histories.from_frame(shuffled, direction="minimize", early="carry", n_points=n_points)
    assert again.fingerprint == data.fingerprint
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint
    assert load_again(written(data).inside("made"), "made").fingerprint == data.fingerprint
    names = data.algorithms[::-1]
    turned = data.select(algorithms=names, problems=data.problems[::-1])
    assert turned.fingerprint == data.fingerprint
    part = data.select(algorithms=names[:1])
    mine = {run: logged for run, logged in runs.items() if run[1] == names[0]}
    np.testing.assert_array_equal(
        part.targets([5, 2]).evaluations, read(mine, early="carry").targets([5, 2]).evaluations
    )
    assert load_again(written(part).inside("made"), "made").fingerprint == part.fingerprint


def test_the_fingerprint_tells_what_happened_between_points():
    early = {**COCO, ("f1", "A", 1): [(1, 9.0), (78, 0.3), (140, 9e-9)]}
    one, other = (read(runs, early="carry", n_points=4) for runs in (COCO, early))
    np.testing.assert_array_equal(one.values, other.values)
    assert one.fingerprint != other.fingerprint


def test_logs_that_all_runs_share_are_their_points():
    values = np.array([[[[9.0, 5, 1], [7, 6, 6]], [[8, 7, 6], [np.nan] * 3]]])
    array = Histories.from_array(values, direction="minimize", evaluations=[10, 20, 30])
    back = Histories.from_frame(array.to_frame(), direction="minimize")
    assert (array.logged, back.logged) == (None, None)
    assert back.fingerprint == array.fingerprint
    assert array.events.budgets[0].tolist()[0] == [30.0, 30.0]
    assert array.with_points([10, 30]).with_points([10, 20, 30]).logged is None


def test_events_are_locked():
    data = read(COCO, early="carry")
    for each in (data, pickle.loads(pickle.dumps(data))):
        for name in ("evaluations", "values", "ends"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(each.logged, name)[...] = 0


def test_values_beyond_the_common_budget_are_no_better_than_the_optimum():
    with pytest.raises(nbc.DataError, match=r"'A', run '3' at evaluation 100000\.$"):
        read({**COCO, ("f1", "A", 3): [(1, 9.0), (100_000, -1.0)]}, optimum=0, early="carry")


def test_dimensions_of_a_table():
    logs = frame(COCO).assign(dim=20)
    other = frame({("f2", *run[1:]): logged for run, logged in COCO.items()}).assign(dim=40)
    table = pd.concat([logs, other])
    data = Histories.from_frame(table, direction="minimize", early="carry")
    assert data.dimensions.tolist() == [20.0, 40.0]
    named = Histories.from_frame(
        table, direction="minimize", early="carry", problem=["problem", "dim"]
    )
    assert (named.problems, named.dimensions.tolist()) == (("f1 / 20", "f2 / 40"), [20.0, 40.0])
    assert named.select(problems=["f2 / 40"]).dimensions.tolist() == [40.0]
    back = load_again(written(data).inside("made"), "made")
    assert back.dimensions.tolist() == [20.0, 40.0]
    for wrong in (table.assign(dim=table["run"]), table.assign(dim="low"), table.assign(dim=-1)):
        ignored = Histories.from_frame(
            wrong, direction="minimize", early="carry", ignore=["dim"] * (wrong.dim.nunique() > 1)
        )
        assert ignored.dimensions is None
    with pytest.raises(ValueError, match="`dimensions` must be positive numbers; got 0"):
        Histories.from_array([[[1.0]]], direction="minimize", dimensions=0)
    with pytest.raises(nbc.DataError, match="the dimensions of the problems are not known"):
        nbc.fixed_targets(read(COCO, early="carry"), targets=[1]).distribution(
            "A", per_dimension=True
        )


def test_distributions_go_on_by_restarts():
    plain, longer = (
        nbc.fixed_targets(read(COCO, early="carry"), targets=[0.3, 1e-8, -1], restarts=restarts)
        for restarts in (False, True)
    )
    np.testing.assert_array_equal(plain.ert, longer.ert)
    np.testing.assert_array_equal(plain.reached, longer.reached)
    (points, shares), (farther, higher) = (each.distribution("A") for each in (plain, longer))
    # to two of three targets every run gets by restarts, to the third none does
    assert (shares[-1], higher[-1]) == (pytest.approx(5 / 9), pytest.approx(2 / 3))
    seen = farther <= 100_000
    np.testing.assert_array_equal(farther[seen], points)
    np.testing.assert_allclose(higher[seen], shares)
    turned = read(COCO, early="carry").select(algorithms=["B", "A"])
    again = nbc.fixed_targets(turned, targets=[0.3, 1e-8, -1], restarts=True)
    for part, other in zip(again.distribution("A"), (farther, higher), strict=True):
        np.testing.assert_array_equal(part, other)


def test_runs_that_stop_early_are_told():
    stopped = {**COCO, ("f1", "B", 2): [(1, 8.0), (900, 0.1)]}
    result = nbc.fixed_targets(read(stopped, early="carry"), targets=[0.5])
    assert "short-runs" in [note.code for note in result.notes]
    given = nbc.fixed_targets(read(stopped, budget=2_000), targets=[0.5])
    assert "short-runs" not in [note.code for note in given.notes]


def test_a_budget_that_is_given_is_that_of_every_run():
    data = read(COCO, budget=1_000)
    assert set(data.events.budgets.ravel()) == {1_000.0}
    result = nbc.fixed_targets(data, targets=[1e-8])
    assert result.ert[0].ravel().tolist() == [(140 + 230 + 1_000) / 2, math.inf]
