"""The figure of sensitivity: every circle, tint and tick against the result."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare.plots._matrix import BLUES


def demsar(**options):
    return nbc.sensitivity(nbc.datasets.load("demsar2006"), **options)


def many(k=10, n=30, letters=60):
    rng = np.random.default_rng(0)
    names = [f"{i} {'a long name ' * 6}"[:letters].strip() + str(i) for i in range(k)]
    table = rng.normal(size=(n, k)) + np.linspace(0, 1.5, k)
    data = nbc.Experiment.from_array(table, algorithms=names, direction="minimize")
    return nbc.sensitivity(data)


def test_circles_and_ticks_say_what_the_result_says():
    result = demsar()
    parts = nbc.plots.sensitivity(result).artists
    tests = result.primary.hypotheses
    names = [f"{a} – {b}" for a, b in zip(tests.first, tests.second, strict=True)]
    drawn = [text.get_text() for text in parts["rows"]]
    assert sorted(drawn) == sorted(names)
    counts = [result.n_significant[names.index(name)] for name in drawn]
    assert counts == sorted(counts, reverse=True)
    marks, cells = iter(parts["marks"]), iter(parts["cells"])
    for name in drawn:
        row = names.index(name)
        for test in result.tests:
            mark, cell = next(marks), next(cells)
            found = test.rejecting(row, result.alpha)
            decided = bool(test.rejected(result.alpha)[row])
            assert (mark.get_markerfacecolor() == "black") == bool(found)
            assert (mark.get_fillstyle() == "left") == (bool(found) and not decided)
            strict = found[:1] in {("bonferroni",), ("nemenyi",)}
            assert (cell.get_facecolor()[:3] == pytest.approx(_rgb(BLUES[2]))) == strict
            if not found:
                assert cell.get_facecolor()[:3] == (1, 1, 1)
    assert len(parts["ticks"]) == sum(map(len, result.hinges))
    bold = [text.get_text() for text in parts["columns"] if text.get_fontweight() == "bold"]
    assert [" ".join(text.split()) for text in bold] == ["Wilcoxon"]


def _rgb(text):
    return [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]


@pytest.mark.parametrize("make", [demsar, many, lambda: many(2, 9), lambda: demsar(control="C4.5")])
def test_texts_stay_within_the_figure_and_apart(make):
    plot = nbc.plots.sensitivity(make())
    renderer = FigureCanvasAgg(plot.figure).get_renderer()
    page = plot.figure.bbox
    boxes = {
        name: [text.get_window_extent(renderer) for text in plot.artists[name]]
        for name in ("rows", "columns", "texts", "caption")
    }
    for box in (box for of in boxes.values() for box in of):
        assert box.x0 >= page.x0 - 2
        assert box.x1 <= page.x1 + 2
        assert box.y0 >= page.y0
        assert box.y1 <= page.y1
    for name in ("rows", "columns"):
        for place, one in enumerate(boxes[name]):
            assert not any(one.overlaps(other) for other in boxes[name][place + 1 :])
    for row in boxes["rows"]:
        assert not any(row.overlaps(column) for column in boxes["columns"])


def test_no_strip_where_no_data_set_was_left_out():
    rng = np.random.default_rng(2)
    data = nbc.Experiment.from_array(rng.normal(size=(6, 2)), direction="minimize")
    result = nbc.sensitivity(data)
    plot = nbc.plots.sensitivity(result)
    assert result.why_not
    assert not plot.artists["lines"]
    text = plot.artists["caption"][0].get_text().replace("\n", " ")
    assert result.why_not in text


def test_given_axes_and_wrong_results():
    figure = Figure(figsize=(5, 4))
    plot = nbc.plots.sensitivity(demsar(), ax=figure.add_subplot())
    assert plot.figure is figure
    assert not plot.shown
    with pytest.raises(TypeError, match=r"nbc\.sensitivity\(experiment\)"):
        nbc.plots.sensitivity(nbc.compare(nbc.datasets.load("demsar2006")))


def test_the_alternative_text_tells_the_decisions():
    alt = nbc.plots.sensitivity(demsar()).alt
    assert "agree on three of the six pairs" in alt
    assert "C4.5+m+cf against C4.5+cf: Quade's ranks; changes without breast cancer" in alt
