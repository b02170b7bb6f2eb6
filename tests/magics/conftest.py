"""The shell of tests of magics, as a user has it who has just begun."""

import pytest

import nbcompare as nbc
from nbcompare.magics._result_log import ResultLog


@pytest.fixture
def shell(ipython):
    """Without anything that another test has left in it."""
    magics = ipython.magics_manager.registry["ComparisonMagics"]
    magics.alpha = magics.direction = None
    magics.log = ResultLog()
    ipython.user_ns.clear()  # reset() would collect all garbage, which takes half a second
    ipython.init_user_ns()
    return ipython


@pytest.fixture
def displayed(shell, monkeypatch):
    """What a magic displays by itself."""
    shown = []
    monkeypatch.setattr("nbcompare.magics._data_line.display", shown.append)
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


@pytest.fixture
def here(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
