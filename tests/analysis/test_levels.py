"""How often comparisons reject what is true, on constructed tables where tests may go wrong."""

import re
from itertools import product

import levels
import numpy as np
import pytest

from nbcompare import Experiment, compare, compare_pair
from nbcompare._commands import ANALYSES

CASES = [*levels.cases()]


@pytest.mark.weekly
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.holds], ids=lambda case: ", ".join(case.row)
)
def test_a_default_keeps_its_level(case):
    found = levels.measured(case, 400)
    assert found.level <= levels.most(400)
    assert not found.partial > levels.most(100)  # the hypotheses that stay true with an effect


def test_the_page_has_every_case_in_which_a_level_was_measured():
    parts = re.split("^### ", levels.PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
    shown = [
        (part.split("\n")[0], *line.strip("| ").split(" | ")[:4])
        for part in parts
        for line in part.split("\n")
        if re.match(r"\| `", line)
    ]
    assert shown == [(case.part, *case.row) for case in CASES]
    assert len(set(shown)) == len(shown)


def test_every_analysis_has_a_level_or_is_said_to_promise_none():
    page = levels.PAGE.read_text(encoding="utf-8")
    without = page[page.index("**What is not here.**") : page.index("\n## Tables")]
    asked = {re.match(r"`(\w+)", case.call)[1] for case in CASES}
    for analysis in ANALYSES:
        assert (analysis.function in asked) != (f"`{analysis.function}`" in without)


def rejects(scores, one, other, **options):
    """Whether a comparison rejects that two algorithms, by index, perform equally."""
    tests = compare(Experiment.from_array(scores, direction="minimize"), **options).hypotheses
    pair = {f"A{one + 1}", f"A{other + 1}"}
    pairs = zip(tests.first, tests.second, tests.rejected, strict=True)
    return next(no for first, second, no in pairs if {first, second} == pair)


def antithetic(signs, between):
    """The first two algorithms are best and worst, or worst and best; others are between."""
    ends = np.outer(signs, [-1.0, 1.0])
    return np.hstack([ends, between])


@pytest.mark.slow
def test_two_that_are_best_and_worst_in_turn_by_enumeration():
    """Each of the 64 tables has the same probability, and a swap of the two changes nothing."""
    between = np.tile([-0.1, 0.1], (6, 1))
    tables = [antithetic(signs, between) for signs in product([-1, 1], repeat=6)]
    found = {
        (pairs, adjust): sum(rejects(one, 0, 1, pairs=pairs, adjust=adjust) for one in tables)
        for pairs in ("ranks", "exchange")
        for adjust in (None, "bergmann-hommel")
    }
    # 5 or 6 of 6 are enough for tests by average ranks, though 14 of 64 tables have so many
    assert found["ranks", None] == found["ranks", "bergmann-hommel"] == 14
    assert found["exchange", None] == 2
    assert found["exchange", "bergmann-hommel"] == 0


@pytest.mark.weekly
@pytest.mark.parametrize(("n", "k"), [(9, 8), (12, 5)])
def test_two_that_are_best_and_worst_in_turn(n, k):
    rng, times = np.random.default_rng(n * k), 500
    found = np.zeros(2)
    for _ in range(times):
        between = rng.uniform(-0.5, 0.5, (n, k - 2))
        table = antithetic(rng.choice([-1, 1], n), between)
        found += [
            rejects(table, 0, 1, scale="several"),
            rejects(table, 0, 1, pairs="ranks", adjust="bergmann-hommel"),
        ]
    exchange, ranks = found / times
    bound = 0.05 + 2 * np.sqrt(0.05 * 0.95 / times)
    assert exchange <= bound
    assert ranks > bound


def intransitive(rng, n, k):
    """Differences from the last algorithm are symmetric about 0, those of all others are not."""
    q, shifts = rng.random((n, 1)), np.arange(1, k) / 20
    scores = np.hstack([(q + shifts) % 1 - 0.5, np.zeros((n, 1))])
    return scores + rng.normal(0, 1e-6, scores.shape)


@pytest.mark.weekly
@pytest.mark.parametrize(("n", "k"), [(200, 6), (100, 3)])
def test_differences_whose_symmetry_is_not_transitive(n, k):
    rng, times = np.random.default_rng(k), 600
    found = np.zeros(2)
    for _ in range(times):
        data = Experiment.from_array(intransitive(rng, n, k), direction="minimize")
        for place, options in enumerate([{}, {"adjust": "bergmann-hommel"}]):
            result = compare(data, **options)
            assert result.pairs == "wilcoxon"
            tests = result.hypotheses
            true = [f"A{k}" in pair for pair in zip(tests.first, tests.second, strict=True)]
            found[place] += tests.rejected[true].any()
    default, logical = found / times
    bound = 0.05 + 2 * np.sqrt(0.05 * 0.95 / times)
    assert default <= bound
    assert logical > bound


def test_the_symmetry_of_the_constructed_differences():
    """What the names of the tables say: signed ranks find the others different, not the last."""
    rng = np.random.default_rng(0)
    data = Experiment.from_array(intransitive(rng, 2000, 4), direction="minimize")
    p = {
        pair: compare_pair(data, *pair, test="wilcoxon").pvalue
        for pair in [("A1", "A4"), ("A2", "A4"), ("A3", "A4"), ("A1", "A2"), ("A2", "A3")]
    }
    assert all((value > 0.01) == ("A4" in pair) for pair, value in p.items())
