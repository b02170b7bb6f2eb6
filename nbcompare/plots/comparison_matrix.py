"""Multiple comparison matrix: mean difference, counts and p-value of every pair."""

from __future__ import annotations

from collections.abc import Iterable

from matplotlib.axes import Axes

from nbcompare._arrays import IntArray
from nbcompare._render import stated_p
from nbcompare._validation import check_labels, check_name
from nbcompare.plots._labels import basis, means, signed
from nbcompare.plots._matrix import COLUMN, ROW, Cell, Key, Names, diverging, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._told import algorithm_marks, pair_mark
from nbcompare.results import Comparison, Labelled


def comparison_matrix(
    comparison: Comparison,
    *,
    ax: Axes | None = None,
    rows: Iterable[str] | None = None,
    columns: Iterable[str] | None = None,
) -> Plot:
    """Draw the mean difference, win/tie/loss counts and p-value of every pair in a matrix.

    Algorithms are ordered by average rank, best first, and each row shows its mean score. A
    cell holds how much better the mean score of the row is than that of the column, in units of
    the measure; the numbers of data sets on which the row wins, ties and loses; and the p-value
    that decides (adjusted by the first procedure, or raw if there is none). A cell whose null
    hypothesis is rejected is framed and bold. Its colour shows which mean is better: blue for
    the row, orange for the column. The mean is not what is tested, and may point the other way.
    With a control there is a single column, that of the control.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure, which grows
        with the number of algorithms.
    rows, columns : iterable of str, optional
        Algorithms to show, still ordered from the best; by default all. With more than 16
        columns, a cell has no text but a triangle that points to the algorithm that the test
        found better, filled if the null hypothesis is rejected.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts``, ``marks`` (the
        triangles), ``outlines`` and ``legend``.

    Raises
    ------
    ValueError
        If the comparison has no scores because it was made from average ranks, if a name is
        not that of an algorithm, or if no pair of ``rows`` and ``columns`` was tested.

    References
    ----------
    Ismail-Fawaz, A. et al. (2023). An approach to multiple comparison benchmark
    evaluations that is stable under manipulation of the comparate set. arXiv:2305.11921.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.comparison_matrix(result, rows=["C4.5+m"], columns=["C4.5"])
    >>> print(plot.artists["texts"][0].get_text())
    +0.0155
    10/2/2
    p = 0.0469
    """
    check_result(comparison, "comparison_matrix", Comparison)
    tests = comparison.hypotheses
    if comparison.mean_scores is None or tests.mean_difference is None:
        raise ValueError(
            "`comparison` must hold scores for a matrix of mean differences; got one made from "
            "average ranks alone. Use compare(experiment), or draw a pvalue_matrix instead."
        )
    names = _names(comparison, comparison.mean_scores, rows, columns)
    cells = _cells(comparison, names)
    if not cells:
        raise ValueError(
            "`rows` and `columns` must include at least one pair that was tested; got "
            f"{list(names.rows)} and {list(names.columns)}"
            + (f" against the control {comparison.control!r}." if comparison.control else ".")
        )
    shown = max(abs(tests.mean_difference[test]) for test, *_ in cells)
    texts = signed([float(sign * tests.mean_difference[test]) for test, sign, *_ in cells])
    drawn = [
        Cell(
            row=row,
            column=column,
            text=f"{text}\n{_counts(comparison, test, sign)}\n{stated_p(tests.decisive(test))}",
            color=diverging(sign * float(tests.mean_difference[test]), float(shown)),
            better=_better(sign * float(tests.statistic[test])),
            strong=bool(tests.rejected[test]),
            about=pair_mark(comparison, test),
        )
        for (test, sign, row, column), text in zip(cells, texts, strict=True)
    ]
    largest = signed([float(shown)])[0].lstrip("+")
    return draw_matrix(
        names,
        drawn,
        caption=_caption(comparison, names),
        legend=_legend(names, largest),
        alt=_alt(comparison, names, drawn),
        outlined=True,
        ax=ax,
    )


