"""An option: its default, the words it accepts, and what readers are told of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from nbcompare._validation import check_choice, named, shown


class Choice(NamedTuple):
    """A word that an option accepts.

    Attributes
    ----------
    label : str
        Longer text that a control shows in its place; empty if it shows the word.
    effect : str
        What it does, as the end of a sentence that begins with the word as the control shows it.
    """

    label: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its default, the words it accepts (None: any value) and its description.

    Where a function accepts other words than the other functions, the option has an entry of
    its own, such as ``stochastic.test``; the name of the argument is what follows the dot. The
    command line, the magics and the builders use this table, so an option that a command lists
    is available in all of them.

    Attributes
    ----------
    default : object
        The default value.
    words : tuple or mapping, or None
        The words that the option accepts; None for any value. A mapping says of each word what a
        control shows of it. A key None there means that the option accepts None.
    help : str
        The description.
    type : callable
        Function that converts the text of a command line to a value.
    flag : str
        Name on command lines, if another option has the name of the argument.
    metavar : str
        Placeholder of the value in help texts, if not the name of the argument.
    repeats : bool
        True if a command line may repeat the option, which makes a list.
    label : str
        Label on the control of a builder; the name by default.
    within : callable, optional
        Check of a number; its arguments are the value and the name of the argument.
    axis : str
        Kind of names that the option accepts, such as ``algorithms``, if it accepts names of
        the data beside its words.
    several : bool
        True if a list of words is accepted.
    switch : bool
        True if the option takes no value on a command line: it is given or not.
    choices : tuple or None
        The words alone; None for any value, and for names of the data.
    spelled, effects : mapping
        Label and effect of the words that have one.
    """

    default: Any
    words: tuple[Any, ...] | Mapping[Any, Choice] | None
    help: str
    type: Callable[[str], Any] = str
    flag: str = ""
    metavar: str = ""
    repeats: bool = False
    label: str = ""
    within: Callable[[object, str], float] | None = None
    axis: str = ""
    several: bool = False
    switch: bool = False
    choices: tuple[Any, ...] | None = field(init=False)
    spelled: Mapping[Any, str] = field(init=False)
    effects: Mapping[Any, str] = field(init=False)

    def __post_init__(self) -> None:
        """Take the words apart."""
        said = self.words if isinstance(self.words, Mapping) else {}
        words = tuple(word for word in self.words or () if word is not None)
        is_open = self.words is None or self.axis or self.within
        object.__setattr__(self, "choices", None if is_open else words)
        labels = {word: each.label for word, each in said.items() if each.label}
        object.__setattr__(self, "spelled", labels)
        effects = {word: each.effect for word, each in said.items() if each.effect}
        object.__setattr__(self, "effects", effects)

    @property
    def takes_names(self) -> bool:
        """Return whether a command line gives names, separated by commas."""
        return self.type is names_of

    @property
    def optional(self) -> bool:
        """Return whether the option accepts None."""
        return self.default is None or None in self.spelled

    def check(self, value: object, argument: str) -> str:
        """Return ``value`` if it is one of the choices, or raise an error that lists them."""
        return check_choice(value, argument, self.choices or ())

    def checked(self, value: Any, argument: str) -> Any:
        """Return ``value`` if the option accepts it, as a number if it is one, or raise an error.

        Lists of words, and names of the data, are returned unchecked.
        """
        if value is None and self.optional:
            return None
        if self.switch and not isinstance(value, bool):
            raise TypeError(f"`{argument}` must be True or False; got {shown(value)}.")
        if self.within is not None:
            return self.within(value, argument)
        return value if self.choices is None or self.several else self.check(value, argument)


def list_of_names(*names: str) -> str:
    """Write names as an option takes them, separated by commas; those with commas are quoted."""
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(names)
    return row.getvalue()


def names_in(text: str) -> list[str]:
    """Return the names in a text that is written as a row of a CSV file; none if it is no row."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        row = []
    return [name.strip() for name in row]


def names_of(text: str) -> list[str]:
    """Return the names in a text, of which there must be one, and none blank."""
    names = names_in(text)
    if not names or not all(names):
        raise ValueError(text)
    return names


def number_or_name(text: str) -> float | str:
    """Return the number that a text is, or the text."""
    try:
        return float(text)
    except ValueError:
        return text


MAXIMIZE, MINIMIZE = "maximize", "minimize"
DIRECTIONS = (MAXIMIZE, MINIMIZE)
BETTER = MappingProxyType({MAXIMIZE: "higher is better", MINIMIZE: "lower is better"})
# What one score of an algorithm is another one of
UNITS = ("datasets", "folds", "runs", "items")
INSTANCES = ("runs", "problems")
LAYOUTS = ("wide", "long")
_MOST_TURNED = 3  # data sets that are named where their direction is told

BEST = "best"
RAW = "raw"  # values as they are, which may get worse
AUTO = "auto"
EXACT, NORMAL = "exact", "normal"
TWO_SIDED, ALTERNATIVES = "two-sided", ("two-sided", "better", "worse")
QUANTILES = "quantiles"  # targets that are chosen from the data

# The sections that a report can have, in the usual order
SECTIONS = MappingProxyType(
    {
        "findings": "the answer in a few sentences, and its diagram",
        "comparison": "which algorithms differ: the pairs, significant differences first",
        "groups": "comparison within groups of data sets",
        "all-pairs": "differences, wins and p-values of all pairs",
        "pair": "two algorithms by themselves",
        "stochastic": "comparison by repeated runs",
        "aggregates": "how large typical scores of runs are, and how often one run beats another",
        "cv": "comparison on the folds of one data set",
        "items": "comparison on the items of benchmarks",
        "runs": "comparison by the runs on one data set",
        "convergence": "which algorithm converges faster",
        "bayesian": "how probable differences are, and that two algorithms are equivalent",
        "targets": "how long optimisers take to reach targets, and how often they do",
        "histories": "convergence curves",
        "data": "the scores and what they look like",
        "sensitivity": "which decisions depend on the design or on one data set",
        "plan": "how many data sets an experiment needs to find these differences",
        "methods": "a paragraph on the methods, for a paper",
        "appendix": "ranks, omnibus test, all hypotheses and options; what follows belongs to it",
        "conditions": "conditions of parametric tests",
        "design": "which tests suit the data",
        "signs": "wins and losses against the control",
        "contrast": "how large the differences are",
        "rank-intervals": "intervals of the average ranks",
        "references": "the literature",
    }
)
# Marks, in the metadata of an output, the picture of a builder that is shown instead of it
# where widgets do not work
SNAPSHOT = "nbcompare-snapshot"
# Says, in the metadata of a report's notebook, whether PDF and LaTeX print the code
PRINTS_CODE = "prints_code"
# In the metadata of a cell, what a page says of it where it is folded
FOLD = "nbcompare_fold"
# The tag of a cell that begins a page in print
NEW_PAGE = "nbcompare-page"


def nouns_of(unit: str | None) -> tuple[str, str]:
    """Return what a data set, and a fold of it, are called: items are those of a benchmark."""
    return ("benchmark", "item") if unit == "items" else ("data set", "fold")


def better(direction: str, turned: Sequence[str] = ()) -> str:
    """Return in words which scores are better, and on which data sets it is the other way round.

    Examples
    --------
    >>> better("maximize"), better("maximize", ["kddcup"])
    ('higher is better', 'higher is better; lower is better on kddcup')
    """
    if not turned:
        return BETTER[direction]
    other = BETTER[MINIMIZE if direction == MAXIMIZE else MAXIMIZE]
    return f"{BETTER[direction]}; {other} on {named(turned, most=_MOST_TURNED)}"
