"""Columns of scores as papers print them.

The number in brackets is a standard deviation or a rank; a sign of plus or minus says itself what
follows it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbcompare._arrays import BoolArray, FloatArray, IntArray
from nbcompare._tables.columns import (
    SAMPLE,
    Held,
    Said,
    Text,
    as_float,
    column_of_objects,
    is_blank,
    is_number,
)
from nbcompare._tables.table import RawTable
from nbcompare._tables.text_format import (
    PLAIN,
    Printed,
    TextFormat,
    Unsettled,
    marks_in,
    numbers_among,
    numeral,
    parts_of,
    plain_number,
    printed,
)
from nbcompare._validation import DataError

_DECORATED = re.compile(
    r"[±)$\\*<†‡§¶•◦★☆↑↓⇑⇓▲▼△▽]|\+/?[-\u2212]|__|\]\s*\Z|\s[-+=≈≃∼~\u2212]\s*\Z"
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
    made: dict[str, Held] = {}
    for name in table.columns:
        held = None if name.casefold() in known else table.text_of(name)
        if held is not None and any(
            isinstance(cell, str) and _DECORATED.search(cell) for cell in held.cells
        ):
            column = PrintedText(held, table.text or text)
            numbers = [it for it in column.parts if isinstance(it, Printed)]
            n_text = len(column.parts) - len(numbers)
            if sum(it.mean == it.mean for it in numbers) >= max(1, n_text):
                made[name] = column
    return table.with_columns(made) if made else table


def without_words(table: RawTable, labels: Collection[str], missing: Collection[str]) -> RawTable:
    """Return the table with empty cells for these words and numbers, in columns of numbers."""
    known = {label.casefold() for label in labels}
    names = [name for name in table.columns if name.casefold() not in known]
    if table.text is not None:
        words = table.text.missing.union(missing)
        table = table.read_as(replace(table.text, missing=words), names)
    numbers = numbers_among(missing)
    made: dict[str, Held] = {}
    for name in names:
        held = table.columns[name]
        if isinstance(held, np.ndarray):
            if (gaps := np.isin(held, list(numbers))).any():
                made[name] = np.where(gaps, np.nan, held.astype(np.float64))
        elif held.text is None and any(map(is_number, held.cells)):
            cells = [None if _is_missing(it, missing, numbers) else it for it in held.tolist()]
            made[name] = column_of_objects(cells, None)
    return table.with_columns(made) if made else table


def _is_missing(cell: Any, words: Collection[str], numbers: Collection[float]) -> bool:
    if not isinstance(cell, str):
        return is_number(cell) and cell in numbers
    return cell.strip().casefold() in words or plain_number(cell, PLAIN) in numbers


class PrintedText(Text):
    """A column of scores with what may stand beside each of them."""

    def __init__(self, held: Text, text: TextFormat) -> None:
        super().__init__(lambda: (held.codes, held.cells), text)

    @cached_property
    def parts(self) -> list[Any]:
        """What each cell says: a printed number, or text that is none."""
        text = self.text or PLAIN
        return [_cell(None if is_blank(it) else it, text) for it in self.cells]

    @cached_property
    def said(self) -> Said | None:
        """The numbers of the cells; None if any is none."""
        if not all(isinstance(it, Printed) for it in self.parts):
            return None
        signs = self._of_cells("is_percent")
        return Said(self._of_cells("mean"), signs if signs.any() else None)

    def read(self, cells: Sequence[Any]) -> list[Any]:
        """Return cells with floats for the numbers among the text."""
        parts = (_cell(None if is_blank(it) else it, self.text or PLAIN) for it in cells)
        return [it.mean if isinstance(it, Printed) else it for it in parts]

    def of(self, field: str) -> npt.NDArray[Any]:
        """Return one field of what the cells say, row by row."""
        return self._of_cells(field)[self.codes]

    def _of_cells(self, field: str) -> npt.NDArray[Any]:
        parts = (it if isinstance(it, Printed) else Printed(np.nan) for it in self.parts)
        return np.array([getattr(it, field) for it in parts])

    def __getitem__(self, rows: IntArray) -> PrintedText:
        """Return some rows, without the cells that none of them holds."""
        return PrintedText(super().__getitem__(rows), self.text or PLAIN)


def _cell(cell: Any, text: TextFormat) -> Any:
    """Return what was printed, also in a bare number or a gap, or the text that is neither."""
    if not isinstance(cell, str):
        is_bare = cell is None or is_number(cell)
        return Printed(np.nan if cell is None else float(cell)) if is_bare else cell
    number = numeral(cell, text)
    if number is None or number.is_doubtful:
        made = printed(cell, text)
    else:
        made = Printed(number.value, is_percent=number.is_percent)
    return Printed(np.nan) if made and made.mean in text.missing_numbers else made or cell


# --------------------------------------------------------------------------------- doubts


def doubtful_thousands(table: RawTable, names: Sequence[str]) -> Unsettled | None:
    """Say that points in columns of scores may separate thousands; None if they cannot.

    They may where every number with a fraction is like ``1.816``, and the others are whole. The
    first cells as they were written tell, since one ``0.91``, ``12.5`` or ``0.816`` is enough.

    Parameters
    ----------
    table : RawTable
        As it was read; other sources than text have numbers that are in no doubt.
    names : sequence of str
        All columns of scores, which are written in one way.
    """
    text = table.text
    if text is None or text.decimal or text.thousands:
        return None
    fractions, whole = [], ""
    columns = [_first_cells(table, name) for name in names]
    for row, cells in enumerate(zip(*columns, strict=True)):
        for name, cell in zip(names, cells, strict=True):
            if cell.isdecimal():
                whole = whole or cell
                continue
            for part in (parts_of(cell) or (cell,))[:2]:
                digits = re.sub(r"[^\d.]", "", part)
                if "." not in digits:
                    whole = whole or digits
                elif re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", digits):
                    fractions.append((row, name, part.strip()))
                elif numeral(part, text):
                    return None
    if len(fractions) < 2 or not whole:
        return None
    row, name, part = fractions[0]
    return Unsettled(
        f"{table.cell(row, name)} holds {part!r}, and other scores are whole, such as {whole!r}; "
        "each score with a point has three digits after it.",
        [{"decimal": "."}, {"thousands": "."}],
    )


def _first_cells(table: RawTable, name: str) -> Iterator[str]:
    """Yield cells as they were written; numbers of a sheet or JSON only if they are whole."""
    held = table.columns[name]
    cells = held.first_cells(SAMPLE) if isinstance(held, Text) else held[:SAMPLE].tolist()
    for cell in cells:
        if isinstance(cell, str):
            yield cell
        else:
            yield f"{cell:.0f}" if is_number(cell) and as_float(cell).is_integer() else ""


# ------------------------------------------------------------------------------ meanings


class Deviations(NamedTuple):
    """Standard deviations beside scores, and notes (codes and texts) on how they were read."""

    values: FloatArray | None
    notes: tuple[tuple[str, str], ...]


def deviations_of(
    table: RawTable,
    names: Sequence[str],
    groups: IntArray,
    labels: str | None,
    brackets: str | None,
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

    Returns
    -------
    Deviations
        ``values`` of shape (n_rows, n_names), NaN where none is; None if there is none at all.
    """
    held = (table.columns[name] for name in names)
    found = {place: it for place, it in enumerate(held) if isinstance(it, PrintedText)}
    deviations, inside = np.full((2, table.n_rows, len(names)), np.nan)
    plain = np.zeros(inside.shape, dtype=np.bool_)
    for place, column in found.items():
        deviations[:, place], inside[:, place] = column.of("deviation"), column.of("inside")
        plain[:, place] = column.of("is_plain")
    notes = _note_on_marks(found.values())
    filled = ~np.isnan(inside)
    if filled.any():
        scores = np.column_stack([table[name].astype(np.float64) for name in names])
        kind = brackets or _meaning(scores, inside, filled & plain, groups)

        def where(cells: BoolArray) -> str:
            row, column = np.argwhere(cells)[0].tolist()
            numbers = f"{scores[row, column]:.15g} and {inside[row, column]:.15g}"
            cell = table.cell(row, names[column], labels)
            return f"{cell} has the score {numbers} in brackets"

        both = filled & ~np.isnan(deviations)
        if both.any() and kind != "rank":
            raise Unsettled(
                f"{where(both)}, beside a standard deviation.",
                [{"brackets": "rank"}],
                "If it is no rank, take it out of the cells.",
            )
        if kind is None:
            raise Unsettled(
                f"{where(filled)}, which may be a standard deviation or a rank.",
                [{"brackets": "std"}, {"brackets": "rank"}],
                "If it counts last digits (3 for 0.03), write 0.76 ± 0.03.",
            )
        if kind == "std" and (inside < 0).any():
            raise DataError(f"{where(inside < 0)}; a standard deviation must not be negative.")
        if kind == "std":
            deviations = np.where(filled, inside, deviations)
        else:
            told = "Numbers in brackets after the scores are ranks. They were left out."
            notes += (("ranks-in-brackets", told),)
    if np.isnan(deviations).all():
        return Deviations(None, notes)
    told = (
        "Scores are means that were given with their standard deviations. Means are compared; "
        "tests of single runs need the scores of the runs."
    )
    return Deviations(deviations, (*notes, ("deviations", told)))


