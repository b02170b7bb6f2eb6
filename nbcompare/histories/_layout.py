"""Logs of the columns of a table: a row per value, whatever the layout."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._tables import Codes, RawTable
from nbcompare._validation import DataError, clean_label
from nbcompare.experiment import Facts
from nbcompare.histories._columns import LogColumns
from nbcompare.histories._logs import Logs, none_empty, numbered
from nbcompare.histories._reading import LABELS


def arrange(known: LogColumns, direction: str) -> tuple[Logs, FloatArray | None]:
    """Return the logs, and the optimum of each problem if a column holds it."""
    table, names, parts = known.table, known.values, known.parts
    width = len(names)
    label = known.roles.get("problem", (None,))[0]
    columns = [table.numbers(name, label) for name in names]
    values = columns[0] if width == 1 else np.stack(columns, axis=1).ravel()
    (problem, problems), (algorithm, algorithms), (run, runs) = (
        _labels(known, role) for role in LABELS
    )
    if "evaluations" in parts:
        evaluations = np.tile([_point(table, name) for name in parts["evaluations"]], table.n_rows)
    else:
        evaluations = _spread(table.numbers(known.roles["evaluations"][0], label), width)
    if not runs:  # each row is a run of its own
        cell = problem.astype(np.int64) * len(algorithms) + algorithm
        cell = cell.reshape(table.n_rows, width)
        _, first, alike = np.unique(cell[0], return_index=True, return_inverse=True)
        heads = cell[:, first].ravel()  # columns that are alike belong to one run
        number = numbered(heads, np.argsort(heads, kind="stable"))
        run = number.reshape(table.n_rows, -1)[:, alike].ravel()
        runs = [str(i + 1) for i in range(int(run.max()) + 1)]
    empty = np.isnan(values)
    rows = np.flatnonzero(~empty) if empty.any() else None

    def where(row: int) -> str:
        at, column = divmod(row if rows is None else int(rows[row]), width)
        if "evaluations" in known.roles and width == 1:
            return table.cell(at, known.roles["evaluations"][0])
        return table.cell(at, names[column], label)

    logs = Logs(
        problems,
        algorithms,
        runs,
        problem,
        algorithm,
        run,
        evaluations,
        values,
        where,
        direction,
        has_runs="run" in known.roles or "evaluations" in parts or "run" in parts,
        measure=names[0] if "value" in known.roles and names[0].casefold() != "value" else None,
        notes=tuple(Note(code, text) for code, text in table.notes),
    )
    full = logs if rows is None else none_empty(logs.part(rows), table.source)
    unknown = np.isnan(full.evaluations)
    if unknown.any():
        raise DataError(
            f"{where(int(np.argmax(unknown)))} must be a number of evaluations; the cell is empty."
        )
    if rows is not None:
        gaps = logs.part(np.flatnonzero(empty & ~np.isnan(evaluations)))
        # empty cells at the end of a column or row are those of a run that was shorter
        full = _with_gaps(full, gaps, at_end=width == 1)
    return full, _optimum(known)


def _labels(known: LogColumns, role: str) -> tuple[Codes, list[str]]:
    """Return what names of columns or cells say of a role, value by value; nothing for rows."""
    table, width = known.table, len(known.values)
    if role in known.parts:
        labels = list(dict.fromkeys(map(clean_label, known.parts[role])))
        codes = [labels.index(clean_label(part)) for part in known.parts[role]]
        return np.tile(np.array(codes, dtype=np.int64), table.n_rows), labels
    names = known.roles.get(role, ())
    if not names:
        of_rows = role == "run" and "evaluations" in known.parts
        return np.zeros(table.n_rows * width, dtype=np.int32), [] if of_rows else ["1"]
    if len(names) == 1:
        codes_of_rows, labels = table.compact_labels(names[0])
        return _spread(codes_of_rows, width), labels
    group = Facts(table).group(names)
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    texts = [table.labels(name) for name in names]
    labels = [" / ".join(text[row] for text in texts) for row in first[order].tolist()]
    return _spread(rank[place], width), labels


def _spread(column: Any, width: int) -> Any:
    """Repeat what is said of a row for each of its values."""
    return column if width == 1 else np.repeat(column, width)


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
    if within.any():
        count = int(within.sum())
        told.append(
            f"{plural(count, 'value')} within {plural(len(np.unique(of_gap[within])), 'run')} of "
            f"{len(runs):,} {'is' if count == 1 else 'are'} missing; the best value before stands."
        )
    cut = np.unique(of_gap[after])
    if at_end and cut.size:
        count = int(after.sum())
        told.append(
            f"The last {plural(count, 'value')} of {plural(len(cut), 'run')} of {len(runs):,} "
            f"{'is' if count == 1 else 'are'} missing; a run ends with the value before."
        )
    return replace(
        logs,
        notes=(*logs.notes, *([Note("missing-values", " ".join(told))] if told else [])),
        cut=frozenset(cut.tolist()),
    )


def _optimum(known: LogColumns) -> FloatArray | None:
    """Return one optimum per problem; refuse a column with two."""
    if "optimum" not in known.roles:
        return None
    table, name = known.table, known.roles["optimum"][0]
    label = known.roles.get("problem", (None,))[0]
    given = _spread(table.numbers(name, label), len(known.values))
    problem, problems = _labels(known, "problem")
    first: IntArray = np.full(len(problems), -1)
    first[problem[::-1]] = np.arange(len(problem))[::-1]  # the first row comes last, and stays
    optimum: FloatArray = given[first]
    for wrong, what in (
        (np.isnan(given), "be a number; the cell is empty."),
        (given != optimum[problem], "hold one optimum per problem; got "),
    ):
        if wrong.any():
            at = int(np.argmax(wrong))
            if what.endswith("got "):
                what += f"{float(given[at])!r} after {float(optimum[problem[at]])!r}."
            row = at // len(known.values)
            raise DataError(f"{table.cell(row, name, label)} must {what}")
    return optimum
