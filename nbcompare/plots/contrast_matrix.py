"""Matrix of estimated differences, highlighting those whose interval excludes zero."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from nbcompare._arrays import BoolArray, FloatArray
from nbcompare._render import plural
from nbcompare.plots._labels import signed
from nbcompare.plots._matrix import COLUMN, ROW, Cell, Key, Names, diverging, draw_matrix
from nbcompare.plots._plot import Plot, check_result
from nbcompare.results import Contrast


def contrast_matrix(contrast: Contrast, *, ax: Axes | None = None) -> Plot:
    """Draw the estimated difference of every pair, positive where the row is better.

    Algorithms are ordered by their estimates, best first. The colour is blue where the row is
    better, orange where the column is better and white at zero, and it is stronger for larger
    differences. A difference whose confidence interval excludes zero is framed and bold.

    Parameters
    ----------
    contrast : Contrast
        Result of :func:`nbcompare.contrast_estimation`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``rows`` and ``columns`` (names), ``cells``, ``texts`` (the
        estimates), ``marks`` (none), ``outlines`` and ``legend``. With more than 16 algorithms
        there are no texts; a triangle in ``marks`` points to the better algorithm, filled if
        the confidence interval excludes zero.

    Raises
    ------
    ValueError
        If the estimates are withheld, because the data sets are on several scales.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> contrast = nbc.contrast_estimation(nbc.datasets.load("demsar2006"))
    >>> plot = nbc.plots.contrast_matrix(contrast)
    >>> contrast.ordered[0], len(plot.artists["texts"])
    ('C4.5+m+cf', 12)
    """
    check_result(contrast, "contrast_matrix", Contrast)
    ordered = contrast.ordered
    place = [contrast.design.algorithms.index(name) for name in ordered]
    estimates, lower, upper = (part[np.ix_(place, place)] for part in contrast.arrays())
    apart = (lower > 0) | (upper < 0)
    names = Names(ordered, ordered, diagonal=True)
    largest = float(np.abs(estimates).max())
    pairs = [(u, v) for u in range(len(ordered)) for v in range(len(ordered)) if u != v]
    texts = signed([float(estimates[pair]) for pair in pairs])
    cells = [
        Cell(
            row=u,
            column=v,
            text=text,
            color=diverging(float(estimates[u, v]), largest),
            better=_better(float(estimates[u, v])),
            strong=bool(apart[u, v]),
        )
        for (u, v), text in zip(pairs, texts, strict=True)
    ]
    return draw_matrix(
        names,
        cells,
        caption=_caption(contrast),
        legend=_legend(names, contrast, signed([largest])[0].lstrip("+")),
        alt=_alt(contrast, ordered, estimates, apart),
        outlined=True,
        ax=ax,
    )


def _better(advantage: float) -> str:
    return "" if advantage == 0 else ROW if advantage > 0 else COLUMN


def _caption(contrast: Contrast) -> list[str]:
    design = contrast.design
    return [
        f"Estimated difference of {design.measure or 'scores'}, {design.minus('row', 'column')}",
        f"{design.better}; {plural(design.n_datasets, 'data set')}",
    ]


def _left_out(contrast: Contrast) -> str:
    return f"{100 * contrast.confidence:g} % interval excludes zero"


def _legend(names: Names, contrast: Contrast, largest: str) -> list[Key]:
    colors = [
        Key(f"row is better, by up to {largest}", color=diverging(1, 1)),
        Key(f"column is better, by up to {largest}", color=diverging(-1, 1)),
    ]
    if not names.compact:
        frames = [Key(f"bold in a frame: {_left_out(contrast)}", strong=True)]
        return [*colors, *([] if contrast.without_intervals else frames)]
    return [
        *colors,
        Key("row is better", ROW, filled=not contrast.without_intervals),
        Key("column is better", COLUMN, filled=not contrast.without_intervals),
        *(() if contrast.without_intervals else _of_intervals(contrast)),
    ]


def _of_intervals(contrast: Contrast) -> list[Key]:
    return [
        Key(f"filled: {_left_out(contrast)}", COLUMN, filled=True),
        Key("hollow: interval includes zero", COLUMN, filled=False),
    ]


def _alt(
    contrast: Contrast, ordered: tuple[str, ...], estimates: FloatArray, apart: BoolArray
) -> str:
    pairs = [(u, v) for u in range(len(ordered)) for v in range(u + 1, len(ordered))]
    texts, design = signed([float(estimates[pair]) for pair in pairs]), contrast.design
    found = [
        f"{design.minus(ordered[u], ordered[v])} {text}"
        for (u, v), text in zip(pairs, texts, strict=True)
        if apart[u, v]
    ]
    first, second = _caption(contrast)
    what = f"Matrix: {first[0].lower()}{first[1:]} ({second}). Best first: {', '.join(ordered)}."
    if contrast.without_intervals:
        return f"{what} There are no intervals. {contrast.without_intervals}"
    return (
        f"{what} The {_left_out(contrast)} for {len(found) or 'none'} of "
        f"{plural(len(pairs), 'pair')}"
        f"{': ' if found else ''}{'; '.join(found)}."
    )
