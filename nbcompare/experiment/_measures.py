"""Several measures in one table: the part of each, and whether two agree on what is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import FloatArray, mean_over
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note
from nbcompare._tables import RawTable, find_column
from nbcompare._validation import check_labels, check_name, did_you_mean, listed, shown

if TYPE_CHECKING:
    from nbcompare.experiment._experiment import Experiment

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
        codes, there = table.coded_labels(column)
        wanted = there if only is None else _wanted(only, there)
        return {
            name: (table.part(np.flatnonzero(codes == there.index(name))).without({column}), None)
            for name in wanted
        }
    columns = [find_column(table, "measures", name) for name in check_labels(measures, "measures")]
    wanted = columns if only is None else _wanted(only, columns)
    return {name: (table, name) for name in wanted}


def _wanted(only: Iterable[str], there: Sequence[str]) -> list[str]:
    names = [check_name(name, "only", there) for name in check_labels(only, "only")]
    if not names:
        raise ValueError(f"`only` must name at least one of {listed(there)}; got none.")
    return names


def direction_of(
    measure: str, measures: Sequence[str], direction: str | Mapping[Any, str] | None
) -> str | None:
    """Return the direction of a measure; None stands for all that a mapping does not name."""
    if direction is None or isinstance(direction, str):
        return direction
    if measure not in direction and None not in direction:
        raise ValueError(f"`direction` must be given for every measure; not for {measure!r}.")
    for name in direction:
        if name is not None:
            check_name(name, "direction", measures)
    return direction.get(measure, direction.get(None))


def disagreement(first: Experiment, other: Experiment) -> Note | None:
    """Return a note if algorithms that are better by one measure are worse by another.

    On most data sets, Kendall's rank correlation of the scores, turned so that higher is
    better, is negative then.
    """
    places = {name: i for i, name in enumerate(first.algorithms)}
    columns = [j for j, name in enumerate(other.algorithms) if name in places]
    of_first = [places[other.algorithms[j]] for j in columns]
    rows = {name: i for i, name in enumerate(first.datasets)}
    one, two = _oriented(first)[:, of_first], _oriented(other)[:, columns]
    shared = [(rows[name], i) for i, name in enumerate(other.datasets) if name in rows]
    opposite = sum(_concordance(one[i], two[j]) < 0 for i, j in shared)
    if len(shared) < _FEWEST or opposite <= _MOST * len(shared):
        return None
    return Note(
        "measures-disagree",
        f"On {opposite} of {len(shared)} data sets algorithms that are better by {first.measure} "
        f"are worse by {other.measure}: is the direction of {other.measure} right?",
    )


def _oriented(experiment: Experiment) -> FloatArray:
    """Return mean scores, or middles of intervals, turned so that higher is better."""
    low, high = (mean_over(mean_over(ends)) for ends in (experiment.lower, experiment.upper))
    middles = low / 2 + high / 2
    return middles if experiment.direction == MAXIMIZE else -middles


def _concordance(one: FloatArray, two: FloatArray) -> float:
    """Return the pairs that two rows order alike, less those that they order differently."""
    known = ~(np.isnan(one) | np.isnan(two))
    signs = [np.sign(row[known][:, np.newaxis] - row[known]) for row in (one, two)]
    return float((signs[0] * signs[1]).sum())


def arguments_of(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a call, with the defaults of those that are not given."""
    parameters = signature(function).parameters.values()
    known = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}
    for name in given:
        if name not in known or name in ("direction", "measure"):
            raise TypeError(
                f"`{name}` is no argument of reading several measures."
                f"{did_you_mean(name, set(known) - {name})}"
            )
    return {**known, **given}
