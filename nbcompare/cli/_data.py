"""Commands, the data that they take, and the words for these in messages."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from nbcompare import _commands
from nbcompare._commands import READING_OPTIONS, SELECT_OPTIONS, Analysis, OptionParser, flag
from nbcompare._messages import Speech
from nbcompare._validation import DirectionError
from nbcompare.cli._surroundings import complain, remark

if TYPE_CHECKING:
    from nbcompare.report.report import Report

    Subcommands = argparse._SubParsersAction[OptionParser]  # noqa: SLF001 - argparse names no other type

# Options that say what is read of each kind of data
READING = {takes: (*READING_OPTIONS[takes], *SELECT_OPTIONS[takes]) for takes in SELECT_OPTIONS}
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


class Command(NamedTuple):
    """A command: its name, what it does, its usage, what adds its options, and what runs it."""

    name: str
    what: str
    usage: str
    add: Callable[[OptionParser], object]
    run: Callable[[argparse.Namespace], Answer]
    example: str = ""
    more: str = ""  # of its description

    def add_to(self, commands: Subcommands, *, with_options: bool) -> None:
        """Add the command; without its options, which only its own line needs, that is quick."""
        parser = commands.add_parser(
            self.name,
            # the list of all options would bury the one sentence that says what is wrong
            usage=f"%(prog)s {self.usage}",
            help=self.what,
            description=f"{self.what[0].upper()}{self.what[1:]}.{self.more}",
            epilog=self.example and f"example: {self.example}",
        )
        if with_options:
            self.add(parser)
        parser.set_defaults(command=self.run, parser=parser)


def add_data(parser: OptionParser, analysis: Analysis | None = None) -> None:
    """Add what a command that takes a table of scores, or logs of runs, needs for that."""
    takes = analysis.takes if analysis else "experiment"
    table = (
        f"logs of runs, long or wide ({LOG_FILES})"
        if takes == "histories"
        else f"table of scores, wide or long ({TABLE_FILES})"
    )
    parser.add_argument("data", nargs="?", type=_path, help=table)
    for argument, meaning in (analysis.arguments if analysis else {}).items():
        needed = not (analysis and analysis.pair_result)
        parser.add_argument(f"--{argument}", required=needed, metavar="NAME", help=meaning)
    parser.add_argument("--example", metavar="NAME", help="a bundled example instead of a file")
    add_options(parser, "how to read the table", READING_OPTIONS[takes])
    add_options(parser, "which part of it to compare", SELECT_OPTIONS[takes])


def _path(text: str) -> Path:
    if not text:  # a variable of the shell that is not set; Path would take this folder
        raise argparse.ArgumentTypeError("must name a file; got ''")
    return Path(text)


def add_options(
    parser: OptionParser, heading: str, names: Sequence[str], prefix: str = ""
) -> argparse._ArgumentGroup:
    """Add options of the one table under a heading."""
    group = parser.add_argument_group(heading)
    _commands.add_arguments(group, names, prefix)
    return group


# ------------------------------------------------------------------------------- messages


def speech(options: dict[str, str]) -> Speech:
    """Return the words of a command for what the API says."""
    words = _commands.speech(options, _THINGS, lambda what: f"nbcompare {what.word}")
    more = {
        "read_measures": "nbcompare report with --measures-column, or --measures of columns,",
        "at(evaluations)": "nbcompare read with --at",
        "area()": "nbcompare read with --area",
    }
    for name in ("max_cells", "max_bytes"):
        more[f"set_options({name})"] = f"the environment variable NBCOMPARE_{name.upper()}"
    return replace(words, functions={**words.functions, **more})


def reading_speech(
    takes: str, source: object, more: Mapping[str, str] = MappingProxyType({})
) -> Speech:
    """Return the words of a command while it reads its data; ``more`` are options of its own."""
    options = _commands.flags(READING[takes])
    return speech({**options, **more, "name": "--example"}).about(Path(str(source)).name)


def first_given(given: argparse.Namespace, names: Sequence[str], prefix: str = "") -> str | None:
    """Return the first of some options that a line gives, as it is written."""
    there = _commands.given(given, names, prefix)
    return next((flag(name, prefix) for name in names if name.rpartition(".")[2] in there), None)


def need_direction(given: argparse.Namespace, takes: str, option: str | None = None) -> None:
    """Complain that nothing says whether high or low is better."""
    what = _NOUNS[takes]
    noun = what.rpartition(" ")[2]
    column = "" if takes == "histories" else "; or --higher-is-better, with the column that says it"
    given.parser.error(
        f"{option or '--direction'} is required with a {what}: maximize if higher {noun} are "
        f"better, minimize if lower{column}"
    )


# ------------------------------------------------------------------------------- data


def check_source(given: argparse.Namespace, takes: str = "experiment") -> dict[str, Any]:
    """Return the options of reading, if they and the source go together."""
    reading = _commands.given(given, READING_OPTIONS[takes])
    what = _NOUNS[takes]
    if (given.data is None) == (given.example is None):
        given.parser.error(f"give either a {what} or --example NAME")
    if given.example is not None and reading:
        wrong = first_given(given, READING_OPTIONS[takes])
        given.parser.error(f"{wrong} is for a {what}, not for --example")
    is_file = given.data is not None and not given.data.is_dir()
    if takes == "histories" and is_file and "direction" not in reading:
        need_direction(given, takes)
    return reading


def data_of(given: argparse.Namespace, analysis: Analysis | None = None) -> Any:
    """Read the data that a line names, and take the part that it selects."""
    takes = analysis.takes if analysis else "experiment"
    part = analysis.part_options if analysis else SELECT_OPTIONS[takes]
    reading = check_source(given, takes)
    if analysis and analysis.unit and given.data is not None:
        reading.setdefault("unit", analysis.unit)
    return read(given, takes, given.data, reading, reading_speech(takes, given.data), part)


def read(
    given: argparse.Namespace,
    takes: str,
    source: Path | None,
    reading: Mapping[str, Any],
    words: Speech,
    part: Sequence[str],
    measures: Mapping[str, Any] = MappingProxyType({}),
) -> Any:
    """Read a file, or the example that a line names, and take the part that it selects.

    What a reader should know of how it was understood is written beside the result. ``measures``
    says how several measures are read, if they are: an experiment for each.
    """
    with words.telling():
        if source is None:
            from nbcompare import datasets

            found: Any = getattr(datasets, f"load_{takes}")(given.example)
        elif takes == "histories":
            from nbcompare.histories import Histories

            found = Histories.read(source, **reading)
        else:
            # other columns and rows need not be readable
            found = _scores(given, {**reading, **_commands.given(given, part)}, measures)
        each = found if isinstance(found, dict) else {"": found}
        notes = (note.text for data in each.values() for note in getattr(data, "notes", ()))
        for text in dict.fromkeys(notes):  # measures share them
            remark(words.says(text))
        first = next(iter(each.values()))
        if source is not None and first.schema is not None:
            given.understood = (*getattr(given, "understood", ()), first.schema.sentence)
        parts = {name: _commands.selected(data, given, part) for name, data in each.items()}
        return parts if isinstance(found, dict) else parts[""]


def _scores(
    given: argparse.Namespace, reading: Mapping[str, Any], measures: Mapping[str, Any]
) -> Any:
    """Read the table of scores that a line names; complain if nothing says what is better."""
    from nbcompare.experiment import Experiment

    try:
        if measures:
            return Experiment.read_measures(given.data, **measures, **reading)
        return Experiment.read(given.data, **reading)
    except DirectionError:
        if "direction" not in reading:
            need_direction(given, "experiment")
        raise


def exported(outputs: Sequence[Path], report: Report, words: Speech) -> Answer:
    """Write a report, and return the files; what is lacking in it is told."""
    from nbcompare.report import IncompleteReportError, export

    code = 0
    try:
        paths = export(outputs, report)
    except IncompleteReportError as error:
        paths, code = error.written, 1
        complain(words.says(str(error)))
    return Answer("\n".join(map(str, paths)), code)
