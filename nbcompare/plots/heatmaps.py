"""Heat maps of ranks: of all algorithms on all data sets, and by several measures."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number, plural
from nbcompare._validation import shown
from nbcompare.plots._live import Mark
from nbcompare.plots._matrix import (
    DIAGONAL,
    WHITE,
    Cell,
    Color,
    Key,
    Names,
    diverging,
    draw_matrix,
    named,
)
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import LIGHT, figure
from nbcompare.plots._standings import DECIMALS, standings_of
from nbcompare.results import Comparison, Description
from nbcompare.results.hypotheses import worse_than

_AVERAGE = "average rank"
_WORSE, _ORANGE = "*", diverging(-0.6, 1.0)


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
    n, k = standings.ranks.shape
    averages: list[tuple[int, str, FloatArray | None]] = [
        (group.rows.start, f"{group.name} ({len(group.rows)})", group.averages)
        for group in standings.groups
    ]
    if standings.averages is not None:
        averages.append((n, _AVERAGE, standings.averages))
    names: list[str] = []
    about: list[Mark | None] = []
    cells: list[Cell] = []
    for row in range(n + 1):
        for _, name, ranks in (it for it in averages if it[0] == row):
            for column, rank in enumerate(() if ranks is None else ranks.tolist()):
                texts = format_number(rank, DECIMALS), format_number(rank, 1)
                algorithm, color = standings.algorithms[column], _color(rank, np.asarray(ranks))
                mark = Mark(f"{algorithm}: {_AVERAGE} {texts[0]} ({name})", (algorithm,))
                cells.append(Cell(len(names), column, color, texts, about=mark, part="averages"))
            names, about = [*names, name], [*about, None]
        for column, rank in enumerate(standings.ranks[row].tolist() if row < n else ()):
            texts = ("–" if np.isnan(rank) else f"{rank:g}",) * 2
            color, mark = _color(rank, standings.ranks[row]), standings.about_cell(row, column)
            cells.append(Cell(len(names), column, color, texts, about=mark))
        if row < n:
            names, about = [*names, standings.datasets[row]], [*about, standings.about_dataset(row)]
    last = [] if standings.averages is None else standings.averages.tolist()
    after = [format_number(it, DECIMALS) for it in last]
    ends = (("best", 1.0), ("middle", 0.0), ("worst on the data set", -1.0))
    keys = [Key(text, color=diverging(end, 1.0)) for text, end in ends]
    if standings.n_missing:
        keys.append(Key("no score", color=DIAGONAL))
    what = f"Ranks of {plural(k, 'algorithm')} on {plural(n, 'data set')}"
    return draw_matrix(
        ax,
        Names(names, about, frozenset(name for _, name, _ in averages)),
        Names(
            standings.algorithms, [standings.about_algorithm(it) for it in range(k)], after=after
        ),
        {"": cells},
        ["Heat map of ranks", standings.sentences()],
        title=title,
        caption=[what, *standings.caption()],
        legend=keys,
    )


def _color(rank: float, ranks: FloatArray) -> Color:
    """Return the colour of a rank among those of its row."""
    if np.isnan(rank):
        return DIAGONAL
    n = int((~np.isnan(ranks)).sum())
    middle = (n + 1) / 2
    return diverging(middle - rank if n > 1 else 1.0, max(middle - 1, 0.5))


@figure
def measure_heatmap(
    comparisons: Mapping[str, Comparison], *, title: bool = True, ax: Axes | None = None
) -> Plot:
    """Draw the average rank of every algorithm by every measure as a coloured cell.

    A row is an algorithm, a column a measure. In each column the best average rank is blue, and
    the ranks of the algorithms that are significantly worse than that one are orange, with an
    asterisk. The algorithm with the least mean of its average ranks stands first.

    Parameters
    ----------
    comparisons : mapping of str to Comparison
        Results of :func:`nbcompare.compare` by the names of the measures.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells``, ``texts`` (numbers), ``frames`` (of the best), ``rows`` and
        ``columns`` (names) and ``legend``. Rows and columns are at 0, 1, 2 and so on.

    Raises
    ------
    TypeError
        If ``comparisons`` is not a mapping of names to comparisons.
    ValueError
        If it is empty.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> auc = nbc.compare(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.measure_heatmap({"AUC": auc})
    >>> [text.get_text() for text in plot.artists["texts"]]
    ['1.93', '2.00', '2.93', '3.14']
    """
    given: object = comparisons
    found = [*given.values()] if isinstance(given, Mapping) else [given]
    for one in found:
        if not isinstance(one, Comparison):
            raise TypeError(
                f"`comparisons` must map names of measures to results of compare; got {shown(one)}."
            )
    if not comparisons:
        raise ValueError("`comparisons` must hold a comparison of at least one measure; got none.")
    ranks = {name: result.average_ranks for name, result in comparisons.items()}
    names = dict.fromkeys(name for each in ranks.values() for name in each)
    rows = sorted(
        names, key=lambda it: float(np.mean([each[it] for each in ranks.values() if it in each]))
    )
    cells: list[Cell] = []
    told: list[str] = []
    for column, (measure, result) in enumerate(comparisons.items()):
        best = result.ordered[0]
        worse = worse_than(result.hypotheses, best)
        told.append(f"By {measure}, {best} has the best average rank")
        if worse:
            are = "is" if len(worse) == 1 else "are"
            told[-1] += (
                f", and {plural(len(worse), 'algorithm')} of {len(ranks[measure]) - 1} {are}"
            )
            told[-1] += " significantly worse"
        for row, name in enumerate(rows):
            rank = ranks[measure].get(name)
            text = "–" if rank is None else format_number(rank, DECIMALS)
            color: Color = WHITE
            what = "not significantly worse than the best"
            if rank is None:
                color, what = DIAGONAL, "not compared"
            elif name == best:
                color, what = LIGHT, "the best"
            elif name in worse:
                color, what, text = _ORANGE, f"significantly worse than {best}", f"{text} {_WORSE}"
            about = Mark(f"{name} by {measure}: average rank {text}, {what}", (name,))
            texts = (text, text if rank is None else f"{rank:.1f}{_WORSE * (name in worse)}")
            cells.append(Cell(row, column, color, texts, strong=name == best, about=about))
    what = f"Average ranks of {plural(len(rows), 'algorithm')} by {plural(len(ranks), 'measure')}"
    return draw_matrix(
        ax,
        named(rows),
        named([*ranks]),
        {"": cells},
        ["Heat map of average ranks", f"Best first: {', '.join(rows)}. {'. '.join(told)}."],
        title=title,
        caption=[what],
        legend=[
            Key("best average rank", color=LIGHT),
            Key(f"{_WORSE} significantly worse than the best", color=_ORANGE),
        ],
    )
