"""The figure of a plan: its curves, its answer, and its words."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare import plots


@pytest.fixture
def made(simulated, planned):
    """Give a plan of n data sets and k algorithms, the first ones much better."""

    def made(n=14, k=4, *, spread=2.0, names=None, **options):
        return planned(simulated(n, k, spread=spread, names=names), **options)

    return made


def texts(plot, part):
    return [" ".join(text.get_text().split()) for text in plot.artists[part]]


def legend_of(plot):
    return [text.get_text() for text in plot.artists["legend"][0].get_texts()]


def test_curves_are_those_of_the_plan(made):
    plan = made()
    plot = plots.planning_curve(plan)
    assert plan.n_significant == 2
    assert len(plot.artists["labels"]) == 1 + len(plan.first)
    for curve, row in zip(plot.artists["curves"], (None, *range(len(plan.first))), strict=True):
        expected = plan.curve(row)
        assert curve.get_xdata().tolist() == expected.sizes.tolist()
        assert curve.get_ydata().tolist() == expected.power.tolist()
    (band,) = plot.artists["band"]
    heights = band.get_paths()[0].vertices[:, 1]
    assert set(heights) >= {*plan.curve().lower.tolist(), *plan.curve().upper.tolist()}


def test_the_star_is_where_the_answer_is(made):
    plan = made()
    plot = plots.planning_curve(plan)
    line, star, number = plot.artists["answer"]
    assert star.get_xydata().tolist() == [[plan.n, plan.power]]
    assert line.get_xdata().tolist() == [plan.n] * 2
    assert number.get_text() == str(plan.n)
    assert plot.artists["pilot"][0].get_xdata() == [14, 14]
    assert legend_of(plot) == [
        "wanted power: 0.8",
        f"needed: {plan.n} data sets",
        "pilot: 14 data sets",
    ]


def test_the_answer_of_one_significant_pair_is_its_own(made):
    """Another pair may need less, and does not stand for the answer."""
    plan = made(spread=1.5, largest=200)
    needed = plan.needed.n.tolist()
    assert plan.n_significant == 1
    assert needed[0] < needed[2] < 200
    significant = np.arange(len(plan.first)) == 2
    parts = [field.name for field in dataclasses.fields(plan.needed)]
    third = type(plan.needed)(**{name: getattr(plan.needed, name)[2:3] for name in parts})
    plan = dataclasses.replace(plan, significant=significant, together=third)
    plot = plots.planning_curve(plan)
    pairs = [f"{one} over {other}" for one, other in zip(plan.first, plan.second, strict=True)]
    assert texts(plot, "labels") == [pairs[2], *pairs[:2], *pairs[3:]]
    titles = plot.record()["marks"]
    assert any(mark["title"].startswith(f"{pairs[2]}: {needed[2]} data sets") for mark in titles)
    assert f"{needed[2]} data sets for a power of 0.8, to find the sig" in plot.alt


def test_at_most_six_pairs(made, check_legible):
    for k, pairs in ((12, 66), (40, 780)):
        plot = plots.planning_curve(made(30, k, spread=0.5, largest=500))
        assert len(plot.artists["curves"]) == 7
        assert f"pairs: 6 of {pairs}, the clearest" in texts(plot, "caption")[0]
        check_legible(plot)
    styles = {(line.get_color(), str(line._dash_pattern)) for line in plot.artists["curves"]}
    assert len(styles) == 7


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"spread": 2}, "15 data sets for a power of 0.8, to find both significant differences"),
        (
            {"n": 100, "k": 3, "spread": 1.5, "largest": 500},
            "140 data sets for a power of 0.8, to find all 3 significant differences of the pilot",
        ),
        (
            {"spread": 1.5, "power": 0.9},
            "23 data sets for a power of 0.9, to find the significant difference of the pilot",
        ),
        (
            {"n": 8, "k": 3, "spread": 0.3, "largest": 20},
            "more than 20 data sets for a power of 0.8, to find the clearest difference of the "
            "pilot (none was significant)",
        ),
    ],
)
def test_its_words_say_what_is_found(made, check_legible, options, found):
    plan = made(**options)
    plot = plots.planning_curve(plan)
    check_legible(plot)
    assert found in texts(plot, "caption")[0]
    assert found in plot.alt
    assert ("answer" in plot.artists) == (plan.n is not None)


@pytest.mark.parametrize(("unit", "noun"), [("folds", "fold"), ("runs", "run")])
def test_folds_and_runs(made, texts_of, unit, noun):
    plan = dataclasses.replace(made(), unit=unit)
    plot = plots.planning_curve(plan)
    words = " ".join(texts_of(plot))
    assert f"{plan.n} {noun}s for a power of 0.8" in words
    assert plot.ax.get_xlabel() == f"number of {noun}s"
    assert plot.alt.startswith(f"Curves of power by number of {noun}s (")
    assert "data set" not in words + plot.alt


@pytest.mark.parametrize("largest", [2, 3, 20, 500])
def test_numbers_of_the_axis_are_whole(made, check_legible, texts_of, largest):
    plot = plots.planning_curve(made(largest=largest))
    check_legible(plot)
    check_legible(plot.narrower(3.5))
    assert plot.ax.get_xscale() == ("log" if largest > 20 else "linear")
    ticks = [text.get_text() for text in plot.ax.get_xticklabels()]
    assert len(set(ticks)) == len(ticks)
    low, high = plot.ax.get_xlim()
    inside = [tick for tick in plot.ax.get_xticks() if low <= tick <= high]
    assert all(tick == round(tick) for tick in inside)


def test_other_results_are_refused():
    with pytest.raises(TypeError, match=r"nbc\.plan\(experiment\)"):
        plots.planning_curve(nbc.datasets.load("demsar2006"))
