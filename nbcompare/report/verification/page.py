"""What stands in a report's page: the results embedded in it, and the text of what shows them."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bs4 import BeautifulSoup, Tag

from nbcompare._display import FEWEST, MOST, USUAL

__all__ = ["Display", "Page", "around", "differences", "numbers", "read_page", "shown_text"]

_SCRIPT = "nbcompare-results"
_DIGEST, _SECTION = "data-nbcompare-result", "data-nbcompare-section"
_DIGITS = "data-nbcompare-digits"
_LABEL = re.compile(r"Table \d+\.")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CELL = re.compile(r"(row \d+, column (\d+))(.*)")
_CONTEXT = 4  # words around a change that are told


@dataclass(frozen=True)
class Display:
    """A part of a page that shows a result.

    Attributes
    ----------
    digest : str
        Of the result, in which the page has it embedded; empty for what shows none.
    section : str or None
        The section shown; None for the whole result.
    heading : str
        The nearest one above it.
    digits : int
        Of its numbers, as :func:`nbcompare.set_options` counts them.
    texts : mapping of str to str
        The text of each cell, caption, paragraph and note, by where it stands.
    """

    digest: str
    section: str | None
    heading: str
    digits: int
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Page:
    """A page, read.

    Attributes
    ----------
    results : mapping
        JSON of the results, by digest.
    displays : tuple of Display
        In the order of the page: what shows a result.
    unmarked : tuple of Display
        What looks like a result but names none, such as a table of scores.
    references : tuple of str
        The list of references.
    n_figures : int
        How many pictures there are, which nobody compares.
    """

    results: Mapping[str, Any]
    displays: tuple[Display, ...]
    unmarked: tuple[Display, ...]
    references: tuple[str, ...]
    n_figures: int


def read_page(markup: str) -> Page:
    """Read a page of HTML.

    Raises
    ------
    ValueError
        If it holds no results, or they are no JSON.
    """
    soup = BeautifulSoup(markup, "html.parser")
    scripts = soup.find_all("script", id=_SCRIPT)
    if not scripts:
        raise ValueError(
            "`page` must hold results of nbcompare, as an HTML report does; none is embedded in it."
        )
    results: dict[str, Any] = {}
    for script in scripts:
        results |= _embedded(script.get_text())
    marked = soup.select(f"[{_DIGEST}]")
    plain = [root for root in soup.select("div.nbcompare") if not _is_inside(root, marked)]
    return Page(
        results=results,
        displays=tuple(map(_display, marked)),
        unmarked=tuple(map(_display, plain)),
        references=tuple(map(_text, soup.select("ol.references > li"))),
        n_figures=len(soup.find_all("img")),
    )


def shown_text(markup: str) -> dict[str, str]:
    """The text of each cell, caption, paragraph and note of a display, by where it stands."""
    return _texts(BeautifulSoup(markup, "html.parser"))


def differences(found: Mapping[str, str], expected: Mapping[str, str]) -> Iterator[str]:
    """Tell where the text of a display is not what it should be."""
    if found.keys() != expected.keys():  # something was added or is missing
        for told in _changes(found[_WHOLE], expected[_WHOLE]):
            yield f"the text reads {told}"
        return
    places = [place for place in expected if found[place] != expected[place]]
    for place in places:
        if place != _WHOLE or len(places) == 1:
            yield f"{_named(place, expected)} reads {around(found[place], expected[place])}"


def around(here: str, there: str) -> str:
    """What stands there and what is computed again, cut down to the first change."""
    return next(_changes(here, there))


def _named(place: str, texts: Mapping[str, str]) -> str:
    """A cell with the header of its column."""
    cell = _CELL.fullmatch(place)
    if cell is None:
        return place
    return f"{cell[1]} ({texts.get(f'header {cell[2]}{cell[3]}')!r}){cell[3]}"


def _changes(here: str, there: str) -> Iterator[str]:
    """Each change, with the words around it; short texts as a whole."""
    one, two = here.split(" "), there.split(" ")
    if max(len(one), len(two)) <= 2 * _CONTEXT:
        yield f"{here!r}, computed again {there!r}"
        return
    matcher = difflib.SequenceMatcher(None, one, two, autojunk=False)
    for kind, start, end, start_two, end_two in matcher.get_opcodes():
        if kind != "equal":
            read, due = _cut(one, start, end), _cut(two, start_two, end_two)
            yield f"{read!r}, computed again {due!r}"


def numbers(texts: Mapping[str, str]) -> list[str]:
    """Every number in the text of a display, in order."""
    return _NUMBER.findall(texts[_WHOLE])


# -------------------------------------------------------------------------------- reading


def _embedded(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`page` must hold its results as JSON: {error}.") from None
    if not isinstance(found, dict):
        raise ValueError("`page` must hold its results as JSON, an object by digest.")
    return found


def _display(root: Tag) -> Display:
    section = str(root.get(_SECTION) or "")
    heading = root.find_previous(_HEADINGS)
    return Display(
        digest=str(root.get(_DIGEST) or ""),
        section=section or None,
        heading=_text(heading) if heading is not None else "",
        digits=_digits(root),
        texts=_texts(root),
    )


def _digits(root: Tag) -> int:
    """What its numbers say they have; the usual if they do not, or say what cannot be."""
    tag = root if root.has_attr(_DIGITS) else root.select_one(f"[{_DIGITS}]")
    said = str(tag[_DIGITS]) if tag is not None else ""
    known = {str(number): number for number in range(FEWEST, MOST + 1)}
    return known.get(said, USUAL.digits)


def _is_inside(root: Tag, marked: Iterable[Tag]) -> bool:
    known = set(map(id, marked))
    return any(id(parent) in known for parent in (root, *root.parents))


# ------------------------------------------------------------------------------- its text

_WHOLE = "the text"


def _texts(root: Tag) -> dict[str, str]:
    """By where it stands; last the text as a whole, in which nothing can hide."""
    for tag in root.find_all(["button", "script", "style"]):
        tag.decompose()
    for tag in root.select("caption > span.number"):
        if _LABEL.fullmatch(_text(tag)):  # the page's own count
            tag.decompose()
    found: dict[str, str] = {}
    tables = root.find_all("table")
    for number, table in enumerate(tables, 1):
        found |= _texts_of_table(table, "" if len(tables) == 1 else f" of table {number}")
    for kind, name in (("p", "paragraph"), ("li", "note")):
        for number, tag in enumerate(root.find_all(kind), 1):
            found[f"{name} {number}"] = _text(tag)
    found[_WHOLE] = _text(root)
    return found


def _texts_of_table(table: Tag, which: str) -> dict[str, str]:
    found = {f"the caption{which}": _text(tag) for tag in table.find_all("caption")}
    for number, row in enumerate(table.find_all("tr")):
        cells = [_text(cell) for cell in row.find_all(["th", "td"])]
        if not number:
            found |= {f"header {i}{which}": cell for i, cell in enumerate(cells, 1)}
            continue
        found |= {f"row {number}, column {i}{which}": cell for i, cell in enumerate(cells, 1)}
    return found


def _text(tag: Tag) -> str:
    """As a reader sees it, on one line."""
    return " ".join(tag.get_text(" ").split())


def _cut(words: list[str], start: int, end: int) -> str:
    low, high = max(0, start - _CONTEXT), end + _CONTEXT
    text = " ".join(words[low:high])
    return f"{'… ' if low else ''}{text}{' …' if high < len(words) else ''}"
