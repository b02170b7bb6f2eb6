"""Columns of pyarrow as they come in batches, so that a table is never in memory twice.

Each distinct text of a batch becomes Python text once, and is a number from then on.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._tables.columns import Coded, Codes, by_appearance, is_blank
from nbcompare._validation import are_clean

_LARGE = 1.5  # how much longer an array becomes that is too short


class _Growing:
    """An array of as many rows as were added."""

    def __init__(self, dtype: npt.DTypeLike, n_expected: int) -> None:
        self._array: npt.NDArray[Any] = np.empty(n_expected, dtype=dtype)
        self._n_rows = 0

    def _next(self, n_rows: int) -> npt.NDArray[Any]:
        """Return the part of the array that belongs to the rows that come next."""
        start, end = self._n_rows, self._n_rows + n_rows
        if end > len(self._array):
            longer = np.empty(max(end, int(_LARGE * len(self._array))), dtype=self._array.dtype)
            longer[:start] = self._array[:start]
            self._array = longer
        self._n_rows = end
        return self._array[start:end]

    def _all(self) -> npt.NDArray[Any]:
        return self._array[: self._n_rows]


class Numbers(_Growing):
    """A column of numbers: integers if it has no gap, else floats with NaN in the gaps."""

    def __init__(self, kind: Any, n_expected: int) -> None:
        from pyarrow import types  # type: ignore[import-untyped, unused-ignore]

        whole = types.is_integer(kind)
        super().__init__(kind.to_pandas_dtype() if whole else np.float64, n_expected)
        self.n_gaps = 0

    def add(self, batch: Any) -> None:
        """Take the cells of a batch."""
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

        self.n_gaps += batch.null_count
        if batch.null_count and self._array.dtype.kind in "iu":
            self._array = self._array.astype(np.float64)
        if self._array.dtype.kind == "f" and batch.type != pa.float64():
            batch = batch.cast(pa.float64(), safe=False)  # to the nearest float
        self._next(len(batch))[:] = batch.to_numpy(zero_copy_only=False)

    def done(self) -> npt.NDArray[Any]:
        """Return the whole column."""
        return self._all()


class Labels(_Growing):
    """A column of text that pyarrow has coded, in each batch by itself."""

    def __init__(self, n_expected: int) -> None:
        super().__init__(np.int32, n_expected)
        self._number: defaultdict[str | None, int] = defaultdict()
        self._number.default_factory = self._number.__len__  # a new label gets the next number
        self._dictionary: Any = None  # of the last batch, and the numbers of its cells
        self._place = np.empty(0, dtype=np.int32)

    def add(self, batch: Any) -> None:
        """Take the cells of a batch."""
        self._number_cells(batch.dictionary)
        indices, place = batch.indices, self._place
        if indices.null_count:
            indices = indices.fill_null(len(place))
            place = np.append(place, np.int32(self._number[None]))
        rows = self._next(len(batch))
        rows[:] = place[indices.to_numpy()]

    def _number_cells(self, dictionary: Any) -> None:
        """Number the cells of a dictionary; it may begin with all cells of the one before."""
        known = 0
        if self._dictionary is not None and len(dictionary) >= len(self._dictionary):
            if dictionary.slice(0, len(self._dictionary)).equals(self._dictionary):
                known = len(self._dictionary)
        cells = dictionary.slice(known).to_numpy(zero_copy_only=False).tolist()
        numbers = np.fromiter(map(self._number.__getitem__, cells), np.int32, len(cells))
        self._place = np.concatenate([self._place[:known], numbers])
        self._dictionary = dictionary

    def done(self, *, by_first_row: bool) -> Coded:
        """Return the whole column; blank cells are None.

        Parameters
        ----------
        by_first_row : bool
            Whether the dictionary of each batch is in order of first appearance.
        """
        cells = list(self._number)
        codes: Codes = self._all()
        if not by_first_row:
            codes, order = by_appearance(codes, len(cells))
            cells = [cells[place] for place in order.tolist()]
        if are_clean(cells):
            return Coded(codes, cells, is_clean=True)
        return Coded(codes, [None if is_blank(cell) else cell for cell in cells])
