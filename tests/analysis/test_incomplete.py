"""Scores of which folds or runs are missing: found, named, and treated as the user says."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbcompare as nbc
from nbcompare import DataError, Experiment
from nbcompare.words import TREATMENTS, TREATMENTS_OF

# Over data sets, of which folds can be left out
OVER_DATASETS = {
    "compare": {},
    "compare_pair": {"a": "X", "b": "Y"},
    "multiple_sign_test": {"control": "X"},
    "contrast_estimation": {"n_resamples": 50},
    "rank_intervals": {},
    "compare_bayesian": {"rope": 0.01, "n_samples": 50},
    "compare_stochastic": {"procedure": "interval"},
}
ASKED = OVER_DATASETS | {
    "plan": {"largest": 2},
    "aggregate_runs": {"n_resamples": 20},
    "compare_cv": {"dataset": "d3"},
    "compare_items": {},
}


def call(function, data, **options):
    data = replace(data, unit="items") if function == "compare_items" else data
    return getattr(nbc, function)(data, **ASKED[function], **options)


def long_table(n=4, k=2, n_folds=5, n_runs=1, seed=0):
    """Return a table in which later algorithms are a little better."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"d{d}", "XYZWV"[a], f"f{f}", f"s{r}", 0.7 + 0.01 * a + 0.1 * rng.random())
        for d, a, f, r in itertools.product(range(n), range(k), range(n_folds), range(n_runs))
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "run", "score"])


def read(frame):
    return Experiment.from_frame(frame, direction="maximize")


def without(frame, **cells):
    """Leave out the rows that hold all of these labels."""
    gone = np.logical_and.reduce([frame[name] == value for name, value in cells.items()])
    return frame[~gone]


def codes(result):
    return [note.code for note in result.notes]


# ------------------------------------------------------------------------------ finding


def test_a_lost_fold_does_not_raise_the_mean_unseen():
    x = [0.7, 0.7, 0.7, 0.7, 0.7]
    y = [0.7, 0.75, 0.75, 0.5, 0.7]
    frame = pd.DataFrame(
        [
            (name, algorithm, fold, score)
            for name in ("a", "b", "c")
            for algorithm, scores in (("X", x), ("Y", y))
            for fold, score in enumerate(scores)
            if (name, algorithm, fold) != ("a", "Y", 3)
        ],
        columns=["dataset", "algorithm", "fold", "score"],
    )
    data = read(frame)
    assert [tuple(cell) for cell in data.incomplete] == [("a", "Y", 4, 5, "folds")]
    assert not data.missing.any()
    with pytest.raises(DataError, match=r"only a part of the folds or runs of 'Y on a \(4 of 5"):
        nbc.compare(data)


def by_hand(frame, n_algorithms):
    """Find incomplete cells with loops over labels, as the documentation defines them."""
    cells = {
        key: set(zip(part["fold"], part["run"], strict=True))
        for key, part in frame.groupby(["dataset", "algorithm"])
    }
    found = []
    for dataset in dict.fromkeys(frame["dataset"]):
        for algorithm in dict.fromkeys(frame["algorithm"]):
            own = cells.get((dataset, algorithm), set())
            if not own:
                continue
            others = set().union(*(cells.get((dataset, name), set()) for name in "XYZWV"))
            lost_folds = {fold for fold, _ in others} - {fold for fold, _ in own}
            elsewhere = {
                run for (_, name), runs in cells.items() if name == algorithm for _, run in runs
            }
            lost_runs = {
                (fold, run)
                for fold, run in others - own
                if fold not in lost_folds and run in elsewhere
            }
            if lost_folds:
                n = len({fold for fold, _ in own})
                found.append((dataset, algorithm, n, n + len(lost_folds), "folds"))
            elif lost_runs:
                found.append((dataset, algorithm, len(own), len(own) + len(lost_runs), "runs"))
    return found


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(1, 4), st.integers(0, 5))
def test_what_is_lost_agrees_with_loops(seed, n_folds, n_runs, n_lost):
    rng = np.random.default_rng(seed)
    frame = long_table(n=3, k=3, n_folds=n_folds, n_runs=n_runs, seed=seed)
    kept = frame.drop(index=rng.choice(len(frame), n_lost, replace=False))
    if kept["dataset"].nunique() < 3 or kept["algorithm"].nunique() < 3:
        return
    data = read(kept.sample(frac=1, random_state=seed))
    order = {
        key: place for place, key in enumerate(itertools.product(data.datasets, data.algorithms))
    }
    found = sorted(by_hand(kept, 3), key=lambda cell: order[cell[:2]])
    assert [tuple(cell) for cell in data.incomplete] == found
    again = read(data.to_frame("long"))
    assert {tuple(cell) for cell in again.incomplete} == set(found)


