"""Adjusted p-values by definitions, levels, and other programs."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy.stats import false_discovery_control

from nbcompare.stats.adjust import METHODS, adjust, adjusted_alphas

# grid values make equal p-values common
pvalues = st.lists(
    st.one_of(st.floats(0, 1), st.integers(0, 10).map(lambda i: i / 100)), min_size=1, max_size=7
)


def closed_bonferroni(p):
    """Holm by its definition: the largest Bonferroni p of all intersections with i in them."""
    out = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for group in itertools.combinations(range(len(p)), size):
            for i in group:
                out[i] = max(out[i], min(1.0, size * min(p[j] for j in group)))
    return out


def hochberg_rejects(p, alpha):
    """Hochberg (1988): with p ascending, reject 1 to i for the last p_i <= alpha/(m - i + 1)."""
    ordered = np.sort(p)
    m = len(p)
    passed = [i for i in range(m) if ordered[i] * (m - i) <= alpha]
    return np.asarray(p) <= (ordered[max(passed)] if passed else -1)


@given(p=pvalues)
def test_holm_is_closed_testing_with_bonferroni(p):
    assert adjust(p, "holm") == pytest.approx(closed_bonferroni(p), rel=1e-14, abs=0)


@given(p=pvalues, data=st.data())
def test_hochberg_rejects_what_its_definition_rejects(p, data):
    adjusted = adjust(p, "hochberg")
    levels = st.one_of(st.floats(0.001, 0.999), st.sampled_from(sorted({*adjusted.tolist(), 0.05})))
    alpha = data.draw(levels)  # also exactly at an adjusted p-value
    if alpha < 1:
        assert (adjusted <= alpha).tolist() == hochberg_rejects(p, alpha).tolist()


@given(p=pvalues, method=st.sampled_from(METHODS))
def test_logarithms_give_the_same(p, method):
    with np.errstate(divide="ignore"):
        logs = np.log10(np.array(p))
    assert 10 ** adjust(logs, method, log10=True) == pytest.approx(
        adjust(p, method), rel=1e-12, abs=1e-307
    )


@pytest.mark.parametrize("method", METHODS)
def test_far_below_the_smallest_number(method):
    smallest = adjust([-900.0, -1000.0, -0.1], method, log10=True)[1]
    rest = 1 - 10**-0.1  # of Li
    factor = {
        "rom": 0.05 / adjusted_alphas(3, "rom")[0],
        "li": 1 / rest,
        "benjamini-yekutieli": 3 * (1 + 1 / 2 + 1 / 3),
    }.get(method, 3)
    assert smallest == pytest.approx(-1000 + np.log10(factor), rel=1e-14)
    assert adjust([0.0, 1.0], method).tolist() == [0, 1]
    assert adjust([-np.inf, 0.0], method, log10=True).tolist() == [-np.inf, 0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("log10", [False, True])
def test_rows_are_families(method, log10):
    p = np.random.default_rng(0).random((40, 7)).round(1) ** 3
    with np.errstate(divide="ignore"):
        p = np.log10(p) if log10 else p
    together = adjust(p, method, log10=log10)
    assert np.array_equal(together, [adjust(row, method, log10=log10) for row in p])


@pytest.mark.parametrize("method", METHODS)
def test_one_and_none(method):
    assert adjust([0.3], method).tolist() == [0.3]
    assert adjust([], method).tolist() == []


@pytest.mark.slow
def test_rom_levels(reference):
    for alpha, levels in reference("adjust")["rom_levels"].items():
        found = adjusted_alphas(len(levels), "rom", float(alpha))[::-1]
        assert found == pytest.approx(levels, rel=1e-13, abs=0)
    printed = 0.05 / adjusted_alphas(5, "rom", formulas="printed")[::-1]
    assert printed == pytest.approx([1, 2, 3, 3.814, 4.755], abs=5e-4)
    # m c_m tends to -log(1 - alpha), at any level and number
    for alpha in (0.01, 0.05, 0.5, 0.9):
        assert 5000 * adjusted_alphas(5000, "rom", alpha)[0] == pytest.approx(
            -np.log1p(-alpha), rel=1e-2
        )


def exact_level(levels):
    """P(step-up rejects anything) for independent uniform p: 1 - P(every p_(i) > level_i).

    The i-th of the ordered p lies above the i-th level and above the one before, so the
    densities are polynomials: integrate one after the other.
    """
    density = Polynomial([1.0])
    for level in levels:
        density = density.integ()
        density -= density(level)
    return 1 - math.factorial(len(levels)) * density(1.0)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("m", [1, 2, 3, 4, 5, 8])
def test_rom_has_exactly_its_level(m, alpha):
    # many large terms cancel
    assert exact_level(adjusted_alphas(m, "rom", alpha)) == pytest.approx(alpha, abs=1e-10)
    printed = exact_level(adjusted_alphas(m, "rom", alpha, formulas="printed"))
    # 3 instead of 2.963 is a little cautious; from the fourth on they reject too much
    assert np.sign(round(printed - alpha, 10)) == {1: 0, 2: 0, 3: -1}.get(m, 1)


def closed_simes(p):
    """Hommel by its definition: the largest Simes p of all intersections with i in them."""
    out = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for group in itertools.combinations(range(len(p)), size):
            simes = min(size * q / (i + 1) for i, q in enumerate(sorted(p[j] for j in group)))
            for i in group:
                out[i] = max(out[i], min(1.0, simes))
    return out


@given(p=pvalues)
def test_hommel_is_closed_testing_with_simes(p):
    assert adjust(p, "hommel") == pytest.approx(closed_simes(p), rel=1e-13, abs=0)


@pytest.mark.parametrize(("m", "true"), [(3, 2), (7, 4)])
def test_finner_does_not_control_the_family_wise_error(m, true):
    # in closed form: 1 - 0.95^(t (m - t + 1)/m)
    expected = 1 - 0.95 ** (true * (m - true + 1) / m)
    assert expected == pytest.approx({3: 0.0661, 7: 0.1106}[m], abs=1e-4)
    rng = np.random.default_rng(m)
    n = 4000
    p = np.full((n, m), 1e-12)
    p[:, :true] = rng.random((n, true))
    errors = {
        name: (adjust(p, name)[:, :true] <= 0.05).any(axis=1).sum()
        for name in ("finner", "holm", "holland")
    }
    noise = 3 * (expected * (1 - expected) / n) ** 0.5
    assert errors["finner"] / n == pytest.approx(expected, abs=noise)
    assert errors["finner"] / n > 0.05 + noise / 3
    # the others do, with the same p-values
    assert max(errors["holm"], errors["holland"]) / n < 0.05 + 3 * (0.05 * 0.95 / n) ** 0.5


# ----------------------------------------------------------------------------- false discovery


FALSE_DISCOVERY = {"benjamini-hochberg": "bh", "benjamini-yekutieli": "by"}
# Benjamini and Hochberg (1995, section 4.1): 15 hypotheses about thrombolysis
THROMBOLYSIS = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
]


def test_the_example_of_1995():
    # "Bonferroni rejects 3 ..., the FDR controlling procedure rejects the 4 hypotheses"
    assert (adjust(THROMBOLYSIS, "bonferroni") <= 0.05).sum() == 3
    assert (adjust(THROMBOLYSIS, "hochberg") <= 0.05).sum() == 3
    assert (adjust(THROMBOLYSIS, "benjamini-hochberg") <= 0.05).sum() == 4
    # p(4) = 0.0095 <= (4/15) 0.05 = 0.013
    assert adjusted_alphas(15, "benjamini-hochberg")[3] == pytest.approx(0.05 * 4 / 15)


@pytest.mark.parametrize("method", FALSE_DISCOVERY)
@given(st.lists(st.floats(1e-12, 1.0), min_size=1, max_size=40))
def test_as_scipy(method, pvalues):
    expected = false_discovery_control(pvalues, method=FALSE_DISCOVERY[method])
    found = adjust(pvalues, method)
    assert found == pytest.approx(expected, rel=1e-12)
    logs = adjust(np.log10(pvalues), method, log10=True)
    assert logs == pytest.approx(np.log10(expected), rel=1e-9, abs=1e-9)
    assert (found >= pvalues).all()


@pytest.mark.parametrize("method", FALSE_DISCOVERY)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40))
def test_levels_reject_the_same(method, pvalues):
    ordered = np.sort(pvalues)
    below = np.flatnonzero(ordered <= adjusted_alphas(len(ordered), method))
    rejected = below.max() + 1 if below.size else 0
    # a p that equals its level may fall on either side of it by rounding
    found = (adjust(pvalues, method) <= 0.05 * (1 + 1e-12)).sum()
    assert found >= rejected
    assert (adjust(pvalues, method) <= 0.05 * (1 - 1e-12)).sum() <= rejected
