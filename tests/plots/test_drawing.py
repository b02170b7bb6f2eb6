"""Figures as records of shapes and texts, and what their parts stand for."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare import plots
from nbcompare._render.drawing import DRAWING
from nbcompare.plots._drawing import drawing_of
from nbcompare.plots._marks import marks_of
from nbcompare.plots._plot import svg_of

HOSTILE = ["<script>alert(1)</script>", r"C4.5_m & 100% $x^2$", "A – B", "W" * 60]
SCORES = np.random.default_rng(2).normal(size=(15, 4)) + np.arange(4)


@pytest.fixture(scope="module")
def result():
    experiment = nbc.Experiment.from_array(SCORES, direction="maximize", algorithms=HOSTILE)
    return nbc.compare(experiment, adjust="holm")


DRAWN = {
    "cd_diagram": plots.cd_diagram,
    "pvalue_matrix": plots.pvalue_matrix,
    "multi_comparison_matrix": plots.multi_comparison_matrix,
    "interval_forest": plots.interval_forest,
    "rank_bars": plots.rank_bars,
}


@pytest.fixture(params=DRAWN)
def plot(request, result):
    return DRAWN[request.param](result)


def letters(text):
    return "".join(text.split())


def test_a_record_is_plain_json_with_every_text(plot):
    record = plot._repr_mimebundle_()[0][DRAWING]
    assert json.loads(json.dumps(record)) == record
    written = ["".join(t for _, _, t in s["lines"]) for s in record["shapes"] if "lines" in s]
    assert sorted(map(letters, written)) == sorted(letters(t.get_text()) for t in plot.ax.texts)
    inches = plot.figure.get_size_inches()
    assert record["size"] == pytest.approx([72 * side for side in inches], abs=0.01)


def test_shapes_stand_where_the_saved_figure_has_them(result):
    """The ends of every line, independently from the SVG that Matplotlib writes."""
    plot = plots.cd_diagram(result)
    record = drawing_of(plot.figure)
    svg = ElementTree.fromstring(svg_of(plot.figure))
    there = [
        np.array([float(number) for number in re.findall(r"-?[\d.]+", path.get("d"))])
        for group in svg.iter("{http://www.w3.org/2000/svg}g")
        if (group.get("id") or "").startswith("line2d")
        for path in group.findall("{http://www.w3.org/2000/svg}path")
    ]
    here = [
        np.array([float(number) for number in re.findall(r"-?[\d.]+", shape["d"])])
        for shape in record["shapes"]
        if shape.get("line") and "fill" not in shape and "d" in shape
    ]
    assert len(here) == len(there) > 10
    for one, two in zip(here, there, strict=True):
        np.testing.assert_allclose(one, two, atol=0.006)


def test_every_algorithm_is_told_of(plot, result):
    record = drawing_of(plot.figure)
    assert set(record["names"]) == set(HOSTILE)
    told = [mark["title"] for mark in record["marks"]]
    assert len(set(told)) == len(told)
    used = {shape["mark"] for shape in record["shapes"] if "mark" in shape}
    assert used == set(range(len(told)))


def test_what_is_told_of_an_algorithm(result):
    record = drawing_of(plots.cd_diagram(result).figure)
    tests = result.hypotheses
    for name, rank in result.average_ranks.items():
        n = sum(
            bool(no) and name in (a, b)
            for a, b, no in zip(tests.first, tests.second, tests.rejected, strict=True)
        )
        expected = f"{name}: average rank {rank:.2f}; significantly different from {n} of 3"
        assert {"title": expected, "of": [record["names"].index(name)]} in record["marks"]


def test_what_is_told_of_a_pair(result):
    record = drawing_of(plots.pvalue_matrix(result).figure)
    pairs = [mark for mark in record["marks"] if mark.get("pair")]
    frame = result.hypotheses.to_frame()
    assert len(pairs) == len(frame)
    scores = dict(zip(HOSTILE, SCORES.T, strict=True))
    for mark in pairs:
        better, worse = (record["names"][place] for place in mark["of"])
        wins = int((scores[better] > scores[worse]).sum())
        losses = int((scores[better] < scores[worse]).sum())
        assert mark["title"].startswith(f"{better} – {worse}: adjusted p ")
        assert f"W/T/L {wins}/0/{losses};" in mark["title"]
        assert wins >= losses
        (row,) = (
            row
            for row in frame.to_dict("records")
            if {row["first"], row["second"]} == {better, worse}
        )
        decision = "significant" if row["rejected"] else "not significant"
        assert f", {decision}; W/T/L" in mark["title"]


def test_against_a_control():
    data = nbc.datasets.load("demsar2006")
    record = drawing_of(plots.cd_diagram(nbc.compare(data, control="C4.5")).figure)
    titles = {record["names"][mark["of"][0]]: mark["title"] for mark in record["marks"]}
    assert ", the control; " in titles["C4.5"]
    assert all("against C4.5, " in titles[name] for name in titles if name != "C4.5")


def test_a_saved_figure_knows_nothing_of_it(plot):
    before = svg_of(plot.figure)
    dpi = plot.figure.dpi
    assert drawing_of(plot.figure) is not None
    assert svg_of(plot.figure) == before
    assert plot.figure.dpi == dpi
    assert "mark-" not in before
    assert "<text" not in before


def test_parts_that_others_add_are_drawn_too(result):
    plot = plots.cd_diagram(result)
    plot.ax.text(0.5, 0.5, "added")
    plot.ax.plot([0, 1], [0, 1], marker="s", label="x")
    record = drawing_of(plot.figure)
    assert any(s.get("lines", [[0, 0, ""]])[0][2] == "added" for s in record["shapes"])
    assert not marks_of(plot.ax.texts[-1])


def test_mathematics_is_drawn_as_outlines():
    figure = Figure()
    figure.text(0.5, 0.5, r"$\alpha^2$")
    shapes = drawing_of(figure)["shapes"]
    assert not any("lines" in shape for shape in shapes)
    assert len(shapes) == 2


def image(figure):
    figure.add_subplot().imshow([[0, 1], [1, 0]])


def endless(figure):
    figure.add_subplot().plot(np.arange(21_000), np.zeros(21_000), "o")


@pytest.mark.slow
@pytest.mark.parametrize("draw", [image, endless])
def test_what_a_record_cannot_say_is_shown_as_a_picture(draw):
    figure = Figure()
    draw(figure)
    assert drawing_of(figure) is None


def test_the_clip_of_axes_is_kept():
    figure = Figure()
    ax = figure.add_subplot()
    ax.plot([0, 10], [0, 10])
    ax.set_xlim(2, 3)
    record = drawing_of(figure)
    (shape,) = (shape for shape in record["shapes"] if "clip" in shape)
    left, bottom, width, height = ax.get_position().bounds
    w, h = record["size"]
    expected = [left * w, (1 - bottom - height) * h, width * w, height * h]
    assert record["clips"][shape["clip"]] == pytest.approx(expected, abs=0.01)
