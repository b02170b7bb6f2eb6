"""Table of the analyses for the command line and the magics, and parsers of their options.

The words, defaults and help of the options stand in :mod:`nbcompare._options`; here they are
given to parsers, and read from what was parsed.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn

from nbcompare._messages import Speech
from nbcompare._options import (
    BEST,
    CELL_OPTIONS,
    COLUMN_NUMBERS,
    COLUMN_OPTIONS,
    FOLDER_OPTIONS,
    HISTORY_OPTIONS,
    LONGEST_CELL,
    OPTIONS,
    PDF_STANDARDS,
    TEXT_OPTIONS,
    Option,
)
from nbcompare._validation import listed, nearest, not_a_choice, shown

COMPARE_OPTIONS = (
    "ranking",
    "pairs",
    "control",
    "adjust",
    "alpha",
    "method",
    "scale",
    "intervals",
    "margin",
    "missing",
    "fill",
    "formulas",
)
STOCHASTIC_OPTIONS = (
    "procedure",
    "scale",
    "stochastic.test",
    "encoding",
    "coverage",
    "blocks",
    "control",
    "stochastic.adjust",
    "alpha",
    "stochastic.method",
    "stochastic.n_resamples",
    "rng",
    "formulas",
    "stochastic.missing",
    "fill",
)
CROSS_VALIDATION_OPTIONS = (
    "control",
    "ratio",
    "cv.adjust",
    "alpha",
    "cv.missing",
    "cv.test",
    "alternative",
    "stochastic.method",
    "stochastic.n_resamples",
    "rng",
    "formulas",
)
BAYESIAN_OPTIONS = (
    "rope",
    "control",
    "bayesian.test",
    "ratio",
    "threshold",
    "n_samples",
    "bayesian.rng",
    "bayesian.missing",
    "fill",
)
AGGREGATES_OPTIONS = (
    "baseline",
    "target",
    "scale",
    "confidence",
    "aggregates.n_resamples",
    "bayesian.rng",
    "aggregates.missing",
    "fill",
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
# Options of reading: the columns of a dataframe, and the format of a text file
FRAME_OPTIONS = {
    "experiment": ("direction", *COLUMN_OPTIONS, "measure", *CELL_OPTIONS),
    "histories": ("direction", *HISTORY_OPTIONS, "measure", "missing_words"),
}
READING_OPTIONS = {
    "experiment": (*FRAME_OPTIONS["experiment"], *TEXT_OPTIONS, "sheet"),
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
        The public function behind it, in ``nbcompare.analysis``.
    result : str
        The class of its results, in ``nbcompare.results``.
    pair_result : str
        The class of its results about two algorithms that its arguments name, if these may be
        left out and the class is another one then; such a result has no figure.
    section : str
        Its section of a report.
    help : str
        What it does, in one line.
    options : tuple of str
        Its options in the one table.
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
        Attribute of its results that says why there is nothing to draw, if that can be; it is
        empty where there is a figure.
    builder : str
        In ``nbcompare.widgets``: what a magic opens instead with ``--builder``.
    examples : tuple of str
        Lines of the magic, for its help.
    variable : str
        The variable of its result in a report's notebook; by default the name of the section.
    """

    function: str
    result: str
    section: str
    help: str
    options: tuple[str, ...]
    arguments: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    takes: str = "experiment"
    data_argument: str = ""
    pair_result: str = ""
    selects: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    figure: str = ""
    withheld: str = ""
    builder: str = ""
    examples: tuple[str, ...] = ()
    variable: str = ""

    def __post_init__(self) -> None:
        """Name what has no name of its own."""
        object.__setattr__(self, "name", self.name or self.function)
        object.__setattr__(self, "variable", self.variable or self.section.replace("-", "_"))

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
        if type(result).__name__ == self.pair_result:
            return ""
        return "" if self.withheld and getattr(result, self.withheld) else self.figure

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
        options=COMPARE_OPTIONS,
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
        options=(*COMPARE_OPTIONS, "across"),
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
        options=("alpha",),
        examples=("%describe experiment", "%describe runs --alpha 0.01"),
    ),
    Analysis(
        function="compare_pair",
        result="PairComparison",
        section="pair",
        help="test whether two algorithms differ over data sets, exactly",
        options=("test", "zeros", "method", "alternative", "alpha", "pairs.missing", "fill"),
        arguments={"a": "the first algorithm", "b": "the second"},
        figure="pair_scatter",
        examples=("%compare_pair experiment C4.5 'naive Bayes' --test sign",),
    ),
    Analysis(
        function="compare_cv",
        result="CrossValidationComparison",
        pair_result="CrossValidation",
        section="cv",
        help="compare all algorithms, or two, on the folds of one data set",
        options=CROSS_VALIDATION_OPTIONS,
        arguments={"a": "the first algorithm of two", "b": "the second of two"},
        data_argument="experiment",
        selects={"dataset": "select.datasets"},
        figure="interval_forest",
        examples=(
            "%compare_cv experiment --datasets iris",
            "%compare_cv folds.csv --direction maximize --ratio 1/9 --control C4.5",
            "%compare_cv folds.csv C4.5 CN2 --direction maximize --test corrected-t",
        ),
    ),
    Analysis(
        function="compare_bayesian",
        result="BayesianComparison",
        section="bayesian",
        help="say how probable it is that an algorithm is better, or that two are equivalent",
        options=BAYESIAN_OPTIONS,
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
        help="compare a control with all others by wins and losses",
        options=("alternative", "alpha", "pairs.missing", "fill"),
        arguments={"control": f"the control, or '{BEST}'"},
        examples=("%multiple_sign_test experiment C4.5",),
    ),
    Analysis(
        function="contrast_estimation",
        result="Contrast",
        section="contrast",
        help="estimate how large the differences between the algorithms are",
        options=("confidence", "n_resamples", "scale", "pairs.missing", "fill"),
        figure="contrast_matrix",
        withheld="withheld",
        examples=("%contrast_estimation experiment --confidence 0.9",),
    ),
    Analysis(
        function="rank_intervals",
        result="RankIntervals",
        section="rank-intervals",
        help="show how far the average ranks would move with other data sets",
        options=("confidence", "n_resamples", "pairs.missing", "fill"),
        examples=("%rank_intervals experiment --confidence 0.9",),
    ),
    Analysis(
        function="check_conditions",
        result="Conditions",
        section="conditions",
        help="check what parametric tests need: normality, equal variances",
        options=("alpha",),
        figure="histogram_qq",
        examples=("%check_conditions experiment",),
    ),
    Analysis(
        function="compare_stochastic",
        result="StochasticComparison",
        section="stochastic",
        help="compare algorithms that give another score at every run",
        options=STOCHASTIC_OPTIONS,
        figure="overview",
        builder="FuzzyPValueBuilder",
        examples=("%compare_stochastic runs --procedure interval --control DE",),
    ),
    Analysis(
        function="aggregate_runs",
        result="RunAggregates",
        section="aggregates",
        help="say how large typical scores of runs are, and how often one run beats another",
        options=AGGREGATES_OPTIONS,
        figure="interval_estimates",
        examples=(
            "%aggregate_runs runs --target 1",
            "%aggregate_runs runs.csv --direction maximize --baseline random,human",
        ),
    ),
    Analysis(
        function="compare_convergence",
        result="ConvergenceComparison",
        section="convergence",
        help="test which optimiser converges faster, from the histories of their runs",
        options=CONVERGENCE_OPTIONS,
        name="page_trend",
        takes="histories",
        figure="trend_heatmap",
        builder="PageTrendBuilder",
        examples=("%page_trend histories --cutpoints 20 --version alternative",),
    ),
    Analysis(
        function="recommend",
        result="Recommendation",
        section="design",
        variable="recommendation",
        help="say which tests suit the data",
        options=("control", "alpha", "scale"),
        examples=("%recommend experiment --control C4.5",),
    ),
    Analysis(
        function="sensitivity",
        result="Sensitivity",
        section="sensitivity",
        help="say which decisions hang on the design of the comparison, or on one data set",
        options=("control", "alpha", "scale", "missing", "fill"),
        figure="sensitivity",
        examples=("%sensitivity experiment --control C4.5",),
    ),
)


