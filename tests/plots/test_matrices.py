"""Matrices of pairs: what stands in the cell of two names, its colour, frame and mark."""

import re

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import contrast_matrix, improvement_matrix, posterior_matrix, pvalue_matrix
from nbcompare.plots._plot import marks_of


def names(plot, part):
    return [text.get_text() for text in plot.artists[part]]


def pair_at(plot, x, y):
    """The names of the row and column at a point."""
    return names(plot, "rows")[round(float(y))], names(plot, "columns")[round(float(x))]


def texts_at(plot):
    """The text of each cell, and whether it is bold, by the names of row and column."""
    return {
        pair_at(plot, *text.xy): (text.get_text(), text.get_fontweight() == "bold")
        for text in plot.artists["texts"]
    }


def colors_at(plot):
    (cells,) = plot.artists["cells"]
    middles = [path.vertices[:4].mean(axis=0) for path in cells.get_paths()]
    pairs = [pair_at(plot, *middle) for middle in middles]
    return dict(zip(pairs, cells.get_facecolor(), strict=True))


def marks_at(plot):
    """The shape of the mark of each cell, and whether it is filled."""
    return {
        pair_at(plot, *point): (line.get_marker(), line.get_markerfacecolor() == "black")
        for line in plot.artists["marks"]
        for point in line.get_xydata()
    }


def framed(plot):
    return {
        pair_at(plot, *path.vertices[:4].mean(axis=0))
        for frames in plot.artists.get("frames", ())
        for path in frames.get_paths()
    }


def legend(plot):
    return [text.get_text() for text in plot.artists["legend"][0].get_texts()]


# ------------------------------------------------------------------------------ p-values


@pytest.mark.parametrize(("k", "control"), [(2, None), (5, "A2"), (12, None), (20, "A2")])
def test_triangles_point_to_the_better(simulated, k, control):
    comparison = nbc.compare(simulated(40, k, spread=1), control=control)
    tests = comparison.hypotheses
    found = {True: set(), False: set()}
    for (row, column), (shape, filled) in marks_at(pvalue_matrix(comparison)).items():
        found[filled].add((row, column) if shape == "<" else (column, row))
    due = {True: set(), False: set()}
    for first, second, sign, significant in zip(
        tests.first, tests.second, tests.statistic, tests.rejected, strict=True
    ):
        if sign:
            due[bool(significant)].add((first, second) if sign > 0 else (second, first))
    assert found == due


@pytest.mark.parametrize("adjust", ["shaffer", ["holm", "nemenyi"], None])
def test_every_pair_has_the_p_that_decided_it(simulated, adjust):
    comparison = nbc.compare(simulated(40, 6), adjust=adjust)
    plot, tests = pvalue_matrix(comparison), comparison.hypotheses
    assert {frozenset(pair): it for pair, it in texts_at(plot).items()} == {
        frozenset({tests.first[i], tests.second[i]}): (tests.decisive(i), tests.rejected[i])
        for i in range(len(tests))
    }
    assert 0 < tests.rejected.sum() < len(tests)
    kind = "Unadjusted" if adjust is None else "Adjusted"
    assert plot.artists["caption"][0].get_text().startswith(f"{kind} p-values (")
    assert names(plot, "rows") == list(comparison.ordered[1:])
    assert names(plot, "columns") == list(comparison.ordered[:-1])


def test_a_smaller_p_is_darker(simulated):
    comparison = nbc.compare(simulated(50, 12))
    tests, colors = comparison.hypotheses, colors_at(pvalue_matrix(comparison))
    p = tests.adjusted["holm"]
    pairs = zip(tests.first, tests.second, strict=True)
    both = [colors.get(pair, colors.get(pair[::-1])) for pair in pairs]
    shades = np.array(both)[:, 0]
    classes = np.digitize(p, [0.0005, 0.005, 0.05], right=True)
    assert set(classes) == {0, 1, 2, 3}
    for one in range(3):
        assert shades[classes == one].max() < shades[classes == one + 1].min()


def test_p_that_underflows():
    scores = np.arange(5.0) + np.zeros((1000, 1))
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    comparison = nbc.compare(experiment, pairs="ranks", adjust="holm", method="normal")
    first = pvalue_matrix(comparison).artists["texts"][0].get_text()
    assert comparison.hypotheses.adjusted["holm"].min() == 0
    assert first == comparison.hypotheses.decisive(0)
    assert first.split("e-")[1].isdigit()


def test_ties_have_no_triangle():
    comparison = nbc.compare(nbc.Experiment.from_array(np.ones((4, 3)), direction="minimize"))
    plot = pvalue_matrix(comparison)
    assert "marks" not in plot.artists
    assert names(plot, "texts") == ["1"] * 3


