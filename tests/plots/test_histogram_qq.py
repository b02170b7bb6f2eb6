"""Histograms and Q-Q plots: what is drawn, and for whom."""

from statistics import mean, stdev

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import shapiro

import nbcompare as nbc
from nbcompare.plots import histogram_qq
from nbcompare.plots._live import marks_of

LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(40)]


@pytest.fixture(scope="module")
def auc():
    return nbc.check_conditions(nbc.datasets.load("demsar2006"))


def of(scores, **labels):
    return nbc.check_conditions(nbc.Experiment.from_array(scores, direction="minimize", **labels))


def names_of(plot):
    return [" ".join(text.get_text().split()) for text in plot.artists["names"]]


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 4, 8, pytest.param(40, marks=pytest.mark.weekly)])
def test_nothing_overlaps_or_is_clipped(check_legible, k):
    rng = np.random.default_rng(k)
    scores = rng.normal(size=(30, k)) * 10.0 ** rng.integers(-3, 4, k)
    plot = histogram_qq(of(scores, algorithms=LONG[:k], measure="$x$ " + 60 * "long "))
    check_legible(plot)
    assert names_of(plot) == LONG[:k]
    check_legible(plot.narrower(3.5))


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
    assert plot.artists["tests"][0].get_text() == "p = 0.0269, significant"
    assert "Shapiro–Wilk test of normality, α = 0.05; 14 scores" in (
        plot.artists["caption"][0].get_text()
    )
    told = "C4.5: 14 scores; departure from normality significant (Shapiro–Wilk, p = 0.0269)"
    assert [mark.title for mark in marks_of(points)] == [told]


@pytest.mark.slow
def test_all_algorithms(auc):
    plot = histogram_qq(auc)
    assert len(plot.artists["axes"]) == 8
    assert names_of(plot) == list(auc.design.algorithms)
    scores = nbc.datasets.load("demsar2006").mean_scores[:, 0].tolist()
    assert (
        "C4.5: 14 scores; departure from normality significant (Shapiro–Wilk, p = 0.0269); "
        f"mean {mean(scores):.6f}, standard deviation {stdev(scores):.6f}. C4.5+m: "
    ) in plot.alt
    many = histogram_qq(of(np.random.default_rng(1).normal(size=(9, 12))))
    assert len(many.artists["axes"]) == 24
    assert many.alt.endswith(". 4 more.")


def test_runs_on_one_data_set():
    scores = np.random.default_rng(1).normal(size=(3, 2, 1, 15))
    scores[1, 0] = np.nan
    result = of(scores)
    plot = histogram_qq(result, dataset="1")
    np.testing.assert_array_equal(plot.artists["points"][1].get_ydata(), np.sort(scores[0, 1, 0]))
    assert "; 15 scores on 1)" in plot.alt
    assert len(histogram_qq(result, dataset="2").artists["points"]) == 1


def test_constant_scores_have_no_curve():
    plot = histogram_qq(of(np.ones((8, 2))))
    assert plot.artists["densities"] == plot.artists["lines"] == ()
    assert "test not possible" in plot.alt


def test_on_axes_that_were_given(auc):
    figure = Figure(figsize=(8, 9), layout="constrained")
    axes = figure.subplots(4, 2)
    plot = histogram_qq(auc, ax=axes)
    assert plot.artists["axes"] == tuple(axes.flat)
    assert plot._repr_mimebundle_() == {"text/plain": plot.alt}
    assert [name.axes for name in plot.artists["names"]] == list(axes[:, 0])
    assert names_of(plot) == list(auc.design.algorithms)
    with pytest.raises(ValueError, match=r"^`ax` must be 8 axes.* got 2\.$"):
        histogram_qq(auc, ax=axes[0])


def test_errors(auc):
    with pytest.raises(ValueError, match=r"^`algorithm` must be one of .*; got 'C5'\."):
        histogram_qq(auc, "C5")
    with pytest.raises(ValueError, match=r"^`dataset` must be None, .* got 'iris'\.$"):
        histogram_qq(auc, dataset="iris")
    many = of(np.random.default_rng(1).normal(size=(5, 25)))
    with pytest.raises(
        ValueError, match=r"must name one of the 25 algorithms, because at most 24 can"
    ):
        histogram_qq(many)
    assert histogram_qq(many, "A25").ax


@pytest.mark.slow
def test_those_that_fit_worst_come_first():
    random = np.random.default_rng(5)
    scores = np.c_[random.normal(size=(20, 5)), random.exponential(size=20) ** 3, np.ones(20)]
    result = of(scores, algorithms=list("ABCDEFG"))
    order = sorted("ABCDEF", key=lambda name: shapiro(scores[:, ord(name) - 65]).pvalue)
    assert order[0] == "F"
    plot = histogram_qq(result, worst=3)
    assert names_of(plot) == order[:3]
    for text in (plot.alt, " ".join(plot.artists["caption"][0].get_text().split())):
        assert "3 of 7 algorithms, those that a normal distribution fits worst" in text
    everyone = histogram_qq(result, worst=9)
    assert names_of(everyone) == [*order, "G"]
    assert "worst" not in everyone.alt
    with pytest.raises(ValueError, match="`worst`"):
        histogram_qq(result, worst=0)
