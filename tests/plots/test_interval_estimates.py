"""The figure of aggregates: bars where the intervals are, in order, legible, with tips."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import interval_estimates
from nbcompare.plots._marks import marks_of

LONG = [f"Gradient boosting {i:02d} with a name that goes on for 60 letters" for i in range(40)]


def made(k=4, *, direction="maximize", names=None, target=1, runs=5, **options):
    rng = np.random.default_rng(k)
    scores = rng.normal(size=(6, k, 1, runs)) + rng.normal(size=k)[:, np.newaxis, np.newaxis]
    data = nbc.Experiment.from_array(
        scores, direction=direction, algorithms=names or [f"A{j}" for j in range(k)], measure="AUC"
    )
    options = {"n_resamples": 100, "scale": "one"} | options
    return nbc.aggregate_runs(data, target=target, **options)


def texts(plot, part):
    return [text.get_text() for text in plot.artists[part]]


def box_of(bar):
    across = bar.get_xy()[:, 0]
    return across.min(), across.max()


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_bars_are_where_the_intervals_are(direction):
    result = made(direction=direction)
    plot = interval_estimates(result)
    names = ["interquartile_mean", "median", "mean", "optimality_gap"]
    assert texts(plot, "titles") == [
        "interquartile mean",
        "median",
        "mean",
        "optimality gap to 1\nless is better",
    ]
    assert texts(plot, "names") == list(result.ordered)
    order = [result.algorithms.index(name) for name in result.ordered]
    bars = np.array([box_of(bar) for bar in plot.artists["intervals"]]).reshape(4, 4, 2)
    ticks = np.array([line.get_xdata()[0] for line in plot.artists["estimates"]]).reshape(4, 4)
    for panel, name in enumerate(names):
        found = getattr(result, name)
        # one line maps scores to places, the same for bars and ticks of a panel
        values = np.concatenate([found.lower[order], found.upper[order], found.estimate[order]])
        places = np.concatenate([bars[panel, :, 0], bars[panel, :, 1], ticks[panel]])
        slope, start = np.polyfit(values, places, 1)
        assert slope > 0
        assert start + slope * values == pytest.approx(places, abs=1e-6)
    rows = [line.get_ydata().mean() for line in plot.artists["estimates"]]
    assert rows == pytest.approx(rows[:4] * 4)
    best = result.interquartile_mean.estimate[order]
    assert (np.diff(best) * (-1 if direction == "maximize" else 1) > 0).all()


def test_the_axis_tells_the_scores():
    """The labels below a panel are where a bar of that score would end."""
    result = made(2)
    plot = interval_estimates(result, "mean")
    labels = [text for text in plot.ax.texts if text.get_text().replace("−", "-")[-1:].isdigit()]
    numbers = [text for text in labels if text not in plot.artists["names"]]
    known = [
        (float(text.get_text().replace("−", "-")), text.get_position()[0])
        for text in numbers
        if "data set" not in text.get_text()
    ]
    assert len(known) >= 2
    order = [result.algorithms.index(name) for name in result.ordered]
    values, places = np.array(known).T
    slope, start = np.polyfit(values, places, 1)
    ticks = [line.get_xdata()[0] for line in plot.artists["estimates"]]
    assert start + slope * result.mean.estimate[order] == pytest.approx(ticks, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "names"), [(2, None), (12, None), (40, None), (5, LONG), (40, LONG)])
def test_legible(check_legible, k, names):
    check_legible(interval_estimates(made(k, names=names and names[:k])))
    check_legible(interval_estimates(made(k, names=names and names[:k]), "optimality-gap"))


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
    apart = made(target=None, scale="several")
    with pytest.raises(
        ValueError, match="no interquartile mean: the data sets are stated to be on"
    ):
        interval_estimates(apart)
    with pytest.raises(TypeError, match=r"Pass nbc\.aggregate_runs\(experiment"):
        interval_estimates(nbc.compare(nbc.datasets.load("demsar2006")))


def test_without_an_interval_there_is_a_tick_alone():
    scores = np.random.default_rng(0).normal(size=(5, 2, 1, 6))
    scores[:, 0, :, 1:] = np.nan
    data = nbc.Experiment.from_array(scores, direction="maximize", algorithms=["one", "many"])
    result = nbc.aggregate_runs(data, scale="one", n_resamples=100)
    plot = interval_estimates(result, "mean")
    assert len(plot.artists["estimates"]) == 2
    (bar,) = plot.artists["intervals"]
    assert [mark.names for mark in marks_of(bar)] == [("many",)]
    assert "one" in plot.alt


def test_tips_and_alternative_text_tell_the_numbers():
    result = made(3)
    plot = interval_estimates(result)
    first = result.ordered[0]
    place = result.algorithms.index(first)
    (mark,) = marks_of(plot.artists["names"][0])
    for name in result.aggregates:
        told = result.told(name, place)
        assert told in mark.title
        assert f"{first} {told}" in plot.alt
    (mark,) = marks_of(plot.artists["estimates"][0])
    told = result.told("interquartile-mean", place)
    assert mark.title == f"{first}: interquartile mean {told}"
    assert plot.alt.startswith(
        "Aggregates of the runs on 6 data sets, with 95 % intervals; AUC, higher is better. Best "
    )


def test_normalised_scores_are_called_so():
    ends = {str(i): (-2, 2) for i in range(1, 7)}
    result = made(target=None, baseline=ends)
    plot = interval_estimates(result)
    assert "normalised AUC, higher is better" in texts(plot, "caption")[0]
    assert texts(plot, "titles")[-1].startswith("optimality gap to 1")
