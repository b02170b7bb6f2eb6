"""Lines of magics: their words and mistakes, and the table of what stands behind each."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from IPython.core.error import UsageError
from IPython.utils.text import DollarFormatter

from nbcompare import _commands
from nbcompare._commands import (
    ANALYSES,
    READING_OPTIONS,
    SELECT_OPTIONS,
    Analysis,
    OptionParser,
    flag,
)
from nbcompare._messages import Speech

DASHES = "--"  # no word behind it is an option
_HELP = ("--help", "-h")
_SEMICOLON = re.compile(r"(?<!\\)(?:\s*;)+\s*$")


def is_silent(line: str) -> bool:
    """Tell whether a line ends with the semicolon by which IPython displays nothing."""
    return _SEMICOLON.search(line) is not None


def asks_for_help(line: str) -> bool:
    """Tell whether one of the words of a line asks what the magic is."""
    words = _SEMICOLON.sub("", line).split()
    end = words.index(DASHES) if DASHES in words else len(words)
    return any(word in _HELP for word in words[:end])


class _Formatter(argparse.HelpFormatter):
    """Help of one width, whatever the terminal: docstrings are made of it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=96)


class LineParser(OptionParser):
    """Options of a line. It complains in one line, and never ends the session.

    The words that are no options are left to the magic.
    """

    def __init__(self, magic: str, *words: str) -> None:
        super().__init__(
            prog=f"%{magic}",
            usage=" ".join([f"%%{magic}", *words, "[options]"]),
            add_help=False,
            allow_abbrev=False,
            formatter_class=_Formatter,
        )
        self.where_listed = f"{self.prog}?"
        self.values: dict[str, str] = {}
        self.flags: list[str] = []

    def take(self, names: Iterable[str], heading: str = "what to compute") -> None:
        """Add options of the one table."""
        _commands.add_arguments(self.add_argument_group(heading), names)
        self.values |= {flag(name): name for name in names}

    def take_own(self, option: str, *, metavar: str, **more: Any) -> None:
        """Add an option of this magic alone, which takes a value."""
        self._own.add_argument(option, metavar=metavar, **more)
        self.values[option] = ""

    def take_flag(self, option: str, help: str) -> None:
        """Add an option that stands by itself."""
        self._own.add_argument(option, action="store_true", help=help)
        self.flags.append(option)

    @cached_property
    def _own(self) -> argparse._ArgumentGroup:
        return self.add_argument_group("what to do with it")

    @property
    def options(self) -> tuple[str, ...]:
        """All options, as a line writes them."""
        return (*self.values, *self.flags)

    def read(self, line: str) -> tuple[list[str], argparse.Namespace]:
        """Return the words of a line that are no options, and the options."""
        try:
            words = shlex.split(_SEMICOLON.sub("", line))
        except ValueError:
            self.error("a quotation mark has no second one to close it.")
        rest, behind, given = self.parse(words)
        for word in rest:
            if re.match(r"--?[^\W\d]", word):
                self.refuse_option(word)
        return [*rest, *behind], given

    def parse(self, words: Sequence[str]) -> tuple[list[str], list[str], argparse.Namespace]:
        """Return words that are no known options before and behind ``--``, and the options."""
        end = words.index(DASHES) if DASHES in words else len(words)
        given, rest = self.parse_known_args(self._joined(words[:end]))
        return rest, list(words[end + 1 :]), given

    def _joined(self, words: Sequence[str]) -> list[str]:
        """Join options to values that begin with a dash, which argparse takes for options."""
        joined: list[str] = []
        known = {*self.values, *self.flags}
        for word in words:
            is_value = word[:1] == "-" and word.partition("=")[0] not in known
            if joined and joined[-1] in self.values and is_value:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined

    def refuse_option(self, option: str, having: Sequence[str] = ()) -> NoReturn:
        """Complain of an option that the line does not have."""
        option = option.partition("=")[0]
        if not option.startswith(DASHES):
            why = "A name that begins with a dash goes behind --."
            self.error(f"there is no option {option}. {why}")
        super().refuse_option(option, having)

    def error(self, message: str) -> NoReturn:
        """Complain as the magic."""
        raise UsageError(f"{self.prog}: {self.sentence(message)}")


# ------------------------------------------------------ as IPython's users write them

