import math
import re

import numpy as np
import pytest
from scipy.stats import norm, studentized_range

from nbcompare.stats import posthoc


@pytest.mark.parametrize("k", [2, 3, 10, 40])
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.01])
def test_as_scipy(k, alpha):
    q = studentized_range.isf(alpha, k, np.inf)
    assert posthoc.nemenyi_quantile(k, alpha) == pytest.approx(q / math.sqrt(2), rel=1e-9)
    dunn = norm.isf(alpha / (2 * (k - 1)))
    assert posthoc.bonferroni_dunn_quantile(k, alpha) == pytest.approx(dunn, rel=1e-12)


def test_the_critical_difference_is_where_the_adjusted_p_is_alpha():
    for k in (2, 5, 30):
        z = posthoc.nemenyi_quantile(k, 0.05)
        assert posthoc.nemenyi_pvalues([z], k)[0] == pytest.approx([0.05], rel=1e-10)
        first, second = np.array([0]), np.array([1])
        z = posthoc.bonferroni_quantile(7, 0.05)
        assert 7 * posthoc.rank_tests([z, 0.0], 1.0, first, second).pvalue == pytest.approx(0.05)


@pytest.mark.parametrize("quantile", [posthoc.nemenyi_quantile, posthoc.bonferroni_dunn_quantile])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0), "`alpha` must be a number between 0 and 1, exclusive; got 0."),
        ((5, 1.0), "`alpha` must be a number between 0 and 1, exclusive; got 1.0."),
        ((5, "0.05"), "`alpha` must be a number between 0 and 1, exclusive; got '0.05'."),
    ],
)
def test_errors(quantile, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        quantile(*arguments)


def test_error_about_the_number_of_hypotheses():
    message = "`n_hypotheses` must be a whole number of at least 1; got 0."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        posthoc.bonferroni_quantile(0)
