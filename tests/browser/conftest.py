"""A Chromium for the tests that look at a page."""

import contextlib
import importlib.util
import os
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe


def beside(name):
    """A helper beside the tests, which are no package; `jupyter` is a module of Jupyter's too."""
    file = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"browser_{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


jupyter_app = beside("jupyter")
builder_page = beside("builder_page")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as in print, in a shell without a screen too
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Put what builders have and say beside a failure: what did not come says little alone."""
    report = yield
    if report.when == "call" and report.failed and "open_notebook" in item.funcargs:
        for notebook in item.funcargs["open_notebook"].pages:
            with contextlib.suppress(Exception):  # a page that has crashed tells nothing
                seen = builder_page.seen(notebook.page)
                report.sections.append((f"The builder in {notebook.name}", seen))
    return report


@pytest.fixture(scope="session")
def chromium():
    """The path of a Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    wanted = [named] if (named := os.environ.get("NBCOMPARE_CHROMIUM")) else names
    if found := next(filter(None, map(shutil.which, wanted)), None):
        return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:  # its own, if it was asked to install one
        if Path(own := playwright.chromium.executable_path).is_file():
            return own
    reason = "no Chromium: install one, or name it in NBCOMPARE_CHROMIUM"
    if os.environ.get("NBCOMPARE_REQUIRE_BROWSER"):
        pytest.fail(reason)
    pytest.skip(reason)


# What a page says to those who hear it is gone after a moment, so that it is noted in `said`.
NOTE = """
window.said = [];
document.addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
    for (const { target } of changes) if (target.role === "status") said.push(target.textContent);
}).observe(document, { childList: true, subtree: true }));
"""


# One browser for a module, not for the session: while it runs, so does an event loop, and
# nothing that needs one of its own (a kernel, say) can be tested beside it.
@pytest.fixture(scope="module")
def browser(chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Open an HTML file in a browser without a network; options are those of a context."""
    contexts = []

    def open_page(file, *, width=1200, on_request=None, on_problem=None, **options):
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": 900}, **options
        )
        contexts.append(context)
        context.add_init_script(NOTE)
        page = context.new_page()
        if on_request:
            page.on("request", lambda request: on_request(request.url))
        if on_problem:
            page.on("pageerror", lambda error: on_problem(str(error)))
            page.on(
                "console",
                lambda message: message.type == "error" and on_problem(message.text),
            )
            page.on("dialog", lambda dialog: (on_problem(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


class Heard:
    """What a page asked for, and what it complained of."""

    def __init__(self):
        self.requests, self.problems = [], []

    @property
    def fetched(self):
        """Addresses; what a page carries as data is in itself."""
        return [url for url in self.requests if not url.startswith("data:")]


@pytest.fixture
def open_heard(open_page):
    """Open an HTML file as `open_page` does: the page, and what is heard of it."""

    def open_heard(file, **options):
        heard = Heard()
        page = open_page(
            file, on_request=heard.requests.append, on_problem=heard.problems.append, **options
        )
        return page, heard

    return open_heard


# To look at every colour takes nearly all of the time that a large page needs
COLOURS = ("color-contrast", "link-in-text-block")


@pytest.fixture(scope="session")
def barriers():
    """Find what keeps readers out of a page, by rule; a rule can be named to count always.

    The policy of a page forbids to put the checker into it: open it with ``bypass_csp=True``.
    With ``colours``, nothing but colours is looked at; if it is false, everything but colours.
    """

    def barriers(page, *always, colours=None):
        options = {"resultTypes": ["violations"]}
        if colours:
            options["runOnly"] = list(COLOURS)
        else:
            rules = {rule: {"enabled": False} for rule in COLOURS if colours is not None}
            options["rules"] = {**rules, "target-size": {"enabled": True}}  # of WCAG 2.2
        return {
            violation["id"]: [node["html"] for node in violation["nodes"]]
            for violation in Axe().run(page, options=options).response["violations"]
            if violation["impact"] in ("serious", "critical") or violation["id"] in always
        }

    return barriers


@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    """Start an application's server when it is first asked for; it serves every module."""
    running = {}

    def server(app):
        if app not in running:
            running[app] = jupyter_app.Jupyter(app, tmp_path_factory.mktemp(app)).start()
        return running[app]

    yield server
    for app in running.values():
        app.stop()


@pytest.fixture(params=["lab", pytest.param("notebook", marks=pytest.mark.weekly)])
def jupyter(request, browser, servers):
    """A running server; without a browser there is none to start.

    Both applications show the same widgets: a test of all keys runs in Notebook 7, the others do so
    once a week.
    """
    return servers(request.param)


@pytest.fixture
def open_notebook(jupyter, browser):
    """Write a notebook and open it in the application; without cells, one that is there."""
    pages = []

    def open_notebook(name, *cells, **options):
        if cells:
            jupyter.write(name, *cells)
        pages.append(jupyter_app.Page(jupyter, browser, name, **options))
        return pages[-1]

    open_notebook.pages = pages
    yield open_notebook
    for page in pages:
        page.close()
    jupyter.end_kernels()


@pytest.fixture
def open_builder(open_notebook):
    """Open a notebook whose one cell makes a builder, and run it."""

    def open_builder(name, source):
        return builder_page.BuilderPage(open_notebook(name, source))

    return open_builder
