"""Ranks of one trend test, which show the pattern that the p-value summarizes."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from nbcompare._render import format_number, plural, stated_p
from nbcompare._validation import check_name
from nbcompare.plots._marks import Mark
from nbcompare.plots._matrix import phrases, with_room
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.plots._text import line_height, wrapped
from nbcompare.plots._trend import basis
from nbcompare.results.convergence import ConvergenceComparison

_WIDTH, _SHARE = 5.6, 0.3  # of the figure in inches; and of that, at most, names of problems
_ABOVE, _TALLEST = 0.9, 8.0  # height of the mean ranks, and of all rows
_MOST_VECTORS = 5000  # more cells are drawn as a picture
_FOR, _AGAINST = "0.25", "0.85"


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
    found = f"L = {float(tests.statistic[at]):.12g}, {p}, {word}"
    some = f"{len(named)} of {n} problems are named" if len(named) < n else ""
    question = result.claim.question.format(a=faster, b=slower)
    sheet.caption(question, f"{found} ({chosen} ranks)", phrases(basis(result)), some)
    shades = mesh.get_cmap()
    handles = [Patch(facecolor=shades(end), edgecolor="0.7", linewidth=0.5) for end in (0.0, 1.0)]
    handles += [Patch(facecolor=color, edgecolor=_FOR, linewidth=0.8) for color in (_FOR, _AGAINST)]
    texts = ["rank 1 of the difference", f"rank {c}", f"in favour of {faster}", f"against {faster}"]
    sheet.legend(handles, texts)
    rising, falling = int((shares > 0).sum()), int((shares < 0).sum())
    return sheet.plot(
        f"Ranks of the difference in convergence of {faster} over {slower} on "
        f"{plural(n, 'problem')} ({chosen} ranks, {basis(result)}): {found}. Mean ranks by "
        f"cut-point: {', '.join(format_number(rank, 2) for rank in mean.tolist())} (without a "
        f"trend: {format_number((c + 1) / 2)}). The ranks rise on {plural(rising, 'problem')} and "
        f"fall on {falling}; {problems[0]} is most in favour, {problems[-1]} least.",
        height=high * n,
    )
