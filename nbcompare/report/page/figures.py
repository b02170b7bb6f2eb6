"""Write the figures of nbcompare into a page as drawings whose text is text.

A notebook has them as SVG with what its parts stand for (`nbcompare._render.parts`). Anybody may
write a notebook: only elements and attributes that draw are taken over, none of which names more
than a part of the same drawing. What is no such record is shown as the picture of the figure.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from nbcompare._render.parts import DRAWING
from nbcompare._render.rich import lightened
from nbcompare._validation import clean_label

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["Figures", "outlines", "record_of"]

_FONTS = "'DejaVu Sans', 'Verdana', sans-serif"
_ELEMENTS = ("g", "path", "use", "text", "tspan", "defs", "clipPath", "rect", "pattern")
_DEFINED = ("path", "clipPath", "pattern")  # to which other elements refer
_NAMES = """
clip-path d fill fill-opacity font-family font-size font-style font-weight height opacity
patternUnits stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-opacity
stroke-width text-anchor transform width x y
"""
_ATTRIBUTES = frozenset(_NAMES.split())
# Without a colon, a slash or a backslash, no value is an address or a script
_HARMLESS = re.compile(r"[\w\s.,#()'%+-]*", re.ASCII)
_SIZE = re.compile(r"0 0 (1?\d{1,4}(?:\.\d+)?) (1?\d{1,4}(?:\.\d+)?)")  # points
_NAME = re.compile(r"(#|url\(#)([\w-]+)(\)?)")
_MARK = re.compile(r"mark-(\d+)")
_CAPTION_ID = re.compile(r'<caption id="([^"]*)"')
_SECTIONS = ("pairs", "hypotheses")  # whose tables have a row for each pair
_MOST_ELEMENTS, _MOST_LETTERS = 30_000, 4_000_000


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
        try:
            written = _Drawing(record, f"{self._prefix}{self.number + 1}", table).write(alt)
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
    """One figure, whose ids begin with a prefix, and whose marks lead to a table."""

    def __init__(self, record: Mapping[str, Any], prefix: str, table: str) -> None:
        svg, self.table = record["svg"], table
        # no declarations, which define entities or name files; Matplotlib's are gone by now
        if len(svg) > _MOST_LETTERS or "<!" in svg or "<?" in svg:
            raise ValueError
        self.root = ElementTree.fromstring(svg)
        self.names = [clean_label(name) for name in record["names"]]
        self.marks = [
            (clean_label(mark["title"]), [*map(int, mark["of"])], mark.get("pair") is True)
            for mark in record["marks"]
        ]
        places = {place for _, of, _ in self.marks for place in of}
        elements = list(self.root.iter())
        if len(elements) > _MOST_ELEMENTS or not places <= {*range(len(self.names))}:
            raise ValueError
        # a pattern of patterns of patterns would never be drawn
        for it in elements:
            if it.tag.endswith(("pattern", "clipPath")) and b"url(" in ElementTree.tostring(it):
                raise ValueError
        named = (it.get("id") for it in elements if it.tag.endswith(_DEFINED))
        known = [name for name in dict.fromkeys(named) if name and not _MARK.fullmatch(name)]
        self.ids = {name: f"{prefix}-{number}" for number, name in enumerate(known)}
        self.defined: set[str] = set()
        self.met: set[int] = set()  # marks that have begun

    def write(self, alt: str) -> str:
        """Write the drawing."""
        size = _SIZE.fullmatch(self.root.get("viewBox", ""))
        if size is None:
            raise ValueError
        self._arrange(self.root)
        self.root.tag, self.root.attrib = "svg", {
            "class": "nbf",
            "viewBox": size[0],
            "width": f"{size[1]}pt",
            "height": f"{size[2]}pt",
            "font-family": _FONTS,
            "role": "group",
            "aria-label": alt,
            "data-names": json.dumps(self.names, ensure_ascii=False, separators=(",", ":")),
        }  # fmt: skip
        # an HTML parser reads self-closing tags as opening tags
        return ElementTree.tostring(self.root, encoding="unicode", short_empty_elements=False)

    def _arrange(self, parent: ElementTree.Element) -> None:
        """Keep what draws in an element; neighbours that are of one mark stand together."""
        children = list(parent)
        for child in children:
            parent.remove(child)
            child.tag = child.tag.rpartition("}")[2]
        kept = [child for child in children if child.tag in _ELEMENTS]
        for place, run in groupby(kept, self._mark):
            into = parent if place is None else self._group(parent, place)
            for child in run:
                child.attrib = self._attributes(child)
                self._arrange(child)
                into.extend(child if child.tag == "g" and not child.attrib else [child])

    def _mark(self, element: ElementTree.Element) -> int | None:
        found = _MARK.fullmatch(element.get("id", ""))
        return int(found[1]) if found and int(found[1]) < len(self.marks) else None

    def _group(self, parent: ElementTree.Element, place: int) -> ElementTree.Element:
        """Begin a part of a mark; the first of them says what it is, and leads to its table."""
        title, of, is_pair = self.marks[place]
        group = ElementTree.SubElement(
            parent, "g", {"class": "m", "data-m": str(place), "data-of": " ".join(map(str, of))}
        )
        if place not in self.met:
            self.met.add(place)
            ElementTree.SubElement(group, "title").text = title
            if is_pair and self.table:
                group.tag = "a"
                group.set("href", f"#{self.table}")
            else:
                group.set("role", "img")
        return group

    def _attributes(self, element: ElementTree.Element) -> dict[str, str]:
        """Return attributes and properties that draw; of ids, those to which others may refer."""
        parts = [part.partition(":") for part in element.get("style", "").split(";")]
        given = [*element.items(), *((name.strip(), value.strip()) for name, _, value in parts)]
        kept: dict[str, str] = {}
        for name, value in given:
            name = name.rpartition("}")[2]
            if name == "id" and value in self.ids and value not in self.defined:
                self.defined.add(value)
                kept[name] = self.ids[value]
            elif name == "href" or "url" in value.lower():
                found = _NAME.fullmatch(value)
                if found and found[2] in self.ids:
                    kept[name] = f"{found[1]}{self.ids[found[2]]}{found[3]}"
            elif name in _ATTRIBUTES and _HARMLESS.fullmatch(value) and value != _FONTS:
                kept[name] = value
        if element.tag == "path" and "id" in kept:  # whoever uses it says how it looks
            kept = {name: kept[name] for name in ("d", "id") if name in kept}
        return kept
