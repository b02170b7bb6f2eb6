"""When runs reach targets, and their values at a number of evaluations, against loops."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare import DataError, Histories


def histories(seed=0, shape=(3, 2, 4), n_points=7, **options):
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, 4, (*shape, n_points)).cumsum(axis=-1)
    values = 20.0 - steps
    points = np.cumsum(rng.integers(1, 9, n_points))
    given_ = {"direction": "minimize", "evaluations": points, **options}
    return Histories.from_array(values, **given_)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["minimize", "maximize"]))
def test_hits_are_the_first_points_at_the_target(seed, direction):
    sign = 1 if direction == "minimize" else -1
    plain = histories(seed)
    data = Histories.from_array(
        sign * plain.values, direction=direction, evaluations=plain.evaluations[0]
    )
    targets = [18.0, 12.5, 5.0, -100.0]
    found = data.targets([sign * each for each in targets])
    np.testing.assert_array_equal(found.targets, np.tile(sign * np.array(targets), (3, 1)))
    for p, a, r in np.ndindex(data.values.shape[:3]):
        for t, target in enumerate(targets):
            expected = math.inf
            for value, at in zip(plain.values[p, a, r], plain.evaluations[p], strict=True):
                if value <= target:
                    expected = at
                    break
            assert found.evaluations[p, a, r, t] == expected
    assert found.reached.sum() == np.isfinite(found.evaluations).sum()


def test_precisions_are_distances_from_the_optima():
    data = histories(optimum=[1.0, 2.0, 3.0])
    found = data.targets(precisions=[0.5, 10.0])
    np.testing.assert_array_equal(found.precisions, [10.0, 0.5])
    np.testing.assert_array_equal(found.targets, [[11.0, 1.5], [12.0, 2.5], [13.0, 3.5]])
    default = data.targets()
    assert len(default.precisions) == 51
    np.testing.assert_allclose(default.precisions, np.logspace(2, -8, 51), rtol=1e-11)
    upward = Histories.from_array(
        -data.values, direction="maximize", evaluations=data.evaluations[0], optimum=[-1, -2, -3]
    )
    np.testing.assert_array_equal(
        upward.targets(precisions=[0.5, 10.0]).evaluations, found.evaluations
    )


def test_targets_of_the_data_are_values_that_runs_had():
    data = histories()
    found = data.targets("quantiles")
    assert found.targets.shape == (3, 10)
    for p in range(3):
        assert set(found.targets[p]) <= set(data.values[p].ravel())
        assert found.targets[p, -1] == data.values[p].min()
    assert found.reached[..., -1].any(axis=(1, 2)).all()


def test_targets_by_problem():
    data = histories()
    found = data.targets({"1": [5, 9], "2": 9 * np.ones(2) - [0, 1], "3": (1, 2)})
    np.testing.assert_array_equal(found.targets, [[9, 5], [9, 8], [2, 1]])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({}, DataError, "the optima of the problems are not known"),
        ({"precisions": [1]}, DataError, "`precisions` must be left out"),
        ({"targets": "best"}, ValueError, "'quantiles'"),
        ({"targets": [1, 1]}, ValueError, "`targets` must be different numbers"),
        ({"targets": []}, ValueError, "`targets`"),
        ({"targets": [math.nan]}, ValueError, "`targets`"),
        ({"targets": {"1": [1]}}, ValueError, "got none for '2' and '3'"),
        ({"targets": {"1": [1], "2": [1, 2], "3": [1]}}, ValueError, "as many for every problem"),
        ({"targets": [1], "precisions": [1]}, ValueError, "must be left out with `targets`"),
    ],
)
def test_targets_that_cannot_be(options, error, words):
    with pytest.raises(error, match=re.escape(words)):
        histories().targets(**options)


@pytest.mark.parametrize("precisions", [[0], [-1], [1, 1], [[1, 2]], []])
def test_precisions_that_cannot_be(precisions):
    with pytest.raises(ValueError, match="`precisions` must be different positive numbers"):
        histories(optimum=0).targets(precisions=precisions)


def test_a_frame_has_a_row_per_run_and_target():
    data = histories()
    found = data.targets([15, 9])
    frame = found.to_frame()
    assert len(frame) == 3 * 2 * 4 * 2
    reached = frame["reached"].to_numpy()
    np.testing.assert_array_equal(
        frame["evaluations"][reached], found.evaluations[np.isfinite(found.evaluations)]
    )
    assert set(frame["evaluations"][~reached]) <= set(data.budgets)


# ------------------------------------------------------------- at a number of evaluations


def test_a_budget_that_runs_did_not_reach_is_an_error_unless_asked():
    data = histories()
    with pytest.raises(DataError, match=r"problem '1' end at evaluation .* early='carry'"):
        data.at(10_000)
    carried = data.at(10_000, early="carry")
    np.testing.assert_array_equal(carried.scores[:, :, 0], data.values[..., -1])
    assert "carried" in [note.code for note in carried.notes]
    with pytest.raises(DataError, match="the first that is recorded is at"):
        data.at(0.5)
    with pytest.raises(ValueError, match="`evaluations`"):
        data.at(0)
    with pytest.raises(ValueError, match="`early`"):
        data.at(10, early="yes")
