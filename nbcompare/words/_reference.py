"""The record of a reference: how a list of references prints it, and its fields in BibTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# the volume, the issue if there is one, and the pages of an article
_PLACE = re.compile(r"(?P<volume>\d+)(?: \((?P<number>\d+)\))?, (?P<pages>.+)")
# between two authors, but not between a family name and its initials
_BETWEEN = re.compile(r"(?<=\.), | and ")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a publication.

    Attributes
    ----------
    text : str
        What a list of references prints.
    kind : str
        The kind of entry in BibTeX, such as ``article``.
    authors : tuple of str
        As "Demšar, J."
    fields : mapping of str to str
        The other fields of BibTeX, as plain text.
    """

    text: str
    kind: str
    authors: tuple[str, ...]
    fields: Mapping[str, str]


def article(
    authors: str,
    year: int,
    title: str,
    journal: str,
    place: str,
    *,
    issue: str = "",
    **more: str,
) -> Reference:
    """Make the reference of an article.

    The place is "17 (5), 1–10". An ``issue`` as "2014, 80 (1), 88–100" is the year and the place
    in print of an article that is known by the year in which it appeared online.
    """
    printed = f" {place}" if place else ""
    text = _text(authors, year, title, f"{journal}{printed}")
    printed_year, _, place = issue.partition(", ") if issue else (str(year), "", place)
    parts = _PLACE.fullmatch(place)
    known = {} if parts is None else parts.groupdict("")
    fields = {"title": title, "journal": journal, **known, "year": printed_year}
    return _reference("article", text, authors, fields, more)


def chapter(
    authors: str, year: int, title: str, book: str, pages: str, publisher: str, **more: str
) -> Reference:
    """Make the reference of a paper in a book; a ``series`` is printed after the book."""
    series = f", {more['series']}" if "series" in more else ""
    text = _text(authors, year, title, f"In {book}{series}, {pages}. {publisher}")
    fields = {
        "title": title,
        "booktitle": book,
        "pages": pages,
        "publisher": publisher,
        "year": str(year),
    }
    return _reference("incollection", text, authors, fields, more)


def book(
    authors: str,
    year: int,
    title: str,
    publisher: str,
    *,
    edition: str = "",
    part: str = "",
    **more: str,
) -> Reference:
    """Make the reference of a book, or of a part of it such as "section 5.8"."""
    which = "".join(f", {word}" for word in (f"{edition} ed." if edition else "", part) if word)
    text = _text(authors, year, f"{title}{which}", publisher)
    fields = {
        "title": title,
        "publisher": publisher,
        "year": str(year),
        "edition": edition,
        "note": part[:1].upper() + part[1:],
    }
    return _reference("book", text, authors, fields, more)


def thesis(authors: str, year: int, title: str, school: str) -> Reference:
    """Make the reference of a thesis for a doctorate."""
    text = _text(authors, year, title, f"PhD thesis, {school}")
    fields = {"title": title, "school": school, "year": str(year)}
    return _reference("phdthesis", text, authors, fields, {})


def paper(authors: str, year: int, title: str) -> Reference:
    """Make the reference of a paper of which no more is known."""
    fields = {"title": title, "year": str(year)}
    return _reference("misc", _text(authors, year, title, ""), authors, fields, {})


def preprint(authors: str, year: int, title: str, number: str) -> Reference:
    """Make the reference of a preprint on arXiv, by its number there."""
    text = _text(authors, year, title, f"arXiv {number}")
    fields = {
        "title": title,
        "eprint": number,
        "archiveprefix": "arXiv",
        "year": str(year),
        "url": f"https://arxiv.org/abs/{number}",
    }
    return _reference("misc", text, authors, fields, {})


def _text(authors: str, year: int, title: str, rest: str) -> str:
    end = "" if title.endswith("?") else "."
    return f"{authors} ({year}). {title}{end}" + (f" {rest}." if rest else "")


def _reference(
    kind: str, text: str, authors: str, fields: Mapping[str, str], more: Mapping[str, str]
) -> Reference:
    given = {name: value for name, value in {**fields, **more}.items() if value}
    return Reference(text, kind, tuple(_BETWEEN.split(authors)), MappingProxyType(given))
