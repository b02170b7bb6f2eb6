"""The diagram of outcomes: means where they are, bars over what is not rejected."""

import dataclasses
import itertools

import numpy as np
import pytest

from nbcompare.plots import membership, outcome_diagram, overview


@pytest.fixture
def result(simulated, stochastic):
    return stochastic(simulated(60, 8, spread=1), slack=0.1)


def value_of(plot):
    """A function from places to means, by the first and the last tick."""
    ticks = [item for item in plot.artists["axis"] if hasattr(item, "get_text")]
    at = [text.get_position()[0] for text in ticks]
    values = [float(text.get_text().replace("−", "-")) for text in ticks]
    slope = (values[-1] - values[0]) / (at[-1] - at[0])
    return lambda x: values[0] + slope * (np.asarray(x) - at[0])


def bars_of(plot):
    """Members of each bar by name, and whether it is hollow; best first."""
    elbows = [line.get_xydata() for line in plot.ax.lines if len(line.get_xdata()) == 3]
    # a line leads from the mean of each algorithm to its name
    at = {}
    for (x, _), _, (end, y) in elbows:
        side = [t for t in plot.artists["names"] if abs(t.get_position()[1] - y) < 1e-9]
        name = min(side, key=lambda text: abs(text.get_position()[0] - end))
        at[name.get_text().split(" ")[0]] = x
    squares = [line for line in plot.ax.lines if line.get_marker() == "s"]
    found = []
    for bar in plot.artists["bars"]:
        if hasattr(bar, "get_xy"):
            (low, y_low), (high, y_high) = bar.get_xy().min(axis=0), bar.get_xy().max(axis=0)
            members, hollow = {n for n, x in at.items() if low <= x <= high}, True
            assert y_high - y_low < 0.1
        elif bar.get_linestyle() == "-":
            low, high = sorted(bar.get_xdata())
            members, hollow = {n for n, x in at.items() if low <= x <= high}, False
        else:
            own = [s for s in squares if s.get_ydata()[0] == bar.get_ydata()[0]]
            own = [s for s in own if min(bar.get_xdata()) - 1e-6 <= s.get_xdata()[0]]
            own = [s for s in own if s.get_xdata()[0] <= max(bar.get_xdata()) + 1e-6]
            members = {n for n, x in at.items() for s in own if abs(s.get_xdata()[0] - x) < 1e-9}
            (face,) = {s.get_markerfacecolor() for s in own}
            hollow = face == "white"
        found.append((frozenset(members), hollow))
    return found


def test_solid_bars_are_groups_and_hollow_bars_open_groups(result):
    plot = outcome_diagram(result)
    groups = {frozenset(group) for group in result.groups if len(group) > 1}
    still = {frozenset(group) for group in result.open_groups if len(group) > 1} - groups
    assert groups
    assert still
    found = bars_of(plot)
    assert {members for members, hollow in found if not hollow} == groups
    assert {members for members, hollow in found if hollow} == still
    assert len(found) == len(groups) + len(still)


@pytest.mark.parametrize("seed", range(5))
def test_every_pair_can_be_read_off(simulated, stochastic, seed):
    result = stochastic(simulated(60, 8, spread=1, seed=seed), slack=0.1)
    found = bars_of(outcome_diagram(result))
    tests, seen = result.hypotheses, set()
    for first, second, outcome in zip(tests.first, tests.second, tests.outcome, strict=True):
        kinds = {hollow for members, hollow in found if {first, second} <= members}
        word = "rejected" if not kinds else "inconclusive" if min(kinds) else "not rejected"
        assert word == outcome
        seen.add(word)
    assert len(seen) == 3


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("best", ["left", "right"])
def test_means_stand_on_the_axis(result, direction, best):
    design = dataclasses.replace(result.design, direction=direction)
    result = dataclasses.replace(result, design=design)
    plot = outcome_diagram(result, best=best)
    to_value = value_of(plot)
    for name, line, mark in zip(
        result.ordered, plot.artists["intervals"], plot.artists["marks"], strict=True
    ):
        ends = result.mean_low[name], result.mean_high[name]
        assert sorted(to_value(line.get_xdata())) == pytest.approx(ends)
        assert to_value(mark.get_xdata()) == pytest.approx([sum(ends) / 2])
    x = [mark.get_xdata()[0] for mark in plot.artists["marks"]]
    assert x == sorted(x, reverse=best == "right")
    starts = [line.get_xdata()[0] for line in plot.ax.lines if len(line.get_xdata()) == 3]
    assert sorted(starts) == pytest.approx(sorted(x))


