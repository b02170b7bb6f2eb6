"""Critical difference diagrams of groups of data sets, all with the same axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from matplotlib.axes import Axes

from nbcompare._render import plural
from nbcompare.plots._diagram import draw_legend
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import FULL, Sheet, figure, room
from nbcompare.plots._text import wrapped
from nbcompare.plots.cd_diagram import alt_of, draw_panel, look_of, ranked_of
from nbcompare.results import GroupedComparison
from nbcompare.words import P_LAWS

_MOST_IN_A_COLUMN = 3  # diagrams below one another; more of them stand in two columns
_SHORTEST = 1.5  # inches of the axis in two columns


@figure
def cd_diagrams(
    comparison: GroupedComparison,
    *,
    best: str = "right",
    labels: str = "both",
    highlight: Iterable[str] | None = None,
    families: Mapping[str, str] | None = None,
    colors: Mapping[str, str] | None = None,
    title: bool = True,
    ax: Iterable[Axes] | None = None,
) -> Plot:
    """Draw a critical difference diagram for each group of data sets.

    All diagrams have the same axis, at the same place of each column, so that ranks can be
    compared by eye. Each is read as that of :func:`cd_diagram`.

    Parameters
    ----------
    comparison : GroupedComparison
        Result of :func:`nbcompare.compare_by`.
    best, labels, highlight, families, colors
        The options of :func:`cd_diagram`, for all groups alike.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : iterable of matplotlib.axes.Axes, optional
        Axes to draw on, one for each group. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``titles`` (one per group) and those of :func:`cd_diagram`, each of
        all groups.

    Raises
    ------
    ValueError
        If a group has more than 200 groups of algorithms without significant differences. If a
        name or a colour is not as :func:`cd_diagram` needs it.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> data = nbc.datasets.load("demsar2006")
    >>> kind = {name: "medical" if i % 2 else "other" for i, name in enumerate(data.datasets)}
    >>> plot = nbc.plots.cd_diagrams(nbc.compare_by(data, by=kind))
    >>> len(plot.artists["titles"]), len(plot.artists["names"])
    (2, 8)
    """
    check_result(comparison, "cd_diagrams", GroupedComparison)
    look = look_of(comparison.design.algorithms, best, labels, highlight, families, colors)
    groups = list(comparison.groups.values())
    drawn = ranked_of(groups, look)
    # one column, or two if there are many panels and room for both
    fit = 2 * drawn[0].natural_width(_SHORTEST) <= room(FULL)
    columns = 2 if len(groups) > _MOST_IN_A_COLUMN and fit else 1
    wide = FULL if columns == 2 else drawn[0].natural_width(3.0)
    sheet = Sheet(ax, width=wide, panels=len(groups), abreast=columns, title=title)
    width = sheet.width * sheet.down / len(groups)
    drawn = [it.fitting(width) for it in drawn]
    what, height, texts = _basis(comparison), 0.0, []
    sheet.caption(what)
    for panel, name, one, ranked in zip(sheet.axes, comparison.groups, groups, drawn, strict=True):
        height = max(height, draw_panel(sheet, one, ranked, panel, width))
        size = plural(one.design.n_datasets, "data set")
        high = 12 + sheet.size * (3.4 if one.critical_difference and not ranked.kinds else 1.4)
        at: dict[str, Any] = {"coords": "axes fraction", "shift": (0, high), "ax": panel}
        text = wrapped(f"{name} ({size})", 0.9 * width, bold=True)
        at |= {"ha": "center", "va": "bottom", "fontweight": "bold"}
        sheet.text("titles", (0.5, 1.0), text, **at)
        texts.append(f"{name}: {alt_of(one, ranked)}")
    rows = max(panel.get_ylim()[0] for panel in sheet.axes)
    for panel in sheet.axes:
        panel.set_ylim(rows, 0)
    draw_legend(sheet, drawn)
    text = f"Critical difference diagrams by group of data sets ({what})."
    return sheet.plot(" ".join([text, *texts]), height=height)


def _basis(comparison: GroupedComparison) -> str:
    first, groups = comparison.first, comparison.groups.values()
    over = "" if comparison.across or not first.adjust else " within each group"
    laws = " or ".join(dict.fromkeys(P_LAWS[one.method] for one in groups))
    how = " or ".join(dict.fromkeys(one.adjustment for one in groups))
    return f"{laws}, {how}{over}, α = {first.alpha:g}"
