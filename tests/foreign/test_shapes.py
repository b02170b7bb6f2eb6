"""Tables in the shapes of files that people have: read right at once, or refused with advice that
works, and never silently read as something else."""

import importlib.util
import json
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nbcompare import Experiment, compare
from nbcompare._validation import DataError
from nbcompare.cli import main

NAN = np.nan
TASKS = ["arc", "boolq", "copa", "drop", "gsm8k", "piqa", "race", "squad"]
MODELS = ["falcon", "gemma", "llama", "mistral"]


def scores(seed=0, low=0.5, high=0.95, decimals=3, names=TASKS, models=MODELS):
    generator = np.random.default_rng(seed)
    level = generator.uniform(low, high, size=(len(names), 1))
    noise = generator.uniform(0.9, 1.1, size=(len(names), len(models)))
    return pd.DataFrame((level * noise).round(decimals), index=names, columns=models)


ACC, F1, LOSS, TIME = scores(), scores(1), scores(2, 0.1, 0.4), scores(3, 20, 90, 1)


def long(frame, dataset="dataset", algorithm="model", score="score"):
    table = frame.rename_axis(dataset).reset_index()
    return table.melt(dataset, var_name=algorithm, value_name=score)


def wide(frame, name="dataset"):
    return frame.rename_axis(name).reset_index()


def repeated(frame, labels, name="seed", **names):
    """A long table with a row per repetition, whose means are those of the frame."""
    shifts = np.linspace(-0.02, 0.02, len(labels)).round(4)
    parts = [
        long(frame + shift, **names).assign(**{name: label})
        for label, shift in zip(labels, shifts, strict=True)
    ]
    return pd.concat(parts, ignore_index=True).round(6)


def same(experiment, frame):
    """Whether this was read, in any order."""
    labels = sorted(experiment.datasets), sorted(experiment.algorithms)
    if labels != (sorted(map(str, frame.index)), sorted(map(str, frame.columns))):
        return False
    made = experiment.to_frame().loc[frame.index, frame.columns]
    return np.allclose(made.to_numpy(), frame.to_numpy(dtype=float), rtol=1e-9, equal_nan=True)


def csv(table, **options):
    return table.to_csv(**{"index": False} | options)


