"""``%compare`` in a real shell, without a kernel."""

import nbformat
import numpy as np
import pandas as pd
import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import nbcompare as nbc


@pytest.fixture
def shell(monkeypatch, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # IPython warns of one that is not its own
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.extension_manager.load_extension("nbcompare")
    yield shell
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


@pytest.fixture
def displayed(shell, monkeypatch):
    """What the magic displays by itself."""
    shown = []
    monkeypatch.setattr("nbcompare.magics.display", shown.append)
    return shown


@pytest.fixture
def experiment(shell):
    experiment = nbc.Experiment.from_array(
        [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]],
        direction="maximize",
        algorithms=["good", "so so", "bad"],
    )
    shell.user_ns["exp"] = experiment
    return experiment


def test_shows_the_diagram_and_returns_the_comparison(shell, displayed, experiment):
    result = shell.run_line_magic("compare", "exp")
    assert isinstance(result, nbc.Comparison)
    assert [type(item) for item in displayed] == [nbc.plots.Plot]
    assert result.to_frame().equals(nbc.compare(experiment).to_frame())


def test_options_reach_compare(shell, displayed, experiment):
    line = "exp --control 'so so' --adjust bonferroni,holm --alpha 0.1 --formulas printed"
    result = shell.run_line_magic("compare", line)
    assert result.control == "so so"
    assert result.adjust == ("bonferroni", "holm")
    assert result.alpha == 0.1
    assert result.formulas == "printed"
    assert shell.run_line_magic("compare", "exp --adjust none").adjust == ()


@pytest.mark.parametrize(
    ("line", "expected", "n_figures"),
    [
        ("compare exp --ranking auto", lambda e: nbc.compare(e, ranking="auto"), 1),
        (
            "compare_pair exp 'so so' bad --test t",
            lambda e: nbc.compare_pair(e, "so so", "bad", test="t"),
            1,
        ),
        ("multiple_sign_test exp good", lambda e: nbc.multiple_sign_test(e, "good"), 0),
        (
            "contrast_estimation exp --n-resamples 50",
            lambda e: nbc.contrast_estimation(e, n_resamples=50),
            1,
        ),
        ("check_conditions exp", lambda e: nbc.check_conditions(e), 1),
        (
            "compare_stochastic exp --procedure interval --test sign --alpha 0.1",
            lambda e: nbc.compare_stochastic(e, procedure="interval", test="sign", alpha=0.1),
            1,
        ),
        ("recommend exp --control bad", lambda e: nbc.recommend(e, control="bad"), 0),
    ],
)
def test_one_magic_for_each_function(shell, displayed, experiment, line, expected, n_figures):
    magic, _, rest = line.partition(" ")
    result = shell.run_line_magic(magic, rest)
    assert str(result) == str(expected(experiment))
    assert [type(item) for item in displayed] == [nbc.plots.Plot] * n_figures
    with pytest.raises(UsageError, match=f"^%{magic}: there is no 'nothing' here"):
        shell.run_line_magic(magic, rest.replace("exp", "nothing", 1))


def test_assignment_in_a_cell(shell, displayed, experiment):
    done = shell.run_cell("x = %compare exp --control best")
    done.raise_error()
    assert shell.user_ns["x"].control == "good"
    assert done.result is None


def test_as_binds_instead_of_returning(shell, displayed, experiment):
    assert shell.run_line_magic("compare", "exp --as kept") is None
    assert isinstance(shell.user_ns["kept"], nbc.Comparison)
    assert len(displayed) == 1


def test_dataframe_with_direction(shell, displayed):
    shell.user_ns["frame"] = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 3, 4]}, index=list("xyz"))
    result = shell.run_line_magic("compare", "frame --direction minimize --measure seconds")
    assert result.ordered == ("a", "b")
    assert result.design.measure == "seconds"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "%compare: the following arguments are required: NAME"),
        (
            "nothing",
            "%compare: there is no 'nothing' here; name an Experiment or a dataframe of this "
            "notebook.",
        ),
        (
            "frame",
            "%compare: frame is not an Experiment; for a dataframe add --direction maximize "
            "(higher is better) or --direction minimize.",
        ),
        (
            "exp --direction maximize",
            "%compare: --direction is for a dataframe; exp is an Experiment already.",
        ),
        (
            "exp --control goood",
            "%compare: `control` must be one of 'good', 'so so' and 'bad'; got 'goood'. "
            "Did you mean 'good'?",
        ),
        (
            "exp --adjust holmes",
            "%compare: `adjust` must be "
            "'bonferroni', 'sidak', 'holm', 'holland', 'finner', 'hochberg', 'hommel', "
            "'rom', 'li', 'nemenyi', 'shaffer' or 'bergmann-hommel'; "
            "got 'holmes'. Did you mean 'holm'?",
        ),
        ("exp --alpha much", "%compare: argument --alpha: invalid float value: 'much'"),
        ("exp --contr good", "%compare: unrecognized arguments: --contr good"),
        ("exp --as 2x", "%compare: --as needs a name that Python accepts; got '2x'."),
        ("exp --control 'so", "%compare: No closing quotation"),
    ],
)
def test_mistakes_are_usage_errors(shell, displayed, experiment, line, message):
    shell.user_ns["frame"] = pd.DataFrame({"a": [1.0, 2], "b": [2.0, 3]}, index=["x", "y"])
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("compare", line)
    assert str(caught.value) == message
    assert displayed == []


def test_a_thing_that_is_no_table(shell, displayed):
    shell.user_ns["thing"] = 3
    with pytest.raises(UsageError, match=r"^%compare: .*dataframe.*int"):
        shell.run_line_magic("compare", "thing --direction minimize")


