"""Runs as people bring them to be aggregated: raw returns of games, normalised ones, and errors."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nbcompare as nbc
from nbcompare import Experiment
from nbcompare.cli import main

HERE = Path(__file__).parent / "aggregates"


def line(name, *more):
    return ["aggregate-runs", str(HERE / name), *more]


def said(capsys):
    out, err = capsys.readouterr()
    return " ".join(f"{out} {err}".split())


def test_raw_returns_need_their_references(capsys):
    asked = line("atari_raw.csv", "--direction", "maximize")
    assert main(asked) == 0
    told = said(capsys)
    assert "seem not to be on one scale, and are not pooled" in told
    assert "the option baseline takes two algorithms, a low and a high reference" in told
    assert "interquartile mean" not in told
    assert main([*asked, "--target", "1000"]) == 1
    assert "--target must be left out here; got 1000.0. The ranges of scores" in said(capsys)
    assert main([*asked, "--baseline", "human,random"]) == 1
    assert "--baseline must have a high reference that is better" in said(capsys)
    assert main([*asked, "--baseline", "random,humans"]) == 1
    (meant,) = re.findall(r"Did you mean '(\w+)'\?", said(capsys))
    assert main([*asked, "--baseline", f"random,{meant}"]) == 0
    told = said(capsys)
    data = Experiment.read(HERE / "atari_raw.csv", direction="maximize")
    result = nbc.aggregate_runs(data, baseline=["random", "human"])
    assert result.sentences[0] in told
    # human-normalised scores as one computes them with pandas
    frame = pd.read_csv(HERE / "atari_raw.csv").rename(columns={"score": "x"})
    ends = frame.pivot_table(index="game", columns="agent", values="x")
    low, high = (frame["game"].map(ends[name]) for name in ("random", "human"))
    frame["x"] = (frame["x"] - low) / (high - low)
    for place, name in enumerate(result.algorithms):
        own = frame.loc[frame["agent"] == name, "x"]
        if len(own) > 4:
            expected = stats.trim_mean(own, 0.25)
            assert result.interquartile_mean.estimate[place] == pytest.approx(expected)
        assert result.optimality_gap.estimate[place] == pytest.approx(
            np.maximum(0, 1 - own).mean(), abs=1e-12
        )


def test_scores_that_were_normalised_before(capsys):
    asked = line("atari_100k.csv", "--direction", "maximize", "--target", "1")
    assert main(asked) == 0
    told = said(capsys)
    assert "optimality gaps to 1, less is better" in told
    assert "DrQ(eps)" in told
    assert "With 3 runs on a data set, the 95 % intervals may be too short" in told
    frame = pd.read_csv(HERE / "atari_100k.csv")
    data = Experiment.read(HERE / "atari_100k.csv", direction="maximize")
    result = nbc.aggregate_runs(data, target=1)
    for place, name in enumerate(result.algorithms):
        own = frame.loc[frame["algo"] == name, "human_normalized_score"]
        assert result.mean.estimate[place] == pytest.approx(own.mean())
    # a result without a target says what to type
    with pytest.raises(ValueError, match=r"with target=\.\.\."):
        nbc.aggregate_runs(data).aggregate("optimality-gap")


def test_errors_of_runs_with_a_decimal_comma(capsys):
    asked = line("errors.csv", "--direction", "minimize", "--decimal", ",")
    assert main(asked) == 0
    told = said(capsys)
    assert "best first (error, lower is better, 95 % intervals): CMA-ES 1.63" in told
    assert "too short" not in told  # of 15 runs
    data = Experiment.read(HERE / "errors.csv", direction="minimize", decimal=",")
    result = nbc.aggregate_runs(data, target=0)
    assert result.ordered == ("CMA-ES", "DE", "PSO")
    # errors lack what they are to the target 0
    assert result.optimality_gap.estimate == pytest.approx(result.mean.estimate)
    assert main([*asked, "--confidence", "90"]) == 1
    assert "--confidence must be a number between 0 and 1" in said(capsys)


def test_a_table_of_single_scores_has_no_runs(capsys):
    table = Path(__file__).parent / "bayesian" / "percent.csv"
    assert main(["aggregate-runs", str(table), "--direction", "maximize", "--decimal", ","]) == 1
    told = said(capsys)
    assert "must hold repeated runs, such as those with several random seeds" in told
    assert "nbcompare compare compares algorithms by one score per data set" in told
