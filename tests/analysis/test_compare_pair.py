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


@pytest.mark.parametrize(
    ("zeros", "n_zero", "text"),
    [
        ("demsar", 1, "The two tie on 1 data set; it is dropped."),
        (
            "demsar",
            3,
            "The two tie on 3 data sets; their ranks are shared evenly between R+ and R−, one "
            "being dropped because their number is odd.",
        ),
        (
            "demsar",
            2,
            "The two tie on 2 data sets; their ranks are shared evenly between R+ and R−.",
        ),
        ("split", 1, "The two tie on 1 data set; its rank is shared evenly between R+ and R−."),
        ("wilcox", 3, "The two tie on 3 data sets; they are dropped before ranking."),
        ("pratt", 1, "The two tie on 1 data set; it is ranked, then dropped."),
    ],
)
def test_note_about_zeros(zeros, n_zero, text, experiment):
    scores = np.column_stack([np.arange(12.0), np.arange(12.0) * 2.1])
    scores[:, 1] += np.arange(12) ** 2 + 1
    scores[:n_zero, 1] = scores[:n_zero, 0]
    result = compare_pair(experiment(scores), "A1", "A2", zeros=zeros)
    assert [note.text for note in result.notes if note.code == "zeros"] == [text]
    assert codes(result) == ["zeros"]


@pytest.mark.parametrize(
    ("zeros", "text", "p"),
    [
        (
            "auto",
            "The two tie on 3 data sets; they do not count in the test, but do in the interval, "
            "which may reach 0 although the difference is significant.",
            2 * (1 + 9) / 2**9,
        ),
        (
            "demsar",
            "The two tie on 3 data sets; they are split evenly between wins and losses, one being "
            "dropped because their number is odd.",
            2 * (1 + 11 + 55) / 2**11,
        ),
    ],
)
def test_ties_of_the_sign_test(zeros, text, p, experiment):
    scores = np.column_stack([np.arange(12.0), np.arange(12.0) + 1])
    scores[:3, 1], scores[3, 1] = scores[:3, 0], 0
    result = compare_pair(experiment(scores), "A1", "A2", test="sign", zeros=zeros)
    assert [note.text for note in result.notes if note.code == "zeros"] == [text]
    assert result.pvalue == pytest.approx(p)


def test_other_notes(experiment):
    rng = np.random.default_rng(2)
    untied = experiment(rng.random((400, 2)))
    assert codes(compare_pair(untied, "A1", "A2")) == ["normal-approximation"]
    assert codes(compare_pair(untied, "A1", "A2", method="exact", alternative="better")) == [
        "one-sided"
    ]
    assert codes(compare_pair(untied, "A1", "A2", test="rank-sum")) == [
        "not-recommended", "pairing-ignored", "normal-approximation", "normal-interval",
    ]  # fmt: skip
    assert codes(compare_pair(untied, "A1", "A2", test="sign")) == ["not-recommended"]
    few = compare_pair(experiment(rng.random((5, 2))), "A1", "A2")
    assert codes(few) == ["never-significant", "no-interval"]
    assert [note.text for note in few.notes] == [
        "On 5 data sets the smallest possible p-value of the test is 0.0625: no difference, "
        "however clear, can be significant at α = 0.05. At least 6 data sets are needed for that.",
        "5 data sets are too few for a confidence interval of 95 %, so its ends are infinite.",
    ]
    assert (few.shift_lower, few.shift_upper, few.coverage) == (-np.inf, np.inf, 1)


# ----------------------------------------------------------------------------------- design


def on_scales(n=12, better=10):
    """Scores of which the first is better on so many data sets, each in a unit of its own."""
    gains = np.where(np.arange(n) < better, 1, -3) * (1 + np.arange(n) / 7)
    units = 10.0 ** (np.arange(n) % 6)
    return np.column_stack([np.zeros(n), gains * units])


def test_several_scales_are_compared_by_signs_and_nothing_is_pooled(experiment):
    result = compare_pair(experiment(on_scales()), "A1", "A2")
    assert (result.test, result.why) == (
        "sign",
        "Design: the sign test (the data sets seem not to be on one scale, which Wilcoxon's test "
        "needs).",
    )
    assert result.pvalue == pytest.approx(stats.binomtest(10, 12).pvalue)
    sizes = (result.shift, result.shift_lower, result.shift_upper, result.median_difference)
    assert sizes == (None,) * 4
    assert result.coverage is None
    assert "Differences are not estimated. The ranges of scores differ" in result.findings[-1]
    assert "shift" not in result.to_frame()
    for text in (str(result), result.to_latex(), *result.sentences):
        assert "None" not in text
        assert "confidence interval" not in text
    stated = compare_pair(experiment(on_scales()), "A1", "A2", scale="one")
    assert (stated.test, stated.shift is None) == ("wilcoxon", False)
    several = compare_pair(experiment(np.arange(24.0).reshape(12, 2)), "A1", "A2", scale="several")
    assert "are stated not to be on one scale" in several.why


@pytest.mark.parametrize("test", ["wilcoxon", "rank-sum", "t"])
def test_another_test_than_the_recommended_one_says_so(test, experiment):
    result = compare_pair(experiment(on_scales()), "A1", "A2", test=test)
    assert (result.test, result.shift) == (test, None)
    assert result.notes[0].text.startswith("Recommended for these data: the sign test, in place ")
    assert result.why.startswith("Design, as asked: the ")


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
