"""The designs that are planned for: comparisons with the options of the caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from nbcompare.analysis import compare_stochastic
from nbcompare.analysis.decisions import (
    Decisions,
    decisions,
    decisions_on_folds,
    decisions_within,
)
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.experiment import Experiment
from nbcompare.results import Comparison, Hypotheses
from nbcompare.results.imprecise import REJECTED
from nbcompare.stats.posthoc import all_pairs
from nbcompare.study._verdict import FIRST, NONE, SECOND, Verdict

Adjust = str | tuple[str, ...] | None
_CORRECTED = "corrected"
_NO_INTERVALS = "none"  # they decide nothing, and take time


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedComparison:
    """The decisions of :func:`nbcompare.compare` with the options of the caller.

    Options that are ``auto`` are settled as they will be when the experiment is made.
    """

    control: str | None
    pairs: str
    ranking: str
    adjust: Adjust
    alpha: float
    method: str
    scale: str
    formulas: str

    @property
    def name(self) -> str:
        """Name of the design."""
        return "comparison"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:  # noqa: ARG002
        """Return the outcome for each pair; pairs that are not tested have none."""
        return self.of_many([experiment])[0]

    def tested(self, experiment: Experiment) -> Comparison:
        """Return the comparison itself."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        return compare_datasets(experiment, **options, intervals=_NO_INTERVALS)

    def of_many(self, experiments: Sequence[Experiment]) -> list[Verdict]:
        """Return the outcomes of several experiments of one size."""
        if self.formulas != _CORRECTED:
            results = map(self.tested, experiments)
            return [_of_tests(result.hypotheses, result.design.algorithms) for result in results]
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        found = decisions(experiments, options)
        return list(_verdicts(found, experiments[0].n_algorithms))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFolds:
    """The decisions of :func:`nbcompare.compare_cv` on the folds of one data set.

    The ratio of test to training sets stays that of the pilot, as with more random splits.
    """

    control: str | None
    adjust: Adjust
    alpha: float
    ratio: float

    @property
    def name(self) -> str:
        """Name of the design."""
        return "cross-validation"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:  # noqa: ARG002
        """Return the outcome for each pair."""
        return self.of_many([experiment])[0]

    def of_many(self, experiments: Sequence[Experiment]) -> list[Verdict]:
        """Return the outcomes of several experiments of one size."""
        found = decisions_on_folds(experiments, self.control, self.adjust, self.alpha, self.ratio)
        return list(_verdicts(found, experiments[0].n_algorithms))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWithin:
    """The decisions on the items of one benchmark, or on independent runs on one data set."""

    unit: str
    control: str | None
    adjust: Adjust
    alpha: float

    @property
    def name(self) -> str:
        """Name of the design."""
        return self.unit

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:  # noqa: ARG002
        """Return the outcome for each pair."""
        found = decisions_within(experiment, self.control, self.adjust, self.alpha)
        return next(_verdicts(found, experiment.n_algorithms))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRuns:
    """The decisions of :func:`nbcompare.compare_stochastic` on the runs of folds."""

    control: str | None
    adjust: Adjust
    alpha: float

    @property
    def name(self) -> str:
        """Name of the design."""
        return "repeated runs"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair; without a direction, there is none."""
        tests = compare_stochastic(
            experiment, control=self.control, adjust=self.adjust, alpha=self.alpha, rng=rng
        ).hypotheses
        place = experiment.algorithms.index
        rejected = np.array([word == REJECTED for word in tests.outcome])
        found = Decisions(
            np.array([place(name) for name in tests.first]),
            np.array([place(name) for name in tests.second or ()]),
            tests.favours[np.newaxis].astype(np.float64),
            rejected[np.newaxis],
        )
        return next(_verdicts(found, experiment.n_algorithms))


def _verdicts(found: Decisions, k: int) -> Iterator[Verdict]:
    first, second = all_pairs(k)
    places = {pair: at for at, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    tested = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    straight = np.array([pair in places for pair in tested])
    columns = np.array([places.get(pair, places.get(pair[::-1])) for pair in tested])
    gains = np.sign(found.statistic).astype(int) * found.rejected * np.where(straight, 1, -1)
    table = np.zeros((len(gains), len(places)), dtype=int)
    table[:, columns] = gains
    words = (NONE, FIRST, SECOND)  # 0, 1 and -1
    for row in table.tolist():
        yield Verdict(tuple(words[sign] for sign in row))


def _of_tests(tests: Hypotheses, algorithms: tuple[str, ...]) -> Verdict:
    place = algorithms.index
    found = Decisions(
        np.array([place(name) for name in tests.first]),
        np.array([place(name) for name in tests.second]),
        tests.statistic[np.newaxis],
        tests.rejected[np.newaxis],
    )
    return next(_verdicts(found, len(algorithms)))