def test_fewer_runs_everywhere_are_a_design():
    frame = long_table(n=4, k=3, n_folds=1, n_runs=6)
    frame = frame[(frame["algorithm"] != "Y") | (frame["run"] < "s3")]
    data = read(frame)
    assert data.incomplete == ()
    assert data.fewer_runs == ("Y",)


def test_runs_without_common_labels_are_counted():
    rng = np.random.default_rng(3)
    frame = long_table(n=4, k=2, n_folds=1, n_runs=5)
    frame["run"] = [f"r{number}" for number in rng.permutation(10**6)[: len(frame)]]
    assert read(frame).incomplete == ()
    lost = read(frame.drop(index=frame.index[7]))
    assert [tuple(cell) for cell in lost.incomplete] == [("d0", "Y", 4, 5, "runs")]
    with pytest.raises(DataError, match="do not share labels of runs"):
        nbc.compare(lost, missing="drop-folds")
    assert nbc.compare(lost, missing="drop").design.left_out == ("d0",)


def test_other_seeds_on_other_data_sets_are_no_loss():
    frame = long_table(n=2, k=2, n_folds=1, n_runs=5)
    other = (frame["dataset"] == "d1") & (frame["algorithm"] == "X")
    frame.loc[other, "run"] = frame.loc[other, "run"] + "0"
    assert read(frame).incomplete == ()


def test_labels_of_runs_do_not_change_the_fingerprint():
    frame = long_table(n_runs=3)
    renamed = frame.assign(run=frame["run"].str.replace("s", "seed "))
    assert read(frame).fingerprint == read(renamed).fingerprint
    assert read(renamed).runs == ("seed 0", "seed 1", "seed 2")
    assert read(renamed).to_frame("long")["run"].iloc[0] == "seed 0"


def test_labels_stay_with_their_runs():
    frame = long_table(n=2, n_folds=2, n_runs=4)
    frame = without(frame, dataset="d0", algorithm="X", fold="f1", run="s2")
    data = read(frame)
    kept = data.to_frame("long").merge(frame, on=["dataset", "algorithm", "fold", "run"])
    assert len(kept) == len(frame)
    assert (kept["score_x"] == kept["score_y"]).all()
    part = data.select(datasets=["d1"])
    assert part.run_codes is None
    assert part.runs == ("s0", "s1", "s2", "s3")


# ----------------------------------------------------------------------------- treating


def test_drop_folds_is_reading_only_what_all_have():
    frame = long_table(n=6, k=3)
    lost = without(frame, dataset="d1", algorithm="Y", fold="f2")
    common = without(frame, dataset="d1", fold="f2")
    for name in OVER_DATASETS:
        result = call(name, read(lost), missing="drop-folds")
        expected = call(name, read(common), missing="available")
        assert "folds-dropped" in codes(result), name
        assert result.design.fingerprint == expected.design.fingerprint, name


