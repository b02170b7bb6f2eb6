"""What a comparison by runs on one data set found, and how, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nbcompare._render import format_number
from nbcompare.results._cited import Cited, computed, missing, scored
from nbcompare.results._established import counted, first_caveat
from nbcompare.results.within import omnibus_text
from nbcompare.results.within_account import answer, tested_by
from nbcompare.words import PAIR_TESTS

if TYPE_CHECKING:
    from nbcompare.results.runs import RunComparison

_ABOUT = "the conclusions are about this data set, or problem, alone, and about independent runs."


def findings(result: RunComparison) -> tuple[tuple[str, ...], ...]:
    """Return sentences on what was found by runs on one data set, and a caveat."""
    caveat = first_caveat(result.notes, result.adjust, ("never-significant",))
    return (
        answer(result),
        (_superiority(result),),
        (f"Read with care: {_ABOUT} {caveat}".rstrip(),),
    )


def _superiority(result: RunComparison) -> str:
    """Say how often a run of the best is better than one of the others."""
    tests, best = result.hypotheses, result.ordered[0]
    found = [
        float(value) if first == best else 1 - float(value)
        for first, second, value in zip(tests.first, tests.second, result.superiority, strict=True)
        if best in (first, second)
    ]
    low, high = (format_number(float(it), 2) for it in (np.min(found), np.max(found)))
    if len(found) == 1 or low == high:
        whom = "the other one" if len(result.mean_scores) == 2 else "any other algorithm"
        return f"A run of {best} is better than one of {whom} with probability {low} (A12)."
    return (
        f"A run of {best} is better than one of the others with probability {low} to {high}, "
        "depending on which (A12)."
    )


def methods(result: RunComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    words = PAIR_TESTS["rank-sum"]
    k = counted(len(result.mean_scores), "algorithm")
    law = "exact" if result.is_exact else "exact, or by the normal law for many runs"
    test = f"the {words.label}{cite(*words.cites)} ({law}, two-sided)"
    tested, level = tested_by(result, test, cite)
    any_difference = omnibus_text(result)
    if any_difference:
        any_difference = f"Any difference: {any_difference}{cite('kruskal1952')}."
    return (
        f"We compared {k} on {result.where} alone by {scored(result.design)}, on {result.extent}.",
        missing(result.design),
        any_difference,
        tested,
        f"Differences are Hodges and Lehmann's shifts{cite('hodges1963')}, and the probability "
        f"that a run of one algorithm is better than one of another is Vargha and Delaney's "
        f"A12{cite('vargha2000')}, each with {level}.",
        computed(result.design),
    )
