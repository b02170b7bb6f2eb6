"""What a display is made of: prose, tables and notes, all plain text without line breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from nbcompare._render.numbers import plural

# A display in a notebook shows this many rows; to_frame() has them all.
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences, in one paragraph."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column's header; numbers stand to the right."""

    header: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under a header; the first column labels the row."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    n_hidden: int = 0

    def cut(self, most: int = MOST_ROWS) -> Self:
        """At most ``most`` rows, and the count of those left out."""
        hidden = max(0, len(self.rows) - most)
        if not hidden:
            return self
        return replace(self, rows=self.rows[:most], n_hidden=self.n_hidden + hidden)

    @property
    def remainder(self) -> str:
        """What to say about the rows left out, empty if there are none."""
        if not self.n_hidden:
            return ""
        return f"and {plural(self.n_hidden, 'more row')}; to_frame() has them all"


@dataclass(frozen=True, slots=True)
class Note:
    """A caveat: a code to test for, a text to read."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Notes:
    """Caveats, as a list."""

    notes: Sequence[Note]


Part = Prose | Table | Notes
