"""Figures as SVG with text as text, and what their parts stand for."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare import plots
from nbcompare._render.parts import DRAWING
from nbcompare.plots import Plot
from nbcompare.plots._plot import Mark, marked, svg_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<script>alert(1)</script>", r"C4.5_m & 100% $x^2$", "A – B", "W" * 60]
ABOUT = [Mark(f"about {name}", (name,)) for name in HOSTILE]


@pytest.fixture(scope="module")
def result():
    scores = np.random.default_rng(2).normal(size=(15, 4)) + np.arange(4)
    experiment = nbc.Experiment.from_array(scores, direction="maximize", algorithms=HOSTILE)
    return nbc.compare(experiment, adjust="holm")


@pytest.fixture
def ax():
    return Figure((4, 3), layout="constrained").subplots()


def record_of(ax):
    return Plot(ax.figure, ax, {}, "").record()


def parts_of(record):
    """The elements of each mark, in order."""
    found = {}
    for element in ElementTree.fromstring(record["svg"]).iter():
        if element.get("id", "").startswith("mark-"):
            found.setdefault(int(element.get("id")[5:]), []).append(element)
    return found


def texts_of(record):
    return [
        "".join(it.itertext()) for it in ElementTree.fromstring(record["svg"]).iter(SVG + "text")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("draw", [plots.cd_diagram, plots.pvalue_matrix, plots.rank_bars])
def test_a_record_is_plain_json_with_every_algorithm(result, draw):
    plot = draw(result)
    before = svg_of(plot.figure)
    record = plot._repr_mimebundle_()[0][DRAWING]
    assert json.loads(json.dumps(record)) == record == plot.record()
    assert set(record["names"]) == set(HOSTILE)
    assert len({mark["title"] for mark in record["marks"]}) == len(record["marks"])
    assert set(parts_of(record)) == set(range(len(record["marks"])))
    written = ["".join(text.split()) for text in texts_of(record)]
    assert all(any("".join(name.split()) in text for text in written) for name in HOSTILE)
    # a saved figure knows nothing of it
    assert svg_of(plot.figure) == before
    assert "mark-" not in before
    assert "<text" not in before


def test_marks_of_artists_and_of_items(ax):
    points = ax.scatter(range(4), range(4), c=["r", "g", "b", "k"])
    marked(points, ABOUT)
    (markers,) = ax.plot(range(4), [1, 2, 3, 4], "s-", fillstyle="left")
    marked(markers, [None, *ABOUT[1:]])
    lines = LineCollection([[(0, 0), (1, y)] for y in range(4)])
    marked(ax.add_collection(lines), ABOUT)
    marked(ax.bar([1], [2])[0], Mark("a pair", tuple(HOSTILE[:2]), pair=True, dataset="iris"))
    record = record_of(ax)
    tags = {
        place: [it.tag.removeprefix(SVG) for it in its] for place, its in parts_of(record).items()
    }
    titles = [mark["title"] for mark in record["marks"]]
    assert sorted(tags[titles.index("about A – B")]) == ["path", "use", "use", "use"]  # two halves
    assert sorted(tags[titles.index(ABOUT[0].title)]) == ["path", "use"]
    assert tags[titles.index("a pair")] == ["g"]
    (pair,) = (mark for mark in record["marks"] if mark["title"] == "a pair")
    assert [record["names"][place] for place in pair["of"]] == HOSTILE[:2]
    assert (pair["pair"], pair["dataset"]) == (True, "iris")


def test_items_that_are_not_drawn_leave_the_others_without_marks(ax):
    (markers,) = ax.plot(range(4), range(4), "o")
    marked(markers, ABOUT)
    ax.set_xlim(2.5, 3.1)  # of those beyond the figure, Matplotlib writes nothing
    assert record_of(ax)["marks"] == []


@pytest.mark.parametrize(
    ("side", "anchor"), [("left", "start"), ("center", "middle"), ("right", "end")]
)
@pytest.mark.parametrize("angle", [0, 90])
def test_lines_are_one_text_that_is_aligned_as_it_was(ax, side, anchor, angle):
    written = ax.text(
        0.5, 0.5, "two words\nand <b>", ha=side, rotation=angle, rotation_mode="anchor"
    )
    (text,) = (
        it for it in ElementTree.fromstring(record_of(ax)["svg"]).iter(SVG + "text") if len(it)
    )
    assert "".join(text.itertext()) == "two words and <b>"
    assert text.get("style").endswith(f"text-anchor: {anchor}")
    lines = [line for line in text if line.get("x")]
    x, y = 72 / ax.figure.dpi * written.get_transform().transform((0.5, 0.5))
    there = y - 72 * 3 if angle else x  # turned up, from the lower edge
    assert [float(line.get("x")) for line in lines] == pytest.approx([there] * 2, abs=0.1)


def test_a_name_that_is_broken_stays_one(ax):
    marked(ax.text(0.5, 0.5, "WWWW\nWWW W"), Mark("it", ("WWWWWWW W",)))
    assert "WWWWWWW W" in texts_of(record_of(ax))


def test_the_page_is_the_paper(ax):
    assert "#ffffff" not in record_of(ax)["svg"]
    ax.set_facecolor("#eeeeee")
    assert "#eeeeee" in record_of(ax)["svg"]


def test_characters_that_xml_lacks(ax):
    ax.text(0.5, 0.5, "a\x1bb", parse_math=False)
    assert "a\ufffdb" in texts_of(record_of(ax))


@pytest.mark.parametrize("draw", [
    lambda ax: ax.imshow([[0, 1], [1, 0]]),
    pytest.param(lambda ax: ax.plot(np.zeros(21_000), "o"), marks=pytest.mark.slow),
])  # fmt: skip
def test_images_and_large_figures_are_shown_as_pictures(ax, draw):
    draw(ax)
    assert record_of(ax) is None