def test_help_lists_every_option(shell):
    text = shell.find_line_magic("compare").__doc__
    for option in ("--control", "--ranking", "--adjust", "--alpha", "--as", "--direction"):
        assert option in text


def test_page_trend_takes_histories(shell, displayed, experiment):
    values = np.minimum.accumulate(np.random.default_rng(0).random((6, 2, 3, 20)), axis=3)
    shell.user_ns["logs"] = nbc.Histories.from_array(values, direction="minimize")
    result = shell.run_line_magic("page_trend", "logs --cutpoints 5 --adjust holm --alpha 0.2")
    expected = nbc.compare_convergence(shell.user_ns["logs"], cutpoints=5, adjust="holm", alpha=0.2)
    assert str(result) == str(expected)
    assert [type(item) for item in displayed] == [nbc.plots.Plot]
    with pytest.raises(UsageError, match=r"^%page_trend: it takes a Histories or a dataframe; exp"):
        shell.run_line_magic("page_trend", "exp")
    with pytest.raises(UsageError, match=r"^%compare: it takes an Experiment or a dataframe; logs"):
        shell.run_line_magic("compare", "logs")
    shell.user_ns["frame"] = shell.user_ns["logs"].to_frame()
    again = shell.run_line_magic(
        "page_trend", "frame --direction minimize --cutpoints 5 --adjust holm --alpha 0.2"
    )
    assert str(again.to_frame()) == str(expected.to_frame())


# ----------------------------------------------------------------------------------- reports


@pytest.fixture
def here(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def code_in(path):
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def test_nbreport_exports_the_results_of_the_notebook(shell, displayed, here, capsys):
    (here / "scores.csv").write_text("dataset,a,b,c\nx,1,2,3\ny,2,1,4\nz,1,5,6\nu,2,3,4\n")
    names = shell.user_ns
    names["exp"] = nbc.Experiment.read("scores.csv", direction="minimize")
    names["frame"] = names["exp"].to_frame() * 2
    names["first"] = nbc.compare(names["exp"], control="a", ranking="auto")
    names["result"] = nbc.compare_pair(names["exp"], "a", "b", test="sign")
    names["part"] = nbc.contrast_estimation(names["exp"].select(algorithms=["c", "a"]))
    names["ranks"] = nbc.compare_ranks({"A": 1.2, "B": 1.8}, n_datasets=20, adjust=None)
    names["_hidden"] = nbc.recommend(names["exp"])
    shell.run_line_magic("compare", "frame --direction minimize --as doubled")
    shell.run_line_magic("nbreport", "r.html r.ipynb --title 'My work' --author Ada")
    assert capsys.readouterr().out == "r.html\nr.ipynb\n"
    assert "My work" in (here / "r.html").read_text(encoding="utf-8")
    code = code_in(here / "r.ipynb")
    assert "exp = nbc.Experiment.read('scores.csv', direction='minimize')" in code
    assert "first = nbc.compare(exp, ranking='auto', control='a')" in code
    assert "hidden" not in code
    again = {}
    exec(code, again)  # its cells run again, here
    for name in ("first", "result", "part", "ranks", "doubled"):
        assert again[name].to_json() == names[name].to_json()


def test_nbreport_of_what_is_named(shell, displayed, here, experiment, capsys):
    shell.user_ns["one"] = nbc.compare(experiment)
    shell.user_ns["two"] = nbc.recommend(experiment)
    shell.run_line_magic("nbreport", "two r.ipynb")
    code = code_in(here / "r.ipynb")
    assert "two = nbc.recommend(exp)" in code
    assert "one" not in code
    shell.user_ns["told"] = nbc.Report(experiment, title="Told", sections=["data", "Own words."])
    shell.run_line_magic("nbreport", "told r.ipynb --author Ada")
    notebook = nbformat.read(here / "r.ipynb", as_version=4)
    assert (notebook.metadata.title, notebook.metadata.authors) == ("Told", [{"name": "Ada"}])
    assert notebook.cells[-1].source == "Own words."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the following arguments are required: FILE_OR_NAME"),
        ("one", "name a file to write, which ends in .html or .ipynb."),
        ("r.html nothing", "there is no 'nothing' here; results are 'one' and 'drawn'."),
        ("r.html exp", "exp must be a result of nbcompare; it is of class Experiment."),
        ("nowhere/r.html one", "cannot write nowhere/r.html: there is no folder "),
        ("r.html drawn", "'drawn' was drawn by a generator of random numbers without a seed"),
        ("r.html one --timeout soon", "argument --timeout: invalid float value: 'soon'"),
    ],
)
def test_mistakes_about_reports(shell, displayed, here, experiment, line, message):
    shell.user_ns["one"] = nbc.compare(experiment)
    shell.user_ns["drawn"] = nbc.contrast_estimation(experiment, rng=np.random.default_rng(1))
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("nbreport", line)
    assert str(caught.value).startswith(f"%nbreport: {message}")
    assert list(here.iterdir()) == []


def test_a_report_needs_results_and_the_data_behind_them(shell, displayed, here, experiment):
    with pytest.raises(UsageError, match=r"^%nbreport: there are no results to report"):
        shell.run_line_magic("nbreport", "r.html")
    shell.user_ns["one"] = nbc.compare(experiment)
    del shell.user_ns["exp"]
    with pytest.raises(UsageError, match="'one' cannot be reported: what it was computed from is"):
        shell.run_line_magic("nbreport", "r.html")
