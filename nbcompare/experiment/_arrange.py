"""Cells of a table whose columns are understood, arranged as ``[dataset, algorithm, fold, run]``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nbcompare import _tables
from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note
from nbcompare._tables import Codes, RawTable, natural_order, sorted_codes
from nbcompare._tables.doubt import Unsettled, Way
from nbcompare._validation import DataError, Distinct, check_labels, check_name, listed, shown
from nbcompare.experiment import _failures, _places
from nbcompare.experiment._directions import beside
from nbcompare.experiment._facts import Facts
from nbcompare.experiment._infer import Understanding
from nbcompare.experiment._reading import KEYS, Reading
from nbcompare.experiment._roles import NAMES, NOUNS, bare
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


@dataclass(slots=True)
class _Axis:
    """The labels of one role, and the number of that of each score."""

    codes: Codes
    labels: list[str] = field(default_factory=lambda: ["1"])


def arrange(known: Understanding, reading: Reading) -> Cells:
    """Return the scores of a table by data set, algorithm, fold and run."""
    table = _rows_that_are_asked_for(known, reading)
    known = replace(known, table=table)
    columns = list(known.scores)
    if not known.is_long:
        columns = _columns_that_are_asked_for(known, reading)
        known = _with_columns(known, columns)
    label = _label(known)
    table = replace(table, ignorable=("row", "column") if not known.is_long else ("data set",))
    table = table.with_numbers(columns)
    values = _numbers(table, columns, label)
    failed = _failures.failed_rows(table, reading, known.roles.get("status", (None,))[0])
    if known.is_long:
        return _of_rows(table, known, reading, values, failed)
    return _of_columns(table, known, reading, values, failed)


def _label(known: Understanding) -> str | None:
    """Return the column whose labels errors repeat."""
    roles = ("algorithm",) if "dataset" in known.parts else ("dataset", "algorithm", "fold", "run")
    return next((known.roles[role][0] for role in roles if role in known.roles), None)


# ------------------------------------------------------------------ what is asked for


def _rows_that_are_asked_for(known: Understanding, reading: Reading) -> RawTable:
    table = known.table
    wide = not known.is_long
    rows = np.ones(table.n_rows, dtype=np.bool_)
    in_rows = {"algorithms": "algorithm", "datasets": "dataset"}
    label_role = "algorithm" if "dataset" in known.parts else "dataset"
    if label_role not in known.roles and wide:
        label_role = next((role for role in ("fold", "run") if role in known.roles), label_role)
    for argument, role in (
        *in_rows.items(),
        ("ignore_rows", label_role),
        ("keep_rows", label_role),
    ):
        wanted = getattr(reading, argument)
        if not wanted or (argument in in_rows and role in known.parts):
            continue
        if role not in known.roles:
            if wide:
                labels = [str(table.row_number(row)) for row in range(table.n_rows)]
                codes = np.arange(table.n_rows)
            else:
                raise ValueError(
                    f"`{argument}` must name {NOUNS[role]}; {table.source} has no column of "
                    f"{NOUNS[role]}, so {shown(wanted[0])} is none."
                )
        else:
            axis = _axis_of_rows(table, known.roles[role])
            codes, labels = axis.codes, axis.labels
        for name in wanted:
            check_name(name, argument, tuple(labels))
        if argument == "keep_rows":
            continue
        there = np.isin(codes, [labels.index(name) for name in wanted])
        rows &= ~there if argument == "ignore_rows" else there
        if not rows.any():
            raise ValueError(
                f"`{argument}` must leave at least one row of {table.source}; got "
                f"{listed(wanted)}."
            )
    return table if rows.all() else table.part(np.flatnonzero(rows))


def _columns_that_are_asked_for(known: Understanding, reading: Reading) -> list[str]:
    for argument, role in (("algorithms", "algorithm"), ("datasets", "dataset")):
        wanted = getattr(reading, argument)
        if wanted is None or role not in known.parts:
            continue
        for name in wanted:
            check_name(name, argument, tuple(dict.fromkeys(known.parts[role])))
        return [n for n, of in zip(known.scores, known.parts[role], strict=True) if of in wanted]
    return list(known.scores)


def _with_columns(known: Understanding, columns: Sequence[str]) -> Understanding:
    if len(columns) == len(known.scores):
        return known
    there = [name in columns for name in known.scores]
    parts = {
        role: tuple(label for label, is_in in zip(labels, there, strict=True) if is_in)
        for role, labels in known.parts.items()
    }
    return replace(known, scores=tuple(columns), parts=parts)


# ------------------------------------------------------------------------- numbers and axes


def _numbers(table: RawTable, columns: Sequence[str], label: str | None) -> list[FloatArray]:
    names_rows: list[Way] = [{"dataset": columns[0]}] if label is None else []
    found = [
        table.numbers(name, label, () if place else names_rows)
        for place, name in enumerate(columns)
    ]
    table.refuse_mixed_percents(columns, label, names_rows)
    return found


def _axis_of_rows(table: RawTable, names: Sequence[str], *, is_sorted: bool = False) -> _Axis:
    """Return the labels that columns give each row; those of several columns are joined."""
    if not names:
        return _Axis(np.zeros(table.n_rows, dtype=np.int32))
    if len(names) == 1:
        coded = sorted_codes(table, names[0]) if is_sorted else table.compact_labels(names[0])
        return _Axis(coded[0], list(coded[1]))
    group = Facts(table).group(names)
    _, first, codes = np.unique(group, return_index=True, return_inverse=True)
    columns = [table.labels(name) for name in names]
    labels = [" / ".join(column[row] for column in columns) for row in first.tolist()]
    order = np.argsort(first)
    if is_sorted:
        keys = natural_order(labels)
        order = np.array(sorted(range(len(labels)), key=keys.__getitem__))
    place = np.empty(len(labels), dtype=np.int64)
    place[order] = np.arange(len(labels))
    return _Axis(place[codes], [labels[i] for i in order.tolist()])


def _blanks(table: RawTable, known: Understanding, axes: Sequence[_Axis]) -> list[Note]:
    """Return notes on labels that differed in white space alone."""
    found = []
    for role, axis in zip(KEYS, axes, strict=True):
        names = known.roles.get(role, ())
        if len(names) == 1 and table.is_text(names[0]):
            written = {cell for cell in table.cells(names[0]) if isinstance(cell, str)}
            if len(written) > len(axis.labels):
                found.append(
                    Note(
                        "blanks",
                        f"Some {NOUNS[role]} differ in white space alone, and were taken for the "
                        "same.",
                    )
                )
    return found


def _axis_of_columns(labels: Sequence[str], *, is_sorted: bool = False) -> _Axis:
    distinct = list(dict.fromkeys(labels))
    if is_sorted:
        keys = dict(zip(distinct, natural_order(distinct), strict=True))
        distinct.sort(key=keys.__getitem__)
    place = {label: i for i, label in enumerate(distinct)}
    return _Axis(np.array([place[label] for label in labels]), distinct)


# ---------------------------------------------------------------------------- a row per score


def _of_rows(
    table: RawTable,
    known: Understanding,
    reading: Reading,
    values: list[FloatArray],
    failed: BoolArray | None,
) -> Cells:
    roles = known.roles
    axes = [
        _axis_of_rows(table, roles.get(role, ()), is_sorted=role in ("fold", "run"))
        for role in KEYS
    ]
    label = _label(known)
    _check_ends(table, known.scores, values, label)
    lower, upper = values[0], values[-1]
    lower, axes, table, sentence = _without_failures(lower, axes, table, failed, reading)
    if sentence or upper is values[0]:
        upper = lower
    codes = tuple(axis.codes for axis in axes)
    shape = tuple(len(axis.labels) for axis in axes)
    place = _by_labels if _places.is_dense(shape, len(lower)) else _by_order
    placed = place(table, codes, shape, lower, upper)
    if placed is None:
        raise _scored_twice(table, known, codes)
    low, high, run_codes = placed
    spread, notes = _deviations_of_rows(table, known, reading, codes, low.shape)
    measure = known.scores[0] if len(known.scores) == 1 else None
    made = Cells(
        Distinct(axes[0].labels),
        Distinct(axes[1].labels),
        Distinct(axes[2].labels),
        low,
        high,
        None if measure is None or measure.casefold() == "score" else measure,
        runs=Distinct(axes[3].labels),
        run_codes=run_codes,
        **beside(table, reading, known.roles, codes[0], axes[0].labels),
        deviations=spread,
        notes=(*notes, *_notes(table, known, sentence), *_blanks(table, known, axes)),
    )
    return _in_order(_finished(made, known, reading, sentence), reading)


def _without_failures(
    values: FloatArray,
    axes: list[_Axis],
    table: RawTable,
    failed: BoolArray | None,
    reading: Reading,
) -> tuple[FloatArray, list[_Axis], RawTable, str]:
    """Return scores and their labels after what is said of failed runs."""
    if failed is None and reading.cutoff is None:
        return values, axes, table, ""
    settled = _failures.settled(values, failed, axes[0].codes.astype(np.int64), reading)
    if settled.kept.all():
        return settled.values, axes, table, settled.sentence
    rows = np.flatnonzero(settled.kept)
    if not rows.size:
        raise ValueError("`failed` must leave a data set; with 'drop', every one has a failed run.")
    kept = []
    for axis in axes:
        used, codes = np.unique(axis.codes[rows], return_inverse=True)
        kept.append(_Axis(codes, [axis.labels[int(code)] for code in used]))
    return settled.values[rows], kept, table.part(rows), settled.sentence


def _notes(table: RawTable, known: Understanding, sentence: str) -> list[Note]:
    found = [Note(code, text) for code, text in (*table.notes, *known.notes)]
    return [*found, *([Note("failed-runs", sentence)] if sentence else [])]


def _finished(cells: Cells, known: Understanding, reading: Reading, sentence: str) -> Cells:
    """Return the cells with the record of how they were understood."""
    schema = Schema(
        source=known.table.source,
        layout="long" if known.is_long else "wide",
        roles=known.roles,
        parts=known.parts,
        scores=known.scores,
        columns=known.uses,
        where=dict(reading.where),
        n_rows=known.n_rows,
        n_kept=known.table.n_rows,
        sizes={
            role: size
            for role, size in zip(KEYS, cells.lower.shape, strict=True)
            if size > 1 or role in ("dataset", "algorithm")
        },
        left_out=(sentence,) if sentence else (),
    )
    return replace(cells, schema=schema, cutoff=reading.cutoff)


def _deviations_of_rows(
    table: RawTable,
    known: Understanding,
    reading: Reading,
    codes: Sequence[Codes],
    shape: tuple[int, ...],
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    """Return the standard deviations by data set and algorithm, if they have single scores."""
    if known.scores[0] not in table.beside:
        return None, ()
    dataset, algorithm, fold, run = (code.astype(np.int64) for code in codes)
    blocks = (dataset * (fold.max() + 1) + fold) * (run.max() + 1) + run
    spread, notes = _deviations(
        table, [known.scores[0]], blocks[:, np.newaxis], _label(known), reading
    )
    if spread is None:
        return None, notes
    if shape[2] * shape[3] > 1:
        return None, (*notes[:-1], _LEFT_OUT)
    placed = np.full(shape[:2], np.nan)
    placed[dataset, algorithm] = spread[:, 0]
    return placed, notes


def _deviations(
    table: RawTable, names: Sequence[str], groups: IntArray, label: str | None, reading: Reading
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    found = _tables.deviations_of(
        table,
        names,
        groups,
        labels=label,
        brackets=reading.brackets,
        direction=reading.direction,
    )
    return found.values, tuple(Note(code, text) for code, text in found.notes)


def _check_ends(
    table: RawTable, ends: Sequence[str], values: Sequence[FloatArray], label: str | None
) -> None:
    if len(ends) < 2:
        return
    lower, upper = values
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


def _scored_twice(table: RawTable, known: Understanding, codes: Sequence[Codes]) -> Unsettled:
    """Return the doubt about two rows with the score of the same run."""
    order = np.lexsort(codes[::-1])
    same = np.all([code[order][1:] == code[order][:-1] for code in codes], axis=0)
    at = int(np.argmax(same))
    one, two = sorted((int(order[at]), int(order[at + 1])))
    what = ", ".join(
        f"{role} {' / '.join(map(shown, (table.labels(name)[one] for name in known.roles[role])))}"
        for role in KEYS
        if role in known.roles
    )
    rows = f"rows {table.row_number(one)} and {table.row_number(two)}"
    lacking = [role for role in ("run", "fold") if role not in known.roles]
    ways = [
        {role: use.name}
        for use in known.uses
        if use.use.startswith(("identifies", "describes the algorithm", "another"))
        for role in lacking
    ]
    dataset = [] if "dataset" in known.roles else [{"dataset": use.name} for use in known.uses]
    return Unsettled(
        f"{table.source}: {rows} both hold the score of {what}.",
        [*dataset, *ways],
        _remedy_for_repeats(table, known, lacking),
    )


def _remedy_for_repeats(table: RawTable, known: Understanding, lacking: Sequence[str]) -> str:
    steps = [
        use.name
        for use in known.uses
        if bare(use.name) in NAMES["evaluations"] and not table.is_text(use.name)
    ]
    if steps:
        return (
            f"If these are logs of optimisers, a row for each value of {steps[0]!r}, "
            "Histories.read(path) reads them."
        )
    if not lacking:
        return "Take out one of them."
    return (
        "Delete the row if it is a copy; if runs were repeated, number them in a column "
        f"{lacking[0]!r}."
    )


# ------------------------------------------------------------------------- columns of scores


def _of_columns(
    table: RawTable,
    known: Understanding,
    reading: Reading,
    values: list[FloatArray],
    failed: BoolArray | None,
) -> Cells:
    roles, parts = known.roles, known.parts
    by_row: dict[str, _Axis] = {}
    by_column: dict[str, _Axis] = {}
    for role in KEYS:
        is_sorted = role in ("fold", "run")
        if role in parts:
            by_column[role] = _axis_of_columns(parts[role], is_sorted=is_sorted)
        elif role in roles:
            by_row[role] = _axis_of_rows(table, roles[role], is_sorted=is_sorted)
    if not by_row.keys() & {"dataset", "fold", "run", "algorithm"} and table.n_rows > 1:
        numbers = [str(table.row_number(row)) for row in range(table.n_rows)]
        missing = "dataset" if "dataset" not in parts else "algorithm"
        by_row[missing if missing not in parts else "run"] = _Axis(np.arange(table.n_rows), numbers)
    elif "dataset" not in {**by_row, **by_column} and table.n_rows == 1:
        by_row["dataset"] = _Axis(np.zeros(1, dtype=np.int64))
    _refuse_repeated_rows(table, known, by_row)
    label = _label(known)
    groups = np.broadcast_to(
        np.arange(len(values)) if "dataset" in parts else np.arange(table.n_rows)[:, np.newaxis],
        (table.n_rows, len(values)),
    )
    spread, notes = _deviations(table, known.scores, groups, label, reading)
    nothing_failed = failed is None and reading.cutoff is None
    if by_row.keys() == {"dataset"} and by_column.keys() == {"algorithm"} and nothing_failed:
        distinct = len(by_row["dataset"].labels) == table.n_rows
        if distinct and len(by_column["algorithm"].labels) == len(values):
            array = _places.side_by_side(values, are_own=table.is_own)
            made = Cells(
                Distinct(by_row["dataset"].labels),
                Distinct(check_labels(by_column["algorithm"].labels, "algorithm names")),
                ("1",),
                array,
                array,
                deviations=spread,
                notes=(*notes, *_notes(table, known, "")),
                **beside(
                    table, reading, roles, by_row["dataset"].codes, by_row["dataset"].labels
                ),
            )
            return _in_order(_finished(made, known, reading, ""), reading)
    return _melted(table, known, reading, values, failed, by_row, by_column, spread, notes)


def _melted(
    table: RawTable,
    known: Understanding,
    reading: Reading,
    values: list[FloatArray],
    failed: BoolArray | None,
    by_row: Mapping[str, _Axis],
    by_column: Mapping[str, _Axis],
    spread: FloatArray | None,
    notes: Iterable[Note],
) -> Cells:
    """Arrange scores of which rows and columns say the labels, each some of them."""
    n_rows, n_columns = table.n_rows, len(values)
    axes = []
    for role in KEYS:
        if role in by_column:
            axis = by_column[role]
            axes.append(_Axis(np.tile(axis.codes, n_rows), axis.labels))
        elif role in by_row:
            axis = by_row[role]
            axes.append(_Axis(np.repeat(axis.codes, n_columns), axis.labels))
        else:
            axes.append(_Axis(np.zeros(n_rows * n_columns, dtype=np.int32)))
    flat = np.stack(values, axis=1).ravel()
    of_cells = None if failed is None else np.repeat(failed, n_columns)
    table_of_cells = table
    flat, axes, _, sentence = _without_failures(flat, axes, _Rowless(table), of_cells, reading)
    codes = tuple(axis.codes for axis in axes)
    shape = tuple(len(axis.labels) for axis in axes)
    if not _places.all_differ(codes, shape):
        raise DataError(
            f"{table.source}: two cells hold the score of the same algorithm, data set, fold and "
            "run. Name the columns that tell them apart."
        )
    placed = _by_order(table_of_cells, codes, shape, flat, flat)
    if placed is None:
        raise DataError(f"{table.source}: two cells hold the score of the same run.")
    low, _, run_codes = placed
    deviations = None
    if spread is not None and shape[2] * shape[3] == 1:
        deviations = np.full(shape[:2], np.nan)
        deviations[codes[0], codes[1]] = spread.ravel()
    told = list(notes) if spread is None or deviations is not None else [*notes, _LEFT_OUT]
    facts = {}
    if "dataset" in by_row and not sentence:
        facts = beside(table, reading, known.roles, by_row["dataset"].codes, axes[0].labels)
    elif isinstance(reading.domain, Mapping):
        facts = beside(table, reading, {}, np.arange(shape[0]), axes[0].labels)
    made = Cells(
        tuple(check_labels(axes[0].labels, "data set names")),
        tuple(check_labels(axes[1].labels, "algorithm names")),
        tuple(axes[2].labels),
        low,
        low,
        runs=tuple(axes[3].labels),
        run_codes=run_codes,
        deviations=deviations,
        notes=(*told, *_notes(table, known, sentence)),
        **facts,
    )
    return _in_order(_finished(made, known, reading, sentence), reading)


class _Rowless:
    """Stands for a table of which rows are no scores, so that no row of it can be left out."""

    def __init__(self, table: RawTable) -> None:
        self.source = table.source

    def part(self, rows: IntArray) -> _Rowless:
        """Return itself."""
        return self


def _refuse_repeated_rows(
    table: RawTable, known: Understanding, by_row: Mapping[str, _Axis]
) -> None:
    """Refuse two rows of a wide table with the same labels."""
    if not by_row:
        return
    codes = [axis.codes for axis in by_row.values()]
    order = np.lexsort(codes[::-1])
    same = np.all([code[order][1:] == code[order][:-1] for code in codes], axis=0)
    if not same.any():
        return
    at = int(np.argmax(same))
    one, two = sorted((int(order[at]), int(order[at + 1])))
    what = ", ".join(f"{role} {shown(axis.labels[int(axis.codes[one])])}"
                     for role, axis in by_row.items())  # fmt: skip
    lacking = [
        role for role in ("run", "fold") if role not in by_row and role not in known.parts
    ]
    others = [use.name for use in known.uses if use.use.startswith(("identifies", "scores"))]
    ways = [{role: name} for name in others for role in lacking if Facts(table).may_label(name)]
    raise Unsettled(
        f"{table.source}: rows {table.row_number(one)} and {table.row_number(two)} both hold the "
        f"scores of {what}.",
        ways,
        _remedy_for_repeats(table, known, lacking),
    )


# --------------------------------------------------------------------------------- in order


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
