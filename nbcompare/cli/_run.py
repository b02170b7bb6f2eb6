"""Parse a command line, call one function, print its result or what went wrong."""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nbcompare import _commands
from nbcompare._commands import Analysis
from nbcompare._messages import Speech
from nbcompare._options import COMPARE_OPTIONS
from nbcompare._validation import did_you_mean, shown
from nbcompare._version import __version__
from nbcompare.cli import _app, _files, _report, _schema
from nbcompare.cli._data import (
    JSON_HELP,
    READING,
    Answer,
    Command,
    add_data,
    add_options,
    data_of,
    speech,
)
from nbcompare.cli._signals import in_order
from nbcompare.cli._surroundings import complain, readable, remark_reading, say, silence
from nbcompare.words import SCORES

if TYPE_CHECKING:
    from nbcompare.results import OtherQuestion

__all__ = ["command_parser", "run"]

EXIT_CODES = """\
exit codes:
  0    done; of verify: the report holds
  1    the data or the options were refused, or a file could not be read or written; of report: a
       section or a format is missing, the rest was written; of verify: the report does not hold
  2    the command line was not understood; of verify: it could not be said whether the report holds
  130  interrupted, as by Ctrl-C; nothing was written
  141  the program that read the output closed it early"""
_PARAGRAPH = "\n\n"
_NO_BREAK = "\ue000"  # a space within a command, which no text has
_MORE_ROWS = re.compile(r"^(\.\.\. and [\d,]+ more rows?); to_frame\(\) .*$", re.MULTILINE)


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code, unless argparse raises it."""
    with readable():
        try:
            return _run(arguments)
        except BrokenPipeError:
            # Python would complain once more when it writes the rest at its end
            silence(sys.stdout)
            return 141
        except OSError as error:
            from nbcompare._files import in_words

            complain(str(in_words(error)))
            return 1
        except (ValueError, TypeError, ImportError, RuntimeError) as error:
            complain(str(error))
            return 1
        except MemoryError as error:  # its message is often empty, or NumPy's
            complain(f"there is not enough memory. {error}".strip())
            return 1


def _run(arguments: Sequence[str]) -> int:
    printed = io.StringIO()  # help or version: argparse would pass over it if that failed
    try:
        with redirect_stdout(printed):
            given, unknown = command_parser(arguments).parse_known_args(arguments)
            if unknown:
                _refuse(given.parser, unknown[0])
    except SystemExit as ended:
        if ended.code == 0 and not say(printed.getvalue()):
            return 1
        raise
    answer: Answer = given.command(given)
    if answer.code == 0 and not getattr(given, "json", False):
        for sentence in getattr(given, "understood", ()):
            remark_reading(sentence)
    return answer.code if say(f"{answer.text}\n") else answer.unsaid


def command_parser(arguments: Sequence[str]) -> _commands.OptionParser:
    """Return the parser of a line: the command that it begins with has its options.

    Without any words all commands have.
    """
    parser = _commands.OptionParser(
        prog="nbcompare",
        description="Compare algorithms over data sets, and report it.\n"
        "The command app opens a page in the browser that needs no other one.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"nbcompare {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    first = next(iter(arguments), "")
    for command in _all_commands():
        command.add_to(commands, with_options=first in ("", command.name))
    if first and first not in commands.choices and not first.startswith("-"):
        hint = did_you_mean(first, commands.choices) or " --help lists the commands."
        parser.error(f"there is no command {shown(first)}.{hint}")
    return parser


def _all_commands() -> tuple[Command, ...]:
    return (
        _app.command(),
        _schema.command(),
        _report.command(),
        *_files.commands(),
        *map(_command_of, _commands.ANALYSES),
    )


def _command_of(what: Analysis) -> Command:
    """Return the command of an analysis."""
    named = " ".join(f"--{argument} NAME" for argument in what.arguments)
    named = f"[{named}]" if what.pair_result else named

    def add(parser: _commands.OptionParser) -> None:
        add_data(parser, what)
        add_options(parser, "what to compute", what.options)
        parser.add_argument("--json", action="store_true", help=JSON_HELP)

    return Command(
        what.word,
        what.help,
        " ".join(filter(None, ["[data]", named, "[options]"])),
        add,
        partial(_show, what),
    )


def _show(what: Analysis, given: argparse.Namespace) -> Answer:
    """Return the result of one public function."""
    data = data_of(given, what)
    named = [getattr(given, name) for name in what.arguments]
    if what.pair_result and named == [None] * len(named):
        named = []
    options = what.flags | {name: f"--{name}" for name in what.arguments}
    words = speech(options).about(given.data and given.data.name)
    # other processes, which share the work, end with this one
    ending = in_order() if "n_jobs" in what.options else nullcontext()
    with ending, words.telling():
        function = _commands.function_of(what.function)
        result = what.call(function, data, named, what.options_of(given))
    if given.json:
        return Answer(result.to_json())
    words = words.about(*result.design.algorithms, *result.design.datasets)
    return Answer(_for_a_shell(result, words, given, what.takes))


def _for_a_shell(result: Any, words: Speech, given: argparse.Namespace, takes: str) -> str:
    """Write a result without advice that only a Python session could follow."""
    spoken: dict[str, tuple[Any, ...]] = {
        name: tuple(replace(note, text=words.says(note.text)) for note in getattr(result, name))
        for name in ("notes", "reasons")
        if hasattr(result, name)
    }
    if hasattr(result, "questions"):
        spoken["questions"] = tuple(_commands_for(given, takes, result.questions))
    # a line is not broken within a command
    text = str(replace(result, **spoken)).replace(_NO_BREAK, " ")
    if hasattr(result, "call"):  # code, which ends a recommendation
        line = _comparing(given, takes, result.options)
        text = f"{text.rpartition(_PARAGRAPH)[0]}{_PARAGRAPH}{line}"
    return _MORE_ROWS.sub(r"\1", text)


def _comparing(given: argparse.Namespace, takes: str, options: Mapping[str, Any]) -> str:
    """Return the command that compares the same data with these options."""
    chosen = _commands.written(options, COMPARE_OPTIONS)
    return shlex.join(["nbcompare", "compare", *_words_of_data(given, takes), *chosen])


def _commands_for(
    given: argparse.Namespace, takes: str, questions: Sequence[OtherQuestion]
) -> Iterator[OtherQuestion]:
    """Yield the questions that a command answers, with that command for the same data."""
    for question in questions:
        if not question.command:
            continue
        words, typed_words = shlex.split(question.command), []
        for word in words:
            is_data = word == SCORES
            # an option that selects data sets is given once
            typed_words += _words_of_data(given, takes, without=words) if is_data else [word]
        typed = shlex.join(typed_words).replace(" ", _NO_BREAK)
        yield replace(question, call=typed, magic="")


def _words_of_data(given: argparse.Namespace, takes: str, without: Sequence[str] = ()) -> list[str]:
    """Return the words of a line that name its data, and say how they are read.

    Those of options that stand in ``without`` are left out.
    """
    source = [str(given.data)] if given.data is not None else ["--example", given.example]
    reading = tuple(name for name in READING[takes] if _commands.flag(name) not in without)
    return [*source, *_commands.written(_commands.given(given, reading), reading)]


def _refuse(parser: _commands.OptionParser, word: str) -> None:
    """Complain of a word that a command has no use for."""
    if word.startswith("-"):
        option, having = word.partition("=")[0], []
        for command in _all_commands():
            other = _commands.OptionParser()
            command.add(other)
            if option in other.options:
                having.append(command.name)
        parser.refuse_option(option, having)
    parser.error(f"there is a word too many: {shown(word)}. Quote a name with spaces.")
