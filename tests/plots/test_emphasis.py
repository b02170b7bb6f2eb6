"""What stands out in a critical difference diagram: bold names, and names at one side."""

import pytest
from matplotlib.colors import to_hex

import nbcompare as nbc
from nbcompare.plots import cd_diagram, cd_diagrams
from nbcompare.plots._sheet import ACCENT

LONG = [f"GradientBoosting_{i:02d} with a name that goes on for 60 letters!" for i in range(12)]


@pytest.mark.parametrize("control", [None, "A2"])
def test_what_is_highlighted_is_bold_and_its_line_thick(simulated, check_legible, control):
    comparison = nbc.compare(simulated(40, 6), control=control, adjust="holm")
    plot = cd_diagram(comparison, highlight=["A5", "A3"])
    check_legible(plot)
    bold = {None: set(), "A2": {"A2"}}[control] | {"A3", "A5"}
    for label, line in zip(plot.artists["names"], plot.artists["leaders"], strict=True):
        name = label.get_text()[:2]
        strong = name in ("A5", "A3")
        assert (label.get_weight() == "bold") == (name in bold)
        assert (to_hex(label.get_color()), to_hex(line.get_color())) == (
            (ACCENT, ACCENT) if strong else ("#000000", to_hex("0.4"))
        )
        assert (line.get_linewidth() > 1.5) == strong


def test_what_cannot_be(simulated):
    comparison = nbc.compare(simulated(20, 3, names=["ROCKET", "DTW", "SVM"]))
    with pytest.raises(ValueError, match=r"^`highlight` must be one of .* Did you mean 'ROCKET'"):
        cd_diagram(comparison, highlight=["rocket"])
    with pytest.raises(ValueError, match=r"^`labels` must be 'both' or 'one'; got 'on'\. Did you"):
        cd_diagram(comparison, labels="on")
    with pytest.raises(TypeError, match=r"^`highlight` must be a list of names; got 'DTW'\.$"):
        cd_diagram(comparison, highlight="DTW")


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 12, 40])
@pytest.mark.parametrize("best", ["right", "left"])
@pytest.mark.parametrize("control", [None, "A1"])
def test_all_names_on_the_side_of_the_best(simulated, check_legible, k, best, control):
    comparison = nbc.compare(simulated(50, k), control=control, adjust="holm")
    plot = cd_diagram(comparison, best=best, labels="one", highlight=["A2"])
    check_legible(plot)
    labels = plot.artists["names"]
    assert [it.get_text().split(" ")[0] for it in labels] == list(comparison.ordered)
    ends, rows = zip(*(label.xy for label in labels), strict=True)
    assert set(ends) == {int(best == "right")}
    assert list(rows) == sorted(set(rows))  # the best is the uppermost


@pytest.mark.slow
@pytest.mark.parametrize("control", [None, LONG[3]])
def test_one_side_with_names_of_60_characters(simulated, check_legible, control):
    comparison = nbc.compare(simulated(50, 12, names=LONG), control=control)
    plot = cd_diagram(comparison, labels="one", highlight=LONG[:1])
    check_legible(plot)
    narrow = plot.narrower(3.4)
    check_legible(narrow)
    bold = [label for label in narrow.artists["names"] if label.get_weight() == "bold"]
    assert len(bold) == 1 + bool(control)
    # where there is less room, long names leave the other side by themselves
    both = cd_diagram(comparison).narrower(3.4)
    assert len({label.xy[0] for label in both.artists["names"]}) == 1


@pytest.mark.slow
def test_diagrams_of_groups_have_the_same_look(check_legible):
    data = nbc.datasets.load("demsar2006")
    kind = {name: "medical" if i % 2 else "other" for i, name in enumerate(data.datasets)}
    groups = nbc.compare_by(data, by=kind)
    plot = cd_diagrams(groups, labels="one", highlight=["C4.5+cf"])
    check_legible(plot)
    labels = plot.artists["names"]
    bold = [label for label in labels if label.get_weight() == "bold"]
    assert [(label.get_text(), label.get_color()) for label in bold] == [("C4.5+cf", ACCENT)] * 2
    assert {label.xy[0] for label in labels} == {1}
    check_legible(plot.narrower(3.3))
    with pytest.raises(ValueError, match=r"`highlight` must be one of .* Did you mean 'C4.5\+m'\?"):
        cd_diagrams(groups, highlight=["c4.5+M"])
