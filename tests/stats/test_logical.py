import hashlib
import json
import re

import numpy as np
import pytest
from scipy import special

from nbcompare.stats import logical
from nbcompare.stats.logical import (
    bergmann_hommel,
    bergmann_hommel_of_each,
    bergmann_hommel_with_logs,
    most_pairs_within_reach,
    shaffer_counts,
)


def exhaustive_sets(k):
    """Which pairs are inside the groups, for every partition with such pairs."""
    labels = [(0,)]
    for _ in range(k - 1):
        labels = [(*label, new) for label in labels for new in range(max(label) + 2)]
    first, second = np.triu_indices(k, 1)
    groups = np.array(labels)
    inside = groups[:, first] == groups[:, second]
    return inside[inside.any(axis=1)]


SETS = {k: exhaustive_sets(k) for k in range(2, 8)}


def by_definition(p, k):
    inside = SETS[k]
    of_set = np.where(inside, p, np.inf).min(axis=1) * inside.sum(axis=1)
    return np.minimum(1, np.where(inside, of_set[:, np.newaxis], 0).max(axis=0))


def square(p, k):
    matrix = np.full((k, k), np.nan)  # the diagonal is ignored
    first, second = np.triu_indices(k, 1)
    matrix[first, second] = matrix[second, first] = p
    return matrix


def upper(matrix):
    assert (matrix == matrix.T).all()
    return matrix[np.triu_indices(len(matrix), 1)]


def test_number_of_exhaustive_sets():
    assert len(SETS[5]) == 51
    assert len(exhaustive_sets(9)) == 21_146


@pytest.mark.slow
def test_any_pvalues_against_enumeration():
    rng = np.random.default_rng(1)
    for case in range(1000):
        k = int(rng.integers(2, 8))
        p = rng.random(k * (k - 1) // 2) ** rng.integers(1, 5)
        p = np.round(p, rng.integers(1, 3)) if case % 2 else p
        expected = by_definition(p, k)
        assert upper(bergmann_hommel(square(p, k))) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("k", [2, 3, 5, 7])
@pytest.mark.parametrize("memory", [1, 3000, 1 << 25])
def test_families_that_are_searched_together(k, memory, monkeypatch):
    """Families with other ties, other p-values and p-values of 0 do not disturb one another."""
    monkeypatch.setattr(logical, "_MEMORY", memory)
    rng = np.random.default_rng(k)
    families = []
    for case in range(40):
        p = rng.random(k * (k - 1) // 2) ** rng.integers(1, 9)
        families.append(np.round(p, case % 4) if case % 3 else p)
    p = np.array([square(family, k) for family in families])
    with np.errstate(divide="ignore"):
        logs = np.log10(p)
    found = list(bergmann_hommel_of_each(p, logs))
    assert len(found) == 40
    for family, one, plain, log10_p in zip(families, found, p, logs, strict=True):
        assert upper(one[0]) == pytest.approx(by_definition(family, k), rel=1e-12, abs=0)
        alone = bergmann_hommel_with_logs(plain, log10_p)
        np.testing.assert_array_equal(one, alone)
    raised = list(bergmann_hommel_of_each(p, logs, monotone=True))
    for one, plain, log10_p in zip(raised, p, logs, strict=True):
        np.testing.assert_array_equal(one, bergmann_hommel_with_logs(plain, log10_p, None, True))
    assert list(bergmann_hommel_of_each([], [])) == []


@pytest.mark.slow
def test_ranks_against_enumeration():
    rng = np.random.default_rng(2)
    for case in range(1000):
        k = int(rng.integers(2, 8))
        ranks = rng.integers(0, rng.integers(2, 30), k) / 8
        ranks = rng.normal(size=k) if case % 3 == 0 else ranks
        p = 2 * special.ndtr(-upper(np.abs(ranks[:, np.newaxis] - ranks)))
        expected = by_definition(p, k)
        found = bergmann_hommel(square(p, k), ranks)
        assert upper(found) == pytest.approx(expected, rel=1e-12, abs=0)
        logs = bergmann_hommel(square(np.log10(p), k), ranks, log10=True)
        assert 10 ** upper(logs) == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("k", [2, 5, 8])
def test_logarithms_of_any_pvalues(k):
    rng = np.random.default_rng(k)
    for digits in (1, 2, 17):
        p = square(np.round(rng.random(k * (k - 1) // 2) ** 3, digits) + 1e-3 * (digits < 3), k)
        p = np.minimum(p, 1)
        for monotone in (False, True):
            logs = bergmann_hommel(np.log10(p), monotone=monotone, log10=True)
            expected = bergmann_hommel(p, monotone=monotone)
            assert 10 ** upper(logs) == pytest.approx(upper(expected), rel=1e-12, abs=0)
    # far below the smallest number: of three pairs all can be true, or any single one
    tiny = square([-1000.0, -2000.0, -500.0], 3)
    expected = [-1000, max(-2000 + np.log10(3), -2000), -500]
    assert upper(bergmann_hommel(tiny, log10=True)) == pytest.approx(expected, rel=1e-14)


def test_no_run_is_not_split_at_the_pair():
    positions = np.array([0, 0, 1, 5, 5, 10, 11, 16, 16, 16])
    near = np.abs(positions[:, np.newaxis] - positions) <= 9
    assert most_pairs_within_reach(near[np.newaxis], np.array([3]), np.array([6])) == 13


def test_shaffer_counts(reference):
    for k, counts in reference("adjust")["shaffer_t"].items():
        assert list(shaffer_counts(int(k))) == counts
    assert shaffer_counts(100)[0] == 4950


@pytest.mark.slow
def test_every_shaffer_count_up_to_50(reference):
    table = reference("shaffer_counts")
    counts = {k: list(shaffer_counts(int(k))) for k in table["possible"]}
    assert [int(k) for k in counts] == list(range(2, 51))
    for k, runs in table["possible"].items():
        possible = [value for first, last in runs for value in range(first, last + 1)]
        pairs = len(counts[k])
        assert counts[k] == [max(v for v in possible if v <= pairs - i) for i in range(pairs)]
    written = json.dumps(counts, separators=(",", ":")).encode()
    assert hashlib.sha256(written).hexdigest() == table["sha256"]


def test_many_algorithms_are_no_matter_where_ranks_are_known():
    assert upper(bergmann_hommel(np.ones((18, 18)), np.arange(18.0))).tolist() == [1] * 153


@pytest.mark.parametrize(
    "p",
    [
        [0.2, 0.5, 0.1],  # 1 and 3 are farther apart than 1 and 2: p must be smaller
        [0.2, 0.01, 0.1],  # 1 and 2 are as far apart as 2 and 3: p must be the same
    ],
)
@pytest.mark.parametrize("log10", [False, True])
def test_pvalues_that_do_not_fall_with_the_distance_of_ranks(p, log10):
    matrix = square(np.log10(p) if log10 else p, 3)
    message = (
        "`ranks` must be those from which the p-values were computed: p must be the same for "
        "equal differences of ranks and fall as they grow. Omit `ranks` for other tests."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        bergmann_hommel(matrix, [1.0, 2.0, 3.0], log10=log10)
    bergmann_hommel(matrix, log10=log10)
