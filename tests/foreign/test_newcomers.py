"""Tables that people bring along, written here: read right, or refused with words that go on."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from nbcompare import Experiment, Histories, compare
from nbcompare._validation import DataError
from nbcompare.cli import main

NAMES = ["Adiac", "Beef", "Car", "Coffee", "Fish", "Ham", "Herring", "Wine"]
ALGORITHMS = ["ROCKET", "HC2", "InceptionTime", "TS-CHIEF"]


def plain():
    generator = np.random.default_rng(0)
    level = generator.uniform(0.6, 0.9, size=(8, 1))
    scores = np.round(level + generator.uniform(0, 0.08, size=(8, 4)), 4)
    return pd.DataFrame(scores, index=NAMES, columns=ALGORITHMS)


def long():
    frame = plain().reset_index(names="dataset")
    return frame.melt("dataset", var_name="classifier", value_name="accuracy")


def as_row(values, name):
    return values.round(4).to_frame(name).T


def of(frame, **options):
    return Experiment.from_frame(frame, **{"direction": "maximize"} | options)


def same(experiment, frame):
    made = experiment.to_frame().loc[frame.index, frame.columns]
    assert (experiment.n_datasets, experiment.n_algorithms) == frame.shape
    np.testing.assert_allclose(made.to_numpy(), frame.to_numpy(), rtol=1e-12)


# ------------------------------------------------------------------ summaries, wherever they are


def in_first_row(frame):
    return pd.concat([as_row(frame.mean(), "Average"), frame]), ["Average"]


def after_each_half(frame):
    halves = frame[:4], frame[4:]
    names = ["Mean of UCR 85", "Mean of UCR 128"]
    parts = [(half, as_row(half.mean(), name)) for half, name in zip(halves, names, strict=True)]
    return pd.concat([each for part in parts for each in part]), names


def in_the_middle_and_at_the_end(frame):
    middle, end = as_row(frame[:4].mean(), "Average"), as_row(frame.mean(), "Average all")
    return pd.concat([frame[:4], middle, frame[4:], end]), ["Average", "Average all"]


def subtotals_in_the_middle(frame):
    return pd.concat([frame[:5], as_row(frame.sum(), "Total"), frame[5:]]), ["Total"]


@pytest.mark.parametrize(
    "planted",
    [in_first_row, after_each_half, in_the_middle_and_at_the_end, subtotals_in_the_middle],
)
@pytest.mark.parametrize("is_long", [False, True])
def test_summaries_anywhere(planted, is_long, tmp_path):
    frame, names = planted(plain())
    table = frame.rename_axis("dataset").reset_index()
    if is_long:
        table = table.melt("dataset", var_name="classifier", value_name="accuracy")
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False)
    with pytest.raises(DataError) as caught:
        Experiment.read(path, direction="maximize")
    assert f"ignore_rows={names!r}" in str(caught.value)
    same(Experiment.read(path, direction="maximize", ignore_rows=names), plain())
    kept = Experiment.read(path, direction="maximize", keep_rows=names)
    assert kept.n_datasets == 8 + len(names)


@pytest.mark.parametrize("name", ["Average", "total", "All", "Sum Squares", "Best Buy"])
@pytest.mark.parametrize("place", [0, 3, 6])
def test_a_data_set_with_the_name_of_a_summary(name, place):
    frame = plain().rename(index={NAMES[place]: name})
    experiment = of(frame)
    same(experiment, frame)
    told = [note.text for note in experiment.notes]
    is_one = name in ("Average", "total")
    assert [f"Row {name!r} is called like a summary" in text for text in told] == [True] * is_one
    assert not of(frame, keep_rows=[name]).notes


@pytest.mark.parametrize("margin", ["All", "Grand Total"])
def test_margins_of_a_pivot_table(margin):
    total = {"All": "mean", "Grand Total": "sum"}[margin]
    options = {"index": "dataset", "columns": "classifier", "values": "accuracy"}
    table = long().pivot_table(**options, aggfunc=total, margins=True, margins_name=margin)
    with pytest.raises(DataError, match=r"ignore_rows=\['"):
        of(table)
    with pytest.raises(DataError, match=r"ignore=\['"):
        of(table, ignore_rows=[margin])
    same(of(table, ignore_rows=[margin], ignore=[margin]), plain())


# ----------------------------------------------------------------- columns that belong to others


def beside(**made):
    frame = plain()
    pairs = [(a, {a: frame[a]} | {f"{a}{end}": of(frame, a) for end, of in made.items()})
             for a in ALGORITHMS]  # fmt: skip
    return pd.concat([pd.DataFrame(columns) for _, columns in pairs], axis=1)


COMPANIONS = {
    "ranks": {"_rank": lambda frame, a: frame.rank(axis=1, ascending=False)[a]},
    "deviations": {" (std)": lambda frame, a: (frame[a] * 0.01).round(4)},
    "times": {" time [s]": lambda frame, a: frame[a] * 100},
    "ends": {
        " CI low": lambda frame, a: frame[a] - 0.01,
        " CI high": lambda frame, a: frame[a] + 0.01,
    },
}


@pytest.mark.parametrize("kind", COMPANIONS)
def test_columns_beside_the_scores(kind):
    table = beside(**COMPANIONS[kind])
    others = [name for name in table.columns if name not in ALGORITHMS]
    with pytest.raises(DataError) as caught:
        of(table)
    assert "ignore=[" in str(caught.value)
    same(of(table, ignore=others), plain())
    assert of(table, keep=list(table.columns)).n_algorithms == len(table.columns)


def test_means_and_deviations():
    frame = plain()
    table = pd.concat({"mean": frame, "std": frame * 0.01}, axis=1)
    table.columns = [f"{name}_{what}" for what, name in table.columns]
    with pytest.raises(DataError, match="measures 'mean' and 'std' of algorithms"):
        of(table)


def test_variants_of_algorithms_are_no_companions():
    frame = plain()
    frame.columns = ["ResNet", "ResNet SE", "VGG", "VGG SE"]
    same(of(frame), frame)
    assert not of(frame).notes
    frame.columns = ["LSTM", "LSTM time", "GRU", "GRU time"]
    assert not of(frame).notes
    frame.columns = ["RF", "RF rank", "SVM", "SVM rank"]
    assert not of(frame).notes


def test_one_column_of_times_is_refused():
    with pytest.raises(DataError, match="column 'time' holds") as caught:
        of(plain().assign(time=np.arange(8) * 3.7 + 1))
    assert {"ignore": ["time"]} in caught.value.advice


# ------------------------------------------------------------------------------------- units


def in_percent(rows, columns):
    frame = plain()
    frame.iloc[rows, columns] = (frame.iloc[rows, columns] * 100).round(2)
    return frame


@pytest.mark.parametrize(
    ("rows", "columns"),
    [([3], [1]), ([0, 5], [0, 2]), (slice(1, 7), [1, 2, 3]), ([2], slice(None))],
)
@pytest.mark.parametrize("is_long", [False, True])
def test_percentages_beside_shares_are_noted(rows, columns, is_long):
    frame = in_percent(rows, columns)
    if is_long:
        frame = frame.reset_index(names="dataset").melt(
            "dataset", var_name="model", value_name="acc"
        )
    (note,) = of(frame).notes
    assert note.code == "units"
    assert "percentages" in note.text


def test_other_scales():
    assert not of(in_percent(slice(None), slice(None))).notes
    with pytest.raises(DataError, match=r"'HC2' holds .* percentages beside shares"):
        of(in_percent(slice(None), [1]))


# ------------------------------------------------------------------------- tables of other tools


def test_results_of_a_search(tmp_path):
    table = pd.DataFrame(
        {
            "mean_fit_time": [0.1, 0.2],
            "param_k": [1, 3],
            "params": ["{'k': 1}", "{'k': 3}"],
            "split0_test_score": [0.9, 0.8],
            "mean_test_score": [0.9, 0.8],
            "std_test_score": [0.0, 0.0],
            "rank_test_score": [1, 2],
        }
    )
    table.to_csv(tmp_path / "t.csv")
    with pytest.raises(DataError, match="from_sklearn"):
        Experiment.read(tmp_path / "t.csv", direction="maximize")
    with pytest.raises(DataError, match="from_sklearn"):
        of(table)


@pytest.mark.parametrize("column", ["openml_id", "did", "task", "data_id", "dataset_id"])
def test_numbers_of_data_sets_are_no_scores(column):
    table = plain()
    table.insert(0, column, [3, 11, 31, 37, 44, 50, 54, 151])
    with pytest.raises(DataError) as caught:
        of(table.reset_index(drop=True))
    assert f"dataset={column!r}" in str(caught.value)
    numbered = table.set_index(column).rename(index=str)
    same(of(table.reset_index(drop=True), dataset=column), numbered)


def test_nested_records(tmp_path):
    records = [
        {"dataset": d, "model": a, "metrics": {"accuracy": plain().loc[d, a]}}
        for d in NAMES
        for a in ALGORITHMS
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    with pytest.raises(DataError, match="json_normalize"):
        Experiment.read(path, direction="maximize")
    flat = pd.json_normalize(records)
    same(of(flat, score="metrics.accuracy"), plain())


def test_benchmarks_of_jmh(tmp_path):
    records = [
        {"benchmark": name, "jvmArgs": [], "params": {"size": size}}
        | {"primaryMetric": {"score": size * speed, "rawData": [[1.0, 2.0]]}}
        for name, speed in (("A.sort", 1.5), ("B.sort", 2.5))
        for size in (1, 2, 3)
    ]
    path = tmp_path / "jmh.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    with pytest.raises(DataError, match=r"Lists cannot be columns.* out\. .*json_normalize"):
        Experiment.read(path, direction="minimize")
    roles = {"algorithm": "benchmark", "dataset": "params.size", "score": "primaryMetric.score"}
    flat = pd.json_normalize(records)
    lists = ["jvmArgs", "primaryMetric.rawData"]
    with pytest.raises(DataError, match=re.escape(f"Pass ignore={lists}")):
        of(flat, direction="minimize", **roles)
    assert of(flat, direction="minimize", ignore=lists, **roles).algorithms == ("A.sort", "B.sort")


def test_lists_of_scores():
    table = pd.DataFrame(
        [(d, a, [0.5, 0.6]) for d in "xy" for a in "AB"], columns=["dataset", "model", "scores"]
    )
    with pytest.raises(DataError, match="explode"):
        of(table)
    rows = table.explode("scores")
    rows["fold"] = rows.groupby(["dataset", "model"]).cumcount()
    assert of(rows.astype({"scores": float})).n_folds == 2


def test_grouped_means():
    means = long().groupby(["dataset", "classifier"])["accuracy"].mean()
    with pytest.raises(TypeError, match="to_frame"):
        of(means)
    same(of(means.to_frame()), plain())
    same(of(means.to_frame(), algorithm="classifier"), plain())
    by_place = means.rename_axis(["dataset", "place"]).to_frame()  # no word that is known
    with pytest.raises(DataError, match="dataset='dataset', algorithm='place'"):
        of(by_place)


# --------------------------------------------------------------------------------- text files


def test_a_line_with_the_separator(tmp_path, capsys):
    """Excel writes such a line above the header, or reads it."""
    path = tmp_path / "t.csv"
    text = plain().to_csv(index_label="Dataset", sep=";", decimal=",")
    path.write_text("sep=;\n" + text, encoding="utf-8")
    same(Experiment.read(path, direction="maximize", decimal=","), plain())
    assert main(["compare", str(path), "--direction", "maximize", "--decimal", ","]) == 0
    capsys.readouterr()


def test_german_thousands(read_text):
    text = "Datensatz;A;B\nx;1.234,5;2.345,6\ny;999,5;888,1\n"
    with pytest.raises(DataError, match="decimal=','"):
        read_text(text)
    read = read_text(text, decimal=",")
    expected = pd.DataFrame({"A": [1234.5, 999.5], "B": [2345.6, 888.1]}, index=["x", "y"])
    same(read, expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}\n* best in bold\n", "Delete the row if it is a note"),
        ("accuracy, 10 folds\n{}", "Delete lines above the header"),
        ("Results,,,,\n{}", "The names must be in the first line"),
        ("{},0.1,0.2,0.3,0.4\n", "Write the label, or delete the row"),
    ],
)
def test_what_stands_above_and_below(read_text, text, words):
    with pytest.raises(DataError, match=words):
        read_text(text.format(plain().to_csv(index_label="Dataset")))


@pytest.mark.parametrize("mark", [" & ", " | ", "  "])
def test_other_separators(read_text, mark):
    lines = [mark.join(["Dataset", *ALGORITHMS])]
    lines += [mark.join([name, *map(str, row)]) for name, row in plain().T.items()]
    with pytest.raises(DataError, match="separated by a comma, a semicolon or a tab"):
        read_text("\n".join(lines), name="t.txt")


@pytest.mark.parametrize("word", ["—", "–", "--", "N.A.", "OOM", "> 1h", "timeout", "#DIV/0!"])
def test_words_for_a_gap(tmp_path, word):
    table = plain().astype(str)
    table.iloc[2, 1] = word
    path = tmp_path / "t.csv"
    table.to_csv(path, index_label="Dataset")
    with pytest.raises(DataError) as caught:
        Experiment.read(path, direction="maximize")
    assert f"missing_words=[{word!r}]" in str(caught.value)
    expected = plain()
    expected.iloc[2, 1] = np.nan
    same(Experiment.read(path, direction="maximize", missing_words=[word]), expected)


# ------------------------------------------------------------------------------- lost runs


def runs(labels, column="seed"):
    generator = np.random.default_rng(1)
    rows = [
        (d, a, label, generator.uniform()) for d in "wxyz" for a in "ABC" for label in labels(d, a)
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", column, "score"])


@pytest.mark.parametrize(
    "labels",
    [
        lambda d, a: [10 * "ABC".index(a) + run for run in range(3)],
        lambda d, a: range({"A": 5, "B": 1, "C": 3}[a]),
        lambda d, a: range({"w": 3, "x": 5, "y": 3, "z": 10}[d]),
    ],
    ids=["seeds of each algorithm", "fewer runs by design", "more runs on some data sets"],
)
def test_no_run_is_lost(labels):
    assert of(runs(labels)).incomplete == ()


@pytest.mark.parametrize("names", ["012", ("f0", "f1", "f2")])
def test_folds_that_are_called_differently(names):
    renamed = {"A": names, "B": ("1", "2", "3"), "C": names}
    experiment = of(runs(lambda d, a: renamed[a], "fold"))
    with pytest.raises(DataError, match="give the same folds the same names"):
        compare(experiment)
    alike = of(runs(lambda d, a: names, "fold"))
    assert len(compare(alike).average_ranks) == 3
    one_lost = of(runs(lambda d, a: names[: 3 - (a + d == "Bx")], "fold"))
    with pytest.raises(DataError) as caught:
        compare(one_lost)
    assert "same names" not in str(caught.value)


def test_a_refused_word_is_not_recommended():
    """Where algorithms have seeds of their own, no runs go together."""
    table = runs(lambda d, a: [10 * "ABC".index(a) + run for run in range(2 + (a + d != "Bx"))])
    experiment = of(table)
    assert [str(each) for each in experiment.incomplete] == ["B on x (2 of 3 runs)"]
    with pytest.raises(DataError) as caught:
        compare(experiment, missing="drop-folds")
    assert "missing='drop-folds'" not in str(caught.value)
    assert "missing='available'" in str(caught.value)
    assert len(compare(experiment, missing="available").average_ranks) == 3


@pytest.mark.parametrize(
    ("measure", "direction", "is_doubted"),
    [
        ("error rate", "maximize", True),
        ("test_accuracy", "minimize", True),
        ("RMSE \u2193", "maximize", True),
        ("AUC", "minimize", True),
        ("log_loss", "minimize", False),
        ("error of the accuracy", "maximize", False),
        (None, "minimize", False),
    ],
)
def test_a_measure_whose_name_says_otherwise(measure, direction, is_doubted):
    frame = pd.DataFrame({"dataset": ["x", "y"], "A": [0.1, 0.2], "B": [0.2, 0.3]})
    experiment = Experiment.from_frame(frame, direction=direction, measure=measure)
    assert ("direction" in [note.code for note in experiment.notes]) == is_doubted


def test_a_measure_between_its_confidence_limits_is_no_interval():
    means = iter([0.8, 0.7, 0.65, 0.55])
    rows = [(d, a, x := next(means), x - 0.1, x + 0.1) for d in "xy" for a in "AB"]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy", "lower", "upper"])
    with pytest.raises(DataError, match="their confidence intervals"):
        Experiment.from_frame(frame, direction="maximize")
    assert not Experiment.from_frame(frame, direction="maximize", score="accuracy").is_interval
    ends = {"lower": "lower", "upper": "upper"}
    assert Experiment.from_frame(frame, direction="maximize", **ends).is_interval


# ----------------------------------------------------- what evaluations and timings look like


def answers(**more):
    """Right and wrong answers of two models to 60 questions, with how long each took."""
    rng = np.random.default_rng(3)
    index = pd.MultiIndex.from_product([range(60), ["small", "large"]], names=["id", "model"])
    right = rng.random(120) < 0.6
    return pd.DataFrame({"task": "gsm8k", "correct": right, **more}, index=index).reset_index()


def advice_on(frame, **options):
    with pytest.raises(DataError) as caught:
        of(frame, **options)
    for way in caught.value.advice:
        of(frame, **options, **way)
    return list(caught.value.advice)


@pytest.mark.parametrize("kind", [bool, int])
def test_answers_are_scores_of_items(kind):
    frame = answers().astype({"correct": kind})
    assert advice_on(frame)[0] == {"item": "id"}
    experiment = of(frame, item="id")
    assert (experiment.unit, experiment.measure) == ("items", "correct")
    np.testing.assert_allclose(
        experiment.mean_scores[0], frame.groupby("model").correct.mean()[[*experiment.algorithms]]
    )


def test_answers_beside_a_measurement():
    seconds = np.random.default_rng(1).uniform(1, 9, 120)
    assert {"score": "correct", "item": "id"} in advice_on(answers(latency=seconds))


def test_ratings_by_several_people():
    rng = np.random.default_rng(2)
    columns = {"question": range(30), "system": ["A", "B"], "annotator": ["ann1", "ann2", "ann3"]}
    index = pd.MultiIndex.from_product(columns.values(), names=[*columns])
    frame = pd.DataFrame({"rating": rng.integers(1, 6, len(index))}, index=index).reset_index()
    assert {"run": "annotator"} in advice_on(frame)
    experiment = of(frame, run="annotator")
    assert (experiment.unit, experiment.n_folds, experiment.n_runs) == ("items", 30, 3)


def test_epochs_are_no_folds():
    index = pd.MultiIndex.from_product(
        [["resnet", "vit"], range(3), range(20)], names=["model", "seed", "epoch"]
    )
    rng = np.random.default_rng(4)
    curve = 0.9 - 0.5 / (1 + index.get_level_values("epoch")) + rng.normal(0, 0.005, len(index))
    frame = pd.DataFrame({"val_acc": curve}, index=index).reset_index()
    assert advice_on(frame) == [{"where": {"epoch": "19"}}]


@pytest.mark.parametrize(
    ("compute", "what"),
    [
        (lambda one, other: (other / one).round(2), "ratios"),
        (lambda one, other: (other - one).round(2), "differences"),
        (lambda one, other: (100 * (other / one - 1)).round(1), "relative differences in percent"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_column_computed_of_two_others(compute, what, place):
    times = np.random.default_rng(5).uniform(1, 50, (20, 2)).round(2)
    frame = pd.DataFrame(times, index=[f"bench_{i}" for i in range(20)], columns=["old", "new"])
    frame.insert(place, "change", compute(frame.old, frame.new))
    with pytest.raises(DataError, match=f"column 'change' holds the {what} of two of the others"):
        of(frame, direction="minimize")
    assert of(frame, direction="minimize", ignore=["change"]).algorithms == ("old", "new")


def test_a_mean_of_some_columns():
    rng = np.random.default_rng(6)
    tasks = pd.DataFrame(
        rng.uniform(5, 80, (5, 6)).round(2),
        columns=["IFEval", "BBH", "MATH", "GPQA", "MUSR", "MMLU-PRO"],
    )
    tasks.insert(0, "Average", tasks.mean(axis=1).round(2))
    tasks.insert(0, "Model", ["llama", "qwen", "mistral", "gemma", "phi"])
    tasks["Billions"] = [8, 7, 7, 9, 4]
    with pytest.raises(DataError, match="column 'Average' holds the means of the others"):
        of(tasks, algorithm="Model", transpose=True)


def test_a_row_that_is_only_called_a_mean():
    frame = pd.concat([plain(), as_row(plain().mean() + 0.05, "Mean")])
    assert of(frame).notes[0].code == "summary"
    same(of(frame, ignore_rows=["Mean"]), plain())


@pytest.mark.parametrize("index_name", ["dataset", None])
@pytest.mark.parametrize("names", [("algorithm", "fold"), (None, None)])
@pytest.mark.parametrize("folds", [["fold0", "fold1"], [0, 1]])
@pytest.mark.parametrize("n_rows", [8, 3000])
def test_header_of_two_levels(tmp_path, index_name, names, folds, n_rows):
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        rng.random((n_rows, 6)).round(6),
        index=pd.Index([f"task{i}x" for i in range(n_rows)], name=index_name),
        columns=pd.MultiIndex.from_product([["DT", "RF", "kNN"], folds], names=names),
    )
    frame.to_csv(tmp_path / "levels.csv")
    if index_name is None and folds == [0, 1]:
        with pytest.raises(DataError, match="column names must be distinct"):
            Experiment.read(tmp_path / "levels.csv", direction="maximize")
        return  # numbers may be the first scores
    experiment = Experiment.read(tmp_path / "levels.csv", direction="maximize")
    assert (experiment.algorithms, experiment.n_folds) == (("DT", "RF", "kNN"), 2)
    np.testing.assert_array_equal(
        experiment.lower[..., 0].reshape(n_rows, 6), frame.to_numpy(), strict=True
    )


def test_groups_over_gaps(read_text):
    experiment = read_text(
        "dataset,RF,,SVM,\n,mean,std,mean,std\na,.7,.1,.6,.1\nb,.6,.1,.9,.2\n",
        name="gaps.csv",
        algorithm="level 0",
        where={"level 1": "mean"},
    )
    assert experiment.mean_scores.tolist() == [[0.7, 0.6], [0.6, 0.9]]


# ------------------------------------------------------- what programs of R write of their tests


def test_what_mlr3_saves_with_row_names(tmp_path):
    index = pd.MultiIndex.from_product(
        [NAMES, ["rpart", "ranger"]], names=["task.id", "learner.id"]
    )
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"classif.acc": rng.random(16).round(4)}, index=index).reset_index()
    frame.to_csv(tmp_path / "mlr3.csv")
    experiment = Experiment.read(tmp_path / "mlr3.csv", direction="maximize")
    same(experiment, frame.pivot(index="task.id", columns="learner.id", values="classif.acc"))


def test_what_caret_calls_measures_and_folds():
    rng = np.random.default_rng(0)
    columns = {
        f"{m}~{s}": rng.uniform(0.6, 0.9, 20) for m in ("rf", "svm") for s in ("Acc", "Kappa")
    }
    frame = pd.DataFrame(columns).round(4)
    frame.insert(0, "Resample", [f"Fold{i // 2:02d}.Rep{i % 2 + 1}" for i in range(20)])
    way = advice_on(frame)[0]
    assert way["where"] == {"measure": "Acc"}
    experiment = of(frame, **way)
    assert (experiment.algorithms, experiment.n_folds, experiment.n_runs) == (
        ("rf", "svm"),
        10,
        2,
    )


def test_numbers_of_rows_are_no_scores():
    index = pd.MultiIndex.from_product([NAMES, ["GA", "SA"]], names=["plant", "kind"])
    frame = pd.DataFrame({"cost": np.arange(16.0) ** 1.5}, index=index).reset_index()
    frame.insert(0, "nr", range(1, 17))
    frame.insert(3, "iters", 100)
    assert {way["score"] for way in advice_on(frame)} == {"cost"}


# ------------------------------------------------------------- runs, curves and printed tables


def of_optimisers():
    """A row per optimiser, function, seed and budget, as Nevergrad's benchmarks have it."""
    generator = np.random.default_rng(0)
    rows = [
        (name, function, seed, budget, round(factor / budget * generator.uniform(0.9, 1.1), 6))
        for name, factor in (("DE", 100), ("PSO", 60), ("CMA", 30))
        for function in ("sphere", "cigar", "rastrigin", "ackley")
        for seed in range(5)
        for budget in (100, 200, 400, 800)
    ]
    return pd.DataFrame(rows, columns=["optimizer_name", "func", "seed", "budget", "loss"])


