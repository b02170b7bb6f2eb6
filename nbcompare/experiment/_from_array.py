"""From an array of scores, with labels or without, to cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nbcompare._validation import DataError, check_real, labels_or_numbers
from nbcompare.experiment._layout import Cells


def labelled(
    scores: npt.ArrayLike,
    datasets: Sequence[object] | None,
    algorithms: Sequence[object] | None,
) -> Cells:
    """Cells of an array of 2 to 4 dimensions; labels that are not given are numbered."""
    array = check_real(scores, "scores")
    if np.asarray(scores).dtype == np.bool_:
        raise ValueError("`scores` must be numbers; got True and False.")
    if array.ndim not in (2, 3, 4):
        raise ValueError(
            f"`scores` must have 2 to 4 dimensions; got an array of shape {array.shape}."
        )
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise DataError(f"`scores` must be finite; got {array[where]!s} at index {where}.")
    array = array.reshape(array.shape + (1,) * (4 - array.ndim))
    n, k, n_folds = map(int, array.shape[:3])
    return Cells(
        labels_or_numbers(datasets, "datasets", [str(i + 1) for i in range(n)], "scores"),
        labels_or_numbers(algorithms, "algorithms", [f"A{j + 1}" for j in range(k)], "scores"),
        tuple(str(i + 1) for i in range(n_folds)),
        array,
        array,
    )
