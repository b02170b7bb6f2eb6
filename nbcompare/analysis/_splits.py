"""The scores of all algorithms on the test sets of one data set, and how large these are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray, mean_over
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note, plural
from nbcompare._validation import DataError
from nbcompare.analysis._data import refuse_items
from nbcompare.analysis._missing import treated
from nbcompare.analysis._within import name_of_dataset, on_one_dataset
from nbcompare.experiment import Experiment
from nbcompare.stats.crossval import check_ratio
from nbcompare.stats.rankings import whole_numbers, with_sizes

# So many folds of one repetition are taken as those of one cross-validation
_MOST_FOLDS = 10
# Sums of differences of larger scores might overflow
_LARGEST = 1e280
_SEEDS = (
    "If the runs only repeat algorithms on the same folds, with another random seed, use "
    "compare_stochastic."
)


@dataclass(frozen=True, slots=True)
class Splits:
    """The scores of all algorithms on the test sets of one data set.

    ``data`` is the experiment with this data set only, after the treatment of missing scores that
    ``notes`` tell, and ``given`` the same before it. ``scores`` have the shape (algorithms, test
    sets), one repetition after the other. ``exact`` are multiples of them, turned so that smaller
    is better, in whole numbers if that is possible, and ``sizes`` the magnitudes of what they were
    computed from. ``dataset`` is None if the data set has no name, and ``averaged`` says whether
    the runs of a fold are averaged.
    """

    given: Experiment
    data: Experiment
    scores: FloatArray
    exact: FloatArray
    sizes: FloatArray
    notes: tuple[Note, ...]
    dataset: str | None
    averaged: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of repetitions, and of folds in each, as they were made."""
        return self.given.n_runs, self.given.n_folds

    @property
    def n(self) -> int:
        """Number of test sets on which the algorithms are compared."""
        return int(self.scores.shape[1])

    @property
    def is_full(self) -> bool:
        """Whether every repetition has all folds."""
        return self.n == self.data.n_runs * self.data.n_folds

    def differences(
        self, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the differences of pairs, one row each: turned, their scales, and as gains.

        Turned differences are negative where the first is better; gains are positive there, in
        units of the measure.
        """
        sizes = np.maximum(self.sizes[first], self.sizes[second])
        turned = self.exact[first] - self.exact[second]
        turned = np.where(np.abs(turned) <= NOISE * sizes, 0.0, turned)
        gains = self.scores[first] - self.scores[second]
        if self.data.direction != MAXIMIZE:
            gains = -gains
        return turned, sizes, np.where(turned == 0, 0.0, gains)


def splits_of(
    experiment: Experiment, dataset: str | None, missing: str, *, averages: bool = False
) -> Splits:
    """Return the scores on the folds and repetitions of one data set of an experiment.

    With ``averages``, runs are no repetitions: their means are the scores of a fold.
    """
    refuse_items(experiment)
    experiment = on_one_dataset(experiment, dataset)
    data, notes = treated(experiment, missing, function="compare_cv")
    if averages:
        runs = data.scores[0]
        check_size(runs[~np.isnan(runs)], "experiment")
        scores, (exact, sizes) = mean_over(runs), _averaged(runs)
    else:
        _check_runs(data)
        by_run = np.swapaxes(data.by_run[0][0], 1, 2)
        table = by_run.reshape(len(by_run), -1)
        known: BoolArray = ~np.isnan(table)
        made = known.any(axis=0)
        if not known[:, made].all():
            _refuse_lone_score(data, known)
        scores = table[:, made]
        check_size(scores, "experiment")
        exact, sizes = with_sizes(scores, None)
    if scores.shape[1] < 2:
        raise DataError(
            "There must be scores of at least 2 folds or random splits of the data set; got 1 "
            "score of each algorithm."
        )
    sign = -1.0 if data.direction == MAXIMIZE else 1.0
    name = name_of_dataset(data, dataset)
    averaged = averages and data.n_runs > 1
    return Splits(experiment, data, scores, sign * exact, sizes, notes, name, averaged)


def _averaged(runs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return multiples of means over the last axis, exact if possible, and their magnitudes.

    Sums of scores are multiples of their unit, but averages may not be.
    """
    if runs.shape[-1] == 1:
        return with_sizes(runs[..., 0], None)
    if np.isnan(runs).any():
        return mean_over(runs), np.asarray(np.nanmax(np.abs(runs), axis=-1))
    whole = whole_numbers(runs)
    return np.asarray(whole.sum(axis=-1)), np.asarray(np.abs(whole).sum(axis=-1))


def check_size(scores: FloatArray, argument: str) -> None:
    """Refuse scores whose differences might overflow."""
    if np.abs(scores).max(initial=0.0) > _LARGEST:
        raise DataError(
            f"`{argument}` must hold scores up to {_LARGEST:.3g} in size; take a larger unit."
        )


def _check_runs(data: Experiment) -> None:
    if data.n_runs > 1 and data.losses.struck is None:
        raise DataError(
            "`experiment` must have the same runs of every algorithm, because runs count as "
            "repetitions of cross-validation, each with a partition of its own; the algorithms "
            f"do not share labels of runs. {_SEEDS}"
        )


def _refuse_lone_score(data: Experiment, known: BoolArray) -> None:
    """Refuse algorithms of which one has runs that another one never has."""
    column = int(np.flatnonzero(known.any(axis=0) & ~known.all(axis=0))[0])
    run, fold = divmod(column, data.n_folds)
    has, lacks = int(known[:, column].argmax()), int((~known[:, column]).argmax())
    labels = data.runs or tuple(str(number + 1) for number in range(data.n_runs))
    raise DataError(
        "`experiment` must have the same runs of every algorithm, because runs count as "
        "repetitions of cross-validation, each with a partition of its own; "
        f"{data.algorithms[lacks]!r} has no score in fold {data.folds[fold]!r} of run "
        f"{labels[run]!r}, where {data.algorithms[has]!r} has one. {_SEEDS}"
    )


def show_ratio(n_repeats: int, n_folds: int) -> bool:
    """Return whether folds show the size of a test set over that of a training set."""
    return n_folds > 1 and (n_repeats > 1 or n_folds <= _MOST_FOLDS)


def settled_ratio(ratio: float | None, shape: tuple[int, int]) -> float:
    """Return the size of a test set over that of a training set, which is never guessed.

    Parameters
    ----------
    ratio : float, optional
        What the caller gave.
    shape : tuple of int
        The numbers of repetitions, and of folds in each.

    Raises
    ------
    ValueError
        If the ratio is needed, or not a number from 0.
    """
    if ratio is not None:
        return check_ratio(ratio)
    n_repeats, n_folds = shape
    if show_ratio(n_repeats, n_folds):
        return 1 / (n_folds - 1)
    arrived = (
        plural(n_repeats, "random split")
        if n_repeats > 1
        else f"{plural(n_folds, 'fold')} of one repetition"
    )
    raise ValueError(
        f"`ratio`, the size of a test set over that of a training set, must be given: there are "
        f"{arrived}, which do not show how the data were split. For k folds, repeated or not, it "
        "is 1/(k - 1): ratio=1/9 for tenfold cross-validation, ratio=1/4 for fivefold. Where a "
        "random third is held out, it is ratio=1/2. Too small a ratio finds differences that are "
        "not there. A table with a column of repetitions (`run`) beside that of folds (`fold`) "
        "needs no ratio. compare_cv(experiment, ratio=1/9) takes it."
    )
