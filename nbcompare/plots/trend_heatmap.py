"""Matrix of the p-values of faster convergence for every ordered pair."""

from __future__ import annotations

from matplotlib.axes import Axes

from nbcompare._render import plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import BLUES, ROW, WHITE, Cell, Key, Names, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._trend import basis, rejected_pairs
from nbcompare.results.convergence import ConvergenceComparison

# Cells are darker for p-values of at most α, α/10 and α/100.
_SHARES = (1, 10, 100)
_MOST_COLUMNS = 20  # most columns with text, over both versions
_MOST_TOLD = 20  # most pairs in the alternative text


def trend_heatmap(
    result: ConvergenceComparison, *, version: str | None = None, ax: Axes | None = None
) -> Plot:
    """Draw the p-values of a trend in favour of the row over the column, for every ordered pair.

    The trend shows that the row converges faster; with raw differences, that the gap grows in its
    favour. Rows and columns are ordered like ``result.ordered``, most wins first, so that
    significant cells tend to lie at the upper right. The p-values are those that decide: adjusted
    by the first procedure, or raw if there is none. A significant cell is framed, its digits are
    bold, and its tint is darker for smaller p; the other cells are white. A white cell means that
    no significant trend was found, not that the two converge equally fast.

    Parameters
    ----------
    result : ConvergenceComparison
        Result of :func:`nbcompare.compare_convergence`.
    version : {"basic", "alternative"}, optional
        Version to draw. By default all that were computed, side by side, as they may disagree.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts`` (the
        p-values, version by version, row by row), ``outlines`` (the frames), ``marks`` (none),
        ``legend`` and, for two versions, ``titles``. With more than 20 columns in total there
        are no texts and frames; a triangle in ``marks`` points from each significant cell to
        its row.

    Raises
    ------
    ValueError
        If the version was not computed.

    References
    ----------
    Derrac, J., García, S., Hui, S., Suganthan, P. N. and Herrera, F. (2014). Analyzing
    convergence performance of evolutionary algorithms: a statistical approach. Information
    Sciences 289, 41-58.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> step = np.arange(1, 11)
    >>> scale = np.arange(1, 13)[:, np.newaxis]
    >>> values = np.stack([scale * (20 - 2 * step), scale * (20 - step)], axis=1)
    >>> histories = nbc.Histories.from_array(
    ...     values, evaluations=100 * step, direction="minimize", algorithms=["Fast", "Slow"])
    >>> plot = nbc.plots.trend_heatmap(nbc.compare_convergence(histories, version="basic"))
    >>> [text.get_text() for text in plot.artists["rows"]]
    ['Fast', 'Slow']
    """
    check_result(result, "trend_heatmap", ConvergenceComparison)
    if version is None:
        versions = result.versions
    else:
        versions = (check_name(version, "version", result.versions),)
    titles = tuple(f"{name} ranks" for name in versions) if len(versions) > 1 else ("",)
    ordered = result.ordered
    names = Names(ordered, ordered, diagonal=True, panels=titles, most=_MOST_COLUMNS)
    return draw_matrix(
        names,
        [cell for panel, name in enumerate(versions) for cell in _cells(result, name, panel)],
        caption=_caption(result, versions),
        legend=_legend(result, names),
        alt=_alt(result, versions),
        outlined=True,
        ax=ax,
    )


def _cells(result: ConvergenceComparison, version: str, panel: int) -> list[Cell]:
    place = [result.algorithms.index(name) for name in result.ordered]
    p, rejected = result.decisive(version), result.tests[version].rejected
    cells = []
    for row, a in enumerate(place):
        for column, b in enumerate(place):
            if a == b:
                continue
            strong = bool(rejected[a, b])
            cells.append(
                Cell(
                    row=row,
                    column=column,
                    text=result.p_text(version, a, b),
                    color=BLUES[_times(float(p[a, b]), result.alpha)] if strong else WHITE,
                    better=ROW if strong else "",
                    strong=strong,
                    panel=panel,
                    about=_about(result, version, a, b),
                )
            )
    return cells


def _about(result: ConvergenceComparison, version: str, a: int, b: int) -> Mark:
    pair = (result.algorithms[a], result.algorithms[b])
    strong = bool(result.tests[version].rejected[a, b])
    kind = "adjusted p" if result.adjust else "p"
    told = (
        f"{pair[0]} against {pair[1]}: {stated_p(result.p_text(version, a, b), kind)}, "
        f"{'significant' if strong else 'not significant'} ({version} ranks)"
    )
    return Mark(told, pair)


def _times(p: float, alpha: float) -> int:
    """Return the index of the smallest share of α that a p-value does not exceed."""
    return max((i for i, share in enumerate(_SHARES) if p <= alpha / share), default=0)


def _describe_cells(result: ConvergenceComparison, versions: tuple[str, ...]) -> str:
    ranks = f" ({versions[0]} ranks)" if len(versions) == 1 else ""
    return f"p-values of tests of whether {result.claim.cell}{ranks}"


def _caption(result: ConvergenceComparison, versions: tuple[str, ...]) -> list[str]:
    return [_describe_cells(result, versions), basis(result)]


def _legend(result: ConvergenceComparison, names: Names) -> list[Key]:
    tints = [
        Key(f"{'significant, ' if not i else ''}p ≤ {result.alpha / share:g}", color=color)
        for i, (share, color) in enumerate(zip(_SHARES, BLUES, strict=True))
    ]
    white = Key("not significant")
    if names.compact:
        towards = f"{result.claim.cell}, significant"
        return [Key(towards, ROW, filled=True), *tints, white]
    return [Key("bold in a frame: significant", strong=True), *tints, white]


def _alt(result: ConvergenceComparison, versions: tuple[str, ...]) -> str:
    found = "".join(f" {_describe_significant(result, version)}" for version in versions)
    return (
        f"Matrix of {_describe_cells(result, versions)} ({basis(result)}). "
        f"Most pairwise wins first: {', '.join(result.ordered)}.{found}"
    )


def _describe_significant(result: ConvergenceComparison, version: str) -> str:
    """Return a sentence with the significant pairs of one version, smallest p first."""
    names, pairs = result.algorithms, rejected_pairs(result, version)
    told = [
        f"{result.claim.brief.format(a=names[a], b=names[b])} "
        f"({stated_p(result.p_text(version, a, b))})"
        for a, b in pairs[:_MOST_TOLD]
    ]
    more = len(pairs) - len(told)
    if more:
        told.append(f"{more} more")
    count = plural(len(names) * (len(names) - 1), "ordered pair")
    return (
        f"Significant with {version} ranks: {len(pairs) or 'none'} of {count}"
        f"{', ' if told else ''}{'; '.join(told)}."
    )
