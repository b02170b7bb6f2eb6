"""Convergence curves: the best value so far over evaluations, problem by problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from nbcompare._options import BETTER, MAXIMIZE
from nbcompare._render import format_number, plural
from nbcompare._validation import DataError, check_count, check_name, positions
from nbcompare.histories import Histories
from nbcompare.plots._curves import Panel, checked_quantiles, panel_of
from nbcompare.plots._frame import MARK
from nbcompare.plots._labels import Entry, wrapped
from nbcompare.plots._panels import WRAP, Panels
from nbcompare.plots._plot import Canvas, Plot

_MOST_TOLD = 12  # most curves of a problem in the alternative text


def convergence_curves(
    histories: Histories,
    problem: str | Iterable[str],
    *,
    algorithms: Iterable[str] | None = None,
    cutpoints: int | None = None,
    quantiles: tuple[float, float] | None = (0.25, 0.75),
    ax: Axes | None = None,
) -> Plot:
    """Draw the median of the runs over evaluations, with a band between two quantiles.

    If optima are known, the error is drawn, for which lower is better; otherwise the value
    itself, in its own direction. The vertical axis is logarithmic if everything drawn is
    positive and spans more than two powers of ten. An error of exactly 0 has no place on that
    axis: the curve falls to a floor below the axis that is labelled 0, and ends there with a
    mark, because the error remains 0; a band that reaches 0 ends at the floor. Evaluations are
    on a logarithmic axis if most points lie in the first tenth of the budget. Points are joined
    by straight lines.

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
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; the drawing shrinks to fit. By default, a new figure.

    Returns
    -------
    Plot
        Plot with the artists ``curves`` (medians, panel by panel in the order of the
        algorithms), ``bands``, ``marks`` (on the curves), ``ends`` (marks where an error of 0
        ends a curve), ``labels`` (at the ends of curves: names, or the numbers of the legend if
        there are several panels), ``cutpoints``, ``problems`` (titles of several panels),
        ``axis`` and ``legend``.

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
    ends = checked_quantiles(quantiles)
    for row in rows:
        if not histories.n_runs[row, columns].any():
            raise DataError(
                "`problem` must be one on which an algorithm has a run; none of those to draw has "
                f"one on {histories.problems[row]!r}."
            )
    values = histories.values if histories.optimum is None else histories.errors()
    panels = [panel_of(histories, values, row, columns, ends) for row in rows]
    names = [histories.algorithms[column] for column in columns]
    return _Curves(histories, panels, names, shares, ends).draw(ax)


class _Curves(Panels):
    """Drawing that is measured first and then drawn."""

    def __init__(
        self,
        histories: Histories,
        panels: Sequence[Panel],
        names: Sequence[str],
        cutpoints: int | None,
        quantiles: tuple[float, float] | None,
    ) -> None:
        self.histories, self.quantiles = histories, quantiles
        super().__init__(panels, names, cutpoints)

    # -------------------------------------------------------------------------- words

    @property
    def _error(self) -> bool:
        return self.histories.optimum is not None

    def _kind(self) -> str:
        measure = self.histories.measure
        if not self._error:
            return measure or "best value so far"
        return f"error of {measure}" if measure and measure != "error" else "error"

    def measure(self) -> str:
        better = "lower is better" if self._error else BETTER[self.histories.direction]
        suffix = "" if self.several else self.panels[0].y.suffix
        return f"{self._kind()}{suffix}, {better}"

    def across(self) -> str:
        suffix = "" if self.several else self.panels[0].x.suffix
        return f"evaluations{suffix}"

    def _runs(self) -> str:
        counts = {curve.runs for panel in self.panels for curve in panel.curves}
        least, most = min(counts), max(counts)
        return plural(most, "run") if least == most else f"{least} to {plural(most, 'run')}"

    def _band(self) -> str:
        if self.quantiles is None:
            return ""
        low, high = self.quantiles
        return f"from the {low:g} to the {high:g} quantile"

    def caption(self) -> list[str]:
        where = plural(len(self.panels), "problem") if self.several else self.panels[0].problem
        how = f"median of {self._runs()}"
        if any(curve.band is not None for panel in self.panels for curve in panel.curves):
            how += f", band {self._band()}"
        return [*wrapped(f"Convergence on {where}", WRAP).split("\n"), how]

    def legend(self) -> list[Entry]:
        entries = self.named()
        if self.cutpoints is not None:
            entries.append(Entry(plural(self.cutpoints, "cut-point"), _cutpoint_symbol))
        if any(panel.end(c) < len(c.median) - 1 for panel in self.panels for c in panel.curves):
            entries.append(Entry("reaches an error of 0", _end_symbol))
        return entries

    def alt(self) -> str:
        logs = sum(panel.y.log for panel in self.panels)
        scale = ""
        if logs:
            scale = " on a logarithmic axis"
            if logs < len(self.panels):
                scale = f"; {logs} with a logarithmic axis"
        *where, how = self.caption()
        told = " ".join(map(self._describe_finals, self.panels))
        return (
            f"Curves of {self.measure()}, over evaluations{scale}. {' '.join(where)}: {how}. {told}"
        )

    def _describe_finals(self, panel: Panel) -> str:
        """Return a sentence with the final medians, best first."""
        sign = -1 if self.histories.direction == MAXIMIZE and not self._error else 1
        finals = [(float(curve.median[-1]), self.names[curve.number]) for curve in panel.curves]
        finals.sort(key=lambda item: sign * item[0])
        told = [f"{name} {format_number(value)}" for value, name in finals[:_MOST_TOLD]]
        more = len(finals) - len(told)
        if more:
            told.append(f"{more} more")
        return f"Final medians on {panel.problem}, best first: {', '.join(told)}."


def _cutpoint_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    style = {"color": "0.6", "linestyle": (0, (1, 2))}
    return [canvas.line((x, x), (y - 0.07, y + 0.07), 0.9, **style)]


def _end_symbol(canvas: Canvas, x: float, y: float) -> Sequence[Artist]:
    return [
        canvas.line((x - 0.12, x + 0.12), (y + 0.05, y + 0.05), 0.8),
        canvas.marker(x, y + 0.05, "o", MARK + 2, filled=True),
    ]
