"""What the command line and the magics share: a table of commands, and options as arguments.

The words, defaults and help of the options stand in :mod:`nbcompare._options`; here they are
given to parsers, and read from what was parsed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from nbcompare._options import BEST, LONGEST_CELL, OPTIONS, Option

COMPARE_OPTIONS = ("ranking", "pairs", "control", "adjust", "alpha", "missing", "formulas")
STOCHASTIC_OPTIONS = (
    "procedure",
    "stochastic.test",
    "encoding",
    "coverage",
    "blocks",
    "control",
    "adjust",
    "alpha",
    "stochastic.method",
    "stochastic.n_resamples",
    "rng",
    "formulas",
    "stochastic.missing",
)
CONVERGENCE_OPTIONS = (
    "cutpoints",
    "version",
    "null",
    "optimum_tolerance",
    "aggregate",
    "differences",
    "convergence.adjust",
    "convergence.alpha",
    "formulas",
    "convergence.missing",
)


@dataclass(frozen=True, slots=True)
class Command:
    """A public function: its name, arguments beside the data, options; what it is called here."""

    function: str
    arguments: Mapping[str, str]
    options: tuple[str, ...]
    help: str
    name: str = ""
    takes: str = "experiment"  # or histories

    def __post_init__(self) -> None:
        """Go by the function's name unless told otherwise."""
        object.__setattr__(self, "name", self.name or self.function)


_NO_ARGUMENTS: Mapping[str, str] = MappingProxyType({})
# What the command line and the magics offer beside reports: one function each.
COMMANDS = (
    Command(
        "compare",
        _NO_ARGUMENTS,
        COMPARE_OPTIONS,
        "rank the algorithms, test for any difference, then for each pair",
    ),
    Command(
        "compare_pair",
        MappingProxyType({"a": "the first algorithm", "b": "the second"}),
        ("test", "zeros", "method", "alternative", "alpha", "missing"),
        "test whether two algorithms differ, exactly",
    ),
    Command(
        "multiple_sign_test",
        MappingProxyType({"control": f"the control, or '{BEST}'"}),
        ("alternative", "alpha", "missing"),
        "compare a control with all others by wins and losses",
    ),
    Command(
        "contrast_estimation",
        _NO_ARGUMENTS,
        ("confidence", "n_resamples", "missing"),
        "estimate how far apart the algorithms are",
    ),
    Command(
        "check_conditions",
        _NO_ARGUMENTS,
        ("alpha",),
        "check what parametric tests need: normality, equal variances",
    ),
    Command(
        "compare_stochastic",
        _NO_ARGUMENTS,
        STOCHASTIC_OPTIONS,
        "compare algorithms that give another score at every run",
    ),
    Command(
        "compare_convergence",
        _NO_ARGUMENTS,
        CONVERGENCE_OPTIONS,
        "test which optimiser converges faster, from the histories of their runs",
        name="page_trend",
        takes="histories",
    ),
    Command("recommend", _NO_ARGUMENTS, ("control", "alpha"), "say which tests suit the data"),
)


def add_arguments(
    parser: argparse._ActionsContainer, names: Iterable[str], prefix: str = ""
) -> None:
    """Give a command or magic ``--name`` for each option; absent ones stay absent.

    With a prefix it is ``--prefix-name``, for options that share a word with others.
    """
    start = f"{prefix}_" if prefix else ""
    for name in names:
        option, argument = OPTIONS[name], name.rpartition(".")[2]
        hint = f" (default: {option.default})" if option.default is not None else ""
        parser.add_argument(
            f"--{(start + argument).replace('_', '-')}",
            dest=start + argument,
            type=_word_list if option.several else option.type,
            default=argparse.SUPPRESS,
            # the values of a list are checked by the function that receives it
            choices=None if option.several else option.choices,
            # words are listed as choices, marks in the text that explains them
            metavar=None if _has_words(option) and not option.several else argument.upper(),
            help=option.help + hint + (_listed(option) if option.several else ""),
        )


def given(arguments: argparse.Namespace, names: Iterable[str], prefix: str = "") -> dict[str, Any]:
    """The options that were given, ready to pass on as keywords."""
    start = f"{prefix}_" if prefix else ""
    plain = [name.rpartition(".")[2] for name in names]
    return {
        name: getattr(arguments, start + name) for name in plain if hasattr(arguments, start + name)
    }


def add_document(add: Callable[..., object], *, date: str, cell: str) -> None:
    """Give a parser what may be said of the report itself; ``add`` adds an argument to it.

    ``date`` and ``cell`` are for the help: what the date is, and what may take so long.
    """
    add("--title", metavar="TEXT", help="of the report")
    add(
        "--author",
        dest="authors",
        action="append",
        default=[],
        metavar="NAME",
        help="may be given again",
    )
    add("--abstract", metavar="TEXT", help="a summary, in Markdown")
    add("--date", metavar="TEXT", help=date)
    add(
        "--timeout",
        type=float,
        default=LONGEST_CELL,
        metavar="SECONDS",
        help=f"longest time for {cell} (default: %(default)g)",
    )


def _has_words(option: Option) -> bool:
    return bool(option.choices) and all(word[0].isalnum() for word in option.choices or ())


def _word_list(text: str) -> list[str] | None:
    return None if text == "none" else text.split(",")


def _listed(option: Option) -> str:
    return f"; of {', '.join(option.choices or ())}; or none"
