"""Histories as an object: what it refuses, what can be looked up, how it shows itself."""

import pickle

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.histories import Histories

RISING = [[[[1.0, 2.0, 4.0], [1.0, 1.0, 3.0]], [[0.0, 5.0, 5.0], [np.nan] * 3]]]


def made(values=RISING, **parts):
    options = {
        "direction": "maximize",
        "evaluations": [10, 20, 30],
        "problems": ["f1"],
        "algorithms": ["A", "B"],
    }
    return Histories.from_array(values, **options | parts)


def test_parts():
    histories = made(optimum=6, measure=" fitness\n")
    assert histories.values.shape == (1, 2, 2, 3)
    assert histories.n_runs.tolist() == [[2, 1]]
    assert not histories.missing.any()
    assert histories.budgets.tolist() == [30.0]
    assert (histories.n_problems, histories.n_algorithms, histories.n_points) == (1, 2, 3)
    assert histories.optimum.tolist() == [6.0]
    assert histories.measure == "fitness"
    assert nbc.Histories is Histories


def test_arrays_are_locked_also_once_unpickled():
    given = np.array(RISING)
    histories = made(given, optimum=6)
    given[:] = 0
    assert histories.values[0, 0, 0].tolist() == [1.0, 2.0, 4.0]
    histories.fingerprint  # noqa: B018
    back = pickle.loads(pickle.dumps(histories))
    assert back.fingerprint == histories.fingerprint
    for each in (histories, back):
        for name in ("values", "evaluations", "optimum", "n_runs", "missing"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(each, name)[...] = 0


def test_labels_and_evaluations_by_default():
    histories = Histories.from_array(np.zeros((2, 3, 4)), direction="minimize")
    assert (histories.problems, histories.algorithms) == (("1", "2"), ("A1", "A2", "A3"))
    assert histories.evaluations.tolist() == [[1, 2, 3, 4]] * 2
    assert histories.values.shape == (2, 3, 1, 4)


def test_missing_runs_leave_no_gaps():
    values = np.full((2, 2, 4, 2), np.nan)
    values[0, 0, [1, 3]] = [[4.0, 3.0], [2.0, 1.0]]
    values[1, 1, 2] = 7.0
    histories = Histories.from_array(values, direction="minimize")
    assert histories.values.shape == (2, 2, 2, 2)
    assert histories.values[0, 0].tolist() == [[4.0, 3.0], [2.0, 1.0]]
    assert histories.n_runs.tolist() == [[2, 0], [0, 1]]
    assert histories.missing.tolist() == [[False, True], [True, False]]


def test_points_may_differ_between_problems():
    values = np.zeros((2, 1, 1, 2))
    histories = Histories.from_array(
        values, direction="minimize", evaluations=[[50, 100], [500, 1000]]
    )
    assert histories.cutpoints(4).tolist() == [[25, 50, 75, 100], [250, 500, 750, 1000]]
    assert "2 points to 100-1,000 evaluations" in repr(histories)


def test_regular_points_are_met_exactly():
    for budget in (7, 1000, 99_999, 3 * 10**9):
        points = np.arange(1, 61) * budget / 60
        histories = Histories.from_array(
            -np.arange(60.0).reshape(1, 1, 60), direction="minimize", evaluations=points
        )
        for count in (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60):
            step = 60 // count
            expected = -np.arange(step - 1.0, 60.0, step)
            np.testing.assert_array_equal(histories.at_cutpoints(count)[0, 0, 0], expected)


def test_errors_are_distances_to_the_optimum():
    assert made(optimum=6).errors()[0, 0].tolist() == [[5.0, 4.0, 2.0], [5.0, 5.0, 3.0]]
    assert made(optimum={"f1": 6, "other": 0}).errors(1)[0, :, 0, 0].tolist() == [2.0, 1.0]
    flipped = made(-np.array(RISING), direction="minimize", optimum=-6)
    np.testing.assert_array_equal(flipped.errors(2), made(optimum=6).errors(2))
    message = r"^errors need the optima of the problems; pass optimum= when reading\.$"
    with pytest.raises(nbc.DataError, match=message):
        made().errors()


def test_rounding_beyond_the_optimum_is_no_error_and_no_negative_distance():
    histories = made([[[20.0, 1.0, -4e-16]]], direction="minimize", algorithms=["A"], optimum=0)
    assert histories.errors().min() == 0.0
    message = (
        r"^`optimum` of problem 'f1' is 0, but a value is better: -1e-09 for problem 'f1', "
        r"algorithm 'A', run 1 at evaluation 30\.$"
    )
    with pytest.raises(nbc.DataError, match=message):
        made([[[20.0, 1.0, -1e-9]]], direction="minimize", algorithms=["A"], optimum=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"values": [[[1.0, 3.0, 2.0]]], "algorithms": ["A"]},
            r"a history must not get worse; problem 'f1', algorithm 'A', run 1 does at "
            r"evaluation 30: 2 after 3\. Check `direction`\. Hand over the best so far if",
        ),
        (
            {"values": [[[1.0, np.inf, np.inf]]], "algorithms": ["A"]},
            r"`values` must be finite; got inf for problem 'f1', algorithm 'A', run 1 at "
            r"evaluation 20\. Write a finite penalty",
        ),
        (
            {"values": [[[1.0, np.nan, 2.0]]], "algorithms": ["A"]},
            r"`values` must hold a number at every point of a run, or at none; got nan for "
            r"problem 'f1', algorithm 'A', run 1 at evaluation 20\.",
        ),
        (
            {"values": [[[1.0, 1.0, 2.0], [np.nan] * 3]]},
            r"every algorithm must have at least one run; 'B' has none\.",
        ),
        (
            {"evaluations": [10, 30, 30]},
            r"`evaluations` must be positive and increase from point to point; got 30 after 30 "
            r"at point 3 of problem 1\.",
        ),
        ({"evaluations": [0, 1, 2]}, r"got 0 at point 1 of problem 1\."),
        ({"evaluations": [1, 2]}, r"shape \(3,\), or per problem and point, \(1, 3\); got"),
        ({"direction": "min"}, r"`direction` must be 'maximize' or 'minimize'; got 'min'\."),
        ({"algorithms": ["A", "A"]}, r"`algorithms` must be distinct; got 'A' at positions"),
        ({"algorithms": ["A"]}, r"one label per algorithm in `values`, 2; got 1\."),
        ({"values": [1.0, 2.0]}, r"`values` must have 4 dimensions .* got an array of shape"),
        ({"optimum": [6, 6]}, r"`optimum` must be a number or one per problem, shape \(1,\)"),
        ({"optimum": {"f2": 1}}, r"`optimum` must give a number for every problem; got none for"),
        ({"optimum": np.nan}, r"`optimum` must hold finite numbers"),
        ({"measure": 3}, r"`measure` must be text; got 3\."),
    ],
)
def test_refused_parts(change, message):
    with pytest.raises((ValueError, TypeError), match=message):
        made(**change)


