"""The literature that the package cites, from its one table."""

from __future__ import annotations

from collections.abc import Mapping

from markup import block, plain

from nbcompare.results import bibtex_of
from nbcompare.words import LITERATURE


def page() -> str:
    """Return a list of all references, each with a label ``ref-KEY``."""
    entries = (f"(ref-{key})=\n{_entry(key)}" for key in sorted(LITERATURE))
    return "\n\n".join(entries)


def citation(key: str) -> str:
    """Return a link to an entry, by its authors and year, as the pages write it by hand."""
    return f"{{lit}}`{key}`"


def software() -> str:
    """Return how nbcompare itself is cited, as BibTeX."""
    return block("bibtex", bibtex_of(()))


def _entry(key: str) -> str:
    reference = LITERATURE[key]
    address = _address(reference.fields)
    text = plain(reference.text)
    return f"{text} <{address}>" if address else text


def _address(fields: Mapping[str, str]) -> str:
    doi = fields.get("doi", "")
    return f"https://doi.org/{doi}" if doi else fields.get("url", "")
