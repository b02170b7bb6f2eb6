"""Settings that lines need not say again."""

import atexit

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import nbcompare as nbc
from nbcompare._display import USUAL, current
from nbcompare.magics import register


@pytest.fixture(autouse=True)
def as_before():
    """How results look is the same for the next test."""
    with nbc.set_options():
        yield


@pytest.mark.slow
def test_a_level_for_all_lines(shell, displayed, experiment, capsys):
    shell.run_line_magic("nbcompare_config", "--alpha 0.2")
    result = shell.run_line_magic("compare", "exp")
    assert result.alpha == 0.2
    assert "α = 0.2" in str(result)
    assert shell.run_line_magic("compare", "exp --alpha 0.01").alpha == 0.01
    # of intervals, not of a test
    assert shell.run_line_magic("contrast_estimation", "exp").confidence == 0.95
    shell.run_line_magic("config", "ComparisonMagics.alpha = 0.3")
    assert shell.run_line_magic("recommend", "exp").design.options["alpha"] == 0.3
    capsys.readouterr()
    shell.run_line_magic("nbcompare_config", "--reset")
    assert capsys.readouterr().out == (
        "alpha      0.05\n"
        "direction  none: each line about a table must give it\n"
        "digits     3\n"
        "theme      light\n"
    )
    assert shell.run_line_magic("compare", "exp").alpha == 0.05


def test_a_direction_for_tables(shell, displayed, experiment, here, capsys):
    (here / "scores.csv").write_text("dataset,a,b\nx,1,2\ny,2,3\n")
    shell.run_line_magic("nbcompare_config", "--direction minimize")
    assert "direction  minimize\n" in capsys.readouterr().out
    assert shell.run_line_magic("compare", "scores.csv").ordered == ("a", "b")
    said = shell.run_cell_magic("compare", "--direction maximize", "dataset,a,b\nx,1,2\ny,2,3")
    assert said.ordered == ("b", "a")
    assert shell.run_line_magic("compare", "exp").design.direction == "maximize"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--alpha 2", "--alpha must be a number between 0 and 1, exclusive; got 2.0."),
        (
            "--direction maximise",
            "--direction must be 'maximize' or 'minimize'; got 'maximise'. "
            "Did you mean 'maximize'?",
        ),
        ("alpha=0.1", "it takes options only, as in --alpha 0.1; got 'alpha=0.1'."),
        ("--digits 1", "--digits must be a whole number of at least 2; got 1."),
        ("--digits 9", "--digits must be at most 8; got 9."),
        ("--digits many", "--digits must be a whole number; got 'many'."),
        ("--theme drak", "--theme must be 'light' or 'dark'; got 'drak'. Did you mean 'dark'?"),
        ("--colour red", "there is no option --colour. %nbcompare_config? lists the options."),
    ],
)
def test_settings_that_make_no_sense(shell, displayed, experiment, line, message):
    with pytest.raises(UsageError) as caught:
        shell.run_line_magic("nbcompare_config", line)
    assert str(caught.value) == f"%nbcompare_config: {message}"
    assert shell.run_line_magic("compare", "exp").alpha == 0.05
    assert current() == USUAL


@pytest.mark.slow
def test_how_results_look(shell, displayed, experiment, capsys):
    shell.run_line_magic("nbcompare_config", "--digits 5 --theme dark")
    assert capsys.readouterr().out.endswith("digits     5\ntheme      dark\n")
    result = shell.run_line_magic("compare", "exp")
    assert f"{result.average_ranks['good']:.5f}" in str(result)
    dark = displayed[0]._repr_mimebundle_()[0]["image/svg+xml"]
    shell.run_line_magic("config", "ComparisonMagics.theme = 'light'")
    assert displayed[0]._repr_mimebundle_()[0]["image/svg+xml"] != dark
    shell.run_line_magic("nbcompare_config", "--reset")
    assert current() == USUAL
    assert f"{result.average_ranks['good']:.5f}" not in str(result)


def test_the_magics_see_what_python_set(shell, capsys):
    shell.run_cell("import nbcompare as nbc; nbc.set_options(digits=6, theme='dark');")
    shell.run_cell("%nbcompare_config")
    assert capsys.readouterr().out.endswith("digits     6\ntheme      dark\n")
    shell.run_cell("%nbcompare_config --digits 3")  # what the magics had before
    assert current().digits == 3
    assert current().theme == "dark"


def test_the_configuration_of_ipython(monkeypatch, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    own = {"ComparisonMagics": {"alpha": 0.2, "digits": 4}, "HistoryManager": {"enabled": False}}
    shell = InteractiveShell(config=Config(own))  # beside the one of the other tests
    atexit.unregister(shell.atexit_operations)
    register(shell)
    register(shell)  # the extension is loaded again: nothing is there twice
    magics = [one for one in shell.configurables if type(one).__name__ == "ComparisonMagics"]
    assert [one.alpha for one in magics] == [0.2]
    assert current().digits == 4
    assert len(shell.Completer.custom_matchers) == 1
