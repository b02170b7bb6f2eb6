"""The runs of an experiment by block, and their consolidation before a test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import AUTO, MAXIMIZE
from nbcompare._render import Note
from nbcompare._validation import DataError
from nbcompare.analysis._data import in_order
from nbcompare.experiment import Experiment
from nbcompare.results.texts import note
from nbcompare.stats import consolidate
from nbcompare.stats.rankings import midranks

# Encodings whose intervals at all coverages are nested, as the cuts of a fuzzy set are
_NESTED = ("central", "bootstrap-mean")
# Lower and upper ends of intervals, by block and algorithm; an axis for the coverage may come first
Ends = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Runs:
    """Scores of the runs, smaller is better, by block, algorithm, fold and run.

    A block is a data set with its folds, or a fold of the only data set. NaN pads folds
    with fewer runs, and data sets with fewer folds than others.
    """

    lower: FloatArray
    upper: FloatArray
    algorithms: tuple[str, ...]
    names: tuple[str, ...]  # names of the blocks
    by_fold: bool  # True if the blocks are folds
    filled: bool = False  # True if intervals of all observed scores replace missing folds

    @cached_property
    def counts(self) -> IntArray:
        """Numbers of runs by block, algorithm and fold."""
        return np.asarray(np.count_nonzero(~np.isnan(self.lower), axis=3), dtype=np.int64)

    @cached_property
    def made(self) -> BoolArray:
        """A mask, by block and fold, of the folds on which any algorithm was run."""
        return np.asarray(self.counts.any(axis=1), dtype=np.bool_)

    @cached_property
    def missing(self) -> BoolArray:
        """A mask, by block, algorithm and fold, of folds on which only others were run."""
        return np.asarray((self.counts == 0) & self.made[:, np.newaxis, :], dtype=np.bool_)

    @cached_property
    def used(self) -> BoolArray:
        """A mask, by block, algorithm and fold, of the folds that enter the means."""
        if self.filled:
            return np.broadcast_to(self.made[:, np.newaxis, :], self.counts.shape)
        return np.asarray(self.counts > 0, dtype=np.bool_)

    @cached_property
    def deterministic(self) -> BoolArray:
        """A mask of the algorithms whose runs of a fold are all the same, in every fold."""
        low, high = consolidate.consolidate(self.lower, self.upper, "range")
        return np.asarray(((low == high) | (self.counts == 0)).all(axis=(0, 2)), dtype=np.bool_)

    @cached_property
    def repeated(self) -> BoolArray:
        """A mask of the algorithms with more than one run of some fold."""
        return np.asarray((self.counts > 1).any(axis=(0, 2)), dtype=np.bool_)

    @cached_property
    def sizes(self) -> FloatArray | None:
        """Magnitudes, by block and algorithm, of scores that are consolidated or averaged.

        They determine the size of rounding noise. None if the scores are used as they were read.
        """
        if self.lower.shape[2] * self.lower.shape[3] == 1:
            return None
        size = np.fmax(np.abs(self.lower), np.abs(self.upper))
        return np.asarray(np.where(np.isnan(size), 0.0, size).max(axis=(2, 3)), dtype=np.float64)

    def by_ranks(self, *, negated: bool) -> Runs:
        """Return the runs by their relative ranks among all runs of their block and fold.

        The relative rank of a score is the share of the scores that are smaller, with half of those
        that tie. Ends of intervals are ranked together. If the scores are ``negated``, so that
        smaller is better, the ranks are so too.
        """
        shift = 1.0 if negated else 0.0  # the relative rank of a negated score is 1 minus its own
        ends = np.stack([self.lower, self.upper] if self.upper is not self.lower else [self.lower])
        ranks = np.full(ends.shape, np.nan)
        for block, fold in np.argwhere(self.made):
            here = ends[:, block, :, fold]
            known = ~np.isnan(here)
            n = int(known.sum())
            ranks[:, block, :, fold][known] = (midranks(here[known]) - 0.5) / n - shift
        return replace(self, lower=ranks[0], upper=ranks[-1] if len(ends) > 1 else ranks[0])

    def consolidated(self, encoding: str, coverage: float | None) -> Ends:
        """Return the ends by block and algorithm: the means of those of the folds."""
        return self.over_folds(*self.of_folds(encoding, coverage))

    def of_folds(self, encoding: str, coverage: float | None) -> Ends:
        """Return the ends by block, algorithm and fold; NaN where no fold was made."""
        if coverage is not None and encoding in _NESTED:
            low, high = self._cuts(encoding, np.array([coverage]))
            return self._filled(low[0], high[0])
        low, high = consolidate.consolidate(self.lower, self.upper, encoding, coverage)
        return self._filled(low, high)

    def cuts(self, encoding: str, coverages: FloatArray) -> Ends:
        """Return the ends by coverage, block and algorithm."""
        return self.over_folds(*self._filled(*self._cuts(encoding, coverages)))

    def over_folds(self, low: FloatArray, high: FloatArray) -> Ends:
        """Return the means of the ends over the last axis, the folds that are used."""
        used = self.used
        n_used = used.sum(axis=2)
        means = [np.where(used, ends, 0.0).sum(axis=-1) / n_used for ends in (low, high)]
        return means[0], means[1]

    def _cuts(self, encoding: str, coverages: FloatArray) -> Ends:
        if encoding == "bootstrap-mean":
            return consolidate.bootstrap_mean_cuts(self.lower, coverages)
        return consolidate.central_cuts(self.lower, self.upper, coverages)

    def _filled(self, low: FloatArray, high: FloatArray) -> Ends:
        """Replace the ends of missing folds by the least and greatest score of the data set."""
        missing = self.missing
        if not self.filled or not missing.any():
            return low, high
        rest = (0, 1, 2, 3) if self.by_fold else (1, 2, 3)
        least = np.nanmin(self.lower, axis=rest, keepdims=True)[..., 0]
        most = np.nanmax(self.upper, axis=rest, keepdims=True)[..., 0]
        return np.where(missing, least, low), np.where(missing, most, high)


def settled_blocks(experiment: Experiment, blocks: str) -> str:
    """Return ``datasets`` or ``folds``, or raise an error if there are fewer than 2 of them."""
    single = experiment.n_datasets == 1
    settled = blocks if blocks != AUTO else "folds" if single else "datasets"
    count, noun = (
        (experiment.n_datasets, "data set")
        if settled == "datasets"
        else (experiment.n_folds, "fold")
    )
    if count < 2:
        raise DataError(
            f"`experiment` must hold at least 2 {noun}s to compare algorithms on; got {count}."
        )
    return settled


def runs_of(experiment: Experiment, blocks: str, *, filled: bool) -> tuple[Runs, tuple[Note, ...]]:
    """Return the runs by block; missing folds are ``filled`` with intervals later, with a note.

    Blocks and folds are in the order of their labels, and the runs of a fold in that of their
    scores, so that random draws do not depend on the order of the data.
    Otherwise the folds that are there represent their data set.
    """
    if experiment.n_algorithms < 2:
        raise DataError(
            f"`experiment` must hold at least 2 algorithms to compare; got "
            f"{experiment.n_algorithms}."
        )
    by_fold = blocks == "folds"
    rows, folds = in_order(experiment.datasets), in_order(experiment.folds)
    lower, upper = (ends[rows][:, :, folds] for ends in (experiment.lower, experiment.upper))
    places = np.lexsort((upper, lower))
    lower, upper = (np.take_along_axis(ends, places, axis=3) for ends in (lower, upper))
    if by_fold:  # each fold becomes a block with one fold
        lower, upper = (ends[0].swapaxes(0, 1)[:, :, np.newaxis] for ends in (lower, upper))
    if experiment.direction == MAXIMIZE:
        lower, upper = -upper, -lower
    if not experiment.is_interval:
        upper = lower
    labels, order = (experiment.folds, folds) if by_fold else (experiment.datasets, rows)
    names = tuple(labels[place] for place in order)
    runs = Runs(lower, upper, experiment.algorithms, names, by_fold, filled)
    count = int(runs.missing.sum()) if filled else 0
    return runs, (note("missing-interval", n=count),) if count else ()
