"""Lazy tables of several engines: the engine averages what ``from_frame`` averages itself."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from nbcompare import DataError, Experiment, _tables, compare
from nbcompare.experiment import ReadingError

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
        f"{name} computed the scores from 360 rows: means of 5 runs in 3 folds."
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
    assert found.notes[0].text.endswith("rows: medians of 4 runs in 3 folds.")


def test_unequal_numbers_of_runs_and_folds_are_told():
    frame = long_frame(runs=4)
    frame = frame[~((frame["algorithm"] == frame["algorithm"].iloc[0]) & (frame["run"] > 2))]
    scanned = Experiment.scan(lazy(frame, "polars"), direction="minimize").notes[0].text
    assert scanned.endswith("rows: means of 3 to 4 runs in 3 folds."), scanned


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
    assert told in dropped.notes[1].text


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
    with pytest.raises(DataError, match="domain"):
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
    with pytest.raises(FileNotFoundError, match="there is no Parquet file"):
        Experiment.scan(tmp_path / "other.parquet", direction="maximize")
    (tmp_path / "scores.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match=r"scores\.csv is not a readable Parquet"):
        Experiment.scan(tmp_path / "scores.csv", direction="maximize")


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


def test_folders_of_partitions_name_columns(tmp_path):
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
    with pytest.raises(DataError, match="column 'run' must be settled"):
        Experiment.scan(tmp_path, direction="maximize")


def test_every_other_column_is_accounted_for_in_all_rows(engine):
    frame = long_frame(n=12, folds=5, runs=8)  # more rows than those in which columns are seen
    frame = frame.sort_values(["dataset", "algorithm"], ignore_index=True)
    frame["constant"], frame["of_dataset"] = "c", frame["dataset"] + "!"
    frame["of_algorithm"], frame["of_fold"] = frame["algorithm"].str[1:], frame["fold"] * 2
    frame["of_run"] = "seed " + frame["run"].astype(str)
    frame["time"] = np.random.default_rng(0).random(len(frame))
    found = Experiment.scan(lazy(frame, engine), direction="maximize")
    assert found.n_datasets == 12
    assert "'time' was left out" in found.notes[1].text
    uses = {column.name: column.use for column in found.schema.columns}
    assert uses["of_dataset"] == "describes the data set"
    assert uses["of_run"] == "describes the repetition"
    for name in ("constant", "of_dataset", "of_run"):
        late = frame.copy()
        late.loc[late.index[-1], name] = "other"  # far behind the first rows
        with pytest.raises(ReadingError, match=f"{name!r} must be settled") as caught:
            Experiment.scan(lazy(late, engine), direction="maximize")
        for way in caught.value.advice:
            Experiment.scan(lazy(late, engine), direction="maximize", **way)
        assert {"ignore": [name]} in caught.value.advice


def test_rows_are_filtered_by_the_engine_and_counted(engine):
    frame = long_frame()
    both = pd.concat([frame.assign(split="test"), frame.assign(split="train", score=1.0)])
    with pytest.raises(ReadingError, match="'split' must be settled") as caught:
        Experiment.scan(lazy(both, engine), direction="maximize")
    assert {"where": {"split": "test"}} in caught.value.advice
    assert {"ignore": ["split"]} not in caught.value.advice
    found = Experiment.scan(lazy(both, engine), direction="maximize", where={"split": "test"})
    whole = Experiment.scan(lazy(frame, engine), direction="maximize")
    np.testing.assert_allclose(found.mean_scores, whole.mean_scores, rtol=1e-13)
    assert found.notes[1].text == "360 of 720 rows were read: split test."
    assert (found.schema.n_rows, found.schema.n_kept) == (720, 360)
    late = Experiment.scan(
        lazy(both, engine), direction="maximize", where={"split": "test", "fold": ["0", "2"]}
    )
    assert "240 of 720 rows" in late.notes[1].text
    with pytest.raises(ValueError, match=r"where\['split'\].*tset"):
        Experiment.scan(lazy(both, engine), direction="maximize", where={"split": "tset"})


def test_settings_that_change_with_both_are_part_of_the_algorithm(engine):
    frame = long_frame(folds=1).drop(columns="fold")
    frame = pd.concat([frame.assign(depth="deep"), frame.assign(depth="flat", score=0.5)])
    found = Experiment.scan(
        lazy(frame, engine), direction="maximize", algorithm=["algorithm", "depth"]
    )
    assert found.algorithms[:2] == ("A0 / deep", "A0 / flat")
    tuned = long_frame(folds=1).drop(columns="fold")
    tuned["tuned"] = tuned["algorithm"] + tuned["dataset"]
    with pytest.raises(ReadingError, match="'tuned' must be settled"):
        Experiment.scan(lazy(tuned, engine), direction="maximize")
    assert Experiment.scan(lazy(tuned, engine), direction="maximize", ignore=["tuned"]).n_runs == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame: pd.concat([frame, frame.iloc[:1]]), "Take out copies"),
        (lambda frame: frame.drop(columns="run"), "Pass run= to name a column"),
        (lambda frame: frame.assign(score=np.inf), "must be finite"),
        (lambda frame: frame.assign(score="x"), "number"),
        (lambda frame: frame.replace({"dataset": {"d1": None}}), "must be a label"),
        (lambda frame: frame.replace({"dataset": {"d1": " "}}), "must be a label"),
        (lambda frame: frame.astype({"run": float}).replace({"run": {1: np.nan}}), "'run'"),
        (lambda frame: frame.iloc[:0], "has no rows"),
        (lambda frame: frame.pivot_table("score", "dataset", "algorithm").reset_index(),
         "must have a row per score"),
        (lambda frame: frame.assign(algorithm=frame["algorithm"] + " " * 2).iloc[:9].pipe(
            lambda part: pd.concat([part.assign(run=part["run"]), frame])), "both hold the score"),
    ],
)  # fmt: skip
def test_what_cannot_be_averaged_is_refused(engine, change, words):
    frame = change(long_frame())
    with pytest.raises(DataError, match=words):
        Experiment.scan(lazy(frame, engine), direction="maximize", missing="available")


def test_infinite_scores_beyond_the_first_rows_are_refused(engine):
    frame = long_frame(n=12, folds=5, runs=8)
    frame.loc[[1500, 1501], "score"] = [np.inf, -np.inf]
    with pytest.raises(DataError, match="must be finite"):
        Experiment.scan(lazy(frame, engine), direction="maximize")


def test_what_is_no_lazy_table_or_does_not_fit_is_refused(monkeypatch):
    with pytest.raises(TypeError, match=r"Experiment\.from_frame takes tables in memory"):
        Experiment.scan(long_frame(), direction="maximize")
    with pytest.raises(FileNotFoundError, match=r"polars\.scan_parquet"):
        Experiment.scan("s3://bucket/scores.parquet", direction="maximize")
    with pytest.raises(DataError, match="Dask computes no medians of groups"):
        Experiment.scan(lazy(long_frame(), "dask"), direction="maximize", statistic="median")
    with pytest.raises(DataError, match="`direction` must be"):
        Experiment.scan(lazy(long_frame(), "polars"))
    monkeypatch.setattr(_tables, "free_bytes", lambda: 5_000)
    with pytest.raises(MemoryError, match="more scores of dataset, algorithm, fold than fit"):
        Experiment.scan(lazy(long_frame(), "polars"), direction="maximize")


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
import duckdb
from nbcompare import Experiment
path, engine, statistic = sys.argv[1:]
source = path if engine == "polars" else duckdb.read_parquet(path + "/*.parquet")
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
    ("engine", "statistic"),
    [("duckdb", "mean"), ("duckdb", "median"), ("polars", "mean"), ("polars", "median")],
)
def test_twenty_million_rows_take_little_memory(many_rows, engine, statistic):
    line = [sys.executable, "-c", _SCAN_IN_MEMORY, str(many_rows), engine, statistic]
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    told = json.loads(done.stdout)
    assert "20,000,000 rows" in told["note"]
    assert told["peak MiB"] < 1_000
    i, j, fold, run = np.ogrid[:1000, :20, :10, :100]
    scores = (i * 7 + j * 13 + fold * run * 3) % 101
    middle = np.median(scores, axis=3) if statistic == "median" else scores.mean(axis=3)
    found = np.load(many_rows / f"{engine}-{statistic}.npy")
    np.testing.assert_allclose(found, middle.mean(axis=2), rtol=1e-12)
