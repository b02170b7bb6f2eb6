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
    SLACK,
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
    logs: Logs, optimum: FloatArray | None, reading: LogReading
) -> tuple[FloatArray, FloatArray, tuple[Note, ...]]:
    """Carry values forward to the points of each problem; return both, and what was done."""
    runs = in_runs(logs, reading)
    notes: list[Note] = []
    if reading.budget is None:
        tolerance = reading.optimum_tolerance
        reached = _at_optimum(runs, optimum, logs.tolerance if tolerance is None else tolerance)
        budgets = _common_budgets(runs, reached, notes)
        notes += _of_early(runs, budgets, reached, reading.early)
    else:
        budgets = _given_budgets(runs, reading.budget)
    own = reading.own_points and reading.n_points is None
    points = _own_points(runs, budgets) if own else None
    if points is None:
        points = _regular_points(runs, budgets, reading)
    ends = points * SLACK
    counts = np.stack(
        [
            np.searchsorted(runs.evaluations[start:end], ends[p], side="right")
            for start, end, p in zip(runs.starts, runs.ends, runs.problem, strict=True)
        ]
    )
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


def _common_budgets(runs: Runs, reached: BoolArray, notes: list[Note]) -> FloatArray:
    """Return the smallest budget of any algorithm on each problem; note what is cut off by it.

    An algorithm of which every run ends at the optimum may have had any budget. Where all are such,
    it is the longest run.
    """
    longest = np.zeros((len(runs.logs.problems), len(runs.logs.algorithms)))
    open_ended: BoolArray = np.ones(longest.shape, dtype=np.bool_)
    cells = (runs.problem, runs.algorithm)
    np.maximum.at(longest, cells, runs.last)
    np.logical_and.at(open_ended, cells, reached)
    least = np.where(open_ended, np.inf, longest).min(axis=1)
    budgets: FloatArray = np.where(np.isinf(least), longest.max(axis=1), least)
    longer = ~open_ended & (longest > budgets[:, np.newaxis])
    if longer.any():
        p, a = (int(i) for i in np.argwhere(longer)[0])
        text = (
            f"On {plural(int(longer.any(axis=1).sum()), 'problem')} the algorithms had "
            "different budgets; histories end at the smallest. On "
            f"{runs.logs.problems[p]}, {runs.logs.algorithms[a]} had "
            f"{evaluations_text(longest[p, a])} evaluations, of which "
            f"{evaluations_text(budgets[p])} count."
        )
        notes.append(Note("budgets", text))
    return budgets


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
    logged = [
        runs.evaluations[start:end] for start, end in zip(runs.starts, runs.ends, strict=True)
    ]
    longest = dict(sorted(zip(runs.problem.tolist(), logged, strict=True), key=_length))
    grids = [longest[p][longest[p] <= budget] for p, budget in enumerate(budgets)]
    if len({len(grid) for grid in grids}) > 1 or not len(grids[0]):
        return None
    points = np.stack(grids)
    own = (np.array_equal(run[: len(grids[0])], grids[p][: len(run)])
           for p, run in zip(runs.problem, logged, strict=True))  # fmt: skip
    return points if (points[:, -1] == budgets).all() and all(own) else None


def _length(pair: tuple[int, FloatArray]) -> int:
    return len(pair[1])


def _regular_points(runs: Runs, budgets: FloatArray, reading: LogReading) -> FloatArray:
    """Return regular shares of the budgets; of raw values, from where the last run has begun."""
    start = np.zeros(len(budgets))
    if reading.is_raw:
        np.maximum.at(start, runs.problem, runs.evaluations[runs.starts])
        start[start >= budgets] = 0.0
    span = budgets - start
    whole = bool((runs.evaluations == np.floor(runs.evaluations)).all())
    n_points = reading.n_points or (max(1, min(POINTS, int(span.min()))) if whole else POINTS)
    shares = np.arange(1, n_points + 1) * span[:, np.newaxis] / n_points
    points: FloatArray = start[:, np.newaxis] + shares
    points[:, -1] = budgets
    return points


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
