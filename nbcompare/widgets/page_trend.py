"""PageTrendBuilder: which optimiser converges faster, under one's hands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from nbcompare import plots
from nbcompare._options import AUTO
from nbcompare._validation import check_count, shown
from nbcompare.histories import Histories
from nbcompare.results import ConvergenceComparison
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._rules import Rule, State, View
from nbcompare.widgets._screen import Details
from nbcompare.widgets._settings import Number, Place, Selected, Subset, Viewed, Word, Words
from nbcompare.words import PROCEDURES

# What compare_convergence() refuses
_RULES = (
    Rule("missing", ("raise",), lambda s: s.n_gaps > 0, "an algorithm has no run on {gaps}"),
    Rule(
        "optimum_tolerance",
        lambda _, value: value is not None,
        lambda s: not s.optimum,
        "the histories have no known optimum",
    ),
    Rule(
        "version", ("alternative",), lambda s: not s.optimum, "the histories have no known optimum"
    ),
    Rule(
        "differences",
        ("log",),
        lambda s: not s.optimum and not s.errors,
        "the optimum is not known, and not all values are positive and to be minimized",
    ),
    Rule(
        "adjust",
        (*(name for name, procedure in PROCEDURES.items() if procedure.all_pairs_only), AUTO),
        lambda _: True,
        "A over B and B over A are two hypotheses here, which it does not know of",
    ),
    Rule(
        "problem",
        lambda s, word: word is not None and word not in s.problems,
        lambda _: True,
        "the problem is not selected",
    ),
)


def check_tolerance(value: object, argument: str) -> float:
    """A finite number of at least 0."""
    if not isinstance(value, bool) and isinstance(value, Real) and 0 <= float(value) < math.inf:
        return float(value)
    raise ValueError(f"`{argument}` must be a number of at least 0; got {shown(value)}.")


def _no_ranks(builder: PageTrendBuilder) -> str:
    known = builder.result.algorithms
    absent = [name for name in builder._cell() if name not in known]
    return f"{' and '.join(absent)} not selected" if absent else ""


def _no_curves(builder: PageTrendBuilder) -> str:
    if reason := _no_ranks(builder):
        return reason
    data, problem = builder.selection, builder._problem()
    gaps = data.missing[data.problems.index(problem)]
    absent = [name for name in builder._cell() if gaps[data.algorithms.index(name)]]
    return f"no run of {' and '.join(absent)} on {problem}" if absent else ""


class PageTrendBuilder(Builder):
    """Compare the convergence of optimisers, by hand: controls, heat map, and code.

    As :class:`CDDiagramBuilder`, for :func:`nbcompare.compare_convergence`; behind a chosen
    cell stand the ranks that rise where the one is faster, and the curves of the two.

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
    >>> builder = nbc.PageTrendBuilder(nbc.datasets.load("convergence_de"), version="basic")
    >>> builder.cutpoints = 5
    >>> builder.adjust = "holm"
    >>> builder.result
    <ConvergenceComparison: 7 algorithms, 38 problems, 5 cut-points, exchange null: of 42 ordered
     pairs 18 by basic ranks rejected>
    >>> print(builder.code)
    import nbcompare as nbc
    <BLANKLINE>
    histories = nbc.datasets.load("convergence_de")
    result = nbc.compare_convergence(histories, cutpoints=5, version="basic", adjust="holm")
    nbc.plots.trend_heatmap(result)
    """

    cutpoints = Number("cutpoints", check=partial(check_count, least=3), step=1, label="Cut-points")
    version = Word("version")
    null = Word("null", optional=True, label="Null hypothesis")
    optimum_tolerance = Number("optimum_tolerance", check=check_tolerance, optional=True)
    aggregate = Word("aggregate")
    differences = Word("differences")
    adjust = Words("convergence.adjust", optional=True, label="Adjustment")
    alpha = Number("convergence.alpha", label="Alpha")
    formulas = Word("formulas")
    missing = Word("convergence.missing", label="Missing runs")
    view = Viewed(label="Figure", help="what is drawn")
    algorithms = Subset("Algorithms", "k")
    problems = Subset("Problems", "n")
    pair = Selected(label="Cell", help="which faster than which; its ranks and curves are shown")
    problem = Place("problems", label="Curves on problem", help="the problem they are shown of")

    _data_name = "histories"
    _function = "compare_convergence"
    _detailed = ("pair", "problem")
    _rules = _RULES
    _views: ClassVar[Mapping[str, View]] = {
        "heatmap": View("heat map of p-values", plots.trend_heatmap),
        "ranks": View(
            "ranks of the cell",
            plots.trend_ranks,
            lambda builder: builder._ranks(),
            unavailable=_no_ranks,
        ),
        "curves": View(
            "curves of the cell",
            plots.convergence_curves,
            lambda builder: builder._curves(),
            of="data",
            unavailable=_no_curves,
        ),
    }

    def __init__(self, histories: Histories, **settings: Any) -> None:
        super().__init__(histories, **settings)

    @property
    def histories(self) -> Histories:
        """The histories; setting others begins anew with all of their algorithms and problems."""
        histories: Histories = self.data
        return histories

    @histories.setter
    def histories(self, histories: Histories) -> None:
        self.data = histories

    def _checked(self, data: Any) -> Histories:
        if not isinstance(data, Histories):
            raise TypeError(
                f"`histories` must be a Histories; got {shown(data)}. Make one with "
                "Histories.from_frame(frame, ...) or Histories.read(path, ...)."
            )
        return data

    def _facts(self) -> Mapping[str, Any]:
        data: Histories = self.selection
        known = data.values[~np.isnan(data.values)]
        without = np.flatnonzero(np.asarray(data.missing.any(axis=1)))
        gaps = [data.problems[place] for place in without]
        told = f"{gaps[0]} and {len(gaps) - 1} more" if len(gaps) > 2 else " and ".join(gaps)
        return {
            "optimum": data.optimum is not None,
            "errors": data.direction == "minimize" and bool((known > 0).all()),
            "gaps": told,
            "n_gaps": len(gaps),
        }

    def _seconds(self, state: State) -> float:
        """By ordered pairs, problems and cut-points, as measured, roughly."""
        pairs = len(state.algorithms) * (len(state.algorithms) - 1)
        return float(3e-6 * pairs * len(state.problems) * state.cutpoints)

    # ----------------------------------------------------------------------- one cell

    def _p(self) -> dict[tuple[str, str], str]:
        """The p-value of every cell as text, the smallest first."""
        result: ConvergenceComparison = self.result
        version, names = result.versions[-1], result.algorithms
        p = result.decisive(version)
        return {
            (names[row], names[column]): result._p(version, row, column, p)
            for row, column in result._cells(version)
        }

    def _cell(self) -> tuple[str, str]:
        """The faster and the slower algorithm that are looked at."""
        pair: tuple[str, str] = self.pair or next(iter(self._p()))
        return pair

    def _problem(self) -> str:
        """The problem whose curves are shown."""
        problem: str = self.problem or self.result.design.datasets[0]
        return problem

    def _ranks(self) -> dict[str, Any]:
        faster, slower = self._cell()
        return {"faster": faster, "slower": slower}

    def _curves(self) -> dict[str, Any]:
        return {
            "problem": self._problem(),
            "algorithms": self._cell(),
            "cutpoints": self.cutpoints,
        }

    def _details(self) -> Details:
        result: ConvergenceComparison = self.result
        p, pair = self._p(), self._cell()
        entries = [
            (cell, f"p = {text}: {cell[0]} faster than {cell[1]}") for cell, text in p.items()
        ]
        if pair not in p:
            return Details("pair", entries, None, ["Not both of these algorithms are selected."])
        version = result.versions[-1]
        row, column = map(result.algorithms.index, pair)
        decided = "rejected" if result.tests[version].rejected[row, column] else "not rejected"
        told = (
            f"That {pair[0]} converges no faster than {pair[1]} is {decided} at "
            f"α = {result.alpha:g} (p = {p[pair]}, {version} ranks)."
        )
        return Details("pair", entries, pair, [told, *self._evidence()])

    def _evidence(self) -> list[plots.Plot | str]:
        """Ranks and curves of the cell, but what is the figure already; kept while they stand."""
        shown: list[plots.Plot | str] = []
        for name in ("ranks", "curves"):
            view, reason = self._views[name], self._not_drawn(name)
            if reason:
                shown.append(f"There are no {view.label}: {reason}.")
            elif self._drawn_view() != name:
                key = (name, *view.takes(self).values(), *self._key())
                if key not in self._parts:
                    of = self.result if view.of == "result" else self.selection
                    self._keep(self._parts, key, view.draw(of, **view.takes(self)))
                shown.append(self._parts[key])
        return shown
