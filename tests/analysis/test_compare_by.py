"""Comparison within groups of data sets, against a comparison of each group by itself."""

import dataclasses

import numpy as np
import pytest

import nbcompare as nbc
from nbcompare.results import from_json
from nbcompare.words import PROCEDURES

FOR_ANY_FAMILY = [
    "bonferroni", "sidak", "holm", "hochberg", "hommel", "holland", "rom", "finner", "li",
    "benjamini-hochberg", "benjamini-yekutieli",
]  # fmt: skip


def grouped(sizes=(8, 6, 7), k=4, seed=0, slope=1.5):
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    scores = rng.normal(size=(n, k)) + np.linspace(0, slope, k) * rng.normal(1, 0.5, (n, 1))
    data = nbc.Experiment.from_array(scores.round(2), direction="minimize")
    names = [name for name, size in zip("xyzuvw", sizes, strict=False) for _ in range(size)]
    shuffled = rng.permutation(n)
    return dataclasses.replace(data, domains=tuple(names[i] for i in shuffled))


def members(data, group):
    return [name for name, of in zip(data.datasets, data.domains, strict=True) if of == group]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"control": "A1", "adjust": ["finner", "holm"]},
        {"control": "best", "pairs": "wilcoxon"},
        {"ranking": "aligned", "adjust": "bergmann-hommel"},
        {"ranking": "auto", "adjust": "auto", "alpha": 0.1},
        {"pairs": "t", "adjust": None},
        {"formulas": "printed", "adjust": "nemenyi"},
    ],
)
def test_each_group_is_compared_by_itself(options):
    data = grouped()
    result = nbc.compare_by(data, **options)
    assert set(result.groups) == {"x", "y", "z"}
    for name, found in result.groups.items():
        part = data.select(datasets=members(data, name))
        assert found.to_json() == nbc.compare(part, **options).to_json()


@pytest.mark.parametrize("procedure", FOR_ANY_FAMILY)
@pytest.mark.parametrize("control", [None, "A2"])
def test_across_all_groups(procedure, control):
    data = grouped(seed=3)
    within = nbc.compare_by(data, control=control, adjust=procedure)
    result = nbc.compare_by(data, control=control, adjust=procedure, across=True)
    raw = np.concatenate([one.hypotheses.pvalue for one in within.groups.values()])
    adjusted = nbc.stats.adjust.adjust(raw, procedure, 0.05)
    found = result.to_frame()
    np.testing.assert_allclose(found[procedure], adjusted, rtol=1e-9)
    np.testing.assert_array_equal(found["pvalue"], raw)
    assert found["rejected"].tolist() == (found[procedure] <= 0.05).tolist()
    assert {one.n_pooled for one in result.groups.values()} == {len(raw)}
    if control is None:  # the groups of algorithms follow the pooled decisions
        for one in result.groups.values():
            tests = one.hypotheses
            joined = {frozenset((a, b)) for g in one.groups for a in g for b in g if a != b}
            same = {
                frozenset(pair)
                for *pair, no in zip(tests.first, tests.second, tests.rejected, strict=True)
                if not no
            }
            assert joined == same


def test_pooled_decisions_differ():
    """Over all hypotheses fewer are rejected: the family is larger."""
    data = grouped(sizes=(10, 10, 10), seed=0, slope=2.5)
    within, over = (nbc.compare_by(data, across=across) for across in (False, True))
    counts = [int(one.to_frame()["rejected"].sum()) for one in (within, over)]
    assert counts[0] > counts[1] > 0
    assert "over all 18 hypotheses" in str(over)
    assert "within groups" in str(within)
    assert [note.code for note in within.notes] == ["within-groups"]
    assert over.notes == ()


def test_procedures_for_one_family_are_refused():
    assert set(FOR_ANY_FAMILY) | {"nemenyi", "shaffer", "bergmann-hommel"} == set(PROCEDURES)
    for procedure in ("nemenyi", "shaffer", "bergmann-hommel"):
        with pytest.raises(ValueError, match="relies on the hypotheses being all pairs"):
            nbc.compare_by(grouped(), adjust=procedure, across=True)
    with pytest.raises(ValueError, match="`across` must be left out"):
        nbc.compare_by(grouped(), adjust=None, across=True)
    with pytest.raises(TypeError, match="`across` must be True or False"):
        nbc.compare_by(grouped(), across="yes")


def test_small_groups_are_left_out():
    data = grouped(sizes=(5, 1, 4))
    result = nbc.compare_by(data)
    assert list(result.groups) == [name for name in dict.fromkeys(data.domains) if name != "y"]
    assert result.too_small == ("y",)
    note = next(note for note in result.notes if note.code == "small-groups")
    assert "y (1 data set)" in note.text
    with pytest.raises(nbc.DataError, match="a group of at least 2 data sets"):
        nbc.compare_by(grouped(sizes=(1, 1, 1)))


def test_missing_scores_of_a_group():
    data = grouped(sizes=(5, 4, 3))
    scores = data.scores.copy()
    gone = [data.datasets.index(name) for name in members(data, "z")[:2]]
    scores[gone, 0] = np.nan
    gaps = dataclasses.replace(data, lower=scores, upper=scores)
    with pytest.raises(nbc.DataError, match="group 'z': `experiment`"):
        nbc.compare_by(gaps)
    assert nbc.compare_by(gaps, missing="drop").too_small == ("z",)
    scores[[data.datasets.index(name) for name in members(data, "z")], 0] = np.nan
    gaps = dataclasses.replace(data, lower=scores, upper=scores)
    with pytest.raises(nbc.DataError, match="group 'z': every algorithm must have"):
        nbc.compare_by(gaps)


def test_groups_by_a_mapping():
    data = grouped()
    plain = dataclasses.replace(data, domains=None)
    by = dict(zip(data.datasets, data.domains, strict=True))
    results = [nbc.compare_by(plain, by=by), nbc.compare_by(plain, by=list(by.items()))]
    expected = nbc.compare_by(data).to_frame()
    for result in results:
        assert result.to_frame().equals(expected)
        again = from_json(result.to_json())
        assert again.to_json() == result.to_json()
        assert nbc.compare_by(plain, **again.design.options).to_json() == result.to_json()
    for wrong, words in (
        ("domain", "has no groups of data sets"),
        ("group", "`by` must be 'domain' or a mapping"),
        ({**by, "99": "x"}, "got '99'"),
        ({"1": "x"}, "must give a group for every data set"),
    ):
        with pytest.raises(ValueError, match=words):
            nbc.compare_by(plain, by=wrong)


def test_turned_data_sets_make_a_group():
    """A group whose data sets all have the other direction has that direction alone."""
    data = grouped(sizes=(6, 4))
    low = members(data, "y")
    turned = dataclasses.replace(data, turned=tuple(low))
    result = nbc.compare_by(turned)
    assert result.groups["y"].design.direction == "maximize"
    assert result.groups["y"].design.turned == ()
    assert (
        result.to_frame()
        .drop(columns="mean_difference")
        .equals(nbc.compare_by(data).to_frame().drop(columns="mean_difference"))
    )
    assert result.notes[0].code == "turned"
