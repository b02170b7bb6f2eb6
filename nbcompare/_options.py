"""The choices, defaults and help of all options.

The functions, the command line and the magics read this table, so every word that a user may
write is defined once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any

from nbcompare._validation import (
    check_choice,
    check_count,
    check_nonnegative,
    check_positive,
    check_probability,
    check_share,
    clean_label,
    named,
)
from nbcompare.words import (
    CROSS_VALIDATION_TESTS,
    DIFFERENCES,
    ENCODINGS,
    IMPRECISE_TESTS,
    PAIR_TESTS,
    PAIRWISE_TESTS,
    PROCEDURES,
    RANKINGS,
    STOCHASTIC_PROCEDURES,
    TREATMENTS,
    TREATMENTS_OF,
    TREND_NULLS,
    TREND_RANKS,
    ZEROS,
)

MAXIMIZE, MINIMIZE = "maximize", "minimize"
DIRECTIONS = (MAXIMIZE, MINIMIZE)
BETTER = MappingProxyType({MAXIMIZE: "higher is better", MINIMIZE: "lower is better"})
INSTANCES = ("runs", "problems")
LAYOUTS = ("wide", "long")
_MOST_TURNED = 3  # data sets that are named where their direction is told

BEST = "best"
AUTO = "auto"
EXACT, NORMAL = "exact", "normal"

# The sections that a report can have, in the usual order
SECTIONS = MappingProxyType(
    {
        "data": "the scores and what they look like",
        "design": "which tests suit the data",
        "conditions": "conditions of parametric tests",
        "comparison": "ranks, omnibus test, hypotheses, diagram",
        "groups": "comparison within groups of data sets",
        "sensitivity": "which decisions hang on the design or on one data set",
        "all-pairs": "differences, wins and p-values of all pairs",
        "pair": "two algorithms by themselves",
        "signs": "wins and losses against the control",
        "contrast": "how large the differences are",
        "rank-intervals": "intervals of the average ranks",
        "stochastic": "comparison by repeated runs",
        "cv": "comparison on the folds of one data set",
        "histories": "convergence curves",
        "convergence": "which algorithm converges faster",
        "references": "the literature",
    }
)
# Marks, in the metadata of an output, the picture of a builder that is shown instead of it
# where widgets do not work
SNAPSHOT = "nbcompare-snapshot"
LONGEST_CELL = 3600.0  # seconds


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
    choices : tuple of str or None
        The words that the option accepts; None for any value.
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
    spelled : mapping
        Longer texts that a control shows in place of words. A key None means that the option
        accepts None.
    within : callable, optional
        Check of a number; its arguments are the value and the name of the argument.
    axis : str
        Kind of names that the option accepts, such as ``algorithms``, if it accepts names of
        the data. Words of ``spelled`` are accepted too.
    several : bool
        True if a list of words is accepted.
    switch : bool
        True if the option takes no value on a command line: it is given or not.
    alias : str
        Former name on command lines of an option that takes names separated by commas; it takes
        one name, and no help text mentions it.
    """

    default: Any
    choices: tuple[str, ...] | None
    help: str
    type: Callable[[str], Any] = str
    flag: str = ""
    metavar: str = ""
    repeats: bool = False
    label: str = ""
    spelled: Mapping[Any, str] = field(default_factory=dict)
    within: Callable[[object, str], float] | None = None
    axis: str = ""
    several: bool = False
    switch: bool = False
    alias: str = ""

    @property
    def optional(self) -> bool:
        """Return whether the option accepts None."""
        return self.default is None or None in self.spelled

    def check(self, value: object, argument: str) -> str:
        """Return ``value`` if it is one of the choices, or raise an error that lists them."""
        return check_choice(value, argument, self.choices or ())


def _fraction(text: str) -> float:
    """Return a number, which may be written as a fraction: ``1/9``."""
    try:
        return float(Fraction(text))
    except ZeroDivisionError:
        raise ValueError(text) from None


