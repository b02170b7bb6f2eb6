import math

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


def test_critical_values_of_demsar_table_5(reference):
    for row in reference("critical_values")["values"]:
        quantile = {
            "nemenyi": posthoc.nemenyi_quantile,
            "bonferroni-dunn": posthoc.bonferroni_dunn_quantile,
        }[row["procedure"]](row["k"], row["alpha"])
        assert quantile == pytest.approx(row["exact"], rel=1e-9, abs=0)
        misprint = (row["procedure"], row["k"], row["alpha"]) == ("bonferroni-dunn", 9, 0.05)
        assert (abs(quantile - row["printed"]) < 1e-3) != misprint  # some are cut, not rounded
