import re

import numpy as np
import pytest
from scipy.stats import binomtest

from nbcompare import MultipleSigns, datasets, multiple_sign_test
from nbcompare.stats.multisign import sign_pvalues

DEMSAR = datasets.load("demsar2006")


def codes(result):
    return [note.code for note in result.notes]


@pytest.fixture
def clear(experiment):
    """The control beats B on all of 10 data sets, ties with C on 3; D is a tie or better."""
    scores = [[2, 3, 3 if i < 4 else 2 if i < 7 else 1, 2 if i == 0 else 1] for i in range(10)]
    return experiment(scores, algorithms=["A", "B", "C", "D"])


def test_counts_and_p_values(clear):
    result = multiple_sign_test(clear, "A")
    assert isinstance(result, MultipleSigns)
    assert result.algorithms == ("B", "D", "C")
    assert result.plus.tolist() == [0, 9, 3]
    assert result.minus.tolist() == [10, 0, 4]
    assert result.ties.tolist() == [0, 1, 3]
    assert result.n_used.tolist() == [10, 9, 9]
    assert result.r.tolist() == [0, 0, 4]
    laws = {n: sign_pvalues(n, 3).pvalue for n in (9, 10)}
    assert result.pvalue.tolist() == [laws[10][0], laws[9][0], laws[9][4]]
    assert result.rejected.tolist() == [True, True, False]
    assert result.critical_value.tolist() == [0, 0, 0]
    assert result.method == "exact"


def test_the_alternative_is_about_the_control(clear):
    better = multiple_sign_test(clear, "A", alternative="better")
    assert [name for name, yes in zip(better.algorithms, better.rejected, strict=True) if yes] == [
        "B"
    ]
    # all plus signs fail: 3/2^10 - 3/3^10 + 1/4^10
    assert better.pvalue[0] == pytest.approx(3 / 2**10 - 3 / 3**10 + 1 / 4**10, rel=1e-12)


def test_one_algorithm_is_the_exact_sign_test():
    pair = DEMSAR.select(algorithms=["C4.5", "C4.5+m"])
    result = multiple_sign_test(pair, "C4.5")
    # 10 worse, 2 better, 2 tied
    assert result.pvalue[0] == pytest.approx(binomtest(3, 14).pvalue, rel=1e-12)
    assert result.sentences[1].startswith("Whether the control C4.5 differs from C4.5+m was tested")
    assert "adjusted" not in result.sentences[1]


# n, and the least number of wins of two-tailed tests at 0.05 and 0.10, by the exact binomial
NEEDED = [(6, 6, 6), (8, 8, 7), (10, 9, 9), (14, 12, 11), (17, 13, 13), (20, 15, 15), (23, 17, 16)]


@pytest.mark.parametrize(("n", "at_5", "at_10"), NEEDED)
def test_wins_needed_by_the_sign_test(experiment, n, at_5, at_10):
    scores = np.tile([0.0, 1.0], (n, 1))
    scores[: n // 2] = [1.0, 0.0]
    for alpha, needed in ((0.05, at_5), (0.1, at_10)):
        result = multiple_sign_test(experiment(scores), "A1", alpha=alpha)
        assert result.wins_needed.tolist() == [needed]
        assert binomtest(needed, n).pvalue <= alpha < binomtest(needed - 1, n).pvalue
        assert f" {needed} " in str(result.section("signs"))
    one_sided = multiple_sign_test(experiment(scores), "A1", alternative="better", alpha=0.05)
    assert one_sided.wins_needed.tolist() == [at_10]  # two tails of 0.05 each


def test_all_tied(experiment):
    result = multiple_sign_test(experiment(np.ones((5, 3))), "A1")
    assert result.r.tolist() == [2, 2]
    assert result.pvalue.tolist() == [1, 1]
    assert "ties-split" in codes(result)


def test_nothing_can_be_significant(experiment):
    result = multiple_sign_test(experiment([[1, 2, 3]] * 4), "A1")
    assert result.critical_value.tolist() == [-1, -1]
    assert re.search(r"A2 +0 +4 +0 +4 +0 +none +none +0.2238", str(result))


def test_a_p_value_too_close_to_call(experiment):
    law = sign_pvalues(20, 4)
    scores = np.zeros((20, 5))
    scores[:, 1:] = 1.0
    scores[:5, 1] = -1.0
    close = multiple_sign_test(experiment(scores), "A1", alpha=float(law.pvalue[5]))
    assert close.rejected.all()
    assert "numerical-error" in codes(close)
    assert "numerical-error" not in codes(multiple_sign_test(experiment(scores), "A1"))
