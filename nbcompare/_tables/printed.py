"""Columns of scores as papers print them: ``0.76 ± 0.02``, ``0.763 (4)``.

The number in brackets is a standard deviation or a rank; a sign of plus or minus says itself what
follows it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables.cells import column_of
from nbcompare._tables.columns import Columns, is_number
from nbcompare._tables.decorated import parts_of
from nbcompare._tables.table import Beside, RawTable
from nbcompare._tables.text_format import Column, TextFormat, numeral
from nbcompare._validation import DataError

_HINT = ("±", "+-", "+/-", "\\pm", ")", "$")


class Printed(NamedTuple):
    """A cell of a score and what stands beside it, NaN where nothing does."""

    mean: float
    deviation: float
    inside: float
    is_plain: bool  # whether the number in brackets looks like a count: no fraction, or a sign
    is_percent: bool


def printed(cell: str, text: TextFormat) -> Printed | None:
    """Read a cell with more than a number in it; None if it is another.

    Examples
    --------
    >>> from nbcompare._tables import PLAIN
    >>> printed("0.76 ± 0.02", PLAIN)[:2], printed("12.5% (3)", PLAIN)[::2]
    ((0.76, 0.02), (12.5, 3.0, True))
    >>> printed("iris (3)", PLAIN) is None
    True
    """
    parts = parts_of(cell)
    if parts is None:
        return None
    numbers = [numeral(part, text) if part else None for part in parts]
    if any(
        part and (number is None or number.is_doubtful or number.value != number.value)
        for part, number in zip(parts, numbers, strict=True)
    ):
        return None
    mean, deviation, inside = (np.nan if one is None else one.value for one in numbers)
    if deviation < 0:
        return None
    bare = parts[2].lstrip("+-\u2212")
    return Printed(
        mean,
        deviation,
        inside,
        is_plain=bare != parts[2] or not re.search(rf"[{re.escape(text.decimal)}eE]", bare),
        is_percent=any(one is not None and one.is_percent for one in numbers[:2]),
    )


# ------------------------------------------------------------------------------- columns


def with_printed(table: RawTable, labels: Collection[str], text: TextFormat) -> RawTable:
    """Return the table with scores as numbers, and what stands beside them apart.

    Parameters
    ----------
    table : RawTable
        Columns of text in which most cells are printed scores become columns of numbers. A cell
        that is none stays text, so that whoever reads the column names it.
    labels : collection of str
        Columns that hold labels, or ends of intervals; compared without regard to case.
    text : TextFormat
        How numbers are written, if the table does not say it.
    """
    known = {label.casefold() for label in labels}
    found = {
        name: made
        for name in table.columns
        if name.casefold() not in known
        and (made := _column(table, name, table.text or text)) is not None
    }
    if not found:
        return table
    return replace(
        table,
        columns=Columns(table.columns) | {name: made[0] for name, made in found.items()},
        percents={
            **table.percents,
            **{name: made[1] for name, made in found.items() if made[1].any()},
        },
        beside={name: made[2] for name, made in found.items()},
    )


def without_words(table: RawTable, labels: Collection[str], missing: Collection[str]) -> RawTable:
    """Return a dataframe's table with empty cells for these words, in columns with numbers."""
    known = {label.casefold() for label in labels}
    made = {}
    names = [name for name in table.columns if name.casefold() not in known]
    for name in names if table.text is None else ():
        column = table.columns[name]
        if column.dtype != object:
            continue
        cells = [
            None if isinstance(cell, str) and cell.strip().casefold() in missing else cell
            for cell in column
        ]
        if any(map(is_number, cells)):
            made[name] = column_of(cells)
    return replace(table, columns=dict(table.columns) | made) if made else table


def _column(
    table: RawTable, name: str, text: TextFormat
) -> tuple[Column, BoolArray, Beside] | None:
    coded = table.columns.coded(name) if isinstance(table.columns, Columns) else None
    cells: Any = table.columns[name] if coded is None else coded.cells
    if (coded is None and table.columns[name].dtype != object) or not any(
        isinstance(cell, str) and any(hint in cell for hint in _HINT) for cell in cells
    ):
        return None
    made = [_cell(cell, text) for cell in cells]
    n_printed = sum(isinstance(one, Printed) for one in made)
    n_text = sum(isinstance(one, str) for one in made)
    if not n_printed or n_text > len(made) - n_text - made.count(None):
        return None
    values = np.empty(len(made), dtype=object)
    values[:] = [one.mean if isinstance(one, Printed) else one for one in made]
    if not n_text:
        values = np.array([np.nan if one is None else one for one in values], dtype=np.float64)
    apart = [one if isinstance(one, Printed) else _NOTHING for one in made]
    rows = slice(None) if coded is None else coded.codes
    return (
        values[rows],
        np.array([one.is_percent for one in apart], dtype=np.bool_)[rows],
        Beside(
            np.array([one.deviation for one in apart])[rows],
            np.array([one.inside for one in apart])[rows],
            np.array([one.is_plain for one in apart], dtype=np.bool_)[rows],
            table.columns[name],
        ),
    )


_NOTHING = Printed(np.nan, np.nan, np.nan, is_plain=False, is_percent=False)


