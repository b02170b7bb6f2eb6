"""Builders in hosts that are no Jupyter: marimo, running and being edited, and Panel."""

import contextlib
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator
from playwright.sync_api import expect as eventually

import nbcompare as nbc

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LIMIT = 240  # seconds, of a busy machine
MARIMO = """\
import marimo

app = marimo.App()


@app.cell
def _():
    import nbcompare as nbc

    builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))
    builder
    return (builder, nbc)


@app.cell
def _(nbc):
    nbc.DataBuilder()
    return


if __name__ == "__main__":
    app.run()
"""
PANEL = """\
import panel as pn

import nbcompare as nbc

pn.extension("ipywidgets")
builder = nbc.CDDiagramBuilder(nbc.datasets.load("demsar2006"))
pn.Column("A builder", builder, nbc.DataBuilder()).servable()
"""
HOSTS = {
    "marimo run": (MARIMO, ["marimo", "run", "--headless", "--no-token"], ""),
    "marimo edit": (MARIMO, ["marimo", "edit", "--headless", "--no-token"], ""),
    "panel": (PANEL, ["panel", "serve"], "show"),
}
NEEDS = {"marimo": ["marimo"], "panel": ["panel", "ipywidgets_bokeh"]}
# Panel's widgets come from a CDN; this is what the CDN has of anywidget
CDN = "https://unpkg.com/anywidget@"
# The share of a box, looked at in a grid, that is behind something else; a host puts the builder
# into a part of the page for itself
HIDDEN = """(one) => {
    const box = one.getBoundingClientRect();
    const at = (x, y) => one.getRootNode().elementFromPoint(x, y);
    const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
    const points = steps.flatMap((i) => steps.map((j) => [i, j]));
    const seen = points.filter(([i, j]) => {
        const found = at(box.left + box.width * i, box.top + box.height * j);
        return found && (one.contains(found) || found.contains(one));
    });
    return 1 - seen.length / points.length;
}"""


class Host:
    """A host's server on a free port, and the builder in its page."""

    def __init__(self, name, folder, browser):
        source, command, part = HOSTS[name]
        file = folder / "show.py"
        file.write_text(source)
        # an editor otherwise waits to be told to run the cells
        settings = "[tool.marimo.runtime]\nauto_instantiate = true\n"
        (folder / "pyproject.toml").write_text(settings)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/{part}"
        self._log = folder / "server.log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *command, str(file), "--port", str(port), *_at(name)],
                cwd=folder,
                env={**os.environ, "HOME": str(folder), "BOKEH_RESOURCES": "server"},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._context = browser.new_context(viewport={"width": 1000, "height": 900})
        self.page = self._context.new_page()
        self.asked, self.problems = set(), []
        self.page.route(lambda url: urlsplit(url).hostname != "127.0.0.1", self._outside)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.on = self.page.get_by_role("group", name="CDDiagramBuilder")
        self.data = self.page.get_by_role("group", name="DataBuilder")

    def open(self):
        """Wait for the server, then for the figure."""
        deadline = time.monotonic() + LIMIT
        while True:
            with contextlib.suppress(OSError), urllib.request.urlopen(self.address, timeout=LIMIT):
                break
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.1)
        self.page.goto(self.address)
        self.figure.wait_for(timeout=1000 * LIMIT)

    @property
    def figure(self):
        """The drawing that comes first."""
        return self.on.locator("figure svg").first

    def shows(self, result):
        """Wait for a result: its sentences, and the figure of it."""
        eventually(self.on).to_contain_text(result.findings[0], timeout=1000 * LIMIT)
        alt = nbc.plots.cd_diagram(result).alt
        eventually(self.figure).to_have_attribute("aria-label", alt, timeout=1000 * LIMIT)

    def close(self):
        self._context.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _outside(self, route):
        """Give the page what a CDN would, as this machine may have no network."""
        url = route.request.url
        self.asked.add(url)
        if not url.startswith(CDN):
            route.abort()
            return
        package = Path(importlib.util.find_spec("anywidget").origin).parent
        route.fulfill(
            path=package / "nbextension" / "index.js",
            headers={"access-control-allow-origin": "*", "content-type": "text/javascript"},
        )


def _at(name):
    """Return the option by which a server listens to this machine alone."""
    option = "--address" if name == "panel" else "--host"
    return [option, "127.0.0.1"]


@pytest.fixture(params=HOSTS)
def host(request, tmp_path, browser):
    for package in NEEDS[request.param.split()[0]]:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    host = Host(request.param, tmp_path, browser)
    yield host
    host.close()


def test_builders_work_there(host, request, tmp_path):
    data = nbc.datasets.load("demsar2006")
    host.open()
    host.shows(nbc.compare(data))
    for part in (host.on.get_by_label("Control", exact=True), host.figure):
        part.scroll_into_view_if_needed()
        assert part.evaluate(HIDDEN) == 0
    # as wide as the place that it has
    assert host.on.bounding_box()["width"] > 500
    for width in (390, 1000):
        host.page.set_viewport_size({"width": width, "height": 900})
        openers = host.on.get_by_role("button", name=re.compile("^Help: ")).all()
        for opener in filter(Locator.is_visible, openers):
            opener.scroll_into_view_if_needed()
            opener.click()
            text = host.page.locator(f"[id='{opener.get_attribute('aria-controls')}']")
            assert text.evaluate(HIDDEN) == 0, (width, opener.get_attribute("aria-label"))
            host.page.keyboard.press("Escape")
            assert not text.is_visible()

    host.on.get_by_label("Control", exact=True).select_option("C4.5+m")
    host.shows(nbc.compare(data, control="C4.5+m"))
    typed = host.on.locator("input[type=number], input[type=text]").and_(
        host.on.get_by_label("Alpha")
    )
    typed.first.fill("0.2")
    typed.first.press("Enter")
    changed = nbc.compare(data, control="C4.5+m", alpha=0.2)
    host.shows(changed)
    host.on.get_by_role("button", name="Undo").click()
    host.shows(nbc.compare(data, control="C4.5+m"))

    # files come from the page
    table = tmp_path / "scores.csv"
    table.write_text("data set,A,B\nx,0.5,0.6\ny,0.7,0.8\nz,0.6,0.9\n")
    host.data.locator("input[type=file]").set_input_files(table)
    eventually(host.data).to_contain_text("scores.csv is here", timeout=1000 * LIMIT)
    assert host.problems == []

    # loaded again: the same kernel where there is one, and otherwise the builder anew
    host.page.reload()
    host.figure.wait_for(timeout=1000 * LIMIT)
    is_edited = "edit" in request.node.name
    host.shows(nbc.compare(data, control="C4.5+m") if is_edited else nbc.compare(data))
    outside = {urlsplit(url).hostname for url in host.asked}
    icons = {"cdnjs.cloudflare.com", "cdn.holoviz.org"}
    assert outside <= ({"unpkg.com", *icons} if "panel" in request.node.name else set())
