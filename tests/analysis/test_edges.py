"""Every ranking with every adjustment where formulas divide by zero, overflow or underflow."""

import math
import re

import mpmath
import numpy as np
import pytest

from nbcompare import compare
from nbcompare._options import OPTIONS
from nbcompare.stats.rankings import RANKINGS
from nbcompare.words import PROCEDURES

LARGE = 1000
EDGES = {
    "perfect separation": np.arange(5) + np.zeros((12, 1)),
    "perfect separation, unlike ranges": np.arange(4) * np.arange(1, 9)[:, np.newaxis],
    "all tied": np.full((6, 4), 0.3),
    "all tied on different levels": np.arange(6)[:, np.newaxis] + np.zeros((1, 3)),
    "two algorithms": np.array([[1, 2], [1, 3], [2, 1], [4, 9.0]]),
    "two algorithms, all tied": np.ones((5, 2)),
    "two algorithms, one always better": np.array([[1, 2], [1, 3], [2, 7.0]]),
    "two data sets": np.array([[1, 2, 3], [2, 1, 3.0]]),
    "two data sets, one tied": np.array([[1, 2, 3], [7, 7, 7.0]]),
    "two data sets, opposite": np.array([[1, 2, 3], [3, 2, 1.0]]),
    "two by two": np.array([[1, 2], [1, 2.0]]),
    "one twice": np.array([[1, 1, 2], [3, 3, 1], [5, 5, 9.0]]),
    "p underflows": np.arange(3) + np.zeros((LARGE, 1)),
    "huge": np.array([[1, 2, 3], [3, 1, 2], [2, 1, 3]]) * 5e307,
    "tiny": np.array([[1, 2, 3], [3, 1, 2], [2, 1, 3]]) * 5e-324,
}
FOR_A_CONTROL = [name for name, one in PROCEDURES.items() if not one.all_pairs_only]
pytestmark = pytest.mark.filterwarnings("error")
each_ranking = pytest.mark.parametrize("ranking", RANKINGS)
each_formulas = pytest.mark.parametrize("formulas", OPTIONS["formulas"].choices)


def check_numbers(result):
    # identical differences leave the t test and the analysis of variance nothing to divide
    # by: infinite, p = 0, and a note that says so
    told = "identical-differences" in {note.code for note in result.notes}
    for test in result.omnibus.values():
        assert 0 <= test.pvalue <= 1
        assert test.statistic >= 0  # infinite in perfect agreement, never NaN
        assert -math.inf < test.log10_pvalue <= 0 or (told and test.statistic == math.inf)
    tests = result.hypotheses
    infinite = np.isinf(tests.statistic)
    assert not np.isnan(tests.statistic).any()
    assert told or not infinite.any()
    assert result.design.options["pairs"] == "t" or not told
    for p, log10_p in (
        (tests.pvalue, tests.log10_pvalue),
        *((p, tests.log10_adjusted[name]) for name, p in tests.adjusted.items()),
    ):
        assert ((p >= 0) & (p <= 1)).all()
        assert ((np.isfinite(log10_p) & (log10_p <= 0)) | infinite).all()
        assert 10.0**log10_p == pytest.approx(p, rel=1e-9, abs=1e-300)
        assert ((p > 0) | (log10_p < -300)).all()
    first = next(iter(tests.adjusted.values()))
    assert (tests.rejected == (first <= result.alpha)).all()
    assert np.isfinite(list(result.average_ranks.values())).all()
    numbers = result.to_frame().select_dtypes("number").to_numpy(dtype=float)
    assert np.isfinite(numbers[~infinite]).all()
    assert not np.isnan(numbers).any()


@each_ranking
@each_formulas
@pytest.mark.parametrize("edge", EDGES)
def test_finite(ranking, edge, formulas, experiment):
    options = {"ranking": ranking, "formulas": formulas}
    for direction in ("maximize", "minimize"):
        data = experiment(EDGES[edge], direction)
        check_numbers(compare(data, adjust=list(PROCEDURES), **options))
        check_numbers(compare(data, adjust=FOR_A_CONTROL, control="best", **options))


@each_ranking
@pytest.mark.parametrize("edge", EDGES)
def test_what_is_shown(ranking, edge, experiment):
    result = compare(experiment(EDGES[edge]), ranking=ranking, adjust=list(PROCEDURES))
    texts = [text for text in result._repr_mimebundle_().values() if isinstance(text, str)]
    shown = "\n".join([str(result), *texts, *result.sentences])
    assert not re.search(r"\bnan\b", shown, re.IGNORECASE)
    nothing = "all tied" in edge or edge == "two data sets, opposite"
    assert (result.hypotheses.pvalue == 1).all() == nothing


@pytest.mark.parametrize("pairs", sorted(set(OPTIONS["pairs"].choices) - {"ranks"}))
@pytest.mark.parametrize("edge", EDGES)
def test_pairs_compared_alone(pairs, edge, experiment):
    data = experiment(EDGES[edge])
    check_numbers(compare(data, pairs=pairs, adjust=[n for n in PROCEDURES if n != "nemenyi"]))


@each_ranking
def test_of_one_hypothesis_nothing_is_adjusted(ranking, experiment):
    data = experiment(EDGES["two algorithms"])
    tests = compare(data, ranking=ranking, adjust=list(PROCEDURES)).hypotheses
    for name in PROCEDURES:
        assert tests.adjusted[name] == pytest.approx(tests.pvalue, rel=1e-12), name


def test_figures_where_p_underflows(experiment):
    """1,000 data sets, 3 algorithms, always the same order: all figures by hand."""
    result = compare(experiment(EDGES["p underflows"]), adjust=list(PROCEDURES))
    chi2 = result.omnibus["friedman"]
    assert chi2.statistic == 2 * LARGE
    assert chi2.pvalue == 0
    assert chi2.log10_pvalue == pytest.approx(-LARGE / math.log(10), rel=1e-14)
    iman = result.omnibus["iman-davenport"]
    # infinite F: the other data sets agree with the first, each with probability 1/3!
    assert iman.statistic == math.inf
    assert iman.log10_pvalue == pytest.approx(-(LARGE - 1) * math.log10(6), rel=1e-14)
    with mpmath.workdps(30):
        z = [2 * mpmath.sqrt(LARGE / 2), mpmath.sqrt(mpmath.mpf(LARGE) / 2)]
        one, two = (float(mpmath.log10(mpmath.erfc(value / mpmath.sqrt(2)))) for value in z)
    logs = dict(
        zip(
            zip(result.hypotheses.first, result.hypotheses.second, strict=True),
            result.hypotheses.log10_pvalue.tolist(),
            strict=True,
        )
    )
    expected = {("A1", "A3"): one, ("A1", "A2"): two, ("A2", "A3"): two}
    assert {tuple(sorted(pair)): value for pair, value in logs.items()} == pytest.approx(expected)
    adjusted = result.hypotheses.log10_adjusted
    three = math.log10(3)
    for name, farthest, others in (
        ("bonferroni", one + three, two + three),
        ("sidak", one + three, two + three),
        ("holm", one + three, two + math.log10(2)),
        ("hochberg", one + three, two),
        ("hommel", one + three, two),
        ("li", one, two),
        ("shaffer", one + three, two),
        ("bergmann-hommel", one + three, two),
    ):
        expected = sorted([farthest, others, others])
        assert sorted(adjusted[name].tolist()) == pytest.approx(expected, rel=1e-12), name
