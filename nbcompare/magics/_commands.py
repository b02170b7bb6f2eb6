"""Table of the magics: the command behind each, and what its name stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from nbcompare import _commands
from nbcompare._commands import ANALYSES, FRAME_OPTIONS, READING_OPTIONS, SELECT_OPTIONS, Analysis
from nbcompare._messages import Speech
from nbcompare.magics._lines import LineParser

CALLED = {"experiment": "an Experiment", "histories": "a Histories"}
# Settings that lines need not repeat, and how results look
SETTINGS = ("alpha", "direction", "digits", "theme")


def settings_parser() -> LineParser:
    """Return the parser of the lines of %nbcompare_config."""
    parser = LineParser("nbcompare_config")
    parser.take(SETTINGS, "what to set")
    parser.take_flag("--reset", "forget what was set")
    return parser


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
    def frame_options(self) -> tuple[str, ...]:
        """Options that say how a dataframe is read."""
        return FRAME_OPTIONS[self.command.takes]

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