def test_a_budget_is_no_fold():
    with pytest.raises(DataError) as caught:
        of(of_optimisers(), direction="minimize")
    assert caught.value.advice == ({"where": {"budget": "800"}},)
    experiment = of(of_optimisers(), direction="minimize", where={"budget": "800"})
    assert (experiment.n_datasets, experiment.n_algorithms) == (4, 3)
    histories = Histories.from_frame(of_optimisers(), direction="minimize")
    assert histories.values.shape == (4, 3, 5, 4)
    assert histories.evaluations[0].tolist() == [100, 200, 400, 800]


def test_measures_in_rows_beside_algorithms_in_columns():
    """The table that `utilsforecast.losses` makes: a row per series and measure."""
    two = pd.concat([plain(), 10 * plain()], keys=["mase", "smape"], names=["metric", "unique_id"])
    with pytest.raises(DataError, match="column 'metric' seems to name the measure") as caught:
        of(two.reset_index())
    assert caught.value.advice == ({"where": {"metric": "mase"}}, {"where": {"metric": "smape"}})
    same(of(two.reset_index(), where={"metric": "mase"}), plain())


def test_advice_says_no_more_than_is_needed():
    frame = plain().assign(version=[f"0{place}ab12" for place in range(8)])
    with pytest.raises(DataError) as caught:
        of(frame.rename_axis("dataset").reset_index())
    assert caught.value.advice == ({"ignore": ["version"]},)


