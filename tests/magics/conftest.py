"""A real shell, without a kernel."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

import nbcompare as nbc


@pytest.fixture
def shell(monkeypatch, tmp_path):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # IPython warns of one that is not its own
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.extension_manager.load_extension("nbcompare")
    yield shell
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


@pytest.fixture
def displayed(shell, monkeypatch):
    """What a magic displays by itself."""
    shown = []
    monkeypatch.setattr("nbcompare.magics._magics.display", shown.append)
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
