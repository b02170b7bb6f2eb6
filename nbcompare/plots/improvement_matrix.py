"""Matrix of the probabilities that a run of one algorithm is better than one of another."""

from __future__ import annotations

from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import COLUMN, ROW, Cell, Key, Names, diverging, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.results import RunAggregates
from nbcompare.results.pair import percent


def improvement_matrix(result: RunAggregates, *, ax: Axes | None = None) -> Plot:
    """Draw for every pair how often a run of the row is better than one of the column.

    Algorithms are ordered by their interquartile means, best first. A cell shows the probability
    that a run of the row is better than one of the column on the same data set, and its interval
    below. It is blue where that is above one half and orange where it is below. A triangle points
    to the algorithm that is better more often; it is filled, and the text bold and framed, if the
    interval excludes one half.

    Parameters
    ----------
    result : RunAggregates
        Result of :func:`nbcompare.aggregate_runs`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts`` (the
        probabilities; none with more than 16 columns, because they would be illegible), ``marks``,
        ``outlines`` (of intervals that exclude one half) and ``legend``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"))
    >>> plot = nbc.plots.improvement_matrix(result)
    >>> print(plot.artists["texts"][1].get_text())
    0.62
    0.59–0.65
    """
    check_result(result, "improvement_matrix", RunAggregates)
    ordered = result.ordered
    names = Names(ordered, ordered, diagonal=True)
    cells = [
        _cell(result, a, b, row, column)
        for row, a in enumerate(ordered)
        for column, b in enumerate(ordered)
        if a != b
    ]
    return draw_matrix(
        names,
        cells,
        caption=_caption(result),
        legend=_legend(compact=names.compact),
        alt=_alt(result),
        marks=True,
        outlined=True,
        ax=ax,
    )


def _cell(result: RunAggregates, a: str, b: str, row: int, column: int) -> Cell:
    value, low, high = result.better_than(a, b)
    told = f"{a} – {b}: a run of {a} is better with probability {result.told_of_pair(a, b)}"
    return Cell(
        row=row,
        column=column,
        text=f"{result.chance(value)}\n{result.chance(low)}–{result.chance(high)}",
        color=diverging(value - 0.5, 0.5),
        better=ROW if value > 0.5 else COLUMN if value < 0.5 else "",
        strong=result.clear(a, b),
        about=Mark(told, (a, b), pair=True),
    )


def _caption(result: RunAggregates) -> list[str]:
    return [
        f"Probability that a run of the row is better, with {percent(result.confidence)} interval",
        f"{plural(result.design.n_datasets, 'data set')}, {result.design.better}",
    ]


def _legend(*, compact: bool) -> list[Key]:
    bold = "" if compact else " and framed"
    return [
        Key("row is better more often", ROW, color=diverging(1, 1)),
        Key("column is better more often", COLUMN, color=diverging(-1, 1)),
        Key(f"filled{bold}: the interval excludes one half", COLUMN, filled=True),
    ]


def _alt(result: RunAggregates) -> str:
    pairs = [
        f"{a} and {b}: {result.told_of_pair(a, b)}" for a, b in result.pairs if result.clear(a, b)
    ]
    return (
        f"Matrix of the probabilities that a run of one algorithm is better than one of another "
        f"({_caption(result)[-1]}). Best first: {', '.join(result.ordered)}. Intervals that "
        f"exclude one half, of {plural(len(result.pairs), 'pair')}: {'; '.join(pairs) or 'none'}."
    )
