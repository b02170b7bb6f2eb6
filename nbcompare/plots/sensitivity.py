"""Figure of the decisions about each pair by other designs, and without each data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from nbcompare._render import plural
from nbcompare.plots._live import Mark
from nbcompare.plots._matrix import BLUES, WHITE
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._rows import names_in_lines
from nbcompare.plots._sheet import FULL, Sheet, figure, room, rows_high, sample
from nbcompare.plots._text import listed, text_width, wrapped
from nbcompare.results import Sensitivity
from nbcompare.results.hypotheses import better_first
from nbcompare.words import P_LAWS, PROCEDURES

_MOST_ROWS = 40
# Inches: a column, air between names of columns, a narrow figure, and a line of upright names
_CELL, _AIR, _NARROW, _UPRIGHT = 0.8, 0.05, 4.5, 1.1
_SHARE, _STRIP = 0.36, 0.17  # of the width: names, and the panel of data sets
_FILLS: Mapping[str, Any] = MappingProxyType(
    {"significant": "full", "not significant": "none", "by another procedure only": "left"}
)
_TICK: Mapping[str, Any] = MappingProxyType({"markersize": 8, "markeredgewidth": 1.6})


@figure
def sensitivity(
    result: Sensitivity, *, title: bool = True, ax: Axes | Iterable[Axes] | None = None
) -> Plot:
    """Draw which pairs are significant by which test of pairs, and what single data sets change.

    A row is a pair, the better algorithm first; the rows begin with those that are significant by
    most tests of pairs. A column is a test of pairs, that of the primary design in bold. A filled
    circle marks a significant difference by the procedure of the primary design, a hollow one
    none, and a half filled one a difference that is significant by another procedure alone. The
    stricter a procedure suffices, the darker is the cell. On the panel at the right, a tick stands
    for each data set without which the primary design decides otherwise; the position is that of
    the data set in the data. Of more than 40 pairs, those whose decision varies come first.

    Parameters
    ----------
    result : Sensitivity
        Result of :func:`nbcompare.sensitivity`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes or iterable of Axes, optional
        Two axes to draw on, or one if no data set was left out. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells`` (tints), ``marks`` (the
        circles of each kind, at their columns and rows), ``ticks`` (at their data sets and rows),
        ``texts`` (what stands beside the ticks), ``lines``, ``axis``, ``caption`` and ``legend``.
        Columns are at 0, 1, 2 and so on from the left, rows from the top.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.sensitivity(nbc.sensitivity(nbc.datasets.load("demsar2006")))
    >>> len(plot.artists["rows"]), len(plot.artists["marks"]), len(plot.artists["ticks"])
    (6, 36, 12)
    """
    check_result(result, "sensitivity", Sensitivity)
    pairs = [better_first(result.primary.hypotheses, row) for row in range(len(result.hinges))]
    order, n_tests, has_strip = _order(result), len(result.tests), not result.why_not
    names = names_in_lines([pairs[row] for row in order], _SHARE * room(FULL))
    beside = min(max(map(text_width, names)), _SHARE * room(FULL))
    strip = _STRIP * room(FULL) if has_strip else 0.0
    width = max(beside + _CELL * n_tests + strip + 0.2, _NARROW)
    sheet = Sheet(ax, width=width, panels=1 + has_strip, abreast=1 + has_strip, title=title)
    cell = min((sheet.width - beside - strip) / n_tests, _CELL)
    basis = f"{P_LAWS[result.primary.method]}, {result.primary.procedure}, α = {result.alpha:g}"
    n_pairs, more = len(result.hinges), [result.why_not] if result.why_not else []
    if len(order) < n_pairs:
        more.insert(0, f"{len(order)} of {n_pairs:,} pairs, those whose decision varies first")
    sheet.caption(
        f"Primary test in bold; {basis}, {plural(result.design.n_datasets, 'data set')}",
        "; ".join(more),
    )
    entries = _draw_cells(sheet, result, pairs, order)
    about = []
    for row in order:
        by = f"by {result.n_significant[row]} of {plural(n_tests, 'test')} of pairs"
        text = f"{' – '.join(pairs[row])}: significant {by}"
        about.append(Mark(text, pairs[row], pair=True))
    labels = sheet.names("rows", sheet.ax.yaxis, names, about=about, share=_SHARE)
    bold = next((t.header for t in result.tests if t.name == result.primary_test), "")
    headers = [test.header for test in result.tests]
    longest = max(text_width(it, bold=name == bold) for name in headers for it in name.split())
    upright = longest > cell - _AIR
    share = (_UPRIGHT if upright else cell - _AIR) / sheet.width
    style: dict[str, Any] = {"rotation": 90 if upright else 0, "share": share}
    sheet.ax.xaxis.tick_top()
    sheet.names("columns", sheet.ax.xaxis, headers, bold=[bold], **style)
    sheet.ax.set_xlim(-0.5, n_tests - 0.5)
    sheet.bare("left", "right", "top", "bottom")
    if has_strip:
        if sheet.own and (grid := sheet.ax.get_gridspec()) is not None:
            grid.set_width_ratios([cell * n_tests, strip])
        _draw_hinges(sheet, result, pairs, order)
        if any(result.hinges):
            entries.append(("data set that decides", sample("black", "none", "|", **_TICK)))
    for panel in sheet.axes:
        panel.set_ylim(len(order) - 0.5, -0.5)
    sheet.legend(*entries)
    told = []
    for row in np.argsort(-np.array(result.n_significant), kind="stable"):
        tests = [test.label for test in result.tests if test.rejected(result.alpha)[row]]
        if tests or result.hinges[row]:
            text = f"{' – '.join(pairs[row])}: {', '.join(tests) or 'no test'}"
            without = ", ".join(result.hinges[row])
            told.append(f"{text}; changes without {without}" if without else text)
    return sheet.plot(
        "Significant differences by test of pairs",
        result.summary,
        f"Pairs and the tests by which they are significant: {listed(told, '. ', _MOST_ROWS)}.",
        height=len(order) * rows_high(labels, 0.22),
    )


def _order(result: Sensitivity) -> list[int]:
    """Return the pairs to draw, first those that most tests find significant, then by p."""
    counts = np.array(result.n_significant)
    depends = ((counts > 0) & (counts < len(result.tests))) | np.array([*map(bool, result.hinges)])
    chosen = np.sort(np.argsort(~depends, kind="stable")[:_MOST_ROWS])
    return [int(row) for row in chosen[np.argsort(-counts[chosen], kind="stable")]]


def _draw_cells(
    sheet: Sheet, result: Sensitivity, pairs: Sequence[tuple[str, str]], order: Sequence[int]
) -> list[tuple[str, Artist]]:
    """Draw a tint and a circle for each pair and test, and return the entries of the legend."""
    ax, control = sheet.ax, result.primary.family_control
    circles: dict[str, Artist] = {}
    strictest: dict[str, dict[str, None]] = {tint: {} for tint in reversed(BLUES)}
    for (y, row), (x, test) in product(enumerate(order), enumerate(result.tests)):
        found = test.rejecting(row, result.alpha)
        names = [PROCEDURES[it].label_with(control) if it in PROCEDURES else it for it in found]
        by = f"significant by {', '.join(names)}" if found else "not significant"
        about = Mark(f"{' – '.join(pairs[row])}, {test.label}: {by}", pairs[row], pair=True)
        tint, kind = _tint(found), "by another procedure only" if found else "not significant"
        if test.rejected(result.alpha)[row]:
            kind = "significant"
        if found:
            strictest[tint][names[0]] = None
        look: dict[str, Any] = {"facecolor": tint, "edgecolor": "0.8", "linewidth": 0.6}
        sheet.add("cells", ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, **look)), about)
        style = {"fillstyle": _FILLS[kind], "markerfacecoloralt": "white", "markersize": 5.5}
        sheet.add("marks", ax.plot([x], [y], "ko", **style), about)
        circles[kind] = sample("black", "none", "o", **style)
    entries = [(kind, circles[kind]) for kind in _FILLS if kind in circles]
    return entries + [
        (f"{' or '.join(by)} suffices", Patch(facecolor=tint, edgecolor="0.6"))
        for tint, by in strictest.items()
        if by
    ]


def _draw_hinges(
    sheet: Sheet, result: Sensitivity, pairs: Sequence[tuple[str, str]], order: Sequence[int]
) -> None:
    """Draw a tick for every data set on which the decision about a pair hangs."""
    panel, datasets = sheet.axes[1], result.design.datasets
    right: dict[str, Any] = {"coords": panel.get_yaxis_transform(), "shift": (6, 0), "ax": panel}
    for y, row in enumerate(order):
        names, pair = result.hinges[row], " – ".join(pairs[row])
        for name in names:
            text = f"{pair}: the decision would be another one without {name}"
            tick = panel.plot([datasets.index(name) + 1], [y], "k|", **_TICK)
            sheet.add("ticks", tick, Mark(text, pairs[row]))
        text = f"{len(names)} of {len(datasets)}" if names[1:] else "".join(names)
        if text and sheet.width > _NARROW:
            sheet.text("texts", (1, y), wrapped(text, _STRIP * sheet.width), **right)
    panel.set_xlim(0.5, len(datasets) + 0.5)
    panel.xaxis.tick_top()
    panel.xaxis.set_label_position("top")
    panel.xaxis.set_major_locator(MaxNLocator(4 if sheet.width > _NARROW else 2, integer=True))
    panel.set_yticks(range(len(order)), labels=[])
    panel.tick_params(axis="y", length=0)
    panel.grid(axis="y", color="0.85", linewidth=0.7)
    sheet.axis_label(panel.xaxis, "without data set no.", share=_STRIP)


def _tint(rejecting: Sequence[str]) -> str:
    """Return the colour of a cell: the darker, the stricter a procedure suffices."""
    if not rejecting:
        return WHITE
    if PROCEDURES[rejecting[0]].single_step:
        return BLUES[2]
    return BLUES[0] if rejecting[0] in ("bergmann-hommel", "hommel") else BLUES[1]
