"""The matrix of probabilities of improvement: numbers, marks, colours, tips, alternative text."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import improvement_matrix
from nbcompare.plots._marks import marks_of


def made(k, *, levels=None, direction="maximize", names=None):
    rng = np.random.default_rng(k)
    levels = np.linspace(0, 1.5, k) if levels is None else np.asarray(levels)
    scores = rng.normal(size=(6, k, 1, 5)) + levels[:, np.newaxis, np.newaxis]
    data = nbc.Experiment.from_array(
        scores, direction=direction, algorithms=names or [f"A{j}" for j in range(k)]
    )
    return nbc.aggregate_runs(data, scale="one", n_resamples=100)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_cells_against_the_result(direction):
    result = made(5, direction=direction)
    plot = improvement_matrix(result)
    rows, columns = (
        [text.get_text() for text in plot.artists[part]] for part in ("rows", "columns")
    )
    assert rows == columns == list(result.ordered)
    cells = [(a, b) for a in rows for b in columns if a != b]
    texts, faces = plot.artists["texts"], plot.artists["cells"][0].get_facecolor()
    assert len(texts) == len(cells) == 20
    marks = marks_of(plot.artists["cells"][0])
    clear = 0
    for text, face, mark, (a, b) in zip(texts, faces, marks, cells, strict=False):
        value, low, high = result.better_than(a, b)
        first, ends = text.get_text().split("\n")
        assert float(first) == pytest.approx(value, abs=0.005)
        assert [float(end) for end in ends.split("–")] == pytest.approx([low, high], abs=0.005)
        # more blue than red where runs of the row are better more often
        assert np.sign(np.round(face[2] - face[0], 9)) == np.sign(np.round(value - 0.5, 9))
        assert (text.get_fontweight() == "bold") == (low > 0.5 or high < 0.5)
        clear += low > 0.5 or high < 0.5
        assert mark.pair
        assert mark.names == (a, b)
        assert result.told_of_pair(a, b) in mark.title
    outlines = sum(len(artist.get_paths()) for artist in plot.artists["outlines"])
    assert outlines == clear
    assert 0 < clear < 20


def test_many_algorithms_have_marks_in_place_of_text():
    result = made(17)
    plot = improvement_matrix(result)
    assert plot.artists["texts"] == ()
    apart = sum(result.better_than(a, b)[0] != 0.5 for a, b in result.pairs)
    assert sum(len(line.get_xydata()) for line in plot.artists["marks"]) == 2 * apart > 250
    filled = sum(
        len(line.get_xydata())
        for line in plot.artists["marks"]
        if line.get_markerfacecolor() == "black"
    )
    assert filled == 2 * sum(result.clear(a, b) for a, b in result.pairs)


def test_no_difference_is_white_and_without_a_mark():
    tied = nbc.Experiment.from_array(np.ones((6, 2, 1, 4)), direction="maximize")
    plot = improvement_matrix(nbc.aggregate_runs(tied, n_resamples=20))
    assert plot.artists["cells"][0].get_facecolor()[0, :3] == pytest.approx([1.0] * 3)
    assert plot.artists["texts"][0].get_text() == "0.50\n0.50–0.50"
    assert sum(len(line.get_xydata()) for line in plot.artists["marks"]) == 0


@pytest.mark.parametrize("k", [2, 5, 12, 40])
def test_legible(check_legible, k):
    check_legible(improvement_matrix(made(k)))
    names = [f"Gradient boosting {i:02d} with a name that goes on for 60 letters" for i in range(k)]
    check_legible(improvement_matrix(made(k, names=names)))


def test_alternative_text_says_what_the_picture_says():
    result = made(3, levels=[0, 5, 5])
    alt = improvement_matrix(result).alt
    assert "Intervals that exclude one half, of 3 pairs: " in alt
    for a, b in result.pairs:
        assert (f"{a} and {b}: {result.told_of_pair(a, b)}" in alt) == result.clear(a, b)
    assert f"Best first: {', '.join(result.ordered)}." in alt
    with pytest.raises(TypeError, match=r"Pass nbc\.aggregate_runs\(experiment"):
        improvement_matrix(nbc.compare(nbc.datasets.load("demsar2006")))
