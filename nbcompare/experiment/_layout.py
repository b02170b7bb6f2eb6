"""Layouts of tables: their columns become ``[dataset, algorithm, fold, run]`` arrays.

A table is wide (a row per data set, a column per algorithm) or long (a row per score).
Arguments tell which; without them only what cannot be read in two ways is accepted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, mean_over
from nbcompare._render import Note
from nbcompare._tables import RawTable, codes_of, find_column, refuse_two_roles, sorted_codes
from nbcompare._validation import DataError, check_labels, listed, shown
from nbcompare.experiment._chosen import (
    chosen_columns,
    chosen_rows,
    chosen_scores,
    in_order,
    without_ignored,
)
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._roles import holds_words, roles_of
from nbcompare.experiment._rows import nameless_counter, names_rows, row_roles
from nbcompare.experiment._suspects import Suspicions, named_summaries

_LONG_ONLY = ("algorithm", "score", "lower", "upper")
# An array of up to this many cells is padded without complaint, however few scores it has.
_SMALL_ARRAY = 5_000_000


@dataclass(frozen=True, slots=True)
class Cells:
    """Labelled scores; ``lower is upper`` unless they are intervals.

    The fields are those of an :class:`~nbcompare.Experiment`; ``higher_is_better`` says of each
    data set what the table says, if it says so.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    folds: tuple[str, ...]
    lower: FloatArray
    upper: FloatArray
    measure: str | None = None
    runs: tuple[str, ...] | None = None
    run_codes: IntArray | None = None
    domains: tuple[str, ...] | None = None
    higher_is_better: BoolArray | None = None
    deviations: FloatArray | None = None
    notes: tuple[Note, ...] = ()


def arrange(table: RawTable, reading: Reading) -> Cells:
    """Arrange a table by the columns that the caller named, or that name themselves."""
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is no data set to compare on.")
    columns = {role: find_column(table, role, name) for role, name in reading.columns.items()}
    refuse_two_roles(columns)
    table = without_ignored(table, reading)
    if reading.transpose:
        _refuse_long(columns)
        return in_order(_wide(table, row_roles(table, columns, reading), reading), reading)
    roles = roles_of(table, columns, reading)
    if not roles.is_long:
        wide = _wide(table, row_roles(table, roles.columns, reading), reading)
        return in_order(wide, reading)
    if "algorithm" in roles.columns:
        table = chosen_scores(table, roles.columns, reading)
    cells = in_order(_long(table, roles.columns), reading)
    notes = (*cells.notes, *roles.notes, *_suspicions_long(table, cells, reading))
    return replace(cells, notes=notes) if notes else cells


def _refuse_long(columns: Mapping[str, str]) -> None:
    for role, name in columns.items():
        if role != "algorithm":
            raise ValueError(
                f"`{role}` must be None with transpose=True, where rows are algorithms and columns "
                f"data sets; got {shown(name)}."
            )


# ------------------------------------------------------------------------------- wide


def _wide(table: RawTable, columns: dict[str, str], reading: Reading) -> Cells:
    rows_are, columns_are = ("datasets", "algorithms")[:: -1 if reading.transpose else 1]
    label = columns.get(rows_are.removesuffix("s"))
    row_label = label or columns.get("fold") or columns.get("run") or label
    left_out = (*columns.values(), table.index, *nameless_counter(table, columns))
    names = [name for name in table.columns if name not in left_out]
    if not names:
        raise DataError(
            f"{table.source} has no column of scores{'' if not label else f' beside {label!r}'}."
        )
    asked = getattr(reading, columns_are)
    names = chosen_columns(names, asked, columns_are)
    settled = names if asked is not None else reading.keep
    _refuse_other_columns(table, names, settled, label)
    if row_label is None:
        labels = [str(table.row_number(row)) for row in range(table.n_rows)]
    else:
        labels = table.labels(row_label)
    table, labels = chosen_rows(table, labels, reading, rows_are)
    sure_rows = labels if getattr(reading, rows_are) is not None else reading.keep_rows
    first = names[0]
    remedy = "" if row_label is not None else names_rows(first)
    _refuse_written_summaries(table, labels, names, sure_rows, row_label)
    scores = np.column_stack(
        [table.numbers(name, row_label, remedy if name == first else "") for name in names]
    )
    table.refuse_mixed_percents(names, row_label, remedy)
    check_labels(names, "algorithm names" if not reading.transpose else "data set names")
    found = Suspicions(table.source, reading.transpose)
    if reading.transpose:
        notes = found.notes(names, labels, scores.T, settled, sure_rows)
    else:
        notes = found.notes(labels, names, scores, sure_rows, settled)
    if not {"fold", "run"} & columns.keys():
        if row_label is not None:
            _refuse_repeated_rows(table, labels, row_label, reading.transpose)
        values = (scores.T if reading.transpose else scores)[:, :, np.newaxis, np.newaxis]
        datasets, algorithms = (names, labels)[:: 1 if reading.transpose else -1]
        return Cells(tuple(datasets), tuple(algorithms), ("1",), values, values, notes=notes)
    return _with_folds(table, columns, names, scores, notes)


