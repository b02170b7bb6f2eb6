"""The base class of results, with display, sections, exports and JSON."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import isabstract
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np

from nbcompare import results
from nbcompare._arrays import LockedArrays
from nbcompare._render import Column, Note, Notes, Part, Table, latex, parts_of
from nbcompare._validation import DataError, check_choice, listed, shown
from nbcompare._version import __version__
from nbcompare.results import _exports
from nbcompare.results._exports import ForPapers, contradictions
from nbcompare.results.design import Design
from nbcompare.results.texts import (
    Cited,
    Keyed,
    Uncited,
    bibtex_of,
    cite_keys,
    paragraph_of,
    settings,
)
from nbcompare.results.wording import paragraphs
from nbcompare.words import CITATIONS, cited

# The section with a paragraph for a paper. On a page, its name is followed by the keys of the
# references that paragraphs before it have listed, so that it can be rendered again.
_METHODS, _AFTER = "methods", " after "
# Literature that notes name
_NOTED = {"asymmetric": "randles1980"}


@dataclass(frozen=True, slots=True, repr=False)
class View(ForPapers):
    """A part of a result, such as a table or its sentences, which displays itself."""

    name: str
    parts: tuple[Part, ...]
    result: Result

    def __repr__(self) -> str:
        return f"<View: {self.name}>"

    def _for_paper(self, section: str | None) -> tuple[Part, ...]:
        if section is not None:
            check_choice(section, "section", (self.name,))
        return self.parts

    def _parts(self) -> tuple[Part, ...]:
        return self.parts

    def _documents(self) -> dict[str, Any]:
        return self.result._document_of(self.name)  # noqa: SLF001 - of this module


Sections = Mapping[str, Callable[[], Part | tuple[Part, ...]]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result(LockedArrays, ForPapers):
    """Base of the results of analyses, which are frozen dataclasses.

    A result states its findings (``sentences``), the literature behind it (``references``) and
    how it was computed (``_method``). Each class adds sections of its own.
    """

    notes: tuple[Note, ...]
    design: Design
    describes_gaps: ClassVar[bool] = False  # whether its numbers may be NaN

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary.removesuffix('.')}>"

    @property
    def summary(self) -> str:
        """The answer in a sentence."""
        return next(iter(self.findings), "")

    @property
    def findings(self) -> tuple[str, ...]:
        """Sentences on what was found, the answer first."""
        return tuple(filter(None, chain(*self._account())))

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on what was found, then on how it was tested, and on why so, for a paper."""
        why = getattr(self, "why", "")
        return tuple(filter(None, chain(*self._account(), self._methods(Uncited()), [why])))

    @property
    def references(self) -> tuple[str, ...]:
        """References for what is told of the methods and in notes, sorted by author."""
        cite = Cited()
        self._methods(cite)
        return cited({*cite.keys, *(_NOTED[n.code] for n in self.notes if n.code in _NOTED)})

    @property
    def sections(self) -> tuple[str, ...]:
        """Names of the sections, for :meth:`section`."""
        return tuple(self._all_sections())

    def section(self, name: str, *, after: Result | Sequence[Result] = ()) -> View:
        """Return one section of the result, complete, which displays itself.

        Parameters
        ----------
        name : str
            One of ``sections``: the result's own tables, then ``methods`` and
            ``notes``, ``method`` and ``references``.
        after : result or sequence of result, optional
            For ``methods``: the results whose paragraphs stand before this one. The numbers of
            the references go on.

        Returns
        -------
        View
            The section, which displays itself. Its ``to_latex()`` and ``to_typst()`` return this
            section alone.

        Raises
        ------
        ValueError
            If there is no such section, or for ``after`` with another one.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> data = nbc.datasets.load("otero2013_simulated")
        >>> first, second = nbc.compare(data), nbc.compare_stochastic(data)
        >>> print(str(second.section("methods", after=first)).split(" [")[1][:3])
        10]
        """
        if after == ():
            return self._view(name, "name")
        if name != _METHODS:
            raise ValueError(f"`after` is for the section 'methods'; got {shown(name)}.")
        cite = Cited()
        for other in [after] if isinstance(after, Result) else after:
            other._methods(cite)  # noqa: SLF001 - of this module
        return self._view(f"{_METHODS}{_AFTER}{' '.join(cite.keys)}", "name")

    def _view(self, name: object, argument: str) -> View:
        sections = self._all_sections()
        if isinstance(name, str) and name.startswith(f"{_METHODS}{_AFTER}"):
            before = name.removeprefix(f"{_METHODS}{_AFTER}").split(" ")
            if _METHODS in sections and set(before) <= set(CITATIONS):
                return View(name, self._paragraph(before), self)
        if isinstance(name, str) and name in self._not_there():
            raise ValueError(f"There is no section {name!r}: {self._not_there()[name]}.")
        name = check_choice(name, argument, tuple(sections))
        return View(name, _parts_of(sections[name]), self)

    def check(self) -> tuple[str, ...]:
        """Look for contradictions within the result.

        Decisions must be those of their p-values, p-values between 0 and 1 and at most the adjusted
        ones, estimates inside their intervals, intervals that hold together in agreement with the
        decisions; JSON must come back as it was, and every section have its exports.

        Returns
        -------
        tuple of str
            A sentence on each contradiction: none, unless nbcompare has an error.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> nbc.compare(nbc.datasets.load("demsar2006")).check()
        ()
        """
        return tuple(contradictions(self))

    def to_bibtex(self) -> str:
        r"""Return the literature behind the result, its data and nbcompare, as BibTeX.

        Returns
        -------
        str
            An entry for each of ``references``, one for the data if their source is known, and
            one for the version of nbcompare that computed the result, sorted by key. Letters with
            accents are commands of LaTeX.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.compare(nbc.datasets.load("demsar2006"), adjust="holm")
        >>> text = result.to_bibtex()
        >>> [line for line in text.splitlines() if line.startswith("@")]
        ['@book{conover1999,', '@misc{data,', '@article{demsar2006,', '@article{friedman1937,',
         '@article{garcia2008,', '@article{hodges1963,', '@article{holm1979,',
         '@article{iman1980,', '@article{kerby2014,', '@software{nbcompare,',
         '@article{wilcoxon1945,']
        >>> print(text[text.index("@article{garcia") :][:65])
        @article{garcia2008,
          author = {Garc{\'i}a, S. and Herrera, F.},
        """
        return bibtex_of((self,), self.design.version)

    # ------------------------------------------------------------------------ JSON

    def to_json(self, indent: int | None = None) -> str:
        """Return the whole result as JSON, with the fingerprint of the data and the options.

        Parameters
        ----------
        indent : int, optional
            Number of spaces per level; one line by default.

        Returns
        -------
        str
            JSON in ASCII: an object with ``nbcompare``, the version that computed the result,
            ``schema``, ``class`` and ``fields``. Numbers are exact; infinite ones are
            ``"Infinity"`` and ``"-Infinity"``; a mapping is a list of pairs.

        Examples
        --------
        >>> import nbcompare as nbc
        >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
        >>> again = nbc.results.from_json(result.to_json())
        >>> again, again.to_json() == result.to_json()
        (<Comparison: C4.5+m+cf has the best average rank of the four algorithms on 14 data sets
        (1.93; AUC, higher is better)>, True)
        """
        return json.dumps(self._to_document(), indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, *, check: bool = True) -> Self:
        """Return the result that :meth:`to_json` wrote.

        Parameters
        ----------
        text : str
            JSON of a result of this class.
        check : bool
            Make all that the result shows once, so that a text that was changed is refused here.

        Returns
        -------
        Result
            The result, of the class that was written and equal in every field, with read-only
            arrays.

        Raises
        ------
        ValueError
            If the text is not such JSON, or has another schema; the message says where.
        """
        found = cls._from_document(_exports.parsed(text))
        if check:
            found._check_whole()  # noqa: SLF001 - of this class
        return found

    def _to_document(self) -> dict[str, Any]:
        return {
            "nbcompare": self.design.version,
            "schema": _exports.SCHEMA,
            "class": type(self).__name__,
            "fields": _exports.written(self, type(self)),
        }

    @classmethod
    def _from_document(cls, document: Any) -> Self:
        if not isinstance(document, Mapping) or not {"schema", "class", "fields"} <= set(document):
            raise ValueError(
                "`text` must be an object with 'nbcompare', 'schema', 'class' and 'fields', as "
                f"to_json() writes it; got {shown(document)}."
            )
        if document["schema"] != _exports.SCHEMA:
            raise ValueError(
                f"`text` must be of schema {_exports.SCHEMA}; got {shown(document['schema'])}, "
                f"written by nbcompare {document.get('nbcompare')}. Export it again with this "
                f"version, {__version__}."
            )
        for name in results.__all__:  # what was written may be of a module not yet imported
            getattr(results, name)
        kinds = {kind.__name__: kind for kind in cls._kinds()}
        if document["class"] not in kinds:
            raise ValueError(
                f"`text` must hold a result of class {listed(kinds)}; "
                f"got {shown(document['class'])}."
            )
        kind = kinds[document["class"]]
        found: Self = _exports.read(document["fields"], kind)
        return found

    def _check_whole(self) -> None:
        """Refuse a result whose parts do not fit together, by making all that it shows."""
        try:
            with np.errstate(all="ignore"):
                for section in self._all_sections().values():
                    section()
                str(self)
        except DataError:
            return  # what the data do not give is refused by the intact result, too
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            raise ValueError(
                f"`text` must hold a {type(self).__name__} whose parts fit together; lists in it "
                "have other lengths or values than to_json() writes. Export it again."
            ) from None

    @classmethod
    def _kinds(cls) -> Iterator[type[Self]]:
        """Yield this class, unless it is the base of others only, and its subclasses."""
        if not isabstract(cls):
            yield cls
        for kind in cls.__subclasses__():
            yield from kind._kinds()  # noqa: SLF001 - of its subclasses

    def _documents(self) -> dict[str, Any]:
        return self._document_of(None)

    def _document_of(self, section: str | None) -> dict[str, Any]:
        """Return the result as data for programs, by MIME type.

        The data accompany the display of a section, or of the whole result.
        """
        document = self._to_document()
        entry = {
            "class": document["class"],
            "section": section,
            "digest": _exports.digest(document),
            "result": document,
        }
        return {_exports.MIME_TYPE: entry}

    # ---------------------------------------------------------- for subclasses to define

    @abstractmethod
    def _sections(self) -> Sections:
        """Return the sections of this class, in the order in which they are read."""

    def _tables(self) -> tuple[Part, ...]:
        """Return the parts that the result displays, complete, for a paper."""
        return tuple(chain.from_iterable(map(_parts_of, self._sections().values())))

    def _not_there(self) -> Mapping[str, str]:
        """Return the sections that this result lacks, unlike others of its class, and why."""
        return {}

    def _account(self) -> Sequence[Sequence[str]]:
        """Return paragraphs of sentences on what was found, the answer first; may be none."""
        return ()

    def _methods(self, cite: Cited) -> tuple[str, ...]:  # noqa: ARG002 - for subclasses
        """Return the sentences of a paragraph on the methods for a paper; may be none."""
        return ()

    def _method(self) -> tuple[tuple[str, str], ...]:
        """Return rows of the table of the method, for reproducing the result; may be empty."""
        return settings(self.design, vars(self))

    # --------------------------------------------------------------------- display

    def _parts(self) -> tuple[Part, ...]:
        """Return the answer, the first rows of the tables, and the notes that it does not tell."""
        found = paragraphs(self._account())
        told = " ".join(sentence for part in found for sentence in part.sentences)
        notes = [note for note in self.notes if note.text not in told]
        return (*found, *self._first_rows(), *([Notes(tuple(notes))] if notes else []))

    def _first_rows(self) -> tuple[Part, ...]:
        """Return the tables that the result displays, of which long ones end after some rows."""
        return tuple(part.cut() if isinstance(part, Table) else part for part in self._tables())

    def _for_paper(self, section: str | None) -> tuple[Part, ...]:
        return self._tables() if section is None else self._view(section, "section").parts

    def _all_sections(self) -> Sections:
        method = self._method()
        how = {"method": lambda: (method_table(method),)} if method else {}
        kind = type(self)
        there = kind._methods is not Result._methods  # noqa: SLF001 - of this module
        return {
            "findings": lambda: paragraphs(self._account()),
            **self._sections(),
            **({_METHODS: self._paragraph} if there else {}),
            **({"notes": self._notes} if self.notes else {}),
            **how,
            "references": self._list_of_sources,
        }

    def _paragraph(self, before: Sequence[str] = ()) -> tuple[Part, ...]:
        cite = Cited([*before])
        return paragraph_of(self._methods(cite), cite, len(before))

    def _list_of_sources(self) -> tuple[Part, ...]:
        sources = tuple(Note("reference", text) for text in self._sources())
        return (Notes(sources),) if sources else ()

    def _notes(self) -> tuple[Part, ...]:
        return (Notes(self.notes),) if self.notes else ()

    def _sources(self) -> tuple[str, ...]:
        """Return the source of the data, if it is known, and the literature."""
        data = (f"Data: {self.design.citation}",) if self.design.citation else ()
        return data + self.references


