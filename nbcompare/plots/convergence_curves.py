"""Convergence curves: the best value so far over evaluations, problem by problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._options import BETTER, MAXIMIZE
from nbcompare._render import format_number, plural
from nbcompare._validation import DataError, check_count, check_name, positions
from nbcompare.histories import Histories
from nbcompare.plots._curves import Panel, Style, checked_quantiles, panel_of
from nbcompare.plots._frame import (
    FLOOR,
    LEAD,
    MARK,
    Frame,
    Sheet,
    draw_line,
    draw_marks,
    ticks,
)
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
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Canvas, Plot, text_width
from nbcompare.plots._style import MARGIN, PAD, TICK
from nbcompare.results import Labelled

# All lengths in inches, all font sizes in points.
_ONE, _SEVERAL = (4.6, 3.2), (2.5, 1.9)  # width and height of a panel
_ABREAST = 3  # panels in a row
_NAME_LINE, _NUMBER_LINE = 0.15, 0.13
_WRAP = 64
_MOST_TOLD = 12  # most curves of a problem in the alternative text


def convergence_curves(
    histories: Histories,
    problem: str | Iterable[str],
    *,
    algorithms: Iterable[str] | None = None,
    cutpoints: int | None = None,
    quantiles: tuple[float, float] | None = (0.25, 0.75),
    ax: Axes | None = None,
) -> Plot:
    """Draw the median of the runs over evaluations, with a band between two quantiles.

    If optima are known, the error is drawn, for which lower is better; otherwise the value
    itself, in its own direction. The vertical axis is logarithmic if everything drawn is
    positive and spans more than two powers of ten. An error of exactly 0 has no place on that
    axis: the curve falls to a floor below the axis that is labelled 0, and ends there with a
    mark, because the error remains 0; a band that reaches 0 ends at the floor. Evaluations are
    on a logarithmic axis if most points lie in the first tenth of the budget. Points are joined
    by straight lines.

    Parameters
    ----------
    histories : Histories
        Histories with at least one run.
    problem : str, or list of str
        One problem, or several, which are drawn as small panels with their own axes.
    algorithms : list of str, optional
        Algorithms to draw, by default all. One without a run on a problem is left out there.
    cutpoints : int, optional
        Number of thin lines at regular shares of the budget, the cut-points at which
        :func:`nbcompare.compare_convergence` compares.
    quantiles : (float, float) or None
        Ends of the band (linear interpolation); None for no band. A single run has no band.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (medians, panel by panel in the order of the
        algorithms), ``bands``, ``marks`` (on the curves), ``ends`` (marks where an error of 0
        ends a curve), ``labels`` (at the ends of curves: names, or the numbers of the legend if
        there are several panels), ``cutpoints``, ``problems`` (titles of several panels),
        ``axis`` and ``legend``.

    Raises
    ------
    TypeError
        If ``histories`` is not a Histories, or ``algorithms`` is not a list of names.
    ValueError
        If a name is not in the histories, or the quantiles do not increase.
    DataError
        If none of the algorithms has a run on a problem.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> histories = nbc.Histories.from_array(
    ...     [[[9.0, 1.0, 0.01, 0.0], [8.0, 5.0, 4.0, 3.0]]], direction="minimize",
    ...     optimum=0, problems=["sphere"], algorithms=["DE", "random search"])
    >>> plot = nbc.plots.convergence_curves(histories, "sphere", cutpoints=4)
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['DE', 'random search']
    >>> len(plot.artists["ends"])
    1
    """
    if not isinstance(histories, Histories):
        raise TypeError(f"`histories` must be a Histories; got {type(histories).__name__}.")
    if isinstance(problem, str):
        rows = [histories.problems.index(check_name(problem, "problem", histories.problems))]
    else:
        rows = positions(problem, histories.problems, "problem")
    columns = positions(algorithms, histories.algorithms, "algorithms")
    shares = None if cutpoints is None else check_count(cutpoints, "cutpoints", least=1)
    ends = checked_quantiles(quantiles)
    for row in rows:
        if not histories.n_runs[row, columns].any():
            raise DataError(
                "`problem` must be one on which an algorithm has a run; none of those to draw has "
                f"one on {histories.problems[row]!r}."
            )
    values = histories.values if histories.optimum is None else histories.errors()
    panels = [panel_of(histories, values, row, columns, ends) for row in rows]
    names = [histories.algorithms[column] for column in columns]
    return _Curves(histories, panels, names, shares, ends).draw(ax)


class _Curves:
    """Drawing that is measured first and then drawn."""

    def __init__(
        self,
        histories: Histories,
        panels: Sequence[Panel],
        names: Sequence[str],
        cutpoints: int | None,
        quantiles: tuple[float, float] | None,
    ) -> None:
        self.histories, self.panels, self.names = histories, panels, names
        self.cutpoints, self.quantiles = cutpoints, quantiles
        self.several = len(panels) > 1
        if self.several:
            labels = [str(number + 1) for number in range(len(names))]
            line, (width, least) = _NUMBER_LINE, _SEVERAL
        else:
            labels = [wrapped(name) for name in names]
            line, (width, least) = _NAME_LINE, _ONE
        sizes = [line * (label.count("\n") + 1) for label in labels]
        self.titles = [wrapped(p.problem) if self.several else "" for p in panels]
        title = LINE * max(t.count("\n") + 1 for t in self.titles) if self.several else 0.0
        self.sheet = Sheet(
            width=width,
            height=max(least, sum(sizes)),
            title=title,
            styles=[Style.of(number) for number in range(len(names))],
            labels=labels,
            names=names,
            sizes=sizes,
            several=self.several,
            cutpoints=cutpoints,
        )
        floor = FLOOR if any(panel.floor for panel in panels) else 0.0
        numbers = max(text_width(text, SMALL_SIZE) for p in panels for _, text in ticks(p))
        beside = LEAD + max(text_width(label, SMALL_SIZE) for label in labels)
        # half the last label of the axis may extend beyond it
        last = max(text_width(text, SMALL_SIZE) for p in panels for _, text in p.x.ticks()) / 2
        self.left = numbers + TICK + PAD
        self.pitch = self.left + width + max(beside, last) + PAD
        self.fall = title + self.sheet.height + floor + TICK + LINE + 0.14

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption, legend = self._caption(), Legend(self._legend())
        upright = wrapped(self._measure(), 42 if self.several else 52)
        above = MARGIN + caption_height(caption) + 0.1
        abreast = min(_ABREAST, len(self.panels)) if len(self.panels) != 4 else 2
        down = -(-len(self.panels) // abreast)
        turned = LINE * (upright.count("\n") + 1) + PAD
        content = turned + self.pitch * abreast
        # hinting makes small letters a little wider than measured
        total = max(content, caption_width(caption), 1.04 * legend.least_width) + 2 * MARGIN
        x0 = MARGIN + turned + (total - 2 * MARGIN - content) / 2
        tall = max(self.fall * down, text_width(upright, SMALL_SIZE) + 0.1)
        bottom = above + tall + LINE - 0.06
        room = total - 2 * MARGIN
        canvas = Canvas.of_size(total, bottom + 0.1 + legend.height(room) + MARGIN, ax)
        draw_caption(canvas, caption, total / 2, MARGIN)
        for number, panel in enumerate(self.panels):
            row, column = divmod(number, abreast)
            left = x0 + self.pitch * column + self.left
            frame = Frame(
                canvas, panel, left, above + self.fall * row + self.sheet.title, self.sheet
            )
            frame.draw(self.titles[number])
        x, y = x0 - turned / 2, above + tall / 2
        axis = self.sheet.artists["axis"]
        axis.append(canvas.text(x, y, upright, SMALL_SIZE, ha="center", rotation=90))
        x = (
            x0
            + (self.pitch * abreast + self.left - (self.pitch - self.left - self.sheet.width)) / 2
        )
        y = bottom - LINE / 2
        axis.append(canvas.text(x, y, self._across(), SMALL_SIZE, ha="center"))
        artists = {name: tuple(found) for name, found in self.sheet.artists.items()}
        artists["legend"] = legend.draw(canvas, MARGIN, bottom + 0.1, room)
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    # -------------------------------------------------------------------------- words

    @property
    def _error(self) -> bool:
        return self.histories.optimum is not None

    def _kind(self) -> str:
        measure = self.histories.measure
        if not self._error:
            return measure or "best value so far"
        return f"error of {measure}" if measure and measure != "error" else "error"

    def _measure(self) -> str:
        better = "lower is better" if self._error else BETTER[self.histories.direction]
        suffix = "" if self.several else self.panels[0].y.suffix
        return f"{self._kind()}{suffix}, {better}"

    def _across(self) -> str:
        suffix = "" if self.several else self.panels[0].x.suffix
        return f"evaluations{suffix}"

    def _runs(self) -> str:
        counts = {curve.runs for panel in self.panels for curve in panel.curves}
        least, most = min(counts), max(counts)
        return plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"

    def _band(self) -> str:
        if self.quantiles is None:
            return ""
        low, high = self.quantiles
        return f"from the {low:g} to the {high:g} quantile"

    def _caption(self) -> list[str]:
        where = plural(len(self.panels), "problem") if self.several else self.panels[0].problem
        how = f"median of {self._runs()}"
        if any(curve.band is not None for panel in self.panels for curve in panel.curves):
            how += f", band {self._band()}"
        return [*wrapped(f"Convergence on {where}", _WRAP).split("\n"), how]

    def _legend(self) -> list[Entry]:
        entries = []
        if self.several:
            for number, name in enumerate(self.names):
                text = wrapped(f"{number + 1}  {name}", _WRAP)
                sample = _SampleOf(self.sheet.styles[number])
                entries.append(Entry(text, sample, Mark(name, (name,))))
        if self.cutpoints is not None:
            entries.append(Entry(plural(self.cutpoints, "cut-point"), _cutpoint_symbol))
        if any(panel.end(c) < len(c.median) - 1 for panel in self.panels for c in panel.curves):
            entries.append(Entry("reaches an error of 0", _end_symbol))
        return entries

    def _alt(self) -> str:
        logs = sum(panel.y.log for panel in self.panels)
        scale = ""
        if logs:
            scale = " on a logarithmic axis"
            if logs < len(self.panels):
                scale = f"; {logs} with a logarithmic axis"
        *where, how = self._caption()
        told = " ".join(map(self._told, self.panels))
        return (
            f"Curves of {self._measure()}, over evaluations{scale}. "
            f"{' '.join(where)}: {how}. {told}"
        )

    def _told(self, panel: Panel) -> str:
        """Return a sentence with the final medians, best first."""
        sign = -1 if self.histories.direction == MAXIMIZE and not self._error else 1
        finals = [(float(curve.median[-1]), self.names[curve.number]) for curve in panel.curves]
        finals.sort(key=lambda item: sign * item[0])
        told = [f"{name} {format_number(value)}" for value, name in finals[:_MOST_TOLD]]
        more = len(finals) - len(told)
        if more:
            told.append(f"{more} more")
        return f"Final medians on {panel.problem}, best first: {', '.join(told)}."


class _SampleOf:
    """Function that draws a piece of a curve in the legend."""

    def __init__(self, style: Style) -> None:
        self.style = style

    def __call__(self, canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
        line = draw_line(canvas, (x - 0.12, x + 0.12), (y, y), self.style)
        return [line, draw_marks(canvas, np.array([x]), np.array([y]), self.style)]


def _cutpoint_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    style = {"color": "0.6", "linestyle": (0, (1, 2))}
    return [canvas.line((x, x), (y - 0.07, y + 0.07), 0.9, **style)]


def _end_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [
        canvas.line((x - 0.12, x + 0.12), (y + 0.05, y + 0.05), 0.8),
        canvas.marker(x, y + 0.05, "o", MARK + 2, filled=True),
    ]
