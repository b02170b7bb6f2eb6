"""What a comparison on the items of benchmarks found, and how, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbcompare._render import format_rounded
from nbcompare.results._cited import Cited, computed, missing, scored
from nbcompare.results._established import counted, first_caveat, in_measure
from nbcompare.results.within import omnibus_text
from nbcompare.results.within_account import answer, tested_by
from nbcompare.words import ITEM_TESTS

if TYPE_CHECKING:
    from nbcompare.results.items import ItemComparison

_ABOUT = "the conclusions are about items like these; they say nothing about other kinds of tasks."


def findings(result: ItemComparison) -> tuple[tuple[str, ...], ...]:
    """Return sentences on what was found on the items, how firm it is, and a caveat."""
    caveat = first_caveat(result.notes, result.adjust, ("never-significant",))
    return (
        answer(result),
        (_firmness(result),),
        (f"Read with care: {caveat or _ABOUT}",),
    )


def _firmness(result: ItemComparison) -> str:
    """Say which differences would have been found."""
    least = format_rounded(float(result.detectable.max()))
    together = "" if len(result.hypotheses) == 1 else ", whichever pair it is of,"
    size = in_measure(result.design, least)
    return (
        f"A difference of {size}{together} would be found with probability 0.8 on as many items; "
        "smaller ones are often missed."
    )


def methods(result: ItemComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    words = ITEM_TESTS[result.test]
    k = counted(len(result.mean_scores), "algorithm")
    law = "exact" if result.is_exact else "exact, or by the saddlepoint"
    flips = ""
    if result.n_clusters:
        flips = ", with the signs of whole clusters flipped and standard errors of cluster sums"
    article = "" if words.name == "mcnemar" else "the "
    test = f"{article}{words.label}{cite(*words.cites)} ({law}, two-sided{flips})"
    tested, level = tested_by(result, test, cite)
    several = len(result.benchmarks) > 1
    over = ", means over benchmarks of the same weight" if several else ""
    any_difference = omnibus_text(result)
    if any_difference:
        any_difference = f"Any difference: {any_difference}{cite('cochran1950')}."
    return (
        f"We compared {k} by {scored(result.design)}, on the same {result.extent} of "
        f"{result.where}{over}.",
        missing(result.design),
        any_difference,
        tested,
        f"Differences of means are given with {level}, by {words.interval}.",
        "On each benchmark the p-values of all pairs were adjusted together by Holm's procedure "
        "over pairs and benchmarks."
        if several
        else "",
        computed(result.design),
    )
