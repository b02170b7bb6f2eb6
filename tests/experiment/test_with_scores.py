"""Experiments of simulations: the labels of one, with other scores."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.experiment import with_scores


@pytest.fixture
def first():
    return nbc.Experiment.from_array(
        [[1, 2], [3, 4], [5, 6]], direction="minimize", algorithms=["A", "B"], measure="error"
    )


def test_it_equals_one_that_is_made_from_the_scores(first):
    first.fingerprint, first.mean_scores  # noqa: B018 - what was found of the first is not the other's
    scores = np.array([[2.0, 1.0], [0.5, 0.25], [7.0, 8.0]])
    made = with_scores(first, scores[:, :, np.newaxis, np.newaxis])
    other = nbc.Experiment.from_array(
        scores, direction="minimize", algorithms=["A", "B"], measure="error"
    )
    assert made.fingerprint == other.fingerprint
    assert made.mean_scores.tolist() == scores.tolist()
    assert made.upper is made.lower
    assert not made.lower.flags.writeable


@pytest.mark.parametrize("wrong", [np.zeros((3, 2)), np.full((3, 2, 1, 1), np.nan)])
def test_other_scores_have_the_same_shape_and_are_finite(first, wrong):
    with pytest.raises(
        ValueError, match=r"`scores` must be finite numbers of shape \(3, 2, 1, 1\)"
    ):
        with_scores(first, wrong)
