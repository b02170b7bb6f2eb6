import re

import numpy as np
import pytest
from scipy.stats import rankdata

from nbcompare import DataError, Histories, compare_convergence, plots
from nbcompare.stats.adjust import adjust

STEP = np.arange(1, 21)


def decays(*rates, n=12, n_runs=1, seed=0):
    """Best-so-far [problem, algorithm, run, point] that fall geometrically, each problem scaled."""
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-2, 2, (n, 1, 1, 1))
    noise = rng.uniform(0.9, 1.02, (n, len(rates), n_runs, 1))
    return scale * (np.array(rates)[:, None, None] * noise) ** STEP


def of(values, direction="minimize", **more):
    return Histories.from_array(values, evaluations=100 * STEP, direction=direction, **more)


def walks(seed, n=10, k=3, n_runs=4):
    """Histories as of random search: least values so far of random numbers."""
    rng = np.random.default_rng(seed)
    return np.minimum.accumulate(rng.exponential(size=(n, k, n_runs, 20)), axis=3)


def codes(result):
    return {note.code for note in result.notes}


# ------------------------------------------------------------------ what L is about


@pytest.mark.parametrize("version", ["basic", "alternative"])
def test_a_faster_algorithm_is_found_in_the_right_direction(version):
    """Slow approaches from the start, Fast is on its way from the same value but quicker."""
    fast, slow = 0.97**STEP, 0.999**STEP
    scale = np.arange(1, 21)[:, None]
    values = np.stack([scale * fast, scale * slow], axis=1)[:, :, None]
    result = compare_convergence(
        of(values, algorithms=["Fast", "Slow"], optimum=0.0), version=version
    )
    frame = result.to_frame()
    assert frame.loc[0, ["faster", "slower"]].tolist() == ["Fast", "Slow"]
    assert frame.rejected.tolist() == [True, False]
    # all 20 problems agree perfectly: 1 of 2^20 swaps is as extreme
    assert frame.p_exchange[0] == pytest.approx(2.0**-20)
    assert frame.log10_exchange[0] == pytest.approx(-20 * np.log10(2))
    assert result.ordered == ("Fast", "Slow")
    assert "Fast converges significantly faster than Slow" in " ".join(result.sentences)


def test_the_two_versions_disagree_where_the_optimum_is_reached_early():
    """Quick solves every problem a third of the way; Steady catches up to the end."""
    quick = np.maximum(1 - STEP / 7, 0)
    steady = 1 - STEP / 20
    values = np.repeat(np.stack([quick, steady])[None, :, None], 20, axis=0)
    data = of(values, algorithms=["Quick", "Steady"], optimum=0.0)
    result = compare_convergence(data, differences="raw")
    assert result.versions == ("basic", "alternative")
    basic, alternative = (result.tests[version] for version in result.versions)
    assert not basic.rejected[0, 1]
    assert alternative.rejected[0, 1]
    assert not alternative.rejected[1, 0]
    assert "optimum-reached" in codes(result)


# --------------------------------------------------------------------------- defaults


@pytest.mark.parametrize("optimum", [None, 0.0])
@pytest.mark.parametrize("formulas", ["corrected", "printed"])
def test_what_is_said_wins_and_the_rest_depends_on_formulas_and_optima(optimum, formulas):
    data = of(walks(5), optimum=optimum)
    printed = formulas == "printed"
    usual = {
        "differences": "log" if optimum == 0 and not printed else "raw",
        "alpha": 0.1 if printed else 0.05,
        "adjust": () if printed else ("holm",),
        "null": "page" if printed else "exchange",
    }
    said = {"differences": "log", "alpha": 0.07, "adjust": ("finner",), "null": "page"}
    for name, value in ({None: None} | said).items():
        given = {} if name is None else {name: value}
        result = compare_convergence(data, formulas=formulas, **given)
        assert {key: getattr(result, key) for key in usual} == usual | given
        again = compare_convergence(data, **result.design.options)
        assert again.to_json() == result.to_json()
    assert compare_convergence(data, formulas=formulas, adjust=None).adjust == ()
    versions = ("alternative",) if usual["differences"] == "log" else ("basic", "alternative")
    found = compare_convergence(data, formulas=formulas)
    assert found.versions == (("basic",) if optimum is None else versions)
    both = compare_convergence(data, formulas=formulas, version="both")
    assert both.versions == (("basic",) if optimum is None else ("basic", "alternative"))


