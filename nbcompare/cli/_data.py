"""What the commands take: a table of scores or logs of runs, and how to read them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nbcompare import _commands, _options

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

TEXT_OPTIONS = ("decimal", "thousands", "separator")
READ_OPTIONS = ("direction", *_options.COLUMN_OPTIONS, "measure", *TEXT_OPTIONS)
HISTORY_OPTIONS = ("direction", *_options.HISTORY_OPTIONS, "measure", *TEXT_OPTIONS)
# What is read of histories alone, where a table of scores shares the rest.
OF_HISTORIES_ALONE = tuple(name for name in HISTORY_OPTIONS if name not in READ_OPTIONS)


class Answer(NamedTuple):
    """What a command prints, and its exit codes."""

    text: str
    code: int = 0
    unsaid: int = 1  # if it cannot be printed
    is_all: bool = True  # whether a command that prints nothing was in vain


def command(
    commands: Commands,
    name: str,
    what: str,
    example: str | None = None,
    *,
    arguments: _commands.Command | None = None,
) -> argparse.ArgumentParser:
    """A command that takes a table of scores, or logs of runs."""
    parser = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=example and f"example: {example}",
    )
    histories = arguments is not None and arguments.takes == "histories"
    table = (
        "logs of runs (.csv, .tsv, .parquet, long or wide; or an IOHprofiler folder)"
        if histories
        else "table of scores (.csv, .tsv, .parquet), wide or long"
    )
    parser.add_argument("data", nargs="?", type=Path, help=table)
    for argument, meaning in (arguments.arguments if arguments else {}).items():
        parser.add_argument(f"--{argument}", required=True, metavar="NAME", help=meaning)
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    _commands.add_arguments(
        parser.add_argument_group("how to read the table"),
        HISTORY_OPTIONS if histories else READ_OPTIONS,
    )
    return parser


def check_source(
    given: argparse.Namespace,
    options: tuple[str, ...] = READ_OPTIONS,
    what: str = "table of scores",
) -> dict[str, Any]:
    """The options of reading, if they and the source go together."""
    reading = _commands.given(given, options)
    if (given.data is None) == (given.example is None):
        given.parser.error(f"give either a {what} or --example NAME")
    if given.example is not None and reading:
        given.parser.error(f"--{flag(next(iter(reading)))} is for a {what}, not for --example")
    if given.data is not None and "direction" not in reading and not given.data.is_dir():
        need_direction(given, what)
    return reading


def need_direction(given: argparse.Namespace, what: str) -> None:
    noun = what.rpartition(" ")[2]
    given.parser.error(
        f"--direction is required with a {what}: maximize if higher {noun} are better, minimize "
        "if lower"
    )


def flag(option: str) -> str:
    return option.replace("_", "-")


def experiment(given: argparse.Namespace) -> Experiment:
    reading = check_source(given)
    if given.example is not None:
        from nbcompare.datasets import load_experiment

        return load_experiment(given.example)
    from nbcompare.experiment import Experiment

    return Experiment.read(given.data, **reading)


def histories(given: argparse.Namespace) -> Histories:
    reading = check_source(given, HISTORY_OPTIONS, "file of values")
    if given.example is not None:
        from nbcompare.datasets import load_histories

        return load_histories(given.example)
    from nbcompare.histories import Histories

    return Histories.read(given.data, **reading)
