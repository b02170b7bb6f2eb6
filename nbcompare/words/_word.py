"""The interface of the records of words, and the literature that they cite."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

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


class Word(Protocol):
    """A record of a word that users may write."""

    @property
    def name(self) -> str:
        """The word that users write."""

    @property
    def cites(self) -> tuple[str, ...]:
        """Keys of the cited literature in :data:`CITATIONS`."""


W = TypeVar("W", bound=Word)
V = TypeVar("V")


def by_name(*words: W) -> Mapping[str, W]:
    """Return the records by their names, in this order.

    Raises
    ------
    KeyError
        If a record cites a key that is not in ``CITATIONS``, or two records have one name.
    """
    for word in words:
        for key in word.cites:
            if key not in CITATIONS:
                raise KeyError(f"{word.name!r} cites {key!r}, which is not in CITATIONS")
    table = {word.name: word for word in words}
    if len(table) < len(words):
        raise KeyError(f"two records have the same name: {', '.join(word.name for word in words)}")
    return MappingProxyType(table)


def for_each(words: Iterable[str], table: Mapping[str, V]) -> Mapping[str, V]:
    """Return a table that has an entry for each word and no other, read-only.

    Such tables hold what the records cannot, for example functions of other modules. A word
    without an entry is an error when the module is imported, not when a user first writes it.

    Raises
    ------
    KeyError
        If an entry is missing, or if there is one for another word.
    """
    words = tuple(words)
    missing = [word for word in words if word not in table]
    foreign = [word for word in table if word not in words]
    if missing or foreign:
        raise KeyError(f"the table lacks {missing} and has {foreign}, which are not such words")
    return MappingProxyType({word: table[word] for word in words})


def explanation(about: str, word: str, default: str | None = None) -> str:
    """Return how a test works, or what a figure shows, in Markdown with formulas, for a report.

    The texts are in ``explanations.md``, each under a heading of what it is ``about`` and the word.
    In those on omnibus tests ``FORM`` stands for the treatment of ties, and ``FORMULA`` for the
    part of the formula that depends on it. Without a ``default``, there must be a text.
    """
    texts, name = _texts("explanations.md"), f"{about} {word}"
    return texts[name] if default is None else texts.get(name, default)


def text_of_note(name: str) -> str:
    """Return the text of a note as one line, with the facts that it mentions in braces."""
    return " ".join(_texts("notes.md")[name].split())


def texts_on_methods(name: str) -> list[str]:
    """Return the sentences of a paragraph on methods, with facts in braces."""
    return _texts("methods.md")[name].split("\n\n")


def texts_of_advice(code: str) -> Mapping[str, str]:
    """Return the texts and the source of a reason for a recommendation; none without a reason."""
    return _tables("advice.toml").get(code, {})


def texts_of_rule(name: str) -> Mapping[str, str]:
    """Return the texts of a rule on options: the reason, what to do instead, the whole message."""
    return _tables("rules.toml")[name]


@cache
def _tables(file: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


@cache
def _texts(file: str) -> Mapping[str, str]:
    """Return the texts of a file, each under a heading of the second level."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    _, *parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))
