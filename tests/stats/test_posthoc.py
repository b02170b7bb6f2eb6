import numpy as np
import pytest

from nbcompare.stats import posthoc


def test_families_of_pairs():
    first, second = posthoc.all_pairs(4)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [
        (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
    ]  # fmt: skip
    first, second = posthoc.against_control(4, 2)
    assert (first.tolist(), second.tolist()) == ([2, 2, 2], [0, 1, 3])
    assert posthoc.against_control(2, 0)[1].tolist() == [1]


def test_sign_of_the_statistic():
    tests = posthoc.rank_tests([1.0, 2.0, 3.0], 0.5, *posthoc.all_pairs(3))
    assert tests.statistic.tolist() == [2, 4, 2]  # positive: the first is better
    assert tests.pvalue == pytest.approx([0.0455003, 6.3342e-5, 0.0455003], rel=1e-5)


@pytest.mark.filterwarnings("error")
def test_all_tied():
    assert posthoc.standard_error(np.full((3, 4), 2.5)) == 0
    assert posthoc.standard_error(np.full((3, 4), 2.5), formulas="printed") == pytest.approx(
        (20 / 18) ** 0.5
    )
    tests = posthoc.rank_tests([2.5] * 4, 0.0, *posthoc.all_pairs(4))
    assert (tests.statistic == 0).all()
    assert (tests.pvalue == 1).all()
    assert (tests.log10_pvalue == 0).all()


@pytest.mark.filterwarnings("error")
def test_p_below_the_smallest_number():
    tests = posthoc.rank_tests([0.0, 60.0], 1.0, *posthoc.all_pairs(2))
    assert tests.pvalue.tolist() == [0]
    assert tests.log10_pvalue == pytest.approx([-783.6064], abs=1e-3)
