"""Layouts of tables: their columns become ``[dataset, algorithm, fold, run]`` arrays.

A table is wide (a row per data set, a column per algorithm) or long (a row per score).
Arguments tell which; without them only what cannot be read in two ways is accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, IntArray, has_gaps, mean_over
from nbcompare._render import Note
from nbcompare._tables import (
    RawTable,
    compact_codes,
    find_column,
    refuse_two_roles,
    sorted_codes,
)
from nbcompare._validation import DataError, Distinct, listed, shown
from nbcompare.experiment import _places
from nbcompare.experiment._cells import LEFT_OUT, Cells, as_notes, by_cell, deviations, with_numbers
from nbcompare.experiment._chosen import (
    chosen_scores,
    in_order,
    without_ignored,
)
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._repeats import remedy, steps_of
from nbcompare.experiment._roles import NAMES, bare, roles_of
from nbcompare.experiment._rows import row_roles
from nbcompare.experiment._sides import Rows, beside, refuse_scores
from nbcompare.experiment._summaries import named_statistics
from nbcompare.experiment._suspects import Suspicions, mixed_units
from nbcompare.experiment._wide import wide

# An array of up to this many cells is padded without complaint, however few scores it has.
_SMALL_ARRAY = 5_000_000

# Ends of the scores, and the codes of the labels of their runs; None if these are their places.
_Placed = tuple[FloatArray, FloatArray, IntArray | None]


def arrange(table: RawTable, reading: Reading) -> Cells:
    """Arrange a table by the columns that the caller named, or that name themselves."""
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if {"params", "mean_fit_time"} <= table.columns.keys():
        raise DataError(
            f"{table.source} holds the settings of a search (cv_results_ of scikit-learn), tried "
            "on one data set. Experiment.from_sklearn takes the search; to compare algorithms, "
            "make a table with the column mean_test_score of each data set and algorithm."
        )
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is no data set to compare on.")
    columns = {role: find_column(table, role, name) for role, name in reading.columns.items()}
    refuse_two_roles(columns)
    table = with_numbers(without_ignored(table, reading), reading)
    cells = in_order(_arranged(table, columns, reading), reading)
    return replace(cells, notes=(*as_notes(table.notes), *cells.notes)) if table.notes else cells


def _arranged(table: RawTable, columns: dict[str, str], reading: Reading) -> Cells:
    if reading.transpose:
        _refuse_long(columns)
        return wide(table, row_roles(table, columns, reading), reading)
    roles = roles_of(table, columns, reading)
    if not roles.is_long:
        refuse_scores(
            table, {role: it for role, it in roles.columns.items() if role not in columns}
        )
        return wide(table, row_roles(table, roles.columns, reading), reading)
    if "algorithm" in roles.columns:
        table = chosen_scores(table, roles.columns, reading)
        ends = [roles.columns[end] for end in ("score", "lower", "upper") if end in roles.columns]
        table = table.with_numbers(ends)
    cells = _long(table, reading, roles.columns)
    notes = (*cells.notes, *roles.notes, *_suspicions_long(table, cells, reading))
    return replace(cells, notes=notes) if notes else cells


def _refuse_long(columns: Mapping[str, str]) -> None:
    for role, name in columns.items():
        if role != "algorithm":
            raise ValueError(
                f"`{role}` must be None with transpose=True, where rows are algorithms and columns "
                f"data sets; got {shown(name)}."
            )


# ------------------------------------------------------------------------------- long


def _long(table: RawTable, reading: Reading, columns: dict[str, str]) -> Cells:
    if "dataset" in columns:
        table = replace(table, ignorable=("data set",))
    ends = _score_columns(table, columns)
    if "algorithm" not in columns:
        raise DataError(
            f"{table.source}: `algorithm` must name the column of algorithms in a long table; "
            f"the columns are {listed(table.columns)}."
        )
    if "dataset" not in columns and table.index is not None and not table.counts_rows:
        columns = columns | {"dataset": table.index}
    lower = table.numbers(ends[0], columns.get("dataset"))
    upper = lower if ends[0] == ends[1] else table.numbers(ends[1], columns.get("dataset"))
    table.refuse_mixed_percents(ends, columns.get("dataset"))
    algorithm_codes, algorithms = table.compact_labels(columns["algorithm"])
    dataset_codes, datasets = compact_codes(table, columns.get("dataset"))
    fold_codes, folds = sorted_codes(table, columns.get("fold"))
    run_codes, runs = sorted_codes(table, columns.get("run"))
    _check_ends(table, ends, lower, upper, columns.get("dataset"))
    codes = (dataset_codes, algorithm_codes, fold_codes, run_codes)
    shape = (len(datasets), len(algorithms), len(folds), len(runs))
    place = _place_by_labels if _places.is_dense(shape, len(lower)) else _place_by_order
    placed = place(table, codes, shape, lower, upper)
    if placed is None:
        raise _scored_twice(table, columns, codes)
    low, high, labelled = placed
    spread, notes = _deviations(table, ends[0], columns.get("dataset"), reading, codes, low.shape)
    measure = columns.get("score")
    rows = Rows(dataset_codes, datasets, columns.get("dataset"))
    return Cells(
        Distinct(datasets),
        Distinct(algorithms),
        Distinct(folds),
        low,
        high,
        None if measure is None or measure.casefold() == "score" else measure,
        runs=Distinct(runs),
        run_codes=labelled,
        named_by=columns.get("dataset"),
        **beside(table, reading, columns, rows),
        deviations=spread,
        notes=notes,
    )


def _deviations(
    table: RawTable,
    score: str,
    label: str | None,
    reading: Reading,
    codes: Sequence[_places.Codes],
    shape: tuple[int, ...],
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    """Return the standard deviations by data set and algorithm, if they have single scores."""
    if score not in table.beside:
        return None, ()
    dataset, algorithm, fold, run = (code.astype(np.int64) for code in codes)
    blocks = (dataset * (fold.max() + 1) + fold) * (run.max() + 1) + run
    spread, notes = deviations(table, [score], blocks[:, np.newaxis], label, reading)
    placed = by_cell(spread, (dataset, algorithm), shape)
    if spread is not None and placed is None:
        notes = (*notes[:-1], LEFT_OUT)
    return placed, notes


def _suspicions_long(table: RawTable, cells: Cells, reading: Reading) -> tuple[Note, ...]:
    """Return notes on data sets, if they are called like summaries of the others."""
    if cells.lower is not cells.upper:
        return ()
    is_named = reading.datasets is None and bool(named_statistics(cells.datasets))
    if not is_named and cells.lower.size > _SMALL_ARRAY:
        return ()
    means = mean_over(mean_over(cells.lower))
    if not is_named:
        return mixed_units(cells.datasets, cells.algorithms, means)
    sure = cells.algorithms  # columns of a long table are no algorithms
    return Suspicions(table.source).notes(
        cells.datasets, cells.algorithms, means, reading.keep_rows, sure
    )


def _place_by_labels(
    table: RawTable,
    codes: Sequence[_places.Codes],
    shape: tuple[int, ...],
    lower: FloatArray,
    upper: FloatArray,
) -> _Placed | None:
    """Place each score at its labels; None if two have the same."""
    low = _places.placed(shape, codes, lower, are_own=table.is_own)
    n_scores = low.size
    if has_gaps(low):
        filled = ~np.isnan(low)
        n_scores = int(np.count_nonzero(filled))
    if n_scores < len(lower) and not _places.all_differ(codes, shape):
        return None
    if low.size > 100 * n_scores:
        n_runs = max(1, int(filled.sum(axis=3).max()))
        _refuse_nearly_empty(table, (*shape[:3], n_runs), n_scores)
    return low, low if upper is lower else _places.placed(shape, codes, upper), None


def _place_by_order(
    table: RawTable,
    codes: Sequence[_places.Codes],
    shape: tuple[int, ...],
    lower: FloatArray,
    upper: FloatArray,
) -> _Placed | None:
    """Place the scores of each cell in the order of their runs; None if two have the same run."""
    rows = _places.in_order(codes, shape)
    if rows.repeats.any():
        return None
    filled = ~np.isnan(lower)
    positions = _places.positions_in_cells(rows, filled)[filled]
    shape = (*shape[:3], int(positions.max(initial=0)) + 1)
    _refuse_nearly_empty(table, shape, len(positions))
    *cell, run = (code[filled] for code in codes)
    places = (*cell, positions)
    low = _places.placed(shape, places, lower[filled])
    high = low if upper is lower else _places.placed(shape, places, upper[filled])
    return low, high, _places.placed(shape, places, run.astype(np.int64), -1)


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


def _scored_twice(
    table: RawTable, columns: dict[str, str], codes: Sequence[_places.Codes]
) -> DataError:
    """Return the error about two rows with the score of the same run."""
    order = np.lexsort(codes[::-1])
    same = np.all([code[order][1:] == code[order][:-1] for code in codes], axis=0)
    at = int(np.argmax(same))
    one, two = sorted((int(order[at]), int(order[at + 1])))
    told = [role for role in ("dataset", "algorithm", "fold", "run") if role in columns]
    what = ", ".join(f"{role} {shown(table.labels(columns[role])[one])}" for role in told)
    lacking = [role for role in ("dataset", "fold", "run") if role not in columns]
    way_out = remedy(lacking, steps_of(table, columns.values()))
    differing = _differing_text(table, columns.values(), one, two)
    if differing is not None and lacking:
        way_out += (
            f" If column {differing!r}, which differs, names what was measured, read_measures "
            "takes each measure by itself."
        )
    rows = f"rows {table.row_number(one)} and {table.row_number(two)}"
    return DataError(f"{table.source}: {rows} both hold the score of {what}. {way_out}")


def _differing_text(table: RawTable, used: Collection[str], one: int, two: int) -> str | None:
    """Return the first column of text without a role that differs between two rows."""
    for name in table.columns:
        if name not in used and name != table.index and table.is_only_text(name):
            column = table.columns[name]
            if column[one] != column[two] and bare(name) not in NAMES["fold"]:
                return name
    return None


def _refuse_nearly_empty(table: RawTable, shape: tuple[int, ...], n_scores: int) -> None:
    size = int(np.prod(shape, dtype=np.float64))
    if size > _SMALL_ARRAY and size > 100 * n_scores:
        raise DataError(
            f"{table.source}: {shape[0]} data sets, {shape[1]} algorithms, {shape[2]} folds and "
            f"{shape[3]} runs make {size:,} cells for {n_scores:,} scores. "
            "Does one of dataset=, algorithm=, fold= name the wrong column?"
        )


def without_gaps(
    lower: FloatArray, upper: FloatArray, folds: Sequence[str], run_codes: IntArray | None
) -> tuple[FloatArray, FloatArray, tuple[str, ...], IntArray | None]:
    """Move the runs of each cell to the front, and drop empty folds and runs.

    Parts of a table and tables with holes then look as if only their scores had been read. The
    codes of the labels of the runs move along; None stands for 0, 1, ... in every cell.
    """
    if lower.shape[2] * lower.shape[3] == 1 or (lower.size and not has_gaps(lower)):
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
    is_used = np.zeros(len(runs), dtype=np.bool_)
    is_used[codes[there]] = True
    used = np.flatnonzero(is_used)
    codes = np.where(there, (np.cumsum(is_used) - 1)[codes], -1)
    labels = tuple(runs[int(code)] for code in used)
    if len(labels) == lower.shape[3] and bool((codes == np.arange(len(labels)))[there].all()):
        return labels, None
    return labels, codes
