"""Rows of figures: their names, marks of decisions, columns of numbers, and axes of p-values."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib import rcParams
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from nbcompare._render import plural, with_minus
from nbcompare._validation import check_count, check_name, shown
from nbcompare.plots._plot import Mark
from nbcompare.plots._sheet import ACCENT, TINT, Sheet
from nbcompare.plots._text import text_width
from nbcompare.results.hypotheses import DIFFERENT, EQUIVALENT, NEGLIGIBLE
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED, ImpreciseHypotheses

DASHES = (0, (4, 2))
CONTROL = "control"
# Marker of an outcome, and how much of it is filled: squares are within a margin
_MARKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        CONTROL: ("D", "full"),
        REJECTED: ("o", "full"),
        DIFFERENT: ("o", "full"),
        NEGLIGIBLE: ("s", "full"),
        INCONCLUSIVE: ("o", "left"),
        EQUIVALENT: ("s", "none"),
        NOT_REJECTED: ("o", "none"),
    }
)
# Inches between columns, of the axis beside them, and of a figure that has few ticks; names
_APART, _LEAST, _NARROW, _SHARE = 0.18, 1.7, 4.5, 0.38
_LEAST_DECADES, _MOST_DECADES = 2, 6


def marker_of(outcome: str) -> dict[str, Any]:
    """Return how Matplotlib draws and names the mark of an outcome: filled where significant."""
    marker, fill = _MARKS.get(outcome, ("o", "full"))
    color, ground = ACCENT if fill == "full" else "0.3", rcParams["axes.facecolor"]
    if outcome in ("", CONTROL):
        color = rcParams["axes.edgecolor"]
    style = {"marker": marker, "markersize": 5.5 if outcome else 3.2, "color": color}
    style |= {"label": outcome} if outcome else {}
    style |= {"markerfacecolor": ground} if fill == "none" else {"fillstyle": fill}
    return style | {"markerfacecoloralt": ground, "linestyle": "none"}


def keys_of(rows: ImpreciseHypotheses) -> list[tuple[str, ...]]:
    """Return the two algorithms of each row, or the one compared with the mean of all."""
    if rows.second is None:
        return [(name,) for name in rows.first]
    return list(zip(rows.first, rows.second, strict=True))


def choose(keys: Sequence[tuple[str, ...]], rows: object, most: int) -> list[int]:
    """Return the positions of the rows to draw: the first few, one algorithm's, or those named."""
    if rows is None:
        return list(range(len(keys)))[:most]
    if isinstance(rows, str):
        check_name(rows, "rows", tuple(dict.fromkeys(name for key in keys for name in key)))
        return [position for position, key in enumerate(keys) if rows in key]
    if isinstance(rows, numbers.Number):
        return list(range(len(keys)))[: check_count(rows, "rows", least=1)]
    if not isinstance(rows, Iterable):
        raise TypeError(
            "`rows` must be a number, the name of an algorithm, or a list of comparisons; "
            f"got {shown(rows)}."
        )
    at = {frozenset(key): position for position, key in enumerate(keys)}
    items = list(rows)
    wanted = [item if isinstance(item, list | tuple) else [item] for item in items]
    found = [at.get(frozenset(map(str, names))) for names in wanted]
    if not found or None in found:
        pairs = "pairs of names" if len(keys[0]) == 2 else "names"
        wrong = shown(items[found.index(None)]) if found else "none"
        raise ValueError(
            f"`rows` must list {pairs} that were compared, such as {shown(keys[0])}; got {wrong}."
        )
    return [position for position in dict.fromkeys(found) if position is not None]


def shortened(drawn: int, there: int, rows: object, noun: str) -> list[str]:
    """Return a phrase of a caption that says which rows are drawn, unless all of them are."""
    if drawn == there:
        return []
    if (rows is None or isinstance(rows, int)) and noun != "algorithm" and drawn > 1:
        return [f"the {drawn:,} {noun}s with the smallest p of {there:,}"]
    return [f"{drawn:,} of {plural(there, noun)}"]


