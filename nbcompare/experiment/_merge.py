"""Merging of several experiments into one with more algorithms or more data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables import natural_order
from nbcompare._validation import DataError, listed, shown
from nbcompare.experiment._directions import majority, mask_of, negated

if TYPE_CHECKING:
    from nbcompare.experiment._experiment import Experiment


def merged(experiments: Sequence[Experiment]) -> dict[str, Any]:
    """Return the parts of the experiment that holds every result of these."""
    ways = _united_ways(experiments)
    measures = _distinct(experiment.measure for experiment in experiments)
    if len(measures) > 1:
        raise DataError(
            f"experiments to merge must have one measure; got {listed(measures)}. "
            "Scores of different measures cannot be ranked together."
        )
    datasets = _distinct(name for each in experiments for name in each.datasets)
    algorithms = _distinct(name for each in experiments for name in each.algorithms)
    folds = _united_folds([experiment.folds for experiment in experiments])
    lower, upper, source = _united_scores(experiments, (datasets, algorithms, folds))
    direction, turned = majority([ways[name] for name in datasets], datasets)
    lower, upper = negated(lower, upper, mask_of(turned, datasets))
    return {
        **_united_runs(experiments, (datasets, algorithms, folds), source, lower),
        "lower": lower,
        "upper": upper,
        "datasets": tuple(datasets),
        "algorithms": tuple(algorithms),
        "folds": tuple(folds),
        "direction": direction,
        "turned": turned,
        "domains": _united_domains(experiments, datasets),
        "measure": measures[0] if measures else None,
        "citation": _united_citations(experiments),
        "deviations": _united_deviations(experiments, datasets, algorithms),
        "infinite": next((each.infinite for each in experiments if each.infinite), ""),
    }


def _united_ways(experiments: Sequence[Experiment]) -> dict[str, str]:
    """Return the direction of every data set, which all experiments agree on."""
    directions = _distinct(experiment.direction for experiment in experiments)
    if len(directions) > 1 and not any(experiment.turned for experiment in experiments):
        raise DataError(
            "experiments to merge must have one direction; "
            f"got {listed(directions)}. Negate the scores of one side, or leave it out."
        )
    return _agreed(experiments, lambda each: each.ways, "directions")


def _united_domains(
    experiments: Sequence[Experiment], datasets: Sequence[str]
) -> tuple[str, ...] | None:
    """Return the groups of the data sets; None unless all of them are in one."""
    grouped = [each for each in experiments if each.domains is not None]
    domains = _agreed(grouped, lambda each: each.domains or (), "groups")
    return tuple(domains[name] for name in datasets) if set(datasets) <= set(domains) else None


def _agreed(
    experiments: Sequence[Experiment],
    said: Callable[[Experiment], Sequence[str]],
    what: str,
) -> dict[str, str]:
    """Return what experiments say of data sets, or raise an error if two disagree."""
    found: dict[str, str] = {}
    for each in experiments:
        for name, word in zip(each.datasets, said(each), strict=True):
            if found.setdefault(name, word) != word:
                raise DataError(
                    f"data set {shown(name)} has two {what} in the experiments to merge, "
                    f"{listed([found[name], word])}. Correct one of them, or leave it out with "
                    "select(...)."
                )
    return found


def _distinct(values: Iterable[str | None]) -> list[str]:
    """Return each value once, in order of first appearance, without None."""
    return list(dict.fromkeys(value for value in values if value is not None))


def _united_folds(folds: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the folds of all in natural order, as a table with all of them would be read."""
    if len(set(folds)) == 1:
        return list(folds[0])
    labels = _distinct(label for each in folds for label in each)
    keys = dict(zip(labels, natural_order(labels), strict=True))
    return sorted(labels, key=keys.__getitem__)


def _united_citations(experiments: Sequence[Experiment]) -> str | None:
    citations = _distinct(experiment.citation for experiment in experiments)
    if len(citations) < 2:
        return citations[0] if citations else None
    # one by one, so that a source of a merged experiment is not repeated
    return "; ".join(_distinct(part for citation in citations for part in citation.split("; ")))


def _united_deviations(
    experiments: Sequence[Experiment], datasets: list[str], algorithms: list[str]
) -> FloatArray | None:
    """Return the standard deviations of all, None if there are none; refuse two for one cell."""
    if all(experiment.deviations is None for experiment in experiments):
        return None
    united = np.full((len(datasets), len(algorithms)), np.nan)
    rows, columns = ({name: i for i, name in enumerate(axis)} for axis in (datasets, algorithms))
    for experiment in experiments:
        if experiment.deviations is None:
            continue
        cells = np.ix_(
            [rows[name] for name in experiment.datasets],
            [columns[name] for name in experiment.algorithms],
        )
        held, new = united[cells], experiment.deviations
        differs = (held != new) & ~np.isnan(held) & ~np.isnan(new)
        if differs.any():
            d, a = (int(i) for i in np.argwhere(differs)[0])
            raise DataError(
                f"algorithm {shown(experiment.algorithms[a])} on data set "
                f"{shown(experiment.datasets[d])} has two standard deviations: "
                f"{float(held[d, a])!r} and {float(new[d, a])!r}. Correct one of them."
            )
        united[cells] = np.where(np.isnan(held), new, held)
    return united


