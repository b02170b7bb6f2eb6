"""Sensitivity: every cell against a comparison by that design, every data set left out in turn."""

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.words import RANKINGS


def scores(n=14, k=4, seed=0, slope=1.2, decimals=1, direction="minimize"):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(n, k)) + np.linspace(0, slope, k)
    return nbc.Experiment.from_array(table.round(decimals), direction=direction)


def gappy(seed=1, n=16, k=4):
    data = scores(n, k, seed, slope=2.0)
    table = data.scores[:, :, 0, 0].copy()
    table[[0, 3, 7], [1, 2, 0]] = np.nan
    return nbc.Experiment.from_array(table, direction="minimize")


def design_of(test):
    if test.name in RANKINGS:
        return {"ranking": test.name, "pairs": "ranks"}
    return {"pairs": test.name}


def pairs_of(comparison):
    tests = comparison.hypotheses
    return [frozenset(pair) for pair in zip(tests.first, tests.second, strict=True)]


def by_pair(comparison, values):
    return dict(zip(pairs_of(comparison), values, strict=True))


def named_control(options, primary):
    """The control, if it was named: the comparisons with the best are those out of all pairs."""
    return None if options.get("control") == "best" else primary.control


CASES = {
    "all": (scores(), {}),
    "few": (scores(10, 5, 3), {}),
    "several": (scores(14, 4, 9, slope=2.0), {"scale": "several"}),
    "many": (scores(25, 6, 5, decimals=3), {}),
    "control": (scores(12, 5, 2), {"control": "A1"}),
    "best": (scores(12, 5, 4), {"control": "best", "alpha": 0.1}),
    "two": (scores(9, 2, 8), {}),
    "three": (scores(11, 3, 8), {"alpha": 0.01}),
    "gaps": (gappy(), {"missing": "skillings-mack"}),
    "gaps dropped": (gappy(), {"missing": "drop"}),
    "gaps worst": (gappy(), {"missing": "worst", "control": "A2"}),
}


@pytest.mark.parametrize("case", CASES)
def test_every_cell_is_what_compare_decides(case):
    data, options = CASES[case]
    result = nbc.sensitivity(data, **options)
    primary = nbc.compare(data, **options)
    assert result.primary.to_json() == primary.to_json()
    pairs = pairs_of(primary)
    assert len(result.tests) + len(result.left_out) == len(RANKINGS) + 3
    for test in result.tests:
        for procedure, adjusted in test.adjusted.items():
            asked = options | {"control": named_control(options, primary)}
            one = nbc.compare(data, **asked, **design_of(test), adjust=procedure)
            found = by_pair(one, one.hypotheses.adjusted[procedure])
            np.testing.assert_allclose(adjusted, [found[pair] for pair in pairs], rtol=1e-12)
            decided = by_pair(one, one.hypotheses.rejected)
            assert [procedure in test.rejecting(row, one.alpha) for row in range(len(pairs))] == [
                decided[pair] for pair in pairs
            ]


@pytest.mark.parametrize("case", CASES)
def test_each_data_set_left_out_is_a_comparison_without_it(case):
    data, options = CASES[case]
    result = nbc.sensitivity(data, **options)
    assert not result.why_not
    primary = result.primary
    pairs = pairs_of(primary)
    used = (
        data.select(datasets=primary.design.datasets) if options.get("missing") == "drop" else data
    )
    settled = {
        "ranking": primary.ranking,
        "pairs": primary.pairs,
        "adjust": primary.adjust[0],
        "control": named_control(options, primary),
        "alpha": primary.alpha,
        "method": "auto" if primary.has_gaps else primary.method,
        "missing": options.get("missing", "raise"),
    }
    hinges, p = [set() for _ in pairs], []
    for name in used.datasets:
        rest = used.select(datasets=[other for other in used.datasets if other != name])
        without = nbc.compare(rest, **settled)
        rejected = by_pair(without, without.hypotheses.rejected)
        adjusted = by_pair(without, without.hypotheses.adjusted[primary.adjust[0]])
        p.append([adjusted[pair] for pair in pairs])
        for row, pair in enumerate(pairs):
            if rejected[pair] != primary.hypotheses.rejected[row]:
                hinges[row].add(name)
    assert [set(names) for names in result.hinges] == hinges
    np.testing.assert_allclose(result.least, np.min(p, axis=0), rtol=1e-12)
    np.testing.assert_allclose(result.most, np.max(p, axis=0), rtol=1e-12)


def test_a_conclusion_that_hangs_on_one_data_set_is_named():
    # 6 wins of 6 give p = 0.03125 by Wilcoxon's test, 5 of 5 could never; so 9 data sets, of
    # which one is lost narrowly: without it all 8 others are wins
    wins = np.arange(1, 12) * 0.01
    table = np.column_stack([np.zeros(12), [*wins, -0.09]])
    names = [f"d{i}" for i in range(11)] + ["the odd one"]
    data = nbc.Experiment.from_array(table, datasets=names, direction="minimize")
    result = nbc.sensitivity(data, alpha=0.005)
    # W = 8.5 + ... of 12 differences: not below 0.005 with the odd one, 2 / 2**11 without
    assert result.hinges == (("the odd one",),)
    assert result.least[0] == pytest.approx(2 / 2**11)
    assert not result.primary.hypotheses.rejected[0]
    assert any("with the data set the odd one left out" in text for text in result.sentences)


