"""What compare() and compare_ranks() give for published tables, from scores to adjusted p."""

import pytest

from nbcompare import compare, compare_ranks, datasets

BUNDLED = ("demsar2006", "demsar2006_printed_ranks", "otero2013_t1", "otero2013_t6_auc40")
RANKS_ONLY = ("otero2013_t6_acc40", "gh2008")


def close(value):
    return pytest.approx(value, rel=1e-9, abs=0)


def by_pair(result):
    tests = result.hypotheses
    return {
        frozenset(pair): row for row, pair in enumerate(zip(tests.first, tests.second, strict=True))
    }


def check_omnibus(result, table, suffix):
    chi2, iman = result.omnibus["friedman"], result.omnibus["iman-davenport"]
    assert (chi2.statistic, chi2.pvalue) == close(
        (table[f"chi2{suffix}"], table[f"p_chi2{suffix}"])
    )
    assert (iman.statistic, iman.pvalue) == close((table[f"ID{suffix}"], table[f"p_ID{suffix}"]))
    assert (chi2.df, iman.df) == ((table["df"],), (table["df"], table["df2"]))


def check_family(result, rows):
    """``rows`` of (first, second, z without its sign, p, adjusted p by name)."""
    tests, places = result.hypotheses, by_pair(result)
    assert len(places) == len(rows)
    for first, second, expected in rows:
        row = places[frozenset((first, second))]
        assert abs(tests.statistic[row]) == pytest.approx(expected["z"], rel=1e-9, abs=1e-12)
        assert tests.pvalue[row] == close(expected["p"])
        assert 10 ** tests.log10_pvalue[row] == close(expected["p"])
        for name, adjusted in tests.adjusted.items():
            if name in expected:
                assert adjusted[row] == close(expected[name])
                assert 10 ** tests.log10_adjusted[name][row] == close(expected[name])


def pairs_of(table):
    for row, nemenyi in zip(table["all_pairs"], table["nemenyi"], strict=True):
        yield *row["pair"], row | {"z": abs(row["z"]), "nemenyi": nemenyi}


def against_control(table):
    for row in table["one_vs_all"]:
        yield table["control"], row["algorithm"], row | {"z": abs(row["z"])}


@pytest.mark.parametrize("name", [*BUNDLED, *RANKS_ONLY])
def test_every_figure(name, reference):
    table = reference("friedman")["tables"][name]
    ranks = dict(zip(table["algorithms"], table["avg_ranks"], strict=True))
    comparisons = [lambda **options: compare_ranks(ranks, table["n"], **options)]
    if table["bundled_as"]:
        bundled = datasets.load(table["bundled_as"])
        comparisons.append(lambda **options: compare(bundled, formulas="printed", **options))
    for comparison in comparisons:
        result = comparison(adjust=["nemenyi", "bonferroni", "holm", "hochberg"])
        assert dict(result.average_ranks) == close(ranks)
        assert result.standard_error == close(table["se"])
        check_omnibus(result, table, "")
        check_family(result, list(pairs_of(table)))
        against = comparison(control="best", adjust=["holm", "bonferroni", "hochberg"])
        assert against.control == table["control"]
        check_family(against, list(against_control(table)))
        for level, cd in table["cd"].items():
            alpha = float(level)
            nemenyi = comparison(adjust="nemenyi", alpha=alpha)
            assert nemenyi.critical_difference == close(cd["nemenyi"])
            dunn = comparison(control=table["control"], adjust="bonferroni", alpha=alpha)
            assert dunn.critical_difference == close(cd["bonferroni_dunn"])
            assert comparison(adjust="holm", alpha=alpha).critical_difference is None


@pytest.mark.parametrize("name", BUNDLED)
def test_corrected_for_ties(name, reference):
    table = reference("friedman")["tables"][name]
    result = compare(datasets.load(table["bundled_as"]), pairs="ranks", method="normal")
    check_omnibus(result, table, "_tie")
    # one correction for both: z squared grows as chi-squared does
    growth = (table["chi2_tie"] / table["chi2"]) ** 0.5
    places = by_pair(result)
    for first, second, row in pairs_of(table):
        z = result.hypotheses.statistic[places[frozenset((first, second))]]
        assert abs(z) == pytest.approx(row["z"] * growth, rel=1e-9, abs=1e-12)
