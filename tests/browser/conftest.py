"""A Chromium for the tests that look at a page."""

import os
import shutil

import pytest

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
