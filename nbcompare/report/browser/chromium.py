"""Find a Chromium, and print an HTML page with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from nbcompare._files import scratch_folder
from nbcompare.report.browser import devtools

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
)
_LONGEST = 120  # seconds


def find_chromium() -> str:
    """Find the Chromium that the environment names, the system's, or Playwright's own.

    Raises
    ------
    FileNotFoundError
        If there is none; the message says how to install one.
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
        f'variable {CHROMIUM}, or install one: pip install "nbcompare[webpdf]", then '
        "playwright install chromium."
    )


def print_page(page: str) -> bytes:
    """Print an HTML page, which can neither read files nor reach hosts.

    Parameters
    ----------
    page : str
        The page; its scripts run.

    Returns
    -------
    bytes
        The PDF.

    Raises
    ------
    FileNotFoundError
        If there is no Chromium.
    RuntimeError
        If the browser prints nothing (the message quotes its last lines), or if a script leads to
        another page.
    """
    program = find_chromium()
    if os.name != "posix":
        raise RuntimeError(
            "a browser can print a page on Linux and macOS only; export the notebook with "
            "nbcompare-pdf, or print its HTML page from a browser."
        )
    # Chromium refuses to run in its sandbox as root.
    options = [*_OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    late = threading.Event()
    with scratch_folder() as folder:
        said = folder / "said"
        with said.open("wb") as errors:
            line = [program, *options, f"--user-data-dir={folder}/profile"]
            process = devtools.start(line, errors)

        def stop() -> None:
            late.set()
            _kill(process)

        limit = threading.Timer(_LONGEST, stop)
        limit.start()
        try:
            return devtools.Devtools(process).pdf(page)
        except devtools.BrowserEndedError as error:
            if late.is_set():
                raise RuntimeError(
                    f"{program} printed nothing within {_LONGEST} s; a script of the notebook may "
                    "never end."
                ) from error
            words = said.read_text("utf-8", "replace").strip().splitlines()[-3:]
            raise RuntimeError(f"{program} printed nothing, {error}: {' '.join(words)}") from error
        finally:
            limit.cancel()
            _end(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and the processes that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, which has nothing left to do, and close its pipes."""
    _kill(process)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what is left in the pipe, nobody reads
                pipe.close()


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
