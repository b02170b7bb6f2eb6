"""The scatter of two algorithms: points, outcomes, axes and named data sets."""

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.plots import pair_scatter
from nbcompare.plots._plot import marks_of


def pair_of(scores, direction="maximize", **labels):
    experiment = nbc.Experiment.from_array(scores, direction=direction, **labels)
    return nbc.compare_pair(experiment, *experiment.algorithms)


@pytest.mark.parametrize(("direction", "scale"), [("maximize", "linear"), ("minimize", "log")])
def test_points_stand_at_the_scores_and_show_the_outcome(direction, scale):
    scores = np.random.default_rng(4).lognormal(0, 3, size=(40, 2))
    scores[:3, 1] = scores[:3, 0]
    pair = pair_of(scores, direction)
    plot = pair_scatter(pair, scale=scale)
    assert (plot.ax.get_xscale(), plot.ax.get_yscale()) == (scale, scale)
    assert plot.ax.get_aspect() == 1
    assert plot.ax.get_xlim() == plot.ax.get_ylim()
    sign = np.sign(scores[:, 0] - scores[:, 1]) * (1 if direction == "maximize" else -1)
    looks = set()
    for points, outcome, count in zip(
        plot.artists["points"], (1, -1, 0), (pair.wins, pair.losses, pair.ties), strict=True
    ):
        np.testing.assert_array_equal(points.get_xydata(), scores[sign == outcome][:, ::-1])
        assert len(points.get_xdata()) == count > 0
        names = [pair.design.datasets[row] for row in np.flatnonzero(sign == outcome)]
        assert [mark.dataset for mark in marks_of(points)] == names
        looks.add((points.get_marker(), points.get_markerfacecolor()))
    assert len(looks) == 3
    (diagonal,) = plot.artists["diagonal"]
    for x, y in (diagonal.get_xy1(), diagonal.get_xy2()):
        assert x == y


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_each_side_of_the_diagonal_says_who_is_better_there(direction):
    pair = pair_of([[3.0, 1], [4, 2], [1, 2]], direction, algorithms=["a", "b"], measure="AUC")
    plot = pair_scatter(pair)
    over, beside = (text.get_text() for text in plot.artists["regions"])
    wins = ["● a better: 2", "□ b better: 1"]
    if direction == "minimize":
        wins = ["□ b better: 2", "● a better: 1"]
    assert [over, beside] == wins
    # the tinted triangle holds the points on which the first is better
    (tint,) = plot.artists["tint"]
    first, second, _ = (points.get_xydata() for points in plot.artists["points"])
    assert tint.get_paths()[0].contains_points(first).all()
    assert not tint.get_paths()[0].contains_points(second).any()
    assert (plot.ax.get_xlabel(), plot.ax.get_ylabel()) == ("AUC of b", "AUC of a")
    assert "3 data sets" in plot.artists["caption"][0].get_text()


def test_no_side_belongs_to_one_where_directions_differ():
    frame = pd.DataFrame({"a": [3.0, 4, 1], "b": [1.0, 2, 2]}, index=["x", "y", "z"])
    direction = {"x": "minimize", None: "maximize"}
    data = nbc.Experiment.from_frame(frame, direction=direction)
    plot = pair_scatter(nbc.compare_pair(data, "a", "b"))
    assert "tint" not in plot.artists
    caption = " ".join(plot.artists["caption"][0].get_text().split())
    assert caption.endswith("● a better: 1; □ b better: 2")


def test_ties_are_those_that_were_counted():
    pair = pair_of([[0.1 + 0.2, 0.3], [0.5, 0.4], [0.2, 0.6], [1e-9, 2e-9]])
    plot = pair_scatter(pair)
    assert [len(points.get_xdata()) for points in plot.artists["points"]] == [1, 2, 1]
    assert (pair.wins, pair.losses, pair.ties) == (1, 2, 1)
    assert "4 data sets, 1 tied (×)" in plot.artists["caption"][0].get_text()


@pytest.mark.parametrize(
    ("scale", "scores"),
    [
        ("linear", [[1e6, 1e6 + 0.1], [1e6 + 0.05, 1e6 + 0.02]]),
        ("linear", [[1e-300, 3e-300], [2e-300, 1e-300]]),
        ("linear", [[3e279, 4e279], [3.5e279, 3e279]]),
        ("linear", [[7.0, 7.0]] * 2),
        ("linear", [[1.0, 1.01], [1.02, 1.0]]),
        ("log", [[1e6, 1e6 + 0.1], [1e6 + 0.05, 1e6 + 0.02]]),
        ("log", [[3e279, 4e279], [3.5e279, 3e279]]),
        ("log", [[7.0, 7.0]] * 2),
        ("log", [[1e-200, 1e200], [1.0, 2.0]]),
        ("log", [[1e-6, 1e6], [1.0, 2.0]]),
        ("log", [[0.7, 1.7], [1.0, 1.2]]),
    ],
)
def test_ticks_of_any_scale_are_distinct_and_legible(check_legible, scale, scores):
    plot = pair_scatter(pair_of(scores), scale=scale)
    check_legible(plot)
    low, high = plot.ax.get_xlim()
    ticks = {text.get_text() for text in plot.ax.get_xticklabels()
             if low <= text.get_position()[0] <= high}  # fmt: skip
    assert 2 <= len(ticks) <= 8
    assert plot.ax.xaxis.get_offset_text().get_text() == ""


@pytest.mark.parametrize("bad", [0.0, -2.5])
def test_a_logarithm_needs_positive_scores(bad):
    pair = pair_of([[1.0, 2], [3, bad]], algorithms=["a", "b"], datasets=["iris", "wine"])
    message = (
        r'^`scale` must be "linear" unless all scores are above 0; '
        rf"the score of 'b' on 'wine' is {bad}\.$"
    )
    with pytest.raises(nbc.DataError, match=message):
        pair_scatter(pair, scale="log")


def test_another_scale_is_refused():
    with pytest.raises(ValueError, match=r"^`scale` must be 'linear' or 'log'; got 'cubic'\.$"):
        pair_scatter(pair_of([[1.0, 2], [3, 4]]), scale="cubic")
