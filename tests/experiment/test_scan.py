"""Lazy tables of several engines: the engine averages what ``from_frame`` averages itself."""

import json
import re
import subprocess
import sys

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


@pytest.mark.slow
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


@pytest.mark.slow
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
        columns={"dataset": "task id", "algorithm": "a 'b'", "run": "s", "score": "loss, mean"}
    )
    frame["task id"] = frame["task id"].str[1:].astype(int)
    found = Experiment.scan(
        lazy(frame.drop(columns="fold"), engine),
        direction="minimize",
        dataset="task id",
        algorithm="a 'b'",
        run="s",
        score="loss, mean",
    )
    assert found.measure == "loss, mean"
    assert found.datasets == tuple("012345")


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_part_that_is_chosen_loses_no_padded_labels(engine):
    frame = long_frame()
    chosen = {"direction": "maximize", "algorithms": sorted(set(frame["algorithm"]))[:2]}
    expected = Experiment.scan(lazy(frame, engine), **chosen)
    frame["algorithm"] = frame["algorithm"] + " "
    found = Experiment.scan(lazy(frame, engine), **chosen)
    assert found.algorithms == expected.algorithms
    assert found.mean_scores == pytest.approx(
        expected.mean_scores, rel=1e-12
    )  # engines add in any order
    frame.loc[frame.index[:20], "algorithm"] = frame["algorithm"].str.strip()
    with pytest.raises(DataError, match="differ by spaces alone"):
        Experiment.scan(lazy(frame, engine), missing="available", **chosen)


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_files_are_read_by_polars_where_duckdb_is_not_installed(tmp_path, monkeypatch):
    from nbcompare.experiment import _lazy

    long_frame().to_parquet(tmp_path / "scores.parquet", index=False)
    installed = _lazy.find_spec
    monkeypatch.setattr(
        _lazy, "find_spec", lambda name: None if name == "duckdb" else installed(name)
    )
    found = Experiment.scan(tmp_path, direction="maximize")
    assert "Polars" in found.notes[0].text
    monkeypatch.setattr(_lazy, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'nbcompare\[scan\]'"):
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
        MemoryError, match=r"24 scores of data sets and algorithms need about 0\.0 MB"
    ):
        Experiment.scan(lazy(long_frame(), engine), direction="maximize")


@pytest.mark.slow
def test_the_memory_that_a_table_needs_is_in_proportion_to_its_scores(monkeypatch):
    import duckdb

    from nbcompare import _tables

    many = duckdb.sql(
        "select 'd' || i as dataset, 'A' || j as algorithm, i * j as score "
        "from range(200_000) as rows(i), range(3) as columns(j)"
    )
    monkeypatch.setattr(_tables, "free_bytes", lambda: 50_000_000)
    needs = "600,000 scores of data sets and algorithms need about 300.0 MB, and 50.0 MB were free"
    with pytest.raises(MemoryError, match=needs + r"\. Name some of the `datasets`"):
        Experiment.scan(many, direction="maximize")


def test_an_engine_that_fails_is_quoted():
    import duckdb

    broken = duckdb.sql(
        "select 'd' as dataset, 'A' as algorithm, 1.0 as score, "
        "cast(case when random() < 2 then 'x' else '1' end as integer) as run"
    )
    with pytest.raises(DataError, match="the query cannot be read"):
        Experiment.scan(broken, direction="maximize")


@pytest.mark.slow
def test_order_does_not_depend_on_what_the_first_data_set_lacks(engine):
    frame = long_frame(k=3)
    part = frame[(frame["dataset"] != "d0") | (frame["algorithm"] != "A0")]
    found = Experiment.scan(lazy(part, engine), direction="maximize")
    assert found.algorithms == ("A0", "A1", "A2")
    assert np.argwhere(found.missing[0]).tolist() == [[0]]
    numbers = part.assign(algorithm=part["algorithm"].str[1:].astype(int) + 9)
    found = Experiment.scan(lazy(numbers, engine), direction="maximize", algorithm="algorithm")
    assert found.algorithms == ("9", "10", "11")


def test_a_direction_is_asked_for_before_the_engine_works(monkeypatch):
    from nbcompare.experiment._query import Query

    monkeypatch.setattr(Query, "averaged", None)
    with pytest.raises(DataError, match="`direction` must be"):
        Experiment.scan(lazy(long_frame(), "polars"))


def test_a_table_without_rows_is_refused(engine):
    with pytest.raises(DataError, match="the query has no rows"):
        Experiment.scan(lazy(long_frame(folds=1).iloc[:0], engine), direction="maximize")


def test_blank_labels_are_counted_as_empty_ones(engine):
    frame = long_frame().replace({"dataset": {"d1": " "}})
    with pytest.raises(DataError, match="60 rows with a score must have a label"):
        Experiment.scan(lazy(frame, engine), direction="maximize")


