"""Logs of the columns of a table: a row per value, whatever the layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._tables import Codes, RawTable
from nbcompare._validation import DataError, clean_label
from nbcompare.experiment import Facts, Understanding
from nbcompare.histories._logs import Logs, none_empty, numbered
from nbcompare.histories._reading import LABELS, LogReading


def arrange(known: Understanding, reading: LogReading) -> Logs:
    """Return the logs of a table of which the columns are understood."""
    table, names, parts, roles = known.table, known.scores, known.parts, known.roles
    width, label = len(names), roles.get("problem", (None,))[0]
    values = np.stack([table.numbers(name, label) for name in names], axis=1).ravel()
    if "evaluations" in parts:
        points = [_point(table, name) for name in parts["evaluations"]]
        evaluations = np.tile(points, table.n_rows)
    else:
        evaluations = np.repeat(table.numbers(roles["evaluations"][0], label), width)
    axes: dict[str, Any] = {}
    for role in LABELS:
        axes[role], axes[f"{role}s"] = _labels(known, role)
    if "evaluations" in parts and "run" not in {*roles, *parts}:  # each row is a run of its own
        cell = axes["problem"].astype(np.int64) * len(axes["algorithms"]) + axes["algorithm"]
        axes["run"], axes["runs"] = _runs_of_rows(cell, table.n_rows)
    empty = np.isnan(values)
    rows = np.flatnonzero(~empty)

    def where(row: int) -> str:
        at, column = divmod(int(rows[row]), width)
        if "evaluations" in roles and width == 1:
            return table.cell(at, roles["evaluations"][0])
        return table.cell(at, names[column], label)

    logs = Logs(
        **axes,
        evaluations=evaluations,
        values=values,
        where=where,
        direction=str(reading.direction),
        has_runs="run" in roles or not known.is_long,
        measure=names[0] if known.is_long and names[0].casefold() != "value" else None,
        optimum=_optimum(known, axes["problem"], len(axes["problems"])),
        notes=tuple(Note(code, text) for code, text in (*table.notes, *known.notes)),
        schema=known.schema(reading, {}),
    )
    full = none_empty(logs.part(rows), table.source)
    unknown = np.isnan(full.evaluations)
    if unknown.any():
        raise DataError(
            f"{where(int(np.argmax(unknown)))} must be a number of evaluations; the cell is empty."
        )
    # empty cells at the end of a column or row are those of a run that was shorter
    gaps = logs.part(np.flatnonzero(empty & ~np.isnan(evaluations)))
    return _with_gaps(full, gaps, at_end=width == 1) if empty.any() else full


def _labels(known: Understanding, role: str) -> tuple[Codes, list[str]]:
    """Return what names of columns, or cells, say of a role, value by value."""
    n_rows, width = known.table.n_rows, len(known.scores)
    if role in known.parts:
        parts = [clean_label(part) for part in known.parts[role]]
        labels = list(dict.fromkeys(parts))
        return np.tile([labels.index(part) for part in parts], n_rows), labels
    if role not in known.roles:
        return np.zeros(width * n_rows, dtype=np.int64), ["1"]
    codes, labels = Facts(known.table).joined_labels(known.roles[role])
    return np.repeat(codes, width), labels


def _runs_of_rows(cell: IntArray, n_rows: int) -> tuple[IntArray, list[str]]:
    """Number the rows of each problem and algorithm, for every value in them."""
    rows = cell.reshape(n_rows, -1)
    _, first, alike = np.unique(rows[0], return_index=True, return_inverse=True)
    heads = rows[:, first].ravel()  # columns that are alike belong to one run
    number = numbered(heads, np.argsort(heads, kind="stable"))
    run = number.reshape(n_rows, -1)[:, alike].ravel()
    return run, [str(i + 1) for i in range(int(run.max()) + 1)]


def _point(table: RawTable, name: str) -> float:
    """Return the number of evaluations by which a column is called."""
    try:
        return float(name)
    except ValueError:
        raise DataError(f"{table.source}: {name!r} must be a number of evaluations.") from None


def _with_gaps(logs: Logs, gaps: Logs, *, at_end: bool) -> Logs:
    """Return the logs with a note on values that are missing within runs, and at their ends.

    Before the first value of a run, nothing is missing that a later note would not tell.
    """
    of_gap = gaps.keys()
    runs, place = np.unique(logs.keys(), return_inverse=True)
    first, last = np.full(len(runs), np.inf), np.full(len(runs), -np.inf)
    np.minimum.at(first, place, logs.evaluations)
    np.maximum.at(last, place, logs.evaluations)
    at = np.minimum(np.searchsorted(runs, of_gap), len(runs) - 1)
    has_run = runs[at] == of_gap
    within: BoolArray = has_run & (gaps.evaluations > first[at]) & (gaps.evaluations < last[at])
    after = has_run & (gaps.evaluations > last[at])
    told = []
    for what, which, outcome in (
        ("{} within {}", within, "the value before stands"),
        ("The last {} of {}", after & at_end, "a run ends with the value before"),
    ):
        count = int(which.sum())
        if count:
            there = plural(count, "value"), plural(len(np.unique(of_gap[which])), "run")
            verb = "is" if count == 1 else "are"
            told.append(f"{what.format(*there)} of {len(runs):,} {verb} missing; {outcome}.")
    notes = [Note("missing-values", " ".join(told))] if told else []
    cut = frozenset(of_gap[after].tolist())
    return replace(logs, notes=(*logs.notes, *notes), cut=cut)


def _optimum(known: Understanding, problem: Codes, n_problems: int) -> FloatArray | None:
    """Return one optimum per problem; refuse a column with two."""
    if "optimum" not in known.roles:
        return None
    table, name, width = known.table, known.roles["optimum"][0], len(known.scores)
    label = known.roles.get("problem", (None,))[0]
    given = np.repeat(table.numbers(name, label), width)
    first: IntArray = np.zeros(n_problems, dtype=np.int64)
    first[problem[::-1]] = np.arange(len(problem))[::-1]  # the first row comes last, and stays
    optimum: FloatArray = given[first]
    wrong = np.isnan(given) if np.isnan(given).any() else given != optimum[problem]
    if wrong.any():
        row = int(np.argmax(wrong))
        what = f"hold one optimum per problem; got {float(given[row])!r} after "
        what += f"{float(optimum[problem[row]])!r}"
        if np.isnan(given[row]):
            what = "be a number; the cell is empty"
        raise DataError(f"{table.cell(row // width, name, label)} must {what}.")
    return optimum
