"""What a comparison of algorithms found, in a few sentences that stand first in a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._options import TWO_SIDED
from nbcompare._render import format_number, format_rounded, stated_p
from nbcompare.results._established import (
    Pairs,
    about_margin,
    caveat,
    counted,
    established,
    in_measure,
    leader,
    number,
)
from nbcompare.results._subject import joined
from nbcompare.results.comparison import Comparison, average_rank
from nbcompare.results.hypotheses import better_first
from nbcompare.words import PAIRWISE_TESTS

if TYPE_CHECKING:
    from nbcompare.results.sensitivity import Sensitivity

__all__ = ["account", "firmness", "same_decisions"]

_DIGITS_OF_REACH = 2
# Notes on how the scores came about, which matter less than what was not found
_OF_THE_DATA = ("averaged", "turned", "fewer-runs", "one-sided", "printed-formulas")
_POWERLESS = "never-significant"  # which is said first
_MOST_PAIRS = 3  # established pairs whose sensitivity is told one by one
# Pairs whose effects are computed for a sentence, where there are so many data sets
_MOST_COMPUTED, _MANY_DATASETS = 20, 10_000


def account(
    result: Comparison, sensitivity: Sensitivity | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the findings as paragraphs: what was found, how firm it is, the caveat."""
    tests = result.hypotheses
    found = [row for row in range(len(tests)) if tests.rejected[row]]
    if sensitivity is not None:
        _check_same(result, sensitivity)
    margin = about_margin(tests, result.control, result.margin_text)
    sizes = [_largest(result, found), margin]
    return (
        (
            _powerless(result),
            _leader(result),
            _established(result, found),
            *(sizes if found else sizes[::-1]),
        ),
        (_disagreement(result, found), firmness(sensitivity, found) if sensitivity else ""),
        (_caveat(result, found),),
    )


def same_decisions(comparison: Comparison, sensitivity: Sensitivity) -> bool:
    """Return whether a sensitivity analysis is about the decisions of a comparison."""
    one, other = comparison.hypotheses, sensitivity.primary.hypotheses
    same = (one.first, one.second) == (other.first, other.second)
    return same and np.array_equal(one.rejected, other.rejected)


def _check_same(result: Comparison, sensitivity: Sensitivity) -> None:
    if not same_decisions(result, sensitivity):
        raise ValueError(
            "`sensitivity` must be of the same comparison; the design of its primary comparison "
            "decides otherwise. Leave out the options of the comparison that set its design, or "
            "leave out `sensitivity`."
        )


# ------------------------------------------------------------------------------ who is best


def _powerless(result: Comparison) -> str:
    """Say first if no difference can be significant, and how many data sets could help."""
    return next((note.text for note in result.notes if note.code == _POWERLESS), "")


def _leader(result: Comparison) -> str:
    ranks, ordered, noun = result.average_ranks, result.ordered, average_rank(result)
    design = result.design
    scores = "" if design.direction is None else f"; {design.measure or 'scores'}, {design.better}"

    def show(name: str) -> str:
        return format_number(ranks[name], 2)

    where = counted(design.n_datasets, "data set")
    return leader(noun, where, ordered, ranks, show, scores, result.control)


# ------------------------------------------------------------------ which differences there are


def _established(result: Comparison, found: Sequence[int]) -> str:
    pairs = Pairs.of(
        result.hypotheses, result.ordered, "average ranks", result.control, result.alternative
    )
    if found or len(pairs) == 1 or result.alternative != TWO_SIDED:
        test = PAIRWISE_TESTS[result.pairs].test.replace("AVERAGE", average_rank(result))
        return established(pairs, test=test)
    omnibus = list(result.omnibus.values())[-1]
    if omnibus.pvalue <= result.alpha:
        return established(pairs)
    among = stated_p(omnibus.p_text)
    return (
        f"No significant difference was found: neither among all algorithms ({among}) nor "
        f"{pairs.anywhere} ({pairs.smallest})."
    )


# ------------------------------------------------------------------------------ how large


def _largest(result: Comparison, found: Sequence[int]) -> str:
    tests = result.hypotheses
    rows = list(found) or list(range(len(tests)))
    what = "established difference" if found else "estimated difference"
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
        return _clearest(result, found) or (
            f"The {PAIRWISE_TESTS[result.pairs].estimate} of each of these pairs is 0."
        )
    size = in_measure(result.design, estimate)
    inside = f", with a {_interval(result)} from {interval}" if interval else ""
    if found and 0 in (effects.get("lower", [1])[0], effects.get("upper", [1])[0]):
        # the decision is the other bound
        inside = f", at most {interval.partition(' to ')[2]} by its {_interval(result)}"
    if len(tests) == 1:
        return f"The {what} is {size}{inside}."
    if len(found) == 1:
        return f"This difference is {size}{inside}."
    return f"The largest {what}, {better} over {worse}, is {size}{inside}."


def _quick(result: Comparison, rows: Sequence[int]) -> bool:
    """Whether the effects of these pairs are computed in an instant."""
    return result.design.n_datasets <= _MANY_DATASETS or len(rows) <= _MOST_COMPUTED


def _interval(result: Comparison) -> str:
    """Name the intervals of the estimates, with the level at which they hold."""
    alone = result.intervals == "pairwise" and len(result.hypotheses) > 1
    return f"{result.interval_text}{' of its own' if alone else ''}"


def _clearest(result: Comparison, found: Sequence[int]) -> str:
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


