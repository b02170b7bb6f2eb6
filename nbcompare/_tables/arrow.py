"""Columns of pyarrow as they come in batches, so that a table is never in memory twice.

Each distinct text of a batch becomes Python text once, and is a number from then on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._tables.columns import Coded, Codes, by_appearance, is_blank
from nbcompare._validation import are_clean

_STRETCH = 2**16  # rows that are changed at a time
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
    """A column of text, perhaps coded by pyarrow, in each batch by itself.

    Until the end, its rows are places in the dictionaries of all batches, one after the other;
    -1 stands for an empty cell.
    """

    def __init__(self, n_expected: int) -> None:
        super().__init__(np.int32, n_expected)
        self._cells: list[Any] = []
        self._n_cells = 0
        self._dictionary: Any = None  # of the last batch, and the place where it begins
        self._start = 0

    def add(self, batch: Any) -> None:
        """Take the cells of a batch."""
        rows = self._next(len(batch))
        if not hasattr(batch, "indices"):
            rows[:] = np.arange(self._n_cells, self._n_cells + len(batch))
            self._keep(batch)
            return
        self._begin(batch.dictionary)
        indices = batch.indices
        if indices.null_count:
            indices = indices.cast("int32").fill_null(-1 - self._start)
        np.add(indices.to_numpy(), self._start, out=rows, casting="unsafe")

    def _begin(self, dictionary: Any) -> None:
        """Keep the cells of a dictionary; it may begin with all cells of the one before."""
        known = 0 if self._dictionary is None else len(self._dictionary)
        if known and dictionary.slice(0, known).equals(self._dictionary):
            dictionary_end = dictionary.slice(known)
        else:
            self._start = self._n_cells
            dictionary_end = dictionary
        self._keep(dictionary_end)
        self._dictionary = dictionary

    def _keep(self, cells: Any) -> None:
        self._cells.append(cells.cast("large_string"))  # which may be longer than 2 GB
        self._n_cells += len(cells)

    def done(self, *, by_first_row: bool) -> Coded:
        """Return the whole column; blank cells are None.

        Parameters
        ----------
        by_first_row : bool
            Whether the dictionary of each batch is in order of first appearance.
        """
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

        codes: Codes = self._all()
        if not len(codes):
            return Coded(codes, ())
        kept = pa.concat_arrays(self._cells).dictionary_encode("encode")
        cells = kept.dictionary.to_numpy(zero_copy_only=False).tolist()
        place = kept.indices.to_numpy()
        if len(cells) < len(place) or int(codes.min()) < 0:
            cells.append(None)
            place = np.append(place, np.int32(len(cells) - 1))  # which is also at -1
            for start in range(0, len(codes), _STRETCH):
                rows = codes[start : start + _STRETCH]
                rows[:] = place.take(rows, mode="wrap")
        if not by_first_row or None in cells:
            codes, order = by_appearance(codes, len(cells))
            cells = [cells[place] for place in order.tolist()]
        if are_clean(cells):
            return Coded(codes, cells, is_clean=True)
        return Coded(codes, [None if is_blank(cell) else cell for cell in cells])
