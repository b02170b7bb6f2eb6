"""Drawing of a figure as a record of shapes and texts, from which a page writes it anew."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Literal, cast

from matplotlib.artist import Artist
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font, weight_dict
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Affine2D, Transform

from nbcompare._render.drawing import DRAWING_FORM, HATCH_TILE
from nbcompare.plots._fonts import measured, with_fallbacks
from nbcompare.plots._marks import Mark, marks_of

# mypy: disallow-untyped-calls=False
# (the renderers of Matplotlib carry no annotations)

__all__ = ["drawing_of"]

_DPI = 72.0  # so that lengths are points
_MOST = 20_000  # shapes; of more, a page shows the picture
_BOLD = 600  # lighter weights are drawn as the normal one
_SIDES = {"left": 0.0, "center": 0.5, "right": 1.0}
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
_CAP, _JOIN = "butt", "round"  # what the page has where nothing is said


class _TooMuchError(Exception):
    """The figure has more shapes than a page should hold."""


def drawing_of(figure: Figure) -> dict[str, Any] | None:
    """Return the figure as a record; None if it has what the record cannot say, such as images.

    It changes the figure for a while: only one thread may draw.
    """
    with_fallbacks(figure)
    with _in_points(figure), _numbered(figure) as marks:
        renderer = _Renderer(figure, marks)
        try:
            figure.draw(renderer)
        except (NotImplementedError, _TooMuchError):
            return None
    return renderer.record()


@contextmanager
def _in_points(figure: Figure) -> Iterator[None]:
    before = figure.dpi
    figure.dpi = _DPI
    try:
        yield
    finally:
        figure.dpi = before


@contextmanager
def _numbered(figure: Figure) -> Iterator[dict[str, Sequence[Mark | None]]]:
    """Give the marked artists an id each for a while, by which the renderer knows them."""
    before: list[tuple[Artist, str | None]] = []
    marks: dict[str, Sequence[Mark | None]] = {}
    for artist in figure.findobj(lambda artist: bool(marks_of(artist))):
        before.append((artist, artist.get_gid()))
        gid = f"mark-{len(marks)}"
        marks[gid] = marks_of(artist)
        artist.set_gid(gid)
    try:
        yield marks
    finally:
        for artist, own in before:
            artist.set_gid(own)


class _Renderer(RendererBase):
    """Renderer that keeps what it is told to draw."""

    def __init__(self, figure: Figure, marks: dict[str, Sequence[Mark | None]]) -> None:
        super().__init__()
        self.width, self.height = (float(side) * _DPI for side in figure.get_size_inches())
        self._by_gid = marks
        self._groups: list[tuple[str, Sequence[Mark | None]]] = []
        self._item = 0  # of those in the innermost marked group
        self._marks: dict[Mark, int] = {}
        self._fonts: dict[tuple[tuple[str, ...], bool, bool], int] = {}
        self._clips: dict[tuple[float, ...], int] = {}
        self._symbols: dict[str, int] = {}
        self._hatches: dict[tuple[str, str, float], int] = {}
        self._shapes: list[dict[str, Any]] = []
        self._text: dict[str, Any] | None = None  # whose further lines may follow

    def record(self) -> dict[str, Any]:
        """Return what was drawn."""
        names = {name: 0 for mark in self._marks for name in mark.names}
        places = {name: place for place, name in enumerate(names)}
        return {
            "form": DRAWING_FORM,
            "size": [_short(self.width), _short(self.height)],
            "names": list(names),
            "marks": [
                {"title": mark.title, "of": [places[name] for name in mark.names]}
                | ({"pair": True} if mark.pair else {})
                | ({"dataset": mark.dataset} if mark.dataset else {})
                for mark in self._marks
            ],
            "fonts": [
                {"families": list(families), "bold": bold, "italic": italic}
                for families, bold, italic in self._fonts
            ],
            "symbols": list(self._symbols),
            "clips": [list(clip) for clip in self._clips],
            "hatches": [
                {"d": d, "color": color, "width": width} for d, color, width in self._hatches
            ],
            "shapes": self._shapes,
        }

    # ------------------------------------------------------------------------ what it is asked

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size in points."""
        return self.width, self.height

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: bool | Literal["TeX"]
    ) -> tuple[float, float, float]:
        """Measure a line as Matplotlib does for SVG, so that texts stand where they stand there."""
        if not ismath:
            return measured(s, prop)
        width, height, descent = text_to_path.get_text_width_height_descent(s, prop, ismath)
        return float(width), float(height), float(descent)

    def open_group(self, s: str, gid: str | None = None) -> None:
        """Begin the parts of an artist."""
        marks = self._by_gid.get(gid or "", ())
        self._groups.append((s, marks))
        self._text = None
        if marks:
            self._item = 0

    def close_group(self, s: str) -> None:
        """End the parts of an artist; Matplotlib does not end those of a text that has no place."""
        while self._groups and self._groups.pop()[0] != s:
            pass
        self._text = None

    def draw_path(
        self,
        gc: GraphicsContextBase,
        path: Path,
        transform: Transform,
        rgbFace: Any = None,  # noqa: N803
    ) -> None:
        """Keep a path."""
        where = transform + Affine2D().scale(1, -1).translate(0, self.height)
        d, box = _commands(path, where, simplify=rgbFace is None and path.should_simplify)
        if d:
            self._draw({"d": d}, gc, rgbFace, box)

    def draw_markers(
        self,
        gc: GraphicsContextBase,
        marker_path: Path,
        marker_trans: Transform,
        path: Path,
        trans: Transform,
        rgbFace: Any = None,  # noqa: N803
    ) -> None:
        """Keep a symbol, and where it is repeated."""
        d, box = _commands(marker_path, marker_trans + Affine2D().scale(1, -1))
        if not d:
            return
        symbol = self._symbols.setdefault(d, len(self._symbols))
        for vertices, _ in path.iter_segments(trans, simplify=False):
            x, y = _short(vertices[-2]), _short(self.height - vertices[-1])
            there = (box[0] + x, box[1] + y, box[2] + x, box[3] + y)
            self._draw({"symbol": symbol, "at": [x, y]}, gc, rgbFace, there)

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | Literal["TeX"] = False,
        mtext: Text | None = None,
    ) -> None:
        """Keep a line of text; mathematics is drawn as outlines."""
        if ismath:
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        side = mtext.get_horizontalalignment() if mtext is not None else "left"
        if (share := _SIDES[side]) > 0:
            width, _, _ = self.get_text_width_height_descent(s, prop, False)
            x += share * width * math.cos(math.radians(angle))
            y -= share * width * math.sin(math.radians(angle))
        line = [_short(x), _short(y), s]
        if self._text is not None and mtext is None:
            self._text["lines"].append(line)
            return
        color = gc.get_rgb()
        opacity = gc.get_alpha() if gc.get_forced_alpha() else color[3]
        text: dict[str, Any] = {
            "lines": [line],
            "size": _short(prop.get_size_in_points()),
            "font": self._font(prop),
            "color": to_hex(color),
        }
        if side != "left":
            text["anchor"] = _ANCHORS[side]
        if angle:
            text["angle"] = _short(-angle)
        if opacity < 1:
            text["opacity"] = _short(opacity)
        self._keep(text, self._mark())
        self._text = text if mtext is None else None

    # -------------------------------------------------------------------------- what is kept

    def _draw(
        self,
        shape: dict[str, Any],
        gc: GraphicsContextBase,
        face: Any,
        box: tuple[float, ...],
    ) -> None:
        """Keep a path or a symbol with its colours, if it can be seen."""
        mark = self._mark()
        self._item += 1
        forced = gc.get_alpha() if gc.get_forced_alpha() else None
        if face is not None and (len(face) < 4 or face[3] > 0 or forced is not None):
            shape |= _paint("fill", face, forced)
        if gc.get_linewidth() > 0 and gc.get_rgb()[3] > 0:
            shape |= _paint("line", gc.get_rgb(), forced)
            shape["width"] = _short(gc.get_linewidth())
            dashes = cast("Sequence[float] | None", gc.get_dashes()[1])
            if dashes is not None:
                shape["dash"] = [_short(length) for length in dashes]
            if (cap := gc.get_capstyle()) != _CAP:
                shape["cap"] = "square" if cap == "projecting" else str(cap)
            if (join := gc.get_joinstyle()) != _JOIN:
                shape["join"] = str(join)
        if gc.get_hatch():
            shape["hatch"] = self._hatch(gc)
        if {"fill", "line", "hatch"} & set(shape):
            self._keep(self._clipped(shape, gc, box), mark)

    def _keep(self, shape: dict[str, Any], mark: Mark | None) -> None:
        if mark is not None:
            shape["mark"] = self._marks.setdefault(mark, len(self._marks))
        if len(self._shapes) >= _MOST:
            raise _TooMuchError
        self._shapes.append(shape)

    def _mark(self) -> Mark | None:
        """Return what the next shape stands for."""
        for _, marks in reversed(self._groups):
            if len(marks) == 1:
                return marks[0]
            if marks:
                return marks[self._item] if self._item < len(marks) else None
        return None

    def _font(self, prop: FontProperties) -> int:
        return self._fonts.setdefault(_known(prop), len(self._fonts))

    def _hatch(self, gc: GraphicsContextBase) -> int:
        path = gc.get_hatch_path()
        if path is None:
            raise NotImplementedError
        d, _ = _commands(path, Affine2D().scale(HATCH_TILE).scale(1, -1).translate(0, HATCH_TILE))
        hatch = (d, to_hex(gc.get_hatch_color()), _short(gc.get_hatch_linewidth()))
        return self._hatches.setdefault(hatch, len(self._hatches))

    def _clipped(
        self, shape: dict[str, Any], gc: GraphicsContextBase, box: tuple[float, ...]
    ) -> dict[str, Any]:
        """Add the rectangle that a shape is cut to, if it reaches beyond it."""
        path, _ = gc.get_clip_path()
        if path is not None:
            raise NotImplementedError
        rectangle = gc.get_clip_rectangle()
        if rectangle is None:
            return shape
        x, y, width, height = (float(side) for side in rectangle.bounds)
        y = self.height - y - height
        more = shape.get("width", 0.0)
        if (
            box[0] - more >= x
            and box[1] - more >= y
            and box[2] + more <= x + width
            and box[3] + more <= y + height
        ):
            return shape
        clip = (_short(x), _short(y), _short(width), _short(height))
        return shape | {"clip": self._clips.setdefault(clip, len(self._clips))}