def test_selecting():
    histories = Histories.from_array(
        [[[3, 2], [5, 1]], [[9, 9], [8, 7]]],
        direction="minimize", problems=["p", "q"], optimum={"p": 0, "q": 7}, measure="cost",
    )  # fmt: skip
    part = histories.select(problems=["q"], algorithms=["A2", "A1"])
    assert part.values[0, :, 0].tolist() == [[8.0, 7.0], [9.0, 9.0]]
    assert (part.problems, part.algorithms, part.measure) == (("q",), ("A2", "A1"), "cost")
    assert part.optimum.tolist() == [7.0]
    with pytest.raises(ValueError, match=r"^`problems` must be one of 'p' and 'q'; got 'r'\.$"):
        histories.select(problems=["r"])


def test_fingerprint_tells_histories_apart_but_not_their_order():
    one = Histories.from_array([[[3, 2], [5, 1]], [[9, 9], [8, 7]]], direction="minimize")
    again = one.select(problems=["2", "1"], algorithms=["A2", "A1"])
    assert again.fingerprint == one.fingerprint
    others = [
        Histories.from_array(one.values, direction="minimize", evaluations=[1, 3]),
        Histories.from_array(one.values, direction="minimize", optimum=0),
        Histories.from_array(one.values, direction="minimize", problems=["1", "3"]),
        Histories.from_array(-one.values, direction="maximize"),
        Histories.from_array(one.values - 1, direction="minimize"),
    ]
    assert len({each.fingerprint for each in (one, *others)}) == 6


def test_shown():
    values = np.full((25, 2, 3, 4), 0.5)
    values[:, 1, 2] = np.nan
    histories = Histories.from_array(
        values, direction="minimize", evaluations=[25_000, 50_000, 75_000, 100_000],
        algorithms=["DE", "<b>"], measure="error",
    )  # fmt: skip
    assert repr(histories) == (
        "<Histories: 2 algorithms on 25 problems, 2-3 runs, 4 points to 100,000 evaluations, "
        "error, minimize>"
    )
    lines = str(histories).splitlines()
    assert lines[0] == "Median final error (lower is better)"
    assert lines[1].split() == ["problem", "evaluations", "runs", "DE", "<b>"]
    assert lines[3].split() == ["1", "100,000", "2-3", "0.5", "0.5"]
    assert lines[-1] == "... and 5 more rows; to_frame() returns all rows"
    html = histories._repr_mimebundle_()["text/html"]
    assert "&lt;b&gt;" in html
    assert html.count("<tr>") == 22


def test_medians_of_few_and_of_huge_values():
    values = np.array([1.5e308, 1.7e308, np.nan, 3.0, 1.0, 2.0, 5.0, 5.0, 5.0]).reshape(1, 3, 3, 1)
    text = str(Histories.from_array(values, direction="minimize"))
    assert text.splitlines()[-1].split() == ["1", "1", "2-3", "1.6e+308", "2", "5"]


def test_a_missing_cell_is_shown_as_such():
    values = np.array([[1.0, np.nan], [3.0, 4.0]]).reshape(2, 2, 1, 1)
    histories = Histories.from_array(values, direction="minimize", optimum=0)
    assert str(histories).splitlines()[3].split() == ["1", "1", "1", "1", "missing"]
    frame = histories.to_frame()
    assert list(frame.columns) == [
        "problem", "algorithm", "run", "evaluations", "value", "optimum"
    ]  # fmt: skip
    assert len(frame) == 3
    assert np.isnan(histories.errors()[0, 1, 0, 0])
