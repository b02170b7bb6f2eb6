"""The critical difference diagram: what is drawn, where, and that nothing collides."""

import base64
import dataclasses
import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare.plots import cd_diagram

LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(40)]


@pytest.mark.parametrize("k", [2, 3, 4, 7, 10, 11, 20, 40])
@pytest.mark.parametrize("adjust", ["nemenyi", "holm"])
def test_nothing_overlaps_or_is_clipped(simulated, k, adjust, check_legible):
    check_legible(cd_diagram(nbc.compare(simulated(50, k), adjust=adjust)))


@pytest.mark.parametrize("k", [2, 5, 40])
@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
@pytest.mark.parametrize("best", ["left", "right"])
def test_nothing_overlaps_with_a_control(simulated, k, adjust, best, check_legible):
    comparison = nbc.compare(simulated(50, k), adjust=adjust, control="A1")
    check_legible(cd_diagram(comparison, best=best))


@pytest.mark.parametrize("k", [2, 8, 40])
@pytest.mark.parametrize("control", [None, LONG[0]])
def test_names_of_60_characters(simulated, k, control, check_legible):
    assert {len(name) for name in LONG} == {60}
    comparison = nbc.compare(simulated(50, k, names=LONG[:k]), control=control)
    plot = cd_diagram(comparison)
    check_legible(plot)
    drawn = {text.get_text().replace("\n", " ") for text in plot.artists["names"]}
    # pairs compared alone may make groups that letters tell
    plain = {re.sub(r" (\(control\)|\[[a-z ]+\])$", "", name) for name in drawn}
    assert plain == set(LONG[:k])


def test_unbroken_names_are_wrapped(simulated, check_legible):
    names = ["x" * 60, "y" * 60, "z" * 100]
    check_legible(cd_diagram(nbc.compare(simulated(30, 3, names=names))))


@pytest.mark.parametrize("k", [2, 6, 12])
def test_identical_ranks(k, check_legible):
    tied = nbc.Experiment.from_array(np.ones((5, k)), direction="minimize")
    for adjust in ("nemenyi", "holm"):
        plot = cd_diagram(nbc.compare(tied, adjust=adjust))
        check_legible(plot)
        assert len(plot.artists["bars"]) == 1
        assert plot.artists["difference"] == ()


def test_names_and_ticks_stand_at_the_average_ranks(simulated):
    comparison = nbc.compare(simulated(30, 5))
    plot = cd_diagram(comparison)
    axis = plot.artists["axis"][0].get_xdata()  # worst (5) on the left, best (1) on the right
    expected = sorted(comparison.average_ranks.values())
    leads = [line.get_xdata() for line in plot.ax.lines if len(line.get_xdata()) == 3]
    drawn = sorted(5 - 4 * (x[0] - axis[0]) / (axis[1] - axis[0]) for x in leads)
    assert drawn == pytest.approx(expected)


def test_lines_to_names_do_not_cross(simulated):
    plot = cd_diagram(nbc.compare(simulated(50, 21)))
    elbows = [line.get_xydata() for line in plot.ax.lines if len(line.get_xdata()) == 3]
    for i, one in enumerate(elbows):
        (x, _), (_, y), (end, _) = one
        for j, other in enumerate(elbows):
            if i == j:
                continue
            above, below = sorted((other[0][1], other[1][1]))
            inside = min(x, end) + 1e-9 < other[0][0] < max(x, end) - 1e-9
            assert not (inside and above < y < below)


def test_demsar_figure_1a():
    ranks = nbc.datasets.load("demsar2006_ranks")
    comparison = nbc.compare(ranks, adjust="nemenyi", alpha=0.1, formulas="printed")
    plot = cd_diagram(comparison)
    assert comparison.groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    assert len(plot.artists["bars"]) == 2
    axis = plot.artists["axis"][0].get_xdata()
    difference = plot.artists["difference"][0].get_xdata()
    in_ranks = 3 * (difference[1] - difference[0]) / (axis[1] - axis[0])
    assert in_ranks == pytest.approx(1.118, abs=5e-4)


