"""Heat maps: every cell has the rank that scipy gives, in the row and column of its names."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

import nbcompare as nbc
from nbcompare import DataError
from nbcompare.plots import rank_heatmap
from nbcompare.plots._matrix import diverging
from nbcompare.plots._plot import marks_of

SCORES = st.sampled_from([0.0, 1.0, 1.5, -2.0, 7.0, np.nan])


def made(scores, direction="minimize", **options):
    return nbc.Experiment.from_array(scores, direction=direction, **options)


def names(plot, part):
    artists = plot.artists[part]
    texts = artists[0].get_texts() if part == "legend" else artists
    return [text.get_text().replace("\n", " ") for text in texts]


def headings(plot):
    return [t.get_text() for t in plot.artists["rows"] if t.get_fontweight() == "bold"]


def datasets(plot):
    return [t.get_text() for t in plot.artists["rows"] if t.get_fontweight() != "bold"]


def cells_of(plot):
    """The number of every cell of a data set by the names that stand beside and above it."""
    rows, columns = plot.artists["rows"], names(plot, "columns")
    return {
        (rows[round(text.xy[1])].get_text(), columns[round(text.xy[0])]): text.get_text()
        for text in plot.artists["texts"]
        if rows[round(text.xy[1])].get_fontweight() != "bold"
    }


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    st.tuples(st.integers(2, 6), st.integers(2, 5)).flatmap(
        lambda size: arrays(float, size, elements=SCORES)
    ),
    st.sampled_from(["maximize", "minimize"]),
    st.randoms(use_true_random=False),
)
def test_numbers_are_the_ranks_of_scipy(scores, direction, random):
    assume(not np.isnan(scores).all(axis=0).any() and not np.isnan(scores).all(axis=1).any())
    data = made(scores, direction)
    groups = {name: random.choice(["a", "b"]) for name in data.datasets}
    ranks = rankdata(-scores if direction == "maximize" else scores, axis=1, nan_policy="omit")
    expected = {
        (dataset, algorithm): "–" if np.isnan(rank) else f"{rank:g}"
        for dataset, row in zip(data.datasets, ranks, strict=True)
        for algorithm, rank in zip(data.algorithms, row, strict=True)
    }
    for chosen in (None, groups):
        plot = rank_heatmap(nbc.describe(data), groups=chosen)
        assert cells_of(plot) == expected
        (mesh,) = plot.artists["cells"]
        colors, told = mesh.get_facecolors(), marks_of(mesh)
        assert len(told) == scores.size
        for color, mark in zip(colors, told, strict=True):
            text = expected[mark.dataset, mark.names[0]]
            n = int((~np.isnan(ranks[data.datasets.index(mark.dataset)])).sum())
            if text == "–":
                assert mark.title.endswith(": no score")
                assert len(set(color[:3].round(3))) == 1  # grey
                continue
            assert f": rank {text} of {n} (" in mark.title
            middle = (n + 1) / 2
            if n > 1:
                assert color[:3] == pytest.approx(diverging(middle - float(text), middle - 1))


def test_average_ranks_order_the_columns_and_stand_below():
    data = nbc.datasets.load("demsar2006")
    plot = rank_heatmap(nbc.describe(data))
    averages = nbc.compare(data).average_ranks
    assert names(plot, "columns") == sorted(averages, key=averages.get)
    assert names(plot, "texts")[-4:] == [f"{averages[name]:.2f}" for name in names(plot, "columns")]
    assert datasets(plot) == list(data.datasets)
    assert headings(plot) == ["average rank"]
    (mark,) = marks_of(plot.artists["columns"][0])
    wins = (data.mean_scores == data.mean_scores.max(axis=1, keepdims=True)).sum(axis=0)
    assert mark.title == f"C4.5+m+cf: average rank 1.93; best on {wins[3]} of 14 data sets"
    (mark,) = marks_of(plot.artists["rows"][0])
    assert (mark.title, mark.dataset) == ("adult (sample): best C4.5+m+cf", "adult (sample)")


def test_groups_follow_each_other_below_their_average_ranks(simulated, check_legible):
    data = simulated(9, 4)
    groups = {name: "xyz"[int(name) % 3] for name in data.datasets}
    plot = rank_heatmap(nbc.describe(data), groups=groups)
    check_legible(plot)
    assert datasets(plot) == ["1", "4", "7", "2", "5", "8", "3", "6", "9"]
    assert headings(plot) == ["y (3)", "z (3)", "x (3)", "average rank"]
    result = nbc.compare_by(data, by=groups)
    averages = rank_heatmap(nbc.describe(data), groups=groups).artists["averages"][0]
    assert len(averages.get_facecolors()) == 16
    texts = names(plot, "texts")
    at = 0
    for group in "yzx":
        found = dict(zip(names(plot, "columns"), texts[at : at + 4], strict=True))
        expected = result.groups[group].average_ranks
        assert found == {name: f"{rank:.2f}" for name, rank in expected.items()}
        at += 16


def test_the_groups_of_the_experiment_are_taken(simulated):
    import dataclasses

    data = dataclasses.replace(simulated(4, 3), domains=("b", "a", "b", "a"))
    plot = rank_heatmap(nbc.describe(data))
    assert headings(plot) == ["b (2)", "a (2)", "average rank"]
    turned = rank_heatmap(nbc.describe(data), groups=dict.fromkeys(data.datasets, "all"))
    assert headings(turned) == ["all (4)", "average rank"]


def test_without_a_complete_data_set_there_are_no_average_ranks(check_legible):
    scores = [[1.0, np.nan, 2.0], [np.nan, 1.0, 2.0]]
    plot = rank_heatmap(nbc.describe(made(scores)))
    check_legible(plot)
    assert names(plot, "columns") == ["A1", "A2", "A3"]
    assert headings(plot) == []
    assert "averages" not in plot.artists
    assert "no average ranks, as every data set has a missing score" in plot.alt
    assert "no score" in names(plot, "legend")[-1]


def test_average_ranks_are_over_the_complete_data_sets(check_legible):
    scores = np.random.default_rng(2).normal(size=(12, 3))
    scores[3, 1] = np.nan
    plot = rank_heatmap(nbc.describe(made(scores)))
    check_legible(plot)
    complete = np.delete(scores, 3, axis=0)
    expected = sorted(rankdata(complete, axis=1).mean(axis=0))
    assert names(plot, "texts")[-3:] == [f"{rank:.2f}" for rank in expected]
    assert "1 score missing; average ranks are over the 11 data sets" in plot.alt


def test_of_very_many_cells_a_page_tells_no_single_one(simulated):
    (mesh,) = rank_heatmap(nbc.describe(simulated(300, 40))).artists["cells"]
    assert marks_of(mesh) == ()
    assert mesh.get_rasterized()


def test_mistakes(simulated):
    data = simulated(4, 3)
    with pytest.raises(TypeError, match=r"got Experiment. Pass nbc.describe\(experiment\)"):
        rank_heatmap(data)
    with pytest.raises(TypeError, match="of class Description; got Comparison"):
        rank_heatmap(nbc.compare(data))
    described = nbc.describe(data)
    with pytest.raises(ValueError, match="`groups` must be a mapping of data sets to groups"):
        rank_heatmap(described, groups="domain")
    with pytest.raises(ValueError, match="`groups` must give a group for every data set; not for"):
        rank_heatmap(described, groups={"1": "a"})
    with pytest.raises(ValueError, match="`groups` must name data sets of the experiment; got 'x'"):
        rank_heatmap(described, groups={"x": "a"})
    with pytest.raises(DataError, match="at least 2 algorithms; got 1"):
        rank_heatmap(nbc.describe(made([[1.0], [2.0]])))
    intervals = nbc.Experiment(
        lower=np.zeros((2, 2, 1, 1)),
        upper=np.ones((2, 2, 1, 1)),
        datasets=("c", "d"),
        algorithms=("A", "B"),
        folds=("1",),
        direction="minimize",
    )
    with pytest.raises(DataError, match="interval-valued scores, which have no ranks"):
        rank_heatmap(nbc.describe(intervals))
