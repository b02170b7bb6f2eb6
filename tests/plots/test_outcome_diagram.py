"""The diagram of outcomes: means where they are, bars over what is not significant."""

import dataclasses

import pytest

from nbcompare.plots import membership, outcome_diagram, overview


@pytest.fixture
def result(simulated, stochastic):
    return stochastic(simulated(60, 8, spread=1), slack=0.1)


def bars_of(plot, names):
    """Members of each bar by name, and whether it is hollow: those at its thick pieces."""
    row = {name: text.xy[1] for name, text in zip(names, plot.artists["names"], strict=True)}
    pieces = [*plot.artists["bars"], *plot.artists.get("pieces", ())]
    found = {}
    for piece in pieces:
        if piece.get_linestyle() == "-":
            lane = round(float(piece.get_transform().transform((0.5, 0))[0]), 3)
            ys = piece.get_ydata()
            members = [name for name, y in row.items() if min(ys) <= y <= max(ys)]
            found.setdefault((lane, bool(piece.get_path_effects())), []).append(members)
    return found


@pytest.mark.parametrize("seed", range(2))
def test_every_pair_can_be_read_off(simulated, stochastic, seed):
    result = stochastic(simulated(60, 8, spread=1, seed=seed), slack=0.1)
    plot = outcome_diagram(result)
    groups = {frozenset(group) for group in result.groups if len(group) > 1}
    still = {frozenset(group) for group in result.open_groups if len(group) > 1} - groups
    assert len(plot.artists["bars"]) == len(groups) + len(still)
    found = {False: set(), True: set()}
    for (_, hollow), pieces in bars_of(plot, result.ordered).items():
        found[hollow].update(name for members in pieces for name in members)
    assert found[False] == set().union(*groups)
    assert found[True] == set().union(*still)


@pytest.mark.parametrize(
    ("direction", "best"), [("maximize", "left"), ("maximize", "right"), ("minimize", "left")]
)
def test_means_and_their_intervals_are_on_the_axis(result, direction, best):
    design = dataclasses.replace(result.design, direction=direction)
    result = dataclasses.replace(result, design=design)
    plot = outcome_diagram(result, best=best)
    parts = (plot.artists[part] for part in ("intervals", "symbols", "names"))
    for name, line, mark, text in zip(result.ordered, *parts, strict=True):
        ends = result.mean_low[name], result.mean_high[name]
        assert tuple(line.get_xdata()) == ends
        assert mark.get_xdata() == pytest.approx([sum(ends) / 2])
        assert mark.get_ydata()[0] == text.xy[1]
    x = [mark.get_xdata()[0] for mark in plot.artists["symbols"]]
    places = [plot.ax.transData.transform((it, 0))[0] for it in x]
    assert places == sorted(places, reverse=best == "right")


def test_marks_of_a_control(simulated, stochastic, check_legible):
    result = stochastic(simulated(60, 8, spread=1), control="A2", slack=0.1)
    plot = outcome_diagram(result)
    check_legible(plot)
    shown = {
        name: (mark.get_marker(), mark.get_markerfacecolor() != "white", mark.get_fillstyle())
        for name, mark in zip(result.ordered, plot.artists["symbols"], strict=True)
    }
    assert shown.pop("A2")[0] == "D"
    style = {
        "significant": ("o", True, "full"),
        "not significant": ("o", False, "full"),
        "inconclusive": ("o", True, "left"),
    }
    tests = result.hypotheses
    assert shown == {name: style[it] for name, it in zip(tests.second, tests.outcome, strict=True)}
    assert len(set(shown.values())) == 3
    assert plot.artists["bars"] == ()


def test_what_is_refused(result):
    many = dataclasses.replace(result, open_groups=None)
    message = (
        r"^`result` must have at most 200 groups without significant differences, each of which "
        r"would be a bar; got more\. plots\.membership shows every pair\.$"
    )
    with pytest.raises(ValueError, match=message):
        outcome_diagram(many)
    assert list(overview(many).artists) == list(membership(many).artists)
    assert list(overview(result).artists) == list(outcome_diagram(result).artists)
    with pytest.raises(ValueError, match=r"^`best` must be 'right' or 'left'; got 'top'\.$"):
        outcome_diagram(result, best="top")
