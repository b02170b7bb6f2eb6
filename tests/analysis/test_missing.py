"""Missing scores, by each policy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare import DataError, Experiment, compare, recommend

NAN = np.nan


def with_gaps(seed, n=24, k=5, share=0.15):
    """Scores of one decimal, so with ties; algorithm 0 has them all, so all are linked."""
    generator = np.random.default_rng(seed)
    scores = (generator.normal(size=(n, k)) + np.arange(k) / 3).round(1)
    gaps = generator.random((n, k)) < share
    gaps[:, 0] = False
    scores[gaps] = NAN
    return scores


def codes(result):
    return [note.code for note in result.notes]


def by_hand(scores):
    """z of all pairs and adjusted average ranks, in plain loops with NumPy's pseudo-inverse."""
    k = scores.shape[1]
    sums, sigma, comparisons = np.zeros(k), np.zeros((k, k)), 0
    for row in scores:
        here = [j for j in range(k) if not np.isnan(row[j])]
        size = len(here)
        if size < 2:
            continue
        comparisons += size - 1
        ranks = {
            j: 1
            + sum(row[i] < row[j] for i in here)
            + sum(row[i] == row[j] for i in here) / 2
            - 0.5
            for j in here
        }
        middle = (size + 1) / 2
        variance = 12 / (size + 1) * sum((r - middle) ** 2 for r in ranks.values()) / (size - 1)
        for j in here:
            sums[j] += (12 / (size + 1)) ** 0.5 * (ranks[j] - middle)
            for i in here:
                sigma[i, j] += variance * ((i == j) - 1 / size)
    inverse = np.linalg.pinv(sigma)
    effect = inverse @ sums
    z = {
        (u, v): (effect[v] - effect[u]) / (inverse[u, u] + inverse[v, v] - 2 * inverse[u, v]) ** 0.5
        for u in range(k)
        for v in range(u + 1, k)
    }
    unit = np.trace(sigma) / ((12 / (k + 1)) ** 0.5 * comparisons)
    return z, (k + 1) / 2 + effect * unit


@pytest.mark.parametrize("seed", range(5))
def test_pairs_and_ranks_by_hand(experiment, seed):
    scores = with_gaps(seed)
    result = compare(experiment(scores), missing="skillings-mack", pairs="ranks")
    z, ranks = by_hand(scores)
    assert list(result.average_ranks.values()) == pytest.approx(ranks, rel=1e-9)
    names = list(result.average_ranks)
    tests = result.hypotheses
    for one, other, statistic in zip(tests.first, tests.second, tests.statistic, strict=True):
        expected = abs(z[tuple(sorted((names.index(one), names.index(other))))])
        assert statistic == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert list(result.omnibus) == ["skillings-mack"]
    assert result.standard_error is None
    assert result.critical_difference is None
    assert "skillings-mack" in codes(result)
    assert f"{int(np.isnan(scores).sum())} scores were missing" in " ".join(result.sentences)
    assert "adjusted average rank" in result.sentences[0]
    one = np.where(np.isnan(scores), 1.0, scores)
    one[0, 0] = np.nan
    told = " ".join(compare(experiment(one), missing="skillings-mack").sentences)
    assert "One score was missing" in told
    assert any("Skillings, J. H." in text for text in result.references)


@pytest.mark.slow
@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_without_gaps_it_is_friedmans_test(seed):
    scores = with_gaps(seed, share=0)
    data = Experiment.from_array(scores, direction="minimize")
    plain, policy = (compare(data, missing=name) for name in ("raise", "skillings-mack"))
    assert policy.to_frame().equals(plain.to_frame())
    scores = np.vstack([scores, [1, NAN, NAN, NAN, NAN]])  # tells nothing
    more = compare(Experiment.from_array(scores, direction="minimize"), missing="skillings-mack")
    friedman = plain.omnibus["friedman"]
    assert more.omnibus["skillings-mack"].statistic == pytest.approx(friedman.statistic, rel=1e-9)
    assert list(more.average_ranks.values()) == pytest.approx(list(plain.average_ranks.values()))
    assert sorted(more.hypotheses.statistic) == pytest.approx(
        sorted(plain.hypotheses.statistic), rel=1e-9, abs=1e-9
    )
    assert codes(more)[:2] == ["skillings-mack", "not-ranked"]


