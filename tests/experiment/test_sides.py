"""Directions by data set, groups of data sets, and several measures of one table."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare.experiment import Experiment
from nbcompare.report.notebook.source import alike, load_again, written

SETS = ["adult", "iris", "kddcup", "wine", "zoo"]


def frame(n=5, k=3, seed=0):
    scores = np.random.default_rng(seed).normal(size=(n, k)).round(3)
    return pd.DataFrame(scores, index=pd.Index(SETS[:n], name="dataset"), columns=list("ABC")[:k])


def turned(low=("kddcup",), **options):
    direction = {**dict.fromkeys(low, "minimize"), None: "maximize"}
    return Experiment.from_frame(frame(), direction=direction, **options)


def negated(low):
    """The same scores, made one direction by hand."""
    table = frame()
    table.loc[list(low)] *= -1
    return Experiment.from_frame(table, direction="maximize")


@given(st.sets(st.sampled_from(SETS)))
@pytest.mark.slow
def test_every_analysis_is_that_of_negated_scores(low):
    """Whichever direction is that of most data sets, and with scores that are compared."""
    one, two = turned(low), negated(low)
    for ranking in ("friedman", "aligned", "quade"):
        asked = {"ranking": ranking, "pairs": "wilcoxon", "adjust": "holm", "scale": "one"}
        results = [nbc.compare(each, **asked) for each in (one, two)]
        columns = ["first", "second", "statistic", "pvalue", "holm", "effect_size", "wins"]
        pd.testing.assert_frame_equal(*[each.to_frame()[columns] for each in results])
    contrasts = [nbc.contrast_estimation(e, scale="one", n_resamples=20, rng=1) for e in (one, two)]
    np.testing.assert_array_equal(contrasts[0].estimates, contrasts[1].estimates)
    pairs = [nbc.compare_pair(e, "A", "B", scale="one") for e in (one, two)]
    assert (pairs[0].pvalue, pairs[0].shift) == (pairs[1].pvalue, pairs[1].shift)
    signs = [nbc.multiple_sign_test(e, "B") for e in (one, two)]
    np.testing.assert_array_equal(signs[0].plus, signs[1].plus)


@pytest.mark.slow
@given(st.sets(st.sampled_from(SETS)))
def test_scores_are_shown_as_given(low):
    experiment = turned(low)
    pd.testing.assert_frame_equal(experiment.to_frame(), frame(), check_exact=True)
    assert len(experiment.turned) * 2 <= experiment.n_datasets
    assert [way == "minimize" for way in experiment.ways] == [name in low for name in SETS]
    np.testing.assert_array_equal(
        nbc.compare_pair(experiment, "C", "A").scores, frame()[["C", "A"]]
    )


@pytest.mark.slow
@given(st.sets(st.sampled_from(SETS)), st.booleans())
def test_round_trips(low, grouped):
    domains = ("x", "y", "x", "z", "y") if grouped else None
    experiment = dataclasses.replace(turned(low, measure="AUC"), domains=domains)
    long = experiment.to_frame("long")
    assert ("higher_is_better" in long) == bool(experiment.turned)
    options = {} if experiment.turned else {"direction": experiment.direction}
    assert alike(Experiment.from_frame(long, measure="AUC", **options), experiment)
    text = written(experiment)
    assert alike(load_again(text.inside("made"), "made"), experiment)


def test_round_trip_with_runs_and_a_shuffled_table():
    runs = np.random.default_rng(1).normal(size=(5, 3, 2, 4))
    whole = Experiment.from_array(runs, direction="maximize", datasets=SETS)
    experiment = dataclasses.replace(whole, turned=("iris",), domains=tuple("abcab"))
    rows = experiment.to_frame("long").sample(frac=1, random_state=0)
    again = Experiment.from_frame(rows)
    assert again.fingerprint == experiment.fingerprint
    assert alike(load_again(written(experiment).inside("made"), "made"), experiment)


def test_the_fingerprint_tells_directions_apart():
    prints = {turned(low).fingerprint for low in ((), ("kddcup",), ("iris",), SETS)}
    assert len(prints) == 4
    assert (
        turned(()).fingerprint == Experiment.from_frame(frame(), direction="maximize").fingerprint
    )
    assert turned(()).fingerprint != negated(["kddcup"]).fingerprint


def test_ends_of_intervals_change_places():
    low = frame()
    table = pd.DataFrame(
        {
            "dataset": np.repeat(SETS, 3),
            "algorithm": list("ABC") * 5,
            "lower": low.to_numpy().ravel(),
            "upper": low.to_numpy().ravel() + 1,
        }
    )
    experiment = Experiment.from_frame(table, direction={"iris": "minimize", None: "maximize"})
    row = SETS.index("iris")
    np.testing.assert_array_equal(experiment.lower[row, :, 0, 0], -low.loc["iris"] - 1)
    np.testing.assert_array_equal(experiment.upper[row, :, 0, 0], -low.loc["iris"])
    given_lower, given_upper = experiment.given
    np.testing.assert_allclose(given_lower[row, :, 0, 0], low.loc["iris"], atol=1e-15)
    assert (given_lower <= given_upper).all()


def test_select_keeps_the_direction_of_each_data_set():
    experiment = turned(("kddcup", "zoo"))
    part = experiment.select(datasets=["kddcup", "zoo", "iris"])
    assert (part.direction, part.turned) == ("minimize", ("iris",))
    pd.testing.assert_frame_equal(part.to_frame(), frame().loc[["kddcup", "zoo", "iris"]])
    alone = experiment.select(datasets=["zoo"])
    assert (alone.direction, alone.turned) == ("minimize", ())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"direction": {"kdcup": "minimize", None: "maximize"}}, "Did you mean 'kddcup'?"),
        ({"direction": {"kddcup": "minimize"}}, "not for 'adult', 'iris', 'wine' and 'zoo'"),
        ({"direction": {"kddcup": "min", None: "maximize"}}, "`direction` of 'kddcup' must be"),
        ({"direction": {None: "up"}}, "`direction` of the other data sets must be"),
        ({}, "name it with higher_is_better="),
        ({"direction": "maximize", "domain": {"iris": "x"}}, "`domain` must be given for every"),
        ({"direction": "maximize", "domain": "field"}, "`domain` must name a column"),
    ],
)
def test_mistakes(options, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Experiment.from_frame(frame(), **options)


def test_a_column_called_domain_may_be_an_algorithm():
    table = frame().assign(domain=[0.1, 0.2, 0.3, 0.4, 0.5])
    assert "domain" in Experiment.from_frame(table, direction="maximize").algorithms
    groups = frame().assign(domain=[1, 1, 2, 2, 2])
    assert Experiment.from_frame(groups, direction="maximize").domains == ("1", "1", "2", "2", "2")


def test_booleans_of_a_dataframe():
    table = frame().assign(higher_is_better=[True, True, False, True, True])
    assert alike(Experiment.from_frame(table), turned())


@pytest.mark.slow
def test_disagreement_is_that_of_kendall():
    """A note exactly if scipy's tau is negative on more than two thirds of the data sets."""
    from scipy.stats import kendalltau

    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(40):
        n, k = int(rng.integers(3, 8)), int(rng.integers(3, 6))
        one = rng.integers(0, 5, (n, k)).astype(float)
        two = -rng.uniform(0, 2) * one + rng.normal(0, 2, (n, k))
        rows = pd.DataFrame(
            {
                "dataset": np.repeat([f"d{i}" for i in range(n)], k),
                "algorithm": [f"A{j}" for j in range(k)] * n,
                "one": one.ravel(),
                "two": two.ravel(),
            }
        )
        found = Experiment.read_measures(rows, measures=["one", "two"], direction="maximize")
        taus = [kendalltau(x, y).statistic for x, y in zip(one, two, strict=True)]
        opposite = sum(tau < 0 for tau in taus)
        assert bool(found["two"].notes) == (opposite > 2 / 3 * n)
        seen.add(bool(found["two"].notes))
    assert seen == {True, False}
