"""Statistical comparison of algorithms in a notebook.

The scores of several algorithms are compared by tests that a reviewer can check. A result
displays itself in the notebook and can be written to a report::

    import nbcompare as nbc
    experiment = nbc.Experiment.read("scores.csv", direction="maximize")
    nbc.compare(experiment, control="C4.5", adjust="holm")
"""

from __future__ import annotations

from nbcompare._version import __version__

# type checkers know this name; importing it from `typing` would slow down the import
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from IPython.core.interactiveshell import InteractiveShell

    from nbcompare import datasets, plots, stats, study
    from nbcompare._display import set_options
    from nbcompare._validation import DataError
    from nbcompare.analysis import (
        aggregate_runs,
        check_conditions,
        compare,
        compare_bayesian,
        compare_by,
        compare_convergence,
        compare_cv,
        compare_items,
        compare_pair,
        compare_ranks,
        compare_runs,
        compare_stochastic,
        contrast_estimation,
        describe,
        fixed_targets,
        multiple_sign_test,
        rank_intervals,
        recommend_histories,
        sensitivity,
    )
    from nbcompare.analysis.recommend import recommend  # the module has the same name
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories
    from nbcompare.project import Project, open_project
    from nbcompare.report.report import Report
    from nbcompare.results import (
        BayesianComparison,
        Comparison,
        Conditions,
        Contrast,
        ConvergenceComparison,
        CrossValidation,
        CrossValidationComparison,
        Description,
        FixedTargets,
        GroupedComparison,
        ItemComparison,
        MultipleSigns,
        PairComparison,
        Plan,
        PowerStudy,
        Questions,
        RankIntervals,
        Recommendation,
        RunAggregates,
        RunComparison,
        Sensitivity,
        StochasticComparison,
    )
    from nbcompare.study import plan
    from nbcompare.widgets import (
        CDDiagramBuilder,
        DataBuilder,
        FuzzyPValueBuilder,
        PageTrendBuilder,
        PlanBuilder,
        ReportBuilder,
        WithinBuilder,
        builder,
    )

__all__ = [
    "BayesianComparison",
    "CDDiagramBuilder",
    "Comparison",
    "Conditions",
    "Contrast",
    "ConvergenceComparison",
    "CrossValidation",
    "CrossValidationComparison",
    "DataBuilder",
    "DataError",
    "Description",
    "Experiment",
    "FixedTargets",
    "FuzzyPValueBuilder",
    "GroupedComparison",
    "Histories",
    "ItemComparison",
    "MultipleSigns",
    "PageTrendBuilder",
    "PairComparison",
    "Plan",
    "PlanBuilder",
    "PowerStudy",
    "Project",
    "Questions",
    "RankIntervals",
    "Recommendation",
    "Report",
    "ReportBuilder",
    "RunAggregates",
    "RunComparison",
    "Sensitivity",
    "StochasticComparison",
    "WithinBuilder",
    "__version__",
    "aggregate_runs",
    "builder",
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
    "datasets",
    "describe",
    "fixed_targets",
    "multiple_sign_test",
    "open_project",
    "plan",
    "plots",
    "rank_intervals",
    "recommend",
    "recommend_histories",
    "sensitivity",
    "set_options",
    "stats",
    "study",
]

# Public names are imported when they are first used (PEP 562), because scipy, pandas and
# matplotlib take seconds to load from a cold disk and a notebook seldom needs all of them.
_HOME = {
    "BayesianComparison": "nbcompare.results",
    "CDDiagramBuilder": "nbcompare.widgets",
    "Comparison": "nbcompare.results",
    "Conditions": "nbcompare.results",
    "Contrast": "nbcompare.results",
    "ConvergenceComparison": "nbcompare.results",
    "CrossValidation": "nbcompare.results",
    "CrossValidationComparison": "nbcompare.results",
    "DataBuilder": "nbcompare.widgets",
    "DataError": "nbcompare._validation",
    "Description": "nbcompare.results",
    "FixedTargets": "nbcompare.results",
    "Experiment": "nbcompare.experiment",
    "FuzzyPValueBuilder": "nbcompare.widgets",
    "GroupedComparison": "nbcompare.results",
    "Histories": "nbcompare.histories",
    "ItemComparison": "nbcompare.results",
    "MultipleSigns": "nbcompare.results",
    "PairComparison": "nbcompare.results",
    "PageTrendBuilder": "nbcompare.widgets",
    "Plan": "nbcompare.results",
    "PlanBuilder": "nbcompare.widgets",
    "PowerStudy": "nbcompare.results",
    "Project": "nbcompare.project",
    "Questions": "nbcompare.results",
    "RankIntervals": "nbcompare.results",
    "Recommendation": "nbcompare.results",
    "Report": "nbcompare.report.report",
    "ReportBuilder": "nbcompare.widgets",
    "RunAggregates": "nbcompare.results",
    "RunComparison": "nbcompare.results",
    "Sensitivity": "nbcompare.results",
    "StochasticComparison": "nbcompare.results",
    "WithinBuilder": "nbcompare.widgets",
    "aggregate_runs": "nbcompare.analysis",
    "builder": "nbcompare.widgets",
    "check_conditions": "nbcompare.analysis",
    "compare": "nbcompare.analysis",
    "compare_bayesian": "nbcompare.analysis",
    "compare_by": "nbcompare.analysis",
    "compare_convergence": "nbcompare.analysis",
    "compare_cv": "nbcompare.analysis",
    "compare_items": "nbcompare.analysis",
    "compare_pair": "nbcompare.analysis",
    "compare_ranks": "nbcompare.analysis",
    "compare_runs": "nbcompare.analysis",
    "compare_stochastic": "nbcompare.analysis",
    "contrast_estimation": "nbcompare.analysis",
    "describe": "nbcompare.analysis",
    "fixed_targets": "nbcompare.analysis",
    "multiple_sign_test": "nbcompare.analysis",
    "open_project": "nbcompare.project",
    "plan": "nbcompare.study",
    "rank_intervals": "nbcompare.analysis",
    "recommend": "nbcompare.analysis",
    "recommend_histories": "nbcompare.analysis",
    "sensitivity": "nbcompare.analysis",
    "set_options": "nbcompare._display",
}
_MODULES = ("datasets", "plots", "stats", "study")


def __getattr__(name: str) -> Any:
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"nbcompare.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'nbcompare' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics when a notebook runs ``%load_ext nbcompare``."""
    from nbcompare.magics import register

    register(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Take the magics away when a notebook runs ``%unload_ext nbcompare``."""
    from nbcompare.magics import unregister

    unregister(shell)
