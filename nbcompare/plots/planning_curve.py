"""Curves of power by the number of data sets, folds or runs, with the number that is needed."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare.plots._curves import Style, spread
from nbcompare.plots._frame import LEAD, draw_line, draw_marks
from nbcompare.plots._labels import (
    LINE,
    SMALL_SIZE,
    Entry,
    Legend,
    caption_height,
    caption_width,
    draw_caption,
    wrapped,
)
from nbcompare.plots._marks import Mark, marked
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.plots._scale import Scale
from nbcompare.plots._style import MARGIN, PAD, TICK
from nbcompare.results import Labelled, Plan
from nbcompare.results.plan import PlanCurve

# All lengths in inches, all font sizes in points.
_WIDTH, _HEIGHT = 3.6, 2.6
_NAME_LINE = 0.15
_WRAP, _WRAP_NAME = 84, 30
_MOST_PAIRS = 6
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

    The first curve is that of all pairs that the pilot found significant at once. Those of single
    pairs follow, at most six, which need least. Colour, dashes and marks tell them apart, and each
    has its name at its end. Bands are intervals. A dotted line marks the wanted power, a star
    the number that is needed, and a dashed line the size of the pilot. The axis of numbers is
    logarithmic if these differ much.

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
    >>> plan = nbc.plan(nbc.datasets.load("demsar2006"), control="C4.5", largest=30)
    >>> plot = nbc.plots.planning_curve(plan)
    >>> [text.get_text().replace("\n", " ") for text in plot.artists["labels"]][:2]
    ['all 2 significant', 'C4.5+m over C4.5']
    """
    if not isinstance(plan, Plan):
        raise TypeError(
            "plots.planning_curve takes a result, of class Plan; got "
            f"{type(plan).__name__}. Pass nbc.plan(pilot)."
        )
    return _Drawing(plan).draw(ax)


def _lines(plan: Plan) -> list[_Line]:
    lines = []
    if plan.together is not None and plan.n_significant > 1:
        title = f"all {plan.n_significant} significant"
        lines.append(_Line(title, (), plan.curve(), int(plan.together.n[0])))
    for row, (one, other) in enumerate(zip(plan.first, plan.second, strict=True)):
        if row < _MOST_PAIRS:
            n = int(plan.needed.n[row])
            lines.append(_Line(f"{one} over {other}", (one, other), plan.curve(row), n))
    return lines


