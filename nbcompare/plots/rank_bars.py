"""Bars of average ranks, with a line beyond which they differ from the best or the control."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes

from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import LIGHT, Sheet, check_result, figure, rows_high
from nbcompare.plots._text import number_ticks, text_width
from nbcompare.plots._wording import algorithm_marks, basis, differing_from, rank_text
from nbcompare.results import Comparison
from nbcompare.results.imprecise import NOT_REJECTED, REJECTED
from nbcompare.words import RANKINGS

_WIDTH, _BAR = 6.0, 0.64  # of the figure in inches, and of a bar in rows
_PAD = 4.0  # points
_MOST_TOLD = 60  # names in the alternative text
_STYLES: dict[str, dict[str, Any]] = {
    "best ranked": {"facecolor": "0.3"},
    "control": {"facecolor": "0.3"},
    REJECTED: {"facecolor": LIGHT},
    NOT_REJECTED: {"facecolor": "none", "hatch": "////"},
}
_DASHES = (0, (4, 2)), (0, (1, 1.5))  # of this comparison, and of that beside it


@figure(Comparison)
def rank_bars(
    comparison: Comparison,
    *,
    beside: Comparison | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw average ranks as bars, best first, with a line beyond which they differ.

    The bars are compared with a reference, which is drawn dark: the control, or else the best
    ranked algorithm (the first one if several are tied). Plain bars differ significantly from
    the reference, hatched ones do not. If the deciding procedure has a critical difference, a
    dashed line is drawn at that distance above the rank of the reference (and another one below
    it, if there are algorithms with better ranks than the control): bars that end beyond the
    line differ.

    Parameters
    ----------
    comparison : Comparison
        Result of :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks` with any ranking.
    beside : Comparison, optional
        The same comparison at another level ``alpha``, whose critical difference is marked too, by
        a dotted line, as in the figures of the SCI2S group at 0.05 and 0.10.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``bars``, ``names`` and ``ranks`` (best first), ``cut`` (lines; empty
        without a critical difference), ``axis`` and ``legend``. The x axis is in average ranks, the
        y axis in rows.

    Raises
    ------
    ValueError
        If ``beside`` differs in more than its level, or has no critical difference.

    References
    ----------
    García, S. and Herrera, F. (2008). An extension on "Statistical comparisons of
    classifiers over multiple data sets" for all pairwise comparisons. Journal of Machine
    Learning Research 9, 2677-2694.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> experiment = nbc.datasets.load("demsar2006_ranks")
    >>> result = nbc.compare(experiment, control="C4.5", adjust="bonferroni")
    >>> plot = nbc.plots.rank_bars(result)
    >>> [text.get_text() for text in plot.artists["ranks"]]
    ['1.96', '2.00', '2.89', '3.14']
    """
    if beside is not None:
        _check_beside(comparison, beside)
    names, control = comparison.ordered, comparison.control
    ranks = [comparison.average_ranks[name] for name in names]
    reference, head = (names[0], "best ranked") if control is None else (control, "control")
    differing = differing_from(comparison, reference)
    kinds = [REJECTED if name in differing else NOT_REJECTED for name in names]
    kinds[names.index(reference)] = head
    marks = algorithm_marks(comparison)
    about = [marks[name] for name in names]
    numbers = [rank_text(comparison, rank) for rank in ranks]
    sheet = Sheet(ax, width=_WIDTH, title=title)
    ax, places, longest = sheet.ax, range(len(names)), max(ranks)
    sheet.caption(basis(comparison))
    for bar, kind, mark in zip(ax.barh(places, ranks, _BAR), kinds, about, strict=True):
        bar.set(edgecolor="0.2", linewidth=0.8, label=kind, **_STYLES[kind])
        sheet.add("bars", bar, mark)
    shown = [f"{name} (control)" if name == control else name for name in names]
    labels = sheet.names("names", ax.yaxis, shown, about=about, bold=[f"{control} (control)"])
    ax.tick_params(axis="y", pad=72 * max(map(text_width, numbers)) + 3 * _PAD)
    for place, number, mark in zip(places, numbers, about, strict=True):
        where: dict[str, Any] = {"coords": ("axes fraction", "data"), "shift": (-_PAD, 0)}
        sheet.text("ranks", (0, place), number, mark, ha="right", color="0.4", **where)
    sheet.add("cut", [])
    both, lines = [comparison, *([] if beside is None else [beside])], []
    for one, dashes in zip(both, _DASHES, strict=False):
        cut = _cuts(one, reference)
        longest = max(longest, *cut, 0.0)
        if cut:
            ends = " or ".join(rank_text(comparison, rank) for rank in cut)
            lines.append(f"{one.procedure}, α = {one.alpha:g}: beyond {ends}")
        for rank in cut:
            line = ax.axvline(rank, color="0.2", linestyle=dashes, linewidth=1.2, label=lines[-1])
            sheet.add("cut", line)
    sheet.bare("top", "right")
    ax.set(xlim=(0, 1.02 * longest), ylim=(len(names) - 0.5, -0.5))
    number_ticks(ax.xaxis, most=10, whole=True, inches=sheet.breadth())
    noun = RANKINGS[comparison.ranking].average_rank
    sheet.axis_label(ax.xaxis, f"{noun}, lower is better")
    sheet.legend()
    return sheet.plot(
        f"Bars of {noun}s",
        f"Best first: {sheet.said('names', most=_MOST_TOLD)}",
        *([f"Cut lines: {'; '.join(lines)}."] if lines else []),
        height=len(names) * rows_high(labels),
    )


def _check_beside(comparison: Comparison, beside: Comparison) -> None:
    check_result(beside, "rank_bars", Comparison)
    parts = ("average_ranks", "standard_error", "control", "procedure")
    same = all(getattr(beside, part) == getattr(comparison, part) for part in parts)
    if not same or beside.critical_difference is None:
        raise ValueError(
            "`beside` must be the same comparison at another `alpha`, with a critical "
            f"difference; got {beside!r}."
        )


def _cuts(comparison: Comparison, reference: str) -> list[float]:
    """Return the ranks beyond which bars differ from the reference: above it, and maybe below."""
    if comparison.critical_difference is None:
        return []
    rank, best = comparison.average_ranks[reference], min(comparison.average_ranks.values())
    below = rank - comparison.critical_difference
    return [*([below] if below > 0 and best < rank else []), rank + comparison.critical_difference]
