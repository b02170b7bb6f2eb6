"""The design of a comparison: what is not asked for fits what is, and is what is recommended."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare import compare, compare_by, compare_ranks, datasets, recommend
from nbcompare.stats.logical import MOST_ALGORITHMS

AS_BEFORE = {"ranking": "friedman", "pairs": "ranks", "adjust": "holm", "method": "normal"}


def codes(result):
    return [note.code for note in result.notes]


def test_the_call_that_gives_the_results_of_the_first_version():
    data = datasets.load("demsar2006")
    result = compare(data, **AS_BEFORE)
    tests = result.hypotheses
    assert not tests.rejected.any()
    assert tests.statistic.round(3).tolist() == [2.623, 2.469, 2.160, 2.006, 0.463, 0.154]
    assert tests.adjusted["holm"].round(3).tolist() == [0.052, 0.068, 0.123, 0.135, 1, 1]
    assert compare(data).hypotheses.rejected.sum() == 1
    assert result.design.options["method"] == "normal"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ("friedman", "wilcoxon", "holm", "exact")),
        ({"scale": "several"}, ("friedman", "exchange", "bergmann-hommel", "exact")),
        ({"pairs": "exchange"}, ("friedman", "exchange", "bergmann-hommel", "exact")),
        ({"adjust": "shaffer"}, ("friedman", "wilcoxon", "shaffer", "exact")),
        ({"control": "A1"}, ("friedman", "wilcoxon", "holm", "exact")),
        ({"adjust": "nemenyi"}, ("friedman", "ranks", "nemenyi", "normal")),
        ({"adjust": ["holm", "nemenyi"]}, ("friedman", "ranks", "holm", "normal")),
        ({"ranking": "aligned"}, ("aligned", "ranks", "bergmann-hommel", "exact")),
        (
            {"ranking": "quade", "pairs": "wilcoxon"},
            ("quade", "wilcoxon", "holm", "exact"),
        ),
        ({"formulas": "printed"}, ("friedman", "ranks", "holm", "normal")),
        (
            {"formulas": "printed", "pairs": "wilcoxon", "adjust": "shaffer"},
            ("friedman", "wilcoxon", "shaffer", "normal"),
        ),
        ({"pairs": "t"}, ("friedman", "t", "bergmann-hommel", "t")),
        ({"method": "normal"}, ("friedman", "wilcoxon", "holm", "normal")),
        (
            {"ranking": "friedman", "method": "exact"},
            ("friedman", "wilcoxon", "holm", "exact"),
        ),
    ],
    ids=str,
)
def test_what_is_not_asked_for_fits_what_is(experiment, asked, expected):
    result = compare(experiment(np.random.default_rng(1).random((20, 4))), **asked)
    assert (result.ranking, result.pairs, result.adjust[0], result.method) == expected
    stated = {name: asked[name] for name in ("control", "scale") if name in asked}
    recommended = compare(experiment(np.random.default_rng(1).random((20, 4))), **stated)
    same = expected[:3] == (recommended.ranking, recommended.pairs, recommended.adjust[0])
    assert ("not-recommended" in codes(result)) != same
    assert result.why.startswith("Design")
    assert result.sentences[-1] == result.why


@pytest.mark.parametrize("scale", ["one", "several"])
@pytest.mark.parametrize(("k", "least"), [(3, 7), (4, 8), (5, 9), (8, 11), (14, 12), (20, 13)])
def test_too_few_data_sets_change_no_test_but_are_told_first(experiment, k, least, scale):
    scores = np.random.default_rng(2).random((least, k))
    enough, few = (compare(experiment(table), scale=scale) for table in (scores, scores[:-1]))
    assert enough.pairs == few.pairs == {"one": "wilcoxon", "several": "exchange"}[scale]
    assert never(enough) == []
    (note,) = never(few)
    assert f"At least {least} data sets are needed for that." in note
    assert few.findings[0] == note
    assert not few.hypotheses.rejected.any()


def never(result):
    return [note.text for note in result.notes if note.code == "never-significant"]


def test_ties_of_pairs_change_no_design_but_are_told(experiment):
    # three solve what one does not, in turn: each two differ on half of the data sets
    scores = np.ones((12, 4)) - np.tile(np.eye(4), (3, 1))
    result, said = compare(experiment(scores)), recommend(experiment(scores))
    assert result.pairs == said.pairs == "wilcoxon"
    assert not result.hypotheses.rejected.any()
    # the smallest p is that of one algorithm that is better wherever the two differ
    better = np.ones((12, 4))
    better[:6, 1:] = 0
    p = compare(experiment(better), pairs="wilcoxon", adjust=None).hypotheses.pvalue
    assert p.min() == 2.0**-5
    # with one more difference of one pair, some could be significant
    scores[0] = [0, 0.5, 1, 1]
    for row in (1, 2):
        scores[row, 0] = 0.7
    assert never(compare(experiment(scores))) == []


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 6))
def test_the_design_does_not_depend_on_who_is_best(experiment, seed, n, k):
    generator = np.random.default_rng(seed)
    scores = generator.integers(0, 5, (n, k)).astype(float)
    other = generator.permuted(scores, axis=1)
    one, two = (compare(experiment(table)) for table in (scores, other))
    assert (one.ranking, one.pairs, one.adjust, one.why) == (
        two.ranking,
        two.pairs,
        two.adjust,
        two.why,
    )


def test_several_scales_are_compared_by_exchanges(experiment):
    scores = np.random.default_rng(3).random((30, 4)) * np.logspace(0, 6, 30)[:, np.newaxis]
    result = compare(experiment(scores))
    assert (result.ranking, result.pairs) == ("friedman", "exchange")
    assert "one scale" in result.why
    # by the ranks within data sets, which any rising function of their scores leaves as they are
    other = compare(experiment(np.exp(scores / scores.max(axis=1, keepdims=True))), scale="several")
    assert other.hypotheses.pvalue.tolist() == result.hypotheses.pvalue.tolist()


def test_adjustment_of_many_algorithms(experiment):
    for k, by_ranks, exchange in [
        (14, "bergmann-hommel", "bergmann-hommel"),
        (15, "bergmann-hommel", "shaffer"),
        (50, "bergmann-hommel", "shaffer"),
        (51, "shaffer", "shaffer"),
    ]:
        data = experiment(np.random.default_rng(4).random((5, k)))
        assert compare(data).adjust == ("holm",)
        assert compare(data, pairs="ranks").adjust == (by_ranks,)
        assert compare(data, scale="several").adjust == (exchange,)
    data = experiment(np.random.default_rng(4).random((30, MOST_ALGORITHMS + 1)))
    assert compare(data, adjust="bergmann-hommel").pairs == "ranks"


def test_groups_have_the_tests_that_suit_each(experiment):
    scores = np.random.default_rng(5).random((14, 3))
    scores[:2] *= 1e-6  # of few data sets too many to be on one scale with the others
    data = experiment(scores)
    kind = {name: "few" if i < 4 else "many" for i, name in enumerate(data.datasets)}
    result = compare_by(data, by=kind)
    assert {name: one.pairs for name, one in result.groups.items()} == {
        "few": "exchange", "many": "wilcoxon",
    }  # fmt: skip
    assert "not-recommended" not in codes(result)
    rows = dict(row for table in result.section("method").parts for row in table.rows)
    assert rows["pairs"] == "few: exchange; many: wilcoxon"
    assert rows["ranking"] == "Friedman"
    assert "tests-of-groups" not in codes(compare_by(data, by=kind, pairs="ranks"))
    assert compare_by(data, by=kind, across=True).groups["few"].adjust == ("holm",)


@pytest.mark.parametrize("control", [None, "A2"])
@pytest.mark.parametrize("k", [2, 3, 50, 51, 200, 201])
def test_average_ranks_and_scores_are_adjusted_by_the_same_rules(experiment, k, control):
    data = experiment(np.random.default_rng(6).random((4, k)))
    scores = compare(data, pairs="ranks", control=control, formulas="corrected")
    alone = compare_ranks(scores.average_ranks, 4, control=control)
    assert alone.adjust == scores.adjust
    # the reason for the adjustment ends the sentence
    assert alone.why.rpartition("; ")[2] == scores.why.rpartition("; ")[2]
    assert "(by the normal law, because average ranks alone give no exact p-values)" in alone.why
    plain = compare_ranks(scores.average_ranks, 4, control=control, adjust=None)
    assert plain.why.endswith("; no adjustment.")


def test_exact_p_of_few_data_sets(experiment):
    """Four data sets on which one of two always wins: 2 of 16 signs are as extreme."""
    data = experiment([[1, 2], [1, 3], [2, 4], [5, 6]])
    by_ranks = compare(data, pairs="ranks")
    assert by_ranks.hypotheses.pvalue[0] == pytest.approx(0.125, rel=1e-12)
    assert by_ranks.omnibus["friedman"].pvalue == pytest.approx(0.125, rel=1e-12)
    assert by_ranks.omnibus["friedman"].is_exact
    assert compare(data, **AS_BEFORE).hypotheses.pvalue[0] == pytest.approx(0.0455, abs=1e-4)
    assert not by_ranks.hypotheses.rejected[0]
