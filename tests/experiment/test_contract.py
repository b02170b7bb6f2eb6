"""Every column is used, proven irrelevant, or named by the user; what is advised was tried."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbcompare import DataError, Experiment, compare
from nbcompare.experiment import ReadingError

DATASETS = ["iris", "wine", "car", "zoo", "glass", "heart", "ecoli", "yeast"]
ALGORITHMS = ["SVM", "kNN", "C4.5", "MLP"]


def made(seed=1, n=6, k=3, folds=1):
    """Return a long table of scores that nothing is wrong with."""
    rng = np.random.default_rng(seed)
    keys = [(d, a, f) for d in DATASETS[:n] for a in ALGORITHMS[:k] for f in range(folds)]
    table = pd.DataFrame(keys, columns=["dataset", "algorithm", "fold"])
    level = dict(zip(DATASETS, rng.uniform(0.55, 0.9, len(DATASETS)), strict=True))
    spread = rng.uniform(-0.08, 0.08, len(table))
    table["score"] = (table["dataset"].map(level) + spread).round(4)
    return table if folds > 1 else table.drop(columns="fold")


LONG = made()
WIDE = LONG.pivot(index="dataset", columns="algorithm", values="score").loc[DATASETS[:6]]
WIDE.columns.name = None
VALUES = WIDE.to_numpy()


def of(frame, **options):
    return Experiment.from_frame(frame, **{"direction": "maximize"} | options)


def refused(frame, *advice, match=None, **options):
    """Check that a table is refused with this advice, and that all of it can be typed."""
    with pytest.raises(DataError, match=match) as caught:
        of(frame, **options)
    for each in advice:
        assert each in caught.value.advice
    for each in caught.value.advice:
        of(frame, **options | each)
    return caught.value


def is_same(experiment, other):
    return experiment.fingerprint == other.fingerprint


def doubled(column, labels, *, shift=0.0, noise=0.0):
    """Return the long table twice, with a column that tells the two apart."""
    scores = LONG["score"] + shift + np.random.default_rng(3).normal(0, noise, len(LONG))
    second = LONG.assign(**{column: labels[1], "score": scores.round(4)})
    return pd.concat([LONG.assign(**{column: labels[0]}), second], ignore_index=True)


def test_a_column_that_is_called_score_is_no_algorithm():
    frame = pd.DataFrame({"benchmark": DATASETS, "Threads": 8, "Score": np.geomspace(0.2, 9, 8)})
    match = "column 'Score' seems to hold the scores"
    refused(frame, {"algorithm": "benchmark", "score": "Score"}, match=match)
    assert of(frame, keep=["Score"]).algorithms == ("Threads", "Score")


def test_advice_on_what_forecasters_and_solvers_write():
    windows = pd.concat([WIDE.reset_index().assign(cutoff=f"2026-0{i}-01") for i in (1, 2, 3)])
    windows = windows.rename(columns={"dataset": "unique_id"})
    windows[ALGORITHMS[:3]] += np.random.default_rng(1).normal(0, 0.01, (18, 3))
    error = refused(windows, match="nothing says which column names the data sets")
    assert error.advice[0] == {"dataset": "unique_id", "fold": "cutoff"}

    horizons = doubled("horizon", (96, 336), noise=0.02)
    assert refused(horizons).advice[0] == {"where": {"horizon": "96"}}
    counted = doubled("horizon", (1, 2), noise=0.02)
    assert refused(counted).advice[0] == {"run": "horizon"}

    times = np.random.default_rng(0).uniform(1, 4900, (9, 4))
    for stopped, codes in ((5000.0, ["cutoff"]), (10000.0, [])):  # which is twice the cutoff
        times[[0, 0, 4], [0, 3, 2]] = stopped
        frame = pd.DataFrame(times, columns=ALGORITHMS)
        notes = of(frame, direction="minimize").notes
        assert [it.code for it in notes] == codes
        assert not any("=" in it.text for it in notes)  # reports print them

    answers = ["SAT"] * 7 + ["TIMEOUT", "MEMOUT"] + ["UNSAT"] * 9
    ended = {"status": "answer", "ok": ["SAT", "UNSAT"], "failed": "worst"}
    assert refused(LONG.assign(answer=answers)).advice[0] == ended


# ------------------------------------------------------------------------ kinds of columns

CODES = LONG["dataset"].map({name: i for i, name in enumerate(DATASETS)})
BESIDE = {
    "constant": ["1.2"] * 18,
    "of the data set": CODES.map(lambda i: 100 + 37 * i),
    "of the algorithm": LONG["algorithm"].map({"SVM": "libsvm", "kNN": "own", "C4.5": "own"}),
    "a copy": LONG["algorithm"],
    "scores again": LONG["score"],
    "id of the row": [f"x{7919 * i % 101}" for i in range(18)],
    "number of the row": range(18),
    "empty": [None] * 18,
}


@pytest.mark.parametrize("name", BESIDE)
def test_columns_that_are_proven_irrelevant(name):
    experiment = of(LONG.assign(beside=BESIDE[name]))
    assert is_same(experiment, of(LONG))
    (use,) = (each.use for each in experiment.schema.columns if each.name == "beside")
    assert use not in ("", "text", "numbers")


def test_what_is_a_function_of_the_fold_is_irrelevant():
    table = made(folds=3)
    assert is_same(of(table.assign(seed_of_fold=table["fold"].map({0: 7, 1: 9, 2: 8}))), of(table))


@pytest.mark.parametrize(
    ("name", "table", "advice"),
    [
        ("split", doubled("split", ["test", "train"], shift=0.05), {"where": {"split": "test"}}),
        ("shots", doubled("shots", [0, 5], noise=0.03), {"where": {"shots": "5"}}),
        ("shots", doubled("shots", [0, 5], noise=0.03), {"algorithm": ["algorithm", "shots"]}),
        ("note", LONG.assign(note=["a", "b", "c"] * 5 + ["a", "c", "b"]), {"ignore": ["note"]}),
        ("valid", LONG.assign(valid=[True] * 17 + [False]), {"where": {"valid": "True"}}),
    ],
)
def test_columns_that_change_among_scores(name, table, advice):
    error = refused(table, advice, match=f"column '{name}' must be settled")
    assert "'algorithm'  'SVM', 'kNN', 'C4.5'" in str(error)  # the table of columns


def test_free_measures():
    times = np.random.default_rng(2).exponential(3, 18).round(3)
    assert is_same(of(LONG.assign(seconds=times)), of(LONG))  # a column is called score
    unnamed = LONG.rename(columns={"score": "accuracy"}).assign(seconds=times)
    refused(unnamed, {"score": "accuracy"}, {"score": "seconds"}, match="may hold the scores")
    (note,) = of(unnamed, score="accuracy").notes
    assert "'seconds' was left out" in note.text


def test_repetitions_must_repeat():
    table = doubled("run", ["1", "2"], noise=0.02)
    assert of(table).n_runs == 2
    seeds = table.rename(columns={"run": "seed"})
    assert of(seeds).n_runs == 2
    assert of(LONG.assign(run_id=range(100, 118))).n_runs == 1  # of its own in every row
    more = doubled("run", ["1", "2"], shift=0.05)
    more = pd.concat([more, more.assign(dataset=more["dataset"] + "2")], ignore_index=True)
    refused(more, {"where": {"run": "1"}}, {"run": "run"}, match="differ in one direction")


def test_columns_of_lists_are_named():
    refused(LONG.assign(params=[{"C": 1}] * 18), {"ignore": ["params"]}, match="'params' holds")


# ------------------------------------------------------------------ keys, filters, failures


def test_keys_of_several_columns():
    table = doubled("aggr", ["mean", "max"], noise=0.03)
    experiment = of(table, algorithm=["algorithm", "aggr"])
    assert experiment.algorithms[:2] == ("SVM / mean", "kNN / mean")
    assert experiment.n_algorithms == 6
    split = LONG["dataset"].str[:1], LONG["dataset"].str[1:]
    parts = LONG.drop(columns="dataset").assign(first=split[0], rest=split[1])
    assert of(parts, dataset=["first", "rest"]).datasets[0] == "i / ris"


def test_filters():
    table = doubled("split", ["test", "train"], shift=0.05)
    experiment = of(table, where={"split": "test"})
    assert is_same(experiment, of(LONG))
    assert [note.text for note in experiment.notes] == ["18 of 36 rows were read: split test."]
    assert dict(experiment.schema.where) == {"split": ("test",)}
    both = of(table, where={"dataset": ["iris", "car"], "split": "train"})
    assert both.datasets == ("iris", "car")
    with pytest.raises(ValueError, match="Did you mean 'test'"):
        of(table, where={"split": "tets"})
    with pytest.raises(ValueError, match="must leave at least one row"):
        of(table.assign(part=table["split"]), where={"split": "test", "part": "train"})


TIMES = LONG.assign(seconds=(LONG["score"] * 100).round(1), state="ok").drop(columns="score")
FAILED = TIMES["algorithm"].eq("C4.5") & TIMES["dataset"].isin(DATASETS[:4])
TIMES.loc[FAILED, ["seconds", "state"]] = [120.0, "timeout"]
STATUS = {"direction": "minimize", "status": "state", "ok": ["ok"]}


def test_a_status_stops_with_the_choice():
    refused(
        TIMES,
        {"status": "state", "ok": ["ok"], "failed": "worst"},
        {"status": "state", "ok": ["ok"], "failed": "par10", "cutoff": 120.0},
        {"status": "state", "ok": ["ok"], "failed": "drop"},
        direction="minimize",
        match="a status",
    )


@pytest.mark.parametrize(
    ("failed", "expected"),
    [("worst", 120.0), ("par2", 240.0), ("par10", 1200.0), ("missing", np.nan), ("drop", None)],
)
def test_failed_runs(failed, expected):
    experiment = of(TIMES, **STATUS, failed=failed, cutoff=120.0)
    column = experiment.mean_scores[:, experiment.algorithms.index("C4.5")]
    if failed == "drop":
        assert experiment.datasets == tuple(DATASETS[4:6])
    else:
        np.testing.assert_array_equal(column[:4], expected)
        assert (column[4:] < 100).all()
    assert any("4 failed runs" in note.text for note in experiment.notes)
    without = of(TIMES.drop(columns="state"), direction="minimize", failed=failed, cutoff=120.0)
    assert is_same(without, experiment)


def test_methods_say_what_failed_runs_count_as():
    methods = str(compare(of(TIMES, **STATUS, failed="par2", cutoff=120.0)).section("methods"))
    assert " failed runs count as twice the cutoff of 120. " in methods.replace("\n", " ")


def test_the_worst_score_without_a_cutoff_is_that_of_the_data_set():
    crashed = TIMES.assign(seconds=TIMES["seconds"].where(~FAILED, 3.0))  # early, so it seems fast
    experiment = of(crashed, **STATUS, failed="worst")
    np.testing.assert_array_equal(
        experiment.mean_scores[:4].max(axis=1),
        experiment.mean_scores[:4, experiment.algorithms.index("C4.5")],
    )
    with pytest.raises(ValueError, match="`failed` must have `cutoff`"):
        of(crashed, **STATUS, failed="par10")


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_a_failed_answer_is_wrong_also_where_all_others_are_right(direction):
    right = int(direction == "maximize")
    rows = [(f"q{i}", m, right if i % 3 else i % 2, "ok") for i in range(12) for m in "AB"]
    frame = pd.DataFrame(rows, columns=["question", "model", "score", "state"])
    frame.loc[[2, 3, 10], ["score", "state"]] = right, "crash"
    reading = {"item": "question", "algorithm": "model", "status": "state", "ok": ["ok"]}
    experiment = of(frame, direction=direction, **reading, failed="worst")
    scores = experiment.scores[0, ..., 0]
    assert scores[[0, 1, 0], [1, 1, 5]].tolist() == 3 * [1 - right]
    assert any("3 failed runs count as wrong answers." in note.text for note in experiment.notes)


@pytest.mark.parametrize("failed", ["worst", "missing", "drop"])
@pytest.mark.parametrize("cutoff", [None, 88.0])
@pytest.mark.parametrize("turned", [(), ("iris", "zoo"), DATASETS])
@pytest.mark.parametrize("in_column", [True, False])
def test_failed_runs_are_bad_in_every_direction(failed, cutoff, turned, in_column):
    crashed = TIMES.assign(seconds=TIMES["seconds"].where(~FAILED, 3.0), domain=TIMES["dataset"])
    straight = of(crashed, **STATUS, failed=failed, cutoff=cutoff)
    is_turned = crashed["dataset"].isin(turned)
    other = crashed.assign(seconds=crashed["seconds"].where(~is_turned, -crashed["seconds"]))
    options = {"status": "state", "ok": ["ok"], "failed": failed}
    if cutoff is not None and 0 < is_turned.sum() < len(other):
        return  # one cutoff has no meaning in both
    if cutoff is not None and is_turned.all():
        cutoff = -cutoff
    there = [name for name in straight.datasets if name in turned]
    if in_column:
        options |= {"direction": None}
        other["higher_is_better"] = is_turned
    else:
        options |= {"direction": dict.fromkeys(there, "maximize") | {None: "minimize"}}
    made = of(other, **options, cutoff=cutoff)
    assert made.domains == made.datasets == straight.datasets
    np.testing.assert_array_equal(
        np.array(made.ways) == "maximize", [n in there for n in made.datasets]
    )
    sign = np.where([name in there for name in made.datasets], -1, 1)[:, np.newaxis]
    np.testing.assert_array_equal(sign * made.given[0][:, :, 0, 0], straight.mean_scores)
    assert made.n_censored == straight.n_censored


def test_penalties_are_for_times():
    higher = TIMES.assign(seconds=-TIMES["seconds"])
    for options in ({"direction": "maximize"}, {"direction": "minimize"}):
        with pytest.raises(ValueError, match="unless low scores are better"):
            of(higher, **STATUS | options, failed="par10", cutoff=-120.0)


# ----------------------------------------------------------------------- names of columns


def repeated(name, n=3):
    """Return the wide table, several columns for each algorithm."""
    noise = np.random.default_rng(5).normal(0, 0.02, (n, *VALUES.shape))
    columns = {
        name.format(a=algorithm, i=i): (VALUES[:, j] + noise[i, :, j]).round(4)
        for j, algorithm in enumerate(WIDE.columns)
        for i in range(n)
    }
    return pd.DataFrame({"dataset": WIDE.index, **columns})


def test_patterns():
    table = repeated("{a}_fold{i}")
    refused(table, {"columns": "{algorithm}_fold{fold}"}, match="repetitions of algorithms")
    experiment = of(table, columns="{algorithm}_fold{fold}")
    assert (experiment.algorithms, experiment.folds) == (tuple(WIDE.columns), ("0", "1", "2"))
    kept = of(table, columns="{algorithm}_fold{fold}", where={"fold": ["0", "2"]})
    assert kept.folds == ("0", "2")
    with pytest.raises(ValueError, match="must match names of columns"):
        of(table, columns="{algorithm}-{run}")


def test_runs_of_algorithms_in_columns():
    rng = np.random.default_rng(6)
    table = pd.DataFrame(rng.uniform(0.5, 0.9, (3, 5)).round(3)).rename(columns="seed{}".format)
    table.insert(0, "model", ALGORITHMS[:3])
    way = {"algorithm": "model", "columns": "seed{run}"}
    refused(table, way, match="may be data sets, repetitions or measures")
    assert (of(table, **way).n_runs, of(table, **way).n_datasets) == (5, 1)


def test_levels_of_a_header():
    table = pd.concat({0: WIDE, 1: (WIDE + 0.0123).round(4)}, axis=1)
    table.columns.names = [None, "model"]
    refused(table, {"fold": "level 0"}, {"run": "level 0"}, {"where": {"level 0": "1"}})
    assert of(table, run="level 0").n_runs == 2
    seeds = table.rename_axis(columns=["seed", "model"])
    assert is_same(of(seeds), of(table, run="level 0"))
    assert is_same(of(seeds.stack("seed", future_stack=True)), of(seeds))
    measures = pd.concat({"acc": WIDE, "f1": (WIDE * 0.9).round(4)}, axis=1)
    way = {"algorithm": "level 1", "where": {"level 0": "acc"}}
    refused(measures.rename_axis(columns=[None, None]), way)
    assert is_same(of(measures.rename_axis(columns=[None, None]), **way), of(WIDE))


# -------------------------------------------------------------------------- rows of tables


def test_wide_tables_without_names():
    plain = WIDE.reset_index(drop=True)
    assert of(plain).datasets == ("1", "2", "3", "4", "5", "6")
    folds = of(plain.assign(fold=range(6)))
    assert (folds.n_datasets, folds.n_folds) == (1, 6)
    runs = of(plain.assign(seed=[3, 5, 7, 11, 13, 17]))
    assert (runs.n_datasets, runs.n_runs) == (1, 6)
    assert is_same(of(WIDE.reset_index().assign(seed=42)), of(WIDE))


def test_a_run_of_each_data_set_is_no_algorithm():
    table = WIDE.reset_index().assign(seed=[3, 5, 7, 11, 13, 17])
    refused(table, {"run": "seed"}, {"ignore": ["seed"]}, {"keep": ["seed"]}, match="'seed' may")
    filtered = pd.concat([WIDE.reset_index().assign(fold=1), WIDE.reset_index().assign(fold=2)])
    filtered.index = [7 * i for i in range(12)]
    assert of(filtered).algorithms == tuple(WIDE.columns)


def test_files_without_a_header(read):
    text = WIDE.to_csv(header=False)
    for cells in (text, text.replace("0.", "."), WIDE.map("{:.3e}".format).to_csv(header=False)):
        with pytest.raises(DataError, match="the first line seems to hold scores"):
            read(cells)
    commas = WIDE.to_csv(header=False, sep=";", decimal=",")
    with pytest.raises(DataError, match="the first line seems to hold scores"):
        read(commas, decimal=",", separator=";")
    assert read("dataset,0.1,B\nx,0.3,0.4\ny,0.4,0.2\n").algorithms == ("0.1", "B")


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (WIDE.mean().round(4), "means"),
        (WIDE.median(), "medians"),
        (WIDE.sum(), "sums"),
        (WIDE.std().round(4), "standard deviations"),
        (WIDE.rank(axis=1, ascending=False).mean().round(2), "average ranks"),
        (np.exp(np.log(WIDE).mean()).round(5), "geometric means"),
    ],
)
@pytest.mark.parametrize("place", [0, 6])
def test_summaries_whatever_they_are_called(values, what, place):
    rows = [*(list(row) for row in VALUES)]
    rows.insert(place, list(values))
    names = [*WIDE.index]
    names.insert(place, "promedio")
    table = pd.DataFrame(rows, index=names, columns=WIDE.columns)
    refused(table, {"ignore_rows": ["promedio"]}, {"keep_rows": ["promedio"]}, match=what)
    assert is_same(of(table, ignore_rows=["promedio"]), of(WIDE))
    long = table.rename_axis("dataset").reset_index().melt("dataset", var_name="method")
    refused(long, {"ignore_rows": ["promedio"]}, match=what)


# ------------------------------------------------------------------------------ properties

RENAMED = {"dataset": "task", "algorithm": "Method", "score": "accuracy", "fold": "cv"}
KINDS = {
    "nothing": lambda table, rng: table,
    "size": lambda table, rng: table.assign(size=table["dataset"].map(len) * 100),
    "note": lambda table, rng: table.assign(note=rng.choice(["a", "b", "c"], len(table))),
    "status": lambda table, rng: table.assign(
        state=np.where(table["score"] < table["score"].quantile(0.15), "crashed", "fine")
    ),
    "split": lambda table, rng: pd.concat(
        [table.assign(split="test"), table.assign(split="train", score=table["score"] + 0.01)]
    ),
    "budget": lambda table, rng: table.assign(budget=rng.choice([10, 20, 40], len(table))),
    "measure": lambda table, rng: table.assign(seconds=rng.exponential(3, len(table)).round(3)),
}


def outcome(table, back):
    """Return the scores by the first names, or the columns that are refused."""
    try:
        experiment = of(table)
    except DataError:
        error = refused(table)  # all that is advised can be typed
        return "refused", len(error.advice) > 0
    frame = experiment.to_frame("long")
    keys = [name for name in ("dataset", "algorithm", "fold") if name in frame]
    scores = frame.drop(columns=keys).iloc[:, -1]
    labels = frame[keys].astype(str).replace(back)
    return sorted(zip(*(labels[name] for name in keys), scores, strict=True))


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(sorted(KINDS)),
    n=st.integers(4, 8),
    k=st.integers(2, 4),
    folds=st.sampled_from([1, 3]),
)
def test_names_and_order_change_nothing_and_all_advice_reads(seed, kind, n, k, folds):
    rng = np.random.default_rng(seed)
    table = KINDS[kind](made(seed, n, k, folds), rng).reset_index(drop=True)
    names = [*DATASETS, *ALGORITHMS]
    there = {name: f"{'xyz'[i % 3]}{chr(97 + i)}q" for i, name in enumerate(names)}
    back = {new: name for name, new in there.items()}
    first = outcome(table, {})
    relabelled = table.assign(
        dataset=table["dataset"].map(there), algorithm=table["algorithm"].map(there)
    )
    assert outcome(relabelled, back) == first
    shuffled = table.sample(frac=1, random_state=seed).reset_index(drop=True)
    assert outcome(shuffled, {}) == first
    if kind != "measure":  # a column that is called score is one
        assert outcome(table.rename(columns=RENAMED), {}) == first


# ------------------------------------------------------------------- two doubts, and columns named


def test_a_second_doubt_that_all_advice_settles_is_told():
    table = WIDE.reset_index()
    table.loc[len(table)] = ["Mittel", *WIDE.mean().round(4)]
    table.insert(1, "size", [150, 178, 1728, 101, 214, 270, np.nan])
    with pytest.raises(DataError) as caught:
        of(table)
    row, column = str(caught.value).split(". Column 'size' holds ")
    assert row == "frame: row 'Mittel' holds the means of the others"
    assert column.endswith(
        "Pass ignore_rows=['Mittel'], ignore=['size']; or keep_rows=['Mittel'], ignore=['size']."
    )


def test_columns_that_are_named_stand_in_the_schema():
    schema = of(WIDE.reset_index().assign(size=range(3, 9)), ignore=["size"]).schema
    assert [use.name for use in schema.columns] == ["dataset", *WIDE.columns, "size"]
    assert schema.columns[-1].use == "left out, as asked"
    assert schema.columns[-1].examples == ("3", "4", "5")


@pytest.mark.parametrize(
    ("name", "labels"),
    [("split", ["train", "test"]), ("metric", ["acc", "f1"]), ("cv", ["outer", "inner"])],
)
def test_rows_that_are_no_data_sets(name, labels):
    """A column called like a part of the data, or like a measure, never names data sets alone."""
    frame = pd.DataFrame({name: labels, "A": [0.9, 0.8], "B": [0.7, 0.6]})
    with pytest.raises(DataError, match="does not seem to name data sets") as caught:
        Experiment.from_frame(frame, direction="maximize")
    ways = caught.value.advice
    assert {"dataset": name} in ways
    assert {"where": {name: labels[0]}} in ways
    made = Experiment.from_frame(frame, direction="maximize", where={name: labels[0]})
    assert made.mean_scores.tolist() == [[0.9, 0.7]]


@pytest.mark.parametrize("said", [{"status": "state", "ok": ["ok"]}, {"cutoff": 120.0}])
def test_failed_runs_need_a_treatment(said):
    """What becomes of failed runs is never guessed."""
    table = TIMES if "status" in said else TIMES.drop(columns="state")
    error = refused(table, direction="minimize", match="4 runs failed", **said)
    words = [way["failed"] for way in error.advice]
    assert words[0] == "worst"
    assert {"missing", "drop"} <= set(words)
    assert ("par10" in words) == ("cutoff" in said)


def test_directions_by_data_set_with_dropped_ones():
    """A direction may be given for a data set that failed runs leave out."""
    ways = {DATASETS[0]: "maximize", None: "minimize"}
    made = of(TIMES, **STATUS | {"direction": ways}, failed="drop")
    assert (made.datasets, made.direction) == (tuple(DATASETS[4:6]), "minimize")


def test_schema_of_a_part():
    """What is selected says of how many."""
    part = of(LONG).select(datasets=DATASETS[:2], algorithms=["kNN"])
    assert part.schema.sizes == {"dataset": 2, "algorithm": 1}
    assert part.schema.left_out == ("2 of 6 data sets and 1 of 3 algorithms were selected.",)
    assert of(LONG).select(algorithms=["kNN", "SVM", "C4.5"]).schema.left_out == ()


def test_names_of_algorithms_may_hold_marks_beside_that_of_their_measures():
    frame = pd.DataFrame({"dataset": DATASETS[:6]})
    for column, name in enumerate(["C4.5", "k-NN", "SVM"]):
        frame[f"f1_{name}"] = VALUES[:, column]
        frame[f"size_{name}"] = (VALUES[:, column] * 1000 * (column + 1)).round()
    with pytest.raises(ReadingError, match="hold measures 'f1' and 'size' of algorithms 'C4"):
        Experiment.from_frame(frame, direction="maximize")
    named = {"columns": "{measure}_{algorithm}", "where": {"measure": "f1"}}
    found = Experiment.from_frame(frame, direction="maximize", **named)
    assert found.algorithms == ("C4.5", "k-NN", "SVM")


def test_medians_are_a_summary_although_each_is_the_score_of_a_row():
    scores = [
        [18.58, 45.89, 75.34, 123.7, 44.17],
        [39.12, 64.83, 131.1, 345.1, 146.4],
        [20.45, 38.65, 54.2, 135.9, 40.26],
        [42.37, 32.87, 67.5, 131.4, 38.25],
        [3.156, 4.327, 9.614, 12.7, 5.71],
        [3.163, 6.173, 9.657, 15.71, 3.769],
        [2.431, 3.842, 7.051, 9.922, 2.877],
    ]
    frame = pd.DataFrame([*scores, np.median(scores, axis=0)], columns=list("ABCDE"))
    frame.insert(0, "dataset", ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"])
    with pytest.raises(ReadingError, match="row 'h8' holds the medians of the others"):
        Experiment.from_frame(frame, direction="minimize")


def test_a_column_of_best_scores_is_noted_where_one_algorithm_is_nearly_always_best():
    frame = WIDE.assign(MLP=WIDE.max(axis=1) + 0.01).round(4)
    frame.loc["iris", "SVM"] = frame.loc["iris", "MLP"] + 0.02
    frame["ours"] = frame.max(axis=1)
    notes = Experiment.from_frame(frame, direction="maximize").notes
    assert any("'ours' may hold the largest scores of the others" in note.text for note in notes)
