"""Words and limits that several options or other modules share, and how they are spelled out."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from nbcompare._validation import named

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
        "sensitivity": "which decisions hang on the design or on one data set",
        "plan": "how many data sets an experiment needs to find these differences",
        "methods": "a paragraph on the methods, for a paper",
        "appendix": "ranks, omnibus test, all hypotheses and options; what follows belongs to it",
        "conditions": "conditions of parametric tests",
        "design": "which tests suit the data",
        "questions": "which questions the histories can answer",
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