def _parts_of(section: Callable[[], Part | tuple[Part, ...]]) -> tuple[Part, ...]:
    made = section()
    return made if isinstance(made, tuple) else (made,)


def tables_of(result: Result) -> tuple[Part, ...]:
    """Return all tables of a result with all of their rows."""
    return result._tables()  # noqa: SLF001 - of this module


def from_json(text: str, *, check: bool = True) -> Result:
    """Return the result of any class that ``to_json()`` wrote.

    Parameters
    ----------
    text : str
        JSON of a result.
    check : bool
        Make all that the result shows once, so that a text that was changed is refused here.

    Returns
    -------
    Result
        The result, equal in every field, with read-only arrays.

    Raises
    ------
    ValueError
        If the text is not such JSON, or has an unknown class or another schema; the message
        says where.
    """
    return Result.from_json(text, check=check)


def methods_in_latex(results: Iterable[Result]) -> str:
    r"""Write the paragraphs on methods in LaTeX, with the keys of :meth:`Result.to_bibtex`.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> text = methods_in_latex([nbc.compare(data)])
    >>> text[text.index("procedure") :][:25]
    'procedure~\\cite{holm1979}'
    """
    told = (result._methods(Keyed()) for result in results)  # noqa: SLF001 - of this module
    texts = (" ".join(filter(None, sentences)) for sentences in told)
    return "\n\n".join(cite_keys(latex.escape(text)) for text in texts if text)


