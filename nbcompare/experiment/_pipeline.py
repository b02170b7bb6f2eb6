"""The way of a parsed table to its cells: filter, infer, arrange, check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from nbcompare import _tables
from nbcompare._tables import RawTable
from nbcompare._tables.doubt import Unsettled
from nbcompare._validation import DataError, check_name
from nbcompare.experiment import _long, _wide
from nbcompare.experiment._arrange import Cells, arrange
from nbcompare.experiment._checks import DOUBTFUL, checked
from nbcompare.experiment._columns import Columns, Understanding, examples
from nbcompare.experiment._doubt import explained
from nbcompare.experiment._facts import rows_with
from nbcompare.experiment._reading import Reading, Source
from nbcompare.experiment._schema import ColumnUse

_Said = TypeVar("_Said", bound=Reading)


def cells_of(source: Source) -> Cells:
    """Return the cells of a table, or say what to type; see :mod:`nbcompare.experiment._doubt`."""
    try:
        return _attempt(source)
    except Unsettled as doubt:
        raise explained(doubt, source, _doubts) from None


def infer(table: RawTable, reading: Reading) -> Understanding:
    """Say what each column of a table is: roles, descriptions, settings, measures.

    Every column plays a role, is proven irrelevant, or is named by the caller; otherwise reading
    stops. Names of columns propose roles; whether a column can play one, and whether it may be
    left out, is decided by its cells alone.

    Raises
    ------
    Unsettled
        If a column is not accounted for, or two may play one role.
    """
    columns = Columns(table, reading)
    if _long.is_long(columns):
        return columns.understood(_long.account(columns), {}, is_long=True)
    return columns.understood(*_wide.account(columns), is_long=False)


def understood(
    table: RawTable, reading: _Said, infer: Callable[[RawTable, _Said], Understanding]
) -> Understanding:
    """Return what the columns of a table are, after filters, as ``infer`` finds it out."""
    if not table.columns:
        raise DataError(f"{table.source} has no columns.")
    if {"params", "mean_fit_time"} <= table.columns.keys():
        raise DataError(
            f"{table.source} holds the settings of a search (cv_results_ of scikit-learn), tried "
            "on one data set. Experiment.from_sklearn takes the search; to compare algorithms, "
            "make a table with the column mean_test_score of each data set and algorithm."
        )
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows, so there is nothing to compare.")
    table = table.edited(reading.edits)
    reading.check_failures()
    for argument in ("ignore", "keep"):
        for name in getattr(reading, argument):
            if argument == "ignore" or not reading.named().keys() & {"algorithm", "score"}:
                check_name(name, argument, tuple(table.columns))
    # what is no column may be a part of the names of columns
    of_rows = {
        name: labels
        for name, labels in reading.where.items()
        if name in table.columns or not (table.levels or name in reading.parts)
    }
    part = rows_with(table, of_rows).without(reading.ignore)
    known = infer(_with_numbers(part, reading), reading)
    left_out = (name for name in table.columns if name in reading.ignore)
    uses = [ColumnUse(name, examples(table, name), "left out, as asked") for name in left_out]
    known = replace(known, n_rows=table.n_rows, uses=(*known.uses, *uses))
    doubt = _tables.doubtful_thousands(part, known.scores)
    if doubt is not None:
        raise doubt
    return known


def _with_numbers(table: RawTable, reading: Reading) -> RawTable:
    """Return the table with the numbers of scores that say more, such as 0.76 ± 0.02."""
    named = reading.named()
    ends = {name for end in ("lower", "upper") for name in named.get(end, (end,))}
    no_scores = {label.casefold() for label in reading.label_columns} | {"", *ends}
    text = _tables.PLAIN
    if reading.missing_words:
        text = replace(text, missing=_tables.missing_with(reading.missing_words))
        table = _tables.without_words(table, no_scores, text.missing)
    return _tables.with_printed(table, no_scores, text)


def _attempt(source: Source) -> Cells:
    known = understood(source.table, source.reading, infer)
    return checked(arrange(known, source.reading), known, source.reading)


def _doubts(source: Source) -> set[str]:
    """Return the codes of the notes that doubt a reading, which must give an experiment."""
    cells = _attempt(source)
    there = ~np.isnan(cells.lower)
    if not (there.any(axis=(1, 2, 3)).all() and there.any(axis=(0, 2, 3)).all()):
        raise DataError("every data set and algorithm must have at least one score.")
    return {note.code for note in cells.notes} & DOUBTFUL
