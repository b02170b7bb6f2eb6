"""Aggregates of runs with their intervals: a panel for each aggregate, a row for each algorithm."""

from __future__ import annotations

from collections.abc import Iterable

from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare._validation import check_choice
from nbcompare.plots._colors import ACCENT, LIGHT
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._rows import label_values
from nbcompare.plots._sheet import FULL, Sheet, figure, room, rows_high
from nbcompare.plots._text import text_width
from nbcompare.results import RunAggregates
from nbcompare.results.wording import percent
from nbcompare.words import AGGREGATES

_WIDTHS = (4.4, 5.4, FULL)  # of one, two or more panels
_NARROW = 5.0  # a figure that has room for two panels abreast


@figure
def interval_estimates(
    result: RunAggregates,
    what: str | Iterable[str] | None = None,
    *,
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
) -> Plot:
    """Draw aggregates of runs with their intervals, in a panel each.

    The rows are algorithms, the one with the best interquartile mean first. A bar extends from the
    lower to the upper end of the interval, and a point marks the estimate. Each panel has an axis
    of its own, in units of the measure.

    Parameters
    ----------
    result : RunAggregates
        Result of :func:`nbcompare.aggregate_runs` that has aggregates.
    what : str or iterable of str, optional
        Which aggregates, in the order of the panels: ``interquartile-mean``, ``median``, ``mean``,
        ``optimality-gap``. By default all that there are.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes or iterable of Axes, optional
        Axes to draw on, one for each aggregate. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names``, ``titles`` (below the panels), ``intervals`` and
        ``estimates`` (panel by panel, best first; no bar where there is no interval), and
        ``caption``. Rows are at 0, 1, 2 and so on from the top.

    Raises
    ------
    ValueError
        If the result does not have such an aggregate; the message says what would allow it.

    References
    ----------
    Agarwal, R., Schwarzer, M., Castro, P. S., Courville, A. C. and Bellemare, M. G. (2021). Deep
    reinforcement learning at the edge of the statistical precipice. Advances in Neural
    Information Processing Systems 34, 29304-29320, figure 9.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.aggregate_runs(nbc.datasets.load("stochastic_cv"))
    >>> plot = nbc.plots.interval_estimates(result)
    >>> [text.get_text() for text in plot.artists["titles"]]
    ['interquartile mean', 'median', 'mean']
    """
    check_result(result, "interval_estimates", RunAggregates)
    what = _chosen(result, what)
    width = _WIDTHS[min(len(what), 3) - 1]
    abreast = min(len(what), 2 if room(width) < _NARROW else 4)
    sheet = Sheet(ax, width=width, panels=len(what), abreast=abreast, title=title, shared="y")
    order = [result.algorithms.index(name) for name in result.ordered]
    caption = [
        f"Aggregates of the runs on {plural(result.design.n_datasets, 'data set')}, with "
        f"{percent(result.confidence)} intervals",
        f"{result.measure}, {result.better}",
    ]
    sheet.caption(*caption)
    about = {}
    for place in order:
        texts = [f"{AGGREGATES[word].label} {result.told(word, place)}" for word in what]
        name = result.algorithms[place]
        about[name] = Mark(f"{name}: {'; '.join(texts)}", (name,))
    labels = sheet.names("names", sheet.ax.yaxis, result.ordered, about=[*about.values()])
    beside = max(text_width(label.get_text()) for label in labels)
    alt = []
    for panel, name in zip(sheet.axes, what, strict=True):
        found, record = result.aggregate(name), AGGREGATES[name]
        for row, place in enumerate(order):
            algorithm = result.algorithms[place]
            text = result.told(name, place)
            mark = Mark(f"{algorithm}: {record.label} {text}", (algorithm,))
            ends = [found.lower[place], found.upper[place]]
            if ends[0] < ends[1]:
                bar = panel.plot(ends, [row, row], LIGHT, linewidth=6, solid_capstyle="butt")
                sheet.add("intervals", bar, mark)
            point = panel.plot([found.estimate[place]], [row], "o", color=ACCENT, markersize=5)
            sheet.add("estimates", point, mark)
        told = (f"{result.algorithms[place]} {result.told(name, place)}" for place in order)
        alt.append(f"{record.label}: {', '.join(told)}")
        more = f" to {result.target:g}, less is better" if record.is_gap else ""
        label_values(sheet, panel, f"{record.label}{more}", 0.9 * (sheet.width - beside) / abreast)
        sheet.add("titles", panel.xaxis.label)
        panel.grid(color="0.92", linewidth=0.7)
        panel.set_axisbelow(True)
        panel.tick_params(axis="y", length=0)
        panel.set_ylim(len(order) - 0.4, -0.6)
        if panel.get_position().x0 > sheet.ax.get_position().x0:
            panel.tick_params(axis="y", labelleft=False)
        elif panel is not sheet.ax:
            sheet.names("names", panel.yaxis, result.ordered, about=[*about.values()])
    sheet.bare("left", "top", "right")
    text = f"{'; '.join(caption)}. Best first. {'; '.join(alt)}."
    return sheet.plot(text, height=len(order) * rows_high(labels))


def _chosen(result: RunAggregates, what: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of the aggregates to draw, which the result has."""
    if what is None:
        what = tuple(result.aggregates) or "interquartile-mean"
    names = (what,) if isinstance(what, str) else tuple(what)
    for name in names:
        check_choice(name, "what", tuple(AGGREGATES))
        result.aggregate(name)
    if not names:
        raise ValueError("`what` must name at least one aggregate; got none.")
    return names
