"""What stands out in a critical difference diagram: bold names, and names at one side."""

import pytest
from matplotlib.colors import to_hex

import nbcompare as nbc
from nbcompare.plots import cd_diagram
from nbcompare.plots._sheet import ACCENT


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
