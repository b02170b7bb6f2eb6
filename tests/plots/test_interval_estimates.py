"""The figure of aggregates: intervals and estimates in units of the measure, best first."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import interval_estimates
from nbcompare.plots._plot import marks_of


def made(k=4, *, direction="maximize", target=1, **options):
    rng = np.random.default_rng(k)
    scores = rng.normal(size=(6, k, 1, 5)) + rng.normal(size=k)[:, np.newaxis, np.newaxis]
    data = nbc.Experiment.from_array(
        scores, direction=direction, algorithms=[f"A{j}" for j in range(k)], measure="AUC"
    )
    return nbc.aggregate_runs(data, target=target, n_resamples=100, **{"scale": "one"} | options)


def texts(plot, part):
    return [text.get_text().replace("\n", " ") for text in plot.artists[part]]


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_intervals_and_estimates_are_where_the_axes_say(direction):
    result = made(direction=direction)
    plot = interval_estimates(result)
    assert texts(plot, "titles") == [
        "interquartile mean",
        "median",
        "mean",
        "optimality gap to 1, less is better",
    ]
    assert texts(plot, "names") == list(result.ordered)
    order = [result.algorithms.index(name) for name in result.ordered]
    bars = np.array([bar.get_xdata() for bar in plot.artists["intervals"]]).reshape(4, 4, 2)
    points = [(*point.get_xdata(), *point.get_ydata()) for point in plot.artists["estimates"]]
    points = np.array(points).reshape(4, 4, 2)
    for panel, (name, found) in enumerate(result.aggregates.items()):
        ends = np.array([found.lower[order], found.upper[order]]).T
        assert bars[panel] == pytest.approx(ends)
        assert points[panel] == pytest.approx(np.array([found.estimate[order], range(4)]).T)
        assert name.split("-")[0] in plot.figure.axes[panel].get_xlabel()
    best = result.interquartile_mean.estimate[order]
    assert (np.diff(best) * (-1 if direction == "maximize" else 1) > 0).all()


def test_what_is_drawn_is_chosen():
    result = made()
    plot = interval_estimates(result, ["mean", "interquartile-mean"])
    assert texts(plot, "titles") == ["mean", "interquartile mean"]
    assert len(plot.artists["estimates"]) == 8
    without = made(target=None)
    assert len(interval_estimates(without).artists["titles"]) == 3
    with pytest.raises(ValueError, match=r"no optimality gap.* target=\.\.\."):
        interval_estimates(without, "optimality-gap")
    with pytest.raises(ValueError, match=r"`what` must be .*; got 'middle'"):
        interval_estimates(result, "middle")
    with pytest.raises(ValueError, match="`what` must name at least one aggregate; got none"):
        interval_estimates(result, [])
    with pytest.raises(ValueError, match="no interquartile mean: the data sets are stated to be"):
        interval_estimates(made(target=None, scale="several"))
    with pytest.raises(TypeError, match=r"Pass nbc\.aggregate_runs\(experiment"):
        interval_estimates(nbc.compare(nbc.datasets.load("demsar2006")))


def test_without_an_interval_there_is_an_estimate_alone():
    scores = np.random.default_rng(0).normal(size=(5, 2, 1, 6))
    scores[:, 0, :, 1:] = np.nan
    data = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["one", "many"])
    result = nbc.aggregate_runs(data, scale="one", n_resamples=100)
    plot = interval_estimates(result, "mean")
    assert len(plot.artists["estimates"]) == 2
    (bar,) = plot.artists["intervals"]
    assert [mark.names for mark in marks_of(bar)] == [("many",)]


def test_tips_caption_and_alternative_text_tell_the_numbers():
    result = made(3)
    plot = interval_estimates(result)
    first = result.ordered[0]
    place = result.algorithms.index(first)
    (mark,) = marks_of(plot.artists["names"][0])
    for name in result.aggregates:
        told = result.told(name, place)
        assert told in mark.title
        assert told in plot.alt
    (mark,) = marks_of(plot.artists["estimates"][0])
    told = result.told("interquartile-mean", place)
    assert mark.title == f"{first}: interquartile mean {told}"
    caption = "Aggregates of the runs on 6 data sets, with 95 % intervals"
    assert f"({caption}; AUC, higher is better). Best first: {first}: " in plot.alt
    assert texts(plot, "caption") == [f"{caption} AUC, higher is better"]


def test_normalised_scores_are_called_so():
    ends = {str(i): (-2, 2) for i in range(1, 7)}
    plot = interval_estimates(made(target=None, baseline=ends))
    assert "normalised AUC, higher is better" in texts(plot, "caption")[0]
    assert texts(plot, "titles")[-1].startswith("optimality gap to 1")


def test_errors_over_decades_have_a_logarithmic_axis():
    runs = 10.0 ** np.random.default_rng(0).normal([[-9], [-3], [2]], 0.3, (3, 25))
    for scores, scale in ((runs, "log"), (runs + 1, "linear"), (runs - 1e-3, "linear")):
        table = scores[np.newaxis, :, np.newaxis]
        result = nbc.aggregate_runs(nbc.Experiment.from_array(table, direction="minimize"))
        panels = nbc.plots.interval_estimates(result).figure.axes
        assert {panel.get_xscale() for panel in panels} == {scale}
        (ax,) = nbc.plots.performance_profiles(result).figure.axes
        assert ax.get_xscale() == scale
