"""The map of average ranks by several measures."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import measure_heatmap

RNG = np.random.default_rng(0)


def compared(algorithms, step=1.0, n=12):
    scores = RNG.normal(size=(n, len(algorithms))) + step * np.arange(len(algorithms))
    experiment = nbc.Experiment.from_array(scores, direction="minimize", algorithms=[*algorithms])
    return nbc.compare(experiment, pairs="ranks")


def texts(plot):
    return [text.get_text() for text in plot.artists["texts"]]


def test_each_cell_is_an_average_rank_and_says_whether_it_is_worse_than_the_best():
    results = {"loss": compared("ABC", step=3.0), "time": compared("ABC", step=0.0)}
    plot = measure_heatmap(results)
    ranks = [result.average_ranks for result in results.values()]
    rows = [text.get_text() for text in plot.artists["rows"]]
    assert rows == sorted("ABC", key=lambda name: sum(each[name] for each in ranks))
    assert [text.get_text() for text in plot.artists["columns"]] == ["loss", "time"]
    found = results["loss"].to_frame()
    worse = {row.second for row in found.itertuples() if row.rejected and row.first == "A"}
    assert worse
    assert not results["time"].hypotheses.rejected.any()
    expected = {
        f"{each[name]:.2f}{' *' * (each is ranks[0] and name in worse)}"
        for each in ranks
        for name in rows
    }
    assert set(texts(plot)) == expected
    assert "Best of each measure: A by loss: average rank 1.00, the best." in plot.alt


def test_an_algorithm_that_one_measure_lacks_has_a_dash():
    plot = measure_heatmap({"loss": compared("ABC"), "time": compared("AB")})
    assert texts(plot).count("–") == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "`comparisons` must map names of measures to results of compare; got "),
        ({}, "`comparisons` must hold a comparison of at least one measure; got none"),
        ({"AUC": 3}, "`comparisons` must map .*; got 3"),
    ],
)
def test_mistakes(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        measure_heatmap(given)
