"""A Chromium that prints a page."""

import subprocess

import pytest

from nbcompare.report.browser import chromium as browser


@pytest.mark.posix
def test_a_chromium_is_looked_for_where_it_may_be(monkeypatch, tmp_path):
    monkeypatch.setenv(browser.CHROMIUM, "/no/such/browser")
    with pytest.raises(FileNotFoundError, match=r"^NBCOMPARE_CHROMIUM must name a Chromium; got"):
        browser.find_chromium()
    monkeypatch.delenv(browser.CHROMIUM)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_of_playwright", lambda: None)
    with pytest.raises(FileNotFoundError, match=r"^printing the page needs a Chromium, and none"):
        browser.find_chromium()
    own = tmp_path / "chromium"
    own.write_text("#!/bin/sh\necho sorry >&2; exit 3\n")
    own.chmod(0o755)
    assert browser.find_chromium() == str(own)
    with pytest.raises(RuntimeError, match=r"printed nothing, as it ended: sorry$"):
        browser.print_page("<html></html>")
    monkeypatch.setattr(browser, "_LONGEST", 0)
    with pytest.raises((RuntimeError, subprocess.TimeoutExpired)):
        browser.print_page("<html></html>")
