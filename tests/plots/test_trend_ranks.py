"""The ranks of one pair: rows, their order, their shares, and the mean above."""

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare._render import format_p
from nbcompare.plots import trend_ranks


def lengths(bars):
    """Signed, to the right positive."""
    return [bar.get_width() for bar in bars]


def parts_of_l(ranks):
    c = ranks.shape[1]
    return [
        float(sum((j + 1) * r for j, r in enumerate(row))) - c * (c + 1) ** 2 / 4 for row in ranks
    ]


@pytest.mark.parametrize("version", ["basic", "alternative"])
def test_rows_against_the_ranks(simulated, convergence, version):
    result = convergence(simulated(20, 3))
    plot = trend_ranks(result, "A2", "A1", version=version)
    ranks = result.ranks_of("A2", "A1", version)
    names = [text.get_text() for text in plot.artists["rows"]]
    rows = [result.design.datasets.index(name) for name in names]
    assert sorted(rows) == list(range(20))
    (cells,) = plot.artists["cells"]
    drawn = np.asarray(cells.get_array()).reshape(ranks.shape)
    assert drawn.tolist() == ranks[rows].tolist()
    assert (cells.norm.vmin, cells.norm.vmax) == (1, ranks.shape[1])
    parts = parts_of_l(ranks[rows])
    assert parts == sorted(parts, reverse=True)
    c = ranks.shape[1]
    most = c * (c**2 - 1) / 12  # of a row whose ranks all rise
    drawn = lengths(plot.artists["bars"])
    assert drawn == pytest.approx([part / most for part in parts])
    assert min(drawn) < 0 < max(drawn)
    for bar, length in zip(plot.artists["bars"], drawn, strict=True):
        assert (bar.get_facecolor()[0] < 0.5) == (length > 0)


def test_mean_ranks_stand_around_the_line_of_no_trend(simulated, convergence):
    result = convergence(simulated(20, 3))
    plot = trend_ranks(result, "A2", "A1")
    (line,) = plot.artists["mean"]
    level, text = plot.artists["level"]
    assert text.get_text() == "no trend"
    mean = result.ranks_of("A2", "A1", "alternative").mean(axis=0)
    assert line.get_xdata().tolist() == list(range(1, 9))
    assert line.get_ydata().tolist() == mean.tolist()
    assert list(level.get_ydata()) == [4.5, 4.5]
    assert line.axes.get_ylim() == (1, 8)
    assert [tick.get_text() for tick in line.axes.get_yticklabels()] == ["1", "4.5", "8"]


def test_the_pair_swapped_mirrors_the_bars(simulated, convergence):
    result = convergence(simulated(15, 3), versions=("basic",))
    one, other = (
        lengths(trend_ranks(result, *p).artists["bars"]) for p in (("A1", "A3"), ("A3", "A1"))
    )
    assert one == pytest.approx([-length for length in other[::-1]])


def test_equal_rows_stay_in_the_order_of_the_data(convergence, check_legible):
    result = convergence(
        nbc.Experiment.from_array(np.tile([1.0, 2.0], (6, 1)), direction="minimize")
    )
    tied = result.ranks_of("A1", "A2") * 0 + 4.5
    result.tests["alternative"].ranks.flags.writeable = True
    result.tests["alternative"].ranks[0, 1] = tied
    plot = trend_ranks(result, "A1", "A2")
    check_legible(plot)
    assert [text.get_text() for text in plot.artists["rows"]] == list("123456")
    assert lengths(plot.artists["bars"]) == [0.0] * 6
    assert "rise on 0 problems and fall on 0" in plot.alt


@pytest.mark.parametrize(("n", "c"), [(2, 3), (60, 14), (300, 60)])
def test_every_size_is_legible(simulated, convergence, check_legible, n, c):
    plot = trend_ranks(convergence(simulated(n, 2), c=c), "A1", "A2")
    check_legible(plot)
    assert len(plot.artists["bars"]) == n
    caption = plot.artists["caption"][0].get_text()
    named = len(plot.artists["rows"])
    assert (named < n) == (n > 50)
    assert caption.endswith(f"{named} of {n} problems are named") == (named < n)


def test_problems_with_long_names(convergence, check_legible):
    names = [f"Problem {i:02d} with a name that goes on for sixty characters, x" for i in range(40)]
    experiment = nbc.Experiment.from_array(
        np.random.default_rng(1).random((40, 2)), direction="minimize", datasets=names
    )
    plot = trend_ranks(convergence(experiment), "A1", "A2")
    check_legible(plot)
    assert {text.get_text().replace("\n", " ") for text in plot.artists["rows"]} <= set(names)


def test_many_cells_are_a_picture(simulated, convergence):
    few, many = (
        trend_ranks(convergence(simulated(n, 2), c=20), "A1", "A2").artists["cells"][0]
        for n in (100, 300)
    )
    assert not few.get_rasterized()
    assert many.get_rasterized()


def test_what_was_asked_for_must_be_there(simulated, convergence):
    result = convergence(simulated(5, 3), versions=("basic",))
    with pytest.raises(ValueError, match="`slower` must be one of 'A1', 'A2' and 'A3'; got 'DE'"):
        trend_ranks(result, "A1", "DE")
    with pytest.raises(
        ValueError, match="`slower` must not be the same algorithm as `faster`; got 'A1'"
    ):
        trend_ranks(result, "A1", "A1")
    with pytest.raises(ValueError, match="`version` must be one of 'basic'; got 'alternative'"):
        trend_ranks(result, "A1", "A2", version="alternative")


def test_words(simulated, convergence):
    result = convergence(simulated(30, 3, spread=3))
    plot = trend_ranks(result, "A1", "A3")
    p = result.pvalues("alternative")[0, 2]
    statistic = result.tests["alternative"].statistic[0, 2]
    found = f"L = {statistic:g}, p = {format_p(p)}, significant"
    assert plot.artists["caption"][0].get_text() == (
        f"Does the gap grow in favour of A1 over A3?\n{found} (alternative ranks)\nexchange null, "
        "unadjusted, α = 0.1, 30 problems, 8 cut-points"
    )
    parts = parts_of_l(result.ranks_of("A1", "A3"))
    rising, falling = sum(part > 0 for part in parts), sum(part < 0 for part in parts)
    assert found in plot.alt
    assert f"The ranks rise on {rising} problems and fall on {falling};" in plot.alt
