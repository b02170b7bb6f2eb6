"""Aggregates of runs with their intervals: where bars, estimates and names are, and tips."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import improvement_matrix, interval_estimates
from nbcompare.plots._marks import marks_of


def made(k=4, runs=8, single=None):
    rng = np.random.default_rng(k)
    scores = rng.normal(size=(6, k, 1, runs)) + rng.permutation(k)[:, np.newaxis, np.newaxis]
    if single is not None:
        scores[:, single, :, 1:] = np.nan
    return nbc.Experiment.from_array(scores, direction="maximize")


def ends(artist):
    x = artist.get_xy()[:, 0]
    return x.min(), x.max()


def test_bars_and_estimates_against_the_result():
    result = nbc.aggregate_runs(made(), target=2, n_resamples=100)
    plot = interval_estimates(result)
    assert [text.get_text() for text in plot.artists["names"]] == list(result.ordered)
    titles = [text.get_text() for text in plot.artists["titles"]]
    assert titles == ["interquartile mean", "median", "mean", "optimality gap to 2\nless is better"]
    k = len(result.algorithms)
    order = [result.algorithms.index(name) for name in result.ordered]
    for panel, name in enumerate(result.aggregates):
        found = result.aggregate(name)
        part = slice(panel * k, (panel + 1) * k)
        bars = np.array([ends(bar) for bar in plot.artists["intervals"][part]])
        ticks = np.array([line.get_xdata()[0] for line in plot.artists["estimates"][part]])
        expected = np.array([found.lower, found.estimate, found.upper]).T[order]
        drawn = np.array([bars[:, 0], ticks, bars[:, 1]]).T
        slope, start = np.polyfit(expected.ravel(), drawn.ravel(), 1)
        assert slope > 0
        assert drawn == pytest.approx(start + slope * expected)
        tip = marks_of(plot.artists["estimates"][part][0])[0]
        assert tip.names == (result.ordered[0],)
        assert tip.title.endswith(result.told(name, order[0]))


def test_an_algorithm_without_noise_has_no_bar():
    result = nbc.aggregate_runs(made(single=1), n_resamples=100)
    plot = interval_estimates(result, "mean")
    assert len(plot.artists["estimates"]) == 4
    assert len(plot.artists["intervals"]) == 3


def test_what_is_not_there_cannot_be_drawn():
    result = nbc.aggregate_runs(made(), n_resamples=20)
    plot = interval_estimates(result, ["median", "mean"])
    assert [text.get_text() for text in plot.artists["titles"]] == ["median", "mean"]
    with pytest.raises(ValueError, match="There is no optimality gap"):
        interval_estimates(result, "optimality-gap")
    with pytest.raises(ValueError, match="`what` must be"):
        interval_estimates(result, "iqm")
    with pytest.raises(ValueError, match="at least one aggregate"):
        interval_estimates(result, [])
    several = nbc.aggregate_runs(made(), scale="several", n_resamples=20)
    with pytest.raises(ValueError, match="are stated to be on several scales"):
        interval_estimates(several)
    assert improvement_matrix(several).artists["texts"]


def test_cells_of_the_matrix():
    result = nbc.aggregate_runs(made(), n_resamples=200)
    plot = improvement_matrix(result)
    pairs = [(a, b) for a in result.ordered for b in result.ordered if a != b]
    faces, marks = (f(plot.artists["cells"][0]) for f in (lambda c: c.get_facecolor(), marks_of))
    framed = 0
    for text, face, mark, (a, b) in zip(plot.artists["texts"], faces, marks, pairs, strict=False):
        value, low, high = result.better_than(a, b)
        shown = text.get_text().replace("–", "\n").split("\n")
        assert [float(part) for part in shown] == pytest.approx([value, low, high], abs=0.0051)
        assert np.sign(np.round(face[2] - face[0], 9)) == np.sign(value - 0.5)
        assert (text.get_fontweight() == "bold") == result.clear(a, b) == (low > 0.5 or high < 0.5)
        framed += result.clear(a, b)
        assert mark.names == (a, b)
        assert result.told_of_pair(a, b) in mark.title
    assert sum(len(artist.get_paths()) for artist in plot.artists["outlines"]) == framed > 0
    assert f"Best first: {', '.join(result.ordered)}" in plot.alt
