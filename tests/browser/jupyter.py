"""A JupyterLab or Notebook 7 for tests: its server, and what a person does in its page.

A module of its own and no conftest: it is imported by path, as everything here is.
"""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import nbformat
import nbformat.reader

LIMIT = 240_000  # milliseconds, of a busy machine
_ADDRESS = {"lab": "lab/workspaces/{workspace}/tree/{name}?reset&", "notebook": "notebooks/{name}?"}
_READY = """() => {
    const panel = window.jupyterapp && window.jupyterapp.shell.currentWidget;
    const session = panel && panel.sessionContext;
    const kernel = session && session.session && session.session.kernel;
    return !!(session && session.isReady && kernel && kernel.connectionStatus === 'connected');
}"""
# What others say on the console, of an empty notebook too: files of the page that are not
# there, extensions, connections that end with the kernel, settings and checkpoints of Notebook 7,
# commands of JupyterLab that Notebook 7 does not have.
_NOT_OURS = (
    "favicon",
    "Failed to load resource",
    "source map",
    "extension",
    "WebSocket",
    "undefined (reading 'schema')",
    "undefined (reading 'last_modified')",
    "' not registered",
)


class Jupyter:
    """One server on a free port of this machine, with a folder of its own."""

    def __init__(self, app, folder):
        self.app, self.folder = app, Path(folder)
        self.files = self.folder / "files"
        self.files.mkdir(parents=True, exist_ok=True)
        self._token = secrets.token_hex(16)
        self._process = None

    def start(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        own = {
            f"JUPYTER_{name}_DIR": str(self.folder / name.lower()) for name in ("CONFIG", "DATA")
        }
        # Kernels have their sockets there, whose paths may have no more than 107 letters.
        self._runtime = tempfile.mkdtemp(prefix="jupyter-")
        own["JUPYTER_RUNTIME_DIR"] = self._runtime
        environment = {**os.environ, **own, "IPYTHONDIR": str(self.folder / "ipython")}
        environment["JUPYTERLAB_WORKSPACES_DIR"] = str(self.folder / "workspaces")
        environment["JUPYTERLAB_SETTINGS_DIR"] = str(self.folder / "settings")
        self._log = (self.folder / "server.log").open("w")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyter", self.app, "--no-browser", "--allow-root"),
                "--ServerApp.ip=127.0.0.1",
                f"--ServerApp.port={self._port}",
                "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={self._token}",
                f"--ServerApp.root_dir={self.files}",
                "--KernelManager.transport=ipc",
                "--expose-app-in-browser",
            ],
            env=environment,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        deadline = time.monotonic() + LIMIT / 1000
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            with contextlib.suppress(OSError):
                self.api("status")
                return self
            time.sleep(0.1)
        log = (self.folder / "server.log").read_text()
        self.stop()
        raise RuntimeError(f"jupyter {self.app} did not start:\n{log}")

    def stop(self):
        if self._process is not None:
            with contextlib.suppress(OSError):
                self.end_kernels()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            self._log.close()
            shutil.rmtree(self._runtime, ignore_errors=True)

    def api(self, path, method="GET"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/api/{path}",
            method=method,
            headers={"Authorization": f"token {self._token}"},
        )
        with urllib.request.urlopen(request, timeout=LIMIT / 1000) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def end_kernels(self):
        for session in self.api("sessions"):
            self.api(f"sessions/{session['id']}", "DELETE")

    def write(self, name, *cells):
        """A notebook with these cells of code."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, self.files / name)
        return self.files / name

    def address(self, name):
        part = _ADDRESS[self.app].format(name=name, workspace=secrets.token_hex(4))
        return f"http://127.0.0.1:{self._port}/{part}token={self._token}"


class Page:
    """A notebook in a page: cells are run and outputs found, by number from 0."""

    def __init__(self, jupyter, browser, name, *, width=1400, height=1000, **options):
        self.jupyter, self.name, self.problems = jupyter, name, []
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            permissions=["clipboard-read", "clipboard-write"],
            **options,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(LIMIT)
        self.page.on("pageerror", lambda error: self._problem(str(error)))
        self.page.on("console", lambda line: line.type == "error" and self._problem(line.text))
        self.page.goto(jupyter.address(name))
        self.ready()

    def _problem(self, text):
        if not any(word in text for word in _NOT_OURS):
            self.problems.append(text)

    def ready(self):
        self.page.wait_for_function(_READY)

    def command(self, name, **arguments):
        """Have the application do something; it is not waited for."""
        self.page.evaluate(
            "([name, args]) => { window.jupyterapp.commands.execute(name, args) }",
            [name, arguments],
        )

    def select(self, cell):
        """Make a cell the active one."""
        self.page.evaluate(
            "(i) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i }", cell
        )

    def show(self, cell):
        """Scroll to a cell: what is off the screen is not there in some versions."""
        self.page.evaluate(
            "(i) => { window.jupyterapp.shell.currentWidget.content.scrollToItem(i) }", cell
        )

    def run(self, cell):
        """Run one cell."""
        self.select(cell)
        self.command("notebook:run-cell")

    def run_all(self):
        self.command("notebook:run-all-cells")

    def add_and_run(self, source):
        """A new cell at the end with this code, which is run; its number."""
        number = self.page.evaluate(
            """(source) => {
                const panel = window.jupyterapp.shell.currentWidget;
                const cells = panel.content.model.sharedModel;
                cells.insertCell(cells.cells.length, {cell_type: 'code', source: source});
                return cells.cells.length - 1;
            }""",
            source,
        )
        self.run(number)
        return number

    def hold_kernel(self):
        """Keep the kernel busy with a cell: its number, and what lets the kernel go."""
        end = self.jupyter.files / f"{self.name}.end"
        end.unlink(missing_ok=True)
        wait = f"while not pathlib.Path({end.name!r}).exists():\n    time.sleep(0.05)"
        return self.add_and_run(f"import pathlib, time\n{wait}\nprint('free')"), end.touch

    def text_of(self, cell):
        """What the outputs of a cell hold as plain text, when it is done."""
        done = """(i) => {
            const cell = window.jupyterapp.shell.currentWidget.content.widgets[i].model;
            return cell.executionCount !== null && cell.outputs.length > 0;
        }"""
        self.page.wait_for_function(done, arg=cell)
        return self.page.evaluate(
            """(i) => {
                const cell = window.jupyterapp.shell.currentWidget.content.widgets[i].model;
                return cell.sharedModel.getOutputs().map(output => {
                    const data = output.data ? output.data['text/plain'] : output.text;
                    return Array.isArray(data) ? data.join('') : data || output.evalue || '';
                }).join('\\n');
            }""",
            cell,
        )

    def choose(self, on, label, words):
        """Select a word in a list, or several, as they are read.

        Some versions of the widgets have spaces that do not break between words.
        """
        texts = [words] if isinstance(words, str) else list(words)
        box = on.get_by_label(label, exact=True)
        places = """([box, texts]) => {
            const shown = [...box.options].map(o => o.textContent.replaceAll(/\\s+/g, ' ').trim());
            const places = texts.map(text => shown.indexOf(text));
            return places.includes(-1) ? null : places;
        }"""
        found = self.page.wait_for_function(places, arg=[box.element_handle(), texts])
        box.select_option(index=found.json_value())

    def saved_with(self, wanted):
        """The notebook as saved when ``wanted`` holds of the file's text."""
        file, deadline = self.jupyter.files / self.name, time.monotonic() + LIMIT / 1000
        while time.monotonic() < deadline:
            self.command("docmanager:save")
            self.page.wait_for_timeout(300)  # between two saves
            with contextlib.suppress(nbformat.reader.NotJSONError):  # it is being written
                notebook = nbformat.read(file, as_version=4)
                if wanted(json.dumps(notebook, ensure_ascii=False)):
                    return notebook
        raise AssertionError(f"{self.name} was not saved as wanted:\n{file.read_text()[:5000]}")

    def reload(self, *, kernel=True):
        """Load the page again; with another kernel, the widgets are gone."""
        if not kernel:
            self.jupyter.end_kernels()
        self.page.goto(self.jupyter.address(self.name))
        self.ready()

    def close(self):
        self.context.close()
