"""Comparison on the items of benchmarks."""

from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import nbcompare as nbc

MODELS = ["small", "medium", "large"]


def answers(n=200, seed=0, shift=(0, 0.2, 0.6), texts=None):
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=n)
    if texts is not None:
        hard += np.repeat(rng.normal(size=n // texts), texts)
    return (hard[:, np.newaxis] + rng.normal(size=(n, 3)) < shift).astype(float)


def read(scores, **options):
    options = {"direction": "maximize", "algorithms": MODELS[: np.shape(scores)[1]]} | options
    return nbc.Experiment.from_array(scores, unit="items", **options)


def benchmarks(clustered=True):
    frames = []
    for task, n, texts in (("arithmetic", 120, None), ("reading", 90, 5)):
        frame = pd.DataFrame(answers(n, n, texts=texts), columns=MODELS)
        frame["task"], frame["question"] = task, [f"q{i}" for i in range(n)]
        frame["text"] = [f"{task} {i // (texts or 1)}" for i in range(n)]
        frames.append(frame.melt(["task", "question", "text"], var_name="model", value_name="acc"))
    more = {"cluster": "text"} if clustered else {}
    return nbc.Experiment.from_frame(pd.concat(frames), direction="maximize", **more)


def rows(result, which="overall"):
    names = ["first", "second"] if which == "overall" else ["benchmark", "first", "second"]
    return result.to_frame(which).set_index(names)


# -------------------------------------------------------------------------- 0 and 1


def test_a_pair_is_mcnemars_test_by_the_binomial_law():
    scores = answers()
    result = nbc.compare_items(read(scores))
    assert (result.test, result.is_exact) == ("mcnemar", True)
    for (first, second), row in rows(result).iterrows():
        one, other = (scores[:, MODELS.index(name)] for name in (first, second))
        wins, losses = int((one > other).sum()), int((one < other).sum())
        assert (row.wins, row.losses, row.ties) == (wins, losses, 200 - wins - losses)
        n = wins + losses
        tail = sum(comb(n, i) for i in range(min(wins, losses) + 1)) / 2**n
        assert row.pvalue == pytest.approx(min(1, 2 * tail), rel=1e-12)
        assert row.mean_difference == pytest.approx(one.mean() - other.mean())
        assert row.mean_difference > 0
        assert row.lower <= row.mean_difference <= row.upper
    assert result.ordered[0] == "large"


# -------------------------------------------------------------------- graded, clustered


def test_graded_scores_are_compared_by_their_mean():
    scores = np.random.default_rng(1).normal([0, 0.1, 0.5], 1, (60, 3))
    result = nbc.compare_items(read(scores), adjust=None)
    assert result.test == "sign-flip"
    for (first, second), row in rows(result).iterrows():
        gains = scores[:, MODELS.index(first)] - scores[:, MODELS.index(second)]
        assert row.mean_difference == pytest.approx(gains.mean())
        assert row.pvalue == pytest.approx(stats.ttest_1samp(gains, 0).pvalue, rel=0.1)
        interval = stats.ttest_1samp(gains, 0).confidence_interval(1 - 0.05 / 3)
        assert (row.lower, row.upper) == pytest.approx(interval, rel=1e-9)


def test_errors_of_clusters_by_their_definition():
    scores = answers(100, 3, texts=5)
    clusters = np.repeat(np.arange(20), 5)
    result = nbc.compare_items(read(scores, clusters=clusters))
    assert (result.test, result.n_clusters) == ("sign-flip", (20,))
    for name, error in result.errors.items():
        x = scores[:, MODELS.index(name)]
        sums = [(x[clusters == g] - x.mean()).sum() for g in range(20)]
        assert error == pytest.approx(np.sqrt(20 / 19 * np.sum(np.square(sums))) / 100)
    plain = nbc.compare_items(read(scores))
    assert all(result.errors[name] > plain.errors[name] for name in MODELS)
    assert "in 20 clusters" in " ".join(result.findings)


def test_items_that_are_clusters_by_themselves_have_the_errors_of_items():
    scores = np.random.default_rng(4).normal(size=(40, 3))
    one = nbc.compare_items(read(scores))
    other = nbc.compare_items(read(scores, clusters=range(40)))
    assert dict(one.errors) == pytest.approx(dict(other.errors))
    assert one.hypotheses.pvalue == pytest.approx(other.hypotheses.pvalue)


def test_clusters_of_equal_items_say_what_one_item_of_each_says():
    scores = np.random.default_rng(5).normal(size=(30, 3))
    one = nbc.compare_items(read(scores))
    many = nbc.compare_items(read(np.repeat(scores, 4, axis=0), clusters=np.repeat(range(30), 4)))
    assert many.hypotheses.pvalue == pytest.approx(one.hypotheses.pvalue)
    assert many.lower == pytest.approx(one.lower)
    assert many.detectable == pytest.approx(one.detectable)


def test_one_cluster_is_refused():
    scores = answers(40)
    with pytest.raises(nbc.DataError, match="at least 2 clusters; got 1"):
        nbc.compare_items(read(scores, clusters=["one"] * 40))


# ------------------------------------------------------------------------- benchmarks


def test_benchmarks_have_the_same_weight():
    data = benchmarks()
    result = nbc.compare_items(data)
    parts = [nbc.compare_items(data.select(datasets=[name])) for name in data.datasets]
    for name in MODELS:
        assert result.mean_scores[name] == pytest.approx(
            np.mean([part.mean_scores[name] for part in parts])
        )
        squares = sum(part.errors[name] ** 2 for part in parts)
        assert result.errors[name] == pytest.approx(np.sqrt(squares) / 2)
    assert (result.n_items, result.n_clusters) == ((120, 90), (120, 18))


def test_each_benchmark_is_what_it_is_alone():
    data = benchmarks(clustered=False)
    frame = rows(nbc.compare_items(data), "benchmarks")
    assert len(frame) == 6
    for name in data.datasets:
        alone = rows(nbc.compare_items(data.select(datasets=[name]), adjust=None))
        for pair, row in alone.iterrows():
            there = (name, *pair) if (name, *pair) in frame.index else (name, *pair[::-1])
            assert frame.loc[there].pvalue == pytest.approx(row.pvalue)
            assert abs(frame.loc[there].mean_difference) == pytest.approx(row.mean_difference)
    ordered = frame.sort_values("pvalue")
    holm = np.maximum.accumulate(ordered["pvalue"].to_numpy() * np.arange(6, 0, -1))
    assert ordered["holm"].to_numpy() == pytest.approx(np.minimum(holm, 1))


def test_the_overview_names_the_best_and_what_is_worse():
    result = nbc.compare_items(benchmarks())
    table = str(result.section("benchmarks"))
    assert "arithmetic" in table
    assert "(best)" in table
    pairs = str(result.section("benchmark-pairs"))
    assert pairs.count("arithmetic") == pairs.count("reading") == 3
    assert not {"benchmarks", "benchmark-pairs"} & {*nbc.compare_items(read(answers())).sections}


# -------------------------------------------------------------------------- properties


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=4, max_size=12),
    st.permutations(MODELS),
    st.randoms(use_true_random=False),
)
def test_order_labels_and_direction_change_nothing(table, names, random):
    scores = np.array(table, dtype=float)
    plain = rows(nbc.compare_items(read(scores)))
    mixed = scores[random.sample(range(len(scores)), len(scores))]
    columns = [MODELS.index(name) for name in names]
    others = [
        nbc.compare_items(read(mixed[:, columns], algorithms=names)),
        nbc.compare_items(read(scores.max() - scores, direction="minimize")),
    ]
    for other in map(rows, others):
        for pair, row in plain.iterrows():
            found = other.loc[pair if pair in other.index else pair[::-1]]
            assert found.pvalue == pytest.approx(row.pvalue, rel=1e-9)
            assert abs(found.mean_difference) == pytest.approx(abs(row.mean_difference), abs=1e-12)
    assert (plain["holm"] >= plain["pvalue"]).all()
    apart = (plain["lower"] > 0) | (plain["upper"] < 0)
    assert (apart <= plain["rejected"]).all()


