"""What a comparison within one data set found, in sentences that its kinds share."""

from __future__ import annotations

import numpy as np

from nbcompare.results._cited import Cited, adjusting, compared_pairs
from nbcompare.results._established import (
    Pairs,
    established,
    in_measure,
    leader,
    place_of_control,
)
from nbcompare.results._subject import shown_alike
from nbcompare.results.within import WithinComparison, better_first, difference, interval


def answer(result: WithinComparison) -> tuple[str, ...]:
    """Return the sentences that answer first: the leader, established differences, their size."""
    return (
        nothing_possible(result),
        leader_of(result),
        established(pairs_of(result)),
        largest(result),
    )


def tested_by(result: WithinComparison, test: str, cite: Cited) -> tuple[str, str]:
    """Say by which ``test`` pairs were compared, and at which level intervals hold."""
    m, level = len(result.hypotheses), f"{100 * result.confidence:.4g} %"
    if m == 1:
        tested = f"The two were compared by {test} at the significance level {result.alpha:g}."
        return tested, f"a {level} confidence interval"
    who = compared_pairs(m, result.control)
    adjusted = adjusting(result.adjust, result.control, result.alpha, m, cite)
    intervals = f"confidence intervals that hold simultaneously at {level} (Bonferroni)"
    return f"{who} by {test}{adjusted}.", intervals


def nothing_possible(result: WithinComparison) -> str:
    """Say first that no difference can be significant, where that is so."""
    return next((note.text for note in result.notes if note.code == "never-significant"), "")


def leader_of(result: WithinComparison) -> str:
    """Say which algorithm has the best mean, and where the control stands."""
    design, ordered, means = result.design, result.ordered, result.mean_scores
    digits = shown_alike(np.array(list(means.values())))

    def show(name: str) -> str:
        return digits(means[name])

    where = f"{result.where}, over {result.extent}"
    scores = f"; {design.measure or 'scores'}, {design.better}"
    told = (
        leader("mean", where, ordered, means, show, scores),
        place_of_control(result.control, "mean", ordered, means, show),
    )
    return " ".join(filter(None, told))


def pairs_of(result: WithinComparison) -> Pairs:
    """Return the pairs as sentences tell of them."""
    tests = result.hypotheses
    logs = next(iter(tests.log10_adjusted.values()), tests.log10_pvalue)
    return Pairs(
        first=tests.first,
        second=tests.second,
        sides=np.where(tests.statistic >= 0, 1, -1).tolist(),
        found=tuple(np.flatnonzero(tests.rejected).tolist()),
        control=result.control,
        ordered=result.ordered,
        text=tests.decisive,
        size=lambda row: float(logs[row]),
        adjusted=bool(result.adjust),
        order="means",
    )


def largest(result: WithinComparison) -> str:
    """Say how large the largest difference is that was found, or estimated."""
    values = result.differences
    rows = list(pairs_of(result).found) or list(range(len(result.hypotheses)))
    row = max(rows, key=lambda one: abs(float(values[one])))
    low, high = interval(result, row)
    tests = result.hypotheses
    m, found = len(tests), bool(tests.rejected.any())
    level = f"{100 * result.confidence:.4g} % interval"
    level = f"{'simultaneous ' if m > 1 else ''}{level}"
    inside = f"with a {level} from {result.size(low)} to {result.size(high)}"
    if found and low == 0:  # the decision bounds it from below
        inside = f"at most {result.size(high)} by its {level}"
    size = f"{in_measure(result.design, result.size(difference(result, row)))}, {inside}"
    what, name = "established" if found else "estimated", result.difference_name
    if m == 1:
        return f"The {what} {name} is {size}."
    if found and len(rows) == 1:
        return f"This {name} is {size}."
    pair = better_first(result, row)
    return f"The largest {what} {name}, {pair[0]} over {pair[1]}, is {size}."
