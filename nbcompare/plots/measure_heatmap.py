"""Heat map of the average ranks of all algorithms by several measures."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import format_number, plural
from nbcompare._validation import shown
from nbcompare.plots._colors import LIGHT
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import DIAGONAL, WHITE, Cell, Color, Key, diverging, draw_matrix, named
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import figure
from nbcompare.results import Comparison
from nbcompare.results.hypotheses import worse_than

_DECIMALS = 2
_WORSE, _ORANGE = "*", diverging(-0.6, 1.0)


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
    for name, result in _checked(comparisons).items():
        if not isinstance(result, Comparison):
            raise TypeError(
                "`comparisons` must map names of measures to results of compare; got a "
                f"{type(result).__name__} for {shown(name)}."
            )
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
            told[-1] += f", and {plural(len(worse), 'algorithm')} of {len(ranks[measure]) - 1} "
            told[-1] += f"{'is' if len(worse) == 1 else 'are'} significantly worse"
        for row, name in enumerate(rows):
            rank = ranks[measure].get(name)
            text = "–" if rank is None else format_number(rank, _DECIMALS)
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
    keys = [
        Key("best average rank", color=LIGHT),
        Key(f"{_WORSE} significantly worse than the best", color=_ORANGE),
    ]
    return draw_matrix(
        ax,
        named(rows),
        named([*ranks]),
        {"": cells},
        title=title,
        caption=[what],
        legend=keys,
        alt=f"{what}. Best first: {', '.join(rows)}. {'. '.join(told)}.",
    )


def _checked(given: object) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise TypeError(
            "`comparisons` must map names of measures to results of compare; got "
            f"{type(given).__name__}."
        )
    if not given:
        raise ValueError("`comparisons` must hold a comparison of at least one measure; got none.")
    return given
