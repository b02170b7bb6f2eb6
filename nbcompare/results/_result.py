"""What every result has: sentences, sections, notes, sources, and arrays that stay as they are."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from nbcompare._arrays import LockedArrays
from nbcompare._render import Column, Note, Notes, Part, Prose, Table
from nbcompare._validation import check_choice, listed, shown
from nbcompare.results import _json
from nbcompare.results._exports import ForPapers
from nbcompare.results.design import Design
from nbcompare.results.view import View

Sections = Mapping[str, Callable[[], tuple[Part, ...]]]


class Result(LockedArrays, ForPapers):
    """Base of the results of analyses, which are frozen dataclasses.

    A result says what it found (``sentences``), on what literature it rests
    (``references``), how it was computed (``_method``), and has sections of its own.
    """

    notes: tuple[Note, ...]
    design: Design

    @property
    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """What was tested, on what, and what came out, ready for a paper."""

    @property
    @abstractmethod
    def references(self) -> tuple[str, ...]:
        """The literature behind the procedures used, sorted by author."""

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

        Raises
        ------
        ValueError
            If there is no such section.
        """
        return self._view(name, "name")

    def _view(self, name: object, argument: str) -> View:
        sections = self._all_sections()
        if isinstance(name, str) and name in self._not_there():
            raise ValueError(f"there is no section {name!r}: {self._not_there()[name]}.")
        name = check_choice(name, argument, tuple(sections))
        return View(name, sections[name](), self)

    # ------------------------------------------------------------------------ JSON

    def to_json(self, indent: int | None = None) -> str:
        """The whole result as JSON: every field, its data's fingerprint, version and options.

        Parameters
        ----------
        indent : int, optional
            Spaces per level; one line by default.

        Returns
        -------
        str
            ASCII. An object with ``nbcompare``, the version that computed the result,
            ``schema``, ``class`` and ``fields``. Numbers are exact; infinite ones are
            ``"Infinity"`` and ``"-Infinity"``; a mapping is a list of pairs.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
        >>> again = nbc.results.from_json(result.to_json())
        >>> again, again.to_json() == result.to_json()
        (<Comparison: 4 algorithms, 14 data sets, all pairs, Holm, 0 of 6 hypotheses rejected>,
        True)
        """
        return json.dumps(self._to_document(), indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The result that :meth:`to_json` wrote.

        Parameters
        ----------
        text : str
            JSON of a result of this class.

        Raises
        ------
        ValueError
            If it is no such JSON, or of another schema; the message says where.
        """
        return cls._from_document(_json.parsed(text))

    def _to_document(self) -> dict[str, Any]:
        return {
            "nbcompare": self.design.version,
            "schema": _json.SCHEMA,
            "class": type(self).__name__,
            "fields": _json.written(self, type(self)),
        }

    @classmethod
    def _from_document(cls, document: Any) -> Self:
        if not isinstance(document, Mapping) or not {"schema", "class", "fields"} <= set(document):
            raise ValueError(
                "`text` must be an object with 'nbcompare', 'schema', 'class' and 'fields', as "
                f"to_json() writes it; got {shown(document)}."
            )
        if document["schema"] != _json.SCHEMA:
            raise ValueError(
                f"`text` must be of schema {_json.SCHEMA}; got {shown(document['schema'])}, "
                f"written by nbcompare {document.get('nbcompare')}."
            )
        kinds = {kind.__name__: kind for kind in cls._kinds()}
        if document["class"] not in kinds:
            raise ValueError(
                f"`text` must hold a result of class {listed(kinds)}; "
                f"got {shown(document['class'])}."
            )
        kind = kinds[document["class"]]
        found: Self = _json.read(document["fields"], kind, kind.__name__)
        return found

    @classmethod
    def _kinds(cls) -> Iterator[type[Self]]:
        """The class itself, unless it is the base of all, and those that inherit from it."""
        if cls is not Result:
            yield cls
        for kind in cls.__subclasses__():
            yield from kind._kinds()

    def _documents(self) -> dict[str, Any]:
        return self._document_of(None)

    def _document_of(self, section: str | None) -> dict[str, Any]:
        """By MIME type what a program finds beside the display of a section, or of all."""
        document = self._to_document()
        entry = {
            "class": document["class"],
            "section": section,
            "digest": _json.digest(document),
            "result": document,
        }
        return {_json.MIME_TYPE: entry}

    # ---------------------------------------------------------- for results to say

    @abstractmethod
    def _sections(self) -> Sections:
        """Its own sections, in the order in which they are read."""

    @abstractmethod
    def _tables(self) -> tuple[Part, ...]:
        """What it is shown with, in full, for a paper."""

    def _not_there(self) -> Mapping[str, str]:
        """Sections that other results of the class have, with why this one has not."""
        return {}

    def _method(self) -> tuple[tuple[str, str], ...]:
        """What and how, row by row, so that a reader can compute it again; may be empty."""
        return ()

    # --------------------------------------------------------------------- display

    def _for_paper(self, section: str | None) -> tuple[Part, ...]:
        return self._tables() if section is None else self._view(section, "section").parts

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


def from_json(text: str) -> Result:
    """The result, of whatever class, that ``to_json()`` wrote.

    Parameters
    ----------
    text : str
        JSON of a result.

    Returns
    -------
    Result
        Equal in every field, with arrays that are read-only.

    Raises
    ------
    ValueError
        If it is no such JSON, of an unknown class or of another schema; the message says
        where.
    """
    return Result.from_json(text)


def method_table(rows: tuple[tuple[str, str], ...]) -> Table:
    """What and how, side by side."""
    return Table((Column("what"), Column("how")), rows)
