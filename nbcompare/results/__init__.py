"""Read-only, labelled results that display themselves."""

from nbcompare.results._json import MIME_TYPE, SCHEMA, digest
from nbcompare.results._methods import bibtex_of
from nbcompare.results._result import (
    Result,
    Rows,
    View,
    from_json,
    left_out,
    methods_in_latex,
    tables_of,
)
from nbcompare.results.aggregates import Estimates, Profiles, RunAggregates
from nbcompare.results.bayesian import BayesianComparison
from nbcompare.results.comparison import Comparison
from nbcompare.results.conditions import Conditions
from nbcompare.results.contrast import Contrast
from nbcompare.results.convergence import ConvergenceComparison, TrendTests
from nbcompare.results.crossval import CrossValidation, CrossValidationComparison
from nbcompare.results.description import Description, Statistic
from nbcompare.results.design import Design
from nbcompare.results.fixed_targets import FixedTargets
from nbcompare.results.grouped import GroupedComparison
from nbcompare.results.hypotheses import Hypotheses, OmnibusResult
from nbcompare.results.imprecise import FuzzyPValues, ImpreciseHypotheses
from nbcompare.results.items import EachBenchmark, ItemComparison
from nbcompare.results.labelled import Labelled
from nbcompare.results.letters import Letters
from nbcompare.results.pair import PairComparison
from nbcompare.results.plan import Needed, Plan
from nbcompare.results.power_study import PowerStudy, Shares
from nbcompare.results.rank_intervals import RankIntervals
from nbcompare.results.recommendation import OtherQuestion, Questions, Recommendation
from nbcompare.results.runs import RunComparison
from nbcompare.results.sensitivity import Sensitivity
from nbcompare.results.signs import MultipleSigns
from nbcompare.results.stochastic import StochasticComparison
from nbcompare.results.within import WithinComparison

__all__ = [
    "MIME_TYPE",
    "SCHEMA",
    "BayesianComparison",
    "Comparison",
    "Conditions",
    "Contrast",
    "ConvergenceComparison",
    "CrossValidation",
    "CrossValidationComparison",
    "Description",
    "Design",
    "EachBenchmark",
    "Estimates",
    "FixedTargets",
    "FuzzyPValues",
    "GroupedComparison",
    "Hypotheses",
    "ImpreciseHypotheses",
    "ItemComparison",
    "Labelled",
    "Letters",
    "MultipleSigns",
    "Needed",
    "OmnibusResult",
    "OtherQuestion",
    "PairComparison",
    "Plan",
    "PowerStudy",
    "Profiles",
    "Questions",
    "RankIntervals",
    "Recommendation",
    "Result",
    "Rows",
    "RunAggregates",
    "RunComparison",
    "Sensitivity",
    "Shares",
    "Statistic",
    "StochasticComparison",
    "TrendTests",
    "View",
    "WithinComparison",
    "bibtex_of",
    "digest",
    "from_json",
    "left_out",
    "methods_in_latex",
    "tables_of",
]
