"""What a report is given, checked: authors, headings, names of sections and their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from nbcompare._options import SECTIONS
from nbcompare._validation import check_choice, one_line, shown

__all__ = ["WORD", "headings", "named", "names_of", "place_of"]

WORD = re.compile(r"[\w-]*")


def names_of(given: object) -> tuple[str, ...]:
    """The names of the authors."""
    if isinstance(given, str):
        return (str(one_line(given, "authors")),)
    if not isinstance(given, Iterable):
        raise TypeError(f"`authors` must be a list of names; got {type(given).__name__}.")
    return tuple(str(one_line(author, "authors")) for author in given)


def headings(given: object) -> dict[str, str]:
    """Headings of sections, by the name of the section."""
    if not isinstance(given, Mapping):
        raise TypeError(f"`titles` must be a mapping of names to titles; got {shown(given)}.")
    titles = {
        check_choice(name, "titles", tuple(SECTIONS)): one_line(title, "titles")
        for name, title in given.items()
    }
    return {name: title for name, title in titles.items() if title is not None}


def named(section: object, own: dict[str, Any]) -> str:
    """The name of a section; Markdown gets one, and is put among the author's own."""
    if not isinstance(section, str):
        raise TypeError(f"`section` must be a name or Markdown; got {type(section).__name__}.")
    if section in own:
        return section
    if WORD.fullmatch(section.strip()):
        return check_choice(section, "section", tuple(SECTIONS))
    number = 1
    while f"text-{number}" in own:
        number += 1
    own[f"text-{number}"] = section
    return f"text-{number}"


def place_of(names: tuple[str, ...], after: str | None, before: str | None) -> int:
    """The place in a list of sections that is asked for."""
    if (after is None) == (before is None):
        raise ValueError("give the place by `after` or by `before`: one of the two.")
    if after is not None:
        return names.index(check_choice(after, "after", names)) + 1
    return names.index(check_choice(before, "before", names))
