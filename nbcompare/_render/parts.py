"""Parts of a display: prose, tables and notes, all of them plain text without line breaks.

The record is JSON:

- ``svg`` is what Matplotlib writes, with text as text. An element with the id ``mark-3`` is about
  the mark at position 3; several may have the same.
- ``names`` are the algorithms that the figure shows.
- ``marks`` are what it says of them: ``title`` is a sentence, ``of`` the positions of the names
  that it is about, ``pair`` is true if a table of pairs has a row for it, and ``dataset`` is the
  data set that it is about, if it is about one.

Anybody may write a notebook: a page takes nothing over but elements and attributes that draw.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from nbcompare._render.numbers import plural

# A display in a notebook shows at most this many rows; to_frame() returns all rows.
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences that form one paragraph."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """Header of a column, and whether it holds numbers, which are aligned right.

    A ``short`` header stands in its place on paper, where the table is too wide.
    """

    header: str
    number: bool = False
    short: str = ""


class Strong(str):
    """Text of a cell of a table that stands out, such as the best of a column.

    It is bold; plain text, which has no bold, puts an asterisk to it.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Table of text with a header; the first column labels the rows.

    A cell of class :class:`Strong` stands out.
    LaTeX and Typst use the ``label`` to refer to a table that has a caption.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    n_hidden: int = 0
    label: str = ""

    def cut(self, most: int = MOST_ROWS) -> Self:
        """Return a table of at most ``most`` rows, with the number of rows left out."""
        hidden = max(0, len(self.rows) - most)
        if not hidden:
            return self
        return replace(self, rows=self.rows[:most], n_hidden=self.n_hidden + hidden)

    def widths(self, longest: int, wrapped: int, *, headers_wrap: bool) -> list[int]:
        """Return column widths in letters; text over ``longest`` is wrapped to ``wrapped``."""
        widths = []
        for index, column in enumerate(self.columns):
            header = column.header
            words = (column.short or header).split(" ") if headers_wrap else [header]
            width = max((len(row[index]) for row in self.rows), default=0)
            width = wrapped if width > longest and not column.number else width
            widths.append(max(width, *map(len, words)))
        return widths

    def pieces(self, widths: Sequence[int], most: int) -> tuple[Self, ...]:
        """Split a table that is too wide into several of about the same width.

        Each one repeats the leading text columns, which label the rows.
        """
        n_labels = next((i for i, column in enumerate(self.columns) if column.number), 1)
        n_labels = max(1, n_labels)
        room = most - sum(widths[:n_labels])
        others = widths[n_labels:]
        if sum(others) <= room or len(others) < 2:
            return (self,)
        count = len(_cuts(others, room))
        even = range(-(-sum(others) // count), max(room, 1))
        cuts = next((found for r in even if len(found := _cuts(others, r)) <= count), None)
        cuts = cuts or _cuts(others, room)
        starts = [n_labels + cut for cut in (*cuts, len(others))]
        return tuple(
            self._columns([*range(n_labels), *range(start, end)], number, count)
            for number, (start, end) in enumerate(itertools.pairwise(starts), start=1)
        )

    def _columns(self, chosen: Sequence[int], number: int, count: int) -> Self:
        """Return part ``number`` of ``count``; only the first part keeps the label."""
        return replace(
            self,
            columns=tuple(self.columns[i] for i in chosen),
            rows=tuple(tuple(row[i] for i in chosen) for row in self.rows),
            caption=f"{self.caption}, part {number} of {count}" if self.caption else "",
            label=self.label if number == 1 else "",
        )

    @property
    def remainder(self) -> str:
        """Text about the rows left out; empty if there are none."""
        if not self.n_hidden:
            return ""
        return f"and {plural(self.n_hidden, 'more row')}; to_frame() returns all rows"


def _cuts(widths: Sequence[int], room: int) -> list[int]:
    """Return the index at which each piece starts."""
    cuts, taken = [0], 0
    for index, width in enumerate(widths):
        if taken and taken + width > room:
            cuts.append(index)
            taken = 0
        taken += width
    return cuts


@dataclass(frozen=True, slots=True)
class Note:
    """Caveat: a code for programs and a text for readers."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Notes:
    """List of caveats, or of literature."""

    notes: Sequence[Note]

    @property
    def is_literature(self) -> bool:
        """Whether the items begin with the numbers by which a text cites them."""
        return all(re.match(r"\[\d+\] ", note.text) for note in self.notes)


Part = Prose | Table | Notes


DRAWING = "application/vnd.nbcompare.drawing.v2+json"
