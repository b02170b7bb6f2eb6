"""The package as a whole: what it exports, and what importing it costs."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare import results


def printed_by(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_version_is_that_of_the_citation_and_of_the_changelog():
    root = Path(nbc.__file__).parents[1]
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    found = dict(re.findall(r'^(version|date-released): "?([^"\n]+)', citation, re.MULTILINE))
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line for line in changelog.splitlines() if line.startswith("## ")]
    newest = next(line for line in headings if re.match(r"## \d", line))
    assert newest == f"## {found['version']} ({found['date-released']})"
    # between two releases, what has changed is listed above the last one
    is_between = nbc.__version__.endswith(".dev0")
    assert is_between == (headings[0] == "## Unreleased")
    assert is_between == (nbc.__version__ != found["version"])


HEAVY = {"pandas", "matplotlib", "IPython", "narwhals"}
NOTEBOOKS = {"nbconvert", "nbformat", "nbclient"}
UNNEEDED = {
    "import nbcompare": {"numpy", "scipy", "pandas", "matplotlib", "IPython", "narwhals"}
    | NOTEBOOKS,
    "import nbcompare.stats.omnibus": {"pandas", "matplotlib", "IPython", "narwhals"},
    "import nbcompare.analysis, nbcompare.results": {"scipy"},
    "import nbcompare as n; n.compare(n.datasets.load('demsar2006'))": {"matplotlib"} | NOTEBOOKS,
    "import nbcompare.plots": {"scipy.stats"},
    "from nbcompare.widgets import *": {"jsonschema", "jupyter_client"} | NOTEBOOKS,
    "import nbcompare.widgets._worker": {"ipywidgets", "anywidget", "IPython", "matplotlib"},
}


@pytest.mark.slow
@pytest.mark.parametrize("statement", UNNEEDED)
def test_nothing_is_imported_that_is_not_needed(statement):
    loaded = {*printed_by(f"import sys; {statement}; print(*sys.modules)")}
    assert "nbcompare" in loaded
    assert not loaded & UNNEEDED[statement]


@pytest.mark.slow
def test_the_command_compare_imports_only_what_it_uses(tmp_path):
    table = tmp_path / "scores.csv"
    table.write_text(nbc.datasets.load("demsar2006").to_frame().to_csv())
    line = ["compare", str(table), "--direction", "maximize"]
    code = f"""
import sys
from nbcompare.cli import main
assert not main({line!r})
print(*sys.modules)
"""
    printed = printed_by(code)
    assert "C4.5+m+cf has the best average rank" in " ".join(printed)
    heavy = {"scipy.stats", "scipy.optimize", "scipy.sparse.csgraph", "pandas", "matplotlib"}
    heavy |= {"polars", "tornado", "ipywidgets", "nbformat", "nbcompare.histories"}
    others = {"bayesian", "convergence", "stochastic", "aggregates", "varied", "crossval", "items"}
    own = {f"nbcompare.{room}.{name}" for room in ("analysis", "results") for name in others}
    assert not (heavy | own) & {*printed}


@pytest.mark.slow
def test_a_result_is_read_in_a_process_that_has_made_none_of_its_kind(tmp_path):
    saved = tmp_path / "result.json"
    saved.write_text(nbc.describe(nbc.datasets.load("demsar2006")).to_json())
    code = f"""
from pathlib import Path
from nbcompare.results import from_json
print(type(from_json(Path({str(saved)!r}).read_text())).__name__)
"""
    assert printed_by(code) == ["Description"]


@pytest.mark.slow
def test_a_small_file_is_read_alike_before_and_after_pandas_is_imported(tmp_path):
    table = tmp_path / "scores.csv"
    frame = nbc.datasets.load("demsar2006").to_frame()
    table.write_text((frame / 7).to_csv())
    code = f"""
import sys
import nbcompare as nbc
before = nbc.Experiment.read({str(table)!r}, direction="maximize").fingerprint
print("pandas" in sys.modules)
import pandas
print(nbc.Experiment.read({str(table)!r}, direction="maximize").fingerprint == before)
"""
    assert printed_by(code) == ["False", "True"]


# What the standard library has on POSIX only; its own modules that use it are imported before.
_ELSEWHERE = """
import asyncio, multiprocessing, os, pkgutil, signal, subprocess, sys, tempfile
from importlib import import_module
for name in ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
for name in ("O_DIRECTORY", "O_NOFOLLOW", "chown", "fork", "getpgrp", "killpg", "mkfifo"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGSTOP", "SIGUSR1"):
    delattr(signal, name)
import nbcompare
for module in pkgutil.walk_packages(nbcompare.__path__, "nbcompare."):
    if "._templates" not in module.name and not module.name.endswith("__main__"):
        import_module(module.name)
from nbcompare.cli import main
assert not main(["compare", "--example", "demsar2006"])
result = nbcompare.compare(nbcompare.datasets.load("demsar2006"))
nbcompare.plots.save(nbcompare.plots.cd_diagram(result), "a.svg")
"""


@pytest.mark.slow
def test_every_module_and_a_comparison_need_nothing_that_only_posix_has(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "C4.5+m+cf has the best average rank" in done.stdout
    assert (tmp_path / "a.svg").exists()


def test_public_names_are_there():
    assert set(nbc.__all__) <= set(dir(nbc))
    assert not [name for name in nbc.__all__ if getattr(nbc, name) is None]


@pytest.mark.parametrize("module", [nbc, results])
def test_unknown_name(module):
    with pytest.raises(AttributeError, match=rf"'{module.__name__}' has no attribute 'comparee'$"):
        module.comparee  # noqa: B018


@pytest.mark.parametrize("package", ["report", "project"])
def test_public_names_of_a_package_can_be_imported(package):
    module = importlib.import_module(f"nbcompare.{package}")
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
