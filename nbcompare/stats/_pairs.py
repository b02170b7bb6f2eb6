"""Pairs of algorithms by the columns of their scores: differences that stay finite, in blocks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray
from nbcompare._validation import check_finite
from nbcompare.stats.ranking import LARGEST, with_sizes


def columns_with_sizes(
    scores: npt.ArrayLike, scale: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Scores of each algorithm in a row, and the magnitudes that their rounding noise goes by.

    Both may be divided by 4: ranks of differences have no unit.
    """
    array, sizes = with_sizes(check_finite(scores, "scores", ndim=2), scale)
    columns, sizes = np.ascontiguousarray(array.T), np.ascontiguousarray(sizes.T)
    if columns.size and max(columns.max(), -columns.min()) > LARGEST:
        columns, sizes = columns / 4, sizes / 4  # or their differences would be infinite
    return columns, sizes


def blocks(n_pairs: int, n_datasets: int, n_elements: int) -> Iterator[slice]:
    """Pairs in blocks of about so many differences, which stay in the processor's cache."""
    step = max(1, n_elements // max(1, n_datasets))
    return (slice(start, start + step) for start in range(0, n_pairs, step))
