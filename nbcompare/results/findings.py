"""Findings: who leads, what tests established, and the account of a comparison by ranks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from typing import Any, Self

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._options import BEST, TWO_SIDED
from nbcompare._render import format_number, format_rounded, plural, stated_p
from nbcompare.results._result import Result
from nbcompare.results.hypotheses import (
    DECISIONS,
    DIFFERENT,
    EQUIVALENT,
    INCONCLUSIVE,
    NEGLIGIBLE,
    Hypotheses,
    OmnibusResult,
    better_first,
)
from nbcompare.results.labelled import Labelled
from nbcompare.results.wording import (
    article,
    capital,
    counted,
    every,
    in_measure,
    joined,
    listed_or,
    number,
)
from nbcompare.words import OMNIBUS, P_LAWS, PAIRWISE_TESTS, PROCEDURES, RANKINGS

# A sentence counts more pairs, algorithms or groups than this instead of listing them; the table
# lists all.
MOST_LISTED = 6
NOT_EQUAL = "This does not mean that they perform equally."

# Notes that could change what a reader concludes, by their importance: what makes the answer void,
# what makes an error more likely than stated, what was assumed of the data. What only says how the
# scores were read or used stands with the notes.
_CAVEATS = """
    never-significant all-tied hardly-rejects identical-differences all-alike rope-too-wide
    few-datasets no-variance undecided few-runs targets-from-data coarse-points short-runs
    equal-targets

    page-null no-adjustment finner-true-hypotheses li-dependence logical-relations opposite-signs
    asymmetric folds repetitions control-from-data benjamini-hochberg-dependence
    false-discoveries dependent-folds printed-z printed-rom

    few-problems skillings-mack pretest means ratio pairs-single pairing-ignored fold-order unpaired
    near-threshold cut-runs budgets worst dropped available folds-dropped margin-out-of-reach
    margin-too-wide large-scores not-recommended approximate
