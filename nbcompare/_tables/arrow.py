"""Columns of pyarrow: each distinct text of a long column becomes Python text once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._tables.columns import Coded, by_appearance, is_blank
from nbcompare._validation import are_clean


def coded(chunked: Any) -> Coded:
    """Return a column of text that pyarrow has coded; blank cells become None."""
    chunked = chunked.unify_dictionaries()
    if not chunked.num_chunks:
        return Coded(np.empty(0, dtype=np.int32), ())
    cells = chunked.chunk(0).dictionary.to_numpy(zero_copy_only=False).tolist()
    n_cells = len(cells)
    n_gaps = chunked.null_count
    parts = [chunk.indices for chunk in chunked.chunks]
    if n_gaps:
        cells.append(None)
        parts = [part.fill_null(n_cells) for part in parts]
    codes = np.concatenate([part.to_numpy() for part in parts])
    codes, order = by_appearance(codes, len(cells))
    if not np.array_equal(order, np.arange(len(cells))):
        cells = [cells[place] for place in order.tolist()]
    if are_clean(cells):
        return Coded(codes, cells, is_clean=True)
    return Coded(codes, [None if is_blank(cell) else cell for cell in cells])


def floats(chunked: Any) -> FloatArray:
    """Return a column of numbers as floats, NaN where a cell is empty."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    if chunked.type != pa.float64():
        chunked = chunked.cast(pa.float64(), safe=False)  # large integers become the nearest float
    return whole(chunked)


def whole(chunked: Any) -> npt.NDArray[Any]:
    """Return a column of numbers in one piece."""
    if chunked.num_chunks == 1:
        numbers: npt.NDArray[Any] = chunked.chunk(0).to_numpy(zero_copy_only=False)
        return numbers
    return chunked.to_numpy()  # type: ignore[no-any-return]
