"""The analysis of each unit: folds and runs of one data set, and items of benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, cast

from nbcompare._options import default
from nbcompare._validation import listed, shown
from nbcompare.analysis._within import show_ratio
from nbcompare.analysis.crossval import compare_cv
from nbcompare.analysis.items import compare_items
from nbcompare.analysis.runs import compare_runs
from nbcompare.experiment import Experiment
from nbcompare.results import WithinComparison

_SHARED = ("control", "adjust", "alpha", "missing")  # with the comparison over data sets
_OF_UNIT: Mapping[str, Callable[..., Any]] = {
    "folds": compare_cv,
    "items": compare_items,
    "runs": compare_runs,
}


def shows_ratio(experiment: Experiment) -> bool:
    """Return whether folds of one data set show how the data were split, so that compare works."""
    return show_ratio(experiment.n_runs, experiment.n_folds)


def is_within(experiment: Experiment) -> bool:
    """Return whether ``compare`` compares within one data set, or on items, and not over data sets.

    Intervals are compared over data sets only.
    """
    return experiment.unit != "datasets" and not experiment.is_interval


def compare_within(experiment: Experiment, options: Mapping[str, Any]) -> WithinComparison:
    """Compare on one data set, or on items, by what one score is another one of."""
    function = _OF_UNIT[experiment.unit or ""]
    shared = [name for name in _SHARED if name in signature(function).parameters]
    for name, value in options.items():
        if name not in shared and value is not default(name) and value != default(name):
            raise ValueError(
                f"`{name}` must be left out with {experiment.unit}, which {function.__name__} "
                f"compares by {listed(shared)} alone; got {shown(value)}."
            )
    given = {name: options[name] for name in shared}
    return cast("WithinComparison", function(experiment, **given))
