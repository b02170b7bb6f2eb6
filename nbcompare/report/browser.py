"""Print a page of HTML with a Chromium, wherever there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from nbcompare._files import scratch_folder

__all__ = ["CHROMIUM", "find_chromium", "print_page"]

CHROMIUM = "NBCOMPARE_CHROMIUM"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_OPTIONS = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-pdf-header-footer",
)
_LONGEST = 120  # seconds
# Nobody is there to answer what a script of the notebook asks.
_NO_DIALOGS = "<script>window.alert = window.confirm = window.prompt = () => null;</script>"


def find_chromium() -> str:
    """The Chromium that the environment names, the system's, or Playwright's own.

    Raises
    ------
    FileNotFoundError
        If there is none; the message says how to get one.
    """
    named = os.environ.get(CHROMIUM)
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"{CHROMIUM} must name a Chromium; got {named!r}.")
        return found
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    if found := _of_playwright():
        return found
    raise FileNotFoundError(
        "printing the page needs a Chromium, and none was found. Name one in the environment "
        f'variable {CHROMIUM}, or get one: pip install "nbcompare[webpdf]", then '
        "playwright install chromium."
    )


def print_page(page: str) -> bytes:
    """A page of HTML as a PDF.

    Raises
    ------
    FileNotFoundError
        If there is no Chromium.
    RuntimeError
        If it prints nothing; the message has its last words.
    """
    program = find_chromium()
    # A sandbox needs a user that is not root.
    options = [*_OPTIONS, *(["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else [])]
    with scratch_folder() as folder:
        source, target = folder / "page.html", folder / "page.pdf"
        source.write_text(page.replace("<head>", f"<head>{_NO_DIALOGS}", 1), encoding="utf-8")
        done = subprocess.run(
            [
                program,
                *options,
                f"--user-data-dir={folder}/profile",
                f"--print-to-pdf={target}",
                source.as_uri(),
            ],
            capture_output=True,
            timeout=_LONGEST,
            check=False,
        )
        if done.returncode or not target.is_file():
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-3:]
            raise RuntimeError(f"{program} printed nothing: {' '.join(said)}")
        return target.read_bytes()


def _of_playwright() -> str | None:
    if find_spec("playwright") is None:
        return None

    def path() -> str:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            return str(playwright.chromium.executable_path)

    # In a thread of its own: the caller may run in an event loop, where this is refused.
    with ThreadPoolExecutor(max_workers=1) as thread:
        found = thread.submit(path).result()
    return found if Path(found).is_file() else None
