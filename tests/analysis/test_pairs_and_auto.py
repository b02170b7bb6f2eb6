"""Pairs tested by themselves, and choices left to the recommendation."""

import numpy as np
import pytest

from nbcompare import compare, compare_pair, datasets, plots
from nbcompare.stats.parametric import repeated_measures_anova


@pytest.mark.parametrize("pairs", ["wilcoxon", "t"])
@pytest.mark.parametrize("name", ["demsar2006", "otero2013_auc"])
def test_each_pair_as_by_compare_pair(pairs, name):
    data = datasets.load(name)
    tests = compare(data, pairs=pairs).hypotheses
    for row in range(len(tests)):
        alone = compare_pair(data, tests.first[row], tests.second[row], test=pairs)
        assert tests.pvalue[row] == pytest.approx(alone.pvalue, rel=1e-12)
        assert tests.log10_pvalue[row] == pytest.approx(alone.log10_pvalue, rel=1e-12)
        assert (tests.wins[row], tests.losses[row]) == (alone.wins, alone.losses)


def test_pairs_alone_do_not_depend_on_the_others():
    data = datasets.load("otero2013_simulated")
    few = data.select(algorithms=data.algorithms[:2])
    for pairs in ("wilcoxon", "t"):
        every = compare(data, pairs=pairs).to_frame().set_index(["first", "second"])
        alone = compare(few, pairs=pairs).to_frame().iloc[0]
        assert every.loc[data.algorithms[:2], "pvalue"] == alone["pvalue"]


def test_analysis_of_variance_decides_before_t_tests():
    data = datasets.load("demsar2006")
    result = compare(data, pairs="t")
    assert list(result.omnibus) == ["friedman", "iman-davenport", "anova"]
    expected = repeated_measures_anova(data.mean_scores)
    anova = result.omnibus["anova"]
    assert (anova.statistic, anova.pvalue) == pytest.approx((expected.statistic, expected.pvalue))
    assert "Greenhouse and Geisser's repeated-measures F" in " ".join(result.sentences)
    two = compare(data.select(algorithms=data.algorithms[:2]), pairs="t")
    assert two.omnibus["anova"].statistic == pytest.approx(two.hypotheses.statistic[0] ** 2)
    assert two.omnibus["anova"].pvalue == pytest.approx(two.hypotheses.pvalue[0])


def test_identical_differences_are_noted_and_shown(experiment):
    result = compare(experiment([[1, 2], [5, 6], [3, 4]]), pairs="t")
    assert "identical-differences" in [note.code for note in result.notes]
    assert result.hypotheses.statistic[0] == np.inf  # low is better
    assert " ∞" in str(result.section("omnibus"))
    assert "-∞" not in str(result.section("omnibus"))


def test_auto_with_many_algorithms_takes_what_can_be_done(experiment):
    data = experiment(np.random.default_rng(0).random((30, 18)))
    few = data.select(algorithms=data.algorithms[:9])
    taken = {
        pairs: tuple(compare(each, pairs=pairs).adjust[0] for each in (few, data))
        for pairs in ("wilcoxon", "exchange", "t", "ranks")
    }
    assert taken == {
        "wilcoxon": ("holm", "holm"),
        "exchange": ("bergmann-hommel", "shaffer"),
        "t": ("bergmann-hommel", "shaffer"),
        "ranks": ("bergmann-hommel", "bergmann-hommel"),
    }
    with pytest.raises(ValueError, match=r"with more than 17 algorithms, here 18, .*\. Take 'shaf"):
        compare(data, pairs="wilcoxon", adjust="bergmann-hommel")
    with pytest.raises(ValueError, match="must not be 'nemenyi' here: the procedure needs"):
        compare(data, pairs="wilcoxon", adjust="nemenyi")
    with pytest.raises(ValueError, match=r"must be 'auto' alone,.*; got 'holm' and 'auto'"):
        compare(data, adjust=["holm", "auto"])


def test_more_groups_than_a_diagram_can_show(experiment):
    """Eight couples whose members differ by little but always: 2 to the 8 groups."""
    noise = np.random.default_rng(4).normal(size=(60, 8))
    data = experiment(np.hstack([noise, noise + 0.01]))
    result = compare(data, pairs="wilcoxon", adjust="bonferroni")
    assert result.hypotheses.rejected.sum() == 8
    assert result.groups is None
    assert "many-groups" in [note.code for note in result.notes]
    assert plots.overview(result).alt == plots.pvalue_matrix(result).alt
    with pytest.raises(ValueError, match="pvalue_matrix"):
        plots.cd_diagram(result)
