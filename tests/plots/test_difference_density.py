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


def values_of(plot, panel):
    """A function from places to values, by the ticks of the panel: 0 above, 1 below."""
    texts = [item for item in plot.artists["axis"] if hasattr(item, "get_text")]
    heights = sorted({text.get_position()[1] for text in texts})
    # ticks and name of the upper axis, then of the lower
    ticks = [text for text in texts if text.get_position()[1] == heights[2 * panel]]
    values = [float(text.get_text().replace("−", "-")) for text in ticks]
    places = [text.get_position()[0] for text in ticks]
    slope = (values[-1] - values[0]) / (places[-1] - places[0])
    return lambda x: values[0] + slope * (np.asarray(x) - places[0])


def kernels(values, at):
    """A sum of normal curves by Scott's rule."""
    width = values.std(ddof=1) * len(values) ** -0.2
    return np.exp(-0.5 * ((at[:, None] - values) / width) ** 2).sum(axis=1) / width / len(values)


def test_curves_are_the_densities(pair):
    plot = difference_density(pair)
    samples = (*pair.scores.T, pair.scores[:, 0] - pair.scores[:, 1])
    peaks = []
    for number, (curve, values) in enumerate(zip(plot.artists["densities"], samples, strict=True)):
        x, y = curve.get_data()
        at = values_of(plot, number == 2)(x)
        height = y.max() - y
        expected = kernels(values, at)
        assert height / height.max() == pytest.approx(
            (expected - expected.min()) / np.ptp(expected), abs=1e-6
        )
        peaks.append((height.max(), expected.max()))
    # those of the two algorithms are on one scale
    assert peaks[0][0] / peaks[1][0] == pytest.approx(peaks[0][1] / peaks[1][1], rel=0.02)


def test_a_line_per_data_set(pair):
    plot = difference_density(pair)
    samples = (*pair.scores.T, pair.scores[:, 0] - pair.scores[:, 1])
    for number, (rug, values) in enumerate(zip(plot.artists["rugs"], samples, strict=True)):
        assert values_of(plot, number == 2)(rug.get_xdata()) == pytest.approx(values)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_who_is_better_at_either_side_of_zero(direction):
    pair = pair_of([[3.0, 1], [4, 2.5], [1, 2]], direction, algorithms=["a", "b"])
    plot = difference_density(pair)
    (zero,) = plot.artists["zero"]
    assert values_of(plot, 1)(zero.get_xdata()) == pytest.approx([0, 0], abs=1e-9)
    left, right = [text.get_text() for text in plot.artists["sides"]]
    # differences are positive, to the right, where the first is better
    wins = {"maximize": ("b better: 1", "a better: 2"), "minimize": ("b better: 2", "a better: 1")}
    assert (left, right) == wins[direction]
    up = direction == "maximize"
    gains = np.array([2, 1.5, -1]) * (1 if up else -1)
    assert values_of(plot, 1)(plot.artists["rugs"][2].get_xdata()) == pytest.approx(gains)
    how = "a minus b" if up else "b minus a"
    ends = "−1.00 to +2.00, median +1.50" if up else "−2.00 to +1.00, median −1.50"
    assert f"the differences, {how}: {ends}. a is better on {pair.wins}, b on" in plot.alt


def test_the_two_are_told_apart_without_colour(pair):
    plot = difference_density(pair)
    first, second, _ = plot.artists["densities"]
    assert first.get_linestyle() == "-"
    assert second.get_linestyle() == "--"
    texts = [text.get_text() for text in plot.artists["legend"] if hasattr(text, "get_text")]
    assert texts == ["scores of a", "scores of b"]


def test_differences_that_are_all_the_same_are_one_line(check_legible):
    scores = np.array([[0.1, 0.3], [0.5, 0.7], [0.7, 0.9]])
    plot = difference_density(pair_of(scores, algorithms=["a", "b"]))
    check_legible(plot)
    spike = plot.artists["densities"][2]
    assert len(spike.get_xdata()) == 2
    assert np.ptp(spike.get_ydata()) > 1
    assert values_of(plot, 1)(spike.get_xdata()) == pytest.approx([-0.2, -0.2])
    assert plot.ax.texts[0].get_text().endswith("\nAll differences are −0.200.")


def test_an_algorithm_with_one_score_does_not_flatten_the_other(check_legible):
    plot = difference_density(pair_of([[0.5, 0.1], [0.5, 0.9], [0.5, 0.3]]))
    check_legible(plot)
    spike, curve, _ = plot.artists["densities"]
    assert len(spike.get_xdata()) == 2
    assert np.ptp(curve.get_ydata()) == pytest.approx(np.ptp(spike.get_ydata()), rel=0.02)


@pytest.mark.parametrize(
    "scores",
    [
        [[1e6, 1e6 + 0.1], [1e6 + 0.05, 1e6 + 0.02]],
        [[1e-300, 3e-300], [2e-300, 1e-300]],
        [[2e307, -2e307], [-2e307, 2.1e307]],
        [[0.0, 0.0], [0.0, 0.0]],
        [[0.1 + 0.2, 0.3], [0.5, 0.5]],
        [[-5.0, 5.0], [-5.0, 5.0]],
    ],
)
def test_any_scale_is_legible(check_legible, scores):
    plot = difference_density(pair_of(scores))
    check_legible(plot)
    for curve in (*plot.artists["densities"], *plot.artists["rugs"]):
        assert np.isfinite(curve.get_xydata()).all()


def test_many_data_sets_and_one_outlier(check_legible):
    scores = np.zeros((500, 2))
    scores[7, 0] = 1
    check_legible(difference_density(pair_of(scores)))


def test_alt_text_says_what_the_picture_says():
    pair = nbc.compare_pair(nbc.datasets.load("otero2013_auc"), "FURIA", "C4.5")
    assert difference_density(pair).alt == (
        "Densities of AUC (higher is better) over 40 data sets: FURIA 0.520 to 1.000; C4.5 0.500 "
        "to 1.000. Below, the density of the differences, FURIA minus C4.5: −0.120 to +0.080, "
        "median +0.0200. FURIA is better on 30, C4.5 on 5, 5 tied."
    )
