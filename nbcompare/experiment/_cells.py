"""Cells of a table of scores, as they stand there and as they are arranged.

Which columns are none, words for a gap, numbers beside a score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nbcompare import _tables
from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._render import Note
from nbcompare._tables import RawTable
from nbcompare.experiment._reading import Reading

_ENDS = ("lower", "upper")
LEFT_OUT = Note(
    "deviations-left-out",
    "Standard deviations beside the scores of folds or runs were left out.",
)


@dataclass(frozen=True, slots=True)
class Cells:
    """Labelled scores; ``lower is upper`` unless they are intervals.

    The fields are those of an :class:`~nbcompare.Experiment`; ``higher_is_better`` says of each
    data set what the table says, if it says so; ``named_by`` is the column with the names of the
    data sets, None if there is none.
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
    named_by: str | None = None


def with_numbers(table: RawTable, reading: Reading) -> RawTable:
    """Return the table without a saved index, and with the numbers of scores that say more."""
    named = reading.columns
    labels = {label.casefold() for label in reading.label_columns}
    table = _tables.without_saved_index(table, tuple(named.values()), labels)
    no_scores = {*labels, "", *(named.get(end, end) for end in _ENDS)}
    if reading.missing_words:
        missing = _tables.missing_with(reading.missing_words)
        table = _tables.without_words(table, no_scores, missing)
        text = replace(_tables.PLAIN, missing=missing)
    else:
        text = _tables.PLAIN
    return _tables.with_printed(table, no_scores, text)


def deviations(
    table: RawTable, names: list[str], groups: IntArray, label: str | None, reading: Reading
) -> tuple[FloatArray | None, tuple[Note, ...]]:
    """Return the standard deviations in columns of scores, and notes on them.

    Parameters
    ----------
    table : RawTable
        As :func:`with_numbers` returns it.
    names : list of str
        The columns of scores.
    groups : ndarray of int, shape (n_rows, n_names)
        Scores with the same number are ranked together.
    label : str or None
        The column whose label an error repeats.
    reading : Reading
        What the caller says of the table.
    """
    found = _tables.deviations_of(
        table,
        names,
        groups,
        labels=label,
        brackets=reading.brackets,
        direction=reading.direction,
    )
    return found.values, as_notes(found.notes)


def as_notes(told: tuple[tuple[str, str], ...]) -> tuple[Note, ...]:
    """Return codes and texts as notes."""
    return tuple(Note(code, text) for code, text in told)


def by_cell(
    values: FloatArray | None, cell: tuple[IntArray, IntArray], shape: tuple[int, ...]
) -> FloatArray | None:
    """Return deviations of rows by data set and algorithm; None if these have several scores."""
    if values is None or shape[2] * shape[3] > 1:
        return None
    placed = np.full(shape[:2], np.nan)
    placed[cell] = values[:, 0]
    return placed
