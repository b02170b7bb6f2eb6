"""What every analysis takes from an experiment: scores the smaller the better, its design."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import MAXIMIZE
from nbcompare._validation import DataError, listed
from nbcompare._version import __version__
from nbcompare.experiment import Experiment
from nbcompare.results import Design, Labelled


def check_experiment(experiment: object) -> None:
    """An error that says how to make one, unless it is an Experiment."""
    if not isinstance(experiment, Experiment):
        raise TypeError(
            f"`experiment` must be an Experiment; got {type(experiment).__name__}. "
            "Make one with Experiment.from_frame(frame, direction=...)."
        )


def oriented_scores(
    experiment: Experiment, *, gaps: bool = False
) -> tuple[FloatArray, FloatArray | None]:
    """Mean scores, smaller is better, and the magnitude of what they are means of.

    Shape (n_datasets, n_algorithms). A missing score is an error that names the cell, or
    NaN if there may be ``gaps``.
    """
    if experiment.is_interval:
        raise DataError(
            "`experiment` holds interval-valued scores, whose ranks are not single numbers; "
            "compare_stochastic compares intervals. To rank their midpoints, "
            "make an Experiment of those."
        )
    for count, noun in (
        (experiment.n_algorithms, "algorithms"),
        (experiment.n_datasets, "data sets"),
    ):
        if count < 2:
            raise DataError(f"`experiment` must hold at least 2 {noun} to compare; got {count}.")
    if experiment.missing.any() and not gaps:
        cells = np.argwhere(experiment.missing)
        where = listed(
            [f"{experiment.algorithms[j]} on {experiment.datasets[i]}" for i, j in cells], most=5
        )
        raise DataError(
            f"`experiment` has no score for {where}. Leave out those data sets or algorithms "
            "with experiment.select(...), or add the scores."
        )
    scores = experiment.mean_scores
    scale = None
    if experiment.n_folds * experiment.n_runs > 1:
        # a missing cell is all NaN; its size is of no account
        known = np.where(experiment.missing[:, :, None, None], 0.0, experiment.scores)
        scale = np.nanmax(np.abs(known), axis=(2, 3))
    return (-scores if experiment.direction == MAXIMIZE else scores), scale


def design_of(experiment: Experiment, options: Mapping[str, Any]) -> Design:
    """Data and options, as a result records them."""
    return Design(
        algorithms=experiment.algorithms,
        datasets=experiment.datasets,
        n_datasets=experiment.n_datasets,
        n_folds=experiment.n_folds,
        n_runs=experiment.n_runs,
        direction=experiment.direction,
        measure=experiment.measure,
        citation=experiment.citation,
        fingerprint=experiment.fingerprint,
        version=__version__,
        options=Labelled(options),
    )
