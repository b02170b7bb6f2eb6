import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

from nbcompare import Experiment, compare


@st.composite
def tables(draw):
    """Whole numbers: heavily tied, or hardly."""
    n, k = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    score = draw(st.sampled_from([st.integers(0, 2), st.integers(-500, 500)]))
    rows = st.lists(score, min_size=k, max_size=k)
    return np.array(draw(st.lists(rows, min_size=n, max_size=n)), dtype=float)


def make(scores, direction="minimize", algorithms=None):
    return Experiment.from_array(scores, direction=direction, algorithms=algorithms)


@given(scores=tables())
def test_composition_by_hand(scores):
    """The whole of compare() once more, in a dozen lines of NumPy and SciPy."""
    n, k = scores.shape
    ranks = rankdata(scores, axis=1)
    spread = np.square(ranks - (k + 1) / 2).sum()
    options = {"pairs": "ranks", "adjust": "holm", "method": "normal"}
    result = compare(make(scores), **options)
    assert list(result.average_ranks.values()) == pytest.approx(ranks.mean(axis=0), rel=1e-14)
    between = np.square(ranks.sum(axis=0) - n * (k + 1) / 2).sum()
    chi2 = (k - 1) * between / spread if spread else 0
    assert result.omnibus["friedman"].statistic == pytest.approx(chi2, rel=1e-12, abs=1e-12)
    tests = result.hypotheses
    for row in range(len(tests)):
        i, j = int(tests.first[row][1:]) - 1, int(tests.second[row][1:]) - 1
        sums = ranks[:, j].sum() - ranks[:, i].sum()
        z = sums / np.sqrt(2 * spread / (k - 1)) if spread else 0.0
        assert tests.pvalue[row] == pytest.approx(2 * norm.sf(abs(z)), rel=1e-12)
        assert tests.statistic[row] == pytest.approx(z, rel=1e-12, abs=1e-12)
        assert tests.wins[row] == (scores[:, i] < scores[:, j]).sum()
        gain = scores[:, j] - scores[:, i]
        assert tests.mean_difference[row] == pytest.approx(gain.mean(), abs=1e-12)
        size = rankdata(np.abs(gain[gain != 0]))
        effect = (np.sign(gain[gain != 0]) * size).sum() / size.sum() if size.size else 0
        assert tests.effect_size[row] == pytest.approx(effect, abs=1e-14)
