"""Write the figures of nbcompare into a page as drawings whose text is text.

A notebook has them as records of shapes and texts (`nbcompare._render.drawing`). The page takes
nothing over as it is: numbers, colours and paths are read and written anew, and text is escaped, so
that a notebook of somebody else puts no markup, script or address into the page. A record that is
not of the form is not drawn, and the page shows the picture of the figure instead.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

from nbcompare._render.drawing import DRAWING, DRAWING_FORM, HATCH_TILE
from nbcompare._render.rich import lightened
from nbcompare.report.page.fonts import FONT_FACES, Fonts

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["FIGURE", "Figures", "Lettering", "is_figure_sheet", "outlines", "record_of"]

FIGURE = "nbf"  # the class of a drawing
# Text and background of a page in the dark, as in its style sheet
_DARK_PAGE, _DARK_TEXT = (0x16, 0x18, 0x1C), (0xE4, 0xE5, 0xE8)
_LUMINANCE = (0.2126, 0.7152, 0.0722)
_ANCHORS, _CAPS = ("start", "middle", "end"), ("butt", "round", "square")
_JOINS = ("miter", "round", "bevel")
_COLOR = re.compile(r"#[0-9a-f]{6}")
_PATH = re.compile(r"M[MLQCZ\d. -]*")
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff]")
_COLORS = r"\{(?:--f\d+:#[0-9a-f]{6};)*\}"
_SHEET = re.compile(
    rf"svg\.{FIGURE}{_COLORS}\s*"
    rf"@media screen and \(prefers-color-scheme:dark\)\{{svg\.{FIGURE}{_COLORS}\}}\s*"
)
_CAPTION_ID = re.compile(r'<caption id="([^"]*)"')
_SECTIONS = ("pairs", "hypotheses")  # whose tables have a row for each pair
_MOST_SHAPES, _MOST_LETTERS = 20_000, 4_000_000
_LARGEST = 20_000.0  # points of a length, and of a position
_LONGEST_TITLE = 2_000


class Lettering(Protocol):
    """What names the fonts in which the texts of a drawing are set."""

    def use(self, families: Sequence[str], text: str, *, bold: bool, italic: bool) -> str:
        """Return families for a style sheet, of which the first that has a letter draws it."""


class Figures:
    """The drawings of a page, which share colours and fonts.

    Parameters
    ----------
    fonts : Lettering, optional
        Names the fonts; those of the page's own style sheet by default.
    prefix : str, optional
        Begins the ids within the drawings.
    """

    def __init__(self, fonts: Lettering | None = None, prefix: str = "f") -> None:
        self._colors: dict[str, str] = {}
        self._own = Fonts()
        self._fonts: Lettering = fonts or self._own
        self._prefix, self._number = prefix, 0

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
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
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
        ValueError, TypeError, LookupError
            If it is not of the form.
        """
        prefix = f"{self._prefix}{self._number + 1}"
        written = _Drawing(self._colors, self._fonts, prefix, record, table).write(alt)
        self._number += 1
        return written

    def style(self) -> str:
        """Return the style sheet of all drawings; empty if there are none."""
        if not self._number:
            return ""
        light, dark = (
            "".join(f"{name}:{color};" for name, color in colors.items())
            for colors in self.colors()
        )
        return (
            f"svg.{FIGURE}{{{light}}}\n"
            f"@media screen and (prefers-color-scheme:dark){{svg.{FIGURE}{{{dark}}}}}\n"
            f"{self._own.css()}"
        )

    def colors(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the colours by their names in the drawings: on a light page, and on a dark one."""
        light = {name: color for color, name in self._colors.items()}
        return light, {name: _in_the_dark(color) for name, color in light.items()}


def is_figure_sheet(text: str) -> bool:
    """Whether a style sheet is one of `Figures.style`, which changes nothing but drawings."""
    text = text.strip()
    start = _SHEET.match(text)
    return start is not None and FONT_FACES.fullmatch(text, start.end()) is not None


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


def _in_the_dark(color: str) -> str:
    """Return a colour for a dark page: white is its background, black its text, hues stay."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    luminance = sum(weight * value for weight, value in zip(_LUMINANCE, channels, strict=True))
    turned = [min(1.0, max(0.0, value + 1 - 2 * luminance)) for value in channels]
    # pale tints would be lost in the background
    lift = 1 + 0.9 * max(0.0, 1 - max(turned) / 0.35)
    ends = zip(turned, _DARK_PAGE, _DARK_TEXT, strict=True)
    return "#" + "".join(
        f"{round(low + lift * share * (high - low)):02x}" for share, low, high in ends
    )


class _Drawing:
    """One figure, read with suspicion."""

    def __init__(
        self,
        colors: dict[str, str],
        fonts: Lettering,
        prefix: str,
        record: Mapping[str, Any],
        table: str,
    ) -> None:
        if record["form"] != DRAWING_FORM or isinstance(record["form"], bool):
            raise ValueError
        self.colors, self.fonts, self.prefix, self.table = colors, fonts, prefix, table
        self.width, self.height = (_positive(side) for side in record["size"])
        self.names = [_shown(name) for name in _listed(record["names"])]
        self.marks = [self._mark(mark) for mark in _listed(record["marks"])]
        self.families = [self._font(font) for font in _listed(record["fonts"])]
        self.symbols = [_path(symbol) for symbol in _listed(record["symbols"])]
        self.clips = [[_number(side) for side in clip] for clip in _listed(record["clips"])]
        self.hatches = _listed(record["hatches"])
        self.shapes = _listed(record["shapes"])
        self.font = ""  # that of the first text, which most others share
        self.met: set[int] = set()  # marks that have begun

    def _mark(self, mark: Mapping[str, Any]) -> tuple[str, list[int], bool]:
        of = [_place(name, self.names) for name in _listed(mark["of"])]
        return _shown(mark["title"])[:_LONGEST_TITLE], of, mark.get("pair") is True

    @staticmethod
    def _font(font: Mapping[str, Any]) -> tuple[list[str], bool, bool]:
        families = [_shown(family)[:100] for family in _listed(font["families"])][:12]
        return families, font["bold"] is True, font["italic"] is True

    # ---------------------------------------------------------------------------- writing

    def write(self, alt: str) -> str:
        """Write the drawing."""
        body: list[str] = []
        for mark, shapes in groupby(self.shapes, key=lambda shape: shape.get("mark")):
            inside = "".join(self._runs(shapes))
            body.append(inside if mark is None else self._marked(mark, inside))
        inside = "".join(body)
        if len(inside) > _MOST_LETTERS:
            raise ValueError
        names = json.dumps(self.names, ensure_ascii=False, separators=(",", ":"))
        size = f"{_digits(self.width)} {_digits(self.height)}"
        return (
            f'<svg class="{FIGURE}" viewBox="0 0 {size}" width="{_digits(self.width)}pt" '
            f'height="{_digits(self.height)}pt" font-family="{self.font}" role="group" '
            f'aria-label="{html.escape(alt)}" data-names="{html.escape(names)}">'
            f"{self._definitions()}{inside}</svg>"
        )

    def _marked(self, mark: object, inside: str) -> str:
        """Wrap the parts of a mark; the first of them says what it is, and leads to its table."""
        place = _place(mark, self.marks)
        title, of, is_pair = self.marks[place]
        data = f'class="m" data-m="{place}" data-of="{" ".join(map(str, of))}"'
        if place in self.met:
            return f"<g {data}>{inside}</g>"
        self.met.add(place)
        title = f"<title>{html.escape(title, quote=False)}</title>"
        if is_pair and self.table:
            return f'<a {data} href="#{html.escape(self.table)}">{title}{inside}</a>'
        return f'<g {data} role="img">{title}{inside}</g>'

    def _definitions(self) -> str:
        """Write the rectangles that shapes are cut to, and the patterns of hatches."""
        written = [
            f'<clipPath id="{self.prefix}-c{place}"><rect x="{_digits(x)}" y="{_digits(y)}" '
            f'width="{_digits(width)}" height="{_digits(height)}"/></clipPath>'
            for place, (x, y, width, height) in enumerate(self.clips)
        ]
        for place, hatch in enumerate(self.hatches):
            written.append(
                f'<pattern id="{self.prefix}-h{place}" patternUnits="userSpaceOnUse" '
                f'width="{HATCH_TILE}" height="{HATCH_TILE}"><path d="{_path(hatch["d"])}" '
                f"{self._paint('fill', hatch['color'])}{self._paint('stroke', hatch['color'])}"
                f'stroke-width="{_digits(_positive(hatch["width"]))}"/></pattern>'
            )
        written += [
            f'<path id="{self.prefix}-s{place}" d="{symbol}"/>'
            for place, symbol in enumerate(self.symbols)
        ]
        return f"<defs>{''.join(written)}</defs>" if written else ""

    def _runs(self, shapes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """Write shapes; those that follow one another and look alike, together."""
        dressed = ((self._look(shape), shape) for shape in shapes)
        for (kind, look, hatch), run in groupby(dressed, key=lambda pair: pair[0]):
            if kind == "path":
                paths = [_path(shape["d"]) for _, shape in run]
                # one path of all looks the same, if none is seen through another
                for d in paths if "opacity" in look else ["".join(paths)]:
                    yield f'<path d="{d}" {look}/>'
                    if hatch:
                        yield f'<path d="{d}" fill="url(#{hatch})"/>'
                continue
            write = self._text if kind == "text" else self._use
            yield f"<g {look}>{''.join(write(shape) for _, shape in run)}</g>"

    def _look(self, shape: Mapping[str, Any]) -> tuple[str, str, str]:
        """Return what a shape is, its attributes, and the id of its hatch."""
        if "lines" in shape:
            return "text", self._look_of_text(shape), ""
        written = []
        if "fill" in shape:
            written += [self._paint("fill", shape["fill"]), _opacity("fill", shape)]
        if "line" in shape:
            written += [self._paint("stroke", shape["line"]), _opacity("line", shape)]
            width = _positive(shape["width"])
            written.append("" if width == 1 else f'stroke-width="{_digits(width)}" ')
            if "dash" in shape:
                dash = " ".join(_digits(_positive(one)) for one in _listed(shape["dash"]))
                written.append(f'stroke-dasharray="{dash}" ')
        for key, words in (("cap", _CAPS), ("join", _JOINS)):
            if key in shape:
                written.append(f'stroke-line{key}="{_word(shape[key], words)}" ')
        if "clip" in shape:
            clip = _place(shape["clip"], self.clips)
            written.append(f'clip-path="url(#{self.prefix}-c{clip})" ')
        hatch = ""
        if "hatch" in shape:
            hatch = f"{self.prefix}-h{_place(shape['hatch'], self.hatches)}"
        kind = "use" if "symbol" in shape else "path"
        return kind, "".join(written).rstrip(), hatch

    def _use(self, shape: Mapping[str, Any]) -> str:
        symbol = _place(shape["symbol"], self.symbols)
        x, y = (_digits(_number(side)) for side in shape["at"])
        return f'<use href="#{self.prefix}-s{symbol}" x="{x}" y="{y}"/>'

    def _look_of_text(self, shape: Mapping[str, Any]) -> str:
        families, bold, italic = self.families[_place(shape["font"], self.families)]
        text = " ".join(_shown(line[2]) for line in _listed(shape["lines"]))
        used = self.fonts.use(families, text, bold=bold, italic=italic)
        self.font = self.font or used
        written = [
            "" if used == self.font else f'font-family="{used}" ',
            f'font-size="{_digits(_positive(shape["size"]))}" ',
            self._paint("fill", shape["color"]),
        ]
        if bold:
            written.append('font-weight="700" ')
        if italic:
            written.append('font-style="italic" ')
        if "anchor" in shape:
            written.append(f'text-anchor="{_word(shape["anchor"], _ANCHORS)}" ')
        if "opacity" in shape:
            written.append(f'fill-opacity="{_digits(_share(shape["opacity"]))}" ')
        return "".join(written).rstrip()

    def _text(self, shape: Mapping[str, Any]) -> str:
        lines = [(_number(x), _number(y), _shown(text)) for x, y, text in shape["lines"]]
        x, y = _digits(lines[0][0]), _digits(lines[0][1])
        turn = ""
        if "angle" in shape:
            turn = f' transform="rotate({_digits(_number(shape["angle"]))} {x} {y})"'
        if len(lines) == 1:
            inside = html.escape(lines[0][2], quote=False)
        else:
            inside = self._between(lines).join(
                f'<tspan x="{_digits(x)}" y="{_digits(y)}">{html.escape(text, quote=False)}</tspan>'
                for x, y, text in _turned(lines, shape)
            )
        return f'<text x="{x}" y="{y}"{turn}>{inside}</text>'

    def _between(self, lines: Sequence[tuple[float, float, str]]) -> str:
        """Return what stands between lines, so that a name on two of them is found as a whole."""
        glued, apart = ("".join(text for _, _, text in lines), " ".join(t for _, _, t in lines))
        return "" if any(name in glued and name not in apart for name in self.names) else " "

    def _paint(self, what: str, color: object) -> str:
        if not isinstance(color, str) or not _COLOR.fullmatch(color):
            raise ValueError
        name = self.colors.setdefault(color, f"--f{len(self.colors)}")
        return f'{what}="var({name})" '


def _turned(
    lines: Sequence[tuple[float, float, str]], shape: Mapping[str, Any]
) -> Iterator[tuple[float, float, str]]:
    """Turn the starts of lines back about that of the first, as the whole text is turned."""
    angle = math.radians(_number(shape.get("angle", 0)))
    (x0, y0, _), cos, sin = lines[0], math.cos(angle), math.sin(angle)
    for x, y, text in lines:
        along, across = x - x0, y - y0
        yield x0 + along * cos + across * sin, y0 - along * sin + across * cos, text


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST_SHAPES:
        raise ValueError
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not -_LARGEST <= value <= _LARGEST:  # so it is no NaN either
        raise ValueError
    return float(value)


def _positive(value: object) -> float:
    number = _number(value)
    if number < 0:
        raise ValueError
    return number


def _share(value: object) -> float:
    return min(1.0, _positive(value))


def _place(value: object, among: Sequence[object]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(among):
        raise LookupError
    return value


def _word(value: object, words: Sequence[str]) -> str:
    if value not in words:
        raise ValueError
    return str(value)


def _path(value: object) -> str:
    if not isinstance(value, str) or not _PATH.fullmatch(value):
        raise ValueError
    return value


def _opacity(kind: str, shape: Mapping[str, Any]) -> str:
    if f"{kind}_opacity" not in shape:
        return ""
    what = "stroke" if kind == "line" else kind
    return f'{what}-opacity="{_digits(_share(shape[f"{kind}_opacity"]))}" '


def _shown(value: object) -> str:
    """Return text without characters that no page may hold."""
    if not isinstance(value, str):
        raise TypeError
    return _NOT_SHOWN.sub("\N{REPLACEMENT CHARACTER}", value)


def _digits(value: float) -> str:
    return repr(round(value, 2) + 0.0).removesuffix(".0")
