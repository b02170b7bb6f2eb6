"""Tables with several measures, with directions by data set, and with groups of data sets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.cli import main

HERE = Path(__file__).parent / "measures"
METRICS = HERE / "metric_column.csv"
PER_MEASURE = HERE / "column_per_measure.csv"
TASKS = HERE / "automl_tasks.csv"
DOMAINS = HERE / "domains.csv"
TASK_COLUMNS = {"dataset": "task", "algorithm": "framework", "score": "result"}
BOTH = {"accuracy": "maximize", "log_loss": "minimize"}


def raw(path):
    return pd.read_csv(path)


def said(call, error=ValueError):
    with pytest.raises(error) as found:
        call()
    return str(found.value)


def test_a_column_names_the_measure_of_each_row():
    both = nbc.Experiment.read_measures(METRICS, measures="metric", direction=BOTH)
    assert list(both) == ["accuracy", "log_loss"]
    assert [one.direction for one in both.values()] == ["maximize", "minimize"]
    for name, one in both.items():
        rows = raw(METRICS).query("metric == @name")
        means = rows.pivot_table(index="dataset", columns="algorithm", values="score", sort=False)
        assert one.measure == name
        assert one.n_folds == 2
        np.testing.assert_allclose(one.to_frame(), means.loc[list(one.datasets)], rtol=1e-12)
        assert one.notes == ()


def test_columns_of_measures():
    found = nbc.Experiment.read_measures(
        PER_MEASURE, measures=["accuracy", "f1", "log_loss"], direction={**BOTH, "f1": "maximize"}
    )
    assert list(found) == ["accuracy", "f1", "log_loss"]
    frame = raw(PER_MEASURE)
    for name, one in found.items():
        assert one.measure == name
        cell = frame.query("dataset == 'iris' and algorithm == 'k-NN'")[name].mean()
        assert one.select(datasets=["iris"], algorithms=["k-NN"]).mean_scores[0, 0] == cell
    long = nbc.Experiment.read_measures(METRICS, measures="metric", direction=BOTH)
    assert long["log_loss"].fingerprint == found["log_loss"].fingerprint


def test_one_measure_by_itself_says_what_to_do(capsys):
    text = said(lambda: nbc.Experiment.read(METRICS, direction="maximize"))
    assert "'metric'" in text
    assert "read_measures" in text
    assert main(["compare", str(METRICS), "--direction", "maximize"]) == 1
    assert "nbcompare report with --measures-column" in capsys.readouterr().err


def test_the_wrong_direction_of_a_measure_is_asked_about():
    wrong = nbc.Experiment.read_measures(METRICS, measures="metric", direction="maximize")
    doubt, note = wrong["log_loss"].notes  # the name says it too
    assert doubt.code == "direction"
    assert note.code == "measures-disagree"
    assert note.text == (
        "On 10 of 10 data sets algorithms that are better by accuracy are worse by log_loss: is "
        "the direction of log_loss right?"
    )
    assert wrong["accuracy"].notes == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"direction": {"accuracy": "maximize"}}, "it is not for 'log_loss'"),
        ({"direction": {**BOTH, "acuracy": "minimize"}}, "Did you mean 'accuracy'?"),
        ({"direction": BOTH, "only": ["logloss"]}, "Did you mean 'log_loss'?"),
        ({"direction": BOTH, "measures": "metrics"}, "Did you mean 'metric'?"),
        ({}, "measure 'accuracy': `direction` must be"),
        ({"direction": {**BOTH, "log_loss": "min"}}, "Did you mean 'minimize'?"),
    ],
)
def test_mistakes_about_measures(options, words):
    options = {"measures": "metric", **options}
    assert words in said(lambda: nbc.Experiment.read_measures(METRICS, **options))


def test_rows_are_those_of_the_whole_table(tmp_path):
    frame = raw(METRICS).astype({"score": object})
    frame.loc[3, "score"] = "oops"  # the fourth row, the second of log_loss
    frame.to_csv(tmp_path / "scores.csv", index=False)
    text = said(
        lambda: nbc.Experiment.read_measures(
            tmp_path / "scores.csv", measures="metric", direction=BOTH
        )
    )
    assert "measure 'log_loss': scores.csv, row 4 ('adult'), column 'score'" in text


# ------------------------------------------------------------------------------ directions


def test_higher_is_better_of_each_task():
    found = nbc.Experiment.read(TASKS, **TASK_COLUMNS)
    frame = raw(TASKS)
    low = tuple(frame[~frame["Higher_Is_Better"]]["task"].unique())
    assert (found.direction, found.turned) == ("maximize", low)
    given = frame.pivot_table(index="task", columns="framework", values="result", sort=False)
    pd.testing.assert_frame_equal(found.to_frame(), given, check_names=False, check_exact=True)
    wide = nbc.Experiment.read(HERE / "automl_wide.csv")
    assert wide.fingerprint == found.fingerprint
    # rank 1 is the highest area, and the lowest loss
    signs = np.where(frame.groupby("task", sort=False)["Higher_Is_Better"].first(), -1, 1)
    ranks = (given.T * signs).T.rank(axis=1).mean()
    assert dict(nbc.compare(found).average_ranks) == pytest.approx(ranks.to_dict())


def test_measures_whose_direction_a_column_says():
    found = nbc.Experiment.read_measures(TASKS, measures="metric_name", **TASK_COLUMNS)
    assert {name: one.direction for name, one in found.items()} == {
        "roc_auc": "maximize",
        "logloss": "minimize",
        "rmse": "minimize",
    }
    assert found["logloss"].datasets == ("kddcup", "vehicle")


def test_a_direction_that_the_column_contradicts():
    text = said(lambda: nbc.Experiment.read(TASKS, **TASK_COLUMNS, direction="maximize"))
    assert "lower is better on data set 'kddcup'" in text
    assert "Leave out one of the two" in text


def test_higher_is_better_must_be_constant_and_true_or_false(tmp_path):
    frame = raw(TASKS).astype({"Higher_Is_Better": object})
    for row, value, words in (
        (5, False, "row 6, column 'Higher_Is_Better' says 'False', and row 5 says 'True'"),
        (0, "perhaps", "column 'Higher_Is_Better' must be true or false"),
    ):
        changed = frame.copy()
        changed.loc[row, "Higher_Is_Better"] = value
        changed.to_csv(tmp_path / "t.csv", index=False)
        assert words in said(lambda: nbc.Experiment.read(tmp_path / "t.csv", **TASK_COLUMNS))


def test_words_say_what_is_better_under_any_name(tmp_path):
    file = tmp_path / "suite.csv"
    file.write_text(
        "Test,Unit,Sense,A,B\nx265,frames/s,Higher,10,12\nzstd,MB/s,Higher,20,22\n"
        "blender,s,Lower,50,45\ncompile,s,Lower,70,66\n"
    )
    assert nbc.Experiment.read(file).ways == ("maximize", "maximize", "minimize", "minimize")
    assert "says that lower is better on data set 'blender'" in said(
        lambda: nbc.Experiment.read(file, direction="maximize")
    )
    ignored = nbc.Experiment.read(file, direction="maximize", ignore=["Sense"])
    assert ignored.ways == ("maximize",) * 4


def test_directions_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    frame = raw(HERE / "automl_wide.csv")
    low = frame.query("Higher_Is_Better == 'no'")["dataset"]
    frame.drop(columns="Higher_Is_Better").to_csv(file, index=False)
    with pytest.raises(SystemExit):
        main(["compare", str(file)])
    assert "--direction is required" in capsys.readouterr().err
    assert main(["compare", str(file), "--direction", f"{low.iloc[0]}=minimize"]) == 1
    assert "--direction must be given for every data set" in capsys.readouterr().err
    words = ",".join(["maximize", *(f"{name}=minimize" for name in low)])
    assert main(["compare", str(file), "--direction", words]) == 0
    by_option = capsys.readouterr().out
    assert main(["compare", str(HERE / "automl_wide.csv")]) == 0
    assert capsys.readouterr().out == by_option
    assert "lower is better on kddcup" in " ".join(by_option.split())


# --------------------------------------------------------------------------------- groups


def test_groups_of_data_sets(capsys):
    found = nbc.Experiment.read(DOMAINS, direction="maximize", score="accuracy")
    frame = raw(DOMAINS).drop_duplicates("dataset")
    assert dict(zip(found.datasets, found.domains, strict=True)) == dict(
        zip(frame["dataset"], frame["domain"], strict=True)
    )
    result = nbc.compare_by(found)
    assert list(result.groups) == ["vision", "text", "tabular"]
    assert result.too_small == ("speech",)
    line = ["compare-by", str(DOMAINS), "--direction", "maximize", "--score", "accuracy"]
    assert main(line) == 0
    out = capsys.readouterr().out
    assert "speech (1 data set)" in out
    assert "GBDT" in out


def test_a_group_that_changes_within_a_data_set():
    text = said(
        lambda: nbc.Experiment.read(
            HERE / "domain_changes.csv", direction="maximize", score="accuracy"
        )
    )
    assert "row 5, column 'domain' says 'text', and row 4 says 'vision'" in text
    assert "'cifar10'" in text


def test_no_groups(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    raw(DOMAINS).rename(columns={"domain": "field"}).to_csv(file, index=False)
    line = ["compare-by", str(file), "--direction", "maximize", "--score", "accuracy"]
    assert main(line) == 1
    assert "with --domain" in capsys.readouterr().err
    assert main([*line, "--domain", "field"]) == 0


@pytest.mark.slow
def test_one_report_of_all_measures_holds(tmp_path, capsys):
    page = str(tmp_path / "r.html")
    reading = ["--measures-column", "metric", "--direction", "accuracy=maximize,log_loss=minimize"]
    assert main(["report", str(METRICS), *reading, "--control", "best", "-o", page]) == 0
    text = Path(page).read_text("utf-8")
    for name in BOTH:
        assert f"Which algorithms differ? ({name})" in text
    assert "Nothing is adjusted over the measures" in text
    capsys.readouterr()
    verify = ["verify", page, "--data", str(METRICS), "--measures-column", "metric"]
    assert main(verify) == 0
    assert "The report holds" in capsys.readouterr().out
    changed = raw(METRICS)
    changed.loc[changed["metric"] == "log_loss", "score"] *= -1
    changed.to_csv(tmp_path / "other.csv", index=False)
    assert main([*verify[:3], str(tmp_path / "other.csv"), *verify[4:]]) == 1


@pytest.mark.slow
def test_a_report_of_turned_and_grouped_data_sets_holds(tmp_path, capsys):
    page = str(tmp_path / "r.html")
    columns = [f"--{role}={name}" for role, name in TASK_COLUMNS.items()]
    columns.append("--domain=metric_name")
    assert main(["report", str(TASKS), *columns, "-o", page]) == 0
    text = Path(page).read_text("utf-8")
    assert "Comparison within groups of data sets" in text
    assert "lower is better on" in text
    capsys.readouterr()
    assert main(["verify", page, "--data", str(TASKS), *columns]) == 0
