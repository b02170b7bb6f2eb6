"""The interface of the records of words, and tables of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

from nbcompare.words.literature import CITATIONS


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


def explanation(about: str, word: str) -> str:
    """Return how a test works, in Markdown with formulas, for a report.

    The texts are in ``explanations.md``, each under a heading of what it is ``about`` and the word.
    In those on omnibus tests ``FORM`` stands for the treatment of ties, and ``FORMULA`` for the
    part of the formula that depends on it.
    """
    return _texts("explanations.md")[f"{about} {word}"]


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