@pytest.mark.slow
def test_alike_algorithms_that_were_seen_on_different_data_sets_stay_alike():
    """The difference of Skillings and Mack's rank sums would be found significant in 0.75."""
    generator = np.random.default_rng(1)
    found = 0
    for _ in range(200):
        scores = generator.normal([0, 0, 2, 2, 2], size=(40, 5))
        scores[:20, 0] = NAN
        data = Experiment.from_array(scores, direction="minimize")
        tests = compare(data, missing="skillings-mack").hypotheses
        pairs = [{*pair} for pair in zip(tests.first, tests.second, strict=True)]
        row = pairs.index({"A1", "A2"})
        found += tests.pvalue[row] <= 0.05
    assert found <= 10


def test_pairs_are_tested_where_both_have_scores(experiment):
    scores = with_gaps(3)
    result = compare(experiment(scores), missing="skillings-mack", pairs="wilcoxon")
    tests = result.hypotheses
    names = list(result.average_ranks)
    for row in range(len(tests)):
        u, v = names.index(tests.first[row]), names.index(tests.second[row])
        both = ~np.isnan(scores[:, [u, v]]).any(axis=1)
        alone = compare(experiment(scores[both][:, [u, v]]), pairs="wilcoxon").hypotheses
        assert tests.pvalue[row] == pytest.approx(alone.pvalue[0], rel=1e-12)
        for name in ("statistic", "wins", "ties", "losses"):
            assert getattr(tests, name)[row] == getattr(alone, name)[0]
        assert tests.effect_size[row] == pytest.approx(alone.effect_size[0])
        difference = (scores[both, v] - scores[both, u]).mean()  # low is better
        assert tests.mean_difference[row] == pytest.approx(difference)


def test_a_pair_that_shares_no_data_set(experiment):
    """The ranks of Skillings and Mack compare it through the others, the exchange test does not."""
    scores = np.array(
        [[1, NAN, 2], [2, NAN, 3], [1, NAN, 4], [NAN, 1, 3], [NAN, 2, 5], [NAN, 1, 2]]
    )
    data = experiment(scores)
    for asked in ({}, {"pairs": "ranks"}):
        result = compare(data, missing="skillings-mack", **asked)
        frame = result.to_frame().set_index(["first", "second"])
        apart = frame.loc["A1", "A2"]
        assert (apart["wins"], apart["ties"], apart["losses"], apart["effect_size"]) == (0, 0, 0, 0)
        assert apart["statistic"] == pytest.approx(0)
        assert apart["mean_difference"] == pytest.approx(0)
        assert frame.notna().all(axis=None)
    assert "no-common-data-set" not in codes(result)
    scores[3:, 1] = [4, 6, 3]  # now the second is worse than the third, the first is better
    result = compare(experiment(scores), missing="skillings-mack")
    assert result.pairs == recommend(experiment(scores)).pairs == "exchange"
    assert "(some two algorithms share fewer than 2 data sets)" in result.why
    frame = result.to_frame().set_index(["first", "second"])
    assert frame["pvalue"].to_dict() == {("A1", "A3"): 0.25, ("A3", "A2"): 0.25, ("A1", "A2"): 1}
    (note,) = [note.text for note in result.notes if note.code == "no-common-data-set"]
    assert note == (
        "No data set has scores of both of 1 pair, which the test cannot tell apart (p = 1): "
        "A1 and A2."
    )
    by_ranks = compare(experiment(scores), missing="skillings-mack", pairs="ranks").to_frame()
    assert by_ranks.set_index(["first", "second"]).loc[("A1", "A2"), "pvalue"] < 0.2
    with pytest.raises(DataError, match="pairs of algorithms with fewer than 2 data sets"):
        compare(experiment(scores), missing="skillings-mack", pairs="wilcoxon")
