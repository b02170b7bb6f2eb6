"""Histograms and Q-Q plots: what is drawn, and that nothing collides."""

import re
from statistics import mean, stdev
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy.stats import shapiro

import nbcompare as nbc
from nbcompare.plots import histogram_qq

LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(40)]


@pytest.fixture(scope="module")
def auc():
    return nbc.check_conditions(nbc.datasets.load("demsar2006"))


def of(scores, **labels):
    return nbc.check_conditions(nbc.Experiment.from_array(scores, direction="minimize", **labels))


def check_legible(plot):
    renderer = FigureCanvasAgg(plot.figure).get_renderer()
    plot.figure.draw_without_rendering()  # places all, as a drawing of every letter does
    texts = [
        text
        for text in plot.figure.findobj(mpl.text.Text)
        if text.get_text() and text.get_visible()
    ]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    page = plot.figure.bbox
    for i, (word, one) in enumerate(boxes):
        assert one.x0 >= page.x0, word
        assert one.x1 <= page.x1, word
        assert one.y0 >= page.y0, word
        assert one.y1 <= page.y1, word
        for other, two in boxes[:i]:
            width = min(one.x1, two.x1) - max(one.x0, two.x0)
            height = min(one.y1, two.y1) - max(one.y0, two.y0)
            assert min(width, height) <= 0.5, (word, other)
    for ax in plot.artists["axes"]:
        inside = ax.get_window_extent(renderer)
        for word, box in boxes:
            overlap = min(min(inside.x1, box.x1) - max(inside.x0, box.x0), 0.9 * inside.width)
            assert overlap <= 0.5 or box.y1 <= inside.y0 + 1 or box.y0 >= inside.y1 - 1, word


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 4, 8, 40])
def test_nothing_overlaps_or_is_clipped(k):
    rng = np.random.default_rng(k)
    scores = rng.normal(size=(30, k)) * 10.0 ** rng.integers(-9, 9, k)
    check_legible(histogram_qq(of(scores, algorithms=LONG[:k], measure="$x$ " + 60 * "long ")))


def test_scores_that_are_hard_to_label():
    rng = np.random.default_rng(1)
    scores = np.column_stack(
        [
            np.full(20, 2.0),
            1 + 1e-13 * rng.normal(size=20),
            1e8 + rng.normal(size=20),
            np.append(rng.random(19), 1e6),
            1e250 * rng.normal(size=20),
            1e-250 * rng.normal(size=20),
        ]
    )
    check_legible(histogram_qq(of(scores)))


def test_what_is_drawn(auc):
    plot = histogram_qq(auc, "C4.5")
    (sample,) = auc.select("C4.5")
    (points,) = plot.artists["points"]
    np.testing.assert_array_equal(points.get_xdata(), sample.normal_quantiles)
    np.testing.assert_array_equal(points.get_ydata(), sample.values)
    (line,) = plot.artists["lines"]
    slope = np.diff(line.get_ydata()) / np.diff(line.get_xdata())
    assert slope[0] == pytest.approx(sample.deviation)
    assert np.mean(line.get_ydata()) == pytest.approx(sample.mean)
    edges, counts = sample.histogram
    assert [bar.get_height() for bar in plot.artists["bars"]] == counts.tolist()
    assert [bar.get_x() for bar in plot.artists["bars"]] == edges[:-1].tolist()
    (curve,) = plot.artists["densities"]
    x, density = curve.get_data()
    top = 14 * (edges[1] - edges[0]) / (sample.deviation * np.sqrt(2 * np.pi))
    assert max(density) == pytest.approx(top, rel=1e-3)
    assert x[np.argmax(density)] == pytest.approx(sample.mean, abs=x[1] - x[0])
    assert plot.ax is plot.artists["axes"][0]
    assert [ax.get_xlabel() for ax in plot.artists["axes"]] == ["AUC", "normal quantile"]


@pytest.mark.slow
def test_a_row_for_every_algorithm(auc):
    plot = histogram_qq(auc)
    assert len(plot.artists["axes"]) == 8
    assert [text.get_text() for text in plot.artists["names"]] == list(auc.design.algorithms)
    scores = nbc.datasets.load("demsar2006").mean_scores[:, 0].tolist()
    assert plot.alt.startswith(
        "Histograms with the fitted normal density, and normal Q–Q plots, of the scores over 14 "
        f"data sets (α = 0.05). C4.5: mean {mean(scores):.6f}, standard deviation "
        f"{stdev(scores):.6f}, 14 scores; normality rejected (Shapiro–Wilk, p = 0.0269). C4.5+m: "
    )
    scores = np.random.default_rng(1).normal(size=(9, 12))
    many = histogram_qq(of(scores))
    assert len(many.artists["axes"]) == 24
    rejected = sum(shapiro(column).pvalue <= 0.05 for column in scores.T)
    assert many.alt.endswith(f"is rejected for {rejected} of 12 algorithms (Shapiro–Wilk).")


