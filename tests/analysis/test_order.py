"""Random draws belong to what is drawn from: no result depends on how a table is sorted."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import Experiment

LABELS = ("dataset", "algorithm", "fold", "run")


@pytest.fixture
def rng():
    return np.random.default_rng(8)


def scores_of(rng, n=9, k=4, folds=1, runs=4, decimals=1):
    levels = np.arange(k)[:, np.newaxis, np.newaxis] / 3
    return rng.normal(size=(n, k, folds, runs)).round(decimals) + levels.round(decimals)


def table_of(scores, names="ABCDEF"):
    """A row per score, with labels whose order is not that of the array."""
    places = np.indices(scores.shape).reshape(4, -1)
    marks = [["d" + chr(122 - i) for i in range(scores.shape[0])], names, "srqponmlk", "7654321890"]
    columns = {
        label: [mark[i] for i in axis]
        for label, mark, axis in zip(LABELS, marks, places, strict=True)
    }
    return pd.DataFrame({**columns, "score": scores.reshape(-1)})


def read(table, shuffled=None):
    if shuffled is not None:
        table = table.sample(frac=1, random_state=shuffled)
    used = {name: name for name in LABELS[2:] if table[name].nunique() > 1}
    frame = table[["dataset", "algorithm", *used, "score"]]
    return Experiment.from_frame(frame, direction="maximize", **used)


def ends(part):
    return np.stack([part.estimate, part.lower, part.upper])


def of_algorithms(result, names):
    """The aggregates, profiles and improvements of algorithms, in this order."""
    places = [result.algorithms.index(name) for name in names]
    pooled = (result.interquartile_mean, result.mean, result.median, result.optimality_gap)
    profiles = result.profiles
    shares = np.stack([profiles.share, profiles.lower, profiles.upper])
    return [
        *(ends(part)[:, places] for part in pooled),
        ends(result.improvement)[:, places][:, :, places],
        shares[:, places] if len(names) == len(result.algorithms) else 0,
    ]


def same(one, other):
    for a, b in zip(one, other, strict=True):
        assert a == pytest.approx(b, abs=1e-12)


def aggregated(experiment):
    return nbc.aggregate_runs(experiment, target=1, n_resamples=200)


# one decimal makes cells with the same scores
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_runs_are_drawn_by_their_scores(rng, decimals):
    scores = scores_of(rng, decimals=decimals)
    scores[:, 1, :, 3] = np.nan  # one has fewer runs
    table = table_of(scores).dropna()
    one = aggregated(read(table))
    expected = of_algorithms(one, "ABCD")
    for seed in (1, 2):
        again = aggregated(read(table, shuffled=seed))
        assert again.design.datasets != one.design.datasets
        same(of_algorithms(again, "ABCD"), expected)
        assert again.sentences == one.sentences
    # other names of algorithms
    names = dict(zip("ABCD", "WZYX", strict=True))
    renamed = aggregated(read(table.assign(algorithm=table["algorithm"].map(names)), shuffled=3))
    same(of_algorithms(renamed, "WZYX"), expected)
    # an algorithm less, and one more
    fewer = aggregated(read(table[table["algorithm"] != "B"]))
    same(of_algorithms(fewer, "ACD")[:4], [part[:, [0, 2, 3]] for part in expected[:4]])
    kept = expected[4][:, [0, 2, 3]][:, :, [0, 2, 3]]
    same([ends(fewer.improvement)], [kept])
    more = pd.concat([table, table_of(scores_of(rng), names="FFFF").assign(algorithm="F")])
    more = more.drop_duplicates(list(LABELS))
    same(of_algorithms(aggregated(read(more)), "ABCD")[:5], expected[:5])


@pytest.mark.parametrize("runs", [2, 5])
def test_copies_have_identical_intervals_and_an_even_chance(rng, runs):
    scores = scores_of(rng, k=3, runs=runs)
    scores[:, 2] = rng.permuted(scores[:, 0], axis=2)
    result = aggregated(Experiment.from_array(scores, direction="maximize", algorithms=[*"ABC"]))
    of_a, of_c = (of_algorithms(result, name + "B") for name in "AC")
    same([part[:, 0] for part in of_a[:5]], [part[:, 0] for part in of_c[:5]])
    # the runs of a copy vary by themselves, and neither of the two is the first
    estimate, lower, upper = ends(result.improvement)[:, 0, 2]
    assert estimate == pytest.approx(0.5)
    assert 0.5 - lower == pytest.approx(upper - 0.5)
    assert 0.05 < upper - lower < 0.6
    assert ends(result.improvement)[:, 2, 0] == pytest.approx([estimate, lower, upper])


def test_equal_cells_of_an_algorithm_are_drawn_independently():
    # 25 data sets with the same two runs, of variance 1/2
    scores = np.broadcast_to([[0.0, 1.0]], (25, 2, 1, 2))
    result = nbc.aggregate_runs(Experiment.from_array(scores, direction="maximize"))
    width = float(result.mean.upper[0] - result.mean.lower[0])
    assert width == pytest.approx(2 * stats.t.isf(0.025, 25) * np.sqrt(0.5 / 50), rel=0.1)


# ------------------------------------------------------------ whatever else is drawn


ASKED = {
    "contrast_estimation": lambda e: nbc.contrast_estimation(e, n_resamples=99, scale="one"),
    "compare_bayesian": lambda e: nbc.compare_bayesian(e, rope=0.1, n_samples=300, control="B"),
    "bootstrap": lambda e: nbc.compare_stochastic(
        e, procedure="bootstrap-a", encoding="mean", method="resampling", n_resamples=99
    ),
    "intervals": lambda e: nbc.compare_stochastic(
        e, procedure="bootstrap-b", method="resampling", n_resamples=99
    ),
}


def numbers_of(name, result):
    if name == "contrast_estimation":
        order = sorted(result.algorithms)
        places = [result.algorithms.index(each) for each in order]
        return [np.asarray(part)[places][:, places] for part in (result.lower, result.upper)]
    if name == "compare_bayesian":
        rows = [result.pair("B", other)[0] for other in "ACD"]
        return [result.first_better[rows], result.equivalent[rows]]
    tests = result.hypotheses
    pairs = [tuple(sorted(pair)) for pair in zip(tests.first, tests.second, strict=True)]
    order = sorted(range(len(pairs)), key=pairs.__getitem__)
    return [tests.p_low[order], tests.p_high[order]]


@pytest.mark.parametrize("name", ASKED)
def test_a_table_in_another_order_gives_the_same(rng, name):
    runs = 1 if name in ("contrast_estimation", "compare_bayesian") else 3
    table = table_of(scores_of(rng, n=9, folds=2 if runs > 1 else 1, runs=runs))
    one = numbers_of(name, ASKED[name](read(table)))
    for seed in (1, 2, 3):
        data = read(table, shuffled=seed)
        assert data.datasets != read(table).datasets
        same(numbers_of(name, ASKED[name](data)), one)


def test_folds_in_another_order_give_the_same(rng):
    a, b = rng.normal(size=(2, 10)).round(1)
    order = rng.permutation(10)
    asked = {"direction": "maximize", "method": "resampling", "n_resamples": 99}
    for test in ("permutation", "tilted"):
        one, other, turned = (
            nbc.compare_cv(*pair, test=test, **asked)
            for pair in ((a, b), (a[order], b[order]), (b, a))
        )
        assert other.p_high == pytest.approx(one.p_high)
        if test == "permutation":
            assert turned.p_high == pytest.approx(one.p_high)