# what IPython makes of a line or a cell whose own line ends with a semicolon, in either quotes
_SILENT = re.compile(
    r"^([^'\"()]*get_ipython\(\)\.run_(?:line|cell)_magic\('(\w+)', "
    r"(?:'(?:[^'\\]|\\.)*; *'|\"(?:[^\"\\]|\\.)*; *\")(?:, .*)?\))$"
)


class Silencer:
    """Writes the semicolon that ends a line behind the call as well, where IPython looks for it.

    Parameters
    ----------
    names : collection of str
        The magics whose lines may end with one.
    """

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __call__(self, lines: list[str]) -> list[str]:
        """Transform what is run."""
        return [self._silenced(line) for line in lines]

    def _silenced(self, line: str) -> str:
        code = line.rstrip("\n")
        found = _SILENT.match(code)
        is_ours = found is not None and found[2] in self._names
        return f"{code};{line[len(code) :]}" if is_ours else line


def expanded(magic: str, line: str, namespace: Mapping[str, Any], local: Mapping[str, Any]) -> str:
    """Write values for what stands in braces, or behind a dollar sign, and names for data."""
    try:
        return str(_ByName(magic, namespace).vformat(line, (), {**namespace, **local}))
    except UsageError:
        raise
    except Exception:  # as in other magics, what cannot be evaluated stays as it is
        return line


class _ByName(DollarFormatter):
    """Writes data by their name in the notebook."""

    def __init__(self, magic: str, namespace: Mapping[str, Any]) -> None:
        self._magic, self._namespace = magic, namespace

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the text of a value."""
        from nbcompare.experiment import is_frame

        is_ours = type(value).__module__.partition(".")[0] == "nbcompare"
        if not is_ours and not is_frame(value):
            return str(super().format_field(value, format_spec))
        names = [name for name, one in self._namespace.items() if one is value]
        for name in sorted(names, key=lambda name: name.startswith("_")):
            return name
        raise UsageError(
            f"%{self._magic}: a line takes data by name, and what stands in braces has none. Write "
            f"data = ... first, and then %{self._magic} data."
        )


# ------------------------------------------------------------------------- at the cursor


class Fragment(NamedTuple):
    """The word at the cursor: as it stands, what it says so far, and its open quotation mark."""

    raw: str
    value: str
    quote: str


def cut(text: str) -> tuple[list[str], Fragment]:
    """Return whole words before the cursor, and the one at it; quotation is as in a shell."""
    words: list[str] = []
    raw = text
    for found in re.finditer(r"\s+", text):
        with suppress(ValueError):  # of a quotation mark that is open there
            *before, last = shlex.split(f"{text[: found.end()]}x")
            if last == "x":  # another word begins there
                words, raw = before, text[found.end() :]
    for quote in ("", "'", '"'):
        with suppress(ValueError):
            return words, Fragment(raw, "".join(shlex.split(raw + quote)), quote)
    return words, Fragment(raw, raw, "")  # it ends in a backslash


def quoted(word: str, quote: str = "") -> str:
    """Write a word as a line does: in quotation marks if it needs some, or has one open."""
    if not quote and word and not re.search(r"[\s'\"\\]", word):
        return word
    if "'" in word or quote == '"':
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return f"'{word}'"


CALLED = {"experiment": "an Experiment", "histories": "a Histories"}


def speech(options: Mapping[str, str], *names: object) -> Speech:
    """Return the words of a magic for what the API says."""
    things = {takes: (f"the {called.split()[1]}", called) for takes, called in CALLED.items()}
    things["pilot"] = things["experiment"]
    return _commands.speech(options, things, lambda what: f"%{what.name}").about(*names)


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic about data.

    Attributes
    ----------
    command : Analysis
        The public function, its arguments, options, figure and builder.
    fixed : mapping
        Options that the magic's name stands for.
    may_select : bool
        Whether the arguments are two algorithms to which the data are restricted, or none.
    is_diagram : bool
        Whether it gives the diagram alone, of a Comparison too.
    """

    command: Analysis
    fixed: Mapping[str, Any] = field(default_factory=dict)
    may_select: bool = False
    is_diagram: bool = False

    @property
    def name(self) -> str:
        """Name after the percent sign."""
        return self.command.name

    @property
    def may_leave_out(self) -> bool:
        """Whether a line need not name its arguments."""
        return self.may_select or bool(self.command.pair_result)

    @property
    def reading_options(self) -> tuple[str, ...]:
        """Options that say how a dataframe, a file or a cell is read."""
        return READING_OPTIONS[self.command.takes]

    @property
    def select_options(self) -> tuple[str, ...]:
        """Options that say which part of the data is meant."""
        return SELECT_OPTIONS[self.command.takes]

    @property
    def takes_alpha(self) -> bool:
        """Whether there is a significance level to set."""
        return any(name.rpartition(".")[2] == "alpha" for name in self.command.options)

    def reading_speech(self, *names: object) -> Speech:
        """Return the words of the magic while it reads its data."""
        return speech(_commands.flags((*self.reading_options, *self.select_options)), *names)

    def computing_speech(self, *names: object) -> Speech:
        """Return the words of the magic once its data are there."""
        words = {} if self.may_select else {name: name.upper() for name in self.command.arguments}
        return speech(self.command.flags | words, *names)

    def parser(self) -> LineParser:
        """Return the parser of its lines."""
        parser = LineParser(self.name, "NAME", *self._words())
        parser.take(self.command.options)
        parser.take_own(
            "--as", dest="bound_as", metavar="NAME", help="bind what it returns to this name, too"
        )
        parser.take_own("--data-as", metavar="NAME", help="bind the data as they were read")
        parser.take_flag("--builder", "open the builder, set to these options, instead")
        parser.take(self.select_options, "which part of the data to compare")
        parser.take(self.reading_options, "how to read a dataframe, a file or a cell")
        return parser

    def _words(self) -> list[str]:
        words = [argument.upper() for argument in self.command.arguments]
        return [f"[{' '.join(words)}]"] if self.may_leave_out else words

    def help(self) -> str:
        """Return what ``%magic?`` shows."""
        what = self.command.help
        called = CALLED[self.command.takes]
        name = (
            f"NAME is {called} or a dataframe of this notebook, or a file. In a cell magic,\n"
            f"%%{self.name}, leave it out: the table is in the cell, below the line."
        )
        if self.is_diagram:
            name = f"NAME may be a Comparison.\n{name}"
        if self.command.figure:
            name += f"\nThe figure beside the result is nbcompare.plots.{self.command.figure}."
        examples = "".join(f"\n    {line}" for line in self.command.examples)
        return (
            f"{what[0].upper()}{what[1:]}.\n\n{name}\n\nFor example:\n{examples}\n\n"
            f"{self.parser().format_help()}"
        )


