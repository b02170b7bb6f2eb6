"""Which differences are too small to matter: outcomes with regard to a margin."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import DataError, Experiment, compare

DEMSAR = nbc.datasets.load("demsar2006")
WORDS = {
    (True, False): "different",
    (True, True): "different but negligible",
    (False, True): "equivalent",
    (False, False): "inconclusive",
}


def made(scores, direction="minimize", names=None):
    names = names or [f"A{j}" for j in range(scores.shape[1])]
    return Experiment.from_array(
        scores, direction=direction, algorithms=names, datasets=range(len(scores))
    )


def whole(n=11, k=4, seed=1, most=8):
    """Whole numbers, so that sums are exact and many differences are tied or zero."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, most, size=(n, k)) + 2.0 * np.arange(k)


def noise(n=14, k=4, seed=1):
    return (np.random.default_rng(seed).normal(size=(n, k)) + np.arange(k) / 2).round(3)


def by_pair(result):
    tests = result.hypotheses
    return {
        frozenset(pair): word
        for *pair, word in zip(tests.first, tests.second, tests.outcome, strict=True)
    }


def walsh_interval(d, level):
    """Return the interval of all Walsh averages, by enumeration of all signs of untied ranks."""
    n = len(d)
    sums = np.array([np.dot(signs, np.arange(1, n + 1)) for signs in product((0, 1), repeat=n)])
    left_out = sum(2 * np.mean(sums <= c) <= level for c in range(n * (n + 1) // 4))
    if not left_out:
        return -np.inf, np.inf
    walsh = sorted((d[i] + d[j]) / 2 for i in range(n) for j in range(i, n))
    return walsh[left_out - 1], walsh[-left_out]


def t_interval(d, level):
    if np.ptp(d) == 0:
        return d[0], d[0]
    found = stats.ttest_1samp(d, 0).confidence_interval(1 - level)
    return found.low, found.high


def holm(p):
    order, adjusted, largest = np.argsort(p), np.empty(len(p)), 0.0
    for step, row in enumerate(order):
        largest = max(largest, min(1.0, (len(p) - step) * p[row]))
        adjusted[row] = largest
    return adjusted


INTERVALS = {"wilcoxon": walsh_interval, "t": t_interval}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
@pytest.mark.parametrize("control", [None, "A1"])
def test_outcomes_by_brute_force(pairs, control, seed):
    scores = whole(seed=seed, most=(3, 8, 30)[seed % 3])
    for margin in (1.0, 2.5, 3.0, 4.0, 7.5):
        result = compare(made(scores), pairs=pairs, control=control, adjust="holm", margin=margin)
        tests = result.hypotheses
        m = 6 if control is None else 3
        assert len(tests) == len(tests.outcome) == m
        rejected = holm(tests.pvalue) <= 0.05
        for row, (one, two) in enumerate(zip(tests.first, tests.second, strict=True)):
            d = scores[:, int(two[1])] - scores[:, int(one[1])]
            low, high = INTERVALS[pairs](d, 0.05 / m)
            within = -margin < low and high < margin
            assert tests.outcome[row] == WORDS[bool(rejected[row]), within], (margin, one, two)


def test_brute_force_meets_every_outcome():
    """The test above would be worth little if it never met one of the words."""
    met = set()
    for seed in range(6):
        for margin in (1.0, 2.5, 3.0, 4.0, 7.5):
            data = made(whole(seed=seed, most=(3, 8, 30)[seed % 3]))
            met |= set(compare(data, adjust="holm", margin=margin).hypotheses.outcome)
    assert met == set(WORDS.values())


@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
def test_what_the_intervals_show_does_not_matter(pairs):
    found = [
        by_pair(compare(made(noise()), pairs=pairs, intervals=word, margin=1.2))
        for word in ("simultaneous", "pairwise", "none")
    ]
    assert found[0] == found[1] == found[2]
    assert len(set(found[0].values())) > 1
    # the pairwise intervals alone would say otherwise
    narrow = compare(made(noise()), pairs=pairs, intervals="pairwise", margin=1.2).hypotheses
    inside = (narrow.lower > -1.2) & (narrow.upper < 1.2)
    assert inside.sum() > sum("equivalent" in w or "negligible" in w for w in narrow.outcome)


def test_intervals_never_overrule_the_adjusted_p():
    for margin in (0.01, 0.03, 0.05, 1.0):
        tests = compare(DEMSAR, margin=margin).hypotheses
        differ = [word.startswith("different") for word in tests.outcome]
        assert differ == list(tests.rejected)
        # one rejected pair has zero inside its interval, and stays different
        assert ((tests.lower <= 0) & (tests.upper >= 0) & tests.rejected).any()


# ------------------------------------------------------------------------------ properties


@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
def test_a_larger_margin_never_takes_an_equivalence_back(pairs):
    within = set()
    for margin in np.linspace(0.05, 4, 40):
        found = by_pair(compare(made(noise(seed=4)), pairs=pairs, margin=float(margin)))
        now = {pair for pair, word in found.items() if word not in ("different", "inconclusive")}
        assert within <= now
        within = now
    assert len(within) == 6


# -------------------------------------------------------------------------------- boundary


def test_an_end_at_the_margin_is_not_within():
    scores = whole(seed=5)
    tests = compare(made(scores), pairs="wilcoxon", adjust="holm", margin=1.0).hypotheses
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        end = max(-tests.lower[row], tests.upper[row])
        for margin, inside in ((end, False), (end * (1 - 1e-9), False), (end * (1 + 1e-9), True)):
            word = by_pair(compare(made(scores), pairs="wilcoxon", adjust="holm", margin=margin))
            assert word[frozenset(pair)] == WORDS[bool(tests.rejected[row]), inside]


def test_rounding_noise_puts_no_end_inside_the_margin():
    # decimals that differ by 0.1, of which every difference is a little below it in binary
    upper = np.array([0.3, 0.9, 0.3, 0.9, 0.3, 0.9, 0.3, 0.9])
    scores = np.column_stack([upper, (upper - 0.1).round(1)])
    assert (scores[:, 0] - scores[:, 1] < 0.1).all()
    for pairs in ("wilcoxon", "t"):
        for data in (made(scores), made(-scores, "maximize"), made(scores[:, ::-1])):
            at = compare(data, pairs=pairs, margin=0.1)
            assert at.hypotheses.outcome == ("different",)
            over = compare(data, pairs=pairs, margin=0.1001)
            assert over.hypotheses.outcome == ("different but negligible",)


def test_one_huge_data_set_does_not_blur_the_others():
    scores, margin = noise() * 1e-3, 1.7e-3
    assert 8 * np.finfo(float).eps * 1e12 > margin  # its noise is larger than the margin
    small, huge = (np.vstack([scores, np.full((1, 4), tied)]) for tied in (1e-3, 1e12))
    expected = by_pair(compare(made(small), margin=margin))
    assert set(expected.values()) >= {"equivalent", "inconclusive"}
    assert by_pair(compare(made(huge), margin=margin)) == expected


def test_too_few_data_sets_have_no_pair_within():
    scores = np.random.default_rng(0).normal(size=(7, 4)) * 1e-3
    result = compare(made(scores), margin=100.0)
    assert set(result.hypotheses.outcome) == {"inconclusive"}
    note = next(n.text for n in result.notes if n.code == "margin-out-of-reach")
    assert "8 would be enough" in note
    enough = compare(made(np.vstack([scores, scores[:1]])), margin=100.0)
    assert set(enough.hypotheses.outcome) == {"equivalent"}
    assert "margin-out-of-reach" not in {n.code for n in enough.notes}
    assert set(compare(made(scores), pairs="t", margin=100.0).hypotheses.outcome) == {"equivalent"}


def test_a_margin_wider_than_all_differences_is_told():
    scores = noise()
    largest = np.ptp(scores, axis=1).max()
    for margin, told in ((largest, False), (largest * 1.001, True)):
        notes = compare(made(scores), margin=margin).notes
        assert ("margin-too-wide" in {note.code for note in notes}) == told
    # every difference is the margin, if a little below it in binary
    upper = np.array([0.3, 0.9, 0.3, 0.9, 0.3, 0.9, 0.3, 0.9])
    at = compare(made(np.column_stack([upper, (upper - 0.1).round(1)])), margin=0.1)
    assert "margin-too-wide" not in {note.code for note in at.notes}
    scores[2, 1] = np.nan
    result = compare(made(scores), missing="skillings-mack", margin=100)
    assert "margin-too-wide" in {note.code for note in result.notes}


# ---------------------------------------------------------------------------------- design


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ranking": "aligned"},
        {"ranking": "quade"},
        {"formulas": "printed"},
        {"adjust": None},
        {"adjust": ["holm", "bonferroni"]},
    ],
)
def test_a_margin_implies_tests_that_give_intervals(options):
    result = compare(DEMSAR, margin=0.05, **options)
    assert result.pairs == "wilcoxon"
    assert "as a margin needs" in result.why


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"pairs": "ranks"}, {"pairs": "wilcoxon"}),
        ({"pairs": "ranks"}, {"pairs": "t"}),
        ({"adjust": "nemenyi"}, {"adjust": "holm"}),
        ({"adjust": ["holm", "nemenyi"]}, {"adjust": "holm"}),
    ],
)
def test_what_does_not_go_with_a_margin(options, advice):
    with pytest.raises(ValueError, match=r"`margin` must not be 0\.05 here") as error:
        compare(DEMSAR, margin=0.05, **options)
    ((name, word),) = advice.items()
    assert f"{name}='{word}'" in str(error.value)
    assert compare(DEMSAR, margin=0.05, **options | advice).hypotheses.outcome
    assert "leave out `margin`" in str(error.value)
    assert compare(DEMSAR, **options).hypotheses.outcome is None


