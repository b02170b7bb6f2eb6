"""Boxplots of runs by fold: quartiles, means and every run where they should be."""

from statistics import fmean, quantiles

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import fold_boxplots
from nbcompare.plots._live import marks_of


def made(n_datasets=1, k=4, folds=10, runs=30, **options):
    """The first algorithm has two modes; every other one after it runs once per fold."""
    rng = np.random.default_rng(5)
    scores = rng.normal(0.4, 0.03, size=(n_datasets, k, folds, runs))
    scores += rng.normal(0, 0.05, size=(n_datasets, 1, folds, 1))
    scores[:, 0, :, : runs // 4] += 0.3
    scores[:, 1::2, :, 1:] = np.nan
    return nbc.Experiment.from_array(
        scores, **{"direction": "minimize", "measure": "RMSE"} | options
    )


def texts(plot, part):
    return [text.get_text() for text in plot.artists[part]]


def legend(plot):
    (box,) = plot.artists["legend"]
    return [text.get_text() for text in box.get_texts()]


def test_boxes_whiskers_means_and_runs():
    experiment = made()
    plot = fold_boxplots(experiment, "A1")
    whiskers = iter(plot.artists["whiskers"])
    (means,) = plot.artists["means"]
    for fold in range(10):
        runs = experiment.scores[0, 0, fold].tolist()
        lower, median, upper = quantiles(runs, n=4, method="inclusive")
        box = plot.artists["boxes"][fold].get_path().vertices[:, 1]
        assert (box.min(), box.max()) == pytest.approx((lower, upper))
        assert plot.artists["medians"][fold].get_ydata() == pytest.approx([median, median])
        reach = 1.5 * (upper - lower)
        least = min(run for run in runs if run >= lower - reach)
        most = max(run for run in runs if run <= upper + reach)
        assert next(whiskers).get_ydata() == pytest.approx([lower, least])
        assert next(whiskers).get_ydata() == pytest.approx([upper, most])
        assert means.get_ydata()[fold] == pytest.approx(fmean(runs))
        drawn = plot.artists["runs"][fold]
        assert sorted(drawn.get_ydata()) == pytest.approx(sorted(runs))
        assert (np.abs(drawn.get_xdata() - fold) < 0.5).all()


def test_runs_of_one_score_lie_side_by_side():
    scores = np.repeat([0.0, 1.0], 15)[np.newaxis, np.newaxis]
    plot = fold_boxplots(nbc.Experiment.from_array(scores[np.newaxis], direction="minimize"), "A1")
    places = plot.artists["runs"][0].get_xydata()
    assert len(np.unique(places.round(4), axis=0)) == 30
    box = plot.artists["boxes"][0].get_path().vertices[:, 0]
    assert places[:, 0].min() > box.max()  # beside the box, not on it
    assert "folds" not in plot.artists


def test_others_stand_at_their_means_with_marks_of_their_own():
    experiment = made(k=7)
    plot = fold_boxplots(experiment, "A1")
    others = plot.artists["others"]
    assert len(others) == 6
    for number, marks in enumerate(others, start=1):
        assert marks.get_ydata() == pytest.approx(np.nanmean(experiment.scores[0, number], axis=1))
        assert [mark.names for mark in marks_of(marks)] == [(f"A{number + 1}",)] * 10
    assert len({(m.get_marker(), m.get_markerfacecolor()) for m in others}) == 6
    # no two marks of a fold are one above the other, whatever their scores
    assert np.diff([marks.get_xdata() for marks in others], axis=0).min() > 0.05
    assert legend(plot) == ["runs of A1", "their mean", "A2", "A3", "A4", "A5", "A6", "A7"]


def test_others_by_name():
    plot = fold_boxplots(made(k=5), "A1", ["A4", "A3"])
    assert legend(plot)[2:] == ["A4", "A3"]
    assert texts(plot, "caption")[0].endswith("\nwith 2 of 4 other algorithms")
    assert "others" not in fold_boxplots(made(k=5), "A1", []).artists


def test_folds_without_the_algorithm_are_left_out_and_cells_may_be_ragged():
    scores = made(k=2).scores.copy()
    scores[0, 0, 2] = np.nan
    scores[0, 0, 5, 10:] = np.nan
    scores[0, 1, 7] = np.nan
    plot = fold_boxplots(nbc.Experiment.from_array(scores, direction="minimize"), "A1")
    assert len(plot.artists["boxes"]) == 9
    assert texts(plot, "folds") == ["1", "2", "4", "5", "6", "7", "8", "9", "10"]
    assert [len(runs.get_xdata()) for runs in plot.artists["runs"]].count(10) == 1
    assert len(plot.artists["others"][0].get_xdata()) == 8  # neither in fold 3 nor in fold 8
    assert "(A1 on 1, 10 to 30 runs in each of 9 folds)" in plot.alt


def test_one_of_several_data_sets():
    experiment = made(n_datasets=3)
    plot = fold_boxplots(experiment, "A1", dataset="2")
    drawn = plot.artists["runs"][0].get_ydata()
    assert sorted(drawn) == pytest.approx(sorted(experiment.scores[1, 0, 0]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "A9"}, r"`algorithm` must be one of 'A1', .* and 'A4'; got 'A9'\..*"),
        ({"dataset": "9"}, r"`dataset` must be one of '1' and '2'; got '9'\."),
        (
            {"dataset": None},
            r"`dataset` must name one of the 2 data sets, because their scores may be on "
            r"different scales: '1' and '2'\.",
        ),
        (
            {"algorithm": "A2"},
            r"`algorithm` must have several runs in a fold to make a box; 'A2' on '1' has 1\. "
            r"Those that have: 'A1' and 'A3'\.",
        ),
        ({"others": ["A1"]}, r"`others` must be one of 'A2', 'A3' and 'A4'; got 'A1'\..*"),
        ({"others": ["A9"]}, r"`others` must be one of 'A2', 'A3' and 'A4'; got 'A9'\..*"),
        ({"others": ["A2", "A2"]}, r"`others` must be distinct; got 'A2' at positions 1 and 2\."),
    ],
)
def test_what_cannot_be_drawn(options, message):
    given = {"algorithm": "A1", "dataset": "1"} | options
    with pytest.raises(ValueError, match=f"^{message}$"):
        fold_boxplots(made(n_datasets=2), **given)


def test_more_others_than_marks():
    names = [f"A{i}" for i in range(2, 9)]
    message = (
        r"^`others` must name at most 6 algorithms, because no more marks can be told apart; "
        r"got 7\.$"
    )
    with pytest.raises(ValueError, match=message):
        fold_boxplots(made(k=9), "A1", names)


def test_others_that_are_missing_on_the_data_set():
    scores = made(n_datasets=2).scores.copy()
    scores[0, 1] = np.nan
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    assert len(fold_boxplots(experiment, "A1", dataset="1").artists["others"]) == 2
    with pytest.raises(ValueError, match=r"^`others` must be one of 'A3' and .*; got 'A2'\."):
        fold_boxplots(experiment, "A1", ["A2"], dataset="1")


def test_scores_that_have_no_quartiles():
    lower = made().scores
    interval = nbc.Experiment(
        lower=lower,
        upper=lower + 0.1,
        datasets=("1",),
        algorithms=("a", "b", "c", "d"),
        folds=tuple(map(str, range(10))),
        direction="minimize",
    )
    with pytest.raises(nbc.DataError, match=r"^`experiment` holds interval-valued scores, which"):
        fold_boxplots(interval, "a")
    with pytest.raises(TypeError, match=r"^`experiment` must be an Experiment; got dict\. Make"):
        fold_boxplots({}, "a")
