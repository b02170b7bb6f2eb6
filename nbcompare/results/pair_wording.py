"""Sentences on pairs of algorithms and on who leads, which several results share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from nbcompare._render import plural, stated_p
from nbcompare.results import _subject as subject
from nbcompare.results._subject import joined
from nbcompare.results.decisions import DECISIONS, DIFFERENT, EQUIVALENT, INCONCLUSIVE, NEGLIGIBLE
from nbcompare.results.hypotheses import Hypotheses
from nbcompare.words import PROCEDURES

# A sentence counts more pairs, algorithms or groups than this instead of listing them; the table
# lists all.
MOST_LISTED = 6
NOT_EQUAL = "This does not mean that they perform equally."


def better_first(tests: Hypotheses, row: int) -> tuple[str, str]:
    """Return the two algorithms of a pair, the better one first."""
    pair = tests.first[row], tests.second[row]
    return pair if tests.statistic[row] >= 0 else (pair[1], pair[0])


def significant(
    tests: Hypotheses,
    control: str | None,
    told: Callable[[Sequence[int]], Sequence[str]],
    *,
    kind: str = "",
    how: str,
    said: str = "",
) -> str:
    """Say how many pairs of several differ significantly, and which, if they are few.

    ``told`` returns a clause on each of some rows, and ``said`` stands before these clauses.
    ``kind`` follows the number of pairs, and ``how`` says by which test and adjustment.
    """
    found = [row for row in range(len(tests)) if tests.rejected[row]]
    family = plural(len(tests), "pairwise comparison")
    if control is not None:
        family = f"{plural(len(tests), 'comparison')} with {control}"
    if len(found) == len(tests):
        opening = f"All {family}{kind} are significant {how}"
    else:
        count = f"{len(found)} are" if len(found) > 1 else "1 is" if found else "none is"
        opening = f"Of {family}{kind}, {count} significant {how}"
    if not found:
        return f"{opening}."
    if len(found) > MOST_LISTED:
        return f"{opening}; the table lists them."
    return f"{opening}{said}: {joined(told(found))}."


def adjusted_by(procedure: str, adjust: Sequence[str], n_pooled: int = 0) -> str:
    """Say how p-values were adjusted, such as ``after Holm's adjustment``."""
    how = f"after {procedure}'s adjustment" if adjust else "without adjustment"
    if n_pooled:
        how += f" for {n_pooled} hypotheses of all groups"
    return how + subject.of_discoveries(adjust)


def leaders(
    noun: str, ordered: Sequence[str], values: Mapping[str, float], show: Callable[[float], str]
) -> str:
    """Say which algorithm has the best average, and which follow; ``ordered`` has it first."""
    shown = {name: show(values[name]) for name in ordered}
    best = [name for name in ordered if values[name] == values[ordered[0]]]
    if len(best) == len(ordered):
        return f"All algorithms have the same {noun}, {shown[best[0]]}."
    if len(best) > 1:
        return f"{joined(best)} share the best {noun}, {shown[best[0]]}."
    if len(ordered) > MOST_LISTED:
        return (
            f"{best[0]} has the best {noun}, {shown[best[0]]}, "
            f"{ordered[-1]} the worst, {shown[ordered[-1]]}."
        )
    others = joined([f"{name} ({shown[name]})" for name in ordered[1:]])
    return f"{best[0]} has the best {noun}, {shown[best[0]]}, followed by {others}."


# ----------------------------------------------------------------------------- how large


def with_sizes(tests: Hypotheses, rows: Sequence[int], *, sized: bool, level: str) -> list[str]:
    """Say of each of some pairs which algorithm is better, by how much, and the deciding p.

    ``sized`` says whether to quote the difference and its interval; ``level`` stands before the
    interval.
    """
    sizes = tests.differences(rows) if sized else [("", "")] * len(rows)
    clauses = []
    for row, (estimate, interval) in zip(rows, sizes, strict=True):
        better, worse = better_first(tests, row)
        by = f" by {estimate}" if estimate else ""
        inside = f"{level}{interval}; " if interval else ""
        p = stated_p(tests.decisive(row))
        clauses.append(f"{better} is better than {worse}{by} ({inside}{p})")
    return clauses


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


def not_equal(tests: Hypotheses) -> str:
    """Say what the lack of a significant difference means of the pairs without one."""
    words = [word for word in tests.outcome or () if word in (EQUIVALENT, INCONCLUSIVE)]
    if EQUIVALENT not in words:
        return NOT_EQUAL
    if INCONCLUSIVE not in words:
        which = "Each of these pairs" if len(words) > 1 else "This pair"
        return f"{which} is equivalent within the margin."
    return f"{NOT_EQUAL[:-1]}, except where they are equivalent within the margin."


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
