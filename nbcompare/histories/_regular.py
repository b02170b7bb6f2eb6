"""Regular histories of uneven logs: every run on a problem has values at the same points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, check_real, shown
from nbcompare.experiment import Unsettled
from nbcompare.histories._logs import Logs, Runs, in_runs
from nbcompare.histories._reading import LogReading
from nbcompare.histories._values import (
    ROUNDING,
    Names,
    check_optimum,
    evaluations_text,
    per_problem,
    toward_less,
)

POINTS = 100
# An array of up to this many cells is padded without complaint, however few logs it has.
_SMALL_ARRAY = 5_000_000


def regular(
    logs: Logs, optimum: FloatArray | None, rules: LogReading
) -> tuple[FloatArray, FloatArray, tuple[Note, ...]]:
    """Carry values forward to the points of each problem; return both, and what was done."""
    runs = in_runs(logs, rules)
    notes: tuple[Note, ...] = ()
    if rules.budget is None:
        tolerance = rules.optimum_tolerance
        reached = _at_optimum(runs, optimum, logs.tolerance if tolerance is None else tolerance)
        own_budgets = _budgets_of_algorithms(runs, reached)
        budgets = _common_budgets(runs, own_budgets)
        notes = (
            *_of_budgets(runs, own_budgets, budgets),
            *_of_early(runs, budgets, reached, rules.early),
        )
    else:
        budgets = _given_budgets(runs, rules.budget)
    own = rules.own_points and rules.n_points is None
    grid = _own_points(runs, budgets) if own else None
    if grid is None:
        whole = bool((runs.evaluations == np.floor(runs.evaluations)).all())
        start = _common_start(runs, budgets) if rules.is_raw else np.zeros(len(budgets))
        span = budgets - start
        n_points = rules.n_points or (max(1, min(POINTS, int(span.min()))) if whole else POINTS)
        shares = np.arange(1, n_points + 1) * span[:, np.newaxis] / n_points
        points = start[:, np.newaxis] + shares
        points[:, -1] = budgets
        counts = _rows_up_to(runs, start, span, n_points, whole)
    else:
        points = grid
        counts = np.minimum(np.arange(1, points.shape[1] + 1), runs.lengths[:, np.newaxis])
    slot = runs.slots()
    values = _empty(runs, int(slot.max()) + 1, points.shape[1])
    rows = runs.starts[:, np.newaxis] + np.maximum(counts - 1, 0)
    values[runs.problem, runs.algorithm, slot] = runs.values[rows]
    if optimum is not None:  # here, where runs still have the labels that an error names
        names = Names(logs.problems, logs.algorithms, runs.labels())
        check_optimum(optimum, values, points, names, logs.direction)
    return values, points, (*notes, *_of_late(runs, counts, points))


# ------------------------------------------------------------------------------ budgets


def _at_optimum(runs: Runs, optimum: FloatArray | None, tolerance: float) -> BoolArray:
    """Tell of each run whether it ends at the known optimum."""
    if optimum is None:
        return np.zeros(len(runs.starts), dtype=np.bool_)
    direction = runs.logs.direction
    final = toward_less(runs.values[runs.ends - 1], direction)
    best = toward_less(optimum, direction)[runs.problem]
    slack = ROUNDING * np.maximum(np.abs(best), np.abs(runs.values[runs.starts]))
    with np.errstate(over="ignore"):
        return np.asarray(final - best <= tolerance + slack, dtype=np.bool_)


def _given_budgets(runs: Runs, given: Any) -> FloatArray:
    problems = runs.logs.problems
    if isinstance(given, Mapping):
        given = per_problem(given, "budget", problems)
    budgets = check_real(given, "budget")
    if budgets.shape not in ((), (len(problems),)) or not np.all(
        (budgets > 0) & np.isfinite(budgets)
    ):
        raise ValueError(
            "`budget` must be a positive number of evaluations, or a mapping with one per "
            f"problem; got {shown(given)}."
        )
    budgets = np.broadcast_to(budgets, (len(problems),)).copy()
    late = runs.evaluations[runs.starts] > budgets[runs.problem]
    if late.any():
        i = int(np.argmax(late))
        raise DataError(
            f"{runs.name(i)} has no log within the budget of "
            f"{evaluations_text(budgets[runs.problem[i]])} evaluations; its first is at "
            f"{evaluations_text(runs.evaluations[runs.starts[i]])}."
        )
    return budgets


def _budgets_of_algorithms(runs: Runs, reached: BoolArray) -> FloatArray:
    """Return the longest run of each algorithm on each problem, (n_problems, n_algorithms).

    Infinite if every run ends at the optimum: the algorithm may have had any budget.
    """
    shape = (len(runs.logs.problems), len(runs.logs.algorithms))
    longest, open_ended = np.zeros(shape), np.ones(shape, dtype=np.bool_)
    cells = (runs.problem, runs.algorithm)
    np.maximum.at(longest, cells, runs.last)
    np.logical_and.at(open_ended, cells, reached)
    return np.where(open_ended, np.inf, longest)


def _common_budgets(runs: Runs, own_budgets: FloatArray) -> FloatArray:
    """Return the smallest budget of any algorithm on each problem.

    Where all are open-ended, it is the longest run.
    """
    longest: FloatArray = np.zeros(len(own_budgets))
    np.maximum.at(longest, runs.problem, runs.last)
    least = own_budgets.min(axis=1)
    return np.where(np.isinf(least), longest, least)


def _of_budgets(runs: Runs, own_budgets: FloatArray, budgets: FloatArray) -> Iterator[Note]:
    """Yield a note on what was cut off because other algorithms had less."""
    longer = np.isfinite(own_budgets) & (own_budgets > budgets[:, np.newaxis])
    if longer.any():
        p, a = (int(i) for i in np.argwhere(longer)[0])
        yield Note(
            "budgets",
            f"On {plural(int(longer.any(axis=1).sum()), 'problem')} the algorithms had "
            "different budgets; histories end at the smallest. On "
            f"{runs.logs.problems[p]}, {runs.logs.algorithms[a]} had "
            f"{evaluations_text(own_budgets[p, a])} evaluations, of which "
            f"{evaluations_text(budgets[p])} count.",
        )


def _of_early(runs: Runs, budgets: FloatArray, reached: BoolArray, early: str) -> Iterator[Note]:
    """Yield notes on runs that stop before the budget, or raise an error."""
    short = runs.last < budgets[runs.problem]
    stopped = short & ~reached
    if stopped.any() and early == "raise":
        i = int(np.argmax(stopped))
        raise Unsettled(
            f"{runs.name(i)} stops at evaluation {evaluations_text(runs.last[i])} of "
            f"{evaluations_text(budgets[runs.problem[i]])}"
            f"{': its later values are missing' * runs.is_cut(i)}.",
            [{"early": "carry"}],
            "Pass budget= if only improvements were logged, or optimum= (and optimum_tolerance=) "
            "if it stopped at the optimum.",
        )
    for code, which, what in (
        ("reached-early", short & reached, "stopped at the optimum before the end of the budget"),
        ("stopped-early", stopped, "stopped short of the optimum before the end of the budget"),
    ):
        count = int(which.sum())
        if count:
            yield Note(
                code,
                f"{plural(count, 'run')} of {len(which):,} {what}; the last value is carried "
                "forward.",
            )


# ------------------------------------------------------------------------------- points


def _own_points(runs: Runs, budgets: FloatArray) -> FloatArray | None:
    """Return the evaluations at which every run on a problem was logged, if there are such.

    A run may stop before the others; all problems must have the same number of points.
    """
    n_problems = len(budgets)
    longest = np.full(n_problems, -1)
    by_length = np.argsort(runs.lengths, kind="stable")
    longest[runs.problem[by_length]] = by_length  # the longest comes last, and stays
    grids = []
    for i, budget in zip(longest, budgets, strict=True):
        logged = runs.evaluations[runs.starts[i] : runs.ends[i]]
        grids.append(logged[: int(np.searchsorted(logged, budget, "right"))])
    n_points = len(grids[0])
    if n_points == 0 or any(len(grid) != n_points for grid in grids):
        return None
    points = np.stack(grids)
    if (points[:, -1] != budgets).any():
        return None
    kept = np.minimum(runs.lengths, n_points)
    first = runs.evaluations[runs.starts] == points[runs.problem, 0]
    final = runs.evaluations[runs.starts + kept - 1] == points[runs.problem, kept - 1]
    if not (first & final).all():  # this alone nearly always finds uneven logs
        return None
    if (runs.lengths == n_points).all():
        rows = runs.evaluations.reshape(-1, n_points)
        return points if (rows == points[runs.problem]).all() else None
    place = np.arange(len(runs.evaluations)) - np.repeat(runs.starts, runs.lengths)
    within = place < n_points
    wanted = points[np.repeat(runs.problem, runs.lengths)[within], place[within]]
    return points if np.array_equal(runs.evaluations[within], wanted) else None


def _common_start(runs: Runs, budgets: FloatArray) -> FloatArray:
    """Return where the last run on each problem was first logged, 0 if that is the budget."""
    latest = np.zeros(len(budgets))
    np.maximum.at(latest, runs.problem, runs.evaluations[runs.starts])
    return np.where(latest < budgets, latest, 0.0)


def _rows_up_to(
    runs: Runs, start: FloatArray, span: FloatArray, n_points: int, whole: bool
) -> IntArray:
    """Count the rows of each run that are not beyond each regular point."""

    def by_row(of_problems: FloatArray) -> Any:
        if (of_problems == of_problems[0]).all():
            return of_problems[0]
        return np.repeat(of_problems[runs.problem], runs.lengths)

    place = (runs.evaluations - by_row(start)) if start.any() else runs.evaluations.copy()
    place *= n_points
    place /= by_row(span)
    if not whole:
        place -= 1e-9  # whole numbers are divided exactly enough; others may be rounded up
    np.ceil(place, out=place)
    np.clip(place, 1, n_points + 1, out=place)
    bins = place.astype(np.int64)
    bins += np.repeat(np.arange(len(runs.starts)) * (n_points + 1) - 1, runs.lengths)
    counts = np.bincount(bins, minlength=len(runs.starts) * (n_points + 1))
    counts = counts.reshape(len(runs.starts), n_points + 1)[:, :n_points]
    return np.cumsum(counts, axis=1)


def _of_late(runs: Runs, counts: IntArray, points: FloatArray) -> Iterator[Note]:
    """Yield a note on runs that are first logged after the first point."""
    late = counts[:, 0] == 0
    count = int(late.sum())
    if count:
        first = runs.evaluations[runs.starts]
        i = int(np.argmax(np.where(late, first / points[runs.problem, -1], 0.0)))
        yield Note(
            "late-start",
            f"{plural(count, 'run')} of {len(late):,} {'was' if count == 1 else 'were'} first "
            "logged after the first point; the first value stands before it. The latest is "
            f"at evaluation {evaluations_text(first[i])} of "
            f"{evaluations_text(points[runs.problem[i], -1])}.",
        )


def _empty(runs: Runs, n_runs: int, n_points: int) -> FloatArray:
    """Return an array for all histories, unless it would be nearly empty."""
    shape = (len(runs.logs.problems), len(runs.logs.algorithms), n_runs, n_points)
    size = int(np.prod(shape, dtype=np.float64))
    if size > _SMALL_ARRAY and size > 100 * len(runs.values):
        raise DataError(
            f"{shape[0]} problems, {shape[1]} algorithms, {shape[2]} runs and {shape[3]} points "
            f"make {size:,} cells for {len(runs.values):,} logs. "
            "Does one of problem=, algorithm=, run= name the wrong column?"
        )
    return np.full(shape, np.nan)
