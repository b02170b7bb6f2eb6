"""Sentences on pairs of algorithms and on who leads, which several results share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nbcompare._options import TWO_SIDED
from nbcompare._render import plural
from nbcompare.results._subject import joined
from nbcompare.results.decisions import DECISIONS, DIFFERENT, EQUIVALENT, INCONCLUSIVE, NEGLIGIBLE
from nbcompare.results.hypotheses import Hypotheses
from nbcompare.words import PROCEDURES

if TYPE_CHECKING:
    from nbcompare.results.crossval import CrossValidation
    from nbcompare.results.pair import PairComparison

# A sentence counts more pairs, algorithms or groups than this instead of listing them; the table
# lists all.
MOST_LISTED = 6
NOT_EQUAL = "This does not mean that they perform equally."


def better_first(tests: Hypotheses, row: int) -> tuple[str, str]:
    """Return the two algorithms of a pair, the better one first."""
    pair = tests.first[row], tests.second[row]
    return pair if tests.statistic[row] >= 0 else (pair[1], pair[0])


def hypothesis(result: PairComparison | CrossValidation, equal: str, by: str = "") -> str:
    """Return the null hypothesis: that two are ``equal``, or one not better ``by`` something."""
    if result.alternative == TWO_SIDED:
        return f"{result.first} and {result.second} {equal}"
    return f"{result.first} is not {result.alternative} than {result.second}{by}"


# ----------------------------------------------------------------------------- how large


def about_margin(tests: Hypotheses, control: str | None, margin: str) -> str:
    """Say which pairs are equivalent, which differ negligibly, and how many are inconclusive.

    ``margin`` is the margin as text. Nothing is said of pairs that were not compared with one.
    """
    if tests.outcome is None:
        return ""
    rows = {word: [i for i, it in enumerate(tests.outcome) if it == word] for word in DECISIONS}
    if len(tests) == 1:
        return _OF_ONE[tests.outcome[0]].format(*tests.first, *tests.second, margin)
    told = [
        *([_equivalent(tests, rows[EQUIVALENT], control)] if rows[EQUIVALENT] else []),
        *([_negligible(tests, rows[NEGLIGIBLE], control)] if rows[NEGLIGIBLE] else []),
    ]
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
        return (
            "Claims of difference are not adjusted: each has error α by itself; claims of "
            "equivalence keep family-wise error α"
        )
    if procedure.controls != "family-wise error":
        return (
            f"Claims of difference keep {procedure.controls} α; claims of equivalence keep "
            "family-wise error α"
        )
    if procedure.if_some_false or procedure.if_dependent:
        return (
            "Claims of difference keep family-wise error α only on the condition that a note "
            "names; claims of equivalence keep it without that"
        )
    return "Claims of difference and claims of equivalence each keep family-wise error α"


def _equivalent(tests: Hypotheses, rows: Sequence[int], control: str | None) -> str:
    if len(rows) > MOST_LISTED:
        return f"{len(rows)} pairs are equivalent (the table lists them)"
    if control is not None:
        names = [tests.second[row] for row in rows]
        return f"{joined(names)} {'is' if len(rows) == 1 else 'are'} equivalent to {control}"
    return joined([f"{tests.first[row]} is equivalent to {tests.second[row]}" for row in rows])


def _negligible(tests: Hypotheses, rows: Sequence[int], control: str | None) -> str:
    if len(rows) > MOST_LISTED:
        return f"{len(rows)} differences are significant but negligible (the table lists them)"
    if control is not None:
        names = joined([tests.second[row] for row in rows])
        verb = "differs" if len(rows) == 1 else "differ"
        return f"{names} {verb} significantly but negligibly from {control}"
    pairs = [f"between {tests.first[row]} and {tests.second[row]}" for row in rows]
    return f"the difference is significant but negligible {', and '.join(pairs)}"
