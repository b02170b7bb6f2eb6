"""The scatter of two algorithms: points, outcomes, axes and numbered data sets."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import pair_scatter


def pair_of(scores, direction="maximize", **labels):
    experiment = nbc.Experiment.from_array(scores, direction=direction, **labels)
    return nbc.compare_pair(experiment, *experiment.algorithms)


def scale_of(plot, *, log=False):
    """How to turn a place on the page into scores, from the labelled ticks."""
    texts = [item for item in plot.artists["axis"][:-2] if hasattr(item, "get_text")]
    at = {"left": 1, "below": 0}
    found = []
    for side, axis in at.items():
        chosen = [t for t in texts if (t.get_horizontalalignment() == "right") == (side == "left")]
        places = [text.get_position()[axis] for text in chosen]
        values = [float(text.get_text().replace("−", "-")) for text in chosen]
        assert len(values) >= 2
        values = np.log10(values) if log else values
        slope, start = np.polyfit(places, values, 1)
        found.append((slope, start))
    (down, y0), (right, x0) = found
    assert -down == pytest.approx(right)  # equal axes
    return lambda x, y: (y0 + down * np.asarray(y), x0 + right * np.asarray(x))


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_points_stand_at_the_scores_and_tell_the_outcome(direction, scale):
    scores = np.random.default_rng(4).lognormal(0, 3, size=(40, 2))
    scores[:3, 1] = scores[:3, 0]
    pair = pair_of(scores, direction)
    plot = pair_scatter(pair, scale=scale)
    to_scores = scale_of(plot, log=scale == "log")
    shown = np.log10(scores) if scale == "log" else scores
    sign = np.sign(scores[:, 0] - scores[:, 1]) * (1 if direction == "maximize" else -1)
    shapes = set()
    for points, outcome, count in zip(
        plot.artists["points"], (1, -1, 0), (pair.wins, pair.losses, pair.ties), strict=True
    ):
        drawn = np.column_stack(to_scores(*points.get_data()))
        assert drawn == pytest.approx(shown[sign == outcome], rel=1e-6, abs=1e-6 * np.ptp(shown))
        assert len(drawn) == count > 0
        shapes.add(points.get_marker())
    assert len(shapes) == 3
    (diagonal,) = plot.artists["diagonal"]
    assert np.ptp(to_scores(*diagonal.get_data()), axis=0) == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_each_side_of_the_diagonal_says_who_is_better_there(direction):
    pair = pair_of([[3.0, 1], [4, 2], [1, 2]], direction, algorithms=["a", "b"])
    plot = pair_scatter(pair)
    above, beside, tint = plot.artists["regions"][:3]
    wins = {"maximize": ("a better: 2", "b better: 1"), "minimize": ("b better: 2", "a better: 1")}
    assert (above.get_text(), beside.get_text()) == wins[direction]
    assert above.get_position()[1] < beside.get_position()[1]
    # the tinted triangle holds the points on which the first is better
    first = plot.artists["points"][0].get_xydata()
    assert tint.get_path().contains_points(first).all()
    others = plot.artists["points"][1].get_xydata()
    assert not tint.get_path().contains_points(others).any()


def test_ties_are_those_that_were_counted():
    pair = pair_of([[0.1 + 0.2, 0.3], [0.5, 0.4], [0.2, 0.6], [1e-9, 2e-9]])
    plot = pair_scatter(pair)
    assert [len(points.get_xdata()) for points in plot.artists["points"]] == [1, 2, 1]
    assert (pair.wins, pair.losses, pair.ties) == (1, 2, 1)


@pytest.mark.parametrize(("scale", "expected"), [("linear", [2, 1, 0]), ("log", [0, 2, 1])])
def test_numbered_data_sets_are_the_farthest_on_the_scale(check_legible, scale, expected):
    names = ["tiny", "middle", "large", "equal"]
    scores = [[0.001, 0.9], [10.0, 12], [90, 40], [5, 5]]
    plot = pair_scatter(pair_of(scores, datasets=names), label=3, scale=scale)
    check_legible(plot)
    keys = [text.get_text().split(":")[0] for text in plot.artists["key"]]
    assert keys == [f"{number}  {names[row]}" for number, row in enumerate(expected, start=1)]
    assert [text.get_text() for text in plot.artists["labels"]] == ["1", "2", "3"]


def test_all_may_be_numbered(check_legible):
    scores = np.random.default_rng(0).normal(size=(60, 2))
    plot = pair_scatter(pair_of(scores), label=1000)
    check_legible(plot)
    assert len(plot.artists["labels"]) == len(plot.artists["key"]) == 60


@pytest.mark.parametrize(
    "scores",
    [
        [[1e6, 1e6 + 0.1], [1e6 + 0.05, 1e6 + 0.02]],
        [[1e-300, 3e-300], [2e-300, 1e-300]],
        [[3e307, 4e307], [3.5e307, 3e307]],
        [[7.0, 7.0]] * 2,
        [[1.0, 1.01], [1.02, 1.0]],
        [[1e-200, 1e200], [1.0, 2.0]],
    ],
)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_ticks_of_any_scale_are_distinct_and_legible(check_legible, scores, scale):
    plot = pair_scatter(pair_of(scores), scale=scale)
    check_legible(plot)
    texts = [item.get_text() for item in plot.artists["axis"][:-2] if hasattr(item, "get_text")]
    assert 2 <= len(set(texts)) <= 8
    assert max(texts.count(text) for text in texts) <= 2  # once on either axis


@pytest.mark.parametrize("bad", [0.0, -2.5])
def test_a_logarithm_needs_positive_scores(bad):
    pair = pair_of([[1.0, 2], [3, bad]], algorithms=["a", "b"], datasets=["iris", "wine"])
    message = (
        r'^`scale` must be "linear" unless all scores are above 0; '
        rf"the score of 'b' on 'wine' is {bad}\.$"
    )
    with pytest.raises(nbc.DataError, match=message):
        pair_scatter(pair, scale="log")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "cubic"}, r"`scale` must be 'linear' or 'log'; got 'cubic'\."),
        ({"label": -1}, r"`label` must be a whole number of at least 0; got -1\."),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        pair_scatter(pair_of([[1.0, 2], [3, 4]]), **options)


def test_alt_text_says_what_the_picture_says():
    pair = nbc.compare_pair(nbc.datasets.load("demsar2006"), "C4.5+m", "C4.5")
    assert pair_scatter(pair, label=1).alt == (
        "Scatter of AUC (higher is better) on 14 data sets: C4.5+m against C4.5. C4.5+m is "
        "better on 10, C4.5 on 2, 2 tied; p = 0.0078 (Wilcoxon signed-rank test). Farthest from "
        "the diagonal: 1  lymphography: C4.5+m 0.8380, C4.5 0.7750."
    )
