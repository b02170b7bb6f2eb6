"""Figures of results. A figure computes nothing: the result holds everything that it shows."""

from nbcompare.plots._plot import Plot
from nbcompare.plots._save import SUFFIXES as SUFFIXES
from nbcompare.plots._save import save
from nbcompare.plots.cd_diagrams import cd_diagram, cd_diagrams, outcome_diagram
from nbcompare.plots.evaluations import convergence_curves, runtime_distribution
from nbcompare.plots.forests import interval_estimates, interval_forest
from nbcompare.plots.heatmaps import measure_heatmap, rank_heatmap
from nbcompare.plots.matrices import (
    contrast_matrix,
    improvement_matrix,
    posterior_matrix,
    pvalue_matrix,
)
from nbcompare.plots.membership import membership
from nbcompare.plots.multi_comparison_matrix import multi_comparison_matrix
from nbcompare.plots.overview import overview
from nbcompare.plots.pairs import pair_scatter
from nbcompare.plots.performance_profiles import performance_profiles
from nbcompare.plots.posterior_simplex import posterior_simplex
from nbcompare.plots.power import planning_curve, power_curves
from nbcompare.plots.rank_bars import rank_bars
from nbcompare.plots.sensitivity import sensitivity
from nbcompare.plots.trend import trend_heatmap

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