def test_intervals_on_one_lane_do_not_touch(simulated, stochastic):
    result = stochastic(simulated(200, 20), slack=0.2)
    lanes = {}
    for line in outcome_diagram(result).artists["intervals"]:
        lanes.setdefault(round(line.get_ydata()[0], 6), []).append(sorted(line.get_xdata()))
    assert 1 < len(lanes) < 10
    for intervals in lanes.values():
        for (_, end), (start, _) in itertools.pairwise(sorted(intervals)):
            assert start - end > 0.05


def test_marks_of_a_control(simulated, stochastic, check_legible):
    result = stochastic(simulated(60, 8, spread=1), control="A2", slack=0.1)
    plot = outcome_diagram(result)
    check_legible(plot)
    shown = {}
    for name, mark in zip(result.ordered, plot.artists["marks"], strict=True):
        shown[name] = mark.get_marker(), mark.get_markerfacecolor(), mark.get_fillstyle()
    assert shown.pop("A2")[0] == "D"
    style = {
        "rejected": ("o", "black", "full"),
        "not rejected": ("o", "white", "full"),
        "inconclusive": ("o", "black", "left"),
    }
    tests = result.hypotheses
    assert shown == {
        name: style[word] for name, word in zip(tests.second, tests.outcome, strict=True)
    }
    assert len(set(shown.values())) == 3
    assert plot.artists["bars"] == ()


@pytest.mark.parametrize("k", [2, 3, 20, 40])
@pytest.mark.parametrize("control", [None, "A1"])
@pytest.mark.parametrize("slack", [0.0, 0.05])
def test_any_number_of_algorithms_is_legible(
    simulated, stochastic, check_legible, k, control, slack
):
    check_legible(outcome_diagram(stochastic(simulated(100, k), control=control, slack=slack)))


@pytest.mark.parametrize("value", [0.0, 1e300])
def test_equal_means_are_joined(simulated, stochastic, check_legible, value):
    import nbcompare as nbc

    scores = nbc.Experiment.from_array(np.full((4, 3), value), direction="minimize")
    plot = outcome_diagram(stochastic(scores))
    check_legible(plot)
    assert len(plot.artists["bars"]) == 1


def test_more_groups_than_can_be_drawn(result):
    many = dataclasses.replace(result, open_groups=None)
    message = (
        r"^`result` must have at most 200 groups without significant differences, each of which "
        r"would be a bar; got more\. plots\.membership shows every pair\.$"
    )
    with pytest.raises(ValueError, match=message):
        outcome_diagram(many)
    assert list(overview(many).artists) == list(membership(many).artists)
    assert list(overview(result).artists) == list(outcome_diagram(result).artists)


def test_best_must_be_a_side(result):
    with pytest.raises(ValueError, match=r"^`best` must be 'right' or 'left'; got 'top'\.$"):
        outcome_diagram(result, best="top")


def test_alt_text_says_what_the_picture_says(simulated, stochastic):
    result = stochastic(simulated(100, 4, spread=1))
    result = dataclasses.replace(
        result, groups=(("A1", "A2"),), open_groups=(("A1", "A2"), ("A2", "A3", "A4"))
    )
    means = ", ".join(f"{name} {outcome_number(result, name)}" for name in result.ordered)
    assert outcome_diagram(result).alt == (
        "Outcome diagram (Bootstrap-B, Bonferroni, α = 0.05, 100 data sets). Mean score (lower is "
        f"better), best first: {means}. Groups in which every pair is not rejected: A1, A2. "
        "Groups in which no pair is rejected but some are inconclusive: A2, A3, A4."
    )
    plot = outcome_diagram(stochastic(simulated(100, 3, spread=3), control="A1"))
    assert plot.alt.endswith(
        "Against the control A1, rejected: A2, A3; not rejected: none; inconclusive: none."
    )


def outcome_number(result, name):
    low, high = (f"{ends[name]:.4g}" for ends in (result.mean_low, result.mean_high))
    return low if low == high else f"[{low}, {high}]"
