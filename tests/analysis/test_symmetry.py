"""What is said where the differences of a significant pair are not symmetric."""

import numpy as np

from nbcompare import Experiment, compare, compare_by, compare_pair


def experiment(scores, direction="maximize"):
    names = ["A", "B", "C"][: np.shape(scores)[1]]
    return Experiment.from_array(scores, direction=direction, algorithms=names)


def skewed(seed=5, n=60):
    """A and B have equal means, with a skew, and C is the best on all data sets."""
    d = np.random.default_rng(seed).gamma(2, size=n) - 2
    return np.stack([d, np.zeros(n), 5 + d + 0.1 * np.random.default_rng(1).normal(size=n)], axis=1)


def texts(result, code):
    return [note.text for note in result.notes if note.code == code]


def test_a_pair_with_a_skew_says_what_is_compared():
    scores = skewed()
    result = compare_pair(experiment(scores), "A", "B", scale="one")
    mean, median = scores[:, 0].mean(), np.median(scores[:, 0])
    assert result.rejected
    (text,) = texts(result, "asymmetric")
    assert text == (
        "The differences of B and A are not symmetric (triples test, p at most 0.01). Wilcoxon's "
        "test then compares neither means nor medians, but asks whether the average of the "
        "differences on two data sets drawn at random is more often in favour of the one algorithm "
        f"than of the other. The mean difference is {-mean:.4g} and the median {-median:.4g} (> 0: "
        "B is better)."
    )
    assert result.findings[-1] == f"Read with care: {text}"
    assert any("Randles" in one for one in result.references)
    assert texts(compare_pair(experiment(scores), "A", "B", test="sign"), "asymmetric") == []
    methods = str(result.section("methods"))
    assert "differences of two algorithms are symmetric about 0" in " ".join(methods.split())


def test_all_pairs_are_adjusted_for_and_only_significant_ones_are_told():
    result = compare(experiment(skewed()), scale="one")
    (text,) = texts(result, "asymmetric")
    # the differences of C and B have the same skew, and mean and median are far from 0
    assert text.startswith("The differences of B and A are not symmetric (triples test, p at most ")
    assert "0.01, adjusted for 3 hypotheses)" in text
    assert result.findings[-1] == f"Read with care: {text}"
    assert texts(compare(experiment(skewed()), alpha=1e-4, scale="one"), "asymmetric") == []
    for options in ({"pairs": "exchange"}, {"pairs": "ranks"}, {"pairs": "t"}):
        assert texts(compare(experiment(skewed()), scale="one", **options), "asymmetric") == []


def test_scores_with_gaps_and_in_the_other_direction():
    scores = skewed()
    full = texts(compare(experiment(scores), scale="one"), "asymmetric")
    turned = texts(compare(experiment(-scores, "minimize"), scale="one"), "asymmetric")
    assert full == turned
    gaps = np.vstack([scores, [[np.nan, 1.0, 2.0]]])
    found = compare(experiment(gaps), scale="one", pairs="wilcoxon", missing="skillings-mack")
    assert texts(found, "asymmetric")


def test_wins_of_the_other_algorithm_are_told():
    gains = np.concatenate([-0.01 * np.arange(1, 22), np.arange(1, 21)])
    scores = np.stack([gains, np.zeros(41)], axis=1)
    for result in (
        compare(experiment(scores), scale="one"),
        compare_pair(experiment(scores), "A", "B", scale="one"),
    ):
        (text,) = texts(result, "opposite-signs")
        assert text == (
            "The sign test points the other way: the significantly better algorithm is better on "
            "fewer data sets (A against B (20 to 21)). Wilcoxon's test also weighs by how much."
        )


def test_groups_have_their_own_notes():
    scores = np.vstack([skewed(5), skewed(9)])
    data = Experiment.from_array(scores, direction="maximize", algorithms=["A", "B", "C"])
    by = {name: "one" if i < 60 else "two" for i, name in enumerate(data.datasets)}
    result = compare_by(data, by=by, scale="one")
    assert all(texts(one, "asymmetric") for one in result.groups.values())
