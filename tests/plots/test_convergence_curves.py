"""Curves of convergence: medians and bands where they belong, on axes that fit."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.plots import convergence_curves
from nbcompare.plots._curves import Style, spread

NOTHING = np.nan


def made(values, **options):
    options = {"direction": "minimize"} | options
    return nbc.Histories.from_array(values, **options)


def decay(*, k=3, runs=9, points=20, decades=6, seed=1, n=1):
    """Errors that fall by decades from 100, each run at its own pace."""
    rng = np.random.default_rng(seed)
    pace = rng.uniform(0.3, 1, size=(n, k, runs, 1)) * decades
    return 100 * 10 ** (-pace * np.arange(points) / points)


def heights(plot, *, log):
    """Give what values stand at heights, from the labels of the upright axis."""
    texts = [t for t in plot.artists["axis"] if hasattr(t, "get_text") and t.get_ha() == "right"]
    ticks = {text.get_text(): text.get_position()[1] for text in texts}
    floor = ticks.pop("0", None) if log else None
    values = np.array([float(text.replace("−", "-")) for text in ticks])
    slope, start = np.polyfit(list(ticks.values()), np.log10(values) if log else values, 1)

    def value(y):
        found = start + slope * np.asarray(y)
        return np.where(y == floor, 0.0, 10**found) if log else found

    return value


@pytest.mark.parametrize("log", [True, False])
def test_medians_and_bands_against_the_runs(log):
    values = decay(decades=6 if log else 1)
    histories = made(values, optimum=0, evaluations=10 * np.arange(1, 21))
    plot = convergence_curves(histories, "1", quantiles=(0.1, 0.8))
    value = heights(plot, log=log)
    assert len(plot.artists["curves"]) == len(plot.artists["bands"]) == 3
    for runs, line, band in zip(
        values[0], plot.artists["curves"], plot.artists["bands"], strict=True
    ):
        drawn = value(line.get_ydata())
        assert drawn == pytest.approx(np.median(runs, axis=0), rel=1e-6)
        sides = np.split(value(band.get_xy()[:40, 1]), 2)
        assert sides[0] == pytest.approx(np.quantile(runs, 0.1, axis=0), rel=1e-6)
        assert sides[1][::-1] == pytest.approx(np.quantile(runs, 0.8, axis=0), rel=1e-6)
        x = line.get_xdata()
        assert np.diff(x) == pytest.approx(np.full(19, (x[-1] - x[0]) / 19))


@pytest.mark.slow
def test_an_error_of_0_stops_the_curve_on_the_floor(check_legible):
    values = decay(k=3, decades=8)
    values[0, 1, :5, 12:] = 0  # 5 of 9 runs: the median is 0 from the 13th point on
    values[0, 2, :3, 15:] = 0  # only the band reaches 0
    plot = convergence_curves(made(values, optimum=0), "1")
    check_legible(plot)
    value = heights(plot, log=True)
    assert [len(line.get_xdata()) for line in plot.artists["curves"]] == [20, 13, 20]
    first, second, third = (value(line.get_ydata()) for line in plot.artists["curves"])
    assert second[-1] == 0 < second[:-1].min()
    assert min(first.min(), third.min()) > 0
    (end,) = plot.artists["ends"]
    assert end.get_xydata()[0].tolist() == plot.artists["curves"][1].get_xydata()[-1].tolist()
    assert [(value(band.get_xy()[:, 1]) == 0).any() for band in plot.artists["bands"]] == [
        False,
        True,
        True,
    ]
    legend = [item.get_text() for item in plot.artists["legend"] if hasattr(item, "get_text")]
    assert legend == ["reaches an error of 0"]


def test_on_the_floor_who_came_first_is_the_lowest():
    values = decay(k=3, runs=1, decades=9)
    for algorithm, point in enumerate((14, 8, 17)):
        values[0, algorithm, 0, point:] = 0
    plot = convergence_curves(made(values, optimum=0), "1")
    labels = sorted(plot.artists["labels"], key=lambda text: -text.get_position()[1])
    assert [text.get_text() for text in labels] == ["A2", "A1", "A3"]


@pytest.mark.parametrize(
    ("values", "optimum", "log"),
    [
        ([[[[1000.0, 1.0]]]], None, True),
        ([[[[1000.0, 11.0]]]], None, False),  # less than two decades
        ([[[[1000.0, 0.0]]]], None, False),  # a value of 0 is not the end
        ([[[[1000.0, 10.0, 0.0]]]], 0, False),
        ([[[[1000.0, 1.0, 0.0]]]], 0, True),
        ([[[[-1.0, -1000.0]]]], -1001, True),  # the error counts: 1000 and 1
        ([[[[0.0, 0.0]]]], 0, False),
    ],
)
def test_which_axis_is_logarithmic(check_legible, values, optimum, log):
    plot = convergence_curves(made(values, optimum=optimum), "1")
    check_legible(plot)
    assert ("on a logarithmic axis" in plot.alt) == log


def test_direction():
    values = -np.log(decay(k=2, decades=2))
    up = convergence_curves(made(values, direction="maximize", measure="gain"), "1")
    down = convergence_curves(made(-values, measure="gain"), "1")
    assert "gain, higher is better" in up.alt
    assert "gain, lower is better" in down.alt
    rising = [line.get_ydata() for line in up.artists["curves"]]
    assert all((np.diff(y) < 0).all() for y in rising)  # y runs downwards
    ranks = [plot.alt.split("best first: ")[1] for plot in (up, down)]
    assert [word for word in ranks[0].split() if word[0] == "A"] == [
        word for word in ranks[1].split() if word[0] == "A"
    ]
    known = made(values, direction="maximize", optimum=10, measure="gain")
    assert "error of gain, lower is better" in convergence_curves(known, "1").alt


def test_evaluations_are_logarithmic_where_most_points_are_early():
    even = made(decay(points=20), evaluations=np.arange(1, 21) * 500)
    early = made(decay(points=20), evaluations=np.unique(np.geomspace(1, 1e6, 20).round()))
    for histories, log in ((even, False), (early, True)):
        line = convergence_curves(histories, "1").artists["curves"][0]
        steps = np.diff(line.get_xdata())
        assert steps == pytest.approx(np.full(19, steps.mean()), rel=0.2), log


def test_cutpoints_are_shares_of_the_budget():
    histories = made(decay(points=20), evaluations=np.arange(1, 21) * 500)
    plot = convergence_curves(histories, "1", cutpoints=5)
    lines = [line.get_xdata()[0] for line in plot.artists["cutpoints"]]
    points = plot.artists["curves"][0].get_xdata()
    assert lines == pytest.approx(points[3::4].tolist())
    assert convergence_curves(histories, "1").artists["cutpoints"] == ()


def test_one_run_and_no_quantiles_have_no_band():
    one = made(decay(runs=1))
    assert convergence_curves(one, "1").artists["bands"] == ()
    plot = convergence_curves(made(decay()), "1", quantiles=None)
    assert plot.artists["bands"] == ()
    assert "band" not in plot.alt


def test_fewer_runs_are_not_drawn_as_numbers():
    values = decay(k=2, runs=5)
    values[0, 1, 2:] = NOTHING
    plot = convergence_curves(made(values), "1")
    drawn = heights(plot, log=True)(plot.artists["curves"][1].get_ydata())
    assert drawn == pytest.approx(np.median(values[0, 1, :2], axis=0), rel=1e-6)
    assert "median of 2 to 5 runs" in plot.alt


def test_several_problems(check_legible):
    values = decay(n=5, k=3)
    values[1, 2] = NOTHING
    histories = made(values, problems=["sphere", "Ackley", "Griewank", "Schwefel", "zakharov"])
    plot = convergence_curves(histories, ["zakharov", "Ackley"], algorithms=["A3", "A1"])
    check_legible(plot)
    titles = [text.get_text() for text in plot.artists["problems"]]
    assert titles == ["zakharov", "Ackley"]
    # the numbers of the legend; A3 has no run on Ackley
    assert [text.get_text() for text in plot.artists["labels"]] == ["1", "2", "2"]
    assert len(plot.artists["curves"]) == 3
    legend = [item.get_text() for item in plot.artists["legend"] if hasattr(item, "get_text")]
    assert legend == ["1  A3", "2  A1"]
    every = convergence_curves(histories, histories.problems, cutpoints=4)
    check_legible(every)
    assert len(every.artists["curves"]) == 14
    assert every.alt.count("Final medians on ") == 5


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


def test_curves_are_told_apart_without_colour():
    styles = [Style.of(number) for number in range(42)]
    assert len({(style.shape, style.filled) for style in styles[:12]}) == 12
    assert len({(style.color, style.dashes) for style in styles}) == 42
    plot = convergence_curves(made(decay(k=12)), "1")
    seen = {
        (mark.get_marker(), mark.get_markerfacecolor() == "white") for mark in plot.artists["marks"]
    }
    assert len(seen) == 12


def test_huge_values_of_both_signs():
    values = [[[1e308, 1.0], [1.5e308, -1.5e308]]]
    plot = convergence_curves(made(np.transpose([values, values], (1, 2, 0, 3))), "1")
    assert np.isfinite([line.get_ydata() for line in plot.artists["curves"]]).all()


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 0.5)), min_size=1, max_size=10))
def test_labels_are_spread_no_more_than_they_must(pairs):
    wanted, sizes = zip(*pairs, strict=True)
    found = spread(wanted, sizes, (0.0, 5.0))
    order = sorted(range(len(found)), key=lambda i: found[i])
    assert [wanted[i] for i in order] == sorted(wanted)
    for one, other in itertools.pairwise(order):
        assert found[other] - found[one] >= (sizes[one] + sizes[other]) / 2 - 1e-6
    for middle, size in zip(found, sizes, strict=True):
        assert size / 2 - 1e-6 <= middle <= 5 - size / 2 + 1e-6
    apart = all(abs(a - b) >= 1 for i, a in enumerate(wanted) for b in wanted[i + 1 :]) and all(
        0.5 <= a <= 4.5 for a in wanted
    )
    if apart:
        assert found == pytest.approx(list(wanted))
