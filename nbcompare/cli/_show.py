"""A command for each function: it prints the result."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nbcompare import _commands
from nbcompare.cli._data import Answer, command, experiment, histories

if TYPE_CHECKING:
    from nbcompare.cli._data import Commands


def add_commands(commands: Commands) -> None:
    """Add a command for each function."""
    for what in _commands.COMMANDS:
        shown = command(commands, what.name.replace("_", "-"), what.help, arguments=what)
        _commands.add_arguments(shown.add_argument_group("what to compute"), what.options)
        shown.set_defaults(command=_show, parser=shown, what=what)


def _show(given: argparse.Namespace) -> Answer:
    """Give the result of one public function."""
    what: _commands.Command = given.what
    data = histories(given) if what.takes == "histories" else experiment(given)
    from nbcompare import analysis

    named = [getattr(given, name) for name in what.arguments]
    result = getattr(analysis, what.function)(data, *named, **_commands.given(given, what.options))
    return Answer(str(result))
