"""``%compare`` and the other magics about data."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from IPython.core.error import UsageError

import nbcompare as nbc
from nbcompare._commands import ANALYSES
from nbcompare.words import PROCEDURES

RUNS = nbc.Experiment.from_array(
    np.random.default_rng(3).normal(size=(5, 3, 1, 6)) + np.arange(3)[None, :, None, None],
    direction="minimize",
    algorithms=["DE", "PSO", "random walk"],
)


def test_shows_the_diagram_and_returns_the_comparison(shell, displayed, experiment):
    result = shell.run_line_magic("compare", "exp")
    assert isinstance(result, nbc.Comparison)
    assert [type(item) for item in displayed] == [nbc.plots.Plot]
    assert result.to_json() == nbc.compare(experiment).to_json()


@pytest.mark.slow
def test_options_reach_compare(shell, displayed, experiment):
    line = "exp --control 'so so' --adjust bonferroni,holm --alpha=0.1 --formulas printed"
    result = shell.run_line_magic("compare", line)
    expected = nbc.compare(
        experiment, control="so so", adjust=["bonferroni", "holm"], alpha=0.1, formulas="printed"
    )
    assert result.to_json() == expected.to_json()
    assert shell.run_line_magic("compare", "exp --adjust none").adjust == ()
    with_margin = shell.run_line_magic("compare", "exp --margin 0.5 --pairs t")
    assert with_margin.to_json() == nbc.compare(experiment, margin=0.5, pairs="t").to_json()


FOLDS = nbc.Experiment.from_array(
    np.random.default_rng(2).normal(size=(2, 3, 10)),
    direction="maximize",
    algorithms=["A", "B", "C"],
)
LOGS = nbc.Histories.from_array(
    np.minimum.accumulate(np.random.default_rng(0).random((6, 2, 3, 20)), axis=3),
    direction="minimize",
    optimum=0.0,
)


@pytest.fixture
def data(shell, experiment):
    """What lines are about, each under the name that they have."""
    named = {"exp": experiment, "runs": RUNS, "folds": FOLDS, "logs": LOGS}
    shell.user_ns.update(named)
    return named


@pytest.mark.parametrize(
    ("line", "expected", "figure"),
    [
        ("compare exp --ranking auto", lambda e: nbc.compare(e, ranking="auto"), "cd_diagram"),
        (
            "compare_pair exp --test t 'so so' bad",
            lambda e: nbc.compare_pair(e, "so so", "bad", test="t"),
            "pair_scatter",
        ),
        (
            "compare_cv folds A C --datasets 2 --test corrected-t",
            lambda e: nbc.compare_cv("A", "C", experiment=e, dataset="2", test="corrected-t"),
            "",
        ),
        ("conditions exp --alpha 0.2", lambda e: nbc.check_conditions(e, alpha=0.2), ""),
        (
            "fuzzy_pvalue runs --control DE",
            lambda e: nbc.compare_stochastic(e, procedure="fuzzy", control="DE"),
            "membership",
        ),
        (
            "fuzzy_pvalue runs DE 'random walk' --coverage 0.5",
            lambda e: nbc.compare_stochastic(
                e.select(algorithms=["DE", "random walk"]), procedure="fuzzy", coverage=0.5
            ),
            "membership",
        ),
        (
            "aggregate_runs runs --baseline 'random walk,DE' --n-resamples 50",
            lambda e: nbc.aggregate_runs(e, baseline=["random walk", "DE"], n_resamples=50),
            "interval_estimates",
        ),
        (  # runs that are not pooled are drawn by pairs
            "aggregate_runs runs --scale several --n-resamples 50",
            lambda e: nbc.aggregate_runs(e, scale="several", n_resamples=50),
            "improvement_matrix",
        ),
        (
            "fixed_targets logs --precisions 1,1e-8",
            lambda e: nbc.fixed_targets(e, precisions=[1, 1e-8]),
            "runtime_distribution",
        ),
    ],
)
def test_one_magic_for_each_function(shell, displayed, data, line, expected, figure):
    magic, name, rest = line.split(" ", 2) if line.count(" ") > 1 else (*line.split(), "")
    result = shell.run_line_magic(magic, f"{name} {rest} --as found")
    assert result.to_json() == expected(data[name]).to_json()
    assert shell.user_ns["found"] is result
    drawn = [getattr(nbc.plots, figure)(result).alt] if figure else []
    assert [plot.alt for plot in displayed] == drawn
    with pytest.raises(UsageError, match=f"^%{magic}: there is no 'nothing' here"):
        shell.run_line_magic(magic, f"nothing {rest}")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("compare_cv folds A C --datasets 1 --datasets 2", "--datasets must be one; got '1' and"),
        ("compare_cv folds A C", "--datasets must name .* use %compare"),
        ("compare_cv folds", "--datasets must name one data set.* pass --datasets 1"),
        ("compare_cv folds A c --datasets 2", "B must be .*'c'. Did you mean 'C'"),
        ("compare_cv folds A", "it needs .* (or neither)"),
        ("compare_bayesian exp", "--rope must be given: .* --rope 0.01"),
        ("aggregate_runs runs --baseline DE", "--baseline must be two different algorithms; got"),
        ("aggregate_runs runs --baseline 'DE,random walk'", "--baseline.* better than the low one"),
        ("aggregate_runs runs --target x", "--target must be a number; got 'x'"),
        ("fuzzy_pvalue runs DE", "it needs one algorithm and another (or neither); algo"),
        ("fuzzy_pvalue runs --procedure interval", "there is no option --procedure"),
        ("compare_pair exp good", "it needs the first algorithm and the second; algorithms are 'g"),
        ("page_trend exp", "it takes a Histories, .*; exp is"),
        ("compare logs", "it takes an Experiment, .*; logs is"),
        ("compare exp --algorithms goo", "--algorithms must be one of .*'goo'"),
        ("compare exp --margin=-1", "--margin must be a number above 0; got -1"),
    ],
)
def test_mistakes_in_what_magics_are_about(shell, data, line, message):
    magic, _, rest = line.partition(" ")
    pattern = re.escape(f"%{magic}: {message}").replace(r"\.\*", ".*")
    with pytest.raises(UsageError, match=pattern):
        shell.run_line_magic(magic, rest)


def test_a_part_of_the_data(shell, displayed, experiment):
    line = "exp --algorithms bad --algorithms good --datasets 1 --data-as part"
    shell.run_line_magic("recommend", f"{line} --datasets 3")
    expected = experiment.select(algorithms=["bad", "good"], datasets=["1", "3"])
    assert shell.user_ns["part"].fingerprint == expected.fingerprint


def test_cd_diagram_is_the_plot_alone(shell, displayed, experiment):
    shell.user_ns["told"] = nbc.compare(experiment, adjust="nemenyi")
    plot = shell.run_line_magic("cd_diagram", "told")
    assert plot.alt == nbc.plots.cd_diagram(shell.user_ns["told"]).alt
    again = shell.run_line_magic("cd_diagram", "exp --adjust nemenyi --best left --as drawn")
    assert again.alt == plot.alt
    assert shell.user_ns["drawn"] is again
    assert plot.ax.xaxis_inverted() > again.ax.xaxis_inverted()  # the other way round
    assert displayed == []
    with pytest.raises(UsageError, match=r"--control is about data; told is a Comparison already"):
        shell.run_line_magic("cd_diagram", "told --control good")


def test_a_result_is_displayed_once(shell, displayed, experiment):
    done = shell.run_cell("x = %compare exp --control best")
    done.raise_error()
    assert shell.user_ns["x"].control == "good"
    assert done.result is None
    done = shell.run_cell("%compare exp --as kept")
    assert done.result is shell.user_ns["kept"]  # by the cell, and by nothing else
    assert [type(item) for item in displayed] == [nbc.plots.Plot] * 2


def test_dataframe_with_direction(shell, displayed):
    shell.user_ns["frame"] = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 3, 4]}, index=list("xyz"))
    line = "frame --direction minimize --measure seconds --data-as times"
    result = shell.run_line_magic("compare", line)
    assert result.ordered == ("a", "b")
    assert result.design.measure == "seconds"
    assert shell.user_ns["times"].fingerprint == result.design.fingerprint


def test_a_file_is_read_if_nothing_has_its_name(shell, displayed, here):
    (here / "my scores.csv").write_text("problem;a;b\nx;1,5;2\ny;2;3,5\n")
    line = "'my scores.csv' --direction minimize --decimal , --dataset problem"
    result = shell.run_line_magic("compare", line)
    assert result.design.datasets == ("x", "y")
    shell.user_ns["path"] = here / "my scores.csv"  # or a name has its path
    again = shell.run_line_magic("compare", line.replace("'my scores.csv'", "path"))
    assert again.to_json() == result.to_json()
    with pytest.raises(UsageError, match=r"^%compare: my scores.csv, row 1 \('x'\), column 'a'"):
        shell.run_line_magic("compare", "'my scores.csv' --direction minimize")
    with pytest.raises(UsageError, match=r"there is no file 'other.csv', and nothing of that name"):
        shell.run_line_magic("compare", "other.csv")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "name an Experiment, a dataframe or a file. There are 'exp' and 'frame'."),
        ("nothing", "there is no 'nothing' here. There are 'exp' and 'frame'."),
        ("fame", "there is no 'fame' here. Did you mean 'frame'? There are 'exp' and 'frame'."),
        (
            "frame",
            "frame is a dataframe: add --direction maximize (higher is better) or "
            "--direction minimize.",
        ),
        (
            "exp --direction maximize",
            "--direction tells how to read a table, and exp is an Experiment already.",
        ),
        (
            "frame --direction maximize --decimal ,",
            "--decimal tells how to read a table, and frame is no file.",
        ),
        (
            "exp --control goood",
            "--control must be one of 'good', 'so so' and 'bad'; got 'goood'. Did you mean 'good'?",
        ),
        (
            "exp --adjust holmes",
            f"--adjust must be {', '.join(map(repr, [*PROCEDURES][:-1]))} or "
            f"{[*PROCEDURES][-1]!r}; got 'holmes'. Did you mean 'holm'?",
        ),
        (
            "exp --adjust auto,holm",
            "--adjust must be 'auto' alone, which chooses a procedure, or procedures without it; "
            "got 'auto' and 'holm'. Leave out 'auto', or all the others.",
        ),
        (
            "exp --ranking fridman",
            "--ranking must be 'auto', 'friedman', 'aligned' or 'quade'; got 'fridman'. "
            "Did you mean 'friedman'?",
        ),
        ("exp --alpha much", "--alpha must be a number; got 'much'."),
        ("exp --alpha", "--alpha needs a value after it."),
        ("exp --alpha 2", "--alpha must be a number between 0 and 1, exclusive; got 2.0."),
        ("exp --contr good", "there is no option --contr. Did you mean --control?"),
        ("exp --xyzzy", "there is no option --xyzzy. %compare? lists the options."),
        ("exp --as 2x", "--as needs a name that Python accepts; got '2x'."),
        ("exp --data-as class", "--data-as needs a name that Python accepts; got 'class'."),
        ("exp --control 'so", "a quotation mark has no second one to close it."),
        (
            "exp --control so so",
            "there is a word too many: 'so'. Put quotation marks around a name with spaces.",
        ),
    ],
)
def test_mistakes_are_usage_errors(shell, displayed, experiment, line, message):
    shell.user_ns["frame"] = pd.DataFrame({"a": [1.0, 2], "b": [2.0, 3]}, index=["x", "y"])
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("compare", line)
    assert str(caught.value) == f"%compare: {message}"
    assert displayed == []


def test_what_is_there_is_said(shell):
    with pytest.raises(UsageError, match="There is none yet: make a Histories first, or name a"):
        shell.run_line_magic("page_trend", "")


def test_text_of_the_user_stays_as_it_is(shell, displayed):
    frame = pd.DataFrame({"`alpha`": [1.0, 2], "control=": [2.0, 3]}, index=["x", "y"])
    shell.user_ns["frame"] = frame
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("compare", "frame --direction minimize --control c")
    assert "--control must be one of '`alpha`' and 'control='; got 'c'." in str(caught.value)


@pytest.mark.slow
def test_names_that_begin_with_a_dash(shell, displayed):
    scores = [[1.0, 2, 3], [2, 3, 1], [3, 5, 4]]
    names = ["-dash", "--control", "plain"]
    data = nbc.Experiment.from_array(scores, direction="minimize", algorithms=names)
    shell.user_ns["odd"] = data
    assert shell.run_line_magic("compare", "odd --control -dash").control == "-dash"
    assert shell.run_line_magic("compare", "odd --control=--control").control == "--control"
    pair = shell.run_line_magic("compare_pair", "odd --alpha 0.1 -- -dash --control")
    assert (pair.first, pair.second) == ("-dash", "--control")
    with pytest.raises(UsageError, match=r"option -dash. A name that begins with a dash goes beh"):
        shell.run_line_magic("compare_pair", "odd -dash plain")
    with pytest.raises(UsageError, match=r"--control needs a value after it\."):
        shell.run_line_magic("compare", "odd --control --alpha 0.1")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("''", "name an Experiment, a dataframe or a file. There are 'scores' and 'lazy'."),
        (". --direction minimize", ". is a folder; name a file of scores."),
        ("scores --direction minimize", "scores has no columns."),
        ("thing", "it takes an Experiment, a dataframe or a file; thing is of class int."),
        (
            "lazy --direction minimize",
            "the frame must be a dataframe in memory (pandas, polars, pyarrow, ...); got a lazy "
            "polars LazyFrame. Call its .collect() first.",
        ),
    ],
)
def test_what_holds_no_scores(shell, displayed, line, message):
    lazy = pl.LazyFrame({"dataset": ["x"], "A": [1.0], "B": [2.0]})
    shell.user_ns.update(scores=pd.DataFrame(), thing=3, lazy=lazy)
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("compare", line)
    assert str(caught.value) == f"%compare: {message}"


def test_help_explains_every_magic(shell):
    text = shell.object_inspect_text("%compare")
    assert "%compare experiment --control C4.5 --adjust holm,finner" in text
    for option in ("--control", "--ranking", "--adjust", "--alpha", "--as", "--direction"):
        assert option in text
    text = shell.object_inspect_text("%fuzzy_pvalue")
    assert "usage: %fuzzy_pvalue NAME [A B] [options]" in text


def test_page_trend_reads_logs_by_the_options_of_tables(shell, displayed):
    values = np.minimum.accumulate(np.random.default_rng(0).random((4, 2, 3, 5)), axis=3)
    frame = nbc.Histories.from_array(values, direction="minimize").to_frame()
    parts = [frame.assign(split="train", value=frame["value"] + 1), frame.assign(split="test")]
    shell.user_ns["logs"] = pd.concat(parts).rename(columns={"algorithm": "kind", "run": "no"})
    line = "logs --direction minimize --cutpoints 5 --algorithm kind --run no"
    result = shell.run_line_magic("page_trend", f"{line} --where split=test")
    expected = nbc.compare_convergence(
        nbc.Histories.from_frame(frame, direction="minimize"), cutpoints=5
    )
    assert str(result.to_frame()) == str(expected.to_frame())
    with pytest.raises(UsageError, match="--where split=test"):
        shell.run_line_magic("page_trend", line)
    with pytest.raises(UsageError, match="these histories are raw"):
        shell.run_line_magic("page_trend", f"{line} --where split=test --values raw")


def test_page_trend_reads_a_folder_of_logs(shell, displayed):
    folder = Path(__file__).parents[1] / "histories" / "data" / "ioh"
    shell.user_ns["place"] = str(folder)
    line = "page_trend place --cutpoints 5 --version basic"
    with pytest.raises(UsageError, match=r"^%page_trend: --instances must be 'runs' or 'problems'"):
        shell.run_line_magic(*line.split(" ", 1))
    result = shell.run_line_magic("page_trend", f"{line.split(' ', 1)[1]} --instances problems")
    assert len(result.cutpoints) == 4  # two functions, two instances
    shell.user_ns["frame"] = nbc.Histories.read(folder, instances="runs").to_frame()
    with pytest.raises(UsageError, match=r"^%page_trend: --instances .* and frame is no file\.$"):
        shell.run_line_magic("page_trend", "frame --direction minimize --instances runs")


def test_what_is_withheld_has_no_figure(shell, displayed):
    scores = np.random.default_rng(0).random((8, 3)) * 10.0 ** np.arange(8)[:, np.newaxis]
    shell.user_ns["several"] = nbc.Experiment.from_array(scores, direction="minimize")
    assert shell.run_line_magic("contrast_estimation", "several").withheld
    assert displayed == []
    assert not shell.run_line_magic("contrast_estimation", "several --scale one").withheld
    assert [type(item) for item in displayed] == [nbc.plots.Plot]
    for analysis in ANALYSES:
        fields = getattr(nbc.results, analysis.result).__dataclass_fields__
        assert not analysis.withheld or analysis.withheld in fields