def _with_folds(
    table: RawTable,
    columns: dict[str, str],
    names: Sequence[str],
    scores: FloatArray,
    notes: tuple[Note, ...],
) -> Cells:
    """Arrange rows of which each has the scores of one fold or run."""
    dataset, datasets = codes_of(table, columns.get("dataset"))
    fold, folds = sorted_codes(table, columns.get("fold"))
    run, runs = sorted_codes(table, columns.get("run"))
    rows = np.lexsort((run, fold, dataset))
    place = np.zeros(len(rows), dtype=np.int64)
    for before, row in pairwise(rows):
        if (dataset[before], fold[before]) == (dataset[row], fold[row]):
            place[row] = place[before] + 1
            if run[before] == run[row]:
                _refuse_same_rows(table, columns, int(before), int(row))
    shape = (len(datasets), len(names), len(folds), int(place.max()) + 1)
    lower = np.full(shape, np.nan)
    codes = np.full(shape, -1, dtype=np.int64)
    lower[dataset, :, fold, place] = scores
    codes[dataset, :, fold, place] = np.where(np.isnan(scores), -1, run[:, np.newaxis])
    return Cells(
        tuple(datasets),
        tuple(names),
        tuple(folds),
        lower,
        lower,
        runs=tuple(runs),
        run_codes=codes,
        notes=notes,
    )


def _refuse_same_rows(table: RawTable, columns: dict[str, str], one: int, two: int) -> None:
    first, second = sorted((table.row_number(one), table.row_number(two)))
    told = [role for role in ("dataset", "fold", "run") if role in columns]
    what = ", ".join(f"{role} {shown(table.labels(columns[role])[one])}" for role in told)
    apart = " or ".join(f"{role}=" for role in ("dataset", "fold", "run") if role not in columns)
    remedy = f"Pass {apart} to name the column that tells repetitions apart."
    raise DataError(
        f"{table.source}: rows {first} and {second} both hold the scores of {what}. "
        f"{remedy if apart else 'Take out one of them.'}"
    )


def _refuse_other_columns(
    table: RawTable, names: Sequence[str], settled: Sequence[str], label: str | None
) -> None:
    """Refuse columns of text, and those that belong to a long table."""
    words = [name for name in names if holds_words(table, name)]
    if words:
        for name in words:
            table.refuse_other_decimal_mark(name)
        cell = next(row for row, text in enumerate(table.columns[words[0]]) if text is not None)
        rows = "" if label is not None else f", or dataset={words[0]!r} if it names data sets"
        raise DataError(
            f"{table.cell(cell, words[0], label)} must be a number; "
            f"got {shown(table.columns[words[0]][cell])}. Pass ignore={words!r} to leave out "
            f"columns of text{rows}."
        )
    doubtful = [name for name in names if name.casefold() in _LONG_ONLY and name not in settled]
    if doubtful:
        score = "score= (or lower= and upper=)"
        if doubtful[0].casefold() == "score":
            score = f"score={doubtful[0]!r}"
        raise DataError(
            f"{table.source}: column {doubtful[0]!r} belongs to a long table (a row per score), "
            "or is an algorithm of that name in a wide one. Pass algorithm="
            f"{'' if label is None else repr(label)} and {score} if the table is long, or "
            f"keep=[{doubtful[0]!r}] if it is wide."
        )


def _refuse_written_summaries(
    table: RawTable,
    labels: Sequence[str],
    names: Sequence[str],
    kept: Sequence[str],
    row_label: str | None,
) -> None:
    """Refuse rows at the end that are called like statistics and hold text, such as 7/3/4."""
    count = named_summaries(labels, kept)
    if not count:
        return
    rows = range(len(labels) - count, len(labels))
    texts = [
        (row, name) for row in rows for name in names if isinstance(table.columns[name][row], str)
    ]
    if texts:
        row, name = texts[0]
        last = [labels[row] for row in rows]
        rows_seem = "rows seem" if count > 1 else "row seems"
        raise DataError(
            f"{table.cell(row, name, row_label)} must be a number; "
            f"got {shown(table.columns[name][row])}. The last {rows_seem} to summarise the "
            f"others. Pass ignore_rows={last!r} to leave them out."
        )


