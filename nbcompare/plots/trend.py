"""Figures of trend tests: who is faster than whom, and the ranks behind one pair."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from nbcompare._render import format_number, plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._live import Mark
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
    with_room,
)
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.plots._text import line_height, wrapped
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.words import PROCEDURES, TREND_NULLS

_WIDTH, _SHARE = 5.6, 0.3  # of the figure in inches; and of that, at most, names of problems
_ABOVE, _TALLEST = 0.9, 8.0  # height of the mean ranks, and of all rows
_MOST_VECTORS = 5000  # more cells are drawn as a picture
_FOR, _AGAINST = "0.25", "0.85"


def _basis(result: ConvergenceComparison) -> str:
    """Return the basis of p-values: ``exchange null, unadjusted, α = 0.1, 19 problems, ...``."""
    how = f"adjusted by {PROCEDURES[result.adjust[0]].label}" if result.adjust else "unadjusted"
    return (
        f"{TREND_NULLS[result.null].label}, {how}, α = {result.alpha:g}, "
        f"{plural(result.design.n_datasets, 'problem')}, {result.cutpoints.shape[1]} cut-points"
    )


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
    check_result(result, "trend_heatmap", ConvergenceComparison)
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


@figure
def trend_ranks(
    result: ConvergenceComparison,
    faster: str,
    slower: str,
    *,
    version: str | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the ranks of one pair, problem by problem, on which its p-value is based.

    Each row is a problem and each column a cut-point; cells are darker for higher ranks of the
    difference in favour of ``faster``. Where the trend is in its favour, rows go from light to
    dark.
    Above are the mean ranks, which would lie on the dashed line if there were no trend. The bars on
    the right show what each problem adds to Page's L beyond the value without a trend, as a share
    of what it would add if all its ranks rose: dark bars to the right are in favour of ``faster``,
    pale bars to the left against it. Rows are sorted by these contributions, most favourable first;
    equal ones keep the order of the data.

    Parameters
    ----------
    result : ConvergenceComparison
        Result of :func:`nbcompare.compare_convergence`.
    faster, slower : str
        Algorithms of the pair: the row and the column of :func:`trend_heatmap`.
    version : {"basic", "alternative"}, optional
        Version of the ranks; by default the last one that was computed.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``cells`` (one mesh), ``mean`` (the curve of mean ranks), ``level``
        (the line of no trend and its label), ``bars`` (one per problem, in the order of the rows),
        ``rows`` (names of problems, of as many as there is room for), ``axis`` and ``legend``. The
        x axis is in cut-points, from 1; problems are at 0, 1, 2 and so on. Mean ranks and
        contributions have axes of their own, in ranks and in shares.

    Raises
    ------
    ValueError
        If an algorithm or the version is not in the result, or both algorithms are the same.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> step = np.arange(1, 11)
    >>> scale = np.arange(1, 13)[:, np.newaxis]
    >>> values = np.stack([scale * (20 - 2 * step), scale * (20 - step)], axis=1)
    >>> histories = nbc.Histories.from_array(
    ...     values, evaluations=100 * step, direction="minimize", algorithms=["Fast", "Slow"])
    >>> result = nbc.compare_convergence(histories, version="basic")
    >>> plot = nbc.plots.trend_ranks(result, "Fast", "Slow")
    >>> len(plot.artists["bars"]), plot.artists["level"][1].get_text()
    (12, 'no trend')
    """
    check_result(result, "trend_ranks", ConvergenceComparison)
    chosen = check_name(version or result.versions[-1], "version", result.versions)
    if faster == slower:
        raise ValueError(f"`slower` must not be the same algorithm as `faster`; got {slower!r}.")
    ranks = result.ranks_of(faster, slower, chosen)  # raises for unknown names
    n, c = map(int, ranks.shape)
    # each problem's share of L, from -1 to 1
    steps = np.arange(1, c + 1) - (c + 1) / 2
    shares = (ranks - (c + 1) / 2) @ steps / (steps @ steps)
    # quarters of a rank are exact; rounding keeps equal rows in the order of the data
    order = np.argsort(-shares.round(12), kind="stable")
    shares = shares[order]
    problems = [result.design.datasets[i] for i in order]
    sheet = Sheet(ax, width=_WIDTH, title=title)
    ax, length = sheet.ax, _SHARE * sheet.width
    sizes = [(wrapped(it, length).count("\n") + 1) * line_height() + 0.02 for it in problems]
    tall = _TALLEST if sheet.own else 0.5 * ax.bbox.height / sheet.figure.dpi
    high = min(max(sizes) + 0.03, tall / n)
    mesh = ax.pcolormesh(
        np.arange(c + 1) + 0.5,
        np.arange(n + 1) - 0.5,
        ranks[order],
        cmap="Blues",
        vmin=1,
        vmax=c,
        edgecolors="white" if high > 0.1 and c < 40 else "none",
        linewidth=0.6,
        rasterized=n * c > _MOST_VECTORS,
    )
    sheet.add("cells", mesh)
    ax.set_ylim(n - 0.5, -0.5)
    named = with_room(sizes, high)
    sheet.names("rows", ax.yaxis, [problems[i] for i in named], at=named, share=_SHARE)
    ax.xaxis.set_major_locator(MaxNLocator(min(c, 10), integer=True, min_n_ticks=1))
    sheet.axis_label(ax.xaxis, "cut-point")

    # both in inches from the upper right corner of the cells, whatever the size of these
    inches = sheet.figure.dpi_scale_trans
    corner = inches + ScaledTranslation(1, 1, ax.transAxes)  # type: ignore[arg-type]
    extent = _ABOVE if sheet.own else min(_ABOVE, 0.3 * ax.bbox.height / sheet.figure.dpi)
    where = blended_transform_factory(ax.transAxes, corner)
    gap = 0.1 + max(0.0, sizes[0] - high) / 2  # the first name may be higher than its row
    above = ax.inset_axes((0, gap, 1, extent), transform=where, sharex=ax)
    where = blended_transform_factory(corner, ax.transAxes)
    extent = 0.2 * (sheet.width if sheet.own else ax.bbox.width / sheet.figure.dpi)
    beside = ax.inset_axes((0.2, 0, extent, 1), transform=where, sharey=ax)
    mean = ranks.mean(axis=0)
    level = above.axhline((c + 1) / 2, color="0.35", linestyle=(0, (4, 2)), linewidth=1)
    style: dict[str, Any] = {"ax": above, "coords": above.get_yaxis_transform(), "ha": "left"}
    sheet.add("level", level)
    sheet.text("level", (1, (c + 1) / 2), "no trend", shift=(4, 0), **style)
    dot = max(2.0, min(4.5, 150 / c))
    sheet.add("mean", above.plot(range(1, c + 1), mean, "o-", color="black", markersize=dot))
    above.set_ylim(1, c)
    above.set_yticks([1, (c + 1) / 2, c], labels=["1", f"{(c + 1) / 2:g}", str(c)])
    above.tick_params(labelbottom=False, bottom=False, labelsize=sheet.size)
    sheet.axis_label(above.yaxis, "mean rank")

    colors = [_FOR if it > 0 else _AGAINST for it in shares]
    edge = _FOR if high > 0.1 else "none"
    bars = beside.barh(range(n), shares, 0.64, color=colors, edgecolor=edge, linewidth=0.8)
    for bar, problem, value in zip(bars, problems, shares.tolist(), strict=True):
        sheet.add("bars", bar, Mark(f"{problem}: contribution {value:+.2f} of at most 1", ()))
    beside.axvline(0, color="black", linewidth=0.8)
    beside.set(xlim=(-1, 1), xticks=[-1, 0, 1])
    beside.tick_params(left=False, labelleft=False, labelsize=sheet.size)
    sheet.axis_label(beside.xaxis, "contribution")
    sheet.bare("top", "right", "bottom", "left", ax=ax)
    sheet.bare("top", "right", "bottom", ax=above)
    sheet.bare("top", "right", "left", ax=beside)

    names = result.algorithms
    at = names.index(faster), names.index(slower)
    tests = result.tests[chosen]
    word = "significant" if tests.rejected[at] else "not significant"
    p = stated_p(result.p_text(chosen, *at))
    found = f"L = {float(tests.statistic[at]):.12g}, {p}, {word} ({chosen} ranks)"
    some = f"{len(named)} of {n} problems are named" if len(named) < n else ""
    sheet.caption(result.claim.question.format(a=faster, b=slower), found, _basis(result), some)
    shades = mesh.get_cmap()
    sheet.legend(
        ("rank 1 of the difference", Patch(facecolor=shades(0.0), edgecolor="0.7", linewidth=0.5)),
        (f"rank {c}", Patch(facecolor=shades(1.0), edgecolor="0.7", linewidth=0.5)),
        (f"in favour of {faster}", Patch(facecolor=_FOR, edgecolor=_FOR, linewidth=0.8)),
        (f"against {faster}", Patch(facecolor=_AGAINST, edgecolor=_FOR, linewidth=0.8)),
    )
    return sheet.plot(
        f"Ranks of the difference in convergence of {faster} over {slower}",
        f"Mean ranks by cut-point: {', '.join(format_number(it, 2) for it in mean.tolist())} "
        f"(without a trend: {format_number((c + 1) / 2)}). The ranks rise on "
        f"{plural(int((shares > 0).sum()), 'problem')} and fall on {int((shares < 0).sum())}; "
        f"{problems[0]} is most in favour, {problems[-1]} least.",
        height=high * n,
    )
