"""Folders in which files lie that Python or Jupyter might take for their own: none of them runs.

Every file here leaves its name in a list when it is run. Reports are written to such a folder,
from such a folder, and by the processes of a builder that works in one.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nbcompare as nbc
from nbcompare.widgets import _exporting, _worker

# What the processes import is among these, whatever it is.
THIRD = {name for name in importlib.metadata.packages_distributions() if name.isidentifier()}
OWN = {"nbcompare", "sitecustomize", "usercustomize", "conftest"}
MODULES = sorted({*sys.stdlib_module_names, *THIRD, *OWN})
SETTINGS = [
    f"{folder}{name}.py"
    for folder in ("", "profile_default/", ".ipython/profile_default/", ".jupyter/", "etc/jupyter/")
    for name in (
        *("ipython_config", "ipython_kernel_config", "ipython_nbconvert_config"),
        *("jupyter_config", "jupyter_nbconvert_config", "jupyter_kernel_config"),
    )
] + [
    f"{folder}startup/00-first.{kind}"
    for folder in ("", "profile_default/", ".ipython/profile_default/")
    for kind in ("py", "ipy")
]
# Every template that ours are made of: a template of Jinja is a program.
TEMPLATES = [
    f"{folder}{name}/{file}.j2"
    for folder in ("", "templates/", "nbconvert/templates/", "share/jupyter/nbconvert/templates/")
    for name in (".", "nbcompare", "nbcompare-pdf", "nbcompare-latex", "base")
    for file in (
        *("index.html", "index.typ", "index.tex", "preamble.tex", "null", "base"),
        *("celltags", "cell_id_anchor", "display_priority", "mathjax.html"),
    )
]


class Traps:
    """Folders full of traps, and the list of those that somebody stepped into."""

    def __init__(self, room):
        self.room, self._list = room, room / "ran"

    @property
    def ran(self):
        return self._list.read_text().split() if self._list.exists() else []

    def folder(self, name, *, modules=MODULES, packages=False):
        folder = self.room / name
        for module in modules:
            self._write(folder / (f"{module}/__init__.py" if packages else f"{module}.py"))
        for file in SETTINGS:
            self._write(folder / file)
        for file in TEMPLATES:
            command = f"echo {name}/{file} >> {self._list}"
            run = f"{{{{ cycler.__init__.__globals__.os.system({command!r}) }}}}"
            self._write(folder / file, run)
        kernel = {"argv": ["sh", "-c", f"echo kernel.json >> {self._list}"], "display_name": "x"}
        for file in ("kernel.json", "share/jupyter/kernels/python3/kernel.json"):
            self._write(folder / file, json.dumps({**kernel, "language": "python"}))
        self._write(folder / "base/conf.json", "no JSON")
        return folder

    def _write(self, file, text=None):
        file.parent.mkdir(parents=True, exist_ok=True)
        told = f"{file.relative_to(self.room)}\n"
        file.write_text(text or f"open({str(self._list)!r}, 'a').write({told!r})\n")


@pytest.fixture
def traps(tmp_path):
    return Traps(tmp_path)


def run(folder, *line, **environment):
    done = subprocess.run(
        line, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_a_trap_is_heard(traps):
    folder = traps.folder("folder", modules=["alpha"])
    run(folder, sys.executable, "-c", "import alpha")
    run(
        folder,
        sys.executable,
        "-c",
        "import jinja2; jinja2.Template(open('null.j2').read()).render()",
    )
    assert traps.ran == ["folder/alpha.py", "folder/./null.j2"]


def test_a_report_runs_nothing_from_where_it_is_made_or_written(traps):
    here, there = traps.folder("here", packages=True), traps.folder("there")
    outputs = [
        word for kind in ("ipynb", "html", "pdf", "tex") for word in ("-o", there / f"r.{kind}")
    ]
    command = Path(sys.executable).with_name("nbcompare")
    run(here, command, "report", "--example", "demsar2006", *outputs)
    assert (there / "r.html").stat().st_size > 10_000
    assert traps.ran == []


def test_the_module_as_a_program_imports_nothing_from_where_it_is_called(traps):
    # The standard library is Python's own to find: with -m it has looked here before we are asked.
    here = traps.folder("here", modules=sorted(THIRD - {"nbcompare"}))
    package = Path(nbc.__file__).parent.parent
    line = ("-m", "nbcompare", "compare", "--example", "demsar2006")
    run(here, sys.executable, *line, PYTHONPATH=str(package))
    assert traps.ran == []


def test_the_processes_of_a_builder_import_nothing_from_its_folder(traps, monkeypatch):
    here, there = traps.folder("here"), traps.folder("there", packages=True)
    monkeypatch.chdir(here)
    experiment = nbc.datasets.load("demsar2006")
    report = nbc.Report(experiment, sections=["data"])
    export = _exporting.Export.of(report, (str(there / "r.ipynb"),))
    worker, said = _worker.started(), []
    try:
        for task in (_worker.Task("compare", experiment, {}), export):
            _worker._ask(worker, task, lambda *words: said.append(words))
    finally:
        _worker.end(worker)
    compared, written = (values for kind, *values in said if kind == "done")
    assert isinstance(*compared, type(nbc.compare(experiment)))
    assert written == [(there / "r.ipynb",)]
    assert traps.ran == []
