"""Rows of numbers in data files of logs."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._validation import DataError, shown


def columns(block: str, wanted: Sequence[int], width: int, place: str) -> FloatArray:
    """Return some columns of a run, shape (n_wanted, n_rows).

    Every row must have as many cells as ``width`` says; ``place`` says where the run stands.
    """
    found = _plain(block, wanted, width)
    return _checked(block, width, place).T[list(wanted)] if found is None else found


def width_of(block: str) -> int:
    """Return how many cells the first row has."""
    return len(block.lstrip().partition("\n")[0].split())


def best_so_far(evaluations: FloatArray, values: FloatArray, best: np.ufunc) -> FloatArray:
    """Return evaluations in order, each once, and the best so far; shape (2, n_rows)."""
    order = np.argsort(evaluations, kind="stable")
    evaluations, values = evaluations[order], best.accumulate(values[order])
    final = np.append(evaluations[1:] != evaluations[:-1], True)  # one may be logged twice
    return np.stack([evaluations[final], values[final]])


def _plain(block: str, wanted: Sequence[int], width: int) -> FloatArray | None:
    """Return the columns if single spaces separate all cells.

    The other cells, such as the coordinates of solutions, are counted, but not read: it takes a
    sixth of the time.
    """
    lines = block.strip().split("\n")
    if {line.count(" ") for line in lines} != {width - 1} or "_" in block or not block.isascii():
        return None  # as Python's float reads 1_0
    most = max(wanted) + 1
    cells = [line.split(None, most) for line in lines]
    try:
        return np.array([[float(row[i]) for row in cells] for i in wanted])
    except (ValueError, IndexError):
        return None


def _checked(block: str, width: int, place: str) -> FloatArray:
    """Return all numbers of a run, shape (n_rows, width), or raise an error about a row."""
    cells = _numbers(block)
    body = block.strip()
    n_rows = body.count("\n") + 1 if body else 0
    if cells is None or cells.size != n_rows * width:
        raise DataError(
            f"{place} must hold rows of {width} numbers; got {_first_wrong(block, width)}."
        )
    return cells.reshape(-1, width)


def _numbers(text: str) -> FloatArray | None:
    if not text.strip():
        return np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return np.fromstring(text, sep=" ")
        except (ValueError, DeprecationWarning):
            return None


def _first_wrong(block: str, width: int) -> str:
    for line in block.strip().splitlines():
        cells = _numbers(line)
        if cells is None or cells.size != width:
            return shown(line)
    return shown(block)
