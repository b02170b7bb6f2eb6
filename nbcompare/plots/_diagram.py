"""Names on both sides of an axis, each joined to its value by a line, and bars over groups.

These are the parts that the critical difference diagram shares with similar diagrams.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist

from nbcompare.plots._emphasis import PLAIN, Emphasis
from nbcompare.plots._labels import LINE, wrapped
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, text_width
from nbcompare.plots._style import PAD

# All lengths in inches, all font sizes in points.
NAME_SIZE = 10.0
NUMBER_SIZE = 7.5
ROW_GAP = 0.055
BAR_PITCH = 0.12
BAR_REACH = 0.05  # a bar extends this far past its outermost members
LEAD = 0.42  # space between the end of the axis and the names, used by the numbers
BARE = 0.2  # space beside an axis without names, for half the label of a tick
PLAIN_LINE, COLORED, THICK = 0.7, 1.1, 1.8  # widths of lines in points


@dataclass(frozen=True, slots=True)
class Bar:
    """Members of a group as positions counted from the best, and the level of its bar."""

    members: tuple[int, ...]
    letter: str
    level: int
    hollow: bool = False
    marked: bool = False  # drawn with marks, like a group with gaps

    @property
    def contiguous(self) -> bool:
        """True if no other algorithm lies between the members, so that a plain bar shows them."""
        return not self.marked and self.members[-1] - self.members[0] + 1 == len(self.members)


def width_for(count: int) -> float:
    """Return the width of an axis that has room for this many names."""
    return min(6.5, max(3.6, 0.16 * count))


def bars_apart(span: float, width: float) -> float:
    """Return the least distance of bars on one level, with room for a letter, in axis units."""
    return (2 * BAR_REACH + 0.15) * span / width


class NamesAroundAxis(ABC):
    """Names ordered from the best, their values (smaller is better), and their bars."""

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[float],
        ends: tuple[float, float],
        *,
        control: str | None,
        bars: Sequence[Bar],
        mirrored: bool,
        lead: float = LEAD,
        narrow: bool = False,
        one_sided: bool = False,
        emphasis: Emphasis = PLAIN,
    ) -> None:
        self.narrow, self.emphasis = narrow, emphasis
        self.names, self.values, self.bars = names, values, bars
        self.low, self.high = ends
        self.control, self.mirrored, self.lead = control, mirrored, lead
        self.width = width_for(len(names))
        self.lettered = any(not bar.contiguous for bar in bars)
        self.labels = [self._label(position) for position in range(len(names))]
        # names of one side only stand on that of the best, so that the best is the uppermost
        half = len(names) if one_sided else len(names) // 2
        sides = (range(half), range(len(names) - 1, half - 1, -1))
        self.right, self.left = sides if mirrored else sides[::-1]

    # ---------------------------------------------------------------- for subclasses

    @abstractmethod
    def number(self, position: int) -> str:
        """Return the text on the line to a name."""

    @abstractmethod
    def about(self, position: int) -> Mark:
        """Return what a page says of an algorithm."""

    @abstractmethod
    def draw_mark(self, canvas: Canvas, position: int, x: float, y_axis: float) -> Artist | None:
        """Draw the mark of a value, if it has one."""

    def about_bar(self, bar: Bar) -> Mark:
        """Return what a page says of a bar."""
        names = tuple(self.names[position] for position in bar.members)
        return Mark(f"No significant difference between any two of {', '.join(names)}", names)

    # ----------------------------------------------------------------------- measures

    def _label(self, position: int) -> str:
        name = self.names[position]
        control = " (control)" if name == self.control else ""
        letters = []
        if self.lettered:
            letters = [bar.letter for bar in self.bars if position in bar.members]
        added = control + (f" [{' '.join(letters)}]" if letters else "")
        if self.narrow and control:
            return f"{wrapped(name)}\n{added.strip()}"
        return wrapped(name + added)

    def _label_width(self, position: int) -> float:
        return text_width(self.labels[position], NAME_SIZE, bold=self._is_bold(position))

    def _is_bold(self, position: int) -> bool:
        name = self.names[position]
        return name == self.control or name in self.emphasis.bold

    def side_width(self, side: range) -> float:
        """Return the width of the widest name on one side, and of the lines to the names there."""
        if not side:
            letters = max((text_width(bar.letter, NUMBER_SIZE) for bar in self.bars), default=0.0)
            return BARE + letters * self.lettered
        return self.lead + PAD + max(map(self._label_width, side))

    def sides_height(self) -> float:
        """Return the height of the names on the side that needs more space."""
        return max(map(self._side_height, (self.left, self.right)))

    def _side_height(self, side: range) -> float:
        return sum(self._row_height(position) + ROW_GAP for position in side)

    def _row_height(self, position: int) -> float:
        return LINE * (self.labels[position].count("\n") + 1)

    def x(self, value: float) -> float:
        """Return the position of a value, measured from the left end of the axis."""
        share = (value - self.low) / (self.high - self.low)
        return self.width * (1 - share if self.mirrored else share)

    def reach(self, members: tuple[int, ...]) -> tuple[float, float]:
        """Return the left and right ends of a bar over these members."""
        ends = sorted((self.x(self.values[members[0]]), self.x(self.values[members[-1]])))
        return ends[0] - BAR_REACH, ends[1] + BAR_REACH

    def levels(self) -> int:
        """Return the number of levels that the bars take."""
        return 1 + max((bar.level for bar in self.bars), default=-1)

    # ------------------------------------------------------------------------ drawing

    def draw_names(
        self, canvas: Canvas, x0: float, y_axis: float, y_names: float
    ) -> tuple[Artist, ...]:
        """Draw the names and numbers, the lines to the values, and their marks."""
        artists: list[Artist] = []
        x_right = x0 + self.width + self.lead
        for side, x_end, direction in ((self.left, x0 - self.lead, -1), (self.right, x_right, 1)):
            y = y_names
            for position in side:
                x = x0 + self.x(self.values[position])
                middle = y + self._row_height(position) / 2
                name = self.names[position]
                color, strong = self.emphasis.colors.get(name), name in self.emphasis.bold
                line = canvas.line(
                    (x, x, x_end),
                    (y_axis, middle, middle),
                    THICK if strong else COLORED if color else PLAIN_LINE,
                    color=color or "0.25",
                    zorder=2.2 if strong else 2.1 if color else 2,
                )
                number = canvas.text(
                    x_end - direction * 0.02,
                    middle - 0.055,
                    self.number(position),
                    NUMBER_SIZE,
                    ha="right" if direction > 0 else "left",
                    color="0.3",
                )
                label = canvas.text(
                    x_end + direction * PAD,
                    middle,
                    self.labels[position],
                    NAME_SIZE,
                    ha="left" if direction > 0 else "right",
                    fontweight="bold" if self._is_bold(position) else None,
                    color=color or "black",
                    linespacing=1.1,
                )
                symbol = self.draw_mark(canvas, position, x, y_axis)
                about = self.about(position)
                for part in (line, number, label, *([symbol] if symbol is not None else [])):
                    marked(part, about)
                artists.append(label)
                y += self._row_height(position) + ROW_GAP
        return tuple(artists)

    def draw_bars(self, canvas: Canvas, x0: float, y_bars: float) -> tuple[Artist, ...]:
        """Draw the bars: solid over neighbours, dotted with marks if others lie between them."""
        artists: list[Artist] = []
        for bar in self.bars:
            about = self.about_bar(bar)
            y = y_bars + BAR_PITCH * (bar.level + 0.5)
            left, right = self.reach(bar.members)
            if not bar.contiguous:
                inner = [x0 + self.x(self.values[end]) for end in (bar.members[0], bar.members[-1])]
                artists.append(
                    canvas.line((min(inner), max(inner)), (y, y), 1.2, linestyle=(0, (1.2, 1.6)))
                )
                for position in bar.members:
                    x = x0 + self.x(self.values[position])
                    marked(canvas.marker(x, y, "s", 4.0, filled=not bar.hollow), about)
            elif bar.hollow:
                artists.append(hollow_bar(canvas, x0 + left, x0 + right, y))
            else:
                artists.append(canvas.line((x0 + left, x0 + right), (y, y), 3.2, zorder=4))
            marked(artists[-1], about)
            if self.lettered:
                letter = canvas.text(
                    x0 + left - 0.04,
                    y,
                    bar.letter,
                    NUMBER_SIZE,
                    ha="right",
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3},
                )
                marked(letter, about)
        return tuple(artists)


def hollow_bar(canvas: Canvas, left: float, right: float, y: float) -> Artist:
    """Draw an outlined bar."""
    style = {"facecolor": "white", "edgecolor": "black", "zorder": 4}
    return canvas.box((left, right), (y - 0.026, y + 0.026), 0.9, **style)


def place_bars(
    groups: Sequence[Sequence[str]],
    names: Sequence[str],
    values: Sequence[float],
    apart: float,
    *,
    below: Sequence[Bar] = (),
    hollow: bool = False,
) -> list[Bar]:
    """Place a bar for each group of two or more on the first level that is free.

    The new bars are placed below those in ``below``, which stay where they are.
    """
    position = {name: i for i, name in enumerate(names)}
    members_of = sorted(
        tuple(sorted(position[name] for name in group)) for group in groups if len(group) > 1
    )
    first = 1 + max((bar.level for bar in below), default=-1)
    taken_to: list[float] = []  # the value up to which each level is occupied
    bars = []
    for number, members in enumerate(members_of, start=len(below)):
        start, end = values[members[0]], values[members[-1]]
        level = next((i for i, taken in enumerate(taken_to) if start > taken), len(taken_to))
        taken_to[level : level + 1] = [end + apart]
        bars.append(Bar(members, _letter(number), first + level, hollow))
    return bars


def _letter(number: int) -> str:
    return (_letter(number // 26 - 1) if number >= 26 else "") + "abcdefghijklmnopqrstuvwxyz"[
        number % 26
    ]