@pytest.mark.parametrize("pairs", ["auto", "wilcoxon", "t"])
def test_several_scales(pairs):
    scores = noise(20) * 10.0 ** np.arange(-10, 10)[:, np.newaxis]
    with pytest.raises(DataError, match="`margin` must be left out here") as error:
        compare(made(scores), pairs=pairs, margin=0.1)
    for words in ("factor of", "the option scale can state it: one", "pairs='exchange'"):
        assert words in str(error.value)
    stated = compare(made(scores), pairs=pairs, margin=0.1, scale="one")
    assert len(stated.hypotheses.outcome) == 6
    with pytest.raises(DataError, match="are stated to be on several scales"):
        compare(made(noise()), pairs=pairs, margin=0.1, scale="several")
    groups = {str(i): "few" for i in range(20)}
    with pytest.raises(DataError, match=r"group 'few': `margin` must be left out here"):
        nbc.compare_by(made(scores), by=groups, margin=0.1)


@pytest.mark.slow
def test_gaps():
    scores = noise(16)
    scores[:3, 0] = np.nan
    result = compare(made(scores), missing="skillings-mack", margin=1.5, adjust="holm")
    assert result.pairs == "wilcoxon"
    full = compare(made(scores[:, 1:]), margin=1.5, adjust="holm")
    of_three = by_pair(full)
    # the interval is that of the pair's own data sets, but for more hypotheses
    tests = result.hypotheses
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        used = scores[:, [int(name[1]) for name in pair]]
        d = np.subtract(*used[~np.isnan(used).any(axis=1)].T)
        low, high = walsh_interval(d, 0.05 / 6)
        within = low > -1.5 and high < 1.5
        assert tests.outcome[row] == WORDS[bool(tests.rejected[row]), within]
    assert len(of_three) == 3


