"""The extension is loaded, unloaded and loaded again."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import nbcompare as nbc
from nbcompare.magics import Completion


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A shell of its own, which has loaded nothing."""
    import atexit

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    shell.user_ns["exp"] = nbc.datasets.load("demsar2006")
    yield shell
    atexit.unregister(shell.atexit_operations)


def run(shell, source):
    done = shell.run_cell(source)
    done.raise_error()
    return done.result


def traces(shell):
    """Whatever the extension leaves in a shell."""
    manager = shell.magics_manager
    ours = [
        *shell.input_transformers_post,
        *(name for kind in manager.magics.values() for name in kind if "compare" in name),
        *(name for name in manager.registry if name == "ComparisonMagics"),
        *(each for each in shell.configurables if type(each).__module__.startswith("nbcompare")),
        *(
            each
            for each in shell.Completer.custom_matchers
            if isinstance(getattr(each, "__self__", None), Completion)
        ),
    ]
    callbacks = [each for kind in shell.events.callbacks.values() for each in kind]
    return ours + [
        each
        for each in callbacks
        if type(getattr(each, "__self__", None)).__module__.startswith("nbcompare")
    ]


@pytest.mark.slow
def test_unloading_leaves_nothing_behind(shell, capsys):
    assert traces(shell) == []
    run(shell, "%load_ext nbcompare")
    loaded = len(traces(shell))
    assert repr(run(shell, "%compare exp")).startswith("<Comparison: ")
    run(shell, "%unload_ext nbcompare")
    assert "doesn't define how to unload" not in capsys.readouterr().out
    assert traces(shell) == []
    shell.run_cell("%compare exp")
    assert "Line magic function `%compare` not found" in "".join(capsys.readouterr())
    run(shell, "1 + 1")  # no callback is missed
    for again in ("%load_ext nbcompare", "%reload_ext nbcompare"):
        run(shell, again)
        assert len(traces(shell)) == loaded
        assert repr(run(shell, "%compare exp")).startswith("<Comparison: ")


def test_unloading_what_is_not_loaded_does_nothing(shell):
    nbc.unload_ipython_extension(shell)
    assert traces(shell) == []
