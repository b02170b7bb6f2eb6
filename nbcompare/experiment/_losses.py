"""Folds and runs that an algorithm lacks on a data set, though others have them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, IntArray
from nbcompare._render import plural

if TYPE_CHECKING:
    from nbcompare.experiment._scores import Scores


class Incomplete(NamedTuple):
    """A score of which some folds or runs are missing.

    Attributes
    ----------
    dataset, algorithm : str
        Where it is.
    n, of : int
        Number of folds or runs that are there, and that there should be.
    unit : {"folds", "runs"}
        What is missing.
    """

    dataset: str
    algorithm: str
    n: int
    of: int
    unit: str

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.dataset} ({self.n} of {plural(self.of, self.unit[:-1])})"


@dataclass(frozen=True, eq=False)
class Losses:
    """What is missing of the scores of an experiment.

    Attributes
    ----------
    folds : ndarray of bool, shape (n_datasets, n_algorithms, n_folds)
        Folds that an algorithm lacks and another one has. If an algorithm has no score on the
        data set, these are all folds of the data set.
    runs : ndarray of int, the same shape
        Number of runs that an algorithm lacks of a fold of which it has others.
    struck : ndarray of bool, shape (n_datasets, n_folds, n_labels), or None
        Labels of runs that some algorithm lacks of a fold. None if the labels of runs say nothing,
        because algorithms do not share them.
    """

    folds: BoolArray
    runs: IntArray
    struck: BoolArray | None

    @cached_property
    def any(self) -> bool:
        """Whether anything is missing."""
        return bool(self.folds.any() or self.runs.any())


def losses_of(scores: Scores) -> Losses:
    """Find the folds and runs that algorithms lack.

    A fold is lost if another algorithm has it on the data set. A run is lost if another algorithm
    has a run of that label in the fold, and the algorithm itself has one of that label in another
    fold or data set: an algorithm that is never run so often has lost nothing. Where algorithms do
    not share labels of runs, their numbers are compared in the same way.
    """
    if scores.is_complete and scores.n_runs == 1:
        shape = scores.lower.shape[:3]
        return Losses(np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.int64), None)
    there = ~np.isnan(scores.lower)
    counts = there.sum(axis=3)
    has = counts > 0
    made = has.any(axis=1, keepdims=True)
    folds = np.asarray(made & ~has, dtype=np.bool_)
    if scores.n_runs == 1:
        return Losses(folds, np.zeros(folds.shape, dtype=np.int64), None)
    own_most = counts.max(axis=(0, 2))[np.newaxis, :, np.newaxis]
    most = counts.max(axis=1, keepdims=True)
    short = has & (counts < np.maximum(own_most, most))
    if len(scores.runs or ()) > 2 * scores.n_runs:
        runs = np.where(short, np.maximum(np.minimum(most, own_most) - counts, 0), 0)
        return Losses(folds, runs, None)
    present = _presence(scores, there)
    used = np.asarray(present.any(axis=(0, 2)))[np.newaxis, :, np.newaxis]
    lost = present.any(axis=1, keepdims=True) & used & ~present & short[..., np.newaxis]
    return Losses(folds, lost.sum(axis=3), np.asarray(lost.any(axis=1), dtype=np.bool_))


def incomplete_of(scores: Scores, losses: Losses) -> tuple[Incomplete, ...]:
    """Return the scores that are there in part, in the order of data sets, then algorithms."""
    if scores.is_complete:
        return ()
    lost = {"folds": losses.folds.sum(axis=2), "runs": losses.runs.sum(axis=2)}
    counts = (~np.isnan(scores.lower)).sum(axis=3)
    there = {"folds": (counts > 0).sum(axis=2), "runs": counts.sum(axis=2)}
    found = []
    for d, a in np.argwhere(~scores.missing & (lost["folds"] + lost["runs"] > 0)).tolist():
        unit = "folds" if lost["folds"][d, a] else "runs"
        n, name = int(there[unit][d, a]), scores.algorithms[a]
        found.append(Incomplete(scores.datasets[d], name, n, n + int(lost[unit][d, a]), unit))
    return tuple(found)


def fewer_runs(scores: Scores, losses: Losses) -> tuple[str, ...]:
    """Return the algorithms that have fewer runs than others in every fold."""
    if scores.is_complete:
        return ()
    counts = (~np.isnan(scores.lower)).sum(axis=3)
    fewer = (counts < counts.max(axis=1, keepdims=True)) & (losses.runs == 0)
    always = (fewer | (counts == 0)).all(axis=(0, 2))
    return tuple(name for name, one in zip(scores.algorithms, always, strict=True) if one)


def _presence(scores: Scores, there: BoolArray) -> BoolArray:
    """Return which labels of runs each cell has, shape (data sets, algorithms, folds, labels)."""
    if scores.run_codes is None:
        return there
    present = np.zeros((*there.shape[:3], len(scores.runs or ())), dtype=np.bool_)
    d, a, f, _ = np.nonzero(there)
    present[d, a, f, scores.run_codes[there]] = True
    return present
