import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.signed_rank import sign_test

counts = st.integers(0, 40)


def tail(at, n):
    return Fraction(sum(math.comb(n, i) for i in range(at + 1)), 2**n)


@given(wins=counts, ties=counts, losses=counts)
def test_binomial_in_whole_numbers(wins, ties, losses):
    won, lost = wins + ties // 2, losses + ties // 2
    n = won + lost
    expected = {
        "two-sided": min(Fraction(1), 2 * tail(min(won, lost), n)),
        "better": tail(lost, n),
        "worse": tail(won, n),
    }
    for side, p in expected.items():
        test = sign_test([wins], [ties], [losses], alternative=side)
        assert (test.statistic[0], test.n_used[0]) == (wins - losses, n)
        assert test.pvalue[0] == pytest.approx(float(p), rel=1e-12)
        assert 10 ** test.log10_pvalue[0] == pytest.approx(float(p), rel=1e-12)
    swapped = sign_test([losses], [ties], [wins])
    assert swapped.pvalue[0] == sign_test([wins], [ties], [losses]).pvalue[0]


def test_critical_values(reference):
    for n, *critical in reference("pairs")["sign_critical"]["rows"]:
        wins = np.arange(n // 2 + 1, n + 1)
        sides = [(alpha, side) for alpha in (0.05, 0.10) for side in ("two-sided", "better")]
        for (alpha, side), least in zip(sides, critical, strict=True):
            test = sign_test(wins, np.zeros_like(wins), n - wins, alternative=side)
            rejected = wins[test.pvalue <= alpha]
            assert (int(rejected[0]) if rejected.size else None) == least


def test_far_tails():
    for n, at in ((1000, 0), (3000, 100), (100_000, 40_000)):
        log10_p = sign_test([n - at], [0], [at], alternative="better").log10_pvalue[0]
        total = term = 1.0  # of the tail, in units of its largest term
        for i in range(at, 0, -1):
            term *= i / (n - i + 1)
            total += term
        log_term = math.lgamma(n + 1) - math.lgamma(at + 1) - math.lgamma(n - at + 1)
        expected = (log_term + math.log(total)) / math.log(10) - n * math.log10(2)
        assert log10_p == pytest.approx(expected, rel=1e-11)
    assert sign_test([2000], [0], [0]).log10_pvalue[0] == pytest.approx(-1999 * math.log10(2))


@pytest.mark.filterwarnings("error")
def test_nothing_left():
    for side in ("two-sided", "better", "worse"):
        test = sign_test([0, 0], [0, 1], [0, 0], alternative=side)
        assert (test.n_used.tolist(), test.pvalue.tolist()) == ([0, 0], [1, 1])
    assert sign_test([], [], []).pvalue.shape == (0,)
