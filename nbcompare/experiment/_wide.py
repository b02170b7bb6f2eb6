"""Wide tables: a row per data set, or per fold or run of one, and a column per algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from nbcompare._arrays import FloatArray
from nbcompare._render import Note
from nbcompare._tables import RawTable, codes_of, sorted_codes
from nbcompare._validation import DataError, Distinct, check_labels, shown
from nbcompare.experiment import _places
from nbcompare.experiment._cells import LEFT_OUT, Cells, deviations
from nbcompare.experiment._chosen import chosen_columns, chosen_rows
from nbcompare.experiment._header import refuse_scores_as_names
from nbcompare.experiment._reading import Reading
from nbcompare.experiment._repeats import remedy, steps_of
from nbcompare.experiment._roles import holds_words
from nbcompare.experiment._rows import nameless_counter, names_rows
from nbcompare.experiment._sides import Rows, beside
from nbcompare.experiment._summaries import named_summaries
from nbcompare.experiment._suspects import Suspicions

_LONG_ONLY = ("algorithm", "score", "lower", "upper")


def wide(table: RawTable, columns: dict[str, str], reading: Reading) -> Cells:
    """Arrange a table with a column per algorithm, or the other way round.

    Parameters
    ----------
    table : RawTable
        Without the columns to leave out.
    columns : dict of str to str
        The columns that name the rows, and all others with a role, by role.
    reading : Reading
        What the caller says of the table.
    """
    rows_are, columns_are = ("datasets", "algorithms")[:: -1 if reading.transpose else 1]
    label = columns.get(rows_are.removesuffix("s"))
    row_label = label or columns.get("fold") or columns.get("run") or label
    left_out = (*columns.values(), table.index, *nameless_counter(table, columns))
    names = [name for name in table.columns if name not in left_out]
    if not names:
        raise DataError(
            f"{table.source} has no column of scores{'' if not label else f' beside {label!r}'}."
            + (" Cells must be separated by a comma, a semicolon or a tab." if table.text else "")
        )
    asked = getattr(reading, columns_are)
    names = chosen_columns(names, asked, columns_are)
    settled = names if asked is not None else reading.keep
    _refuse_other_columns(table, names, settled, label, reading.missing_words)
    refuse_scores_as_names(table, names, settled)
    if row_label is None:
        labels, repeated = [str(table.row_number(row)) for row in range(table.n_rows)], False
    else:
        codes, labels = table.compact_labels(row_label)
        repeated = len(labels) < len(codes)
        labels = table.labels(row_label) if repeated else labels
    table = replace(table, ignorable=("row", "column"))
    table, labels = chosen_rows(table, labels, reading, rows_are)
    table = table.with_numbers(names)
    sure_rows = labels if getattr(reading, rows_are) is not None else reading.keep_rows
    first = names[0]
    hint = "" if row_label is not None else names_rows(first)
    _refuse_written_summaries(table, labels, names, sure_rows, row_label)
    values = _places.side_by_side(
        [table.numbers(name, row_label, hint if name == first else "") for name in names],
        are_own=table.is_own,
    )
    scores = values[:, :, 0, 0]
    table.refuse_mixed_percents(names, row_label, hint)
    of_row = np.arange(table.n_rows)[:, np.newaxis]
    groups = np.broadcast_to(np.arange(len(names)) if reading.transpose else of_row, scores.shape)
    spread, told = deviations(table, names, groups, row_label, reading)
    check_labels(names, "algorithm names" if not reading.transpose else "data set names")
    found = Suspicions(table.source, reading.transpose)
    if reading.transpose:
        notes = found.notes(names, labels, scores.T, settled, sure_rows)
    else:
        notes = found.notes(labels, names, scores, sure_rows, settled)
    notes = (*told, *notes)
    if not {"fold", "run"} & columns.keys():
        if repeated and row_label is not None:
            _refuse_repeated_rows(table, labels, row_label, reading.transpose)
        if reading.transpose:
            values = values.transpose(1, 0, 2, 3)
        datasets, algorithms = (names, labels)[:: 1 if reading.transpose else -1]
        rows = Rows(np.arange(len(datasets)), datasets, None if reading.transpose else label)
        if spread is not None and reading.transpose:
            spread = spread.T
        return Cells(
            Distinct(datasets),
            Distinct(algorithms),
            ("1",),
            values,
            values,
            deviations=spread,
            notes=notes,
            named_by=rows.column,
            **beside(table, reading, {} if reading.transpose else columns, rows),
        )
    if spread is not None:
        notes = (*notes, LEFT_OUT)
    return _with_folds(table, columns, reading, names, scores, notes)


def _with_folds(
    table: RawTable,
    columns: dict[str, str],
    reading: Reading,
    names: Sequence[str],
    scores: FloatArray,
    notes: tuple[Note, ...],
) -> Cells:
    """Arrange rows of which each has the scores of one fold or run."""
    dataset, datasets = codes_of(table, columns.get("dataset"))
    fold, folds = sorted_codes(table, columns.get("fold"))
    run, runs = sorted_codes(table, columns.get("run"))
    rows = np.lexsort((run, fold, dataset))
    place = np.zeros(len(rows), dtype=np.int64)
    for before, row in pairwise(rows):
        if (dataset[before], fold[before]) == (dataset[row], fold[row]):
            place[row] = place[before] + 1
            if run[before] == run[row]:
                _refuse_same_rows(table, columns, int(before), int(row))
    shape = (len(datasets), len(names), len(folds), int(place.max()) + 1)
    lower = np.full(shape, np.nan)
    codes = np.full(shape, -1, dtype=np.int64)
    lower[dataset, :, fold, place] = scores
    codes[dataset, :, fold, place] = np.where(np.isnan(scores), -1, run[:, np.newaxis])
    return Cells(
        tuple(datasets),
        tuple(names),
        tuple(folds),
        lower,
        lower,
        runs=tuple(runs),
        run_codes=codes,
        notes=notes,
        named_by=columns.get("dataset"),
        **beside(table, reading, columns, Rows(dataset, datasets, columns.get("dataset"))),
    )


def _refuse_same_rows(table: RawTable, columns: dict[str, str], one: int, two: int) -> None:
    first, second = sorted((table.row_number(one), table.row_number(two)))
    told = [role for role in ("dataset", "fold", "run") if role in columns]
    what = ", ".join(f"{role} {shown(table.labels(columns[role])[one])}" for role in told)
    lacking = [role for role in ("dataset", "fold", "run") if role not in columns]
    raise DataError(
        f"{table.source}: rows {first} and {second} both hold the scores of {what}. "
        f"{remedy(lacking, steps_of(table, columns.values()))}"
    )


def _refuse_other_columns(
    table: RawTable,
    names: Sequence[str],
    settled: Sequence[str],
    label: str | None,
    missing: Sequence[str],
) -> None:
    """Refuse columns of text, and those that belong to a long table."""
    words = [name for name in names if name not in settled and holds_words(table, name)]
    if words:
        for name in words:
            table.refuse_other_decimal_mark(name)
        texts = table.columns[words[0]]
        there = [row for row, text in enumerate(texts) if text is not None]
        # a word that was said to be missing is not what stands in the way
        cell = next((row for row in there if texts[row] not in missing), there[0])
        rows = "" if label is not None else f", or dataset={words[0]!r} if it names data sets"
        raise DataError(
            f"{table.cell(cell, words[0], label)} must be a number; "
            f"got {shown(table.columns[words[0]][cell])}. Pass ignore={words!r} to leave out "
            f"columns of text{rows}, or missing_words={[table.columns[words[0]][cell]]!r} if it "
            "says that there is no result."
        )
    doubtful = [name for name in names if name.casefold() in _LONG_ONLY and name not in settled]
    if doubtful:
        score = "score= (or lower= and upper=)"
        if doubtful[0].casefold() == "score":
            score = f"score={doubtful[0]!r}"
        raise DataError(
            f"{table.source}: column {doubtful[0]!r} belongs to a long table (a row per score), "
            "or is an algorithm of that name in a wide one. Pass algorithm="
            f"{'' if label is None else repr(label)} and {score} if the table is long, or "
            f"keep=[{doubtful[0]!r}] if it is wide."
        )


def _refuse_written_summaries(
    table: RawTable,
    labels: Sequence[str],
    names: Sequence[str],
    kept: Sequence[str],
    row_label: str | None,
) -> None:
    """Refuse rows at the end that are called like statistics and hold text, such as 7/3/4."""
    count = named_summaries(labels, kept)
    if not count:
        return
    rows = range(len(labels) - count, len(labels))
    texts = [
        (row, name) for row in rows for name in names if isinstance(table.columns[name][row], str)
    ]
    if texts:
        row, name = texts[0]
        last = [labels[row] for row in rows]
        rows_seem = "rows seem" if count > 1 else "row seems"
        raise DataError(
            f"{table.cell(row, name, row_label)} must be a number; "
            f"got {shown(table.columns[name][row])}. The last {rows_seem} to summarise the "
            f"others. Pass ignore_rows={last!r} to leave {'them' if count > 1 else 'it'} out."
        )


def _refuse_repeated_rows(
    table: RawTable, labels: list[str], column: str, transposed: bool
) -> None:
    seen: dict[str, int] = {}
    kind = "algorithm" if transposed else "data set"
    way_out = (
        "Give each a name of its own, or delete the row if it is a copy."
        if transposed
        else remedy(("fold", "run"), steps_of(table, [column]))
    )
    for row, label in enumerate(labels):
        if label in seen:
            raise DataError(
                f"{table.cell(row, column)}: {kind} {shown(label)} is in row "
                f"{table.row_number(seen[label])} already. {way_out}"
            )
        seen[label] = row
