"""Figure that shows a comparison at a glance."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.axes import Axes

from nbcompare.plots._plot import Plot
from nbcompare.plots._save import inches_of_width
from nbcompare.plots._sheet import FULL, at_most, check_result
from nbcompare.plots.cd_diagrams import cd_diagram, outcome_diagram
from nbcompare.plots.matrices import pvalue_matrix
from nbcompare.plots.membership import membership
from nbcompare.plots.trend import trend_heatmap
from nbcompare.results import Comparison
from nbcompare.results.convergence import ConvergenceComparison
from nbcompare.results.stochastic import StochasticComparison


def overview(
    comparison: Comparison | StochasticComparison | ConvergenceComparison,
    *,
    width: float | str | None = None,
    title: bool = True,
    ax: Axes | None = None,
) -> Plot:
    """Draw the figure that suits a comparison best, such as a critical difference diagram.

    For a comparison of algorithms, this is the critical difference diagram, or the matrix of
    p-values if there are too many groups for a diagram, which can happen if pairs are tested
    separately. For stochastic algorithms, it is the outcome diagram, or the p-values in rows.
    For convergence, it is the matrix of p-values of all ordered pairs.

    Parameters
    ----------
    comparison : Comparison, StochasticComparison or ConvergenceComparison
        Result of :func:`nbcompare.compare`, :func:`nbcompare.compare_ranks`,
        :func:`nbcompare.compare_stochastic` or :func:`nbcompare.compare_convergence`.
    width : float or str, optional
        Room for the figure, in inches or as for :func:`save`: a critical difference diagram that is
        wider gets a shorter axis, so that its text stays as large. Other figures are as they are.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on, whose size decides instead of `width`.

    Returns
    -------
    Plot
        Plot of the function that suits the result, with its artists: :func:`cd_diagram`,
        :func:`pvalue_matrix`, :func:`outcome_diagram`, :func:`membership` or :func:`trend_heatmap`.

    Raises
    ------
    TypeError
        If ``comparison`` is none of these results.
    ValueError
        If ``width`` is neither a number of inches from 2.2 to 40 nor a name that :func:`save`
        knows, or if the function that suits the result raises it.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> list(nbc.plots.overview(nbc.compare(nbc.datasets.load("demsar2006"))).artists)[:5]
    ['caption', 'symbols', 'intervals', 'bars', 'difference']
    """
    room = inches_of_width(width)
    check_result(comparison, "overview", Comparison, StochasticComparison, ConvergenceComparison)
    draw: Callable[..., Plot] = trend_heatmap
    if isinstance(comparison, StochasticComparison):
        has_groups = comparison.groups is not None and comparison.open_groups is not None
        draw = outcome_diagram if has_groups else membership
    elif isinstance(comparison, Comparison):
        draw = pvalue_matrix if comparison.groups is None else cd_diagram
    with at_most(FULL if room is None or ax is not None else room):
        return draw(comparison, title=title, ax=ax)
