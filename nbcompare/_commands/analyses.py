"""Table of the analyses: what the command line, magics, builders and reports ask of each."""

from __future__ import annotations

import argparse
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from nbcompare._commands.lines import flag, flags, given
from nbcompare._messages import Speech
from nbcompare._options import (
    BEST,
    CELL_OPTIONS,
    COLUMN_OPTIONS,
    FOLDER_OPTIONS,
    HISTORY_OPTIONS,
    OPTIONS,
    TEXT_OPTIONS,
)
from nbcompare._validation import listed

# Arguments that are data, or say how these are read
_DATA = frozenset({"experiment", "histories", "pilot", "direction", "dataset", "names"})
# Options of reading: the columns of a dataframe, and the format of a text file
FRAME_OPTIONS = {
    "experiment": ("direction", *COLUMN_OPTIONS, "measure", *CELL_OPTIONS),
    "histories": ("direction", *HISTORY_OPTIONS, "measure", "missing_words", "edits"),
}
READING_OPTIONS = {
    "experiment": (*FRAME_OPTIONS["experiment"], *TEXT_OPTIONS, "sheet", "format"),
    "histories": (*FRAME_OPTIONS["histories"], *TEXT_OPTIONS, "sheet", *FOLDER_OPTIONS),
}
# Options that select a part of the data
SELECT_OPTIONS = {
    "experiment": ("select.algorithms", "select.datasets"),
    "histories": ("select.algorithms", "select.problems"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """An analysis: all that the command line, magics, builders, reports and verify ask of it.

    Attributes
    ----------
    function : str
        The public function behind it, in ``nbcompare``.
    result : str
        The class of its results, in ``nbcompare.results``.
    pair_result : str
        The class of its results about two algorithms that its arguments name, if these may be
        left out and the class is another one then; such a result has no figure.
    section : str
        Its section of a report.
    help : str
        What it does, in one line.
    own : tuple of str
        What stands before the names of options that are its own in the one table.
    more, without : tuple of str
        Options that it has beside the arguments of the function, and arguments that are none.
    arguments : mapping of str to str
        What it takes beside the data, by position, each with a help text.
    name : str
        What a magic calls it, and the command line with dashes; the function's name by default.
    takes : {"experiment", "histories"}
        The data that it is about.
    data_argument : str
        Keyword of the data; without it, they are the first argument.
    selects : mapping of str to str
        Arguments of the function that take one of what an option selects.
    needs : tuple of str
        Options without which the function refuses to work.
    figure : str
        In ``nbcompare.plots``: what a magic shows beside the result.
    withheld : str
        Attribute of its results that says why they lack that figure, if that can be; it is
        empty where there is one.
    instead : str
        The figure of those that lack it; nothing by default.
    builder : str
        In ``nbcompare.widgets``: what a magic opens instead with ``--builder``.
    examples : tuple of str
        Lines of the magic, for its help.
    variable : str
        The variable of its result in a report's notebook; by default the name of the section.
    unit : str
        What each row of a table is another one of that it reads itself; nothing if that is open.
    """

    function: str
    result: str
    section: str
    help: str
    own: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    takes: str = "experiment"
    data_argument: str = ""
    pair_result: str = ""
    selects: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    figure: str = ""
    withheld: str = ""
    instead: str = ""
    builder: str = ""
    examples: tuple[str, ...] = ()
    variable: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        """Name what has no name of its own."""
        object.__setattr__(self, "name", self.name or self.function)
        object.__setattr__(self, "variable", self.variable or self.section.replace("-", "_"))

    @property
    def options(self) -> tuple[str, ...]:
        """Its options in the one table, in the order of the function's arguments."""
        left_out = {*_DATA, *self.arguments, *self.selects, *self.without}
        names = [name for name in _arguments_of(self.function) if name not in left_out]
        return (*filter(None, (record_of(name, self.own) for name in names)), *self.more)

    @property
    def word(self) -> str:
        """The command's name on the command line."""
        return self.name.replace("_", "-")

    def call(
        self,
        function: Callable[..., Any],
        data: object,
        arguments: Sequence[str],
        options: Mapping[str, Any],
    ) -> Any:
        """Call the function on data, with its further arguments and its options."""
        if self.data_argument:
            return function(*arguments, **{self.data_argument: data}, **options)
        return function(data, *arguments, **options)

    def figure_of(self, result: object) -> str:
        """Return the figure of one of its results; nothing if this one has none."""
        kind = type(result).__name__
        if kind == self.pair_result:
            return ""
        if kind != self.result:  # what the unit of the data chose
            return _BY_RESULT[kind].figure_of(result)
        return self.instead if self.withheld and getattr(result, self.withheld) else self.figure

    @property
    def flags(self) -> dict[str, str]:
        """The options of a line that give arguments of the API, by argument."""
        selects = {argument: flag(name) for argument, name in self.selects.items()}
        named = (*READING_OPTIONS[self.takes], *SELECT_OPTIONS[self.takes], *self.options)
        return flags(named) | selects

    @property
    def part_options(self) -> tuple[str, ...]:
        """Options that restrict the data before the function gets them."""
        return tuple(
            name for name in SELECT_OPTIONS[self.takes] if name not in self.selects.values()
        )

    def options_of(self, arguments: argparse.Namespace) -> dict[str, Any]:
        """Return the options of the function that a line gives, ready to pass on as keywords."""
        found = given(arguments, self.options)
        for argument, name in self.selects.items():
            for chosen, *more in given(arguments, (name,)).values():
                if more:
                    raise ValueError(f"`{argument}` must be one; got {listed([chosen, *more])}.")
                found[argument] = chosen
        return found


# Adding an analysis here gives it a command and a magic, with help and completion.
ANALYSES = (
    Analysis(
        function="compare",
        result="Comparison",
        section="comparison",
        help="rank the algorithms, test for any difference, then for each pair",
        figure="overview",
        builder="CDDiagramBuilder",
        examples=(
            "%compare experiment --control C4.5 --adjust holm,finner",
            "%compare scores.csv --direction maximize --as comparison",
        ),
    ),
    Analysis(
        function="compare_by",
        result="GroupedComparison",
        section="groups",
        variable="by_group",
        help="compare the algorithms within each group of data sets, such as a domain",
        figure="cd_diagrams",
        examples=(
            "%compare_by experiment --control C4.5",
            "%compare_by scores.csv --direction maximize --domain field --across",
        ),
    ),
    Analysis(
        function="describe",
        result="Description",
        section="data",
        variable="description",
        help="describe the scores of each algorithm, over the data sets and on each of them",
        examples=("%describe experiment", "%describe runs --alpha 0.01"),
    ),
    Analysis(
        function="compare_pair",
        result="PairComparison",
        section="pair",
        own=("pairs",),
        help="test whether two algorithms differ over data sets, exactly",
        arguments={"a": "the first algorithm", "b": "the second"},
        figure="pair_scatter",
        examples=("%compare_pair experiment C4.5 'naive Bayes' --test sign",),
    ),
    Analysis(
        function="compare_cv",
        result="CrossValidationComparison",
        pair_result="CrossValidation",
        section="cv",
        own=("cv", "stochastic"),
        help="compare all algorithms, or two, on the folds of one data set",
        arguments={"a": "the first algorithm of two", "b": "the second of two"},
        data_argument="experiment",
        selects={"dataset": "select.datasets"},
        figure="interval_forest",
        examples=(
            "%compare_cv experiment --datasets iris",
            "%compare_cv folds.csv --direction maximize --ratio 1/9 --control C4.5",
            "%compare_cv folds.csv C4.5 CN2 --direction maximize",
        ),
    ),
    Analysis(
        function="compare_items",
        result="ItemComparison",
        section="items",
        own=("items",),
        unit="items",
        help="compare algorithms on the items of benchmarks, such as questions",
        figure="interval_forest",
        examples=(
            "%compare_items experiment",
            "%compare_items answers.csv --direction maximize --item question --cluster passage",
        ),
    ),
    Analysis(
        function="compare_runs",
        result="RunComparison",
        section="runs",
        variable="by_run",
        own=("runs",),
        unit="runs",
        help="compare algorithms by independent runs, such as seeds, on one data set",
        selects={"dataset": "select.datasets"},
        figure="interval_forest",
        examples=(
            "%compare_runs runs --datasets f1",
            "%compare_runs runs.csv --direction minimize --control DE",
        ),
    ),
    Analysis(
        function="compare_bayesian",
        result="BayesianComparison",
        section="bayesian",
        own=("bayesian",),
        help="say how probable it is that an algorithm is better, or that two are equivalent",
        needs=("rope",),
        figure="posterior_matrix",
        examples=(
            "%compare_bayesian experiment --rope 0.01",
            "%compare_bayesian folds.csv --direction maximize --rope 0.01 --datasets iris",
        ),
    ),
    Analysis(
        function="multiple_sign_test",
        result="MultipleSigns",
        section="signs",
        own=("pairs",),
        help="compare a control with all others by wins and losses",
        arguments={"control": f"the control, or '{BEST}'"},
        examples=("%multiple_sign_test experiment C4.5",),
    ),
    Analysis(
        function="contrast_estimation",
        result="Contrast",
        section="contrast",
        own=("pairs",),
        without=("rng",),
        help="estimate how large the differences between the algorithms are",
        figure="contrast_matrix",
        withheld="withheld",
        examples=("%contrast_estimation experiment --confidence 0.9",),
    ),
    Analysis(
        function="rank_intervals",
        result="RankIntervals",
        section="rank-intervals",
        own=("pairs",),
        help="show how far the average ranks would move with other data sets",
        examples=("%rank_intervals experiment --confidence 0.9",),
    ),
    Analysis(
        function="check_conditions",
        result="Conditions",
        section="conditions",
        help="check what parametric tests need: normality, equal variances",
        examples=("%check_conditions experiment",),
    ),
    Analysis(
        function="compare_stochastic",
        result="StochasticComparison",
        section="stochastic",
        own=("stochastic",),
        help="compare algorithms whose scores differ from run to run",
        figure="overview",
        builder="FuzzyPValueBuilder",
        examples=("%compare_stochastic runs --procedure interval --control DE",),
    ),
    Analysis(
        function="aggregate_runs",
        result="RunAggregates",
        section="aggregates",
        own=("aggregates", "bayesian"),
        help="say how large typical scores of runs are, and how often one run beats another",
        figure="interval_estimates",
        withheld="withheld",
        instead="improvement_matrix",
        examples=(
            "%aggregate_runs runs --target 1",
            "%aggregate_runs runs.csv --direction maximize --baseline random,human",
        ),
    ),
    Analysis(
        function="compare_convergence",
        result="ConvergenceComparison",
        section="convergence",
        own=("convergence",),
        help="test which optimiser converges faster, from the histories of their runs",
        name="page_trend",
        takes="histories",
        figure="trend_heatmap",
        builder="PageTrendBuilder",
        examples=("%page_trend histories --cutpoints 20 --version alternative",),
    ),
    Analysis(
        function="fixed_targets",
        result="FixedTargets",
        section="targets",
        variable="fixed_targets",
        own=("convergence",),
        help="say how many evaluations optimisers need to reach targets, and how often they do",
        takes="histories",
        figure="runtime_distribution",
        examples=(
            "%fixed_targets histories --precisions 1,1e-4,1e-8",
            "%fixed_targets logs --direction minimize --targets quantiles",
        ),
    ),
    Analysis(
        function="recommend",
        result="Recommendation",
        section="design",
        variable="recommendation",
        help="say which tests suit the data",
        examples=("%recommend experiment --control C4.5",),
    ),
    Analysis(
        function="sensitivity",
        result="Sensitivity",
        section="sensitivity",
        help="say which decisions depend on the design of the comparison, or on one data set",
        figure="sensitivity",
        examples=("%sensitivity experiment --control C4.5",),
    ),
    Analysis(
        function="plan",
        result="Plan",
        section="plan",
        own=("plan", "bayesian"),
        help="say how many data sets an experiment needs to find the differences of a pilot",
        figure="planning_curve",
        builder="PlanBuilder",
        examples=(
            "%plan experiment --power 0.9",
            "%plan pilot.csv --direction maximize --control C4.5 --prior 4",
        ),
    ),
)


# Of compare_ranks, which takes average ranks rather than data, and makes a Comparison too
RANKS_OPTIONS = ("control", "adjust", "alpha")
BY_SECTION: Mapping[str, Analysis] = MappingProxyType({it.section: it for it in ANALYSES})
BY_FUNCTION: Mapping[str, Analysis] = MappingProxyType({it.function: it for it in ANALYSES})
_BY_RESULT = {it.result: it for it in ANALYSES} | {
    it.pair_result: it for it in ANALYSES if it.pair_result
}


def own_of(function: str) -> tuple[str, ...]:
    """Return what stands before the names of a function's own options; nothing for others."""
    return next((it.own for it in ANALYSES if it.function == function), ())


def record_of(name: str, own: Sequence[str]) -> str | None:
    """Return the name in the one table of an argument; None if it is no option."""
    names = (*(f"{prefix}.{name}" for prefix in own), name)
    return next((each for each in names if each in OPTIONS), None)


@cache
def _arguments_of(function: str) -> tuple[str, ...]:
    return tuple(inspect.signature(function_of(function)).parameters)


def function_of(name: str) -> Callable[..., Any]:
    """Return the public function with a name, whose module is imported now."""
    function: Callable[..., Any] = getattr(importlib.import_module("nbcompare"), name)
    return function


def analysis_of(result: object) -> Analysis:
    """Return the analysis that makes results of the class of this one."""
    return analysis_of_class(type(result))


def analysis_of_class(kind: type) -> Analysis:
    """Return the analysis that makes results of this class."""
    return _BY_RESULT[kind.__name__]


def selected(data: Any, arguments: argparse.Namespace, names: Iterable[str]) -> Any:
    """Return the part of some data that these options of a line select."""
    part = given(arguments, names)
    there = all(tuple(kept) == getattr(data, axis) for axis, kept in part.items())
    # what was read as this part remembers its file, which a selection does not
    return data if there else data.select(**part)


def speech(
    options: Mapping[str, str],
    things: Mapping[str, tuple[str, str]],
    called: Callable[[Analysis], str],
) -> Speech:
    """Return the words of a line for what the API says.

    ``options`` are those that give arguments, ``things`` what its other arguments are here, and
    ``called`` says what does the same as a function.
    """
    part = {name.rpartition(".")[2]: flag(name) for name in SELECT_OPTIONS["experiment"]}
    selects = {f"select({argument})": option for argument, option in part.items()}
    functions = {command.function: called(command) for command in ANALYSES}
    # of what takes logs, the one that compares them
    reads_logs = next(command for command in ANALYSES if command.name == "page_trend")
    functions["Histories.read"] = called(reads_logs)
    return Speech(options, things, functions | selects | {"select()": " or ".join(part.values())})