class _Drawing:
    """Drawing that is measured first and then drawn."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.lines = plan, _lines(plan)
        self.styles = [Style.of(number) for number in range(len(self.lines))]
        self.labels = [wrapped(line.name, _WRAP_NAME) for line in self.lines]
        self.sizes = [_NAME_LINE * (label.count("\n") + 1) + 0.02 for label in self.labels]
        self.height = max(_HEIGHT, sum(self.sizes) + 0.1)
        ends = plan.sizes[[0, -1]].astype(np.float64)
        log = bool(ends[1] > _WIDE * ends[0])
        self.x = Scale(ends, log=log, margin=0.02)
        self.y = Scale(np.array([0.0, 1.0]), log=False, margin=0.0)
        numbers = max(text_width(text, SMALL_SIZE) for _, text in self.y.ticks())
        self.left = LINE + numbers + TICK + PAD
        self.beside = LEAD + max(text_width(label, SMALL_SIZE) for label in self.labels)
        names = ("curves", "bands", "marks", "labels", "wanted", "answer", "pilot", "axis")
        self.artists: dict[str, list[Artist]] = {name: [] for name in names}

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), Legend(self._legend())
        content = self.left + _WIDTH + self.beside + PAD
        # hinting makes small letters a little wider than measured
        total = 2 * MARGIN + max(content, 1.04 * caption_width(caption), 1.04 * legend.least_width)
        top = MARGIN + caption_height(caption) + LINE + 0.16
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
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _draw_axes(self, canvas: Canvas, left: float, top: float, bottom: float) -> None:
        right, axis = left + _WIDTH, self.artists["axis"]
        axis.append(canvas.line((left, left), (top, bottom), 0.8))
        axis.append(canvas.line((left, right), (bottom, bottom), 0.8))
        for share, text in self.y.ticks():
            y = bottom - self.height * share
            axis.append(canvas.line((left, right), (y, y), 0.4, color="0.9", zorder=0))
            axis.append(canvas.line((left - TICK, left), (y, y), 0.8))
            axis.append(canvas.text(left - TICK - 0.03, y, text, SMALL_SIZE, ha="right"))
        taken = -np.inf
        for share, text in self._x_ticks():
            x, half = left + _WIDTH * share, text_width(text, SMALL_SIZE) / 2
            axis.append(canvas.line((x, x), (bottom, bottom + TICK), 0.8))
            if x - half > taken:
                axis.append(canvas.text(x, bottom + TICK + LINE / 2, text, SMALL_SIZE, ha="center"))
                taken = x + half + PAD
        what = f"number of {self.plan.noun}s"
        y = bottom + TICK + 1.5 * LINE + 0.05
        axis.append(canvas.text(left + _WIDTH / 2, y, what, SMALL_SIZE, ha="center"))
        x = left - self.left + LINE / 2
        middle = (top + bottom) / 2
        axis.append(canvas.text(x, middle, "power", SMALL_SIZE, ha="center", rotation=90))

    def _x_ticks(self) -> list[tuple[float, str]]:
        if not self.x.log:
            return [(share, text) for share, text in self.x.ticks() if "." not in text]
        low, high = self.plan.sizes[[0, -1]].tolist()
        wanted = [step * 10**decade for decade in range(7) for step in (1, 2, 5)]
        inside = [float(number) for number in wanted if low <= number <= high]
        return [(float(self.x.share(np.array([n]))[0]), f"{n:,.0f}") for n in inside]

    def _draw_lines(self, canvas: Canvas, left: float, top: float, bottom: float) -> None:
        plan, right = self.plan, left + _WIDTH

        def x_of(sizes: Any) -> FloatArray:
            return np.asarray(left + _WIDTH * self.x.share(np.asarray(sizes, dtype=np.float64)))

        def y_of(shares: Any) -> FloatArray:
            return np.asarray(bottom - self.height * np.asarray(shares))

        y = float(y_of(plan.power))
        self.artists["wanted"].append(canvas.line((left, right), (y, y), 1.1, **_DOTTED, zorder=2))
        for number, line in enumerate(self.lines):
            curve, style, about = line.curve, self.styles[number], self._about(line)
            places = x_of(curve.sizes)
            low, high = y_of(curve.lower), y_of(curve.upper)
            outline = [*zip(places, low, strict=True), *zip(places[::-1], high[::-1], strict=True)]
            fill: dict[str, Any] = {"facecolor": style.color, "edgecolor": "none"}
            fill["alpha"] = min(0.16, 0.8 / len(self.lines))
            band = canvas.polygon(outline, 0.0, zorder=1.5, **fill)
            self.artists["bands"].append(marked(band, about))
            points = places, y_of(curve.power)
            self.artists["curves"].append(marked(draw_line(canvas, *points, style), about))
            # a few marks, shifted from curve to curve
            wanted = left + _WIDTH * (np.arange(4) + 0.2 + 0.6 * (number * 0.382 % 1)) / 4
            at = wanted[(wanted > places[0]) & (wanted < places[-1])]
            drawn = draw_marks(canvas, at, np.interp(at, *points), style)
            self.artists["marks"].append(marked(drawn, about))
        self._draw_pilot(canvas, float(x_of(plan.n_pilot)), (top, bottom), (left, right))
        self._draw_answer(canvas, x_of, y, top)
        self._draw_labels(canvas, right, (top, bottom), y_of)

    def _draw_pilot(
        self,
        canvas: Canvas,
        x: float,
        ends: tuple[float, float],
        sides: tuple[float, float],
    ) -> None:
        if sides[0] <= x <= sides[1]:
            line = canvas.line((x, x), ends, 0.9, **_DASHED, zorder=2)
            self.artists["pilot"].append(line)

    def _draw_answer(self, canvas: Canvas, x_of: Any, y: float, top: float) -> None:
        """Draw a star where the answer is, with its number above."""
        n = self.plan.n
        if n is None:
            return
        x, about = float(x_of(n)), self._about(self.lines[0])
        star: dict[str, Any] = {"marker": "*", "color": "black", "zorder": 6}
        line = canvas.line((x, x), (top - 0.06, y), 0.9, color="black", zorder=2)
        drawn = canvas.ax.plot([x], [y], linestyle="none", markersize=11 * canvas.scale, **star)[0]
        text = canvas.text(x, top - 0.06 - LINE / 2, f"{n:,}", SMALL_SIZE, ha="center")
        self.artists["answer"] += [marked(part, about) for part in (line, drawn, text)]

    def _draw_labels(
        self, canvas: Canvas, right: float, ends: tuple[float, float], y_of: Any
    ) -> None:
        """Write the name of each curve at its end."""
        last = [float(y_of(line.curve.power[-1])) for line in self.lines]
        # of curves that end together, the one that rises first stands first
        wanted = [at + 1e-6 * number for number, at in enumerate(last)]
        places = spread(wanted, self.sizes, (ends[0] - 0.04, ends[1] + 0.04))
        for number, (line, y0, y) in enumerate(zip(self.lines, last, places, strict=True)):
            style, x = self.styles[number], right + LEAD - PAD
            last_size = line.curve.sizes[[-1]].astype(np.float64)
            begin = right - _WIDTH * (1 - float(self.x.share(last_size)[0]))
            canvas.line((begin, x), (y0, y), 0.7, color=style.color)
            draw_marks(canvas, np.array([x]), np.array([y]), style)
            text = canvas.text(
                right + LEAD, y, self.labels[number], SMALL_SIZE, ha="left", linespacing=1.0
            )
            self.artists["labels"].append(marked(text, self._about(line)))

    # -------------------------------------------------------------------------- words

    def _about(self, line: _Line) -> Mark:
        plan = self.plan
        needed = (
            f"{plural(line.n, plan.noun)}"
            if line.n
            else f"more than {plural(plan.largest, plan.noun)}"
        )
        pair = len(line.about) == 2
        return Mark(f"{line.name}: {needed} for a power of {plan.power:g}", line.about, pair=pair)

    def _caption(self) -> list[str]:
        plan = self.plan
        n, shrunk = plan.n, ""
        if plan.shrink:
            shrunk = f", differences of the pilot smaller by {100 * plan.shrink:g} %"
        needed = f"more than {plan.largest:,}" if n is None else f"{n:,}"
        text = (
            f"{needed} {plan.noun}{'' if n == 1 else 's'} for a power of {plan.power:g}{shrunk}, "
            f"α = {plan.alpha:g}; bands: {100 * plan.confidence:g} % intervals"
        )
        rest = len(plan.first) - sum(bool(line.about) for line in self.lines)
        more = f"; not drawn: {plural(rest, 'pair')}, which need more" if rest else ""
        return wrapped(text + more, _WRAP).split("\n")

    def _legend(self) -> list[Entry]:
        plan = self.plan
        entries = [Entry(f"wanted power: {plan.power:g}", _symbol(_DOTTED))]
        if self.plan.sizes[0] <= plan.n_pilot <= self.plan.sizes[-1]:
            pilot = f"pilot: {plural(plan.n_pilot, plan.noun)}"
            entries.append(Entry(pilot, _symbol(_DASHED)))
        return entries

    def _alt(self) -> str:
        told = "; ".join(self._about(line).title for line in self.lines)
        return (
            f"Curves of power by number of {self.plan.noun}s. {' '.join(self._caption())}. {told}."
        )


def _symbol(style: Any) -> Any:
    def draw(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
        return [canvas.line((x - 0.12, x + 0.12), (y, y), 1.1, **style)]

    return draw
