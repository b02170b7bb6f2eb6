"""Scores that a query engine averages: tables larger than the memory, or on a cluster.

The engine is any whose lazy tables narwhals knows. It returns a row per data set and algorithm;
what is left to do here is to say which of them lack folds or runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nbcompare import _tables
from nbcompare._arrays import BoolArray, IntArray
from nbcompare._render import Note, plural
from nbcompare._tables import RawTable
from nbcompare._validation import DataError, check_choice, check_name, named
from nbcompare.experiment._directions import directed
from nbcompare.experiment._losses import Incomplete
from nbcompare.experiment._query import BESIDE, LABELS, Query
from nbcompare.experiment._reading import Reading

if TYPE_CHECKING:
    import pandas as pd

STATISTICS = ("mean", "median")
# What may be done about scores that lack folds or runs: words of `words.missing`
TREATMENTS = ("raise", "available", "drop")
_MOST_NAMED = 10


class Scanned(NamedTuple):
    """A row per data set and algorithm, how to read it, and what to know of it."""

    table: RawTable
    reading: Reading
    notes: tuple[Note, ...]


def scanned(source: Any, asked: Reading, *, statistic: str, missing: str) -> Scanned:
    """Let the engine of a lazy table average folds and runs.

    Parameters
    ----------
    source : lazy table, str or Path
        A table that narwhals knows, or where Parquet files are.
    asked : Reading
        What the caller says of the columns.
    statistic : {"mean", "median"}
        What the runs of a fold become.
    missing : {"raise", "available", "drop"}
        What to do about scores that lack folds or runs.
    """
    check_choice(statistic, "statistic", STATISTICS)
    check_choice(missing, "missing", TREATMENTS)
    table = Query.of(source, asked)
    if "higher_is_better" not in table.roles and asked.direction is None:
        directed(asked, (), None, table.source)  # raises, before the engine works for an hour
    averaged, different = table.averaged(statistic)
    cells = _without_rows(averaged, asked)
    runs = _Runs.of(cells, table, different.get("fold", 1))
    short = runs.incomplete()
    notes = [Note("scanned", runs.sentence(statistic, table.engine))]
    if short:
        names = named([str(cell) for cell in short], most=_MOST_NAMED)
        if missing == "raise":
            raise DataError(
                f"{table.source}: folds or runs of {plural(len(short), 'score')} are missing: "
                f"{names}. Pass missing='available' to average what is there, which favours an "
                "algorithm that failed, or missing='drop' to leave out these data sets."
            )
        if missing == "available":
            notes.append(
                Note(
                    "available",
                    "Scores are over the folds and runs that are there. Some are missing of "
                    f"{names}; if they are missing because the algorithm failed there, this "
                    "favours it.",
                )
            )
        else:
            left = tuple(dict.fromkeys(cell.dataset for cell in short))
            cells = cells[~cells["dataset"].astype(str).str.strip().isin(left)]
            if not len(cells):
                raise DataError(
                    f"{table.source}: every data set lacks folds or runs of some algorithm, so "
                    "missing='drop' leaves none. Pass missing='available' to average what is there."
                )
            notes.append(
                Note(
                    "dropped",
                    f"{plural(len(left), 'data set')} without all folds and runs left out: "
                    f"{named(list(left), most=_MOST_NAMED)}.",
                )
            )
    columns = [*LABELS, "score", *(name for name in BESIDE if name in cells)]
    domain = asked.domain if isinstance(asked.domain, Mapping) else None
    reading = replace(
        asked,
        dataset="dataset",
        algorithm="algorithm",
        score="score",
        fold=None,
        run=None,
        domain="domain" if "domain" in columns else domain,
        higher_is_better="higher_is_better" if "higher_is_better" in columns else None,
        measure=asked.measure or table.measure,
        # the first data set may lack some, so that they would not be in the order of their labels
        algorithms=asked.algorithms or _labels_in_order(cells["algorithm"]),
        datasets=_still(asked.datasets, cells, notes),
        ignore=(),
        ignore_rows=(),
    )
    frame = cells[columns].reset_index(drop=True)
    return Scanned(replace(_tables.from_frame(frame), source=table.source), reading, tuple(notes))


def _labels_in_order(labels: pd.Series[Any]) -> Sequence[str]:
    """Return the different labels as a table would read them, sorted by what they are."""
    distinct = labels.drop_duplicates().sort_values(kind="stable").to_frame()
    return list(_tables.from_frame(distinct.reset_index(drop=True)).labels("algorithm"))


def _without_rows(cells: pd.DataFrame, asked: Reading) -> pd.DataFrame:
    """Leave out data sets, such as summaries of the others."""
    if not asked.ignore_rows:
        return cells
    names = cells["dataset"].astype(str).str.strip()
    for name in asked.ignore_rows:
        check_name(name, "ignore_rows", tuple(dict.fromkeys(names)))
    return cells[~names.isin(asked.ignore_rows)].reset_index(drop=True)


def _still(
    datasets: Sequence[str] | None, cells: pd.DataFrame, notes: Sequence[Note]
) -> Sequence[str] | None:
    """Return the data sets that were asked for, without those that were left out."""
    if datasets is None or all(note.code != "dropped" for note in notes):
        return datasets
    there = set(cells["dataset"].astype(str).str.strip())
    return tuple(name for name in datasets if name in there)


class _Runs(NamedTuple):
    """How many folds and runs the scores have, and should have."""

    datasets: Sequence[str]
    algorithms: Sequence[str]
    at: tuple[IntArray, IntArray]
    n_folds: IntArray
    folds: IntArray  # of the data set of each score
    fewest: IntArray
    expected: IntArray  # runs of each fold
    n: IntArray

    @classmethod
    def of(cls, cells: pd.DataFrame, table: Query, n_folds: int) -> _Runs:
        """Count folds and runs, and find how many there should be."""
        import pandas as pd

        data, datasets = pd.factorize(cells["dataset"].astype(str).str.strip())
        algorithm, algorithms = pd.factorize(cells["algorithm"].astype(str).str.strip())
        numbers = {
            name: cells[name].to_numpy(np.int64) for name in ("n_folds", "fewest", "most", "n")
        }
        folds = _largest(numbers["n_folds"], data)[data]
        if (folds != n_folds).any():
            # equal numbers of folds need not be the same folds
            by_dataset = table.folds_by_dataset()
            folds = np.array([by_dataset[name] for name in datasets], dtype=np.int64)[data]
        most = numbers["most"]
        # an algorithm that is never run so often as others has lost nothing
        expected = np.minimum(_largest(most, data)[data], _largest(most, algorithm)[algorithm])
        return cls(
            list(datasets),
            list(algorithms),
            (data, algorithm),
            numbers["n_folds"],
            folds,
            numbers["fewest"],
            expected,
            numbers["n"],
        )

    def incomplete(self) -> tuple[Incomplete, ...]:
        """Return the scores that lack folds or runs."""
        lacks_folds: BoolArray = self.n_folds < self.folds
        lacks_runs = self.n < self.n_folds * self.expected
        return tuple(
            Incomplete(
                self.datasets[self.at[0][i]],
                self.algorithms[self.at[1][i]],
                *(
                    (int(self.n_folds[i]), int(self.folds[i]), "folds")
                    if lacks_folds[i]
                    else (int(self.n[i]), int(self.n_folds[i] * self.expected[i]), "runs")
                ),
            )
            for i in np.flatnonzero(lacks_folds | lacks_runs).tolist()
        )

    def sentence(self, statistic: str, engine: str) -> str:
        """Say what the scores are."""
        folds, runs = int(self.n_folds.max()), int(self.expected.max())
        parts = [plural(n, name) for n, name in ((folds, "fold"), (runs, "run")) if n > 1]
        rows = plural(int(self.n.sum()), "row")
        if not parts:
            return f"{engine} read the scores from {rows}."
        what = f"{statistic}s of {parts[-1]}" if runs > 1 else f"{statistic}s of {parts[0]}"
        averaged = f", averaged over {parts[0]}" if len(parts) > 1 else ""
        most = "" if len(set(self.n.tolist())) == 1 else " at most"
        return (
            f"Scores are {what.replace(' of', f' of{most}', 1)}{averaged}, which {engine} computed "
            f"from {rows}."
        )


def _largest(numbers: IntArray, groups: IntArray) -> IntArray:
    """Return the largest number of each group."""
    found = np.zeros(int(groups.max()) + 1, dtype=np.int64)
    np.maximum.at(found, groups, numbers)
    return found
