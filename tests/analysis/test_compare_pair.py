import numpy as np
import pytest
from scipy import stats

from nbcompare import compare_pair, datasets

BUNDLED = ["demsar2006", "demsar2006_ranks", "otero2013_auc", "otero2013_simulated"]


def close(value):
    return pytest.approx(value, rel=1e-9, abs=0)


def codes(result):
    return [note.code for note in result.notes]


@pytest.mark.parametrize("name", BUNDLED)
def test_published_tables(name, reference):
    data = datasets.load(name)
    for row in reference("pairs")["tables"][name]:
        for rule, zeros in (("wilcox", "wilcox"), ("split", "demsar")):
            n, plus, minus, exact_p, normal_p = row[rule]
            for method, p in (("exact", exact_p), ("normal", normal_p)):
                result = compare_pair(data, *row["pair"], zeros=zeros, method=method)
                assert (result.n_used, result.r_plus, result.r_minus) == (n, plus, minus)
                assert result.pvalue == close(p)
                assert 10**result.log10_pvalue == close(p)
                assert result.method == method
        won, n, p = row["sign"]
        result = compare_pair(data, *row["pair"], test="sign", zeros="demsar")
        assert ((n + result.statistic) / 2, result.n_used) == (won, n)
        assert result.pvalue == close(p)
        result = compare_pair(data, *row["pair"], test="sign")
        assert result.n_used == result.wins + result.losses
        untied = stats.binomtest(result.wins, result.n_used)
        assert result.pvalue == close(untied.pvalue)


def test_fields_of_every_test(experiment):
    scores = np.array([[0.5, 0.9], [0.4, 0.5], [0.7, 0.9], [0.3, 0.3], [0.8, 0.5], [0.1, 0.6]])
    data = experiment(scores)
    # low is better, so differences are the second less the first
    expected = {  # statistic, effect size, shift, n, by hand
        "wilcoxon": (9, 1 - 2 * 3 / 15, 0.15, 5, "exact"),
        "sign": (3, 3 / 6, 0.15, 5, "exact"),
        "rank-sum": (36 - 11.5, 1 - 2 * 11.5 / 36, 0.15, 6, "exact"),
        "t": (0.15 * np.sqrt(6 / 0.083), 0.15 / np.sqrt(0.083), 0.15, 6, "t"),
    }
    for test, (statistic, effect, shift, n, method) in expected.items():
        result = compare_pair(data, "A1", "A2", test=test)
        assert result.statistic == pytest.approx(statistic, rel=1e-4)
        assert result.effect_size == pytest.approx(effect, rel=1e-4)
        assert result.shift == pytest.approx(shift)
        assert (result.n_used, result.method) == (n, method)
        assert (result.wins, result.ties, result.losses) == (4, 1, 1)
        assert result.median_difference == pytest.approx(0.15)
        assert (result.confidence, result.alpha) == (0.95, 0.05)
        assert (result.r_plus is None) == (test != "wilcoxon")
        assert result.zeros == {"wilcoxon": "demsar", "sign": "wilcox"}.get(test)
        assert result.rejected == (result.pvalue <= 0.05)
        assert result.scores.tolist() == scores.tolist()


# ------------------------------------------------------------------------------------ notes


# ----------------------------------------------------------------------------------- design


def on_scales(n=12, better=10):
    """Scores of which the first is better on so many data sets, each in a unit of its own."""
    gains = np.where(np.arange(n) < better, 1, -3) * (1 + np.arange(n) / 7)
    units = 10.0 ** (np.arange(n) % 6)
    return np.column_stack([np.zeros(n), gains * units])


def test_several_scales_are_compared_by_signs_and_nothing_is_pooled(experiment):
    result = compare_pair(experiment(on_scales()), "A1", "A2")
    assert result.test == "sign"
    assert result.pvalue == pytest.approx(stats.binomtest(10, 12).pvalue)
    sizes = (result.shift, result.shift_lower, result.shift_upper, result.median_difference)
    assert sizes == (None,) * 4
    assert result.coverage is None
    assert "shift" not in result.to_frame()
    for text in (str(result), result.to_latex(), *result.sentences):
        assert "None" not in text
        assert "confidence interval" not in text
    stated = compare_pair(experiment(on_scales()), "A1", "A2", scale="one")
    assert (stated.test, stated.shift is None) == ("wilcoxon", False)


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "rank-sum"])
def test_intervals_of_tied_differences_agree_with_the_decision(test, experiment):
    rng = np.random.default_rng(4)
    moved = 0
    for _ in range(60):
        scores = rng.integers(0, 4, (9, 2)) + np.array([0, 1])
        result = compare_pair(experiment(scores), "A1", "A2", test=test, scale="one")
        includes = result.shift_lower <= 0 <= result.shift_upper
        apart = result.shift_lower > 0 or result.shift_upper < 0
        assert not (result.rejected and result.shift_lower < 0 < result.shift_upper)
        assert result.rejected or includes
        moved += 0 in (result.shift_lower, result.shift_upper)
        assert apart <= result.rejected
    assert moved


# ------------------------------------------------------------------------------------ edges


@pytest.mark.filterwarnings("error")
def test_identical_differences(experiment):
    scores = np.column_stack([np.arange(8), np.arange(8) + 1]) / 10
    result = compare_pair(experiment(scores), "A1", "A2", test="t")
    assert (result.statistic, result.pvalue, result.log10_pvalue) == (np.inf, 0, -np.inf)
    assert result.shift_lower == result.shift == result.shift_upper == pytest.approx(0.1)
    assert "identical-differences" in codes(result)
    assert "t = ∞ with 7 df, p < 1e-300" in result.sentences[1]
