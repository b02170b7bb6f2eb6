"""Cells of a table of which the columns are understood, as ``[dataset, algorithm, fold, run]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray, has_gaps
from nbcompare._render import Note
from nbcompare._tables import Codes, RawTable, naturally_sorted, numbered
from nbcompare._tables.printed import PrintedText, deviations_of
from nbcompare._tables.text_format import Unsettled, Way
from nbcompare._validation import DataError, Distinct, check_labels, listed, positions, shown
from nbcompare.experiment import _beside, _places
from nbcompare.experiment._beside import beside
from nbcompare.experiment._columns import MANY_LABELS, Understanding
from nbcompare.experiment._facts import first_change
from nbcompare.experiment._reading import KEYS, Reading, matching, parts_of
from nbcompare.experiment._schema import NOUNS, REPETITIONS, ROLE_OF_UNIT, Schema, called

_SMALL_ARRAY = 5_000_000  # cells that are padded without complaint, however few scores there are
_LEFT_OUT = Note(
    "deviations-left-out",
    "Standard deviations beside the scores of folds or runs were left out.",
)


class Cells(NamedTuple):
    """Labelled scores; ``lower is upper`` unless they are intervals.

    The fields are those of an :class:`~nbcompare.Experiment`; ``maximized`` says of each data set
    whether high scores are better, if anything says so.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    folds: tuple[str, ...]
    lower: FloatArray
    upper: FloatArray
    measure: str | None = None
    runs: tuple[str, ...] | None = None
    run_codes: IntArray | None = None
    domains: tuple[str, ...] | None = None
    maximized: BoolArray | None = None
    deviations: FloatArray | None = None
    notes: tuple[Note, ...] = ()
    schema: Schema | None = None
    cutoff: float | None = None
    unit: str | None = None
    clusters: npt.NDArray[np.object_] | None = None


