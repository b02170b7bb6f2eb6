"""Diagram of the means of stochastic algorithms, with bars for all three outcomes."""

from __future__ import annotations

from matplotlib.axes import Axes

from nbcompare._options import MAXIMIZE
from nbcompare._validation import check_choice
from nbcompare.plots._diagram import (
    ALIKE,
    CONTROL,
    DIFFERS,
    UNDECIDED,
    Ranked,
    draw_diagram,
    draw_legend,
)
from nbcompare.plots._marks import Mark
from nbcompare.plots._outcomes import basis, mean_of
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import Sheet, figure
from nbcompare.results.imprecise import INCONCLUSIVE, NOT_REJECTED, REJECTED, interval
from nbcompare.results.stochastic import StochasticComparison

_KINDS = {REJECTED: DIFFERS, NOT_REJECTED: ALIKE, INCONCLUSIVE: UNDECIDED}
_WORDS = {DIFFERS: "significant", ALIKE: "not significant", UNDECIDED: UNDECIDED}


@figure
def outcome_diagram(
    result: StochasticComparison,
    *,
    best: str = "right",
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw means in order, with bars over groups that do not, or may not, differ.

    A grey line for each algorithm extends from the lower to the upper end of its mean, with a mark
    in the middle. In a comparison of all pairs, a solid bar beside the names joins algorithms of
    which no pair is significant or inconclusive, and a hollow bar joins algorithms of which no pair
    is significant but some are inconclusive. Two algorithms that no bar joins differ significantly.
    In a group with gaps, a dotted bar has marks at its members. In a comparison with a control,
    filled marks differ significantly from the control, hollow ones do not, and half-filled ones are
    inconclusive.

    Parameters
    ----------
    result : StochasticComparison
        Result of :func:`nbcompare.compare_stochastic`.
    best : {"right", "left"}
        Side of the best mean, and of the names.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``names`` and ``ranks`` (the means, if there is room), ``intervals``,
        ``symbols`` and ``leaders``, best first, ``bars`` (those of groups, then those of open
        groups; none with a control), ``axis`` and ``legend``. The x axis is in units of the
        measure, the y axis in rows from the top.

    Raises
    ------
    ValueError
        If there are more than 200 groups; :func:`membership` can show the pairs.

    See Also
    --------
    cd_diagram : Diagram of Demšar (2006), which this one extends to three outcomes.

    Examples
    --------
    >>> import numpy as np
    >>> import nbcompare as nbc
    >>> runs = np.random.default_rng(1).normal([[[0.4]], [[0.5]], [[0.42]]], 0.04, (8, 3, 1, 30))
    >>> experiment = nbc.Experiment.from_array(runs, direction="minimize")
    >>> plot = nbc.plots.outcome_diagram(nbc.compare_stochastic(experiment))
    >>> len(plot.artists["names"]), len(plot.artists["intervals"])
    (3, 3)
    """
    check_result(result, "outcome_diagram", StochasticComparison)
    check_choice(best, "best", ("right", "left"))
    whole = _ranked(result, best)
    sheet = Sheet(ax, width=whole.natural_width(4.0), title=title)
    ranked = whole.fitting(sheet.width)
    sheet.caption(basis(result, result.hypotheses))
    sheet.add("bars", [])
    height = draw_diagram(sheet, ranked, sheet.ax, sheet.width)
    draw_legend(sheet, [ranked], "mean, from lower to upper end")
    return sheet.plot(_alt(result, whole), height=height)


def _ranked(result: StochasticComparison, best: str) -> Ranked:
    if result.groups is None or result.open_groups is None:
        raise ValueError(
            "`result` must have at most 200 groups without significant differences, each of "
            "which would be a bar; got more. plots.membership shows every pair."
        )
    names, tests, control, about = result.ordered, result.hypotheses, result.control, {}
    ends = [(result.mean_low[name], result.mean_high[name]) for name in names]
    kinds = {} if control is None else {control: CONTROL}
    for name, word in zip(tests.second or (), tests.outcome, strict=False):
        kinds |= {} if control is None else {name: _KINDS[word]}
    for name, pair in zip(names, ends, strict=True):
        told = ", the control" if name == control else ""
        told += f"; against {control}, {_WORDS[kinds[name]]}" if kinds.get(name) in _WORDS else ""
        about[name] = Mark(f"{name}: {mean_of(result)} {interval(*pair)}{told}", (name,))
    solid, still = (
        {tuple(sorted(map(names.index, group))) for group in groups if len(group) > 1}
        for groups in (result.groups, result.open_groups)
    )
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    more = 0.05 * (high - low) or 0.05 * abs(high) or 0.5
    return Ranked(
        names=names,
        values=[low / 2 + high / 2 for low, high in ends],
        numbers=[interval(*pair) for pair in ends],
        about=about,
        label=f"{mean_of(result)}, {result.design.better}",
        span=(low - more, high + more),
        groups=sorted((group not in solid, group) for group in solid | still if not kinds),
        kinds=kinds,
        intervals=ends,
        best=best,
        column=True,
        turned=result.design.direction == MAXIMIZE,
    )


def _alt(result: StochasticComparison, ranked: Ranked) -> str:
    means = ", ".join(map(" ".join, zip(ranked.names, ranked.numbers, strict=True)))
    text = (
        f"Outcome diagram ({basis(result, result.hypotheses)}). M{mean_of(result)[1:]} "
        f"({result.design.better}), best first: {means}. "
    )
    if result.control is not None:
        parts = []
        for of, word in _WORDS.items():
            found = [name for name in ranked.names if ranked.kinds[name] == of]
            parts.append(f"{word}: {', '.join(found) or 'none'}")
        return f"{text}Against the control {result.control}, {'; '.join(parts)}."
    solid, still = (
        "; ".join(
            ", ".join(ranked.names[it] for it in members)
            for is_open, members in ranked.groups
            if is_open == kind
        )
        for kind in (False, True)
    )
    return (
        f"{text}Groups without significant differences: {solid or 'none'}. Groups in which some "
        f"differences are inconclusive and none is significant: {still or 'none'}."
    )
