"""Benjamini and Hochberg's and Benjamini and Yekutieli's procedures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from nbcompare.stats.adjust import adjust, adjusted_alphas

METHODS = {"benjamini-hochberg": "bh", "benjamini-yekutieli": "by"}
# Benjamini and Hochberg (1995, section 4.1): 15 hypotheses about thrombolysis
THROMBOLYSIS = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
]


def test_the_example_of_1995():
    # "Bonferroni rejects 3 ..., the FDR controlling procedure rejects the 4 hypotheses"
    assert (adjust(THROMBOLYSIS, "bonferroni") <= 0.05).sum() == 3
    assert (adjust(THROMBOLYSIS, "hochberg") <= 0.05).sum() == 3
    assert (adjust(THROMBOLYSIS, "benjamini-hochberg") <= 0.05).sum() == 4
    # p(4) = 0.0095 <= (4/15) 0.05 = 0.013
    assert adjusted_alphas(15, "benjamini-hochberg")[3] == pytest.approx(0.05 * 4 / 15)


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=40))
def test_as_scipy(method, pvalues):
    expected = false_discovery_control(pvalues, method=METHODS[method])
    found = adjust(pvalues, method)
    assert found == pytest.approx(expected, rel=1e-12)
    logs = adjust(np.log10(pvalues), method, log10=True)
    assert logs == pytest.approx(np.log10(expected), rel=1e-9, abs=1e-9)
    assert (found >= pvalues).all()


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40))
def test_levels_reject_the_same(method, pvalues):
    ordered = np.sort(pvalues)
    below = np.flatnonzero(ordered <= adjusted_alphas(len(ordered), method))
    rejected = below.max() + 1 if below.size else 0
    # a p that equals its level may fall on either side of it by rounding
    found = (adjust(pvalues, method) <= 0.05 * (1 + 1e-12)).sum()
    assert found >= rejected
    assert (adjust(pvalues, method) <= 0.05 * (1 - 1e-12)).sum() <= rejected