# Of compare_ranks, which takes average ranks rather than data, and makes a Comparison too
RANKS_OPTIONS = ("control", "adjust", "alpha")
BY_SECTION: Mapping[str, Analysis] = MappingProxyType({it.section: it for it in ANALYSES})
_BY_RESULT = {it.result: it for it in ANALYSES} | {
    it.pair_result: it for it in ANALYSES if it.pair_result
}


def analysis_of(result: object) -> Analysis:
    """Return the analysis that makes results of the class of this one."""
    return analysis_of_class(type(result))


def analysis_of_class(kind: type) -> Analysis:
    """Return the analysis that makes results of this class."""
    return _BY_RESULT[kind.__name__]


# --------------------------------------------------------------------- options of a line


def flag(name: str, prefix: str = "") -> str:
    """Return an option of the table as a line writes it: ``--n-points``.

    With a prefix it is ``--prefix-name``, as where several analyses share a line.
    """
    word = OPTIONS[name].flag or name.rpartition(".")[2]
    return "--" + "-".join(filter(None, [prefix, word])).replace("_", "-")


def _key(name: str, prefix: str) -> str:
    """Return the name under which a parser keeps an option."""
    return flag(name, prefix)[2:].replace("-", "_")


def flags(names: Iterable[str], prefix: str = "") -> dict[str, str]:
    """Return the options that give arguments of the API, by argument."""
    return {name.rpartition(".")[2]: flag(name, prefix) for name in names}


