"""How logs were understood: the schema, and what the command line and reports say of it."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.experiment import Schema
from nbcompare.histories import Histories
from nbcompare.report.notebook.source import Source

NAMES = ["env", "algo", "seed", "timesteps", "episode_reward"]


def logs(names):
    """Values of two algorithms on four problems that always get less."""
    rows = [
        (f"p{p}", algorithm, run, 10 * j, 100 * p + 10 * a + run + 8 / j)
        for p in range(4)
        for a, algorithm in enumerate("AB")
        for run in (1, 2, 3)
        for j in range(1, 5)
    ]
    return pd.DataFrame(rows, columns=names)


PLAIN = logs(["problem", "algorithm", "run", "FE", "fitness"])
RANDOM = np.random.default_rng(5)
REWARDS = logs(NAMES).assign(episode_reward=RANDOM.normal(size=96))
AS_RUNS = (
    PLAIN.assign(run="run" + PLAIN["run"].astype(str))
    .pivot(index=["problem", "algorithm", "FE"], columns="run", values="fitness")
    .reset_index()
)
AS_ALGORITHMS = (
    PLAIN[PLAIN["run"] == 1].pivot(index=["problem", "FE"], columns="algorithm", values="fitness")
).reset_index()
AS_POINTS = PLAIN.pivot(
    index=["problem", "algorithm", "run"], columns="FE", values="fitness"
).reset_index()
SPLIT = pd.concat([PLAIN.assign(split="train"), PLAIN.assign(split="test")])
SCORES = PLAIN[PLAIN["FE"] == 40].drop(columns="FE").rename(columns={"fitness": "score"})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, table in {
        "plain": PLAIN, "rewards": REWARDS, "runs": AS_RUNS, "algorithms": AS_ALGORITHMS,
        "points": AS_POINTS, "split": SPLIT, "scores": SCORES,
    }.items():  # fmt: skip
        table.to_csv(f"{name}.csv", index=False)
    return tmp_path


def read(table, **options):
    return Histories.from_frame(table, **{"direction": "minimize"} | options)


def one_line(text):
    return " ".join(text.split())


# -------------------------------------------------------------------------------- in Python


def test_the_schema_of_a_long_table():
    histories = read(logs(NAMES).assign(seconds=RANDOM.random(96), host="h1"))
    schema = histories.schema
    assert schema.sentence == (
        "frame: 4 problems by 'env', 2 algorithms by 'algo', 3 runs by 'seed': values in column "
        "'episode_reward' over 'timesteps'."
    )
    assert {use.name: use.use for use in schema.columns} == {
        "env": "problem",
        "algo": "algorithm",
        "seed": "run",
        "timesteps": "evaluations",
        "episode_reward": "value",
        "seconds": "another measure, left out",
        "host": "the same in all rows",
    }
    assert Schema.from_json(schema.to_json()) == schema
    assert histories.select(problems=["p1"]).schema == schema


@pytest.mark.parametrize(
    ("table", "options", "sentence"),
    [
        (AS_POINTS, {}, "3 runs by 'run': columns '10', '20', '30' and '40'."),
        (
            AS_RUNS,
            {"columns": "run{run}"},
            "2 algorithms by 'algorithm', 3 runs in columns 'run1', 'run2' and 'run3' over 'FE'.",
        ),
        (
            AS_ALGORITHMS,
            {"columns": "{algorithm}"},
            "4 problems by 'problem', 2 algorithms in columns 'A' and 'B' over 'FE'.",
        ),
    ],
)
def test_the_schema_of_wide_tables(table, options, sentence):
    assert read(table, **options).schema.sentence.endswith(sentence)


def test_filters_are_in_the_schema():
    table = SPLIT.assign(host=RANDOM.choice(["a", "b"], 192))
    histories = read(table, where={"split": "test", "problem": ["p1", "p2"]}, ignore=["host"])
    assert dict(histories.schema.where) == {"split": ("test",), "problem": ("p1", "p2")}
    assert (histories.schema.n_rows, histories.schema.n_kept) == (192, 48)
    assert "host" in {use.name for use in histories.schema.columns if "asked" in use.use}


def test_a_filter_of_what_names_of_columns_say():
    histories = read(AS_RUNS, columns="run{run}", where={"run": ["1", "3"]})
    plain = read(PLAIN, where={"run": ["1", "3"]})
    assert histories.fingerprint == plain.fingerprint
    with pytest.raises(ValueError, match=r"^`where\['run'\]` must be .* got '7'"):
        read(AS_RUNS, columns="run{run}", where={"run": "7"})


def test_what_was_not_read_has_no_schema():
    assert Histories.from_array([[[3, 2]]], direction="minimize").schema is None


def test_thousands_are_asked_about_as_in_scores(tmp_path):
    table = PLAIN.assign(fitness=[f"{1 + (95 - i) / 1000:.3f}" for i in range(96)])
    table.loc[0, "fitness"] = "418"
    table.to_csv(tmp_path / "logs.csv", index=False)
    with pytest.raises(nbc.DataError, match="thousands"):
        Histories.read(tmp_path / "logs.csv", direction="minimize", worse="keep-best")


# ----------------------------------------------------------------------- on the command line


def lines_of(told):
    """The lines of a shell that the command offers."""
    return re.findall(r"nbcompare ((?:page-trend|fixed-targets) .*)", told)


@pytest.mark.parametrize(
    ("words", "sentence", "n_lines"),
    [
        (["plain.csv"], "values in column 'fitness' over 'FE'", 1),
        (["points.csv"], "columns '10', '20', '30' and '40'", 1),
        (["rewards.csv"], "values in column 'episode_reward' over 'timesteps'", 2),
        (["rewards.csv", "--direction", "maximize", "--worse", "keep-best"], "episode_reward", 1),
        (["runs.csv", "--column-pattern", "run{run}"], "3 runs in columns", 1),
        (["split.csv", "--where", "split=test"], "96 of 192 rows", 1),
        (["plain.csv", "--problem", "problem"], "4 problems by 'problem'", 1),
        (["plain.csv", "--histories"], "4 problems by 'problem'", 1),
    ],
)
def test_read_shows_logs_and_a_line_that_reads_them(folder, capsys, words, sentence, n_lines):
    assert main(["read", *words]) == 0
    told = capsys.readouterr().out
    assert sentence in one_line(told)
    found = lines_of(told)
    assert len(found) == n_lines
    for line in found:
        assert main([*shlex.split(line), "--cutpoints", "4"]) == 0
        assert "read " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["runs.csv"], "Pass --column-pattern 'run{run}'."),
        (["algorithms.csv"], "Pass --column-pattern '{algorithm}'."),
        (["split.csv"], "Pass --where split=train; or --where split=test;"),
        (["plain.csv", "--histories", "--fold", "run"], "--fold is for a table of scores"),
        (["plain.csv", "--direction", "maximize"], "Pass --direction minimize"),
        (["absent.csv"], "there is no 'absent.csv'"),
    ],
)
def test_read_asks_about_logs_what_it_asks_about_scores(folder, capsys, words, message):
    try:
        code = main(["read", *words])
    except SystemExit as left:
        code = left.code
    assert code in (1, 2)
    assert message in one_line(capsys.readouterr().err)


def test_read_takes_scores_for_scores(folder, capsys):
    assert main(["read", "scores.csv"]) == 0
    assert "nbcompare compare scores.csv" in capsys.readouterr().out
    AS_ALGORITHMS[:4].drop(columns="problem").to_csv("single.csv", index=False)
    assert main(["read", "single.csv"]) == 1
    assert "Pass --keep FE if it holds scores, or --histories" in capsys.readouterr().err
    assert main(["read", "single.csv", "--keep", "FE"]) == 0
    assert main(["read", "single.csv", "--histories"]) == 1
    assert "Pass --column-pattern '{algorithm}'" in capsys.readouterr().err
    assert main(["read", "single.csv", "--column-pattern", "{algorithm}"]) == 0


def test_logs_without_a_problem_are_of_one(folder, capsys):
    """A file per run, as programs of reinforcement learning write them."""
    for algorithm, rate in (("ppo", 0.1), ("sac", 0.2)):
        for run in range(5):
            values = 1 - np.exp(-rate * (1 + run / 10) * np.arange(1, 21))
            frame = pd.DataFrame({"Step": np.arange(1, 21) * 100, "Value": values})
            frame.to_csv(f"{algorithm}_seed{run}.csv", index=False)
    files = "{algorithm}_seed{run}.csv"
    logs = nbc.Histories.read(files, direction="maximize")
    assert (logs.problems, logs.algorithms) == (("1",), ("ppo", "sac"))
    result = nbc.compare_runs(logs.at(1000))
    assert result.ordered == ("sac", "ppo")
    assert main(["page-trend", files, "--direction", "maximize"]) == 1
    assert "take the values of the runs" in capsys.readouterr().err
    # where words may name problems, nothing is taken for granted
    several = pd.DataFrame(
        {"what": ["x", "x", "y", "y"], "algorithm": "A", "evaluations": [1, 2] * 2}
    )
    several["value"] = [3.0, 2.0, 5.0, 4.0]
    with pytest.raises(ValueError, match="names the problems"):
        nbc.Histories.from_frame(several, direction="minimize")


@pytest.mark.parametrize("optimum", [[], ["--optimum", "0"]])
def test_read_names_fixed_targets_for_logs_of_one_problem(folder, capsys, optimum):
    PLAIN[PLAIN["problem"] == "p0"].to_csv("one.csv", index=False)
    assert main(["read", "one.csv", "--direction", "minimize", *optimum]) == 0
    line = capsys.readouterr().out.partition("To compare: nbcompare ")[2]
    assert main(shlex.split(line)) == 0
    assert "Share of all targets" in capsys.readouterr().out


def test_read_names_a_command_for_raw_values(folder, capsys):
    assert main(["read", "rewards.csv", "--direction", "maximize", "--values", "raw"]) == 0
    line = capsys.readouterr().out.partition("To compare: nbcompare ")[2]
    assert main(shlex.split(line)) == 0
    assert Path("scores.csv").exists()


def test_read_shows_folders(capsys):
    logs = Path(__file__).parents[1] / "foreign" / "logs"
    assert main(["read", str(logs / "coco-2.8.2"), "--instances", "runs"]) == 0
    told = capsys.readouterr().out
    assert "coco-2.8.2: " in told
    assert "logs of COCO." in told
    (line,) = lines_of(told)
    assert main(shlex.split(line)) == 0
    assert main(["read", str(logs / "ioh-2019"), "--direction", "maximize"]) == 0
    assert "logs of IOHprofiler." in capsys.readouterr().out
    assert main(["read", str(logs / "one-file-per-run")]) == 1
    assert "put them into one table" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["page-trend --cutpoints 4", "fixed-targets --targets quantiles"]
)
def test_commands_say_how_logs_were_read(folder, capsys, command):
    line = [*command.split(), "split.csv", "--direction", "minimize", "--where", "split=test"]
    assert main(line) == 0
    assert "read split.csv: 4 problems by 'problem'" in capsys.readouterr().err
    assert main([*line, "--json"]) == 0
    assert "read split.csv" not in capsys.readouterr().err


# -------------------------------------------------------------------------------- in reports


def data_of(notebook):
    """The data that a notebook loads, and its text."""
    cells = json.loads(Path(notebook).read_text())["cells"]
    namespace = {"nbc": nbc}
    for cell in cells:
        code = "".join(cell["source"])
        if cell["cell_type"] == "code" and (".read(" in code):
            exec(code, namespace)
    return namespace, one_line(" ".join("".join(cell["source"]) for cell in cells))


@pytest.mark.slow
@pytest.mark.parametrize("spelling", ["--where", "--histories-where"])
def test_a_report_on_a_part_of_the_logs(folder, capsys, spelling):
    line = ["report", "--histories", "split.csv", "--direction", "minimize", "--cutpoints", "4"]
    assert main([*line, spelling, "split=test", "-o", "report.ipynb"]) == 0
    assert "read split.csv: 4 problems by 'problem'" in capsys.readouterr().err
    found, text = data_of("report.ipynb")
    assert found["histories"].fingerprint == read(PLAIN).fingerprint
    assert "96 of 192 rows. Only rows with split test." in text


@pytest.mark.slow
def test_scores_and_logs_have_filters_each(folder, capsys):
    renamed = AS_RUNS.rename(columns={"algorithm": "solver", "problem": "f"})
    pd.concat([renamed.assign(part=part) for part in "ab"]).to_csv("logs.csv", index=False)
    pd.concat([SCORES.assign(part=part) for part in "cd"]).to_csv("scores.csv", index=False)
    line = [
        "report", "scores.csv", "--direction", "minimize", "--where", "part=c",
        "--histories", "logs.csv", "--histories-direction", "minimize", "--cutpoints", "4",
        "--histories-where", "part=b", "--histories-column-pattern", "run{run}", "--problem", "f",
        "--histories-algorithm", "solver", "--worse", "keep-best", "-o", "report.ipynb",
    ]  # fmt: skip
    assert main(line) == 0
    told = capsys.readouterr().err
    assert "read scores.csv: 4 data sets" in told
    assert "read logs.csv: 4 problems by 'f', 2 algorithms by 'solver'" in told
    found, _ = data_of("report.ipynb")
    assert found["experiment"].n_runs == 3
    assert found["histories"].fingerprint == read(PLAIN).fingerprint


def test_options_of_logs_in_the_words_of_the_line(folder, capsys):
    line = ["report", "scores.csv", "--direction", "minimize", "--histories", "split.csv"]
    line += ["--histories-direction", "minimize", "-o", "report.ipynb"]
    assert main(line) == 1
    assert "Pass --histories-where split=train" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*line[:4], "--histories-where", "split=test", "-o", "report.ipynb"])
    assert "--histories-where is for --histories" in capsys.readouterr().err


# ------------------------------------------------------ logs of learners, and their scores


@pytest.fixture
def learners(tmp_path, monkeypatch):
    """Evaluations of two learners in three environments, two seeds each."""
    monkeypatch.chdir(tmp_path)
    steps = np.arange(1000, 6000, 1000)
    for algorithm, gain in {"ppo": 2.0, "dqn": 1.0}.items():
        for env in ("Pong", "Qbert", "Acrobot-v1"):
            for seed in (1, 2):
                folder = tmp_path / "logs" / algorithm / f"{env}_{seed}"
                folder.mkdir(parents=True)
                rewards = gain * np.array([[1.0, 3], [4, 6], [3, 3], [6, 8], [9, 9]]) + seed
                np.savez(folder / "evaluations.npz", timesteps=steps, results=rewards)
    return "logs/{algorithm}/{problem}_{run}/evaluations.npz"


def test_a_folder_of_runs_is_refused_with_a_pattern(learners):
    with pytest.raises(nbc.DataError, match="pass a pattern that says what") as refused:
        Histories.read("logs", direction="maximize")
    assert f"such as {learners!r}" in str(refused.value)
    assert "'dqn/Acrobot-v1_1/evaluations.npz'" in str(refused.value)
    histories = Histories.read(learners, direction="maximize", values="raw")
    assert histories.problems == ("Acrobot-v1", "Pong", "Qbert")
    assert histories.values[0, 0].tolist() == [[3, 6, 4, 8, 10], [4, 7, 5, 9, 11]]
    assert histories.at(3000).scores[1, :, 0].tolist() == [[4, 5], [7, 8]]


def test_read_finds_logs_by_a_pattern(learners, capsys):
    assert main(["read", learners, "--direction", "maximize"]) == 0
    told = one_line(capsys.readouterr().out)
    assert "3 problems by 'problem', 2 algorithms by 'algorithm', 2 runs by 'run'" in told
    assert "mean_reward 3, 6, 4 value" in told


@pytest.mark.parametrize(("words", "score"), [(["--at", "3000"], 4.0), (["--area"], 6.125)])
def test_scores_of_raw_logs_are_written_for_the_other_commands(learners, capsys, words, score):
    raw = [learners, "--direction", "maximize", "--values", "raw"]
    assert main(["read", *raw, *words, "-o", "scores.csv"]) == 0
    line = capsys.readouterr().out.partition("To compare: nbcompare ")[2]
    assert pd.read_csv("scores.csv")["score"][0] == score
    assert main(shlex.split(line)) == 0
    assert "ppo has the better average rank" in one_line(capsys.readouterr().out)
    with pytest.raises(SystemExit):
        main(["read", *raw, *words])
    assert "and a file: -o scores.csv" in capsys.readouterr().err


def test_a_log_of_one_run_is_refused_with_ways_to_name_the_algorithm(tmp_path, capsys):
    path = tmp_path / "progress.csv"
    path.write_text("env,time/total_timesteps,rollout/ep_rew_mean\nPong,1,2\nPong,2,3\n")
    assert main(["page-trend", str(path), "--direction", "maximize"]) == 1
    assert "or a path with {algorithm} in it if those of files do" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        ("n_gen,n_eval,fitness", ("n_eval", "fitness")),
        ("time/iterations,time/total_timesteps,rollout/ep_rew_mean,train/loss", (1, 2)),
        ("TotalEnvInteracts,AverageEpRet,StdEpRet", (0, 1)),
    ],
)
def test_columns_as_programs_call_them(names, roles):
    names = names.split(",")
    rows = [
        ("p", algorithm, *(row + place for place in range(len(names))))
        for algorithm in "AB"
        for row in range(1, 5)
    ]
    frame = pd.DataFrame(rows, columns=["problem", "algorithm", *names])
    frame = frame.assign(**{names[-1]: [3.5, 1.0, 2.0, 8.0] * 2}) if names[3:] else frame
    schema = Histories.from_frame(frame, direction="maximize").schema
    found = schema.roles["evaluations"][0], schema.roles["value"][0]
    assert found == tuple(names[one] if isinstance(one, int) else one for one in roles)


def test_a_report_reads_the_files_of_a_pattern_again(learners):
    histories = Histories.read(learners, direction="maximize", worse="keep-best")
    source = Source(histories, "histories")
    assert source.name == "logs"
    assert source.code(Path()) == (
        f"histories = nbc.Histories.read({learners!r}, direction='maximize', worse='keep-best')"
    )
    np.savez("logs/ppo/Pong_1/evaluations.npz", timesteps=[1000], results=[[1.0]])
    assert Source(histories, "histories").origin is None