@pytest.mark.parametrize(("n", "k", "enough"), [(4, 2, 6), (6, 3, 7), (7, 3, None), (5, 2, 6)])
def test_too_few_problems_to_reject_any_are_told(n, k, enough):
    rates = (0.5, 0.7, 0.9)[:k]
    result = compare_convergence(of(decays(*rates, n=n), optimum=0.0))
    text = [note.text for note in result.notes if note.code == "never-significant"]
    if enough is None:
        assert text == []
        assert result.to_frame()["rejected"].any()
        return
    (note,) = text
    assert (
        f"On {n} problems the smallest possible p-value of the trend test is {2.0**-n:.6g}" in note
    )
    assert f"At least {enough} problems are needed for that." in note
    assert not result.to_frame()["rejected"].any()
    unadjusted = compare_convergence(of(decays(*rates, n=n), optimum=0.0), adjust=None)
    assert ("never-significant" in codes(unadjusted)) == (2.0**-n > 0.05)
    # these come from orders of the cut-points, which are many
    page = compare_convergence(of(decays(*rates, n=n), optimum=0.0), null="page")
    assert "never-significant" not in codes(page)


def test_the_standing_leads_with_who_is_ahead_at_the_end():
    values = walks(11, n=15, k=5)
    values[3, 2] = values[3, 1]  # a tie
    result = compare_convergence(of(values))
    expected = rankdata(values.mean(axis=2)[..., -1], axis=1).mean(axis=0)
    np.testing.assert_allclose(result.final_ranks, expected, rtol=1e-14)
    maximized = compare_convergence(of(-values, "maximize"))
    np.testing.assert_array_equal(maximized.final_ranks, result.final_ranks)
    first = result.algorithms[int(np.argmin(expected))]
    (table,) = result.section("standing").parts
    assert table.rows[0][0] == first
    assert [float(row[1]) for row in table.rows] == sorted(expected.round(3).tolist())
    assert result.findings[0].startswith(f"At the end of the runs, {first} has the best average")
    assert f"({expected.min():.2f};" in result.findings[0]


def test_logarithms_go_by_alternative_ranks_below_the_tolerance():
    """Ranks computed anew, number by number."""
    rng = np.random.default_rng(12)
    errors = np.minimum.accumulate(10.0 ** rng.uniform(-7, 1, (30, 2, 1, 20)), axis=3)
    tolerance = 1e-5
    result = compare_convergence(of(errors - 4, optimum=-4.0), optimum_tolerance=tolerance)
    reached = 0
    for curves, ranks in zip(errors[:, :, 0, 1::2], result.ranks_of("A1", "A2"), strict=True):
        hits = [next((j for j in range(9) if e[j] <= tolerance), 10) for e in curves]
        a, b = np.log10(np.maximum(curves, tolerance))
        if hits[0] == hits[1]:
            expected = rankdata(np.round(b - a, 8))
        else:
            first, lead = min(hits), 1 if hits[0] < hits[1] else -1
            early = rankdata(lead * np.round((b - a)[:first], 8))
            ranked = np.append(early, np.arange(first + 1, 11))
            expected = ranked if lead == 1 else 11 - ranked
            reached += 1
        np.testing.assert_array_equal(ranks, expected)
    assert 5 < reached < 30


def test_logarithms_choose_a_tolerance_below_all_errors_if_one_is_zero():
    values = np.maximum(decays(0.5, 0.8, n=8) - 0.01, 0)
    values[values > 0] = np.maximum(values[values > 0], 3e-4)

    def note(result):
        return next((it.text for it in result.notes if it.code == "chosen-tolerance"), "")

    chosen = compare_convergence(of(values, optimum=0.0))
    assert chosen.differences == "log"
    assert "errors up to 0.0001, the power of ten below all others, count as the" in note(chosen)
    given = compare_convergence(of(values, optimum=0.0), optimum_tolerance=1e-4)
    for version, tests in chosen.tests.items():
        np.testing.assert_array_equal(tests.ranks, given.tests[version].ranks)
    assert not note(given)
    for other in (
        compare_convergence(of(values + 1e-3, optimum=0.0)),  # none is 0
        compare_convergence(of(values, optimum=0.0), differences="raw"),
        compare_convergence(of(values)),  # not known to be errors
    ):
        assert not note(other)


def test_p_that_underflows_is_told_by_its_logarithm():
    one = np.stack([0.97**STEP, 0.999**STEP])[np.newaxis, :, np.newaxis]
    for n, how in (
        (2000, {}),
        (300, {"null": "page"}),
        (100, {"null": "page", "adjust": None}),
        (300, {"formulas": "printed"}),
    ):
        result = compare_convergence(of(np.repeat(one, n, axis=0), optimum=0.0), **how)
        log10_p = result.log10_decisive(result.versions[-1])[0, 1]
        assert result.decisive(result.versions[-1])[0, 1] == 0
        assert log10_p < -400
        mantissa, _, exponent = result.p_text(result.versions[-1], 0, 1).partition("e")
        assert float(exponent) + np.log10(float(mantissa)) == pytest.approx(log10_p, abs=0.003)
        for text in (*result.sentences, str(result), plots.trend_heatmap(result).alt):
            assert not re.search(r"p = 0(?![.\d])", text)


