"""What the programs of the SCI2S group print beside the tests, by published figures or counting."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, f

import nbcompare as nbc
from nbcompare import Experiment, compare, compare_ranks, compare_stochastic
from nbcompare.plots import rank_bars
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.signed_rank import signed_ranks

DEMSAR = nbc.datasets.load("demsar2006")
# García and Herrera (2008): 5 classifiers, 30 data sets
GARCIA = {"C4.5": 2.1, "1-NN": 3.25, "NaiveBayes": 2.2, "Kernel": 13 / 3, "CN2": 187 / 60}


def test_critical_values_of_garcia_and_herrera():
    tests = compare_ranks(GARCIA, 30).omnibus
    assert round(tests["friedman"].critical_value, 3) == 9.488
    assert round(tests["iman-davenport"].critical_value, 2) == 2.45
    text = str(compare_ranks(GARCIA, 30).section("omnibus"))
    assert re.search(r"statistic +critical value, α = 0.05 ", text)
    assert re.search(r"Friedman χ² +39.647 +9.488 +4 ", text)


@pytest.mark.parametrize("ranking", ["friedman", "aligned", "quade"])
@pytest.mark.parametrize("alpha", [0.05, 0.1])
def test_critical_values_as_scipy(ranking, alpha):
    options = {"ranking": ranking, "pairs": "t", "alpha": alpha, "method": "normal"}
    for test in compare(DEMSAR, **options).omnibus.values():
        law = chi2(*test.df) if len(test.df) == 1 else f(*test.df)
        assert test.critical_value == pytest.approx(law.isf(alpha), rel=1e-10)
        assert (test.statistic >= test.critical_value) == (test.pvalue <= alpha)


def test_there_is_no_critical_value_where_another_p_decides():
    exact = compare(DEMSAR, method="exact")
    assert {test.critical_value for test in exact.omnibus.values()} == {None}
    assert "critical value" not in str(exact.section("omnibus"))
    # perfect agreement on two data sets: F is infinite, and p is 1/6
    perfect = Experiment.from_array(np.tile([1.0, 2, 3], (2, 1)), direction="minimize")
    tests = compare(perfect, method="normal").omnibus
    assert tests["iman-davenport"].critical_value is None
    assert re.search(r"F +∞ +– ", str(compare(perfect, method="normal").section("omnibus")))


def test_bars_with_the_critical_differences_of_two_levels():
    """García et al. (2009), 5 algorithms, 14 data sets: 1.493 and 1.34, with any ranks."""
    ranks = {"XCS": 1.79, "GASSIST": 1.96, "HIDER": 3.0, "CN2": 3.61, "Pitts": 4.64}
    at_5, at_10 = (
        compare_ranks(ranks, 14, control="XCS", adjust="bonferroni", alpha=alpha)
        for alpha in (0.05, 0.10)
    )
    assert round(at_5.critical_difference, 3) == 1.493
    assert round(at_10.critical_difference, 2) == 1.34
    plot = rank_bars(at_5, beside=at_10)
    labels = [text.get_text() for text in plot.artists["legend"][0].get_texts()]
    assert labels[-2:] == [
        "Bonferroni–Dunn, α = 0.05: beyond 3.28",
        "Bonferroni–Dunn, α = 0.1: beyond 3.13",
    ]
    found = [line.get_xdata()[0] - 1.79 for line in plot.artists["cut"]]
    assert found == pytest.approx([at_5.critical_difference, at_10.critical_difference])
    assert "α = 0.05: beyond 3.28; Bonferroni–Dunn, α = 0.1: beyond 3.13" in plot.alt
    # beside a control that is not the best, there are two lines at either side
    pair = (
        compare_ranks(ranks, 14, control="CN2", adjust="bonferroni", alpha=a) for a in (0.05, 0.1)
    )
    sides = rank_bars(next(pair), beside=next(pair))
    assert "beyond 2.12 or 5.10" in sides.alt
    assert "beyond 2.27 or 4.95" in sides.alt
    for other in (
        compare_ranks(ranks, 14, control="XCS", adjust="holm", alpha=0.1),
        compare_ranks(ranks, 14, control="CN2", adjust="bonferroni", alpha=0.1),
        compare_ranks(ranks, 15, control="XCS", adjust="bonferroni", alpha=0.1),
    ):
        message = "`beside` must be the same comparison at another `alpha`, with a critical "
        with pytest.raises(ValueError, match=f"^{re.escape(message)}difference; got <Comparison"):
            rank_bars(at_5, beside=other)


def test_rank_sums_of_demsar():
    """Table 2: R+ = 93 and R- = 12 for C4.5+m against C4.5."""
    result = compare(DEMSAR)
    plus, minus = result.rank_sums
    row = list(zip(result.hypotheses.first, result.hypotheses.second, strict=True)).index(
        ("C4.5+m", "C4.5")
    )
    assert (plus[row], minus[row]) == (93, 12)
    assert re.search(r"C4.5\+m – C4.5 +93 +12 +0.0078", str(result.section("rank-sums")))
    assert "R+" not in str(result)
    by_ranks = compare(DEMSAR, pairs="ranks")
    assert by_ranks.rank_sums is None
    message = "There is no section 'rank-sums': Wilcoxon's test has them."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        by_ranks.section("rank-sums")


@settings(max_examples=20)
@given(
    st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=12),
)
def test_rank_sums_are_those_of_the_tests(rows):
    scores = np.array(rows) / 10
    data = Experiment.from_array(scores, direction="minimize")
    result = compare(data, pairs="wilcoxon", scale="one")
    tests = signed_ranks(scores, *all_pairs(3))
    sums = zip(tests.r_plus, tests.r_minus, strict=True)
    expected = dict(zip([(1, 2), (1, 3), (2, 3)], sums, strict=True))
    expected |= {pair[::-1]: found[::-1] for pair, found in expected.items()}
    names = zip(result.hypotheses.first, result.hypotheses.second, strict=True)
    for name, found in zip(names, zip(*result.rank_sums, strict=True), strict=True):
        assert found == expected[tuple(int(one[1]) for one in name)]


def test_number_of_exhaustive_sets():
    """García and Herrera (2008) obtain 51 for five algorithms."""
    assert ("exhaustive sets", "51") in compare_ranks(GARCIA, 30)._method()
    many = compare_ranks({f"A{i}": i + 1.0 for i in range(20)}, 30, adjust="bergmann-hommel")
    assert ("exhaustive sets", "5.17e+13") in many._method()  # Bell's number of 20
    assert "exhaustive" not in str(compare_ranks(GARCIA, 30, adjust="holm").section("method"))


def test_combined_p_of_unadjusted_comparisons_with_a_control():
    result = compare(DEMSAR, control="C4.5", adjust=None)
    product = Fraction(1)
    for p in result.hypotheses.pvalue.tolist():
        product *= 1 - Fraction(p)
    assert result.combined_p == pytest.approx(float(1 - product), rel=1e-12)
    assert "p = 0.8804: 1 − ∏(1 − p), as if they were independent" in str(result.section("method"))
    for other in (
        compare(DEMSAR, control="C4.5"),
        compare(DEMSAR, adjust=None),
        compare(DEMSAR, control="C4.5", adjust=None, pairs="ranks"),
    ):
        assert other.combined_p is None
        assert "∏" not in str(other.section("method"))


def test_combined_p_is_accurate_near_0_and_1():
    tiny = Experiment.from_array(np.tile([0.0, 1, 2], (200, 1)), direction="minimize")
    result = compare(tiny, control="A1", adjust=None, pairs="wilcoxon")
    assert result.combined_p == pytest.approx(2 * 2.0**-199, rel=1e-12)
    tied = Experiment.from_array(np.array([[0.0, 0, 1]] * 9), direction="minimize")
    assert compare(tied, control="A1", adjust=None, pairs="wilcoxon").combined_p == 1


@pytest.mark.parametrize("encoding", ["interquartile-mean", "mode"])
@pytest.mark.parametrize("procedure", ["bootstrap-a", "bootstrap-b", "interval"])
def test_points_of_runs(encoding, procedure):
    """As the comparison of these points, one for each cell, counted by hand."""
    points = {
        "interquartile-mean": lambda runs: np.sort(runs)[2:6].mean(),
        # 8 runs, then 4, then 2
        "mode": lambda runs: np.mean(densest(densest(np.sort(runs)))),
    }
    scores = np.random.default_rng(2).gamma(1.0, size=(9, 3, 1, 8))
    cells = np.apply_along_axis(points[encoding], 3, scores)
    runs, single = (Experiment.from_array(part, direction="minimize") for part in (scores, cells))
    options = {"procedure": procedure, "scale": "one"}
    found = compare_stochastic(runs, encoding=encoding, **options)
    expected = compare_stochastic(single, encoding="mean", **options)
    assert found.hypotheses.p_low == pytest.approx(expected.hypotheses.p_low, rel=1e-9)
    assert found.hypotheses.p_high == pytest.approx(expected.hypotheses.p_high, rel=1e-9)
    label = "the mean of their middle half" if encoding[0] == "i" else "their half-sample mode"
    assert f"were represented by {label}" in " ".join(found.sentences)
    assert any(label in note.text for note in found.notes if note.code == "averaged")
    assert found.check() == ()


def densest(ordered):
    half = len(ordered) // 2
    return min(
        (ordered[start : start + half] for start in range(len(ordered) - half + 1)), key=np.ptp
    )


def test_critical_l_by_all_orders():
    """3 problems with 4 cut-points: the smallest L that at most one order in 20 reaches."""
    weights = np.arange(1, 5)
    one = [np.dot(weights, order) for order in itertools.permutations(weights)]
    sums = np.add.outer(np.add.outer(one, one), one).reshape(-1)
    least = min(value for value in np.unique(sums) if np.mean(sums >= value) <= 0.05)
    rng = np.random.default_rng(1)
    values = np.minimum.accumulate(rng.random((3, 2, 1, 8)) + 0.1, axis=3)
    histories = nbc.Histories.from_array(values, direction="minimize")
    result = nbc.compare_convergence(histories, cutpoints=4, alpha=0.05)
    assert result.critical_l == least == 84
    assert "84; of a single test of Page without ties, α = 0.05" in str(result.section("method"))
    none = nbc.compare_convergence(histories, cutpoints=4, alpha=1e-6)
    assert none.critical_l is None
    assert "no L is large enough" in str(none.section("method"))
