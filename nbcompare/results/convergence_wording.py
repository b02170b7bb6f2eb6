"""Sentences and the table of the method for the comparison of convergence."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from nbcompare.results import _subject as subject
from nbcompare.words import DIFFERENCES, TREND_NULLS, TREND_RANKS

if TYPE_CHECKING:
    from nbcompare.results.convergence import ConvergenceComparison

_LAW = MappingProxyType({"exact": "exact distribution", "normal": "normal approximation"})


def method(result: ConvergenceComparison) -> tuple[tuple[str, str], ...]:
    """Return rows of the table of the method, for reproducing the result."""
    design = result.design
    k = len(result.algorithms)
    rows = [
        ("histories", f"{design.measure or 'best value so far'}, {design.better}"),
        ("runs", f"{runs(result)}"),
        ("cut-points", f"{result.cutpoints.shape[1]}, at regular shares of each problem's budget"),
        ("differences", _differences(result)),
        *((f"{version} ranks", TREND_RANKS[version].method) for version in result.versions),
        (
            "optimum",
            ""
            if result.optimum_tolerance is None
            else f"reached where the error is at most {result.optimum_tolerance:g}",
        ),
        ("statistic", "Page's L: sum over problems of cut-point times rank; large if ranks rise"),
        ("null hypothesis", TREND_NULLS[result.null].method),
        ("distribution of L", _laws(result)),
        ("critical L", _critical(result)),
        ("family", f"{k * (k - 1)} ordered pairs"),
        ("adjustment", subject.adjustments(result.adjust)),
        ("α", f"{result.alpha:g}; rejected if p ≤ α"),
        *subject.provenance(design),
    ]
    return tuple((what, how) for what, how in rows if how)


def _differences(result: ConvergenceComparison) -> str:
    method = DIFFERENCES[result.differences].method
    if result.differences == "log" and not has_errors(result):
        return method.replace("errors", "values")
    tolerance = result.optimum_tolerance
    if result.differences == "log" and tolerance:
        return f"{method}; errors below {tolerance:g} count as {tolerance:g}"
    return method


def runs(result: ConvergenceComparison) -> str:
    """Describe the runs, such as ``mean of 15 runs``."""
    differ = any(note.code == "runs-differ" for note in result.notes)
    if result.design.n_runs == 1:
        return "one run per problem"
    return f"{result.aggregate} of {'up to ' if differ else ''}{result.design.n_runs} runs"


def _critical(result: ConvergenceComparison) -> str:
    least = "no L is large enough" if result.critical_l is None else f"{result.critical_l:,.0f}"
    return f"{least}; of a single test of Page without ties, α = {result.alpha:g}"


def _laws(result: ConvergenceComparison) -> str:
    tests = next(iter(result.tests.values()))
    page = _LAW[tests.page_method]
    if result.formulas == "printed":
        page += ", as printed, for ranks without ties"
    return f"exchange: {_LAW[tests.exchange_method]}; Page: {page}"


def has_errors(result: ConvergenceComparison) -> bool:
    """Return whether optima are known, so that values are errors."""
    return result.optimum_tolerance is not None