# ------------------------------------------------------------------------ simulations


def racing(seed, rates, n=20, n_runs=5):
    """Errors that decay exponentially in steps of random size, at rates that vary by run."""
    rng = np.random.default_rng(seed)
    shape = (n, 2, n_runs, 20)
    rate = np.array(rates)[:, None, None] * rng.lognormal(0, 0.15, (*shape[:3], 1))
    start = 10.0 ** rng.uniform(-2, 3, (n, 1, 1, 1)) * rng.lognormal(0, 0.2, (*shape[:3], 1))
    steps = rng.gamma(2, 0.25, shape)
    errors = start * np.exp(-np.cumsum(rate * steps, axis=3))
    return of(errors, optimum=0.0, algorithms=["Fast", "Slow"])


def named(seeds, rates, **options):
    """How often each of the two is named."""
    found = np.zeros(2)
    for seed in seeds:
        result = compare_convergence(racing(seed, rates), **options)
        rejected = result.tests[result.versions[-1]].rejected
        found += rejected[0, 1], rejected[1, 0]
    return (found / len(seeds)).tolist()


def test_raw_differences_name_the_slower_one_and_logarithms_the_faster_one():
    seeds = range(20)
    assert named(seeds, (0.5, 0.3), differences="raw") == [0, 1]
    assert named(seeds, (0.5, 0.3), formulas="printed") == [0, 1]
    assert named(seeds, (0.5, 0.3)) == [1, 0]
    result = compare_convergence(racing(0, (0.5, 0.3)), differences="raw")
    assert "Slow" in result.findings[1]
    assert "9.16e-05" in result.findings[1]
    assert "For Slow over Fast, the trend is in favour of the algorithm" in result.findings[2]


# ----------------------------------------------------------------------- properties


def test_relabelling_permutes():
    values = walks(1)
    result = compare_convergence(of(values)).tests["basic"]
    turned = compare_convergence(of(values[:, ::-1])).tests["basic"]
    np.testing.assert_allclose(turned.exchange, result.exchange[::-1, ::-1])
    np.testing.assert_allclose(turned.page, result.page[::-1, ::-1])


# -------------------------------------------------------------------------- options


def test_median_and_mean_are_of_the_runs():
    values = walks(4, n_runs=5)
    for aggregate, over in (("mean", np.mean), ("median", np.median)):
        result = compare_convergence(of(values), aggregate=aggregate, cutpoints=4)
        np.testing.assert_allclose(result.curves, over(values, axis=2)[..., [4, 9, 14, 19]])
        np.testing.assert_allclose(result.cutpoints[0], [500, 1000, 1500, 2000])


def test_no_more_cutpoints_than_points():
    data = of(walks(4))
    assert compare_convergence(data, cutpoints=20).cutpoints.shape == (10, 20)
    message = "`cutpoints` must be at most 20, the most points .* repeat; got 1,000,000"
    with pytest.raises(ValueError, match=message):
        compare_convergence(data, cutpoints=10**6)
    few = Histories.from_array(walks(4)[..., :5], direction="minimize")
    assert compare_convergence(few).cutpoints.shape == (10, 10)  # the default


def test_page_decides_when_asked_or_printed():
    data = of(walks(5))
    exchange, page, printed = (
        compare_convergence(data, **options)
        for options in ({}, {"null": "page"}, {"formulas": "printed"})
    )
    assert exchange.null == "exchange"
    tests = page.tests["basic"]
    assert page.decisive("basic") is tests.adjusted["holm"]
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose(tests.adjusted["holm"][off], adjust(tests.page[off], "holm"))
    assert printed.null == "page"
    assert "page-null" in codes(page) & codes(printed)
    assert "page-null" not in codes(exchange)
    laws = [" ".join(str(result.section("methods")).split()) for result in (page, printed)]
    assert "(exact p-values, one-sided)" in laws[0]
    assert "(p-values by the normal law, as printed" in laws[1]


def test_adjusted_p_decide():
    result = compare_convergence(of(decays(0.8, 0.9, 0.95)), adjust=["holm", "finner"])
    tests = result.tests["basic"]
    off = ~np.eye(3, dtype=bool)
    for name in ("holm", "finner"):
        np.testing.assert_allclose(tests.adjusted[name][off], adjust(tests.exchange[off], name))
        of_logs = tests.log10_adjusted[name][off]
        np.testing.assert_allclose(10**of_logs, tests.adjusted[name][off], rtol=1e-12)
    np.testing.assert_array_equal(tests.rejected, tests.adjusted["holm"] <= 0.05)
    assert "no-adjustment" not in codes(result)
    assert "no-adjustment" in codes(compare_convergence(of(decays(0.8, 0.9)), adjust=None))
    li = compare_convergence(of(decays(0.8, 0.9)), adjust="li").notes
    assert "on the same problems are not" in next(
        note.text for note in li if note.code == "li-dependence"
    )


