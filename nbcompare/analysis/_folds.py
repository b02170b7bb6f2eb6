"""The scores of two algorithms on the folds of one data set, from arrays or an experiment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import NOISE, FloatArray, mean_over
from nbcompare._options import DIRECTIONS, MAXIMIZE
from nbcompare._validation import (
    DataError,
    check_choice,
    check_finite,
    check_labels,
    check_name,
    listed,
    shown,
)
from nbcompare.experiment import Experiment
from nbcompare.stats.rankings import whole_numbers, with_sizes

# Sums of differences of larger scores might overflow.
_LARGEST = 1e280
_NAMES = ("A", "B")
# The name of the data set if the scores come without one
UNNAMED = "1"


@dataclass(frozen=True, slots=True)
class Folds:
    """The scores of two algorithms on the folds of one data set.

    ``data`` is an experiment with these two algorithms and this data set only, and ``is_named``
    is True if the data set has a name. ``scores`` are averaged over runs and have the shape
    (2, ...). ``exact`` are the scores times ``factor``, turned so that smaller is better, in
    whole numbers if that is possible. ``scale``, of shape (...), is the magnitude of the numbers
    that their differences are computed from.
    """

    data: Experiment
    is_named: bool
    scores: FloatArray
    exact: FloatArray
    factor: float
    scale: FloatArray

    @property
    def names(self) -> tuple[str, str]:
        """Names of the two algorithms."""
        first, second = self.data.algorithms
        return first, second

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the folds: (n_folds,) or (n_repeats, n_folds)."""
        return self.scores.shape[1:]

    @property
    def differences(self) -> FloatArray:
        """Differences of ``exact``, first minus second; negative where the first is better."""
        values = self.exact[0] - self.exact[1]
        return np.where(np.abs(values) <= NOISE * self.scale, 0.0, values)

    @property
    def gains(self) -> FloatArray:
        """Differences in units of the measure, positive where the first is better."""
        gains = self.scores[0] - self.scores[1]
        if self.data.direction != MAXIMIZE:
            gains = -gains
        return np.where(self.differences == 0, 0.0, gains)

    def reshaped(self, shape: tuple[int, ...]) -> Folds:
        """Return the folds in another shape, in the same order."""
        return Folds(
            self.data,
            self.is_named,
            self.scores.reshape(2, *shape),
            self.exact.reshape(2, *shape),
            self.factor,
            self.scale.reshape(shape),
        )


def folds_of_arrays(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    direction: str | None,
    names: tuple[str, str] | None,
    dataset: str | None,
) -> Folds:
    """Return the folds of two algorithms whose scores are arrays of the same shape."""
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
    scores = np.stack(_same_shape(_scores(a, "a"), _scores(b, "b")))
    check_size(scores, "a")
    data = Experiment.from_array(
        scores.reshape(1, 2, -1),
        direction=way,
        algorithms=labels,
        datasets=[UNNAMED if dataset is None else dataset],
    )
    exact, sizes = with_sizes(scores, None)
    return _folds(data, dataset is not None, scores, exact, sizes)


def folds_of_experiment(experiment: Experiment, a: object, b: object, dataset: str | None) -> Folds:
    """Return the folds of two algorithms of an experiment on one data set; runs are averaged."""
    names = [check_name(a, "a", experiment.algorithms), check_name(b, "b", experiment.algorithms)]
    if a == b:
        raise ValueError(f"`b` must be another algorithm than `a`; got {shown(b)} twice.")
    if dataset is not None:
        check_name(dataset, "dataset", experiment.datasets)
    elif experiment.n_datasets > 1:
        raise ValueError(
            "`dataset` must name the data set whose folds are compared, because `experiment` "
            f"has {experiment.n_datasets}: {listed(experiment.datasets)}. To compare over data "
            "sets, use compare_pair."
        )
    data = experiment.select(algorithms=names, datasets=None if dataset is None else [dataset])
    if data.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores; compare_stochastic compares intervals."
        )
    runs = data.scores[0]
    known = ~np.isnan(runs)
    missing = np.argwhere(~known.any(axis=-1))
    if missing.size:
        where = listed([f"{names[i]} on fold {data.folds[j]}" for i, j in missing], most=5)
        raise DataError(
            f"`experiment` has no score for {where}. Add the scores: both algorithms need one on "
            "every fold."
        )
    check_size(runs[known], "experiment")
    scores = mean_over(runs)
    if data.n_runs == 1:
        exact, sizes = with_sizes(scores, None)
    elif known.all():  # sums of scores are multiples of their unit, but averages may not be
        whole = whole_numbers(runs)
        exact, sizes = whole.sum(axis=-1), np.abs(whole).sum(axis=-1)
    else:
        exact, sizes = scores, np.nanmax(np.abs(runs), axis=-1)
    return _folds(data, dataset is not None or data.datasets != (UNNAMED,), scores, exact, sizes)


def _folds(
    data: Experiment, is_named: bool, scores: FloatArray, exact: FloatArray, sizes: FloatArray
) -> Folds:
    if scores[0].size < 2:
        raise DataError(
            f"At least 2 folds are needed to compare two algorithms; got {scores[0].size}."
        )
    largest = np.abs(scores).max()
    factor = float(np.abs(exact).max() / largest) if largest > 0 else 1.0
    sign = -1.0 if data.direction == MAXIMIZE else 1.0
    return Folds(data, is_named, scores, sign * exact, factor, np.maximum(*sizes))


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


def _same_shape(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    if a.shape != b.shape:
        raise ValueError(
            "`a` and `b` must be scores on the same folds; got arrays of shapes "
            f"{a.shape} and {b.shape}."
        )
    return a, b


def check_size(scores: FloatArray, argument: str) -> None:
    """Refuse scores whose differences might overflow."""
    if np.abs(scores).max(initial=0.0) > _LARGEST:
        raise DataError(
            f"`{argument}` must hold scores up to {_LARGEST:.3g} in size; take a larger unit."
        )
