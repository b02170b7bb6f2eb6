"""Figure of the decisions about each pair by other designs, and without each data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare.plots._matrix import BLUES, WHITE, Cell, Key, Names, draw_matrix
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._rows import names_in_lines
from nbcompare.plots._sheet import figure
from nbcompare.results import Sensitivity
from nbcompare.results.hypotheses import better_first
from nbcompare.words import P_LAWS, PROCEDURES

_MOST_ROWS = 40
_LONGEST = 3.0  # inches of a pair on one line
_DECIDES, _OTHER, _NONE = "●", "◐", "○"


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
            *(Key(f"{sign} {text}") for sign, text in kinds if sign in drawn),
            *(Key(f"{by} suffices", color=tint) for by, tint in tints),
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
