"""The matrix of estimated differences: numbers, signs, colours and frames."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import contrast_matrix


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_cells_against_the_estimates(direction):
    noise = np.random.default_rng(2).normal(size=(30, 5))
    experiment = nbc.Experiment.from_array(
        noise + np.array([0, 0.1, 0.3, 1.0, 1.5]), direction=direction, measure="MSE"
    )
    contrast = nbc.contrast_estimation(experiment)
    plot = contrast_matrix(contrast)
    rows = [text.get_text() for text in plot.artists["rows"]]
    assert rows == [text.get_text() for text in plot.artists["columns"]] == list(contrast.ordered)
    place = [experiment.algorithms.index(name) for name in contrast.ordered]
    pairs = [(u, v) for u in place for v in place if u != v]
    apart = contrast.lower * contrast.upper > 0
    framed = 0
    faces = plot.artists["cells"][0].get_facecolor()
    for text, face, (u, v) in zip(plot.artists["texts"], faces, pairs, strict=False):
        shown = text.get_text().replace("−", "-")
        assert float(shown) == pytest.approx(contrast.estimates[u, v], abs=0.0051)
        assert shown[0] in "+-"
        assert (text.get_fontweight() == "bold") == apart[u, v]
        framed += apart[u, v]
        # positive and more blue than red where the row is better
        assert np.sign(face[2] - face[0]) == np.sign(contrast.estimates[u, v])
        if abs(u - v) > 2:  # farther apart than the noise
            assert (contrast.estimates[u, v] > 0) == ((u > v) == (direction == "maximize"))
    assert len(plot.artists["texts"]) == 20
    (outlines,) = plot.artists["outlines"]
    assert 0 < framed == len(outlines.get_paths()) < 20


def test_the_stronger_the_larger(simulated):
    contrast = nbc.contrast_estimation(simulated(30, 6, spread=2))
    plot = contrast_matrix(contrast)
    place = [contrast.design.algorithms.index(name) for name in contrast.ordered]
    sizes = [abs(contrast.estimates[u, v]) for u in place for v in place if u != v]
    faces = plot.artists["cells"][0].get_facecolor()[: len(sizes)]
    for blue in (True, False):
        chosen = (faces[:, 2] > faces[:, 0]) == blue
        by_size = faces[chosen][np.argsort(np.array(sizes)[chosen]), 1]
        assert (np.diff(by_size) <= 0).all()


def test_equal_algorithms_are_white():
    experiment = nbc.Experiment.from_array(np.ones((4, 3)), direction="maximize")
    plot = contrast_matrix(nbc.contrast_estimation(experiment))
    assert {text.get_text() for text in plot.artists["texts"]} == {"0"}
    assert (plot.artists["cells"][0].get_facecolor()[:6] == 1).all()
    assert plot.artists["outlines"] == ()


def test_many_algorithms_have_triangles_in_place_of_text(simulated):
    contrast = nbc.contrast_estimation(simulated(30, 17))
    plot = contrast_matrix(contrast)
    assert plot.artists["texts"] == ()
    filled = sum(
        len(line.get_xydata())
        for line in plot.artists["marks"]
        if line.get_markerfacecolor() == "black"
    )
    assert filled == (contrast.lower * contrast.upper > 0).sum() > 0


def test_alt_text_says_what_the_picture_says():
    contrast = nbc.contrast_estimation(nbc.datasets.load("demsar2006"))
    alt = contrast_matrix(contrast).alt
    assert alt.startswith(
        "Matrix: estimated difference of AUC, row minus column (higher is better; 14 data "
        "sets). Best first: C4.5+m+cf, C4.5+m, C4.5+cf, C4.5. The 95 % interval excludes zero "
        "for "
    )
    apart = int((contrast.lower > 0).sum() + (contrast.upper < 0).sum()) // 2
    assert alt.count(" minus ") == 1 + apart
