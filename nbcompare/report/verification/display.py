"""Compare one display of a page with a fresh rendering of the same result."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from nbcompare._display import Options
from nbcompare._render import Rich, html, latex, parts_of
from nbcompare.report.page.captions import described
from nbcompare.report.page.markup import Element, read_markup
from nbcompare.results import Result, left_out

__all__ = ["Shown", "around", "differences", "fresh", "numbers", "shown"]

_LABEL = re.compile(r"Table \d+\.")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_CELL = re.compile(r"(row \d+, column (\d+))(.*)")
_CONTEXT = 4  # words that are quoted around a change
_MOST_WORDS = 2_000  # of texts that are compared word by word, in quadratic time
_WHOLE = "the text"
# What a display of any version is made of
_ELEMENTS = "div p table caption thead tbody tfoot tr th td strong bdi ul li"
_TAGS = frozenset(_ELEMENTS.split())
_ATTRIBUTES = frozenset(
    ("class", "scope", "colspan", "style", "data-latex", "data-left-out", "data-nbcompare-digits")
)
_ALIGNMENT = re.compile(r"text-align:(left|right)")

_Tree = tuple[str, tuple[tuple[str, str], ...], tuple["_Tree | str", ...]]


class Shown(NamedTuple):
    """What a reader sees of a display, and the markup that makes it so.

    Attributes
    ----------
    texts : mapping of str to str
        The text of each cell, caption, paragraph and note, by its place; last the whole text, in
        which nothing can hide.
    tree : tuple
        Elements, their attributes and their text, without the numbers that the page gives to
        tables.
    """

    texts: Mapping[str, str]
    tree: tuple[_Tree | str, ...]

    @property
    def foreign(self) -> str | None:
        """The first element that no version of nbcompare writes into a display, or None."""
        return next(_foreign(self.tree), None)


def shown(root: Element) -> Shown:
    """Read the display that an element of a page holds."""
    return Shown(_texts(root), tuple(_trees(root)))


def fresh(source: Rich, digits: int, section: str | None = None) -> Shown:
    """Render data, or a result or a section of one, as a page shows it."""
    with Options(digits=digits):
        if section is not None and isinstance(source, Result):
            source = source.section(section)
        parts = parts_of(source)
        markup = html.with_classes(html.render(parts))
        rest = left_out(source) if section is None and isinstance(source, Result) else ()
        return shown(read_markup(described(markup, latex.render_display(parts), rest)).root)


def differences(found: Shown, due: Shown) -> Iterator[str]:
    """Name the places where a display is not what it should be."""
    if found.texts != due.texts:
        yield from _other_texts(found.texts, due.texts)
    elif told := next(_other_markup(found.tree, due.tree), None):
        yield f"the markup has {told}"


def notes_of(found: Shown) -> tuple[str, ...]:
    """Return the notes of a display, in order."""
    return tuple(text for place, text in found.texts.items() if place.startswith("note"))


def around(here: str, there: str) -> str:
    """Quote a text and what was recomputed, shortened to the first change."""
    return next(_changes(here, there))


def numbers(found: Shown) -> list[str]:
    """Return every number in the text of a display, in order."""
    return _NUMBER.findall(found.texts[_WHOLE])


# ----------------------------------------------------------------------------- differences


def _other_texts(found: Mapping[str, str], due: Mapping[str, str]) -> Iterator[str]:
    if found.keys() != due.keys():  # something was added or is missing
        for told in _changes(found[_WHOLE], due[_WHOLE]):
            yield f"the text reads {told}"
        return
    places = [place for place in due if found[place] != due[place]]
    for place in places:
        if place != _WHOLE or len(places) == 1:
            yield f"{_named(place, due)} reads {around(found[place], due[place])}"


def _named(place: str, texts: Mapping[str, str]) -> str:
    """Name a cell with the header of its column."""
    cell = _CELL.fullmatch(place)
    if cell is None:
        return place
    return f"{cell[1]} ({texts.get(f'header {cell[2]}{cell[3]}')!r}){cell[3]}"


def _changes(here: str, there: str) -> Iterator[str]:
    """Quote each change with the words around it; short texts are quoted whole."""
    one, two = here.split(" "), there.split(" ")
    if max(len(one), len(two)) <= 2 * _CONTEXT:
        yield f"{here!r}, recomputed {there!r}"
        return
    start = next((i for i, (a, b) in enumerate(zip_longest(one, two)) if a != b), len(one))
    start = max(0, start - _CONTEXT)
    one, two = (words[start : start + _MOST_WORDS] for words in (one, two))
    matcher = difflib.SequenceMatcher(None, one, two, autojunk=False)
    for kind, low, high, low_two, high_two in matcher.get_opcodes():
        if kind != "equal":
            read, due = _cut(one, low, high, start), _cut(two, low_two, high_two, start)
            yield f"{read!r}, recomputed {due!r}"


def _cut(words: list[str], start: int, end: int, before: int) -> str:
    low, high = max(0, start - _CONTEXT), end + _CONTEXT
    text = " ".join(words[low:high])
    return f"{'… ' if low or before else ''}{text}{' …' if high < len(words) else ''}"


def _other_markup(found: tuple[_Tree | str, ...], due: tuple[_Tree | str, ...]) -> Iterator[str]:
    """Name the places where two trees with the same text differ."""
    for one, two in zip_longest(found, due, fillvalue=""):
        if one == two:
            continue
        if isinstance(one, str) or isinstance(two, str) or not _starts_alike(one, two):
            yield f"{_start(one)} instead of {_start(two)}"
        else:
            yield from _other_markup(one[2], two[2])


def _starts_alike(found: _Tree, due: _Tree) -> bool:
    """Whether two elements start alike; a page need not hold what copies of its tables need."""
    attributes, there = dict(due[1]), dict(found[1])
    for name in {"data-latex", "data-left-out"}.difference(there):
        attributes.pop(name, None)
    return found[0] == due[0] and there == attributes


def _start(node: _Tree | str) -> str:
    if isinstance(node, str):
        return "text" if node else "nothing"
    attributes = "".join(f' {name}="{value[:40]}"' for name, value in node[1])
    return f"<{node[0]}{attributes}>"


def _foreign(trees: tuple[_Tree | str, ...]) -> Iterator[str]:
    for node in trees:
        if isinstance(node, str):
            continue
        tag, attributes, inner = node
        aligned = all(_ALIGNMENT.fullmatch(value) for name, value in attributes if name == "style")
        if tag not in _TAGS or not aligned or not _ATTRIBUTES.issuperset(dict(attributes)):
            yield _start(node)
        yield from _foreign(inner)


# ---------------------------------------------------------------------------------- reading


def _trees(root: Element) -> Iterator[_Tree | str]:
    """Yield the children of an element as trees, text without superfluous white space."""
    label = _label(root)
    for child in root.children:
        if isinstance(child, str):
            if words := " ".join(child.split()):
                yield words
        elif child is not label:
            yield child.tag, tuple(sorted(_attributes(child))), tuple(_trees(child))


def _attributes(element: Element) -> Iterator[tuple[str, str]]:
    for name, value in element.attributes.items():
        if element.tag == "caption" and name == "id" and value.startswith("tab-"):
            continue  # so that text can refer to the table
        yield name, " ".join(value.split()) if name == "class" else value


def _label(caption: Element) -> Element | None:
    """Find the number that the page gives to a table in its caption."""
    first = next((child for child in caption.children if isinstance(child, Element)), None)
    if caption.tag != "caption" or first is None or first.tag != "span":
        return None
    return first if first.classes == ["number"] and _LABEL.fullmatch(first.text()) else None


def _texts(root: Element) -> dict[str, str]:
    found: dict[str, str] = {}
    tables = list(root.elements("table"))
    for number, table in enumerate(tables, 1):
        found |= _texts_of_table(table, "" if len(tables) == 1 else f" of table {number}")
    for kind, name in (("p", "paragraph"), ("li", "note")):
        for number, element in enumerate(root.elements(kind), 1):
            found[f"{name} {number}"] = _text(element)
    found[_WHOLE] = _text(root)
    return found


def _texts_of_table(table: Element, which: str) -> dict[str, str]:
    found = {f"the caption{which}": _text(caption) for caption in table.elements("caption")}
    for number, row in enumerate(table.elements("tr")):
        cells = [_text(cell) for cell in row.elements("th", "td")]
        if not number:
            found |= {f"header {i}{which}": cell for i, cell in enumerate(cells, 1)}
            continue
        found |= {f"row {number}, column {i}{which}": cell for i, cell in enumerate(cells, 1)}
    return found


def _text(element: Element) -> str:
    """Return the text as a reader sees it, without the number of a table."""
    return " ".join(_words(_trees(element)))


def _words(trees: Iterator[_Tree | str] | tuple[_Tree | str, ...]) -> Iterator[str]:
    for node in trees:
        if isinstance(node, str):
            yield node
        else:
            yield from _words(node[2])
