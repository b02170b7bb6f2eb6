"""A model made of one's own experiment: resampled data sets, folds or runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MAXIMIZE
from nbcompare._render import plural
from nbcompare._validation import (
    DataError,
    check_count,
    listed,
)
from nbcompare.experiment import Experiment
from nbcompare.study._model import check_effect, truth_of

_DATASETS, _FOLDS, _RUNS = "datasets", "folds", "runs"
_NOUNS = {_DATASETS: "data set", _FOLDS: "fold", _RUNS: "run"}


@dataclass(frozen=True, kw_only=True, eq=False)
class FromExperiment:
    """Experiments like one's own: its data sets, folds or runs drawn with replacement.

    The experiment stands for the population that others would come from. What it found is taken
    for true there, as far as the effect says.

    Parameters
    ----------
    experiment : Experiment
        A pilot without missing scores, of at least 2 algorithms.
    size : int, optional
        How many data sets are drawn with replacement; as many as the experiment has by default.
        Of a single data set, folds are drawn, the same for all algorithms; of a single fold, runs,
        independently for each algorithm.

    Notes
    -----
    The effect is a factor of the differences of the algorithms' means: 1 leaves the scores as they
    are, 0.5 halves the differences, and 0 makes all means equal. A constant is added to all scores
    of an algorithm for it.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pilot = nbc.datasets.load("demsar2006")
    >>> model = FromExperiment(experiment=pilot, size=40)
    >>> model.draw(1.0, np.random.default_rng(0))
    <Experiment: 4 algorithms on 40 data sets, AUC, maximize>
    >>> model.truth(0.0).tolist(), model.truth(1.0).tolist()
    ([0, 0, 0, 0, 0, 0], [-1, -1, -1, 1, -1, -1])
    """

    experiment: Experiment
    size: int | None = None

    def __post_init__(self) -> None:
        """Check the parameters."""
        pilot = self.experiment
        if not isinstance(pilot, Experiment):
            raise TypeError(f"`experiment` must be an Experiment; got {type(pilot).__name__}.")
        if pilot.is_interval:
            raise DataError("`experiment` must hold numbers to be resampled; it holds intervals.")
        if pilot.n_algorithms < 2:
            raise DataError("`experiment` must hold at least 2 algorithms to compare; got 1.")
        if pilot.missing.any() or pilot.losses.any:
            cells = listed(map(str, pilot.incomplete), most=3) if pilot.losses.any else "some cells"
            raise DataError(
                "`experiment` must have no missing scores to be resampled; they are missing for "
                f"{cells}. Keep complete data sets with experiment.select(datasets=...)."
            )
        counts = {_DATASETS: pilot.n_datasets, _FOLDS: pilot.n_folds, _RUNS: pilot.n_runs}
        if counts[self.unit] < 2:
            words = [plural(count, _NOUNS[unit]) for unit, count in counts.items()]
            raise DataError(
                f"`experiment` must have several {_NOUNS[self.unit]}s to draw from; it has "
                f"{listed(words)}."
            )
        if self.size is not None:
            check_count(self.size, "size", least=2)

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms."""
        return self.experiment.algorithms

    @property
    def effect_name(self) -> str:
        """What the effect is, for the axis of a figure."""
        return "factor of the observed differences"

    @property
    def summary(self) -> str:
        """Description of what is simulated, as the end of a sentence."""
        each = {_DATASETS: "", _FOLDS: " of each data set", _RUNS: " of each fold"}
        pilot = self.experiment
        of = f"{plural(pilot.n_algorithms, 'algorithm')} on {plural(pilot.n_datasets, 'data set')}"
        return (
            f"{self._counts[self.unit]} {_NOUNS[self.unit]}s{each[self.unit]} drawn with "
            f"replacement from an experiment of {of}; the better mean is better"
        )

    @property
    def n_datasets(self) -> int:
        """Number of data sets that are drawn."""
        return self._counts[_DATASETS]

    @property
    def n_folds(self) -> int:
        """Number of folds of each data set."""
        return self._counts[_FOLDS]

    @property
    def n_runs(self) -> int:
        """Largest number of runs of a fold."""
        return self._counts[_RUNS]

    @property
    def _counts(self) -> dict[str, int]:
        """How many of each unit an experiment has."""
        pilot = self.experiment
        counts = {_DATASETS: pilot.n_datasets, _FOLDS: pilot.n_folds, _RUNS: pilot.n_runs}
        return counts if self.size is None else {**counts, self.unit: self.size}

    @property
    def unit(self) -> str:
        """What is drawn: ``datasets``, ``folds`` or ``runs``."""
        pilot = self.experiment
        if pilot.n_datasets > 1:
            return _DATASETS
        return _FOLDS if pilot.n_folds > 1 else _RUNS

    @cached_property
    def _means(self) -> FloatArray:
        """Mean of each algorithm over the data sets."""
        return np.asarray(self.experiment.mean_scores.mean(axis=0))

    def _added(self, effect: float) -> FloatArray:
        """Return what is added to the scores of each algorithm."""
        apart = self._means - self._means.mean()
        return np.asarray((check_effect(effect) - 1) * apart)

    def truth(self, effect: float) -> IntArray:
        """Return which algorithm of each pair is better in the population."""
        sign = -1.0 if self.experiment.direction == MAXIMIZE else 1.0
        # of the size of the scores, because only their differences are of interest
        means = self._means - self._means.mean() + self._added(effect)
        size = float(np.abs(self._means).max()) or 1.0
        return truth_of(sign * np.round(means / size, 12))

    def draw(self, effect: float, rng: np.random.Generator) -> Experiment:
        """Return one resampled experiment."""
        pilot, added = self.experiment, self._added(effect)
        scores = pilot.lower + added[:, np.newaxis, np.newaxis]
        names: tuple[str, ...] | None = pilot.datasets
        if self.unit == _DATASETS:
            scores = scores[rng.integers(0, pilot.n_datasets, self._counts[_DATASETS])]
            names = None  # one may be drawn several times
        elif self.unit == _FOLDS:
            scores = scores[:, :, rng.integers(0, pilot.n_folds, self._counts[_FOLDS])]
        else:
            scores = _of_runs(scores, self.size, rng)
        return Experiment.from_array(
            scores,
            direction=pilot.direction,
            datasets=names,
            algorithms=pilot.algorithms,
            measure=pilot.measure,
        )


