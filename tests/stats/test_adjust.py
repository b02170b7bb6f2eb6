import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.adjust import METHODS, adjust

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


@given(p=pvalues, method=st.sampled_from(METHODS), data=st.data())
def test_properties_of_every_procedure(p, method, data):
    p = np.array(p)
    adjusted = adjust(p, method)
    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()
    order = np.argsort(p)
    assert (np.diff(adjusted[order]) >= 0).all()
    for value in set(p.tolist()):
        assert len(set(adjusted[p == value].tolist())) == 1
    shuffled = np.array(data.draw(st.permutations(range(len(p)))))
    assert (adjust(p[shuffled], method) == adjusted[shuffled]).all()
    assert (adjust(p, "hochberg") <= adjust(p, "holm")).all()
    assert (adjust(p, "holm") <= adjust(p, "bonferroni")).all()


@given(p=pvalues, method=st.sampled_from(METHODS))
def test_logarithms_give_the_same(p, method):
    with np.errstate(divide="ignore"):
        logs = np.log10(np.array(p))
    assert 10 ** adjust(logs, method, log10=True) == pytest.approx(
        adjust(p, method), rel=1e-12, abs=1e-307
    )


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("bonferroni", [0.04, 0.12, 0.16, 0.02]),
        ("holm", [0.03, 0.06, 0.06, 0.02]),
        ("hochberg", [0.03, 0.04, 0.04, 0.02]),
    ],
)
def test_by_hand(method, expected):
    assert adjust([0.01, 0.03, 0.04, 0.005], method) == pytest.approx(expected)


@pytest.mark.parametrize("method", METHODS)
def test_far_below_the_smallest_number(method):
    assert adjust([-900.0, -1000.0, -0.1], method, log10=True)[1] == pytest.approx(
        -1000 + np.log10(3)
    )
    assert adjust([0.0, 1.0], method).tolist() == [0, 1]
    assert adjust([-np.inf, 0.0], method, log10=True).tolist() == [-np.inf, 0]


@pytest.mark.parametrize("method", METHODS)
def test_one_and_none(method):
    assert adjust([0.3], method).tolist() == [0.3]
    assert adjust([], method).tolist() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([0.1, 1.1], "holm"),
            "`pvalues` must hold p-values from 0 to 1; got 1.1 at index 1.",
        ),
        (
            ([-0.1], "holm"),
            "`pvalues` must hold p-values from 0 to 1; got -0.1 at index 0.",
        ),
        (
            ([np.nan], "holm"),
            "`pvalues` must hold p-values from 0 to 1; got nan at index 0.",
        ),
        (([[0.1]], "holm"), "`pvalues` must have 1 dimension; got an array of shape (1, 1)."),
        (
            ([0.1], "Holm"),
            "`method` must be 'bonferroni', 'holm' or 'hochberg'; got 'Holm'. Did you mean 'holm'?",
        ),
        (
            ([0.1], "holm", 0),
            "`alpha` must be a number between 0 and 1, exclusive; got 0.",
        ),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        adjust(*arguments)


def test_error_about_logarithms():
    message = "`pvalues` must hold logarithms of p-values, none above 0; got 0.5 at index 1."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        adjust([-1, 0.5], "holm", log10=True)
