"""What is drawn fold by fold: data set, algorithms, boxes; errors where that is not clear."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._validation import DataError, check_labels, check_name, listed
from nbcompare.experiment import Experiment

# Shape, and whether it is filled, of the other algorithms.
SHAPES = (("D", False), ("^", True), ("s", False), ("v", True), ("P", False), ("X", True))


def chosen_dataset(experiment: Experiment, dataset: str | None) -> str:
    """The one that was named, or the only one."""
    if dataset is not None:
        return check_name(dataset, "dataset", experiment.datasets)
    if experiment.n_datasets == 1:
        return experiment.datasets[0]
    raise ValueError(
        f"`dataset` must name one of the {experiment.n_datasets} data sets, whose scores need "
        f"not be on one scale: {listed(experiment.datasets)}."
    )


def without_runs(experiment: Experiment, algorithm: str, place: int) -> str:
    """Why an algorithm has no boxes, and which ones have."""
    counts = np.isfinite(experiment.scores[place]).sum(axis=-1).max(axis=-1)
    several = [name for name, count in zip(experiment.algorithms, counts, strict=True) if count > 1]
    own = int(counts[experiment.algorithms.index(algorithm)])
    have = f"{listed(several)} {'has' if len(several) == 1 else 'have'}" if several else "none has"
    return (
        f"`algorithm` must have several runs in a fold to make a box; {algorithm!r} on "
        f"{experiment.datasets[place]!r} has {own or 'none'}. On this data set, {have} several."
    )


def chosen_others(
    experiment: Experiment, algorithm: str, others: Iterable[str] | None, place: int
) -> tuple[str, ...]:
    """Those that were named, or the first that have a score on the data set."""
    if others is None:
        there = (
            name
            for name, missing in zip(
                experiment.algorithms, experiment.missing[place].tolist(), strict=True
            )
            if name != algorithm and not missing
        )
        return tuple(there)[: len(SHAPES)]
    names = check_labels(others, "others")
    for name in names:
        check_name(name, "others", experiment.algorithms)
    if algorithm in names:
        raise ValueError(
            f"`others` must be other algorithms; got {algorithm!r}, whose boxes it is."
        )
    if len(names) > len(SHAPES):
        raise ValueError(
            f"`others` must name at most {len(SHAPES)} algorithms, for so many marks are told "
            f"apart; got {len(names)}."
        )
    absent = [n for n in names if experiment.missing[place, experiment.algorithms.index(n)]]
    if absent:
        raise DataError(
            f"`others` must have scores on {experiment.datasets[place]!r}; got {absent[0]!r}, "
            "which has none there."
        )
    return names


class Box:
    """Quartiles, and the outermost runs that are not outliers, as places on the axis."""

    def __init__(self, runs: FloatArray) -> None:
        self.lower, self.median, self.upper = np.quantile(runs, (0.25, 0.5, 0.75)).tolist()
        reach = 1.5 * (self.upper - self.lower)
        inside = runs[(runs >= self.lower - reach) & (runs <= self.upper + reach)]
        # interpolated quartiles may lie beyond every run that is left
        self.least = min(float(inside.min(initial=self.lower)), self.lower)
        self.most = max(float(inside.max(initial=self.upper)), self.upper)
