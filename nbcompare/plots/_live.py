"""What the parts of a figure stand for, and the figure as SVG in which a page says so."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any, TypeVar
from weakref import WeakKeyDictionary
from xml.etree import ElementTree

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from nbcompare.plots._text import measured_width

_MOST = 20_000  # elements; of more, a page shows the picture
_LENGTHS = ("d", "x", "y", "width", "height", "viewBox", "transform")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_PLACE = re.compile(r"translate\(([\d.-]+) ([\d.-]+)\)(?: rotate\(([\d.-]+)\))?")
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SIDES = {"left": (0.0, "start"), "center": (0.5, "middle"), "right": (1.0, "end")}
_Drawn = TypeVar("_Drawn", bound=Artist)


@dataclass(frozen=True, slots=True)
class Mark:
    """Sentence about algorithms, which several parts of a figure may share.

    ``pair`` says that it is about a pair of algorithms that a table of pairs has a row for,
    ``dataset`` that it is about a data set.
    """

    title: str
    names: tuple[str, ...]
    pair: bool = False
    dataset: str = ""


# Beside the artists, whose ids are written into saved figures
_MARKS: WeakKeyDictionary[Artist, Sequence[Mark | None]] = WeakKeyDictionary()


def marked(artist: _Drawn, about: Mark | Sequence[Mark | None] | None) -> _Drawn:
    """Say what an artist stands for, or each item of a collection or each marker; return it."""
    if about is not None:
        _MARKS[artist] = (about,) if isinstance(about, Mark) else tuple(about)
    return artist


def marks_of(artist: Artist) -> Sequence[Mark | None]:
    """Return what an artist stands for: one mark, or one of each of its items, or none."""
    return _MARKS.get(artist, ())


def live_of(figure: Figure) -> dict[str, Any] | None:
    """Return the figure in the form of `nbcompare._render.parts`.

    None if it has images, or more elements than a page should hold. It changes the figure for a
    while: only one thread may draw.
    """
    papers = [figure.patch, *(ax.patch for ax in figure.axes)]
    artists = [it for it in figure.findobj() if marks_of(it) or _has_lines(it)]
    with _numbered([*artists, *papers]) as known:
        root = _drawn(figure)
    if root.find(".//image") is not None or sum(1 for _ in root.iter()) > _MOST:
        return None
    marks: dict[Mark, int] = {}
    texts = []
    for group in root.iter("g"):
        artist = known.get(group.attrib.pop("id", ""))
        if any(it is artist and to_hex(it.get_facecolor()) == "#ffffff" for it in papers):
            group.clear()  # the page around is the paper
        elif artist is not None:
            _mark(group, artist, marks)
            if isinstance(artist, Text) and _has_lines(artist):
                texts.append((group, artist))
    names = {name: None for mark in marks for name in mark.names}
    for group, text in texts:
        _join(group, text, names)
    places = {name: place for place, name in enumerate(names)}
    return {
        "svg": ElementTree.tostring(root, "unicode"),
        "names": list(names),
        "marks": [
            {"title": mark.title, "of": [places[name] for name in mark.names]}
            | ({"pair": True} if mark.pair else {})
            | ({"dataset": mark.dataset} if mark.dataset else {})
            for mark in marks
        ],
    }


def _has_lines(artist: Artist) -> bool:
    return isinstance(artist, Text) and "\n" in artist.get_text()


@contextmanager
def _numbered(artists: Iterable[Artist]) -> Iterator[dict[str, Artist]]:
    """Give artists an id each for a while, by which they are known in the SVG."""
    known = {f"artist-{place}": artist for place, artist in enumerate(artists)}
    before = [artist.get_gid() for artist in known.values()]
    for gid, artist in known.items():
        artist.set_gid(gid)
    try:
        yield known
    finally:
        for artist, own in zip(known.values(), before, strict=True):
            artist.set_gid(own)


def _drawn(figure: Figure) -> ElementTree.Element:
    """Draw a figure as SVG, with short numbers and without namespaces."""
    # the font that Matplotlib measures, and one as wide that readers have
    fonts = [FontProperties(family=["sans-serif"]).get_name(), "Verdana"]
    file = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "font.sans-serif": fonts}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    root = ElementTree.fromstring(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", file.getvalue()))
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if "\n" in (element.text or ""):
            element.text = None
        element.tail = None
        for name, value in list(element.attrib.items()):
            del element.attrib[name]
            if name in _LENGTHS:
                value = _LONG.sub(_short, " ".join(value.split()))
            if not value.startswith("rotate(-0 "):
                element.set(name.rpartition("}")[2], value)
    root[:] = [part for part in root if part.tag != "metadata" and part.find("style") is None]
    root.set("xmlns", "http://www.w3.org/2000/svg")
    return root


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _mark(group: ElementTree.Element, artist: Artist, marks: dict[Mark, int]) -> None:
    """Number what has a mark: the whole group, or its items in the order in which they stand."""
    about = marks_of(artist)
    items = [group]
    if len(about) > 1:
        items = group.findall(".//use") or group.findall(".//path")
    if not about or len(items) % len(about):
        return  # Matplotlib leaves out items beyond the figure: nobody knows which
    for item, mark in zip(items, cycle(about)):
        if mark is not None:
            item.set("id", f"mark-{marks.setdefault(mark, len(marks))}")


def _join(group: ElementTree.Element, text: Text, names: Iterable[str]) -> None:
    """Make one text of its lines, aligned as they are, so that a name on two of them is found."""
    around = {line: parent for parent in group.iter() for line in parent.findall("text")}
    places = [_PLACE.fullmatch(line.get("transform", "")) for line in around]
    if len(around) < 2 or None in places:
        return
    share, anchor = _SIDES[text.get_horizontalalignment()]
    words = [line.text or "" for line in around]
    glued = any(name in "".join(words) and name not in " ".join(words) for name in names)
    style = next(iter(around)).get("style", "")
    whole = ElementTree.Element("text", {"style": f"{style}; text-anchor: {anchor}"})
    for number, (place, word) in enumerate(zip(places, words, strict=True)):
        x, y, degrees = (float(value or 0) for value in place.groups()) if place else (0, 0, 0)
        if degrees:
            whole.set("transform", f"rotate({degrees:g})")
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        along = x * cos + y * sin + share * measured_width(word, text.get_fontproperties())
        at = {"x": f"{along:.2f}", "y": f"{y * cos - x * sin:.2f}"}
        if number and not glued:
            # a space between the words, which must not move the end of a line
            ElementTree.SubElement(whole, "tspan", {"style": "font-size: 0px"}).text = " "
        ElementTree.SubElement(whole, "tspan", at).text = word
    for line, parent in around.items():
        parent.remove(line)
    group.append(whole)