def test_drop_folds_leaves_out_single_runs():
    frame = long_table(n=3, k=2, n_folds=2, n_runs=4)
    lost = without(frame, dataset="d2", algorithm="X", fold="f0", run="s1")
    common = without(frame, dataset="d2", fold="f0", run="s1")
    result = nbc.compare(read(lost), missing="drop-folds")
    means = read(common).mean_scores.mean(axis=0)
    assert list(result.mean_scores.values()) == pytest.approx(list(means))
    assert "1 run of d2" in result.notes[0].text


def test_drop_folds_leaves_out_a_data_set_without_common_folds():
    frame = long_table(n=4, k=2, n_folds=2)
    lost = without(
        without(frame, dataset="d1", algorithm="X", fold="f0"),
        dataset="d1",
        algorithm="Y",
        fold="f1",
    )
    result = nbc.compare(read(lost), missing="drop-folds")
    assert result.design.left_out == ("d1",)
    few = read(lost[lost["dataset"].isin(["d0", "d1"])])
    with pytest.raises(DataError, match="1 of 2 data sets would be left"):
        nbc.compare(few, missing="drop-folds")


def test_drop_leaves_out_the_data_set():
    lost = without(long_table(), dataset="d3", algorithm="Y", fold="f4")
    result = nbc.compare(read(lost), missing="drop")
    assert result.design.left_out == ("d3",)
    assert result.design.n_datasets == 3


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_the_worst_score_of_the_data_set(direction):
    frame = long_table(n=3, k=3, n_folds=3, n_runs=2)
    gone = frame[
        ~((frame["dataset"] == "d0") & (frame["algorithm"] == "X") & (frame["fold"] == "f1"))
        & ~((frame["dataset"] == "d1") & (frame["algorithm"] == "Y"))
    ]
    data = Experiment.from_frame(gone, direction=direction)
    worst = (
        gone.groupby("dataset")["score"].min()
        if direction == "maximize"
        else gone.groupby("dataset")["score"].max()
    )
    means = gone.groupby(["dataset", "algorithm", "fold"])["score"].mean()
    means.loc[("d0", "X", "f1")] = worst["d0"]
    for fold in ("f0", "f1", "f2"):
        means.loc[("d1", "Y", fold)] = worst["d1"]
    expected = means.groupby(level="algorithm").mean()
    result = nbc.compare(data, missing="worst")
    assert result.mean_scores["X"] == pytest.approx(expected["X"])
    assert result.mean_scores["Y"] == pytest.approx(expected["Y"])
    assert "counts as failed and gets the worst score" in result.notes[0].text
    assert "what failed gets the worst score of its data set" in " ".join(result.sentences)


def test_a_baseline_or_a_number_for_what_failed():
    frame = long_table(n=3, k=3)
    lost = without(frame, dataset="d0", algorithm="Y", fold="f1")
    baseline = frame.set_index(["dataset", "algorithm", "fold"])["score"].loc[("d0", "X", "f1")]
    for fill, score in (("X", baseline), (0.25, 0.25), (1, 1.0)):
        filled = pd.concat(
            [lost, pd.DataFrame([("d0", "Y", "f1", "s0", score)], columns=lost.columns)]
        )
        result = nbc.compare(read(lost), missing="worst", fill=fill)
        assert result.design.fingerprint == read(filled).fingerprint
        assert result.design.options["fill"] == fill
        used = f"what failed gets the score{' of X' if fill == 'X' else f' {fill:g}'}"
        contrast = nbc.contrast_estimation(read(lost), missing="worst", fill=fill)
        methods = [str(each.section("method")) for each in (result, contrast)]
        for text in (" ".join(result.sentences), *methods):
            assert used in " ".join(text.split())
            assert "worst score" not in text
    both = without(lost, dataset="d0", algorithm="X", fold="f1")
    with pytest.raises(DataError, match="'X' has none on 'd0' in fold 'f1', where 'X' has none"):
        nbc.compare(read(both), missing="worst", fill="X")


def test_available_means_of_nothing_are_refused():
    gone = without(long_table(n=5), dataset="d3", algorithm="Y")
    with pytest.raises(DataError, match="there is nothing to average"):
        nbc.compare(read(gone), missing="available")


