"""Data and alternative text of fold boxplots, and checks of what to draw."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import BETTER
from nbcompare._render import format_number, plural
from nbcompare._validation import DataError, check_labels, check_name, listed
from nbcompare.experiment import Experiment
from nbcompare.plots._scale import Scale

# Marker shapes of the other algorithms, and whether they are filled.
SHAPES = (("D", False), ("^", True), ("s", False), ("v", True), ("P", False), ("X", True))
_MOST_TOLD = 12  # most folds listed in the alternative text


def chosen_dataset(experiment: Experiment, dataset: str | None) -> str:
    """Return the data set that was named, or the only one."""
    if dataset is not None:
        return check_name(dataset, "dataset", experiment.datasets)
    if experiment.n_datasets == 1:
        return experiment.datasets[0]
    raise ValueError(
        f"`dataset` must name one of the {experiment.n_datasets} data sets, because their scores "
        f"may be on different scales: {listed(experiment.datasets)}."
    )


def without_runs(experiment: Experiment, algorithm: str, place: int) -> str:
    """Return the message that says why an algorithm has no boxes, and which ones have."""
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
    """Return the algorithms that were named, or the first that have a score on the data set."""
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
            f"`others` must be other algorithms; got {algorithm!r}, whose boxes are drawn."
        )
    if len(names) > len(SHAPES):
        raise ValueError(
            f"`others` must name at most {len(SHAPES)} algorithms, because no more marks can be "
            f"told apart; got {len(names)}."
        )
    absent = [n for n in names if experiment.missing[place, experiment.algorithms.index(n)]]
    if absent:
        raise DataError(
            f"`others` must have scores on {experiment.datasets[place]!r}; got {absent[0]!r}, "
            "which has none there."
        )
    return names


class Box:
    """Quartiles and whisker ends (the outermost runs that are no outliers), as axis positions."""

    def __init__(self, runs: FloatArray) -> None:
        self.lower, self.median, self.upper = np.quantile(runs, (0.25, 0.5, 0.75)).tolist()
        reach = 1.5 * (self.upper - self.lower)
        inside = runs[(runs >= self.lower - reach) & (runs <= self.upper + reach)]
        # interpolated quartiles may lie beyond every run that is no outlier
        self.least = min(float(inside.min(initial=self.lower)), self.lower)
        self.most = max(float(inside.max(initial=self.upper)), self.upper)


class FoldRuns:
    """Runs of an algorithm in each of its folds, and the means of other algorithms there.

    Runs, means and boxes are positions on the axis from 0 to 1. Quartiles and means are not
    affected by this scaling, and it avoids huge sums.
    """

    def __init__(
        self, experiment: Experiment, algorithm: str, others: tuple[str, ...], place: int
    ) -> None:
        self.algorithm, self.others = algorithm, others
        self.dataset = experiment.datasets[place]
        self.what, self.better = experiment.measure, BETTER[experiment.direction]
        self.in_folds = len(experiment.folds) > 1
        scores = experiment.scores[place]
        drawn = scores[[experiment.algorithms.index(name) for name in (algorithm, *others)]]
        there = np.isfinite(drawn[0]).any(axis=-1)
        self.folds = [f for f, is_there in zip(experiment.folds, there, strict=True) if is_there]
        drawn = drawn[:, there]
        self.scale = Scale(drawn[np.isfinite(drawn)], log=False)
        places = self.scale.share(np.where(np.isfinite(drawn), drawn, np.nan))
        self.runs = [row[np.isfinite(row)] for row in places[0]]
        self.means = [
            [
                float(row[np.isfinite(row)].mean()) if np.isfinite(row).any() else None
                for row in rows
            ]
            for rows in places
        ]
        self.boxes = [Box(row) for row in self.runs]

    @property
    def measure(self) -> str:
        """Label of the axis."""
        return f"{self.what or 'score'}{self.scale.suffix}, {self.better}"

    @property
    def sizes(self) -> str:
        """Number of runs and folds, such as ``30 runs in each of 10 folds``."""
        counts = {len(runs) for runs in self.runs}
        least, most = min(counts), max(counts)
        runs = plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
        return f"{runs} in each of {len(self.folds)} folds" if self.in_folds else runs

    def alt(self) -> str:
        """Return the alternative text."""
        told = ""
        if len(self.folds) <= _MOST_TOLD:
            means = [self._score(mean) for mean in self.means[0] if mean is not None]
            told = f" Mean {means[0]}."
            if self.in_folds:
                pairs = zip(self.folds, means, strict=True)
                told = f" Mean by fold: {', '.join(f'{fold} {mean}' for fold, mean in pairs)}."
        where = " ".join(map(self._place_of, range(len(self.others))))
        return (
            f"Boxplots of {self.what or 'scores'} ({self.better}) of "
            f"{self.algorithm} on {self.dataset}, {self.sizes}.{told}"
            f"{' ' if where else ''}{where}"
        )

    def _score(self, share: float) -> str:
        low, high = self.scale.low, self.scale.high
        return format_number(float(f"{(low + share * (high - low)):.4g}") * self.scale.unit)

    def _place_of(self, number: int) -> str:
        """Return a sentence that counts the folds with another algorithm below or above the box."""
        pairs = [
            (mean, box)
            for mean, box in zip(self.means[number + 1], self.boxes, strict=True)
            if mean is not None
        ]
        below = sum(mean < box.lower for mean, box in pairs)
        above = sum(mean > box.upper for mean, box in pairs)
        within = len(pairs) - below - above
        name = self.others[number]
        if not self.in_folds:
            where = "below" if below else "above" if above else "within"
            return f"{name} lies {where} the box."
        return (
            f"{name} lies below the box in {plural(below, 'fold')}, within it in {within} and "
            f"above it in {above}."
        )
