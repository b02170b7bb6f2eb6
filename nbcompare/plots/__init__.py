"""Figures of results. A figure computes nothing: the result holds everything that it shows."""

from nbcompare.plots._plot import Plot
from nbcompare.plots._save import SUFFIXES as SUFFIXES
from nbcompare.plots._save import save
from nbcompare.plots.cd_diagrams import cd_diagram, cd_diagrams, outcome_diagram, overview
from nbcompare.plots.evaluations import convergence_curves, runtime_distribution
from nbcompare.plots.forests import interval_estimates, interval_forest, membership
from nbcompare.plots.heatmaps import measure_heatmap, rank_heatmap, sensitivity
from nbcompare.plots.matrices import (
    contrast_matrix,
    improvement_matrix,
    multi_comparison_matrix,
    posterior_matrix,
    pvalue_matrix,
    trend_heatmap,
)
from nbcompare.plots.pairs import pair_scatter, posterior_simplex
from nbcompare.plots.performance_profiles import performance_profiles
from nbcompare.plots.power import planning_curve, power_curves
from nbcompare.plots.rank_bars import rank_bars

__all__ = [
    "Plot",
    "cd_diagram",
    "cd_diagrams",
    "contrast_matrix",
    "convergence_curves",
    "improvement_matrix",
    "interval_estimates",
    "interval_forest",
    "measure_heatmap",
    "membership",
    "multi_comparison_matrix",
    "outcome_diagram",
    "overview",
    "pair_scatter",
    "performance_profiles",
    "planning_curve",
    "posterior_matrix",
    "posterior_simplex",
    "power_curves",
    "pvalue_matrix",
    "rank_bars",
    "rank_heatmap",
    "runtime_distribution",
    "save",
    "sensitivity",
    "trend_heatmap",
]