@dataclass(frozen=True, slots=True)
class _Axis:
    """The labels of one role, and the number of that of each row or column."""

    codes: Codes
    labels: Sequence[str] = ("1",)

    def part(self, rows: IntArray) -> _Axis:
        """Return the axis of some rows, without labels that none of them has."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        return _Axis(codes, [self.labels[int(code)] for code in used])

    def in_order(self, labels: Sequence[str]) -> _Axis:
        """Return the axis with the same labels in another order."""
        if list(labels) == list(self.labels):
            return self
        places = {label: place for place, label in enumerate(labels)}
        order = np.array([places[label] for label in self.labels], dtype=self.codes.dtype)
        return _Axis(order[self.codes], list(labels))


_Axes = Mapping[str, _Axis]


def arrange(known: Understanding, reading: Reading) -> Cells:
    """Return the scores of a table by data set, algorithm, fold and run."""
    known, rows, columns = _asked_for(known, reading)
    table, scores = known.table, known.scores
    label_roles = ("algorithm",) if "dataset" in known.parts else KEYS
    label = next((known.roles[role][0] for role in label_roles if role in known.roles), None)
    ways = [] if label or known.is_long else [{"dataset": scores[0]}]  # which may name the rows
    values = [table.numbers(n, label, ways if n == scores[0] else ()) for n in scores]
    table.refuse_mixed_percents(scores, label, ways)
    datasets = {**columns, **rows}.get("dataset", _Axis(np.zeros(table.n_rows, dtype=np.int64)))
    said = {} if "dataset" in known.parts else known.roles  # columns may have other data sets
    domains, maximized = beside(table, reading, said, datasets.codes, datasets.labels)
    spread, notes = _deviations(known, rows, reading, label)
    placed = _placed(known, reading, values, rows, columns, maximized)
    shape = placed.lower.shape
    if spread is not None and (placed.sentence or shape[2] * shape[3] > 1):
        spread, notes = None, [*(n for n in notes if n.code != "deviations"), _LEFT_OUT]
    elif spread is not None and len(placed.axes[0].codes) == spread.size:
        by_cell, spread = spread.ravel(), np.full(shape[:2], np.nan)
        spread[placed.axes[0].codes, placed.axes[1].codes] = by_cell
    names = [
        it if isinstance(it, Distinct) else Distinct(check_labels(it, f"{NOUNS[role][:-1]} names"))
        for role, it in zip(KEYS, (axis.labels for axis in placed.axes), strict=True)
    ]
    if len(names[0]) < len(datasets.labels):  # those without failed runs
        left = [datasets.labels.index(name) for name in names[0]]
        domains = None if domains is None else tuple(domains[i] for i in left)
        maximized = None if maximized is None else maximized[left]
    is_measure = known.is_long and len(scores) == 1 and scores[0].casefold() != "score"
    of_rows = [n for n in called("measure", known.table.columns) if known.facts.is_constant(n)]
    measures = known.facts.labels(of_rows[0]) if of_rows else scores[: int(is_measure)]
    sizes = {r: n for r, n in zip(KEYS, shape, strict=True) if n > 1 or r in KEYS[:2]}
    told = (placed.sentence,) if placed.sentence else ()
    return Cells(
        names[0],
        names[1],
        names[2],
        placed.lower,
        placed.upper,
        measure=next(filter(None, measures), None),
        runs=names[3],
        run_codes=placed.run_codes,
        domains=domains,
        maximized=maximized,
        deviations=spread,
        notes=(
            *notes,
            *_notes(known, rows, reading),
            *(Note("failed-runs", text) for text in told),
        ),
        schema=known.schema(reading, sizes, told),
        cutoff=reading.cutoff,
        unit=known.unit,
        clusters=_clusters(known, rows, names[0], names[2]),
    )


def _clusters(
    known: Understanding, rows: _Axes, datasets: Sequence[str], items: Sequence[str]
) -> npt.NDArray[np.object_] | None:
    """Return the cluster of each item of each data set, '' where there is no such item."""
    if "cluster" not in rows:
        return None
    if "fold" not in rows or known.unit != "items":
        raise ValueError(
            "`cluster` needs rows that are items: unit='items', or `item` for a column that names "
            "them."
        )
    one = _Axis(np.zeros(known.table.n_rows, dtype=np.int64))
    of_datasets, of_items, clusters = rows.get("dataset", one), rows["fold"], rows["cluster"]
    shape = (len(of_datasets.labels), len(of_items.labels))
    cell = _places.numbers_of([of_datasets.codes, of_items.codes], shape)
    labels = np.array(clusters.labels, dtype=np.object_)[clusters.codes]
    names = np.array(of_items.labels, dtype=np.object_)[of_items.codes]
    if (change := first_change(clusters.codes, cell)) is not None:
        row, before = change
        raise DataError(
            f"{known.table.source}: `cluster` must be the same in all rows of an item; item "
            f"{shown(names[row])} has {shown(labels[before])} and {shown(labels[row])}."
        )
    found = np.full(shape, "", dtype=np.object_)
    # without a cluster, an item is one by itself
    found.ravel()[cell] = np.where(labels == "", "item " + names, labels)
    return found[
        np.ix_(
            positions(datasets, tuple(of_datasets.labels), "datasets"),
            positions(items, tuple(of_items.labels), "items"),
        )
    ]


def _notes(known: Understanding, rows: _Axes, reading: Reading) -> list[Note]:
    found = [Note(code, text) for code, text in (*known.table.notes, *known.notes)]
    for role, axis in rows.items() if reading.rows is None else ():
        names = known.roles.get(role, ())
        held = known.table.text_of(names[0]) if len(names) == 1 else None
        cells = () if held is None or len(held.cells) <= len(axis.labels) else held.cells
        if len({cell.lstrip() for cell in cells if isinstance(cell, str)}) > len(axis.labels):
            text = f"Some {NOUNS[role]} differ in white space alone, and were taken for one."
            found.append(Note("blanks", text))
    return found


# ----------------------------------------------------------------- axes, and what is asked for


def _axes(known: Understanding, reading: Reading) -> tuple[dict[str, _Axis], dict[str, _Axis]]:
    """Return the labels that rows have, and those that columns have, by role."""
    table = known.table
    rows: dict[str, _Axis] = {}
    columns: dict[str, _Axis] = {}
    codes: Codes
    labels: Sequence[str]
    for role in KEYS:
        if role in known.parts:
            axes, (codes, labels) = columns, numbered(known.parts[role])
        elif role in known.roles:
            axes, (codes, labels) = rows, known.facts.joined_labels(known.roles[role])
        else:
            continue
        axes[role] = _Axis(codes, labels)
        if role in REPETITIONS:  # so that the order of rows does not matter
            axes[role] = axes[role].in_order(naturally_sorted(labels))
    if not known.is_long and not rows:
        role = next(role for role in ("dataset", "algorithm", "run") if role not in columns)
        rows[ROLE_OF_UNIT.get(known.unit or "", role)] = _numbers_of_rows(table)
    if reading.rows is not None and "dataset" in rows:
        rows |= _parts_of_rows(rows.pop("dataset"), reading.rows, table)
    of_unit = ROLE_OF_UNIT.get(known.unit or "", "dataset")
    if not known.is_long and not {*REPETITIONS} & {*rows, *columns} and of_unit != "dataset":
        # rows are paired as they stand: each is another one of its data set
        in_order = np.arange(table.n_rows)
        codes = _places.positions_in_cells([*(axis.codes for axis in rows.values()), in_order])
        rows[of_unit] = _Axis(codes, [str(i + 1) for i in range(int(codes.max(initial=0)) + 1)])
    if "cluster" in known.roles:
        codes, labels = known.facts.codes(known.roles["cluster"][0])
        rows["cluster"] = _Axis(codes, labels)
    return rows, columns


def _parts_of_rows(axis: _Axis, pattern: str, table: RawTable) -> dict[str, _Axis]:
    """Return the axes of roles that parts of the names of rows play."""
    found = matching(pattern, axis.labels, table, "rows")
    left = [label for label in axis.labels if label not in found]
    if left:
        raise DataError(
            f"{table.source}: `rows` must match the names of all rows; {pattern!r} does not match "
            f"{listed(left, most=3)}."
        )
    made = {}
    for place, role in enumerate(parts_of(pattern)):
        codes, labels = numbered(found[label][place] for label in axis.labels)
        of_role = _Axis(codes[axis.codes], labels)
        ordered = of_role.in_order(naturally_sorted(labels)) if role in REPETITIONS else of_role
        made[role] = ordered
    return made


def _numbers_of_rows(table: RawTable) -> _Axis:
    return _Axis(np.arange(table.n_rows), [str(table.row_number(i)) for i in range(table.n_rows)])


def _asked_for(
    known: Understanding, reading: Reading
) -> tuple[Understanding, dict[str, _Axis], dict[str, _Axis]]:
    """Return the part of a table that is asked for, with the axes of its rows and columns."""
    rows, columns = _axes(known, reading)
    table, in_rows = known.table, "algorithm" if "dataset" in known.parts else "dataset"
    if in_rows not in rows and not known.is_long:
        in_rows = next((role for role in REPETITIONS if role in rows), in_rows)
    kept: BoolArray = np.array(True)
    for argument, role in (
        ("algorithms", "algorithm"),
        ("datasets", "dataset"),
        ("ignore_rows", in_rows),
        ("keep_rows", in_rows),
    ):
        wanted = getattr(reading, argument)
        if not wanted:
            continue
        of_columns = argument == f"{role}s" and role in columns
        axis = columns[role] if of_columns else rows.get(role)
        if axis is None and known.is_long:
            raise ValueError(
                f"`{argument}` must name {NOUNS[role]}; {table.source} has no column of "
                f"{NOUNS[role]}, so {shown(wanted[0])} is none."
            )
        axis = axis or _numbers_of_rows(table)
        there = np.isin(axis.codes, positions(wanted, tuple(axis.labels), argument))
        if of_columns:
            places = np.flatnonzero(there)
            columns = {each: of.part(places) for each, of in columns.items()}
            known = replace(
                known,
                scores=tuple(known.scores[i] for i in places),
                parts={each: tuple(of[i] for i in places) for each, of in known.parts.items()},
            )
        elif argument != "keep_rows":
            kept = kept & (there ^ (argument == "ignore_rows"))
            if not kept.any():
                raise ValueError(
                    f"`{argument}` must leave at least one row of {table.source}; got "
                    f"{listed(wanted)}."
                )
    if not kept.all():
        places = np.flatnonzero(kept)
        table, rows = table.part(places), {role: of.part(places) for role, of in rows.items()}
    for role, wanted in (("dataset", reading.datasets), ("algorithm", reading.algorithms)):
        for axes in (rows, columns):
            if wanted is not None and role in axes:
                axes[role] = axes[role].in_order(wanted)
    ignorable = ("data set",) if known.is_long else ("row", "column")
    table = replace(table, ignorable=ignorable).with_numbers(known.scores)
    return replace(known, table=table), rows, columns


# ---------------------------------------------------------------------- beside the scores


def _deviations(
    known: Understanding, rows: _Axes, reading: Reading, label: str | None
) -> tuple[FloatArray | None, list[Note]]:
    """Return the standard deviations beside scores, row by row, and notes on them."""
    table = known.table
    if not any(isinstance(table.columns[it], PrintedText) for it in known.scores):
        return None, []
    groups = np.broadcast_to(np.arange(len(known.scores)), (table.n_rows, len(known.scores)))
    if "dataset" not in known.parts:  # scores of different algorithms are ranked together
        codes = [axis.codes for role, axis in rows.items() if role != "algorithm"]
        numbers = np.unique(codes, axis=1, return_inverse=True)[1] if codes else 0
        groups = np.broadcast_to(np.reshape(numbers, (-1, 1)), groups.shape)
    found = deviations_of(table, known.scores, groups, label, reading.brackets)
    return found.values, [Note(code, text) for code, text in found.notes]


# ------------------------------------------------------------------------------- placing


class _Placed(NamedTuple):
    """Scores in their places; the axes have the labels of each score, by role, where they moved."""

    axes: Sequence[_Axis]
    lower: FloatArray
    upper: FloatArray
    run_codes: IntArray | None = None
    sentence: str = ""


def _placed(
    known: Understanding,
    reading: Reading,
    values: Sequence[FloatArray],
    rows: _Axes,
    columns: _Axes,
    maximized: BoolArray | None,
) -> _Placed:
    """Place every score by its labels, of which rows and columns say some each."""
    table, sentence = known.table, ""
    failed = _beside.failed_rows(table, reading, known.roles.get("status", (None,))[0])
    are_failures = failed is not None or reading.cutoff is not None
    if not are_failures and _are_places(rows, columns):
        array, one = _places.side_by_side(values), _Axis(np.zeros(1, np.int64))
        return _Placed([rows["dataset"], columns["algorithm"], one, one], array, array)
    n_columns, axes = 1 if known.is_long else len(values), []
    for role in KEYS:
        axis = rows.get(role) or _Axis(np.zeros(table.n_rows, dtype=np.int32))
        if role in columns:
            axis = _Axis(np.tile(columns[role].codes, table.n_rows), columns[role].labels)
        elif n_columns > 1:
            axis = _Axis(np.repeat(axis.codes, n_columns), axis.labels)
        axes.append(axis)
    low = values[0] if n_columns == 1 else np.stack(values, axis=1).ravel()
    high = values[1] if known.is_long and len(values) > 1 else low
    if are_failures:
        of_cells = None if failed is None else np.repeat(failed, n_columns)
        codes = axes[0].codes.astype(np.int64)
        settled = _beside.settled(low, of_cells, codes, reading, maximized, table.source)
        low = high = settled.values[settled.kept]
        kept, sentence = np.flatnonzero(settled.kept), settled.sentence
        axes = axes if kept.size == len(settled.kept) else [axis.part(kept) for axis in axes]
    ends = _in_cells(table, axes, low, high)
    if ends is None:
        raise _scored_twice(known, axes, n_columns)
    return _Placed(axes, *ends, sentence)


def _are_places(rows: _Axes, columns: _Axes) -> bool:
    """Tell whether every row is a data set and every column an algorithm, as they stand."""
    if rows.keys() != {"dataset"} or columns.keys() != {"algorithm"}:
        return False
    both = (rows["dataset"], columns["algorithm"])
    return all(
        len(axis.labels) == len(axis.codes)
        and np.array_equal(axis.codes, np.arange(len(axis.codes)))
        for axis in both
    )


def _in_cells(
    table: RawTable, axes: Sequence[_Axis], lower: FloatArray, upper: FloatArray
) -> tuple[FloatArray, FloatArray, IntArray | None] | None:
    """Place each score at its labels, with the labels of runs; None if two have the same.

    Where runs have many labels that algorithms do not share, the scores of a cell are placed in
    the order of these.
    """
    codes, shape = [axis.codes for axis in axes], tuple(len(axis.labels) for axis in axes)
    if _places.is_dense(shape, len(lower)):
        low = _places.placed(shape, codes, lower)
        n_scores = int(np.count_nonzero(~np.isnan(low))) if has_gaps(low) else low.size
        if n_scores < len(lower) and np.bincount(_places.numbers_of(codes, shape)).max() > 1:
            return None
        n_runs = max(1, int((~np.isnan(low)).sum(axis=3).max())) if low.size > 100 * n_scores else 1
        _refuse_nearly_empty(table, (*shape[:3], n_runs), n_scores)
        return low, low if upper is lower else _places.placed(shape, codes, upper), None
    if _places.repeated(codes):
        return None
    filled = ~np.isnan(lower)
    there = [code[filled] for code in codes]
    run = _places.positions_in_cells(there)
    shape = (*shape[:3], 1 + int(run.max(initial=0)))
    _refuse_nearly_empty(table, shape, len(run))
    places = [*there[:3], run]
    low = _places.placed(shape, places, lower[filled])
    labelled = _places.placed(shape, places, there[3].astype(np.int64), empty=-1)
    return low, low if upper is lower else _places.placed(shape, places, upper[filled]), labelled


def _refuse_nearly_empty(table: RawTable, shape: tuple[int, ...], n_scores: int) -> None:
    size = int(np.prod(shape, dtype=np.float64))
    if size > _SMALL_ARRAY and size > 100 * n_scores:
        raise DataError(
            f"{table.source}: {shape[0]} data sets, {shape[1]} algorithms, {shape[2]} folds and "
            f"{shape[3]} runs make {size:,} cells for {n_scores:,} scores. "
            "Does one of dataset=, algorithm=, fold= name the wrong column?"
        )


def _scored_twice(known: Understanding, axes: Sequence[_Axis], n_columns: int) -> Unsettled:
    """Return the doubt about two rows of the same labels, with columns that may tell them apart."""
    table = known.table
    found = _places.repeated([axis.codes for axis in axes]) or (0, 0)
    what = {
        role: axis.labels[int(axis.codes[found[0]])]
        for role, axis in zip(KEYS, axes, strict=True)
        if role in known.roles
    }
    told = ", ".join(f"{role} {shown(label)}" for role, label in what.items())
    lacking = [r for r in ("run", "fold") if r not in known.roles and r not in known.parts]
    kinds = ("identifies", "another", "scores")
    steps = [n for n in called("evaluations", table.columns) if not table.is_text(n)]
    # what tells the steps of one run apart, such as the time, is no repetition
    ways: list[Way] = [{"where": {n: max(known.facts.labels(n), key=float)}} for n in steps[:1]]
    if steps and "run" in lacking:  # unless it is called so
        ways += [{"run": name} for name in called("run", table.columns)]
    for use in known.uses if not steps else ():
        if "dataset" not in what and use.use.startswith(("identifies", "describes")):
            ways.append({"dataset": use.name})
        if use.use.startswith(kinds) and known.facts.may_label(use.name):
            if len(lacking) == 2 and len(known.facts.labels(use.name)) >= MANY_LABELS:
                ways.append({"item": use.name})
            ways += [{role: use.name} for role in lacking]
    remedy = "Take out one of them."
    if steps:
        remedy = (
            f"If these are logs of optimisers, a row for each value of {steps[0]!r}, "
            "Histories.read(path) reads them."
        )
    elif lacking:
        remedy = (
            "Delete the row if it is a copy; if runs were repeated, number them in a column "
            f"{lacking[0]!r}."
        )
    rows = "rows " + " and ".join(str(table.row_number(row // n_columns)) for row in found)
    score = "scores" if not known.is_long else "score"
    return Unsettled(f"{table.source}: {rows} both hold the {score} of {told}.", ways, remedy)
