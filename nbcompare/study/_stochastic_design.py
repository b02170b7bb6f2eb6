"""Designs for algorithms with repeated runs: Bootstrap-A, Bootstrap-B, interval and fuzzy p."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._options import EXACT, OPTIONS
from nbcompare._validation import check_choice, check_count, check_probability, clean_label
from nbcompare.analysis import compare_stochastic
from nbcompare.experiment import Experiment
from nbcompare.results.imprecise import INCONCLUSIVE as UNDECIDED
from nbcompare.results.imprecise import REJECTED
from nbcompare.study._design import ONE_SCALE, adjusted, gated, in_order, side
from nbcompare.study._verdict import (
    INCONCLUSIVE,
    NOT_SIGNIFICANT,
    OMNIBUS_INCONCLUSIVE,
    SIGNIFICANT,
    Verdict,
)
from nbcompare.words import PROCEDURES, STOCHASTIC_PROCEDURES


@dataclass(frozen=True, slots=True, kw_only=True)
class StochasticDesign:
    """Tests of algorithms with repeated runs by :func:`nbcompare.compare_stochastic`.

    Parameters
    ----------
    procedure, test, encoding, coverage, adjust, formulas
        Options of :func:`nbcompare.compare_stochastic`. Without an adjustment, p is raw.
    omnibus : bool, optional
        Whether pairs count only if some algorithm differs from the mean of all, in a test
        adjusted for the number of algorithms, as in the paper of 2013; for ``bootstrap-a`` and
        ``bootstrap-b``, where it is the default.
    method : {"resampling", "exact"}, optional
        How p is computed. The bootstrap tests resample by default, as in the paper: exact p-values
        of scores without a common grid take many times as long. The others are exact.
    n_resamples : int
        Number of resamples.
    alpha : float
        Level.
    label : str
        Name in tables and figures; by default it says which tests are used.

    Examples
    --------
    >>> StochasticDesign(procedure="bootstrap-a").name
    'Bootstrap-A, unadjusted'
    """

    procedure: str = "bootstrap-b"
    test: str | None = None
    encoding: str | None = None
    coverage: float | None = None
    adjust: str | None = None
    omnibus: bool | None = None
    method: str | None = None
    n_resamples: int = 10_000
    formulas: str = "corrected"
    alpha: float = 0.05
    label: str = ""

    def __post_init__(self) -> None:
        """Check the options, and settle those that depend on the procedure."""
        check_choice(self.procedure, "procedure", tuple(STOCHASTIC_PROCEDURES))
        bootstrap = STOCHASTIC_PROCEDURES[self.procedure].is_test
        if self.adjust is not None:
            check_choice(self.adjust, "adjust", tuple(PROCEDURES))
        if self.omnibus is None:
            object.__setattr__(self, "omnibus", bootstrap)
        elif self.omnibus and not bootstrap:
            raise ValueError(
                "`omnibus` must be left out unless the procedure is 'bootstrap-a' or "
                f"'bootstrap-b'; got True with procedure={self.procedure!r}."
            )
        if self.method is None:
            object.__setattr__(self, "method", "resampling" if bootstrap else EXACT)
        OPTIONS["stochastic.method"].check(self.method, "method")
        OPTIONS["formulas"].check(self.formulas, "formulas")
        check_count(self.n_resamples, "n_resamples", least=1)
        if self.encoding is not None:
            OPTIONS["encoding"].check(self.encoding, "encoding")
        if self.coverage is not None:
            OPTIONS["coverage"].check(self.coverage, "coverage")
        check_probability(self.alpha, "alpha")

    @property
    def name(self) -> str:
        """Name in tables and figures."""
        if self.label:
            return clean_label(self.label)
        label = STOCHASTIC_PROCEDURES[self.procedure].label
        printed = ", printed formulas" if self.formulas == "printed" else ""
        test = "" if self.test is None else f" ({self.test})"
        return f"{label}{test}, {adjusted(self.adjust)}{printed}"

    def __call__(self, experiment: Experiment, rng: np.random.Generator) -> Verdict:
        """Return the outcome for each pair."""
        result = compare_stochastic(
            experiment,
            procedure=self.procedure,
            test=self.test,
            encoding=self.encoding,
            coverage=self.coverage,
            adjust=self.adjust,
            alpha=self.alpha,
            method=self.method or EXACT,
            n_resamples=self.n_resamples,
            rng=rng,
            formulas=self.formulas,
            scale=ONE_SCALE,
        )
        tests = result.hypotheses
        rows = zip(tests.first, tests.second or (), tests.outcome, tests.favours, strict=True)
        outcomes = in_order(
            experiment, ((a, b, _interval_word(word, int(side))) for a, b, word, side in rows)
        )
        if not self.omnibus or result.overall is None:
            return Verdict(outcomes)
        level = self.alpha / experiment.n_algorithms
        if (result.overall.p_high <= level).any():
            return gated(outcomes, SIGNIFICANT)
        unclear = bool((result.overall.p_low <= level).any())
        return gated(outcomes, OMNIBUS_INCONCLUSIVE if unclear else NOT_SIGNIFICANT)


def _interval_word(outcome: str, favours: int) -> str:
    """Return the outcome of a pair; a rejection that favours neither is inconclusive."""
    if outcome == UNDECIDED or (outcome == REJECTED and favours == 0):
        return INCONCLUSIVE
    return side(outcome == REJECTED, favours)
