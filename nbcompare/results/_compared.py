"""What a comparison by ranks holds, which its sentences and its tables read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import BEST, TWO_SIDED
from nbcompare.results._result import Result
from nbcompare.results.hypotheses import Hypotheses, OmnibusResult
from nbcompare.results.labelled import Labelled
from nbcompare.words import P_LAWS, PROCEDURES, RANKINGS


def level_text(confidence: float) -> str:
    """Return a confidence level as text, such as ``99.17 %``."""
    return f"{100 * confidence:.4g} %"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Compared(Result):
    """The fields of a comparison by ranks, which :class:`Comparison` explains, and their names."""

    ranking: str
    pairs: str
    method: str
    control: str | None
    adjust: tuple[str, ...]
    alpha: float
    missing: str
    formulas: str
    average_ranks: Labelled[float]
    standard_error: float | None
    omnibus: Labelled[OmnibusResult]
    hypotheses: Hypotheses
    groups: tuple[tuple[str, ...], ...] | None
    critical_difference: float | None
    mean_scores: Labelled[float] | None = None
    n_pooled: int = 0
    kendalls_w: float | None = None
    tied: bool | None = None
    why: str = ""
    intervals: str = "none"
    confidence: float | None = None
    without_intervals: str = ""
    margin: float | None = None
    several_scales: bool = False

    @property
    def has_gaps(self) -> bool:
        """Return whether scores are missing on the data sets that were ranked."""
        return self.design.n_missing > 0

    @property
    def rank_name(self) -> str:
        """What the average ranks are called."""
        return "adjusted average rank" if self.has_gaps else RANKINGS[self.ranking].average_rank

    @property
    def ordered(self) -> tuple[str, ...]:
        """Algorithms from best to worst average rank; ties in the order of the data."""
        return tuple(sorted(self.average_ranks, key=self.average_ranks.__getitem__))

    @property
    def alternative(self) -> str:
        """What tests of the control ask of it: the option used."""
        return str(self.design.options.get("alternative", TWO_SIDED))

    @property
    def sides(self) -> str:
        """The alternative in words: ``two-sided``, or ``one-sided: C4.5 is better``."""
        one = f"one-sided: {self.control} is {self.alternative}"
        return TWO_SIDED if self.alternative == TWO_SIDED else one

    @property
    def p_law(self) -> str:
        """Where p comes from, for a caption, with the alternative of one-sided tests."""
        one = "" if self.alternative == TWO_SIDED else f", one-sided: control {self.alternative}"
        return f"{P_LAWS[self.method]}{one}"

    @property
    def procedure(self) -> str:
        """Name of the deciding procedure, for the text of a paper."""
        if not self.adjust:
            return "no adjustment"
        return PROCEDURES[self.adjust[0]].label_with(self.family_control)

    @property
    def margin_text(self) -> str:
        """The margin with what it is of, such as ``0.05 (AUC)``; empty without one."""
        measure = f" ({self.design.measure})" if self.design.measure else ""
        return "" if self.margin is None else f"{self.margin:g}{measure}"

    @property
    def margin_confidence(self) -> float:
        """Confidence level of the intervals that are compared with a margin."""
        return 1 - self.alpha / (self.n_pooled or len(self.hypotheses))

    @property
    def pool(self) -> str:
        """Whose hypotheses p-values are adjusted over, where these are more than are shown."""
        if not self.n_pooled:
            return ""
        return " about all pairs" if self._is_out_of_all_pairs else " of all groups"

    @property
    def family_control(self) -> str | None:
        """The control if p-values are adjusted over the comparisons with it; None for all pairs."""
        return None if self._is_out_of_all_pairs else self.control

    @property
    def _is_out_of_all_pairs(self) -> bool:
        """Whether the data chose the control, whose comparisons are then part of those of all."""
        k = len(self.design.algorithms)
        return self.design.options["control"] == BEST and self.n_pooled == k * (k - 1) // 2

    @property
    def adjustment(self) -> str:
        """The procedure, and the family if it has the hypotheses of other groups too."""
        over = f" over {self.n_pooled} hypotheses{self.pool}" if self.n_pooled else ""
        return f"{self.procedure}{over}"

    @property
    def rank_sums(self) -> tuple[FloatArray, FloatArray] | None:
        """R+ and R− of Wilcoxon's tests, by pair; None unless pairs are tested by these.

        The sums of the ranks of the differences where the first is better, and where it is worse.
        """
        tests = self.hypotheses
        wins, ties, losses = tests.wins, tests.ties, tests.losses
        if self.pairs != "wilcoxon" or wins is None or ties is None or losses is None:
            return None
        n = wins + ties // 2 * 2 + losses  # one of an odd number of ties is left out
        total = n * (n + 1) / 2
        return (total + tests.statistic) / 2, (total - tests.statistic) / 2

    @property
    def combined_p(self) -> float | None:
        """The p of all comparisons with the control together, if these are not adjusted.

        1 − ∏(1 − p) of Wilcoxon's tests, as if they were independent (García et al. 2009).
        """
        if self.control is None or self.adjust or self.pairs != "wilcoxon":
            return None
        with np.errstate(divide="ignore"):  # where a p is 1
            return float(-np.expm1(np.log1p(-self.hypotheses.pvalue).sum()))

    @property
    def interval_text(self) -> str:
        """What one of the intervals is called, with the level at which it holds; or nothing."""
        if self.confidence is None:
            return ""
        if self.intervals == "simultaneous" and len(self.hypotheses) > 1:
            return f"simultaneous {level_text(1 - self.alpha)} interval"
        return f"{level_text(self.confidence)} interval"

    @property
    def about_margin(self) -> str:
        """What a caption says of the margin; nothing without one."""
        if self.margin is None:
            return ""
        level = ""
        if self.confidence != self.margin_confidence:
            level = f", by {level_text(self.margin_confidence)} intervals"
        return f"; decisions with a margin of {self.margin:g}{level}"
