"""PageTrendBuilder: which optimiser converges faster, under one's hands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from nbcompare import plots
from nbcompare._options import ALL_PAIRS_ONLY, AUTO
from nbcompare._render import format_p
from nbcompare._validation import check_count, shown
from nbcompare.histories import Histories
from nbcompare.results import ConvergenceComparison
from nbcompare.widgets._builder import Builder
from nbcompare.widgets._rules import Rule, State, View
from nbcompare.widgets._screen import Details
from nbcompare.widgets._settings import Number, Selected, Subset, Word, Words

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
        (*ALL_PAIRS_ONLY, AUTO),
        lambda _: True,
        "A over B and B over A are two hypotheses here, which it does not know of",
    ),
)


def check_tolerance(value: object, argument: str) -> float:
    """A finite number of at least 0."""
    if not isinstance(value, bool) and isinstance(value, Real) and 0 <= float(value) < math.inf:
        return float(value)
    raise ValueError(f"`{argument}` must be a number of at least 0; got {shown(value)}.")


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
    result : ConvergenceComparison
        What ``compare_convergence`` gives with these settings.
    figure : Plot
        The heat map of p-values.
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
    algorithms = Subset("Algorithms", "k")
    problems = Subset("Problems", "n")
    pair = Selected(label="Cell", help="which faster than which; its ranks and curves are shown")

    _data_name = "histories"
    _function = "compare_convergence"
    _order = (
        "cutpoints",
        "version",
        "null",
        "optimum_tolerance",
        "aggregate",
        "differences",
        "adjust",
        "alpha",
        "formulas",
        "missing",
        "algorithms",
        "problems",
        "pair",
    )
    _rules = _RULES
    _views: ClassVar[Mapping[str, View]] = {"heatmap": View("heat map", plots.trend_heatmap)}

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

    def _details(self) -> Details:
        result: ConvergenceComparison = self.result
        version = result.versions[-1]
        decisive = result.decisive(version)
        names = result.algorithms
        cells = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
        cells.sort(key=lambda cell: float(decisive[cell]))
        p = {(names[i], names[j]): float(decisive[i, j]) for i, j in cells}
        entries = [
            (pair, f"p = {_p(value)}: {pair[0]} faster than {pair[1]}") for pair, value in p.items()
        ]
        pair = self.pair if self.pair is not None else entries[0][0]
        if pair not in p:
            return Details("pair", entries, None, ["Not both of these algorithms are selected."])
        place = cells.index((names.index(pair[0]), names.index(pair[1])))
        decided = "rejected" if result.tests[version].rejected[cells[place]] else "not rejected"
        told = (
            f"That {pair[0]} converges no faster than {pair[1]} is {decided} at "
            f"α = {result.alpha:g} (p = {_p(p[pair])}, {version} ranks)."
        )
        return Details("pair", entries, pair, [told, *self._evidence(result, pair)])

    def _evidence(self, result: ConvergenceComparison, pair: tuple[str, str]) -> list[plots.Plot]:
        """The ranks of the pair, and its curves on the first problem; kept while they stand."""
        key = ("evidence", pair, *self._key())
        if key not in self._parts:
            data: Histories = self.selection
            problem = result.design.datasets[0]
            curves = plots.convergence_curves(
                data, problem, algorithms=pair, cutpoints=self.cutpoints
            )
            self._keep(self._parts, key, [plots.trend_ranks(result, *pair), curves])
        return list(self._parts[key])


def _p(value: float) -> str:
    return format_p(value, math.log10(value) if value > 0 else -math.inf)
