"""Parallel coordinates: lines go through the ranks or scores of their algorithms."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

import nbcompare as nbc
from nbcompare import DataError
from nbcompare.plots import parallel
from nbcompare.plots._live import marks_of


def made(scores, direction="minimize", **options):
    return nbc.Experiment.from_array(scores, direction=direction, **options)


def texts(plot, part):
    return [text.get_text().replace("\n", " ") for text in plot.artists[part]]


def heights(plot):
    return {marks_of(line)[0].names[0]: line.get_ydata() for line in plot.artists["curves"]}


@settings(deadline=None, max_examples=15)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 9),
    st.integers(2, 25),
    st.sampled_from(["maximize", "minimize"]),
)
def test_lines_go_through_the_ranks(seed, n, k, direction):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 5, size=(n, k)).astype(float)
    scores[1:, 1:][rng.random((n - 1, k - 1)) < 0.1] = np.nan
    result = nbc.describe(made(scores, direction))
    plot = parallel(result)
    ranks = rankdata(-scores if direction == "maximize" else scores, axis=1, nan_policy="omit")
    order = np.argsort(result.statistics["average rank"].values, kind="stable")
    for line, column in zip(plot.artists["curves"], order, strict=True):
        np.testing.assert_allclose(line.get_ydata(), ranks[:, column])
        assert line.get_xdata().tolist() == list(range(n))
    low, high = plot.ax.get_ylim()
    assert low > k > 1 > high  # the best rank is at the top


def test_lines_end_at_the_average_ranks(check_legible):
    data = nbc.datasets.load("demsar2006")
    plot = parallel(nbc.describe(data))
    check_legible(plot)
    averages = nbc.compare(data).average_ranks
    ordered = sorted(averages, key=averages.get)
    assert texts(plot, "labels") == ordered
    drawn = [mark.get_ydata()[0] for mark in plot.artists["averages"]]
    assert drawn == pytest.approx([averages[name] for name in ordered])
    (mark,) = marks_of(plot.artists["curves"][0])
    assert mark.title.startswith("C4.5+m+cf: average rank 1.93; best on ")
    marks = marks_of(plot.artists["marks"][0])
    assert [mark.dataset for mark in marks] == list(data.datasets)
    assert marks[0].title == "C4.5+m+cf on adult (sample): rank 1 of 4 (0.798)"


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_scores_from_the_worst_to_the_best_of_each_data_set(direction, check_legible):
    scores = np.array([[1.0, 2.0, 5.0], [1e300, -1.5e308, 1.5e308], [3.0, 3.0, 3.0]])
    sign = -1 if direction == "maximize" else 1
    plot = parallel(nbc.describe(made(sign * scores, direction)), what="scores")
    check_legible(plot)
    assert [text.get_text() for text in plot.ax.get_yticklabels()] == ["worst", "best"]
    assert plot.ax.get_yticks().tolist() == [0, 1]
    drawn = heights(plot)
    assert drawn["A1"] == pytest.approx([1, 0.5, 1], abs=1e-6)
    assert drawn["A2"] == pytest.approx([0.75, 1, 1])
    assert drawn["A3"] == pytest.approx([0, 0, 1])  # where all are equal, all are the best
    assert plot.artists["averages"] == ()
    assert "from the worst to the best score of each data set" in plot.alt


def test_data_sets_that_differ_in_what_is_better():
    data = made([[0.9, 0.8], [0.7, 0.6]], "maximize", algorithms=["A", "B"])
    mixed = nbc.describe(dataclasses.replace(data, turned=("2",)))
    drawn = heights(parallel(mixed, what="scores"))
    assert np.column_stack([drawn["A"], drawn["B"]]).tolist() == (2 - mixed.ranks).tolist()


def test_a_line_is_interrupted_where_there_is_no_score(check_legible):
    scores = [[1.0, 2.0], [1.0, np.nan], [2.0, 1.0], [1.0, np.nan], [2.0, 1.0], [1.0, 2.0]]
    plot = parallel(nbc.describe(made(scores)))
    check_legible(plot)
    assert np.isnan(heights(plot)["A2"]).tolist() == [False, True, False, True, False, False]
    assert "2 scores missing; average ranks are over the 4 data sets" in plot.alt
    for line, marks in zip(plot.artists["curves"], plot.artists["marks"], strict=True):
        assert len(marks.get_xdata()) == np.isfinite(line.get_ydata()).sum()


def test_a_single_score_between_gaps_has_a_mark_however_many_data_sets_there_are():
    scores = np.random.default_rng(1).normal(size=(200, 2))
    scores[50:53, 1] = [np.nan, 0.0, np.nan]
    plot = parallel(nbc.describe(made(scores)))
    (marks,) = (it for it in map(marks_of, plot.artists["marks"]) if it[0].names == ("A2",))
    assert "52" in {mark.dataset for mark in marks}
    assert len(marks) < 60


def test_groups_whose_names_do_not_fit_have_numbers(simulated, check_legible):
    data = simulated(6, 3)
    groups = {name: "a classification" if name == "1" else "b" for name in data.datasets}
    plot = parallel(nbc.describe(data), groups=groups)
    check_legible(plot)
    assert texts(plot, "groups") == ["1", "2"]
    (legend,) = plot.artists["legend"]
    assert [text.get_text() for text in legend.get_texts()] == ["a classification", "b"]


def test_of_many_algorithms_the_best_are_in_colour(simulated, check_legible):
    data = simulated(20, 30)
    described = nbc.describe(data)
    plot = parallel(described)
    check_legible(plot)
    best = sorted(nbc.compare(data).average_ranks.items(), key=lambda item: item[1])[:6]
    assert texts(plot, "labels") == [name for name, _ in best]
    assert "in colour: the 6 best average ranks" in texts(plot, "caption")[0]
    assert len(plot.artists["curves"]) == 30
    chosen = parallel(described, highlight=["A30"])
    assert texts(chosen, "labels") == ["A30"]
    assert chosen.artists["legend"][0].get_texts()[0].get_text() == "29 other algorithms"


@pytest.mark.slow
@pytest.mark.parametrize(("n", "k"), [(2, 2), (2, 40), (60, 12), (300, 40)])
@pytest.mark.parametrize("what", ["ranks", "scores"])
def test_all_sizes(simulated, check_legible, n, k, what):
    data = simulated(n, k)
    for groups in (None, {name: f"group {int(name) % 7}" for name in data.datasets}):
        plot = parallel(nbc.describe(data), what=what, groups=groups)
        for one in (plot, plot.narrower(3.5)):
            check_legible(one)
            shown = len(one.artists["datasets"])
            caption = texts(one, "caption")[0]
            assert (f"{shown} of {n} data sets are named" in caption) == (shown < n)


def test_mistakes(simulated):
    described = nbc.describe(simulated(4, 3))
    with pytest.raises(ValueError, match="`what` must be 'ranks' or 'scores'"):
        parallel(described, what="rank")
    with pytest.raises(ValueError, match="`highlight`"):
        parallel(described, highlight=["A9"])
    with pytest.raises(DataError, match="at least 2 data sets; got 1"):
        parallel(nbc.describe(made([[1.0, 2.0]])))
