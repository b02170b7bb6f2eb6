"""Cells of a table of which the columns are understood, as ``[dataset, algorithm, fold, run]``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nbcompare import _tables
from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note
from nbcompare._tables import Codes, RawTable, natural_order, sorted_codes
from nbcompare._tables.doubt import Unsettled, Way
from nbcompare._validation import DataError, check_labels, check_name, listed, shown
from nbcompare.experiment import _failures, _places
from nbcompare.experiment._directions import beside, maximized_of
from nbcompare.experiment._facts import Facts
from nbcompare.experiment._infer import Understanding
from nbcompare.experiment._reading import KEYS, Reading
from nbcompare.experiment._roles import NOUNS, REPETITIONS, called
from nbcompare.experiment._schema import Schema

_SMALL_ARRAY = 5_000_000  # cells that are padded without complaint, however few scores there are
_LEFT_OUT = Note(
    "deviations-left-out",
    "Standard deviations beside the scores of folds or runs were left out.",
)


@dataclass(frozen=True, slots=True)
class Cells:
    """Labelled scores; ``lower is upper`` unless they are intervals.

    The fields are those of an :class:`~nbcompare.Experiment`; ``higher_is_better`` says of each
    data set what the table says, if it says so.
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
    higher_is_better: BoolArray | None = None
    deviations: FloatArray | None = None
    notes: tuple[Note, ...] = ()
    schema: Schema | None = None
    cutoff: float | None = None


