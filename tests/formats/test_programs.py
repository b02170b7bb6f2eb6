"""Files as programs write them: the cells of the table, and what the format says of them."""

import csv
import json

import numpy as np
import pytest
from mutations import DESCRIPTION, PREDICTED, RUNS, WEKA, benchmark, hyperfine, lm_eval

from nbcompare import DataError, Experiment
from nbcompare.formats import FORMATS, imported, recognised

NAN = np.nan


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def read(path, word, **options):
    """Read a file whose format is found as well, and return it with its rows."""
    assert recognised(path) == word
    made = imported(path, word, **options)
    return made, rows_of(made.table)


def rows_of(table, *names, labels=()):
    """Return rows as tuples, empty cells as None; ask for labels in some columns."""
    chosen = [
        table.labels(name) if name in labels else list(table[name])
        for name in names or table.columns
    ]
    return [
        tuple(None if cell is None or cell != cell else cell for cell in row)
        for row in zip(*chosen, strict=True)
    ]


def refused(path, word, message):
    with pytest.raises(DataError, match=message):
        imported(path, word)


# ------------------------------------------------------------------ lm-evaluation-harness


def test_lm_eval_of_several_models(tmp_path):
    for model, acc in (("org/small", 0.5), ("org/large", 0.75)):
        result = lm_eval(
            model,
            arc={"acc,none": acc, "acc_stderr,none": 0.01},
            piqa={"acc,none": acc + 0.1, "acc_stderr,none": "N/A"},
        )
        write(tmp_path, f"{model.replace('/', '__')}/results_2024-05-01T10-00-00.json", result)
    made, _ = read(tmp_path, "lm-eval")
    names = ("task", "model", "measure", "filter", "level", "n_shot", "score", "stderr")
    assert rows_of(made.table, *names, labels=["filter"]) == [
        ("arc", "org/large", "acc", "none", "task", 5, 0.75, 0.01),
        ("piqa", "org/large", "acc", "none", "task", 5, 0.85, None),
        ("arc", "org/small", "acc", "none", "task", 5, 0.5, 0.01),
        ("piqa", "org/small", "acc", "none", "task", 5, 0.6, None),
    ]
    assert made.reading == {
        "dataset": "task",
        "algorithm": "model",
        "score": "score",
        "direction": "maximize",
    }
    assert set(made.table["model_args"]) == {
        "pretrained=org/large,dtype=bfloat16",
        "pretrained=org/small,dtype=bfloat16",
    }


def test_lm_eval_with_measures_filters_and_groups(tmp_path):
    result = lm_eval(
        "m",
        mmlu={"acc,none": 0.6},
        mmlu_law={"acc,none": 0.6},
        gsm8k={"exact_match,strict-match": 0.3, "exact_match,flexible-extract": 0.4},
        wiki={"word_perplexity,none": 9.5, "word_perplexity_stderr,none": "N/A"},
    )
    result["group_subtasks"]["mmlu"] = ["mmlu_law"]
    result["higher_is_better"]["wiki"] = {"word_perplexity": False}
    made, _ = read(write(tmp_path, "results.json", result), "lm-eval")
    assert rows_of(made.table, "task", "level", "measure", "filter", "score") == [
        ("mmlu", "group", "acc", "none", 0.6),
        ("mmlu_law", "task", "acc", "none", 0.6),
        ("gsm8k", "task", "exact_match", "strict-match", 0.3),
        ("gsm8k", "task", "exact_match", "flexible-extract", 0.4),
        ("wiki", "task", "word_perplexity", "none", 9.5),
    ]
    assert made.reading["where"] == {"level": "task"}
    assert "measure" not in made.reading
    assert "direction" not in made.reading


def test_lm_eval_before_filters(tmp_path):
    result = {
        "results": {"arc": {"acc": 0.5, "acc_stderr": 0.01, "acc_norm": 0.6}},
        "versions": {"arc": 0},
        "config": {"model": "hf-causal", "model_args": "pretrained=gpt2", "num_fewshot": 0},
    }
    made = imported(write(tmp_path, "gpt2.json", result), "lm-eval")
    assert rows_of(made.table, "task", "model", "measure", "score", "stderr") == [
        ("arc", "gpt2", "acc", 0.5, 0.01),
        ("arc", "gpt2", "acc_norm", 0.6, None),
    ]


