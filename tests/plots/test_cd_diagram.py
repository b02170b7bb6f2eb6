"""The critical difference diagram: where ranks, names, bars and the critical difference are."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import cd_diagram


def names_of(plot):
    """Names best first, without what is added to them."""
    texts = [" ".join(text.get_text().split()) for text in plot.artists["names"]]
    return [text.removesuffix(" (control)") for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("best", ["left", "right"])
@pytest.mark.parametrize("k", [5, 20])
def test_leaders_begin_at_the_average_ranks(simulated, k, best):
    comparison = nbc.compare(simulated(30, k))
    plot = cd_diagram(comparison, best=best)
    ranks = comparison.average_ranks
    for name, line in zip(names_of(plot), plot.artists["leaders"], strict=True):
        assert line.get_xdata()[0] == pytest.approx(ranks[name])
    assert plot.ax.xaxis_inverted() == (best == "right")
    assert plot.ax.yaxis_inverted()
    low, high = sorted(plot.ax.get_xlim())
    assert low < min(ranks.values()) < max(ranks.values()) < high
    numbers = dict(zip(names_of(plot), plot.artists["ranks"], strict=True))
    assert {name: float(text.get_text()) for name, text in numbers.items()} == pytest.approx(
        ranks, abs=0.006
    )


@pytest.mark.parametrize("labels", ["both", "one"])
def test_leaders_do_not_cross(simulated, labels):
    plot = cd_diagram(nbc.compare(simulated(50, 14), adjust="nemenyi"), labels=labels)
    elbows = [line.get_xydata() for line in plot.artists["leaders"]]
    for (x, _), (_, y), (end, _) in elbows:
        for (other, _), (_, bottom), _ in elbows:
            inside = min(x, end) + 1e-9 < other < max(x, end) - 1e-9
            assert not (inside and y < bottom)


@pytest.mark.slow
def test_the_axis_shows_the_span_that_is_used(simulated):
    wide = cd_diagram(nbc.compare(simulated(30, 8, spread=3)))
    assert sorted(wide.ax.get_xlim()) == pytest.approx([0.72, 8.28])
    comparison = nbc.compare(simulated(300, 8, spread=0), adjust="nemenyi")
    low, high = sorted(cd_diagram(comparison).ax.get_xlim())
    assert comparison.critical_difference < high - low < 1.2
    alike = nbc.Experiment.from_array(np.ones((5, 4)), direction="minimize")
    plot = cd_diagram(nbc.compare(alike, adjust="nemenyi"))
    low, high = sorted(plot.ax.get_xlim())
    assert low < 2.5 < high
    assert len(plot.artists["bars"]) == 1


def test_demsar_figure_1a():
    ranks = nbc.datasets.load("demsar2006_ranks")
    comparison = nbc.compare(ranks, adjust="nemenyi", alpha=0.1, formulas="printed")
    plot = cd_diagram(comparison)
    groups = [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]
    for bar, group in zip(plot.artists["bars"], groups, strict=True):
        assert list(bar.get_xdata()) == [comparison.average_ranks[name] for name in group]
    bar, label = plot.artists["difference"]
    assert abs(np.diff(bar.get_xdata())) == pytest.approx(1.118, abs=5e-4)
    assert bar.get_xdata()[0] == plot.ax.get_xlim()[0]
    assert label.get_text() == "CD = 1.12"


@pytest.mark.slow
@pytest.mark.parametrize("k", [4, 20])
def test_the_interval_around_a_control(simulated, k):
    comparison = nbc.compare(simulated(30, k), control="A2", adjust="bonferroni", pairs="ranks")
    plot = cd_diagram(comparison)
    (drawn,) = plot.artists["difference"]
    ends = drawn.get_xdata() if k == 4 else (drawn.get_x(), drawn.get_x() + drawn.get_width())
    rank, distance = comparison.average_ranks["A2"], comparison.critical_difference
    assert list(ends) == pytest.approx([rank - distance, rank + distance])
    tests = comparison.hypotheses
    differing = {name for name, no in zip(tests.second, tests.rejected, strict=True) if no}
    for name, symbol in zip(names_of(plot), plot.artists["symbols"], strict=True):
        assert symbol.get_marker() == ("D" if name == "A2" else "o")
        assert symbol.get_xdata()[0] == pytest.approx(comparison.average_ranks[name])
        hollow = name != "A2" and name not in differing
        assert (symbol.get_markerfacecolor() == "white") == hollow
    assert plot.artists["bars"] == ()
    assert any("CD = " in text.get_text() for text in plot.artists["caption"])


@pytest.mark.slow
@pytest.mark.parametrize(("adjust", "k"), [("nemenyi", 12), ("nemenyi", 40), ("holm", 20)])
def test_bars_cover_their_groups_and_nobody_else(simulated, adjust, k):
    comparison = nbc.compare(simulated(60, k), pairs="ranks", adjust=adjust)
    plot = cd_diagram(comparison)
    groups = {frozenset(group) for group in comparison.groups if len(group) > 1}
    assert len(plot.artists["bars"]) == len(groups) > 1
    if k == 12:  # bars of several groups may be on one level
        found = {
            frozenset(n for n, r in comparison.average_ranks.items() if min(x) <= r <= max(x))
            for x in (bar.get_xdata() for bar in plot.artists["bars"])
        }
    else:
        row = {n: t.xy[1] for n, t in zip(names_of(plot), plot.artists["names"], strict=True)}
        found = {
            frozenset(n for n, y in row.items() if min(ys) <= y <= max(ys))
            for ys in (bar.get_ydata() for bar in plot.artists["bars"])
        }
    assert found == groups


def test_bars_on_one_level_do_not_touch(simulated):
    plot = cd_diagram(nbc.compare(simulated(60, 15), adjust="nemenyi"))
    levels = {}
    for bar in plot.artists["bars"]:
        levels.setdefault(bar.get_ydata()[0], []).append(sorted(bar.get_xdata()))
    assert 1 < len(levels) < len(plot.artists["bars"])
    for bars in levels.values():
        assert all(end[-1] < start[0] for end, start in pairwise(sorted(bars)))


def test_a_group_with_gaps_is_thick_only_at_its_members(simulated, check_legible):
    comparison = nbc.compare(simulated(30, 6, spread=1.5))
    a, b, c, d, _, f = comparison.ordered
    gaps = dataclasses.replace(comparison, groups=((a, c, d), (b, c), (d, f)))
    plot = cd_diagram(gaps)
    check_legible(plot)
    assert [bar.get_linestyle() for bar in plot.artists["bars"]] == ["--", "-", "--"]
    ranks = comparison.average_ranks
    for bar, group in zip(plot.artists["bars"], gaps.groups, strict=False):
        assert set(map(ranks.get, group)) <= set(bar.get_xdata())
    covered = [
        {n for n, r in ranks.items() if min(p.get_xdata()) <= r <= max(p.get_xdata())}
        for p in plot.artists["pieces"]
    ]
    assert covered == [{a}, {c, d}, {d}, {f}]
    texts = [text.get_text() for text in plot.artists["legend"][0].get_texts()]
    assert texts == ["no significant difference", "not of the group"]


def test_members_that_cannot_be_told_apart_stand_in_a_column(simulated):
    comparison = nbc.compare(simulated(30, 6, spread=1.5))
    a, b, *_ = comparison.ordered
    ranks = dict(comparison.average_ranks)
    near = nbc.results.Labelled(ranks | {b: ranks[a] + 0.01})
    close = dataclasses.replace(
        comparison, groups=((a, comparison.ordered[2]),), average_ranks=near
    )
    plot = cd_diagram(close)
    rows = [text.xy[1] for text in plot.artists["names"]]
    assert rows == sorted(set(rows))
    first, third = rows[0], rows[2]
    assert list(plot.artists["bars"][0].get_ydata()) == [first, third]


@pytest.mark.slow
@pytest.mark.parametrize("k", [12, 20])
def test_intervals_surround_the_ranks(simulated, check_legible, k):
    data = simulated(40, k)
    intervals, comparison = nbc.rank_intervals(data), nbc.compare(data, adjust="nemenyi")
    plot = cd_diagram(comparison, intervals=intervals)
    check_legible(plot)
    for name, line, dot in zip(
        comparison.ordered, plot.artists["intervals"], plot.artists["symbols"], strict=True
    ):
        assert list(line.get_xdata()) == [intervals.lower[name], intervals.upper[name]]
        assert dot.get_ydata()[0] == line.get_ydata()[0]
    first = comparison.ordered[0]
    ends = f"{intervals.lower[first]:.2f} to {intervals.upper[first]:.2f}"
    assert f"; 95 % interval {ends}." in plot.alt
    legend = [text.get_text() for text in plot.artists["legend"][0].get_texts()]
    assert "95 % confidence interval" in legend
    assert cd_diagram(comparison).artists["intervals"] == ()


def test_what_is_refused(simulated):
    data = nbc.datasets.load("demsar2006")
    comparison = nbc.compare(data)
    part = nbc.rank_intervals(data.select(algorithms=data.algorithms[:3]))
    with pytest.raises(
        ValueError, match=r"`intervals` must be of the algorithms .* of C4\.5, or none"
    ):
        cd_diagram(comparison, intervals=part)
    fewer = nbc.rank_intervals(data.select(datasets=data.datasets[:8]))
    with pytest.raises(ValueError, match="`intervals` must be of the algorithms and average ranks"):
        cd_diagram(comparison, intervals=fewer)
    aligned = nbc.compare(data, ranking="aligned")
    with pytest.raises(ValueError, match="ranking='friedman'"):
        cd_diagram(aligned, intervals=nbc.rank_intervals(data))
    with pytest.raises(TypeError, match=r"nbc\.rank_intervals\(experiment\)"):
        cd_diagram(comparison, intervals=comparison)
    with pytest.raises(ValueError, match=r"^`best` must be 'right' or 'left'; got 'top'\.$"):
        cd_diagram(comparison, best="top")
    message = (
        r"^`comparison` must have at most 200 groups without significant differences, each of "
        r"which would be a bar; got more\. plots\.pvalue_matrix shows every pair\.$"
    )
    with pytest.raises(ValueError, match=message):
        cd_diagram(dataclasses.replace(comparison, groups=None))
