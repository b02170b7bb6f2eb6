"""Runtime distributions: the share of targets that algorithms reach by a number of evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from nbcompare._options import QUANTILES
from nbcompare._render import plural
from nbcompare._validation import positions, shown
from nbcompare.plots._curves import (
    Curve,
    Style,
    draw_curves,
    finish,
    in_color,
    joined,
    listed,
    runs_text,
    scale_evaluations,
    small_panels,
)
from nbcompare.plots._marks import Mark
from nbcompare.plots._plot import Plot, check_result
from nbcompare.plots._sheet import figure, sample
from nbcompare.results import FixedTargets

_DIMENSIONS = "dimensions"
_SHARE = "share of problems, targets and runs"
_CROSS: dict[str, Any] = {"markersize": 8, "markeredgewidth": 1.6}


@figure
def runtime_distribution(
    result: FixedTargets,
    *,
    algorithms: Iterable[str] | None = None,
    problems: Iterable[str] | None = None,
    groups: Mapping[str, Iterable[str]] | str | None = None,
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
) -> Plot:
    """Draw which share of all problems, targets and runs is reached by a number of evaluations.

    The share of an algorithm rises at every evaluation by what its runs reach there, as in the
    figures of COCO and IOHanalyzer; a curve further up and to the left is better. Evaluations are
    on a logarithmic axis. A cross stands on a curve where its unsuccessful runs end (at their
    median, if they differ); the curve goes no further up beyond the longest. Of more than 12
    algorithms, the 6 that reach most are in colour and named; ``algorithms`` chooses others.

    Parameters
    ----------
    result : FixedTargets
        From :func:`nbcompare.fixed_targets`.
    algorithms : list of str, optional
        Algorithms to draw, by default all.
    problems : list of str, optional
        Problems to count, by default all.
    groups : mapping of str to list of str, or "dimensions", optional
        Groups of problems by name, each of which is a small panel; instead of ``problems``.
        ``dimensions``: those of the same dimension, over evaluations divided by it, as in COCO.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, or iterable of one for each group, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (panel by panel, in the order of the algorithms),
        ``crosses``, ``labels`` (at the ends of curves, of one panel), ``titles`` (of several
        panels) and ``legend``. The x axes are in evaluations, the y axes in shares.

    Raises
    ------
    TypeError
        If ``result`` is not a FixedTargets, or names are not lists.
    ValueError
        If a name is not in the result.
    DataError
        If there are to be panels by dimension, and dimensions are not known.

    References
    ----------
    Hansen, N., Auger, A., Ros, R., Mersmann, O., Tušar, T. and Brockhoff, D. (2021). COCO: a
    platform for comparing continuous optimizers in a black-box setting. Optimization Methods and
    Software 36 (1), 114-144.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> result = nbc.fixed_targets(nbc.datasets.load("convergence_de"))
    >>> plot = nbc.plots.runtime_distribution(result, algorithms=["jDE", "random search"])
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['jDE', 'random search']
    >>> len(plot.artists["crosses"])
    2
    """
    check_result(result, "runtime_distribution", FixedTargets)
    columns = positions(algorithms, result.algorithms, "algorithms")
    scaled = groups == _DIMENSIONS
    if groups is None:
        rows = positions(problems, result.problems, "problems")
        parts = {"" if len(rows) != 1 else result.problems[rows[0]]: rows}
    else:
        parts = _checked_groups(result, problems, groups)
    names = [result.algorithms[column] for column in columns]
    panels = {
        where: _curves(result, where, rows, columns, scaled=scaled) for where, rows in parts.items()
    }
    finals = np.mean([[curve.y[-1] for curve in curves] for curves in panels.values()], axis=0)
    order = np.argsort(-finals, kind="stable").tolist()
    chosen, colored = in_color([names[i] for i in order], "largest shares at the end")
    sheet = small_panels(ax, [*parts], title=title)
    where, how = _where(parts), _how(result)
    sheet.caption(joined(where, *how, colored))
    sheet.add("crosses", [])
    for panel, (group, curves) in zip(sheet.axes, panels.items(), strict=True):
        draw_curves(sheet, panel, curves, chosen, drawstyle="steps-post")
        for curve in curves:
            column = columns[curve.number]
            at, _, ended = result.steps_of(parts[group], column, per_dimension=scaled)
            missed = np.sort(np.repeat(at, ended))
            if missed.size and curve.name in chosen:
                x = float(missed[(len(missed) - 1) // 2])  # the median of these runs
                y = float(curve.y[np.searchsorted(curve.x, x, side="right") - 1])
                color = Style.of(curve.number).color
                cross = panel.plot(x, y, "x", color=color, zorder=5, **_CROSS)
                sheet.add("crosses", cross, curve.about)
        low, high = curves[0].x[[0, -1]].tolist()
        scale_evaluations(panel, low, high * (high / low) ** 0.03, log=True)  # room for crosses
        panel.set_ylim(-0.02, 1.02)
    labels = "evaluations / dimension" if scaled else "evaluations", _SHARE
    explained = {"end of unsuccessful runs (median)": sample("0.3", "none", "x", **_CROSS)}
    told = [_finals(group, curves) for group, curves in panels.items()]
    alt = (
        f"Curves of the {_SHARE} that are reached, over evaluations on a logarithmic axis. "
        f"Targets reached on {where}; {'; '.join(how)}. {' '.join(told)}"
    )
    drawn = [curve for curves in panels.values() for curve in curves]
    return finish(
        sheet, drawn, chosen, labels, alt, explained=explained if sheet.parts["crosses"] else None
    )


def _checked_groups(
    result: FixedTargets, problems: object, groups: Mapping[str, Iterable[str]] | str
) -> dict[str, list[int]]:
    if problems is not None:
        raise ValueError("`problems` must be left out with `groups`, which names the problems.")
    if groups == _DIMENSIONS:
        sizes, of = np.unique(result.known_dimensions(), return_inverse=True)
        return {
            f"dimension {size:g}": np.flatnonzero(of == i).tolist() for i, size in enumerate(sizes)
        }
    if not isinstance(groups, Mapping) or not groups:
        raise TypeError(
            "`groups` must map names of groups to lists of problems, or be 'dimensions'; got "
            f"{shown(groups)}."
        )
    return {
        str(name): positions(members, result.problems, "groups") for name, members in groups.items()
    }


def _curves(
    result: FixedTargets, where: str, rows: Sequence[int], columns: Sequence[int], *, scaled: bool
) -> list[Curve]:
    """Return the steps of the algorithms on some problems, from the first to the last of all."""
    problems = [result.problems[row] for row in rows]
    spent = np.concatenate(
        [result.steps_of(rows, column, per_dimension=scaled)[0] for column in columns]
    )
    last = float(spent.max())
    first = min(float(spent.min()), last / 10)
    curves = []
    for number, column in enumerate(columns):
        name = result.algorithms[column]
        at, shares = result.distribution(name, problems, per_dimension=scaled)
        x = np.unique([first, *at, last])
        y = np.append(0.0, shares)[np.searchsorted(at, x, side="right")]
        on = f" on {where}" if where else ""
        about = Mark(f"{name}{on}: {y[-1]:.1%} of the targets reached at the end", (name,))
        curves.append(Curve(name, number, x, y, about))
    return curves


def _where(parts: Mapping[str, Sequence[int]]) -> str:
    if len(parts) > 1:
        return f"{plural(len(parts), 'group')} of problems"
    ((name, rows),) = parts.items()
    return name or plural(len(rows), "problem")


def _how(result: FixedTargets) -> list[str]:
    """Return what the runs are, and the targets."""
    runs = f"{runs_text(result.n_runs)} each{', with simulated restarts' * result.restarts}"
    text = plural(result.n_targets, "target")
    if result.precisions is not None:
        ends = {f"{value:.4g}": None for value in result.precisions[[0, -1]].tolist()}
        text += f", {' to '.join(ends)} from the optimum"
    return [runs, text + " chosen from the data" * (result.chosen == QUANTILES)]


def _finals(where: str, curves: Sequence[Curve]) -> str:
    ordered = sorted(curves, key=lambda curve: -float(curve.y[-1]))
    texts = [f"{curve.name} {curve.y[-1]:.1%}" for curve in ordered]
    on = f" on {where}" if where else ""
    return f"Reached at the end{on}, most first: {listed(texts)}."
