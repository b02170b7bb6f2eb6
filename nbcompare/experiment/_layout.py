"""Layouts of tables: their columns become ``[dataset, algorithm, fold, run]`` arrays.

A table is wide (a row per data set, a column per algorithm) or long (a row per score).
Arguments tell which; without them only what cannot be read in two ways is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import COLUMN_OPTIONS
from nbcompare._render import Note
from nbcompare._tables import (
    RawTable,
    compact_codes,
    find_column,
    refuse_two_roles,
    sorted_codes,
)
from nbcompare._validation import DataError, Distinct, check_labels, listed, shown
from nbcompare.experiment import _places
from nbcompare.experiment._reading import Reading

_LONG_ONLY = ("algorithm", "score", "fold", "run", "lower", "upper")
# An array of up to this many cells is padded without complaint, however few scores it has.
_SMALL_ARRAY = 5_000_000

# Ends of the scores, and the codes of the labels of their runs; None if these are their places.
_Placed = tuple[FloatArray, FloatArray, IntArray | None]


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
    recognised = _recognised(table, columns)
    if any(role in columns for role in _LONG_ONLY):
        return _long(table, recognised | columns)
    scored = "score" in recognised or {"lower", "upper"} <= recognised.keys()
    if "algorithm" in recognised and scored:
        if not table.is_text(recognised["algorithm"]):
            raise DataError(
                f"{table.source}: column {recognised['algorithm']!r} holds numbers, so the table "
                "may be long (a row per score) or wide (a column per algorithm). Pass "
                "algorithm= and score= if it is long; rename the column if it is wide."
            )
        return _long(table, recognised | columns)
    return _wide(table, _label_column(table, recognised, columns))


def _recognised(table: RawTable, columns: dict[str, str]) -> dict[str, str]:
    """Find columns that are called like a role and that no argument names."""
    settled = set(columns)
    if "score" in columns:
        settled |= {"lower", "upper"}
    if {"lower", "upper"} & columns.keys():
        settled.add("score")
    free = [name for name in table.columns if name not in columns.values()]
    return {
        role: matches[0]
        for role in COLUMN_OPTIONS
        if role not in settled
        and len(matches := [name for name in free if name.casefold() == role]) == 1
    }


# ------------------------------------------------------------------------------- wide


def _label_column(
    table: RawTable, recognised: dict[str, str], columns: dict[str, str]
) -> str | None:
    """Find the column with the data sets' names, if there is one, without guessing."""
    if "dataset" in columns:
        return columns["dataset"]
    if table.index is not None and not table.counts_rows:
        if recognised.get("dataset", table.index) != table.index:
            raise DataError(
                f"{table.source}: data sets may be named by the index or by column "
                f"{recognised['dataset']!r}. Pass dataset={recognised['dataset']!r}, "
                "or rename the column if the index names them."
            )
        return table.index
    if "dataset" in recognised:
        return recognised["dataset"]
    names = [name for name in table.columns if name != table.index]
    if names and not names[0]:
        return names[0]  # row names as R and pandas write them: a first column without a name
    pure_text = [name for name in names if table.is_only_text(name)]
    if len(pure_text) > 1:
        for name in pure_text:
            table.refuse_other_decimal_mark(name)
        raise DataError(
            f"{table.source}: columns {listed(pure_text)} hold text, so the table may be long. "
            "Pass dataset=, algorithm= and score= for a row per score, "
            "or dataset= for a column per algorithm."
        )
    if pure_text:
        table.refuse_other_decimal_mark(pure_text[0], _names_datasets(pure_text[0]))
        return pure_text[0]
    if table.index is not None:
        return table.index
    if len(names) > 1 and not table.is_text(names[0]) and _counts(table.columns[names[0]]):
        raise DataError(
            f"{table.source}: column {names[0]!r} counts its rows, so it may number the data "
            f"sets or hold scores. Pass dataset={names[0]!r} if it numbers them; "
            "otherwise add a column 'dataset'."
        )
    return None