def test_lm_eval_names_what_is_wrong(tmp_path):
    good = lm_eval("m", arc={"acc,none": 0.5})
    path = write(tmp_path, "r.json", good | {"config": {"model": "hf"}, "model_name": ""})
    refused(path, "lm-eval", r"r\.json does not say which model it is of")
    path = write(tmp_path, "r.json", lm_eval("m", arc={"acc,none": [1]}))
    refused(path, "lm-eval", r"r\.json, task 'arc', 'acc,none' must be a number; got \[1\]")
    path = write(tmp_path, "r.json", good | {"results": {"arc": 3}})
    refused(path, "lm-eval", r"r\.json: 'arc' must be an object; got 3")
    path = write(tmp_path, "r.json", good | {"results": {}})
    refused(path, "lm-eval", r"r\.json holds no results of lm-evaluation-harness")


def test_other_json_in_a_folder_is_named(tmp_path):
    write(tmp_path, "a/results.json", lm_eval("m", arc={"acc,none": 0.5}))
    write(tmp_path, "z.json", [1])
    made = imported(tmp_path, "lm-eval")
    assert made.table.n_rows == 1
    assert [text for _, text in made.notes] == [
        "Left out, no results of lm-evaluation-harness: 'z.json'."
    ]


# ----------------------------------------------------------------------------------- MTEB


def test_mteb(tmp_path):
    revision = "0123456789abcdef0123456789abcdef01234567"
    for model, score in (("org__small", 0.6), ("org__large", 0.7)):
        folder = f"results/{model}/{revision}"
        write(
            tmp_path,
            f"{folder}/model_meta.json",
            {"name": model.replace("__", "/"), "revision": revision},
        )
        task = {
            "dataset_revision": "abc",
            "task_name": "Banking77",
            "mteb_version": "1.18.0",
            "scores": {
                split: [
                    {
                        "accuracy": score + more,
                        "scores_per_experiment": [{"accuracy": 0.1}],
                        "main_score": score + more,
                        "hf_subset": "default",
                        "languages": ["eng-Latn"],
                    }
                ]
                for split, more in (("validation", 0.0), ("test", 0.1))
            },
            "evaluation_time": 3.2,
        }
        write(tmp_path, f"{folder}/Banking77.json", task)
    made, _ = read(tmp_path, "mteb")
    assert rows_of(made.table, "task", "model", "revision", "split", "subset", "score") == [
        ("Banking77", "org/large", revision, "validation", "default", 0.7),
        ("Banking77", "org/large", revision, "test", "default", pytest.approx(0.8)),
        ("Banking77", "org/small", revision, "validation", "default", 0.6),
        ("Banking77", "org/small", revision, "test", "default", 0.7),
    ]
    assert made.reading == {
        "dataset": "task",
        "algorithm": "model",
        "score": "score",
        "direction": "maximize",
        "measure": "main score",
    }
    assert made.notes == ()


def test_mteb_before_version_1_11(tmp_path):
    old = {"dataset_revision": None, "mteb_version": "1.1.1"}
    one = {"accuracy": 0.8, "main_score": 0.8, "evaluation_time": 2.5}
    write(tmp_path, "m/Waimai.json", old | {"mteb_dataset_name": "Waimai", "test": one})
    many = {"en": {"main_score": 0.7}, "de": {"main_score": 0.6}, "evaluation_time": 9.0}
    write(tmp_path, "m/Massive.json", old | {"mteb_dataset_name": "Massive", "test": many})
    sts = {"cos_sim": {"pearson": 0.5, "spearman": 0.6}, "evaluation_time": 1.0}
    write(tmp_path, "m/STS.json", old | {"mteb_dataset_name": "STS", "test": sts})
    made, _ = read(tmp_path / "m", "mteb")
    assert rows_of(made.table, "task", "model", "split", "subset", "score") == [
        ("Massive", "m", "test", "en", 0.7),
        ("Massive", "m", "test", "de", 0.6),
        ("Waimai", "m", "test", "default", 0.8),
    ]
    assert [text for _, text in made.notes] == [
        "Left out, without a main score: \"STS.json, split 'test'\"."
    ]