@pytest.mark.parametrize("sign", ["-", "$\\approx$", "="])
def test_outcomes_of_tests_behind_scores(sign, tmp_path):
    """As PlatEMO prints a table: the mean, its deviation, and the outcome of a test."""
    cells = plain().map(lambda score: f"{score:.4e} (1.2e-3) {sign}")
    cells.loc["+/-/="] = "1/5/2"
    path = tmp_path / "t.csv"
    cells.rename_axis("Problem").to_csv(path)
    with pytest.raises(DataError) as caught:
        Experiment.read(path, direction="maximize")
    assert {"ignore_rows": ["+/-/="]} in caught.value.advice
    experiment = Experiment.read(path, direction="maximize", ignore_rows=["+/-/="])
    same(experiment, plain())
    assert any("marks beside the scores" in note.text for note in experiment.notes)


def test_a_file_for_each_run(tmp_path):
    """Curves as TensorBoard exports them, and as Lightning logs them; a wrong cell has its file."""
    generator = np.random.default_rng(0)
    for model in ("resnet", "vit"):
        for dataset in ("cifar", "svhn"):
            folder = tmp_path / model / dataset
            folder.mkdir(parents=True)
            rows = [f"{1.7e9 + step},{step},{len(model) * step}" for step in (1, 2, 3)]
            (folder / "board.csv").write_text("\n".join(["Wall time,Step,Value", *rows]))
            lines = ["epoch,step,train_loss,val_acc"]
            for epoch, (loss, accuracy) in enumerate(np.sort(generator.random((3, 2)), axis=0)):
                lines += [f"{epoch},{2 * epoch},{loss},", f"{epoch},{2 * epoch + 1},,{accuracy}"]
            (folder / "metrics.csv").write_text("\n".join(lines))
    path = tmp_path / "{algorithm}" / "{problem}"
    histories = Histories.read(path / "board.csv", direction="maximize")
    assert histories.values[:, :, 0, -1].tolist() == [[18, 9], [18, 9]]
    with pytest.raises(DataError, match="columns 'Wall time' and 'Value' may hold") as caught:
        Experiment.read(path / "board.csv", direction="maximize")
    last = {"where": {"Step": "3"}}
    assert caught.value.advice == ({"score": "Wall time"} | last, {"score": "Value"} | last)
    histories = Histories.read(
        path / "metrics.csv", direction="maximize", evaluations="step", value="val_acc"
    )
    assert histories.evaluations[0].tolist() == [1, 3, 5]
    (tmp_path / "vit" / "svhn" / "board.csv").write_text("Wall time,Step,Value\n5,1,x7\n")
    with pytest.raises(
        DataError,
        match=r"^test_a_file\w+/vit/svhn/board\.csv, row 1 \('svhn'\), column 'Value' must be",
    ):
        Histories.read(path / "board.csv", direction="maximize")


