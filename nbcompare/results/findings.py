"""The findings of a comparison by ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import BEST, TWO_SIDED
from nbcompare._render import format_number, format_rounded, stated_p
from nbcompare.results._result import Result
from nbcompare.results.hypotheses import Hypotheses, OmnibusResult, better_first
from nbcompare.results.labelled import Labelled
from nbcompare.results.sentences import (
    MOST_LISTED,
    Pairs,
    about_margin,
    caveat,
    established,
    leader,
    level_text,
)
from nbcompare.results.wording import counted, in_measure, joined, number
from nbcompare.words import OMNIBUS, P_LAWS, PAIRWISE_TESTS, PROCEDURES, RANKINGS


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


# Notes on how the scores came about, which matter less than what was not found
_OF_THE_DATA = ("averaged", "turned", "fewer-runs", "one-sided", "printed-formulas")
_POWERLESS = "never-significant"  # which comes first
# Pairs whose effects are computed for a sentence, where there are so many data sets
_MOST_COMPUTED, _MANY_DATASETS = 20, 10_000


def account(result: Compared, firmness: str = "") -> tuple[tuple[str, ...], ...]:
    """Return the findings as paragraphs: what was found, how firm it is, a caveat, the claims."""
    tests = result.hypotheses
    found = [row for row in range(len(tests)) if tests.rejected[row]]
    margin = about_margin(tests, result.margin_text)
    sizes = [_largest(result, found) if found or len(tests) == 1 else "", margin]
    return (
        (
            _powerless(result),
            _leader(result),
            _established(result, found),
            *(sizes if found else sizes[::-1]),
        ),
        (firmness, _disagreement(result, found)),
        # a note that could change a decision
        (caveat(result, but=(_POWERLESS, *_OF_THE_DATA)),),
        ("" if _powerless(result) else _claims(result, found),),
    )


# ------------------------------------------------------------------------------ who is best


def _powerless(result: Compared) -> str:
    """Say first if no difference can be significant, and how many data sets could help."""
    return next((note.text for note in result.notes if note.code == _POWERLESS), "")


def _leader(result: Compared) -> str:
    ranks, ordered, noun = result.average_ranks, result.ordered, result.rank_name
    design = result.design
    scores = "" if design.direction is None else f"; {design.measure or 'scores'}, {design.better}"

    def show(name: str) -> str:
        return format_number(ranks[name], 2)

    where = counted(design.n_datasets, "data set")
    return leader(noun, where, ordered, ranks, show, scores, result.control)


# ------------------------------------------------------------------ which differences there are


def _established(result: Compared, found: Sequence[int]) -> str:
    pairs = Pairs.of(result.hypotheses, result.ordered, result.control, result.alternative)
    if found or len(pairs) == 1 or result.alternative != TWO_SIDED:
        test = PAIRWISE_TESTS[result.pairs].test.replace("AVERAGE", result.rank_name)
        return f"{_overall(result)}{established(pairs, test=test)}"
    omnibus = list(result.omnibus.values())[-1]
    if omnibus.pvalue <= result.alpha:
        return established(pairs)
    among = stated_p(omnibus.p_text)
    return (
        f"No significant difference was found: neither among all algorithms ({among}) nor "
        f"{pairs.anywhere} ({pairs.smallest})."
    )


def _overall(result: Compared) -> str:
    """Say first that the algorithms differ, where pairs of several do, too."""
    if not result.omnibus or not result.hypotheses.rejected.any():
        return ""
    name, omnibus = list(result.omnibus.items())[-1]
    if omnibus.pvalue > result.alpha or len(result.hypotheses) == 1:
        return ""
    return f"The algorithms differ ({OMNIBUS[name].statistic}, {stated_p(omnibus.p_text)}). "


# ------------------------------------------------------------------------------ how large


def _largest(result: Compared, found: Sequence[int]) -> str:
    tests = result.hypotheses
    rows = list(found) or [0]
    if not tests.has_estimates:
        return _clearest(result, found)
    if not _quick(result, rows):
        return ""
    sizes = np.abs(tests.effects(rows)["estimate"])
    row = rows[int(np.argmax(sizes))]
    effects = tests.effects([row])
    ((estimate, interval),) = tests.differences([row], effects=effects)
    better, worse = better_first(tests, row)
    if effects["estimate"][0] == 0:  # as most differences tie
        return _clearest(result, found) or f"The {PAIRWISE_TESTS[result.pairs].estimate} is 0."
    size = in_measure(result.design, estimate)
    inside = f", with a {_interval(result)} from {interval}" if interval else ""
    if found and 0 in (effects.get("lower", [1])[0], effects.get("upper", [1])[0]):
        # the decision is the other bound
        inside = f", at most {interval.partition(' to ')[2]} by its {_interval(result)}"
    if len(tests) == 1 or not found:
        return f"{'This' if found else 'The estimated'} difference is {size}{inside}."
    which = "largest significant" if len(rows) > 1 else "significant"
    return f"The {which} difference, {better} over {worse}, is {size}{inside}."


def _quick(result: Compared, rows: Sequence[int]) -> bool:
    """Whether the effects of these pairs are computed in an instant."""
    return result.design.n_datasets <= _MANY_DATASETS or len(rows) <= _MOST_COMPUTED


def _interval(result: Compared) -> str:
    """Name the intervals of the estimates, with the level at which they hold."""
    alone = result.intervals == "pairwise" and len(result.hypotheses) > 1
    return f"{result.interval_text}{' of its own' if alone else ''}"


def _clearest(result: Compared, found: Sequence[int]) -> str:
    """Count wins where differences cannot be estimated, or where most of them are 0."""
    tests = result.hypotheses
    if not found or not tests.has_effects:
        return ""
    # of equal p, the tests by signs have the larger sum where the difference is clearer
    p, size = tests.log10_pvalue, np.abs(tests.statistic)
    row = min(found, key=lambda row: (p[row], -size[row]))
    effects = tests.effects([row])
    better, worse = better_first(tests, row)
    counts = [int(effects[name][0]) for name in ("wins", "ties", "losses")]
    wins, ties, losses = counts if better == tests.first[row] else counts[::-1]
    opening = "" if len(found) == 1 else "Most clearly, "
    total = sum(counts)
    where = f"on {wins:,} of {total:,} data sets and worse on {losses:,}"
    if wins == total:
        where = f"on all {total:,} data sets"
    tied = f", with {ties:,} tied" if ties else ""
    means = ""
    if tests.has_estimates:
        mean = in_measure(result.design, format_rounded(abs(float(effects["mean_difference"][0]))))
        means = f"; the means differ by {mean}"
    return f"{opening}{better} is better than {worse} {where}{tied}{means}."


# ------------------------------------------------------------ where verdicts differ, how firm


def _disagreement(result: Compared, found: Sequence[int]) -> str:
    """Say why the omnibus test, the pairs, their intervals or the ranks disagree, if they do."""
    if len(result.hypotheses) == 1:
        return ""
    omnibus = list(result.omnibus.values())[-1]
    overall = omnibus.pvalue <= result.alpha
    p = stated_p(omnibus.p_text)
    if found and not overall:
        return (
            f"The test of all algorithms together is not significant ({p}); pairs are tested "
            "whatever it says."
        )
    if overall and not found:
        text = f"The test of all algorithms together is significant ({p}), although no "
        return f"{text}{_why_no_pair(result)}."
    if any(note.code == "opposite-ranks" for note in result.notes):
        return (
            "A significantly better algorithm has the worse average rank: average ranks count how "
            "often it is better, the test of pairs also by how much."
        )
    return ""


def _why_no_pair(result: Compared) -> str:
    """Say what keeps the pairs from a significant difference, as far as numbers show it."""
    pair = "pair is"
    if result.control is not None:
        pair = "comparison with the control is"
        if result.alternative != TWO_SIDED:
            pair = f"comparison shows the control to be {result.alternative}"
    if _powerless(result):
        return f"{pair}: {counted(result.design.n_datasets, 'data set')} are too few for that"
    return pair


# ------------------------------------------------------------------------------- the claims


def _claims(result: Compared, found: Sequence[int]) -> str:
    """Say which claims that a reader might make the decisions do not support."""
    tests = result.hypotheses
    if len(found) == len(tests):
        compared = result.control is None or len(tests) == 1
        return "" if compared else "The other algorithms were not compared with one another."
    told = [_candidates(result, found)]
    if result.alternative != TWO_SIDED:
        told.append("What is not shown may still be so.")
    elif result.margin is None:
        reach = _reach(result) if len(tests) > 1 else ""  # else its interval has been stated
        told.append(f"Not significant does not mean equal{reach}.")
    return " ".join(filter(None, told))


def _candidates(result: Compared, found: Sequence[int]) -> str:
    """Say which algorithms may be the best, where some are significantly worse than others."""
    best, tests = result.ordered[0], result.hypotheses
    if not found or len(result.ordered) == 2 or result.control not in (None, best):
        return ""
    worse = {better_first(tests, row)[1] for row in found}
    left = [name for name in result.ordered if name not in worse]
    if len(left) < 2:
        return ""
    names = joined(left) if len(left) <= MOST_LISTED else f"{number(len(left))} algorithms"
    return f"Which one is best remains open: {names} are not significantly worse than any other."


def _reach(result: Compared) -> str:
    """Say up to which size differences that are not significant remain possible."""
    tests = result.hypotheses
    lower, upper = tests.lower, tests.upper
    if result.confidence is None or lower is None or upper is None:
        return ""
    if not _quick(result, range(len(tests))):
        return ""
    ends = np.maximum(np.abs(lower), np.abs(upper))[~tests.rejected]
    if not np.isfinite(ends).all() or not ends.max() > 0:
        return ""
    rounded_up = Context(prec=2, rounding=ROUND_CEILING)
    size = rounded_up.create_decimal_from_float(float(ends.max()) * (1 - 1e-9))
    return f": differences up to {format_rounded(float(size))} remain possible"
