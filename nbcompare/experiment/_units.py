"""Scores in two units: percentages beside shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import Note

_NEAR = 0.15  # how far a percentage may be from the other scores of its data set, as a share
_LEAST = 0.3  # shares below may be errors, beside which a diverged algorithm has any score


def mixed_units(
    datasets: Sequence[str], algorithms: Sequence[str], values: FloatArray
) -> tuple[Note, ...]:
    """Return a note if some scores are a hundred times as large as the others of their data sets.

    A data set of which all scores are percentages is none: it has another measure, perhaps.

    Parameters
    ----------
    datasets, algorithms : sequence of str
        Labels of the axes.
    values : ndarray of float, shape (n_datasets, n_algorithms)
        Scores; NaN where there is none.
    """
    if not values.size or np.isnan(values).all() or not 1 < np.nanmax(values) <= 100:
        return ()
    large, small = values > 1, (values >= 0) & (values <= 1)
    mixed = np.asarray(large.any(axis=1) & small.any(axis=1))
    cells = np.argwhere(large & mixed[:, np.newaxis])
    if not len(cells) or (values < 0).any():
        return ()
    middle = {row: float(np.median(values[row][small[row]])) for row in set(cells[:, 0].tolist())}
    for row, column in cells.tolist():
        share = values[row, column] / 100
        if middle[row] < _LEAST or abs(share - middle[row]) > _NEAR:
            return ()
    row, column = cells[0].tolist()
    text = (
        f"The score of {algorithms[column]} on {datasets[row]} is {values[row, column]:.4g}, and "
        f"other scores on it are about {middle[row]:.2g}: some scores seem to be percentages, "
        "others shares. If they are, write all of them in one unit."
    )
    return (Note("units", text),)
