"""Several measures in one table: the part of each, and whether their directions fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from nbcompare._arrays import FloatArray, mean_over
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note
from nbcompare._tables import RawTable, find_column
from nbcompare._validation import check_labels, did_you_mean, positions
from nbcompare.experiment._beside import by_name
from nbcompare.experiment._scores import Scores

# Two measures that have little to do with each other disagree on half of the data sets.
_MOST = 2 / 3
_FEWEST = 3  # data sets


def parts_of(
    table: RawTable, measures: str | Iterable[str], only: Iterable[str] | None
) -> dict[str, tuple[RawTable, str | None]]:
    """Return the table of each measure, and the column of its scores if the caller named it.

    ``measures`` is the column that names the measure of each row, or the columns of the measures.
    """
    if isinstance(measures, str):
        column = find_column(table, "measures", measures)
        codes, names = table.coded_labels(column)
        return {
            names[code]: (table.part(np.flatnonzero(codes == code)).without({column}), None)
            for code in positions(only, tuple(names), "only")
        }
    columns = [find_column(table, "measures", name) for name in check_labels(measures, "measures")]
    return {columns[i]: (table, columns[i]) for i in positions(only, tuple(columns), "only")}


def direction_of(
    measure: str, measures: Sequence[str], direction: str | Mapping[Any, str] | None
) -> str | None:
    """Return the direction of a measure; None stands for all that a mapping does not name."""
    if direction is None or isinstance(direction, str):
        return direction
    return by_name(direction, measures, "direction", "measure")[measures.index(measure)]


def disagreement(first: Scores, other: Scores) -> Note | None:
    """Return a note if algorithms that are better by one measure are worse by another.

    On most data sets, Kendall's rank correlation of the scores, turned so that higher is
    better, is negative then.
    """
    datasets = sorted({*first.datasets} & {*other.datasets})
    algorithms = sorted({*first.algorithms} & {*other.algorithms})
    if len(datasets) < _FEWEST or not algorithms:
        return None
    one, two = (each.select(datasets=datasets, algorithms=algorithms) for each in (first, other))
    opposite = sum(
        _concordance(*pair) < 0 for pair in zip(_oriented(one), _oriented(two), strict=True)
    )
    if opposite <= _MOST * len(datasets):
        return None
    return Note(
        "measures-disagree",
        f"On {opposite} of {len(datasets)} data sets algorithms that are better by {first.measure} "
        f"are worse by {other.measure}: is the direction of {other.measure} right?",
    )


def _oriented(experiment: Scores) -> FloatArray:
    """Return mean scores, or middles of intervals, turned so that higher is better."""
    low, high = (mean_over(mean_over(ends)) for ends in (experiment.lower, experiment.upper))
    middles = low / 2 + high / 2
    return middles if experiment.direction == MAXIMIZE else -middles


def _concordance(one: FloatArray, two: FloatArray) -> float:
    """Return the pairs that two rows order alike, less those that they order differently."""
    known = ~(np.isnan(one) | np.isnan(two))
    signs = [np.sign(row[known][:, np.newaxis] - row[known]) for row in (one, two)]
    return float((signs[0] * signs[1]).sum())


def check_arguments(given: Iterable[str], known: Collection[str]) -> None:
    """Refuse what is not an argument of reading, or belongs to each measure."""
    for name in given:
        if name not in known or name in ("direction", "measure"):
            raise TypeError(
                f"`{name}` is no argument of reading several measures."
                f"{did_you_mean(name, set(known) - {name})}"
            )
