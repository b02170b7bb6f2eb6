"""The part of a table that a caller asks for: columns and rows by name, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from nbcompare._tables import RawTable
from nbcompare._validation import DataError, check_name, listed, positions, shown
from nbcompare.experiment._cells import Cells
from nbcompare.experiment._reading import Reading


def without_ignored(table: RawTable, reading: Reading) -> RawTable:
    """Return the table without the columns to ignore; refuse names that no column has."""
    for argument in ("ignore", "keep"):
        for name in getattr(reading, argument):
            check_name(name, argument, tuple(table.columns))
    for role, name in reading.columns.items():
        for argument in ("ignore", "keep"):
            if name in getattr(reading, argument):
                raise ValueError(
                    f"`{role}` and `{argument}` must not name the same column; got {shown(name)} "
                    "in both."
                )
    return table.without(reading.ignore)


def chosen_columns(names: Sequence[str], wanted: Iterable[str] | None, argument: str) -> list[str]:
    """Return the columns of scores that are asked for, in the order of the table."""
    chosen = set(positions(wanted, tuple(names), argument))
    return [name for position, name in enumerate(names) if position in chosen]


def chosen_rows(
    table: RawTable, labels: Sequence[str], reading: Reading, argument: str
) -> tuple[RawTable, list[str]]:
    """Return the rows that are asked for, with their labels.

    Parameters
    ----------
    table : RawTable
        A row per label.
    labels : sequence of str
        What the rows are called; a label may come several times.
    reading : Reading
        ``ignore_rows`` and ``keep_rows`` are names of rows.
    argument : {"datasets", "algorithms"}
        The argument that names the only rows to read.
    """
    wanted = getattr(reading, argument)
    if wanted is None and not reading.ignore_rows and not reading.keep_rows:
        return table, labels if isinstance(labels, list) else list(labels)
    distinct = tuple(dict.fromkeys(labels))
    for each in ("ignore_rows", "keep_rows", argument):
        for name in getattr(reading, each) or ():
            check_name(name, each, distinct)
    if not reading.ignore_rows and wanted is None:
        return table, list(labels)
    left_out = set(reading.ignore_rows)
    there = set(distinct if wanted is None else wanted) - left_out
    rows = np.flatnonzero([label in there for label in labels])
    if not len(rows):
        raise ValueError(
            f"`ignore_rows` must leave at least one row of {table.source}; "
            f"got {listed(reading.ignore_rows)}."
        )
    return table.part(rows), [labels[int(row)] for row in rows]


def chosen_scores(table: RawTable, columns: dict[str, str], reading: Reading) -> RawTable:
    """Return the rows of a long table that are asked for."""
    chosen = None  # not the numbers of all rows, which may be many
    if reading.algorithms is not None:
        labels = table.labels(columns["algorithm"])
        for name in reading.algorithms:
            check_name(name, "algorithms", tuple(dict.fromkeys(labels)))
        chosen = np.flatnonzero([label in set(reading.algorithms) for label in labels])
    whole = table
    if "dataset" in columns:
        if reading.datasets is not None or reading.ignore_rows or reading.keep_rows:
            labels = table.labels(columns["dataset"])
            table, _ = chosen_rows(table, labels, reading, "datasets")
            if table.kept is not None:
                chosen = table.kept if chosen is None else np.intersect1d(chosen, table.kept)
    else:
        for argument in ("datasets", "ignore_rows", "keep_rows"):
            if getattr(reading, argument):
                raise ValueError(
                    f"`{argument}` must name data sets; {table.source} has no column of data "
                    f"sets, so {shown(getattr(reading, argument)[0])} is none."
                )
    return whole if chosen is None or len(chosen) == whole.n_rows else whole.part(chosen)


def in_order(cells: Cells, reading: Reading) -> Cells:
    """Return the cells with data sets and algorithms in the order in which they are asked for."""
    if reading.datasets is None and reading.algorithms is None:
        return cells
    d = _places(reading.datasets, cells.datasets, "data set")
    a = _places(reading.algorithms, cells.algorithms, "algorithm")
    both = np.ix_(d, a)
    lower = cells.lower[both]
    return replace(
        cells,
        datasets=tuple(cells.datasets[i] for i in d),
        algorithms=tuple(cells.algorithms[j] for j in a),
        lower=lower,
        upper=lower if cells.upper is cells.lower else cells.upper[both],
        run_codes=None if cells.run_codes is None else cells.run_codes[both],
        domains=None if cells.domains is None else tuple(cells.domains[i] for i in d),
        higher_is_better=(
            None if cells.higher_is_better is None else cells.higher_is_better[np.array(d)]
        ),
        deviations=None if cells.deviations is None else cells.deviations[both],
    )


def _places(wanted: Iterable[str] | None, labels: tuple[str, ...], kind: str) -> list[int]:
    """Return where the names are; one may be without a score of what else is asked for."""
    for name in wanted or ():
        if name not in labels:
            raise DataError(f"every {kind} must have at least one score; {shown(name)} has none.")
    return [labels.index(name) for name in (labels if wanted is None else wanted)]
