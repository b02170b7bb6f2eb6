"""Several experiments: joined into one, or one for each measure of a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import FloatArray, mean_over
from nbcompare._options import MAXIMIZE
from nbcompare._render import Note
from nbcompare._tables import RawTable, find_column, naturally_sorted
from nbcompare._validation import (
    DataError,
    check_labels,
    did_you_mean,
    listed,
    positions,
    shown,
)
from nbcompare.experiment._beside import by_name, majority, mask_of, negated
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


def merged(experiments: Sequence[Scores]) -> dict[str, Any]:
    """Return the parts of the experiment that holds every result of these."""
    measures = _distinct(each.measure for each in experiments if each.measure)
    # where some are turned, each data set has its own direction, which is compared below
    turns = any(each.turned for each in experiments)
    directions = () if turns else _distinct(each.direction for each in experiments)
    for what, said in (("measure", measures), ("direction", directions)):
        if len(said) > 1:
            raise DataError(f"experiments to merge must have one {what}; got {listed(said)}.")
    units = {each.unit == "items" for each in experiments}
    if len(units) > 1:
        raise DataError("experiments to merge must all hold items, or none of them; got both.")
    datasets = _distinct(chain(*(each.datasets for each in experiments)))
    algorithms = _distinct(chain(*(each.algorithms for each in experiments)))
    folds = _in_order([each.folds for each in experiments])
    runs = _in_order([each.runs or () for each in experiments])
    # layers are lower and upper ends as they were given, deviations, and labels of runs
    n_runs = max(each.n_runs for each in experiments)
    whole = np.full((4, len(datasets), len(algorithms), len(folds), n_runs), np.nan)
    for number, each in enumerate(experiments, start=1):
        new = np.full((4, *each.lower.shape[:2], len(folds), n_runs), np.nan)
        at = (..., positions(each.folds, folds, "folds"), slice(each.n_runs))
        new[0][at], new[1][at] = each.given
        if each.deviations is not None:
            new[2] = each.deviations[:, :, np.newaxis, np.newaxis]
        codes = np.arange(each.n_runs) if each.run_codes is None else each.run_codes
        new[3][at] = np.array(positions(each.runs, runs, "runs"))[codes]
        new[3][np.isnan(new[0])] = np.nan
        rows, columns = np.ix_(
            positions(each.datasets, datasets, "datasets"),
            positions(each.algorithms, algorithms, "algorithms"),
        )
        held = whole[:, rows, columns]
        _check_agreement(held, new, each, folds, f"experiment {number} of those to merge")
        whole[:, rows, columns] = np.where(np.isnan(held), new, held)
    lower, upper, deviations, codes = whole
    ways = _agreed(experiments, lambda each: each.ways, "directions")
    domains = _agreed(experiments, lambda each: each.domains or (), "groups")
    direction, turned = majority(np.array([ways[name] == MAXIMIZE for name in datasets]), datasets)
    is_interval = any(each.is_interval for each in experiments)
    lower, upper = negated(lower, upper if is_interval else lower, mask_of(turned, datasets))
    citations = _distinct(each.citation for each in experiments if each.citation)
    return {
        "lower": lower,
        "upper": upper,
        "datasets": datasets,
        "algorithms": algorithms,
        "folds": folds,
        "runs": runs,
        "run_codes": np.where(np.isnan(lower), -1, codes).astype(np.int64),
        "direction": direction,
        "turned": turned,
        "domains": tuple(map(domains.get, datasets)) if domains.keys() >= set(datasets) else None,
        "deviations": None if np.isnan(deviations).all() else deviations[:, :, 0, 0],
        "measure": measures[0] if measures else None,
        # one by one, so that a source of a merged experiment is not repeated
        "citation": "; ".join(_distinct("; ".join(citations).split("; "))) or None,
        "unit": "items" if units == {True} else None,
        "clusters": _clusters(experiments, datasets, folds),
        "infinite": next((each.infinite for each in experiments if each.infinite), ""),
    }


def _clusters(
    experiments: Sequence[Scores], datasets: tuple[str, ...], items: tuple[str, ...]
) -> npt.NDArray[np.object_] | None:
    """Return the clusters of items, of which two experiments must say the same."""
    if all(each.clusters is None for each in experiments):
        return None
    found = np.full((len(datasets), len(items)), "", dtype=np.object_)
    for each in experiments:
        if each.clusters is None:
            raise DataError("experiments to merge must all have clusters, or none of them.")
        cells = np.ix_(
            np.array(positions(each.datasets, datasets, "datasets")),
            np.array(positions(each.folds, items, "folds")),
        )
        held = found[cells]
        wrong = np.argwhere((held != "") & (each.clusters != "") & (held != each.clusters))
        if wrong.size:
            d, i = wrong[0]
            raise DataError(
                f"item {shown(each.folds[i])} has two clusters in the experiments to merge, "
                f"{listed([held[d, i], each.clusters[d, i]])}."
            )
        found[cells] = np.where(held == "", each.clusters, held)
    return found


def _check_agreement(
    held: FloatArray, new: FloatArray, experiment: Scores, folds: Sequence[str], source: str
) -> None:
    """Raise an error about the first cell with other numbers than it has already."""
    one, other = (~np.isnan(cells).all(axis=(3, 4), keepdims=True) for cells in (held, new))
    differs = (held != new) & ~(np.isnan(held) & np.isnan(new)) & one & other
    if differs[:3].any():
        layer, d, a, f, r = where = tuple(np.argwhere(differs)[0].tolist())
        what = "standard deviations" if layer == 2 else "results"
        fold = f" in fold {shown(folds[f])}" if len(folds) > 1 else ""
        run = f" in run {r + 1}" if held.shape[4] > 1 else ""
        raise DataError(
            f"algorithm {shown(experiment.algorithms[a])} on data set "
            f"{shown(experiment.datasets[d])} has two {what}{fold}{run}: {held[where]} and, in "
            f"{source}, {new[where]}. Correct one of them, or leave it out with select(...)."
        )


def _agreed(
    experiments: Sequence[Scores], said: Callable[[Scores], Sequence[str]], what: str
) -> dict[str, str]:
    """Return what experiments say of data sets, or raise an error if two disagree."""
    found: dict[str, str] = {}
    for each in experiments:
        for name, word in zip(each.datasets, said(each), strict=False):
            if found.setdefault(name, word) != word:
                raise DataError(
                    f"data set {shown(name)} has two {what} in the experiments to merge, "
                    f"{listed([found[name], word])}. Correct one of them, or leave it out with "
                    "select(...)."
                )
    return found


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _in_order(labels: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the labels of all in natural order, as a table with all of them would be read."""
    united = _distinct(chain(*labels))
    return united if len(set(labels)) == 1 else tuple(naturally_sorted(united))