def _commands(
    path: Path, transform: Transform, *, simplify: bool = False
) -> tuple[str, tuple[float, float, float, float]]:
    """Write a path with two decimals, and return what it extends over."""
    written: list[str] = []
    xs: list[float] = []
    ys: list[float] = []
    segments = path.iter_segments(transform, simplify=simplify, remove_nans=True)
    for vertices, code in segments:
        if code == Path.CLOSEPOLY:
            written.append("Z")
            continue
        if code not in _LETTERS:
            continue
        numbers = [_short(value) for value in vertices]
        xs += numbers[::2]
        ys += numbers[1::2]
        written.append(_LETTERS[code] + " ".join(map(_digits, numbers)))
    if not xs:
        return "", (0.0, 0.0, 0.0, 0.0)
    return "".join(written), (min(xs), min(ys), max(xs), max(ys))


def _digits(number: float) -> str:
    return repr(number).removesuffix(".0")


def _short(value: float) -> float:
    """Round to two decimals; -0 is 0."""
    if not math.isfinite(value):
        raise NotImplementedError
    return round(float(value), 2) + 0.0


def _paint(kind: str, color: Any, forced: float | None) -> dict[str, Any]:
    opacity = forced if forced is not None else color[3] if len(color) > 3 else 1.0
    paint: dict[str, Any] = {kind: to_hex(color[:3])}
    return paint if opacity >= 1 else paint | {f"{kind}_opacity": _short(opacity)}


@lru_cache(maxsize=256)
def _known(prop: FontProperties) -> tuple[tuple[str, ...], bool, bool]:
    """Return the families of a font that Matplotlib finds, and whether it is bold and italic."""
    families = dict.fromkeys(_found(family, prop) for family in prop.get_family())
    weight = prop.get_weight()
    numeric = weight if isinstance(weight, int | float) else _weight(str(weight))
    return tuple(name for name in families if name), numeric >= _BOLD, prop.get_style() != "normal"


def _found(family: str, prop: FontProperties) -> str:
    own = prop.copy()
    own.set_family([family])
    return str(get_font(findfont(own)).family_name)


def _weight(word: str) -> float:
    return float(weight_dict.get(word, 400))