@pytest.mark.parametrize("without_duckdb", [False, True])
def test_folders_of_partitions_name_columns(tmp_path, monkeypatch, without_duckdb):
    from nbcompare.experiment import _lazy

    if without_duckdb:
        installed = _lazy.find_spec
        monkeypatch.setattr(
            _lazy, "find_spec", lambda name: None if name == "duckdb" else installed(name)
        )
    frame = long_frame()
    expected = in_order(Experiment.from_frame(frame, direction="maximize"))
    root = tmp_path / "we[ird]? *"  # as it stands, not as a pattern
    for (dataset, algorithm), part in frame.groupby(["dataset", "algorithm"]):
        folder = root / f"dataset={dataset}" / f"algorithm={algorithm}"
        folder.mkdir(parents=True)
        part[["fold", "run", "score"]].to_parquet(folder / "0.parquet", index=False)
    found = Experiment.scan(root, direction="maximize")
    np.testing.assert_allclose(found.mean_scores, expected.mean_scores, rtol=1e-13)
    plain = tmp_path / "dataset=all" / "scores.parquet"  # a folder that is no partition
    plain.parent.mkdir()
    frame.to_parquet(plain, index=False)
    for source in (plain, plain.parent, plain.parent / "*.parquet"):
        found = Experiment.scan(source, direction="maximize")
        np.testing.assert_allclose(found.mean_scores, expected.mean_scores, rtol=1e-13)


def test_files_of_different_types_lose_nothing(tmp_path):
    frame = long_frame(n=4, folds=1).drop(columns="fold")
    # whole numbers first, to which some engines round what other files hold
    whole = frame["dataset"] < "d2"
    frame.loc[whole, "score"] = np.floor(frame.loc[whole, "score"] * 9)
    frame.loc[whole, "dataset"] = frame.loc[whole, "dataset"].str[1:]
    first, second = frame[whole].astype({"score": int, "dataset": int}), frame[~whole]
    first.to_parquet(tmp_path / "0.parquet", index=False)
    second[["run", "score", "algorithm", "dataset"]].to_parquet(tmp_path / "1.parquet", index=False)
    found = Experiment.scan(tmp_path, direction="maximize")
    expected = in_order(Experiment.from_frame(frame, direction="maximize"))
    assert found.datasets == ("0", "1", "d2", "d3")
    np.testing.assert_allclose(found.mean_scores, expected.mean_scores, rtol=1e-13)
    second.drop(columns="run").to_parquet(tmp_path / "1.parquet", index=False)
    with pytest.raises(DataError, match="every row with a score must name its fold and run"):
        Experiment.scan(tmp_path, direction="maximize")


def test_addresses_are_left_to_the_engine():
    with pytest.raises(DataError, match=r"Pass what an engine makes of it, such as polars\.scan_p"):
        Experiment.scan("s3://bucket/scores.parquet", direction="maximize")


@pytest.mark.weekly
def test_workers_of_a_cluster_average(usual_main):
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster

    frame = long_frame(runs=40)
    whole = in_order(Experiment.from_frame(frame, direction="maximize"))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        found = Experiment.scan(dd.from_pandas(frame, npartitions=7), direction="maximize")
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-12)


# ------------------------------------------------------------------ more rows than memory has

# A score is a whole number that labels give, so that sums are exact in every order.
_MANY = """
    COPY (SELECT 'problem ' || i // 20000 AS dataset, 'algorithm ' || i // 1000 % 20 AS algorithm,
                 i // 100 % 10 AS fold, i % 100 AS run,
                 (i // 20000 * 7 + i // 1000 % 20 * 13 + fold * run * 3) % 101 AS score
          FROM range({first}, {last}) AS numbers(i)) TO '{path}' (FORMAT parquet)
"""
_SCAN_IN_MEMORY = """
import json, sys
import numpy as np
import polars
from nbcompare import Experiment
path, engine, statistic = sys.argv[1:]
source = path if engine == "duckdb" else polars.scan_parquet(path + "/*.parquet")
found = Experiment.scan(source, direction="maximize", statistic=statistic)
order = [f"problem {i}" for i in range(len(found.datasets))]
found = found.select(datasets=order, algorithms=[f"algorithm {j}" for j in range(20)])
np.save(path + f"/{engine}-{statistic}.npy", found.mean_scores)
told = open("/proc/self/status").read().partition("VmHWM:")[2].split()
print(json.dumps({"peak MiB": int(told[0]) / 1024, "note": found.notes[0].text}))
"""


@pytest.fixture(scope="module")
def many_rows(tmp_path_factory):
    """Twenty million rows in ten files; in memory, their labels and numbers take 1.3 GB."""
    import duckdb

    folder = tmp_path_factory.mktemp("many")
    for part in range(10):
        path = folder / f"part{part}.parquet"
        ends = {"first": part * 2_000_000, "last": (part + 1) * 2_000_000}
        duckdb.sql(_MANY.format(path=path, **ends))
    return folder


@pytest.mark.weekly
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.parametrize(
    ("engine", "statistic"), [("duckdb", "mean"), ("duckdb", "median"), ("polars", "mean")]
)
def test_twenty_million_rows_take_little_memory(many_rows, engine, statistic):
    line = [sys.executable, "-c", _SCAN_IN_MEMORY, str(many_rows), engine, statistic]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout)
    assert told["note"].endswith("computed from 20,000,000 rows.")
    assert told["peak MiB"] < 1_000
    i, j, fold, run = np.ogrid[:1000, :20, :10, :100]
    scores = (i * 7 + j * 13 + fold * run * 3) % 101
    middle = np.median(scores, axis=3) if statistic == "median" else scores.mean(axis=3)
    found = np.load(many_rows / f"{engine}-{statistic}.npy")
    np.testing.assert_allclose(found, middle.mean(axis=2), rtol=1e-12)