def _names(
    comparison: Comparison,
    mean_scores: Labelled[float],
    rows: Iterable[str] | None,
    columns: Iterable[str] | None,
) -> Names:
    ordered, control = comparison.ordered, comparison.control
    default_rows = tuple(name for name in ordered if name != control)
    default_columns = ordered if control is None else (control,)
    kept_rows = _kept(comparison, rows, "rows", default_rows)
    kept_columns = _kept(comparison, columns, "columns", default_columns)
    scores = means([mean_scores[name] for name in kept_rows])
    return Names(
        kept_rows,
        kept_columns,
        bold=frozenset() if control is None else frozenset({control}),
        below=tuple(scores),
        diagonal=True,
        about=algorithm_marks(comparison),
    )


def _kept(
    comparison: Comparison,
    names: Iterable[str] | None,
    argument: str,
    default: tuple[str, ...],
) -> tuple[str, ...]:
    if names is None:
        return default
    known = comparison.design.algorithms
    wanted = {check_name(name, argument, known) for name in check_labels(names, argument)}
    if not wanted:
        raise ValueError(f"`{argument}` must name at least one algorithm; got none.")
    return tuple(name for name in comparison.ordered if name in wanted)


def _cells(comparison: Comparison, names: Names) -> list[tuple[int, int, int, int]]:
    """Return test, sign (1 if its first algorithm is in the row, else -1), row and column."""
    tests = comparison.hypotheses
    row_of = {name: row for row, name in enumerate(names.rows)}
    column_of = {name: column for column, name in enumerate(names.columns)}
    found = []
    for test, (first, second) in enumerate(zip(tests.first, tests.second, strict=True)):
        for sign, one, other in ((1, first, second), (-1, second, first)):
            if one in row_of and other in column_of:
                found.append((test, sign, row_of[one], column_of[other]))
    return found


def _better(statistic: float) -> str:
    return "" if statistic == 0 else ROW if statistic > 0 else COLUMN


def _counts(comparison: Comparison, test: int, sign: int) -> str:
    tests = comparison.hypotheses
    counts: list[IntArray | None] = [tests.wins, tests.ties, tests.losses]
    return "/".join(str(count[test]) for count in counts[::sign] if count is not None)


def _what(comparison: Comparison) -> str:
    design = comparison.design
    negated = " (negated there)" if design.turned else ""
    return f"mean {design.measure or 'score'}, {design.better}{negated}"


def _kind(comparison: Comparison) -> str:
    return "adjusted p" if comparison.adjust else "unadjusted p"


def _caption(comparison: Comparison, names: Names) -> list[str]:
    what = _what(comparison)
    if names.compact:
        return [f"Difference of {what}", f"Rejected by {_kind(comparison)} ({basis(comparison)})"]
    return [
        f"Difference of {what}, {comparison.design.minus('row', 'column')}",
        f"Win/tie/loss of the row; {_kind(comparison)} ({basis(comparison)})",
    ]


def _legend(names: Names, largest: str) -> list[Key]:
    colors = [
        Key(f"row mean is better, by up to {largest}", color=diverging(1, 1)),
        Key(f"column mean is better, by up to {largest}", color=diverging(-1, 1)),
    ]
    if not names.compact:
        return [*colors, Key("bold in a frame: rejected", strong=True)]
    return [
        *colors,
        Key("test: row is better", ROW, filled=True),
        Key("test: column is better", COLUMN, filled=True),
        Key("not rejected", COLUMN, filled=False),
    ]


def _alt(comparison: Comparison, names: Names, cells: list[Cell]) -> str:
    scores = ", ".join(f"{name} {line}" for name, line in zip(names.rows, names.below, strict=True))
    minus = comparison.design.minus
    seen: set[frozenset[str]] = set()
    rejected = []
    for cell in cells:
        row, column = names.rows[cell.row], names.columns[cell.column]
        pair = frozenset({row, column})
        if cell.strong and pair not in seen:
            difference, counts, p = cell.text.split("\n")
            rejected.append(f"{minus(row, column)} {difference} ({counts}, {p})")
        seen.add(pair)
    return (
        f"Matrix of differences of {_what(comparison)}, with win/tie/loss and {_kind(comparison)} "
        f"({basis(comparison)}). Rows, best average rank first, with their means: {scores}. "
        f"Columns: {', '.join(names.columns)}. "
        f"Hypotheses rejected, of {len(seen)} pairs: {'; '.join(rejected) or 'none'}."
    )
