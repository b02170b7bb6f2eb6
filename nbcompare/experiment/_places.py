"""Places of the rows of a long table in an array ``[data set, algorithm, fold, run]``.

A table that has nearly every score needs no sorting: its rows are placed by their labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, has_gaps

Codes = npt.NDArray[np.signedinteger[Any]]
_FEW_CELLS = 1_000  # so many may be empty in any table that is placed by its labels
_ROWS = 2**14
_MOST_SHORT = 2**31 - 1


def is_dense(shape: Sequence[int], n_rows: int) -> bool:
    """Tell whether rows may be placed by their labels, without many empty cells."""
    return prod(shape) <= 2 * n_rows + _FEW_CELLS


def numbers_of(codes: Sequence[Codes], shape: Sequence[int]) -> Codes:
    """Return the number of the cell of each row, as :func:`numpy.ravel_multi_index` does."""
    number: Codes = codes[0].astype(np.int32 if prod(shape) <= _MOST_SHORT else np.int64)
    for code, size in zip(codes[1:], shape[1:], strict=True):
        if size > 1:
            number *= size
            number += code
    return number


def placed(
    shape: Sequence[int],
    codes: Sequence[Codes],
    values: npt.NDArray[Any],
    empty: float = np.nan,
) -> npt.NDArray[Any]:
    """Return a read-only array that holds the value of each row in its cell."""
    array = np.full(tuple(shape), empty, dtype=values.dtype)
    cells = array.reshape(-1)
    for start in range(0, len(values), _ROWS):  # parts that stay in the processor's cache
        rows = slice(start, start + _ROWS)
        cells[numbers_of([code[rows] for code in codes], shape)] = values[rows]
    array.flags.writeable = False  # so that nobody needs a copy
    return array


def side_by_side(columns: Sequence[FloatArray]) -> FloatArray:
    """Return columns of scores as a read-only array with one fold and one run."""
    whole: Any = columns[0].base
    start = whole.ctypes.data if isinstance(whole, np.ndarray) and whole.flags.forc else 0
    places = [column.ctypes.data for column in columns]
    if not start or places != [*range(start, start + whole.nbytes, columns[0].nbytes)]:
        whole = np.array(columns)  # unless these are all of one array already
    whole.flags.writeable = False
    rows = whole.ravel(order="K").reshape(len(columns), -1)
    return np.asarray(rows.T[:, :, np.newaxis, np.newaxis])


def repeated(codes: Sequence[Codes]) -> tuple[int, int] | None:
    """Return two rows with the same labels, the first one first; None if there are none."""
    order = np.lexsort(codes[::-1])
    same = ~_changes(codes, order)
    if not same.any():
        return None
    at = int(np.argmax(same))
    first, second = sorted(order[at : at + 2].tolist())
    return first, second


def positions_in_cells(codes: Sequence[Codes]) -> IntArray:
    """Number the rows of each cell 0, 1, ... in the order of their runs, the last of the codes."""
    order = np.lexsort(codes[::-1])
    place = np.arange(len(order))
    starts = np.append(True, _changes(codes[:-1], order))[: len(order)]
    position = np.empty(len(order), dtype=np.int64)
    position[order] = place - np.maximum.accumulate(np.where(starts, place, 0))
    return position


def _changes(codes: Sequence[Codes], order: IntArray) -> BoolArray:
    """Tell for each row but the first, in an order, whether its labels are not those before it."""
    changes: BoolArray = np.any([np.diff(code[order]) != 0 for code in codes], axis=0)
    return changes


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
