"""Options are checked by one mechanism: no analysis takes a value that its option does not have."""

import dataclasses
import inspect
import itertools

import numpy as np
import pytest

import nbcompare as nbc

RNG = np.random.default_rng(0)
TABLE = nbc.Experiment.from_array(RNG.normal(size=(12, 3)), direction="maximize")
RUNS = nbc.Experiment.from_array(RNG.normal(size=(8, 3, 1, 4)), direction="maximize")
FOLDS = nbc.Experiment.from_array(
    RNG.normal(size=(1, 3, 10)), direction="maximize", unit="folds", datasets=["iris"]
)
ITEMS = nbc.Experiment.from_array(
    RNG.integers(0, 2, size=(1, 3, 40)), direction="maximize", unit="items", datasets=["qa"]
)
ONE = nbc.Experiment.from_array(
    RNG.normal(size=(1, 3, 1, 10)), direction="maximize", unit="runs", datasets=["iris"]
)
CURVES = nbc.Histories.from_array(
    np.minimum.accumulate(RNG.random((6, 3, 2, 12)) + 0.1, axis=3), direction="minimize"
)
ASKED = {
    "aggregate_runs": (RUNS,),
    "check_conditions": (TABLE,),
    "compare": (TABLE,),
    "compare_bayesian": (TABLE,),
    "compare_by": (TABLE,),
    "compare_convergence": (CURVES,),
    "compare_cv": (FOLDS,),
    "compare_items": (ITEMS,),
    "compare_pair": (TABLE, "A1", "A2"),
    "compare_runs": (ONE,),
    "compare_stochastic": (RUNS,),
    "contrast_estimation": (TABLE,),
    "describe": (TABLE,),
    "fixed_targets": (CURVES,),
    "multiple_sign_test": (TABLE, "A1"),
    "rank_intervals": (TABLE,),
    "recommend": (TABLE,),
    "sensitivity": (TABLE,),
}
WIDE = dataclasses.replace(TABLE, upper=TABLE.lower + 1)
GROUPS = {str(number): "ab"[number > 6] for number in range(1, 13)}
# What must be said for the option to be looked at
BESIDE = {
    "aggregate_runs-fill": {"missing": "worst"},
    "compare_bayesian": {"rope": 0.1},
    "compare_bayesian-dataset": {"rope": 0.1, "test": "correlated-t"},
    "compare_by": {"by": GROUPS},
    "fixed_targets": {"targets": "quantiles"},
}
NUMBERS = {"aggregate_runs-target", "aggregate_runs-fill", "fixed_targets-targets"}


def options_of(function):
    """Names of the options that a function checks by itself."""
    parameters = inspect.signature(getattr(nbc, function)).parameters
    named = {name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY}
    # the ratio of a Bayesian comparison needs the folds of a data set
    return named - {"direction", "experiment", "ratio" if function == "compare_bayesian" else ""}


@pytest.mark.parametrize("function", ASKED)
def test_an_unknown_value_is_refused_by_name(function):
    for name, value in itertools.product(options_of(function), ["no such word", -1.5, object()]):
        key = f"{function}-{name}"
        if value == -1.5 and key in NUMBERS:
            continue
        options = BESIDE.get(key, BESIDE.get(function, {}))
        with pytest.raises((ValueError, TypeError)) as caught:
            getattr(nbc, function)(*ASKED[function], **(options | {name: value}))
        assert f"`{name}`" in str(caught.value)
        assert len(str(caught.value)) > len(name) + 20


@pytest.mark.parametrize(
    "asked",
    [
        nbc.compare,
        nbc.recommend,
        nbc.check_conditions,
        nbc.aggregate_runs,
        lambda data: nbc.compare_cv(dataclasses.replace(data, unit="folds"), dataset="1"),
        lambda data: nbc.compare_cv("A1", "A2", experiment=data, dataset="1"),
    ],
)
def test_intervals_are_refused_where_ranks_and_tests_need_numbers(asked):
    with pytest.raises(nbc.DataError, match="`experiment` holds interval-valued scores"):
        asked(WIDE)


@pytest.mark.parametrize(
    "asked",
    [
        lambda data: nbc.compare_pair(data, "A1", "A2"),
        nbc.compare_stochastic,
        lambda data: nbc.compare_cv(dataclasses.replace(data, unit="folds"), dataset="1"),
    ],
)
def test_scores_too_large_to_be_added_are_refused(asked):
    scores = np.full((6, 2, 3), 1.0)
    scores[0, 0] = 1e300
    with pytest.raises(nbc.DataError, match=r"up to 1e\+280 in size; take a larger unit"):
        asked(nbc.Experiment.from_array(scores, direction="minimize"))
