"""How the analyses of one report agree: which of them decides, and why others decide otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from nbcompare._render import markdown, plural
from nbcompare._validation import named
from nbcompare.results import (
    Comparison,
    ConvergenceComparison,
    FixedTargets,
    GroupedComparison,
    StochasticComparison,
    WithinComparison,
)

__all__ = ["Decisions", "decisions", "other_leader", "relation", "within_groups"]

_MOST_NAMED = 3  # pairs, or algorithms
# What a result decides about each pair of algorithms, in the order of their names: 1 if the first
# is significantly better, -1 if the second is, 0 if no significant difference was found; None if
# that is inconclusive, or if it is not clear which is better.
Decisions = Mapping[tuple[str, str], int | None]

_PRIMARY = {
    "comparison": "The comparison by means is the primary analysis and the answer",
    "cv": "The comparison of the folds above is the primary analysis and the answer",
}
_SECOND = "the comparison by repeated runs shows what the variation between runs leaves open"
_OTHER_DATA = "The histories of the runs are other data than the scores above."


def decisions(result: object) -> Decisions:
    """Return what a comparison decides about its pairs; empty for other results."""
    found: dict[tuple[str, str], int | None] = {}
    if isinstance(result, Comparison | WithinComparison):
        tests = result.hypotheses
        for row, rejected in enumerate(tests.rejected.tolist()):
            side = (1 if tests.statistic[row] >= 0 else -1) if rejected else 0
            _put(found, tests.first[row], tests.second[row], side)
    elif isinstance(result, StochasticComparison):
        rows = result.hypotheses
        for row, outcome in enumerate(rows.outcome):
            known: int | None = None
            if outcome == "significant":
                known = int(rows.favours[row]) or None
            elif outcome == "not significant":
                known = 0
            _put(found, rows.first[row], (rows.second or ())[row], known)
    return found


def _put(
    found: dict[tuple[str, str], int | None], first: str, second: str, side: int | None
) -> None:
    if first <= second:
        found[first, second] = side
    else:
        found[second, first] = side and -side


# ------------------------------------------------------------------- a second analysis


def relation(main: str, first: object, other: str, second: object) -> str:
    """Say in Markdown how the findings of a second analysis are to be read beside the first ones.

    Parameters
    ----------
    main, other : str
        The sections of the two analyses.
    first, second : result
        Their results.
    """
    if other == "convergence":
        return _OTHER_DATA
    if main == other or main not in _PRIMARY or other != "stochastic":
        return ""
    return f"{_PRIMARY[main]}; {_SECOND}. {_agreement(first, second)}".rstrip()


def _agreement(first: object, second: object) -> str:
    """Say on which pairs two analyses decide otherwise, and why they may."""
    one, other = decisions(first), decisions(second)
    both = [pair for pair in one if pair in other]
    if not both:
        return ""
    differ = [pair for pair in both if one[pair] != other[pair]]
    if not differ:
        told = "the only pair" if len(both) == 1 else f"all {plural(len(both), 'pair')}"
        return f"Both decide alike on {told}."
    text = f"The two decide otherwise on {len(differ)} of {plural(len(both), 'pair')}"
    if len(differ) <= _MOST_NAMED:
        text += f" ({_pairs(differ)})"
    why = "they are different tests"
    if isinstance(second, StochasticComparison) and any(not other[pair] for pair in differ):
        low, high = second.hypotheses.decisive
        if not np.array_equal(low, high):
            why += (
                ", and the second accepts a difference only if it is significant for all values "
                "from the intervals of the runs"
            )
    return f"{text}: {why}."


def other_leader(result: object, targets: FixedTargets) -> str:
    """Say in Markdown who reaches most targets, if that is not who is ahead at the end."""
    if not isinstance(result, ConvergenceComparison) or targets.has_uneven_budgets:
        return ""  # more evaluations reach more targets
    first, ranks = targets.ordered[0], dict(zip(result.algorithms, result.final_ranks, strict=True))
    second = min(ranks, key=ranks.__getitem__)
    if ranks[first] == ranks[second]:
        return ""
    shares = dict(zip(targets.algorithms, targets.reached.tolist(), strict=True))
    return (
        f"By another measure, {markdown.escape(first)} leads: its runs reach "
        f"{100 * shares[first]:.1f} % of all targets, those of {markdown.escape(second)} "
        f"{100 * shares[second]:.1f} %."
    )


# ------------------------------------------------------------------- groups of data sets


def within_groups(result: Comparison, grouped: GroupedComparison) -> Iterator[str]:
    """Say in Markdown which differences over all data sets are found within groups, too."""
    overall, found = decisions(result), dict.fromkeys(decisions(result), 0)
    against: list[str] = []
    new: dict[tuple[str, str], None] = {}
    for name, one in grouped.groups.items():
        for pair, side in decisions(one).items():
            if not side or pair not in overall:
                continue
            if overall[pair] == side:
                found[pair] += 1
            elif overall[pair]:
                better, worse = pair[:: 1 if side > 0 else -1]
                against.append(
                    f"{markdown.escape(better)} over {markdown.escape(worse)} in "
                    f"{markdown.escape(name)}"
                )
            else:
                new[pair] = None
    established = [pair for pair, side in overall.items() if side]
    n = len(grouped.groups)
    if established:
        again = sum(bool(found[pair]) for pair in established)
        yield (
            f"Of {plural(len(established), 'significant difference')}, {again} "
            f"{'is' if again == 1 else 'are'} significant within one of the {n} groups of data "
            "sets, too."
        )
    if new:
        verb = "is" if len(new) == 1 else "are"
        yield (
            f"Significant in a group, but not over all data sets, {verb} "
            f"{_pairs(list(new))}: what holds in one group need not hold in the others."
        )
    if against:
        which = "; ".join(against[:_MOST_NAMED])
        more = f", and {len(against) - _MOST_NAMED} more" if len(against) > _MOST_NAMED else ""
        yield (
            f"The direction is reversed in groups: {which}{more}. The answer over all data sets "
            "does not hold there."
        )


def _pairs(pairs: list[tuple[str, str]]) -> str:
    """Name pairs, or count them if they are many."""
    if len(pairs) > _MOST_NAMED:
        return plural(len(pairs), "pair")
    return named([markdown.escape(f"{a} – {b}") for a, b in pairs])
