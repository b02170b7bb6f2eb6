"""The posterior distribution of a pair: a triangle, a histogram, or a density."""

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare.plots import posterior_simplex
from nbcompare.plots._marks import marks_of

DEMSAR = nbc.datasets.load("demsar2006")


def folds(n=10, shift=0.5):
    scores = np.random.default_rng(1).normal(size=(1, 2, n)) + np.array([[0], [shift]])
    return nbc.Experiment.from_array(scores, direction="minimize", algorithms=["X", "Y"])


def texts(plot, part="regions"):
    return [" ".join(text.get_text().split()) for text in plot.artists[part]]


def outline(plot):
    """The density as an array of x and heights above the axis."""
    line = plot.artists["density"][1].get_xydata()
    return line[:, 0], line[0, 1] - line[:, 1]


@pytest.mark.parametrize("test", ["signed-rank", "sign"])
@pytest.mark.parametrize("order", [("C4.5", "C4.5+m"), ("C4.5+m", "C4.5")])
def test_hexagons_lie_where_the_draws_are(test, order):
    result = nbc.compare_bayesian(DEMSAR, rope=0.01, test=test)
    row, turned = result.pair(*order)
    plot = posterior_simplex(result, *order)
    (cells,) = plot.artists["cells"]
    triangle = plot.artists["axis"][0].get_xy()[:3]  # a, b, equivalence
    middles = np.array([path.vertices[:6].mean(axis=0) for path in cells.get_paths()])
    counts = result.draws[row][result.draws[row] > 0]
    assert len(middles) == len(counts) > 15
    # the mean of the draws, in barycentric coordinates: the lattice shrinks about its centre
    system = np.vstack([triangle.T, np.ones(3)])
    places = np.linalg.solve(system, np.vstack([middles.T, np.ones(len(middles))])).T
    places = 1 / 3 + (places - 1 / 3) * 26 / 24
    drawn = (counts[:, np.newaxis] * places).sum(axis=0) / 5000
    points = np.array([(i, j, 24 - i - j) for i in range(25) for j in range(25 - i)]) / 24
    expected = (result.draws[row][:, np.newaxis] * points).sum(axis=0) / 5000
    expected = expected[[1, 0, 2]] if turned else expected
    assert drawn == pytest.approx(expected, abs=1e-6)
    # no vertex leaves the triangle, and more draws are darker
    corners = np.vstack([path.vertices[:6] for path in cells.get_paths()])
    inside = np.linalg.solve(system, np.vstack([corners.T, np.ones(len(corners))]))
    assert inside.min() > -1e-9
    assert (
        cells.get_facecolor()[counts.argmax(), :3].sum()
        == cells.get_facecolor()[:, :3].sum(axis=1).min()
    )
    values = [result.first_better[row], result.second_better[row]]
    told = dict(zip(order, values[::-1] if turned else values, strict=True))
    assert texts(plot) == [
        *(f"{name} is better: {result.chance(value)}" for name, value in told.items()),
        f"practically equivalent: {result.chance(result.equivalent[row])}",
    ]
    assert all(mark.pair for mark in marks_of(cells))


def test_borders_meet_where_the_shares_are_equal():
    plot = posterior_simplex(nbc.compare_bayesian(DEMSAR, rope=0.01), "C4.5", "C4.5+m")
    triangle = plot.artists["axis"][0].get_xy()[:3]
    for border in plot.artists["borders"]:
        start, end = border.get_xydata()
        assert start == pytest.approx(triangle.mean(axis=0))
        halves = [(triangle[i] + triangle[j]) / 2 for i, j in ((0, 1), (0, 2), (1, 2))]
        assert min(np.abs(end - half).max() for half in halves) < 1e-9


def test_without_a_region_the_share_has_a_histogram():
    result = nbc.compare_bayesian(DEMSAR, rope=0)
    row, turned = result.pair("C4.5+m", "C4.5")
    assert not turned
    plot = posterior_simplex(result, "C4.5+m", "C4.5")
    x, height = outline(plot)
    (border,) = plot.artists["borders"]
    middle = border.get_xydata()[0, 0]
    steps, left = np.diff(x), x[:-1] + np.diff(x) / 2
    area = np.where(steps > 0, steps * height[:-1], 0)
    share = area[left > middle].sum() / area.sum()
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
    lines = [line for line in plot.artists["borders"] if hasattr(line, "get_xydata")]
    places = [line.get_xydata()[0, 0] for line in lines]
    assert len(places) == (2 if rope else 1)
    if rope:
        unit = (places[1] - places[0]) / (2 * rope)
        values = (x - np.mean(places)) / unit
        expected = law.pdf(values[1:-1])
        assert height[1:-1] / height.max() == pytest.approx(expected / expected.max(), abs=1e-6)
        assert texts(plot)[2] == f"practically equivalent: {result.chance(result.equivalent[0])}"
    area = np.trapezoid(height, x)
    beyond = np.trapezoid(np.where(x >= places[-1], height, 0), x) / area
    row, turned = result.pair("X", "Y")
    better = (result.second_better if turned else result.first_better)[row]
    assert beyond == pytest.approx(better, abs=0.02)
    assert "Y minus X" in plot.ax.texts[-2].get_text() + plot.ax.texts[-1].get_text()


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
