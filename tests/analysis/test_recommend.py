"""Every rule at its boundary, and that compare() takes what is recommended."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.analysis._design import RULES
from nbcompare.words import CITATIONS

ADVICE = Path(nbc.__file__).parent / "words" / "advice.toml"


def table(n, k, *, factor=1.0, gaps=(), seed=1):
    """Scores with a range of 1 on each data set, of ``factor`` on the upper half of them."""
    scores = np.random.default_rng(seed).random((n, k))
    scores[:, 0], scores[:, 1] = 0, 1
    scores[n // 2 :] *= factor
    for gap in gaps:
        scores[gap] = np.nan
    return nbc.Experiment.from_array(scores, direction="minimize")


def codes(result):
    return [reason.code for reason in result.reasons]


def chosen(experiment, **options):
    result = nbc.recommend(experiment, **options)
    return result.ranking, result.pairs, result.adjust, result.missing


# ------------------------------------------------------------------- each rule's boundary


@pytest.mark.parametrize("k", [2, 3, 5])
def test_average_ranks_for_every_table(k):
    result = nbc.recommend(table(20, k))
    assert result.ranking == "friedman"
    assert ("average-ranks" in codes(result)) == (k > 2)


@pytest.mark.parametrize(
    ("factor", "pairs"), [(1, "wilcoxon"), (99, "wilcoxon"), (101, "exchange")]
)
def test_data_sets_on_one_scale_or_not(factor, pairs):
    for k in (2, 4, 5):
        result = nbc.recommend(table(20, k, factor=factor))
        assert (result.ranking, result.pairs) == ("friedman", pairs)
        assert ("exchange-within" in codes(result)) == (factor > 100)


def test_reasons_for_a_pair_on_several_scales_speak_of_no_other_algorithm():
    data = table(20, 2, factor=101)
    result = nbc.recommend(data)
    assert result.pairs == "exchange"
    assert "exchange-within" in codes(result)
    assert "other algorithms" not in " ".join(reason.text for reason in result.reasons)
    # what the reason says: it is the sign test
    sign = nbc.compare_pair(data, "A1", "A2", test="sign")
    assert nbc.compare(data).hypotheses.pvalue[0] == pytest.approx(sign.pvalue, rel=1e-12)


def test_a_few_narrow_data_sets_do_not_make_another_scale():
    experiment = table(40, 3)
    scores = experiment.mean_scores.copy()
    scores[:3] *= 1e-6
    scores[3] = 0.5  # all tied: no range at all
    few = nbc.Experiment.from_array(scores, direction="minimize")
    assert nbc.recommend(few).pairs == "wilcoxon"


@pytest.mark.parametrize(
    ("n", "k", "control", "enough"),
    [
        # C(4, 2) 2^(1-n) <= 0.05 from n = 8 on
        (7, 4, None, False),
        (8, 4, None, True),
        # 3 hypotheses against a control: from n = 7 on
        (6, 4, "A2", False),
        (7, 4, "A2", True),
        (5, 2, None, False),
        (6, 2, None, True),
    ],
)
@pytest.mark.parametrize("scale", ["one", "several"])
def test_a_design_is_weak_where_nothing_can_be_rejected(n, k, control, enough, scale):
    # the clearest differences there can be
    clear = np.arange(n)[:, None] / 100 + np.arange(k) * np.linspace(1, 1.001, n)[:, None]
    experiment = nbc.Experiment.from_array(clear, direction="minimize")
    result = nbc.recommend(experiment, control=control, scale=scale)
    assert result.pairs == {"one": "wilcoxon", "several": "exchange"}[scale]
    assert ("powerless" in codes(result)) == (not enough)
    found = nbc.compare(experiment, **{**result.options, "control": control and "A1"})
    assert found.hypotheses.rejected.any() == enough
    few = [note.text for note in found.notes if note.code == "never-significant"]
    assert bool(few) == (not enough)
    assert [found.findings[0]] == few or enough


def test_alpha_decides_whether_anything_can_be_rejected():
    assert "powerless" not in codes(nbc.recommend(table(7, 4), alpha=0.1))
    assert "powerless" in codes(nbc.recommend(table(8, 4), alpha=0.01))


@pytest.mark.parametrize(
    ("k", "options", "adjust", "code"),
    [
        (2, {}, "holm", "one-hypothesis"),
        (2, {"control": "A1"}, "holm", "one-hypothesis"),
        (3, {"control": "A1"}, "holm", "any-dependence"),
        (3, {}, "holm", "not-logical"),
        (15, {}, "holm", "not-logical"),
        (3, {"scale": "several"}, "bergmann-hommel", "logical"),
        (14, {"scale": "several"}, "bergmann-hommel", "logical"),
        (15, {"scale": "several"}, "shaffer", "logical-many"),
        (200, {"scale": "several"}, "shaffer", "logical-many"),
        (201, {"scale": "several"}, "holm", "very-many"),
    ],
)
def test_adjustment(k, options, adjust, code):
    result = nbc.recommend(table(40, k), **options)
    assert result.pairs == ("exchange" if "scale" in options else "wilcoxon")
    assert result.adjust == adjust
    assert code in codes(result)


@pytest.mark.parametrize(
    ("n", "k", "strength", "code"),
    [
        (9, 5, "weak", "few-datasets"),
        (10, 5, "adequate", "enough-datasets"),
        (19, 5, "adequate", "enough-datasets"),
        (20, 5, "strong", "many-datasets"),
        # 2k and 4k are met, but 10 data sets are few in any case
        (10, 2, "adequate", "enough-datasets"),
        (11, 2, "strong", "many-datasets"),
        (6, 2, "adequate", "enough-datasets"),
        (5, 2, "weak", "powerless"),
    ],
)
def test_strength_of_the_design(n, k, strength, code):
    result = nbc.recommend(table(n, k))
    assert result.strength == strength
    assert codes(result)[-1] == code
    assert result.sentences[-1] == f"The design is {strength}."


# ---------------------------------------------------------------------------- missing


def test_missing_scores():
    assert chosen(table(30, 4, gaps=[(0, 0), (5, 2)])) == (
        "friedman",
        "wilcoxon",
        "holm",
        "skillings-mack",
    )
    assert chosen(table(30, 2, gaps=[(0, 0)]))[3] == "drop"
    result = nbc.recommend(table(30, 4, gaps=[(0, 0), (5, 2)]))
    assert codes(result)[:2] == ["gaps", "average-ranks"]
    assert "2 scores of 120 are missing. Whether one is missing must not depend" in str(result)


def test_pairs_that_share_too_few_data_sets():
    # the first two algorithms share one data set, others more
    gaps = [(i, 0) for i in range(7)] + [(i, 1) for i in range(7, 13)]
    experiment = table(14, 3, gaps=gaps)
    result = nbc.recommend(experiment)
    assert (result.pairs, result.adjust) == ("exchange", "bergmann-hommel")
    assert "apart" in codes(result)
    assert "powerless" not in codes(result)  # for the other pairs are enough
    assert nbc.recommend(experiment, control="A3").pairs == "wilcoxon"
    assert nbc.recommend(table(14, 3, gaps=gaps[:-1])).pairs == "wilcoxon"


# -------------------------------------------------------------------------------- notes


# ----------------------------------------------------------------------------- the whole


def shapes():
    return st.tuples(st.integers(2, 25), st.integers(2, 7), st.integers(0, 10**6))


@settings(max_examples=30)
@given(shapes(), st.sampled_from([1.0, 1e4]), st.booleans(), st.sampled_from([None, "A2", "best"]))
def test_compare_takes_what_is_recommended(shape, factor, gaps, control):
    n, k, seed = shape
    cells = [(0, 0)] if gaps and n > 3 else []
    experiment = table(n, k, factor=factor, gaps=cells, seed=seed)
    result = nbc.recommend(experiment, control=control)
    comparison = nbc.compare(experiment, **result.options)
    assert comparison.n_pooled or len(comparison.hypotheses) == result.n_hypotheses
    assert comparison.n_pooled in (0, result.n_hypotheses)
    assert comparison.adjust == (result.adjust,)
    assert {reason.source for reason in result.reasons} <= set(CITATIONS)


@settings(max_examples=20)
@given(shapes(), st.sampled_from([1e-3, 7.0]), st.integers(-3, 3))
def test_unit_direction_and_order_do_not_matter(shape, factor, shift):
    n, k, seed = shape
    scores = table(n, k, factor=30, seed=seed).mean_scores
    rng = np.random.default_rng(seed)
    one = nbc.recommend(nbc.Experiment.from_array(scores, direction="minimize"))
    other = shift - factor * scores[rng.permutation(n)][:, rng.permutation(k)]
    two = nbc.recommend(nbc.Experiment.from_array(other, direction="maximize"))
    assert one.options == two.options
    assert codes(one) == codes(two)
    assert one.strength == two.strength


def test_every_rule_has_a_source_and_every_option_a_last_resort():
    for rules in RULES.values():
        assert rules[-1].when(None)
        for rule in rules:
            assert bool(rule.text) == (rule.source in CITATIONS)
    texts = tomllib.loads(ADVICE.read_text(encoding="utf-8"))
    assert set(texts) <= {rule.code for rules in RULES.values() for rule in rules}


def test_what_it_shows():
    result = nbc.recommend(nbc.datasets.load("demsar2006"), control="C4.5")
    assert result.call == (
        "compare(experiment, ranking='friedman', control='C4.5', pairs='wilcoxon', adjust='holm', "
        "alpha=0.05, missing='raise')"
    )
    assert result.to_frame()["source"].tolist() == [
        "Demšar 2006",
        "Benavoli et al. 2016",
        "Holm 1979",
        "Derrac et al. 2011",
    ]
    cited = {part.source for part in (*result.reasons, *result.questions)}
    assert set(result.references) == {CITATIONS[key] for key in cited}


def test_two_authors_are_both_cited():
    result = nbc.recommend(table(20, 3, gaps=[(0, 0)]), scale="several")
    assert {"Skillings and Mack 1981", "García and Herrera 2008"} <= {
        reason.cited for reason in result.reasons
    }


@pytest.mark.parametrize("n", range(4, 11))
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("lacks", ["scores", "folds", "both"])
def test_what_is_recommended_is_what_is_taken_once_gaps_are_treated(n, k, lacks):
    # averages over other folds may be on another scale
    scores = np.random.default_rng(n).normal(size=(n, k, 3))
    if lacks != "folds":
        scores[0, 0] = np.nan
    if lacks != "scores":
        scores[1, 1, 0] = scores[2, 0, 1] = np.nan
        scores[3, 0, 0] = scores[3, 1, 1:] = np.nan  # no fold of both is left
    experiment = nbc.Experiment.from_array(scores, direction="maximize")
    advice = nbc.recommend(experiment, scale="one")
    taken = nbc.compare(experiment, missing=advice.missing, scale="one")
    assert (taken.ranking, taken.pairs, *taken.adjust) == (
        advice.ranking,
        advice.pairs,
        advice.adjust,
    )
