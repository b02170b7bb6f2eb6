"""What a recommendation says to type: the call, the command and the magic do the same."""

import dataclasses
import re
import shlex

import matplotlib.pyplot as plt
import numpy as np
import pytest
from pandas.testing import assert_frame_equal

import nbcompare as nbc
from nbcompare.cli import main
from nbcompare.results import Result, from_json
from nbcompare.words import CHOICES, QUESTIONS, SCORES

# What a reader might choose
CHOSEN = {
    "ROPE": 0.01,
    "MARGIN": 0.1,
    "LOW": "A1",
    "HIGH": "A3",
    "DATASET": "2",
    "RATIO": 0.1,
}
# What keeps an answer short that is simulated
SHORT = {"how-many": ", largest=3)"}


def scores(n=12, k=3, folds=1, runs=1, *, factor=1.0, direction="minimize", gaps=(), **more):
    values = np.random.default_rng(1).uniform(1, 2, (n, k, folds, runs)).round(3)
    values[:, 0] += 1  # for minimised scores, the low end of a scale, as the last is the high one
    values *= factor ** np.arange(n)[:, None, None, None]
    for gap in gaps:
        values[gap] = np.nan
    return dataclasses.replace(nbc.Experiment.from_array(values, direction=direction), **more)


DATA = {
    "plain": scores(direction="maximize"),
    "folds": scores(folds=5),
    "many folds": scores(folds=12),
    "runs": scores(runs=3),
    "runs on several scales": scores(runs=3, factor=10.0),
    "a missing score": scores(gaps=[(3, 0)]),
    "missing scores of 2": scores(k=2, gaps=[(3, 0)]),
    "a missing fold": scores(folds=5, gaps=[(3, 0, 1)]),
    "a missing run": scores(runs=4, gaps=[(3, 0, 0, 1)]),
    "items": scores(folds=40, unit="items"),
    "groups": scores(domains=("a", "b") * 6),
}
SAID = ({}, {"control": "A2"}, {"alpha": 0.2, "control": "best"}, {"scale": "one"})


def questions():
    """Yield every question that is asked of such data, with the data."""
    for name, data in DATA.items():
        for said in SAID if name in ("runs", "folds") else SAID[:1]:
            for each in nbc.recommend(data, **said).questions:
                if said and not any(f"{word}=" in each.call for word in said):
                    continue  # the same again
                marks = [pytest.mark.slow] * bool(said)
                yield pytest.param(data, each, id=f"{each.code}: {name} {list(said)}", marks=marks)


def chosen(text):
    """Replace the words in capitals."""

    def value(found):
        made = CHOSEN[found[0]]
        return ",".join(map(str, made)) if isinstance(made, list) else str(made)

    return re.sub("|".join(CHOICES), value, text)


def assert_same(result, made):
    """Check a result of the same data, which may have been selected in another way."""
    assert type(result) is type(made)
    assert_frame_equal(result.to_frame(), made.to_frame())


@pytest.mark.slow
@pytest.mark.parametrize(("data", "question"), [*questions()])
def test_what_to_type(data, question, shell, tmp_path, capsys):
    short = SHORT.get(question.code, ")")
    more = f" --{short[2:-1].replace('=', ' ')}" if short != ")" else ""
    call = f"{question.call.removesuffix(')')}{short}"
    made = eval(call, {"nbc": nbc, "experiment": data, **CHOSEN})
    if not question.command:
        plt.close("all")
        assert made is not None
        return
    assert isinstance(made, Result)
    if question.magic:
        shell.user_ns["experiment"] = data
        magic, line = chosen(f"{question.magic}{more}").removeprefix("%").split(maxsplit=1)
        assert_same(shell.run_line_magic(magic, line), made)
    file = tmp_path / "data.csv"
    frame = data.to_frame("long")
    reading = ["--direction", data.direction]
    if data.domains is not None:
        groups = dict(zip(data.datasets, data.domains, strict=True))
        frame["domain"] = [groups[each] for each in frame["dataset"]]
    frame.to_csv(file, index=False)
    capsys.readouterr()
    # as the shell puts it: the file, and how it is read
    command = chosen(f"{question.command}{more}").replace(SCORES, shlex.join([str(file), *reading]))
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    assert_same(from_json(capsys.readouterr().out), made)


def test_every_question_is_asked_of_some_data():
    asked = {name for name, record in QUESTIONS.items() if record.of == "experiment"}
    assert {each.values[1].code for each in questions()} == asked


@pytest.mark.slow
def test_a_command_line_says_its_commands(tmp_path, capsys):
    file = tmp_path / "all scores.csv"
    DATA["folds"].to_frame("long").to_csv(file, index=False)
    line = ["recommend", str(file), "--direction", "minimize", "--datasets", "1,2,3,4,5,6,7,8"]
    assert main([*line, "--control", "A2"]) == 0
    out = capsys.readouterr().out
    commands = [each for each in out.splitlines() if each.startswith("nbcompare ")]
    start = shlex.join(["nbcompare", "compare-cv", str(file), "--direction", "minimize"])
    # the data set that the reader chooses stands in place of those that the line selects
    assert f"{start} --datasets DATASET --control A2" in commands
    assert len(commands) == 6
    for command in commands:
        short = ["--largest", "3"] if command.startswith("nbcompare plan ") else []
        assert main([*shlex.split(chosen(command))[1:], *short, "--json"]) == 0
    # what no command does is not said there
    assert "performance" not in out
    assert "%" not in out
    assert "(experiment" not in out
    # a result that is printed for programs has all of it
    assert main([*line, "--json"]) == 0
    whole = from_json(capsys.readouterr().out.splitlines()[-1])
    assert "profiles" in {each.code for each in whole.questions}
