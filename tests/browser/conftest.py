"""A Chromium for the tests that look at a page."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

# a helper beside the tests, which are no package; `jupyter` is a module of Jupyter's too
_SPEC = importlib.util.spec_from_file_location(
    "browser_jupyter", Path(__file__).with_name("jupyter.py")
)
jupyter_app = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(jupyter_app)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium():
    """The path of a Chromium, or None. Playwright does not look for those of a distribution."""
    chosen = os.environ.get("NBCOMPARE_CHROMIUM")
    return chosen or next(filter(None, map(shutil.which, NAMES)), None)


# One browser for a module, not for the session: while it runs, so does an event loop, and
# nothing that needs one of its own (a kernel, say) can be tested beside it.
@pytest.fixture(scope="module")
def browser():
    path = chromium()
    if path is None:
        reason = "no Chromium: install one, or name it in NBCOMPARE_CHROMIUM"
        if os.environ.get("NBCOMPARE_REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
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
        page = context.new_page()
        if on_request:
            page.on("request", lambda request: on_request(request.url))
        if on_problem:
            page.on("pageerror", lambda error: on_problem(str(error)))
            page.on(
                "console",
                lambda message: message.type == "error" and on_problem(message.text),
            )
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="module", params=jupyter_app.APPS)
def jupyter(request, browser, tmp_path_factory):
    """A running server; without a browser there is none to start."""
    app = jupyter_app.Jupyter(request.param, tmp_path_factory.mktemp(request.param)).start()
    yield app
    app.stop()


@pytest.fixture
def open_notebook(jupyter, browser):
    """Write a notebook and open it in the application."""
    pages = []

    def open_notebook(name, *cells, **options):
        jupyter.write(name, *cells)
        pages.append(jupyter_app.Page(jupyter, browser, name, **options))
        return pages[-1]

    yield open_notebook
    for page in pages:
        page.close()