def write(folder, content, name="scores.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def said(experiment):
    return " ".join(note.text for note in experiment.notes)


def told(table, direction="maximize"):
    """What is said of a doubtful table, in an error or in notes."""
    try:
        return said(Experiment.from_frame(table, direction=direction))
    except DataError as error:
        return str(error)


# ------------------------------------------------------------------------ files that people have


def harness():
    """Results of an evaluation harness as one table: two metrics, shots by task."""
    parts = [
        long(frame, "task", "model", "value").assign(metric=metric)
        for metric, frame in {"acc": ACC, "f1": F1}.items()
    ]
    table = pd.concat(parts, ignore_index=True)
    table.insert(1, "n_shot", table["task"].map({task: len(task) for task in TASKS}))
    return csv(table.assign(version=1))


def embeddings():
    """A leaderboard with models in rows, their rank, size and mean."""
    table = (100 * ACC.T).round(2)
    table.insert(0, "Average", table.mean(axis=1).round(2))
    table.insert(0, "Model Size (Million Parameters)", [7111, 335, 109, 560])
    table = wide(table, "Model").sort_values("Average", ascending=False)
    table.insert(0, "Rank", range(1, 5))
    return csv(table)


def indicators():
    names = {"dataset": "Problem", "algorithm": "Algorithm", "score": "IndicatorValue"}
    parts = [
        repeated(frame, range(4), "ExecutionId", **names).assign(IndicatorName=name)
        for name, frame in {"EP": LOSS, "IGD+": LOSS / 2}.items()
    ]
    columns = ["Algorithm", "Problem", "IndicatorName", "ExecutionId", "IndicatorValue"]
    return csv(pd.concat(parts)[columns])


def tracked():
    """Runs of a tracking server, all of which ended well."""
    table = repeated(ACC, [1, 2, 3], score="accuracy")
    n = len(table)
    table.insert(0, "Start Time", [f"2025-03-{i % 28 + 1:02} 10:{i % 60:02}:07" for i in range(n)])
    table.insert(1, "Run ID", [f"{7919 * i + 104729:08x}" for i in range(n)])
    table.insert(2, "Name", [f"fearless-shrew-{i}" for i in range(n)])
    return csv(table.assign(**{"Status": "FINISHED", "User": "ana", "Source Type": "LOCAL"}))


def swept():
    """Runs of another tracker, with the time that each took."""
    table = repeated(ACC, [0, 1], score="val_acc")
    n = len(table)
    table.insert(0, "Name", [f"glad-sun-{i}" for i in range(n)])
    table.insert(1, "State", "finished")
    table.insert(2, "Notes", "-")
    table.insert(3, "Created", [f"2025-05-01T08:{i % 60:02}:{i // 60:02}.000Z" for i in range(n)])
    seconds = long((100 * TIME).round())["score"]
    table["Runtime"] = pd.concat([seconds, seconds], ignore_index=True)
    return csv(table, quoting=1)


def experimenter():
    rows = [
        (task, run, fold, model, 20250101.1, 90, 45, round(value + 0.1 * (fold - 2), 4))
        for (task, model), value in (100 * ACC).round(1).stack().items()
        for run in (1, 2)
        for fold in (1, 2, 3)
    ]
    names = """Key_Dataset Key_Run Key_Fold Key_Scheme Date_time Number_of_training_instances
        Number_of_testing_instances Percent_correct"""
    return csv(pd.DataFrame(rows, columns=names.split()))


UCR = scores(6, names=["Adiac", "Beef", "FaceAll", "FaceFour", "Total", "Wafer", "Yoga", "Car"])


def leaderboard():
    """Error rates with the sizes of the data sets, and average ranks below."""
    table = UCR.copy()
    table.loc["AVG Rank"] = UCR.rank(axis=1, ascending=False).mean().round(3)
    table.insert(0, "Train", [390, 30, 560, 24, 1000, 6174, 300, 60, NAN])
    table.insert(1, "Length", [176, 470, 131, 350, 152, 1639, 426, 577, NAN])
    return csv(wide(table, "Name"))


def in_german():
    table = ACC.copy()
    table.loc["Mittelwert"] = ACC.mean().round(3)
    return csv(wide(table, "Datensatz"), sep=";", decimal=",")


def images():
    """Top-1 and top-5 accuracies with the sizes of the models."""
    table = long(ACC, score="top1").assign(top5=long(F1)["score"])
    for name, values in {"img_size": [224, 224, 384, 448], "param_count": [22, 86, 304, 5]}.items():
        table[name] = table["model"].map(dict(zip(MODELS, values, strict=True)))
    return csv(table[["dataset", "model", "img_size", "top1", "top5", "param_count"]])


def marked():
    cells = ACC.astype(str)
    cells.iloc[0, 0], cells.iloc[1, 1] = f"**{cells.iloc[0, 0]}**", f"{cells.iloc[1, 1]}†"
    cells.iloc[2, 2] = rf"\textbf{{{cells.iloc[2, 2]}}}"
    return csv(wide(cells))


def described():
    """A long table with columns that say nothing new."""
    table = long(ACC)
    sizes = {task: 100 * place for place, task in enumerate(TASKS, 1)}
    return csv(
        table.assign(
            family=table["model"].str[0],
            domain=table["dataset"].str[-1],
            n_train=table["dataset"].map(sizes),
            host="gpu1",
            row=range(len(table)),
        )
    )


@dataclass
class File:
    """A file, the means of which one must be read, and whether at once ("yes", "no", "either")."""

    content: str
    means: list[pd.DataFrame]
    at_once: str = "either"
    direction: str = "maximize"
    name: str = "scores.csv"


HUNDRED = (100 * ACC).round(2)
FILES = {
    "evaluation harness": File(harness(), [ACC, F1], "no"),
    "embeddings leaderboard": File(embeddings(), [HUNDRED]),
    "jMetal summary": File(indicators(), [LOSS, LOSS / 2], direction="minimize"),
    "tracking server": File(tracked(), [ACC]),
    "tracker with run times": File(swept(), [ACC, (100 * TIME).round()]),
    "Weka Experimenter": File(experimenter(), [HUNDRED]),
    "KEEL table": File(csv(wide(ACC, "Datasets")), [ACC], "yes"),
    "UCR": File(csv(wide(UCR, "")), [UCR], "yes"),
    "UCR with sizes and ranks": File(leaderboard(), [UCR], "no"),
    "decimal commas and a mean": File(in_german(), [ACC], "no"),
    "image models": File(images(), [ACC, F1], "no"),
    "marks around numbers": File(marked(), [ACC], "yes"),
    "records": File(json.dumps(long(ACC).to_dict("records")), [ACC], "yes", name="scores.json"),
    "tabs": File(csv(wide(ACC), sep="\t"), [ACC], "yes", name="scores.tsv"),
    "seeds": File(csv(repeated(ACC, [3, 14, 15])), [ACC], "yes"),
    "descriptions": File(described(), [ACC], "yes"),
    "accuracy and time": File(
        csv(long(ACC, score="accuracy").assign(time=long(TIME)["score"])), [ACC, TIME], "no"
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_read_right_or_refused_with_advice_that_works(name, tmp_path, type_all_advice):
    file = FILES[name]
    path = write(tmp_path, file.content, file.name)
    if file.at_once == "yes":
        made = [Experiment.read(path, direction=file.direction)]
    else:
        may_read = file.at_once == "either"
        made = type_all_advice(path, may_read=may_read, direction=file.direction)
        assert made, "no advice is given"
    assert any(same(made[0], means) for means in file.means)
    data_sets = {str(label) for means in file.means for label in means.index}
    for experiment in made:
        assert data_sets.isdisjoint(experiment.algorithms)


def test_failed_trials_are_asked_about(tmp_path, type_all_advice):
    """Trials of a search, some of which were pruned early, with a parameter that always changes."""
    table = repeated(ACC, ["a", "b", "c"], "params_lr", score="value")
    table["params_lr"] = np.random.default_rng(4).uniform(1e-4, 1e-1, size=len(table)).round(6)
    table.insert(0, "number", range(len(table)))
    table["state"] = "COMPLETE"
    table.loc[::9, "state"] = "PRUNED"
    table.loc[::9, "value"] = NAN
    type_all_advice(write(tmp_path, csv(table)), direction="maximize")


@pytest.mark.parametrize("first", ["command", ""])
def test_statistics_of_one_measure_are_no_algorithms(first, tmp_path, type_all_advice):
    """A row per command or model, a column per statistic: one data set."""
    table = pd.DataFrame(
        {
            first: ["fd -e py", "find -name", "rg --files", "ls -R"],
            "mean": [0.0412, 0.2131, 0.0377, 0.3304],
            "stddev": [0.0021, 0.0073, 0.0011, 0.0210],
            "n_total": [71, 14, 78, 10],
            "avg_length": [1365, 1811, 2049, 1504],
        }
    )
    for experiment in type_all_advice(write(tmp_path, csv(table)), direction="minimize")[:1]:
        assert not {"mean", "stddev", "n_total", "avg_length"} <= set(experiment.algorithms)


# ------------------------------------------------------------------------------- failed runs


def solvers():
    """C crashes at 3 s in 9 of 12 instances, and is the slowest in the others."""
    rows = []
    for i in range(12):
        a, b = 100 + 31 * i + i % 3, 140 + 29 * i
        rows += [(f"uf{i}", "A", a, "ok"), (f"uf{i}", "B", b, "ok")]
        rows.append((f"uf{i}", "C", 3, "crash") if i % 4 else (f"uf{i}", "C", 900 + 7 * i, "ok"))
    rows[4] = ("uf1", "B", 5000, "timeout")
    return pd.DataFrame(rows, columns=["instance", "algorithm", "runtime", "runstatus"])


STATUS = {"direction": "minimize", "status": "runstatus", "ok": ["ok"]}


def ranks(experiment):
    missing = {"missing": "drop"} if experiment.missing.any() else {}
    result = compare(experiment, **missing)
    return dict(zip(experiment.algorithms, result.average_ranks, strict=True))


@pytest.mark.parametrize("is_file", [True, False])
def test_a_crash_is_never_the_best(is_file, tmp_path, type_all_advice):
    source = write(tmp_path, csv(solvers())) if is_file else solvers()
    made = type_all_advice(source, direction="minimize")
    assert made
    for experiment in made:
        by = ranks(experiment)
        assert by["C"] > min(by.values())


def test_status_values_can_be_filtered(tmp_path):
    path = write(tmp_path, csv(solvers()))
    where = {"runstatus": ["ok", "timeout"]}
    experiment = Experiment.read(path, direction="minimize", where=where, status="runstatus",
                                 ok=["ok"], failed="par2", cutoff=5_000)  # fmt: skip
    assert experiment.missing.sum() == 9
    assert experiment.to_frame().loc["uf1", "B"] == 10_000


def some(share):
    """Cells of the tables above."""
    return np.random.default_rng(8).random(ACC.shape) < share


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_an_optimum_that_is_reached_is_no_cutoff(direction):
    frame = LOSS.mask(some(0.3), 0)
    frame = frame if direction == "minimize" else 1 - frame
    assert same(Experiment.from_frame(wide(frame), direction=direction), frame)


# ---------------------------------------------------------------------------- columns of scores


# -------------------------------------------------------------------------------- what is shown


def test_the_command_line_shows_how_a_table_was_understood(tmp_path, capsys):
    path = write(tmp_path, csv(wide(ACC)))
    for line in (["read", str(path)], ["compare", str(path), "--direction", "maximize"]):
        assert main(line) == 0
        shown = capsys.readouterr()
        assert "8 data sets in rows, 4 algorithms in columns" in " ".join(
            (shown.out + shown.err).split()
        )


# ------------------------------------------------------------------------------------- plants


def imported(name):
    """A benchmark as a module, by its path."""
    path = Path(__file__).parents[2] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DAMAGE = imported("damage")


@pytest.mark.parametrize("kind", [name for name, it in DAMAGE.PLANTS.items() if it.is_visible])
def test_damage_is_told_and_all_advice_on_it_can_be_typed(kind, tmp_path, type_all_advice):
    table, *plain = DAMAGE.planted_tables(np.random.default_rng(len(kind)), kind)
    assert DAMAGE.outcome(table, plain)[0] in ("error", "note")
    source = table.content
    if isinstance(source, bytes):
        source = write(tmp_path, source, table.name)
    type_all_advice(source, may_read=True, **table.options)


@pytest.mark.weekly
def test_the_study_of_damage():
    found = DAMAGE.study(480, 10, rng=1)
    by_scores = found["sound, by scores"]
    # many rows of right and wrong answers are asked for their unit
    by_scores["true or false"]["error"] = 0
    sound = sum(by_scores.values(), DAMAGE.Counter())
    assert sound["silent"] == 0, found["said"]
    assert sound["error"] <= 3, found["said"]
    assert sound["crash"] == 0, found["said"]
    for name, counted in found["damaged"].items():
        assert counted["crash"] == 0, name
        if DAMAGE.PLANTS[name].is_visible:
            # medians of few rows agree with scores by accident
            assert counted["silent"] <= 3 * (name == "row of medians"), name


def test_a_seed_of_its_own_in_each_row_may_be_the_run():
    # as nevergrad's benchmarks write them: a row per experiment, whatever its budget
    rows = [
        (name, budget, optimizer, 1000 * n + 7, 0.1 * (n % 13) + budget / 100)
        for n, (name, budget, optimizer, _) in enumerate(
            product(("sphere", "cigar"), (10, 20), ("CMA", "DE"), range(3))
        )
    ]
    frame = pd.DataFrame(rows, columns=["name", "budget", "optimizer_name", "seed", "loss"])
    given = {"direction": "minimize", "score": "loss", "dataset": ["name", "budget"]}
    with pytest.raises(DataError, match="Pass run='seed'") as refused:
        Experiment.from_frame(frame, **given)
    assert {"run": "seed"} in [dict(way) for way in refused.value.advice]
    assert Experiment.from_frame(frame, **given, run="seed").n_runs == 3
