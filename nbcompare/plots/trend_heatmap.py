"""Matrix of the p-values of faster convergence for every ordered pair."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import (
    BARE,
    ROW,
    TEXTS,
    WHITE,
    Cell,
    Key,
    draw_matrix,
    keys_of_shades,
    named,
    phrases,
    shade,
    texts_of_p,
)
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import figure
from nbcompare.plots._trend import basis
from nbcompare.results.convergence import ConvergenceComparison

_MOST_TOLD = 20  # most pairs in the alternative text


@figure
def trend_heatmap(
    result: ConvergenceComparison,
    *,
    version: str | None = None,
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
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
        Version to draw. By default all that were computed, as they may disagree: side by side, or
        one below the other where this gives room for p-values.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on, one for each version. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (a collection for each
        version), ``texts`` (the p-values, version by version, row by row) and ``frames`` or,
        without room for these, ``marks`` (a triangle that points from a significant cell to its
        row), ``legend`` and, for two versions, ``titles``. Rows and columns are at 0, 1, 2 and so
        on.

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
    versions = result.versions
    if version is not None:
        versions = (check_name(version, "version", result.versions),)
    ranks = f" ({versions[0]} ranks)" if len(versions) == 1 else ""
    what = f"p-values of tests of whether {result.claim.cell}{ranks}"
    found = " ".join(_significant(result, version) for version in versions)
    keys = [
        Key("bold in a frame: significant", strong=True, when=TEXTS),
        Key(f"{result.claim.cell}, significant", ROW, filled=True, when=BARE),
    ]
    return draw_matrix(
        ax,
        named(result.ordered),
        named(result.ordered),
        {f"{version} ranks": _cells(result, version) for version in versions},
        title=title,
        caption=[what, phrases(basis(result))],
        legend=[*keys, *keys_of_shades(result.alpha), Key("not significant", color=WHITE)],
        alt=(
            f"Matrix of {what} ({basis(result)}). "
            f"Most pairwise wins first: {', '.join(result.ordered)}. {found}"
        ),
    )


def _cells(result: ConvergenceComparison, version: str) -> list[Cell]:
    p, significant = result.decisive(version), result.tests[version].rejected
    kind, cells = "adjusted p" if result.adjust else "p", []
    for pair in permutations(result.ordered, 2):
        row, column = map(result.ordered.index, pair)
        a, b = map(result.algorithms.index, pair)
        strong, text = bool(significant[a, b]), result.p_text(version, a, b)
        word = "significant" if strong else "not significant"
        told = f"{' – '.join(pair)}: {stated_p(text, kind)}, {word} ({version} ranks)"
        color = shade(float(p[a, b]), result.alpha) if strong else WHITE
        cells.append(
            Cell(row, column, color, texts_of_p(text), strong, ROW * strong, Mark(told, pair))
        )
    return cells


def _significant(result: ConvergenceComparison, version: str) -> str:
    """Return a sentence with the significant pairs of one version, smallest p first."""
    names, pairs = result.algorithms, np.argwhere(result.tests[version].rejected)
    order = np.argsort(result.log10_decisive(version)[tuple(pairs.T)], kind="stable")
    told = [
        f"{result.claim.brief.format(a=names[a], b=names[b])} "
        f"({stated_p(result.p_text(version, a, b))})"
        for a, b in pairs[order[:_MOST_TOLD]].tolist()
    ]
    if len(pairs) > len(told):
        told.append(f"{len(pairs) - len(told)} more")
    count = plural(len(names) * (len(names) - 1), "ordered pair")
    return (
        f"Significant with {version} ranks: {len(pairs) or 'none'} of {count}"
        f"{', ' if told else ''}{'; '.join(told)}."
    )