# ------------------------------------------------------------------------------ ASlib, Weka


def test_aslib(tmp_path):
    path = write(tmp_path, "algorithm_runs.arff", RUNS)
    write(tmp_path, "description.txt", DESCRIPTION)
    made, rows = read(tmp_path, "aslib")
    assert rows == [
        ("inst1.cnf", 1, "lingeling", 5, "ok"),
        ("inst1.cnf", 1, "clasp", 5000, "timeout"),
        ("inst 2, hard.cnf", 1, "lingeling", None, "crash"),
        ("inst 2, hard.cnf", 1, "clasp", 17.5, "ok"),
    ]
    assert made.reading == {
        "dataset": "instance_id",
        "algorithm": "algorithm",
        "run": "repetition",
        "status": "runstatus",
        "ok": ["ok"],
        "score": "runtime",
        "measure": "runtime",
        "direction": "minimize",
        "cutoff": 5000.0,
    }
    assert read(path, "aslib")[0].reading == made.reading


@pytest.mark.parametrize(
    ("description", "known"),
    [
        (None, {}),
        ("performance_measures: runtime\nmaximize: false\n", {"direction": "minimize"}),
        # a limit of time is none of quality
        (
            "performance_measures:\n- runtime\nmaximize:\n- true\nperformance_type:\n"
            "- solution_quality\nalgorithm_cutoff_time: 60\n",
            {"direction": "maximize"},
        ),
        (DESCRIPTION.replace("5000", "?"), {"direction": "minimize"}),
    ],
)
def test_aslib_says_no_more_than_its_description(description, known, tmp_path):
    path = write(tmp_path, "algorithm_runs.arff", RUNS)
    if description:
        write(tmp_path, "description.txt", description)
    reading = imported(path, "aslib").reading
    assert {name: reading.get(name) for name in ("direction", "cutoff") if name in reading} == known
    assert reading["score"] == "runtime"


ROLES = {"dataset": "Key_Dataset", "run": "Key_Run", "fold": "Key_Fold", "algorithm": "Key_Scheme"}


def test_weka(tmp_path):
    made, _ = read(write(tmp_path, "r.arff", WEKA), "weka")
    names = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options")
    assert rows_of(made.table, *names, "Percent_correct", labels=names) == [
        ("iris", "1", "1", "weka.classifiers.rules.ZeroR", "no options", 33.333),
        ("iris", "1", "1", "weka.classifiers.trees.J48", "'-C 0.25 -M 2'", 96),
        ("wine", "1", "1", "weka.classifiers.rules.ZeroR", "no options", None),
        ("wine", "1", "1", "weka.classifiers.trees.J48", "'-C 0.25 -M 2'", 94),
    ]
    assert made.reading == {**ROLES, "ignore": ["Date_time", "Key_Scheme_version_ID"]}


def test_weka_with_two_settings_of_a_scheme_and_one_measure(tmp_path):
    text = WEKA.replace("@attribute Elapsed_Time_training numeric\n", "")
    text = "\n".join(
        line.rpartition(",")[0] if line[:4] in ("iris", "wine") else line
        for line in text.splitlines()
    )
    text += "\nwine,1,1,weka.classifiers.trees.J48,'\\'-C 0.5, -M 2\\'',-21773,20240101.102,95"
    made, _ = read(write(tmp_path, "r.arff", text), "weka")
    assert made.reading["algorithm"] == ["Key_Scheme", "Key_Scheme_options"]
    assert made.reading["score"] == "Percent_correct"
    assert made.table["Key_Scheme_options"][-1] == "'-C 0.5, -M 2'"


