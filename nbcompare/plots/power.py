"""Curves of power: of designs by the effect, and of the pairs of a plan by its size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import format_number, plural
from nbcompare._validation import check_choice, shown
from nbcompare.plots._curves import Curve, Curves, joined, scale_numbers
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import FULL, figure, room
from nbcompare.results import Plan, PowerStudy
from nbcompare.results.plan import PlanCurve
from nbcompare.results.power_study import FAMILY, POWER, TYPE1, WRONG

_HEIGHT = 2.3  # of the axes, in inches
_ABREAST = 5.0  # least width of a figure with both panels abreast
_TITLES = {
    POWER: "Power: differences that were found",
    WRONG: "Type I error: wrong conclusions",
    TYPE1: "Type I error on pairs of equals",
    FAMILY: "Experiments with a wrong conclusion",
}
_LEAST_TOP = 0.1  # of the axis of errors
_LEVEL: dict[str, Any] = {"color": "0.4", "linestyle": (0, (1, 2)), "linewidth": 1.1}
_PILOT: dict[str, Any] = {"color": "0.4", "linestyle": (0, (4, 2)), "linewidth": 0.9}
_MOST_PAIRS = 6
_WIDE = 10  # times the smallest number of a plan: then the axis is logarithmic


@figure()
def power_curves(
    result: PowerStudy,
    *,
    error: str = WRONG,
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
) -> Plot:
    """Draw power at the left and type I error at the right over the effect, for each design.

    The layout is that of Figures 2 and 3 of the 2013 paper. Colour, dashes and marks tell the
    designs apart; of more than 12 designs, the 6 with the largest mean power are in colour. Bands
    are the binomial intervals. A dotted line marks the level of the tests, which is that of each
    pair where a design does not adjust; there is one for each level. Points are joined by straight
    lines; there is no power at an effect with which no algorithms differ.

    Parameters
    ----------
    result : PowerStudy
        Result of :func:`nbcompare.study.run`.
    error : {"wrong", "type1", "family"}
        What the right panel shows: the share of pairs with a wrong conclusion, as in the paper;
        that of equal pairs of which a difference was claimed; or the share of experiments with at
        least one wrong conclusion, the family-wise error.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, or iterable of two, optional
        Axes to draw on, one for each panel; there is one panel only if all effects are 0, or if
        the other one has nothing to show. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` and ``bands`` (panel by panel, in the order of the
        designs), ``levels`` (nominal ones), ``titles``, ``labels`` (at the ends of the curves of a
        single panel) and ``legend``. The x axes are in effects, the y axes in shares.

    Raises
    ------
    TypeError
        If ``result`` is no PowerStudy.
    ValueError
        If neither panel has anything to show.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> from nbcompare import study
    >>> model = study.BinomialErrors(n_datasets=10, n_runs=2)
    >>> result = study.run(model, study.PAPER_2013[:2], effects=[0, 0.05, 0.1], repetitions=5)
    >>> plot = nbc.plots.power_curves(result)
    >>> [text.get_text() for text in plot.artists["legend"][0].get_texts()]
    ['ANOVA + t', 'Friedman + Wilcoxon', 'level of the tests: 0.05']
    """
    if not isinstance(result, PowerStudy):
        raise TypeError(
            "plots.power_curves takes a result, of class PowerStudy; got "
            f"{type(result).__name__}. Pass nbc.study.run(model, designs, effects=...)."
        )
    check_choice(error, "error", (WRONG, TYPE1, FAMILY))
    panels = {what: curves for what in (POWER, error) if (curves := _shares(result, what))}
    if not panels:
        raise ValueError(
            f"`error` must be what the result has; no effect has {shown(error)}. Use error='wrong'."
        )
    n = len(panels)
    width, abreast = FULL if n > 1 else _ABREAST, n if room(FULL) >= _ABREAST else 1
    sheet = Curves(ax, [""] * n, title=title, width=width, abreast=abreast)
    best = sorted(next(iter(panels.values())), key=lambda curve: -float(curve.y.mean()))
    colored = sheet.color([curve.name for curve in best], "largest mean powers")
    repetitions = f"{plural(result.repetitions, 'simulated experiment')} per effect"
    bands = f"bands: {100 * result.confidence:g} % intervals"
    sheet.caption(joined(repetitions, plural(len(result.first), "pair"), bands, colored))
    levels = sorted({level for level in result.levels if level is not None})
    margin = 0.04 * float(np.ptp(result.effects) or 1)
    for panel, (what, curves) in zip(sheet.axes, panels.items(), strict=True):
        sheet.panel_title(panel, _TITLES[what])
        sheet.draw(panel, curves)
        top = 1.0
        if what != POWER:
            highest = [float(curve.band[1].max()) for curve in curves if curve.band is not None]
            top = min(1.0, 1.15 * max([_LEAST_TOP, *levels, *highest]))
            text = "level of the tests: " + ", ".join(f"{level:g}" for level in levels)
            for level in levels:
                sheet.add("levels", panel.axhline(level, label=text, **_LEVEL))
        panel.set_ylim(-0.02 * top, 1.02 * top)
        panel.set_xlim(result.effects.min() - margin, result.effects.max() + margin)
        panel.locator_params(axis="x", nbins=5)
    labels, found = (result.effect_name, "share"), f"Curves over {result.effect_name}"
    return sheet.finish(labels, found, height=_HEIGHT, what="design")


def _shares(result: PowerStudy, what: str) -> list[Curve]:
    """Return the curves of a share, in the order of the effects; none where it is not defined."""
    curves = []
    for number, name in enumerate(result.designs):
        found = result.curve(what, name)
        if len(found.effects):
            effects, share, *band = (part[np.argsort(found.effects)] for part in found)
            mean = format_number(float(share.mean()), 3)
            about = Mark(f"{name}: mean {'power' if what == POWER else 'error'} {mean}", (name,))
            curves.append(Curve(name, number, effects, share, about, np.array(band)))
    return curves


@figure(Plan)
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
    sheet = Curves(ax, [""], title=title, width=6.0)
    ax = sheet.ax
    first_size, last_size = plan.sizes[0], plan.sizes[-1]
    has_pilot = bool(first_size <= plan.n_pilot <= last_size)
    curves = _curves_of_plan(plan)
    m = plan.n_significant
    which = "the clearest" if not m else "the" if m == 1 else "both" if m == 2 else f"all {m:,}"
    found = f"{which} {'significant ' * bool(m)}difference{'s' * (m > 1)} of the pilot"
    needed = f"{_number(plan, plan.n or 0)} for a power of {plan.power:g}, to find {found}"
    about = [
        f"α = {plan.alpha:g}",
        f"band: {100 * plan.confidence:g} % of what the pilot leaves open",
    ]
    drawn = sum(len(curve.about.names) > 0 for curve in curves)
    if drawn < len(plan.first):
        about.append(f"pairs: {drawn} of {len(plan.first):,}, the clearest")
    if not has_pilot:
        about.append(f"pilot: {plural(plan.n_pilot, plan.noun)}")
    sheet.caption(needed + ("" if m else " (none was significant)"), "; ".join(about))
    sheet.color([curve.name for curve in curves], "")
    sheet.draw(ax, curves)
    sheet.parts["band"] = sheet.parts.pop("bands")
    label = f"wanted power: {plan.power:g}"
    sheet.add("wanted", ax.axhline(plan.power, label=label, **_LEVEL))
    if plan.n is not None:
        mark = curves[0].about
        sheet.add("answer", ax.plot([plan.n] * 2, [plan.power, 1.0], "0.2", linewidth=0.9), mark)
        star: dict[str, Any] = {"linestyle": "none", "markersize": 9, "zorder": 6}
        star |= {"clip_on": False, "label": f"needed: {plural(plan.n, plan.noun)}"}
        sheet.add("answer", ax.plot([plan.n], [plan.power], "k*", **star), mark)
        sheet.text("answer", (plan.n, 1.0), f"{plan.n:,}", mark, shift=(0, 6), ha="center")
    if has_pilot:
        label = f"pilot: {plural(plan.n_pilot, plan.noun)}"
        sheet.add("pilot", ax.axvline(plan.n_pilot, label=label, **_PILOT))
    last = max(last_size, first_size + 1)
    scale_numbers(ax, first_size, last, log=bool(last_size > _WIDE * first_size))
    ax.set_ylim(0, 1)
    number, pilot = f"number of {plan.noun}s", f"The pilot has {plan.n_pilot:,}."
    what = f"Curves of power by {number}"
    return sheet.finish((number, "power"), what, pilot)


def _curves_of_plan(plan: Plan) -> list[Curve]:
    """Return the curve that the answer is about, with its band, and those of single pairs."""
    rows = [*range(min(len(plan.first), _MOST_PAIRS))]
    found: list[tuple[tuple[str, ...], PlanCurve, int]] = []
    if plan.together is not None and plan.n_significant > 1:
        found.append(((), plan.curve(), int(plan.together.n[0])))
    elif plan.together is not None:  # others may need less than the only significant one
        row = int(np.flatnonzero(plan.significant)[0])
        rows = [row, *[other for other in rows if other != row][: _MOST_PAIRS - 1]]
    for row in rows:
        names = plan.first[row], plan.second[row]
        found.append((names, plan.curve(row), int(plan.needed.n[row])))
    curves = []
    for number, (pair, curve, n) in enumerate(found):
        name = " over ".join(pair) or f"all {plan.n_significant} significant"
        text = f"{name}: {_number(plan, n)} for a power of {plan.power:g}"
        about = Mark(text, pair, pair=len(pair) == 2)
        band = None if number else np.array([curve.lower, curve.upper])
        curves.append(Curve(name, number, curve.sizes.astype(np.float64), curve.power, about, band))
    return curves


def _number(plan: Plan, n: int) -> str:
    return plural(n, plan.noun) if n else f"more than {plan.largest:,} {plan.noun}s"
