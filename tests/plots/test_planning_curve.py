"""The figure of a plan: its curves, its answer, and names that are untrusted."""

import dataclasses
import io
from xml.etree import ElementTree

import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.text import Text
from nbformat.v4 import new_code_cell, new_notebook, new_output

import nbcompare as nbc
from nbcompare import plots
from nbcompare.report.exporters import ReportHTMLExporter
from nbcompare.results import from_json

LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(40)]


@pytest.fixture
def made(simulated, planned):
    """Give a plan of n data sets and k algorithms, the first ones much better."""

    def made(n=14, k=4, *, spread=2.0, names=None, **options):
        return planned(simulated(n, k, spread=spread, names=names), **options)

    return made


def words_of(plot):
    return " ".join(" ".join(text.get_text() for text in plot.ax.texts).split())


def x_of(artist):
    return float(np.asarray(artist.get_xdata(), dtype=float)[0])


def labels_of(plot):
    return [text.get_text().replace("\n", " ") for text in plot.artists["labels"]]


def test_curves_are_those_of_the_plan(made):
    plan = made()
    plot = plots.planning_curve(plan)
    curves, bands = plot.artists["curves"], plot.artists["bands"]
    assert plan.n_significant == 2
    assert len(curves) == len(bands) == len(plot.artists["labels"]) == 1 + len(plan.first)
    unit = abs(np.polyfit(plan.curve().power, curves[0].get_ydata(), 1)[0])
    floor = curves[0].get_ydata()[0] + unit * plan.curve().power[0]
    for curve, band, row in zip(curves, bands, (None, *range(len(plan.first))), strict=True):
        told = plan.curve(row)
        assert np.allclose(floor - unit * told.power, curve.get_ydata())
        heights = (floor - band.get_xy()[:, 1]) / unit
        assert heights.min() == pytest.approx(told.lower.min())
        assert heights.max() == pytest.approx(told.upper.max())
        slope = np.polyfit(np.log(told.sizes), curve.get_xdata(), 1)
        assert np.allclose(np.polyval(slope, np.log(told.sizes)), curve.get_xdata())


def test_the_star_is_where_the_answer_is(made):
    plan = made()
    plot = plots.planning_curve(plan)
    line, star, number = plot.artists["answer"]
    curve = plot.artists["curves"][0]
    at = np.interp(np.log(plan.n), np.log(plan.sizes), curve.get_xdata())
    assert x_of(line) == x_of(star) == pytest.approx(at)
    assert star.get_ydata()[0] == plot.artists["wanted"][0].get_ydata()[0]
    assert number.get_text() == str(plan.n)
    (pilot,) = plot.artists["pilot"]
    at = np.interp(np.log(14), np.log(plan.sizes), curve.get_xdata())
    assert x_of(pilot) == pytest.approx(at, abs=0.01)
    assert f"needed: {plan.n} data sets" in words_of(plot)


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
    assert labels_of(plot) == [pairs[2], *pairs[:2], *pairs[3:]]
    titles = plot.record()["marks"]
    assert any(mark["title"].startswith(f"{pairs[2]}: {needed[2]} data sets") for mark in titles)
    assert f"{needed[2]} are needed to find the significant difference" in plot.alt


def test_at_most_six_pairs(made, check_legible):
    for k, pairs in ((12, 66), (40, 780)):
        plot = plots.planning_curve(made(30, k, spread=0.5, largest=500))
        assert len(plot.artists["curves"]) == 7
        assert f"pairs: 6 of {pairs}, the clearest" in words_of(plot)
        check_legible(plot)
    styles = {(line.get_color(), str(line._dash_pattern)) for line in plot.artists["curves"]}
    assert len(styles) == 7


@pytest.mark.parametrize(
    ("options", "drawn", "alt"),
    [
        (
            {"spread": 2},
            "15 data sets for a power of 0.8 to find both significant differences of the pilot",
            "of which 15 are needed to find both significant differences of the pilot with a power",
        ),
        (
            {"n": 100, "k": 3, "spread": 1.5, "largest": 500},
            "140 data sets for a power of 0.8 to find all 3 significant differences of the pilot",
            "of which 140 are needed to find all 3 significant differences of the pilot",
        ),
        (
            {"spread": 1.5, "power": 0.9},
            "23 data sets for a power of 0.9 to find the significant difference of the pilot",
            "of which 23 are needed to find the significant difference of the pilot with a power",
        ),
        (
            {"n": 8, "k": 3, "spread": 0.3, "largest": 20},
            "more than 20 data sets for a power of 0.8 to find the clearest difference of the "
            "pilot (none was significant)",
            "of which more than 20 are needed to find the clearest difference of the pilot (none",
        ),
    ],
)
def test_its_words_say_what_is_found_and_a_page_keeps_them(
    made, check_legible, options, drawn, alt
):
    plan = made(**options)
    plot = plots.planning_curve(plan)
    check_legible(plot)
    assert drawn in words_of(plot)
    assert alt in plot.alt
    assert bool(plot.artists["answer"]) == (plan.n is not None)
    picture = new_output(
        "display_data",
        data={"image/svg+xml": plot.drawing()},
        metadata={"image/svg+xml": {"alt": plot.alt}},
    )
    cell = new_code_cell("plot", outputs=[picture])
    page, _ = ReportHTMLExporter().from_notebook_node(new_notebook(cells=[cell]))
    caption = BeautifulSoup(page, "html.parser").figcaption.text
    assert caption.startswith("Figure 1. Curves of power by number of data sets, of which ")
    assert alt in caption
    assert caption.endswith(" (α = 0.05, bands are 95 % of what the pilot leaves open).")


