"""Small diagrams of groups of data sets."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare import plots


def grouped(n_groups, k=5, names=None, label="group {}", **options):
    rng = np.random.default_rng(0)
    n = 8 * n_groups
    scores = rng.normal(size=(n, k)) + np.linspace(0, 2, k)
    data = nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)
    domains = tuple(label.format(i % n_groups) for i in range(n))
    return nbc.compare_by(dataclasses.replace(data, domains=domains), **options)


LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(9)]
CASES = {
    "two": lambda: grouped(2),
    "five, control": lambda: grouped(5, control="A2", adjust="bonferroni"),
    "twelve, long": lambda: grouped(12, 9, LONG, "{} " + "W" * 60, adjust="nemenyi"),
    "aligned": lambda: grouped(3, ranking="aligned"),
    "across": lambda: grouped(4, across=True),
}


@pytest.mark.parametrize("case", CASES)
def test_everything_is_inside_and_nothing_overlaps(case):
    plot = plots.cd_diagrams(CASES[case]())
    renderer = FigureCanvasAgg(plot.figure).get_renderer()
    width, height = plot.figure.bbox.size
    texts = [text for text in plot.ax.texts if text.get_text()]
    boxes = [text.get_window_extent(renderer) for text in texts]
    for box in boxes:
        assert min(box.x0, box.y0) >= -1
        assert box.x1 <= width + 1
        assert box.y1 <= height + 1
    named = {id(text) for name in ("titles", "names") for text in plot.artists[name]}
    kept = [box for text, box in zip(texts, boxes, strict=True) if id(text) in named]
    for i, one in enumerate(kept):
        for other in kept[:i]:
            across = min(one.x1, other.x1) - max(one.x0, other.x0)
            down = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert across <= 1 or down <= 1


@pytest.mark.parametrize("case", CASES)
def test_all_diagrams_have_the_same_axis(case):
    result = CASES[case]()
    plot = plots.cd_diagrams(result)
    labels = [text.get_text() for text in plot.artists["axis"] if hasattr(text, "get_text")]
    n = len(result.groups)
    size = len(labels) // n
    assert len(labels) == n * size > n
    assert all(labels[i * size : (i + 1) * size] == labels[:size] for i in range(n))
    # marks stand where the ranks are
    lines = [line for line in plot.artists["axis"] if not hasattr(line, "get_text")]
    lengths = {round(np.ptp(line.get_xdata()), 6) for line in lines if np.ptp(line.get_xdata()) > 1}
    assert len(lengths) == 1
    titles = [text.get_text().replace("\n", " ") for text in plot.artists["titles"]]
    assert [title.partition(" (")[0] for title in titles] == [
        " ".join(name.split()) for name in result.groups
    ]


def test_it_is_each_diagram_by_itself():
    result = grouped(3, adjust="nemenyi")
    whole = plots.cd_diagrams(result)
    alone = [plots.cd_diagram(one) for one in result.groups.values()]
    for part in ("names", "bars"):
        assert len(whole.artists[part]) == sum(len(one.artists[part]) for one in alone)
    for name, one in zip(result.groups, alone, strict=True):
        assert f"{name}: {one.alt}" in whole.alt
    assert whole.alt.startswith("Critical difference diagrams by group of data sets (")


def test_axes_sides_and_widths():
    result = grouped(5, control="A1")
    figure = Figure(figsize=(4, 4))
    plot = plots.cd_diagrams(result, ax=figure.subplots(), best="left")
    assert not plot.shown
    with pytest.raises(ValueError, match="`best` must be"):
        plots.cd_diagrams(result, best="top")
    wide = plots.cd_diagrams(result)
    narrow = wide.narrower(6.0)
    assert narrow.figure.get_size_inches()[0] < wide.figure.get_size_inches()[0]