@dataclass(frozen=True, slots=True)
class _Axis:
    """The labels of one role, and the number of that of each row or column."""

    codes: Codes
    labels: list[str] = field(default_factory=lambda: ["1"])

    def part(self, rows: IntArray) -> _Axis:
        """Return the axis of some rows, without labels that none of them has."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        return _Axis(codes, [self.labels[int(code)] for code in used])


def arrange(known: Understanding, reading: Reading) -> Cells:
    """Return the scores of a table by data set, algorithm, fold and run."""
    known = _part_that_is_asked_for(known, reading)
    table = replace(
        known.table, ignorable=("data set",) if known.is_long else ("row", "column")
    ).with_numbers(known.scores)
    known = replace(known, table=table)
    label = _label(known)
    first = known.scores[0]
    ways = [] if label or known.is_long else [{"dataset": first}]  # which may name the rows
    values = [table.numbers(n, label, ways if n == first else ()) for n in known.scores]
    table.refuse_mixed_percents(known.scores, label, ways)
    if known.is_long:
        _check_ends(table, known.scores, values, label)
    rows, columns = _axes(known)
    _refuse_repeated_rows(known, rows)
    spread, notes = _deviations(known, rows, reading, label)
    if len(known.scores) == 2 and known.is_long:
        values, upper = values[:1], values[1]
    else:
        upper = None
    failed = _failures.failed_rows(table, reading, known.roles.get("status", (None,))[0])
    datasets = (columns | rows).get("dataset", _Axis(np.zeros(0, dtype=np.int64))).labels
    said = _beside(known, reading, rows, datasets)
    maximized = maximized_of(reading, datasets, said["higher_is_better"], table.source)
    made = None
    if rows.keys() == {"dataset"} and columns.keys() == {"algorithm"} and failed is None:
        made = _side_by_side(table, values, rows["dataset"], columns["algorithm"], reading)
    sentence, axes = "", None
    if made is None:
        made, axes, sentence = _placed(
            known, reading, values, upper, rows, columns, failed, maximized
        )
    if len(made.datasets) < len(datasets):  # those without failed runs
        left = [datasets.index(name) for name in made.datasets]
        said = {name: it if it is None else _part_of(it, left) for name, it in said.items()}
    shape = made.lower.shape
    if spread is not None and (sentence or shape[2] * shape[3] > 1):
        spread, notes = None, (*[n for n in notes if n.code != "deviations"], _LEFT_OUT)
    if spread is not None and axes is not None:
        placed = np.full(shape[:2], np.nan)
        placed[axes[0].codes, axes[1].codes] = spread.ravel()
        spread = placed
    measure = known.scores[0] if known.is_long and upper is None else None
    made = replace(
        made,
        measure=None if measure is None or measure.casefold() == "score" else measure,
        deviations=spread,
        notes=(*notes, *_notes(known, rows, sentence)),
        cutoff=reading.cutoff,
        **said,
    )
    numbers = zip(KEYS, shape, strict=True)
    sizes = {role: n for role, n in numbers if n > 1 or role in ("dataset", "algorithm")}
    schema = known.schema(reading, sizes, (sentence,) if sentence else ())
    return _in_order(replace(made, schema=schema), reading)


def _label(known: Understanding) -> str | None:
    """Return the column whose labels errors repeat."""
    roles = ("algorithm",) if "dataset" in known.parts else ("dataset", "algorithm", "fold", "run")
    return next((known.roles[role][0] for role in roles if role in known.roles), None)


def _notes(known: Understanding, rows: Mapping[str, _Axis], sentence: str) -> list[Note]:
    found = [Note(code, text) for code, text in (*known.table.notes, *known.notes)]
    found += [Note("failed-runs", sentence)] if sentence else []
    for role, axis in rows.items():
        names = known.roles.get(role, ())
        if len(names) == 1 and known.table.is_text(names[0]):
            written = {cell for cell in known.table.cells(names[0]) if isinstance(cell, str)}
            if len(written) > len(axis.labels):
                text = f"Some {NOUNS[role]} differ in white space alone, and were taken for one."
                found.append(Note("blanks", text))
    return found


def _beside(
    known: Understanding, reading: Reading, rows: Mapping[str, _Axis], datasets: Sequence[str]
) -> dict[str, Any]:
    """Return what rows say of their data sets, if they have one each."""
    axis = rows.get("dataset", _Axis(np.zeros(known.table.n_rows, dtype=np.int64)))
    roles = {} if "dataset" in known.parts else known.roles  # of data sets that columns name
    return beside(known.table, reading, roles, axis.codes, datasets)


def _part_of(said: Any, places: Sequence[int]) -> Any:
    """Return what is said of some data sets, as an array or a tuple."""
    return said[places] if isinstance(said, np.ndarray) else tuple(said[i] for i in places)


# ------------------------------------------------------------------ what is asked for


def _part_that_is_asked_for(known: Understanding, reading: Reading) -> Understanding:
    """Return the rows and columns of the data sets and algorithms that are asked for."""
    table, label_role = known.table, "algorithm" if "dataset" in known.parts else "dataset"
    if label_role not in known.roles and not known.is_long:
        label_role = next((role for role in REPETITIONS if role in known.roles), label_role)
    rows = np.ones(table.n_rows, dtype=np.bool_)
    for argument, role in (
        ("algorithms", "algorithm"),
        ("datasets", "dataset"),
        ("ignore_rows", label_role),
        ("keep_rows", label_role),
    ):
        wanted = getattr(reading, argument)
        if not wanted or (argument.endswith("s") and argument[:-1] in known.parts):
            continue
        if role in known.roles:
            axis = _axis_of_rows(table, known.roles[role])
        elif known.is_long:
            raise ValueError(
                f"`{argument}` must name {NOUNS[role]}; {table.source} has no column of "
                f"{NOUNS[role]}, so {shown(wanted[0])} is none."
            )
        else:
            numbers = [str(table.row_number(row)) for row in range(table.n_rows)]
            axis = _Axis(np.arange(table.n_rows), numbers)
        for name in wanted:
            check_name(name, argument, axis.labels)
        if argument == "keep_rows":
            continue
        there = np.isin(axis.codes, [axis.labels.index(name) for name in wanted])
        rows &= ~there if argument == "ignore_rows" else there
        if not rows.any():
            raise ValueError(
                f"`{argument}` must leave at least one row of {table.source}; got {listed(wanted)}."
            )
    if not rows.all():
        known = replace(known, table=table.part(np.flatnonzero(rows)))
    for argument, role in (("algorithms", "algorithm"), ("datasets", "dataset")):
        wanted = getattr(reading, argument)
        if wanted is not None and role in known.parts:
            for name in wanted:
                check_name(name, argument, tuple(dict.fromkeys(known.parts[role])))
            kept = [i for i, label in enumerate(known.parts[role]) if label in wanted]
            known = replace(
                known,
                scores=tuple(known.scores[i] for i in kept),
                parts={each: tuple(of[i] for i in kept) for each, of in known.parts.items()},
            )
    return known


def _in_order(cells: Cells, reading: Reading) -> Cells:
    """Return the cells with data sets and algorithms in the order in which they are asked for."""
    if reading.datasets is None and reading.algorithms is None:
        return cells
    d = _order(reading.datasets, cells.datasets, "data set")
    a = _order(reading.algorithms, cells.algorithms, "algorithm")
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


def _order(wanted: Iterable[str] | None, labels: tuple[str, ...], kind: str) -> list[int]:
    """Return where the names are; one may be without a score of what else is asked for."""
    for name in wanted or ():
        if name not in labels:
            raise DataError(f"every {kind} must have at least one score; {shown(name)} has none.")
    return [labels.index(name) for name in (labels if wanted is None else wanted)]


# --------------------------------------------------------------------------------- axes


def _axes(known: Understanding) -> tuple[dict[str, _Axis], dict[str, _Axis]]:
    """Return the labels that rows have, and those that columns have, by role."""
    table, rows, columns = known.table, {}, {}
    for role in KEYS:
        is_sorted = role in REPETITIONS
        if role in known.parts:
            distinct = list(dict.fromkeys(known.parts[role]))
            keys = dict(zip(distinct, natural_order(distinct), strict=True))
            distinct = sorted(distinct, key=keys.__getitem__) if is_sorted else distinct
            codes = np.array([distinct.index(label) for label in known.parts[role]])
            columns[role] = _Axis(codes, distinct)
        elif role in known.roles:
            rows[role] = _axis_of_rows(table, known.roles[role], is_sorted=is_sorted)
    if not known.is_long and not rows and table.n_rows:
        role = "dataset" if "dataset" not in columns else "algorithm"
        role = role if role not in columns else "run"
        numbers = [str(table.row_number(row)) for row in range(table.n_rows)]
        rows[role] = _Axis(np.arange(table.n_rows), numbers if table.n_rows > 1 else ["1"])
    return rows, columns


def _axis_of_rows(table: RawTable, names: Sequence[str], *, is_sorted: bool = False) -> _Axis:
    """Return the labels that columns give each row; those of several columns are joined."""
    if len(names) == 1:
        coded = sorted_codes(table, names[0]) if is_sorted else table.compact_labels(names[0])
        return _Axis(coded[0], list(coded[1]))
    codes, labels = Facts(table).joined_labels(names)
    if not is_sorted:
        return _Axis(codes, labels)
    order = sorted(range(len(labels)), key=natural_order(labels).__getitem__)
    place: IntArray = np.argsort(order)
    return _Axis(place[codes], [labels[i] for i in order])


def _deviations(
    known: Understanding, rows: Mapping[str, _Axis], reading: Reading, label: str | None
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    """Return the standard deviations beside scores, row by row, and notes on them."""
    if not {*known.scores} & known.table.beside.keys():
        return None, ()
    shape = (known.table.n_rows, len(known.scores))
    if "dataset" in known.parts:
        groups = np.broadcast_to(np.arange(shape[1]), shape)
    else:  # scores of different algorithms are ranked together
        axes = [rows[role].codes for role in KEYS if role in rows and role != "algorithm"]
        number = np.zeros(shape[0], dtype=np.int64)
        for codes in axes if known.is_long else ():
            number = number * (int(codes.max()) + 1) + codes
        number = number if known.is_long else np.arange(shape[0])
        groups = np.broadcast_to(number[:, np.newaxis], shape)
    found = _tables.deviations_of(
        known.table,
        known.scores,
        groups,
        labels=label,
        brackets=reading.brackets,
        direction=reading.direction,
    )
    return found.values, tuple(Note(code, text) for code, text in found.notes)


def _check_ends(
    table: RawTable, ends: Sequence[str], values: Sequence[FloatArray], label: str | None
) -> None:
    lower, upper = values[0], values[-1]
    half = np.flatnonzero(np.isnan(lower) != np.isnan(upper))
    if half.size:
        row = int(half[0])
        empty = ends[0] if np.isnan(lower[row]) else ends[1]
        raise DataError(
            f"{table.cell(row, empty, label)} must be a number; the cell is empty though the other "
            "end of the interval is given."
        )
    crossed = np.flatnonzero(lower > upper)
    if crossed.size:
        row = int(crossed[0])
        raise DataError(
            f"{table.cell(row, ends[0], label)} must not exceed the upper end; got {lower[row]!s} "
            f"above {upper[row]!s}."
        )


# ------------------------------------------------------------------------------- placing


def _side_by_side(
    table: RawTable, values: Sequence[FloatArray], rows: _Axis, columns: _Axis, reading: Reading
) -> Cells | None:
    """Return columns of algorithms, each row a data set, as they are; None if others are there."""
    if len(rows.labels) < table.n_rows or len(columns.labels) < len(values):
        return None
    if reading.cutoff is not None:
        return None
    array = _places.side_by_side(values, are_own=table.is_own)
    algorithms = check_labels(columns.labels, "algorithm names")
    return Cells(tuple(rows.labels), algorithms, ("1",), array, array)


_Axes = tuple[_Axis, _Axis, _Axis, _Axis]


def _placed(
    known: Understanding,
    reading: Reading,
    values: Sequence[FloatArray],
    upper: FloatArray | None,
    rows: Mapping[str, _Axis],
    columns: Mapping[str, _Axis],
    failed: BoolArray | None,
    maximized: BoolArray,
) -> tuple[Cells, _Axes, str]:
    """Place every score by its labels, of which rows and columns say some each."""
    table, n_columns = known.table, len(values)
    axes = []
    for role in KEYS:
        axis = columns.get(role) or rows.get(role) or _Axis(np.zeros(table.n_rows, dtype=np.int32))
        codes = axis.codes
        if n_columns > 1 or role in columns:
            by_column = role in columns
            codes = np.tile(codes, table.n_rows) if by_column else np.repeat(codes, n_columns)
        axes.append(_Axis(codes, axis.labels))
    low = values[0] if n_columns == 1 else np.stack(values, axis=1).ravel()
    high, sentence = low if upper is None else upper, ""
    if failed is not None or reading.cutoff is not None:
        of_cells = None if failed is None else np.repeat(failed, n_columns)
        codes = axes[0].codes.astype(np.int64)
        settled = _failures.settled(low, of_cells, codes, reading, maximized)
        kept, sentence = np.flatnonzero(settled.kept), settled.sentence
        if not kept.size:
            raise ValueError("`failed` must leave a data set; 'drop' leaves none.")
        low = high = settled.values[kept]
        axes = [axis.part(kept) for axis in axes] if kept.size < len(settled.values) else axes
    places = tuple(axis.codes for axis in axes)
    shape = tuple(len(axis.labels) for axis in axes)
    place = _by_labels if _places.is_dense(shape, len(low)) else _by_order
    placed = place(table, places, shape, low, high)
    if placed is None:
        raise _scored_twice(known, axes, n_columns)
    labels = [
        tuple(check_labels(axis.labels, f"{NOUNS[role][:-1]} names"))
        for role, axis in zip(KEYS, axes, strict=True)
    ]
    cells = Cells(
        labels[0],
        labels[1],
        labels[2],
        placed[0],
        placed[1],
        runs=labels[3],
        run_codes=placed[2],
    )
    return cells, (axes[0], axes[1], axes[2], axes[3]), sentence


_Placed = tuple[FloatArray, FloatArray, IntArray | None]


def _by_labels(
    table: RawTable,
    codes: Sequence[Codes],
    shape: tuple[int, ...],
    lower: FloatArray,
    upper: FloatArray,
) -> _Placed | None:
    """Place each score at its labels; None if two have the same."""
    low = _places.placed(shape, codes, lower, are_own=table.is_own)
    n_scores = low.size
    filled = ~np.isnan(low)
    if not filled.all():
        n_scores = int(np.count_nonzero(filled))
    if n_scores < len(lower) and not _places.all_differ(codes, shape):
        return None
    if low.size > 100 * n_scores:
        n_runs = max(1, int(filled.sum(axis=3).max()))
        _refuse_nearly_empty(table, (*shape[:3], n_runs), n_scores)
    return low, low if upper is lower else _places.placed(shape, codes, upper), None


def _by_order(
    table: RawTable,
    codes: Sequence[Codes],
    shape: tuple[int, ...],
    lower: FloatArray,
    upper: FloatArray,
) -> _Placed | None:
    """Place the scores of each cell in the order of their runs; None if two have the same run."""
    rows = _places.in_order(codes, shape)
    if rows.repeats.any():
        return None
    filled = ~np.isnan(lower)
    run = _places.positions_in_cells(rows, filled)[filled]
    shape = (*shape[:3], 1 + int(run.max(initial=0)))
    _refuse_nearly_empty(table, shape, len(run))
    there = [code[filled] for code in codes]
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
    """Return the doubt about two rows with the score of the same run."""
    first, second = _alike([axis.codes for axis in axes]) or (0, 0)
    what = {
        role: axis.labels[int(axis.codes[first])]
        for role, axis in zip(KEYS, axes, strict=True)
        if role in known.roles or role in known.parts
    }
    return _twice(known, first // n_columns, second // n_columns, what)


def _refuse_repeated_rows(known: Understanding, rows: Mapping[str, _Axis]) -> None:
    """Refuse two rows of a wide table with the same labels."""
    if known.is_long or not rows:
        return
    found = _alike([axis.codes for axis in rows.values()])
    if found is not None:
        what = {role: axis.labels[int(axis.codes[found[0]])] for role, axis in rows.items()}
        raise _twice(known, *found, what)


def _alike(codes: Sequence[Codes]) -> tuple[int, int] | None:
    """Return two rows with the same codes, the first one first; None if there are none."""
    order = np.lexsort(codes[::-1])
    same = np.all([code[order][1:] == code[order][:-1] for code in codes], axis=0)
    if not same.any():
        return None
    at = int(np.argmax(same))
    first, second = sorted((int(order[at]), int(order[at + 1])))
    return first, second


def _twice(known: Understanding, first: int, second: int, what: Mapping[str, str]) -> Unsettled:
    """Return the doubt about two rows of the same labels, with columns that may tell them apart."""
    table = known.table
    told = ", ".join(f"{role} {shown(label)}" for role, label in what.items())
    lacking = [r for r in ("run", "fold") if r not in known.roles and r not in known.parts]
    kinds = ("identifies", "another", "scores")
    facts, ways = Facts(table), list[Way]()
    for use in known.uses:
        if "dataset" not in what and use.use.startswith(("identifies", "describes")):
            ways.append({"dataset": use.name})
        if use.use.startswith(kinds) and facts.may_label(use.name):
            ways += [{role: use.name} for role in lacking]
    steps = [n for n in called("evaluations", table.columns) if not table.is_text(n)]
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
    rows = f"rows {table.row_number(first)} and {table.row_number(second)}"
    score = "scores" if not known.is_long else "score"
    return Unsettled(f"{table.source}: {rows} both hold the {score} of {told}.", ways, remedy)
