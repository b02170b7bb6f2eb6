"""The figure of power and type I error: its numbers, its words, and that it can be read."""

import functools

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import nbcompare as nbc
from nbcompare import plots, study

MODEL = study.BinomialErrors(n_datasets=10, n_folds=2, n_runs=2)
HOSTILE = ["<script>alert(1)</script>", r"C4.5_m & 100% $x^2$ \input{x}", "W" * 60]


@functools.cache
def made(names=("ANOVA + t", "Friedman"), effects=(0.1, 0.0, 0.05)):
    how = [(pairs, adjust) for adjust in (None, "holm") for pairs in ("t", "wilcoxon", "ranks")]
    designs = [
        study.CompareDesign(pairs=how[i % 6][0], adjust=how[i % 6][1], label=name)
        for i, name in enumerate(names)
    ]
    return study.run(MODEL, designs, effects=effects, repetitions=6)


def legend_of(plot):
    return [text.get_text().replace("\n", " ") for text in plot.artists["legend"][0].get_texts()]


def test_curves_and_bands_are_those_of_the_result():
    result = made()
    plot = plots.power_curves(result)
    drawn = iter(zip(plot.artists["curves"], plot.artists["bands"], strict=True))
    for what, n in (("power", 2), ("wrong", 3)):  # no power at 0
        for name in result.designs:
            effects, *shares = result.curve(what, name)
            share, lower, upper = (part[np.argsort(effects)] for part in shares)
            curve, band = next(drawn)
            assert curve.get_xdata().tolist() == sorted(effects.tolist())
            assert len(effects) == n
            assert curve.get_ydata().tolist() == share.tolist()
            x, y = band.get_paths()[0].vertices.T
            for at, low, high in zip(sorted(effects), lower, upper, strict=True):
                assert {low, high} <= set(y[x == at])
    (level,) = plot.artists["levels"]  # at the right only
    assert level.axes is plot.artists["curves"][-1].axes is not plot.ax
    assert set(level.get_ydata()) == {0.05}
    assert legend_of(plot) == [*result.designs, "level of the tests: 0.05"]


@pytest.mark.slow
@pytest.mark.parametrize("error", ["wrong", "type1", "family"])
@pytest.mark.parametrize("names", [("A",), tuple(f"design {i}" for i in range(14)), tuple(HOSTILE)])
def test_it_can_be_read(check_legible, names, error):
    plot = plots.power_curves(made(names), error=error)
    for one in (plot, plot.narrower(3.5)):
        check_legible(one)
        coloured = [line for line in one.artists["curves"] if to_hex(line.get_color()) != "#bfbfbf"]
        looks = {
            (line.get_marker(), line.get_markerfacecolor(), str(line._dash_pattern))
            for line in coloured
        }
        assert len(looks) == min(len(names), 6) if len(names) > 12 else len(names)
    if len(names) > 12:
        assert "in colour: the 6 largest mean powers" in plot.artists["caption"][0].get_text()
        assert "8 other designs" in legend_of(plot)
    else:
        found = ["".join(text.split()) for text in legend_of(plot)]
        assert found[: len(names)] == ["".join(name.split()) for name in names]
    assert all(name in plot.alt for name in names)


def test_a_single_effect_and_a_null_alone(check_legible):
    check_legible(plots.power_curves(made(effects=(0.1,))))
    plot = plots.power_curves(made(effects=(0.0,)))  # without power
    check_legible(plot)
    assert len(plot.artists["titles"]) == 1
    assert [text.get_text() for text in plot.artists["labels"]] == ["ANOVA + t", "Friedman"]
    with pytest.raises(ValueError, match="`error` must be"):
        plots.power_curves(made(), error="beta")


def test_given_axes_are_two():
    page = Figure(figsize=(7, 3))
    assert plots.power_curves(made(), ax=page.subplots(1, 2)).ax is page.axes[0]
    with pytest.raises(ValueError, match="`ax` must be 2 axes, one for each panel"):
        plots.power_curves(made(), ax=page.axes[0])


def test_other_results_are_refused():
    with pytest.raises(TypeError, match=r"takes a result, of class PowerStudy; got Comparison"):
        plots.power_curves(nbc.compare(nbc.datasets.load("demsar2006")))
