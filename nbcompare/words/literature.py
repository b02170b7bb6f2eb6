"""The literature that results and reports cite, from ``literature.bib`` beside this module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

# One field on a line, and no braces within one: the file is ours
_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n((?:  \w+ = \{[^{}\n]+\},\n)+)\}$", re.MULTILINE)
_FIELD = re.compile(r"  (\w+) = \{(.+)\},")
# Matches the surnames of a reference, such as "Skillings, J. H. and Mack, G. A. (1981)."
_SURNAME = re.compile(r"([^\W\d_][^,.&]*?), (?:[^\W\d_]\.[ -]?)+")


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


def references_in(text: str) -> dict[str, Reference]:
    """Return the references of a file of BibTeX, by key.

    Raises
    ------
    ValueError
        If an entry is not written as ours are, or a key comes twice.
    """
    found: dict[str, Reference] = {}
    for kind, key, lines in _ENTRY.findall(text):
        fields = dict(_FIELD.findall(lines))
        authors = tuple(fields.pop("author").split(" and "))
        printed = fields.pop("printed", "") or _printed(kind, authors, fields)
        if key in found:
            raise ValueError(f"{key} is there twice")
        found[key] = Reference(printed, kind, authors, MappingProxyType(fields))
    if len(found) != len(re.findall("^@", text, re.MULTILINE)):
        raise ValueError("an entry has another form than the others")
    return found


def _printed(kind: str, authors: tuple[str, ...], fields: Mapping[str, str]) -> str:
    """Return what a list of references prints of a publication."""
    title, rest = fields["title"], ""
    if kind == "article":
        issue = f" ({fields['number']})" if "number" in fields else ""
        rest = f"{fields['journal']} {fields['volume']}{issue}, {fields['pages']}"
    elif kind == "incollection":
        series = f", {fields['series']}" if "series" in fields else ""
        rest = f"In {fields['booktitle']}{series}, {fields['pages']}. {fields['publisher']}"
    elif kind == "book":
        note = fields.get("note", "")
        edition = f"{fields['edition']} ed." if "edition" in fields else ""
        title = ", ".join(filter(None, [title, edition, note[:1].lower() + note[1:]]))
        rest = fields["publisher"]
    elif kind == "phdthesis":
        rest = f"PhD thesis, {fields['school']}"
    elif "eprint" in fields:
        rest = f"arXiv {fields['eprint']}"
    names = " and ".join(filter(None, [", ".join(authors[:-1]), authors[-1]]))
    end = "" if title.endswith("?") else "."
    return f"{names} ({fields['year']}). {title}{end}" + (f" {rest}." if rest else "")


LITERATURE: Mapping[str, Reference] = MappingProxyType(
    references_in(Path(__file__).with_name("literature.bib").read_text(encoding="utf-8"))
)
# what a list of references prints, by key
CITATIONS = MappingProxyType({key: each.text for key, each in LITERATURE.items()})
_KEYS = {text: key for key, text in CITATIONS.items()}


def cited(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the references with these keys, each once, sorted by author."""
    return tuple(CITATIONS[key] for key in sorted(set(keys)))


def short_citation(key: str) -> str:
    """Return the citation of a reference in a text, such as ``García and Herrera 2008``."""
    head, _, tail = CITATIONS[key].partition(" (")
    names = _SURNAME.findall(head.replace(" and ", ", ") + " ") or [head]
    names = [name.strip(" ,") for name in names]
    if len(names) > 2:
        names = [f"{names[0]} et al."]
    return f"{' and '.join(names)} {tail[:4]}"


def literature_of(texts: Iterable[str]) -> dict[str, Reference]:
    """Return the references that a list prints, by key, each once."""
    return {_KEYS[text]: LITERATURE[_KEYS[text]] for text in texts}
