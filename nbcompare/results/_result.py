"""What every result has: sentences, sections, notes, sources, and arrays that stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nbcompare._arrays import LockedArrays
from nbcompare._render import Column, Note, Notes, Part, Prose, Rich, Table
from nbcompare._validation import check_choice
from nbcompare.results.design import Design
from nbcompare.results.view import View

Sections = Mapping[str, Callable[[], tuple[Part, ...]]]


class Result(LockedArrays, Rich):
    """Base of the results of analyses, which are frozen dataclasses.

    A result says what it found (``sentences``), on what literature it rests
    (``references``), how it was computed (``_method``), and has sections of its own.
    """

    notes: tuple[Note, ...]
    design: Design

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was tested, on what, and what came out, ready for a paper."""
        raise NotImplementedError

    @property
    def references(self) -> tuple[str, ...]:
        """The literature behind the procedures used, sorted by author."""
        raise NotImplementedError

    @property
    def sections(self) -> tuple[str, ...]:
        """Names that :meth:`section` takes."""
        return tuple(self._all_sections())

    def section(self, name: str) -> View:
        """One part of the result, in full, to be displayed by itself.

        Parameters
        ----------
        name : str
            One of ``sections``: the result's own tables, then ``conclusions``, ``method``
            and ``references``.
        """
        sections = self._all_sections()
        return View(name, sections[check_choice(name, "name", tuple(sections))]())

    # ---------------------------------------------------------- for results to say

    def _sections(self) -> Sections:
        """Its own sections, in the order in which they are read."""
        raise NotImplementedError

    def _method(self) -> tuple[tuple[str, str], ...]:
        """What and how, row by row, so that a reader can compute it again; may be empty."""
        return ()

    # --------------------------------------------------------------------- display

    def _all_sections(self) -> Sections:
        method = self._method()
        how = {"method": lambda: (method_table(method),)} if method else {}
        return {
            **self._sections(),
            "conclusions": lambda: (Prose(self.sentences), *self._notes()),
            **how,
            "references": lambda: (
                Notes(tuple(Note("reference", text) for text in self._sources())),
            ),
        }

    def _notes(self) -> tuple[Part, ...]:
        return (Notes(self.notes),) if self.notes else ()

    def _sources(self) -> tuple[str, ...]:
        """Where the data come from, if that is known, and the literature."""
        data = (f"Data: {self.design.citation}",) if self.design.citation else ()
        return data + self.references


def method_table(rows: tuple[tuple[str, str], ...]) -> Table:
    """What and how, side by side."""
    return Table((Column("what"), Column("how")), rows)
