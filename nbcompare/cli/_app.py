"""The command ``app``: a page in the browser that needs no code, served on this machine alone."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nbcompare import _commands
from nbcompare._files import PROJECT
from nbcompare._options import Option
from nbcompare._validation import shown
from nbcompare.cli._data import Answer
from nbcompare.cli._signals import in_order

if TYPE_CHECKING:
    from nbcompare.cli._data import Subcommands

_THEMES = ("light", "dark")


def add_command(commands: Subcommands) -> None:
    """Add the command."""
    what = "open a page in the browser to read a table, compare and report, without code"
    app = commands.add_parser(
        "app",
        usage="%(prog)s [FILE] [options]",
        help=what,
        description=f"{what[0].upper()}{what[1:]}. The page is served on this machine alone, and "
        "nothing is sent anywhere. Files are read from, and written to, the folder in which the "
        "command is started. What you do is kept in a project. Ctrl-C ends it.",
        epilog="examples: nbcompare app scores.csv; nbcompare app study.nbcompare",
    )
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
        type=_commands.reader_of(Option(_THEMES[0], _THEMES, "")),
        default=_THEMES[0],
        metavar=f"{{{','.join(_THEMES)}}}",
        help="colours (default: %(default)s)",
    )
    app.set_defaults(command=_run, parser=app)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**16:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 65535; got {shown(text)}.")
    return int(text)


def _run(given: argparse.Namespace) -> Answer:
    """Serve the page until the user ends it."""
    file, is_project = given.file, given.file is not None and given.file.suffix.lower() == PROJECT
    if file is not None and not is_project and not file.is_file():
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