def test_trials_beside_seeds_are_steps():
    frame = of_optimisers().rename(columns={"budget": "trial"})
    frame["trial"] = frame["trial"].map({100: 0, 200: 1, 400: 2, 800: 3})
    frame = pd.concat([frame.assign(trial=frame["trial"] + 4 * more, loss=frame["loss"] / 4**more)
                       for more in range(3)])  # fmt: skip
    with pytest.raises(DataError, match="columns 'seed' and 'trial' may all name") as caught:
        of(frame, direction="minimize")
    assert caught.value.advice == ({"run": "seed", "where": {"trial": "11"}},)
    named = of(frame, direction="minimize", run="seed", fold="trial")
    assert "repetitions" in [note.code for note in named.notes]
    with pytest.raises(DataError, match="scores rise or fall with the numbers in column 'trial'"):
        of(frame[frame["seed"] == 0].drop(columns="seed"), direction="minimize")


def test_numbers_of_folds_say_nothing():
    rng = np.random.default_rng(1)
    for _ in range(50):
        scores = rng.normal(size=(4, 3, 10)) + rng.normal(size=(4, 1, 10))  # folds differ for all
        experiment = Experiment.from_array(scores, direction="maximize")
        long = experiment.to_frame("long")
        assert of(long).lower.shape == (4, 3, 10, 1)