def test_available_folds_of_repeated_runs():
    frame = long_table(n=4, k=2, n_folds=3, n_runs=4)
    lost = without(frame, dataset="d2", algorithm="Y", fold="f1")
    result = nbc.compare_stochastic(
        read(lost), procedure="bootstrap-a", encoding="mean", missing="available"
    )
    means = lost.groupby(["dataset", "algorithm", "fold"])["score"].mean()
    expected = means.groupby(level=["dataset", "algorithm"]).mean().groupby("algorithm").mean()
    assert result.mean_low["Y"] == pytest.approx(expected["Y"])
    ranges = nbc.compare_stochastic(read(lost), procedure="interval", missing="available")
    assert np.isfinite(ranges.hypotheses.p_high).all()


def test_folds_of_one_data_set():
    frame = long_table(n=1, k=2, n_folds=8, n_runs=4)
    lost = read(without(frame, algorithm="Y", fold="f2"))
    with pytest.raises(DataError, match="no score for 'Y in fold f2'"):
        nbc.compare_stochastic(lost, procedure="interval")
    with pytest.raises(DataError, match="nothing to average"):
        nbc.compare_stochastic(lost, procedure="interval", missing="available")
    for word in ("drop", "drop-folds", "worst", "interval"):
        result = nbc.compare_stochastic(lost, procedure="interval", missing=word)
        kept = 8 if word in ("worst", "interval") else 7
        assert result.design.n_folds == kept, word


# -------------------------------------------------------------------------------- words


@pytest.mark.parametrize("function", TREATMENTS_OF)
@pytest.mark.parametrize("word", TREATMENTS)
def test_every_word_works_or_is_refused(function, word):
    lost = read(without(long_table(n=7, k=3, n_runs=2), dataset="d3", algorithm="Y", fold="f4"))
    if word not in TREATMENTS_OF[function]:
        with pytest.raises(ValueError, match=r"`missing` must be 'raise'(,| or) 'drop(-folds)?'"):
            call(function, lost, missing=word)
    elif not TREATMENTS[word].incomplete:
        remedy = TREATMENTS_OF[function][1]
        with pytest.raises(DataError, match=f"missing='{remedy}'"):
            call(function, lost, missing=word)
    else:
        assert call(function, lost, missing=word).design.treated == word


@pytest.mark.parametrize("function", TREATMENTS_OF)
def test_complete_scores_need_no_treatment(function):
    data = read(long_table(n=6, k=3, n_runs=2))
    plain = call(function, data)
    for word in TREATMENTS_OF[function]:
        result = call(function, data, missing=word)
        assert result.design.fingerprint == plain.design.fingerprint
        assert result.sentences == plain.sentences


def test_recommendation_for_incomplete_scores():
    lost = read(without(long_table(n=6, k=3), dataset="d3", algorithm="Y", fold="f4"))
    advice = nbc.recommend(lost)
    assert advice.missing == "drop-folds"
    assert nbc.compare(lost, **advice.options).design.treated == "drop-folds"
    gone = read(
        without(
            without(long_table(n=6, k=3), dataset="d3", algorithm="Y", fold="f4"),
            dataset="d1",
            algorithm="X",
        )
    )
    assert nbc.recommend(gone).missing == "worst"


def test_the_readme_lists_which_function_takes_which_word():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| `missing` |")[2].partition("\n\n")[0].splitlines()
    functions = [cell.strip(" `") for cell in table[0].split("|")[1:-1]]
    told = {
        cells[1].strip(" `"): (cells[2].strip(), [bool(cell.strip()) for cell in cells[3:-1]])
        for cells in (row.split("|") for row in table[2:])
    }
    assert functions == list(TREATMENTS_OF)
    assert told == {
        word: (it.effect, [word in TREATMENTS_OF[name] for name in functions])
        for word, it in TREATMENTS.items()
    }
