"""Bayesian comparison of tables and folds, against the tests of its pairs alone and other laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nbcompare as nbc
from nbcompare import DataError, Experiment, compare_bayesian

DEMSAR = nbc.datasets.load("demsar2006")
DRAWS = 2000


def made(scores, direction="maximize", names=None, **more):
    names = names or [f"A{j}" for j in range(scores.shape[1])]
    return Experiment.from_array(scores, direction=direction, algorithms=names, **more)


def noise(n=20, k=4, seed=1, step=0.3):
    scores = np.random.default_rng(seed).normal(size=(n, k)) + np.arange(k) * step
    return scores.round(2)


def folds(n_folds=10, n_runs=1, seed=1):
    scores = np.random.default_rng(seed).normal(size=(1, 3, n_folds, n_runs))
    return made(scores + np.array([0, 0.2, 2])[:, np.newaxis, np.newaxis])


def three(result, a, b):
    """The probabilities that a is better, that both are equivalent, and that b is better."""
    row, turned = result.pair(a, b)
    found = [part[row] for part in (result.first_better, result.equivalent, result.second_better)]
    return np.array(found[::-1] if turned else found)


def codes(result):
    return [note.code for note in result.notes]


# ---------------------------------------------------------------- what is computed


@pytest.mark.parametrize("rope", [0, 0.25])
def test_signed_rank_is_what_its_definition_says(rope):
    data = made(noise(12))
    result = compare_bayesian(data, rope=rope, n_samples=20_000)
    weights = np.random.default_rng(5).dirichlet([0.5, *np.ones(12)], size=20_000)
    scores = (data.mean_scores * 100).round()  # whole, so that edges are exact
    for a, b in (("A0", "A1"), ("A3", "A1")):
        one, other = (scores[:, data.algorithms.index(name)] for name in (a, b))
        z = np.concatenate([[0], one - other])
        sums = z[:, np.newaxis] + z
        shares = []
        for sign in (1, -1):
            beyond = (sign * sums > 200 * rope) + 0.5 * (sums == 0) * (rope == 0)
            shares.append(np.einsum("di,ij,dj->d", weights, beyond, weights))
        shares = np.array([shares[0], 1 - shares[0] - shares[1], shares[1]])
        largest = shares >= shares.max(axis=0) - 1e-12
        expected = (largest / largest.sum(axis=0)).mean(axis=1)
        error = np.sqrt(2 * expected * (1 - expected) / 20_000) + 1e-9
        assert (np.abs(three(result, a, b) - expected) < 4.5 * error).all()
    found = np.stack([result.first_better, result.equivalent, result.second_better], axis=1)
    assert result.standard_errors == pytest.approx(np.sqrt(found * (1 - found) / 20_000))


@pytest.mark.parametrize("rope", [0, 0.3])
@pytest.mark.parametrize("shape", [(10, 1), (5, 4)])
def test_folds_follow_students_law(rope, shape):
    data = folds(*shape)
    result = compare_bayesian(data, rope=rope)
    ratio = 1 / (shape[0] - 1)
    assert result.ratio == pytest.approx(ratio)
    assert result.test == "correlated-t"
    scores = data.scores[0].reshape(3, -1)
    for a, b in ((0, 1), (2, 1)):
        gains = scores[a] - scores[b]
        scale = np.sqrt((1 / gains.size + ratio) * gains.var(ddof=1))
        law = stats.t(gains.size - 1, gains.mean(), scale)
        expected = [law.sf(rope), law.cdf(rope) - law.cdf(-rope), law.cdf(-rope)]
        assert three(result, f"A{a}", f"A{b}") == pytest.approx(expected, abs=1e-10)
    row, _ = result.pair("A0", "A1")
    assert result.spread[row] > 0


def test_one_data_set_of_several():
    several = made(np.random.default_rng(1).normal(size=(3, 3, 10)), datasets=["x", "y", "z"])
    alone = compare_bayesian(several.select(datasets=["y"]), rope=0.1)
    named = compare_bayesian(several, rope=0.1, dataset="y")
    assert named.sentences == alone.sentences
    assert named.dataset == "y"
    assert compare_bayesian(several, rope=0.1, n_samples=DRAWS).test == "signed-rank"


# ------------------------------------------------------------------------ properties


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 4),
    st.integers(2, 9),
    st.integers(0, 1000),
    st.sampled_from([0, 0.1, 0.5]),
    st.sampled_from(["signed-rank", "sign"]),
)
def test_relabelling_and_direction_change_nothing_else(k, n, seed, rope, test):
    data = made(noise(n, k, seed).round(1))
    options = {"rope": rope, "test": test} | ({} if test == "sign" else {"n_samples": 300})
    result = compare_bayesian(data, **options)
    other = compare_bayesian(data.select(algorithms=data.algorithms[::-1]), **options)
    turned = compare_bayesian(made(-data.mean_scores, "minimize"), **options)
    for a in data.algorithms:
        for b in data.algorithms:
            if a < b:
                found = three(result, a, b)
                assert found.sum() == pytest.approx(1)
                assert three(other, a, b) == pytest.approx(found, abs=1e-9)
                assert three(turned, a, b) == pytest.approx(found, abs=1e-9)
    assert turned.mean_difference == pytest.approx(result.mean_difference)


@pytest.mark.parametrize("test", ["signed-rank", "sign", "correlated-t"])
def test_wider_regions_are_likelier(test):
    data = folds() if test == "correlated-t" else made(noise())
    options = {"n_samples": DRAWS} if test == "signed-rank" else {}
    found = [
        three(compare_bayesian(data, rope=rope, test=test, **options), "A2", "A0")
        for rope in (0, 0.2, 0.5, 2, 50)
    ]
    equal = [each[1] for each in found]
    assert equal == sorted(equal)
    assert equal[0] == 0
    assert equal[-1] == pytest.approx(1)
    # without a region, the prior of the sign test is on either side rather than in the region
    better = [each[0] for each in found[test == "sign" :]]
    assert better == sorted(better, reverse=True)


def test_a_control_has_the_same_probabilities_as_in_all_pairs():
    data = made(noise())
    every = compare_bayesian(data, rope=0.1, n_samples=DRAWS)
    control = compare_bayesian(data, rope=0.1, n_samples=DRAWS, control="A2")
    assert set(control.first) == {"A2"}
    for name in ("A0", "A1", "A3"):
        assert three(control, "A2", name) == pytest.approx(three(every, "A2", name))
    best = compare_bayesian(data, rope=0.1, n_samples=DRAWS, control="best")
    assert best.control == nbc.compare(data, control="best").control == "A3"
    assert "control-from-data" in codes(best)
    with pytest.raises(ValueError, match="only pairs with the control 'A2'"):
        control.pair("A0", "A1")


def test_the_better_algorithm_is_the_first_of_a_pair():
    data = nbc.datasets.load("demsar2006")
    for test, rope in (("signed-rank", 0.01), ("sign", 0.01), ("signed-rank", 0)):
        result = nbc.compare_bayesian(data, rope=rope, test=test)
        assert (result.first_better >= result.second_better).all()
        means = dict(zip(data.algorithms, data.mean_scores.mean(axis=0), strict=True))
        gains = [means[a] - means[b] for a, b in zip(result.first, result.second, strict=True)]
        assert result.mean_difference == pytest.approx(gains)
    controlled = nbc.compare_bayesian(data, rope=0.01, control="C4.5")
    assert set(controlled.first) == {"C4.5"}


def test_decisions_and_their_order():
    result = compare_bayesian(made(noise(30, 6)), rope=0.4, n_samples=DRAWS)
    words = ("first better", "equivalent", "second better")
    each = np.stack([result.first_better, result.equivalent, result.second_better], axis=1)
    for row, word in enumerate(result.decision):
        largest = each[row].max()
        assert word == (words[each[row].argmax()] if largest >= 0.95 else "none")
    claimed = [word != "none" for word in result.decision]
    assert claimed == sorted(claimed, reverse=True)
    assert {True, False} == set(claimed)
    for threshold in (0.6, 0.99):
        other = compare_bayesian(made(noise(30, 6)), rope=0.4, n_samples=DRAWS, threshold=threshold)
        for row, word in enumerate(other.decision):
            top = max(three(other, other.first[row], other.second[row]))
            assert (word != "none") == (top >= threshold)


def test_differences_of_exactly_the_rope_are_equivalent():
    x = np.array([0.81, 0.85, 0.79, 0.92, 0.06, 0.76, 0.83, 0.95, 0.71, 0.90])
    scores = np.column_stack([x, (x - 0.01).round(2)])
    assert {*np.sign(scores[:, 0] - scores[:, 1] - 0.01)} == {-1, 1}  # on either side in binary
    of_folds = scores.T[np.newaxis]
    for test, data in (("signed-rank", scores), ("sign", scores), ("correlated-t", of_folds)):
        for edge in (made(data), made(-data, "minimize"), made(data[:, ::-1])):
            result = compare_bayesian(edge, rope=0.01, test=test)
            assert result.equivalent[0] > 0.999, test
            assert "differ by at most 0.01 is above 0.999" in result.findings[0]
            assert "rope-too-wide" in codes(result)
        # and just below, all of them are beyond
        below = compare_bayesian(made(data), rope=0.00999, test=test)
        assert below.first_better[0] > 0.98, test
        assert "rope-too-wide" not in codes(below)


def test_the_seed_gives_the_same_result_again():
    one, two = (compare_bayesian(DEMSAR, rope=0.01, n_samples=500) for _ in range(2))
    assert one.to_json() == two.to_json()
    other = compare_bayesian(DEMSAR, rope=0.01, n_samples=500, rng=1)
    assert other.first_better.tolist() != one.first_better.tolist()


# ---------------------------------------------------------------------------- notes


def test_ties():
    tied = compare_bayesian(made(np.ones((6, 2))), rope=0, n_samples=DRAWS)
    assert three(tied, "A0", "A1").tolist() == [0.5, 0, 0.5]


@pytest.mark.weekly
@pytest.mark.parametrize(
    ("test", "n", "told"),
    [("signed-rank", 3, 0.25), ("signed-rank", 10, 0.13), ("sign", 6, 0.22), ("sign", 10, 0.11)],
)
def test_the_note_on_few_data_sets_tells_what_is_measured(test, n, told):
    rng, claims = np.random.default_rng(n), 0
    for _ in range(400):
        # two pairs of the four share no algorithm, so that they are independent
        data = made(rng.normal(size=(n, 4)))
        options = {"n_samples": 500} if test == "signed-rank" else {}
        result = compare_bayesian(data, rope=0, test=test, **options)
        for a, b in (("A0", "A1"), ("A2", "A3")):
            claims += result.decision[result.pair(a, b)[0]] != "none"
    assert claims / 800 == pytest.approx(told, abs=0.05)


def test_several_scales():
    scores = noise(12, 3) * np.logspace(0, 6, 12)[:, np.newaxis]
    result = compare_bayesian(made(scores), rope=0.1, n_samples=DRAWS)
    assert "several-scales" in codes(result)
    assert result.mean_difference is None
    assert "difference" not in [c.header for c in result.section("pairs").parts[0].columns]
    assert "mean_difference" not in result.to_frame()


def test_a_probability_near_the_threshold_is_told():
    data = made(noise(15, 2, step=0.2))
    result = compare_bayesian(data, rope=0, n_samples=20_000)
    top = float(max(three(result, "A0", "A1")))
    near = compare_bayesian(data, rope=0, n_samples=20_000, threshold=top - 1e-4)
    assert "near-threshold" in codes(near)
    far = compare_bayesian(data, rope=0, n_samples=20_000, threshold=min(0.999, top + 0.05))
    assert "near-threshold" not in codes(far)


def test_folds_without_variance():
    scores = np.arange(8.0) + np.array([[0.0], [1.0], [3.0]])
    result = compare_bayesian(made(scores[np.newaxis]), rope=1)
    assert "no-variance" in codes(result)
    assert three(result, "A1", "A0").tolist() == [0, 1, 0]  # exactly at the edge
    assert three(result, "A2", "A0").tolist() == [1, 0, 0]
    assert {"ratio", "one-data-set", "corrected-variance"} <= set(codes(result))


# --------------------------------------------------------------------------- errors


def test_data_that_do_not_suit():
    with pytest.raises(DataError, match=r"at least 2 data sets .* got 1.*test='correlated-t'"):
        compare_bayesian(folds(), rope=0, test="signed-rank")
    with pytest.raises(DataError, match="at least 2 folds"):
        compare_bayesian(made(np.ones((1, 2))), rope=0)
    with pytest.raises(DataError, match="at least 2 algorithms"):
        compare_bayesian(made(np.ones((5, 1))), rope=0)
    with pytest.raises(ValueError, match=r"`ratio`.* must be given"):
        compare_bayesian(folds(20), rope=0)
    with pytest.raises(ValueError, match="`missing` must be 'raise' or 'drop-folds'"):
        compare_bayesian(folds(), rope=0, missing="worst")
    gap = noise()
    gap[0, 0] = np.nan
    with pytest.raises(DataError, match="missing='drop'"):
        compare_bayesian(made(gap), rope=0)
    dropped = compare_bayesian(made(gap), rope=0.1, missing="drop", n_samples=DRAWS)
    kept = compare_bayesian(made(gap[1:]), rope=0.1, n_samples=DRAWS)
    assert dropped.first_better == pytest.approx(kept.first_better)
    assert "dropped" in codes(dropped)


# --------------------------------------------------------------------------- result


def test_draws_for_figures_are_those_of_the_pair():
    result = compare_bayesian(DEMSAR, rope=0.01)
    assert (result.draws.sum(axis=1) == 5000).all()
    for row in range(len(result)):
        # of each point, the largest of its three shares
        points = [(i, j, 24 - i - j) for i in range(25) for j in range(25 - i)]
        largest = [point.index(max(point)) for point in points]
        shares = np.bincount(largest, result.draws[row], 3) / 5000
        told = (result.first_better, result.second_better, result.equivalent)
        assert shares == pytest.approx([part[row] for part in told], abs=0.09)
    line = compare_bayesian(DEMSAR, rope=0, test="sign")
    assert line.draws.shape == (6, 41)
    for row in range(6):
        half = line.draws[row, 21:].sum() + line.draws[row, 20] / 2
        assert half / 5000 == pytest.approx(line.first_better[row], abs=0.03)
    many = compare_bayesian(made(noise(8, 26)), rope=0.1, n_samples=20)
    assert many.draws is None
