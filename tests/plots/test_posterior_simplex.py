"""The posterior distribution of a pair: a triangle, a histogram, or a density."""

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare.plots import posterior_simplex
from nbcompare.plots._plot import marks_of

DEMSAR = nbc.datasets.load("demsar2006")


def folds(n=10, shift=0.5):
    scores = np.random.default_rng(1).normal(size=(1, 2, n)) + np.array([[0], [shift]])
    return nbc.Experiment.from_array(scores, direction="minimize", algorithms=["X", "Y"])


def texts(plot, part="regions"):
    return [" ".join(text.get_text().split()) for text in plot.artists[part]]


def outline(plot):
    return plot.artists["density"][0].get_data()


@pytest.mark.parametrize("test", ["signed-rank", "sign"])
@pytest.mark.parametrize("order", [("C4.5", "C4.5+m"), ("C4.5+m", "C4.5")])
def test_hexagons_lie_where_the_draws_are(test, order):
    result = nbc.compare_bayesian(DEMSAR, rope=0.01, test=test)
    row, turned = result.pair(*order)
    plot = posterior_simplex(result, *order)
    assert plot.ax.get_aspect() == 1
    (cells,) = plot.artists["cells"]
    draws = result.draws[row]
    counts = draws[draws > 0]
    points = np.array([(i, j, 24 - i - j) for i in range(25) for j in range(25 - i)]) / 24
    points = points[draws > 0][:, [1, 0, 2] if turned else [0, 1, 2]]
    # corners of a, of b, and of equivalence
    corners = np.array([[1, 0], [0, 0], [0.5, 0.75**0.5]])
    assert cells.get_offsets() == pytest.approx(points @ corners)
    # no vertex leaves the outline, and more draws are darker
    vertices = cells.get_paths()[0].vertices[np.newaxis] + cells.get_offsets()[:, np.newaxis]
    outer = np.vstack([plot.artists["axis"][0].get_xy()[:3].T, np.ones(3)])
    places = np.vstack([vertices.reshape(-1, 2).T, np.ones(vertices.size // 2)])
    assert np.linalg.solve(outer, places).min() > -1e-9
    light = cells.get_facecolor()[:, :3].sum(axis=1)
    assert light[counts.argmax()] == light.min()
    values = [result.first_better[row], result.second_better[row]]
    told = dict(zip(order, values[::-1] if turned else values, strict=True))
    assert texts(plot) == [
        *(f"{name} is better: {result.chance(value)}" for name, value in told.items()),
        f"practically equivalent: {result.chance(result.equivalent[row])}",
    ]
    assert all(mark.pair for mark in marks_of(cells))
    right, left, top = (text.xy for text in plot.artists["regions"])
    assert (right, left, top) == ((1, 0), (0, 0), (0.5, 1))
    caption = " ".join(plot.artists["caption"][0].get_text().split())
    assert "14 data sets; 5,000 draws (darker: more);" in caption
    for border in plot.artists["borders"]:
        start, end = border.get_xydata()
        assert start == pytest.approx(corners.mean(axis=0))
        assert min(np.abs((end - (corners[i] + corners[j]) / 2) @ (corners[i] - corners[j]))
                   for i, j in ((0, 1), (0, 2), (1, 2))) < 1e-9  # fmt: skip


def test_without_a_region_the_share_has_a_histogram():
    result = nbc.compare_bayesian(DEMSAR, rope=0)
    row, turned = result.pair("C4.5+m", "C4.5")
    assert not turned
    plot = posterior_simplex(result, "C4.5+m", "C4.5")
    x, height = outline(plot)
    (border,) = plot.artists["borders"]
    middle = border.get_xdata()[0]
    assert middle == 0.5
    assert np.trapezoid(height, x) == pytest.approx(1)
    share = np.trapezoid(np.where(x > middle, height, 0), x)
    assert share == pytest.approx(result.first_better[row], abs=0.02)
    assert len(texts(plot)) == 2
    mirrored = posterior_simplex(result, "C4.5", "C4.5+m")
    assert outline(mirrored)[1][::-1] == pytest.approx(height)


@pytest.mark.parametrize("rope", [0, 0.3])
def test_on_folds_the_difference_has_students_density(rope):
    data = folds()
    result = nbc.compare_bayesian(data, rope=rope)
    plot = posterior_simplex(result, "X", "Y")
    x, height = outline(plot)
    gains = np.subtract(*data.scores[0, ::-1].reshape(2, -1))  # lower is better
    law = stats.t(9, gains.mean(), np.sqrt((1 / 10 + 1 / 9) * gains.var(ddof=1)))
    assert height == pytest.approx(law.pdf(x))
    lines = [line for line in plot.artists["borders"] if hasattr(line, "get_xdata")]
    places = [line.get_xdata()[0] for line in lines]
    assert places == ([-rope, rope] if rope else [0])
    if rope:
        assert texts(plot)[2] == f"practically equivalent: {result.chance(result.equivalent[0])}"
    row, turned = result.pair("X", "Y")
    better = (result.second_better if turned else result.first_better)[row]
    assert law.sf(places[-1]) == pytest.approx(better)
    assert plot.ax.get_xlabel() == "Y minus X; lower is better"


def test_no_variance_is_a_line():
    scores = np.arange(8.0) + np.array([[0.0], [1.0]])
    data = nbc.Experiment.from_array(scores[np.newaxis], direction="maximize")
    plot = posterior_simplex(nbc.compare_bayesian(data, rope=0.5), "A1", "A2")
    x, _ = outline(plot)
    assert len(set(x.round(9))) == 1
    assert texts(plot) == ["A1 is better: < 0.001", "A2 is better: > 0.999",
                           "practically equivalent: < 0.001"]  # fmt: skip


def test_a_claim_is_bold_and_told():
    result = nbc.compare_bayesian(DEMSAR, rope=0.01)
    plot = posterior_simplex(result, "C4.5+m+cf", "C4.5")
    weights = [text.get_fontweight() for text in plot.artists["regions"]]
    assert weights == ["bold", "normal", "normal"]
    assert plot.alt.endswith("Claim: C4.5+m+cf better.")
    none = posterior_simplex(result, "C4.5+m", "C4.5")
    assert {text.get_fontweight() for text in none.artists["regions"]} == {"normal"}


def test_what_cannot_be_drawn():
    result = nbc.compare_bayesian(DEMSAR, rope=0.01, control="C4.5")
    with pytest.raises(ValueError, match="`b` must be one of"):
        posterior_simplex(result, "C4.5", "C5.0")
    with pytest.raises(ValueError, match="an algorithm is not compared with itself"):
        posterior_simplex(result, "C4.5", "C4.5")
    with pytest.raises(ValueError, match=r"only pairs with the control 'C4\.5'"):
        posterior_simplex(result, "C4.5+m", "C4.5+cf")
    many = nbc.Experiment.from_array(
        np.random.default_rng(0).normal(size=(9, 26)), direction="maximize"
    )
    crowd = nbc.compare_bayesian(many, rope=0.1, n_samples=500)
    with pytest.raises(ValueError, match=r"select\(algorithms=\['A2', 'A1'\]\)"):
        posterior_simplex(crowd, "A2", "A1")
    two = nbc.compare_bayesian(many.select(algorithms=["A2", "A1"]), rope=0.1, n_samples=500)
    row, turned = crowd.pair("A2", "A1")
    values = [crowd.first_better[row], crowd.second_better[row]]
    assert [two.first_better[0], two.second_better[0]] == (values[::-1] if turned else values)
    posterior_simplex(two, "A2", "A1")
