"""PageTrendBuilder: compare the convergence of optimisers with controls."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from nbcompare import plots
from nbcompare._render import stated_p
from nbcompare._validation import named
from nbcompare.analysis.rules import TREND_RULES, Rule, State, always, facts_of_histories
from nbcompare.results import ConvergenceComparison
from nbcompare.results.convergence import cells_by_p
from nbcompare.widgets._builder import HistoriesBuilder, HistoriesModel
from nbcompare.widgets._model import (
    Details,
    FigureKind,
    nearest_pair,
    shown_figure,
)
from nbcompare.widgets._settings import (
    SelectedName,
    SelectedPair,
    SettingsOf,
    Subset,
)
from nbcompare.words import PROCEDURES, TREND_NULLS

_OF = {"raw": "of values", "log": "of logarithms of errors"}
_PROBLEM = Rule(
    "problem",
    lambda s, word: word is not None and word not in s.problems,
    always,
    "the problem is not selected",
)


def _has_or_have(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _no_curves(model: ConvergenceModel) -> str:
    data, problem = model.selection, model.problem()
    gaps = data.missing[data.problems.index(problem)]
    absent = [name for name in model.cell() if gaps[data.algorithms.index(name)]]
    return f"{named(absent)} {_has_or_have(absent)} no run on {problem}" if absent else ""


class ConvergenceModel(HistoriesModel):
    """A comparison of how fast optimisers converge."""

    function = "compare_convergence"
    rules = (*TREND_RULES, _PROBLEM)
    detailed = ("pair", "problem")
    pair_noun = "cell"
    foremost = ("algorithms", "problems", "cutpoints", "alpha")
    figure_kinds: ClassVar[Mapping[str, FigureKind]] = {
        "heatmap": FigureKind(
            "heat map of p-values",
            plots.trend_heatmap,
            effect="shows the p-value of every ordered pair of algorithms",
        ),
        "ranks": FigureKind(
            "ranks of the cell",
            plots.trend_ranks,
            lambda model: model.ranks(),
            effect="shows how the ranks of one pair go over the cut-points",
        ),
        "curves": FigureKind(
            "curves of the cell",
            plots.convergence_curves,
            lambda model: model.curves(),
            of="data",
            unavailable=_no_curves,
            effect="shows the best values of one pair on a problem",
        ),
    }

    def facts(self) -> Mapping[str, Any]:
        """Return what is missing of the selected data, and what is known."""
        return facts_of_histories(self.selection)

    def seconds(self, state: State) -> float:
        """Return the time by ordered pairs, problems and cut-points, as measured, roughly."""
        pairs = len(state.algorithms) * (len(state.algorithms) - 1)
        return float(3e-6 * pairs * len(state.problems) * state.cutpoints)

    def design(self) -> str:
        """Return the null hypothesis, the ranks, the differences and the adjustment."""
        result: ConvergenceComparison = self.result
        labels = [PROCEDURES[name].label for name in result.adjust]
        words = (
            TREND_NULLS[result.null].label,
            f"{' and '.join(result.versions)} ranks",
            f"differences {_OF[result.differences]}",
            f"{result.aggregate} of the runs",
            " and ".join(labels) or "raw p-values",
        )
        return ", ".join(words)

    def settled(self) -> Mapping[str, str]:
        """Return what ``auto`` and defaults stand for."""
        result: ConvergenceComparison = self.result
        tolerance = result.optimum_tolerance
        return {
            "version": " and ".join(result.versions),
            "null": result.null,
            "differences": result.differences,
            "adjust": ", ".join(PROCEDURES[name].label for name in result.adjust) or "none",
            "alpha": f"{result.alpha:g}",
            "optimum_tolerance": "none" if tolerance is None else f"{tolerance:g}",
        }

    # ----------------------------------------------------------------------- one cell

    def _p(self) -> dict[tuple[str, str], str]:
        """Return the p-value of every cell as an equation, the smallest first."""
        result: ConvergenceComparison = self.result
        version, names = result.versions[-1], result.algorithms
        return {
            (names[row], names[column]): stated_p(result.p_text(version, row, column))
            for row, column in cells_by_p(result, version)
        }

    def cell(self) -> tuple[str, str]:
        """Return the faster and the slower algorithm that are looked at."""
        cells = list(self._p())
        return cells[nearest_pair(self.choices.value("pair"), cells)]

    def problem(self) -> str:
        """Return the problem whose curves are shown."""
        problem: str = self.choices.value("problem") or self.result.design.datasets[0]
        return problem

    def ranks(self) -> dict[str, Any]:
        """Return which ranks are drawn."""
        faster, slower = self.cell()
        return {"faster": faster, "slower": slower}

    def curves(self) -> dict[str, Any]:
        """Return which curves are drawn."""
        return {
            "problem": self.problem(),
            "algorithms": self.cell(),
            "cutpoints": self.choices.value("cutpoints"),
        }

    def details(self) -> Details:
        """Return the cells, the selected one in a sentence, and the evidence behind it."""
        result: ConvergenceComparison = self.result
        p, pair = self._p(), self.cell()
        entries = [
            (cell, f"{text}: {result.claim.brief.format(a=cell[0], b=cell[1])}")
            for cell, text in p.items()
        ]
        version = result.versions[-1]
        row, column = map(result.algorithms.index, pair)
        decided = "rejected" if result.tests[version].rejected[row, column] else "not rejected"
        told = (
            f"That {result.claim.denial.format(a=pair[0], b=pair[1])} is {decided} at "
            f"α = {result.alpha:g} ({p[pair]}, {version} ranks)."
        )
        return Details("pair", entries, pair, [told, *self._evidence()])

    def _evidence(self) -> list[plots.Plot | str]:
        """Return ranks and curves of the cell, without what is the figure already."""
        shown: list[plots.Plot | str] = []
        for name in ("ranks", "curves"):
            kind, reason = self.figure_kinds[name], self.not_drawn(name)
            if reason:
                shown.append(f"There are no {kind.label}: {reason}.")
            elif self.drawn() != name:
                key = (name, *kind.takes(self).values(), *self.key())
                shown.append(self.parts.made(key, partial(self.draw, kind)))
        return shown


class PageTrendBuilder(HistoriesBuilder):
    """Compare the convergence of optimisers with controls, a heat map, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.compare_convergence`; behind a chosen
    cell stand the ranks that rise in favour of the one, and the curves of the two.

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
    view : {"heatmap", "ranks", "curves"}
        The p-values of all cells, or the ranks or the curves behind the cell.
    result : ConvergenceComparison
        What ``compare_convergence`` gives with these settings.
    figure : Plot
        The figure of the view.
    code : str
        Python that gives both again.

    Examples
    --------
    >>> import nbcompare as nbc
    >>> builder = nbc.PageTrendBuilder(
    ...     nbc.datasets.load("convergence_de"), optimum_tolerance=1e-8)
    >>> builder.cutpoints = 5
    >>> builder.result
    <ConvergenceComparison: 7 algorithms, 38 problems, 5 cut-points, exchange null: of 42 ordered
     pairs 10 by alternative ranks rejected>
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    histories = nbc.datasets.load("convergence_de")
    result = nbc.compare_convergence(histories, cutpoints=5, optimum_tolerance=1e-08)
    nbc.plots.trend_heatmap(result)
    """

    _compare_convergence = SettingsOf("compare_convergence")
    view = shown_figure(ConvergenceModel)
    algorithms = Subset("Algorithms", "k")
    problems = Subset("Problems", "n")
    pair = SelectedPair(
        label="Cell", help="the faster and the slower algorithm whose ranks and curves are shown"
    )
    problem = SelectedName(
        "problems", label="Curves on problem", help="the problem whose curves are shown"
    )

    _model_kind = ConvergenceModel