"""
CAVEATS = tuple(_CAVEATS.split())


# ------------------------------------------------------------------------------ words


def text_of(result: Any, code: str) -> str:
    """Return the text of a note, so that findings and notes have the same; empty without it."""
    return next((note.text for note in result.notes if note.code == code), "")


def caveat(result: Any, about: str = "", but: Sequence[str] = ()) -> str:
    """Return what a reader should take care of: the note that matters most; empty without one.

    ``about`` comes before it in any case. Notes on procedures that do not decide, which are all
    but the first, do not count, nor do those with a code in ``but``.
    """
    others = tuple(f"{name}-" for name in getattr(result, "adjust", ())[1:])
    texts = {n.code: n.text for n in reversed(result.notes) if not n.code.startswith(others)}
    first = next((texts[code] for code in CAVEATS if code in texts and code not in but), "")
    text = f"{about} {first}".strip()
    return f"Read with care: {text}" if text else ""


# ------------------------------------------------------------------------------ who leads


def leader(
    noun: str,
    where: str,
    ordered: Sequence[str],
    values: Mapping[str, float],
    show: Callable[[str], str],
    scores: str = "",
    control: str | None = None,
) -> str:
    """Say which algorithm has the best average, or which share it, and where a control stands.

    ``where`` names the data, ``ordered`` has the best first, ``values`` are compared, ``show``
    returns the average of an algorithm as text, and ``scores`` ends the parentheses.
    """
    k, first = len(ordered), ordered[0]
    best = [name for name in ordered if _are_equal(values[name], values[first])]
    told = f"({show(first)}{scores})"
    of_all = f"of the {counted(k, 'algorithm')} on {where}"
    if len(best) == k:
        return f"{capital(every(k, 'algorithm'))} have the same {noun} on {where} {told}."
    if len(best) > 1:
        several = f"{number(len(best)).capitalize()} algorithms"
        names = joined(best) if len(best) <= MOST_LISTED else several
        text = f"{names} share the best {noun} {of_all} {told}."
    elif k == 2:
        against = f"{show(first)} against {show(ordered[1])} of {ordered[1]}"
        return f"{first} has the better {noun} {of_all} ({against}{scores})."
    else:
        text = f"{first} has the best {noun} {of_all} {told}."
    if control is None or control in best:
        return text
    before = ordered[: ordered.index(control)]
    ahead = sum(not _are_equal(values[name], values[control]) for name in before)
    behind = f"{number(ahead)} {'other' if ahead == 1 else 'others'}"
    place = f"{article(noun)} {noun} of {show(control)}, behind {behind}"
    return f"{text} The control, {control}, has {place}."


def _are_equal(one: float, other: float) -> bool:
    """Return whether two averages differ by no more than the rounding of their sums."""
    return math.isclose(one, other, rel_tol=1e-12)


# ------------------------------------------------------------------ which differences there are


@dataclass(frozen=True)
class Pairs:
    """The tested pairs of a result, as sentences tell of them.

    Attributes
    ----------
    first, second : sequence of str
        The algorithms of each pair; the first is the control if there is one.
    sides : sequence of int
        1 where the first is better, -1 where the second is, 0 where that is not known.
    found : tuple of int
        The pairs with a significant difference.
    control : str or None
        The control; None for all pairs.
    ordered : tuple of str
        The algorithms, best first.
    text : callable
        Returns the deciding p-value of a pair as text.
    size : callable
        Returns a number that orders the deciding p-values.
    adjusted : bool
        Whether p-values are adjusted.
    alternative : {"two-sided", "better", "worse"}
        What the tests of a control ask of it.
    """

    first: Sequence[str]
    second: Sequence[str]
    sides: Sequence[int]
    found: tuple[int, ...]
    control: str | None
    ordered: tuple[str, ...]
    text: Callable[[int], str]
    size: Callable[[int], float]
    adjusted: bool
    alternative: str = TWO_SIDED

    @classmethod
    def of(
        cls,
        tests: Hypotheses,
        ordered: tuple[str, ...],
        control: str | None,
        alternative: str = TWO_SIDED,
    ) -> Self:
        """Return the tested pairs of a family, of which those without a sign are told, too."""
        logs = next(iter(tests.log10_adjusted.values()), tests.log10_pvalue)
        return cls(
            first=tests.first,
            second=tests.second,
            sides=np.where(tests.statistic >= 0, 1, -1).tolist(),
            found=tuple(np.flatnonzero(tests.rejected).tolist()),
            control=control,
            ordered=ordered,
            text=tests.decisive,
            size=lambda row: float(logs[row]),
            adjusted=bool(tests.adjusted),
            alternative=alternative,
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def p_name(self) -> str:
        """Name of the deciding p-value."""
        return "adjusted p" if self.adjusted else "unadjusted p"

    @property
    def smallest(self) -> str:
        """The smallest deciding p-value, with its name."""
        row = min(range(len(self)), key=self.size)
        return stated_p(self.text(row), f"smallest {self.p_name}")

    @property
    def anywhere(self) -> str:
        """Where a difference was looked for, such as ``between any two of them``."""
        if self.control is None:
            return "between any two of them"
        return f"between the control, {self.control}, and any other algorithm"

    def better_first(self, row: int) -> tuple[str, str]:
        """Return the algorithms of a pair, the better one first."""
        pair = self.first[row], self.second[row]
        return pair if self.sides[row] >= 0 else (pair[1], pair[0])

    def p_of(self, rows: Sequence[int]) -> str:
        """Return the deciding p-values of some pairs as one text."""
        texts = {self.text(row) for row in rows}
        if len(texts) > 1:
            largest = self.text(max(rows, key=self.size))
            return f"{self.p_name} at most {largest.removeprefix('< ')}"
        return f"{stated_p(texts.pop(), self.p_name)}{' each' if len(rows) > 1 else ''}"

    def alike(self, rows: Sequence[int]) -> list[tuple[list[str], tuple[str, ...], list[int]]]:
        """Return the algorithms that are better than the same ones, these, and the pairs."""
        places = {name: place for place, name in enumerate(self.ordered)}
        worse: dict[str, list[int]] = {}
        for row in rows:
            worse.setdefault(self.better_first(row)[0], []).append(row)
        alike: dict[tuple[str, ...], list[str]] = {}
        for name in sorted(worse, key=places.__getitem__):
            beaten = {self.better_first(row)[1] for row in worse[name]}
            alike.setdefault(tuple(sorted(beaten, key=places.__getitem__)), []).append(name)
        return [
            (better, losers, [row for name in better for row in worse[name]])
            for losers, better in alike.items()
        ]


def established(pairs: Pairs, open_: int = 0, test: str = "") -> str:
    """Say which pairs differ significantly, or that none does.

    ``open_`` of the others are inconclusive, and ``test`` names that of the only pair.
    """
    if len(pairs) == 1:
        side = "" if pairs.alternative == TWO_SIDED else "one-sided"
        about = ", ".join(filter(None, (test, side, stated_p(pairs.text(0)))))
        pair = pairs.first[0], pairs.second[0]
        return verdict(pair, pairs.sides[0], about, pairs.alternative, rejected=bool(pairs.found))
    if not pairs.found and pairs.alternative == TWO_SIDED:
        return f"No significant difference was found {pairs.anywhere} ({pairs.smallest})."
    if not pairs.found:
        what = f"is not shown to be {pairs.alternative} than any other algorithm"
        return f"The control, {pairs.control}, {what} ({pairs.smallest})."
    if pairs.control is not None:
        return _against_control(pairs, pairs.control, open_)
    found, rest = pairs.found, len(pairs) - len(pairs.found)
    if not rest:
        places = [tuple(map(pairs.ordered.index, pairs.better_first(row))) for row in found]
        follow = all(pairs.sides) and all(better < worse for better, worse in places)
        order = f", in the order {', '.join(pairs.ordered)}" if follow else ""
        every_pair = capital(every(len(pairs), "pair"))
        return f"{every_pair} differ significantly ({pairs.p_of(found)}){order}."
    if len(found) > MOST_LISTED:
        return _many(pairs, open_)
    told = ", and ".join(_clauses(pairs))
    if open_:
        return f"{told}; {_others(rest, open_, 'pair')}."
    others = "any other two"
    if rest == 1:
        others = joined(
            next(pairs.better_first(row) for row in range(len(pairs)) if row not in found)
        )
    return f"{told}; no significant difference was found between {others}."


def _others(rest: int, open_: int, noun: str) -> str:
    """Say how many of the pairs without a significant difference are inconclusive."""
    verb = "is" if open_ == 1 else "are"
    if rest == open_:
        return f"the other {counted(rest, noun) if rest > 1 else noun} {verb} inconclusive"
    return (
        f"of the other {counted(rest, noun)}, {number(open_)} {verb} inconclusive, and no "
        "significant difference was found in the rest"
    )


def _clauses(pairs: Pairs) -> list[str]:
    """Return a clause for each set of algorithms that are better than the same ones."""
    sided = [row for row in pairs.found if pairs.sides[row]]
    clauses = [
        f"{joined(better)} {'are' if len(better) > 1 else 'is'} significantly better than "
        f"{joined(losers)} ({pairs.p_of(rows)})"
        for better, losers, rows in pairs.alike(sided)
    ]
    clauses += [
        f"{pairs.first[row]} and {pairs.second[row]} differ significantly ({pairs.p_of([row])}), "
        "though it is not clear which is better"
        for row in pairs.found
        if not pairs.sides[row]
    ]
    return [clauses[0], *(text.replace("significantly ", "", 1) for text in clauses[1:])]


def _many(pairs: Pairs, open_: int) -> str:
    """Tell of many pairs their number, and how far the best algorithm leads."""
    found, (best, *others) = pairs.found, pairs.ordered
    won = [pairs.better_first(row) for row in found if pairs.sides[row]]
    left = [name for name in others if (best, name) not in won]
    unsure = f", {number(open_)} {'is' if open_ == 1 else 'are'} inconclusive" if open_ else ""
    text = f"Of {len(pairs):,} pairs, {len(found):,} differ significantly ({pairs.p_of(found)})"
    if len(left) == len(others):
        return f"{text}{unsure}, but {best} is not shown to be better than any other algorithm."
    if not left:
        return f"{text}{unsure}; {best} is better than every other algorithm."
    beaten = number(len(others) - len(left))
    text = f"{text}{unsure}; {best} is better than {beaten} of the {number(len(others))} others"
    if len(left) > MOST_LISTED or open_:
        return f"{text}."
    return f"{text}, and no significant difference was found between it and {listed_or(left)}."


def _against_control(pairs: Pairs, control: str, open_: int) -> str:
    clauses = []
    sides = (
        ("better than the control", [row for row in pairs.found if pairs.sides[row] < 0]),
        ("worse than the control", [row for row in pairs.found if pairs.sides[row] > 0]),
        ("different from the control", [row for row in pairs.found if not pairs.sides[row]]),
    )
    for side, rows in sides:
        if not rows:
            continue
        names = [pairs.second[row] for row in rows]
        if len(rows) == len(pairs) and len(rows) > 1:
            told = f"{every(len(rows), 'other algorithm')} are"
        elif len(rows) > MOST_LISTED:
            told = f"{counted(len(rows), 'algorithm')} are"
        else:
            told = f"{joined(names)} {'are' if len(rows) > 1 else 'is'}"
        clauses.append(f"{told} significantly {side}, {control} ({pairs.p_of(rows)})")
    text = capital("; ".join(clauses))
    rest = [pairs.second[row] for row in range(len(pairs)) if row not in pairs.found]
    if not rest:
        return f"{text}."
    if open_:
        return f"{text}; {_others(len(rest), open_, 'comparison')}."
    several = counted(len(rest), "other algorithm")
    told = several if len(rest) > MOST_LISTED else listed_or(rest)
    if pairs.alternative == TWO_SIDED:
        return f"{text}; no significant difference from {told} was found."
    return f"{text}; the control is not shown to be {pairs.alternative} than {told}."


def verdict(
    pair: tuple[str, str], side: int, about: str, alternative: str, *, rejected: bool
) -> str:
    """Say what the test of one pair shows; ``side`` is 1 if the first is better, -1 if worse."""
    better, worse = pair if side >= 0 else pair[::-1]
    if alternative != TWO_SIDED:
        claim = f"{pair[0]} is {'significantly ' * rejected}{alternative} than {pair[1]}"
        return f"{'' if rejected else 'It is not shown that '}{claim} ({about})."
    if not rejected:
        return f"No significant difference was found between {better} and {worse} ({about})."
    if not side:
        return (
            f"{better} and {worse} differ significantly ({about}); it is not clear which is better."
        )
    return f"{better} is significantly better than {worse} ({about})."


def sides(alternative: str) -> str:
    """Return ``two-sided`` or ``one-sided``."""
    return TWO_SIDED if alternative == TWO_SIDED else "one-sided"


# ---------------------------------------------------------------------------- within a margin


def about_margin(tests: Hypotheses, margin: str) -> str:
    """Say which pairs are equivalent, which differ negligibly, and how many are inconclusive.

    ``margin`` is the margin as text. Pairs that were not compared with one are left out.
    """
    if tests.outcome is None:
        return ""
    if len(tests) == 1:
        return _OF_ONE[tests.outcome[0]].format(*better_first(tests, 0), margin)
    rows = {word: [i for i, it in enumerate(tests.outcome) if it == word] for word in DECISIONS}
    told = []
    if same := rows[EQUIVALENT]:
        pairs = [" is equivalent to ".join(better_first(tests, row)) for row in same]
        many = f"{len(same)} pairs are equivalent (the table lists them)"
        told.append(joined(pairs) if len(same) <= MOST_LISTED else many)
    if small := rows[NEGLIGIBLE]:
        pairs = [f"between {joined(better_first(tests, row))}" for row in small]
        many = f"{len(small)} differences are significant but negligible (the table lists them)"
        few = f"the difference is significant but negligible {', and '.join(pairs)}"
        told.append(few if len(small) <= MOST_LISTED else many)
    text = f"Within the margin of {margin}, {'; '.join(told) or 'no pair is equivalent'}."
    if n := len(rows[INCONCLUSIVE]):
        text += f" {plural(n, 'pair')} {'is' if n == 1 else 'are'} inconclusive: neither "
        text += "significantly different nor equivalent."
    return text


# Sentences on the only pair, after the one that says whether the difference is significant
_OF_ONE = {
    DIFFERENT: "It is not shown to lie within the margin of {2}.",
    NEGLIGIBLE: "It is negligible: it lies within the margin of {2}.",
    EQUIVALENT: "Within the margin of {2}, {0} is equivalent to {1}.",
    INCONCLUSIVE: "Nor are the two shown to be equivalent within the margin of {2}.",
}


def claims(adjust: Sequence[str]) -> str:
    """Say which errors claims of difference and of equivalence have after this adjustment."""
    procedure = PROCEDURES[adjust[0]] if adjust else None
    if procedure is None:
        of_difference = "are not adjusted: each has error α by itself"
    elif procedure.if_some_false or procedure.if_dependent:
        of_difference = "keep family-wise error α only on the condition that a note names"
        if procedure.controls != "family-wise error":
            of_difference = f"keep {procedure.controls} α"
    else:
        of_difference = f"keep {procedure.controls} α"
    return f"Claims of difference {of_difference}; claims of equivalence keep family-wise error α"


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


# Notes on how the scores came about, which matter less than what was not found
_OF_THE_DATA = ("averaged", "turned", "fewer-runs", "one-sided", "printed-formulas")
_POWERLESS = "never-significant"  # which comes first
_MOST_PAIRS = 3  # significant differences that are named one by one
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
    if len(rows) == 1:
        return f"{'This' if found else 'The estimated'} difference is {size}{inside}."
    return f"The largest significant difference, {better} over {worse}, is {size}{inside}."


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
