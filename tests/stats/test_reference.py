"""Figures that papers print, and exact figures for published tables."""

import csv
from importlib import resources

import numpy as np
import pytest

from nbcompare.stats import adjust, omnibus, posthoc
from nbcompare.stats.rankings import midranks

LOWER_IS_BETTER = {"demsar2006_ranks", "otero2013_simulated"}
TABLES = (
    "demsar2006",
    "demsar2006_printed_ranks",
    "otero2013_t1",
    "otero2013_t6_auc40",
    "otero2013_t6_acc40",
    "gh2008",
)


def scores_of(name):
    """A bundled table, smaller is better."""
    path = resources.files("nbcompare") / "datasets" / f"{name}.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    scores = np.array([row[1:] for row in rows[1:]], dtype=float)
    return scores if name in LOWER_IS_BETTER else -scores


def close(value):
    return pytest.approx(value, rel=1e-9, abs=0)


@pytest.mark.parametrize("name", TABLES)
def test_averages_of_published_tables(name, reference):
    table = reference("friedman")["tables"][name]
    chi2 = omnibus.friedman_from_averages(table["avg_ranks"], table["n"])
    assert (chi2.statistic, chi2.pvalue) == close((table["chi2"], table["p_chi2"]))
    iman = omnibus.iman_davenport_from_averages(table["avg_ranks"], table["n"])
    assert (iman.statistic, iman.pvalue) == close((table["ID"], table["p_ID"]))
    assert (chi2.df, iman.df) == ((table["df"],), (table["df"], table["df2"]))


@pytest.mark.parametrize("name", TABLES[:4])
def test_scores_of_published_tables(name, reference):
    table = reference("friedman")["tables"][name]
    ranks = midranks(scores_of(table["bundled_as"]))
    assert ranks.mean(axis=0) == close(table["avg_ranks"])
    for formulas, suffix in (("printed", ""), ("corrected", "_tie")):
        chi2 = omnibus.friedman(ranks, formulas=formulas)
        iman = omnibus.iman_davenport(ranks, formulas=formulas)
        assert (chi2.statistic, chi2.pvalue, iman.statistic, iman.pvalue) == close(
            tuple(table[key + suffix] for key in ("chi2", "p_chi2", "ID", "p_ID"))
        )
    assert posthoc.standard_error(ranks, formulas="printed") == close(table["se"])
    # the corrected standard error and chi-squared share their correction for ties
    ratio = table["chi2"] / table["chi2_tie"]
    assert posthoc.standard_error(ranks) == close(table["se"] * ratio**0.5)


@pytest.mark.parametrize("name", TABLES)
def test_families_of_published_tables(name, reference):
    table = reference("friedman")["tables"][name]
    averages, names = np.array(table["avg_ranks"]), table["algorithms"]
    k, error = len(names), posthoc.untied_standard_error(len(names), table["n"])
    assert error == close(table["se"])
    control = names.index(table["control"])
    # there z is the first less the second of all pairs, and any algorithm less the control
    for rows, pairs, sign in (
        (table["all_pairs"], posthoc.all_pairs(k), -1),
        (table["one_vs_all"], posthoc.against_control(k, control), 1),
    ):
        tests = posthoc.rank_tests(averages, error, *pairs)
        # differences of averages that are themselves rounded may lose a digit of a tiny z
        assert sign * tests.statistic == pytest.approx(
            [row["z"] for row in rows], rel=1e-9, abs=1e-12
        )
        assert tests.pvalue == close([row["p"] for row in rows])
        for method in ("bonferroni", "holm", "hochberg"):
            expected = [row[method] for row in rows if method in row]
            if expected:
                assert adjust.adjust(tests.pvalue, method) == close(expected)
    all_pairs = posthoc.rank_tests(averages, error, *posthoc.all_pairs(k))
    nemenyi, log10_nemenyi = posthoc.nemenyi_pvalues(all_pairs.statistic, k)
    assert nemenyi == close(table["nemenyi"])
    assert 10**log10_nemenyi == close(table["nemenyi"])
    for alpha, cd in table["cd"].items():
        level = float(alpha)
        assert posthoc.nemenyi_quantile(k, level) * error == close(cd["nemenyi"])
        assert posthoc.bonferroni_dunn_quantile(k, level) * error == close(cd["bonferroni_dunn"])


