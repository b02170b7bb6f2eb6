"""Figures of scores where lower is better on some data sets and higher on others."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare import plots

RNG = np.random.default_rng(2)
NAMES = [f"d{i}" for i in range(9)]
LOW = ["d1", "d4", "d5"]
FRAME = pd.DataFrame(
    RNG.uniform(1, 9, (9, 2)).round(2), index=pd.Index(NAMES, name="dataset"), columns=["A", "B"]
)


def experiment():
    direction = {**dict.fromkeys(LOW, "minimize"), None: "maximize"}
    return nbc.Experiment.from_frame(FRAME, direction=direction, measure="score")


def positions(artist):
    return np.column_stack([artist.get_xdata(), artist.get_ydata()])


def test_marks_say_who_is_better():
    """Every point stands at its scores, and its mark is that of the better one there."""
    result = nbc.compare_pair(experiment(), "A", "B")
    first = (FRAME["A"] > FRAME["B"]) != FRAME.index.isin(LOW)
    assert (result.wins, result.losses) == (int(first.sum()), int((~first).sum()))
    plot = plots.pair_scatter(result)
    better, worse, tied = map(positions, plot.artists["points"])
    assert (len(better), len(worse), len(tied)) == (result.wins, result.losses, 0)
    drawn = np.concatenate([better, worse])
    given = pd.concat([FRAME[first], FRAME[~first]])
    for axis, name in ((0, "B"), (1, "A")):  # an axis may be flipped, not bent
        assert abs(np.corrcoef(drawn[:, axis], given[name])[0, 1]) == pytest.approx(1)
    assert "lower is better on d1, d4 and d5" in plot.alt


def test_differences_are_positive_where_the_first_is_better():
    result = nbc.compare_pair(experiment(), "A", "B")
    signs = np.where(FRAME.index.isin(LOW), -1, 1)
    due = (signs * (FRAME["A"] - FRAME["B"])).to_numpy()
    np.testing.assert_array_equal(np.sign(result.design.gain_signs), signs)
    shown = [float(row[3].replace("−", "-")) for row in result.section("scores").parts[0].rows]
    np.testing.assert_allclose(shown, due, atol=0.006)


def test_the_matrix_says_that_scores_count_negated():
    plot = plots.multi_comparison_matrix(nbc.compare(experiment(), scale="one"))
    assert "lower is better on d1, d4 and d5 (negated there)" in plot.alt


def test_samples_of_a_turned_data_set_are_as_given():
    runs = RNG.uniform(1, 9, (3, 2, 2, 8))
    plain = nbc.Experiment.from_array(runs, direction="maximize", datasets=["x", "y", "z"])
    turned = dataclasses.replace(plain, turned=("y",))
    samples = {s.dataset: s for s in nbc.check_conditions(turned).samples if s.algorithm == "A1"}
    np.testing.assert_allclose(samples["y"].values, np.sort(-runs[1, 0].ravel()))
    np.testing.assert_allclose(samples["x"].values, np.sort(runs[0, 0].ravel()))