def add_arguments(
    parser: argparse._ActionsContainer, names: Iterable[str], prefix: str = ""
) -> None:
    """Give a parser an option for each name; those that a line leaves out stay absent."""
    for name in names:
        option, argument = OPTIONS[name], name.rpartition(".")[2]
        if option.switch:
            parser.add_argument(
                flag(name, prefix),
                dest=_key(name, prefix),
                action="store_true",
                default=argparse.SUPPRESS,
                help=option.help,
            )
            continue
        if option.alias:
            _add_names(parser, name)
            continue
        hint = f" (default: {option.default})" if option.default not in (None, ()) else ""
        # words are listed as choices, marks in the text that explains them
        words = f"{{{','.join(option.choices or ())}}}" if _has_words(option) else ""
        parser.add_argument(
            flag(name, prefix),
            dest=_key(name, prefix),
            type=_word_list if option.several else _reader(option),
            action="append" if option.repeats else "store",
            default=argparse.SUPPRESS,
            metavar=words if words and not option.several else option.metavar or argument.upper(),
            help=option.help + hint + (_listed(option) if option.several else ""),
        )


def _add_names(parser: argparse._ActionsContainer, name: str) -> None:
    """Give a parser an option that takes names, and the former one, which takes one name."""
    option = OPTIONS[name]
    parser.add_argument(
        flag(name),
        dest=_key(name, ""),
        type=_names_in,
        action="extend",
        default=argparse.SUPPRESS,
        metavar=option.metavar,
        help=option.help,
    )
    parser.add_argument(
        f"--{option.alias}",
        dest=_key(name, ""),
        action="append",
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )


def _names_in(text: str) -> list[str]:
    """Return the names of a list that is written as a row of a CSV file."""
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (csv.Error, ValueError):
        row = []
    names = [name.strip() for name in row]
    if not all(names) or not names:
        raise argparse.ArgumentTypeError(
            f"must be names, separated by commas (in double quotation marks if a name has one); "
            f"got {shown(text)}."
        )
    return names


def list_of_names(*names: str) -> str:
    """Write names as an option takes them, separated by commas; those with commas are quoted."""
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(names)
    return row.getvalue()


def given(arguments: argparse.Namespace, names: Iterable[str], prefix: str = "") -> dict[str, Any]:
    """Return the options that a line gives, ready to pass on as keywords."""
    return {
        name.rpartition(".")[2]: getattr(arguments, _key(name, prefix))
        for name in names
        if hasattr(arguments, _key(name, prefix))
    }


