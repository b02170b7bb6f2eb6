"""Settings of a builder are the options of its function, with the same defaults."""

import inspect

import pytest

import nbcompare as nbc
from nbcompare.widgets import CDDiagramBuilder, FuzzyPValueBuilder, PageTrendBuilder, PlanBuilder

# Arguments of functions that are attributes of a builder under other names, or are no options
OTHERS = {"experiment", "histories", "pilot", "direction"}


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        (CDDiagramBuilder, nbc.compare),
        (FuzzyPValueBuilder, nbc.compare_stochastic),
        (PageTrendBuilder, nbc.compare_convergence),
        (PlanBuilder, nbc.plan),
    ],
)
def test_every_option_of_the_function_is_a_setting(kind, function):
    traits = kind.class_traits()
    options = {
        name: argument.default
        for name, argument in inspect.signature(function).parameters.items()
        if name not in OTHERS
    }
    assert len(options) > 5
    for name, default in options.items():
        assert traits[name].default_value == default, name
        assert traits[name].help, name


def test_a_report_has_the_options_of_a_comparison():
    options = set(inspect.signature(nbc.compare).parameters) - OTHERS
    assert options < set(nbc.ReportBuilder.class_traits())
