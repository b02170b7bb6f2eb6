"""Two algorithms on the folds of one data set: as arrays, and in the shape that a test needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._options import DIRECTIONS
from nbcompare._validation import check_choice, check_finite, check_labels, check_name, shown
from nbcompare.analysis._splits import Splits, check_size
from nbcompare.analysis._within import UNNAMED
from nbcompare.experiment import Experiment

_NAMES = ("A", "B")


class Folds(NamedTuple):
    """The scores of two algorithms on the test sets of one data set, in the shape of these.

    ``scores``, and ``exact`` ones turned so that smaller is better, have the shape (2, ...).
    ``exact`` are the scores times ``factor``, in whole numbers if that is possible, ``differences``
    are first minus second of these, and ``scale`` is the magnitude of the numbers that they are
    computed from. ``gains`` are differences in units of the measure, positive where the first is
    better.
    """

    scores: FloatArray
    exact: FloatArray
    differences: FloatArray
    gains: FloatArray
    scale: FloatArray
    factor: float


def folds_of(splits: Splits, shape: tuple[int, ...]) -> Folds:
    """Return the scores of the two algorithms on test sets of this shape."""
    turned, sizes, gains = splits.differences(np.array([0]), np.array([1]))
    largest = np.abs(splits.scores).max()
    return Folds(
        splits.scores.reshape(2, *shape),
        splits.exact.reshape(2, *shape),
        turned.reshape(shape),
        gains.reshape(shape),
        sizes.reshape(shape),
        float(np.abs(splits.exact).max() / largest) if largest > 0 else 1.0,
    )


def two_of(experiment: Experiment, a: object, b: object, dataset: str | None) -> Experiment:
    """Return the experiment with two of its algorithms, and with the data set if that is named."""
    names = [check_name(a, "a", experiment.algorithms), check_name(b, "b", experiment.algorithms)]
    if a == b:
        raise ValueError(f"`b` must be another algorithm than `a`; got {shown(b)} twice.")
    if dataset is not None:
        check_name(dataset, "dataset", experiment.datasets)
    return experiment.select(algorithms=names, datasets=None if dataset is None else [dataset])


def of_arrays(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    direction: str | None,
    names: tuple[str, str] | None,
    dataset: str | None,
) -> Experiment:
    """Return an experiment of two algorithms whose scores are arrays of the same shape.

    Repetitions are its runs.
    """
    for value, argument in ((a, "a"), (b, "b")):
        if isinstance(value, str):
            raise ValueError(
                f"`{argument}` must be an array of scores unless `experiment` is given; got "
                f"{shown(value)}. To compare algorithms by name, give the `experiment` too."
            )
    way = check_choice(direction, "direction", DIRECTIONS)
    labels = check_labels(_NAMES if names is None else names, "names")
    if len(labels) != 2:
        raise ValueError(f"`names` must be two names; got {len(labels)}.")
    one, other = _scores(a, "a"), _scores(b, "b")
    if one.shape != other.shape:
        raise ValueError(
            "`a` and `b` must be scores on the same folds; got arrays of shapes "
            f"{one.shape} and {other.shape}."
        )
    scores = np.stack([one, other])
    check_size(scores, "a")
    return Experiment.from_array(
        scores.reshape(1, 2, -1, one.shape[-1]).swapaxes(2, 3),
        direction=way,
        algorithms=labels,
        datasets=[UNNAMED if dataset is None else dataset],
    )


def _scores(values: npt.ArrayLike, argument: str) -> FloatArray:
    array = check_finite(values, argument)
    if np.asarray(values).dtype == np.bool_:
        raise ValueError(f"`{argument}` must be numbers; got True and False.")
    if array.ndim not in (1, 2):
        raise ValueError(
            f"`{argument}` must have the shape (n_folds,), or (n_repeats, n_folds) of repeated "
            f"cross-validation; got an array of shape {array.shape}."
        )
    return array