def test_weka_in_csv(tmp_path):
    lines = WEKA.partition("@data\n")[2]
    names = [line.split()[1] for line in WEKA.splitlines() if line.startswith("@attribute")]
    made, rows = read(write(tmp_path, "r.csv", ",".join(names) + "\n" + lines), "weka")
    of_arff = imported(write(tmp_path, "r.arff", WEKA), "weka")
    assert made.reading == of_arff.reading
    assert rows_of(made.table, "Key_Scheme_options", "Percent_correct") == rows_of(
        of_arff.table, "Key_Scheme_options", "Percent_correct"
    )
    # and as another program saved it
    with (tmp_path / "q.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    again, _ = read(tmp_path / "q.csv", "weka")
    assert again.reading == made.reading
    assert again.table.n_rows == 4


def test_any_arff(tmp_path):
    text = '@relation r\n@attribute "data set" string\n@attribute kNN real\n@data\niris,0.5\n'
    made, rows = read(write(tmp_path, "t.arff", text), "arff")
    assert (list(made.table.columns), rows, made.reading) == (
        ["data set", "kNN"],
        [("iris", 0.5)],
        {},
    )


def test_damaged_arff(tmp_path):
    refused(write(tmp_path, "t.arff", "@relation r\n"), "arff", "t.arff is no readable ARFF file")
    text = RUNS.replace(", 5.0, ok", ", 5.0")
    refused(
        write(tmp_path, "t.arff", text),
        "aslib",
        "t.arff, row 1 cannot be read: 4 cells for 5 columns",
    )
    text = RUNS.replace("runstatus", "state")
    refused(
        write(tmp_path, "t.arff", text), "aslib", "t.arff must have 'runstatus' among its columns"
    )
    text = RUNS + "'open, 1, clasp, 2, ok\n"
    refused(write(tmp_path, "t.arff", text), "aslib", "t.arff, row .* cannot be read")
    refused(write(tmp_path, "t.arff", RUNS), "weka", "t.arff must have 'Key_Dataset' and")
    empty = tmp_path / "empty"
    empty.mkdir()
    refused(empty, "aslib", r"empty is no scenario of ASlib: it holds no algorithm_runs\.arff")


def test_declarations_of_many_values_take_no_time(tmp_path):
    values = ",".join(f"v{i}" for i in range(1000))
    text = f"@relation r\n@attribute x {{{values} % open\n@attribute s real\n@data\nv1,2\n"
    assert rows_of(imported(write(tmp_path, "t.arff", text), "arff").table) == [("v1", 2)]


# ----------------------------------------------------------------------------------- KEEL


def test_predictions_of_keel(tmp_path):
    write(tmp_path, "C4.5-C/iris/result0.tst", PREDICTED)
    write(
        tmp_path, "C4.5-C/iris/result1.tst", PREDICTED.replace("setosa versi", "versicolor versi")
    )
    write(tmp_path, "C4.5-C/iris/result0.tra", "train")
    write(tmp_path, "KNN-C.iris/result0.tst", PREDICTED)  # the other layout
    made, _ = read(tmp_path, "keel")
    names = ("algorithm", "dataset", "fold", "score")
    assert rows_of(made.table, *names, labels=["fold"]) == [
        ("C4.5-C", "iris", "0", 0.75),
        ("C4.5-C", "iris", "1", 1.0),
        ("KNN-C", "iris", "0", 0.75),
    ]
    assert made.reading == {
        **{role: role for role in ("dataset", "algorithm", "fold", "score")},
        "measure": "accuracy",
        "direction": "maximize",
    }


def test_predictions_of_keel_with_seeds_and_numbers(tmp_path):
    text = PREDICTED.replace("class{setosa,versicolor}", "class real[0,9]").partition("setosa")[0]
    write(tmp_path, "MLP/house/result3s1.tst", text + "1.0 2.0\n5 5\n")
    made, _ = read(tmp_path, "keel")
    rows = rows_of(made.table, labels=["fold", "run"])
    assert rows == [("house", "MLP", "3", "mean squared error", "1", 0.5)]
    assert (made.reading["run"], made.reading["direction"]) == ("run", "minimize")


def test_reports_of_keel(tmp_path):
    friedman = "Friedman Test, Classification\nClassification error in each fold:\n" + "".join(
        f"Algorithm = {name}\nFold 0 : {error} \nFold 1 : {error + 0.01} \nMean Value: 9\n"
        for name, error in (("C4.5-C", 0.05), ("KNN-C", 0.04))
    )
    made, _ = read(write(tmp_path, "iris.stat", friedman), "keel")
    names = ("dataset", "algorithm", "fold", "score")
    assert rows_of(made.table, *names, labels=["fold"]) == [
        ("iris", "C4.5-C", "0", 0.05),
        ("iris", "C4.5-C", "1", 0.060000000000000005),
        ("iris", "KNN-C", "0", 0.04),
        ("iris", "KNN-C", "1", 0.05),
    ]
    assert made.reading["measure"] == "classification error"
    assert made.reading["direction"] == "minimize"
    summary = "{0} RESULTS\n============\nClassifier= iris \nFold 0 : CORRECT={1} N/C=0.0 \n\n"
    text = summary.format("TEST", 0.95) + summary.format("TRAIN", 1.0)
    path = write(tmp_path, "Vis-Clas-General/TSTC4.5-C/result0s0.stat", text)
    made, rows = read(path, "keel")
    assert rows == [("iris", "C4.5-C", 0.0, "accuracy", 0.95)]
    assert made.reading["direction"] == "maximize"


def test_table_for_keel(tmp_path):
    path = write(tmp_path, "data.csv", "Dataset,C4.5,KNN\niris,0.9,0.8\n")
    assert rows_of(imported(path, "keel").table) == [("iris", 0.9, 0.8)]


def test_damaged_files_of_keel(tmp_path):
    path = write(tmp_path, "M/iris/result0.tst", PREDICTED.replace("@outputs class", ""))
    refused(path, "keel", "result0.tst holds no predictions of KEEL")
    path = write(tmp_path, "M/iris/result0.tst", PREDICTED + "setosa\n")
    refused(path, "keel", "result0.tst, row 5 must hold an expected and a predicted output")
    path = write(tmp_path, "t.stat", "TEST RESULTS\nModel = iris\nFold 0 : 1 2\n")
    refused(path, "keel", r"t.stat: 'Fold 0 : 1 2' is not a score of one output")
    path = write(tmp_path, "t.stat", "MSE of all folds:\nModel = iris\nFold 0 : x\n")
    refused(path, "keel", "t.stat must hold numbers; got 'x'")


# ----------------------------------------------------------------------- tables of runs


def test_jmetal(tmp_path):
    head = "Algorithm,Problem,IndicatorName,ExecutionId,IndicatorValue\n"
    text = head + "NSGAII,ZDT1,HV,0,0.66\nNSGAII,ZDT1,EP,0,4.68E-4\nMOCell,ZDT1,HV,0,0.65\n"
    made, _ = read(write(tmp_path, "QualityIndicatorSummary.csv", text), "jmetal")
    assert rows_of(made.table, labels=["ExecutionId"])[1] == ("NSGAII", "ZDT1", "EP", "0", 4.68e-4)
    roles = {"dataset": "Problem", "algorithm": "Algorithm", "run": "ExecutionId"}
    assert made.reading == {**roles, "score": "IndicatorValue"}
    only = "\n".join(line for line in text.splitlines() if ",EP," not in line)
    made = imported(write(tmp_path, "hv.csv", only), "jmetal")
    assert (made.reading["measure"], made.reading["direction"]) == ("HV", "maximize")
    made = imported(write(tmp_path, "ep.csv", text.replace("HV", "IGD+")), "jmetal")
    assert made.reading["direction"] == "minimize"
    made = imported(write(tmp_path, "x.csv", head + "A,P,MINE,0,1\n"), "jmetal")
    assert "direction" not in made.reading
    refused(
        write(tmp_path, "n.csv", "Algorithm,Problem\nA,P\n"), "jmetal", "it has no 'ExecutionId'"
    )


def test_wandb(tmp_path):
    text = (
        '"Name","State","Notes","User","Tags","Created","Runtime","Sweep","algo","data","val_acc"\n'
        '"brisk-sun-1","finished","-","me","","2024-05-01T10:00:00.000Z","60","","a","x","0.9"\n'
        '"calm-sea-2","crashed","-","me","","2024-05-01T10:02:00.000Z","5","","b","x",""\n'
    )
    made, _ = read(write(tmp_path, "wandb_export.csv", text), "wandb")
    assert rows_of(made.table, "State", "algo", "val_acc") == [
        ("finished", "a", 0.9),
        ("crashed", "b", None),
    ]
    assert made.reading == {
        "status": "State",
        "ok": ["finished"],
        "ignore": ["Notes", "User", "Tags", "Created"],
    }


def test_mlflow(tmp_path):
    text = (
        "run_id,experiment_id,status,artifact_uri,start_time,end_time,metrics.acc,params.model,"
        "tags.mlflow.runName,tags.mlflow.user\n"
        "a1,0,FINISHED,s3://x,2024-05-01 10:00:00+00:00,2024-05-01 10:01:00+00:00,0.9,rf,r1,me\n"
        "b2,0,FAILED,s3://x,2024-05-01 10:00:00+00:00,,,svm,r2,me\n"
    )
    made, _ = read(write(tmp_path, "runs.csv", text), "mlflow")
    assert rows_of(made.table, "status", "params.model", "metrics.acc") == [
        ("FINISHED", "rf", 0.9),
        ("FAILED", "svm", None),
    ]
    ignored = "run_id experiment_id artifact_uri start_time end_time tags.mlflow.user"
    assert made.reading == {
        "status": "status",
        "ok": ["FINISHED"],
        "ignore": ignored.split(),
        "score": "metrics.acc",
    }
    more = text.replace("params.model", "metrics.f1")
    assert "score" not in imported(write(tmp_path, "two.csv", more), "mlflow").reading


def test_optuna(tmp_path):
    text = (
        ",number,value,datetime_start,datetime_complete,duration,params_lr,state\n"
        "0,0,0.9,2024-05-01 10:00:00,2024-05-01 10:01:00,0 days 00:01:00,0.1,COMPLETE\n"
        "1,1,0.3,2024-05-01 10:01:00,2024-05-01 10:01:09,0 days 00:00:09,0.2,PRUNED\n"
    )
    made, _ = read(write(tmp_path, "trials.csv", text), "optuna")
    assert rows_of(made.table, "state", "params_lr", "value") == [
        ("COMPLETE", 0.1, 0.9),
        ("PRUNED", 0.2, 0.3),
    ]
    assert made.reading == {
        "status": "state",
        "ok": ["COMPLETE"],
        "ignore": ["number", "datetime_start", "datetime_complete", "duration"],
        "score": "value",
    }
    refused(write(tmp_path, "t.csv", "number,value\n0,1\n"), "optuna", "must have a column 'state'")


# --------------------------------------------------------------------------------- timings


def test_hyperfine(tmp_path):
    for name in ("big", "small"):
        results = [hyperfine("fd", [1.5, 1.25]), hyperfine("find .", [2.5, 9.0], [0, None])]
        write(tmp_path, f"{name}.json", {"results": results})
    made, _ = read(tmp_path, "hyperfine")
    assert list(made.table.columns) == ["file", "command", "run", "exit_code", "time"]
    assert rows_of(made.table, labels=["exit_code"])[:4] == [
        ("big.json", "fd", 1, "0", 1.5),
        ("big.json", "fd", 2, "0", 1.25),
        ("big.json", "find .", 1, "0", 2.5),
        ("big.json", "find .", 2, "killed", 9.0),
    ]
    assert made.reading == {
        "dataset": "file",
        "algorithm": "command",
        "run": "run",
        "score": "time",
        "status": "exit_code",
        "ok": ["0"],
        "direction": "minimize",
        "measure": "time (s)",
    }


def test_hyperfine_with_parameters(tmp_path):
    results = [hyperfine("sort 10", [0.5], n="10"), hyperfine("sort 20", [0.75], n="20")]
    made, _ = read(write(tmp_path, "t.json", {"results": results}), "hyperfine")
    assert rows_of(made.table, "command", "parameter n", "time", labels=["parameter n"]) == [
        ("sort 10", "10", 0.5),
        ("sort 20", "20", 0.75),
    ]
    assert "dataset" not in made.reading


def test_hyperfine_in_a_file_of_each_algorithm(tmp_path):
    for name in ("old", "new"):
        results = [hyperfine(query, [1.5, 1.25]) for query in ("q1", "q2", "q3")]
        write(tmp_path, f"{name}.json", {"results": results})
    pattern = str(tmp_path / "{algorithm}.json")
    with pytest.raises(DataError) as caught:
        Experiment.read(pattern)
    assert caught.value.advice[0] == {"dataset": "command"}
    experiment = Experiment.read(pattern, dataset="command")
    assert experiment.datasets == ("q1", "q2", "q3")
    assert experiment.algorithms == ("new", "old")


def test_damaged_hyperfine(tmp_path):
    path = write(tmp_path, "t.json", {"results": [{"command": "fd", "mean": 1.0}]})
    refused(path, "hyperfine", "t.json, fd: 'times' must be a list; got None")
    path = write(tmp_path, "t.json", {"results": [hyperfine("fd", ["x"])]})
    refused(path, "hyperfine", "t.json, fd, run 1 must be a number; got 'x'")
    path = write(tmp_path, "t.json", {"results": []})
    refused(path, "hyperfine", "t.json holds no results of hyperfine")


def test_pytest_benchmark(tmp_path):
    known = {"machine_info": {"node": "x"}, "commit_info": {}, "version": "4.0.0"}
    benchmarks = [
        benchmark("test_quick", [1.0, 2.0], "small"),
        benchmark("test_merge", [1.5], "small"),
    ]
    made, _ = read(
        write(tmp_path, "0001.json", known | {"benchmarks": benchmarks}), "pytest-benchmark"
    )
    assert rows_of(made.table, "group", "function", "run", "time") == [
        ("small", "test_quick", 1, 1.0),
        ("small", "test_quick", 2, 2.0),
        ("small", "test_merge", 1, 1.5),
    ]
    assert made.reading == {
        "dataset": "group",
        "algorithm": "function",
        "run": "run",
        "score": "time",
        "direction": "minimize",
        "measure": "time (s)",
    }


def test_pytest_benchmark_with_parameters_and_without_rounds(tmp_path):
    one = benchmark("test_sort[quick-10]", None, params={"algo": "quick", "n": 10})
    path = write(tmp_path, "t.json", {"benchmarks": [one]})
    made = imported(path, "pytest-benchmark")
    assert rows_of(made.table, "function", "param algo", "param n", "time") == [
        ("test_sort", "quick", 10, 1.5)
    ]
    assert not {"dataset", "algorithm"} & {*made.reading}
    assert [code for code, _ in made.notes] == ["means"]


# ---------------------------------------------------------------------- whatever is wrong

JSON = [word for word, one in FORMATS.items() if one.suffixes == (".json",)]


@pytest.mark.parametrize("word", JSON)
@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        '{"results": {"a": ',
        "[]",
        "{}",
        "null",
        "NaN",
        '"text"',
        '{"results": null, "benchmarks": 3, "mteb_version": []}',
        '{"results": [], "benchmarks": [], "mteb_version": "1", "task_name": "x", "scores": {}}',
        '{"results": {"a": {}}, "benchmarks": [[]], "mteb_version": "1", "task_name": "x"}',
        '{"results": [3], "benchmarks": [{"name": 3}], "mteb_version": "1", "task_name": 3}',
        '{"results": [{"command": "x", "times": {}}], "benchmarks": [{"name": "x", "stats": 3}]}',
        '{"mteb_version": "1", "task_name": "x", "scores": {"test": [3]}}',
        '{"mteb_version": "1", "task_name": "x", "scores": {"test": 3}}',
        '{"results": {"a": {"acc,none": {"b": 1}}}, "model_name": "m"}',
        '{"results": ' + "[" * 100_000,
        '{"results": ' + '{"a":' * 900 + "1" + "}" * 901,
        '{"results": {"a": {"acc,none": 1}}, "results": {}}',
    ],
    ids=range(19),
)
def test_damaged_json_is_an_error_that_names_the_file(word, content, tmp_path):
    refused(write(tmp_path, "t.json", content), word, r"t\.json")