def _number_or_name(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _direction(text: str) -> str | dict[str | None, str]:
    """Read a direction: a word, or ``maximize,kddcup=minimize`` by data set."""
    usual, comma, rest = text.partition(",")
    if not comma or usual not in DIRECTIONS:
        usual, rest = "", text
    pairs = re.findall(r"(.+?)=(\w+)(?:,|$)", rest)
    # a name may have commas and equals signs; what does not make pairs is no word either
    if not pairs or ",".join(f"{name}={word}" for name, word in pairs) != rest.removesuffix(","):
        return text
    by_name: dict[str | None, str] = {clean_label(name): word for name, word in pairs}
    return {**by_name, None: usual} if usual else by_name


def _separator(text: str) -> str:
    return "\t" if text in ("\\t", "tab") else text


def _selected(word: str, noun: str = "") -> Option:
    return Option(
        None,
        None,
        f"keep these {noun or word}s and leave out the others; a name with a comma stands in "
        "double quotation marks; may be given again",
        flag=f"{word}s",
        metavar="NAME,NAME",
        repeats=True,
        alias=f"select-{word}",
    )


def _names(what: str) -> Option:
    return Option((), None, f"{what}; may be given again", metavar="NAME", repeats=True)


_RECOMMENDED = f"{AUTO} (as recommended)"
_ADJUST = MappingProxyType(
    {
        None: "none: raw p-values",
        AUTO: _RECOMMENDED,
        **{name: procedure.label for name, procedure in PROCEDURES.items()},
    }
)
_ADJUST_CV = MappingProxyType({name: text for name, text in _ADJUST.items() if name != "nemenyi"})
_RAISE = {"raise": "raise an error"}


def _treatment(function: str) -> Option:
    """Return the option for missing scores of a function."""
    words = TREATMENTS_OF[function]
    return Option(
        words[0],
        words,
        "what to do about missing scores: "
        + "; ".join(f"'{word}' {TREATMENTS[word].effect}" for word in words[1:]),
        label="Missing scores",
        spelled={word: TREATMENTS[word].label for word in words},
    )


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "ranking": Option(
            AUTO,
            (AUTO, *RANKINGS),
            "how data sets are ranked",
            spelled={AUTO: _RECOMMENDED},
        ),
        "control": Option(
            None,
            None,
            f"compare this algorithm with all others; '{BEST}' takes the best ranked",
            spelled={None: "none: all pairs", BEST: "the best ranked"},
            axis="algorithms",
        ),
        "pairs": Option(
            AUTO,
            (AUTO, *PAIRWISE_TESTS),
            "how pairs of algorithms are tested",
            spelled={
                AUTO: _RECOMMENDED,
                **{name: test.label for name, test in PAIRWISE_TESTS.items()},
            },
        ),
        "adjust": Option(
            AUTO,
            (AUTO, *PROCEDURES),
            "procedure that adjusts p-values; several, separated by commas, make a column each",
            label="Adjustment",
            spelled=_ADJUST,
            several=True,
        ),
        "tables.pairs": Option(
            "ranks",
            tuple(PAIRWISE_TESTS),
            "how pairs of algorithms are tested",
            spelled={name: test.label for name, test in PAIRWISE_TESTS.items()},
        ),
        "across": Option(
            False,
            None,
            "adjust p-values over the hypotheses of all groups together",
            bool,
            label="Over all groups",
            switch=True,
        ),
        "alpha": Option(
            0.05,
            None,
            "significance level: of the family-wise error, or of the false discovery rate",
            float,
            within=check_probability,
        ),
        "digits": Option(
            3, None, "decimals of ranks and statistics, from 2 to 8; a p-value has one more", int
        ),
        "theme": Option(
            "light", ("light", "dark"), "figures of the notebook: dark on white, or light on black"
        ),
        "formulas": Option(
            "corrected",
            ("corrected", "printed"),
            "formulas that account for ties, or those that the papers print",
            spelled={"corrected": "corrected for ties", "printed": "as printed"},
        ),
        "missing": _treatment("compare"),
        "pairs.missing": _treatment("compare_pair"),
        "fill": Option(
            None,
            None,
            "score to use instead, where missing scores are treated as the worst: a number, or the "
            "algorithm whose score is used",
            _number_or_name,
            metavar="SCORE",
            label="Score of failures",
            spelled={None: "the worst of the data set"},
            axis="algorithms",
        ),
        "test": Option("wilcoxon", tuple(PAIR_TESTS), "how two algorithms are compared"),
        "zeros": Option(
            "demsar",
            tuple(ZEROS),
            "what Wilcoxon's test does with data sets on which the two tie",
        ),
        "method": Option(
            AUTO,
            (AUTO, EXACT, NORMAL),
            "how p is computed: exactly, by a normal approximation, or exactly where that is quick",
            label="p-values",
            spelled={AUTO: "exact where quick", EXACT: "exact", NORMAL: "normal approximation"},
        ),
        "intervals": Option(
            "simultaneous",
            ("simultaneous", "pairwise", "none"),
            "confidence intervals of the differences of pairs: which hold all together, or each by "
            "itself",
            spelled={
                "simultaneous": "all together",
                "pairwise": "each by itself",
                "none": "none",
            },
        ),
        "margin": Option(
            None,
            None,
            "differences smaller than this, in units of the measure, do not matter in practice: "
            "says which pairs are equivalent within it",
            float,
            within=check_positive,
            spelled={None: "none"},
        ),
        "alternative": Option(
            "two-sided",
            ("two-sided", "better", "worse"),
            "whether the first differs, is better, or is worse",
        ),
        "confidence": Option(0.95, None, "confidence level of the intervals", float),
        "n_resamples": Option(2000, None, "how often data sets are drawn for the intervals", int),
        "scale": Option(
            AUTO,
            (AUTO, "one", "several"),
            "whether the scores of all data sets are on one scale, so that they may be added and "
            f"compared between data sets; '{AUTO}' judges by their ranges",
            spelled={
                AUTO: f"{AUTO} (by the ranges)",
                "one": "one scale",
                "several": "several scales",
            },
        ),
        "procedure": Option(
            AUTO,
            (*STOCHASTIC_PROCEDURES, AUTO),
            f"how repeated runs enter the test; '{AUTO}': bootstrap-b, or interval if the data "
            "sets are on several scales",
            spelled={AUTO: f"{AUTO} (by the scales)"},
        ),
        "stochastic.test": Option(
            None,
            tuple(IMPRECISE_TESTS),
            "pairwise test behind interval-valued and fuzzy p-values (default: wilcoxon, or sign "
            "if the data sets are on several scales)",
        ),
        "stochastic.adjust": Option(
            "holm",
            tuple(PROCEDURES),
            "procedure that adjusts p-values; several, separated by commas, make a column each",
            label="Adjustment",
            spelled={None: _ADJUST[None], **{name: _ADJUST[name] for name in PROCEDURES}},
            several=True,
        ),
        "encoding": Option(
            None,
            tuple(ENCODINGS),
            "what the runs of a fold become: an interval or a number",
        ),
        "coverage": Option(
            None,
            None,
            "share of the runs that an interval covers (default: 0.1 for bootstrap-b, else 0.9)",
            float,
            within=check_share,
        ),
        "blocks": Option(
            AUTO,
            (AUTO, "datasets", "folds"),
            "what the algorithms are compared on; folds if there is one data set",
        ),
        "stochastic.method": Option(
            "exact", ("exact", "resampling"), "whether p is computed or drawn at random"
        ),
        "stochastic.n_resamples": Option(
            10_000,
            None,
            "random draws for resampling",
            int,
            label="Random draws",
            within=partial(check_count, least=1),
        ),
        "stochastic.missing": _treatment("compare_stochastic"),
        "cv.test": Option(
            None,
            tuple(CROSS_VALIDATION_TESTS),
            "how two algorithms are compared on the folds of one data set (default: permutation); "
            "all pairs are always compared by corrected-t",
        ),
        "cv.adjust": Option(
            AUTO,
            (*(name for name in PROCEDURES if name != "nemenyi"), AUTO),
            "procedure that adjusts the p-values of all pairs; several, separated by commas, make "
            f"a column each; '{AUTO}' is holm with a control, else shaffer",
            label="Adjustment",
            spelled=_ADJUST_CV,
            several=True,
        ),
        "cv.missing": _treatment("compare_cv"),
        "n_datasets": Option(
            None,
            None,
            "how many data sets were ranked",
            int,
            within=partial(check_count, least=2),
        ),
        "ratio": Option(
            None,
            None,
            "size of a test set over that of a training set, for the test corrected-t, such as 1/9 "
            "for tenfold cross-validation (default: that of the folds, if these show it)",
            _fraction,
        ),
        "rng": Option(
            None,
            None,
            "seed of the random draws",
            int,
            label="Seed",
            within=partial(check_count, least=0),
        ),
        "cutpoints": Option(
            10,
            None,
            "how many regular cut-points of the budget",
            int,
            label="Cut-points",
            within=partial(check_count, least=3),
        ),
        "version": Option(
            AUTO,
            (AUTO, "both", *TREND_RANKS),
            "ranks of the differences; alternative ones take account of optima that were reached "
            f"('{AUTO}': they alone for logarithms, both for values with known optima)",
            spelled={AUTO: "auto (as the differences need)"},
        ),
        "optimum_tolerance": Option(
            None,
            None,
            "errors up to this value count as the optimum (default: 0; needed for logarithms if an "
            "optimum is reached)",
            float,
            within=check_nonnegative,
        ),
        "aggregate": Option("mean", ("mean", "median"), "what represents the runs"),
        "convergence.missing": Option(
            "raise",
            ("raise", "drop"),
            "what to do about a problem without a run of some algorithm: raise an error, or leave "
            "out the problem",
            label="Missing runs",
            spelled={**_RAISE, "drop": "leave out the problem"},
        ),
        "differences": Option(
            AUTO,
            (AUTO, *DIFFERENCES),
            "differences of values (does the gap grow?), or of logarithms of errors (which "
            f"algorithm is faster?); '{AUTO}': logarithms if the optima are known",
            spelled={AUTO: "auto (logarithms of errors if optima are known)"},
        ),
        "convergence.adjust": Option(
            AUTO,
            (*PROCEDURES, AUTO),
            f"procedure that adjusts p-values; several make a column each; '{AUTO}': holm, or none "
            "with the printed formulas",
            label="Adjustment",
            spelled={**_ADJUST, AUTO: "auto (Holm)"},
            several=True,
        ),
        "convergence.alpha": Option(
            None,
            None,
            "significance level (default: 0.05, or 0.1 with the printed formulas)",
            float,
            within=check_probability,
        ),
        "null": Option(
            None,
            tuple(TREND_NULLS),
            "null hypothesis that decides: algorithms (default) or cut-points are exchangeable",
            label="Null hypothesis",
        ),
        "worse": Option(
            "raise",
            ("raise", "keep-best"),
            "what to do about a value that is worse than an earlier one: raise an error, or keep "
            "the best so far",
        ),
        "early": Option(
            "raise",
            ("raise", "carry"),
            "what to do about a run that stops before the others: raise an error, or carry its "
            "last value forward",
        ),
        "instances": Option(
            None,
            INSTANCES,
            "what the instances of a function are in a folder of logs: runs on one problem, or "
            "problems of their own",
        ),
        "direction": Option(
            None,
            DIRECTIONS,
            "whether high or low scores are better; if this differs between data sets, name the "
            f"exceptions: {MAXIMIZE},NAME={MINIMIZE}",
            _direction,
        ),
        "dataset": Option(None, None, "column with the data set's name"),
        "algorithm": Option(None, None, "column with the algorithm's name (long table)"),
        "score": Option(None, None, "column with the score (long table)"),
        "fold": Option(None, None, "column with the fold (long table)"),
        "run": Option(None, None, "column with the run (long table)"),
        "lower": Option(None, None, "column with the lower end of an interval score (long table)"),
        "upper": Option(None, None, "column with the upper end of an interval score (long table)"),
        "domain": Option(None, None, "column with the group of the data set, such as its domain"),
        "higher_is_better": Option(
            None, None, "column that says whether higher scores are better, in each row"
        ),
        "ignore": _names("leave out this column"),
        "keep": _names("this column holds scores, whatever it looks like"),
        "ignore_rows": _names("leave out this row"),
        "keep_rows": _names("this row is a data set, whatever it looks like"),
        "transpose": Option(
            False, None, "rows are algorithms, columns are data sets", bool, switch=True
        ),
        "brackets": Option(
            None,
            ("std", "rank"),
            "what a number in brackets after a score is: a standard deviation or a rank",
        ),
        "missing_words": _names("text that stands for a missing score"),
        "sheet": Option(None, None, "sheet of a spreadsheet"),
        "problem": Option(None, None, "column with the problem's name"),
        "evaluations": Option(None, None, "column with evaluations spent (long table)"),
        "value": Option(None, None, "column with the best value so far (long table)"),
        "optimum": Option(
            None, None, "known optimum: a number, or the column that has it", _number_or_name
        ),
        "n_points": Option(None, None, "how many regular points the logs are carried to", int),
        "budget": Option(None, None, "evaluations that every run had", float),
        "measure": Option(None, None, "name of what was measured, such as accuracy"),
        "histories.direction": Option(
            None,
            DIRECTIONS,
            "whether high or low values of the histories are better, beside a table of scores",
            flag="histories-direction",
        ),
        "histories.measure": Option(
            None,
            None,
            "name of what the histories hold, beside a table of scores",
            flag="histories-measure",
        ),
        "decimal": Option(".", (".", ","), "decimal mark, a point or a comma"),
        "thousands": Option(
            None,
            (",", ".", " ", "'"),
            "what separates thousands in a text table: a comma, point, space or apostrophe",
        ),
        "separator": Option(
            None,
            (",", ";", "\t"),
            "what separates the cells of a text table: a comma, semicolon or tab",
            _separator,
        ),
        "select.algorithms": _selected("algorithm"),
        "select.datasets": _selected("dataset", "data set"),
        "select.problems": _selected("problem"),
        "text.encoding": Option(
            "utf-8-sig",
            None,
            "encoding of a text table, such as latin-1; UTF-8 may have a byte-order mark",
            flag="text-encoding",
        ),
        "diagram.best": Option("right", ("right", "left"), "the side of the best rank"),
    }
)

# The options that say how logs of runs are read
HISTORY_OPTIONS = (
    "problem",
    "algorithm",
    "run",
    "evaluations",
    "value",
    "optimum",
    "n_points",
    "budget",
    "worse",
    "early",
)
# The options that say how a folder of logs is read, which a file has no need for
FOLDER_OPTIONS = ("instances",)
# The options that say how a text file is written, apart from those for its columns
TEXT_OPTIONS = ("decimal", "thousands", "separator", "text.encoding")
COLUMN_OPTIONS = (
    "dataset",
    "algorithm",
    "score",
    "fold",
    "run",
    "lower",
    "upper",
    "domain",
    "higher_is_better",
)
# The options that say which cells of a table are scores
CELL_OPTIONS = (
    "ignore",
    "keep",
    "ignore_rows",
    "keep_rows",
    "transpose",
    "brackets",
    "missing_words",
)


def default(name: str) -> Any:
    """Return the default of an option."""
    return OPTIONS[name].default
