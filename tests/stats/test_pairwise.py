import numpy as np
import pytest

from nbcompare.stats.pairwise import rank_biserial, win_tie_loss
from nbcompare.stats.posthoc import all_pairs
from nbcompare.stats.rankings import midranks

NOISE = 8 * np.finfo(float).eps


def effect_in_words(one, two, exact, sizes=None):
    """Rank-biserial correlation of whole numbers, or of floats with the sizes behind them."""
    gains = [b - a for a, b in zip(one, two, strict=True)]
    if sizes is None:
        kept = [gain for gain in gains if gain]
        ranks = exact.midranks([abs(gain) for gain in kept])
    else:
        untied = [(g, size) for g, size in zip(gains, sizes, strict=True) if abs(g) > NOISE * size]
        kept = [gain for gain, _ in untied]
        ranks = exact.noisy_midranks([abs(gain) for gain in kept], [size for _, size in untied])
    if not kept:
        return 0.0
    signed = [rank if gain > 0 else -rank for rank, gain in zip(ranks, kept, strict=True)]
    return float(sum(signed) / sum(ranks))


@pytest.mark.parametrize("decimals", range(7))
@pytest.mark.parametrize("levels", [2, 10, 1000, 100_000])
def test_decimal_scores_are_compared_without_noise(decimals, levels, exact):
    rng = np.random.default_rng(decimals)
    first, second = all_pairs(5)
    for n in (2, 9, 30):
        whole = rng.integers(-levels, levels, (n, 5))
        effects = rank_biserial(whole / 10**decimals, first, second)
        columns = whole.T.tolist()
        for i, j, effect in zip(first, second, effects, strict=True):
            assert effect == effect_in_words(columns[i], columns[j], exact)


@pytest.mark.parametrize("kind", ["plain", "mixed", "noise", "quotients"])
def test_any_scores(kind, exact):
    rng = np.random.default_rng(7)
    first, second = all_pairs(6)
    for n in (2, 5, 40):
        scores = {
            "plain": lambda n=n: rng.random((n, 6)),
            "mixed": lambda n=n: rng.normal(size=(n, 6)) * 10.0 ** rng.integers(-12, 6, (n, 1)),
            "noise": lambda n=n: (
                rng.integers(0, 4, (n, 6)) / 7 * (1 + NOISE * rng.random((n, 6)) / 16)
            ),
            "quotients": lambda n=n: rng.integers(1, 9, (n, 6)) / 7,
        }[kind]()
        effects = rank_biserial(scores, first, second)
        for i, j, effect in zip(first, second, effects, strict=True):
            one, two = scores[:, i], scores[:, j]
            sizes = np.maximum(np.abs(one), np.abs(two))
            expected = effect_in_words(one.tolist(), two.tolist(), exact, sizes)
            assert effect == pytest.approx(expected, abs=1e-15)


def test_given_scales(exact):
    rng = np.random.default_rng(8)
    first, second = all_pairs(4)
    for spread in (0, 2, 8):
        scale = 10.0 ** rng.integers(-spread, spread + 1, (25, 4))
        scores = rng.integers(0, 5, (25, 4)) / 10 + rng.normal(size=(25, 4)) * 1e-13
        effects = rank_biserial(scores, first, second, scale=scale)
        for i, j, effect in zip(first, second, effects, strict=True):
            sizes = np.maximum(scale[:, i], scale[:, j])
            expected = effect_in_words(scores[:, i].tolist(), scores[:, j].tolist(), exact, sizes)
            assert effect == pytest.approx(expected, abs=1e-15)


def test_a_tie_of_large_scores_does_not_lower_the_rank_of_a_small_difference():
    scores = [[1e5, 1e5]] * 5 + [[1e-10, 1.01e-10], [1e-10, 1.02e-10], [3e-10, 2e-10]]
    assert rank_biserial(scores, np.array([0]), np.array([1]))[0] == pytest.approx(0.0)
    scores[-1] = [1e-10, 1.005e-10]
    assert rank_biserial(scores, np.array([0]), np.array([1])).tolist() == [1.0]


@pytest.mark.filterwarnings("error")
def test_huge_scores():
    scores = [[1e308, -1e308], [-1.7e308, 1.7e308], [0, 1e-300]]
    assert rank_biserial(scores, np.array([0]), np.array([1])) == pytest.approx([(1 + 3 - 2) / 6])


def test_more_pairs_than_fit_into_one_block(exact):
    scores = np.random.default_rng(9).random((300, 30))
    first, second = all_pairs(30)
    effects = rank_biserial(scores, first, second)
    gains = (scores[:, second] - scores[:, first]).T
    ranks = np.argsort(np.argsort(np.abs(gains), axis=1), axis=1) + 1
    assert effects == pytest.approx((np.sign(gains) * ranks).sum(axis=1) / (300 * 301 / 2))
    counts = win_tie_loss(midranks(scores), first, second)
    assert counts.wins.tolist() == (gains > 0).sum(axis=1).tolist()
    assert counts.losses.tolist() == (gains < 0).sum(axis=1).tolist()


@pytest.mark.parametrize("k", [2, 64, 99])
def test_counts_of_many_data_sets(k):
    rng = np.random.default_rng(k)
    scores = rng.integers(0, 4, (20_000, k))
    first, second = all_pairs(k)
    first, second = first[::60], second[::60]
    counts = win_tie_loss(midranks(scores), first, second)
    assert counts.wins.tolist() == (scores[:, first] < scores[:, second]).sum(axis=0).tolist()
    assert counts.ties.tolist() == (scores[:, first] == scores[:, second]).sum(axis=0).tolist()
    assert counts.losses.tolist() == (scores[:, first] > scores[:, second]).sum(axis=0).tolist()
