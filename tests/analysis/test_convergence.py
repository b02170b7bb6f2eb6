import pickle
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare import ConvergenceComparison, DataError, Histories, compare_convergence
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
    assert "Fast converges faster than Slow" in " ".join(result.sentences)


def test_the_two_versions_disagree_where_the_optimum_is_reached_early():
    """Quick solves every problem a third of the way; Steady catches up to the end."""
    quick = np.maximum(1 - STEP / 7, 0)
    steady = 1 - STEP / 20
    values = np.repeat(np.stack([quick, steady])[None, :, None], 20, axis=0)
    result = compare_convergence(of(values, algorithms=["Quick", "Steady"], optimum=0.0))
    assert result.versions == ("basic", "alternative")
    basic, alternative = (result.tests[version] for version in result.versions)
    assert not basic.rejected[0, 1]
    assert alternative.rejected[0, 1]
    assert not alternative.rejected[1, 0]
    assert "optimum-reached" in codes(result)
    assert "disagree" in " ".join(result.sentences)


def test_ranks_are_those_of_the_page_when_the_row_reaches_the_optimum_first():
    """Before the fourth cut-point 3, 1, 2; then 4 to 10, as in the first worked example."""
    a = np.array([5, 4.5, 4, 0, 0, 0, 0, 0, 0, 0.0])
    b = np.array([9.0, 6.5, 6.2, 6, 5, 4, 3, 2, 1, 0.5])
    values = np.repeat(np.stack([a, b])[None, :, None], 2, axis=0)
    histories = Histories.from_array(
        values, evaluations=np.arange(1, 11), direction="minimize", optimum=0.0
    )
    result = compare_convergence(histories)
    assert result.ranks_of("A1", "A2")[0].tolist() == [3, 1, 2, 4, 5, 6, 7, 8, 9, 10]
    assert result.ranks_of("A2", "A1")[0].tolist() == [8, 10, 9, 7, 6, 5, 4, 3, 2, 1]
    assert result.ranks_of("A1", "A2", "basic")[0, 3:].tolist() != [4, 5, 6, 7, 8, 9, 10]


def test_exchange_p_is_that_of_all_swaps():
    result = compare_convergence(of(walks(3, n=6, k=2)), cutpoints=5)
    ranks = result.ranks_of("A1", "A2")
    c = 5
    centred = (ranks * np.arange(1, c + 1)).sum(axis=1) - c * (c + 1) ** 2 / 4
    sums = [np.dot(signs, centred) for signs in product((1, -1), repeat=6)]
    p = np.mean([total >= centred.sum() - 1e-9 for total in sums])
    assert result.tests["basic"].exchange[0, 1] == pytest.approx(p)


# ----------------------------------------------------------------------- properties


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_swapping_mirrors_and_scaling_changes_nothing(seed):
    values = walks(seed)
    result = compare_convergence(of(values))
    tests = result.tests["basic"]
    c = 10
    np.testing.assert_allclose(tests.ranks + tests.ranks.swapaxes(0, 1), c + 1)
    n = len(values)
    np.testing.assert_allclose(tests.statistic + tests.statistic.T, n * c * (c + 1) ** 2 / 2)
    # both tails hold the observed value
    off = ~np.eye(3, dtype=bool)
    assert (tests.exchange[off] + tests.exchange.T[off] >= 1 - 1e-12).all()
    scaled = values * 10.0 ** np.random.default_rng(seed).integers(-3, 4, (n, 1, 1, 1))
    again = compare_convergence(of(scaled)).tests["basic"]
    np.testing.assert_allclose(again.exchange, tests.exchange)
    flipped = compare_convergence(of(-values, "maximize")).tests["basic"]
    np.testing.assert_allclose(flipped.exchange, tests.exchange)


def test_relabelling_permutes():
    values = walks(1)
    result = compare_convergence(of(values)).tests["basic"]
    turned = compare_convergence(of(values[:, ::-1])).tests["basic"]
    np.testing.assert_allclose(turned.exchange, result.exchange[::-1, ::-1])
    np.testing.assert_allclose(turned.page, result.page[::-1, ::-1])