def _counts(column: npt.NDArray[Any]) -> bool:
    """Tell whether a column holds 0, 1, ... or 1, 2, ..., in any order of the rows."""
    ordered = np.sort(column)
    return len(column) > 1 and any(
        bool((ordered == np.arange(start, start + len(column))).all()) for start in (0, 1)
    )


def _wide(table: RawTable, label_column: str | None) -> Cells:
    names = [name for name in table.columns if name not in (label_column, table.index)]
    if not names:
        raise DataError(
            f"{table.source} has no column of scores"
            f"{'' if not label_column else f' beside {label_column!r}'}."
        )
    doubtful = [name for name in names if name.casefold() in _LONG_ONLY]
    if doubtful:
        raise DataError(
            f"{table.source}: column {doubtful[0]!r} belongs to a long table (a row per score), "
            "or is an algorithm of that name in a wide one. Pass algorithm= and score= (or "
            "lower= and upper=) if the table is long; rename the column if it is wide."
        )
    first = names[0]
    remedy = "" if label_column is not None else _names_datasets(first)
    columns = [table.numbers(name, label_column, remedy if name == first else "") for name in names]
    table.refuse_mixed_percents(names, label_column, remedy)
    if label_column is None:
        datasets = [str(row + 1) for row in range(table.n_rows)]
    else:
        codes, datasets = table.compact_labels(label_column)
        if len(datasets) < len(codes):
            _refuse_repeated_rows(table, table.labels(label_column), label_column)
    cells = _places.side_by_side(columns)
    algorithms = check_labels(names, "algorithm names")
    return Cells(Distinct(datasets), algorithms, ("1",), cells, cells)


def _names_datasets(column: str) -> str:
    return f" Pass dataset={column!r} if it names data sets."


def _refuse_repeated_rows(table: RawTable, datasets: list[str], column: str) -> None:
    seen: dict[str, int] = {}
    for row, label in enumerate(datasets):
        if label in seen:
            raise DataError(
                f"{table.cell(row, column)}: data set {shown(label)} is in row "
                f"{seen[label] + 1} already. Several folds or runs of a data set need a long table "
                "(algorithm=, score=, fold= or run=)."
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
    algorithm_codes, algorithms = table.compact_labels(columns["algorithm"])
    dataset_codes, datasets = compact_codes(table, columns.get("dataset"))
    fold_codes, folds = sorted_codes(table, columns.get("fold"))
    run_codes, runs = sorted_codes(table, columns.get("run"))
    _check_ends(table, ends, lower, upper, columns.get("dataset"))
    codes = (dataset_codes, algorithm_codes, fold_codes, run_codes)
    shape = (len(datasets), len(algorithms), len(folds), len(runs))
    place = _place_by_labels if _places.is_dense(shape, len(lower)) else _place_by_order
    placed = place(table, codes, shape, lower, lower if ends[0] == ends[1] else upper)
    if placed is None:
        raise _scored_twice(table, columns, codes)
    low, high, labelled = placed
    measure = columns.get("score")
    return Cells(
        Distinct(datasets),
        Distinct(algorithms),
        Distinct(folds),
        low,
        high,
        None if measure is None or measure.casefold() == "score" else measure,
        runs=Distinct(runs),
        run_codes=labelled,
    )


def _place_by_labels(
    table: RawTable,
    codes: Sequence[_places.Codes],
    shape: tuple[int, ...],
    lower: FloatArray,
    upper: FloatArray,
) -> _Placed | None:
    """Place each score at its labels; None if two have the same."""
    low = _places.placed(shape, codes, lower)
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
    apart = " or ".join(f"{role}=" for role in ("fold", "run") if role not in columns)
    remedy = f"Pass {apart} to name the column that tells repetitions apart."
    return DataError(
        f"{table.source}: rows {one + 1} and {two + 1} both hold the score of {what}. "
        f"{remedy if apart else 'Take out one of them.'}"
    )


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
    if lower.shape[2] * lower.shape[3] == 1 or (lower.size and not np.isnan(lower).any()):
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
