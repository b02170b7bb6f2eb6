"""The matrix of p-values: the right p in the right cell, and arrows to the better."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.plots import pvalue_matrix


def names_at(plot):
    """The row and column at a point."""
    rows = [(text.get_position()[1], text.get_text()) for text in plot.artists["rows"]]
    columns = [(text.get_position()[0], text.get_text()) for text in plot.artists["columns"]]

    def at(x, y):
        return tuple(
            min(names, key=lambda item: abs(item[0] - value))[1]
            for names, value in ((rows, y), (columns, x))
        )

    return at


def marked(plot):
    """(better, worse) of the triangles, by whether they are filled."""
    at = names_at(plot)
    found = {True: set(), False: set()}
    for line in plot.artists["marks"]:
        filled = line.get_markerfacecolor() == "black"
        for x, y in line.get_xydata():
            row, column = at(x, y)
            up = line.get_marker() == "^"
            found[filled].add((column, row) if up else (row, column))
    return found


def decided(comparison):
    """(better, worse) of the hypotheses, by whether they are rejected."""
    tests = comparison.hypotheses
    found = {True: set(), False: set()}
    for i in range(len(tests)):
        pair = (tests.first[i], tests.second[i])
        if tests.statistic[i] != 0:
            found[bool(tests.rejected[i])].add(pair if tests.statistic[i] > 0 else pair[::-1])
    return found


@pytest.mark.parametrize("k", [2, 5, 12, 20])
@pytest.mark.parametrize("control", [None, "A2"])
def test_triangles_point_to_the_better(simulated, k, control):
    comparison = nbc.compare(simulated(40, k, spread=1), control=control)
    assert marked(pvalue_matrix(comparison)) == decided(comparison)


def test_pairs_tested_alone_may_point_to_the_worse_ranked(simulated):
    comparison = nbc.compare(simulated(9, 12, spread=0), pairs="wilcoxon", adjust="holm")
    place = comparison.ordered.index
    assert any(place(better) > place(worse) for better, worse in decided(comparison)[False])
    plot = pvalue_matrix(comparison)
    assert marked(plot) == decided(comparison)
    assert "(Wilcoxon's signed-rank tests, exact p, Holm, α = 0.05, 9 data sets)" in plot.alt


@pytest.mark.parametrize("adjust", ["shaffer", ["holm", "nemenyi"], None])
def test_every_pair_has_the_p_that_decided_it(simulated, adjust):
    comparison = nbc.compare(simulated(40, 6), adjust=adjust)
    plot = pvalue_matrix(comparison)
    at, tests = names_at(plot), comparison.hypotheses
    drawn = {}
    for text in plot.artists["texts"]:
        drawn[frozenset(at(*text.get_position()))] = (text.get_text(), text.get_fontweight())
    expected = {
        frozenset({tests.first[i], tests.second[i]}): (
            tests.decisive(i),
            "bold" if tests.rejected[i] else "normal",
        )
        for i in range(len(tests))
    }
    assert drawn == expected
    assert len({weight for _, weight in drawn.values()}) == 2
    kind = "Unadjusted" if adjust is None else "Adjusted"
    assert plot.ax.texts[0].get_text().startswith(f"{kind} p-values (")


def test_the_best_come_first(simulated):
    comparison = nbc.compare(simulated(40, 6))
    plot = pvalue_matrix(comparison)
    assert tuple(text.get_text() for text in plot.artists["rows"]) == comparison.ordered[1:]
    assert tuple(text.get_text() for text in plot.artists["columns"]) == comparison.ordered[:-1]
    (cells,) = plot.artists["cells"]
    assert len(cells.get_paths()) == 15


def test_a_smaller_p_is_darker(simulated):
    comparison = nbc.compare(simulated(50, 12))
    plot = pvalue_matrix(comparison)
    p = comparison.hypotheses.adjusted["holm"]
    assert (p > 0.05).any()
    assert (p <= 0.0005).any()
    (cells,) = plot.artists["cells"]
    shades = cells.get_facecolor()[:, 0]  # in the order of the hypotheses, by p
    classes = np.digitize(p, [0.0005, 0.005, 0.05], right=True)
    assert len(set(shades)) == 4
    for one, two in zip(range(3), range(1, 4), strict=True):
        assert shades[classes == one].max() < shades[classes == two].min()


def test_p_that_underflows(simulated):
    scores = np.arange(5.0) + np.zeros((1000, 1))
    experiment = nbc.Experiment.from_array(scores, direction="minimize")
    comparison = nbc.compare(experiment, pairs="ranks", adjust="holm", method="normal")
    texts = [text.get_text() for text in pvalue_matrix(comparison).artists["texts"]]
    assert comparison.hypotheses.adjusted["holm"].min() == 0
    assert texts[0] == comparison.hypotheses.decisive(0)
    assert texts[0].split("e-")[1].isdigit()


def test_ties_have_no_triangle(check_legible):
    comparison = nbc.compare(nbc.Experiment.from_array(np.ones((4, 3)), direction="minimize"))
    plot = pvalue_matrix(comparison)
    check_legible(plot)
    assert plot.artists["marks"] == ()
    assert [text.get_text() for text in plot.artists["texts"]] == ["1"] * 3


def test_many_columns_have_triangles_in_place_of_text(simulated):
    comparison = nbc.compare(simulated(50, 18))
    plot = pvalue_matrix(comparison)
    assert plot.artists["texts"] == ()
    assert sum(len(line.get_xydata()) for line in plot.artists["marks"]) == 153


def test_shows_what_a_diagram_cannot(simulated):
    comparison = dataclasses.replace(nbc.compare(simulated(5, 3)), groups=None)
    assert len(pvalue_matrix(comparison).artists["texts"]) == 3


def test_alt_text_says_what_the_picture_says():
    plot = pvalue_matrix(nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5"))
    assert plot.alt == (
        "Matrix of adjusted p-values (Wilcoxon's signed-rank tests, exact p, Holm, α = 0.05, "
        "14 data sets), 4 algorithms from best to worst average rank: C4.5+m+cf, C4.5+m, C4.5+cf, "
        "C4.5. "
        "Hypotheses rejected, of 3 comparisons with C4.5: C4.5+m better than C4.5 (p = 0.0234); "
        "C4.5+m+cf better than C4.5 (p = 0.0249)."
    )


@pytest.mark.parametrize(("k", "control"), [(6, None), (20, None), (6, "A2")])
def test_equivalent_pairs_have_a_square(simulated, k, control):
    comparison = nbc.compare(simulated(40, k, spread=0.4), margin=1.1, control=control)
    plot, tests = pvalue_matrix(comparison), comparison.hypotheses
    at, found = names_at(plot), {}
    for line in plot.artists["marks"]:
        for x, y in line.get_xydata():
            filled = line.get_markerfacecolor() == "black"
            found[frozenset(at(x, y))] = (line.get_marker(), filled)
    alike = {
        frozenset(pair)
        for *pair, word in zip(tests.first, tests.second, tests.outcome, strict=True)
        if word == "equivalent"
    }
    assert alike
    assert {pair for pair, mark in found.items() if mark[0] == "s"} == alike
    assert {found[pair] for pair in alike} == {("s", False)}
    assert len(set(tests.outcome)) > 1
    legend = [a.get_text() for a in plot.artists["legend"] if hasattr(a, "get_text")]
    assert "equivalent within the margin of 1.1" in legend
    assert "margin 1.1)" in plot.alt
    listed = plot.alt.split("Equivalent within the margin: ")[1].rstrip(".").split("; ")
    assert {frozenset(pair.split(" and ")) for pair in listed} == alike
    assert plot.alt.count(", negligibly)") == tests.outcome.count("different but negligible")


def test_without_a_margin_there_is_no_square(simulated):
    plot = pvalue_matrix(nbc.compare(simulated(40, 6)))
    assert all(line.get_marker() in "^<" for line in plot.artists["marks"])
    assert "margin" not in plot.alt
