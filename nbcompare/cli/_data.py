"""Data that the commands take, and the words for them in messages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nbcompare import _commands
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS, Analysis, OptionParser, flag
from nbcompare._messages import Speech

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories

    Subcommands = argparse._SubParsersAction[OptionParser]  # noqa: SLF001 - argparse names no other type

# Options that only histories have, where a table of scores shares the rest
OF_HISTORIES_ALONE = tuple(
    name for name in READING_OPTIONS["histories"] if name not in READING_OPTIONS["experiment"]
)
_NOUNS = {"experiment": "table of scores", "histories": "file of values"}
_THINGS = {
    "experiment": ("the table", "a table of scores"),
    "histories": ("the table of histories", "a table of histories"),
    "page": ("the report", "a report"),
    "compare": ("this command", "this command"),
}


class Answer(NamedTuple):
    """Output of a command, and its exit codes."""

    text: str
    code: int = 0
    unsaid: int = 1  # if it cannot be printed
    is_all: bool = True  # whether printing is all that the command is for


def command(
    commands: Subcommands,
    name: str,
    what: str,
    example: str | None = None,
    *,
    arguments: Analysis | None = None,
) -> OptionParser:
    """Add a command that takes a table of scores, or logs of runs."""
    parser = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=example and f"example: {example}",
    )
    takes = arguments.takes if arguments else "experiment"
    table = (
        "logs of runs (.csv, .tsv, .parquet, long or wide; or an IOHprofiler folder)"
        if takes == "histories"
        else "table of scores (.csv, .tsv, .parquet), wide or long"
    )
    parser.add_argument("data", nargs="?", type=Path, help=table)
    for argument, meaning in (arguments.arguments if arguments else {}).items():
        parser.add_argument(f"--{argument}", required=True, metavar="NAME", help=meaning)
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    _commands.add_arguments(
        parser.add_argument_group("how to read the table"), READING_OPTIONS[takes]
    )
    _commands.add_arguments(
        parser.add_argument_group("which part of it to compare"), SELECT_OPTIONS[takes]
    )
    return parser


def speech(options: dict[str, str]) -> Speech:
    """Return the words of a command for what the API says."""
    return _commands.speech(options, _THINGS, lambda what: f"nbcompare {what.word}")


def reading_speech(takes: str, source: object) -> Speech:
    """Return the words of a command while it reads its data."""
    options = _commands.flags((*READING_OPTIONS[takes], *SELECT_OPTIONS[takes]))
    return speech(options | {"name": "--example"}).about(Path(str(source)).name)


def check_source(given: argparse.Namespace, takes: str = "experiment") -> dict[str, Any]:
    """Return the options of reading, if they and the source go together."""
    reading = _commands.given(given, READING_OPTIONS[takes])
    what = _NOUNS[takes]
    if (given.data is None) == (given.example is None):
        given.parser.error(f"give either a {what} or --example NAME")
    if given.example is not None and reading:
        wrong = next(
            option
            for argument, option in _commands.flags(READING_OPTIONS[takes]).items()
            if argument in reading
        )
        given.parser.error(f"{wrong} is for a {what}, not for --example")
    if given.data is not None and "direction" not in reading and not given.data.is_dir():
        need_direction(given, takes)
    return reading


def need_direction(given: argparse.Namespace, takes: str) -> None:
    """Complain that nothing says whether high or low is better."""
    what = _NOUNS[takes]
    noun = what.rpartition(" ")[2]
    given.parser.error(
        f"--direction is required with a {what}: maximize if higher {noun} are better, minimize "
        "if lower"
    )


def first_given(given: argparse.Namespace, names: tuple[str, ...], prefix: str = "") -> str | None:
    """Return the first of some options that a line gives, as it is written."""
    there = _commands.given(given, names, prefix)
    return next((flag(name, prefix) for name in names if name.rpartition(".")[2] in there), None)


def experiment(
    given: argparse.Namespace, part: tuple[str, ...] = SELECT_OPTIONS["experiment"]
) -> Experiment:
    """Read the experiment that a line names, and take the part that these options select."""
    reading = check_source(given)
    with reading_speech("experiment", given.data).telling():
        if given.example is not None:
            from nbcompare.datasets import load_experiment

            found = load_experiment(given.example)
        else:
            from nbcompare.experiment import Experiment

            # what is not selected need not even be numbers
            found = Experiment.read(given.data, **reading, **_commands.given(given, part))
        return cast("Experiment", _commands.selected(found, given, part))


def histories(given: argparse.Namespace) -> Histories:
    """Read the histories that a line names, and take the part that it selects."""
    reading = check_source(given, "histories")
    with reading_speech("histories", given.data).telling():
        if given.example is not None:
            from nbcompare.datasets import load_histories

            found = load_histories(given.example)
        else:
            from nbcompare.histories import Histories

            found = Histories.read(given.data, **reading)
        return cast("Histories", _commands.selected(found, given, SELECT_OPTIONS["histories"]))
