import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

from nbcompare import Experiment, compare

RANKING = st.sampled_from(["friedman", "aligned", "quade"])


@st.composite
def tables(draw):
    """Whole numbers: heavily tied, or hardly."""
    n, k = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    score = draw(st.sampled_from([st.integers(0, 2), st.integers(-500, 500)]))
    rows = st.lists(score, min_size=k, max_size=k)
    return np.array(draw(st.lists(rows, min_size=n, max_size=n)), dtype=float)


def make(scores, direction="minimize", algorithms=None):
    return Experiment.from_array(scores, direction=direction, algorithms=algorithms)


def content(result):
    """The statistic and p of each pair, by label."""
    tests = result.hypotheses
    rows = zip(tests.first, tests.second, tests.statistic, tests.pvalue, strict=True)
    return {
        (min(one, two), max(one, two)): ((z if one < two else -z) + 0.0, p)
        for one, two, z, p in rows
    }


@pytest.mark.slow
@given(
    scores=tables(),
    ranking=RANKING,
    adjust=st.sampled_from(["holm", "bonferroni", "hochberg", "nemenyi"]),
    alpha=st.sampled_from([0.01, 0.05, 0.3, 0.9]),
)
def test_what_holds_for_every_family(scores, ranking, adjust, alpha):
    result = compare(make(scores), ranking=ranking, pairs="ranks", adjust=[adjust], alpha=alpha)
    tests, ranks = result.hypotheses, result.average_ranks
    adjusted = tests.adjusted[adjust]
    slack = 1 + (1e-12 if adjust == "nemenyi" else 0)
    assert (adjusted * slack >= tests.pvalue).all()
    assert (np.diff(tests.pvalue) >= 0).all()
    assert (np.diff(adjusted) >= 0).all()
    for p in set(tests.pvalue.tolist()):
        assert len(set(adjusted[tests.pvalue == p].tolist())) == 1
    assert tests.rejected.tolist() == (adjusted <= alpha).tolist()
    assert (tests.wins + tests.ties + tests.losses == len(scores)).all()
    assert (np.abs(tests.effect_size) <= 1).all()
    for row, (first, second) in enumerate(zip(tests.first, tests.second, strict=True)):
        difference = ranks[second] - ranks[first]
        z = difference / result.standard_error if result.standard_error else 0.0
        assert tests.statistic[row] == pytest.approx(z, rel=1e-12, abs=1e-12)
        if result.critical_difference is not None:
            gap = abs(difference) - result.critical_difference
            assert abs(gap) < 1e-9 or tests.rejected[row] == (gap > 0)
    differing = {
        frozenset(pair)
        for pair, rejected in zip(
            zip(tests.first, tests.second, strict=True), tests.rejected, strict=True
        )
        if rejected
    }
    alike = [
        set(group)
        for size in range(1, len(ranks) + 1)
        for group in itertools.combinations(ranks, size)
        if not any(frozenset(pair) in differing for pair in itertools.combinations(group, 2))
    ]
    maximal = [group for group in alike if not any(group < other for other in alike)]
    assert sorted(map(sorted, result.groups)) == sorted(map(sorted, maximal))
    for group in result.groups:
        assert list(group) == sorted(group, key=result.ordered.index)


@pytest.mark.slow
@given(scores=tables(), data=st.data())
def test_a_control_is_always_first(scores, data):
    names = [f"A{j + 1}" for j in range(scores.shape[1])]
    control = data.draw(st.sampled_from(names))
    result = compare(make(scores), control=control, pairs="ranks")
    assert set(result.hypotheses.first) == {control}
    assert sorted(result.hypotheses.second) == sorted(set(names) - {control})
    assert result.groups == ()
    # the same tests as among all pairs, in a smaller family
    everything = content(compare(make(scores), pairs="ranks", adjust=None))
    assert content(result).items() <= everything.items()


@pytest.mark.slow
@given(scores=tables())
def test_a_rejection_at_its_own_adjusted_p(scores):
    options = {"pairs": "ranks", "adjust": "holm"}
    p = compare(make(scores), **options).hypotheses.adjusted["holm"]
    for alpha in set(p[p < 1].tolist()):
        result = compare(make(scores), alpha=alpha, **options)
        assert result.hypotheses.rejected.tolist() == (p <= alpha).tolist()


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
