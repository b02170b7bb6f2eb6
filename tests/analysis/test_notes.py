"""Notes on what a test can find, against enumeration and against the clearest tables there are."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest

from nbcompare import compare, compare_stochastic
from nbcompare.analysis._family import Family
from nbcompare.analysis._notes import least_p, of_reach
from nbcompare.stats import posthoc
from nbcompare.words import PROCEDURES


def codes(result):
    return [note.code for note in result.notes]


def clearest(n, k):
    """Return scores with the same order of the algorithms on every data set, without any tie."""
    return (np.arange(k) + np.arange(k) ** 2 / 50) * (1 + np.arange(n)[:, np.newaxis] / 7)


@pytest.mark.parametrize(
    ("n", "k"), [(1, 2), (5, 2), (1, 3), (2, 3), (4, 3), (1, 4), (2, 4), (3, 4)]
)
def test_least_p_of_ranks_by_enumeration(n, k):
    """Every table of ranks is equally likely; p is that of the difference of two rank sums."""
    differences = Counter(
        sum(row[0] - row[1] for row in table) for table in product(permutations(range(k)), repeat=n)
    )
    largest = max(differences)
    share = Fraction(differences[largest] + differences[-largest], differences.total())
    assert least_p("ranks", n, k=k) == pytest.approx(float(share), rel=1e-14)


def test_least_p_of_many_blocks_is_a_number():
    for test in ("wilcoxon", "sign", "permutation", "ranks", "rank-sum"):
        assert least_p(test, 5000, k=40) == 0
    assert least_p("rank-sum", 3) == 0.1
    assert least_p("ranks", 3, "better", k=3) == 6.0**-3
    assert least_p("t", 5) is None


@pytest.mark.parametrize(
    ("n", "k", "asked", "least", "after", "enough"),
    [
        (5, 2, {}, 1 / 16, None, 6),
        (6, 4, {"pairs": "wilcoxon"}, 1 / 32, 6 / 32, 8),
        (6, 4, {"pairs": "wilcoxon", "adjust": "bonferroni"}, 1 / 32, 6 / 32, 8),
        (6, 4, {"pairs": "wilcoxon", "adjust": ["holm", "hochberg"]}, 1 / 32, 6 / 32, 8),
        (6, 4, {"pairs": "wilcoxon", "adjust": ["hochberg", "holm"]}, None, None, None),
        (6, 4, {"pairs": "wilcoxon", "adjust": "benjamini-hochberg"}, None, None, None),
        (6, 4, {"pairs": "wilcoxon", "control": "A1"}, 1 / 32, 3 / 32, 7),
        (6, 4, {"pairs": "wilcoxon", "adjust": None}, None, None, None),
        (5, 4, {"pairs": "wilcoxon", "adjust": None}, 1 / 16, None, 6),
        (5, 4, {"pairs": "wilcoxon", "adjust": "holm", "alpha": 0.4}, None, None, None),
        (6, 3, {}, 2 / 64, 6 / 64, 7),
        (6, 3, {"scale": "several"}, 2 / 64, 6 / 64, 7),
        (6, 3, {"pairs": "exchange", "adjust": "holm"}, 2 / 64, 6 / 64, 7),
        (7, 3, {"scale": "several"}, None, None, None),
        (2, 3, {"pairs": "ranks"}, 2 / 36, 6 / 36, 3),
        (2, 3, {"ranking": "aligned"}, 2 / 36, 6 / 36, 3),
        (2, 3, {"ranking": "quade", "adjust": "shaffer"}, 2 / 36, 6 / 36, 3),
        (2, 3, {"pairs": "ranks", "adjust": None}, 2 / 36, None, 3),
        (2, 4, {"pairs": "ranks", "adjust": None}, None, None, None),
        (3, 3, {"pairs": "ranks"}, None, None, None),
    ],
    ids=str,
)  # fmt: skip
def test_what_too_few_data_sets_cannot_reject(n, k, asked, least, after, enough, experiment):
    result = compare(experiment(clearest(n, k)), **asked)
    found = [note.text for note in result.notes if note.code == "never-significant"]
    if least is None:
        assert found == []
        assert result.hypotheses.rejected.any()
        return
    (text,) = found
    assert not result.hypotheses.rejected.any()
    assert result.hypotheses.pvalue.min() == pytest.approx(least)
    adjusted = "" if after is None else f", and {after:.3g} after the adjustment for "
    assert f"On {n} data sets the smallest possible p-value" in text
    assert f"is {least:.6g}{adjusted}" in text
    assert text.endswith(f"At least {enough} data sets are needed for that.")
    for more in range(n + 1, enough):
        assert not compare(experiment(clearest(more, k)), **asked).hypotheses.rejected.any()
    result = compare(experiment(clearest(enough, k)), **asked)
    assert result.hypotheses.rejected.any()
    assert "never-significant" not in codes(result)


FAMILIES = [
    (procedure, control)
    for procedure in (None, *PROCEDURES)
    for control in (None, 0)
    if procedure is None
    or not PROCEDURES[procedure].all_pairs_only
    or (control is None and procedure != "nemenyi")  # which has no exact law
]


@pytest.mark.parametrize(("procedure", "control"), FAMILIES)
def test_what_can_be_rejected_after_every_adjustment(procedure, control):
    """Some p-values from the least on are rejected, or the note says that none are."""
    generator = np.random.default_rng(7)
    first, second = posthoc.all_pairs(4) if control is None else posthoc.against_control(4, 0)
    m = len(first)
    for alpha, n in product((0.01, 0.05, 0.3), range(2, 12)):
        least = least_p("wilcoxon", n)
        notes = of_reach(
            partial(least_p, "wilcoxon"), n, alpha=alpha, m=m, procedure=procedure or ""
        )
        rejected = []
        for n_least in (1, 1, 2, m - 1, m):
            p = least + (1 - least) * generator.random(m)
            p[generator.permutation(m)[:n_least]] = least
            tests = posthoc.PairTests(np.zeros(m), p, np.log10(p))
            family = Family(first, second, tests, 4, control, None)
            names = () if procedure is None else (procedure,)
            adjusted = {name: family.adjusted(name, alpha) for name in names}
            rejected.append(family.decided(adjusted, alpha).any())
        assert any(rejected) != any(notes)


@pytest.mark.parametrize("method", ["normal", "exact"])
def test_a_normal_law_has_no_smallest_p(method, experiment):
    asked = {"pairs": "wilcoxon", "adjust": None, "method": method}
    result = compare(experiment(clearest(5, 4)), **asked)
    assert ("never-significant" in codes(result)) == (method == "exact")
    assert result.hypotheses.rejected.any() == (method == "normal")


@pytest.mark.parametrize("adjust", [None, "holm"])
@pytest.mark.parametrize("n", range(3, 10))
def test_one_note_on_what_is_or_is_not_rejected(n, adjust, experiment):
    """Nothing can be rejected, or too much may be, or neither; never both."""
    result = compare(experiment(clearest(n, 4)), pairs="wilcoxon", adjust=adjust)
    both = {"never-significant", "no-adjustment"} & set(codes(result))
    can = n >= (6 if adjust is None else 8)
    assert both == (
        {"never-significant"} if not can else {"no-adjustment"} if not adjust else set()
    )
    scores = clearest(n, 4)[:, :, np.newaxis, np.newaxis] + np.arange(2) / 1e6
    runs = compare_stochastic(
        experiment(scores), procedure="interval", test="sign", adjust=adjust, scale="one"
    )
    assert {"never-significant", "no-adjustment"} & set(codes(runs)) == both
