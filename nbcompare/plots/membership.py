"""Membership functions of fuzzy p-values, in a row for each comparison."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from nbcompare._arrays import FloatArray
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._rows import choose, keys_of, p_axis, shortened, write_rows
from nbcompare.plots._sheet import ACCENT, FULL, LIGHT, Sheet, figure, rows_high, sample
from nbcompare.plots._text import listed
from nbcompare.plots._wording import basis_of_runs
from nbcompare.results.imprecise import (
    INCONCLUSIVE,
    NOT_REJECTED,
    REJECTED,
    ImpreciseHypotheses,
    coverage_text,
)
from nbcompare.results.stochastic import StochasticComparison

_MOST_ROWS = 20
_ROOMY, _COMPACT, _FEW = 0.42, 0.28, 24  # inches per row, of few rows and of many
_BASE, _UNIT = 0.4, 0.8  # of a row: where membership is 0, and how much higher it is 1
_FILLS: MappingProxyType[str, dict[str, Any]] = MappingProxyType(
    {
        REJECTED: {"facecolor": LIGHT, "edgecolor": ACCENT},
        INCONCLUSIVE: {"facecolor": "white", "edgecolor": "0.35", "hatch": "/////"},
        NOT_REJECTED: {"facecolor": "white", "edgecolor": "0.35"},
    }
)


@figure(StochasticComparison)
def membership(
    result: StochasticComparison,
    rows: int | str | Iterable[tuple[str, str]] | None = None,
    *,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the p-value of each comparison as a fuzzy set over a logarithmic axis.

    The height over p is its membership, that is the height of the highest cut that contains
    p, where the cut at coverage c is the interval p-value for that coverage and has height
    1 - c. The narrowest cut represents all narrower ones and extends up to 1. Nothing is
    interpolated between the coverages that were computed, so the outline has steps. A thick
    line is the cut that decides. If p is an interval instead of a fuzzy set, all values
    between its ends have membership 1; if it is a number, it is drawn as a vertical line.

    The tinted side of the dashed line is p <= α. A pair whose set lies within it differs
    significantly at every coverage; a set that crosses the line is inconclusive at the coverages
    whose cuts cross it. Fillings distinguish the outcomes. On the right, as far as there is room,
    stand the possibility Π and the necessity N of p <= α and c*, the smallest coverage at which
    the outcome is inconclusive. A pair has its better algorithm first.

    Parameters
    ----------
    result : StochasticComparison
        Result of :func:`nbcompare.compare_stochastic` with any procedure.
    rows : int, str or iterable of (str, str), optional
        Comparisons to draw: a number of those with the smallest p, by default 20; the name of
        one algorithm, for all its comparisons; or a list of pairs, which are drawn in this
        order.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``sets`` (the membership functions), ``cuts`` (the cuts that
        decide, if p is fuzzy), ``names``, ``columns`` (headers and texts on the right), ``line``
        (the tint, α and its label), ``axis``, ``caption`` and ``legend``. The x axis is in p; a
        row has its base at 0.4, 1.4, 2.4 and so on, and membership 1 is 0.8 above it.

    Raises
    ------
    ValueError
        If rows are not in the result.

    References
    ----------
    Otero, J., Sánchez, L. and Couso, I. (2010). Comparación estadística de algoritmos de
    aprendizaje estocásticos usando tests extendidos a datos intervalo-valorados y borrosos,
    Figure 2.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([[[0.4]], [[0.5]], [[0.42]]], 0.04, (1, 3, 10, 30))
    >>> experiment = nbc.Experiment.from_array(runs, direction="minimize")
    >>> plot = nbc.plots.membership(nbc.compare_stochastic(experiment, procedure="fuzzy"))
    >>> [text.get_text() for text in plot.artists["names"]]
    ['A1 – A2', 'A1 – A3', 'A3 – A2']
    """
    tests, fuzzy = result.hypotheses, result.hypotheses.fuzzy
    chosen = choose(keys_of(tests), rows, _MOST_ROWS)
    keys = [keys_of(tests)[row][:: -1 if tests.turned[row] else 1] for row in chosen]
    outcomes = [tests.outcome[row] for row in chosen]
    columns = [("p", [tests.decisive_text(row) for row in chosen])]
    if fuzzy is not None:
        turning = [fuzzy.turning[row] for row in chosen]
        columns = [
            ("Π", [coverage_text(fuzzy.possibility[row]) for row in chosen]),
            ("N", [coverage_text(fuzzy.necessity[row]) for row in chosen]),
            ("c*", ["none" if c is None else coverage_text(c) for c in turning]),
        ]
    lines = []
    for place, (key, outcome) in enumerate(zip(keys, outcomes, strict=True)):
        texts = ", ".join(f"{header} {values[place]}" for header, values in columns)
        lines.append(f"{' – '.join(key)}: {outcome}, {texts}")
    marks = [Mark(line, key) for line, key in zip(lines, keys, strict=True)]
    sheet = Sheet(ax, width=FULL, title=title)
    ax = sheet.ax
    kind = "adjusted p-value" if tests.adjusted_low else "unadjusted p-value"
    low, high = tests.decisive
    ends = low if fuzzy is None else fuzzy.low
    floor = p_axis(sheet, float(ends[chosen].min()), result.alpha)
    for place, row in enumerate(chosen):
        p, heights = _outline(tests, row)
        style: dict[str, Any] = {"linewidth": 0.9, "joinstyle": "miter", "zorder": 3}
        outline = np.maximum(p, floor), place + _BASE - _UNIT * heights
        sheet.add("sets", ax.fill(*outline, **style, **_FILLS[outcomes[place]]), marks[place])
        if fuzzy is not None and result.coverage is not None:
            y = place + _BASE - _UNIT * (1 - result.coverage)
            cut = np.maximum([low[row], high[row]], floor)
            style = {"color": "black", "linewidth": 2.2, "solid_capstyle": "projecting"}
            sheet.add("cuts", ax.plot(cut, [y, y], zorder=5, **style), marks[place])
    labels, headers = write_rows(sheet, keys, columns, marks, kind)
    meanings = {
        "Π": "Π: possibility of p ≤ α",
        "N": "N: its necessity",
        "c*": "c*: least inconclusive coverage",
    }
    drawn = (
        ["heights: membership", *(meanings[header] for header in headers)]
        if fuzzy is not None
        else []
    )
    drawn += shortened(len(chosen), len(tests), rows, "pair")
    sheet.caption(basis_of_runs(result, tests), "; ".join(drawn))
    entries: list[tuple[str, Artist]] = [
        (word, Patch(**_FILLS[word])) for word in _FILLS if word in outcomes
    ]
    if "cuts" in sheet.parts:
        cut_text = f"cut that decides, at coverage {result.coverage:g}"
        entries.append((cut_text, sample("black", linewidth=2.2)))
    sheet.legend(*entries)
    least = _ROOMY if len(chosen) <= _FEW else _COMPACT
    what = f"{'Intervals' if fuzzy is None else 'Membership functions'} of {kind}s"
    return sheet.plot(what, f"{listed(lines, '; ')}.", height=len(keys) * rows_high(labels, least))


def _outline(tests: ImpreciseHypotheses, row: int) -> tuple[FloatArray, FloatArray]:
    """Return p and membership at the corners of a set, from the left end of its base on."""
    low, high = (ends[row : row + 1] for ends in tests.decisive)
    heights = [0.0, 1.0]
    if tests.fuzzy is not None:
        # from the base upwards; the end of a cut applies up to its height
        low, high = (ends[row, ::-1] for ends in (tests.fuzzy.low, tests.fuzzy.high))
        heights[1:1] = 1 - tests.fuzzy.coverages[:0:-1]
    up = np.repeat(heights, 2)[1:-1]
    across = np.concatenate([np.repeat(low, 2), np.repeat(high, 2)[::-1]])
    return across, np.concatenate([up, up[::-1]])
