"""What each magic is: the function behind it, its figure, its builder, its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from nbcompare import _options
from nbcompare._commands import COMMANDS, Command
from nbcompare.magics._lines import LineParser

CALLED = {"experiment": "an Experiment", "histories": "a Histories"}
_TEXT = ("decimal", "thousands", "separator")
_FRAME = {
    "experiment": ("direction", *_options.COLUMN_OPTIONS, "measure"),
    "histories": ("direction", *_options.HISTORY_OPTIONS, "measure"),
}


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic about data.

    Attributes
    ----------
    command : Command
        The public function, its arguments and options.
    figure : str
        In ``nbcompare.plots``, shown beside the result.
    builder : str
        In ``nbcompare.widgets``.
    fixed : mapping
        Options that the magic's name stands for.
    may_select : bool
        Whether the arguments are two algorithms to which the data are restricted, or none.
    is_diagram : bool
        Whether it gives the diagram alone, of a Comparison too.
    examples : tuple of str
        Lines for the help.
    """

    command: Command
    figure: str = ""
    builder: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    may_select: bool = False
    is_diagram: bool = False
    examples: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What follows the percent sign."""
        return self.command.name

    @property
    def frame_options(self) -> tuple[str, ...]:
        """How a dataframe is read."""
        return _FRAME[self.command.takes]

    @property
    def reading_options(self) -> tuple[str, ...]:
        """How a dataframe, a file or a cell is read."""
        return (*self.frame_options, *_TEXT)

    @property
    def takes_alpha(self) -> bool:
        """Whether there is a significance level to set."""
        return any(name.rpartition(".")[2] == "alpha" for name in self.command.options)

    def parser(self) -> LineParser:
        """Of its lines."""
        parser = LineParser(self.name, "NAME", *self._words())
        parser.take(self.command.options)
        parser.take_own(
            "--as", dest="target", metavar="NAME", help="bind what it returns to this name, too"
        )
        parser.take_own("--data-as", metavar="NAME", help="bind the data as they were read")
        if self.builder:
            parser.take_flag("--builder", "open the builder, set to these options, instead")
        parser.take(self.reading_options, "to read a dataframe, a file or a cell")
        return parser

    def _words(self) -> list[str]:
        words = [argument.upper() for argument in self.command.arguments]
        return [f"[{' '.join(words)}]"] if self.may_select else words

    def help(self) -> str:
        """Options and examples, for the docstring."""
        name = (
            f"NAME is {CALLED[self.command.takes]} or a dataframe of this notebook, or a file. "
            f"In a cell magic,\n%%{self.name}, there is none: the table stands in the cell, "
            "below the line."
        )
        if self.is_diagram:
            name = f"NAME may be a Comparison.\n{name}"
        examples = "".join(f"\n    {line}" for line in self.examples)
        return f"{name}\n\nFor example:\n{examples}\n\n{self.parser().format_help()}"


_BY_NAME = {command.name: command for command in COMMANDS}
_STOCHASTIC = _BY_NAME["compare_stochastic"]
_FUZZY = replace(
    _STOCHASTIC,
    name="fuzzy_pvalue",
    arguments=MappingProxyType({"a": "one algorithm", "b": "another"}),
    options=tuple(name for name in _STOCHASTIC.options if name != "procedure"),
)
_DIAGRAM = replace(
    _BY_NAME["compare"],
    name="cd_diagram",
    options=(*_BY_NAME["compare"].options, "diagram.best"),
)

_ALL = (
    Magic(
        _BY_NAME["compare"],
        "overview",
        "CDDiagramBuilder",
        examples=(
            "%compare experiment --control C4.5 --adjust holm,finner",
            "%compare scores.csv --direction maximize --as comparison",
        ),
    ),
    Magic(
        _BY_NAME["compare_pair"],
        "pair_scatter",
        examples=("%compare_pair experiment C4.5 'naive Bayes' --test sign",),
    ),
    Magic(_BY_NAME["multiple_sign_test"], examples=("%multiple_sign_test experiment C4.5",)),
    Magic(
        _BY_NAME["contrast_estimation"],
        "contrast_matrix",
        examples=("%contrast_estimation experiment --confidence 0.9",),
    ),
    Magic(
        _BY_NAME["check_conditions"],
        "histogram_qq",
        examples=("%check_conditions experiment",),
    ),
    Magic(
        replace(_BY_NAME["check_conditions"], name="conditions"),
        "histogram_qq",
        examples=("%conditions experiment",),
    ),
    Magic(
        _STOCHASTIC,
        "overview",
        "FuzzyPValueBuilder",
        examples=("%compare_stochastic runs --procedure interval --control DE",),
    ),
    Magic(
        _FUZZY,
        "membership",
        "FuzzyPValueBuilder",
        fixed={"procedure": "fuzzy"},
        may_select=True,
        examples=("%fuzzy_pvalue runs --control DE", "%fuzzy_pvalue runs DE PSO --coverage 0.8"),
    ),
    Magic(
        _BY_NAME["page_trend"],
        "trend_heatmap",
        "PageTrendBuilder",
        examples=("%page_trend histories --cutpoints 20 --version alternative",),
    ),
    Magic(_BY_NAME["recommend"], examples=("%recommend experiment --control C4.5",)),
    Magic(
        _DIAGRAM,
        builder="CDDiagramBuilder",
        is_diagram=True,
        examples=("%cd_diagram comparison", "%cd_diagram experiment --adjust nemenyi"),
    ),
)
MAGICS: Mapping[str, Magic] = MappingProxyType({magic.name: magic for magic in _ALL})
