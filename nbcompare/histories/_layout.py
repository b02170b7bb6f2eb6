"""Layouts of tables of logs: long ones and wide ones.

A long table has a row per logged value. A wide one has a row per run, and columns that
are named by numbers of evaluations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nbcompare._arrays import FloatArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._tables import (
    Codes,
    RawTable,
    compact_codes,
    find_column,
    missing_with,
    refuse_two_roles,
    without_saved_index,
    without_words,
)
from nbcompare._validation import DataError, listed
from nbcompare.histories._logs import Logs, none_empty, numbered

ROLES = ("problem", "algorithm", "run", "evaluations", "value")
LABEL_ROLES = ROLES[:3]
OPTIMUM = "optimum"


def given(
    problem: str | None,
    algorithm: str | None,
    run: str | None,
    evaluations: str | None,
    value: str | None,
    optimum: object,
) -> dict[str, str | None]:
    """Return the columns that the caller named, by role."""
    names = (problem, algorithm, run, evaluations, value)
    return dict(zip(ROLES, names, strict=True)) | {
        OPTIMUM: optimum if isinstance(optimum, str) else None
    }


def label_columns(named: Mapping[str, str | None]) -> set[str]:
    """Return the columns to be read as text."""
    labels = {role for role in LABEL_ROLES if named[role] is None}
    return labels | {str(named[role]) for role in LABEL_ROLES if named[role] is not None}


def without_missing(
    table: RawTable, named: Mapping[str, str | None], missing_words: Iterable[str]
) -> RawTable:
    """Return the table without a saved index, and with gaps for words in a dataframe."""
    columns = [name for name in named.values() if name is not None]
    table = without_saved_index(table, columns, LABEL_ROLES)
    words = tuple(missing_words)
    return without_words(table, label_columns(named), missing_with(words)) if words else table


def refuse_columns(names: Iterable[object], optimum: object) -> None:
    """Refuse names of columns: a folder has none."""
    for role, name in (*zip(ROLES, names, strict=True), (OPTIMUM, optimum)):
        if name is not None and (role != OPTIMUM or isinstance(name, str)):
            raise ValueError(f"`{role}` names a column of a table; a folder has none.")


def arrange(
    table: RawTable, given: Mapping[str, str | None], direction: str, *, with_optimum: bool
) -> tuple[Logs, FloatArray | None]:
    """Arrange a table by the columns that the caller named, or that name themselves.

    The optimum of each problem comes along, if a column holds it and no argument does.
    """
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is no run.")
    named = {
        role: find_column(table, role, name) for role, name in given.items() if name is not None
    }
    refuse_two_roles(named)
    columns = _recognised(table, named) | named
    for role in ("problem", "algorithm"):
        if role not in columns:
            raise DataError(
                f"{table.source}: `{role}` must name the column of {role}s; "
                f"the columns are {listed(table.columns)}."
            )
    logs = (
        _long(table, columns, direction)
        if {"evaluations", "value"} & columns.keys()
        else _wide(table, columns, direction)
    )
    return logs, _optimum(table, columns) if with_optimum else None


def _recognised(table: RawTable, named: Mapping[str, str]) -> dict[str, str]:
    """Find columns that are called like a role and that no argument names."""
    free = [name for name in table.columns if name not in named.values()]
    return {
        role: matches[0]
        for role in (*ROLES, OPTIMUM)
        if role not in named
        and len(matches := [name for name in free if name.casefold() == role]) == 1
    }


# -------------------------------------------------------------------------------- long


def _long(table: RawTable, columns: Mapping[str, str], direction: str) -> Logs:
    for role, other in (("evaluations", "value"), ("value", "evaluations")):
        if role not in columns:
            raise DataError(
                f"{table.source}: `{role}` must name a column beside {columns[other]!r} in a long "
                f"table (a row per logged value); the columns are {listed(table.columns)}."
            )
    values = table.numbers(columns["value"], columns["problem"])
    evaluations = table.numbers(columns["evaluations"], columns["problem"])
    problem, problems = table.compact_labels(columns["problem"])
    algorithm, algorithms = table.compact_labels(columns["algorithm"])
    run, runs = compact_codes(table, columns.get("run"))
    empty = np.isnan(values)
    rows, gaps = None, None
    if empty.any():
        rows = np.flatnonzero(~empty)
        absent = np.flatnonzero(empty & ~np.isnan(evaluations))
        gaps = _Gaps(problem[absent], algorithm[absent], run[absent], evaluations[absent])
        problem, algorithm, run = problem[rows], algorithm[rows], run[rows]
        evaluations, values = evaluations[rows], values[rows]

    def where(row: int) -> str:
        return table.cell(row if rows is None else int(rows[row]), columns["evaluations"])

    unknown = np.isnan(evaluations)
    if unknown.any():
        at = where(int(np.argmax(unknown)))
        raise DataError(f"{at} must be a number of evaluations; the cell is empty.")
    measure = columns["value"]
    logs = none_empty(
        Logs(
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
            has_runs="run" in columns,
            measure=None if measure.casefold() == "value" else measure,
        ),
        table.source,
    )
    return logs if gaps is None else _with_gaps(logs, gaps, at_end=True)


# -------------------------------------------------------------------------------- wide


def _wide(table: RawTable, columns: Mapping[str, str], direction: str) -> Logs:
    names = [name for name in table.columns if name not in columns.values() and name]
    if not names:
        raise DataError(
            f"{table.source} has no column of values. A long table has columns for evaluations "
            "and value; in a wide one, a column per point is named by its evaluations."
        )
    points = np.array([_evaluations(table, name) for name in names])
    values = np.stack([table.numbers(name, columns["problem"]) for name in names], axis=1)
    problem, problems = table.coded_labels(columns["problem"])
    algorithm, algorithms = table.coded_labels(columns["algorithm"])
    if "run" in columns:
        run, runs = table.coded_labels(columns["run"])
    else:
        cell = problem * len(algorithms) + algorithm
        run = numbered(cell, np.argsort(cell, kind="stable"))
        runs = [str(i + 1) for i in range(int(run.max()) + 1)]
    empty = np.isnan(values)
    gaps = None
    if empty.any():
        row, column = np.nonzero(empty)
        gaps = _Gaps(problem[row], algorithm[row], run[row], points[column])
    filled = np.flatnonzero(~empty.ravel())
    row, column = np.divmod(filled, len(names))

    def where(position: int) -> str:
        return table.cell(int(row[position]), names[int(column[position])], columns["problem"])

    logs = none_empty(
        Logs(
            problems,
            algorithms,
            runs,
            problem[row],
            algorithm[row],
            run[row],
            points[column],
            values.ravel()[filled],
            where,
            direction,
        ),
        table.source,
    )
    # empty cells at the end of a row are those of a run that was shorter
    return logs if gaps is None else _with_gaps(logs, gaps, at_end=False)


class _Gaps(NamedTuple):
    """Cells without a value: problem, algorithm and run by number, and evaluations."""

    problem: Codes
    algorithm: Codes
    run: Codes
    evaluations: FloatArray


def _with_gaps(logs: Logs, gaps: _Gaps, *, at_end: bool) -> Logs:
    """Return the logs with a note on values that are missing within runs, and at their ends.

    Before the first value of a run, nothing is missing that a later note would not tell.
    """
    of_value, of_gap = _keys(logs, logs), _keys(logs, gaps)
    runs, place = np.unique(of_value, return_inverse=True)
    first, last = np.full(len(runs), np.inf), np.full(len(runs), -np.inf)
    np.minimum.at(first, place, logs.evaluations)
    np.maximum.at(last, place, logs.evaluations)
    at = np.minimum(np.searchsorted(runs, of_gap), len(runs) - 1)
    has_run = runs[at] == of_gap
    within = has_run & (gaps.evaluations > first[at]) & (gaps.evaluations < last[at])
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
    cell, run = np.divmod(cut, len(logs.runs))
    problem, algorithm = np.divmod(cell, len(logs.algorithms))
    return replace(
        logs,
        notes=(*logs.notes, *([Note("missing-values", " ".join(told))] if told else [])),
        cut=frozenset(zip(problem.tolist(), algorithm.tolist(), run.tolist(), strict=True)),
    )


def _keys(logs: Logs, rows: Logs | _Gaps) -> IntArray:
    """Number the run of each row among all that labels can name."""
    cell = rows.problem.astype(np.int64) * len(logs.algorithms) + rows.algorithm
    return cell * len(logs.runs) + rows.run


def _evaluations(table: RawTable, name: str) -> float:
    try:
        number = float(name)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise DataError(
            f"{table.source}: column {name!r} must be called by a number of evaluations, as in a "
            "wide table (a row per run), unless problem=, algorithm= or run= names it. For a long "
            "table (a row per logged value), pass evaluations= and value=."
        )
    return number


# ----------------------------------------------------------------------------- optimum


def _optimum(table: RawTable, columns: Mapping[str, str]) -> FloatArray | None:
    """Return one optimum per problem; refuse a column with two."""
    if OPTIMUM not in columns:
        return None
    name, label = columns[OPTIMUM], columns["problem"]
    given = table.numbers(name, label)
    problem, problems = table.coded_labels(label)
    first = np.full(len(problems), -1)
    first[problem[::-1]] = np.arange(len(problem))[::-1]  # the first row comes last, and stays
    empty = np.isnan(given)
    if empty.any():
        row = int(np.argmax(empty))
        raise DataError(f"{table.cell(row, name, label)} must be a number; the cell is empty.")
    optimum: FloatArray = given[first]
    differs = given != optimum[problem]
    if differs.any():
        row = int(np.argmax(differs))
        raise DataError(
            f"{table.cell(row, name, label)} must hold one optimum per problem; "
            f"got {float(given[row])!r} after {float(optimum[problem[row]])!r}."
        )
    return optimum
