"""Matrix of the probabilities that one algorithm is better than another, or equivalent."""

from __future__ import annotations

from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import COLUMN, ROW, SQUARE, Cell, Key, Names, diverging, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.results import BayesianComparison
from nbcompare.results.bayesian import NONE
from nbcompare.results.bayesian_account import told_of_pair

_GREY = (0.66, 0.66, 0.66)  # of pairs that are surely equivalent; the two sides have a hue
_DECIMALS = 2


def posterior_matrix(result: BayesianComparison, *, ax: Axes | None = None) -> Plot:
    """Draw for every pair how probable it is that the row is better, or that both are equivalent.

    Algorithms are ordered by how much likelier they are better than worse. A cell shows the
    probability that the row is better than the column by more than the region of practical
    equivalence, and below it, after “eq.”, the probability that the two are equivalent. The colour
    mixes blue where the row is better, orange where the column is better and grey where they are
    equivalent, by these probabilities. The mark says which of the three is the most probable: a
    triangle points to the better algorithm, a square means equivalence. It is filled, and the text
    bold and framed, if that is claimed. With a control there is a single column, that of the
    control.

    Parameters
    ----------
    result : BayesianComparison
        Result of :func:`nbcompare.compare_bayesian`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts`` (the
        probabilities; none with more than 16 columns, because they would be illegible), ``marks``,
        ``outlines`` (of the claims) and ``legend``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare_bayesian(nbc.datasets.load("demsar2006"), rope=0.01)
    >>> plot = nbc.plots.posterior_matrix(result)
    >>> print(plot.artists["texts"][2].get_text())
    0.96
    eq. 0.04
    """
    check_result(result, "posterior_matrix", BayesianComparison)
    ordered, control = result.ordered, result.control
    if control is None:
        names = Names(ordered, ordered, diagonal=True)
    else:
        others = tuple(name for name in ordered if name != control)
        names = Names(others, (control,), bold=frozenset({control}))
    rows = {name: place for place, name in enumerate(names.rows)}
    columns = {name: place for place, name in enumerate(names.columns)}
    cells = [
        _cell(result, row, rows[a], columns[b], turned=turned)
        for row, (first, second) in enumerate(zip(result.first, result.second, strict=True))
        for a, b, turned in ((first, second, False), (second, first, True))
        if a in rows and b in columns
    ]
    cells.sort(key=lambda cell: (cell.row, cell.column))
    return draw_matrix(
        names,
        cells,
        caption=_caption(result),
        legend=_legend(result, compact=names.compact),
        alt=_alt(result),
        marks=True,
        outlined=True,
        ax=ax,
    )


def _cell(result: BayesianComparison, row: int, place: int, column: int, *, turned: bool) -> Cell:
    """Return the cell of a pair whose row is the first algorithm, or the second if turned."""
    better, worse = float(result.first_better[row]), float(result.second_better[row])
    better, worse = (worse, better) if turned else (better, worse)
    equal = float(result.equivalent[row])
    side = ROW if better > worse else COLUMN if worse > better else ""
    text = result.chance(better, _DECIMALS)
    if result.rope:
        text += f"\neq. {result.chance(equal, _DECIMALS)}"
    return Cell(
        row=place,
        column=column,
        text=text,
        color=_mixed(better, equal, worse),
        better=SQUARE if equal > max(better, worse) else side,
        strong=result.decision[row] != NONE,
        about=Mark(told_of_pair(result, row), (result.first[row], result.second[row]), pair=True),
    )


def _mixed(better: float, equal: float, worse: float) -> tuple[float, float, float]:
    """Mix the colours of the three; two sides that are equally probable give white."""
    red, green, blue = (
        (1 - equal) * part + equal * grey
        for part, grey in zip(diverging(better - worse, 1.0), _GREY, strict=True)
    )
    return red, green, blue


def _caption(result: BayesianComparison) -> list[str]:
    by = f" by more than {result.region}" if result.rope else ""
    below = "; eq.: that they are equivalent" if result.rope else ""
    return [
        f"Probability that the row is better than the column{by}{below}",
        f"{result.record.label}, {result.where}; {result.design.better}",
    ]


def _legend(result: BayesianComparison, *, compact: bool) -> list[Key]:
    level = f"{result.threshold:g}"
    bold = "" if compact else " and framed"
    return [
        Key("row is better", color=diverging(1, 1)),
        Key("column is better", color=diverging(-1, 1)),
        *([Key("practically equivalent", color=_GREY)] if result.rope else []),
        Key("most probable: row is better", ROW),
        Key("most probable: column is better", COLUMN),
        *([Key("most probable: equivalence", SQUARE)] if result.rope else []),
        Key(f"filled{bold}: claimed, with probability {level} or more", COLUMN, filled=True),
    ]


def _alt(result: BayesianComparison) -> str:
    claims = [
        f"{result.first[row]} and {result.second[row]}: {result.claim(row)}"
        for row, word in enumerate(result.decision)
        if word != NONE
    ]
    return (
        f"Matrix of the posterior probabilities of pairs ({_caption(result)[-1]}). Best first: "
        f"{', '.join(result.ordered)}. Claims with probability {result.threshold:g} or more, of "
        f"{plural(len(result), 'pair')}: {'; '.join(claims) or 'none'}."
    )
