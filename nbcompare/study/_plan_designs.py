"""The designs that are planned for: comparisons with the options of the caller."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare.analysis import compare
from nbcompare.experiment import Experiment
from nbcompare.results import Hypotheses
from nbcompare.study._design import in_order, side
from nbcompare.study._model import pairs
from nbcompare.study._verdict import NONE, Verdict

_NO_INTERVALS = "none"  # they decide nothing, and take time


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedComparison:
    """The decisions of :func:`nbcompare.compare` with the options of the caller.

    Options that are ``auto`` are settled for each number of data sets by itself, as they will be
    when the experiment is made.
    """

    control: str | None
    pairs: str
    ranking: str
    adjust: tuple[str, ...] | None
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
        result = compare(
            experiment,
            control=self.control,
            pairs=self.pairs,
            ranking=self.ranking,
            adjust=self.adjust,
            alpha=self.alpha,
            method=self.method,
            scale=self.scale,
            formulas=self.formulas,
            intervals=_NO_INTERVALS,
        )
        return verdict_of(experiment, result.hypotheses)


def verdict_of(experiment: Experiment, tests: Hypotheses) -> Verdict:
    """Return the outcomes of tested pairs."""
    rows = [
        (one, other, side(bool(rejected), float(gain)))
        for one, other, rejected, gain in zip(
            tests.first, tests.second, tests.rejected, tests.statistic, strict=True
        )
    ]
    tested = {frozenset(row[:2]) for row in rows}
    rows += [
        (*pair, NONE) for pair in pairs(experiment.algorithms) if frozenset(pair) not in tested
    ]
    return Verdict(in_order(experiment, rows))
