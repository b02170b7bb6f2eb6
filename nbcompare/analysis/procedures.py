"""A comparison with all procedures that control the family-wise error, at any level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._options import NORMAL, default
from nbcompare.analysis._notes import of_control
from nbcompare.analysis.ranks import compare_datasets
from nbcompare.experiment import Experiment
from nbcompare.results import Comparison
from nbcompare.stats import adjust, logical
from nbcompare.words import PAIRWISE_TESTS, PROCEDURES

__all__ = ["AllProcedures"]


@dataclass(frozen=True)
class AllProcedures:
    """A family of hypotheses, tested with all procedures that control the family-wise error.

    Attributes
    ----------
    experiment : Experiment
        The scores.
    options : mapping of str to object
        The options of :func:`nbcompare.compare`, without those that say how p is computed and
        adjusted; the methods accept other levels than ``alpha``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> options = {"control": "C4.5", "pairs": "ranks"}
    >>> family = AllProcedures(nbc.datasets.load("demsar2006"), options)
    >>> [round(level, 4) for level in family.levels("holm", 0.05).tolist()]
    [0.0167, 0.025, 0.05]
    >>> family.rejected("holm", 0.05).tolist()
    [True, True, False]
    """

    experiment: Experiment
    options: Mapping[str, Any]

    @cached_property
    def result(self) -> Comparison:
        """The comparison, with the adjusted p-values of all procedures."""
        # p by the normal law, as in the programs whose tables these are
        how: dict[str, Any] = {"adjust": self.names, "method": NORMAL}
        found = compare_datasets(self.experiment, **self.options, **how)
        if not found.n_pooled:
            return found
        # as there, the best ranked counts as if it had been named
        names, averages = list(found.average_ranks), np.array([*found.average_ranks.values()])
        chosen = names.index(str(found.control))
        named = compare_datasets(
            self.experiment, **{**self.options, "control": found.control}, **how
        )
        notes = of_control(self.options["control"], chosen, names, averages)
        return replace(named, notes=(*notes, *named.notes))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the procedures that control the family-wise error and apply to this family."""
        barred = set()
        missing = self.options.get("missing", default("missing"))
        has_gaps = missing == "skillings-mack" and bool(self.experiment.missing.any())
        if not PAIRWISE_TESTS[self.options["pairs"]].by_ranks or has_gaps:
            barred.add("nemenyi")
            if self.experiment.n_algorithms > logical.MOST_ALGORITHMS:
                barred.add("bergmann-hommel")
        return tuple(
            name
            for name, procedure in PROCEDURES.items()
            if procedure.controls == "family-wise error"
            and (self.options.get("control") is None or not procedure.all_pairs_only)
            and name not in barred
        )

    def levels(self, name: str, alpha: float) -> FloatArray:
        """Return the levels that a procedure compares the sorted p-values with."""
        if name == "shaffer":
            return logical.shaffer_alphas(len(self.result.average_ranks), alpha)
        n_hypotheses = len(self.result.hypotheses)
        return adjust.adjusted_alphas(n_hypotheses, name, alpha, formulas=self.result.formulas)

    def rejected(self, name: str, alpha: float) -> BoolArray:
        """Return which hypotheses a procedure rejects at a significance level."""
        tests = self.result.hypotheses
        adjusted = tests.adjusted[name]
        if name == "rom":  # only Rom's adjusted p-values depend on the level
            adjusted = adjust.adjust(tests.pvalue, name, alpha, formulas=self.result.formulas)
        return np.asarray(adjusted <= alpha)
