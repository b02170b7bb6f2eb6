"""The figure of sensitivity: every circle, tint and tick against the result."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare.plots._live import marks_of
from nbcompare.plots._matrix import BLUES


def demsar(**options):
    return nbc.sensitivity(nbc.datasets.load("demsar2006"), **options)


def many(k=10, n=30, letters=60):
    rng = np.random.default_rng(0)
    names = [f"{i} {'a long name ' * 6}"[:letters].strip() + str(i) for i in range(k)]
    table = rng.normal(size=(n, k)) + np.linspace(0, 1.5, k)
    return nbc.sensitivity(nbc.Experiment.from_array(table, algorithms=names, direction="minimize"))


@pytest.mark.parametrize("control", [None, "C4.5"])
def test_circles_tints_and_ticks_say_what_the_result_says(control):
    result = demsar(control=control)
    parts = nbc.plots.sensitivity(result).artists
    tests, datasets = result.primary.hypotheses, result.design.datasets
    row_of = {}
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        row_of[" – ".join(pair if tests.statistic[row] >= 0 else pair[::-1])] = row
    drawn = [text.get_text() for text in parts["rows"]]
    assert sorted(drawn) == sorted(row_of)
    counts = [result.n_significant[row_of[name]] for name in drawn]
    assert counts == sorted(counts, reverse=True)
    marks, cells = iter(parts["marks"]), iter(parts["cells"])
    for place, name in enumerate(drawn):
        for column, test in enumerate(result.tests):
            found = test.rejecting(row_of[name], result.alpha)
            decided = test.rejected(result.alpha)[row_of[name]]
            mark, tint = next(marks), to_hex(next(cells).get_facecolor())
            assert mark.get_xydata().tolist() == [[column, place]]
            assert mark.get_fillstyle() == ("full" if decided else "left" if found else "none")
            strict = {("bonferroni",), ("nemenyi",), ("bonferroni-dunn",)}
            assert (tint == BLUES[2]) == (found[:1] in strict)
            assert (tint == "#ffffff") == (not found)
            assert marks_of(mark)[0].title.startswith(f"{name}, {test.label}: ")
    ticks = {tuple(tick.get_xydata()[0].astype(int).tolist()) for tick in parts.get("ticks", ())}
    assert ticks == {
        (datasets.index(dataset) + 1, place)
        for place, name in enumerate(drawn)
        for dataset in result.hinges[row_of[name]]
    }
    bold = [text.get_text() for text in parts["columns"] if text.get_fontweight() == "bold"]
    assert bold == ["Wilcoxon"]


@pytest.mark.slow
@pytest.mark.parametrize("make", [demsar, many, lambda: many(2, 9), lambda: demsar(control="C4.5")])
def test_texts_stay_within_the_figure_and_apart(make, check_legible):
    plot = nbc.plots.sensitivity(make())
    check_legible(plot)
    check_legible(plot.narrower(3.5))


def test_of_many_pairs_those_that_depend_on_something():
    result = many(letters=5)
    plot = nbc.plots.sensitivity(result)
    assert len(result.hinges) == 45
    assert len(plot.artists["rows"]) == 40
    caption = plot.artists["caption"][0].get_text().replace("\n", " ")
    assert "40 of 45 pairs, those whose decision varies first" in caption
    assert len(plot.artists["ticks"]) == sum(map(len, result.hinges))


def test_one_panel_where_no_data_set_was_left_out():
    data = nbc.Experiment.from_array(
        np.random.default_rng(2).normal(size=(6, 2)), direction="minimize"
    )
    result = nbc.sensitivity(data)
    plot = nbc.plots.sensitivity(result)
    assert result.why_not in plot.artists["caption"][0].get_text().replace("\n", " ")
    assert len(plot.figure.axes) == 1
    assert "ticks" not in plot.artists


def test_given_axes_and_wrong_results(check_legible):
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots(1, 2, width_ratios=(3, 1))
    plot = nbc.plots.sensitivity(demsar(), ax=axes)
    assert plot.ax is axes[0]
    assert not plot.shown
    check_legible(plot)
    with pytest.raises(ValueError, match="`ax` must be 2 axes"):
        nbc.plots.sensitivity(demsar(), ax=axes[0])
    with pytest.raises(TypeError, match=r"nbc\.sensitivity\(experiment\)"):
        nbc.plots.sensitivity(nbc.compare(nbc.datasets.load("demsar2006")))


def test_the_alternative_text_tells_the_decisions():
    alt = nbc.plots.sensitivity(demsar()).alt
    assert "significant by one of six suitable tests" in alt
    assert "C4.5+m+cf – C4.5+cf: Quade's ranks; changes without breast cancer" in alt