def common_part(scores: FloatArray, ratio: float, rng: np.random.Generator) -> FloatArray:
    """Return what all folds of a draw have in common, for each data set and algorithm.

    Its covariances between algorithms are those of the folds, times the ratio.
    """
    folds = np.nanmean(scores, axis=3)
    apart = np.nan_to_num(folds - np.nanmean(folds, axis=2, keepdims=True))
    counts = (~np.isnan(folds[:, :1])).sum(axis=2, keepdims=True)
    steps = rng.standard_normal((len(folds), folds.shape[2], 1))
    common: FloatArray = (apart @ steps) * np.sqrt(ratio / np.maximum(counts - 1, 1))
    return common[..., np.newaxis]


def _of_runs(scores: FloatArray, size: int | None, rng: np.random.Generator) -> FloatArray:
    """Draw runs of each cell; those with a single run, of deterministic algorithms, stay."""
    counts = (~np.isnan(scores)).sum(axis=-1, keepdims=True)
    most = int(counts.max()) if size is None else size
    wanted = np.where(counts > 1, counts if size is None else most, counts)
    # the runs of a cell stand without gaps
    places = rng.integers(0, np.maximum(counts, 1), (*scores.shape[:3], most))
    drawn = np.take_along_axis(scores, places, axis=-1)
    return np.where(np.arange(most) < wanted, drawn, np.nan)