def _note_on_marks(columns: Iterable[Text]) -> tuple[tuple[str, str], ...]:
    found: set[str] = set()
    n_cells = 0
    for text in columns:
        of_cells = [marks_in(cell) if isinstance(cell, str) else [] for cell in text.cells]
        found.update(*of_cells)
        n_cells += int(np.array(list(map(bool, of_cells)))[text.codes].sum())
    marks = sorted(found)
    cells = f"{n_cells} cells hold marks" if n_cells > 1 else "1 cell holds marks"
    told = f"{cells} beside the scores, which were left out: {' '.join(marks)}"
    return (("marks", told),) if marks else ()


def _meaning(
    scores: FloatArray, inside: FloatArray, plain: BoolArray, groups: IntArray
) -> str | None:
    """Say what numbers in brackets are; None if they may be the one or the other."""
    if _are_ranks(scores, inside, groups):
        return "rank"
    halves = np.floor(2 * inside) == 2 * inside  # as ranks are, also of ties
    filled = ~np.isnan(inside)
    return None if plain.any() or halves[filled].all() else "std"


def _are_ranks(scores: FloatArray, inside: FloatArray, groups: IntArray) -> bool:
    """Tell whether the numbers in brackets are the ranks of the scores in each group.

    Ties may have the average or the smallest of their ranks. Ranks count from the best or, as
    some papers have it, from the worst.
    """
    import pandas as pd

    if (np.isnan(inside) != np.isnan(scores)).any():
        return False
    there = ~np.isnan(scores)
    number, given = groups[there], inside[there]
    by_group = pd.Series(scores[there]).groupby(number)
    if by_group.size().max() < 2:
        return False

    def fit(ties: str, *, ascending: bool) -> pd.Series:
        return (by_group.rank(ties, ascending=ascending) == given).groupby(number).all()

    return any(
        bool((fit(ties, ascending=True) | fit(ties, ascending=False)).all())
        for ties in ("average", "min")
    )