def test_demsar_figure_1b_control():
    ranks = nbc.datasets.load("demsar2006_ranks")
    comparison = nbc.compare(ranks, control="C4.5", adjust="bonferroni", formulas="printed")
    plot = cd_diagram(comparison)
    axis = plot.artists["axis"][0].get_xdata()
    low, high = plot.artists["difference"][0].get_xdata()
    to_rank = [4 - 3 * (x - axis[0]) / (axis[1] - axis[0]) for x in (low, high)]
    # from 3.143 - 1.168 to the end of the axis
    assert to_rank == pytest.approx([4, 1.975], abs=1e-3)
    marks = [line for line in plot.ax.lines if line.get_marker() == "o"]
    assert [line.get_markerfacecolor() for line in marks].count("black") == 1


def test_groups_with_gaps_mark_their_members(simulated, check_legible):
    comparison = nbc.compare(simulated(30, 6, spread=1.5))
    a, b, c, d, _, f = comparison.ordered
    gaps = dataclasses.replace(comparison, groups=((a, c, d), (b, c), (d, f)))
    plot = cd_diagram(gaps)
    check_legible(plot)
    axis = plot.artists["axis"][0].get_xdata()
    squares = [line for line in plot.ax.lines if line.get_marker() == "s"]
    marked = sorted(6 - 5 * (s.get_xdata()[0] - axis[0]) / (axis[1] - axis[0]) for s in squares)
    members = sorted(comparison.average_ranks[name] for name in (a, c, d, d, f))
    assert marked == pytest.approx(members)
    labels = [text.get_text() for text in plot.artists["names"]]
    assert f"{a} [a]" in labels
    assert f"{c} [a b]" in labels
    dashed = [bar for bar in plot.artists["bars"] if bar.get_linestyle() == "--"]
    assert len(dashed) == 2


def test_solid_bars_cover_only_their_members(simulated):
    comparison = nbc.compare(simulated(60, 20), pairs="ranks")  # whose groups have no gaps
    plot = cd_diagram(comparison)
    elbows = [line.get_xdata() for line in plot.ax.lines if len(line.get_xdata()) == 3]
    places = sorted(float(x[0]) for x in elbows)  # worst on the left
    drawn = set()
    for bar in plot.artists["bars"]:
        low, high = sorted(bar.get_xdata())
        drawn.add(tuple(i for i, x in enumerate(places) if low <= x <= high))
    worst_first = comparison.ordered[::-1]
    groups = {
        tuple(sorted(worst_first.index(name) for name in group))
        for group in comparison.groups
        if len(group) > 1
    }
    assert drawn == groups


def test_bars_on_one_level_do_not_touch(simulated):
    plot = cd_diagram(nbc.compare(simulated(60, 40), adjust="nemenyi"))
    levels = {}
    for bar in plot.artists["bars"]:
        levels.setdefault(round(float(bar.get_ydata()[0]), 6), []).append(sorted(bar.get_xdata()))
    assert len(levels) > 1
    for bars in levels.values():
        bars.sort()
        for (_, end), (start, _) in pairwise(bars):
            assert start > end


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", r"C4.5_m & 100% $x$ \input{x}"])
def test_names_are_drawn_as_they_stand(simulated, name):
    plot = cd_diagram(nbc.compare(simulated(20, 3, names=[name, "b", "#let x = 1; *_"])))
    texts = [text.get_text() for text in plot.artists["names"]]
    assert name in [text.replace("\n", " ") for text in texts]
    assert not any(text.get_parse_math() for text in plot.artists["names"])
    data, _ = plot._repr_mimebundle_()
    ElementTree.fromstring(data["image/svg+xml"])
    assert "<script" not in data["image/svg+xml"]


def test_alt_text_says_what_the_picture_says():
    experiment = nbc.datasets.load("demsar2006")
    plot = cd_diagram(nbc.compare(experiment, adjust="nemenyi"))
    assert plot.alt == (
        "Critical difference diagram (p by the normal law, Nemenyi, α = 0.05, 14 data sets, "
        "CD = 1.19). Average ranks, best first: C4.5+m+cf 1.93, C4.5+m 2.00, C4.5+cf 2.93, "
        "C4.5 3.14. "
        "Groups without significant differences: C4.5+m+cf, C4.5+m, C4.5+cf; C4.5+m, C4.5+cf, C4.5."
    )
    plot = cd_diagram(nbc.compare(experiment, control="C4.5"))
    assert plot.alt.endswith("Significantly different from the control C4.5: C4.5+m+cf, C4.5+m.")