def test_demsar_as_printed(reference):
    printed = reference("published")["demsar2006"]  # to its digits
    ranks = midranks(scores_of("demsar2006_ranks"))
    averages = ranks.mean(axis=0)
    assert averages == pytest.approx(printed["avg_ranks"], abs=5e-4)
    chi2 = omnibus.friedman(ranks, formulas="printed")
    iman = omnibus.iman_davenport(ranks, formulas="printed")
    assert chi2.statistic == pytest.approx(printed["friedman_chi2"], abs=0.006)  # 9.286, cut
    assert iman.statistic == pytest.approx(printed["iman_davenport"], abs=0.005)
    assert list(iman.df) == printed["df"]
    error = posthoc.standard_error(ranks, formulas="printed")
    assert error == pytest.approx(printed["standard_error"], abs=5e-4)
    for alpha, cd in printed["cd_nemenyi"].items():
        assert posthoc.nemenyi_quantile(4, float(alpha)) * error == pytest.approx(cd, abs=0.005)
    # printed as 1.16; 1.168 by its own formula
    assert posthoc.bonferroni_dunn_quantile(4) * error == pytest.approx(1.168, abs=5e-4)
    tests = posthoc.rank_tests(averages, error, *posthoc.against_control(4, 0))
    assert tests.statistic == pytest.approx([-2.342, -0.512, -2.415], abs=6e-4)
    names = ("C4.5+m", "C4.5+cf", "C4.5+m+cf")
    # 0.607 is printed where z = 0.512 gives 0.609
    assert tests.pvalue == pytest.approx([printed["p"][name] for name in names], abs=2e-3)


def test_garcia_and_herrera_as_printed(reference):
    printed = reference("published")["garcia_herrera_2008"]
    averages, n = printed["avg_ranks"], printed["n"]
    chi2 = omnibus.friedman_from_averages(averages, n)
    iman = omnibus.iman_davenport_from_averages(averages, n)
    assert chi2.statistic == pytest.approx(printed["friedman_chi2"], abs=5e-4)
    assert iman.statistic == pytest.approx(printed["iman_davenport"], abs=5e-4)
    error = posthoc.untied_standard_error(5, n)
    assert error == pytest.approx(printed["standard_error"], abs=5e-4)
    tests = posthoc.rank_tests(averages, error, *posthoc.all_pairs(5))
    expected = sorted(printed["p"].values())
    assert np.sort(tests.pvalue)[:2] == pytest.approx(expected[:2], rel=2e-4)
    assert np.sort(tests.pvalue)[2:] == pytest.approx(expected[2:], abs=6e-5)
    rejected = printed["rejected_at_0.05"]
    # what that paper calls Nemenyi is Bonferroni
    assert (adjust.adjust(tests.pvalue, "bonferroni") <= 0.05).sum() == rejected["nemenyi"]
    assert (adjust.adjust(tests.pvalue, "holm") <= 0.05).sum() == rejected["holm"]


def test_xcs_critical_differences(reference):
    error = posthoc.untied_standard_error(5, 14)
    for alpha, cd in reference("published")["xcs_2009"]["cd_bonferroni_dunn"].items():
        quantile = posthoc.bonferroni_dunn_quantile(5, float(alpha))
        assert quantile * error == pytest.approx(cd, abs=6e-4)


def test_critical_values_of_demsar_table_5(reference):
    for row in reference("critical_values")["values"]:
        quantile = {
            "nemenyi": posthoc.nemenyi_quantile,
            "bonferroni-dunn": posthoc.bonferroni_dunn_quantile,
        }[row["procedure"]](row["k"], row["alpha"])
        assert quantile == close(row["exact"])
        misprint = (row["procedure"], row["k"], row["alpha"]) == ("bonferroni-dunn", 9, 0.05)
        assert (abs(quantile - row["printed"]) < 1e-3) != misprint  # some are cut, not rounded
