"""The multiple comparison matrix: mean differences, counts and p-values in their cells."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import comparison_matrix


def cells(plot):
    """What stands in the cell of a row and a column."""
    rows = [(t.get_position()[1], t.get_text().split("\n")[0]) for t in plot.artists["rows"]]
    columns = [(t.get_position()[0], t.get_text()) for t in plot.artists["columns"]]
    found = {}
    for text in plot.artists["texts"]:
        x, y = text.get_position()
        row = min(rows, key=lambda item: abs(item[0] - y))[1]
        column = min(columns, key=lambda item: abs(item[0] - x))[1]
        found[row, column] = text
    return found


def frames(plot):
    return sum(len(outline.get_paths()) for outline in plot.artists["outlines"])


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
@pytest.mark.parametrize("control", [None, "A3"])
def test_cells_against_the_scores(direction, control):
    noise = np.random.default_rng(1).normal(size=(40, 4))
    scores = noise.round(1) + np.array([0, 0.2, 0.6, 1.5])
    experiment = nbc.Experiment.from_array(scores, direction=direction)
    comparison = nbc.compare(experiment, control=control)
    plot = comparison_matrix(comparison)
    found = cells(plot)
    assert len(found) == (12 if control is None else 3)
    sign = 1 if direction == "maximize" else -1
    tests = comparison.hypotheses
    bold = 0
    for (row, column), text in found.items():
        u, v = (experiment.algorithms.index(name) for name in (row, column))
        gap = np.where(np.isclose(scores[:, u], scores[:, v]), 0, scores[:, u] - scores[:, v])
        difference, counts, p = text.get_text().replace("−", "-").split("\n")
        # positive where the row is better
        assert float(difference) == pytest.approx(sign * gap.mean(), abs=0.0051)
        won, tied, lost = (int((sign * np.sign(gap) == s).sum()) for s in (1, 0, -1))
        assert counts == f"{won}/{tied}/{lost}"
        test = next(
            i for i in range(len(tests)) if {tests.first[i], tests.second[i]} == {row, column}
        )
        assert p == f"p = {tests.decisive(test)}"
        assert (text.get_fontweight() == "bold") == tests.rejected[test]
        bold += tests.rejected[test]
    assert frames(plot) == bold > 0
    means = dict(text.get_text().split("\n") for text in plot.artists["rows"])
    for name, mean in means.items():
        expected = scores[:, experiment.algorithms.index(name)].mean()
        assert float(mean.replace("−", "-")) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_blue_is_where_the_row_is_better(direction):
    scores = np.arange(12.0).reshape(4, 3)  # the third one has the highest scores
    plot = comparison_matrix(
        nbc.compare(nbc.Experiment.from_array(scores, direction=direction)),
        rows=["A1"],
        columns=["A3"],
    )
    red, _, blue, _ = plot.artists["cells"][0].get_facecolor()[0]
    assert (blue > red) == (direction == "minimize")


def test_equal_means_are_white():
    experiment = nbc.Experiment.from_array(np.ones((3, 2)), direction="maximize")
    plot = comparison_matrix(nbc.compare(experiment))
    # two cells, then the two of the diagonal
    assert plot.artists["cells"][0].get_facecolor()[:2].tolist() == [[1, 1, 1, 1]] * 2
    assert {text.get_text() for text in plot.artists["texts"]} == {"0\n0/3/0\np = 1"}


def test_some_rows_and_columns_best_first(simulated, check_legible):
    comparison = nbc.compare(simulated(40, 30, spread=1))
    wanted = comparison.ordered[20], comparison.ordered[3]
    plot = comparison_matrix(comparison, rows=wanted, columns=["A1", "A30"])
    check_legible(plot)
    rows = tuple(text.get_text().split("\n")[0] for text in plot.artists["rows"])
    assert rows == wanted[::-1]
    assert len(plot.artists["texts"]) == 4
    assert plot.artists["marks"] == ()


def test_many_columns_have_triangles_in_place_of_text(simulated):
    comparison = nbc.compare(simulated(40, 18))
    plot = comparison_matrix(comparison)
    assert plot.artists["texts"] == plot.artists["outlines"] == ()
    filled = [
        len(line.get_xydata())
        for line in plot.artists["marks"]
        if line.get_markerfacecolor() == "black"
    ]
    assert sum(filled) == 2 * comparison.hypotheses.rejected.sum() > 0


def test_pairs_that_were_not_tested_are_empty(simulated):
    comparison = nbc.compare(simulated(40, 4), control="A1")
    plot = comparison_matrix(comparison, rows=["A1", "A2"], columns=["A2", "A3"])
    assert set(cells(plot)) == {("A1", "A2"), ("A1", "A3")}


def test_needs_scores():
    comparison = nbc.compare_ranks({"a": 1.2, "b": 1.8}, 10)
    message = (
        r"^`comparison` must hold scores for a matrix of mean differences; got one made from "
        r"average ranks alone\. Use compare\(experiment\), or draw a pvalue_matrix instead\.$"
    )
    with pytest.raises(ValueError, match=message):
        comparison_matrix(comparison)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": ["A1", "X"]}, r"`rows` must be one of 'A1', 'A2' and 'A3'; got 'X'\."),
        ({"columns": []}, r"`columns` must name at least one algorithm; got none\."),
        (
            {"rows": ["A2"], "columns": ["A2"]},
            r"`rows` and `columns` must include at least one pair that was tested; got "
            r"\['A2'\] and \['A2'\]\.",
        ),
    ],
)
def test_rows_and_columns_that_cannot_be(simulated, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        comparison_matrix(nbc.compare(simulated(9, 3)), **options)


def test_rows_must_be_a_list(simulated):
    with pytest.raises(TypeError, match=r"^`rows` must be a list of names; got 'A1'\.$"):
        comparison_matrix(nbc.compare(simulated(9, 3)), rows="A1")


def test_alt_text_says_what_the_picture_says():
    experiment = nbc.datasets.load("demsar2006")
    comparison = nbc.compare(experiment, control="C4.5")
    assert comparison_matrix(comparison).alt == (
        "Matrix of differences of mean AUC, higher is better, with win/tie/loss and adjusted p "
        "(Wilcoxon's signed-rank tests, exact p, Holm, α = 0.05, 14 data sets). Rows, best "
        "average rank first, with their means: C4.5+m+cf 0.8272, C4.5+m 0.8204, C4.5+cf 0.8088. "
        "Columns: C4.5. Hypotheses rejected, of 3 pairs: C4.5+m minus C4.5 +0.0155 (10/2/2, "
        "p = 0.0234); C4.5+m+cf minus C4.5 +0.0223 (11/1/2, p = 0.0249)."
    )


def test_differences_are_taken_as_the_texts_say_where_low_is_better():
    scores = np.arange(20.0)[:, np.newaxis] + [1.0, 3.0]
    experiment = nbc.Experiment.from_array(scores, direction="minimize", measure="error")
    plot = comparison_matrix(nbc.compare(experiment))
    found = {pair: text.get_text().split("\n")[0] for pair, text in cells(plot).items()}
    assert found == {("A1", "A2"): "+2.00", ("A2", "A1"): "−2.00"}
    texts = " ".join(text.get_text() for text in plot.ax.texts)
    assert "error, lower is better, column minus row" in " ".join(texts.split())
    assert ": A2 minus A1 +2.00 (20/0/0, p = " in plot.alt


def test_tests_and_means_may_point_to_different_ones(simulated):
    comparison = nbc.compare(simulated(40, 18))
    tests = comparison.hypotheses
    turned = dataclasses.replace(tests, mean_difference=-tests.mean_difference)
    ours, theirs = (
        comparison_matrix(dataclasses.replace(comparison, hypotheses=h)) for h in (tests, turned)
    )
    for one, two in zip(ours.artists["marks"], theirs.artists["marks"], strict=True):
        assert np.array_equal(one.get_xydata(), two.get_xydata())
    colors = [plot.artists["cells"][0].get_facecolor() for plot in (ours, theirs)]
    assert not np.array_equal(*colors)
