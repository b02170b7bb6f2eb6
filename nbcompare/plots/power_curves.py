"""Curves of power and of wrong conclusions by effect, for each design."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbcompare._render import format_number, plural
from nbcompare._validation import check_choice, shown
from nbcompare.plots._curves import Curve, draw_curves, finish, in_color, joined
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import FULL, Sheet, figure, room
from nbcompare.results import PowerStudy
from nbcompare.results.power_study import FAMILY, POWER, TYPE1, WRONG

_HEIGHT = 2.3  # of the axes, in inches
_ABREAST = 5.0  # least width of a figure with both panels abreast
_ERRORS = (WRONG, TYPE1, FAMILY)
_TITLES = {
    POWER: "Power: differences that were found",
    WRONG: "Type I error: wrong conclusions",
    TYPE1: "Type I error on pairs of equals",
    FAMILY: "Experiments with a wrong conclusion",
}
_LEAST_TOP = 0.1  # of the axis of errors
_LEVEL: dict[str, Any] = {"color": "0.4", "linestyle": (0, (1, 2)), "linewidth": 1.1}


@figure
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
    check_choice(error, "error", _ERRORS)
    panels = {what: curves for what in (POWER, error) if (curves := _curves(result, what))}
    if not panels:
        raise ValueError(
            f"`error` must be what the result has; no effect has {shown(error)}. Use error='wrong'."
        )
    n = len(panels)
    abreast = n if room(FULL) >= _ABREAST else 1
    sheet = Sheet(ax, width=FULL if n > 1 else _ABREAST, panels=n, abreast=abreast, title=title)
    drawn = [curve for curves in panels.values() for curve in curves]
    best = sorted(next(iter(panels.values())), key=lambda curve: -float(curve.y.mean()))
    chosen, colored = in_color([curve.name for curve in best], "largest mean powers")
    sheet.caption(joined(*_how(result), colored))
    levels = sorted({level for level in result.levels if level is not None})
    explained = {}
    margin = 0.04 * float(np.ptp(result.effects) or 1)
    for panel, (what, curves) in zip(sheet.axes, panels.items(), strict=True):
        sheet.panel_title(panel, _TITLES[what])
        draw_curves(sheet, panel, curves, chosen)
        top = 1.0
        if what != POWER:
            bands = [float(curve.band[1].max()) for curve in curves if curve.band is not None]
            top = min(1.0, 1.15 * max([_LEAST_TOP, *levels, *bands]))
            for level in levels:
                sheet.add("levels", panel.axhline(level, **_LEVEL))
            text = "level of the tests: " + ", ".join(f"{level:g}" for level in levels)
            explained = {text: sheet.parts["levels"][0]} if levels else {}
        panel.set_ylim(-0.02 * top, 1.02 * top)
        panel.set_xlim(result.effects.min() - margin, result.effects.max() + margin)
        panel.locator_params(axis="x", nbins=5)
    alt = f"Curves over {result.effect_name}. {', '.join(_how(result))}. {_means(panels)}"
    labels = result.effect_name, "share"
    return finish(
        sheet, drawn, chosen, labels, alt, height=_HEIGHT, explained=explained, what="design"
    )


def _curves(result: PowerStudy, what: str) -> list[Curve]:
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


def _how(result: PowerStudy) -> list[str]:
    return [
        f"{plural(result.repetitions, 'simulated experiment')} per effect",
        plural(len(result.first), "pair"),
        f"bands: {100 * result.confidence:g} % intervals",
    ]


def _means(panels: dict[str, list[Curve]]) -> str:
    words = []
    for what, curves in panels.items():
        means = [f"{curve.name} {format_number(float(curve.y.mean()), 3)}" for curve in curves]
        # not the same in both panels: there is no power where no algorithms differ
        effects = curves[0].x
        over = f"means over the {len(effects)} effects from {effects[0]:g} to {effects[-1]:g}"
        over = over if len(effects) > 1 else f"for the effect {effects[0]:g}"
        words.append(f"{_TITLES[what]}, {over}: {', '.join(means)}.")
    return " ".join(words)
