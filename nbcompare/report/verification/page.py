"""Read the parts of a report's page: the results embedded in it, and their displays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nbcompare._display import FEWEST, MOST, USUAL
from nbcompare._validation import clean_label
from nbcompare._version import __version__
from nbcompare.report.page.digests import embedded_digests
from nbcompare.report.page.markup import Element, read_markup
from nbcompare.report.page.pieces import RESULTS, pieces
from nbcompare.report.verification.changes import Changes, changes
from nbcompare.report.verification.surroundings import unchecked
from nbcompare.results import SCHEMA

__all__ = ["Display", "Page", "check_results", "read_page"]

_DIGEST, _SECTION = "data-nbcompare-result", "data-nbcompare-section"
_DIGITS = "data-nbcompare-digits"
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LONGEST_HEADING = 60
_MOST_RESULTS = 500  # each of them is recomputed
_NO_DIGESTS = (
    "no digests say what its text and figures were at export; nbcompare embeds them, and so does "
    "jupyter nbconvert --to nbcompare"
)
# What the page's script adds once a browser runs it
_TOOLS = frozenset(("page-tools", "table-tools"))


@dataclass(frozen=True)
class Display:
    """A part of a page that shows a result, or looks as if it did.

    Attributes
    ----------
    digest : str
        The digest of the result as it is embedded in the page; empty for what shows none.
    section : str or None
        The section shown; None for the whole result.
    heading : str
        The nearest heading above it.
    digits : int
        The number of digits, as :func:`nbcompare.set_options` counts them.
    root : Element
        The element of the page that holds the display and nothing else.
    is_in_place : bool
        Whether it is where the template puts it, with nothing around it that could hide it.
    """

    digest: str
    section: str | None
    heading: str
    digits: int
    root: Element
    is_in_place: bool


@dataclass(frozen=True)
class Page:
    """A page that was read.

    Attributes
    ----------
    results : mapping
        JSON of the results, by digest.
    displays : tuple of Display
        The displays of results, in the order of the page.
    unmarked : tuple of Display
        Tables, and what else looks like a result but refers to none, such as scores.
    references : tuple of str
        The list of references.
    n_figures, n_outputs : int
        The numbers of pictures and of printed texts, which are not compared.
    unchecked : tuple of str
        Parts that may change how the page looks.
    changes : Changes or None
        What was changed since the export; None if the page does not hold digests that say so.
    """

    results: Mapping[str, Any]
    displays: tuple[Display, ...]
    unmarked: tuple[Display, ...]
    references: tuple[str, ...]
    n_figures: int
    n_outputs: int
    unchecked: tuple[str, ...]
    changes: Changes | None


def read_page(text: str) -> Page:
    """Read a page of HTML.

    Raises
    ------
    ValueError
        If it holds no results, or they are not JSON, or a browser changed the page.
    """
    markup = read_markup(text)
    elements = list(_with_headings(markup.root))
    if any(_TOOLS & set(element.classes) for element, _ in elements):
        raise ValueError(
            "`page` must be the file that nbcompare wrote; got one that a browser saved, with the "
            "buttons that a script adds to it."
        )
    displays = [
        _display(element, name) for element, name in elements if _DIGEST in element.attributes
    ]
    shown = {id(display.root) for display in displays}
    doubt = ""
    since = None
    try:
        before = embedded_digests(markup.root)
        if before is None:
            doubt = _NO_DIGESTS
        else:
            since = changes(before, pieces(markup.root))
    except ValueError as error:
        doubt = str(error)
    return Page(
        results=_results([element for element, _ in elements]),
        displays=tuple(displays),
        unmarked=tuple(_unmarked(elements, shown)),
        references=tuple(
            element.text()
            for element, _ in elements
            if element.tag == "li"
            and element.parent is not None
            and _lists_references(element.parent)
        ),
        n_figures=sum(element.tag in ("img", "svg") for element, _ in elements),
        n_outputs=sum(
            element.tag == "pre" and "text" in element.classes for element, _ in elements
        ),
        unchecked=(*markup.doubts, *unchecked(elements), *([doubt] if doubt else [])),
        changes=since,
    )


def _with_headings(root: Element) -> Iterator[tuple[Element, str]]:
    """Yield the elements of a page, each with the nearest heading above it."""
    heading = ""
    for element in root.elements():
        if element.tag in _HEADINGS:
            text = clean_label(element.text())
            heading = text if len(text) <= _LONGEST_HEADING else f"{text[:_LONGEST_HEADING]}…"
        yield element, heading


def _results(elements: list[Element]) -> dict[str, Any]:
    scripts = [
        element for element in elements if element.tag == "script" and element.get("id") == RESULTS
    ]
    if not scripts:
        raise ValueError(
            "`page` must hold results of nbcompare, as an HTML report does; none is embedded in it."
        )
    if len(scripts) > 1:
        raise ValueError(
            f"`page` must hold its results in one place; got {len(scripts)} scripts of them."
        )
    try:
        found = json.loads("".join(map(str, scripts[0].children)))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"`page` must hold its results as JSON: {error}.") from None
    return check_results(found)


def check_results(found: object) -> dict[str, Any]:
    """Refuse results that are none, too many, or written in another form."""
    if not isinstance(found, dict):
        raise ValueError("`page` must hold its results as JSON, an object by digest.")
    if len(found) > _MOST_RESULTS:
        raise ValueError(f"`page` must hold at most {_MOST_RESULTS} results; got {len(found):,}.")
    _check_schemas(found)
    return found


def _check_schemas(results: dict[str, Any]) -> None:
    """Refuse a page whose results another version of nbcompare wrote in another form."""
    for document in results.values():
        schema = document.get("schema") if isinstance(document, dict) else None
        if isinstance(schema, int) and schema != SCHEMA:
            raise ValueError(
                f"`page` must hold results of schema {SCHEMA}; got schema {schema}, written by "
                f"nbcompare {clean_label(str(document.get('nbcompare')))}. Export it again with "
                f"this version, {__version__}."
            )


def _unmarked(elements: list[tuple[Element, str]], shown: set[int]) -> Iterator[Display]:
    """Find tables, and parts that look like results, outside all displays."""
    for element, heading in elements:
        if element.tag != "table" and "nbcompare" not in element.classes:
            continue
        if any(id(other) in shown for other in element.above()):
            continue
        is_of_ours = element.tag == "div"
        root = element.parent if is_of_ours and element.parent is not None else element
        shown.add(id(element))
        yield _display(root, heading)


def _display(root: Element, heading: str) -> Display:
    section = root.get(_SECTION)
    return Display(
        digest=root.get(_DIGEST),
        section=section or None,
        heading=heading,
        digits=_digits(root),
        root=root,
        is_in_place=_is_in_place(root),
    )


def _digits(root: Element) -> int:
    """Read the number of digits that a display records; the usual number if there is none."""
    said = next((element.get(_DIGITS) for element in root.elements() if element.get(_DIGITS)), "")
    known = {str(number): number for number in range(FEWEST, MOST + 1)}
    return known.get(said, USUAL.digits)


_NEVER_FOLDED = ("findings", "pairs", "methods")


def _is_in_place(root: Element) -> bool:
    """Whether an output is in a cell, the cell in the main part, and that in the page.

    Cells of the main part may be folded together, but not those that show the answer.
    """
    around = [(element.tag, element.classes) for element in root.above()]
    folded = around[1:2] == [("details", ["folded"])]
    # methods after other ones are named with the literature of these
    section = (root.get(_SECTION) or "").partition(" ")[0]
    if folded and section not in _NEVER_FOLDED:
        del around[1]
    if [tag for tag, _ in around] != ["div", "main", "body", "html", ""]:
        return False
    (_, cell), (_, main), (_, body), *_ = around
    return (
        "cell" in cell
        and all(name == "cell" or name.startswith("celltag_") for name in cell)
        and not main
        and body in ([], ["with-contents"])
    )


def _lists_references(element: Element) -> bool:
    return element.tag == "ol" and "references" in element.classes
