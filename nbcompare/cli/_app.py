"""The command ``app``: a page in the browser that needs no code, served on this machine alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from nbcompare import _commands
from nbcompare._commands import OptionParser
from nbcompare._files import PROJECT, check_target
from nbcompare._options import OPTIONS
from nbcompare._validation import shown
from nbcompare.cli._data import Answer, Command
from nbcompare.cli._signals import in_order


def command() -> Command:
    """Return the command."""
    return Command(
        "app",
        "open a page in the browser to read a table, compare and report, without code",
        "[FILE] [options]",
        _add,
        _run,
        "nbcompare app study.nbcompare",
        " The page is served on this machine alone, and nothing is sent anywhere. Files are read "
        "from, and written to, the folder in which the command is started. What you do is kept in "
        "a project. Ctrl-C ends it.",
    )


def _add(app: OptionParser) -> None:
    app.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="table of scores to begin with, of any size; others can be chosen on the page. Or a "
        "project, study.nbcompare, in which the page keeps all that is set on it; it is made if it "
        "is not there yet",
    )
    app.add_argument(
        "--no-browser", action="store_true", help="print the address, and open no browser"
    )
    app.add_argument(
        "--port", type=_port, default=0, metavar="N", help="port (default: any that is free)"
    )
    app.add_argument(
        "--theme",
        type=_commands.reader_of(OPTIONS["theme"]),
        default="light",
        metavar="{light,dark}",
        help="colours (default: %(default)s)",
    )


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**16:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 65535; got {shown(text)}.")
    return int(text)


def _run(given: argparse.Namespace) -> Answer:
    """Serve the page until the user ends it."""
    file, is_project = given.file, given.file is not None and given.file.suffix.lower() == PROJECT
    if is_project:
        check_target(file)
        if file.exists():
            from nbcompare.project import open_project

            open_project(file)  # it complains here rather than on the page
    elif file is not None and not file.is_file():
        problem = "is a folder" if file.is_dir() else "does not exist"
        raise FileNotFoundError(f"the file {str(file)!r} {problem}.")
    from nbcompare.cli._server import serve

    with in_order():
        serve(
            None if is_project else file,
            file if is_project else None,
            port=given.port,
            browser=not given.no_browser,
            theme=given.theme,
        )
    return Answer("")
