"""Settings that lines need not say again."""

import atexit

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from nbcompare.magics import register


def settle(shell, name, value):
    shell.run_line_magic("config", f"ComparisonMagics.{name} = {value!r}")


def test_a_level_for_all_lines(shell, displayed, experiment):
    settle(shell, "alpha", 0.2)
    result = shell.run_line_magic("compare", "exp")
    assert result.alpha == 0.2
    assert shell.run_line_magic("compare", "exp --alpha 0.01").alpha == 0.01
    # of intervals, not of a test
    assert shell.run_line_magic("contrast_estimation", "exp").confidence == 0.95
    assert shell.run_line_magic("recommend", "exp").design.options["alpha"] == 0.2
    settle(shell, "alpha", None)
    assert shell.run_line_magic("compare", "exp").alpha == 0.05


def test_a_direction_for_tables(shell, displayed, experiment, here):
    (here / "scores.csv").write_text("dataset,a,b\nx,1,2\ny,2,3\n")
    settle(shell, "direction", "minimize")
    assert shell.run_line_magic("compare", "scores.csv").ordered == ("a", "b")
    said = shell.run_cell_magic("compare", "--direction maximize", "dataset,a,b\nx,1,2\ny,2,3")
    assert said.ordered == ("b", "a")
    assert shell.run_line_magic("compare", "exp").design.direction == "maximize"


@pytest.mark.parametrize(("name", "value"), [("alpha", 2), ("direction", "maximise")])
def test_settings_that_make_no_sense(shell, displayed, experiment, name, value):
    settle(shell, name, value)  # IPython says what is wrong
    magics = shell.magics_manager.registry["ComparisonMagics"]
    assert (magics.alpha, magics.direction) == (None, None)


def test_the_configuration_of_ipython(monkeypatch, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    own = {"ComparisonMagics": {"alpha": 0.2}, "HistoryManager": {"enabled": False}}
    shell = InteractiveShell(config=Config(own))  # beside the one of the other tests
    atexit.unregister(shell.atexit_operations)
    register(shell)
    register(shell)  # the extension is loaded again: nothing is there twice
    magics = [one for one in shell.configurables if type(one).__name__ == "ComparisonMagics"]
    assert [one.alpha for one in magics] == [0.2]
    assert len(shell.Completer.custom_matchers) == 1