def test_a_curve_against_itself_shows_no_trend():
    values = np.repeat(walks(2, k=1), 2, axis=1)
    result = compare_convergence(of(values))
    assert result.tests["basic"].exchange[0, 1] == 1
    assert not result.tests["basic"].rejected.any()
    assert "No significant difference in convergence was found" in " ".join(result.sentences)


# -------------------------------------------------------------------------- options


def test_median_and_mean_are_of_the_runs():
    values = walks(4, n_runs=5)
    for aggregate, over in (("mean", np.mean), ("median", np.median)):
        result = compare_convergence(of(values), aggregate=aggregate, cutpoints=4)
        np.testing.assert_allclose(result.curves, over(values, axis=2)[..., [4, 9, 14, 19]])
        np.testing.assert_allclose(result.cutpoints[0], [500, 1000, 1500, 2000])


def test_page_decides_when_asked_or_printed():
    data = of(walks(5))
    exchange, page, printed = (
        compare_convergence(data, **options)
        for options in ({}, {"null": "page"}, {"formulas": "printed"})
    )
    assert exchange.null == "exchange"
    np.testing.assert_array_equal(page.tests["basic"].rejected, page.tests["basic"].page <= 0.1)
    assert printed.null == "page"
    assert "page-null" in codes(page) & codes(printed)
    assert "page-null" not in codes(exchange)
    laws = [str(result.section("method")) for result in (page, printed)]
    assert "Page: exact distribution" in laws[0]
    assert "normal approximation, as printed" in " ".join(laws[1].split())


def test_adjusted_p_decide():
    result = compare_convergence(of(decays(0.8, 0.9, 0.95)), adjust=["holm", "finner"])
    tests = result.tests["basic"]
    off = ~np.eye(3, dtype=bool)
    for name in ("holm", "finner"):
        np.testing.assert_allclose(tests.adjusted[name][off], adjust(tests.exchange[off], name))
    np.testing.assert_array_equal(tests.rejected, tests.adjusted["holm"] <= 0.1)
    assert "no-adjustment" not in codes(result)
    assert "no-adjustment" in codes(compare_convergence(of(decays(0.8, 0.9))))
    li = compare_convergence(of(decays(0.8, 0.9)), adjust="li").notes
    assert "on the same problems are not" in next(
        note.text for note in li if note.code == "li-dependence"
    )


def test_a_tolerance_makes_the_optimum_reachable():
    values = decays(0.3, 0.6, n=24) + 7.0
    near = compare_convergence(of(values, optimum=7.0), optimum_tolerance=1e-4)
    never = compare_convergence(of(values, optimum=7.0))
    assert "optimum-reached" in codes(near)
    assert "never-reached" in codes(never)
    np.testing.assert_allclose(never.tests["basic"].ranks, never.tests["alternative"].ranks)


def test_a_mean_of_runs_at_the_optimum_is_at_the_optimum():
    """The mean of 0.1, 0.1 and 0.1 is not 0.1 in floating point."""
    values = np.full((8, 2, 3, 20), 0.1)
    values[:, 0, :, :4] = 3.0
    values[:, 1, :, :10] = 2.0
    result = compare_convergence(of(values, optimum=0.1))
    assert "optimum-reached" in codes(result)
    assert not np.array_equal(result.tests["basic"].ranks, result.tests["alternative"].ranks)


def test_a_late_starter_that_is_behind_all_the_time_is_noted():
    """Done is nearly so at the first cut-point; Late keeps improving and never gets there."""
    done, late = 0.01 * 0.99**STEP, 10 - 0.1 * STEP
    values = np.repeat(np.stack([done, late])[None, :, None], 20, axis=0)
    result = compare_convergence(of(values, algorithms=["Done", "Late"]))
    assert result.tests["basic"].rejected.tolist() == [[False, False], [True, False]]
    note = next(note for note in result.notes if note.code == "behind")
    assert "of most problems: Late (than Done). The test" in note.text


