"""The literature of results, and this version of nbcompare, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from nbcompare._render import bibtex
from nbcompare._version import __version__
from nbcompare.results.design import Design
from nbcompare.words import literature_of

_ABOUT = "nbcompare: statistical comparison of algorithms over data sets"
_TITLES_OF_BOOKS = frozenset(("book", "phdthesis"))  # which styles print as they are


class Cites(Protocol):
    """What cites literature: a result."""

    @property
    def design(self) -> Design:
        """The data and options that it was computed from."""

    @property
    def references(self) -> tuple[str, ...]:
        """What its list of references prints."""


def bibtex_of(results: Iterable[Cites], version: str = __version__) -> str:
    """Return the literature of results, their data, and nbcompare, as a file of BibTeX.

    Parameters
    ----------
    results : iterable of Result
        In any order; each reference is written once.
    version : str
        The version of nbcompare.

    Returns
    -------
    str
        Entries sorted by key, in ASCII as far as the citations of the data are, with a blank line
        between two.
    """
    cited: dict[str, str] = {"nbcompare": _software(version)}
    data: list[str] = []
    for result in results:
        cited.update(_entries(result.references))
        if result.design.citation and result.design.citation not in data:
            data.append(result.design.citation)
    for number, text in enumerate(sorted(data), start=1):
        key = "data" if len(data) == 1 else f"data{number}"
        # styles sort by the author, or by this
        fields = {"key": "Data", "title": "Data", "note": text}
        cited[key] = bibtex.entry("misc", key, fields)
    return "\n\n".join(cited[key] for key in sorted(cited)) + "\n"


def _entries(references: Iterable[str]) -> Mapping[str, str]:
    return {
        key: bibtex.entry(
            each.kind,
            key,
            {"author": bibtex.names(each.authors), **each.fields},
            protect=each.kind not in _TITLES_OF_BOOKS,
        )
        for key, each in literature_of(references).items()
    }


def _software(version: str) -> str:
    fields = {
        "author": "{The nbcompare developers}",
        "title": _ABOUT,
        "version": version,
        # for styles older than the field of the version
        "howpublished": f"Python package, version {version}",
    }
    return bibtex.entry("software", "nbcompare", fields)
