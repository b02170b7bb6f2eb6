"""Published analyses, one call each: docs/published.md says how, and is run here.

Every figure is compared with what was printed, rounded to the digits that were printed. Where a
paper is wrong, or cut a figure off, the docstring says so.
"""

import doctest
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import nbcompare as nbc

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "published.md"


@pytest.fixture(scope="module")
def page():
    """Return the variables of the page after its code was run and printed what it shows."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    # without the fences; line numbers stay
    text = "\n".join("" if line.startswith("```") else line for line in lines)
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) == text.count(">>> ") > 30
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)
    return examples.globs


@pytest.fixture(scope="module")
def published():
    return json.loads((TESTS / "reference" / "published.json").read_text(encoding="utf-8"))


def rounded(values, printed):
    """Return values with as many digits as the printed ones, which are texts."""
    return [
        f"{value:.{len(digits.partition('e')[0].replace('.', '')) - 1}e}"
        if "e" in digits
        else f"{value:.{len(digits.partition('.')[2])}f}"
        for value, digits in zip(values, printed, strict=True)
    ]


def test_demsar_2006_all_pairs(page, published):
    """Demšar (2006), section 3.2.2: the omnibus tests, Nemenyi's test, and Table 6's averages."""
    printed = published["demsar2006"]
    at_05, at_10 = page["nemenyi"], page["at_10"]
    assert rounded(at_05.average_ranks.values(), printed["averages"]) == printed["averages"]
    tests = at_05.omnibus.values()
    assert rounded([test.statistic for test in tests], printed["omnibus"]) == printed["omnibus"]
    assert list(at_05.omnibus["iman-davenport"].df) == printed["df"]
    for level, result in (("0.05", at_05), ("0.10", at_10)):
        assert result.alpha == float(level)
        cd = [printed["cd_nemenyi"][level]]
        assert rounded([result.critical_difference], cd) == cd
    assert not at_05.hypotheses.rejected.any()
    frame = at_10.to_frame()
    rejected = frame[frame["rejected"]]
    assert [*zip(rejected["first"], rejected["second"], strict=True)] == [
        ("C4.5+m+cf", "C4.5"),
        ("C4.5+m", "C4.5"),
    ]


def test_demsar_2006_control(page, published):
    """Demšar (2006), section 3.2.2: C4.5 against its variants.

    The last p is misprinted: 0.607 where the printed z has 0.609. Bonferroni and Dunn's critical
    difference is cut off.
    """
    printed, result = published["demsar2006"], page["control"]
    assert rounded([result.standard_error], ["0.488"]) == [printed["standard_error"]]
    tests = result.hypotheses
    assert list(tests.second) == list(printed["control"])
    z, p = map(list, zip(*printed["control"].values(), strict=True))
    assert rounded(-tests.statistic, z) == z
    assert rounded(tests.pvalue[:2], p[:2]) == p[:2]
    assert p[2] == "0.607"
    assert rounded([2 * norm.sf(float(z[2])), tests.pvalue[2]], p[1:]) == ["0.609", "0.608"]
    reject = {name: (p <= 0.05).tolist() for name, p in tests.adjusted.items()}
    two = [True, True, False]
    assert reject == dict.fromkeys(("holm", "hochberg", "hommel"), two) | {
        "bonferroni": [True, False, False]
    }
    dunn = page["dunn"]
    assert str(dunn.critical_difference)[:4] == printed["cd_bonferroni_dunn"]
    # from the printed ranks of the data sets, the decisions are the same
    assert dunn.hypotheses.rejected.tolist() == reject["bonferroni"]
    for name in ("holm", "hochberg", "hommel"):
        again = nbc.compare(page["ranks"], control="C4.5", adjust=name, formulas="printed")
        assert again.hypotheses.second == tests.second
        assert again.hypotheses.rejected.tolist() == two


def test_demsar_2006_two_classifiers(page, published):
    """Demšar (2006), sections 3.1.3 and 3.1.4, Table 2: C4.5+m against C4.5.

    The sign test is called significant at 0.05 by a rule of thumb; its exact p is 0.057.
    """
    printed, signed_ranks, sign = published["demsar2006"], page["wilcoxon"], page["sign"]
    sums = [signed_ranks.r_plus, signed_ranks.r_minus]
    assert rounded(sums, printed["wilcoxon"]) == printed["wilcoxon"]
    assert signed_ranks.rejected
    assert [sign.wins + sign.ties / 2, sign.design.n_datasets] == printed["wins"]
    tail = sum([364, 91, 14, 1])  # 11 to 14 of 14
    assert sign.pvalue == pytest.approx(2 * tail / 2**14)


def test_garcia_and_herrera_2008(page, published):
    """García and Herrera (2008), the case study: p and decisions of the ten hypotheses.

    What is called Nemenyi's procedure there is Bonferroni's.
    """
    printed, result = published["garcia_herrera_2008"], page["pairs"]
    assert rounded(result.average_ranks.values(), printed["averages"]) == printed["averages"]
    statistics = [test.statistic for test in result.omnibus.values()]
    assert rounded(statistics, printed["omnibus"]) == printed["omnibus"]
    assert rounded([result.standard_error], ["0.408"]) == [printed["standard_error"]]
    tests = result.hypotheses
    digits = [p for *_, p in printed["p"]]
    assert [*map(set, zip(tests.first, tests.second, strict=True))] == [
        set(pair) for *pair, _ in printed["p"]
    ]
    assert rounded(tests.pvalue, digits) == digits
    for name, number in printed["rejected"].items():
        assert (tests.adjusted[name] <= 0.05).tolist() == [True] * number + [False] * (10 - number)


def test_critical_differences_of_garcia_2009(page, published):
    """García et al. (2009), on the SCI2S page: five algorithms on 14 data sets."""
    for level, cd in published["xcs_2009"]["cd_bonferroni_dunn"].items():
        result = nbc.compare_ranks(
            page["any_ranks"], 14, control="XCS", adjust="bonferroni", alpha=float(level)
        )
        assert rounded([result.critical_difference], [cd]) == [cd]


def test_otero_2013(page, published):
    """Otero et al. (2013), Table 1: means of the simulated errors.

    The printed scores of A2 have the mean 0.335, printed as 0.33: the scores are rounded.
    """
    means = page["simulated"].to_frame()["mean"].tolist()
    printed = published["otero2013"]["means"]
    assert means[1] == pytest.approx(0.335, abs=1e-12)
    means[1] -= 1e-9
    assert rounded(means, printed) == printed


def test_otero_2013_power(page, published):
    """Otero et al. (2013), Table 2: powers for three effects, by the intervals of ours.

    Its simulations differ from what it describes; see notebook 08.
    """
    printed, result = published["otero2013_power"], page["power_2013"]
    shares = np.array([*printed["right"].values()]) / 1000
    found = result.shares["power"]
    assert [f"{effect:g}" for effect in result.effects] == [*printed["right"]]
    inside = (found.lower <= shares) & (shares <= found.upper)
    assert inside.tolist() == printed["in our intervals"]
    assert not result.wrong.any()


def test_sanchez_2006_power(page, published):
    """Sánchez et al. (2006), Table 1: power and type I errors at 0.05, by the intervals of ours.

    Its figures seem to be about a single sample; see notebook 09.
    """
    printed, result = published["sanchez2006_power"], page["power_2006"]
    for kind, pair in (("right", 0), ("wrong", 2)):
        shares, found = np.transpose(printed[kind]), result.pair_shares[kind]
        inside = (found.lower[..., pair] <= shares) & (shares <= found.upper[..., pair])
        assert inside.T.tolist() == printed["in our intervals"][kind]


def test_alternative_ranks_of_page(page):
    """The SCI2S page after Derrac et al. (2014): its three examples, and Page's Z.

    Z is misprinted there with K in place of n, the number of problems.
    """
    examples = json.loads((TESTS / "reference" / "page.json").read_text(encoding="utf-8"))
    names = ("A_reaches_optimum_first", "B_reaches_optimum_first", "both_same_cutpoint")
    printed = [examples["alternative_ranks"][name]["ranks"] for name in names]
    result = page["trend"]
    assert result.ranks_of("A1", "A2").tolist() == printed
    n, c, statistic = 3, 10, np.arange(1, 11) @ np.sum(printed, axis=0)
    z = (12 * (statistic - 0.5) - 3 * n * c * (c + 1) ** 2) / (c * (c + 1) * np.sqrt(n * (c - 1)))
    assert result.decisive("alternative")[0, 1] == pytest.approx(norm.sf(z), rel=1e-12)


def test_otero_2010(page, published):
    """Otero, Sánchez and Couso (2010), Table 1, column Friedman: p of runs and of their means.

    The test is called Wilcoxon's; the p-values are those of rank sums.
    """
    printed = published["otero2010_fuzzy"]["friedman_table_1"]
    options = {"procedure": "interval", "test": "rank-sum"}
    runs, crisp = (
        nbc.compare_stochastic(page["folds"], encoding=encoding, **options).hypotheses
        for encoding in ("range", "mean")
    )
    ends = [printed["min"], printed["max"], printed["crisp"], printed["crisp"]]
    assert rounded([runs.p_low[0], runs.p_high[0], crisp.p_low[0], crisp.p_high[0]], ends) == ends
