"""Where each name is from: type checkers read this, and so does the package."""

from nbcompare.analysis.aggregates import aggregate_runs as aggregate_runs
from nbcompare.analysis.bayesian import compare_bayesian as compare_bayesian
from nbcompare.analysis.comparison import compare as compare
from nbcompare.analysis.comparison import compare_by as compare_by
from nbcompare.analysis.convergence import compare_convergence as compare_convergence
from nbcompare.analysis.convergence import fixed_targets as fixed_targets
from nbcompare.analysis.crossval import compare_cv as compare_cv
from nbcompare.analysis.description import check_conditions as check_conditions
from nbcompare.analysis.description import describe as describe
from nbcompare.analysis.intervals import contrast_estimation as contrast_estimation
from nbcompare.analysis.intervals import rank_intervals as rank_intervals
from nbcompare.analysis.items import compare_items as compare_items
from nbcompare.analysis.pair import compare_pair as compare_pair
from nbcompare.analysis.ranks import compare_ranks as compare_ranks
from nbcompare.analysis.runs import compare_runs as compare_runs
from nbcompare.analysis.signs import multiple_sign_test as multiple_sign_test
from nbcompare.analysis.stochastic import compare_stochastic as compare_stochastic
from nbcompare.analysis.varied import sensitivity as sensitivity
