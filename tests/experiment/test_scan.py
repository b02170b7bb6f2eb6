"""Lazy tables of several engines: the engine averages what ``from_frame`` averages itself."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbcompare import DataError, Experiment, compare

ENGINES = ("polars", "duckdb", "dask")


def lazy(frame, engine):
    if engine == "polars":
        import polars as pl

        return pl.from_pandas(frame).lazy()
    if engine == "duckdb":
        import duckdb

        return duckdb.from_df(frame)
    import dask.dataframe as dd

    return dd.from_pandas(frame, npartitions=3)


def long_frame(n=6, k=4, folds=3, runs=5, seed=0):
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [
            [f"d{i}" for i in range(n)],
            [f"A{j}" for j in range(k)],
            range(folds),
            range(runs),
        ],
        names=["dataset", "algorithm", "fold", "run"],
    )
    frame = pd.DataFrame({"score": rng.random(len(index))}, index=index).reset_index()
    return frame.sample(frac=1, random_state=seed, ignore_index=True)


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


def in_order(experiment):
    return experiment.select(
        datasets=sorted(experiment.datasets), algorithms=sorted(experiment.algorithms)
    )


def test_means_are_those_of_a_table_in_memory(engine):
    frame = long_frame()
    found = Experiment.scan(lazy(frame, engine), direction="maximize", measure="AUC")
    whole = in_order(Experiment.from_frame(frame, direction="maximize", measure="AUC"))
    assert (found.datasets, found.algorithms) == (whole.datasets, whole.algorithms)
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-13)
    assert (found.n_folds, found.n_runs, found.measure) == (1, 1, "AUC")
    name = {"polars": "Polars", "duckdb": "DuckDB", "dask": "Dask"}[engine]
    assert found.notes[0].text == (
        f"Scores are means of 5 runs, averaged over 3 folds, which {name} computed from 360 rows."
    )
    np.testing.assert_allclose(
        list(compare(found).average_ranks.values()), list(compare(whole).average_ranks.values())
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_medians_are_of_the_runs_of_each_fold(engine):
    frame = long_frame(runs=4)
    found = Experiment.scan(lazy(frame, engine), direction="minimize", statistic="median")
    by_fold = frame.groupby(["dataset", "algorithm", "fold"])["score"].median()
    expected = by_fold.groupby(["dataset", "algorithm"]).mean().unstack()
    np.testing.assert_allclose(found.mean_scores, expected.to_numpy(), rtol=1e-13)
    assert found.notes[0].text.startswith("Scores are medians of 4 runs, averaged over 3 folds,")


def test_dask_says_that_it_has_no_medians():
    with pytest.raises(DataError, match="Dask computes no medians of groups"):
        Experiment.scan(lazy(long_frame(), "dask"), direction="maximize", statistic="median")


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
def test_every_shape_agrees_with_a_table_in_memory(seed, n, folds, runs):
    frame = long_frame(n, 3, folds, runs, seed)
    # the first algorithm is deterministic
    frame = frame[(frame["algorithm"] != "A0") | (frame["run"] == 0)]
    kept = [name for name, size in (("fold", folds), ("run", runs)) if size > 1]
    frame = frame[["dataset", "algorithm", *kept, "score"]]
    found = Experiment.scan(lazy(frame, "polars"), direction="maximize")
    whole = in_order(Experiment.from_frame(frame, direction="maximize"))
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-12)


def test_columns_may_have_any_names_and_labels_any_type(engine):
    frame = long_frame(folds=1).rename(
        columns={"dataset": "task id", "algorithm": 'a "b"', "run": "s", "score": "loss, mean"}
    )
    frame["task id"] = frame["task id"].str[1:].astype(int)
    found = Experiment.scan(
        lazy(frame.drop(columns="fold"), engine),
        direction="minimize",
        dataset="task id",
        algorithm='a "b"',
        run="s",
        score="loss, mean",
    )
    assert found.measure == "loss, mean"
    assert found.datasets == tuple("012345")


def test_scores_that_lack_folds_or_runs_are_named(engine):
    frame = long_frame()
    lost_fold = (frame["dataset"] == "d1") & (frame["algorithm"] == "A2") & (frame["fold"] == 2)
    lost_run = (
        (frame["dataset"] == "d3")
        & (frame["algorithm"] == "A0")
        & (frame["fold"] == 0)
        & (frame["run"] == 4)
    )
    part = frame[~lost_fold & ~lost_run]
    told = "A2 on d1 (2 of 3 folds) and A0 on d3 (14 of 15 runs)"
    with pytest.raises(DataError, match=re.escape(told)):
        Experiment.scan(lazy(part, engine), direction="maximize")
    found = Experiment.scan(lazy(part, engine), direction="maximize", missing="available")
    whole = in_order(Experiment.from_frame(part, direction="maximize"))
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-13)
    assert [str(cell) for cell in whole.incomplete] == told.split(" and ")
    assert told in found.notes[1].text
    dropped = Experiment.scan(lazy(part, engine), direction="maximize", missing="drop")
    assert dropped.datasets == ("d0", "d2", "d4", "d5")
    assert "d1 and d3" in dropped.notes[1].text


def test_a_score_that_is_empty_or_not_a_number_is_missing(engine):
    frame = long_frame(folds=1, runs=1).drop(columns=["fold", "run"])
    frame = frame.sort_values(["dataset", "algorithm"], ignore_index=True)
    frame.loc[3, "score"] = np.nan
    found = Experiment.scan(lazy(frame, engine), direction="maximize")
    assert found.missing.sum() == 1
    assert found.missing[0, 3]


def test_equal_numbers_of_different_folds_are_not_complete(engine):
    frame = long_frame(n=2, k=2, folds=4, runs=1).drop(columns="run")
    at = frame["dataset"] == "d0"
    lost = (at & (frame["algorithm"] == "A0") & (frame["fold"] == 0)) | (
        at & (frame["algorithm"] == "A1") & (frame["fold"] == 3)
    )
    with pytest.raises(DataError, match=r"A0 on d0 \(3 of 4 folds\) and A1 on d0 \(3 of 4 folds\)"):
        Experiment.scan(lazy(frame[~lost], engine), direction="maximize")


def test_rows_that_nothing_tells_apart_are_refused(engine):
    frame = long_frame()
    twice = pd.concat([frame, frame.iloc[:1]])
    with pytest.raises(DataError, match="Take out the rows that stand there twice"):
        Experiment.scan(lazy(twice, engine), direction="maximize")
    with pytest.raises(DataError, match="Pass run= to name the column"):
        Experiment.scan(lazy(frame.drop(columns="run"), engine), direction="maximize")


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_scores_are_refused_by_name(engine, bad):
    frame = long_frame().sort_values(["dataset", "algorithm"], ignore_index=True)
    frame.loc[0, "score"] = bad
    with pytest.raises(DataError, match="one of algorithm 'A0' on data set 'd0' is not"):
        Experiment.scan(lazy(frame, engine), direction="maximize")


def test_rows_without_a_label_are_counted(engine):
    frame = long_frame(folds=1).drop(columns="fold")
    frame.loc[:2, "dataset"] = None
    with pytest.raises(DataError, match=r"3 rows with a score must have a label .* `dataset`"):
        Experiment.scan(lazy(frame, engine), direction="maximize", missing="available")


def test_rows_without_a_run_are_refused(engine):
    frame = long_frame(folds=1).drop(columns="fold").astype({"run": "Int64"})
    frame.loc[2, "run"] = pd.NA
    with pytest.raises(DataError, match="every row with a score must name its fold and run"):
        Experiment.scan(lazy(frame, engine), direction="maximize")


def test_scores_that_are_text_are_refused(engine):
    frame = long_frame().astype({"score": str})
    with pytest.raises(DataError, match="column 'score' must hold numbers"):
        Experiment.scan(lazy(frame, engine), direction="maximize", score="score")


def test_labels_that_differ_by_spaces_alone_are_refused(engine):
    frame = long_frame()
    frame.loc[frame.index[:20], "algorithm"] += " "
    with pytest.raises(DataError, match="differ by spaces alone"):
        Experiment.scan(lazy(frame, engine), direction="maximize", missing="available")


def test_groups_and_directions_stand_beside_the_scores(engine):
    frame = long_frame()
    frame["domain"] = np.where(frame["dataset"] < "d3", "images", "text")
    frame["higher_is_better"] = frame["dataset"] != "d5"
    found = Experiment.scan(lazy(frame, engine))
    whole = in_order(Experiment.from_frame(frame))
    assert found.domains == whole.domains
    assert found.turned == ("d5",)
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-13)
    frame.loc[0, "domain"] = "sound"
    with pytest.raises(DataError, match="column `domain` must say the same"):
        Experiment.scan(lazy(frame, engine))


def test_a_part_is_chosen_in_the_engine(engine):
    frame = long_frame()
    part = Experiment.scan(
        lazy(frame, engine),
        direction="maximize",
        algorithms=["A3", "A1"],
        datasets=["d4", "d0", "d2"],
    )
    assert (part.algorithms, part.datasets) == (("A3", "A1"), ("d4", "d0", "d2"))
    assert "90 rows" in part.notes[0].text
    with pytest.raises(ValueError, match="A9"):
        Experiment.scan(lazy(frame, engine), direction="maximize", algorithms=["A1", "A9"])


def test_summaries_among_the_data_sets_are_left_out_by_name():
    frame = long_frame(folds=1, runs=1).drop(columns=["fold", "run"])
    means = frame.groupby("algorithm", as_index=False)["score"].mean().assign(dataset="Average")
    both = pd.concat([frame, means])
    with pytest.raises(DataError, match="ignore_rows"):
        Experiment.scan(lazy(both, "polars"), direction="maximize")
    found = Experiment.scan(lazy(both, "polars"), direction="maximize", ignore_rows=["Average"])
    assert found.n_datasets == 6
    with pytest.raises(ValueError, match="ignore_rows"):
        Experiment.scan(lazy(both, "polars"), direction="maximize", ignore_rows=["Averages"])


def test_files_of_a_folder_a_pattern_and_one_file(tmp_path):
    frame = long_frame()
    for position, part in enumerate(np.array_split(np.arange(len(frame)), 3)):
        frame.iloc[part].to_parquet(tmp_path / f"part{position}.parquet", index=False)
    whole = in_order(Experiment.from_frame(frame, direction="maximize"))
    for source in (tmp_path, str(tmp_path / "*.parquet"), str(tmp_path / "part?.parquet")):
        found = Experiment.scan(source, direction="maximize")
        np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-13)
    frame.to_parquet(tmp_path / "all.parquet", index=False)
    found = Experiment.scan(tmp_path / "all.parquet", direction="maximize")
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-13)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        Experiment.scan(tmp_path / "other.parquet", direction="maximize")
    (tmp_path / "scores.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=r"must be a Parquet file; Experiment\.read"):
        Experiment.scan(tmp_path / "scores.csv", direction="maximize")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"holds no \.parquet file"):
        Experiment.scan(tmp_path / "empty", direction="maximize")


def test_files_are_read_by_duckdb_where_polars_is_not_installed(tmp_path, monkeypatch):
    from nbcompare.experiment import _lazy

    long_frame().to_parquet(tmp_path / "scores.parquet", index=False)
    installed = _lazy.find_spec
    monkeypatch.setattr(
        _lazy, "find_spec", lambda name: None if name == "polars" else installed(name)
    )
    found = Experiment.scan(tmp_path, direction="maximize")
    assert "DuckDB" in found.notes[0].text
    monkeypatch.setattr(_lazy, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="needs Polars or DuckDB"):
        Experiment.scan(tmp_path, direction="maximize")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (pd.DataFrame({"a": [1]}), "Experiment.from_frame takes it"),
        ([1, 2], "must be a lazy table"),
    ],
)
def test_what_is_no_lazy_table_is_refused(source, words):
    with pytest.raises(TypeError, match=words):
        Experiment.scan(source, direction="maximize")


def test_a_wide_table_is_refused(engine):
    frame = pd.DataFrame({"dataset": ["a", "b"], "A": [1.0, 2.0], "B": [2.0, 1.0]})
    with pytest.raises(DataError, match="must have a row per score"):
        Experiment.scan(lazy(frame, engine), direction="maximize")


def test_a_table_that_does_not_fit_says_what_it_needs(monkeypatch, engine):
    from nbcompare import _tables

    monkeypatch.setattr(_tables, "free_bytes", lambda: 5_000)
    with pytest.raises(
        MemoryError, match=r"24 scores of data sets and algorithms need about 0\.0 GB"
    ):
        Experiment.scan(lazy(long_frame(), engine), direction="maximize")


def test_an_engine_that_fails_is_quoted():
    import duckdb

    broken = duckdb.sql(
        "select 'd' as dataset, 'A' as algorithm, 1.0 as score, "
        "cast(case when random() < 2 then 'x' else '1' end as integer) as run"
    )
    with pytest.raises(DataError, match="the query cannot be read"):
        Experiment.scan(broken, direction="maximize")
