"""Ranks of algorithms on data sets, arranged by groups of data sets and by average ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number, format_rounded, plural
from nbcompare._validation import DataError, check_groups, shown
from nbcompare.plots._live import Mark
from nbcompare.plots._plot import check_result
from nbcompare.plots._text import listed
from nbcompare.results import Description

DECIMALS = 2  # of an average rank
_MOST_NAMED = 3  # most algorithms that tie for the best in a sentence
_RANK = "average rank"


@dataclass(frozen=True, slots=True)
class Group:
    """Group of data sets, whose rows follow each other."""

    name: str
    rows: range
    averages: FloatArray | None  # average ranks over its complete data sets, if there are any


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Ranks by data set and algorithm, the groups one after the other, the best algorithm first."""

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    ranks: FloatArray  # NaN where there is no score
    scores: FloatArray  # as they were given
    averages: FloatArray | None  # None if every data set has a missing score
    groups: tuple[Group, ...]  # none without groups
    places: tuple[int, ...]  # of the algorithms in the order of the data
    n_ranked: int  # data sets behind the average ranks
    measured: str

    @property
    def n_missing(self) -> int:
        """Number of missing scores."""
        return int(np.isnan(self.ranks).sum())

    def about_algorithm(self, column: int) -> Mark:
        """Return what a page says of an algorithm."""
        n = len(self.datasets)
        best = int((self.ranks[:, column] == np.nanmin(self.ranks, axis=1)).sum())
        told = f"{self.algorithms[column]}: "
        if self.averages is not None:
            told += f"average rank {format_number(float(self.averages[column]), DECIMALS)}; "
        return Mark(f"{told}best on {best} of {plural(n, 'data set')}", (self.algorithms[column],))

    def about_cell(self, row: int, column: int) -> Mark:
        """Return what a page says of an algorithm on a data set."""
        name, dataset = self.algorithms[column], self.datasets[row]
        rank = float(self.ranks[row, column])
        if np.isnan(rank):
            return Mark(f"{name} on {dataset}: no score", (name,), dataset=dataset)
        n = int((~np.isnan(self.ranks[row])).sum())
        score = format_rounded(float(self.scores[row, column]))
        told = f"{name} on {dataset}: rank {rank:g} of {n} ({score})"
        return Mark(told, (name,), dataset=dataset)

    def about_dataset(self, row: int) -> Mark:
        """Return what a page says of a data set."""
        ranks = self.ranks[row]
        best = [self.algorithms[j] for j in np.flatnonzero(ranks == np.nanmin(ranks))]
        who = ", ".join(best) if len(best) <= _MOST_NAMED else plural(len(best), "algorithm")
        return Mark(f"{self.datasets[row]}: best {who}", (), dataset=self.datasets[row])

    def caption(self) -> list[str]:
        """Return phrases on what was ranked, for all figures of ranks."""
        lines = [f"{self.measured}; ranks on each data set, 1 is the best"]
        if self.n_missing:
            lines.append(
                f"{plural(self.n_missing, 'score')} missing; average ranks are over the "
                f"{plural(self.n_ranked, 'data set')} without a missing score"
                if self.averages is not None
                else f"{plural(self.n_missing, 'score')} missing; no average ranks, as every data "
                "set has a missing score"
            )
        return lines

    def sentences(self) -> str:
        """Return sentences on the average ranks, for an alternative text."""
        if self.averages is None:
            return "There are no average ranks."
        told = [
            f"{name} {format_number(float(rank), DECIMALS)}"
            for name, rank in zip(self.algorithms, self.averages, strict=True)
        ]
        text = f"Average ranks, best first: {listed(told)}."
        best = [
            f"{group.name}: {self.algorithms[int(np.argmin(group.averages))]}"
            for group in self.groups
            if group.averages is not None
        ]
        return f"{text} Best in each group: {listed(best, '; ')}." if best else text


def standings_of(
    description: Description, groups: Mapping[str, str] | None, figure: str
) -> Standings:
    """Arrange the ranks of a description, by its own groups of data sets or those given."""
    check_result(description, figure, Description)
    if description.ranks is None:
        raise DataError(
            "`description` is of interval-valued scores, which have no ranks. To rank their "
            "midpoints, describe an Experiment of those."
        )
    names, k = description.design.datasets, len(description.algorithms)
    if k < 2:
        raise DataError(f"`description` must be of at least 2 algorithms; got {k}.")
    if groups is None:
        domains = description.domains
    elif isinstance(groups, Mapping):
        domains = check_groups(groups, "groups", names)
    else:
        raise ValueError(f"`groups` must be a mapping of data sets to groups; got {shown(groups)}.")
    rows = list(range(len(names)))
    if domains is not None:
        first = {name: place for place, name in reversed(list(enumerate(domains)))}
        rows.sort(key=lambda row: first[domains[row]])
    averages = None
    columns = list(range(k))
    if _RANK in description.statistics:
        averages = description.statistics[_RANK].values
        columns = np.argsort(averages, kind="stable").tolist()
    ranks = description.ranks[np.ix_(rows, columns)]
    design = description.design
    return Standings(
        datasets=tuple(names[row] for row in rows),
        algorithms=tuple(description.algorithms[column] for column in columns),
        ranks=ranks,
        scores=description.scores[np.ix_(rows, columns)],
        averages=None if averages is None else averages[columns],
        groups=() if domains is None else _groups([domains[row] for row in rows], ranks),
        places=tuple(columns),
        n_ranked=description.n_ranked,
        measured=f"{design.measure}, {design.better}" if design.measure else design.better,
    )


def _groups(domains: Sequence[str], ranks: FloatArray) -> tuple[Group, ...]:
    """Return the groups of neighbouring rows."""
    starts = [row for row, name in enumerate(domains) if not row or name != domains[row - 1]]
    found = []
    for start, stop in zip(starts, [*starts[1:], len(domains)], strict=True):
        part = ranks[start:stop]
        complete = part[~np.isnan(part).any(axis=1)]
        averages = complete.mean(axis=0) if len(complete) else None
        found.append(Group(domains[start], range(start, stop), averages))
    return tuple(found)
