"""What a comparison by repeated runs found, and how, in sentences for a report and a paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._render import format_p, stated_p
from nbcompare.results._findings import Pairs, caveat, established, leader
from nbcompare.results._methods import Cited, adjusting, compared_pairs, computed, missing, scored
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED
from nbcompare.results.wording import capital, counted, every, joined, number, opening, shown_alike
from nbcompare.words import ENCODINGS, IMPRECISE_TESTS, STOCHASTIC_PROCEDURES

if TYPE_CHECKING:
    from nbcompare.results.stochastic import StochasticComparison

_MOST_NAMED = 3  # inconclusive pairs that are named


def findings(result: StochasticComparison) -> tuple[tuple[str, ...], ...]:
    """Return sentences on what was found, on how firm it is, and the caveat that matters most."""
    return (
        (_of_folds(result), _leader(result), _established(result), _largest(result)),
        (_inconclusive(result), _overall(result), _firmness(result)),
        (_caveat(result),),
    )


def methods(result: StochasticComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    return (
        _compared(result),
        missing(result.design),
        _represented(result, cite),
        _against_mean(result, cite),
        _tested(result, cite),
        _rule(result),
        computed(result.design),
    )


def _blocks(result: StochasticComparison) -> str:
    """Describe the blocks in a sentence, with small numbers in words."""
    design = result.design
    if result.blocks == "folds":
        return f"{counted(design.n_folds, 'fold')} of the data set {design.datasets[0]}"
    return counted(design.n_datasets, "data set")


# ------------------------------------------------------------------------------ who is best


def _of_folds(result: StochasticComparison) -> str:
    """Say first where p-values are not to be taken as they stand."""
    if all(note.code != "folds" for note in result.notes):
        return ""
    return (
        "The folds of one data set are not independent, so that the p-values below tend to be too "
        "small; the corrected resampled t test allows for it."
    )


def _several_scales(result: StochasticComparison) -> bool:
    """Whether means are of scores that are not on one scale."""
    return not result.by_ranks and any(
        note.code in ("several-scales", "scales") for note in result.notes
    )


def _leader(result: StochasticComparison) -> str:
    design, ordered = result.design, result.ordered
    where = _blocks(result)
    if _several_scales(result):
        return (
            f"{opening(len(ordered), 'algorithm')} were compared on {where} "
            f"({design.measure or 'scores'}, {design.better}), which are not on one scale, so that "
            "means over them do not say which algorithm is best."
        )
    middle = {name: result.mean_low[name] + result.mean_high[name] for name in ordered}
    digits = shown_alike(np.array([*result.mean_low.values(), *result.mean_high.values()]))

    def show(name: str) -> str:
        return _range(result.mean_low[name], result.mean_high[name], digits)

    scores = f"; {design.measure or 'scores'}, {design.better}"
    noun = "mean relative rank" if result.by_ranks else "mean"
    told = leader(noun, where, ordered, middle, show, scores, result.control)
    return f"{told} {_overlap(result)}".strip()


def _overlap(result: StochasticComparison) -> str:
    """Say which means may be better than the best one, depending on the runs."""
    best, *others = result.ordered
    sign = float(result.design.gain_signs[0])
    worst_of_best = min(sign * result.mean_low[best], sign * result.mean_high[best])
    close = [
        name
        for name in others
        if max(sign * result.mean_low[name], sign * result.mean_high[name]) > worst_of_best
    ]
    if not close:
        return ""
    who = joined(close) if len(close) <= _MOST_NAMED else f"{number(len(close))} of the others"
    whose = "its interval overlaps" if len(close) == 1 else "their intervals overlap"
    return (
        f"{capital(who)} may have a better mean, {_depending(result)}: {whose} with that of {best}."
    )


def _depending(result: StochasticComparison) -> str:
    """Say what a range of values comes from: repeated runs, or intervals that were given."""
    return "depending on the " + ("runs" if _has_runs(result) else "values in the intervals")


def _range(low: float, high: float, show: Callable[[float], str]) -> str:
    ends = show(low), show(high)
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


# ------------------------------------------------------------------ which differences there are


def pairs_of(result: StochasticComparison) -> Pairs:
    """Return the pairs as sentences tell of them; those that are rejected are found."""
    tests = result.hypotheses
    low, high = tests.decisive

    def size(row: int) -> float:
        # what is rejected is so by the upper end
        return float(high[row] if tests.outcome[row] == REJECTED else low[row])

    return Pairs(
        first=tests.first,
        second=tests.second or (),
        sides=tests.favours.tolist(),
        found=tuple(tests.rows(REJECTED)),
        control=result.control,
        ordered=result.ordered,
        text=lambda row: tests.decisive_text(row) if len(tests) == 1 else format_p(size(row)),
        size=size,
        adjusted=bool(result.adjust),
    )


def _established(result: StochasticComparison) -> str:
    tests, pairs = result.hypotheses, pairs_of(result)
    unsure = len(tests.rows(INCONCLUSIVE))
    if pairs.found or not unsure:
        return established(pairs, unsure)
    if len(tests) == 1:
        p = stated_p(tests.decisive_text(0))
        return f"The comparison of {pairs.first[0]} and {pairs.second[0]} is inconclusive ({p})."
    if unsure == len(tests):
        return f"{capital(every(unsure, 'comparison'))} are inconclusive."
    verb = "is" if unsure == 1 else "are"
    return (
        f"No significant difference was found {pairs.anywhere}; {number(unsure)} of the "
        f"{counted(len(tests), 'comparison')} {verb} inconclusive."
    )


# ------------------------------------------------------------------------------ how large


def _largest(result: StochasticComparison) -> str:
    tests, pairs = result.hypotheses, pairs_of(result)
    rows = [row for row in pairs.found if pairs.sides[row]]
    if not rows or _several_scales(result):
        return ""
    middle = np.abs(tests.difference_low + tests.difference_high)
    row = max(rows, key=lambda one: float(middle[one]))
    low, high = float(tests.difference_low[row]), float(tests.difference_high[row])
    ends = sorted((abs(low), abs(high)))
    size = _range(ends[0], ends[1], shown_alike(np.array(ends)))
    size += f" ({result.measure})" if result.measure else ""
    runs = "" if ends[0] == ends[1] else f", {_depending(result)}"
    better, worse = pairs.better_first(row)
    what = "This difference of means is"
    if len(pairs.found) > 1:
        what = f"The largest significant difference of means, {better} over {worse}, is"
    return f"{what} {size}{runs}; this procedure has no confidence interval for it."


# ------------------------------------------------------------ where verdicts differ, how firm


def _inconclusive(result: StochasticComparison) -> str:
    """Say why comparisons are inconclusive, and which, if they are few."""
    tests = result.hypotheses
    rows = tests.rows(INCONCLUSIVE)
    if not rows:
        return ""
    why = "the intervals are so wide that some of their values give a significant difference, and"
    if _has_runs(result):
        why = (
            "the runs vary so much that some values from their intervals give a significant "
            "difference, and"
        )
    why += " others do not"
    if len(tests) == 1:
        return f"{why[0].upper()}{why[1:]}."
    second = tests.second or ()
    if len(rows) <= _MOST_NAMED:
        named = joined([f"{tests.first[row]} against {second[row]}" for row in rows])
        what = "Inconclusive is" if len(rows) == 1 else "Inconclusive are"
        return f"{what} {named}: {why}."
    return f"Inconclusive means that {why}."


def _overall(result: StochasticComparison) -> str:
    """Say what the comparisons with the mean of all found, and why they differ from the pairs."""
    rows, found = result.overall, result.hypotheses.rows(REJECTED)
    if rows is None:
        return ""
    told = []
    for side, word in ((1, "better"), (-1, "worse")):
        different = [row for row in rows.rows(REJECTED) if rows.favours[row] == side]
        if different:
            names = joined([rows.first[row] for row in different])
            verb = "are" if len(different) > 1 else "is"
            told.append(f"{names} {verb} significantly {word}")
    if told:
        text = f"Compared with the mean of all algorithms, {joined(told)}"
        if found:
            return f"{text}."
        m, n = len(result.hypotheses), len(rows)
        why = f": they are {number(m)} comparisons to adjust for, not {number(n)}" if m > n else ""
        return f"{text}, although no pair differs significantly{why}."
    if not found:
        return ""
    return "No algorithm differs significantly from the mean of all, although pairs do."


def _firmness(result: StochasticComparison) -> str:
    """Say how far the decisions hang on what represents the runs."""
    fuzzy = result.hypotheses.fuzzy
    if fuzzy is not None:
        m, turning = len(result.hypotheses), sum(one is not None for one in fuzzy.turning)
        if not turning:
            return "Firm: no conclusion depends on how many of the runs are disregarded."
        if m == 1:
            return "The conclusion holds only if some of the runs are disregarded."
        verb = "holds" if turning == 1 else "hold"
        return (
            f"Of the {counted(m, 'conclusion')}, {number(turning)} {verb} only if some of the runs "
            "are disregarded."
        )
    if result.coverage is None or not _has_runs(result):
        return ""
    share = f"{100 * result.coverage:.4g} %"
    middle = "the middle" if result.encoding == "central" else "the densest"
    return (
        f"The answer depends on how much of the runs is taken into account: here it is {middle} "
        f"{share} of the runs of each fold, and with more of them more comparisons may become "
        "inconclusive."
    )


def _has_runs(result: StochasticComparison) -> bool:
    return result.design.n_runs > 1 and len(result.deterministic) < len(result.mean_low)


# ------------------------------------------------------------------------------- the caveat


def _caveat(result: StochasticComparison) -> str:
    """Return the note that matters most; else what no rejection means."""
    if told := caveat(result, but=("folds",)):  # which is said first
        return told
    if NOT_REJECTED not in result.hypotheses.outcome:
        return ""
    return "Read with care: no significant difference does not mean equal performance."


# ------------------------------------------------------------------------------ the methods


def _compared(result: StochasticComparison) -> str:
    k = counted(len(result.mean_low), "algorithm")
    per = "fold" if result.design.n_folds > 1 else "data set"
    runs = ""
    if result.design.n_runs > 1:
        runs = f", with {counted(*result.design.repeated[-1])} per {per}"
    return f"We compared {k} on {_blocks(result)} by {scored(result.design)}{runs}."


def _represented(result: StochasticComparison, cite: Cited) -> str:
    if not _has_runs(result):
        if np.array_equal(*result.hypotheses.decisive):
            return ""
        return "Scores are intervals, and it is not known which of their values hold."
    per = "fold" if result.design.n_folds > 1 else "data set"
    encoding = ENCODINGS[result.encoding]
    label = result.encoding_text("every" * (result.procedure == "fuzzy"))
    text = f"The runs of each {per} were represented by {label}{cite(*encoding.cites)}"
    if result.blocks == "datasets" and result.design.n_folds > 1:
        what = "averaged" if encoding.number else "whose ends were averaged"
        text += f", {what} over {counted(*result.design.repeated[0])}"
    if fixed := result.deterministic:
        text += f"; the scores of {joined(fixed)}, with one run each, stayed points"
    if result.by_ranks:
        text += (
            f". Runs count by their relative rank among those of all algorithms on the same {per}"
        )
    return f"{text}."


def _against_mean(result: StochasticComparison, cite: Cited) -> str:
    if result.overall is None:
        return ""
    procedure = STOCHASTIC_PROCEDURES[result.procedure]
    blocks = "folds" if result.blocks == "folds" else "data sets"
    return (
        f"Each algorithm was compared with the mean of all by the {procedure.label} "
        f"test{cite(*procedure.cites)}, which permutes the algorithms within {blocks}."
    )


def _tested(result: StochasticComparison, cite: Cited) -> str:
    procedure, m = STOCHASTIC_PROCEDURES[result.procedure], len(result.hypotheses)
    if result.test is None and result.overall is None:
        test = f"the {procedure.label} test{cite(*procedure.cites)} with sign flips"
    elif result.test is None:
        test = "the same test with sign flips of their differences"
    else:
        pair_test = IMPRECISE_TESTS[result.test]
        test = (
            f"{pair_test.label}{cite(*pair_test.cites)} for all values from these intervals, with "
            f"{procedure.label}{cite(*procedure.cites)}"
        )
        if np.array_equal(*result.hypotheses.decisive) and not _has_runs(result):
            test = f"{pair_test.label}{cite(*pair_test.cites, *procedure.cites)}"
    law = "exact p-values"
    if result.method != "exact":
        law = f"p-values from {result.n_resamples:,} random draws"
    how = f"by {test} ({law}, two-sided)"
    adjusted = adjusting(result.adjust, result.control, result.alpha, m, cite)
    return f"{compared_pairs(m, result.control)} {how}{adjusted}."


def _rule(result: StochasticComparison) -> str:
    tests = result.hypotheses
    if tests.fuzzy is None and np.array_equal(*tests.decisive):
        return ""
    p = "adjusted p" if result.adjust and len(tests) > 1 else "p"
    what = "A p-value is then an interval"
    if tests.fuzzy is not None:
        what = (
            f"A p-value is then a fuzzy set, whose interval at coverage {result.coverage:g} decides"
        )
    return (
        f"{what}: a difference is significant if the whole interval of the {p} is at most "
        f"{result.alpha:g}, and inconclusive if only a part of it is."
    )
