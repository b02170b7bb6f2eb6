"""The heat map of trend tests: the right p in the right cell, marked if significant."""

import dataclasses

import numpy as np
import pytest

from nbcompare._render import format_p
from nbcompare.plots import overview, trend_heatmap
from nbcompare.results import Labelled


def places(result):
    return [result.algorithms.index(name) for name in result.ordered]


def ordered_pairs(result):
    return [(a, b) for a in places(result) for b in places(result) if a != b]


@pytest.mark.parametrize("how", [{}, {"adjust": ("bonferroni",)}, {"null": "page"}])
def test_cells_against_the_result(simulated, convergence, how):
    result = convergence(simulated(30, 5, spread=1.5), **how)
    plot = trend_heatmap(result)
    names = list(result.ordered)
    assert [text.get_text() for text in plot.artists["rows"]] == names * 2
    assert [text.get_text() for text in plot.artists["columns"]] == names * 2
    titles = [text.get_text() for text in plot.artists["titles"]]
    assert titles == ["basic ranks", "alternative ranks"]
    texts = plot.artists["texts"]
    shades = np.concatenate([cells.get_facecolor() for cells in plot.artists["cells"]])[:, 0]
    wanted = [(version, pair) for version in result.versions for pair in ordered_pairs(result)]
    assert len(texts) == len(wanted) == 40
    strong = 0
    for text, shade, (version, (a, b)) in zip(texts, shades, wanted, strict=True):
        p, rejected = result.decisive(version)[a, b], result.tests[version].rejected[a, b]
        assert text.get_text() in (format_p(p), "<0.001" if p < 0.001 else "")
        assert (text.get_fontweight() == "bold") == rejected
        assert (shade < 1) == rejected
        strong += rejected
        # where it stands says the same
        column, row = map(round, text.xy)
        assert text.axes is plot.figure.axes[result.versions.index(version)]
        assert (names[row], names[column]) == (result.algorithms[a], result.algorithms[b])
    assert sum(len(frames.get_paths()) for frames in plot.artists["frames"]) == strong
    assert 0 < strong < 40


def test_a_smaller_p_is_darker(simulated, convergence):
    result = convergence(simulated(60, 10, spread=1), versions=("basic",))
    p = np.array([result.decisive("basic")[pair] for pair in ordered_pairs(result)])
    (cells,) = trend_heatmap(result).artists["cells"]
    shades = cells.get_facecolor()[: len(p), 0]
    classes = np.digitize(p, [0.001, 0.01, 0.1], right=True)
    assert set(classes) == {0, 1, 2, 3}
    for one, two in ((0, 1), (1, 2), (2, 3)):
        assert shades[classes == one].max() < shades[classes == two].min()


def test_one_version(simulated, convergence):
    result = convergence(simulated(30, 5, spread=1))
    plot = trend_heatmap(result, version="basic")
    assert "titles" not in plot.artists
    assert len(plot.artists["texts"]) == 20
    assert "Significant with alternative" not in plot.alt
    assert trend_heatmap(result, version="alternative").alt != plot.alt
    with pytest.raises(
        ValueError, match="`version` must be one of 'basic' and 'alternative'; got 'both'"
    ):
        trend_heatmap(result, version="both")


@pytest.mark.parametrize(
    ("k", "version", "has_text"),
    [
        (5, None, True),
        (21, None, False),
        (10, "basic", True),
        (21, "basic", False),
    ],
)
def test_many_columns_have_triangles_in_place_of_text(
    simulated, convergence, check_legible, k, version, has_text
):
    result = convergence(simulated(30, k))
    plot = trend_heatmap(result, version=version)
    check_legible(plot)
    assert len({ax.get_position().x0 for ax in plot.figure.axes}) == 1  # below one another
    assert ("texts" in plot.artists) == ("frames" in plot.artists) == has_text
    if has_text:
        return
    drawn = result.versions if version is None else (version,)
    for name, marks in zip(drawn, plot.artists["marks"], strict=True):
        assert (marks.get_marker(), marks.get_markerfacecolor()) == ("<", "black")
        # they stand in the rows of those who win
        found = np.bincount(marks.get_ydata().astype(int), minlength=k)
        assert found.tolist() == [result.tests[name].wins[place] for place in places(result)]
        assert found.sum() == result.tests[name].rejected.sum() > 0


def test_p_that_underflows(simulated, convergence):
    result = convergence(simulated(20, 3, spread=3), versions=("basic",))
    tests = result.tests["basic"]
    tiny = np.where(tests.rejected, 0.0, tests.exchange)
    logs = np.where(tests.rejected, -411.9, tests.log10_exchange)
    tests = dataclasses.replace(tests, exchange=tiny, log10_exchange=logs)
    result = dataclasses.replace(result, tests=Labelled({"basic": tests}))
    texts = [text.get_text() for text in trend_heatmap(result).artists["texts"]]
    assert texts.count("1.26e-412") == tests.rejected.sum() > 0


def test_nothing_is_significant(simulated, convergence, check_legible):
    plot = trend_heatmap(convergence(simulated(4, 3), alpha=1e-9))
    check_legible(plot)
    assert "frames" not in plot.artists
    assert "Significant: none." in plot.alt


def test_is_the_overview(simulated, convergence):
    result = convergence(simulated(10, 3))
    assert overview(result).alt == trend_heatmap(result).alt
