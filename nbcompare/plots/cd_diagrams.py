"""Critical difference diagrams of groups of data sets, all with the same axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare.plots._diagram import BAR_PITCH
from nbcompare.plots._labels import LINE, SMALL_SIZE, wrapped
from nbcompare.plots._plot import Canvas, Plot, check_result, lines_within, text_width
from nbcompare.plots._style import MARGIN
from nbcompare.plots.cd_diagram import Diagram, Look, axis_range, look_of
from nbcompare.results import Comparison, GroupedComparison, Labelled
from nbcompare.words import P_LAWS

_TITLE_SIZE = 10.0
_GAP = 0.28  # between two diagrams
_MOST_IN_A_COLUMN = 3  # diagrams below one another; more of them stand in two columns
_WIDTH = 3.0  # inches of the axis, which has room for fewer names than that of a single diagram
_SHORTEST = 1.6


def cd_diagrams(
    comparison: GroupedComparison,
    *,
    ax: Axes | None = None,
    best: str = "right",
    labels: str = "both",
    highlight: Iterable[str] | None = None,
    families: Mapping[str, str] | None = None,
    colors: Mapping[str, str] | None = None,
) -> Plot:
    """Draw a critical difference diagram for each group of data sets.

    All diagrams have the same axis, at the same place of each column, so that ranks can be
    compared by eye. Each is read as that of :func:`cd_diagram`.

    Parameters
    ----------
    comparison : GroupedComparison
        Result of :func:`nbcompare.compare_by`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure that is as
        large as the names require.
    best, labels, highlight, families, colors
        The options of :func:`cd_diagram`, for all groups alike.

    Returns
    -------
    Plot
        Plot with the artists ``titles`` (one per group), ``axis``, ``names``, ``bars`` and
        ``difference``, each of all groups, and ``legend`` (of the families).

    Raises
    ------
    ValueError
        If a group has more than 200 groups of algorithms without significant differences. If a
        name or a colour is not as :func:`cd_diagram` needs it.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> kind = {name: "medical" if i % 2 else "other" for i, name in enumerate(data.datasets)}
    >>> plot = nbc.plots.cd_diagrams(nbc.compare_by(data, by=kind))
    >>> len(plot.artists["titles"]), len(plot.artists["names"])
    (2, 8)
    """
    check_result(comparison, "cd_diagrams", GroupedComparison)
    look = look_of(comparison.design.algorithms, best, labels, highlight, families, colors)
    return _Diagrams(comparison, look).draw(ax)


class _Panel(Diagram):
    """The diagram of one group, drawn at a place of a figure."""

    def __init__(
        self,
        group: str,
        comparison: Comparison,
        look: Look,
        ends: tuple[int, int, int],
        width: float,
    ) -> None:
        super().__init__(comparison, look, width, ends=ends)
        self.group = group
        size = plural(comparison.design.n_datasets, "data set")
        # not in bold, which would say that it is the control
        self.title = wrapped(f"{group} ({size})", 60)
        self.with_bar = comparison.critical_difference is not None and comparison.control is None

    @property
    def above(self) -> float:
        """Height above the axis."""
        lines = self.title.count("\n") + 1
        return LINE * lines + (0.42 if self.with_bar else 0.06) + 0.2

    @property
    def height(self) -> float:
        """Height of the whole diagram."""
        return self.above + 0.1 + self._bars_height + 0.1 + self.sides_height()

    @property
    def _bars_height(self) -> float:
        least = 1 if self.result.control is not None else 0
        return BAR_PITCH * max(self.levels(), least)

    def draw_at(self, canvas: Canvas, x0: float, top: float) -> dict[str, tuple[Artist, ...]]:
        """Draw the diagram with the left end of its axis at ``x0``."""
        y_axis = top + self.above
        y_bars = y_axis + 0.1
        lines = self.title.count("\n") + 1
        title = canvas.text(
            x0 + self.width / 2, top + LINE * lines / 2, self.title, _TITLE_SIZE, ha="center"
        )
        return {
            "titles": (title,),
            "axis": self.draw_axis(canvas, x0, y_axis),
            "names": self.draw_names(canvas, x0, y_axis, y_bars + self._bars_height + 0.1),
            "bars": self.draw_bars(canvas, x0, y_bars),
            "difference": self.draw_difference(canvas, x0, y_axis),
        }


class _Diagrams:
    """Drawing that is measured first and then drawn, optionally for a given page width."""

    def __init__(
        self, comparison: GroupedComparison, look: Look, width: float = _WIDTH, columns: int = 0
    ) -> None:
        self.result, self.look, self.width = comparison, look, width
        ranks = [rank for one in comparison.groups.values() for rank in one.average_ranks.values()]
        differences = [one.critical_difference or 0.0 for one in comparison.groups.values()]
        ends = axis_range(ranks, max(differences), len(comparison.design.algorithms))
        self.panels = [
            _Panel(name, one, look, ends, width) for name, one in comparison.groups.items()
        ]
        self.columns = columns or (1 if len(self.panels) <= _MOST_IN_A_COLUMN else 2)
        self.left = max(one.side_width(one.left) for one in self.panels)
        self.right = max(one.side_width(one.right) for one in self.panels)
        # a title is centred over its axis
        title = max(text_width(one.title, _TITLE_SIZE) for one in self.panels)
        beyond = max(0.0, (title - width) / 2)
        self.left, self.right = max(self.left, beyond), max(self.right, beyond)

    def _narrower(self, total: float, room: float) -> Plot:
        """Return the same figure with one column, or with shorter axes, if that is nearer."""
        columns = self.columns if total <= room else 1
        spare = (total + _GAP) / self.columns * columns - _GAP - room
        width = min(self.width, max(_SHORTEST, self.width - max(0.0, spare)))
        return _Diagrams(self.result, self.look, width, columns).draw(None)

    def draw(self, ax: Axes | None) -> Plot:
        cell = self.left + self.width + self.right
        total = 2 * MARGIN + self.columns * cell + (self.columns - 1) * _GAP
        legend = self.look.emphasis.legend()
        total = max(total, 2 * MARGIN + legend.least_width)
        room = total - 2 * MARGIN
        caption = [
            line
            for text, apart in self._caption()
            for line in lines_within(text.split(apart), apart, total - 2 * MARGIN, SMALL_SIZE)
        ]
        rows = [self.panels[i : i + self.columns] for i in range(0, len(self.panels), self.columns)]
        heights = [max(one.height for one in row) for row in rows]
        top = MARGIN + LINE * len(caption) + _GAP / 2
        y_legend = top + sum(heights) + _GAP * (len(rows) - 1) + (_GAP / 2 if legend.entries else 0)
        height = y_legend + legend.height(room) + MARGIN
        canvas = Canvas.of_size(total, height, ax)
        for number, line in enumerate(caption):
            y = MARGIN + LINE * (number + 0.5)
            canvas.text(total / 2, y, line, SMALL_SIZE, ha="center")
        artists: dict[str, tuple[Artist, ...]] = {}
        for row, tall in zip(rows, heights, strict=True):
            for number, panel in enumerate(row):
                x0 = MARGIN + number * (cell + _GAP) + self.left
                for name, drawn in panel.draw_at(canvas, x0, top).items():
                    artists[name] = (*artists.get(name, ()), *drawn)
            top += tall + _GAP
        artists["legend"] = legend.draw(canvas, MARGIN, y_legend, room)
        return Plot(
            canvas.ax.figure,  # type: ignore[arg-type]
            canvas.ax,
            Labelled(artists),
            self._alt(),
            shown=ax is None,
            narrower=partial(self._narrower, total) if ax is None else None,
        )

    def _caption(self) -> list[tuple[str, str]]:
        """Return lines of text, each with the separator at which it may be broken."""
        first = self.result.first
        over = "" if self.result.across or not first.adjust else " within each group"
        groups = self.result.groups.values()
        laws = " or ".join(dict.fromkeys(P_LAWS[one.method] for one in groups))
        how = " or ".join(dict.fromkeys(one.adjustment for one in groups))
        what = f"{laws}, {how}{over}, α = {first.alpha:g}"
        if all(one.control is None for one in groups):
            return [(what, " ")]
        marks = "◆ control   ● significant difference   ○ no significant difference"
        return [(what, " "), (marks, "   ")]

    def _alt(self) -> str:
        # the first sentence becomes the caption in a report
        what = self._caption()[0][0]
        texts = [f"{panel.group}: {panel.alt()}" for panel in self.panels]
        return " ".join([f"Critical difference diagrams by group of data sets ({what}).", *texts])
