"""PageTrendBuilder: compare the convergence of optimisers with controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from nbcompare import plots
from nbcompare._validation import named
from nbcompare.analysis.rules import TREND_RULES, State, facts_of_histories
from nbcompare.plots import Plot
from nbcompare.widgets._builder import HistoriesBuilder, settings_for
from nbcompare.widgets._elements import Pair
from nbcompare.widgets._model import AnalysisModel, FigureKind
from nbcompare.widgets._settings import SelectedName


class ConvergenceModel(AnalysisModel):
    """A comparison of how fast optimisers converge."""

    function = "compare_convergence"
    rules = TREND_RULES
    detailed = ("pair", "problem")
    foremost = ("algorithms", "problems", "cutpoints", "alpha")
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "heatmap": FigureKind(
            "heat map of p-values",
            plots.trend_heatmap,
            effect="shows the p-value of every ordered pair of algorithms",
        ),
    }

    def facts(self) -> Mapping[str, Any]:
        """Return what is missing of the selected data, and what is known."""
        return facts_of_histories(self.selection)

    def seconds(self, state: State) -> float:
        """Return the time by ordered pairs, problems and cut-points, as measured, roughly."""
        pairs = len(state.algorithms) * (len(state.algorithms) - 1)
        return float(3e-6 * pairs * len(state.problems) * state.cutpoints)

    def evidence(self, pair: Pair) -> Sequence[str | Plot]:
        """Return the curves of the pair on a problem if both have runs there."""
        problem = self.choices.value("problem") or self.result.design.datasets[0]
        data = self.selection
        gaps = data.missing[data.problems.index(problem)]
        if absent := [name for name in pair if gaps[data.algorithms.index(name)]]:
            verb = "has" if len(absent) == 1 else "have"
            return [f"{named(absent)} {verb} no run on {problem}."]
        asked = {"problem": problem, "cutpoints": self.choices.value("cutpoints")}
        draw = plots.convergence_curves
        return [self.drawn_once(draw, data, algorithms=pair, **asked)]


class PageTrendBuilder(HistoriesBuilder):
    """Compare the convergence of optimisers with controls, a heat map, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.compare_convergence`; behind a chosen
    cell stand the curves of the two.

    Parameters
    ----------
    histories : Histories
        Best values so far.
    **settings
        Traits to begin with; without them, as ``compare_convergence`` has them.

    Attributes
    ----------
    cutpoints, version, null, optimum_tolerance, aggregate, differences, adjust, alpha : object
        As in :func:`nbcompare.compare_convergence`, like ``formulas`` and ``missing``.
    algorithms, problems : tuple of str
        What is selected, in the order of the histories; None stands for all.
    pair : tuple of str, optional
        The faster and the slower algorithm of the cell that is looked into; without it, the
        cell with the smallest p.
    problem : str, optional
        The problem whose curves are shown; the first without it.
    result : ConvergenceComparison
        What ``compare_convergence`` gives with these settings.
    figure : Plot
        The heat map of the p-values.
    code : str
        Python that gives both again.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.PageTrendBuilder(
    ...     nbc.datasets.load("convergence_de"), optimum_tolerance=1e-8)
    >>> builder.cutpoints = 5
    >>> builder.result
    <ConvergenceComparison: At the end of the runs, jDE has the best average rank of the seven
    algorithms on 38 problems (2.80; error, lower is better), before CMA-ES (basic) (2.88)>
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    histories = nbc.datasets.load("convergence_de")
    result = nbc.compare_convergence(histories, cutpoints=5, optimum_tolerance=1e-08)
    nbc.plots.trend_heatmap(result)
    """

    _model_kind = ConvergenceModel
    locals().update(settings_for(ConvergenceModel))

    problem = SelectedName(
        "problems", label="Curves on problem", help="the problem whose curves are shown"
    )
