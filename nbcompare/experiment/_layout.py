"""Layouts of tables: their columns become ``[dataset, algorithm, fold, run]`` arrays.

A table is wide (a row per data set, a column per algorithm) or long (a row per score).
Arguments tell which; without them only what cannot be read in two ways is accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._options import COLUMN_OPTIONS
from nbcompare._render import Note
from nbcompare._tables import RawTable, codes_of, find_column, refuse_two_roles, sorted_codes
from nbcompare._validation import DataError, check_labels, listed, shown
from nbcompare.experiment._cells import as_notes, by_cell, deviations, with_numbers
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._sides import ROLES, Rows, beside, refuse_scores

_LONG_ONLY = ("algorithm", "score", "fold", "run", "lower", "upper")
# An array of up to this many cells is padded without complaint, however few scores it has.
_SMALL_ARRAY = 5_000_000


@dataclass(frozen=True, slots=True)
class Cells:
    """Labelled scores; ``lower is upper`` unless they are intervals.

    The fields are those of an :class:`~nbcompare.Experiment`; ``higher_is_better`` says of each
    data set what the table says, if it says so; ``named_by`` is the column with the names of the
    data sets, None if there is none.
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
    named_by: str | None = None


def arrange(table: RawTable, reading: Reading) -> Cells:
    """Arrange a table by the columns that the caller named, or that name themselves."""
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is no data set to compare on.")
    columns = {role: find_column(table, role, name) for role, name in reading.columns.items()}
    refuse_two_roles(columns)
    table = with_numbers(table, reading)
    cells = _arranged(table, columns, reading)
    return replace(cells, notes=(*as_notes(table.notes), *cells.notes)) if table.notes else cells


def _arranged(table: RawTable, columns: dict[str, str], reading: Reading) -> Cells:
    recognised = _recognised(table, columns)
    if any(role in columns for role in _LONG_ONLY):
        return _long(table, reading, recognised | columns)
    scored = "score" in recognised or {"lower", "upper"} <= recognised.keys()
    if "algorithm" in recognised and scored:
        if not table.is_text(recognised["algorithm"]):
            raise DataError(
                f"{table.source}: column {recognised['algorithm']!r} holds numbers, so the table "
                "may be long (a row per score) or wide (a column per algorithm). Pass "
                "algorithm= and score= if it is long; rename the column if it is wide."
            )
        return _long(table, reading, recognised | columns)
    refuse_scores(table, recognised)
    return _wide(table, reading, recognised | columns, _label_column(table, recognised, columns))


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
    aside = {(recognised | columns).get(role) for role in ROLES}
    names = [name for name in table.columns if name != table.index and name not in aside]
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


def _wide(
    table: RawTable, reading: Reading, columns: dict[str, str], label_column: str | None
) -> Cells:
    table = replace(table, ignorable=("row", "column"))
    aside = {label_column, table.index, *(columns.get(role) for role in ROLES)}
    names = [name for name in table.columns if name not in aside]
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
    scores = np.column_stack(
        [table.numbers(name, label_column, remedy if name == first else "") for name in names]
    )
    table.refuse_mixed_percents(names, label_column, remedy)
    groups = np.broadcast_to(np.arange(table.n_rows)[:, np.newaxis], scores.shape)
    spread, notes = deviations(table, names, groups, label_column, reading)
    if label_column is None:
        datasets = [str(row + 1) for row in range(table.n_rows)]
    else:
        datasets = table.labels(label_column)
        _refuse_repeated_rows(table, datasets, label_column)
    cells = scores[:, :, np.newaxis, np.newaxis]
    rows = Rows(np.arange(table.n_rows), datasets, label_column)
    return Cells(
        tuple(datasets),
        check_labels(names, "algorithm names"),
        ("1",),
        cells,
        cells,
        named_by=label_column,
        **beside(table, reading, columns, rows),
        deviations=spread,
        notes=notes,
    )


def _names_datasets(column: str) -> str:
    return f" Pass dataset={column!r} if it names data sets."


def _refuse_repeated_rows(table: RawTable, datasets: list[str], column: str) -> None:
    seen: dict[str, int] = {}
    for row, label in enumerate(datasets):
        if label in seen:
            raise DataError(
                f"{table.cell(row, column)}: data set {shown(label)} is in row "
                f"{table.row_number(seen[label])} already. Several folds or runs of a data set "
                "need a long table (algorithm=, score=, fold= or run=)."
            )
        seen[label] = row


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
    lower, upper = (table.numbers(name, columns.get("dataset")) for name in ends)
    table.refuse_mixed_percents(ends, columns.get("dataset"))
    algorithm_codes, algorithms = table.coded_labels(columns["algorithm"])
    dataset_codes, datasets = codes_of(table, columns.get("dataset"))
    fold_codes, folds = sorted_codes(table, columns.get("fold"))
    run_codes, runs = sorted_codes(table, columns.get("run"))
    _check_ends(table, ends, lower, upper, columns.get("dataset"))
    _refuse_repeated_scores(table, columns, (dataset_codes, algorithm_codes, fold_codes, run_codes))
    blocks = (dataset_codes * len(folds) + fold_codes) * len(runs) + run_codes
    spread, notes = deviations(
        table, [ends[0]], blocks[:, np.newaxis], columns.get("dataset"), reading
    )
    filled = np.flatnonzero(~np.isnan(lower))
    cell = (dataset_codes[filled], algorithm_codes[filled], fold_codes[filled])
    run = _position_within(cell, run_codes[filled])
    shape = (len(datasets), len(algorithms), len(folds), int(run.max(initial=0)) + 1)
    _refuse_nearly_empty(table, shape, len(filled))
    low = _placed(shape, (*cell, run), lower[filled])
    high = low if ends[0] == ends[1] else _placed(shape, (*cell, run), upper[filled])
    measure = columns.get("score")
    rows = Rows(dataset_codes, datasets, columns.get("dataset"))
    placed = by_cell(spread, filled, cell[:2], shape)
    if spread is not None and placed is None:
        told = "Standard deviations beside the scores of folds or runs were left out."
        notes = (*notes[:-1], Note("deviations-left-out", told))
    return Cells(
        tuple(datasets),
        tuple(algorithms),
        tuple(folds),
        low,
        high,
        None if measure is None or measure.casefold() == "score" else measure,
        runs=tuple(runs),
        run_codes=_placed(shape, (*cell, run), run_codes[filled], -1),
        named_by=columns.get("dataset"),
        **beside(table, reading, columns, rows),
        deviations=placed,
        notes=notes,
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
    apart = " or ".join(f"{role}=" for role in ("fold", "run") if role not in columns)
    remedy = f"Pass {apart} to name the column that tells repetitions apart."
    differing = _differing_text(table, columns.values(), one, two)
    if differing is not None:
        remedy += (
            f" If column {differing!r}, which differs, names what was measured, read_measures "
            "takes each measure by itself."
        )
    raise DataError(
        f"{table.source}: rows {table.row_number(one)} and {table.row_number(two)} both hold the "
        f"score of {what}. "
        f"{remedy if apart else 'Take out one of them.'}"
    )


def _differing_text(table: RawTable, used: Collection[str], one: int, two: int) -> str | None:
    """Return the first column of text without a role that differs between two rows."""
    for name in table.columns:
        if name not in used and name != table.index and table.is_only_text(name):
            column = table.columns[name]
            if column[one] != column[two]:
                return name
    return None


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