# -------------------------------------------------------------------------- the rest


def test_compare_takes_it_for_items():
    data = benchmarks()
    assert nbc.compare(data).to_json() == nbc.compare_items(data).to_json()
    controlled = nbc.compare(data, control="small", alpha=0.01)
    assert controlled.to_json() == nbc.compare_items(data, control="small", alpha=0.01).to_json()
    with pytest.raises(ValueError, match="`pairs` must be left out with items"):
        nbc.compare(data, pairs="t")


def test_missing_items_and_repeated_answers():
    scores = answers(50)
    scores[3, 1] = np.nan
    with pytest.raises(nbc.DataError, match="missing"):
        nbc.compare_items(read(scores))
    result = nbc.compare_items(read(scores), missing="drop-folds")
    assert result.n_items == (49,)
    runs = np.stack([answers(40, seed) for seed in range(3)], axis=-1)[np.newaxis]
    data = nbc.Experiment.from_array(np.swapaxes(runs, 1, 2), direction="maximize", unit="items")
    repeated = nbc.compare_items(data)
    assert "runs-averaged" in [note.code for note in repeated.notes]
    assert repeated.mean_scores["A1"] == pytest.approx(runs[0, :, 0].mean())


def test_all_scores_tied():
    result = nbc.compare_items(read(np.ones((9, 3))))
    assert (result.hypotheses.pvalue == 1).all()
    assert "all-tied" in [note.code for note in result.notes]
    assert np.isfinite(result.lower).all()