def method_table(rows: tuple[tuple[str, str], ...]) -> Table:
    """Return the table of the method, with the columns "what" and "how"."""
    return Table((Column("what"), Column("how")), rows)


Rows = Sequence[Sequence[str]]
# more would make a page heavy, and effects of so many pairs take long
_MOST = 2_000


def left_out(result: Result) -> tuple[Rows, ...]:
    """Return the rows that each table of a display leaves out.

    Parameters
    ----------
    result : Result
        Shown as a whole; its sections leave out nothing.

    Returns
    -------
    tuple of rows
        One entry per table, in order; empty for a table that is shown whole, or lacks more than
        2,000 rows.
    """
    shown = [part for part in parts_of(result) if isinstance(part, Table)]
    if not any(0 < table.n_hidden <= _MOST for table in shown):
        return tuple(() for _ in shown)
    whole = [part for part in _complete(result) if isinstance(part, Table) and not part.n_hidden]
    return tuple(_rest(table, whole) if table.n_hidden <= _MOST else () for table in shown)


def _complete(result: Result) -> Iterable[Part]:
    for name in result.sections:
        yield from parts_of(result.section(name))


def _rest(shown: Table, whole: Iterable[Table]) -> Rows:
    """Return the rows of the same table that are not shown, in their order."""
    wanted = len(shown.rows) + shown.n_hidden
    for table in whole:
        if not shown.n_hidden or table.columns != shown.columns or len(table.rows) != wanted:
            continue
        seen, rest = Counter(shown.rows), []
        for row in table.rows:
            if seen[row]:
                seen[row] -= 1
            else:
                rest.append(row)
        if len(rest) == shown.n_hidden:
            return tuple(rest)
    return ()