@pytest.mark.parametrize("word", [*FORMATS])
def test_no_file_at_all(word, tmp_path):
    with pytest.raises((FileNotFoundError, DataError), match=r"none\.csv"):
        imported(tmp_path / "none.csv", word)


def test_words_of_formats():
    with pytest.raises(
        ValueError, match=r"`format` must be .* got 'asslib'\. Did you mean 'aslib'"
    ):
        imported(None, "asslib")
    assert all(one.label for one in FORMATS.values())


def test_folders_are_refused_where_a_format_has_none(tmp_path):
    with pytest.raises(IsADirectoryError):
        imported(tmp_path, "optuna")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "dataset,A,B\niris,0.9,0.8\n"),
        ("t.csv", "Name,State,acc\niris,CA,0.8\n"),
        ("t.csv", "status,run_id,acc\nFINISHED,1,0.8\n"),
        ("t.csv", "Algorithm,Problem,IndicatorValue\nA,P,0.8\n"),
        ("t.json", '[{"dataset": "iris", "A": 0.9}]'),
        ("t.json", '{"results": {"iris": {"A": 0.9}}}'),
        ("t.json", '{"results": [{"dataset": "iris"}]}'),
        ("t.txt", "a table | of something\n"),
        ("t.csv", ""),
    ],
)
def test_other_files_are_not_taken_for_a_format(name, content, tmp_path):
    assert recognised(write(tmp_path, name, content)) is None


