"""The figure that shows a comparison at a glance."""

from __future__ import annotations

from matplotlib.axes import Axes

from nbcompare.plots._plot import Plot
from nbcompare.plots.cd_diagram import cd_diagram
from nbcompare.plots.pvalue_matrix import pvalue_matrix
from nbcompare.results import Comparison


def overview(comparison: Comparison, *, ax: Axes | None = None) -> Plot:
    """Draw the critical difference diagram, or the matrix of p-values where it has none.

    Pairs tested by themselves can make more groups than a diagram could show.

    Parameters
    ----------
    comparison : Comparison
        From :func:`nbcompare.compare` or :func:`nbcompare.compare_ranks`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> list(nbc.plots.overview(nbc.compare(nbc.datasets.load("demsar2006"))).artists)
    ['axis', 'names', 'bars', 'difference']
    """
    draw = pvalue_matrix if comparison.groups is None else cd_diagram
    return draw(comparison, ax=ax)
