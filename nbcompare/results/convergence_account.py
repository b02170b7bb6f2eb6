"""What a comparison of convergence found, and how, in sentences for a report and a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nbcompare._render import format_number
from nbcompare.results import convergence_wording as wording
from nbcompare.results._cited import Cited, adjusting, computed, missing
from nbcompare.results._established import (
    Pairs,
    counted,
    first_caveat,
    leader,
    listed_or,
    number,
)
from nbcompare.results._subject import joined
from nbcompare.results.pair_wording import MOST_LISTED
from nbcompare.words import DIFFERENCES, SPEED, TREND_NULLS, TREND_RANKS

if TYPE_CHECKING:
    from nbcompare.results.convergence import ConvergenceComparison

_MOST_NAMED = 3


def findings(result: ConvergenceComparison) -> tuple[tuple[str, ...], ...]:
    """Return sentences on who is ahead and who converges faster, why these differ, and a caveat."""
    return (
        (_ahead(result), _established(result)),
        (_behind(result), _versions(result)),
        (_caveat(result),),
    )


def methods(result: ConvergenceComparison, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    return (
        _compared(result),
        missing(result.design),
        _ranked(result, cite),
        _tested(result, cite),
        computed(result.design),
    )


# ------------------------------------------------------------------------------ who is ahead


def _by_rank(result: ConvergenceComparison) -> tuple[str, ...]:
    """Return the algorithms by their average rank at the end, the best first."""
    order = np.argsort(result.final_ranks, kind="stable").tolist()
    return tuple(result.algorithms[place] for place in order)


def _ranks(result: ConvergenceComparison) -> dict[str, float]:
    return dict(zip(result.algorithms, result.final_ranks.tolist(), strict=True))


def _ahead(result: ConvergenceComparison) -> str:
    design, ordered, ranks = result.design, _by_rank(result), _ranks(result)

    def show(name: str) -> str:
        return format_number(ranks[name], 2)

    where = counted(design.n_datasets, "problem")
    scores = f"; {design.measure or 'best value so far'}, {design.better}"
    text = leader("average rank", where, ordered, ranks, show, scores)
    follows = ""
    if len(ordered) > 2 and ranks[ordered[0]] < ranks[ordered[1]]:
        follows = f", before {ordered[1]} ({show(ordered[1])})"
    start = text[:1].lower() + text[1:] if text.startswith(("All ", "Both ")) else text
    return f"At the end of the runs, {start.removesuffix('.')}{follows}."


# ------------------------------------------------------------------------ who converges faster


def pairs_of(result: ConvergenceComparison, version: str) -> Pairs:
    """Return the ordered pairs as sentences tell of them; the first may be the faster one."""
    k = len(result.algorithms)
    rows = [(row, column) for row in range(k) for column in range(k) if row != column]
    logs, rejected = result.log10_decisive(version), result.tests[version].rejected
    return Pairs(
        first=[result.algorithms[row] for row, _ in rows],
        second=[result.algorithms[column] for _, column in rows],
        sides=[1] * len(rows),
        found=tuple(place for place, cell in enumerate(rows) if rejected[cell]),
        control=None,
        ordered=_by_rank(result),
        text=lambda place: result.p_text(version, *rows[place]),
        size=lambda place: float(logs[rows[place]]),
        adjusted=bool(result.adjust),
    )


def _clause(result: ConvergenceComparison, better: list[str], losers: tuple[str, ...]) -> str:
    if result.claim is SPEED:
        verb = "converge" if len(better) > 1 else "converges"
        return f"{joined(better)} {verb} significantly faster than {joined(losers)}"
    return f"the gap grows significantly in favour of {joined(better)} over {joined(losers)}"


def _established(result: ConvergenceComparison) -> str:
    pairs = pairs_of(result, result.versions[-1])
    found, claim, best = pairs.found, result.claim, pairs.ordered[0]
    if not found:
        return f"{claim.nothing[0].upper()}{claim.nothing[1:]} ({pairs.smallest})."
    if len(found) <= MOST_LISTED:
        clauses = [
            f"{_clause(result, better, losers)} ({pairs.p_of(rows)})"
            for better, losers, rows in pairs.alike(found)
        ]
        text = joined(clauses)
        text = text if claim is SPEED else f"{text[0].upper()}{text[1:]}"
        others = len(pairs) - len(found)
        rest = f"of the other {counted(others, 'ordered pair')}, none is significant"
        return f"{text}; {rest if others > 1 else 'the reverse is not significant'}."
    what = "one algorithm converges significantly faster than the other"
    if claim is not SPEED:
        what = "the gap grows significantly in favour of one algorithm over the other"
    text = f"In {number(len(found))} of {len(pairs):,} ordered pairs {what} ({pairs.p_of(found)})"
    beaten = [pairs.second[row] for row in found if pairs.first[row] == best]
    others = len(pairs.ordered) - 1
    if not beaten:
        return f"{text}, but none of these is in favour of {best}, which is ahead."
    how = "converges faster than" if claim is SPEED else "gains on"
    if len(beaten) == others:
        return f"{text}; {best} {how} all the others."
    left = [name for name in pairs.ordered if name not in (*beaten, best)]
    text = f"{text}; {best} {how} {number(len(beaten))} of the {number(others)} others"
    if len(left) > MOST_LISTED:
        return f"{text}."
    return f"{text}, and no such difference was found between it and {listed_or(left)}."


# ---------------------------------------------------------------------- where verdicts differ


def _behind(result: ConvergenceComparison) -> str:
    """Say why the trend may favour an algorithm that is behind at the end, if it does."""
    pairs, ranks = pairs_of(result, result.versions[-1]), _ranks(result)
    rows = [row for row in pairs.found if ranks[pairs.first[row]] > ranks[pairs.second[row]]]
    if not rows:
        return ""
    named = [f"{pairs.first[row]} over {pairs.second[row]}" for row in rows]
    which = f"In {counted(len(rows), 'pair')}"
    if len(rows) <= _MOST_NAMED:
        which = f"For {joined(named)}"
    text = (
        f"{which}, the trend is in favour of the algorithm that is behind at the end: the test "
        "compares the progress along the runs, and not the values that are reached"
    )
    if result.claim is SPEED:
        return f"{text}."
    return f"{text}, and an algorithm that is near the optimum early makes little progress."


def _versions(result: ConvergenceComparison) -> str:
    """Say how many decisions depend on how ranks go on after an optimum is reached."""
    if len(result.versions) < 2:
        return ""
    basic, other = (result.tests[version].rejected for version in result.versions)
    count = int((basic != other).sum())
    pairs = f"{len(result.algorithms) * (len(result.algorithms) - 1):,} ordered pairs"
    if not count:
        return f"Firm: basic and alternative ranks lead to the same decisions on all {pairs}."
    return (
        f"Not firm: on {number(count)} of the {pairs}, basic and alternative ranks decide "
        "differently; the sentences above go by the alternative ones, which do not count it "
        "against an algorithm that it reached the optimum early."
    )


# ------------------------------------------------------------------------------- the caveat


def _caveat(result: ConvergenceComparison) -> str:
    """Return the note that matters most, and what is not tested."""
    text = first_caveat(result.notes, result.adjust)
    untested = "who is ahead at the end is described, and not tested."
    return f"Read with care: {untested} {text}".strip()


# ------------------------------------------------------------------------------ the methods


def _compared(result: ConvergenceComparison) -> str:
    design = result.design
    k, n = counted(len(result.algorithms), "algorithm"), counted(design.n_datasets, "problem")
    measure = f"{design.measure or 'the best value so far'} ({design.better})"
    runs = wording.runs(result)
    runs = runs if design.n_runs == 1 else f"the {runs}"
    cutpoints = counted(result.cutpoints.shape[1], "cut-point")
    return (
        f"We compared the convergence of {k} on {n} by {measure}, using {runs} at {cutpoints}, at "
        "regular shares of the budget."
    )


def _ranked(result: ConvergenceComparison, cite: Cited) -> str:
    differences = DIFFERENCES[result.differences]
    what = differences.explanation
    if result.differences == "log" and not wording.has_errors(result):
        what = what.replace("errors", "values")
    tolerance = result.optimum_tolerance
    floor = ""
    if result.differences == "log" and tolerance:
        floor = f" (errors below {tolerance:g} count as {tolerance:g})"
    keys = [key for name in result.versions for key in TREND_RANKS[name].cites]
    text = (
        f"For each ordered pair, the differences {what}{floor} were ranked over the cut-points of "
        f"each problem{cite(*differences.cites, *keys)}"
    )
    if "alternative" in result.versions:
        reached = "" if tolerance is None else f" (an error of at most {tolerance:g})"
        both = "" if len(result.versions) == 1 else ", also"
        text += (
            f"{both} with the alternative ranks of Derrac et al.{cite('derrac2014')}, which go on "
            f"in favour of the algorithm that first reached the optimum{reached}"
        )
    return f"{text}."


def _tested(result: ConvergenceComparison, cite: Cited) -> str:
    null, tests = TREND_NULLS[result.null], next(iter(result.tests.values()))
    law = tests.exchange_method if result.null == "exchange" else tests.page_method
    k = len(result.algorithms)
    how = "exact p-values" if law == "exact" else "p-values by the normal law"
    named = "that the two may be exchanged on any problem"
    if result.null != "exchange":
        named = "that all orders of the cut-points are equally likely"
    test = f"Page's trend test{cite('page1963')}"
    if "alternative" not in result.versions:
        test += f", as proposed by Derrac et al.{cite('derrac2014')},"
    return (
        f"Ranks that rise were tested by {test} under the null hypothesis "
        f"{named}{cite(*null.cites)} ({how}, one-sided)"
        f"{adjusting(result.adjust, None, result.alpha, k * (k - 1), cite, noun='ordered pair')}."
    )
