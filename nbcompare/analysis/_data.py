"""The scores of an experiment, turned so that smaller is better, and its design."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._options import MAXIMIZE
from nbcompare._validation import DataError
from nbcompare.analysis.rules import GAPS, State, check_rules, facts_of_scores
from nbcompare.experiment import Experiment, experiment_of
from nbcompare.histories import Histories
from nbcompare.results import Design, Labelled

# Resamples of fewer data sets are too alike: of 2, half of them hold one data set only
FEWEST_RESAMPLED = 6


def check_experiment(
    experiment: object, direction: str | None = None, *, by_order: bool = False
) -> Experiment:
    """Return the experiment, or raise an error that says how to make one.

    Of a dataframe with a direction, functions get an Experiment; see ``analysis/frames.py``.
    ``by_order`` says that the function uses the order of scores alone, so that they may be
    infinite.
    """
    data = experiment_of(experiment, direction)
    if data.n_infinite and not by_order:
        raise DataError(
            f"`experiment` holds {told_infinite(data)}, of which the order alone is known. "
            "Use compare(experiment), which then tests average ranks, "
            "multiple_sign_test(experiment, control), which counts wins, or "
            "rank_intervals(experiment); or leave out data sets with experiment.select(...)."
        )
    return data


def refuse_items(experiment: Experiment) -> None:
    """Refuse items, which are no folds and no runs: they are independent, and paired."""
    if experiment.unit == "items":
        raise DataError(
            "`experiment` holds items of a benchmark, which are no folds and no runs: use "
            "compare_items(experiment)."
        )


def told_infinite(experiment: Experiment) -> str:
    """Count the infinite scores in words: ``12 of 72 scores that are infinite (no success)``."""
    n, cells = experiment.n_infinite, experiment.missing.size
    return (
        f"{n:,} of {cells:,} scores that {'is' if n == 1 else 'are'} infinite "
        f"({experiment.infinite})"
    )


def own_scores(
    experiment: Experiment, *, gaps: bool = False
) -> tuple[FloatArray, FloatArray | None]:
    """Return the mean scores in their own direction, and the magnitude of what was averaged.

    Both have the shape (n_datasets, n_algorithms); the magnitude is None if nothing was
    averaged. A missing score is an error that names the cell, or NaN if ``gaps`` are allowed.
    """
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, whose ranks are not single numbers; "
            "compare_stochastic compares intervals. To rank their midpoints, "
            "make an Experiment of those."
        )
    if experiment.n_algorithms < 2:
        raise DataError(
            "`experiment` must hold at least 2 algorithms to compare; got "
            f"{experiment.n_algorithms}."
        )
    check_several_datasets(experiment)
    if not gaps and experiment.missing.any():
        check_rules(GAPS, State(missing="raise", **facts_of_scores(experiment)), "missing")
    if experiment.n_infinite:
        return _in_order(experiment), None
    return experiment.mean_scores, magnitude(experiment)


def _in_order(experiment: Experiment) -> FloatArray:
    """Return finite numbers with the order and the ties of scores, some of which are infinite.

    The scores of each data set are divided by the largest finite one, and infinite ones tie beyond
    all others; nothing but their order within the data set has a meaning.
    """
    scores = experiment.mean_scores
    sizes = np.where(np.isfinite(scores), np.abs(scores), 0.0).max(axis=1, keepdims=True)
    shares = scores / np.where(sizes > 0, sizes, 1.0)
    return np.clip(shares, -2.0, 2.0)


def check_several_datasets(experiment: Experiment) -> None:
    """Refuse a single data set, and say what compares algorithms on it."""
    if experiment.n_datasets > 1:
        return
    text = (
        "`experiment` must hold at least 2 data sets to compare; got 1. One data set says nothing "
        "about others."
    )
    within = {"folds": "compare_cv", "runs": "compare_runs", "items": "compare_items"}
    text += (
        f" To compare the algorithms on this one alone, by its {experiment.unit}, use "
        f"{within[experiment.unit]}(experiment)."
        if experiment.unit in within
        else " Add data sets; or, to compare the algorithms on this one alone, the scores of its "
        "folds, runs or items."
    )
    raise DataError(text)


def too_few_to_resample(n: int) -> str:
    """Say why so few data sets are not resampled, as a sentence."""
    return (
        f"A bootstrap of fewer than {FEWEST_RESAMPLED} data sets, here {n}, gives intervals that "
        "are far too short."
    )


def magnitude(experiment: Experiment) -> FloatArray | None:
    """Return the magnitude of what was averaged, 0 for a missing score; None if nothing was."""
    if experiment.n_folds * experiment.n_runs == 1:
        return None
    return np.asarray(np.nan_to_num(np.abs(experiment.lower)).max(axis=(2, 3)))


def oriented_scores(
    experiment: Experiment, *, gaps: bool = False
) -> tuple[FloatArray, FloatArray | None]:
    """Return the scores of :func:`own_scores` turned so that smaller is better."""
    scores, scale = own_scores(experiment, gaps=gaps)
    return oriented(scores, experiment), scale


def oriented(scores: FloatArray, experiment: Experiment) -> FloatArray:
    """Return scores turned so that smaller is better."""
    return -scores if experiment.direction == MAXIMIZE else scores


def in_order(labels: Iterable[str], *keys: FloatArray) -> IntArray:
    """Return the order of data sets by keys, the last one first, and then by label.

    Random draws belong to data sets in this order, so that it does not matter how a table is
    sorted.
    """
    return np.lexsort((np.array([*labels], dtype=np.str_), *keys))


def seed_of(rng: object) -> int | str | None:
    """Return what a result can record of a random generator: a seed or the name of its class."""
    if rng is None:
        return None
    return int(rng) if isinstance(rng, Integral) else type(rng).__name__


class _Fingerprint(NamedTuple):
    """The fingerprint of an experiment, which is computed later."""

    experiment: Experiment
    names: tuple[str, ...] = ("fingerprint",)

    def column(self, name: str, _: object = None) -> dict[str, str]:
        """Return the fingerprint by its name."""
        return {name: self.experiment.fingerprint}


def design_of(
    experiment: Experiment, options: Mapping[str, Any], *, given: Experiment | None = None
) -> Design:
    """Return the data and options as a result records them.

    ``given`` is the experiment before data sets with missing scores were left out.
    """
    left_out: tuple[str, ...] = ()
    if given is not None and given is not experiment:
        kept = set(experiment.datasets)
        left_out = tuple(name for name in given.datasets if name not in kept)
    return Design(
        algorithms=experiment.algorithms,
        datasets=experiment.datasets,
        n_datasets=experiment.n_datasets,
        n_folds=experiment.n_folds,
        n_runs=experiment.n_runs,
        direction=experiment.direction,
        measure=experiment.measure,
        citation=experiment.citation,
        options=Labelled(
            {name: seed_of(it) if name == "rng" else it for name, it in options.items()}
        ),
        left_out=left_out,
        treated=str(options.get("missing", "")) if given is not None and given.losses.any else "",
        n_missing=int(experiment.missing.sum()),
        turned=experiment.turned,
        fewest=experiment.fewest,
        unit=experiment.unit or "datasets",
        later=_Fingerprint(
            experiment
        ),  # the fingerprint of many scores takes longer than their ranks
    )


def design_of_histories(data: Histories, given: Histories, options: Mapping[str, Any]) -> Design:
    """Return the data and options as the result records them.

    ``given`` holds the histories before problems with missing runs were left out.
    """
    kept = set(data.problems)
    return Design(
        algorithms=data.algorithms,
        datasets=data.problems,
        n_datasets=len(data.problems),
        n_runs=int(data.values.shape[2]),
        direction=data.direction,
        measure=data.measure,
        citation=data.citation,
        fingerprint=data.fingerprint,
        options=Labelled(options),
        left_out=tuple(problem for problem in given.problems if problem not in kept),
    )
