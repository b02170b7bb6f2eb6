"""Heat map of the ranks of all algorithms on all data sets."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number, plural
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import DIAGONAL, Cell, Color, Key, Names, diverging, draw_matrix
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import figure
from nbcompare.plots._standings import DECIMALS, Standings, standings_of
from nbcompare.results import Description

_AVERAGE = "average rank"


@figure
def rank_heatmap(
    description: Description,
    *,
    groups: Mapping[str, str] | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the rank of every algorithm on every data set as a coloured cell.

    A row is a data set, a column an algorithm, the best average rank first. Blue cells are of the
    best algorithms of the data set, orange ones of the worst, whatever the number of algorithms
    with a score there. Ties share the mean of their ranks. The last row has the average ranks,
    which are over the data sets without a missing score. Groups of data sets follow each other,
    each below a row with its own average ranks.

    Cells have numbers if there is room, up to about 20 algorithms and 60 data sets; without them,
    the average ranks stand beside the names of the algorithms. With more data sets, rows are
    thinner, and the caption says how many of them are named.

    Parameters
    ----------
    description : Description
        Result of :func:`nbcompare.describe`, of at least 2 algorithms.
    groups : mapping of str to str, optional
        Group of each data set; by default those of the experiment, if it has any.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells`` (of data sets), ``averages`` (cells of average ranks),
        ``texts`` (numbers), ``rows`` and ``columns`` (names) and ``legend``. Rows and columns are
        at 0, 1, 2 and so on.

    Raises
    ------
    TypeError
        If ``description`` is not a Description.
    ValueError
        If ``groups`` does not give a group for every data set.
    DataError
        If scores are intervals, or there is one algorithm only.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.rank_heatmap(nbc.describe(nbc.datasets.load("demsar2006")))
    >>> [text.get_text() for text in plot.artists["columns"]]
    ['C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5']
    >>> [text.get_text() for text in plot.artists["texts"][-4:]]
    ['1.93', '2.00', '2.93', '3.14']
    """
    standings = standings_of(description, groups, "rank_heatmap")
    rows = _rows(standings)
    cells: list[Cell] = []
    for place, (name, ranks, row) in enumerate(rows):
        for column, rank in enumerate(ranks.tolist()):
            color = _color(rank, ranks)
            if row is None:
                texts, part = (format_number(rank, DECIMALS), format_number(rank, 1)), "averages"
                algorithm = standings.algorithms[column]
                about = Mark(f"{algorithm}: {_AVERAGE} {texts[0]} ({name})", (algorithm,))
            else:
                texts, part = ("–" if np.isnan(rank) else f"{rank:g}",) * 2, "cells"
                about = standings.about_cell(row, column)
            cells.append(Cell(place, column, color, texts, about=about, part=part))
    about_rows = [None if row is None else standings.about_dataset(row) for *_, row in rows]
    averages = standings.averages
    after = [] if averages is None else [format_number(it, DECIMALS) for it in averages.tolist()]
    bold = frozenset(name for name, _, row in rows if row is None)
    columns = range(len(standings.algorithms))
    n, k = standings.ranks.shape
    what = f"anks of {plural(k, 'algorithm')} on {plural(n, 'data set')}"
    ends = (("best", 1.0), ("middle", 0.0), ("worst on the data set", -1.0))
    keys = [Key(text, color=diverging(end, 1.0)) for text, end in ends]
    if standings.n_missing:
        keys.append(Key("no score", color=DIAGONAL))
    return draw_matrix(
        ax,
        Names([name for name, *_ in rows], about_rows, bold),
        Names(standings.algorithms, [standings.about_algorithm(it) for it in columns], after=after),
        {"": cells},
        title=title,
        caption=[f"R{what}", *standings.caption()],
        legend=keys,
        alt=f"Heat map of the r{what} ({'; '.join(standings.caption())}). {standings.sentences()}",
    )


def _rows(standings: Standings) -> list[tuple[str, FloatArray, int | None]]:
    """Return names and ranks of the data sets, with their number, and of averages."""
    none = np.empty(0)
    starts = {group.rows.start: group for group in standings.groups}
    rows: list[tuple[str, FloatArray, int | None]] = []
    for row, ranks in enumerate(standings.ranks):
        if group := starts.get(row):
            averages = none if group.averages is None else group.averages
            rows.append((f"{group.name} ({len(group.rows)})", averages, None))
        rows.append((standings.datasets[row], ranks, row))
    if standings.averages is not None:
        rows.append((_AVERAGE, standings.averages, None))
    return rows


def _color(rank: float, ranks: FloatArray) -> Color:
    """Return the colour of a rank among those of its row."""
    n = int((~np.isnan(ranks)).sum())
    middle = (n + 1) / 2
    if np.isnan(rank):
        return DIAGONAL
    return diverging(middle - rank if n > 1 else 1.0, max(middle - 1, 0.5))
