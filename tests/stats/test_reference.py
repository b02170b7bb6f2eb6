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


def test_critical_values_of_demsar_table_5(reference):
    for row in reference("critical_values")["values"]:
        quantile = {
            "nemenyi": posthoc.nemenyi_quantile,
            "bonferroni-dunn": posthoc.bonferroni_dunn_quantile,
        }[row["procedure"]](row["k"], row["alpha"])
        assert quantile == close(row["exact"])
        misprint = (row["procedure"], row["k"], row["alpha"]) == ("bonferroni-dunn", 9, 0.05)
        assert (abs(quantile - row["printed"]) < 1e-3) != misprint  # some are cut, not rounded