@pytest.mark.parametrize(("k", "width", "there"), [(6, 7.16, 1), (20, 7.16, 0), (6, 3.5, 0)])
def test_without_room_for_p_there_are_triangles_only(simulated, k, width, there):
    plot = pvalue_matrix(nbc.compare(simulated(50, k))).narrower(width)
    assert ("texts" in plot.artists) == bool(there)
    assert sum(len(line.get_xydata()) for line in plot.artists["marks"]) == k * (k - 1) / 2


@pytest.mark.parametrize(("k", "control"), [(6, None), (20, None), (6, "A2")])
def test_equivalent_pairs_have_a_square(simulated, k, control):
    comparison = nbc.compare(simulated(40, k, spread=0.4), margin=1.1, control=control)
    plot, tests = pvalue_matrix(comparison), comparison.hypotheses
    found = {frozenset(pair): mark for pair, mark in marks_at(plot).items()}
    alike = {
        frozenset(pair)
        for *pair, word in zip(tests.first, tests.second, tests.outcome, strict=True)
        if word == "equivalent"
    }
    assert alike
    assert {pair for pair, (shape, _) in found.items() if shape == "s"} == alike
    assert len(set(tests.outcome)) > 1
    assert "equivalent within the margin of 1.1" in legend(plot)
    listed = re.search("Equivalent within the margin: (.*?)\\. Rows", plot.alt)[1].split("; ")
    assert {frozenset(pair.split(" and ")) for pair in listed[:12]} <= alike
    assert len(listed) == min(len(alike), 13)
    assert ", margin 1.1)" in plot.alt


# --------------------------------------------------------------------------- differences


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_cells_against_the_estimates(direction):
    noise = np.random.default_rng(2).normal(size=(30, 5))
    experiment = nbc.Experiment.from_array(
        noise + np.array([0, 0.1, 0.3, 1.0, 1.5]), direction=direction, measure="MSE"
    )
    contrast = nbc.contrast_estimation(experiment)
    plot = contrast_matrix(contrast)
    assert names(plot, "rows") == names(plot, "columns") == list(contrast.ordered)
    texts, colors = texts_at(plot), colors_at(plot)
    assert len(texts) == len(colors) == 20
    bold = {pair for pair, (_, strong) in texts.items() if strong}
    assert 0 < len(bold) < 20
    assert framed(plot) == bold
    for (row, column), (text, strong) in texts.items():
        u, v = (experiment.algorithms.index(name) for name in (row, column))
        assert float(text.replace("−", "-")) == pytest.approx(contrast.estimates[u, v], abs=0.0051)
        assert strong == (contrast.lower[u, v] * contrast.upper[u, v] > 0)
        red, _, blue, _ = colors[row, column]
        # positive and more blue than red where the row is better
        assert np.sign(blue - red) == np.sign(contrast.estimates[u, v])
        if abs(u - v) > 2:  # farther apart than the noise
            assert (contrast.estimates[u, v] > 0) == ((u > v) == (direction == "maximize"))


def test_the_stronger_the_larger(simulated):
    contrast = nbc.contrast_estimation(simulated(30, 6, spread=2))
    at = contrast.design.algorithms.index
    found = [
        (contrast.estimates[at(row), at(column)], color[1])
        for (row, column), color in colors_at(contrast_matrix(contrast)).items()
    ]
    for sign in (1, -1):
        greens = [green for _, green in sorted(it for it in found if it[0] * sign > 0)[::sign]]
        assert (np.diff(greens) <= 0).all()


def test_equal_algorithms_are_white():
    experiment = nbc.Experiment.from_array(np.ones((4, 3)), direction="maximize")
    plot = contrast_matrix(nbc.contrast_estimation(experiment))
    assert set(names(plot, "texts")) == {"0"}
    assert (np.array(list(colors_at(plot).values())) == 1).all()
    assert "frames" not in plot.artists


def test_many_algorithms_have_triangles_in_place_of_estimates(simulated):
    contrast = nbc.contrast_estimation(simulated(30, 17))
    plot = contrast_matrix(contrast)
    at = contrast.design.algorithms.index
    assert "texts" not in plot.artists
    for (row, column), (shape, filled) in marks_at(plot).items():
        u, v = at(row), at(column)
        assert (shape == "<") == (contrast.estimates[u, v] > 0)
        assert filled == (contrast.lower[u, v] * contrast.upper[u, v] > 0)


def test_the_better_comes_first_in_what_a_page_says():
    contrast = nbc.contrast_estimation(nbc.datasets.load("demsar2006"))
    marks = marks_of(contrast_matrix(contrast).artists["cells"][0])
    assert len(marks) == 12
    for mark in marks:
        assert contrast.ordered.index(mark.names[0]) < contrast.ordered.index(mark.names[1])
        assert mark.title.startswith(f"{' – '.join(mark.names)}: +")


# ------------------------------------------------------------- probabilities of improvement