def test_logarithms_compare_orders_of_magnitude():
    """The faster of two geometric decays is the one that loses its raw lead."""
    data = of(decays(0.5, 0.8, n=20), algorithms=["Fast", "Slow"], optimum=0.0)
    raw, log = (compare_convergence(data, differences=how) for how in ("raw", "log"))
    assert raw.tests["basic"].rejected.tolist() == [[False, False], [True, False]]
    assert log.tests["basic"].rejected.tolist() == [[False, True], [False, False]]
    # in an error's power only the unit of its logarithm changes
    squared = of(data.values**2, algorithms=["Fast", "Slow"], optimum=0.0)
    again = compare_convergence(squared, differences="log")
    np.testing.assert_allclose(again.tests["basic"].ranks, log.tests["basic"].ranks)
    # without an optimum, of the values themselves
    plain = compare_convergence(of(data.values), differences="log")
    np.testing.assert_allclose(plain.tests["basic"].ranks, log.tests["basic"].ranks)
    with pytest.raises(ValueError, match="must not be 'log' here: the optima are not known"):
        compare_convergence(of(data.values - 1e-3), differences="log")


def test_logarithms_of_errors_that_vanish():
    values = np.maximum(decays(0.5, 0.8, n=8) - 0.01, 0)
    values[0] = 0
    result = compare_convergence(of(values, optimum=0.0), differences="log")
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


def test_too_few_problems_are_noted():
    assert "few-problems" in codes(compare_convergence(of(walks(6, n=10))))
    assert "few-problems" not in codes(compare_convergence(of(walks(6, n=20))))


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


def test_errors_say_what_to_do():
    data = of(walks(8))
    for options, message in (
        ({"version": "both ranks"}, "`version` must be 'both', 'basic' or 'alternative'"),
        ({"version": "alternative"}, "`version` must not be 'alternative' here: the optima of the"),
        ({"optimum_tolerance": 0.1}, "`optimum_tolerance` must not be 0.1 here: the optima"),
        ({"cutpoints": 2}, "`cutpoints` must be a whole number of at least 3; got 2"),
        ({"aggregate": "best"}, "`aggregate` must be 'mean' or 'median'"),
        ({"adjust": "shaffer"}, "`adjust` must not be 'shaffer' here: A over B and B over A"),
        ({"null": "swap"}, "`null` must be 'exchange' or 'page'"),
        ({"alpha": 1}, "`alpha` must be a number between 0 and 1"),
        ({"missing": "interval"}, "`missing` must be 'raise' or 'drop'"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            compare_convergence(data, **options)
    with pytest.raises(ValueError, match="at least 0; got -1"):
        compare_convergence(of(walks(8), optimum=0.0), optimum_tolerance=-1)
    with pytest.raises(TypeError, match="must be a Histories; got list"):
        compare_convergence([1, 2])
    with pytest.raises(DataError, match="at least 2 algorithms to compare; got 1"):
        compare_convergence(of(walks(8, k=1)))


# ----------------------------------------------------------------------- the result


def test_the_result_pickles_and_stays_read_only():
    result = compare_convergence(of(walks(9), optimum=0.0))
    assert isinstance(result, ConvergenceComparison)
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)
    for kept in (result, again):
        with pytest.raises(ValueError, match="read-only"):
            kept.tests["basic"].ranks[0, 0, 0, 0] = 1
    with pytest.raises(ValueError, match="`faster` must be one of"):
        result.ranks_of("Z", "A1")


@pytest.mark.parametrize("k", [2, 12])
def test_every_section_renders(k):
    result = compare_convergence(of(walks(10, k=k), optimum=0.0))
    for name in result.sections:
        bundle = result.section(name)._repr_mimebundle_()
        assert all(text.strip() for text in bundle.values() if isinstance(text, str))
    assert repr(result).startswith(
        f"<ConvergenceComparison: {k} algorithms, 10 problems, 10 cut-points, exchange null: "
    )
    assert len(result.to_frame()) == 2 * k * (k - 1)
    assert "\\toprule" in result.to_latex()
    assert len(result.references) == 2
