"""Write the figures of nbcompare into a page as drawings whose text is text.

A notebook has them as SVG with what its parts stand for (`nbcompare._render.drawing`). The page
takes nothing over as it is: elements are written anew with those attributes alone whose values are
known to be harmless, and text is escaped, so that a notebook of somebody else puts no markup,
script or address into the page. What is no such record is not drawn, and the page shows the picture
of the figure instead.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from nbcompare._render.drawing import DRAWING
from nbcompare._render.rich import lightened

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["Figures", "outlines", "record_of"]

_FIGURE = "nbf"  # the class of a drawing
_FONTS = "'DejaVu Sans', 'Verdana', sans-serif"
_ELEMENTS = ("g", "path", "use", "text", "tspan", "defs", "clipPath", "rect", "pattern")
_LETTERED, _EMPTY = ("text", "tspan"), ("path", "use", "rect")
_NUMBER = r"-?\d{1,6}(?:\.\d{1,20})?(?:e-\d{1,3})?"
_NAMES = """
clip-path d fill fill-opacity font-family font-size font-style font-weight height href opacity
patternUnits stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-opacity
stroke-width text-anchor transform width x y
"""
_ATTRIBUTES = frozenset(_NAMES.split())
# Without a colon, a slash or a backslash, no value is an address or a script
_HARMLESS = re.compile(r"[\w\s.,#()'%+-]*", re.ASCII)
_POINTERS = {"href": "path", "clip-path": "clipPath", "fill": "pattern"}  # what they may refer to
_NAME = re.compile(r"(?:url\()?#([\w-]+)\)?")
_SIZE = re.compile(rf"0 0 ({_NUMBER}) ({_NUMBER})")
_MARK = re.compile(r"mark-(\d{1,6})")
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff]")
_CAPTION_ID = re.compile(r'<caption id="([^"]*)"')
_SECTIONS = ("pairs", "hypotheses")  # whose tables have a row for each pair
_MOST_ELEMENTS, _MOST_LETTERS, _MOST_NAMES = 30_000, 4_000_000, 1_000
_LARGEST = 20_000.0  # points
_LONGEST_TITLE = 2_000


class Figures:
    """The drawings of a page, whose ids differ.

    Parameters
    ----------
    prefix : str, optional
        Begins the ids within the drawings.
    """

    def __init__(self, prefix: str = "f") -> None:
        self._prefix, self.number = prefix, 0

    def draw(self, nb: NotebookNode) -> None:
        """Draw the figures of a notebook whose tables and figures have their ids.

        Parameters
        ----------
        nb : nbformat.NotebookNode
            Prepared, with the records of figures under our own name; changed in place.
        """
        outputs = [output for cell in nb.cells for output in cell.get("outputs", [])]
        for place, output in enumerate(outputs):
            own = output.get("metadata", {}).get("nbcompare")
            record = own.pop("record", None) if own else None
            if record is None:
                continue
            table = _table_near(outputs, place)
            try:
                own["drawing"] = self.drawing(record, output.metadata["alt"], table)
            except (ValueError, TypeError, LookupError, AttributeError):
                own["drawing"] = ""

    def drawing(self, record: Mapping[str, Any], alt: str, table: str = "") -> str:
        """Write one figure.

        Parameters
        ----------
        record : mapping
            The record, of unknown origin.
        alt : str
            The alternative text.
        table : str
            The id of the table of pairs; empty if there is none.

        Raises
        ------
        ValueError, TypeError, LookupError, AttributeError
            If it is not of the form.
        """
        prefix = f"{self._prefix}{self.number + 1}"
        try:
            written = _Drawing(record, prefix, table).write(alt)
        except (ElementTree.ParseError, RecursionError) as error:
            raise ValueError("the record has no SVG") from error
        self.number += 1
        return written


def outlines(svg: str) -> str:
    """Compress the picture of a figure for those who save it, whose text is outlines."""
    packed = gzip.compress(lightened(svg).encode(), mtime=0)
    return base64.b64encode(packed).decode()


def record_of(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the record of a figure, if an output has one beside its picture."""
    record = data.get(DRAWING)
    return record if isinstance(record, Mapping) and "image/svg+xml" in data else None


def _table_near(outputs: Sequence[NotebookNode], place: int) -> str:
    """Return the id of the last table of pairs before a figure, or else of the first after it."""
    order = [*range(place - 1, -1, -1), *range(place + 1, len(outputs))]
    for other in order:
        own = outputs[other].get("metadata", {}).get("nbcompare") or {}
        if own.get("section") in _SECTIONS or (own.get("digest") and not own.get("section")):
            found = _CAPTION_ID.search(str(outputs[other].get("data", {}).get("text/html", "")))
            if found:
                return html.unescape(found[1])
    return ""


