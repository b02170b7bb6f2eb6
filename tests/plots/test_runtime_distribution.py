"""Runtime distributions: shares of hits where they belong, crosses where budgets end."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import runtime_distribution

DE = nbc.datasets.load("convergence_de")
RESULT = nbc.fixed_targets(DE, precisions=[1, 1e-4, 1e-8])


def shares_of(plot):
    """Give what shares stand at heights, from the labels of the upright axis."""
    texts = [t for t in plot.artists["axis"] if hasattr(t, "get_text") and t.get_ha() == "right"]
    ticks = {float(text.get_text()): text.get_position()[1] for text in texts}
    slope, start = np.polyfit(list(ticks.values()), list(ticks), 1)
    return lambda y: start + slope * np.asarray(y)


@pytest.mark.parametrize("problems", [None, ["sphere (10)"], list(DE.problems[:5])])
def test_curves_rise_by_the_hits_of_each_point(problems):
    plot = runtime_distribution(RESULT, problems=problems)
    value = shares_of(plot)
    rows = [DE.problems.index(name) for name in problems or DE.problems]
    hits = DE.targets(precisions=[1, 1e-4, 1e-8]).evaluations[rows]
    assert len(plot.artists["curves"]) == 7
    for column, line in enumerate(plot.artists["curves"]):
        drawn = value(line.get_ydata())
        assert drawn.max() == pytest.approx(np.isfinite(hits[:, column]).mean(), abs=1e-6)
        assert (np.diff(drawn) >= -1e-9).all()
        x = np.asarray(line.get_xdata())
        # the axis is logarithmic from the first hit, or a tenth of the end, to the end
        last = DE.budgets.max()
        first = min(np.nanmin(hits), last / 10)
        at = first * (last / first) ** ((x - x.min()) / (x.max() - x.min()))
        for place in (0.3, 0.6, 0.9):
            number = first * (last / first) ** place
            reached = (hits[:, column] <= number).mean()
            assert drawn[at <= number * (1 + 1e-9)][-1] == pytest.approx(reached, abs=1e-6)


def test_a_cross_stands_where_the_budget_ends():
    plot = runtime_distribution(RESULT)
    value = shares_of(plot)
    for column, cross in enumerate(plot.artists["crosses"]):
        y = np.asarray(cross.get_ydata()) if hasattr(cross, "get_ydata") else None
        if y is not None and y.size:
            assert value(y).mean() == pytest.approx(RESULT.reached[column], abs=1e-6)
    assert len(plot.artists["crosses"]) == 7


def test_panels_of_groups():
    groups = {"sphere": ["sphere (10)", "sphere (30)"], "others": list(DE.problems[2:6])}
    plot = runtime_distribution(RESULT, groups=groups)
    assert [text.get_text() for text in plot.artists["problems"]] == list(groups)
    assert len(plot.artists["curves"]) == 14
    with pytest.raises(ValueError, match="must be left out with `groups`"):
        runtime_distribution(RESULT, groups=groups, problems=["sphere (10)"])
    with pytest.raises(TypeError, match="`groups` must map names"):
        runtime_distribution(RESULT, groups=["sphere (10)"])
    with pytest.raises(ValueError, match="sphere"):
        runtime_distribution(RESULT, groups={"a": ["spheer (10)"]})


def test_panels_by_dimension_over_evaluations_divided_by_it():
    plot = runtime_distribution(RESULT, groups="dimensions")
    sizes = [10, 30]
    assert [text.get_text() for text in plot.artists["problems"]] == [
        f"dimension {size}" for size in sizes
    ]
    texts = [t.get_text() for t in plot.artists["axis"] if hasattr(t, "get_text")]
    assert "evaluations / dimension" in texts
    hits = DE.targets(precisions=[1, 1e-4, 1e-8]).evaluations
    for size, lines in zip(sizes, np.split(np.array(plot.artists["curves"]), 2), strict=True):
        own = hits[DE.dimensions == size] / size
        last = DE.budgets.max() / size
        first = min(own[np.isfinite(own)].min(), last / 10)
        heights, shares = [], []
        for column, line in enumerate(lines):
            x = np.asarray(line.get_xdata())
            at = first * (last / first) ** ((x - x.min()) / (x.max() - x.min()))
            for place in (0.3, 0.6, 1.0):
                number = first * (last / first) ** place * (1 + 1e-9)
                heights.append(line.get_ydata()[at <= number][-1])
                shares.append((own[:, column] <= number).mean())
        slope, start = np.polyfit(heights, shares, 1)
        np.testing.assert_allclose(start + slope * np.array(heights), shares, atol=1e-6)
    with pytest.raises(ValueError, match="must be left out with `groups`"):
        runtime_distribution(RESULT, groups="dimensions", problems=["sphere (10)"])


def test_one_hit_of_all_runs_and_restarts_are_drawn():
    once = nbc.fixed_targets(
        nbc.Histories.from_array([[[[9, 1], [8, 1]]]], direction="minimize"), targets=[2]
    )
    assert len(runtime_distribution(once).artists["curves"]) == 1
    plot = runtime_distribution(nbc.fixed_targets(DE, precisions=[1, 1e-4], restarts=True))
    assert "with simulated restarts" in plot.alt


def test_some_algorithms_and_what_is_refused():
    plot = runtime_distribution(RESULT, algorithms=["jDE", "random search"])
    assert [text.get_text() for text in plot.artists["labels"]] == ["jDE", "random search"]
    with pytest.raises(ValueError, match="jDE"):
        runtime_distribution(RESULT, algorithms=["jde"])
    with pytest.raises(TypeError, match="fixed_targets"):
        runtime_distribution(DE)