# -------------------------------------------------- magics that are more than a command

_BY_NAME = {command.name: command for command in ANALYSES}
_COMPARE, _STOCHASTIC = _BY_NAME["compare"], _BY_NAME["compare_stochastic"]
_CONDITIONS = replace(
    _BY_NAME["check_conditions"],
    name="conditions",
    help="check what parametric tests need; the same as %check_conditions",
    examples=("%conditions experiment",),
)
_FUZZY = replace(
    _STOCHASTIC,
    name="fuzzy_pvalue",
    help="compare algorithms by fuzzy p-values: all, or the two that are named; the same as "
    "%compare_stochastic --procedure fuzzy",
    arguments={"a": "one algorithm", "b": "another"},
    without=("procedure",),
    figure="membership",
    examples=("%fuzzy_pvalue runs --control DE", "%fuzzy_pvalue runs DE PSO --coverage 0.8"),
)
_DIAGRAM = replace(
    _COMPARE,
    name="cd_diagram",
    help="show the critical difference diagram, and nothing else: of a Comparison, or of data, "
    "which are\ncompared first with the options of %compare; it is what --as binds",
    more=("diagram.best",),
    figure="",
    examples=("%cd_diagram comparison", "%cd_diagram experiment --adjust nemenyi"),
)
_ALL = (
    *map(Magic, ANALYSES),
    Magic(_CONDITIONS),
    Magic(_FUZZY, fixed={"procedure": "fuzzy"}, may_select=True),
    Magic(_DIAGRAM, is_diagram=True),
)
MAGICS: Mapping[str, Magic] = MappingProxyType({magic.name: magic for magic in _ALL})
