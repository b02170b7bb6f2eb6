"""The command that shows how a table is understood, and the line that compares it."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

from nbcompare import _commands
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS
from nbcompare.cli._data import Answer, command, reading_speech

if TYPE_CHECKING:
    from nbcompare._commands import OptionParser

    Subcommands = argparse._SubParsersAction[OptionParser]  # noqa: SLF001 - argparse names no other type

_OPTIONS = (*READING_OPTIONS["experiment"], *SELECT_OPTIONS["experiment"])


def add_command(commands: Subcommands) -> None:
    """Add ``nbcompare read``."""
    parser = command(
        commands,
        "read",
        "show what each column of a table is taken for, what is doubtful, and the line that "
        "compares the scores",
        "nbcompare read scores.csv --where split=test",
    )
    parser.set_defaults(command=_show, parser=parser)


def _show(given: argparse.Namespace) -> Answer:
    from nbcompare.experiment import read_schema

    if given.data is None or given.example is not None:
        given.parser.error("give a table of scores")
    options = _commands.given(given, _OPTIONS)
    words = reading_speech("experiment", given.data)
    with words.telling():
        schema, notes = read_schema(given.data, **options)
    told = [str(schema), *(f"Note: {words.says(note.text)}" for note in notes)]
    line = ["nbcompare", "compare", str(given.data), *_commands.written(options, _OPTIONS)]
    if "direction" not in options and "higher_is_better" not in schema.roles:
        told.append("Add --direction maximize if high scores are better, or --direction minimize.")
    return Answer("\n\n".join([*told, f"To compare: {shlex.join(line)}"]))
