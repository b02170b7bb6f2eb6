"""Parse a command line, call one function, say what came of it or what went wrong."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from nbcompare._validation import shown
from nbcompare._version import __version__
from nbcompare.cli import _report, _show, _tables, _verify
from nbcompare.cli._data import Answer
from nbcompare.cli._surroundings import complain, readable, say, silence

__all__ = ["run"]

# Bytes that the locale has no letters for, as Python reads them
_NO_TEXT = re.compile("[\\udc80-\\udcff]")


def run(arguments: Sequence[str], *, heard: bool = True) -> int:
    """Run the command; the exit code, unless argparse raises it."""
    with readable():
        try:
            return _run(arguments, heard)
        except BrokenPipeError:
            # Python would complain once more when it writes the rest at its end
            silence(sys.stdout)
            return 141
        except (ValueError, TypeError, ImportError, RuntimeError, OSError) as error:
            complain(str(error))
            return 1


def _run(arguments: Sequence[str], heard: bool) -> int:
    try:
        given = _parser().parse_args(arguments)
    except SystemExit as ended:
        if ended.code == 0 and not say(""):  # help or version, which argparse has printed
            return 1
        raise
    for name, value in vars(given).items():
        try:
            setattr(given, name, _as_text(value))
        except UnicodeDecodeError:
            option = next(one for one in given.parser._actions if one.dest == name)
            given.parser.error(
                f"{option.option_strings[-1]} must be text in UTF-8; got {shown(value)}"
            )
    answer: Answer = given.command(given)
    if not heard:
        if answer.is_all:
            complain("standard output is closed, where the result would have been printed")
        return answer.unsaid if answer.is_all else answer.code
    return answer.code if say(f"{answer.text}\n") else answer.unsaid


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nbcompare", description="Compare algorithms over data sets, and report it."
    )
    parser.add_argument("--version", action="version", version=f"nbcompare {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module in (_report, _tables, _verify, _show):
        module.add_commands(commands)
    return parser


def _as_text(value: Any) -> Any:
    """Words of the command line as UTF-8, whatever the locale; names of files stay as they are."""
    if isinstance(value, list):
        return [_as_text(one) for one in value]
    if isinstance(value, str) and _NO_TEXT.search(value):
        return os.fsencode(value).decode("utf-8")
    return value