def names_in_lines(keys: Iterable[tuple[str, ...]], room: float) -> list[str]:
    """Return the names of rows; a pair that needs more room has a line for each of the two."""
    names = {key: " – ".join(key) for key in keys}
    return [" –\n".join(key) if text_width(it) > room else it for key, it in names.items()]


def write_rows(
    sheet: Sheet,
    keys: Sequence[tuple[str, ...]],
    columns: Sequence[tuple[str, Sequence[str]]],
    about: Sequence[Mark],
    label: str,
    bold: Iterable[str] = (),
) -> tuple[list[Text], list[str]]:
    """Write names at the left of rows, texts at the right, and the label of the x axis.

    Of the columns, the last ones for which there is room are written. Return the names, and the
    headers of these columns.
    """
    ax, names = sheet.ax, names_in_lines(keys, _SHARE * sheet.width)
    labels = sheet.names("names", ax.yaxis, names, about=about, bold=bold, share=_SHARE)
    ax.set_ylim(len(keys) - 0.4, -0.6)
    sheet.bare("left", "top", "right")
    columns = [(header, [*map(with_minus, texts)]) for header, texts in columns]
    widths = [_APART + max(map(text_width, (header, *texts))) for header, texts in columns]
    left = sheet.width - max(text_width(name.get_text()) for name in labels)
    while columns and left - sum(widths) < _LEAST:
        columns, widths = columns[1:], widths[1:]
    at, rows = 72 * _APART, ax.get_yaxis_transform()
    for (header, texts), width in zip(columns, widths, strict=True):
        sheet.text("columns", (1, 1), header, shift=(at, 3), va="bottom", coords=ax.transAxes)
        for row, text in enumerate(texts):
            sheet.text("columns", (1, row), text, about[row], shift=(at, 0), coords=rows)
        at += 72 * width
    sheet.axis_label(ax.xaxis, label, share=(left - sum(widths)) / sheet.width)
    return labels, [header for header, _ in columns]


def draw_line(sheet: Sheet, value: float, text: str) -> None:
    """Draw a line at a value of the x axis, whose limits are known, with a text above it."""
    ax = sheet.ax
    sheet.add("line", ax.axvline(value, color="0.25", linestyle=DASHES, linewidth=1.0))
    ax.get_xlim()  # settles the limits
    share = (ax.transData.transform((value, 0.0))[0] - ax.bbox.x0) / ax.bbox.width
    style: dict[str, Any] = {"ha": "right" if share > 0.7 else "center", "va": "bottom"}
    sheet.text("line", (value, 1.0), text, shift=(0, 3), coords=ax.get_xaxis_transform(), **style)


def p_axis(sheet: Sheet, least: float, alpha: float) -> float:
    """Make the x axis one of p-values up to 1, and return the smallest that it has."""
    beyond = math.ceil(-math.log10(alpha)) + 1
    wanted = math.ceil(-math.log10(max(least, 1e-300)) - 1e-9)
    decades = min(max(wanted, beyond, _LEAST_DECADES), max(_MOST_DECADES, beyond))
    floor, ax = 10.0**-decades, sheet.ax
    ax.set_xscale("log")
    ax.set_xlim(floor / 1.35, 1.35)
    step = math.ceil(decades / (2 if sheet.width < _NARROW else 8))
    ax.xaxis.set_major_locator(FixedLocator([10.0**-n for n in range(decades, -1, -step)]))
    ax.xaxis.set_minor_locator(LogLocator(subs=range(1, 10), numticks=decades + 2))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.xaxis.set_major_formatter(
        FuncFormatter(lambda p, _: f"{'≤ ' if wanted > decades and p < 2 * floor else ''}{p:g}")
    )
    sheet.add("line", ax.axvspan(floor / 1.35, alpha, color=TINT, linewidth=0, zorder=0))
    draw_line(sheet, alpha, f"α = {alpha:g}")
    return floor
