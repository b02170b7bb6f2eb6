"""The runs of an experiment by data set, whether they may be pooled, and notes on their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import NOISE, FloatArray, IntArray, mean_over
from nbcompare._options import AUTO
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, named
from nbcompare.analysis import _notes
from nbcompare.analysis._stochastic import check_size
from nbcompare.analysis.scales import STATED, scales_of
from nbcompare.experiment import Experiment
from nbcompare.words import MEASURED_COVERAGE

_ENOUGH = 10  # runs from which the intervals hold about what they should
_MOST_THRESHOLDS = 100
_BASELINE = (
    "A baseline puts them on one scale: the option baseline takes two algorithms, a low and a high "
    "reference, between which scores are normalised."
)


class Runs(NamedTuple):
    """Scores of runs by data set and algorithm, as the experiment holds them.

    Attributes
    ----------
    values : ndarray of float, shape (n_datasets, n_algorithms, n_runs)
        Means over the folds; NaN where an algorithm has fewer runs than others.
    sizes : ndarray of float, shape (n_datasets, 1, 1)
        Magnitude of the scores of a data set.
    fewest : ndarray of int, shape (n_algorithms,)
        Fewest runs of an algorithm on a data set.
    most : ndarray of int, the same shape
        Most runs of it on a data set.
    n_cut : int
        Number of data sets of which some run is not there on every fold, and is left out.
    """

    values: FloatArray
    sizes: FloatArray
    fewest: IntArray
    most: IntArray
    n_cut: int


def check_kind(experiment: Experiment) -> None:
    """Refuse an experiment without repeated runs, of one algorithm, or of intervals."""
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, which are no scores of runs; "
            "compare_stochastic compares intervals."
        )
    if experiment.n_algorithms < 2:
        raise DataError(
            "`experiment` must hold at least 2 algorithms to compare; got "
            f"{experiment.n_algorithms}."
        )
    if experiment.n_runs == 1:
        folds = ""
        if experiment.n_folds > 1:
            folds = (
                f" The {experiment.n_folds} folds of a data set are not runs: if they are repeated "
                "runs all the same, name their column with run=... when the scores are read."
            )
        raise DataError(
            "`experiment` must hold repeated runs, such as those with several random seeds; got "
            f"one run of each algorithm.{folds} compare(experiment) compares algorithms by one "
            "score per data set."
        )
    check_size(experiment)


def runs_of(experiment: Experiment) -> Runs:
    """Return the scores of the runs of each data set, as means over its folds."""
    scores = experiment.scores
    counts = (~np.isnan(scores)).sum(axis=3)  # runs of each fold
    there = counts > 0
    whole = np.where(there, counts, scores.shape[3] + 1).min(axis=2)
    is_cut = (np.where(there, counts, 0).max(axis=2) > whole).any(axis=1)
    values = mean_over(np.moveaxis(scores, 2, 3))
    values = np.where(np.arange(scores.shape[3]) < whole[..., np.newaxis], values, np.nan)
    sizes = np.nan_to_num(np.abs(scores)).max(axis=(1, 2, 3))[:, np.newaxis, np.newaxis]
    return Runs(values, sizes, whole.min(axis=0), whole.max(axis=0), int(is_cut.sum()))


def why_withheld(experiment: Experiment, scale: str) -> str:
    """Say why scores of different data sets are not pooled; nothing if they are."""
    scales = scales_of(experiment, scale)
    if experiment.turned and scale == AUTO:
        return (
            "Higher scores are better on some data sets and lower ones on others, so that scores "
            f"of different data sets are not pooled. {_BASELINE}"
        )
    if scales.one:
        return ""
    stated = "" if scales.stated else f" {STATED}"
    return f"{scales.several}, and are not pooled. {_BASELINE}{stated}"


def thresholds(gains: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return scores between those of runs, and beyond them, as many as a figure needs.

    No run has such a score, so that it does not matter whether a run that equals a threshold is
    beyond it. If there are too many, they are quantiles.
    """
    known = ~np.isnan(gains)
    values = gains[known]
    order = np.argsort(values, kind="stable")
    noise = NOISE * np.broadcast_to(sizes, gains.shape)[known][order]
    ordered = values[order]
    apart = np.diff(ordered) > np.maximum(noise[1:], noise[:-1])
    between = (ordered[:-1] / 2 + ordered[1:] / 2)[apart]
    edge = 0.02 * (ordered[-1] - ordered[0]) or max(0.02 * abs(ordered[0]), 1e-3)
    if len(between) > _MOST_THRESHOLDS:
        places = np.linspace(0, len(between) - 1, _MOST_THRESHOLDS)
        between = between[np.rint(places).astype(np.int64)]
    return np.concatenate([[ordered[0] - edge], between, [ordered[-1] + edge]])


