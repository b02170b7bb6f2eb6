import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare.stats.posthoc import maximal_groups


def by_brute_force(different):
    """Every subset without a differing pair that no such subset contains."""
    k = len(different)
    alike = [
        set(group)
        for size in range(1, k + 1)
        for group in itertools.combinations(range(k), size)
        if not any(different[i][j] for i, j in itertools.combinations(group, 2))
    ]
    return tuple(sorted(tuple(sorted(g)) for g in alike if not any(g < other for other in alike)))


@st.composite
def symmetric_matrices(draw):
    k = draw(st.integers(1, 7))
    matrix = np.zeros((k, k), dtype=bool)
    rows, columns = np.triu_indices(k, 1)
    matrix[rows, columns] = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    return matrix | matrix.T


@given(different=symmetric_matrices())
def test_any_pattern(different):
    assert maximal_groups(different) == by_brute_force(different)


def test_extremes():
    assert maximal_groups(np.empty((0, 0))) == ()
    assert maximal_groups([[True]]) == ((0,),)
    assert maximal_groups(np.ones((3, 3))) == ((0,), (1,), (2,))
    assert maximal_groups(np.zeros((3, 3))) == ((0, 1, 2),)


def test_many_algorithms_on_a_line():
    places = np.arange(1500)
    groups = maximal_groups(np.abs(places[:, None] - places) > 10)
    assert len(groups) == 1490
    assert groups[0] == tuple(range(11))
    assert groups[-1] == tuple(range(1489, 1500))
    assert maximal_groups(np.zeros((1500, 1500))) == (tuple(range(1500)),)


def test_one_exception_among_many_algorithms():
    different = np.zeros((400, 400), dtype=bool)
    different[3, 200] = different[200, 3] = True
    rest = set(range(400))
    assert set(map(frozenset, maximal_groups(different))) == {
        frozenset(rest - {3}),
        frozenset(rest - {200}),
    }


def test_too_many_groups():
    # 3^5 groups: one of each triple of mutually differing algorithms
    different = np.kron(np.eye(5), np.ones((3, 3)))
    assert len(maximal_groups(different, most=243)) == 243
    message = "the pairs make more than 200 groups; show them as a matrix."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        maximal_groups(different)