def test_items_may_be_in_the_order_of_their_difficulty():
    rng = np.random.default_rng(0)
    hard = np.linspace(0.9, 0.1, 80)[:, np.newaxis]
    frame = pd.DataFrame(
        [
            (model, item, int(right))
            for item, answers in enumerate(rng.random((80, 3)) < hard)
            for model, right in zip("ABC", answers, strict=True)
        ],
        columns=["model", "question_id", "correct"],
    )
    assert of(frame).unit == "items"


def test_runs_with_labels_of_their_own_take_no_room():
    n = 60_000  # data sets, and twice as many labels, of which no two are in a cell
    scores = np.random.default_rng(0).random(2 * n).round(6)
    names = np.repeat([f"d{place}" for place in range(n)], 2)
    columns = {"dataset": names, "classifier": ["A", "B"] * n, "run": np.arange(2 * n)}
    assert of(pd.DataFrame(columns | {"accuracy": scores}), run="run").n_datasets == n


def test_leaderboards():
    """A row per model, and benchmarks, their raw scores, summaries, sizes and dates as columns."""
    scores = plain().T.rename_axis("fullname")
    scores = scores.sample(9, replace=True, random_state=0).to_numpy()
    scores = scores + np.random.default_rng(0).uniform(0, 0.2, scores.shape)
    board = pd.DataFrame(scores.round(4), columns=NAMES)
    board.insert(0, "fullname", [f"org/{place}" for place in range(9)])
    ranks = board[NAMES].rank(ascending=False)
    board["Mean win rate"] = ((9 - ranks.mean(axis=1)) / 8).round(3)
    board["Submission Date"] = [f"2024-0{place + 1}-11" for place in range(9)]
    with pytest.raises(DataError, match="holds the mean win rates of the others") as caught:
        of(board)
    first = {"algorithm": "fullname", "transpose": True, "ignore": ["Mean win rate"]}
    assert caught.value.advice[0] == first
    assert of(board, **first).n_datasets == 8
    double = pd.concat([board, (board[NAMES] / 100).add_suffix(" Raw")], axis=1)
    with pytest.raises(DataError, match="hold other measures beside data sets: ' Raw'"):
        of(double, algorithm="fullname", transpose=True)


