"""Columns of pyarrow as they come in batches, so that a table is never in memory twice.

Each distinct text of a batch becomes Python text once, and is a number from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._tables.columns import Coded, Codes, by_appearance, is_blank
from nbcompare._validation import are_clean

_STRETCH = 2**16  # rows that are changed at a time
_LARGE = 1.5  # how much longer an array becomes that is too short
_REPEATED = 4  # rows per cell of a dictionary of which the cells are looked for in others


class _Growing:
    """An array of as many rows as were added."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self._array = array  # as long as probably is enough
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


def growing(kinds: Sequence[Any], n_expected: int, *, by_first_row: bool) -> list[Growing]:
    """Return empty columns of numbers and text, floats next to each other in memory.

    Parameters
    ----------
    kinds : sequence of pyarrow.DataType
        Of integers and floats; all others stand for text.
    n_expected : int
        A number of rows that is probably enough.
    by_first_row : bool
        Whether the dictionary of each batch of text is in order of first appearance.
    """
    from pyarrow import types  # type: ignore[import-untyped, unused-ignore]

    floats = iter(_empty((sum(map(types.is_floating, kinds)), n_expected), np.float64))
    return [
        Numbers(next(floats))
        if types.is_floating(kind)
        else Numbers(_empty((n_expected,), kind.to_pandas_dtype()))
        if types.is_integer(kind)
        else Labels(n_expected, by_first_row)
        for kind in kinds
    ]


def _empty(shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array in memory of pyarrow, of which only what is filled is taken.

    NumPy asks for huge pages; where memory is in pieces, they take longer than reading does.
    """
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    n_bytes = prod(shape) * np.dtype(dtype).itemsize
    return np.ndarray(shape, dtype, buffer=pa.allocate_buffer(max(n_bytes, 1)))


class Numbers(_Growing):
    """A column of numbers: integers if it has no gap, else floats with NaN in the gaps."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        super().__init__(array)
        self.n_gaps = 0

    def add(self, batch: Any) -> None:
        """Take the cells of a batch."""
        import pyarrow as pa

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

    Until the end, its rows are places in the cells that were kept of all batches; -1 stands for
    an empty cell. A cell that is in many rows is kept once.
    """

    def __init__(self, n_expected: int, by_first_row: bool) -> None:
        super().__init__(_empty((n_expected,), np.int32))
        self._by_first_row = by_first_row
        self._cells: list[Any] = []
        self._n_cells = 0
        self._known: dict[str | None, int] = {}  # places of cells that are in many rows
        self._dictionary: Any = None  # of the last batch, and the places of its cells
        self._places = np.empty(0, dtype=np.int32)

    def add(self, batch: Any) -> None:
        """Take the cells of a batch."""
        rows = self._next(len(batch))
        if not hasattr(batch, "indices"):
            rows[:] = self._kept(batch)
            return
        self._begin(batch.dictionary, len(batch))
        indices = batch.indices
        if indices.null_count:
            indices = indices.cast("int32").fill_null(len(self._places))
        if len(rows):
            places = np.append(self._places, np.int32(-1))
            np.take(places, indices.to_numpy(), out=rows, mode="clip")  # which needs no copy

    def _begin(self, dictionary: Any, n_rows: int) -> None:
        """Find the places of the cells of a dictionary; it may begin with all of the last one."""
        n_before = len(self._places)
        if n_before == 0 or not dictionary.slice(0, n_before).equals(self._dictionary):
            n_before = 0
        elif n_before == len(dictionary):
            return
        new = dictionary.slice(n_before)
        places = self._found(new) if _REPEATED * len(dictionary) < n_rows else self._kept(new)
        self._places = np.append(self._places[:n_before], places)
        self._dictionary = dictionary

    def _found(self, cells: Any) -> Codes:
        """Return the places of cells, and keep those that no batch had."""
        texts = _texts(cells)
        places = np.fromiter(map(self._known.get, texts, repeat(-1)), np.int32, len(texts))
        new = np.flatnonzero(places < 0)
        if new.size:
            places[new] = self._kept(cells.take(new))
            self._known |= zip(map(texts.__getitem__, new), places[new].tolist(), strict=True)
        return places

    def _kept(self, cells: Any) -> Codes:
        self._cells.append(cells.cast("large_string"))  # which may be longer than 2 GB
        start, self._n_cells = self._n_cells, self._n_cells + len(cells)
        return np.arange(start, self._n_cells, dtype=np.int32)

    def done(self) -> Coded:
        """Return the whole column; blank cells are None."""
        import pyarrow as pa

        codes: Codes = self._all()
        if not len(codes):
            return Coded(codes, ())
        kept = pa.concat_arrays(self._cells).dictionary_encode("encode")
        cells = _texts(kept.dictionary)
        place = kept.indices.to_numpy()
        if len(cells) < len(place) or int(codes.min()) < 0:
            cells.append(None)
            place = np.append(place, np.int32(len(cells) - 1))  # which is also at -1
            for start in range(0, len(codes), _STRETCH):
                rows = codes[start : start + _STRETCH]
                rows[:] = place.take(rows, mode="wrap")
        if not self._by_first_row or None in cells:
            codes, order = by_appearance(codes, len(cells))
            cells = [cells[place] for place in order.tolist()]
        if are_clean(cells):
            return Coded(codes, cells, is_clean=True)
        return Coded(codes, [None if is_blank(cell) else cell for cell in cells])


Growing = Numbers | Labels


def _texts(cells: Any) -> list[str | None]:
    texts: list[str | None] = cells.to_numpy(zero_copy_only=False).tolist()
    return texts