def _refuse_repeated_rows(
    table: RawTable, labels: list[str], column: str, transposed: bool
) -> None:
    seen: dict[str, int] = {}
    kind = "algorithm" if transposed else "data set"
    remedy = (
        "Give each a name of its own."
        if transposed
        else "Pass fold= or run= to name the column that tells repetitions apart."
    )
    for row, label in enumerate(labels):
        if label in seen:
            raise DataError(
                f"{table.cell(row, column)}: {kind} {shown(label)} is in row "
                f"{table.row_number(seen[label])} already. {remedy}"
            )
        seen[label] = row


# ------------------------------------------------------------------------------- long


def _long(table: RawTable, columns: dict[str, str]) -> Cells:
    ends = _score_columns(table, columns)
    if "algorithm" not in columns:
        raise DataError(
            f"{table.source}: `algorithm` must name the column of algorithms in a long table; "
            f"the columns are {listed(table.columns)}."
        )
    if "dataset" not in columns and table.index is not None and not table.counts_rows:
        columns = columns | {"dataset": table.index}
    lower, upper = (table.numbers(name, columns.get("dataset")) for name in ends)
    table.refuse_mixed_percents(ends, columns.get("dataset"))
    algorithm_codes, algorithms = table.coded_labels(columns["algorithm"])
    dataset_codes, datasets = codes_of(table, columns.get("dataset"))
    fold_codes, folds = sorted_codes(table, columns.get("fold"))
    run_codes, runs = sorted_codes(table, columns.get("run"))
    _check_ends(table, ends, lower, upper, columns.get("dataset"))
    _refuse_repeated_scores(table, columns, (dataset_codes, algorithm_codes, fold_codes, run_codes))
    filled = np.flatnonzero(~np.isnan(lower))
    cell = (dataset_codes[filled], algorithm_codes[filled], fold_codes[filled])
    run = _position_within(cell, run_codes[filled])
    shape = (len(datasets), len(algorithms), len(folds), int(run.max(initial=0)) + 1)
    _refuse_nearly_empty(table, shape, len(filled))
    low = _placed(shape, (*cell, run), lower[filled])
    high = low if ends[0] == ends[1] else _placed(shape, (*cell, run), upper[filled])
    measure = columns.get("score")
    return Cells(
        tuple(datasets),
        tuple(algorithms),
        tuple(folds),
        low,
        high,
        None if measure is None or measure.casefold() == "score" else measure,
        runs=tuple(runs),
        run_codes=_placed(shape, (*cell, run), run_codes[filled], -1),
    )


def _suspicions_long(table: RawTable, cells: Cells, reading: Reading) -> tuple[Note, ...]:
    """Return notes on the last data sets, if they are called like summaries of the others."""
    if reading.datasets is not None or cells.lower is not cells.upper:
        return ()
    if not named_summaries(cells.datasets, reading.keep_rows):
        return ()
    means = mean_over(mean_over(cells.lower))
    sure = cells.algorithms  # columns of a long table are no algorithms
    return Suspicions(table.source).notes(
        cells.datasets, cells.algorithms, means, reading.keep_rows, sure
    )


def _score_columns(table: RawTable, columns: dict[str, str]) -> tuple[str, str]:
    interval = {"lower", "upper"} & columns.keys()
    if "score" in columns and not interval:
        return columns["score"], columns["score"]
    if len(interval) == 2 and "score" not in columns:
        return columns["lower"], columns["upper"]
    if not interval:
        raise DataError(
            f"{table.source}: `score` must name the column of scores in a long table "
            f"(or `lower` and `upper` those of interval scores); "
            f"the columns are {listed(table.columns)}."
        )
    named = sorted(columns[role] for role in ({"score"} & columns.keys()) | interval)
    raise DataError(
        f"{table.source}: scores are either one column (`score`) or two ends (`lower` and "
        f"`upper`); got {listed(named)}."
    )


def _check_ends(
    table: RawTable,
    ends: tuple[str, str],
    lower: FloatArray,
    upper: FloatArray,
    labels: str | None,
) -> None:
    if ends[0] == ends[1]:
        return
    half = np.flatnonzero(np.isnan(lower) != np.isnan(upper))
    if half.size:
        empty = ends[0] if np.isnan(lower[half[0]]) else ends[1]
        raise DataError(
            f"{table.cell(int(half[0]), empty, labels)} must be a number; the cell is empty "
            "though the other end of the interval is given."
        )
    crossed = np.flatnonzero(lower > upper)
    if crossed.size:
        row = int(crossed[0])
        raise DataError(
            f"{table.cell(row, ends[0], labels)} must not exceed the upper end; "
            f"got {lower[row]!s} above {upper[row]!s}."
        )