class _Drawing:
    """One figure, read with suspicion."""

    def __init__(self, record: Mapping[str, Any], prefix: str, table: str) -> None:
        svg, self.table = record["svg"], table
        # no declarations, which define entities or name files; Matplotlib's are gone by now
        if len(svg) > _MOST_LETTERS or "<!" in svg or "<?" in svg:
            raise ValueError
        self.root = ElementTree.fromstring(svg)
        elements = list(self.root.iter())
        self.ids: dict[str, str] = {}
        for element in elements:
            element.tag = element.tag.rpartition("}")[2]
            name = f"{element.tag}#{element.get('id')}"
            if name in self.ids:
                del element.attrib["id"]
            elif element.tag in _POINTERS.values() and not _MARK.fullmatch(
                element.get("id", "mark-0")
            ):
                self.ids[name] = f"{prefix}-{len(self.ids)}"
            # a pattern of patterns of patterns would never be drawn
            if element.tag in ("pattern", "clipPath") and b"url(" in ElementTree.tostring(element):
                raise ValueError
        self.names = [_without_controls(name) for name in record["names"]]
        self.marks = [
            (
                _without_controls(mark["title"])[:_LONGEST_TITLE],
                [int(place) for place in mark["of"]],
                mark,
            )
            for mark in record["marks"]
        ]
        for _, of, _ in self.marks:
            if len(of) > len(self.names) or not all(0 <= it < len(self.names) for it in of):
                raise ValueError
        if len(elements) > _MOST_ELEMENTS or len(self.names) > _MOST_NAMES:
            raise ValueError
        self.definitions: list[str] = []
        self.met: set[int] = set()  # marks that have begun

    def write(self, alt: str) -> str:
        """Write the drawing."""
        size = _SIZE.fullmatch(self.root.get("viewBox", ""))
        if size is None or not all(0 <= float(side) <= _LARGEST for side in size.groups()):
            raise ValueError
        width, height = size.groups()
        inside = self._inside(self.root)
        if len(inside) > _MOST_LETTERS:
            raise ValueError
        names = json.dumps(self.names, ensure_ascii=False, separators=(",", ":"))
        return (
            f'<svg class="{_FIGURE}" viewBox="{size[0]}" width="{width}pt" height="{height}pt" '
            f'font-family="{_FONTS}" role="group" aria-label="{html.escape(alt)}" '
            f'data-names="{html.escape(names)}"><defs>{"".join(self.definitions)}</defs>'
            f"{inside}</svg>"
        )

    def _inside(self, element: ElementTree.Element) -> str:
        """Write the text and the elements in an element; those of one mark stand together."""
        has_letters = element.tag in _LETTERED
        written = [_letters(element.text)] if has_letters else []
        for place, run in groupby(element, self._mark):
            found = "".join(
                self._element(child) + (_letters(child.tail) if has_letters else "")
                for child in run
            )
            written.append(found if place is None or not found else self._marked(place, found))
        return "".join(written)

    def _mark(self, element: ElementTree.Element) -> int | None:
        found = _MARK.fullmatch(element.get("id", ""))
        return int(found[1]) if found and int(found[1]) < len(self.marks) else None

    def _marked(self, place: int, inside: str) -> str:
        """Wrap the parts of a mark; the first of them says what it is, and leads to its table."""
        title, of, mark = self.marks[place]
        data = f'class="m" data-m="{place}" data-of="{" ".join(map(str, of))}"'
        if place in self.met:
            return f"<g {data}>{inside}</g>"
        self.met.add(place)
        title = f"<title>{html.escape(title, quote=False)}</title>"
        if mark.get("pair") is True and self.table:
            return f'<a {data} href="#{html.escape(self.table)}">{title}{inside}</a>'
        return f'<g {data} role="img">{title}{inside}</g>'

    def _element(self, element: ElementTree.Element) -> str:
        if element.tag not in _ELEMENTS:
            return ""
        inside = "" if element.tag in _EMPTY else self._inside(element)
        if element.tag == "defs":
            self.definitions.append(inside)
            return ""
        own = self.ids.get(f"{element.tag}#{element.get('id')}")
        attributes = dict(self._attributes(element))
        if own and element.tag == "path":  # whoever uses it says how it looks
            attributes = {"d": attributes.get("d", "")}
        if own:
            attributes["id"] = own
        if element.tag == "g" and not (attributes and inside):
            return inside
        start = "".join(f' {name}="{html.escape(text)}"' for name, text in attributes.items())
        return f"<{element.tag}{start}>{inside}</{element.tag}>"

    def _attributes(self, element: ElementTree.Element) -> Iterator[tuple[str, str]]:
        """Yield the attributes and properties whose values are of a known form."""
        parts = [part.partition(":") for part in element.get("style", "").split(";")]
        given = [*element.items(), *((name.strip(), value.strip()) for name, _, value in parts)]
        for name, value in given:
            name = name.rpartition("}")[2]
            if name not in _ATTRIBUTES or not _HARMLESS.fullmatch(value):
                continue
            if name == "href" or "(#" in value or "url" in value.lower():
                found = _NAME.fullmatch(value)
                own = self.ids.get(f"{_POINTERS.get(name)}#{found[1]}") if found else None
                if found is None or own is None:
                    continue
                value = value.replace(f"#{found[1]}", f"#{own}")
            if value != _FONTS:
                yield name, value


def _letters(text: str | None) -> str:
    return html.escape(_without_controls(text or ""), quote=False)


def _without_controls(value: str) -> str:
    """Return text without characters that no page may hold."""
    return _NOT_SHOWN.sub("\N{REPLACEMENT CHARACTER}", value)
