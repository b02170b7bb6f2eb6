"""Curves of power by the number of data sets, folds or runs, with the number that is needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._axes import Box, draw_axes, draw_band
from nbcompare.plots._curves import Style, spread
from nbcompare.plots._frame import LEAD, draw_line, draw_marks
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    Entry,
    Legend,
    caption_height,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import (
    Canvas,
    Plot,
    check_result,
    lines_within,
    text_width,
    tick_step,
)
from nbcompare.plots._scale import Scale
from nbcompare.plots._style import MARGIN, PAD, TICK
from nbcompare.results import Labelled, Plan
from nbcompare.results.plan import PlanCurve

# All lengths in inches, all font sizes in points.
_WIDTH, _HEIGHT = 3.6, 2.6  # of the axes
_SHORTEST = 1.8  # to this width they shrink
_SPACING = 1.2  # of the lines of a name
_WRAPS = (30, 22, 15)  # characters per line of a name; fewer where there is little room
_HINTED = 1.04  # small letters are a little wider than measured
_MOST_PAIRS = 6
_STAR = 11.0  # points
_WIDE = 10  # times the smallest number: then the axis is logarithmic
_DOTTED = MappingProxyType({"color": "0.4", "linestyle": (0, (1, 2))})
_DASHED = MappingProxyType({"color": "0.4", "linestyle": (0, (4, 2))})


class _Line(NamedTuple):
    """A curve, its name, the algorithms that it is about, and the number that is needed."""

    name: str
    about: tuple[str, ...]
    curve: PlanCurve
    n: int


def planning_curve(plan: Plan, *, ax: Axes | None = None) -> Plot:
    r"""Draw power by the number of data sets, folds or runs, a curve for each of several pairs.

    The first curve is that of the answer: of all pairs at once that the pilot found significant,
    of the only one, or of the clearest one if it found none. Those of other pairs follow in the
    order of the plan, which begins with those that need least; at most six pairs are drawn.
    Colour, dashes and marks tell the curves apart, and each has its name at its end. The
    power is that on average over what the pilot leaves open, and bands hold that of most of it. A
    dotted line marks the wanted power, a star the number that is needed, and a dashed line the size
    of the pilot; if that is not among the numbers that were simulated, the caption says it. The
    axis of numbers is logarithmic if these differ much.

    Parameters
    ----------
    plan : Plan
        Result of :func:`nbcompare.plan`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves``, ``bands``, ``marks``, ``labels`` (at the ends of the
        curves), ``wanted`` (the wanted power), ``answer`` (what is needed, and its number),
        ``pilot`` (its size), ``axis`` and ``legend``.

    Raises
    ------
    TypeError
        If ``plan`` is no Plan.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pilot = nbc.datasets.load("demsar2006").select(algorithms=["C4.5", "C4.5+m"])
    >>> plot = nbc.plots.planning_curve(nbc.plan(pilot))
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['C4.5+m over C4.5']
    """
    check_result(plan, "planning_curve", Plan)
    return _Drawing(plan).draw(ax)


def _lines(plan: Plan) -> list[_Line]:
    """Return the curve that the answer is about, and those of single pairs."""
    rows, lines = [*range(min(len(plan.first), _MOST_PAIRS))], []
    if plan.together is not None and plan.n_significant > 1:
        title = f"all {plan.n_significant} significant"
        lines.append(_Line(title, (), plan.curve(), int(plan.together.n[0])))
    elif plan.together is not None:  # others may need less than the only significant one
        row = int(np.flatnonzero(plan.significant)[0])
        rows = [row, *[other for other in rows if other != row][: _MOST_PAIRS - 1]]
    for row in rows:
        pair = plan.first[row], plan.second[row]
        lines.append(_Line(" over ".join(pair), pair, plan.curve(row), int(plan.needed.n[row])))
    return lines


def _label(line: _Line, wrap: int) -> str:
    """Return a name in lines; a pair of long ones is broken between the two."""
    if not line.about or len(line.name) <= wrap:
        return wrapped(line.name, wrap)
    one, other = line.about
    return f"{wrapped(one, wrap)}\n{wrapped(f'over {other}', wrap)}"


class _Drawing:
    """Drawing that is measured first and then drawn."""

    def __init__(self, plan: Plan, width: float = _WIDTH, wrap: int = _WRAPS[0]) -> None:
        self.plan, self.lines, self.width = plan, _lines(plan), width
        self.styles = [Style.of(number) for number in range(len(self.lines))]
        self.labels = [_label(line, wrap) for line in self.lines]
        self.sizes = [LINE * (label.count("\n") + 1) + 0.03 for label in self.labels]
        self.height = max(_HEIGHT, sum(self.sizes) + 0.1)
        ends = plan.sizes[[0, -1]].astype(np.float64)
        log = bool(ends[1] > _WIDE * ends[0])
        self.x = Scale(ends, log=log, margin=0.02)
        self.y = Scale(np.array([0.0, 1.0]), log=False, margin=0.0)
        numbers = max(text_width(text, SMALL_SIZE) for _, text in self.y.ticks())
        self.left = LINE + numbers + TICK + PAD
        names = max(text_width(label, SMALL_SIZE) for label in self.labels)
        self.content = self.left + width + LEAD + names + PAD
        parts = ("curves", "bands", "marks", "labels", "wanted", "answer", "pilot", "axis")
        self.artists: dict[str, list[Artist]] = {name: [] for name in parts}

    def draw(self, ax: Axes | None) -> Plot:
        content, legend = self.content, Legend(self._legend())
        caption = [
            line
            for phrases in self._caption()
            for text in lines_within(phrases, " ", content / _HINTED, SMALL_SIZE)
            for line in lines_within(text.split(" "), " ", content / _HINTED, SMALL_SIZE)
        ]
        total = 2 * MARGIN + max(content, _HINTED * legend.least_width)
        top = MARGIN + caption_height(caption) + (0.12 if self.plan.n is None else LINE + 0.16)
        bottom = top + self.height
        end = bottom + TICK + 2 * LINE + 0.06
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, end + 0.1 + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        left = (total - content) / 2 + self.left
        self._draw_axes(canvas, left, top, bottom)
        self._draw_lines(canvas, left, top, bottom)
        artists = {name: tuple(found) for name, found in self.artists.items()}
        artists["legend"] = legend.draw(canvas, MARGIN, end + 0.1, room)
        return Plot(
            canvas.ax.figure,  # type: ignore[arg-type]
            canvas.ax,
            Labelled(artists),
            self._alt(),
            shown=ax is None,
            narrower=partial(_narrower, self.plan) if ax is None else None,
        )

    def _draw_axes(self, canvas: Canvas, left: float, top: float, bottom: float) -> None:
        right, axis = left + self.width, self.artists["axis"]
        box = Box(left, right, top, bottom, bottom)
        axis += draw_axes(canvas, box, self._x_ticks(), self.y.ticks())
        what = f"number of {self.plan.noun}s"
        y = bottom + TICK + 1.5 * LINE + 0.05
        axis.append(canvas.text(left + self.width / 2, y, what, SMALL_SIZE, ha="center"))
        x = left - self.left + LINE / 2
        middle = (top + bottom) / 2
        axis.append(canvas.text(x, middle, "power", SMALL_SIZE, ha="center", rotation=90))

    def _x_ticks(self) -> list[tuple[float, str]]:
        low, high = self.plan.sizes[[0, -1]].tolist()
        if self.x.log:
            wanted = [step * 10**decade for decade in range(7) for step in (1, 2, 5)]
        else:
            step = tick_step(2 * (high - low))
            wanted = [*range(step * -(-low // step), high + 1, step)]
        inside = [float(number) for number in wanted if low <= number <= high]
        return [(float(self.x.share(np.array([n]))[0]), f"{n:,.0f}") for n in inside]

    def _draw_lines(self, canvas: Canvas, left: float, top: float, bottom: float) -> None:
        plan, right = self.plan, left + self.width

        def x_of(sizes: Any) -> FloatArray:
            return np.asarray(left + self.width * self.x.share(np.asarray(sizes, dtype=np.float64)))

        def y_of(shares: Any) -> FloatArray:
            return np.asarray(bottom - self.height * np.asarray(shares))

        y = float(y_of(plan.power))
        self.artists["wanted"].append(canvas.line((left, right), (y, y), 1.1, **_DOTTED, zorder=2))
        for number, line in enumerate(self.lines):
            curve, style, about = line.curve, self.styles[number], self._about(line)
            places = x_of(curve.sizes)
            low, high = y_of(curve.lower), y_of(curve.upper)
            alpha = min(0.16, 0.8 / len(self.lines))
            band = draw_band(canvas, places, low, high, style.color, alpha)
            self.artists["bands"].append(marked(band, about))
            points = places, y_of(curve.power)
            self.artists["curves"].append(marked(draw_line(canvas, *points, style), about))
            # a few marks, shifted from curve to curve
            wanted = left + self.width * (np.arange(4) + 0.2 + 0.6 * (number * 0.382 % 1)) / 4
            between = (wanted > places[0]) & (wanted < places[-1])
            at = wanted[between] if len(places) > 1 else places
            drawn = draw_marks(canvas, at, np.interp(at, *points), style)
            self.artists["marks"].append(marked(drawn, about))
        if self._has_pilot:
            x = float(x_of(plan.n_pilot))
            drawn = canvas.line((x, x), (top, bottom), 0.9, **_DASHED, zorder=2)
            self.artists["pilot"].append(drawn)
        self._draw_answer(canvas, x_of, y, top)
        self._draw_labels(canvas, right, (top, bottom), y_of)

    def _draw_answer(self, canvas: Canvas, x_of: Any, y: float, top: float) -> None:
        """Draw a star where the answer is, with its number above."""
        n = self.plan.n
        if n is None:
            return
        x, about = float(x_of(n)), self._about(self.lines[0])
        line = canvas.line((x, x), (top - 0.06, y), 0.9, color="black", zorder=2)
        drawn = canvas.marker(x, y, "*", _STAR, filled=True)
        drawn.set_zorder(6)
        text = canvas.text(x, top - 0.06 - LINE / 2, f"{n:,}", SMALL_SIZE, ha="center")
        self.artists["answer"] += [marked(part, about) for part in (line, drawn, text)]

    def _draw_labels(
        self, canvas: Canvas, right: float, ends: tuple[float, float], y_of: Any
    ) -> None:
        """Write the name of each curve at its end."""
        last = [float(y_of(line.curve.power[-1])) for line in self.lines]
        # of curves that end together, the one that rises first stands first
        wanted = [
            at - 1e-6 * float(line.curve.power.mean())
            for at, line in zip(last, self.lines, strict=True)
        ]
        places = spread(wanted, self.sizes, (ends[0] - 0.04, ends[1] + 0.04))
        for number, (line, y0, y) in enumerate(zip(self.lines, last, places, strict=True)):
            style, x = self.styles[number], right + LEAD - PAD
            last_size = line.curve.sizes[[-1]].astype(np.float64)
            begin = right - self.width * (1 - float(self.x.share(last_size)[0]))
            canvas.line((begin, x), (y0, y), 0.7, color=style.color)
            draw_marks(canvas, np.array([x]), np.array([y]), style)
            text = canvas.text(
                right + LEAD, y, self.labels[number], SMALL_SIZE, ha="left", linespacing=_SPACING
            )
            self.artists["labels"].append(marked(text, self._about(line)))

    # -------------------------------------------------------------------------- words

    @property
    def _has_pilot(self) -> bool:
        """Whether the size of the pilot is on the axis."""
        return bool(self.plan.sizes[0] <= self.plan.n_pilot <= self.plan.sizes[-1])

    def _number(self, n: int) -> str:
        return f"{n:,}" if n else f"more than {self.plan.largest:,}"

    def _needed(self, n: int) -> str:
        return plural(n, self.plan.noun) if n else f"{self._number(0)} {self.plan.noun}s"

    def _about(self, line: _Line) -> Mark:
        told = f"{line.name}: {self._needed(line.n)} for a power of {self.plan.power:g}"
        return Mark(told, line.about, pair=len(line.about) == 2)

    def _found(self) -> list[str]:
        """Say what the answer is about, without a colon, at which a page may cut a caption."""
        m = self.plan.n_significant
        which = "the clearest" if not m else "the" if m == 1 else "both" if m == 2 else f"all {m:,}"
        differences = f"{'significant ' if m else ''}difference{'s' if m > 1 else ''}"
        aside = [] if m else ["(none was significant)"]
        return [f"{which} {differences} of the pilot", *aside]

    def _caption(self) -> list[list[str]]:
        """Return lines as phrases between which they may be broken."""
        plan = self.plan
        about = [
            f"α = {plan.alpha:g}",
            f"bands: {100 * plan.confidence:g} % of what the pilot leaves open",
        ]
        drawn, m = sum(bool(line.about) for line in self.lines), len(plan.first)
        if drawn < m:
            about.append(f"pairs: {drawn} of {m:,}, the clearest")
        if not self._has_pilot:
            about.append(f"pilot: {plural(plan.n_pilot, plan.noun)}")
        answer, *asides = self._found()
        return [
            [
                f"{self._needed(plan.n or 0)} for a power of {plan.power:g}",
                f"to find {answer}",
                *asides,
            ],
            [*(f"{part};" for part in about[:-1]), about[-1]],
        ]

    def _legend(self) -> list[Entry]:
        plan = self.plan
        entries = [Entry(f"wanted power: {plan.power:g}", _symbol(_DOTTED))]
        if plan.n is not None:
            entries.append(Entry(f"needed: {plural(plan.n, plan.noun)}", _star))
        if self._has_pilot:
            pilot = f"pilot: {plural(plan.n_pilot, plan.noun)}"
            entries.append(Entry(pilot, _symbol(_DASHED)))
        return entries

    def _alt(self) -> str:
        plan = self.plan
        told = "; ".join(f"{line.name} {self._number(line.n)}" for line in self.lines)
        return (
            f"Curves of power by number of {plan.noun}s, of which {self._number(plan.n or 0)} are "
            f"needed to find {' '.join(self._found())} with a power of {plan.power:g} "
            f"(α = {plan.alpha:g}, bands are {100 * plan.confidence:g} % of what the pilot leaves "
            f"open). The pilot has {plan.n_pilot:,}. Needed for that power, curve by curve: {told}."
        )


def _narrower(plan: Plan, room: float) -> Plot:
    """Return the same figure with shorter axes and, if these do not suffice, narrower names."""
    for wrap in _WRAPS:
        others = _Drawing(plan, 0.0, wrap).content
        width = room - 2 * MARGIN - others
        if width >= _SHORTEST:
            break
    return _Drawing(plan, min(_WIDTH, max(_SHORTEST, width)), wrap).draw(None)


def _symbol(style: Any) -> Any:
    def draw(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
        return [canvas.line((x - 0.12, x + 0.12), (y, y), 1.1, **style)]

    return draw


def _star(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [canvas.marker(x, y, "*", _STAR - 2, filled=True)]
