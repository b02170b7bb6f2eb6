"""What fixed targets show, and how it was measured, in sentences for a report and a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nbcompare._options import MINIMIZE, QUANTILES
from nbcompare._render import plural
from nbcompare.results import _subject as subject
from nbcompare.results._cited import Cited, computed
from nbcompare.results._established import counted, first_caveat
from nbcompare.results._subject import joined
from nbcompare.results.pair_wording import MOST_LISTED

if TYPE_CHECKING:
    from nbcompare.results.fixed_targets import FixedTargets

_NO_SUCCESS = "no success"


# ------------------------------------------------------------------------------- numbers


def percent(share: float) -> str:
    """Return a share as text; only nothing is 0 %, and only everything 100 %.

    Examples
    --------
    >>> percent(0.7314), percent(0.99999), percent(1.0), percent(1e-6)
    ('73.1 %', '99.9 %', '100 %', '0.1 %')
    """
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    return f"{min(max(100 * share, 0.1), 99.9):.1f} %"


def time_text(expected: float) -> str:
    """Return an expected running time as text, or that there is no success.

    Examples
    --------
    >>> time_text(12345.67), time_text(7.25), time_text(float("inf"))
    ('12,346', '7.25', 'no success')
    """
    if not np.isfinite(expected):
        return _NO_SUCCESS
    if expected >= 1e9:
        return f"{expected:.3e}"
    return f"{expected:,.0f}" if expected >= 100 else f"{expected:.4g}"


def target_name(result: FixedTargets, place: int) -> str:
    """Name a target: its distance from the optimum, its value, or its number."""
    if result.precisions is not None:
        return f"{result.precisions[place]:.4g} from the optimum"
    values = result.targets[:, place]
    if (values == values[0]).all():
        return f"{values[0]:.6g}"
    if result.n_targets == 1:
        return "the target"
    if place == result.n_targets - 1:
        return "the hardest target"
    return "the easiest target" if place == 0 else f"target {place + 1} of {result.n_targets}"


def short_name(result: FixedTargets, place: int) -> str:
    """Name a target in the header of a column."""
    if result.precisions is not None:
        return f"{result.precisions[place]:.4g}"
    return target_name(result, place).removeprefix("the ").removesuffix(" target")


def told_targets(result: FixedTargets) -> tuple[int, ...]:
    """Return the numbers of the targets that a table tells of: from the easiest to the hardest."""
    last = result.n_targets - 1
    return tuple(sorted({0, (last + 1) // 2, last}))


# ------------------------------------------------------------------------------ sentences


def findings(result: FixedTargets) -> tuple[tuple[str, ...], ...]:
    """Return sentences on who reaches most, who is fastest, and a caveat."""
    text = first_caveat(result.notes, ())
    untested = "these figures describe the runs, and nothing is tested."
    return (
        (_success(result), _shares(result)),
        (_fastest(result),),
        (f"Read with care: {untested} {text}".strip(),),
    )


def _runs(result: FixedTargets) -> str:
    least, most = int(result.n_runs.min()), int(result.n_runs.max())
    runs = plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"
    low, high = time_text(float(result.budgets.min())), time_text(float(result.budgets.max()))
    budget = high if low == high else f"{low} to {high}"
    return f"{runs} of {budget} evaluations"


def _targets(result: FixedTargets) -> str:
    count, precisions = f"{plural(result.n_targets, 'target')} on each", result.precisions
    if precisions is not None:
        ends = [f"{value:.4g}" for value in (precisions[0], precisions[-1])]
        span = f"{ends[0]} to {ends[1]}" if len(precisions) > 1 else ends[0]
        return f"{count}, {span} from the optimum"
    if result.chosen == QUANTILES:
        return f"{count}, deciles of what its runs recorded"
    values = result.targets
    if (values == values[0]).all() and result.n_targets <= MOST_LISTED:
        return f"{count}, {joined([f'{value:.6g}' for value in values[0]])}"
    return count


def _success(result: FixedTargets) -> str:
    """Say on how many problems each algorithm, or the first ones, reach the hardest target."""
    last = result.n_targets - 1
    n = len(result.problems)
    counts = (result.successes[:, :, last] > 0).sum(axis=0)
    hits, runs = result.successes[:, :, last].sum(axis=0), result.n_runs.sum(axis=0)
    order = np.lexsort((-hits, -counts)).tolist()
    name = target_name(result, last)

    def told(place: int, noun: str = "") -> str:
        return f"{counts[place]} of {n:,}{noun} ({hits[place]:,} of {runs[place]:,} runs)"

    first = order[0]
    if not counts[first]:
        return f"No algorithm reaches {name} in any run."
    noun = "problem" if n == 1 else "problems"
    text = f"{result.algorithms[first]} reaches {name} on {told(first, f' {noun}')}"
    others = [f"{result.algorithms[place]} on {told(place)}" for place in order[1:]]
    if not others:
        return f"{text}."
    if len(others) <= MOST_LISTED:
        return f"{text}, {joined(others)}."
    shown = others[: MOST_LISTED - 1]
    rest = counted(len(others) - len(shown), "other")
    return f"{text}, {', '.join(shown)}, and the {rest} on no more."


def _shares(result: FixedTargets) -> str:
    """Say how many of all targets the runs of the best and the worst algorithm reach."""
    if result.n_targets == 1:
        return ""
    ordered, reached = result.ordered, result.reached

    shown = ordered if len(ordered) <= MOST_LISTED else (ordered[0], ordered[1], ordered[-1])
    first, *others = (
        (name, percent(float(reached[result.algorithms.index(name)]))) for name in shown
    )
    told = [f"{first[0]} reaches {first[1]} of all targets", *(" ".join(one) for one in others)]
    return f"{joined(told)}."


def _fastest(result: FixedTargets) -> str:
    """Say who has the least expected running time to the hardest target on how many problems."""
    last = result.n_targets - 1
    times = result.ert[:, :, last]
    least = times.min(axis=1)
    solved = np.isfinite(least)
    n_solved, k = int(solved.sum()), len(result.algorithms)
    if not n_solved or k == 1:
        return ""
    ahead = (times == least[:, np.newaxis])[solved].sum(axis=0)
    best = int(ahead.argmax())
    names = [result.algorithms[i] for i in np.flatnonzero(ahead == ahead[best])]
    verb = "has" if len(names) == 1 else "have"
    who = joined(names) if len(names) <= MOST_LISTED else f"{len(names)} algorithms"
    each = "" if len(names) == 1 else " each"
    nobody = ""
    if n_solved < len(times):
        rest = len(times) - n_solved
        nobody = f"; on {counted(rest, 'problem')} no run of any algorithm reaches it"
    return (
        f"Of the {counted(n_solved, 'problem')} on which at least one run reaches "
        f"{target_name(result, last)}, {who} {verb} the least expected running time on "
        f"{int(ahead[best])}{each}{nobody}."
    )


# ------------------------------------------------------------------------------ the methods


def methods(result: FixedTargets, cite: Cited) -> tuple[str, ...]:
    """Return the sentences of a paragraph on the methods."""
    design = result.design
    k, n = counted(len(result.algorithms), "algorithm"), counted(design.n_datasets, "problem")
    how = {
        "precisions": "as distances from the known optima",
        "values": "as values of the objective",
        QUANTILES: "as deciles of all values that the runs recorded on the problem",
    }[result.chosen]
    return (
        f"We measured {k} on {n} ({_runs(result)}) by fixed targets{cite('hansen2021')}: "
        f"{_targets(result)}, given {how}.",
        subject.missing_scores(design) and f"Left out: {joined(design.left_out)}.",
        "The expected running time to a target is the number of evaluations of all runs, those of "
        "a successful run up to and including the one that reached the target, divided by the "
        f"number of successful runs{cite('auger2005')}; without a success it is infinite.",
        "Shares of targets that were reached are over all problems, targets and runs"
        f"{cite('wang2022')}, without simulated restarts beyond the budget.",
        computed(design),
    )


def method(result: FixedTargets) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    design = result.design
    reached = "at most" if design.direction == MINIMIZE else "at least"
    rows = (
        ("histories", f"{design.measure or 'best value so far'}, {design.better}"),
        ("runs", _runs(result)),
        ("targets", _targets(result)),
        (
            "hit",
            f"first recorded point at which the best value is {reached} the target; "
            f"{plural(int(result.points.shape[1]), 'point')} on each problem",
        ),
        (
            "expected running time",
            "evaluations of all runs, of successful ones up to and including the hit, over the "
            "number of successes; infinite without one",
        ),
        ("share of targets", "of all problems, targets and runs; no simulated restarts"),
        ("left out", joined(design.left_out) if design.left_out else ""),
        *subject.identity(design),
    )
    return tuple((what, how) for what, how in rows if how)
