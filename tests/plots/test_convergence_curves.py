"""Convergence curves: medians and bands where they belong, on axes that fit."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import nbcompare as nbc
from nbcompare.plots import convergence_curves
from nbcompare.plots._curves import style_of

NOTHING = np.nan


def made(values, **options):
    options = {"direction": "minimize"} | options
    return nbc.Histories.from_array(values, **options)


def decay(*, k=3, runs=9, points=20, decades=6, seed=1, n=1):
    """Errors that fall by decades from 100, each run at its own pace."""
    rng = np.random.default_rng(seed)
    pace = rng.uniform(0.3, 1, size=(n, k, runs, 1)) * decades
    return 100 * 10 ** (-pace * np.arange(points) / points)


def legend_of(plot):
    return [text.get_text() for text in plot.artists["legend"][0].get_texts()]


@pytest.mark.parametrize("log", [True, False])
def test_medians_and_bands_against_the_runs(log):
    values = decay(decades=6 if log else 1)
    histories = made(values, optimum=0, evaluations=10 * np.arange(1, 21))
    plot = convergence_curves(histories, "1", quantiles=(0.1, 0.8))
    assert plot.ax.get_yscale() == ("log" if log else "linear")
    drawn = zip(values[0], plot.artists["curves"], plot.artists["bands"], strict=True)
    for runs, line, band in drawn:
        assert line.get_ydata() == pytest.approx(np.median(runs, axis=0))
        assert line.get_xdata().tolist() == list(range(10, 201, 10))
        x, y = band.get_paths()[0].vertices.T
        for at, low, high in zip(
            line.get_xdata(), *np.quantile(runs, (0.1, 0.8), axis=0), strict=True
        ):
            assert y[x == at].min() == pytest.approx(low)
            assert y[x == at].max() == pytest.approx(high)


def test_an_error_of_0_has_a_place_and_a_mark(check_legible):
    values = decay(k=3, decades=8)
    values[0, 1, :5, 12:] = 0  # 5 of 9 runs: the median is 0 from the 13th point on
    values[0, 2, :3, 15:] = 0  # only the band reaches 0
    plot = convergence_curves(made(values, optimum=0), "1")
    check_legible(plot)
    assert plot.ax.get_yscale() == "symlog"
    first, second, third = (line.get_ydata() for line in plot.artists["curves"])
    assert (second[12:] == 0).all()
    assert min(first.min(), second[:12].min(), third.min()) > 0
    (end,) = plot.artists["ends"]
    assert end.get_xydata().tolist() == [[plot.artists["curves"][1].get_xdata()[12], 0]]
    lowest = [band.get_paths()[0].vertices[:, 1].min() for band in plot.artists["bands"]]
    assert [low == 0 for low in lowest] == [False, True, True]
    assert legend_of(plot) == ["reaches an error of 0"]
    plot.figure.draw_without_rendering()
    low = plot.ax.get_ylim()[0]
    ticks = [text.get_text() for text in plot.ax.get_yticklabels() if text.get_position()[1] >= low]
    assert ticks[0] == "0"


def test_at_0_who_came_first_is_the_lowest():
    values = decay(k=3, runs=1, decades=9)
    for algorithm, point in enumerate((14, 8, 17)):
        values[0, algorithm, 0, point:] = 0
    plot = convergence_curves(made(values, optimum=0), "1")
    plot.figure.draw_without_rendering()
    labels = sorted(plot.artists["labels"], key=lambda text: text.get_window_extent().y0)
    assert [text.get_text() for text in labels] == ["A2", "A1", "A3"]


@pytest.mark.parametrize(
    ("values", "optimum", "scale"),
    [
        ([[[[1000.0, 1.0]]]], None, "log"),
        ([[[[1000.0, 11.0]]]], None, "linear"),  # less than two decades
        ([[[[1000.0, 0.0]]]], None, "linear"),  # a value of 0 is not the end
        ([[[[1000.0, 10.0, 0.0]]]], 0, "linear"),
        ([[[[1000.0, 1.0, 0.0]]]], 0, "symlog"),
        ([[[[-1.0, -1000.0]]]], -1001, "log"),  # the error counts: 1000 and 1
        ([[[[0.0, 0.0]]]], 0, "linear"),
        ([[[[1e308, -1.5e308], [1.5e308, 1.0]]]], None, "linear"),
    ],
)
def test_which_axis_is_logarithmic(check_legible, values, optimum, scale):
    plot = convergence_curves(made(values, optimum=optimum), "1")
    check_legible(plot)
    assert plot.ax.get_yscale() == scale


def test_direction():
    values = -np.log(decay(k=2, decades=2))
    up = convergence_curves(made(values, direction="maximize", measure="gain"), "1")
    down = convergence_curves(made(-values, measure="gain"), "1")
    assert up.ax.get_ylabel() == "gain, higher is better"
    assert down.ax.get_ylabel() == "gain, lower is better"
    assert "A1 on 1: median " in up.alt
    known = made(values, direction="maximize", optimum=10, measure="gain")
    assert "error of gain, lower is better" in convergence_curves(known, "1").alt


def test_evaluations_and_cutpoints():
    even = made(decay(points=20), evaluations=np.arange(1, 21) * 500)
    early = made(decay(points=20), evaluations=np.unique(np.geomspace(1, 1e6, 20).round()))
    assert convergence_curves(even, "1").ax.get_xscale() == "linear"
    assert convergence_curves(early, "1").ax.get_xscale() == "log"
    plot = convergence_curves(even, "1", cutpoints=5)
    lines = [line.get_xdata()[0] for line in plot.artists["cutpoints"]]
    assert lines == pytest.approx([2000, 4000, 6000, 8000, 10_000])
    assert convergence_curves(even, "1").artists["cutpoints"] == ()


def test_one_run_and_no_quantiles_have_no_band():
    assert convergence_curves(made(decay(runs=1)), "1").artists["bands"] == ()
    plot = convergence_curves(made(decay()), "1", quantiles=None)
    assert plot.artists["bands"] == ()
    assert "band" not in plot.alt


def test_fewer_runs_are_not_drawn_as_numbers():
    values = decay(k=2, runs=5)
    values[0, 1, 2:] = NOTHING
    plot = convergence_curves(made(values), "1")
    drawn = plot.artists["curves"][1].get_ydata()
    assert drawn == pytest.approx(np.median(values[0, 1, :2], axis=0))
    assert "median of 2 to 5 runs" in plot.alt


@pytest.mark.slow
def test_several_problems(check_legible):
    values = decay(n=5, k=3)
    values[1, 2] = NOTHING
    histories = made(values, problems=["sphere", "Ackley", "Griewank", "Schwefel", "zakharov"])
    plot = convergence_curves(histories, ["zakharov", "Ackley"], algorithms=["A3", "A1"])
    check_legible(plot)
    assert [text.get_text() for text in plot.artists["titles"]] == ["zakharov", "Ackley"]
    assert len(plot.artists["curves"]) == 3  # A3 has no run on Ackley
    assert legend_of(plot) == ["A3", "A1"]
    every = convergence_curves(histories, histories.problems, cutpoints=4)
    check_legible(every)
    check_legible(every.narrower(3.5))
    assert len(every.artists["curves"]) == 14
    assert every.alt.count(": median ") == 14


def test_curves_are_distinguished_without_colour_and_of_many_the_best_are_named():
    styles = [style_of(number) for number in range(42)]
    marks = {(it["marker"], it["markerfacecolor"] == "white") for it in styles[:12]}
    assert len(marks) == 12
    assert len({(it["color"], str(it["linestyle"])) for it in styles}) == 42
    values = decay(k=14)
    plot = convergence_curves(made(values), "1")
    final = np.median(values[0, :, :, -1], axis=1)
    best = {f"A{i + 1}" for i in np.argsort(final)[:6]}
    assert {text.get_text() for text in plot.artists["labels"]} == best
    colors = [to_hex(line.get_color()) for line in plot.artists["curves"]]
    assert colors.count("#bfbfbf") == 8
    assert "in colour: the 6 best final medians" in plot.artists["caption"][0].get_text()
    assert legend_of(plot) == ["8 other algorithms"]


def test_errors():
    values = decay(n=2, k=2)
    values[1, 1] = NOTHING
    histories = made(values)
    with pytest.raises(TypeError, match="`histories` must be a Histories; got ndarray"):
        convergence_curves(values, "1")
    with pytest.raises(ValueError, match="`problem` must be one of '1' and '2'; got '3'"):
        convergence_curves(histories, "3")
    with pytest.raises(ValueError, match="`problem` must be one of '1' and '2'; got '3'"):
        convergence_curves(histories, ["1", "3"])
    with pytest.raises(TypeError, match="`algorithms` must be a list of names; got 'A1'"):
        convergence_curves(histories, "1", algorithms="A1")
    with pytest.raises(nbc.DataError, match=r"`problem` must be one on .* none of those .* on '2'"):
        convergence_curves(histories, "2", algorithms=["A2"])
    with pytest.raises(ValueError, match="`cutpoints` must be a whole number"):
        convergence_curves(histories, "1", cutpoints=0)
    for quantiles in ((0.7, 0.2), (0.5,), (-0.1, 0.5)):
        with pytest.raises(ValueError, match="`quantiles` must be two increasing numbers from 0"):
            convergence_curves(histories, "1", quantiles=quantiles)