def test_displays_itself_as_svg_and_png_with_alternative_text(simulated):
    plot = cd_diagram(nbc.compare(simulated(30, 5)))
    data, metadata = plot._repr_mimebundle_(include=None, exclude=None)
    assert data["image/png"].startswith(b"\x89PNG")
    assert base64.b64encode(data["image/png"])
    assert data["text/plain"] == plot.alt
    assert metadata["image/svg+xml"]["alt"] == metadata["image/png"]["alt"] == plot.alt
    assert plot.figure.get_facecolor() == (1, 1, 1, 1)


def test_two_runs_give_the_same_bytes(simulated):
    one, two = (cd_diagram(nbc.compare(simulated(30, 5)))._repr_mimebundle_()[0] for _ in range(2))
    assert one == two
    assert not re.search(r"\d{4}-\d\d-\d\dT", one["image/svg+xml"])


def test_on_axes_that_were_given_it_shrinks_to_fit(simulated, check_legible):
    figure = Figure(figsize=(3, 2))
    ax = figure.add_subplot(1, 1, 1)
    plot = cd_diagram(nbc.compare(simulated(30, 8, names=LONG[:8])), ax=ax)
    assert plot.ax is ax
    assert plot.figure is figure
    assert plot._repr_mimebundle_() == {"text/plain": plot.alt}
    check_legible(plot)


