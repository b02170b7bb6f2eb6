"""Experiments from what a pilot leaves open: populations that agree with it, and draws of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare.experiment import Experiment, with_scores
from nbcompare.results.plan import DATASETS, FOLDS, ITEMS, RUNS
from nbcompare.study._resampled import common_part

_PAIRED = (FOLDS, ITEMS)  # of one data set, which all algorithms share


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOpen:
    """Populations that a pilot leaves open, from which experiments are drawn.

    A population gives random weights to what the pilot has (the Bayesian bootstrap, Rubin 1981),
    and to the same turned round: scores are reflected at the middle between the best and the worst
    there, which changes the sign of every difference and not its size. The prior is how much weight
    the two share equally, so that differences become smaller by n / (n + prior) on average.

    Parameters
    ----------
    experiment : Experiment
        The pilot: of data sets, a score of each; of one data set, a run of each fold or item.
    unit : {"datasets", "folds", "runs", "items"}
        What is drawn; runs for each algorithm by itself.
    size : int
        How many are drawn.
    prior : float
        Weight of what says that no algorithm is better, as a number of data sets, folds or runs.
    ratio : float, optional
        Of folds: the size of a test set over that of a training set. The folds of an experiment,
        and those of the pilot, have a random part in common (Nadeau and Bengio 2003).
    """

    experiment: Experiment
    unit: str
    size: int
    prior: float
    ratio: float | None = None

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms."""
        return self.experiment.algorithms

    def population(self, rng: np.random.Generator) -> Callable[[np.random.Generator], Experiment]:
        """Return a population that the pilot leaves open, which draws experiments."""
        if self.unit == RUNS:
            return partial(self._of_runs, *self._weighted_runs(rng))
        rows = np.moveaxis(self._rows, 0, -1)
        n = len(rows)
        turned = rows.max(axis=1, keepdims=True) + rows.min(axis=1, keepdims=True) - rows
        # folds are alike and count for fewer, so that a prior of as many weighs more
        half = self.prior * (1 + n * (self.ratio or 0.0)) / (2 * n)
        weights = rng.standard_gamma(np.repeat([1 + half, half], n))
        both = np.vstack([rows, turned]) + self._common(rng)
        return partial(self._of_rows, both, weights / weights.sum())

    @property
    def _rows(self) -> FloatArray:
        """Return the scores by algorithm and by data set or fold."""
        scores = self.experiment.lower
        return scores[0, :, :, 0] if self.unit in _PAIRED else scores[:, :, 0, 0].T

    def _common(self, rng: np.random.Generator) -> FloatArray | float:
        """Return what all folds have in common, by algorithm; nothing of data sets."""
        if self.ratio is None:
            return 0.0
        return common_part(self.experiment.lower, self.ratio, rng)[0, :, 0, 0]

    def _of_rows(
        self, rows: FloatArray, weights: FloatArray, rng: np.random.Generator
    ) -> Experiment:
        drawn = rows[rng.choice(len(rows), self.size, p=weights)] + self._common(rng)
        scores = drawn.T[np.newaxis] if self.unit in _PAIRED else drawn[:, :, np.newaxis]
        return with_scores(self._first, scores[..., np.newaxis])

    @cached_property
    def _first(self) -> Experiment:
        """An experiment of the size that is drawn, whose labels all have."""
        rows = np.resize(self._rows.T, (self.size, len(self.algorithms)))
        return self._made(rows.T[np.newaxis] if self.unit in _PAIRED else rows[:, :, np.newaxis])

    def _weighted_runs(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return the runs of each cell and the same turned round, with the sums of weights.

        Cells with a single run, of deterministic algorithms, keep it.
        """
        runs = self.experiment.lower
        there = ~np.isnan(runs)
        counts = there.sum(axis=-1, keepdims=True)
        ends = np.nanmax(runs, axis=(1, 3), keepdims=True) + np.nanmin(
            runs, axis=(1, 3), keepdims=True
        )
        half = np.where(counts > 1, self.prior / (2 * counts), 0.0)
        shapes = np.concatenate([there * (1 + half), there * half], axis=-1)
        sums = rng.standard_gamma(shapes).cumsum(axis=-1)
        return np.concatenate([runs, ends - runs], axis=-1), sums / sums[..., -1:]

    def _of_runs(self, runs: FloatArray, sums: FloatArray, rng: np.random.Generator) -> Experiment:
        cells, most = sums.reshape(-1, sums.shape[-1]), sums.shape[-1]
        at = np.arange(len(cells))[:, np.newaxis]
        # one search for all cells: the sums of each lie between its number and the next
        wanted = rng.random((len(cells), self.size)) + at
        places = np.searchsorted((cells + at).ravel(), wanted, side="right")
        drawn = runs.reshape(-1)[np.minimum(places, most * (at + 1) - 1)]
        counts = (~np.isnan(self.experiment.lower)).sum(axis=-1).reshape(-1, 1)
        drawn = np.where((counts > 1) | (np.arange(self.size) == 0), drawn, np.nan)
        return self._made(drawn.reshape(*runs.shape[:-1], self.size))

    def _made(self, scores: FloatArray) -> Experiment:
        pilot = self.experiment
        return Experiment.from_array(
            scores,
            direction=pilot.direction,
            datasets=None if self.unit == DATASETS else pilot.datasets,
            algorithms=pilot.algorithms,
            measure=pilot.measure,
            unit=self.unit if self.unit == ITEMS else None,
        )
