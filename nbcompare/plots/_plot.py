"""The object that every figure function returns, its files, and what its parts are about."""

from __future__ import annotations

import io
import math
import re
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any, TypeVar
from weakref import WeakKeyDictionary
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from nbcompare._display import current
from nbcompare._render.letters import no_font_has
from nbcompare._render.parts import DRAWING
from nbcompare._render.rich import DARK, darkened
from nbcompare.plots._text import GLYPHS, measured_width, with_fallbacks

_PNG_DPI = 144
LEAST_INCHES = 2.2  # of the width: with less, there is no room beside names
MOST_INCHES = 40.0  # larger drawings shrink, because their bitmaps would fill the memory
# Glyphs become paths, so that a figure looks the same without its fonts; the fixed salt makes
# two runs give the same bytes.
SVG_STYLE: dict[Any, Any] = {"svg.hashsalt": "nbcompare", "svg.fonttype": "path"}
# Matplotlib's settings and Python's warning filters belong to the whole process, and drawing
# changes a figure temporarily. Threads therefore take turns.
_TURN = threading.RLock()
_SHEET = re.compile(r' *<defs>\s*<style type="text/css">\*\{([^}"]*)\}</style>\s*</defs>\n')
_MOST_ELEMENTS = 20_000  # of a drawing; of more, a page shows the picture
_LENGTHS = ("d", "x", "y", "width", "height", "viewBox", "transform")
_LONG = re.compile(r"-?\d+\.\d{3,}")
_PLACE = re.compile(r"translate\(([\d.-]+) ([\d.-]+)\)(?: rotate\(([\d.-]+)\))?")
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SIDES = {"left": (0.0, "start"), "center": (0.5, "middle"), "right": (1.0, "end")}
_Drawn = TypeVar("_Drawn", bound=Artist)


@dataclass(frozen=True, slots=True, repr=False)
class Plot:
    """Figure that displays itself in a notebook.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        The figure, which was made outside pyplot: it is shown once and need not be closed.
    ax : matplotlib.axes.Axes
        The axes, which may be changed or drawn on further.
    artists : mapping of str to tuple of matplotlib artists
        The parts of the drawing, by name.
    alt : str
        Alternative text that describes the figure.
    shown : bool
        Whether the plot displays itself as a picture; False if it was drawn on given axes.
    narrower : callable or None
        Function that draws the same figure for a given width in inches; None if there is none.
    """

    figure: Figure
    ax: Axes
    artists: Mapping[str, tuple[Artist, ...]]
    alt: str
    shown: bool = True
    narrower: Callable[[float], Plot] | None = None

    def __repr__(self) -> str:
        return f"<Plot: {self.alt}>"

    def _repr_mimebundle_(
        self, exclude: Collection[str] | None = None, **_: Any
    ) -> dict[str, Any] | tuple[dict[str, Any], dict[str, dict[str, str]]]:
        if not self.shown:
            return {"text/plain": self.alt}
        with settings():  # to look through a figure is to read its transforms, which keep it
            note = no_font_has(with_fallbacks(self.figure), "Boxes")
        pictures: dict[str, Callable[[], Any]] = {
            "image/svg+xml": self.drawing,
            "image/png": self._bitmap,
            # for LaTeX: without it, nbconvert would call Inkscape to convert the SVG
            "application/pdf": lambda: pdf_of(self.figure, 3),
            # for our own page, where its text is text; not of figures with images
            DRAWING: self.record,
        }
        data: dict[str, Any] = {"text/plain": self.alt}
        for kind, draw in pictures.items():
            if kind not in (exclude or ()) and (drawn := draw()) is not None:
                data[kind] = drawn
        about = {"alt": self.alt}
        if note:
            warnings.warn(note, stacklevel=2)
            about["note"] = note  # for the caption on a page, which shows no warnings
        return data, {kind: dict(about) for kind in data if kind.startswith("image/")}

    def _bitmap(self) -> bytes:
        png = png_of(self.figure, _PNG_DPI)
        return _darkened_png(png) if _is_dark() else png

    def record(self) -> dict[str, Any] | None:
        """Return the figure for a page that shows its text as text, and says what its parts are.

        Returns
        -------
        dict of str to object, or None
            ``svg``, ``names`` (of algorithms) and ``marks`` (what the parts say of them), which
            can be written as JSON. None if the figure has images or too many elements.
        """
        with settings(SVG_STYLE), laid_out(self.figure):
            return live_of(self.figure)

    def drawing(self) -> str:
        """Return the figure as SVG, in the theme chosen with :func:`nbcompare.set_options`.

        Returns
        -------
        str
            An SVG document. Its letters are paths, so that it looks the same without the fonts.
        """
        svg = svg_of(self.figure)
        return darkened(svg) if _is_dark() else svg