def test_a_tolerance_makes_the_optimum_reachable():
    values = decays(0.3, 0.6, n=24) + 7.0
    raw = {"differences": "raw"}
    near = compare_convergence(of(values, optimum=7.0), optimum_tolerance=1e-4, **raw)
    never = compare_convergence(of(values, optimum=7.0), **raw)
    assert "optimum-reached" in codes(near)
    assert "never-reached" in codes(never)
    np.testing.assert_allclose(never.tests["basic"].ranks, never.tests["alternative"].ranks)


def test_a_mean_of_runs_at_the_optimum_is_at_the_optimum():
    """The mean of 0.1, 0.1 and 0.1 is not 0.1 in floating point."""
    values = np.full((8, 2, 3, 20), 0.1)
    values[:, 0, :, :4] = 3.0
    values[:, 1, :, :10] = 2.0
    result = compare_convergence(of(values, optimum=0.1), differences="raw")
    assert "optimum-reached" in codes(result)
    assert not np.array_equal(result.tests["basic"].ranks, result.tests["alternative"].ranks)


def test_logarithms_compare_orders_of_magnitude():
    """The faster of two geometric decays is the one that loses its raw lead."""
    data = of(decays(0.5, 0.8, n=20), algorithms=["Fast", "Slow"], optimum=0.0)
    raw, log = (compare_convergence(data, differences=how) for how in ("raw", "log"))
    assert raw.tests["basic"].rejected.tolist() == [[False, False], [True, False]]
    assert log.tests["alternative"].rejected.tolist() == [[False, True], [False, False]]
    # in an error's power only the unit of its logarithm changes
    squared = of(data.values**2, algorithms=["Fast", "Slow"], optimum=0.0)
    again = compare_convergence(squared, differences="log")
    np.testing.assert_allclose(again.tests["alternative"].ranks, log.tests["alternative"].ranks)
    # without an optimum, of the values themselves
    plain = compare_convergence(of(data.values), differences="log")
    np.testing.assert_allclose(plain.tests["basic"].ranks, log.tests["alternative"].ranks)
    assert "no-errors" in codes(plain)
    assert "the gap grows in favour of Fast over Slow" not in " ".join(plain.sentences)
    assert "favour of A1 over A2" in " ".join(plain.sentences)
    with pytest.raises(ValueError, match="must not be 'log' here: the optima are not known"):
        compare_convergence(of(data.values - 1e-3), differences="log")


def test_logarithms_of_errors_that_vanish():
    values = np.maximum(decays(0.5, 0.8, n=8) - 0.01, 0)
    values[0] = 0
    data = of(values, optimum=0.0)
    for tolerance in (None, 0, 1e-4):
        given = {"optimum_tolerance": tolerance, "version": "both"}
        result = compare_convergence(data, differences="log", **given)
        for tests in result.tests.values():
            assert np.isfinite(tests.ranks).all()
            np.testing.assert_allclose(tests.ranks[0, 1, 0], 5.5)


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("differences", ["raw", "log"])
def test_the_largest_number_as_a_penalty_does_not_overflow(aggregate, known, differences):
    """It stands until a run finds a feasible solution."""
    largest = np.finfo(np.float64).max
    values = decays(0.8, 0.9, n_runs=3)
    penalised = values.copy()
    penalised[0, ..., :1] = largest  # before the first cut-point
    penalised[1, 0, ..., :2] = largest
    optimum = {"optimum": -np.append(np.zeros(11), largest / 2)} if known else {}
    options = {"aggregate": aggregate, "differences": differences}
    result, plain = (compare_convergence(of(v, **optimum), **options) for v in (penalised, values))
    assert np.isfinite(result.curves).all()
    assert result.curves[1, 0, 0] == pytest.approx(largest)
    for version, tests in result.tests.items():
        assert np.isfinite(tests.exchange).all()
        others = np.delete(np.arange(12), 1)
        expected = plain.tests[version].ranks[:, :, others]
        np.testing.assert_array_equal(tests.ranks[:, :, others], expected)
        assert tests.ranks[0, 1, 1, 0] == 1  # the other leads by the most


def test_missing_runs():
    values = walks(7)
    values[2, 1] = np.nan
    values[3, 0, 2:] = np.nan
    with pytest.raises(DataError, match=re.escape("no run of 'A2 on 3'")):
        compare_convergence(of(values))
    result = compare_convergence(of(values), missing="drop")
    assert result.design.left_out == ("3",)
    assert result.design.n_datasets == 9
    assert {"dropped", "runs-differ"} <= codes(result)
