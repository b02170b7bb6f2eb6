"""Columns of pyarrow as they come in batches, so that a table is never in memory twice.

Text that repeats is a number from the batch on in which it comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._tables.columns import Coded, Codes, by_appearance, is_blank
from nbcompare._tables.letters import are_plain, differ
from nbcompare._validation import are_clean

_STRETCH = 2**16  # rows that are changed at a time
_LARGE = 1.5  # how much longer an array becomes that is too short
_REPEATED = 4  # rows per cell of a dictionary of which the cells are looked for in others
_MOST_SHORT = 2**15 - 1  # cells of which the places are 16-bit integers


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


def growing(kinds: Sequence[Any], n_expected: int) -> list[Growing]:
    """Return empty columns of numbers and text, floats next to each other in memory.

    Parameters
    ----------
    kinds : sequence of pyarrow.DataType
        Of integers and floats; all others stand for text.
    n_expected : int
        A number of rows that is probably enough.
    """
    from pyarrow import types  # type: ignore[import-untyped, unused-ignore]

    floats = iter(_empty((sum(map(types.is_floating, kinds)), n_expected), np.float64))
    return [
        Numbers(next(floats))
        if types.is_floating(kind)
        else Numbers(_empty((n_expected,), kind.to_pandas_dtype()))
        if types.is_integer(kind)
        else Labels(n_expected)
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
    """A column of text.

    Until the end, its rows are places in the cells that were kept of all batches; -1 stands for
    an empty cell. A cell that is in many rows is kept once.

    Attributes
    ----------
    is_plain : bool
        Whether all cells are known, at the end, to be clean labels without a quotation mark.
    """

    def __init__(self, n_expected: int) -> None:
        super().__init__(_empty((n_expected,), np.int16))
        self._cells: list[Any] = []
        self._n_cells = 0
        self._known: dict[str | None, int] = {}  # places of cells that are in many rows
        self._dictionary: Any = None  # of the last batches, and the places of its cells
        self._places: Codes = np.empty(0, dtype=np.int16)
        self._is_ordered = True  # whether the places are those of first appearance
        self.is_plain = False

    def add(self, batch: Any) -> None:
        """Take the cells of a batch, which pyarrow may have coded."""
        start = self._n_rows
        self._next(len(batch))
        if not len(batch):
            return
        if not hasattr(batch, "indices"):
            self._look_up(batch, start)
            return
        self._is_ordered = False
        self._begin(batch.dictionary, len(batch))
        indices = batch.indices
        if indices.null_count:
            indices = indices.cast("int32").fill_null(len(self._places))
        places = np.append(self._places, self._places.dtype.type(-1))
        np.take(places, indices.to_numpy(), out=self._rows(start), mode="clip")  # without a copy

    def _begin(self, dictionary: Any, n_rows: int) -> None:
        """Find the places of the cells of a dictionary; it may begin with all of the last one."""
        n_before = 0 if self._dictionary is None else len(self._places)
        if n_before == 0 or not dictionary.slice(0, n_before).equals(self._dictionary):
            n_before = 0
        elif n_before == len(dictionary):
            return
        new = dictionary.slice(n_before)
        places = self._found(new) if _REPEATED * len(dictionary) < n_rows else self._kept(new)
        self._places = np.append(self._places[:n_before], places)
        self._dictionary = dictionary

    def _look_up(self, texts: Any, start: int) -> None:
        """Find the cells that the last batches had, too, and keep the others."""
        from pyarrow import compute  # type: ignore[import-untyped, unused-ignore]

        if self._dictionary is None:
            places = self._unknown(texts, len(texts))
            self._rows(start)[:] = places
            return
        found = compute.index_in(texts, self._dictionary)
        if not found.null_count:
            np.take(self._places, found.to_numpy(), out=self._rows(start), mode="clip")
            return
        known = self._places
        others = found.is_null()
        places = self._unknown(texts.filter(others), len(texts))
        rows = self._rows(start)
        rows[:] = known.take(found.fill_null(0).to_numpy(), mode="clip")
        rows[others.to_numpy(zero_copy_only=False)] = places

    def _unknown(self, texts: Any, n_rows: int) -> Codes:
        """Keep cells, and look for them from now on if they are few for a batch of so many rows."""
        most = n_rows // _REPEATED
        if len(texts) > most and len(texts.slice(0, most).unique()) == most:
            self._dictionary = None
            return self._kept(texts)  # as in a column that names the rows
        coded = texts.dictionary_encode("encode")
        new = coded.dictionary
        if len(new) > most:
            places, self._dictionary = self._kept(new), None
        else:
            places = self._found(new)
            if self._dictionary is None or len(self._dictionary) + len(new) > most:
                self._dictionary, self._places = new, places
            else:
                self._dictionary = _joined([self._dictionary, new])
                self._places = np.append(self._places, places)
        taken: Codes = places.take(coded.indices.to_numpy())
        return taken

    def _rows(self, start: int) -> Codes:
        """Return the rows from one on to the last."""
        return self._array[start : self._n_rows]

    def _found(self, cells: Any) -> Codes:
        """Return the places of cells, and keep those that no batch had."""
        texts = _texts(cells)
        places = np.fromiter(map(self._known.get, texts, repeat(-1)), np.int32, len(texts))
        new = np.flatnonzero(places < 0)
        if new.size:
            places[new] = self._kept(cells.take(new))
            self._known |= zip(map(texts.__getitem__, new), places[new].tolist(), strict=True)
        return places.astype(self._array.dtype)

    def _kept(self, cells: Any) -> Codes:
        self._cells.append(cells.cast("large_string"))  # which may be longer than 2 GB
        start, self._n_cells = self._n_cells, self._n_cells + len(cells)
        if self._n_cells > _MOST_SHORT and self._array.dtype != np.int32:
            self._array = self._array.astype(np.int32)
            self._places = self._places.astype(np.int32)
        return np.arange(start, self._n_cells, dtype=self._array.dtype)

    def done(self) -> Coded:
        """Return the whole column; blank cells are None."""
        codes: Codes = self._all()
        if not len(codes):
            return Coded(codes, ())
        self.is_plain = all(map(are_plain, self._cells))
        place = None
        if self._n_cells == len(self._known) or (self.is_plain and differ(self._cells)):
            cells = list(chain.from_iterable(map(_texts, self._cells)))
        else:
            coded = _joined(self._cells).dictionary_encode("encode")
            cells = _texts(coded.dictionary)
            place = coded.indices.to_numpy() if len(cells) < len(coded) else None
        if not self._is_ordered and int(codes.min()) < 0:
            cells.append(None)
            self.is_plain = False
            place = np.arange(len(cells) - 1) if place is None else place
            place = np.append(place, len(cells) - 1)  # which is also at -1
        if place is not None:
            for start in range(0, len(codes), _STRETCH):
                rows = codes[start : start + _STRETCH]
                rows[:] = place.take(rows, mode="wrap")
        if not self._is_ordered:
            codes, order = by_appearance(codes, len(cells))
            cells = [cells[place] for place in order.tolist()]
        if self.is_plain or are_clean(cells):
            return Coded(codes, cells, is_clean=True)
        return Coded(codes, [None if is_blank(cell) else cell for cell in cells])


Growing = Numbers | Labels


def _texts(cells: Any) -> list[str | None]:
    texts: list[str | None] = cells.to_numpy(zero_copy_only=False).tolist()
    return texts


def _joined(parts: Sequence[Any]) -> Any:
    import pyarrow as pa

    return pa.concat_arrays(parts) if parts else pa.array([], pa.large_string())