def test_a_name_goes_before_its_number():
    frame = long().rename(columns={"dataset": "task_name", "classifier": "flow_name"})
    frame.insert(
        0, "task_id", frame["task_name"].map({name: 31 + i for i, name in enumerate(NAMES)})
    )
    same(of(frame), plain())


def test_best_known_values_are_no_algorithm():
    """The costs of routes, and what is best known of each instance beside them."""
    costs = (plain() * 1000).rename_axis("Instance").round(1)
    costs.insert(0, "BKS", costs.min(axis=1) - 1)
    gaps = costs.drop(columns="BKS").sub(costs["BKS"], axis=0).add_suffix(" gap (%)")
    for frame in (costs, costs.join(gaps)):
        with pytest.raises(DataError) as caught:
            of(frame.reset_index(), direction="minimize")
        assert "BKS" in caught.value.advice[0]["ignore"]
        found = of(frame.reset_index(), direction="minimize", **caught.value.advice[0])
        assert found.algorithms == tuple(plain())
    # one that is worse here and there is an algorithm
    of(costs.assign(BKS=costs["BKS"] + 30).reset_index())


@pytest.mark.parametrize("name", ["{} (seed {})", "{} [{}]", "{} run {}", "{}_seed_{}"])
def test_columns_that_name_a_seed(name):
    runs = {
        name.format(a, s): plain()[a].sample(frac=1, random_state=s)
        for a in plain()
        for s in (1, 2, 3)
    }
    frame = pd.DataFrame({key: list(values) for key, values in runs.items()}, index=plain().index)
    with pytest.raises(DataError, match="seem to hold repetitions of algorithms") as caught:
        of(frame.reset_index())
    found = of(frame.reset_index(), **caught.value.advice[0])
    assert (found.algorithms, found.n_runs * found.n_folds) == (tuple(plain()), 3)