# -------------------------------------------------------------------------------- notes


def notes_of_runs(experiment: Experiment, runs: Runs, confidence: float) -> Iterator[Note]:
    """Yield notes on how many runs there are, and on how they are used."""
    names = experiment.algorithms
    single = [name for name, most in zip(names, runs.most, strict=True) if most == 1]
    if not {*experiment.fewer_runs} <= {*single}:
        yield from _notes.of_fewer_runs(experiment)
    yield from _notes.of_turned(experiment)
    if experiment.n_folds > 1:
        yield Note(
            "folds-averaged",
            "A run's score on a data set is its mean over "
            f"{plural(experiment.n_folds, 'fold', experiment.fewest[0])}; how much these vary is "
            "not used.",
        )
    if runs.n_cut:
        yield Note(
            "cut-runs",
            f"On {plural(runs.n_cut, 'data set')}, an algorithm has fewer runs of some folds than "
            "of others; only as many runs are used as there are of every fold.",
        )
    if single:
        verb = "is" if len(single) == 1 else "are"
        yield Note(
            "deterministic",
            f"{named(single)} {verb} treated as deterministic, because there is one run on each "
            "data set, which says nothing about noise. If the result depends on a random seed, "
            "more runs are needed.",
        )
    repeated = runs.fewest[runs.most > 1]
    if len(repeated):
        yield from _few_runs(int(repeated.min()), confidence)


def _few_runs(least: int, confidence: float) -> Iterator[Note]:
    """Yield a note on intervals of fewer runs than they need."""
    if least >= _ENOUGH:
        return
    *measured, last = (f"{share:.2f} with {n}" for n, share in MEASURED_COVERAGE.items())
    told = (
        "In simulations, intervals of nominal coverage 0.95 contained the true aggregate with "
        f"probability {', '.join(measured)} and {last} runs (the least of several aggregates and "
        "distributions)."
    )
    if least < min(MEASURED_COVERAGE) + 1:
        few = "one run" if least == 1 else f"{least} runs"
        yield Note(
            "two-runs",
            f"Some algorithm has only {few} on a data set: its intervals show next to nothing of "
            f"how much runs vary. {told}",
        )
        return
    yield Note(
        "few-runs",
        f"With {least} runs on a data set, the {100 * confidence:g} % intervals are too short. "
        f"{told}",
    )


def notes_of_pairs(
    experiment: Experiment, improvement: FloatArray, confidence: float
) -> Iterator[Note]:
    """Yield notes on what the intervals mean, and on those without width."""
    extreme = int((improvement == 1).sum())
    if extreme:
        yield Note(
            "always-better",
            f"For {plural(extreme, 'pair')}, every run of one algorithm is better than every run "
            "of the other on the same data set: the interval of that probability has no width, "
            "since drawing the same runs again shows nothing else. More runs might.",
        )
    m = experiment.n_algorithms * (experiment.n_algorithms - 1) // 2
    alone = ""
    if m > 1:
        alone = (
            f" Each holds by itself at {100 * confidence:g} %: of {m} pairs, some may well miss "
            "the true probability."
        )
    yield Note(
        "these-datasets",
        "The intervals are about the noise of the runs: how much the estimates would change with "
        "other runs of the same algorithms on the same data sets. They are no tests, and say "
        f"nothing about other data sets.{alone}",
    )
