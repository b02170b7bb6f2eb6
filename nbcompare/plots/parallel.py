"""Parallel coordinates: the ranks or scores of every algorithm from data set to data set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._arrays import FloatArray
from nbcompare._render import plural
from nbcompare._validation import DataError, check_choice
from nbcompare.plots._curves import Curve, draw_curves, finish, in_color, joined, style_of
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import FULL, Sheet, figure, sample
from nbcompare.plots._standings import Standings, standings_of
from nbcompare.plots._text import line_height, text_width, wrapped
from nbcompare.plots._wording import highlighted
from nbcompare.results import Description

_RANKS, _SCORES = "ranks", "scores"

# All lengths in inches.
_STEP, _BESIDE = 0.45, 2.0  # between data sets; beside all of them
_LONGEST = 1.4  # of names below the axis
_MARKS = 0.14  # least distance of marks on a line


@figure
def parallel(
    description: Description,
    *,
    what: str = _RANKS,
    groups: Mapping[str, str] | None = None,
    highlight: Iterable[str] | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the ranks of every algorithm as a line from data set to data set.

    Data sets are along the x axis. The best rank is at the top; ties share the mean of their
    ranks. Lines end at the average ranks, which are over the data sets without a missing score.
    Scores are drawn between the worst and the best one of each data set, because data sets may be
    on different scales; where all are equal, they are at the top. A line is interrupted where the
    algorithm has no score. Lines show where an algorithm is good, not a course: the data sets of a
    group are in the order of the data. Every other group is shaded.

    Parameters
    ----------
    description : Description
        Result of :func:`nbcompare.describe`, of at least 2 algorithms on at least 2 data sets.
    what : {"ranks", "scores"}
        What to draw.
    groups : mapping of str to str, optional
        Group of each data set; by default those of the experiment, if it has any.
    highlight : list of str, optional
        Algorithms to draw in colour; all others are grey and not named. By default all, or of more
        than 12 algorithms the 6 with the best average ranks, because lines could not be told
        apart.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (the best average rank first), ``marks`` (on the lines),
        ``averages`` (marks at the average ranks), ``labels`` (names of algorithms), ``datasets``
        (names), ``groups`` (names, or numbers of the legend) and ``legend``, where names are that
        have no room beside the axes. Data sets are at 0, 1, 2, ... of the x axis; the y axis is in
        ranks, or in shares from the worst score to the best.

    Raises
    ------
    TypeError
        If ``description`` is not a Description.
    ValueError
        If an option has a value that it may not have.
    DataError
        If scores are intervals, or there is one algorithm or data set only.

    References
    ----------
    Inselberg, A. (1985). The plane with parallel coordinates. The Visual Computer 1, 69-91.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> plot = nbc.plots.parallel(nbc.describe(nbc.datasets.load("demsar2006")))
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5']
    """
    standings = standings_of(description, groups, "parallel")
    check_choice(what, "what", (_RANKS, _SCORES))
    if len(standings.datasets) < 2:
        raise DataError("`description` must be of at least 2 data sets; got 1.")
    named = highlighted(highlight, description.algorithms)
    n, k = standings.ranks.shape
    averages = standings.averages if what == _RANKS else None
    sheet = Sheet(ax, width=min(FULL, _BESIDE + _STEP * n), title=title)
    ax = sheet.ax
    chosen, colored = in_color(standings.algorithms, "best average ranks", named)
    beside = max(text_width(wrapped(name, 0.3 * sheet.width)) for name in chosen) + 0.8
    wide = max(sheet.width - beside, 0.5 * sheet.width) - (averages is not None) * 0.5
    pitch = wide / n  # about, in inches, from one data set to the next
    apart = text_width("average") / 2 + line_height()
    last = n - 1 if averages is None else n - 1 + max(0.7, apart / pitch)
    values = standings.ranks
    if what == _SCORES:
        signs = dict(zip(description.design.datasets, description.design.gain_signs, strict=True))
        values = _shares_of_range(standings, signs)
    x = np.arange(float(n))
    curves = [
        Curve(name, standings.places[i], x, values[:, i], standings.about_algorithm(i))
        for i, name in enumerate(standings.algorithms)
    ]
    draw_curves(sheet, ax, curves, chosen, markevery=[])
    sheet.add("averages", [])
    ends = {}
    for i, curve in enumerate(curves):
        if curve.name not in chosen:
            continue
        style = style_of(curve.number, linestyle="none", markevery=None)
        there = ~np.isnan(curve.y)
        # also where nothing joins a score to others
        alone = ~(np.append(False, there[:-1]) | np.append(there[1:], False))
        regular = (x - curve.number) % math.ceil(_MARKS / pitch) == 0
        rows = np.flatnonzero(there & (regular | alone))
        cells = [standings.about_cell(row, i) for row in rows.tolist()]
        sheet.add("marks", ax.plot(rows, curve.y[rows], **style), cells)
        ends[curve.name] = last, float(curve.y[there][-1] if averages is None else averages[i])
        if averages is not None:
            sheet.add("averages", ax.plot(*ends[curve.name], **style), curve.about)
            if there[-1]:
                way = [n - 1, last], [curve.y[-1], averages[i]]
                ax.plot(*way, color=style["color"], linewidth=0.6, zorder=1.5)
    if what == _RANKS:
        step = -(-(k - 1) // 12) or 1  # at most a dozen numbers
        ax.set_yticks([1, *range(max(step, 2), k + 1, step)])
        ax.set_ylim(k + 0.03 * (k - 1), 1 - 0.03 * (k - 1))
    else:
        ax.set_yticks([0, 1], labels=["worst", "best"])
        ax.set_ylim(-0.03, 1.03)
    ax.set_xlim(-0.5, last + 0.1 / pitch)
    if averages is not None:
        ax.axvline(last, color="0.4", linewidth=0.9, zorder=0)
        below: dict[str, Any] = {"coords": ("data", "axes fraction"), "ha": "center", "va": "top"}
        sheet.text("axis", (last, 0), "average\nrank", shift=(0, -4), **below)
    shown = _name_datasets(sheet, standings, pitch)
    explained = _name_groups(sheet, standings, pitch)
    how = standings.caption()
    if what == _SCORES:
        how = [f"{standings.measured}; from the worst to the best score of each data set"]
        how += [f"{plural(standings.n_missing, 'score')} missing"] * (standings.n_missing > 0)
    some = f"{shown} of {n} data sets are named" if shown < n else ""
    sheet.caption(joined(*how, colored, some))
    size = f"{plural(k, 'algorithm')} on {plural(n, 'data set')}"
    told = f"Parallel coordinates of the {what} of {size}", standings.sentences()
    labels = "", what.removesuffix("s")
    return finish(sheet, curves, chosen, labels, *told, explained=explained, ends=ends)


def _name_datasets(sheet: Sheet, standings: Standings, pitch: float) -> int:
    """Name as many data sets as have room, and return how many."""
    names = standings.datasets
    flat = max(map(text_width, names)) < 0.9 * pitch
    lines = max(wrapped(name, _LONGEST).count("\n") + 1 for name in names)
    rows = range(0, len(names), 1 if flat else math.ceil(lines * line_height() / pitch))
    style: dict[str, Any] = {"rotation": 0 if flat else 90, "share": _LONGEST / sheet.width}
    about = [standings.about_dataset(row) for row in rows]
    axis, texts = sheet.ax.xaxis, [names[row] for row in rows]
    sheet.names("datasets", axis, texts, at=[*rows], about=about, **style)
    axis.grid(visible=True, color="0.88", linewidth=0.5)
    sheet.ax.set_axisbelow(True)
    return len(rows)


def _name_groups(sheet: Sheet, standings: Standings, pitch: float) -> dict[str, Artist]:
    """Shade groups and name them above, or number them; return what the legend then says."""
    groups = standings.groups
    texts = [wrapped(it.name, len(it.rows) * pitch, bold=True) for it in groups]
    explained: dict[str, Artist] = {}
    # a word was split
    if any({*text.split()} - {*it.name.split()} for text, it in zip(texts, groups, strict=True)):
        texts = [str(number) for number in range(1, len(groups) + 1)]
        for group, text in zip(groups, texts, strict=True):
            explained[group.name] = sample("black", "none", f"${text}$", markersize=6)
    style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontweight": "bold", "shift": (0, 3)}
    for number, (group, text) in enumerate(zip(groups, texts, strict=True)):
        first, last = group.rows[0] - 0.5, group.rows[-1] + 0.5
        if number % 2 == 0:
            sheet.ax.axvspan(first, last, color="0.95", linewidth=0, zorder=-1)
        if text_width(text, bold=True) <= len(group.rows) * pitch:
            place = ((first + last) / 2, 1)
            sheet.text("groups", place, text, coords=("data", "axes fraction"), **style)
    return explained


def _shares_of_range(standings: Standings, signs: Mapping[str, float]) -> FloatArray:
    """Return scores from 0, the worst of their data set, to 1, the best."""
    found = np.full(standings.scores.shape, np.nan)
    for row, name in enumerate(standings.datasets):
        gains = signs[name] * standings.scores[row]
        there = np.isfinite(gains) & ~np.isnan(standings.ranks[row])
        # halves of huge scores have a difference
        half = gains[there] / 2
        low, high = half.min(), half.max()
        found[row, there] = (half - low) / (high - low) if high > low else 1.0
    return found