def test_other_folders_are_not_taken_for_a_format(tmp_path):
    write(tmp_path, "a/t.csv", "dataset,A,B\niris,0.9,0.8\n")
    assert recognised(tmp_path) is None
    assert recognised(tmp_path / "none.csv") is None


# ---------------------------------------------------------------------- Stable-Baselines3


def monitor(start, env, *episodes):
    lines = [json.dumps({"t_start": start, "env_id": env}), "r,l,t", *episodes]
    return "#" + "\n".join(lines) + "\n"


def test_a_monitor_counts_steps_up_to_the_end_of_each_episode(tmp_path):
    episodes = "9.5,10,0.5", "20.0,20,1.25"
    path = write(tmp_path, "monitor.csv", monitor(1606208826.3, "CartPole-v1", *episodes))
    made, rows = read(path, "stable-baselines3")
    assert [*made.table.columns] == ["episode_reward", "episode_length", "time", "env", "timesteps"]
    assert rows == [(9.5, 10, 0.5, "CartPole-v1", 10), (20, 20, 1.25, "CartPole-v1", 30)]
    assert made.reading == {"direction": "maximize"}
    unknown, _ = read(write(tmp_path, "b.csv", monitor(0, "None", "1,2,3")), "stable-baselines3")
    assert "env" not in unknown.table.columns
    refused(
        write(tmp_path, "c.csv", monitor(0.0, "x", "1,2,3").replace("r,l,t", "r,l,s")),
        "stable-baselines3",
        "^c.csv must have the columns r, l and t; it has no 't'",
    )


