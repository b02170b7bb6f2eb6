"""Checks of an Experiment's parts, and of names that are looked up in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from nbcompare._arrays import BoolArray
from nbcompare._validation import (
    DataError,
    check_labels,
    check_name,
    clean_label,
    listed,
    shown,
)

if TYPE_CHECKING:
    from nbcompare.experiment._experiment import Experiment


def check_scores(experiment: Experiment) -> None:
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


def one_line(text: object, argument: str) -> str | None:
    """A caption on one line, None if there is nothing in it."""
    if text is not None and not isinstance(text, str):
        raise TypeError(f"`{argument}` must be text; got {shown(text)}.")
    return None if text is None else clean_label(text) or None


def positions(wanted: Iterable[str] | None, labels: tuple[str, ...], argument: str) -> list[int]:
    """Where the labels that were asked for stand, in the order asked for."""
    if wanted is None:
        return list(range(len(labels)))
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        raise TypeError(f"`{argument}` must be a list of names; got {shown(wanted)}.")
    position = {label: i for i, label in enumerate(labels)}
    names = [
        name if isinstance(name, str) and name in position else check_name(name, argument, labels)
        for name in wanted
    ]
    if not names:
        raise ValueError(f"`{argument}` must name at least one of {listed(labels)}; got none.")
    return [position[name] for name in check_labels(names, argument)]


def _where(experiment: Experiment, wrong: BoolArray) -> str:
    d, a = (int(i) for i in np.argwhere(wrong)[0][:2])
    return (
        f"algorithm {shown(experiment.algorithms[a])} on data set {shown(experiment.datasets[d])}"
    )