def _disagreement(result: Comparison, found: Sequence[int]) -> str:
    """Say why the omnibus test, the pairs, their intervals or the ranks disagree, if they do."""
    if len(result.hypotheses) == 1:
        return ""
    omnibus = list(result.omnibus.values())[-1]
    overall = omnibus.pvalue <= result.alpha
    p = stated_p(omnibus.p_text)
    if found and not overall:
        own = ", with an adjustment of their own" if result.adjust else " and are not adjusted"
        return (
            f"The test of any difference among all algorithms is not significant ({p}), although "
            f"pairs are: these are tested whatever it says{own}."
        )
    if overall and not found:
        text = f"The test of any difference among all algorithms is significant ({p}), although no "
        return f"{text}{_why_no_pair(result)}."
    if any(note.code == "opposite-ranks" for note in result.notes):
        return (
            "A significantly better algorithm has the worse average rank: average ranks count how "
            "often it is better, the test of pairs also by how much."
        )
    return ""


def _why_no_pair(result: Comparison) -> str:
    """Say what keeps the pairs from a significant difference, as far as numbers show it."""
    pair = "pair is"
    if result.control is not None:
        pair = "comparison with the control is; it compares the others with each other, too"
        if result.alternative != TWO_SIDED:
            pair = pair.replace("is;", f"shows it to be {result.alternative};")
    if _powerless(result):
        return f"{pair}: {counted(result.design.n_datasets, 'data set')} are too few for that"
    n = int((result.hypotheses.pvalue <= result.alpha).sum())
    if not n or not result.adjust:
        return pair
    return (
        f"{pair}: before the adjustment {number(n)} of the {number(len(result.hypotheses))} "
        f"{'has' if n == 1 else 'have'} p at most {result.alpha:g}, and none after it"
    )


def firmness(sensitivity: Sensitivity, found: Sequence[int]) -> str:
    """Say whether other tests of pairs, or the absence of a data set, decide otherwise."""
    n_tests, m = len(sensitivity.tests), len(sensitivity.hinges)
    supported, hinges = sensitivity.n_significant, sensitivity.hinges
    suit = f"{number(n_tests)} tests of pairs that suit the data"
    hanging = {name for names in hinges for name in names}
    sure = all(supported[row] == n_tests and not hinges[row] for row in found)
    if m > 1 and found and n_tests > 1 and sure and not sensitivity.why_not:
        what = "this difference is" if len(found) == 1 else "each of these differences is"
        open_ = sum(supported[row] > 0 or bool(hinges[row]) for row in range(m)) - len(found)
        more = f"; {number(open_)} of the other pairs would be significant by another test or "
        more = f"{more}without some data set" if open_ else ""
        return f"Firm: {what} significant by all {suit}, and without any one data set{more}."
    if n_tests == 1:
        tests = "no other test of pairs suits the data"
    elif m == 1:
        which = {0: f"none of the {suit} finds", n_tests: f"all {suit} find"}
        some = f"{number(supported[0])} of the {suit} find"
        tests = f"{which.get(supported[0], some)} this difference significant"
    elif sensitivity.n_agreed == m:
        tests = f"all {suit} agree on every pair"
    else:
        tests = f"the {suit} agree on {number(sensitivity.n_agreed)} of the {number(m)} pairs"
        tests += _each(sensitivity, found)
    if sensitivity.why_not:
        return f"{tests[0].upper()}{tests[1:]}."
    if not hanging:
        verdict = "Firm: " if sensitivity.n_agreed == m and n_tests > 1 else ""
        text = f"{verdict}{tests}, and leaving out any one data set changes no decision"
        return f"{text[0].upper()}{text[1:]}."
    left = f"any one of {number(len(hanging))} of the {sensitivity.design.n_datasets:,} data sets"
    if len(hanging) == 1:
        left = f"the data set {next(iter(hanging))}"
    what = "the decision" if m == 1 else "at least one decision"
    return f"Not firm: {tests}, and leaving out {left} changes {what}."


def _each(sensitivity: Sensitivity, found: Sequence[int]) -> str:
    """Say by how many tests each of a few established pairs is significant."""
    tests, n = sensitivity.primary.hypotheses, len(sensitivity.tests)
    if len(found) > _MOST_PAIRS:
        return ""
    told: list[str] = []
    for row in found:
        if (count := sensitivity.n_significant[row]) < n:
            better, worse = better_first(tests, row)
            by = f"by {number(count)}" if told else f"is significant by {number(count)} of them"
            told.append(f"{better} over {worse} {by}")
    return f" ({joined(told)})" if told else ""


# ------------------------------------------------------------------------------- the caveat


def _caveat(result: Comparison, found: Sequence[int]) -> str:
    """Return the note that matters most; else what could not be found."""
    if told := caveat(result, but=(_POWERLESS, *_OF_THE_DATA)):
        return told
    if len(found) == len(result.hypotheses) or result.margin is not None:
        return ""  # or the outcomes have said what is equivalent, and what is open
    meaning = "no significant difference does not mean equal performance."
    if result.alternative != TWO_SIDED:
        meaning = "what is not shown by a test is not disproved by it."
    return f"Read with care: {_reach(result)}{meaning}"


def _reach(result: Comparison) -> str:
    """Say below which size differences are often missed: the usual half of an interval."""
    tests = result.hypotheses
    if result.confidence is None or not _quick(result, range(len(tests))):
        return ""
    lower, upper = tests.lower, tests.upper
    if lower is None or upper is None:
        return ""
    known = np.isfinite(upper) & np.isfinite(lower) & ~tests.rejected
    half = float(np.median(upper[known] / 2 - lower[known] / 2)) if known.any() else 0.0
    if not half > 0:
        return ""
    size = in_measure(result.design, format_rounded(float(f"{half:.{_DIGITS_OF_REACH}g}")))
    return (
        f"on {counted(result.design.n_datasets, 'data set')} differences below about {size}, half "
        "the width of the usual interval, are often missed, so that "
    )