@pytest.mark.parametrize("control", [None, "A2"])
def test_order_and_direction_do_not_matter(control):
    data = scores(13, 5, 6, slope=1.5)
    result = nbc.sensitivity(data, control=control)
    table = pd.DataFrame(
        data.scores[:, :, 0, 0], index=list(data.datasets), columns=list(data.algorithms)
    )
    rng = np.random.default_rng(0)
    moved = table.iloc[rng.permutation(13), rng.permutation(5)]
    expected = _described(result)
    assert expected == _described(nbc.sensitivity(moved, direction="minimize", control=control))
    assert expected == _described(nbc.sensitivity(-moved, direction="maximize", control=control))
    assert any(hinges for _, hinges in expected.values())


def _described(result):
    """Return, by pair, the tests with the procedures that reject, and the data sets."""
    tests = result.primary.hypotheses
    return {
        frozenset((tests.first[row], tests.second[row])): (
            {test.name: test.rejecting(row, result.alpha) for test in result.tests},
            frozenset(result.hinges[row]),
        )
        for row in range(len(tests))
    }


def test_what_the_data_forbid_is_left_out_with_the_reason():
    data = scores(12, 4)
    table = data.scores[:, :, 0, 0] * 10.0 ** np.arange(12)[:, np.newaxis]
    several = nbc.Experiment.from_array(table, direction="minimize")
    result = nbc.sensitivity(several)
    assert set(result.left_out) == {"aligned", "quade", "wilcoxon", "t"}
    assert all("scale" in reason for reason in result.left_out.values())
    assert [test.name for test in result.tests] == ["friedman", "exchange"]
    assert all("bergmann-hommel" in test.adjusted for test in result.tests)
    stated = nbc.sensitivity(several, scale="one")
    assert stated.primary.pairs == "wilcoxon"
    assert not {"aligned", "quade", "wilcoxon"} & set(stated.left_out)
    assert "normal" in stated.left_out["t"]
    assert nbc.sensitivity(data, scale="several").primary.pairs == "exchange"

    gaps = nbc.sensitivity(gappy(), missing="skillings-mack")
    assert {"aligned", "quade"} <= set(gaps.left_out)
    few = nbc.sensitivity(scores(6, 5))
    assert few.primary.pairs == "wilcoxon"
    assert "cannot give a p" in few.left_out["exchange"]
    assert "With 5 data sets the primary design cannot reject" in few.why_not


def test_normality_is_that_of_the_differences():
    from scipy import stats

    rng = np.random.default_rng(5)
    common = rng.exponential(size=(40, 1)) ** 3  # scores are not normal, differences are
    data = nbc.Experiment.from_array(common + rng.normal(size=(40, 3)), direction="minimize")
    assert "t" in {test.name for test in nbc.sensitivity(data).tests}
    table = rng.normal(size=(40, 3))
    table[0, 1] += 12
    odd = nbc.Experiment.from_array(table, direction="minimize")
    reason = nbc.sensitivity(odd).left_out["t"]
    pairs = {
        (a, b): stats.shapiro(table[:, a] - table[:, b]).pvalue for a, b in [(0, 1), (0, 2), (1, 2)]
    }
    worst = min(pairs, key=pairs.get)
    assert "for 2 pairs of 3" in reason
    assert f"A{worst[0] + 1} and A{worst[1] + 1}" in reason


def test_too_few_data_sets_to_leave_one_out():
    result = nbc.sensitivity(scores(6, 2, slope=5))
    assert result.primary.hypotheses.rejected.all()  # p = 2 / 2**6
    assert "With 5 data sets the primary design cannot reject" in result.why_not
    assert result.hinges == ((),)
    assert result.why_not in result.sentences
    with pytest.raises(ValueError, match="no data set was left out"):
        result.section("datasets")
    assert not nbc.sensitivity(scores(7, 2, slope=5)).why_not


def test_procedures_go_with_tests_whose_hypotheses_are_transitive():
    result = nbc.sensitivity(scores(14, 18, 1, slope=3.0))
    assert (result.primary.pairs, result.primary.adjust) == ("wilcoxon", ("holm",))
    assert {test.decides for test in result.tests} == {"holm"}
    by_test = {test.name: tuple(test.adjusted) for test in result.tests}
    assert by_test["wilcoxon"] == ("bonferroni", "holm")
    assert by_test["exchange"] == by_test["t"] == ("bonferroni", "holm", "shaffer")
    assert by_test["friedman"] == ("bonferroni", "nemenyi", "holm", "shaffer", "bergmann-hommel")
    few = nbc.sensitivity(scores(12, 4, 1, slope=3.0))
    by_test = {test.name: tuple(test.adjusted) for test in few.tests}
    assert by_test["wilcoxon"] == ("bonferroni", "holm")
    assert by_test["exchange"][-1] == by_test["t"][-1] == "bergmann-hommel"
