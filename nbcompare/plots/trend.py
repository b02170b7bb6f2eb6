"""Figure of trend tests: who is faster than whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from matplotlib.axes import Axes

from nbcompare._render import plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._matrix import (
    BARE,
    ROW,
    TEXTS,
    WHITE,
    Key,
    Look,
    draw_matrix,
    keys_of_shades,
    named,
    pair_cells,
    shade,
    texts_of_p,
)
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import figure
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.words import PROCEDURES, TREND_NULLS


def _basis(result: ConvergenceComparison) -> str:
    """Return the basis of p-values: ``exchange null, unadjusted, α = 0.1, 19 problems, ...``."""
    how = f"adjusted by {PROCEDURES[result.adjust[0]].label}" if result.adjust else "unadjusted"
    return (
        f"{TREND_NULLS[result.null].label}, {how}, α = {result.alpha:g}, "
        f"{plural(result.design.n_datasets, 'problem')}, {result.cutpoints.shape[1]} cut-points"
    )


@figure(ConvergenceComparison)
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
        Version to draw. By default all that were computed, as they may disagree, one below the
        other.
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
    versions = result.versions
    if version is not None:
        versions = (check_name(version, "version", result.versions),)
    ranks = f" ({versions[0]} ranks)" if len(versions) == 1 else ""
    keys = [
        Key("bold in a frame: significant", strong=True, when=TEXTS),
        Key(f"{result.claim.cell}, significant", ROW, filled=True, when=BARE),
    ]
    order = result.ordered
    return draw_matrix(
        ax,
        named(order),
        named(order),
        {f"{it} ranks": pair_cells(order, order, partial(_look, result, it)) for it in versions},
        "Matrix of p-values of trends",
        clear="significant",
        title=title,
        caption=[f"P-values of tests of whether {result.claim.cell}{ranks}", _basis(result)],
        legend=[*keys, *keys_of_shades(result.alpha), Key("not significant", color=WHITE)],
    )


def _look(result: ConvergenceComparison, version: str, row: str, column: str) -> Look:
    a, b = map(result.algorithms.index, (row, column))
    strong, text = bool(result.tests[version].rejected[a, b]), result.p_text(version, a, b)
    word = "significant" if strong else "not significant"
    p = stated_p(text, "adjusted p" if result.adjust else "p")
    about = Mark(f"{row} – {column}: {p}, {word} ({version} ranks)", (row, column))
    color = shade(float(result.decisive(version)[a, b]), result.alpha) if strong else WHITE
    return color, texts_of_p(text), strong, ROW * strong, about