def test_measurements_beside_counts():
    generator = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "endpoint": [f"/{name}" for name in NAMES for _ in range(3)],
            "impl": ["go", "rust", "java"] * 8,
            "p50": generator.gamma(2, 3, 24),
            "p95": generator.gamma(2, 9, 24),
            "errors": generator.integers(0, 3, 24),
        }
    )
    with pytest.raises(DataError) as caught:
        of(frame)
    wanted = {"dataset": "endpoint", "algorithm": "impl", "score": "p50", "ignore": ["errors"]}
    assert caught.value.advice[0] == wanted


def test_ranks_that_are_maximised():
    ranks = plain().rank(axis=1).reset_index()
    codes = [
        [note.code for note in of(ranks, direction=way).notes] for way in ("maximize", "minimize")
    ]
    assert ["direction" in each for each in codes] == [True, False]


def test_blocks_and_treatments():
    """A row per plot of a field: labels in one column, numbers of blocks in another."""
    frame = long().rename(columns={"classifier": "treatment", "accuracy": "yield"})
    frame["block"] = frame.pop("dataset").map(NAMES.index) + 1
    with pytest.raises(DataError, match="columns 'block' and 'treatment' hold labels") as caught:
        of(frame)
    first = {"dataset": "block", "algorithm": "treatment", "score": "yield"}
    assert caught.value.advice[0] == first
    found = of(frame, **first)
    assert (found.n_datasets, found.algorithms) == (8, tuple(ALGORITHMS))


