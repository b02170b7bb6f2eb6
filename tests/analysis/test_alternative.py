"""One-sided comparisons with a control: is it better, or worse, than each other algorithm?"""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import nbcompare as nbc
from nbcompare import Experiment, compare
from nbcompare.stats.rankings import rank

DEMSAR = nbc.datasets.load("demsar2006")
SIDES = {"better": "greater", "worse": "less"}  # of the control's advantage, in SciPy's words
sides = pytest.mark.parametrize("alternative", SIDES)


def experiment_of(scores, direction="minimize"):
    return Experiment.from_array(np.asarray(scores, dtype=float), direction=direction)


def by_pair(result):
    tests = result.hypotheses
    return dict(zip(tests.second, tests.pvalue, strict=True))


@pytest.mark.slow
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=n + 1, max_size=n + 1
        )
    ),
    st.sampled_from(["friedman", "aligned", "quade"]),
    st.sampled_from(list(SIDES)),
)
def test_ranks_by_all_orders(scores, ranking, alternative):
    """The share of all orders of the rank scores of each data set with so large a difference."""
    ranks = rank(np.array(scores, dtype=float), ranking).scores
    choices = [[one - other for one, other in itertools.permutations(row, 2)] for row in ranks]
    sums = np.array([sum(picks) for picks in itertools.product(*choices)])
    sign = 1 if alternative == "better" else -1
    gains = sign * (ranks.sum(axis=0)[1:] - ranks.sum(axis=0)[0])
    expected = [np.mean(sums >= gain - 1e-9) for gain in gains]
    found = by_pair(
        compare(
            experiment_of(scores), ranking=ranking, pairs="ranks", control="A1",
            alternative=alternative, method="exact", scale="one",
        )
    )  # fmt: skip
    assert [found["A2"], found["A3"]] == pytest.approx(expected, rel=1e-12)


@sides
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_wilcoxon_and_t_as_scipy(alternative, direction):
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(14, 4)) + np.array([0, 0.3, -0.5, 1])
    data = experiment_of(scores, direction)
    sign = 1 if direction == "maximize" else -1
    gains = sign * (scores[:, [1]] - scores[:, [0, 2, 3]])
    peers = {
        "wilcoxon": lambda d: stats.wilcoxon(d, alternative=SIDES[alternative], method="exact"),
        "t": lambda d: stats.ttest_1samp(d, 0, alternative=SIDES[alternative]),
    }
    for pairs, peer in peers.items():
        found = by_pair(compare(data, pairs=pairs, control="A2", alternative=alternative))
        expected = [peer(gain).pvalue for gain in gains.T]
        assert [found[name] for name in ("A1", "A3", "A4")] == pytest.approx(expected, rel=1e-9)


@sides
def test_normal_law(alternative):
    options = {"pairs": "ranks", "control": "C4.5", "formulas": "printed"}
    two, one = (
        compare(DEMSAR, **options, alternative=side).hypotheses
        for side in ("two-sided", alternative)
    )
    z = dict(zip(two.second, two.statistic, strict=True))
    sign = 1 if alternative == "better" else -1
    assert one.pvalue == pytest.approx([stats.norm.sf(sign * z[name]) for name in one.second])
    assert 10**one.log10_pvalue == pytest.approx(one.pvalue, rel=1e-12)
    assert one.adjusted["holm"].min() == pytest.approx(3 * one.pvalue.min()) or sign == 1


def test_missing_scores_and_tiny_p():
    scores = np.tile([0.0, 1.0, 2.0], (1000, 1)) + np.arange(1000)[:, np.newaxis]
    scores[0, 2] = np.nan
    data = experiment_of(scores)
    for pairs in ("ranks", "wilcoxon"):
        options = {"pairs": pairs, "control": "A1", "missing": "skillings-mack", "scale": "one"}
        two, one, other = (
            compare(data, **options, alternative=side) for side in ("two-sided", "better", "worse")
        )
        for row in range(2):
            half = two.hypotheses.log10_pvalue[row] - np.log10(2)
            assert one.hypotheses.log10_pvalue[row] == pytest.approx(half, rel=1e-9)
        assert (other.hypotheses.pvalue > 1 - 1e-12).all()
        assert one.check() == other.check() == ()


@sides
def test_two_algorithms_have_the_test_of_the_pair_alone(alternative):
    pair = DEMSAR.select(algorithms=["C4.5", "C4.5+m"])
    for pairs in ("auto", "ranks", "t"):
        result = compare(pair, control="C4.5", alternative=alternative, pairs=pairs)
        assert not result.omnibus
        found = result.findings[1]
        claim = f"C4.5 is {'significantly ' * (alternative == 'worse')}{alternative} than C4.5+m ("
        assert found.removeprefix("It is not shown that ").startswith(claim)
        assert ", one-sided, p = " in found
    same = nbc.compare_pair(pair, "C4.5", "C4.5+m", alternative=alternative)
    whole = compare(pair, control="C4.5", alternative=alternative)
    assert whole.hypotheses.pvalue[0] == pytest.approx(same.pvalue, rel=1e-12)


def test_the_reach_is_that_of_one_side():
    """On 6 data sets, 2 hypotheses: twice 2/2^6 is above 0.05, twice 1/2^6 is not."""
    scores = np.arange(18).reshape(6, 3) / 100 + np.arange(6)[:, np.newaxis] * 0.5
    data = experiment_of(scores)
    (few,) = (
        note
        for note in compare(data, control="A1", scale="one").notes
        if note.code == "never-significant"
    )
    assert few.text.endswith("At least 7 data sets are needed for that.")
    result = compare(data, control="A1", scale="one", alternative="better")
    assert result.hypotheses.rejected.all()
    assert result.hypotheses.pvalue.tolist() == [2**-6, 2**-6]
    several = compare(data, control="A1", scale="several", alternative="better")
    assert several.pairs == "exchange"
    assert several.hypotheses.pvalue.tolist() == [2**-6, 2**-6]
    none = compare(
        data, control="A1", scale="one", alternative="better", alpha=0.03, pairs="wilcoxon"
    )
    assert "the smallest possible p-value of the test of a pair is 0.015625, and 0.0312 after" in (
        next(note.text for note in none.notes if note.code == "never-significant")
    )
