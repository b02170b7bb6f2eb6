"""Curves over evaluations: the best values so far, and the share of targets that are reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator, SymmetricalLogLocator

from nbcompare._arrays import FloatArray
from nbcompare._options import BETTER, MAXIMIZE, QUANTILES
from nbcompare._render import format_number, plural
from nbcompare._validation import DataError, check_count, check_name, check_real, positions, shown
from nbcompare.histories import Histories
from nbcompare.plots._curves import Curve, Curves, joined, runs_text, scale_numbers, style_of
from nbcompare.plots._plot import Mark, Plot
from nbcompare.plots._sheet import figure, sample
from nbcompare.plots._text import listed, number_text, number_ticks
from nbcompare.results import FixedTargets

_DECADES = 2  # an axis is logarithmic if the data span more than this
_LARGEST = 1e300  # of the values drawn, whose differences must be numbers
_CUT: dict[str, Any] = {"color": "0.6", "linestyle": (0, (1, 2)), "linewidth": 0.7}
_DIMENSIONS = "dimensions"
_SHARE = "share of problems, targets and runs"
_CROSS: dict[str, Any] = {"markersize": 8, "markeredgewidth": 1.6}


# ---------------------------------------------------------------------- convergence curves


@figure()
def convergence_curves(
    histories: Histories,
    problem: str | Iterable[str],
    *,
    algorithms: Iterable[str] | None = None,
    cutpoints: int | None = None,
    quantiles: tuple[float, float] | None = (0.25, 0.75),
    title: bool = True,
    ax: Axes | Iterable[Axes] | None = None,
) -> Plot:
    """Draw the median of the runs over evaluations, with a band between two quantiles.

    If optima are known, the error is drawn, for which lower is better; otherwise the value
    itself, in its own direction. The vertical axis is logarithmic if everything drawn is
    positive and spans more than two powers of ten. Where errors reach 0, that axis goes on from the
    power of ten below the smallest positive error to 0 in one step that is not logarithmic
    (Matplotlib's ``symlog``), and a large mark stands where a curve gets to 0. Evaluations are
    on a logarithmic axis if most points lie in the first tenth of the budget. Points are joined
    by straight lines. Of more than 12 algorithms, the 6 that are best at the end are in colour and
    named; ``algorithms`` chooses others.

    Parameters
    ----------
    histories : Histories
        Histories with at least one run.
    problem : str, or list of str
        One problem, or several, which are drawn as small panels with their own axes.
    algorithms : list of str, optional
        Algorithms to draw, by default all. One without a run on a problem is left out there.
    cutpoints : int, optional
        Number of thin lines at regular shares of the budget, the cut-points at which
        :func:`nbcompare.compare_convergence` compares.
    quantiles : (float, float) or None
        Ends of the band (linear interpolation); None for no band. A single run has no band.
    title : bool, default True
        Whether the figure has its caption above it.
    ax : matplotlib.axes.Axes, or iterable of one for each problem, optional
        Axes to draw on. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (medians, panel by panel in the order of the
        algorithms), ``bands``, ``ends`` (marks where curves get to an error of 0), ``labels`` (at
        the ends of curves, of one panel), ``cutpoints``, ``titles`` (of several panels) and
        ``legend``. The axes are in evaluations and in values, or errors.

    Raises
    ------
    TypeError
        If ``histories`` is not a Histories, or ``algorithms`` is not a list of names.
    ValueError
        If a name is not in the histories, or the quantiles do not increase.
    DataError
        If none of the algorithms has a run on a problem.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> histories = nbc.Histories.from_array(
    ...     [[[9.0, 1.0, 0.01, 0.0], [8.0, 5.0, 4.0, 3.0]]], direction="minimize",
    ...     optimum=0, problems=["sphere"], algorithms=["DE", "random search"])
    >>> plot = nbc.plots.convergence_curves(histories, "sphere", cutpoints=4)
    >>> [text.get_text() for text in plot.artists["labels"]]
    ['DE', 'random search']
    >>> len(plot.artists["ends"])
    1
    """
    if not isinstance(histories, Histories):
        raise TypeError(f"`histories` must be a Histories; got {type(histories).__name__}.")
    if isinstance(problem, str):
        rows = [histories.problems.index(check_name(problem, "problem", histories.problems))]
    else:
        rows = positions(problem, histories.problems, "problem")
    columns = positions(algorithms, histories.algorithms, "algorithms")
    n_cuts = None if cutpoints is None else check_count(cutpoints, "cutpoints", least=1)
    ends = _checked_quantiles(quantiles)
    for row in rows:
        if not histories.n_runs[row, columns].any():
            raise DataError(
                "`problem` must be one on which an algorithm has a run; none of those to draw has "
                f"one on {histories.problems[row]!r}."
            )
    is_error, measure = histories.optimum is not None, histories.measure
    values = histories.errors() if is_error else histories.values
    sign = -1 if histories.direction == MAXIMIZE and not is_error else 1
    problems = [histories.problems[row] for row in rows]
    names = [histories.algorithms[column] for column in columns]
    from scipy.stats import rankdata  # slow to import

    panels = [_medians(histories, values, row, columns, ends) for row in rows]
    finals = [{curve.name: float(curve.y[-1]) for curve in curves} for curves in panels]
    ranks = rankdata([[sign * of.get(name, np.inf) for name in names] for of in finals], axis=1)
    order = np.argsort(ranks.mean(axis=0), kind="stable").tolist()
    sheet = Curves(ax, problems, title=title)
    colored = sheet.color([names[i] for i in order], "best final medians")
    counts = histories.n_runs[np.ix_(rows, columns)]
    how = f"median of {runs_text(counts[counts > 0])}"
    if ends is not None and counts.max() > 1:
        how += f", band from the {ends[0]:g} to the {ends[1]:g} quantile"
    sheet.caption("" if len(rows) > 1 else problems[0], joined(how, colored))
    sheet.add("cutpoints", [])
    sheet.add("ends", [])
    for panel, row, curves in zip(sheet.axes, rows, panels, strict=True):
        sheet.draw(panel, curves)
        _scale_values(panel, curves, may_be_0=is_error)
        evaluations = histories.evaluations[row]
        budget = float(evaluations[-1])
        early = bool(np.median(evaluations) < budget / 10)
        scale_numbers(panel, float(evaluations[0]) if early else 0.0, budget, log=early)
        for share in np.arange(1, (n_cuts or 0) + 1) / (n_cuts or 1):
            if share * budget >= panel.get_xlim()[0]:
                line = panel.axvline(share * budget, label=plural(n_cuts or 0, "cut-point"), **_CUT)
                sheet.add("cutpoints", line)
        for curve in curves if panel.get_yscale() == "symlog" else ():
            if curve.y[-1] <= 0 and curve.name in sheet.chosen:
                style = style_of(curve.number, markersize=7, markevery=None)
                first = int(np.argmax(curve.y <= 0))
                sheet.add("ends", panel.plot(curve.x[first], 0, zorder=4, **style), curve.about)
    explained: dict[str, Artist] = {}
    if sheet.parts["ends"]:
        explained["reaches an error of 0"] = sample("0.2", "none", "o", markersize=7)
    label = f"{measure or 'best value so far'}, {BETTER[histories.direction]}"
    if is_error:
        label = f"error{f' of {measure}' if measure not in ('', None, 'error') else ''}"
        label += ", lower is better"
    what = f"Convergence curves of the {label}"
    what += f", on {listed(problems)}" * (len(rows) > 1)
    return sheet.finish(("evaluations", label), what, explained=explained)


def _medians(
    histories: Histories,
    values: FloatArray,
    row: int,
    columns: Sequence[int],
    quantiles: tuple[float, float] | None,
) -> list[Curve]:
    """Return the medians of the algorithms that have runs on a problem, with their bands."""
    curves = []
    for number, column in enumerate(columns):
        runs = values[row, column, : int(histories.n_runs[row, column])]
        if len(runs):
            levels = [0.5, *(quantiles or ())] if len(runs) > 1 else [0.5]
            found = np.quantile(np.clip(runs, -_LARGEST, _LARGEST), levels, axis=0)
            name, last = histories.algorithms[column], format_number(float(found[0, -1]))
            about = Mark(f"{name} on {histories.problems[row]}: median {last} at the end", (name,))
            band = found[1:] if len(levels) > 1 else None
            curves.append(Curve(name, number, histories.evaluations[row], found[0], about, band))
    return curves


def _scale_values(ax: Axes, curves: Sequence[Curve], *, may_be_0: bool) -> None:
    """Make the axis of values logarithmic if they span much."""
    drawn = np.concatenate([np.vstack([c.y, *(() if c.band is None else c.band)]) for c in curves])
    least, largest = np.min(drawn, where=drawn > 0, initial=np.inf), float(drawn.max())
    is_log = largest > 10**_DECADES * least
    if drawn.min() > 0 or not may_be_0 or not is_log:
        ax.set_yscale("log" if is_log and drawn.min() > 0 else "linear")
        number_ticks(ax.yaxis)
        return
    least = 10.0 ** np.floor(np.log10(least))
    decades = np.log10(largest / least)
    ax.set_yscale("symlog", linthresh=least, linscale=max(0.5, 0.12 * decades))
    locator = SymmetricalLogLocator(linthresh=least, base=10)
    locator.set_params(numticks=7)
    ax.yaxis.set(major_locator=locator, minor_locator=NullLocator())
    ax.yaxis.set_major_formatter(number_text)
    ax.set_ylim(bottom=-0.2 * least)


def _checked_quantiles(given: object) -> tuple[float, float] | None:
    """Return the two quantile levels as numbers, or None; raise if they do not increase."""
    if given is None:
        return None
    ends = check_real(given, "quantiles")  # type: ignore[arg-type]
    if ends.shape != (2,) or not 0 <= ends[0] < ends[1] <= 1:
        raise ValueError(
            f"`quantiles` must be two increasing numbers from 0 to 1, or None; got {given!r}."
        )
    return float(ends[0]), float(ends[1])


# -------------------------------------------------------------------- runtime distributions


@figure(FixedTargets)
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
    columns = positions(algorithms, result.algorithms, "algorithms")
    scaled = groups == _DIMENSIONS
    if groups is None:
        rows = positions(problems, result.problems, "problems")
        parts = {result.problems[rows[0]] if len(rows) == 1 else "": rows}
    else:
        parts = _checked_groups(result, problems, groups)
    names = [result.algorithms[column] for column in columns]
    panels = {
        where: _steps(result, where, rows, columns, scaled=scaled) for where, rows in parts.items()
    }
    finals = np.mean([[curve.y[-1] for curve in curves] for curves in panels.values()], axis=0)
    order = np.argsort(-finals, kind="stable").tolist()
    sheet = Curves(ax, [*parts], title=title)
    colored = sheet.color([names[i] for i in order], "largest shares at the end")
    where = f"{plural(len(parts), 'group')} of problems"
    if len(parts) == 1:
        where = next(name or plural(len(rows), "problem") for name, rows in parts.items())
    sheet.caption(joined(where, *_how(result), colored))
    sheet.add("crosses", [])
    for panel, (group, curves) in zip(sheet.axes, panels.items(), strict=True):
        sheet.draw(panel, curves, drawstyle="steps-post")
        for curve in curves:
            column = columns[curve.number]
            at, _, ended = result.steps_of(parts[group], column, per_dimension=scaled)
            missed = np.sort(np.repeat(at, ended))
            if missed.size and curve.name in sheet.chosen:
                x = float(missed[(len(missed) - 1) // 2])  # the median of these runs
                y = float(curve.y[np.searchsorted(curve.x, x, side="right") - 1])
                color = style_of(curve.number)["color"]
                cross = panel.plot(x, y, "x", color=color, zorder=5, **_CROSS)
                sheet.add("crosses", cross, curve.about)
        low, high = curves[0].x[[0, -1]].tolist()
        scale_numbers(panel, low, high * (high / low) ** 0.03, log=True)  # room for crosses
        panel.set_ylim(-0.02, 1.02)
    explained = {"end of unsuccessful runs (median)": sample("0.3", "none", "x", **_CROSS)}
    return sheet.finish(
        ("evaluations / dimension" if scaled else "evaluations", _SHARE),
        f"Runtime distributions, the {_SHARE} that are reached by a number of evaluations",
        explained=explained if sheet.parts["crosses"] else None,
    )


def _checked_groups(
    result: FixedTargets, problems: object, groups: Mapping[str, Iterable[str]] | str
) -> dict[str, list[int]]:
    if problems is not None:
        raise ValueError("`problems` must be left out with `groups`, which names the problems.")
    if groups == _DIMENSIONS:
        sizes, of = np.unique(result.check_dimensions(), return_inverse=True)
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


def _steps(
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
        about = Mark(f"{name}{on}: {y[-1] * 100:.1f} % of the targets reached at the end", (name,))
        curves.append(Curve(name, number, x, y, about))
    return curves


def _how(result: FixedTargets) -> list[str]:
    """Return what the runs are, and the targets."""
    runs = f"{runs_text(result.n_runs)} each{', with simulated restarts' * result.restarts}"
    text = plural(result.n_targets, "target")
    if result.precisions is not None:
        ends = {f"{value:.4g}": None for value in result.precisions[[0, -1]].tolist()}
        text += f", {' to '.join(ends)} from the optimum"
    return [runs, text + " chosen from the data" * (result.chosen == QUANTILES)]