# ---------------------------------------------------------------------------------- display


@pytest.mark.parametrize(
    ("adjust", "claim"),
    [
        ("holm", "Claims of difference keep family-wise error α"),
        ("bergmann-hommel", "Claims of difference keep family-wise error α"),
        ("benjamini-hochberg", "Claims of difference keep false discovery rate α"),
        ("finner", "only on the condition that a note names"),
        ("li", "only on the condition that a note names"),
        (None, "Claims of difference are not adjusted"),
    ],
)
def test_the_method_says_which_errors_the_claims_have(adjust, claim):
    result = compare(DEMSAR, margin=0.05, adjust=adjust)
    rows = dict(result.section("method").parts[0].rows)
    assert claim in rows["margin"]
    if "note" in claim:
        assert any(n.code.startswith(f"{adjust}-") for n in result.notes)
    assert "99.17 % interval strictly inside ±0.05" in rows["margin"]
    assert rows["margin"].startswith("0.05 (AUC)")


# ------------------------------------------------------------------------------- simulation


@pytest.mark.weekly
@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
def test_claims_of_equivalence_keep_their_error(pairs):
    """The differences of all pairs of a group are exactly the margin, or more."""
    rng, margin, trials = np.random.default_rng(5), 1.0, 1_500
    true = np.array([0.0, 1.0, 2.0])
    single = together = 0
    for _ in range(trials):
        scores = rng.normal(true, 0.7, size=(20, 3))
        found = by_pair(compare(made(scores), pairs=pairs, margin=margin))
        claims = [word in ("equivalent", "different but negligible") for word in found.values()]
        single += found[frozenset(("A0", "A1"))] in ("equivalent", "different but negligible")
        together += any(claims)
    level = 0.05 / 3 / 2  # one end of the interval of a pair
    assert single / trials < level + 3 * np.sqrt(level / trials)
    assert single / trials > level / 4  # the margin is reached, not only kept at a distance
    assert together / trials < 0.05
