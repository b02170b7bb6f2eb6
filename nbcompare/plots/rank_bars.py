"""Bars of average ranks, with a line beyond which they differ from the best or the control."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from nbcompare._render import format_number
from nbcompare.plots._labels import basis, differing_from, rank_decimals, wrapped
from nbcompare.plots._marks import marked
from nbcompare.plots._plot import Canvas, Plot, check_result, text_width, tick_step
from nbcompare.plots._told import algorithm_marks
from nbcompare.results import Comparison, Labelled
from nbcompare.words import RANKINGS

# All lengths in inches, all font sizes in points.
_NAME_SIZE = 10.0
_SMALL_SIZE = 8.5
_MARGIN = 0.12
_LINE = 0.165
_PAD = 0.07
_GAP = 0.09
_BAR = 0.2  # thickness
_WIDTH = 4.0  # length of the longest bar or cut line
_REFERENCE, _DIFFERS, _ALIKE = "reference", "differs", "alike"
_STYLES: dict[str, dict[str, Any]] = {
    _REFERENCE: {"facecolor": "0.2", "edgecolor": "0.2"},
    _DIFFERS: {"facecolor": "#5b9bd0", "edgecolor": "0.2"},
    _ALIKE: {"facecolor": "white", "edgecolor": "0.35", "hatch": "////"},
}


def rank_bars(
    comparison: Comparison, *, beside: Comparison | None = None, ax: Axes | None = None
) -> Plot:
    """Draw average ranks as bars, best first, with a line beyond which they differ.

    The bars are compared with a reference, which is drawn dark: the control, or else the best
    ranked algorithm (the first one if several are tied). Plain bars differ significantly from
    the reference, hatched ones do not. If the deciding procedure has a critical difference, a
    dashed line is drawn at that distance above the rank of the reference (and another one below
    it, if there are algorithms with better ranks than the control): bars that end beyond the
    line differ.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks` with any ranking.
    beside : Comparison, optional
        The same comparison at another level ``alpha``, whose critical difference is marked too, by
        a dotted line, as in the figures of the SCI2S group at 0.05 and 0.10.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``bars``, ``names`` and ``ranks`` (best first), ``cut`` (lines and
        their labels; empty without a critical difference), ``axis`` and ``legend``.

    Raises
    ------
    ValueError
        If ``beside`` differs in more than its level, or has no critical difference.

    References
    ----------
    García, S. and Herrera, F. (2008). An extension on "Statistical comparisons of
    classifiers over multiple data sets" for all pairwise comparisons. Journal of Machine
    Learning Research 9, 2677-2694.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> experiment = nbc.datasets.load("demsar2006_ranks")
    >>> result = nbc.compare(experiment, control="C4.5", adjust="bonferroni")
    >>> plot = nbc.plots.rank_bars(result)
    >>> [text.get_text() for text in plot.artists["ranks"]]
    ['1.96', '2.00', '2.89', '3.14']
    """
    check_result(comparison, "rank_bars", Comparison)
    if beside is not None:
        check_result(beside, "rank_bars", Comparison)
        parts = ("average_ranks", "standard_error", "control", "procedure")
        same = all(getattr(beside, part) == getattr(comparison, part) for part in parts)
        if not same or beside.critical_difference is None:
            raise ValueError(
                "`beside` must be the same comparison at another `alpha`, with a critical "
                f"difference; got {beside!r}."
            )
    return _Bars(comparison, beside).draw(ax)


class _Cut(NamedTuple):
    """A line at a rank, with its label."""

    rank: float
    label: str
    dashes: tuple[float, float]
    is_upper: bool


class _Bars:
    """Drawing that is measured first and then drawn."""

    def __init__(self, comparison: Comparison, beside: Comparison | None) -> None:
        self.result = comparison
        self.names = comparison.ordered
        self.about = algorithm_marks(comparison)
        self.ranks = [comparison.average_ranks[name] for name in self.names]
        control = comparison.control
        self.reference = self.names[0] if control is None else control
        self.differing = differing_from(comparison, self.reference)
        self.labels = [
            wrapped(f"{name} (control)" if name == control else name) for name in self.names
        ]
        both = [(comparison, (4, 2)), *([(beside, (1, 2))] if beside else [])]
        reached = [one.critical_difference or 0.0 for one, _ in both]
        self.longest = max(*self.ranks, comparison.average_ranks[self.reference] + max(reached))
        self.decimals = rank_decimals(self.longest)
        cuts = [cut for one, dashes in both for cut in self._cuts(one, dashes)]
        self.cuts = sorted(cuts, key=lambda cut: (cut.is_upper, cut.rank), reverse=True)
        self.heights = [max(_BAR, _LINE * (text.count("\n") + 1)) + _GAP for text in self.labels]

    def _cuts(self, result: Comparison, dashes: tuple[float, float]) -> Iterator[_Cut]:
        """Yield the ranks beyond which bars differ from the reference, above and maybe below."""
        if result.critical_difference is None:
            return
        rank = result.average_ranks[self.reference]
        above, below = rank + result.critical_difference, rank - result.critical_difference
        label = f"{result.procedure}, α = {result.alpha:g}: {self._number(above)}"
        yield _Cut(above, label, dashes, is_upper=True)
        if below > 0 and self.ranks[0] < rank:
            yield _Cut(below, self._number(below), dashes, is_upper=False)

    def _number(self, rank: float) -> str:
        return format_number(rank, self.decimals)

    def _length(self, rank: float) -> float:
        return _WIDTH * rank / self.longest

    # ------------------------------------------------------------------------ drawing

    def draw(self, ax: Axes | None) -> Plot:
        caption = [self._noun().capitalize() + f"s ({basis(self.result)})"]
        legend = self._legend()
        names = max(
            text_width(label, _NAME_SIZE, bold=name == self.result.control)
            for label, name in zip(self.labels, self.names, strict=True)
        )
        numbers = max(text_width(self._number(rank), _SMALL_SIZE) for rank in self.ranks)
        self.x0 = _MARGIN + names + _PAD + numbers + _PAD
        tick = text_width(str(round(self.longest)), _SMALL_SIZE) / 2
        row = sum(width for _, _, width in legend)
        lines = (*caption, *(cut.label for cut in self.cuts))
        texts = [text_width(line, _SMALL_SIZE) for line in lines]
        total = max(self.x0 + _WIDTH + tick + _MARGIN, *(width + 2 * _MARGIN for width in texts))
        in_rows = row + 2 * _MARGIN > total
        self.y0 = _MARGIN + _LINE * (len(caption) + 0.3 + len(self.cuts))
        bottom = self.y0 + sum(self.heights) + _GAP / 2
        y_legend = bottom + 0.5
        height = y_legend + _LINE * (len(legend) if in_rows else 1) + _MARGIN
        canvas = Canvas.of_size(total, height, ax)
        canvas.text(total / 2, _MARGIN + _LINE / 2, caption[0], _SMALL_SIZE, ha="center")
        artists: dict[str, tuple[Artist, ...]] = {
            "bars": self._draw_bars(canvas),
            "names": self._draw_names(canvas),
            "ranks": self._draw_ranks(canvas),
            "cut": self._draw_cuts(canvas, bottom, total),
            "axis": self._draw_axis(canvas, bottom),
            "legend": self._draw_legend(canvas, legend, y_legend, in_rows),
        }
        return Plot(canvas.ax.figure, canvas.ax, Labelled(artists), self._alt(), shown=ax is None)  # type: ignore[arg-type]

    def _middles(self) -> list[float]:
        return [
            self.y0 + sum(self.heights[:row]) + self.heights[row] / 2
            for row in range(len(self.names))
        ]

    def _kind(self, name: str) -> str:
        if name == self.reference:
            return _REFERENCE
        return _DIFFERS if name in self.differing else _ALIKE

    def _draw_bars(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            marked(
                _rectangle(canvas, self.x0, middle, self._length(rank), _BAR, self._kind(name)),
                self.about[name],
            )
            for name, rank, middle in zip(self.names, self.ranks, self._middles(), strict=True)
        )

    def _draw_names(self, canvas: Canvas) -> tuple[Artist, ...]:
        right = (
            self.x0
            - 2 * _PAD
            - max(text_width(self._number(rank), _SMALL_SIZE) for rank in self.ranks)
        )
        return tuple(
            marked(
                canvas.text(
                    right,
                    middle,
                    label,
                    _NAME_SIZE,
                    ha="right",
                    fontweight="bold" if name == self.result.control else None,
                    linespacing=1.1,
                ),
                self.about[name],
            )
            for label, name, middle in zip(self.labels, self.names, self._middles(), strict=True)
        )

    def _draw_ranks(self, canvas: Canvas) -> tuple[Artist, ...]:
        return tuple(
            marked(
                canvas.text(self.x0 - _PAD, middle, self._number(rank), _SMALL_SIZE, ha="right"),
                self.about[name],
            )
            for name, rank, middle in zip(self.names, self.ranks, self._middles(), strict=True)
        )

    def _draw_cuts(self, canvas: Canvas, bottom: float, total: float) -> tuple[Artist, ...]:
        artists: list[Artist] = []
        for number, cut in enumerate(self.cuts):
            x = self.x0 + self._length(cut.rank)
            # the label of the upper cut is written above the number of the lower one, which ends
            # at its own line, so that no line crosses either of them
            y = self.y0 - _LINE * (len(self.cuts) - number - 0.5)
            half = text_width(cut.label, _SMALL_SIZE) / 2
            least, most = _MARGIN + half, total - _MARGIN - half
            middle = max(x - half, least) if number else min(max(x, least), most)
            dashes = (0, cut.dashes)
            artists.append(canvas.line((x, x), (y + 0.08, bottom), 1.2, linestyle=dashes, zorder=6))
            artists.append(canvas.text(middle, y - 0.01, cut.label, _SMALL_SIZE, ha="center"))
        return tuple(artists)

    def _draw_axis(self, canvas: Canvas, y: float) -> tuple[Artist, ...]:
        artists = [
            canvas.line((self.x0, self.x0 + _WIDTH), (y, y), 0.8),
            canvas.line((self.x0, self.x0), (self.y0, y), 0.8),
        ]
        step = tick_step(2 * self.longest)  # fewer ticks: aligned ranks are long numbers
        for rank in range(0, int(self.longest) + 1, step):
            x = self.x0 + self._length(rank)
            artists.append(canvas.line((x, x), (y, y + 0.05), 0.8))
            artists.append(canvas.text(x, y + 0.14, str(rank), _SMALL_SIZE, ha="center"))
        note = f"{self._noun()}, lower is better"
        x = self.x0 + _WIDTH / 2
        artists.append(canvas.text(x, y + 0.32, note, _SMALL_SIZE, ha="center"))
        return tuple(artists)

    def _draw_legend(
        self, canvas: Canvas, legend: Sequence[tuple[str, str, float]], top: float, in_rows: bool
    ) -> tuple[Artist, ...]:
        artists: list[Artist] = []
        x, y = _MARGIN, top + _LINE / 2
        for kind, text, width in legend:
            artists.append(_rectangle(canvas, x, y, 0.22, 0.12, kind))
            artists.append(canvas.text(x + 0.28, y, text, _SMALL_SIZE, ha="left"))
            x, y = (x, y + _LINE) if in_rows else (x + width, y)
        return tuple(artists)

    # -------------------------------------------------------------------------- words

    def _noun(self) -> str:
        return RANKINGS[self.result.ranking].average_rank

    def _legend(self) -> list[tuple[str, str, float]]:
        what = "control" if self.result.control is not None else "best ranked"
        entries = (
            (_REFERENCE, what),
            (_DIFFERS, "significant difference"),
            (_ALIKE, "no significant difference"),
        )
        return [(kind, text, 0.5 + text_width(text, _SMALL_SIZE)) for kind, text in entries]

    def _alt(self) -> str:
        ranks = ", ".join(
            f"{name} {self._number(rank)}"
            for name, rank in zip(self.names, self.ranks, strict=True)
        )
        cut = " and ".join(self._number(cut.rank) for cut in self.cuts)
        line = f" Cut line at {cut}." if cut else ""
        listed = ", ".join(name for name in self.names if name in self.differing)
        what = "the control" if self.result.control is not None else "the best ranked"
        return (
            f"Bars of {self._noun()}s ({basis(self.result)}), best first: {ranks}.{line} "
            f"Significantly different from {what} {self.reference}: {listed or 'none'}."
        )


def _rectangle(
    canvas: Canvas, x: float, y: float, width: float, height: float, kind: str
) -> Artist:
    style = _STYLES[kind]
    box = Rectangle(
        (x, y - height / 2), width, height, linewidth=0.8 * canvas.scale, clip_on=False, **style
    )
    return canvas.ax.add_patch(box)
