"""Heat maps: ranks on all data sets and by several measures, and decisions by other designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import format_number, format_rounded, plural
from nbcompare._validation import DataError, check_groups, shown
from nbcompare.plots._matrix import (
    BLUES,
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
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._rows import names_in_lines
from nbcompare.plots._sheet import LIGHT, figure
from nbcompare.results import Comparison, Description, Sensitivity
from nbcompare.results.hypotheses import better_first, worse_than
from nbcompare.words import P_LAWS, PROCEDURES

_AVERAGE = "average rank"
_DECIMALS = 2  # of an average rank
_MOST_NAMED = 3  # most algorithms that tie for the best in a sentence
_WORSE, _ORANGE = "*", diverging(-0.6, 1.0)
_MOST_ROWS = 40
_LONGEST = 3.0  # inches of a pair on one line
_DECIDES, _OTHER, _NONE = "●", "◐", "○"


@figure(Description)
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
    design, given = description.design, description.ranks
    if given is None:
        raise DataError(
            "`description` is of interval-valued scores, which have no ranks. To rank their "
            "midpoints, describe an Experiment of those."
        )
    n, k = given.shape
    if k < 2:
        raise DataError(f"`description` must be of at least 2 algorithms; got {k}.")
    known = description.statistics
    means = known[_AVERAGE].values if _AVERAGE in known else None
    order = [*range(k)] if means is None else np.argsort(means, kind="stable").tolist()
    algorithms = [description.algorithms[column] for column in order]
    ranks, scores = given[:, order], description.scores[:, order]
    names: list[str] = []
    about: list[Mark | None] = []
    cells: list[Cell] = []

    def add_averages(name: str, averages: FloatArray) -> None:
        for column, rank in enumerate(averages.tolist()):
            texts = format_number(rank, _DECIMALS), format_number(rank, 1)
            mark = Mark(
                f"{algorithms[column]}: {_AVERAGE} {texts[0]} ({name})", (algorithms[column],)
            )
            color = _color(rank, averages)
            cells.append(Cell(len(names), column, color, texts, about=mark, part="averages"))
        names.append(name)
        about.append(None)

    for group, rows in _groups(description, groups).items():
        complete = ranks[rows][~np.isnan(ranks[rows]).any(axis=1)]
        averages = complete.mean(axis=0) if len(complete) else np.zeros(0)
        if group:
            add_averages(f"{group} ({len(rows)})", averages)
        for row in rows:
            dataset, own = design.datasets[row], ranks[row]
            marks = _marks(dataset, algorithms, own, scores[row])
            for column, (rank, mark) in enumerate(zip(own.tolist(), marks, strict=True)):
                texts = ("–" if np.isnan(rank) else f"{rank:g}",) * 2
                cells.append(Cell(len(names), column, _color(rank, own), texts, about=mark))
            best = [algorithms[j] for j in np.flatnonzero(own == np.nanmin(own))]
            who = ", ".join(best) if len(best) <= _MOST_NAMED else plural(len(best), "algorithm")
            names.append(dataset)
            about.append(Mark(f"{dataset}: best {who}", (), dataset=dataset))
    headings = frozenset(name for name, mark in zip(names, about, strict=True) if mark is None)
    after = []
    if means is not None:
        add_averages(_AVERAGE, means[order])
        headings |= {_AVERAGE}
        after = [format_number(rank, _DECIMALS) for rank in means[order].tolist()]
    wins = (ranks == np.nanmin(ranks, axis=1, keepdims=True)).sum(axis=0).tolist()
    columns = [
        Mark(
            f"{name}: {f'{_AVERAGE} {after[place]}; ' if after else ''}"
            f"best on {wins[place]} of {plural(n, 'data set')}",
            (name,),
        )
        for place, name in enumerate(algorithms)
    ]
    ends = (("best", 1.0), ("middle", 0.0), ("worst on the data set", -1.0))
    keys: list[Key] = [(text, diverging(end, 1.0)) for text, end in ends]
    measured = f"{design.measure}, {design.better}" if design.measure else design.better
    caption = [
        f"Ranks of {plural(k, 'algorithm')} on {plural(n, 'data set')}",
        f"{measured}; ranks on each data set, 1 is the best",
    ]
    if n_missing := int(np.isnan(ranks).sum()):
        keys.append(("no score", DIAGONAL))
        how = "no average ranks, as every data set has a missing score"
        if means is not None:
            complete_sets = plural(description.n_ranked, "data set")
            how = f"average ranks are over the {complete_sets} without a missing score"
        caption.append(f"{plural(n_missing, 'score')} missing; {how}")
    return draw_matrix(
        ax,
        Names(names, about, headings),
        Names(algorithms, columns, after=after),
        {"": cells},
        "Heat map of ranks",
        title=title,
        caption=caption,
        legend=keys,
    )


def _groups(description: Description, groups: Mapping[str, str] | None) -> Mapping[str, list[int]]:
    """Return the rows of each group of data sets, by its own groups or those given, if any."""
    names, domains = description.design.datasets, description.domains
    if isinstance(groups, Mapping):
        domains = check_groups(groups, "groups", names)
    elif groups is not None:
        raise ValueError(f"`groups` must be a mapping of data sets to groups; got {shown(groups)}.")
    found: dict[str, list[int]] = {}
    for row, group in enumerate(domains or [""] * len(names)):
        found.setdefault(group, []).append(row)
    return found


def _marks(
    dataset: str, algorithms: Sequence[str], ranks: FloatArray, scores: FloatArray
) -> list[Mark]:
    """Return what a page says of each algorithm on a data set."""
    n = int((~np.isnan(ranks)).sum())
    texts = [
        "no score" if np.isnan(rank) else f"rank {rank:g} of {n} ({format_rounded(score)})"
        for rank, score in zip(ranks.tolist(), scores.tolist(), strict=True)
    ]
    return [
        Mark(f"{name} on {dataset}: {text}", (name,), dataset=dataset)
        for name, text in zip(algorithms, texts, strict=True)
    ]


def _color(rank: float, ranks: FloatArray) -> Color:
    """Return the colour of a rank among those of its row."""
    if np.isnan(rank):
        return DIAGONAL
    n = int((~np.isnan(ranks)).sum())
    middle = (n + 1) / 2
    return diverging(middle - rank if n > 1 else 1.0, max(middle - 1, 0.5))


@figure()
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
    for column, (measure, result) in enumerate(comparisons.items()):
        best = result.ordered[0]
        worse = worse_than(result.hypotheses, best)
        for row, name in enumerate(rows):
            rank = ranks[measure].get(name)
            text = "–" if rank is None else format_number(rank, _DECIMALS)
            color: Color = WHITE
            what = "not significantly worse than the best"
            if rank is None:
                color, what = DIAGONAL, "not compared"
            elif rank == ranks[measure][best]:
                color, what = LIGHT, "the best"
            elif name in worse:
                color, what, text = _ORANGE, f"significantly worse than {best}", f"{text} {_WORSE}"
            about = Mark(f"{name} by {measure}: average rank {text}, {what}", (name,))
            texts = (text, text if rank is None else f"{rank:.1f}{_WORSE * (name in worse)}")
            cells.append(Cell(row, column, color, texts, strong=color == LIGHT, about=about))
    what = f"Average ranks of {plural(len(rows), 'algorithm')} by {plural(len(ranks), 'measure')}"
    return draw_matrix(
        ax,
        named(rows),
        named([*ranks]),
        {"": cells},
        "Heat map of average ranks",
        clear="best of each measure",
        title=title,
        caption=[what],
        legend=[
            ("best average rank", LIGHT),
            (f"{_WORSE} significantly worse than the best", _ORANGE),
        ],
    )


# ------------------------------------------------------------------------------------- sensitivity


@figure(Sensitivity)
def sensitivity(result: Sensitivity, *, title: bool = True, ax: Axes | None = None) -> Plot:
    """Draw which pairs are significant by which test of pairs, and what single data sets change.

    A row is a pair, the better algorithm first; the rows begin with those that are significant by
    most tests of pairs. A column is a test of pairs, that of the primary design in bold. A filled
    circle marks a significant difference by the procedure of the primary design, a hollow one
    none, and a half filled one a difference that is significant by another procedure alone. The
    stricter a procedure suffices, the darker is the cell. The last column has the number of data
    sets without each of which the primary design decides otherwise. Of more than 40 pairs, those
    whose decision varies come first.

    Parameters
    ----------
    result : Sensitivity
        Result of :func:`nbcompare.sensitivity`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection), ``texts``
        (circles and numbers, row by row), ``caption`` and ``legend``. Rows and columns are at 0, 1,
        2 and so on.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.sensitivity(nbc.sensitivity(nbc.datasets.load("demsar2006")))
    >>> len(plot.artists["rows"]), [text.get_text() for text in plot.artists["texts"][:7]]
    (6, ['◐', '●', '●', '○', '○', '○', '1'])
    """
    pairs = [better_first(result.primary.hypotheses, row) for row in range(len(result.hinges))]
    order, tests, primary = _order(result), result.tests, result.primary
    n_pairs, more = len(pairs), [result.why_not] if result.why_not else []
    if len(order) < n_pairs:
        more.insert(0, f"{len(order)} of {n_pairs:,} pairs, those whose decision varies first")
    cells, about = [], []
    strictest: dict[str, dict[str, None]] = {tint: {} for tint in reversed(BLUES)}
    for place, row in enumerate(order):
        pair, changes = " – ".join(pairs[row]), result.hinges[row]
        by = f"by {result.n_significant[row]} of {plural(len(tests), 'test')} of pairs"
        without = f"changes without {', '.join(changes)}" if changes else "no data set changes it"
        about.append(Mark(f"{pair}: significant {by}; {without}", pairs[row], pair=True))
        for column, test in enumerate(tests):
            found, sign = test.rejecting(row, result.alpha), _NONE
            names = [
                PROCEDURES[it].label_with(primary.family_control) if it in PROCEDURES else it
                for it in found
            ]
            if found:
                sign = _OTHER
                strictest[_tint(found)][names[0]] = None
            if test.rejected(result.alpha)[row]:
                sign = _DECIDES
            by = f"significant by {', '.join(names)}" if found else "not significant"
            mark = Mark(f"{pair}, {test.label}: {by}", pairs[row], pair=True)
            cells.append(Cell(place, column, _tint(found), (sign,), about=mark))
        if not result.why_not:
            mark = Mark(f"{pair}: {without}", pairs[row], pair=True)
            text = str(len(changes) or "–")
            cells.append(Cell(place, len(tests), WHITE, (text,), about=mark))
    drawn_pairs = [pairs[row] for row in order]
    headers = [test.header for test in tests] + ["data sets that decide"] * (not result.why_not)
    bold = frozenset(test.header for test in tests if test.name == result.primary_test)
    drawn = {cell.texts[0] for cell in cells}
    kinds = (_DECIDES, "significant"), (_NONE, "not significant"), (_OTHER, "by another procedure")
    tints = [(" or ".join(by), tint) for tint, by in strictest.items() if by]
    basis = f"{P_LAWS[primary.method]}, {primary.procedure}, α = {result.alpha:g}"
    return draw_matrix(
        ax,
        Names(names_in_lines(drawn_pairs, _LONGEST), about, pairs=drawn_pairs),
        Names(headers, [None] * len(headers), bold),
        {"": cells},
        "Matrix of decisions",
        told=result.summary,
        title=title,
        caption=[
            f"Significance by test of pairs, the primary one in bold; {basis}, "
            f"{plural(result.design.n_datasets, 'data set')}",
            "; ".join(more),
        ],
        legend=[
            *((f"{sign} {text}", "") for sign, text in kinds if sign in drawn),
            *((f"{by} suffices", tint) for by, tint in tints),
        ],
    )


def _order(result: Sensitivity) -> list[int]:
    """Return the pairs to draw, first those that most tests find significant, then by p."""
    counts = np.array(result.n_significant)
    depends = ((counts > 0) & (counts < len(result.tests))) | np.array([*map(bool, result.hinges)])
    chosen = np.sort(np.argsort(~depends, kind="stable")[:_MOST_ROWS])
    return [int(row) for row in chosen[np.argsort(-counts[chosen], kind="stable")]]


def _tint(rejecting: Sequence[str]) -> str:
    """Return the colour of a cell: the darker, the stricter a procedure suffices."""
    if not rejecting:
        return WHITE
    if PROCEDURES[rejecting[0]].single_step:
        return BLUES[2]
    return BLUES[0] if rejecting[0] in ("bergmann-hommel", "hommel") else BLUES[1]
