"""The figure of power and type I error: its numbers, its words, and that it can be read."""

import functools

import numpy as np
import pytest
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare import plots, study

MODEL = study.BinomialErrors(n_datasets=10, n_folds=2, n_runs=2)
HOSTILE = [
    "<script>alert(1)</script>",
    r"C4.5_m & 100% $x^2$ \input{x}",
    "#let x = 1; *_",
    "W" * 60,
]


@functools.cache
def made(names=("ANOVA + t", "Friedman"), effects=(0.1, 0.0, 0.05), alpha=0.05):
    designs = [
        study.CompareDesign(
            pairs=("t", "wilcoxon", "ranks")[i % 3],
            adjust=(None, "holm")[i // 3 % 2],
            label=name,
            alpha=alpha,
        )
        for i, name in enumerate(names)
    ]
    return study.run(MODEL, designs, effects=effects, repetitions=6)


def heights(plot, line):
    """Positions on an axis from 0 to 1 for the share of its panel."""
    return np.asarray(line.get_ydata(), dtype=float)


@pytest.mark.slow
def test_the_curves_are_those_of_the_result():
    result = made()
    plot = plots.power_curves(result)
    curves = plot.artists["curves"]
    assert len(curves) == 4
    assert [len(curve.get_xdata()) for curve in curves] == [2, 2, 3, 3]  # no power at 0
    for number, name in enumerate(result.designs):
        power = result.curve("power", name)
        order = np.argsort(power.effects)
        drawn = heights(plot, curves[number])
        # downwards: the axis of power is from 0 to 1
        span = (drawn[0] - drawn[1]) / (power.share[order][1] - power.share[order][0])
        other = heights(plot, curves[1 - number])
        second = result.curve("power", result.designs[1 - number]).share[order]
        assert other[1] - drawn[1] == pytest.approx(
            span * (power.share[order][1] - second[1]), abs=1e-9
        )
        assert np.all(np.diff(curves[number].get_xdata()) > 0)


@pytest.mark.slow
def test_bands_hold_their_curves_and_the_level_is_dotted():
    plot = plots.power_curves(made())
    for band, curve in zip(plot.artists["bands"], plot.artists["curves"], strict=True):
        low, high = band.get_xy()[:, 1].min(), band.get_xy()[:, 1].max()
        assert low - 1e-9 <= min(curve.get_ydata())
        assert high + 1e-9 >= max(curve.get_ydata())
    (level,) = plot.artists["levels"]  # at the right only
    assert level.get_linestyle() not in ("-", "solid")
    assert min(level.get_xdata()) > max(plot.artists["curves"][0].get_xdata())
    assert "level of the tests: 0.05" in [text.get_text() for text in plot.ax.texts]


@pytest.mark.slow
def test_designs_are_told_apart_without_colour():
    plot = plots.power_curves(made(tuple(f"design {i}" for i in range(6))))
    marks = plot.artists["marks"][:6]
    looks = {(mark.get_marker(), mark.get_markerfacecolor() == "white") for mark in marks}
    dashes = {str(curve._dash_pattern) for curve in plot.artists["curves"][:6]}
    assert len(looks) == len(dashes) == 6
    names = [text.get_text().replace("\n", " ") for text in plot.artists["labels"]]
    assert names == [f"design {i}" for i in range(6)] * 2


@pytest.mark.parametrize("error", ["wrong", "type1", "family"])
@pytest.mark.parametrize("names", [("A",), tuple(f"design {i}" for i in range(9)), tuple(HOSTILE)])
def test_it_can_be_read(check_legible, names, error):
    plot = plots.power_curves(made(names), error=error)
    check_legible(plot)
    texts = {text.get_text().replace("\n", "") for text in plot.artists["labels"]}
    assert {name.replace(" ", "") for name in texts} >= {n.replace(" ", "") for n in names}
    assert not any(text.get_parse_math() for text in plot.ax.texts)
    assert all(name in plot.alt for name in names)


def test_a_single_effect_and_a_null_alone(check_legible):
    check_legible(plots.power_curves(made(effects=(0.1,))))
    plot = plots.power_curves(made(effects=(0.0,)))  # without power
    check_legible(plot)
    assert len(plot.artists["titles"]) == 1
    with pytest.raises(ValueError, match="`error` must be"):
        plots.power_curves(made(), error="beta")
    only = made(effects=(0.1,))
    assert len(plots.power_curves(only, error="type1").artists["titles"]) == 1


@pytest.mark.slow
def test_the_same_bytes_and_given_axes(check_legible):
    one, two = (plots.power_curves(made())._repr_mimebundle_()[0] for _ in range(2))
    assert one == two
    ax = Figure(figsize=(4, 3)).add_subplot()
    plot = plots.power_curves(made(), ax=ax)
    assert plot.ax is ax
    check_legible(plot)


def test_other_results_are_refused():
    with pytest.raises(TypeError, match=r"takes a result, of class PowerStudy; got Comparison"):
        plots.power_curves(nbc.compare(nbc.datasets.load("demsar2006")))


def test_the_text_says_over_which_effects_each_mean_is():
    result = made()
    power, wrong = plots.power_curves(result).alt.split(". ")[-2:]
    assert "means over the 2 effects from 0.05 to 0.1" in power
    assert "means over the 3 effects from 0 to 0.1" in wrong
    for text, share in ((power, "power"), (wrong, "wrong")):
        for name in result.designs:
            assert f"{name} {result.mean(share, name):.3f}" in text
    single = plots.power_curves(made(effects=(0.05,))).alt
    assert single.count("for the effect 0.05: ") == 2
