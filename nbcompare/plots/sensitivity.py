"""Figure of the decisions about each pair by other designs, and without each data set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._render import plural
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
from nbcompare.plots._matrix import BLUES, WHITE
from nbcompare.plots._plot import Canvas, Plot, check_result, lines_within, text_width
from nbcompare.plots._style import MARGIN, PAD
from nbcompare.results import Labelled, Sensitivity
from nbcompare.results.sensitivity import TestOfPairs
from nbcompare.words import P_LAWS, PROCEDURES

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 9.5
_WRAP = 64  # characters per line of a pair
_WRAP_HEADER = 13
_WRAP_DATASET = 30
_ROW = 0.23
_APART = 0.2  # between the cells and the strip
_STRIP = 1.7
_MARK = 7.0
_LEGIBLE = 0.5  # of smaller cells a page says nothing, as nobody can point at one
_WITHOUT = "without one\ndata set"


def sensitivity(result: Sensitivity, *, ax: Axes | None = None) -> Plot:
    """Draw which pairs are significant by which test of pairs, and what single data sets change.

    A row is a pair, first those that are significant by most tests of pairs. A column is a test
    of pairs, that of the primary design in bold. A filled circle marks a significant difference
    by the procedure of the primary design, a hollow one none, and a half filled one a difference
    that is significant by another procedure alone. The stricter a procedure suffices, the darker
    is the cell. On the strip at the right, a tick stands for each data set without which the
    primary design decides otherwise; the position is that of the data set in the data.

    Parameters
    ----------
    result : Sensitivity
        Result of :func:`nbcompare.sensitivity`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (tints), ``marks`` (the
        circles, column by column of each row), ``ticks``, ``texts`` (what stands beside the
        strip), ``lines``, ``caption`` and ``legend``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.sensitivity(nbc.sensitivity(nbc.datasets.load("demsar2006")))
    >>> len(plot.artists["rows"]), len(plot.artists["marks"]), len(plot.artists["ticks"])
    (6, 36, 12)
    """
    check_result(result, "sensitivity", Sensitivity)
    return _Figure(result).draw(ax)


class _Figure:
    """Drawing that is measured first and then drawn."""

    def __init__(self, result: Sensitivity) -> None:
        self.result = result
        tests, counts = result.primary.hypotheses, result.n_significant
        # pairs with the same number of tests are sorted by p already
        self.order = np.argsort(-np.array(counts), kind="stable").tolist()
        self.names = [_pair(tests.first[row], tests.second[row]) for row in self.order]
        self.heights = [
            max(_ROW, LINE * max(text.count("\n") + 1 for text in (name, beside)) + 0.06)
            for name, beside in zip(self.names, map(self._beside, self.order), strict=True)
        ]
        self.headers = [wrapped(test.header, _WRAP_HEADER) for test in result.tests]
        widest = max(text_width(header, SMALL_SIZE, bold=True) for header in self.headers)
        self.cell = max(0.5, widest + 0.12)
        self.x0 = MARGIN + max(text_width(name, _NAME_SIZE) for name in self.names) + PAD
        self.x1 = self.x0 + self.cell * len(result.tests)
        self.right = self.x1
        if not result.why_not:
            beside = max(text_width(self._beside(row), SMALL_SIZE) for row in self.order)
            self.right += _APART + _STRIP + PAD + beside
        self.legend = Legend(self._entries())

    def _beside(self, row: int) -> str:
        """Return the text beside the strip: the only data set, or how many."""
        names, n = self.result.hinges[row], self.result.design.n_datasets
        if len(names) == 1:
            return wrapped(names[0], _WRAP_DATASET)
        return f"{len(names)} of {n}" if names else ""

    def draw(self, ax: Axes | None) -> Plot:
        total = max(self.right + MARGIN, self.legend.least_width + 2 * MARGIN, 3.6)
        room = total - 2 * MARGIN
        caption = [
            line
            for text in self._caption()
            for line in lines_within(text.split(" "), " ", room, SMALL_SIZE)
        ]
        lines = max(text.count("\n") + 1 for text in (*self.headers, _WITHOUT))
        head = MARGIN + caption_height(caption) + 0.1
        top = head + LINE * lines + 0.08
        tops = np.cumsum([top, *self.heights]).tolist()
        below = tops[-1] + 0.12
        canvas = Canvas.of_size(total, below + self.legend.height(room) + MARGIN, ax)
        drawn: dict[str, list[Artist]] = {
            name: [] for name in ("rows", "columns", "cells", "marks", "ticks", "texts", "lines")
        }
        for column, (test, header) in enumerate(zip(self.result.tests, self.headers, strict=True)):
            primary = test.name == self.result.primary_test
            self._header(
                canvas, drawn, self.x0 + self.cell * (column + 0.5), top, header, bold=primary
            )
        if not self.result.why_not:
            middle = self.x1 + _APART + _STRIP / 2
            self._header(canvas, drawn, middle, top, _WITHOUT, bold=False)
        legible = canvas.scale >= _LEGIBLE
        rejected = [test.rejected(self.result.alpha) for test in self.result.tests]
        for place, row in enumerate(self.order):
            y = (tops[place], tops[place + 1])
            middle = sum(y) / 2
            label = canvas.text(self.x0 - PAD, middle, self.names[place], _NAME_SIZE, ha="right")
            drawn["rows"].append(marked(label, self._about(row) if legible else None))
            for column, test in enumerate(self.result.tests):
                x = self.x0 + self.cell * column
                found = test.rejecting(row, self.result.alpha)
                style = {"facecolor": _tint(found), "edgecolor": "0.8"}
                box = canvas.box((x, x + self.cell), y, 0.5, zorder=1, **style)
                about = self._about_cell(row, test) if legible else None
                drawn["cells"].append(marked(box, about))
                is_rejected = bool(rejected[column][row])
                circle = canvas.markers(
                    (x + self.cell / 2,),
                    (middle,),
                    "o",
                    _MARK,
                    filled=is_rejected,
                    half=bool(found) and not is_rejected,
                )
                drawn["marks"].append(circle)
            if not self.result.why_not:
                self._strip(canvas, drawn, row, y, told=legible)
        drawn["caption"] = [draw_caption(canvas, caption, total / 2, MARGIN)]
        drawn["legend"] = list(self.legend.draw(canvas, MARGIN, below, room))
        artists = Labelled({name: tuple(parts) for name, parts in drawn.items()})
        figure = canvas.ax.figure
        return Plot(figure, canvas.ax, artists, self._alt(), shown=ax is None)  # type: ignore[arg-type]

    @staticmethod
    def _header(
        canvas: Canvas,
        drawn: dict[str, list[Artist]],
        x: float,
        bottom: float,
        text: str,
        *,
        bold: bool,
    ) -> None:
        weight = "bold" if bold else "normal"
        y = bottom - 0.06 - LINE * (text.count("\n") + 1) / 2
        drawn["columns"].append(
            canvas.text(x, y, text, SMALL_SIZE, ha="center", fontweight=weight, linespacing=1.1)
        )

    def _strip(
        self,
        canvas: Canvas,
        drawn: dict[str, list[Artist]],
        row: int,
        y: tuple[float, float],
        *,
        told: bool,
    ) -> None:
        """Draw a tick for every data set on which the decision about a pair hangs."""
        left, middle = self.x1 + _APART, sum(y) / 2
        datasets = self.result.design.datasets
        drawn["lines"].append(
            canvas.line((left, left + _STRIP), (middle, middle), 0.6, color="0.75", zorder=1)
        )
        for name in self.result.hinges[row]:
            x = left + _STRIP * (datasets.index(name) + 0.5) / len(datasets)
            tick = canvas.line((x, x), (middle - 0.07, middle + 0.07), 1.6)
            pair = self._names_of(row)
            text = f"{' – '.join(pair)}: the decision would be another one without {name}"
            drawn["ticks"].append(marked(tick, Mark(text, pair) if told else None))
        beside = self._beside(row)
        drawn["texts"].append(
            canvas.text(left + _STRIP + PAD, middle, beside, SMALL_SIZE, ha="left")
        )

    def _names_of(self, row: int) -> tuple[str, str]:
        tests = self.result.primary.hypotheses
        return tests.first[row], tests.second[row]

    def _about(self, row: int) -> Mark:
        pair, n = self._names_of(row), self.result.n_significant[row]
        by = f"significant by {n} of {plural(len(self.result.tests), 'test')} of pairs"
        return Mark(f"{' – '.join(pair)}: {by}", pair, pair=True)

    def _about_cell(self, row: int, test: TestOfPairs) -> Mark:
        """Return by which procedures a test finds a pair."""
        pair, control = self._names_of(row), self.result.primary.control
        found = [
            PROCEDURES[name].label_with(control) if name in PROCEDURES else name
            for name in test.rejecting(row, self.result.alpha)
        ]
        by = f"significant by {', '.join(found)}" if found else "not significant"
        return Mark(f"{' – '.join(pair)}, {test.label}: {by}", pair, pair=True)

    def _caption(self) -> list[str]:
        result = self.result
        first = (
            f"Significant differences by test of pairs (primary in bold; "
            f"{P_LAWS[result.primary.method]}, {result.primary.procedure}, α = {result.alpha:g}, "
            f"{plural(result.design.n_datasets, 'data set')})"
        )
        return [first, result.why_not] if result.why_not else [first]

    def _entries(self) -> list[Entry]:
        """Return the legend, of what there is to see."""
        result = self.result
        entries = [
            Entry("significant", partial(_circle, filled=True)),
            Entry("not significant", partial(_circle, filled=False)),
        ]
        found = [
            (test.rejecting(row, result.alpha), bool(test.rejected(result.alpha)[row]))
            for test in result.tests
            for row in self.order
        ]
        if any(names and not decided for names, decided in found):
            entries.append(
                Entry("by another procedure only", partial(_circle, filled=False, half=True))
            )
        strictest = dict.fromkeys(
            name
            for test in result.tests
            for name in test.adjusted
            if any(names and names[0] == name for names, _ in found)
        )
        for tint in reversed(BLUES):
            names = [
                PROCEDURES[name].label_with(result.primary.family_control)
                for name in strictest
                if _tint((name,)) == tint
            ]
            if names:
                entries.append(Entry(f"{' or '.join(names)} suffices", partial(_square, tint=tint)))
        if any(result.hinges):
            entries.append(Entry("data set that decides", _tick))
        return entries

    def _alt(self) -> str:
        result = self.result
        tests = result.primary.hypotheses
        told = []
        for row in self.order:
            by = [test.label for test in result.tests if test.rejected(result.alpha)[row]]
            hangs = result.hinges[row]
            if by or hangs:
                without = f"; changes without {', '.join(hangs)}" if hangs else ""
                pair = f"{tests.first[row]} against {tests.second[row]}"
                told.append(f"{pair}: {', '.join(by) or 'no test'}{without}")
        return (
            f"{self._caption()[0]}. {result.summary} "
            f"Pairs and the tests by which they are significant: {'. '.join(told) or 'none'}."
        )


def _pair(first: str, second: str) -> str:
    """Return the name of a pair, on one line if it is short."""
    both = f"{first} – {second}"
    return both if len(both) <= _WRAP else f"{wrapped(first, _WRAP)} –\n{wrapped(second, _WRAP)}"


def _tint(rejecting: Sequence[str]) -> str:
    """Return the colour of a cell: the darker, the stricter a procedure suffices."""
    if not rejecting:
        return WHITE
    if PROCEDURES[rejecting[0]].single_step:
        return BLUES[2]
    return BLUES[0] if rejecting[0] in ("bergmann-hommel", "hommel") else BLUES[1]


def _circle(
    canvas: Canvas, x: float, y: float, *, filled: bool, half: bool = False
) -> Sequence[Artist]:
    return (canvas.markers((x,), (y,), "o", _MARK, filled=filled, half=half),)


def _square(canvas: Canvas, x: float, y: float, *, tint: str) -> Sequence[Artist]:
    sides = (x - 0.08, x + 0.08), (y - 0.06, y + 0.06)
    return (canvas.box(*sides, 0.5, facecolor=tint, edgecolor="0.6"),)


def _tick(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return (canvas.line((x, x), (y - 0.06, y + 0.06), 1.6),)