def test_resampling_of_mlr3():
    """Folds are called iterations there, and a pair of task and learner has a number."""
    tasks, learners = [f"task{t}" for t in range(5)], ["rpart", "ranger", "svm"]
    rows = [(t, a, i) for t in tasks for a in learners for i in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["task_id", "learner_id", "iteration"])
    frame.insert(0, "nr", np.repeat(np.arange(15), 3))
    frame["classif.ce"] = np.random.default_rng(7).uniform(0.1, 0.4, 45)
    with pytest.raises(DataError, match="column 'iteration' must be settled") as caught:
        of(frame, direction="minimize")
    assert {"fold": "iteration"} in caught.value.advice
    assert of(frame, direction="minimize", fold="iteration").n_folds == 3


def test_why_nothing_helps():
    """Cells with two numbers: what comes nearest is said where no words to type help."""
    frame = plain().T.rename_axis("Model").reset_index()
    frame[NAMES] = frame[NAMES].map(lambda score: f"{score}/{score}")
    frame["size"] = [1.5, 2.5, 7.5, 8.5]
    frame["cost"] = [5.5, 2.5, 1.5, 0.5]
    with pytest.raises(DataError) as caught:
        of(frame)
    assert not caught.value.advice
    assert re.search(r"With .*: .*must be a number; got '0\.\d+/0\.\d+'", str(caught.value))


@pytest.mark.parametrize("large", [False, True])
def test_comments_above_the_header(tmp_path, monkeypatch, large):
    if large:
        monkeypatch.setattr("nbcompare._tables.delimited.LARGE", 0)
    file = tmp_path / "scores.csv"
    text = plain().to_csv(index_label="dataset")
    for above, is_told in (
        ("# runs of 2026, all seeds\n#\n", True),
        ("#", False),
        ("# A\n#", True),
    ):
        file.write_text(above + text)
        found = Experiment.read(file, direction="maximize")
        same(found, plain())
        assert is_told == ("begin with #" in " ".join(note.text for note in found.notes))


def test_variants_of_an_ablation_are_algorithms():
    with pytest.raises(DataError, match="column 'Variant' seems to name algorithms") as caught:
        of(plain().T.rename_axis("Variant").reset_index())
    assert caught.value.advice[0] == {"algorithm": "Variant", "transpose": True}
