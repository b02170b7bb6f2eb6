"""Data that the commands take, and the words for them in messages."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nbcompare import _commands
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS, Analysis, OptionParser, flag
from nbcompare._messages import Speech
from nbcompare._validation import DirectionError
from nbcompare.cli._surroundings import complain, remark

if TYPE_CHECKING:
    from nbcompare.experiment import Experiment
    from nbcompare.histories import Histories
    from nbcompare.report.report import Report

    Subcommands = argparse._SubParsersAction[OptionParser]  # noqa: SLF001 - argparse names no other type

# Options that only histories have, and those that a table of scores has too
OF_HISTORIES_ALONE = tuple(
    name for name in READING_OPTIONS["histories"] if name not in READING_OPTIONS["experiment"]
)
OF_BOTH = tuple(
    name for name in READING_OPTIONS["histories"] if name in READING_OPTIONS["experiment"]
)
JSON_HELP = "print the whole result as JSON, for programs"
TABLE_FILES = ".csv, .tsv, .xlsx, .json, .parquet, or - for standard input"
LOG_FILES = (
    ".csv, .tsv, .xlsx, .json, .parquet, - for standard input, or a COCO or IOHprofiler folder"
)
_NOUNS = {"experiment": "table of scores", "histories": "file of values"}
_THINGS = {
    "experiment": ("the table", "a table of scores"),
    "pilot": ("the table", "a table of scores"),
    "histories": ("the table of histories", "a table of histories"),
    "page": ("the report", "a report"),
    "average_ranks": ("the average ranks", "average ranks"),
    "compare": ("this command", "this command"),
}


class Answer(NamedTuple):
    """Output of a command, and its exit codes."""

    text: str
    code: int = 0
    unsaid: int = 1  # if it cannot be printed
    is_all: bool = True  # whether printing is all that the command is for


def exported(outputs: Sequence[Path], report: Report, words: Speech) -> Answer:
    """Write a report, and return the files; what is lacking in it is told."""
    from nbcompare.report import IncompleteReportError, export

    code = 0
    try:
        paths = export(outputs, report)
    except IncompleteReportError as error:
        paths, code = error.written, 1
        complain(words.says(str(error)))
    return Answer("\n".join(map(str, paths)), code, is_all=False)


def command(
    commands: Subcommands,
    name: str,
    what: str,
    example: str | None = None,
    *,
    arguments: Analysis | None = None,
) -> OptionParser:
    """Add a command that takes a table of scores, or logs of runs."""
    required = [f"--{argument} NAME" for argument in (arguments.arguments if arguments else {})]
    is_needed = not (arguments and arguments.pair_result)
    if required and not is_needed:
        required = [f"[{' '.join(required)}]"]
    parser = commands.add_parser(
        name,
        # the list of all options would bury the one sentence that says what is wrong
        usage=" ".join(["%(prog)s", "[data]", *required, "[options]"]),
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=example and f"example: {example}",
    )
    takes = arguments.takes if arguments else "experiment"
    table = (
        f"logs of runs, long or wide ({LOG_FILES})"
        if takes == "histories"
        else f"table of scores, wide or long ({TABLE_FILES})"
    )
    parser.add_argument("data", nargs="?", type=Path, help=table)
    for argument, meaning in (arguments.arguments if arguments else {}).items():
        parser.add_argument(f"--{argument}", required=is_needed, metavar="NAME", help=meaning)
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
    words = _commands.speech(options, _THINGS, lambda what: f"nbcompare {what.word}")
    more = {"read_measures": "nbcompare report with --measures-column"}
    for name in ("max_cells", "max_bytes"):
        more[f"set_options({name})"] = f"the environment variable NBCOMPARE_{name.upper()}"
    return replace(words, functions={**words.functions, **more})


def reading_speech(
    takes: str, source: object, more: Mapping[str, str] = MappingProxyType({})
) -> Speech:
    """Return the words of a command while it reads its data; ``more`` are options of its own."""
    options = _commands.flags((*READING_OPTIONS[takes], *SELECT_OPTIONS[takes]))
    return speech({**options, **more, "name": "--example"}).about(Path(str(source)).name)


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
    is_file = given.data is not None and not given.data.is_dir()
    if takes == "histories" and is_file and "direction" not in reading:
        need_direction(given, takes)
    return reading


def need_direction(given: argparse.Namespace, takes: str, option: str | None = None) -> None:
    """Complain that nothing says whether high or low is better."""
    what = _NOUNS[takes]
    noun = what.rpartition(" ")[2]
    column = "" if takes == "histories" else "; or --higher-is-better, with the column that says it"
    given.parser.error(
        f"{option or '--direction'} is required with a {what}: maximize if higher {noun} are "
        f"better, minimize if lower{column}"
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
            # other columns and rows need not be readable
            found = cast("Experiment", scores(given, {**reading, **_commands.given(given, part)}))
        tell_notes(found, reading_speech("experiment", given.data))
        keep_sentence(given, found, given.data)
        return cast("Experiment", _commands.selected(found, given, part))


def keep_sentence(given: argparse.Namespace, data: object, file: Path | None) -> None:
    """Keep how a file was understood, to be said once the command has done its work."""
    for each in list(data.values())[:1] if isinstance(data, Mapping) else [data]:
        schema = getattr(each, "schema", None)
        if file is not None and schema is not None:
            given.understood = (*getattr(given, "understood", ()), schema.sentence)


def tell_notes(data: object, words: Speech) -> None:
    """Write what a reader of the table should know of how it was understood, beside the result."""
    for each in data.values() if isinstance(data, Mapping) else [data]:
        for note in getattr(each, "notes", ()):
            remark(words.says(note.text))


def scores(
    given: argparse.Namespace,
    reading: dict[str, Any],
    measures: Mapping[str, Any] = MappingProxyType({}),
) -> Experiment | dict[str, Experiment]:
    """Read the table of scores that a line names; complain if nothing says what is better.

    ``measures`` says how several measures are read, if they are.
    """
    from nbcompare.experiment import Experiment

    try:
        if measures:
            return Experiment.read_measures(given.data, **measures, **reading)
        return Experiment.read(given.data, **reading)
    except DirectionError:
        if "direction" not in reading:
            need_direction(given, "experiment")
        raise


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
        keep_sentence(given, found, given.data)
        return cast("Histories", _commands.selected(found, given, SELECT_OPTIONS["histories"]))
