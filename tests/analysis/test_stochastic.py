from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, wilcoxon

from nbcompare import DataError, Experiment, compare_stochastic
from nbcompare.stats.adjust import adjust


def made(seed=0, n_folds=8, n_runs=5, k=3, *, spread=1.0, step=0.0, n_datasets=1):
    """Scores [dataset, algorithm, fold, run] with few decimals; the algorithms differ by step."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_datasets, k, n_folds, n_runs)) * spread
    scores += rng.normal(size=(n_datasets, 1, n_folds, 1))
    return (scores + step * np.arange(k)[:, None, None]).round(3)


def of(scores, direction="minimize", **labels):
    return Experiment.from_array(scores, direction=direction, **labels)


def codes(result):
    return {note.code for note in result.notes}


# ------------------------------------------------------------- against brute force


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "peer"),
    [
        ("wilcoxon", lambda x, y: wilcoxon(x, y, method="exact").pvalue),
        ("rank-sum", lambda x, y: mannwhitneyu(x, y, method="exact").pvalue),
    ],
)
def test_the_range_is_that_over_all_selections_of_runs(test, peer):
    scores = made(3, n_folds=5, n_runs=2, k=2, spread=0.4, step=0.3)
    first, second = scores[0]
    ps = [
        peer(first[range(5), a], second[range(5), b])
        for a in product(range(2), repeat=5)
        for b in product(range(2), repeat=5)
    ]
    rows = compare_stochastic(
        of(scores), procedure="interval", test=test, encoding="range"
    ).hypotheses
    # the range goes over whole intervals; its ends are those of selections of ends, unless
    # the centre is between them
    assert rows.p_low[0] == pytest.approx(min(ps))
    assert rows.p_high[0] >= max(ps) - 1e-12
    if rows.p_high[0] < 1:
        assert rows.p_high[0] == pytest.approx(max(ps))


def test_points_give_the_numbers_of_the_crisp_tests():
    scores = made(1, n_runs=1, k=2, step=0.5)
    result = compare_stochastic(of(scores), procedure="interval")
    crisp = wilcoxon(scores[0, 0, :, 0], scores[0, 1, :, 0], method="exact").pvalue
    assert result.hypotheses.p_low[0] == result.hypotheses.p_high[0] == pytest.approx(crisp)
    assert "single-runs" in codes(result)


def test_bootstrap_b_of_points_is_bootstrap_a():
    data = of(made(2, n_datasets=9, n_folds=2, step=0.4))
    a = compare_stochastic(data, procedure="bootstrap-a")
    b = compare_stochastic(data, procedure="bootstrap-b", encoding="mean")
    for one, other in ((a.overall, b.overall), (a.hypotheses, b.hypotheses)):
        np.testing.assert_allclose(one.p_low, other.p_low)
        np.testing.assert_allclose(one.p_high, other.p_high)
        assert one.first == other.first


def test_ends_are_averaged_over_folds_before_data_sets_are_compared():
    scores = made(4, n_datasets=7, n_folds=3, n_runs=6, k=2)
    result = compare_stochastic(of(scores), procedure="bootstrap-b", coverage=0.5)
    low, high = np.quantile(scores, [0.25, 0.75], axis=3).mean(axis=3)
    np.testing.assert_allclose(list(result.mean_low.values()), low.mean(axis=0))
    np.testing.assert_allclose(list(result.mean_high.values()), high.mean(axis=0))
    assert result.blocks == "datasets"


# ----------------------------------------------------------------------- properties


def test_cuts_of_bootstrapped_means():
    data = of(made(20, k=2, step=0.4))
    result = compare_stochastic(data, procedure="fuzzy", encoding="bootstrap-mean", coverage=0.5)
    cuts = result.hypotheses.fuzzy
    assert (np.diff(cuts.low, axis=1) <= 1e-12).all()
    assert (np.diff(cuts.high, axis=1) >= -1e-12).all()
    at = list(cuts.coverages).index(0.5)
    assert result.hypotheses.p_low[0] == cuts.low[0, at]
    # means scatter less than runs
    runs = compare_stochastic(data, procedure="fuzzy", coverage=0.5)
    for name in ("A1", "A2"):
        width, of_runs = (r.mean_high[name] - r.mean_low[name] for r in (result, runs))
        assert 0 < width < of_runs


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["wilcoxon", "rank-sum", "sign", "t"]))
def test_cuts_are_nested_and_decide_like_intervals(seed, test):
    data = of(made(seed, step=0.5, k=2))
    fuzzy = compare_stochastic(data, procedure="fuzzy", test=test, coverage=0.6)
    cuts = fuzzy.hypotheses.fuzzy
    assert (np.diff(cuts.low, axis=1) <= 1e-12).all()
    assert (np.diff(cuts.high, axis=1) >= -1e-12).all()
    crisp = compare_stochastic(data, procedure="interval", test=test, coverage=0.6)
    np.testing.assert_allclose(fuzzy.hypotheses.p_low, crisp.hypotheses.p_low)
    np.testing.assert_allclose(fuzzy.hypotheses.p_high, crisp.hypotheses.p_high)
    assert fuzzy.hypotheses.outcome == crisp.hypotheses.outcome


# ----------------------------------------------------------- families and outcomes


def test_both_ends_are_adjusted_and_decide():
    result = compare_stochastic(
        of(made(9, k=4, step=0.9)), procedure="interval", coverage=0.3, adjust=["holm", "finner"]
    )
    rows = result.hypotheses
    for name in ("holm", "finner"):
        np.testing.assert_allclose(rows.adjusted_low[name], adjust(rows.p_low, name))
        np.testing.assert_allclose(rows.adjusted_high[name], adjust(rows.p_high, name))
    low, high = rows.decisive
    for row, word in enumerate(rows.outcome):
        assert word == (
            "significant"
            if high[row] <= 0.05
            else "inconclusive"
            if low[row] <= 0.05
            else "not significant"
        )
    frame = result.to_frame()
    assert list(frame) == [
        "first", "second", "p_low", "p_high", "holm_low", "holm_high", "finner_low", "finner_high",
        "outcome", "favours", "difference_low", "difference_high",
    ]  # fmt: skip
    assert len(frame) == 6


def test_groups_tell_not_rejected_from_inconclusive():
    # A and B alike, C worse than A for certain, than B perhaps
    fold = np.arange(10)[:, None] / 10
    a, b, c = (np.repeat(fold, 4, axis=1) + shift for shift in (0.0, 0.001, 0.5))
    a = a + np.where(np.arange(10) % 2, 0.002, 0.0)[:, None]
    b = b + np.array([0.0, 0.0, 0.0, 0.9])
    result = compare_stochastic(
        of([[a, b, c]], algorithms=["A", "B", "C"]), procedure="interval", encoding="range"
    )
    outcome = {
        frozenset(pair): word
        for *pair, word in zip(
            result.hypotheses.first,
            result.hypotheses.second,
            result.hypotheses.outcome,
            strict=True,
        )
    }
    assert outcome[frozenset("AC")] == "significant"
    assert outcome[frozenset("BC")] == "inconclusive"
    assert result.open_groups != result.groups
    assert all({"A", "C"} - set(group) for group in result.open_groups)
    assert any({"B", "C"} <= set(group) for group in result.open_groups)
    assert not any({"B", "C"} <= set(group) for group in result.groups)
    assert "inconclusive" in " ".join(result.findings)


def test_a_control_is_compared_with_every_other():
    data = of(made(10, k=4, step=0.5))
    result = compare_stochastic(data, procedure="interval", control="A3")
    assert set(result.hypotheses.first) == {"A3"}
    assert set(result.hypotheses.second) == {"A1", "A2", "A4"}
    assert result.groups == ()
    best = compare_stochastic(data, procedure="interval", control="best")
    assert best.control == best.ordered[0]
    assert "control-from-data" in codes(best)


@pytest.mark.parametrize("adjusting", ["shaffer", "bergmann-hommel", None])
def test_other_families(adjusting):
    result = compare_stochastic(of(made(11, step=1.0)), adjust=adjusting)
    rows = result.hypotheses
    low, high = rows.decisive
    assert (low >= rows.p_low - 1e-12).all()
    assert (high >= rows.p_high - 1e-12).all()
    assert (low <= high).all()
    assert ("holm-overall" in codes(result)) == (adjusting is not None)
    assert ("no-adjustment" in codes(result)) == (adjusting is None)


def test_planted_shares_of_stuck_runs_are_found_again():
    fold = np.arange(10)[:, None] / 10
    run = np.arange(30)[None] / 1000
    for planted in (3, 6, 9):
        plain, stuck = fold + run + 0.1, fold + run
        stuck[:, 30 - planted :] += 1.0
        result = compare_stochastic(of([[plain, stuck]]), procedure="fuzzy")
        (share,) = result.hypotheses.fuzzy.misbehaving
        assert share == pytest.approx(planted / 30, abs=0.035)


# ------------------------------------------------------------------------- scales


def on_scales(n=12, k=2):
    """Runs on data sets whose ranges differ by a factor of a million; the first is better."""
    scores = made(21, n_datasets=n, n_folds=1, n_runs=5, k=k, spread=0.2, step=1.0)
    return scores * 10.0 ** np.linspace(-3, 3, n)[:, None, None, None]


def text_of(result, code):
    return next(note.text for note in result.notes if note.code == code)


def test_several_scales_get_bootstrap_b_of_relative_ranks():
    scores = on_scales(k=3)
    result = compare_stochastic(of(scores))
    assert (result.procedure, result.coverage, result.by_ranks) == ("bootstrap-b", 0.1, True)
    assert "scales" not in codes(result)
    # by another route: the ranks are the scores of data sets on one scale
    pooled = scores.reshape(12, 1, -1)
    ranks = ((pooled.swapaxes(1, 2) > pooled).sum(2) + 0.5) / 15
    again = compare_stochastic(of(ranks.reshape(scores.shape)), scale="one")
    assert not again.by_ranks
    assert again.to_frame().equals(result.to_frame())
    assert again.overall.to_frame().equals(result.overall.to_frame())
    assert dict(again.mean_low) == dict(result.mean_low)
    assert result.measure == "relative rank by score"
    turned = compare_stochastic(of(-scores, direction="maximize"), scale="several")
    best = result.ordered[0]
    assert turned.ordered == result.ordered
    assert turned.mean_low[best] == pytest.approx(1 - result.mean_high[best])
    assert turned.hypotheses.p_high == pytest.approx(result.hypotheses.p_high, rel=0.01)


def test_relative_ranks_of_folds_ties_and_intervals_by_hand():
    scores = np.array([[[[1.0, 2.0], [7.0, 8.0]], [[2.0, 3.0], [9.0, 9.0]]]] * 2)
    result = compare_stochastic(of(scores), scale="several", encoding="mean")
    # ranks 1, 2.5, 2.5, 4 on the first fold and 1, 2, 3.5, 3.5 on the second
    first = ((0.5 + 2) / 8 + (0.5 + 1.5) / 8) / 2
    assert list(result.mean_low.values()) == pytest.approx([first, 1 - first])
    points = of([[1.0, 2.0], [4.0, 5.0]])
    data = replace(points, upper=points.lower + np.array([2.0, 0.0])[:, None, None])
    result = compare_stochastic(data, scale="several", encoding="range")
    # ends 1, 3 and 2, 2 have the ranks 1, 4 and 2.5; on the second data set 4 and 6, 5 and 5 too
    assert list(result.mean_low.values()) == pytest.approx([0.5 / 4, 2 / 4])
    assert list(result.mean_high.values()) == pytest.approx([3.5 / 4, 2 / 4])


def test_interval_and_fuzzy_p_values_take_the_sign_test_on_several_scales():
    data = of(on_scales())
    result = compare_stochastic(data, procedure="interval")
    assert result.test == "sign"
    assert "scales" not in codes(result)
    # 12 wins; a unit for each data set changes nothing
    assert result.hypotheses.p_low[0] == pytest.approx(2.0**-11)
    asked = compare_stochastic(data, procedure="interval", test="sign")
    assert asked.hypotheses.p_high.tolist() == result.hypotheses.p_high.tolist()
    assert not {"scales", "several-scales"} & codes(asked)
    fuzzy = compare_stochastic(data, procedure="fuzzy")
    assert fuzzy.test == "sign"
    assert "several-scales" in codes(fuzzy)


def test_a_note_tells_the_power_that_intervals_cost_where_the_means_find_more():
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(20):
        scores = rng.normal(size=(10, 2, 1, 10)) + np.array([0, 0.6])[:, None, None]
        result = compare_stochastic(of(scores))
        more = " ".join(note.text for note in result.notes if note.code == "means")
        assert ("Intervals of runs cost power" in more) == ("finds" in more)
        found += bool(more)
    assert found


@pytest.mark.weekly
@pytest.mark.parametrize("kind", ["normal", "heavy", "deviations"])
def test_relative_ranks_keep_the_level(kind):
    """The null hypothesis of every pair is true: data sets in units of their own."""
    rng, times, found = np.random.default_rng(1), 400, 0
    deviations = np.linspace(0.3, 2, 4)[:, None] if kind == "deviations" else 1.0
    draw = rng.standard_cauchy if kind == "heavy" else rng.standard_normal
    for _ in range(times):
        scores = deviations * draw((12, 4, 8)) + 0.5 * draw((12, 4, 1))
        scores *= 10.0 ** rng.integers(-3, 3, (12, 1, 1))
        data = of(scores[:, :, None])
        result = compare_stochastic(data, procedure="bootstrap-a", scale="several")
        found += "significant" in result.hypotheses.outcome
    assert found / times <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / times)


def test_scales_can_be_stated_and_do_not_concern_folds():
    assert compare_stochastic(of(on_scales()), scale="one").procedure == "bootstrap-b"
    one = of(made(22, n_datasets=6))
    assert compare_stochastic(one).procedure == "bootstrap-b"
    several = compare_stochastic(one, scale="several")
    assert (several.procedure, several.by_ranks) == ("bootstrap-b", True)
    folds = compare_stochastic(of(made(22)), scale="several")
    assert folds.procedure == "bootstrap-b"
    assert not {"scales", "several-scales"} & codes(folds)
    with pytest.raises(ValueError, match=r"^`scale` must be 'auto', 'one' or 'several'; got 'x'"):
        compare_stochastic(one, scale="x")


# ------------------------------------------------------------- what cannot be rejected


@pytest.mark.parametrize(
    ("n", "k", "options", "code", "least", "enough"),
    [
        (2, 2, {"procedure": "bootstrap-a"}, "never-significant", 0.5, 6),
        (3, 3, {"procedure": "bootstrap-b"}, "never-significant", 0.25, 7),
        (3, 3, {"procedure": "bootstrap-b"}, "never-significant-overall", 2 / 27, 5),
        (6, 3, {"procedure": "interval", "test": "sign"}, "never-significant", 2.0**-5, 7),
        (6, 3, {"procedure": "interval"}, "never-significant", 2.0**-5, 7),
        (6, 3, {"procedure": "interval", "adjust": "hochberg"}, None, None, None),
        (6, 3, {"procedure": "interval", "adjust": "shaffer"}, "never-significant", 2.0**-5, 7),
        (6, 3, {"procedure": "interval", "adjust": None}, None, None, None),
        (6, 3, {"procedure": "interval", "control": "A1"}, "never-significant", 2.0**-5, 7),
        (3, 2, {"procedure": "interval", "test": "rank-sum"}, "never-significant", 0.1, 4),
        (3, 2, {"procedure": "interval", "test": "t"}, None, None, None),
    ],
)
def test_a_test_that_cannot_reject_says_so(n, k, options, code, least, enough):
    def apart(count):  # as clear as can be
        scores = np.arange(count)[:, None] / 7 + 100.0 * np.arange(k)
        return of(np.repeat(scores.T[np.newaxis, :, :, np.newaxis], 2, axis=3))

    result = compare_stochastic(apart(n), **options)
    families = result.hypotheses, result.overall
    if code is None:
        assert "never-significant" not in codes(result)
        assert "significant" in result.hypotheses.outcome
        return
    rows = families[code.endswith("overall")]
    assert "significant" not in rows.outcome
    assert rows.p_low.min() == pytest.approx(least)
    text = text_of(result, code)
    assert f"is {least:.6g}" in text
    assert text.endswith(f"At least {enough} folds are needed for that.")
    # so it is
    more = compare_stochastic(apart(enough), **options)
    assert code not in codes(more)
    assert "significant" in (more.hypotheses, more.overall)[code.endswith("overall")].outcome


# ------------------------------------------------------- what the runs of a fold are


def test_deterministic_algorithms_stay_points():
    scores = made(12)
    scores[:, 0, :, 1:] = np.nan  # one run
    scores[:, 1] = scores[:, 1, :, :1]  # the same five times
    result = compare_stochastic(of(scores), procedure="fuzzy")
    assert result.deterministic == ("A1", "A2")
    assert result.mean_low["A1"] == result.mean_high["A1"]
    assert result.mean_low["A3"] < result.mean_high["A3"]
    note = next(note for note in result.notes if note.code == "deterministic")
    assert note.text.startswith("A1 is treated as deterministic")
    cuts = result.hypotheses.fuzzy
    row = [
        set(pair) for pair in zip(result.hypotheses.first, result.hypotheses.second, strict=True)
    ].index({"A1", "A2"})
    np.testing.assert_array_equal(cuts.low[row], cuts.high[row])


def test_intervals_that_were_given_are_taken_as_they_are():
    scores = made(13, n_runs=1, k=2)
    data = Experiment(
        lower=scores - 0.2,
        upper=scores + 0.2,
        datasets=("1",),
        algorithms=("A", "B"),
        folds=tuple("abcdefgh"),
        direction="minimize",
    )
    result = compare_stochastic(data, procedure="interval")
    assert result.mean_high["A"] - result.mean_low["A"] == pytest.approx(0.4)
    with pytest.raises(DataError, match="must not be 'shortest' here: interval-valued"):
        compare_stochastic(data, procedure="interval", encoding="shortest")


def test_a_missing_score_may_be_anything_that_was_observed():
    scores = made(14, n_datasets=6, n_folds=1, n_runs=1, k=3, step=1.0)
    gap = scores.copy()
    gap[2, 1] = np.nan
    with pytest.raises(DataError, match="no score for 'A2 on 3'"):
        compare_stochastic(of(gap))
    dropped = compare_stochastic(of(gap), missing="drop")
    assert "dropped" in codes(dropped)
    assert dropped.design.left_out == ("3",)
    assert dropped.design.n_datasets == 5
    result = compare_stochastic(of(gap), missing="interval")
    (text,) = [note.text for note in result.notes if note.code == "missing-interval"]
    assert text.startswith("1 score missing: it is replaced by the interval of all scores")
    observed = gap[2][~np.isnan(gap[2])]
    for value in np.linspace(observed.min(), observed.max(), 7):
        filled = gap.copy()
        filled[2, 1] = value
        crisp = compare_stochastic(of(filled), procedure="bootstrap-a")
        for rows, open_rows in (
            (crisp.overall, result.overall),
            (crisp.hypotheses, result.hypotheses),
        ):
            for name, other, p in zip(
                rows.first, rows.second or rows.first, rows.p_low, strict=True
            ):
                place = list(
                    zip(open_rows.first, open_rows.second or open_rows.first, strict=True)
                ).index((name, other))
                assert open_rows.p_low[place] - 1e-9 <= p <= open_rows.p_high[place] + 1e-9


# ------------------------------------------------------------------------- the result


def test_frames_of_cuts_and_of_algorithms():
    result = compare_stochastic(of(made(18)), procedure="fuzzy")
    cuts = result.to_frame("cuts")
    assert len(cuts) == 3 * 50
    assert (cuts.coverage + cuts.membership).to_numpy() == pytest.approx(1)
    with pytest.raises(ValueError, match="only the bootstrap tests"):
        result.to_frame("overall")
    bootstrap = compare_stochastic(of(made(18)))
    assert sorted(bootstrap.to_frame("overall")["first"]) == ["A1", "A2", "A3"]
    with pytest.raises(ValueError, match="only fuzzy p-values"):
        bootstrap.to_frame("cuts")
