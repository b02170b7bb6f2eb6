"""Effects of pairs: computed when they are looked at, and what keeps or forgets them."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from scipy.stats import rankdata

import nbcompare as nbc
from nbcompare import Experiment, compare, compare_ranks
from nbcompare.results import from_json
from nbcompare.stats import pairwise

EFFECTS = ("effect_size", "wins", "ties", "losses", "mean_difference")


@pytest.fixture
def looked(monkeypatch):
    """Return the calls of the two expensive functions: their names and numbers of pairs."""
    calls = []

    def count(name):
        compute = getattr(pairwise, name)

        def counted(values, first, second, **options):
            calls.append((name, len(first)))
            return compute(values, first, second, **options)

        monkeypatch.setattr(pairwise, name, counted)

    count("rank_biserial")
    count("win_tie_loss")
    return calls


def experiment(n=12, k=4, decimals=2, missing=0.0, seed=0):
    generator = np.random.default_rng(seed)
    scores = generator.random((n, k)).round(decimals)
    scores[generator.random((n, k)) < missing] = np.nan
    return Experiment.from_array(scores, direction="maximize")


def by_definition(data, first, second):
    """Effects of one pair from its scores, of which higher ones are better."""
    one, other = (data.scores[:, data.algorithms.index(name), 0, 0] for name in (first, second))
    there = ~np.isnan(one) & ~np.isnan(other)
    gain = (one - other)[there].round(12)
    untied = gain[gain != 0]
    ranks = rankdata(np.abs(untied))
    effect = (np.sign(untied) * ranks).sum() / ranks.sum() if len(untied) else 0.0
    return effect, (gain > 0).sum(), (gain == 0).sum(), (gain < 0).sum(), gain.mean()


@pytest.mark.parametrize(
    ("n", "decimals", "missing", "options"),
    [
        (12, 1, 0.0, {}),
        (12, 1, 0.0, {"control": "A2"}),
        (12, 1, 0.0, {"ranking": "quade"}),
        (40, 1, 0.2, {"missing": "skillings-mack"}),
        (3000, 2, 0.0, {}),
        (3000, 12, 0.0, {"pairs": "t"}),
        (3000, 2, 0.01, {"missing": "skillings-mack"}),
    ],
)
def test_effects_are_those_of_the_definition(n, decimals, missing, options):
    data = experiment(n, 4, decimals, missing)
    tests = compare(data, **options).hypotheses
    some = compare(data, **options).hypotheses.effects([1, 2])
    for row, pair in enumerate(zip(tests.first, tests.second, strict=True)):
        found = [getattr(tests, name)[row] for name in EFFECTS]
        assert found == pytest.approx(by_definition(data, *pair), abs=1e-12)
        if row in (1, 2):
            assert [some[name][row - 1] for name in EFFECTS] == found


def test_pairs_without_a_common_data_set():
    nan = np.nan
    scores = [[1, 2, nan], [2, 3, nan], [nan, 1, 3], [nan, 2, 4.5]]
    data = Experiment.from_array(scores, direction="minimize")
    tests = compare(data, missing="skillings-mack").hypotheses
    row = list(zip(tests.first, tests.second, strict=True)).index(("A1", "A3"))
    assert [getattr(tests, name)[row] for name in EFFECTS] == [0, 0, 0, 0, 3.75 - 1.5]


def test_nothing_is_computed_before_it_is_looked_at(looked):
    result = compare(experiment(), adjust="nemenyi")
    assert result.hypotheses.has_effects
    repr(result), result.references, result.sections, result.letters
    str(result.section("ranks")), str(result.section("method")), repr(result.hypotheses)
    nbc.plots.cd_diagram(result)
    assert looked == []
    assert result.hypotheses.mean_difference.shape == (6,)
    assert looked == []
    assert result.hypotheses.ties.shape == (6,)
    assert looked == [("win_tie_loss", 6)]
    assert result.hypotheses.wins.shape == result.hypotheses.losses.shape == (6,)
    assert looked == [("win_tie_loss", 6)]
    str(result), result.to_frame(), result.to_json(), str(result)
    assert looked == [("win_tie_loss", 6), ("rank_biserial", 6)]


@pytest.mark.parametrize(
    "again",
    [
        lambda result: pickle.loads(pickle.dumps(result)),
        copy.copy,
        copy.deepcopy,
        lambda result: from_json(result.to_json()),
        lambda result: dataclasses.replace(
            result, hypotheses=dataclasses.replace(result.hypotheses)
        ),
    ],
    ids=["pickle", "copy", "deepcopy", "json", "replace"],
)
@pytest.mark.parametrize("before", [False, True])
def test_a_copy_has_the_same_effects(again, before):
    data = experiment(300)
    expected = compare(data).to_frame()
    result = compare(data)
    if before:
        str(result)
    kept = again(result)
    assert kept.to_frame().equals(expected)
    assert kept.to_json() == result.to_json() == compare(data).to_json()
    assert str(kept) == str(result)


@pytest.mark.slow
def test_neither_a_pickle_nor_a_result_with_all_effects_holds_scores():
    data = experiment(20_000)
    names = len(pickle.dumps(data.datasets))
    assert len(pickle.dumps(compare(data))) < names + 20_000  # the scores take 640,000
    result = compare(data)
    result.to_frame()
    held = [value for value in vars(result.hypotheses).values() if hasattr(value, "scores")]
    assert held == []


def test_average_ranks_have_no_effects():
    tests = compare_ranks({"A": 1.2, "B": 2.3, "C": 2.5}, 10).hypotheses
    assert not tests.has_effects
    assert tests.effects([0]) == {}
    assert [getattr(tests, name) for name in EFFECTS] == [None] * 5
    assert "effect_size" not in tests.to_frame()
    assert not pickle.loads(pickle.dumps(tests)).has_effects


def test_share_of_wins():
    scores = np.array(
        [[1.0, 2, np.nan], [3, 3, np.nan], [4, 9, np.nan], [np.nan, 1, 5], [np.nan, 2, 5]]
    )
    experiment = nbc.Experiment.from_array(scores, direction="maximize")
    tests = nbc.compare(experiment, missing="skillings-mack").hypotheses
    share = {
        (first, second): value
        for first, second, value in zip(tests.first, tests.second, tests.win_share, strict=True)
    }
    # one tie and two wins of three data sets; none in common; two wins of two
    assert share == pytest.approx({("A2", "A1"): 5 / 6, ("A1", "A3"): 0.5, ("A3", "A2"): 1.0})
    assert nbc.compare_ranks({"a": 1.2, "b": 1.8}, 10).hypotheses.win_share is None
