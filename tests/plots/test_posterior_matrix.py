"""The matrix of posterior probabilities: numbers, marks, colours, tips and alternative text."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import posterior_matrix
from nbcompare.plots._marks import marks_of


@pytest.mark.parametrize("rope", [0, 0.4])
@pytest.mark.parametrize("control", [None, "A2"])
def test_cells_against_the_result(simulated, rope, control):
    names = [f"A{j}" for j in range(5)]
    data = simulated(15, 5, names=names, spread=1.5)
    result = nbc.compare_bayesian(data, rope=rope, control=control, n_samples=2000)
    plot = posterior_matrix(result)
    rows, columns = (
        [text.get_text() for text in plot.artists[part]] for part in ("rows", "columns")
    )
    assert columns == ([control] if control else list(result.ordered))
    assert rows == [name for name in result.ordered if name != control]
    cells = [(a, b) for a in rows for b in columns if a != b]
    texts, faces = plot.artists["texts"], plot.artists["cells"][0].get_facecolor()
    assert len(texts) == len(cells)
    framed = 0
    marks = marks_of(plot.artists["cells"][0])
    for text, face, mark, (a, b) in zip(texts, faces, marks, cells, strict=False):
        row, turned = result.pair(a, b)
        values = [result.first_better[row], result.second_better[row]]
        better, worse = values[::-1] if turned else values
        shown = text.get_text().split("\n")
        assert shown[0] == result.chance(better, 2)
        assert shown[1:] == ([f"eq. {result.chance(result.equivalent[row], 2)}"] if rope else [])
        claimed = result.decision[row] != "none"
        assert (text.get_fontweight() == "bold") == claimed
        framed += claimed
        # more blue than red where the row is likelier better
        assert np.sign(np.round(face[2] - face[0], 9)) == np.sign(np.round(better - worse, 9))
        assert mark.pair
        assert set(mark.names) == {a, b}
        assert f"claim: {result.claim(row)}" in mark.title
    outlines = sum(len(artist.get_paths()) for artist in plot.artists["outlines"])
    assert outlines == framed > 0


def test_a_mark_is_the_most_probable_of_the_three(simulated):
    result = nbc.compare_bayesian(simulated(20, 6), rope=0.6, n_samples=2000)
    each = np.stack([result.first_better, result.equivalent, result.second_better], axis=1)
    claimed = np.array(result.decision) != "none"
    drawn = {}
    for line in posterior_matrix(result).artists["marks"]:
        filled = line.get_markerfacecolor() == "black"
        drawn[line.get_marker(), filled] = len(line.get_xydata())
    for filled in (False, True):
        chosen = each[claimed == filled].argmax(axis=1)
        # each pair has two cells, on either side of the diagonal
        assert drawn.get(("s", filled), 0) == 2 * (chosen == 1).sum()
        assert drawn.get(("<", filled), 0) == (chosen != 1).sum()
        assert drawn.get(("^", filled), 0) == (chosen != 1).sum()
    assert any(shape == "s" for shape, _ in drawn)


def test_many_algorithms_have_marks_in_place_of_text(simulated):
    plot = posterior_matrix(nbc.compare_bayesian(simulated(12, 17), rope=0.1, n_samples=50))
    assert plot.artists["texts"] == ()
    assert sum(len(line.get_xydata()) for line in plot.artists["marks"]) == 17 * 16


def test_equivalence_is_grey_and_no_difference_white():
    tied = nbc.Experiment.from_array(np.ones((6, 2)), direction="maximize")
    for rope, color in ((0, 1.0), (0.1, 0.66)):
        plot = posterior_matrix(nbc.compare_bayesian(tied, rope=rope, n_samples=50))
        assert plot.artists["cells"][0].get_facecolor()[0, :3] == pytest.approx([color] * 3)


def test_alt_text_says_what_the_picture_says():
    result = nbc.compare_bayesian(nbc.datasets.load("demsar2006"), rope=0.01)
    assert posterior_matrix(result).alt == (
        "Matrix of the posterior probabilities of pairs (Bayesian signed-rank test, 14 data sets; "
        "higher is better). Best first: C4.5+m+cf, C4.5+m, C4.5+cf, C4.5. Claims with probability "
        "0.95 or more, of 6 pairs: C4.5+m+cf and C4.5: C4.5+m+cf better."
    )
    with pytest.raises(TypeError, match=r"Pass nbc\.compare_bayesian\(experiment, rope=\.\.\.\)"):
        posterior_matrix(nbc.compare(nbc.datasets.load("demsar2006")))
