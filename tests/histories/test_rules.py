"""What becomes of uneven logs: each rule beside a loop over runs, and its error."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.histories import Histories

QUICK = settings(max_examples=50)
COLUMNS = ["problem", "algorithm", "run", "evaluations", "value"]


def frame(runs):
    """A long table of ``{(problem, algorithm, run): [(evaluations, value), ...]}``."""
    rows = [(*run, *log) for run, logs in runs.items() for log in logs]
    return pd.DataFrame(rows, columns=COLUMNS)


def read(runs, **options):
    return Histories.from_frame(frame(runs), **{"direction": "minimize"} | options)


def codes(histories):
    return [note.code for note in histories.notes]


# ---------------------------------------------------------------------- carried forward


@st.composite
def uneven(draw):
    """Logs of a few runs, in shuffled rows, and how they are to be read."""
    runs = {}
    for problem in "pq"[: draw(st.integers(1, 2))]:
        for algorithm in "AB"[: draw(st.integers(1, 2))]:
            for run in range(1, draw(st.integers(1, 3)) + 1):
                points = draw(st.lists(st.integers(1, 40), min_size=1, max_size=6, unique=True))
                values = draw(st.lists(st.integers(-9, 9), min_size=len(points), max_size=6))
                runs[problem, algorithm, run] = list(zip(sorted(points), values, strict=False))
    return runs, draw(st.integers(1, 12)), draw(st.sampled_from(["minimize", "maximize"]))


@pytest.mark.slow
@QUICK
@given(case=uneven(), seed=st.integers(0, 9))
def test_against_a_loop_over_runs(case, seed):
    runs, n_points, direction = case
    shuffled = frame(runs).sample(frac=1, random_state=seed)
    histories = Histories.from_frame(
        shuffled, direction=direction, n_points=n_points, worse="keep-best", early="carry"
    )
    best = min if direction == "minimize" else max
    for p, problem in enumerate(histories.problems):
        longest = {}
        for (q, algorithm, _), logs in runs.items():
            if q == problem:
                longest[algorithm] = max(longest.get(algorithm, 0), logs[-1][0])
        budget = min(longest.values())
        assert histories.budgets[p] == budget
        for a, algorithm in enumerate(histories.algorithms):
            mine = [logs for (q, b, _), logs in runs.items() if (q, b) == (problem, algorithm)]
            assert histories.n_runs[p, a] == len(mine)
            for r, logs in enumerate(mine):
                for j in range(1, n_points + 1):
                    upto = [v for e, v in logs if e * n_points <= j * budget] or [logs[0][1]]
                    assert histories.values[p, a, r, j - 1] == best(upto)


@pytest.mark.slow
@QUICK
@given(case=uneven(), budget=st.integers(1, 50))
def test_a_given_budget_against_a_loop(case, budget):
    runs, n_points, _ = case
    options = {"n_points": n_points, "worse": "keep-best", "budget": budget}
    late = [run for run, logs in runs.items() if logs[0][0] > budget]
    if late:
        with pytest.raises(nbc.DataError, match="has no log within the budget of"):
            read(runs, **options)
        return
    histories = read(runs, **options)
    assert (histories.budgets == budget).all()
    assert set(codes(histories)) <= {"late-start"}
    for (problem, algorithm, run), logs in runs.items():
        p, a = histories.problems.index(problem), histories.algorithms.index(algorithm)
        assert histories.values[p, a, run - 1, -1] == min(v for e, v in logs if e <= budget)


def test_logs_of_the_same_evaluations_are_the_points():
    runs = {("p", "A", 1): [(3, 9.0), (7, 5.0), (20, 1.0)],
            ("p", "B", 1): [(3, 8.0), (7, 5.5), (20, 5.5)],
            ("q", "A", 1): [(10, 1.0), (20, 0.5), (90, 0.0)]}  # fmt: skip
    histories = read(runs)
    assert histories.evaluations.tolist() == [[3, 7, 20], [10, 20, 90]]
    assert histories.values[0, 1, 0].tolist() == [8.0, 5.5, 5.5]
    assert histories.missing.tolist() == [[False, False], [False, True]]
    assert histories.notes == ()
    assert read(runs, n_points=2).evaluations.tolist() == [[10, 20], [45, 90]]
    # one problem with more points, and all are put on regular ones
    runs["q", "A", 1].append((95, 0.0))
    assert read(runs).n_points == 20
    del runs["q", "A", 1]
    runs["p", "B", 1][1] = (8, 5.5)
    assert read(runs).n_points == 20


def test_as_many_points_as_evaluations_and_no_more_than_100():
    runs = {("p", "A", 1): [(1, 5.0), (400, 4.0)], ("p", "A", 2): [(2, 6.0), (400, 4.0)]}
    histories = read(runs)
    assert histories.evaluations[0].tolist() == [4.0 * j for j in range(1, 101)]
    small = read(runs, budget={"p": 7})
    assert small.evaluations[0].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert small.values[0, 0, 1].tolist() == [6.0] * 7
    assert codes(small) == ["late-start"]
    assert small.notes[0].text == (
        "1 run of 2 was first logged after the first point; the first value stands before it. "
        "The latest is at evaluation 2 of 7."
    )


def test_shares_of_the_budget_are_evaluations_too():
    points = np.array([0.1, 0.2, 0.3, 0.7, 1.0])
    runs = {("p", "A", 1): [(e, -e) for e in points], ("p", "A", 2): [(0.05, 0.0), (1.0, -2.0)]}
    histories = read(runs, n_points=10)
    # 3/10 is met by the log at 0.3, however that is rounded
    assert histories.values[0, 0, 0].tolist() == [
        -0.1, -0.2, -0.3, -0.3, -0.3, -0.3, -0.7, -0.7, -0.7, -1.0
    ]  # fmt: skip
    assert repr(histories).endswith("2 runs, 10 points to 1 evaluation, minimize>")
    assert read(runs).n_points == 100


# ---------------------------------------------------------------------------- stopping

EARLY = {("p", "A", 1): [(1, 4.0), (100, 1.0)], ("p", "A", 2): [(1, 3.0), (60, 0.5)]}


def test_a_run_that_stops_early():
    message = (
        r"^problem 'p', algorithm 'A', run '2' stops at evaluation 60 of 100\. Pass early='carry' "
        r"to let its last value stand\. Pass budget= if only improvements were logged, or optimum= "
        r"if it stopped at the optimum\.$"
    )
    with pytest.raises(nbc.DataError, match=message):
        read(EARLY)
    carried = read(EARLY, early="carry", n_points=10)
    assert carried.values[0, 0, 1].tolist() == [3.0] * 5 + [0.5] * 5
    assert codes(carried) == ["stopped-early"]
    assert carried.notes[0].text == (
        "1 run of 2 stopped before the end of the budget; the last value is carried forward."
    )
    assert carried.notes[0].text in " ".join(str(carried).split())
    assert codes(read(EARLY, budget=100)) == []


def test_a_run_that_stops_at_the_optimum():
    histories = read(EARLY, optimum=0.5, n_points=10)
    assert codes(histories) == ["reached-early"]
    assert histories.values[0, 0, 1].tolist() == [3.0] * 5 + [0.5] * 5
    with pytest.raises(nbc.DataError, match="run '2' stops at evaluation 60"):
        read(EARLY, optimum=0.45)
    assert codes(read(EARLY, optimum=0.45, optimum_tolerance=0.05)) == ["reached-early"]
    negated = frame(EARLY).assign(value=lambda logs: -logs["value"])
    histories = Histories.from_frame(negated, direction="maximize", optimum=-0.5)
    assert codes(histories) == ["reached-early"]


def test_algorithms_with_different_budgets():
    runs = EARLY | {("p", "B", 1): [(1, 4.0), (40, 2.0)], ("p", "B", 2): [(1, 9.0), (50, 3.0)]}
    with pytest.raises(nbc.DataError, match=r"'B', run '1' stops at evaluation 40 of 50\."):
        read(runs)
    del runs["p", "B", 1]
    histories = read(runs)  # both runs of A last to 50
    assert histories.budgets.tolist() == [50.0]
    assert codes(histories) == ["budgets"]
    assert histories.notes[0].text == (
        "On 1 problem the algorithms had different budgets: values are compared up to the "
        "smallest; running times to targets count them in full. On p, A had 100 evaluations; the "
        "smallest budget is 50."
    )
    assert histories.values[0, 0, 1, -1] == 3.0


def test_an_algorithm_that_always_reaches_the_optimum_sets_no_budget():
    runs = EARLY | {("p", "B", 1): [(1, 4.0), (30, 0.5)]}
    histories = read(runs, optimum=0.5)
    assert histories.budgets.tolist() == [100.0]
    assert codes(histories) == ["reached-early"]
    assert histories.values[0, 1, 0, -1] == 0.5
    everywhere = {run: logs for run, logs in runs.items() if run != ("p", "A", 1)}
    assert read(everywhere, optimum=0.5).budgets.tolist() == [60.0]


# ----------------------------------------------------------------------------- getting worse

WORSE = {("p", "A", "x"): [(1, 5.0), (2, 3.0), (3, 4.0), (4, 2.0)], ("p", "B", "x"): [(4, 0.0)]}


def test_values_that_get_worse():
    message = (
        r"^frame, row 3, column 'evaluations': a history must not get worse; problem 'p', "
        r"algorithm 'A', run 'x' does at evaluation 3: 4 after 3\. Check `direction`\. Pass "
        r"worse='keep-best' to keep the best so far, if values are those of single evaluations; or "
        r"values='raw' to keep curves as they are\.$"
    )
    with pytest.raises(nbc.DataError, match=message):
        read(WORSE)
    kept = read(WORSE, worse="keep-best")
    assert kept.values[0, 0, 0].tolist() == [5.0, 3.0, 3.0, 2.0]
    assert kept.values[0, 1, 0].tolist() == [0.0] * 4


def test_the_frame_given_is_left_alone():
    logs = frame(WORSE)
    before = logs.copy()
    Histories.from_frame(logs, direction="minimize", worse="keep-best")
    pd.testing.assert_frame_equal(logs, before)


# --------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("logs", "message"),
    [
        (
            [("p", "A", 1, 0, 1.0)],
            r"^frame, row 1, column 'evaluations': .* positive and at most 1e\+300; got 0\.$",
        ),
        (
            [("p", "A", 1, 2, 1.0), ("p", "A", 2, 2, 1.0), ("p", "A", 1, 2, 1.0)],
            r"^frame, row 3, column 'evaluations': evaluation 2 of problem 'p', algorithm 'A', "
            r"run '1' is in another row already \(frame, row 1, column 'evaluations'\)\. "
            r"Take out one of them\.$",
        ),
        (
            [("p", "A", 1, math.nan, 1.0)],
            r"^frame, row 1, column 'evaluations' must be a number of evaluations; the cell",
        ),
        ([("p", "A", 1, 1, math.inf)], r"^frame, row 1 \('p'\), column 'value' must be finite"),
        ([("p", "A", 1, 1, math.nan)], r"^frame holds no value\.$"),
        (
            [("p", "A", 1, 1, 1.0), ("p", "B", 1, 1, math.nan)],
            r"^every algorithm must have at least one run; 'B' has none in frame\.$",
        ),
    ],
)
def test_refused_logs(logs, message):
    with pytest.raises(nbc.DataError, match=message):
        Histories.from_frame(pd.DataFrame(logs, columns=COLUMNS), direction="minimize")


def test_rows_without_a_value_are_no_logs_and_keep_their_numbers():
    logs = [("p", "A", 1, 5, math.nan), ("p", "A", 1, 5, 2.0), ("p", "A", 1, 6, 3.0)]
    with pytest.raises(nbc.DataError, match=r"^frame, row 3, column 'evaluations': a history"):
        Histories.from_frame(pd.DataFrame(logs, columns=COLUMNS), direction="minimize")
    histories = Histories.from_frame(pd.DataFrame(logs[:2], columns=COLUMNS), direction="minimize")
    assert histories.values.tolist() == [[[[2.0]]]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"worse": "best"}, r"^`worse` must be 'raise' or 'keep-best'; got 'best'\."),
        ({"early": True}, r"^`early` must be 'raise' or 'carry'; got True\."),
        ({"n_points": 0}, r"^`n_points` must be a whole number of at least 1; got 0\.$"),
        ({"optimum_tolerance": -1}, r"^`optimum_tolerance` must be a number of at least 0; got"),
        ({"budget": 0}, r"^`budget` must be a positive number of evaluations; got 0"),
        ({"budget": {"q": 5}}, r"^`budget` must give a number for every problem; got none for 'p'"),
        ({"budget": "all"}, r"^`budget` must be an array of real numbers; got 'all'\.$"),
        ({"optimum": {"q": 0}}, r"^`optimum` must give a number for every problem; got none for"),
        ({"optimum": "best"}, r"^`optimum` must name a column of frame, one of 'problem'"),
        ({"direction": "up"}, r"^`direction` must be 'maximize' or 'minimize'; got 'up'\.$"),
        (
            {"budget": 0.5},
            r"^problem 'p', algorithm 'A', run '1' has no log within the budget of 0\.5 "
            r"evaluations; its first is at 1\.$",
        ),
    ],
)
def test_refused_options(options, message):
    with pytest.raises(ValueError, match=message):
        read(EARLY, **options)


@pytest.mark.slow
def test_runs_named_by_mistake_do_not_fill_the_memory():
    many = 3_000
    logs = pd.DataFrame(
        {"problem": [f"p{i}" for i in range(many)], "algorithm": [f"A{i}" for i in range(many)],
         "evaluations": 100, "value": 1.0}
    )  # fmt: skip
    message = r"^3000 problems, 3000 algorithms, 1 runs and 1 points make 9,000,000 cells for 3,000"
    with pytest.raises(nbc.DataError, match=message):
        Histories.from_frame(logs, direction="minimize")


def test_runs_that_stop_within_a_precision_of_the_optimum():
    runs = {("p", "A", 1): [(1, 9.0), (40, 9e-9)], ("p", "B", 1): [(1, 9.0), (70, 3e-9)],
            ("p", "A", 2): [(1, 9.0), (90, 1e-9)]}  # fmt: skip
    with pytest.raises(nbc.DataError, match=r"Pass optimum_tolerance=1e-08 or early='carry'"):
        read({**runs, ("p", "B", 2): [(1, 9.0), (60, 0.0)]}, optimum=0)
    assert codes(read(runs, optimum=0, optimum_tolerance=1e-8)) == ["reached-early"]
    # one of them gives up
    with pytest.raises(nbc.DataError, match=r"of 70\. Pass early='carry'"):
        read({**runs, ("p", "A", 3): [(1, 9.0), (20, 5.0)]}, optimum=0)


def test_notes_of_raw_values_tell_of_no_targets():
    runs = {("p", "A", 1): [(1, 2.0), (9, 1.0)], ("p", "B", 1): [(1, 3.0), (5, 1.0), (8, 4.0)],
            ("p", "B", 2): [(1, 3.0), (7, 1.0)]}  # fmt: skip
    histories = read(runs, values="raw", early="carry", direction="maximize")
    texts = " ".join(note.text for note in histories.notes)
    assert "up to the smallest. On p, A had 9 evaluations" in texts
    assert "1 run of 3 stopped before the end of the budget" in texts
    assert "targets" not in texts
    assert "optimum" not in texts


def test_steps_of_a_table_with_columns_of_runs_begin_at_0():
    table = pd.DataFrame({"step": [0, 10, 20], "p_A_1": [9.0, 4.0, 2.0], "p_B_1": [9.0, 5.0, 1.0]})
    histories = Histories.from_frame(
        table, direction="minimize", columns="{problem}_{algorithm}_{run}"
    )
    assert histories.evaluations.tolist() == [[10, 20]]
    assert codes(histories) == ["starts"]


def test_the_name_of_a_file_keeps_its_case(tmp_path):
    rows = [(p, a, t, 9 - t * (t < 3)) for p in "xy" for a in "AB" for t in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["setting", "algo", "step", "value"])
    frame.to_csv(tmp_path / "curves.csv", index=False)
    with pytest.raises(nbc.DataError, match=r"the problems\. curves\.csv, row 3, column 'step'"):
        Histories.read(tmp_path / "curves.csv", direction="minimize")
    as_gym = frame.rename(columns={"setting": "env_id"})
    read = Histories.from_frame(as_gym, direction="minimize", worse="keep-best")
    assert read.problems == ("x", "y")
