"""Densities of two algorithms and of their differences."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import difference_density


def pair_of(scores, direction="maximize", **labels):
    experiment = nbc.Experiment.from_array(scores, direction=direction, **labels)
    return nbc.compare_pair(experiment, *experiment.algorithms)


@pytest.fixture
def pair():
    scores = np.random.default_rng(2).normal([0.8, 0.75], [0.05, 0.1], size=(40, 2))
    return pair_of(scores, algorithms=["a", "b"])


def kernels(values, at):
    """A sum of normal curves by Scott's rule."""
    width = values.std(ddof=1) * len(values) ** -0.2
    curves = np.exp(-0.5 * ((at[:, None] - values) / width) ** 2)
    return curves.sum(axis=1) / width / len(values) / np.sqrt(2 * np.pi)


def test_curves_are_the_densities_above_a_line_per_data_set(pair):
    plot = difference_density(pair)
    samples = (*pair.scores.T, pair.scores[:, 0] - pair.scores[:, 1])
    for curve, rug, values in zip(
        plot.artists["densities"], plot.artists["rugs"], samples, strict=True
    ):
        x, height = curve.get_data()
        assert height == pytest.approx(kernels(values, x), abs=1e-6 * height.max())
        assert rug.get_xdata() == pytest.approx(values)
    assert len({curve.axes for curve in plot.artists["densities"]}) == 2
    first, second, _ = plot.artists["densities"]
    assert (first.get_linestyle(), second.get_linestyle()) == ("-", "--")
    texts = [text.get_text() for text in plot.artists["legend"][0].get_texts()]
    assert texts == ["a", "b"]


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_who_is_better_at_either_side_of_zero(direction):
    pair = pair_of([[3.0, 1], [4, 2.5], [1, 2]], direction, algorithms=["a", "b"])
    plot = difference_density(pair)
    (zero,) = plot.artists["zero"]
    assert set(zero.get_xdata()) == {0}
    left, right = [text.get_text() for text in plot.artists["sides"]]
    # differences are positive, to the right, where the first is better
    wins = {"maximize": ("b better: 1", "a better: 2"), "minimize": ("b better: 2", "a better: 1")}
    assert (left, right) == wins[direction]
    first, second = (fill.get_paths()[0].vertices[:, 0] for fill in plot.artists["fills"])
    assert first.min() == second.max() == 0
    up = direction == "maximize"
    gains = np.array([2, 1.5, -1]) * (1 if up else -1)
    assert plot.artists["rugs"][2].get_xdata() == pytest.approx(gains)
    how = "a minus b" if up else "b minus a"
    assert zero.axes.get_xlabel() == how
    ends = "−1.00 to +2.00, median +1.50" if up else "−2.00 to +1.00, median −1.50"
    assert f" {how}: {ends}. a is better on {pair.wins}, b on" in plot.alt


def test_differences_that_are_all_the_same_are_one_line(check_legible):
    scores = np.array([[0.1, 0.3], [0.5, 0.7], [0.7, 0.9]])
    plot = difference_density(pair_of(scores, algorithms=["a", "b"]))
    check_legible(plot)
    spike = plot.artists["densities"][2]
    assert spike.get_xdata() == pytest.approx([-0.2, -0.2])
    caption = plot.artists["caption"][0].get_text()
    assert caption.endswith("\nAll differences are −0.200.")


def test_an_algorithm_with_one_score_does_not_flatten_the_other(check_legible):
    plot = difference_density(pair_of([[0.5, 0.1], [0.5, 0.9], [0.5, 0.3]]))
    check_legible(plot)
    spike, curve, _ = plot.artists["densities"]
    assert spike.get_xdata().tolist() == [0.5, 0.5]
    assert curve.get_ydata().max() == spike.get_ydata().max()


@pytest.mark.parametrize(
    "scores",
    [
        [[1e6, 1e6 + 0.1], [1e6 + 0.05, 1e6 + 0.02]],
        [[1e-300, 3e-300], [2e-300, 1e-300]],
        [[0.0, 0.0], [0.0, 0.0]],
        [[0.1 + 0.2, 0.3], [0.5, 0.5]],
        [[float(number == 7), 0.0] for number in range(500)],
    ],
)
def test_any_scale_is_legible(check_legible, scores):
    plot = difference_density(pair_of(scores))
    check_legible(plot)
    for curve in (*plot.artists["densities"], *plot.artists["rugs"]):
        assert np.isfinite(curve.get_xydata()).all()


def test_two_axes_are_needed(pair):
    given = nbc.plots.difference_density(pair).figure.axes[:1]
    with pytest.raises(ValueError, match="`ax` must be 2 axes"):
        difference_density(pair, ax=given)
