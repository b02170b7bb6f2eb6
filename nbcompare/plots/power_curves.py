"""Curves of power and of wrong conclusions by effect, for each design."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number, plural
from nbcompare._validation import check_choice, shown
from nbcompare.plots._axes import Box, draw_axes, draw_band
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
from nbcompare.results import Labelled, PowerStudy
from nbcompare.results.power_study import FAMILY, POWER, TYPE1, WRONG, PowerCurve

# All lengths in inches, all font sizes in points.
_WIDTH, _HEIGHT = 2.7, 2.3  # of a panel
_NAME_LINE = 0.15
_WRAP, _WRAP_NAME = 64, 22
_ERRORS = (WRONG, TYPE1, FAMILY)
_TITLES = {
    POWER: "Power: differences that were found",
    WRONG: "Type I error: wrong conclusions",
    TYPE1: "Type I error on pairs of equals",
    FAMILY: "Experiments with a wrong conclusion",
}
_ROOM = 1.15  # of the axis of errors, beyond the largest
_LEAST_TOP = 0.1  # of that axis
_DOTTED = MappingProxyType({"color": "0.4", "linestyle": (0, (1, 2))})


def power_curves(result: PowerStudy, *, error: str = WRONG, ax: Axes | None = None) -> Plot:
    """Draw power at the left and type I error at the right over the effect, for each design.

    The layout is that of Figures 2 and 3 of the 2013 paper. Colour, dashes and marks tell the
    designs apart, and each curve has its name at its end. Bands are the binomial intervals. A
    dotted line marks the level of the tests, which is that of each pair where a design does not
    adjust; there is one for each level. Points are joined by straight lines; there is no power at
    an effect with which no algorithms differ.

    Parameters
    ----------
    result : PowerStudy
        Result of :func:`nbcompare.study.run`.
    error : {"wrong", "type1", "family"}
        What the right panel shows: the share of pairs with a wrong conclusion, as in the paper;
        that of equal pairs of which a difference was claimed; or the share of experiments with at
        least one wrong conclusion, the family-wise error.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves``, ``bands`` and ``marks`` (panel by panel, in the order of
        the designs), ``labels`` (at the ends of the curves), ``levels`` (nominal ones), ``titles``,
        ``axis`` and ``legend``.

    Raises
    ------
    TypeError
        If ``result`` is no PowerStudy.
    ValueError
        If neither panel has anything to show.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> from nbcompare import study
    >>> model = study.BinomialErrors(n_datasets=10, n_runs=2)
    >>> result = study.run(model, study.PAPER_2013[:2], effects=[0, 0.05, 0.1], repetitions=5)
    >>> plot = nbc.plots.power_curves(result)
    >>> sorted({text.get_text() for text in plot.artists["labels"]})
    ['ANOVA + t', 'Friedman + Wilcoxon']
    """
    if not isinstance(result, PowerStudy):
        raise TypeError(
            "plots.power_curves takes a result, of class PowerStudy; got "
            f"{type(result).__name__}. Pass nbc.study.run(model, designs, effects=...)."
        )
    check_choice(error, "error", _ERRORS)
    panels = [panel for what in (POWER, error) if (panel := _Panel(result, what)).curves]
    if not panels:
        raise ValueError(
            f"`error` must be what the result has; no effect has {shown(error)}. Use error='wrong'."
        )
    return _Drawing(result, panels).draw(ax)


class _Panel:
    """Curves of one share, and its axes."""

    def __init__(self, result: PowerStudy, what: str) -> None:
        self.what, self.title = what, _TITLES[what]
        curves = [(number, result.curve(what, name)) for number, name in enumerate(result.designs)]
        self.curves: list[tuple[int, PowerCurve]] = []
        for number, curve in curves:
            order = np.argsort(curve.effects)
            if len(order):
                self.curves.append((number, PowerCurve(*(part[order] for part in curve))))
        levels = {level for level in result.levels if level is not None}
        self.levels = sorted(levels) if what != POWER else []
        tops = [float(curve.upper.max()) for _, curve in self.curves]
        top = 1.0 if what == POWER else min(1.0, _ROOM * max([_LEAST_TOP, *self.levels, *tops]))
        self.y = Scale(np.array([0.0, top]), log=False, margin=0.0)
        self.x = Scale(result.effects, log=False, margin=0.03)


class _Drawing:
    """Drawing that is measured first and then drawn."""

    def __init__(self, result: PowerStudy, panels: Sequence[_Panel]) -> None:
        self.result, self.panels = result, panels
        self.styles = [Style.of(number) for number in range(len(result.designs))]
        self.labels = [wrapped(name, _WRAP_NAME) for name in result.designs]
        self.sizes = [_NAME_LINE * (label.count("\n") + 1) for label in self.labels]
        self.height = max(_HEIGHT, sum(self.sizes) + 0.1)
        numbers = max(text_width(text, SMALL_SIZE) for p in panels for _, text in p.y.ticks())
        self.left = numbers + TICK + PAD
        self.beside = LEAD + max(text_width(label, SMALL_SIZE) for label in self.labels)
        self.artists: dict[str, list[Artist]] = {
            name: [] for name in ("curves", "bands", "marks", "labels", "levels", "titles", "axis")
        }

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), Legend(self._legend())
        pitch = self.left + _WIDTH + self.beside + 2 * PAD
        titles = [wrapped(panel.title, 40) for panel in self.panels]
        lines = max(title.count("\n") + 1 for title in titles)
        across = wrapped(self.result.effect_name, 44)
        below = LINE * (across.count("\n") + 1)
        content = pitch * len(self.panels)
        # hinting makes small letters a little wider than measured
        total = 2 * MARGIN + max(content, 1.04 * caption_width(caption), 1.04 * legend.least_width)
        top = MARGIN + caption_height(caption) + 0.12 + LINE * lines + 0.06
        bottom = top + self.height
        end = bottom + TICK + LINE + 0.05 + below
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, end + 0.1 + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        x0 = (total - content) / 2
        for number, (panel, title) in enumerate(zip(self.panels, titles, strict=True)):
            left = x0 + pitch * number + self.left
            style = {"ha": "center", "fontweight": "bold", "linespacing": 1.1}
            y = top - 0.06 - LINE * lines / 2
            self.artists["titles"].append(
                canvas.text(left + _WIDTH / 2, y, title, SMALL_SIZE - 0.5, **style)
            )
            text = canvas.text(left + _WIDTH / 2, end - below / 2, across, SMALL_SIZE, ha="center")
            self.artists["axis"].append(text)
            self._draw_panel(canvas, panel, left, top)
        artists = {name: tuple(found) for name, found in self.artists.items()}
        artists["legend"] = legend.draw(canvas, MARGIN, end + 0.1, room)
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _draw_panel(self, canvas: Canvas, panel: _Panel, left: float, top: float) -> None:
        right, bottom = left + _WIDTH, top + self.height

        def x_of(effects: FloatArray) -> FloatArray:
            return np.asarray(left + _WIDTH * panel.x.share(effects))

        def y_of(shares: FloatArray) -> FloatArray:
            return np.asarray(bottom - self.height * panel.y.share(shares))

        box = Box(left, right, top, bottom, bottom)
        self.artists["axis"] += draw_axes(canvas, box, panel.x.ticks(), panel.y.ticks())
        for level in panel.levels:
            y = float(y_of(np.array([level]))[0])
            self.artists["levels"].append(
                canvas.line((left, right), (y, y), 1.1, **_DOTTED, zorder=2)
            )
        for number, curve in panel.curves:
            places, low, high = x_of(curve.effects), y_of(curve.lower), y_of(curve.upper)
            alpha = min(0.13, 0.8 / len(panel.curves))
            band = draw_band(canvas, places, low, high, self.styles[number].color, alpha)
            self.artists["bands"].append(marked(band, self._about(panel, number, curve)))
        for number, curve in panel.curves:
            about, drawn = self._about(panel, number, curve), self.styles[number]
            points = x_of(curve.effects), y_of(curve.share)
            self.artists["curves"].append(marked(draw_line(canvas, *points, drawn), about))
            self.artists["marks"].append(marked(draw_marks(canvas, *points, drawn), about))
        self._draw_labels(canvas, panel, right, (top, bottom), y_of)

    def _draw_labels(
        self,
        canvas: Canvas,
        panel: _Panel,
        right: float,
        ends: tuple[float, float],
        y_of: Callable[[FloatArray], FloatArray],
    ) -> None:
        """Write the name of each curve at its end."""
        last = [float(y_of(curve.share[-1:])[0]) for _, curve in panel.curves]
        sizes = [self.sizes[number] for number, _ in panel.curves]
        places = spread(last, sizes, (ends[0] - 0.04, ends[1] + 0.04))
        for (number, curve), y0, y in zip(panel.curves, last, places, strict=True):
            style, x = self.styles[number], right + LEAD - PAD
            begin = right - _WIDTH * (1 - float(panel.x.share(curve.effects[-1:])[0]))
            canvas.line((begin, x), (y0, y), 0.7, color=style.color)
            draw_marks(canvas, np.array([x]), np.array([y]), style)
            text = canvas.text(
                right + LEAD, y, self.labels[number], SMALL_SIZE, ha="left", linespacing=1.0
            )
            self.artists["labels"].append(marked(text, self._about(panel, number, curve)))

    # -------------------------------------------------------------------------- words

    def _about(self, panel: _Panel, number: int, curve: PowerCurve) -> Mark:
        name = self.result.designs[number]
        what = "power" if panel.what == POWER else "error"
        mean = format_number(float(curve.share.mean()), 3)
        return Mark(f"{name}: mean {what} {mean}", (name,))

    def _caption(self) -> list[str]:
        result = self.result
        how = (
            f"{plural(result.repetitions, 'simulated experiment')} per effect, "
            f"{plural(len(result.first), 'pair')}, bands: {100 * result.confidence:g} % intervals"
        )
        return wrapped(how, _WRAP + 20).split("\n")

    def _legend(self) -> list[Entry]:
        levels = next((panel.levels for panel in self.panels if panel.levels), [])
        if not levels:
            return []
        named = ", ".join(f"{level:g}" for level in levels)
        return [Entry(f"level of the tests: {named}", _level_symbol)]

    def _alt(self) -> str:
        told = []
        for panel in self.panels:
            means = [
                f"{self.result.designs[number]} {format_number(float(curve.share.mean()), 3)}"
                for number, curve in panel.curves
            ]
            # not the same in both panels: there is no power where no algorithms differ
            over = _describe_effects(panel.curves[0][1].effects)
            told.append(f"{panel.title}, {over}: {', '.join(means)}.")
        return (
            f"Curves over {self.result.effect_name}. {' '.join(self._caption())}. {' '.join(told)}"
        )


def _describe_effects(effects: FloatArray) -> str:
    """Return which effects a mean is over."""
    low, high = float(effects.min()), float(effects.max())
    if len(effects) == 1:
        return f"for the effect {low:g}"
    return f"means over the {len(effects)} effects from {low:g} to {high:g}"


def _level_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [canvas.line((x - 0.12, x + 0.12), (y, y), 1.1, **_DOTTED)]
