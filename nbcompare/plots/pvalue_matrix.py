"""Matrix of the p-values of all pairs, which shows the better algorithm of each pair."""

from __future__ import annotations

from matplotlib.axes import Axes

from nbcompare._render import plural, stated_p
from nbcompare.plots._labels import basis
from nbcompare.plots._matrix import BLUES, COLUMN, ROW, SQUARE, WHITE, Cell, Key, Names, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._told import algorithm_marks, pair_mark
from nbcompare.results import Comparison
from nbcompare.results.decisions import EQUIVALENT, NEGLIGIBLE
from nbcompare.results.pair_wording import better_first

# Cells are darker for p-values of at most α, α/10 and α/100.
_SHARES = (1, 10, 100)


def pvalue_matrix(comparison: Comparison, *, ax: Axes | None = None) -> Plot:
    """Draw the p-value of every pair, with a triangle that points to the better algorithm.

    Rows and columns are ordered by average rank, best first. The p-values are those that
    decide: adjusted by the first procedure, or raw if there is none. A rejected hypothesis has
    a filled triangle and bold digits on a tint that is darker for smaller p; a hypothesis that
    is not rejected has a hollow triangle on white. A triangle points along the row or up the
    column, to the name of the algorithm that the test found better; it is missing if the test
    found no difference at all. Two algorithms that are equivalent within the margin of the
    comparison have a square instead. With a control there is a single column, that of the control.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts`` (the
        p-values; none with more than 16 columns, because they would be illegible), ``marks``
        (the triangles and squares), ``outlines`` (none here) and ``legend``.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.compare(nbc.datasets.load("demsar2006"), adjust="nemenyi")
    >>> plot = nbc.plots.pvalue_matrix(result)
    >>> [text.get_text() for text in plot.artists["texts"]][:2]
    ['0.0432', '0.0649']
    """
    check_result(comparison, "pvalue_matrix", Comparison)
    tests, ordered = comparison.hypotheses, comparison.ordered
    place = {name: position for position, name in enumerate(ordered)}
    control = comparison.control
    about = algorithm_marks(comparison)
    if control is None:
        names = Names(ordered[1:], ordered[:-1], about=about)
    else:
        rows = tuple(name for name in ordered if name != control)
        names = Names(rows, (control,), bold=frozenset({control}), about=about)
    alike = set(_with(comparison, EQUIVALENT))
    at = {name: row for row, name in enumerate(names.rows)}
    cells = []
    for test in range(len(tests)):
        pair = (tests.first[test], tests.second[test])
        column, row = pair if control is not None else sorted(pair, key=place.__getitem__)
        # a positive statistic means that the first is better
        sign = float(tests.statistic[test]) * (1 if pair[0] == column else -1)
        color = BLUES[_times(comparison, test)] if tests.rejected[test] else WHITE
        cells.append(
            Cell(
                row=at[row],
                column=0 if control is not None else place[column],
                text=tests.decisive(test),
                color=color,
                better=SQUARE if test in alike else _better(sign),
                strong=bool(tests.rejected[test]),
                about=pair_mark(comparison, test),
            )
        )
    return draw_matrix(
        names,
        cells,
        caption=[f"{_kind(comparison).capitalize()}s ({_basis(comparison)})"],
        legend=_legend(comparison),
        alt=_alt(comparison),
        marks=True,
        ax=ax,
    )


def _kind(comparison: Comparison) -> str:
    return "adjusted p-value" if comparison.adjust else "unadjusted p-value"


def _better(sign: float) -> str:
    return "" if sign == 0 else COLUMN if sign > 0 else ROW


def _basis(comparison: Comparison) -> str:
    margin = "" if comparison.margin is None else f", margin {comparison.margin:g}"
    return f"{basis(comparison)}{margin}"


def _with(comparison: Comparison, outcome: str) -> list[int]:
    """Return the hypotheses with this outcome with regard to the margin."""
    return [row for row, word in enumerate(comparison.hypotheses.outcome or ()) if word == outcome]


def _times(comparison: Comparison, test: int) -> int:
    """Return the index of the smallest share of α that the deciding p-value does not exceed."""
    tests = comparison.hypotheses
    values = next(iter(tests.adjusted.values()), tests.pvalue)
    fits = [i for i, share in enumerate(_SHARES) if values[test] <= comparison.alpha / share]
    return max(fits, default=0)


def _legend(comparison: Comparison) -> list[Key]:
    return [
        Key("column is better", COLUMN, filled=True),
        Key("row is better", ROW, filled=True),
        Key("not rejected", COLUMN, filled=False),
        *(
            [Key(f"equivalent within the margin of {comparison.margin:g}", SQUARE)]
            if comparison.margin is not None
            else []
        ),
        *(
            Key(f"rejected, p ≤ {comparison.alpha / share:g}", color=color)
            for share, color in zip(_SHARES, BLUES, strict=True)
        ),
    ]


def _alt(comparison: Comparison) -> str:
    tests = comparison.hypotheses
    small, found = set(_with(comparison, NEGLIGIBLE)), []
    for test in range(len(tests)):
        if tests.rejected[test]:
            better, worse = better_first(tests, test)
            negligible = ", negligibly" if test in small else ""
            p = stated_p(tests.decisive(test))
            found.append(f"{better} better than {worse} ({p}{negligible})")
    family = "pairs" if comparison.control is None else f"comparisons with {comparison.control}"
    pairs = [f"{tests.first[i]} and {tests.second[i]}" for i in _with(comparison, EQUIVALENT)]
    equivalent = ""
    if comparison.margin is not None:
        equivalent = f" Equivalent within the margin: {'; '.join(pairs) or 'none'}."
    return (
        f"Matrix of {_kind(comparison)}s ({_basis(comparison)}), "
        f"{plural(len(comparison.average_ranks), 'algorithm')} from best to worst average rank: "
        f"{', '.join(comparison.ordered)}. "
        f"Hypotheses rejected, of {len(tests)} {family}: {'; '.join(found) or 'none'}.{equivalent}"
    )
