"""Curves of power by the number of data sets, folds or runs, with the number that is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from nbcompare._render import plural
from nbcompare.plots._curves import Style
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import Sheet, figure, sample
from nbcompare.results import Plan
from nbcompare.results.plan import PlanCurve

_WIDTH, _HEIGHT = 6.0, 2.6  # of the figure, and of its axes
_MOST_PAIRS = 6
_WIDE = 10  # times the smallest number: then the axis is logarithmic
_DOTS, _DASHES = (0, (1, 2)), (0, (4, 2))


class _Line(NamedTuple):
    """A curve, its name, the algorithms that it is about, and the number that is needed."""

    name: str
    about: tuple[str, ...]
    curve: PlanCurve
    n: int


@figure
def planning_curve(plan: Plan, *, title: bool = True, ax: Axes | None = None) -> Plot:
    r"""Draw power by the number of data sets, folds or runs, a curve for each of several pairs.

    The first curve is that of the answer: of all pairs at once that the pilot found significant, of
    the only one, or of the clearest one if it found none. Those of other pairs follow in the order
    of the plan, which begins with those that need least; at most six pairs are drawn. Colour,
    dashes and marks tell the curves apart, and each has its name at its end. The power is that on
    average over what the pilot leaves open; of the first curve a band holds that of most of it. A
    dotted line marks the wanted power, a star the number that is needed, and a dashed line the size
    of the pilot; if that is not among the numbers that were simulated, the caption says it. The
    axis of numbers is logarithmic if these differ much.

    Parameters
    ----------
    plan : Plan
        Result of :func:`nbcompare.plan`.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves``, ``band``, ``labels`` (at the ends of the curves),
        ``wanted`` (the wanted power), ``answer`` (what is needed, and its number), ``pilot``
        (its size) and ``legend``. The x axis is in numbers, the y axis in power.

    Raises
    ------
    TypeError
        If ``plan`` is no Plan.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> pilot = nbc.datasets.load("demsar2006").select(algorithms=["C4.5", "C4.5+m"])
    >>> plot = nbc.plots.planning_curve(nbc.plan(pilot))
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['C4.5+m over C4.5']
    """
    check_result(plan, "planning_curve", Plan)
    lines = _lines(plan)
    sheet = Sheet(ax, width=_WIDTH, title=title)
    ax = sheet.ax
    has_pilot = bool(plan.sizes[0] <= plan.n_pilot <= plan.sizes[-1])
    sheet.caption(*_caption(plan, lines, has_pilot=has_pilot))
    styles = [Style.of(number) for number in range(len(lines))]
    marks = [_mark_of(plan, line) for line in lines]
    first = lines[0].curve
    band = ax.fill_between(
        first.sizes, first.lower, first.upper, color=styles[0].color, alpha=0.16, linewidth=0
    )
    sheet.add("band", band, marks[0])
    for (*_, curve, _), style, about in zip(lines, styles, marks, strict=True):
        sheet.add("curves", ax.plot(curve.sizes, curve.power, **style.drawn()), about)
    sheet.add("wanted", ax.axhline(plan.power, color="0.4", linestyle=_DOTS, linewidth=1.1))
    handles = [sample("0.4", _DOTS)]
    labels = [f"wanted power: {plan.power:g}"]
    if plan.n is not None:
        drop = ax.plot([plan.n] * 2, [plan.power, 1.0], color="0.2", linewidth=0.9)
        star = ax.plot(
            [plan.n], [plan.power], "k*", markersize=9, linestyle="none", zorder=6, clip_on=False
        )
        sheet.add("answer", [*drop, *star], marks[0])
        sheet.text("answer", (plan.n, 1.0), f"{plan.n:,}", marks[0], shift=(0, 6), ha="center")
        handles.append(sample("black", "none", "*", markersize=9))
        labels.append(f"needed: {plural(plan.n, plan.noun)}")
    if has_pilot:
        pilot = ax.axvline(plan.n_pilot, color="0.4", linestyle=_DASHES, linewidth=0.9)
        sheet.add("pilot", pilot)
        handles.append(sample("0.4", _DASHES))
        labels.append(f"pilot: {plural(plan.n_pilot, plan.noun)}")
    sheet.bare("top", "right")
    if plan.sizes[-1] > _WIDE * plan.sizes[0]:
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_locator(NullLocator())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
    ax.set_ylim(0, 1)
    ax.set_xlim(plan.sizes[0], max(plan.sizes[-1], plan.sizes[0] + 1))
    sheet.axis_label(ax.xaxis, f"number of {plan.noun}s")
    sheet.axis_label(ax.yaxis, "power")
    # of curves that end together, the one that rises first stands first
    ends = [
        (float(curve.sizes[-1]), float(curve.power[-1] + 1e-6 * curve.power.mean()))
        for curve in (line.curve for line in lines)
    ]
    names = [line.name for line in lines]
    sheet.end_labels(ends, names, [style.color for style in styles], marks)
    sheet.legend(handles, labels)
    return sheet.plot(_alt(plan, lines), height=_HEIGHT)


def _lines(plan: Plan) -> list[_Line]:
    """Return the curve that the answer is about, and those of single pairs."""
    rows, lines = [*range(min(len(plan.first), _MOST_PAIRS))], []
    if plan.together is not None and plan.n_significant > 1:
        title = f"all {plan.n_significant} significant"
        lines.append(_Line(title, (), plan.curve(), int(plan.together.n[0])))
    elif plan.together is not None:  # others may need less than the only significant one
        row = int(np.flatnonzero(plan.significant)[0])
        rows = [row, *[other for other in rows if other != row][: _MOST_PAIRS - 1]]
    for row in rows:
        pair = plan.first[row], plan.second[row]
        lines.append(_Line(" over ".join(pair), pair, plan.curve(row), int(plan.needed.n[row])))
    return lines


def _number(plan: Plan, n: int) -> str:
    return f"{n:,}" if n else f"more than {plan.largest:,}"


def _needed(plan: Plan, n: int) -> str:
    return plural(n, plan.noun) if n else f"{_number(plan, 0)} {plan.noun}s"


def _mark_of(plan: Plan, line: _Line) -> Mark:
    text = f"{line.name}: {_needed(plan, line.n)} for a power of {plan.power:g}"
    return Mark(text, line.about, pair=len(line.about) == 2)


def _found(plan: Plan) -> list[str]:
    """Say what the answer is about, without a colon, at which a page may cut a caption."""
    m = plan.n_significant
    which = "the clearest" if not m else "the" if m == 1 else "both" if m == 2 else f"all {m:,}"
    differences = f"{'significant ' if m else ''}difference{'s' if m > 1 else ''}"
    return [f"{which} {differences} of the pilot", *([] if m else ["(none was significant)"])]


def _caption(plan: Plan, lines: Sequence[_Line], *, has_pilot: bool) -> list[list[str]]:
    """Return lines as phrases between which they may be broken."""
    about = [
        f"α = {plan.alpha:g}",
        f"band: {100 * plan.confidence:g} % of what the pilot leaves open",
    ]
    drawn, m = sum(bool(line.about) for line in lines), len(plan.first)
    if drawn < m:
        about.append(f"pairs: {drawn} of {m:,}, the clearest")
    if not has_pilot:
        about.append(f"pilot: {plural(plan.n_pilot, plan.noun)}")
    answer, *asides = _found(plan)
    needed = f"{_needed(plan, plan.n or 0)} for a power of {plan.power:g}"
    return [
        [needed, f"to find {answer}", *asides],
        [*(f"{part};" for part in about[:-1]), about[-1]],
    ]


def _alt(plan: Plan, lines: Sequence[_Line]) -> str:
    numbers = "; ".join(f"{line.name} {_number(plan, line.n)}" for line in lines)
    return (
        f"Curves of power by number of {plan.noun}s, of which {_number(plan, plan.n or 0)} are "
        f"needed to find {' '.join(_found(plan))} with a power of {plan.power:g} "
        f"(α = {plan.alpha:g}, the band is {100 * plan.confidence:g} % of what the pilot leaves "
        f"open). The pilot has {plan.n_pilot:,}. Needed for that power, curve by curve: {numbers}."
    )
