"""What a comparison on one data set found, and how, in sentences for a report and a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nbcompare._options import TWO_SIDED
from nbcompare._render import Note, format_number, format_p, format_rounded, plural, stated_p
from nbcompare.results import crossval_wording as wording
from nbcompare.results._cited import Cited, computed, missing, scored
from nbcompare.results._established import counted, first_caveat, sides, verdict
from nbcompare.results.pair import percent
from nbcompare.results.within_account import answer, tested_by
from nbcompare.words import CROSS_VALIDATION_TESTS

if TYPE_CHECKING:
    from nbcompare.results.crossval import CrossValidation
    from nbcompare.results.crossval_comparison import CrossValidationComparison

_TEST = CROSS_VALIDATION_TESTS["corrected-t"]
_ONE = "the conclusions are about this data set alone, and say nothing about others."


def findings(result: CrossValidationComparison) -> tuple[tuple[str, ...], ...]:
    """Return sentences on what was found on one data set, how firm it is, and a caveat."""
    return (
        answer(result),
        (_firmness(result),),
        (_caveat(result.notes, result.adjust),),
    )


def methods(result: CrossValidationComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    k = counted(len(result.mean_scores), "algorithm")
    degrees = counted(result.n_differences - 1, "degree")
    test = (
        f"the {_TEST.label}{cite(*_TEST.cites)} (two-sided, {degrees} of freedom, test sets "
        f"{format_number(result.ratio, 3)} times the size of the training sets)"
    )
    tested, level = tested_by(result, test, cite)
    return (
        f"We compared {k} on {result.where} alone by {scored(result.design)}, on {result.extent}.",
        missing(result.design),
        tested,
        f"Mean differences over the test sets are given with {level} by the same t distribution.",
        computed(result.design),
    )


def _firmness(result: CrossValidationComparison) -> str:
    """Say what the correction for training sets that overlap does to the answer."""
    n = result.n_differences
    return (
        f"The answer depends on the correction for training sets that overlap: it takes the "
        f"variance of a mean difference as {1 + n * result.ratio:.2f} times that of independent "
        "test sets, which is an approximation."
    )


def _caveat(told: Sequence[Note], adjust: Sequence[str]) -> str:
    """Return the note that matters most; else what one data set means."""
    text = first_caveat(told, adjust, ("one-data-set",))  # which is said in any case
    return f"Read with care: {_ONE} {text}".rstrip()


# ------------------------------------------------------------------------ two algorithms


def findings_of_two(result: CrossValidation) -> tuple[tuple[str, ...], ...]:
    """Return sentences on what a test of two algorithms on one data set found."""
    sign, n = result.favours or 1, result.differences.size
    noun = "random split" if result.differences.shape[1:] == (1,) else "fold"
    better, worse = (result.first, result.second)[::sign]
    wins = (result.wins, result.losses)[::sign][0]
    tied = f", with {result.ties:,} tied" if result.ties else ""
    scores = f"{result.design.measure or 'scores'}, {result.design.better}"
    lead = f"On {wording.where_of(result.dataset)}, {better} "
    if result.favours == 0:
        lead += f"and {worse} have the same mean ({scores})."
    else:
        lead += f"has a better mean than {worse}, by {format_rounded(abs(result.mean_difference))} "
        lead += f"({scores}), and is better on {wins:,} of {plural(n, noun)}{tied}."
    one_sided = "" if result.alternative == TWO_SIDED else "one-sided "
    test = f"{one_sided}{wording.taken(result).label}, {stated_p(wording.p(result))}"
    side = result.favours if wording.shows_side(result) else 0
    pair = result.first, result.second
    told = verdict(pair, side, test, result.alternative, rejected=result.rejected)
    level, ends = percent(1 - result.alpha), wording.interval(result, sign)
    interval = f"The {level} interval of the difference of means is from {ends}." if ends else ""
    return ((lead, told, interval), (_caveat(result.notes, ()),))


def methods_of_two(result: CrossValidation, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on a test of two algorithms on one data set."""
    asked, taken = CROSS_VALIDATION_TESTS[result.test], wording.taken(result)
    test, chosen = f"{taken.label}{cite(*taken.cites)}", ""
    if taken.name != asked.name:
        why = "because the normality of the differences could not be tested"
        if result.branch == "permutation":
            why = "because the scores of the two do not overlap"
        elif result.normality is not None:
            p = stated_p(format_p(result.normality))
            why = f"chosen by Shapiro–Wilk's test of the differences ({p})"
        chosen = f", {why}{cite(*asked.cites)}"
    sizes = ""
    if result.ratio is not None:
        sizes = f", test sets {format_number(result.ratio, 3)} times the size of the training sets"
    where = wording.where_of(result.dataset)
    return (
        f"We compared {result.first} and {result.second} on {where} alone by "
        f"{scored(result.design)}, on {wording.folds(result)}.",
        missing(result.design),
        f"The two were compared by the {test} ({sides(result.alternative)}, "
        f"{wording.computed(result)}{sizes}){chosen}, at the significance level "
        f"{result.alpha:g}.",
        "The difference of means is given with a confidence interval by the same t distribution."
        if result.lower is not None
        else "",
        computed(result.design),
    )