def _united_scores(
    experiments: Sequence[Experiment], labels: tuple[list[str], list[str], list[str]]
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return both ends of every score, and the number of the experiment of each cell.

    The ends are the same array unless any experiment holds intervals.
    """
    n_runs = max(experiment.n_runs for experiment in experiments)
    ends = [np.full((*map(len, labels), n_runs), np.nan)]
    if any(experiment.is_interval for experiment in experiments):
        ends.append(ends[0].copy())
    places = [{label: i for i, label in enumerate(axis)} for axis in labels]
    source = np.full(ends[0].shape[:2], -1)  # which experiment a cell came from
    for number, experiment in enumerate(experiments):
        rows, columns, folds = (
            np.array([place[label] for label in axis], dtype=np.int64)
            for place, axis in zip(
                places, (experiment.datasets, experiment.algorithms, experiment.folds), strict=True
            )
        )
        new = [
            _widened(scores, folds, ends[0].shape[2:]) for scores in experiment.given[: len(ends)]
        ]
        cells = np.ix_(rows, columns)
        held = [end[cells] for end in ends]
        known = source[cells] >= 0
        differs = _differs(held, new) & (known & ~experiment.missing)[:, :, None, None]
        if differs.any():
            raise _contradiction(experiment, differs, labels[2], held, new, (source[cells], number))
        fresh = ~known & ~experiment.missing
        into = (rows[np.nonzero(fresh)[0]], columns[np.nonzero(fresh)[1]])
        for end, scores in zip(ends, new, strict=True):
            end[into] = scores[fresh]
        source[into] = number
    return ends[0], ends[-1], source


def _united_runs(
    experiments: Sequence[Experiment],
    labels: tuple[list[str], list[str], list[str]],
    source: IntArray,
    lower: FloatArray,
) -> dict[str, Any]:
    """Return the labels of the runs of all, and their codes where they are not positions."""
    runs = _united_folds([experiment.runs or () for experiment in experiments])
    places = [{label: i for i, label in enumerate(axis)} for axis in (*labels, runs)]
    codes = np.full(lower.shape, -1, dtype=np.int64)
    for number, experiment in enumerate(experiments):
        own = experiment.run_codes
        if own is None:
            own = np.broadcast_to(np.arange(experiment.n_runs), experiment.lower.shape)
        d, a, f, r = np.nonzero(~np.isnan(experiment.lower))
        rows, columns, folds, numbers = (
            np.array([place[label] for label in axis], dtype=np.int64)
            for place, axis in zip(
                places,
                (
                    experiment.datasets,
                    experiment.algorithms,
                    experiment.folds,
                    experiment.runs or (),
                ),
                strict=True,
            )
        )
        at = source[rows[d], columns[a]] == number
        d, a, f, r = (each[at] for each in (d, a, f, r))
        codes[rows[d], columns[a], folds[f], r] = numbers[own[d, a, f, r]]
    return {"runs": tuple(runs), "run_codes": codes}


def _widened(scores: FloatArray, folds: IntArray, shape: tuple[int, ...]) -> FloatArray:
    """Place the scores among the folds and runs of all experiments."""
    wide = np.full((*scores.shape[:2], *shape), np.nan)
    wide[:, :, folds, : scores.shape[3]] = scores
    return wide


def _differs(held: Sequence[FloatArray], new: Sequence[FloatArray]) -> BoolArray:
    unequal = [
        (one != other) & ~(np.isnan(one) & np.isnan(other))
        for one, other in zip(held, new, strict=True)
    ]
    return np.asarray(np.any(unequal, axis=0), dtype=np.bool_)


def _contradiction(
    experiment: Experiment,
    differs: BoolArray,
    folds: Sequence[str],
    held: Sequence[FloatArray],
    new: Sequence[FloatArray],
    numbers: tuple[IntArray, int],
) -> DataError:
    """Return the error about the first cell with two results."""
    d, a, f, r = (int(i) for i in np.argwhere(differs)[0])
    fold = f" in fold {shown(folds[f])}" if differs.shape[2] > 1 else ""
    run = f" in run {r + 1}" if differs.shape[3] > 1 else ""
    return DataError(
        f"algorithm {shown(experiment.algorithms[a])} on data set "
        f"{shown(experiment.datasets[d])} has two results{fold}{run}: "
        f"{_score(held, (d, a, f, r))} in experiment {int(numbers[0][d, a]) + 1} and "
        f"{_score(new, (d, a, f, r))} in experiment {numbers[1] + 1} of those to merge. "
        "Correct one of them, or leave it out with select(...); further folds or runs of "
        "the same cell belong in one long table (fold=, run=)."
    )


def _score(ends: Sequence[FloatArray], where: tuple[int, int, int, int]) -> str:
    low, high = float(ends[0][where]), float(ends[-1][where])
    if np.isnan(low):
        return "no score"
    return repr(low) if low == high else f"[{low!r}, {high!r}]"