def written(options: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield options as the words of a line; those that are None are left out."""
    for name in names:
        value = options.get(name.rpartition(".")[2])
        if OPTIONS[name].switch:
            yield from [flag(name)] if value else []
            continue
        if OPTIONS[name].alias and value:
            value = list_of_names(*value)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            yield from (flag(name), _as_typed(one))


def _as_typed(value: object) -> str:
    """Return a value as a line has it; None names what a mapping gives for all others."""
    if not isinstance(value, Mapping):
        return str(value)
    pairs = [f"{name}={word}" for name, word in value.items() if name is not None]
    return ",".join([*([str(value[None])] if None in value else []), *pairs])


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
    return Speech(options, things, functions | selects | {"select()": " or ".join(part.values())})


def _reader(option: Option) -> Callable[[str], Any]:
    """Return what reads the value of an option, and says what is wrong with one."""

    def read(text: str) -> Any:
        try:
            value = option.type(text)
        except ValueError:
            what = "a whole number" if option.type is int else "a number"
            raise argparse.ArgumentTypeError(f"must be {what}; got {shown(text)}.") from None
        if option.choices and not isinstance(value, dict) and value not in option.choices:
            raise argparse.ArgumentTypeError(not_a_choice(value, option.choices))
        return value

    return read


class OptionParser(argparse.ArgumentParser):
    """A parser that says what is wrong with an option in one plain sentence."""

    where_listed = "--help"

    def sentence(self, message: str) -> str:
        """Return a message of argparse, which names the option first, as a sentence."""
        about = re.fullmatch(r"argument (?:-\w/)?([^:]+): (.*)", message, re.DOTALL)
        if about is None:
            return message
        option, what = about.groups()
        if what == "expected one argument":
            return f"{option} needs a value after it."
        return f"{option} {what}" if what.startswith("must ") else f"{option}: {what}"

    def error(self, message: str) -> NoReturn:
        """Complain, and end the program."""
        super().error(self.sentence(message))

    @property
    def options(self) -> tuple[str, ...]:
        """All options, as a line writes them."""
        return tuple(dict.fromkeys(re.findall(r"(?<![\w-])--[a-z][\w-]*", self.format_help())))

    def refuse_option(self, option: str) -> NoReturn:
        """Complain of an option that the parser does not know."""
        option = option.partition("=")[0]
        near = nearest(option, self.options)
        hint = f"Did you mean {near}?" if near else f"{self.where_listed} lists the options."
        self.error(f"there is no option {option}. {hint}")


def add_document(add: Callable[..., object], *, date: str, cell: str) -> None:
    """Give a parser the options of the report itself, by a function that adds an argument.

    ``date`` and ``cell`` are words of the help: what the date is, and what may take so long.
    """
    add("--title", metavar="TEXT", help="title of the report")
    add(
        "--author",
        dest="authors",
        action="append",
        default=[],
        metavar="NAME",
        help="name of an author; may be given again",
    )
    add("--abstract", metavar="TEXT", help="a summary, in Markdown")
    add("--date", metavar="TEXT", help=date)
    add(
        "--columns",
        type=int,
        choices=COLUMN_NUMBERS,
        metavar="N",
        help=f"columns of text in PDF and LaTeX: 2 for a supplement (default: {COLUMN_NUMBERS[0]})",
    )
    add(
        "--pdf-standard",
        choices=PDF_STANDARDS,
        metavar="NAME",
        help="what a PDF conforms to: ua-1, or a-3a: PDF/A-3a for archives, and PDF/UA-1 as well "
        f"(default: {PDF_STANDARDS[0]})",
    )
    add(
        "--timeout",
        type=_reader(Option(LONGEST_CELL, None, "", float)),
        default=LONGEST_CELL,
        metavar="SECONDS",
        help=f"longest time for {cell} (default: %(default)g)",
    )


def _has_words(option: Option) -> bool:
    return bool(option.choices) and all(word[0].isalnum() for word in option.choices or ())


def _word_list(text: str) -> list[str] | None:
    # the function that receives the list checks its words
    return None if text == "none" else text.split(",")


def _listed(option: Option) -> str:
    return f"; of {', '.join(option.choices or ())}; or none"
