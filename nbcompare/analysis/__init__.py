"""Analyses that turn an experiment into a result by means of the statistics."""

from nbcompare.analysis.aggregates import aggregate_runs
from nbcompare.analysis.average_ranks import rank_intervals
from nbcompare.analysis.bayesian import compare_bayesian
from nbcompare.analysis.conditions import check_conditions
from nbcompare.analysis.contrast import contrast_estimation
from nbcompare.analysis.convergence import compare_convergence
from nbcompare.analysis.crossval import compare_cv
from nbcompare.analysis.description import describe
from nbcompare.analysis.grouped import compare_by
from nbcompare.analysis.items import compare_items
from nbcompare.analysis.pair import compare_pair
from nbcompare.analysis.ranks import compare, compare_ranks
from nbcompare.analysis.recommend import recommend, recommend_histories
from nbcompare.analysis.runs import compare_runs
from nbcompare.analysis.signs import multiple_sign_test
from nbcompare.analysis.stochastic import compare_stochastic
from nbcompare.analysis.targets import fixed_targets
from nbcompare.analysis.varied import sensitivity

__all__ = [
    "aggregate_runs",
    "check_conditions",
    "compare",
    "compare_bayesian",
    "compare_by",
    "compare_convergence",
    "compare_cv",
    "compare_items",
    "compare_pair",
    "compare_ranks",
    "compare_runs",
    "compare_stochastic",
    "contrast_estimation",
    "describe",
    "fixed_targets",
    "multiple_sign_test",
    "rank_intervals",
    "recommend",
    "recommend_histories",
    "sensitivity",
]
