"""Regular histories of uneven logs: every run on a problem has values at the same points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._render import Note, plural
from nbcompare._validation import DataError, shown
from nbcompare.experiment import Unsettled
from nbcompare.histories._columns import LogReading
from nbcompare.histories._logs import Logs
from nbcompare.histories._values import (
    ROUNDING,
    SLACK,
    Events,
    check_optimum,
    evaluations_text,
    numbers_of,
    toward_less,
)

POINTS = 100
_AT_OPTIMUM = 1e-8  # as COCO and the competitions of CEC count
# An array of up to this many cells is padded without complaint, however few logs it has.
_SMALL_ARRAY = 5_000_000


def regular(
    logs: Logs, optimum: FloatArray | None, reading: LogReading
) -> tuple[Events, FloatArray, tuple[Note, ...]]:
    """Return what was logged up to the budgets, the points of each problem, and what was done."""
    logs = logs.checked(reading)
    notes: list[Note] = []
    if reading.budget is None:
        tolerance = reading.optimum_tolerance
        reached = _at_optimum(logs, optimum, logs.tolerance if tolerance is None else tolerance)
        budgets = _common_budgets(logs, reached, notes, is_raw=reading.is_raw)
        notes += _of_early(logs, optimum, budgets, reached, reading)
    else:
        budgets = _given_budgets(logs, reading.budget)
    own = reading.own_points and reading.n_points is None
    points = _own_points(logs, budgets) if own else None
    if points is None:
        points = _regular_points(logs, budgets, reading)
    events = _events(logs, None if reading.budget is None else budgets, points.shape[1])
    # here, where runs still have the labels that an error names
    check_optimum(optimum, events, logs.names, logs.direction)
    return events, points, (*notes, *_of_late(logs, points))


# ------------------------------------------------------------------------------ budgets


def _at_optimum(logs: Logs, optimum: FloatArray | None, tolerance: float) -> BoolArray:
    """Tell of each run whether it ends at the known optimum."""
    if optimum is None:
        return np.zeros(len(logs.runs), dtype=np.bool_)
    first, final = (np.array([run.values[place] for run in logs.runs]) for place in (0, -1))
    best = optimum[logs.problem]
    slack = ROUNDING * np.maximum(np.abs(best), np.abs(first))
    with np.errstate(over="ignore"):
        away = toward_less(final, logs.direction) - toward_less(best, logs.direction)
        return np.asarray(away <= tolerance + slack, dtype=np.bool_)


def _given_budgets(logs: Logs, given: Any) -> FloatArray:
    budgets = numbers_of(given, "budget", logs.problems)
    if (budgets <= 0).any():
        raise ValueError(f"`budget` must be a positive number of evaluations; got {shown(given)}.")
    late = logs.first > budgets[logs.problem]
    if late.any():
        i = int(np.argmax(late))
        raise DataError(
            f"{logs.name(logs.runs[i])} has no log within the budget of "
            f"{evaluations_text(budgets[logs.problem[i]])} evaluations; its first is at "
            f"{evaluations_text(logs.first[i])}."
        )
    return budgets


def _common_budgets(
    logs: Logs, reached: BoolArray, notes: list[Note], *, is_raw: bool
) -> FloatArray:
    """Return the smallest budget of any algorithm on each problem; note where others had more.

    An algorithm of which every run ends at the optimum may have had any budget. Where all are such,
    it is the longest run.
    """
    longest = np.zeros((len(logs.problems), len(logs.algorithms)))
    open_ended: BoolArray = np.ones(longest.shape, dtype=np.bool_)
    cells = (logs.problem, logs.algorithm)
    np.maximum.at(longest, cells, logs.last)
    np.logical_and.at(open_ended, cells, reached)
    least = np.where(open_ended, np.inf, longest).min(axis=1)
    budgets: FloatArray = np.where(np.isinf(least), longest.max(axis=1), least)
    longer = ~open_ended & (longest > budgets[:, np.newaxis])
    if longer.any():
        p, a = (int(i) for i in np.argwhere(longer)[0])
        times = "" if is_raw else "; running times to targets count them in full"
        n_such = plural(int(longer.any(axis=1).sum()), "problem")
        had, least = (evaluations_text(n) for n in (longest[p, a], budgets[p]))
        text = (
            f"On {n_such} the algorithms had different budgets: values are compared up to the "
            f"smallest{times}. On {logs.problems[p]}, {logs.algorithms[a]} had {had} evaluations; "
            f"the smallest budget is {least}."
        )
        notes.append(Note("budgets", text))
    return budgets


def _of_early(
    logs: Logs,
    optimum: FloatArray | None,
    budgets: FloatArray,
    reached: BoolArray,
    reading: LogReading,
) -> Iterator[Note]:
    """Yield notes on runs that stop before the budget, or raise an error."""
    short = logs.last < budgets[logs.problem]
    stopped = short & ~reached
    is_known = optimum is not None
    if stopped.any() and reading.early == "raise":
        i = int(np.argmax(stopped))
        is_near = not (stopped & ~_at_optimum(logs, optimum, _AT_OPTIMUM)).any()
        ways = [{"optimum_tolerance": _AT_OPTIMUM}] * (is_near and not reading.optimum_tolerance)
        raise Unsettled(
            f"{logs.name(logs.runs[i])} stops at evaluation {evaluations_text(logs.last[i])} of "
            f"{evaluations_text(budgets[logs.problem[i]])}.",
            [*ways, {"early": "carry"}],
            "Pass budget= if only improvements were logged"
            + ("." if is_known else ", or optimum= if it stopped at the optimum."),
        )
    short_of = "short of the optimum " if is_known else ""
    for code, which, what in (
        ("reached-early", short & reached, "stopped at the optimum before the end of the budget"),
        ("stopped-early", stopped, f"stopped {short_of}before the end of the budget"),
    ):
        count = int(which.sum())
        if count:
            yield Note(
                code,
                f"{plural(count, 'run')} of {len(which):,} {what}; the last value is carried "
                "forward.",
            )


# ------------------------------------------------------------------------------- points


def _own_points(logs: Logs, budgets: FloatArray) -> FloatArray | None:
    """Return the evaluations at which every run on a problem was logged, if there are such.

    A run may stop before the others; all problems must have the same number of points.
    """
    by_length = sorted(logs.runs, key=lambda run: len(run.evaluations))
    longest = {run.problem: run.evaluations for run in by_length}
    grids = [longest[p][longest[p] <= budget] for p, budget in enumerate(budgets)]
    if len({len(grid) for grid in grids}) > 1 or not len(grids[0]):
        return None
    points = np.stack(grids)
    are_own = (
        (run.evaluations[: points.shape[1]] == points[run.problem, : len(run.evaluations)]).all()
        for run in logs.runs
    )
    return points if (points[:, -1] == budgets).all() and all(are_own) else None


def _regular_points(logs: Logs, budgets: FloatArray, reading: LogReading) -> FloatArray:
    """Return regular shares of the budgets; of raw values, from where the last run has begun."""
    start = np.zeros(len(budgets))
    if reading.is_raw:
        np.maximum.at(start, logs.problem, logs.first)
        start[start >= budgets] = 0.0
    span = budgets - start
    spent = np.concatenate([run.evaluations for run in logs.runs])
    whole = bool((spent == np.floor(spent)).all())
    n_points = reading.n_points or (max(1, min(POINTS, int(span.min()))) if whole else POINTS)
    shares = np.arange(1, n_points + 1) * span[:, np.newaxis] / n_points
    points: FloatArray = start[:, np.newaxis] + shares
    points[:, -1] = budgets
    return points


def _of_late(logs: Logs, points: FloatArray) -> Iterator[Note]:
    """Yield a note on runs that are first logged after the first point."""
    late = logs.first > points[logs.problem, 0] * SLACK
    count = int(late.sum())
    if count:
        first = logs.first
        i = int(np.argmax(np.where(late, first / points[logs.problem, -1], 0.0)))
        yield Note(
            "late-start",
            f"{plural(count, 'run')} of {len(late):,} {'was' if count == 1 else 'were'} first "
            "logged after the first point; the first value stands before it. The latest is "
            f"at evaluation {evaluations_text(first[i])} of "
            f"{evaluations_text(points[logs.problem[i], -1])}.",
        )


def _events(logs: Logs, budgets: FloatArray | None, n_points: int) -> Events:
    """Return what was logged, each run to the given budget; refuse arrays nearly without values."""
    shape = (len(logs.problems), len(logs.algorithms), max(run.slot for run in logs.runs) + 1)
    size = int(np.prod((*shape, n_points), dtype=np.float64))
    n_logs = sum(len(run.values) for run in logs.runs)
    if size > _SMALL_ARRAY and size > 100 * n_logs:
        raise DataError(
            f"{shape[0]} problems, {shape[1]} algorithms, {shape[2]} runs and {n_points} points "
            f"make {size:,} cells for {n_logs:,} logs. "
            "Does one of problem=, algorithm=, run= name the wrong column?"
        )
    found, lengths = list[FloatArray](), np.zeros(shape, dtype=np.int64)
    for run in sorted(logs.runs, key=lambda run: run[:3]):
        rows = np.stack([run.evaluations, run.values])
        if budgets is not None:
            budget = budgets[run.problem]
            rows = rows[:, rows[0] <= budget]
            if rows[0, -1] < budget:
                rows = np.append(rows, [[budget], rows[1, -1:]], axis=1)
        found.append(rows)
        lengths[run[:3]] = rows.shape[1]
    evaluations, values = np.concatenate(found, axis=1)
    return Events(evaluations, values, np.cumsum(lengths).reshape(shape))
