"""Bars of average ranks, and the line that cuts off what differs."""

import pytest

import nbcompare as nbc
from nbcompare.plots import rank_bars


def cuts(plot):
    return sorted(line.get_xdata()[0] for line in plot.artists["cut"])


def legend(plot):
    return [text.get_text() for text in plot.artists["legend"][0].get_texts()]


@pytest.mark.parametrize("ranking", ["friedman", "aligned", "quade"])
@pytest.mark.parametrize("n", [5, 500])
def test_bars_begin_at_zero_and_end_at_the_average_ranks(simulated, check_legible, ranking, n):
    comparison = nbc.compare(simulated(n, 6), ranking=ranking, adjust="nemenyi")
    plot = rank_bars(comparison)
    check_legible(plot)
    expected = [comparison.average_ranks[name] for name in comparison.ordered]
    assert [(bar.get_x(), bar.get_width()) for bar in plot.artists["bars"]] == [
        (0, rank) for rank in expected
    ]
    assert [text.get_text() for text in plot.artists["names"]] == list(comparison.ordered)
    assert cuts(plot) == pytest.approx([expected[0] + comparison.critical_difference])
    assert plot.ax.get_xlim()[1] > max(*expected, *cuts(plot))


@pytest.mark.parametrize("adjust", ["nemenyi", "bonferroni", "holm"])
def test_hatched_bars_are_not_shown_to_differ_from_the_best(simulated, adjust):
    comparison = nbc.compare(simulated(40, 8), pairs="ranks", adjust=adjust)
    best = comparison.ordered[0]
    tests = comparison.hypotheses
    differing = {
        ({first, second} - {best}).pop()
        for first, second, rejected in zip(tests.first, tests.second, tests.rejected, strict=True)
        if rejected and best in (first, second)
    }
    assert 0 < len(differing) < 7
    plot = rank_bars(comparison)
    bars = zip(comparison.ordered, plot.artists["bars"], strict=True)
    hatched = {name for name, bar in bars if bar.get_hatch()}
    assert hatched == set(comparison.ordered) - differing - {best}
    if adjust == "holm":
        assert plot.artists["cut"] == ()
    else:  # beyond the line, and only there, bars differ
        (cut,) = cuts(plot)
        assert {name for name, rank in comparison.average_ranks.items() if rank > cut} == differing


def test_demsar_control_has_a_line_at_either_side():
    ranks = nbc.datasets.load("demsar2006_ranks")
    comparison = nbc.compare(ranks, control="C4.5", adjust="bonferroni", formulas="printed")
    plot = rank_bars(comparison)
    # 3.143 and 1.16, Demšar (2006), p. 14: 2.394 * sqrt(4 * 5 / (6 * 14)) = 1.168
    assert cuts(plot) == pytest.approx([3.143 - 1.168, 3.143 + 1.168], abs=1e-3)
    assert legend(plot)[-1] == "Bonferroni–Dunn, α = 0.05: beyond 1.97 or 4.31"
    assert [bool(bar.get_hatch()) for bar in plot.artists["bars"]] == [False, True, True, False]
    assert plot.artists["names"][-1].get_text() == "C4.5 (control)"


def test_the_best_as_control_has_one_line(simulated):
    comparison = nbc.compare(simulated(30, 5), control="best", pairs="ranks", adjust="sidak")
    assert len(cuts(rank_bars(comparison))) == 1


def test_average_ranks_alone_are_enough():
    ranks = {"C4.5": 2.1, "1-NN": 3.25, "NB": 2.2, "Kernel": 4.3333, "CN2": 3.1167}
    for adjust, others in (("auto", 3), ("holm", 2)):
        alt = rank_bars(nbc.compare_ranks(ranks, 30, adjust=adjust)).alt
        assert f"C4.5: average rank 2.10; significantly different from {others} of 4." in alt