def test_runs_on_one_data_set():
    scores = np.random.default_rng(1).normal(size=(3, 2, 1, 15))
    scores[1, 0] = np.nan
    result = of(scores)
    plot = histogram_qq(result, dataset="1")
    np.testing.assert_array_equal(plot.artists["points"][1].get_ydata(), np.sort(scores[0, 1, 0]))
    assert "of the scores on data set 1 (α" in plot.alt
    assert len(histogram_qq(result, dataset="2").artists["points"]) == 1
    alone = of(scores[:1])
    assert "on data set 1 " in histogram_qq(alone).alt


def test_constant_scores_have_no_curve():
    plot = histogram_qq(of(np.ones((8, 2))))
    assert plot.artists["densities"] == plot.artists["lines"] == ()
    assert "Shapiro–Wilk test not possible" in plot.alt


def test_on_axes_that_were_given(auc):
    figure = Figure(figsize=(8, 9))
    axes = figure.subplots(4, 2, gridspec_kw={"hspace": 0.9})
    plot = histogram_qq(auc, axes=axes)
    assert plot.figure is figure
    assert plot.artists["axes"] == tuple(axes.flat)
    assert plot._repr_mimebundle_() == {"text/plain": plot.alt}
    assert axes[2, 0].get_title(loc="left") == "C4.5+cf"
    with pytest.raises(ValueError, match=r"^`axes` must hold 2 axes for each algorithm, 8; got 2"):
        histogram_qq(auc, axes=axes[0])


@pytest.mark.slow
def test_displays_itself_the_same_in_every_style(auc):
    one, metadata = histogram_qq(auc, "C4.5")._repr_mimebundle_()
    with mpl.rc_context({"axes.facecolor": "black", "text.color": "white", "axes.grid": True}):
        two, _ = histogram_qq(auc, "C4.5")._repr_mimebundle_()
    assert one == two
    assert one["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"] == one["text/plain"]
    assert not re.search(r"\d{4}-\d\d-\d\dT", one["image/svg+xml"])


@pytest.mark.slow
def test_names_are_drawn_as_they_stand():
    names = ["<script>alert(1)</script>", r"C4.5_m & 100% $x$ \input{x}"]
    plot = histogram_qq(of(np.random.default_rng(1).normal(size=(9, 2)), algorithms=names))
    assert [text.get_text() for text in plot.artists["names"]] == names
    svg = plot._repr_mimebundle_()[0]["image/svg+xml"]
    ElementTree.fromstring(svg)
    assert "<script" not in svg


def test_errors(auc):
    with pytest.raises(ValueError, match=r"^`algorithm` must be one of .*; got 'C5'\."):
        histogram_qq(auc, "C5")
    with pytest.raises(ValueError, match=r"^`dataset` must be None, .* got 'iris'\.$"):
        histogram_qq(auc, dataset="iris")
    many = of(np.random.default_rng(1).normal(size=(5, 49)))
    with pytest.raises(
        ValueError, match=r"must name one of the 49 algorithms, because at most 48 can"
    ):
        histogram_qq(many)
    assert histogram_qq(many, "A49").ax


@pytest.mark.parametrize("unit", [1e-323, 1e305])
def test_scores_that_matplotlib_cannot_place_have_a_unit(unit):
    plot = histogram_qq(of(np.array([[1, 2], [3, 1], [2, 5], [6, 2], [1, 1]]) * unit), "A1")
    assert plot.artists["points"][0].get_ydata().tolist() == [1, 1, 2, 3, 6]
    assert f"5 scores (× {unit!r}); normality" in " ".join(
        text.get_text() for text in plot.figure.texts
    )


def test_those_that_fit_worst_come_first():
    random = np.random.default_rng(5)
    scores = np.c_[random.normal(size=(20, 5)), random.exponential(size=20) ** 3, np.ones(20)]
    result = of(scores, algorithms=list("ABCDEFG"))
    order = sorted("ABCDEF", key=lambda name: shapiro(scores[:, ord(name) - 65]).pvalue)
    assert order[0] == "F"
    plot = histogram_qq(result, worst=3)
    assert [text.get_text() for text in plot.artists["names"]] == order[:3]
    assert "3 of 7 algorithms, those that a normal distribution fits worst" in plot.alt
    check_legible(plot)
    everyone = histogram_qq(result, worst=9)
    assert [text.get_text() for text in everyone.artists["names"]] == [*order, "G"]
    assert "worst" not in everyone.alt
    with pytest.raises(ValueError, match="`worst`"):
        histogram_qq(result, worst=0)
