"""Matrices: coloured cells in rows and columns that have names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise, product
from types import MappingProxyType
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch

from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import FULL, LIGHT, Sheet
from nbcompare.plots._text import font_size, line_height, listed, text_width, wrapped

# Cells can be told apart without colour; the colours are pale enough for black text.
Color = str | tuple[float, float, float]
WHITE = "#ffffff"
DIAGONAL = "#e3e3e3"
BLUES = ("#deebf7", LIGHT, "#6baed6")
_SHARES = (1, 10, 100)  # cells are darker for p-values of at most α, α/10 and α/100
_TOWARDS_ROW, _TOWARDS_COLUMN = (0.33, 0.62, 0.83), (0.95, 0.60, 0.27)
# One marker points along the row to its name, the others along the column to its name.
ROW, COLUMN, BELOW = "<", "^", "v"
SQUARE = "s"  # the two are equivalent
FRAME = ""  # what stands for the frames of strong cells

# Lengths in inches, for texts of 8 points
_LEAST = 4.4  # width of a figure that has room
_SHARE = 0.36  # most of the width that names of rows take
_BARE = 0.22  # width of a cell without text, at most
_MARK = 0.15  # a triangle beside a text
_MANY, _TALLEST = 40, 11.4  # rows beyond so many are together not higher than this
_AIRY = 24  # rows, of which more are set closer
_HIGHEST = 30.0  # of all rows of all panels
_PAGE = 7.5  # of the names of all rows, beyond which numbers stand for those of pairs
_LENGTHS = (0.9, 1.3, 1.7)  # of names that are rotated
_EDGE = 0.012  # beyond the cells
_ROOMY = 0.1  # rows at least this high are separated
_MOST_MARKED, _MOST_VECTORS = 2_000, 5_000
_MOST_TOLD, _MOST_NAMED = 20, 40  # in an alternative text


class Cell(NamedTuple):
    """Cell: its place, colour and texts, from the fullest to the shortest, and its mark."""

    row: int
    column: int
    color: Color
    texts: tuple[str, ...] = ()
    strong: bool = False
    better: str = ""
    about: Mark | None = None
    part: str = "cells"


Cells = Sequence[Cell]
Look = tuple[Color, tuple[str, ...], bool, str, Mark | None]  # of a cell, without its place


Key = tuple[str, Color]  # entry of the legend: its text, and a colour or nothing
Size = tuple[float, float]  # width and height in inches
Says = Mapping[tuple[str, bool], str]  # what a mark says, hollow or filled


class Names(NamedTuple):
    """Names of rows or columns, with a line under each, or in brackets if cells have no text.

    Where rows are pairs, it says of which two.
    """

    names: Sequence[str]
    about: Sequence[Mark | None]
    bold: frozenset[str] = frozenset()
    under: Sequence[str] = ()
    after: Sequence[str] = ()
    pairs: Sequence[tuple[str, str]] = ()

    def labels(self, level: int) -> list[str]:
        """Return the names with what stands beside them."""
        form, more = ("{}\n{}", self.under) if level >= 0 else ("{} ({})", self.after)
        return [form.format(*it) for it in zip(self.names, more, strict=bool(more))] or [
            *self.names
        ]

    def some(self, labels: Sequence[str], kept: Sequence[int]) -> dict[str, Any]:
        """Return how some of the names are written, as these labels."""
        return {
            "names": [labels[i] for i in kept],
            "at": kept,
            "about": [self.about[i] for i in kept],
            "bold": [labels[i] for i in kept if self.names[i] in self.bold],
        }


def diverging(value: float, largest: float) -> tuple[float, float, float]:
    """Return a colour: blue for positive values, orange for negative ones, white for 0."""
    share = min(1.0, abs(value) / largest) if largest > 0 else 0.0
    red, green, blue = _TOWARDS_ROW if value > 0 else _TOWARDS_COLUMN
    return 1 - share * (1 - red), 1 - share * (1 - green), 1 - share * (1 - blue)


def shade(p: float, alpha: float) -> str:
    """Return the colour of a significant p-value, darker for smaller ones."""
    return BLUES[max((i for i, part in enumerate(_SHARES) if p <= alpha / part), default=0)]


def texts_of_p(p: str) -> tuple[str, str]:
    """Return the texts of a p-value."""
    return p, "<0.001" if float(p) < 0.001 else p


def keys_of_shades(alpha: float) -> list[Key]:
    """Return what the colours of p-values stand for."""
    texts = [f"p ≤ {alpha / part:g}" for part in _SHARES]
    texts[0] = f"significant, {texts[0]}"
    return [*zip(texts, BLUES, strict=True)]


def keys_of_sides(more: str = "") -> list[Key]:
    """Return what the two hues stand for."""
    ends = (("row", 1), ("column", -1))
    return [(f"{name} is better{more}", diverging(sign, 1)) for name, sign in ends]


def says_of_strong(clear: str, unclear: str) -> Says:
    """Return what frames and triangles say."""
    meanings = ((True, clear), (False, unclear))
    found = {(mark, is_clear): text for mark in (ROW, COLUMN) for is_clear, text in meanings}
    found = {key: f"towards the better; {text}" for key, text in found.items()}
    return found | {(FRAME, True): f"bold in a frame: {clear}"}


def side(sign: float, positive: str = ROW, negative: str = COLUMN) -> str:
    """Return the mark of the better one."""
    return "" if sign == 0 else positive if sign > 0 else negative


def named(names: Sequence[str], *bold: str | None) -> Names:
    """Return names that a page says nothing more about."""
    return Names(names, [Mark(name, (name,)) for name in names], frozenset(map(str, bold)))


def pair_cells(
    rows: Sequence[str],
    columns: Sequence[str],
    look: Callable[[str, str], Look | None],
) -> list[Cell]:
    """Return a cell for each row and column that are different algorithms, if it has a look."""
    places = product(enumerate(rows), enumerate(columns))
    looks = [(row, column, look(a, b)) for (row, a), (column, b) in places if a != b]
    return [Cell(row, column, *found) for row, column, found in looks if found is not None]


def draw_matrix(
    ax: Axes | Iterable[Axes] | None,
    rows: Names,
    columns: Names,
    panels: Mapping[str, Cells],
    what: str,
    *,
    title: bool,
    caption: Sequence[str],
    legend: Sequence[Key],
    says: Says = MappingProxyType({}),
    lines: str = "",
    clear: str = "",
    told: str = "",
    beside: bool = False,
    below: bool = False,
) -> Plot:
    """Draw a matrix, or several with the same names, one below the other.

    Cells have the fullest texts for which there is room, and a frame if they are strong; or none
    but a mark. The legend explains the ``lines`` of cells, and what marks and frames say.
    ``beside`` puts marks beside texts instead of frames, ``below`` puts the names of columns below
    them. The alternative text has what is ``told``, and what the marks of strong cells say, which
    are ``clear``; or of the rows and columns, if there are none.
    """
    cells = [cell for part in panels.values() for cell in part]
    unit, m, n = font_size() / 8, len(panels), len(columns.names)
    needs = [
        max(text_width(it, bold=True) for it in {cell.texts[level] for cell in cells})
        + (0.1 + _MARK * beside) * unit
        for level in range(len(cells[0].texts))
    ]
    thin = _TALLEST / len(rows.names) if len(rows.names) > _MANY else 99.0
    if thin < line_height() + 0.03:
        needs = []
    longest, last = (
        max(text_width(name, bold=True) for name in rows.labels(level)) for level in (0, -1)
    )
    widths = [longest + 0.27 * unit + n * need for need in needs]
    widths.append(last + (0.27 + n * _BARE) * unit)
    wide = next((it for it in widths if it <= FULL), FULL)
    sheet = Sheet(ax, width=max(wide, _LEAST), panels=m, title=title)
    abreast = n if sheet.own else n * m
    room = (sheet.width - min(longest, _SHARE * sheet.width) - 0.2 * unit) / abreast
    if not sheet.own:  # rows are as high as the axes
        thin = 0.8 * sheet.ax.bbox.height / sheet.figure.dpi / len(rows.names)
        tall = [(text.count("\n") + 1) * line_height() for text in cells[0].texts]
        needs = [it if high < thin else FULL for it, high in zip(needs, tall, strict=False)]
    level = next((level for level, need in enumerate(needs) if need <= room), -1)
    least = needs[level] if level >= 0 else _BARE * unit
    # names of rows may be as long as cells leave room for
    reach = max(sheet.width - 0.25 * unit - abreast * least, _SHARE * sheet.width)
    most = (1.5 if level >= 0 else 1.0) * least

    def fitted(labels: Sequence[str]) -> tuple[list[str], float, float]:
        """Return the lines of names of rows, the room that they take, and the width of cells."""
        both = zip(labels, rows.names, strict=True)
        lines = [wrapped(label, reach, bold=name in rows.bold) for label, name in both]
        aside = max(text_width(label, bold=True) for label in lines) + 0.2 * unit
        return lines, aside, min((sheet.width - aside) / abreast, most)

    left, aside, cell = fitted(rows.labels(level))
    above, keys = columns.labels(level), [*legend]
    if rows.pairs and sum(map(_height, left)) > _PAGE:
        number = {it: str(place) for place, it in enumerate(dict.fromkeys(chain(*rows.pairs)), 1)}
        left, aside, cell = fitted([f"{number[a]} – {number[b]}" for a, b in rows.pairs])
        keys += [(f"{place}  {name}", "") for name, place in number.items()]
    length, angle = _across(above, cell)
    apart = 0.0
    if not length:  # numbers stand for names of columns
        every = dict.fromkeys([*columns.names, *rows.names])
        number = {name: str(place) for place, name in enumerate(every, 1)}
        if len(every) < len(rows.names) + n:
            named = zip(rows.names, rows.labels(level), strict=True)
            left, aside, cell = fitted([f"{number[it]}\u00a0\u00a0{name}" for it, name in named])
        both = zip(columns.names, above, strict=True)
        keys += [(f"{number[it]}  {name}", "") for it, name in both if it not in rows.names]
        above, length = [number[name] for name in columns.names], 1.0
        apart = text_width(str(n)) + 0.05
    strong = [name in rows.bold for name in rows.names]
    heights = [_height(text) for text in left]
    most_lines = max(it.texts[level].count("\n") + 1 for it in cells) if level >= 0 else 0
    keys += [(lines, "")] if lines and most_lines > 1 else []
    thin = min(thin, _HIGHEST / sheet.down / len(left))
    # a name of several lines may be higher than its row, beside names that are not
    wanted = [(one + other) / 2 for one, other in pairwise(heights)] or heights
    spare = 0.03 if len(left) <= _AIRY else 0.0  # many rows shall leave room for text on a page
    high = min(max(*wanted, most_lines * line_height() + 0.03) + spare, thin)
    kept = with_room(heights, high, strong)
    over = columns.some(above, with_room([apart] * n, cell))
    for panel, (name, part) in zip(sheet.axes, panels.items(), strict=True):
        _draw_cells(sheet, panel, part, level, (cell, high), says, _MARK * beside)
        if not below:
            panel.set_facecolor(DIAGONAL)
            panel.xaxis.tick_top()
        x, y = 0.5 + _EDGE / cell, 0.5 + _EDGE / high
        panel.set(xlim=(-x, n - 1 + x), ylim=(len(left) - 1 + y, -y))
        sheet.bare("top", "bottom", "left", "right", ax=panel)
        if sheet.own or panel is sheet.ax:
            sheet.names("rows", panel.yaxis, **rows.some(left, kept), share=reach / sheet.width)
        else:
            panel.set_yticks([])
        sheet.names("columns", panel.xaxis, **over, share=length / sheet.width, rotation=angle)
        if m > 1 and sheet.own:
            sheet.panel_title(panel, name)
        elif m > 1:  # their title is the caption
            sheet.axis_label(panel.xaxis, name)
    # cells need not be as wide as there is room
    share = min(1.0, (aside + abreast * cell) / sheet.width)
    engine = sheet.figure.get_layout_engine()
    if sheet.own and isinstance(engine, ConstrainedLayoutEngine):
        engine.set(rect=((1 - share) / 2, 0, share, 1))
    few = f"{len(kept)} of {len(left)} rows are named" if len(kept) < len(left) else ""
    sheet.caption(*caption, few)
    sheet.legend(*((text, _box_of(color)) for text, color in keys))
    if clear:  # what is said of strong cells
        titles = dict.fromkeys(it.about.title for it in cells if it.strong and it.about)
        names = listed([row.replace("\n", " ") for row in rows.labels(0)], most=_MOST_NAMED)
        found = f"{clear[0].upper()}{clear[1:]}: {listed([*titles], '. ', _MOST_TOLD)}."
        others = listed([it.replace("\n", " ") for it in columns.labels(0)], most=_MOST_NAMED)
        found = f"Rows: {names}. Columns: {others}. {found}"
    else:
        found = sheet.said("columns", "rows", most=_MOST_NAMED)
    return sheet.plot(what, *filter(None, [told]), found, height=high * len(left))


def _height(text: str) -> float:
    return (text.count("\n") + 1) * line_height() + 0.02


def _across(labels: Sequence[str], cell: float) -> tuple[float, float]:
    """Return the length and the angle of the lines of names of columns; 0 if they lack room."""
    words = {word for label in labels for word in label.split()}
    turned = int((cell + 0.005) / line_height()) - 1
    lengths = [inches * font_size() / 8 for inches in _LENGTHS]
    fitting = []
    for length, angle, most in [(cell - 0.06, 0.0, 2), *((it, 90.0, turned) for it in lengths)]:
        lines = [wrapped(label, length, bold=True) for label in labels]
        if all(text.count("\n") <= most for text in lines):
            if all(words.issuperset(text.split()) for text in lines):
                return length, angle
            fitting += [(length, angle)] if angle else []
    return fitting[-1] if fitting else (0.0, 0.0)


def with_room(sizes: Sequence[float], pitch: float, first: Sequence[bool] = ()) -> list[int]:
    """Return which labels have room beside each other; some have it first."""
    kept: list[int] = []
    for i in sorted(range(len(sizes)), key=lambda i: (not (first and first[i]), i)):
        if all(abs(i - j) * pitch >= (sizes[i] + sizes[j]) / 2 - 1e-9 for j in kept):
            kept.append(i)
    return sorted(kept)


def _draw_cells(
    sheet: Sheet, ax: Axes, cells: Cells, level: int, size: Size, says: Says, mark: float
) -> None:
    """Draw cells of this width and height in inches, with marks so wide beside texts."""
    for part in dict.fromkeys(cell.part for cell in cells):
        some = [cell for cell in cells if cell.part == part]
        boxes = PolyCollection(
            [_box(cell) for cell in some],
            facecolors=[cell.color for cell in some],
            edgecolors="0.7" if size[1] >= _ROOMY else "face",
            linewidths=0.5,
            rasterized=len(some) > _MOST_VECTORS,
        )
        told = [cell.about for cell in some] if len(some) <= _MOST_MARKED else None
        sheet.add(part, ax.add_collection(boxes, autolim=False), told)
    shift = mark / 2 / size[0]
    for cell in cells if level >= 0 else ():
        weight = "bold" if cell.strong else "normal"
        at = (cell.column + shift, cell.row)
        style: dict[str, Any] = {"ha": "center", "fontweight": weight, "annotation_clip": None}
        text = sheet.text("texts", at, cell.texts[level], cell.about, ax=ax, **style)
        text.set_in_layout(False)  # it stands within the axes, and to measure all takes long
    strong = [cell for cell in cells if cell.strong]
    if strong and level >= 0 and not mark:
        inset = 0.02 / size[0], 0.02 / size[1]
        frames = [_box(cell, *inset) for cell in strong]
        lines = PolyCollection(frames, facecolors="none", edgecolors="black", linewidths=1.4)
        lines.set_label(says.get((FRAME, True), ""))
        sheet.add("frames", ax.add_collection(lines, autolim=False))
    drawn = [cell for cell in cells if cell.better and (mark or level < 0)]
    shift, extent = (0.1 / size[0] - 0.5 if level >= 0 else 0.0), min(5.0, 40 * min(size))
    for shape, filled in sorted({(cell.better, cell.strong) for cell in drawn}):
        some = [cell for cell in drawn if (cell.better, cell.strong) == (shape, filled)]
        x, y = [cell.column + shift for cell in some], [cell.row for cell in some]
        face, label = "black" if filled else "none", says.get((shape, filled), "")
        style = {"marker": shape, "markersize": extent, "markerfacecolor": face, "label": label}
        style |= {"linestyle": "none", "markeredgewidth": 0.8, "markeredgecolor": "black"}
        sheet.add("marks", ax.plot(x, y, **style), [cell.about for cell in some])


def _box_of(color: Color) -> Patch:
    edge = "0.7" if color else "none"
    return Patch(facecolor=color or "none", edgecolor=edge, linewidth=0.5)


def _box(cell: Cell, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float]]:
    left, right, top, bottom = -0.5 + x, 0.5 - x, -0.5 + y, 0.5 - y
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return [(cell.column + dx, cell.row + dy) for dx, dy in corners]