def _refuse_repeated_scores(
    table: RawTable, columns: dict[str, str], codes: tuple[IntArray, ...]
) -> None:
    order = np.lexsort(codes[::-1])
    same = np.all([code[order][1:] == code[order][:-1] for code in codes], axis=0)
    if not same.any():
        return
    at = int(np.argmax(same))
    one, two = sorted((int(order[at]), int(order[at + 1])))
    told = [role for role in ("dataset", "algorithm", "fold", "run") if role in columns]
    what = ", ".join(f"{role} {shown(table.labels(columns[role])[one])}" for role in told)
    apart = " or ".join(f"{role}=" for role in ("dataset", "fold", "run") if role not in columns)
    remedy = f"Pass {apart} to name the column that tells repetitions apart."
    rows = f"rows {table.row_number(one)} and {table.row_number(two)}"
    raise DataError(
        f"{table.source}: {rows} both hold the score of {what}. "
        f"{remedy if apart else 'Take out one of them.'}"
    )


def _position_within(cell: tuple[IntArray, ...], order_in_cell: IntArray) -> IntArray:
    """Number the runs of each cell 0, 1, ... in the order of their labels."""
    order = np.lexsort((order_in_cell, *cell[::-1]))
    starts = np.ones(len(order), dtype=np.bool_)
    starts[1:] = np.any([code[order][1:] != code[order][:-1] for code in cell], axis=0)
    count = np.arange(len(order))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = count - np.maximum.accumulate(np.where(starts, count, 0))
    return position


def _refuse_nearly_empty(table: RawTable, shape: tuple[int, ...], n_scores: int) -> None:
    size = int(np.prod(shape, dtype=np.float64))
    if size > _SMALL_ARRAY and size > 100 * n_scores:
        raise DataError(
            f"{table.source}: {shape[0]} data sets, {shape[1]} algorithms, {shape[2]} folds and "
            f"{shape[3]} runs make {size:,} cells for {n_scores:,} scores. "
            "Does one of dataset=, algorithm=, fold= name the wrong column?"
        )


def _placed(
    shape: tuple[int, ...],
    where: tuple[Any, ...],
    values: npt.NDArray[Any],
    empty: float = np.nan,
) -> npt.NDArray[Any]:
    array = np.full(shape, empty, dtype=values.dtype)
    array[where] = values
    return array


def without_gaps(
    lower: FloatArray, upper: FloatArray, folds: Sequence[str], run_codes: IntArray | None
) -> tuple[FloatArray, FloatArray, tuple[str, ...], IntArray | None]:
    """Move the runs of each cell to the front, and drop empty folds and runs.

    Parts of a table and tables with holes then look as if only their scores had been read. The
    codes of the labels of the runs move along; None stands for 0, 1, ... in every cell.
    """
    if lower.shape[2] * lower.shape[3] == 1:
        return lower, upper, tuple(folds), run_codes
    there = ~np.isnan(lower)
    kept_folds = np.flatnonzero(there.any(axis=(0, 1, 3)))
    kept_runs = int(there.sum(axis=3).max(initial=1))
    packed = not bool((there[..., 1:] & ~there[..., :-1]).any())
    if packed and lower.shape[2:] == (len(kept_folds), kept_runs):
        return lower, upper, tuple(folds), run_codes
    order = np.argsort(~there, axis=3, kind="stable")[..., :kept_runs]

    def moved(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.take_along_axis(array, order, axis=3)[:, :, kept_folds]

    if run_codes is None and not packed:
        run_codes = np.broadcast_to(np.arange(lower.shape[3]), lower.shape)
    low = moved(lower)
    return (
        low,
        low if upper is lower else moved(upper),
        tuple(folds[int(fold)] for fold in kept_folds),
        None if run_codes is None else moved(run_codes),
    )


def run_labels(
    lower: FloatArray, runs: Sequence[str], codes: IntArray | None
) -> tuple[tuple[str, ...], IntArray | None]:
    """Return the labels of runs that have a score, and their codes by cell.

    The codes are None if the run at every position has the label at this position.
    """
    if codes is None:
        return tuple(runs[: lower.shape[3]]), None
    there = ~np.isnan(lower)
    used = np.unique(codes[there])
    codes = np.where(there, np.searchsorted(used, codes), -1)
    labels = tuple(runs[int(code)] for code in used)
    if len(labels) == lower.shape[3] and bool((codes == np.arange(len(labels)))[there].all()):
        return labels, None
    return labels, codes
