"""Settings for every test; imports nothing that the statistics do not need."""

import functools
import gc
import os
import sys
import types
from pathlib import Path

# The matrices of tests are small, and each processor has a worker: threads of OpenBLAS would only
# wait for one another, for most of the processor's time. It reads this when numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import hypothesis
import pytest

# Thousands of tests and figures live until the end. To look through them all for garbage after
# every few hundred objects, as Python does, takes a seventh of the time.
gc.set_threshold(50_000, 20, 20)

# The same examples each time; the weekly run has more of them.
_EXAMPLES = int(os.environ.get("NBCOMPARE_EXAMPLES", "50"))
hypothesis.settings.register_profile(
    "nbcompare", derandomize=True, deadline=None, max_examples=_EXAMPLES
)
hypothesis.settings.load_profile("nbcompare")

_ROOT = Path(__file__).parent.parent
# Whole folders of slow tests; others say so themselves. They run with -m slow, or -m "" for all;
# those of a week are slow, too.
_SLOW = ("tests/browser/", "tests/hostile/", "notebooks/")
_QUICK = ("notebooks/01_quickstart.ipynb",)

# Notebooks of simulations, as they are delivered, take minutes
os.environ.setdefault("NBCOMPARE_REPETITIONS", "1")


@pytest.fixture
def usual_main(monkeypatch):
    """The main module as processes that are started look at it; shells of IPython replace it."""
    monkeypatch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))


@pytest.fixture(scope="module")
def ipython(tmp_path_factory):
    """A real shell with our magics, without a kernel.

    One for all tests of a file: to make one, and to end one, takes half a second.
    """
    import atexit

    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.delenv("VIRTUAL_ENV", raising=False)  # IPython warns of one that is not its own
        InteractiveShell.clear_instance()
        shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
        shell.extension_manager.load_extension("nbcompare")
        yield shell
        atexit.unregister(shell.atexit_operations)
        InteractiveShell.clear_instance()


@pytest.fixture
def started(tmp_path):
    """Start ``nbcompare app`` in a folder; yields the process, which may be killed, its address."""
    import contextlib
    import re
    import signal
    import subprocess
    import tempfile
    import time

    work, log = tmp_path / "work", tmp_path / "app.log"
    work.mkdir()

    @contextlib.contextmanager
    def started(*arguments, killed=False):
        # with a path that is short enough for those of sockets in it
        with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as scratch, log.open("w") as out:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "nbcompare", "app", "--no-browser", *arguments],
                cwd=work,
                env={**os.environ, "TMPDIR": scratch},
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                deadline = time.monotonic() + 240
                while not (found := re.search(r"http://\S+", log.read_text())):
                    assert process.poll() is None, log.read_text()
                    assert time.monotonic() < deadline
                    time.sleep(0.1)
                (private,) = Path(scratch).iterdir()
                assert private.stat().st_mode & 0o077 == 0
                yield process, found[0]
                if not killed:
                    process.send_signal(signal.SIGINT)
                    assert process.wait(120) == 0
                    assert not list(Path(scratch).iterdir())
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        assert "Traceback" not in log.read_text()

    return started


@pytest.fixture(scope="session")
def site():
    """The folder of the built documentation, which the environment names."""
    named = os.environ.get("NBCOMPARE_DOCS", "")
    if not (Path(named) / "index.html").is_file():
        reason = "no documentation: build it with sphinx-build, and name it in NBCOMPARE_DOCS"
        if os.environ.get("NBCOMPARE_REQUIRE_DOCS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return Path(named).resolve()


def pytest_ignore_collect(collection_path, config):
    """Do not import a folder of slow tests of which none is to run."""
    if config.option.markexpr == "not slow" and _is_slow(collection_path / "any"):
        return True
    return None


@functools.cache
def _is_slow(path):
    """Whether all tests of a file are slow ones."""
    where = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else ""
    return where.startswith(_SLOW) and where not in _QUICK


def pytest_collection_modifyitems(items):
    """Mark the tests of whole folders, and skip what this system has not."""
    for item in items:
        if os.name != "posix" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="only POSIX has what it needs"))
        if _is_slow(item.path) or item.get_closest_marker("weekly"):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish():
    """Look for no garbage among the modules and the tests, which all stay."""
    gc.freeze()