def made(k, *, levels=None, direction="maximize", names=None):
    rng = np.random.default_rng(k)
    levels = np.linspace(0, 1.5, k) if levels is None else np.asarray(levels)
    scores = rng.normal(size=(6, k, 1, 5)) + levels[:, np.newaxis, np.newaxis]
    data = nbc.Experiment.from_array(
        scores, direction=direction, algorithms=names or [f"A{j}" for j in range(k)]
    )
    return nbc.aggregate_runs(data, scale="one", n_resamples=100)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_cells_against_the_probabilities_of_improvement(direction):
    result = made(5, direction=direction)
    plot = improvement_matrix(result)
    assert names(plot, "rows") == names(plot, "columns") == list(result.ordered)
    colors, texts = colors_at(plot), texts_at(plot)
    assert len(texts) == 20
    assert 0 < len(framed(plot)) < 20
    for mark, ((a, b), (text, bold)) in zip(
        marks_of(plot.artists["cells"][0]), texts.items(), strict=True
    ):
        value, low, high = result.better_than(a, b)
        first, ends = text.split("\n")
        assert float(first) == pytest.approx(value, abs=0.005)
        assert [float(end) for end in ends.split("–")] == pytest.approx([low, high], abs=0.005)
        red, _, blue, _ = colors[a, b]
        assert np.sign(np.round(blue - red, 9)) == np.sign(np.round(value - 0.5, 9))
        assert bold == (low > 0.5 or high < 0.5) == ((a, b) in framed(plot))
        assert mark.pair
        assert set(mark.names) == {a, b}
        assert result.better_than(*mark.names)[0] >= 0.5
        assert result.pair_text(*mark.names) in mark.title


def test_no_difference_is_white_and_without_a_frame():
    tied = nbc.Experiment.from_array(np.ones((6, 2, 1, 4)), direction="maximize")
    plot = improvement_matrix(nbc.aggregate_runs(tied, n_resamples=20))
    assert plot.artists["cells"][0].get_facecolor()[0, :3] == pytest.approx([1.0] * 3)
    assert names(plot, "texts") == ["0.50\n0.50–0.50"] * 2
    assert not framed(plot)


# ---------------------------------------------------------------- posterior probabilities


@pytest.mark.parametrize(("rope", "control"), [(0, "A2"), (0.4, None)])
def test_cells_against_the_posterior(simulated, rope, control):
    data = simulated(15, 5, spread=1.5)
    result = nbc.compare_bayesian(data, rope=rope, control=control, n_samples=2000)
    plot = posterior_matrix(result)
    assert names(plot, "columns") == ([control] if control else list(result.ordered))
    assert names(plot, "rows") == [name for name in result.ordered if name != control]
    colors, texts = colors_at(plot), texts_at(plot)
    assert len(texts) == (4 if control else 20)
    for mark, ((a, b), (text, bold)) in zip(
        marks_of(plot.artists["cells"][0]), texts.items(), strict=True
    ):
        row, turned = result.pair(a, b)
        values = [result.first_better[row], result.second_better[row]]
        better, worse = values[::-1] if turned else values
        first, *rest = text.split("\n")
        assert first == result.chance(better, 2)
        assert rest == ([f"eq. {result.chance(result.equivalent[row], 2)}"] if rope else [])
        assert bold == (result.decision[row] != "none") == ((a, b) in framed(plot))
        red, _, blue, _ = colors[a, b]
        assert np.sign(np.round(blue - red, 9)) == np.sign(np.round(better - worse, 9))
        assert mark.pair
        assert set(mark.names) == {a, b}
        assert f"claim: {result.claim(row)}" in mark.title
    assert framed(plot)


@pytest.mark.slow
def test_a_mark_is_the_most_probable_of_the_three(simulated):
    result = nbc.compare_bayesian(simulated(20, 17), rope=0.6, n_samples=500)
    plot = posterior_matrix(result)
    found = marks_at(plot)
    assert "texts" not in plot.artists
    assert len(found) == 17 * 16
    for (a, b), (shape, filled) in found.items():
        row, turned = result.pair(a, b)
        each = [result.first_better[row], result.equivalent[row], result.second_better[row]]
        assert shape == "<s^"[int(np.argmax(each[::-1] if turned else each))]
        assert filled == (result.decision[row] != "none")
    assert any(shape == "s" for shape, _ in found.values())
    assert "equivalence is the most probable" in legend(plot)


def test_equivalence_is_grey_and_no_difference_white():
    tied = nbc.Experiment.from_array(np.ones((6, 2)), direction="maximize")
    for rope, color in ((0, 1.0), (0.1, 0.66)):
        plot = posterior_matrix(nbc.compare_bayesian(tied, rope=rope, n_samples=50))
        assert plot.artists["cells"][0].get_facecolor()[0, :3] == pytest.approx([color] * 3)
