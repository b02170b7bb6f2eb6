"""Letters against the definition: shared exactly by pairs that are not shown to differ."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.results.comparison import compact_letters


def matrix_of(k, pairs):
    different = np.zeros((k, k), dtype=bool)
    for i, j in pairs:
        different[i, j] = different[j, i] = True
    return different


def sets_of(letters):
    texts = [text.split(" ") if text[0].isdigit() else list(text) for text in letters]
    names = dict.fromkeys(itertools.chain(*texts))
    return {name: {row for row, text in enumerate(texts) if name in text} for name in names}


def check(different):
    letters = compact_letters(different)
    groups = list(sets_of(letters).values())
    assert all(letters)
    for i, j in itertools.combinations(range(len(different)), 2):
        assert any({i, j} <= group for group in groups) != different[i, j]
    for group in groups:
        # no letter without which all would still be said
        rest = [other for other in groups if other is not group]
        needed = itertools.combinations_with_replacement(group, 2)
        assert not all(any({*pair} <= other for other in rest) for pair in needed)
        # and nobody could be added to it
        for row in set(range(len(different))) - group:
            assert different[row, list(group)].any()
    return letters


@st.composite
def patterns(draw, most=9):
    k = draw(st.integers(1, most))
    pairs = list(itertools.combinations(range(k), 2))
    return matrix_of(k, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])


@pytest.mark.slow
@given(patterns())
def test_pairs_share_a_letter_exactly_if_not_shown_to_differ(different):
    check(different)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_fewer_letters_would_do(k):
    """Every pattern of few algorithms, with the least number of groups by trying all covers."""
    pairs = list(itertools.combinations(range(k), 2))
    subsets = [set(s) for n in range(1, k + 1) for s in itertools.combinations(range(k), n)]
    for chosen in itertools.product([False, True], repeat=len(pairs)):
        different = matrix_of(k, itertools.compress(pairs, chosen))
        alike = [s for s in subsets if not different[np.ix_(list(s), list(s))].any()]
        needed = [{i} for i in range(k)] + [set(p) for p in pairs if not different[p]]
        least = next(
            n
            for n in itertools.count(1)
            for cover in itertools.combinations(alike, n)
            if all(any(pair <= group for group in cover) for pair in needed)
        )
        assert len(sets_of(check(different))) == least


@given(st.lists(st.floats(0, 10), min_size=1, max_size=12), st.floats(0.1, 3))
def test_letters_of_intervals_are_the_runs_of_the_axis(ranks, distance):
    ranks = np.sort(ranks)
    letters = check(np.abs(ranks[:, None] - ranks) > distance)
    for group in sets_of(letters).values():
        assert group == set(range(min(group), max(group) + 1))
    # in the order of the alphabet, from the best on
    assert [text[0] for text in letters] == sorted(text[0] for text in letters)


def test_more_letters_than_the_alphabet_has():
    assert check(~np.eye(52, dtype=bool))[24:28] == ("y", "z", "A", "B")
    assert check(~np.eye(60, dtype=bool)) == tuple(str(row + 1) for row in range(60))
    # a ring: each shares with its neighbours alone
    ring = ~np.eye(60, dtype=bool) & ~np.roll(np.eye(60, dtype=bool), 1, axis=0)
    assert check(ring & ring.T)[1] == "1 3"


def test_groups_of_pairwise_tests_that_are_no_intervals():
    # 0 and 1 differ, and 2 and 3, and nothing else
    assert compact_letters(matrix_of(4, [(0, 1), (2, 3)])) == ("ab", "cd", "ac", "bd")


def test_a_comparison_of_all_pairs_has_them():
    result = nbc.compare(nbc.datasets.load("otero2013_simulated"), pairs="ranks", adjust="holm")
    letters = result.letters
    assert (tuple(letters), len(sets_of(letters.values()))) == (result.ordered, 3)
    assert {frozenset(s) for s in sets_of(letters.values()).values()} == {
        frozenset(result.ordered.index(name) for name in group) for group in result.groups
    }
    shown = str(result.section("letters"))
    assert "Piepho, H.-P. (2004)" in " ".join(shown.split())
    assert "This does not mean that they perform equally" in " ".join(shown.split())
    assert not any("Piepho" in text for text in result.references)


def test_not_with_a_control():
    result = nbc.compare(nbc.datasets.load("demsar2006"), control="C4.5")
    why = (
        "letters need the tests of all pairs, but the comparison is with the control 'C4.5'. "
        "Compare all pairs with control=None."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(f'There are no letters: {why}')}$"):
        result.letters  # noqa: B018
    message = f"There is no section 'letters': {why}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        result.section("letters")
    assert "letters" not in result.sections
