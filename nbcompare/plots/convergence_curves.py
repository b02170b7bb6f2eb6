"""Convergence curves: the best value so far over evaluations, problem by problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, SymmetricalLogLocator
from scipy.stats import rankdata

from nbcompare._arrays import FloatArray
from nbcompare._options import BETTER, MAXIMIZE
from nbcompare._render import format_number, plural
from nbcompare._validation import DataError, check_count, check_name, check_real, positions
from nbcompare.histories import Histories
from nbcompare.plots._curves import (
    Curve,
    Style,
    axes_height,
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
from nbcompare.plots._plot import Plot
from nbcompare.plots._sheet import figure, sample
from nbcompare.plots._ticks import number_text, number_ticks

_DECADES = 2  # an axis is logarithmic if the data span more than this
_SPAN = 1e-100  # from the largest value to the smallest one that is on a logarithmic axis
_LARGEST = 1e300  # of the values drawn, whose differences must be numbers
_CUT: dict[str, Any] = {"color": "0.6", "linestyle": (0, (1, 2)), "linewidth": 0.7}


@figure
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
    shares = None if cutpoints is None else check_count(cutpoints, "cutpoints", least=1)
    ends = _checked_quantiles(quantiles)
    for row in rows:
        if not histories.n_runs[row, columns].any():
            raise DataError(
                "`problem` must be one on which an algorithm has a run; none of those to draw has "
                f"one on {histories.problems[row]!r}."
            )
    is_error = histories.optimum is not None
    values = histories.errors() if is_error else histories.values
    sign = -1 if histories.direction == MAXIMIZE and not is_error else 1
    problems = [histories.problems[row] for row in rows]
    names = [histories.algorithms[column] for column in columns]
    panels = [_curves(histories, values, row, columns, ends) for row in rows]
    drawn = [curve for curves in panels for curve in curves]
    finals = [{curve.name: float(curve.y[-1]) for curve in curves} for curves in panels]
    ranks = rankdata([[sign * of.get(name, np.inf) for name in names] for of in finals], axis=1)
    order = np.argsort(ranks.mean(axis=0), kind="stable").tolist()
    chosen, colored = in_color([names[i] for i in order], "best final medians")
    counts = histories.n_runs[np.ix_(rows, columns)]
    how = f"median of {runs_text(counts[counts > 0])}"
    if ends is not None and any(curve.band is not None for curve in drawn):
        how += f", band from the {ends[0]:g} to the {ends[1]:g} quantile"
    where = plural(len(rows), "problem") if len(rows) > 1 else problems[0]
    sheet = small_panels(ax, problems, title=title)
    sheet.caption("" if len(rows) > 1 else where, joined(how, colored))
    sheet.add("cutpoints", [])
    sheet.add("ends", [])
    for panel, row, curves in zip(sheet.axes, rows, panels, strict=True):
        draw_curves(sheet, panel, curves, chosen)
        _scale_values(panel, curves, ticks=int(axes_height(sheet) / 0.25), may_be_0=is_error)
        evaluations = histories.evaluations[row]
        budget = float(evaluations[-1])
        early = bool(np.median(evaluations) < budget / 10)
        scale_evaluations(panel, float(evaluations[0]) if early else 0.0, budget, log=early)
        for share in np.arange(1, (shares or 0) + 1) / (shares or 1):
            if share * budget >= panel.get_xlim()[0]:
                sheet.add("cutpoints", panel.axvline(share * budget, **_CUT))
        for curve in curves if panel.get_yscale() == "symlog" else ():
            if curve.y[-1] <= 0 and curve.name in chosen:
                style = Style.of(curve.number).drawn() | {"markersize": 7, "markevery": None}
                first = int(np.argmax(curve.y <= 0))
                sheet.add("ends", panel.plot(curve.x[first], 0, zorder=4, **style), curve.about)
    explained: dict[str, Artist] = {}
    if shares is not None:
        explained[plural(shares, "cut-point")] = sample(_CUT["color"], _CUT["linestyle"])
    if sheet.parts["ends"]:
        explained["reaches an error of 0"] = sample("0.2", "none", "o", markersize=7)
    n_logs = sum(panel.get_yscale() != "linear" for panel in sheet.axes)
    some = f"; {n_logs} with a logarithmic axis" if n_logs else ""
    scale = " on a logarithmic axis" if n_logs == len(rows) else some
    told = [_finals(problem, of, sign) for problem, of in zip(problems, finals, strict=True)]
    labels = "evaluations", _axis_label(histories)
    begin = f"Curves of {labels[1]}, over evaluations{scale}. Convergence on {where}: {how}."
    alt = " ".join([begin, *told])
    return finish(sheet, drawn, chosen, labels, alt, explained=explained)


def _curves(
    histories: Histories,
    values: FloatArray,
    row: int,
    columns: Sequence[int],
    quantiles: tuple[float, float] | None,
) -> list[Curve]:
    """Return the curves of one problem; algorithms without a run there are left out."""
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


def _scale_values(ax: Axes, curves: Sequence[Curve], *, ticks: int, may_be_0: bool) -> None:
    """Make the axis of values logarithmic if they span much."""
    drawn = np.concatenate([np.vstack([c.y, *(() if c.band is None else c.band)]) for c in curves])
    least, largest = np.min(drawn, where=drawn > 0, initial=np.inf), float(drawn.max())
    if ((drawn <= 0).any() and not may_be_0) or not largest > 10**_DECADES * least:
        number_ticks(ax.yaxis)
        return
    if drawn.min() > _SPAN * largest:
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(numticks=ticks))
    else:
        least = max(10.0 ** np.floor(np.log10(least)), _SPAN * largest)
        decades = np.log10(largest / least)
        ax.set_yscale("symlog", linthresh=least, linscale=max(0.5, 0.12 * decades))
        locator = SymmetricalLogLocator(linthresh=least, base=10)
        locator.set_params(numticks=ticks)
        ax.yaxis.set_major_locator(locator)
        ax.set_ylim(bottom=-0.2 * least)
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(number_text)


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


def _axis_label(histories: Histories) -> str:
    measure = histories.measure
    if histories.optimum is None:
        return f"{measure or 'best value so far'}, {BETTER[histories.direction]}"
    return f"error{f' of {measure}' if measure not in ('', None, 'error') else ''}, lower is better"


def _finals(problem: str, medians: dict[str, float], sign: int) -> str:
    ordered = sorted(medians.items(), key=lambda item: sign * item[1])
    texts = [f"{name} {format_number(value)}" for name, value in ordered]
    return f"Final medians on {problem}, best first: {listed(texts)}."
