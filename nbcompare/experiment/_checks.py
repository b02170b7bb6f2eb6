"""Checks of an Experiment's parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._validation import DataError, shown

if TYPE_CHECKING:
    from nbcompare.experiment._scores import Scores


def check_scores(experiment: Scores) -> None:
    """Scores are finite, intervals are in order, nothing is without any score."""
    for name in ("lower", "upper") if experiment.is_interval else ("lower",):
        infinite = np.isinf(getattr(experiment, name))
        if infinite.any():
            raise DataError(f"`{name}` must be finite; {_where(experiment, infinite)} is not.")
    if experiment.is_interval:
        if (half := np.isnan(experiment.lower) != np.isnan(experiment.upper)).any():
            raise DataError(
                f"`lower` and `upper` must both be there or both be missing; "
                f"for {_where(experiment, half)} one is."
            )
        if (crossed := experiment.lower > experiment.upper).any():
            raise DataError(
                f"`lower` must not exceed `upper`; it does for {_where(experiment, crossed)}."
            )
    for axis, kind, names in (
        (1, "data set", experiment.datasets),
        (0, "algorithm", experiment.algorithms),
    ):
        empty = np.flatnonzero(experiment.missing.all(axis=axis))
        if empty.size:
            raise DataError(
                f"every {kind} must have at least one score; "
                f"{shown(names[int(empty[0])])} has none."
            )


def _where(experiment: Scores, wrong: BoolArray) -> str:
    d, a = (int(i) for i in np.argwhere(wrong)[0][:2])
    return (
        f"algorithm {shown(experiment.algorithms[a])} on data set {shown(experiment.datasets[d])}"
    )