def test_monitors_of_one_run_are_merged_as_their_episodes_end(tmp_path):
    first, second = ("1,10,1.0", "2,10,4.0"), ("3,20,0.5", "4,20,2.5")
    write(tmp_path, "ppo/Pong_1/0.monitor.csv", monitor(100.0, "Pong", *first))
    write(tmp_path, "ppo/Pong_1/1.monitor.csv", monitor(101.0, "Pong", *second))
    made = imported(tmp_path / "{algorithm}" / "{dataset}_{run}" / "*.monitor.csv", "folder")
    names = ("algorithm", "dataset", "run", "episode_reward", "time", "timesteps")
    run = "ppo", "Pong", "1"
    # ends of episodes: 1.0 and 4.0 of the first, 1.5 and 3.5 of the second
    assert rows_of(made.table, *names, labels=["run"]) == [
        (*run, 1, 1.0, 10), (*run, 3, 1.5, 30), (*run, 4, 3.5, 50), (*run, 2, 4.0, 60),
    ]  # fmt: skip
    write(tmp_path, "ppo/Pong_1/2.monitor.csv", "a,b\n1,2\n")
    with pytest.raises(DataError, match=r"2.monitor.csv is no monitor .* Write \{run\} for the \*"):
        imported(tmp_path / "{algorithm}" / "{dataset}_{run}" / "*.monitor.csv", "folder")


def test_evaluations_are_means_of_episodes(tmp_path):
    path = tmp_path / "evaluations.npz"
    found = {"results": [[1.0, 2.0], [4.0, 6.0]], "ep_lengths": [[10, 20], [30, 30]]}
    np.savez(path, timesteps=[1000, 2000], **found)
    made, rows = read(path, "stable-baselines3")
    assert [*made.table.columns] == ["timesteps", "mean_reward", "mean_ep_length"]
    assert rows == [(1000, 1.5, 15), (2000, 5.0, 30)]
    np.savez(path, timesteps=[1000, 2000], results=[1.0, 2.0])
    refused(path, "stable-baselines3", r"'results' must have a row of numbers for each of the 2")