def _cell(cell: Any, text: TextFormat) -> Any:
    """Return what was printed, a number, None for a gap, or the text that is none of these."""
    if not isinstance(cell, str):
        return cell
    number = numeral(cell, text)
    if number is None or number.is_doubtful:
        return printed(cell, text) or cell
    if number.value != number.value:
        return None
    return Printed(number.value, np.nan, np.nan, is_plain=False, is_percent=number.is_percent)


# ------------------------------------------------------------------------------ meanings


@dataclass(frozen=True, slots=True)
class Deviations:
    """Standard deviations beside scores, and notes (codes and texts) on how they were read."""

    values: FloatArray | None
    notes: tuple[tuple[str, str], ...]


def deviations_of(
    table: RawTable,
    names: Sequence[str],
    groups: IntArray,
    *,
    labels: str | None,
    brackets: str | None,
    direction: object,
) -> Deviations:
    """Return the standard deviations in columns of scores; settle what stands in brackets.

    Parameters
    ----------
    table : RawTable
        As :func:`with_printed` returns it.
    names : sequence of str
        The columns of scores, which hold numbers.
    groups : ndarray of int, shape (n_rows, n_names)
        Scores with the same number are ranked together.
    labels : str or None
        The column whose label an error repeats.
    brackets : {"std", "rank"} or None
        What the numbers in brackets are; None: found, or an error.
    direction : str, mapping or None
        What is better; a str is the same for all groups.

    Returns
    -------
    Deviations
        ``values`` of shape (n_rows, n_names), NaN where none is; None if there is none at all.
    """
    there = [table.beside.get(name) for name in names]
    if not any(there):
        return Deviations(None, ())
    empty = np.full(table.n_rows, np.nan)
    deviations = np.column_stack([empty if one is None else one.deviation for one in there])
    inside = np.column_stack([empty if one is None else one.inside for one in there])
    notes: tuple[tuple[str, str], ...] = ()
    filled = ~np.isnan(inside)
    if filled.any():
        scores = np.column_stack([table.columns[name].astype(np.float64) for name in names])
        plain = np.column_stack([empty > 0 if one is None else one.is_plain for one in there])
        kind = brackets or _kind(scores, inside, filled & plain, groups, direction)

        def where(cells: BoolArray) -> str:
            row, column = (int(i) for i in np.argwhere(cells)[0])
            score, number = float(scores[row, column]), float(inside[row, column])
            cell = table.cell(row, names[column], labels)
            return f"{cell} has the score {score:.15g} and {number:.15g} in brackets"

        both = filled & ~np.isnan(deviations)
        if both.any() and kind != "rank":
            raise DataError(
                f"{where(both)}, beside a standard deviation. Pass brackets='rank' if it is a "
                "rank; otherwise take it out of the cells."
            )
        if kind is None:
            raise DataError(
                f"{where(filled)}, which may be a standard deviation or a rank. Pass "
                "brackets='std' or brackets='rank'. If it counts last digits (3 for 0.03), "
                "write 0.76 ± 0.03."
            )
        if kind == "std":
            if (inside < 0).any():
                raise DataError(f"{where(inside < 0)}; a standard deviation must not be negative.")
            deviations = np.where(filled, inside, deviations)
        else:
            notes = (
                (
                    "ranks-in-brackets",
                    "Numbers in brackets after the scores are ranks. They were left out.",
                ),
            )
    if np.isnan(deviations).all():
        return Deviations(None, notes)
    told = (
        "Scores are means that were given with their standard deviations. Means are compared; "
        "tests of single runs need the scores of the runs."
    )
    return Deviations(deviations, (*notes, ("deviations", told)))


def _kind(
    scores: FloatArray, inside: FloatArray, plain: BoolArray, groups: IntArray, direction: object
) -> str | None:
    """Say what numbers in brackets are; None if they may be the one or the other."""
    if _are_ranks(scores, inside, groups, direction):
        return "rank"
    halves = np.floor(2 * inside) == 2 * inside  # as ranks are, also of ties
    filled = ~np.isnan(inside)
    return None if plain.any() or halves[filled].all() else "std"


def _are_ranks(scores: FloatArray, inside: FloatArray, groups: IntArray, direction: object) -> bool:
    """Tell whether the numbers in brackets are the ranks of the scores in each group.

    Ties may have the average or the smallest of their ranks. Ranks count from the best or, as
    some papers have it, from the worst; it is the same for all groups of one direction.
    """
    if (np.isnan(inside) != np.isnan(scores)).any():
        return False
    there = ~np.isnan(scores)
    scores, inside, groups = scores[there], inside[there], groups[there]
    order = np.argsort(groups, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
    fits = np.zeros((len(parts), 2, 2), dtype=np.bool_)  # [group, way up, treatment of ties]
    compared = 0
    for number, rows in enumerate(parts):
        values, ranks = scores[rows], inside[rows]
        compared = max(compared, len(values))
        for way, signed in enumerate((values, -values)):
            least = 1 + np.searchsorted(np.sort(signed), signed, side="left")
            most = np.searchsorted(np.sort(signed), signed, side="right")
            fits[number, way] = [
                bool((ranks == least).all()), bool((ranks == (least + most) / 2).all())
            ]  # fmt: skip
    if compared < 2:
        return False
    return bool(
        fits.all(axis=0).any() if isinstance(direction, str) else fits.any(axis=1).all(axis=0).any()
    )