def _is_dark() -> bool:
    return current().theme == "dark"


def _darkened_png(png: bytes) -> bytes:
    """Return the picture with the colours that the filter of a dark SVG gives."""
    from PIL import Image  # a dependency of Matplotlib

    with Image.open(io.BytesIO(png)) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
        matrix, file = np.array(DARK, dtype=np.float32), io.BytesIO()
        seen = np.clip(pixels @ matrix[:, :3].T + matrix[:, 3], 0, 1)
        dark = Image.fromarray((seen * 255 + 0.5).astype(np.uint8))
        dark.save(file, "png", dpi=picture.info.get("dpi"))
    return file.getvalue()


@contextmanager
def settings(changed: dict[Any, Any] | None = None) -> Iterator[None]:
    """Change settings of Matplotlib for a while, in one thread at a time.

    It does not warn of letters that no font has: one note names all of them.
    """
    with _TURN, mpl.rc_context(changed), warnings.catch_warnings():
        warnings.filterwarnings("ignore", GLYPHS)
        yield


@contextmanager
def laid_out(figure: Figure) -> Iterator[None]:
    """Draw a figure with its axes where they are, in every format, until the user changes it."""
    engine, is_changed = figure.get_layout_engine(), figure.stale
    with_fallbacks(figure)
    if engine is None:
        yield
        return
    if is_changed:
        figure.draw_without_rendering()
    for ax in figure.axes:  # a layout goes on from the last one, and so differs in the last digits
        if ax.get_in_layout() and ax.get_subplotspec() is not None:
            ax.set_position(Bbox(np.round(ax.get_position(original=True).get_points(), 6)))
            ax.set_in_layout(True)
    with mpl.rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)  # with "none", a placeholder, all would be drawn twice
    try:
        yield
    finally:
        figure.set_layout_engine(engine)
        figure.stale = False


def png_of(figure: Figure, dpi: float, **metadata: str) -> bytes:
    """Return the figure as PNG."""
    file = io.BytesIO()
    with settings(), laid_out(figure):
        figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None, **metadata})
    return file.getvalue()


def svg_of(figure: Figure, **metadata: str) -> str:
    """Return the figure as SVG whose style sheet does not affect a page that embeds it."""
    file = io.StringIO()
    with settings(SVG_STYLE), laid_out(figure):
        figure.savefig(file, format="svg", metadata={"Date": None, **metadata})
    # Matplotlib's style sheet selects "*", which would be everything on that page
    text, sheet = file.getvalue(), _SHEET.search(file.getvalue())
    if sheet is None:
        return text
    without = text[: sheet.start()] + text[sheet.end() :]
    return without.replace("<svg ", f'<svg style="{sheet[1]}" ', 1)


def pdf_of(figure: Figure, font_type: int, **metadata: str) -> bytes:
    """Return the figure as PDF with embedded fonts: type 42 (TrueType) or the faster type 3."""
    file = io.BytesIO()
    with settings({"pdf.fonttype": font_type}), laid_out(figure):
        figure.savefig(file, format="pdf", metadata={"CreationDate": None, **metadata})
    return file.getvalue()


# -------------------------------------------------- what parts of a figure are about, for a page


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
    if root.find(".//image") is not None or sum(1 for _ in root.iter()) > _MOST_ELEMENTS:
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
