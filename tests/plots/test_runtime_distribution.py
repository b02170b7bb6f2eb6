"""Runtime distributions: shares of hits where they belong, crosses where budgets end."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import runtime_distribution

DE = nbc.datasets.load("convergence_de")
RESULT = nbc.fixed_targets(DE, precisions=[1, 1e-4, 1e-8])
HITS = DE.targets(precisions=[1, 1e-4, 1e-8]).evaluations


def reached(line, number):
    """The share at a number of evaluations, read from a step function."""
    assert line.get_drawstyle() == "steps-post"
    return line.get_ydata()[np.searchsorted(line.get_xdata(), number, side="right") - 1]


@pytest.mark.parametrize("problems", [None, ["sphere (10)"], list(DE.problems[:5])])
def test_curves_rise_by_the_hits_of_each_point(problems):
    plot = runtime_distribution(RESULT, problems=problems)
    rows = [DE.problems.index(name) for name in problems or DE.problems]
    assert len(plot.artists["curves"]) == 7
    assert plot.ax.get_xscale() == "log"
    for column, line in enumerate(plot.artists["curves"]):
        hits = HITS[rows, column]
        assert (np.diff(line.get_ydata()) >= 0).all()
        for number in np.geomspace(line.get_xdata()[0], DE.budgets.max(), 7) * (1 + 1e-9):
            assert reached(line, number) == pytest.approx((hits <= number).mean(), abs=1e-9)


def test_a_cross_stands_where_the_budget_ends():
    crosses = runtime_distribution(RESULT).artists["crosses"]
    assert len(crosses) == 7
    for column, cross in enumerate(crosses):
        assert cross.get_xdata()[0] == np.median(DE.budgets)
        assert cross.get_ydata()[0] == pytest.approx(RESULT.reached[column])


def test_panels_of_groups(check_legible):
    groups = {"sphere": ["sphere (10)", "sphere (30)"], "others": list(DE.problems[2:6])}
    plot = runtime_distribution(RESULT, groups=groups)
    check_legible(plot)
    check_legible(plot.narrower(3.5))
    assert [text.get_text() for text in plot.artists["titles"]] == list(groups)
    assert len(plot.artists["curves"]) == 14
    legend = [text.get_text() for text in plot.artists["legend"][0].get_texts()]
    assert legend == [*DE.algorithms, "end of unsuccessful runs (median)"]
    with pytest.raises(ValueError, match="must be left out with `groups`"):
        runtime_distribution(RESULT, groups=groups, problems=["sphere (10)"])
    with pytest.raises(TypeError, match="`groups` must map names"):
        runtime_distribution(RESULT, groups=["sphere (10)"])
    with pytest.raises(ValueError, match="sphere"):
        runtime_distribution(RESULT, groups={"a": ["spheer (10)"]})


def test_panels_by_dimension_over_evaluations_divided_by_it():
    plot = runtime_distribution(RESULT, groups="dimensions")
    assert [text.get_text() for text in plot.artists["titles"]] == ["dimension 10", "dimension 30"]
    assert plot.ax.get_xlabel() == "evaluations / dimension"
    for size, lines in zip((10, 30), np.split(np.array(plot.artists["curves"]), 2), strict=True):
        own = HITS[DE.dimensions == size] / size
        for column, line in enumerate(lines):
            for number in np.geomspace(line.get_xdata()[0], line.get_xdata()[-1], 4) * (1 + 1e-9):
                share = (own[:, column] <= number).mean()
                assert reached(line, number) == pytest.approx(share, abs=1e-9)


def test_one_hit_of_all_runs_and_restarts_are_drawn():
    once = nbc.Histories.from_array([[[[9, 1], [8, 1]]]], direction="minimize")
    plot = runtime_distribution(nbc.fixed_targets(once, targets=[2]))
    assert len(plot.artists["curves"]) == 1
    assert plot.artists["crosses"] == ()
    plot = runtime_distribution(nbc.fixed_targets(DE, precisions=[1, 1e-4], restarts=True))
    assert "with simulated restarts" in plot.alt


def test_some_algorithms_and_what_is_refused():
    plot = runtime_distribution(RESULT, algorithms=["jDE", "random search"])
    assert [text.get_text() for text in plot.artists["labels"]] == ["jDE", "random search"]
    with pytest.raises(ValueError, match="jDE"):
        runtime_distribution(RESULT, algorithms=["jde"])
    with pytest.raises(TypeError, match="fixed_targets"):
        runtime_distribution(DE)
