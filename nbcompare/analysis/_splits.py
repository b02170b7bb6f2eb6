"""The scores of all algorithms on the test sets of one data set, and how large these are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import NOISE, BoolArray, FloatArray, IntArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_name, listed
from nbcompare.analysis._folds import UNNAMED, check_size
from nbcompare.analysis._missing import treated
from nbcompare.experiment import Experiment
from nbcompare.stats.crossval import check_ratio
from nbcompare.stats.rankings import with_sizes

# So many folds of one repetition are taken as those of one cross-validation
MOST_FOLDS = 10
_SEEDS = (
    "If the runs only repeat algorithms on the same folds, with another random seed, use "
    "compare_stochastic."
)


@dataclass(frozen=True, slots=True)
class Splits:
    """The scores of all algorithms on the test sets of one data set.

    ``data`` is the experiment with this data set only, after the treatment of missing scores that
    ``notes`` tell, and ``given`` the same before it. ``scores`` have the shape (algorithms, test
    sets). ``exact`` are multiples of them, turned so that smaller is better, in whole numbers if
    that is possible, and ``sizes`` the magnitudes of what they were computed from. ``dataset`` is
    None if the data set has no name.
    """

    given: Experiment
    data: Experiment
    scores: FloatArray
    exact: FloatArray
    sizes: FloatArray
    notes: tuple[Note, ...]
    dataset: str | None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of repetitions, and of folds in each, as they were made."""
        return self.given.n_runs, self.given.n_folds

    @property
    def n(self) -> int:
        """Number of test sets on which the algorithms are compared."""
        return int(self.scores.shape[1])

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


def splits_of(experiment: Experiment, dataset: str | None, missing: str) -> Splits:
    """Return the scores on the folds and repetitions of one data set of an experiment."""
    if dataset is not None:
        check_name(dataset, "dataset", experiment.datasets)
        experiment = experiment.select(datasets=[dataset])
    elif experiment.n_datasets > 1:
        raise DataError(
            f"`dataset` must name one data set, because `experiment` has {experiment.n_datasets}: "
            f"{listed(experiment.datasets)}. For the first, pass dataset="
            f"{experiment.datasets[0]!r}. To compare algorithms over all of them, use "
            "compare(experiment)."
        )
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores; compare_stochastic compares intervals."
        )
    if experiment.n_algorithms < 2:
        raise DataError("`experiment` must hold at least 2 algorithms to compare; got 1.")
    data, notes = treated(experiment, missing, function="compare_cv")
    _check_runs(data)
    lower = data.by_run[0][0]
    table = lower.reshape(len(lower), -1)
    known: BoolArray = ~np.isnan(table)
    made = known.any(axis=0)
    if not known[:, made].all():
        _refuse_lone_score(data, known, lower.shape[2])
    scores = table[:, made]
    if scores.shape[1] < 2:
        raise DataError(
            "`experiment` must hold the scores of at least 2 folds or random splits of the data "
            "set; got 1 score of each algorithm."
        )
    check_size(scores, "experiment")
    exact, sizes = with_sizes(scores, None)
    sign = -1.0 if data.direction == MAXIMIZE else 1.0
    is_named = dataset is not None or data.datasets != (UNNAMED,)
    name = data.datasets[0] if is_named else None
    return Splits(experiment, data, scores, sign * exact, sizes, notes, name)


def _check_runs(data: Experiment) -> None:
    if data.n_runs > 1 and data.losses.struck is None:
        raise DataError(
            "`experiment` must have the same runs of every algorithm, because runs count as "
            "repetitions of cross-validation, each with a partition of its own; the algorithms "
            f"do not share labels of runs. {_SEEDS}"
        )


def _refuse_lone_score(data: Experiment, known: BoolArray, n_runs: int) -> None:
    """Refuse algorithms of which one has runs that another one never has."""
    column = int(np.flatnonzero(known.any(axis=0) & ~known.all(axis=0))[0])
    fold, run = divmod(column, n_runs)
    has, lacks = int(known[:, column].argmax()), int((~known[:, column]).argmax())
    labels = data.runs or tuple(str(number + 1) for number in range(n_runs))
    raise DataError(
        "`experiment` must have the same runs of every algorithm, because runs count as "
        "repetitions of cross-validation, each with a partition of its own; "
        f"{data.algorithms[lacks]!r} has no score in fold {data.folds[fold]!r} of run "
        f"{labels[run]!r}, where {data.algorithms[has]!r} has one. {_SEEDS}"
    )


def settled_ratio(ratio: float | None, shape: tuple[int, ...], subject: str) -> float:
    """Return the size of a test set over that of a training set, which is never guessed.

    Parameters
    ----------
    ratio : float, optional
        What the caller gave.
    shape : tuple of int
        The number of folds, after that of repetitions if there are several.
    subject : str
        What has these folds, in a message.

    Raises
    ------
    ValueError
        If the ratio is needed, or not a number from 0.
    """
    if ratio is not None:
        return check_ratio(ratio)
    *repeats, n_folds = shape
    is_repeated = bool(repeats) and repeats[0] > 1
    if n_folds > 1 and (is_repeated or n_folds <= MOST_FOLDS):
        return 1 / (n_folds - 1)
    arrived = (
        plural(repeats[0], "random split")
        if is_repeated
        else f"{plural(n_folds, 'fold')} of one repetition"
    )
    raise ValueError(
        f"`ratio`, the size of a test set over that of a training set, must be given: {subject} "
        f"{arrived}, which do not show how the data were split. For k folds, repeated or not, it "
        "is 1/(k - 1): ratio=1/9 for tenfold cross-validation, ratio=1/4 for fivefold. Where a "
        "random third is held out, it is ratio=1/2. Too small a ratio finds differences that are "
        "not there. A table with a column of repetitions (`run`) beside that of folds (`fold`) "
        "needs no ratio."
    )