def test_a_pilot_beyond_the_axis_is_told_in_the_caption(made, check_legible):
    plot = plots.planning_curve(made(n_pilot=300))
    assert plot.artists["pilot"] == ()
    assert words_of(plot).count("pilot: 300 data sets") == 1
    check_legible(plot)
    within = plots.planning_curve(made())
    assert len(within.artists["pilot"]) == 1
    assert words_of(within).count("pilot: 14 data sets") == 1


@pytest.mark.parametrize(("unit", "noun"), [("folds", "fold"), ("runs", "run")])
def test_folds_and_runs(made, check_legible, unit, noun):
    plan = dataclasses.replace(made(), unit=unit)
    plot = plots.planning_curve(plan)
    check_legible(plot)
    words = words_of(plot)
    assert f"{plan.n} {noun}s for a power of 0.8" in words
    assert f"number of {noun}s" in words
    assert plot.alt.startswith(f"Curves of power by number of {noun}s, of which {plan.n} are")
    assert "data set" not in words + plot.alt


@pytest.mark.parametrize(
    ("largest", "ticks"), [(2, ["2"]), (3, ["2", "3"]), (20, ["5", "10", "15", "20"])]
)
def test_numbers_of_the_axis_are_whole(made, check_legible, largest, ticks):
    plot = plots.planning_curve(made(largest=largest))
    check_legible(plot)
    texts = [part.get_text() for part in plot.artists["axis"] if isinstance(part, Text)]
    first, last = texts.index("1.0") + 1, texts.index("number of data sets")
    assert texts[first:last] == ticks
    marks = [mark for mark in plot.artists["marks"] if len(mark.get_xdata())]
    assert len(marks) == len(plot.artists["curves"])


@pytest.mark.slow
@pytest.mark.parametrize("names", [None, LONG[:4], ["W" * 60, "A", r"$x$ & \input{x}", "<b>"]])
def test_it_can_be_narrower(made, check_legible, names):
    plot = plots.planning_curve(made(names=names))
    whole = plot.figure.get_size_inches()[0]
    narrow = plot.narrower(5.0)
    assert narrow.figure.get_size_inches()[0] == pytest.approx(5.0, abs=0.01)
    least = plot.narrower(1.0)
    assert least.figure.get_size_inches()[0] < 5.0
    assert plot.narrower(whole + 1).figure.get_size_inches()[0] == pytest.approx(whole)
    for one in (narrow, least):
        check_legible(one)
        assert one.alt == plot.alt
        assert {"".join(text.split()) for text in labels_of(one)} == {
            "".join(text.split()) for text in labels_of(plot)
        }
        sizes = [{t.get_fontsize() for t in p.ax.texts} for p in (plot, one)]
        assert sizes[0] == sizes[1]
    assert plots.planning_curve(made(), ax=Figure().add_subplot()).narrower is None


def test_names_are_untrusted(made):
    names = ["$x^2$", r"\_", r"$\frac{$", "<b>&amp;"]
    plot = plots.planning_curve(made(names=names))
    page = io.BytesIO()
    with rc_context({"svg.fonttype": "none"}):  # text stays text
        plot.figure.savefig(page, format="svg")
    texts = ElementTree.fromstring(page.getvalue()).iter("{http://www.w3.org/2000/svg}text")
    drawn = " ".join("".join(text.itertext()) for text in texts)
    assert all(name in drawn for name in names)


@pytest.mark.slow
def test_a_plan_of_real_data_and_one_that_was_written_down():
    data = nbc.datasets.load("demsar2006")
    plan = nbc.plan(data.select(algorithms=["C4.5", "C4.5+m"]), largest=40)
    plot = plots.planning_curve(plan)
    assert labels_of(plot) == ["C4.5+m over C4.5"]
    assert f"of which {plan.n} are needed to find the significant difference" in plot.alt
    again = plots.planning_curve(from_json(plan.to_json()))
    assert again.alt == plot.alt
    assert again.drawing() == plot.drawing()


def test_other_results_are_refused():
    with pytest.raises(TypeError, match=r"nbc\.plan\(experiment\)"):
        plots.planning_curve(nbc.datasets.load("demsar2006"))
