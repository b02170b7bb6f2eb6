import re

import numpy as np
import pytest

from nbcompare import Experiment, compare, compare_by, compare_pair, compare_ranks, datasets


def codes(result):
    return [note.code for note in result.notes]


def whole(message):
    return f"^{re.escape(message)}$"


# ---------------------------------------------------------------------- edges of the data


def test_two_algorithms(experiment):
    result = compare(experiment([[1, 2], [1, 2], [2, 1], [1, 2]]), adjust=["holm", "nemenyi"])
    assert len(result.hypotheses) == 1
    p = result.hypotheses.pvalue[0]
    assert [p, result.omnibus["friedman"].pvalue] == pytest.approx([0.31731050786291] * 2)
    assert result.hypotheses.adjusted["holm"][0] == p
    assert result.hypotheses.adjusted["nemenyi"][0] == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("row", [[1, 2, 3], [1, 1, 3], [0.5, 0.1, 0.1]])
@pytest.mark.filterwarnings("error")
def test_perfect_agreement(experiment, row):
    result = compare(experiment([row] * 6), pairs="ranks", adjust="holm")
    iman = result.omnibus["iman-davenport"]
    orders = 6 if len(set(row)) == 3 else 3
    assert iman.statistic == np.inf
    assert iman.pvalue == pytest.approx(orders**-5.0)
    assert codes(result) == ["not-recommended", "perfect-agreement"]
    assert "∞" in str(result.section("omnibus"))


def test_means_are_tied_at_the_scale_of_what_they_are_means_of(experiment):
    # means over five runs of the same numbers in another order
    runs = np.array([0.1, 0.7, 1000.3, -999.9, 0.2])
    scores = np.array([[runs, runs[::-1]], [runs[[2, 0, 1, 4, 3]], runs]])[:, :, None, :]
    result = compare(experiment(scores))
    assert result.hypotheses.ties[0] == 2
    assert codes(result) == ["averaged", "never-significant", "no-intervals"]


def test_ragged_runs_are_averaged(experiment):
    scores = np.array([[[[1.0, 3.0]], [[4.0, np.nan]]], [[[2.0, 2.0]], [[1.0, np.nan]]]])
    result = compare(experiment(scores))
    assert dict(result.average_ranks) == {"A1": 1.5, "A2": 1.5}


# ------------------------------------------------------------------------- the options


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scale": "several"},
        {"pairs": "ranks"},
        {"pairs": "t", "adjust": ["hommel", "holm"]},
        {"adjust": "bonferroni", "alpha": 0.2},
        {"adjust": "benjamini-hochberg"},
        {"adjust": None},
    ],
    ids=str,
)
def test_the_best_is_compared_out_of_all_pairs(experiment, options):
    data = experiment(np.random.default_rng(8).normal(size=(14, 5)) + np.arange(5) / 2)
    best = compare(data, control="best", **options)
    every = compare(data, **{"adjust": "holm", **options})
    assert best.adjust == every.adjust
    assert best.confidence == every.confidence
    tests = best.hypotheses
    others = every.to_frame()
    for row, second in enumerate(tests.second):
        pair = {best.control, second}
        (one,) = (it for it in others.itertuples() if {it.first, it.second} == pair)
        assert tests.pvalue[row] == one.pvalue
        assert tests.rejected[row] == one.rejected
        for name, p in tests.adjusted.items():
            assert p[row] == others.loc[one.Index, name]
    if best.adjust:
        assert best.n_pooled == 10
        assert "10 hypotheses about all pairs" in best.adjustment
        assert "for the ten hypotheses about all pairs with the" in " ".join(best.sentences)
    printed = compare(data, control="best", **options, formulas="printed")
    named = compare(data, control=best.control, **options, formulas="printed")
    assert printed.n_pooled == 0
    assert printed.to_frame().equals(named.to_frame())


def test_groups_compare_their_best_out_of_all_pairs(experiment):
    data = experiment(np.random.default_rng(8).normal(size=(28, 4)) + np.arange(4) / 2)
    kind = {name: "ab"[i % 2] for i, name in enumerate(data.datasets)}
    best, every = (
        compare_by(data, by=kind, control=control, across=True, adjust="holm")
        for control in ("best", None)
    )
    for name, group in best.groups.items():
        assert group.n_pooled == 12
        whole = every.groups[name].to_frame()
        mine = whole[(whole["first"] == group.control) | (whole["second"] == group.control)]
        assert sorted(group.hypotheses.adjusted["holm"]) == sorted(mine["holm"])


def test_an_algorithm_may_be_called_best(experiment):
    result = compare(experiment([[1, 2], [1, 2]], algorithms=["other", "best"]), control="best")
    assert result.control == "best"
    assert "control-from-data" not in codes(result)


def test_several_procedures_and_none():
    data = datasets.load("demsar2006")
    several = compare(data, adjust=["nemenyi", "holm"])
    assert several.adjust == ("nemenyi", "holm")
    assert list(several.hypotheses.adjusted) == ["nemenyi", "holm"]
    assert several.critical_difference is not None
    assert compare(data, adjust=("holm",)).adjust == ("holm",)
    raw = compare(data, adjust=None)
    assert (raw.adjust, dict(raw.hypotheses.adjusted)) == ((), {})
    assert raw.hypotheses.rejected.tolist() == (raw.hypotheses.pvalue <= 0.05).tolist()


@pytest.mark.slow
def test_pairs_without_the_omnibus_test(experiment):
    # 1 of 5 algorithms differs a little: enough for one comparison at a generous level
    rng = np.random.default_rng(4)
    for _ in range(200):
        result = compare(experiment(rng.random((6, 5))), control="best", adjust="holm", alpha=0.2)
        significant = result.hypotheses.rejected.any()
        expected = bool(significant and result.omnibus["iman-davenport"].pvalue > 0.2)
        assert ("omnibus-not-rejected" in codes(result)) == expected


# ------------------------------------------------------------------ average ranks alone


def test_ranks_from_a_series_and_without_scores():
    import pandas as pd

    series = pd.Series({"A": 1.2, "B": 2.3, "C": 2.5})
    result = compare_ranks(series, 10)
    assert dict(result.average_ranks) == dict(series)
    tests = result.hypotheses
    assert tests.effect_size is tests.wins is tests.ties is tests.losses is None
    assert (result.formulas, result.design.direction, result.design.datasets) == (
        "printed", None, (),
    )  # fmt: skip
    assert codes(result) == ["untied-formulas"]


def test_two_algorithms_are_one_hypothesis():
    """The sign test would reject where Wilcoxon's does not: the pair alone decides."""
    b = np.linspace(0.3, 0.75, 10)
    a = b + np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.085, -0.2])
    data = Experiment.from_array(np.column_stack([a, b]), direction="maximize")
    result, pair = compare(data), compare_pair(data, "A1", "A2")
    assert result.hypotheses.pvalue[0] == pair.pvalue == pytest.approx(0.083984375)
    assert dict(result.omnibus) == {}
    assert "omnibus" not in result.sections
    with pytest.raises(ValueError, match="the test of the pair is the test of any difference"):
        result.section("omnibus")
    by_ranks = compare(data, pairs="ranks")
    assert by_ranks.omnibus["friedman"].pvalue == pytest.approx(by_ranks.hypotheses.pvalue[0])
    by_t = compare(data, pairs="t")
    assert list(by_t.omnibus) == ["anova"]
    assert by_t.omnibus["anova"].pvalue == pytest.approx(by_t.hypotheses.pvalue[0])