def test_is_frozen_and_leaves_pyplot_alone(simulated):
    import sys

    plot = cd_diagram(nbc.compare(simulated(30, 3)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        plot.alt = "x"
    if "matplotlib.pyplot" in sys.modules:
        assert sys.modules["matplotlib.pyplot"].get_fignums() == []


def test_best_must_be_a_side(simulated):
    with pytest.raises(ValueError, match=r"^`best` must be 'right' or 'left'; got 'top'\.$"):
        cd_diagram(nbc.compare(simulated(5, 3)), best="top")


@pytest.mark.parametrize("k", [2, 5, 12])
@pytest.mark.parametrize("n", [3, 50, 500])
@pytest.mark.parametrize("ranking", ["aligned", "quade"])
def test_rankings_on_other_scales(simulated, n, k, ranking, check_legible):
    experiment = simulated(n, k)
    for options in ({"adjust": "nemenyi"}, {"control": "A1", "adjust": "bonferroni"}):
        comparison = nbc.compare(experiment, ranking=ranking, **options)
        plot = cd_diagram(comparison)
        check_legible(plot)
        axis = plot.artists["axis"][0].get_xdata()
        places = [line.get_xdata()[0] for line in plot.ax.lines if len(line.get_xdata()) == 3]
        assert min(axis) - 1e-9 <= min(places) <= max(places) <= max(axis) + 1e-9
        ticks = [text.get_text() for text in plot.artists["axis"] if hasattr(text, "get_text")]
        assert 2 <= len(ticks) <= 14
        assert plot.figure.get_size_inches()[0] < 20
        if options["adjust"] == "nemenyi":
            difference = plot.artists["difference"][0].get_xdata()
            tick_range = abs(int(ticks[-1]) - int(ticks[0]))
            share = (difference[1] - difference[0]) / (axis[1] - axis[0])
            if ranking == "aligned" or k <= 10:  # the axis ends with a labelled tick
                assert share == pytest.approx(comparison.critical_difference / tick_range)
    assert plot.alt.count("aligned") == (1 if ranking == "aligned" else 0)


def test_many_overlapping_groups_of_any_pattern(simulated, check_legible):
    comparison = nbc.compare(simulated(30, 14, spread=1.5))
    names = comparison.ordered
    # every third and every fourth one from each start: none is a run in rank order
    groups = tuple(names[i : i + 9 : 3] for i in range(8)) + tuple(
        names[i : i + 12 : 4] for i in range(6)
    )
    plot = cd_diagram(dataclasses.replace(comparison, groups=groups))
    check_legible(plot)
    bars = plot.artists["bars"]
    assert len(bars) == 14
    assert all(bar.get_linestyle() == "--" for bar in bars)
    # on every bar, squares stand at its members and nowhere else
    axis = plot.artists["axis"][0].get_xdata()
    ticks = [text.get_text() for text in plot.artists["axis"] if hasattr(text, "get_text")]
    low, high = min(map(int, ticks)), max(map(int, ticks))
    drawn = {}
    for line in plot.ax.lines:
        if line.get_marker() == "s":
            share = (line.get_xdata()[0] - axis[0]) / (axis[1] - axis[0])
            drawn.setdefault(round(line.get_ydata()[0], 6), []).append(high - share * (high - low))
    expected = sorted(comparison.average_ranks[name] for group in groups for name in group)
    assert sorted(rank for ranks in drawn.values() for rank in ranks) == pytest.approx(expected)
    ends = {(bar.get_ydata()[0], *sorted(bar.get_xdata())) for bar in bars}
    assert len(ends) == 14
    # a name lists the letters of its groups
    counts = {name: sum(name in group for group in groups) for name in names}
    labels = [text.get_text().replace("\n", " ") for text in plot.artists["names"]]
    letters = {label.split(" [")[0]: len(label.split("[")[1].split()) for label in labels}
    assert letters == counts


def test_more_groups_than_can_be_drawn(simulated):
    comparison = dataclasses.replace(nbc.compare(simulated(5, 3)), groups=None)
    message = (
        r"^`comparison` must have at most 200 groups without significant differences, each of "
        r"which would be a bar; got more\. plots\.pvalue_matrix shows every pair\.$"
    )
    with pytest.raises(ValueError, match=message):
        cd_diagram(comparison)


# ------------------------------------------------------------------------------- whiskers


def whiskers_of(plot):
    """Return the ends of the whiskers on the axis, by the lines that are drawn flat."""
    lines = [line for line in plot.artists["whiskers"] if len(set(line.get_ydata())) == 1]
    return [tuple(line.get_xdata()) for line in lines]


def test_whiskers_span_the_intervals_and_do_not_touch():
    data = nbc.datasets.load("demsar2006")
    intervals = nbc.rank_intervals(data)
    comparison = nbc.compare(data, adjust="nemenyi")
    plot = nbc.plots.cd_diagram(comparison, intervals=intervals)
    labels = {
        text.get_text(): text.get_position()[0]
        for text in plot.artists["axis"]
        if hasattr(text, "get_text")
    }
    per_rank = labels["1"] - labels["2"]
    spans = [abs(right - left) / per_rank for left, right in whiskers_of(plot)]
    expected = [intervals.upper[name] - intervals.lower[name] for name in comparison.ordered]
    assert spans == pytest.approx(expected, abs=1e-6)
    starts = [(labels["1"] - max(ends)) / per_rank + 1 for ends in whiskers_of(plot)]
    assert starts == pytest.approx([intervals.lower[n] for n in comparison.ordered], abs=1e-6)
    assert "C4.5 3.14 (2.47 to 3.65)" in plot.alt
    assert "95 % confidence interval" in " ".join(text.get_text() for text in plot.ax.texts)


def test_a_diagram_without_intervals_has_no_whiskers():
    comparison = nbc.compare(nbc.datasets.load("demsar2006"))
    assert nbc.plots.cd_diagram(comparison).artists["whiskers"] == ()


def test_intervals_of_other_data_are_refused():
    data = nbc.datasets.load("demsar2006")
    comparison = nbc.compare(data)
    part = nbc.rank_intervals(data.select(algorithms=data.algorithms[:3]))
    with pytest.raises(ValueError, match=r"`intervals` must be of the algorithms.*C4\.5\+m\+cf"):
        nbc.plots.cd_diagram(comparison, intervals=part)
    fewer = nbc.rank_intervals(data.select(datasets=data.datasets[:8]))
    with pytest.raises(ValueError, match="`intervals` must be of the average ranks"):
        nbc.plots.cd_diagram(comparison, intervals=fewer)
    aligned = nbc.compare(data, ranking="aligned")
    with pytest.raises(ValueError, match="ranking='friedman'"):
        nbc.plots.cd_diagram(aligned, intervals=nbc.rank_intervals(data))
    with pytest.raises(TypeError, match=r"nbc\.rank_intervals\(experiment\)"):
        nbc.plots.cd_diagram(comparison, intervals=comparison)