def test_the_detectable_difference_is_detected_so_often():
    rng = np.random.default_rng(6)
    found = []
    for _ in range(100):
        gains = rng.normal(0.25, 1, 126)  # 2.8 standard errors
        found.append(nbc.compare_items(read(np.stack([gains, 0 * gains], axis=1))))
    least = np.mean([it.detectable.item() for it in found])
    assert least == pytest.approx(0.25, rel=0.05)
    power = np.mean([it.hypotheses.rejected.item() for it in found])
    assert power == pytest.approx(0.8, abs=3 * np.sqrt(0.8 * 0.2 / 100))


# ------------------------------------------------------------------- what the data choose


@pytest.mark.parametrize(
    ("compare", "experiment"),
    [
        (nbc.compare_items, read(answers())),
        (nbc.compare_items, benchmarks()),
        (
            nbc.compare_cv,
            nbc.Experiment.from_array(answers().T[np.newaxis, :, :10] * 0.7, direction="maximize"),
        ),
        (
            nbc.compare_runs,
            nbc.Experiment.from_array(answers().T[np.newaxis, :, np.newaxis], direction="maximize"),
        ),
    ],
)
def test_the_best_is_compared_out_of_all_pairs(compare, experiment):
    result, whole = compare(experiment, control="best"), compare(experiment, adjust="holm")
    best = result.ordered[0]
    assert (set(result.hypotheses.first), result.n_hypotheses) == ({best}, 3)
    of_all = whole.to_frame().set_index(["first", "second"])
    for pair, row in result.to_frame().set_index(["first", "second"]).iterrows():
        turned = pair not in of_all.index
        there = of_all.loc[pair[::-1] if turned else pair]
        assert [row.pvalue, row.holm] == pytest.approx([there.pvalue, there.holm], rel=1e-9)
        ends = [-there.upper, -there.lower] if turned else [there.lower, there.upper]
        assert row[["lower", "upper"]].tolist() == pytest.approx(ends)
    assert "three hypotheses about all pairs" in " ".join(result.sentences)
    assert "those out of 3 pairs" in str(result)
    if len(experiment.datasets) > 1:
        rejected = result.to_frame("benchmarks").holm.max()
        assert rejected <= whole.to_frame("benchmarks").holm.max()


def test_missing_items_are_called_items():
    scores = answers()
    scores[3, 1] = np.nan
    with pytest.raises(nbc.DataError, match=r"'medium on item 4'.*keeps the items that all"):
        nbc.compare_items(read(scores))


def test_many_benchmarks_are_in_rows():
    frames = [
        pd.DataFrame(answers(60, task), columns=MODELS).assign(task=f"t{task}", question=range(60))
        for task in range(5)
    ]
    table = pd.concat(frames).melt(["task", "question"], var_name="model", value_name="acc")
    experiment = nbc.Experiment.from_frame(table, direction="maximize")
    assert "5 benchmarks by 'task', 3 algorithms by 'model', up to 60 items" in (
        experiment.schema.sentence
    )
    result = nbc.compare_items(experiment)
    rows = str(result.section("benchmarks")).splitlines()[-6:]
    assert [row.split()[0] for row in rows] == ["t0", "t1", "t2", "t3", "t4", "all"]
    means = [float(row) for row in rows[-1].split()[1:]]
    assert means == pytest.approx([result.mean_scores[name] for name in result.ordered], abs=1e-4)


def test_a_dataframe_of_answers_holds_items():
    answers = np.random.default_rng(2).integers(0, 2, (60, 3))
    frame = pd.DataFrame(answers, columns=list("ABC"))
    expected = nbc.compare_items(
        nbc.Experiment.from_frame(frame, direction="maximize", unit="items")
    )
    tests = nbc.compare_items(frame, direction="maximize").hypotheses
    assert tests.pvalue.tolist() == expected.hypotheses.pvalue.tolist()
    long = frame.rename_axis("question").reset_index().melt("question", var_name="model")
    tests = nbc.compare_items(long, direction="maximize").hypotheses
    assert tests.pvalue.tolist() == expected.hypotheses.pvalue.tolist()
