"""What stands out in a critical difference diagram: bold names, colours, families, one side."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

import nbcompare as nbc
from nbcompare.plots import cd_diagram, cd_diagrams
from nbcompare.plots._diagram import PALETTE
from nbcompare.plots._live import marks_of
from nbcompare.plots._sheet import ACCENT

# Severity 1 of Machado, Oliveira and Fernandes (2009), Table 1; the first is full vision
VISION = [
    np.reshape(row.split(), (3, 3)).astype(float)
    for row in (
        "1 0 0 0 1 0 0 0 1",
        "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
        "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
        "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
    )
]
LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(40)]


def linear(rgb):
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]


def luminance(rgb):
    return float(np.dot(linear(rgb), [0.2126, 0.7152, 0.0722]))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def dark(rgb):
    """The colour in the dark theme: c + 1 - 2 L of each channel, between 0.07 and 0.93."""
    light = np.dot(rgb, [0.2126, 0.7152, 0.0722])
    return np.clip(0.07 + 0.86 * (np.array(rgb) + 1 - 2 * light), 0, 1)


def lab(linear_rgb):
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.dot(to_xyz, np.clip(linear_rgb, 0, 1)) / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def names_of(plot):
    return [label.get_text() for label in plot.artists["names"]]


def label_of(plot, name):
    return next(label for label in plot.artists["names"] if label.get_text().startswith(name))


def line_of(plot, name):
    """The line to a name."""
    return plot.artists["leaders"][plot.artists["names"].index(label_of(plot, name))]


def legend_of(plot):
    (legend,) = plot.artists["legend"]
    texts = [" ".join(text.get_text().split()) for text in legend.get_texts()]
    return dict(zip(texts, legend.legend_handles, strict=True))


def color_of(artist):
    return to_hex(artist.get_color())


# ---------------------------------------------------------------------------- highlight


@pytest.mark.parametrize("control", [None, "A2"])
def test_what_is_highlighted_is_bold_and_its_line_thick(simulated, check_legible, control):
    comparison = nbc.compare(simulated(40, 6), control=control, adjust="holm")
    plot = cd_diagram(comparison, highlight=["A5", "A3"])
    check_legible(plot)
    for name in comparison.ordered:
        strong = name in ("A5", "A3")
        assert (label_of(plot, name).get_weight() == "bold") == (strong or name == control)
        assert (color_of(label_of(plot, name)) == ACCENT) == strong
        assert (color_of(line_of(plot, name)) == ACCENT) == strong
        assert (line_of(plot, name).get_linewidth() > 1.5) == strong
    assert plot.alt.endswith(
        " Highlighted: "
        + ", ".join(name for name in comparison.ordered if name in ("A5", "A3"))
        + "."
    )


@pytest.mark.slow
def test_without_any_of_it_the_diagram_is_as_before(simulated):
    comparison = nbc.compare(simulated(40, 6))
    plain, same = cd_diagram(comparison), cd_diagram(comparison, highlight=[], families={})
    assert plain._repr_mimebundle_() == same._repr_mimebundle_()
    assert set(legend_of(plain)) <= {"no significant difference"}
    assert {color_of(label) for label in plain.artists["names"]} == {"#000000"}
    assert {label.get_weight() for label in plain.artists["names"]} == {"normal"}


# ------------------------------------------------------------------ colours and families


def test_families_have_a_color_each_which_the_legend_names(simulated, check_legible):
    comparison = nbc.compare(simulated(40, 5))
    families = {"A1": "deep", "A2": "kernel", "A4": "deep"}
    plot = cd_diagram(comparison, families=families)
    check_legible(plot)
    drawn = {name: to_hex(legend_of(plot)[name].get_facecolor()) for name in ("deep", "kernel")}
    assert drawn == {"deep": PALETTE[0], "kernel": PALETTE[1]}
    for name in comparison.ordered:
        color = drawn.get(families.get(name), "#000000")
        assert color_of(label_of(plot, name)) == color
    ordered = [name for name in comparison.ordered if name in ("A1", "A4")]
    assert f"Families by colour: deep: {', '.join(ordered)}; kernel: A2." in plot.alt
    (mark,) = marks_of(label_of(plot, "A2"))
    assert mark.title.endswith("; kernel")
    (mark,) = marks_of(plot.artists["legend"][0].get_texts()[0])
    assert mark.names == ("A1", "A4")


@pytest.mark.parametrize("seen", [np.array, dark])
def test_colors_of_families_are_told_apart_and_readable(seen):
    colors = [seen(to_rgb(color)) for color in (*PALETTE, "black")]
    for one, other in itertools.combinations(colors, 2):
        pairs = [[lab(vision @ linear(color)) for color in (one, other)] for vision in VISION]
        assert min(np.linalg.norm(a - b) for a, b in pairs) > 24
    background = seen((1.0, 1.0, 1.0))
    assert min(contrast(color, background) for color in colors) >= 4.5
    assert contrast(seen(to_rgb(ACCENT)), background) >= 4.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"highlight": ["rocket"]},
            "`highlight` must be one of 'ROCKET', 'DTW' and 'SVM'; got 'rocket'. "
            "Did you mean 'ROCKET'?",
        ),
        (
            {"families": {"DWT": "distance"}},
            "`families` must be one of 'ROCKET', 'DTW' and 'SVM'; got 'DWT'. Did you mean 'DTW'?",
        ),
        (
            {"families": {"DTW": ""}},
            "`families` must map names to names of families; got '' for DTW.",
        ),
        (
            {"families": {"DTW": 3}},
            "`families` must map names to names of families; got 3 for DTW.",
        ),
        ({"labels": "on"}, "`labels` must be 'both' or 'one'; got 'on'. Did you mean 'one'?"),
    ],
)
def test_what_cannot_be(simulated, options, message):
    experiment = simulated(20, 3, names=["ROCKET", "DTW", "SVM"])
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole text is compared
        cd_diagram(nbc.compare(experiment), **options)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"highlight": "A1"}, "`highlight` must be a list of names; got 'A1'."),
        ({"families": ["A1"]}, "`families` must map names to families; got ['A1']."),
    ],
)
def test_what_is_of_another_kind(simulated, options, message):
    with pytest.raises(TypeError) as error:
        cd_diagram(nbc.compare(simulated(20, 3)), **options)
    assert str(error.value) == message


def test_more_families_than_colors(simulated):
    comparison = nbc.compare(simulated(20, 7), adjust="holm")
    families = {f"A{i}": f"family {i}" for i in range(1, 8)}
    with pytest.raises(ValueError, match=r"^`families` must be at most 5, because more colours"):
        cd_diagram(comparison, families=families)


@pytest.mark.slow
def test_families_are_drawn_as_they_stand(simulated, check_legible):
    family = r"<script>alert(1)</script> $x^2$ \input{x}"
    plot = cd_diagram(nbc.compare(simulated(20, 3)), families={"A1": family})
    check_legible(plot)
    text = plot.artists["legend"][0].get_texts()[0]
    assert text.get_text().replace("\n", " ") == family
    assert not text.get_parse_math()
    data, _ = plot._repr_mimebundle_()
    assert "<script" not in data["image/svg+xml"]


# ------------------------------------------------------------------------------ one side


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 12, 40])
@pytest.mark.parametrize("best", ["right", "left"])
@pytest.mark.parametrize("control", [None, "A1"])
def test_all_names_on_the_side_of_the_best(simulated, check_legible, k, best, control):
    comparison = nbc.compare(simulated(50, k), control=control, adjust="holm")
    plot = cd_diagram(comparison, best=best, labels="one", highlight=["A2"])
    check_legible(plot)
    assert [name.split(" ")[0] for name in names_of(plot)] == list(comparison.ordered)
    ends, rows = zip(*(label.xy for label in plot.artists["names"]), strict=True)
    assert set(ends) == {int(best == "right")}
    assert list(rows) == sorted(set(rows))  # the best is the uppermost


@pytest.mark.slow
@pytest.mark.parametrize("control", [None, LONG[3]])
def test_one_side_with_names_of_60_characters(simulated, check_legible, control):
    families = {name: f"family {i % 3} of a long name" for i, name in enumerate(LONG[:12])}
    comparison = nbc.compare(simulated(50, 12, names=LONG[:12]), control=control)
    plot = cd_diagram(comparison, labels="one", families=families, highlight=LONG[:1])
    check_legible(plot)
    narrow = plot.narrower(3.4)
    check_legible(narrow)
    assert sum(label.get_weight() == "bold" for label in narrow.artists["names"]) == 1 + bool(
        control
    )
    assert sum("family" in text for text in legend_of(narrow)) == 3
    # where there is less room, long names leave the other side by themselves
    both = cd_diagram(comparison).narrower(3.4)
    assert len({label.xy[0] for label in both.artists["names"]}) == 1


# ------------------------------------------------------------------ groups of data sets


@pytest.mark.slow
def test_diagrams_of_groups_have_the_same_look(check_legible):
    data = nbc.datasets.load("demsar2006")
    kind = {name: "medical" if i % 2 else "other" for i, name in enumerate(data.datasets)}
    groups = nbc.compare_by(data, by=kind)
    plot = cd_diagrams(
        groups,
        labels="one",
        families={"C4.5": "plain", "C4.5+m": "tuned"},
        highlight=["C4.5+cf"],
    )
    check_legible(plot)
    labels = plot.artists["names"]
    assert [label.get_text() for label in labels if label.get_weight() == "bold"] == ["C4.5+cf"] * 2
    colors = {(label.get_text(), color_of(label)) for label in labels}
    assert ("C4.5", PALETTE[0]) in colors
    assert ("C4.5+m", PALETTE[1]) in colors
    assert len(colors) == 4
    assert {label.xy[0] for label in labels} == {1}
    assert list(legend_of(plot))[:2] == ["plain", "tuned"]
    check_legible(plot.narrower(3.3))
    with pytest.raises(ValueError, match=r"`highlight` must be one of .* Did you mean 'C4.5\+m'\?"):
        cd_diagrams(groups, highlight=["c4.5+M"])
